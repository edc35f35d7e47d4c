/*---
 * tasks: [OSSL_CRMF_pbmp_new-78f092.4, OSSL_CRMF_pbmp_new-78f092.8]
 * tests:
 *   with a secret a message has a PBM: 'ossl_cmp_msg_protect(3): "If there is a secretValue it
 *     selects PBMAC", "also sets
 *     the protectionAlg field"; RFC 4210 5.1.3.1, computed apart.'
 *   with a certificate and key a message is signed: 'ossl_cmp_msg_protect(3): "else if there is a
 *     protection cert it
 *     selects Signature".'
 *   a secret goes before a certificate: 'ossl_cmp_msg_protect(3): "else if".'
 *   without protection there is none: 'OSSL_CMP_OPT_UNPROTECTED_SEND; cmp_local.h: "send
 *     unprotected PKI messages".'
 *   the reference value is the id of the sender of a PBM: 'OSSL_CMP_CTX_set1_referenceValue(3):
 *     "when MAC-based protection
 *     is used the ref value is taken ... for the senderKID".'
 *   the key id of the certificate is the id of the sender of a signature:
 *     'OSSL_CMP_CTX_set1_referenceValue(3): "set to
 *     the subjectKeyIdentifier of the CMP signer certificate as far as present".'
 *   a certificate without a key id leaves the reference value:
 *     'OSSL_CMP_CTX_set1_referenceValue(3): "If not present".'
 *   certificates are added: 'ossl_cmp_msg_protect(3): "uses ossl_cmp_msg_add_extraCerts"; in any
 *     case extraCertsOut.'
 *   a message can be protected again: 'ossl_cmp_msg_protect(3): "(re-)protects the given message";
 *     cmp_msg.c:
 *     OSSL_CMP_MSG_update_transactionID.'
 *   protection that was there goes when there is none: 'ossl_cmp_msg_protect(3): (re-)protects;
 *     OSSL_CMP_CTX_new(3).'
 *   extra certificates that were there stay: 'ossl_cmp_msg_add_extraCerts(3): "adds elements".'
 *   a sender that is the NULL-DN needs an id: 'RFC 4210 5.1.1;
 *     OSSL_CMP_CTX_set1_referenceValue(3): "then the sender field
 *     will contain the NULL-DN and the senderKID field of the CMP message header must be set".'
 *   a context without a secret, certificate or key is an error: 'ossl_cmp_msg_protect(3): "0 on
 *     error".'
 *   a key that is not that of the certificate is an error: 'OSSL_CMP_CTX_set1_cert(3): "the public
 *     key of this cert must
 *     correspond to the private key"; CMP_R_CERT_AND_KEY_DO_NOT_MATCH.'
 *   settings of PBM that are not allowed and a generator that fails are errors:
 *     'ossl_cmp_msg_protect(3): "0 on error".'
 *   nothing is leaked and memory that is refused is an error: 'ossl_cmp_msg_protect(3): "0 on
 *     error".'
 ---*/
#include "../../crypto/cmp/cmp_local.h"
#include "testutil.h"
#include "cert.h"
#include "refused_nth.h"
#include "fixed_random.h"
#include "cmp_messages.h"

static X509 *intermediate, *signer, *without_id, *other;
static EVP_PKEY *key, *other_key;

static int make_certificates(void)
{
    EVP_PKEY *ca = plus_ed25519();

    key = plus_pkey(PLUS_EC_1);
    other_key = plus_pkey(PLUS_EC_2);
    intermediate = cert_new("intermediate", "root", ca, ca, NID_basic_constraints, "CA:TRUE", 0);
    signer = cert_new("signer", "intermediate", key, ca, NID_subject_key_identifier, "0102030405",
                      0);
    without_id = cert_new("without", "intermediate", key, ca, 0);
    other = cert_new("other", "someone", ca, ca, 0);
    EVP_PKEY_free(ca);
    return intermediate != NULL && signer != NULL && without_id != NULL && other != NULL;
}

static OSSL_CMP_CTX *signing(X509 *cert, EVP_PKEY *with)
{
    OSSL_CMP_CTX *ctx = plus_context(NULL, NULL);

    OSSL_CMP_CTX_set1_cert(ctx, cert);
    OSSL_CMP_CTX_set1_pkey(ctx, with);
    return ctx;
}

