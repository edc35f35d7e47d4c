/*---
 * tasks: [ossl_ffc_params_fromdata-88b65f.16, ossl_ffc_params_fromdata-88b65f.8]
 * tests:
 *   the numbers of the group are set: 'Signature: group; dh_group_params.c: dh_param_init.'
 *   the key length of the group is set: 'ffc.h: keylength, "Default key length for known named groups".'
 *   no group or no parameters are refused: 'ffc_backend.c: ossl_ffc_params_fromdata tests by !.'
 *   all else stays: 'Name: what the group says.'
 *   numbers that were there are freed, those of the group never: 'ffc_dh.c: the group''s numbers are constants.'
 ---*/
#include "../testutil.h"
#include "memory_count.h"
#include "pb_ffc.h"
#include "crypto/bn_dh.h"

static int sets(const char *name, const BIGNUM *p, const BIGNUM *q, const BIGNUM *g, int length)
{
    FFC_PARAMS ffc;
    int ok;

    plus_fill(&ffc);
    ok = TEST_int_eq(ossl_ffc_named_group_set(&ffc, ossl_ffc_name_to_dh_named_group(name)), 1)
        && TEST_BN_eq(ffc.p, p) && TEST_BN_eq(ffc.q, q) && TEST_BN_eq(ffc.g, g)
        && TEST_int_eq(ffc.keylength, length);
    plus_drop(&ffc);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int numbers(void)
{
    return sets("ffdhe2048", &ossl_bignum_ffdhe2048_p, &ossl_bignum_ffdhe2048_q,
                &ossl_bignum_const_2, 225)
        && sets("modp_1536", &ossl_bignum_modp_1536_p, &ossl_bignum_modp_1536_q,
                &ossl_bignum_const_2, 200)
        && sets("dh_2048_224", &ossl_bignum_dh2048_224_p, &ossl_bignum_dh2048_224_q,
                &ossl_bignum_dh2048_224_g, 0);
}

static int lengths(void)
{
    static const struct {
        const char *name;
        int length;
    } groups[] = {
        { "ffdhe3072", 275 }, { "ffdhe4096", 325 }, { "ffdhe8192", 400 }, { "modp_2048", 225 },
        { "dh_1024_160", 0 }
    };
    FFC_PARAMS ffc;
    int i, ok = 1;

    plus_fill(&ffc);
    for (i = 0; ok && i < 5; i++)
        ok = TEST_int_eq(ossl_ffc_named_group_set(&ffc,
                             ossl_ffc_name_to_dh_named_group(groups[i].name)), 1)
            && TEST_int_eq(ffc.keylength, groups[i].length);
    plus_drop(&ffc);
    return ok;
}

static int refused(void)
{
    FFC_PARAMS ffc, before;
    int ok;

    plus_fill(&ffc);
    before = ffc;
    ok = TEST_int_eq(ossl_ffc_named_group_set(&ffc, NULL), 0)
        && plus_same(&ffc, &before, "")
        && TEST_int_eq(ossl_ffc_named_group_set(NULL,
                           ossl_ffc_name_to_dh_named_group("ffdhe3072")), 0)
        && TEST_int_eq(ossl_ffc_named_group_set(NULL, NULL), 0);
    plus_drop(&ffc);
    return ok;
}

static int others(void)
{
    FFC_PARAMS ffc, before;
    int ok;

    plus_fill(&ffc);
    before = ffc;
    ossl_ffc_named_group_set(&ffc, ossl_ffc_name_to_dh_named_group("ffdhe2048"));
    ok = plus_same(&ffc, &before, "pqgnk");
    plus_drop(&ffc);
    return ok;
}

static int freed(void)
{
    long before = memory_blocks;

    return numbers() && numbers() && lengths() && TEST_long_eq(memory_blocks, before)
        && TEST_long_eq(memory_bad_frees, 0);
}

int setup_tests(void)
{
    add_test("the numbers of the group are set", numbers);
    add_test("the key length of the group is set", lengths);
    add_test("no group or no parameters are refused", refused);
    add_test("all else stays", others);
    add_test("numbers that were there are freed, those of the group never", freed);
    return 1;
}
