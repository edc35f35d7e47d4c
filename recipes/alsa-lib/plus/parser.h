/* Shared by the tests of the parser, which hold the source of it: an input of text, and a compound to read into. */
#ifndef PARSER_H
#define PARSER_H
#include "plus.h"
#include "../../src/conf.c"
#include "tree.h"

static input_t input;
static struct filedesc file;
static snd_input_t *source;

static inline void begin(const char *text)
{
    if (source)
        snd_input_close(source);
    memset(&file, 0, sizeof(file));
    snd_input_buffer_open(&source, text, strlen(text));
    file.in = source;
    file.line = 1;
    INIT_LIST_HEAD(&file.include_paths);
    input.current = &file;
    input.unget = 0;
    input.ch = 0;
}

/* Whether this is what is left of the input. */
static inline int left(const char *rest)
{
    for (; *rest; rest++)
        if (get_char(&input) != (unsigned char)*rest)
            return 0;
    return get_char(&input) == LOCAL_UNEXPECTED_EOF;
}
#endif
