/*---
 * tasks: [dfacomp-cbcd2e.2]
 * tests:
 *   a text with a match is found: 'Docstring: "build a matcher for it".'
 *   a text without a match is not: 'Docstring: "build a matcher for it".'
 *   a match ends where it ends: 'dfa.h: dfaexec returns "a pointer to the first character after the match".'
 *   a searching matcher finds a match anywhere: 'struct dfa: searchflag, "anywhere in the buffer".'
 *   an exact matcher finds it at the beginning alone: 'struct dfa: searchflag, "anchored to the beginning".'
 *   what was parsed before is compiled: 'Docstring: "skip this step if S is null".'
 *   the length is ignored then: 'dfa.h: "A null first argument means ...; the second argument is ignored".'
 *   a back-reference is left to the caller: 'dfa.h: dfaexec, "whether we encountered a back-reference".'
 *   it has a superset: 'dfa.h: "The superset matches everything that D matches".'
 *   the superset searches too: 'dfa.h: "The superset matches everything that D matches".'
 *   the superset tells where nothing can match: 'Caller match_regex: "superset && !dfaexec (superset, ...)".'
 *   what needs no superset has none: 'dfa.h: "Return a null pointer if no useful superset is available"; dfassbuild.'
 *   limits of words match bytes: 'dfasupported: BEGWORD, "if (!d->localeinfo.multibyte) continue".'
 *   limits of words in UTF-8 are left to the caller: 'dfasupported: BEGWORD in a multibyte locale.'
 *   characters of several bytes match: 'Docstring: "build a matcher for it".'
 *   in UTF-8 no superset is kept without a back-reference: 'maybe_disable_superset_dfa.'
 *   in UTF-8 a back-reference has a superset: 'dfa.h: "The superset matches everything that D matches".'
 *   all that was made is freed by dfafree: 'dfa.h: "Free the storage held by the components of a struct dfa".'
 *   the string is parsed up to its length: 'Docstring of dfaparse: "Parse a string S of length LEN".'
 *   a null byte is a character: 'Docstring of dfaparse: "S can include NUL characters".'
 *   an empty string matches each text: 'Docstring of dfaparse; grammar: "<empty>".'
 *   the whole expression is parsed: 'Grammar: "regexp".'
 *   of several strings each matches: 'struct dfa: nregexps, "Count of parallel regexps being built with dfaparse".'
 *   their number is counted: 'struct dfa: nregexps, "Count of parallel regexps being built with dfaparse".'
 *   each string begins anew: 'lexer_state: laststart, "separated from beginning"; lasttok, "initially END".'
 *   what must be in a text is known after it: 'dfa.h: dfamust, "a struct dfa that was initialized by dfaparse".'
 *   a parenthesis too many is an error: 'Grammar: "LPAREN regexp RPAREN"; dfaerror.'
 *   a parenthesis that is missing is an error: 'Grammar: "LPAREN regexp RPAREN"; dfaerror.'
 *   parentheses that are closed are no error: 'Grammar: "LPAREN regexp RPAREN".'
 ---*/
#include "automaton.h"

static const char *broken;

static void dies(void) {
    dfaparse(broken, strlen(broken), make(BALANCED));
}

static int fails(const char *text) {
    broken = text;
    return plus_child(dies) == 4;
}

/* An automaton for all PATTERNS. */
static struct dfa *parallel(const char **patterns) {
    struct dfa *d = make(BASIC);
    for (; *patterns; patterns++) dfaparse(*patterns, strlen(*patterns), d);
    return d;
}

/* The blocks that PATTERN leaves after it was compiled, used and freed. */
static long left(const char *pattern, reg_syntax_t bits, const char *text) {
    long before = plus_live_blocks;
    struct dfa *d = compile(pattern, bits, true);
    if (dfasuperset(d)) found(dfasuperset(d), text);
    found(d, text);
    dfafree(d);
    free(d);
    return plus_live_blocks - before;
}

