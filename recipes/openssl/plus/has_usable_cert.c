/*---
 * tasks: [13E685EDA19828BF]
 * tests:
 *   without a certificate there is none: 'Docstring: "Returns false if no usable certificate is found".'
 *   the certificate of the scheme is usable: 'Docstring: "Returns true if s has a usable certificate configured for
 *     use with signature scheme sig".'
 *   a certificate of another kind is not usable: 'The same: sig_idx, "Index of signature algorithm".'
 *   -1 stands for the index of the scheme: 'Caller find_sig_alg gives -1.'
 *   an index without a certificate is not usable: 'Parameter idx; docstring: "a check for presence".'
 *   a certificate without its key is not usable: 'Docstring: "a check for presence"; ssl_has_cert asks for both.'
 *   a key without its certificate is not usable: 'Docstring: "a usable certificate configured"; ssl_has_cert asks for
 *     both.'
 *   a key that can not sign with the digest is not usable: 'check_cert_usable: "the answer is simply no".'
 *   what the peer accepts for certificates counts: 'Docstring: "applying the signature_algorithm_cert restrictions
 *     sent by the peer".'
 *   the certificate of the index is the one that counts: 'Docstring: "a usable certificate configured for use with
 *     signature scheme sig"; parameter idx.'
 *   any of the algorithms that the peer accepts will do: 'RFC 8446 4.2.3: signature_algorithms_cert is a list.'
 *   a peer that sent none accepts all: 'Docstring: "(if any)".'
 *   the result is never true by accident: 'Docstring: "Returns false"; callers test it by !.'
 ---*/
#include "../../ssl/t1_lib.c"
#include "testutil.h"

#define RSA_SHA256       0x0401
#define RSA_SHA384       0x0501
#define ECDSA_SHA256     0x0403
#define RSA_PSS_SHA256   0x0804
#define PSS_PSS_SHA256   0x0809
#define ED25519          0x0807
#define ED448            0x0808

static SSL_CTX *ctx;
static SSL *ssl;
static SSL_CONNECTION *s;

static int start(void)
{
    SSL_free(ssl);
    return TEST_ptr(ssl = SSL_new(ctx)) && TEST_ptr(s = SSL_CONNECTION_FROM_SSL(ssl));
}

/* All are signed with RSA and SHA-256, but that of P-256, which is signed with ECDSA. */
static int use(const char *name, const char *key)
{
    char file[100];

    BIO_snprintf(file, sizeof(file), "test/certs/%s.pem", name);
    if (!TEST_int_eq(SSL_use_certificate_file(ssl, file, SSL_FILETYPE_PEM), 1))
        return 0;
    if (key == NULL)
        return 1;
    BIO_snprintf(file, sizeof(file), "test/certs/%s.pem", key);
    return TEST_int_eq(SSL_use_PrivateKey_file(ssl, file, SSL_FILETYPE_PEM), 1);
}

static int use_rsa(void)
{
    return use("servercert", "serverkey");
}

static int use_ecdsa(void)
{
    return use("server-ecdsa-cert", "server-ecdsa-key");
}

static int use_ed25519(void)
{
    return use("server-ed25519-cert", "server-ed25519-key");
}

static int is_usable(uint16_t sigalg, int idx, int expected)
{
    const SIGALG_LOOKUP *lu = tls1_lookup_sigalg(s, sigalg);

    return TEST_ptr(lu) && TEST_int_eq(has_usable_cert(s, lu, idx) > 0, expected)
        && (expected || TEST_int_eq(has_usable_cert(s, lu, idx), 0));
}

static int peer_accepts(const uint16_t *sigalgs, size_t n)
{
    OPENSSL_free(s->s3.tmp.peer_cert_sigalgs);
    s->s3.tmp.peer_cert_sigalgs = OPENSSL_malloc((n + 1) * sizeof(*sigalgs));
    s->s3.tmp.peer_cert_sigalgslen = n;
    if (n > 0)
        memcpy(s->s3.tmp.peer_cert_sigalgs, sigalgs, n * sizeof(*sigalgs));
    return TEST_ptr(s->s3.tmp.peer_cert_sigalgs);
}

