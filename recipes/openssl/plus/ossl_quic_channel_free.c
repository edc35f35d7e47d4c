/*---
 * tasks: [9566C87BE346F08A]
 * tests:
 *   NULL is no channel to free: 'Docstring: "No-op if ch is NULL."'
 *   nothing is leaked:
 *     'quic_channel.h: it is the end of what ossl_quic_channel_new made; quic_impl.c: ossl_quic_free calls nothing
 *     else.'
 *   nothing is freed twice: 'quic_impl.c: ossl_quic_free calls it once.'
 *   the port forgets the channel:
 *     'quic_port_local.h: channel_list, the "List of all child channels"; quic_port.c: port_cleanup finds it
 *     empty.'
 *   other channels of the port stay: 'quic_port.h: a port "contains zero or more subsidiary QUIC_CHANNEL instances".'
 *   its connection IDs are forgotten:
 *     'quic_lcidm.h: ossl_quic_lcidm_cull is there for state "spontaneously freed"; the port''s manager outlives
 *     the channel.'
 *   its stateless reset tokens are forgotten:
 *     'quic_srtm.h: ossl_quic_srtm_cull removes all entries of a connection; the port''s manager outlives the
 *     channel.'
 *   a channel that is active is freed:
 *     'quic_impl.c: ossl_quic_free, which SSL_free calls at any time, asks for no state of the channel.'
 *   a channel that has ended is freed with the reason:
 *     'quic_channel_local.h: terminate_cause; quic_impl.c: ossl_quic_free asks for no state.'
 *   a server's channel is freed: 'quic_tserver.c: ossl_quic_tserver_free.'
 *   streams are freed with it: 'quic_channel_local.h: qsm, the channel''s own map of streams.'
 *   the handshake's SSL stays its owner's: 'quic_impl.c: ossl_quic_free calls SSL_free(qc->tls) afterwards.'
 ---*/
#include "../../ssl/quic/quic_channel.c"
#include "../testutil.h"
#include "memory_count.h"
#include "quic_channels.h"

static QUIC_CHANNELS all;
static SSL *tls;

/* A channel of the port; its SSL is `tls`. */
static QUIC_CHANNEL *channel_new(int server)
{
    QUIC_CHANNEL_ARGS args = {0};

    if (!TEST_ptr(tls = SSL_new(all.ctx)))
        return NULL;
    args.port = all.port;
    args.lcidm = all.port->lcidm;
    args.srtm = all.port->srtm;
    args.tls = tls;
    args.is_server = server;
    return ossl_quic_channel_new(&args);
}

static int plain_round(void)
{
    QUIC_CHANNEL *ch = channel_new(0);
    int ok = TEST_ptr(ch);

    ossl_quic_channel_free(ch);
    SSL_free(tls);
    return ok;
}

static int active_round(void)
{
    QUIC_CHANNEL *ch = channel_new(0);
    int ok = TEST_ptr(ch);

    if (ok) {
        ch->state = QUIC_CHANNEL_STATE_ACTIVE;
        ok = TEST_true(ossl_quic_channel_is_active(ch));
    }
    ossl_quic_channel_free(ch);
    SSL_free(tls);
    return ok;
}

static int ended_round(void)
{
    QUIC_CHANNEL *ch = channel_new(0);
    int ok = TEST_ptr(ch);

    if (ok) {
        ch->state = QUIC_CHANNEL_STATE_TERMINATED;
        ch->terminate_cause.reason = OPENSSL_strdup("the peer went away");
        ok = TEST_true(ossl_quic_channel_is_terminated(ch));
    }
    ossl_quic_channel_free(ch);
    SSL_free(tls);
    return ok;
}

static int server_round(void)
{
    QUIC_CHANNEL *ch = channel_new(1);
    int ok = TEST_ptr(ch);

    ossl_quic_channel_free(ch);
    SSL_free(tls);
    return ok;
}

static int streams_round(void)
{
    QUIC_CHANNEL *ch = channel_new(0);
    int ok = TEST_ptr(ch)
        && TEST_ptr(ossl_quic_channel_new_stream_local(ch, 0))
        && TEST_ptr(ossl_quic_channel_new_stream_local(ch, 1))
        && TEST_ptr(ossl_quic_channel_new_stream_remote(ch, 1));

    ossl_quic_channel_free(ch);
    SSL_free(tls);
    return ok;
}

