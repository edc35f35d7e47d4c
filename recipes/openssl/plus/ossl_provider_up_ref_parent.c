/*---
 * tasks: [95D36DAC386C30F9]
 * tests:
 *   a child of another provider counts on its parent: 'Docstring: "For child providers in other providers, the
 *     reference count is done".'
 *   the wish to activate is passed on: 'Parameter activate; provider-base(7): provider_up_ref() "activate".'
 *   a refusal by the parent is a failure: 'Callers ossl_provider_up_ref, provider_activate: they fail on 0.'
 *   each child counts on its own parent: 'Docstring: "the parent of the child provider".'
 *   a self-referencing child does nothing and succeeds: 'Docstring: "do nothing in self-referencing child providers";
 *     callers fail on 0.'
 *   who was created last does not matter: 'Docstring: "the same as the provider where this child provider was
 *     created".'
 *   two contexts do not mix: 'Docstring: "the provider where this child provider was created".'
 *   a reference to a child is one to its parent: 'Caller ossl_provider_up_ref.'
 ---*/
#include <openssl/core_dispatch.h>
#include <openssl/provider.h>
#include "internal/provider.h"
#include "testutil.h"

/*
 * The core of a parent context, as it shows itself to a provider that makes a child context: four providers, of which
 * the first or the last owns the child context. It writes down each call for a reference.
 */
static char providers[4];
static const char *names[] = { "owner", "second", "third", "other owner" };
static int calls, last_activate, answer = 1;
static const void *last_handle;

static OPENSSL_CORE_CTX *get_libctx(const OSSL_CORE_HANDLE *handle)
{
    return NULL;
}

static int register_child_cb(const OSSL_CORE_HANDLE *handle, int (*create)(const OSSL_CORE_HANDLE *, void *),
                             int (*remove)(const OSSL_CORE_HANDLE *, void *), int (*props)(const char *, void *),
                             void *cbdata)
{
    size_t i;

    for (i = 0; i < OSSL_NELEM(providers); i++)
        if (!create((const OSSL_CORE_HANDLE *)&providers[i], cbdata))
            return 0;
    return 1;
}

static void deregister_child_cb(const OSSL_CORE_HANDLE *handle)
{
}

static const char *provider_name(const OSSL_CORE_HANDLE *handle)
{
    return names[(const char *)handle - providers];
}

static void *provider_ctx(const OSSL_CORE_HANDLE *handle)
{
    return NULL;
}

static const OSSL_DISPATCH *provider_dispatch(const OSSL_CORE_HANDLE *handle)
{
    static const OSSL_DISPATCH none[] = { OSSL_DISPATCH_END };

    return none;
}

static int up_ref(const OSSL_CORE_HANDLE *handle, int activate)
{
    calls++;
    last_handle = handle;
    last_activate = activate;
    return answer;
}

static int free_ref(const OSSL_CORE_HANDLE *handle, int deactivate)
{
    return 1;
}

static const OSSL_DISPATCH core[] = {
    { OSSL_FUNC_CORE_GET_LIBCTX, (void (*)(void))get_libctx },
    { OSSL_FUNC_PROVIDER_REGISTER_CHILD_CB, (void (*)(void))register_child_cb },
    { OSSL_FUNC_PROVIDER_DEREGISTER_CHILD_CB, (void (*)(void))deregister_child_cb },
    { OSSL_FUNC_PROVIDER_NAME, (void (*)(void))provider_name },
    { OSSL_FUNC_PROVIDER_GET0_PROVIDER_CTX, (void (*)(void))provider_ctx },
    { OSSL_FUNC_PROVIDER_GET0_DISPATCH, (void (*)(void))provider_dispatch },
    { OSSL_FUNC_PROVIDER_UP_REF, (void (*)(void))up_ref },
    { OSSL_FUNC_PROVIDER_FREE, (void (*)(void))free_ref },
    OSSL_DISPATCH_END
};

static OSSL_LIB_CTX *context, *other;

