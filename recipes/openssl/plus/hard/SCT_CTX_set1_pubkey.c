/*---
 * tasks: [SCT_new_from_base64-1fe63f.16, SCT_new_from_base64-1fe63f.8]
 * tests:
 *   the key is set: 'ct_local.h: "Sets the public key of the CT log that the SCT is from"; SCT_CTX_verify, sctx->pkey.'
 *   the hash of the key is set: 'ct_vfy.c: SCT_CTX_verify compares the log ID with sctx->pkeyhash; RFC 6962, 3.2.'
 *   the hash has another place than the issuer's: 'ct_local.h: "Hash of public key", "issuer public key hash".'
 *   the key outlives the parameter: 'ct_local.h: set1; ct_sct.c: SCT_validate frees its X509_PUBKEY.'
 *   a second key takes the place of the first: 'ct_local.h: "Sets the public key of the CT log".'
 *   a parameter without a key is refused: 'ct_local.h: "Returns 1 on success, 0 on failure".'
 *   a hash that can't be made is refused: 'ct_local.h: "Returns 1 on success, 0 on failure"; SCT_CTX_new, libctx.'
 *   the query of the context is used: 'ct_sct_ctx.c: SCT_CTX_new keeps propq for it.'
 *   the other fields stay: 'ct_local.h: "Sets the public key".'
 *   a lack of memory is refused and leaks nothing: 'ct_local.h: "Returns 1 on success, 0 on failure".'
 *   nothing is leaked or freed twice: 'ct_sct_ctx.c: SCT_CTX_free frees the key and the hash once.'
 ---*/
#include <openssl/provider.h>
#include "../testutil.h"
#include "refused_once.h"
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
    int ok = TEST_int_eq(SCT_CTX_set1_pubkey(sctx, pub), 1);

    X509_PUBKEY_free(pub);
    return ok;
}

/* Are key and hash those of this key? */
static int has(SCT_CTX *sctx, const char *name)
{
    EVP_PKEY *key = ct_key(name);
    unsigned char id[32];
    int ok;

    ct_id(key, id);
    ok = TEST_int_eq(EVP_PKEY_eq(sctx->pkey, key), 1)
        && TEST_mem_eq(sctx->pkeyhash, sctx->pkeyhashlen, id, 32);
    EVP_PKEY_free(key);
    return ok;
}

static int key(void)
{
    SCT_CTX *sctx = SCT_CTX_new(NULL, NULL);
    EVP_PKEY *expected = ct_key(CT_LOG_KEY);
    int ok = sets(sctx, CT_LOG_KEY) && TEST_int_eq(EVP_PKEY_eq(sctx->pkey, expected), 1);

    EVP_PKEY_free(expected);
    SCT_CTX_free(sctx);
    return ok;
}

static int hash(void)
{
    SCT_CTX *sctx = SCT_CTX_new(NULL, NULL);
    int ok = sets(sctx, CT_LOG_KEY) && has(sctx, CT_LOG_KEY);

    SCT_CTX_free(sctx);
    sctx = SCT_CTX_new(NULL, NULL);
    ok = ok && sets(sctx, CT_RSA_KEY) && has(sctx, CT_RSA_KEY);
    SCT_CTX_free(sctx);
    return ok;
}