/* Is all freed again that `round` takes, and the port without a channel? */
static int balanced(int (*round)(void))
{
    long before;

    if (!round())
        return 0;
    before = memory_blocks;
    return round() && TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0)
        && TEST_size_t_eq(ossl_list_ch_num(&all.port->channel_list), 0);
}

static int null(void)
{
    long before = memory_blocks;

    ossl_quic_channel_free(NULL);
    return TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
}

static int no_leak(void)
{
    return balanced(plain_round);
}

static int never_twice(void)
{
    return plain_round() && streams_round() && ended_round() && TEST_long_eq(memory_bad_frees, 0);
}

static int port_forgets(void)
{
    QUIC_CHANNEL *ch = channel_new(0);
    int ok = TEST_ptr(ch) && TEST_size_t_eq(ossl_list_ch_num(&all.port->channel_list), 1);

    ossl_quic_channel_free(ch);
    SSL_free(tls);
    return ok && TEST_size_t_eq(ossl_list_ch_num(&all.port->channel_list), 0)
        && TEST_ptr_null(ossl_list_ch_head(&all.port->channel_list));
}

static int others_stay(void)
{
    QUIC_CHANNEL *kept = channel_new(0), *freed;
    SSL *kept_tls = tls;
    int ok = TEST_ptr(kept) && TEST_ptr(freed = channel_new(0));

    if (ok) {
        ossl_quic_channel_free(freed);
        SSL_free(tls);
        ok = TEST_ptr_eq(ossl_list_ch_head(&all.port->channel_list), kept)
            && TEST_size_t_eq(ossl_list_ch_num(&all.port->channel_list), 1)
            && TEST_size_t_eq(ossl_quic_lcidm_get_num_active_lcid(all.port->lcidm, kept), 1)
            && TEST_false(ossl_quic_channel_is_terminated(kept));
    }
    ossl_quic_channel_free(kept);
    SSL_free(kept_tls);
    return ok;
}

static int ids_forgotten(void)
{
    QUIC_CHANNEL *ch = channel_new(0);
    int ok = TEST_ptr(ch) && TEST_size_t_eq(ossl_quic_lcidm_get_num_active_lcid(all.port->lcidm, ch), 1);

    ossl_quic_channel_free(ch);
    SSL_free(tls);
    return ok && TEST_size_t_eq(ossl_quic_lcidm_get_num_active_lcid(all.port->lcidm, ch), 0);
}

static int tokens_forgotten(void)
{
    static const QUIC_STATELESS_RESET_TOKEN token = { { 1, 2, 3 } };
    QUIC_CHANNEL *ch = channel_new(0);
    int ok = TEST_ptr(ch) && TEST_true(ossl_quic_srtm_add(all.port->srtm, ch, 5, &token))
        && TEST_true(ossl_quic_srtm_lookup(all.port->srtm, &token, 0, NULL, NULL));

    ossl_quic_channel_free(ch);
    SSL_free(tls);
    return ok && TEST_false(ossl_quic_srtm_lookup(all.port->srtm, &token, 0, NULL, NULL));
}

static int active(void)
{
    return balanced(active_round);
}

static int ended(void)
{
    return balanced(ended_round);
}

static int server(void)
{
    return balanced(server_round);
}

static int streams(void)
{
    return balanced(streams_round);
}

static int ssl_stays(void)
{
    QUIC_CHANNEL *ch = channel_new(0);
    int ok = TEST_ptr(ch);

    ossl_quic_channel_free(ch);
    ok = ok && TEST_ptr_eq(SSL_get_SSL_CTX(tls), all.ctx) && TEST_true(SSL_up_ref(tls));
    SSL_free(tls);
    SSL_free(tls);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

int setup_tests(void)
{
    if (!quic_channels_init(&all))
        return 0;
    add_test("NULL is no channel to free", null);
    add_test("nothing is leaked", no_leak);
    add_test("nothing is freed twice", never_twice);
    add_test("the port forgets the channel", port_forgets);
    add_test("other channels of the port stay", others_stay);
    add_test("its connection IDs are forgotten", ids_forgotten);
    add_test("its stateless reset tokens are forgotten", tokens_forgotten);
    add_test("a channel that is active is freed", active);
    add_test("a channel that has ended is freed with the reason", ended);
    add_test("a server's channel is freed", server);
    add_test("streams are freed with it", streams);
    add_test("the handshake's SSL stays its owner's", ssl_stays);
    return 1;
}

void cleanup_tests(void)
{
    quic_channels_end(&all);
}
