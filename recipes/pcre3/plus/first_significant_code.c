/*---
 * tasks: [first_significant_code-7bd661]
 * tests:
 *   a character is significant: 'Docstring: "pointer to the first significant opcode".'
 *   the end of a branch is significant: 'Docstring: "It skips over things that do not influence this".'
 *   an anchor is significant: 'Docstring: "looking for a fixed first character, or an anchoring op code".'
 *   a group is significant: 'Callers go on with brackets themselves.'
 *   a positive forward assertion is significant: 'Docstring: "skip negative forward and all backward assertions".'
 *   a callout is skipped: 'Docstring: "skips over things that do not influence this".'
 *   conditions are skipped: 'Docstring: it "skips over things"; callers pass the code of conditional groups.'
 *   several of them are skipped: 'Docstring: "the first significant opcode".'
 *   callouts and conditions are skipped for either flag: 'Docstring: skipassert is about "certain assertions".'
 *   word boundaries are skipped with the flag: 'Docstring: "and also the \b assertion".'
 *   word boundaries are significant without the flag: 'Docstring: "for others it does not".'
 *   a negative forward assertion is skipped with the flag: 'Docstring: "negative forward".'
 *   backward assertions are skipped with the flag: 'Docstring: "all backward assertions".'
 *   these assertions are significant without the flag: 'Docstring: "TRUE if certain assertions are to be skipped".'
 *   all alternatives of an assertion are skipped: 'Docstring: "skip ... assertions"; links lead from OP_ALT on.'
 *   what is in an assertion is skipped: 'Docstring: "skip ... assertions".'
 *   a mixture is skipped with the flag: 'Docstring: "the first significant opcode".'
 *   of a mixture the assertion is found without the flag: 'Docstring: "for others it does not".'
 *   a long assertion is skipped: 'pcre_internal.h: links of LINK_SIZE bytes.'
 *   the code stays as it was: 'The argument is const.'
 ---*/
#include <config.h>
#include "../pcre_compile.c"
#include "plus.h"

static pcre_uchar code[3000], kept[3000];
static int at, changed;

static void start(void) {
    memset(code, OP_CHAR, sizeof(code));
    at = 0;
}

/* One item with its whole length. */
static void add(int op) {
    code[at] = op;
    at += PRIV(OP_lengths)[op];
}

/* A bracket with SIZE characters in each of its N alternatives. */
static void bracket(int op, int n, int size) {
    int begin = at, i, j;
    for (i = 0; i < n; i++) {
        int here = at;
        code[at] = i ? OP_ALT : op;
        at += 1 + LINK_SIZE;
        for (j = 0; j < size; j++) add(OP_CHAR);
        PUT(code, here + 1, at - here);
    }
    code[at] = OP_KET;
    PUT(code, at + 1, at - begin);
    at += 1 + LINK_SIZE;
}

static int found(int skip) {
    int n;
    memcpy(kept, code, sizeof(code));
    n = first_significant_code(code, skip) - code;
    changed |= memcmp(kept, code, sizeof(code)) != 0;
    return n;
}

/* Whether OP, followed by a character, is skipped. */
static int skips(int op, int skip) {
    start();
    add(op);
    add(OP_CHAR);
    return found(skip) == PRIV(OP_lengths)[op];
}

static int stays(int op, int skip) {
    start();
    add(op);
    add(OP_CHAR);
    return found(skip) == 0;
}

static int skips_bracket(int op, int n, int size, int skip) {
    int end;
    start();
    bracket(op, n, size);
    end = at;
    add(OP_CHAR);
    return found(skip) == end;
}

