/*---
 * tasks: [ossl_bn_rsa_fips186_4_derive_prime-7d307e, ossl_bn_rsa_fips186_4_derive_prime-7d307e.16,
 *   ossl_bn_rsa_fips186_4_derive_prime-7d307e.2, ossl_bn_rsa_fips186_4_derive_prime-7d307e.4,
 *   ossl_bn_rsa_fips186_4_derive_prime-7d307e.8]
 * tests:
 *   the known p is derived: 'acvp_test.inc: rsa_keygen0_*; docstring: "Construct a probable prime
 *     ... using 2
 *     auxiliary prime numbers and the Chinese Remainder Theorem", FIPS 186-4 C.9.'
 *   the known q is derived: 'acvp_test.inc: rsa_keygen0_*; FIPS 186-4 C.9.'
 *   the value that was passed in is used and returned as X: 'Docstring: "X The returned random
 *     number used", "Xin An
 *     optional passed in value for X".'
 *   a prime whose Y - 1 shares a factor with e is passed over: 'FIPS 186-4 C.9 step 7: GCD(Y-1, e)
 *     = 1.'
 *   a prime that is many candidates away is found: 'FIPS 186-4 C.9 step 9: up to 5 * (nlen/2)
 *     candidates.'
 *   the last candidate below the limit is tried: 'FIPS 186-4 C.9 step 6: only Y >= 2^(nlen/2) is
 *     too large.'
 *   a given X without a prime below the limit fails: 'Docstring: "otherwise it returns 0"; C.9
 *     step 6.'
 *   auxiliary numbers that are not coprime fail: 'FIPS 186-4 C.9 step 1: if GCD(2r1, r2) != 1,
 *     FAILURE.'
 *   a random X is in its range and Y fits the auxiliary primes: 'Docstring: "X The returned random
 *     number used";
 *     FIPS 186-4 C.9 step 3: sqrt(2) 2^(nlen/2-1) <= X <= 2^(nlen/2)-1; Y = 1 mod 2r1, Y = -1 mod
 *     r2.'
 *   a random X whose Y is too large is drawn anew: 'FIPS 186-4 C.9 step 6: "go to step 3".'
 *   the prime has enough rounds of Miller-Rabin: 'FIPS 186-5 table B.1; the file''s
 *     bn_rsa_fips186_5_prime_MR_rounds; BN_generate_prime(3): the callback with 1 for each round.'
 *   a generator that fails is an error: 'Docstring: "otherwise it returns 0";
 *     BN_priv_rand_range_ex(3).'
 *   a test of a number that is broken off is an error: 'bn_prime.c: bn_is_prime_int, "-1 on
 *     error", if the callback
 *     returns 0; docstring: "otherwise it returns 0".'
 *   the arguments that are const stay and the context is balanced: 'Signature; BN_CTX_start(3).'
 *   nothing is leaked and memory that is refused is an error: 'Docstring: "otherwise it returns
 *     0".'
 *   the search for a prime ends: 'FIPS 186-4 C.9 step 9: FAILURE after so many candidates.'
 ---*/
#include "testutil.h"
#include "internal/nelem.h"
#include "crypto/bn.h"
#include "refused_nth.h"
#include "rsa_numbers.h"

#define SKIPS_X \
    "cf721b9afd0d221a7450972276d8c0c2fd088105dd18219996d65c79e30281d7270dad6786e5e385" \
    "37e3e41fe099bc04dc2b4240d9b91fcaa1ef83a601eeb666cc5e5129b33b41237814093ac15bbe3b" \
    "f4b9039b356cfa239641f4ae5fd0a44e85aae5ebd35407755cf2ec6903d1382c20c4d7ffac0cc5ff" \
    "d65e004d0757d916"
#define SKIPS_Y \
    "cf721b9afd0d221a7450972276d8c0c2fd088105dd18219996d65c79e30281d7270dad6786e5e385" \
    "37e3e41fe099bc04dc2b4240d9b91fcaa1ef83a601eeb666cc5e5129b33b412387d291a789a21c51" \
    "9289e7b89a21c4567b095ff1861d5b384ea5c4c81cb2a6d5867c1a96cd472f627f8f804c8dd0754f" \
    "263f6cd19a01ba4d"
#define FAR_X \
    "c717d1d5222ed171e44da6a60ddc50fb2a6e4bd639eb08e4fad18c6a78b9d3d6fc8931500ab772dc" \
    "b7ed25daa18061082e376b8baf9ae4aac24da3363812e2992e45282aa66e12779fc32bb570e9dc05" \
    "9621787d28f745873212c44f07123c8dfefaf558b86d152d454cfe2ba309b1a6ddfc1c08c6530cc3" \
    "8d9f07119fad3bf4"
