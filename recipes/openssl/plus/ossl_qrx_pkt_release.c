/*---
 * tasks: [1544A5B6387D628A]
 * tests:
 *   NULL does nothing: 'Docstring: "No-op if pkt is NULL".'
 *   a packet that is released is freed: 'Docstring: "frees it if the reference count drops to zero".'
 *   each packet of several is freed: 'The same; caller ssl/quic/quic_channel.c (ch_rx).'
 *   a packet is kept while somebody holds a reference: 'include/internal/quic_record_rx.h: extra references "cause a
 *     corresponding number of calls to ossl_qrx_pkt_release() to be ignored".'
 *   as many releases as references free the packet: 'The same.'
 *   packets can be released in any order: 'Caller ssl/quic/quic_sf_list.c releases a packet when its last frame is
 *     read.'
 *   memory does not grow with the packets read: 'Docstring: "frees it"; a connection reads packets without end.'
 *   the next packet can be read after a release: 'Caller ssl/quic/quic_channel.c (ch_rx).'
 ---*/
#include "memory_count.h"
#include "internal/quic_types.h"
#include "internal/quic_demux.h"
#include "internal/quic_record_rx.h"
#include "testutil.h"

static QUIC_DEMUX *demux;
static OSSL_QRX *qrx;
static long before;

static void handler(QUIC_URXE *e, void *arg, const QUIC_CONN_ID *dcid)
{
    ossl_qrx_inject_urxe(qrx, e);
}

static int start(void)
{
    OSSL_QRX_ARGS args = { 0 };

    before = memory_blocks;
    memory_bad_frees = 0;
    if (!TEST_ptr(demux = ossl_quic_demux_new(NULL, 8, NULL, NULL)))
        return 0;
    ossl_quic_demux_set_default_handler(demux, handler, NULL);
    args.demux = demux;
    args.short_conn_id_len = 8;
    args.max_deferred = 4;
    return TEST_ptr(qrx = ossl_qrx_new(&args));
}

static int finish(void)
{
    ossl_qrx_free(qrx);
    ossl_quic_demux_free(demux);
    return TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
}

/* Receives a packet of version negotiation, which needs no keys and holds this number, and reads it. */
static OSSL_QRX_PKT *receive(unsigned char number)
{
    unsigned char packet[] = { 0x80, 0, 0, 0, 0, 1, 0x11, 1, 0x22, 0xaa, 0xbb, 0xcc, 0 };
    OSSL_QRX_PKT *pkt = NULL;

    packet[sizeof(packet) - 1] = number;
    return TEST_true(ossl_quic_demux_inject(demux, packet, sizeof(packet), NULL, NULL))
        && TEST_true(ossl_qrx_read_pkt(qrx, &pkt))
        ? pkt : NULL;
}

static int holds(OSSL_QRX_PKT *pkt, unsigned char number)
{
    return TEST_ptr(pkt) && TEST_ptr(pkt->hdr)
        && TEST_size_t_eq(pkt->hdr->len, 4)
        && TEST_ptr(pkt->hdr->data)
        && TEST_int_eq(pkt->hdr->data[3], number)
        && TEST_int_eq(pkt->hdr->type, QUIC_PKT_TYPE_VERSION_NEG)
        && TEST_int_eq(pkt->hdr->dst_conn_id.id[0], 0x11)
        && TEST_ptr_eq(pkt->qrx, qrx);
}

static int null(void)
{
    if (!start())
        return 0;
    ossl_qrx_pkt_release(NULL);
    return finish();
}

static int one(void)
{
    OSSL_QRX_PKT *pkt;

    if (!start() || !holds(pkt = receive(1), 1))
        return 0;
    ossl_qrx_pkt_release(pkt);
    return finish();
}

