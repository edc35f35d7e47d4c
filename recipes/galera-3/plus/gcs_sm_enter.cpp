/*---
 * tasks: [gcs_sm_enter-c3f26a.2]
 * flags: [-DGALERA_LOG_H_ENABLE_CXX]
 * tests:
 *   a free monitor is scheduled without a handle: 'Docstring: "queue handle"; gcs_sm_enter: "0 if scheduled and no queue".'
 *   it is locked until entered: 'Docstring: "Must be always followed by gcs_sm_enter(sm, cond, true)".'
 *   a scheduled user enters at once: 'Docstring: "0 - successfully entered".'
 *   the monitor is unlocked then: 'gcs_sm_leave and others lock it.'
 *   one user is entered and counted: 'gcs_sm.hpp: users, entered; gcs_sm_leave.'
 *   the user can enter without a schedule: 'Callers (gcs.cpp) pass scheduled as false.'
 *   after leaving nobody is in it: 'gcs_sm_leave.'
 *   places are used round and round: 'gcs_sm.hpp: wait_q_mask, GCS_SM_INCREMENT.'
 *   most users at once are noted: 'gcs_sm.hpp: users_max; gcs_sm_stats_get, q_len_max.'
 *   who enters is counted in the samples: 'gcs_sm.hpp: send_q_samples; gcs_sm_stats_get, q_len_avg.'
 *   who waits is counted by those before it: 'gcs_sm_stats_get: "average number of preceding users seen by each".'
 *   a closed monitor cannot be scheduled: 'Docstring: "-EBADFD - monitor closed".'
 *   nor be entered: 'Docstring: "-EBADFD - monitor closed".'
 *   a closed monitor stays unlocked and unused: 'Docstring of gcs_sm_close: "Blocks until everybody exits".'
 *   opened again it can be entered: 'gcs_sm_open: "(Re)opens monitor for entering".'
 *   whoever comes second gets a handle: 'Docstring: ">= 0 queue handle"; gcs_sm_interrupt takes it.'
 *   the second waits until the first leaves: 'gcs_sm.hpp: "critical section".'
 *   a full monitor cannot be scheduled: 'Docstring: "-EAGAIN - out of space".'
 *   nor be entered while it is full: 'Docstring: "-EAGAIN - out of space".'
 *   they enter in the order in which they came: 'gcs_sm.hpp: "To ensure fair (FIFO) access".'
 *   never are two inside: 'gcs_sm.hpp: "critical section"; GCS_SM_CC.'
 *   an interrupted one gives up: 'Docstring: "-EINTR - was interrupted by another thread".'
 *   the one behind it enters: 'gcs_sm.hpp: _gcs_sm_wake_up_next, "skip interrupted".'
 *   nobody is left over after it: 'gcs_sm.hpp: users; _gcs_sm_wake_up_next.'
 *   while paused nobody enters: 'gcs_sm_pause; GCS_SM_HAS_TO_WAIT.'
 *   a pause that ends lets the first one in: 'gcs_sm_continue: "wake up next waiter if any".'
 *   an interrupted one in a pause gives up its place: 'Comment: "update head, wake up next".'
 *   who does not want to wait for ever is told after a while: 'Docstring: "if false enter wait times out eventually".'
 *   that one has left the queue: 'Docstring: "-ETIMEDOUT"; comment: "will be handled by someone else".'
 *   waiters of a monitor that is closed get an error: 'gcs_sm_close: "makes all users to exit with error".'
 *   a grabbed monitor is entered when it is released: 'gcs_sm_grab, gcs_sm_release.'
 ---*/
#include <errno.h>
#include <pthread.h>
#include <unistd.h>
#include "gcs_sm.hpp"
#include "ok.h"

/* One thread that enters, stays for as long as it is told, and leaves. */
struct User {
    gcs_sm_t *sm;
    bool block;
    volatile long handle, ret;
    volatile bool scheduled, back, go;
    volatile int order;
    pthread_t thread;
};

static volatile int inside, most_inside, entered;

static void *use(void *at)
{
    User *user = static_cast<User *>(at);
    gu_cond_t cond;
    gu_cond_init(&cond, NULL);
    user->handle = gcs_sm_schedule(user->sm);
    user->scheduled = true;
    user->ret = user->handle < 0 ? user->handle : gcs_sm_enter(user->sm, &cond, true, user->block);
    if (user->ret == 0) {
        const int now = __sync_add_and_fetch(&inside, 1);
        if (now > most_inside) most_inside = now;
        user->order = __sync_add_and_fetch(&entered, 1);
    }
    user->back = true;
    if (user->ret == 0) {
        while (!user->go) usleep(500);
        __sync_sub_and_fetch(&inside, 1);
        gcs_sm_leave(user->sm);
    }
    gu_cond_destroy(&cond);
    return NULL;
}

