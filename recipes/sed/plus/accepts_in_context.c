/*---
 * tasks: [accepts_in_context-66fccf]
 * tests:
 *   without a constraint it accepts in each context: 'Docstring: "in the specified context"; NO_CONSTRAINT.'
 *   a state that never accepts does so in no context: 'Caller dfaexec and accepting: a constraint of 0.'
 *   at the beginning of a line it accepts after a newline only: 'dfa.c: contexts, BEGLINE_CONSTRAINT.'
 *   at the end of a line it accepts before a newline only: 'dfa.c: contexts, ENDLINE_CONSTRAINT.'
 *   at the beginning of a word it accepts before a letter only: 'dfa.c: BEGWORD_CONSTRAINT.'
 *   at the end of a word it accepts after a letter only: 'dfa.c: ENDWORD_CONSTRAINT.'
 *   at a limit of a word it accepts where the other does not: 'dfa.c: LIMWORD_CONSTRAINT, NOTLIMWORD_CONSTRAINT.'
 *   of several previous contexts one is enough: 'dfa.c: "Prev is a bitmask of possible context values".'
 *   each constraint counts in each context: 'dfa.c: "Context dependent constraints are encoded as 9-bit integers".'
 *   the state that is given counts: 'Docstring: "STATE accepts".'
 *   the automaton stays as it was: 'The argument is const.'
 ---*/
#include "plus.h"
#include "../../lib/dfa.c"

enum { LAST = 511 };

static dfa_state all[LAST + 1], kept[LAST + 1];
static struct dfa automaton;
static const int contexts[] = {CTX_NONE, CTX_LETTER, CTX_NEWLINE};

static int accepts(int constraint, int prev, int curr) {
    all[7].constraint = constraint;
    return accepts_in_context(prev, curr, 7, &automaton);
}

static int expected(int constraint, int prev, int curr) {
    int first_bit = curr == CTX_NEWLINE ? 6 : curr == CTX_LETTER ? 3 : 0;
    return (constraint >> first_bit & 7 & prev) != 0;
}

int main(void) {
    int every = 1, none = 1, line_begin = 1, line_end = 1, begin = 1, end = 1, limit = 1, good = 1;
    plus_start();
    automaton.states = all;
    automaton.sindex = LAST + 1;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            int prev = contexts[i], curr = contexts[k];
            every &= accepts(NO_CONSTRAINT, prev, curr);
            none &= !accepts(0, prev, curr);
            line_begin &= accepts(BEGLINE_CONSTRAINT, prev, curr) == (prev == CTX_NEWLINE);
            line_end &= accepts(ENDLINE_CONSTRAINT, prev, curr) == (curr == CTX_NEWLINE);
            begin &= accepts(BEGWORD_CONSTRAINT, prev, curr) == (prev != CTX_LETTER && curr == CTX_LETTER);
            end &= accepts(ENDWORD_CONSTRAINT, prev, curr) == (prev == CTX_LETTER && curr != CTX_LETTER);
            limit &= accepts(LIMWORD_CONSTRAINT, prev, curr) == ((prev == CTX_LETTER) != (curr == CTX_LETTER)) &&
                accepts(NOTLIMWORD_CONSTRAINT, prev, curr) == ((prev == CTX_LETTER) == (curr == CTX_LETTER));
        }
    ok("without a constraint it accepts in each context", every);
    ok("a state that never accepts does so in no context", none);
    ok("at the beginning of a line it accepts after a newline only", line_begin);
    ok("at the end of a line it accepts before a newline only", line_end);
    ok("at the beginning of a word it accepts before a letter only", begin);
    ok("at the end of a word it accepts after a letter only", end);
    ok("at a limit of a word it accepts where the other does not", limit);
    ok("of several previous contexts one is enough",
       accepts(BEGLINE_CONSTRAINT, CTX_ANY, CTX_LETTER) && accepts(ENDWORD_CONSTRAINT, CTX_ANY, CTX_NONE) &&
       accepts(0001, CTX_NONE | CTX_NEWLINE, CTX_NONE) && !accepts(0001, CTX_LETTER | CTX_NEWLINE, CTX_NONE));
    for (int c = 0; c <= 0777; c++)
        for (int prev = 1; prev <= CTX_ANY; prev++)
            for (int k = 0; k < 3; k++) good &= accepts(c, prev, contexts[k]) == expected(c, prev, contexts[k]);
    ok("each constraint counts in each context", good);
    good = 1;
    for (int s = 0; s <= LAST; s++) {
        all[s].constraint = s;
        all[s].context = LAST - s;
    }
    memcpy(kept, all, sizeof(all));
    for (int s = 0; s <= LAST; s++)
        for (int k = 0; k < 3; k++) {
            good &= accepts_in_context(CTX_LETTER, contexts[k], s, &automaton) ==
                expected(s, CTX_LETTER, contexts[k]);
        }
    ok("the state that is given counts", good);
    ok("the automaton stays as it was", !memcmp(kept, all, sizeof(all)) && automaton.sindex == LAST + 1);
    return plus_end();
}
