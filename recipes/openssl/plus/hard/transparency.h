/* For tests of Certificate Transparency: keys of the tree, log IDs, SCTs signed by RFC 6962. */
#include <openssl/bio.h>
#include <openssl/ct.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/sha.h>
#include <openssl/x509.h>
#ifndef MAX_SCT_SIZE
# include "../../crypto/ct/ct_local.h"
#endif

/* Three keys on P-256 and one of RSA, each under test/certs. */
#define CT_LOG_KEY "ct-server-key"
#define CT_OTHER_KEY "p256-server-key"
#define CT_ISSUER_KEY "server-ecdsa-key"
#define CT_RSA_KEY "serverkey"

static EVP_PKEY *ct_key(const char *name)
{
    char file[80];
    BIO *in;
    EVP_PKEY *key = NULL;

    BIO_snprintf(file, sizeof(file), "test/certs/%s.pem", name);
    if (TEST_ptr(in = BIO_new_file(file, "r")))
        key = PEM_read_bio_PrivateKey(in, NULL, NULL, NULL);
    BIO_free(in);
    TEST_ptr(key);
    return key;
}

/* The SHA-256 of the key's SubjectPublicKeyInfo: a log's ID, and the issuer's key hash. */
static void ct_id(EVP_PKEY *key, unsigned char id[32])
{
    unsigned char *der = NULL;
    int length = i2d_PUBKEY(key, &der);

    SHA256(der, length, id);
    OPENSSL_free(der);
}

/* Base64 without lines; the caller frees it. */
static char *ct_base64(const void *data, size_t length)
{
    char *text = OPENSSL_malloc(length / 3 * 4 + 5);

    EVP_EncodeBlock((unsigned char *)text, data, (int)length);
    return text;
}

static unsigned char *ct_number(unsigned char *p, uint64_t value, int bytes)
{
    while (bytes-- > 0)
        *p++ = (unsigned char)(value >> 8 * bytes);
    return p;
}

/*
 * What a log signs (RFC 6962, 3.2),
     as `digitally-signed struct`; the caller frees it. For a precertificate `issuer`
 * is the hash of its issuer's key, for a certificate NULL.
 */
static unsigned char *ct_signed_data(uint64_t timestamp, int entry_type,
                                     const unsigned char *issuer,
                                     const unsigned char *der, size_t der_length,
                                     const unsigned char *ext, size_t ext_length, size_t *length)
{
    unsigned char *data = OPENSSL_malloc(64 + der_length + ext_length), *p = data;

    *p++ = 0;
    *p++ = 0;
    p = ct_number(p, timestamp, 8);
    p = ct_number(p, entry_type, 2);
    if (issuer != NULL) {
        memcpy(p, issuer, 32);
        p += 32;
    }
    p = ct_number(p, der_length, 3);
    memcpy(p, der, der_length);
    p = ct_number(p + der_length, ext_length, 2);
    if (ext_length > 0)
        memcpy(p, ext, ext_length);
    *length = p + ext_length - data;
    return data;
}

/* An SCT of this key's log over that, built by hand. */
static SCT *ct_sct(EVP_PKEY *key, uint64_t timestamp, int entry_type, const unsigned char *issuer,
                   const unsigned char *der, size_t der_length, const unsigned char *ext,
                       size_t ext_length)
{
    SCT *sct = OPENSSL_zalloc(sizeof(*sct));
    EVP_MD_CTX *md = EVP_MD_CTX_new();
    size_t length, sig_length = 1024;
    unsigned char *data = ct_signed_data(timestamp, entry_type, issuer, der, der_length, ext,
                                         ext_length, &length);

    sct->version = SCT_VERSION_V1;
    sct->log_id = OPENSSL_malloc(32);
    sct->log_id_len = 32;
    ct_id(key, sct->log_id);
    sct->timestamp = timestamp;
    sct->entry_type = entry_type;
    if (ext_length > 0)
        sct->ext = OPENSSL_memdup(ext, ext_length);
    sct->ext_len = ext_length;
    sct->hash_alg = 4;
    sct->sig_alg = EVP_PKEY_is_a(key, "RSA") ? 1 : 3;
    sct->sig = OPENSSL_malloc(sig_length);
    if (!TEST_int_eq(EVP_DigestSignInit(md, NULL, EVP_sha256(), NULL, key), 1)
            || !TEST_int_eq(EVP_DigestSign(md, sct->sig, &sig_length, data, length), 1))
        sig_length = 0;
    sct->sig_len = sig_length;
    OPENSSL_free(data);
    EVP_MD_CTX_free(md);
    return sct;
}

/*
 * A certificate for `key` that `signer` signed in the name of `issuer`. What follows are
 * extensions, each a NID and its bytes as a string, ended by 0. ECDSA signs anew each time; what
 * is signed is the same for the same arguments.
 */
static X509 *ct_cert(const char *issuer, EVP_PKEY *key, EVP_PKEY *signer, ...)
{
    X509 *cert = X509_new();
    va_list extensions;
    int nid;

    X509_set_version(cert, X509_VERSION_3);
    ASN1_INTEGER_set(X509_get_serialNumber(cert), 7);
    ASN1_TIME_set_string(X509_getm_notBefore(cert), "20200101000000Z");
    ASN1_TIME_set_string(X509_getm_notAfter(cert), "20490101000000Z");
    X509_NAME_add_entry_by_txt(X509_get_subject_name(cert), "CN", MBSTRING_ASC,
                               (const unsigned char *)"server.example", -1, -1, 0);
    X509_NAME_add_entry_by_txt(X509_get_issuer_name(cert), "CN", MBSTRING_ASC,
                               (const unsigned char *)issuer, -1, -1, 0);
    X509_set_pubkey(cert, key);
    va_start(extensions, signer);
    while ((nid = va_arg(extensions, int)) != 0) {
        const char *bytes = va_arg(extensions, const char *);
        ASN1_OCTET_STRING *data = ASN1_OCTET_STRING_new();
        X509_EXTENSION *extension;

        ASN1_OCTET_STRING_set(data, (const unsigned char *)bytes, -1);
        extension = X509_EXTENSION_create_by_NID(NULL, nid, 0, data);
        X509_add_ext(cert, extension, -1);
        X509_EXTENSION_free(extension);
        ASN1_OCTET_STRING_free(data);
    }
    va_end(extensions);
    TEST_int_gt(X509_sign(cert, signer, EVP_sha256()), 0);
    return cert;
}
