/*---
 * tasks: [ossl_ffc_params_fromdata-88b65f.16, ossl_ffc_params_fromdata-88b65f.8]
 * tests:
 *   each named group is found: 'DH_new_by_nid(3): "Currently nid must be NID_ffdhe2048 ... or NID_modp_8192";
 *     ffc_dh.c: dh_named_groups, RFC 5114 as 1 to 3.'
 *   the library context is kept: 'Signature: libctx; dh_kmgmt.c: dh_gen gives that of the provider.'
 *   what is no group is refused: 'DH_new_by_nid(3): "or NULL if an error occurred".'
 *   a refusal is told on the error queue: 'dherr.h: DH_R_INVALID_PARAMETER_NID; its caller dh_gen adds none.'
 *   a success leaves the error queue alone: 'ERR_get_error(3): errors are of what failed.'
 *   each call makes an object of its own: 'DH_new_by_nid(3): "creates and returns".'
 *   a refusal leaks nothing: 'DH_new_by_nid(3): NULL; there is nothing to free.'
 *   without memory there is none and nothing is leaked: 'DH_new_by_nid(3): "or NULL if an error occurred".'
 ---*/
#include "../testutil.h"
#include "memory_count.h"
#include "pb_dh.h"

static int each(void)
{
    int i, ok = 1;

    for (i = 0; i < PLUS_GROUPS; i++) {
        DH *dh = ossl_dh_new_by_nid_ex(NULL, plus_groups[i].nid);

        ok &= plus_dh_done(dh, plus_has_group(dh, i) && plus_is_new(dh));
    }
    return ok;
}

static int context(void)
{
    OSSL_LIB_CTX *libctx = OSSL_LIB_CTX_new();
    DH *dh = ossl_dh_new_by_nid_ex(libctx, NID_modp_2048);
    int ok = plus_dh_done(dh, TEST_ptr(dh) && TEST_ptr_eq(dh->libctx, libctx));

    dh = ossl_dh_new_by_nid_ex(NULL, NID_modp_2048);
    ok &= plus_dh_done(dh, TEST_ptr(dh) && TEST_ptr_null(dh->libctx));
    OSSL_LIB_CTX_free(libctx);
    return ok;
}

static const int no_groups[] = {
    NID_undef, -1, 4, NID_ffdhe2048 - 1, NID_ffdhe8192 + 1, NID_modp_1536 - 1, NID_modp_8192 + 1,
    NID_dhKeyAgreement, NID_X9_62_prime256v1, 2048, -NID_ffdhe2048, 2147483647
};

static int none(void)
{
    int i, k, ok = 1;

    for (i = 0; i < (int)OSSL_NELEM(no_groups); i++) {
        DH *dh;

        for (k = 0; k < PLUS_GROUPS && plus_groups[k].nid != no_groups[i]; k++)
            ;
        if (k < PLUS_GROUPS)    /* the neighbour of one is another */
            continue;
        dh = ossl_dh_new_by_nid_ex(NULL, no_groups[i]);
        ok &= plus_dh_done(dh, TEST_ptr_null(dh));
    }
    return ok;
}

static int told(void)
{
    int ok;

    ERR_clear_error();
    ok = TEST_ptr_null(ossl_dh_new_by_nid_ex(NULL, 4)) && TEST_ulong_ne(ERR_peek_error(), 0);
    ERR_clear_error();
    ok = ok && TEST_ptr_null(ossl_dh_new_by_nid_ex(NULL, NID_undef))
        && TEST_ulong_ne(ERR_peek_error(), 0);
    ERR_clear_error();
    return ok;
}

static int quiet(void)
{
    DH *dh;
    int ok;

    ERR_clear_error();
    dh = ossl_dh_new_by_nid_ex(NULL, 1);
    ok = TEST_ptr(dh) && TEST_ulong_eq(ERR_peek_error(), 0);
    return plus_dh_done(dh, ok);
}

static int own(void)
{
    DH *one = ossl_dh_new_by_nid_ex(NULL, NID_ffdhe2048);
    DH *two = ossl_dh_new_by_nid_ex(NULL, NID_ffdhe2048);
    int ok = TEST_ptr(one) && TEST_ptr(two) && TEST_ptr_ne(one, two)
        && TEST_int_eq(DH_set_length(one, 300), 1) && TEST_long_eq(DH_get_length(two), 0);

    ok = plus_dh_done(one, ok);
    ok = plus_has_group(two, 0) && ok;
    return plus_dh_done(two, ok);
}

static int refused_leak(void)
{
    long before;

    none();
    before = memory_blocks;
    return none() && TEST_long_eq(memory_blocks, before);
}

static int no_memory(void)
{
    long before;
    int i, ok = 1;
    DH *dh = ossl_dh_new_by_nid_ex(NULL, NID_ffdhe2048);

    DH_free(dh);
    before = memory_blocks;
    for (dh = NULL, i = 0; ok && dh == NULL && i < 60; i++) {
        memory_left = i;
        dh = ossl_dh_new_by_nid_ex(NULL, NID_ffdhe2048);
        memory_left = -1;
        ok = plus_dh_done(dh, dh == NULL || plus_has_group(dh, 0))
            && TEST_long_eq(memory_blocks, before);
    }
    return ok && TEST_ptr(dh);
}

int setup_tests(void)
{
    add_test("each named group is found", each);
    add_test("the library context is kept", context);
    add_test("what is no group is refused", none);
    add_test("a refusal is told on the error queue", told);
    add_test("a success leaves the error queue alone", quiet);
    add_test("each call makes an object of its own", own);
    add_test("a refusal leaks nothing", refused_leak);
    add_test("without memory there is none and nothing is leaked", no_memory);
    return 1;
}
