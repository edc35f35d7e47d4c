/*---
 * tasks: [init_regs-b1ee06]
 * instead: [src/get.o]
 * tests:
 *   a lens that matches the whole text gives 0: 'Docstring: "Return 0 if the lens matches the entire text".'
 *   the register covers the whole text then: 'get.c: state, "REGS are the registers from the last regexp match".'
 *   the registers of groups are there: 'get.c: state; get_concat and others go on to them.'
 *   a lens that matches the start alone gives 1: 'Docstring: "1 if it does not".'
 *   the register covers what was matched then: 'get.c: state; callers lns_get and lns_parse go on with it.'
 *   no error is told of a start that matches: 'Caller lns_get: "hoping we''ll get a more specific error".'
 *   a lens that does not match gives -1: 'Docstring: "-1 on error".'
 *   it is an error of the state: 'Callers lns_get and lns_parse go on to return STATE.ERROR.'
 *   the error names the lens: 'get.c: get_error, LENS.'
 *   an earlier error is kept: 'get.c: vget_error.'
 *   an empty text is matched as a whole: 'Docstring: "matches the entire text".'
 *   a lens that matches nothing of a text gives 1: 'Docstring: "1 if it does not".'
 *   no more than the size is read: 'Callers pass the length of the text; SIZE.'
 *   an iteration is not matched: 'Comment: "We can avoid matching the entire text".'
 *   an iteration gives 0: 'Docstring; caller lns_get: what is left is told later.'
 *   an iteration has one register with the whole text: 'rec_process and get_quant_star use REG_START and REG_END.'
 *   an iteration of an empty text has an empty register: 'get_quant_star: REG_START and REG_END.'
 *   a recursive lens is not matched: 'lens.h: CTYPE is "NULL when recursive == 1".'
 *   a recursive lens has one register with the whole text: 'rec_process uses REG_START and REG_END.'
 *   the state is at the first register: 'get.c: state, NREG.'
 *   free_regs frees all of it: 'Callers lns_get and lns_parse.'
 *   without memory an iteration gives -1: 'Docstring: "-1 on error".'
 ---*/
#include "lenses.h"
#include "../get.c"

static struct state state;

/* What comes of matching TEXT up to SIZE in a new state. */
static int init(struct lens *lens, const char *text, uint size) {
    free_regs(&state);
    free_lns_error(state.error);
    memset(&state, 0, sizeof(state));
    state.info = info;
    state.text = text;
    return init_regs(&state, lens, size);
}

static int covers(int reg, int start, int end) {
    return state.regs && reg < (int) state.regs->num_regs && state.regs->start[reg] == start &&
           state.regs->end[reg] == end;
}

int main(void) {
    lenses_start();
    for (int i = 0; i < 100; i++) ref(info);
    struct lens *ab = del("a+b", "ab"), *maybe = del("a*", "a");
    struct lens *pair = concat(key("[a-z]+"), concat(del("=", "="), store("[0-9]+")));
    int r = init(ab, "aaab", 4);
    ok("a lens that matches the whole text gives 0", r == 0 && !state.error);
    ok("the register covers the whole text then", covers(0, 0, 4));
    ok("the state is at the first register", state.nreg == 0);
    r = init(pair, "key=12", 6);
    ok("the registers of groups are there",
       r == 0 && covers(0, 0, 6) && covers(1, 0, 3) && covers(2, 3, 4) && covers(3, 4, 6));

    r = init(ab, "aabxx", 5);
    ok("a lens that matches the start alone gives 1", r == 1 && init(ab, "abab", 4) == 1 && init(ab, "abc", 3) == 1);
    ok("no error is told of a start that matches", state.error == NULL);
    init(ab, "aabxx", 5);
    ok("the register covers what was matched then", covers(0, 0, 3));

    r = init(ab, "xab", 3);
    ok("a lens that does not match gives -1", r == -1 && init(ab, "", 0) == -1 && init(ab, "a", 1) == -1);
    init(ab, "xab", 3);
    ok("it is an error of the state", state.error != NULL && state.error->message != NULL);
    ok("the error names the lens", state.error && state.error->lens == ab);
    struct lns_error *first = state.error;
    r = init_regs(&state, pair, 3);
    ok("an earlier error is kept", r == -1 && state.error == first && first->lens == ab);

    r = init(maybe, "", 0);
    ok("an empty text is matched as a whole", r == 0 && covers(0, 0, 0) && !state.error);
    r = init(maybe, "b", 1);
    ok("a lens that matches nothing of a text gives 1", r == 1 && covers(0, 0, 0) && !state.error);
    r = init(maybe, "aaaaa", 3);
    ok("no more than the size is read", r == 0 && covers(0, 0, 3) && init(ab, "aab", 2) == -1);

    struct lens *many = star(del("x", "x"));
    r = init(many, "xxx", 3);
    ok("an iteration gives 0", r == 0);
    ok("an iteration has one register with the whole text",
       covers(0, 0, 3) && state.regs->num_regs == 1 && state.nreg == 0);
    r = init(many, "xyz", 3);
    ok("an iteration is not matched", r == 0 && covers(0, 0, 3) && !state.error);
    r = init(many, "", 0);
    ok("an iteration of an empty text has an empty register", r == 0 && covers(0, 0, 0) && !state.error);

    struct lens *rec = take(lns_make_rec(ref(info)));
    r = init(rec, "anything", 8);
    ok("a recursive lens is not matched", r == 0 && !state.error);
    ok("a recursive lens has one register with the whole text",
       covers(0, 0, 8) && state.regs->num_regs == 1 && state.nreg == 0);

    init(many, "", 0);
    free_regs(&state);
    long live = plus_live_blocks;
    init(ab, "aaab", 4);
    free_regs(&state);
    init(many, "xxx", 3);
    free_regs(&state);
    init(rec, "xxx", 3);
    free_regs(&state);
    ok("free_regs frees all of it", plus_live_blocks == live);

    int good = 1, failed = 0, at = 1;
    for (; at < 20; at++) {
        memset(&state, 0, sizeof(state));
        state.info = info;
        state.text = "xx";
        plus_fail_at = at;
        r = init_regs(&state, many, 2);
        int over = plus_fail_at > 0;
        plus_fail_at = 0;
        good &= over ? r == 0 : r == -1;
        failed += r == -1;
        if (over) break;
    }
    ok("without memory an iteration gives -1", good && failed > 0 && at < 20);
    return plus_end();
}
