#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct word {
    char *text;
    unsigned count;
    struct word *next;
};

static struct word *words;

long word_hash(const char *text);

static struct word *find(const char *text)
{
    for (struct word *word = words; word; word = word->next)
        if (strcmp(word->text, text) == 0)
            return word;
    return NULL;
}

static void add(const char *text)
{
    struct word *word = find(text);
    if (!word) {
        word = calloc(1, sizeof *word);
        word->text = malloc(strlen(text) + 1);
        strcpy(word->text, text);
        word->next = words;
        words = word;
    }
    word->count++;
}

unsigned long word_hash(const char *text)
{
    unsigned long hash = 5381;
    while (*text)
        hash = hash * 33 + (unsigned char)*text++;
    return hash;
}

int main(void)
{
    char text[100];
    while (scanf("%99s", text) == 1)
        add(text);
    for (struct word *word = words; word; word = word->next)
        printf("%6u %s %lu\n", word->count, word->text, word_hash(word->text) % 1000);
}
