/*---
 * tasks: [custom_ext_parse-9fc2dd.8]
 * tests:
 *   a new SSL of the same context is made: 'SSL_new.pod: "creates and returns a new SSL structure from the same SSL_CTX".'
 *   after the start the same SSL is given: 'SSL_new.pod: "just increments an internal reference count and returns the same handle".'
 *   a QUIC object gives NULL: 'SSL_new.pod: "not supported on QUIC SSL objects and returns NULL".'
 *   options, modes and versions: 'SSL_new.pod: "any Options", "any Mode", "minimum or maximum protocol settings".'
 *   verify settings: 'SSL_new.pod: "any verify mode, callback or depth ... or any configured X509 verification parameters".'
 *   callbacks: 'SSL_new.pod: msg, info, default password and session id generation callbacks.'
 *   ciphers: 'SSL_new.pod: "any configured Cipher List".'
 *   the part of server or client: 'SSL_new.pod: "initial accept (server) or connect (client) state".'
 *   sizes and data of the application: 'SSL_new.pod: max cert list, read_ahead, "application specific data".'
 *   CA lists: 'SSL_new.pod: "any CA list or client CA list".'
 *   certificates and what goes with them: 'SSL_new.pod: "certificates, private keys", PSK hint, security level, ...'
 *   the session and its context: 'SSL_new.pod: "any session data if configured (including the session_id_context)".'
 *   DANE: 'SSL_new.pod: "any DANE settings".'
 *   both are apart afterwards: 'SSL_new.pod: "duplicates ... into the new SSL object"; a reference each.'
 *   nothing is leaked or freed twice, even if memory is refused: 'SSL_new.pod: "NULL: the creation ... failed".'
 ---*/
#include "pa_dupssl.h"

static SSL *start(void)
{
    SSL_CTX *ctx = plus_ctx();
    SSL *ssl;

    SSL_CTX_dane_enable(ctx);
    ssl = SSL_new(ctx);
    SSL_CTX_free(ctx);
    return ssl;
}

