/*---
 * tasks: [sanitize_line-674e97.16, sanitize_line-674e97.8]
 * tests:
 *   the same name matches: 'pem_lib.c: pem_bytes_read_bio_flags skips what does not match; PEM_bytes_read_bio(3).'
 *   another name does not match: 'PEM_bytes_read_bio(3): "will skip non-matching data types".'
 *   case and length of the name count: 'PEM_bytes_read_bio(3): "the data type given in name".'
 *   any private key takes a PKCS 8 one: 'pem.h: PEM_STRING_EVP_PKEY, "ANY PRIVATE KEY"; PEM_read_bio_PrivateKey(3): "traditional
 *     and PKCS#8 format encrypted and unencrypted keys".'
 *   any private key takes the traditional ones: 'PEM_read_bio_PrivateKey(3): "traditional"; old_priv_decode of RSA, DSA, EC.'
 *   any private key takes no unknown one: 'PEM_read_bio_PrivateKey(3); pem_pkey.c decodes only with old_priv_decode.'
 *   parameters take those of each type: 'PEM_read_bio_PrivateKey(3), Parameters: "The encoding depends on the type of key".'
 *   parameters take none of a type without: 'pem.h: PEM_STRING_PARAMETERS; RSA has no param_decode.'
 *   a single type takes no other key: 'PEM_bytes_read_bio(3): "the data type given in name".'
 *   DH parameters can be X9.42: 'pem.h: PEM_STRING_DHXPARAMS; pem_all.c, PEM_read_bio_DHparams reads both.'
 *   older names of certificates and requests match: 'PEM_bytes_read_bio(3): "compatibility aliases"; PEM_read_bio_PrivateKey(3),
 *     X509_REQ: "will handle either form".'
 *   a trusted certificate can be a plain one: 'PEM_read_bio_PrivateKey(3), X509_AUX.'
 *   PKCS 7 and CMS take their aliases: 'pem.h: PEM_STRING_PKCS7_SIGNED, PEM_STRING_CMS; RFC 2315, RFC 5652.'
 *   an alias goes one way: 'PEM_bytes_read_bio(3): "X509 CERTIFICATE matching a request for the deprecated type".'
 ---*/
#include "../../crypto/pem/pem_lib.c"
#include "../testutil.h"

static int yes(const char *found, const char *wanted)
{
    return TEST_int_ne(check_pem(found, wanted), 0);
}

static int no(const char *found, const char *wanted)
{
    return TEST_int_eq(check_pem(found, wanted), 0);
}

static int same(void)
{
    return yes("CERTIFICATE", "CERTIFICATE") && yes("ANY PRIVATE KEY", "ANY PRIVATE KEY")
        && yes("PARAMETERS", "PARAMETERS")
        && yes("RSA PRIVATE KEY", "RSA PRIVATE KEY") && yes("something", "something")
        && yes(PEM_STRING_SSL_SESSION, PEM_STRING_SSL_SESSION);
}

static int another(void)
{
    return no("CERTIFICATE", "X509 CRL") && no("X509 CRL", "CERTIFICATE")
        && no("PUBLIC KEY", "RSA PUBLIC KEY")
        && no("", "CERTIFICATE") && no("CERTIFICATE", "") && no("RSA PUBLIC KEY", "PUBLIC KEY")
        && no("CERTIFICATE", "CERTIFICATE REQUEST") && no("CERTIFICATE REQUEST", "CERTIFICATE");
}

static int case_and_length(void)
{
    return no("certificate", "CERTIFICATE") && no("CERTIFICATE ", "CERTIFICATE")
        && no("CERTIFICAT", "CERTIFICATE")
        && no("CERTIFICATES", "CERTIFICATE") && no("PKCS", "PKCS7");
}

static int pkcs8(void)
{
    return yes("PRIVATE KEY", "ANY PRIVATE KEY")
        && yes("ENCRYPTED PRIVATE KEY", "ANY PRIVATE KEY");
}

static int traditional(void)
{
    return yes("RSA PRIVATE KEY", "ANY PRIVATE KEY") && yes("DSA PRIVATE KEY", "ANY PRIVATE KEY")
        && yes("EC PRIVATE KEY", "ANY PRIVATE KEY");
}

