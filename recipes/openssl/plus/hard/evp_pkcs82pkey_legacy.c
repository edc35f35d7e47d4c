/*---
 * tasks: [parse_bag-deedf2.4, parse_bag-deedf2.8]
 * tests:
 *   keys of several types are made: 'Comment: "Extract a private key from a PKCS8 structure".'
 *   a key of a method is made, not of a provider: 'evp_pkey.c: EVP_PKCS82PKEY_ex, "try legacy"; name.'
 *   the key is of the library context and has the properties:
 *     'Signature: libctx, propq; crypto/asn1.h: priv_decode_ex.'
 *   a method with the plain decoder is used: 'crypto/asn1.h: priv_decode beside priv_decode_ex.'
 *   a decoder that fails is told: 'evperr.h: EVP_R_PRIVATE_KEY_DECODE_ERROR; EVP_PKCS82PKEY_ex, NULL.'
 *   a method without a decoder is refused: 'evperr.h: EVP_R_METHOD_NOT_SUPPORTED.'
 *   an algorithm that is not known is refused: 'evperr.h: EVP_R_UNSUPPORTED_PRIVATE_KEY_ALGORITHM.'
 *   broken content is refused: 'EVP_PKCS82PKEY_ex hands on NULL.'
 *   a failure leaves an error: 'The errors raised in evperr.h; pem_pk8.c tells by NULL.'
 *   the structure stays as it was: 'Signature: const PKCS8_PRIV_KEY_INFO *.'
 *   nothing is leaked or freed twice: 'The key is the caller''s alone.'
 ---*/
#include "../testutil.h"
#include "memory_count.h"
#include "pb_pkcs8.h"
#include "crypto/ec.h"

static EVP_PKEY *made(PKCS8_PRIV_KEY_INFO *p8)
{
    EVP_PKEY *key = evp_pkcs82pkey_legacy(p8, NULL, NULL);

    PKCS8_PRIV_KEY_INFO_free(p8);
    return key;
}

static int refuses(PKCS8_PRIV_KEY_INFO *p8)
{
    EVP_PKEY *key;
    int ok;

    ERR_clear_error();
    ok = TEST_ptr_null(key = made(p8));
    EVP_PKEY_free(key);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int types(void)
{
    return plus_is_key(made(plus_p8(PLUS_RSA)), PLUS_RSA)
        && plus_is_key(made(plus_p8(PLUS_EC)), PLUS_EC)
        && plus_is_key(made(plus_p8(PLUS_ED)), PLUS_ED);
}

static int of_method(void)
{
    EVP_PKEY *key = made(plus_p8(PLUS_EC));
    int ok = TEST_ptr(key) && TEST_ptr_null(key->keymgmt) && TEST_ptr(key->ameth)
        && TEST_int_eq(EVP_PKEY_get_base_id(key), EVP_PKEY_EC);

    EVP_PKEY_free(key);
    return ok;
}

static int context(void)
{
    OSSL_LIB_CTX *libctx = OSSL_LIB_CTX_new();
    PKCS8_PRIV_KEY_INFO *p8 = plus_p8(PLUS_EC);
    EVP_PKEY *key = evp_pkcs82pkey_legacy(p8, libctx, "provider=default");
    const EC_KEY *ec = key == NULL ? NULL : EVP_PKEY_get0_EC_KEY(key);
    int ok = TEST_ptr(ec) && TEST_ptr_eq(ossl_ec_key_get_libctx(ec), libctx)
        && TEST_str_eq(ossl_ec_key_get0_propq(ec), "provider=default");

    EVP_PKEY_free(key);
    PKCS8_PRIV_KEY_INFO_free(p8);
    OSSL_LIB_CTX_free(libctx);
    return ok;
}

static int plain_decoder(void)
{
    EVP_PKEY *key;
    int ok;

    plus_decodes = 0;
    key = made(plus_odd_p8("1.2.3.4.5.6", "x", 1));
    ok = TEST_ptr(key) && TEST_int_eq(plus_decodes, 1)
        && TEST_int_eq(EVP_PKEY_get_base_id(key), OBJ_txt2nid("1.2.3.4.5.6"));
    EVP_PKEY_free(key);
    return ok;
}

static int decoder_fails(void)
{
    int ok;

    plus_decode_result = 0;
    ok = refuses(plus_odd_p8("1.2.3.4.5.6", "x", 1)) && TEST_ulong_ne(ERR_peek_error(), 0);
    plus_decode_result = 1;
    return ok;
}

static int no_decoder(void)
{
    return refuses(plus_odd_p8("1.2.3.4.5.7", "x", 1));
}

static int not_known(void)
{
    return refuses(plus_odd_p8("1.2.3.4.99", "x", 1))
        && refuses(plus_odd_p8("1.3.6.1.4.1.99999.1.2.3.4.5.6.7.8.9.10.11.12.13.14.15.16.17.18."
                               "19.20.21.22.23.24.25.26.27.28.29.30.31.32.33.34.35.36", "x", 1))
        && refuses(plus_odd_p8("2.16.840.1.101.3.4.2.1", "x", 1));
}

static int broken(void)
{
    return refuses(plus_odd_p8(PLUS_RSA_OID, "\x30\x03\x02\x01", 4))
        && refuses(plus_odd_p8(PLUS_RSA_OID, "none", 4))
        && refuses(plus_odd_p8("1.2.840.10045.2.1", "none", 4));
}

static int an_error(void)
{
    return not_known() && TEST_ulong_ne(ERR_peek_error(), 0)
        && no_decoder() && TEST_ulong_ne(ERR_peek_error(), 0)
        && broken() && TEST_ulong_ne(ERR_peek_error(), 0);
}

static int stays(void)
{
    PKCS8_PRIV_KEY_INFO *p8 = plus_p8(PLUS_EC);
    int length, after_length, ok;
    unsigned char *der = plus_p8_bytes(p8, &length), *after;

    ok = plus_is_key(evp_pkcs82pkey_legacy(p8, NULL, NULL), PLUS_EC)
        && plus_is_key(evp_pkcs82pkey_legacy(p8, NULL, NULL), PLUS_EC);
    after = plus_p8_bytes(p8, &after_length);
    ok = ok && TEST_mem_eq(after, after_length, der, length);
    OPENSSL_free(der);
    OPENSSL_free(after);
    PKCS8_PRIV_KEY_INFO_free(p8);
    return ok;
}

static int once(void)
{
    return types() && plain_decoder() && decoder_fails() && no_decoder() && not_known() && broken();
}

static int balanced(void)
{
    long before;

    if (!once())
        return 0;
    ERR_clear_error();
    before = memory_blocks;
    if (!once())
        return 0;
    ERR_clear_error();
    return TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
}

int setup_tests(void)
{
    plus_add_method("1.2.3.4.5.6", "PLUS-PLAIN", 1);
    plus_add_method("1.2.3.4.5.7", "PLUS-NONE", 0);
    add_test("keys of several types are made", types);
    add_test("a key of a method is made, not of a provider", of_method);
    add_test("the key is of the library context and has the properties", context);
    add_test("a method with the plain decoder is used", plain_decoder);
    add_test("a decoder that fails is told", decoder_fails);
    add_test("a method without a decoder is refused", no_decoder);
    add_test("an algorithm that is not known is refused", not_known);
    add_test("broken content is refused", broken);
    add_test("a failure leaves an error", an_error);
    add_test("the structure stays as it was", stays);
    add_test("nothing is leaked or freed twice", balanced);
    return 1;
}
