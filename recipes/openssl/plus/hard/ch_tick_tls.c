/*---
 * tasks: [custom_ext_parse-9fc2dd.16]
 * tests:
 *   the handshake layer is ticked once:
 *     'Name; ossl_quic_channel_start: "Handshake layer: start (e.g. send CH)"; quic_channel_local.h:
 *     qtls.'
 *   it is noted that it was:
 *     'quic_channel_local.h: did_tls_tick, "Have we ever called QUIC_TLS yet during RX processing?"'
 *   with channel_only the handshake layer is left alone:
 *     'quic_reactor.h: CHANNEL_ONLY, "only touch state which is synchronised by the channel mutex";
 *     ossl_quic_channel_start gives 0.'
 *   an error is raised on the channel and told:
 *     'ossl_quic_channel_start: 0 is failure; quic_channel.h: ossl_quic_channel_raise_protocol_error_state.'
 *   code and reason are those of the handshake layer:
 *     'quic_tls.c: error_code and error_msg, for "a CONNECTION_CLOSE frame".'
 *   no frame is blamed: 'quic_channel.h: "If a frame type is not applicable, specify zero".'
 *   the errors of the handshake layer can be asked for:
 *     'quic_tls.c: raise_error, "so we can report it later if need be when the QUIC_CHANNEL asks for
 *     it".'
 *   a channel that has sent packets closes:
 *     'ch_start_terminating: TERMINATING_CLOSING and a CONN_CLOSE frame.'
 *   the first error wins: 'quic_channel.h: "first error wins".'
 *   nothing is leaked or freed twice: 'ossl_quic_channel_free.'
 * flags: ["-Wl,--wrap=ossl_quic_tls_tick", "-Wl,--wrap=ossl_quic_tls_get_error"]
 ---*/
#include "../../ssl/quic/quic_channel.c"
#include "../testutil.h"
#include "memory_count.h"
#include "quic_channels.h"

static QUIC_CHANNELS all;
static SSL *tls;
static QUIC_CHANNEL *ch;

/* What the handshake layer was asked, and what it has to say. */
static int ticks, in_error;
static QUIC_TLS *ticked;
static uint64_t error_code;
static const char *error_msg;
static ERR_STATE *error_state;

int __wrap_ossl_quic_tls_tick(QUIC_TLS *qtls)
{
    ticks++;
    ticked = qtls;
    return !in_error;
}

int __wrap_ossl_quic_tls_get_error(QUIC_TLS *qtls, uint64_t *code, const char **msg, ERR_STATE **state)
{
    if (in_error) {
        *code = error_code;
        *msg = error_msg;
        *state = error_state;
    }
    return in_error;
}

static int begin(void)
{
    QUIC_CHANNEL_ARGS args = {0};

    ERR_clear_error();
    ticks = in_error = 0;
    ticked = NULL;
    error_state = NULL;
    if (!TEST_ptr(tls = SSL_new(all.ctx)))
        return 0;
    args.port = all.port;
    args.lcidm = all.port->lcidm;
    args.srtm = all.port->srtm;
    args.tls = tls;
    return TEST_ptr(ch = ossl_quic_channel_new(&args));
}

