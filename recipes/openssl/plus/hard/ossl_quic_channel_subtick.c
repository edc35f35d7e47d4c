/*---
 * tasks: [custom_ext_parse-9fc2dd.16]
 * tests:
 *   packets are received and then the handshake goes on and then packets are sent:
 *     'Comment: "This does everything"; ch_rx, ch_tick_tls and ch_tx: what comes in brings about what
 *     goes out; quic_reactor.h.'
 *   streams that are ready for it are collected:
 *     'quic_stream_map.h: ossl_quic_stream_map_gc; nobody else calls it.'
 *   a new secret lets packets be received again:
 *     'quic_channel_local.h: have_new_rx_secret, "if we need to check our RX queues again".'
 *   with CHANNEL_ONLY the handshake layer is left alone:
 *     'quic_reactor.h: QUIC_REACTOR_TICK_FLAG_CHANNEL_ONLY; ch_rx and ch_tick_tls take it.'
 *   a terminated channel does and wants nothing:
 *     'connection-state-machine.md: "No timer events related to the connection will ever need fire
 *     again"; "totally quiescent".'
 *   a terminating channel ends at its deadline:
 *     'quic_channel_local.h: terminate_deadline; ch_on_terminating_timeout: "Called once the
 *     terminating timer expires".'
 *   a channel that idles too long ends without a word:
 *     'quic_channel_local.h: idle_deadline; connection-state-machine.md: "a CONNECTION_CLOSE frame is
 *     NOT sent".'
 *   a loss is detected after its deadline:
 *     'quic-ackm.md: ossl_ackm_on_timeout "must be called whenever the loss detection deadline
 *     expires".'
 *   a ping is sent at its deadline and its deadline moves on:
 *     'quic_channel_local.h: ping_deadline; ch_update_ping_deadline;
 *     ossl_quic_tx_packetiser_schedule_ack_eliciting.'
 *   a key update is ended at its deadline: 'ch_rxku_tick: "Called per tick to handle RXKU timer events".'
 *   it is told when to be called next:
 *     'ch_determine_next_tick_deadline: "Determine next tick deadline"; quic_reactor.h.'
 *   it is told whether reading and writing are wanted:
 *     'quic_reactor.h: "when network RX is possible?", "when network TX is possible?";
 *     ossl_qtx_get_queue_len_datagrams.'
 *   one that ends in this tick wants nothing:
 *     'quic_reactor.h; ch_determine_next_tick_deadline: infinite where terminated.'
 *   nothing is leaked or freed twice: 'quic_port.c: ossl_quic_port_subtick calls it again and again.'
 * flags:
 *   - "-Wl,--wrap=ossl_quic_tls_tick,--wrap=ossl_quic_tls_get_error,--wrap=ossl_qrx_read_pkt"
 *   - "-Wl,--wrap=ossl_quic_tx_packetiser_generate,--wrap=ossl_quic_stream_map_gc"
 *   - "-Wl,--wrap=ossl_quic_tx_packetiser_schedule_ack_eliciting,--wrap=ossl_quic_tx_packetiser_get_deadline"
 *   - "-Wl,--wrap=ossl_ackm_on_timeout,--wrap=ossl_ackm_get_loss_detection_deadline"
 *   - "-Wl,--wrap=ossl_qtx_get_queue_len_datagrams,--wrap=ossl_qrx_key_update_timeout"
 ---*/
#include "../../ssl/quic/quic_channel.c"
#include "../testutil.h"
#include "memory_count.h"
#include "quic_channels.h"

static QUIC_CHANNELS all;
static SSL *tls;
static QUIC_CHANNEL *ch;
static QUIC_TICK_RESULT res;
static OSSL_TIME now;

/* What was called, in order: a letter for each. */
static char calls[60];
static int new_secrets, tls_fails, generate_fails, key_update_normal;
static uint32_t ping_space;
static size_t queued;
static OSSL_TIME loss_deadline;

static void called(char letter)
{
    size_t length = strlen(calls);

    if (length < sizeof(calls) - 1)
        calls[length] = letter;
}

int __wrap_ossl_quic_tls_tick(QUIC_TLS *qtls)
{
    called('t');
    if (new_secrets > 0) {
        new_secrets--;
        ch->have_new_rx_secret = 1;
    }
    return !tls_fails;
}

