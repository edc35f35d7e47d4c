/*---
 * tasks: [ossl_bn_rsa_fips186_4_derive_prime-7d307e.16,
 *     ossl_bn_rsa_fips186_4_derive_prime-7d307e.8]
 * tests:
 *   the known n and d are derived: 'acvp_test.inc: rsa_keygen0_n, d; docstring: "calculate other
 *     required parameters
 *     such as n, d. as well as the CRT parameters dP, dQ, qInv", "1 = success".'
 *   small numbers are derived as by hand: 'Docstring: SP800-56Br1 6.3.1.1 steps 3-4, 6.3.1.3 step
 *     5: d = 1 / e mod
 *     LCM(p-1, q-1), dP = d mod (p-1), dQ = d mod (q-1), qInv = 1 / q mod p.'
 *   a d that is too small is told: 'Docstring: "0 = d is too small"; SP800-56Br1 6.3.1.1 step 3: d
 *     > 2^(nbits/2).'
 *   after a d that is too small the next try succeeds: 'Caller ossl_rsa_sp800_56b_generate_key
 *     tries again with the
 *     same object.'
 *   an exponent that has no inverse is an error: 'Docstring: "-1 = error".'
 *   primes that have no qInv are an error: 'Docstring: "-1 = error"; qInv = 1 / q mod p.'
 *   without an exponent those of the key are used and stay: 'Docstring: "if e is NULL then it is
 *     assumed that e, n and
 *     d are already set in the RSA key and do not need to be recalculated".'
 *   the exponent is copied: 'Signature: const BIGNUM *e; the caller frees it.'
 *   what was there before is replaced: 'Docstring; ossl_rsa_sp800_56b_generate_key calls it again
 *     and again.'
 *   p and q stay: 'Docstring: "Using p & q".'
 *   a change of the key is counted: 'rsa_ameth.c: rsa_pkey_dirty_cnt; siblings RSA_set0_key,
 *     RSA_set0_crt_params.'
 *   the private numbers are for constant time: 'Siblings RSA_set0_key, RSA_set0_crt_params set
 *     BN_FLG_CONSTTIME.'
 *   nothing is leaked and memory that is refused is an error: 'Docstring: "-1 = error";
 *     BN_CTX_start(3).'
 ---*/
#define OPENSSL_SUPPRESS_DEPRECATED
#include "../../crypto/rsa/rsa_local.h"
#include "testutil.h"
#include "refused_nth.h"
#include "rsa_numbers.h"

PLUS_TEST(known)
{
    RSA *rsa = plus_key(NULL, NULL, NULL, plus_hex(KAT_P), plus_hex(KAT_Q));
    int ok = TEST_int_eq(ossl_rsa_sp800_56b_derive_params_from_pq(rsa, 2048, plus_word(65537),
                                                                  plus_ctx), 1)
        && TEST_BN_eq(rsa->n, plus_hex(KAT_N)) && TEST_BN_eq(rsa->d, plus_hex(KAT_D))
        && TEST_BN_eq_word(rsa->e, 65537)
        && plus_consistent(rsa);

    RSA_free(rsa);
    return ok;
}

static RSA *of(BN_ULONG p, BN_ULONG q)
{
    return plus_key(NULL, NULL, NULL, plus_word(p), plus_word(q));
}

static int are(RSA *rsa, BN_ULONG n, BN_ULONG e, BN_ULONG d, BN_ULONG dp, BN_ULONG dq,
               BN_ULONG qinv)
{
    return TEST_BN_eq_word(rsa->n, n) && TEST_BN_eq_word(rsa->e, e) && TEST_BN_eq_word(rsa->d, d)
        && TEST_BN_eq_word(rsa->dmp1, dp) && TEST_BN_eq_word(rsa->dmq1, dq)
        && TEST_BN_eq_word(rsa->iqmp, qinv);
}

PLUS_TEST(by_hand)
{
    RSA *rsa = of(61, 53), *turned = of(53, 61);
    int ok = TEST_int_eq(ossl_rsa_sp800_56b_derive_params_from_pq(rsa, 12, plus_word(17), plus_ctx), 1)
        && are(rsa, 3233, 17, 413, 53, 49, 38)
        && TEST_int_eq(ossl_rsa_sp800_56b_derive_params_from_pq(turned, 12, plus_word(17), plus_ctx),
                       1)
        && are(turned, 3233, 17, 413, 49, 53, 20);

    RSA_free(rsa);
    RSA_free(turned);
    return ok;
}

static int derives(int nbits, BN_ULONG e, int expected)
{
    RSA *rsa = of(61, 53);
    int ok = TEST_int_eq(ossl_rsa_sp800_56b_derive_params_from_pq(rsa, nbits, plus_word(e), plus_ctx),
                         expected);

    RSA_free(rsa);
    ERR_clear_error();
    return ok;
}

