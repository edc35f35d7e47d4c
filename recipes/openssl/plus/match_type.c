/*---
 * tasks: [D6EC6B1ACE221810]
 * tests:
 *   a type matches itself: 'Docstring: "checks if two EVP_KEYMGMT are matching key types".'
 *   different types do not match in either order: 'Docstring.'
 *   RSA and RSA-PSS are different types: 'Docstring; EVP_PKEY-RSA(7): RSA-PSS is a key type of its own.'
 *   a type matches by any of its names: 'EVP_KEYMGMT(3): EVP_KEYMGMT_is_a() takes any name of the algorithm.'
 *   names match in any case: 'crypto(7), ALGORITHM FETCHING: the name is case insensitive.'
 *   the same type matches across library contexts: 'Caller evp_keymgmt_util_copy copies between keymgmts of any
 *     context.'
 *   different types do not match across library contexts: 'Docstring; name numbers belong to one context
 *     (ossl_namemap_stored).'
 *   the same type of another provider matches: 'Callers evp_keymgmt_util_match, evp_keymgmt_util_copy: "Complex case,
 *     where the keymgmt differ", by export and import.'
 *   equal keys of two contexts are equal: 'EVP_PKEY_eq(3); caller evp_keymgmt_util_match.'
 *   keys of different types are reported as such: 'EVP_PKEY_eq(3): -1 "if the key types are different".'
 ---*/
#include "../../crypto/evp/keymgmt_lib.c"
#include <openssl/provider.h>
#include "testutil.h"

static OSSL_LIB_CTX *one, *two, *named, *reversed;

/* A provider with key types of its own, and no more than a key type needs. */
static void *key_new(void *provctx)
{
    return OPENSSL_zalloc(1);
}

static void key_free(void *key)
{
    OPENSSL_free(key);
}

static int key_has(const void *key, int selection)
{
    return 1;
}

static const OSSL_DISPATCH key_functions[] = {
    { OSSL_FUNC_KEYMGMT_NEW, (void (*)(void))key_new },
    { OSSL_FUNC_KEYMGMT_FREE, (void (*)(void))key_free },
    { OSSL_FUNC_KEYMGMT_HAS, (void (*)(void))key_has },
    OSSL_DISPATCH_END
};

static const OSSL_ALGORITHM key_types[] = {
    { "Lantern:Lamp", "provider=own", key_functions },
    { "RSA", "provider=own", key_functions },
    { NULL, NULL, NULL }
};

static const OSSL_ALGORITHM key_types_reversed[] = {
    { "lamp:LANTERN", "provider=own", key_functions },
    { NULL, NULL, NULL }
};

static const OSSL_ALGORITHM *query(void *provctx, int operation, int *no_cache)
{
    return operation == OSSL_OP_KEYMGMT ? key_types : NULL;
}

static const OSSL_ALGORITHM *query_reversed(void *provctx, int operation, int *no_cache)
{
    return operation == OSSL_OP_KEYMGMT ? key_types_reversed : NULL;
}

static const OSSL_DISPATCH functions[] = {
    { OSSL_FUNC_PROVIDER_QUERY_OPERATION, (void (*)(void))query },
    OSSL_DISPATCH_END
};

static const OSSL_DISPATCH functions_reversed[] = {
    { OSSL_FUNC_PROVIDER_QUERY_OPERATION, (void (*)(void))query_reversed },
    OSSL_DISPATCH_END
};

static int init(const OSSL_CORE_HANDLE *handle, const OSSL_DISPATCH *in, const OSSL_DISPATCH **out, void **provctx)
{
    *out = functions;
    return 1;
}

static int init_reversed(const OSSL_CORE_HANDLE *handle, const OSSL_DISPATCH *in, const OSSL_DISPATCH **out,
                         void **provctx)
{
    *out = functions_reversed;
    return 1;
}

/* 1 or 0 as match_type says, -1 where a key type is missing. */
static int matching(OSSL_LIB_CTX *ctx1, const char *type1, OSSL_LIB_CTX *ctx2, const char *type2, const char *query2)
{
    EVP_KEYMGMT *keymgmt1 = EVP_KEYMGMT_fetch(ctx1, type1, NULL);
    EVP_KEYMGMT *keymgmt2 = EVP_KEYMGMT_fetch(ctx2, type2, query2);
    int result = -1;

    if (TEST_ptr(keymgmt1) && TEST_ptr(keymgmt2))
        result = match_type(keymgmt1, keymgmt2) != 0;
    EVP_KEYMGMT_free(keymgmt1);
    EVP_KEYMGMT_free(keymgmt2);
    return result;
}

static int itself(void)
{
    return TEST_int_eq(matching(one, "RSA", one, "RSA", NULL), 1)
        && TEST_int_eq(matching(one, "X25519", one, "X25519", NULL), 1);
}

