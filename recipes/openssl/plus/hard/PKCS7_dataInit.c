/*---
 * tasks: [PKCS7_verify-9ff9fa.8]
 * tests:
 *   content that is there is read and digested:
 *     'ts_rsp_verify.c: "We now have to ''read'' from p7bio to calculate digests".'
 *   content that is being made is written and digested:
 *     'CHANGES.md: "the signed PKCS7 structure didn''t contain any existing data because it was being
 *     created"; PKCS7_final writes, PKCS7_dataFinal looks for a BIO_TYPE_MEM.'
 *   detached content is digested and left out:
 *     'PKCS7_final; PKCS7_dataFinal: "If detached data then the content is excluded".'
 *   a BIO that is given ends the chain:
 *     'Signature: bio; pk7_asn1.c gives the output; PKCS7_verify(3): indata, "if the content is detached".'
 *   a BIO that is given goes before the content:
 *     'PKCS7_verify(3): "both embedded and external content ... default behavior allows this".'
 *   plain data is written: 'PKCS7_dataFinal: NID_pkcs7_data takes what the BIO_TYPE_MEM holds.'
 *   digested data has its digest: 'pkcs7.h: PKCS7_DIGEST, md; PKCS7_dataFinal looks for it in the chain.'
 *   content of another type that is a string of octets is read and written:
 *     'ts_rsp_sign.c: ts_TST_INFO_content_new; ts_rsp_verify.c.'
 *   an enveloped message can be opened by each recipient:
 *     'PKCS7_encrypt(3): "certs is a list of recipient certificates"; PKCS7_dataDecode.'
 *   key and initialization vector are new each time and fit the cipher:
 *     'RFC 2315, 10: "A content-encryption key ... is generated at random"; 10.1: algorithm, "and any
 *     associated parameters".'
 *   a signed and enveloped message digests what is not encrypted yet:
 *     'RFC 2315, 11: digested is the content; PKCS7_dataDecode puts digests before the cipher.'
 *   without a cipher an envelope is refused: 'pkcs7err.h: CIPHER_NOT_INITIALIZED; pkcs7.h: enc_data, cipher.'
 *   no message and no content and other types are refused:
 *     'PKCS7_dataDecode and PKCS7_dataFinal: INVALID_NULL_POINTER, NO_CONTENT, UNSUPPORTED_CONTENT_TYPE.'
 *   an unknown digest is refused and the BIO that is given stays:
 *     'pkcs7err.h: UNKNOWN_DIGEST_TYPE; pk7_asn1.c: sarg->out is the caller''s.'
 *   the library context of the message is used:
 *     'pk7_lib.c: ossl_pkcs7_get0_ctx; PKCS7_dataDecode fetches with it.'
 *   nothing is leaked or freed twice, even without memory:
 *     'PKCS7_final frees the chain alone; NULL is an error.'
 ---*/
#include <string.h>
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/param_build.h>
#include <openssl/pkcs7.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include "../testutil.h"
#include "memory_count.h"
#include "partial_provider.h"
#include "pb_issued.h"
#include "rsa_numbers.h"

static EVP_PKEY *key;
static X509 *one, *two; /* both have the key */

static const char text[] = "The quick brown fox jumps over the lazy dog";
#define SIZE ((int)sizeof(text) - 1)

static int make_all(void)
{
    OSSL_PARAM_BLD *bld = OSSL_PARAM_BLD_new();
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(NULL, "RSA", NULL);
    OSSL_PARAM *params;
    int ok;

    OSSL_PARAM_BLD_push_BN(bld, OSSL_PKEY_PARAM_RSA_N, plus_hex(KAT_N));
    OSSL_PARAM_BLD_push_BN(bld, OSSL_PKEY_PARAM_RSA_E, plus_word(65537));
    OSSL_PARAM_BLD_push_BN(bld, OSSL_PKEY_PARAM_RSA_D, plus_hex(KAT_D));
    params = OSSL_PARAM_BLD_to_param(bld);
    ok = TEST_int_gt(EVP_PKEY_fromdata_init(ctx), 0)
        && TEST_int_gt(EVP_PKEY_fromdata(ctx, &key, EVP_PKEY_KEYPAIR, params), 0);
    OSSL_PARAM_free(params);
    OSSL_PARAM_BLD_free(bld);
    EVP_PKEY_CTX_free(ctx);
    plus_free_numbers();
    one = plus_issued("CN=Root", "1");
    two = plus_issued("CN=Root", "2");
    return ok && TEST_true(X509_set_pubkey(one, key)) && TEST_true(X509_set_pubkey(two, key));
}

