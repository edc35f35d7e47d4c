/*---
 * tasks: [event_new-7e0c93.2]
 * tests:
 *   an event is made: 'Docstring: "a newly allocated struct event".'
 *   it is a block of the size of an event: 'Docstring: "newly allocated struct event"; heap with guards.'
 *   it is attached to the base: 'Docstring: "the event base to which the event should be attached".'
 *   it has the descriptor and the kinds of events: 'Docstring: "The fd and events arguments".'
 *   it has the callback and its argument: 'Docstring: "the callback and callback_arg arguments".'
 *   it is initialized but not pending: 'Docstring: "ready to be added"; event_initialized, event_pending.'
 *   the callback runs with descriptor kind and argument: 'Docstring: "with three arguments".'
 *   an event that is not persistent runs once: 'Docstring: "EV_PERSIST makes event_add() persistent".'
 *   a persistent event runs again and again: 'Docstring: "persistent until event_del() is called".'
 *   an event can be one of time alone: 'Docstring: "triggered only by a timeout or by manual activation".'
 *   the event itself can be the argument: 'event.h, event_self_cbarg: "the event itself must be used".'
 *   a signal can be waited for: 'Docstring: "If events contains EV_SIGNAL, then fd is a signal number".'
 *   a signal and a descriptor do not go together: 'Docstring: "NULL if an error occurred"; event_assign: -1.'
 *   then nothing is left in memory: 'Docstring: "NULL if an error occurred".'
 *   each event is a new one: 'Docstring: "newly allocated".'
 *   without memory there is no event: 'Docstring: "NULL if an error occurred".'
 *   it is freed by event_free: 'Docstring: "must later be freed with event_free()".'
 *   a function of the user allocates it: 'event.h, event_set_mem_functions; event_free frees with the other.'
 *   if that function fails there is no event: 'Docstring: "NULL if an error occurred".'
 *   malloc gives memory: 'Docstring of event_mm_malloc_: "a pointer to sz newly allocated bytes".'
 *   malloc has room for all bytes: 'Docstring of event_mm_malloc_: "sz newly allocated bytes".'
 *   malloc of nothing gives NULL: 'Docstring of event_mm_malloc_: "If the argument sz is 0, simply return NULL".'
 *   malloc without memory gives NULL and ENOMEM: 'Docstring of event_mm_malloc_: "set errno to ENOMEM".'
 *   malloc of too much gives NULL and ENOMEM: 'Docstring of event_mm_malloc_: "On failure".'
 *   malloc uses the function of the user: 'event.h, event_set_mem_functions.'
 *   malloc gives that function the size: 'event.h, event_set_mem_functions.'
 *   malloc of nothing gives NULL with that function too: 'Docstring of event_mm_malloc_: "If the argument sz is 0".'
 *   malloc gives what that function gives when it fails: 'Docstring of event_mm_malloc_: "return NULL".'
 *   malloc is as before without that function: 'event.h, event_set_mem_functions: the default functions.'
 ---*/
#include "plus.h"
#include <signal.h>
#include "event2/event_struct.h"
#include "event2/util.h"
#include "mm-internal.h"

static int calls, seen_fd, argument, allocations, frees, refuse;
static short seen_kind;
static void *seen_argument;
static size_t asked;

static void note(evutil_socket_t fd, short what, void *arg) {
    calls++;
    seen_fd = fd;
    seen_kind = what;
    seen_argument = arg;
}

static void *mine(size_t size) {
    asked = size;
    allocations++;
    return refuse ? NULL : malloc(size);
}

static void *resize(void *p, size_t size) {
    return realloc(p, size);
}

static void give_back(void *p) {
    frees++;
    free(p);
}

