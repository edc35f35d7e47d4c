/*---
 * tasks: [ossl_bn_rsa_fips186_4_derive_prime-7d307e.16,
 *     ossl_bn_rsa_fips186_4_derive_prime-7d307e.4,
 *   ossl_bn_rsa_fips186_4_derive_prime-7d307e.8]
 * tests:
 *   the known auxiliary primes are found: 'acvp_test.inc: rsa_keygen0_xp1, p1, ...; docstring.'
 *   a starting point that is prime is the prime itself: 'Docstring: "first odd integer >= Xp1".'
 *   small primes are found: 'Docstring: "Find the first odd integer that is a probable prime."'
 *   numbers that only look prime are passed over: 'Docstring: probable prime of Miller-Rabin
 *     rounds; 561, 2047 and
 *     Carmichael numbers are none.'
 *   the search crosses the end of a word: 'Docstring: "first odd integer >= Xp1"; BN_add_word(3).'
 *   what was in p1 before does not matter: 'Docstring: "p1 The returned probable prime".'
 *   the prime has as many rounds as were asked for: 'Docstring: "rounds The number of Miller Rabin
 *     rounds";
 *     BN_generate_prime(3): the callback with 1 for each round.'
 *   the callback is told of candidates and of the prime: 'BN_generate_prime(3): cb(0, i), cb(2,
 *     i); sibling
 *     bn_x931p.c: bn_x931_derive_pi.'
 *   a test of a number that is broken off is an error: 'Docstring: "otherwise it returns 0";
 *     bn_is_prime_int: -1.'
 *   a generator that fails is an error: 'Docstring: "otherwise it returns 0".'
 *   the starting point stays: 'Signature: const; callers pass in their Xp1.'
 *   nothing is leaked and memory that is refused is an error: 'Docstring: "otherwise it returns
 *     0".'
 ---*/
#include "../../crypto/bn/bn_rsa_fips186_4.c"
#include "testutil.h"
#include "refused_nth.h"
#include "rsa_numbers.h"

static int finds(BIGNUM *from, BIGNUM *expected, int rounds)
{
    BIGNUM *p1 = plus_word(0);

    return TEST_int_eq(bn_rsa_fips186_4_find_aux_prob_prime(from, p1, plus_ctx, rounds, NULL), 1)
        && TEST_BN_eq(p1, expected);
}

PLUS_TEST(known)
{
    return finds(plus_hex(KAT_XP1), plus_hex(KAT_P1), 38) && finds(plus_hex(KAT_XP2), plus_hex(KAT_P2), 38)
        && finds(plus_hex(KAT_XQ1), plus_hex(KAT_Q1), 38)
        && finds(plus_hex(KAT_XQ2), plus_hex(KAT_Q2), 38);
}

PLUS_TEST(itself)
{
    return finds(plus_hex(KAT_P1), plus_hex(KAT_P1), 38) && finds(plus_hex(KAT_Q2), plus_hex(KAT_Q2), 5)
        && finds(plus_word(65537), plus_word(65537), 5);
}

PLUS_TEST(small)
{
    static const struct {
        BN_ULONG from, to;
    } pairs[] = {
        { 3, 3 }, { 5, 5 }, { 7, 7 }, { 9, 11 }, { 15, 17 }, { 25, 29 }, { 91, 97 }, { 115, 127 },
            { 525, 541 },
        { 1329, 1361 }, { 31399, 31469 }
    };
    size_t i;

    for (i = 0; i < OSSL_NELEM(pairs); i++)
        if (!finds(plus_word(pairs[i].from), plus_word(pairs[i].to), 10))
            return 0;
    return 1;
}

PLUS_TEST(pseudo)
{
    return finds(plus_word(561), plus_word(563), 20) && finds(plus_word(1105), plus_word(1109), 20)
        && finds(plus_word(2047), plus_word(2053), 20) && finds(plus_word(294409), plus_word(294431), 20)
        && finds(plus_word(25326001), plus_word(25326023), 20);
}

PLUS_TEST(crosses)
{
    BIGNUM *from = plus_word(0), *to = plus_word(0), *from2 = plus_word(0), *to2 = plus_word(0);

    BN_set_bit(from, 64);
    BN_copy(to, from);
    BN_sub_word(from, 55);
    BN_add_word(to, 13);
    BN_set_bit(from2, 128);
    BN_copy(to2, from2);
    BN_sub_word(from2, 1);
    BN_add_word(to2, 51);
    return finds(from, to, 20) && finds(from2, to2, 20);
}

PLUS_TEST(before)
{
    BIGNUM *p1 = plus_hex(KAT_XP);

    BN_set_negative(p1, 1);
    return TEST_int_eq(bn_rsa_fips186_4_find_aux_prob_prime(plus_word(91), p1, plus_ctx, 5, NULL), 1)
        && TEST_BN_eq_word(p1, 97)
        && TEST_int_eq(bn_rsa_fips186_4_find_aux_prob_prime(plus_hex(KAT_XP1), p1, plus_ctx, 5, NULL),
                       1)
        && TEST_BN_eq(p1, plus_hex(KAT_P1));
}

