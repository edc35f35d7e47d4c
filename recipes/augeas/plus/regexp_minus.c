/*---
 * tasks: [regexp_minus-003bd6]
 * tests:
 *   words of the second are taken out: 'Docstring: "all the words matched by R1 but not by R2".'
 *   other words of the first stay: 'Docstring: "all the words matched by R1 but not by R2".'
 *   words of the second alone do not come in: 'Docstring: "all the words matched by R1 but not by R2".'
 *   the order of both counts: 'Docstring: "matched by R1 but not by R2".'
 *   without a common word the first is left: 'Docstring: "all the words matched by R1 but not by R2".'
 *   infinite languages are told apart: 'Docstring.'
 *   the empty word can be taken out and stay: 'Docstring.'
 *   special characters stay literal: 'Docstring; fa.h: fa_as_regexp gives a regular expression.'
 *   alternatives are taken whole: 'Docstring: "all the words matched by R1".'
 *   where nothing is left there is no regexp: 'Caller syntax.c: compile_minus looks for NULL.'
 *   the result is new: 'Docstring: "Return a new REGEXP".'
 *   the result is owned by the caller: 'Caller compile_minus puts it into a value that it owns.'
 *   the result is where it was asked for: 'Caller compile_minus passes the INFO of the expression.'
 *   the result holds the info: 'regexp.h: make_regexp, "Ownership of INFO is taken".'
 *   the operands stay as they were: 'Caller compile_minus releases them itself.'
 *   case is minded where both mind it: 'regexp.h: nocase.'
 *   case is not minded where neither minds it: 'regexp.h: nocase; fa.h: fa_is_nocase.'
 *   where the first alone does not mind case both cases are told apart: 'Docstring: "words matched by R1".'
 *   where the second alone does not mind case both cases are taken out: 'Docstring: "but not by R2".'
 *   the result can be used in further regexps: 'Callers: further terms take it.'
 *   nothing else is left in memory: 'The result is all that the caller releases.'
 *   nothing is left where there is no regexp: 'Caller compile_minus has nothing to release then.'
 ---*/
#include "lenses.h"

static struct info *place;

static struct regexp *re(const char *pattern, int nocase) {
    return make_regexp(info, strdup(pattern), nocase);
}

static int is(struct regexp *r, const char *text) {
    return r && regexp_match(r, text, strlen(text), 0, NULL) == (int) strlen(text);
}

/* Whether the pattern without the other matches each of the words in YES, and none of those in NO. */
static int minus(const char *one, int nocase1, const char *two, int nocase2, const char *const *yes,
                 const char *const *no) {
    struct regexp *a = re(one, nocase1), *b = re(two, nocase2), *r = regexp_minus(info, a, b);
    int good = r != NULL;
    for (; good && *yes; yes++) good &= is(r, *yes);
    for (; good && *no; no++) good &= !is(r, *no);
    unref(r, regexp);
    unref(a, regexp);
    unref(b, regexp);
    return good;
}

#define W(...) (const char *const[]) {__VA_ARGS__, NULL}
#define NONE (const char *const[]) {NULL}

int main(void) {
    lenses_start();
    make_ref(place);
    place->error = aug->error;
    place->filename = dup_string("elsewhere");
    for (int i = 0; i < 100; i++) ref(info), ref(place);
    ok("words of the second are taken out", minus("[a-e]", 0, "[c-d]", 0, NONE, W("c", "d")));
    ok("other words of the first stay", minus("[a-e]", 0, "[c-d]", 0, W("a", "b", "e"), NONE));
    ok("words of the second alone do not come in", minus("[a-c]", 0, "[c-f]", 0, W("a", "b"), W("c", "d", "e", "f")));
    ok("the order of both counts",
       minus("ab|cd", 0, "cd|ef", 0, W("ab"), W("cd", "ef")) && minus("cd|ef", 0, "ab|cd", 0, W("ef"), W("cd", "ab")));
    ok("without a common word the first is left", minus("a+|b", 0, "c*", 0, W("a", "aaa", "b"), W("c", "", "ab")));
    ok("infinite languages are told apart",
       minus("[a-z]+", 0, "ab*", 0, W("b", "ba", "abc", "aab"), W("a", "ab", "abbb", "")));
    ok("the empty word can be taken out and stay",
       minus("a*", 0, "()", 0, W("a", "aa"), W("")) && minus("a*", 0, "a+", 0, W(""), W("a", "aa")));
    ok("special characters stay literal",
       minus("[*.+]|\\\\|\\[x\\]|a", 0, "\\.", 0, W("*", "+", "\\", "[x]", "a"), W(".", "x", "b", "")));
    ok("alternatives are taken whole",
       minus("one|two|three", 0, "two", 0, W("one", "three"), W("two", "o", "on", "onethree")) &&
       minus("x(1|2|3)", 0, "x2|x3", 0, W("x1"), W("x2", "x3", "x", "1")));
    struct regexp *a = re("ab*", 0), *b = re("a(b*)", 0), *c = re("[a-z]*", 0), *d = re("abb", 0);
    struct regexp *n1 = regexp_minus(info, a, b), *n2 = regexp_minus(info, a, c), *n3 = regexp_minus(info, a, a);
    ok("where nothing is left there is no regexp", !n1 && !n2 && !n3);
    struct regexp *r = regexp_minus(info, a, d);
    if (!r) exit(1);
    ok("the result is new", r != a && r != d && plus_live(r));
    ok("the result is owned by the caller", r->ref == 1);
    unref(r, regexp);
    unsigned held = place->ref, others = info->ref;
    r = regexp_minus(place, a, d);
    ok("the result is where it was asked for", r->info == place);
    int took = place->ref == held + 1 && info->ref == others;
    unref(r, regexp);
    ok("the result holds the info", took && place->ref == held);
    ok("the operands stay as they were",
       a->ref == 1 && d->ref == 1 && same(a->pattern->str, "ab*") && same(d->pattern->str, "abb") && !a->nocase &&
       !d->nocase && a->info == info && is(a, "abb") && is(d, "abb"));
    ok("case is minded where both mind it",
       minus("[a-c]|B", 0, "[b]", 0, W("a", "c", "B"), W("b", "A", "C")));
    ok("case is not minded where neither minds it",
       minus("[a-c]+", 1, "bb", 1, W("a", "A", "bB" "c", "B"), W("bb", "BB", "bB", "d")));
    ok("where the first alone does not mind case both cases are told apart",
       minus("[a-c]", 1, "b", 0, W("a", "A", "B", "C"), W("b")));
    ok("where the second alone does not mind case both cases are taken out",
       minus("[a-cA-C]", 0, "b", 1, W("a", "A", "c", "C"), W("b", "B")));
    struct regexp *p[2] = {regexp_minus(info, c, d), re("=", 0)}, *joined = regexp_concat_n(info, 2, p);
    ok("the result can be used in further regexps", is(joined, "ab=") && is(joined, "=") && !is(joined, "abb="));
    struct regexp *x = re("[a-z]+", 0), *y = re("ab|c", 0);
    long live = plus_live_blocks;
    r = regexp_minus(info, x, y);
    unref(r, regexp);
    ok("nothing else is left in memory", plus_live_blocks == live);
    r = regexp_minus(info, y, x);
    ok("nothing is left where there is no regexp", r == NULL && plus_live_blocks == live);
    return plus_end();
}