static OSSL_LIB_CTX *child_context(size_t owner)
{
    OSSL_LIB_CTX *ctx = OSSL_LIB_CTX_new();

    return TEST_ptr(ctx)
        && TEST_true(ossl_provider_init_as_child(ctx, (const OSSL_CORE_HANDLE *)&providers[owner], core))
        ? ctx : NULL;
}

static OSSL_PROVIDER *child(OSSL_LIB_CTX *ctx, size_t i)
{
    OSSL_PROVIDER *prov;

    answer = 1;
    prov = ossl_provider_find(ctx, names[i], 1);
    calls = 0;
    last_handle = NULL;
    last_activate = -1;
    return prov;
}

static int counts_on(OSSL_LIB_CTX *ctx, size_t i, int activate)
{
    OSSL_PROVIDER *prov = child(ctx, i);
    int ok = TEST_ptr(prov)
        && TEST_true(ossl_provider_up_ref_parent(prov, activate))
        && TEST_int_eq(calls, 1)
        && TEST_ptr_eq(last_handle, &providers[i])
        && TEST_int_eq(last_activate, activate);

    ossl_provider_free(prov);
    return ok;
}

static int does_nothing(OSSL_LIB_CTX *ctx, size_t i)
{
    OSSL_PROVIDER *prov = child(ctx, i);
    int ok;

    answer = 0;
    ok = TEST_ptr(prov)
        && TEST_int_eq(ossl_provider_up_ref_parent(prov, 0), 1)
        && TEST_int_eq(ossl_provider_up_ref_parent(prov, 1), 1)
        && TEST_int_eq(calls, 0);
    answer = 1;
    ossl_provider_free(prov);
    return ok;
}

static int counts(void)
{
    return counts_on(context, 1, 0);
}

static int activates(void)
{
    return counts_on(context, 1, 1) && counts_on(context, 1, 0);
}

static int refused(void)
{
    OSSL_PROVIDER *prov = child(context, 2);
    int ok = TEST_ptr(prov);

    answer = 0;
    ok = ok && TEST_int_eq(ossl_provider_up_ref_parent(prov, 0), 0)
        && TEST_int_eq(ossl_provider_up_ref_parent(prov, 1), 0)
        && TEST_int_eq(calls, 2);
    answer = 1;
    ossl_provider_free(prov);
    return ok;
}

static int each_its_own(void)
{
    return counts_on(context, 1, 0) && counts_on(context, 2, 0) && counts_on(context, 3, 0);
}

static int self(void)
{
    return does_nothing(context, 0);
}

static int created_last(void)
{
    return counts_on(context, 3, 1) && does_nothing(context, 0);
}

static int two_contexts(void)
{
    return does_nothing(other, 3) && counts_on(other, 0, 0) && counts_on(context, 3, 0) && does_nothing(context, 0);
}

static int reference(void)
{
    OSSL_PROVIDER *prov = child(context, 1), *own = NULL;
    int ok = TEST_ptr(prov) && TEST_true(ossl_provider_up_ref(prov))
        && TEST_int_eq(calls, 1)
        && TEST_ptr_eq(last_handle, &providers[1])
        && TEST_int_eq(last_activate, 0);

    ossl_provider_free(prov);
    ossl_provider_free(prov);
    ok = ok && TEST_ptr(own = child(context, 0)) && TEST_true(ossl_provider_up_ref(own)) && TEST_int_eq(calls, 0);
    ossl_provider_free(own);
    ossl_provider_free(own);
    return ok;
}

int setup_tests(void)
{
    if ((context = child_context(0)) == NULL || (other = child_context(3)) == NULL)
        return 0;
    add_test("a child of another provider counts on its parent", counts);
    add_test("the wish to activate is passed on", activates);
    add_test("a refusal by the parent is a failure", refused);
    add_test("each child counts on its own parent", each_its_own);
    add_test("a self-referencing child does nothing and succeeds", self);
    add_test("who was created last does not matter", created_last);
    add_test("two contexts do not mix", two_contexts);
    add_test("a reference to a child is one to its parent", reference);
    return 1;
}

void cleanup_tests(void)
{
    OSSL_LIB_CTX_free(context);
    OSSL_LIB_CTX_free(other);
}