int main(void) {
    const char *letters[] = {"ab", "cd", "ef", NULL}, *stars[] = {"a", "*b", "^c", NULL};
    int good;
    plus_start();
    program_name = "sed";
    use_locale("C");
    struct dfa *d = compile("ab*c", EXTENDED, true);
    ok("a text with a match is found", found(d, "ac") >= 0 && found(d, "abbbc") >= 0 && !backref);
    ok("a text without a match is not", found(d, "ab") < 0 && found(d, "bc") < 0 && found(d, "") < 0);
    ok("a searching matcher finds a match anywhere", found(d, "xxabcyy") >= 0 && found(d, "\n\nac") >= 0);
    ok("a match ends where it ends", found(d, "ac") == 2 && found(d, "xxabcyy") == 5);
    ok("what needs no superset has none", dfasuperset(d) == NULL);
    d = compile("ab", EXTENDED, false);
    good = found(d, "ab") >= 0 && found(d, "abx") >= 0;
    ok("an exact matcher finds it at the beginning alone", good && found(d, "xab") < 0 && found(d, "aab") < 0);
    d = make(EXTENDED);
    dfaparse("x|yz", 4, d);
    dfacomp(NULL, 0, d, true);
    ok("what was parsed before is compiled", found(d, "ax") >= 0 && found(d, "yz") >= 0 && found(d, "y") < 0);
    d = make(EXTENDED);
    dfaparse("xy", 2, d);
    dfacomp(NULL, 77, d, true);
    ok("the length is ignored then", found(d, "axyb") >= 0 && found(d, "x") < 0);

    d = compile("\\(a\\)\\1b", BASIC, true);
    good = found(d, "zzz") == 0 && backref;
    ok("a back-reference is left to the caller", good && found(d, "aab") == 0 && backref);
    struct dfa *superset = dfasuperset(d);
    ok("it has a superset", superset && found(superset, "aab") >= 0 && !backref);
    ok("the superset searches too", superset && found(superset, "xxaabyy") >= 0 && found(superset, "xab") >= 0);
    good = superset && found(superset, "xyz") < 0 && found(superset, "ba") < 0;
    ok("the superset tells where nothing can match", good);
    ok("limits of words match bytes", matches("\\<ab\\>", EXTENDED, "x ab y") && !matches("\\<ab", EXTENDED, "xab") &&
       matches("a\\Bb", EXTENDED, "ab") && !matches("a\\bb", EXTENDED, "ab"));

    d = make(EXTENDED);
    dfacomp("abcd", 2, d, true);
    good = found(d, "ab") == 2;
    d = make(EXTENDED);
    dfaparse("xy*", 1, d);
    dfacomp(NULL, 0, d, true);
    ok("the string is parsed up to its length", good && found(d, "ax") == 2);
    d = make(EXTENDED);
    dfacomp("a\0b", 3, d, true);
    ok("a null byte is a character", found_in(d, "xa\0b", 4) == 4 && found(d, "ab") < 0 && found_in(d, "a\0c", 3) < 0);
    d = compile("", EXTENDED, true);
    ok("an empty string matches each text", found(d, "abc") == 0 && found(d, "") == 0);
    good = matches("^(a|b(c|d)*)+e$", EXTENDED, "abcdbae") && !matches("^(a|b(c|d)*)+e$", EXTENDED, "acde");
    ok("the whole expression is parsed", good && matches("^ab{2,3}c?$", EXTENDED, "abbb") &&
       !matches("^ab{2,3}c?$", EXTENDED, "ab") && matches("x$", EXTENDED, "ax") && !matches("x$", EXTENDED, "xa"));
    d = parallel(letters);
    ok("their number is counted", d->nregexps == 3);
    dfacomp(NULL, 0, d, true);
    good = found(d, "xab") >= 0 && found(d, "cdx") >= 0 && found(d, "ef") >= 0;
    ok("of several strings each matches", good && found(d, "abx") == 2 && found(d, "ad") < 0 && found(d, "bced") < 0);
    d = parallel(stars);
    dfacomp(NULL, 0, d, true);
    good = found(d, "x*b") == 3 && found(d, "b") < 0 && found(d, "c") >= 0;
    ok("each string begins anew", good && found(d, "xc") < 0);
    d = make(EXTENDED);
    dfaparse("abc", 3, d);
    struct dfamust *must = dfamust(d);
    good = must && must->exact && same(must->must, "abc");
    d = make(EXTENDED);
    dfaparse("x*long+y", 8, d);
    must = dfamust(d);
    ok("what must be in a text is known after it", good && must && !must->exact && same(must->must, "long"));
    ok("a parenthesis too many is an error", fails(")") && fails("a)") && fails("(a))b") && fails("(a)|b)"));
    ok("a parenthesis that is missing is an error", fails("(") && fails("(a") && fails("(a(b)"));
    dfaparse("(a(b)c)|()", 10, make(BALANCED));
    ok("parentheses that are closed are no error", matches("^(a(b)c)$", BALANCED, "abc"));
    good = left("ab*[cd]", EXTENDED, "xxabcd") == 0 && left("", EXTENDED, "x") == 0;
    good &= left("\\(a\\)\\1b", BASIC, "xaab") == 0;

    use_locale("C.UTF-8");
    good &= left("\303\251.*[a\303\250]", EXTENDED, "x\303\251y\303\250") == 0;
    good &= left("\\(\303\251\\)\\1b", BASIC, "x\303\251\303\251b") == 0 && left("\\<a", BASIC, "x a") == 0;
    ok("all that was made is freed by dfafree", good);
    d = compile("\303\251.z", EXTENDED, true);
    good = found(d, "a\303\251\303\250z") == 6 && !backref && found(d, "\303\251z") < 0;
    ok("characters of several bytes match", good && found(d, "\303\250xz") < 0 &&
       found(d, "\303\251\303\250\250z") < 0);
    ok("in UTF-8 no superset is kept without a back-reference", dfasuperset(d) == NULL);
    d = compile("\\<ab", BASIC, true);
    ok("limits of words in UTF-8 are left to the caller", found(d, "zz") == 0 && backref);
    d = compile("\\(\303\251\\)\\1b", BASIC, true);
    good = found(d, "zz") == 0 && backref;
    superset = dfasuperset(d);
    ok("in UTF-8 a back-reference has a superset", good && superset && found(superset, "x\303\251\303\251b") >= 0 &&
       found(superset, "xyz") < 0);
    return plus_end();
}