static int without(void)
{
    return start()
        && is_usable(RSA_PSS_SHA256, -1, 0) && is_usable(ECDSA_SHA256, -1, 0) && is_usable(ED25519, -1, 0)
        && is_usable(RSA_SHA256, SSL_PKEY_RSA, 0) && is_usable(ECDSA_SHA256, SSL_PKEY_ECC, 0);
}

static int of_the_scheme(void)
{
    return start() && use_rsa() && is_usable(RSA_PSS_SHA256, -1, 1) && is_usable(RSA_SHA256, -1, 1)
        && start() && use_ecdsa() && is_usable(ECDSA_SHA256, -1, 1)
        && start() && use_ed25519() && is_usable(ED25519, -1, 1)
        && start() && use("server-pss-cert", "server-pss-key") && is_usable(PSS_PSS_SHA256, -1, 1);
}

static int another_kind(void)
{
    return start() && use_rsa() && is_usable(ECDSA_SHA256, -1, 0) && is_usable(ED25519, -1, 0)
        && is_usable(PSS_PSS_SHA256, -1, 0)
        && start() && use_ed25519() && is_usable(ED448, -1, 0) && is_usable(RSA_PSS_SHA256, -1, 0)
        && start() && use("server-pss-cert", "server-pss-key") && is_usable(RSA_PSS_SHA256, -1, 0);
}

static int minus_one(void)
{
    return start() && use_ecdsa() && use_ed25519()
        && is_usable(ECDSA_SHA256, -1, 1) && is_usable(ED25519, -1, 1) && is_usable(RSA_SHA256, -1, 0)
        && is_usable(ECDSA_SHA256, SSL_PKEY_ECC, 1) && is_usable(ED25519, SSL_PKEY_ED25519, 1);
}

static int index_without(void)
{
    return start() && use_rsa()
        && is_usable(RSA_SHA256, SSL_PKEY_RSA, 1)
        && is_usable(RSA_SHA256, SSL_PKEY_ECC, 0)
        && is_usable(RSA_SHA256, SSL_PKEY_RSA_PSS_SIGN, 0)
        && is_usable(RSA_SHA256, SSL_PKEY_ED25519, 0);
}

static int without_key(void)
{
    return start() && use("servercert", NULL)
        && is_usable(RSA_PSS_SHA256, -1, 0) && is_usable(RSA_SHA256, SSL_PKEY_RSA, 0)
        && use_rsa() && is_usable(RSA_PSS_SHA256, -1, 1);
}

static int without_cert(void)
{
    return start()
        && TEST_int_eq(SSL_use_PrivateKey_file(ssl, "test/certs/serverkey.pem", SSL_FILETYPE_PEM), 1)
        && is_usable(RSA_PSS_SHA256, -1, 0) && is_usable(RSA_SHA256, SSL_PKEY_RSA, 0)
        && start()
        && TEST_int_eq(SSL_use_PrivateKey_file(ssl, "test/certs/server-ed25519-key.pem", SSL_FILETYPE_PEM), 1)
        && is_usable(ED25519, -1, 0);
}

static int can_not_sign(void)
{
    return start() && use_ed25519()
        && is_usable(RSA_SHA256, SSL_PKEY_ED25519, 0)
        && is_usable(ECDSA_SHA256, SSL_PKEY_ED25519, 0)
        && is_usable(ED25519, SSL_PKEY_ED25519, 1);
}

