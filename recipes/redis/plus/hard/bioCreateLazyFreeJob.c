/*---
 * tasks: [lazyfreeGetFreeEffort-1aee2c.8]
 * tests:
 *   the function is called: 'bio.h: lazy_free_fn; lazyfree.c hands one over.'
 *   it is called once: 'Callers free by it.'
 *   it gets its argument: 'lazyfree.c: lazyfreeFreeObject(void *args[]), args[0].'
 *   it gets several arguments in their order: 'Signature: arg_count; lazyfreeFreeDatabase takes three.'
 *   without an argument it is called too: 'Signature: arg_count.'
 *   it runs in another thread: 'bio.c: background jobs.'
 *   several jobs run in their order: 'bio.c: one thread for each type, first in first out.'
 *   it counts as a lazy free job: 'bio.h: BIO_LAZY_FREE; bioPendingJobsOfType.'
 *   all memory comes back: 'bio.c: the job is freed.'
 ---*/
#include "start.h"
#include "../bio.h"
#include "../testhelp.h"

#include <pthread.h>

static int calls, order[200];
static void *got[3];
static pthread_t thread;

static void keep(void *args[]) {
    got[0] = args[0], got[1] = args[1], got[2] = args[2];
    thread = pthread_self();
    calls++;
}

static void one(void *args[]) {
    got[0] = args[0];
    calls++;
}

static void none(void *args[]) {
    (void)args;
    calls++;
}

static void number(void *args[]) {
    order[calls++] = (int)(long)args[0];
}

static void drain(void) {
    bioDrainWorker(BIO_LAZY_FREE);
}

int main(void) {
    startRedis();
    bioInit();
    alarm(30); /* A job that never runs ends the test here. */
    int a, b, d;
    bioCreateLazyFreeJob(one, 1, &a);
    drain();
    test_cond("the function is called", calls > 0);
    test_cond("it is called once", calls == 1);
    test_cond("it gets its argument", got[0] == &a);
    bioCreateLazyFreeJob(keep, 3, &a, &b, &d);
    drain();
    test_cond("it gets several arguments in their order", calls == 2 && got[0] == &a && got[1] == &b && got[2] == &d);
    test_cond("it runs in another thread", !pthread_equal(thread, pthread_self()));
    bioCreateLazyFreeJob(none, 0);
    drain();
    test_cond("without an argument it is called too", calls == 3);
    calls = 0;
    for (long j = 0; j < 200; j++) bioCreateLazyFreeJob(number, 1, (void *)j);
    drain();
    int ordered = calls == 200;
    for (int j = 0; j < 200; j++) ordered &= order[j] == j;
    test_cond("several jobs run in their order", ordered);
    test_cond("it counts as a lazy free job", bioPendingJobsOfType(BIO_LAZY_FREE) == 0 && bioPendingJobsOfType(BIO_CLOSE_FILE) == 0);
    size_t before = zmalloc_used_memory();
    for (int j = 0; j < 100; j++) bioCreateLazyFreeJob(none, 0);
    drain();
    test_cond("all memory comes back", zmalloc_used_memory() == before);
    test_report();
    return 0;
}
