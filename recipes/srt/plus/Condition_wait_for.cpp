/*---
 * tasks: [srt.sync.Condition.wait_for-55710f]
 * tests:
 *   without a signal the time expires: 'Docstring: "false if the relative timeout specified by rel_time expired".'
 *   it does not expire before its time: 'Docstring: "when the relative timeout rel_time expires".'
 *   the time is not a thousand times as long: 'Docstring: "when the relative timeout rel_time expires".'
 *   the lock is held again after the time: 'Docstring: "regardless of the reason, lock is reacquired".'
 *   no time expires at once: 'Docstring: "false if the relative timeout specified by rel_time expired".'
 *   a time that is past expires at once: 'Docstring: "false if the relative timeout specified by rel_time expired".'
 *   it expires over the turn of a second: 'Docstring: "when the relative timeout rel_time expires".'
 *   the lock is free while it waits: 'Docstring: "Atomically releases lock".'
 *   notify_one unblocks it: 'Docstring: "unblocked when notify_all() or notify_one() is executed".'
 *   it returns true when notified: 'Docstring: "true otherwise (signal or spurious wake up)".'
 *   the lock is held again after a signal: 'Docstring: "regardless of the reason, lock is reacquired".'
 *   notify_all unblocks all: 'Docstring: "unblocked when notify_all() or notify_one() is executed".'
 *   a time of hours does not expire early: 'Docstring: rel_time is a duration, a count of 64 bits.'
 *   the lock object can be unlocked afterwards: 'Docstring: "lock is reacquired and wait_for() exits".'
 *   it can wait once more: 'Docstring: each call waits for its rel_time.'
 *   a signal before is not kept: 'Docstring: "unblocked when notify_one() is executed", while it waits.'
 *   wait_until waits for the rest of the time: 'Caller wait_until gives what is left until timeout_time.'
 *   an event waits for its time: 'Caller CEvent::lock_wait_for: "false on timeout".'
 ---*/
#include "platform_sys.h"
#include "sync.h"
#include "plus.h"
#include <atomic>
#include <thread>
#include <time.h>
#include <vector>

using namespace srt::sync;

static int64_t now_us()
{
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * int64_t(1000000) + t.tv_nsec / 1000;
}

struct Place {
    Mutex mutex;
    Condition cond;
    int waiting;
    Place() : waiting(0) { cond.init(); }
    ~Place() { cond.destroy(); }

    /* Whether another thread finds the mutex locked. */
    bool locked()
    {
        bool got = false;
        std::thread other([&] {
            got = mutex.try_lock();
            if (got) mutex.unlock();
        });
        other.join();
        return !got;
    }
};

/* Threads that wait for hours until they are notified. */
struct Waiters {
    Place &place;
    std::vector<std::thread> threads;
    std::atomic<int> done, signalled, held;
    Waiters(Place &p, int number, steady_clock::duration time) : place(p), done(0), signalled(0), held(0)
    {
        for (int i = 0; i < number; i++)
            threads.push_back(std::thread([this, time] {
                UniqueLock lock(place.mutex);
                place.waiting++;
                if (place.cond.wait_for(lock, time)) signalled++;
                if (!place.mutex.try_lock()) held++;
                else place.mutex.unlock();
                done++;
            }));
    }

    /* Waits, for some seconds at most, until all wait; whether they do. */
    bool ready()
    {
        for (int i = 0; i < 400; i++, usleep(10000))
            if (place.mutex.try_lock()) {
                const bool all = place.waiting == int(threads.size());
                place.mutex.unlock();
                if (all) return true;
            }
        return false;
    }

    bool ended(int number)
    {
        for (int i = 0; i < 400 && done < number; i++) usleep(10000);
        return done == number;
    }

    ~Waiters()
    {
        for (; done < int(threads.size()); usleep(1000)) place.cond.notify_all();
        for (std::thread &thread : threads) thread.join();
    }
};