/* The first goes first, so that what both have must have been copied. */
static int end(SSL *ssl, SSL *dup, int ok)
{
    SSL_free(ssl);
    if (ok && dup != NULL)
        ok = TEST_ptr(SSL_get_SSL_CTX(dup)) && TEST_ptr(SSL_get_ciphers(dup));
    SSL_free(dup);
    ERR_clear_error();
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

#define CONNECTION(ssl) SSL_CONNECTION_FROM_SSL_ONLY(ssl)

static int new_one(void)
{
    SSL *ssl = start(), *dup = SSL_dup(ssl);
    int ok = TEST_ptr(dup) && TEST_ptr_ne(dup, ssl)
        && TEST_ptr_eq(SSL_get_SSL_CTX(dup), SSL_get_SSL_CTX(ssl))
        && TEST_true(SSL_in_before(dup)) && TEST_true(SSL_get_ssl_method(dup) == TLS_method());

    return end(ssl, dup, ok);
}

static int same(void)
{
    long blocks;
    int i, ok = 1;

    OPENSSL_thread_stop();
    blocks = memory_blocks;

    for (i = 0; i < 3 && ok; i++) {
        SSL *ssl = start(), *dup;

        SSL_set_bio(ssl, BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()));
        if (i == 2) {
            /* As after a handshake. */
            CONNECTION(ssl)->statem.in_init = 0;
            CONNECTION(ssl)->statem.hand_state = TLS_ST_OK;
        } else {
            if (i == 0)
                SSL_set_connect_state(ssl);
            else
                SSL_set_accept_state(ssl);
            ok = TEST_int_le(SSL_do_handshake(ssl), 0) && TEST_false(SSL_in_before(ssl));
        }
        dup = SSL_dup(ssl);
        ok = ok && TEST_ptr_eq(dup, ssl);
        if (ok) {
            SSL_free(ssl);
            ok = TEST_ptr(SSL_get_SSL_CTX(dup)) && TEST_ptr(SSL_get_wbio(dup));
        }
        SSL_free(dup);
        ERR_clear_error();
        OPENSSL_thread_stop();
        ok = ok && (i < 2 || TEST_long_eq(memory_blocks, blocks));
        blocks = memory_blocks;
    }
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int quic(void)
{
#ifndef OPENSSL_NO_QUIC
    SSL_CTX *ctx = SSL_CTX_new(OSSL_QUIC_client_method());
    SSL *ssl = SSL_new(ctx);
    int ok = TEST_ptr(ssl) && TEST_ptr_null(SSL_dup(ssl));

    SSL_free(ssl);
    SSL_CTX_free(ctx);
    ERR_clear_error();
    return ok;
#else
    return 1;
#endif
}

static int options(void)
{
    SSL *ssl = start(), *dup;
    int ok;

    SSL_set_options(ssl, SSL_OP_NO_TICKET | SSL_OP_NO_RENEGOTIATION);
    SSL_clear_options(ssl, SSL_OP_NO_COMPRESSION | SSL_OP_ENABLE_MIDDLEBOX_COMPAT);
    SSL_set_mode(ssl, SSL_MODE_ENABLE_PARTIAL_WRITE);
    SSL_clear_mode(ssl, SSL_MODE_AUTO_RETRY);
    ok = TEST_true(SSL_set_min_proto_version(ssl, TLS1_2_VERSION))
        && TEST_true(SSL_set_max_proto_version(ssl, TLS1_2_VERSION))
        && TEST_ptr(dup = SSL_dup(ssl)) && TEST_true(SSL_get_options(dup) == SSL_get_options(ssl))
        && TEST_true((SSL_get_options(dup) & SSL_OP_ENABLE_MIDDLEBOX_COMPAT) == 0)
        && TEST_long_eq(SSL_get_mode(dup), SSL_get_mode(ssl))
        && TEST_long_eq(SSL_get_mode(dup) & SSL_MODE_AUTO_RETRY, 0)
        && TEST_int_eq(SSL_get_min_proto_version(dup), TLS1_2_VERSION)
        && TEST_int_eq(SSL_get_max_proto_version(dup), TLS1_2_VERSION);
    return end(ssl, dup, ok);
}

static int verify_cb(int preverify_ok, X509_STORE_CTX *x509_ctx)
{
    return 1;
}

static int verify(void)
{
    SSL *ssl = start(), *dup;
    X509_VERIFY_PARAM *param = SSL_get0_param(ssl);
    int ok;

    SSL_set_verify(ssl, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, verify_cb);
    SSL_set_verify_depth(ssl, 7);
    X509_VERIFY_PARAM_set_flags(param, X509_V_FLAG_CRL_CHECK);
    ok = TEST_true(SSL_set1_host(ssl, "host.example")) && TEST_true(SSL_add1_host(ssl, "b.example"))
        && TEST_true(X509_VERIFY_PARAM_set1_email(param, "me@host.example", 0))
        && TEST_ptr(dup = SSL_dup(ssl)) && TEST_ptr_ne(SSL_get0_param(dup), param)
        && TEST_int_eq(SSL_get_verify_mode(dup), SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT)
        && TEST_true(SSL_get_verify_callback(dup) == verify_cb)
        && TEST_int_eq(SSL_get_verify_depth(dup), 7)
        && TEST_ulong_eq(X509_VERIFY_PARAM_get_flags(SSL_get0_param(dup)),
                         X509_VERIFY_PARAM_get_flags(param))
        && TEST_str_eq(X509_VERIFY_PARAM_get0_host(SSL_get0_param(dup), 0), "host.example")
        && TEST_str_eq(X509_VERIFY_PARAM_get0_host(SSL_get0_param(dup), 1), "b.example")
        && TEST_str_eq(X509_VERIFY_PARAM_get0_email(SSL_get0_param(dup)), "me@host.example");
    return end(ssl, dup, ok);
}

static void msg_cb(int write_p, int version, int content_type, const void *buf, size_t len,
                   SSL *ssl, void *arg)
{
}

static void info_cb(const SSL *ssl, int type, int val)
{
}

static int password_cb(char *buf, int size, int rwflag, void *u)
{
    return 0;
}

static int session_id_cb(SSL *ssl, unsigned char *id, unsigned int *id_len)
{
    return 0;
}

static int callbacks(void)
{
    static int msg_arg, password_arg;
    SSL *ssl = start(), *dup;
    int ok;

    SSL_set_msg_callback(ssl, msg_cb);
    SSL_set_msg_callback_arg(ssl, &msg_arg);
    SSL_set_info_callback(ssl, info_cb);
    SSL_set_default_passwd_cb(ssl, password_cb);
    SSL_set_default_passwd_cb_userdata(ssl, &password_arg);
    ok = TEST_true(SSL_set_generate_session_id(ssl, session_id_cb)) && TEST_ptr(dup = SSL_dup(ssl))
        && TEST_true(CONNECTION(dup)->msg_callback == msg_cb)
        && TEST_ptr_eq(CONNECTION(dup)->msg_callback_arg, &msg_arg)
        && TEST_true(SSL_get_info_callback(dup) == info_cb)
        && TEST_true(SSL_get_default_passwd_cb(dup) == password_cb)
        && TEST_ptr_eq(SSL_get_default_passwd_cb_userdata(dup), &password_arg)
        && TEST_true(CONNECTION(dup)->generate_session_id == session_id_cb);
    return end(ssl, dup, ok);
}

static int ciphers(void)
{
    static const char list[] = "ECDHE-RSA-AES256-GCM-SHA384:ECDHE-RSA-AES128-GCM-SHA256";
    SSL *ssl = start(), *dup;
    int i, ok = TEST_int_eq(SSL_set_cipher_list(ssl, list), 1) && TEST_ptr(dup = SSL_dup(ssl))
        && TEST_int_eq(sk_SSL_CIPHER_num(SSL_get_ciphers(dup)),
                       sk_SSL_CIPHER_num(SSL_get_ciphers(ssl)))
        && TEST_ptr_ne(SSL_get_ciphers(dup), SSL_get_ciphers(ssl))
        && TEST_ptr(ssl_get_ciphers_by_id(CONNECTION(dup)))
        && TEST_int_eq(sk_SSL_CIPHER_num(ssl_get_ciphers_by_id(CONNECTION(dup))),
                       sk_SSL_CIPHER_num(ssl_get_ciphers_by_id(CONNECTION(ssl))));

    for (i = 0; ok && i < sk_SSL_CIPHER_num(SSL_get_ciphers(ssl)); i++)
        ok = TEST_ptr_eq(sk_SSL_CIPHER_value(SSL_get_ciphers(dup), i),
                         sk_SSL_CIPHER_value(SSL_get_ciphers(ssl), i));
    return end(ssl, dup, ok);
}

/* 0 for none, 1 for a server, 2 for a client. */
static int part(int which)
{
    SSL *ssl = start(), *dup;
    int ok;

    if (which == 1)
        SSL_set_accept_state(ssl);
    else if (which == 2)
        SSL_set_connect_state(ssl);
    ok = TEST_ptr(dup = SSL_dup(ssl)) && TEST_int_eq(SSL_is_server(dup), SSL_is_server(ssl))
        && TEST_true(CONNECTION(dup)->handshake_func == CONNECTION(ssl)->handshake_func);
    if (ok && which != 0) {
        SSL_set_bio(dup, BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()));
        /* A client writes, a server waits. */
        ok = TEST_int_le(SSL_do_handshake(dup), 0)
            && TEST_int_eq(BIO_pending(SSL_get_wbio(dup)) > 0, which == 2);
    }
    return end(ssl, dup, ok);
}

