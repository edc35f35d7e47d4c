/*---
 * tasks: [event_set-4ca195.2]
 * tests:
 *   set gives the event its parts: 'Docstring: "Prepare an event structure to be added".'
 *   set attaches the event to the current base: 'event_compat.h: functions without a base use the current one.'
 *   the last base is the current one: 'event_compat.h, event_init; event_loop: "the last call to event_init".'
 *   an event that is set is initialized but not pending: 'Docstring: "to be added"; event_initialized.'
 *   an event that is set runs: 'Docstring: "to be added".'
 *   an event that is set can get another base: 'Docstring: "requires a subsequent call to event_base_set()".'
 *   set without a current base waits for one: 'Docstring: event_base_set() afterwards.'
 *   set prepares signals and timers: 'event_compat.h: evtimer_set, evsignal_set.'
 *   set can make the event the argument: 'event.h, event_self_cbarg; event_set is prepared by event_assign.'
 *   assign is a success: 'Docstring of event_assign: "0 if success".'
 *   assign gives the event its parts: 'Docstring of event_assign: fd, events, callback, callback_arg.'
 *   assign attaches the event to the base: 'Docstring of event_assign: base.'
 *   assign without a base takes the current one: 'Callers bufferevent_socket_new, bufferevent_new.'
 *   assign can make the event the argument: 'event.h, event_self_cbarg: "possible to pass for event_assign()".'
 *   what was in the memory does not matter: 'Docstring of event_assign: "already-allocated event structure".'
 *   an assigned event is initialized but not pending: 'Docstring of event_assign: "to be added".'
 *   the priority is the middle one: 'event.h, event_priority_set: "by default middle"; event_base_priority_init.'
 *   a signal and reading do not go together: 'Docstring of event_assign: "-1 on invalid arguments".'
 *   a signal and writing do not go together: 'Docstring of event_assign: "-1 on invalid arguments".'
 *   a signal and closing do not go together: 'Docstring of event_assign: "-1 on invalid arguments".'
 *   a persistent event stays: 'event.h: EV_PERSIST, "not removed automatically when activated".'
 *   another event goes: 'event.h: EV_PERSIST is not set.'
 *   a persistent event without a timeout never gets one: 'event.h, event_add: "no timeout occurs".'
 *   a persistent event of time runs again: 'event.h: EV_PERSIST with a timeout.'
 *   a timer runs once: 'event.h: evtimer_assign.'
 *   a signal is delivered: 'event.h: evsignal_assign.'
 *   a persistent signal is delivered again: 'event.h: evsignal_assign has EV_PERSIST.'
 *   an event can be assigned again: 'Docstring of event_assign: "to change an existing event".'
 *   assigned again it has none of its past: 'Docstring of event_assign: "as for event_new()".'
 *   debug mode knows the event: 'event.h, debug mode: "Any function is called on a non-assigned event".'
 *   debug mode notices an event that is assigned while it is added: 'event.h, debug mode: "re-assigned while added".'
 *   in debug mode a signal is no descriptor: 'Docstring of event_new: "fd is a signal number".'
 ---*/
#include "plus.h"
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include "event2/event_compat.h"
#include "event2/event_struct.h"

static int calls, seen_fd, argument;
static short seen_kind;
static void *seen_argument;
static int s[2];

static void note(evutil_socket_t fd, short what, void *arg) {
    calls++;
    seen_fd = fd;
    seen_kind = what;
    seen_argument = arg;
}

static void another(evutil_socket_t fd, short what, void *arg) {
}

static int has(struct event *e, int fd, short kinds, event_callback_fn function, void *arg) {
    return event_get_fd(e) == fd && event_get_events(e) == kinds && event_get_callback(e) == function &&
           event_get_callback_arg(e) == arg;
}

static int idle(struct event *e) {
    return event_initialized(e) && !event_pending(e, EV_READ | EV_WRITE | EV_TIMEOUT | EV_SIGNAL, NULL);
}

static int run(struct event_base *base, int times) {
    calls = 0;
    for (int i = 0; i < times; i++) event_base_loop(base, EVLOOP_ONCE | EVLOOP_NONBLOCK);
    return calls;
}

