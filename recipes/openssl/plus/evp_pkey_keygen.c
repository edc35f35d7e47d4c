/*---
 * tasks: [2EC2B72D1CCAE2A5]
 * tests:
 *   a key of the named type is generated: 'Docstring: "a new asymmetric key pair of algorithm type name".'
 *   each key is new: 'Docstring: "generating a new asymmetric key pair".'
 *   the key has both halves: 'Docstring: "key pair".'
 *   the size of an RSA modulus is a parameter: 'Docstring: "such as the RSA modulus size".'
 *   the curve is a parameter: 'Docstring: "or the name of an EC curve".'
 *   parameters that are refused give no key: 'EVP_PKEY_Q_keygen(3): "returns an EVP_PKEY, or NULL on failure".'
 *   a parameter that is missing gives no key: 'The same; EVP_PKEY-EC(7): the group is needed.'
 *   an unknown type gives no key: 'The same.'
 *   the algorithm is of the library context: 'Docstring: "The library context libctx ... used when fetching
 *     algorithms".'
 *   the algorithm has the properties asked for: 'Docstring: "property query propq ... used when fetching
 *     algorithms".'
 *   nothing is leaked on success or failure: 'The caller gets the key alone.'
 *   EVP_PKEY_Q_keygen passes all on: 'EVP_PKEY_Q_keygen(3), its only caller.'
 ---*/
#define OPENSSL_SUPPRESS_DEPRECATED
#include "memory_count.h"
#include "../../crypto/evp/evp_lib.c"
#include <openssl/provider.h>
#include "testutil.h"

static OSSL_LIB_CTX *empty, *own;

static EVP_PKEY *rsa(size_t bits)
{
    OSSL_PARAM params[] = { OSSL_PARAM_size_t(OSSL_PKEY_PARAM_RSA_BITS, &bits), OSSL_PARAM_END };

    return evp_pkey_keygen(NULL, "RSA", NULL, params);
}

static EVP_PKEY *ec(OSSL_LIB_CTX *libctx, const char *propq, const char *group)
{
    OSSL_PARAM params[2] = { OSSL_PARAM_END, OSSL_PARAM_END };

    if (group != NULL)
        params[0] = OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, (char *)group, 0);
    return evp_pkey_keygen(libctx, "EC", propq, params);
}

static EVP_PKEY *plain(OSSL_LIB_CTX *libctx, const char *type, const char *propq)
{
    static const OSSL_PARAM none[] = { OSSL_PARAM_END };

    return evp_pkey_keygen(libctx, type, propq, none);
}

static int none(EVP_PKEY *pkey)
{
    int ok = TEST_ptr_null(pkey);

    EVP_PKEY_free(pkey);
    ERR_clear_error();
    return ok;
}

static int named(void)
{
    static const char *types[] = { "X25519", "ED25519", "X448", "ED448" };
    size_t i;
    int ok = 1;

    for (i = 0; ok && i < OSSL_NELEM(types); i++) {
        EVP_PKEY *pkey = plain(NULL, types[i], NULL);

        ok = TEST_ptr(pkey) && TEST_true(EVP_PKEY_is_a(pkey, types[i]));
        EVP_PKEY_free(pkey);
    }
    return ok;
}

static int is_new(void)
{
    EVP_PKEY *one = plain(NULL, "X25519", NULL), *two = plain(NULL, "X25519", NULL);
    int ok = TEST_ptr(one) && TEST_ptr(two) && TEST_int_eq(EVP_PKEY_eq(one, two), 0);

    EVP_PKEY_free(one);
    EVP_PKEY_free(two);
    return ok;
}

static int both_halves(void)
{
    EVP_PKEY *pkey = ec(NULL, NULL, "P-256");
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(NULL, pkey, NULL);
    int ok = TEST_ptr(pkey) && TEST_ptr(ctx)
        && TEST_int_eq(EVP_PKEY_public_check(ctx), 1)
        && TEST_int_eq(EVP_PKEY_private_check(ctx), 1)
        && TEST_int_eq(EVP_PKEY_pairwise_check(ctx), 1);

    EVP_PKEY_CTX_free(ctx);
    EVP_PKEY_free(pkey);
    return ok;
}

static int size(void)
{
    EVP_PKEY *small = rsa(512), *larger = rsa(768);
    int ok = TEST_ptr(small) && TEST_int_eq(EVP_PKEY_get_bits(small), 512)
        && TEST_ptr(larger) && TEST_int_eq(EVP_PKEY_get_bits(larger), 768);

    EVP_PKEY_free(small);
    EVP_PKEY_free(larger);
    return ok;
}

static int has_group(EVP_PKEY *pkey, const char *expected)
{
    char group[32] = "";
    int ok = TEST_ptr(pkey)
        && TEST_true(EVP_PKEY_get_utf8_string_param(pkey, OSSL_PKEY_PARAM_GROUP_NAME, group, sizeof(group), NULL))
        && TEST_str_eq(group, expected);

    EVP_PKEY_free(pkey);
    return ok;
}

