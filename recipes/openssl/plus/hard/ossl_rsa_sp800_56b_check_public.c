/*---
 * tasks: [ossl_bn_rsa_fips186_4_derive_prime-7d307e.16]
 * tests:
 *   the known public key is valid: 'Docstring: "Partial Public Key Validation"; acvp_test.inc:
 *     rsa_keygen0_n.'
 *   other products of large primes are valid: 'Docstring: "(Explicit) Partial Public Key
 *     Validation".'
 *   n and e must be there: 'rsa_sp800_56b_test.c: "check NULL pointers fail".'
 *   n must be odd: 'SP800-89 5.3.3 c; rsa_sp800_56b_test.c: "check fail if n is even".'
 *   the exponent must be valid: 'SP800-89 5.3.3 b; ossl_rsa_check_public_exponent: odd and more
 *     than 1.'
 *   n must have no small factor: 'SP800-89 5.3.3 f: no factors smaller than 752.'
 *   n must not be prime: 'SP800-89 5.3.3 d: composite.'
 *   n must not be the power of a prime: 'SP800-89 5.3.3 e: not a power of a prime.'
 *   a modulus of more than 16384 bits is refused: 'OPENSSL_RSA_MAX_MODULUS_BITS;
 *     RSA_R_MODULUS_TOO_LARGE.'
 *   a short modulus is valid outside of the FIPS module: 'RSA_MIN_MODULUS_BITS.'
 *   only n and e are looked at, and they stay: 'Docstring: public key; signature: const.'
 *   a key that is not valid leaves an error: 'RSA_R_INVALID_MODULUS,
 *     RSA_R_PUB_EXPONENT_OUT_OF_RANGE;
 *     rsa_chk.c: ossl_rsa_validate_public returns the result alone.'
 *   a generator that fails is a failure: 'Miller-Rabin needs random bases; caller
 *     ossl_rsa_validate_public.'
 *   nothing is leaked and memory that is refused is a failure: 'Caller ossl_rsa_validate_public.'
 ---*/
#define OPENSSL_SUPPRESS_DEPRECATED
#include "../../crypto/rsa/rsa_local.h"
#include "testutil.h"
#include "refused_nth.h"
#include "rsa_numbers.h"

#define GOOD_P "db871d9f411413a1011e9e43ea5e50d63331339a32d1f33bee44bb2c0324bb3f"
#define GOOD_Q "da0fc7addfa3b67c67014738d91edf59cc9f929d4a6c0a5755bf2b55ab49b631"
#define COMPOSITE_P "ba9fa22ef428a617de91328ce81acc09702a921ff8f6527e64ad63ae32f6e1b9"

static int check(BIGNUM *n, BIGNUM *e)
{
    RSA *rsa = plus_key(n, e, NULL, NULL, NULL);
    int result = ossl_rsa_sp800_56b_check_public(rsa);

    RSA_free(rsa);
    return result;
}

static BIGNUM *product(BIGNUM *a, BIGNUM *b)
{
    BIGNUM *n = plus_word(0);

    BN_mul(n, a, b, plus_ctx);
    return n;
}

static int modulus(BIGNUM *n)
{
    return check(n, plus_word(65537));
}

PLUS_TEST(known)
{
    return TEST_true(modulus(plus_hex(KAT_N)));
}

PLUS_TEST(others)
{
    return TEST_true(modulus(product(plus_hex(GOOD_P), plus_hex(GOOD_Q))))
        && TEST_true(check(product(plus_hex(GOOD_P), plus_hex(KAT_Q)), plus_word(3)))
        && TEST_true(check(product(plus_hex(GOOD_P), plus_hex(KAT_Q)), plus_word(17)))
        /* Three primes. */
        && TEST_true(modulus(product(plus_hex(GOOD_P), product(plus_hex(GOOD_Q), plus_hex(KAT_Q1)))))
        && TEST_true(modulus(product(plus_hex(KAT_Q), plus_word(2147483647))));
}

PLUS_TEST(there)
{
    return TEST_false(check(NULL, plus_word(65537))) && TEST_false(check(plus_hex(KAT_N), NULL))
        && TEST_false(check(NULL, NULL));
}

PLUS_TEST(odd)
{
    BIGNUM *n = product(plus_hex(GOOD_P), plus_hex(GOOD_Q)), *twice = plus_word(0);

    BN_lshift1(twice, n);
    BN_add_word(n, 1);
    return TEST_false(modulus(n)) && TEST_false(modulus(twice)) && TEST_false(modulus(plus_word(0)));
}

PLUS_TEST(exponent)
{
    BIGNUM *n = product(plus_hex(GOOD_P), plus_hex(GOOD_Q));

    return TEST_false(check(n, plus_word(65536))) && TEST_false(check(n, plus_word(65538)))
        && TEST_false(check(n, plus_word(1)))
        && TEST_false(check(n, plus_word(2))) && TEST_false(check(n, plus_word(0)))
        && TEST_true(check(n, plus_word(3)));
}

PLUS_TEST(small_factor)
{
    static const int factors[] = { 3, 5, 7, 17, 127, 509, 743, 751 };
    size_t i;

    for (i = 0; i < OSSL_NELEM(factors); i++)
        if (!TEST_false(modulus(product(product(plus_hex(GOOD_P), plus_hex(GOOD_Q)),
                                        plus_word(factors[i])))))
            return 0;
    return TEST_false(modulus(plus_word(3233)));
}

