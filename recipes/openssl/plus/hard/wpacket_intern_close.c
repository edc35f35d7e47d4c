/*---
 * tasks: [ossl_encode_der_dsa_sig-e07f05.16]
 * tests:
 *   the length is written and the sub-packet closed:
 *     'Comment: "to close a sub-packet and write out its length".'
 *   with doclose 0 the length is written alone:
 *     'Comment: "fills in all the lengths, but does not actually close anything".'
 *   a length that does not fit is an error:
 *     'packet.h, WPACKET_put_bytes__: "An error will occur if |val| cannot be accommodated in
 *     |bytes| storage"; the length is such a value.'
 *   an empty sub-packet has the length 0: 'packet.h: WPACKET_FLAGS_NONE, "Default".'
 *   it can be an error: 'packet.h: "Error on WPACKET_close() if no data written".'
 *   it can be abandoned: 'packet.h: "this does not write out a zero packet length".'
 *   with doclose 0 it cannot be abandoned:
 *     'packet.h, WPACKET_fill_lengths: "fails if a sub-packet is of 0 length".'
 *   QUIC has its own lengths: 'packet.h: WPACKET_FLAGS_QUIC_VLINT; RFC 9000, 16.'
 *   with DER the length is put before:
 *     'packet.h, WPACKET_init_der: "use DER length encoding"; X.690, 8.1.3.'
 *   without room for a DER length it is an error:
 *     'packet.h, WPACKET_init_static_len: "A failure will occur".'
 *   the packet around has no DER length:
 *     'packet.h, WPACKET_init_der: "DER length encoding for sub-packets"; WPACKET_finish.'
 *   a packet without a buffer counts: 'packet.h, WPACKET_init_null.'
 *   nothing is leaked: 'packet.h, WPACKET_close, WPACKET_cleanup.'
 ---*/
#include "../../crypto/packet.c"
#include "../testutil.h"
#include "memory_count.h"
#include "pc_packets.h"

static int start(size_t lenbytes)
{
    return TEST_true(WPACKET_start_sub_packet_len__(&pkt, lenbytes));
}

static int t0(void)
{
    return end(begin() && put(1) && start(2) && put(7) && put(8) && put(9)
               && TEST_true(wpacket_intern_close(&pkt, pkt.subs, 1)) && length_is(6)
               && TEST_ptr_null(pkt.subs->parent)
               && TEST_mem_eq(out, 7, "\1\0\3\7\x08\x09\x5a", 7));
}

static int t1(void)
{
    return end(begin() && start(2) && put(7)
               && TEST_true(wpacket_intern_close(&pkt, pkt.subs, 0)) && length_is(1)
               && TEST_mem_eq(out, 3, "\0\1\7", 3) && put(8)
               && TEST_true(wpacket_intern_close(&pkt, pkt.subs, 1))
               && TEST_mem_eq(out, 4, "\0\2\7\x08", 4) && length_is(4));
}

static int t2(void)
{
    return end(begin() && start(1) && TEST_true(WPACKET_memset(&pkt, 1, 256))
               && TEST_false(wpacket_intern_close(&pkt, pkt.subs, 1)))
        && end(begin() && start(1) && TEST_true(WPACKET_memset(&pkt, 1, 255))
        && TEST_true(wpacket_intern_close(&pkt, pkt.subs, 1)));
}

static int t3(void)
{
    return end(begin() && start(2) && TEST_true(wpacket_intern_close(&pkt, pkt.subs, 1))
               && total_is(2)
               && TEST_mem_eq(out, 3, "\0\0\x5a", 3));
}

static int t4(void)
{
    return end(begin() && start(2) && TEST_true(WPACKET_set_flags(&pkt, 1))
               && TEST_false(wpacket_intern_close(&pkt, pkt.subs, 1)) && put(1)
               && TEST_true(wpacket_intern_close(&pkt, pkt.subs, 1)));
}

static int t5(void)
{
    return end(begin() && put(1) && start(2)
               && TEST_true(WPACKET_set_flags(&pkt, WPACKET_FLAGS_ABANDON_ON_ZERO_LENGTH))
               && TEST_true(wpacket_intern_close(&pkt, pkt.subs, 1)) && total_is(1)
               && length_is(1) && put(2)
               && TEST_mem_eq(out, 2, "\1\2", 2))
        && end(begin() && start(2)
               && TEST_true(WPACKET_set_flags(&pkt, WPACKET_FLAGS_ABANDON_ON_ZERO_LENGTH))
               && put(5) && TEST_true(wpacket_intern_close(&pkt, pkt.subs, 1))
               && TEST_mem_eq(out, 3, "\0\1\5", 3));
}

static int t6(void)
{
    return end(begin() && start(2)
               && TEST_true(WPACKET_set_flags(&pkt, WPACKET_FLAGS_ABANDON_ON_ZERO_LENGTH))
               && TEST_false(wpacket_intern_close(&pkt, pkt.subs, 0)) && total_is(2)
               && TEST_true(wpacket_intern_close(&pkt, pkt.subs, 1)) && total_is(0));
}

