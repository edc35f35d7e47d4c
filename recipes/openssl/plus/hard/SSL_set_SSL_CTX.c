/*---
 * tasks: [custom_ext_parse-9fc2dd.4, custom_ext_parse-9fc2dd.8]
 * tests:
 *   the new context is taken and given back: 'sslapitest.c: sni_cb, NULL is an error; SSL_get_SSL_CTX.pod.'
 *   the same context again is taken: 'test/sslapitest.c: sni_cb; NULL is an error.'
 *   certificate and key are those of the new: 'SSL_CTX_set_tlsext_servername_callback.pod: "a different configuration".'
 *   what else is configured with them is that of the new:
 *     'SSL_CTX_set_tlsext_servername_callback.pod: "a different configuration"; ssl_local.h: CERT.'
 *   the SSL has a copy of it: 'ssl_local.h: CERT, references, ">1 only if SSL_copy_session_id is used".'
 *   what came and went of the extensions is kept: 'custom_exts_copy_flags: "Copy the flags from src to dst".'
 *   the session id context follows the context: 'CHANGES.md: "is updated when its SSL_CTX is updated".'
 *   a session id context of its own stays: 'SSL_CTX_set_session_id_context.pod: "for the ssl object".'
 *   options and modes stay: 'test/helpers/handshake.c: copies the options after it.'
 *   the context of the sessions stays: 'ssl_local.h: session_ctx, "initial ctx, used to store sessions".'
 *   the contexts live as long as they are used: 'SSL_CTX_up_ref.pod; SSL_new.pod: references.'
 *   refused memory gives NULL and changes nothing: 'sslapitest.c: sni_cb gives an alert then.'
 *   nothing is leaked or freed twice: 'SSL_free frees what it has; SSL_CTX_free the contexts.'
 ---*/
#include "pa_dupssl.h"

