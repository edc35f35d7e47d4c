/*---
 * tasks: [bn_mul_part_recursive-2b09d3.16, bn_mul_part_recursive-2b09d3.4, bn_mul_part_recursive-2b09d3.8]
 * tests:
 *   equal lengths are subtracted: 'Comment: "cl, which is the common length"; dl 0.'
 *   a longer first operand: 'Comment: "dl, which is the delta ... len(a)-len(b)".'
 *   a longer second operand: 'Comment: "dl ... len(a)-len(b)"; bn_mul_recursive gives dl below 0.'
 *   no common words: 'Comment: cl "basically, min(len(a),len(b))", which can be 0 (tna 0).'
 *   the borrow is given back: 'Comment: "specialised variants of bn_add_words() and bn_sub_words()".'
 *   a borrow goes through zeros and ends: 'Arithmetic: B^k - 1, and B^k less a small number.'
 *   just cl + |dl| words are written: 'Comment: "the result array ... must have the length cl+abs(dl)".'
 *   the operands stay: 'const BN_ULONG *a, const BN_ULONG *b.'
 ---*/
#include "pa_words.h"

#define MOST 40

static BN_ULONG a[MOST], b[MOST], r[MOST], right[MOST], keep_a[MOST], keep_b[MOST];

/* Subtracts what stands in a and b. */
static int subtracts_these(int cl, int dl)
{
    int i, na = cl + (dl > 0 ? dl : 0), nb = cl - (dl < 0 ? dl : 0), n = na > nb ? na : nb;
    BN_ULONG borrow = 0;

    for (i = 0; i < n; i++) {
        unsigned __int128 x = i < na ? a[i] : 0, y = i < nb ? b[i] : 0;

        right[i] = (BN_ULONG)(x - y - borrow);
        borrow = x < y + borrow;
    }
    words_guard(r, MOST);
    words_guard(a + na, MOST - na);
    words_guard(b + nb, MOST - nb);
    memcpy(keep_a, a, sizeof(a));
    memcpy(keep_b, b, sizeof(b));
    if (!TEST_true(bn_sub_part_words(r, a, b, cl, dl) == borrow)
            || !TEST_true(memcmp(r, right, n * sizeof(*r)) == 0))
        return TEST_error("cl %d, dl %d", cl, dl), 0;
    return TEST_true(memcmp(a, keep_a, sizeof(a)) == 0)
        && TEST_true(memcmp(b, keep_b, sizeof(b)) == 0) && words_guarded(r + n, MOST - n);
}

static int subtracts(int cl, int dl, int kind_a, int kind_b)
{
    int na = cl + (dl > 0 ? dl : 0), nb = cl - (dl < 0 ? dl : 0);

    words_fill(a, na, cl, kind_a);
    words_fill(b, nb, cl, kind_b);
    return subtracts_these(cl, dl);
}

static int all(int cl, int dl)
{
    int i;

    for (i = 0; i < WORDS_KINDS * WORDS_KINDS; i++)
        if (!subtracts(cl, dl, i / WORDS_KINDS, i % WORDS_KINDS))
            return 0;
    return 1;
}

static int equal(void)
{
    int cl;

    for (cl = 1; cl <= 14; cl++)
        if (!all(cl, 0))
            return 0;
    return 1;
}

static int first(void)
{
    int cl, dl;

    for (cl = 1; cl <= 9; cl++)
        for (dl = 1; dl <= 14; dl++)
            if (!all(cl, dl))
                return 0;
    return 1;
}

static int second(void)
{
    int cl, dl;

    for (cl = 1; cl <= 9; cl++)
        for (dl = 1; dl <= 14; dl++)
            if (!all(cl, -dl))
                return 0;
    return 1;
}

static int no_common(void)
{
    int dl;

    for (dl = 1; dl <= 14; dl++)
        if (!all(0, dl) || !all(0, -dl))
            return 0;
    return 1;
}

static int borrow(void)
{
    int dl, i;

    for (dl = 0; dl <= 10; dl++)
        for (i = 0; i < 3 + dl; i++) {
            /* Less by one in word i: a borrow. The same number: none. */
            memset(a, 0, sizeof(a));
            memset(b, 0, sizeof(b));
            a[i] = 6;
            b[i] = 7;
            if (!subtracts_these(3, 0) || !subtracts_these(3, -dl))
                return 0;
            a[i] = b[i] = 7;
            if (!subtracts_these(3, -dl) || !subtracts_these(3, dl))
                return 0;
        }
    return 1;
}

static int zeros(void)
{
    int dl, i;

    for (dl = 1; dl <= 14; dl++)
        for (i = 0; i < 3 + dl; i++) {
            memset(a, 0, sizeof(a));
            memset(b, 0, sizeof(b));
            a[i] = 1;
            b[0] = 2;
            if (!subtracts_these(3, dl))
                return 0;
            /* The second operand: ones, then a word that is 0. */
            memset(b, 0xff, sizeof(b));
            b[i] = 0;
            if (!subtracts_these(3, -dl))
                return 0;
            memset(a, 0, sizeof(a));
            memset(b, 0, sizeof(b));
            b[i] = 1;
            if (!subtracts_these(3, -dl))
                return 0;
        }
    return 1;
}

static int just(void)
{
    return subtracts(5, 0, 0, 1) && subtracts(5, 3, 2, 1) && subtracts(5, 7, 1, 2)
        && subtracts(5, -3, 2, 1) && subtracts(5, -7, 1, 2) && subtracts(1, 1, 0, 0)
        && subtracts(1, -1, 0, 0);
}

static int operands(void)
{
    return subtracts(4, 4, 0, 0) && subtracts(4, -4, 0, 0) && subtracts(4, 0, 0, 0);
}

int setup_tests(void)
{
    add_test("equal lengths are subtracted", equal);
    add_test("a longer first operand", first);
    add_test("a longer second operand", second);
    add_test("no common words", no_common);
    add_test("the borrow is given back", borrow);
    add_test("a borrow goes through zeros and ends", zeros);
    add_test("just cl + |dl| words are written", just);
    add_test("the operands stay", operands);
    return 1;
}
