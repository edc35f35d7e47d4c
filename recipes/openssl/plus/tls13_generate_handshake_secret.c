/*---
 * tasks: [76AA2B71A9EFE21D]
 * tests:
 *   the secret of RFC 8448 is derived: 'RFC 8448 section 3, "extract secret handshake".'
 *   the digest is that of the cipher suite: 'RFC 8446 7.1: Hash and HKDF are those of the cipher suite
 *     (ssl_handshake_md).'
 *   the input may be of any length: 'Parameter insecretlen; finite field groups give up to 1024 bytes (RFC 8446
 *     7.4.1).'
 *   only so many bytes of the input count: 'Docstring: "input secret of length insecretlen".'
 *   no input stands for zeros: 'Callers in ssl/statem/extensions*.c give NULL for a PSK alone; RFC 8446 7.1: "a
 *     string of Hash.length bytes set to zeros".'
 *   the early secret is part of it: 'Docstring: "This requires the early secret to already have been generated"; RFC
 *     8446 7.1.'
 *   the other secrets stay as they are: 'RFC 8446 7.1: the master secret comes later (tls13_generate_master_secret).'
 *   it can be derived again: 'Caller ssl_gensecret: each handshake of a connection object.'
 *   a derivation that fails is a failure: 'Docstring: "Returns 1 on success  0 on failure".'
 ---*/
#include "../../ssl/ssl_local.h"
#include <openssl/core_names.h>
#include <openssl/kdf.h>
#include "testutil.h"

static const unsigned char rfc_early[32] = {
    0x33, 0xad, 0x0a, 0x1c, 0x60, 0x7e, 0xc0, 0x3b, 0x09, 0xe6, 0xcd, 0x98, 0x93, 0x68, 0x0c, 0xe2,
    0x10, 0xad, 0xf3, 0x00, 0xaa, 0x1f, 0x26, 0x60, 0xe1, 0xb2, 0x2e, 0x10, 0xf1, 0x70, 0xf9, 0x2a
};
static const unsigned char rfc_input[32] = {
    0x8b, 0xd4, 0x05, 0x4f, 0xb5, 0x5b, 0x9d, 0x63, 0xfd, 0xfb, 0xac, 0xf9, 0xf0, 0x4b, 0x9f, 0x0d,
    0x35, 0xe6, 0xd6, 0x3f, 0x53, 0x75, 0x63, 0xef, 0xd4, 0x62, 0x72, 0x90, 0x0f, 0x89, 0x49, 0x2d
};
static const unsigned char rfc_secret[32] = {
    0x1d, 0xc8, 0x26, 0xe9, 0x36, 0x06, 0xaa, 0x6f, 0xdc, 0x0a, 0xad, 0xc1, 0x2f, 0x74, 0x1b, 0x01,
    0x04, 0x6a, 0xa6, 0xb9, 0x9f, 0x69, 0x1e, 0xd2, 0x21, 0xa9, 0xf0, 0xca, 0x04, 0x3f, 0xbe, 0xac
};

static SSL_CTX *ctx;
static SSL *ssl;
static SSL_CONNECTION *s;

static const unsigned char aes128_sha256[] = { 0x13, 0x01 }, aes256_sha384[] = { 0x13, 0x02 };

/* A connection that has agreed on a cipher suite and has an early secret. */
static int start(const unsigned char *suite, const unsigned char *early, size_t len)
{
    SSL_free(ssl);
    if (!TEST_ptr(ssl = SSL_new(ctx)) || !TEST_ptr(s = SSL_CONNECTION_FROM_SSL(ssl)))
        return 0;
    SSL_set_bio(ssl, BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()));
    SSL_set_connect_state(ssl);
    s->version = TLS1_3_VERSION;
    memcpy(s->early_secret, early, len);
    return TEST_ptr(s->s3.tmp.new_cipher = SSL_CIPHER_find(ssl, suite));
}

