/*---
 * tasks: [SCT_new_from_base64-1fe63f.16, SCT_new_from_base64-1fe63f.8]
 * tests:
 *   a certificate's SCT is valid: 'ct.h: "Returns 1 if the SCT is valid"; "Sets the validation_status field".'
 *   a precertificate's SCT is valid: 'SCT_validate(3): "If all checks pass, ... SCT_VALIDATION_STATUS_VALID".'
 *   a published certificate's SCT is valid: 'ct_test.c: test_verify_one_sct, embeddedSCTs1.pem.'
 *   a certificate's SCT needs no issuer: 'SCT_validate(3): "only required if ... issued for a pre-certificate".'
 *   a precertificate's SCT without the issuer is unverified: 'SCT_validate(3): "required but not provided".'
 *   another version is unknown: 'SCT_validate(3): SCT_VALIDATION_STATUS_UNKNOWN_VERSION.'
 *   a log that is not in the store is unknown: 'SCT_validate(3): SCT_VALIDATION_STATUS_UNKNOWN_LOG.'
 *   the log is found among several: 'SCT_validate(3): "A CTLOG_STORE that contains the CT log".'
 *   a signature that is incorrect is invalid: 'SCT_validate(3): "If the SCT''s signature is incorrect".'
 *   another issuer or certificate is invalid: 'RFC 6962, 3.2: issuer_key_hash and the entry are signed.'
 *   a timestamp in the future is invalid: 'SCT_validate(3): "relative to the time in CT_POLICY_EVAL_CTX".'
 *   an SCT without entry type or signature is invalid: 'SCT_validate(3): "or if it is otherwise invalid".'
 *   a certificate that is incompatible with CT is not valid: 'ct_local.h: SCT_CTX_set1_cert; a second SCT extension.'
 *   each call sets the status anew: 'ct.h: "Sets the validation_status field of the SCT".'
 *   an internal error is negative: 'SCT_validate(3): "a negative integer if an internal error occurs".'
 *   SCT and context stay as they were: 'ct.h: const CT_POLICY_EVAL_CTX *; only the status is set.'
 *   without memory nothing is valid by mistake: 'ct.h: "Returns 1 if the SCT is valid", "-1 if an error occurs".'
 *   nothing is leaked or freed twice: 'ct.h: "Validates the given SCT"; all stays the caller''s.'
 ---*/
#ifndef OPENSSLDIR
# define OPENSSLDIR "/none"
#endif
#include "../../crypto/ct/ct_log.c"
#include <openssl/provider.h>
#include "../testutil.h"
#include "refused_once.h"
#include "transparency.h"

#define TIME UINT64_C(0x16F9A3B4C5D)
#define X509_TYPE CT_LOG_ENTRY_TYPE_X509
#define PRECERT CT_LOG_ENTRY_TYPE_PRECERT
#define BASIC NID_basic_constraints, "\x30"
#define SCTS NID_ct_precert_scts, "\x04\x02\x01\x01"

static EVP_PKEY *log_key, *other_key, *rsa_key, *issuer_key;
static X509 *cert, *issuer;
static unsigned char *der, *tbs, issuer_id[32];
static int der_length, tbs_length;
static CTLOG_STORE *store;

static CT_POLICY_EVAL_CTX *policy(void)
{
    CT_POLICY_EVAL_CTX *ctx = CT_POLICY_EVAL_CTX_new();

    CT_POLICY_EVAL_CTX_set1_cert(ctx, cert);
    CT_POLICY_EVAL_CTX_set1_issuer(ctx, issuer);
    CT_POLICY_EVAL_CTX_set_shared_CTLOG_STORE(ctx, store);
    CT_POLICY_EVAL_CTX_set_time(ctx, TIME);
    return ctx;
}

static void drop_issuer(CT_POLICY_EVAL_CTX *ctx)
{
    X509_free(ctx->issuer);
    ctx->issuer = NULL;
}

static SCT *sct_of(EVP_PKEY *key, int type)
{
    return type == PRECERT
        ? ct_sct(key, TIME, type, issuer_id, tbs, tbs_length, (unsigned char *)"ext", 3)
        : ct_sct(key, TIME, type, NULL, der, der_length, NULL, 0);
}

