/*---
 * tasks: [ossl_encode_der_dsa_sig-e07f05.16]
 * tests:
 *   the place is behind the length:
 *     'packet.h: "The reserve_bytes equivalent of WPACKET_sub_allocate_bytes__()".'
 *   allocating gives the same place: 'packet.h: "sigbytes1 != sigbytes2".'
 *   nothing counts as written:
 *     'packet.h, WPACKET_reserve_bytes: "not actually counted as written".'
 *   the room is for the length too: 'packet.h, WPACKET_init_static_len: "A failure will occur".'
 *   without a length it is as the plain one: 'Sibling WPACKET_reserve_bytes.'
 *   with DER no length is kept:
 *     'Sibling WPACKET_start_sub_packet_len__: lenbytes greater than 0 is not supported.'
 *   a packet without a buffer has no place:
 *     'packet.h, WPACKET_init_null: "No data is ever actually written".'
 *   a growing buffer grows for both: 'packet.h, WPACKET_init_len.'
 ---*/
#include "internal/packet.h"
#include "../testutil.h"
#include "memory_count.h"
#include "pc_packets.h"

static int t0(void)
{
    unsigned char *p = NULL;

    return end(begin() && put(1) && TEST_true(WPACKET_sub_reserve_bytes__(&pkt, 5, &p, 2))
               && TEST_ptr_eq(p, out + 3))
        && end(begin() && TEST_true(WPACKET_sub_reserve_bytes__(&pkt, 5, &p, 4))
               && TEST_ptr_eq(p, out + 4));
}

static int t1(void)
{
    unsigned char *p = NULL, *q = NULL;

    return end(begin() && put(1) && TEST_true(WPACKET_sub_reserve_bytes_u16(&pkt, 50, &p))
               && TEST_true(WPACKET_sub_allocate_bytes_u16(&pkt, 20, &q)) && TEST_ptr_eq(p, q)
               && total_is(23) && TEST_mem_eq(out, 3, "\1\0\x14", 3))
        && end(begin() && TEST_true(WPACKET_sub_reserve_bytes_u24(&pkt, 50, &p))
               && TEST_true(WPACKET_sub_allocate_bytes_u24(&pkt, 50, &q)) && TEST_ptr_eq(p, q));
}

static int t2(void)
{
    unsigned char *p = NULL;

    return end(begin() && put(1) && TEST_true(WPACKET_sub_reserve_bytes__(&pkt, 5, &p, 2))
               && total_is(1) && length_is(1) && TEST_mem_eq(out, 4, "\1\x5a\x5a\x5a", 4)
               && put(2) && TEST_uint_eq(out[1], 2) && TEST_true(WPACKET_finish(&pkt)));
}

static int t3(void)
{
    unsigned char *p = NULL;

    return end(begin_with(10) && TEST_false(WPACKET_sub_reserve_bytes__(&pkt, 10, &p, 1))
               && TEST_false(WPACKET_sub_reserve_bytes__(&pkt, 9, &p, 2))
               && TEST_true(WPACKET_sub_reserve_bytes__(&pkt, 8, &p, 2))
               && TEST_ptr_eq(p, out + 2)
               && TEST_true(WPACKET_sub_reserve_bytes__(&pkt, 9, &p, 1)));
}

static int t4(void)
{
    unsigned char *p = NULL;

    return end(begin() && put(1) && TEST_true(WPACKET_sub_reserve_bytes__(&pkt, 5, &p, 0))
               && TEST_ptr_eq(p, out + 1))
        && end(begin_der(20) && put(1)
               && TEST_true(WPACKET_sub_reserve_bytes__(&pkt, 5, &p, 0))
               && TEST_ptr_eq(p, out + 14));
}

static int t5(void)
{
    unsigned char *p = NULL;

    return end(begin_der(20) && TEST_false(WPACKET_sub_reserve_bytes__(&pkt, 5, &p, 1))
               && TEST_false(WPACKET_sub_reserve_bytes__(&pkt, 5, &p, 2)) && total_is(0));
}

static int t6(void)
{
    unsigned char *p = out;

    return end(begin_null() && TEST_true(WPACKET_sub_reserve_bytes__(&pkt, 5, &p, 2))
               && TEST_ptr_null(p) && total_is(0));
}

static int t7(void)
{
    BUF_MEM *buf = BUF_MEM_new();
    unsigned char *p = NULL;
    int ok = TEST_true(WPACKET_init(&pkt, buf)) && put(1)
        && TEST_true(WPACKET_sub_reserve_bytes__(&pkt, 5000, &p, 3))
        && TEST_ptr_eq(p, (unsigned char *)buf->data + 4) && TEST_size_t_ge(buf->length, 5004);

    if (ok)
        memset(p, 7, 5000);
    ok = end(ok);
    BUF_MEM_free(buf);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

int setup_tests(void)
{
    add_test("the place is behind the length", t0);
    add_test("allocating gives the same place", t1);
    add_test("nothing counts as written", t2);
    add_test("the room is for the length too", t3);
    add_test("without a length it is as the plain one", t4);
    add_test("with DER no length is kept", t5);
    add_test("a packet without a buffer has no place", t6);
    add_test("a growing buffer grows for both", t7);
    return 1;
}
