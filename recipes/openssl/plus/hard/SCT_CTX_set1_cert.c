/*---
 * tasks: [SCT_new_from_base64-1fe63f.16]
 * tests:
 *   a certificate's encoding is taken whole: 'ct_local.h: "certificate encoding"; RFC 6962, 3.2, x509_entry.'
 *   embedded SCTs are left out of the precertificate: 'RFC 6962, 3.2: the TBSCertificate without the SCT extension.'
 *   the poison is left out of the precertificate: 'RFC 6962, 3.1: "without the poison extension".'
 *   a precertificate is no certificate: 'ct_local.h: "If *cert does not have a poison extension"; ct_vfy.c, certder.'
 *   poison or SCTs that come twice are refused: 'ct_local.h: "it may have a single SCT extension".'
 *   poison and SCTs together are refused: 'RFC 6962, 3.1, 3.3: a precertificate has no SCTs yet.'
 *   a presigner of a certificate is refused: 'ct_local.h: "If *cert does not have a poison extension, presigner must be NULL".'
 *   a presigner's issuer and AKID are taken: 'ct_x509_cert_fixup: "copying the issuer and AKID from the presigner".'
 *   an AKID is in both or in none: 'ct_local.h: "If either ... have an AKID extension, both must have one".'
 *   the certificates stay as they were: 'ct_local.h: "Sets the certificate that the SCT was created for".'
 *   a second certificate takes the place of the first: 'ct_local.h: "Sets the certificate".'
 *   the keys and the time stay: 'ct_local.h: "Sets the certificate".'
 *   a lack of memory is refused: 'ct_local.h: "Returns 1 on success, 0 on failure".'
 *   nothing is leaked or freed twice: 'ct_sct_ctx.c: SCT_CTX_free frees certder and preder once.'
 ---*/
#include "../testutil.h"
#include "refused_once.h"
#include "transparency.h"

#define POISON NID_ct_precert_poison, "\x05"
#define SCTS NID_ct_precert_scts, "\x04\x02\x01\x01"
#define AKID(key) NID_authority_key_identifier, "\x30\x03\x80\x01" key
#define BASIC NID_basic_constraints, "\x30"
#define EKU NID_ext_key_usage, "\x30\x02\x06"
#define CERT(...) ct_cert("the issuer", key, key, __VA_ARGS__, 0)

static EVP_PKEY *key;

/* Is the precertificate's encoding that of what is signed of this certificate? Frees it. */
static int tbs_is(SCT_CTX *sctx, X509 *same)
{
    unsigned char *der = NULL;
    int length = i2d_re_X509_tbs(same, &der);
    int ok = TEST_mem_eq(sctx->preder, sctx->prederlen, der, length);

    OPENSSL_free(der);
    X509_free(same);
    return ok;
}

static int der_is(SCT_CTX *sctx, X509 *cert)
{
    unsigned char *der = NULL;
    int length = i2d_X509(cert, &der);
    int ok = TEST_mem_eq(sctx->certder, sctx->certderlen, der, length);

    OPENSSL_free(der);
    return ok;
}

static int no_der(unsigned char *der, size_t length)
{
    return TEST_ptr_null(der) && TEST_size_t_eq(length, 0);
}

