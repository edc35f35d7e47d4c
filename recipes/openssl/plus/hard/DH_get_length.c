/*---
 * tasks: [ossl_ffc_params_fromdata-88b65f.16]
 * tests:
 *   the length that was set is told: 'DH_get_length(3): "the length of the secret exponent (private key) in bits".'
 *   a new object has none: 'DH_get_length(3): "or zero if no such length has been explicitly set".'
 ---*/
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/dh.h>
#include <openssl/objects.h>
#include "../testutil.h"

static int told(void)
{
    DH *dh = DH_new();
    int ok = TEST_int_eq(DH_set_length(dh, 225), 1) && TEST_long_eq(DH_get_length(dh), 225)
        && TEST_long_eq(DH_get_length(dh), 225)
        && TEST_int_eq(DH_set_length(dh, 70000), 1) && TEST_long_eq(DH_get_length(dh), 70000)
        && TEST_int_eq(DH_set_length(dh, 0), 1) && TEST_long_eq(DH_get_length(dh), 0);

    DH_free(dh);
    return ok;
}

static int none(void)
{
    DH *dh = DH_new(), *group = DH_new_by_nid(NID_ffdhe2048);
    int ok = TEST_long_eq(DH_get_length(dh), 0)
        && TEST_ptr(group) && TEST_long_eq(DH_get_length(group), 0);

    /* A key says nothing of it, either. */
    ok = ok && TEST_int_eq(DH_set0_key(group, BN_dup(BN_value_one()), BN_dup(BN_value_one())), 1)
        && TEST_long_eq(DH_get_length(group), 0)
        && TEST_int_eq(DH_set_length(group, 300), 1) && TEST_long_eq(DH_get_length(group), 300);
    DH_free(dh);
    DH_free(group);
    return ok;
}

int setup_tests(void)
{
    add_test("the length that was set is told", told);
    add_test("a new object has none", none);
    return 1;
}
