/*---
 * tasks: [SCT_new_from_base64-1fe63f.16]
 * tests:
 *   a hash is made where there is none: 'ct_sct_ctx.c: SCT_CTX_set1_pubkey passes the fields of a new context.'
 *   it is the SHA-256 of the whole SubjectPublicKeyInfo: 'RFC 6962, 3.2, LogID and issuer_key_hash.'
 *   the length is set: 'ct_vfy.c: SCT_CTX_verify compares sct->log_id_len with it.'
 *   a hash that is there is replaced: 'ct_sct_ctx.c: SCT_CTX_set1_issuer_pubkey may be called again.'
 *   a buffer that is too short is replaced: 'Signature: hash_len is the length of *hash; SHA-256 has 32 bytes.'
 *   a key that can't be encoded is refused: 'ct_local.h: callers return "1 on success, 0 on failure".'
 *   SHA-256 is fetched as the context says: 'ct_local.h: libctx and propq of SCT_CTX; SCT_CTX_new.'
 *   a refusal leaves what can be freed once: 'ct_sct_ctx.c: SCT_CTX_free frees the fields after a failure.'
 *   the context stays as it was: 'Signature: the hash is output by hash and hash_len.'
 *   a lack of memory is refused and leaks nothing: 'ct_local.h: callers return "0 on failure".'
 *   nothing is leaked or freed twice: 'ct_sct_ctx.c: SCT_CTX_free frees the hash once.'
 ---*/
#include "../../crypto/ct/ct_sct_ctx.c"
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

/* Does the hash of this key come into *hash? */
static int gives(SCT_CTX *sctx, const char *name, unsigned char **hash, size_t *length)
{
    X509_PUBKEY *pub = pubkey(name);
    EVP_PKEY *key = ct_key(name);
    unsigned char id[32];
    int ok = TEST_int_eq(ct_public_key_hash(sctx, pub, hash, length), 1);

    X509_PUBKEY_free(pub);
    ct_id(key, id);
    EVP_PKEY_free(key);
    return ok && TEST_ptr(*hash) && TEST_mem_eq(*hash, 32, id, 32)
        && TEST_long_eq(memory_bad_frees, 0);
}