static int accepted(void)
{
    static const uint16_t sha256[] = { RSA_SHA256 }, sha384[] = { RSA_SHA384 }, ecdsa[] = { ECDSA_SHA256 };

    return start() && use_rsa() && use_ecdsa()
        && peer_accepts(sha256, 1) && is_usable(RSA_PSS_SHA256, -1, 1) && is_usable(ECDSA_SHA256, -1, 1)
        && peer_accepts(sha384, 1) && is_usable(RSA_PSS_SHA256, -1, 0) && is_usable(ECDSA_SHA256, -1, 0)
        /* The issuer's signature counts, which is of RSA here, and not the key of the certificate. */
        && peer_accepts(ecdsa, 1) && is_usable(ECDSA_SHA256, -1, 0) && is_usable(ECDSA_SHA256, SSL_PKEY_ECC, 0);
}

static int that_of_the_index(void)
{
    static const uint16_t rsa[] = { RSA_SHA256 }, ecdsa[] = { ECDSA_SHA256 };

    return start() && use_rsa() && use("p256-server-cert", "p256-server-key")
        && peer_accepts(rsa, 1) && is_usable(RSA_PSS_SHA256, -1, 1) && is_usable(ECDSA_SHA256, -1, 0)
        && is_usable(RSA_SHA256, SSL_PKEY_RSA, 1) && is_usable(ECDSA_SHA256, SSL_PKEY_ECC, 0)
        && peer_accepts(ecdsa, 1) && is_usable(RSA_PSS_SHA256, -1, 0) && is_usable(ECDSA_SHA256, -1, 1)
        && is_usable(RSA_SHA256, SSL_PKEY_RSA, 0) && is_usable(ECDSA_SHA256, SSL_PKEY_ECC, 1);
}

static int any_of_them(void)
{
    static const uint16_t sigalgs[] = { ECDSA_SHA256, 0xfe11, RSA_SHA384, RSA_SHA256 };

    return start() && use_rsa()
        && peer_accepts(sigalgs, 4) && is_usable(RSA_PSS_SHA256, -1, 1)
        && peer_accepts(sigalgs + 3, 1) && is_usable(RSA_PSS_SHA256, -1, 1)
        && peer_accepts(sigalgs, 3) && is_usable(RSA_PSS_SHA256, -1, 0);
}

static int sent_none(void)
{
    return start() && use_rsa() && use_ed25519()
        && TEST_ptr_null(s->s3.tmp.peer_cert_sigalgs)
        && is_usable(RSA_PSS_SHA256, -1, 1) && is_usable(ED25519, -1, 1);
}

/* Every scheme with every index: true only where there is a certificate with its key. */
static int by_accident(void)
{
    size_t i;
    int idx;

    if (!start() || !use_rsa())
        return 0;
    for (i = 0; i < ctx->tls12_sigalgs_len; i++)
        for (idx = 0; idx < (int)s->ssl_pkey_num; idx++)
            if (idx != SSL_PKEY_RSA && ctx->sigalg_lookup_cache[i].enabled
                && !TEST_int_eq(has_usable_cert(s, &ctx->sigalg_lookup_cache[i], idx), 0))
                return 0;
    return 1;
}

int setup_tests(void)
{
    if (!TEST_ptr(ctx = SSL_CTX_new(TLS_method())))
        return 0;
    add_test("without a certificate there is none", without);
    add_test("the certificate of the scheme is usable", of_the_scheme);
    add_test("a certificate of another kind is not usable", another_kind);
    add_test("-1 stands for the index of the scheme", minus_one);
    add_test("an index without a certificate is not usable", index_without);
    add_test("a certificate without its key is not usable", without_key);
    add_test("a key without its certificate is not usable", without_cert);
    add_test("a key that can not sign with the digest is not usable", can_not_sign);
    add_test("what the peer accepts for certificates counts", accepted);
    add_test("the certificate of the index is the one that counts", that_of_the_index);
    add_test("any of the algorithms that the peer accepts will do", any_of_them);
    add_test("a peer that sent none accepts all", sent_none);
    add_test("the result is never true by accident", by_accident);
    return 1;
}

void cleanup_tests(void)
{
    SSL_free(ssl);
    SSL_CTX_free(ctx);
}
