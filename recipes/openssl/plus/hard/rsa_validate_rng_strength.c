/*---
 * tasks: [ossl_bn_rsa_fips186_4_derive_prime-7d307e.16,
 *     ossl_bn_rsa_fips186_4_derive_prime-7d307e.8]
 * tests:
 *   a missing generator is refused: 'Caller ossl_rsa_sp800_56b_generate_key hands on what
 *     RAND_get0_private returns,
 *     which is NULL on error (RAND_get0_primary(3)), and takes 0 for a failure.'
 *   a strong generator is taken for each size of key: 'Docstring: "of sufficient strength to
 *     generate a key of the
 *     specified length"; SP 800-57: 2048 bits have a strength of 112, 3072 of 128, 15360 of 256.'
 *   a generator of just the strength of the key is taken: 'Docstring: "of sufficient strength".'
 *   a weaker generator is refused in the FIPS module: 'Docstring;
 *     RSA_R_RANDOMNESS_SOURCE_STRENGTH_INSUFFICIENT.'
 *   a generator can be too weak for a longer key only: 'Docstring: "a key of the specified
 *     length".'
 *   a generator that is not strong enough leaves an error:
 *     'RSA_R_RANDOMNESS_SOURCE_STRENGTH_INSUFFICIENT; the caller
 *     returns without one of its own.'
 ---*/
/* As it stands in the FIPS module; in others a build may go without the check of the strength. */
#define FIPS_MODULE
#include "../../crypto/rsa/rsa_sp800_56b_gen.c"
#undef FIPS_MODULE
#include <openssl/core_names.h>
#include <openssl/params.h>
#include "testutil.h"

/*
 * Is a generator of this strength sufficient for a key of nbits? -1 if there is no such generator.
 */
static int sufficient(unsigned int strength, int nbits)
{
    EVP_RAND *rand = EVP_RAND_fetch(NULL, "TEST-RAND", NULL);
    EVP_RAND_CTX *rng = EVP_RAND_CTX_new(rand, NULL);
    OSSL_PARAM params[2] = { OSSL_PARAM_END, OSSL_PARAM_END };
    int result = -1;

    params[0] = OSSL_PARAM_construct_uint(OSSL_RAND_PARAM_STRENGTH, &strength);
    if (TEST_ptr(rng) && TEST_true(EVP_RAND_CTX_set_params(rng, params))
            && TEST_true(EVP_RAND_instantiate(rng, strength, 0, NULL, 0, NULL))
            && TEST_uint_eq(EVP_RAND_get_strength(rng), strength))
        result = rsa_validate_rng_strength(rng, nbits);
    EVP_RAND_CTX_free(rng);
    EVP_RAND_free(rand);
    return result;
}

static int takes(unsigned int strength, int nbits)
{
    return TEST_int_eq(sufficient(strength, nbits), 1);
}

static int refuses(unsigned int strength, int nbits)
{
    int ok = TEST_int_eq(sufficient(strength, nbits), 0);

    ERR_clear_error();
    return ok;
}

static int missing(void)
{
    return TEST_int_eq(rsa_validate_rng_strength(NULL, 2048), 0)
        && TEST_int_eq(rsa_validate_rng_strength(NULL, 0), 0);
}

static int strong(void)
{
    return takes(256, 2048) && takes(256, 3072) && takes(256, 4096) && takes(256, 7680)
        && takes(256, 15360)
        && takes(1024, 2048)
        && TEST_int_eq(rsa_validate_rng_strength(RAND_get0_private(NULL), 2048), 1);
}

static int just(void)
{
    return takes(112, 2048) && takes(128, 3072) && takes(152, 4096) && takes(192, 7680)
        && takes(256, 15360);
}

static int weaker(void)
{
    return refuses(111, 2048) && refuses(127, 3072) && refuses(151, 4096) && refuses(191, 7680)
        && refuses(255, 15360) && refuses(1, 2048);
}

static int longer(void)
{
    return takes(128, 2048) && takes(128, 3072) && refuses(128, 4096) && refuses(128, 15360)
        && takes(112, 2048) && refuses(112, 3072);
}

static int error(void)
{
    int ok;

    ERR_clear_error();
    ok = takes(128, 3072) && TEST_ulong_eq(ERR_peek_error(), 0)
        && TEST_int_eq(sufficient(112, 3072), 0) && TEST_ulong_ne(ERR_peek_error(), 0);
    ERR_clear_error();
    return ok;
}

int setup_tests(void)
{
    add_test("a strong generator is taken for each size of key", strong);
    add_test("a generator of just the strength of the key is taken", just);
    add_test("a weaker generator is refused in the FIPS module", weaker);
    add_test("a generator can be too weak for a longer key only", longer);
    add_test("a generator that is not strong enough leaves an error", error);
    add_test("a missing generator is refused", missing);
    return 1;
}
