/*---
 * tasks: [ossl_encode_der_dsa_sig-e07f05.16]
 * tests:
 *   the value is written, the highest byte first:
 *     'packet.h: "Write the value stored in |val|"; WPACKET_put_bytes_u16 of TLS.'
 *   each number of bytes can be: 'packet.h: "The value will consume |bytes| amount of storage".'
 *   the largest value fits: 'packet.h: "if |val| cannot be accommodated".'
 *   a larger value is an error:
 *     'packet.h: "attempting to write the value 256 into 1 byte will fail".'
 *   small values are filled with zeros: 'packet.h: "will consume |bytes| amount of storage".'
 *   a packet without room is an error:
 *     'packet.h, WPACKET_init_static_len: "A failure will occur".'
 *   with DER it is put before: 'packet.h, WPACKET_init_der: "moving towards the start".'
 *   a packet without a buffer counts: 'packet.h, WPACKET_init_null: "We just keep track".'
 ---*/
#include "internal/packet.h"
#include "../testutil.h"
#include "memory_count.h"
#include "pc_packets.h"

static int t0(void)
{
    return end(begin() && TEST_true(WPACKET_put_bytes__(&pkt, 0x1234, 2))
               && TEST_true(WPACKET_put_bytes__(&pkt, 0x56789a, 3))
               && TEST_mem_eq(out, 6, "\x12\x34\x56\x78\x9a\x5a", 6) && total_is(5));
}

static int t1(void)
{
    static const unsigned char bytes[] = { 0x81, 0x92, 0xa3, 0xb4, 0xc5, 0xd6, 0xe7, 0xf8 };
    uint64_t value = 0;
    size_t size;

    for (size = 1; size <= 8; size++) {
        value = value << 8 | bytes[size - 1];
        if (!end(begin() && TEST_true(WPACKET_put_bytes__(&pkt, value, size))
                 && TEST_mem_eq(out, size, bytes, size) && TEST_uint_eq(out[size], 0x5a)
                 && total_is(size)))
            return 0;
    }
    return 1;
}

static int t2(void)
{
    size_t size;
    uint64_t most = 0;

    for (size = 1; size <= 8; size++) {
        most = most << 8 | 0xff;
        if (!end(begin() && TEST_true(WPACKET_put_bytes__(&pkt, most, size))
                 && total_is(size) && TEST_uint_eq(out[size - 1], 0xff)))
            return 0;
    }
    return 1;
}

static int t3(void)
{
    size_t size;

    for (size = 1; size < 8; size++)
        if (!end(begin()
            && TEST_false(WPACKET_put_bytes__(&pkt, (uint64_t)1 << 8 * size, size)))
                || !end(begin() && TEST_false(WPACKET_put_bytes__(&pkt, UINT64_MAX, size))))
            return 0;
    return end(begin() && TEST_false(WPACKET_put_bytes__(&pkt, 256, 1)));
}

static int t4(void)
{
    return end(begin() && TEST_true(WPACKET_put_bytes__(&pkt, 5, 4))
               && TEST_true(WPACKET_put_bytes__(&pkt, 0, 8))
               && TEST_mem_eq(out, 12, "\0\0\0\5\0\0\0\0\0\0\0\0", 12) && total_is(12));
}

static int t5(void)
{
    return end(begin_with(3) && TEST_false(WPACKET_put_bytes__(&pkt, 1, 4))
               && TEST_true(WPACKET_put_bytes__(&pkt, 1, 3))
               && TEST_false(WPACKET_put_bytes__(&pkt, 1, 1)) && TEST_uint_eq(out[3], 0x5a));
}

static int t7(void)
{
    return end(begin_der(6) && TEST_true(WPACKET_put_bytes__(&pkt, 0x0102, 2))
               && TEST_true(WPACKET_put_bytes__(&pkt, 0x03, 1))
               && TEST_mem_eq(out, 6, "\x5a\x5a\x5a\3\1\2", 6));
}

static int t8(void)
{
    return end(begin_null() && TEST_true(WPACKET_put_bytes__(&pkt, 5, 4))
               && TEST_true(WPACKET_put_bytes__(&pkt, 5, 1)) && total_is(5));
}

int setup_tests(void)
{
    add_test("the value is written, the highest byte first", t0);
    add_test("each number of bytes can be", t1);
    add_test("the largest value fits", t2);
    add_test("a larger value is an error", t3);
    add_test("small values are filled with zeros", t4);
    add_test("a packet without room is an error", t5);
    add_test("with DER it is put before", t7);
    add_test("a packet without a buffer counts", t8);
    return 1;
}