static bool wait_for(volatile bool &what)
{
    for (int i = 0; i < 6000 && !what; i++) usleep(500);
    return what;
}

/* Whether it has come to wait: its place in the queue says so, and it gave back the lock. */
static bool waits(User &user)
{
    if (!wait_for(user.scheduled) || user.handle <= 0) return false;
    for (int i = 0; i < 6000; i++) {
        gu_mutex_lock(&user.sm->lock);
        const bool there = user.sm->wait_q[user.handle - 1].wait;
        gu_mutex_unlock(&user.sm->lock);
        if (there) return !user.back;
        usleep(500);
    }
    return false;
}

static void start(User &user, gcs_sm_t *sm, bool block = true)
{
    user.sm = sm;
    user.block = block;
    user.handle = user.ret = -1;
    user.scheduled = user.back = user.go = false;
    user.order = 0;
    pthread_create(&user.thread, NULL, use, &user);
}

static bool finish(User &user)
{
    user.go = true;
    if (!wait_for(user.back)) return false;
    pthread_join(user.thread, NULL);
    return true;
}

static volatile bool locked;

static void *try_lock(void *sm)
{
    gu_mutex_t *lock = &static_cast<gcs_sm_t *>(sm)->lock;
    locked = pthread_mutex_trylock(reinterpret_cast<pthread_mutex_t *>(lock)) != 0;
    if (!locked) gu_mutex_unlock(lock);
    return NULL;
}

/* Asked by another thread, since its own lock says nothing to a thread. */
static bool is_locked(gcs_sm_t *sm)
{
    pthread_t thread;
    pthread_create(&thread, NULL, try_lock, sm);
    pthread_join(thread, NULL);
    return locked;
}

static void *close_it(void *sm)
{
    gcs_sm_close(static_cast<gcs_sm_t *>(sm));
    return NULL;
}

/* A log's line could break a line of results. */
static void drop_log(int, const char *) {}

static bool is_empty(gcs_sm_t *sm) { return sm->users == 0 && sm->entered == 0 && !is_locked(sm); }

