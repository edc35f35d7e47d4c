/*---
 * tasks: [4C9907D4F94F29B5]
 * tests:
 *   an incoming stream is rejected once enabled:
 *     'Docstring: "If enabled, incoming streams have both their sending and receiving parts automatically
 *     rejected".'
 *   the receiving part is stopped with the code:
 *     'Docstring: "using STOP_SENDING"; "aec is the application error code to be used for those frames".'
 *   the sending part is reset with the code:
 *     'Docstring: "and STREAM_RESET frames"; "aec is the application error code to be used for those frames".'
 *   an incoming stream is accepted once disabled:
 *     'Docstring: "If enabled"; quic_channel.c: others go to the queue of streams to accept.'
 *   rejecting can be turned off again: 'Docstring: "Configures incoming stream auto-reject."'
 *   any value but 0 enables: 'enable is an int that holds a truth value; the field is one bit.'
 *   codes of 62 bits are kept:
 *     'RFC 9000 20.2 and 16: an application error code is a variable-length integer of up to 62 bits.'
 *   the newest code counts: 'Docstring: "Configures".'
 *   the code of 0 is one as well: 'SSL_set_incoming_stream_policy(3): aec is the application''s to choose.'
 *   a stream in one direction is rejected too: 'Docstring: "incoming streams".'
 *   our own streams are not rejected: 'Docstring: "incoming streams".'
 *   a code is taken while disabled:
 *     'quic_impl.c: qc_update_reject_policy passes the code in any case; ossl_quic_channel_reject_stream uses it.'
 ---*/
#include "../../ssl/quic/quic_channel.c"
#include "../testutil.h"
#include "quic_channels.h"

static QUIC_CHANNELS all;
static QUIC_CHANNEL *ch;
static SSL *tls;

#define REMOTE_BIDI 1      /* streams that a server begins, RFC 9000 2.1 */
#define REMOTE_UNI 3

/* A new channel of a client. */
static int fresh(void)
{
    QUIC_CHANNEL_ARGS args = {0};

    ossl_quic_channel_free(ch);
    SSL_free(tls);
    args.port = all.port;
    args.lcidm = all.port->lcidm;
    args.srtm = all.port->srtm;
    args.tls = tls = SSL_new(all.ctx);
    return TEST_ptr(ch = ossl_quic_channel_new(&args));
}

/* Is the next stream of the peer rejected with this code? */
static int rejected(uint64_t id, uint64_t aec)
{
    QUIC_STREAM *stream = ossl_quic_channel_new_stream_remote(ch, id);

    return TEST_ptr(stream)
        && TEST_true(stream->want_stop_sending)
        && TEST_uint64_t_eq(stream->stop_sending_aec, aec)
        && TEST_ptr_null(ossl_quic_stream_map_peek_accept_queue(&ch->qsm));
}

static int accepted(uint64_t id)
{
    QUIC_STREAM *stream = ossl_quic_channel_new_stream_remote(ch, id);

    return TEST_ptr(stream)
        && TEST_false(stream->want_stop_sending)
        && TEST_false(stream->want_reset_stream)
        && TEST_ptr_eq(ossl_quic_stream_map_peek_accept_queue(&ch->qsm), stream);
}

static int rejects(void)
{
    if (!fresh())
        return 0;
    ossl_quic_channel_set_incoming_stream_auto_reject(ch, 1, 7);
    return rejected(REMOTE_BIDI, 7) && rejected(REMOTE_BIDI + 4, 7);
}

static int receiving_part(void)
{
    QUIC_STREAM *stream;

    if (!fresh())
        return 0;
    ossl_quic_channel_set_incoming_stream_auto_reject(ch, 1, 7);
    stream = ossl_quic_channel_new_stream_remote(ch, REMOTE_BIDI);
    return TEST_ptr(stream) && TEST_true(stream->want_stop_sending)
        && TEST_uint64_t_eq(stream->stop_sending_aec, 7);
}

static int sending_part(void)
{
    QUIC_STREAM *stream;

    if (!fresh())
        return 0;
    ossl_quic_channel_set_incoming_stream_auto_reject(ch, 1, 7);
    stream = ossl_quic_channel_new_stream_remote(ch, REMOTE_BIDI);
    return TEST_ptr(stream) && TEST_true(stream->want_reset_stream)
        && TEST_uint64_t_eq(stream->reset_stream_aec, 7);
}

