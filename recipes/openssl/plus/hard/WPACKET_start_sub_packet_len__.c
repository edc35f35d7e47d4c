/*---
 * tasks: [ossl_encode_der_dsa_sig-e07f05.16, ossl_encode_der_dsa_sig-e07f05.8]
 * tests:
 *   bytes are kept for the length:
 *     'packet.h: "|lenbytes| of data is preallocated at the start of the sub-packet".'
 *   the length is written when it is closed:
 *     'packet.h: "to store its length once we know it"; big endian by WPACKET_put_bytes.'
 *   the length does not count itself:
 *     'packet.h, WPACKET_get_length: "excludes any bytes allocated for the length itself".'
 *   each number of bytes is right: 'packet.h: WPACKET_start_sub_packet_u8 to _u32.'
 *   a content that is too long is told:
 *     'packet.h, WPACKET_put_bytes__: "An error will occur if |val| cannot be accommodated in
 *     |bytes| storage"; the length is such a value, and WPACKET_close returns int.'
 *   without bytes for it no length is written:
 *     'packet.h, WPACKET_start_sub_packet: "except no bytes are pre-allocated".'
 *   sub-packets can be nested: 'packet.h: "the most recent sub-packet".'
 *   a packet without room is an error:
 *     'packet.h, WPACKET_init_static_len: "A failure will occur".'
 *   with DER no length is kept:
 *     'packet.h, WPACKET_init_der: "lenbytes is always 0", "use DER length encoding for
 *     sub-packets"; WPACKET_start_sub_packet, "no bytes are pre-allocated".'
 *   a growing buffer grows: 'packet.h, WPACKET_init_len; tls_construct_* begin lengths anywhere.'
 *   a packet without a buffer counts: 'packet.h, WPACKET_init_null: "We just keep track".'
 *   flags are its own:
 *     'packet.h, WPACKET_set_flags: "to the current sub-packet"; WPACKET_FLAGS_NONE.'
 *   a packet that is over is refused:
 *     'Comment: "Internal API, so should not fail": pkt->subs != NULL.'
 *   nothing is leaked:
 *     'packet.h, WPACKET_cleanup: "Release resources in a WPACKET if a failure has occurred".'
 *   a failed allocation is told: 'Callers test for 0.'
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

static int start(size_t lenbytes)
{
    return TEST_true(WPACKET_start_sub_packet_len__(&pkt, lenbytes));
}

static int put(int byte)
{
    return TEST_true(WPACKET_put_bytes_u8(&pkt, byte));
}

static int closes(void)
{
    return TEST_true(WPACKET_close(&pkt));
}

static int t0(void)
{
    return end(begin() && put(1) && start(2) && total_is(3) && put(9) && total_is(4)
               && TEST_uint_eq(out[0], 1) && TEST_uint_eq(out[3], 9));
}

static int t1(void)
{
    return end(begin() && put(0xaa) && start(2) && put(8) && put(9) && put(7) && closes()
               && put(0xbb) && TEST_true(WPACKET_finish(&pkt))
               && TEST_mem_eq(out, 8, "\xaa\0\3\x08\x09\7\xbb\x5a", 8));
}

static int t2(void)
{
    return end(begin() && start(3) && length_is(0) && put(1) && length_is(1) && closes()
               && length_is(4) && total_is(4));
}

static int t3(void)
{
    size_t size, i;

    for (size = 1; size <= 8; size++) {
        int ok = begin() && put(0xee) && start(size) && length_is(0) && total_is(1 + size)
            && TEST_true(WPACKET_memset(&pkt, 0x33, 200)) && length_is(200) && closes();

        for (i = 1; i < size && ok; i++)
            ok = TEST_uint_eq(out[i], 0);
        ok = ok && TEST_uint_eq(out[0], 0xee) && TEST_uint_eq(out[size], 200)
            && TEST_uint_eq(out[size + 1], 0x33) && TEST_uint_eq(out[size + 200], 0x33)
            && TEST_uint_eq(out[size + 201], 0x5a);
        if (!end(ok))
            return 0;
    }
    return 1;
}

static int t4(void)
{
    return end(begin() && start(1) && TEST_true(WPACKET_memset(&pkt, 1, 255)) && closes())
        && end(begin() && start(1) && TEST_true(WPACKET_memset(&pkt, 1, 256))
               && TEST_false(WPACKET_close(&pkt)))
        && end(begin() && start(2) && TEST_true(WPACKET_memset(&pkt, 1, 256)) && closes()
               && TEST_mem_eq(out, 3, "\1\0\1", 3));
}

static int t5(void)
{
    return end(begin() && put(1) && start(0) && length_is(0) && total_is(1) && put(2) && closes()
               && total_is(2) && TEST_mem_eq(out, 3, "\1\2\x5a", 3));
}

static int t6(void)
{
    return end(begin() && start(2) && put(1) && start(1) && put(2) && start(0) && put(3)
               && length_is(1) && closes() && length_is(2) && start(3) && closes() && closes()
               && length_is(7) && closes() && TEST_true(WPACKET_finish(&pkt))
               && TEST_mem_eq(out, 10, "\0\7\1\5\2\3\0\0\0\x5a", 10));
}

static int t7(void)
{
    int ok;

    memset(out, 0x5a, sizeof(out));
    ok = TEST_true(WPACKET_init_static_len(&pkt, out, 4, 0)) && put(1) && put(2) && put(3)
        && TEST_false(WPACKET_start_sub_packet_len__(&pkt, 2)) && TEST_uint_eq(out[4], 0x5a);
    if (!end(ok))
        return 0;
    memset(out, 0x5a, sizeof(out));
    ok = TEST_true(WPACKET_init_static_len(&pkt, out, 4, 0)) && put(1) && put(2) && start(2)
        && closes() && TEST_mem_eq(out, 5, "\1\2\0\0\x5a", 5);
    return end(ok);
}

static int t8(void)
{
    int ok = TEST_true(WPACKET_init_der(&pkt, out, 10))
        && start(0) && put(5) && closes() && total_is(2)
        && TEST_true(WPACKET_finish(&pkt)) && TEST_mem_eq(out + 8, 2, "\1\5", 2);

    return end(ok);
}

static int t9(void)
{
    BUF_MEM *buf = BUF_MEM_new();
    int i, ok = TEST_true(WPACKET_init(&pkt, buf));

    for (i = 0; i < 700 && ok; i++)
        ok = start(2) && put(i & 0xff) && closes();
    ok = ok && total_is(2100) && TEST_mem_eq(buf->data, 6, "\0\1\0\0\1\1", 6)
        && TEST_mem_eq(buf->data + 2097, 3, "\0\1\xbb", 3) && TEST_true(WPACKET_finish(&pkt));
    ok = end(ok);
    BUF_MEM_free(buf);
    return ok;
}

static int t10(void)
{
    return end(TEST_true(WPACKET_init_null(&pkt, 0)) && put(1) && start(4) && put(2)
               && length_is(1)
               && closes() && total_is(6) && TEST_true(WPACKET_finish(&pkt)));
}

static int t11(void)
{
    return end(begin() && TEST_true(WPACKET_set_flags(&pkt, WPACKET_FLAGS_NON_ZERO_LENGTH))
               && start(1) && closes() && start(1)
               && TEST_true(WPACKET_set_flags(&pkt, WPACKET_FLAGS_ABANDON_ON_ZERO_LENGTH))
               && closes() && total_is(1) && start(1)
               && TEST_true(WPACKET_set_flags(&pkt, WPACKET_FLAGS_NON_ZERO_LENGTH))
               && TEST_false(WPACKET_close(&pkt)));
}

static int t12(void)
{
    return end(begin() && TEST_true(WPACKET_finish(&pkt))
               && TEST_false(WPACKET_start_sub_packet_len__(&pkt, 1))
               && TEST_false(WPACKET_start_sub_packet_len__(&pkt, 0)));
}

static int t13(void)
{
    long before = memory_blocks;

    return t0() && t1() && t2() && t3() && t4() && t5() && t6() && t7() && t8() && t9() && t10()
        && t11() && TEST_long_eq(memory_blocks, before);
}

static int t14(void)
{
    int ok = begin() && put(1);

    memory_left = 0;
    ok = ok && TEST_false(WPACKET_start_sub_packet_len__(&pkt, 2));
    memory_left = -1;
    return end(ok && length_is(1) && TEST_true(WPACKET_finish(&pkt)));
}

int setup_tests(void)
{
    add_test("bytes are kept for the length", t0);
    add_test("the length is written when it is closed", t1);
    add_test("the length does not count itself", t2);
    add_test("each number of bytes is right", t3);
    add_test("a content that is too long is told", t4);
    add_test("without bytes for it no length is written", t5);
    add_test("sub-packets can be nested", t6);
    add_test("a packet without room is an error", t7);
    add_test("with DER no length is kept", t8);
    add_test("a growing buffer grows", t9);
    add_test("a packet without a buffer counts", t10);
    add_test("flags are its own", t11);
    add_test("a packet that is over is refused", t12);
    add_test("nothing is leaked", t13);
    add_test("a failed allocation is told", t14);
    return 1;
}
