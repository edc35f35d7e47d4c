/*---
 * tasks: [PKCS1_MGF1-051f70.16]
 * tests:
 *   zero gives a mask of ones:
 *     'constant_time.h, sibling constant_time_is_zero: "0xff..f if a == 0"; returns size_t.'
 *   any other value gives zero: 'Sibling constant_time_is_zero: "and 0 otherwise".'
 *   the upper half counts: 'Signature: size_t a.'
 *   one bit anywhere gives zero: 'Signature: size_t a; sibling constant_time_is_zero.'
 *   an index that underflows is not zero:
 *     'Sibling constant_time_is_zero: "and 0 otherwise"; signature: size_t a, so SIZE_MAX is one
 *     of them.'
 ---*/
#include "pc_masks.h"
#include "../testutil.h"

static int zero(void)
{
    volatile size_t none = 0;

    return TEST_size_t_eq(constant_time_is_zero_s(none), SIZE_MAX)
        && TEST_size_t_eq(constant_time_is_zero_s(0), ~(size_t)0);
}

static int other(void)
{
    size_t value;

    for (value = 1; value < 70000; value++)
        if (!TEST_size_t_eq(constant_time_is_zero_s(value), 0))
            return 0;
    for (value = 0; value < 5000; value++)
        if (!TEST_size_t_eq(constant_time_is_zero_s(plus_any() | 1), 0)
                || !TEST_size_t_eq(constant_time_is_zero_s(plus_any() << 1 | (size_t)2), 0))
            return 0;
    return 1;
}

static int upper(void)
{
    int i;

    for (i = 0; i < PLUS_SIZES; i++)
        if (!TEST_size_t_eq(constant_time_is_zero_s(plus_size(i)),
                            plus_size(i) == 0 ? SIZE_MAX : 0))
            return 0;
    return 1;
}

static int one_bit(void)
{
    size_t low, high;

    for (low = 1; low != 0; low <<= 1)
        for (high = low; high != 0; high <<= 1)
            if (!TEST_size_t_eq(constant_time_is_zero_s(low | high), 0)
                    || !TEST_size_t_eq(constant_time_is_zero_s(0 - low), 0)
                    || !TEST_size_t_eq(constant_time_is_zero_s(~low), 0))
                return 0;
    return 1;
}

static int underflow(void)
{
    size_t index = 2, i;

    for (i = 0; i < 1000; i++, index--)
        if (!TEST_size_t_eq(constant_time_is_zero_s(index), i == 2 ? SIZE_MAX : 0))
            return 0;
    return TEST_size_t_eq(constant_time_is_zero_s(SIZE_MAX), 0)
        && TEST_size_t_eq(constant_time_is_zero_s(SIZE_MAX / 2), 0)
        && TEST_size_t_eq(constant_time_is_zero_s(SIZE_MAX / 2 + 1), 0);
}

int setup_tests(void)
{
    add_test("zero gives a mask of ones", zero);
    add_test("any other value gives zero", other);
    add_test("the upper half counts", upper);
    add_test("one bit anywhere gives zero", one_bit);
    add_test("an index that underflows is not zero", underflow);
    return 1;
}
