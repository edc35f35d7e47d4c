/*---
 * tasks: [OSSL_CMP_CTX_new-3cf262, OSSL_CMP_CTX_new-3cf262.2]
 * tests:
 *   the logging has its defaults:
 *     'OSSL_CMP_CTX_new(3): "verbosity is set to OSSL_CMP_LOG_INFO"; no callback.'
 *   no transaction has been:
 *     'OSSL_CMP_CTX_get_status(3): "otherwise OSSL_CMP_PKISTATUS_unspecified"; cmp_local.h:
 *     failInfoCode, "or -1".'
 *   the transfer has its defaults:
 *     'OSSL_CMP_CTX_new(3): KEEP_ALIVE 1, TOTAL_TIMEOUT 0, USE_TLS -1; MSG_TIMEOUT, "Default is to
 *     use the TOTAL_TIMEOUT setting", by a negative value, OSSL_HTTP_transfer(3).'
 *   the proof of possession is a signature, and no revocation has a reason:
 *     'OSSL_CMP_CTX_new(3): "set to OSSL_CRMF_POPO_SIGNATURE"; "or -1 for none, which is the
 *     default".'
 *   the digests are SHA-256:
 *     'OSSL_CMP_CTX_new(3): DIGEST_ALGNID and OWF_ALGNID, "Default is SHA256".'
 *   the MAC is HMAC-SHA1 with a salt of 16 bytes and 500 rounds:
 *     'OSSL_CMP_CTX_new(3): MAC_ALGNID, "Default is HMAC-SHA1 as per RFC 4210"; cmp_local.h:
 *     "currently fixed to 16", "currently fixed to 500".'
 *   the list of untrusted certificates is there and empty:
 *     'cmp_ctx.c: OSSL_CMP_CTX_new makes one; cmp_client.c, cmp_vfy.c add to ctx->untrusted.'
 *   all other options are off:
 *     'OSSL_CMP_CTX_new(3): each of them asks for something, such as "Do not confirm", and no
 *     default is named; "unless OSSL_CMP_OPT_SUBJECTALTNAME_NODEFAULT has been set".'
 *   all other objects are missing:
 *     'OSSL_CMP_CTX_new(3): "or NULL if unset"; cmp_ctx_test.c: IS_0 for what was not set;
 *     OSSL_CMP_CTX_reinit sets NULL for what is of one transaction.'
 *   the library context is kept:
 *     'OSSL_CMP_CTX_get0_libctx(3): "the libctx argument that was used".'
 *   the property query is kept as a copy:
 *     'OSSL_CMP_CTX_get0_propq(3): "the propq argument that was used"; OSSL_CMP_CTX_free frees
 *     it.'
 *   the digests come from the library context:
 *     'OSSL_CMP_CTX_new(3): "associated with the library context".'
 *   the property query is used for the digests:
 *     'OSSL_CMP_CTX_new(3): "and property query string propq".'
 *   two contexts do not share: 'Comment: "Allocates"; OSSL_CMP_CTX_free of one.'
 *   failed allocations are told and nothing is leaked: 'Comment: "NULL on error".'
 ---*/
#include <openssl/cmp.h>
#include <openssl/err.h>
#include <openssl/provider.h>
#include "../../crypto/cmp/cmp_local.h"
#include "internal/nelem.h"
#include "internal/provider.h"
#include "../testutil.h"
#include "refused_nth.h"

static OSSL_CMP_CTX *ctx;

