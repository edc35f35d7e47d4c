/*---
 * tasks: [ossl_encode_der_dsa_sig-e07f05.16]
 * tests:
 *   the value is stored, the highest byte first:
 *     'Comment: "Store the |value| of length |len| at location |data|"; packet lengths of TLS.'
 *   small values are filled with zeros: 'Comment: "of length |len|".'
 *   the largest value fits:
 *     'packet.h, WPACKET_put_bytes__: "The value will consume |bytes| amount of storage"; "value
 *     256 into 1 byte will fail", so 255 does not.'
 *   a larger value is an error:
 *     'packet.h, WPACKET_put_bytes__: "An error will occur if |val| cannot be accommodated in
 *     |bytes| storage, e.g. attempting to write the value 256 into 1 byte will fail".'
 *   without a place nothing is done: 'WPACKET_put_bytes__ of a packet without a buffer.'
 ---*/
#include "../../crypto/packet.c"
#include "../testutil.h"
#include "memory_count.h"

static unsigned char place[16];

/* Is it stored so, with nothing around it? */
static int is(uint64_t value, size_t len, const char *bytes)
{
    memset(place, 0x5a, sizeof(place));
    return TEST_true(put_value(place + 1, value, len))
        && TEST_mem_eq(place + 1, len, bytes, len)
        && TEST_uint_eq(place[0], 0x5a) && TEST_uint_eq(place[1 + len], 0x5a);
}

static int t0(void)
{
    return is(0x1234, 2, "\x12\x34") && is(0x123456, 3, "\x12\x34\x56") && is(0xfe, 1, "\xfe")
        && is(0x0102030405060708, 8, "\1\2\3\4\5\6\7\x08");
}

static int t1(void)
{
    return is(0, 1, "\0") && is(0, 8, "\0\0\0\0\0\0\0\0") && is(5, 4, "\0\0\0\5");
}

static int t2(void)
{
    return is(0xff, 1, "\xff") && is(0xffff, 2, "\xff\xff")
        && is(0xffffffff, 4, "\xff\xff\xff\xff")
        && is(UINT64_MAX, 8, "\xff\xff\xff\xff\xff\xff\xff\xff");
}

static int t3(void)
{
    size_t len;

    for (len = 1; len < 8; len++)
        if (!TEST_false(put_value(place + 1, (uint64_t)1 << 8 * len, len))
                || !TEST_false(put_value(place + 1, UINT64_MAX, len)))
            return 0;
    return TEST_false(put_value(place + 1, 256, 1))
        && TEST_false(put_value(place + 1, (uint64_t)1 << 32, 4));
}

static int t4(void)
{
    return TEST_true(put_value(NULL, 5, 2)) && TEST_true(put_value(NULL, 0, 8));
}

int setup_tests(void)
{
    add_test("the value is stored, the highest byte first", t0);
    add_test("small values are filled with zeros", t1);
    add_test("the largest value fits", t2);
    add_test("a larger value is an error", t3);
    add_test("without a place nothing is done", t4);
    return 1;
}
