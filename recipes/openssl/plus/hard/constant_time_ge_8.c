/*---
 * tasks: [PKCS1_MGF1-051f70.16]
 * tests:
 *   the larger and the same give a mask of eight ones:
 *     'Comments in constant_time.h: "Returns 0xff..f if a >= b"; "for getting an 8-bit mask".'
 *   a smaller number gives zero: 'Comment in constant_time.h: "and 0 otherwise".'
 *   the edges are told apart: 'Signature: unsigned int a, unsigned int b; all their bits count.'
 *   one bit anywhere counts: 'Signature: unsigned int a, unsigned int b.'
 *   any two numbers are compared:
 *     'Comment in constant_time.h: "0xff..f if a >= b and 0 otherwise".'
 *   the arguments are taken once: 'Signature: a function, no macro.'
 ---*/
#include "pc_masks.h"
#include "../testutil.h"

/* Is the mask right, both ways round? */
static int right(unsigned int a, unsigned int b)
{
    return TEST_uint_eq(constant_time_ge_8(a, b), a >= b ? 0xff : 0)
        && TEST_uint_eq(constant_time_ge_8(b, a), b >= a ? 0xff : 0);
}

static int yes(void)
{
    return TEST_uint_eq(constant_time_ge_8(0, 0), 0xff)
        && TEST_uint_eq(constant_time_ge_8(1, 0), 0xff)
        && TEST_uint_eq(constant_time_ge_8(2, 1), 0xff)
        && TEST_uint_eq(constant_time_ge_8(7, 7), 0xff)
        && TEST_uint_eq(constant_time_ge_8(0x80000000, 0x7fffffff), 0xff)
        && TEST_uint_eq(constant_time_ge_8(~0u, 0), 0xff)
        && TEST_uint_eq(constant_time_ge_8(~0u, ~0u), 0xff)
        && TEST_uint_eq(constant_time_ge_8(0x100, 0xff), 0xff);
}

static int no(void)
{
    return TEST_uint_eq(constant_time_ge_8(0, 1), 0)
        && TEST_uint_eq(constant_time_ge_8(1, 2), 0)
        && TEST_uint_eq(constant_time_ge_8(0, ~0u), 0)
        && TEST_uint_eq(constant_time_ge_8(0x7fffffff, 0x80000000), 0)
        && TEST_uint_eq(constant_time_ge_8(0xff, 0x100), 0)
        && TEST_uint_eq(constant_time_ge_8(~0u - 1, ~0u), 0);
}

static int edges(void)
{
    int i, j;

    for (i = 0; i < PLUS_WORDS; i++)
        for (j = 0; j < PLUS_WORDS; j++)
            if (!right(plus_words[i], plus_words[j]))
                return 0;
    return 1;
}

static int one_bit(void)
{
    unsigned int bit, value;
    int i;

    for (i = 0; i < 50; i++) {
        value = (unsigned int)plus_any();
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
        unsigned int a = (unsigned int)plus_any(), b = (unsigned int)plus_any();

        if (!right(a, b) || !right(a, a) || !right(a & 0xff, b & 0xff) || !right(a, a + 1)
                || !right(a & 0xff, a & 0x1ff))
            return 0;
    }
    return 1;
}

static int once(void)
{
    unsigned int a = 5, b = 5;

    return TEST_uint_eq(constant_time_ge_8(a++, b++), 0xff) && TEST_uint_eq(a, 6)
        && TEST_uint_eq(b, 6)
        && TEST_size_t_eq(sizeof(constant_time_ge_8(a, b)), sizeof(unsigned char));
}

int setup_tests(void)
{
    add_test("the larger and the same give a mask of eight ones", yes);
    add_test("a smaller number gives zero", no);
    add_test("the edges are told apart", edges);
    add_test("one bit anywhere counts", one_bit);
    add_test("any two numbers are compared", any_two);
    add_test("the arguments are taken once", once);
    return 1;
}
