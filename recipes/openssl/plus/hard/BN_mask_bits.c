/*---
 * tasks: [bn_mul_part_recursive-2b09d3.16]
 * tests:
 *   a number is cut to so many bits: 'BN_set_bit.pod: "truncates a to an n bit number".'
 *   the top is right afterwards: 'bn_local.h: no leading zero words (bn_check_top).'
 *   a number that becomes zero has no sign: 'bn_local.h: bn_check_top, top 0 and not neg.'
 *   a shorter number or a negative count is refused: 'BN_set_bit.pod: "An error occurs if a already is shorter than n bits."'
 *   words beyond the top do not make a number longer: 'bn_local.h: top; BN_set_bit.pod: "already is shorter".'
 *   nothing but the number is written: 'bn_local.h: dmax, "Size of the d array".'
 ---*/
#include "pa_bignum.h"

static int cut(void)
{
    int n, j, ok = 1;

    for (n = 0; n < 192 && ok; n++) {
        BIGNUM *a = NULL;

        BN_hex2bn(&a, "ffffffffffffffffffffffffffffffffffffffffffffffff");
        ok = TEST_int_eq(BN_mask_bits(a, n), 1) && TEST_int_eq(BN_num_bits(a), n);
        for (j = 0; j < 192 && ok; j++)
            ok = TEST_int_eq(BN_is_bit_set(a, j), j < n);
        BN_free(a);
    }
    return ok;
}

static int top(void)
{
    BIGNUM *a = NULL;
    int ok;

    BN_hex2bn(&a, "-800000000000000000000000000000000000000000000005");
    ok = TEST_int_eq(BN_mask_bits(a, 190), 1) && TEST_int_eq(a->top, 1)
        && TEST_true(a->d[0] == 5) && TEST_int_eq(BN_is_negative(a), 1);
    BN_free(a);
    return ok;
}

static int no_sign(void)
{
    BIGNUM *a = NULL;
    int ok;

    BN_hex2bn(&a, "-80000000000000000000000000000000");
    ok = TEST_int_eq(BN_mask_bits(a, 100), 1) && TEST_true(BN_is_zero(a))
        && TEST_int_eq(BN_is_negative(a), 0);
    BN_free(a);
    return ok;
}

static int refused(void)
{
    BIGNUM *a = BN_new();
    int ok = TEST_int_eq(BN_mask_bits(a, -1), 0);

    BN_set_word(a, 5);
    ok = ok && TEST_int_eq(BN_mask_bits(a, -1), 0) && TEST_int_eq(BN_mask_bits(a, 1000), 0)
        && TEST_true(BN_is_word(a, 5));
    BN_free(a);
    return ok;
}

static const BN_ULONG words[] = {5, 6, 7};

static int beyond(void)
{
    int top, room, n, ok = 1;

    for (top = 0; top <= 3 && ok; top++)
        for (room = top; room <= 5 && ok; room++)
            for (n = top * BN_BITS2 + 1; n < 6 * BN_BITS2 && ok; n += 9) {
                BIGNUM *a = plus_number(words, top, room, top > 0);

                ok = TEST_int_eq(BN_mask_bits(a, n), 0) && plus_is(a, words, top, top > 0);
                BN_free(a);
            }
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int only_number(void)
{
    int n, ok = 1;

    for (n = 0; n < 2 * BN_BITS2 && ok; n++) {
        BIGNUM *a = plus_number(words, 2, 3, 0);

        ok = TEST_int_eq(BN_mask_bits(a, n), 1) && TEST_int_eq(a->dmax, 3)
            && TEST_int_eq(a->flags, BN_FLG_MALLOCED) && TEST_true(a->d[2] == PLUS_RUBBISH)
            && (a->top == 0 || TEST_true(a->d[a->top - 1] != 0));
        BN_free(a);
    }
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

int setup_tests(void)
{
    add_test("a number is cut to so many bits", cut);
    add_test("the top is right afterwards", top);
    add_test("a number that becomes zero has no sign", no_sign);
    add_test("a shorter number or a negative count is refused", refused);
    add_test("words beyond the top do not make a number longer", beyond);
    add_test("nothing but the number is written", only_number);
    return 1;
}
