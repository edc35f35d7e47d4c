/*---
 * tasks: [DSO_load-737905.2, DSO_load-737905.4]
 * tests:
 *   the name is set: 'dso.h: "used to get/set the platform-independent filename".'
 *   the name is a copy: 'dso_local.h: filename, "populated with (a copy of)".'
 *   an earlier name is replaced: 'dso.h: "get/set"; the object is not loaded yet.'
 *   a loaded object is refused: 'dso.h: "NB: set will fail if the DSO is already loaded."'
 *   missing arguments are refused: 'DSO_get_filename and DSO_bind_func, ERR_R_PASSED_NULL_PARAMETER.'
 *   names are kept whole: 'dso.h: the filename; no bound is stated.'
 *   the own name can be given again: 'signature: const char *; the name that DSO_get_filename gives.'
 *   a failure leaves an error: 'DSO_load: it adds DSO_R_SET_FILENAME_FAILED to it.'
 *   nothing else changes: 'dso.h: "set the platform-independent filename".'
 *   refused memory leaves the earlier name: 'DSO_load checks by "!"; the object stays whole.'
 *   nothing is leaked or freed twice: 'dso_lib.c: DSO_free frees filename.'
 ---*/
#include "pa_dso.h"

static int is_set(void)
{
    DSO *dso = (plus_dso_begin(), DSO_new());
    int ok = TEST_ptr_null(DSO_get_filename(dso))
        && TEST_int_eq(DSO_set_filename(dso, "lib/some.so"), 1)
        && TEST_str_eq(DSO_get_filename(dso), "lib/some.so");

    DSO_free(dso);
    return ok;
}

static int copied(void)
{
    char name[] = "some";
    DSO *dso = (plus_dso_begin(), DSO_new());
    int ok = TEST_int_eq(DSO_set_filename(dso, name), 1);

    name[0] = 'X';
    ok = ok && TEST_str_eq(DSO_get_filename(dso), "some");
    if (ok)
        DSO_free(dso);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int replaced(void)
{
    DSO *dso = (plus_dso_begin(), DSO_new());
    int ok = TEST_int_eq(DSO_set_filename(dso, "some"), 1)
        && TEST_int_eq(DSO_set_filename(dso, "a longer name"), 1)
        && TEST_str_eq(DSO_get_filename(dso), "a longer name")
        && TEST_int_eq(DSO_set_filename(dso, "x"), 1)
        && TEST_str_eq(DSO_get_filename(dso), "x");

    DSO_free(dso);
    return ok;
}

static int refused_loaded(void)
{
    DSO *dso = (plus_dso_begin(), DSO_new());
    int ok = TEST_int_eq(DSO_set_filename(dso, "some"), 1);

    dso->loaded_filename = OPENSSL_strdup("libsome.so");
    ok = ok && TEST_int_eq(DSO_set_filename(dso, "other"), 0)
        && TEST_str_eq(DSO_get_filename(dso), "some")
        && TEST_str_eq(dso->loaded_filename, "libsome.so");
    DSO_free(dso);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int missing(void)
{
    DSO *dso = (plus_dso_begin(), DSO_new());
    int ok = TEST_int_eq(DSO_set_filename(NULL, "some"), 0)
        && TEST_int_eq(DSO_set_filename(NULL, NULL), 0)
        && TEST_int_eq(DSO_set_filename(dso, NULL), 0)
        && TEST_ptr_null(DSO_get_filename(dso))
        && TEST_int_eq(DSO_set_filename(dso, "some"), 1)
        && TEST_int_eq(DSO_set_filename(dso, NULL), 0)
        && TEST_str_eq(DSO_get_filename(dso), "some");

    DSO_free(dso);
    return ok;
}

static int whole(void)
{
    static char name[70001];
    DSO *dso = (plus_dso_begin(), DSO_new());
    int ok;

    memset(name, 'n', sizeof(name) - 1);
    ok = TEST_int_eq(DSO_set_filename(dso, name), 1)
        && TEST_true(strcmp(DSO_get_filename(dso), name) == 0)
        && TEST_int_eq(DSO_set_filename(dso, "with space/\xc3\xa4 %s"), 1)
        && TEST_str_eq(DSO_get_filename(dso), "with space/\xc3\xa4 %s")
        && TEST_int_eq(DSO_set_filename(dso, ""), 1)
        && TEST_str_eq(DSO_get_filename(dso), "");
    DSO_free(dso);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int own(void)
{
    DSO *dso = (plus_dso_begin(), DSO_new());
    int ok = TEST_int_eq(DSO_set_filename(dso, "some/file"), 1)
        && TEST_int_eq(DSO_set_filename(dso, DSO_get_filename(dso)), 1)
        && TEST_str_eq(DSO_get_filename(dso), "some/file")
        && TEST_int_eq(DSO_set_filename(dso, DSO_get_filename(dso) + 5), 1)
        && TEST_str_eq(DSO_get_filename(dso), "file");

    if (ok)
        DSO_free(dso);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int error_left(void)
{
    DSO *dso = (plus_dso_begin(), DSO_new());
    int ok = TEST_int_eq(DSO_set_filename(dso, NULL), 0) && TEST_ulong_ne(ERR_peek_error(), 0);

    ERR_clear_error();
    dso->loaded_filename = OPENSSL_strdup("libsome.so");
    ok = ok && TEST_int_eq(DSO_set_filename(dso, "other"), 0)
        && TEST_ulong_ne(ERR_peek_error(), 0);
    ERR_clear_error();
    DSO_free(dso);
    return ok;
}

static int others_stay(void)
{
    DSO *dso = (plus_dso_begin(), DSO_new());
    int ok;

    DSO_ctrl(dso, DSO_CTRL_SET_FLAGS, 0x23, NULL);
    ok = TEST_int_eq(DSO_set_filename(dso, "some"), 1) && TEST_int_eq(DSO_flags(dso), 0x23)
        && TEST_ptr_null(dso->loaded_filename) && TEST_int_eq(plus_dso.loads, 0)
        && TEST_ptr_eq(dso->meth, &plus_method) && TEST_int_eq(sk_void_num(dso->meth_data), 0);
    DSO_free(dso);
    return ok;
}

static int refused_memory(void)
{
    DSO *dso = (plus_dso_begin(), DSO_new());
    int ok = TEST_int_eq(DSO_set_filename(dso, "some"), 1), set;

    memory_left = 0;
    set = DSO_set_filename(dso, "another");
    memory_left = -1;
    ok = ok && TEST_int_eq(set, 0) && TEST_str_eq(DSO_get_filename(dso), "some");
    if (ok)
        DSO_free(dso);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int no_leak(void)
{
    long before;

    if (!error_left())
        return 0;
    before = plus_dso_blocks();
    return is_set() && copied() && replaced() && refused_loaded() && missing() && own()
        && refused_memory()
        && TEST_long_eq(plus_dso_blocks(), before) && TEST_long_eq(memory_bad_frees, 0);
}

int setup_tests(void)
{
    add_test("the name is set", is_set);
    add_test("the name is a copy", copied);
    add_test("an earlier name is replaced", replaced);
    add_test("a loaded object is refused", refused_loaded);
    add_test("missing arguments are refused", missing);
    add_test("names are kept whole", whole);
    add_test("the own name can be given again", own);
    add_test("a failure leaves an error", error_left);
    add_test("nothing else changes", others_stay);
    add_test("refused memory leaves the earlier name", refused_memory);
    add_test("nothing is leaked or freed twice", no_leak);
    return 1;
}