static int accepts(void)
{
    if (!fresh())
        return 0;
    ossl_quic_channel_set_incoming_stream_auto_reject(ch, 0, 7);
    return accepted(REMOTE_BIDI);
}

static int off_again(void)
{
    if (!fresh())
        return 0;
    ossl_quic_channel_set_incoming_stream_auto_reject(ch, 1, 7);
    if (!rejected(REMOTE_BIDI, 7))
        return 0;
    ossl_quic_channel_set_incoming_stream_auto_reject(ch, 0, 7);
    return accepted(REMOTE_BIDI + 4);
}

static int any_value(void)
{
    static const int values[] = { 2, -1, 0x100, INT_MIN };
    size_t i;

    for (i = 0; i < OSSL_NELEM(values); i++) {
        if (!fresh())
            return 0;
        ossl_quic_channel_set_incoming_stream_auto_reject(ch, values[i], 7);
        if (!rejected(REMOTE_BIDI, 7))
            return 0;
    }
    return 1;
}

static int long_codes(void)
{
    if (!fresh())
        return 0;
    ossl_quic_channel_set_incoming_stream_auto_reject(ch, 1, OSSL_QUIC_VLINT_MAX);
    if (!rejected(REMOTE_BIDI, OSSL_QUIC_VLINT_MAX))
        return 0;
    ossl_quic_channel_set_incoming_stream_auto_reject(ch, 1, 0x100000000ULL);
    return rejected(REMOTE_BIDI + 4, 0x100000000ULL);
}

static int newest_code(void)
{
    if (!fresh())
        return 0;
    ossl_quic_channel_set_incoming_stream_auto_reject(ch, 1, 7);
    ossl_quic_channel_set_incoming_stream_auto_reject(ch, 1, 8);
    return rejected(REMOTE_BIDI, 8);
}

static int code_zero(void)
{
    if (!fresh())
        return 0;
    ossl_quic_channel_set_incoming_stream_auto_reject(ch, 1, 7);
    ossl_quic_channel_set_incoming_stream_auto_reject(ch, 1, 0);
    return rejected(REMOTE_BIDI, 0);
}

static int one_direction(void)
{
    if (!fresh())
        return 0;
    ossl_quic_channel_set_incoming_stream_auto_reject(ch, 1, 9);
    return rejected(REMOTE_UNI, 9);
}

static int own_streams(void)
{
    QUIC_STREAM *stream;

    if (!fresh())
        return 0;
    ossl_quic_channel_set_incoming_stream_auto_reject(ch, 1, 9);
    stream = ossl_quic_channel_new_stream_local(ch, 0);
    return TEST_ptr(stream) && TEST_false(stream->want_stop_sending) && TEST_false(stream->want_reset_stream);
}

static int code_while_disabled(void)
{
    QUIC_STREAM *stream;

    if (!fresh())
        return 0;
    ossl_quic_channel_set_incoming_stream_auto_reject(ch, 0, 11);
    stream = ossl_quic_channel_new_stream_remote(ch, REMOTE_BIDI);
    if (!TEST_ptr(stream))
        return 0;
    ossl_quic_stream_map_remove_from_accept_queue(&ch->qsm, stream, ossl_time_zero());
    ossl_quic_channel_reject_stream(ch, stream);
    return TEST_uint64_t_eq(stream->stop_sending_aec, 11);
}

int setup_tests(void)
{
    if (!quic_channels_init(&all))
        return 0;
    add_test("an incoming stream is rejected once enabled", rejects);
    add_test("the receiving part is stopped with the code", receiving_part);
    add_test("the sending part is reset with the code", sending_part);
    add_test("an incoming stream is accepted once disabled", accepts);
    add_test("rejecting can be turned off again", off_again);
    add_test("any value but 0 enables", any_value);
    add_test("codes of 62 bits are kept", long_codes);
    add_test("the newest code counts", newest_code);
    add_test("the code of 0 is one as well", code_zero);
    add_test("a stream in one direction is rejected too", one_direction);
    add_test("our own streams are not rejected", own_streams);
    add_test("a code is taken while disabled", code_while_disabled);
    return 1;
}

void cleanup_tests(void)
{
    ossl_quic_channel_free(ch);
    SSL_free(tls);
    quic_channels_end(&all);
}
