/*---
 * tasks: [218D0EC0FABB76A1]
 * tests:
 *   a configuration is left alone unless asked for:
 *     'evp_fetch.c: evp_set_default_properties_int passes loadconfig 0 while the configuration is being read.'
 *   a configuration is loaded when asked for:
 *     'evp_fetch.c: EVP_default_properties_is_fips_enabled asks for it; config(5): default_properties.'
 *   NULL is the default context: 'EVP_set_default_properties(3): "NULL signifies the default library context".'
 *   a fresh context has no properties:
 *     'property.c: ossl_ctx_global_properties_new; the callers read *plp for the list.'
 *   the list that was set comes out:
 *     'Docstring: "Get the global properties associate with the specified library context".'
 *   what is set through the pointer stays: 'evp_fetch.c: evp_set_parsed_default_properties frees and replaces *plp.'
 *   each context has its own: 'property.c: "Global properties are stored per library context".'
 *   each call gives the same place: 'property.c: they are stored in the library context.'
 *   loading the configuration gives the same place: 'evp_fetch.c passes 0 and 1 for the same properties.'
 ---*/
#include "../../crypto/property/property.c"
#include "../testutil.h"

/* Beside this program; no configuration is loaded before the first test. */
#define CONFIGURATION "test/plus/ossl_ctx_global_properties.cnf"

static int config_left(void)
{
    OSSL_PROPERTY_LIST **list = ossl_ctx_global_properties(NULL, 0);

    return TEST_ptr(list) && TEST_ptr_null(*list);
}

static int config_loaded(void)
{
    OSSL_PROPERTY_LIST **list = ossl_ctx_global_properties(NULL, 1);
    char text[40] = "";

    return TEST_ptr(list) && TEST_ptr(*list)
        && TEST_size_t_gt(ossl_property_list_to_string(NULL, *list, text, sizeof(text)), 0)
        && TEST_str_eq(text, "?fips=no");
}

static int default_context(void)
{
    OSSL_PROPERTY_LIST **list = ossl_ctx_global_properties(NULL, 0);

    return TEST_ptr(list)
        && TEST_ptr_eq(list, ossl_ctx_global_properties(OSSL_LIB_CTX_get0_global_default(), 0));
}

static int fresh(void)
{
    OSSL_LIB_CTX *ctx = OSSL_LIB_CTX_new();
    OSSL_PROPERTY_LIST **list = ossl_ctx_global_properties(ctx, 0);
    int ok = TEST_ptr(list) && TEST_ptr_null(*list);

    OSSL_LIB_CTX_free(ctx);
    return ok;
}

static int comes_out(void)
{
    OSSL_LIB_CTX *ctx = OSSL_LIB_CTX_new();
    OSSL_PROPERTY_LIST **list;
    char text[40] = "";
    int ok = TEST_true(EVP_set_default_properties(ctx, "version=3"))
        && TEST_ptr(list = ossl_ctx_global_properties(ctx, 0)) && TEST_ptr(*list)
        && TEST_size_t_gt(ossl_property_list_to_string(ctx, *list, text, sizeof(text)), 0)
        && TEST_str_eq(text, "version=3");

    OSSL_LIB_CTX_free(ctx);
    return ok;
}

static int stays(void)
{
    OSSL_LIB_CTX *ctx = OSSL_LIB_CTX_new();
    OSSL_PROPERTY_LIST **list = ossl_ctx_global_properties(ctx, 0);
    int ok = TEST_ptr(list) && TEST_ptr(*list = ossl_parse_query(ctx, "fips=yes", 1))
        && TEST_true(EVP_default_properties_is_fips_enabled(ctx))
        && TEST_ptr(ossl_ctx_global_properties(ctx, 0)) && TEST_ptr(*ossl_ctx_global_properties(ctx, 0));

    OSSL_LIB_CTX_free(ctx);
    return ok;
}

static int own(void)
{
    OSSL_LIB_CTX *one = OSSL_LIB_CTX_new(), *two = OSSL_LIB_CTX_new();
    OSSL_PROPERTY_LIST **list = ossl_ctx_global_properties(one, 0);
    int ok = TEST_true(EVP_set_default_properties(one, "fips=yes"))
        && TEST_ptr(list) && TEST_ptr(*list)
        && TEST_ptr_ne(list, ossl_ctx_global_properties(two, 0))
        && TEST_ptr_ne(list, ossl_ctx_global_properties(NULL, 0))
        && TEST_ptr_null(*ossl_ctx_global_properties(two, 0))
        && TEST_false(EVP_default_properties_is_fips_enabled(two));

    OSSL_LIB_CTX_free(one);
    OSSL_LIB_CTX_free(two);
    return ok;
}

static int same_place(void)
{
    OSSL_LIB_CTX *ctx = OSSL_LIB_CTX_new();
    OSSL_PROPERTY_LIST **list = ossl_ctx_global_properties(ctx, 0);
    int ok = TEST_ptr(list) && TEST_ptr_eq(ossl_ctx_global_properties(ctx, 0), list)
        && TEST_true(EVP_set_default_properties(ctx, "version=3"))
        && TEST_ptr_eq(ossl_ctx_global_properties(ctx, 0), list);

    OSSL_LIB_CTX_free(ctx);
    return ok;
}

static int same_with_config(void)
{
    OSSL_LIB_CTX *ctx = OSSL_LIB_CTX_new();
    OSSL_PROPERTY_LIST **list = ossl_ctx_global_properties(ctx, 1);
    int ok = TEST_ptr(list) && TEST_ptr_null(*list) && TEST_ptr_eq(ossl_ctx_global_properties(ctx, 0), list)
        && TEST_ptr_eq(ossl_ctx_global_properties(NULL, 1), ossl_ctx_global_properties(NULL, 0));

    OSSL_LIB_CTX_free(ctx);
    return ok;
}

int setup_tests(void)
{
    FILE *file = fopen(CONFIGURATION, "w");

    if (!TEST_ptr(file))
        return 0;
    fputs("openssl_conf = init\n[init]\nalg_section = alg\n[alg]\ndefault_properties = ?fips=no\n", file);
    if (!TEST_int_eq(fclose(file), 0) || !TEST_int_eq(setenv("OPENSSL_CONF", CONFIGURATION, 1), 0))
        return 0;
    add_test("a configuration is left alone unless asked for", config_left);
    add_test("a configuration is loaded when asked for", config_loaded);
    add_test("NULL is the default context", default_context);
    add_test("a fresh context has no properties", fresh);
    add_test("the list that was set comes out", comes_out);
    add_test("what is set through the pointer stays", stays);
    add_test("each context has its own", own);
    add_test("each call gives the same place", same_place);
    add_test("loading the configuration gives the same place", same_with_config);
    return 1;
}

void cleanup_tests(void)
{
    remove(CONFIGURATION);
}
