/*---
 * tasks: [bn_mul_part_recursive-2b09d3.16, bn_mul_part_recursive-2b09d3.8]
 * tests:
 *   the bytes go from the highest to the lowest: 'BN_bn2bin.pod: "into big-endian form".'
 *   little-endian goes the other way: 'BN_bn2bin.pod: "except the buffer is in little-endian format".'
 *   a length of -1 takes what is needed: 'bn_lib.c: BN_bn2bin, -1; BN_bn2bin.pod: BN_num_bytes(a) bytes.'
 *   more room is padded with zeros: 'BN_bn2bin.pod: "The result is padded with zeros if necessary".'
 *   too little room is refused: 'BN_bn2bin.pod: "-1 if the supplied buffer is too small".'
 *   without a sign it is the absolute value: 'BN_bn2bin.pod: "converts the absolute value of a".'
 *   zero has no bytes, or zeros: 'BN_bn2bin.pod: BN_num_bytes(a), padded with zeros.'
 *   a positive number keeps room for its sign: 'BN_bn2bin.pod: "which may be BN_num_bytes(a) + 1".'
 *   a negative number is the complement: 'BN_bn2bin.pod: "big-endian signed 2''s complements form".'
 *   signs are extended: 'BN_bn2bin.pod: "padded with 0x00 for positive numbers or with 0xff for negative numbers".'
 *   the carry goes through all zeros: 'Arithmetic: the complement of 256^k.'
 *   signed numbers of too little room are refused: 'BN_bn2bin.pod: "If tolen is smaller than the necessary size".'
 *   words beyond the top are not given away: 'Comment: "don''t give away padded zero"; bn_local.h: top.'
 *   zero words at the top need no room: 'Comment: "In case |a| is fixed-top ..."; BN_bn2bin.pod: BN_num_bytes.'
 *   nothing beyond the words that are there is read: 'Comment: "stay on last limb"; bn_local.h: dmax.'
 ---*/
#include "../../crypto/bn/bn_lib.c"
#include "pa_bignum.h"
#include <unistd.h>
#include <sys/mman.h>
#include <sys/wait.h>

#define MOST 120

static unsigned char out[MOST + 20], right[MOST + 20];

/* `length` bytes of the number, from the lowest: of the complement, if it is negative. */
static void expect(const BN_ULONG *words, int top, int neg, int length, int little)
{
    int i, carry = neg;

    for (i = 0; i < length; i++) {
        int byte = i < top * PLUS_BYTES ? words[i / PLUS_BYTES] >> 8 * (i % PLUS_BYTES) & 0xff : 0;

        if (neg) {
            byte = (byte ^ 0xff) + carry;
            carry = byte >> 8;
        }
        right[little ? i : length - 1 - i] = byte;
    }
    memset(right + length, 0x77, sizeof(right) - length);
}

/* Does it give so many bytes, in one order? */
static int one_order(const BN_ULONG *words, int top, int room, int neg, int is_signed, int tolen,
                     int length, int little)
{
    BIGNUM *a = plus_number(words, top, room, neg);
    int ok;

    memset(out, 0x77, sizeof(out));
    expect(words, top, neg && is_signed, length, little);
    ok = TEST_int_eq(bn2binpad(a, out + 8, tolen, little ? LITTLE : BIG,
                               is_signed ? SIGNED : UNSIGNED), length)
        && TEST_mem_eq(out + 8, length + 8, right, length + 8)
        && TEST_mem_eq(out, 8, right + length, 8)
        && plus_is(a, words, top, neg) && TEST_int_eq(a->dmax, room);
    BN_free(a);
    return ok;
}

static int gives(const BN_ULONG *words, int top, int room, int neg, int is_signed, int tolen,
                 int length)
{
    return one_order(words, top, room, neg, is_signed, tolen, length, 0)
        && one_order(words, top, room, neg, is_signed, tolen, length, 1);
}

static int refuses(const BN_ULONG *words, int top, int room, int neg, int is_signed, int tolen)
{
    BIGNUM *a = plus_number(words, top, room, neg);
    int little, ok = 1;

    memset(right, 0x77, sizeof(right));
    for (little = 0; little < 2 && ok; little++) {
        memset(out, 0x77, sizeof(out));
        ok = TEST_int_eq(bn2binpad(a, out + 8, tolen, little ? LITTLE : BIG,
                                   is_signed ? SIGNED : UNSIGNED), -1)
            && TEST_mem_eq(out, 8, right, 8) && TEST_mem_eq(out + 8 + tolen, 20, right, 20);
    }
    BN_free(a);
    return ok;
}

