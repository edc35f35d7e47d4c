/*---
 * tasks: [9D43EF18D6478D03]
 * tests:
 *   the loader is of the provider given: 'OSSL_STORE_LOADER_get0_provider(3).'
 *   nothing else is set: 'Callers loader_from_algorithm and OSSL_STORE_open_ex take NULL for a function that the
 *     provider does not offer.'
 *   freeing it once frees it: 'OSSL_STORE_LOADER_free(3): the count starts at one.'
 *   it lives as long as the last reference: 'OSSL_STORE_LOADER_up_ref(3).'
 *   the provider lives as long as the loader: 'OSSL_STORE_LOADER_free drops a reference to the provider.'
 *   each loader has its own reference to the provider: 'The same.'
 *   loaders do not depend on each other: 'Docstring: an allocator.'
 *   without memory there is no loader and nothing is leaked: 'Caller loader_from_algorithm returns NULL.'
 *   a loader that is fetched has a provider: 'OSSL_STORE_LOADER_fetch(3).'
 ---*/
#include "memory_count.h"
#include "../../crypto/store/store_meth.c"
#include <openssl/store.h>
#include "testutil.h"

static int teardowns;

static void teardown(void *provctx)
{
    teardowns++;
}

static const OSSL_DISPATCH functions[] = {
    { OSSL_FUNC_PROVIDER_TEARDOWN, (void (*)(void))teardown },
    OSSL_DISPATCH_END
};

static int init(const OSSL_CORE_HANDLE *handle, const OSSL_DISPATCH *in, const OSSL_DISPATCH **out, void **provctx)
{
    *out = functions;
    return 1;
}

static OSSL_LIB_CTX *ctx;

/* A provider with one reference, which nobody else knows. */
static OSSL_PROVIDER *provider(void)
{
    OSSL_PROVIDER *prov = ossl_provider_new(ctx, "own", init, NULL, 1);

    teardowns = 0;
    memory_bad_frees = 0;
    return TEST_ptr(prov) && TEST_true(ossl_provider_activate(prov, 1, 0)) ? prov : NULL;
}

static void drop(OSSL_PROVIDER *prov)
{
    ossl_provider_deactivate(prov, 1);
    ossl_provider_free(prov);
}

static int given(void)
{
    OSSL_PROVIDER *prov = provider(), *second = provider();
    OSSL_STORE_LOADER *loader = new_loader(prov), *other = new_loader(second);
    int ok = TEST_ptr(loader) && TEST_ptr(other)
        && TEST_ptr_eq(OSSL_STORE_LOADER_get0_provider(loader), prov)
        && TEST_ptr_eq(OSSL_STORE_LOADER_get0_provider(other), second);

    OSSL_STORE_LOADER_free(loader);
    OSSL_STORE_LOADER_free(other);
    drop(prov);
    drop(second);
    return ok;
}

static int nothing_else(void)
{
    OSSL_PROVIDER *prov = provider();
    OSSL_STORE_LOADER *loader = new_loader(prov);
    int ok = TEST_ptr(loader)
        && TEST_true(loader->p_open == NULL) && TEST_true(loader->p_attach == NULL)
        && TEST_true(loader->p_settable_ctx_params == NULL) && TEST_true(loader->p_set_ctx_params == NULL)
        && TEST_true(loader->p_load == NULL) && TEST_true(loader->p_eof == NULL)
        && TEST_true(loader->p_close == NULL) && TEST_true(loader->p_export_object == NULL)
        && TEST_true(loader->p_delete == NULL) && TEST_true(loader->p_open_ex == NULL)
        && TEST_ptr_null(loader->propdef) && TEST_ptr_null(loader->description)
        && TEST_int_eq(loader->scheme_id, 0)
#ifndef OPENSSL_NO_DEPRECATED_3_0
        && TEST_ptr_null(loader->scheme) && TEST_ptr_null(loader->engine)
        && TEST_true(loader->open == NULL) && TEST_true(loader->open_ex == NULL)
        && TEST_true(loader->attach == NULL) && TEST_true(loader->ctrl == NULL)
        && TEST_true(loader->expect == NULL) && TEST_true(loader->find == NULL)
        && TEST_true(loader->load == NULL) && TEST_true(loader->eof == NULL)
        && TEST_true(loader->error == NULL) && TEST_true(loader->closefn == NULL)
#endif
        ;

    OSSL_STORE_LOADER_free(loader);
    drop(prov);
    return ok;
}

