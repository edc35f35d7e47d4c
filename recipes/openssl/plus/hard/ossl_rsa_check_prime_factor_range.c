/*---
 * tasks: [ossl_bn_rsa_fips186_4_derive_prime-7d307e.16]
 * tests:
 *   the known primes are in the range: 'Docstring; acvp_test.inc: rsa_keygen0_p, q.'
 *   the lower bound of small numbers: 'Docstring: sqrt(2) 2^(nbits/2 - 1) <= p.'
 *   the lower bound of numbers of some words: 'Docstring: sqrt(2) 2^(nbits/2 - 1) <= p.'
 *   the lower bound of numbers longer than the constant: 'Docstring; bn_rsa_fips186_4.c: "1 /
 *     sqrt(2) * 2^256, rounded
 *     up".'
 *   the upper bound: 'Docstring: p <= 2^(nbits/2) - 1.'
 *   numbers that are much too small or large are out of the range: 'Docstring.'
 *   the number need not be odd or prime: 'Docstring: the range only.'
 *   the number stays: 'Signature.'
 *   nothing is leaked and memory that is refused is a failure: 'Caller
 *     ossl_rsa_check_prime_factor: "!= 1" fails;
 *     BN_CTX_start(3).'
 ---*/
#define OPENSSL_SUPPRESS_DEPRECATED
#include "../../crypto/rsa/rsa_local.h"
#include "testutil.h"
#include "refused_nth.h"
#include "rsa_numbers.h"

static int word(BN_ULONG p, int nbits)
{
    return ossl_rsa_check_prime_factor_range(plus_word(p), nbits, plus_ctx) == 1;
}

static int hex(const char *p, int nbits)
{
    return ossl_rsa_check_prime_factor_range(plus_hex(p), nbits, plus_ctx) == 1;
}

/* 2^exponent + more */
static int power(int exponent, int more, int nbits)
{
    BIGNUM *p = plus_word(0);

    BN_set_bit(p, exponent);
    if (more < 0)
        BN_sub_word(p, -more);
    else
        BN_add_word(p, more);
    return ossl_rsa_check_prime_factor_range(p, nbits, plus_ctx) == 1;
}

/* The first 256 bits of sqrt(2), rounded down. */
#define ROOT "b504f333f9de6484597d89b3754abe9f1d6f60ba893ba84ced17ac8583339915"

PLUS_TEST(known)
{
    return TEST_true(hex(KAT_P, 2048)) && TEST_true(hex(KAT_Q, 2048))
        && TEST_false(hex(KAT_P, 2050))
        && TEST_false(hex(KAT_P, 2046));
}

PLUS_TEST(small)
{
    /* 11.3, 22.6, 45.3, 90.5, 181.02, 46340.95 */
    return TEST_false(word(11, 8)) && TEST_true(word(12, 8)) && TEST_false(word(22, 10))
        && TEST_true(word(23, 10))
        && TEST_false(word(45, 12)) && TEST_true(word(46, 12)) && TEST_false(word(90, 14))
        && TEST_true(word(91, 14))
        && TEST_false(word(181, 16)) && TEST_true(word(182, 16))
        && TEST_false(word(46340, 32)) && TEST_true(word(46341, 32));
}

PLUS_TEST(words)
{
    return TEST_false(hex("b504f333f9de6484", 128)) && TEST_true(hex("b504f333f9de6485", 128))
        && TEST_false(hex("16a09e667f3bcc908", 130)) && TEST_true(hex("16a09e667f3bcc909", 130))
        && TEST_false(hex("b504f333f9de6484597d89b3754abe9f", 256))
        && TEST_true(hex("b504f333f9de6484597d89b3754abea0", 256))
        && TEST_false(hex("5a827999fcef32422cbec4d9baa55f4f8eb7b05d449dd426768bd642c199cc8a", 510))
        && TEST_true(hex("5a827999fcef32422cbec4d9baa55f4f8eb7b05d449dd426768bd642c199cc8c", 510));
}

