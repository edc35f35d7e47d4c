/*---
 * tasks: [custom_ext_parse-9fc2dd.16]
 * tests:
 *   a client begins and a server waits:
 *     'quic_tls.h: "Advance the state machine"; is_server, "if we are running in the server role".'
 *   both ends finish and tell it once:
 *     'quic_tls.h: handshake_complete_cb, "Called when the handshake has been completed".'
 *   the same secrets are given at both ends:
 *     'quic_tls.h: yield_secret_cb, "Called when a traffic secret is available".'
 *   the transport parameters of each end reach the other:
 *     'quic-tls.md: "includes them in an extension ... and receives them back from the peer";
 *     got_transport_params_cb.'
 *   what QUIC demands of TLS is set:
 *     'quic-tls.md: "enforces that the TLS ''middlebox'' mode must not be used"; TLS1_3_VERSION "as the
 *     minimum".'
 *   a client without ALPN fails at once:
 *     'quic-tls.md: "If the ALPN data has not been set then the QUIC_TLS object immediately fails".'
 *   a server without ALPN fails: 'quic-tls.md: ALPN "is mandatory for QUIC connections".'
 *   a handshake without a protocol agreed on fails:
 *     'RFC 9001, 8.1: "MUST immediately close a connection ... if an application protocol is not
 *     negotiated", 0x0178.'
 *   an error stays and nothing is called any more:
 *     'quic_tls.c: inerror, "Set if we have hit any error state"; raise_error.'
 *   a message that is wrong is an error:
 *     'quic_tls.h: alert_cb, "Called when something has gone wrong"; raise_error.'
 *   to be called again is no error:
 *     'SSL_get_error(3): SSL_ERROR_WANT_X509_LOOKUP, SSL_ERROR_WANT_CLIENT_HELLO_CB.'
 *   a send buffer that is full is no error:
 *     'quic_tls.c: quic_write_records, "remember how much we wrote so far and signal a retry".'
 *   messages after the handshake are taken:
 *     'quic-tls.md: "newly received crypto frame data may be consumed".'
 *   errors of before do not matter and stay:
 *     'ssl_lib.c: ossl_ssl_get_error, check_err; raise_error saves the errors from a mark on.'
 *   nothing is leaked or freed twice: 'ossl_quic_tls_free; SSL_free.'
 ---*/
#include "../../ssl/quic/quic_tls.c"
#include "pa_dupssl.h"

#define QUEUE 100

/* One end; the other one's callback puts records into its queue. */
typedef struct end_st {
    struct end_st *peer;
    SSL *ssl;
    QUIC_TLS *qtls;
    struct {
        unsigned char *bytes;
        size_t size;
    } queue[QUEUE];
    int from, until;
    int sent, reads, completed, alerts, alert, parameters, secrets, tickets;
    size_t room; /* for what is sent, 0 for any */
    unsigned char parameter_bytes[20], secret[QUIC_ENC_LEVEL_NUM][2][64];
    size_t parameter_size, secret_size[QUIC_ENC_LEVEL_NUM][2];
    unsigned char first_type;
} END;

static END client, server;

static int on_send(const unsigned char *buf, size_t buf_len, size_t *consumed, void *arg)
{
    END *e = arg;

    if (e->room != 0 && buf_len > e->room)
        buf_len = e->room;
    *consumed = buf_len;
    if (e->peer->until == QUEUE || buf_len == 0)
        return 0;
    if (e->sent++ == 0)
        e->first_type = *buf;
    e->peer->queue[e->peer->until].bytes = OPENSSL_memdup(buf, buf_len);
    e->peer->queue[e->peer->until++].size = buf_len;
    return 1;
}

static int on_read(const unsigned char **buf, size_t *bytes_read, void *arg)
{
    END *e = arg;

    e->reads++;
    *bytes_read = e->from < e->until ? e->queue[e->from].size : 0;
    *buf = e->from < e->until ? e->queue[e->from].bytes : NULL;
    return 1;
}

static int on_release(size_t bytes_read, void *arg)
{
    END *e = arg;

    if (e->from == e->until || bytes_read != e->queue[e->from].size)
        return 0;
    OPENSSL_free(e->queue[e->from++].bytes);
    return 1;
}

