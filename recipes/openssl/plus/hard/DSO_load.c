/*---
 * tasks: [DSO_load-737905, DSO_load-737905.2, DSO_load-737905.4]
 * tests:
 *   a new object is made and loaded: 'dso.h: "you normally pass NULL for the first and third parameters".'
 *   the file name is kept as a copy: 'dso_local.h: filename, "a copy of the platform-independent filename".'
 *   the flags are set before the load: 'dso.h: "set in the constructed DSO after its init() function but before the load".'
 *   init does not undo the flags: 'dso.h: "after its init() function".'
 *   a given object is loaded and returned: 'provider_core.c: provider_init loads into prov->module, a new DSO.'
 *   flags for a given object are ignored: 'dso.h: "If ''dso'' is non-NULL, ''flags'' is ignored."'
 *   an object that is loaded is refused and stays: 'dso.h: "set will fail if the DSO is already loaded"; DSO_R_DSO_ALREADY_LOADED.'
 *   without a file name nothing is loaded: 'dsoerr.h: DSO_R_NO_FILENAME; DSO_set_filename refuses NULL.'
 *   a load that fails gives NULL: 'provider_core.c: provider_init, "DSO_load(...) == NULL".'
 *   a given object outlives a failure: 'provider_core.c: provider_init frees prov->module itself after a failure.'
 *   a method that cannot begin or load is refused: 'DSO_new_method gives NULL; dsoerr.h: DSO_R_UNSUPPORTED; DSO_bind_func checks its own so.'
 *   a failure leaves an error: 'provider_core.c: provider_init adds to the errors that are there.'
 *   the last free ends what was loaded: 'dso.h: "Use DSO_up_ref and DSO_free for subsequent reference count handling."'
 *   nothing is leaked when it fails: 'signature: NULL leaves the caller nothing to free.'
 *   refused memory gives NULL and no leak: 'signature; DSO_set_filename and DSO_new_method fail then.'
 ---*/
#include "pa_dso.h"

static int new_object(void)
{
    DSO *dso;
    int ok;

    plus_dso_begin();
    dso = DSO_load(NULL, "some", NULL, 0);
    ok = TEST_ptr(dso) && TEST_int_eq(plus_dso.loads, 1) && TEST_ptr_eq(plus_dso.loaded, dso)
        && TEST_int_eq(plus_dso.inits, 1) && TEST_str_eq(plus_dso.name_at_load, "some")
        && TEST_str_eq(dso->loaded_filename, "some");
    DSO_free(dso);
    return ok;
}

