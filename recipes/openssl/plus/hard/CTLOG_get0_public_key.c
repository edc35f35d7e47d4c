/*---
 * tasks: [SCT_new_from_base64-1fe63f.16]
 * tests:
 *   it is the key that the log was made of: 'CTLOG_new(3): "returns the public key of the CT log"; CTLOG_new.'
 *   each log has its own: 'ct.h: "Gets the public key of the CT log".'
 *   a key of RSA is returned as well: 'CTLOG_new(3): the given public key.'
 *   the log goes on owning it: 'CTLOG_new(3): "Ownership of the EVP_PKEY remains with the CTLOG".'
 ---*/
#include "../testutil.h"
#include "memory_count.h"
#include "transparency.h"

static int given(void)
{
    EVP_PKEY *key = ct_key(CT_LOG_KEY), *twin = ct_key(CT_LOG_KEY);
    CTLOG *log = CTLOG_new(key, "a log");
    int ok = TEST_ptr(log) && TEST_ptr_eq(CTLOG_get0_public_key(log), key)
        && TEST_ptr_eq(CTLOG_get0_public_key(log), key)
        && TEST_int_eq(EVP_PKEY_eq(CTLOG_get0_public_key(log), twin), 1);

    CTLOG_free(log);
    EVP_PKEY_free(twin);
    return ok;
}

static int its_own(void)
{
    EVP_PKEY *key = ct_key(CT_LOG_KEY), *other = ct_key(CT_OTHER_KEY);
    CTLOG *log = CTLOG_new(key, "a log"), *second = CTLOG_new(other, "a log");
    int ok = TEST_ptr_eq(CTLOG_get0_public_key(log), key)
        && TEST_ptr_eq(CTLOG_get0_public_key(second), other)
        && TEST_ptr_eq(CTLOG_get0_public_key(log), key);

    CTLOG_free(log);
    CTLOG_free(second);
    return ok;
}

static int rsa(void)
{
    EVP_PKEY *key = ct_key(CT_RSA_KEY);
    CTLOG *log = CTLOG_new(key, "a log");
    int ok = TEST_ptr_eq(CTLOG_get0_public_key(log), key);

    CTLOG_free(log);
    return ok;
}

static int owned(void)
{
    long before;
    int i;

    for (i = 0; i < 3; i++) {
        if (i == 2)
            before = memory_blocks;
        if (!given() || !rsa() || !TEST_long_eq(memory_bad_frees, 0))
            return 0;
    }
    return TEST_long_eq(memory_blocks, before);
}

int setup_tests(void)
{
    add_test("it is the key that the log was made of", given);
    add_test("each log has its own", its_own);
    add_test("a key of RSA is returned as well", rsa);
    add_test("the log goes on owning it", owned);
    return 1;
}