static int on_secret(uint32_t enc_level, int direction, uint32_t suite_id, EVP_MD *md,
                     const unsigned char *secret, size_t secret_len, void *arg)
{
    END *e = arg;

    if (enc_level >= QUIC_ENC_LEVEL_NUM || secret_len > 64)
        return 0;
    e->secrets++;
    memcpy(e->secret[enc_level][direction], secret, secret_len);
    e->secret_size[enc_level][direction] = secret_len;
    EVP_MD_free(md);
    return 1;
}

static int on_parameters(const unsigned char *params, size_t params_len, void *arg)
{
    END *e = arg;

    e->parameters++;
    e->parameter_size = params_len;
    memcpy(e->parameter_bytes, params, params_len < 20 ? params_len : 20);
    return 1;
}

static int on_complete(void *arg)
{
    ((END *)arg)->completed++;
    return 1;
}

static int on_alert(void *arg, unsigned char alert_code)
{
    ((END *)arg)->alerts++;
    ((END *)arg)->alert = alert_code;
    return 1;
}

static int on_alpn(SSL *ssl, const unsigned char **out, unsigned char *outlen,
                   const unsigned char *in, unsigned int inlen, void *arg)
{
    if (arg != NULL)
        return SSL_TLSEXT_ERR_NOACK;
    *out = in + 1;
    *outlen = in[0];
    return SSL_TLSEXT_ERR_OK;
}

static int on_ticket(SSL *ssl, SSL_SESSION *session)
{
    client.tickets++;
    return 0;
}

static int begin_end(END *e, END *peer, SSL_CTX *ctx)
{
    QUIC_TLS_ARGS args;

    memset(e, 0, sizeof(*e));
    memset(&args, 0, sizeof(args));
    e->peer = peer;
    e->ssl = SSL_new(ctx);
    SSL_CTX_free(ctx);
    if (!TEST_ptr(e->ssl))
        return 0;
    SSL_CONNECTION_FROM_SSL_ONLY(e->ssl)->s3.flags |= TLS1_FLAGS_QUIC;
    args.s = e->ssl;
    args.crypto_send_cb = on_send;
    args.crypto_recv_rcd_cb = on_read;
    args.crypto_release_rcd_cb = on_release;
    args.yield_secret_cb = on_secret;
    args.got_transport_params_cb = on_parameters;
    args.handshake_complete_cb = on_complete;
    args.alert_cb = on_alert;
    args.crypto_send_cb_arg = args.crypto_recv_rcd_cb_arg = args.crypto_release_rcd_cb_arg = e;
    args.yield_secret_cb_arg = args.got_transport_params_cb_arg = e;
    args.handshake_complete_cb_arg = args.alert_cb_arg = e;
    args.is_server = e == &server;
    return TEST_ptr(e->qtls = ossl_quic_tls_new(&args));
}

static const unsigned char of_client[] = "client parameters", of_server[] = "the server's";

/* Which ends know a protocol? With 2 the server has a callback that chooses none. */
static int begin(int client_alpn, int server_alpn)
{
    static int none;
    SSL_CTX *client_ctx = SSL_CTX_new(TLS_method()), *server_ctx = SSL_CTX_new(TLS_method());

    ERR_clear_error();
    if (client_alpn)
        SSL_CTX_set_alpn_protos(client_ctx, (const unsigned char *)"\4plus", 5);
    if (server_alpn)
        SSL_CTX_set_alpn_select_cb(server_ctx, on_alpn, server_alpn == 2 ? &none : NULL);
    SSL_CTX_set_session_cache_mode(client_ctx,
                                   SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL_STORE);
    SSL_CTX_sess_set_new_cb(client_ctx, on_ticket);
    SSL_CTX_use_certificate(server_ctx, plus_x509);
    SSL_CTX_use_PrivateKey(server_ctx, plus_key);
    if (!begin_end(&client, &server, client_ctx) || !begin_end(&server, &client, server_ctx))
        return 0;
    ossl_quic_tls_set_transport_params(client.qtls, of_client, sizeof(of_client));
    ossl_quic_tls_set_transport_params(server.qtls, of_server, sizeof(of_server));
    return 1;
}

static void end_end(END *e)
{
    ossl_quic_tls_free(e->qtls);
    SSL_free(e->ssl);
    while (e->from < e->until)
        OPENSSL_free(e->queue[e->from++].bytes);
}

