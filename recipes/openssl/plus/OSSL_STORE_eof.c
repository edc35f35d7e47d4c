/*---
 * tasks: [08A6FA08CFC72ED6]
 * tests:
 *   a loader of a provider is asked for the end: 'provider-storemgmt(7): OSSL_FUNC_store_eof() "indicates if the end
 *     of the set of objects ... has been reached".'
 *   whatever such a loader says is 0 or 1: 'Docstring: "Returns 1 on end, 0 otherwise".'
 *   a legacy loader is asked for the end: 'OSSL_STORE_LOADER(3): OSSL_STORE_eof_fn.'
 *   whatever a legacy loader says is 0 or 1: 'Docstring.'
 *   an error is not the end: 'Docstring: "end of data"; OSSL_STORE_error(3) is apart.'
 *   each store has its own end: 'OSSL_STORE_eof(3): ctx; the loader is given its own context.'
 *   asking twice gives the same: 'Docstring: it checks.'
 *   objects of a provider come before the end: 'Caller OSSL_STORE_load stops at the end.'
 *   objects of a legacy loader come before the end: 'The same.'
 *   a file ends after its objects: 'OSSL_STORE_eof(3); ossl-guide: load until the end.'
 ---*/
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/core_dispatch.h>
#include <openssl/core_object.h>
#include <openssl/core_names.h>
#include <openssl/provider.h>
#include <openssl/store.h>
#include "testutil.h"

/* A store of so many names, for both kinds of loaders. */
struct ossl_store_loader_ctx_st {
    int left, end_value, more_value, failed;
};

typedef struct ossl_store_loader_ctx_st STORE;

static int end_value = 1, more_value, names = 2;

static STORE *store_new(void)
{
    STORE *store = OPENSSL_zalloc(sizeof(*store));

    if (store != NULL) {
        store->left = names;
        store->end_value = end_value;
        store->more_value = more_value;
    }
    return store;
}

static void *p_open(void *provctx, const char *uri)
{
    return store_new();
}

static int p_load(void *vstore, OSSL_CALLBACK *object_cb, void *object_cbarg, OSSL_PASSPHRASE_CALLBACK *pw_cb,
                  void *pw_cbarg)
{
    STORE *store = vstore;
    int type = OSSL_OBJECT_NAME;
    char name[] = "own:name";
    OSSL_PARAM params[] = {
        OSSL_PARAM_int(OSSL_OBJECT_PARAM_TYPE, &type),
        OSSL_PARAM_utf8_string(OSSL_OBJECT_PARAM_DATA, name, sizeof(name) - 1),
        OSSL_PARAM_END
    };

    store->left--;
    return object_cb(params, object_cbarg);
}

static int p_eof(void *vstore)
{
    STORE *store = vstore;

    return store->left <= 0 ? store->end_value : store->more_value;
}

static int p_close(void *vstore)
{
    OPENSSL_free(vstore);
    return 1;
}

static const OSSL_DISPATCH loader_functions[] = {
    { OSSL_FUNC_STORE_OPEN, (void (*)(void))p_open },
    { OSSL_FUNC_STORE_LOAD, (void (*)(void))p_load },
    { OSSL_FUNC_STORE_EOF, (void (*)(void))p_eof },
    { OSSL_FUNC_STORE_CLOSE, (void (*)(void))p_close },
    OSSL_DISPATCH_END
};

static const OSSL_ALGORITHM loaders[] = {
    { "own", "provider=own", loader_functions },
    { NULL, NULL, NULL }
};

static const OSSL_ALGORITHM *query(void *provctx, int operation, int *no_cache)
{
    return operation == OSSL_OP_STORE ? loaders : NULL;
}

static const OSSL_DISPATCH functions[] = {
    { OSSL_FUNC_PROVIDER_QUERY_OPERATION, (void (*)(void))query },
    OSSL_DISPATCH_END
};

static int init(const OSSL_CORE_HANDLE *handle, const OSSL_DISPATCH *in, const OSSL_DISPATCH **out, void **provctx)
{
    *out = functions;
    return 1;
}

static OSSL_STORE_LOADER_CTX *l_open(const OSSL_STORE_LOADER *loader, const char *uri, const UI_METHOD *ui_method,
                                     void *ui_data)
{
    return store_new();
}

static OSSL_STORE_INFO *l_load(OSSL_STORE_LOADER_CTX *store, const UI_METHOD *ui_method, void *ui_data)
{
    store->left--;
    return OSSL_STORE_INFO_new_NAME(OPENSSL_strdup("legacy:name"));
}

static int l_eof(OSSL_STORE_LOADER_CTX *store)
{
    return p_eof(store);
}

static int failing;

static int l_error(OSSL_STORE_LOADER_CTX *store)
{
    return failing;
}

static int l_close(OSSL_STORE_LOADER_CTX *store)
{
    return p_close(store);
}

static OSSL_LIB_CTX *ctx;

static OSSL_STORE_CTX *open_store(const char *uri, int how_many)
{
    names = how_many;
    return OSSL_STORE_open_ex(uri, ctx, NULL, NULL, NULL, NULL, NULL, NULL);
}

static int ends(const char *uri, int how_many, int expected)
{
    OSSL_STORE_CTX *store = open_store(uri, how_many);
    int ok = TEST_ptr(store) && TEST_int_eq(OSSL_STORE_eof(store), expected);

    OSSL_STORE_close(store);
    return ok;
}

static int asked(void)
{
    return ends("own://x", 0, 1) && ends("own://x", 1, 0);
}

static int legacy_asked(void)
{
    return ends("legacy://x", 0, 1) && ends("legacy://x", 1, 0);
}

