/*---
 * tasks: [68294A4C6AA331E0]
 * tests:
 *   the connection is in a handshake again:
 *     'SSL_in_init(3): a handshake is under way; docstring: "ready for a renegotiation handshake".'
 *   a HelloRequest is asked for:
 *     'statem_srvr.c: ossl_statem_server_write_transition sends one where request_state says so.'
 *   the server goes on with the HelloRequest: 'RFC 5246 7.4.1.1: a server begins a renegotiation with HelloRequest.'
 *   the HelloRequest is sent once: 'statem_srvr.c: ossl_statem_server_write_transition clears the request.'
 *   where the handshake stands does not change yet: 'statem_srvr.c: the transition goes out from TLS_ST_OK.'
 *   what runs the state machine is not changed:
 *     'ssl/s3_lib.c: ssl3_renegotiate_check calls it in the middle of a connection; ossl_statem_clear is another
 *     function.'
 *   a connection already in a handshake stays in it:
 *     'ssl/s3_lib.c: ssl3_renegotiate_check calls it within a handshake too where initok is set.'
 ---*/
#include "../../ssl/statem/statem.c"
#include "../testutil.h"

static SSL_CTX *ctx;
static SSL *ssl;
static SSL_CONNECTION *sc;

/* A server's connection of TLS 1.2 whose handshake is done. */
static int fresh(void)
{
    SSL_free(ssl);
    if (!TEST_ptr(ssl = SSL_new(ctx)))
        return 0;
    SSL_set_accept_state(ssl);
    sc = SSL_CONNECTION_FROM_SSL(ssl);
    sc->statem.hand_state = TLS_ST_OK;
    sc->statem.state = MSG_FLOW_UNINITED;
    sc->statem.request_state = TLS_ST_BEFORE;
    sc->statem.no_cert_verify = 1;
    ossl_statem_set_in_init(sc, 0);
    return TEST_true(SSL_is_init_finished(ssl));
}

static int in_handshake(void)
{
    if (!fresh())
        return 0;
    ossl_statem_set_renegotiate(sc);
    return TEST_true(SSL_in_init(ssl)) && TEST_false(SSL_is_init_finished(ssl));
}

static int asked(void)
{
    if (!fresh())
        return 0;
    ossl_statem_set_renegotiate(sc);
    return TEST_int_eq(sc->statem.request_state, TLS_ST_SW_HELLO_REQ);
}

static int goes_on(void)
{
    if (!fresh())
        return 0;
    ossl_statem_set_renegotiate(sc);
    return TEST_int_eq(ossl_statem_server_write_transition(sc), WRITE_TRAN_CONTINUE)
        && TEST_int_eq(SSL_get_state(ssl), TLS_ST_SW_HELLO_REQ);
}

static int once(void)
{
    if (!fresh())
        return 0;
    ossl_statem_set_renegotiate(sc);
    return TEST_int_eq(ossl_statem_server_write_transition(sc), WRITE_TRAN_CONTINUE)
        && TEST_int_ne(sc->statem.request_state, TLS_ST_SW_HELLO_REQ);
}

static int stands(void)
{
    if (!fresh())
        return 0;
    ossl_statem_set_renegotiate(sc);
    return TEST_int_eq(SSL_get_state(ssl), TLS_ST_OK);
}

static int runs(void)
{
    if (!fresh())
        return 0;
    sc->statem.state = MSG_FLOW_WRITING;
    ossl_statem_set_renegotiate(sc);
    return TEST_int_eq(sc->statem.state, MSG_FLOW_WRITING)
        && TEST_false(ossl_statem_in_error(sc))
        && TEST_int_eq(sc->statem.no_cert_verify, 1);
}

static int stays_in(void)
{
    if (!fresh())
        return 0;
    ossl_statem_set_in_init(sc, 1);
    ossl_statem_set_renegotiate(sc);
    return TEST_true(SSL_in_init(ssl)) && TEST_int_eq(sc->statem.request_state, TLS_ST_SW_HELLO_REQ);
}

int setup_tests(void)
{
    if (!TEST_ptr(ctx = SSL_CTX_new(TLSv1_2_method())))
        return 0;
    add_test("the connection is in a handshake again", in_handshake);
    add_test("a HelloRequest is asked for", asked);
    add_test("the server goes on with the HelloRequest", goes_on);
    add_test("the HelloRequest is sent once", once);
    add_test("where the handshake stands does not change yet", stands);
    add_test("what runs the state machine is not changed", runs);
    add_test("a connection already in a handshake stays in it", stays_in);
    return 1;
}

void cleanup_tests(void)
{
    SSL_free(ssl);
    SSL_CTX_free(ctx);
}
