/*---
 * tasks: [B14FF577E75F4333]
 * tests:
 *   no digest is accepted before one is added: 'Docstring: "no message digests are accepted by default".'
 *   a digest that was added is accepted: 'Docstring: "Adds a new acceptable message digest"; caller
 *     ts_RESP_check_request.'
 *   other digests stay refused: 'Docstring: "a new acceptable message digest".'
 *   all digests that were added are accepted: 'apps/ts.c and TS_CONF_set_digests add one after the other.'
 *   a digest added later leaves the earlier ones: 'Docstring: "Adds".'
 *   contexts do not share what they accept: 'The parameter ctx.'
 *   a digest from another library context is accepted: 'ts_RESP_check_request compares by name; caller
 *     TS_CONF_set_digests fetches.'
 *   the digest stays the caller's: 'Docstring: "The md argument is shared with the caller".'
 *   no reference to the digest is kept after both owners are gone: 'Docstring: "shared with the caller";
 *     TS_RESP_CTX_free frees none.'
 *   without memory it says so and accepts nothing: 'TS_CONF_set_digests: 0 is a failure.'
 ---*/
#include "memory_count.h"
#include <openssl/ts.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include "testutil.h"

/* Whether a request for a time stamp over this digest is refused because of the digest. */
static int is_refused(TS_RESP_CTX *ctx, int nid)
{
    static unsigned char hash[64];
    int size = EVP_MD_get_size(EVP_get_digestbynid(nid)), refused = -1;
    TS_REQ *req = TS_REQ_new();
    TS_MSG_IMPRINT *imprint = TS_MSG_IMPRINT_new();
    X509_ALGOR *alg = X509_ALGOR_new();
    BIO *bio = BIO_new(BIO_s_mem());
    TS_RESP *resp = NULL;
    const ASN1_BIT_STRING *failure;

    if (TEST_ptr(req) && TEST_ptr(imprint) && TEST_ptr(alg) && TEST_ptr(bio)
        && TEST_true(X509_ALGOR_set0(alg, OBJ_nid2obj(nid), V_ASN1_NULL, NULL))
        && TEST_true(TS_MSG_IMPRINT_set_algo(imprint, alg))
        && TEST_true(TS_MSG_IMPRINT_set_msg(imprint, hash, size))
        && TEST_true(TS_REQ_set_version(req, 1))
        && TEST_true(TS_REQ_set_msg_imprint(req, imprint))
        && TEST_true(i2d_TS_REQ_bio(bio, req))
        && TEST_ptr(resp = TS_RESP_create_response(ctx, bio))) {
        /* What comes after, such as the missing policy, fails for another reason. */
        failure = TS_STATUS_INFO_get0_failure_info(TS_RESP_get_status_info(resp));
        refused = failure != NULL && ASN1_BIT_STRING_get_bit(failure, TS_INFO_BAD_ALG);
    }
    TS_RESP_free(resp);
    BIO_free(bio);
    X509_ALGOR_free(alg);
    TS_MSG_IMPRINT_free(imprint);
    TS_REQ_free(req);
    ERR_clear_error();
    return refused;
}

static TS_RESP_CTX *ctx;

static int start(void)
{
    TS_RESP_CTX_free(ctx);
    return TEST_ptr(ctx = TS_RESP_CTX_new());
}

static int by_default(void)
{
    return start() && TEST_int_eq(is_refused(ctx, NID_sha256), 1) && TEST_int_eq(is_refused(ctx, NID_sha1), 1);
}

static int accepted(void)
{
    return start()
        && TEST_int_eq(TS_RESP_CTX_add_md(ctx, EVP_sha256()), 1)
        && TEST_int_eq(is_refused(ctx, NID_sha256), 0)
        && TEST_int_eq(is_refused(ctx, NID_sha256), 0);
}

static int others(void)
{
    return start()
        && TEST_int_eq(TS_RESP_CTX_add_md(ctx, EVP_sha512()), 1)
        && TEST_int_eq(is_refused(ctx, NID_sha256), 1)
        && TEST_int_eq(is_refused(ctx, NID_sha384), 1)
        && TEST_int_eq(is_refused(ctx, NID_sha1), 1);
}

static int all(void)
{
    static const int nids[] = { NID_sha1, NID_sha224, NID_sha256, NID_sha384, NID_sha512 };
    size_t i;

    if (!start())
        return 0;
    for (i = 0; i < OSSL_NELEM(nids); i++)
        if (!TEST_int_eq(TS_RESP_CTX_add_md(ctx, EVP_get_digestbynid(nids[i])), 1))
            return 0;
    for (i = 0; i < OSSL_NELEM(nids); i++)
        if (!TEST_int_eq(is_refused(ctx, nids[i]), 0))
            return 0;
    return TEST_int_eq(is_refused(ctx, NID_sha3_256), 1);
}

