/*---
 * tasks: [bn_mul_part_recursive-2b09d3.16, bn_mul_part_recursive-2b09d3.4, bn_mul_part_recursive-2b09d3.8]
 * tests:
 *   the product of any two lengths: 'bn_local.h: bn_mul_normal(r, a, na, b, nb); bn_mul_fixed_top, any al and bl.'
 *   carries go to the end: 'Arithmetic: (B^m-1)(B^k-1).'
 *   no words give zero: 'bn_mul_part_recursive: tna or tnb 0; r is then added, as na + nb words.'
 *   the operands stay: 'bn_mul_fixed_top: the words of const BIGNUMs.'
 *   just na + nb words are written: 'bn_mul_fixed_top expands r to al + bl words.'
 ---*/
#include "pa_words.h"

static BN_ULONG a[80], b[80], r[200], right[200], keep_a[80], keep_b[80];

static int multiplies(int na, int nb, int kind_a, int kind_b)
{
    words_guard(r, 200);
    words_guard(a, 80);
    words_guard(b, 80);
    words_fill(a, na, na / 2, kind_a);
    words_fill(b, nb, nb / 2, kind_b);
    memcpy(keep_a, a, sizeof(a));
    memcpy(keep_b, b, sizeof(b));
    words_mul(right, a, na, b, nb);
    bn_mul_normal(r, a, na, b, nb);
    if (memcmp(r, right, (na + nb) * sizeof(*r)) != 0)
        return TEST_error("na %d, nb %d, kinds %d, %d", na, nb, kind_a, kind_b), 0;
    return TEST_true(memcmp(a, keep_a, sizeof(a)) == 0)
        && TEST_true(memcmp(b, keep_b, sizeof(b)) == 0)
        && words_guarded(r + na + nb, 200 - na - nb);
}

static int any(void)
{
    int na, nb, kind;

    for (na = 1; na <= 18; na++)
        for (nb = 1; nb <= 18; nb++)
            for (kind = 0; kind < WORDS_KINDS; kind++)
                if (!multiplies(na, nb, kind, 0) || !multiplies(na, nb, 0, kind))
                    return 0;
    return 1;
}

static int carries(void)
{
    int n;

    for (n = 1; n <= 70; n++)
        if (!multiplies(n, 70 - n + 1, 1, 1) || !multiplies(n, n, 1, 1))
            return 0;
    return 1;
}

static int none(void)
{
    return multiplies(5, 0, 1, 0) && multiplies(0, 5, 0, 1) && multiplies(1, 0, 1, 0);
}

static int operands(void)
{
    return multiplies(3, 7, 0, 0) && multiplies(7, 3, 0, 0) && multiplies(12, 12, 1, 0);
}

static int just(void)
{
    return multiplies(1, 1, 1, 1) && multiplies(4, 1, 1, 1) && multiplies(1, 4, 1, 1)
        && multiplies(9, 5, 1, 1) && multiplies(8, 8, 0, 0);
}

int setup_tests(void)
{
    add_test("the product of any two lengths", any);
    add_test("carries go to the end", carries);
    add_test("no words give zero", none);
    add_test("the operands stay", operands);
    add_test("just na + nb words are written", just);
    return 1;
}
