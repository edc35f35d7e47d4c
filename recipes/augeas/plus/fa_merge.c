/*---
 * tasks: [fa_merge-f98b0d]
 * instead: [src/fa.o]
 * tests:
 *   the states of the second are states of the first: 'Docstring: "adds the states of FA2 to FA1".'
 *   the states of the first stay in it: 'Docstring: "adds".'
 *   no state is there twice: 'Docstring: "simply adds".'
 *   the states are the same and no copies: 'Callers (union_in_place, concat_in_place) have transitions to them.'
 *   the initial state stays the first: 'Docstring: "no influence on the language accepted by FA1".'
 *   the automaton of the second is freed: 'Docstring: "and then frees FA2".'
 *   the pointer to the second is cleared: 'fa_union frees FA2 after an error, when it was merged already.'
 *   the states of the second are not freed: 'Docstring: "adds the states of FA2".'
 *   accepting states stay what they were: 'Callers rely on the accepting states of FA2 (concat_in_place).'
 *   transitions stay what they were: 'Docstring: "simply adds".'
 *   the language of the first stays: 'Docstring: "It has no influence on the language accepted by FA1".'
 *   the empty language stays empty: 'Docstring: "no influence on the language accepted by FA1".'
 *   whether the first minds case stays: 'Docstring: "no influence on the language accepted by FA1".'
 *   several can be merged into one: 'fa_iter merges in a loop.'
 *   the union of languages is right: 'Caller union_in_place.'
 *   the concatenation of languages is right: 'Caller concat_in_place.'
 *   the repetition of languages is right: 'Caller fa_iter.'
 *   nothing is left when the first is freed: 'Docstring: "frees FA2"; fa_free frees the states.'
 ---*/
#include "../fa.c"
#include "plus.h"

static struct fa *re(const char *pattern) {
    struct fa *fa = NULL;
    if (fa_compile(pattern, strlen(pattern), &fa) != 0) plus_die("Bail out! not compiled\n");
    return fa;
}

static int count(struct fa *fa) {
    int n = 0;
    for (struct state *s = fa->initial; s != NULL && n < 1000; s = s->next) n++;
    return n;
}

static int times(struct fa *fa, struct state *state) {
    int n = 0, seen = 0;
    for (struct state *s = fa->initial; s != NULL && n < 1000; s = s->next, n++) seen += s == state;
    return seen;
}

/* Whether the automaton accepts the language of the pattern, and frees it. */
static int accepts(struct fa *fa, const char *pattern) {
    struct fa *other = re(pattern);
    int good = fa != NULL && fa_equals(fa, other) == 1;
    fa_free(fa);
    fa_free(other);
    return good;
}

enum { MOST = 200 };
static struct state *own[MOST], *added[MOST];
static struct state before[MOST];

static int states_of(struct fa *fa, struct state **to) {
    int n = 0;
    for (struct state *s = fa->initial; s != NULL && n < MOST; s = s->next) to[n++] = s;
    return n;
}

int main(void) {
    plus_start();
    struct fa *a = re("ab*c|d"), *b = re("[x-z]{2,3}y?"), *old = b;
    int na = states_of(a, own), nb = states_of(b, added);
    if (na < 2 || nb < 2) exit(1);
    for (int i = 0; i < nb; i++) before[i] = *added[i];
    struct state *initial = a->initial;
    fa_merge(a, &b);
    int good = 1, there = 1, once = 1;
    for (int i = 0; i < nb; i++) there &= times(a, added[i]) > 0;
    ok("the states of the second are states of the first", there);
    for (int i = 0; i < na; i++) good &= times(a, own[i]) > 0;
    ok("the states of the first stay in it", good);
    for (int i = 0; i < nb; i++) once &= times(a, added[i]) == 1;
    for (int i = 0; i < na; i++) once &= times(a, own[i]) == 1;
    ok("no state is there twice", once);
    ok("the states are the same and no copies", there && count(a) == na + nb);
    ok("the initial state stays the first", a->initial == initial);
    ok("the automaton of the second is freed", plus_dead(old));
    ok("the pointer to the second is cleared", b == NULL);
    int live = 1, accept = 1, trans = 1;
    for (int i = 0; i < nb; i++) {
        live &= plus_live(added[i]);
        accept &= added[i]->accept == before[i].accept;
        trans &= added[i]->tused == before[i].tused && added[i]->trans == before[i].trans &&
                 added[i]->tsize == before[i].tsize;
    }
    ok("the states of the second are not freed", live);
    ok("accepting states stay what they were", accept);
    ok("transitions stay what they were", trans);
    ok("the language of the first stays", accepts(a, "ab*c|d"));

    a = fa_make_basic(FA_EMPTY);
    b = re("a|");
    fa_merge(a, &b);
    ok("the empty language stays empty", fa_is_basic(a, FA_EMPTY) && !b);
    fa_free(a);
    a = re("ab");
    b = re("cd");
    if (fa_nocase(a) < 0 || fa_nocase(b) < 0) exit(1);
    fa_merge(a, &b);
    struct fa *upper = re("AB");
    if (fa_nocase(upper) < 0) exit(1);
    good = fa_is_nocase(a) && fa_equals(a, upper) == 1;
    fa_free(a);
    fa_free(upper);
    ok("whether the first minds case stays", good);

    a = re("k+");
    struct fa *more[3] = {re("l"), re("m*n"), re("[o-q]r")};
    int all = na = count(a);
    initial = a->initial;
    for (int i = 0; i < 3; i++) {
        all += count(more[i]);
        fa_merge(a, &more[i]);
    }
    ok("several can be merged into one",
       count(a) == all && all > na && !more[0] && !more[1] && !more[2] && a->initial == initial);
    fa_free(a);

    long blocks = plus_live_blocks;
    a = re("ab*c|d");
    b = re("[x-z]{2,3}y?");
    fa_merge(a, &b);
    fa_free(a);
    fa_free(b);
    ok("nothing is left when the first is freed", plus_live_blocks == blocks);
    a = re("ab*"), b = re("c+d");
    good = accepts(fa_union(a, b), "ab*|c+d") && accepts(fa_union(b, a), "ab*|c+d");
    ok("the union of languages is right", good);
    good = accepts(fa_concat(a, b), "ab*c+d") && accepts(fa_concat(b, a), "c+dab*");
    ok("the concatenation of languages is right", good);
    good = accepts(fa_iter(a, 2, 3), "ab*ab*(ab*)?") && accepts(fa_iter(b, 1, -1), "(c+d)+") &&
           accepts(fa_iter(a, 0, 4), "((((ab*)?ab*)?ab*)?ab*)?");
    ok("the repetition of languages is right", good);
    fa_free(a);
    fa_free(b);
    return plus_end();
}