static int later(void)
{
    return start()
        && TEST_int_eq(TS_RESP_CTX_add_md(ctx, EVP_sha384()), 1)
        && TEST_int_eq(is_refused(ctx, NID_sha384), 0)
        && TEST_int_eq(is_refused(ctx, NID_sha256), 1)
        && TEST_int_eq(TS_RESP_CTX_add_md(ctx, EVP_sha256()), 1)
        && TEST_int_eq(is_refused(ctx, NID_sha384), 0)
        && TEST_int_eq(is_refused(ctx, NID_sha256), 0);
}

static int two_contexts(void)
{
    TS_RESP_CTX *second = TS_RESP_CTX_new();
    int ok = start() && TEST_ptr(second)
        && TEST_int_eq(TS_RESP_CTX_add_md(ctx, EVP_sha256()), 1)
        && TEST_int_eq(is_refused(second, NID_sha256), 1)
        && TEST_int_eq(TS_RESP_CTX_add_md(second, EVP_sha512()), 1)
        && TEST_int_eq(is_refused(second, NID_sha512), 0)
        && TEST_int_eq(is_refused(ctx, NID_sha512), 1);

    TS_RESP_CTX_free(second);
    return ok;
}

static int fetched(void)
{
    OSSL_LIB_CTX *libctx = OSSL_LIB_CTX_new();
    EVP_MD *md = EVP_MD_fetch(libctx, "SHA256", NULL);
    int ok = start() && TEST_ptr(md)
        && TEST_int_eq(TS_RESP_CTX_add_md(ctx, md), 1)
        && TEST_int_eq(is_refused(ctx, NID_sha256), 0);

    TS_RESP_CTX_free(ctx);
    ctx = NULL;
    EVP_MD_free(md);
    OSSL_LIB_CTX_free(libctx);
    return ok;
}

static int callers(void)
{
    OSSL_LIB_CTX *libctx = OSSL_LIB_CTX_new();
    EVP_MD *md = EVP_MD_fetch(libctx, "SHA256", NULL);
    unsigned char hash[EVP_MAX_MD_SIZE];
    unsigned int size = 0;
    int ok;

    memory_bad_frees = 0;
    ok = start() && TEST_ptr(md) && TEST_int_eq(TS_RESP_CTX_add_md(ctx, md), 1);
    TS_RESP_CTX_free(ctx);
    ctx = NULL;
    ok = ok && TEST_true(EVP_MD_is_a(md, "SHA256"))
        && TEST_true(EVP_Digest("", 0, hash, &size, md, NULL))
        && TEST_uint_eq(size, 32);
    EVP_MD_free(md);
    OSSL_LIB_CTX_free(libctx);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int no_reference(void)
{
    long before;
    int round, ok = 1;

    /* The first round is for what is allocated once for all. */
    for (round = 0, before = 0; ok && round < 2; round++) {
        TS_RESP_CTX_free(ctx);
        ctx = NULL;
        before = memory_blocks;
        ok = fetched();
    }
    return ok && TEST_long_eq(memory_blocks, before);
}

static int no_memory(void)
{
    int n, result = 0;

    for (n = 0; result != 1 && n < 20; n++) {
        if (!start())
            return 0;
        ERR_clear_error();
        memory_left = n;
        result = TS_RESP_CTX_add_md(ctx, EVP_sha256());
        memory_left = -1;
        if (result != 1
            && (!TEST_int_eq(result, 0) || !TEST_ulong_ne(ERR_peek_error(), 0)
                || !TEST_int_eq(is_refused(ctx, NID_sha256), 1)))
            return 0;
    }
    return TEST_int_eq(result, 1) && TEST_int_eq(is_refused(ctx, NID_sha256), 0);
}

int setup_tests(void)
{
    add_test("no digest is accepted before one is added", by_default);
    add_test("a digest that was added is accepted", accepted);
    add_test("other digests stay refused", others);
    add_test("all digests that were added are accepted", all);
    add_test("a digest added later leaves the earlier ones", later);
    add_test("contexts do not share what they accept", two_contexts);
    add_test("a digest from another library context is accepted", fetched);
    add_test("the digest stays the caller's", callers);
    add_test("no reference to the digest is kept after both owners are gone", no_reference);
    add_test("without memory it says so and accepts nothing", no_memory);
    return 1;
}

void cleanup_tests(void)
{
    TS_RESP_CTX_free(ctx);
}
