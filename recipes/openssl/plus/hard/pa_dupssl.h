/* For tests of SSL objects: a certificate with its key, and callbacks to be told apart. */
#include "../../ssl/ssl_local.h"
#include <openssl/err.h>
#include <openssl/x509v3.h>
#include <openssl/quic.h>
#include "../testutil.h"
#include "refused_nth.h"

static EVP_PKEY *plus_key;
static X509 *plus_x509;

/* A key of Ed25519, and a certificate signed with it. */
static int plus_certificate(void)
{
    static const unsigned char seed[32] = {1, 2, 3};
    X509_NAME *name;

    plus_key = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, NULL, seed, sizeof(seed));
    plus_x509 = X509_new();
    if (plus_key == NULL || plus_x509 == NULL)
        return 0;
    name = X509_get_subject_name(plus_x509);
    return X509_set_version(plus_x509, X509_VERSION_3)
        && X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, (const unsigned char *)"plus", -1,
                                      -1, 0)
        && X509_set_issuer_name(plus_x509, name) && X509_set_pubkey(plus_x509, plus_key)
        && ASN1_TIME_set_string(X509_getm_notBefore(plus_x509), "20200101000000Z")
        && ASN1_TIME_set_string(X509_getm_notAfter(plus_x509), "20500101000000Z")
        && X509_sign(plus_x509, plus_key, NULL) > 0;
}

static void plus_certificate_free(void)
{
    EVP_PKEY_free(plus_key);
    X509_free(plus_x509);
}

static SSL_CTX *plus_ctx(void)
{
    return SSL_CTX_new(TLS_method());
}

static int plus_cert_cb(SSL *ssl, void *arg)
{
    return 1;
}

static int plus_parse(SSL *s, unsigned int ext_type, unsigned int context,
                      const unsigned char *in, size_t inlen, X509 *x, size_t chainidx, int *al,
                      void *parse_arg)
{
    return 1;
}

/* Adds an extension to the table itself. */
static custom_ext_method *plus_method(custom_ext_methods *exts, int type)
{
    custom_ext_method *meth;

    exts->meths = OPENSSL_realloc(exts->meths, (exts->meths_count + 1) * sizeof(*meth));
    meth = exts->meths + exts->meths_count++;
    memset(meth, 0, sizeof(*meth));
    meth->role = ENDPOINT_BOTH;
    meth->ext_type = type;
    meth->context = SSL_EXT_CLIENT_HELLO;
    meth->parse_cb = plus_parse;
    return meth;
}

static int plus_sid_is(SSL *ssl, const char *sid)
{
    SSL_CONNECTION *sc = SSL_CONNECTION_FROM_SSL_ONLY(ssl);

    return TEST_mem_eq(sc->sid_ctx, sc->sid_ctx_length, sid, strlen(sid));
}

static int plus_set_sid(SSL_CTX *ctx, const char *sid)
{
    return SSL_CTX_set_session_id_context(ctx, (const unsigned char *)sid, strlen(sid));
}
