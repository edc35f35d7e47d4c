/*---
 * tasks: [add_number-f6f05a]
 * tests:
 *   without an item to insert after a block is returned: 'Docstring: "or just return an unconnected item".'
 *   it has the number: 'Docstring: n, "the number to add".'
 *   it is unconnected: 'Docstring: "an unconnected item if the "after" argument is NULL".'
 *   an item is added at the end of a chain: 'Docstring: "Used to add an item onto a chain".'
 *   the new item is returned: 'Docstring: "new number block".'
 *   the end of the chain is marked: 'pcregrep.c walks only_matching until next is NULL.'
 *   an item in the middle is inserted behind the one given: 'Docstring: "points to item to insert after".'
 *   what followed still follows: 'Docstring: "item to insert after".'
 *   what was before stays: 'Docstring: "item to insert after".'
 *   the numbers of other items stay: 'Docstring: "add an item onto a chain".'
 *   zero and negative numbers are kept: 'Docstring: n, "the number to add"; main adds 0.'
 *   a chain of many items keeps its order: 'Caller: appends after the last one.'
 *   each item is a block of its own: 'Docstring: "new number block"; main frees each.'
 *   without memory the program ends with status 2: 'pcregrep.1: 2 for errors; as add_pattern does.'
 *   without memory it is told: 'pcregrep.c: add_pattern tells it on stderr before it ends.'
 ---*/
#include "plus.h"
static int refuse;
static void *limited(size_t size) {
    void *p = refuse ? NULL : malloc(size);
    if (p) memset(p, 0xa5, size);
    return p;
}
#define main pcregrep_main
#define malloc limited
#include "../pcregrep.c"
#undef malloc
#undef main

static void without(void) {
    refuse = 1;
    add_number(7, NULL);
}

int main(void) {
    omstr *a, *b, *c, *d, *e, *last, *p;
    char text[1000];
    int i, good, status;
    a = add_number(5, NULL);
    ok("without an item to insert after a block is returned", a != NULL);
    ok("it has the number", a->groupnum == 5);
    ok("it is unconnected", a->next == NULL);
    b = add_number(6, a);
    ok("an item is added at the end of a chain", a->next == b && b->groupnum == 6);
    ok("the new item is returned", b != a && b->groupnum == 6);
    ok("the end of the chain is marked", b->next == NULL);
    c = add_number(7, b);
    d = add_number(8, a);
    ok("an item in the middle is inserted behind the one given", a->next == d && d->groupnum == 8);
    ok("what followed still follows", d->next == b && b->next == c && c->next == NULL);
    e = add_number(-3, b);
    ok("what was before stays", a->next == d && d->next == b && b->next == e && e->next == c);
    ok("the numbers of other items stay", a->groupnum == 5 && b->groupnum == 6 && c->groupnum == 7 &&
       d->groupnum == 8);
    ok("zero and negative numbers are kept", e->groupnum == -3 && add_number(0, NULL)->groupnum == 0);
    ok("each item is a block of its own", a != b && b != c && c != d && a != c && a != d && b != d && e != d);
    last = p = add_number(0, NULL);
    for (i = 1; i < 100; i++) last = add_number(i, last);
    good = 1;
    for (i = 0; i < 100 && p != NULL; i++, p = p->next) good &= p->groupnum == i;
    ok("a chain of many items keeps its order", good && i == 100 && p == NULL);
    status = plus_child(without, text, sizeof(text));
    ok("without memory the program ends with status 2", status == 2);
    ok("without memory it is told", text[0] != 0);
    return plus_end();
}
