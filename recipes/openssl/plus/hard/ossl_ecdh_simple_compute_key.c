/*---
 * tasks: [ossl_ecdh_simple_compute_key-5699d1]
 * tests:
 *   a published secret is made: 'NIST CAVS vectors for ECC CDH, P-256, COUNT = 0; comment: SP800-56A, 5.7.1.2.'
 *   both sides make the same: 'Comment: "ECSVDP-DH"; IEEE 1363.'
 *   the secret has the length of the field: 'SP 800-56A, C.2, field-element-to-byte-string; comment: SP800-56A r3.'
 *   zeros stand in front of a small coordinate: 'SP 800-56A, C.2: a string of fixed length.'
 *   the cofactor counts with its flag: 'Comment: "Cofactor Diffie-Hellman"; EC_FLAG_COFACTOR_ECDH; man EC_KEY_new.'
 *   the cofactor does not count without its flag: 'man EC_KEY_new: EC_FLAG_COFACTOR_ECDH; evppkey_ecdh.txt.'
 *   the point at infinity is an error: 'SP 800-56A, 5.7.1.2, step 2: "If P = O, ... output an error indicator".'
 *   the private key is needed: 'ecerr.h: EC_R_MISSING_PRIVATE_KEY; ECDH_compute_key tests the result.'
 *   the public key of one's own is not needed: 'Signature: the other''s point and the key.'
 *   a point of another curve is an error: 'EC_POINT_mul: the group of the key; ECDH_compute_key tests the result.'
 *   key and point stay as they were: 'Signature: const EC_POINT *pub_key, const EC_KEY *ecdh.'
 *   it works with a library context of the key: 'ecdh_exch.c: keys of any libctx.'
 *   the caller owns the secret and nothing else: 'ECDH_compute_key: OPENSSL_clear_free(sec, seclen), on success alone.'
 *   a failed allocation is told: 'ECDH_compute_key: "if (!...compute_key(...)) return 0".'
 ---*/
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/obj_mac.h>
#include "../../crypto/ec/ec_local.h"
#include "../testutil.h"
#include "memory_count.h"

/* A key with this private number, in hex, and no public key. */
static EC_KEY *key_of(int curve, const char *private_hex)
{
    EC_KEY *key = EC_KEY_new_by_curve_name(curve);
    BIGNUM *number = NULL;

    if (key == NULL || !BN_hex2bn(&number, private_hex) || !EC_KEY_set_private_key(key, number)) {
        EC_KEY_free(key);
        key = NULL;
    }
    BN_free(number);
    return key;
}

/* The point `number` times the generator. */
static EC_POINT *times(const EC_KEY *key, unsigned long number)
{
    EC_POINT *point = EC_POINT_new(EC_KEY_get0_group(key));
    BIGNUM *factor = BN_new();

    BN_set_word(factor, number);
    if (!EC_POINT_mul(EC_KEY_get0_group(key), point, factor, NULL, NULL, NULL)) {
        EC_POINT_free(point);
        point = NULL;
    }
    BN_free(factor);
    return point;
}

/* Is the secret the first coordinate of `factor` times the private key times the point? */
static int makes(const EC_KEY *key, const EC_POINT *point, unsigned long factor)
{
    const EC_GROUP *group = EC_KEY_get0_group(key);
    size_t size = 0, expected_size = (EC_GROUP_get_degree(group) + 7) / 8;
    unsigned char *secret = NULL, expected[100] = "";
    EC_POINT *product = EC_POINT_new(group);
    BIGNUM *number = BN_dup(EC_KEY_get0_private_key(key)), *x = BN_new();
    int ok;

    BN_mul_word(number, factor);
    ok = TEST_true(EC_POINT_mul(group, product, NULL, point, number, NULL))
        && TEST_true(EC_POINT_get_affine_coordinates(group, product, x, NULL, NULL))
        && TEST_int_eq(BN_bn2binpad(x, expected, expected_size), expected_size)
        && TEST_int_eq(ossl_ecdh_simple_compute_key(&secret, &size, point, key), 1)
        && TEST_mem_eq(secret, size, expected, expected_size);
    OPENSSL_free(secret);
    EC_POINT_free(product);
    BN_free(number);
    BN_free(x);
    return ok;
}

/* Is it an error, that leaves nothing to be freed? */
static int fails(const EC_KEY *key, const EC_POINT *point)
{
    unsigned char *secret = NULL;
    size_t size = 0;
    int ok = TEST_int_eq(ossl_ecdh_simple_compute_key(&secret, &size, point, key), 0);

    ERR_clear_error();
    return ok;
}

