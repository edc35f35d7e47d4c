/*---
 * tasks: [ossl_bn_rsa_fips186_4_derive_prime-7d307e.16,
 *     ossl_bn_rsa_fips186_4_derive_prime-7d307e.2,
 *   ossl_bn_rsa_fips186_4_derive_prime-7d307e.4, ossl_bn_rsa_fips186_4_derive_prime-7d307e.8]
 * tests:
 *   the known p is generated with all that is returned: 'acvp_test.inc: rsa_keygen0_*; docstring:
 *     "p The returned
 *     probable prime", "Xpout ... random number used", "p1, p2 The returned auxiliary primes".'
 *   the known q is generated with all that is returned: 'acvp_test.inc: rsa_keygen0_*; docstring.'
 *   auxiliary primes need not be returned: 'Docstring: "p1, p2 ... If NULL they are not
 *     returned."'
 *   a missing p or Xpout is refused: 'Docstring: "otherwise it returns 0"; p and Xpout are not
 *     optional.'
 *   a modulus of less than 2048 bits is refused: 'The file''s bn_rsa_fips186_5_aux_prime_min_size:
 *     "0 if nbits is
 *     invalid"; head of the file: 1024 bits are an error.'
 *   what is not passed in is drawn at random and fits: 'Docstring: "Optional passed in values that
 *     are normally
 *     generated internally"; FIPS 186-4 B.3.6, C.9; FIPS 186-5 table A.1: at least 141 bits.'
 *   one of the two starting points can be given: 'Docstring: "Xp1, Xp2 Optional passed in
 *     values".'
 *   the auxiliary primes of a key of 3072 bits have 171 bits or more: 'FIPS 186-5 table A.1;
 *     bn_rsa_fips186_5_aux_prime_min_size.'
 *   auxiliary primes with 1006 bits together are taken for 2048: 'FIPS 186-5 table A.1: < 1007
 *     bits.'
 *   auxiliary primes that are too long together are refused: 'FIPS 186-5 table A.1: < 1007, <
 *     1518, < 2030 bits;
 *     bn_rsa_fips186_5_aux_prime_max_sum_size_for_prob_primes.'
 *   the primes have enough rounds of Miller-Rabin: 'FIPS 186-5 table B.1;
 *     bn_rsa_fips186_5_aux_prime_MR_rounds: 38,
 *     41, 44; BN_generate_prime(3): the callback with 1 for each round.'
 *   a prime that cannot be derived is an error: 'Docstring: "otherwise it returns 0"; FIPS 186-4
 *     C.9 step 6.'
 *   a generator that fails is an error: 'Docstring: "otherwise it returns 0"; BN_priv_rand_ex(3).'
 *   the arguments that are const stay: 'Signature.'
 *   nothing is leaked and memory that is refused is an error: 'Docstring: "otherwise it returns
 *     0"; BN_CTX_start(3).'
 ---*/
#include "testutil.h"
#include "crypto/bn.h"
#include "refused_nth.h"
#include "rsa_numbers.h"

static int generate(BIGNUM *p, BIGNUM *xpout, BIGNUM *p1, BIGNUM *p2, BIGNUM *xp, BIGNUM *xp1,
                    BIGNUM *xp2,
                    int nlen, BN_GENCB *cb)
{
    return ossl_bn_rsa_fips186_4_gen_prob_primes(p, xpout, p1, p2, xp, xp1, xp2, nlen,
                                                 plus_word(65537), plus_ctx, cb);
}

PLUS_TEST(known_p)
{
    BIGNUM *p = plus_word(5), *x = plus_word(6), *p1 = plus_word(7), *p2 = plus_word(8);

    return TEST_int_eq(generate(p, x, p1, p2, plus_hex(KAT_XP), plus_hex(KAT_XP1), plus_hex(KAT_XP2),
                                2048, NULL), 1)
        && TEST_BN_eq(p, plus_hex(KAT_P)) && TEST_BN_eq(x, plus_hex(KAT_XP))
        && TEST_BN_eq(p1, plus_hex(KAT_P1)) && TEST_BN_eq(p2, plus_hex(KAT_P2));
}

PLUS_TEST(known_q)
{
    BIGNUM *q = plus_word(0), *x = plus_word(0), *q1 = plus_word(0), *q2 = plus_word(0);

    return TEST_int_eq(generate(q, x, q1, q2, plus_hex(KAT_XQ), plus_hex(KAT_XQ1), plus_hex(KAT_XQ2),
                                2048, NULL), 1)
        && TEST_BN_eq(q, plus_hex(KAT_Q)) && TEST_BN_eq(x, plus_hex(KAT_XQ))
        && TEST_BN_eq(q1, plus_hex(KAT_Q1)) && TEST_BN_eq(q2, plus_hex(KAT_Q2));
}