static int freed_once(void)
{
    OSSL_PROVIDER *prov = provider();
    long before = memory_blocks;
    OSSL_STORE_LOADER *loader = new_loader(prov);
    int ok = TEST_ptr(loader);

    OSSL_STORE_LOADER_free(loader);
    ok = ok && TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
    drop(prov);
    return ok && TEST_int_eq(teardowns, 1);
}

static int last_reference(void)
{
    OSSL_PROVIDER *prov = provider();
    long before = memory_blocks;
    OSSL_STORE_LOADER *loader = new_loader(prov);
    int ok = TEST_ptr(loader) && TEST_true(OSSL_STORE_LOADER_up_ref(loader));

    OSSL_STORE_LOADER_free(loader);
    ok = ok && TEST_long_gt(memory_blocks, before)
        && TEST_ptr_eq(OSSL_STORE_LOADER_get0_provider(loader), prov);
    OSSL_STORE_LOADER_free(loader);
    ok = ok && TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
    drop(prov);
    return ok;
}

static int provider_lives(void)
{
    OSSL_PROVIDER *prov = provider();
    OSSL_STORE_LOADER *loader = new_loader(prov);
    int ok = TEST_ptr(loader);

    drop(prov);
    ok = ok && TEST_int_eq(teardowns, 0)
        && TEST_str_eq(OSSL_PROVIDER_get0_name(OSSL_STORE_LOADER_get0_provider(loader)), "own");
    OSSL_STORE_LOADER_free(loader);
    return ok && TEST_int_eq(teardowns, 1) && TEST_long_eq(memory_bad_frees, 0);
}

static int own_reference(void)
{
    OSSL_PROVIDER *prov = provider();
    OSSL_STORE_LOADER *one = new_loader(prov), *two = new_loader(prov);
    int ok = TEST_ptr(one) && TEST_ptr(two);

    drop(prov);
    OSSL_STORE_LOADER_free(one);
    ok = ok && TEST_int_eq(teardowns, 0);
    OSSL_STORE_LOADER_free(two);
    return ok && TEST_int_eq(teardowns, 1) && TEST_long_eq(memory_bad_frees, 0);
}

static int independent(void)
{
    OSSL_PROVIDER *prov = provider();
    OSSL_STORE_LOADER *one = new_loader(prov), *two = new_loader(prov);
    int ok = TEST_ptr(one) && TEST_ptr(two) && TEST_ptr_ne(one, two);

    one->scheme_id = 5;
    ok = ok && TEST_int_eq(two->scheme_id, 0);
    OSSL_STORE_LOADER_free(one);
    ok = ok && TEST_ptr_eq(OSSL_STORE_LOADER_get0_provider(two), prov);
    OSSL_STORE_LOADER_free(two);
    drop(prov);
    return ok;
}

static int no_memory(void)
{
    OSSL_PROVIDER *prov = provider();
    OSSL_STORE_LOADER *loader;
    long before = memory_blocks;

    memory_left = 0;
    loader = new_loader(prov);
    memory_left = -1;
    if (!TEST_ptr_null(loader) || !TEST_long_eq(memory_blocks, before))
        return 0;
    drop(prov);
    return TEST_int_eq(teardowns, 1);
}

static int fetched(void)
{
    OSSL_STORE_LOADER *loader = OSSL_STORE_LOADER_fetch(NULL, "file", NULL);
    int ok = TEST_ptr(loader)
        && TEST_ptr(OSSL_STORE_LOADER_get0_provider(loader))
        && TEST_str_eq(OSSL_PROVIDER_get0_name(OSSL_STORE_LOADER_get0_provider(loader)), "default")
        && TEST_true(OSSL_STORE_LOADER_is_a(loader, "file"));

    OSSL_STORE_LOADER_free(loader);
    return ok;
}

int setup_tests(void)
{
    if (!TEST_ptr(ctx = OSSL_LIB_CTX_new()))
        return 0;
    add_test("the loader is of the provider given", given);
    add_test("nothing else is set", nothing_else);
    add_test("freeing it once frees it", freed_once);
    add_test("it lives as long as the last reference", last_reference);
    add_test("the provider lives as long as the loader", provider_lives);
    add_test("each loader has its own reference to the provider", own_reference);
    add_test("loaders do not depend on each other", independent);
    add_test("without memory there is no loader and nothing is leaked", no_memory);
    add_test("a loader that is fetched has a provider", fetched);
    return 1;
}

void cleanup_tests(void)
{
    OSSL_LIB_CTX_free(ctx);
}
