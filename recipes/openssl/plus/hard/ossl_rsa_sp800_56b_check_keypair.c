/*---
 * tasks: [ossl_bn_rsa_fips186_4_derive_prime-7d307e.16]
 * tests:
 *   the known key pair is valid: 'Docstring: "RSA key pair validation"; acvp_test.inc:
 *     rsa_keygen0_*.'
 *   a pair is valid with and without the numbers of the CRT: 'ossl_rsa_check_crt_components:
 *     "return ok if all components
 *     are NULL"; docstring: rsakpv1 - crt.'
 *   each of p, q, e, d and n must be there: 'Docstring: key pair; rsa_sp800_56b_test.c: "NULL
 *     parameters".'
 *   the strength must be that of the size: 'ossl_rsa_sp800_56b_validate_strength: "-1 means the
 *     target strength is
 *     unknown".'
 *   a fixed exponent must be that of the key: 'Docstring: "with a Fixed Exponent";
 *     rsa_sp800_56b_test.c: "mismatching
 *     exponent".'
 *   the exponent must be valid: 'SP800-56Br1 6.4.1.2.1: e is odd; ossl_rsa_check_public_exponent.'
 *   the number of bits must be that of n: 'SP800-56Br1 6.4.1.2.3 step 3 b; rsa_sp800_56b_test.c.'
 *   n must be p q: 'SP800-56Br1 6.4.1.2.3 step 4 c; rsa_sp800_56b_test.c: "check n == pq
 *     failure".'
 *   p and q must be prime: 'SP800-56Br1 6.4.1.2.3 step 5; ossl_rsa_check_prime_factor.'
 *   p and q must be in their range: 'SP800-56Br1 6.4.1.2.1 step 5 c, g;
 *     ossl_rsa_check_prime_factor_range.'
 *   p and q must be far enough apart: 'SP800-56Br1 6.4.1.2.1 step 5 i;
 *     ossl_rsa_check_pminusq_diff.'
 *   d must be the private exponent: 'SP800-56Br1 6.4.1.2.3 step 6;
 *     ossl_rsa_check_private_exponent.'
 *   the numbers of the CRT must be right and all there: 'SP800-56Br1 6.4.1.2.3 step 7;
 *     ossl_rsa_check_crt_components.'
 *   a pair that is not valid leaves an error: 'RSA_R_INVALID_KEYPAIR; rsa_chk.c:
 *     ossl_rsa_validate_pairwise returns the result alone.'
 *   the key stays, nothing is leaked and memory that is refused is a failure: 'Signature: const;
 *     BN_CTX_start(3).'
 ---*/
#define OPENSSL_SUPPRESS_DEPRECATED
#include "../../crypto/rsa/rsa_local.h"
#include "testutil.h"
#include "refused_nth.h"
#include "rsa_numbers.h"

#define GOOD_P "db871d9f411413a1011e9e43ea5e50d63331339a32d1f33bee44bb2c0324bb3f"
#define GOOD_Q "da0fc7addfa3b67c67014738d91edf59cc9f929d4a6c0a5755bf2b55ab49b631"
#define LARGE_P "100000000000000aeeab0a8cc316d105c6abe942f30113672ca10fbe804df3d21"
#define SMALL_P "b504f333f9de642379a2b42f2a43c975c198453df4e7a944e8d7dc5614793a89"
#define TOP_Q "ffffffffffffff4cbb8d7baab3673d268e86982fe654d80e457fe8982b49dcc7"
#define COMPOSITE_P "ba9fa22ef428a617de91328ce81acc09702a921ff8f6527e64ad63ae32f6e1b9"
#define NEAR_Q "db871d9f411413a1011e9e43ea5e50d63331339a32d1f33bee44bb2c0324bdd3"
#define BELOW_Q "db871d9f411413a1011e9e43fa5e50d63331339a32d1f33bee44bb2c0324ba75"
#define ABOVE_Q "db871d9f411413a1011e9e43fa5e50d63331339a32d1f33bee44bb2c0324bba7"

