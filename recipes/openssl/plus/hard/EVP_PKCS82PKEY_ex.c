/*---
 * tasks: [parse_bag-deedf2.4, parse_bag-deedf2.8]
 * tests:
 *   keys of several types are made: 'Comment: "Extract a private key from a PKCS8 structure".'
 *   the key belongs to a provider:
 *     'EVP_PKEY2PKCS8(3): "It uses libctx and propq when fetching algorithms"; sibling
 *     d2i_PrivateKey_ex (d2i_pr.c): OSSL_DECODER first, "try the legacy path if the decoder
 *     failed" then.'
 *   the key belongs to the library context: 'Signature: libctx; PEM_read_bio_PrivateKey_ex passes its own.'
 *   an algorithm of no provider goes to its method:
 *     'EVP_PKEY_ASN1_METHOD(3): priv_decode is "called by EVP_PKCS82PKEY(3)"; sibling
 *     d2i_PrivateKey_ex (d2i_pr.c): "try the legacy path if the decoder failed".'
 *   an algorithm that is not known is refused: 'Callers (p12_kiss.c, pem_pkey.c) test for NULL.'
 *   broken content is refused: 'Callers (p12_kiss.c, pem_pkey.c) test for NULL.'
 *   no structure and an empty one are refused: 'Callers test for NULL; p12_kiss.c passes what a bag has.'
 *   the structure stays as it was: 'Signature: const PKCS8_PRIV_KEY_INFO *; p12_kiss.c: it is the bag''s.'
 *   nothing is leaked or freed twice: 'The key is the caller''s alone.'
 ---*/
#include <openssl/provider.h>
#include "../testutil.h"
#include "memory_count.h"
#include "internal/provider.h"
#include "pb_pkcs8.h"

static EVP_PKEY *made_in(PKCS8_PRIV_KEY_INFO *p8, OSSL_LIB_CTX *libctx, const char *propq)
{
    EVP_PKEY *key = EVP_PKCS82PKEY_ex(p8, libctx, propq);

    PKCS8_PRIV_KEY_INFO_free(p8);
    return key;
}

static EVP_PKEY *made(PKCS8_PRIV_KEY_INFO *p8)
{
    return made_in(p8, NULL, NULL);
}

static int refuses(PKCS8_PRIV_KEY_INFO *p8)
{
    EVP_PKEY *key = made(p8);
    int ok = TEST_ptr_null(key);

    EVP_PKEY_free(key);
    ERR_clear_error();
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int types(void)
{
    return plus_is_key(made(plus_p8(PLUS_RSA)), PLUS_RSA)
        && plus_is_key(made(plus_p8(PLUS_EC)), PLUS_EC)
        && plus_is_key(made(plus_p8(PLUS_ED)), PLUS_ED);
}

static int provided(void)
{
    EVP_PKEY *key = made(plus_p8(PLUS_EC)), *other = made(plus_p8(PLUS_RSA));
    int ok = TEST_ptr(key) && TEST_true(evp_pkey_is_provided(key))
        && TEST_true(EVP_PKEY_is_a(key, "EC"))
        && TEST_ptr(other) && TEST_true(evp_pkey_is_provided(other))
        && TEST_true(EVP_PKEY_is_a(other, "RSA"));

    EVP_PKEY_free(key);
    EVP_PKEY_free(other);
    return ok;
}

static int of_context(void)
{
    OSSL_LIB_CTX *libctx = OSSL_LIB_CTX_new();
    OSSL_PROVIDER *provider = OSSL_PROVIDER_load(libctx, "default");
    EVP_PKEY *key = made_in(plus_p8(PLUS_EC), libctx, NULL), *asked;
    int ok = TEST_ptr(key) && TEST_true(evp_pkey_is_provided(key))
        && TEST_ptr_eq(ossl_provider_libctx(EVP_KEYMGMT_get0_provider(key->keymgmt)), libctx);

    EVP_PKEY_free(key);
    asked = made_in(plus_p8(PLUS_RSA), libctx, "provider=default");
    ok = ok && TEST_ptr(asked) && TEST_true(evp_pkey_is_provided(asked))
        && TEST_ptr_eq(EVP_KEYMGMT_get0_provider(asked->keymgmt), provider);
    EVP_PKEY_free(asked);
    OSSL_PROVIDER_unload(provider);
    OSSL_LIB_CTX_free(libctx);
    ERR_clear_error();
    return ok;
}

static int to_method(void)
{
    EVP_PKEY *key;
    int ok;

    plus_decodes = 0;
    key = made(plus_odd_p8("1.2.3.4.5.6", "x", 1));
    ok = TEST_ptr(key) && TEST_int_eq(plus_decodes, 1)
        && TEST_int_eq(EVP_PKEY_get_base_id(key), OBJ_txt2nid("1.2.3.4.5.6"));
    EVP_PKEY_free(key);
    plus_decode_result = 0;
    ok = ok && refuses(plus_odd_p8("1.2.3.4.5.6", "x", 1));
    plus_decode_result = 1;
    return ok;
}

static int not_known(void)
{
    return refuses(plus_odd_p8("1.2.3.4.99", "x", 1))
        && refuses(plus_odd_p8("2.16.840.1.101.3.4.2.1", "x", 1));
}

static int broken(void)
{
    return refuses(plus_odd_p8(PLUS_RSA_OID, "\x30\x03\x02\x01", 4))
        && refuses(plus_odd_p8(PLUS_RSA_OID, "none", 4))
        && refuses(plus_odd_p8("1.2.840.10045.2.1", "none", 4));
}

static int nothing(void)
{
    return refuses(NULL) && refuses(PKCS8_PRIV_KEY_INFO_new());
}

static int stays(void)
{
    PKCS8_PRIV_KEY_INFO *p8 = plus_p8(PLUS_EC);
    int length, after_length, ok;
    unsigned char *der = plus_p8_bytes(p8, &length), *after;

    ok = plus_is_key(EVP_PKCS82PKEY_ex(p8, NULL, NULL), PLUS_EC)
        && plus_is_key(EVP_PKCS82PKEY_ex(p8, NULL, NULL), PLUS_EC);
    after = plus_p8_bytes(p8, &after_length);
    ok = ok && TEST_mem_eq(after, after_length, der, length);
    OPENSSL_free(der);
    OPENSSL_free(after);
    PKCS8_PRIV_KEY_INFO_free(p8);
    return ok;
}

static int once(void)
{
    return types() && to_method() && not_known() && broken() && nothing();
}

static int balanced(void)
{
    long before;

    if (!once() || !once())
        return 0;
    before = memory_blocks;
    return once() && TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
}

int setup_tests(void)
{
    plus_add_method("1.2.3.4.5.6", "PLUS-PLAIN", 1);
    add_test("keys of several types are made", types);
    add_test("the key belongs to a provider", provided);
    add_test("the key belongs to the library context", of_context);
    add_test("an algorithm of no provider goes to its method", to_method);
    add_test("an algorithm that is not known is refused", not_known);
    add_test("broken content is refused", broken);
    add_test("no structure and an empty one are refused", nothing);
    add_test("the structure stays as it was", stays);
    add_test("nothing is leaked or freed twice", balanced);
    return 1;
}