static int parts(void)
{
    return part(0) && part(1) && part(2);
}

static int data(void)
{
    static int mine;
    SSL *ssl = start(), *dup;
    int index = SSL_get_ex_new_index(0, NULL, NULL, NULL, NULL), ok;

    SSL_set_max_cert_list(ssl, 4321);
    SSL_set_read_ahead(ssl, 1);
    ok = TEST_int_ge(index, 0) && TEST_int_eq(SSL_set_ex_data(ssl, index, &mine), 1)
        && TEST_int_eq(SSL_set_app_data(ssl, "app"), 1) && TEST_ptr(dup = SSL_dup(ssl))
        && TEST_long_eq(SSL_get_max_cert_list(dup), 4321) && TEST_int_eq(SSL_get_read_ahead(dup), 1)
        && TEST_ptr_eq(SSL_get_ex_data(dup, index), &mine)
        && TEST_str_eq(SSL_get_app_data(dup), "app");
    return end(ssl, dup, ok);
}

static STACK_OF(X509_NAME) *names(const char *first, const char *second)
{
    STACK_OF(X509_NAME) *sk = sk_X509_NAME_new_null();
    int i;

    for (i = 0; i < 2; i++) {
        X509_NAME *name = X509_NAME_new();

        X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC,
                                   (const unsigned char *)(i == 0 ? first : second), -1, -1, 0);
        sk_X509_NAME_push(sk, name);
    }
    return sk;
}

