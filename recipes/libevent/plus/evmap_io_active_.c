/*---
 * tasks: [evmap_io_active_-6947b0]
 * tests:
 *   who waits for reading is activated: 'Docstring: "Active the set of events waiting on a given fd".'
 *   who waits for writing only is not: 'Docstring: "events: a bitmask"; the events that wait for them.'
 *   who waits for both is told only what happened: 'event.h, event_new: "a bitfield of the events that triggered".'
 *   several events on a descriptor are all activated: 'Docstring: "the set of events"; event.h: multiple on one fd.'
 *   each is activated once: 'Docstring: "Active the set of events".'
 *   the callback gets the descriptor: 'Docstring: "the file descriptor that has become active".'
 *   who waits for writing is activated for writing: 'Docstring: events.'
 *   both at once are told to each what it waits for: 'Docstring: "a bitmask of EV_READ|EV_WRITE|EV_ET".'
 *   who waits for the end is activated for the end: 'event.h: EV_CLOSED; epoll.c calls it so.'
 *   other descriptors are left alone: 'Docstring: "for a given fd".'
 *   other bases are left alone: 'Docstring: "waiting on an event_base".'
 *   an event that was removed is left alone: 'event.h, event_del.'
 *   an event that goes is gone afterwards: 'event.h: without EV_PERSIST it is removed when activated.'
 *   nothing happened activates nothing: 'Docstring: events.'
 *   edge triggered alone activates nothing: 'Docstring: EV_ET is no kind of event to wait for.'
 *   an edge triggered event is told so: 'event.h, event_new: "EV_ET indicates that an edge-triggered event occurred".'
 *   another event is not told so: 'event.h, event_new: EV_ET.'
 *   a negative descriptor is passed over: 'evmap.c, evmap_io_add_: "fd < 0" is no entry.'
 *   a descriptor behind the table is passed over: 'evmap.c: nentries; signals have the same test.'
 *   a descriptor without events is passed over: 'evmap.c, GET_IO_SLOT: "NULL if there are no entries".'
 *   a descriptor whose events are gone is passed over: 'Docstring: "the set of events waiting".'
 *   they are pending still: 'Docstring: it activates; event.h, EV_PERSIST.'
 ---*/
#include "plus.h"
#include "event2/event_struct.h"
#include "event-internal.h"
#include "evmap-internal.h"

enum { MOST = 12 };
static int calls[MOST], descriptors[MOST];
static short kinds[MOST];

static void note(evutil_socket_t fd, short what, void *arg) {
    int i = (int)(intptr_t)arg;
    calls[i]++;
    kinds[i] = what;
    descriptors[i] = fd;
}

/* Two sockets, the first of which can't be written to now. */
static void busy(int s[2]) {
    char block[4096] = "";
    plus_sockets(s);
    while (write(s[0], block, sizeof(block)) > 0) ;
    while (write(s[0], block, 1) > 0) ;
}

static struct event *add(struct event_base *base, int fd, short events, int i) {
    struct event *e = event_new(base, fd, events, note, (void *)(intptr_t)i);
    if (event_add(e, NULL)) exit(2);
    return e;
}

static void fire(struct event_base *base, int fd, short events) {
    memset(calls, 0, sizeof(calls));
    memset(kinds, 0, sizeof(kinds));
    memset(descriptors, 0, sizeof(descriptors));
    evmap_io_active_(base, fd, events);
    event_base_loop(base, EVLOOP_NONBLOCK);
}

static int silent(void) {
    for (int i = 0; i < MOST; i++) if (calls[i]) return 0;
    return 1;
}

