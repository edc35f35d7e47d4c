/*---
 * tasks: [evmap_io_get_fdinfo_-dd7681]
 * tests:
 *   it is what the backend got with the descriptor: 'event-internal.h: fdinfo, "a structure associated with the fd".'
 *   it is zero at first: 'event-internal.h: "set to 0 the first time the fd is added".'
 *   it has room for the length of the backend: 'event-internal.h: fdinfo_len, "extra information for each fd".'
 *   each descriptor has its own: 'Docstring: "the fdinfo object associated with a given fd".'
 *   what is stored in it is found again: 'event-internal.h: "recorded as part of the evmap entry for each fd".'
 *   it is always the same: 'Docstring: "the fdinfo object associated with a given fd".'
 *   a further event on the descriptor shares it: 'event-internal.h: "for each fd that has one or more events".'
 *   it is not part of the list of events: 'event-internal.h: "extra information"; the events stay added.'
 *   a descriptor without events has none: 'Docstring: "the result may be NULL".'
 *   the descriptors at both ends of the table are found: 'Docstring: "a given fd".'
 *   it stays when the table grows: 'event-internal.h: "recorded as part of the evmap entry".'
 *   when an event goes the backend gets it again: 'event-internal.h: del, as add.'
 *   after the last event it is the same or none: 'Docstring: "If the fd has no events, the result may be NULL".'
 *   asking changes nothing: 'Docstring: "Return".'
 *   a length of nothing is fine: 'event-internal.h: fdinfo_len; epoll has none.'
 *   each map has its own: 'Docstring: ctx.'
 *   poll finds the place of what it moves: 'Caller poll_del (poll.c).'
 ---*/
#include "plus.h"
#include "event2/event_struct.h"
#include "event-internal.h"
#include "evmap-internal.h"

enum { LENGTH = 40, MOST = 300 };
static void *added[MOST], *deleted[MOST];
static int clean[MOST], adds, calls;

static int add(struct event_base *base, evutil_socket_t fd, short old, short events, void *fdinfo) {
    adds++;
    added[fd] = fdinfo;
    clean[fd] = 1;
    for (size_t i = 0; i < base->evsel->fdinfo_len; i++) clean[fd] &= ((char *)fdinfo)[i] == 0;
    return 0;
}

static int del(struct event_base *base, evutil_socket_t fd, short old, short events, void *fdinfo) {
    deleted[fd] = fdinfo;
    return 0;
}

static void note(evutil_socket_t fd, short what, void *arg) {
    char c;
    calls++;
    (void)!read(fd, &c, 1);
}

static struct event *wait_for(struct event_base *base, int fd, short events) {
    struct event *e = event_new(base, fd, events | EV_PERSIST, note, NULL);
    if (event_add(e, NULL)) exit(2);
    return e;
}

static int filled(struct event_base *base, int fd, int with) {
    char *p = evmap_io_get_fdinfo_(&base->io, fd);
    for (int i = 0; p && i < LENGTH; i++) if (p[i] != with) return 0;
    return p != NULL;
}

static const struct eventop fake = {"fake", NULL, add, del, NULL, NULL, 0, 0, LENGTH};
static const struct eventop bare = {"bare", NULL, add, del, NULL, NULL, 0, 0, 0};

