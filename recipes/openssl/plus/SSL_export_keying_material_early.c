/*---
 * tasks: [F51460EBEA5EC73A]
 * tests:
 *   both sides export the same value: 'SSL_export_keying_material_early(3).'
 *   the value is that of RFC 8446: 'Docstring: "derived from the early exporter master secret, as specified in" the
 *     draft of RFC 8446; 7.5.'
 *   so many bytes are written: 'Docstring: "It writes olen bytes to out".'
 *   the label counts: 'Docstring: "given a label"; RFC 8446 7.5.'
 *   only so many bytes of the label count: 'SSL_export_keying_material_early(3): llen.'
 *   the context counts: 'Docstring: "and optional context"; RFC 8446 7.5.'
 *   only so many bytes of the context count: 'SSL_export_keying_material_early(3): contextlen.'
 *   no context is an empty context: 'RFC 8446 7.5: "providing no context computes the same value as providing an
 *     empty context".'
 *   without early data there is nothing to export: 'Docstring: "returns 1 on success and 0 otherwise"; the early
 *     secret exists with early data alone.'
 *   before the handshake there is nothing to export: 'The same.'
 *   TLS 1.2 has no such value: 'SSL_export_keying_material_early(3): TLSv1.3 only; docstring: "0 otherwise".'
 *   DTLS has no such value: 'The same.'
 *   an object that is no connection is refused: 'SSL objects of QUIC streams have no connection of their own
 *     (SSL_CONNECTION_FROM_SSL).'
 ---*/
#include "../../ssl/ssl_local.h"
#include <openssl/core_names.h>
#include <openssl/kdf.h>
#include "testutil.h"

static const unsigned char tls13_sha256[] = { 0x13, 0x01 };
static SSL_SESSION *psk;
static SSL_CTX *cctx, *sctx;
static SSL *client, *server;

static int use_psk(SSL *ssl, const EVP_MD *md, const unsigned char **id, size_t *idlen, SSL_SESSION **sess)
{
    *id = (const unsigned char *)"identity";
    *idlen = 8;
    return (*sess = psk) == NULL || SSL_SESSION_up_ref(psk);
}

static int find_psk(SSL *ssl, const unsigned char *identity, size_t identity_len, SSL_SESSION **sess)
{
    return (*sess = psk) == NULL || SSL_SESSION_up_ref(psk);
}

static void finish(void)
{
    SSL_free(client);
    SSL_free(server);
    SSL_SESSION_free(psk);
    client = server = NULL;
    psk = NULL;
}

static int start(const SSL_METHOD *method)
{
    BIO *to_server = BIO_new(BIO_s_mem()), *to_client = BIO_new(BIO_s_mem());

    finish();
    SSL_CTX_free(cctx);
    SSL_CTX_free(sctx);
    if (!TEST_ptr(cctx = SSL_CTX_new(method)) || !TEST_ptr(sctx = SSL_CTX_new(method)))
        return 0;
    SSL_CTX_set_psk_use_session_callback(cctx, use_psk);
    SSL_CTX_set_psk_find_session_callback(sctx, find_psk);
    SSL_CTX_set_options(sctx, SSL_OP_NO_ANTI_REPLAY);
    if (!TEST_int_eq(SSL_CTX_use_certificate_file(sctx, "test/certs/servercert.pem", SSL_FILETYPE_PEM), 1)
        || !TEST_int_eq(SSL_CTX_use_PrivateKey_file(sctx, "test/certs/serverkey.pem", SSL_FILETYPE_PEM), 1)
        || !TEST_true(SSL_CTX_set_max_early_data(sctx, 1000))
        /* With the digest of the key. */
        || !TEST_true(SSL_CTX_set_ciphersuites(cctx, "TLS_AES_128_GCM_SHA256"))
        || !TEST_true(SSL_CTX_set_ciphersuites(sctx, "TLS_AES_128_GCM_SHA256"))
        || !TEST_ptr(client = SSL_new(cctx)) || !TEST_ptr(server = SSL_new(sctx)))
        return 0;
    BIO_set_mem_eof_return(to_server, -1);
    BIO_set_mem_eof_return(to_client, -1);
    BIO_up_ref(to_server);
    BIO_up_ref(to_client);
    SSL_set_bio(client, to_client, to_server);
    SSL_set_bio(server, to_server, to_client);
    SSL_set_connect_state(client);
    SSL_set_accept_state(server);
    return 1;
}

