/*
 * A library context whose provider "partial" has the algorithms of the default provider, with the
 * property
 * provider=partial, but not those that plus_hidden names (part of the name) in the operation
 * plus_hidden_operation.
 */
#include <openssl/core_dispatch.h>
#include <openssl/provider.h>

OSSL_provider_init_fn ossl_default_provider_init;

static int plus_hidden_operation;
static const char *plus_hidden;
static OSSL_FUNC_provider_query_operation_fn *plus_query_all;

static const OSSL_ALGORITHM *plus_query(void *provider, int operation, int *no_cache)
{
    static OSSL_ALGORITHM some[32][300];
    const OSSL_ALGORITHM *all = plus_query_all(provider, operation, no_cache);
    OSSL_ALGORITHM *to;

    if (all == NULL || operation >= 32)
        return NULL;
    for (to = some[operation]; all->algorithm_names != NULL && to < some[operation] + 299; all++)
        if (operation != plus_hidden_operation || strstr(all->algorithm_names, plus_hidden) == NULL) {
            *to = *all;
            to++->property_definition = "provider=partial";
        }
    memset(to, 0, sizeof(*to));
    return some[operation];
}

static int plus_partial_init(const OSSL_CORE_HANDLE *handle, const OSSL_DISPATCH *in,
                           const OSSL_DISPATCH **out,
                           void **provider)
{
    static OSSL_DISPATCH functions[40];
    const OSSL_DISPATCH *from;
    int i = 0;

    if (!ossl_default_provider_init(handle, in, &from, provider))
        return 0;
    for (; from->function_id != 0 && i < 39; from++, i++) {
        functions[i] = *from;
        if (from->function_id == OSSL_FUNC_PROVIDER_QUERY_OPERATION) {
            plus_query_all = (OSSL_FUNC_provider_query_operation_fn *)from->function;
            functions[i].function = (void (*)(void))plus_query;
        }
    }
    functions[i].function_id = 0;
    *out = functions;
    return 1;
}

/* With `with_default` there is the default provider in it too. */
static OSSL_LIB_CTX *plus_partial_new(int operation, const char *hidden, int with_default)
{
    OSSL_LIB_CTX *libctx = OSSL_LIB_CTX_new();

    plus_hidden_operation = operation;
    plus_hidden = hidden;
    if (!OSSL_PROVIDER_add_builtin(libctx, "partial", plus_partial_init)
            || OSSL_PROVIDER_load(libctx, "partial") == NULL
            || (with_default && OSSL_PROVIDER_load(libctx, "default") == NULL))
        abort();
    return libctx;
}