/* How a process ends that uses events in debug mode. */
static int debug(int how) {
    pid_t child = fork();
    if (child == 0) {
        struct rlimit none = {0, 0};
        struct event e, f;
        struct timeval late = {1000, 0};
        setrlimit(RLIMIT_CORE, &none);
        event_enable_debug_mode();
        struct event_base *base = event_init();
        if (how == 0) {
            event_assign(&e, base, s[0], EV_READ, note, NULL);
            event_set(&f, s[0], EV_READ, note, NULL);
            if (event_add(&e, NULL) || event_add(&f, &late) || event_del(&e) || event_del(&f)) _exit(3);
            event_assign(&e, base, s[0], EV_WRITE, note, NULL);
            event_set(&f, s[0], EV_WRITE, note, NULL);
            event_debug_unassign(&e);
            event_debug_unassign(&f);
        } else if (how == 1) {
            event_assign(&e, base, s[0], EV_READ, note, NULL);
            event_add(&e, NULL);
            event_assign(&e, base, s[0], EV_READ, note, NULL);
        } else {
            int p[2];
            if (pipe(p) || dup2(p[0], SIGUSR1) < 0) _exit(4);
            event_assign(&e, base, SIGUSR1, EV_SIGNAL, note, NULL);
            evsignal_set(&f, SIGUSR1, note, NULL);
            if (event_add(&e, NULL) || event_del(&e)) _exit(3);
        }
        _exit(0);
    }
    int status = -1;
    waitpid(child, &status, 0);
    return status;
}

