/*---
 * tasks: [parse_bag-deedf2.4, parse_bag-deedf2.8]
 * tests:
 *   the key is decrypted: 'PKCS12_decrypt_skey(3): "Decrypt the PKCS#8 shrouded keybag".'
 *   the password has the length that was given: 'Signature: passlen; PKCS12_key_gen_utf8_ex(3), -1 for all.'
 *   a wrong password is refused: 'PKCS12_decrypt_skey(3): "NULL if an error occurred".'
 *   no password can be one: 'PKCS12_parse(3): NULL and an empty password.'
 *   algorithms come from the context and by the properties: 'PKCS12_decrypt_skey(3): ctx and propq.'
 *   the bag stays as it was: 'Signature: const PKCS12_SAFEBAG *.'
 *   nothing is leaked or freed twice: 'p12_kiss.c: parse_bag frees what it got, and the bag later.'
 ---*/
#include <openssl/provider.h>
#include "../testutil.h"
#include "memory_count.h"
#include "pb_pkcs8.h"

static PKCS12_SAFEBAG *bag(const char *pass, int length)
{
    PKCS8_PRIV_KEY_INFO *p8 = plus_p8(PLUS_EC);
    PKCS12_SAFEBAG *made = PKCS12_SAFEBAG_create_pkcs8_encrypt(NID_aes_128_cbc, pass, length,
                                                               (unsigned char *)"saltsalt", 8, 2,
                                                               p8);

    PKCS8_PRIV_KEY_INFO_free(p8);
    return made;
}

/* Is it the key? Frees it. */
static int is_it(PKCS8_PRIV_KEY_INFO *p8)
{
    PKCS8_PRIV_KEY_INFO *other = plus_p8(PLUS_EC);
    int length = 0, other_length = 0, ok;
    unsigned char *der = p8 == NULL ? NULL : plus_p8_bytes(p8, &length),
        *other_der = plus_p8_bytes(other, &other_length);

    ok = TEST_ptr(p8) && TEST_mem_eq(der, length, other_der, other_length);
    OPENSSL_free(der);
    OPENSSL_free(other_der);
    PKCS8_PRIV_KEY_INFO_free(other);
    PKCS8_PRIV_KEY_INFO_free(p8);
    return ok;
}

static int refused(PKCS8_PRIV_KEY_INFO *p8)
{
    int ok = TEST_ptr_null(p8);

    PKCS8_PRIV_KEY_INFO_free(p8);
    ERR_clear_error();
    return ok;
}

static int decrypted(void)
{
    PKCS12_SAFEBAG *b = bag("secret", -1);
    int ok = is_it(PKCS12_decrypt_skey_ex(b, "secret", -1, NULL, NULL))
        && is_it(PKCS12_decrypt_skey_ex(b, "secret", 6, NULL, NULL));

    PKCS12_SAFEBAG_free(b);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int given_length(void)
{
    PKCS12_SAFEBAG *b = bag("secretly", 6);
    int ok = is_it(PKCS12_decrypt_skey_ex(b, "secret", 6, NULL, NULL))
        && is_it(PKCS12_decrypt_skey_ex(b, "secrets", 6, NULL, NULL))
        && is_it(PKCS12_decrypt_skey_ex(b, "secret", -1, NULL, NULL));

    PKCS12_SAFEBAG_free(b);
    return ok;
}

static int wrong(void)
{
    PKCS12_SAFEBAG *b = bag("secret", -1);
    int ok = refused(PKCS12_decrypt_skey_ex(b, "Secret", -1, NULL, NULL))
        && refused(PKCS12_decrypt_skey_ex(b, "secret", 5, NULL, NULL))
        && refused(PKCS12_decrypt_skey_ex(b, "", 0, NULL, NULL))
        && refused(PKCS12_decrypt_skey_ex(b, NULL, 0, NULL, NULL))
        && is_it(PKCS12_decrypt_skey_ex(b, "secret", 6, NULL, NULL));

    PKCS12_SAFEBAG_free(b);
    return ok;
}

static int no_password(void)
{
    PKCS12_SAFEBAG *b = bag("", 0);
    int ok = is_it(PKCS12_decrypt_skey_ex(b, "", 0, NULL, NULL))
        && refused(PKCS12_decrypt_skey_ex(b, "x", -1, NULL, NULL));

    PKCS12_SAFEBAG_free(b);
    return ok;
}

static int from_context(void)
{
    OSSL_LIB_CTX *empty = OSSL_LIB_CTX_new(), *full = OSSL_LIB_CTX_new();
    OSSL_PROVIDER *none = OSSL_PROVIDER_load(empty, "null"),
        *some = OSSL_PROVIDER_load(full, "default");
    PKCS12_SAFEBAG *b = bag("secret", -1);
    int ok = refused(PKCS12_decrypt_skey_ex(b, "secret", -1, empty, NULL))
        && is_it(PKCS12_decrypt_skey_ex(b, "secret", -1, full, NULL))
        && is_it(PKCS12_decrypt_skey_ex(b, "secret", -1, full, "provider=default"))
        && refused(PKCS12_decrypt_skey_ex(b, "secret", -1, full, "provider=nowhere"))
        && refused(PKCS12_decrypt_skey_ex(b, "secret", -1, NULL, "provider=nowhere"));

    PKCS12_SAFEBAG_free(b);
    OSSL_PROVIDER_unload(none);
    OSSL_PROVIDER_unload(some);
    OSSL_LIB_CTX_free(empty);
    OSSL_LIB_CTX_free(full);
    return ok;
}

static int stays(void)
{
    PKCS12_SAFEBAG *b = bag("secret", -1);
    unsigned char *der = NULL, *after = NULL;
    int length = i2d_PKCS12_SAFEBAG(b, &der), after_length, ok;

    ok = is_it(PKCS12_decrypt_skey_ex(b, "secret", -1, NULL, NULL))
        && refused(PKCS12_decrypt_skey_ex(b, "wrong", -1, NULL, NULL))
        && is_it(PKCS12_decrypt_skey_ex(b, "secret", -1, NULL, NULL));
    after_length = i2d_PKCS12_SAFEBAG(b, &after);
    ok = ok && TEST_mem_eq(after, after_length, der, length);
    OPENSSL_free(der);
    OPENSSL_free(after);
    PKCS12_SAFEBAG_free(b);
    return ok;
}

static int balanced(void)
{
    long before;

    if (!decrypted() || !wrong() || !decrypted())
        return 0;
    before = memory_blocks;
    return decrypted() && wrong() && given_length() && TEST_long_eq(memory_blocks, before)
        && TEST_long_eq(memory_bad_frees, 0);
}

int setup_tests(void)
{
    add_test("the key is decrypted", decrypted);
    add_test("the password has the length that was given", given_length);
    add_test("a wrong password is refused", wrong);
    add_test("no password can be one", no_password);
    add_test("algorithms come from the context and by the properties", from_context);
    add_test("the bag stays as it was", stays);
    add_test("nothing is leaked or freed twice", balanced);
    return 1;
}
