/*---
 * tasks: [bn_mul_part_recursive-2b09d3.16, bn_mul_part_recursive-2b09d3.8]
 * tests:
 *   zero has no bits: 'Comment: "if BN_is_zero(a)"; BN_num_bits gives its result.'
 *   the bits of each length: 'BN_num_bytes.pod: "the number of significant bits"; floor(log2)+1.'
 *   words beyond the top do not count: 'Comment: "expand the input a in advance to a public length"; bn_local.h: top.'
 *   lower words do not count: 'BN_num_bytes.pod: significant bits; BN_num_bits without the flag gives the same.'
 *   the sign does not count: 'BN_num_bits: the same with and without BN_FLG_CONSTTIME.'
 *   the number stays: 'const BIGNUM *a.'
 ---*/
#include "../../crypto/bn/bn_lib.c"
#include "pa_bignum.h"

static int bits_are(const BN_ULONG *words, int top, int room, int neg, int bits)
{
    BIGNUM *a = plus_number(words, top, room, neg);
    int ok = TEST_int_eq(bn_num_bits_consttime(a), bits) && plus_is(a, words, top, neg)
        && TEST_int_eq(a->dmax, room);

    BN_free(a);
    return ok;
}

static int zero(void)
{
    static const BN_ULONG none[1];

    return bits_are(none, 0, 0, 0, 0) && bits_are(none, 0, 1, 0, 0) && bits_are(none, 0, 7, 0, 0);
}

static int each(void)
{
    BN_ULONG words[6];
    int top, i;

    for (top = 1; top <= 6; top++)
        for (i = 0; i < BN_BITS2; i++) {
            memset(words, 0, sizeof(words));
            words[top - 1] = (BN_ULONG)1 << i;
            if (!bits_are(words, top, top, 0, (top - 1) * BN_BITS2 + i + 1))
                return 0;
            words[top - 1] |= words[top - 1] - 1;
            if (!bits_are(words, top, top, 0, (top - 1) * BN_BITS2 + i + 1))
                return 0;
        }
    return 1;
}

static int beyond(void)
{
    static const BN_ULONG words[] = {1, 2, 3, 4};
    int top, room;

    for (top = 1; top <= 4; top++)
        for (room = top; room <= 20; room++)
            if (!bits_are(words, top, room, 0,
                          (top - 1) * BN_BITS2 + (top == 1 ? 1 : top == 4 ? 3 : 2)))
                return 0;
    return 1;
}

static int lower(void)
{
    BN_ULONG words[4] = {BN_MASK2, BN_MASK2, BN_MASK2, 1};

    return bits_are(words, 4, 4, 0, 3 * BN_BITS2 + 1) && bits_are(words, 3, 5, 0, 3 * BN_BITS2);
}

static int sign(void)
{
    static const BN_ULONG words[] = {5, 0x432};

    return bits_are(words, 1, 3, 1, 3) && bits_are(words, 2, 2, 1, BN_BITS2 + 11);
}

static int stays(void)
{
    static const BN_ULONG words[] = {5, 6, 0x432};

    return bits_are(words, 3, 3, 1, 2 * BN_BITS2 + 11)
        && bits_are(words, 3, 9, 0, 2 * BN_BITS2 + 11);
}

int setup_tests(void)
{
    add_test("zero has no bits", zero);
    add_test("the bits of each length", each);
    add_test("words beyond the top do not count", beyond);
    add_test("lower words do not count", lower);
    add_test("the sign does not count", sign);
    add_test("the number stays", stays);
    return 1;
}