static int place(void)
{
    SCT_CTX *sctx = SCT_CTX_new(NULL, NULL);
    int ok = sets(sctx, CT_LOG_KEY) && TEST_ptr_null(sctx->ihash)
        && TEST_size_t_eq(sctx->ihashlen, 0);

    sctx->ihash = OPENSSL_zalloc(32);
    sctx->ihashlen = 32;
    ok = ok && sets(sctx, CT_OTHER_KEY) && has(sctx, CT_OTHER_KEY)
        && TEST_mem_eq(sctx->ihash, sctx->ihashlen,
                       "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 32);
    SCT_CTX_free(sctx);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int outlives(void)
{
    SCT_CTX *sctx = SCT_CTX_new(NULL, NULL);
    X509_PUBKEY *pub = pubkey(CT_LOG_KEY);
    EVP_PKEY *twin;
    int ok = TEST_int_eq(SCT_CTX_set1_pubkey(sctx, pub), 1);

    X509_PUBKEY_free(pub);
    twin = sctx->pkey;
    ok = ok && TEST_ptr(twin) && has(sctx, CT_LOG_KEY)
        && TEST_int_eq(EVP_PKEY_get_bits(twin), 256);
    SCT_CTX_free(sctx);

    /* The other way round. */
    sctx = SCT_CTX_new(NULL, NULL);
    pub = pubkey(CT_OTHER_KEY);
    ok = ok && TEST_int_eq(SCT_CTX_set1_pubkey(sctx, pub), 1);
    SCT_CTX_free(sctx);
    ok = ok && TEST_int_eq(EVP_PKEY_get_bits(X509_PUBKEY_get0(pub)), 256);
    X509_PUBKEY_free(pub);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int second(void)
{
    SCT_CTX *sctx = SCT_CTX_new(NULL, NULL);
    int ok = sets(sctx, CT_LOG_KEY) && sets(sctx, CT_OTHER_KEY) && has(sctx, CT_OTHER_KEY)
        && sets(sctx, CT_RSA_KEY) && has(sctx, CT_RSA_KEY) && sets(sctx, CT_LOG_KEY)
        && has(sctx, CT_LOG_KEY)
        && sets(sctx, CT_LOG_KEY) && has(sctx, CT_LOG_KEY);

    SCT_CTX_free(sctx);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int without_key(void)
{
    SCT_CTX *sctx = SCT_CTX_new(NULL, NULL);
    X509_PUBKEY *pub = X509_PUBKEY_new();
    int ok = TEST_int_eq(SCT_CTX_set1_pubkey(sctx, pub), 0);

    /* One that can be encoded, but of an algorithm that is unknown. */
    X509_PUBKEY_set0_param(pub, OBJ_txt2obj("1.2.3.4.5", 1), V_ASN1_UNDEF, NULL,
                           OPENSSL_memdup("key", 3), 3);
    ok = TEST_int_gt(i2d_X509_PUBKEY(pub, NULL), 0)
        && TEST_int_eq(SCT_CTX_set1_pubkey(sctx, pub), 0) && ok;
    X509_PUBKEY_free(pub);
    ERR_clear_error();
    ok = ok && sets(sctx, CT_LOG_KEY) && has(sctx, CT_LOG_KEY);
    SCT_CTX_free(sctx);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

/* A context in which SHA-256 is missing. */
static int refused_there(OSSL_LIB_CTX *libctx, const char *propq)
{
    SCT_CTX *sctx = SCT_CTX_new(libctx, propq);
    X509_PUBKEY *pub = pubkey(CT_LOG_KEY);
    int ok = TEST_int_eq(SCT_CTX_set1_pubkey(sctx, pub), 0);

    X509_PUBKEY_free(pub);
    SCT_CTX_free(sctx);
    ERR_clear_error();
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int no_hash(void)
{
    OSSL_LIB_CTX *empty = OSSL_LIB_CTX_new();
    OSSL_PROVIDER *null = OSSL_PROVIDER_load(empty, "null");
    int ok = refused_there(empty, NULL);

    OSSL_PROVIDER_unload(null);
    OSSL_LIB_CTX_free(empty);
    return ok;
}

static int query(void)
{
    SCT_CTX *sctx = SCT_CTX_new(NULL, "provider=default");
    int ok = sets(sctx, CT_LOG_KEY) && has(sctx, CT_LOG_KEY);

    SCT_CTX_free(sctx);
    return refused_there(NULL, "provider=nobody") && ok;
}

static int others(void)
{
    SCT_CTX *sctx = SCT_CTX_new(NULL, NULL);
    int ok;

    sctx->epoch_time_in_ms = 77;
    sctx->certder = OPENSSL_memdup("cert", 4);
    sctx->certderlen = 4;
    sctx->preder = OPENSSL_memdup("tbs", 3);
    sctx->prederlen = 3;
    ok = sets(sctx, CT_LOG_KEY) && TEST_true(sctx->epoch_time_in_ms == 77)
        && TEST_mem_eq(sctx->certder, sctx->certderlen, "cert", 4)
        && TEST_mem_eq(sctx->preder, sctx->prederlen, "tbs", 3);
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
        if (!hash() || !place() || !outlives() || !second() || !without_key()
                || !refused_there(NULL, "provider=nobody") || !TEST_long_eq(memory_bad_frees, 0))
            return 0;
    }
    return TEST_long_eq(memory_blocks, before);
}

static int no_memory(void)
{
    X509_PUBKEY *pub = pubkey(CT_LOG_KEY);
    long before, left;
    int ok = 1, refused = 1;

    if (!hash())
        return 0;
    before = memory_blocks;
    for (left = 0; ok && refused && left < 1000; left++) {
        SCT_CTX *sctx = SCT_CTX_new(NULL, NULL);
        int got;

        once_left = left;
        got = SCT_CTX_set1_pubkey(sctx, pub);
        refused = once_refused();
        ERR_clear_error();
        ok = got == 1 ? has(sctx, CT_LOG_KEY) : refused && TEST_int_eq(got, 0);
        SCT_CTX_free(sctx);
        ok = ok && TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
    }
    X509_PUBKEY_free(pub);
    return ok && TEST_false(refused);
}

int setup_tests(void)
{
    add_test("the key is set", key);
    add_test("the hash of the key is set", hash);
    add_test("the hash has another place than the issuer's", place);
    add_test("the key outlives the parameter", outlives);
    add_test("a second key takes the place of the first", second);
    add_test("a parameter without a key is refused", without_key);
    add_test("a hash that can't be made is refused", no_hash);
    add_test("the query of the context is used", query);
    add_test("the other fields stay", others);
    add_test("nothing is leaked or freed twice", balanced);
    add_test("a lack of memory is refused and leaks nothing", no_memory);
    return 1;
}
