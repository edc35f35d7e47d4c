/*---
 * tasks: [ossl_ffc_params_fromdata-88b65f.16, ossl_ffc_params_fromdata-88b65f.8]
 * tests:
 *   the object has the numbers of the group: 'Signature: group; DH_new_by_nid(3): "a DH structure containing named
 *     parameters".'
 *   the object tells the group's nid: 'DH_new_by_nid(3): DH_get_nid(); ossl_ffc_named_group_set: "The DH layer is
 *     responsible for caching".'
 *   the library context is kept: 'Signature: libctx; dh_lib.c: ossl_dh_new_ex.'
 *   the change is counted: 'dh_local.h: dirty_cnt, "If any key material changes, increment this".'
 *   all else is as in a new object: 'Callers: dh_gen, dh_pmeth.c go on with it as with a new one.'
 *   each call makes an object of its own: 'DH_new_by_nid(3): "creates and returns".'
 *   the numbers of the group outlive the object: 'ffc_dh.c: the groups are constants.'
 *   without memory there is none and nothing is leaked: 'DH_new_by_nid(3): "or NULL if an error occurred".'
 ---*/
#include "../../crypto/dh/dh_group_params.c"
#include "../testutil.h"
#include "memory_count.h"
#include "pb_dh.h"

static DH *of(OSSL_LIB_CTX *libctx, int i)
{
    return dh_param_init(libctx, ossl_ffc_uid_to_dh_named_group(plus_groups[i].nid));
}

static int numbers(void)
{
    int i, ok = 1;

    for (i = 0; i < PLUS_GROUPS; i++) {
        DH *dh = of(NULL, i);

        ok &= plus_dh_done(dh, TEST_ptr(dh) && TEST_BN_eq(DH_get0_p(dh), plus_groups[i].p)
                           && TEST_BN_eq(DH_get0_q(dh), plus_groups[i].q)
                           && TEST_BN_eq(DH_get0_g(dh), plus_groups[i].g)
                           && TEST_int_eq(dh->params.keylength, plus_groups[i].keylength));
    }
    return ok;
}

static int nids(void)
{
    int i, ok = 1;

    for (i = 0; i < PLUS_GROUPS; i++) {
        DH *dh = of(NULL, i);

        ok &= plus_dh_done(dh, TEST_ptr(dh) && TEST_int_eq(DH_get_nid(dh), plus_groups[i].nid)
                           && TEST_int_eq(ossl_dh_is_named_safe_prime_group(dh),
                                          plus_groups[i].nid > 3));
    }
    return ok;
}

static int context(void)
{
    OSSL_LIB_CTX *libctx = OSSL_LIB_CTX_new();
    DH *dh = of(libctx, 0);
    int ok = plus_dh_done(dh, TEST_ptr(dh) && TEST_ptr_eq(dh->libctx, libctx));

    dh = of(NULL, 0);
    ok &= plus_dh_done(dh, TEST_ptr(dh) && TEST_ptr_null(dh->libctx));
    OSSL_LIB_CTX_free(libctx);
    return ok;
}

static int dirty(void)
{
    DH *fresh = ossl_dh_new_ex(NULL), *dh = of(NULL, 1);
    int ok = TEST_ptr(dh) && TEST_size_t_gt(dh->dirty_cnt, fresh->dirty_cnt);

    return plus_dh_done(fresh, 1) & plus_dh_done(dh, ok);
}

static int others(void)
{
    DH *fresh = ossl_dh_new_ex(NULL), *dh = of(NULL, 2);
    int ok = plus_is_new(dh) && TEST_int_eq(dh->flags, fresh->flags)
        && TEST_ptr_eq(dh->meth, fresh->meth) && TEST_ptr_eq(dh->engine, fresh->engine);

    return plus_dh_done(fresh, 1) & plus_dh_done(dh, ok);
}

static int own(void)
{
    DH *one = of(NULL, 0), *two = of(NULL, 0), *three = of(NULL, 5);
    int ok = TEST_ptr(one) && TEST_ptr(two) && TEST_ptr_ne(one, two)
        && TEST_int_eq(DH_set_length(one, 300), 1) && TEST_long_eq(DH_get_length(two), 0)
        && plus_has_group(one, 0) && plus_has_group(two, 0) && plus_has_group(three, 5);

    ok = plus_dh_done(one, ok);
    ok = plus_has_group(two, 0) && ok;
    return plus_dh_done(two, ok) & plus_dh_done(three, 1);
}

static int outlive(void)
{
    DH *dh = of(NULL, 12);
    int ok = plus_dh_done(dh, plus_has_group(dh, 12));

    dh = of(NULL, 12);
    /* What is set anew frees what was the object's own, never a constant. */
    ok = ok && TEST_int_eq(DH_set0_pqg(dh, BN_dup(plus_groups[0].p), NULL,
                                       BN_dup(plus_groups[0].g)), 1);
    ok = plus_dh_done(dh, ok);
    dh = of(NULL, 12);
    return plus_dh_done(dh, plus_has_group(dh, 12)) && ok;
}

static int no_memory(void)
{
    long before;
    int i, ok = 1;
    DH *dh = of(NULL, 0);

    DH_free(dh);
    before = memory_blocks;
    for (dh = NULL, i = 0; ok && dh == NULL && i < 60; i++) {
        memory_left = i;
        dh = of(NULL, 0);
        memory_left = -1;
        ok = plus_dh_done(dh, dh == NULL || plus_has_group(dh, 0))
            && TEST_long_eq(memory_blocks, before);
    }
    return ok && TEST_ptr(dh);
}

int setup_tests(void)
{
    add_test("the object has the numbers of the group", numbers);
    add_test("the object tells the group's nid", nids);
    add_test("the library context is kept", context);
    add_test("the change is counted", dirty);
    add_test("all else is as in a new object", others);
    add_test("each call makes an object of its own", own);
    add_test("the numbers of the group outlive the object", outlive);
    add_test("without memory there is none and nothing is leaked", no_memory);
    return 1;
}