int main(void) {
    static const int conditions[] = {OP_CREF, OP_DNCREF, OP_RREF, OP_DNRREF, OP_DEF};
    static const int backward[] = {OP_ASSERTBACK, OP_ASSERTBACK_NOT};
    static const int groups[] = {OP_BRA, OP_CBRA, OP_SBRA, OP_SCBRA, OP_ONCE, OP_ONCE_NC, OP_COND, OP_SCOND,
                                 OP_BRAZERO, OP_BRAMINZERO};
    static const int anchors[] = {OP_SOD, OP_SOM, OP_CIRC, OP_CIRCM, OP_DOLL, OP_EOD, OP_SET_SOM};
    int i, good, both, first;

    ok("a character is significant", stays(OP_CHAR, 1) && stays(OP_CHAR, 0) && stays(OP_STAR, 1) && stays(OP_ANY, 1));
    ok("the end of a branch is significant",
       stays(OP_ALT, 1) && stays(OP_KET, 1) && stays(OP_END, 1) && stays(OP_END, 0));
    good = 1;
    for (i = 0; i < 7; i++) good &= stays(anchors[i], 1) && stays(anchors[i], 0);
    ok("an anchor is significant", good);
    good = 1;
    for (i = 0; i < 10; i++) good &= stays(groups[i], 1) && stays(groups[i], 0);
    ok("a group is significant", good);
    ok("a positive forward assertion is significant", stays(OP_ASSERT, 1) && stays(OP_ASSERT, 0));
    ok("a callout is skipped", skips(OP_CALLOUT, 1));
    both = skips(OP_CALLOUT, 0);
    good = 1;
    for (i = 0; i < 5; i++) {
        good &= skips(conditions[i], 1);
        both &= skips(conditions[i], 0);
    }
    ok("conditions are skipped", good);
    ok("callouts and conditions are skipped for either flag", both);
    start();
    add(OP_CALLOUT);
    add(OP_RREF);
    add(OP_CALLOUT);
    add(OP_DEF);
    first = at;
    add(OP_CHAR);
    ok("several of them are skipped", found(0) == first && found(1) == first);
    ok("word boundaries are skipped with the flag", skips(OP_WORD_BOUNDARY, 1) && skips(OP_NOT_WORD_BOUNDARY, 1));
    ok("word boundaries are significant without the flag",
       stays(OP_WORD_BOUNDARY, 0) && stays(OP_NOT_WORD_BOUNDARY, 0));
    ok("a negative forward assertion is skipped with the flag", skips_bracket(OP_ASSERT_NOT, 1, 3, 1));
    ok("backward assertions are skipped with the flag", skips_bracket(OP_ASSERTBACK, 1, 3, 1) &&
       skips_bracket(OP_ASSERTBACK_NOT, 1, 3, 1));
    good = 1;
    for (i = 0; i < 2; i++) {
        start();
        bracket(backward[i], 2, 2);
        good &= found(0) == 0;
    }
    start();
    bracket(OP_ASSERT_NOT, 1, 2);
    ok("these assertions are significant without the flag", good && found(0) == 0);
    ok("all alternatives of an assertion are skipped", skips_bracket(OP_ASSERT_NOT, 2, 3, 1) &&
       skips_bracket(OP_ASSERT_NOT, 4, 1, 1) && skips_bracket(OP_ASSERTBACK, 3, 2, 1) &&
       skips_bracket(OP_ASSERTBACK_NOT, 2, 0, 1));
    ok("what is in an assertion is skipped", skips_bracket(OP_ASSERT_NOT, 1, 20, 1) &&
       skips_bracket(OP_ASSERT_NOT, 1, 0, 1));
    start();
    add(OP_CALLOUT);
    first = at;
    add(OP_WORD_BOUNDARY);
    bracket(OP_ASSERTBACK, 2, 2);
    add(OP_NOT_WORD_BOUNDARY);
    bracket(OP_ASSERT_NOT, 1, 1);
    add(OP_CALLOUT);
    good = at;
    add(OP_CIRC);
    ok("a mixture is skipped with the flag", found(1) == good);
    good = found(0) == first;
    start();
    add(OP_DEF);
    add(OP_CALLOUT);
    first = at;
    bracket(OP_ASSERTBACK_NOT, 1, 1);
    ok("of a mixture the assertion is found without the flag", good && found(0) == first);
    ok("a long assertion is skipped",
       skips_bracket(OP_ASSERT_NOT, 2, 500, 1) && skips_bracket(OP_ASSERTBACK, 1, 200, 1));
    ok("the code stays as it was", !changed);
    return plus_end();
}
