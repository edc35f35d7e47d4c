/*---
 * tasks: [ossl_encode_der_dsa_sig-e07f05.16]
 * tests:
 *   the place is told: 'packet.h: "A pointer to the allocated bytes is stored in |*allocbytes|".'
 *   the bytes count as written: 'packet.h: "reserves the bytes and counts them as written".'
 *   nothing is written to them: 'packet.h: "but does not actually do the writing".'
 *   the place need not be asked for: 'packet.h: "|allocbytes| may be NULL".'
 *   all the room can be had and no more:
 *     'packet.h, WPACKET_init_static_len: "A failure will occur if you attempt to write beyond the
 *     end".'
 *   a maximum size is kept:
 *     'packet.h, WPACKET_set_max_size: "will not allow the WPACKET to grow beyond".'
 *   a growing buffer grows: 'packet.h, WPACKET_init_len; "the underlying buffer may be reallocd".'
 *   with DER the place is before what stands there:
 *     'packet.h, WPACKET_init_der: "write to the end of the buffer moving towards the start".'
 *   a packet without a buffer has no place:
 *     'packet.h, WPACKET_init_null: "We just keep track"; ossl_encode_der_integer tests bnbytes.'
 *   a packet that is over is refused:
 *     'packet.h: subs, "always at least one if not finished"; siblings: pkt->subs != NULL.'
 *   a failed allocation is told: 'Callers test for 0; BUF_MEM_grow.'
 ---*/
#include "internal/packet.h"
#include "../testutil.h"
#include "memory_count.h"
#include "pc_packets.h"

static int t0(void)
{
    unsigned char *p = NULL;

    return end(begin() && put(1) && TEST_true(WPACKET_allocate_bytes(&pkt, 5, &p))
               && TEST_ptr_eq(p, out + 1)
               && TEST_ptr_ne(p, NULL));
}

static int t1(void)
{
    unsigned char *p = NULL, *q = NULL;

    return end(begin() && put(1) && TEST_true(WPACKET_allocate_bytes(&pkt, 5, &p))
               && total_is(6)
               && length_is(6) && TEST_true(WPACKET_allocate_bytes(&pkt, 7, &q))
               && total_is(13)
               && TEST_ptr_eq(q, out + 6) && put(2) && TEST_uint_eq(out[13], 2));
}

static int t2(void)
{
    unsigned char *p = NULL;

    return end(begin() && put(1) && TEST_true(WPACKET_allocate_bytes(&pkt, 3, &p))
               && TEST_mem_eq(out, 5, "\1\x5a\x5a\x5a\x5a", 5));
}

static int t3(void)
{
    return end(begin() && TEST_true(WPACKET_allocate_bytes(&pkt, 4, NULL)) && total_is(4))
        && end(begin_der(20) && TEST_true(WPACKET_allocate_bytes(&pkt, 4, NULL))
        && total_is(4));
}

static int t4(void)
{
    unsigned char *p = NULL;

    return end(begin_with(10) && put(1) && TEST_false(WPACKET_allocate_bytes(&pkt, 10, &p))
               && TEST_false(WPACKET_allocate_bytes(&pkt, SIZE_MAX, &p)) && total_is(1)
               && TEST_true(WPACKET_allocate_bytes(&pkt, 9, &p))
               && TEST_ptr_eq(p, out + 1) && total_is(10))
        && end(begin_with(4) && TEST_false(WPACKET_allocate_bytes(&pkt, 5, &p))
               && TEST_true(WPACKET_allocate_bytes(&pkt, 4, &p)));
}

static int t5(void)
{
    unsigned char *p = NULL;
    BUF_MEM *buf = BUF_MEM_new();
    int ok = end(TEST_true(WPACKET_init(&pkt, buf)) && put(1)
                 && TEST_true(WPACKET_set_max_size(&pkt, 300))
                 && TEST_false(WPACKET_allocate_bytes(&pkt, 300, &p))
                 && TEST_true(WPACKET_allocate_bytes(&pkt, 299, &p)));

    BUF_MEM_free(buf);
    return ok && end(begin() && TEST_true(WPACKET_set_max_size(&pkt, 8)) && put(1)
               && TEST_false(WPACKET_allocate_bytes(&pkt, 8, &p))
               && TEST_true(WPACKET_allocate_bytes(&pkt, 7, &p)));
}

static int t6(void)
{
    BUF_MEM *buf = BUF_MEM_new();
    unsigned char *p = NULL;
    size_t sizes[] = { 1, 255, 256, 257, 700, 5000, 3, 40000 }, i;
    int ok = TEST_true(WPACKET_init(&pkt, buf));

    for (i = 0; i < 8 && ok; i++) {
        size_t before = 0;

        ok = TEST_true(WPACKET_get_total_written(&pkt, &before))
            && TEST_true(WPACKET_allocate_bytes(&pkt, sizes[i], &p))
            && TEST_ptr_eq(p, (unsigned char *)buf->data + before)
            && TEST_size_t_ge(buf->length, before + sizes[i]);
        if (ok)
            memset(p, (int)i, sizes[i]);
    }
    ok = end(ok);
    BUF_MEM_free(buf);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int t7(void)
{
    unsigned char *p = NULL;

    return end(begin_der(20) && put(1) && TEST_uint_eq(out[19], 1)
               && TEST_true(WPACKET_allocate_bytes(&pkt, 5, &p)) && TEST_ptr_eq(p, out + 14)
               && TEST_false(WPACKET_allocate_bytes(&pkt, 20, &p)));
}

static int t8(void)
{
    unsigned char *p = out;

    if (!end(begin_null() && TEST_true(WPACKET_allocate_bytes(&pkt, 5, &p))
        && TEST_ptr_null(p)
             && total_is(5)))
        return 0;
    p = out;
    return end(TEST_true(WPACKET_init_null_der(&pkt))
               && TEST_true(WPACKET_allocate_bytes(&pkt, 5, &p))
               && TEST_ptr_null(p) && total_is(5));
}

static int t9(void)
{
    unsigned char *p = NULL;

    return end(begin() && TEST_true(WPACKET_finish(&pkt))
               && TEST_false(WPACKET_allocate_bytes(&pkt, 1, &p)));
}

static int t10(void)
{
    BUF_MEM *buf = BUF_MEM_new();
    unsigned char *p = NULL;
    int ok = TEST_true(WPACKET_init(&pkt, buf)) && put(1);

    memory_left = 0;
    ok = ok && TEST_false(WPACKET_allocate_bytes(&pkt, 10000, &p));
    memory_left = -1;
    ok = end(ok && total_is(1));
    BUF_MEM_free(buf);
    return ok;
}

int setup_tests(void)
{
    add_test("the place is told", t0);
    add_test("the bytes count as written", t1);
    add_test("nothing is written to them", t2);
    add_test("the place need not be asked for", t3);
    add_test("all the room can be had and no more", t4);
    add_test("a maximum size is kept", t5);
    add_test("a growing buffer grows", t6);
    add_test("with DER the place is before what stands there", t7);
    add_test("a packet without a buffer has no place", t8);
    add_test("a packet that is over is refused", t9);
    add_test("a failed allocation is told", t10);
    return 1;
}
