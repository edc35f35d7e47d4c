/*
 * CMP messages, contexts and certificates for tests of their protection. Include it after
 * testutil.h, cert.h and
 * crypto/cmp/cmp_local.h or a source of CMP.
 */
#include <openssl/hmac.h>
#include "../../crypto/crmf/crmf_local.h"

#define PLUS_EC_1 \
    "30770201010420be4309166a818b6b5c8c8a964d7737bdd3db9b66d7ba9794089cdbaee1f7ddd0a0" \
    "0a06082a8648ce3d030107a14403420004e21fb7a0387c85f0dd0729808dfecf9a64bfe65ef1e5ef" \
    "bd757bcf33d2d4f521a76011b4295fe2a8797de9343a2c8cf6c5d55f3e247c35b830d8c0be0ab8eb" \
    "4d"
#define PLUS_EC_2 \
    "307702010104205efe9c6a5500d83d03424522c4e2de9fbda41c4a6d6fb6c7aa889302553c906da0" \
    "0a06082a8648ce3d030107a14403420004f29ad9f593aea1a530bfdac8ea7d1ec35efc5e034e2f89" \
    "890df7b9783bb9749df646878b185840f4fde753c5d9dfcdcf4187c1290254a7d608b4aadc481bd9" \
    "77"

static EVP_PKEY *plus_pkey(const char *hex)
{
    long length;
    unsigned char *der = OPENSSL_hexstr2buf(hex, &length);
    const unsigned char *p = der;
    EVP_PKEY *key = d2i_AutoPrivateKey(NULL, &p, length);

    OPENSSL_free(der);
    if (key == NULL)
        abort();
    return key;
}

static EVP_PKEY *plus_ed25519(void)
{
    return EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, NULL, (const unsigned char *)
                                        "0123456789abcdef0123456789abcdef", 32);
}

static int plus_quiet(const char *func, const char *file, int line, OSSL_CMP_severity level,
                    const char *msg)
{
    return 1;
}

static OSSL_CMP_CTX *plus_context(OSSL_LIB_CTX *libctx, const char *propq)
{
    OSSL_CMP_CTX *ctx = OSSL_CMP_CTX_new(libctx, propq);

    if (ctx == NULL || !OSSL_CMP_CTX_set_log_cb(ctx, plus_quiet))
        abort();
    return ctx;
}

/* The same with a secret. */
static OSSL_CMP_CTX *plus_secret_context(const char *secret)
{
    OSSL_CMP_CTX *ctx = plus_context(NULL, NULL);

    OSSL_CMP_CTX_set1_secretValue(ctx, (const unsigned char *)secret, (int)strlen(secret));
    return ctx;
}

/* A confirmation, from this common name or the NULL-DN. */
static OSSL_CMP_MSG *plus_message(const char *sender)
{
    OSSL_CMP_MSG *msg = OSSL_CMP_MSG_new(NULL, NULL);
    X509_NAME *name = X509_NAME_new();

    if (sender != NULL)
        X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, (const unsigned char *)sender, -1, -1,
                                   0);
    if (msg == NULL || !ossl_cmp_hdr_set_pvno(msg->header, OSSL_CMP_PVNO)
            || !ossl_cmp_hdr_set1_sender(msg->header, name)
            || !ossl_cmp_hdr_set1_recipient(msg->header, name)
            || !ossl_cmp_msg_set_bodytype(msg, OSSL_CMP_PKIBODY_PKICONF)
            || (msg->header->transactionID = ASN1_OCTET_STRING_new()) == NULL
            || !ASN1_OCTET_STRING_set(msg->header->transactionID,
                                      (const unsigned char *)"transaction", 11)
            || (msg->body->value.pkiconf = ASN1_TYPE_new()) == NULL)
        abort();
    ASN1_TYPE_set(msg->body->value.pkiconf, V_ASN1_NULL, NULL);
    X509_NAME_free(name);
    return msg;
}

static ASN1_OCTET_STRING *plus_octets(const char *text)
{
    ASN1_OCTET_STRING *octets = ASN1_OCTET_STRING_new();

    if (octets == NULL || !ASN1_OCTET_STRING_set(octets, (const unsigned char *)text,
                                                 (int)strlen(text)))
        abort();
    return octets;
}