static int no_unknown(void)
{
    return no("FOO PRIVATE KEY", "ANY PRIVATE KEY") && no("DH PRIVATE KEY", "ANY PRIVATE KEY")
        && no("ED25519 PRIVATE KEY", "ANY PRIVATE KEY") && no(" PRIVATE KEY", "ANY PRIVATE KEY")
        && no("RSAPRIVATE KEY", "ANY PRIVATE KEY") && no("RSA PRIVATE KEYS", "ANY PRIVATE KEY")
        && no("RSA PUBLIC KEY", "ANY PRIVATE KEY") && no("CERTIFICATE", "ANY PRIVATE KEY")
        && no("RSA", "ANY PRIVATE KEY") && no("RS PRIVATE KEY", "ANY PRIVATE KEY")
        && no("RSA PARAMETERS", "ANY PRIVATE KEY")
        && no("", "ANY PRIVATE KEY");
}

static int parameters(void)
{
    return yes("DH PARAMETERS", "PARAMETERS") && yes("X9.42 DH PARAMETERS", "PARAMETERS")
        && yes("DSA PARAMETERS", "PARAMETERS") && yes("EC PARAMETERS", "PARAMETERS");
}

static int no_parameters(void)
{
    return no("RSA PARAMETERS", "PARAMETERS") && no("FOO PARAMETERS", "PARAMETERS")
        && no("ED25519 PARAMETERS", "PARAMETERS")
        && no("EC PARAMETER", "PARAMETERS") && no("ECPARAMETERS", "PARAMETERS")
        && no(" PARAMETERS", "PARAMETERS")
        && no("EC PRIVATE KEY", "PARAMETERS") && no("SSL SESSION PARAMETERS", "PARAMETERS")
        && no("", "PARAMETERS");
}

static int single(void)
{
    return no("PRIVATE KEY", "RSA PRIVATE KEY") && no("EC PRIVATE KEY", "RSA PRIVATE KEY")
        && no("ANY PRIVATE KEY", "RSA PRIVATE KEY") && no("DSA PARAMETERS", "DH PARAMETERS")
        && no("RSA PRIVATE KEY", "PRIVATE KEY") && no("ENCRYPTED PRIVATE KEY", "PRIVATE KEY")
        && no("PARAMETERS", "EC PARAMETERS");
}

static int x942(void)
{
    return yes("X9.42 DH PARAMETERS", "DH PARAMETERS")
        && no("DH PARAMETERS", "X9.42 DH PARAMETERS");
}

static int older(void)
{
    return yes("X509 CERTIFICATE", "CERTIFICATE")
        && yes("NEW CERTIFICATE REQUEST", "CERTIFICATE REQUEST")
        && no("NEW CERTIFICATE REQUEST", "CERTIFICATE")
        && no("X509 CERTIFICATE", "CERTIFICATE REQUEST");
}

static int trusted(void)
{
    return yes("CERTIFICATE", "TRUSTED CERTIFICATE")
        && yes("X509 CERTIFICATE", "TRUSTED CERTIFICATE")
        && yes("TRUSTED CERTIFICATE", "TRUSTED CERTIFICATE")
        && no("CERTIFICATE REQUEST", "TRUSTED CERTIFICATE");
}

static int pkcs7(void)
{
    return yes("CERTIFICATE", "PKCS7") && yes("PKCS #7 SIGNED DATA", "PKCS7")
        && yes("CERTIFICATE", "CMS")
        && yes("PKCS7", "CMS");
}

static int one_way(void)
{
    return no("CERTIFICATE", "X509 CERTIFICATE")
        && no("CERTIFICATE REQUEST", "NEW CERTIFICATE REQUEST")
        && no("PKCS7", "CERTIFICATE") && no("CMS", "PKCS7") && no("PKCS7", "PKCS #7 SIGNED DATA")
        && no("CMS", "CERTIFICATE");
}

int setup_tests(void)
{
    add_test("the same name matches", same);
    add_test("another name does not match", another);
    add_test("case and length of the name count", case_and_length);
    add_test("any private key takes a PKCS 8 one", pkcs8);
    add_test("any private key takes the traditional ones", traditional);
    add_test("any private key takes no unknown one", no_unknown);
    add_test("parameters take those of each type", parameters);
    add_test("parameters take none of a type without", no_parameters);
    add_test("a single type takes no other key", single);
    add_test("DH parameters can be X9.42", x942);
    add_test("older names of certificates and requests match", older);
    add_test("a trusted certificate can be a plain one", trusted);
    add_test("PKCS 7 and CMS take their aliases", pkcs7);
    add_test("an alias goes one way", one_way);
    return 1;
}