PLUS_TEST(prime)
{
    return TEST_false(modulus(plus_hex(KAT_P))) && TEST_false(modulus(plus_hex(KAT_Q)))
        && TEST_false(modulus(plus_hex(GOOD_P)))
        && TEST_false(modulus(plus_word(1000003))) && TEST_true(modulus(plus_hex(COMPOSITE_P)));
}

PLUS_TEST(power)
{
    return TEST_false(modulus(product(plus_hex(GOOD_P), plus_hex(GOOD_P))))
        && TEST_false(modulus(product(plus_hex(KAT_P), plus_hex(KAT_P))))
        && TEST_false(modulus(product(plus_hex(GOOD_Q), product(plus_hex(GOOD_Q), plus_hex(GOOD_Q)))));
}

PLUS_TEST(too_large)
{
    /* The fourteenth number of Fermat: composite, without small factors. */
    BIGNUM *n = plus_word(1);

    BN_set_bit(n, 16384);
    return TEST_false(modulus(n));
}

PLUS_TEST(small)
{
    return TEST_true(modulus(plus_word(761 * 769))) && TEST_true(modulus(plus_word(65521UL * 65519UL)))
        && TEST_true(modulus(product(plus_word(4294967291), plus_word(4294967279))));
}

PLUS_TEST(only)
{
    BIGNUM *n = product(plus_hex(GOOD_P), plus_hex(GOOD_Q));
    RSA *rsa = plus_key(n, plus_word(17), plus_word(4), plus_word(6), plus_word(8));
    int i, ok = 1;

    for (i = 0; i < 2 && ok; i++)
        ok = TEST_true(ossl_rsa_sp800_56b_check_public(rsa)) && TEST_BN_eq(rsa->n, n)
            && TEST_BN_eq_word(rsa->e, 17)
            && TEST_BN_eq_word(rsa->d, 4) && TEST_BN_eq_word(rsa->p, 6)
            && TEST_BN_eq_word(rsa->q, 8);
    RSA_free(rsa);
    return ok;
}

static int leaves(BIGNUM *n, BN_ULONG e)
{
    int ok;

    ERR_clear_error();
    ok = TEST_false(check(n, plus_word(e))) && TEST_ulong_ne(ERR_peek_error(), 0);
    ERR_clear_error();
    return ok;
}

PLUS_TEST(error)
{
    BIGNUM *n = product(plus_hex(GOOD_P), plus_hex(GOOD_Q));

    return leaves(n, 65536) && leaves(plus_hex(KAT_P), 3) && leaves(product(n, plus_word(7)), 3)
        && leaves(product(n, plus_word(2)), 3) && TEST_true(check(n, plus_word(3)))
        && TEST_ulong_eq(ERR_peek_error(), 0);
}

PLUS_TEST(failing)
{
    int ok;

    plus_random_fails = 1;
    ok = TEST_false(modulus(plus_hex(KAT_N)));
    plus_random_fails = 0;
    return ok;
}

static RSA *good, *wrong, *even, *seven;

static void call(void)
{
    ossl_rsa_sp800_56b_check_public(good);
    ossl_rsa_sp800_56b_check_public(wrong);
    ossl_rsa_sp800_56b_check_public(even);
    ossl_rsa_sp800_56b_check_public(seven);
}

PLUS_TEST(leak)
{
    BIGNUM *n = product(plus_hex(GOOD_P), plus_hex(GOOD_Q));
    int i, ok;

    good = plus_key(n, plus_word(3), NULL, NULL, NULL);
    wrong = plus_key(plus_hex(GOOD_P), plus_word(3), NULL, NULL, NULL);
    even = plus_key(n, plus_word(4), NULL, NULL, NULL);
    seven = plus_key(product(n, plus_word(7)), plus_word(3), NULL, NULL, NULL);
    ok = plus_balanced(call);
    for (i = 0; i < 160 && ok; i++) {
        plus_refuse(i);
        ok = !ossl_rsa_sp800_56b_check_public(wrong)
            && (i > 0 || !ossl_rsa_sp800_56b_check_public(good));
        plus_refuse(i);
        ok = ok && !ossl_rsa_sp800_56b_check_public(seven);
        plus_refuse(-1);
    }
    RSA_free(good);
    RSA_free(wrong);
    RSA_free(even);
    RSA_free(seven);
    return TEST_true(ok);
}

int setup_tests(void)
{
    if (!plus_fixed_random(NULL))
        return 0;
    add_test("the known public key is valid", known);
    add_test("other products of large primes are valid", others);
    add_test("n must be odd", odd);
    add_test("the exponent must be valid", exponent);
    add_test("n must have no small factor", small_factor);
    add_test("n must not be prime", prime);
    add_test("n must not be the power of a prime", power);
    add_test("a modulus of more than 16384 bits is refused", too_large);
    add_test("a short modulus is valid outside of the FIPS module", small);
    add_test("only n and e are looked at, and they stay", only);
    add_test("a key that is not valid leaves an error", error);
    add_test("a generator that fails is a failure", failing);
    add_test("nothing is leaked and memory that is refused is a failure", leak);
    add_test("n and e must be there", there);
    return 1;
}