/* The client sends early data under a key that both know, and the server accepts it. */
static int with_early_data(void)
{
    static const unsigned char key[32] = { 1, 2, 3, 4 };
    unsigned char buffer[32];
    size_t n = 0;

    return start(TLS_method())
        && TEST_ptr(psk = SSL_SESSION_new())
        && TEST_true(SSL_SESSION_set1_master_key(psk, key, sizeof(key)))
        && TEST_true(SSL_SESSION_set_cipher(psk, SSL_CIPHER_find(client, tls13_sha256)))
        && TEST_true(SSL_SESSION_set_protocol_version(psk, TLS1_3_VERSION))
        && TEST_true(SSL_SESSION_set_max_early_data(psk, 1000))
        && TEST_true(SSL_write_early_data(client, "early", 5, &n))
        && TEST_int_eq(SSL_read_early_data(server, buffer, sizeof(buffer), &n), SSL_READ_EARLY_DATA_SUCCESS)
        && TEST_mem_eq(buffer, n, "early", 5)
        && TEST_int_eq(SSL_get_early_data_status(server), SSL_EARLY_DATA_ACCEPTED);
}

static int handshake(void)
{
    int i;

    for (i = 0; i < 20 && !(SSL_is_init_finished(client) && SSL_is_init_finished(server)); i++) {
        SSL_do_handshake(client);
        SSL_do_handshake(server);
    }
    ERR_clear_error();
    return TEST_true(SSL_is_init_finished(client)) && TEST_true(SSL_is_init_finished(server));
}

static int export(SSL *ssl, unsigned char *out, size_t olen, const char *label, const char *context)
{
    return SSL_export_keying_material_early(ssl, out, olen, label, strlen(label), (const unsigned char *)context,
                                            context == NULL ? 0 : strlen(context));
}

static int same(void)
{
    unsigned char of_client[40], of_server[40], zeros[40] = { 0 };

    return with_early_data()
        && TEST_int_eq(export(client, of_client, 40, "label", "context"), 1)
        && TEST_int_eq(export(server, of_server, 40, "label", "context"), 1)
        && TEST_mem_eq(of_client, 40, of_server, 40)
        && TEST_mem_ne(of_client, 40, zeros, 40);
}

/* HKDF-Expand-Label of RFC 8446 7.1, with SHA-256. */
static int expand(const unsigned char *secret, const char *label, const char *hashed, unsigned char *out, size_t outlen)
{
    EVP_KDF *kdf = EVP_KDF_fetch(NULL, "HKDF", NULL);
    EVP_KDF_CTX *kctx = EVP_KDF_CTX_new(kdf);
    int mode = EVP_KDF_HKDF_MODE_EXPAND_ONLY, ok;
    unsigned char info[200];
    size_t n = 0, hashlen;
    OSSL_PARAM params[5], *p = params;

    info[n++] = (unsigned char)(outlen >> 8);
    info[n++] = (unsigned char)outlen;
    info[n++] = (unsigned char)(6 + strlen(label));
    memcpy(info + n, "tls13 ", 6);
    n += 6;
    memcpy(info + n, label, strlen(label));
    n += strlen(label);
    info[n++] = 32;
    ok = TEST_true(EVP_Q_digest(NULL, "SHA256", NULL, hashed, strlen(hashed), info + n, &hashlen));
    n += 32;
    *p++ = OSSL_PARAM_construct_int(OSSL_KDF_PARAM_MODE, &mode);
    *p++ = OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, "SHA256", 0);
    *p++ = OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_KEY, (void *)secret, 32);
    *p++ = OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_INFO, info, n);
    *p = OSSL_PARAM_construct_end();
    ok = ok && TEST_ptr(kctx) && TEST_int_gt(EVP_KDF_derive(kctx, out, outlen, params), 0);
    EVP_KDF_CTX_free(kctx);
    EVP_KDF_free(kdf);
    return ok;
}

static int of_rfc(void)
{
    unsigned char out[48], derived[32], expected[48];

    return with_early_data()
        && expand(SSL_CONNECTION_FROM_SSL(server)->early_exporter_master_secret, "EXPORTER-test", "", derived, 32)
        && expand(derived, "exporter", "some context", expected, 48)
        && TEST_int_eq(export(server, out, 48, "EXPORTER-test", "some context"), 1)
        && TEST_mem_eq(out, 48, expected, 48)
        && TEST_int_eq(export(client, out, 48, "EXPORTER-test", "some context"), 1)
        && TEST_mem_eq(out, 48, expected, 48)
        && expand(derived, "exporter", "some context", expected, 7)
        && TEST_int_eq(export(client, out, 7, "EXPORTER-test", "some context"), 1)
        && TEST_mem_eq(out, 7, expected, 7);
}

