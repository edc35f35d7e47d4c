/*---
 * tasks: [ossl_ffc_params_fromdata-88b65f, ossl_ffc_params_fromdata-88b65f.16, ossl_ffc_params_fromdata-88b65f.2,
 *   ossl_ffc_params_fromdata-88b65f.4, ossl_ffc_params_fromdata-88b65f.8]
 * tests:
 *   the numbers are taken: 'EVP_PKEY-FFC(7): "p", "q", "g" and "j", the cofactor.'
 *   a number alone is taken: 'EVP_PKEY-FFC(7); dsa_lib.c: ossl_dsa_ffc_params_fromdata, each is optional.'
 *   the integers are taken: 'EVP_PKEY-FFC(7): "gindex", "pcounter", "hindex".'
 *   the seed is taken with its length: 'EVP_PKEY-FFC(7): "seed"; ossl_ffc_params_set_seed.'
 *   each flag is set and cleared alone: 'EVP_PKEY-FFC(7): "validate-pq", "validate-g", "validate-legacy".'
 *   the digest is taken with its properties: 'EVP_PKEY-FFC(7): "digest", "properties".'
 *   a group is taken by its name: 'EVP_PKEY-DH(7): "group"; ossl_ffc_named_group_set.'
 *   a group that is none is refused: 'EVP_PKEY-DH(7): "group"; dh_backend.c: dh_ffc_params_fromdata.'
 *   what is not given stays: 'Callers: dh_import gives what there is; ossl_ffc_params_init set the rest.'
 *   a number of a wrong type is refused: 'EVP_PKEY-FFC(7): <unsigned integer>.'
 *   an integer of a wrong type or too large is refused: 'EVP_PKEY-FFC(7): <integer>; OSSL_PARAM_get_int(3).'
 *   a seed or digest of a wrong type is refused: 'EVP_PKEY-FFC(7): <octet string>, <UTF8 string>.'
 *   numbers are copies and replace those before: 'Signature: const OSSL_PARAM; dh_import, called again.'
 *   a refusal leaks nothing: 'Return value: 0; the caller frees only its parameters.'
 *   without memory it fails: 'Return value: 0; dh_backend.c: dh_ffc_params_fromdata.'
 *   nothing is leaked or freed twice: 'The numbers are the parameters'' own, freed with them.'
 *   a group without text is refused: 'EVP_PKEY-DH(7): "group"; OSSL_PARAM(3): data may be NULL.'
 ---*/
#include "../testutil.h"
#include "memory_count.h"
#include "pb_ffc.h"
#include "crypto/bn_dh.h"

static FFC_PARAMS ffc;

static int fresh(void)
{
    ossl_ffc_params_init(&ffc);
    return 1;
}