int main()
{
    alarm(30);
    {
        Place p;
        UniqueLock lock(p.mutex);
        const int64_t start = now_us();
        const bool expired = !p.cond.wait_for(lock, milliseconds_from(60));
        const int64_t took = now_us() - start;
        ok("without a signal the time expires", expired);
        ok("it does not expire before its time", took >= 59000);
        ok("the time is not a thousand times as long", took < 20000000);
        ok("the lock is held again after the time", p.locked());
        bool at_once = true, past = true;
        for (int i = 0; i < 3; i++) {
            at_once = at_once && !p.cond.wait_for(lock, steady_clock::duration::zero()) && p.locked();
            past = past && !p.cond.wait_for(lock, milliseconds_from(-5)) && p.locked();
        }
        ok("no time expires at once", at_once);
        ok("a time that is past expires at once", past);
        const int64_t again = now_us();
        const bool once_more = !p.cond.wait_for(lock, microseconds_from(20500)) && now_us() - again >= 20000;
        ok("it can wait once more", once_more && p.locked());
        lock.unlock();
        ok("the lock object can be unlocked afterwards", !p.locked());
    }
    {
        Place p;
        UniqueLock lock(p.mutex);
        bool good = true;
        for (int i = 0; i < 2; i++) {
            /* To shortly before the next second of the clock, and then over it. */
            const int64_t left = 1000000 - now_us() % 1000000;
            if (left > 30000) usleep(left - 30000);
            const int64_t start = now_us();
            good = !p.cond.wait_for(lock, milliseconds_from(i == 0 ? 60 : 100)) && good;
            good = good && now_us() - start >= (i == 0 ? 59000 : 99000);
        }
        ok("it expires over the turn of a second", good);
    }
    {
        Place p;
        Waiters one(p, 1, seconds_from(20));
        const bool ready = one.ready();
        ok("the lock is free while it waits", ready);
        if (ready) {
            ScopedLock lock(p.mutex);
            p.cond.notify_one();
        }
        ok("notify_one unblocks it", ready && one.ended(1));
        ok("it returns true when notified", ready && one.signalled == 1);
        ok("the lock is held again after a signal", one.done == 1 && one.held == 1);
    }
    {
        Place p;
        Waiters three(p, 3, seconds_from(20));
        const bool ready = three.ready();
        if (ready) {
            ScopedLock lock(p.mutex);
            p.cond.notify_all();
        }
        ok("notify_all unblocks all", ready && three.ended(3) && three.signalled == 3 && three.held == 3);
    }
    {
        Place p, q, r;
        Waiters hour(p, 1, seconds_from(4295)), hours(q, 1, seconds_from(3 * 86400)), years(r, 1, seconds_from(1e8));
        bool ready = hour.ready() && hours.ready() && years.ready();
        usleep(150000);
        ready = ready && hour.done == 0 && hours.done == 0 && years.done == 0;
        Waiters *const all[] = {&hour, &hours, &years};
        for (Waiters *w : all) {
            if (!ready) break;
            w->place.mutex.lock();
            w->place.cond.notify_one();
            w->place.mutex.unlock();
            ready = w->ended(1) && w->signalled == 1;
        }
        ok("a time of hours does not expire early", ready);
    }
    {
        Place p;
        p.cond.notify_one();
        p.cond.notify_all();
        UniqueLock lock(p.mutex);
        ok("a signal before is not kept", !p.cond.wait_for(lock, milliseconds_from(20)));
    }
    {
        Place p;
        UniqueLock lock(p.mutex);
        const int64_t start = now_us();
        const bool expired = !p.cond.wait_until(lock, steady_clock::now() + milliseconds_from(40));
        ok("wait_until waits for the rest of the time", expired && now_us() - start >= 39000 && p.locked());
    }
    {
        CEvent event;
        const int64_t start = now_us();
        const bool expired = !event.lock_wait_for(milliseconds_from(30));
        const bool free = event.mutex().try_lock();
        ok("an event waits for its time", expired && now_us() - start >= 29000 && free);
        if (free) event.mutex().unlock();
    }
    return plus_end();
}