static const BN_ULONG digits[] = {0x0807060504030201, 0x100f0e0d0c0b0a09, 0x1817161514131211};
static const BN_ULONG ones[] = {BN_MASK2, BN_MASK2, BN_MASK2, BN_MASK2};
static const BN_ULONG powers[] = {0, 0, 0, 1};

static int big(void)
{
    int top;

    for (top = 1; top <= 3; top++)
        if (!one_order(digits, top, 3, 0, 0, 8 * top, 8 * top, 0))
            return 0;
    return one_order(ones, 4, 4, 0, 0, 32, 32, 0) && one_order(powers, 4, 4, 0, 0, 25, 25, 0);
}

static int little(void)
{
    int top;

    for (top = 1; top <= 3; top++)
        if (!one_order(digits, top, 3, 0, 0, 8 * top, 8 * top, 1)
                || !one_order(digits, top, 3, 0, 0, 8 * top + 5, 8 * top + 5, 1))
            return 0;
    return one_order(ones, 4, 4, 0, 0, 32, 32, 1) && one_order(powers, 4, 4, 0, 0, 25, 25, 1);
}

/* Numbers of every length in bits. */
static int needed(void)
{
    BN_ULONG words[3];
    int i;

    for (i = 0; i < 3 * BN_BITS2; i++) {
        int top = i / BN_BITS2 + 1;

        memcpy(words, digits, sizeof(words));
        words[top - 1] = (BN_ULONG)1 << i % BN_BITS2;
        if (!gives(words, top, 3, 0, 0, -1, i / 8 + 1)
                || !gives(words, top, top, 1, 0, -1, i / 8 + 1)
                || !gives(words, top, 3, 0, 0, i / 8 + 1, i / 8 + 1))
            return 0;
    }
    return 1;
}

static int more(void)
{
    static const BN_ULONG small[] = {0x1234};
    int length;

    for (length = 24; length <= MOST; length++)
        if (!gives(digits, 3, 3, 0, 0, length, length)
                || !gives(digits, 1, 3, 0, 0, length, length))
            return 0;
    for (length = 2; length <= 20; length++)
        if (!gives(small, 1, 1, 0, 0, length, length))
            return 0;
    return 1;
}

static int less(void)
{
    static const BN_ULONG small[] = {0x1ff};
    int length;

    for (length = 0; length < 24; length++)
        if (!refuses(digits, 3, 3, 0, 0, length) || !refuses(ones, 3, 4, 1, 0, length))
            return 0;
    return refuses(small, 1, 1, 0, 0, 1) && refuses(small, 1, 1, 0, 0, 0);
}

static int absolute(void)
{
    static const BN_ULONG byte[] = {0x80};

    return gives(digits, 3, 3, 1, 0, 24, 24) && gives(digits, 2, 3, 1, 0, 30, 30)
        && gives(byte, 1, 1, 1, 0, 1, 1) && gives(byte, 1, 1, 0, 0, 1, 1)
        && gives(ones, 3, 3, 1, 0, -1, 24);
}

static int zero(void)
{
    int is_signed;

    for (is_signed = 0; is_signed < 2; is_signed++)
        if (!gives(digits, 0, 0, 0, is_signed, 5, 5) || !gives(digits, 0, 3, 0, is_signed, 5, 5)
                || !gives(digits, 0, 2, 0, is_signed, 40, 40))
            return 0;
    return gives(digits, 0, 0, 0, 0, -1, 0) && gives(digits, 0, 3, 0, 0, -1, 0)
        && gives(digits, 0, 0, 0, 0, 0, 0) && gives(digits, 0, 3, 0, 0, 0, 0);
}

static int positive(void)
{
    static const BN_ULONG bytes[] = {0x7f}, high[] = {0x80}, top[] = {5, (BN_ULONG)1 << 63};

    return gives(bytes, 1, 1, 0, 1, 1, 1) && gives(high, 1, 1, 0, 1, 2, 2)
        && refuses(high, 1, 1, 0, 1, 1) && gives(ones, 1, 1, 0, 1, 9, 9)
        && refuses(ones, 1, 1, 0, 1, 8) && gives(digits, 2, 2, 0, 1, 16, 16)
        && gives(top, 2, 2, 0, 1, 17, 17) && refuses(top, 2, 2, 0, 1, 16);
}

static int negative(void)
{
    BN_ULONG words[2];
    int i;

    /* With a byte more than the number has. */
    for (i = 1; i <= 512; i++) {
        words[0] = i;
        if (!gives(words, 1, 1, 1, 1, i / 256 + 2, i / 256 + 2))
            return 0;
    }
    words[0] = 0x80;
    if (!gives(words, 1, 1, 1, 1, 1, 1))
        return 0;
    words[0] = 0x8000;
    if (!gives(words, 1, 1, 1, 1, 2, 2))
        return 0;
    words[0] = 0x0123456789abcdef;
    words[1] = 0x0102030405060708;
    return gives(words, 2, 2, 1, 1, 17, 17) && gives(ones, 3, 3, 1, 1, 25, 25)
        && gives(digits, 3, 4, 1, 1, 25, 25);
}

