/*---
 * tasks: [DBCCC2264AA08AAB]
 * tests:
 *   the callback is called when an ACK is sent: 'Docstring: "called whenever TXP sends an ACK frame".'
 *   it is called for every ACK: 'Docstring: "whenever".'
 *   it is not called for packets without an ACK: 'Docstring.'
 *   it gets the argument given with it: 'Parameter cb_arg; caller ssl/quic/quic_channel.c gives itself.'
 *   it gets the numbers that are acknowledged: 'Docstring: "Can be used to snoop on PNs being ACKed".'
 *   it gets the space of the packet numbers: 'Parameter pn_space of the callback; ch_on_txp_ack_tx acts in the
 *     application space alone.'
 *   another callback takes the place of the first: 'Docstring: "Sets a callback".'
 *   the same callback can get another argument: 'Parameter cb_arg.'
 *   the argument may be NULL: 'Parameter cb_arg is opaque.'
 *   NULL turns the callback off: 'txp_generate_pre_token: a packetiser has none at first.'
 *   setting a callback calls nobody: 'Docstring: it is called when an ACK is sent.'
 ---*/
#include "internal/quic_txp.h"
#include "internal/quic_statm.h"
#include "internal/quic_error.h"
#include "testutil.h"

static OSSL_QUIC_TX_PACKETISER *txp;
static OSSL_QUIC_TX_PACKETISER_ARGS args;
static OSSL_STATM statm;
static QUIC_TXFC txfc;
static QUIC_RXFC rxfc, bidi_rxfc, uni_rxfc;
static QUIC_STREAM_MAP qsm;
static BIO *near, *far;
static QUIC_PN next_pn;
static uint64_t ms = 1000;

typedef struct {
    int calls;
    uint32_t pn_space;
    uint64_t first, last;
} SEEN;

static SEEN one, two;
static int null_calls, other_calls, stray_calls;

static void seen(const OSSL_QUIC_FRAME_ACK *ack, uint32_t pn_space, void *arg)
{
    SEEN *s = arg;

    if (s == NULL) {
        null_calls++;
    } else if (s == &one || s == &two) {
        s->calls++;
        s->pn_space = pn_space;
        s->first = ack->ack_ranges[ack->num_ack_ranges - 1].start;
        s->last = ack->ack_ranges[0].end;
    } else {
        stray_calls++;
    }
}

static void other(const OSSL_QUIC_FRAME_ACK *ack, uint32_t pn_space, void *arg)
{
    other_calls++;
    seen(ack, pn_space, arg);
}

static OSSL_TIME now(void *arg)
{
    return ossl_ms2time(ms);
}

static void finish(void)
{
    uint32_t space;

    if (args.ackm != NULL)
        for (space = 0; space < QUIC_PN_SPACE_NUM; space++)
            ossl_ackm_on_pkt_space_discarded(args.ackm, space);
    ossl_quic_tx_packetiser_free(txp);
    ossl_qtx_free(args.qtx);
    ossl_quic_txpim_free(args.txpim);
    ossl_quic_cfq_free(args.cfq);
    ossl_ackm_free(args.ackm);
    if (args.qsm != NULL) {
        ossl_quic_stream_map_cleanup(&qsm);
        ossl_statm_destroy(&statm);
        args.cc_method->free(args.cc_data);
    }
    for (space = 0; space < QUIC_PN_SPACE_NUM; space++)
        ossl_quic_sstream_free(args.crypto[space]);
    BIO_free(near);
    BIO_free(far);
    txp = NULL;
    near = far = NULL;
    memset(&args, 0, sizeof(args));
}

