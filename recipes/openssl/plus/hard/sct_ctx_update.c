/*---
 * tasks: [SCT_new_from_base64-1fe63f.16]
 * tests:
 *   a certificate's encoding is what RFC 6962 says: 'Comment: "digitally-signed struct"; RFC 6962, 3.2.'
 *   a precertificate's encoding is what RFC 6962 says: 'RFC 6962, 3.2: PreCert, issuer_key_hash and TBSCertificate.'
 *   a timestamp has 8 bytes: 'Comment: "(8 bytes) uint64 timestamp".'
 *   a certificate's length has 3 bytes: 'RFC 6962, 3.2: "opaque ASN.1Cert<1..2^24-1>".'
 *   extensions follow their length of 2 bytes: 'Comment: "(2 bytes + sct->ext_len) CtExtensions extensions".'
 *   the certificate and the precertificate are not taken for each other: 'Comment: "select(entry_type)".'
 *   an SCT without an entry type is refused: 'ct_vfy.c: SCT_CTX_verify, CT_R_SCT_NOT_SET for CT_LOG_ENTRY_TYPE_NOT_SET.'
 *   a precertificate without the issuer is refused: 'ct_vfy.c: SCT_CTX_verify, sctx->ihash == NULL.'
 *   a missing encoding is refused: 'RFC 6962, 3.2: ASN.1Cert and TBSCertificate have at least one byte.'
 *   each failure of the digest is told: 'ct_vfy.c: SCT_CTX_verify, "if (!sct_ctx_update(...))".'
 *   it adds to what was digested before: 'Docstring: "Update encoding ... to supplied EVP_MD_CTX".'
 *   it can be done again: 'Signature: const SCT_CTX *, const SCT *.'
 ---*/
#include "../../crypto/ct/ct_vfy.c"
#include "../testutil.h"
#include "transparency.h"

#define X509_TYPE CT_LOG_ENTRY_TYPE_X509
#define PRECERT CT_LOG_ENTRY_TYPE_PRECERT
#define TIME UINT64_C(0x0102030405060708)

static unsigned char large[70000], ihash[32];

static void context(SCT_CTX *sctx, void *cert, size_t cert_length, void *pre, size_t pre_length)
{
    memset(sctx, 0, sizeof(*sctx));
    sctx->certder = cert;
    sctx->certderlen = cert_length;
    sctx->preder = pre;
    sctx->prederlen = pre_length;
    sctx->ihash = ihash;
    sctx->ihashlen = 32;
}

static void stamp(SCT *sct, int type, uint64_t time, void *ext, size_t ext_length)
{
    memset(sct, 0, sizeof(*sct));
    sct->version = SCT_VERSION_V1;
    sct->entry_type = type;
    sct->timestamp = time;
    sct->ext = ext;
    sct->ext_len = ext_length;
}

/* Are exactly the expected bytes digested? */
static int digests(SCT_CTX *sctx, SCT *sct)
{
    EVP_MD_CTX *md = EVP_MD_CTX_new();
    unsigned char got[32], expected[32];
    int precert = sct->entry_type == PRECERT;
    size_t length;
    unsigned char *data = ct_signed_data(sct->timestamp, sct->entry_type, precert ? ihash : NULL,
                                         precert ? sctx->preder : sctx->certder,
                                         precert ? sctx->prederlen
                                             : sctx->certderlen, sct->ext, sct->ext_len, &length);
    int ok = TEST_int_eq(EVP_DigestInit_ex(md, EVP_sha256(), NULL), 1)
        && TEST_int_eq(sct_ctx_update(md, sctx, sct), 1)
        && TEST_int_eq(EVP_DigestFinal_ex(md, got, NULL), 1);

    SHA256(data, length, expected);
    OPENSSL_free(data);
    EVP_MD_CTX_free(md);
    return ok && TEST_mem_eq(got, 32, expected, 32);
}

static int refuses(SCT_CTX *sctx, SCT *sct)
{
    EVP_MD_CTX *md = EVP_MD_CTX_new();
    int ok = TEST_int_eq(EVP_DigestInit_ex(md, EVP_sha256(), NULL), 1)
        && TEST_int_eq(sct_ctx_update(md, sctx, sct), 0);

    EVP_MD_CTX_free(md);
    ERR_clear_error();
    return ok;
}

