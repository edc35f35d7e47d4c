/*---
 * tasks: [ossl_bn_rsa_fips186_4_derive_prime-7d307e.16,
 *     ossl_bn_rsa_fips186_4_derive_prime-7d307e.4,
 *   ossl_bn_rsa_fips186_4_derive_prime-7d307e.8]
 * tests:
 *   two primes are generated: 'Docstring: "Generate probable primes p & q", "1 if successful";
 *     FIPS 186-4 B.3.6.'
 *   the size of the key is that of the modulus: 'Docstring: "nbits The key size in bits (The size
 *     of the modulus n)".'
 *   a small public exponent is coprime to p - 1 and q - 1: 'FIPS 186-4 B.3.6, C.9 step 7.'
 *   p and q that are too near are generated anew: 'FIPS 186-4 B.3.6 step 6: |p - q| > 2^(nlen/2 -
 *     100);
 *     ossl_rsa_check_pminusq_diff.'
 *   equal primes of random numbers far apart are not taken: 'FIPS 186-4 B.3.6 step 6: |p - q| >
 *     2^(nlen/2 - 100).'
 *   random numbers that are too near are not taken: 'FIPS 186-4 B.3.6 step 6: |Xp - Xq| >
 *     2^(nlen/2 - 100).'
 *   a key of less than 2048 bits is refused: 'RSA_FIPS1864_MIN_KEYGEN_KEYSIZE; FIPS 186-4 B.3.6
 *     step 1.'
 *   an exponent that is even or 1 is refused: 'ossl_rsa_check_public_exponent;
 *     RSA_R_PUB_EXPONENT_OUT_OF_RANGE.'
 *   primes that were there are replaced: 'ossl_rsa_sp800_56b_generate_key calls it again if d is
 *     too small.'
 *   a change of the key is counted: 'rsa_ameth.c: rsa_pkey_dirty_cnt; siblings RSA_set0_factors
 *     and
 *     ossl_rsa_sp800_56b_derive_params_from_pq count it.'
 *   p and q are for constant time: 'Sibling rsa_lib.c: RSA_set0_factors sets BN_FLG_CONSTTIME on
 *     both.'
 *   the other numbers of the key stay: 'Docstring: "rsa Object used to store primes p & q."'
 *   a generator that fails is an error: 'Docstring: "or 0 otherwise".'
 *   nothing is leaked and memory that is refused is an error: 'Docstring: "or 0 otherwise";
 *     BN_CTX_start(3).'
 *   values for testing are used and returned: 'Docstring: "test Object used for CAVS testing only
 *     that contains ...";
 *     acvp_test.inc: rsa_keygen0_*.'
 *   values for testing may be left out: 'Docstring: "If NULL they are not returned", "If NULL
 *     these values are
 *     generated internally".'
 ---*/
/*
 * The source once more as it stands in the FIPS module, for the values for testing. The rest tests
 * the library.
 */
#include <openssl/configuration.h>
#undef OPENSSL_NO_ACVP_TESTS
#define FIPS_MODULE
#define ossl_rsa_fips186_4_gen_prob_primes fips_gen_prob_primes
#define ossl_rsa_sp800_56b_validate_strength fips_validate_strength
#define ossl_rsa_sp800_56b_derive_params_from_pq fips_derive_params_from_pq
#define ossl_rsa_sp800_56b_generate_key fips_generate_key
#define ossl_rsa_sp800_56b_pairwise_test fips_pairwise_test
#include "../../crypto/rsa/rsa_sp800_56b_gen.c"
#undef FIPS_MODULE
#undef ossl_rsa_fips186_4_gen_prob_primes
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/rsa.h>
#include <openssl/err.h>
#include "testutil.h"
#include "refused_nth.h"
#include "rsa_numbers.h"
#include "crypto/asn1.h"
#include <openssl/evp.h>

/* That of the library. */
int ossl_rsa_fips186_4_gen_prob_primes(RSA *rsa, void *test, int nbits, const BIGNUM *e,
                                       BN_CTX *ctx, BN_GENCB *cb);

