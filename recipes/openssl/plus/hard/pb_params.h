/* For tests of what is told in OSSL_PARAMs: what such an array holds. Include after testutil.h. */
#include <string.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/param_build.h>
#include <openssl/params.h>

/* How many have that key? */
static int plus_times(const OSSL_PARAM *params, const char *key)
{
    int n = 0;

    for (; params->key != NULL; params++)
        n += strcmp(params->key, key) == 0;
    return n;
}

static int plus_lacks(const OSSL_PARAM *params, const char *key)
{
    return TEST_int_eq(plus_times(params, key), 0) || (TEST_info("%s", key), 0);
}

static int plus_tells_int(const OSSL_PARAM *params, const char *key, long value)
{
    const OSSL_PARAM *p = OSSL_PARAM_locate_const(params, key);
    int64_t found = 0;

    return (TEST_int_eq(plus_times(params, key), 1)
            && TEST_int_eq(OSSL_PARAM_get_int64(p, &found), 1) && TEST_long_eq((long)found, value)) || (TEST_info("%s", key), 0);
}

static int plus_tells_number(const OSSL_PARAM *params, const char *key, const BIGNUM *value)
{
    const OSSL_PARAM *p = OSSL_PARAM_locate_const(params, key);
    BIGNUM *found = NULL;
    int ok = TEST_int_eq(plus_times(params, key), 1)
        && TEST_uint_eq(p->data_type, OSSL_PARAM_UNSIGNED_INTEGER)
        && TEST_int_eq(OSSL_PARAM_get_BN(p, &found), 1) && TEST_BN_eq(found, value);

    BN_free(found);
    return ok || (TEST_info("%s", key), 0);
}

static int plus_tells_text(const OSSL_PARAM *params, const char *key, const char *value)
{
    const OSSL_PARAM *p = OSSL_PARAM_locate_const(params, key);

    return (TEST_int_eq(plus_times(params, key), 1)
            && TEST_uint_eq(p->data_type, OSSL_PARAM_UTF8_STRING)
            && TEST_size_t_eq(p->data_size, strlen(value))
            && TEST_strn_eq(p->data, value, strlen(value))) || (TEST_info("%s", key), 0);
}

static int plus_tells_bytes(const OSSL_PARAM *params, const char *key, const void *value,
                            size_t size)
{
    const OSSL_PARAM *p = OSSL_PARAM_locate_const(params, key);

    return (TEST_int_eq(plus_times(params, key), 1)
            && TEST_uint_eq(p->data_type, OSSL_PARAM_OCTET_STRING)
            && TEST_mem_eq(p->data, p->data_size, value, size)) || (TEST_info("%s", key), 0);
}
