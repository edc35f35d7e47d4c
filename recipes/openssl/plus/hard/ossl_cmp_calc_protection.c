/*---
 * tasks: [OSSL_CRMF_pbmp_new-78f092.8]
 * tests:
 *   a message is protected by its PBM: 'Docstring: "Calculate protection ... according to
 *     msg->header->protectionAlg";
 *     RFC 4210 5.1.3.1, RFC 4211 4.4, computed apart.'
 *   the parameters of the algorithm are used: 'ossl_cmp_msg_protect(3): "according to the
 *     algorithm and parameters in
 *     the message header''s protectionAlg".'
 *   header and body are protected: 'RFC 4210 5.1.3: ProtectedPart.'
 *   the protection is a bit string without unused bits: 'RFC 4210 5.1.3: BIT STRING; cmp_vfy.c:
 *     verify_PBMAC compares
 *     it byte by byte.'
 *   a secret is needed for a PBM: 'CMP_R_MISSING_PBM_SECRET; docstring: "on success, else NULL".'
 *   a PBM without its parameters or with others fails: 'Docstring: "else NULL".'
 *   a PBM with an iteration count out of its bounds fails: 'OSSL_CRMF_pbm_new(3): 100 to 100000.'
 *   a message without an algorithm fails: 'CMP_R_UNKNOWN_ALGORITHM_ID; docstring: "else NULL".'
 *   a message is signed with the key: 'Docstring: "Unless ... PasswordBasedMAC, its value is
 *     completed according to
 *     ctx->pkey and ctx->digest".'
 *   the digest of the context is used: 'Docstring: "according to ctx->pkey and ctx->digest".'
 *   with an Edwards curve the digest does not matter: 'Docstring: "irrelevant in the case of
 *     Edwards curves".'
 *   a key is needed for a signature: 'CMP_R_MISSING_KEY_INPUT_FOR_CREATING_PROTECTION.'
 *   the algorithm decides, not what the context has: 'Docstring: "according to
 *     msg->header->protectionAlg".'
 *   the library context of the context is used: 'Docstring: "using the ... library context, and
 *     property criteria in
 *     the ctx".'
 *   the rest of the message stays: 'Signature: const; cmp_vfy.c: verify_PBMAC compares with
 *     msg->protection.'
 *   nothing is leaked and memory that is refused is an error: 'Docstring: "on success, else
 *     NULL".'
 ---*/
#include "../../crypto/cmp/cmp_local.h"
#include "crypto/asn1.h"
#include "../../crypto/crmf/crmf_local.h"
#include "internal/nelem.h"
#include "testutil.h"
#include "cert.h"
#include "refused_nth.h"
#include "fixed_random.h"
#include "cmp_messages.h"
#include "partial_provider.h"

/* A message that is to be protected by this algorithm, which it takes. */
static OSSL_CMP_MSG *with(X509_ALGOR *alg)
{
    OSSL_CMP_MSG *msg = plus_message("sender");

    msg->header->protectionAlg = alg;
    return msg;
}

