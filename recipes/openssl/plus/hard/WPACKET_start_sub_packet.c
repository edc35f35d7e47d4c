/*---
 * tasks: [ossl_encode_der_dsa_sig-e07f05.16, ossl_encode_der_dsa_sig-e07f05.8]
 * tests:
 *   a sub-packet is begun:
 *     'packet.h: "Initialise a new sub-packet"; WPACKET_get_length counts from its start.'
 *   no bytes are kept for its length:
 *     'packet.h: "except no bytes are pre-allocated for the sub-packet length".'
 *   closing it goes back to the one before:
 *     'packet.h, WPACKET_close: "Closes the most recent sub-packet".'
 *   sub-packets can be nested: 'packet.h: "the most recent sub-packet".'
 *   the one around keeps its length:
 *     'packet.h, WPACKET_start_sub_packet_u16: a length of its own.'
 *   with DER it gets its length:
 *     'packet.h, WPACKET_init_der: "use DER length encoding for sub-packets".'
 *   flags are its own:
 *     'packet.h, WPACKET_set_flags: "to the current sub-packet"; begins with WPACKET_FLAGS_NONE.'
 *   the packet cannot be finished before it is closed:
 *     'packet.h, WPACKET_close and _finish: "only for the top most".'
 *   a packet without a buffer has sub-packets:
 *     'Caller ossl_encode_der_integer, with the dummy packet.'
 *   a packet that is over is refused: 'Sibling WPACKET_start_sub_packet_len__: pkt->subs != NULL.'
 *   nothing is leaked: 'packet.h, WPACKET_cleanup: "Release resources".'
 *   a failed allocation is told: 'Callers: !WPACKET_start_sub_packet(pkt).'
 ---*/
#include "internal/packet.h"
#include "../testutil.h"
#include "memory_count.h"

static unsigned char out[400];
static WPACKET pkt;

static int begin(void)
{
    memset(out, 0x5a, sizeof(out));
    return TEST_true(WPACKET_init_static_len(&pkt, out, sizeof(out), 0));
}

static int end(int ok)
{
    WPACKET_cleanup(&pkt);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int length_is(size_t expected)
{
    size_t length = 9999;

    return TEST_true(WPACKET_get_length(&pkt, &length)) && TEST_size_t_eq(length, expected);
}

static int total_is(size_t expected)
{
    size_t total = 9999;

    return TEST_true(WPACKET_get_total_written(&pkt, &total)) && TEST_size_t_eq(total, expected);
}

static int start(void)
{
    return TEST_true(WPACKET_start_sub_packet(&pkt));
}

static int put(int byte)
{
    return TEST_true(WPACKET_put_bytes_u8(&pkt, byte));
}

static int t0(void)
{
    return end(begin() && put(1) && put(2) && length_is(2) && start() && length_is(0) && put(3)
               && length_is(1));
}

static int t1(void)
{
    return end(begin() && put(1) && start() && total_is(1) && put(2) && total_is(2)
               && TEST_true(WPACKET_close(&pkt)) && total_is(2)
               && TEST_mem_eq(out, 3, "\x01\x02\x5a", 3));
}

static int t2(void)
{
    return end(begin() && put(1) && start() && put(2) && put(3) && length_is(2)
               && TEST_true(WPACKET_close(&pkt)) && length_is(3) && put(4) && length_is(4)
               && TEST_false(WPACKET_close(&pkt)) && TEST_true(WPACKET_finish(&pkt))
               && TEST_mem_eq(out, 4, "\1\2\3\4", 4));
}

static int t3(void)
{
    int i, ok = begin();

    for (i = 0; i < 50 && ok; i++)
        ok = put(i) && start() && length_is(0);
    for (i = 0; i < 50 && ok; i++)
        ok = length_is(i) && TEST_true(WPACKET_close(&pkt)) && length_is(i + 1);
    return end(ok && total_is(50) && TEST_false(WPACKET_close(&pkt))
               && TEST_true(WPACKET_finish(&pkt)) && TEST_uint_eq(out[49], 49));
}

static int t4(void)
{
    return end(begin() && TEST_true(WPACKET_start_sub_packet_u16(&pkt)) && put(1) && start()
               && put(2) && put(3) && length_is(2) && TEST_true(WPACKET_close(&pkt))
               && length_is(3)
               && TEST_true(WPACKET_close(&pkt)) && length_is(5)
               && TEST_mem_eq(out, 6, "\0\3\1\2\3\x5a", 6));
}

static int t5(void)
{
    size_t total = 0;
    int ok;

    memset(out, 0x5a, sizeof(out));
    ok = TEST_true(WPACKET_init_der(&pkt, out, 10)) && start() && put(7) && put(8) && length_is(2)
        && TEST_true(WPACKET_close(&pkt)) && put(0x30)
        && TEST_true(WPACKET_get_total_written(&pkt, &total)) && TEST_size_t_eq(total, 4)
        && TEST_true(WPACKET_finish(&pkt)) && TEST_mem_eq(out + 5, 5, "\x5a\x30\2\x08\7", 5);
    return end(ok);
}

static int t6(void)
{
    int ok = begin() && TEST_true(WPACKET_set_flags(&pkt, WPACKET_FLAGS_NON_ZERO_LENGTH))
        && start()
        && TEST_true(WPACKET_close(&pkt)) && start()
        && TEST_true(WPACKET_set_flags(&pkt, WPACKET_FLAGS_NON_ZERO_LENGTH))
        && TEST_false(WPACKET_close(&pkt)) && put(1) && TEST_true(WPACKET_close(&pkt));

    return end(ok);
}

static int t7(void)
{
    return end(begin() && start() && TEST_false(WPACKET_finish(&pkt))
               && TEST_true(WPACKET_close(&pkt)) && TEST_true(WPACKET_finish(&pkt)));
}

static int t8(void)
{
    return end(TEST_true(WPACKET_init_null(&pkt, 0)) && put(1) && start() && put(2) && length_is(1)
               && TEST_true(WPACKET_close(&pkt)) && total_is(2)
               && TEST_true(WPACKET_finish(&pkt)));
}

static int t9(void)
{
    return end(begin() && TEST_true(WPACKET_finish(&pkt))
               && TEST_false(WPACKET_start_sub_packet(&pkt)) && TEST_ptr_null(pkt.subs));
}

static int t10(void)
{
    long before = memory_blocks;

    return t0() && t1() && t2() && t3() && t4() && t5() && t6() && t7() && t8()
        && TEST_long_eq(memory_blocks, before);
}

static int t11(void)
{
    long before = memory_blocks;
    int ok = begin() && put(1);

    memory_left = 0;
    ok = ok && TEST_false(WPACKET_start_sub_packet(&pkt));
    memory_left = -1;
    ok = ok && length_is(1) && put(2) && TEST_true(WPACKET_finish(&pkt))
        && TEST_mem_eq(out, 2, "\1\2", 2);
    return end(ok) && TEST_long_le(memory_blocks, before + 2);
}

int setup_tests(void)
{
    add_test("a sub-packet is begun", t0);
    add_test("no bytes are kept for its length", t1);
    add_test("closing it goes back to the one before", t2);
    add_test("sub-packets can be nested", t3);
    add_test("the one around keeps its length", t4);
    add_test("with DER it gets its length", t5);
    add_test("flags are its own", t6);
    add_test("the packet cannot be finished before it is closed", t7);
    add_test("a packet without a buffer has sub-packets", t8);
    add_test("a packet that is over is refused", t9);
    add_test("nothing is leaked", t10);
    add_test("a failed allocation is told", t11);
    return 1;
}
