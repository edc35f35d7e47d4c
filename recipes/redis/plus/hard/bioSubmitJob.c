/*---
 * tasks: [lazyfreeGetFreeEffort-1aee2c.8]
 * instead: [src/bio.o]
 * tests:
 *   the job runs: 'The name; bio.c: background jobs.'
 *   it counts as pending until it ended: 'bio_jobs_counter; bioPendingJobsOfType.'
 *   it counts for its own type: 'bio_jobs_counter[type].'
 *   jobs of one type run in their order: 'bio.c: first in first out.'
 *   jobs of another type are not kept waiting: 'bio_job_to_worker: each type has its worker.'
 *   a worker that sleeps is woken: 'bio_newjob_cond.'
 ---*/
#include "start.h"
#include "../bio.c"
#include "../testhelp.h"

static int calls, order[100];
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

static void waiting(void *args[]) {
    (void)args;
    pthread_mutex_lock(&gate);
    pthread_mutex_unlock(&gate);
}

static void number(void *args[]) {
    order[calls++] = (int)(long)args[0];
}

static void submit(lazy_free_fn function, long value) {
    bio_job *job = zmalloc(sizeof(*job) + sizeof(void *));
    job->free_args.free_fn = function;
    job->free_args.free_args[0] = (void *)value;
    bioSubmitJob(BIO_LAZY_FREE, job);
}

int main(void) {
    startRedis();
    bioInit();
    alarm(30); /* A job that never runs ends the test here. */
    submit(number, 7);
    bioDrainWorker(BIO_LAZY_FREE);
    test_cond("the job runs", calls == 1 && order[0] == 7);
    pthread_mutex_lock(&gate);
    submit(waiting, 0);
    submit(number, 1);
    int pending = bioPendingJobsOfType(BIO_LAZY_FREE) == 2;
    int own = bioPendingJobsOfType(BIO_CLOSE_FILE) == 0 && bioPendingJobsOfType(BIO_AOF_FSYNC) == 0;
    int fds[2];
    if (pipe(fds)) return 2;
    bioCreateCloseJob(fds[0], 0, 0);
    bioDrainWorker(BIO_CLOSE_FILE);
    int other = fcntl(fds[0], F_GETFD) == -1 && calls == 1;
    pthread_mutex_unlock(&gate);
    bioDrainWorker(BIO_LAZY_FREE);
    test_cond("it counts as pending until it ended", pending && bioPendingJobsOfType(BIO_LAZY_FREE) == 0);
    test_cond("it counts for its own type", own);
    calls = 0;
    pthread_mutex_lock(&gate);
    submit(waiting, 0);
    for (long j = 0; j < 100; j++) submit(number, j);
    pthread_mutex_unlock(&gate);
    bioDrainWorker(BIO_LAZY_FREE);
    int ordered = calls == 100;
    for (int j = 0; j < 100; j++) ordered &= order[j] == j;
    test_cond("jobs of one type run in their order", ordered);
    test_cond("jobs of another type are not kept waiting", other);
    calls = 0;
    int woken = 1;
    for (long j = 0; j < 20; j++) {
        submit(number, j);
        bioDrainWorker(BIO_LAZY_FREE);
        woken &= calls == j + 1;
    }
    test_cond("a worker that sleeps is woken", woken);
    test_report();
    return 0;
}
