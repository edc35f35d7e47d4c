/*---
 * tasks: [custom_ext_parse-9fc2dd.16]
 * tests:
 *   the method is set: 'SSL_set_ssl_method(3): "sets a new TLS/SSL method"; SSL_get_ssl_method(3).'
 *   the same method again is right and loses nothing:
 *     'SSL_set_ssl_method(3): 1, "The operation succeeded"; "a new ... method".'
 *   the old method is taken down and the new one set up where they differ in version:
 *     'ssl_lib.c: ossl_ssl_connection_reset and SSL_copy_session_id call ssl_deinit, set the method,
 *     call ssl_init.'
 *   a setup that fails is told: 'SSL_set_ssl_method(3): 0, "The new choice failed".'
 *   the part of client or server goes on with the new method:
 *     'SSL_set_connect_state.pod: "must call the connect (client) or accept (server) routines";
 *     SSL_METHOD has them.'
 *   a part that was not chosen stays so:
 *     'SSL_set_connect_state.pod: "the handshake routines must be explicitly set".'
 *   the version follows the method: 'SSL_CTX_new(3): version-specific methods; tls1_clear.'
 *   TLS and DTLS can be exchanged and nothing is leaked:
 *     'ssl_local.h: ssl_init makes d1, ssl_deinit frees it.'
 *   a QUIC method is refused:
 *     'SSL_set_ssl_method(3): "cannot be used to change a non-QUIC SSL object to a QUIC SSL object".'
 *   a QUIC object keeps its method:
 *     'SSL_set_ssl_method(3): "or vice versa, or change ... from one QUIC method to another".'
 *   it holds until SSL_clear and for this SSL alone:
 *     'SSL_set_ssl_method(3): "for a particular ssl object"; "when SSL_clear() is called".'
 *   settings and BIOs stay: 'SSL_set_ssl_method(3): sets the method.'
 *   NULL is no object: 'ssl_local.h: SSL_CONNECTION_FROM_SSL gives NULL; 0 for failure.'
 ---*/
#include "pa_dupssl.h"

static SSL *start(const SSL_METHOD *method)
{
    SSL_CTX *ctx = SSL_CTX_new(method);
    SSL *ssl = SSL_new(ctx);

    SSL_CTX_free(ctx);
    return ssl;
}

