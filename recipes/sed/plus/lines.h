/* Lines, and what is read, in execute.c. */
#ifndef LINES_H
#define LINES_H
#include "files.h"
#define main sed_main
#include "../execute.c"
#undef main

/* Makes L a line that holds TEXT in a block with ALLOC usable bytes, INACTIVE of them consumed. */
static void make_line(struct line *l, const char *text, size_t alloc, size_t inactive) {
    memset(l, 0, sizeof(*l));
    l->text = xmalloc(alloc + DFA_SLOP);
    memset(l->text, '#', alloc + DFA_SLOP);
    l->active = l->text + inactive;
    l->alloc = alloc - inactive;
    l->length = strlen(text);
    memcpy(l->active, text, l->length);
    l->chomped = true;
}

static int line_is(const struct line *l, const char *text) {
    return l->length == strlen(text) && !memcmp(l->active, text, l->length);
}

/* Whether the block of L has the room that L tells. */
static int has_room(const struct line *l) {
    return plus_live(l->text) && l->active >= l->text && l->length <= l->alloc &&
        (size_t)(l->active - l->text) + l->alloc + DFA_SLOP <= plus_size(l->text);
}

static void set_state(struct line *l, int byte) {
    memset(&l->mbstate, byte, sizeof(l->mbstate));
}

static int state_is(const struct line *l, int byte) {
    mbstate_t wanted;
    memset(&wanted, byte, sizeof(wanted));
    return !memcmp(&l->mbstate, &wanted, sizeof(wanted));
}

/* What the program does at its beginning. */
static void begin(void) {
    plus_start();
    program_name = "sed";
    initialize_mbcs();
    init_localeinfo(&localeinfo);
}
#endif
