/*---
 * tasks: [srt.sync.CThread.create-4b7e2b]
 * tests:
 *   the routine is run: 'Docstring: "Calls pthread_create"; its routine is start_routine.'
 *   the routine is run once: 'Docstring: "Calls pthread_create".'
 *   it gets its argument: 'Signature: arg, that of start_routine.'
 *   it can get no argument: 'Signature: arg, that of start_routine.'
 *   it is run by another thread: 'Docstring: "Calls pthread_create".'
 *   the thread is joinable while it runs: 'joinable: whether it "identifies an active thread of execution".'
 *   the thread is joinable when it has finished: 'joinable: finished "but not yet joined is still considered active".'
 *   it has the id of the new thread: 'get_id: "In this implementation the ID is the pthread_t".'
 *   it returns while the thread still runs: 'join, not create, "Blocks the current thread".'
 *   join waits for the routine: 'join: it blocks until the thread "finishes its execution".'
 *   after join it can be created again: 'join resets the thread; create starts a new one.'
 *   the constructor starts a thread: 'The constructor with a routine calls create.'
 *   several threads run with their own arguments: 'Signature: arg, that of start_routine.'
 *   a failure throws: 'Docstring: "throws exception on failure. @throw CThreadException".'
 *   a failure is one of threads: 'srt.h: SRT_ETHREAD, "System was unable to spawn a new thread"; UniqueLock.'
 *   a failure does not run the routine: 'Docstring: "throws exception on failure".'
 *   any error is a failure: 'Docstring: "throws exception on failure"; pthread_create returns what is not zero.'
 *   after a failure the constructor throws: 'The constructor "throws if the thread could not be started".'
 *   StartThread tells a failure: 'StartThread: "true if thread was started successfully, false on failure".'
 ---*/
#include "platform_sys.h"
#include "sync.h"
#include "common.h"
#include "plus.h"
#include <atomic>
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <string>

using namespace srt;
using namespace srt::sync;

static int refusal;   /* what pthread_create returns instead of making a thread */

extern "C" int pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*routine)(void *), void *arg)
{
    typedef int (*create_f)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    static const create_f real = (create_f)dlsym(RTLD_NEXT, "pthread_create");
    return refusal != 0 ? refusal : real(thread, attr, routine, arg);
}

struct Run {
    std::atomic<int> runs;
    std::atomic<bool> go, end;
    void *got;
    pthread_t self;
    Run() : runs(0), go(true), end(false), got(NULL), self() {}
};

/* Waits until it may go on, for some seconds at most. */
static void *routine(void *arg)
{
    Run *run = (Run *)arg;
    run->got = arg;
    run->self = pthread_self();
    run->runs++;
    for (int i = 0; i < 500 && !run->go; i++) usleep(10000);
    run->end = true;
    return NULL;
}

static std::atomic<int> without(0);

static void *no_argument(void *arg)
{
    without = arg == NULL ? 1 : 2;
    return NULL;
}

/* The code of what a call throws, 0 for nothing, -1 for what isn't a CThreadException. */
template <class F> static int thrown(F call)
{
    try {
        call();
    } catch (const CThreadException &e) {
        return e.getErrorCode();
    } catch (...) {
        return -1;
    }
    return 0;
}

int main()
{
    alarm(30);
    {
        Run run;
        run.go = false;
        CThread thread;
        thread.create(routine, &run);
        ok("it returns while the thread still runs", !run.end);
        ok("the thread is joinable while it runs", thread.joinable());
        const CThread::id id = thread.get_id();
        run.go = true;
        for (int i = 0; i < 500 && !run.end; i++) usleep(10000);
        usleep(20000);
        ok("the thread is joinable when it has finished", run.end && thread.joinable());
        if (thread.joinable()) thread.join();
        ok("the routine is run", run.runs > 0 && run.end);
        ok("the routine is run once", run.runs == 1);
        ok("it gets its argument", run.got == &run);
        ok("it is run by another thread", run.runs > 0 && !pthread_equal(run.self, pthread_self()));
        ok("it has the id of the new thread", run.runs > 0 && id == CThread::id(run.self));

        Run again;
        const bool over = !thread.joinable();
        thread.create(routine, &again);
        const bool started = thread.joinable();
        if (started) thread.join();
        ok("after join it can be created again",
           over && started && again.runs == 1 && again.end && run.runs == 1 && !thread.joinable());
    }
    {
        CThread thread;
        thread.create(no_argument, NULL);
        if (thread.joinable()) thread.join();
        ok("it can get no argument", without == 1);
    }
    {
        Run run;
        run.go = false;
        CThread thread;
        thread.create(routine, &run);
        CThread helper;
        helper.create([](void *arg) -> void * {
            usleep(100000);
            ((Run *)arg)->go = true;
            return NULL;
        }, &run);
        if (thread.joinable()) thread.join();
        ok("join waits for the routine", run.end);
        if (helper.joinable()) helper.join();
    }
    {
        Run run;
        CThread thread(routine, &run);
        const bool started = thread.joinable();
        if (started) thread.join();
        ok("the constructor starts a thread", started && run.runs == 1 && run.got == &run);
    }
    {
        Run runs[8];
        CThread threads[8];
        bool good = true;
        for (int i = 0; i < 8; i++) runs[i].go = false;
        for (int i = 0; i < 8; i++) threads[i].create(routine, &runs[i]);
        for (int i = 0; i < 8; i++) runs[i].go = true;
        for (int i = 0; i < 8; i++) {
            good = good && threads[i].joinable();
            const CThread::id id = threads[i].get_id();
            if (threads[i].joinable()) threads[i].join();
            good = good && runs[i].runs == 1 && runs[i].got == &runs[i] && runs[i].end;
            good = good && id == CThread::id(runs[i].self);
        }
        ok("several threads run with their own arguments", good);
    }
    {
        Run run;
        refusal = EAGAIN;
        CThread thread;
        const int code = thrown([&] { thread.create(routine, &run); });
        ok("a failure throws", code != 0 && code != -1);
        ok("a failure is one of threads", code == SRT_ETHREAD);
        usleep(20000);
        ok("a failure does not run the routine", code != 0 && run.runs == 0);
        bool good = true;
        for (int number : {EPERM, EINVAL, ENOMEM, 1000, -1}) {
            refusal = number;
            CThread other;
            good = thrown([&] { other.create(routine, &run); }) == SRT_ETHREAD && good;
        }
        ok("any error is a failure", good && run.runs == 0);
        refusal = EAGAIN;
        ok("after a failure the constructor throws",
           thrown([&] { CThread other(routine, &run); }) == SRT_ETHREAD && run.runs == 0);
        CThread other;
        bool told = !StartThread(other, routine, &run, "plus");
        refusal = 0;
        told = told && StartThread(other, routine, &run, "plus");
        if (told) other.join();
        ok("StartThread tells a failure", told && run.runs == 1);
    }
    return plus_end();
}