int main(void) {
    int s[2];
    char c;
    plus_start();
    plus_sockets(s);
    struct event_base *base = event_base_new();
    struct event *e = event_new(base, s[0], EV_READ, note, &argument);
    ok("an event is made", e != NULL && plus_live(e));
    ok("it is a block of the size of an event", plus_size(e) >= event_get_struct_event_size());
    ok("it is attached to the base", event_get_base(e) == base);
    ok("it has the descriptor and the kinds of events", event_get_fd(e) == s[0] && event_get_events(e) == EV_READ);
    ok("it has the callback and its argument",
       event_get_callback(e) == note && event_get_callback_arg(e) == &argument);
    ok("it is initialized but not pending",
       event_initialized(e) && !event_pending(e, EV_READ | EV_WRITE | EV_TIMEOUT | EV_SIGNAL, NULL));
    int added = event_add(e, NULL);
    (void)!write(s[1], "x", 1);
    event_base_loop(base, EVLOOP_ONCE | EVLOOP_NONBLOCK);
    ok("the callback runs with descriptor kind and argument",
       added == 0 && calls == 1 && seen_fd == s[0] && seen_kind == EV_READ && seen_argument == &argument);
    event_base_loop(base, EVLOOP_ONCE | EVLOOP_NONBLOCK);
    ok("an event that is not persistent runs once", calls == 1 && !event_pending(e, EV_READ, NULL));
    event_free(e);
    e = event_new(base, s[0], EV_READ | EV_PERSIST, note, NULL);
    event_add(e, NULL);
    calls = 0;
    for (int i = 0; i < 3; i++) event_base_loop(base, EVLOOP_ONCE | EVLOOP_NONBLOCK);
    ok("a persistent event runs again and again",
       calls == 3 && seen_argument == NULL && event_pending(e, EV_READ, NULL));
    (void)!read(s[0], &c, 1);
    event_free(e);
    e = event_new(base, -1, 0, note, &argument);
    struct timeval soon = {0, 1};
    event_add(e, &soon);
    calls = 0;
    event_base_dispatch(base);
    ok("an event can be one of time alone", calls == 1 && seen_fd == -1 && seen_kind == EV_TIMEOUT);
    event_free(e);
    e = event_new(base, -1, 0, note, event_self_cbarg());
    event_active(e, EV_WRITE, 1);
    event_base_loop(base, EVLOOP_ONCE | EVLOOP_NONBLOCK);
    ok("the event itself can be the argument", seen_argument == e && event_get_callback_arg(e) == e);
    event_free(e);
    e = event_new(base, SIGUSR1, EV_SIGNAL | EV_PERSIST, note, &argument);
    calls = 0;
    event_add(e, NULL);
    raise(SIGUSR1);
    event_base_loop(base, EVLOOP_ONCE);
    ok("a signal can be waited for", calls == 1 && seen_fd == SIGUSR1 && seen_kind == EV_SIGNAL);
    event_free(e);

    long live = plus_live_blocks;
    struct event *bad[3] = {
        event_new(base, SIGUSR1, EV_SIGNAL | EV_READ, note, NULL),
        event_new(base, SIGUSR1, EV_SIGNAL | EV_WRITE | EV_PERSIST, note, NULL),
        event_new(base, SIGUSR1, EV_SIGNAL | EV_CLOSED, note, NULL)
    };
    ok("a signal and a descriptor do not go together", !bad[0] && !bad[1] && !bad[2]);
    ok("then nothing is left in memory", plus_live_blocks == live);
    e = event_new(base, s[0], EV_READ, note, NULL);
    struct event *f = event_new(base, s[0], EV_READ, note, NULL);
    ok("each event is a new one", e && f && e != f && plus_live(f));
    event_add(e, NULL);
    event_free(e);
    event_free(f);
    (void)!write(s[1], "x", 1);
    calls = 0;
    event_base_loop(base, EVLOOP_ONCE | EVLOOP_NONBLOCK);
    ok("it is freed by event_free", plus_live_blocks == live && calls == 0);
    plus_fail_at = 1;
    e = event_new(base, s[0], EV_READ, note, NULL);
    plus_fail_at = 0;
    ok("without memory there is no event", e == NULL && plus_live_blocks == live);

    event_set_mem_functions(mine, resize, give_back);
    e = event_new(base, s[0], EV_READ, note, NULL);
    int from = e && allocations == 1 && asked >= event_get_struct_event_size();
    event_free(e);
    from &= frees == 1 && !event_new(base, SIGUSR1, EV_SIGNAL | EV_READ, note, NULL) && frees == allocations;
    ok("a function of the user allocates it", from && plus_live_blocks == live);
    refuse = 1;
    e = event_new(base, s[0], EV_READ, note, NULL);
    ok("if that function fails there is no event", e == NULL && plus_live_blocks == live);
    allocations = 0;
    errno = 0;
    void *p = event_mm_malloc_(10);
    ok("malloc gives what that function gives when it fails", p == NULL && allocations == 1);
    refuse = 0;
    allocations = 0;
    p = event_mm_malloc_(0);
    ok("malloc of nothing gives NULL with that function too", p == NULL);
    allocations = 0;
    p = event_mm_malloc_(123);
    ok("malloc uses the function of the user", plus_live(p) && allocations == 1);
    ok("malloc gives that function the size", asked == 123 && plus_size(p) == 123);
    event_mm_free_(p);
    event_set_mem_functions(NULL, NULL, NULL);
    allocations = 0;
    p = event_mm_malloc_(50);
    ok("malloc is as before without that function", plus_live(p) && allocations == 0);
    event_mm_free_(p);
    p = event_mm_malloc_(77);
    ok("malloc gives memory", plus_live(p));
    ok("malloc has room for all bytes", plus_size(p) >= 77);
    event_mm_free_(p);
    ok("malloc of nothing gives NULL", event_mm_malloc_(0) == NULL && plus_live_blocks == live);
    plus_fail_at = 1;
    errno = 0;
    p = event_mm_malloc_(5);
    int code = errno;
    plus_fail_at = 0;
    ok("malloc without memory gives NULL and ENOMEM", p == NULL && code == ENOMEM);
    errno = 0;
    p = event_mm_malloc_(EV_SIZE_MAX);
    ok("malloc of too much gives NULL and ENOMEM", p == NULL && errno == ENOMEM);
    return plus_end();
}