static int good(RSA *rsa, int nbits, BIGNUM *e)
{
    const BIGNUM *p = RSA_get0_p(rsa), *q = RSA_get0_q(rsa);

    return TEST_ptr(p) && TEST_ptr(q) && plus_good_prime(p, nbits, e) && plus_good_prime(q, nbits, e)
        && plus_far_apart(p, q, nbits);
}

static int generates(RSA *rsa, int nbits, BIGNUM *e, BN_GENCB *cb)
{
    return TEST_int_eq(ossl_rsa_fips186_4_gen_prob_primes(rsa, NULL, nbits, e, plus_ctx, cb), 1)
        && good(rsa, nbits, e);
}

static int fresh(int nbits, BN_ULONG e, BN_GENCB *cb)
{
    RSA *rsa = RSA_new();
    int ok = generates(rsa, nbits, plus_word(e), cb);

    RSA_free(rsa);
    return ok;
}

/* The first key; another test looks at it, too. */
static RSA *first;

PLUS_TEST(two)
{
    first = RSA_new();
    return generates(first, 2048, plus_word(65537), NULL);
}

PLUS_TEST(size)
{
    return fresh(2100, 65537, NULL);
}

PLUS_TEST(small_e)
{
    return fresh(2048, 15, NULL);
}

static unsigned long long first_seed;
static int found;

/* Once p is found the generator begins anew: what is drawn for q is what was drawn for p. */
static int again(int a, int b, BN_GENCB *cb)
{
    if (a == 3 && found++ == 0)
        plus_seed = first_seed;
    return 1;
}

PLUS_TEST(too_near)
{
    BN_GENCB *cb = BN_GENCB_new();
    int ok;

    first_seed = plus_seed;
    found = 0;
    BN_GENCB_set(cb, again, NULL);
    ok = fresh(2048, 65537, cb);
    BN_GENCB_free(cb);
    return ok;
}

static int refused(int nbits, BN_ULONG e)
{
    RSA *rsa = RSA_new();
    int ok = TEST_int_eq(ossl_rsa_fips186_4_gen_prob_primes(rsa, NULL, nbits, plus_word(e), plus_ctx,
                                                            NULL), 0);

    RSA_free(rsa);
    return ok;
}

PLUS_TEST(too_small)
{
    return refused(2047, 65537) && refused(1024, 65537) && refused(512, 65537) && refused(0, 65537)
        && refused(-2048, 65537);
}

PLUS_TEST(bad_e)
{
    return refused(2048, 65536) && refused(2048, 2) && refused(2048, 1) && refused(2048, 0);
}

/* What is to be seen of one key that is generated anew. */
static int replaced_ok, counted_ok, stay_ok;

PLUS_TEST(prepare)
{
    EVP_PKEY *pkey = EVP_PKEY_new();
    RSA *rsa = RSA_new();
    BIGNUM *p = BN_new(), *q = BN_new(), *n = BN_new(), *e = BN_new(), *d = BN_new();
    size_t before;

    BN_set_word(p, 3);
    BN_set_word(q, 5);
    BN_set_word(n, 1001);
    BN_set_word(e, 7);
    BN_set_word(d, 77);
    RSA_set0_key(rsa, n, e, d);
    RSA_set0_factors(rsa, p, q);
    EVP_PKEY_assign_RSA(pkey, rsa);
    before = EVP_PKEY_get0_asn1(pkey)->dirty_cnt(pkey);
    replaced_ok = generates(rsa, 2048, plus_word(65537), NULL);
    counted_ok = TEST_size_t_ne(EVP_PKEY_get0_asn1(pkey)->dirty_cnt(pkey), before);
    stay_ok = TEST_BN_eq_word(RSA_get0_n(rsa), 1001) && TEST_BN_eq_word(RSA_get0_e(rsa), 7)
        && TEST_BN_eq_word(RSA_get0_d(rsa), 77) && TEST_ptr_null(RSA_get0_dmp1(rsa))
        && TEST_ptr_null(RSA_get0_iqmp(rsa));
    EVP_PKEY_free(pkey);
    return 1;
}

