/*---
 * tasks: [769D23EEF3F25E42]
 * tests:
 *   what was never stored is not found: 'Caller ossl_method_store_add: on NULL it parses and stores.'
 *   what was stored is found: 'Docstring: "Property definition cache functions"; ossl_prop_defn_set: "Cache the
 *     property list for a given property string".'
 *   it is found each time: 'A cache; caller ossl_method_store_add for each implementation.'
 *   each string has its own list: 'ossl_prop_defn_set: "for a given property string".'
 *   the whole string counts: 'The same.'
 *   another string with the same characters finds it: 'The same: a string, not its address.'
 *   what was removed is not found: 'ossl_prop_defn_set with pl NULL deletes.'
 *   each library context has its own cache: 'Parameter ctx.'
 *   NULL is the default library context: 'OSSL_LIB_CTX(3): NULL is the default context.'
 *   it waits while another thread changes the cache: 'ossl_prop_defn_set holds the write lock of the context;
 *     OSSL_LIB_CTX may be used by threads (openssl-threads(7)).'
 *   the lock is given back: 'The same; include/internal/core.h: ossl_lib_ctx_unlock.'
 ---*/
#include <pthread.h>
#include <unistd.h>
#include <openssl/crypto.h>
#include <openssl/provider.h>
#include "internal/core.h"
#include "internal/property.h"
#include "../../crypto/property/property_local.h"
#include "testutil.h"

static OSSL_LIB_CTX *ctx, *other;

static OSSL_PROPERTY_LIST *store(OSSL_LIB_CTX *libctx, const char *prop)
{
    OSSL_PROPERTY_LIST *list = ossl_parse_property(libctx, prop);

    return TEST_ptr(list) && TEST_true(ossl_prop_defn_set(libctx, prop, &list)) ? list : NULL;
}

static int never(void)
{
    return TEST_ptr_null(ossl_prop_defn_get(ctx, "x.never=stored")) && TEST_ptr_null(ossl_prop_defn_get(ctx, ""));
}

static int stored(void)
{
    OSSL_PROPERTY_LIST *list = store(ctx, "x.stored=yes");

    return TEST_ptr(list) && TEST_ptr_eq(ossl_prop_defn_get(ctx, "x.stored=yes"), list);
}

static int each_time(void)
{
    OSSL_PROPERTY_LIST *list = store(ctx, "x.each=time");

    return TEST_ptr(list)
        && TEST_ptr_eq(ossl_prop_defn_get(ctx, "x.each=time"), list)
        && TEST_ptr_eq(ossl_prop_defn_get(ctx, "x.each=time"), list)
        && TEST_ptr_eq(ossl_prop_defn_get(ctx, "x.each=time"), list);
}

static int each_its_own(void)
{
    static const char *props[] = { "x.a=1", "x.a=2", "x.b=1", "x.a=1,x.b=1", "x.c", "provider=x", "" };
    OSSL_PROPERTY_LIST *lists[OSSL_NELEM(props)];
    size_t i, j;

    for (i = 0; i < OSSL_NELEM(props); i++)
        if (!TEST_ptr(lists[i] = store(ctx, props[i])))
            return 0;
    for (i = 0; i < OSSL_NELEM(props); i++) {
        if (!TEST_ptr_eq(ossl_prop_defn_get(ctx, props[i]), lists[i]))
            return 0;
        for (j = 0; j < i; j++)
            if (!TEST_ptr_ne(lists[i], lists[j]))
                return 0;
    }
    return 1;
}

static int whole(void)
{
    return TEST_ptr(store(ctx, "x.whole=string"))
        && TEST_ptr_null(ossl_prop_defn_get(ctx, "x.whole=strin"))
        && TEST_ptr_null(ossl_prop_defn_get(ctx, "x.whole=string2"))
        && TEST_ptr_null(ossl_prop_defn_get(ctx, "x.whole"));
}

static int same_characters(void)
{
    OSSL_PROPERTY_LIST *list = store(ctx, "x.same=characters");
    char copy[32];

    strcpy(copy, "x.same=");
    strcat(copy, "characters");
    return TEST_ptr(list) && TEST_ptr_eq(ossl_prop_defn_get(ctx, copy), list);
}