static int is_pbm(OSSL_CMP_CTX *ctx, OSSL_CMP_MSG *msg, const char *secret, const char *salt,
                  const EVP_MD *owf,
                  int count)
{
    unsigned char mac[EVP_MAX_MD_SIZE];
    unsigned int length = plus_pbm(msg, secret, salt, strlen(salt), owf, count, mac);
    ASN1_BIT_STRING *protection = ossl_cmp_calc_protection(ctx, msg);
    int ok = TEST_ptr(protection)
        && TEST_mem_eq(ASN1_STRING_get0_data(protection), ASN1_STRING_length(protection), mac,
                       length);

    ASN1_BIT_STRING_free(protection);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int known_with(const char *secret, const char *salt, int owf, int count)
{
    OSSL_CMP_CTX *ctx = plus_secret_context(secret);
    OSSL_CMP_MSG *msg = with(plus_pbm_algor(salt, owf, count));
    int ok = is_pbm(ctx, msg, secret, salt, EVP_get_digestbynid(owf), count);

    OSSL_CMP_MSG_free(msg);
    OSSL_CMP_CTX_free(ctx);
    return ok;
}

/* None comes of this context and message, which are freed. */
static int none(OSSL_CMP_CTX *ctx, OSSL_CMP_MSG *msg)
{
    ASN1_BIT_STRING *protection = ossl_cmp_calc_protection(ctx, msg);
    int ok = TEST_ptr_null(protection);

    ASN1_BIT_STRING_free(protection);
    OSSL_CMP_MSG_free(msg);
    OSSL_CMP_CTX_free(ctx);
    ERR_clear_error();
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int by_pbm(void)
{
    return known_with("secret", "0123456789abcdef", NID_sha256, 500);
}

static int by_parameters(void)
{
    OSSL_CMP_CTX *ctx = plus_secret_context("secret");
    OSSL_CMP_MSG *msg = with(plus_pbm_algor("salted", NID_sha512, 123));
    int ok;

    /* The settings for messages that are sent don't matter. */
    OSSL_CMP_CTX_set_option(ctx, OSSL_CMP_OPT_OWF_ALGNID, NID_sha1);
    ok = is_pbm(ctx, msg, "secret", "salted", EVP_sha512(), 123);
    OSSL_CMP_MSG_free(msg);
    OSSL_CMP_CTX_free(ctx);
    return ok && known_with("x", "another salt", NID_sha1, 100)
        && known_with("a longer secret", "s", NID_sha384, 1000);
}

static int header_and_body(void)
{
    OSSL_CMP_CTX *ctx = plus_secret_context("secret");
    OSSL_CMP_MSG *msg = with(plus_pbm_algor("salt", NID_sha256, 100));
    int ok = is_pbm(ctx, msg, "secret", "salt", EVP_sha256(), 100);

    ASN1_OCTET_STRING_set(msg->header->transactionID, (const unsigned char *)"another", 7);
    ok = ok && is_pbm(ctx, msg, "secret", "salt", EVP_sha256(), 100);
    msg->header->senderKID = plus_octets("kid");
    ok = ok && is_pbm(ctx, msg, "secret", "salt", EVP_sha256(), 100);
    ASN1_TYPE_set(msg->body->value.pkiconf, V_ASN1_OCTET_STRING, plus_octets("body"));
    ok = ok && is_pbm(ctx, msg, "secret", "salt", EVP_sha256(), 100);
    /* What else there is isn't. */
    msg->protection = ASN1_BIT_STRING_new();
    ASN1_BIT_STRING_set(msg->protection, (unsigned char *)"old", 3);
    ok = ok && is_pbm(ctx, msg, "secret", "salt", EVP_sha256(), 100);
    OSSL_CMP_MSG_free(msg);
    OSSL_CMP_CTX_free(ctx);
    return ok;
}

static int no_unused_bits(void)
{
    OSSL_CMP_CTX *ctx = plus_secret_context("secret");
    OSSL_CMP_MSG *msg = with(plus_pbm_algor("salt", NID_sha256, 100));
    ASN1_BIT_STRING *protection;
    unsigned char mac[EVP_MAX_MD_SIZE], *der = NULL;
    char id[16];
    int i, length = 0, ok;

    /* A code that ends with zero bits. */
    for (i = 0; i < 20000; i++) {
        BIO_snprintf(id, sizeof(id), "%d", i);
        ASN1_OCTET_STRING_set(msg->header->transactionID, (unsigned char *)id, (int)strlen(id));
        plus_pbm(msg, "secret", "salt", 4, EVP_sha256(), 100, mac);
        if (mac[19] == 0)
            break;
    }
    protection = ossl_cmp_calc_protection(ctx, msg);
    ok = TEST_ptr(protection) && TEST_int_eq(mac[19], 0)
        && TEST_int_eq(ASN1_STRING_type(protection), V_ASN1_BIT_STRING)
        && TEST_mem_eq(ASN1_STRING_get0_data(protection), ASN1_STRING_length(protection), mac, 20)
        && TEST_int_gt(length = i2d_ASN1_BIT_STRING(protection, &der), 0)
        && TEST_int_eq(length, 23) && TEST_mem_eq(der, 3, "\x03\x15\0", 3)
        && TEST_mem_eq(der + 3, 20, mac, 20);
    OPENSSL_free(der);
    ASN1_BIT_STRING_free(protection);
    OSSL_CMP_MSG_free(msg);
    OSSL_CMP_CTX_free(ctx);
    return ok;
}

static int secret_needed(void)
{
    OSSL_CMP_CTX *ctx = plus_context(NULL, NULL);
    EVP_PKEY *key = plus_pkey(PLUS_EC_1);
    int ok;

    OSSL_CMP_CTX_set1_pkey(ctx, key);
    ok = none(ctx, with(plus_pbm_algor("salt", NID_sha256, 500)))
        && none(plus_context(NULL, NULL), with(plus_pbm_algor("salt", NID_sha256, 500)));
    EVP_PKEY_free(key);
    return ok;
}

/* The PBM with these parameters. */
static X509_ALGOR *algor(int type, void *value)
{
    X509_ALGOR *alg = X509_ALGOR_new();

    X509_ALGOR_set0(alg, OBJ_nid2obj(NID_id_PasswordBasedMAC), type, value);
    return alg;
}

static int other_parameters(void)
{
    ASN1_STRING *broken = ASN1_STRING_type_new(V_ASN1_SEQUENCE);

    ASN1_STRING_set(broken, "\x30\x03\x04\x01", 4);
    return none(plus_secret_context("secret"), with(algor(V_ASN1_UNDEF, NULL)))
        && none(plus_secret_context("secret"), with(algor(V_ASN1_SEQUENCE, broken)))
        && none(plus_secret_context("secret"),
                with(algor(V_ASN1_OCTET_STRING, plus_octets("no parameters"))));
}

static int bounds(void)
{
    return none(plus_secret_context("secret"), with(plus_pbm_algor("salt", NID_sha256, 99)))
        && none(plus_secret_context("secret"), with(plus_pbm_algor("salt", NID_sha256, 100001)))
        && none(plus_secret_context("secret"), with(plus_pbm_algor("salt", NID_commonName, 500)));
}

static int no_algorithm(void)
{
    OSSL_CMP_CTX *ctx = plus_secret_context("secret");
    EVP_PKEY *key = plus_pkey(PLUS_EC_1);
    int ok;

    OSSL_CMP_CTX_set1_pkey(ctx, key);
    ok = none(ctx, plus_message("sender"));
    EVP_PKEY_free(key);
    return ok;
}

/* Signed by the key, with this digest if there is one, the algorithm becomes this one. */
static int signs(EVP_PKEY *key, const char *secret, int digest, int expected)
{
    OSSL_CMP_CTX *ctx = secret == NULL ? plus_context(NULL, NULL) : plus_secret_context(secret);
    OSSL_CMP_MSG *msg = with(X509_ALGOR_new());
    ASN1_BIT_STRING *protection;
    int ok;

    OSSL_CMP_CTX_set1_pkey(ctx, key);
    ok = digest == NID_undef
        || TEST_true(OSSL_CMP_CTX_set_option(ctx, OSSL_CMP_OPT_DIGEST_ALGNID, digest));
    protection = ossl_cmp_calc_protection(ctx, msg);
    ok = ok && TEST_ptr(protection) && TEST_int_eq(ASN1_STRING_type(protection), V_ASN1_BIT_STRING)
        && TEST_int_eq(plus_algor_nid(msg->header->protectionAlg), expected)
        && plus_signed_by(msg, protection, key) && TEST_ptr_null(msg->protection);
    ASN1_BIT_STRING_free(protection);
    OSSL_CMP_MSG_free(msg);
    OSSL_CMP_CTX_free(ctx);
    EVP_PKEY_free(key);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int by_key(void)
{
    return signs(plus_pkey(PLUS_EC_1), NULL, NID_undef, NID_ecdsa_with_SHA256)
        && signs(plus_pkey(PLUS_EC_2), NULL, NID_undef, NID_ecdsa_with_SHA256);
}

static int by_digest(void)
{
    return signs(plus_pkey(PLUS_EC_1), NULL, NID_sha384, NID_ecdsa_with_SHA384)
        && signs(plus_pkey(PLUS_EC_1), NULL, NID_sha512, NID_ecdsa_with_SHA512);
}

static int edwards(void)
{
    return signs(plus_ed25519(), NULL, NID_undef, NID_ED25519)
        && signs(plus_ed25519(), NULL, NID_sha512, NID_ED25519);
}

static int key_needed(void)
{
    return none(plus_context(NULL, NULL), with(X509_ALGOR_new()))
        && none(plus_secret_context("secret"), with(X509_ALGOR_new()));
}

static int decides(void)
{
    OSSL_CMP_CTX *ctx = plus_secret_context("secret");
    OSSL_CMP_MSG *msg = with(plus_pbm_algor("salt", NID_sha256, 500));
    EVP_PKEY *key = plus_pkey(PLUS_EC_1);
    int ok;

    OSSL_CMP_CTX_set1_pkey(ctx, key);
    ok = is_pbm(ctx, msg, "secret", "salt", EVP_sha256(), 500)
        && TEST_int_eq(plus_algor_nid(msg->header->protectionAlg), NID_id_PasswordBasedMAC);
    OSSL_CMP_MSG_free(msg);
    OSSL_CMP_CTX_free(ctx);
    EVP_PKEY_free(key);
    return ok && signs(plus_pkey(PLUS_EC_1), "secret", NID_undef, NID_ecdsa_with_SHA256);
}

static int library_context(void)
{
    OSSL_LIB_CTX *libctx = plus_partial_new(OSSL_OP_MAC, "HMAC", 0),
        *both = plus_partial_new(OSSL_OP_MAC, "HMAC", 1);
    OSSL_CMP_CTX *ctx = plus_context(libctx, NULL),
        *by_property = plus_context(both, "provider=partial");
    OSSL_CMP_CTX *good = plus_context(both, "provider=default");
    OSSL_CMP_MSG *msg = with(plus_pbm_algor("salt", NID_sha256, 500));
    int ok;

    OSSL_CMP_CTX_set1_secretValue(ctx, (unsigned char *)"secret", 6);
    OSSL_CMP_CTX_set1_secretValue(by_property, (unsigned char *)"secret", 6);
    OSSL_CMP_CTX_set1_secretValue(good, (unsigned char *)"secret", 6);
    ok = is_pbm(good, msg, "secret", "salt", EVP_sha256(), 500)
        && none(ctx, with(plus_pbm_algor("salt", NID_sha256, 500)))
        && none(by_property, with(plus_pbm_algor("salt", NID_sha256, 500)));
    OSSL_CMP_MSG_free(msg);
    OSSL_CMP_CTX_free(good);
    OSSL_LIB_CTX_free(libctx);
    OSSL_LIB_CTX_free(both);
    return ok;
}

static int stays(void)
{
    OSSL_CMP_CTX *ctx = plus_secret_context("secret");
    OSSL_CMP_MSG *msg = with(plus_pbm_algor("salt", NID_sha256, 500)), *same;
    unsigned char *before = NULL, *after = NULL;
    int before_length, after_length, ok;

    msg->protection = ASN1_BIT_STRING_new();
    ASN1_BIT_STRING_set(msg->protection, (unsigned char *)"old", 3);
    same = OSSL_CMP_MSG_dup(msg);
    before_length = i2d_OSSL_CMP_MSG(same, &before);
    ok = is_pbm(ctx, msg, "secret", "salt", EVP_sha256(), 500)
        && is_pbm(ctx, msg, "secret", "salt", EVP_sha256(), 500);
    after_length = i2d_OSSL_CMP_MSG(msg, &after);
    ok = ok && TEST_mem_eq(before, before_length, after, after_length);
    OPENSSL_free(before);
    OPENSSL_free(after);
    OSSL_CMP_MSG_free(msg);
    OSSL_CMP_MSG_free(same);
    OSSL_CMP_CTX_free(ctx);
    return ok;
}

static int leak(void)
{
    OSSL_CMP_CTX *ctx = plus_secret_context("secret"), *signing = plus_context(NULL, NULL);
    OSSL_CMP_MSG *msg = with(plus_pbm_algor("salt", NID_sha256, 100)), *to_sign;
    EVP_PKEY *key = plus_pkey(PLUS_EC_1);
    ASN1_BIT_STRING *protection;
    unsigned char mac[EVP_MAX_MD_SIZE];
    unsigned int length = plus_pbm(msg, "secret", "salt", 4, EVP_sha256(), 100, mac);
    long before = 0;
    int i, ok = 1;

    OSSL_CMP_CTX_set1_pkey(signing, key);
    for (i = 0; i < 5 && ok; i++) {
        plus_settle();
        if (i == 2)
            before = memory_blocks;
        ok = by_pbm() && by_key() && secret_needed() && other_parameters() && bounds()
            && no_algorithm() && key_needed()
            && edwards();
    }
    plus_settle();
    ok = ok && TEST_long_eq(memory_blocks, before);
    for (i = 0; i < 200 && ok; i++) {
        plus_refuse(i);
        protection = ossl_cmp_calc_protection(ctx, msg);
        plus_refuse(-1);
        ok = protection == NULL
            || TEST_mem_eq(ASN1_STRING_get0_data(protection), ASN1_STRING_length(protection), mac,
                           length);
        ASN1_BIT_STRING_free(protection);
        ERR_clear_error();
    }
    plus_settle();
    ok = ok && TEST_long_eq(memory_blocks, before);
    for (i = 0; i < 60 && ok; i++) {
        to_sign = with(X509_ALGOR_new());
        plus_refuse(i);
        protection = ossl_cmp_calc_protection(signing, to_sign);
        plus_refuse(-1);
        ok = protection == NULL || plus_signed_by(to_sign, protection, key);
        ASN1_BIT_STRING_free(protection);
        OSSL_CMP_MSG_free(to_sign);
        ERR_clear_error();
    }
    plus_settle();
    ok = ok && TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
    OSSL_CMP_MSG_free(msg);
    OSSL_CMP_CTX_free(ctx);
    OSSL_CMP_CTX_free(signing);
    EVP_PKEY_free(key);
    return ok;
}

int setup_tests(void)
{
    if (!plus_fixed_random(NULL))
        return 0;
    add_test("a message is protected by its PBM", by_pbm);
    add_test("the parameters of the algorithm are used", by_parameters);
    add_test("header and body are protected", header_and_body);
    add_test("the protection is a bit string without unused bits", no_unused_bits);
    add_test("a PBM with an iteration count out of its bounds fails", bounds);
    add_test("a message is signed with the key", by_key);
    add_test("the digest of the context is used", by_digest);
    add_test("with an Edwards curve the digest does not matter", edwards);
    add_test("the algorithm decides, not what the context has", decides);
    add_test("the library context of the context is used", library_context);
    add_test("the rest of the message stays", stays);
    add_test("a key is needed for a signature", key_needed);
    add_test("a secret is needed for a PBM", secret_needed);
    add_test("a PBM without its parameters or with others fails", other_parameters);
    add_test("a message without an algorithm fails", no_algorithm);
    add_test("nothing is leaked and memory that is refused is an error", leak);
    return 1;
}
