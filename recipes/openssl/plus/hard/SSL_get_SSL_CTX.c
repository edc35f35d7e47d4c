/*---
 * tasks: [custom_ext_parse-9fc2dd.8]
 * tests:
 *   the context of SSL_new is given: 'SSL_get_SSL_CTX.pod: "the SSL_CTX object, from which ssl was created".'
 *   each has its own: 'SSL_get_SSL_CTX.pod: "from which ssl was created with SSL_new(3)".'
 *   a later one is given: 'SSL_set_SSL_CTX; ssl_old_test.c: verify_servername asks which it is by now.'
 *   the context of a QUIC object is given:
 *     'ssl_local.h: each kind of object begins with struct ssl_st, which has ctx;
 *     quic-api-ssl-funcs.md: done for QUIC objects.'
 *   no reference is taken: 'SSL_get_SSL_CTX.pod: "returns a pointer"; s_server.c does not free it.'
 ---*/
#include "pa_dupssl.h"

static int created(void)
{
    SSL_CTX *ctx = plus_ctx();
    SSL *ssl = SSL_new(ctx);
    int ok = TEST_ptr_eq(SSL_get_SSL_CTX(ssl), ctx) && TEST_ptr_eq(SSL_get_SSL_CTX(ssl), ctx);

    SSL_set_accept_state(ssl);
    ok = ok && TEST_ptr_eq(SSL_get_SSL_CTX(ssl), ctx);
    SSL_free(ssl);
    SSL_CTX_free(ctx);
    return ok;
}

static int own(void)
{
    SSL_CTX *ctx = plus_ctx(), *ctx2 = SSL_CTX_new(DTLS_method());
    SSL *ssl = SSL_new(ctx), *ssl2 = SSL_new(ctx2), *ssl3 = SSL_new(ctx);
    int ok = TEST_ptr_eq(SSL_get_SSL_CTX(ssl), ctx) && TEST_ptr_eq(SSL_get_SSL_CTX(ssl2), ctx2)
        && TEST_ptr_eq(SSL_get_SSL_CTX(ssl3), ctx);

    SSL_free(ssl);
    SSL_free(ssl2);
    SSL_free(ssl3);
    SSL_CTX_free(ctx);
    SSL_CTX_free(ctx2);
    return ok;
}

static int later(void)
{
    SSL_CTX *ctx = plus_ctx(), *ctx2 = plus_ctx();
    SSL *ssl = SSL_new(ctx);
    int ok = TEST_ptr(SSL_set_SSL_CTX(ssl, ctx2)) && TEST_ptr_eq(SSL_get_SSL_CTX(ssl), ctx2)
        && TEST_ptr(SSL_set_SSL_CTX(ssl, ctx)) && TEST_ptr_eq(SSL_get_SSL_CTX(ssl), ctx);

    SSL_free(ssl);
    SSL_CTX_free(ctx);
    SSL_CTX_free(ctx2);
    return ok;
}

static int quic(void)
{
#ifndef OPENSSL_NO_QUIC
    SSL_CTX *ctx = SSL_CTX_new(OSSL_QUIC_client_method());
    SSL *ssl = SSL_new(ctx);
    int ok = TEST_ptr(ssl) && TEST_ptr_eq(SSL_get_SSL_CTX(ssl), ctx);

    SSL_free(ssl);
    SSL_CTX_free(ctx);
    return ok;
#else
    return 1;
#endif
}

static int no_reference(void)
{
    long blocks = memory_blocks;
    SSL_CTX *ctx = plus_ctx();
    SSL *ssl = SSL_new(ctx);
    int i, ok = 1;

    for (i = 0; i < 5 && ok; i++)
        ok = TEST_ptr_eq(SSL_get_SSL_CTX(ssl), ctx);
    SSL_CTX_free(ctx);
    ok = ok && TEST_ptr_eq(SSL_get_SSL_CTX(ssl), ctx);
    SSL_free(ssl);
    return ok && TEST_long_eq(memory_blocks, blocks) && TEST_long_eq(memory_bad_frees, 0);
}

int setup_tests(void)
{
    if (!created())
        ERR_clear_error();
    add_test("the context of SSL_new is given", created);
    add_test("each has its own", own);
    add_test("a later one is given", later);
    add_test("the context of a QUIC object is given", quic);
    add_test("no reference is taken", no_reference);
    return 1;
}