static int replaced(void)
{
    return prepare() && TEST_true(replaced_ok);
}

static int counted(void)
{
    return (replaced_ok || prepare()) && TEST_true(counted_ok);
}

static int constant(void)
{
    return (first != NULL || two()) && TEST_ptr(RSA_get0_p(first)) && TEST_ptr(RSA_get0_q(first))
        && TEST_int_ne(BN_get_flags(RSA_get0_p(first), BN_FLG_CONSTTIME), 0)
        && TEST_int_ne(BN_get_flags(RSA_get0_q(first), BN_FLG_CONSTTIME), 0);
}

static int stay(void)
{
    return (replaced_ok || prepare()) && TEST_true(stay_ok);
}

PLUS_TEST(failing)
{
    int ok;

    plus_random_fails = 1;
    ok = refused(2048, 65537);
    plus_random_fails = 0;
    return ok;
}

static RSA_ACVP_TEST values;
/*
 * A key of the FIPS module. Its structure is another one than the library's; there is room for
 * both.
 */
static union {
    struct rsa_st rsa;
    char room[2048];
} fips;
#define key fips.rsa

static void set_values(void)
{
    values.Xp = plus_hex(KAT_XP);
    values.Xp1 = plus_hex(KAT_XP1);
    values.Xp2 = plus_hex(KAT_XP2);
    values.Xq = plus_hex(KAT_XQ);
    values.Xq1 = plus_hex(KAT_XQ1);
    values.Xq2 = plus_hex(KAT_XQ2);
    values.p1 = plus_word(0);
    values.p2 = plus_word(0);
    values.q1 = plus_word(0);
    values.q2 = plus_word(0);
    memset(&fips, 0, sizeof(fips));
}

static void free_key(void)
{
    BN_free(key.p);
    BN_free(key.q);
    memset(&fips, 0, sizeof(fips));
}

static int known(void)
{
    int ok = TEST_int_eq(fips_gen_prob_primes(&key, &values, 2048, plus_word(65537), plus_ctx, NULL),
                         1)
        && TEST_BN_eq(key.p, plus_hex(KAT_P)) && TEST_BN_eq(key.q, plus_hex(KAT_Q));

    free_key();
    return ok;
}

PLUS_TEST(for_testing)
{
    set_values();
    return known() && TEST_BN_eq(values.p1, plus_hex(KAT_P1))
        && TEST_BN_eq(values.p2, plus_hex(KAT_P2))
        && TEST_BN_eq(values.q1, plus_hex(KAT_Q1)) && TEST_BN_eq(values.q2, plus_hex(KAT_Q2))
        && TEST_BN_eq(values.Xp, plus_hex(KAT_XP)) && TEST_BN_eq(values.Xq, plus_hex(KAT_XQ))
        && TEST_BN_eq(values.Xp1, plus_hex(KAT_XP1)) && TEST_BN_eq(values.Xp2, plus_hex(KAT_XP2))
        && TEST_BN_eq(values.Xq1, plus_hex(KAT_XQ1)) && TEST_BN_eq(values.Xq2, plus_hex(KAT_XQ2));
}

PLUS_TEST(left_out)
{
    int ok;

    set_values();
    values.p1 = values.q2 = NULL;
    ok = known() && TEST_BN_eq(values.p2, plus_hex(KAT_P2)) && TEST_BN_eq(values.q1, plus_hex(KAT_Q1));
    values.p2 = values.q1 = NULL;
    ok = ok && known();
    values.Xq = values.Xq1 = values.Xq2 = NULL;
    values.q1 = plus_word(0);
    ok = ok && TEST_int_eq(fips_gen_prob_primes(&key, &values, 2048, plus_word(65537), plus_ctx, NULL),
                           1)
        && TEST_BN_eq(key.p, plus_hex(KAT_P)) && plus_good_prime(key.q, 2048, plus_word(65537))
        && TEST_int_ge(BN_num_bits(values.q1), 141);
    free_key();
    return ok;
}

static int steps;

