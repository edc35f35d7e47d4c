/*---
 * tasks: [bufferevent_add_event_-162608]
 * tests:
 *   a timeout of zero is a success: 'Callers take only a negative result for an error.'
 *   a timeout of zero adds the event: 'Docstring: "in which case add ev with no timeout".'
 *   a timeout of zero sets no timeout: 'Docstring: "in which case add ev with no timeout".'
 *   without a timeout the event never times out: 'Docstring: "add ev with no timeout".'
 *   without a timeout the event still waits for data: 'Docstring: "Add the event".'
 *   a timeout is a success: 'Callers take only a negative result for an error.'
 *   the event with a timeout waits for data too: 'Docstring: "Add the event ev with timeout tv".'
 *   the timeout is as long as is said: 'Docstring: "with timeout tv".'
 *   a timeout of microseconds alone is one: 'Docstring: "unless tv is set to 0".'
 *   a timeout of seconds alone is one: 'Docstring: "unless tv is set to 0".'
 *   the time can be changed after the call: 'The parameter is const; bufferevents keep their own times.'
 *   the event times out: 'Docstring: "with timeout tv"; bufferevent_sock.c: EV_TIMEOUT goes to the callbacks.'
 *   a persistent event times out again and again: 'event.h: EV_PERSIST; the events of bufferevents are so.'
 *   a new timeout replaces the old one: 'event.h, event_add: "replaces the old timeout with the new one".'
 *   a common timeout is kept as such: 'event.h, event_base_init_common_timeout: for event_add().'
 *   what can not be added without a timeout is an error: 'Callers; event.h, event_add: "-1 if an error occurred".'
 *   what can not be added with a timeout is an error: 'Callers; event.h, event_add: "-1 if an error occurred".'
 *   after an error nothing is pending: 'event.h, event_pending: the event was not added.'
 *   without memory it is an error: 'event.h, event_add: "-1 if an error occurred".'
 *   an event that is not there any more does not come back: 'event.h, event_del after the call.'
 ---*/
#include "plus.h"
#include "event2/event_struct.h"
#include "event2/buffer.h"
#include "event2/bufferevent.h"
#include "bufferevent-internal.h"

static int calls, kinds;

static void note(evutil_socket_t fd, short what, void *arg) {
    calls++;
    kinds |= what;
}

static void once(struct event_base *base, int flags) {
    calls = kinds = 0;
    event_base_loop(base, flags);
}

/* Whether EV times out in about SECONDS. */
static int due(struct event *ev, double seconds) {
    struct timeval at = {0, 0}, now;
    if (!event_pending(ev, EV_TIMEOUT, &at)) return 0;
    evutil_gettimeofday(&now, NULL);
    double in = (double)(at.tv_sec - now.tv_sec);
    return in > seconds - 200 && in < seconds + 200;
}

