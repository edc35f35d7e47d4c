/*---
 * tasks: [ossl_ffc_params_fromdata-88b65f.16]
 * tests:
 *   flags are set: 'DH_set_flags(3): "sets the flags in the flags parameter", several in one go.'
 *   flags that are set already stay: 'DH_set_flags(3): "Any flags that are already set are left set".'
 *   0 changes nothing: 'DH_set_flags(3): "left set".'
 ---*/
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/dh.h>
#include "../testutil.h"

static int set(void)
{
    DH *dh = DH_new();
    int ok;

    DH_clear_flags(dh, ~0);
    DH_set_flags(dh, 0x10);
    ok = TEST_int_eq(DH_test_flags(dh, ~0), 0x10);
    DH_clear_flags(dh, ~0);
    DH_set_flags(dh, 0x1000 | 0x02);
    ok = ok && TEST_int_eq(DH_test_flags(dh, ~0), 0x1002);
    DH_free(dh);
    return ok;
}

static int stay(void)
{
    DH *dh = DH_new();
    int ok;

    DH_clear_flags(dh, ~0);
    DH_set_flags(dh, 0x11);
    DH_set_flags(dh, 0x1010);
    ok = TEST_int_eq(DH_test_flags(dh, ~0), 0x1011);
    DH_set_flags(dh, 0x1010);
    ok = ok && TEST_int_eq(DH_test_flags(dh, ~0), 0x1011);
    DH_set_flags(dh, 0x2000);
    ok = ok && TEST_int_eq(DH_test_flags(dh, ~0), 0x3011);
    DH_free(dh);
    return ok;
}

static int zero(void)
{
    DH *dh = DH_new();
    int ok;

    DH_clear_flags(dh, ~0);
    DH_set_flags(dh, 0x1002);
    DH_set_flags(dh, 0);
    ok = TEST_int_eq(DH_test_flags(dh, ~0), 0x1002);
    DH_free(dh);
    return ok;
}

int setup_tests(void)
{
    add_test("flags are set", set);
    add_test("flags that are set already stay", stay);
    add_test("0 changes nothing", zero);
    return 1;
}
