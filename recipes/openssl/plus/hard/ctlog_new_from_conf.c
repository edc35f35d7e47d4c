/*---
 * tasks: [SCT_new_from_base64-1fe63f.16]
 * tests:
 *   a log is made of its section: 'CTLOG_STORE_new(3): "description", "key"; ct_log.c: ctlog_store_load_log adds it.'
 *   the description becomes the name: 'CTLOG_STORE_new(3): "description = Log 1"; CTLOG_get0_name.'
 *   the key is decoded from base64: 'CTLOG_STORE_new(3): "base64-encoded DER SubjectPublicKeyInfo here".'
 *   only the section that is named counts: 'Signature: section; CTLOG_STORE_new(3), enabled_logs.'
 *   a missing description is refused: 'CTLOG_STORE_new(3): "considered invalid if it is missing a key or description field".'
 *   a missing key is refused: 'CTLOG_STORE_new(3): "considered invalid if it is missing a key or description field".'
 *   a missing section is refused: 'ct_log.c: ctlog_store_load_log counts 0 as an invalid log.'
 *   a key that is none is refused: 'ct_b64.c: CTLOG_new_from_base64_ex, "0 on decoding failure".'
 *   a refusal makes no log: 'ct_log.c: ctlog_store_load_log never frees what a refusal leaves.'
 *   the context and the query of the store are the log's: 'CTLOG_STORE_new(3): "CT logs associated with the library context ... and the property query string".'
 *   the store and the configuration stay: 'ct_log.c: ctlog_store_load_log adds the log to the store.'
 *   nothing is leaked or freed twice: 'ct_log.c: ctlog_store_load_log hands the log to the store.'
 ---*/
#ifndef OPENSSLDIR
# define OPENSSLDIR "/none"
#endif
#include "../../crypto/ct/ct_log.c"
#include <openssl/provider.h>
#include "../testutil.h"
#include "memory_count.h"
#include "transparency.h"

#define TEST_LOG "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEmXg8sUUzwBYaWrRb+V0IopzQ6o3UyEJ04r5ZrRXG" \
    "dpYM8K+hB0pXrGRLI0eeWz+3sk" \
    "XrS0IO83AhA3GpRL6s6w=="
#define TEST_LOG_ID "3xwuwRUAlFJHqWFoMl3cXHlZ6PfG04j8AC4LvT9012Q="
#define PILOT "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEfahLEimAoz2t01p3uMziiLOl/fHTDM0YDOhBRuiBARs" \
    "V4UvxG2LdNgoIGLrtCzWE0J5AP" \
    "C2em4JlvR8EEEFMoA=="
#define PILOT_ID "pLkJkLQYWBSHuxOizGdwCjw1mAT5G9+443fNDsgN3BA="

static const char configuration[] =
    "enabled_logs=one,two\n"
    "[one]\ndescription = The first log\nkey = " TEST_LOG "\n"
    "[two]\nkey = " PILOT "\nother = thing\ndescription = Pilot\n"
    "[nameless]\nkey = " PILOT "\nname = Pilot\n"
    "[keyless]\ndescription = Pilot\npublic = " PILOT "\n"
    "[empty]\n"
    "[no64]\ndescription = Pilot\nkey = M*Fk\n"
    "[nokey]\ndescription = Pilot\nkey = MAA=\n";

static CONF *conf;

static CTLOG *make(CTLOG_STORE *store, const char *section)
{
    CTLOG *log = NULL;

    TEST_int_gt(ctlog_new_from_conf(store, &log, conf, section), 0);
    TEST_ptr(log);
    return log;
}