int main(void) {
    plus_start();
    struct event_base *base = event_base_new(), *other = event_base_new();
    const struct eventop *real = base->evsel;
    base->evsel = other->evsel = &fake;
    struct event *e[8];
    e[0] = wait_for(base, 5, EV_READ);
    ok("it is what the backend got with the descriptor",
       added[5] && evmap_io_get_fdinfo_(&base->io, 5) == added[5]);
    ok("it is zero at first", clean[5] && filled(base, 5, 0));
    e[1] = wait_for(base, 7, EV_WRITE);
    ok("each descriptor has its own",
       evmap_io_get_fdinfo_(&base->io, 7) == added[7] && added[7] != added[5] && filled(base, 7, 0));
    memset(evmap_io_get_fdinfo_(&base->io, 5), 1, LENGTH);
    memset(evmap_io_get_fdinfo_(&base->io, 7), 2, LENGTH);
    ok("what is stored in it is found again", filled(base, 5, 1) && filled(base, 7, 2));
    char *block = evmap_io_get_fdinfo_(&base->io, 5);
    ok("it has room for the length of the backend",
       block > (char *)base->io.entries[5] &&
       block + LENGTH <= (char *)base->io.entries[5] + plus_size(base->io.entries[5]));
    ok("it is always the same", evmap_io_get_fdinfo_(&base->io, 5) == block);
    ok("it is not part of the list of events",
       event_pending(e[0], EV_READ, NULL) && event_pending(e[1], EV_WRITE, NULL));
    added[5] = NULL;
    adds = 0;
    e[2] = wait_for(base, 5, EV_WRITE);
    ok("a further event on the descriptor shares it",
       adds == 1 && added[5] == block && evmap_io_get_fdinfo_(&base->io, 5) == block && filled(base, 5, 1));
    long live = plus_live_blocks;
    int none = evmap_io_get_fdinfo_(&base->io, 6) == NULL && evmap_io_get_fdinfo_(&base->io, 8) == NULL &&
               evmap_io_get_fdinfo_(&base->io, 0) == NULL;
    ok("a descriptor without events has none", none);
    ok("asking changes nothing",
       plus_live_blocks == live && base->io.entries[6] == NULL && evmap_io_get_fdinfo_(&base->io, 6) == NULL);
    int last = base->io.nentries - 1;
    e[3] = wait_for(base, 0, EV_READ);
    e[4] = wait_for(base, last, EV_READ);
    ok("the descriptors at both ends of the table are found",
       base->io.nentries == last + 1 && added[0] && evmap_io_get_fdinfo_(&base->io, 0) == added[0] && added[last] &&
       evmap_io_get_fdinfo_(&base->io, last) == added[last]);
    e[5] = wait_for(base, 200, EV_READ);
    ok("it stays when the table grows",
       base->io.nentries > 200 && evmap_io_get_fdinfo_(&base->io, 5) == block && filled(base, 7, 2) &&
       evmap_io_get_fdinfo_(&base->io, 200) == added[200] && evmap_io_get_fdinfo_(&base->io, 150) == NULL);
    void *mine = added[7];
    e[6] = wait_for(other, 7, EV_READ);
    ok("each map has its own", evmap_io_get_fdinfo_(&other->io, 7) == added[7] && added[7] != mine &&
       evmap_io_get_fdinfo_(&base->io, 7) == mine);
    event_del(e[2]);
    int again = deleted[5] == block && evmap_io_get_fdinfo_(&base->io, 5) == block;
    deleted[5] = NULL;
    event_del(e[0]);
    ok("when an event goes the backend gets it again", again && deleted[5] == block);
    void *after = evmap_io_get_fdinfo_(&base->io, 5);
    ok("after the last event it is the same or none", after == NULL || after == block);
    event_del(e[1]);
    event_del(e[3]);
    event_del(e[4]);
    event_del(e[5]);
    event_del(e[6]);
    base->evsel = other->evsel = real;
    event_base_free(base);
    event_base_free(other);

    base = event_base_new();
    base->evsel = &bare;
    e[0] = wait_for(base, 9, EV_READ);
    ok("a length of nothing is fine", added[9] && evmap_io_get_fdinfo_(&base->io, 9) == added[9]);
    event_del(e[0]);
    base->evsel = real;
    event_base_free(base);

    struct event_config *cfg = event_config_new();
    event_config_avoid_method(cfg, "epoll");
    base = event_base_new_with_config(cfg);
    int s[6][2], good = base && !strcmp(event_base_get_method(base), "poll");
    for (int i = 0; i < 6; i++) {
        plus_sockets(s[i]);
        e[i] = wait_for(base, s[i][0], EV_READ);
    }
    event_base_loop(base, EVLOOP_NONBLOCK);
    event_del(e[0]);
    event_del(e[5]);
    event_del(e[1]);
    event_base_loop(base, EVLOOP_NONBLOCK);
    for (int i = 0; i < 6; i++) (void)!write(s[i][1], "x", 1);
    calls = 0;
    event_base_loop(base, EVLOOP_NONBLOCK);
    good &= calls == 3;
    event_del(e[3]);
    event_add(e[0], NULL);
    calls = 0;
    event_base_loop(base, EVLOOP_NONBLOCK);
    ok("poll finds the place of what it moves", good && calls == 1);
    return plus_end();
}