static int different(void)
{
    return TEST_int_eq(matching(one, "RSA", one, "EC", NULL), 0)
        && TEST_int_eq(matching(one, "EC", one, "RSA", NULL), 0)
        && TEST_int_eq(matching(one, "X25519", one, "ED25519", NULL), 0);
}

static int pss(void)
{
    return TEST_int_eq(matching(one, "RSA", one, "RSA-PSS", NULL), 0)
        && TEST_int_eq(matching(one, "RSA-PSS", one, "RSA", NULL), 0);
}

static int any_name(void)
{
    return TEST_int_eq(matching(one, "rsaEncryption", one, "RSA", NULL), 1)
        && TEST_int_eq(matching(one, "RSA", two, "rsaEncryption", NULL), 1)
        && TEST_int_eq(matching(named, "Lantern", reversed, "Lantern", NULL), 1)
        && TEST_int_eq(matching(reversed, "Lamp", named, "Lamp", NULL), 1);
}

static int any_case(void)
{
    return TEST_int_eq(matching(named, "Lamp", reversed, "LAMP", NULL), 1);
}

static int across_contexts(void)
{
    return TEST_int_eq(matching(one, "RSA", two, "RSA", NULL), 1)
        && TEST_int_eq(matching(two, "EC", one, "EC", NULL), 1)
        && TEST_int_eq(matching(two, "X448", one, "X448", NULL), 1);
}

static int different_across_contexts(void)
{
    static const char *types[] = { "RSA", "RSA-PSS", "EC", "DH", "DSA", "X25519", "X448", "ED25519", "ED448", "HMAC" };
    size_t i, j;

    for (i = 0; i < OSSL_NELEM(types); i++)
        for (j = 0; j < OSSL_NELEM(types); j++)
            if (!TEST_int_eq(matching(one, types[i], two, types[j], NULL), i == j))
                return 0;
    return 1;
}

static int other_provider(void)
{
    return TEST_int_eq(matching(one, "RSA", named, "RSA", "provider=own"), 1)
        && TEST_int_eq(matching(named, "RSA", named, "RSA", "provider=own"), 1)
        && TEST_int_eq(matching(one, "EC", named, "RSA", "provider=own"), 0);
}

static EVP_PKEY *public_key(OSSL_LIB_CTX *ctx, const char *type)
{
    unsigned char bytes[32] = { 9 };

    return EVP_PKEY_new_raw_public_key_ex(ctx, type, NULL, bytes, sizeof(bytes));
}

static int compare(const char *type1, const char *type2, int expected)
{
    EVP_PKEY *key1 = public_key(one, type1), *key2 = public_key(two, type2);
    int ok = TEST_ptr(key1) && TEST_ptr(key2) && TEST_int_eq(EVP_PKEY_eq(key1, key2), expected);

    EVP_PKEY_free(key1);
    EVP_PKEY_free(key2);
    return ok;
}

static int equal_keys(void)
{
    return compare("X25519", "X25519", 1);
}

static int unequal_types(void)
{
    return compare("X25519", "ED25519", -1);
}

int setup_tests(void)
{
    EVP_MD *md;

    if (!TEST_ptr(one = OSSL_LIB_CTX_new()) || !TEST_ptr(two = OSSL_LIB_CTX_new())
        || !TEST_ptr(named = OSSL_LIB_CTX_new()) || !TEST_ptr(reversed = OSSL_LIB_CTX_new())
        || !TEST_true(OSSL_PROVIDER_add_builtin(named, "own", init))
        || !TEST_true(OSSL_PROVIDER_add_builtin(reversed, "own", init_reversed))
        || !TEST_ptr(OSSL_PROVIDER_load(named, "default"))
        || !TEST_ptr(OSSL_PROVIDER_load(named, "own"))
        || !TEST_ptr(OSSL_PROVIDER_load(reversed, "own"))
        /* Names that the other context doesn't know come first here, so that the numbers of names differ. */
        || !TEST_ptr(md = EVP_MD_fetch(two, "SHA256", NULL)))
        return 0;
    EVP_MD_free(md);
    add_test("a type matches itself", itself);
    add_test("different types do not match in either order", different);
    add_test("RSA and RSA-PSS are different types", pss);
    add_test("a type matches by any of its names", any_name);
    add_test("names match in any case", any_case);
    add_test("the same type matches across library contexts", across_contexts);
    add_test("different types do not match across library contexts", different_across_contexts);
    add_test("the same type of another provider matches", other_provider);
    add_test("equal keys of two contexts are equal", equal_keys);
    add_test("keys of different types are reported as such", unequal_types);
    return 1;
}