PLUS_TEST(longer)
{
    BIGNUM *low = plus_hex(ROOT), *high = plus_hex(ROOT);

    /* What the constant leaves open is left open here. */
    BN_add_word(high, 1);
    BN_lshift(low, low, 768);
    BN_lshift(high, high, 768);
    BN_add_word(high, 1);
    if (!TEST_int_ne(ossl_rsa_check_prime_factor_range(low, 2048, plus_ctx), 1)
            || !TEST_int_eq(ossl_rsa_check_prime_factor_range(high, 2048, plus_ctx), 1)
            || !TEST_false(hex(ROOT, 512)))
        return 0;
    low = plus_hex(ROOT);
    BN_sub_word(low, 5);
    high = plus_hex(ROOT);
    BN_add_word(high, 2);
    return TEST_int_ne(ossl_rsa_check_prime_factor_range(low, 512, plus_ctx), 1)
        && TEST_int_eq(ossl_rsa_check_prime_factor_range(high, 512, plus_ctx), 1)
        && TEST_true(BN_lshift(low, low, 1)) && TEST_true(BN_lshift(high, high, 1))
        && TEST_int_ne(ossl_rsa_check_prime_factor_range(low, 514, plus_ctx), 1)
        && TEST_int_eq(ossl_rsa_check_prime_factor_range(high, 514, plus_ctx), 1);
}

PLUS_TEST(upper)
{
    return TEST_true(word(15, 8)) && TEST_false(word(16, 8)) && TEST_true(word(255, 16))
        && TEST_false(word(256, 16))
        && TEST_true(power(64, -1, 128)) && TEST_false(power(64, 0, 128))
        && TEST_false(power(64, 1, 128))
        && TEST_true(power(256, -1, 512)) && TEST_false(power(256, 0, 512))
        && TEST_true(power(1024, -1, 2048)) && TEST_false(power(1024, 0, 2048))
        && TEST_false(power(1024, 1, 2048));
}

PLUS_TEST(much)
{
    return TEST_false(word(0, 16)) && TEST_false(word(1, 16)) && TEST_false(word(127, 16))
        && TEST_false(word(511, 16))
        && TEST_false(word(65535, 16)) && TEST_false(power(1023, 1, 2048))
        && TEST_false(power(1022, 0, 2048))
        && TEST_false(power(2047, 1, 2048)) && TEST_false(power(1025, -1, 2048));
}

PLUS_TEST(any)
{
    return TEST_true(word(14, 8)) && TEST_true(word(200, 16)) && TEST_true(word(225, 16))
        && TEST_true(power(1024, -2, 2048));
}

PLUS_TEST(stays)
{
    BIGNUM *p = plus_hex(KAT_P);

    return TEST_int_eq(ossl_rsa_check_prime_factor_range(p, 2048, plus_ctx), 1)
        && TEST_BN_eq(p, plus_hex(KAT_P))
        && TEST_int_ne(ossl_rsa_check_prime_factor_range(p, 1024, plus_ctx), 1)
        && TEST_BN_eq(p, plus_hex(KAT_P))
        && TEST_int_eq(ossl_rsa_check_prime_factor_range(p, 2048, plus_ctx), 1)
        /* The constant stays as well. */
        && small_body() && words_body();
}

static BIGNUM *good, *low, *large;

static void call(void)
{
    ossl_rsa_check_prime_factor_range(good, 2048, plus_ctx);
    ossl_rsa_check_prime_factor_range(low, 2048, plus_ctx);
    ossl_rsa_check_prime_factor_range(large, 2048, plus_ctx);
    ossl_rsa_check_prime_factor_range(low, 16, plus_ctx);
}

PLUS_TEST(leak)
{
    BN_CTX *own;
    int i, ok;

    good = plus_hex(KAT_P);
    low = plus_word(0);
    BN_set_bit(low, 1023);
    large = plus_word(0);
    BN_set_bit(large, 1024);
    ok = plus_balanced(call);
    for (i = 0; i < 24 && ok; i++) {
        own = BN_CTX_new();
        plus_refuse(i);
        ok = ossl_rsa_check_prime_factor_range(low, 2048, own) != 1
            && (i > 0 || ossl_rsa_check_prime_factor_range(good, 2048, own) != 1);
        plus_refuse(-1);
        BN_CTX_free(own);
    }
    return TEST_true(ok);
}

int setup_tests(void)
{
    add_test("the known primes are in the range", known);
    add_test("the lower bound of small numbers", small);
    add_test("the lower bound of numbers of some words", words);
    add_test("the lower bound of numbers longer than the constant", longer);
    add_test("the upper bound", upper);
    add_test("numbers that are much too small or large are out of the range", much);
    add_test("the number need not be odd or prime", any);
    add_test("the number stays", stays);
    add_test("nothing is leaked and memory that is refused is a failure", leak);
    return 1;
}
