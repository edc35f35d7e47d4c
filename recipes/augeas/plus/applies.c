/*---
 * tasks: [applies-047c91]
 * instead: [src/put.o]
 * tests:
 *   a lens of the tree applies: 'Comment: "Check if LENS applies to the current split".'
 *   a lens of another label does not: 'lens.h: ATYPE, the type of the tree.'
 *   a lens of another value does not: 'lens.h: ATYPE, the type of the tree.'
 *   a lens that matches only the beginning does not: 'put.c: struct split, the text is from START to END.'
 *   a lens that matches more does not: 'put.c: struct split, END.'
 *   only the part of the split is looked at: 'put.c: struct split, START and END.'
 *   a lens of several nodes applies to all of them: 'put.c: struct split, the nodes of TREE and its siblings.'
 *   a repeated lens applies to no nodes: 'lens.h: L_STAR.'
 *   a lens that takes nothing does not apply to nodes: 'Comment: "the current split".'
 *   a store applies where there is a value: 'lens.h: VALUE, the lens stores the value of the node.'
 *   a store does not apply where there is none: 'lens.h: VALUE; STATE has the node TREE.'
 *   an empty value is one: 'lens.h: VALUE; NULL alone is none.'
 *   a lens without a value applies either way: 'lens.h: VALUE.'
 *   a lens with a value and nodes applies to the nodes: 'put.c: the encoding of the nodes says it.'
 *   no match is no error: 'Callers try one lens after another (put_union).'
 *   a wrong pattern is an error: 'put.c: regexp_match_error, "Syntax error in tree schema".'
 *   then it does not apply: 'put.c: regexp_match_error; callers go on only with a lens that applies.'
 *   split and tree stay as they were: 'Comment: "Check".'
 ---*/
#include "lenses.h"
#include "../put.c"

static struct state state;
static struct tree here;
static struct split sp;

/* Whether the lens applies to the text from START to END, in a node with that value. */
static int fits_part(struct lens *lens, const char *enc, size_t start, size_t end, const char *value) {
    sp = (struct split) {.enc = (char *)enc, .start = start, .end = end};
    here.value = (char *)value;
    state.split = &sp;
    state.tree = &here;
    state.path = "/path";
    state.info = info;
    return applies(lens, &state);
}

static int fits(struct lens *lens, const char *enc, const char *value) {
    return fits_part(lens, enc, 0, strlen(enc), value);
}

int main(void) {
    lenses_start();
    info->ref += 1000;
    struct lens *a = subtree(concat(key("[a-z]+"), store("[0-9]+")));
    ok("a lens of the tree applies", fits(a, "abc\00312\004", NULL));
    ok("a lens of another label does not", !fits(a, "ABC\00312\004", NULL) && !fits(a, "\00312\004", NULL));
    ok("a lens of another value does not", !fits(a, "abc\003x\004", NULL) && !fits(a, "abc\003\004", NULL));
    ok("a lens that matches only the beginning does not", !fits(a, "a\0031\004b\0032\004", NULL));
    ok("a lens that matches more does not",
       !fits_part(a, "a\0031\004", 0, 3, NULL) && !fits_part(star(a), "a\0031\004b\0032\004", 0, 7, NULL));
    const char *three = "A\003x\004b\0032\004C\003y\004";
    ok("only the part of the split is looked at",
       fits_part(a, three, 4, 8, NULL) && !fits_part(a, three, 0, 4, NULL) && !fits_part(a, three, 0, 8, NULL) &&
       !fits_part(a, three, 4, 12, NULL));
    ok("a lens of several nodes applies to all of them",
       fits(star(a), "a\0031\004b\0032\004c\0033\004", NULL) && fits(concat(a, a), "a\0031\004b\0032\004", NULL));
    ok("a repeated lens applies to no nodes", fits(star(a), "", NULL) && fits_part(star(a), three, 4, 4, NULL));
    struct lens *d = del("#+", "#");
    ok("a lens that takes nothing does not apply to nodes", !fits(d, "a\0031\004", NULL));
    struct lens *s = store("[0-9]+");
    ok("a store applies where there is a value", fits(s, "", "12") == 1);
    ok("a store does not apply where there is none", !fits(s, "", NULL) && !fits(concat(d, s), "", NULL));
    ok("an empty value is one", fits(s, "", ""));
    ok("a lens without a value applies either way", fits(d, "", NULL) && fits(d, "", "12") && fits(star(a), "", "1"));
    struct lens *both = concat(s, a);
    ok("a lens with a value and nodes applies to the nodes",
       fits(both, "a\0031\004", "5") && fits(both, "a\0031\004", NULL) && !fits(both, "A\0031\004", "5"));
    ok("no match is no error", state.error == NULL);
    sp.enc = "a\0031\004";
    ok("split and tree stay as they were",
       fits(a, "a\0031\004", "v") && sp.start == 0 && sp.end == 4 && same(here.value, "v") && state.split == &sp);
    struct lens *wrong = subtree(concat(key("[a-z]+"), store("[0-9]+")));
    wrong->atype = rx("(");
    int r = fits(wrong, "a\0031\004", NULL);
    ok("a wrong pattern is an error", state.error && state.error->lens == wrong && same(state.error->path, "/path"));
    ok("then it does not apply", r == 0);
    return plus_end();
}