static int copy(void)
{
    char name[] = "lib/one";
    DSO *dso;
    int ok;

    plus_dso_begin();
    ok = TEST_ptr(dso = DSO_load(NULL, name, NULL, 0));
    name[0] = 'X';
    ok = ok && TEST_str_eq(DSO_get_filename(dso), "lib/one");
    DSO_free(dso);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int flags_set(void)
{
    DSO *dso;
    int ok;

    plus_dso_begin();
    dso = DSO_load(NULL, "some", NULL, DSO_FLAG_GLOBAL_SYMBOLS | DSO_FLAG_NO_NAME_TRANSLATION);
    ok = TEST_ptr(dso) && TEST_int_eq(plus_dso.flags_at_load, 0x21)
        && TEST_int_eq(DSO_flags(dso), 0x21);
    DSO_free(dso);
    plus_dso_begin();
    dso = DSO_load(NULL, "some", NULL, DSO_FLAG_NO_UNLOAD_ON_FREE);
    ok = ok && TEST_ptr(dso) && TEST_int_eq(plus_dso.flags_at_load, 4)
        && TEST_int_eq(DSO_flags(dso), 4);
    DSO_free(dso);
    return ok && TEST_int_eq(plus_dso.unloads, 0);
}

static int init_no_undo(void)
{
    DSO *dso;
    int ok;

    plus_dso_begin();
    plus_dso.flags_by_init = 2;
    dso = DSO_load(NULL, "some", NULL, DSO_FLAG_GLOBAL_SYMBOLS);
    ok = TEST_ptr(dso) && TEST_int_eq(plus_dso.flags_at_load & 0x20, 0x20)
        && TEST_int_eq(DSO_flags(dso) & 0x20, 0x20);
    DSO_free(dso);
    return ok;
}

static int no_flags(void)
{
    DSO *dso;
    int ok;

    plus_dso_begin();
    dso = DSO_load(NULL, "some", NULL, 0);
    ok = TEST_ptr(dso) && TEST_int_eq(plus_dso.flags_at_load, 0) && TEST_int_eq(DSO_flags(dso), 0);
    DSO_free(dso);
    return ok && TEST_int_eq(plus_dso.unloads, 1);
}

static int given(void)
{
    DSO *dso;
    int ok;

    plus_dso_begin();
    ok = TEST_ptr(dso = DSO_new())
        && TEST_ptr_eq(DSO_load(dso, "given", NULL, 0), dso)
        && TEST_int_eq(plus_dso.loads, 1) && TEST_ptr_eq(plus_dso.loaded, dso)
        && TEST_str_eq(plus_dso.name_at_load, "given") && TEST_int_eq(plus_dso.inits, 1)
        && TEST_str_eq(DSO_get_filename(dso), "given");
    DSO_free(dso);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int given_flags(void)
{
    DSO *dso;
    int ok;

    plus_dso_begin();
    ok = TEST_ptr(dso = DSO_new());
    DSO_ctrl(dso, DSO_CTRL_SET_FLAGS, DSO_FLAG_NO_NAME_TRANSLATION, NULL);
    ok = ok && TEST_ptr_eq(DSO_load(dso, "given", NULL, DSO_FLAG_GLOBAL_SYMBOLS), dso)
        && TEST_int_eq(plus_dso.flags_at_load, 1) && TEST_int_eq(DSO_flags(dso), 1);
    DSO_free(dso);
    return ok;
}

static int loaded(void)
{
    DSO *dso;
    int ok;

    plus_dso_begin();
    ok = TEST_ptr(dso = DSO_load(NULL, "first", NULL, 0))
        && TEST_ptr_null(DSO_load(dso, "second", NULL, 0))
        && TEST_ptr_null(DSO_load(dso, "first", NULL, 0))
        && TEST_ptr_null(DSO_load(dso, NULL, NULL, 0))
        && TEST_int_eq(plus_dso.loads, 1)
        && TEST_str_eq(DSO_get_filename(dso), "first")
        && TEST_str_eq(dso->loaded_filename, "first") && TEST_int_eq(plus_dso.finishes, 0);
    if (ok)
        DSO_free(dso);
    return ok && TEST_int_eq(plus_dso.unloads, 1) && TEST_long_eq(memory_bad_frees, 0);
}

static int no_name(void)
{
    DSO *dso;
    int ok;

    plus_dso_begin();
    ok = TEST_ptr_null(DSO_load(NULL, NULL, NULL, 0)) && TEST_int_eq(plus_dso.loads, 0)
        && TEST_ptr(dso = DSO_new())
        && TEST_ptr_null(DSO_load(dso, NULL, NULL, 0)) && TEST_int_eq(plus_dso.loads, 0)
        && TEST_ptr_null(DSO_get_filename(dso))
        && TEST_ptr_eq(DSO_load(dso, "later", NULL, 0), dso);
    if (ok)
        DSO_free(dso);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int load_fails(void)
{
    plus_dso_begin();
    plus_dso.load_fails = 1;
    return TEST_ptr_null(DSO_load(NULL, "some", NULL, 0)) && TEST_int_eq(plus_dso.loads, 1)
        && TEST_int_eq(plus_dso.finishes, 1);
}

static int given_outlives(void)
{
    DSO *dso;
    int ok;

    plus_dso_begin();
    plus_dso.load_fails = 1;
    ok = TEST_ptr(dso = DSO_new()) && TEST_ptr_null(DSO_load(dso, "some", NULL, 0))
        && TEST_int_eq(plus_dso.finishes, 0) && TEST_ptr_null(dso->loaded_filename)
        && TEST_ptr_eq(dso->meth, &plus_method);
    if (ok)
        DSO_free(dso);
    return ok && TEST_int_eq(plus_dso.finishes, 1) && TEST_long_eq(memory_bad_frees, 0);
}

static int init_fails(void)
{
    plus_dso_begin();
    plus_dso.init_fails = 1;
    return TEST_ptr_null(DSO_load(NULL, "some", NULL, 0)) && TEST_int_eq(plus_dso.loads, 0);
}

static int unsupported(void)
{
    DSO *dso;
    int ok;

    plus_dso_begin();
    plus_method.dso_load = NULL;
    ok = TEST_ptr_null(DSO_load(NULL, "some", NULL, 0)) && TEST_ptr(dso = DSO_new())
        && TEST_ptr_null(DSO_load(dso, "some", NULL, 0));
    if (ok)
        DSO_free(dso);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int error_left(void)
{
    int ok;

    plus_dso_begin();
    ok = TEST_ptr_null(DSO_load(NULL, NULL, NULL, 0)) && TEST_ulong_ne(ERR_peek_error(), 0);
    plus_dso_begin();
    plus_dso.load_fails = 1;
    ok = ok && TEST_ptr_null(DSO_load(NULL, "some", NULL, 0))
        && TEST_ulong_ne(ERR_peek_error(), 0);
    plus_dso_begin();
    plus_method.dso_load = NULL;
    ok = ok && TEST_ptr_null(DSO_load(NULL, "some", NULL, 0))
        && TEST_ulong_ne(ERR_peek_error(), 0);
    ERR_clear_error();
    return ok;
}

static int one_free(void)
{
    long before;
    DSO *dso;

    plus_dso_begin();
    before = plus_dso_blocks();
    return TEST_ptr(dso = DSO_load(NULL, "some", NULL, 0)) && TEST_int_eq(DSO_free(dso), 1)
        && TEST_int_eq(plus_dso.unloads, 1) && TEST_int_eq(plus_dso.finishes, 1)
        && TEST_long_eq(plus_dso_blocks(), before) && TEST_long_eq(memory_bad_frees, 0)
        && TEST_ptr(dso = DSO_new()) && TEST_ptr(DSO_load(dso, "some", NULL, 0))
        && TEST_int_eq(DSO_free(dso), 1) && TEST_int_eq(plus_dso.unloads, 2)
        && TEST_long_eq(plus_dso_blocks(), before) && TEST_long_eq(memory_bad_frees, 0);
}

static int second_reference(void)
{
    DSO *dso;

    plus_dso_begin();
    return TEST_ptr(dso = DSO_load(NULL, "some", NULL, 0)) && TEST_int_eq(DSO_up_ref(dso), 1)
        && TEST_int_eq(DSO_free(dso), 1) && TEST_int_eq(plus_dso.unloads, 0)
        && TEST_int_eq(DSO_free(dso), 1) && TEST_int_eq(plus_dso.unloads, 1)
        && TEST_long_eq(memory_bad_frees, 0);
}

static int no_leak(void)
{
    long before;
    DSO *dso;

    plus_dso_begin();
    before = plus_dso_blocks();
    if (!TEST_ptr_null(DSO_load(NULL, NULL, NULL, 0)) || !load_fails() || !init_fails()
            || !unsupported() || !given_outlives() || !TEST_long_eq(plus_dso_blocks(), before))
        return 0;
    plus_dso_begin();
    dso = DSO_load(NULL, "first", NULL, 0);
    before = plus_dso_blocks();
    DSO_load(dso, "second", NULL, 0);
    return TEST_long_eq(plus_dso_blocks(), before) && TEST_int_eq(DSO_free(dso), 1)
        && TEST_long_eq(memory_bad_frees, 0);
}

static int refused_memory(void)
{
    long before, i;
    DSO *dso, *own = NULL;
    int ok = 1, refused = 0;

    for (i = 0; i < 20 && ok; i++) {
        plus_dso_begin();
        before = plus_dso_blocks();
        if (i % 2 == 1)
            own = DSO_new();
        memory_left = i / 2;
        dso = DSO_load(own, "some", NULL, 0);
        memory_left = -1;
        if (dso == NULL)
            refused++;
        ok = dso == NULL || (TEST_ptr(dso->filename) && TEST_ptr(dso->loaded_filename));
        DSO_free(own != NULL ? own : dso);
        own = NULL;
        ok = ok && TEST_long_eq(plus_dso_blocks(), before) && TEST_long_eq(memory_bad_frees, 0);
    }
    return ok && TEST_int_gt(refused, 3);
}

static int flags(void)
{
    return flags_set() && no_flags();
}

static int cannot(void)
{
    return init_fails() && unsupported();
}

static int ends(void)
{
    return one_free() && second_reference();
}

int setup_tests(void)
{
    add_test("a new object is made and loaded", new_object);
    add_test("the file name is kept as a copy", copy);
    add_test("the flags are set before the load", flags);
    add_test("init does not undo the flags", init_no_undo);
    add_test("a given object is loaded and returned", given);
    add_test("flags for a given object are ignored", given_flags);
    add_test("an object that is loaded is refused and stays", loaded);
    add_test("without a file name nothing is loaded", no_name);
    add_test("a load that fails gives NULL", load_fails);
    add_test("a given object outlives a failure", given_outlives);
    add_test("a method that cannot begin or load is refused", cannot);
    add_test("a failure leaves an error", error_left);
    add_test("the last free ends what was loaded", ends);
    add_test("nothing is leaked when it fails", no_leak);
    add_test("refused memory gives NULL and no leak", refused_memory);
    return 1;
}
