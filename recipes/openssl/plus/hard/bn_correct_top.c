/*---
 * tasks: [bn_mul_part_recursive-2b09d3.16]
 * tests:
 *   upper words that are zero are cut off:
 *     'README.pod: bn_fix_top "reduces a->top to ... the most significant non-zero word plus one".'
 *   zeros between stay: 'bn_local.h: top is "Index of last used d +1".'
 *   a right top stays: 'bn_local.h: bn_check_top.'
 *   nothing but zeros gives zero without a sign: 'bn_local.h: bn_check_top, top 0 and not neg.'
 *   zero without words: 'README.pod: "When a BIGNUM is 0, the d field can be NULL".'
 *   zero with a sign loses it: 'bn_local.h: bn_check_top, top 0 and not neg.'
 *   the sign of another number stays: 'bn_div_fixed_top and others set it before.'
 *   words, room and flags stay: 'Only the top, the sign of zero and BN_FLG_FIXED_TOP are to be corrected.'
 ---*/
#include "pa_bignum.h"

/* The words, of which `top` are in use; which are so afterwards, and with what sign? */
static int corrects(const BN_ULONG *words, int top, int room, int neg, int top2, int neg2)
{
    BIGNUM *a = plus_number(words, top, room, neg);
    BN_ULONG *d = a->d;
    int i, ok;

    a->flags |= BN_FLG_CONSTTIME;
    bn_correct_top(a);
    ok = plus_is(a, words, top2, neg2) && TEST_ptr_eq(a->d, d) && TEST_int_eq(a->dmax, room)
        && TEST_int_eq(a->flags, BN_FLG_MALLOCED | BN_FLG_CONSTTIME);
    for (i = 0; i < room && ok; i++)
        ok = TEST_true(d[i] == (i < top ? words[i] : PLUS_RUBBISH));
    bn_correct_top(a);
    ok = ok && plus_is(a, words, top2, neg2);
    BN_free(a);
    return ok;
}

static const BN_ULONG seven[] = {7, 0, 0, 0, 0, 0, 0, 0};
static const BN_ULONG gaps[] = {0, 5, 0, 0, 9, 0, 0, 0};
static const BN_ULONG full[] = {1, 2, 3, (BN_ULONG)1 << (BN_BITS2 - 1)};

static int cut(void)
{
    int top;

    for (top = 1; top <= 8; top++)
        if (!corrects(seven, top, top, 0, 1, 0) || !corrects(seven, top, 9, 0, 1, 0))
            return 0;
    return 1;
}

static int between(void)
{
    return corrects(gaps, 8, 8, 0, 5, 0) && corrects(gaps, 6, 8, 0, 5, 0)
        && corrects(gaps, 4, 8, 0, 2, 0) && corrects(gaps, 1, 8, 0, 0, 0);
}

static int right(void)
{
    return corrects(full, 4, 4, 0, 4, 0) && corrects(full, 4, 6, 0, 4, 0)
        && corrects(full, 1, 4, 0, 1, 0) && corrects(gaps, 5, 8, 0, 5, 0);
}

static int zeros(void)
{
    int top;

    for (top = 1; top <= 7; top++)
        if (!corrects(seven + 1, top, 7, 0, 0, 0) || !corrects(seven + 1, top, top, 1, 0, 0))
            return 0;
    return 1;
}

static int no_words(void)
{
    return corrects(seven, 0, 0, 0, 0, 0) && corrects(seven, 0, 4, 0, 0, 0);
}

static int signed_zero(void)
{
    return corrects(seven, 0, 0, 1, 0, 0) && corrects(seven, 0, 4, 1, 0, 0);
}

static int sign(void)
{
    return corrects(seven, 8, 8, 1, 1, 1) && corrects(full, 4, 4, 1, 4, 1)
        && corrects(gaps, 8, 8, 1, 5, 1);
}

static int rest(void)
{
    return corrects(gaps, 7, 8, 1, 5, 1) && corrects(full, 2, 9, 0, 2, 0);
}

int setup_tests(void)
{
    add_test("upper words that are zero are cut off", cut);
    add_test("zeros between stay", between);
    add_test("a right top stays", right);
    add_test("nothing but zeros gives zero without a sign", zeros);
    add_test("zero without words", no_words);
    add_test("zero with a sign loses it", signed_zero);
    add_test("the sign of another number stays", sign);
    add_test("words, room and flags stay", rest);
    return 1;
}