static int same_names(const STACK_OF(X509_NAME) *a, const STACK_OF(X509_NAME) *b)
{
    int i, ok = TEST_ptr(a) && TEST_ptr(b) && TEST_ptr_ne(a, b)
        && TEST_int_eq(sk_X509_NAME_num(a), sk_X509_NAME_num(b));

    for (i = 0; ok && i < sk_X509_NAME_num(b); i++)
        ok = TEST_ptr_ne(sk_X509_NAME_value(a, i), sk_X509_NAME_value(b, i))
            && TEST_int_eq(X509_NAME_cmp(sk_X509_NAME_value(a, i), sk_X509_NAME_value(b, i)), 0);
    return ok;
}

static int ca_lists(void)
{
    SSL *ssl = start(), *dup;
    int ok;

    SSL_set0_CA_list(ssl, names("one", "two"));
    SSL_set_client_CA_list(ssl, names("three", "four"));
    ok = TEST_ptr(dup = SSL_dup(ssl))
        && same_names(CONNECTION(dup)->ca_names, CONNECTION(ssl)->ca_names)
        && same_names(CONNECTION(dup)->client_ca_names, CONNECTION(ssl)->client_ca_names);
    if (!end(ssl, dup, ok))
        return 0;
    ssl = start();
    ok = TEST_ptr(dup = SSL_dup(ssl)) && TEST_ptr_null(CONNECTION(dup)->ca_names)
        && TEST_ptr_null(CONNECTION(dup)->client_ca_names);
    return end(ssl, dup, ok);
}

static int certificates(void)
{
    static const unsigned char types[] = {TLS_CT_ECDSA_SIGN};
    const unsigned char *got;
    SSL *ssl = start(), *dup;
    CERT *cert = NULL;
    int ok = TEST_int_eq(SSL_use_certificate(ssl, plus_x509), 1)
        && TEST_int_eq(SSL_use_PrivateKey(ssl, plus_key), 1)
        && TEST_int_eq(SSL_use_psk_identity_hint(ssl, "hint"), 1)
        && TEST_true(SSL_set1_sigalgs_list(ssl, "ed25519:ECDSA+SHA256"))
        && TEST_true(SSL_set1_client_sigalgs_list(ssl, "ECDSA+SHA384"))
        && TEST_true(SSL_set1_client_certificate_types(ssl, types, sizeof(types)));

    SSL_set_security_level(ssl, 2);
    SSL_set_dh_auto(ssl, 1);
    SSL_set_cert_cb(ssl, plus_cert_cb, &cert);
    plus_method(&CONNECTION(ssl)->cert->custext, 1000);
    ok = ok && TEST_ptr(dup = SSL_dup(ssl)) && TEST_ptr(cert = CONNECTION(dup)->cert)
        && TEST_ptr_eq(SSL_get_certificate(dup), plus_x509)
        && TEST_ptr_eq(SSL_get_privatekey(dup), plus_key)
        && TEST_str_eq(cert->psk_identity_hint, "hint")
        && TEST_int_eq(SSL_get_security_level(dup), 2)
        && TEST_int_eq(cert->dh_tmp_auto, 1) && TEST_true(cert->cert_cb == plus_cert_cb)
        && TEST_ptr_eq(cert->cert_cb_arg, &cert) && TEST_size_t_eq(cert->conf_sigalgslen, 2)
        && TEST_size_t_eq(cert->client_sigalgslen, 1)
        && TEST_size_t_eq(cert->custext.meths_count, 1)
        && TEST_uint_eq(cert->custext.meths[0].ext_type, 1000)
        && TEST_mem_eq(cert->ctype, cert->ctype_len, types, sizeof(types));
    got = ok ? cert->ctype : NULL;
    return end(ssl, dup, ok && TEST_ptr(got));
}