static int end(SSL *ssl, SSL_CTX *ctx, SSL_CTX *ctx2, int ok)
{
    SSL_free(ssl);
    SSL_CTX_free(ctx);
    SSL_CTX_free(ctx2);
    ERR_clear_error();
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int set(SSL *ssl, SSL_CTX *ctx)
{
    return TEST_ptr_eq(SSL_set_SSL_CTX(ssl, ctx), ctx) && TEST_ptr_eq(SSL_get_SSL_CTX(ssl), ctx);
}

static int taken(void)
{
    SSL_CTX *ctx = plus_ctx(), *ctx2 = plus_ctx();
    SSL *ssl = SSL_new(ctx);
    int ok = set(ssl, ctx2) && set(ssl, ctx) && set(ssl, ctx2);

    return end(ssl, ctx, ctx2, ok);
}

static int same(void)
{
    SSL_CTX *ctx = plus_ctx(), *ctx2 = plus_ctx();
    SSL *ssl = SSL_new(ctx);
    int ok = set(ssl, ctx) && set(ssl, ctx) && set(ssl, ctx2) && set(ssl, ctx2) && set(ssl, ctx2);

    return end(ssl, ctx, ctx2, ok);
}

static int certificate(void)
{
    SSL_CTX *ctx = plus_ctx(), *ctx2 = plus_ctx();
    SSL *ssl;
    int ok = TEST_int_eq(SSL_CTX_use_certificate(ctx2, plus_x509), 1)
        && TEST_int_eq(SSL_CTX_use_PrivateKey(ctx2, plus_key), 1) && TEST_ptr(ssl = SSL_new(ctx))
        && TEST_ptr_null(SSL_get_certificate(ssl)) && set(ssl, ctx2)
        && TEST_ptr_eq(SSL_get_certificate(ssl), plus_x509)
        && TEST_ptr_eq(SSL_get_privatekey(ssl), plus_key)
        && set(ssl, ctx) && TEST_ptr_null(SSL_get_certificate(ssl))
        && TEST_ptr_null(SSL_get_privatekey(ssl));

    return end(ssl, ctx, ctx2, ok);
}

static int else_configured(void)
{
    static int arg;
    SSL_CTX *ctx = plus_ctx(), *ctx2 = plus_ctx();
    SSL_CONNECTION *sc;
    SSL *ssl;
    int ok;

    SSL_CTX_set_cert_cb(ctx2, plus_cert_cb, &arg);
    SSL_CTX_set_cert_flags(ctx2, SSL_CERT_FLAG_TLS_STRICT);
    SSL_CTX_set_security_level(ctx, 1);
    SSL_CTX_set_security_level(ctx2, 2);
    plus_method(&ctx2->cert->custext, 1000);
    ssl = SSL_new(ctx);
    ok = TEST_int_eq(SSL_get_security_level(ssl), 1) && set(ssl, ctx2)
        && TEST_ptr(sc = SSL_CONNECTION_FROM_SSL_ONLY(ssl))
        && TEST_true(sc->cert->cert_cb == plus_cert_cb) && TEST_ptr_eq(sc->cert->cert_cb_arg, &arg)
        && TEST_long_eq(SSL_set_cert_flags(ssl, 0), SSL_CERT_FLAG_TLS_STRICT)
        && TEST_int_eq(SSL_get_security_level(ssl), 2)
        && TEST_size_t_eq(sc->cert->custext.meths_count, 1)
        && TEST_uint_eq(sc->cert->custext.meths[0].ext_type, 1000)
        && set(ssl, ctx) && TEST_size_t_eq(sc->cert->custext.meths_count, 0)
        && TEST_true(sc->cert->cert_cb == NULL) && TEST_int_eq(SSL_get_security_level(ssl), 1);
    return end(ssl, ctx, ctx2, ok);
}

static int copy(void)
{
    SSL_CTX *ctx = plus_ctx(), *ctx2 = plus_ctx();
    SSL *ssl = SSL_new(ctx), *other = NULL;
    int ok = set(ssl, ctx2) && TEST_int_eq(SSL_use_certificate(ssl, plus_x509), 1)
        && TEST_int_eq(SSL_use_PrivateKey(ssl, plus_key), 1);

    SSL_set_security_level(ssl, 3);
    ok = ok && TEST_ptr_null(SSL_CTX_get0_certificate(ctx2))
        && TEST_int_ne(SSL_CTX_get_security_level(ctx2), 3)
        && TEST_ptr(other = SSL_new(ctx2)) && TEST_ptr_null(SSL_get_certificate(other))
        && TEST_int_ne(SSL_get_security_level(other), 3);
    SSL_free(other);
    return end(ssl, ctx, ctx2, ok);
}

static int extensions(void)
{
    SSL_CTX *ctx = plus_ctx(), *ctx2 = plus_ctx();
    SSL *ssl;
    custom_ext_methods *exts;
    int i, ok;

    for (i = 0; i < 4; i++)
        plus_method(&ctx->cert->custext, 1000 + i);
    for (i = 2; i < 6; i++)
        plus_method(&ctx2->cert->custext, 1000 + i);
    ssl = SSL_new(ctx);
    exts = &SSL_CONNECTION_FROM_SSL_ONLY(ssl)->cert->custext;
    exts->meths[1].ext_flags = SSL_EXT_FLAG_SENT;
    exts->meths[2].ext_flags = SSL_EXT_FLAG_RECEIVED;
    exts->meths[3].ext_flags = SSL_EXT_FLAG_SENT | SSL_EXT_FLAG_RECEIVED;
    ok = set(ssl, ctx2);
    exts = &SSL_CONNECTION_FROM_SSL_ONLY(ssl)->cert->custext;
    ok = ok && TEST_size_t_eq(exts->meths_count, 4)
        && TEST_uint_eq(exts->meths[0].ext_flags, SSL_EXT_FLAG_RECEIVED)
        && TEST_uint_eq(exts->meths[1].ext_flags, SSL_EXT_FLAG_SENT | SSL_EXT_FLAG_RECEIVED)
        && TEST_uint_eq(exts->meths[2].ext_flags, 0) && TEST_uint_eq(exts->meths[3].ext_flags, 0)
        && TEST_uint_eq(ctx2->cert->custext.meths[0].ext_flags, 0)
        && TEST_uint_eq(ctx2->cert->custext.meths[1].ext_flags, 0);
    return end(ssl, ctx, ctx2, ok);
}

/* Of contexts with these, and one of the SSL's own if any: which is it afterwards? */
static int sid(const char *first, const char *second, const char *own, const char *after)
{
    SSL_CTX *ctx = plus_ctx(), *ctx2 = plus_ctx();
    SSL *ssl;
    int ok = TEST_true(plus_set_sid(ctx, first)) && TEST_true(plus_set_sid(ctx2, second));

    ssl = SSL_new(ctx);
    if (own != NULL)
        SSL_set_session_id_context(ssl, (const unsigned char *)own, strlen(own));
    ok = ok && set(ssl, ctx2) && plus_sid_is(ssl, after)
        && set(ssl, ctx) && plus_sid_is(ssl, own != NULL && strcmp(after, own) == 0 ? own : first);
    return end(ssl, ctx, ctx2, ok);
}

static int follows(void)
{
    return sid("one", "two", NULL, "two") && sid("one", "longer than one", NULL, "longer than one")
        && sid("longer than one", "one", NULL, "one") && sid("", "two", NULL, "two")
        && sid("one", "", NULL, "") && sid("", "", NULL, "")
        && sid("0123456789abcdef0123456789abcdef", "1123456789abcdef0123456789abcdeg", NULL,
               "1123456789abcdef0123456789abcdeg");
}

static int sid_own(void)
{
    return sid("one", "two", "own", "own") && sid("one", "two", "on", "on")
        && sid("one", "two", "ones", "ones") && sid("one", "two", "", "")
        && sid("", "two", "own", "own") && sid("one", "", "own", "own");
}

static int stay(void)
{
    SSL_CTX *ctx = plus_ctx(), *ctx2 = plus_ctx();
    SSL *ssl;
    uint64_t options;
    int ok;

    SSL_CTX_set_options(ctx2, SSL_OP_NO_TICKET);
    SSL_CTX_set_mode(ctx2, SSL_MODE_AUTO_RETRY | SSL_MODE_RELEASE_BUFFERS);
    SSL_CTX_set_verify(ctx2, SSL_VERIFY_PEER, NULL);
    SSL_CTX_set_min_proto_version(ctx2, TLS1_3_VERSION);
    ssl = SSL_new(ctx);
    SSL_set_options(ssl, SSL_OP_CIPHER_SERVER_PREFERENCE);
    SSL_set_mode(ssl, SSL_MODE_ENABLE_PARTIAL_WRITE);
    SSL_set_accept_state(ssl);
    SSL_set_verify(ssl, SSL_VERIFY_PEER | SSL_VERIFY_CLIENT_ONCE, NULL);
    SSL_set_max_proto_version(ssl, TLS1_2_VERSION);
    options = SSL_get_options(ssl);
    ok = set(ssl, ctx2) && TEST_true(SSL_get_options(ssl) == options)
        && TEST_long_eq(SSL_get_mode(ssl) & SSL_MODE_RELEASE_BUFFERS, 0)
        && TEST_long_ne(SSL_get_mode(ssl) & SSL_MODE_ENABLE_PARTIAL_WRITE, 0)
        && TEST_int_eq(SSL_get_verify_mode(ssl), SSL_VERIFY_PEER | SSL_VERIFY_CLIENT_ONCE)
        && TEST_int_eq(SSL_get_min_proto_version(ssl), 0)
        && TEST_int_eq(SSL_get_max_proto_version(ssl), TLS1_2_VERSION)
        && TEST_int_eq(SSL_is_server(ssl), 1);
    return end(ssl, ctx, ctx2, ok);
}

static int of_sessions(void)
{
    SSL_CTX *ctx = plus_ctx(), *ctx2 = plus_ctx();
    SSL *ssl = SSL_new(ctx);
    int ok = set(ssl, ctx2)
        && TEST_ptr_eq(SSL_CONNECTION_FROM_SSL_ONLY(ssl)->session_ctx, ctx);

    return end(ssl, ctx, ctx2, ok);
}

static int live(void)
{
    SSL_CTX *ctx = plus_ctx(), *ctx2 = plus_ctx(), *ctx3 = plus_ctx();
    SSL *ssl = SSL_new(ctx);
    int ok = set(ssl, ctx2);

    /* Only the SSL has them now. */
    SSL_CTX_free(ctx2);
    SSL_CTX_free(ctx);
    ok = ok && TEST_ptr_eq(SSL_get_SSL_CTX(ssl), ctx2)
        && TEST_true(SSL_CTX_get_cert_store(ctx2) != NULL)
        && TEST_ptr(SSL_CTX_get_ciphers(ctx2))
        && TEST_int_gt(sk_SSL_CIPHER_num(SSL_CTX_get_ciphers(ctx)), 0);
    /* And now the second none. */
    ok = ok && set(ssl, ctx3) && TEST_ptr(SSL_get_ciphers(ssl));
    return end(ssl, NULL, ctx3, ok);
}

static int refused(void)
{
    int i, failed = 0, ok = 1;

    for (i = 0; i < 24 && ok; i++) {
        long blocks;
        SSL_CTX *ctx, *ctx2;
        SSL *ssl;

        ERR_clear_error();
        OPENSSL_thread_stop();
        blocks = memory_blocks;
        ctx = plus_ctx();
        ctx2 = plus_ctx();
        plus_set_sid(ctx, "one");
        plus_set_sid(ctx2, "two");
        SSL_CTX_use_certificate(ctx, plus_x509);
        plus_method(&ctx->cert->custext, 1000);
        plus_method(&ctx2->cert->custext, 1000);
        plus_method(&ctx2->cert->custext, 1001);
        ssl = SSL_new(ctx);
        SSL_CONNECTION_FROM_SSL_ONLY(ssl)->cert->custext.meths[0].ext_flags = SSL_EXT_FLAG_SENT;
        plus_refuse(i);
        if (SSL_set_SSL_CTX(ssl, ctx2) == NULL) {
            plus_refuse(-1);
            failed++;
            ok = TEST_ptr_eq(SSL_get_SSL_CTX(ssl), ctx) && plus_sid_is(ssl, "one")
                && TEST_ptr_eq(SSL_get_certificate(ssl), plus_x509)
                && TEST_size_t_eq(SSL_CONNECTION_FROM_SSL_ONLY(ssl)->cert->custext.meths_count, 1)
                && set(ssl, ctx2) && plus_sid_is(ssl, "two")
                && TEST_uint_eq(SSL_CONNECTION_FROM_SSL_ONLY(ssl)->cert->custext.meths[0].ext_flags,
                                SSL_EXT_FLAG_SENT);
        } else {
            plus_refuse(-1);
            ok = TEST_ptr_eq(SSL_get_SSL_CTX(ssl), ctx2) && plus_sid_is(ssl, "two")
                && TEST_ptr_null(SSL_get_certificate(ssl));
        }
        ok = end(ssl, ctx, ctx2, ok);
        OPENSSL_thread_stop();
        ok = ok && (i == 0 || TEST_long_eq(memory_blocks, blocks));
    }
    return ok && TEST_int_ge(failed, 4);
}

static int no_leak(void)
{
    long blocks;
    int ok = taken() && certificate() && extensions();

    OPENSSL_thread_stop();
    blocks = memory_blocks;
    ok = ok && taken() && same() && certificate() && else_configured() && copy() && extensions()
        && sid_own() && live();
    OPENSSL_thread_stop();
    return ok && TEST_long_eq(memory_blocks, blocks) && TEST_long_eq(memory_bad_frees, 0);
}

int setup_tests(void)
{
    if (!TEST_true(plus_certificate()))
        return 0;
    add_test("the new context is taken and given back", taken);
    add_test("the same context again is taken", same);
    add_test("certificate and key are those of the new", certificate);
    add_test("what else is configured with them is that of the new", else_configured);
    add_test("the SSL has a copy of it", copy);
    add_test("what came and went of the extensions is kept", extensions);
    add_test("the session id context follows the context", follows);
    add_test("a session id context of its own stays", sid_own);
    add_test("options and modes stay", stay);
    add_test("the context of the sessions stays", of_sessions);
    add_test("the contexts live as long as they are used", live);
    add_test("refused memory gives NULL and changes nothing", refused);
    add_test("nothing is leaked or freed twice", no_leak);
    return 1;
}

void cleanup_tests(void)
{
    plus_certificate_free();
}
