/*---
 * tasks: [str_to_fa-4f9ae7]
 * instead: [src/lens.o]
 * tests:
 *   a valid regexp gives no exception: 'Docstring: "Return NULL if REGEXP is valid".'
 *   a valid regexp gives an automaton: 'Docstring: "Construct a finite automaton from REGEXP and return it in *FA".'
 *   it accepts what the regexp matches: 'Docstring: "Construct a finite automaton from REGEXP".'
 *   it accepts nothing else: 'Docstring: "Construct a finite automaton from REGEXP".'
 *   the whole pattern is taken: 'Docstring: "from REGEXP".'
 *   an empty pattern accepts the empty word: 'Docstring: "Return NULL if REGEXP is valid"; fa.h: fa_compile.'
 *   case is minded without nocase: 'fa.h: fa_compile, "The FA is case sensitive".'
 *   case is not minded with nocase: 'Parameter NOCASE; caller regexp_to_fa passes the regexp''s.'
 *   nocase is told of the automaton: 'fa.h: fa_is_nocase; the typechecker''s operations go by it.'
 *   any nocase that is not zero will do: 'Parameter NOCASE, an int used as a truth value.'
 *   what the automaton was before does not matter: 'Callers pass the address of a pointer; "return it in *FA".'
 *   a regexp with a syntax error gives an exception: 'Docstring: on "syntax errors, return an exception".'
 *   the exception has a message: 'Callers hand it to the user; syntax.h: exn.'
 *   the exception is the caller's: 'Callers release it with unref.'
 *   there is no automaton then: 'Callers free the automaton in any case; fa.h: "Otherwise, FA is NULL".'
 *   many kinds of syntax errors are exceptions: 'Docstring: "if the regexp REGEXP has syntax errors".'
 *   a syntax error with nocase is one too: 'Docstring: "if the regexp REGEXP has syntax errors".'
 *   a pattern with strange characters can be wrong: 'Docstring: "if the regexp REGEXP has syntax errors"; escape.'
 *   a syntax error is no error of the central kind: 'Docstring: it returns an exception; syntax.h: exn.'
 *   the pattern stays as it was: 'Parameter "const char *".'
 *   nothing but the automaton is left in memory: 'Callers free it alone.'
 *   nothing is left of an exception: 'Callers release it alone.'
 ---*/
#include "lenses.h"
#include "../lens.c"

static struct fa *re(const char *pattern, int nocase) {
    struct fa *fa = (struct fa *) 1;
    struct value *exn = str_to_fa(info, pattern, &fa, nocase);
    if (exn || !fa) plus_die("Bail out! a valid regexp was refused\n");
    return fa;
}

/* Whether FA accepts WORD, which has ordinary letters alone. */
static int has(struct fa *fa, const char *word) {
    struct fa *w = NULL;
    if (fa_compile(word, strlen(word), &w) != 0) exit(2);
    if (fa_is_nocase(fa)) fa_nocase(w);
    int r = fa_contains(w, fa);
    fa_free(w);
    return r == 1;
}

static int wrong(const char *pattern, int nocase) {
    struct fa *fa = (struct fa *) 1;
    struct value *exn = str_to_fa(info, pattern, &fa, nocase);
    int good = exn && EXN(exn) && fa == NULL;
    unref(exn, value);
    return good;
}

int main(void) {
    lenses_start();
    info->ref += 1000;

    struct fa *fa = NULL;
    struct value *exn = str_to_fa(info, "ab+(c|d)", &fa, 0);
    ok("a valid regexp gives no exception", exn == NULL);
    ok("a valid regexp gives an automaton", fa != NULL);
    if (!fa) exit(1);
    ok("it accepts what the regexp matches", has(fa, "abc") && has(fa, "abbbd"));
    ok("it accepts nothing else", !has(fa, "ac") && !has(fa, "ab") && !has(fa, "abcd") && !has(fa, ""));
    ok("case is minded without nocase", !has(fa, "ABC") && !has(fa, "aBc") && !fa_is_nocase(fa));
    fa_free(fa);
    fa = re("abcdefghij|klmnopqrst", 0);
    ok("the whole pattern is taken", has(fa, "abcdefghij") && has(fa, "klmnopqrst") && !has(fa, "klmnopqrs"));
    fa_free(fa);
    fa = re("", 0);
    ok("an empty pattern accepts the empty word", has(fa, "") && !has(fa, "a"));
    fa_free(fa);

    fa = re("[a-c]Xy", 1);
    ok("nocase is told of the automaton", fa_is_nocase(fa) == 1);
    ok("case is not minded with nocase", has(fa, "aXy") && has(fa, "AxY") && has(fa, "CXY") && !has(fa, "dxy"));
    fa_free(fa);
    fa = re("q", -1);
    struct fa *two = re("q", 2);
    ok("any nocase that is not zero will do", fa_is_nocase(fa) && fa_is_nocase(two));
    fa_free(fa);
    fa_free(two);
    fa = re("z", 0);            /* RE starts from a pointer that can't be followed. */
    ok("what the automaton was before does not matter", has(fa, "z"));
    fa_free(fa);

    char pattern[] = "a(b";
    fa = (struct fa *) 1;
    exn = str_to_fa(info, pattern, &fa, 0);
    ok("a regexp with a syntax error gives an exception", exn && EXN(exn));
    if (!exn || !EXN(exn)) exit(1);
    ok("the exception has a message", exn->exn && exn->exn->message && *exn->exn->message);
    ok("there is no automaton then", fa == NULL);
    ok("the exception is the caller's", exn->ref == 1 && exn != info->error->exn);
    unref(exn, value);
    ok("a syntax error is no error of the central kind", info->error->code == AUG_NOERROR);
    ok("the pattern stays as it was", same(pattern, "a(b"));
    ok("many kinds of syntax errors are exceptions",
       wrong("(", 0) && wrong("[a", 0) && wrong("[b-a]", 0) && wrong("a{2,1}", 0));
    ok("a syntax error with nocase is one too", wrong("(", 1) && wrong("[z-a]", 1));
    ok("a pattern with strange characters can be wrong", wrong("a/\n\t\001%s%n(", 0) && wrong("\"\\\\[", 0));

    fa_free(re("ab|c", 0));
    fa_free(re("ab|c", 1));
    long live = plus_live_blocks;
    fa_free(re("ab|c", 0));
    fa_free(re("ab|C[x-z]", 1));
    ok("nothing but the automaton is left in memory", plus_live_blocks == live);
    wrong("(", 0);
    live = plus_live_blocks;
    wrong("(", 0);
    wrong("[z-a]", 1);
    ok("nothing is left of an exception", plus_live_blocks == live);
    return plus_end();
}
