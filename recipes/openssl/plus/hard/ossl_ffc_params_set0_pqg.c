/*---
 * tasks: [ossl_ffc_params_fromdata-88b65f.16, ossl_ffc_params_fromdata-88b65f.2,
 *   ossl_ffc_params_fromdata-88b65f.4, ossl_ffc_params_fromdata-88b65f.8]
 * tests:
 *   each number goes to its place: 'Signature: p, q, g; ossl_ffc_params_get0_pqg.'
 *   the numbers themselves are taken: 'crypto(7): set0, "ownership is transferred".'
 *   NULL leaves what is there: 'DH_set0_pqg(3): "q may be NULL"; dh_lib.c: DH_set0_pqg, "may remain NULL".'
 *   numbers that were there are freed: 'The numbers are the parameters'' own: ossl_ffc_params_cleanup.'
 *   a number that is there already stays: 'sibling ossl_ffc_params_get0_pqg: what it gave can be passed.'
 *   all else stays: 'Name: p, q and g alone.'
 *   static numbers can be set: 'ffc_dh.c: ossl_ffc_named_group_set passes constants.'
 ---*/
#include "../testutil.h"
#include "memory_count.h"
#include "pb_ffc.h"

static int places(void)
{
    FFC_PARAMS ffc;
    int ok;

    memset(&ffc, 0, sizeof(ffc));
    ossl_ffc_params_set0_pqg(&ffc, plus_number(3), plus_number(5), plus_number(7));
    ok = plus_is(ffc.p, 3) & plus_is(ffc.q, 5) & plus_is(ffc.g, 7);
    plus_drop(&ffc);
    return ok;
}

static int themselves(void)
{
    FFC_PARAMS ffc;
    BIGNUM *p = plus_number(3), *q = plus_number(5), *g = plus_number(7);
    int ok;

    plus_fill(&ffc);
    ossl_ffc_params_set0_pqg(&ffc, p, q, g);
    ok = TEST_ptr_eq(ffc.p, p) & TEST_ptr_eq(ffc.q, q) & TEST_ptr_eq(ffc.g, g);
    plus_drop(&ffc);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int null_leaves(void)
{
    int i, ok = 1;

    for (i = 0; ok && i < 8; i++) {
        FFC_PARAMS ffc, before;

        plus_fill(&ffc);
        before = ffc;
        ossl_ffc_params_set0_pqg(&ffc, i & 1 ? plus_number(3) : NULL,
                                 i & 2 ? plus_number(5) : NULL, i & 4 ? plus_number(7) : NULL);
        ok = plus_is(ffc.p, i & 1 ? 3 : 1009) && plus_is(ffc.q, i & 2 ? 5 : 7)
            && plus_is(ffc.g, i & 4 ? 7 : 105)
            && (i & 1 || TEST_ptr_eq(ffc.p, before.p)) && (i & 2 || TEST_ptr_eq(ffc.q, before.q))
            && (i & 4 || TEST_ptr_eq(ffc.g, before.g));
        plus_drop(&ffc);
    }
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int freed(void)
{
    long before = memory_blocks;

    return places() && themselves() && null_leaves() && places()
        && TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
}

static int already(void)
{
    long before = memory_blocks;
    FFC_PARAMS ffc, same;
    BIGNUM *q;
    int ok;

    plus_fill(&ffc);
    same = ffc;
    ossl_ffc_params_set0_pqg(&ffc, ffc.p, ffc.q, ffc.g);
    ok = plus_same(&ffc, &same, "") && plus_is(ffc.p, 1009) && plus_is(ffc.q, 7)
        && plus_is(ffc.g, 105);
    q = plus_number(3);
    ossl_ffc_params_set0_pqg(&ffc, ffc.p, q, ffc.g);
    ok = ok && TEST_ptr_eq(ffc.q, q) && plus_same(&ffc, &same, "q") && plus_is(ffc.p, 1009);
    plus_drop(&ffc);
    return ok && TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
}

static int else_stays(void)
{
    FFC_PARAMS ffc, before;
    int ok;

    plus_fill(&ffc);
    before = ffc;
    ossl_ffc_params_set0_pqg(&ffc, plus_number(3), plus_number(5), plus_number(7));
    ok = plus_same(&ffc, &before, "pqg") && plus_is(ffc.j, 144);
    ossl_ffc_params_set0_pqg(&ffc, NULL, NULL, NULL);
    ok = ok && plus_same(&ffc, &before, "pqg") && plus_is(ffc.p, 3);
    plus_drop(&ffc);
    return ok;
}

static int constants(void)
{
    long before = memory_blocks;
    const BIGNUM *one = BN_value_one();
    FFC_PARAMS ffc;
    int ok;

    plus_fill(&ffc);
    ossl_ffc_params_set0_pqg(&ffc, (BIGNUM *)one, (BIGNUM *)one, (BIGNUM *)one);
    ok = TEST_ptr_eq(ffc.p, one) & TEST_ptr_eq(ffc.q, one) & TEST_ptr_eq(ffc.g, one);
    ossl_ffc_params_set0_pqg(&ffc, plus_number(3), plus_number(5), plus_number(7));
    ok = ok && plus_is(ffc.p, 3) && plus_is(ffc.q, 5) && plus_is(ffc.g, 7)
        && TEST_true(BN_is_one(one));
    plus_drop(&ffc);
    return ok && TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
}

int setup_tests(void)
{
    add_test("each number goes to its place", places);
    add_test("the numbers themselves are taken", themselves);
    add_test("NULL leaves what is there", null_leaves);
    add_test("numbers that were there are freed", freed);
    add_test("all else stays", else_stays);
    add_test("static numbers can be set", constants);
    add_test("a number that is there already stays", already);
    return 1;
}