int main(void) {
    int s[2], t[2], u[2];
    plus_start();
    busy(s);
    busy(t);
    busy(u);
    struct event_base *base = event_base_new(), *other = event_base_new();
    struct event *r = add(base, s[0], EV_READ | EV_PERSIST, 0);
    struct event *w = add(base, s[0], EV_WRITE | EV_PERSIST, 1);
    struct event *rw = add(base, s[0], EV_READ | EV_WRITE | EV_PERSIST, 2);
    struct event *r2 = add(base, s[0], EV_READ | EV_PERSIST, 3);
    add(base, t[0], EV_READ | EV_WRITE | EV_PERSIST, 4);
    add(other, s[0], EV_READ | EV_WRITE | EV_PERSIST, 5);
    add(base, u[0], EV_READ | EV_ET | EV_PERSIST, 6);

    fire(base, s[0], EV_READ);
    ok("who waits for reading is activated", calls[0] && kinds[0] == EV_READ);
    ok("who waits for writing only is not", calls[1] == 0);
    ok("who waits for both is told only what happened", calls[2] == 1 && kinds[2] == EV_READ);
    ok("several events on a descriptor are all activated", calls[0] && calls[2] && calls[3] && kinds[3] == EV_READ);
    ok("each is activated once", calls[0] == 1 && calls[2] == 1 && calls[3] == 1);
    ok("the callback gets the descriptor", descriptors[0] == s[0] && descriptors[2] == s[0]);
    ok("other descriptors are left alone", calls[4] == 0 && calls[6] == 0);
    ok("they are pending still", event_pending(r, EV_READ, NULL) && event_pending(rw, EV_READ | EV_WRITE, NULL));
    event_base_loop(other, EVLOOP_NONBLOCK);
    ok("other bases are left alone", calls[5] == 0);
    fire(base, s[0], EV_WRITE);
    ok("who waits for writing is activated for writing",
       calls[0] == 0 && calls[1] == 1 && kinds[1] == EV_WRITE && calls[2] == 1 && kinds[2] == EV_WRITE &&
       calls[3] == 0);
    fire(base, s[0], EV_READ | EV_WRITE);
    ok("both at once are told to each what it waits for",
       calls[0] == 1 && kinds[0] == EV_READ && calls[1] == 1 && kinds[1] == EV_WRITE && calls[2] == 1 &&
       kinds[2] == (EV_READ | EV_WRITE) && calls[3] == 1);
    fire(base, s[0], 0);
    ok("nothing happened activates nothing", silent());
    fire(base, s[0], EV_ET);
    int quiet = silent();
    fire(base, u[0], EV_ET);
    ok("edge triggered alone activates nothing", quiet && silent());
    fire(base, u[0], EV_READ | EV_WRITE | EV_ET);
    ok("an edge triggered event is told so", calls[6] == 1 && kinds[6] == (EV_READ | EV_ET));
    fire(base, s[0], EV_READ | EV_ET);
    ok("another event is not told so", calls[0] == 1 && kinds[0] == EV_READ && calls[2] == 1 && kinds[2] == EV_READ);

    event_del(r2);
    fire(base, s[0], EV_READ | EV_WRITE);
    ok("an event that was removed is left alone", calls[3] == 0 && calls[0] == 1 && calls[1] == 1 && calls[2] == 1);
    struct event *c = add(base, t[0], EV_CLOSED | EV_PERSIST, 7);
    fire(base, t[0], EV_CLOSED);
    ok("who waits for the end is activated for the end", calls[7] == 1 && kinds[7] == EV_CLOSED && calls[4] == 0);
    event_del(c);
    struct event *go = add(base, t[0], EV_READ, 8);
    fire(base, t[0], EV_READ);
    int went = calls[8] == 1 && kinds[8] == EV_READ && calls[4] == 1 && !event_pending(go, EV_READ, NULL);
    fire(base, t[0], EV_READ);
    ok("an event that goes is gone afterwards", went && calls[8] == 0 && calls[4] == 1);

    fire(base, -1, EV_READ | EV_WRITE);
    ok("a negative descriptor is passed over", silent());
    fire(base, base->io.nentries, EV_READ | EV_WRITE);
    quiet = silent();
    fire(base, 1000000, EV_READ | EV_WRITE);
    ok("a descriptor behind the table is passed over", quiet && silent());
    int unused = base->io.nentries - 1;
    while (unused > 0 && base->io.entries[unused]) unused--;
    fire(base, unused, EV_READ | EV_WRITE);
    ok("a descriptor without events is passed over", unused > 0 && silent());
    event_del(r);
    event_del(w);
    event_del(rw);
    fire(base, s[0], EV_READ | EV_WRITE | EV_CLOSED);
    ok("a descriptor whose events are gone is passed over", silent());
    return plus_end();
}