static int refused(const char *section)
{
    CTLOG_STORE *store = CTLOG_STORE_new();
    CTLOG *log = NULL;
    int ok = TEST_int_eq(ctlog_new_from_conf(store, &log, conf, section), 0) & TEST_ptr_null(log)
        & TEST_int_eq(sk_CTLOG_num(store->logs), 0);

    CTLOG_STORE_free(store);
    ERR_clear_error();
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int made(void)
{
    CTLOG_STORE *store = CTLOG_STORE_new();
    CTLOG *log = make(store, "one");
    int ok = TEST_ptr(log);

    CTLOG_free(log);
    CTLOG_STORE_free(store);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int is(const char *section, const char *name, const char *id64)
{
    CTLOG_STORE *store = CTLOG_STORE_new();
    CTLOG *log = make(store, section);
    char *text;
    int ok;

    if (!TEST_ptr(log))
        return 0;
    text = ct_base64(log->log_id, 32);
    ok = (name == NULL || TEST_str_eq(CTLOG_get0_name(log), name))
        && (id64 == NULL || TEST_str_eq(text, id64));
    OPENSSL_free(text);
    CTLOG_free(log);
    CTLOG_STORE_free(store);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int name(void)
{
    return is("one", "The first log", NULL) && is("two", "Pilot", NULL);
}

static int key(void)
{
    return is("one", NULL, TEST_LOG_ID) && is("two", NULL, PILOT_ID);
}

static int section(void)
{
    return is("two", "Pilot", PILOT_ID) && is("one", "The first log", TEST_LOG_ID)
        && is("two", "Pilot", PILOT_ID);
}

static int nameless(void)
{
    return refused("nameless");
}

static int keyless(void)
{
    return refused("keyless");
}

static int missing(void)
{
    return refused("three") && refused("empty");
}

static int no_key(void)
{
    return refused("no64") && refused("nokey");
}

static int none(void)
{
    long before;

    if (!nameless() || !no_key())
        return 0;
    before = memory_blocks;
    return nameless() && keyless() && missing() && no_key() && TEST_long_eq(memory_blocks, before);
}

static int stores(void)
{
    OSSL_LIB_CTX *own = OSSL_LIB_CTX_new(), *empty = OSSL_LIB_CTX_new();
    OSSL_PROVIDER *provider = OSSL_PROVIDER_load(own, "default"),
        *null = OSSL_PROVIDER_load(empty, "null");
    CTLOG_STORE *store = CTLOG_STORE_new_ex(own, "provider=default"),
        *plain = CTLOG_STORE_new_ex(own, NULL);
    CTLOG_STORE *there = CTLOG_STORE_new_ex(empty, NULL),
        *nobody = CTLOG_STORE_new_ex(NULL, "provider=nobody");
    CTLOG *log = make(store, "one"), *second = make(plain, "one"), *third = NULL;
    int ok = TEST_ptr(log) && TEST_ptr_eq(log->libctx, own)
        && TEST_str_eq(log->propq, "provider=default")
        && TEST_ptr(second) && TEST_ptr_eq(second->libctx, own) && TEST_ptr_null(second->propq)
        && TEST_int_le(ctlog_new_from_conf(there, &third, conf, "one"), 0) && TEST_ptr_null(third)
        && TEST_int_le(ctlog_new_from_conf(nobody, &third, conf, "one"), 0)
        && TEST_ptr_null(third);

    CTLOG_STORE_free(store);
    ok = ok && TEST_str_eq(log->propq, "provider=default");
    CTLOG_STORE_free(plain);
    CTLOG_STORE_free(there);
    CTLOG_STORE_free(nobody);
    CTLOG_free(log);
    CTLOG_free(second);
    OSSL_PROVIDER_unload(provider);
    OSSL_PROVIDER_unload(null);
    OSSL_LIB_CTX_free(own);
    OSSL_LIB_CTX_free(empty);
    ERR_clear_error();
    return ok;
}

static int stay(void)
{
    CTLOG_STORE *store = CTLOG_STORE_new();
    CTLOG *log = make(store, "one"), *second;
    int ok = TEST_int_eq(sk_CTLOG_num(store->logs), 0) && TEST_ptr_null(store->libctx)
        && TEST_ptr_null(store->propq)
        && TEST_str_eq(NCONF_get_string(conf, "one", "description"), "The first log")
        && TEST_str_eq(NCONF_get_string(conf, "one", "key"), TEST_LOG);

    CTLOG_free(log);
    second = make(store, "one");
    ok = ok && TEST_ptr(second) && TEST_str_eq(CTLOG_get0_name(second), "The first log");
    CTLOG_free(second);
    CTLOG_STORE_free(store);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int balanced(void)
{
    long before;
    int i;

    for (i = 0; i < 3; i++) {
        if (i == 2)
            before = memory_blocks;
        if (!made() || !section() || !none() || !stay())
            return 0;
    }
    return TEST_long_eq(memory_blocks, before);
}

int setup_tests(void)
{
    BIO *in = BIO_new_mem_buf(configuration, -1);

    conf = NCONF_new(NULL);
    if (!TEST_int_gt(NCONF_load_bio(conf, in, NULL), 0))
        return 0;
    BIO_free(in);
    add_test("a log is made of its section", made);
    add_test("the description becomes the name", name);
    add_test("the key is decoded from base64", key);
    add_test("only the section that is named counts", section);
    add_test("a missing description is refused", nameless);
    add_test("a missing key is refused", keyless);
    add_test("a missing section is refused", missing);
    add_test("a key that is none is refused", no_key);
    add_test("a refusal makes no log", none);
    add_test("the context and the query of the store are the log's", stores);
    add_test("the store and the configuration stay", stay);
    add_test("nothing is leaked or freed twice", balanced);
    return 1;
}

void cleanup_tests(void)
{
    NCONF_free(conf);
}