static PKCS7 *of_type_in(int nid, OSSL_LIB_CTX *libctx)
{
    PKCS7 *p7 = PKCS7_new_ex(libctx, NULL);

    PKCS7_set_type(p7, nid);
    return p7;
}

static PKCS7 *of_type(int nid)
{
    return of_type_in(nid, NULL);
}

static void push_digest(STACK_OF(X509_ALGOR) *sk, int nid)
{
    X509_ALGOR *alg = X509_ALGOR_new();

    X509_ALGOR_set0(alg, OBJ_nid2obj(nid), V_ASN1_NULL, NULL);
    sk_X509_ALGOR_push(sk, alg);
}

/* A message that is signed by nobody, with two digests, and with content unless it is NULL. */
static PKCS7 *signed_in(OSSL_LIB_CTX *libctx, const char *content)
{
    PKCS7 *p7 = of_type_in(NID_pkcs7_signed, libctx);

    PKCS7_content_new(p7, NID_pkcs7_data);
    push_digest(p7->d.sign->md_algs, NID_sha256);
    push_digest(p7->d.sign->md_algs, NID_sha1);
    if (content == NULL)
        PKCS7_set_detached(p7, 1);
    else
        ASN1_OCTET_STRING_set(p7->d.sign->contents->d.data, (const unsigned char *)content,
                              strlen(content));
    return p7;
}

/* Content of another type: a string of octets with this text. */
static PKCS7 *signed_other(const char *content)
{
    PKCS7 *p7 = signed_in(NULL, ""), *inner = PKCS7_new();
    ASN1_TYPE *any = ASN1_TYPE_new();

    ASN1_TYPE_set_octetstring(any, (unsigned char *)content, strlen(content));
    PKCS7_set0_type_other(inner, NID_id_smime_ct_TSTInfo, any);
    PKCS7_set_content(p7, inner);
    return p7;
}

static PKCS7 *enveloped_in(OSSL_LIB_CTX *libctx, int nid, const EVP_CIPHER *cipher)
{
    PKCS7 *p7 = of_type_in(nid, libctx);

    if (cipher != NULL)
        PKCS7_set_cipher(p7, cipher);
    PKCS7_add_recipient(p7, one);
    PKCS7_add_recipient(p7, two);
    if (nid == NID_pkcs7_signedAndEnveloped)
        push_digest(p7->d.signed_and_enveloped->md_algs, NID_sha256);
    return p7;
}

static PKCS7 *enveloped(const EVP_CIPHER *cipher)
{
    return enveloped_in(NULL, NID_pkcs7_enveloped, cipher);
}

/* Has the chain digested this by the digest of this number, and passed it on? */
static int digested(BIO *chain, int nid, const char *bytes, int size)
{
    unsigned char wanted[EVP_MAX_MD_SIZE], got[EVP_MAX_MD_SIZE];
    unsigned int got_size;
    size_t wanted_size;
    EVP_MD_CTX *ctx = NULL, *copy;
    int ok;

    for (; (chain = BIO_find_type(chain, BIO_TYPE_MD)) != NULL; chain = BIO_next(chain)) {
        BIO_get_md_ctx(chain, &ctx);
        if (EVP_MD_CTX_get_type(ctx) == nid)
            break;
    }
    if (!TEST_ptr(chain))
        return 0;
    copy = EVP_MD_CTX_new();
    ok = TEST_true(EVP_MD_CTX_copy_ex(copy, ctx)) && TEST_true(EVP_DigestFinal_ex(copy, got, &got_size))
        && TEST_true(EVP_Q_digest(NULL, OBJ_nid2sn(nid), NULL, bytes, size, wanted, &wanted_size))
        && TEST_mem_eq(got, got_size, wanted, wanted_size);
    EVP_MD_CTX_free(copy);
    return ok;
}

/* Both digests of signed messages. */
static int both_digested(BIO *chain, const char *bytes, int size)
{
    return digested(chain, NID_sha256, bytes, size) && digested(chain, NID_sha1, bytes, size);
}