static int so_many(void)
{
    unsigned char out[128];
    size_t olen, i;

    if (!with_early_data())
        return 0;
    for (olen = 1; olen <= 100; olen += 33) {
        memset(out, 0x5A, sizeof(out));
        if (!TEST_int_eq(export(client, out, olen, "label", "context"), 1))
            return 0;
        for (i = olen; i < sizeof(out); i++)
            if (!TEST_int_eq(out[i], 0x5A))
                return 0;
    }
    return 1;
}

/* Whether the value changes from one label and context to the other. */
static int differs(const char *label1, const char *context1, const char *label2, const char *context2)
{
    unsigned char one[32], two[32];

    return TEST_int_eq(export(client, one, 32, label1, context1), 1)
        && TEST_int_eq(export(client, two, 32, label2, context2), 1)
        && TEST_mem_ne(one, 32, two, 32);
}

static int label_counts(void)
{
    return with_early_data()
        && differs("label", "context", "lebal", "context") && differs("label", NULL, "label2", NULL);
}

static int label_length(void)
{
    unsigned char one[32], two[32];

    return with_early_data()
        && TEST_int_eq(SSL_export_keying_material_early(client, one, 32, "labelling", 5, NULL, 0), 1)
        && TEST_int_eq(SSL_export_keying_material_early(client, two, 32, "label", 5, NULL, 0), 1)
        && TEST_mem_eq(one, 32, two, 32);
}

static int context_counts(void)
{
    return with_early_data()
        && differs("label", "context", "label", "CONTEXT") && differs("label", "context", "label", NULL)
        && differs("label", "context", "context", "label");
}

static int context_length(void)
{
    unsigned char one[32], two[32];

    return with_early_data()
        && TEST_int_eq(SSL_export_keying_material_early(client, one, 32, "l", 1, (unsigned char *)"contexts", 7), 1)
        && TEST_int_eq(SSL_export_keying_material_early(client, two, 32, "l", 1, (unsigned char *)"context", 7), 1)
        && TEST_mem_eq(one, 32, two, 32);
}

static int no_context(void)
{
    unsigned char one[32], two[32];

    return with_early_data()
        && TEST_int_eq(export(client, one, 32, "label", NULL), 1)
        && TEST_int_eq(export(server, two, 32, "label", ""), 1)
        && TEST_mem_eq(one, 32, two, 32);
}

static int nothing(SSL *ssl)
{
    unsigned char out[32];

    return TEST_int_eq(export(ssl, out, 32, "label", "context"), 0);
}

static int no_early_data(void)
{
    return start(TLS_method()) && handshake()
        && TEST_int_eq(SSL_version(client), TLS1_3_VERSION)
        && nothing(client) && nothing(server);
}

static int before(void)
{
    return start(TLS_method()) && nothing(client) && nothing(server);
}

static int tls12(void)
{
    return start(TLS_method())
        && TEST_true(SSL_set_max_proto_version(client, TLS1_2_VERSION))
        && nothing(client)
        && handshake()
        && TEST_int_eq(SSL_version(client), TLS1_2_VERSION)
        && nothing(client) && nothing(server)
        /* Whatever became of early data. */
        && with_early_data()
        && (SSL_CONNECTION_FROM_SSL(client)->version = TLS1_2_VERSION) && nothing(client);
}

static int dtls(void)
{
    return start(DTLS_method()) && nothing(client) && nothing(server);
}

static int no_connection(void)
{
    unsigned char out[32];
    SSL *object = OPENSSL_zalloc(sizeof(*object));
    int result;

    if (!TEST_ptr(object))
        return 0;
    object->type = SSL_TYPE_QUIC_XSO;
    result = export(object, out, 32, "label", "context");
    OPENSSL_free(object);
    /* The docstring says 0; -1 stands for an object of the wrong kind elsewhere. */
    return TEST_int_le(result, 0);
}

int setup_tests(void)
{
    add_test("both sides export the same value", same);
    add_test("the value is that of RFC 8446", of_rfc);
    add_test("so many bytes are written", so_many);
    add_test("the label counts", label_counts);
    add_test("only so many bytes of the label count", label_length);
    add_test("the context counts", context_counts);
    add_test("only so many bytes of the context count", context_length);
    add_test("no context is an empty context", no_context);
    add_test("without early data there is nothing to export", no_early_data);
    add_test("before the handshake there is nothing to export", before);
    add_test("TLS 1.2 has no such value", tls12);
    add_test("DTLS has no such value", dtls);
    add_test("an object that is no connection is refused", no_connection);
    return 1;
}

void cleanup_tests(void)
{
    finish();
    SSL_CTX_free(cctx);
    SSL_CTX_free(sctx);
}