static int published(void)
{
    EC_KEY *key = key_of(NID_X9_62_prime256v1,
                         "7d7dc5f71eb29ddaf80d6214632eeae03d9058af1fb6d22ed80badb62bc1a534");
    EC_POINT *point = EC_POINT_hex2point(EC_KEY_get0_group(key),
                                         "04700c48f77f56584c5cc632ca65640db91b6bacce3a4df6b42ce7cc"
                                         "838833d287db71e509e3fd9b060ddb20ba5c51dcc5948d46fbf640df"
                                         "e0441782cab85fa4ac", NULL, NULL);
    unsigned char *secret = NULL, *expected;
    size_t size = 0;
    long expected_size;
    int ok;

    expected = OPENSSL_hexstr2buf("46fc62106420ff012e54a434fbdd2d25"
                                  "ccc5852060561e68040dd7778997bd7b",
                                  &expected_size);
    ok = TEST_ptr(point)
        && TEST_int_eq(ossl_ecdh_simple_compute_key(&secret, &size, point, key), 1)
        && TEST_mem_eq(secret, size, expected, expected_size);
    OPENSSL_free(secret);
    OPENSSL_free(expected);
    EC_POINT_free(point);
    EC_KEY_free(key);
    return ok;
}

static int same(void)
{
    EC_KEY *one = key_of(NID_secp384r1, "1234567"), *two = key_of(NID_secp384r1, "89abcdef");
    EC_POINT *of_one = times(one, 0x1234567), *of_two = times(two, 0x89abcdef);
    unsigned char *secret = NULL, *other = NULL;
    size_t size = 0, other_size = 0;
    int ok = TEST_int_eq(ossl_ecdh_simple_compute_key(&secret, &size, of_two, one), 1)
        && TEST_int_eq(ossl_ecdh_simple_compute_key(&other, &other_size, of_one, two), 1)
        && TEST_mem_eq(secret, size, other, other_size) && TEST_size_t_eq(size, 48);

    OPENSSL_free(secret);
    OPENSSL_free(other);
    EC_POINT_free(of_one);
    EC_POINT_free(of_two);
    EC_KEY_free(one);
    EC_KEY_free(two);
    return ok;
}

static int lengths(void)
{
    static const struct {
        int curve, size;
    } curves[] = {
        { NID_secp112r1, 14 }, { NID_secp160r1, 20 }, { NID_secp224r1, 28 },
        { NID_X9_62_prime239v1, 30 }, { NID_secp256k1, 32 }, { NID_secp521r1, 66 },
        { NID_brainpoolP512r1, 64 },
#ifndef OPENSSL_NO_EC2M
        { NID_sect163r2, 21 }, { NID_sect233r1, 30 }, { NID_sect571r1, 72 },
#endif
    };
    size_t i;
    int ok = 1;

    for (i = 0; i < OSSL_NELEM(curves) && ok; i++) {
        EC_KEY *key = key_of(curves[i].curve, "abcdef0123456789");
        EC_POINT *point = key == NULL ? NULL : times(key, 987654321);
        unsigned char *secret = NULL;
        size_t size = 0;

        ok = TEST_ptr(point)
            && TEST_int_eq(ossl_ecdh_simple_compute_key(&secret, &size, point, key), 1)
            && TEST_size_t_eq(size, curves[i].size) && makes(key, point, 1);
        OPENSSL_free(secret);
        EC_POINT_free(point);
        EC_KEY_free(key);
    }
    return ok;
}

static int zeros(void)
{
    EC_KEY *key = key_of(NID_secp160r1, "1");
    const EC_GROUP *group = EC_KEY_get0_group(key);
    EC_POINT *point = times(key, 1);
    BIGNUM *x = BN_new();
    int ok = 1, found = 0, tries;

    /* Of the multiples of the generator one of 256 has a byte less. */
    for (tries = 0; tries < 4000 && found < 3 && ok; tries++) {
        ok = EC_POINT_add(group, point, point, EC_GROUP_get0_generator(group), NULL)
            && EC_POINT_get_affine_coordinates(group, point, x, NULL, NULL);
        if (ok && BN_num_bytes(x) < 20) {
            found++;
            ok = makes(key, point, 1);
        }
    }
    ok = ok && TEST_int_eq(found, 3);
    BN_free(x);
    EC_POINT_free(point);
    EC_KEY_free(key);
    return ok;
}

