long word_hash(const char *text);
unsigned long word_hash(const char *text)