static int most, rounds_now, candidates, found, last;

static int count(int a, int b, BN_GENCB *cb)
{
    last = a;
    if (a == 0)
        candidates++;
    if (a == 2)
        found++;
    if (a == 1 && b >= 0)
        rounds_now++;
    else
        rounds_now = 0;
    if (rounds_now > most)
        most = rounds_now;
    return 1;
}

static int counted(const char *from, const char *to, int rounds)
{
    BN_GENCB *cb = BN_GENCB_new();
    BIGNUM *p1 = plus_word(0);
    int result;

    most = rounds_now = candidates = found = 0;
    BN_GENCB_set(cb, count, NULL);
    result = bn_rsa_fips186_4_find_aux_prob_prime(plus_hex(from), p1, plus_ctx, rounds, cb);
    BN_GENCB_free(cb);
    return TEST_int_eq(result, 1) && TEST_BN_eq(p1, plus_hex(to));
}

PLUS_TEST(rounds)
{
    return counted(KAT_XP1, KAT_P1, 38) && TEST_int_eq(most, 38)
        && counted(KAT_XP2, KAT_P2, 7) && TEST_int_eq(most, 7)
        && counted(KAT_XQ1, KAT_Q1, 44) && TEST_int_eq(most, 44);
}

PLUS_TEST(told)
{
    return counted(KAT_XP1, KAT_P1, 5) && TEST_int_gt(candidates, 1) && TEST_int_eq(found, 1)
        && TEST_int_eq(last, 2)
        && counted(KAT_P1, KAT_P1, 5) && TEST_int_ge(candidates, 1) && TEST_int_eq(found, 1)
        && TEST_int_eq(last, 2);
}

static int stop(int a, int b, BN_GENCB *cb)
{
    return a != 1;
}

PLUS_TEST(broken_off)
{
    BN_GENCB *cb = BN_GENCB_new();
    int result;

    BN_GENCB_set(cb, stop, NULL);
    result = bn_rsa_fips186_4_find_aux_prob_prime(plus_hex(KAT_P1), plus_word(0), plus_ctx, 38, cb);
    BN_GENCB_free(cb);
    return TEST_int_eq(result, 0);
}

PLUS_TEST(failing)
{
    int result;

    plus_random_fails = 1;
    result = bn_rsa_fips186_4_find_aux_prob_prime(plus_hex(KAT_P1), plus_word(0), plus_ctx, 38, NULL);
    plus_random_fails = 0;
    return TEST_int_eq(result, 0);
}

PLUS_TEST(stays)
{
    BIGNUM *from = plus_hex(KAT_XQ1), *p1 = plus_word(0);

    return TEST_int_eq(bn_rsa_fips186_4_find_aux_prob_prime(from, p1, plus_ctx, 38, NULL), 1)
        && TEST_BN_eq(from, plus_hex(KAT_XQ1)) && TEST_true(BN_add_word(p1, 2))
        && TEST_BN_eq(from, plus_hex(KAT_XQ1));
}

static BIGNUM *p1, *xp1;

static void call(void)
{
    bn_rsa_fips186_4_find_aux_prob_prime(xp1, p1, plus_ctx, 5, NULL);
    plus_random_fails = 1;
    bn_rsa_fips186_4_find_aux_prob_prime(xp1, p1, plus_ctx, 5, NULL);
    plus_random_fails = 0;
}

PLUS_TEST(leak)
{
    BIGNUM *fresh;
    BN_CTX *own;
    int i, result;

    p1 = plus_word(0);
    xp1 = plus_hex(KAT_XP1);
    if (!plus_balanced(call))
        return 0;
    for (i = 0; i < 80; i++) {
        fresh = BN_new();
        own = BN_CTX_new();
        plus_refuse(i);
        result = bn_rsa_fips186_4_find_aux_prob_prime(xp1, fresh, own, 5, NULL);
        plus_refuse(-1);
        if (result == 1 ? !TEST_BN_eq(fresh, plus_hex(KAT_P1)) : !TEST_int_eq(result, 0))
            return 0;
        BN_CTX_free(own);
        BN_free(fresh);
    }
    return 1;
}

int setup_tests(void)
{
    if (!plus_fixed_random(NULL))
        return 0;
    add_test("the known auxiliary primes are found", known);
    add_test("a starting point that is prime is the prime itself", itself);
    add_test("small primes are found", small);
    add_test("numbers that only look prime are passed over", pseudo);
    add_test("the search crosses the end of a word", crosses);
    add_test("what was in p1 before does not matter", before);
    add_test("the prime has as many rounds as were asked for", rounds);
    add_test("the callback is told of candidates and of the prime", told);
    add_test("a test of a number that is broken off is an error", broken_off);
    add_test("a generator that fails is an error", failing);
    add_test("the starting point stays", stays);
    add_test("nothing is leaked and memory that is refused is an error", leak);
    return 1;
}