PLUS_TEST(not_returned)
{
    BIGNUM *p = plus_word(0), *x = plus_word(0), *p1 = plus_word(0), *p2 = plus_word(0);
    BIGNUM *xp = plus_hex(KAT_XP), *xp1 = plus_hex(KAT_XP1), *xp2 = plus_hex(KAT_XP2);

    return TEST_int_eq(generate(p, x, NULL, NULL, xp, xp1, xp2, 2048, NULL), 1)
        && TEST_BN_eq(p, plus_hex(KAT_P)) && TEST_BN_eq(x, xp)
        && TEST_int_eq(generate(p, x, NULL, p2, xp, xp1, xp2, 2048, NULL), 1)
        && TEST_BN_eq(p, plus_hex(KAT_P)) && TEST_BN_eq(p2, plus_hex(KAT_P2))
        && TEST_int_eq(generate(p, x, p1, NULL, xp, xp1, xp2, 2048, NULL), 1)
        && TEST_BN_eq(p, plus_hex(KAT_P)) && TEST_BN_eq(p1, plus_hex(KAT_P1));
}

PLUS_TEST(missing)
{
    BIGNUM *xp = plus_hex(KAT_XP), *xp1 = plus_hex(KAT_XP1), *xp2 = plus_hex(KAT_XP2);

    return TEST_int_eq(generate(NULL, plus_word(0), NULL, NULL, xp, xp1, xp2, 2048, NULL), 0)
        && TEST_int_eq(generate(plus_word(0), NULL, NULL, NULL, xp, xp1, xp2, 2048, NULL), 0)
        && TEST_int_eq(generate(NULL, NULL, NULL, NULL, xp, xp1, xp2, 2048, NULL), 0);
}

PLUS_TEST(too_small)
{
    static const int sizes[] = { 2047, 2046, 1024, 512, 0, -2048 };
    size_t i;

    for (i = 0; i < OSSL_NELEM(sizes); i++)
        if (!TEST_int_eq(generate(plus_word(0), plus_word(0), plus_word(0), plus_word(0), plus_hex(KAT_XP),
                                  plus_hex(KAT_XP1),
                                  plus_hex(KAT_XP2), sizes[i], NULL), 0)
                || !TEST_int_eq(generate(plus_word(0), plus_word(0), NULL, NULL, NULL, NULL, NULL,
                                         sizes[i], NULL), 0))
            return 0;
    return 1;
}

/* Are these the numbers of a prime of FIPS 186-4 B.3.6 for a key of nlen bits? */
static int fits(const BIGNUM *p, const BIGNUM *x, const BIGNUM *p1, const BIGNUM *p2, int nlen,
                int least)
{
    BIGNUM *t = plus_word(0), *minus = BN_dup(p), *plus = BN_dup(p);
    int ok;

    BN_sub_word(minus, 1);
    BN_add_word(plus, 1);
    ok = TEST_int_eq(BN_num_bits(p), nlen / 2) && TEST_int_eq(BN_num_bits(x), nlen / 2)
        && TEST_BN_ge(p, x)
        /* x^2 >= 2^(nlen - 1) */
        && TEST_true(BN_sqr(t, x, plus_ctx)) && TEST_int_eq(BN_num_bits(t), nlen)
        && TEST_true(BN_mod(t, minus, p1, plus_ctx)) && TEST_BN_eq_zero(t)
        && TEST_true(BN_mod(t, plus, p2, plus_ctx)) && TEST_BN_eq_zero(t)
        && TEST_int_ge(BN_num_bits(p1), least) && TEST_int_ge(BN_num_bits(p2), least)
        && TEST_BN_ne(p1, p2)
        && TEST_int_eq(BN_check_prime(p, plus_ctx, NULL), 1)
        && TEST_int_eq(BN_check_prime(p1, plus_ctx, NULL), 1)
        && TEST_int_eq(BN_check_prime(p2, plus_ctx, NULL), 1);
    BN_free(minus);
    BN_free(plus);
    return ok;
}

PLUS_TEST(at_random)
{
    BIGNUM *p = plus_word(0), *x = plus_word(0), *p1 = plus_word(0), *p2 = plus_word(0),
        *first = plus_word(0);
    int i, calls = plus_random_calls;

    for (i = 0; i < 3; i++) {
        BN_copy(first, p1);
        if (!TEST_int_eq(generate(p, x, p1, p2, NULL, NULL, NULL, 2048, NULL), 1)
                || !fits(p, x, p1, p2, 2048, 141) || !TEST_BN_ne(p1, first))
            return 0;
    }
    return TEST_int_gt(plus_random_calls, calls);
}