static int hkdf(const char *md, int mode, const unsigned char *salt, size_t saltlen, const unsigned char *key,
                size_t keylen, const unsigned char *info, size_t infolen, unsigned char *out, size_t outlen)
{
    EVP_KDF *kdf = EVP_KDF_fetch(NULL, "HKDF", NULL);
    EVP_KDF_CTX *kctx = EVP_KDF_CTX_new(kdf);
    OSSL_PARAM params[6], *p = params;
    int ok;

    *p++ = OSSL_PARAM_construct_int(OSSL_KDF_PARAM_MODE, &mode);
    *p++ = OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, (char *)md, 0);
    *p++ = OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_KEY, (void *)key, keylen);
    if (salt != NULL)
        *p++ = OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SALT, (void *)salt, saltlen);
    if (info != NULL)
        *p++ = OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_INFO, (void *)info, infolen);
    *p = OSSL_PARAM_construct_end();
    ok = TEST_ptr(kctx) && TEST_int_gt(EVP_KDF_derive(kctx, out, outlen, params), 0);
    EVP_KDF_CTX_free(kctx);
    EVP_KDF_free(kdf);
    return ok;
}

/* RFC 8446 7.1: HKDF-Extract(Derive-Secret(early secret, "derived", ""), input) */
static int expected_secret(const char *md, size_t len, const unsigned char *early, const unsigned char *input,
                           size_t inputlen, unsigned char *out)
{
    unsigned char info[100], salt[64];
    size_t n = 0, hashlen = 0;

    info[n++] = 0;
    info[n++] = (unsigned char)len;
    info[n++] = 13;
    memcpy(info + n, "tls13 derived", 13);
    n += 13;
    info[n++] = (unsigned char)len;
    if (!TEST_true(EVP_Q_digest(NULL, md, NULL, "", 0, info + n, &hashlen)) || !TEST_size_t_eq(hashlen, len))
        return 0;
    n += len;
    return hkdf(md, EVP_KDF_HKDF_MODE_EXPAND_ONLY, NULL, 0, early, len, info, n, salt, len)
        && hkdf(md, EVP_KDF_HKDF_MODE_EXTRACT_ONLY, salt, len, input, inputlen, NULL, 0, out, len);
}

static int gives(const unsigned char *suite, const char *md, size_t len, const unsigned char *early,
                 const unsigned char *input, size_t inputlen)
{
    unsigned char expected[64];

    return start(suite, early, len)
        && expected_secret(md, len, early, input, inputlen, expected)
        && TEST_int_eq(tls13_generate_handshake_secret(s, input, inputlen), 1)
        && TEST_mem_eq(s->handshake_secret, len, expected, len);
}

static unsigned char some[1024];

static int of_rfc(void)
{
    return start(aes128_sha256, rfc_early, 32)
        && TEST_int_eq(tls13_generate_handshake_secret(s, rfc_input, 32), 1)
        && TEST_mem_eq(s->handshake_secret, 32, rfc_secret, 32);
}

static int digest(void)
{
    return gives(aes256_sha384, "SHA384", 48, some, rfc_input, 32)
        && gives(aes128_sha256, "SHA256", 32, some, rfc_input, 32)
        && gives(aes256_sha384, "SHA384", 48, some + 9, some + 99, 48);
}

static int any_length(void)
{
    static const size_t lengths[] = { 1, 31, 33, 48, 56, 66, 256, 1024 };
    size_t i;

    for (i = 0; i < OSSL_NELEM(lengths); i++)
        if (!gives(aes128_sha256, "SHA256", 32, some, some, lengths[i])
            || !gives(aes256_sha384, "SHA384", 48, some, some, lengths[i]))
            return 0;
    return 1;
}

static int so_many(void)
{
    unsigned char first[32];

    if (!start(aes128_sha256, some, 32) || !TEST_int_eq(tls13_generate_handshake_secret(s, some, 40), 1))
        return 0;
    memcpy(first, s->handshake_secret, 32);
    return TEST_int_eq(tls13_generate_handshake_secret(s, some, 41), 1)
        && TEST_mem_ne(first, 32, s->handshake_secret, 32);
}

