/*---
 * tasks: [DSO_load-737905.4]
 * tests:
 *   the method is the default: 'dso.h: DSO_METHOD_openssl, "This method is the default".'
 *   the stack for the method is there and empty: 'dso_local.h: meth_data; dso_dlfcn.c pushes handles to it.'
 *   there is one reference: 'DSO_free ends it at once; dso.h: "Use DSO_up_ref and DSO_free".'
 *   all else is empty: 'dso_local.h: loaded_filename, "NULL iff the DSO is not currently loaded"; DSO_load tests filename.'
 *   init is called once for a whole object: 'dso_local.h: "[De]Initialisation handlers"; dso.h: flags are set after init.'
 *   what init sets stays: 'dso.h: flags are set "after its init() function".'
 *   a method without init is right: 'dso_local.h: handlers; DSO_free tests finish for NULL.'
 *   an init that fails gives NULL: 'dso_local.h: int (*init); DSO_load tests for NULL.'
 *   two objects share nothing: 'dso_local.h: each has its stack and its count.'
 *   refused memory gives NULL: 'DSO_load tests for NULL.'
 *   nothing is leaked or freed twice: 'DSO_free frees it all; NULL leaves nothing to free.'
 ---*/
#include "pa_dso.h"

static int method(void)
{
    DSO *dso = (plus_dso_begin(), DSO_new_method(NULL));
    int ok = TEST_ptr(dso) && TEST_ptr_eq(dso->meth, &plus_method);

    DSO_free(dso);
    return ok;
}

static int stack(void)
{
    DSO *dso = (plus_dso_begin(), DSO_new_method(NULL));
    int ok = TEST_ptr(dso) && TEST_ptr(dso->meth_data)
        && TEST_int_eq(sk_void_num(dso->meth_data), 0)
        && TEST_int_eq(sk_void_push(dso->meth_data, dso), 1)
        && TEST_ptr_eq(sk_void_pop(dso->meth_data), dso);

    DSO_free(dso);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int reference(void)
{
    DSO *dso = (plus_dso_begin(), DSO_new_method(NULL));
    int i = 0;

    return TEST_ptr(dso) && TEST_true(CRYPTO_GET_REF(&dso->references, &i)) && TEST_int_eq(i, 1)
        && TEST_int_eq(DSO_up_ref(dso), 1) && TEST_int_eq(DSO_free(dso), 1)
        && TEST_int_eq(plus_dso.finishes, 0)
        && TEST_int_eq(DSO_free(dso), 1) && TEST_int_eq(plus_dso.finishes, 1);
}

static int empty(void)
{
    DSO *dso = (plus_dso_begin(), DSO_new_method(NULL));
    int ok = TEST_ptr(dso) && TEST_ptr_null(dso->filename) && TEST_ptr_null(dso->loaded_filename)
        && TEST_int_eq(dso->flags, 0) && TEST_true(dso->name_converter == NULL)
        && TEST_true(dso->merger == NULL) && TEST_int_eq(plus_dso.loads, 0)
        && TEST_ptr_null(dso->ex_data.sk);

    if (ok)
        DSO_free(dso);
    return ok;
}

static int init_once(void)
{
    DSO *dso = (plus_dso_begin(), DSO_new_method(NULL));
    int ok = TEST_ptr(dso) && TEST_int_eq(plus_dso.inits, 1) && TEST_ptr_eq(plus_dso.begun, dso)
        && TEST_int_eq(plus_dso.whole_at_init, 1) && TEST_int_eq(plus_dso.finishes, 0);

    DSO_free(dso);
    return ok;
}

static int init_stays(void)
{
    DSO *dso;
    int ok;

    plus_dso_begin();
    plus_dso.flags_by_init = 0x22;
    ok = TEST_ptr(dso = DSO_new_method(NULL)) && TEST_int_eq(DSO_flags(dso), 0x22);
    DSO_free(dso);
    return ok;
}

static int no_init(void)
{
    DSO *dso;
    int ok;

    plus_dso_begin();
    plus_method.init = NULL;
    ok = TEST_ptr(dso = DSO_new_method(NULL)) && TEST_int_eq(plus_dso.inits, 0)
        && TEST_ptr_eq(dso->meth, &plus_method) && TEST_int_eq(sk_void_num(dso->meth_data), 0);
    DSO_free(dso);
    return ok;
}

static int init_fails(void)
{
    plus_dso_begin();
    plus_dso.init_fails = 1;
    return TEST_ptr_null(DSO_new_method(NULL)) && TEST_int_eq(plus_dso.inits, 1)
        && TEST_long_eq(memory_bad_frees, 0);
}

static int two(void)
{
    DSO *a = (plus_dso_begin(), DSO_new_method(NULL)), *b = DSO_new_method(NULL);
    int ok = TEST_ptr(a) && TEST_ptr(b) && TEST_ptr_ne(a, b)
        && TEST_ptr_ne(a->meth_data, b->meth_data) && TEST_int_eq(plus_dso.inits, 2)
        && TEST_int_eq(DSO_free(a), 1) && TEST_int_eq(sk_void_num(b->meth_data), 0)
        && TEST_int_eq(DSO_free(b), 1);

    return ok && TEST_int_eq(plus_dso.finishes, 2) && TEST_long_eq(memory_bad_frees, 0);
}

/* With so many allocations: NULL, or an object that is whole? */
static int refused_memory(void)
{
    long before, i;
    DSO *dso;
    int ok = 1, refused = 0;

    for (i = 0; i < 6 && ok; i++) {
        plus_dso_begin();
        before = plus_dso_blocks();
        memory_left = i;
        dso = DSO_new_method(NULL);
        memory_left = -1;
        if (dso == NULL)
            refused++;
        else
            ok = TEST_ptr(dso->meth_data) && TEST_ptr_eq(dso->meth, &plus_method);
        ok = ok && TEST_int_eq(DSO_free(dso), 1) && TEST_long_eq(plus_dso_blocks(), before)
            && TEST_long_eq(memory_bad_frees, 0);
    }
    return ok && TEST_int_gt(refused, 1);
}

static int no_leak(void)
{
    long before;

    plus_dso_begin();
    before = plus_dso_blocks();
    return method() && reference() && no_init() && init_fails() && init_stays()
        && TEST_long_eq(plus_dso_blocks(), before) && TEST_long_eq(memory_bad_frees, 0);
}

int setup_tests(void)
{
    add_test("the method is the default", method);
    add_test("the stack for the method is there and empty", stack);
    add_test("there is one reference", reference);
    add_test("all else is empty", empty);
    add_test("init is called once for a whole object", init_once);
    add_test("what init sets stays", init_stays);
    add_test("a method without init is right", no_init);
    add_test("an init that fails gives NULL", init_fails);
    add_test("two objects share nothing", two);
    add_test("refused memory gives NULL", refused_memory);
    add_test("nothing is leaked or freed twice", no_leak);
    return 1;
}
