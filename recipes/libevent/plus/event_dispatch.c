/*---
 * tasks: [event_dispatch-7046ed.2]
 * tests:
 *   dispatch without events returns 1: 'event.h, event_base_dispatch: "1 if no events were pending or active".'
 *   dispatch runs all events of the current base: 'Docstring: it "uses the current base".'
 *   dispatch waits for what is not ready yet: 'event.c: "Wait continuously for events".'
 *   dispatch goes on until no events are left: 'event.c: "We exit only if no events are left".'
 *   dispatch leaves other bases alone: 'Docstring: "uses the current base".'
 *   the last base is the current one: 'event_compat.h, event_loop: "the event base from the last call to event_init".'
 *   an exit ends dispatch with success: 'event.h, event_base_dispatch: "0 if successful".'
 *   a break ends dispatch with success: 'event.h, event_base_dispatch: "0 if successful".'
 *   dispatch inside of dispatch is an error: 'event.h, event_base_dispatch: "-1 if an error occurred".'
 *   loop without events returns 1: 'event.h, event_base_loop: "1 if no events were pending or active".'
 *   loop without flags goes on until no events are left: 'Docstring: "behaves like event_base_loop()".'
 *   loop that does not block returns at once: 'event.h: EVLOOP_NONBLOCK, "Do not block".'
 *   loop that does not block runs what is ready: 'event.h: EVLOOP_NONBLOCK, "see which events are ready now".'
 *   loop once waits for one event: 'event.h: EVLOOP_ONCE, "Block until we have an active event, then exit".'
 *   loop once runs all that are active: 'event.h: EVLOOP_ONCE, "once all active events have had their callbacks run".'
 *   loop without events can be told to go on: 'event.h: EVLOOP_NO_EXIT_ON_EMPTY.'
 *   flags can be put together: 'event.h: "any combination of" flags.'
 *   loop leaves other bases alone: 'Docstring: "uses the current base".'
 *   loop uses the last base: 'Docstring: "the event base from the last call to event_init".'
 *   an exit ends loop with success: 'event.h, event_base_loop: "0 if successful".'
 *   loop inside of loop is an error: 'event.h, event_base_loop: "-1 if an error occurred".'
 ---*/
#include "plus.h"
#include "event2/event_compat.h"

static int calls, inner = 5, more;
static struct event *mine;

static void count(evutil_socket_t fd, short what, void *arg) {
    calls++;
}

static void again(evutil_socket_t fd, short what, void *arg) {
    struct timeval soon = {0, 100};
    calls++;
    if (--more > 0) event_add(mine, &soon);
}

static void leave(evutil_socket_t fd, short what, void *arg) {
    calls++;
    event_loopexit(NULL);
}

static void stop(evutil_socket_t fd, short what, void *arg) {
    calls++;
    event_loopbreak();
}

static void dispatch_inside(evutil_socket_t fd, short what, void *arg) {
    inner = event_dispatch();
}

static void loop_inside(evutil_socket_t fd, short what, void *arg) {
    inner = event_loop(EVLOOP_NONBLOCK);
}

/* Makes an event with that callback active. */
static struct event *active(struct event_base *base, event_callback_fn function) {
    struct event *e = event_new(base, -1, 0, function, NULL);
    event_active(e, EV_READ, 1);
    return e;
}

int main(void) {
    struct timeval soon = {0, 2000}, now = {0, 0}, late = {3600, 0};
    plus_start();
    struct event_base *other = event_base_new(), *old = event_init(), *base = event_init();
    ok("dispatch without events returns 1", event_dispatch() == 1);
    active(base, count);
    active(base, count);
    active(base, count);
    int r = event_dispatch();
    ok("dispatch runs all events of the current base", r == 1 && calls == 3);
    struct event *e = event_new(base, -1, 0, count, NULL);
    event_add(e, &soon);
    calls = 0;
    r = event_dispatch();
    ok("dispatch waits for what is not ready yet", r == 1 && calls == 1);
    mine = event_new(base, -1, 0, again, NULL);
    more = 5;
    calls = 0;
    event_add(mine, &now);
    r = event_dispatch();
    ok("dispatch goes on until no events are left", r == 1 && calls == 5);
    active(other, count);
    calls = 0;
    r = event_dispatch();
    ok("dispatch leaves other bases alone", r == 1 && calls == 0);
    active(old, count);
    r = event_dispatch();
    ok("the last base is the current one", r == 1 && calls == 0);
    event_add(e, &late);
    active(base, leave);
    r = event_dispatch();
    ok("an exit ends dispatch with success", r == 0 && calls == 1 && event_pending(e, EV_TIMEOUT, NULL));
    calls = 0;
    active(base, stop);
    active(base, count);
    r = event_dispatch();
    ok("a break ends dispatch with success", r == 0 && calls == 1);
    event_del(e);
    event_dispatch();
    active(base, dispatch_inside);
    r = event_dispatch();
    ok("dispatch inside of dispatch is an error", r == 1 && inner == -1);

    ok("loop without events returns 1", event_loop(0) == 1 && event_loop(EVLOOP_ONCE) == 1);
    more = 5;
    calls = 0;
    event_add(mine, &now);
    r = event_loop(0);
    ok("loop without flags goes on until no events are left", r == 1 && calls == 5);
    event_add(e, &late);
    calls = 0;
    r = event_loop(EVLOOP_NONBLOCK);
    ok("loop that does not block returns at once", r == 0 && calls == 0 && event_pending(e, EV_TIMEOUT, NULL));
    active(base, count);
    r = event_loop(EVLOOP_NONBLOCK);
    ok("loop that does not block runs what is ready", r == 0 && calls == 1);
    struct event *f = event_new(base, -1, 0, count, NULL);
    event_add(f, &soon);
    calls = 0;
    r = event_loop(EVLOOP_ONCE);
    ok("loop once waits for one event", r == 0 && calls == 1 && event_pending(e, EV_TIMEOUT, NULL));
    active(base, count);
    active(base, count);
    calls = 0;
    r = event_loop(EVLOOP_ONCE);
    ok("loop once runs all that are active", r == 0 && calls == 2 && event_pending(e, EV_TIMEOUT, NULL));
    r = event_loop(EVLOOP_ONCE | EVLOOP_NONBLOCK);
    ok("flags can be put together", r == 0 && calls == 2 && event_pending(e, EV_TIMEOUT, NULL));
    calls = 0;
    r = event_loop(EVLOOP_NONBLOCK);
    ok("loop leaves other bases alone", r == 0 && calls == 0);
    active(base, leave);
    r = event_loop(0);
    ok("an exit ends loop with success", r == 0 && calls == 1 && event_pending(e, EV_TIMEOUT, NULL));
    event_del(e);
    r = event_loop(EVLOOP_NO_EXIT_ON_EMPTY | EVLOOP_NONBLOCK);
    ok("loop without events can be told to go on", r == 0 && event_loop(EVLOOP_NONBLOCK) == 1);
    active(base, loop_inside);
    inner = 5;
    r = event_loop(0);
    ok("loop inside of loop is an error", r == 1 && inner == -1);

    struct event_base *last = event_init();
    active(base, count);
    active(last, count);
    active(last, count);
    calls = 0;
    r = event_loop(0);
    ok("loop uses the last base", r == 1 && calls == 2);
    return plus_end();
}