static OSSL_CMP_CTX *refer(OSSL_CMP_CTX *ctx, const char *reference)
{
    OSSL_CMP_CTX_set1_referenceValue(ctx, (const unsigned char *)reference,
                                     (int)strlen(reference));
    return ctx;
}

static OSSL_CMP_CTX *out(OSSL_CMP_CTX *ctx, X509 *cert)
{
    STACK_OF(X509) *certs = sk_X509_new_null();

    sk_X509_push(certs, cert);
    OSSL_CMP_CTX_set1_extraCertsOut(ctx, certs);
    sk_X509_free(certs);
    return ctx;
}

static OSSL_CMP_CTX *unprotected(OSSL_CMP_CTX *ctx)
{
    OSSL_CMP_CTX_set_option(ctx, OSSL_CMP_OPT_UNPROTECTED_SEND, 1);
    return ctx;
}

static int kid(const OSSL_CMP_MSG *msg, const char *expected)
{
    const ASN1_OCTET_STRING *id = msg->header->senderKID;

    return expected == NULL ? TEST_ptr_null(id)
        : TEST_ptr(id) && TEST_mem_eq(ASN1_STRING_get0_data(id), ASN1_STRING_length(id), expected,
                                      strlen(expected));
}

static int certs(const OSSL_CMP_MSG *msg, int count, X509 *a, X509 *b, X509 *c)
{
    return TEST_int_eq(msg->extraCerts == NULL ? 0 : sk_X509_num(msg->extraCerts), count)
        && (count < 1 || TEST_int_eq(X509_cmp(sk_X509_value(msg->extraCerts, 0), a), 0))
        && (count < 2 || TEST_int_eq(X509_cmp(sk_X509_value(msg->extraCerts, 1), b), 0))
        && (count < 3 || TEST_int_eq(X509_cmp(sk_X509_value(msg->extraCerts, 2), c), 0));
}

/*
 * Is the message, as it is at last, protected by a PBM of this secret with the standard settings?
 */
static int has_pbm(const OSSL_CMP_MSG *msg, const char *secret)
{
    OSSL_CRMF_PBMPARAMETER *pbm = NULL;
    const void *value;
    const unsigned char *p;
    unsigned char mac[EVP_MAX_MD_SIZE];
    unsigned int length;
    int type, ok = TEST_ptr(msg->protection)
        && TEST_int_eq(plus_algor_nid(msg->header->protectionAlg), NID_id_PasswordBasedMAC);

    if (!ok)
        return 0;
    X509_ALGOR_get0(NULL, &type, &value, msg->header->protectionAlg);
    if (!TEST_ptr(value))
        return 0;
    p = ASN1_STRING_get0_data(value);
    pbm = d2i_OSSL_CRMF_PBMPARAMETER(NULL, &p, ASN1_STRING_length(value));
    if (!TEST_ptr(pbm))
        return 0;
    length = plus_pbm(msg, secret, ASN1_STRING_get0_data(pbm->salt), ASN1_STRING_length(pbm->salt),
                    EVP_sha256(), 500, mac);
    ok = TEST_int_eq(ASN1_STRING_length(pbm->salt), 16)
        && TEST_long_eq(ASN1_INTEGER_get(pbm->iterationCount), 500)
        && TEST_int_eq(plus_algor_nid(pbm->owf), NID_sha256)
        && TEST_int_eq(plus_algor_nid(pbm->mac), NID_hmac_sha1)
        && TEST_mem_eq(ASN1_STRING_get0_data(msg->protection), ASN1_STRING_length(msg->protection),
                       mac, length);
    OSSL_CRMF_PBMPARAMETER_free(pbm);
    return ok;
}

static int has_signature(const OSSL_CMP_MSG *msg)
{
    return TEST_ptr(msg->protection)
        && TEST_int_eq(plus_algor_nid(msg->header->protectionAlg), NID_ecdsa_with_SHA256)
        && plus_signed_by(msg, msg->protection, key);
}

static int has_none(const OSSL_CMP_MSG *msg)
{
    return TEST_ptr_null(msg->protection) && TEST_ptr_null(msg->header->protectionAlg);
}

/* The message when it was protected; the context is freed. NULL on a failure. */
static OSSL_CMP_MSG *protect_it(OSSL_CMP_CTX *ctx, OSSL_CMP_MSG *msg)
{
    int result = ossl_cmp_msg_protect(ctx, msg);

    OSSL_CMP_CTX_free(ctx);
    if (!TEST_int_eq(result, 1)) {
        OSSL_CMP_MSG_free(msg);
        msg = NULL;
    }
    return msg;
}