/* A pair of 512 bits of these primes, all else computed. */
static RSA *pair(const char *p, const char *q, BN_ULONG e)
{
    RSA *rsa = plus_key(NULL, plus_word(e), NULL, plus_hex(p), plus_hex(q));

    plus_fill(rsa);
    return rsa;
}

static RSA *good(void)
{
    return pair(GOOD_P, GOOD_Q, 65537);
}

static int valid(RSA *rsa)
{
    return ossl_rsa_sp800_56b_check_keypair(rsa, NULL, -1, 512);
}

static int is(const char *p, const char *q, int expected)
{
    RSA *rsa = pair(p, q, 65537), *turned = pair(q, p, 65537);
    int ok = expected ? TEST_true(valid(rsa)) && TEST_true(valid(turned))
                      : TEST_false(valid(rsa)) && TEST_false(valid(turned));

    RSA_free(rsa);
    RSA_free(turned);
    return ok;
}

PLUS_TEST(known)
{
    RSA *rsa = plus_key(plus_hex(KAT_N), plus_word(65537), plus_hex(KAT_D), plus_hex(KAT_P), plus_hex(KAT_Q));
    int ok = TEST_true(ossl_rsa_sp800_56b_check_keypair(rsa, NULL, -1, 2048));

    plus_fill(rsa);
    ok = ok && TEST_true(ossl_rsa_sp800_56b_check_keypair(rsa, plus_word(65537), 112, 2048));
    RSA_free(rsa);
    return ok;
}

static void drop(BIGNUM **number)
{
    BN_free(*number);
    *number = NULL;
}

PLUS_TEST(with_and_without)
{
    RSA *rsa = good();
    int ok = TEST_true(valid(rsa));

    drop(&rsa->dmp1);
    drop(&rsa->dmq1);
    drop(&rsa->iqmp);
    ok = ok && TEST_true(valid(rsa));
    RSA_free(rsa);
    return ok && is(GOOD_P, GOOD_Q, 1);
}

PLUS_TEST(there)
{
    RSA *rsa;
    int i, ok = 1;

    for (i = 0; i < 5 && ok; i++) {
        rsa = good();
        drop(i == 0 ? &rsa->p : i == 1 ? &rsa->q : i == 2 ? &rsa->e : i == 3 ? &rsa->d : &rsa->n);
        ok = TEST_false(valid(rsa));
        RSA_free(rsa);
    }
    rsa = RSA_new();
    ok = ok && TEST_false(valid(rsa))
        && TEST_false(ossl_rsa_sp800_56b_check_keypair(rsa, NULL, -1, 0));
    RSA_free(rsa);
    return ok;
}

PLUS_TEST(strength)
{
    RSA *rsa = plus_key(plus_hex(KAT_N), plus_word(65537), plus_hex(KAT_D), plus_hex(KAT_P), plus_hex(KAT_Q));
    int ok = TEST_false(ossl_rsa_sp800_56b_check_keypair(rsa, NULL, 128, 2048))
        && TEST_false(ossl_rsa_sp800_56b_check_keypair(rsa, NULL, 100, 2048))
        && TEST_false(ossl_rsa_sp800_56b_check_keypair(rsa, NULL, 0, 2048))
        && TEST_true(ossl_rsa_sp800_56b_check_keypair(rsa, NULL, 112, 2048));

    RSA_free(rsa);
    return ok;
}

PLUS_TEST(fixed)
{
    RSA *rsa = good();
    BIGNUM *e = plus_word(65537);
    int ok = TEST_true(ossl_rsa_sp800_56b_check_keypair(rsa, e, -1, 512))
        && TEST_BN_eq_word(e, 65537)
        && TEST_false(ossl_rsa_sp800_56b_check_keypair(rsa, plus_word(3), -1, 512))
        && TEST_false(ossl_rsa_sp800_56b_check_keypair(rsa, BN_value_one(), -1, 512))
        && TEST_false(ossl_rsa_sp800_56b_check_keypair(rsa, plus_word(65539), -1, 512))
        && TEST_false(ossl_rsa_sp800_56b_check_keypair(rsa, plus_word(65535), -1, 512));

    RSA_free(rsa);
    rsa = pair(GOOD_P, GOOD_Q, 3);
    ok = ok && TEST_true(ossl_rsa_sp800_56b_check_keypair(rsa, plus_word(3), -1, 512))
        && TEST_true(ossl_rsa_sp800_56b_check_keypair(rsa, NULL, -1, 512))
        && TEST_false(ossl_rsa_sp800_56b_check_keypair(rsa, e, -1, 512));
    RSA_free(rsa);
    return ok;
}