int __wrap_ossl_quic_tls_get_error(QUIC_TLS *qtls, uint64_t *code, const char **msg, ERR_STATE **state)
{
    if (tls_fails) {
        *code = QUIC_ERR_INTERNAL_ERROR;
        *msg = "internal error";
        *state = NULL;
    }
    return tls_fails;
}

int __wrap_ossl_qrx_read_pkt(OSSL_QRX *qrx, OSSL_QRX_PKT **pkt)
{
    called('r');
    return 0;
}

int __wrap_ossl_quic_tx_packetiser_generate(OSSL_QUIC_TX_PACKETISER *txp, QUIC_TXP_STATUS *status)
{
    called('g');
    memset(status, 0, sizeof(*status));
    return !generate_fails;
}

void __wrap_ossl_quic_stream_map_gc(QUIC_STREAM_MAP *qsm)
{
    if (qsm == &ch->qsm)
        called('c');
}

void __wrap_ossl_quic_tx_packetiser_schedule_ack_eliciting(OSSL_QUIC_TX_PACKETISER *txp,
                                                           uint32_t pn_space)
{
    called('p');
    ping_space = pn_space;
}

OSSL_TIME __wrap_ossl_quic_tx_packetiser_get_deadline(OSSL_QUIC_TX_PACKETISER *txp)
{
    return ossl_time_infinite();
}

int __wrap_ossl_ackm_on_timeout(OSSL_ACKM *ackm)
{
    called('o');
    return 1;
}

OSSL_TIME __wrap_ossl_ackm_get_loss_detection_deadline(OSSL_ACKM *ackm)
{
    return loss_deadline;
}

size_t __wrap_ossl_qtx_get_queue_len_datagrams(OSSL_QTX *qtx)
{
    return queued;
}

int __wrap_ossl_qrx_key_update_timeout(OSSL_QRX *qrx, int normal)
{
    called('k');
    key_update_normal = normal;
    return 1;
}

static OSSL_TIME get_now(void *arg)
{
    return now;
}

/* The time in so many ticks from now. */
static OSSL_TIME in_ticks(int ticks)
{
    return ossl_ticks2time(ossl_time2ticks(now) + ticks);
}

/* A channel that is active, has sent something and has no deadline but the one for idling. */
static int begin(void)
{
    QUIC_CHANNEL_ARGS args = {0};

    ERR_clear_error();
    all.engine->now_cb = get_now;
    now = ossl_ms2time(1000000);
    loss_deadline = ossl_time_zero();
    new_secrets = tls_fails = generate_fails = key_update_normal = 0;
    ping_space = 77;
    queued = 0;
    memset(calls, 0, sizeof(calls));
    if (!TEST_ptr(tls = SSL_new(all.ctx)))
        return 0;
    args.port = all.port;
    args.lcidm = all.port->lcidm;
    args.srtm = all.port->srtm;
    args.tls = tls;
    if (!TEST_ptr(ch = ossl_quic_channel_new(&args)))
        return 0;
    ch->state = QUIC_CHANNEL_STATE_ACTIVE;
    ch->have_sent_any_pkt = 1;
    ch->ping_deadline = ossl_time_infinite();
    return 1;
}