PLUS_TEST(one_given)
{
    BIGNUM *p = plus_word(0), *x = plus_word(0), *p1 = plus_word(0), *p2 = plus_word(0);

    return TEST_int_eq(generate(p, x, p1, p2, NULL, plus_hex(KAT_XP1), NULL, 2048, NULL), 1)
        && TEST_BN_eq(p1, plus_hex(KAT_P1)) && fits(p, x, p1, p2, 2048, 141)
        && TEST_int_eq(generate(p, x, p1, p2, NULL, NULL, plus_hex(KAT_XP2), 2048, NULL), 1)
        && TEST_BN_eq(p2, plus_hex(KAT_P2)) && fits(p, x, p1, p2, 2048, 141);
}

PLUS_TEST(larger)
{
    BIGNUM *p = plus_word(0), *x = plus_word(0), *p1 = plus_word(0), *p2 = plus_word(0);

    return TEST_int_eq(generate(p, x, p1, p2, NULL, NULL, NULL, 3072, NULL), 1)
        && fits(p, x, p1, p2, 3072, 171);
}

/* The prime and the next one are passed as starting points; the first one drops so many bits. */
static int together(const char *prime, int dropped, int nlen, int expected)
{
    BIGNUM *one = plus_hex(prime), *two = plus_hex(prime), *p = plus_word(0), *x = plus_word(0);

    BN_rshift(one, one, dropped);
    BN_set_bit(one, 0);
    BN_add_word(two, 2);
    return TEST_int_eq(generate(p, x, NULL, NULL, NULL, one, two, nlen, NULL), expected);
}

PLUS_TEST(longest)
{
    return together(PRIME_503, 0, 2048, 1) && together(PRIME_504, 2, 2048, 1);
}

PLUS_TEST(too_long)
{
    return together(PRIME_504, 1, 2048, 0) && together(PRIME_504, 0, 2048, 0)
        && together(PRIME_759, 0, 3072, 0) && together(PRIME_1015, 0, 4096, 0);
}

static int rounds, sizes, least_rounds;

static void count_number(void)
{
    if (rounds >= least_rounds)
        sizes++;
    rounds = 0;
}

static int count_rounds(int a, int b, BN_GENCB *cb)
{
    if (a == 1 && b >= 0)
        rounds++;
    else
        count_number();
    return 1;
}

/* Have both auxiliary primes had so many rounds? What follows fails at once. */
static int has_rounds(int nlen, int least)
{
    BN_GENCB *cb = BN_GENCB_new();
    BIGNUM *end = plus_word(0);

    BN_set_bit(end, nlen / 2);
    BN_sub_word(end, 1);
    rounds = sizes = 0;
    least_rounds = least;
    BN_GENCB_set(cb, count_rounds, NULL);
    generate(plus_word(0), plus_word(0), NULL, NULL, end, plus_hex(KAT_XP1), plus_hex(KAT_XP2), nlen, cb);
    count_number();
    BN_GENCB_free(cb);
    return TEST_int_ge(sizes, 2);
}

PLUS_TEST(enough_rounds)
{
    BN_GENCB *cb = BN_GENCB_new();
    int result;

    rounds = sizes = 0;
    least_rounds = 5;
    BN_GENCB_set(cb, count_rounds, NULL);
    result = generate(plus_word(0), plus_word(0), NULL, NULL, plus_hex(KAT_XP), plus_hex(KAT_XP1),
                      plus_hex(KAT_XP2), 2048, cb);
    count_number();
    BN_GENCB_free(cb);
    return TEST_int_eq(result, 1) && TEST_int_ge(sizes, 3)
        && has_rounds(2048, 38) && has_rounds(3071, 38) && has_rounds(3072, 41)
        && has_rounds(4096, 44);
}

PLUS_TEST(underivable)
{
    BIGNUM *end = plus_word(0);

    BN_set_bit(end, 1024);
    BN_sub_word(end, 1);
    return TEST_int_eq(generate(plus_word(0), plus_word(0), NULL, NULL, end, plus_hex(KAT_XP1),
                                plus_hex(KAT_XP2), 2048,
                                NULL), 0)
        /* p1 = p2 */
        && TEST_int_eq(generate(plus_word(0), plus_word(0), NULL, NULL, plus_hex(KAT_XP),
                                plus_hex(KAT_XP1),
                                plus_hex(KAT_XP1), 2048, NULL), 0);
}