static int end(SSL *ssl, int ok)
{
    SSL_free(ssl);
    ERR_clear_error();
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int set(SSL *ssl, const SSL_METHOD *method)
{
    return TEST_int_eq(SSL_set_ssl_method(ssl, method), 1)
        && TEST_ptr_eq(SSL_get_ssl_method(ssl), method);
}

#define CONNECTION(ssl) SSL_CONNECTION_FROM_SSL_ONLY(ssl)

/* What was called, in order: i for init, d for deinit of the first method, I and D of the second. */
static char calls[20];
static int refuse;
static const void *method_then[2]; /* while the last init and deinit ran */
static SSL *object_then;
static SSL_METHOD first, second;

static void called(char what, SSL *ssl)
{
    size_t length = strlen(calls);

    if (length < sizeof(calls) - 1)
        calls[length] = what;
    object_then = ssl;
    method_then[what == 'd' || what == 'D'] = SSL_get_ssl_method(ssl);
}

static int first_init(SSL *ssl)
{
    called('i', ssl);
    return tls1_new(ssl) && !refuse;
}

static int second_init(SSL *ssl)
{
    called('I', ssl);
    return tls1_new(ssl) && !refuse;
}

static void first_deinit(SSL *ssl)
{
    called('d', ssl);
    tls1_free(ssl);
}

static void second_deinit(SSL *ssl)
{
    called('D', ssl);
    tls1_free(ssl);
}

static int first_connect(SSL *ssl)
{
    return -1;
}

static int second_connect(SSL *ssl)
{
    return -1;
}

static int first_accept(SSL *ssl)
{
    return -1;
}

static int second_accept(SSL *ssl)
{
    return -1;
}

/* The two methods, of these versions, and an SSL of the first. */
static SSL *start_first(int version, int second_version)
{
    SSL *ssl;

    first = second = *TLS_method();
    first.version = version;
    first.ssl_init = first_init;
    first.ssl_deinit = first_deinit;
    first.ssl_connect = first_connect;
    first.ssl_accept = first_accept;
    second.version = second_version;
    second.ssl_init = second_init;
    second.ssl_deinit = second_deinit;
    second.ssl_connect = second_connect;
    second.ssl_accept = second_accept;
    refuse = 0;
    ssl = start(&first);
    memset(calls, 0, sizeof(calls));
    return ssl;
}

static int is_set(void)
{
    SSL *ssl = start(TLS_method());
    int ok = set(ssl, TLS_client_method()) && set(ssl, tlsv1_2_method()) && set(ssl, tlsv1_3_method())
        && set(ssl, TLS_server_method()) && set(ssl, TLS_method());

    return end(ssl, ok);
}

static int same(void)
{
    SSL *ssl = start_first(TLS1_2_VERSION, TLS1_2_VERSION);
    int ok;

    SSL_set_accept_state(ssl);
    memset(calls, 0, sizeof(calls));
    ok = set(ssl, &first) && set(ssl, &first) && TEST_str_eq(calls, "")
        && TEST_true(CONNECTION(ssl)->handshake_func == first_accept) && set(ssl, &second)
        && set(ssl, &second) && TEST_true(CONNECTION(ssl)->handshake_func == second_accept);
    return end(ssl, ok);
}

static int set_up(void)
{
    SSL *ssl = start_first(TLS1_2_VERSION, TLS1_3_VERSION);
    int ok = set(ssl, &second) && TEST_str_eq(calls, "dI") && TEST_ptr_eq(object_then, ssl)
        && TEST_ptr_eq(method_then[0], &second);

    memset(calls, 0, sizeof(calls));
    ok = ok && set(ssl, &first) && TEST_str_eq(calls, "Di") && TEST_ptr_eq(method_then[0], &first);
    return end(ssl, ok);
}

static int fails(void)
{
    SSL *ssl = start_first(TLS1_2_VERSION, TLS1_3_VERSION);
    int ok;

    refuse = 1;
    ok = TEST_int_eq(SSL_set_ssl_method(ssl, &second), 0) && TEST_str_eq(calls, "dI");
    refuse = 0;
    return end(ssl, ok);
}

/* Chosen: 0 for nothing, 1 for connect, 2 for accept. */
static int goes_on(int version, int second_version, int chosen)
{
    SSL *ssl = start_first(version, second_version);
    int (*wanted)(SSL *) = chosen == 0 ? NULL : chosen == 1 ? second_connect : second_accept;
    int ok;

    if (chosen == 1)
        SSL_set_connect_state(ssl);
    else if (chosen == 2)
        SSL_set_accept_state(ssl);
    ok = set(ssl, &second) && TEST_true(CONNECTION(ssl)->handshake_func == wanted)
        && (chosen == 0 || TEST_int_eq(SSL_is_server(ssl), chosen == 2));
    wanted = chosen == 0 ? NULL : chosen == 1 ? first_connect : first_accept;
    ok = ok && set(ssl, &first) && TEST_true(CONNECTION(ssl)->handshake_func == wanted);
    return end(ssl, ok);
}

static int part(void)
{
    int i;

    for (i = 1; i <= 2; i++)
        if (!goes_on(TLS1_2_VERSION, TLS1_3_VERSION, i) || !goes_on(TLS1_2_VERSION, TLS1_2_VERSION, i)
                || !goes_on(TLS_ANY_VERSION, TLS1_2_VERSION, i))
            return 0;
    return 1;
}

static int no_part(void)
{
    SSL *ssl = start(TLS_method());
    int ok = set(ssl, TLS_client_method()) && TEST_int_le(SSL_do_handshake(ssl), 0)
        && TEST_int_eq(ERR_GET_REASON(ERR_peek_last_error()), SSL_R_CONNECTION_TYPE_NOT_SET);

    return end(ssl, ok) && goes_on(TLS1_2_VERSION, TLS1_3_VERSION, 0)
        && goes_on(TLS1_2_VERSION, TLS1_2_VERSION, 0);
}

static int version(void)
{
    SSL *ssl = start(TLS_method());
    int ok = set(ssl, tlsv1_2_method()) && TEST_int_eq(SSL_version(ssl), TLS1_2_VERSION)
        && set(ssl, tlsv1_3_method()) && TEST_int_eq(SSL_version(ssl), TLS1_3_VERSION)
        && TEST_false(SSL_is_dtls(ssl));

#if !defined(OPENSSL_NO_DTLS1_2) && !defined(OPENSSL_NO_DTLS1_2_METHOD)
    ok = ok && set(ssl, dtlsv1_2_method()) && TEST_int_eq(SSL_version(ssl), DTLS1_2_VERSION)
        && TEST_true(SSL_is_dtls(ssl));
#endif
    ok = ok && set(ssl, tlsv1_2_method()) && TEST_int_eq(SSL_version(ssl), TLS1_2_VERSION)
        && TEST_false(SSL_is_dtls(ssl));
    return end(ssl, ok);
}

static int exchange_round(int times)
{
    SSL *ssl = start(TLS_method());
    int i, ok = 1;

    for (i = 0; i < times && ok; i++)
        ok = set(ssl, DTLS_method()) && TEST_ptr(CONNECTION(ssl)->d1) && TEST_true(SSL_is_dtls(ssl))
            && set(ssl, i % 2 ? TLS_method() : tlsv1_2_method()) && TEST_ptr_null(CONNECTION(ssl)->d1)
            && TEST_false(SSL_is_dtls(ssl));
    return end(ssl, ok);
}

static int exchanged(void)
{
    long blocks;
    int ok = exchange_round(1);

    OPENSSL_thread_stop();
    blocks = memory_blocks;
    ok = ok && exchange_round(1) && exchange_round(5);
    OPENSSL_thread_stop();
    return ok && TEST_long_eq(memory_blocks, blocks) && TEST_long_eq(memory_bad_frees, 0);
}

static int no_quic(void)
{
#ifndef OPENSSL_NO_QUIC
    SSL *ssl = start(TLS_method());
    int ok;

    SSL_set_connect_state(ssl);
    ok = TEST_int_eq(SSL_set_ssl_method(ssl, OSSL_QUIC_client_method()), 0)
        && TEST_ptr_eq(SSL_get_ssl_method(ssl), TLS_method())
        && TEST_int_eq(SSL_set_ssl_method(ssl, OSSL_QUIC_client_thread_method()), 0)
        && TEST_ptr_eq(SSL_get_ssl_method(ssl), TLS_method())
        && TEST_true(CONNECTION(ssl)->handshake_func == TLS_method()->ssl_connect)
        && set(ssl, tlsv1_2_method());
    return end(ssl, ok);
#else
    return 1;
#endif
}

static int quic_keeps(void)
{
#ifndef OPENSSL_NO_QUIC
    SSL *ssl = start(OSSL_QUIC_client_method());
    int ok = TEST_ptr(ssl) && TEST_int_eq(SSL_set_ssl_method(ssl, TLS_method()), 0)
        && TEST_ptr_eq(SSL_get_ssl_method(ssl), OSSL_QUIC_client_method())
        && TEST_int_eq(SSL_set_ssl_method(ssl, OSSL_QUIC_client_thread_method()), 0)
        && TEST_ptr_eq(SSL_get_ssl_method(ssl), OSSL_QUIC_client_method())
        && TEST_int_eq(SSL_set_ssl_method(ssl, tlsv1_3_method()), 0)
        && TEST_ptr_eq(SSL_get_ssl_method(ssl), OSSL_QUIC_client_method());

    return end(ssl, ok);
#else
    return 1;
#endif
}

static int until_clear(void)
{
    SSL_CTX *ctx = SSL_CTX_new(TLS_method());
    SSL *ssl = SSL_new(ctx), *other = SSL_new(ctx), *later;
    int ok = set(ssl, tlsv1_2_method()) && TEST_ptr_eq(SSL_CTX_get_ssl_method(ctx), TLS_method())
        && TEST_ptr_eq(SSL_get_ssl_method(other), TLS_method()) && TEST_ptr(later = SSL_new(ctx))
        && TEST_ptr_eq(SSL_get_ssl_method(later), TLS_method()) && TEST_int_eq(SSL_clear(ssl), 1)
        && TEST_ptr_eq(SSL_get_ssl_method(ssl), TLS_method())
        && TEST_int_eq(SSL_clear(other), 1) && TEST_ptr_eq(SSL_get_ssl_method(other), TLS_method());

    if (ok)
        SSL_free(later);
    SSL_free(other);
    SSL_CTX_free(ctx);
    return end(ssl, ok);
}

static int settings(void)
{
    static const unsigned char sid[] = "context";
    SSL *ssl = start(TLS_method());
    BIO *rbio = BIO_new(BIO_s_mem()), *wbio = BIO_new(BIO_s_mem());
    uint64_t options;
    int ok;

    SSL_set_bio(ssl, rbio, wbio);
    SSL_set_options(ssl, SSL_OP_NO_TICKET);
    options = SSL_get_options(ssl);
    SSL_set_verify(ssl, SSL_VERIFY_PEER, NULL);
    SSL_set_session_id_context(ssl, sid, 7);
    ok = TEST_int_eq(SSL_use_certificate(ssl, plus_x509), 1)
        && TEST_true(SSL_set1_host(ssl, "host.example")) && set(ssl, tlsv1_2_method())
        && set(ssl, DTLS_method()) && set(ssl, TLS_client_method())
        && TEST_ptr_eq(SSL_get_rbio(ssl), rbio) && TEST_ptr_eq(SSL_get_wbio(ssl), wbio)
        && TEST_true(SSL_get_options(ssl) == options)
        && TEST_int_eq(SSL_get_verify_mode(ssl), SSL_VERIFY_PEER) && plus_sid_is(ssl, "context")
        && TEST_ptr_eq(SSL_get_certificate(ssl), plus_x509)
        && TEST_str_eq(X509_VERIFY_PARAM_get0_host(SSL_get0_param(ssl), 0), "host.example");
    return end(ssl, ok);
}

static int null(void)
{
    return TEST_int_eq(SSL_set_ssl_method(NULL, TLS_method()), 0);
}

int setup_tests(void)
{
    if (!TEST_true(plus_certificate()))
        return 0;
    add_test("the method is set", is_set);
    add_test("the same method again is right and loses nothing", same);
    add_test("the old method is taken down and the new one set up where they differ in version", set_up);
    add_test("a setup that fails is told", fails);
    add_test("the part of client or server goes on with the new method", part);
    add_test("a part that was not chosen stays so", no_part);
    add_test("the version follows the method", version);
    add_test("TLS and DTLS can be exchanged and nothing is leaked", exchanged);
    add_test("a QUIC method is refused", no_quic);
    add_test("a QUIC object keeps its method", quic_keeps);
    add_test("it holds until SSL_clear and for this SSL alone", until_clear);
    add_test("settings and BIOs stay", settings);
    add_test("NULL is no object", null);
    return 1;
}

void cleanup_tests(void)
{
    plus_certificate_free();
}