static int extended(void)
{
    static const BN_ULONG small[] = {3};
    int length;

    for (length = 25; length <= 60; length++)
        if (!gives(digits, 3, 3, 0, 1, length, length) || !gives(digits, 3, 3, 1, 1, length, length)
                || !gives(small, 1, 4, 1, 1, length, length)
                || !gives(small, 1, 1, 1, 1, length, length)
                || !gives(small, 1, 1, 0, 1, length, length))
            return 0;
    return 1;
}

static int carry(void)
{
    BN_ULONG words[4];
    int i;

    for (i = 0; i < 24; i++) {
        memset(words, 0, sizeof(words));
        words[i / 8] = (BN_ULONG)1 << 8 * (i % 8);
        if (!gives(words, i / 8 + 1, 4, 1, 1, i + 2, i + 2)
                || !gives(words, i / 8 + 1, 4, 1, 1, i + 30, i + 30))
            return 0;
    }
    return gives(powers, 4, 4, 1, 1, 40, 40);
}

static int signed_less(void)
{
    int length;

    for (length = 0; length < 24; length++)
        if (!refuses(digits, 3, 3, 0, 1, length) || !refuses(digits, 3, 3, 1, 1, length)
                || !refuses(ones, 3, 3, 0, 1, length + 1))
            return 0;
    return 1;
}

static int beyond(void)
{
    int room;

    for (room = 1; room <= 14; room++)
        if (!gives(digits, 1, room, 0, 0, 100, 100) || !gives(digits, 1, room, 0, 0, -1, 8)
                || !gives(digits, 1, room, 0, 0, 9, 9) || !gives(digits, 1, room, 1, 1, 100, 100)
                || !gives(digits, 0, room, 0, 0, 100, 100))
            return 0;
    return 1;
}

static int zero_words(void)
{
    static const BN_ULONG padded[] = {0x0102030405060708, 0x090a, 0, 0};
    int length;

    for (length = 10; length <= 40; length++)
        if (!gives(padded, 4, 4, 0, 0, length, length)
                || !gives(padded, 3, 6, 0, 0, length, length))
            return 0;
    for (length = 0; length < 10; length++)
        if (!refuses(padded, 4, 4, 0, 0, length))
            return 0;
    return gives(padded + 2, 2, 2, 0, 0, 0, 0) && gives(padded + 2, 2, 2, 0, 0, 3, 3);
}

/* With words that end where memory does, in a process of its own: 0 if it ends well. */
static int reads_no_further(void)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *memory = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    int status = -1, length, top;
    pid_t child;

    if (!TEST_true(memory != MAP_FAILED)
            || !TEST_int_eq(mprotect(memory + page, page, PROT_NONE), 0))
        return 0;
    if ((child = fork()) == 0) {
        BIGNUM a = {(BN_ULONG *)(memory + page) - 3, 3, 3, 0, BN_FLG_STATIC_DATA};

        memcpy(a.d, digits, sizeof(digits));
        for (top = 0; top <= 3; top++) {
            a.top = top;
            for (length = top * PLUS_BYTES; length <= MOST; length++)
                if (bn2binpad(&a, out, length, length % 2 ? BIG : LITTLE, UNSIGNED) != length)
                    _exit(1);
        }
        _exit(0);
    }
    waitpid(child, &status, 0);
    munmap(memory, 2 * page);
    return TEST_int_gt(child, 0) && TEST_int_eq(status, 0);
}

int setup_tests(void)
{
    add_test("the bytes go from the highest to the lowest", big);
    add_test("little-endian goes the other way", little);
    add_test("a length of -1 takes what is needed", needed);
    add_test("more room is padded with zeros", more);
    add_test("too little room is refused", less);
    add_test("without a sign it is the absolute value", absolute);
    add_test("zero has no bytes, or zeros", zero);
    add_test("a positive number keeps room for its sign", positive);
    add_test("a negative number is the complement", negative);
    add_test("signs are extended", extended);
    add_test("the carry goes through all zeros", carry);
    add_test("signed numbers of too little room are refused", signed_less);
    add_test("words beyond the top are not given away", beyond);
    add_test("zero words at the top need no room", zero_words);
    add_test("nothing beyond the words that are there is read", reads_no_further);
    return 1;
}
