/*---
 * tasks: [bn_mul_part_recursive-2b09d3.16, bn_mul_part_recursive-2b09d3.8]
 * tests:
 *   zero has no bits: 'BN_num_bytes.pod: "except for a zero, it returns floor(log2(w))+1".'
 *   powers of two and their neighbours: 'BN_num_bytes.pod: floor(log2(w))+1.'
 *   lower bits do not count: 'BN_num_bytes.pod: "If we take 0x00000432 as an example, it returns 11".'
 ---*/
#include <openssl/bn.h>
#include "../testutil.h"

static int zero(void)
{
    return TEST_int_eq(BN_num_bits_word(0), 0) && TEST_int_eq(BN_num_bits_word(1), 1);
}

static int powers(void)
{
    int i;

    for (i = 0; i < (int)sizeof(BN_ULONG) * 8; i++)
        if (!TEST_int_eq(BN_num_bits_word((BN_ULONG)1 << i), i + 1)
                || !TEST_int_eq(BN_num_bits_word(((BN_ULONG)1 << i) - 1), i))
            return 0;
    return TEST_int_eq(BN_num_bits_word(~(BN_ULONG)0), (int)sizeof(BN_ULONG) * 8);
}

static int lower(void)
{
    int i, j;

    if (!TEST_int_eq(BN_num_bits_word(0x432), 11))
        return 0;
    for (i = 0; i < (int)sizeof(BN_ULONG) * 8; i++)
        for (j = 0; j < i; j++)
            if (!TEST_int_eq(BN_num_bits_word((BN_ULONG)1 << i | (BN_ULONG)1 << j), i + 1))
                return 0;
    return 1;
}

int setup_tests(void)
{
    add_test("zero has no bits", zero);
    add_test("powers of two and their neighbours", powers);
    add_test("lower bits do not count", lower);
    return 1;
}
