/*---
 * tasks: [bn_mul_part_recursive-2b09d3.16]
 * tests:
 *   each bit can be set: 'BN_set_bit.pod: "sets bit n in a to 1".'
 *   a number grows with zeros between: 'BN_set_bit.pod: a|=(1<<n); "The number is expanded if necessary."'
 *   other bits and the sign stay: 'BN_set_bit.pod: a|=(1<<n).'
 *   a bit that is set stays: 'BN_set_bit.pod: a|=(1<<n).'
 *   a negative place is refused: 'BN_set_bit.pod: "1 for success, 0 on error"; BN_clear_bit, n < 0.'
 *   where there is no memory it is refused and the number stays: 'BN_set_bit.pod: "0 on error"; bn_wexpand gives NULL.'
 *   nothing is leaked or freed twice: 'BN_set_bit.pod: "The number is expanded if necessary".'
 ---*/
#include "pa_bignum.h"

static int each(void)
{
    int i, j, ok = 1;

    for (i = 0; i < 200 && ok; i++) {
        BIGNUM *a = BN_new();

        ok = TEST_int_eq(BN_set_bit(a, i), 1) && TEST_int_eq(a->top, i / BN_BITS2 + 1);
        for (j = 0; j < 260 && ok; j++)
            ok = TEST_int_eq(BN_is_bit_set(a, j), i == j);
        BN_free(a);
    }
    return ok;
}

static int grows(void)
{
    BIGNUM *a = BN_new();
    int i, ok = TEST_true(BN_set_word(a, 5));

    bn_wexpand(a, 20);
    for (i = 1; i < 20; i++)
        a->d[i] = BN_MASK2;
    ok = ok && TEST_int_eq(BN_set_bit(a, 9 * BN_BITS2), 1) && TEST_int_eq(a->top, 10)
        && TEST_true(a->d[0] == 5 && a->d[9] == 1);
    for (i = 1; i < 9 && ok; i++)
        ok = TEST_true(a->d[i] == 0);
    ok = ok && TEST_int_eq(BN_set_bit(a, 3000), 1) && TEST_true(a->d[3000 / BN_BITS2] != 0);
    BN_free(a);
    return ok;
}

static int others(void)
{
    BIGNUM *a = NULL, *b = NULL;
    int ok = TEST_true(BN_hex2bn(&a, "-ff00ff00ff00ff00ff"))
        && TEST_true(BN_hex2bn(&b, "-ff00ff00ff00ff01ff"))
        && TEST_int_eq(BN_set_bit(a, 8), 1) && TEST_BN_eq(a, b)
        && TEST_int_eq(BN_is_negative(a), 1);

    BN_free(a);
    BN_free(b);
    return ok;
}

static int again(void)
{
    BIGNUM *a = BN_new();
    int ok = TEST_int_eq(BN_set_bit(a, 70), 1) && TEST_int_eq(BN_set_bit(a, 70), 1)
        && TEST_int_eq(BN_is_bit_set(a, 70), 1) && TEST_int_eq(BN_is_bit_set(a, 71), 0);

    BN_free(a);
    return ok;
}

static int negative(void)
{
    BIGNUM *a = BN_new();
    int ok = TEST_true(BN_set_word(a, 5)) && TEST_int_eq(BN_set_bit(a, -1), 0)
        && TEST_int_eq(BN_set_bit(a, -64), 0) && TEST_true(BN_is_word(a, 5));

    BN_free(a);
    return ok;
}

static int no_memory(void)
{
    static const BN_ULONG words[] = {5, 6};
    BIGNUM *a = plus_number(words, 2, 2, 1);
    BN_ULONG own[2] = {5, 6};
    BIGNUM fixed = {own, 2, 2, 0, BN_FLG_STATIC_DATA};
    int i, ok = 1;

    for (i = 0; i < 2 && ok; i++) {
        plus_refuse(i);
        ok = TEST_int_eq(BN_set_bit(a, 2 * BN_BITS2), 0);
        plus_refuse(-1);
        ok = ok && plus_is(a, words, 2, 1);
    }
    ok = ok && TEST_int_eq(BN_set_bit(a, INT_MAX), 0) && plus_is(a, words, 2, 1)
        && TEST_int_eq(BN_set_bit(&fixed, 2 * BN_BITS2), 0) && plus_is(&fixed, words, 2, 0);
    /* No memory is wanted where there is room. */
    plus_refuse(0);
    ok = ok && TEST_int_eq(BN_set_bit(a, 2 * BN_BITS2 - 1), 1);
    plus_refuse(-1);
    ok = ok && TEST_int_eq(BN_set_bit(a, 2 * BN_BITS2), 1) && TEST_int_eq(a->top, 3);
    BN_free(a);
    ERR_clear_error();
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int no_leak(void)
{
    long blocks = memory_blocks;

    return each() && grows() && again() && TEST_long_eq(memory_blocks, blocks)
        && TEST_long_eq(memory_bad_frees, 0);
}

int setup_tests(void)
{
    add_test("each bit can be set", each);
    add_test("a number grows with zeros between", grows);
    add_test("other bits and the sign stay", others);
    add_test("a bit that is set stays", again);
    add_test("a negative place is refused", negative);
    add_test("where there is no memory it is refused and the number stays", no_memory);
    add_test("nothing is leaked or freed twice", no_leak);
    return 1;
}
