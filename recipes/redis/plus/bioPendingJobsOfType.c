/*---
 * tasks: [9B049E7250A7BADF]
 * instead: [src/bio.o]
 * tests:
 *   at first no job is pending: 'Docstring: "the number of pending jobs of the specified type".'
 *   the jobs of a type are counted: 'Docstring: "the number of pending jobs of the specified type".'
 *   the job at work is counted: 'aof.c: while BIO_AOF_FSYNC has one, a sync is in progress.'
 *   jobs of other types are not counted: 'Docstring: "of the specified type".'
 *   syncs of the AOF are counted apart from its closes: 'bio.c: one worker does both; docstring: "of the specified type".'
 *   closes of the AOF are counted apart from its syncs: 'bio.c: one worker does both; docstring: "of the specified type".'
 *   closes of files are counted: 'Docstring: "the number of pending jobs of the specified type".'
 *   asking again gives the same: 'Docstring: it only returns a number.'
 *   asking does not stop the workers: 'bio.c: a worker takes the same mutex to go on.'
 *   when the work is done no job is pending: 'bio.c: the worker takes a job off when it is done.'
 *   a lock that is held does not make the jobs vanish: 'bio.c: the counters are guarded by a mutex, which others hold for a while.'
 *   new jobs can be submitted afterwards: 'bio.c: bioSubmitJob takes the same mutex.'
 *   one type may be done while another waits: 'Docstring: "of the specified type".'
 ---*/
#include "../bio.c"
#include "../testhelp.h"
#include <fcntl.h>

/* Jobs wait here until they may go on: the lazy frees at one gate, the syncs of files at the other. */
static pthread_mutex_t gate_free = PTHREAD_MUTEX_INITIALIZER, gate_sync = PTHREAD_MUTEX_INITIALIZER;

static void wait_(pthread_mutex_t *gate) {
    pthread_mutex_lock(gate);
    pthread_mutex_unlock(gate);
}

static void freeLater(void *args[]) {
    UNUSED(args);
    wait_(&gate_free);
}

/* Instead of the C library's: whichever redis_fsync is. */
int fdatasync(int fd) { UNUSED(fd); wait_(&gate_sync); return 0; }
int fsync(int fd) { UNUSED(fd); wait_(&gate_sync); return 0; }

static int pending(unsigned long close, unsigned long sync, unsigned long lazy, unsigned long close_aof) {
    return bioPendingJobsOfType(BIO_CLOSE_FILE) == close && bioPendingJobsOfType(BIO_AOF_FSYNC) == sync &&
           bioPendingJobsOfType(BIO_LAZY_FREE) == lazy && bioPendingJobsOfType(BIO_CLOSE_AOF) == close_aof;
}

/* Holds the mutex of the lazy frees' worker for a while, as a thread does that submits or takes a job. */
static pthread_barrier_t held;

static void *hold(void *arg) {
    pthread_mutex_lock(&bio_mutex[bio_job_to_worker[BIO_LAZY_FREE]]);
    pthread_barrier_wait(&held);
    usleep(50000);
    pthread_mutex_unlock(&bio_mutex[bio_job_to_worker[BIO_LAZY_FREE]]);
    return arg;
}

static int file(void) { return open("/dev/null", O_RDONLY); }

int main(void) {
    alarm(30); /* A mutex that stays locked ends the test here. */
    server.logfile = "/dev/null";
    bioInit();
    test_cond("at first no job is pending", pending(0, 0, 0, 0));
    pthread_mutex_lock(&gate_free);
    pthread_mutex_lock(&gate_sync);
    bioCreateLazyFreeJob(freeLater, 1, NULL);
    test_cond("the job at work is counted", bioPendingJobsOfType(BIO_LAZY_FREE) == 1);
    bioCreateLazyFreeJob(freeLater, 1, NULL);
    bioCreateLazyFreeJob(freeLater, 1, NULL);
    test_cond("the jobs of a type are counted", bioPendingJobsOfType(BIO_LAZY_FREE) == 3);
    test_cond("jobs of other types are not counted", pending(0, 0, 3, 0));
    pthread_t thread;
    pthread_barrier_init(&held, NULL, 2);
    pthread_create(&thread, NULL, hold, NULL);
    pthread_barrier_wait(&held);
    test_cond("a lock that is held does not make the jobs vanish", bioPendingJobsOfType(BIO_LAZY_FREE) == 3);
    int fd = file();
    bioCreateFsyncJob(fd, 0, 0);
    bioCreateFsyncJob(fd, 0, 0);
    test_cond("syncs of the AOF are counted apart from its closes", pending(0, 2, 3, 0));
    bioCreateCloseAofJob(file(), 0, 0);
    test_cond("closes of the AOF are counted apart from its syncs", pending(0, 2, 3, 1));
    for (int j = 0; j < 4; j++) bioCreateCloseJob(file(), 1, 0);
    test_cond("closes of files are counted", pending(4, 2, 3, 1));
    test_cond("asking again gives the same", pending(4, 2, 3, 1) && pending(4, 2, 3, 1));

    pthread_mutex_unlock(&gate_free);
    bioDrainWorker(BIO_LAZY_FREE);
    test_cond("one type may be done while another waits", pending(4, 2, 0, 1));
    pthread_mutex_unlock(&gate_sync);
    bioDrainWorker(BIO_CLOSE_FILE);
    bioDrainWorker(BIO_AOF_FSYNC);
    test_cond("asking does not stop the workers", 1);
    test_cond("when the work is done no job is pending", pending(0, 0, 0, 0));
    pthread_mutex_lock(&gate_free);
    bioCreateLazyFreeJob(freeLater, 1, NULL);
    test_cond("new jobs can be submitted afterwards", pending(0, 0, 1, 0));
    pthread_mutex_unlock(&gate_free);
    bioDrainWorker(BIO_LAZY_FREE);
    test_report();
    return 0;
}