static int several(void)
{
    OSSL_QRX_PKT *pkts[5];
    int i;

    if (!start())
        return 0;
    for (i = 0; i < 5; i++)
        if (!TEST_ptr(pkts[i] = receive(i)))
            return 0;
    for (i = 0; i < 5; i++)
        ossl_qrx_pkt_release(pkts[i]);
    return finish();
}

static int kept(void)
{
    OSSL_QRX_PKT *pkt, *next, *third;

    if (!start() || !TEST_ptr(pkt = receive(1)))
        return 0;
    ossl_qrx_pkt_up_ref(pkt);
    ossl_qrx_pkt_up_ref(pkt);
    ossl_qrx_pkt_release(pkt);
    if (!holds(pkt, 1) || !TEST_ptr(next = receive(2)) || !TEST_ptr_ne(pkt, next))
        return 0;
    ossl_qrx_pkt_release(pkt);
    if (!holds(pkt, 1) || !holds(next, 2) || !TEST_ptr(third = receive(3)) || !TEST_ptr_ne(pkt, third)
        || !holds(pkt, 1) || !holds(next, 2) || !holds(third, 3))
        return 0;
    ossl_qrx_pkt_release(pkt);
    ossl_qrx_pkt_release(next);
    ossl_qrx_pkt_release(third);
    return finish();
}

static int as_many(void)
{
    OSSL_QRX_PKT *pkt;
    int i;

    if (!start() || !TEST_ptr(pkt = receive(1)))
        return 0;
    for (i = 0; i < 9; i++)
        ossl_qrx_pkt_up_ref(pkt);
    for (i = 0; i < 9; i++) {
        ossl_qrx_pkt_release(pkt);
        if (!holds(pkt, 1))
            return 0;
    }
    ossl_qrx_pkt_release(pkt);
    return finish();
}

static int any_order(void)
{
    OSSL_QRX_PKT *a, *b, *c;

    if (!start() || !TEST_ptr(a = receive(1)) || !TEST_ptr(b = receive(2)) || !TEST_ptr(c = receive(3)))
        return 0;
    ossl_qrx_pkt_up_ref(a);
    ossl_qrx_pkt_release(c);
    ossl_qrx_pkt_release(a);
    if (!holds(a, 1) || !holds(b, 2))
        return 0;
    ossl_qrx_pkt_release(b);
    if (!holds(a, 1) || !TEST_ptr(b = receive(4)) || !holds(a, 1) || !holds(b, 4))
        return 0;
    ossl_qrx_pkt_release(a);
    ossl_qrx_pkt_release(b);
    return finish();
}

static int no_growth(void)
{
    OSSL_QRX_PKT *pkt;
    long after_first = 0;
    int i;

    if (!start())
        return 0;
    for (i = 0; i < 100; i++) {
        if (!holds(pkt = receive(i), i))
            return 0;
        ossl_qrx_pkt_release(pkt);
        if (i == 0)
            after_first = memory_blocks;
    }
    return TEST_long_le(memory_blocks, after_first + 5) && finish();
}

static int next_one(void)
{
    OSSL_QRX_PKT *pkt, *held;

    if (!start() || !TEST_ptr(pkt = receive(1)))
        return 0;
    ossl_qrx_pkt_release(pkt);
    if (!holds(pkt = receive(2), 2) || !TEST_ptr(held = receive(3)))
        return 0;
    ossl_qrx_pkt_release(pkt);
    if (!holds(pkt = receive(4), 4) || !holds(held, 3))
        return 0;
    ossl_qrx_pkt_release(held);
    ossl_qrx_pkt_release(pkt);
    return finish();
}

int setup_tests(void)
{
    add_test("NULL does nothing", null);
    add_test("a packet that is released is freed", one);
    add_test("each packet of several is freed", several);
    add_test("a packet is kept while somebody holds a reference", kept);
    add_test("as many releases as references free the packet", as_many);
    add_test("packets can be released in any order", any_order);
    add_test("memory does not grow with the packets read", no_growth);
    add_test("the next packet can be read after a release", next_one);
    return 1;
}
