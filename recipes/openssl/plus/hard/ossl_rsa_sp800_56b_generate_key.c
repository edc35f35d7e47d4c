/*---
 * tasks: [ossl_bn_rsa_fips186_4_derive_prime-7d307e.16,
 *     ossl_bn_rsa_fips186_4_derive_prime-7d307e.8]
 * tests:
 *   a key of the size is generated with all its numbers: 'Docstring: "Generate a SP800-56B RSA
 *     key", rsakpg1 - crt:
 *     n, e, d, p, q, dP, dQ, qInv; "1 if successfully generated"; FIPS 186-4 B.3.6.'
 *   without an exponent it is 65537: 'Docstring: "If NULL a default of 65537 is used."'
 *   the exponent that was given is used and stays the caller's: 'Docstring: "efixed The public
 *     exponent"; signature;
 *     rsa_keygen hands on the e_value of its caller.'
 *   p is the larger prime: 'Sibling rsa_gen.c: rsa_multiprime_keygen exchanges them for the CRT;
 *     RFC 8017 3.2.'
 *   the generator of the key's library context is used: 'rsa_gen.c: RSA_generate_multi_prime_key
 *     works in
 *     rsa->libctx; ossl_rsa_new_with_ctx.'
 *   the callback is called: 'Docstring: "cb An optional BIGNUM callback"; RSA_generate_key(3).'
 *   a callback that breaks off a test of a prime is an error: 'Docstring: "otherwise it returns
 *     0".'
 *   a key of less than 2048 bits is refused: 'ossl_rsa_fips186_4_gen_prob_primes,
 *     RSA_R_KEY_SIZE_TOO_SMALL.'
 *   an exponent that is even or 1 is refused: 'In-file: ossl_rsa_check_public_exponent; "otherwise
 *     it returns 0".'
 *   a generator that fails is an error: 'Docstring: "otherwise it returns 0".'
 *   a key can be generated anew in the same object: 'ossl_rsa_sp800_56b_derive_params_from_pq and
 *     ossl_rsa_fips186_4_gen_prob_primes replace what is there.'
 *   a key that fails the pairwise test is not generated: 'Docstring: SP800-56Br1 6.3.1.3 (step 6
 *     is the pairwise
 *     test); ossl_rsa_sp800_56b_pairwise_test: "0 if it fails", k = (k^e)^d mod n.'
 *   nothing is leaked and memory that is refused is an error: 'Docstring: "otherwise it returns
 *     0".'
 * flags: ["-Wl,--wrap=BN_mod_exp", "-Wl,--wrap=BN_mod_exp_mont",
 *     "-Wl,--wrap=BN_mod_exp_mont_consttime",
 *   "-Wl,--wrap=BN_mod_exp_simple", "-Wl,--wrap=BN_mod_exp_recp",
 *     "-Wl,--wrap=BN_mod_exp_mont_word"]
 ---*/
#define OPENSSL_SUPPRESS_DEPRECATED
#include "../../crypto/rsa/rsa_local.h"
#include "testutil.h"
#include "refused_nth.h"
#include "rsa_numbers.h"

static int good(RSA *rsa, int nbits, const BIGNUM *e)
{
    return TEST_ptr(rsa->p) && TEST_ptr(rsa->q) && TEST_BN_eq(rsa->e, e)
        && plus_consistent(rsa) && TEST_int_eq(BN_num_bits(rsa->n), nbits)
        && TEST_int_gt(BN_num_bits(rsa->d), nbits / 2)
        && plus_good_prime(rsa->p, nbits, e) && plus_good_prime(rsa->q, nbits, e)
        && plus_far_apart(rsa->p, rsa->q, nbits);
}

/* Some keys; the tests look at one or more of them. */
static RSA *standard, *small, *seventeen;
static BIGNUM *fifteen;

PLUS_TEST(all_numbers)
{
    standard = RSA_new();
    return TEST_int_eq(ossl_rsa_sp800_56b_generate_key(standard, 2048, NULL, NULL), 1)
        && good(standard, 2048, plus_word(65537));
}

static int have_standard(void)
{
    return standard != NULL || all_numbers();
}

static int standard_exponent(void)
{
    return have_standard() && TEST_ptr(standard->e) && TEST_BN_eq_word(standard->e, 65537);
}

