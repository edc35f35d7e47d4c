/*---
 * tasks: [ossl_bn_rsa_fips186_4_derive_prime-7d307e.16]
 * tests:
 *   the known primes are prime factors: 'Docstring; acvp_test.inc: rsa_keygen0_p, q.'
 *   small primes in the range are prime factors: 'Docstring: "p is prime AND GCD(p - 1, e) = 1".'
 *   a composite number is none: 'Docstring: "p is prime".'
 *   a prime out of the range is none: 'SP800-56Br1 6.4.1.2.3 step 5 c;
 *     ossl_rsa_check_prime_factor_range.'
 *   p - 1 must be coprime to e: 'Docstring: "GCD(p - 1, e) = 1".'
 *   p itself need not be coprime to e: 'Docstring: GCD of p - 1.'
 *   p and e stay: 'Caller ossl_rsa_sp800_56b_check_keypair hands on the key''s numbers, which are
 *     const.'
 *   nothing is leaked and memory that is refused is a failure: 'Caller
 *     ossl_rsa_sp800_56b_check_keypair;
 *     BN_CTX_start(3).'
 ---*/
#define OPENSSL_SUPPRESS_DEPRECATED
#include "../../crypto/rsa/rsa_local.h"
#include "testutil.h"
#include "refused_nth.h"
#include "rsa_numbers.h"

static int word(BN_ULONG p, BN_ULONG e, int nbits)
{
    return ossl_rsa_check_prime_factor(plus_word(p), plus_word(e), nbits, plus_ctx);
}

PLUS_TEST(known)
{
    return TEST_true(ossl_rsa_check_prime_factor(plus_hex(KAT_P), plus_word(65537), 2048, plus_ctx))
        && TEST_true(ossl_rsa_check_prime_factor(plus_hex(KAT_Q), plus_word(65537), 2048, plus_ctx));
}

PLUS_TEST(small)
{
    return TEST_true(word(191, 3, 16)) && TEST_true(word(251, 3, 16))
        && TEST_true(word(227, 3, 16))
        && TEST_true(word(13, 5, 8)) && TEST_true(word(47, 3, 12))
        && TEST_true(word(65521, 65537, 32))
        && TEST_true(word(191, 1, 16)) && TEST_true(word(191, 65537, 16));
}

PLUS_TEST(composite_number)
{
    BIGNUM *p = plus_hex(KAT_P);

    BN_add_word(p, 2);
    return TEST_false(word(187, 5, 16)) && TEST_false(word(209, 5, 16))
        && TEST_false(word(221, 3, 16))
        && TEST_false(word(253, 5, 16)) && TEST_false(word(225, 3, 16))
        && TEST_false(word(200, 3, 16))
        && TEST_false(word(15, 5, 8))
        /* A Carmichael number, and a square. */
        && TEST_false(word(52633, 11, 32)) && TEST_false(word(251 * 251, 65537, 32))
        && TEST_false(ossl_rsa_check_prime_factor(p, plus_word(65537), 2048, plus_ctx));
}

PLUS_TEST(out_of_range)
{
    return TEST_false(word(179, 3, 16)) && TEST_false(word(181, 7, 16))
        && TEST_false(word(257, 3, 16))
        && TEST_false(word(131, 3, 16)) && TEST_false(word(191, 3, 18))
        && TEST_false(word(191, 3, 14))
        && TEST_false(word(2, 3, 16)) && TEST_false(word(3, 5, 16))
        && TEST_false(ossl_rsa_check_prime_factor(plus_hex(KAT_P1), plus_word(65537), 2048, plus_ctx));
}

PLUS_TEST(coprime)
{
    /* 190 = 2 5 19, 192 = 2^6 3, 250 = 2 5^3 */
    return TEST_false(word(191, 5, 16)) && TEST_false(word(191, 19, 16))
        && TEST_false(word(191, 2, 16))
        && TEST_false(word(191, 57, 16)) && TEST_false(word(193, 3, 16))
        && TEST_true(word(193, 5, 16))
        && TEST_false(word(251, 15, 16)) && TEST_true(word(251, 21, 16))
        && TEST_false(word(191, 95, 16))
        && TEST_false(word(191, 0, 16));
}

PLUS_TEST(itself)
{
    return TEST_true(word(191, 191, 16)) && TEST_true(word(191, 191 * 3, 16))
        /* p + 1 = 192 */
        && TEST_true(word(191, 3, 16));
}

PLUS_TEST(stay)
{
    BIGNUM *p = plus_word(191), *e = plus_word(3), *f = plus_word(5);

    return TEST_true(ossl_rsa_check_prime_factor(p, e, 16, plus_ctx)) && TEST_BN_eq_word(p, 191)
        && TEST_BN_eq_word(e, 3)
        && TEST_false(ossl_rsa_check_prime_factor(p, f, 16, plus_ctx)) && TEST_BN_eq_word(p, 191)
        && TEST_BN_eq_word(f, 5)
        && TEST_true(ossl_rsa_check_prime_factor(p, e, 16, plus_ctx));
}

static BIGNUM *p, *composite, *e, *f;

static void call(void)
{
    ossl_rsa_check_prime_factor(p, e, 16, plus_ctx);
    ossl_rsa_check_prime_factor(p, f, 16, plus_ctx);
    ossl_rsa_check_prime_factor(p, e, 18, plus_ctx);
    ossl_rsa_check_prime_factor(composite, e, 16, plus_ctx);
}

PLUS_TEST(leak)
{
    BN_CTX *own;
    int i, ok;

    p = plus_word(191);
    composite = plus_word(221);
    e = plus_word(3);
    f = plus_word(5);
    ok = plus_balanced(call);
    for (i = 0; i < 120 && ok; i++) {
        own = BN_CTX_new();
        plus_refuse(i);
        ok = !ossl_rsa_check_prime_factor(p, f, 16, own);
        plus_refuse(i);
        ok = ok && (i > 0 || !ossl_rsa_check_prime_factor(p, e, 16, own));
        plus_refuse(-1);
        BN_CTX_free(own);
    }
    return TEST_true(ok);
}

int setup_tests(void)
{
    if (!plus_fixed_random(NULL))
        return 0;
    add_test("the known primes are prime factors", known);
    add_test("small primes in the range are prime factors", small);
    add_test("a composite number is none", composite_number);
    add_test("a prime out of the range is none", out_of_range);
    add_test("p - 1 must be coprime to e", coprime);
    add_test("p itself need not be coprime to e", itself);
    add_test("p and e stay", stay);
    add_test("nothing is leaked and memory that is refused is a failure", leak);
    return 1;
}
