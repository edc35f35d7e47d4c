/*---
 * tasks: [ossl_bn_rsa_fips186_4_derive_prime-7d307e.16]
 * tests:
 *   the known private exponent is right: 'Docstring: steps 6a and 6b; acvp_test.inc:
 *     rsa_keygen0_d.'
 *   the inverse of e modulo the lcm is right: 'Docstring: "1 = (d*e) mod LCM(p-1, q-1)".'
 *   d must be less than the lcm: 'Docstring: "d < LCM(p-1, q-1)".'
 *   d must be longer than half of the bits: 'Docstring: "2^(nBit/2) < d".'
 *   d must be the inverse of e: 'Docstring: "1 = (d*e) mod LCM(p-1, q-1)".'
 *   the public exponent can be larger than the lcm: 'Docstring: only d is bounded.'
 *   all of p, q and e count: 'Docstring: p, q, e.'
 *   only p, q, e and d are looked at, and they stay: 'Docstring; signature: const RSA *rsa.'
 *   nothing is leaked and memory that is refused is a failure: 'Caller
 *     ossl_rsa_sp800_56b_check_keypair; BN_CTX_start(3).'
 ---*/
#define OPENSSL_SUPPRESS_DEPRECATED
#include "../../crypto/rsa/rsa_local.h"
#include "testutil.h"
#include "refused_nth.h"
#include "rsa_numbers.h"

static int check(BN_ULONG p, BN_ULONG q, BN_ULONG e, BN_ULONG d, int nbits)
{
    RSA *rsa = plus_key(NULL, plus_word(e), plus_word(d), plus_word(p), plus_word(q));
    int result = ossl_rsa_check_private_exponent(rsa, nbits, plus_ctx);

    RSA_free(rsa);
    return result;
}

PLUS_TEST(known)
{
    RSA *rsa = plus_key(plus_hex(KAT_N), plus_word(65537), plus_hex(KAT_D), plus_hex(KAT_P), plus_hex(KAT_Q));
    int ok = TEST_true(ossl_rsa_check_private_exponent(rsa, 2048, plus_ctx))
        && TEST_true(BN_sub_word(rsa->d, 1))
        && TEST_false(ossl_rsa_check_private_exponent(rsa, 2048, plus_ctx))
        && TEST_true(BN_add_word(rsa->d, 2))
        && TEST_false(ossl_rsa_check_private_exponent(rsa, 2048, plus_ctx));

    RSA_free(rsa);
    return ok;
}

PLUS_TEST(inverse)
{
    return TEST_true(check(61, 53, 17, 413, 12)) && TEST_true(check(53, 61, 17, 413, 12))
        && TEST_true(check(61, 53, 7, 223, 12)) && TEST_true(check(15, 17, 5, 45, 8))
        && TEST_true(check(61, 53, 779, 779, 12));
}

PLUS_TEST(less)
{
    return TEST_false(check(61, 53, 17, 413 + 780, 12)) && TEST_false(check(61, 53, 17, 2753, 12))
        && TEST_false(check(15, 17, 5, 157, 8)) && TEST_false(check(61, 53, 1, 781, 12))
        && TEST_false(check(61, 53, 17, 780, 12));
}

PLUS_TEST(longer)
{
    /* 413 has 9 bits, 17 has 5. */
    return TEST_true(check(61, 53, 17, 413, 16)) && TEST_true(check(61, 53, 17, 413, 17))
        && TEST_false(check(61, 53, 17, 413, 18)) && TEST_false(check(61, 53, 17, 413, 20))
        && TEST_true(check(61, 53, 413, 17, 8)) && TEST_true(check(61, 53, 413, 17, 9))
        && TEST_false(check(61, 53, 413, 17, 10)) && TEST_false(check(61, 53, 413, 17, 12));
}

PLUS_TEST(inverse_only)
{
    return TEST_false(check(61, 53, 17, 412, 12)) && TEST_false(check(61, 53, 17, 414, 12))
        && TEST_false(check(61, 53, 17, 779, 12)) && TEST_false(check(61, 53, 17, 17 * 17, 12))
        /* -1 instead of 1 */
        && TEST_false(check(61, 53, 17, 780 - 413, 12))
        /* e has no inverse: e d = 6, 0 */
        && TEST_false(check(61, 53, 6, 131, 12)) && TEST_false(check(61, 53, 2, 390, 12))
        && TEST_false(check(61, 53, 0, 413, 12));
}

PLUS_TEST(large_e)
{
    return TEST_true(check(61, 53, 17 + 780, 413, 12))
        && TEST_true(check(61, 53, 17 + 780 * 1000, 413, 12));
}

PLUS_TEST(all)
{
    return TEST_false(check(67, 53, 17, 413, 12)) && TEST_false(check(61, 59, 17, 413, 12))
        && TEST_false(check(61, 53, 19, 413, 12)) && TEST_false(check(61, 61, 17, 413, 12))
        && TEST_false(check(53, 53, 17, 413, 12))
        /* Inverse modulo p - 1 only, and modulo q - 1 only: d = 53, 49. */
        && TEST_false(check(61, 53, 17, 53, 8)) && TEST_false(check(61, 53, 17, 49, 8));
}

PLUS_TEST(stay)
{
    RSA *rsa = plus_key(plus_word(999), plus_word(17), plus_word(413), plus_word(61), plus_word(53));
    int i, ok = 1;

    for (i = 0; i < 2 && ok; i++)
        ok = TEST_true(ossl_rsa_check_private_exponent(rsa, 12, plus_ctx))
            && TEST_BN_eq_word(rsa->n, 999)
            && TEST_BN_eq_word(rsa->e, 17) && TEST_BN_eq_word(rsa->d, 413)
            && TEST_BN_eq_word(rsa->p, 61)
            && TEST_BN_eq_word(rsa->q, 53);
    RSA_free(rsa);
    return ok;
}

static RSA *good, *wrong;

static void call(void)
{
    ossl_rsa_check_private_exponent(good, 12, plus_ctx);
    ossl_rsa_check_private_exponent(wrong, 12, plus_ctx);
    ossl_rsa_check_private_exponent(good, 20, plus_ctx);
}

PLUS_TEST(leak)
{
    BN_CTX *own;
    int i, ok;

    good = plus_key(NULL, plus_word(17), plus_word(413), plus_word(61), plus_word(53));
    wrong = plus_key(NULL, plus_word(17), plus_word(414), plus_word(61), plus_word(53));
    ok = plus_balanced(call);
    for (i = 0; i < 100 && ok; i++) {
        own = BN_CTX_new();
        plus_refuse(i);
        ok = (i > 0 || !ossl_rsa_check_private_exponent(good, 12, own));
        plus_refuse(i);
        ok = ok && !ossl_rsa_check_private_exponent(wrong, 12, own);
        plus_refuse(-1);
        BN_CTX_free(own);
    }
    RSA_free(good);
    RSA_free(wrong);
    return TEST_true(ok);
}

int setup_tests(void)
{
    add_test("the known private exponent is right", known);
    add_test("the inverse of e modulo the lcm is right", inverse);
    add_test("d must be less than the lcm", less);
    add_test("d must be longer than half of the bits", longer);
    add_test("d must be the inverse of e", inverse_only);
    add_test("the public exponent can be larger than the lcm", large_e);
    add_test("all of p, q and e count", all);
    add_test("only p, q, e and d are looked at, and they stay", stay);
    add_test("nothing is leaked and memory that is refused is a failure", leak);
    return 1;
}
