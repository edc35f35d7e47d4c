/*---
 * tasks: [PKCS1_MGF1-051f70.16, PKCS1_MGF1-051f70.8]
 * tests:
 *   a message is found, and the input stays:
 *     'RSA_padding_check_xxx(3): "stores the recovered data"; RFC 8017, 7.2.2; const from.'
 *   messages of all lengths are found: 'RFC 8017, 7.2.1: up to k - 11 bytes.'
 *   an empty message has the length 0:
 *     'RFC 8017, 7.2.2: M can be empty; "return the length of the recovered data".'
 *   the padding has 8 bytes at least:
 *     'Comment: "PS must be at least 8 bytes long"; RFC 8017, 7.2.2.'
 *   the first bytes are 0 and 2: 'RFC 8017, 7.2.2: EM = 0x00 || 0x02 || PS || 0x00 || M.'
 *   a padding that does not end is an error: 'Comment: "If we never found a 0-byte".'
 *   the first zero byte ends it: 'RFC 8017, 7.2.2: "PS consisting of nonzero octets".'
 *   a message can lack its leading zeros:
 *     'RSA_padding_check_xxx(3): "the fl bytes at f", "rsa_len" bytes; "Do not remove the
 *     zero-padding".'
 *   a place that is too small is an error:
 *     'RSA_padding_check_xxx(3): "recovered data of at most tlen bytes".'
 *   nothing is written past the message:
 *     'RSA_padding_check_xxx(3): "stores the recovered data", and nothing more; siblings
 *     RSA_padding_check_PKCS1_type_1, RSA_padding_check_X931.'
 *   lengths that cannot be are an error: 'Code of the callers: -1; "-1 on error".'
 *   an error is told and success is silent:
 *     'RSA_padding_check_xxx(3): "Error codes can be obtained by ERR_get_error".'
 *   nothing is leaked and no memory is an error: 'RSA_padding_check_xxx(3): "-1 on error".'
 * flags: ["-fsanitize=kernel-address",
 *         "--param=asan-instrumentation-with-call-threshold=0", "--param=asan-globals=0",
 *         "--param=asan-stack=0"]
 ---*/
#include "pc_reads.h"
#include "../../crypto/rsa/rsa_pk1.c"
#include <openssl/err.h>
#include <openssl/rsa.h>
#include "internal/nelem.h"
#include "../testutil.h"
#include "memory_count.h"

static unsigned char em[600], copy[600], to[600], place[600];

/* An encoded message of `num` bytes, with a message of `mlen`. */
static void encode(int num, int mlen)
{
    int i;

    for (i = 0; i < num; i++)
        em[i] = i < num - mlen ? 1 + (i * 37 + mlen) % 255 : (i * 11 + mlen) & 0xff;
    em[0] = 0;
    em[1] = 2;
    em[num - mlen - 1] = 0;
    memcpy(copy, em, sizeof(em));
    for (i = 0; i < (int)sizeof(to); i++)
        to[i] = place[i] = 0xc3 ^ (i & 0xff);
}

/* What is found has this length and stands in `em` at its end, or there is an error. */
static int gives(int tlen, int skip, int num, int mlen)
{
    int result;

    ERR_clear_error();
    memcpy(copy, em, sizeof(em));
    memcpy(to, place, sizeof(to));
    result = RSA_padding_check_PKCS1_type_2(to, tlen, em + skip, num - skip, num);
    if (!TEST_int_eq(result, mlen) || !TEST_mem_eq(em, sizeof(em), copy, sizeof(em)))
        return 0;
    if (mlen < 0)
        mlen = 0;
    return TEST_mem_eq(to, mlen, em + num - mlen, mlen)
        && TEST_mem_eq(to + mlen, sizeof(to) - mlen, place + mlen, sizeof(to) - mlen);
}

static int found(void)
{
    encode(64, 5);
    memcpy(em + 59, "hello", 5);
    return gives(64, 0, 64, 5) && TEST_mem_eq(to, 5, "hello", 5) && gives(5, 0, 64, 5)
        && gives(53, 0, 64, 5) && gives(4, 0, 64, -1);
}

static int lengths(void)
{
    static const int nums[] = { 12, 13, 27, 28, 64, 75, 76, 77, 128, 139, 256, 300, 512 };
    size_t i;
    int mlen;

    for (i = 0; i < OSSL_NELEM(nums); i++)
        for (mlen = 0; mlen <= nums[i] - 11; mlen += nums[i] > 80 && mlen > 20
             && mlen < nums[i] - 22 ? 5 : 1) {
            encode(nums[i], mlen);
            if (!gives(nums[i], 0, nums[i], mlen) || (mlen > 0 && !gives(mlen, 0, nums[i], mlen)))
                return 0;
        }
    return 1;
}

static int empty(void)
{
    encode(64, 0);
    if (!gives(64, 0, 64, 0) || !gives(1, 0, 64, 0))
        return 0;
    encode(11, 0);
    return gives(11, 0, 11, 0) && gives(1, 0, 11, 0);
}

static int eight(void)
{
    int at;

    for (at = 2; at < 12; at++) {
        encode(64, 20);
        em[at] = 0;
        if (!gives(64, 0, 64, at < 10 ? -1 : 63 - at))
            return 0;
    }
    return 1;
}

static int first_bytes(void)
{
    int value;

    for (value = 0; value < 256; value++) {
        encode(64, 20);
        em[0] = value;
        if (!gives(64, 0, 64, value == 0 ? 20 : -1))
            return 0;
        em[0] = 0;
        em[1] = value;
        if (!gives(64, 0, 64, value == 2 ? 20 : -1))
            return 0;
    }
    return 1;
}

