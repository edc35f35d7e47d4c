/*---
 * tasks: [SCT_new_from_base64-1fe63f.16, SCT_new_from_base64-1fe63f.4, SCT_new_from_base64-1fe63f.8]
 * tests:
 *   a log is made and 1 is returned: 'ct.h: "Returns 1 on success"; CTLOG_new(3): "sets the ct_log pointer".'
 *   the log has the key that was given: 'ct.h: "the base64-encoded SubjectPublicKeyInfo DER in |pkey_base64|".'
 *   the log has the IDs that are published: 'RFC 6962, 3.2: the LogID is the SHA-256 of the key; known logs.'
 *   a key can be one of RSA: 'RFC 6962, 2.1.4: "or RSA signatures"; CTLOG_new(3) takes any public key.'
 *   the name is copied: 'ct.h: |name|; ct_log.c: CTLOG_new_ex "Copies the name"; CTLOG_get0_name.'
 *   no place for the log is refused: 'ct_b64.c: "0 on decoding failure, or invalid parameter if any".'
 *   what is no base64 is refused: 'ct_b64.c: "0 on decoding failure"; ct_test.c.'
 *   what is no key is refused: 'ct.h: "Returns 1 on success, 0 on failure".'
 *   an empty key is refused: 'ct.h: "Returns 1 on success, 0 on failure".'
 *   a private key is refused: 'ct.h: "SubjectPublicKeyInfo DER".'
 *   a refusal makes no log: 'ct_log.c: ctlog_store_load_log never frees what a failure leaves.'
 *   the library context and the query are the log's: 'ct.h: "associated with the given library context ... and propq".'
 *   the key is parsed in the library context: 'CTLOG_new(3): libctx, propq; none of its providers, no key.'
 *   CTLOG_new_from_base64 uses the default ones: 'ct.h: "The same as CTLOG_new_from_base64_ex() except".'
 *   nothing is leaked or freed twice: 'CTLOG_new(3): "the caller''s responsibility to pass the CTLOG to CTLOG_free".'
 *   a lack of memory for the log leaks nothing: 'ct_log.c: CTLOG_new_ex owns the key only where it succeeds.'
 ---*/
#ifndef OPENSSLDIR
# define OPENSSLDIR "/none"
#endif
#include "../../crypto/ct/ct_log.c"
#include <openssl/provider.h>
#include "../testutil.h"
#include "memory_count.h"
#include "transparency.h"

/* Those of the tree's test log, and of Google's Pilot. */
#define TEST_LOG "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEmXg8sUUzwBYaWrRb+V0IopzQ6o3UyEJ04r5ZrRXG" \
    "dpYM8K+hB0pXrGRLI0eeWz+3sk" \
    "XrS0IO83AhA3GpRL6s6w=="
#define TEST_LOG_ID "3xwuwRUAlFJHqWFoMl3cXHlZ6PfG04j8AC4LvT9012Q="
#define PILOT "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEfahLEimAoz2t01p3uMziiLOl/fHTDM0YDOhBRuiBARs" \
    "V4UvxG2LdNgoIGLrtCzWE0J5AP" \
    "C2em4JlvR8EEEFMoA=="
#define PILOT_ID "pLkJkLQYWBSHuxOizGdwCjw1mAT5G9+443fNDsgN3BA="

static CTLOG *make(const char *key, const char *name)
{
    CTLOG *log = NULL;

    TEST_int_eq(CTLOG_new_from_base64_ex(&log, key, name, NULL, NULL), 1);
    TEST_ptr(log);
    return log;
}

