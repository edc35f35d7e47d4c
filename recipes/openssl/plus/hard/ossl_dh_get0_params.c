/*---
 * tasks: [ossl_ffc_params_fromdata-88b65f.16]
 * tests:
 *   the parameters are those of the object: 'Signature: DH; dh_backend.c: dh_ffc_params_fromdata sets the object''s by
 *     them.'
 *   they are the same each time and no copy: 'Name: get0; ossl-guide-libraries-introduction(7), "get0".'
 *   an object without numbers has parameters, too: 'dh_kmgmt.c: dh_gen asks a new object.'
 ---*/
#include "../testutil.h"
#include "memory_count.h"
#include "pb_dh.h"

static int those(void)
{
    DH *one = DH_new_by_nid(NID_ffdhe2048), *two = DH_new_by_nid(NID_modp_3072);
    FFC_PARAMS *a = ossl_dh_get0_params(one), *b = ossl_dh_get0_params(two);
    int ok = TEST_ptr(a) && TEST_ptr(b) && TEST_ptr_ne(a, b)
        && TEST_ptr_eq(a->p, DH_get0_p(one)) && TEST_ptr_eq(a->q, DH_get0_q(one))
        && TEST_ptr_eq(a->g, DH_get0_g(one)) && TEST_int_eq(a->nid, NID_ffdhe2048)
        && TEST_BN_eq(b->p, &ossl_bignum_modp_3072_p) && TEST_int_eq(b->keylength, 275);

    return plus_dh_done(one, ok) & plus_dh_done(two, 1);
}

static int same(void)
{
    DH *dh = ossl_dh_new_ex(NULL);
    FFC_PARAMS *params = ossl_dh_get0_params(dh);
    BIGNUM *p = BN_dup(&ossl_bignum_ffdhe2048_p);
    long before = memory_blocks;
    int ok = TEST_ptr(params) && TEST_ptr_eq(ossl_dh_get0_params(dh), params)
        && TEST_long_eq(memory_blocks, before);

    if (ok) {
        params->p = p;
        params->gindex = 5;
        ok = TEST_ptr_eq(DH_get0_p(dh), p) && TEST_int_eq(ossl_dh_get0_params(dh)->gindex, 5);
    }
    return plus_dh_done(dh, ok);
}

static int without(void)
{
    DH *dh = ossl_dh_new_ex(NULL);
    FFC_PARAMS *params = ossl_dh_get0_params(dh);
    int ok = TEST_ptr(params) && TEST_ptr_null(params->p) && TEST_ptr_null(params->q)
        && TEST_ptr_null(params->g) && TEST_int_eq(params->gindex, -1);

    return plus_dh_done(dh, ok);
}

int setup_tests(void)
{
    add_test("the parameters are those of the object", those);
    add_test("they are the same each time and no copy", same);
    add_test("an object without numbers has parameters, too", without);
    return 1;
}
