/*---
 * tasks: [SCT_new_from_base64-1fe63f.16]
 * tests:
 *   a certificate's SCT verifies: 'ct_local.h: "Returns 1 if the SCT verifies successfully"; RFC 6962, 3.2.'
 *   a precertificate's SCT verifies: 'RFC 6962, 3.2, precert_entry.'
 *   a log can sign with RSA: 'RFC 6962, 2.1.4.'
 *   what was not signed does not verify: 'RFC 6962, 3.2: the signature covers timestamp, type, entry and extensions.'
 *   another key's signature does not verify: 'ct_local.h: "Verifies an SCT with the given context".'
 *   a signature that is none does not verify: 'ct_local.h: "any other value indicates failure".'
 *   an SCT of another log does not verify: 'CT_R_SCT_LOG_ID_MISMATCH, "sct log id mismatch".'
 *   an SCT of the future does not verify:
 *     'ct_local.h: SCT_CTX_set_time, "If the SCT''s timestamp is after this time ... will not validate".'
 *   an SCT that is not complete does not verify: 'ct_local.h: SCT_is_complete, "the minimum fields ... to be usable".'
 *   a context that is not complete verifies nothing: 'CT_R_SCT_NOT_SET; SCT_CTX_set1_pubkey, SCT_CTX_set1_issuer_pubkey.'
 *   another version does not verify: 'SCT_new(3): "only SCT_VERSION_V1 is currently supported".'
 *   the library context and the query are used: 'ct_local.h: libctx and propq of SCT_CTX.'
 *   it can be done again: 'ct_local.h: const SCT_CTX *, const SCT *.'
 *   without memory nothing verifies, and nothing is leaked: 'ct_local.h: "any other value indicates failure".'
 *   nothing is leaked or freed twice: 'ct_local.h: "Verifies an SCT"; both stay the caller''s.'
 ---*/
#include <openssl/provider.h>
#include "../testutil.h"
#include "refused_once.h"
#include "transparency.h"

#define TIME UINT64_C(0x16F9A3B4C5D)
#define BYTES(text) (unsigned char *)text, sizeof(text) - 1
#define X509_TYPE CT_LOG_ENTRY_TYPE_X509
#define PRECERT CT_LOG_ENTRY_TYPE_PRECERT

static EVP_PKEY *log_key, *other_key, *rsa_key;
static unsigned char issuer[] = "the issuer's key hash, 32 bytes.";

static SCT_CTX *context_of(EVP_PKEY *key, OSSL_LIB_CTX *libctx, const char *propq)
{
    SCT_CTX *sctx = SCT_CTX_new(libctx, propq);

    EVP_PKEY_up_ref(key);
    sctx->pkey = key;
    sctx->pkeyhash = OPENSSL_malloc(32);
    sctx->pkeyhashlen = 32;
    ct_id(key, sctx->pkeyhash);
    sctx->ihash = OPENSSL_memdup(issuer, 32);
    sctx->ihashlen = 32;
    sctx->certder = OPENSSL_memdup("certificate", 11);
    sctx->certderlen = 11;
    sctx->preder = OPENSSL_memdup("precert", 7);
    sctx->prederlen = 7;
    sctx->epoch_time_in_ms = TIME + 1000;
    return sctx;
}

static SCT_CTX *context(void)
{
    return context_of(log_key, NULL, NULL);
}

static SCT *sct_of(EVP_PKEY *key, int type)
{
    return type == PRECERT ? ct_sct(key, TIME, type, issuer, BYTES("precert"), BYTES("ext"))
                           : ct_sct(key, TIME, type, NULL, BYTES("certificate"), BYTES("ext"));
}

