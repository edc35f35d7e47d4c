/*---
 * tasks: [bn_mul_part_recursive-2b09d3.16]
 * tests:
 *   bytes go from the highest to the lowest: 'BN_bn2bin.pod: "positive integer in big-endian form".'
 *   little-endian goes the other way: 'BN_bn2bin.pod: "except the buffer is in little-endian format".'
 *   without a sign all bits count: 'BN_bn2bin.pod: BN_bin2bn, "converts the positive integer".'
 *   leading zeros do not count:
 *     'BN_bn2bin.pod: "padded with zeros if necessary"; bn_local.h: no zero word at the top.'
 *   with a sign the highest bit decides: 'BN_bn2bin.pod: "in big-endian signed 2''s complement form".'
 *   extended signs do not count:
 *     'BN_bn2bin.pod, BN_signed_bn2bin: "signed extended (padded with 0x00 for positive numbers or
 *     with 0xff for negative numbers)"; bn_local.h: no zero word at the top.'
 *   ones and no more give -1:
 *     'BN_bn2bin.pod: "signed 2''s complement form", in which -1 is ones alone; "with 0xff for
 *     negative numbers".'
 *   a complement can need one more byte:
 *     'BN_bn2bin.pod: "signed 2''s complement form", in which ff 00 is -256, and its amount has a
 *     byte more than follow the sign.'
 *   no bytes give zero:
 *     'BN_bn2bin.pod: "BN_num_bytes(a) bytes" are none for zero, and are read back; bntest.c:
 *     test_bin2zero, NULL and 0.'
 *   a negative length is refused:
 *     'bntest.c: test_bin2bn_lengths, -1 gives NULL; BN_bn2bin.pod: "NULL on error".'
 *   a number is made where there is none: 'BN_bn2bin.pod: "If ret is NULL, a new BIGNUM is created".'
 *   what the number was before is gone: 'BN_bn2bin.pod: "places it in ret".'
 *   no byte beyond either end is read: 'len; the buffer may end there.'
 *   refused memory gives NULL: 'BN_bn2bin.pod: "BN_bin2bn() returns the BIGNUM, NULL on error".'
 *   nothing is leaked or freed twice: 'BN_bn2bin.pod: ret is of the caller; "a new BIGNUM is created".'
 ---*/
#include "../../crypto/bn/bn_lib.c"
#include "pa_bignum.h"
#include <unistd.h>
#include <sys/mman.h>
#include <sys/wait.h>

#define MOST 80

/* The words that `length` bytes stand for, the lowest first: their number, and the sign. */
static int expect(const unsigned char *bytes, int length, int is_signed, BN_ULONG *words, int *neg)
{
    int i, carry = 1, top;

    *neg = is_signed && length > 0 && bytes[length - 1] >= 0x80;
    memset(words, 0, (MOST / PLUS_BYTES + 1) * sizeof(*words));
    for (i = 0; i < length; i++) {
        int byte = bytes[i];

        if (*neg) {
            byte = (byte ^ 0xff) + carry;
            carry = byte >> 8;
        }
        words[i / PLUS_BYTES] |= (BN_ULONG)(byte & 0xff) << 8 * (i % PLUS_BYTES);
    }
    for (top = MOST / PLUS_BYTES + 1; top > 0 && words[top - 1] == 0; top--)
        continue;
    return top;
}

