/*---
 * tasks: [custom_ext_parse-9fc2dd.2, custom_ext_parse-9fc2dd.4, custom_ext_parse-9fc2dd.8]
 * tests:
 *   the type is found with its place: 'Comment: "Find a custom extension from the list"; idx.'
 *   no place has to be asked for: 'custom_ext_parse: idx NULL.'
 *   another type is not found: 'custom_ext_parse: "If not found return success"; NULL.'
 *   an empty list has none: 'custom_exts_free leaves meths NULL and meths_count 0.'
 *   a role finds its own: 'Comment: role, ENDPOINT_SERVER or ENDPOINT_CLIENT.'
 *   a role finds one for both: 'SSL_CTX_add_custom_ext adds with ENDPOINT_BOTH.'
 *   both finds any role: 'Comment: "or ENDPOINT_BOTH for either".'
 *   a type over 16 bits is not found: 'unsigned int ext_type; a type is 16 bits.'
 *   the list stays: 'const custom_ext_methods *.'
 ---*/
#include "pa_custext.h"

static custom_ext_methods exts;

static void fill(void)
{
    OPENSSL_free(exts.meths);
    memset(&exts, 0, sizeof(exts));
    plus_method(&exts, ENDPOINT_CLIENT, 10, CH, NULL);
    plus_method(&exts, ENDPOINT_SERVER, 20, CH, NULL);
    plus_method(&exts, ENDPOINT_SERVER, 10, CH, NULL);
    plus_method(&exts, ENDPOINT_BOTH, 0, CH, NULL);
    plus_method(&exts, ENDPOINT_BOTH, 0xffff, CH, NULL);
}

static int finds(ENDPOINT role, unsigned int type, size_t place)
{
    size_t i = 77;

    return TEST_ptr_eq(custom_ext_find(&exts, role, type, &i), exts.meths + place)
        && TEST_size_t_eq(i, place)
        && TEST_ptr_eq(custom_ext_find(&exts, role, type, NULL), exts.meths + place);
}

static int none(ENDPOINT role, unsigned int type)
{
    size_t i;

    return TEST_ptr_null(custom_ext_find(&exts, role, type, &i))
        && TEST_ptr_null(custom_ext_find(&exts, role, type, NULL));
}

static int place(void)
{
    fill();
    return finds(ENDPOINT_CLIENT, 10, 0) && finds(ENDPOINT_SERVER, 20, 1)
        && finds(ENDPOINT_BOTH, 0xffff, 4);
}

static int no_place(void)
{
    fill();
    return TEST_ptr_eq(custom_ext_find(&exts, ENDPOINT_SERVER, 20, NULL), exts.meths + 1);
}

static int other(void)
{
    fill();
    return none(ENDPOINT_BOTH, 11) && none(ENDPOINT_CLIENT, 30) && none(ENDPOINT_SERVER, 0xfffe);
}

static int empty(void)
{
    OPENSSL_free(exts.meths);
    memset(&exts, 0, sizeof(exts));
    return none(ENDPOINT_BOTH, 0) && none(ENDPOINT_CLIENT, 10);
}

static int own(void)
{
    fill();
    return finds(ENDPOINT_SERVER, 10, 2) && finds(ENDPOINT_CLIENT, 10, 0)
        && none(ENDPOINT_CLIENT, 20) && finds(ENDPOINT_SERVER, 20, 1);
}

static int for_both(void)
{
    fill();
    return finds(ENDPOINT_CLIENT, 0, 3) && finds(ENDPOINT_SERVER, 0, 3)
        && finds(ENDPOINT_CLIENT, 0xffff, 4) && finds(ENDPOINT_SERVER, 0xffff, 4);
}

static int either(void)
{
    fill();
    return finds(ENDPOINT_BOTH, 20, 1) && finds(ENDPOINT_BOTH, 0, 3)
        && TEST_ptr(custom_ext_find(&exts, ENDPOINT_BOTH, 10, NULL));
}

static int too_large(void)
{
    fill();
    return none(ENDPOINT_BOTH, 0x10000) && none(ENDPOINT_CLIENT, 0x1000a)
        && none(ENDPOINT_BOTH, 0xffffffff);
}

static int list_stays(void)
{
    custom_ext_method *meths;
    int ok;

    fill();
    meths = OPENSSL_memdup(exts.meths, 5 * sizeof(*meths));
    ok = finds(ENDPOINT_SERVER, 10, 2) && none(ENDPOINT_BOTH, 11)
        && TEST_mem_eq(exts.meths, 5 * sizeof(*meths), meths, 5 * sizeof(*meths))
        && TEST_size_t_eq(exts.meths_count, 5);
    OPENSSL_free(meths);
    return ok;
}

int setup_tests(void)
{
    add_test("the type is found with its place", place);
    add_test("no place has to be asked for", no_place);
    add_test("another type is not found", other);
    add_test("an empty list has none", empty);
    add_test("a role finds its own", own);
    add_test("a role finds one for both", for_both);
    add_test("both finds any role", either);
    add_test("a type over 16 bits is not found", too_large);
    add_test("the list stays", list_stays);
    return 1;
}
