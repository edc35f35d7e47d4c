/*---
 * tasks: [make_regexp_unescape-2fd517.2]
 * tests:
 *   the pattern is kept: 'Docstring: "Make a regexp with pattern PAT".'
 *   the pattern is copied: 'Docstring: "which is copied".'
 *   escape sequences are interpreted: 'Docstring: "Escape sequences like \n in PAT are interpreted".'
 *   other backslashes stay: 'regexp.h: only escape sequences; \\. is of the regexp.'
 *   an empty pattern is one: 'Docstring: "Make a regexp with pattern PAT".'
 *   the argument stays as it was: 'Docstring: PAT is const and copied.'
 *   the regexp has the info: 'regexp.h: struct regexp, INFO.'
 *   case is told apart or not: 'regexp.h: struct regexp, NOCASE.'
 *   the caller has the only reference: 'ref.h: make_ref.'
 *   the pattern has one reference: 'regexp.c: free_regexp releases it.'
 *   it is not compiled yet: 'regexp.h: RE is compiled when it is needed.'
 *   the pattern of make_regexp is not copied: 'make_regexp: "PAT, which is not copied".'
 *   make_regexp interprets no escape sequences: 'make_regexp: "with pattern PAT".'
 *   make_regexp keeps info and case: 'make_regexp: INFO and NOCASE.'
 *   a regexp matches its pattern: 'regexp.h: regexp_match.'
 *   without regard to case it matches both: 'regexp.h: NOCASE.'
 *   its info outlives it: 'regexp.h: free_regexp; the interpreter goes on with it.'
 *   its pattern is freed with it: 'regexp.c: free_regexp.'
 ---*/
#include "lenses.h"

static int is(const char *text, const char *expected) {
    struct regexp *r = make_regexp_unescape(info, text, 0);
    return r && same(r->pattern->str, expected);
}

int main(void) {
    lenses_start();
    info->ref += 1000;
    char text[] = "[a-z]+";
    struct regexp *r = make_regexp_unescape(info, text, 0);
    if (!r) exit(1);
    ok("the pattern is kept", same(r->pattern->str, "[a-z]+"));
    text[1] = 'X';
    ok("the pattern is copied",
       r->pattern->str != text && plus_live(r->pattern->str) && same(r->pattern->str, "[a-z]+"));
    ok("the argument stays as it was", same(text, "[X-z]+"));
    ok("the regexp has the info", r->info == info);
    ok("the caller has the only reference", r->ref == 1);
    ok("the pattern has one reference", r->pattern->ref == 1);
    ok("it is not compiled yet", r->re == NULL);
    ok("escape sequences are interpreted", is("a\\nb", "a\nb") && is("\\t", "\t") && is("[^\\n]*\\r", "[^\n]*\r"));
    ok("other backslashes stay", is("a\\.b", "a\\.b") && is("\\[x\\]", "\\[x\\]") && is("\\/", "\\/"));
    ok("an empty pattern is one", is("", ""));
    struct regexp *n = make_regexp_unescape(info, "abc", 1);
    ok("case is told apart or not", r->nocase == 0 && n->nocase == 1);
    char *own = strdup("x\\n+");
    struct regexp *m = make_regexp(info, own, 0);
    ok("the pattern of make_regexp is not copied", m && m->pattern->str == own);
    ok("make_regexp interprets no escape sequences", same(m->pattern->str, "x\\n+"));
    struct regexp *k = make_regexp(info, strdup("k"), 1);
    ok("make_regexp keeps info and case",
       m->info == info && m->nocase == 0 && m->ref == 1 && m->pattern->ref == 1 && !m->re && k->nocase == 1);
    ok("a regexp matches its pattern",
       regexp_match(r, "abc1", 4, 0, NULL) == 3 && regexp_match(r, "1", 1, 0, NULL) == -1 &&
       regexp_match(n, "abc", 3, 0, NULL) == 3);
    ok("without regard to case it matches both",
       regexp_match(n, "aBC", 3, 0, NULL) == 3 && regexp_match(r, "ABC", 3, 0, NULL) == -1);
    unref(m, regexp);
    ok("its pattern is freed with it", m == NULL && plus_dead(own));
    ok("its info outlives it", plus_live(info) && info->ref > 0 && info->error == aug->error);
    return plus_end();
}