/* Is the number right that is read from these bytes, the lowest first? */
static int one_order(const unsigned char *bytes, int length, int is_signed, int little, int made)
{
    BN_ULONG words[MOST / PLUS_BYTES + 1];
    unsigned char in[MOST + 16];
    BIGNUM *ret = made ? BN_new() : NULL, *got;
    int i, neg, ok, top = expect(bytes, length, is_signed, words, &neg);

    memset(in, 0xa9, sizeof(in));
    for (i = 0; i < length; i++)
        in[8 + i] = bytes[little ? i : length - 1 - i];
    got = bin2bn(in + 8, length, ret, little ? LITTLE : BIG, is_signed ? SIGNED : UNSIGNED);
    ok = (made ? TEST_ptr_eq(got, ret) : TEST_ptr(got)) && plus_is(got, words, top, neg);
    if (!ok)
        TEST_info("length %d, signed %d, little %d, made %d", length, is_signed, little, made);
    for (i = 0; i < length && ok; i++)
        ok = TEST_int_eq(in[8 + i], bytes[little ? i : length - 1 - i]);
    BN_free(made ? ret : got);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int reads(const unsigned char *bytes, int length, int is_signed)
{
    return one_order(bytes, length, is_signed, 0, 0) && one_order(bytes, length, is_signed, 0, 1)
        && one_order(bytes, length, is_signed, 1, 0) && one_order(bytes, length, is_signed, 1, 1);
}

static unsigned char bytes[MOST];

static int big(void)
{
    int i;

    for (i = 0; i < MOST; i++)
        bytes[i] = i + 1;
    for (i = 1; i <= MOST; i++)
        if (!one_order(bytes, i, 0, 0, 1))
            return 0;
    return 1;
}

static int little(void)
{
    int i;

    for (i = 0; i < MOST; i++)
        bytes[i] = 3 * i + 1;
    for (i = 1; i <= MOST; i++)
        if (!one_order(bytes, i, 0, 1, 1))
            return 0;
    return 1;
}

static int no_sign(void)
{
    int i;

    for (i = 0; i < MOST; i++)
        bytes[i] = 0xff;
    for (i = 1; i <= 40; i++)
        if (!reads(bytes, i, 0))
            return 0;
    for (i = 0; i < MOST; i++)
        bytes[i] = 0x80 + i;
    for (i = 1; i <= 40; i++)
        if (!reads(bytes, i, 0))
            return 0;
    return 1;
}

static int zeros(void)
{
    int i, j;

    for (i = 0; i <= 18; i++)
        for (j = i; j <= 40; j++) {
            memset(bytes, 0, sizeof(bytes));
            memset(bytes, 0x91, i);
            if (j > 0 && !reads(bytes, j, 0))
                return 0;
            if (j > i && !reads(bytes, j, 1))
                return 0;
        }
    return 1;
}

/* All numbers of two bytes of some kinds, and longer ones. */
static int with_sign(void)
{
    static const unsigned char kinds[] = {0, 1, 0x7f, 0x80, 0x81, 0xfe, 0xff, 0x55};
    int i, length;

    for (length = 1; length <= 4; length++)
        for (i = 0; i < 1 << 3 * length; i++) {
            int j;

            for (j = 0; j < length; j++)
                bytes[j] = kinds[i >> 3 * j & 7];
            if (!one_order(bytes, length, 1, i % 2, i % 3 == 0))
                return 0;
        }
    for (i = 0; i < MOST; i++)
        bytes[i] = 0x83 + 7 * i;
    for (length = 1; length <= MOST; length++)
        if (!reads(bytes, length, 1))
            return 0;
    return 1;
}

static int extended(void)
{
    int i, j;

    for (i = 1; i <= 18; i++)
        for (j = i; j <= 40; j++) {
            memset(bytes, 0xff, sizeof(bytes));
            memset(bytes, 0x91, i);
            if (!reads(bytes, j, 1))
                return 0;
            bytes[i - 1] = 0x11;
            if (j > i && !reads(bytes, j, 1))
                return 0;
        }
    return 1;
}

static int minus_one(void)
{
    int i;

    memset(bytes, 0xff, sizeof(bytes));
    for (i = 1; i <= 40; i++)
        if (!reads(bytes, i, 1))
            return 0;
    return 1;
}

/* Ones before zeros: -256^i. */
static int one_more(void)
{
    int i, j;

    for (i = 1; i <= 33; i++)
        for (j = i + 1; j <= 40; j++) {
            memset(bytes, 0xff, sizeof(bytes));
            memset(bytes, 0, i);
            if (!reads(bytes, j, 1))
                return 0;
            bytes[i - 1] = 0x80;
            if (!reads(bytes, j, 1) || !reads(bytes, i, 1))
                return 0;
        }
    return 1;
}

static int no_bytes(void)
{
    static const BN_ULONG words[] = {7, 8};
    int i, ok = 1;

    for (i = 0; i < 4 && ok; i++) {
        BIGNUM *a = plus_number(words, 2, 3, 1), *got;

        ok = TEST_ptr_eq(bin2bn(i % 2 ? bytes : NULL, 0, a, i / 2 ? LITTLE : BIG,
                                i % 2 ? SIGNED : UNSIGNED), a) && plus_is(a, words, 0, 0)
            && TEST_ptr(got = bin2bn(NULL, 0, NULL, i / 2 ? LITTLE : BIG,
                                     i % 2 ? SIGNED : UNSIGNED))
            && plus_is(got, words, 0, 0);
        if (ok)
            BN_free(got);
        BN_free(a);
    }
    return ok;
}

static int negative_length(void)
{
    static const BN_ULONG words[] = {7, 8};
    BIGNUM *a = plus_number(words, 2, 2, 1);
    long blocks = memory_blocks;
    int ok = TEST_ptr_null(bin2bn(bytes, -1, a, BIG, UNSIGNED))
        && TEST_ptr_null(bin2bn(bytes, -8, a, LITTLE, SIGNED))
        && TEST_ptr_null(bin2bn(bytes, INT_MIN, a, BIG, SIGNED)) && plus_is(a, words, 2, 1)
        && TEST_ptr_null(bin2bn(bytes, -1, NULL, BIG, UNSIGNED))
        && TEST_ptr_null(bin2bn(bytes, -1, NULL, LITTLE, SIGNED))
        && TEST_long_eq(memory_blocks, blocks);

    BN_free(a);
    return ok;
}

static int made(void)
{
    static const BN_ULONG word[] = {0x1234};
    BIGNUM *a, *b;
    int ok;

    a = bin2bn((const unsigned char *)"\x12\x34", 2, NULL, BIG, UNSIGNED);
    b = bin2bn((const unsigned char *)"\x34\x12", 2, NULL, LITTLE, UNSIGNED);
    ok = plus_is(a, word, 1, 0) && plus_is(b, word, 1, 0) && TEST_ptr_ne(a, b)
        && TEST_int_eq(a->flags, BN_FLG_MALLOCED);
    BN_free(a);
    BN_free(b);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int before(void)
{
    static const BN_ULONG words[] = {7, 8, 9}, two[] = {2}, five[] = {5};
    BIGNUM *a = plus_number(words, 3, 4, 1);
    const unsigned char *in = (const unsigned char *)"\0\2", *minus = (const unsigned char *)"\xfb";
    int ok = TEST_ptr_eq(bin2bn(in, 2, a, BIG, UNSIGNED), a) && plus_is(a, two, 1, 0)
        && TEST_ptr_eq(bin2bn(minus, 1, a, BIG, SIGNED), a) && plus_is(a, five, 1, 1)
        && TEST_ptr_eq(bin2bn(in, 2, a, BIG, SIGNED), a) && plus_is(a, two, 1, 0)
        && TEST_ptr_eq(bin2bn(in, 1, a, LITTLE, UNSIGNED), a) && plus_is(a, two, 0, 0);

    memset(bytes, 0x11, sizeof(bytes));
    ok = ok && TEST_ptr_eq(bin2bn(bytes, 75, a, BIG, UNSIGNED), a) && TEST_int_eq(a->top, 10)
        && TEST_true(a->d[0] == 0x1111111111111111 && a->d[9] == 0x111111)
        && TEST_ptr_eq(bin2bn(minus, 1, a, LITTLE, SIGNED), a) && plus_is(a, five, 1, 1);
    BN_free(a);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

/* In a block of its own, whose neighbours are no memory. */
static int no_beyond(void)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    unsigned char *memory = mmap(NULL, 3 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    unsigned char *mid = memory + page;
    int i, length, status = -1;
    pid_t child;

    if (!TEST_true(memory != MAP_FAILED)
            || !TEST_int_eq(mprotect(mid, page, PROT_READ | PROT_WRITE), 0))
        return 0;
    if ((child = fork()) == 0) {
        for (i = 0; i < 3; i++) {
            memset(mid, i == 0 ? 0 : i == 1 ? 0xff : 0x80, page);
            for (length = 0; length <= 40; length++) {
                bin2bn(mid, length, NULL, BIG, UNSIGNED);
                bin2bn(mid, length, NULL, LITTLE, UNSIGNED);
                bin2bn(mid, length, NULL, BIG, SIGNED);
                bin2bn(mid, length, NULL, LITTLE, SIGNED);
                bin2bn(mid + page - length, length, NULL, BIG, UNSIGNED);
                bin2bn(mid + page - length, length, NULL, LITTLE, UNSIGNED);
                bin2bn(mid + page - length, length, NULL, BIG, SIGNED);
                bin2bn(mid + page - length, length, NULL, LITTLE, SIGNED);
            }
        }
        _exit(0);
    }
    waitpid(child, &status, 0);
    munmap(memory, 3 * page);
    return TEST_int_gt(child, 0) && TEST_int_eq(status, 0);
}

static int refused(void)
{
    static const BN_ULONG words[] = {0x1111111111111111, 0x1111111111111111, 0x1111};
    int i, given, failed = 0, ok = 1;

    memset(bytes, 0x11, sizeof(bytes));
    for (given = 0; given < 2; given++)
        for (i = 0; i < 6 && ok; i++) {
            BIGNUM *a = NULL, *got;
            long blocks;

            ERR_clear_error();
            OPENSSL_thread_stop();
            blocks = memory_blocks;
            a = given ? BN_new() : NULL;
            plus_refuse(i);
            got = bin2bn(bytes, 18, a, BIG, UNSIGNED);
            plus_refuse(-1);
            failed += got == NULL;
            ok = got == NULL || plus_is(got, words, 3, 0);
            if (got != a)
                BN_free(got);
            BN_free(a);
            ERR_clear_error();
            OPENSSL_thread_stop();
            ok = ok && (given + i == 0 || TEST_long_eq(memory_blocks, blocks));
        }
    return ok && TEST_int_ge(failed, 4) && TEST_long_eq(memory_bad_frees, 0);
}

static int no_leak(void)
{
    long blocks;

    memset(bytes, 0x81, sizeof(bytes));
    if (!reads(bytes, 20, 0) || !refused())
        return 0;
    OPENSSL_thread_stop();
    blocks = memory_blocks;
    if (!reads(bytes, 20, 0) || !reads(bytes, 20, 1) || !reads(bytes, 0, 0) || !no_bytes()
            || !negative_length() || !before() || !refused())
        return 0;
    OPENSSL_thread_stop();
    return TEST_long_eq(memory_blocks, blocks) && TEST_long_eq(memory_bad_frees, 0);
}

int setup_tests(void)
{
    add_test("bytes go from the highest to the lowest", big);
    add_test("little-endian goes the other way", little);
    add_test("without a sign all bits count", no_sign);
    add_test("leading zeros do not count", zeros);
    add_test("with a sign the highest bit decides", with_sign);
    add_test("extended signs do not count", extended);
    add_test("ones and no more give -1", minus_one);
    add_test("a complement can need one more byte", one_more);
    add_test("no bytes give zero", no_bytes);
    add_test("a negative length is refused", negative_length);
    add_test("a number is made where there is none", made);
    add_test("what the number was before is gone", before);
    add_test("no byte beyond either end is read", no_beyond);
    add_test("refused memory gives NULL", refused);
    add_test("nothing is leaked or freed twice", no_leak);
    return 1;
}
