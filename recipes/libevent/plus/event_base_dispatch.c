/*---
 * tasks: [event_base_dispatch-7b5f5f]
 * tests:
 *   without events it returns 1: 'Docstring: "1 if we exited because no events were pending or active".'
 *   it returns 1 when all events are done: 'Docstring: "until there are no more pending or active".'
 *   all events are run: 'Docstring: "This loop will run the event base".'
 *   it waits for what is not ready yet: 'Docstring: "until either there are no more pending or active".'
 *   events that callbacks add are run too: 'Docstring: "until either there are no more pending or active".'
 *   it goes on for as long as an event is pending: 'Docstring: "until either there are no more pending or active".'
 *   the exit is a success: 'Docstring: "0 if successful"; "until something calls event_base_loopexit()".'
 *   after the exit what was active has run: 'event.h, event_base_loopexit: "handling all queued events".'
 *   the exit is remembered: 'event.h, event_base_got_exit: "until the event loop is next entered".'
 *   the break is a success: 'Docstring: "0 if successful"; "until something calls event_base_loopbreak()".'
 *   after the break nothing more has run: 'event.h, event_base_loopbreak: "Abort the active loop immediately".'
 *   afterwards it can be run again: 'event.h: "Subsequent invocations of event_base_loop() will proceed normally".'
 *   a second loop inside the first is an error: 'Docstring: "-1 if an error occurred"; "Only one can run".'
 *   only events of that base are run: 'Docstring: "will run the event base".'
 *   the current base is left alone: 'Docstring: the base that is given; event_compat.h has event_dispatch.'
 *   a pending event with an exit after some time ends: 'Docstring: "until something calls event_base_loopexit()".'
 *   a backend that fails is an error: 'Docstring: "-1 if an error occurred"; event-internal.h: dispatch.'
 ---*/
#include "plus.h"
#include "event2/event_compat.h"
#include "event-internal.h"

static struct event_base *base;
static struct event *mine, *another;
static int calls, more, inner = 5, fires, ends;

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
    event_base_loopexit(base, NULL);
}

static void stop(evutil_socket_t fd, short what, void *arg) {
    calls++;
    event_base_loopbreak(base);
}

static void nested(evutil_socket_t fd, short what, void *arg) {
    inner = event_base_dispatch(base);
}

static void tick(evutil_socket_t fd, short what, void *arg) {
    if (++fires == 20) event_del(mine);
}

static int failing(struct event_base *b, struct timeval *tv) {
    ends++;
    return -1;
}

int main(void) {
    struct timeval soon = {0, 2000}, now = {0, 0};
    struct event *e[6];
    plus_start();
    struct event_base *current = event_init(), *other = event_base_new();
    base = event_base_new();
    int r = event_base_dispatch(base);
    ok("without events it returns 1", r == 1);

    for (int i = 0; i < 5; i++) {
        e[i] = event_new(base, -1, 0, count, NULL);
        event_active(e[i], EV_READ, 1);
    }
    r = event_base_dispatch(base);
    ok("it returns 1 when all events are done", r == 1);
    ok("all events are run", calls == 5);
    calls = 0;
    event_add(e[0], &soon);
    r = event_base_dispatch(base);
    ok("it waits for what is not ready yet", r == 1 && calls == 1);
    mine = event_new(base, -1, 0, again, NULL);
    calls = 0;
    more = 6;
    event_add(mine, &now);
    r = event_base_dispatch(base);
    ok("events that callbacks add are run too", r == 1 && calls == 6);
    event_free(mine);
    struct timeval step = {0, 200};
    mine = event_new(base, -1, EV_PERSIST, tick, NULL);
    event_add(mine, &step);
    r = event_base_dispatch(base);
    ok("it goes on for as long as an event is pending", r == 1 && fires == 20);
    event_free(mine);

    int s[2];
    plus_sockets(s);
    another = event_new(base, s[0], EV_READ, count, NULL);
    event_add(another, NULL);
    struct event *l = event_new(base, -1, 0, leave, NULL);
    calls = 0;
    event_active(l, EV_READ, 1);
    event_active(e[1], EV_READ, 1);
    r = event_base_dispatch(base);
    ok("the exit is a success", r == 0);
    ok("after the exit what was active has run", calls == 2 && event_pending(another, EV_READ, NULL));
    ok("the exit is remembered", event_base_got_exit(base) && !event_base_got_break(base));
    event_free(l);
    l = event_new(base, -1, 0, stop, NULL);
    calls = 0;
    event_active(l, EV_READ, 1);
    event_active(e[1], EV_READ, 1);
    event_active(e[2], EV_READ, 1);
    r = event_base_dispatch(base);
    ok("the break is a success", r == 0);
    ok("after the break nothing more has run", calls == 1 && event_base_got_break(base));
    event_base_loopexit(base, &soon);
    r = event_base_dispatch(base);
    ok("afterwards it can be run again", r == 0 && calls == 3 && !event_base_got_break(base));
    event_base_loopexit(base, &soon);
    r = event_base_dispatch(base);
    ok("a pending event with an exit after some time ends",
       r == 0 && calls == 3 && event_pending(another, EV_READ, NULL));
    event_del(another);
    event_free(l);

    l = event_new(base, -1, 0, nested, NULL);
    event_active(l, EV_READ, 1);
    r = event_base_dispatch(base);
    ok("a second loop inside the first is an error", r == 1 && inner == -1);

    struct event *o = event_new(other, -1, 0, count, NULL), *c = event_new(current, -1, 0, count, NULL);
    event_active(o, EV_READ, 1);
    event_active(c, EV_READ, 1);
    calls = 0;
    r = event_base_dispatch(base);
    int alone = r == 1 && calls == 0;
    r = event_base_dispatch(other);
    ok("only events of that base are run", alone && r == 1 && calls == 1);
    calls = 0;
    r = event_base_dispatch(base);
    int left = r == 1 && calls == 0;
    r = event_base_dispatch(current);
    ok("the current base is left alone", left && r == 1 && calls == 1);

    struct eventop broken = *base->evsel;
    const struct eventop *real = base->evsel;
    broken.dispatch = failing;
    base->evsel = &broken;
    event_add(another, NULL);
    r = event_base_dispatch(base);
    base->evsel = real;
    ok("a backend that fails is an error", r == -1 && ends == 1);
    return plus_end();
}
