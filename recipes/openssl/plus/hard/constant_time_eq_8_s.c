/*---
 * tasks: [PKCS1_MGF1-051f70.16]
 * tests:
 *   equal numbers give a mask of eight ones:
 *     'Sibling with unsigned int: "0xff..f if a == b"; an 8-bit mask.'
 *   unequal numbers give zero: 'Comment in constant_time.h: "and 0 otherwise".'
 *   the edges are told apart: 'Signature: size_t a, size_t b; all their bits count.'
 *   one bit anywhere counts: 'Signature: size_t a, size_t b.'
 *   any two numbers are compared:
 *     'Comment in constant_time.h: "0xff..f if a == b and 0 otherwise".'
 *   the arguments are taken once: 'Signature: a function, no macro.'
 ---*/
#include "pc_masks.h"
#include "../testutil.h"

/* Is the mask right, both ways round? */
static int right(size_t a, size_t b)
{
    return TEST_size_t_eq(constant_time_eq_8_s(a, b), a == b ? 0xff : 0)
        && TEST_size_t_eq(constant_time_eq_8_s(b, a), b == a ? 0xff : 0);
}

static int yes(void)
{
    return TEST_size_t_eq(constant_time_eq_8_s(0, 0), 0xff)
        && TEST_size_t_eq(constant_time_eq_8_s(1, 1), 0xff)
        && TEST_size_t_eq(constant_time_eq_8_s(0x100, 0x100), 0xff)
        && TEST_size_t_eq(constant_time_eq_8_s(0x80000000, 0x80000000), 0xff)
        && TEST_size_t_eq(constant_time_eq_8_s(SIZE_MAX, SIZE_MAX), 0xff);
}

static int no(void)
{
    return TEST_size_t_eq(constant_time_eq_8_s(0, 1), 0)
        && TEST_size_t_eq(constant_time_eq_8_s(1, 0), 0)
        && TEST_size_t_eq(constant_time_eq_8_s(0, SIZE_MAX), 0)
        && TEST_size_t_eq(constant_time_eq_8_s(0x1ff, 0xff), 0)
        && TEST_size_t_eq(constant_time_eq_8_s(0x80000000, 0), 0)
        && TEST_size_t_eq(constant_time_eq_8_s(0x80000000, 0x7fffffff), 0)
        && TEST_size_t_eq(constant_time_eq_8_s((size_t)1 << 32, 0), 0);
}

static int edges(void)
{
    int i, j;

    for (i = 0; i < PLUS_SIZES; i++)
        for (j = 0; j < PLUS_SIZES; j++)
            if (!right(plus_size(i), plus_size(j)))
                return 0;
    return 1;
}

static int one_bit(void)
{
    size_t bit, value;
    int i;

    for (i = 0; i < 50; i++) {
        value = (size_t)plus_any();
        for (bit = 1; bit != 0; bit <<= 1)
            if (!right(value, value ^ bit) || !right(value, value) || !right(0, bit)
                    || !right(bit, bit - 1))
                return 0;
    }
    return 1;
}

static int any_two(void)
{
    int i;

    for (i = 0; i < 5000; i++) {
        size_t a = (size_t)plus_any(), b = (size_t)plus_any();

        if (!right(a, b) || !right(a, a) || !right(a & 0xff, b & 0xff) || !right(a, a + 1)
                || !right(a & 0xff, a & 0x1ff))
            return 0;
    }
    return 1;
}

static int once(void)
{
    size_t a = 5, b = 5;

    return TEST_size_t_eq(constant_time_eq_8_s(a++, b++), 0xff) && TEST_size_t_eq(a, 6)
        && TEST_size_t_eq(b, 6)
        && TEST_size_t_eq(sizeof(constant_time_eq_8_s(a, b)), sizeof(unsigned char));
}

int setup_tests(void)
{
    add_test("equal numbers give a mask of eight ones", yes);
    add_test("unequal numbers give zero", no);
    add_test("the edges are told apart", edges);
    add_test("one bit anywhere counts", one_bit);
    add_test("any two numbers are compared", any_two);
    add_test("the arguments are taken once", once);
    return 1;
}
