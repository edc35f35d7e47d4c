/*---
 * tasks: [DSO_load-737905.4]
 * tests:
 *   an object of the default method is made: 'dso.h: DSO_METHOD_openssl, "This method is the default".'
 *   nothing is loaded and no name is set: 'provider_core.c: provider_init loads into it by DSO_load, which refuses one with a name.'
 *   it can be loaded and freed: 'provider_core.c: provider_init, DSO_new, DSO_load, DSO_free.'
 *   each call makes an object: 'signature; provider_core.c: one for each provider.'
 *   an init that fails gives NULL: 'provider_core.c: provider_init tests for NULL.'
 ---*/
#include "pa_dso.h"

static int made(void)
{
    DSO *dso = (plus_dso_begin(), DSO_new());
    int ok = TEST_ptr(dso) && TEST_ptr_eq(dso->meth, &plus_method)
        && TEST_int_eq(plus_dso.inits, 1) && TEST_ptr_eq(plus_dso.begun, dso);

    DSO_free(dso);
    return ok;
}

static int not_loaded(void)
{
    DSO *dso = (plus_dso_begin(), DSO_new());
    int ok = TEST_ptr(dso) && TEST_ptr_null(DSO_get_filename(dso))
        && TEST_ptr_null(dso->loaded_filename) && TEST_int_eq(plus_dso.loads, 0)
        && TEST_int_eq(DSO_flags(dso), 0);

    if (ok)
        DSO_free(dso);
    return ok;
}

static int load_and_free(void)
{
    long before;
    DSO *dso;

    plus_dso_begin();
    before = plus_dso_blocks();
    return TEST_ptr(dso = DSO_new()) && TEST_ptr_eq(DSO_load(dso, "some", NULL, 0), dso)
        && TEST_int_eq(plus_dso.loads, 1) && TEST_int_eq(DSO_free(dso), 1)
        && TEST_int_eq(plus_dso.unloads, 1)
        && TEST_int_eq(plus_dso.finishes, 1) && TEST_long_eq(plus_dso_blocks(), before)
        && TEST_long_eq(memory_bad_frees, 0);
}

static int each(void)
{
    DSO *a = (plus_dso_begin(), DSO_new()), *b = DSO_new();

    return TEST_ptr(a) && TEST_ptr(b) && TEST_ptr_ne(a, b) && TEST_int_eq(DSO_free(a), 1)
        && TEST_int_eq(plus_dso.finishes, 1) && TEST_int_eq(DSO_free(b), 1)
        && TEST_int_eq(plus_dso.finishes, 2);
}

static int init_fails(void)
{
    long before;

    plus_dso_begin();
    before = plus_dso_blocks();
    plus_dso.init_fails = 1;
    return TEST_ptr_null(DSO_new()) && TEST_long_eq(plus_dso_blocks(), before);
}

int setup_tests(void)
{
    add_test("an object of the default method is made", made);
    add_test("nothing is loaded and no name is set", not_loaded);
    add_test("it can be loaded and freed", load_and_free);
    add_test("each call makes an object", each);
    add_test("an init that fails gives NULL", init_fails);
    return 1;
}