/* A curve with a cofactor, and which. */
#ifndef OPENSSL_NO_EC2M
# define COFACTOR_CURVE NID_sect283k1
# define COFACTOR 4
#else
# define COFACTOR_CURVE NID_secp112r2
# define COFACTOR 4
#endif

static int cofactor(void)
{
    EC_KEY *key = key_of(COFACTOR_CURVE, "123456789abcdef"), *plain = key_of(NID_secp256k1, "77");
    EC_POINT *point = times(key, 987654321), *other = times(plain, 5);
    int ok;

    EC_KEY_set_flags(key, EC_FLAG_COFACTOR_ECDH);
    EC_KEY_set_flags(plain, EC_FLAG_COFACTOR_ECDH);
    ok = makes(key, point, COFACTOR) && makes(plain, other, 1);
    EC_KEY_clear_flags(key, EC_FLAG_COFACTOR_ECDH);
    ok = ok && makes(key, point, 1);
    EC_POINT_free(point);
    EC_POINT_free(other);
    EC_KEY_free(key);
    EC_KEY_free(plain);
    key = key_of(NID_secp112r2, "123456789abcdef");
    point = times(key, 987654321);
    EC_KEY_set_flags(key, EC_FLAG_COFACTOR_ECDH);
    ok = ok && makes(key, point, 4);
    EC_POINT_free(point);
    EC_KEY_free(key);
    return ok;
}

static int no_cofactor(void)
{
    EC_KEY *key = key_of(COFACTOR_CURVE, "123456789abcdef");
    EC_POINT *point = times(key, 987654321);
    int ok = makes(key, point, 1);

    EC_KEY_set_flags(key, ~EC_FLAG_COFACTOR_ECDH & 0xff);
    ok = ok && makes(key, point, 1);
    EC_POINT_free(point);
    EC_KEY_free(key);
    return ok;
}

static int infinity(void)
{
    EC_KEY *key = key_of(NID_X9_62_prime256v1, "5");
    EC_POINT *point = EC_POINT_new(EC_KEY_get0_group(key));
    int ok = TEST_true(EC_POINT_set_to_infinity(EC_KEY_get0_group(key), point))
        && fails(key, point);

    EC_POINT_free(point);
    EC_KEY_free(key);
#ifndef OPENSSL_NO_EC2M
    {
        BIGNUM *x = BN_new(), *y = BN_new();
        unsigned char *secret = NULL, none[36] = "";
        size_t size = 0;

        /* (0, 1) has order 2: nothing is left of it by the cofactor, and 0 by an odd number. */
        key = key_of(NID_sect283k1, "5");
        point = EC_POINT_new(EC_KEY_get0_group(key));
        BN_one(y);
        ok = ok
            && TEST_true(EC_POINT_set_affine_coordinates(EC_KEY_get0_group(key), point, x, y,
                                                         NULL))
            && TEST_int_eq(ossl_ecdh_simple_compute_key(&secret, &size, point, key), 1)
            && TEST_mem_eq(secret, size, none, sizeof(none));
        OPENSSL_free(secret);
        EC_KEY_set_flags(key, EC_FLAG_COFACTOR_ECDH);
        ok = ok && fails(key, point);
        BN_free(x);
        BN_free(y);
        EC_POINT_free(point);
        EC_KEY_free(key);
    }
#endif
    return ok;
}

static int private_needed(void)
{
    EC_KEY *key = EC_KEY_new_by_curve_name(NID_X9_62_prime256v1);
    EC_POINT *point = times(key, 5);
    int ok;

    EC_KEY_set_public_key(key, point);
    ok = fails(key, point);
    EC_KEY_set_flags(key, EC_FLAG_COFACTOR_ECDH);
    ok = ok && fails(key, point);
    EC_POINT_free(point);
    EC_KEY_free(key);
    return ok;
}

static int public_not_needed(void)
{
    EC_KEY *key = key_of(NID_X9_62_prime256v1, "123456");
    EC_POINT *point = times(key, 77), *wrong = times(key, 99);
    int ok = TEST_ptr_null(EC_KEY_get0_public_key(key)) && makes(key, point, 1);

    EC_KEY_set_public_key(key, wrong);
    ok = ok && makes(key, point, 1);
    EC_POINT_free(point);
    EC_POINT_free(wrong);
    EC_KEY_free(key);
    return ok;
}