#define FAR_Y \
    "c717d1d5222ed171e44da6a60ddc50fb2a6e4bd639eb08e4fad18c6a78b9d3d6fc8931500ab772dc" \
    "b7ed25daa18061082e376b8baf9ae4aac24da3363812e2992e45282aa66e12780ae2b6550a9cf726" \
    "3ec411adf764cf791991861d1ff297da1b02e15d66c62444ba0c5ab2ea48d973aaca3fe287ad8dbf" \
    "857e8b9d4f0cb89f"
#define ONES_64 "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
/* ONES_64 twice and 21 more digits stand before these. */
#define LAST_R2 "bf6e8795a81ae901da438749c0e6fe003cfc453163217f70a661b"
#define LAST_X \
    "fffffffff75a29a817574056ddccf5b19031878ea220f5b0b9420b85ea7661819027ecbc97382cfe" \
    "d3c8d743ad5a8eacb3ac3f7bb188a785569310"
#define LAST_Y \
    "fffffffff75a29a817574056ddccf5b19031878ea220f5b0b9420b85ea7661819027ecbc97382cfe" \
    "d3c8d743ad5a8eacb3ac3f7bb188a785576741"
#define NONE_X \
    "ffffffffec2a4d219fafba6a6e552207ae008b27535a511991857d7dac95ef3fcbc8c8dbb0d8bca6" \
    "b726158b111a3082bd4aef0beef8818d10ff4"

/* The number of 1024 bits that ends with these digits and begins with ones. */
static BIGNUM *ends(const char *digits)
{
    char text[257];

    memset(text, 'f', 256);
    text[256] = '\0';
    memcpy(text + 256 - strlen(digits), digits, strlen(digits));
    return plus_hex(text);
}

static BN_CTX *ctx;

/* Y of these for a key of 2048 bits, or NULL. */
static BIGNUM *derive(BIGNUM *x, const BIGNUM *r1, const BIGNUM *r2, BN_ULONG e, BN_GENCB *cb,
                      int *result)
{
    BIGNUM *y = plus_word(0), *returned = plus_word(0);

    *result = ossl_bn_rsa_fips186_4_derive_prime(y, returned, x, r1, r2, 2048, plus_word(e), ctx,
                                                 cb);
    if (*result == 1 && BN_cmp(x, returned) != 0) {
        TEST_error("another X was returned");
        return NULL;
    }
    return y;
}

static int derives(BIGNUM *x, const char *r1, const char *r2, BN_ULONG e, BIGNUM *expected)
{
    int result;
    BIGNUM *y = derive(x, plus_hex(r1), plus_hex(r2), e, NULL, &result);

    return TEST_int_eq(result, 1) && TEST_ptr(y) && TEST_BN_eq(y, expected);
}

static int fails(BIGNUM *x, const char *r1, const char *r2, BN_ULONG e)
{
    int result;

    derive(x, plus_hex(r1), plus_hex(r2), e, NULL, &result);
    ERR_clear_error();
    return TEST_int_eq(result, 0);
}