static int end(int ok)
{
    end_end(&client);
    end_end(&server);
    ERR_clear_error();
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

#define TICK(e) TEST_int_eq(ossl_quic_tls_tick((e)->qtls), 1)
#define FAILS(e) TEST_int_eq(ossl_quic_tls_tick((e)->qtls), 0)

/* Ticks both until they are through or one fails. */
static int through(void)
{
    int i;

    for (i = 0; i < 40 && !(client.completed && server.completed); i++)
        if (!TICK(&client) || !TICK(&server))
            return 0;
    return TEST_int_eq(client.completed, 1) && TEST_int_eq(server.completed, 1);
}

static int begins(void)
{
    int ok = begin(1, 1) && TICK(&server) && TEST_int_eq(server.sent, 0)
        && TICK(&client) && TEST_int_ge(client.sent, 1)
        && TEST_int_eq(client.first_type, SSL3_MT_CLIENT_HELLO) && TEST_false(SSL_is_server(client.ssl))
        && TEST_true(SSL_is_server(server.ssl)) && TEST_int_eq(client.completed, 0);
    int sent = client.sent;

    /* And no more until there is an answer. */
    ok = ok && TICK(&client) && TICK(&client) && TEST_int_eq(client.sent, sent)
        && TICK(&server) && TEST_int_ge(server.sent, 1)
        && TEST_int_eq(server.first_type, SSL3_MT_SERVER_HELLO) && TEST_int_eq(server.completed, 0)
        && TEST_int_eq(client.alerts, 0) && TEST_int_eq(server.alerts, 0);
    return end(ok);
}

static int finish(void)
{
    int i, ok = begin(1, 1) && through();

    for (i = 0; i < 5 && ok; i++)
        ok = TICK(&client) && TICK(&server);
    ok = ok && TEST_int_eq(client.completed, 1) && TEST_int_eq(server.completed, 1)
        && TEST_int_eq(client.alerts, 0) && TEST_int_eq(server.alerts, 0)
        && TEST_true(SSL_is_init_finished(client.ssl)) && TEST_true(SSL_is_init_finished(server.ssl));
    return end(ok);
}

static int secrets(void)
{
    static const int levels[] = { QUIC_ENC_LEVEL_HANDSHAKE, QUIC_ENC_LEVEL_1RTT };
    int i, direction, ok = begin(1, 1) && through() && TEST_int_eq(client.secrets, 4)
        && TEST_int_eq(server.secrets, 4);

    for (i = 0; i < 2 && ok; i++)
        for (direction = 0; direction < 2 && ok; direction++)
            ok = TEST_size_t_ge(client.secret_size[levels[i]][direction], 32)
                && TEST_mem_eq(client.secret[levels[i]][direction],
                               client.secret_size[levels[i]][direction],
                               server.secret[levels[i]][!direction],
                               server.secret_size[levels[i]][!direction]);
    return end(ok);
}

static int parameters(void)
{
    int ok = begin(1, 1) && through() && TEST_int_eq(client.parameters, 1)
        && TEST_int_eq(server.parameters, 1)
        && TEST_mem_eq(server.parameter_bytes, server.parameter_size, of_client, sizeof(of_client))
        && TEST_mem_eq(client.parameter_bytes, client.parameter_size, of_server, sizeof(of_server));

    return end(ok);
}

static int demands(END *e)
{
    SSL_CONNECTION *sc = SSL_CONNECTION_FROM_SSL_ONLY(e->ssl);

    return TEST_int_eq(SSL_get_min_proto_version(e->ssl), TLS1_3_VERSION)
        && TEST_true((SSL_get_options(e->ssl) & SSL_OP_ENABLE_MIDDLEBOX_COMPAT) == 0)
        && TEST_ptr_eq(sc->rlayer.custom_rlmethod, &quic_tls_record_method)
        && TEST_ptr_eq(sc->rlayer.rlarg, e->qtls) && TEST_ptr(SSL_get_wbio(e->ssl));
}

static int demanded(void)
{
    int ok = begin(1, 1);

    SSL_set_min_proto_version(client.ssl, TLS1_2_VERSION);
    SSL_set_options(client.ssl, SSL_OP_ENABLE_MIDDLEBOX_COMPAT | SSL_OP_NO_TICKET);
    ok = ok && TICK(&client) && demands(&client) && TICK(&server) && demands(&server)
        && TEST_true((SSL_get_options(client.ssl) & SSL_OP_NO_TICKET) != 0) && through();
    return end(ok);
}

static int no_client_alpn(void)
{
    int ok = begin(0, 1) && FAILS(&client) && TEST_int_eq(client.sent, 0)
        && TEST_true(client.qtls->inerror)
        && TEST_uint64_t_eq(client.qtls->error_code, QUIC_ERR_CRYPTO_NO_APP_PROTO)
        && TEST_ptr(client.qtls->error_msg);

    return end(ok);
}

static int no_server_alpn(void)
{
    int ok = begin(1, 0) && TICK(&client) && FAILS(&server) && TEST_int_eq(server.sent, 0)
        && TEST_true(server.qtls->inerror);

    return end(ok);
}

static int none_agreed(void)
{
    int i, client_result = 1, server_result = 1, ok = begin(1, 2);

    for (i = 0; i < 20 && ok && (client_result || server_result); i++) {
        client_result = ossl_quic_tls_tick(client.qtls);
        server_result = ossl_quic_tls_tick(server.qtls);
    }
    ok = ok && TEST_int_eq(client_result, 0) && TEST_int_eq(client.completed, 0)
        && TEST_true(client.qtls->inerror)
        && TEST_uint64_t_eq(client.qtls->error_code, 0x178) && TEST_int_eq(server.completed, 0);
    return end(ok);
}

static int stays(void)
{
    uint64_t code;
    const char *text;
    int i, reads, ok = begin(0, 1) && FAILS(&client);

    code = client.qtls->error_code;
    text = client.qtls->error_msg;
    reads = client.reads;
    /* Too late. */
    SSL_set_alpn_protos(client.ssl, (const unsigned char *)"\4plus", 5);
    for (i = 0; i < 3 && ok; i++)
        ok = FAILS(&client) && TEST_true(client.qtls->inerror)
            && TEST_uint64_t_eq(client.qtls->error_code, code)
            && TEST_ptr_eq(client.qtls->error_msg, text) && TEST_int_eq(client.sent, 0)
            && TEST_int_eq(client.reads, reads) && TEST_int_eq(client.alerts, 0);
    return end(ok);
}

static int wrong_message(void)
{
    static const unsigned char hello[] = { 1, 0, 0, 4, 3, 3, 1, 2 };
    int reads, ok = begin(1, 1) && TICK(&server);

    server.queue[0].bytes = OPENSSL_memdup(hello, sizeof(hello));
    server.queue[server.until++].size = sizeof(hello);
    ok = ok && FAILS(&server) && TEST_true(server.qtls->inerror)
        && TEST_int_eq(server.alerts, 1) && TEST_int_eq(server.alert, SSL_AD_DECODE_ERROR)
        && TEST_int_eq(server.sent, 0) && TEST_ulong_eq(ERR_peek_error(), 0);
    reads = server.reads;
    ok = ok && FAILS(&server) && TEST_int_eq(server.alerts, 1) && TEST_int_eq(server.reads, reads);
    return end(ok);
}

static int hello_calls, cert_calls;

static int on_hello(SSL *ssl, int *al, void *arg)
{
    return hello_calls++ == 0 ? SSL_CLIENT_HELLO_RETRY : SSL_CLIENT_HELLO_SUCCESS;
}

static int on_cert(SSL *ssl, void *arg)
{
    return cert_calls++ == 0 ? -1 : 1;
}

static int called_again(void)
{
    int ok = begin(1, 1);

    hello_calls = cert_calls = 0;
    SSL_CTX_set_client_hello_cb(SSL_get_SSL_CTX(server.ssl), on_hello, NULL);
    SSL_set_cert_cb(server.ssl, on_cert, NULL);
    ok = ok && TICK(&client) && TICK(&server) && TEST_int_eq(hello_calls, 1)
        && TEST_int_eq(cert_calls, 0) && TICK(&server) && TEST_int_eq(hello_calls, 2)
        && TEST_int_eq(cert_calls, 1) && TEST_false(server.qtls->inerror) && through()
        && TEST_int_ge(cert_calls, 2);
    return end(ok);
}

static int full_buffer(void)
{
    int ok = begin(1, 1);

    client.room = 100;
    server.room = 150;
    ok = ok && TICK(&client) && TEST_int_eq(client.sent, 1) && TICK(&client)
        && TEST_int_eq(client.sent, 2) && TEST_int_eq(server.until, 2) && through();
    return end(ok);
}

static int afterwards(void)
{
    int i, ok = begin(1, 1) && through();

    for (i = 0; i < 5 && ok; i++)
        ok = TICK(&server) && TICK(&client);
    ok = ok && TEST_int_ge(client.tickets, 1) && TEST_int_eq(client.from, client.until)
        && TEST_int_eq(server.from, server.until);
    return end(ok);
}

/* Is there just the error that the application left? */
static int only_mine(void)
{
    unsigned long error = ERR_get_error();

    return TEST_int_eq(ERR_GET_LIB(error), ERR_LIB_USER) && TEST_int_eq(ERR_GET_REASON(error), 9)
        && TEST_ulong_eq(ERR_get_error(), 0);
}

/* Are there no others? The queue is empty afterwards. */
static int no_others(void)
{
    unsigned long error = ERR_peek_error();

    return error == 0 || only_mine();
}

static int errors(void)
{
    int i, ok = begin(1, 1);

    for (i = 0; i < 40 && ok && !(client.completed && server.completed); i++) {
        ERR_raise(ERR_LIB_USER, 9);
        ok = TICK(&client) && no_others();
        ERR_raise(ERR_LIB_USER, 9);
        ok = ok && TICK(&server) && no_others();
    }
    for (i = 0; i < 5 && ok; i++)
        ok = TICK(&client) && TICK(&server) && TEST_ulong_eq(ERR_peek_error(), 0);
    /* Now no handshake goes on, which starts by clearing the queue. */
    for (i = 0; i < 3 && ok; i++) {
        ERR_raise(ERR_LIB_USER, 9);
        ok = TICK(&client) && only_mine();
    }
    ERR_raise(ERR_LIB_USER, 9);
    /* A mark that is left would hold this up. */
    ok = ok && TEST_int_eq(client.completed, 1) && TICK(&client) && TEST_int_eq(ERR_pop_to_mark(), 0);
    if (!end(ok) || !begin(0, 1))
        return 0;
    ERR_raise(ERR_LIB_USER, 9);
    ok = FAILS(&client) && only_mine();
    if (ok) {
        OSSL_ERR_STATE_restore(client.qtls->error_state);
        ok = TEST_int_eq(ERR_GET_REASON(ERR_get_error()), SSL_R_QUIC_HANDSHAKE_LAYER_ERROR)
            && TEST_ulong_eq(ERR_get_error(), 0);
    }
    return end(ok);
}

static int no_leak(void)
{
    long blocks = 0;
    int i, ok = 1;

    for (i = 0; i < 3 && ok; i++) {
        OPENSSL_thread_stop();
        if (i < 2)
            blocks = memory_blocks;
        ok = finish() && no_client_alpn() && no_server_alpn() && none_agreed() && wrong_message()
            && full_buffer() && begins();
    }
    OPENSSL_thread_stop();
    return ok && TEST_long_eq(memory_blocks, blocks) && TEST_long_eq(memory_bad_frees, 0);
}

int setup_tests(void)
{
    if (!TEST_true(plus_certificate()))
        return 0;
    add_test("a client begins and a server waits", begins);
    add_test("both ends finish and tell it once", finish);
    add_test("the same secrets are given at both ends", secrets);
    add_test("the transport parameters of each end reach the other", parameters);
    add_test("what QUIC demands of TLS is set", demanded);
    add_test("a client without ALPN fails at once", no_client_alpn);
    add_test("a server without ALPN fails", no_server_alpn);
    add_test("a handshake without a protocol agreed on fails", none_agreed);
    add_test("an error stays and nothing is called any more", stays);
    add_test("a message that is wrong is an error", wrong_message);
    add_test("to be called again is no error", called_again);
    add_test("a send buffer that is full is no error", full_buffer);
    add_test("messages after the handshake are taken", afterwards);
    add_test("errors of before do not matter and stay", errors);
    add_test("nothing is leaked or freed twice", no_leak);
    return 1;
}

void cleanup_tests(void)
{
    plus_certificate_free();
}