static int another_curve(void)
{
    EC_KEY *key = key_of(NID_X9_62_prime256v1, "5"), *other = key_of(NID_secp384r1, "5");
    EC_POINT *point = times(other, 7);
    int ok = fails(key, point);

    EC_POINT_free(point);
    EC_KEY_free(key);
    EC_KEY_free(other);
    return ok;
}

static int stay(void)
{
    EC_KEY *key = key_of(COFACTOR_CURVE, "123456789abcdef");
    const EC_GROUP *group = EC_KEY_get0_group(key);
    EC_POINT *point = times(key, 987654321), *before = EC_POINT_dup(point, group);
    BIGNUM *number = BN_dup(EC_KEY_get0_private_key(key));
    int ok, i;

    EC_KEY_set_flags(key, EC_FLAG_COFACTOR_ECDH);
    for (i = 0, ok = 1; i < 3; i++)
        ok = ok && makes(key, point, COFACTOR)
            && TEST_int_eq(EC_POINT_cmp(group, point, before, NULL), 0)
            && TEST_int_eq(BN_cmp(EC_KEY_get0_private_key(key), number), 0);
    EC_KEY_clear_flags(key, EC_FLAG_COFACTOR_ECDH);
    ok = ok && makes(key, point, 1) && TEST_ptr_null(EC_KEY_get0_public_key(key));
    EC_POINT_free(point);
    EC_POINT_free(before);
    BN_free(number);
    EC_KEY_free(key);
    return ok;
}

static int library_context(void)
{
    OSSL_LIB_CTX *libctx = OSSL_LIB_CTX_new();
    EC_KEY *key = EC_KEY_new_by_curve_name_ex(libctx, NULL, NID_secp521r1);
    EC_POINT *point = times(key, 12345);
    BIGNUM *number = BN_new();
    int ok;

    BN_set_word(number, 6789);
    ok = TEST_true(EC_KEY_set_private_key(key, number)) && makes(key, point, 1);
    EC_POINT_free(point);
    BN_free(number);
    EC_KEY_free(key);
    OSSL_LIB_CTX_free(libctx);
    return ok;
}

static int all(void)
{
    return published() && same() && lengths() && cofactor() && no_cofactor() && infinity()
        && private_needed() && public_not_needed() && another_curve() && stay();
}

static int owns(void)
{
    long before;

    if (!all())
        return 0;
    before = memory_blocks;
    return all() && TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
}

static int no_memory(void)
{
    EC_KEY *key = key_of(COFACTOR_CURVE, "1234567");
    EC_POINT *point = times(key, 98765);
    unsigned char *secret;
    size_t size;
    long allocations, before;
    int ok = 1, result = 0;

    EC_KEY_set_flags(key, EC_FLAG_COFACTOR_ECDH);
    ok = makes(key, point, COFACTOR);
    ERR_clear_error();
    for (allocations = 0; allocations < 300 && result != 1 && ok; allocations++) {
        secret = NULL;
        size = 0;
        before = memory_blocks;
        memory_left = allocations;
        result = ossl_ecdh_simple_compute_key(&secret, &size, point, key);
        memory_left = -1;
        ok = TEST_true(result == 0 || (result == 1 && allocations > 0));
        if (result == 1) {
            ok = ok && TEST_size_t_eq(size, (EC_GROUP_get_degree(EC_KEY_get0_group(key)) + 7) / 8);
            OPENSSL_free(secret);
        }
        ERR_clear_error();
        ok = ok && (allocations == 0 || TEST_long_eq(memory_blocks, before))
            && TEST_long_eq(memory_bad_frees, 0);
    }
    EC_POINT_free(point);
    EC_KEY_free(key);
    return ok && TEST_int_eq(result, 1);
}

int setup_tests(void)
{
    add_test("a published secret is made", published);
    add_test("both sides make the same", same);
    add_test("the secret has the length of the field", lengths);
    add_test("zeros stand in front of a small coordinate", zeros);
    add_test("the cofactor counts with its flag", cofactor);
    add_test("the cofactor does not count without its flag", no_cofactor);
    add_test("the point at infinity is an error", infinity);
    add_test("the private key is needed", private_needed);
    add_test("the public key of one's own is not needed", public_not_needed);
    add_test("a point of another curve is an error", another_curve);
    add_test("key and point stay as they were", stay);
    add_test("it works with a library context of the key", library_context);
    add_test("the caller owns the secret and nothing else", owns);
    add_test("a failed allocation is told", no_memory);
    return 1;
}