/* Is this read from the chain, in parts, and then the end? */
static int reads(BIO *chain, const char *bytes, int size)
{
    char got[200];
    int total = 0, count;

    while ((count = BIO_read(chain, got + total, total == 0 ? 7 : (int)sizeof(got) - total)) > 0)
        total += count;
    return TEST_mem_eq(got, total, bytes, size) && TEST_false(BIO_should_retry(chain));
}

static int writes(BIO *chain, const char *bytes, int size)
{
    int half = size / 2;

    return TEST_int_eq(BIO_write(chain, bytes, half), half)
        && TEST_int_eq(BIO_write(chain, bytes + half, size - half), size - half)
        && TEST_int_eq(BIO_flush(chain), 1);
}

static int end(PKCS7 *p7, BIO *chain, int ok)
{
    BIO_free_all(chain);
    PKCS7_free(p7);
    ERR_clear_error();
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int content_read(void)
{
    PKCS7 *p7 = signed_in(NULL, text);
    BIO *chain = NULL;
    int i, ok = 1;

    /* It can be read again, since it stays. */
    for (i = 0; i < 3 && ok; i++) {
        BIO_free_all(chain);
        ok = TEST_ptr(chain = PKCS7_dataInit(p7, NULL)) && reads(chain, text, SIZE)
            && both_digested(chain, text, SIZE)
            && TEST_mem_eq(p7->d.sign->contents->d.data->data,
                           p7->d.sign->contents->d.data->length, text, SIZE);
    }
    if (!end(p7, chain, ok))
        return 0;
    p7 = signed_in(NULL, "");
    ok = TEST_ptr(chain = PKCS7_dataInit(p7, NULL)) && reads(chain, "", 0)
        && both_digested(chain, "", 0);
    return end(p7, chain, ok);
}

static int content_made(void)
{
    PKCS7 *p7 = signed_in(NULL, "");
    BIO *chain;
    int ok = TEST_ptr(chain = PKCS7_dataInit(p7, NULL)) && writes(chain, text, SIZE)
        && both_digested(chain, text, SIZE) && TEST_int_eq(PKCS7_dataFinal(p7, chain), 1)
        && TEST_mem_eq(p7->d.sign->contents->d.data->data,
                       p7->d.sign->contents->d.data->length, text, SIZE)
        && TEST_false(PKCS7_get_detached(p7));

    return end(p7, chain, ok);
}

static int detached(void)
{
    PKCS7 *p7 = signed_in(NULL, NULL);
    BIO *chain;
    int ok = TEST_ptr(chain = PKCS7_dataInit(p7, NULL)) && writes(chain, text, SIZE)
        && both_digested(chain, text, SIZE) && TEST_int_eq(PKCS7_dataFinal(p7, chain), 1)
        && TEST_true(PKCS7_get_detached(p7)) && TEST_ptr_null(p7->d.sign->contents->d.data);

    return end(p7, chain, ok);
}

/* Does the BIO end the chain? */
static int ends(BIO *chain, BIO *bio)
{
    while (chain != NULL && BIO_next(chain) != NULL)
        chain = BIO_next(chain);
    return TEST_ptr_eq(chain, bio);
}

/* The chain without the BIO at its end, as callers free it. */
static void free_before(BIO *chain, BIO *bio)
{
    if (chain != NULL && chain != bio) {
        BIO_pop(bio);
        BIO_free_all(chain);
    }
}

static int given(void)
{
    PKCS7 *p7 = signed_in(NULL, NULL);
    BIO *bio = BIO_new_mem_buf(text, SIZE), *chain;
    char *held;
    int ok = TEST_ptr(chain = PKCS7_dataInit(p7, bio)) && ends(chain, bio)
        && reads(chain, text, SIZE) && both_digested(chain, text, SIZE);

    free_before(chain, bio);
    BIO_free(bio);
    if (!end(p7, NULL, ok))
        return 0;
    /* To be written, for each kind. */
    p7 = signed_in(NULL, NULL);
    bio = BIO_new(BIO_s_mem());
    ok = TEST_ptr(chain = PKCS7_dataInit(p7, bio)) && ends(chain, bio) && writes(chain, text, SIZE)
        && both_digested(chain, text, SIZE) && TEST_long_eq(BIO_get_mem_data(bio, &held), SIZE)
        && TEST_mem_eq(held, SIZE, text, SIZE);
    free_before(chain, bio);
    if (!end(p7, NULL, ok))
        return 0;
    p7 = of_type(NID_pkcs7_data);
    ok = TEST_ptr(chain = PKCS7_dataInit(p7, bio)) && ends(chain, bio) && writes(chain, text, SIZE)
        && TEST_long_eq(BIO_get_mem_data(bio, &held), 2 * SIZE);
    free_before(chain, bio);
    if (!end(p7, NULL, ok))
        return 0;
    BIO_reset(bio);
    p7 = enveloped(EVP_aes_128_cbc());
    ok = TEST_ptr(chain = PKCS7_dataInit(p7, bio)) && ends(chain, bio) && writes(chain, text, SIZE)
        && TEST_long_eq(BIO_get_mem_data(bio, &held), (SIZE / 16 + 1) * 16);
    free_before(chain, bio);
    BIO_free(bio);
    return end(p7, NULL, ok);
}

static int given_first(void)
{
    PKCS7 *p7 = signed_in(NULL, text);
    BIO *bio = BIO_new_mem_buf("other", 5), *chain;
    int ok = TEST_ptr(chain = PKCS7_dataInit(p7, bio)) && ends(chain, bio)
        && reads(chain, "other", 5) && both_digested(chain, "other", 5)
        && TEST_mem_eq(p7->d.sign->contents->d.data->data,
                       p7->d.sign->contents->d.data->length, text, SIZE);

    free_before(chain, bio);
    BIO_free(bio);
    return end(p7, NULL, ok);
}

static int plain(void)
{
    PKCS7 *p7 = of_type(NID_pkcs7_data);
    BIO *chain;
    int ok = TEST_ptr(chain = PKCS7_dataInit(p7, NULL)) && writes(chain, text, SIZE)
        && TEST_int_eq(PKCS7_dataFinal(p7, chain), 1)
        && TEST_mem_eq(p7->d.data->data, p7->d.data->length, text, SIZE);

    return end(p7, chain, ok);
}

static int digest(void)
{
    PKCS7 *p7 = of_type(NID_pkcs7_digest);
    unsigned char wanted[EVP_MAX_MD_SIZE];
    size_t size;
    BIO *chain;
    int ok;

    PKCS7_set_digest(p7, EVP_sha512());
    PKCS7_content_new(p7, NID_pkcs7_data);
    EVP_Q_digest(NULL, "SHA512", NULL, text, SIZE, wanted, &size);
    ok = TEST_ptr(chain = PKCS7_dataInit(p7, NULL)) && writes(chain, text, SIZE)
        && digested(chain, NID_sha512, text, SIZE) && TEST_int_eq(PKCS7_dataFinal(p7, chain), 1)
        && TEST_mem_eq(p7->d.digest->digest->data, p7->d.digest->digest->length, wanted, size)
        && TEST_mem_eq(p7->d.digest->contents->d.data->data,
                       p7->d.digest->contents->d.data->length, text, SIZE);
    BIO_free_all(chain);
    /* And what is there is read. */
    ok = ok && TEST_ptr(chain = PKCS7_dataInit(p7, NULL)) && reads(chain, text, SIZE)
        && digested(chain, NID_sha512, text, SIZE);
    return end(p7, ok ? chain : NULL, ok);
}

static int other_content(void)
{
    PKCS7 *p7 = signed_other(text);
    BIO *chain;
    int ok = TEST_ptr(chain = PKCS7_dataInit(p7, NULL)) && reads(chain, text, SIZE)
        && both_digested(chain, text, SIZE);

    if (!end(p7, chain, ok))
        return 0;
    p7 = signed_other("");
    ok = TEST_ptr(chain = PKCS7_dataInit(p7, NULL)) && writes(chain, text, SIZE)
        && both_digested(chain, text, SIZE) && TEST_int_eq(PKCS7_dataFinal(p7, chain), 1)
        && TEST_mem_eq(p7->d.sign->contents->d.other->value.octet_string->data,
                       p7->d.sign->contents->d.other->value.octet_string->length, text, SIZE);
    return end(p7, chain, ok);
}

/* Can the recipient read this from what the message is when it is written and parsed? */
static int opens(PKCS7 *p7, X509 *recipient)
{
    unsigned char *der = NULL;
    const unsigned char *p;
    int size = i2d_PKCS7(p7, &der), ok;
    PKCS7 *parsed;
    BIO *chain = NULL;

    p = der;
    ok = TEST_int_gt(size, 0) && TEST_ptr(parsed = d2i_PKCS7(NULL, &p, size))
        && TEST_ptr(chain = PKCS7_dataDecode(parsed, key, NULL, recipient))
        && reads(chain, text, SIZE);
    OPENSSL_free(der);
    return end(ok ? parsed : NULL, chain, ok);
}

static int makes_envelope(PKCS7 *p7)
{
    BIO *chain = PKCS7_dataInit(p7, NULL);
    int ok = TEST_ptr(chain) && writes(chain, text, SIZE) && TEST_int_eq(PKCS7_dataFinal(p7, chain), 1);

    BIO_free_all(chain);
    return ok;
}

static int opened(void)
{
    PKCS7 *p7;
    int i, ok;

    for (i = 0; i < 3; i++) {
        p7 = enveloped(i == 0 ? EVP_aes_128_cbc() : i == 1 ? EVP_aes_256_cbc() : EVP_des_ede3_cbc());
        ok = makes_envelope(p7) && opens(p7, one) && opens(p7, two)
            && TEST_int_eq(OBJ_obj2nid(p7->d.enveloped->enc_data->algorithm->algorithm),
                           i == 0 ? NID_aes_128_cbc : i == 1 ? NID_aes_256_cbc : NID_des_ede3_cbc)
            && TEST_ptr(p7->d.enveloped->enc_data->enc_data)
            && TEST_int_ge(p7->d.enveloped->enc_data->enc_data->length, SIZE)
            && TEST_mem_ne(p7->d.enveloped->enc_data->enc_data->data, SIZE, text, SIZE);
        if (!end(p7, NULL, ok))
            return 0;
    }
    return 1;
}

/* The key that the message has for its recipient of this number: 64 bytes have room. */
static int content_key(PKCS7 *p7, int number, unsigned char *out)
{
    PKCS7_RECIP_INFO *ri = sk_PKCS7_RECIP_INFO_value(p7->d.enveloped->recipientinfo, number);
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(NULL, key, NULL);
    unsigned char whole[256];
    size_t size = sizeof(whole);
    int ok = TEST_int_gt(EVP_PKEY_decrypt_init(ctx), 0)
        && TEST_int_gt(EVP_PKEY_decrypt(ctx, whole, &size, ri->enc_key->data, ri->enc_key->length), 0)
        && TEST_size_t_le(size, 64);

    EVP_PKEY_CTX_free(ctx);
    if (ok)
        memcpy(out, whole, size);
    return ok ? (int)size : -1;
}

static int new_key(void)
{
    unsigned char keys[3][64];
    PKCS7 *p7 = enveloped(EVP_aes_256_cbc()), *p7_next = enveloped(EVP_aes_256_cbc());
    ASN1_OCTET_STRING *iv, *iv_next;
    int ok = makes_envelope(p7) && makes_envelope(p7_next)
        && TEST_int_eq(content_key(p7, 0, keys[0]), 32)
        && TEST_int_eq(content_key(p7, 1, keys[1]), 32)
        && TEST_int_eq(content_key(p7_next, 0, keys[2]), 32)
        && TEST_mem_eq(keys[0], 32, keys[1], 32) && TEST_mem_ne(keys[0], 32, keys[2], 32)
        && TEST_ptr(p7->d.enveloped->enc_data->algorithm->parameter)
        && TEST_int_eq(p7->d.enveloped->enc_data->algorithm->parameter->type, V_ASN1_OCTET_STRING)
        && TEST_ptr(iv = p7->d.enveloped->enc_data->algorithm->parameter->value.octet_string)
        && TEST_ptr(iv_next = p7_next->d.enveloped->enc_data->algorithm->parameter->value.octet_string)
        && TEST_int_eq(iv->length, 16) && TEST_int_eq(iv_next->length, 16)
        && TEST_mem_ne(iv->data, 16, iv_next->data, 16);

    end(p7_next, NULL, ok);
    return end(p7, NULL, ok);
}

static int digests_first(void)
{
    PKCS7 *p7 = enveloped_in(NULL, NID_pkcs7_signedAndEnveloped, EVP_aes_128_cbc());
    BIO *chain;
    int ok = TEST_ptr(chain = PKCS7_dataInit(p7, NULL)) && writes(chain, text, SIZE)
        && digested(chain, NID_sha256, text, SIZE) && TEST_int_eq(PKCS7_dataFinal(p7, chain), 1);

    BIO_free_all(chain);
    ok = ok && TEST_int_eq(OBJ_obj2nid(p7->d.signed_and_enveloped->enc_data->algorithm->algorithm),
                           NID_aes_128_cbc)
        && opens(p7, one) && opens(p7, two);
    return end(p7, NULL, ok);
}

/* Is it refused with an error, for this reason unless it is 0? */
static int refuses(PKCS7 *p7, int reason)
{
    int ok;

    ERR_clear_error();
    ok = TEST_ptr_null(PKCS7_dataInit(p7, NULL)) && TEST_ulong_ne(ERR_peek_error(), 0)
        && (reason == 0 || TEST_int_eq(ERR_GET_REASON(ERR_peek_last_error()), reason));
    return end(p7, NULL, ok);
}

static int no_cipher(void)
{
    return refuses(enveloped(NULL), 0)
        && refuses(enveloped_in(NULL, NID_pkcs7_signedAndEnveloped, NULL), 0);
}

/* A message of a type without what the type holds. */
static PKCS7 *bare(int nid)
{
    PKCS7 *p7 = PKCS7_new();

    p7->type = OBJ_nid2obj(nid);
    return p7;
}

static int unfit(void)
{
    PKCS7 *p7 = PKCS7_new();
    ASN1_TYPE *any = ASN1_TYPE_new();

    ASN1_TYPE_set_octetstring(any, (unsigned char *)"text", 4);
    PKCS7_set0_type_other(p7, NID_id_smime_ct_TSTInfo, any);
    return refuses(p7, PKCS7_R_UNSUPPORTED_CONTENT_TYPE)
        && refuses(of_type(NID_pkcs7_encrypted), PKCS7_R_UNSUPPORTED_CONTENT_TYPE)
        && refuses(NULL, PKCS7_R_INVALID_NULL_POINTER)
        && refuses(bare(NID_pkcs7_signed), PKCS7_R_NO_CONTENT)
        && refuses(bare(NID_pkcs7_data), PKCS7_R_NO_CONTENT)
        && refuses(bare(NID_pkcs7_enveloped), PKCS7_R_NO_CONTENT)
        && refuses(bare(NID_pkcs7_signedAndEnveloped), PKCS7_R_NO_CONTENT)
        && refuses(bare(NID_pkcs7_digest), PKCS7_R_NO_CONTENT)
        && refuses(PKCS7_new(), 0);
}

static int unknown_digest(void)
{
    PKCS7 *p7 = signed_in(NULL, NULL);
    BIO *bio = BIO_new_mem_buf(text, SIZE);
    int ok;

    push_digest(p7->d.sign->md_algs, NID_aes_128_cbc);
    ERR_clear_error();
    ok = TEST_ptr_null(PKCS7_dataInit(p7, bio)) && TEST_ulong_ne(ERR_peek_error(), 0)
        && reads(bio, text, SIZE);
    BIO_free(bio);
    if (!end(p7, NULL, ok))
        return 0;
    p7 = signed_in(NULL, text);
    push_digest(p7->d.sign->md_algs, NID_aes_128_cbc);
    if (!refuses(p7, 0))
        return 0;
    p7 = of_type(NID_pkcs7_digest);
    PKCS7_content_new(p7, NID_pkcs7_data);
    X509_ALGOR_set0(p7->d.digest->md, OBJ_nid2obj(NID_aes_128_cbc), V_ASN1_NULL, NULL);
    if (!refuses(p7, 0))
        return 0;
    p7 = enveloped_in(NULL, NID_pkcs7_signedAndEnveloped, EVP_aes_128_cbc());
    push_digest(p7->d.signed_and_enveloped->md_algs, NID_aes_128_cbc);
    return refuses(p7, 0);
}

static int is_partial(const OSSL_PROVIDER *provider)
{
    return TEST_ptr(provider) && TEST_str_eq(OSSL_PROVIDER_get0_name(provider), "partial");
}

static int libctx_used(void)
{
    OSSL_LIB_CTX *libctx = plus_partial_new(OSSL_OP_DIGEST, "NOSUCH", 0);
    PKCS7 *p7 = signed_in(libctx, text);
    EVP_MD_CTX *digest = NULL;
    EVP_CIPHER_CTX *cipher = NULL;
    BIO *chain, *found;
    int ok = TEST_ptr(chain = PKCS7_dataInit(p7, NULL))
        && TEST_ptr(found = BIO_find_type(chain, BIO_TYPE_MD))
        && TEST_int_gt(BIO_get_md_ctx(found, &digest), 0)
        && is_partial(EVP_MD_get0_provider(EVP_MD_CTX_get0_md(digest)));

    ok = end(p7, chain, ok);
    if (ok) {
        p7 = enveloped_in(libctx, NID_pkcs7_enveloped, EVP_aes_128_cbc());
        ok = TEST_ptr(chain = PKCS7_dataInit(p7, NULL))
            && TEST_ptr(found = BIO_find_type(chain, BIO_TYPE_CIPHER))
            && TEST_int_gt(BIO_get_cipher_ctx(found, &cipher), 0)
            && is_partial(EVP_CIPHER_get0_provider(EVP_CIPHER_CTX_get0_cipher(cipher)));
        ok = end(p7, chain, ok);
    }
    OSSL_LIB_CTX_free(libctx);
    return ok;
}

/* With each memory that can be refused: NULL or a chain, and nothing is leaked. */
static int without_memory(PKCS7 *p7)
{
    BIO *chain;
    long before;
    int i, ok = 1, done = 0;

    BIO_free_all(PKCS7_dataInit(p7, NULL));
    for (i = 0; i < 400 && ok && !done; i++) {
        ERR_clear_error();
        OPENSSL_thread_stop();
        before = memory_blocks;
        memory_left = i;
        chain = PKCS7_dataInit(p7, NULL);
        memory_left = -1;
        done = chain != NULL;
        BIO_free_all(chain);
        ERR_clear_error();
        OPENSSL_thread_stop();
        ok = TEST_long_eq(memory_blocks, before);
    }
    PKCS7_free(p7);
    return ok && TEST_true(done) && TEST_int_gt(i, 3) && TEST_long_eq(memory_bad_frees, 0);
}

static int no_leak(void)
{
    long before;
    int i, ok = 1;

    for (i = 0, before = 0; i < 2 && ok; i++) {
        ERR_clear_error();
        OPENSSL_thread_stop();
        before = memory_blocks;
        ok = content_read() && content_made() && detached() && given() && given_first() && plain()
            && digest() && other_content() && opened() && digests_first() && no_cipher() && unfit()
            && unknown_digest();
        ERR_clear_error();
        OPENSSL_thread_stop();
    }
    return ok && TEST_long_eq(memory_blocks, before) && without_memory(signed_in(NULL, text))
        && without_memory(signed_in(NULL, NULL)) && without_memory(of_type(NID_pkcs7_data));
}

int setup_tests(void)
{
    if (!make_all())
        return 0;
    add_test("content that is there is read and digested", content_read);
    add_test("content that is being made is written and digested", content_made);
    add_test("detached content is digested and left out", detached);
    add_test("a BIO that is given ends the chain", given);
    add_test("a BIO that is given goes before the content", given_first);
    add_test("plain data is written", plain);
    add_test("digested data has its digest", digest);
    add_test("content of another type that is a string of octets is read and written", other_content);
    add_test("an enveloped message can be opened by each recipient", opened);
    add_test("key and initialization vector are new each time and fit the cipher", new_key);
    add_test("a signed and enveloped message digests what is not encrypted yet", digests_first);
    add_test("without a cipher an envelope is refused", no_cipher);
    add_test("no message and no content and other types are refused", unfit);
    add_test("an unknown digest is refused and the BIO that is given stays", unknown_digest);
    add_test("the library context of the message is used", libctx_used);
    add_test("nothing is leaked or freed twice, even without memory", no_leak);
    return 1;
}

void cleanup_tests(void)
{
    EVP_PKEY_free(key);
    X509_free(one);
    X509_free(two);
}