static int no_input(void)
{
    static const unsigned char zeros[48];
    unsigned char expected[64];

    return expected_secret("SHA256", 32, some, zeros, 32, expected)
        && start(aes128_sha256, some, 32)
        && TEST_int_eq(tls13_generate_handshake_secret(s, NULL, 0), 1)
        && TEST_mem_eq(s->handshake_secret, 32, expected, 32)
        && expected_secret("SHA384", 48, some, zeros, 48, expected)
        && start(aes256_sha384, some, 48)
        && TEST_int_eq(tls13_generate_handshake_secret(s, NULL, 0), 1)
        && TEST_mem_eq(s->handshake_secret, 48, expected, 48);
}

static int early(void)
{
    unsigned char first[32];

    if (!start(aes128_sha256, some, 32) || !TEST_int_eq(tls13_generate_handshake_secret(s, rfc_input, 32), 1))
        return 0;
    memcpy(first, s->handshake_secret, 32);
    s->early_secret[31] ^= 1;
    return TEST_int_eq(tls13_generate_handshake_secret(s, rfc_input, 32), 1)
        && TEST_mem_ne(first, 32, s->handshake_secret, 32);
}

static int others(void)
{
    static const unsigned char zeros[EVP_MAX_MD_SIZE];

    return start(aes128_sha256, rfc_early, 32)
        && TEST_int_eq(tls13_generate_handshake_secret(s, rfc_input, 32), 1)
        && TEST_mem_eq(s->early_secret, 32, rfc_early, 32)
        && TEST_mem_eq(s->master_secret, sizeof(s->master_secret), zeros, sizeof(s->master_secret))
        && TEST_mem_eq(s->resumption_master_secret, sizeof(s->resumption_master_secret), zeros,
                       sizeof(s->resumption_master_secret))
        && TEST_mem_eq(s->exporter_master_secret, sizeof(s->exporter_master_secret), zeros,
                       sizeof(s->exporter_master_secret))
        && TEST_mem_eq(s->early_exporter_master_secret, sizeof(s->early_exporter_master_secret), zeros,
                       sizeof(s->early_exporter_master_secret));
}

static int again(void)
{
    return start(aes128_sha256, rfc_early, 32)
        && TEST_int_eq(tls13_generate_handshake_secret(s, some, 48), 1)
        && TEST_mem_ne(s->handshake_secret, 32, rfc_secret, 32)
        && TEST_int_eq(tls13_generate_handshake_secret(s, rfc_input, 32), 1)
        && TEST_mem_eq(s->handshake_secret, 32, rfc_secret, 32);
}

static int fails(void)
{
    char *saved, nobody[] = "provider=nobody";
    int result;

    if (!start(aes128_sha256, rfc_early, 32))
        return 0;
    /* No provider has the derivation from now on. */
    saved = ctx->propq;
    ctx->propq = nobody;
    result = tls13_generate_handshake_secret(s, rfc_input, 32);
    ctx->propq = saved;
    return TEST_int_eq(result, 0);
}

int setup_tests(void)
{
    size_t i;

    for (i = 0; i < sizeof(some); i++)
        some[i] = (unsigned char)(i * 37 + i / 5 + 1);
    if (!TEST_ptr(ctx = SSL_CTX_new(TLS_method())))
        return 0;
    add_test("the secret of RFC 8448 is derived", of_rfc);
    add_test("the digest is that of the cipher suite", digest);
    add_test("the input may be of any length", any_length);
    add_test("only so many bytes of the input count", so_many);
    add_test("no input stands for zeros", no_input);
    add_test("the early secret is part of it", early);
    add_test("the other secrets stay as they are", others);
    add_test("it can be derived again", again);
    add_test("a derivation that fails is a failure", fails);
    return 1;
}

void cleanup_tests(void)
{
    SSL_free(ssl);
    SSL_CTX_free(ctx);
}