static int with(int (*test)(void))
{
    int ok;

    if (!TEST_ptr(ctx = OSSL_CMP_CTX_new(NULL, NULL)))
        return 0;
    ok = test();
    OSSL_CMP_CTX_free(ctx);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int option(int opt, int value)
{
    return TEST_int_eq(OSSL_CMP_CTX_get_option(ctx, opt), value);
}

static int check_logging(void)
{
    return option(OSSL_CMP_OPT_LOG_VERBOSITY, OSSL_CMP_LOG_INFO) && TEST_true(ctx->log_cb == NULL);
}

static int check_none(void)
{
    return TEST_int_eq(OSSL_CMP_CTX_get_status(ctx), OSSL_CMP_PKISTATUS_unspecified)
        && TEST_int_eq(OSSL_CMP_CTX_get_failInfoCode(ctx), -1)
        && TEST_ptr_null(OSSL_CMP_CTX_get0_statusString(ctx));
}

static int check_transfer(void)
{
    return option(OSSL_CMP_OPT_KEEP_ALIVE, 1) && option(OSSL_CMP_OPT_TOTAL_TIMEOUT, 0)
        && option(OSSL_CMP_OPT_USE_TLS, -1)
        && TEST_int_lt(OSSL_CMP_CTX_get_option(ctx, OSSL_CMP_OPT_MSG_TIMEOUT), 0)
        && TEST_int_eq(ctx->serverPort, 0) && TEST_ptr_null(ctx->server)
        && TEST_ptr_null(ctx->serverPath) && TEST_true(ctx->transfer_cb == NULL);
}

static int check_popo(void)
{
    return option(OSSL_CMP_OPT_POPO_METHOD, OSSL_CRMF_POPO_SIGNATURE)
        && option(OSSL_CMP_OPT_REVOCATION_REASON, -1);
}

static int check_digests(void)
{
    return option(OSSL_CMP_OPT_DIGEST_ALGNID, NID_sha256)
        && option(OSSL_CMP_OPT_OWF_ALGNID, NID_sha256)
        && TEST_true(EVP_MD_is_a(ctx->digest, "SHA2-256"))
        && TEST_true(EVP_MD_is_a(ctx->pbm_owf, "SHA2-256"));
}

static int check_mac(void)
{
    return option(OSSL_CMP_OPT_MAC_ALGNID, NID_hmac_sha1)
        && TEST_size_t_eq(ctx->pbm_slen, 16) && TEST_int_eq(ctx->pbm_itercnt, 500);
}

static int check_untrusted(void)
{
    return TEST_ptr(OSSL_CMP_CTX_get0_untrusted(ctx))
        && TEST_int_eq(sk_X509_num(OSSL_CMP_CTX_get0_untrusted(ctx)), 0);
}

static int check_options(void)
{
    static const int options[] = { OSSL_CMP_OPT_VALIDITY_DAYS,
        OSSL_CMP_OPT_SUBJECTALTNAME_NODEFAULT,
        OSSL_CMP_OPT_SUBJECTALTNAME_CRITICAL, OSSL_CMP_OPT_POLICIES_CRITICAL,
        OSSL_CMP_OPT_IMPLICIT_CONFIRM, OSSL_CMP_OPT_DISABLE_CONFIRM, OSSL_CMP_OPT_UNPROTECTED_SEND,
        OSSL_CMP_OPT_UNPROTECTED_ERRORS, OSSL_CMP_OPT_IGNORE_KEYUSAGE,
        OSSL_CMP_OPT_PERMIT_TA_IN_EXTRACERTS_FOR_IR, OSSL_CMP_OPT_NO_CACHE_EXTRACERTS };
    size_t i;

    for (i = 0; i < OSSL_NELEM(options); i++)
        if (!option(options[i], 0))
            return 0;
    return TEST_int_eq(ctx->newPkey_priv, 0) && TEST_true(ctx->end_time == 0);
}

static int check_objects(void)
{
    return TEST_ptr_null(ctx->cert) && TEST_ptr_null(ctx->pkey)
        && TEST_ptr_null(ctx->chain) && TEST_ptr_null(ctx->srvCert) && TEST_ptr_null(ctx->newPkey)
        && TEST_ptr_null(ctx->validatedSrvCert) && TEST_ptr_null(ctx->expected_sender)
        && TEST_ptr_null(ctx->referenceValue) && TEST_ptr_null(ctx->secretValue)
        && TEST_ptr_null(ctx->recipient) && TEST_ptr_null(ctx->transactionID)
        && TEST_ptr_null(ctx->senderNonce) && TEST_ptr_null(ctx->recipNonce)
        && TEST_ptr_null(ctx->first_senderNonce) && TEST_ptr_null(ctx->geninfo_ITAVs)
        && TEST_ptr_null(ctx->genm_ITAVs) && TEST_ptr_null(ctx->extraCertsOut)
        && TEST_ptr_null(ctx->issuer) && TEST_ptr_null(ctx->subjectName)
        && TEST_ptr_null(ctx->subjectAltNames) && TEST_ptr_null(ctx->reqExtensions)
        && TEST_ptr_null(ctx->policies) && TEST_ptr_null(ctx->oldCert)
        && TEST_ptr_null(ctx->p10CSR)
        && TEST_ptr_null(ctx->newCert) && TEST_ptr_null(ctx->newChain)
        && TEST_ptr_null(ctx->caPubs)
        && TEST_ptr_null(ctx->extraCertsIn) && TEST_true(ctx->certConf_cb == NULL)
        && TEST_ptr_null(ctx->certConf_cb_arg) && TEST_ptr_null(OSSL_CMP_CTX_get0_libctx(ctx))
        && TEST_ptr_null(OSSL_CMP_CTX_get0_propq(ctx));
}

#define TEST_OF(name) static int name(void) { return with(check_##name); }
TEST_OF(logging)
TEST_OF(none)
TEST_OF(transfer)
TEST_OF(popo)
TEST_OF(digests)
TEST_OF(mac)
TEST_OF(untrusted)
TEST_OF(options)
TEST_OF(objects)

static int library(void)
{
    OSSL_LIB_CTX *libctx = OSSL_LIB_CTX_new();
    OSSL_CMP_CTX *own = OSSL_CMP_CTX_new(libctx, NULL);
    int ok = TEST_ptr(own) && TEST_ptr_eq(OSSL_CMP_CTX_get0_libctx(own), libctx)
        && TEST_ptr_null(OSSL_CMP_CTX_get0_propq(own));

    OSSL_CMP_CTX_free(own);
    OSSL_LIB_CTX_free(libctx);
    return ok;
}

static int query(void)
{
    char propq[] = "provider=default";
    OSSL_CMP_CTX *own = OSSL_CMP_CTX_new(NULL, propq);
    int ok = TEST_ptr(own) && TEST_str_eq(OSSL_CMP_CTX_get0_propq(own), propq)
        && TEST_ptr_ne(OSSL_CMP_CTX_get0_propq(own), propq);

    memset(propq, 'x', 4);
    ok = ok && TEST_str_eq(OSSL_CMP_CTX_get0_propq(own), "provider=default");
    OSSL_CMP_CTX_free(own);
    own = OSSL_CMP_CTX_new(NULL, "");
    ok = ok && TEST_ptr(own) && TEST_str_eq(OSSL_CMP_CTX_get0_propq(own), "");
    OSSL_CMP_CTX_free(own);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

/* A context without any algorithm has no SHA-256. */
static int from_library(void)
{
    OSSL_LIB_CTX *libctx = OSSL_LIB_CTX_new(), *full = OSSL_LIB_CTX_new();
    OSSL_PROVIDER *null = OSSL_PROVIDER_load(libctx, "null");
    OSSL_CMP_CTX *own = OSSL_CMP_CTX_new(libctx, NULL);
    int ok = TEST_ptr(null) && TEST_ptr_null(own);

    OSSL_CMP_CTX_free(own);
    own = OSSL_CMP_CTX_new(full, NULL);
    ok = ok && TEST_ptr(own)
        && TEST_ptr_eq(ossl_provider_libctx(EVP_MD_get0_provider(own->digest)), full)
        && TEST_ptr_eq(ossl_provider_libctx(EVP_MD_get0_provider(own->pbm_owf)), full);
    OSSL_CMP_CTX_free(own);
    OSSL_PROVIDER_unload(null);
    OSSL_LIB_CTX_free(libctx);
    OSSL_LIB_CTX_free(full);
    ERR_clear_error();
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int query_used(void)
{
    OSSL_CMP_CTX *own = OSSL_CMP_CTX_new(NULL, "provider=nowhere");
    int ok = TEST_ptr_null(own) && TEST_ulong_ne(ERR_peek_error(), 0);

    OSSL_CMP_CTX_free(own);
    ERR_clear_error();
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int two(void)
{
    OSSL_CMP_CTX *first = OSSL_CMP_CTX_new(NULL, "provider=default");
    OSSL_CMP_CTX *second = OSSL_CMP_CTX_new(NULL, "provider=default");
    int ok = TEST_ptr(first) && TEST_ptr(second) && TEST_ptr_ne(first, second)
        && TEST_ptr_ne(OSSL_CMP_CTX_get0_untrusted(first), OSSL_CMP_CTX_get0_untrusted(second));

    if (!ok)
        return 0;
    OSSL_CMP_CTX_set_option(first, OSSL_CMP_OPT_DIGEST_ALGNID, NID_sha512);
    OSSL_CMP_CTX_set_option(first, OSSL_CMP_OPT_VALIDITY_DAYS, 9);
    ctx = first;
    ok = option(OSSL_CMP_OPT_OWF_ALGNID, NID_sha256)
        && option(OSSL_CMP_OPT_DIGEST_ALGNID, NID_sha512);
    OSSL_CMP_CTX_free(first);
    ctx = second;
    ok = ok && check_digests() && check_options()
        && TEST_str_eq(OSSL_CMP_CTX_get0_propq(second), "provider=default");
    OSSL_CMP_CTX_free(second);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int no_memory(void)
{
    long allocations, before, round;
    OSSL_CMP_CTX *own = NULL;

    for (round = 0; round < 3; round++) {
        OSSL_CMP_CTX_free(OSSL_CMP_CTX_new(NULL, "provider=default"));
        OSSL_CMP_CTX_free(OSSL_CMP_CTX_new(NULL, "provider=nowhere"));
        ERR_clear_error();
    }
    before = memory_blocks;
    for (round = 0; round < 3; round++) {
        OSSL_CMP_CTX_free(OSSL_CMP_CTX_new(NULL, "provider=default"));
        OSSL_CMP_CTX_free(OSSL_CMP_CTX_new(NULL, "provider=nowhere"));
        ERR_clear_error();
    }
    if (!TEST_long_eq(memory_blocks, before))
        return 0;
    for (allocations = 0; allocations < 300 && own == NULL; allocations++) {
        ERR_clear_error();
        before = memory_blocks;
        memory_left = allocations;
        own = OSSL_CMP_CTX_new(NULL, "provider=default");
        memory_left = -1;
        ERR_clear_error();
        if (own == NULL && !TEST_long_le(memory_blocks, before))
            return 0;
    }
    ctx = own;
    if (!TEST_ptr(own) || !check_digests() || !check_untrusted()
            || !TEST_str_eq(OSSL_CMP_CTX_get0_propq(own), "provider=default"))
        return 0;
    OSSL_CMP_CTX_free(own);
    /* One alone is refused: there is no context, or a whole one. */
    for (allocations = 0; allocations < 100; allocations++) {
        before = memory_blocks;
        memory_one = allocations;
        own = OSSL_CMP_CTX_new(NULL, "provider=default");
        memory_one = -1;
        ERR_clear_error();
        ctx = own;
        if (own != NULL && (!check_digests() || !check_untrusted()
                            || !TEST_str_eq(OSSL_CMP_CTX_get0_propq(own), "provider=default")))
            return 0;
        OSSL_CMP_CTX_free(own);
        if (!TEST_long_le(memory_blocks, before))
            return 0;
    }
    return TEST_long_eq(memory_bad_frees, 0);
}

int setup_tests(void)
{
    add_test("the logging has its defaults", logging);
    add_test("no transaction has been", none);
    add_test("the transfer has its defaults", transfer);
    add_test("the proof of possession is a signature, and no revocation has a reason", popo);
    add_test("the digests are SHA-256", digests);
    add_test("the MAC is HMAC-SHA1 with a salt of 16 bytes and 500 rounds", mac);
    add_test("the list of untrusted certificates is there and empty", untrusted);
    add_test("all other options are off", options);
    add_test("all other objects are missing", objects);
    add_test("the library context is kept", library);
    add_test("the property query is kept as a copy", query);
    add_test("the digests come from the library context", from_library);
    add_test("the property query is used for the digests", query_used);
    add_test("two contexts do not share", two);
    add_test("failed allocations are told and nothing is leaked", no_memory);
    return 1;
}
