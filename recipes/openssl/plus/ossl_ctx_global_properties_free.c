/*---
 * tasks: [77A8F931A0C1CD5C]
 * tests:
 *   properties without a list are freed:
 *     'context.c: context_deinit_objs frees what ossl_ctx_global_properties_new made, in which there is no list at
 *     first.'
 *   the list is freed: 'evp_fetch.c: evp_set_parsed_default_properties gives the list to the global properties.'
 *   a library context with default properties leaks nothing:
 *     'Docstring: "Global properties are stored per library context"; OSSL_LIB_CTX_free(3).'
 *   a library context without leaks nothing: 'OSSL_LIB_CTX_free(3).'
 *   other contexts keep theirs: 'Docstring: "Global properties are stored per library context".'
 *   nothing is freed twice: 'context.c: context_deinit_objs calls it once for each context.'
 ---*/
#include "../../crypto/property/property.c"
#include "../testutil.h"
#include "memory_count.h"

/* Is all freed again that `round` takes, and nothing twice? What is made once is there after a first round. */
static int balanced(int (*round)(void))
{
    long before;

    if (!round())
        return 0;
    before = memory_blocks;
    return round() && TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
}

static int without_list_round(void)
{
    void *properties = ossl_ctx_global_properties_new(NULL);

    if (!TEST_ptr(properties))
        return 0;
    ossl_ctx_global_properties_free(properties);
    return 1;
}

static int with_list_round(void)
{
    OSSL_GLOBAL_PROPERTIES *properties = ossl_ctx_global_properties_new(NULL);

    if (!TEST_ptr(properties) || !TEST_ptr(properties->list = ossl_parse_query(NULL, "fips=no,?version=3", 1)))
        return 0;
    ossl_ctx_global_properties_free(properties);
    return 1;
}

static int context_with_round(void)
{
    OSSL_LIB_CTX *ctx = OSSL_LIB_CTX_new();
    int ok = TEST_ptr(ctx) && TEST_true(EVP_set_default_properties(ctx, "fips=no,?version=3"));

    OSSL_LIB_CTX_free(ctx);
    return ok;
}

static int context_without_round(void)
{
    OSSL_LIB_CTX *ctx = OSSL_LIB_CTX_new();

    OSSL_LIB_CTX_free(ctx);
    return TEST_ptr(ctx);
}

static int without_list(void)
{
    return balanced(without_list_round);
}

static int with_list(void)
{
    return balanced(with_list_round);
}

static int context_with(void)
{
    return balanced(context_with_round);
}

static int context_without(void)
{
    return balanced(context_without_round);
}

static int others_keep(void)
{
    OSSL_LIB_CTX *kept = OSSL_LIB_CTX_new(), *freed = OSSL_LIB_CTX_new();
    int ok = TEST_true(EVP_set_default_properties(kept, "fips=yes"))
        && TEST_true(EVP_set_default_properties(freed, "fips=yes"));

    OSSL_LIB_CTX_free(freed);
    ok = ok && TEST_true(EVP_default_properties_is_fips_enabled(kept));
    OSSL_LIB_CTX_free(kept);
    return ok;
}

static int never_twice(void)
{
    return with_list_round() && context_with_round() && TEST_long_eq(memory_bad_frees, 0);
}

int setup_tests(void)
{
    add_test("properties without a list are freed", without_list);
    add_test("the list is freed", with_list);
    add_test("a library context with default properties leaks nothing", context_with);
    add_test("a library context without leaks nothing", context_without);
    add_test("other contexts keep theirs", others_keep);
    add_test("nothing is freed twice", never_twice);
    return 1;
}