static int limited(int a, int b, BN_GENCB *cb)
{
    return a != 1 || ++steps < 700;
}

/* With the same numbers again and again the search never ends: the callback breaks it off. */
static int breaks_off(void)
{
    BN_GENCB *cb = BN_GENCB_new();
    int result;

    steps = 0;
    BN_GENCB_set(cb, limited, NULL);
    result = fips_gen_prob_primes(&key, &values, 2048, plus_word(65537), plus_ctx, cb);
    BN_GENCB_free(cb);
    free_key();
    return TEST_int_eq(result, 0);
}

PLUS_TEST(equal_primes)
{
    BIGNUM *far = plus_word(0);

    set_values();
    /* The candidates are 2^1006 apart, so both random numbers lead to the same prime. */
    values.Xp1 = values.Xq1 = plus_hex(PRIME_503);
    values.Xp2 = values.Xq2 = plus_hex(PRIME_503);
    BN_add_word(values.Xp2, 2);
    BN_set_bit(far, 930);
    BN_add(values.Xq, values.Xp, far);
    return breaks_off();
}

PLUS_TEST(near_numbers)
{
    BIGNUM *near = plus_word(0);

    set_values();
    BN_set_bit(near, 900);
    BN_add(values.Xq, values.Xp, near);
    /* Candidates far apart for q only. */
    values.Xq1 = plus_hex(PRIME_503);
    values.Xq2 = plus_hex(PRIME_503);
    BN_add_word(values.Xq2, 2);
    return breaks_off();
}

static BIGNUM *e;
static RSA *lib;

static void several(void)
{
    fips_gen_prob_primes(&key, &values, 2048, e, plus_ctx, NULL);
    free_key();
    ossl_rsa_fips186_4_gen_prob_primes(lib, NULL, 1024, e, plus_ctx, NULL);
    ossl_rsa_fips186_4_gen_prob_primes(lib, NULL, 2048, BN_value_one(), plus_ctx, NULL);
    plus_random_fails = 1;
    ossl_rsa_fips186_4_gen_prob_primes(lib, NULL, 2048, e, plus_ctx, NULL);
    plus_random_fails = 0;
}

PLUS_TEST(leak)
{
    BN_CTX *own;
    int i, result, ok;

    set_values();
    values.p1 = values.p2 = values.q1 = values.q2 = NULL;
    e = plus_word(65537);
    lib = RSA_new();
    ok = plus_balanced(several);
    RSA_free(lib);
    for (i = 0; i < 150 && ok; i += i < 16 ? 1 : 29) {
        own = BN_CTX_new();
        plus_refuse(i * 2);
        result = fips_gen_prob_primes(&key, &values, 2048, e, own, NULL);
        plus_refuse(-1);
        BN_CTX_free(own);
        ok = result == 1 ? TEST_BN_eq(key.p, plus_hex(KAT_P)) && TEST_BN_eq(key.q, plus_hex(KAT_Q))
                         : TEST_int_eq(result, 0);
        free_key();
    }
    return ok;
}

int setup_tests(void)
{
    if (!plus_fixed_random(NULL))
        return 0;
    add_test("two primes are generated", two);
    add_test("the size of the key is that of the modulus", size);
    add_test("a small public exponent is coprime to p - 1 and q - 1", small_e);
    add_test("p and q that are too near are generated anew", too_near);
    add_test("equal primes of random numbers far apart are not taken", equal_primes);
    add_test("random numbers that are too near are not taken", near_numbers);
    add_test("a key of less than 2048 bits is refused", too_small);
    add_test("an exponent that is even or 1 is refused", bad_e);
    add_test("primes that were there are replaced", replaced);
    add_test("a change of the key is counted", counted);
    add_test("p and q are for constant time", constant);
    add_test("the other numbers of the key stay", stay);
    add_test("a generator that fails is an error", failing);
    add_test("values for testing are used and returned", for_testing);
    add_test("values for testing may be left out", left_out);
    add_test("nothing is leaked and memory that is refused is an error", leak);
    return 1;
}

void cleanup_tests(void)
{
    RSA_free(first);
}