int main(void) {
    int p[2], r;
    char c;
    struct event ev, last;
    struct timeval none = {0, 0}, tv;
    plus_start();
    plus_sockets(p);
    struct event_base *base = event_base_new();

    event_assign(&ev, base, p[0], EV_READ | EV_PERSIST, note, NULL);
    r = bufferevent_add_event_(&ev, &none);
    ok("a timeout of zero is a success", r == 0);
    ok("a timeout of zero adds the event", event_pending(&ev, EV_READ, NULL) == EV_READ);
    ok("a timeout of zero sets no timeout", !event_pending(&ev, EV_TIMEOUT, NULL));
    once(base, EVLOOP_ONCE | EVLOOP_NONBLOCK);
    ok("without a timeout the event never times out", calls == 0);
    (void)!write(p[1], "x", 1);
    once(base, EVLOOP_ONCE | EVLOOP_NONBLOCK);
    ok("without a timeout the event still waits for data", calls == 1 && kinds == EV_READ);
    (void)!read(p[0], &c, 1);
    event_del(&ev);

    tv = (struct timeval) {100000, 7};
    r = bufferevent_add_event_(&ev, &tv);
    ok("a timeout is a success", r == 0);
    int good = event_pending(&ev, EV_READ, NULL) == EV_READ;
    (void)!write(p[1], "x", 1);
    once(base, EVLOOP_ONCE | EVLOOP_NONBLOCK);
    ok("the event with a timeout waits for data too", good && calls == 1 && kinds == EV_READ);
    (void)!read(p[0], &c, 1);
    ok("the timeout is as long as is said", due(&ev, 100000));
    event_del(&ev);
    ok("an event that is not there any more does not come back", !event_pending(&ev, EV_READ | EV_TIMEOUT, NULL));

    tv = (struct timeval) {0, 500000};
    r = bufferevent_add_event_(&ev, &tv);
    ok("a timeout of microseconds alone is one", r == 0 && due(&ev, 0));
    event_del(&ev);
    tv = (struct timeval) {50000, 0};
    r = bufferevent_add_event_(&ev, &tv);
    ok("a timeout of seconds alone is one", r == 0 && due(&ev, 50000));
    int kept = tv.tv_sec == 50000 && tv.tv_usec == 0;
    memset(&tv, 0x55, sizeof(tv));
    ok("the time can be changed after the call", kept && due(&ev, 50000));

    tv = (struct timeval) {900000, 0};
    r = bufferevent_add_event_(&ev, &tv);
    good = r == 0 && due(&ev, 900000);
    tv = (struct timeval) {3000, 0};
    r = bufferevent_add_event_(&ev, &tv);
    ok("a new timeout replaces the old one", good && r == 0 && due(&ev, 3000));
    event_del(&ev);

    tv = (struct timeval) {0, 1};
    event_assign(&last, base, p[0], EV_READ, note, NULL);
    r = bufferevent_add_event_(&last, &tv);
    once(base, EVLOOP_ONCE);
    ok("the event times out", r == 0 && calls == 1 && kinds == EV_TIMEOUT);
    r = bufferevent_add_event_(&ev, &tv);
    int times = 0;
    for (int i = 0; i < 3; i++) {
        once(base, EVLOOP_ONCE);
        times += calls > 0 && kinds == EV_TIMEOUT;
    }
    ok("a persistent event times out again and again", r == 0 && times == 3);
    event_del(&ev);

    tv = (struct timeval) {20000, 0};
    const struct timeval *common = event_base_init_common_timeout(base, &tv);
    r = bufferevent_add_event_(&ev, common);
    ok("a common timeout is kept as such",
       r == 0 && due(&ev, 20000) && ev.ev_timeout.tv_usec >> 20 == common->tv_usec >> 20);
    event_del(&ev);

    int closed = dup(p[0]);
    close(closed);
    tv = (struct timeval) {1000, 0};
    event_assign(&last, base, closed, EV_READ | EV_PERSIST, note, NULL);
    r = bufferevent_add_event_(&last, &none);
    ok("what can not be added without a timeout is an error", r == -1);
    good = !event_pending(&last, EV_READ | EV_TIMEOUT, NULL);
    r = bufferevent_add_event_(&last, &tv);
    ok("what can not be added with a timeout is an error", r == -1);
    ok("after an error nothing is pending", good && !event_pending(&last, EV_READ | EV_TIMEOUT, NULL));
    event_base_free(base);

    good = 1;
    for (int i = 0; i < 2; i++) {
        base = event_base_new();
        event_assign(&ev, base, p[0], EV_READ | EV_PERSIST, note, NULL);
        plus_fail_at = 1;
        r = bufferevent_add_event_(&ev, i ? &tv : &none);
        plus_fail_at = 0;
        good &= r == -1 && !event_pending(&ev, EV_READ | EV_TIMEOUT, NULL);
        event_base_free(base);
    }
    ok("without memory it is an error", good);
    return plus_end();
}
