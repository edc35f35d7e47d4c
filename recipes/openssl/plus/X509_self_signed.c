/*---
 * tasks: [6563624997F5DB4A]
 * tests:
 *   a fresh self-signed certificate is one: 'Docstring: "Return 1 if given cert is considered self-signed".'
 *   its signature is verified: 'X509_self_signed(3): "actually verified only if verify_signature is 1".'
 *   a wrong signature goes unnoticed unless asked for:
 *     'Docstring: "actually verifies self-signedness only if requested".'
 *   a wrong signature is found when asked for:
 *     'X509_self_signed(3): "return 1 if the signature is valid and 0 if the signature check fails".'
 *   a signature that cannot be checked is an error:
 *     'X509_self_signed(3): "could not be checked at all because it was ill-formed ... -1".'
 *   another issuer's certificate is not self-signed: 'Docstring: "0 if not".'
 *   another issuer's certificate needs no check of its signature:
 *     'X509_self_signed(3): "For success the issuer and subject names must match".'
 *   a fitting authority key identifier is accepted:
 *     'Docstring: "any present authority key identifier to match the subject key identifier".'
 *   another authority key identifier is not: 'Docstring: the same sentence.'
 *   extensions that cannot be read are an error:
 *     'Docstring: "-1 on error"; "It calls ossl_x509v3_cache_extensions()".'
 *   a certificate without a public key is an error:
 *     'X509_self_signed(3): "the certificate ... was not complete ... then -1".'
 *   unreadable extensions are an error of another issuer's certificate too: 'Docstring: "-1 on error".'
 ---*/
#include "../../crypto/x509/x509_vfy.c"
#include "../testutil.h"
#include "cert.h"

#define ID_1 "04:03:02:01"
#define AKID(id) "DER:30:06:80:04:" id

static EVP_PKEY *key, *other_key;

/* Is the answer for `cert` the `expected` one, first without and then with a look at the signature? Frees `cert`. */
static int answers(X509 *cert, int unverified, int verified)
{
    int ok = TEST_ptr(cert)
        && TEST_int_eq(X509_self_signed(cert, 0), unverified)
        && TEST_int_eq(X509_self_signed(cert, 1), verified);

    X509_free(cert);
    return ok;
}

static int fresh(void)
{
    X509 *cert = cert_new("root", "root", key, key, 0);
    int ok = TEST_ptr(cert) && TEST_int_eq(X509_self_signed(cert, 0), 1);

    X509_free(cert);
    return ok;
}

static int verified(void)
{
    X509 *cert = cert_new("root", "root", key, key, 0);
    int ok = TEST_ptr(cert) && TEST_int_eq(X509_self_signed(cert, 1), 1);

    X509_free(cert);
    return ok;
}

static int wrong_unnoticed(void)
{
    X509 *cert = cert_new("root", "root", key, other_key, 0);
    int ok = TEST_ptr(cert) && TEST_int_eq(X509_self_signed(cert, 0), 1);

    X509_free(cert);
    return ok;
}

static int wrong_found(void)
{
    X509 *cert = cert_new("root", "root", key, other_key, 0);
    int ok = TEST_ptr(cert) && TEST_int_eq(X509_self_signed(cert, 1), 0);

    X509_free(cert);
    return ok;
}

static int ill_formed(void)
{
    X509 *cert = cert_new("root", "root", key, key, 0);
    const ASN1_BIT_STRING *signature = NULL;

    if (!TEST_ptr(cert))
        return 0;
    X509_get0_signature(&signature, NULL, cert);
    /* Three bits of its last byte count as unused, but a signature has whole bytes. */
    ((ASN1_BIT_STRING *)signature)->flags |= ASN1_STRING_FLAG_BITS_LEFT | 3;
    return answers(cert, 1, -1);
}

static int other_issuer(void)
{
    return answers(cert_new("leaf", "root", key, key, 0), 0, 0)
        && answers(cert_new("root", "leaf", key, key, 0), 0, 0);
}

static int other_issuer_unchecked(void)
{
    return answers(cert_new("leaf", "root", key, other_key, 0), 0, 0);
}

static int akid_fits(void)
{
    return answers(cert_new("root", "root", key, key, NID_subject_key_identifier, ID_1,
                            NID_authority_key_identifier, AKID(ID_1), 0), 1, 1);
}

static int akid_differs(void)
{
    return answers(cert_new("root", "root", key, key, NID_subject_key_identifier, ID_1,
                            NID_authority_key_identifier, AKID("04:03:02:02"), 0), 0, 0);
}

static int unreadable(void)
{
    return answers(cert_new("root", "root", key, key, NID_subject_key_identifier, "DER:04", 0), -1, -1);
}

static int unreadable_of_other(void)
{
    return answers(cert_new("leaf", "root", key, key, NID_subject_key_identifier, "DER:04", 0), -1, -1);
}

static int no_key(void)
{
    return answers(X509_new(), -1, -1);
}

int setup_tests(void)
{
    if (!TEST_ptr(key = EVP_EC_gen("P-256")) || !TEST_ptr(other_key = EVP_EC_gen("P-256")))
        return 0;
    add_test("a fresh self-signed certificate is one", fresh);
    add_test("its signature is verified", verified);
    add_test("a wrong signature goes unnoticed unless asked for", wrong_unnoticed);
    add_test("a wrong signature is found when asked for", wrong_found);
    add_test("a signature that cannot be checked is an error", ill_formed);
    add_test("another issuer's certificate is not self-signed", other_issuer);
    add_test("another issuer's certificate needs no check of its signature", other_issuer_unchecked);
    add_test("a fitting authority key identifier is accepted", akid_fits);
    add_test("another authority key identifier is not", akid_differs);
    add_test("extensions that cannot be read are an error", unreadable);
    add_test("unreadable extensions are an error of another issuer's certificate too", unreadable_of_other);
    add_test("a certificate without a public key is an error", no_key);
    return 1;
}

void cleanup_tests(void)
{
    EVP_PKEY_free(key);
    EVP_PKEY_free(other_key);
}
