/*---
 * tasks: [ossl_bn_rsa_fips186_4_derive_prime-7d307e.16]
 * tests:
 *   odd exponents pass: 'Docstring: "Check exponent is odd"; rsa_sp800_56b_test.c: "small rsa
 *     exponents are allowed in
 *     non FIPS mode".'
 *   even exponents fail: 'Docstring: "Check exponent is odd."'
 *   1 is no exponent: 'rsa_sp800_56b_test.c: "e is too small will fail"; caller
 *     rsa_multiprime_keygen.'
 *   large exponents pass: 'Docstring: the bit length is checked for FIPS only.'
 *   in the FIPS module an exponent has 17 to 256 bits: 'Docstring: "For FIPS also check the bit
 *     length is in the range
 *     [17..256]".'
 *   in the FIPS module it is odd too: 'Docstring.'
 *   the exponent stays: 'Signature.'
 ---*/
/* The source once more as it stands in the FIPS module; the rest tests the library. */
#define FIPS_MODULE
#define ossl_rsa_check_crt_components fips_check_crt_components
#define ossl_rsa_check_prime_factor_range fips_check_prime_factor_range
#define ossl_rsa_check_prime_factor fips_check_prime_factor
#define ossl_rsa_check_private_exponent fips_check_private_exponent
#define ossl_rsa_check_public_exponent fips_check_public_exponent
#define ossl_rsa_check_pminusq_diff fips_check_pminusq_diff
#define ossl_rsa_get_lcm fips_get_lcm
#define ossl_rsa_sp800_56b_check_public fips_sp800_56b_check_public
#define ossl_rsa_sp800_56b_check_private fips_sp800_56b_check_private
#define ossl_rsa_sp800_56b_check_keypair fips_sp800_56b_check_keypair
#include "../../crypto/rsa/rsa_sp800_56b_check.c"
#undef FIPS_MODULE
#undef ossl_rsa_check_public_exponent
#include "testutil.h"
#include "rsa_numbers.h"

/* That of the library. */
int ossl_rsa_check_public_exponent(const BIGNUM *e);

static int word(BN_ULONG e)
{
    return ossl_rsa_check_public_exponent(plus_word(e));
}

/* 2^exponent + more */
static BIGNUM *power(int exponent, long more)
{
    BIGNUM *e = plus_word(0);

    BN_set_bit(e, exponent);
    if (more < 0)
        BN_sub_word(e, -more);
    else
        BN_add_word(e, more);
    return e;
}

PLUS_TEST(odd)
{
    return TEST_true(word(3)) && TEST_true(word(5)) && TEST_true(word(17)) && TEST_true(word(255))
        && TEST_true(word(65535)) && TEST_true(word(65537)) && TEST_true(word(4294967295));
}

PLUS_TEST(even)
{
    return TEST_false(word(0)) && TEST_false(word(2)) && TEST_false(word(4))
        && TEST_false(word(65536))
        && TEST_false(word(65538)) && TEST_false(ossl_rsa_check_public_exponent(power(64, 0)))
        && TEST_false(ossl_rsa_check_public_exponent(power(300, 2)));
}

PLUS_TEST(one)
{
    return TEST_false(word(1));
}

PLUS_TEST(large)
{
    return TEST_true(ossl_rsa_check_public_exponent(power(64, 1)))
        && TEST_true(ossl_rsa_check_public_exponent(power(256, -1)))
        && TEST_true(ossl_rsa_check_public_exponent(power(256, 1)))
        && TEST_true(ossl_rsa_check_public_exponent(power(1000, 1)));
}

PLUS_TEST(bits)
{
    return TEST_true(fips_check_public_exponent(plus_word(65537)))
        && TEST_true(fips_check_public_exponent(plus_word(131071)))
        && TEST_false(fips_check_public_exponent(plus_word(65535)))
        && TEST_false(fips_check_public_exponent(plus_word(3)))
        && TEST_false(fips_check_public_exponent(plus_word(1)))
        && TEST_true(fips_check_public_exponent(power(128, 1)))
        && TEST_true(fips_check_public_exponent(power(255, 1)))
        && TEST_true(fips_check_public_exponent(power(256, -1)))
        && TEST_false(fips_check_public_exponent(power(256, 1)))
        && TEST_false(fips_check_public_exponent(power(300, 1)));
}

PLUS_TEST(odd_too)
{
    return TEST_false(fips_check_public_exponent(plus_word(65538)))
        && TEST_false(fips_check_public_exponent(power(255, 0)))
        && TEST_false(fips_check_public_exponent(power(256, -2)));
}

PLUS_TEST(stays)
{
    BIGNUM *e = power(200, 5);

    return TEST_true(ossl_rsa_check_public_exponent(e)) && TEST_BN_eq(e, power(200, 5))
        && TEST_true(ossl_rsa_check_public_exponent(e));
}

int setup_tests(void)
{
    add_test("odd exponents pass", odd);
    add_test("even exponents fail", even);
    add_test("1 is no exponent", one);
    add_test("large exponents pass", large);
    add_test("in the FIPS module an exponent has 17 to 256 bits", bits);
    add_test("in the FIPS module it is odd too", odd_too);
    add_test("the exponent stays", stays);
    return 1;
}
