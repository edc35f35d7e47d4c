/*---
 * tasks: [DA30567D7A096837]
 * tests:
 *   success is 1:
 *     'RSA_up_ref has 1 for success as all of OpenSSL''s up_ref functions, EVP_PKEY_up_ref(3); p_legacy.c:
 *     EVP_PKEY_set1_RSA asks for it.'
 *   a key with two owners outlives the first: 'Docstring: the reference count goes up; RSA_free(3).'
 *   each owner frees once and the last one all:
 *     'RSA_free(3): "frees the RSA structure and its components"; a count of references.'
 *   each call counts one owner: 'Docstring: the reference count goes up.'
 *   the key can be used by the second owner: 'EVP_PKEY_get1_RSA(3): the caller gets a reference of its own.'
 *   the parts of the key stay as they were: 'Docstring: only the count goes up.'
 *   threads lose no reference:
 *     'internal/refcount.h: CRYPTO_UP_REF; openssl-threads(7): "One major use of the OpenSSL thread API is to
 *     implement reference counting."'
 ---*/
#include "../../crypto/rsa/rsa_lib.c"
#include <pthread.h>
#include "../testutil.h"
#include "memory_count.h"

#define THREADS 2
#define CALLS 4000000

/* A key whose exponent is 65537; the modulus is no product of primes, which nothing here asks for. */
static RSA *key_new(void)
{
    RSA *rsa = RSA_new();
    BIGNUM *n = NULL, *e = NULL;

    if (!TEST_ptr(rsa) || !BN_dec2bn(&n, "123456789012345678901") || !BN_dec2bn(&e, "65537")
            || !TEST_true(RSA_set0_key(rsa, n, e, NULL)))
        return NULL;
    return rsa;
}

static int owners(RSA *rsa)
{
    int count = 0;

    CRYPTO_GET_REF(&rsa->references, &count);
    return count;
}

static int success(void)
{
    RSA *rsa = key_new();
    int ok = TEST_ptr(rsa) && TEST_int_eq(RSA_up_ref(rsa), 1) && TEST_int_eq(RSA_up_ref(rsa), 1);

    RSA_free(rsa);
    RSA_free(rsa);
    RSA_free(rsa);
    return ok;
}

static int outlives(void)
{
    RSA *rsa = key_new();
    const BIGNUM *e = NULL;
    int ok = TEST_ptr(rsa) && TEST_int_eq(RSA_up_ref(rsa), 1);

    RSA_free(rsa);
    if (!ok || !TEST_int_eq(owners(rsa), 1))
        return 0;
    RSA_get0_key(rsa, NULL, &e, NULL);
    ok = TEST_ptr(e) && TEST_BN_eq_word(e, 65537);
    RSA_free(rsa);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int last_frees(void)
{
    long before;
    RSA *rsa;
    int i, ok;

    RSA_free(key_new());
    before = memory_blocks;
    rsa = key_new();
    ok = TEST_ptr(rsa);
    for (i = 0; ok && i < 5; i++)
        ok = TEST_int_eq(RSA_up_ref(rsa), 1);
    for (i = 0; ok && i < 5; i++) {
        RSA_free(rsa);
        ok = TEST_long_gt(memory_blocks, before);
    }
    if (!ok)
        return 0;
    RSA_free(rsa);
    return TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
}

static int counts(void)
{
    RSA *rsa = key_new();
    int ok = TEST_ptr(rsa) && TEST_int_eq(owners(rsa), 1)
        && TEST_int_eq(RSA_up_ref(rsa), 1) && TEST_int_eq(owners(rsa), 2)
        && TEST_int_eq(RSA_up_ref(rsa), 1) && TEST_int_eq(owners(rsa), 3);

    RSA_free(rsa);
    RSA_free(rsa);
    RSA_free(rsa);
    return ok;
}

static int second_owner(void)
{
    RSA *rsa = key_new(), *again;
    EVP_PKEY *pkey = EVP_PKEY_new();
    int ok = TEST_ptr(rsa) && TEST_true(EVP_PKEY_set1_RSA(pkey, rsa));

    RSA_free(rsa);
    ok = ok && TEST_ptr(again = EVP_PKEY_get1_RSA(pkey)) && TEST_int_eq(owners(again), 2);
    EVP_PKEY_free(pkey);
    if (!ok)
        return 0;
    ok = TEST_int_eq(RSA_bits(again), 67) && TEST_int_eq(owners(again), 1);
    RSA_free(again);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int parts_stay(void)
{
    RSA *rsa = key_new();
    const BIGNUM *n = NULL, *n_after = NULL;
    int flags, ok;

    if (!TEST_ptr(rsa))
        return 0;
    RSA_get0_key(rsa, &n, NULL, NULL);
    flags = RSA_flags(rsa);
    ok = TEST_int_eq(RSA_up_ref(rsa), 1);
    RSA_get0_key(rsa, &n_after, NULL, NULL);
    ok = ok && TEST_ptr_eq(n, n_after) && TEST_int_eq(RSA_flags(rsa), flags);
    RSA_free(rsa);
    RSA_free(rsa);
    return ok;
}

static pthread_barrier_t start;

static void *take(void *rsa)
{
    int i;

    pthread_barrier_wait(&start);
    for (i = 0; i < CALLS; i++)
        RSA_up_ref(rsa);
    return NULL;
}

static int threads_round(void)
{
    RSA *rsa = key_new();
    pthread_t thread[THREADS];
    int i, ok;

    if (!TEST_ptr(rsa))
        return 0;
    pthread_barrier_init(&start, NULL, THREADS);
    for (i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, take, rsa);
    for (i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    ok = TEST_int_eq(owners(rsa), THREADS * CALLS + 1);
    for (i = 0; ok && i < THREADS * CALLS + 1; i++)
        RSA_free(rsa);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

/* Several rounds: on a busy machine threads often run one after the other. */
static int threads(void)
{
    int i, ok = 1;

    for (i = 0; ok && i < 6; i++)
        ok = threads_round();
    return ok;
}

int setup_tests(void)
{
    add_test("success is 1", success);
    add_test("a key with two owners outlives the first", outlives);
    add_test("each owner frees once and the last one all", last_frees);
    add_test("each call counts one owner", counts);
    add_test("the key can be used by the second owner", second_owner);
    add_test("the parts of the key stay as they were", parts_stay);
    add_test("threads lose no reference", threads);
    return 1;
}