int main()
{
    limit();
    gu_conf_set_log_callback(drop_log);
    gu_cond_t cond;
    gu_cond_init(&cond, NULL);
    {
        gcs_sm_t *sm = gcs_sm_create(4, 1);
        const long handle = gcs_sm_schedule(sm);
        ok("a free monitor is scheduled without a handle", handle == 0);
        const bool held = is_locked(sm);
        ok("it is locked until entered", held);
        if (!held) return 1;
        ok("a scheduled user enters at once", gcs_sm_enter(sm, &cond, true, true) == 0);
        ok("the monitor is unlocked then", !is_locked(sm));
        ok("one user is entered and counted", sm->users == 1 && sm->entered == 1);
        gcs_sm_leave(sm);
        const bool left = is_empty(sm);
        ok("the user can enter without a schedule", gcs_sm_enter(sm, &cond, false, true) == 0 && sm->entered == 1);
        gcs_sm_leave(sm);
        ok("after leaving nobody is in it", left && is_empty(sm));
        bool round = true;
        for (int i = 0; i < 50; i++) {
            round = round && gcs_sm_enter(sm, &cond, false, i % 2 == 0) == 0 && sm->users == 1 && sm->entered == 1;
            if (!round) break;
            gcs_sm_leave(sm);
        }
        ok("places are used round and round", round && is_empty(sm) &&
           ((sm->wait_q_tail + 1) & sm->wait_q_mask) == sm->wait_q_head);
        int length, longest, shortest;
        double average, paused;
        long long paused_ns;
        gcs_sm_stats_get(sm, &length, &longest, &shortest, &average, &paused_ns, &paused);
        ok("most users at once are noted", longest == 1 && length == 0);
        ok("who enters is counted in the samples", sm->stats.send_q_samples == 52 && average == 0);
        gcs_sm_close(sm);
        const long closed = gcs_sm_schedule(sm);
        const bool free_ = !is_locked(sm);
        ok("a closed monitor cannot be scheduled", closed == -EBADFD);
        if (!free_) return 1;
        ok("nor be entered", gcs_sm_enter(sm, &cond, false, true) == -EBADFD &&
           gcs_sm_enter(sm, &cond, false, false) == -EBADFD);
        ok("a closed monitor stays unlocked and unused", is_empty(sm) && sm->stats.send_q_samples == 52);
        gcs_sm_open(sm);
        ok("opened again it can be entered", gcs_sm_enter(sm, &cond, false, true) == 0);
        gcs_sm_leave(sm);
        gcs_sm_destroy(sm);
    }
    {
        gcs_sm_t *sm = gcs_sm_create(4, 1);
        User users[4];
        for (int i = 0; i < 4; i++) {
            start(users[i], sm);
            if (i ? !waits(users[i]) : !wait_for(users[0].back)) {
                ok("whoever comes second gets a handle", false);
                return 1;
            }
        }
        ok("whoever comes second gets a handle", users[0].handle == 0 && users[1].handle > 0 &&
           users[2].handle > 0 && users[1].handle != users[2].handle);
        usleep(20000);
        ok("the second waits until the first leaves", !users[1].back && !users[2].back && sm->entered == 1);
        const long full = gcs_sm_schedule(sm);
        ok("a full monitor cannot be scheduled", full == -EAGAIN && !is_locked(sm));
        if (full != -EAGAIN) return 1;
        ok("nor be entered while it is full", gcs_sm_enter(sm, &cond, false, true) == -EAGAIN &&
           gcs_sm_enter(sm, &cond, false, false) == -EAGAIN && sm->users == 4);
        bool order = true, last = true;
        for (int i = 0; i < 4; i++) last = last && wait_for(users[i].back) && finish(users[i]);
        if (!last) return 1;
        for (int i = 0; i < 4; i++) order = order && users[i].ret == 0 && users[i].order == i + 1;
        ok("they enter in the order in which they came", order && is_empty(sm));
        int length, longest, shortest;
        double average, paused;
        long long paused_ns;
        gcs_sm_stats_get(sm, &length, &longest, &shortest, &average, &paused_ns, &paused);
        ok("who waits is counted by those before it", longest == 4 && sm->stats.send_q_samples == 4 &&
           average == (0 + 1 + 2 + 3) / 4.0);
        for (int turn = 0; turn < 20; turn++) {
            for (int i = 0; i < 4; i++) {
                start(users[i], sm);
                users[i].go = true;
            }
            for (int i = 0; i < 4; i++)
                if (!finish(users[i])) return 1;
        }
        ok("never are two inside", most_inside == 1 && entered == 84 && is_empty(sm));
        gcs_sm_destroy(sm);
    }
    {
        gcs_sm_t *sm = gcs_sm_create(4, 1);
        User first, second, third;
        gcs_sm_enter(sm, &cond, false, true);
        start(first, sm);
        bool ready = waits(first);
        start(second, sm);
        ready = ready && waits(second);
        if (!ready) return 1;
        const long done = gcs_sm_interrupt(sm, first.handle);
        ok("an interrupted one gives up", done == 0 && wait_for(first.back) && first.ret == -EINTR && !second.back);
        gcs_sm_leave(sm);
        ok("the one behind it enters", wait_for(second.back) && second.ret == 0 && sm->entered == 1);
        if (!finish(first) || !finish(second)) return 1;
        ok("nobody is left over after it", is_empty(sm) && gcs_sm_enter(sm, &cond, false, true) == 0);
        gcs_sm_leave(sm);

        gcs_sm_pause(sm);
        start(first, sm);
        ready = waits(first);
        start(second, sm);
        ready = ready && waits(second);
        start(third, sm);
        ready = ready && waits(third);
        if (!ready) return 1;
        usleep(20000);
        ok("while paused nobody enters", !first.back && !second.back && sm->entered == 0 && sm->users == 3);
        const bool gone = gcs_sm_interrupt(sm, first.handle) == 0 && wait_for(first.back);
        ok("an interrupted one in a pause gives up its place", gone && first.ret == -EINTR && !second.back);
        gcs_sm_continue(sm);
        const bool in = wait_for(second.back) && second.ret == 0;
        ok("a pause that ends lets the first one in", in && !third.back);
        if (!finish(first) || !finish(second) || !finish(third)) return 1;

        gcs_sm_enter(sm, &cond, false, true);
        const long late = gcs_sm_enter(sm, &cond, false, false);
        ok("who does not want to wait for ever is told after a while", late == -ETIMEDOUT && sm->entered == 1);
        gcs_sm_leave(sm);
        ok("that one has left the queue", is_empty(sm) && gcs_sm_enter(sm, &cond, false, true) == 0);

        start(first, sm);
        if (!waits(first)) return 1;
        pthread_t closer;
        pthread_create(&closer, NULL, close_it, sm);
        for (int i = 0; i < 4000 && sm->ret == 0; i++) usleep(500);
        gcs_sm_leave(sm);
        const bool told = wait_for(first.back) && first.ret == -EBADFD;
        if (!finish(first)) return 1;
        pthread_join(closer, NULL);
        ok("waiters of a monitor that is closed get an error", told && is_empty(sm));
        gcs_sm_open(sm);

        gcs_sm_grab(sm);
        start(first, sm);
        const bool stays = waits(first) && sm->entered == 1;
        gcs_sm_release(sm);
        ok("a grabbed monitor is entered when it is released", stays && wait_for(first.back) && first.ret == 0);
        if (!finish(first)) return 1;
        gcs_sm_destroy(sm);
    }
    gu_cond_destroy(&cond);
    return plan();
}