static int gives_new(const char *name)
{
    SCT_CTX *sctx = SCT_CTX_new(NULL, NULL);
    unsigned char *hash = NULL;
    size_t length = 0;
    int ok = gives(sctx, name, &hash, &length) && TEST_size_t_eq(length, 32);

    OPENSSL_free(hash);
    SCT_CTX_free(sctx);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int made(void)
{
    return gives_new(CT_LOG_KEY);
}

static int whole(void)
{
    return gives_new(CT_OTHER_KEY) && gives_new(CT_RSA_KEY);
}

static int length_set(void)
{
    SCT_CTX *sctx = SCT_CTX_new(NULL, NULL);
    unsigned char *hash = NULL;
    size_t length = 1000;
    int ok = gives(sctx, CT_LOG_KEY, &hash, &length) && TEST_size_t_eq(length, 32);

    OPENSSL_free(hash);
    SCT_CTX_free(sctx);
    return ok;
}

static int replaced(void)
{
    SCT_CTX *sctx = SCT_CTX_new(NULL, NULL);
    unsigned char *hash = NULL;
    size_t length = 0;
    int ok = gives(sctx, CT_LOG_KEY, &hash, &length) && gives(sctx, CT_RSA_KEY, &hash, &length)
        && gives(sctx, CT_OTHER_KEY, &hash, &length) && TEST_size_t_eq(length, 32);

    OPENSSL_free(hash);
    SCT_CTX_free(sctx);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int too_short(void)
{
    static const size_t lengths[] = {31, 1, 20};
    SCT_CTX *sctx = SCT_CTX_new(NULL, NULL);
    size_t i;
    int ok = 1;

    for (i = 0; i < OSSL_NELEM(lengths); i++) {
        unsigned char *hash = OPENSSL_malloc(lengths[i]);
        size_t length = lengths[i];

        ok &= gives(sctx, CT_LOG_KEY, &hash, &length) && TEST_size_t_eq(length, 32);
        OPENSSL_free(hash);
    }
    SCT_CTX_free(sctx);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int refuses(SCT_CTX *sctx, X509_PUBKEY *pub)
{
    unsigned char *hash = NULL;
    size_t length = 0;
    int ok = TEST_int_eq(ct_public_key_hash(sctx, pub, &hash, &length), 0) && TEST_ptr_null(hash);

    ERR_clear_error();
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int not_encoded(void)
{
    SCT_CTX *sctx = SCT_CTX_new(NULL, NULL);
    X509_PUBKEY *empty = X509_PUBKEY_new();
    int ok = refuses(sctx, empty);

    X509_PUBKEY_free(empty);
    SCT_CTX_free(sctx);
    return ok;
}

static int fetched(void)
{
    OSSL_LIB_CTX *empty = OSSL_LIB_CTX_new();
    OSSL_PROVIDER *null = OSSL_PROVIDER_load(empty, "null");
    SCT_CTX *there = SCT_CTX_new(empty, NULL), *nobody = SCT_CTX_new(NULL, "provider=nobody");
    SCT_CTX *some = SCT_CTX_new(NULL, "provider=default");
    X509_PUBKEY *pub = pubkey(CT_LOG_KEY);
    unsigned char *hash = NULL;
    size_t length = 0;
    int ok = refuses(there, pub) && refuses(nobody, pub)
        && gives(some, CT_LOG_KEY, &hash, &length);

    OPENSSL_free(hash);
    X509_PUBKEY_free(pub);
    SCT_CTX_free(there);
    SCT_CTX_free(nobody);
    SCT_CTX_free(some);
    OSSL_PROVIDER_unload(null);
    OSSL_LIB_CTX_free(empty);
    return ok;
}

static int kept(void)
{
    SCT_CTX *sctx = SCT_CTX_new(NULL, NULL), *nobody = SCT_CTX_new(NULL, "provider=nobody");
    X509_PUBKEY *pub = pubkey(CT_RSA_KEY);
    unsigned char *hash = NULL;
    size_t length = 0;
    int ok = gives(sctx, CT_LOG_KEY, &hash, &length);

    if (ok) {
        ok = TEST_int_eq(ct_public_key_hash(nobody, pub, &hash, &length), 0);
    }
    ERR_clear_error();
    OPENSSL_free(hash);
    X509_PUBKEY_free(pub);
    SCT_CTX_free(sctx);
    SCT_CTX_free(nobody);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int context(void)
{
    SCT_CTX sctx, before;
    unsigned char *hash = NULL;
    size_t length = 0;
    int ok;

    memset(&sctx, 0x5a, sizeof(sctx));
    sctx.libctx = NULL;
    sctx.propq = NULL;
    memcpy(&before, &sctx, sizeof(sctx));
    ok = gives(&sctx, CT_LOG_KEY, &hash, &length)
        && TEST_mem_eq(&sctx, sizeof(sctx), &before, sizeof(before));
    OPENSSL_free(hash);
    return ok;
}

static int balanced(void)
{
    long before;
    int i;

    for (i = 0; i < 3; i++) {
        if (i == 2)
            before = memory_blocks;
        if (!made() || !whole() || !replaced() || !too_short() || !not_encoded() || !kept())
            return 0;
    }
    return TEST_long_eq(memory_blocks, before);
}

static int no_memory(void)
{
    SCT_CTX *sctx = SCT_CTX_new(NULL, NULL);
    X509_PUBKEY *pub = pubkey(CT_LOG_KEY);
    EVP_PKEY *key = ct_key(CT_LOG_KEY);
    unsigned char id[32];
    long before, left;
    int ok = 1, refused = 1;

    ct_id(key, id);
    EVP_PKEY_free(key);
    if (!made() || !not_encoded())
        return 0;
    before = memory_blocks;
    for (left = 0; ok && refused && left < 200; left++) {
        unsigned char *hash = NULL;
        size_t length = 0;
        int got;

        once_left = left;
        got = ct_public_key_hash(sctx, pub, &hash, &length);
        refused = once_refused();
        ERR_clear_error();
        ok = got == 1 ? TEST_mem_eq(hash, length, id, 32)
            : refused && TEST_int_eq(got, 0) && TEST_ptr_null(hash);
        OPENSSL_free(hash);
        ok = ok && TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
    }
    X509_PUBKEY_free(pub);
    SCT_CTX_free(sctx);
    return ok && TEST_false(refused);
}

int setup_tests(void)
{
    add_test("a hash is made where there is none", made);
    add_test("it is the SHA-256 of the whole SubjectPublicKeyInfo", whole);
    add_test("the length is set", length_set);
    add_test("a hash that is there is replaced", replaced);
    add_test("a buffer that is too short is replaced", too_short);
    add_test("a key that can't be encoded is refused", not_encoded);
    add_test("SHA-256 is fetched as the context says", fetched);
    add_test("a refusal leaves what can be freed once", kept);
    add_test("the context stays as it was", context);
    add_test("nothing is leaked or freed twice", balanced);
    add_test("a lack of memory is refused and leaks nothing", no_memory);
    return 1;
}