static int given(void)
{
    int ok;

    plus_ctx = BN_CTX_new();
    fifteen = BN_new();
    BN_set_word(fifteen, 15);
    small = RSA_new();
    ok = TEST_int_eq(ossl_rsa_sp800_56b_generate_key(small, 2048, fifteen, NULL), 1)
        && good(small, 2048, fifteen) && TEST_BN_eq_word(fifteen, 15)
        && TEST_ptr_ne(small->e, fifteen)
        && TEST_true(BN_set_word(fifteen, 7)) && TEST_BN_eq_word(small->e, 15);
    BN_free(fifteen);
    BN_CTX_free(plus_ctx);
    return ok && TEST_BN_eq_word(small->e, 15) && TEST_long_eq(memory_bad_frees, 0);
}

static int have_small(void)
{
    return small != NULL || given();
}

static int p_is_larger(const RSA *rsa)
{
    return TEST_ptr(rsa->p) && TEST_ptr(rsa->q) && TEST_BN_gt(rsa->p, rsa->q);
}

PLUS_TEST(larger_prime_body)
{
    int i, ok = p_is_larger(standard) && p_is_larger(small);

    seventeen = RSA_new();
    for (i = 0; i < 2 && ok; i++)
        ok = TEST_int_eq(ossl_rsa_sp800_56b_generate_key(seventeen, 2048, plus_word(17), NULL), 1)
            && p_is_larger(seventeen) && plus_consistent(seventeen);
    return ok;
}

static int larger_prime(void)
{
    return have_standard() && have_small() && larger_prime_body();
}

static int other_calls;

static int never(unsigned char *out, size_t length, const char *name, EVP_RAND_CTX *rng)
{
    other_calls++;
    return 0;
}

PLUS_TEST(context)
{
    OSSL_LIB_CTX *other = OSSL_LIB_CTX_new();
    OSSL_PROVIDER *provider = fake_rand_start(other);
    RSA *rsa = ossl_rsa_new_with_ctx(other);
    int ok;

    fake_rand_set_public_private_callbacks(other, never);
    ok = TEST_int_eq(ossl_rsa_sp800_56b_generate_key(rsa, 2048, NULL, NULL), 0)
        && TEST_int_gt(other_calls, 0);
    RSA_free(rsa);
    fake_rand_finish(provider);
    OSSL_LIB_CTX_free(other);
    return ok;
}

static int calls, stops;

static int callback(int a, int b, BN_GENCB *cb)
{
    calls++;
    return !stops || a != 1;
}

static int with_callback(int expected)
{
    BN_GENCB *cb = BN_GENCB_new();
    RSA *rsa = RSA_new();
    int result;

    calls = 0;
    BN_GENCB_set(cb, callback, NULL);
    result = ossl_rsa_sp800_56b_generate_key(rsa, 2048, NULL, cb);
    BN_GENCB_free(cb);
    RSA_free(rsa);
    return TEST_int_eq(result, expected) && TEST_int_gt(calls, 0);
}

PLUS_TEST(called)
{
    stops = 0;
    return with_callback(1);
}

PLUS_TEST(broken_off)
{
    stops = 1;
    return with_callback(0);
}

static int refused(int nbits, const BIGNUM *e)
{
    RSA *rsa = RSA_new();
    int ok = TEST_int_eq(ossl_rsa_sp800_56b_generate_key(rsa, nbits, e, NULL), 0);

    RSA_free(rsa);
    return ok;
}

PLUS_TEST(too_small)
{
    return refused(2047, NULL) && refused(1024, NULL) && refused(512, plus_word(3))
        && refused(0, NULL);
}

PLUS_TEST(bad_e)
{
    return refused(2048, plus_word(65536)) && refused(2048, plus_word(1)) && refused(2048, plus_word(0));
}

PLUS_TEST(failing)
{
    int ok;

    plus_random_fails = 1;
    ok = refused(2048, NULL) && refused(2048, plus_word(3));
    plus_random_fails = 0;
    return ok;
}

PLUS_TEST(anew_body)
{
    BIGNUM *n = small->n == NULL ? NULL : plus_keep(BN_dup(small->n));

    return TEST_ptr(n) && TEST_int_eq(ossl_rsa_sp800_56b_generate_key(small, 2048, NULL, NULL), 1)
        && good(small, 2048, plus_word(65537)) && TEST_BN_ne(small->n, n);
}

static int anew(void)
{
    return have_small() && anew_body();
}

/* Each power modulo n fails while this is set, whatever function it is computed by. */
static int no_powers, powers;

