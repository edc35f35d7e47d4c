/*---
 * tasks: [ossl_ffc_params_fromdata-88b65f.16]
 * tests:
 *   a new object is empty: 'DH_new(3): "allocates and initializes a DH structure"; ossl_ffc_params_init.'
 *   the library context is kept: 'Signature: libctx; dh_kmgmt.c: dh_newdata gives that of the provider.'
 *   the default method is used, with its flags and init: 'DH_set_method(3): "DH_set_default_method() makes meth the
 *     default method for all DH structures created later"; DH_meth_set_init(3).'
 *   there is one reference: 'DH_new(3), DH_free(3): DH_up_ref().'
 *   without memory there is none and nothing is leaked: 'DH_new(3): "If the allocation fails, DH_new() returns NULL".'
 ---*/
#include "../testutil.h"
#include "memory_count.h"
#include "pb_dh.h"

static int empty(void)
{
    DH *dh = ossl_dh_new_ex(NULL);
    const BIGNUM *p, *q, *g;
    int ok = plus_is_new(dh);

    if (ok) {
        DH_get0_pqg(dh, &p, &q, &g);
        ok = TEST_ptr_null(p) && TEST_ptr_null(q) && TEST_ptr_null(g)
            && TEST_int_eq(DH_get_nid(dh), NID_undef) && TEST_int_eq(DH_bits(dh), -1)
            && TEST_int_eq(dh->params.keylength, 0);
    }
    return plus_dh_done(dh, ok);
}

static int context(void)
{
    OSSL_LIB_CTX *one = OSSL_LIB_CTX_new(), *two = OSSL_LIB_CTX_new();
    DH *a = ossl_dh_new_ex(one), *b = ossl_dh_new_ex(two), *c = ossl_dh_new_ex(NULL);
    int ok = TEST_ptr(a) && TEST_ptr(b) && TEST_ptr(c) && TEST_ptr_eq(a->libctx, one)
        && TEST_ptr_eq(b->libctx, two) && TEST_ptr_null(c->libctx)
        && TEST_ptr_null(DH_get0_engine(a));

    ok = plus_dh_done(a, ok) & plus_dh_done(b, 1) & plus_dh_done(c, 1);
    OSSL_LIB_CTX_free(one);
    OSSL_LIB_CTX_free(two);
    return ok;
}

static int inits, init_result = 1, finishes;

static int method_init(DH *dh)
{
    inits++;
    return init_result;
}

static int method_finish(DH *dh)
{
    finishes++;
    return 1;
}

static int method(void)
{
    const DH_METHOD *usual = DH_get_default_method();
    DH_METHOD *own = DH_meth_new("of the test", 0x100);
    DH *dh = ossl_dh_new_ex(NULL);
    int ok = TEST_ptr(dh) && TEST_ptr_eq(ossl_dh_get_method(dh), usual);

    ok = plus_dh_done(dh, ok);
    DH_meth_set_init(own, method_init);
    DH_meth_set_finish(own, method_finish);
    DH_set_default_method(own);
    inits = finishes = 0;
    init_result = 1;
    dh = ossl_dh_new_ex(NULL);
    ok &= TEST_ptr(dh) && TEST_ptr_eq(ossl_dh_get_method(dh), own) && TEST_int_eq(inits, 1)
        && TEST_int_eq(DH_test_flags(dh, 0x100), 0x100) && TEST_int_eq(finishes, 0);
    ok = plus_dh_done(dh, ok) && TEST_int_eq(finishes, 1);
    init_result = 0;
    dh = ossl_dh_new_ex(NULL);
    ok = plus_dh_done(dh, TEST_ptr_null(dh)) && ok && TEST_int_eq(inits, 2);
    DH_set_default_method(usual);
    DH_meth_free(own);
    return ok;
}

static int reference(void)
{
    DH *dh;
    long before;
    int ok;

    DH_free(ossl_dh_new_ex(NULL));
    before = memory_blocks;
    dh = ossl_dh_new_ex(NULL);
    ok = TEST_ptr(dh) && TEST_int_eq(DH_up_ref(dh), 1);
    DH_free(dh);
    ok = ok && TEST_long_gt(memory_blocks, before) && TEST_long_eq(DH_get_length(dh), 0);
    return plus_dh_done(dh, ok) && TEST_long_eq(memory_blocks, before);
}

static int no_memory(void)
{
    long before;
    int i, ok = 1;
    DH *dh = ossl_dh_new_ex(NULL);

    DH_free(dh);
    before = memory_blocks;
    for (dh = NULL, i = 0; ok && dh == NULL && i < 60; i++) {
        memory_left = i;
        dh = ossl_dh_new_ex(NULL);
        memory_left = -1;
        ok = plus_dh_done(dh, dh == NULL || plus_is_new(dh))
            && TEST_long_eq(memory_blocks, before);
    }
    return ok && TEST_ptr(dh);
}

int setup_tests(void)
{
    add_test("a new object is empty", empty);
    add_test("the library context is kept", context);
    add_test("the default method is used, with its flags and init", method);
    add_test("there is one reference", reference);
    add_test("without memory there is none and nothing is leaked", no_memory);
    return 1;
}
