/*---
 * tasks: [fa_minus-115232]
 * tests:
 *   words of the second language are taken out: 'Docstring: "the set difference [...] L(FA1)\L(FA2)".'
 *   words of the first language alone stay: 'Docstring: "the set difference [...] L(FA1)\L(FA2)".'
 *   words of the second language alone do not come in: 'Docstring: "the set difference [...] L(FA1)\L(FA2)".'
 *   the difference is not symmetric: 'Docstring: "L(FA1)\L(FA2)".'
 *   a language without a part of itself is the rest: 'Docstring: "the set difference".'
 *   languages without a common word leave the first: 'Docstring: "the set difference".'
 *   a larger language takes all: 'Docstring: "the set difference".'
 *   an automaton without itself is empty: 'Docstring: "the set difference".'
 *   the same language twice is empty: 'Docstring: "the set difference [...] of the languages".'
 *   the empty language stays empty: 'Docstring: "the set difference"; fa.h: FA_EMPTY.'
 *   without the empty language all stays: 'Docstring: "the set difference"; fa.h: FA_EMPTY.'
 *   without all words nothing stays: 'Docstring: "the set difference"; fa.h: FA_TOTAL.'
 *   all words without a language are its complement: 'Docstring and fa.h: fa_complement.'
 *   the empty word is a word: 'Docstring: "the set difference"; fa.h: FA_EPSILON.'
 *   the empty word can be taken out: 'Caller fa.c: fa_overlap takes it out.'
 *   infinite languages are told apart: 'Docstring: "the set difference".'
 *   nondeterministic automata are taken right: 'Docstring: "the languages of FA1 and FA2".'
 *   case is minded where both mind it: 'fa.h: fa_compile, "The FA is case sensitive".'
 *   case is not minded where neither minds it: 'fa.h: fa_nocase.'
 *   the result is a new automaton: 'fa.h: "responsibility of the caller to free automata returned by any of these".'
 *   the result is new where the second language is empty: 'fa.h: callers free automata that are returned.'
 *   the result outlives the operands: 'fa.h: callers free automata that are returned.'
 *   the operands accept what they did: 'fa.h: "automata passed into routines are never modified".'
 *   nothing but the result is left in memory: 'fa.h: it is all that the caller has to free.'
 ---*/
#include <config.h>
#include "internal.h"
#include "fa.h"
#include "plus.h"

static struct fa *re(const char *pattern) {
    struct fa *fa = NULL;
    if (fa_compile(pattern, strlen(pattern), &fa) != 0) plus_die("Bail out! not compiled\n");
    return fa;
}

static struct fa *anycase(const char *pattern) {
    struct fa *fa = re(pattern);
    if (fa_nocase(fa) < 0) exit(2);
    return fa;
}

/* Whether FA, which is freed, accepts what EXPECTED does. */
static int is(struct fa *fa, struct fa *expected) {
    int good = fa && fa_equals(fa, expected) == 1;
    fa_free(fa);
    fa_free(expected);
    return good;
}

/* Whether A without B is EXPECTED; all are freed. */
static int leaves(struct fa *a, struct fa *b, struct fa *expected) {
    int good = is(fa_minus(a, b), expected);
    fa_free(a);
    fa_free(b);
    return good;
}

static int minus(const char *a, const char *b, const char *expected) {
    return leaves(re(a), re(b), expected ? re(expected) : fa_make_basic(FA_EMPTY));
}

static int has(struct fa *fa, const char *word) {
    struct fa *w = re(word);
    int r = fa_contains(w, fa);
    fa_free(w);
    return r == 1;
}