PLUS_TEST(exponent)
{
    RSA *rsa = good();
    int ok;

    BN_set_word(rsa->e, 1);
    ok = TEST_false(valid(rsa))
        && TEST_false(ossl_rsa_sp800_56b_check_keypair(rsa, BN_value_one(), -1, 512));
    BN_set_word(rsa->e, 65536);
    ok = ok && TEST_false(valid(rsa))
        && TEST_false(ossl_rsa_sp800_56b_check_keypair(rsa, plus_word(65536), -1, 512));
    BN_set_word(rsa->e, 0);
    ok = ok && TEST_false(valid(rsa));
    RSA_free(rsa);
    return ok;
}

PLUS_TEST(bits)
{
    RSA *rsa = good();
    int ok = TEST_true(valid(rsa))
        && TEST_false(ossl_rsa_sp800_56b_check_keypair(rsa, NULL, -1, 511))
        && TEST_false(ossl_rsa_sp800_56b_check_keypair(rsa, NULL, -1, 513))
        && TEST_false(ossl_rsa_sp800_56b_check_keypair(rsa, NULL, -1, 510))
        && TEST_false(ossl_rsa_sp800_56b_check_keypair(rsa, NULL, -1, 514))
        && TEST_false(ossl_rsa_sp800_56b_check_keypair(rsa, NULL, -1, 64))
        && TEST_false(ossl_rsa_sp800_56b_check_keypair(rsa, NULL, -1, 0))
        && TEST_false(ossl_rsa_sp800_56b_check_keypair(rsa, NULL, -1, -512));

    RSA_free(rsa);
    return ok;
}

PLUS_TEST(product)
{
    RSA *rsa = good();
    int ok = TEST_true(BN_add_word(rsa->n, 2)) && TEST_false(valid(rsa))
        && TEST_true(BN_sub_word(rsa->n, 4))
        && TEST_false(valid(rsa)) && TEST_true(BN_add_word(rsa->n, 2)) && TEST_true(valid(rsa));

    RSA_free(rsa);
    return ok;
}

PLUS_TEST(prime)
{
    return is(COMPOSITE_P, GOOD_Q, 0) && is(COMPOSITE_P, GOOD_P, 0);
}

PLUS_TEST(range)
{
    return is(LARGE_P, GOOD_Q, 0) && is(SMALL_P, TOP_Q, 0) && is(GOOD_P, TOP_Q, 1);
}

PLUS_TEST(apart)
{
    return is(GOOD_P, NEAR_Q, 0) && is(GOOD_P, BELOW_Q, 0) && is(GOOD_P, ABOVE_Q, 1);
}

PLUS_TEST(private)
{
    RSA *rsa = good();
    BIGNUM *t = plus_word(0), *p1 = plus_keep(BN_dup(rsa->p)), *q1 = plus_keep(BN_dup(rsa->q)),
        *d = plus_keep(BN_dup(rsa->d));
    int ok;

    drop(&rsa->dmp1);
    drop(&rsa->dmq1);
    drop(&rsa->iqmp);
    BN_add_word(rsa->d, 2);
    ok = TEST_false(valid(rsa));
    BN_set_word(rsa->d, 65537);
    ok = ok && TEST_false(valid(rsa));
    /* The inverse of e, but not less than the lcm. */
    BN_sub_word(p1, 1);
    BN_sub_word(q1, 1);
    BN_mul(t, p1, q1, plus_ctx);
    BN_add(rsa->d, d, t);
    ok = ok && TEST_false(valid(rsa));
    BN_copy(rsa->d, d);
    ok = ok && TEST_true(valid(rsa));
    RSA_free(rsa);
    return ok;
}

