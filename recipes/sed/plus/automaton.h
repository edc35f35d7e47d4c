/* Regular expressions in dfa.c. */
#ifndef AUTOMATON_H
#define AUTOMATON_H
#include "plus.h"
#include "../../lib/dfa.c"
#include <locale.h>

enum { BASIC = (RE_SYNTAX_POSIX_BASIC & ~RE_DOT_NOT_NULL) | RE_NO_POSIX_BACKTRACKING };
enum { EXTENDED = (RE_SYNTAX_POSIX_EXTENDED & ~RE_DOT_NOT_NULL) | RE_NO_POSIX_BACKTRACKING };
enum { BALANCED = EXTENDED & ~RE_UNMATCHED_RIGHT_PAREN_ORD };

extern const char *program_name;
static struct localeinfo info;
static bool backref;

static void use_locale(const char *name) {
    if (!setlocale(LC_ALL, name)) exit(2);
    init_localeinfo(&info);
}

static struct dfa *make(reg_syntax_t bits) {
    struct dfa *d = dfaalloc();
    dfasyntax(d, &info, bits, 0);
    return d;
}

/* Where the first match of D in the SIZE bytes of TEXT ends, -1 without one. */
static int found_in(struct dfa *d, const char *text, size_t size) {
    static char room[3000];
    memset(room, '#', sizeof(room));
    memcpy(room, text, size);
    backref = false;
    char *end = dfaexec(d, room, room + size, true, NULL, &backref);
    return end ? end - room : -1;
}

static int found(struct dfa *d, const char *text) {
    return found_in(d, text, strlen(text));
}

static struct dfa *compile(const char *pattern, reg_syntax_t bits, bool search) {
    struct dfa *d = make(bits);
    dfacomp(pattern, strlen(pattern), d, search);
    return d;
}

/* Whether PATTERN is found in TEXT by the automaton alone. */
static int matches(const char *pattern, reg_syntax_t bits, const char *text) {
    struct dfa *d = compile(pattern, bits, true);
    int end = found(d, text);
    dfafree(d);
    free(d);
    return end >= 0 && !backref;
}
#endif
