/*---
 * tasks: [F0718158305A9415]
 * tests:
 *   a thread that read under the lock leaves nothing behind: 'Docstring: "Called on thread exit to free the pthread
 *     key associated with this thread".'
 *   many threads leave nothing behind: 'The same.'
 *   a thread that never read has nothing to free: 'Docstring: "if any".'
 *   a thread may read again after it was cleaned up: 'OPENSSL_thread_stop(3); ossl_rcu_read_lock allocates where
 *     there is none.'
 *   a second clean-up frees nothing twice: 'Docstring: "if any".'
 *   other threads keep their data: 'Docstring: "associated with this thread".'
 ---*/
#include "memory_count.h"
#include "../../crypto/threads_pthread.c"
#include "testutil.h"

static CRYPTO_RCU_LOCK *lock;

static void read_once(void)
{
    ossl_rcu_read_lock(lock);
    ossl_rcu_read_unlock(lock);
}

static void *has_data(void)
{
    return CRYPTO_THREAD_get_local(&rcu_thr_key);
}

static int in_thread(void *(*body)(void *))
{
    pthread_t thread;
    void *result = NULL;

    return TEST_int_eq(pthread_create(&thread, NULL, body, NULL), 0)
        && TEST_int_eq(pthread_join(thread, &result), 0)
        && TEST_ptr_null(result);
}

/* Runs the body in a thread once for what is allocated once for all, then n times with nothing left behind. */
static int leaves_nothing(void *(*body)(void *), int n)
{
    long before;

    memory_bad_frees = 0;
    if (!in_thread(body))
        return 0;
    before = memory_blocks;
    while (n-- > 0)
        if (!in_thread(body))
            return 0;
    return TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
}

static void *reader(void *arg)
{
    read_once();
    read_once();
    OPENSSL_thread_stop();
    return NULL;
}

static void *reader_that_ends(void *arg)
{
    read_once();
    return NULL;
}

static int nothing_behind(void)
{
    return leaves_nothing(reader, 1) && leaves_nothing(reader_that_ends, 1);
}

static int many(void)
{
    return leaves_nothing(reader_that_ends, 50);
}

static void *never_read(void *arg)
{
    free_rcu_thr_data(NULL);
    return has_data();
}

static int nothing_to_free(void)
{
    return leaves_nothing(never_read, 1);
}

static void *reads_again(void *arg)
{
    int i;

    for (i = 0; i < 3; i++) {
        read_once();
        if (has_data() == NULL)
            return "no data while reading";
        OPENSSL_thread_stop();
        if (has_data() != NULL)
            return "data after the clean-up";
    }
    return NULL;
}

static int again(void)
{
    return leaves_nothing(reads_again, 2);
}

static void *second_time(void *arg)
{
    read_once();
    free_rcu_thr_data(NULL);
    free_rcu_thr_data(NULL);
    OPENSSL_thread_stop();
    return has_data();
}

static int twice(void)
{
    return leaves_nothing(second_time, 2);
}

static int others(void)
{
    void *data;

    read_once();
    return TEST_ptr(data = has_data())
        && leaves_nothing(reader, 2)
        && TEST_ptr_eq(has_data(), data)
        && leaves_nothing(second_time, 2)
        && TEST_ptr_eq(has_data(), data)
        /* What the main thread reads under still works. */
        && (read_once(), TEST_ptr_eq(has_data(), data))
        && TEST_long_eq(memory_bad_frees, 0);
}

int setup_tests(void)
{
    if (!TEST_ptr(lock = ossl_rcu_lock_new(1)))
        return 0;
    add_test("a thread that read under the lock leaves nothing behind", nothing_behind);
    add_test("many threads leave nothing behind", many);
    add_test("a thread that never read has nothing to free", nothing_to_free);
    add_test("a thread may read again after it was cleaned up", again);
    add_test("a second clean-up frees nothing twice", twice);
    add_test("other threads keep their data", others);
    return 1;
}

void cleanup_tests(void)
{
    ossl_rcu_lock_free(lock);
}
