/*---
 * tasks: [PKCS1_MGF1-051f70.16, PKCS1_MGF1-051f70.8]
 * tests:
 *   zero gives a mask of eight ones:
 *     'Comments in constant_time.h: "0xff..f if a == 0"; "for getting an 8-bit mask".'
 *   any other value gives zero: 'Comment in constant_time.h: "and 0 otherwise".'
 *   all bits of the value count: 'Signature: unsigned int a.'
 *   one bit anywhere gives zero: 'Signature: unsigned int a; comment: "and 0 otherwise".'
 *   the mask selects: 'Comment of constant_time_select: "as returned by the methods above".'
 ---*/
#include "pc_masks.h"
#include "../testutil.h"

static int zero(void)
{
    volatile unsigned int none = 0;

    return TEST_uint_eq(constant_time_is_zero_8(none), 0xff)
        && TEST_uint_eq(constant_time_is_zero_8(0), 0xff)
        && TEST_size_t_eq(sizeof(constant_time_is_zero_8(none)), 1);
}

static int other(void)
{
    unsigned int value;

    for (value = 1; value < 70000; value++)
        if (!TEST_uint_eq(constant_time_is_zero_8(value), 0)
                || !TEST_uint_eq(constant_time_is_zero_8(0u - value), 0))
            return 0;
    return 1;
}

static int all_bits(void)
{
    int i;

    for (i = 1; i < PLUS_WORDS; i++)
        if (!TEST_uint_eq(constant_time_is_zero_8(plus_words[i]), 0))
            return 0;
    return TEST_uint_eq(constant_time_is_zero_8(0), 0xff);
}

static int one_bit(void)
{
    unsigned int low, high;

    for (low = 1; low != 0; low <<= 1)
        for (high = low; high != 0; high <<= 1)
            if (!TEST_uint_eq(constant_time_is_zero_8(low | high), 0)
                    || !TEST_uint_eq(constant_time_is_zero_8(0u - low), 0)
                    || !TEST_uint_eq(constant_time_is_zero_8(~low), 0))
                return 0;
    return 1;
}

static int selects(void)
{
    return TEST_uint_eq(constant_time_select_8(constant_time_is_zero_8(0), 0xa5, 0x3c), 0xa5)
        && TEST_uint_eq(constant_time_select_8(constant_time_is_zero_8(1), 0xa5, 0x3c), 0x3c)
        && TEST_uint_eq(constant_time_select_8(constant_time_is_zero_8(0x100), 0xa5, 0x3c), 0x3c)
        && TEST_uint_eq(0xff & ~constant_time_is_zero_8(7), 0xff)
        && TEST_uint_eq(0xff & ~constant_time_is_zero_8(0), 0);
}

int setup_tests(void)
{
    add_test("zero gives a mask of eight ones", zero);
    add_test("any other value gives zero", other);
    add_test("all bits of the value count", all_bits);
    add_test("one bit anywhere gives zero", one_bit);
    add_test("the mask selects", selects);
    return 1;
}
