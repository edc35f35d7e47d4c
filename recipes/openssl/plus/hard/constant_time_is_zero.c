/*---
 * tasks: [PKCS1_MGF1-051f70.4]
 * tests:
 *   zero gives a mask of ones: 'Comment in constant_time.h: "Returns 0xff..f if a == 0 and 0 otherwise".'
 *   any other value gives zero: 'Comment in constant_time.h: "and 0 otherwise".'
 *   the highest bit counts: 'Signature: unsigned int a.'
 *   the siblings agree with it: 'constant_time_is_zero_8, constant_time_eq, which are made of it, and _is_zero_s.'
 ---*/
#include "internal/e_os.h"
#include "internal/constant_time.h"
#include "../testutil.h"

static int zero(void)
{
    volatile unsigned int none = 0;

    return TEST_uint_eq(constant_time_is_zero(none), ~0u)
        && TEST_uint_eq(constant_time_is_zero(0), ~0u);
}

static int other(void)
{
    unsigned int value, low, high;

    for (value = 1; value < 70000; value++)
        if (!TEST_uint_eq(constant_time_is_zero(value), 0)
                || !TEST_uint_eq(constant_time_is_zero(0u - value), 0))
            return 0;
    for (low = 1; low != 0; low <<= 1)
        for (high = low; high != 0; high <<= 1)
            if (!TEST_uint_eq(constant_time_is_zero(low | high), 0))
                return 0;
    return 1;
}

static int highest(void)
{
    return TEST_uint_eq(constant_time_is_zero(~0u ^ ~0u >> 1), 0)
        && TEST_uint_eq(constant_time_is_zero((~0u ^ ~0u >> 1) + 1), 0)
        && TEST_uint_eq(constant_time_is_zero(~0u >> 1), 0)
        && TEST_uint_eq(constant_time_is_zero(~0u), 0)
        && TEST_uint_eq(constant_time_is_zero(~0u - 1), 0);
}

static int siblings(void)
{
    static const unsigned int values[] = { 0, 1, 2, 0x7f, 0x80, 0xff, 0x100, 0x8000, 0x10000,
        0x7fffffff, 0x80000000, 0xffffffff };
    size_t i, j;

    for (i = 0; i < OSSL_NELEM(values); i++) {
        if (!TEST_uint_eq(constant_time_is_zero_8(values[i]), values[i] == 0 ? 0xff : 0)
                || !TEST_uint_eq(constant_time_is_zero(values[i]),
                                 (unsigned int)constant_time_is_zero_s(values[i])))
            return 0;
        for (j = 0; j < OSSL_NELEM(values); j++)
            if (!TEST_uint_eq(constant_time_eq(values[i], values[j]), i == j ? ~0u : 0))
                return 0;
    }
    return 1;
}

int setup_tests(void)
{
    add_test("zero gives a mask of ones", zero);
    add_test("any other value gives zero", other);
    add_test("the highest bit counts", highest);
    add_test("the siblings agree with it", siblings);
    return 1;
}
