/* The reading of a script in compile.c, from a string or from a file. */
#ifndef SCRIPT_H
#define SCRIPT_H
#include "plus.h"
#define main sed_main
#include "../compile.c"
#undef main

static unsigned char script_text[3000];

/* What is read next are the SIZE bytes of TEXT, in line LINE. What is behind them is no part of the script. */
static void take(const char *text, size_t size, countT at_line) {
    memset(script_text, '!', sizeof(script_text));
    memcpy(script_text, text, size);
    memset(&prog, 0, sizeof(prog));
    prog.base = prog.cur = script_text;
    prog.end = script_text + size;
    cur_input.name = NULL;
    cur_input.line = at_line;
}

/* The same from a file. */
static void take_file(const char *text, size_t size, countT at_line) {
    memset(&prog, 0, sizeof(prog));
    if (size) memcpy(script_text, text, size);
    prog.file = size ? fmemopen(script_text, size, "r") : fopen("/dev/null", "r");
    if (!prog.file) exit(2);
    cur_input.name = "file";
    cur_input.line = at_line;
}

/* Whether the characters of TEXT are what is read next. */
static int next(const char *text) {
    while (*text) if (inchar() != (unsigned char)*text++) return 0;
    return 1;
}
#endif
