/*---
 * tasks: [bn_mul_part_recursive-2b09d3.16, bn_mul_part_recursive-2b09d3.8]
 * tests:
 *   zero has no bits: 'BN_num_bytes.pod: "except for a zero".'
 *   the bits of each length: 'BN_num_bytes.pod: "the number of significant bits"; floor(log2)+1.'
 *   words beyond the top do not count: 'bn_local.h: top is "Index of last used d +1".'
 *   lower words do not count: 'BN_num_bytes.pod: "the number of significant bits in a BIGNUM".'
 *   the sign does not count: 'BN_num_bytes.pod: BN_num_bytes is the size for BN_bn2bin, "the absolute value".'
 *   the flag for constant time changes no result: 'Comment: BN_FLG_CONSTTIME, which is about time.'
 *   a number without words has no bits: 'README.pod: "When a BIGNUM is 0, the d field can be NULL".'
 *   the number stays: 'const BIGNUM *a.'
 ---*/
#include "pa_bignum.h"

static int bits_are(const BN_ULONG *words, int top, int room, int neg, int bits)
{
    BIGNUM *a = plus_number(words, top, room, neg);
    int ok = TEST_int_eq(BN_num_bits(a), bits);

    a->flags |= BN_FLG_CONSTTIME;
    ok = ok && TEST_int_eq(BN_num_bits(a), bits) && plus_is(a, words, top, neg)
        && TEST_int_eq(a->dmax, room);

    BN_free(a);
    return ok;
}

static int zero(void)
{
    static const BN_ULONG none[1];

    return bits_are(none, 0, 1, 0, 0) && bits_are(none, 0, 7, 0, 0);
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

static int constant_time(void)
{
    static const BN_ULONG words[] = {5, 6, 0x432, 7};
    int top, ok = 1;

    for (top = 0; top <= 4 && ok; top++) {
        BIGNUM *a = plus_number(words, top, 9, 0);
        int bits = BN_num_bits(a);

        BN_set_flags(a, BN_FLG_CONSTTIME);
        ok = TEST_int_eq(BN_num_bits(a), bits)
            && TEST_int_eq(bits, top == 0 ? 0 : (top - 1) * BN_BITS2 + (top == 3 ? 11 : 3));
        BN_free(a);
    }
    return ok;
}

static int stays(void)
{
    static const BN_ULONG words[] = {5, 6, 0x432};

    return bits_are(words, 3, 3, 1, 2 * BN_BITS2 + 11)
        && bits_are(words, 3, 9, 0, 2 * BN_BITS2 + 11);
}

static int no_words(void)
{
    return bits_are(NULL, 0, 0, 0, 0);
}

int setup_tests(void)
{
    add_test("zero has no bits", zero);
    add_test("the bits of each length", each);
    add_test("words beyond the top do not count", beyond);
    add_test("lower words do not count", lower);
    add_test("the sign does not count", sign);
    add_test("the flag for constant time changes no result", constant_time);
    add_test("the number stays", stays);
    add_test("a number without words has no bits", no_words);
    return 1;
}