static int done(int ok)
{
    plus_drop(&ffc);
    ERR_clear_error();
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

/* Reads what the builder has; the builder and its numbers are freed before the result is used. */
static int from(OSSL_PARAM_BLD *bld)
{
    OSSL_PARAM *params = OSSL_PARAM_BLD_to_param(bld);
    int result = ossl_ffc_params_fromdata(&ffc, params);

    OSSL_PARAM_BLD_free(bld);
    OSSL_PARAM_free(params);
    return result;
}

static OSSL_PARAM_BLD *with(OSSL_PARAM_BLD *bld, const char *key, BN_ULONG value)
{
    static BIGNUM *numbers[8];
    static int next;
    BIGNUM **number = &numbers[next++ % 8];

    if (bld == NULL)
        bld = OSSL_PARAM_BLD_new();
    BN_free(*number);
    *number = NULL;
    if (key != NULL) {
        *number = plus_number(value);
        OSSL_PARAM_BLD_push_BN(bld, key, *number);
    }
    return bld;
}

static OSSL_PARAM_BLD *with_int(OSSL_PARAM_BLD *bld, const char *key, int value)
{
    if (bld == NULL)
        bld = OSSL_PARAM_BLD_new();
    OSSL_PARAM_BLD_push_int(bld, key, value);
    return bld;
}

static OSSL_PARAM_BLD *with_text(OSSL_PARAM_BLD *bld, const char *key, const char *value)
{
    if (bld == NULL)
        bld = OSSL_PARAM_BLD_new();
    OSSL_PARAM_BLD_push_utf8_string(bld, key, value, 0);
    return bld;
}

static OSSL_PARAM_BLD *with_bytes(OSSL_PARAM_BLD *bld, const char *key, const void *value,
                                  size_t size)
{
    if (bld == NULL)
        bld = OSSL_PARAM_BLD_new();
    OSSL_PARAM_BLD_push_octet_string(bld, key, value, size);
    return bld;
}

#define P OSSL_PKEY_PARAM_FFC_P
#define Q OSSL_PKEY_PARAM_FFC_Q
#define G OSSL_PKEY_PARAM_FFC_G
#define J OSSL_PKEY_PARAM_FFC_COFACTOR
#define GINDEX OSSL_PKEY_PARAM_FFC_GINDEX
#define PCOUNTER OSSL_PKEY_PARAM_FFC_PCOUNTER
#define H OSSL_PKEY_PARAM_FFC_H
#define SEED OSSL_PKEY_PARAM_FFC_SEED
#define DIGEST OSSL_PKEY_PARAM_FFC_DIGEST
#define PROPS OSSL_PKEY_PARAM_FFC_DIGEST_PROPS
#define GROUP OSSL_PKEY_PARAM_GROUP_NAME

/* All four numbers; the n-th order of them. */
static OSSL_PARAM_BLD *all(int n)
{
    return n == 0 ? with(with(with(with(NULL, P, 2003), Q, 13), G, 55), J, 154)
        : with(with(with(with(NULL, J, 154), G, 55), P, 2003), Q, 13);
}

static int has_all(void)
{
    return plus_is(ffc.p, 2003) & plus_is(ffc.q, 13) & plus_is(ffc.g, 55) & plus_is(ffc.j, 154);
}

static int numbers(void)
{
    int i;

    for (i = 0; i < 2; i++) {
        fresh();
        if (!done(TEST_int_eq(from(all(i)), 1) && has_all()))
            return 0;
    }
    return 1;
}

static int one_number(void)
{
    static const char *const keys[] = { P, Q, G, J };
    int i;

    for (i = 0; i < 4; i++) {
        BIGNUM **places[4] = { &ffc.p, &ffc.q, &ffc.g, &ffc.j };
        int k, ok;

        fresh();
        ok = TEST_int_eq(from(with(NULL, keys[i], 77)), 1);
        for (k = 0; k < 4; k++)
            ok = ok && (k == i ? plus_is(*places[k], 77) : TEST_ptr_null(*places[k]));
        if (!done(ok))
            return 0;
    }
    return 1;
}

static int integers(void)
{
    int ok;

    fresh();
    ok = TEST_int_eq(from(with_int(with_int(with_int(NULL, GINDEX, 5), PCOUNTER, 6), H, 7)), 1)
        && TEST_int_eq(ffc.gindex, 5) && TEST_int_eq(ffc.pcounter, 6) && TEST_int_eq(ffc.h, 7)
        && TEST_int_eq(from(with_int(NULL, GINDEX, 0)), 1) && TEST_int_eq(ffc.gindex, 0)
        && TEST_int_eq(ffc.pcounter, 6) && TEST_int_eq(ffc.h, 7)
        && TEST_int_eq(from(with_int(NULL, PCOUNTER, 0)), 1) && TEST_int_eq(ffc.pcounter, 0)
        && TEST_int_eq(from(with_int(NULL, H, 0)), 1) && TEST_int_eq(ffc.h, 0)
        && TEST_int_eq(from(with_int(with_int(NULL, GINDEX, -1), PCOUNTER, -1)), 1)
        && TEST_int_eq(ffc.gindex, -1) && TEST_int_eq(ffc.pcounter, -1);
    return done(ok);
}

static int seed(void)
{
    int ok;

    fresh();
    ok = TEST_int_eq(from(with_bytes(NULL, SEED, "a\0seed", 6)), 1)
        && TEST_mem_eq(ffc.seed, ffc.seedlen, "a\0seed", 6)
        && TEST_int_eq(from(with_bytes(NULL, SEED, "another seed", 12)), 1)
        && TEST_mem_eq(ffc.seed, ffc.seedlen, "another seed", 12)
        && TEST_int_eq(from(with_int(NULL, H, 3)), 1)
        && TEST_mem_eq(ffc.seed, ffc.seedlen, "another seed", 12);
    return done(ok);
}

static int flags(void)
{
    static const struct {
        const char *key;
        unsigned int flag;
    } all_flags[] = {
        { OSSL_PKEY_PARAM_FFC_VALIDATE_PQ, 1 }, { OSSL_PKEY_PARAM_FFC_VALIDATE_G, 2 },
        { OSSL_PKEY_PARAM_FFC_VALIDATE_LEGACY, 4 }
    };
    int i, ok = 1;

    for (i = 0; ok && i < 3; i++) {
        fresh();
        ffc.flags = 0;
        ok = TEST_int_eq(from(with_int(NULL, all_flags[i].key, 1)), 1)
            && TEST_uint_eq(ffc.flags, all_flags[i].flag)
            && TEST_int_eq(from(with_int(NULL, all_flags[i].key, 1)), 1)
            && TEST_uint_eq(ffc.flags, all_flags[i].flag);
        ffc.flags = 7;
        ok = ok && TEST_int_eq(from(with_int(NULL, all_flags[i].key, 0)), 1)
            && TEST_uint_eq(ffc.flags, 7 & ~all_flags[i].flag)
            && TEST_int_eq(from(with_int(NULL, all_flags[i].key, 0)), 1)
            && TEST_uint_eq(ffc.flags, 7 & ~all_flags[i].flag);
        ok = done(ok);
    }
    return ok;
}

static int digest(void)
{
    OSSL_PARAM params[] = {
        OSSL_PARAM_utf8_string(PROPS, "fips=yes", 8),
        OSSL_PARAM_utf8_string(DIGEST, "SHA2-512", 8),
        OSSL_PARAM_END
    };
    int ok;

    fresh();
    ok = TEST_int_eq(ossl_ffc_params_fromdata(&ffc, params), 1)
        && TEST_str_eq(ffc.mdname, "SHA2-512") && TEST_str_eq(ffc.mdprops, "fips=yes");
    ok = done(ok);
    fresh();
    ok = ok && TEST_int_eq(ossl_ffc_params_fromdata(&ffc, params + 1), 1)
        && TEST_str_eq(ffc.mdname, "SHA2-512") && TEST_ptr_null(ffc.mdprops);
    return done(ok);
}

static int takes_group(const char *name, const BIGNUM *p, const BIGNUM *q, const BIGNUM *g,
                       int keylength)
{
    int ok;

    fresh();
    ok = TEST_int_eq(from(with_text(NULL, GROUP, name)), 1)
        && TEST_BN_eq(ffc.p, p) && TEST_BN_eq(ffc.q, q) && TEST_BN_eq(ffc.g, g)
        && TEST_int_eq(ffc.keylength, keylength)
        && TEST_int_eq(ffc.gindex, -1) && TEST_int_eq(ffc.pcounter, -1);
    return done(ok);
}

static int group(void)
{
    return takes_group("ffdhe2048", &ossl_bignum_ffdhe2048_p, &ossl_bignum_ffdhe2048_q,
                       &ossl_bignum_const_2, 225)
        && takes_group("modp_3072", &ossl_bignum_modp_3072_p, &ossl_bignum_modp_3072_q,
                       &ossl_bignum_const_2, 275)
        && takes_group("dh_2048_256", &ossl_bignum_dh2048_256_p, &ossl_bignum_dh2048_256_q,
                       &ossl_bignum_dh2048_256_g, 0);
}

static int group_without_text(void)
{
    OSSL_PARAM none[] = {
        OSSL_PARAM_utf8_string(GROUP, NULL, 0), OSSL_PARAM_END
    };

    fresh();
    return done(TEST_int_eq(ossl_ffc_params_fromdata(&ffc, none), 0) && TEST_ptr_null(ffc.p));
}

static int no_group(void)
{
    int ok;

    fresh();
    ok = TEST_int_eq(from(with_text(NULL, GROUP, "ffdhe2047")), 0)
        & TEST_int_eq(from(with_text(NULL, GROUP, "")), 0)
        & TEST_int_eq(from(with_bytes(NULL, GROUP, "ffdhe2048", 10)), 0)
        & TEST_int_eq(from(with_int(NULL, GROUP, 1)), 0)
        & TEST_int_eq(from(with_text(all(0), GROUP, "nowhere")), 0);
    return done(ok);
}

static int others_stay(void)
{
    OSSL_PARAM nothing[] = { OSSL_PARAM_END };
    FFC_PARAMS before;
    int ok;

    plus_fill(&ffc);
    before = ffc;
    ok = TEST_int_eq(ossl_ffc_params_fromdata(&ffc, nothing), 1)
        && plus_same(&ffc, &before, "j")
        && TEST_int_eq(from(with_int(NULL, H, 99)), 1) && plus_same(&ffc, &before, "jh")
        && TEST_int_eq(from(with(NULL, Q, 11)), 1) && plus_same(&ffc, &before, "jhq")
        && plus_is(ffc.q, 11) && TEST_int_eq(ffc.h, 99);
    return done(ok);
}

static int wrong_number(void)
{
    static const char *const keys[] = { P, Q, G, J };
    int i, ok = 1;

    for (i = 0; i < 4; i++) {
        fresh();
        ok &= TEST_int_eq(from(with_text(NULL, keys[i], "2003")), 0)
            & TEST_int_eq(from(with_bytes(NULL, keys[i], "2003", 4)), 0);
        ok = done(ok);
    }
    return ok;
}

static int wrong_integer(void)
{
    static const char *const keys[] = {
        GINDEX, PCOUNTER, H, OSSL_PKEY_PARAM_FFC_VALIDATE_PQ, OSSL_PKEY_PARAM_FFC_VALIDATE_G,
        OSSL_PKEY_PARAM_FFC_VALIDATE_LEGACY
    };
    int i, ok = 1;

    for (i = 0; i < 6; i++) {
        OSSL_PARAM_BLD *large = OSSL_PARAM_BLD_new();

        OSSL_PARAM_BLD_push_int64(large, keys[i], INT64_C(0x100000001));
        fresh();
        ok &= TEST_int_eq(from(with_text(NULL, keys[i], "1")), 0)
            & TEST_int_eq(from(large), 0);
        ok = done(ok);
    }
    return ok;
}

static int wrong_bytes(void)
{
    int ok;

    fresh();
    ok = TEST_int_eq(from(with_text(NULL, SEED, "seed")), 0)
        & TEST_int_eq(from(with_int(NULL, SEED, 5)), 0)
        & TEST_int_eq(from(with_bytes(NULL, DIGEST, "SHA2-256", 9)), 0)
        & TEST_int_eq(from(with_bytes(with_text(NULL, DIGEST, "SHA1"), PROPS, "fips=no", 8)), 0);
    ok &= TEST_ptr_null(ffc.seed);
    ffc.mdname = ffc.mdprops = NULL;
    return done(ok);
}

static int again(void)
{
    int ok;

    plus_fill(&ffc);
    ok = TEST_int_eq(from(all(0)), 1) && has_all()
        && TEST_int_eq(from(with(with(with(with(NULL, P, 5), Q, 6), G, 7), J, 8)), 1)
        && plus_is(ffc.p, 5) && plus_is(ffc.q, 6) && plus_is(ffc.g, 7) && plus_is(ffc.j, 8)
        && TEST_int_eq(from(all(1)), 1) && has_all();
    return done(ok);
}

/* What a parameter that is read after the numbers refuses must not keep them. */
static int refusals(void)
{
    static const char *const keys[] = {
        GINDEX, PCOUNTER, H, SEED, OSSL_PKEY_PARAM_FFC_VALIDATE_PQ,
        OSSL_PKEY_PARAM_FFC_VALIDATE_G, OSSL_PKEY_PARAM_FFC_VALIDATE_LEGACY
    };
    static const char *const number_keys[] = { P, Q, G, J };
    int i, k, ok = 1;

    for (i = 0; i < 7; i++) {
        fresh();
        ok &= TEST_int_eq(from(with_text(all(0), keys[i], "none")), 0);
        ok = done(ok);
    }
    for (i = 0; i < 4; i++) {
        OSSL_PARAM_BLD *bld = NULL;

        for (k = 0; k < 4; k++)
            bld = k == i ? with_text(bld, number_keys[k], "none")
                : with(bld, number_keys[k], 88);
        fresh();
        ok &= TEST_int_eq(from(bld), 0);
        ok = done(ok);
    }
    fresh();
    ok &= TEST_int_eq(from(with_bytes(all(0), DIGEST, "x", 2)), 0);
    return done(ok);
}

/* Frees the numbers that with() keeps. */
static void forget(void)
{
    int i;

    for (i = 0; i < 8; i++)
        OSSL_PARAM_BLD_free(with(NULL, NULL, 1));
}

static int refused_leak(void)
{
    long before;
    int ok;

    refusals();
    forget();
    before = memory_blocks;
    ok = refusals();
    forget();
    return ok && TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
}

static int no_memory(void)
{
    OSSL_PARAM_BLD *bld = with_bytes(all(0), SEED, "seed", 4);
    OSSL_PARAM *params = OSSL_PARAM_BLD_to_param(bld);
    long before;
    int i, result = 0, ok = 1;

    OSSL_PARAM_BLD_free(bld);
    before = memory_blocks;
    for (i = 0; ok && !result && i < 40; i++) {
        fresh();
        memory_left = i;
        result = ossl_ffc_params_fromdata(&ffc, params);
        memory_left = -1;
        ok = result == 0
            || (has_all() && TEST_mem_eq(ffc.seed, ffc.seedlen, "seed", 4));
        ok = done(ok) && TEST_long_eq(memory_blocks, before);
    }
    OSSL_PARAM_free(params);
    return ok && TEST_int_eq(result, 1);
}

static int balanced(void)
{
    long before;

    numbers();
    forget();
    before = memory_blocks;
    if (!numbers() || !one_number() || !seed() || !digest() || !group() || !again()
            || !others_stay())
        return 0;
    forget();
    return TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
}

int setup_tests(void)
{
    add_test("the numbers are taken", numbers);
    add_test("a number alone is taken", one_number);
    add_test("the integers are taken", integers);
    add_test("the seed is taken with its length", seed);
    add_test("each flag is set and cleared alone", flags);
    add_test("the digest is taken with its properties", digest);
    add_test("a group is taken by its name", group);
    add_test("a group that is none is refused", no_group);
    add_test("what is not given stays", others_stay);
    add_test("a number of a wrong type is refused", wrong_number);
    add_test("an integer of a wrong type or too large is refused", wrong_integer);
    add_test("a seed or digest of a wrong type is refused", wrong_bytes);
    add_test("numbers are copies and replace those before", again);
    add_test("a refusal leaks nothing", refused_leak);
    add_test("without memory it fails", no_memory);
    add_test("nothing is leaked or freed twice", balanced);
    add_test("a group without text is refused", group_without_text);
    return 1;
}
