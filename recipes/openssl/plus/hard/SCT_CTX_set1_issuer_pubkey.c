/*---
 * tasks: [SCT_new_from_base64-1fe63f.16]
 * tests:
 *   the hash of the issuer's key is set: 'RFC 6962, 3.2: "issuer_key_hash is the SHA-256 hash of the issuer''s public key".'
 *   a key of RSA is hashed with its parameters: 'RFC 6962, 3.2: "the DER encoding of the key represented as SubjectPublicKeyInfo".'
 *   the hash has another place than the log's: 'ct_local.h: "For pre-certificate: issuer public key hash".'
 *   a second issuer takes the place of the first: 'ct_local.h: "Sets the public key of the issuer".'
 *   a hash that can't be made is refused: 'ct_local.h: "Returns 1 on success, 0 on failure"; SCT_CTX_new, libctx, propq.'
 *   a certificate's key can be given through SCT_CTX_set1_issuer: 'ct_local.h: "just a convenience method".'
 *   nothing is leaked or freed twice: 'ct_sct_ctx.c: SCT_CTX_free frees the hash once; the key stays the caller''s.'
 ---*/
#include <openssl/provider.h>
#include "../testutil.h"
#include "memory_count.h"
#include "transparency.h"

static X509_PUBKEY *pubkey(const char *name)
{
    X509_PUBKEY *pub = NULL;
    EVP_PKEY *key = ct_key(name);

    TEST_int_eq(X509_PUBKEY_set(&pub, key), 1);
    EVP_PKEY_free(key);
    return pub;
}

static int sets(SCT_CTX *sctx, const char *name)
{
    X509_PUBKEY *pub = pubkey(name);
    EVP_PKEY *key = ct_key(name);
    unsigned char id[32];
    int ok = TEST_int_eq(SCT_CTX_set1_issuer_pubkey(sctx, pub), 1);

    X509_PUBKEY_free(pub);
    ct_id(key, id);
    EVP_PKEY_free(key);
    return ok && TEST_mem_eq(sctx->ihash, sctx->ihashlen, id, 32);
}

static int one(const char *name)
{
    SCT_CTX *sctx = SCT_CTX_new(NULL, NULL);
    int ok = sets(sctx, name);

    SCT_CTX_free(sctx);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int hash(void)
{
    return one(CT_LOG_KEY) && one(CT_OTHER_KEY);
}

static int rsa(void)
{
    return one(CT_RSA_KEY);
}

static int place(void)
{
    static const unsigned char zeros[32];
    SCT_CTX *sctx = SCT_CTX_new(NULL, NULL);
    int ok = sets(sctx, CT_ISSUER_KEY) && TEST_ptr_null(sctx->pkeyhash)
        && TEST_ptr_null(sctx->pkey);

    sctx->pkeyhash = OPENSSL_zalloc(32);
    sctx->pkeyhashlen = 32;
    sctx->epoch_time_in_ms = 77;
    ok = ok && sets(sctx, CT_OTHER_KEY) && TEST_mem_eq(sctx->pkeyhash, sctx->pkeyhashlen, zeros,
                                                       32)
        && TEST_ptr_null(sctx->pkey) && TEST_true(sctx->epoch_time_in_ms == 77);
    SCT_CTX_free(sctx);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int second(void)
{
    SCT_CTX *sctx = SCT_CTX_new(NULL, NULL);
    int ok = sets(sctx, CT_ISSUER_KEY) && sets(sctx, CT_RSA_KEY) && sets(sctx, CT_ISSUER_KEY)
        && sets(sctx, CT_ISSUER_KEY);

    SCT_CTX_free(sctx);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int refused_there(OSSL_LIB_CTX *libctx, const char *propq)
{
    SCT_CTX *sctx = SCT_CTX_new(libctx, propq);
    X509_PUBKEY *pub = pubkey(CT_LOG_KEY);
    int ok = TEST_int_eq(SCT_CTX_set1_issuer_pubkey(sctx, pub), 0);

    X509_PUBKEY_free(pub);
    SCT_CTX_free(sctx);
    ERR_clear_error();
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int no_hash(void)
{
    OSSL_LIB_CTX *empty = OSSL_LIB_CTX_new();
    OSSL_PROVIDER *null = OSSL_PROVIDER_load(empty, "null");
    int ok = refused_there(empty, NULL) && refused_there(NULL, "provider=nobody");

    OSSL_PROVIDER_unload(null);
    OSSL_LIB_CTX_free(empty);
    return ok;
}

static int certificate(void)
{
    SCT_CTX *sctx = SCT_CTX_new(NULL, NULL);
    EVP_PKEY *key = ct_key(CT_ISSUER_KEY);
    X509 *cert = ct_cert("an issuer", key, key, 0);
    unsigned char id[32];
    int ok = TEST_int_eq(SCT_CTX_set1_issuer(sctx, cert), 1);

    ct_id(key, id);
    ok = ok && TEST_mem_eq(sctx->ihash, sctx->ihashlen, id, 32);
    X509_free(cert);
    EVP_PKEY_free(key);
    SCT_CTX_free(sctx);
    return ok;
}

static int balanced(void)
{
    long before;
    int i;

    for (i = 0; i < 3; i++) {
        if (i == 2)
            before = memory_blocks;
        if (!hash() || !place() || !second() || !rsa() || !refused_there(NULL, "provider=nobody")
                || !TEST_long_eq(memory_bad_frees, 0))
            return 0;
    }
    return TEST_long_eq(memory_blocks, before);
}

int setup_tests(void)
{
    add_test("the hash of the issuer's key is set", hash);
    add_test("a key of RSA is hashed with its parameters", rsa);
    add_test("the hash has another place than the log's", place);
    add_test("a second issuer takes the place of the first", second);
    add_test("a hash that can't be made is refused", no_hash);
    add_test("a certificate's key can be given through SCT_CTX_set1_issuer", certificate);
    add_test("nothing is leaked or freed twice", balanced);
    return 1;
}