PLUS_TEST(small_d)
{
    /* d = 413 has 9 bits. */
    return derives(16, 17, 1) && derives(17, 17, 1) && derives(18, 17, 0) && derives(19, 17, 0)
        && derives(20, 17, 0)
        /* d = 17 has 5. */
        && derives(9, 413, 1) && derives(10, 413, 0) && derives(12, 413, 0);
}

PLUS_TEST(next_try)
{
    RSA *rsa = of(61, 53);
    int ok = TEST_int_eq(ossl_rsa_sp800_56b_derive_params_from_pq(rsa, 12, plus_word(413), plus_ctx),
                         0)
        && TEST_BN_eq_word(rsa->p, 61) && TEST_BN_eq_word(rsa->q, 53)
        && TEST_int_eq(ossl_rsa_sp800_56b_derive_params_from_pq(rsa, 12, plus_word(17), plus_ctx), 1)
        && are(rsa, 3233, 17, 413, 53, 49, 38)
        && TEST_int_eq(ossl_rsa_sp800_56b_derive_params_from_pq(rsa, 12, plus_word(413), plus_ctx), 0)
        && TEST_int_eq(ossl_rsa_sp800_56b_derive_params_from_pq(rsa, 12, plus_word(7), plus_ctx), 1)
        && are(rsa, 3233, 7, 223, 43, 15, 38);

    RSA_free(rsa);
    return ok;
}

PLUS_TEST(no_inverse)
{
    return derives(12, 6, -1) && derives(12, 65, -1) && derives(12, 2, -1) && derives(12, 39, -1);
}

PLUS_TEST(no_qinv)
{
    RSA *rsa = of(15, 25), *same = of(61, 61);
    int ok = TEST_int_eq(ossl_rsa_sp800_56b_derive_params_from_pq(rsa, 4, plus_word(11), plus_ctx), -1)
        && TEST_int_eq(ossl_rsa_sp800_56b_derive_params_from_pq(same, 4, plus_word(7), plus_ctx), -1);

    RSA_free(rsa);
    RSA_free(same);
    return ok;
}

PLUS_TEST(without)
{
    /* d is larger than it would be computed, and n is none of p and q. */
    RSA *rsa = plus_key(plus_word(999), plus_word(5), plus_word(413 + 780), plus_word(61), plus_word(53));
    BIGNUM *n = rsa->n, *e = rsa->e, *d = rsa->d;
    int ok = TEST_int_eq(ossl_rsa_sp800_56b_derive_params_from_pq(rsa, 12, NULL, plus_ctx), 1)
        && are(rsa, 999, 5, 413 + 780, 53, 49, 38)
        && TEST_ptr_eq(rsa->n, n) && TEST_ptr_eq(rsa->e, e) && TEST_ptr_eq(rsa->d, d)
        /* Whether d is too small is not asked again. */
        && TEST_true(BN_set_word(rsa->d, 17))
        && TEST_int_eq(ossl_rsa_sp800_56b_derive_params_from_pq(rsa, 12, NULL, plus_ctx), 1)
        && are(rsa, 999, 5, 17, 17, 17, 38);

    RSA_free(rsa);
    return ok;
}

PLUS_TEST(copied)
{
    RSA *rsa = of(61, 53);
    BIGNUM *e = BN_new();
    int ok;

    BN_set_word(e, 17);
    ok = TEST_int_eq(ossl_rsa_sp800_56b_derive_params_from_pq(rsa, 12, e, plus_ctx), 1)
        && TEST_BN_eq_word(e, 17)
        && TEST_ptr_ne(rsa->e, e) && TEST_true(BN_set_word(e, 5)) && TEST_BN_eq_word(rsa->e, 17);
    BN_free(e);
    ok = ok && TEST_BN_eq_word(rsa->e, 17);
    RSA_free(rsa);
    return ok;
}

PLUS_TEST(replaced)
{
    RSA *rsa = plus_key(plus_word(1), plus_hex(KAT_P), plus_hex(KAT_D), plus_word(61), plus_word(53));
    int ok;

    rsa->dmp1 = BN_dup(plus_hex(KAT_D));
    rsa->dmq1 = BN_dup(plus_hex(KAT_P));
    rsa->iqmp = BN_dup(plus_hex(KAT_Q));
    ok = TEST_int_eq(ossl_rsa_sp800_56b_derive_params_from_pq(rsa, 12, plus_word(17), plus_ctx), 1)
        && are(rsa, 3233, 17, 413, 53, 49, 38)
        && TEST_int_eq(ossl_rsa_sp800_56b_derive_params_from_pq(rsa, 12, plus_word(7), plus_ctx), 1)
        && are(rsa, 3233, 7, 223, 43, 15, 38);
    RSA_free(rsa);
    return ok;
}