static int curve(void)
{
    return has_group(ec(NULL, NULL, "P-256"), "prime256v1") && has_group(ec(NULL, NULL, "secp384r1"), "secp384r1");
}

static int refused(void)
{
    size_t bits = 512;
    OSSL_PARAM bad_bits[] = { OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_RSA_BITS, "many", 4), OSSL_PARAM_END };
    OSSL_PARAM bad_exponent[] = {
        OSSL_PARAM_size_t(OSSL_PKEY_PARAM_RSA_BITS, &bits),
        OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_RSA_E, "odd", 3),
        OSSL_PARAM_END
    };

    return none(ec(NULL, NULL, "no-such-curve")) && none(rsa(64)) && none(rsa(1))
        /* Those that a key could do without, too. */
        && none(evp_pkey_keygen(NULL, "RSA", NULL, bad_exponent))
        && none(evp_pkey_keygen(NULL, "RSA", NULL, bad_bits));
}

static int missing(void)
{
    return none(ec(NULL, NULL, NULL));
}

static int unknown(void)
{
    return none(plain(NULL, "no-such-type", NULL)) && none(plain(NULL, "SHA256", NULL));
}

static int library_context(void)
{
    EVP_PKEY *pkey = plain(own, "X25519", NULL), *other = plain(NULL, "X25519", NULL);
    int ok = none(plain(empty, "X25519", NULL))
        && none(ec(empty, NULL, "P-256"))
        && TEST_ptr(pkey) && TEST_ptr(other)
        && TEST_ptr_eq(ossl_provider_libctx(EVP_KEYMGMT_get0_provider(pkey->keymgmt)), own)
        && TEST_ptr_ne(ossl_provider_libctx(EVP_KEYMGMT_get0_provider(other->keymgmt)), own);

    EVP_PKEY_free(pkey);
    EVP_PKEY_free(other);
    return ok;
}

static int properties(void)
{
    EVP_PKEY *pkey = plain(own, "X25519", "provider=default"), *optional = plain(NULL, "X25519", "?provider=nobody");
    int ok = TEST_ptr(pkey) && TEST_ptr(optional)
        && none(plain(own, "X25519", "provider=nobody"))
        && none(plain(NULL, "X25519", "provider=nobody"))
        && none(ec(NULL, "fips=yes", "P-256"));

    EVP_PKEY_free(pkey);
    EVP_PKEY_free(optional);
    return ok;
}

static int balanced(void)
{
    long before = 0;
    int round;

    /* The first rounds are for what is allocated once for all. */
    for (round = 0; round < 4; round++) {
        before = memory_blocks;
        EVP_PKEY_free(plain(NULL, "X25519", NULL));
        EVP_PKEY_free(ec(NULL, NULL, "P-256"));
        EVP_PKEY_free(ec(NULL, NULL, "no-such-curve"));
        EVP_PKEY_free(ec(NULL, NULL, NULL));
        EVP_PKEY_free(rsa(64));
        EVP_PKEY_free(plain(NULL, "no-such-type", NULL));
        EVP_PKEY_free(plain(NULL, "X25519", "provider=nobody"));
        ERR_clear_error();
    }
    return TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
}

static int q_keygen(void)
{
    EVP_PKEY *small = EVP_PKEY_Q_keygen(NULL, NULL, "RSA", (size_t)512);
    int ok = TEST_ptr(small) && TEST_int_eq(EVP_PKEY_get_bits(small), 512)
        && has_group(EVP_PKEY_Q_keygen(own, "provider=default", "EC", "P-384"), "secp384r1")
        && none(EVP_PKEY_Q_keygen(empty, NULL, "EC", "P-384"))
        && none(EVP_PKEY_Q_keygen(own, "provider=nobody", "X25519"))
        && none(EVP_PKEY_Q_keygen(NULL, NULL, "EC", "no-such-curve"));

    EVP_PKEY_free(small);
    return ok;
}

int setup_tests(void)
{
    /* The null provider has nothing, and keeps the default one from being loaded. */
    if (!TEST_ptr(empty = OSSL_LIB_CTX_new()) || !TEST_ptr(OSSL_PROVIDER_load(empty, "null"))
        || !TEST_ptr(own = OSSL_LIB_CTX_new()) || !TEST_ptr(OSSL_PROVIDER_load(own, "default")))
        return 0;
    add_test("a key of the named type is generated", named);
    add_test("each key is new", is_new);
    add_test("the key has both halves", both_halves);
    add_test("the size of an RSA modulus is a parameter", size);
    add_test("the curve is a parameter", curve);
    add_test("parameters that are refused give no key", refused);
    add_test("a parameter that is missing gives no key", missing);
    add_test("an unknown type gives no key", unknown);
    add_test("the algorithm is of the library context", library_context);
    add_test("the algorithm has the properties asked for", properties);
    add_test("nothing is leaked on success or failure", balanced);
    add_test("EVP_PKEY_Q_keygen passes all on", q_keygen);
    return 1;
}

void cleanup_tests(void)
{
    OSSL_LIB_CTX_free(empty);
    OSSL_LIB_CTX_free(own);
}
