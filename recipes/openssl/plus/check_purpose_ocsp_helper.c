/*---
 * tasks: [EE95207F8A1427E3]
 * tests:
 *   a CA certificate is a valid CA: 'Docstring: "checks that each CA is valid".'
 *   a certificate that says it is no CA is none: 'Docstring; X509_check_ca(3).'
 *   a certificate without extensions is no CA: 'Docstring; X509_check_ca(3): 0.'
 *   a CA that must not sign certificates is none: 'X509_check_ca(3); RFC 5280 4.2.1.3: keyCertSign.'
 *   a CA that is only tolerated has its own code: 'X509_check_ca(3): 3 self-signed version 1, 4 keyUsage alone, 5
 *     Netscape; check_chain takes only 1 under X509_V_FLAG_X509_STRICT.'
 *   any leaf is accepted: 'Docstring: "not a full OCSP check. It just checks that each CA is valid".'
 *   a leaf for other purposes is accepted: 'The same; a responder is checked by crypto/ocsp/ocsp_vfy.c
 *     (ocsp_check_delegated).'
 *   a CA is accepted as a leaf: 'RFC 6960 4.2.2.2: the CA may sign answers itself.'
 *   a CA for other purposes is a valid CA: 'Docstring: "It just checks that each CA is valid".'
 ---*/
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include "testutil.h"

static EVP_PKEY *key;

static int add(X509 *x, int nid, const char *value)
{
    X509_EXTENSION *ext;
    int ok;

    if (value == NULL)
        return 1;
    ext = X509V3_EXT_conf_nid(NULL, NULL, nid, value);
    ok = TEST_ptr(ext) && TEST_true(X509_add_ext(x, ext, -1));
    X509_EXTENSION_free(ext);
    return ok;
}

/* What the purpose says of a certificate with such extensions; NULL is for none. */
static int check_signed_by(const char *issuer, long version, const char *basic, const char *usage, const char *extended,
                           const char *netscape, int non_leaf)
{
    X509 *x = X509_new();
    int result = -2;

    if (TEST_ptr(x)
        && TEST_true(X509_set_version(x, version))
        && TEST_true(ASN1_INTEGER_set(X509_get_serialNumber(x), 1))
        && TEST_ptr(X509_gmtime_adj(X509_getm_notBefore(x), 0))
        && TEST_ptr(X509_gmtime_adj(X509_getm_notAfter(x), 3600))
        && TEST_true(X509_NAME_add_entry_by_txt(X509_get_subject_name(x), "CN", MBSTRING_ASC,
                                                (const unsigned char *)"subject", -1, -1, 0))
        && TEST_true(X509_NAME_add_entry_by_txt(X509_get_issuer_name(x), "CN", MBSTRING_ASC,
                                                (const unsigned char *)issuer, -1, -1, 0))
        && TEST_true(X509_set_pubkey(x, key))
        && add(x, NID_basic_constraints, basic) && add(x, NID_key_usage, usage)
        && add(x, NID_ext_key_usage, extended) && add(x, NID_netscape_cert_type, netscape)
        && TEST_true(X509_sign(x, key, NULL)))
        result = X509_check_purpose(x, X509_PURPOSE_OCSP_HELPER, non_leaf);
    X509_free(x);
    return result;
}

static int check(const char *basic, const char *usage, const char *extended, const char *netscape, int non_leaf)
{
    return check_signed_by("issuer", X509_VERSION_3, basic, usage, extended, netscape, non_leaf);
}

static int ca(void)
{
    return TEST_int_eq(check("critical,CA:TRUE", NULL, NULL, NULL, 1), 1)
        && TEST_int_eq(check("critical,CA:TRUE", "keyCertSign,cRLSign", NULL, NULL, 1), 1)
        && TEST_int_eq(check("CA:TRUE,pathlen:0", "keyCertSign", NULL, NULL, 1), 1);
}

static int no_ca(void)
{
    return TEST_int_eq(check("CA:FALSE", NULL, NULL, NULL, 1), 0)
        && TEST_int_eq(check("CA:FALSE", "keyCertSign", NULL, NULL, 1), 0)
        && TEST_int_eq(check("CA:FALSE", "digitalSignature", "OCSPSigning", NULL, 1), 0);
}

static int no_extensions(void)
{
    return TEST_int_eq(check(NULL, NULL, NULL, NULL, 1), 0)
        && TEST_int_eq(check_signed_by("issuer", X509_VERSION_1, NULL, NULL, NULL, NULL, 1), 0)
        && TEST_int_eq(check(NULL, NULL, "OCSPSigning", NULL, 1), 0);
}

static int must_not_sign(void)
{
    return TEST_int_eq(check("CA:TRUE", "digitalSignature", NULL, NULL, 1), 0)
        && TEST_int_eq(check("CA:TRUE", "cRLSign,digitalSignature", "OCSPSigning", NULL, 1), 0)
        && TEST_int_eq(check(NULL, "digitalSignature", NULL, NULL, 1), 0);
}

static int tolerated(void)
{
    return TEST_int_eq(check_signed_by("subject", X509_VERSION_1, NULL, NULL, NULL, NULL, 1), 3)
        && TEST_int_eq(check(NULL, "keyCertSign", NULL, NULL, 1), 4)
        && TEST_int_eq(check(NULL, NULL, NULL, "sslCA", 1), 5);
}

static int any_leaf(void)
{
    return TEST_int_eq(check(NULL, NULL, NULL, NULL, 0), 1)
        && TEST_int_eq(check("CA:FALSE", "digitalSignature", "OCSPSigning", NULL, 0), 1)
        && TEST_int_eq(check("CA:FALSE", NULL, NULL, NULL, 0), 1)
        && TEST_int_eq(check_signed_by("subject", X509_VERSION_1, NULL, NULL, NULL, NULL, 0), 1);
}

static int other_leaf(void)
{
    return TEST_int_eq(check("CA:FALSE", "keyEncipherment", "serverAuth", NULL, 0), 1)
        && TEST_int_eq(check("CA:FALSE", "keyAgreement", "emailProtection", "email", 0), 1)
        && TEST_int_eq(check(NULL, "cRLSign", "timeStamping", NULL, 0), 1);
}

static int ca_as_leaf(void)
{
    return TEST_int_eq(check("critical,CA:TRUE", "keyCertSign", NULL, NULL, 0), 1)
        && TEST_int_eq(check(NULL, "keyCertSign", NULL, NULL, 0), 1)
        && TEST_int_eq(check(NULL, NULL, NULL, "sslCA", 0), 1);
}

static int other_ca(void)
{
    return TEST_int_eq(check("CA:TRUE", "keyCertSign", "serverAuth", NULL, 1), 1)
        && TEST_int_eq(check("CA:TRUE", "keyCertSign", NULL, "server", 1), 1);
}

int setup_tests(void)
{
    static const unsigned char seed[32] = { 1, 2, 3 };

    if (!TEST_ptr(key = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, NULL, seed, sizeof(seed))))
        return 0;
    add_test("a CA certificate is a valid CA", ca);
    add_test("a certificate that says it is no CA is none", no_ca);
    add_test("a certificate without extensions is no CA", no_extensions);
    add_test("a CA that must not sign certificates is none", must_not_sign);
    add_test("a CA that is only tolerated has its own code", tolerated);
    add_test("any leaf is accepted", any_leaf);
    add_test("a leaf for other purposes is accepted", other_leaf);
    add_test("a CA is accepted as a leaf", ca_as_leaf);
    add_test("a CA for other purposes is a valid CA", other_ca);
    return 1;
}

void cleanup_tests(void)
{
    EVP_PKEY_free(key);
}