PLUS_TEST(failing)
{
    int ok;

    plus_random_fails = 1;
    ok = TEST_int_eq(generate(plus_word(0), plus_word(0), plus_word(0), plus_word(0), NULL, NULL, NULL,
                              2048, NULL), 0)
        && TEST_int_eq(generate(plus_word(0), plus_word(0), NULL, NULL, plus_hex(KAT_XP),
                                plus_hex(KAT_XP1), NULL, 2048,
                                NULL), 0)
        && TEST_int_eq(generate(plus_word(0), plus_word(0), NULL, NULL, plus_hex(KAT_XP), NULL,
                                plus_hex(KAT_XP2), 2048,
                                NULL), 0);
    plus_random_fails = 0;
    return ok;
}

PLUS_TEST(stay)
{
    BIGNUM *xq = plus_hex(KAT_XQ), *xq1 = plus_hex(KAT_XQ1), *xq2 = plus_hex(KAT_XQ2);

    return TEST_int_eq(generate(plus_word(0), plus_word(0), plus_word(0), plus_word(0), xq, xq1, xq2, 2048,
                                NULL), 1)
        && TEST_BN_eq(xq, plus_hex(KAT_XQ)) && TEST_BN_eq(xq1, plus_hex(KAT_XQ1))
        && TEST_BN_eq(xq2, plus_hex(KAT_XQ2))
        && TEST_int_eq(generate(plus_word(0), plus_word(0), NULL, NULL, xq, xq1, xq1, 2048, NULL), 0)
        && TEST_BN_eq(xq, plus_hex(KAT_XQ)) && TEST_BN_eq(xq1, plus_hex(KAT_XQ1))
        && TEST_int_eq(generate(plus_word(0), plus_word(0), NULL, NULL, xq, xq1, xq2, 1024, NULL), 0)
        && TEST_BN_eq(xq, plus_hex(KAT_XQ)) && TEST_BN_eq(xq1, plus_hex(KAT_XQ1))
        && TEST_BN_eq(xq2, plus_hex(KAT_XQ2));
}

static BIGNUM *y, *x, *e, *xp, *xp1, *xp2;

static void several(void)
{
    ossl_bn_rsa_fips186_4_gen_prob_primes(y, x, NULL, NULL, xp, xp1, xp2, 2048, e, plus_ctx, NULL);
    ossl_bn_rsa_fips186_4_gen_prob_primes(y, x, NULL, NULL, xp, xp1, xp1, 2048, e, plus_ctx, NULL);
    ossl_bn_rsa_fips186_4_gen_prob_primes(y, x, NULL, NULL, xp, xp1, xp2, 1024, e, plus_ctx, NULL);
    ossl_bn_rsa_fips186_4_gen_prob_primes(y, x, NULL, NULL, NULL, NULL, NULL, 1024, e, plus_ctx,
                                          NULL);
    ossl_bn_rsa_fips186_4_gen_prob_primes(NULL, x, NULL, NULL, xp, xp1, xp2, 2048, e, plus_ctx,
                                          NULL);
}

PLUS_TEST(leak)
{
    int i, result;
    BN_CTX *own;

    y = plus_word(0);
    x = plus_word(0);
    e = plus_word(65537);
    xp = plus_hex(KAT_XP);
    xp1 = plus_hex(KAT_XP1);
    xp2 = plus_hex(KAT_XP2);
    if (!plus_balanced(several))
        return 0;
    for (i = 0; i < 120; i += i < 24 ? 1 : 9) {
        own = BN_CTX_new();
        plus_refuse(i * 2);
        result = ossl_bn_rsa_fips186_4_gen_prob_primes(y, x, NULL, NULL, xp, xp1, xp2, 2048, e,
                                                       own, NULL);
        plus_refuse(-1);
        BN_CTX_free(own);
        if (result == 1 ? !TEST_BN_eq(y, plus_hex(KAT_P)) : !TEST_int_eq(result, 0))
            return 0;
    }
    return 1;
}

int setup_tests(void)
{
    if (!plus_fixed_random(NULL))
        return 0;
    add_test("the known p is generated with all that is returned", known_p);
    add_test("the known q is generated with all that is returned", known_q);
    add_test("auxiliary primes need not be returned", not_returned);
    add_test("a modulus of less than 2048 bits is refused", too_small);
    add_test("what is not passed in is drawn at random and fits", at_random);
    add_test("one of the two starting points can be given", one_given);
    add_test("the auxiliary primes of a key of 3072 bits have 171 bits or more", larger);
    add_test("auxiliary primes with 1006 bits together are taken for 2048", longest);
    add_test("auxiliary primes that are too long together are refused", too_long);
    add_test("the primes have enough rounds of Miller-Rabin", enough_rounds);
    add_test("a prime that cannot be derived is an error", underivable);
    add_test("a generator that fails is an error", failing);
    add_test("the arguments that are const stay", stay);
    add_test("a missing p or Xpout is refused", missing);
    add_test("nothing is leaked and memory that is refused is an error", leak);
    return 1;
}
