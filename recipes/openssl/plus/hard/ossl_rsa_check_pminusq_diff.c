/*---
 * tasks: [ossl_bn_rsa_fips186_4_derive_prime-7d307e.16]
 * tests:
 *   primes far apart pass: 'Docstring: |p - q| > 2^(nbits/2 - 100).'
 *   a difference of just the bound fails and one more passes: 'Docstring: "|p - q| > 2^(nbits/2 -
 *     100)".'
 *   it doesn't matter which is the larger: 'Docstring: |p - q|.'
 *   equal numbers fail: 'Docstring: |p - q| > ...; caller ossl_rsa_fips186_4_gen_prob_primes tries
 *     again on 0.'
 *   small keys have a small bound: 'Docstring: 2^(nbits/2 - 100), for 200 bits 1.'
 *   the bound grows with the key: 'Docstring: 2^(nbits/2 - 100).'
 *   p and q stay and diff may hold anything: 'Signature: const; callers hand on a number of their
 *     BN_CTX.'
 *   an error is less than 0: 'Caller ossl_rsa_fips186_4_gen_prob_primes: "ok < 0" is an error, "ok
 *     == 0" tries again.'
 *   nothing is leaked: 'It gets all its numbers.'
 ---*/
#define OPENSSL_SUPPRESS_DEPRECATED
#include "../../crypto/rsa/rsa_local.h"
#include "testutil.h"
#include "refused_nth.h"
#include "rsa_numbers.h"

/* q is 2^(nbits / 2 - 1), p as much larger as 2^exponent + more. */
static int differ(int exponent, long more, int nbits, int turned, int expected)
{
    BIGNUM *q = plus_word(0), *p = plus_word(0), *difference = plus_word(0);
    int got;

    BN_set_bit(q, nbits / 2 - 1);
    if (exponent >= 0)
        BN_set_bit(difference, exponent);
    if (more < 0)
        BN_sub_word(difference, -more);
    else
        BN_add_word(difference, more);
    BN_add(p, q, difference);
    got = ossl_rsa_check_pminusq_diff(difference, turned ? q : p, turned ? p : q, nbits);
    return expected ? TEST_int_gt(got, 0) : TEST_int_eq(got, 0);
}

PLUS_TEST(far)
{
    return TEST_int_gt(ossl_rsa_check_pminusq_diff(plus_word(0), plus_hex(KAT_P), plus_hex(KAT_Q), 2048),
                       0)
        && TEST_int_gt(ossl_rsa_check_pminusq_diff(plus_word(0), plus_hex(KAT_Q), plus_hex(KAT_P), 2048),
                       0)
        && differ(1000, 0, 2048, 0, 1) && differ(925, 0, 2048, 0, 1);
}

PLUS_TEST(bound)
{
    return differ(924, 0, 2048, 0, 0) && differ(924, 1, 2048, 0, 1) && differ(924, -1, 2048, 0, 0)
        && differ(924, 2, 2048, 0, 1) && differ(923, 0, 2048, 0, 0) && differ(-1, 1, 2048, 0, 0);
}

PLUS_TEST(larger)
{
    return differ(924, 0, 2048, 1, 0) && differ(924, 1, 2048, 1, 1) && differ(924, -1, 2048, 1, 0)
        && differ(1000, 0, 2048, 1, 1) && differ(-1, 1, 2048, 1, 0);
}

PLUS_TEST(equal)
{
    return TEST_int_eq(ossl_rsa_check_pminusq_diff(plus_word(0), plus_hex(KAT_P), plus_hex(KAT_P), 2048),
                       0)
        && TEST_int_eq(ossl_rsa_check_pminusq_diff(plus_word(0), plus_word(7), plus_word(7), 200), 0)
        && TEST_int_eq(ossl_rsa_check_pminusq_diff(plus_word(0), plus_word(7), plus_word(7), 100), 0);
}

PLUS_TEST(small)
{
    return differ(-1, 1, 200, 0, 0) && differ(-1, 2, 200, 0, 1) && differ(-1, 2, 202, 0, 0)
        && differ(-1, 3, 202, 0, 1) && differ(-1, 4, 204, 1, 0) && differ(-1, 5, 204, 1, 1)
        /* The bound is less than 1. */
        && differ(-1, 1, 100, 0, 1) && differ(-1, 1, 100, 1, 1);
}

PLUS_TEST(grows)
{
    return differ(1436, 0, 3072, 0, 0) && differ(1436, 1, 3072, 0, 1)
        && differ(1948, 0, 4096, 1, 0)
        && differ(1948, 1, 4096, 1, 1) && differ(412, 0, 1024, 0, 0) && differ(412, 1, 1024, 0, 1)
        && differ(925, 0, 3072, 0, 0);
}

PLUS_TEST(stay)
{
    BIGNUM *p = plus_hex(KAT_P), *q = plus_hex(KAT_Q), *diff = plus_hex(KAT_N);

    BN_set_negative(diff, 1);
    return TEST_int_gt(ossl_rsa_check_pminusq_diff(diff, p, q, 2048), 0)
        && TEST_BN_eq(p, plus_hex(KAT_P)) && TEST_BN_eq(q, plus_hex(KAT_Q))
        && TEST_int_gt(ossl_rsa_check_pminusq_diff(diff, q, p, 2048), 0)
        && TEST_BN_eq(p, plus_hex(KAT_P)) && TEST_BN_eq(q, plus_hex(KAT_Q))
        && TEST_int_eq(ossl_rsa_check_pminusq_diff(diff, q, q, 2048), 0);
}

PLUS_TEST(error)
{
    BIGNUM *diff = plus_word(0), *p = plus_hex(KAT_P), *q = plus_hex(KAT_Q), *fresh = plus_keep(BN_new());
    int result;

    plus_refuse(0);
    result = ossl_rsa_check_pminusq_diff(fresh, p, q, 2048);
    plus_refuse(-1);
    return TEST_int_lt(result, 0) && TEST_int_gt(ossl_rsa_check_pminusq_diff(diff, p, q, 2048), 0);
}

PLUS_TEST(leak)
{
    BIGNUM *diff = plus_hex(KAT_N), *p = plus_hex(KAT_P), *q = plus_hex(KAT_Q);
    long before;

    ossl_rsa_check_pminusq_diff(diff, p, q, 2048);
    before = memory_blocks;
    ossl_rsa_check_pminusq_diff(diff, p, q, 2048);
    ossl_rsa_check_pminusq_diff(diff, p, p, 2048);
    ossl_rsa_check_pminusq_diff(diff, q, p, 2048);
    return TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
}

int setup_tests(void)
{
    add_test("primes far apart pass", far);
    add_test("a difference of just the bound fails and one more passes", bound);
    add_test("it doesn't matter which is the larger", larger);
    add_test("equal numbers fail", equal);
    add_test("small keys have a small bound", small);
    add_test("the bound grows with the key", grows);
    add_test("p and q stay and diff may hold anything", stay);
    add_test("an error is less than 0", error);
    add_test("nothing is leaked", leak);
    return 1;
}