int main(void) {
    char c;
    struct timeval now = {0, 0}, soon = {0, 1}, late = {1000, 0};
    plus_start();
    plus_sockets(s);
    ok("debug mode knows the event", debug(0) == 0);
    ok("debug mode notices an event that is assigned while it is added", debug(1) != 0);
    ok("in debug mode a signal is no descriptor", debug(2) == 0);

    struct event e, f;
    struct event_base *own = event_base_new();
    memset(&e, 0xc7, sizeof(e));
    event_set(&e, s[0], EV_READ, note, NULL);
    int none = event_get_base(&e) == NULL && event_base_set(own, &e) == 0 && event_add(&e, NULL) == 0;
    (void)!write(s[1], "x", 1);
    ok("set without a current base waits for one", none && run(own, 2) == 1 && seen_fd == s[0]);

    struct event_base *old = event_init();
    event_set(&f, -1, 0, note, NULL);
    int first = event_get_base(&f) == old;
    struct event_base *base = event_init();
    memset(&e, 0xc7, sizeof(e));
    event_set(&e, s[0], EV_READ | EV_PERSIST, note, &argument);
    ok("set gives the event its parts", has(&e, s[0], EV_READ | EV_PERSIST, note, &argument));
    ok("set attaches the event to the current base", event_get_base(&e) == base);
    ok("the last base is the current one", first && event_get_base(&f) == old);
    ok("an event that is set is initialized but not pending", idle(&e));
    int added = event_add(&e, NULL);
    ok("an event that is set runs", added == 0 && run(base, 2) == 2 && seen_fd == s[0] && seen_kind == EV_READ &&
       seen_argument == &argument);
    event_del(&e);
    event_set(&e, s[0], EV_READ, note, NULL);
    int r = event_base_set(own, &e);
    event_add(&e, NULL);
    ok("an event that is set can get another base",
       r == 0 && event_get_base(&e) == own && run(base, 1) == 0 && run(own, 1) == 1);
    evtimer_set(&e, note, &argument);
    event_add(&e, &now);
    int timer = run(base, 2) == 1 && seen_kind == EV_TIMEOUT && seen_fd == -1;
    evsignal_set(&e, SIGUSR2, note, NULL);
    event_add(&e, NULL);
    raise(SIGUSR2);
    int one = run(base, 2);
    raise(SIGUSR2);
    ok("set prepares signals and timers",
       timer && one == 1 && run(base, 2) == 1 && seen_fd == SIGUSR2 && seen_kind == EV_SIGNAL);
    event_del(&e);
    event_set(&e, -1, 0, note, event_self_cbarg());
    ok("set can make the event the argument", event_get_callback_arg(&e) == &e);

    event_base_priority_init(own, 7);
    memset(&e, 0xc7, sizeof(e));
    r = event_assign(&e, own, s[0], EV_READ | EV_PERSIST, note, &argument);
    ok("assign is a success", r == 0);
    ok("assign gives the event its parts", has(&e, s[0], EV_READ | EV_PERSIST, note, &argument));
    ok("assign attaches the event to the base", event_get_base(&e) == own);
    ok("an assigned event is initialized but not pending", idle(&e));
    ok("the priority is the middle one", event_get_priority(&e) == 3);
    event_add(&e, NULL);
    ok("a persistent event stays", run(own, 3) == 3 && event_pending(&e, EV_READ, NULL));
    ok("a persistent event without a timeout never gets one", !event_pending(&e, EV_TIMEOUT, NULL));
    int right = seen_fd == s[0] && seen_kind == EV_READ;
    event_del(&e);
    memset(&e, 0xc7, sizeof(e));
    event_assign(&e, own, SIGUSR1, EV_SIGNAL | EV_PERSIST, note, NULL);
    r = event_add(&e, NULL) || event_del(&e);
    ok("what was in the memory does not matter", right && r == 0 && idle(&e));
    memset(&e, 0xc7, sizeof(e));
    event_assign(&e, own, s[0], EV_READ, note, &argument);
    event_add(&e, &late);
    ok("another event goes", run(own, 3) == 1 && idle(&e));
    (void)!read(s[0], &c, 1);
    event_assign(&e, own, -1, EV_PERSIST, note, NULL);
    event_add(&e, &soon);
    calls = 0;
    for (int i = 0; i < 3; i++) event_base_loop(own, EVLOOP_ONCE);
    ok("a persistent event of time runs again", calls >= 3 && event_pending(&e, EV_TIMEOUT, NULL));
    event_del(&e);
    event_assign(&e, own, -1, 0, note, NULL);
    event_add(&e, &now);
    ok("a timer runs once", run(own, 3) == 1 && idle(&e));

    memset(&e, 0xc7, sizeof(e));
    r = event_assign(&e, own, SIGUSR1, EV_SIGNAL | EV_PERSIST, note, &argument);
    event_add(&e, NULL);
    raise(SIGUSR1);
    one = run(own, 2);
    ok("a signal is delivered", r == 0 && one == 1 && seen_fd == SIGUSR1 && seen_kind == EV_SIGNAL);
    raise(SIGUSR1);
    ok("a persistent signal is delivered again", run(own, 2) == 1 && event_pending(&e, EV_SIGNAL, NULL));
    event_del(&e);
    r = event_assign(&e, own, SIGUSR1, EV_SIGNAL, note, NULL);
    ok("a signal and reading do not go together",
       r == 0 && event_assign(&e, own, SIGUSR1, EV_SIGNAL | EV_READ, note, NULL) == -1);
    ok("a signal and writing do not go together",
       event_assign(&e, own, SIGUSR1, EV_SIGNAL | EV_WRITE, note, NULL) == -1 &&
       event_assign(&e, own, SIGUSR1, EV_SIGNAL | EV_READ | EV_WRITE | EV_PERSIST, note, NULL) == -1);
    ok("a signal and closing do not go together",
       event_assign(&e, own, SIGUSR1, EV_SIGNAL | EV_CLOSED, note, NULL) == -1);

    r = event_assign(&e, NULL, s[0], EV_WRITE, note, NULL);
    ok("assign without a base takes the current one", r == 0 && event_get_base(&e) == base);
    r = event_assign(&e, own, -1, 0, note, event_self_cbarg());
    event_active(&e, EV_READ, 1);
    run(own, 1);
    ok("assign can make the event the argument",
       r == 0 && event_get_callback_arg(&e) == &e && seen_argument == &e);

    event_assign(&e, own, s[0], EV_READ | EV_PERSIST, note, &argument);
    event_priority_set(&e, 1);
    event_add(&e, &late);
    event_active(&e, EV_TIMEOUT, 1);
    run(own, 1);
    event_del(&e);
    r = event_assign(&e, base, s[0], EV_WRITE | EV_PERSIST, another, NULL);
    ok("an event can be assigned again",
       r == 0 && has(&e, s[0], EV_WRITE | EV_PERSIST, another, NULL) && event_get_base(&e) == base && idle(&e));
    event_assign(&e, own, s[0], EV_WRITE | EV_PERSIST, note, NULL);
    int middle = event_get_priority(&e) == 3;
    event_add(&e, NULL);
    ok("assigned again it has none of its past",
       middle && run(own, 1) == 1 && seen_kind == EV_WRITE && !event_pending(&e, EV_TIMEOUT, NULL));
    return plus_end();
}