/* A packetiser with keys for all levels but 0-RTT, whose datagrams nobody reads. */
static int start(void)
{
    static const unsigned char secret[32] = { 7 };
    static const uint32_t levels[] = { QUIC_ENC_LEVEL_INITIAL, QUIC_ENC_LEVEL_HANDSHAKE, QUIC_ENC_LEVEL_1RTT };
    OSSL_QTX_ARGS qtx_args = { 0 };
    size_t i;

    finish();
    memset(&one, 0, sizeof(one));
    memset(&two, 0, sizeof(two));
    null_calls = other_calls = stray_calls = 0;
    next_pn = 0;
    if (!TEST_true(BIO_new_bio_dgram_pair(&near, 0, &far, 0)))
        return 0;
    qtx_args.bio = near;
    qtx_args.mdpl = 1200;
    args.cc_method = &ossl_cc_newreno_method;
    args.cur_scid.id_len = args.cur_dcid.id_len = 8;
    args.now = now;
    args.ack_delay_exponent = 3;
    if (!TEST_ptr(args.qtx = ossl_qtx_new(&qtx_args))
        || !TEST_ptr(args.txpim = ossl_quic_txpim_new())
        || !TEST_ptr(args.cfq = ossl_quic_cfq_new())
        || !TEST_true(ossl_quic_txfc_init(&txfc, NULL))
        || !TEST_true(ossl_quic_rxfc_init(&rxfc, NULL, 1000, 1000, now, NULL))
        || !TEST_true(ossl_quic_rxfc_init_standalone(&bidi_rxfc, 100, now, NULL))
        || !TEST_true(ossl_quic_rxfc_init_standalone(&uni_rxfc, 100, now, NULL))
        || !TEST_true(ossl_statm_init(&statm))
        || !TEST_ptr(args.cc_data = args.cc_method->new(now, NULL))
        || !TEST_ptr(args.ackm = ossl_ackm_new(now, NULL, &statm, args.cc_method, args.cc_data))
        || !TEST_true(ossl_quic_stream_map_init(&qsm, NULL, NULL, &bidi_rxfc, &uni_rxfc, 0)))
        return 0;
    args.qsm = &qsm;
    args.conn_txfc = &txfc;
    args.conn_rxfc = &rxfc;
    args.max_streams_bidi_rxfc = &bidi_rxfc;
    args.max_streams_uni_rxfc = &uni_rxfc;
    for (i = 0; i < QUIC_PN_SPACE_NUM; i++)
        if (!TEST_ptr(args.crypto[i] = ossl_quic_sstream_new(4096)))
            return 0;
    for (i = 0; i < OSSL_NELEM(levels); i++)
        if (!TEST_true(ossl_qtx_provide_secret(args.qtx, levels[i], QRL_SUITE_AES128GCM, NULL, secret, sizeof(secret))))
            return 0;
    if (!TEST_ptr(txp = ossl_quic_tx_packetiser_new(&args)))
        return 0;
    ossl_quic_tx_packetiser_notify_handshake_complete(txp);
    return 1;
}

static int generate(size_t expected)
{
    QUIC_TXP_STATUS status = { 0 };
    int ok = TEST_true(ossl_quic_tx_packetiser_generate(txp, &status)) && TEST_size_t_eq(status.sent_pkt, expected);

    ossl_qtx_finish_dgram(args.qtx);
    ossl_qtx_flush_net(args.qtx);
    return ok;
}

/* Receives n packets, and sends what acknowledges them. */
static int acknowledge(uint32_t space, int n)
{
    OSSL_ACKM_RX_PKT pkt = { 0 };

    while (n-- > 0) {
        pkt.pkt_num = next_pn++;
        pkt.time = now(NULL);
        pkt.pkt_space = space;
        pkt.is_ack_eliciting = 1;
        if (!TEST_true(ossl_ackm_on_rx_packet(args.ackm, &pkt)))
            return 0;
    }
    ossl_quic_tx_packetiser_schedule_ack(txp, space);
    return generate(1);
}

static int calls(int of_one, int of_two)
{
    return TEST_int_eq(one.calls, of_one) && TEST_int_eq(two.calls, of_two) && TEST_int_eq(stray_calls, 0);
}

static int called(void)
{
    if (!start())
        return 0;
    ossl_quic_tx_packetiser_set_ack_tx_cb(txp, seen, &one);
    return acknowledge(QUIC_PN_SPACE_APP, 5) && calls(1, 0);
}

static int every(void)
{
    if (!start())
        return 0;
    ossl_quic_tx_packetiser_set_ack_tx_cb(txp, seen, &one);
    return acknowledge(QUIC_PN_SPACE_APP, 3) && acknowledge(QUIC_PN_SPACE_APP, 3)
        && acknowledge(QUIC_PN_SPACE_APP, 3) && calls(3, 0);
}

