/*---
 * tasks: [AC4F3EF59CA94B57]
 * tests:
 *   the issuer's name fits:
 *     'openssl-verification-options(1): "Its subject name matches the issuer name of the subject certificate.";
 *     X509_STORE_set_check_issued(3): "1 on success".'
 *   another name does not fit: 'openssl-verification-options(1): the same sentence.'
 *   the arguments are the subject and then the issuer: 'Docstring: "|x| is issued by the certificate |issuer|".'
 *   a certificate can be its own issuer: 'crypto/x509/x509_vfy.c: check_crl asks this of the last of the chain.'
 *   the issuer's key identifier fits:
 *     'openssl-verification-options(1): the authority key identifier matches the subject key identifier.'
 *   another key identifier does not fit: 'openssl-verification-options(1): the same sentence.'
 *   another serial number does not fit:
 *     'openssl-verification-options(1): "number, and issuer field of the candidate issuer certificate".'
 *   a signature of another kind than the issuer's key does not fit:
 *     'openssl-verification-options(1): "equals the public key algorithm of the candidate issuer certificate".'
 *   key usage is not looked at:
 *     'openssl-verification-options(1) lists three conditions of a match, without key usage; x509_vfy.c:
 *     internal_verify checks that.'
 *   the signature is not looked at: 'openssl-verification-options(1): signatures are checked once the chain is built.'
 *   the time is not looked at:
 *     'x509_vfy.c: find_issuer: "Prefer the first non-expired one, else take the most recently expired one."'
 *   whether the issuer is a CA is not looked at:
 *     'openssl-verification-options(1): no condition of a match; check_extensions gives X509_V_ERR_INVALID_CA.'
 *   a chain is built over the issuer that fits: 'crypto/x509/x509_vfy.c: find_issuer goes on with the next candidate.'
 *   a missing right to sign is an error of the chain:
 *     'X509_STORE_CTX_get_error(3): X509_V_ERR_INVALID_CA; the issuer was found, so none is missing.'
 ---*/
#include "../../crypto/x509/x509_vfy.c"
#include "../testutil.h"
#include "cert.h"

#define ID_1 "04:03:02:01"
#define ID_2 "04:03:02:02"
#define AKID_1 "DER:30:06:80:04:" ID_1
/* The issuer "ca" and a serial number; all of cert_new have 7. */
#define AKID_SERIAL(serial) "DER:30:16:A1:11:A4:0F:30:0D:31:0B:30:09:06:03:55:04:03:0C:02:63:61:82:01:" serial

static EVP_PKEY *key, *other_key, *edwards_key;

/* Asks whether `x` is issued by `issuer`, with a context as the callers have, and frees both. */
static int issued(X509 *x, X509 *issuer)
{
    X509_STORE_CTX *ctx = X509_STORE_CTX_new();
    int answer = -1;

    if (TEST_ptr(x) && TEST_ptr(issuer) && TEST_true(X509_STORE_CTX_init(ctx, NULL, x, NULL)))
        answer = check_issued(ctx, x, issuer);
    X509_STORE_CTX_free(ctx);
    if (issuer != x)
        X509_free(issuer);
    X509_free(x);
    return answer;
}

static int name_fits(void)
{
    return TEST_int_eq(issued(cert_new("leaf", "ca", other_key, key, 0), cert_new("ca", "root", key, key, 0)), 1);
}

static int name_differs(void)
{
    return TEST_int_eq(issued(cert_new("leaf", "ca", other_key, key, 0), cert_new("cb", "root", key, key, 0)), 0)
        && TEST_int_eq(issued(cert_new("leaf", "ca", other_key, key, 0), cert_new("cb", "ca", key, key, 0)), 0);
}

static int order(void)
{
    return TEST_int_eq(issued(cert_new("ca", "root", key, key, 0), cert_new("leaf", "ca", other_key, key, 0)), 0);
}

static int own_issuer(void)
{
    X509 *root = cert_new("root", "root", key, key, NID_subject_key_identifier, ID_1,
                          NID_authority_key_identifier, AKID_1, 0);

    return TEST_int_eq(issued(root, root), 1);
}

static int key_id_fits(void)
{
    return TEST_int_eq(issued(cert_new("leaf", "ca", other_key, key, NID_authority_key_identifier, AKID_1, 0),
                              cert_new("ca", "root", key, key, NID_subject_key_identifier, ID_1, 0)), 1);
}

static int key_id_differs(void)
{
    return TEST_int_eq(issued(cert_new("leaf", "ca", other_key, key, NID_authority_key_identifier, AKID_1, 0),
                              cert_new("ca", "root", key, key, NID_subject_key_identifier, ID_2, 0)), 0);
}

static int serial_differs(void)
{
    return TEST_int_eq(issued(cert_new("leaf", "ca", other_key, key,
                                       NID_authority_key_identifier, AKID_SERIAL("07"), 0),
                              cert_new("ca", "ca", key, key, 0)), 1)
        && TEST_int_eq(issued(cert_new("leaf", "ca", other_key, key,
                                       NID_authority_key_identifier, AKID_SERIAL("08"), 0),
                              cert_new("ca", "ca", key, key, 0)), 0);
}