static int fails_with(OSSL_CMP_CTX *ctx, const char *sender)
{
    OSSL_CMP_MSG *msg = plus_message(sender);
    int ok = TEST_int_eq(ossl_cmp_msg_protect(ctx, msg), 0);

    OSSL_CMP_MSG_free(msg);
    OSSL_CMP_CTX_free(ctx);
    ERR_clear_error();
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int fails(OSSL_CMP_CTX *ctx)
{
    return fails_with(ctx, "sender");
}

static int done(OSSL_CMP_MSG *msg, int ok)
{
    OSSL_CMP_MSG_free(msg);
    ERR_clear_error();
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int with_secret(void)
{
    OSSL_CMP_MSG *msg = protect_it(plus_secret_context("secret"), plus_message("sender"));
    int ok = TEST_ptr(msg) && has_pbm(msg, "secret") && TEST_ptr_null(msg->extraCerts)
        && TEST_int_eq(ASN1_STRING_length(msg->header->transactionID), 11)
        && TEST_int_eq(msg->body->type, OSSL_CMP_PKIBODY_PKICONF);

    return done(msg, ok);
}

static int with_key(void)
{
    OSSL_CMP_MSG *msg = protect_it(signing(signer, key), plus_message("sender"));

    return done(msg, TEST_ptr(msg) && has_signature(msg) && certs(msg, 1, signer, NULL, NULL));
}

static int secret_first(void)
{
    OSSL_CMP_CTX *ctx = signing(signer, key), *mismatch = signing(signer, other_key);
    OSSL_CMP_MSG *msg, *msg2;
    int ok;

    OSSL_CMP_CTX_set1_secretValue(ctx, (const unsigned char *)"secret", 6);
    OSSL_CMP_CTX_set1_secretValue(mismatch, (const unsigned char *)"secret", 6);
    msg = protect_it(refer(ctx, "reference"), plus_message("sender"));
    msg2 = protect_it(mismatch, plus_message("sender"));
    ok = TEST_ptr(msg) && has_pbm(msg, "secret") && kid(msg, "reference")
        && certs(msg, 0, NULL, NULL, NULL)
        && TEST_ptr(msg2) && has_pbm(msg2, "secret");
    OSSL_CMP_MSG_free(msg2);
    return done(msg, ok);
}

static int no_protection(void)
{
    OSSL_CMP_MSG *msg = protect_it(unprotected(plus_context(NULL, NULL)), plus_message("sender"));
    OSSL_CMP_MSG *secret = protect_it(refer(unprotected(plus_secret_context("secret")), "reference"),
                                      plus_message("sender"));
    OSSL_CMP_MSG *sign = protect_it(out(unprotected(signing(signer, key)), other),
                                    plus_message("sender"));
    int ok = TEST_ptr(msg) && has_none(msg) && kid(msg, NULL)
        && TEST_ptr(secret) && has_none(secret) && kid(secret, "reference")
        && TEST_ptr(sign) && has_none(sign) && kid(sign, NULL)
        && certs(sign, 1, other, NULL, NULL);

    OSSL_CMP_MSG_free(secret);
    OSSL_CMP_MSG_free(sign);
    return done(msg, ok);
}

static int id_of_pbm(void)
{
    OSSL_CMP_MSG *msg = protect_it(refer(plus_secret_context("secret"), "reference"),
                                   plus_message("sender"));
    OSSL_CMP_MSG *none = protect_it(plus_secret_context("secret"), plus_message("sender"));
    int ok = TEST_ptr(msg) && has_pbm(msg, "secret") && kid(msg, "reference")
        && TEST_ptr(none) && has_pbm(none, "secret") && kid(none, NULL);

    OSSL_CMP_MSG_free(none);
    return done(msg, ok);
}

static int id_of_signature(void)
{
    OSSL_CMP_MSG *msg = protect_it(refer(signing(signer, key), "reference"), plus_message("sender"));

    return done(msg, TEST_ptr(msg) && has_signature(msg) && kid(msg, "\1\2\3\4\5"));
}

static int no_id(void)
{
    OSSL_CMP_MSG *msg = protect_it(refer(signing(without_id, key), "reference"),
                                   plus_message("sender"));
    OSSL_CMP_MSG *none = protect_it(signing(without_id, key), plus_message("sender"));
    int ok = TEST_ptr(msg) && has_signature(msg) && kid(msg, "reference")
        && certs(msg, 1, without_id, NULL, NULL)
        && TEST_ptr(none) && has_signature(none) && kid(none, NULL);

    OSSL_CMP_MSG_free(none);
    return done(msg, ok);
}

static int added(void)
{
    OSSL_CMP_CTX *ctx = out(signing(signer, key), other);
    STACK_OF(X509) *untrusted = sk_X509_new_null();
    OSSL_CMP_MSG *msg, *pbm;
    int ok;

    sk_X509_push(untrusted, intermediate);
    OSSL_CMP_CTX_set1_untrusted(ctx, untrusted);
    sk_X509_free(untrusted);
    msg = protect_it(ctx, plus_message("sender"));
    pbm = protect_it(out(plus_secret_context("secret"), other), plus_message("sender"));
    ok = TEST_ptr(msg) && has_signature(msg) && certs(msg, 3, signer, intermediate, other)
        && TEST_ptr(pbm) && has_pbm(pbm, "secret") && certs(pbm, 1, other, NULL, NULL);
    OSSL_CMP_MSG_free(pbm);
    return done(msg, ok);
}

static int again(void)
{
    OSSL_CMP_MSG *msg = protect_it(refer(plus_secret_context("secret"), "reference"),
                                   plus_message("sender"));
    ASN1_BIT_STRING *first;
    int ok = TEST_ptr(msg) && has_pbm(msg, "secret")
        && TEST_ptr(first = ASN1_STRING_dup(msg->protection));

    if (!ok)
        return 0;
    ASN1_OCTET_STRING_set(msg->header->transactionID, (const unsigned char *)"another", 7);
    msg = protect_it(refer(plus_secret_context("new secret"), "new"), msg);
    ok = TEST_ptr(msg) && has_pbm(msg, "new secret") && kid(msg, "new")
        && TEST_int_ne(ASN1_STRING_cmp(first, msg->protection), 0);
    ASN1_STRING_free(first);
    msg = protect_it(signing(signer, key), msg);
    ok = ok && TEST_ptr(msg) && has_signature(msg) && kid(msg, "\1\2\3\4\5")
        && certs(msg, 1, signer, NULL, NULL);
    msg = protect_it(signing(signer, key), msg);
    ok = ok && TEST_ptr(msg) && has_signature(msg) && certs(msg, 1, signer, NULL, NULL);
    msg = protect_it(plus_secret_context("secret"), msg);
    return done(msg, ok && TEST_ptr(msg) && has_pbm(msg, "secret"));
}

static int goes(void)
{
    OSSL_CMP_MSG *msg = protect_it(plus_secret_context("secret"), plus_message("sender"));
    int ok = TEST_ptr(msg)
        && TEST_ptr(msg = protect_it(unprotected(plus_secret_context("secret")), msg))
        && has_none(msg);

    ok = ok && TEST_ptr(msg = protect_it(signing(signer, key), msg)) && has_signature(msg)
        && TEST_ptr(msg = protect_it(unprotected(signing(signer, key)), msg)) && has_none(msg);
    return done(msg, ok);
}

static int extra_stay(void)
{
    OSSL_CMP_MSG *msg = plus_message("sender");

    msg->extraCerts = sk_X509_new_null();
    X509_add_cert(msg->extraCerts, other, X509_ADD_FLAG_UP_REF);
    msg = protect_it(signing(signer, key), msg);
    return done(msg, TEST_ptr(msg) && certs(msg, 2, signer, other, NULL)
                && TEST_ptr(msg = protect_it(plus_secret_context("secret"), msg))
                && certs(msg, 2, signer, other, NULL));
}

static int null_dn(void)
{
    OSSL_CMP_MSG *pbm = protect_it(refer(plus_secret_context("secret"), "reference"),
                                   plus_message(NULL));
    OSSL_CMP_MSG *sign = protect_it(signing(signer, key), plus_message(NULL));
    OSSL_CMP_MSG *none = protect_it(refer(unprotected(plus_context(NULL, NULL)), "reference"),
                                    plus_message(NULL));
    int ok = TEST_ptr(pbm) && has_pbm(pbm, "secret") && TEST_ptr(sign) && has_signature(sign)
        && TEST_ptr(none) && has_none(none)
        && fails_with(plus_secret_context("secret"), NULL)
        && fails_with(signing(without_id, key), NULL)
        && fails_with(unprotected(plus_context(NULL, NULL)), NULL);

    OSSL_CMP_MSG_free(pbm);
    OSSL_CMP_MSG_free(sign);
    return done(none, ok);
}

static int without(void)
{
    OSSL_CMP_CTX *only_cert = plus_context(NULL, NULL), *only_key = plus_context(NULL, NULL);

    OSSL_CMP_CTX_set1_cert(only_cert, signer);
    OSSL_CMP_CTX_set1_pkey(only_key, key);
    return fails(plus_context(NULL, NULL)) && fails(refer(plus_context(NULL, NULL), "reference"))
        && fails(only_cert)
        && fails(only_key);
}

static int mismatch(void)
{
    return fails(signing(signer, other_key))
        && fails(refer(signing(without_id, other_key), "reference"));
}

static int not_allowed(void)
{
    OSSL_CMP_CTX *ctx = plus_secret_context("secret");
    int ok;

    ctx->pbm_itercnt = 99;
    ok = fails(ctx);
    plus_random_fails = 1;
    ok = ok && fails(plus_secret_context("secret"));
    plus_random_fails = 0;
    return ok;
}

static int leak(void)
{
    OSSL_CMP_CTX *ctx = out(refer(plus_secret_context("secret"), "reference"), other),
        *sign = signing(signer, key);
    OSSL_CMP_MSG *msg;
    long before = 0;
    int i, result, ok = 1;

    for (i = 0; i < 5 && ok; i++) {
        plus_settle();
        if (i == 2)
            before = memory_blocks;
        ok = with_secret() && with_key() && secret_first() && no_protection() && again() && goes()
            && extra_stay()
            && null_dn() && without() && mismatch() && not_allowed();
    }
    plus_settle();
    ok = ok && TEST_long_eq(memory_blocks, before);
    for (i = 0; i < 240 && ok; i++) {
        msg = plus_message("sender");
        plus_refuse(i);
        result = ossl_cmp_msg_protect(ctx, msg);
        plus_refuse(-1);
        ok = result == 0 || has_pbm(msg, "secret") && kid(msg, "reference")
            && certs(msg, 1, other, NULL, NULL);
        OSSL_CMP_MSG_free(msg);
        ERR_clear_error();
    }
    for (i = 0; i < 60 && ok; i++) {
        msg = plus_message("sender");
        plus_refuse(i);
        result = ossl_cmp_msg_protect(sign, msg);
        plus_refuse(-1);
        ok = result == 0 || has_signature(msg) && kid(msg, "\1\2\3\4\5");
        OSSL_CMP_MSG_free(msg);
        ERR_clear_error();
    }
    OSSL_CMP_CTX_free(ctx);
    OSSL_CMP_CTX_free(sign);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

int setup_tests(void)
{
    if (!plus_fixed_random(NULL) || !make_certificates())
        return 0;
    add_test("with a secret a message has a PBM", with_secret);
    add_test("with a certificate and key a message is signed", with_key);
    add_test("a secret goes before a certificate", secret_first);
    add_test("without protection there is none", no_protection);
    add_test("the reference value is the id of the sender of a PBM", id_of_pbm);
    add_test("the key id of the certificate is the id of the sender of a signature",
             id_of_signature);
    add_test("a certificate without a key id leaves the reference value", no_id);
    add_test("certificates are added", added);
    add_test("a message can be protected again", again);
    add_test("protection that was there goes when there is none", goes);
    add_test("extra certificates that were there stay", extra_stay);
    add_test("a sender that is the NULL-DN needs an id", null_dn);
    add_test("a key that is not that of the certificate is an error", mismatch);
    add_test("settings of PBM that are not allowed and a generator that fails are errors",
             not_allowed);
    add_test("a context without a secret, certificate or key is an error", without);
    add_test("nothing is leaked and memory that is refused is an error", leak);
    return 1;
}

void cleanup_tests(void)
{
    X509_free(intermediate);
    X509_free(signer);
    X509_free(without_id);
    X509_free(other);
    EVP_PKEY_free(key);
    EVP_PKEY_free(other_key);
}