#define POWER(name, parameters, arguments) \
    int __real_##name parameters; \
    int __wrap_##name parameters \
    { \
        if (!no_powers || BN_num_bits(m) < 2048) \
            return __real_##name arguments; \
        powers++; \
        return 0; \
    }

POWER(BN_mod_exp, (BIGNUM *r, const BIGNUM *a, const BIGNUM *p, const BIGNUM *m, BN_CTX *ctx),
      (r, a, p, m, ctx))
POWER(BN_mod_exp_simple,
      (BIGNUM *r, const BIGNUM *a, const BIGNUM *p, const BIGNUM *m, BN_CTX *ctx),
      (r, a, p, m, ctx))
POWER(BN_mod_exp_recp, (BIGNUM *r, const BIGNUM *a, const BIGNUM *p, const BIGNUM *m, BN_CTX *ctx),
      (r, a, p, m, ctx))
POWER(BN_mod_exp_mont, (BIGNUM *r, const BIGNUM *a, const BIGNUM *p, const BIGNUM *m, BN_CTX *ctx,
                        BN_MONT_CTX *mont), (r, a, p, m, ctx, mont))
POWER(BN_mod_exp_mont_consttime,
      (BIGNUM *r, const BIGNUM *a, const BIGNUM *p, const BIGNUM *m, BN_CTX *ctx,
                                  BN_MONT_CTX *mont), (r, a, p, m, ctx, mont))
POWER(BN_mod_exp_mont_word, (BIGNUM *r, BN_ULONG a, const BIGNUM *p, const BIGNUM *m, BN_CTX *ctx,
                             BN_MONT_CTX *mont), (r, a, p, m, ctx, mont))

PLUS_TEST(pairwise)
{
    int ok;

    no_powers = 1;
    ok = refused(2048, NULL) && TEST_int_gt(powers, 0);
    no_powers = 0;
    return ok;
}

static BIGNUM *e;

static void several(void)
{
    RSA *rsa = RSA_new();

    ossl_rsa_sp800_56b_generate_key(rsa, 1024, NULL, NULL);
    ossl_rsa_sp800_56b_generate_key(rsa, 1024, e, NULL);
    ossl_rsa_sp800_56b_generate_key(rsa, 2048, BN_value_one(), NULL);
    plus_random_fails = 1;
    ossl_rsa_sp800_56b_generate_key(rsa, 2048, NULL, NULL);
    plus_random_fails = 0;
    RSA_free(rsa);
}

PLUS_TEST(leak_body)
{
    long before;
    int i, result, ok;
    RSA *rsa;

    e = plus_word(65537);
    if (!plus_balanced(several))
        return 0;
    /* The key's numbers are replaced. */
    for (i = 0; i < 2; i++) {
        before = memory_blocks;
        if (!TEST_int_eq(ossl_rsa_sp800_56b_generate_key(standard, 2048, i == 0 ? e : NULL, NULL),
                         1))
            return 0;
    }
    if (!TEST_long_eq(memory_blocks, before))
        return 0;
    for (i = 0, ok = 1; i < 40 && ok; i++) {
        rsa = RSA_new();
        plus_refuse(2 * i);
        result = ossl_rsa_sp800_56b_generate_key(rsa, 2048, NULL, NULL);
        plus_refuse(-1);
        ok = TEST_int_eq(result, 0);
        RSA_free(rsa);
    }
    return ok;
}

static int leak(void)
{
    return have_standard() && leak_body();
}

int setup_tests(void)
{
    if (!plus_fixed_random(NULL))
        return 0;
    add_test("a key of the size is generated with all its numbers", all_numbers);
    add_test("without an exponent it is 65537", standard_exponent);
    add_test("the exponent that was given is used and stays the caller's", given);
    add_test("p is the larger prime", larger_prime);
    add_test("the generator of the key's library context is used", context);
    add_test("the callback is called", called);
    add_test("a callback that breaks off a test of a prime is an error", broken_off);
    add_test("a key of less than 2048 bits is refused", too_small);
    add_test("an exponent that is even or 1 is refused", bad_e);
    add_test("a generator that fails is an error", failing);
    add_test("a key can be generated anew in the same object", anew);
    add_test("a key that fails the pairwise test is not generated", pairwise);
    add_test("nothing is leaked and memory that is refused is an error", leak);
    return 1;
}

void cleanup_tests(void)
{
    RSA_free(standard);
    RSA_free(small);
    RSA_free(seventeen);
}
