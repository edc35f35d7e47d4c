/* Certificates made on the spot, with fixed dates; no test reads the clock. */
#include <stdarg.h>
#include <openssl/evp.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

/* A certificate of `subject` (a common name) for `key`, signed with `signer` in the name of `issuer`. What follows are
 * extensions, each a NID and its value as in a configuration file, ended by 0. */
static X509 *cert_new(const char *subject, const char *issuer, EVP_PKEY *key, EVP_PKEY *signer, ...)
{
    X509 *cert = X509_new();
    X509_EXTENSION *extension;
    va_list extensions;
    int nid;

    if (!TEST_ptr(cert)
            || !X509_set_version(cert, X509_VERSION_3)
            || !ASN1_INTEGER_set(X509_get_serialNumber(cert), 7)
            || !ASN1_TIME_set_string(X509_getm_notBefore(cert), "20200101000000Z")
            || !ASN1_TIME_set_string(X509_getm_notAfter(cert), "20490101000000Z")
            || !X509_NAME_add_entry_by_txt(X509_get_subject_name(cert), "CN", MBSTRING_ASC,
                                           (const unsigned char *)subject, -1, -1, 0)
            || !X509_NAME_add_entry_by_txt(X509_get_issuer_name(cert), "CN", MBSTRING_ASC,
                                           (const unsigned char *)issuer, -1, -1, 0)
            || (key != NULL && !X509_set_pubkey(cert, key)))
        goto failed;
    va_start(extensions, signer);
    while ((nid = va_arg(extensions, int)) != 0) {
        extension = X509V3_EXT_conf_nid(NULL, NULL, nid, va_arg(extensions, const char *));
        if (!TEST_ptr(extension) || !X509_add_ext(cert, extension, -1))
            goto failed;
        X509_EXTENSION_free(extension);
    }
    va_end(extensions);
    if (!TEST_int_gt(X509_sign(cert, signer, EVP_PKEY_is_a(signer, "ED25519") ? NULL : EVP_sha256()), 0))
        goto failed;
    return cert;
failed:
    X509_free(cert);
    return NULL;
}
