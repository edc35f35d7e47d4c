/*---
 * tasks: [ossl_ffc_params_fromdata-88b65f.16, ossl_ffc_params_fromdata-88b65f.8]
 * tests:
 *   each named group is found: 'DH_new_by_nid(3): "Currently nid must be NID_ffdhe2048 ... or NID_modp_8192";
 *     dh_pmeth.c: pkey_dh_paramgen gives RFC 5114 as 1 to 3.'
 *   the object is of the default library context: 'Signature: no libctx; DH_new.'
 *   what is no group is refused: 'DH_new_by_nid(3): "or NULL if an error occurred".'
 *   a refusal is told on the error queue: 'DH_new_by_nid(3): an error; dherr.h: DH_R_INVALID_PARAMETER_NID.'
 *   nothing is leaked or freed twice: 'DH_free(3); the groups are constants.'
 ---*/
#include "../testutil.h"
#include "memory_count.h"
#include "pb_dh.h"
#include "internal/cryptlib.h"

static int each(void)
{
    int i, ok = 1;

    for (i = 0; i < PLUS_GROUPS; i++) {
        DH *dh = DH_new_by_nid(plus_groups[i].nid);

        ok &= plus_dh_done(dh, plus_has_group(dh, i) && plus_is_new(dh));
    }
    return ok;
}

static int context(void)
{
    DH *dh = DH_new_by_nid(NID_ffdhe3072);
    int ok = TEST_ptr(dh)
        && TEST_ptr_eq(ossl_lib_ctx_get_concrete(dh->libctx), ossl_lib_ctx_get_concrete(NULL));

    return plus_dh_done(dh, ok);
}

static int none(void)
{
    static const int no_groups[] = { NID_undef, -1, 4, NID_dhKeyAgreement, 2048, 2147483647 };
    int i, ok = 1;

    for (i = 0; i < (int)OSSL_NELEM(no_groups); i++) {
        DH *dh = DH_new_by_nid(no_groups[i]);

        ok &= plus_dh_done(dh, TEST_ptr_null(dh));
    }
    return ok;
}

static int told(void)
{
    int ok;

    ERR_clear_error();
    ok = TEST_ptr_null(DH_new_by_nid(4)) && TEST_ulong_ne(ERR_peek_error(), 0);
    ERR_clear_error();
    return ok;
}

static int balanced(void)
{
    long before;

    each();
    none();
    before = memory_blocks;
    return each() && none() && TEST_long_eq(memory_blocks, before)
        && TEST_long_eq(memory_bad_frees, 0);
}

int setup_tests(void)
{
    add_test("each named group is found", each);
    add_test("the object is of the default library context", context);
    add_test("what is no group is refused", none);
    add_test("a refusal is told on the error queue", told);
    add_test("nothing is leaked or freed twice", balanced);
    return 1;
}
