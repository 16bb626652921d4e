a word_hash();

long word_hash()
{}