static int refused(const char *key, OSSL_LIB_CTX *libctx, const char *propq)
{
    CTLOG *log = NULL;
    int result = CTLOG_new_from_base64_ex(&log, key, "a log", libctx, propq);
    /* -1 is for what is not the key's fault. */
    int ok = (libctx == NULL && propq == NULL ? TEST_int_eq(result, 0) : TEST_int_le(result, 0))
        & TEST_ptr_null(log);

    ERR_clear_error();
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static char *public_key(const char *name)
{
    EVP_PKEY *key = ct_key(name);
    unsigned char *der = NULL;
    int length = i2d_PUBKEY(key, &der);
    char *text = ct_base64(der, length);

    EVP_PKEY_free(key);
    OPENSSL_free(der);
    return text;
}

static int made(void)
{
    CTLOG *log = NULL, *second = NULL;
    int ok = TEST_int_eq(CTLOG_new_from_base64_ex(&log, TEST_LOG, "a log", NULL, NULL), 1)
        && TEST_ptr(log)
        && TEST_int_eq(CTLOG_new_from_base64_ex(&second, TEST_LOG, "a log", NULL, NULL), 1)
        && TEST_ptr(second)
        && TEST_ptr_ne(log, second);

    CTLOG_free(log);
    ok = ok && TEST_str_eq(CTLOG_get0_name(second), "a log");
    CTLOG_free(second);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int has_key(const char *name)
{
    char *text = public_key(name);
    EVP_PKEY *key = ct_key(name);
    CTLOG *log = make(text, "a log");
    int ok = TEST_ptr(log) && TEST_int_eq(EVP_PKEY_eq(log->public_key, key), 1);

    CTLOG_free(log);
    EVP_PKEY_free(key);
    OPENSSL_free(text);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int given_key(void)
{
    return has_key(CT_LOG_KEY) && has_key(CT_OTHER_KEY);
}

static int rsa(void)
{
    return has_key(CT_RSA_KEY);
}

static int has_id(const char *key, const char *expected)
{
    CTLOG *log = make(key, "a log");
    const uint8_t *id;
    size_t length;
    char *text;
    int ok;

    if (!TEST_ptr(log))
        return 0;
    CTLOG_get0_log_id(log, &id, &length);
    text = ct_base64(id, length);
    ok = TEST_str_eq(text, expected);
    OPENSSL_free(text);
    CTLOG_free(log);
    return ok;
}

static int ids(void)
{
    return has_id(TEST_LOG, TEST_LOG_ID) && has_id(PILOT, PILOT_ID);
}

static int named(void)
{
    char name[] = "the log's name";
    CTLOG *log = make(PILOT, name), *empty = make(PILOT, "");
    int ok;

    name[0] = 'T';
    ok = TEST_ptr(log) && TEST_str_eq(CTLOG_get0_name(log), "the log's name")
        && TEST_ptr(empty) && TEST_str_eq(CTLOG_get0_name(empty), "");
    CTLOG_free(log);
    CTLOG_free(empty);
    return ok;
}

static int no_place(void)
{
    int ok = TEST_int_eq(CTLOG_new_from_base64_ex(NULL, TEST_LOG, "a log", NULL, NULL), 0);

    ERR_clear_error();
    return ok;
}

static int no_base64(void)
{
    return refused("\01\02\03\04", NULL, NULL) && refused("====", NULL, NULL)
        && refused("MFk*", NULL, NULL)
        && refused(TEST_LOG "A", NULL, NULL);
}

static int no_key(void)
{
    return refused("AAAA", NULL, NULL) && refused("MAA=", NULL, NULL)
        && refused("MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEmXg8sUUzwBYaWrRb", NULL, NULL)
        && refused("MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                   "AAAAAAAAAAAAAAAAAAAA"
                   "AAAAAAAAAAAAAAAAAAAAAAA=", NULL, NULL);
}

static int empty_key(void)
{
    return refused("", NULL, NULL);
}

static int private_key(void)
{
    EVP_PKEY *key = ct_key(CT_LOG_KEY);
    unsigned char *der = NULL;
    int length = i2d_PrivateKey(key, &der);
    char *text = ct_base64(der, length);
    int ok = refused(text, NULL, NULL);

    OPENSSL_free(text);
    OPENSSL_free(der);
    EVP_PKEY_free(key);
    return ok;
}

static int no_log(void)
{
    long before;

    if (!refused("AAAA", NULL, NULL) || !no_key() || !no_base64())
        return 0;
    before = memory_blocks;
    return refused("AAAA", NULL, NULL) && refused("MFk*", NULL, NULL) && no_key() && no_base64()
        && empty_key()
        && TEST_long_eq(memory_blocks, before);
}

static int associated(void)
{
    OSSL_LIB_CTX *own = OSSL_LIB_CTX_new();
    OSSL_PROVIDER *provider = OSSL_PROVIDER_load(own, "default");
    char query[] = "provider=default";
    CTLOG *log = NULL, *plain = NULL;
    int ok = TEST_ptr(provider)
        && TEST_int_eq(CTLOG_new_from_base64_ex(&log, TEST_LOG, "a log", own, query), 1)
        && TEST_ptr(log) && TEST_ptr_eq(log->libctx, own)
        && TEST_str_eq(log->propq, "provider=default")
        && TEST_ptr_eq(EVP_PKEY_get0_provider(log->public_key), provider)
        && TEST_int_eq(CTLOG_new_from_base64_ex(&plain, TEST_LOG, "a log", own, NULL), 1)
        && TEST_ptr(plain) && TEST_ptr_eq(plain->libctx, own) && TEST_ptr_null(plain->propq);

    query[0] = 'x';
    ok = ok && TEST_str_eq(log->propq, "provider=default");
    CTLOG_free(log);
    CTLOG_free(plain);
    OSSL_PROVIDER_unload(provider);
    OSSL_LIB_CTX_free(own);
    ERR_clear_error();
    return ok;
}

static int parsed_there(void)
{
    OSSL_LIB_CTX *empty = OSSL_LIB_CTX_new();
    OSSL_PROVIDER *null = OSSL_PROVIDER_load(empty, "null");
    int ok = TEST_ptr(null) && refused(TEST_LOG, empty, NULL)
        && refused(TEST_LOG, NULL, "provider=nobody");

    OSSL_PROVIDER_unload(null);
    OSSL_LIB_CTX_free(empty);
    return ok;
}

static int defaults(void)
{
    CTLOG *log = NULL;
    int ok = TEST_int_eq(CTLOG_new_from_base64(&log, PILOT, "pilot"), 1) && TEST_ptr(log)
        && TEST_str_eq(CTLOG_get0_name(log), "pilot") && TEST_ptr_null(log->libctx)
        && TEST_ptr_null(log->propq)
        && TEST_int_eq(CTLOG_new_from_base64(NULL, PILOT, "pilot"), 0);

    CTLOG_free(log);
    ERR_clear_error();
    return ok;
}

static int balanced(void)
{
    long before;

    if (!made() || !given_key() || !rsa() || !no_key() || !no_place())
        return 0;
    before = memory_blocks;
    return made() && given_key() && rsa() && ids() && named() && no_place() && no_base64()
        && empty_key()
        && TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
}

static int no_memory(void)
{
    CTLOG *log = NULL;
    long before, needed, left;

    CTLOG_free(make(TEST_LOG, "a log"));
    memory_left = 1000000;
    log = make(TEST_LOG, "a log");
    needed = 1000000 - memory_left;
    memory_left = -1;
    CTLOG_free(log);
    before = memory_blocks;
    for (left = needed - 1; left >= 0 && left >= needed - 4; left--) {
        int result;

        log = NULL;
        memory_left = left;
        result = CTLOG_new_from_base64_ex(&log, TEST_LOG, "a log", NULL, NULL);
        memory_left = -1;
        ERR_clear_error();
        if (result > 0)
            CTLOG_free(log);
        else if (!TEST_ptr_null(log))
            return 0;
        if (!TEST_long_eq(memory_blocks, before) || !TEST_long_eq(memory_bad_frees, 0))
            return 0;
    }
    return 1;
}

int setup_tests(void)
{
    add_test("a log is made and 1 is returned", made);
    add_test("the log has the key that was given", given_key);
    add_test("the log has the IDs that are published", ids);
    add_test("a key can be one of RSA", rsa);
    add_test("the name is copied", named);
    add_test("no place for the log is refused", no_place);
    add_test("what is no base64 is refused", no_base64);
    add_test("what is no key is refused", no_key);
    add_test("an empty key is refused", empty_key);
    add_test("a private key is refused", private_key);
    add_test("a refusal makes no log", no_log);
    add_test("the library context and the query are the log's", associated);
    add_test("the key is parsed in the library context", parsed_there);
    add_test("CTLOG_new_from_base64 uses the default ones", defaults);
    add_test("nothing is leaked or freed twice", balanced);
    add_test("a lack of memory for the log leaks nothing", no_memory);
    return 1;
}