static int certificate(void)
{
    SCT_CTX sctx;
    SCT sct;

    context(&sctx, "certificate", 11, NULL, 0);
    stamp(&sct, X509_TYPE, TIME, NULL, 0);
    return digests(&sctx, &sct);
}

static int precertificate(void)
{
    SCT_CTX sctx;
    SCT sct;

    context(&sctx, NULL, 0, "tbs", 3);
    stamp(&sct, PRECERT, TIME, NULL, 0);
    return digests(&sctx, &sct);
}

static int timestamp(void)
{
    static const uint64_t times[] = {0, 1, 255, 256, UINT64_C(0x100000000),
        UINT64_C(0xff00000000000000), UINT64_MAX};
    SCT_CTX sctx;
    SCT sct;
    size_t i;

    context(&sctx, "certificate", 11, "tbs", 3);
    for (i = 0; i < OSSL_NELEM(times); i++) {
        stamp(&sct, i % 2 ? X509_TYPE : PRECERT, times[i], NULL, 0);
        if (!digests(&sctx, &sct))
            return 0;
    }
    return 1;
}

static int three_bytes(void)
{
    static const size_t lengths[] = {1, 255, 256, 65535, 65536, 70000};
    SCT_CTX sctx;
    SCT sct;
    size_t i;

    for (i = 0; i < OSSL_NELEM(lengths); i++) {
        context(&sctx, large, lengths[i], large, lengths[i]);
        stamp(&sct, X509_TYPE, TIME, NULL, 0);
        if (!digests(&sctx, &sct))
            return 0;
        sct.entry_type = PRECERT;
        if (!digests(&sctx, &sct))
            return 0;
    }
    return 1;
}

static int extensions(void)
{
    static const size_t lengths[] = {1, 2, 255, 256, 65535};
    SCT_CTX sctx;
    SCT sct;
    size_t i;

    context(&sctx, "certificate", 11, "tbs", 3);
    for (i = 0; i < OSSL_NELEM(lengths); i++) {
        stamp(&sct, i % 2 ? X509_TYPE : PRECERT, TIME, large, lengths[i]);
        if (!digests(&sctx, &sct))
            return 0;
    }
    return 1;
}

static int each_other(void)
{
    SCT_CTX sctx;
    SCT sct;
    int ok;

    context(&sctx, "certificate", 11, "tbs", 3);
    stamp(&sct, X509_TYPE, TIME, "ext", 3);
    ok = digests(&sctx, &sct);
    stamp(&sct, PRECERT, TIME, "ext", 3);
    ok = ok && digests(&sctx, &sct);
    sctx.ihash = NULL;
    sctx.ihashlen = 0;
    stamp(&sct, X509_TYPE, TIME, "ext", 3);
    return ok && digests(&sctx, &sct);
}

static int no_type(void)
{
    SCT_CTX sctx;
    SCT sct;

    context(&sctx, "certificate", 11, "tbs", 3);
    stamp(&sct, CT_LOG_ENTRY_TYPE_NOT_SET, TIME, NULL, 0);
    return refuses(&sctx, &sct);
}

static int no_issuer(void)
{
    SCT_CTX sctx;
    SCT sct;

    context(&sctx, "certificate", 11, "tbs", 3);
    stamp(&sct, PRECERT, TIME, NULL, 0);
    sctx.ihash = NULL;
    sctx.ihashlen = 0;
    return refuses(&sctx, &sct);
}

static int no_encoding(void)
{
    SCT_CTX sctx;
    SCT sct;
    int ok;

    context(&sctx, NULL, 0, "tbs", 3);
    stamp(&sct, X509_TYPE, TIME, NULL, 0);
    ok = refuses(&sctx, &sct);
    context(&sctx, "certificate", 11, NULL, 0);
    stamp(&sct, PRECERT, TIME, NULL, 0);
    ok = refuses(&sctx, &sct) && ok;
    stamp(&sct, X509_TYPE, TIME, NULL, 0);
    context(&sctx, NULL, 0, NULL, 0);
    return refuses(&sctx, &sct) && ok;
}

/* A digest of which one update fails, after so many that don't. */
static int updates_left, failed;

static int digest_init(EVP_MD_CTX *ctx)
{
    return 1;
}

static int digest_update(EVP_MD_CTX *ctx, const void *data, size_t count)
{
    if (updates_left-- != 0)
        return 1;
    failed = 1;
    return 0;
}

static int digest_final(EVP_MD_CTX *ctx, unsigned char *md)
{
    memset(md, 0, 32);
    return 1;
}

