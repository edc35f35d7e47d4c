/*---
 * tasks: [ossl_encode_der_dsa_sig-e07f05.16]
 * tests:
 *   the packet begins empty: 'Callers: WPACKET_init_len, WPACKET_init_static_len.'
 *   what stood in it is forgotten: 'Callers give a packet that holds anything.'
 *   bytes are kept for the length:
 *     'packet.h, WPACKET_init_len: "|lenbytes| of data is preallocated".'
 *   the length is written at the end:
 *     'packet.h, WPACKET_init_len: "to store the length of the WPACKET once we know it".'
 *   no room for the length is an error: 'Callers return it; the packet holds nothing then.'
 *   nothing is leaked: 'packet.h, WPACKET_finish: "frees memory resources".'
 *   a failed allocation is told: 'Callers return it.'
 ---*/
#include "../../crypto/packet.c"
#include "../testutil.h"
#include "memory_count.h"
#include "pc_packets.h"

/* As the callers set them. */
static void fields(unsigned char *buf, size_t size)
{
    memset(out, 0x5a, sizeof(out));
    pkt.staticbuf = buf;
    pkt.buf = NULL;
    pkt.maxsize = size;
    pkt.endfirst = 0;
}

static int t0(void)
{
    fields(out, 100);
    return end(TEST_true(wpacket_intern_init_len(&pkt, 0)) && total_is(0) && length_is(0)
               && TEST_ptr(pkt.subs) && TEST_ptr_null(pkt.subs->parent)
               && TEST_uint_eq(pkt.subs->flags, 0) && put(1) && TEST_uint_eq(out[0], 1));
}

static int t1(void)
{
    fields(out, 100);
    pkt.curr = pkt.written = 77;
    return end(TEST_true(wpacket_intern_init_len(&pkt, 0)) && total_is(0)
               && TEST_ptr_eq(WPACKET_get_curr(&pkt), out));
}

static int t2(void)
{
    fields(out, 100);
    return end(TEST_true(wpacket_intern_init_len(&pkt, 3)) && total_is(3) && length_is(0)
               && put(9) && TEST_uint_eq(out[3], 9) && length_is(1));
}

static int t3(void)
{
    fields(out, 100);
    return end(TEST_true(wpacket_intern_init_len(&pkt, 2)) && put(7) && put(8)
               && TEST_true(WPACKET_finish(&pkt)) && TEST_mem_eq(out, 5, "\0\2\7\x08\x5a", 5));
}

static int t4(void)
{
    int ok;

    fields(out, 2);
    ok = TEST_false(wpacket_intern_init_len(&pkt, 3)) && TEST_ptr_null(pkt.subs);
    fields(out, 2);
    return end(ok && TEST_true(wpacket_intern_init_len(&pkt, 2)) && total_is(2));
}

static int t5(void)
{
    long before = memory_blocks;

    return t0() && t1() && t2() && t3() && t4() && TEST_long_eq(memory_blocks, before);
}

static int t6(void)
{
    int result;

    fields(out, 100);
    memory_left = 0;
    result = wpacket_intern_init_len(&pkt, 2);
    memory_left = -1;
    return end(TEST_int_eq(result, 0) && TEST_ptr_null(pkt.subs));
}

int setup_tests(void)
{
    add_test("the packet begins empty", t0);
    add_test("what stood in it is forgotten", t1);
    add_test("bytes are kept for the length", t2);
    add_test("the length is written at the end", t3);
    add_test("no room for the length is an error", t4);
    add_test("nothing is leaked", t5);
    add_test("a failed allocation is told", t6);
    return 1;
}