static int session(void)
{
    static const unsigned char own[] = "of its own";
    SSL *ssl = start(), *dup;
    SSL_SESSION *sess = SSL_SESSION_new();
    int ok = TEST_true(SSL_set_session_id_context(ssl, own, 10)) && TEST_ptr(dup = SSL_dup(ssl))
        && plus_sid_is(dup, "of its own") && TEST_ptr_null(SSL_get_session(dup));

    if (!end(ssl, dup, ok))
        return 0;
    ssl = start();
    ok = TEST_ptr(sess) && TEST_true(SSL_SESSION_set_protocol_version(sess, TLS1_2_VERSION))
        && TEST_true(SSL_set_session(ssl, sess))
        && TEST_int_eq(SSL_use_certificate(ssl, plus_x509), 1)
        && TEST_true(SSL_set_session_id_context(ssl, own, 10)) && TEST_ptr(dup = SSL_dup(ssl))
        && TEST_ptr_eq(SSL_get_session(dup), sess) && plus_sid_is(dup, "of its own")
        && TEST_ptr_eq(SSL_get_certificate(dup), plus_x509);
    SSL_SESSION_free(sess);
    return end(ssl, dup, ok);
}

static int dane(void)
{
    static const unsigned char digests[2][32] = {{1, 2, 3}, {4, 5, 6}};
    SSL *ssl = start(), *dup;
    danetls_record *rec;
    int i, ok = TEST_int_gt(SSL_dane_enable(ssl, "host.example"), 0)
        && TEST_int_gt(SSL_dane_tlsa_add(ssl, 3, 1, 1, digests[0], 32), 0)
        && TEST_int_gt(SSL_dane_tlsa_add(ssl, 2, 0, 1, digests[1], 32), 0);

    SSL_dane_set_flags(ssl, DANE_FLAG_NO_DANE_EE_NAMECHECKS);
    ok = ok && TEST_ptr(dup = SSL_dup(ssl))
        && TEST_int_eq(sk_danetls_record_num(CONNECTION(dup)->dane.trecs), 2)
        && TEST_ulong_eq(SSL_dane_clear_flags(dup, 0), DANE_FLAG_NO_DANE_EE_NAMECHECKS)
        && TEST_ptr_ne(CONNECTION(dup)->dane.trecs, CONNECTION(ssl)->dane.trecs);
    for (i = 0; i < 2 && ok; i++) {
        int usage;

        rec = sk_danetls_record_value(CONNECTION(dup)->dane.trecs, i);
        usage = rec->usage;
        ok = TEST_true(usage == 3 || usage == 2)
            && TEST_mem_eq(rec->data, rec->dlen, digests[usage == 2], 32)
            && TEST_int_eq(rec->selector, usage == 3) && TEST_int_eq(rec->mtype, 1);
    }
    return end(ssl, dup, ok);
}