static int end(int ok)
{
    ossl_quic_channel_free(ch);
    SSL_free(tls);
    ERR_clear_error();
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

/* With a result of zeros, as ossl_quic_port_subtick does. */
static void tick(uint32_t flags)
{
    memset(calls, 0, sizeof(calls));
    memset(&res, 0, sizeof(res));
    ossl_quic_channel_subtick(ch, &res, flags);
}

/* The calls of these letters, in order. */
static int order_is(const char *letters, const char *wanted)
{
    char some[sizeof(calls)];
    size_t i, count = 0;

    for (i = 0; calls[i] != '\0'; i++)
        if (strchr(letters, calls[i]) != NULL)
            some[count++] = calls[i];
    some[count] = '\0';
    return TEST_str_eq(some, wanted);
}

static int deadline_is(OSSL_TIME deadline)
{
    return TEST_uint64_t_eq(ossl_time2ticks(res.tick_deadline), ossl_time2ticks(deadline));
}

static int wants_nothing(void)
{
    return TEST_false(res.net_read_desired) && TEST_false(res.net_write_desired)
        && TEST_true(ossl_time_is_infinite(res.tick_deadline));
}

static int everything(void)
{
    int ok = begin();

    tick(0);
    ok = ok && order_is("rtg", "rtg") && order_is("pok", "");
    /* Each time anew. */
    ch->did_tls_tick = 1;
    tick(0);
    ok = ok && order_is("rtg", "rtg");
    tick(0);
    ok = ok && order_is("rtg", "rtg") && TEST_int_eq(ch->state, QUIC_CHANNEL_STATE_ACTIVE)
        && TEST_ulong_eq(ERR_peek_error(), 0);
    return end(ok);
}

static int collected(void)
{
    int ok = begin();

    tick(0);
    ok = ok && order_is("c", "c");
    tick(QUIC_REACTOR_TICK_FLAG_CHANNEL_ONLY);
    ok = ok && order_is("c", "c");
    return end(ok);
}

static int new_secret(void)
{
    int ok = begin();

    new_secrets = 1;
    tick(0);
    ok = ok && order_is("rtg", "rtrtg");
    new_secrets = 3;
    tick(0);
    ok = ok && order_is("rtg", "rtrtrtrtg");
    /* One that is known from before is no new one. */
    ch->have_new_rx_secret = 1;
    tick(0);
    ok = ok && order_is("rtg", "rtg");
    return end(ok);
}

static int channel_only(void)
{
    int ok = begin();

    queued = 2;
    tick(QUIC_REACTOR_TICK_FLAG_CHANNEL_ONLY);
    ok = ok && order_is("rtg", "rg") && TEST_true(res.net_read_desired)
        && TEST_true(res.net_write_desired);
    /* Nor is an error of it asked for. */
    tls_fails = 1;
    tick(QUIC_REACTOR_TICK_FLAG_CHANNEL_ONLY);
    ok = ok && order_is("rtg", "rg") && TEST_int_eq(ch->state, QUIC_CHANNEL_STATE_ACTIVE);
    tls_fails = 0;
    tick(0);
    ok = ok && order_is("rtg", "rtg");
    return end(ok);
}

static int terminated(void)
{
    int ok = begin();

    ch->state = QUIC_CHANNEL_STATE_TERMINATED;
    queued = 3;
    loss_deadline = in_ticks(-1);
    ch->ping_deadline = ch->idle_deadline = ch->terminate_deadline = in_ticks(-1);
    ch->rxku_in_progress = 1;
    ch->rxku_update_end_deadline = in_ticks(-1);
    tick(0);
    ok = ok && TEST_str_eq(calls, "") && wants_nothing()
        && TEST_int_eq(ch->state, QUIC_CHANNEL_STATE_TERMINATED);
    tick(QUIC_REACTOR_TICK_FLAG_CHANNEL_ONLY);
    ok = ok && TEST_str_eq(calls, "") && wants_nothing();
    return end(ok);
}

static int terminating(void)
{
    static const int states[] = {
        QUIC_CHANNEL_STATE_TERMINATING_CLOSING, QUIC_CHANNEL_STATE_TERMINATING_DRAINING
    };
    int i, ok;

    for (i = 0; i < 2; i++) {
        ok = begin();
        ch->state = states[i];
        queued = 1;
        ch->terminate_deadline = in_ticks(1);
        tick(0);
        ok = ok && TEST_int_eq(ch->state, states[i]) && TEST_true(res.net_read_desired)
            && deadline_is(in_ticks(1)) && order_is("g", "");
        ch->terminate_deadline = now;
        tick(0);
        ok = ok && TEST_int_eq(ch->state, QUIC_CHANNEL_STATE_TERMINATED) && wants_nothing()
            && order_is("g", "");
        ch->state = states[i];
        ch->terminate_deadline = in_ticks(-5);
        tick(QUIC_REACTOR_TICK_FLAG_CHANNEL_ONLY);
        ok = ok && TEST_int_eq(ch->state, QUIC_CHANNEL_STATE_TERMINATED) && wants_nothing();
        if (!end(ok))
            return 0;
    }
    /* For others the deadline is not valid. */
    ok = begin();
    ch->terminate_deadline = ossl_time_zero();
    tick(0);
    ok = ok && TEST_int_eq(ch->state, QUIC_CHANNEL_STATE_ACTIVE) && order_is("g", "g");
    return end(ok);
}

static int idle(void)
{
    int ok = begin();

    ch->idle_deadline = in_ticks(1);
    tick(0);
    ok = ok && TEST_int_eq(ch->state, QUIC_CHANNEL_STATE_ACTIVE) && order_is("g", "g")
        && deadline_is(in_ticks(1));
    ch->idle_deadline = now;
    queued = 1;
    tick(0);
    ok = ok && TEST_int_eq(ch->state, QUIC_CHANNEL_STATE_TERMINATED) && order_is("gp", "")
        && wants_nothing() && TEST_false(ch->conn_close_queued) && TEST_false(ch->protocol_error);
    if (!end(ok))
        return 0;
    ok = begin();
    ch->idle_deadline = in_ticks(-1);
    tick(0);
    ok = ok && TEST_int_eq(ch->state, QUIC_CHANNEL_STATE_TERMINATED) && order_is("g", "")
        && wants_nothing();
    if (!end(ok))
        return 0;
    ok = begin();
    ch->idle_deadline = ossl_time_infinite();
    tick(0);
    ok = ok && TEST_int_eq(ch->state, QUIC_CHANNEL_STATE_ACTIVE);
    return end(ok);
}

static int loss(void)
{
    int ok = begin();

    loss_deadline = in_ticks(-1);
    tick(0);
    ok = ok && order_is("og", "og");
    loss_deadline = in_ticks(1);
    tick(0);
    ok = ok && order_is("og", "g") && deadline_is(in_ticks(1));
    /* None at all. */
    loss_deadline = ossl_time_zero();
    tick(0);
    ok = ok && order_is("og", "g") && deadline_is(ch->idle_deadline);
    loss_deadline = ossl_time_infinite();
    tick(0);
    ok = ok && order_is("og", "g");
    return end(ok);
}

static int ping(void)
{
    static const struct {
        int level;
        uint32_t space;
    } cases[] = {
        { QUIC_ENC_LEVEL_INITIAL, QUIC_PN_SPACE_INITIAL },
        { QUIC_ENC_LEVEL_HANDSHAKE, QUIC_PN_SPACE_HANDSHAKE },
        { QUIC_ENC_LEVEL_1RTT, QUIC_PN_SPACE_APP }
    };
    int i, ok;

    for (i = 0; i < 3; i++) {
        ok = begin();
        ch->tx_enc_level = cases[i].level;
        ch->ping_deadline = in_ticks(1);
        tick(0);
        ok = ok && order_is("pg", "g") && deadline_is(in_ticks(1));
        ch->ping_deadline = now;
        tick(0);
        ok = ok && order_is("pg", "pg") && TEST_uint_eq(ping_space, cases[i].space)
            && TEST_int_gt(ossl_time_compare(ch->ping_deadline, now), 0)
            && TEST_int_gt(ossl_time_compare(res.tick_deadline, now), 0);
        /* It is not due again at once. */
        tick(0);
        ok = ok && order_is("pg", "g");
        now = ossl_time_add(ch->ping_deadline, ossl_ms2time(1));
        ch->idle_deadline = ossl_time_infinite();
        tick(0);
        ok = ok && order_is("pg", "pg");
        if (!end(ok))
            return 0;
    }
    return 1;
}

static int key_update(void)
{
    int ok = begin();

    ch->rxku_in_progress = 1;
    ch->rxku_update_end_deadline = in_ticks(1);
    tick(0);
    ok = ok && order_is("k", "") && TEST_uint_eq(ch->rxku_in_progress, 1) && deadline_is(in_ticks(1));
    ch->rxku_update_end_deadline = now;
    tick(0);
    ok = ok && order_is("k", "k") && TEST_int_eq(key_update_normal, 1)
        && TEST_uint_eq(ch->rxku_in_progress, 0);
    tick(0);
    ok = ok && order_is("k", "");
    return end(ok);
}

static int next(void)
{
    int ok = begin();

    ch->idle_deadline = in_ticks(100);
    ch->ping_deadline = in_ticks(200);
    loss_deadline = in_ticks(300);
    tick(0);
    ok = ok && deadline_is(in_ticks(100));
    ch->ping_deadline = in_ticks(50);
    tick(0);
    ok = ok && deadline_is(in_ticks(50));
    loss_deadline = in_ticks(20);
    tick(0);
    ok = ok && deadline_is(in_ticks(20));
    /* That of after the ping, which has moved on. */
    loss_deadline = ossl_time_zero();
    ch->idle_deadline = ossl_time_infinite();
    ch->ping_deadline = now;
    tick(0);
    ok = ok && deadline_is(ch->ping_deadline) && TEST_int_gt(ossl_time_compare(res.tick_deadline, now), 0);
    ch->ping_deadline = ossl_time_infinite();
    tick(0);
    ok = ok && TEST_true(ossl_time_is_infinite(res.tick_deadline)) && TEST_true(res.net_read_desired);
    return end(ok);
}

static int wanted(void)
{
    int ok = begin();

    tick(0);
    ok = ok && TEST_true(res.net_read_desired) && TEST_false(res.net_write_desired);
    queued = 1;
    tick(0);
    ok = ok && TEST_true(res.net_read_desired) && TEST_true(res.net_write_desired);
    queued = 256;
    tick(0);
    ok = ok && TEST_true(res.net_read_desired) && TEST_true(res.net_write_desired);
    queued = 0;
    tick(0);
    ok = ok && TEST_true(res.net_read_desired) && TEST_false(res.net_write_desired);
    /* Before anything was sent, too. */
    ch->state = QUIC_CHANNEL_STATE_IDLE;
    tick(0);
    ok = ok && TEST_true(res.net_read_desired);
    return end(ok);
}

static int ends_now(void)
{
    int ok = begin();

    /* By the handshake layer, before anything was sent. */
    ch->have_sent_any_pkt = 0;
    tls_fails = 1;
    queued = 5;
    tick(0);
    ok = ok && TEST_int_eq(ch->state, QUIC_CHANNEL_STATE_TERMINATED) && wants_nothing();
    if (!end(ok))
        return 0;
    /* By what is sent. */
    ok = begin();
    ch->have_sent_any_pkt = 0;
    generate_fails = 1;
    queued = 5;
    tick(0);
    ok = ok && order_is("g", "g") && TEST_int_eq(ch->state, QUIC_CHANNEL_STATE_TERMINATED)
        && wants_nothing();
    if (!end(ok))
        return 0;
    /* One that closes only goes on until its deadline. */
    ok = begin();
    tls_fails = 1;
    tick(0);
    ok = ok && TEST_int_eq(ch->state, QUIC_CHANNEL_STATE_TERMINATING_CLOSING) && order_is("g", "g")
        && TEST_true(res.net_read_desired) && deadline_is(ch->terminate_deadline);
    return end(ok);
}

static int no_leak(void)
{
    long blocks;
    int ok = everything() && ends_now();

    OPENSSL_thread_stop();
    blocks = memory_blocks;
    ok = ok && everything() && new_secret() && terminating() && idle() && ping() && key_update()
        && ends_now();
    OPENSSL_thread_stop();
    return ok && TEST_long_eq(memory_blocks, blocks) && TEST_long_eq(memory_bad_frees, 0);
}

int setup_tests(void)
{
    if (!quic_channels_init(&all))
        return 0;
    add_test("packets are received and then the handshake goes on and then packets are sent", everything);
    add_test("streams that are ready for it are collected", collected);
    add_test("a new secret lets packets be received again", new_secret);
    add_test("with CHANNEL_ONLY the handshake layer is left alone", channel_only);
    add_test("a terminated channel does and wants nothing", terminated);
    add_test("a terminating channel ends at its deadline", terminating);
    add_test("a channel that idles too long ends without a word", idle);
    add_test("a loss is detected after its deadline", loss);
    add_test("a ping is sent at its deadline and its deadline moves on", ping);
    add_test("a key update is ended at its deadline", key_update);
    add_test("it is told when to be called next", next);
    add_test("it is told whether reading and writing are wanted", wanted);
    add_test("one that ends in this tick wants nothing", ends_now);
    add_test("nothing is leaked or freed twice", no_leak);
    return 1;
}

void cleanup_tests(void)
{
    quic_channels_end(&all);
}