static int end(int ok)
{
    ossl_quic_channel_free(ch);
    SSL_free(tls);
    OSSL_ERR_STATE_free(error_state);
    error_state = NULL;
    ERR_clear_error();
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static void fail(uint64_t code, const char *text)
{
    in_error = 1;
    error_code = code;
    error_msg = text;
}

static int once(void)
{
    int ok = begin() && TEST_int_eq(ch_tick_tls(ch, 0), 1) && TEST_int_eq(ticks, 1)
        && TEST_ptr_eq(ticked, ch->qtls) && TEST_int_eq(ch->state, QUIC_CHANNEL_STATE_IDLE)
        && TEST_int_eq(ch_tick_tls(ch, 0), 1) && TEST_int_eq(ticks, 2) && TEST_false(ch->protocol_error)
        && TEST_ulong_eq(ERR_peek_error(), 0);

    return end(ok);
}

static int noted(void)
{
    int ok = begin();

    ch->did_tls_tick = 0;
    ok = ok && TEST_int_eq(ch_tick_tls(ch, 0), 1) && TEST_uint_eq(ch->did_tls_tick, 1)
        && TEST_int_eq(ch_tick_tls(ch, 0), 1) && TEST_uint_eq(ch->did_tls_tick, 1);
    ch->did_tls_tick = 0;
    fail(QUIC_ERR_INTERNAL_ERROR, "internal error");
    ok = ok && TEST_int_eq(ch_tick_tls(ch, 0), 0) && TEST_uint_eq(ch->did_tls_tick, 1);
    return end(ok);
}

static int left_alone(void)
{
    int ok = begin();

    ch->did_tls_tick = 0;
    ok = ok && TEST_int_eq(ch_tick_tls(ch, 1), 1) && TEST_int_eq(ticks, 0)
        && TEST_uint_eq(ch->did_tls_tick, 0);
    /* Whatever is the matter with it. */
    fail(QUIC_ERR_INTERNAL_ERROR, "internal error");
    ok = ok && TEST_int_eq(ch_tick_tls(ch, 1), 1) && TEST_int_eq(ticks, 0)
        && TEST_false(ch->protocol_error) && TEST_int_eq(ch->state, QUIC_CHANNEL_STATE_IDLE)
        && TEST_int_eq(ch_tick_tls(ch, 0), 0) && TEST_int_eq(ticks, 1);
    return end(ok);
}

static int raised(void)
{
    int ok = begin();

    ch->state = QUIC_CHANNEL_STATE_ACTIVE;
    fail(QUIC_ERR_INTERNAL_ERROR, "internal error");
    ok = ok && TEST_int_eq(ch_tick_tls(ch, 0), 0) && TEST_int_eq(ticks, 1)
        && TEST_true(ch->protocol_error) && TEST_true(ossl_quic_channel_is_terminated(ch));
    return end(ok);
}

static int code_and_reason(void)
{
    static const uint64_t codes[] = {
        QUIC_ERR_CRYPTO_NO_APP_PROTO, QUIC_ERR_INTERNAL_ERROR, 0x3fffffffffffffffULL
    };
    const QUIC_TERMINATE_CAUSE *cause;
    int i, ok;

    for (i = 0; i < 3; i++) {
        ok = begin();
        ch->state = QUIC_CHANNEL_STATE_ACTIVE;
        fail(codes[i], i == 1 ? "internal error" : "no application protocol");
        ok = ok && TEST_int_eq(ch_tick_tls(ch, 0), 0)
            && TEST_ptr(cause = ossl_quic_channel_get_terminate_cause(ch))
            && TEST_uint64_t_eq(cause->error_code, codes[i])
            && TEST_mem_eq(cause->reason, cause->reason_len, error_msg, strlen(error_msg))
            && TEST_false(cause->app) && TEST_false(cause->remote);
        if (!end(ok))
            return 0;
    }
    return 1;
}

static int no_frame(void)
{
    const QUIC_TERMINATE_CAUSE *cause;
    int ok = begin();

    ch->state = QUIC_CHANNEL_STATE_ACTIVE;
    fail(QUIC_ERR_CRYPTO_NO_APP_PROTO, "no application protocol");
    ok = ok && TEST_int_eq(ch_tick_tls(ch, 0), 0)
        && TEST_ptr(cause = ossl_quic_channel_get_terminate_cause(ch))
        && TEST_uint64_t_eq(cause->frame_type, 0);
    return end(ok);
}

static int asked_for(void)
{
    int ok = begin() && TEST_ptr(error_state = OSSL_ERR_STATE_new());

    ch->state = QUIC_CHANNEL_STATE_ACTIVE;
    ERR_raise(ERR_LIB_USER, 5);
    ERR_raise(ERR_LIB_USER, 6);
    OSSL_ERR_STATE_save(error_state);
    fail(QUIC_ERR_CRYPTO_NO_APP_PROTO, "no application protocol");
    ok = ok && TEST_int_eq(ch_tick_tls(ch, 0), 0) && TEST_ptr(ch->err_state);
    ERR_clear_error();
    if (ok) {
        OSSL_ERR_STATE_restore(ch->err_state);
        ok = TEST_int_eq(ERR_GET_REASON(ERR_get_error()), 5)
            && TEST_int_eq(ERR_GET_REASON(ERR_get_error()), 6)
            && TEST_int_eq(ERR_GET_REASON(ERR_get_error()), SSL_R_QUIC_PROTOCOL_ERROR)
            && TEST_ulong_eq(ERR_get_error(), 0);
    }
    return end(ok);
}

static int closes(void)
{
    int ok = begin();

    ch->state = QUIC_CHANNEL_STATE_ACTIVE;
    ch->have_sent_any_pkt = 1;
    fail(QUIC_ERR_CRYPTO_NO_APP_PROTO, "no application protocol");
    ok = ok && TEST_int_eq(ch_tick_tls(ch, 0), 0)
        && TEST_int_eq(ch->state, QUIC_CHANNEL_STATE_TERMINATING_CLOSING)
        && TEST_true(ch->conn_close_queued)
        && TEST_uint64_t_eq(ch->terminate_cause.error_code, QUIC_ERR_CRYPTO_NO_APP_PROTO);
    return end(ok);
}

static int first_wins(void)
{
    int ok = begin();

    ch->state = QUIC_CHANNEL_STATE_ACTIVE;
    ch->have_sent_any_pkt = 1;
    fail(QUIC_ERR_CRYPTO_NO_APP_PROTO, "the first");
    ok = ok && TEST_int_eq(ch_tick_tls(ch, 0), 0);
    fail(QUIC_ERR_INTERNAL_ERROR, "the second");
    ok = ok && TEST_int_eq(ch_tick_tls(ch, 0), 0)
        && TEST_uint64_t_eq(ch->terminate_cause.error_code, QUIC_ERR_CRYPTO_NO_APP_PROTO)
        && TEST_mem_eq(ch->terminate_cause.reason, ch->terminate_cause.reason_len, "the first", 9);
    return end(ok);
}

static int no_leak(void)
{
    long blocks;
    int ok = raised() && asked_for();

    OPENSSL_thread_stop();
    blocks = memory_blocks;
    ok = ok && once() && left_alone() && raised() && code_and_reason() && asked_for() && closes()
        && first_wins();
    OPENSSL_thread_stop();
    return ok && TEST_long_eq(memory_blocks, blocks) && TEST_long_eq(memory_bad_frees, 0);
}

int setup_tests(void)
{
    if (!quic_channels_init(&all))
        return 0;
    add_test("the handshake layer is ticked once", once);
    add_test("it is noted that it was", noted);
    add_test("with channel_only the handshake layer is left alone", left_alone);
    add_test("an error is raised on the channel and told", raised);
    add_test("code and reason are those of the handshake layer", code_and_reason);
    add_test("no frame is blamed", no_frame);
    add_test("the errors of the handshake layer can be asked for", asked_for);
    add_test("a channel that has sent packets closes", closes);
    add_test("the first error wins", first_wins);
    add_test("nothing is leaked or freed twice", no_leak);
    return 1;
}

void cleanup_tests(void)
{
    quic_channels_end(&all);
}