static int apart(void)
{
    SSL *ssl = start(), *dup = SSL_dup(ssl);
    int ok = TEST_ptr(dup) && TEST_ptr_ne(dup, ssl);

    if (ok) {
        uint64_t before = SSL_get_options(ssl);

        SSL_set_options(dup, SSL_OP_NO_TICKET);
        SSL_set_security_level(dup, 3);
        SSL_set_verify_depth(dup, 9);
        plus_method(&CONNECTION(dup)->cert->custext, 1000);
        ok = TEST_int_eq(SSL_use_certificate(dup, plus_x509), 1)
            && TEST_true(SSL_set1_host(dup, "host.example"))
            && TEST_true(SSL_get_options(ssl) == before)
            && TEST_int_ne(SSL_get_security_level(ssl), 3)
            && TEST_int_ne(SSL_get_verify_depth(ssl), 9) && TEST_ptr_null(SSL_get_certificate(ssl))
            && TEST_size_t_eq(CONNECTION(ssl)->cert->custext.meths_count, 0)
            && TEST_ptr_null(X509_VERIFY_PARAM_get0_host(SSL_get0_param(ssl), 0));
    }
    SSL_free(dup);
    ok = ok && TEST_ptr(SSL_get_ciphers(ssl)) && TEST_ptr(dup = SSL_dup(ssl));
    return end(ssl, ok ? dup : NULL, ok);
}

/* With memory refused in many ways. */
static int refused(void)
{
    int i, failed = 0, ok = 1;

    for (i = 0; i < 160 && ok; i++) {
        long blocks;
        SSL *ssl, *dup;

        ERR_clear_error();
        OPENSSL_thread_stop();
        blocks = memory_blocks;
        ssl = start();
        SSL_set0_CA_list(ssl, names("one", "two"));
        SSL_use_certificate(ssl, plus_x509);
        plus_refuse(2 * i);
        dup = SSL_dup(ssl);
        plus_refuse(-1);
        failed += dup == NULL;
        ok = dup == NULL || (TEST_ptr_eq(SSL_get_certificate(dup), plus_x509)
                             && same_names(CONNECTION(dup)->ca_names, CONNECTION(ssl)->ca_names));
        SSL_free(dup);
        SSL_free(ssl);
        ERR_clear_error();
        OPENSSL_thread_stop();
        ok = ok && TEST_long_eq(memory_blocks, blocks);
        if (!ok)
            TEST_info("refused after %d", i);
    }
    return ok && TEST_int_ge(failed, 10) && TEST_long_eq(memory_bad_frees, 0);
}

static int no_leak(void)
{
    long blocks;
    int ok = new_one() && certificates();

    OPENSSL_thread_stop();
    blocks = memory_blocks;
    ok = ok && new_one() && options() && verify() && callbacks() && ciphers() && parts()
        && ca_lists() && certificates() && session() && dane() && apart();
    OPENSSL_thread_stop();
    return ok && TEST_long_eq(memory_blocks, blocks) && refused()
        && TEST_long_eq(memory_bad_frees, 0);
}

int setup_tests(void)
{
    if (!TEST_true(plus_certificate()))
        return 0;
    add_test("a new SSL of the same context is made", new_one);
    add_test("a QUIC object gives NULL", quic);
    add_test("options, modes and versions", options);
    add_test("verify settings", verify);
    add_test("callbacks", callbacks);
    add_test("ciphers", ciphers);
    add_test("the part of server or client", parts);
    add_test("sizes and data of the application", data);
    add_test("CA lists", ca_lists);
    add_test("certificates and what goes with them", certificates);
    add_test("the session and its context", session);
    add_test("DANE", dane);
    add_test("both are apart afterwards", apart);
    add_test("nothing is leaked or freed twice, even if memory is refused", no_leak);
    /* Last, as a missing reference ends the program. */
    add_test("after the start the same SSL is given", same);
    return 1;
}

void cleanup_tests(void)
{
    plus_certificate_free();
}
