/*---
 * tasks: [ossl_bn_rsa_fips186_4_derive_prime-7d307e.16,
 *     ossl_bn_rsa_fips186_4_derive_prime-7d307e.8]
 * tests:
 *   a pair of keys passes: 'Docstring: "1 if the RSA key passes the pairwise test"; acvp_test.inc:
 *     rsa_keygen0_*.'
 *   small pairs pass: 'Docstring: k = (k^e)^d mod n for some integer k where 1 < k < n-1.'
 *   any private exponent that undoes e passes: 'Docstring: only k = (k^e)^d mod n counts; FIPS
 *     186-4: mod lcm or phi.'
 *   a wrong private exponent fails: 'Docstring: "or 0 if it fails".'
 *   a wrong public exponent or modulus fails: 'Docstring: "or 0 if it fails".'
 *   only n, e and d are needed: 'Docstring: k = (k^e)^d mod n.'
 *   a failure leaves an error and a success none: 'RSA_R_PAIRWISE_TEST_FAILURE;
 *     ossl_rsa_sp800_56b_generate_key
 *     returns the result without an error of its own; ERR_get_error(3).'
 *   the key stays as it was: 'Docstring: it verifies.'
 *   nothing is leaked and memory that is refused is a failure: 'Docstring: "or 0 if it fails";
 *     BN_CTX_start(3).'
 ---*/
#define OPENSSL_SUPPRESS_DEPRECATED
#include "../../crypto/rsa/rsa_local.h"
#include "testutil.h"
#include "refused_nth.h"
#include "rsa_numbers.h"

static int result(BIGNUM *n, BIGNUM *e, BIGNUM *d)
{
    RSA *rsa = plus_key(n, e, d, NULL, NULL);
    int got = ossl_rsa_sp800_56b_pairwise_test(rsa, plus_ctx);

    RSA_free(rsa);
    return got;
}

static int words(BN_ULONG n, BN_ULONG e, BN_ULONG d)
{
    return result(plus_word(n), plus_word(e), plus_word(d));
}

PLUS_TEST(passes)
{
    return TEST_int_eq(result(plus_hex(KAT_N), plus_word(65537), plus_hex(KAT_D)), 1);
}

PLUS_TEST(small)
{
    return TEST_int_eq(words(3233, 17, 413), 1) && TEST_int_eq(words(255, 5, 45), 1)
        && TEST_int_eq(words(187, 7, 23), 1);
}

PLUS_TEST(any)
{
    return TEST_int_eq(words(3233, 17, 2753), 1) && TEST_int_eq(words(3233, 17, 413 + 7 * 780), 1)
        && TEST_int_eq(words(3233, 413, 17), 1);
}

PLUS_TEST(wrong_d)
{
    return TEST_int_eq(words(3233, 17, 412), 0) && TEST_int_eq(words(3233, 17, 414), 0)
        && TEST_int_eq(words(3233, 17, 17), 0) && TEST_int_eq(words(3233, 17, 1), 0)
        && TEST_int_eq(words(3233, 17, 0), 0)
        && TEST_int_eq(result(plus_hex(KAT_N), plus_word(65537), plus_hex(KAT_P)), 0);
}

PLUS_TEST(wrong_n)
{
    return TEST_int_eq(words(3235, 17, 413), 0) && TEST_int_eq(words(3231, 17, 413), 0)
        && TEST_int_eq(words(3233, 19, 413), 0) && TEST_int_eq(words(3233, 1, 413), 0)
        && TEST_int_eq(result(plus_hex(KAT_N), plus_word(3), plus_hex(KAT_D)), 0);
}

PLUS_TEST(needed)
{
    RSA *rsa = plus_key(plus_word(3233), plus_word(17), plus_word(413), plus_word(7), plus_word(11));
    int ok = TEST_int_eq(ossl_rsa_sp800_56b_pairwise_test(rsa, plus_ctx), 1);

    RSA_free(rsa);
    return ok && TEST_int_eq(words(3233, 17, 413), 1);
}

PLUS_TEST(error)
{
    ERR_clear_error();
    if (!TEST_int_eq(words(3233, 17, 413), 1) || !TEST_ulong_eq(ERR_peek_error(), 0))
        return 0;
    return TEST_int_eq(words(3233, 17, 414), 0) && TEST_ulong_ne(ERR_peek_error(), 0);
}

PLUS_TEST(stays)
{
    RSA *rsa = plus_key(plus_hex(KAT_N), plus_word(65537), plus_hex(KAT_D), plus_hex(KAT_P), NULL);
    int ok = TEST_int_eq(ossl_rsa_sp800_56b_pairwise_test(rsa, plus_ctx), 1)
        && TEST_BN_eq(rsa->n, plus_hex(KAT_N)) && TEST_BN_eq_word(rsa->e, 65537)
        && TEST_BN_eq(rsa->d, plus_hex(KAT_D))
        && TEST_BN_eq(rsa->p, plus_hex(KAT_P)) && TEST_ptr_null(rsa->q)
        && TEST_int_eq(ossl_rsa_sp800_56b_pairwise_test(rsa, plus_ctx), 1);

    RSA_free(rsa);
    return ok;
}

static RSA *good, *bad;

static void both(void)
{
    ossl_rsa_sp800_56b_pairwise_test(good, plus_ctx);
    ossl_rsa_sp800_56b_pairwise_test(bad, plus_ctx);
}

PLUS_TEST(leak)
{
    BN_CTX *own;
    int i, got, ok;

    good = plus_key(plus_word(3233), plus_word(17), plus_word(413), NULL, NULL);
    bad = plus_key(plus_word(3233), plus_word(17), plus_word(414), NULL, NULL);
    ok = plus_balanced(both);
    for (i = 0; i < 120 && ok; i++) {
        own = BN_CTX_new();
        plus_refuse(i);
        got = ossl_rsa_sp800_56b_pairwise_test(good, own);
        plus_refuse(-1);
        ok = TEST_true(got == 0 || got == 1) && (i > 0 || TEST_int_eq(got, 0));
        plus_refuse(i);
        got = ossl_rsa_sp800_56b_pairwise_test(bad, own);
        plus_refuse(-1);
        ok = ok && TEST_int_eq(got, 0);
        BN_CTX_free(own);
    }
    RSA_free(good);
    RSA_free(bad);
    return ok;
}

int setup_tests(void)
{
    add_test("a pair of keys passes", passes);
    add_test("small pairs pass", small);
    add_test("any private exponent that undoes e passes", any);
    add_test("a wrong private exponent fails", wrong_d);
    add_test("a wrong public exponent or modulus fails", wrong_n);
    add_test("only n, e and d are needed", needed);
    add_test("a failure leaves an error and a success none", error);
    add_test("the key stays as it was", stays);
    add_test("nothing is leaked and memory that is refused is a failure", leak);
    return 1;
}