static int removed(void)
{
    OSSL_PROPERTY_LIST *list = store(ctx, "x.removed=yes"), *kept = store(ctx, "x.removed=no");
    int ok = TEST_ptr(list) && TEST_ptr(kept)
        && TEST_true(ossl_prop_defn_set(ctx, "x.removed=yes", NULL))
        && TEST_ptr_null(ossl_prop_defn_get(ctx, "x.removed=yes"))
        && TEST_ptr_eq(ossl_prop_defn_get(ctx, "x.removed=no"), kept);

    ossl_property_free(list);
    return ok;
}

static int contexts(void)
{
    OSSL_PROPERTY_LIST *here, *there;

    return TEST_ptr(here = store(ctx, "x.context=own"))
        && TEST_ptr_null(ossl_prop_defn_get(other, "x.context=own"))
        && TEST_ptr_null(ossl_prop_defn_get(NULL, "x.context=own"))
        && TEST_ptr(there = store(other, "x.context=own"))
        && TEST_ptr_ne(here, there)
        && TEST_ptr_eq(ossl_prop_defn_get(ctx, "x.context=own"), here)
        && TEST_ptr_eq(ossl_prop_defn_get(other, "x.context=own"), there);
}

static int default_context(void)
{
    OSSL_PROPERTY_LIST *list = store(NULL, "x.context=default");

    return TEST_ptr(list)
        && TEST_ptr_eq(ossl_prop_defn_get(NULL, "x.context=default"), list)
        && TEST_ptr_null(ossl_prop_defn_get(ctx, "x.context=default"));
}

static int done;
static OSSL_PROPERTY_LIST *found;

static void *search(void *arg)
{
    found = ossl_prop_defn_get(ctx, arg);
    __atomic_store_n(&done, 1, __ATOMIC_SEQ_CST);
    return NULL;
}

static int waits(void)
{
    OSSL_PROPERTY_LIST *list = store(ctx, "x.waits=yes");
    pthread_t thread;
    int early;

    done = 0;
    if (!TEST_ptr(list) || !TEST_true(ossl_lib_ctx_write_lock(ctx)))
        return 0;
    if (!TEST_int_eq(pthread_create(&thread, NULL, search, "x.waits=yes"), 0)) {
        ossl_lib_ctx_unlock(ctx);
        return 0;
    }
    /* Nobody gets past the lock, however long this takes. */
    usleep(100000);
    early = __atomic_load_n(&done, __ATOMIC_SEQ_CST);
    ossl_lib_ctx_unlock(ctx);
    pthread_join(thread, NULL);
    return TEST_int_eq(early, 0) && TEST_int_eq(done, 1) && TEST_ptr_eq(found, list);
}

static int given_back(void)
{
    return TEST_ptr(store(ctx, "x.back=1"))
        && TEST_ptr(ossl_prop_defn_get(ctx, "x.back=1"))
        && TEST_ptr_null(ossl_prop_defn_get(ctx, "x.back=none"))
        && TEST_true(ossl_lib_ctx_write_lock(ctx))
        && TEST_true(ossl_lib_ctx_unlock(ctx))
        && TEST_ptr(store(ctx, "x.back=2"));
}

int setup_tests(void)
{
    /* A lock that isn't given back must fail and not hang. */
    alarm(40);
    if (!TEST_ptr(ctx = OSSL_LIB_CTX_new()) || !TEST_ptr(other = OSSL_LIB_CTX_new()))
        return 0;
    add_test("what was never stored is not found", never);
    add_test("what was stored is found", stored);
    add_test("it is found each time", each_time);
    add_test("each string has its own list", each_its_own);
    add_test("the whole string counts", whole);
    add_test("another string with the same characters finds it", same_characters);
    add_test("what was removed is not found", removed);
    add_test("each library context has its own cache", contexts);
    add_test("NULL is the default library context", default_context);
    add_test("it waits while another thread changes the cache", waits);
    add_test("the lock is given back", given_back);
    return 1;
}

void cleanup_tests(void)
{
    OSSL_LIB_CTX_free(ctx);
    OSSL_LIB_CTX_free(other);
}