/* Frees the certificates. */
static int sets(SCT_CTX *sctx, X509 *cert, X509 *presigner, int result)
{
    int ok = TEST_int_eq(SCT_CTX_set1_cert(sctx, cert, presigner), result);

    X509_free(cert);
    X509_free(presigner);
    ERR_clear_error();
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int refused(X509 *cert, X509 *presigner)
{
    SCT_CTX *sctx = SCT_CTX_new(NULL, NULL);
    int ok = sets(sctx, cert, presigner, 0);

    SCT_CTX_free(sctx);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

/* Does `cert` give the certificate `same`'s TBS? */
static int gives(X509 *cert, X509 *presigner, X509 *same)
{
    SCT_CTX *sctx = SCT_CTX_new(NULL, NULL);
    int ok = sets(sctx, cert, presigner, 1);

    ok = tbs_is(sctx, same) && ok;
    SCT_CTX_free(sctx);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int whole(void)
{
    SCT_CTX *sctx = SCT_CTX_new(NULL, NULL);
    X509 *cert = CERT(BASIC, EKU);
    int ok = TEST_int_eq(SCT_CTX_set1_cert(sctx, cert, NULL), 1) && der_is(sctx, cert)
        && no_der(sctx->preder, sctx->prederlen);

    X509_free(cert);
    SCT_CTX_free(sctx);
    sctx = SCT_CTX_new(NULL, NULL);
    cert = ct_cert("x", key, key, 0);
    ok = ok && TEST_int_eq(SCT_CTX_set1_cert(sctx, cert, NULL), 1) && der_is(sctx, cert);
    X509_free(cert);
    SCT_CTX_free(sctx);
    return ok;
}

static int embedded(void)
{
    SCT_CTX *sctx = SCT_CTX_new(NULL, NULL);
    X509 *cert = CERT(BASIC, SCTS, AKID("k"));
    int ok = TEST_int_eq(SCT_CTX_set1_cert(sctx, cert, NULL), 1) && der_is(sctx, cert)
        && tbs_is(sctx, CERT(BASIC, AKID("k")));

    X509_free(cert);
    SCT_CTX_free(sctx);
    return ok && gives(CERT(SCTS, BASIC, EKU), NULL, CERT(BASIC, EKU))
        && gives(CERT(BASIC, EKU, SCTS), NULL, CERT(BASIC, EKU));
}

static int poison(void)
{
    return gives(CERT(BASIC, POISON, EKU), NULL, CERT(BASIC, EKU))
        && gives(CERT(POISON, BASIC, AKID("k")), NULL, CERT(BASIC, AKID("k")))
        && gives(CERT(EKU, BASIC, POISON), NULL, CERT(EKU, BASIC));
}

static int no_certificate(void)
{
    SCT_CTX *sctx = SCT_CTX_new(NULL, NULL);
    int ok = sets(sctx, CERT(BASIC, POISON), NULL, 1) && no_der(sctx->certder, sctx->certderlen)
        && TEST_ptr(sctx->preder);

    SCT_CTX_free(sctx);
    return ok;
}

static int twice(void)
{
    return refused(CERT(POISON, BASIC, POISON), NULL) && refused(CERT(POISON, POISON), NULL)
        && refused(CERT(SCTS, BASIC, SCTS), NULL) && refused(CERT(SCTS, SCTS), NULL)
        && refused(CERT(POISON, SCTS, POISON), NULL) && refused(CERT(SCTS, SCTS, POISON), NULL);
}

static int together(void)
{
    return refused(CERT(POISON, SCTS), NULL) && refused(CERT(SCTS, BASIC, POISON), NULL);
}

static int presigned_certificate(void)
{
    return refused(CERT(BASIC), CERT(BASIC)) && refused(CERT(SCTS, BASIC), CERT(BASIC));
}

static int presigner(void)
{
    return gives(CERT(BASIC, POISON), ct_cert("the CA", key, key, BASIC, 0),
                 ct_cert("the CA", key, key, BASIC, 0))
        && gives(CERT(POISON, AKID("k"), BASIC),
                 ct_cert("the CA", key, key, BASIC, EKU, AKID("p"), 0),
                 ct_cert("the CA", key, key, AKID("p"), BASIC, 0));
}

static int both(void)
{
    return refused(CERT(BASIC, POISON, AKID("k")), ct_cert("the CA", key, key, BASIC, 0))
        && refused(CERT(BASIC, POISON), ct_cert("the CA", key, key, AKID("k"), 0))
        && refused(CERT(AKID("k"), POISON, AKID("k")), ct_cert("the CA", key, key, AKID("k"), 0))
        && refused(CERT(AKID("k"), POISON), ct_cert("the CA", key, key, AKID("k"), AKID("l"), 0));
}

static int stay(void)
{
    SCT_CTX *sctx = SCT_CTX_new(NULL, NULL);
    X509 *cert = CERT(BASIC, POISON, AKID("k")),
        *signer = ct_cert("the CA", key, key, AKID("p"), 0);
    unsigned char *der = NULL, *signer_der = NULL, *after = NULL;
    int length = i2d_X509(cert, &der), signer_length = i2d_X509(signer, &signer_der), after_length;
    int ok = TEST_int_eq(SCT_CTX_set1_cert(sctx, cert, signer), 1)
        && TEST_int_eq(X509_get_ext_count(cert), 3);

    ok = ok && TEST_int_eq(X509_verify(cert, key), 1);
    after_length = i2d_X509(cert, &after);
    ok = ok && TEST_mem_eq(after, after_length, der, length);
    OPENSSL_free(after);
    after = NULL;
    after_length = i2d_X509(signer, &after);
    ok = ok && TEST_mem_eq(after, after_length, signer_der, signer_length);
    OPENSSL_free(after);
    OPENSSL_free(der);
    OPENSSL_free(signer_der);
    X509_free(cert);
    X509_free(signer);
    SCT_CTX_free(sctx);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int second(void)
{
    SCT_CTX *sctx = SCT_CTX_new(NULL, NULL);
    X509 *cert = CERT(BASIC);
    int ok = sets(sctx, CERT(SCTS, BASIC), NULL, 1)
        && sets(sctx, CERT(POISON, EKU), NULL, 1) && no_der(sctx->certder, sctx->certderlen)
        && tbs_is(sctx, CERT(EKU))
        && TEST_int_eq(SCT_CTX_set1_cert(sctx, cert, NULL), 1) && der_is(sctx, cert)
        && no_der(sctx->preder, sctx->prederlen)
        && TEST_int_eq(SCT_CTX_set1_cert(sctx, cert, NULL), 1) && der_is(sctx, cert)
        && sets(sctx, CERT(SCTS, BASIC, EKU), NULL, 1) && tbs_is(sctx, CERT(BASIC, EKU));

    X509_free(cert);
    SCT_CTX_free(sctx);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int keys(void)
{
    SCT_CTX *sctx = SCT_CTX_new(NULL, NULL);
    int ok;

    sctx->epoch_time_in_ms = 77;
    sctx->ihash = OPENSSL_memdup("issuer", 6);
    sctx->ihashlen = 6;
    sctx->pkeyhash = OPENSSL_memdup("log", 3);
    sctx->pkeyhashlen = 3;
    ok = sets(sctx, CERT(SCTS, BASIC), NULL, 1) && sets(sctx, CERT(POISON, BASIC), CERT(BASIC), 1)
        && TEST_true(sctx->epoch_time_in_ms == 77) && TEST_ptr_null(sctx->pkey)
        && TEST_mem_eq(sctx->ihash, sctx->ihashlen, "issuer", 6)
        && TEST_mem_eq(sctx->pkeyhash, sctx->pkeyhashlen, "log", 3);
    SCT_CTX_free(sctx);
    return ok;
}

static int after_failure(void)
{
    SCT_CTX *sctx = SCT_CTX_new(NULL, NULL);
    int ok = sets(sctx, CERT(SCTS, BASIC), NULL, 1) && sets(sctx, CERT(SCTS, SCTS), NULL, 0)
        && sets(sctx, CERT(POISON, SCTS), NULL, 0) && sets(sctx, CERT(BASIC), CERT(BASIC), 0)
        && sets(sctx, CERT(POISON), CERT(AKID("p")), 0);

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
        if (!whole() || !embedded() || !poison() || !twice() || !together()
                || !presigned_certificate()
                || !presigner() || !both() || !second() || !stay() || !after_failure())
            return 0;
    }
    return TEST_long_eq(memory_blocks, before);
}

static int without(X509 *cert, X509 *presigner, X509 *same)
{
    unsigned char *der = NULL, *tbs = NULL;
    int der_length = i2d_X509(cert, &der), tbs_length = same == NULL ? 0
        : i2d_re_X509_tbs(same, &tbs);
    int got, ok = 1, refused = 1, precert = presigner != NULL;
    long left;

    for (left = 0; ok && refused && left < 2000; left++) {
        SCT_CTX *sctx = SCT_CTX_new(NULL, NULL);

        once_left = left;
        got = SCT_CTX_set1_cert(sctx, cert, presigner);
        refused = once_refused();
        ERR_clear_error();
        ok = got == 1
            ? TEST_mem_eq(sctx->certder, sctx->certderlen, precert ? NULL : der, precert ? 0
                          : der_length)
                && TEST_mem_eq(sctx->preder, sctx->prederlen, tbs, tbs_length)
            : refused && TEST_int_eq(got, 0);
        SCT_CTX_free(sctx);
        ok = ok && TEST_long_eq(memory_bad_frees, 0);
    }
    OPENSSL_free(der);
    OPENSSL_free(tbs);
    X509_free(cert);
    X509_free(presigner);
    X509_free(same);
    return ok && TEST_false(refused);
}

static int no_memory(void)
{
    return without(CERT(BASIC), NULL, NULL) && without(CERT(BASIC, SCTS), NULL, CERT(BASIC))
        && without(CERT(BASIC, POISON), ct_cert("the CA", key, key, BASIC, 0),
                   ct_cert("the CA", key, key, BASIC, 0));
}

int setup_tests(void)
{
    if (!TEST_ptr(key = ct_key(CT_ISSUER_KEY)))
        return 0;
    add_test("a certificate's encoding is taken whole", whole);
    add_test("embedded SCTs are left out of the precertificate", embedded);
    add_test("the poison is left out of the precertificate", poison);
    add_test("a precertificate is no certificate", no_certificate);
    add_test("poison or SCTs that come twice are refused", twice);
    add_test("poison and SCTs together are refused", together);
    add_test("a presigner of a certificate is refused", presigned_certificate);
    add_test("a presigner's issuer and AKID are taken", presigner);
    add_test("an AKID is in both or in none", both);
    add_test("the certificates stay as they were", stay);
    add_test("a second certificate takes the place of the first", second);
    add_test("the keys and the time stay", keys);
    add_test("nothing is leaked or freed twice", balanced);
    add_test("a lack of memory is refused", no_memory);
    return 1;
}

void cleanup_tests(void)
{
    EVP_PKEY_free(key);
}