static int zero_or_one(const char *uri)
{
    static const int values[] = { 1, 2, -1, 256, 1 << 30 };
    int ok = 1;
    size_t i;

    for (i = 0; ok && i < OSSL_NELEM(values); i++) {
        end_value = values[i];
        ok = ends(uri, 0, 1) && ends(uri, 1, 0);
    }
    end_value = 1;
    return ok;
}

static int any_value(void)
{
    return zero_or_one("own://x");
}

static int legacy_any_value(void)
{
    return zero_or_one("legacy://x");
}

static int error(void)
{
    int ok;

    failing = 1;
    ok = ends("legacy://x", 1, 0);
    failing = 0;
    return ok && ends("legacy://x", 0, 1);
}

static int own_end(void)
{
    OSSL_STORE_CTX *full = open_store("own://x", 3), *empty = open_store("own://x", 0);
    OSSL_STORE_CTX *old_full = open_store("legacy://x", 3), *old_empty = open_store("legacy://x", 0);
    int ok = TEST_ptr(full) && TEST_ptr(empty) && TEST_ptr(old_full) && TEST_ptr(old_empty)
        && TEST_int_eq(OSSL_STORE_eof(full), 0) && TEST_int_eq(OSSL_STORE_eof(empty), 1)
        && TEST_int_eq(OSSL_STORE_eof(old_full), 0) && TEST_int_eq(OSSL_STORE_eof(old_empty), 1)
        && TEST_int_eq(OSSL_STORE_eof(full), 0);

    OSSL_STORE_close(full);
    OSSL_STORE_close(empty);
    OSSL_STORE_close(old_full);
    OSSL_STORE_close(old_empty);
    return ok;
}

static int twice(void)
{
    OSSL_STORE_CTX *full = open_store("own://x", 1), *old_empty = open_store("legacy://x", 0);
    int ok = TEST_ptr(full) && TEST_ptr(old_empty)
        && TEST_int_eq(OSSL_STORE_eof(full), 0) && TEST_int_eq(OSSL_STORE_eof(full), 0)
        && TEST_int_eq(OSSL_STORE_eof(old_empty), 1) && TEST_int_eq(OSSL_STORE_eof(old_empty), 1);

    OSSL_STORE_close(full);
    OSSL_STORE_close(old_empty);
    return ok;
}

static int objects(const char *uri, const char *name)
{
    OSSL_STORE_CTX *store = open_store(uri, 3);
    OSSL_STORE_INFO *info;
    int i, ok = TEST_ptr(store);

    for (i = 0; ok && i < 3; i++) {
        ok = TEST_int_eq(OSSL_STORE_eof(store), 0)
            && TEST_ptr(info = OSSL_STORE_load(store))
            && TEST_str_eq(OSSL_STORE_INFO_get0_NAME(info), name);
        OSSL_STORE_INFO_free(ok ? info : NULL);
    }
    ok = ok && TEST_int_eq(OSSL_STORE_eof(store), 1) && TEST_ptr_null(OSSL_STORE_load(store));
    OSSL_STORE_close(store);
    return ok;
}

static int provided_objects(void)
{
    return objects("own://x", "own:name");
}

static int legacy_objects(void)
{
    return objects("legacy://x", "legacy:name");
}

static int file(void)
{
    OSSL_STORE_CTX *store = OSSL_STORE_open("test/testx509.pem", NULL, NULL, NULL, NULL);
    OSSL_STORE_INFO *info = NULL;
    int found = 0, ok = TEST_ptr(store) && TEST_int_eq(OSSL_STORE_eof(store), 0);

    while (ok && !OSSL_STORE_eof(store) && found < 10) {
        if ((info = OSSL_STORE_load(store)) != NULL)
            found++;
        OSSL_STORE_INFO_free(info);
    }
    ok = ok && TEST_int_eq(found, 1) && TEST_int_eq(OSSL_STORE_eof(store), 1);
    OSSL_STORE_close(store);
    return ok;
}

int setup_tests(void)
{
    OSSL_STORE_LOADER *legacy;

    if (!TEST_ptr(ctx = OSSL_LIB_CTX_new())
        || !TEST_true(OSSL_PROVIDER_add_builtin(ctx, "own", init))
        || !TEST_ptr(OSSL_PROVIDER_load(ctx, "own"))
        || !TEST_ptr(legacy = OSSL_STORE_LOADER_new(NULL, "legacy"))
        || !TEST_true(OSSL_STORE_LOADER_set_open(legacy, l_open))
        || !TEST_true(OSSL_STORE_LOADER_set_load(legacy, l_load))
        || !TEST_true(OSSL_STORE_LOADER_set_eof(legacy, l_eof))
        || !TEST_true(OSSL_STORE_LOADER_set_error(legacy, l_error))
        || !TEST_true(OSSL_STORE_LOADER_set_close(legacy, l_close))
        || !TEST_true(OSSL_STORE_register_loader(legacy)))
        return 0;
    add_test("a loader of a provider is asked for the end", asked);
    add_test("whatever such a loader says is 0 or 1", any_value);
    add_test("a legacy loader is asked for the end", legacy_asked);
    add_test("whatever a legacy loader says is 0 or 1", legacy_any_value);
    add_test("an error is not the end", error);
    add_test("each store has its own end", own_end);
    add_test("asking twice gives the same", twice);
    add_test("objects of a provider come before the end", provided_objects);
    add_test("objects of a legacy loader come before the end", legacy_objects);
    add_test("a file ends after its objects", file);
    return 1;
}

void cleanup_tests(void)
{
    OSSL_STORE_LOADER_free(OSSL_STORE_unregister_loader("legacy"));
    OSSL_LIB_CTX_free(ctx);
}
