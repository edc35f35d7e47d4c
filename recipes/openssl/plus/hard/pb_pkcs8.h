/*
 * For tests of PKCS#8 and PKCS#12: keys under test/certs and what holds them. Include it after
 * testutil.h and a counting allocator.
 */
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/x509.h>
#include "crypto/evp.h"
#include "crypto/x509.h"

#define PLUS_RSA "serverkey"
#define PLUS_EC "server-ecdsa-key"
#define PLUS_ED "server-ed25519-key"

static EVP_PKEY *plus_key(const char *name)
{
    char file[80];
    BIO *in;
    EVP_PKEY *key;

    BIO_snprintf(file, sizeof(file), "test/certs/%s.pem", name);
    in = BIO_new_file(file, "r");
    key = PEM_read_bio_PrivateKey(in, NULL, NULL, NULL);
    BIO_free(in);
    TEST_ptr(key);
    return key;
}

static PKCS8_PRIV_KEY_INFO *plus_p8(const char *name)
{
    EVP_PKEY *key = plus_key(name);
    PKCS8_PRIV_KEY_INFO *p8 = EVP_PKEY2PKCS8(key);

    EVP_PKEY_free(key);
    return p8;
}

/* A key of an algorithm (by OID) with this content. */
static PKCS8_PRIV_KEY_INFO *plus_odd_p8(const char *oid, const char *bytes, int length)
{
    PKCS8_PRIV_KEY_INFO *p8 = PKCS8_PRIV_KEY_INFO_new();

    PKCS8_pkey_set0(p8, OBJ_txt2obj(oid, 1), 0, V_ASN1_NULL, NULL,
                    OPENSSL_memdup(bytes, length), length);
    return p8;
}

#define PLUS_RSA_OID "1.2.840.113549.1.1.1"

/* Is it the same key as that, its private part too? Frees it. */
static int plus_is_key(EVP_PKEY *key, const char *name)
{
    EVP_PKEY *other = plus_key(name);
    unsigned char *one = NULL, *two = NULL;
    int length, ok;

    ok = TEST_ptr(key) && TEST_int_eq(EVP_PKEY_eq(key, other), 1)
        && TEST_int_gt(length = i2d_PrivateKey(key, &one), 0)
        && TEST_int_eq(i2d_PrivateKey(other, &two), length)
        && TEST_mem_eq(one, length, two, length);
    OPENSSL_free(one);
    OPENSSL_free(two);
    EVP_PKEY_free(other);
    EVP_PKEY_free(key);
    return ok;
}

static unsigned char *plus_p8_bytes(const PKCS8_PRIV_KEY_INFO *p8, int *length)
{
    unsigned char *der = NULL;

    *length = i2d_PKCS8_PRIV_KEY_INFO(p8, &der);
    return der;
}

/* An algorithm that only plus_method_decode knows, under a method of its own. */
static int plus_decodes, plus_decode_result = 1;

static int plus_method_decode(EVP_PKEY *pkey, const PKCS8_PRIV_KEY_INFO *p8)
{
    plus_decodes++;
    return plus_decode_result;
}

static void plus_add_method(const char *oid, const char *name, int with_decode)
{
    int nid = OBJ_create(oid, name, name);
    EVP_PKEY_ASN1_METHOD *method = EVP_PKEY_asn1_new(nid, 0, name, name);

    if (with_decode)
        EVP_PKEY_asn1_set_private(method, plus_method_decode, NULL, NULL);
    EVP_PKEY_asn1_add0(method);
}
