/*
 * For tests of how certificates are told by issuer and serial number: unsigned ones with those
 * two alone. Include it after testutil.h and a counting allocator.
 */
#include <openssl/err.h>
#include <openssl/x509.h>
#include "x509_names.h"

/* The number in decimal; what is returned is the caller's. */
static ASN1_INTEGER *plus_serial(const char *number)
{
    BIGNUM *bn = NULL;
    ASN1_INTEGER *serial;

    BN_dec2bn(&bn, number);
    serial = BN_to_ASN1_INTEGER(bn, NULL);
    BN_free(bn);
    return serial;
}

static X509 *plus_issued(const char *issuer, const char *number)
{
    X509 *cert = X509_new();
    X509_NAME *name = plus_name(issuer, NULL);
    ASN1_INTEGER *serial = plus_serial(number);

    X509_set_issuer_name(cert, name);
    X509_set_serialNumber(cert, serial);
    X509_NAME_free(name);
    ASN1_INTEGER_free(serial);
    return cert;
}