static int with(int (*test)(void))
{
    int ok;

    ctx = BN_CTX_new();
    ok = TEST_ptr(ctx) && test();
    plus_free_numbers();
    BN_CTX_free(ctx);
    ERR_clear_error();
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int p_body(void)
{
    return derives(plus_hex(KAT_XP), KAT_P1, KAT_P2, 65537, plus_hex(KAT_P));
}

static int known_p(void)
{
    return with(p_body);
}

static int q_body(void)
{
    return derives(plus_hex(KAT_XQ), KAT_Q1, KAT_Q2, 65537, plus_hex(KAT_Q));
}

static int known_q(void)
{
    return with(q_body);
}

static int x_body(void)
{
    BIGNUM *y = plus_word(99), *x = plus_hex(KAT_XQ), *xin = plus_hex(KAT_XP);

    if (!TEST_int_eq(ossl_bn_rsa_fips186_4_derive_prime(y, x, xin, plus_hex(KAT_P1), plus_hex(KAT_P2),
                                                        2048,
                                                        plus_word(65537), ctx, NULL), 1))
        return 0;
    /* What was there before does not matter, nor does X stand for what was passed in. */
    return TEST_BN_eq(x, xin) && TEST_BN_eq(xin, plus_hex(KAT_XP)) && TEST_BN_eq(y, plus_hex(KAT_P))
        && TEST_true(BN_add_word(x, 1)) && TEST_BN_eq(xin, plus_hex(KAT_XP));
}

static int x_returned(void)
{
    return with(x_body);
}

static int skip_body(void)
{
    return derives(plus_hex(SKIPS_X), KAT_P1, KAT_P2, 3, plus_hex(SKIPS_Y));
}

static int skipped(void)
{
    return with(skip_body);
}

static int far_body(void)
{
    return derives(plus_hex(FAR_X), KAT_P1, KAT_P2, 65537, plus_hex(FAR_Y));
}

static int far_away(void)
{
    return with(far_body);
}

static int last_body(void)
{
    return derives(ends(LAST_X), KAT_P1, LAST_R2, 65537, ends(LAST_Y));
}

static int last(void)
{
    return with(last_body);
}

static int none_body(void)
{
    return fails(ends(NONE_X), KAT_P1, KAT_P2, 65537) && fails(ends("f"), KAT_P1, KAT_P2, 65537);
}

static int none(void)
{
    return with(none_body);
}

static int coprime_body(void)
{
    return fails(plus_hex(KAT_XP), KAT_P1, KAT_P1, 65537)
        && fails(plus_hex(KAT_XP), KAT_P1, "2", 65537)
        && fails(plus_hex(KAT_XP), "15", "23", 65537);
}

static int coprime(void)
{
    return with(coprime_body);
}

/* Is the result for these auxiliary primes as FIPS 186-4 says, whatever the random X? */
static int fits(const char *r1, const char *r2)
{
    BIGNUM *y = plus_word(0), *x = plus_word(0), *t = plus_word(0), *step = plus_hex(r1),
        *second = plus_hex(r2);

    if (!TEST_int_eq(ossl_bn_rsa_fips186_4_derive_prime(y, x, NULL, plus_hex(r1), plus_hex(r2), 2048,
                                                        plus_word(65537), ctx, NULL), 1)
            || !TEST_int_eq(BN_num_bits(x), 1024) || !TEST_int_eq(BN_num_bits(y), 1024)
            || !TEST_BN_ge(y, x)
            /* X^2 >= 2^2047 */
            || !TEST_true(BN_sqr(t, x, ctx)) || !TEST_int_eq(BN_num_bits(t), 2048))
        return 0;
    BN_lshift1(step, step);
    BN_mod(t, y, step, ctx);
    if (!TEST_BN_eq_one(t))
        return 0;
    BN_copy(t, y);
    BN_add_word(t, 1);
    BN_mod(t, t, second, ctx);
    return TEST_BN_eq_zero(t) && TEST_int_eq(BN_check_prime(y, ctx, NULL), 1);
}

static int random_body(void)
{
    int i, calls = plus_random_calls;

    for (i = 0; i < 5; i++)
        if (!fits(KAT_P1, KAT_P2))
            return 0;
    return TEST_int_gt(plus_random_calls, calls);
}

static int random_x(void)
{
    return with(random_body);
}

static int anew_body(void)
{
    /*
     * r2 = 2^788 + 11: of the 891 candidates there is just one prime, the 221st. Three of four
     * random X are above it,
     * and Y grows too large.
     */
    char r2[200];
    int i;

    memset(r2, '0', 198);
    r2[0] = '1';
    r2[197] = 'b';
    r2[198] = '\0';
    for (i = 0; i < 2; i++)
        if (!fits(KAT_P1, r2))
            return 0;
    return 1;
}

static int drawn_anew(void)
{
    return with(anew_body);
}

static int rounds, most_rounds;

static int count_rounds(int a, int b, BN_GENCB *cb)
{
    if (a == 0)
        rounds = 0;
    if (a == 1 && b >= 0)
        rounds++;
    if (rounds > most_rounds)
        most_rounds = rounds;
    return 1;
}

static int rounds_body(void)
{
    BN_GENCB *cb = BN_GENCB_new();
    BIGNUM *y;
    int result;

    rounds = most_rounds = 0;
    BN_GENCB_set(cb, count_rounds, NULL);
    y = derive(plus_hex(KAT_XP), plus_hex(KAT_P1), plus_hex(KAT_P2), 65537, cb, &result);
    BN_GENCB_free(cb);
    return TEST_int_eq(result, 1) && TEST_ptr(y) && TEST_BN_eq(y, plus_hex(KAT_P))
        && TEST_int_ge(most_rounds, 5);
}

static int enough_rounds(void)
{
    return with(rounds_body);
}

static int failing_body(void)
{
    BIGNUM *y = plus_word(0), *x = plus_word(0);
    int result;

    plus_random_fails = 1;
    result = ossl_bn_rsa_fips186_4_derive_prime(y, x, NULL, plus_hex(KAT_P1), plus_hex(KAT_P2), 2048,
                                                plus_word(65537),
                                                ctx, NULL);
    plus_random_fails = 0;
    return TEST_int_eq(result, 0);
}

static int failing(void)
{
    return with(failing_body);
}

static int stop(int a, int b, BN_GENCB *cb)
{
    return a != 1;
}

static int broken_off_body(void)
{
    BN_GENCB *cb = BN_GENCB_new();
    int result;

    BN_GENCB_set(cb, stop, NULL);
    derive(plus_hex(KAT_XP), plus_hex(KAT_P1), plus_hex(KAT_P2), 65537, cb, &result);
    BN_GENCB_free(cb);
    return TEST_int_eq(result, 0);
}

static int broken_off(void)
{
    return with(broken_off_body);
}

static int stay_body(void)
{
    BIGNUM *y = plus_word(0), *x = plus_word(0), *xin = plus_hex(KAT_XQ), *r1 = plus_hex(KAT_Q1),
        *r2 = plus_hex(KAT_Q2);
    BIGNUM *e = plus_word(65537), *mine, *further;
    int i, ok = 1;

    for (i = 0; i < 2 && ok; i++) {
        BN_CTX_start(ctx);
        mine = BN_CTX_get(ctx);
        BN_set_word(mine, 77);
        ok = TEST_int_eq(ossl_bn_rsa_fips186_4_derive_prime(y, x, i == 0 ? xin : ends("f"), r1, r2,
                                                            2048, e, ctx,
                                                            NULL), i == 0);
        further = BN_CTX_get(ctx);
        ok = ok && TEST_ptr(further) && TEST_ptr_ne(further, mine) && TEST_BN_eq_word(mine, 77);
        BN_CTX_end(ctx);
    }
    return ok && TEST_BN_eq(xin, plus_hex(KAT_XQ)) && TEST_BN_eq(r1, plus_hex(KAT_Q1))
        && TEST_BN_eq(r2, plus_hex(KAT_Q2))
        && TEST_BN_eq_word(e, 65537);
}

static int stay(void)
{
    return with(stay_body);
}

static int leak_body(void)
{
    BIGNUM *y = plus_word(0), *x = plus_word(0), *xin = plus_hex(KAT_XP), *r1 = plus_hex(KAT_P1),
        *r2 = plus_hex(KAT_P2);
    BIGNUM *e = plus_word(65537), *xend = ends("f");
    BN_CTX *own;
    long before = 0;
    int i, result;

    /* One context for many calls: what is taken from it is given back. */
    for (i = 0; i < 6; i++) {
        ossl_bn_rsa_fips186_4_derive_prime(y, x, xin, r1, r2, 2048, e, ctx, NULL);
        ossl_bn_rsa_fips186_4_derive_prime(y, x, xend, r1, r2, 2048, e, ctx, NULL);
        ossl_bn_rsa_fips186_4_derive_prime(y, x, xin, r1, r1, 2048, e, ctx, NULL);
        ERR_clear_error();
        OPENSSL_thread_stop();
        fake_rand_set_public_private_callbacks(NULL, plus_random_bytes);
        if (i == 2)
            before = memory_blocks;
    }
    if (!TEST_long_eq(memory_blocks, before))
        return 0;
    for (i = 0; i < 70; i += i < 30 ? 1 : 5) {
        own = BN_CTX_new();
        plus_refuse(i * 2);
        result = ossl_bn_rsa_fips186_4_derive_prime(y, x, xin, r1, r2, 2048, e, own, NULL);
        plus_refuse(-1);
        BN_CTX_free(own);
        if (result == 1 ? !TEST_BN_eq(y, plus_hex(KAT_P)) : !TEST_int_eq(result, 0))
            return 0;
    }
    return 1;
}

static int leak(void)
{
    return with(leak_body);
}

static int ends_body(void)
{
    /* r1 = 3 divides each Y - 1, so none is coprime to e = 3. */
    return fails(plus_hex(KAT_XP), "3", KAT_P2, 3);
}

static int search_ends(void)
{
    return with(ends_body);
}

int setup_tests(void)
{
    if (!plus_fixed_random(NULL))
        return 0;
    add_test("the known p is derived", known_p);
    add_test("the known q is derived", known_q);
    add_test("the value that was passed in is used and returned as X", x_returned);
    add_test("a prime whose Y - 1 shares a factor with e is passed over", skipped);
    add_test("a prime that is many candidates away is found", far_away);
    add_test("the last candidate below the limit is tried", last);
    add_test("a given X without a prime below the limit fails", none);
    add_test("auxiliary numbers that are not coprime fail", coprime);
    add_test("a random X is in its range and Y fits the auxiliary primes", random_x);
    add_test("a random X whose Y is too large is drawn anew", drawn_anew);
    add_test("the prime has enough rounds of Miller-Rabin", enough_rounds);
    add_test("a generator that fails is an error", failing);
    add_test("a test of a number that is broken off is an error", broken_off);
    add_test("the arguments that are const stay and the context is balanced", stay);
    add_test("nothing is leaked and memory that is refused is an error", leak);
    add_test("the search for a prime ends", search_ends);
    return 1;
}
