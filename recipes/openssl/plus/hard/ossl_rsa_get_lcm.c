/*---
 * tasks: [ossl_bn_rsa_fips186_4_derive_prime-7d307e.16]
 * tests:
 *   small numbers: 'Docstring: "return LCM(p-1, q-1)".'
 *   numbers whose p - 1 and q - 1 share nothing, or all: 'Docstring: LCM.'
 *   the known key has this lcm: 'acvp_test.inc: rsa_keygen0_*; SP800-56B: d e = 1 mod LCM(p-1,
 *     q-1).'
 *   p1 and q1 are p - 1 and q - 1: 'Callers ossl_rsa_sp800_56b_derive_params_from_pq reduces d by
 *     them.'
 *   what was in the results before does not matter: 'Docstring; callers take them from a BN_CTX,
 *     whose numbers may
 *     have been used.'
 *   numbers for constant time are taken: 'Docstring: "lcm, gcd, p1, q1, p1q1 are flagged with
 *     BN_FLG_CONSTTIME".'
 *   p and q stay: 'Signature.'
 *   nothing is leaked and memory that is refused is an error: 'Callers: "!= 1" is an error;
 *     BN_CTX_start(3).'
 ---*/
#define OPENSSL_SUPPRESS_DEPRECATED
#include "../../crypto/rsa/rsa_local.h"
#include "testutil.h"
#include "refused_nth.h"
#include "rsa_numbers.h"

static BIGNUM *lcm, *gcd, *p1, *q1, *p1q1;

static void results(BN_ULONG before)
{
    lcm = plus_word(before);
    gcd = plus_word(before);
    p1 = plus_word(before);
    q1 = plus_word(before);
    p1q1 = plus_word(before);
}

static int is(BN_ULONG p, BN_ULONG q, BN_ULONG expected)
{
    return TEST_int_eq(ossl_rsa_get_lcm(plus_ctx, plus_word(p), plus_word(q), lcm, gcd, p1, q1, p1q1), 1)
        && TEST_BN_eq_word(lcm, expected) && TEST_BN_eq_word(p1, p - 1)
        && TEST_BN_eq_word(q1, q - 1);
}

PLUS_TEST(small)
{
    results(0);
    return is(61, 53, 780) && is(15, 17, 112) && is(53, 61, 780) && is(11, 17, 80)
        && is(7, 19, 18);
}

PLUS_TEST(share)
{
    results(0);
    return is(2, 4, 3) && is(4, 8, 21) && is(13, 13, 12) && is(3, 5, 4) && is(2, 2, 1)
        && is(2, 65537, 65536)
        && is(1000001, 3, 1000000);
}

PLUS_TEST(known)
{
    BIGNUM *t = plus_word(0);

    results(0);
    if (!TEST_int_eq(ossl_rsa_get_lcm(plus_ctx, plus_hex(KAT_P), plus_hex(KAT_Q), lcm, gcd, p1, q1,
                                      p1q1), 1))
        return 0;
    /* d is less than it, and both p - 1 and q - 1 divide it. */
    return TEST_true(BN_mod_mul(t, plus_hex(KAT_D), plus_word(65537), lcm, plus_ctx))
        && TEST_BN_eq_one(t)
        && TEST_BN_gt(lcm, plus_hex(KAT_D)) && TEST_int_lt(BN_num_bits(lcm), 2048)
        && TEST_true(BN_mod(t, lcm, p1, plus_ctx)) && TEST_BN_eq_zero(t)
        && TEST_true(BN_mod(t, lcm, q1, plus_ctx)) && TEST_BN_eq_zero(t)
        /* lcm gcd = (p - 1)(q - 1) */
        && TEST_true(BN_gcd(t, p1, q1, plus_ctx)) && TEST_true(BN_mul(t, t, lcm, plus_ctx))
        && TEST_true(BN_mul(lcm, p1, q1, plus_ctx)) && TEST_BN_eq(t, lcm);
}

PLUS_TEST(minus)
{
    results(0);
    return is(61, 53, 780) && TEST_BN_eq_word(p1, 60) && TEST_BN_eq_word(q1, 52)
        && TEST_int_eq(ossl_rsa_get_lcm(plus_ctx, plus_hex(KAT_P), plus_hex(KAT_Q), lcm, gcd, p1, q1,
                                        p1q1), 1)
        && TEST_true(BN_add_word(p1, 1)) && TEST_BN_eq(p1, plus_hex(KAT_P))
        && TEST_true(BN_add_word(q1, 1)) && TEST_BN_eq(q1, plus_hex(KAT_Q));
}

PLUS_TEST(before)
{
    results(123456789);
    BN_copy(lcm, plus_hex(KAT_N));
    BN_copy(p1q1, plus_hex(KAT_N));
    BN_set_negative(lcm, 1);
    BN_set_negative(gcd, 1);
    BN_set_negative(p1, 1);
    BN_set_negative(q1, 1);
    BN_set_negative(p1q1, 1);
    return is(61, 53, 780) && is(61, 53, 780) && is(15, 17, 112);
}

PLUS_TEST(constant)
{
    results(0);
    BN_set_flags(lcm, BN_FLG_CONSTTIME);
    BN_set_flags(gcd, BN_FLG_CONSTTIME);
    BN_set_flags(p1, BN_FLG_CONSTTIME);
    BN_set_flags(q1, BN_FLG_CONSTTIME);
    BN_set_flags(p1q1, BN_FLG_CONSTTIME);
    return is(61, 53, 780) && is(4, 8, 21) && is(13, 13, 12);
}

PLUS_TEST(stay)
{
    BIGNUM *p = plus_word(61), *q = plus_word(53);

    results(0);
    return TEST_int_eq(ossl_rsa_get_lcm(plus_ctx, p, q, lcm, gcd, p1, q1, p1q1), 1)
        && TEST_BN_eq_word(p, 61)
        && TEST_BN_eq_word(q, 53);
}

static BIGNUM *p, *q;

static void call(void)
{
    ossl_rsa_get_lcm(plus_ctx, p, q, lcm, gcd, p1, q1, p1q1);
}

PLUS_TEST(leak)
{
    BN_CTX *own;
    int i, result;

    results(0);
    p = plus_hex(KAT_P);
    q = plus_hex(KAT_Q);
    if (!plus_balanced(call))
        return 0;
    p = plus_word(61);
    q = plus_word(53);
    for (i = 0; i < 80; i++) {
        /* Numbers that have no memory yet. */
        lcm = plus_keep(BN_new());
        gcd = plus_keep(BN_new());
        p1 = plus_keep(BN_new());
        q1 = plus_keep(BN_new());
        p1q1 = plus_keep(BN_new());
        own = BN_CTX_new();
        plus_refuse(i);
        result = ossl_rsa_get_lcm(own, p, q, lcm, gcd, p1, q1, p1q1);
        plus_refuse(-1);
        BN_CTX_free(own);
        if (result == 1 && !TEST_BN_eq_word(lcm, 780))
            return 0;
    }
    return TEST_int_eq(result, 1);
}

int setup_tests(void)
{
    add_test("small numbers", small);
    add_test("numbers whose p - 1 and q - 1 share nothing, or all", share);
    add_test("the known key has this lcm", known);
    add_test("p1 and q1 are p - 1 and q - 1", minus);
    add_test("what was in the results before does not matter", before);
    add_test("numbers for constant time are taken", constant);
    add_test("p and q stay", stay);
    add_test("nothing is leaked and memory that is refused is an error", leak);
    return 1;
}