static int algorithm_differs(void)
{
    return TEST_int_eq(issued(cert_new("leaf", "ca", other_key, edwards_key, 0),
                              cert_new("ca", "root", key, key, 0)), 0)
        && TEST_int_eq(issued(cert_new("leaf", "ca", other_key, edwards_key, 0),
                              cert_new("ca", "root", edwards_key, key, 0)), 1);
}

static int key_usage(void)
{
    return TEST_int_eq(issued(cert_new("leaf", "ca", other_key, key, 0),
                              cert_new("ca", "root", key, key, NID_key_usage, "digitalSignature", 0)), 1);
}

static int signature(void)
{
    return TEST_int_eq(issued(cert_new("leaf", "ca", other_key, other_key, 0),
                              cert_new("ca", "root", key, key, 0)), 1);
}

static int expired(void)
{
    X509 *issuer = cert_new("ca", "root", key, key, 0);

    return TEST_ptr(issuer)
        && TEST_true(ASN1_TIME_set_string(X509_getm_notAfter(issuer), "20210101000000Z"))
        && TEST_int_eq(issued(cert_new("leaf", "ca", other_key, key, 0), issuer), 1);
}

static int no_ca(void)
{
    return TEST_int_eq(issued(cert_new("leaf", "ca", other_key, key, 0),
                              cert_new("ca", "root", key, key, NID_basic_constraints, "CA:FALSE", 0)), 1);
}

/* Verifies a certificate of "ca" where `wrong` and `right` are both called so. Returns the error, frees all. */
static int chain_error(X509 *leaf, X509 *wrong, X509 *right)
{
    X509_STORE *store = X509_STORE_new();
    X509_STORE_CTX *ctx = X509_STORE_CTX_new();
    STACK_OF(X509) *untrusted = sk_X509_new_null();
    X509 *root = cert_new("root", "root", key, key, NID_basic_constraints, "CA:TRUE", 0);
    int error = -1;

    if (TEST_ptr(leaf) && TEST_ptr(right) && TEST_ptr(root)
            && TEST_true(X509_STORE_add_cert(store, root))
            && (wrong == NULL || sk_X509_push(untrusted, wrong))
            && sk_X509_push(untrusted, right)
            && TEST_true(X509_STORE_CTX_init(ctx, store, leaf, untrusted))) {
        X509_STORE_CTX_set_flags(ctx, X509_V_FLAG_NO_CHECK_TIME);
        int verified = X509_verify_cert(ctx) == 1;

        error = X509_STORE_CTX_get_error(ctx);
        if (verified != (error == X509_V_OK))
            error = -1;
    }
    X509_STORE_CTX_free(ctx);
    X509_STORE_free(store);
    sk_X509_free(untrusted);
    X509_free(root);
    X509_free(wrong);
    X509_free(right);
    X509_free(leaf);
    return error;
}

static int chain_over_fitting(void)
{
    return TEST_int_eq(chain_error(cert_new("leaf", "ca", edwards_key, key, NID_authority_key_identifier, AKID_1, 0),
                                   cert_new("ca", "root", other_key, key, NID_basic_constraints, "CA:TRUE",
                                            NID_subject_key_identifier, ID_2, 0),
                                   cert_new("ca", "root", key, key, NID_basic_constraints, "CA:TRUE",
                                            NID_subject_key_identifier, ID_1, 0)), X509_V_OK);
}

static int chain_without_right(void)
{
    return TEST_int_eq(chain_error(cert_new("leaf", "ca", edwards_key, key, 0), NULL,
                                   cert_new("ca", "root", key, key, NID_basic_constraints, "CA:TRUE",
                                            NID_key_usage, "cRLSign", 0)), X509_V_ERR_INVALID_CA);
}

int setup_tests(void)
{
    if (!TEST_ptr(key = EVP_EC_gen("P-256")) || !TEST_ptr(other_key = EVP_EC_gen("P-256"))
            || !TEST_ptr(edwards_key = EVP_PKEY_Q_keygen(NULL, NULL, "ED25519")))
        return 0;
    add_test("the issuer's name fits", name_fits);
    add_test("another name does not fit", name_differs);
    add_test("the arguments are the subject and then the issuer", order);
    add_test("a certificate can be its own issuer", own_issuer);
    add_test("the issuer's key identifier fits", key_id_fits);
    add_test("another key identifier does not fit", key_id_differs);
    add_test("another serial number does not fit", serial_differs);
    add_test("a signature of another kind than the issuer's key does not fit", algorithm_differs);
    add_test("key usage is not looked at", key_usage);
    add_test("the signature is not looked at", signature);
    add_test("the time is not looked at", expired);
    add_test("whether the issuer is a CA is not looked at", no_ca);
    add_test("a chain is built over the issuer that fits", chain_over_fitting);
    add_test("a missing right to sign is an error of the chain", chain_without_right);
    return 1;
}

void cleanup_tests(void)
{
    EVP_PKEY_free(key);
    EVP_PKEY_free(other_key);
    EVP_PKEY_free(edwards_key);
}
