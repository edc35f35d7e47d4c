/*---
 * tasks: [is_caller-0b7d38]
 * instead: [src/jmt.o]
 * tests:
 *   a root link is of its caller: 'jmt.c: struct link, CALLER "number of a state".'
 *   a root link is of no other caller: 'jmt.c: struct link, CALLER.'
 *   a root link is not of the state of its item: 'jmt.c: NINIT adds the start with its own caller.'
 *   a completed item has no caller: 'Docstring: callers are kept in links with PREDICT.'
 *   a scanned item has no caller: 'Docstring: callers are kept in links with PREDICT.'
 *   a predicted item has its caller: 'Docstring: "a possible caller for the link".'
 *   a predicted item has the state of its item: 'Docstring: the link "starts at item X"; the grammar, caller t or s.'
 *   a predicted item has no other caller: 'Docstring: "a possible caller for the link".'
 *   a predicted and completed item has its caller: 'Docstring: NCALLER and NCALLEE, "PREDICT|COMPLETE".'
 *   a predicted and completed item has not the state of its item: 'Docstring: NCALLER and NCALLEE have one caller.'
 *   a predicted and completed item has no other caller: 'Docstring: "a possible caller for the link".'
 *   a caller of 0 is one: 'jmt.c: states are numbered from 0.'
 *   item and link stay as they were: 'Docstring: it returns true or false.'
 ---*/
#include "lenses.h"
#include "jmt.h"
#include "../jmt.c"

static struct state state = {.num = 5};
static struct item item = {.state = &state, .nlinks = 1};
static struct link lnk;

static int is(int reason, ind_t own, ind_t caller) {
    lnk = (struct link) {.reason = reason, .lens = 1, .from_set = 2, .from_item = 3, .to_item = 4, .caller = own};
    item.links = &lnk;
    return is_caller(&item, &lnk, caller);
}

int main(void) {
    plus_start();
    ok("a root link is of its caller", is(R_ROOT, 7, 7));
    ok("a root link is of no other caller", !is(R_ROOT, 7, 8) && !is(R_ROOT, 7, 1) && !is(R_ROOT, 7, 2));
    ok("a root link is not of the state of its item", !is(R_ROOT, 7, 5));
    ok("a completed item has no caller", !is(R_COMPLETE, 7, 7) && !is(R_COMPLETE, 7, 5));
    ok("a scanned item has no caller", !is(R_SCAN, 7, 7) && !is(R_SCAN, 7, 5));
    ok("a predicted item has its caller", is(R_PREDICT, 7, 7));
    ok("a predicted item has the state of its item", is(R_PREDICT, 7, 5));
    ok("a predicted item has no other caller", !is(R_PREDICT, 7, 6) && !is(R_PREDICT, 7, 0) && !is(R_PREDICT, 7, 3));
    ok("a predicted and completed item has its caller", is(R_PREDICT | R_COMPLETE, 7, 7));
    ok("a predicted and completed item has not the state of its item", !is(R_PREDICT | R_COMPLETE, 7, 5));
    ok("a predicted and completed item has no other caller", !is(R_PREDICT | R_COMPLETE, 7, 4));
    ok("a caller of 0 is one", is(R_PREDICT, 0, 0) && is(R_PREDICT | R_COMPLETE, 0, 0) && !is(R_PREDICT, 7, 0));
    ok("item and link stay as they were",
       is(R_PREDICT, 7, 7) && item.state == &state && state.num == 5 && lnk.caller == 7 && lnk.reason == R_PREDICT &&
       item.nlinks == 1);
    return plus_end();
}
