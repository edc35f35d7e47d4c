/*---
 * tasks: [66E66FBDB4E847D3]
 * tests:
 *   a new number is none of the built-in ones:
 *     'obj_dat.c: OBJ_create gives it to a new object, and OBJ_nid2obj takes numbers below NUM_NID for built in.'
 *   no number comes twice: 'obj_dat.c: OBJ_create; a NID names one object.'
 *   as many numbers are reserved as were asked for: 'OBJ_new_nid takes their number.'
 *   the first of the reserved numbers is returned: 'OBJ_new_nid: numbers before it are another''s.'
 *   objects are numbered apart from reserved blocks: 'obj_dat.c: OBJ_create and OBJ_new_nid share the counter.'
 *   threads get different numbers: 'Docstring: a lock is required only if TSAN_REQUIRES_LOCKING is defined.'
 ---*/
#include "../../crypto/objects/obj_dat.c"
#include <pthread.h>
#include "../testutil.h"

#define THREADS 2
#define CALLS 1000000

static int above_built_in(void)
{
    int nid = OBJ_new_nid(1);

    return TEST_int_ge(nid, NUM_NID) && TEST_ptr_null(OBJ_nid2sn(nid));
}

static int never_twice(void)
{
    int i, last = OBJ_new_nid(1);

    for (i = 0; i < 100; i++) {
        int nid = OBJ_new_nid(1);

        if (!TEST_int_gt(nid, last))
            return 0;
        last = nid;
    }
    return 1;
}

static int reserves(void)
{
    int block = OBJ_new_nid(10), next = OBJ_new_nid(3), last = OBJ_new_nid(1);

    return TEST_int_ge(next, block + 10) && TEST_int_ge(last, next + 3);
}

static int returns_first(void)
{
    int before = OBJ_new_nid(1), block = OBJ_new_nid(50), after = OBJ_new_nid(1);

    return TEST_int_gt(block, before) && TEST_int_lt(block + 49, after);
}

static int objects(void)
{
    int before = OBJ_create("1.3.6.1.4.1.99999.1", "plus-one", "the first"), block = OBJ_new_nid(7);
    int after = OBJ_create("1.3.6.1.4.1.99999.2", "plus-two", "the second");

    return TEST_int_ge(before, NUM_NID)
        && TEST_true(block > before || block + 7 <= before)
        && TEST_true(after < block || after >= block + 7)
        && TEST_int_ne(after, before)
        && TEST_str_eq(OBJ_nid2sn(before), "plus-one")
        && TEST_str_eq(OBJ_nid2sn(after), "plus-two");
}

static int numbers[THREADS][CALLS];

static pthread_barrier_t begin;

static void *draw(void *mine)
{
    int i;

    pthread_barrier_wait(&begin);
    for (i = 0; i < CALLS; i++)
        ((int *)mine)[i] = OBJ_new_nid(1);
    return NULL;
}

static int threads_round(void)
{
    pthread_t thread[THREADS];
    int start = OBJ_new_nid(1) + 1, i, j, ok = 1;
    char *seen = OPENSSL_zalloc(THREADS * CALLS);

    pthread_barrier_init(&begin, NULL, THREADS);
    for (i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, draw, numbers[i]);
    for (i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    for (i = 0; ok && i < THREADS; i++)
        for (j = 0; ok && j < CALLS; j++) {
            int at = numbers[i][j] - start;

            ok = at >= 0 && at < THREADS * CALLS && !seen[at];
            if (ok)
                seen[at] = 1;
        }
    OPENSSL_free(seen);
    return TEST_true(ok);
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
    add_test("a new number is none of the built-in ones", above_built_in);
    add_test("no number comes twice", never_twice);
    add_test("as many numbers are reserved as were asked for", reserves);
    add_test("the first of the reserved numbers is returned", returns_first);
    add_test("objects are numbered apart from reserved blocks", objects);
    add_test("threads get different numbers", threads);
    return 1;
}