static int failures(int type)
{
    EVP_MD *method = EVP_MD_meth_new(NID_undef, NID_undef);
    EVP_MD_CTX *md = EVP_MD_CTX_new();
    SCT_CTX sctx;
    SCT sct;
    int left, ok, result = 0;

    EVP_MD_meth_set_result_size(method, 32);
    EVP_MD_meth_set_app_datasize(method, 16);
    EVP_MD_meth_set_init(method, digest_init);
    EVP_MD_meth_set_update(method, digest_update);
    EVP_MD_meth_set_final(method, digest_final);
    context(&sctx, "certificate", 11, "tbs", 3);
    stamp(&sct, type, TIME, "ext", 3);
    failed = 1;
    for (left = 0, ok = 1; ok && failed && left < 100; left++) {
        failed = 0;
        if (!TEST_int_eq(EVP_DigestInit_ex(md, method, NULL), 1))
            break;
        updates_left = left;
        result = sct_ctx_update(md, &sctx, &sct);
        ok = TEST_int_eq(result, !failed);
        EVP_MD_CTX_reset(md);
    }
    ok = ok && TEST_int_eq(result, 1) && TEST_int_gt(left, 1);
    EVP_MD_CTX_free(md);
    EVP_MD_meth_free(method);
    ERR_clear_error();
    return ok;
}

static int each_failure(void)
{
    return failures(X509_TYPE) && failures(PRECERT);
}

static int adds(void)
{
    EVP_MD_CTX *md = EVP_MD_CTX_new();
    SCT_CTX sctx;
    SCT sct;
    size_t length;
    unsigned char got[32], expected[32], *data = ct_signed_data(TIME, 0, NULL,
            (unsigned char *)"c", 1, NULL, 0, &length);
    unsigned char *all = OPENSSL_malloc(length + 8);
    int ok;

    context(&sctx, "c", 1, NULL, 0);
    stamp(&sct, X509_TYPE, TIME, NULL, 0);
    ok = TEST_int_eq(EVP_DigestInit_ex(md, EVP_sha256(), NULL), 1)
        && EVP_DigestUpdate(md, "before", 6)
        && TEST_int_eq(sct_ctx_update(md, &sctx, &sct), 1) && EVP_DigestUpdate(md, "af", 2)
        && TEST_int_eq(EVP_DigestFinal_ex(md, got, NULL), 1);
    memcpy(all, "before", 6);
    memcpy(all + 6, data, length);
    memcpy(all + 6 + length, "af", 2);
    SHA256(all, length + 8, expected);
    OPENSSL_free(all);
    OPENSSL_free(data);
    EVP_MD_CTX_free(md);
    return ok && TEST_mem_eq(got, 32, expected, 32);
}

static int again(void)
{
    SCT_CTX sctx, sctx_before;
    SCT sct, before;

    context(&sctx, "certificate", 11, "tbs", 3);
    stamp(&sct, PRECERT, TIME, "ext", 3);
    memcpy(&sctx_before, &sctx, sizeof(sctx));
    memcpy(&before, &sct, sizeof(sct));
    return digests(&sctx, &sct) && digests(&sctx, &sct)
        && TEST_mem_eq(&sct, sizeof(sct), &before, sizeof(sct))
        && TEST_mem_eq(&sctx, sizeof(sctx), &sctx_before, sizeof(sctx));
}

int setup_tests(void)
{
    size_t i;

    for (i = 0; i < sizeof(large); i++)
        large[i] = (unsigned char)(i * 5 + i / 256 + 1);
    for (i = 0; i < sizeof(ihash); i++)
        ihash[i] = (unsigned char)(200 + i);
    add_test("a certificate's encoding is what RFC 6962 says", certificate);
    add_test("a precertificate's encoding is what RFC 6962 says", precertificate);
    add_test("a timestamp has 8 bytes", timestamp);
    add_test("a certificate's length has 3 bytes", three_bytes);
    add_test("extensions follow their length of 2 bytes", extensions);
    add_test("the certificate and the precertificate are not taken for each other", each_other);
    add_test("an SCT without an entry type is refused", no_type);
    add_test("a precertificate without the issuer is refused", no_issuer);
    add_test("a missing encoding is refused", no_encoding);
    add_test("each failure of the digest is told", each_failure);
    add_test("it adds to what was digested before", adds);
    add_test("it can be done again", again);
    return 1;
}