/* Frees what was passed. */
static int gives(CT_POLICY_EVAL_CTX *ctx, SCT *sct, int result, int status)
{
    int ok = TEST_int_eq(SCT_validate(sct, ctx), result)
        & TEST_int_eq(sct->validation_status, status);

    SCT_free(sct);
    CT_POLICY_EVAL_CTX_free(ctx);
    ERR_clear_error();
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int valid(SCT *sct)
{
    return gives(policy(), sct, 1, SCT_VALIDATION_STATUS_VALID);
}

static int invalid(SCT *sct)
{
    return gives(policy(), sct, 0, SCT_VALIDATION_STATUS_INVALID);
}

static int certificate(void)
{
    return valid(sct_of(log_key, X509_TYPE)) && valid(sct_of(rsa_key, X509_TYPE));
}

static int precertificate(void)
{
    return valid(sct_of(log_key, PRECERT)) && valid(sct_of(rsa_key, PRECERT));
}

static X509 *file_cert(const char *name)
{
    BIO *in = BIO_new_file(name, "r");
    X509 *x = PEM_read_bio_X509(in, NULL, NULL, NULL);

    BIO_free(in);
    return x;
}

static int published(void)
{
    CTLOG_STORE *logs = CTLOG_STORE_new();
    CT_POLICY_EVAL_CTX *ctx = CT_POLICY_EVAL_CTX_new();
    X509 *leaf = file_cert("test/certs/embeddedSCTs1.pem"),
        *ca = file_cert("test/certs/embeddedSCTs1_issuer.pem");
    STACK_OF(SCT) *scts = X509_get_ext_d2i(leaf, NID_ct_precert_scts, NULL, NULL);
    CTLOG *log = NULL;
    int ok = TEST_ptr(scts)
        && TEST_int_eq(CTLOG_new_from_base64(&log, "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEmXg8sUUzwB"
        "YaWrRb+V0IopzQ6o3UyEJ04r5ZrRXGdpYM8K+hB0pXrGRLI0eeWz+3skXrS0IO83AhA3GpRL6s6w==", "a log"),
        1);

    if (ok) {
        sk_CTLOG_push(logs->logs, log);
        CT_POLICY_EVAL_CTX_set1_cert(ctx, leaf);
        CT_POLICY_EVAL_CTX_set1_issuer(ctx, ca);
        CT_POLICY_EVAL_CTX_set_shared_CTLOG_STORE(ctx, logs);
        CT_POLICY_EVAL_CTX_set_time(ctx, UINT64_C(1580335307000));
        sk_SCT_value(scts, 0)->entry_type = PRECERT;
        ok = TEST_int_eq(SCT_validate(sk_SCT_value(scts, 0), ctx), 1)
            && TEST_int_eq(sk_SCT_value(scts, 0)->validation_status, SCT_VALIDATION_STATUS_VALID);
    }
    SCT_LIST_free(scts);
    X509_free(leaf);
    X509_free(ca);
    CT_POLICY_EVAL_CTX_free(ctx);
    CTLOG_STORE_free(logs);
    return ok;
}

static int no_issuer_needed(void)
{
    CT_POLICY_EVAL_CTX *ctx = policy();

    drop_issuer(ctx);
    return gives(ctx, sct_of(log_key, X509_TYPE), 1, SCT_VALIDATION_STATUS_VALID);
}

static int no_issuer(void)
{
    CT_POLICY_EVAL_CTX *ctx = policy();

    drop_issuer(ctx);
    return gives(ctx, sct_of(log_key, PRECERT), 0, SCT_VALIDATION_STATUS_UNVERIFIED);
}

static int version(void)
{
    SCT *sct = sct_of(log_key, X509_TYPE), *blank = SCT_new();

    sct->version = 1;
    return gives(policy(), sct, 0, SCT_VALIDATION_STATUS_UNKNOWN_VERSION)
        & gives(policy(), blank, 0, SCT_VALIDATION_STATUS_UNKNOWN_VERSION);
}

static int unknown_log(void)
{
    CTLOG_STORE *empty = CTLOG_STORE_new();
    CT_POLICY_EVAL_CTX *ctx = policy();
    int ok;

    ctx->log_store = empty;
    ok = gives(policy(), sct_of(other_key, X509_TYPE), 0, SCT_VALIDATION_STATUS_UNKNOWN_LOG)
        & gives(policy(), sct_of(other_key, PRECERT), 0, SCT_VALIDATION_STATUS_UNKNOWN_LOG)
        & gives(ctx, sct_of(log_key, X509_TYPE), 0, SCT_VALIDATION_STATUS_UNKNOWN_LOG);
    CTLOG_STORE_free(empty);
    return ok;
}

static int several(void)
{
    SCT *sct = sct_of(rsa_key, X509_TYPE);
    int ok;

    /* A known log, but another's signature. */
    ct_id(log_key, sct->log_id);
    ok = invalid(sct);
    return valid(sct_of(rsa_key, X509_TYPE)) && valid(sct_of(log_key, X509_TYPE)) && ok;
}

static int incorrect(void)
{
    SCT *sct = sct_of(log_key, X509_TYPE);
    int ok;

    sct->sig[sct->sig_len - 1] ^= 1;
    ok = invalid(sct);
    sct = sct_of(log_key, X509_TYPE);
    sct->sig[0] = 0;
    ok = invalid(sct) && ok;
    sct = sct_of(log_key, PRECERT);
    sct->ext[0] ^= 1;
    ok = invalid(sct) && ok;
    sct = sct_of(log_key, PRECERT);
    sct->timestamp--;
    return invalid(sct) && ok;
}

static int another(void)
{
    X509 *other_issuer = ct_cert("the issuer", other_key, issuer_key, BASIC, 0);
    X509 *other_cert = ct_cert("the issuer", log_key, issuer_key, BASIC, SCTS, 0);
    CT_POLICY_EVAL_CTX *ctx = policy();
    int ok;

    drop_issuer(ctx);
    CT_POLICY_EVAL_CTX_set1_issuer(ctx, other_issuer);
    ok = gives(ctx, sct_of(log_key, PRECERT), 0, SCT_VALIDATION_STATUS_INVALID);
    ctx = policy();
    X509_free(ctx->cert);
    CT_POLICY_EVAL_CTX_set1_cert(ctx, other_cert);
    ok = gives(ctx, sct_of(log_key, PRECERT), 0, SCT_VALIDATION_STATUS_INVALID) && ok;
    ctx = policy();
    X509_free(ctx->cert);
    CT_POLICY_EVAL_CTX_set1_cert(ctx, other_cert);
    ok = gives(ctx, sct_of(log_key, X509_TYPE), 0, SCT_VALIDATION_STATUS_INVALID) && ok;
    X509_free(other_issuer);
    X509_free(other_cert);
    return ok;
}

static int future(void)
{
    CT_POLICY_EVAL_CTX *ctx = policy(), *later = policy();

    ctx->epoch_time_in_ms = TIME - 1;
    later->epoch_time_in_ms = TIME + 1;
    return gives(ctx, sct_of(log_key, X509_TYPE), 0, SCT_VALIDATION_STATUS_INVALID)
        & gives(later, sct_of(log_key, X509_TYPE), 1, SCT_VALIDATION_STATUS_VALID);
}

static int otherwise(void)
{
    SCT *sct = sct_of(log_key, X509_TYPE);
    int ok;

    sct->entry_type = CT_LOG_ENTRY_TYPE_NOT_SET;
    ok = invalid(sct);
    sct = sct_of(log_key, X509_TYPE);
    OPENSSL_free(sct->sig);
    sct->sig = NULL;
    sct->sig_len = 0;
    return invalid(sct) && ok;
}

static int incompatible(void)
{
    X509 *twice = ct_cert("the issuer", other_key, issuer_key, SCTS, SCTS, 0);
    CT_POLICY_EVAL_CTX *ctx = policy();
    SCT *sct = sct_of(log_key, X509_TYPE);
    int ok;

    X509_free(ctx->cert);
    CT_POLICY_EVAL_CTX_set1_cert(ctx, twice);
    sct->validation_status = SCT_VALIDATION_STATUS_VALID;
    ok = TEST_int_eq(SCT_validate(sct, ctx), 0)
        && TEST_int_ne(sct->validation_status, SCT_VALIDATION_STATUS_VALID);
    SCT_free(sct);
    CT_POLICY_EVAL_CTX_free(ctx);
    X509_free(twice);
    ERR_clear_error();
    return ok;
}

static int anew(void)
{
    CTLOG_STORE *empty = CTLOG_STORE_new();
    CT_POLICY_EVAL_CTX *ctx = policy();
    SCT *sct = sct_of(log_key, PRECERT);
    X509 *keep = ctx->issuer;
    int ok = TEST_int_eq(SCT_validate(sct, ctx), 1)
        && TEST_int_eq(sct->validation_status, SCT_VALIDATION_STATUS_VALID);

    ctx->issuer = NULL;
    ok = ok && TEST_int_eq(SCT_validate(sct, ctx), 0)
        && TEST_int_eq(sct->validation_status, SCT_VALIDATION_STATUS_UNVERIFIED);
    ctx->issuer = keep;
    ok = ok && TEST_int_eq(SCT_validate(sct, ctx), 1)
        && TEST_int_eq(sct->validation_status, SCT_VALIDATION_STATUS_VALID);
    ctx->log_store = empty;
    ok = ok && TEST_int_eq(SCT_validate(sct, ctx), 0)
        && TEST_int_eq(sct->validation_status, SCT_VALIDATION_STATUS_UNKNOWN_LOG);
    ctx->log_store = store;
    sct->timestamp++;
    ok = ok && TEST_int_eq(SCT_validate(sct, ctx), 0)
        && TEST_int_eq(sct->validation_status, SCT_VALIDATION_STATUS_INVALID);
    sct->timestamp--;
    sct->version = 1;
    ok = ok && TEST_int_eq(SCT_validate(sct, ctx), 0)
        && TEST_int_eq(sct->validation_status, SCT_VALIDATION_STATUS_UNKNOWN_VERSION);
    sct->version = 0;
    ok = ok && TEST_int_eq(SCT_validate(sct, ctx), 1)
        && TEST_int_eq(sct->validation_status, SCT_VALIDATION_STATUS_VALID);
    SCT_free(sct);
    CT_POLICY_EVAL_CTX_free(ctx);
    CTLOG_STORE_free(empty);
    ERR_clear_error();
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

/* SHA-256 can't be had in this context. */
static int fails(OSSL_LIB_CTX *libctx, const char *propq)
{
    CT_POLICY_EVAL_CTX *ctx = policy();
    SCT *sct = sct_of(log_key, PRECERT);
    int ok;

    ctx->libctx = libctx;
    ctx->propq = propq == NULL ? NULL : OPENSSL_strdup(propq);
    ok = TEST_int_lt(SCT_validate(sct, ctx), 0)
        && TEST_int_ne(sct->validation_status, SCT_VALIDATION_STATUS_VALID);
    SCT_free(sct);
    CT_POLICY_EVAL_CTX_free(ctx);
    ERR_clear_error();
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int internal(void)
{
    OSSL_LIB_CTX *empty = OSSL_LIB_CTX_new();
    OSSL_PROVIDER *null = OSSL_PROVIDER_load(empty, "null");
    int ok = fails(empty, NULL) & fails(NULL, "provider=nobody");

    OSSL_PROVIDER_unload(null);
    OSSL_LIB_CTX_free(empty);
    return ok;
}

static int stay(void)
{
    CT_POLICY_EVAL_CTX *ctx = policy(), ctx_before;
    SCT *sct = sct_of(log_key, PRECERT), before;
    int ok;

    memcpy(&ctx_before, ctx, sizeof(*ctx));
    memcpy(&before, sct, sizeof(*sct));
    ok = TEST_int_eq(SCT_validate(sct, ctx), 1);
    before.validation_status = SCT_VALIDATION_STATUS_VALID;
    ok = ok && TEST_mem_eq(ctx, sizeof(*ctx), &ctx_before, sizeof(*ctx))
        && TEST_mem_eq(sct, sizeof(*sct), &before, sizeof(*sct))
        && TEST_int_eq(X509_get_ext_count(cert), 2);
    SCT_free(sct);
    CT_POLICY_EVAL_CTX_free(ctx);
    return ok && TEST_int_eq(X509_verify(cert, issuer_key), 1);
}

static int balanced(void)
{
    long before;
    int i;

    for (i = 0; i < 3; i++) {
        if (i == 2)
            before = memory_blocks;
        if (!certificate() || !precertificate() || !no_issuer() || !version() || !unknown_log()
                || !incorrect()
                || !another() || !future() || !otherwise() || !incompatible() || !anew()
                || !fails(NULL, "provider=nobody") || !TEST_long_eq(memory_bad_frees, 0))
            return 0;
    }
    return TEST_long_eq(memory_blocks, before);
}

static int no_memory(void)
{
    CT_POLICY_EVAL_CTX *ctx = policy();
    SCT *sct = sct_of(log_key, PRECERT);
    long left;
    int ok = TEST_int_eq(SCT_validate(sct, ctx), 1), refused = 1;

    for (left = 0; ok && refused && left < 3000; left++) {
        int got;

        once_left = left;
        got = SCT_validate(sct, ctx);
        refused = once_refused();
        ERR_clear_error();
        ok = got == 1 ? TEST_int_eq(sct->validation_status, SCT_VALIDATION_STATUS_VALID)
            : TEST_true(refused) && TEST_int_le(got, 0);
        ok = ok && TEST_long_eq(memory_bad_frees, 0);
    }
    SCT_free(sct);
    CT_POLICY_EVAL_CTX_free(ctx);
    return ok && TEST_false(refused);
}

static X509 *precert_twin(void)
{
    return ct_cert("the issuer", other_key, issuer_key, BASIC, 0);
}

int setup_tests(void)
{
    X509 *twin;

    if (!TEST_ptr(log_key = ct_key(CT_LOG_KEY)) || !TEST_ptr(other_key = ct_key(CT_OTHER_KEY))
            || !TEST_ptr(rsa_key = ct_key(CT_RSA_KEY))
            || !TEST_ptr(issuer_key = ct_key(CT_ISSUER_KEY)))
        return 0;
    ct_id(issuer_key, issuer_id);
    cert = ct_cert("the issuer", other_key, issuer_key, BASIC, SCTS, 0);
    issuer = ct_cert("the issuer", issuer_key, issuer_key, BASIC, 0);
    der_length = i2d_X509(cert, &der);
    twin = precert_twin();
    tbs_length = i2d_re_X509_tbs(twin, &tbs);
    X509_free(twin);
    store = CTLOG_STORE_new();
    sk_CTLOG_push(store->logs, CTLOG_new(ct_key(CT_ISSUER_KEY), "one"));
    sk_CTLOG_push(store->logs, CTLOG_new(ct_key(CT_RSA_KEY), "two"));
    sk_CTLOG_push(store->logs, CTLOG_new(ct_key(CT_LOG_KEY), "three"));
    add_test("a certificate's SCT is valid", certificate);
    add_test("a precertificate's SCT is valid", precertificate);
    add_test("a published certificate's SCT is valid", published);
    add_test("a certificate's SCT needs no issuer", no_issuer_needed);
    add_test("a precertificate's SCT without the issuer is unverified", no_issuer);
    add_test("another version is unknown", version);
    add_test("a log that is not in the store is unknown", unknown_log);
    add_test("the log is found among several", several);
    add_test("a signature that is incorrect is invalid", incorrect);
    add_test("another issuer or certificate is invalid", another);
    add_test("a timestamp in the future is invalid", future);
    add_test("an SCT without entry type or signature is invalid", otherwise);
    add_test("a certificate that is incompatible with CT is not valid", incompatible);
    add_test("each call sets the status anew", anew);
    add_test("an internal error is negative", internal);
    add_test("SCT and context stay as they were", stay);
    add_test("nothing is leaked or freed twice", balanced);
    add_test("without memory nothing is valid by mistake", no_memory);
    return 1;
}

void cleanup_tests(void)
{
    CTLOG_STORE_free(store);
    X509_free(cert);
    X509_free(issuer);
    OPENSSL_free(der);
    OPENSSL_free(tbs);
    EVP_PKEY_free(log_key);
    EVP_PKEY_free(other_key);
    EVP_PKEY_free(rsa_key);
    EVP_PKEY_free(issuer_key);
}