static int t7(void)
{
    return end(begin() && start(2) && TEST_true(WPACKET_set_flags(&pkt, WPACKET_FLAGS_QUIC_VLINT))
               && put(7) && TEST_true(wpacket_intern_close(&pkt, pkt.subs, 1))
               && TEST_mem_eq(out, 3, "\x40\1\7", 3))
        && end(begin() && start(4)
               && TEST_true(WPACKET_set_flags(&pkt, WPACKET_FLAGS_QUIC_VLINT
                                              | WPACKET_FLAGS_NON_ZERO_LENGTH))
               && TEST_false(wpacket_intern_close(&pkt, pkt.subs, 1))
               && put(7) && TEST_true(wpacket_intern_close(&pkt, pkt.subs, 1))
               && TEST_mem_eq(out, 5, "\x80\0\0\1\7", 5))
        && end(begin() && start(1) && TEST_true(WPACKET_set_flags(&pkt, WPACKET_FLAGS_QUIC_VLINT))
               && TEST_true(WPACKET_memset(&pkt, 1, 64))
               && TEST_false(wpacket_intern_close(&pkt, pkt.subs, 1)));
}

static int t8(void)
{
    static const char *heads[] = { "\x7f", "\x81\x80", "\x81\xff", "\x82\1\0" };
    static const size_t lengths[] = { 127, 128, 255, 256 }, sizes[] = { 1, 2, 2, 3 };
    size_t i;

    for (i = 0; i < 4; i++)
        if (!end(begin_der(300) && start(0) && TEST_true(WPACKET_memset(&pkt, 1, lengths[i]))
                 && TEST_true(wpacket_intern_close(&pkt, pkt.subs, 1))
                 && total_is(lengths[i] + sizes[i])
                 && TEST_mem_eq(out + 300 - lengths[i] - sizes[i], sizes[i], heads[i], sizes[i])))
            return 0;
    return end(begin_der(20) && start(0)
               && TEST_true(wpacket_intern_close(&pkt, pkt.subs, 1))
               && TEST_uint_eq(out[19], 0)
               && total_is(1))
        && end(begin_der(20) && start(0)
               && TEST_true(WPACKET_set_flags(&pkt, WPACKET_FLAGS_ABANDON_ON_ZERO_LENGTH))
               && TEST_true(wpacket_intern_close(&pkt, pkt.subs, 1)) && total_is(0));
}

/* The packet itself has no length. */
static int t12(void)
{
    return end(begin_der(20) && put(1) && put(2)
               && TEST_true(wpacket_intern_close(&pkt, pkt.subs, 0)) && total_is(2)
               && TEST_true(wpacket_intern_close(&pkt, pkt.subs, 1))
               && TEST_ptr_null(pkt.subs) && TEST_mem_eq(out + 17, 3, "\x5a\2\1", 3))
        && end(begin() && put(1) && TEST_true(wpacket_intern_close(&pkt, pkt.subs, 1))
               && TEST_ptr_null(pkt.subs) && TEST_mem_eq(out, 2, "\1\x5a", 2));
}

static int t9(void)
{
    return end(begin_der(130) && start(0) && TEST_true(WPACKET_memset(&pkt, 1, 129))
               && TEST_false(wpacket_intern_close(&pkt, pkt.subs, 1)))
        && end(begin_der(5) && start(0) && TEST_true(WPACKET_memset(&pkt, 1, 5))
               && TEST_false(wpacket_intern_close(&pkt, pkt.subs, 1)));
}

static int t10(void)
{
    if (!end(begin_null() && start(2) && put(1)
             && TEST_true(wpacket_intern_close(&pkt, pkt.subs, 1)) && total_is(3)))
        return 0;
    return end(begin_null() && put(1) && start(2) && put(1)
               && TEST_true(wpacket_intern_close(&pkt, pkt.subs, 0))
               && TEST_true(wpacket_intern_close(&pkt, pkt.subs, 1)) && total_is(4)
               && start(2) && TEST_true(WPACKET_set_flags(&pkt, WPACKET_FLAGS_QUIC_VLINT))
               && put(1) && TEST_true(wpacket_intern_close(&pkt, pkt.subs, 1))
               && total_is(7));
}

static int t11(void)
{
    long before = memory_blocks;

    return t0() && t1() && t2() && t3() && t4() && t5() && t6() && t7() && t8() && t9() && t10()
        && TEST_long_eq(memory_blocks, before);
}

int setup_tests(void)
{
    add_test("the length is written and the sub-packet closed", t0);
    add_test("with doclose 0 the length is written alone", t1);
    add_test("a length that does not fit is an error", t2);
    add_test("an empty sub-packet has the length 0", t3);
    add_test("it can be an error", t4);
    add_test("it can be abandoned", t5);
    add_test("with doclose 0 it cannot be abandoned", t6);
    add_test("QUIC has its own lengths", t7);
    add_test("with DER the length is put before", t8);
    add_test("without room for a DER length it is an error", t9);
    add_test("the packet around has no DER length", t12);
    add_test("a packet without a buffer counts", t10);
    add_test("nothing is leaked", t11);
    return 1;
}