/* An algorithm of PBM: SHA-256 or another, and HMAC with SHA-1. */
static X509_ALGOR *plus_pbm_algor(const char *salt, int owf, long count)
{
    OSSL_CRMF_PBMPARAMETER *pbm = OSSL_CRMF_PBMPARAMETER_new();
    unsigned char *der = NULL;
    ASN1_STRING *string = ASN1_STRING_type_new(V_ASN1_SEQUENCE);
    X509_ALGOR *alg = X509_ALGOR_new();
    int length;

    if (!ASN1_OCTET_STRING_set(pbm->salt, (const unsigned char *)salt, (int)strlen(salt))
            || !X509_ALGOR_set0(pbm->owf, OBJ_nid2obj(owf), V_ASN1_UNDEF, NULL)
            || !ASN1_INTEGER_set(pbm->iterationCount, count)
            || !X509_ALGOR_set0(pbm->mac, OBJ_nid2obj(NID_hmac_sha1), V_ASN1_UNDEF, NULL)
            || (length = i2d_OSSL_CRMF_PBMPARAMETER(pbm, &der)) <= 0
            || !ASN1_STRING_set(string, der, length)
            || !X509_ALGOR_set0(alg, OBJ_nid2obj(NID_id_PasswordBasedMAC), V_ASN1_SEQUENCE,
                                string))
        abort();
    OPENSSL_free(der);
    OSSL_CRMF_PBMPARAMETER_free(pbm);
    return alg;
}

/* What is protected of a message: header and body, encoded by hand (RFC 4210 5.1.3). */
static int plus_protected_part(const OSSL_CMP_MSG *msg, unsigned char **der)
{
    int header = i2d_OSSL_CMP_PKIHEADER(msg->header, NULL);
    int body = ASN1_item_i2d((const ASN1_VALUE *)msg->body, NULL,
                             ASN1_ITEM_rptr(OSSL_CMP_PKIBODY));
    int length = ASN1_object_size(1, header + body, V_ASN1_SEQUENCE);
    unsigned char *p = *der = OPENSSL_malloc(length);

    ASN1_put_object(&p, 1, header + body, V_ASN1_SEQUENCE, V_ASN1_UNIVERSAL);
    i2d_OSSL_CMP_PKIHEADER(msg->header, &p);
    ASN1_item_i2d((const ASN1_VALUE *)msg->body, &p, ASN1_ITEM_rptr(OSSL_CMP_PKIBODY));
    return length;
}

/*
 * The PBM of a message with HMAC-SHA1, computed apart from the library's (RFC 4211 4.4). Returns
 * its length.
 */
static unsigned int plus_pbm(const OSSL_CMP_MSG *msg, const char *secret, const void *salt,
                           size_t slen,
                           const EVP_MD *owf, int count, unsigned char *mac)
{
    unsigned char key[256], *der;
    unsigned int key_length, length;
    int der_length = plus_protected_part(msg, &der);

    memcpy(key, secret, strlen(secret));
    memcpy(key + strlen(secret), salt, slen);
    EVP_Digest(key, strlen(secret) + slen, key, &key_length, owf, NULL);
    while (--count > 0)
        EVP_Digest(key, key_length, key, &key_length, owf, NULL);
    HMAC(EVP_sha1(), key, key_length, der, der_length, mac, &length);
    OPENSSL_free(der);
    return length;
}

/* Does the signature of a message verify by this key? */
static int plus_signed_by(const OSSL_CMP_MSG *msg, const ASN1_BIT_STRING *protection, EVP_PKEY *key)
{
    OSSL_CMP_PROTECTEDPART part;

    part.header = msg->header;
    part.body = msg->body;
    return TEST_int_gt(ASN1_item_verify_ex(ASN1_ITEM_rptr(OSSL_CMP_PROTECTEDPART),
                                           msg->header->protectionAlg,
                                           protection, &part, NULL, key, NULL, NULL), 0);
}

static int plus_algor_nid(const X509_ALGOR *alg)
{
    const ASN1_OBJECT *object;

    if (alg == NULL)
        return NID_undef;
    X509_ALGOR_get0(&object, NULL, NULL, alg);
    return OBJ_obj2nid(object);
}