static int no_end(void)
{
    encode(64, 20);
    memset(em + 2, 0xff, 62);
    if (!gives(64, 0, 64, -1))
        return 0;
    em[63] = 0;
    return gives(64, 0, 64, 0);
}

static int first_zero(void)
{
    encode(64, 20);
    memset(em + 44, 0, 20);
    if (!gives(64, 0, 64, 20))
        return 0;
    em[20] = 0;
    return gives(64, 0, 64, 43) && gives(43, 0, 64, 43) && gives(42, 0, 64, -1);
}

static unsigned char wide[3 * 4096];

/* Nothing before or behind the input is read. */
static int reads_inside(int skip)
{
    unsigned char *from = wide + 4096;
    int result;

    encode(64, 20);
    memset(wide, 1, sizeof(wide));
    memcpy(from, em + skip, 64 - skip);
    plus_reads_begin(from, 64 - skip);
    result = RSA_padding_check_PKCS1_type_2(to, 64, from, 64 - skip, 64);
    plus_reads_end();
    ERR_clear_error();
    return TEST_long_eq(plus_reads_outside, 0) && TEST_int_eq(result, skip <= 1 ? 20 : -1);
}

static int leading(void)
{
    if (!reads_inside(0) || !reads_inside(1) || !reads_inside(2) || !reads_inside(50)
            || !reads_inside(63))
        return 0;
    encode(64, 20);
    if (!gives(64, 1, 64, 20))
        return 0;
    em[1] = 0;
    return gives(64, 2, 64, -1) && gives(64, 0, 64, -1) && gives(64, 60, 64, -1);
}

static int too_small(void)
{
    int mlen;

    for (mlen = 2; mlen <= 53; mlen++) {
        encode(64, mlen);
        if (!gives(mlen - 1, 0, 64, -1) || !gives(1, 0, 64, -1) || !gives(mlen, 0, 64, mlen)
                || !gives(mlen + 1, 0, 64, mlen))
            return 0;
    }
    return 1;
}

static int past(void)
{
    encode(128, 3);
    if (!gives(600, 0, 128, 3) || !gives(117, 0, 128, 3))
        return 0;
    encode(128, 117);
    return gives(600, 0, 128, 117) && gives(117, 0, 128, 117);
}

static int cannot_be(void)
{
    int ok;

    encode(64, 5);
    ok = TEST_int_eq(RSA_padding_check_PKCS1_type_2(to, 0, em, 64, 64), -1)
        && TEST_int_eq(RSA_padding_check_PKCS1_type_2(to, -1, em, 64, 64), -1)
        && TEST_int_eq(RSA_padding_check_PKCS1_type_2(to, 64, em, 0, 64), -1)
        && TEST_int_eq(RSA_padding_check_PKCS1_type_2(to, 64, em, -1, 64), -1)
        && TEST_int_eq(RSA_padding_check_PKCS1_type_2(to, 64, em, 64, 63), -1)
        && TEST_mem_eq(to, sizeof(to), place, sizeof(to));
    memcpy(em, "\0\2\1\1\1\1\1\1\1\0", 10);
    return ok && TEST_int_eq(RSA_padding_check_PKCS1_type_2(to, 64, em, 10, 10), -1)
        && TEST_int_eq(RSA_padding_check_PKCS1_type_2(to, 64, em, 1, 1), -1)
        && TEST_mem_eq(to, sizeof(to), place, sizeof(to));
}

static int told(void)
{
    encode(64, 5);
    ERR_clear_error();
    if (!gives(64, 0, 64, 5) || !TEST_ulong_eq(ERR_peek_error(), 0))
        return 0;
    em[1] = 3;
    if (!gives(64, 0, 64, -1) || !TEST_ulong_ne(ERR_get_error(), 0))
        return 0;
    ERR_clear_error();
    if (!TEST_int_eq(RSA_padding_check_PKCS1_type_2(to, 64, em, 64, 10), -1)
            || !TEST_ulong_ne(ERR_get_error(), 0))
        return 0;
    em[1] = 2;
    /* What was told before stays. */
    ERR_clear_error();
    ERR_raise(ERR_LIB_RSA, RSA_R_MODULUS_TOO_LARGE);
    return TEST_int_eq(RSA_padding_check_PKCS1_type_2(to, 64, em, 64, 64), 5)
        && TEST_int_eq(ERR_GET_REASON(ERR_get_error()), RSA_R_MODULUS_TOO_LARGE)
        && TEST_ulong_eq(ERR_get_error(), 0);
}

static int no_leak(void)
{
    long before;
    int result;

    if (!told())
        return 0;
    ERR_clear_error();
    before = memory_blocks;
    if (!found() || !eight() || !too_small() || !cannot_be() || !empty())
        return 0;
    ERR_clear_error();
    encode(64, 5);
    memory_left = 0;
    result = RSA_padding_check_PKCS1_type_2(to, 64, em, 64, 64);
    memory_left = -1;
    ERR_clear_error();
    return TEST_true(result == -1 || result == 5) && TEST_long_eq(memory_blocks, before)
        && TEST_long_eq(memory_bad_frees, 0);
}

int setup_tests(void)
{
    add_test("a message is found, and the input stays", found);
    add_test("messages of all lengths are found", lengths);
    add_test("an empty message has the length 0", empty);
    add_test("the padding has 8 bytes at least", eight);
    add_test("the first bytes are 0 and 2", first_bytes);
    add_test("a padding that does not end is an error", no_end);
    add_test("the first zero byte ends it", first_zero);
    add_test("a message can lack its leading zeros", leading);
    add_test("a place that is too small is an error", too_small);
    add_test("nothing is written past the message", past);
    add_test("lengths that cannot be are an error", cannot_be);
    add_test("an error is told and success is silent", told);
    add_test("nothing is leaked and no memory is an error", no_leak);
    return 1;
}