PLUS_TEST(stay)
{
    RSA *rsa = of(61, 53);
    BIGNUM *p = rsa->p, *q = rsa->q;
    int ok = TEST_int_eq(ossl_rsa_sp800_56b_derive_params_from_pq(rsa, 12, plus_word(17), plus_ctx), 1)
        && TEST_ptr_eq(rsa->p, p) && TEST_ptr_eq(rsa->q, q) && TEST_BN_eq_word(p, 61)
        && TEST_BN_eq_word(q, 53)
        && TEST_int_eq(ossl_rsa_sp800_56b_derive_params_from_pq(rsa, 12, plus_word(6), plus_ctx), -1)
        && TEST_ptr_eq(rsa->p, p) && TEST_ptr_eq(rsa->q, q) && TEST_BN_eq_word(p, 61)
        && TEST_BN_eq_word(q, 53);

    RSA_free(rsa);
    return ok;
}

PLUS_TEST(counted)
{
    RSA *rsa = of(61, 53);
    int before = rsa->dirty_cnt;
    int ok = TEST_int_eq(ossl_rsa_sp800_56b_derive_params_from_pq(rsa, 12, plus_word(17), plus_ctx), 1)
        && TEST_int_ne(rsa->dirty_cnt, before) && ((before = rsa->dirty_cnt), 1)
        && TEST_int_eq(ossl_rsa_sp800_56b_derive_params_from_pq(rsa, 12, NULL, plus_ctx), 1)
        && TEST_int_ne(rsa->dirty_cnt, before);

    RSA_free(rsa);
    return ok;
}

PLUS_TEST(constant)
{
    RSA *rsa = of(61, 53);
    int ok = TEST_int_eq(ossl_rsa_sp800_56b_derive_params_from_pq(rsa, 12, plus_word(17), plus_ctx), 1)
        && TEST_int_ne(BN_get_flags(rsa->d, BN_FLG_CONSTTIME), 0)
        && TEST_int_ne(BN_get_flags(rsa->dmp1, BN_FLG_CONSTTIME), 0)
        && TEST_int_ne(BN_get_flags(rsa->dmq1, BN_FLG_CONSTTIME), 0)
        && TEST_int_ne(BN_get_flags(rsa->iqmp, BN_FLG_CONSTTIME), 0);

    RSA_free(rsa);
    return ok;
}

static RSA *key;
static BIGNUM *e;

static void several(void)
{
    RSA *rsa = of(61, 53);

    ossl_rsa_sp800_56b_derive_params_from_pq(key, 12, e, plus_ctx);
    ossl_rsa_sp800_56b_derive_params_from_pq(key, 12, NULL, plus_ctx);
    ossl_rsa_sp800_56b_derive_params_from_pq(key, 20, e, plus_ctx);
    ossl_rsa_sp800_56b_derive_params_from_pq(rsa, 12, e, plus_ctx);
    ossl_rsa_sp800_56b_derive_params_from_pq(rsa, 12, BN_value_one(), plus_ctx);
    ossl_rsa_sp800_56b_derive_params_from_pq(key, 12, plus_word(6), plus_ctx);
    ossl_rsa_sp800_56b_derive_params_from_pq(key, 12, e, plus_ctx);
    RSA_free(rsa);
    /* The numbers of the test are not the function's. */
    BN_free(plus_numbers[--plus_count]);
    BN_free(plus_numbers[--plus_count]);
    BN_free(plus_numbers[--plus_count]);
}

PLUS_TEST(leak)
{
    BN_CTX *own;
    RSA *rsa;
    int i, result, ok;

    key = of(61, 53);
    e = plus_word(17);
    ok = plus_balanced(several);
    RSA_free(key);
    for (i = 0; i < 180 && ok; i++) {
        own = BN_CTX_new();
        rsa = of(61, 53);
        plus_refuse(i);
        result = ossl_rsa_sp800_56b_derive_params_from_pq(rsa, 12, e, own);
        plus_refuse(-1);
        /* Never 0: the caller would try again. */
        ok = result == 1 ? are(rsa, 3233, 17, 413, 53, 49, 38) : TEST_int_eq(result, -1);
        RSA_free(rsa);
        BN_CTX_free(own);
    }
    return ok;
}

int setup_tests(void)
{
    add_test("the known n and d are derived", known);
    add_test("small numbers are derived as by hand", by_hand);
    add_test("a d that is too small is told", small_d);
    add_test("after a d that is too small the next try succeeds", next_try);
    add_test("an exponent that has no inverse is an error", no_inverse);
    add_test("primes that have no qInv are an error", no_qinv);
    add_test("without an exponent those of the key are used and stay", without);
    add_test("the exponent is copied", copied);
    add_test("what was there before is replaced", replaced);
    add_test("p and q stay", stay);
    add_test("a change of the key is counted", counted);
    add_test("the private numbers are for constant time", constant);
    add_test("nothing is leaked and memory that is refused is an error", leak);
    return 1;
}