PLUS_TEST(crt)
{
    RSA *rsa;
    BIGNUM **number;
    int i, ok = 1;

    for (i = 0; i < 3 && ok; i++) {
        rsa = good();
        number = i == 0 ? &rsa->dmp1 : i == 1 ? &rsa->dmq1 : &rsa->iqmp;
        ok = TEST_true(BN_add_word(*number, 1)) && TEST_false(valid(rsa))
            && TEST_true(BN_sub_word(*number, 1))
            && TEST_true(valid(rsa));
        drop(number);
        ok = ok && TEST_false(valid(rsa));
        RSA_free(rsa);
    }
    return ok;
}

PLUS_TEST(error)
{
    RSA *rsa = good(), *near = pair(GOOD_P, NEAR_Q, 65537);
    int ok;

    ERR_clear_error();
    ok = TEST_false(valid(near)) && TEST_ulong_ne(ERR_peek_error(), 0);
    ERR_clear_error();
    BN_add_word(rsa->n, 2);
    ok = ok && TEST_false(valid(rsa)) && TEST_ulong_ne(ERR_peek_error(), 0);
    ERR_clear_error();
    drop(&rsa->d);
    ok = ok && TEST_false(valid(rsa)) && TEST_ulong_ne(ERR_peek_error(), 0);
    ERR_clear_error();
    RSA_free(rsa);
    RSA_free(near);
    return ok;
}

PLUS_TEST(stays)
{
    RSA *rsa = good(), *same = good(), *near = pair(GOOD_P, NEAR_Q, 65537), *wrong = good();
    BIGNUM *three = plus_word(3);
    long before = 0;
    int i, ok = 1;

    BN_add_word(wrong->n, 2);
    for (i = 0; i < 4; i++) {
        OPENSSL_thread_stop();
        fake_rand_set_public_private_callbacks(NULL, plus_random_bytes);
        if (i == 2)
            before = memory_blocks;
        ok = ok && TEST_true(valid(rsa)) && TEST_false(valid(near)) && TEST_false(valid(wrong))
            && TEST_false(ossl_rsa_sp800_56b_check_keypair(rsa, three, -1, 512))
            && TEST_false(ossl_rsa_sp800_56b_check_keypair(rsa, NULL, -1, 510));
    }
    /* Without memory none is valid. */
    for (i = 0; i < 60 && ok; i++) {
        plus_refuse(i);
        ok = !valid(wrong) && (i > 0 || !valid(rsa));
        plus_refuse(-1);
        ERR_clear_error();
    }
    OPENSSL_thread_stop();
    fake_rand_set_public_private_callbacks(NULL, plus_random_bytes);
    ok = ok && TEST_long_eq(memory_blocks, before) && TEST_BN_eq(rsa->n, same->n)
        && TEST_BN_eq(rsa->e, same->e)
        && TEST_BN_eq(rsa->d, same->d) && TEST_BN_eq(rsa->p, same->p)
        && TEST_BN_eq(rsa->q, same->q)
        && TEST_BN_eq(rsa->dmp1, same->dmp1) && TEST_BN_eq(rsa->dmq1, same->dmq1)
        && TEST_BN_eq(rsa->iqmp, same->iqmp);
    RSA_free(rsa);
    RSA_free(same);
    RSA_free(near);
    RSA_free(wrong);
    return ok;
}

int setup_tests(void)
{
    if (!plus_fixed_random(NULL))
        return 0;
    add_test("the known key pair is valid", known);
    add_test("a pair is valid with and without the numbers of the CRT", with_and_without);
    add_test("the strength must be that of the size", strength);
    add_test("a fixed exponent must be that of the key", fixed);
    add_test("the exponent must be valid", exponent);
    add_test("the number of bits must be that of n", bits);
    add_test("n must be p q", product);
    add_test("p and q must be prime", prime);
    add_test("p and q must be in their range", range);
    add_test("p and q must be far enough apart", apart);
    add_test("d must be the private exponent", private);
    add_test("the numbers of the CRT must be right and all there", crt);
    add_test("a pair that is not valid leaves an error", error);
    add_test("the key stays, nothing is leaked and memory that is refused is a failure", stays);
    add_test("each of p, q, e, d and n must be there", there);
    return 1;
}
