/*---
 * tasks: [145F9153FF2001AA]
 * tests:
 *   the signal no longer ends the process: 'threads_mngr.h: "Register the process to THREADS_SIGNAL".'
 *   a callback runs on the calling thread: 'threads_mngr.h: "safe to include the calling thread".'
 *   a callback runs on every thread that is named: 'threads_mngr.h: "Invoke callback by each thread in tids".'
 *   it runs on threads that were started before: 'threads_mngr.h: "Register the process", and not a thread.'
 *   it runs again and again: 'Callers debug.c: a crash report, the watchdog.'
 *   the signal is not blocked:
 *     'threads_mngr.h: "assumed that all the threads don''t block or ignore THREADS_SIGNAL".'
 *   it works while the crash log is off:
 *     'Caller server.c: initServer, whatever crash-log-enabled says; the watchdog.'
 *   calling it twice does no harm: 'threads_mngr.h: it registers.'
 *   other signals are left as they are: 'threads_mngr.h: "Register the process to THREADS_SIGNAL".'
 *   a thread that is waiting is reached: 'Caller debug.c: writeStacktraces asks threads that wait for work.'
 ---*/
#include "../server.h"
#include "../threads_mngr.h"
#include "../testhelp.h"
#include <sys/syscall.h>

enum {THREADS = 4};
static pid_t tids[THREADS+1], ran[100];
static redisAtomic int runs, ready, over;

static void callback(void) {
    int at;
    atomicGetIncr(runs,at,1);
    if (at < 100) ran[at] = syscall(SYS_gettid);
}

static void *waiting(void *number) {
    tids[(long)number] = syscall(SYS_gettid);
    atomicIncr(ready,1);
    int done = 0;
    while (!done) {
        struct timespec ts = {0,2000000};
        nanosleep(&ts,NULL);
        atomicGet(over,done);
    }
    return NULL;
}

static int on(pid_t tid) {
    int n, found = 0;
    atomicGet(runs,n);
    for (int j = 0; j < n && j < 100; j++) if (ran[j] == tid) found++;
    return found;
}

int main(void) {
    tzset();
    server.logfile = "/dev/null";
    server.verbosity = LL_WARNING;
    server.crashlog_enabled = 0;
    struct sigaction before[32], after[32];
    for (int s = 1; s < 32; s++) sigaction(s,NULL,&before[s]);
    pthread_t threads[THREADS];
    tids[THREADS] = syscall(SYS_gettid);
    for (long j = 0; j < 2; j++) pthread_create(&threads[j],NULL,waiting,(void*)j);
    int n = 0;
    while (n < 2) atomicGet(ready,n);

    ThreadsManager_init();
    sigset_t blocked;
    pthread_sigmask(SIG_BLOCK,NULL,&blocked);
    test_cond("the signal is not blocked", !sigismember(&blocked,THREADS_SIGNAL));
    int others = 1;
    for (int s = 1; s < 32; s++) {
        sigaction(s,NULL,&after[s]);
        if (s != THREADS_SIGNAL && before[s].sa_handler != after[s].sa_handler) others = 0;
    }
    test_cond("other signals are left as they are", others);
    fflush(stdout);
    raise(THREADS_SIGNAL);
    test_cond("the signal no longer ends the process", 1);
    ThreadsManager_runOnThreads(&tids[THREADS],1,callback);
    int here = on(tids[THREADS]);
    test_cond("a callback runs on the calling thread", here == 1);
    test_cond("it works while the crash log is off", here == 1);

    for (long j = 2; j < THREADS; j++) pthread_create(&threads[j],NULL,waiting,(void*)j);
    while (n < THREADS) atomicGet(ready,n);
    ThreadsManager_runOnThreads(tids,THREADS+1,callback);
    test_cond("a callback runs on every thread that is named", on(tids[2]) == 1 && on(tids[3]) == 1 &&
              on(tids[THREADS]) == 2);
    test_cond("it runs on threads that were started before", on(tids[0]) == 1 && on(tids[1]) == 1);
    ThreadsManager_runOnThreads(tids,THREADS+1,callback);
    test_cond("it runs again and again", on(tids[0]) == 2 && on(tids[3]) == 2 && on(tids[THREADS]) == 3);
    test_cond("a thread that is waiting is reached", on(tids[1]) == 2 && on(tids[2]) == 2);
    ThreadsManager_init();
    ThreadsManager_runOnThreads(tids,1,callback);
    test_cond("calling it twice does no harm", on(tids[0]) == 3);
    atomicSet(over,1);
    for (int j = 0; j < THREADS; j++) pthread_join(threads[j],NULL);
    test_report();
    return 0;
}