static int without_ack(void)
{
    if (!start())
        return 0;
    ossl_quic_tx_packetiser_set_ack_tx_cb(txp, seen, &one);
    ossl_quic_tx_packetiser_schedule_ack_eliciting(txp, QUIC_PN_SPACE_APP);
    return generate(1) && generate(0) && calls(0, 0);
}

static int argument(void)
{
    if (!start())
        return 0;
    ossl_quic_tx_packetiser_set_ack_tx_cb(txp, seen, &two);
    return acknowledge(QUIC_PN_SPACE_APP, 2) && calls(0, 1);
}

static int numbers(void)
{
    if (!start())
        return 0;
    next_pn = 40;
    ossl_quic_tx_packetiser_set_ack_tx_cb(txp, seen, &one);
    return acknowledge(QUIC_PN_SPACE_APP, 5) && calls(1, 0)
        && TEST_uint64_t_eq(one.first, 40) && TEST_uint64_t_eq(one.last, 44);
}

static int spaces(void)
{
    if (!start())
        return 0;
    ossl_quic_tx_packetiser_set_ack_tx_cb(txp, seen, &one);
    return acknowledge(QUIC_PN_SPACE_APP, 2) && calls(1, 0) && TEST_uint_eq(one.pn_space, QUIC_PN_SPACE_APP)
        && acknowledge(QUIC_PN_SPACE_HANDSHAKE, 2) && calls(2, 0)
        && TEST_uint_eq(one.pn_space, QUIC_PN_SPACE_HANDSHAKE);
}

static int another(void)
{
    if (!start())
        return 0;
    ossl_quic_tx_packetiser_set_ack_tx_cb(txp, seen, &one);
    ossl_quic_tx_packetiser_set_ack_tx_cb(txp, other, &two);
    return acknowledge(QUIC_PN_SPACE_APP, 2) && calls(0, 1) && TEST_int_eq(other_calls, 1);
}

static int other_argument(void)
{
    if (!start())
        return 0;
    ossl_quic_tx_packetiser_set_ack_tx_cb(txp, seen, &one);
    if (!acknowledge(QUIC_PN_SPACE_APP, 2))
        return 0;
    ossl_quic_tx_packetiser_set_ack_tx_cb(txp, seen, &two);
    return acknowledge(QUIC_PN_SPACE_APP, 2) && calls(1, 1);
}

static int null_argument(void)
{
    if (!start())
        return 0;
    ossl_quic_tx_packetiser_set_ack_tx_cb(txp, seen, &one);
    ossl_quic_tx_packetiser_set_ack_tx_cb(txp, seen, NULL);
    return acknowledge(QUIC_PN_SPACE_APP, 2) && calls(0, 0) && TEST_int_eq(null_calls, 1);
}

static int off(void)
{
    if (!start())
        return 0;
    ossl_quic_tx_packetiser_set_ack_tx_cb(txp, seen, &one);
    ossl_quic_tx_packetiser_set_ack_tx_cb(txp, NULL, NULL);
    if (!acknowledge(QUIC_PN_SPACE_APP, 2) || !calls(0, 0) || !TEST_int_eq(null_calls, 0))
        return 0;
    ossl_quic_tx_packetiser_set_ack_tx_cb(txp, seen, &two);
    return acknowledge(QUIC_PN_SPACE_APP, 2) && calls(0, 1);
}

static int calls_nobody(void)
{
    if (!start())
        return 0;
    ossl_quic_tx_packetiser_set_ack_tx_cb(txp, seen, &one);
    ossl_quic_tx_packetiser_set_ack_tx_cb(txp, other, NULL);
    return calls(0, 0) && TEST_int_eq(null_calls, 0) && TEST_int_eq(other_calls, 0);
}

int setup_tests(void)
{
    add_test("the callback is called when an ACK is sent", called);
    add_test("it is called for every ACK", every);
    add_test("it is not called for packets without an ACK", without_ack);
    add_test("it gets the argument given with it", argument);
    add_test("it gets the numbers that are acknowledged", numbers);
    add_test("it gets the space of the packet numbers", spaces);
    add_test("another callback takes the place of the first", another);
    add_test("the same callback can get another argument", other_argument);
    add_test("the argument may be NULL", null_argument);
    add_test("NULL turns the callback off", off);
    add_test("setting a callback calls nobody", calls_nobody);
    return 1;
}

void cleanup_tests(void)
{
    finish();
}
