/*---
 * tasks: [ossl_encode_der_dsa_sig-e07f05.16]
 * tests:
 *   the value has the length in its first bits: 'RFC 9000, 16: two bits for 1, 2, 4 or 8 bytes.'
 *   the examples of the RFC: 'RFC 9000, A.1.'
 *   small values may take more bytes:
 *     'quic_vlint.h, ossl_quic_vlint_encode_n: "may take up more space than necessary".'
 *   the largest value of each length fits: 'quic_vlint.h: OSSL_QUIC_VLINT_1B_MAX to 8B_MAX.'
 *   a larger value is an error:
 *     'quic_vlint.h, ossl_quic_vlint_encode_n: "caller''s responsibility to ensure", "that v is
 *     representable"; signature: int; packet.h, WPACKET_put_bytes__: "An error will occur if |val|
 *     cannot be accommodated in |bytes| storage".'
 *   without a place nothing is done: 'Sibling put_value; a packet without a buffer.'
 ---*/
#include "../../crypto/packet.c"
#include "../testutil.h"
#include "memory_count.h"

static unsigned char place[16];

static int is(size_t value, size_t len, const char *bytes)
{
    memset(place, 0x5a, sizeof(place));
    return TEST_true(put_quic_value(place + 1, value, len))
        && TEST_mem_eq(place + 1, len, bytes, len) && TEST_uint_eq(place[0], 0x5a)
        && TEST_uint_eq(place[1 + len], 0x5a);
}

static int refused(size_t value, size_t len)
{
    return TEST_false(put_quic_value(place + 1, value, len));
}

static int t0(void)
{
    return is(5, 1, "\x05") && is(0x1234, 2, "\x52\x34") && is(0x12345678, 4, "\x92\x34\x56\x78")
        && is(0x0102030405060708, 8, "\xc1\2\3\4\5\6\7\x08");
}

static int t1(void)
{
    return is(37, 1, "\x25") && is(37, 2, "\x40\x25") && is(15293, 2, "\x7b\xbd")
        && is(494878333, 4, "\x9d\x7f\x3e\x7d")
        && is(151288809941952652u, 8, "\xc2\x19\x7c\x5e\xff\x14\xe8\x8c");
}

static int t2(void)
{
    return is(0, 1, "\0") && is(0, 4, "\x80\0\0\0") && is(1, 8, "\xc0\0\0\0\0\0\0\1")
        && is(63, 2, "\x40\x3f");
}

static int t3(void)
{
    return is(63, 1, "\x3f") && is(16383, 2, "\x7f\xff") && is(1073741823, 4, "\xbf\xff\xff\xff")
        && is(((uint64_t)1 << 62) - 1, 8, "\xff\xff\xff\xff\xff\xff\xff\xff");
}

static int t4(void)
{
    return refused(64, 1) && refused(255, 1) && refused(16384, 2) && refused(65535, 2)
        && refused(1073741824, 4)
        && refused((size_t)1 << 40, 4);
}

static int t5(void)
{
    return TEST_true(put_quic_value(NULL, 5, 2))
        && TEST_true(put_quic_value(NULL, 0, 8));
}

int setup_tests(void)
{
    add_test("the value has the length in its first bits", t0);
    add_test("the examples of the RFC", t1);
    add_test("small values may take more bytes", t2);
    add_test("the largest value of each length fits", t3);
    add_test("a larger value is an error", t4);
    add_test("without a place nothing is done", t5);
    return 1;
}