/* Does it (not) verify? Frees both. */
static int verifies(SCT_CTX *sctx, SCT *sct, int expected)
{
    int result = SCT_CTX_verify(sctx, sct);
    int ok = expected ? TEST_int_eq(result, 1) : TEST_int_ne(result, 1);

    SCT_free(sct);
    SCT_CTX_free(sctx);
    ERR_clear_error();
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int certificate(void)
{
    return verifies(context(), sct_of(log_key, X509_TYPE), 1)
        && verifies(context(), ct_sct(log_key, TIME, X509_TYPE, NULL, BYTES("certificate"), NULL,
                                      0), 1);
}

static int precertificate(void)
{
    return verifies(context(), sct_of(log_key, PRECERT), 1)
        && verifies(context(), ct_sct(log_key, TIME, PRECERT, issuer, BYTES("precert"), NULL, 0),
                    1);
}

static int rsa(void)
{
    return verifies(context_of(rsa_key, NULL, NULL), sct_of(rsa_key, X509_TYPE), 1)
        && verifies(context_of(rsa_key, NULL, NULL), sct_of(rsa_key, PRECERT), 1);
}

static int not_signed(void)
{
    SCT *sct = sct_of(log_key, X509_TYPE);
    SCT_CTX *sctx = context();
    int ok;

    sct->timestamp--;
    ok = verifies(sctx, sct, 0);
    sct = sct_of(log_key, X509_TYPE);
    sct->ext[0] ^= 1;
    ok = verifies(context(), sct, 0) && ok;
    sct = sct_of(log_key, X509_TYPE);
    sct->ext_len--;
    ok = verifies(context(), sct, 0) && ok;
    sct = sct_of(log_key, X509_TYPE);
    sct->entry_type = PRECERT;
    ok = verifies(context(), sct, 0) && ok;
    sctx = context();
    sctx->certder[10] ^= 1;
    ok = verifies(sctx, sct_of(log_key, X509_TYPE), 0) && ok;
    sctx = context();
    sctx->ihash[31] ^= 1;
    ok = verifies(sctx, sct_of(log_key, PRECERT), 0) && ok;
    sctx = context();
    sctx->preder[0] ^= 1;
    return verifies(sctx, sct_of(log_key, PRECERT), 0) && ok;
}

static int other_keys(void)
{
    SCT *sct = sct_of(other_key, X509_TYPE);

    ct_id(log_key, sct->log_id);
    return verifies(context(), sct, 0);
}

static int no_signature(void)
{
    SCT *sct = sct_of(log_key, X509_TYPE);
    int ok;

    sct->sig[sct->sig_len - 1] ^= 1;
    ok = verifies(context(), sct, 0);
    sct = sct_of(log_key, X509_TYPE);
    sct->sig[0] = 0;
    ok = verifies(context(), sct, 0) && ok;
    sct = sct_of(log_key, X509_TYPE);
    sct->sig_len--;
    ok = verifies(context(), sct, 0) && ok;
    sct = sct_of(log_key, X509_TYPE);
    sct->sig_len = 1;
    return verifies(context(), sct, 0) && ok;
}

static int other_log(void)
{
    SCT *sct = sct_of(log_key, X509_TYPE);
    SCT_CTX *sctx = context();
    int ok;

    sct->log_id[31] ^= 1;
    ok = verifies(sctx, sct, 0);
    sct = sct_of(log_key, X509_TYPE);
    sct->log_id[0] ^= 1;
    ok = verifies(context(), sct, 0) && ok;
    sct = sct_of(log_key, X509_TYPE);
    sct->log_id_len = 31;
    return verifies(context(), sct, 0) && ok;
}

static int future(void)
{
    SCT_CTX *sctx = context();
    int ok;

    sctx->epoch_time_in_ms = TIME - 1;
    ok = verifies(sctx, sct_of(log_key, X509_TYPE), 0);
    sctx = context();
    sctx->epoch_time_in_ms = TIME;
    ok = verifies(sctx, sct_of(log_key, X509_TYPE), 1) && ok;
    sctx = context();
    sctx->epoch_time_in_ms = 0;
    ok = verifies(sctx, sct_of(log_key, X509_TYPE), 0) && ok;
    sctx = context();
    sctx->epoch_time_in_ms = UINT64_MAX;
    ok = verifies(sctx, sct_of(log_key, X509_TYPE), 1) && ok;
    sctx = context();
    return verifies(sctx, ct_sct(log_key, UINT64_C(1) << 63, X509_TYPE, NULL, BYTES("certificate"),
                                 NULL, 0), 0) && ok;
}

static int not_complete(void)
{
    SCT *sct = sct_of(log_key, X509_TYPE);
    int ok;

    sct->version = SCT_VERSION_NOT_SET;
    ok = verifies(context(), sct, 0);
    sct = sct_of(log_key, X509_TYPE);
    OPENSSL_free(sct->log_id);
    sct->log_id = NULL;
    ok = verifies(context(), sct, 0) && ok;
    sct = sct_of(log_key, X509_TYPE);
    OPENSSL_free(sct->sig);
    sct->sig = NULL;
    ok = verifies(context(), sct, 0) && ok;
    sct = sct_of(log_key, X509_TYPE);
    sct->hash_alg = 2;
    ok = verifies(context(), sct, 0) && ok;
    sct = sct_of(log_key, X509_TYPE);
    sct->sig_alg = 2;
    ok = verifies(context(), sct, 0) && ok;
    sct = sct_of(log_key, X509_TYPE);
    sct->entry_type = CT_LOG_ENTRY_TYPE_NOT_SET;
    return verifies(context(), sct, 0) && verifies(context(), SCT_new(), 0) && ok;
}

/* Signs only the first bytes of an entry with an empty certificate. */
static SCT *signs_part(size_t count)
{
    SCT *sct = ct_sct(log_key, TIME, X509_TYPE, NULL, BYTES(""), NULL, 0);
    size_t length, sig_length = 1024;
    unsigned char *data = ct_signed_data(TIME, X509_TYPE, NULL, BYTES(""), NULL, 0, &length);
    EVP_MD_CTX *md = EVP_MD_CTX_new();

    if (TEST_size_t_eq(length,
                       17) && TEST_int_eq(EVP_DigestSignInit(md, NULL, EVP_sha256(), NULL,
                               log_key), 1)
            && TEST_int_eq(EVP_DigestSign(md, sct->sig, &sig_length, data, count), 1))
        sct->sig_len = sig_length;
    EVP_MD_CTX_free(md);
    OPENSSL_free(data);
    return sct;
}

static int context_not_complete(void)
{
    SCT_CTX *sctx = context();
    int ok;

    EVP_PKEY_free(sctx->pkey);
    sctx->pkey = NULL;
    ok = verifies(sctx, sct_of(log_key, X509_TYPE), 0);
    sctx = context();
    OPENSSL_free(sctx->ihash);
    sctx->ihash = NULL;
    sctx->ihashlen = 0;
    ok = verifies(sctx, sct_of(log_key, PRECERT), 0) && ok;
    sctx = context();
    OPENSSL_free(sctx->certder);
    sctx->certder = NULL;
    sctx->certderlen = 0;
    ok = verifies(sctx, sct_of(log_key, X509_TYPE), 0) && ok;
    /* Not even where all but the certificate was signed. */
    sctx = context();
    OPENSSL_free(sctx->certder);
    sctx->certder = NULL;
    sctx->certderlen = 0;
    ok = verifies(sctx, signs_part(12), 0) && ok;
    sctx = context();
    OPENSSL_free(sctx->certder);
    sctx->certder = NULL;
    sctx->certderlen = 0;
    ok = verifies(sctx, signs_part(17), 0) && ok;
    /* A certificate needs no issuer. */
    sctx = context();
    OPENSSL_free(sctx->ihash);
    sctx->ihash = NULL;
    sctx->ihashlen = 0;
    return verifies(sctx, sct_of(log_key, X509_TYPE), 1) && ok;
}

static int version(void)
{
    SCT *sct = sct_of(log_key, X509_TYPE);

    sct->version = 1;
    sct->sct = OPENSSL_memdup("\x01", 1);
    sct->sct_len = 1;
    return verifies(context(), sct, 0);
}

static int used(void)
{
    OSSL_LIB_CTX *own = OSSL_LIB_CTX_new();
    OSSL_PROVIDER *some = OSSL_PROVIDER_load(own, "default");
    int ok = verifies(context_of(log_key, NULL, "provider=nobody"), sct_of(log_key, X509_TYPE), 0)
        && verifies(context_of(log_key, NULL, "provider=default"), sct_of(log_key, X509_TYPE), 1)
        && verifies(context_of(log_key, own, NULL), sct_of(log_key, X509_TYPE), 1);

    OSSL_PROVIDER_unload(some);
    OSSL_LIB_CTX_free(own);
    return ok;
}

static int again(void)
{
    SCT *sct = sct_of(log_key, PRECERT), before;
    SCT_CTX *sctx = context(), sctx_before;
    int ok;

    sct->validation_status = SCT_VALIDATION_STATUS_UNVERIFIED;
    memcpy(&before, sct, sizeof(before));
    memcpy(&sctx_before, sctx, sizeof(sctx_before));
    ok = TEST_int_eq(SCT_CTX_verify(sctx, sct), 1) && TEST_int_eq(SCT_CTX_verify(sctx, sct), 1)
        && TEST_mem_eq(sct, sizeof(before), &before, sizeof(before))
        && TEST_mem_eq(sctx, sizeof(sctx_before), &sctx_before, sizeof(sctx_before));
    SCT_free(sct);
    SCT_CTX_free(sctx);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int balanced(void)
{
    long before;
    int i;

    for (i = 0; i < 2; i++) {
        if (i == 1)
            before = memory_blocks;
        if (!certificate() || !precertificate() || !not_signed() || !no_signature() || !other_log()
                || !future()
                || !not_complete() || !context_not_complete() || !version() || !again()
                || !verifies(context_of(log_key, NULL, "provider=nobody"),
                             sct_of(log_key, X509_TYPE), 0))
            return 0;
    }
    return TEST_long_eq(memory_blocks, before);
}

static int no_memory(void)
{
    SCT_CTX *sctx = context();
    SCT *sct = sct_of(log_key, PRECERT);
    long before, left;
    int ok = TEST_int_eq(SCT_CTX_verify(sctx, sct), 1), refused = 1;

    before = memory_blocks;
    for (left = 0; ok && refused && left < 1000; left++) {
        int got;

        once_left = left;
        got = SCT_CTX_verify(sctx, sct);
        refused = once_refused();
        ERR_clear_error();
        ok = (got == 1 || TEST_true(refused)) && TEST_long_eq(memory_blocks, before)
            && TEST_long_eq(memory_bad_frees, 0);
    }
    SCT_free(sct);
    SCT_CTX_free(sctx);
    return ok && TEST_false(refused);
}

int setup_tests(void)
{
    if (!TEST_ptr(log_key = ct_key(CT_LOG_KEY)) || !TEST_ptr(other_key = ct_key(CT_OTHER_KEY))
            || !TEST_ptr(rsa_key = ct_key(CT_RSA_KEY)))
        return 0;
    add_test("a certificate's SCT verifies", certificate);
    add_test("a precertificate's SCT verifies", precertificate);
    add_test("a log can sign with RSA", rsa);
    add_test("what was not signed does not verify", not_signed);
    add_test("another key's signature does not verify", other_keys);
    add_test("a signature that is none does not verify", no_signature);
    add_test("an SCT of another log does not verify", other_log);
    add_test("an SCT of the future does not verify", future);
    add_test("an SCT that is not complete does not verify", not_complete);
    add_test("a context that is not complete verifies nothing", context_not_complete);
    add_test("another version does not verify", version);
    add_test("the library context and the query are used", used);
    add_test("it can be done again", again);
    add_test("nothing is leaked or freed twice", balanced);
    add_test("without memory nothing verifies, and nothing is leaked", no_memory);
    return 1;
}

void cleanup_tests(void)
{
    EVP_PKEY_free(log_key);
    EVP_PKEY_free(other_key);
    EVP_PKEY_free(rsa_key);
}
