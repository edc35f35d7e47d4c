/*---
 * tasks: [A15E1111AA115EBE]
 * tests:
 *   the strength of each size of SP 800-56B is accepted: 'Docstring: "1 if the key size matches the target strength";
 *     SP 800-56B rev 2, table 4 (appendix D).'
 *   the strengths of the larger sizes of FIPS 140 are accepted: 'RSA_security_bits(3); FIPS 140-2 IG 7.5: 7680 bits
 *     have 192, 15360 have 256.'
 *   a strength that is too high is refused: 'Docstring: "or 0 otherwise".'
 *   a strength that is too low is refused: 'Docstring: it must match.'
 *   an unknown strength matches any size: 'Docstring: "-1 means the target strength is unknown".'
 *   only -1 is unknown: 'Docstring.'
 *   a mismatch leaves an error: 'RSA_R_INVALID_STRENGTH; ossl_rsa_sp800_56b_check_keypair returns 0 without one of
 *     its own.'
 *   a match leaves no error: 'ERR_get_error(3): errors are of failures.'
 *   a key pair is checked against its strength: 'Caller ossl_rsa_sp800_56b_check_keypair.'
 ---*/
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/err.h>
#include <openssl/rsa.h>
#include "crypto/rsa.h"
#include "../../crypto/rsa/rsa_local.h"
#include "testutil.h"

static const struct {
    int nbits, strength;
} sizes[] = {
    { 2048, 112 }, { 3072, 128 }, { 4096, 152 }, { 6144, 176 }, { 8192, 200 }, { 7680, 192 }, { 15360, 256 }
};

static int matching(size_t from, size_t to)
{
    for (; from < to; from++)
        if (!TEST_int_eq(ossl_rsa_sp800_56b_validate_strength(sizes[from].nbits, sizes[from].strength), 1))
            return 0;
    return 1;
}

static int of_56b(void)
{
    return matching(0, 5);
}

static int of_140(void)
{
    return matching(5, OSSL_NELEM(sizes));
}

static int refused(int difference)
{
    size_t i;

    for (i = 0; i < OSSL_NELEM(sizes); i++)
        if (!TEST_int_eq(ossl_rsa_sp800_56b_validate_strength(sizes[i].nbits, sizes[i].strength + difference), 0))
            return 0;
    return 1;
}

static int too_high(void)
{
    return refused(1) && refused(8) && refused(100)
        && TEST_int_eq(ossl_rsa_sp800_56b_validate_strength(2048, 128), 0)
        && TEST_int_eq(ossl_rsa_sp800_56b_validate_strength(2048, 256), 0);
}

static int too_low(void)
{
    return refused(-1) && refused(-8)
        && TEST_int_eq(ossl_rsa_sp800_56b_validate_strength(3072, 112), 0)
        && TEST_int_eq(ossl_rsa_sp800_56b_validate_strength(15360, 112), 0)
        && TEST_int_eq(ossl_rsa_sp800_56b_validate_strength(2048, 80), 0);
}

static int unknown(void)
{
    static const int others[] = { 1024, 2047, 2049, 2056, 3000, 5000, 16384 };
    size_t i;

    for (i = 0; i < OSSL_NELEM(sizes); i++)
        if (!TEST_int_eq(ossl_rsa_sp800_56b_validate_strength(sizes[i].nbits, -1), 1))
            return 0;
    for (i = 0; i < OSSL_NELEM(others); i++)
        if (!TEST_int_eq(ossl_rsa_sp800_56b_validate_strength(others[i], -1), 1))
            return 0;
    return 1;
}

static int only_minus_one(void)
{
    return TEST_int_eq(ossl_rsa_sp800_56b_validate_strength(2048, -2), 0)
        && TEST_int_eq(ossl_rsa_sp800_56b_validate_strength(2048, 0), 0)
        && TEST_int_eq(ossl_rsa_sp800_56b_validate_strength(2048, 1), 0)
        && TEST_int_eq(ossl_rsa_sp800_56b_validate_strength(2048, -112), 0);
}

static int error(void)
{
    unsigned long code;

    ERR_clear_error();
    ossl_rsa_sp800_56b_validate_strength(2048, 256);
    code = ERR_peek_error();
    return TEST_int_eq(ERR_GET_LIB(code), ERR_LIB_RSA) && TEST_int_eq(ERR_GET_REASON(code), RSA_R_INVALID_STRENGTH);
}

static int no_error(void)
{
    ERR_clear_error();
    return matching(0, OSSL_NELEM(sizes)) && unknown() && TEST_ulong_eq(ERR_peek_error(), 0);
}

static int key_pair(void)
{
    unsigned long code;
    RSA *rsa = RSA_new();
    BIGNUM *n = BN_new(), *e = BN_new(), *d = BN_new(), *p = BN_new(), *q = BN_new();
    int ok = TEST_ptr(rsa) && TEST_true(BN_set_bit(n, 2047)) && TEST_true(BN_set_word(e, 65537))
        && TEST_true(BN_set_word(d, 3)) && TEST_true(BN_set_word(p, 5)) && TEST_true(BN_set_word(q, 7))
        && TEST_true(RSA_set0_key(rsa, n, e, d)) && TEST_true(RSA_set0_factors(rsa, p, q));

    ERR_clear_error();
    ok = ok && TEST_int_eq(ossl_rsa_sp800_56b_check_keypair(rsa, NULL, 128, 2048), 0);
    code = ERR_peek_error();
    ok = ok && TEST_int_eq(ERR_GET_REASON(code), RSA_R_INVALID_STRENGTH);
    ERR_clear_error();
    /* The numbers are no key, but that isn't for the strength to say. */
    ok = ok && TEST_int_eq(ossl_rsa_sp800_56b_check_keypair(rsa, NULL, 112, 2048), 0);
    code = ERR_peek_error();
    ok = ok && TEST_int_ne(ERR_GET_REASON(code), RSA_R_INVALID_STRENGTH);
    RSA_free(rsa);
    return ok;
}

int setup_tests(void)
{
    add_test("the strength of each size of SP 800-56B is accepted", of_56b);
    add_test("the strengths of the larger sizes of FIPS 140 are accepted", of_140);
    add_test("a strength that is too high is refused", too_high);
    add_test("a strength that is too low is refused", too_low);
    add_test("an unknown strength matches any size", unknown);
    add_test("only -1 is unknown", only_minus_one);
    add_test("a mismatch leaves an error", error);
    add_test("a match leaves no error", no_error);
    add_test("a key pair is checked against its strength", key_pair);
    return 1;
}
