/*---
 * tasks: [transfer_b_to_x-88bd0b]
 * tests:
 *   each x gets its b: 'Docstring: "transfer b-values to x-values".'
 *   b stays without zero_b: 'Template parameter zero_b; caller dLCP goes on to use b.'
 *   b becomes zero with zero_b: 'Template parameter zero_b.'
 *   with zero_b each x gets its b too: 'Docstring: "transfer b-values to x-values".'
 *   what x held does not matter: 'Docstring: transfer; callers give memory that was not set.'
 *   no pair is no work: 'Caller dLCP gives nub, which may be 0.'
 *   a single pair is done: 'Signature: n pairs.'
 *   pairs behind the n-th stay: 'Caller dLCP: nub pairs of n.'
 *   what lies before stays: 'Signature: from pairsbx on.'
 *   signs and sizes are kept: 'Docstring: values are transferred.'
 *   with zero_b it can be done again: 'Docstring: then x is what b is, zero.'
 ---*/
#include "lcp.cpp"
#include "ok.h"

enum {MOST = 12};
static dReal pairs[(MOST + 2) * PBX__MAX];
static dReal *const start = pairs + PBX__MAX;

static dReal &b(int i) { return start[i * PBX__MAX + PBX_B]; }
static dReal &x(int i) { return start[i * PBX__MAX + PBX_X]; }

static void fill()
{
    for (int i = -1; i <= MOST; i++) b(i) = 1.5f + i, x(i) = 100 + i;
}

/* From pair `from` up to `to`, everything as filled. */
static bool same(int from, int to)
{
    bool good = true;
    for (int i = from; i < to; i++) good = good && b(i) == 1.5f + i && x(i) == 100 + i;
    return good;
}

int main()
{
    fill();
    transfer_b_to_x<false>(start, 7);
    bool moved = true, stays = true, zero = true, moved_too = true;
    for (int i = 0; i < 7; i++) moved = moved && x(i) == 1.5f + i, stays = stays && b(i) == 1.5f + i;
    ok("each x gets its b", moved);
    ok("b stays without zero_b", stays);
    bool behind = same(7, MOST + 1), before = same(-1, 0);
    fill();
    transfer_b_to_x<true>(start, 7);
    for (int i = 0; i < 7; i++) moved_too = moved_too && x(i) == 1.5f + i, zero = zero && b(i) == 0;
    ok("b becomes zero with zero_b", zero);
    ok("with zero_b each x gets its b too", moved_too);
    ok("pairs behind the n-th stay", behind && same(7, MOST + 1));
    ok("what lies before stays", before && same(-1, 0));
    transfer_b_to_x<true>(start, 7);
    bool again = true;
    for (int i = 0; i < 7; i++) again = again && x(i) == 0 && b(i) == 0;
    ok("with zero_b it can be done again", again);

    fill();
    transfer_b_to_x<false>(start, 0);
    transfer_b_to_x<true>(start, 0);
    ok("no pair is no work", same(-1, MOST + 1));
    transfer_b_to_x<false>(start, 1);
    bool single = x(0) == 1.5f && b(0) == 1.5f && same(1, MOST + 1);
    fill();
    transfer_b_to_x<true>(start, 1);
    ok("a single pair is done", single && x(0) == 1.5f && b(0) == 0 && same(1, MOST + 1) && same(-1, 0));
    fill();
    for (int i = 0; i < MOST; i++) x(i) = NAN;
    transfer_b_to_x<false>(start, MOST);
    bool never = true;
    for (int i = 0; i < MOST; i++) never = never && x(i) == 1.5f + i && b(i) == 1.5f + i;
    for (int i = 0; i < MOST; i++) x(i) = NAN;
    transfer_b_to_x<true>(start, MOST);
    for (int i = 0; i < MOST; i++) never = never && x(i) == 1.5f + i && b(i) == 0;
    ok("what x held does not matter", never && same(MOST, MOST + 1));
    const dReal some[] = {-3.25f, 1e30f, -1e-30f, 0, dInfinity, -dInfinity};
    bool kept = true;
    for (int i = 0; i < 6; i++) b(i) = some[i];
    transfer_b_to_x<false>(start, 6);
    for (int i = 0; i < 6; i++) kept = kept && x(i) == some[i] && b(i) == some[i];
    transfer_b_to_x<true>(start, 6);
    for (int i = 0; i < 6; i++) kept = kept && x(i) == some[i] && b(i) == 0;
    ok("signs and sizes are kept", kept);
    plan();
    return 0;
}