int main(void) {
    plus_start();
    struct fa *a = re("one|two|three"), *b = re("two|four"), *d = fa_minus(a, b), *e = fa_minus(b, a);
    ok("the result is a new automaton", d && e && d != a && d != b && e != a && e != b);
    ok("words of the second language are taken out", !has(d, "two") && !has(e, "two"));
    ok("words of the first language alone stay", has(d, "one") && has(d, "three") && has(e, "four"));
    ok("words of the second language alone do not come in", !has(d, "four") && !has(e, "one") && !has(e, "three"));
    ok("the difference is not symmetric", fa_equals(d, e) == 0);
    struct fa *a2 = re("one|two|three"), *b2 = re("two|four");
    ok("the operands accept what they did", fa_equals(a, a2) == 1 && fa_equals(b, b2) == 1);
    fa_free(a);
    fa_free(b);
    fa_free(a2);
    fa_free(b2);
    ok("the result outlives the operands", is(d, re("one|three")) && is(e, re("four")));

    ok("a language without a part of itself is the rest",
       minus("[a-z]", "[b-y]", "a|z") && minus("a|b|c", "b", "a|c"));
    ok("languages without a common word leave the first", minus("[a-c]+", "[d-f]+", "[a-c]+"));
    ok("a larger language takes all", minus("ab|cd", "[a-z]*", NULL) && minus("a", "a|b", NULL));
    struct fa *s = re("x+y?"), *same_fa = fa_minus(s, s);
    ok("an automaton without itself is empty", is(same_fa, fa_make_basic(FA_EMPTY)) && has(s, "xy"));
    fa_free(s);
    ok("the same language twice is empty", minus("(a|b)*", "(a*b*)*", NULL) && minus("aa*", "a+", NULL));
    ok("the empty language stays empty",
       leaves(fa_make_basic(FA_EMPTY), re("a"), fa_make_basic(FA_EMPTY)) &&
       leaves(fa_make_basic(FA_EMPTY), fa_make_basic(FA_EMPTY), fa_make_basic(FA_EMPTY)));
    ok("without the empty language all stays", leaves(re("a|b+"), fa_make_basic(FA_EMPTY), re("a|b+")));
    ok("without all words nothing stays", leaves(re("a|b+"), fa_make_basic(FA_TOTAL), fa_make_basic(FA_EMPTY)));
    struct fa *w = re("ab+");
    struct fa *c = fa_complement(w);
    ok("all words without a language are its complement", leaves(fa_make_basic(FA_TOTAL), w, c));
    ok("the empty word is a word",
       minus("a?", "a", "") && leaves(fa_make_basic(FA_EPSILON), re("a+"), fa_make_basic(FA_EPSILON)) &&
       leaves(fa_make_basic(FA_EPSILON), re("a*"), fa_make_basic(FA_EMPTY)));
    ok("the empty word can be taken out", leaves(re("(ab)*"), fa_make_basic(FA_EPSILON), re("(ab)+")));
    ok("infinite languages are told apart",
       minus("a*", "(aa)*", "a(aa)*") && minus("[a-z]+", "[a-z]{2,}", "[a-z]"));
    ok("nondeterministic automata are taken right",
       minus("(a|b)*", "(a|b)*a(a|b)", "()|a|b|(a|b)*b(a|b)") && minus("(a|ab)(c|bcd)?", "ab|abc", "a|ac|abcd|abbcd"));
    ok("case is minded where both mind it", minus("[aA]b", "ab", "Ab") && minus("ab", "AB", "ab"));
    ok("case is not minded where neither minds it",
       leaves(anycase("ab|CD"), anycase("AB"), anycase("cd")) &&
       leaves(anycase("ab"), anycase("Ab"), fa_make_basic(FA_EMPTY)));

    a = re("k+");
    b = fa_make_basic(FA_EMPTY);
    d = fa_minus(a, b);
    int fresh = d && d != a && d != b;
    fa_free(a);
    fa_free(b);
    ok("the result is new where the second language is empty", fresh && is(d, re("k+")));

    a = re("a|b*c");
    b = re("b+c|d");
    fa_free(fa_minus(a, b));
    long live = plus_live_blocks;
    fa_free(fa_minus(a, b));
    fa_free(fa_minus(b, a));
    fa_free(fa_minus(a, a));
    ok("nothing but the result is left in memory", plus_live_blocks == live);
    return plus_end();
}
