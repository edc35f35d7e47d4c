/*---
 * tasks: [bufferevent_socket_new-73572d]
 * tests:
 *   a bufferevent is made: 'Docstring: "a pointer to a newly allocated bufferevent struct".'
 *   it is attached to the base: 'Docstring: "the event base to associate with the new bufferevent".'
 *   it has the descriptor: 'Docstring: "the file descriptor from which data is read and written to".'
 *   both buffers are there and empty: 'bufferevent.h: bufferevent_get_input and bufferevent_get_output.'
 *   it has no callbacks yet: 'bufferevent.h: bufferevent_setcb sets them.'
 *   nothing is read before reading is enabled: 'bufferevent.c: "Reading needs to be explicitly enabled".'
 *   what arrives is read: 'Docstring: "data is read"; bufferevent_sock.c: bufferevent_readcb.'
 *   the read callback gets the bufferevent: 'bufferevent.h, bufferevent_data_cb.'
 *   what arrives later is read too: 'Neighbour be_socket_setfd: EV_PERSIST.'
 *   what is written arrives: 'bufferevent.h, bufferevent_write: "written to the descriptor automatically".'
 *   what is written later arrives too: 'bufferevent_sock.c: bufferevent_socket_outbuf_cb starts writing again.'
 *   more than fits at once is written bit by bit: 'bufferevent.h, bufferevent_write.'
 *   the write callback runs when all is written: 'bufferevent.h: "if the write buffer has been exhausted".'
 *   without data nothing waits for writing: 'bufferevent_sock.c: ev_write is added when there is data.'
 *   the end of the connection is told: 'bufferevent.h: "eof file reached"; bufferevent_readcb.'
 *   nobody else can add to the input: 'bufferevent_sock.c: its end is unfrozen only while data is read.'
 *   nobody else can take from the output: 'bufferevent_sock.c: its start is unfrozen only while data is written.'
 *   the input can be read and the output be written: 'bufferevent.h: bufferevent_read, bufferevent_write.'
 *   the output uses sendfile: 'buffer.h, DRAINS_TO_FD: "on by default for bufferevents" that can.'
 *   the input does not: 'buffer.h, DRAINS_TO_FD forbids to read from the buffer.'
 *   the events are as those of a later descriptor: 'Neighbour be_socket_setfd, by bufferevent_setfd.'
 *   without a descriptor it is made too: 'Docstring: "It is safe to set the fd to -1".'
 *   the descriptor can be given later: 'Docstring: "so long as you later set it with bufferevent_setfd".'
 *   without the option the descriptor stays open: 'bufferevent.h: BEV_OPT_CLOSE_ON_FREE.'
 *   with the option the descriptor is closed: 'bufferevent.h: BEV_OPT_CLOSE_ON_FREE.'
 *   callbacks run at once: 'bufferevent.h: BEV_OPT_DEFER_CALLBACKS is not set.'
 *   deferred callbacks run in the loop: 'bufferevent.h: BEV_OPT_DEFER_CALLBACKS.'
 *   options that do not go together give NULL: 'bufferevent.h: BEV_OPT_UNLOCK_CALLBACKS "requires".'
 *   then nothing is left in memory: 'Docstring: "NULL if an error occurred".'
 *   without memory there is NULL or a whole bufferevent: 'Docstring: "NULL if an error occurred".'
 *   the first allocation that fails gives NULL: 'Docstring: "NULL if an error occurred".'
 *   a freed bufferevent leaves nothing: 'bufferevent.h, bufferevent_free.'
 *   without the option there is no lock: 'bufferevent.h: BEV_OPT_THREADSAFE.'
 *   with the option there is a lock: 'bufferevent.h: BEV_OPT_THREADSAFE "protected by a lock".'
 *   a null base is the current one for the events: 'Caller bufferevent_new; bufferevent_compat.h: "the current base".'
 ---*/
#include "plus.h"
#include "event2/buffer.h"
#include "event2/bufferevent.h"
#include "event2/bufferevent_struct.h"
#include "event2/event_compat.h"
#include "event2/event_struct.h"
#include "bufferevent-internal.h"
#include "event2/buffer_compat.h"
#include "evbuffer-internal.h"

static int reads, writes, events, argument;
static short what_event;
static struct bufferevent *seen;

static void on_read(struct bufferevent *b, void *arg) {
    reads++;
    seen = arg == &argument ? b : NULL;
}

static void on_write(struct bufferevent *b, void *arg) {
    writes++;
}

static void on_event(struct bufferevent *b, short what, void *arg) {
    events++;
    what_event = what;
}

static void run(struct event_base *base) {
    for (int i = 0; i < 4; i++) event_base_loop(base, EVLOOP_NONBLOCK);
}

static size_t in(struct bufferevent *b) {
    return evbuffer_get_length(bufferevent_get_input(b));
}

static size_t out(struct bufferevent *b) {
    return evbuffer_get_length(bufferevent_get_output(b));
}

static unsigned char data[1000000], into[1000000];

int main(void) {
    int s[2], t[2];
    plus_start();
    plus_sockets(s);
    plus_fill(data, 0, sizeof(data));
    struct event_base *base = event_base_new();
    struct bufferevent *b = bufferevent_socket_new(base, s[0], 0);
    ok("a bufferevent is made", b != NULL);
    ok("it is attached to the base", bufferevent_get_base(b) == base && event_get_base(&b->ev_read) == base &&
       event_get_base(&b->ev_write) == base);
    ok("it has the descriptor", bufferevent_getfd(b) == s[0] && event_get_fd(&b->ev_write) == s[0]);
    ok("both buffers are there and empty",
       bufferevent_get_input(b) && bufferevent_get_output(b) && in(b) == 0 && out(b) == 0);
    bufferevent_data_cb r = on_read, w = on_write;
    bufferevent_event_cb e = on_event;
    void *arg = &arg;
    bufferevent_getcb(b, &r, &w, &e, &arg);
    ok("it has no callbacks yet", !r && !w && !e && !arg);
    bufferevent_setcb(b, on_read, on_write, on_event, &argument);
    ok("without data nothing waits for writing", !event_pending(&b->ev_write, EV_WRITE, NULL));

    (void)!write(s[1], data, 10);
    run(base);
    ok("nothing is read before reading is enabled", in(b) == 0 && reads == 0);
    bufferevent_enable(b, EV_READ);
    run(base);
    ok("what arrives is read", in(b) == 10 && reads == 1);
    ok("the read callback gets the bufferevent", seen == b);
    (void)!write(s[1], data + 10, 20);
    run(base);
    (void)!write(s[1], data + 30, 30);
    run(base);
    size_t n = bufferevent_read(b, into, 100);
    ok("what arrives later is read too", reads == 3 && n == 60 && plus_bytes(into, 0, 60));

    writes = 0;
    int put = bufferevent_write(b, data, 100);
    run(base);
    ssize_t m = read(s[1], into, 1000);
    ok("what is written arrives", put == 0 && m == 100 && plus_bytes(into, 0, 100) && out(b) == 0);
    ok("the write callback runs when all is written", writes == 1);
    bufferevent_write(b, data + 100, 50);
    run(base);
    m = read(s[1], into, 1000);
    ok("what is written later arrives too", m == 50 && plus_bytes(into, 100, 50) && out(b) == 0);
    bufferevent_write(b, data, sizeof(data));
    size_t all = 0;
    for (int i = 0; i < 1000 && all < sizeof(data); i++) {
        event_base_loop(base, EVLOOP_NONBLOCK);
        while ((m = read(s[1], into + all, sizeof(into) - all)) > 0) all += m;
    }
    ok("more than fits at once is written bit by bit", all == sizeof(data) && plus_bytes(into, 0, all) && out(b) == 0);

    struct bufferevent *fresh = bufferevent_socket_new(base, -1, 0);
    int refused = evbuffer_add(bufferevent_get_input(fresh), "x", 1);
    ok("nobody else can add to the input", refused == -1 && in(fresh) == 0);
    bufferevent_disable(fresh, EV_WRITE);
    put = bufferevent_write(fresh, "xyz", 3);
    refused = evbuffer_drain(bufferevent_get_output(fresh), 1);
    ok("nobody else can take from the output", refused == -1 && out(fresh) == 3);
    bufferevent_free(fresh);
    (void)!write(s[1], data, 5);
    run(base);
    n = bufferevent_read(b, into, 5);
    ok("the input can be read and the output be written", put == 0 && n == 5 && plus_bytes(into, 0, 5));
    ok("the output uses sendfile", bufferevent_get_output(b)->flags & EVBUFFER_FLAG_DRAINS_TO_FD);
    ok("the input does not", !(bufferevent_get_input(b)->flags & EVBUFFER_FLAG_DRAINS_TO_FD));
    run(base);

    short kinds[2] = {event_get_events(&b->ev_read), event_get_events(&b->ev_write)};
    event_callback_fn functions[2] = {event_get_callback(&b->ev_read), event_get_callback(&b->ev_write)};
    void *args[2] = {event_get_callback_arg(&b->ev_read), event_get_callback_arg(&b->ev_write)};
    bufferevent_setfd(b, s[0]);
    ok("the events are as those of a later descriptor",
       event_get_events(&b->ev_read) == kinds[0] && event_get_events(&b->ev_write) == kinds[1] &&
       event_get_callback(&b->ev_read) == functions[0] && event_get_callback(&b->ev_write) == functions[1] &&
       event_get_callback_arg(&b->ev_read) == args[0] && event_get_callback_arg(&b->ev_write) == args[1]);

    events = 0;
    m = read(s[1], into, 100);
    close(s[1]);
    run(base);
    ok("the end of the connection is told", events == 1 && what_event == (BEV_EVENT_READING | BEV_EVENT_EOF));
    bufferevent_free(b);
    run(base);
    ok("without the option the descriptor stays open", fcntl(s[0], F_GETFD) >= 0);
    close(s[0]);

    plus_sockets(s);
    b = bufferevent_socket_new(base, s[0], BEV_OPT_CLOSE_ON_FREE);
    int open = fcntl(s[0], F_GETFD) >= 0;
    bufferevent_free(b);
    run(base);
    ok("with the option the descriptor is closed", open && fcntl(s[0], F_GETFD) < 0);
    close(s[1]);

    plus_sockets(t);
    b = bufferevent_socket_new(base, -1, 0);
    ok("without a descriptor it is made too", b && bufferevent_getfd(b) == -1);
    bufferevent_enable(b, EV_READ);
    bufferevent_setfd(b, t[0]);
    bufferevent_write(b, data, 10);
    (void)!write(t[1], data, 20);
    run(base);
    ok("the descriptor can be given later",
       bufferevent_getfd(b) == t[0] && read(t[1], into, 100) == 10 && bufferevent_read(b, into, 100) == 20);

    events = 0;
    bufferevent_setcb(b, NULL, NULL, on_event, NULL);
    bufferevent_trigger_event(b, BEV_EVENT_EOF, 0);
    ok("callbacks run at once", events == 1);
    bufferevent_free(b);
    b = bufferevent_socket_new(base, t[0], BEV_OPT_DEFER_CALLBACKS);
    bufferevent_setcb(b, NULL, NULL, on_event, NULL);
    events = 0;
    bufferevent_trigger_event(b, BEV_EVENT_EOF, 0);
    int before = events;
    run(base);
    ok("deferred callbacks run in the loop", before == 0 && events == 1);
    bufferevent_free(b);
    run(base);

    long live = plus_live_blocks;
    b = bufferevent_socket_new(base, t[0], BEV_OPT_UNLOCK_CALLBACKS);
    ok("options that do not go together give NULL", b == NULL);
    ok("then nothing is left in memory", plus_live_blocks == live);
    b = bufferevent_socket_new(base, t[0], BEV_OPT_UNLOCK_CALLBACKS | BEV_OPT_DEFER_CALLBACKS);
    if (b) bufferevent_free(b);
    run(base);
    ok("a freed bufferevent leaves nothing", b && plus_live_blocks == live);
    int good = 1, first = 0, at = 1;
    for (; at < 50; at++) {
        plus_fail_at = at;
        b = bufferevent_socket_new(base, t[0], 0);
        int over = plus_fail_at > 0;
        plus_fail_at = 0;
        if (at == 1) first = b == NULL;
        if (b) bufferevent_free(b);
        run(base);
        good &= plus_live_blocks == live && (!over || b);
        if (over) break;
    }
    ok("the first allocation that fails gives NULL", first);
    ok("without memory there is NULL or a whole bufferevent", good && at > 1 && at < 50);

    struct event_base *current = event_init();
    b = bufferevent_socket_new(NULL, t[0], 0);
    ok("a null base is the current one for the events",
       b && event_get_base(&b->ev_read) == current && event_get_base(&b->ev_write) == current);

    plus_use_locks();
    b = bufferevent_socket_new(base, t[0], 0);
    plus_locked = 0;
    bufferevent_lock(b);
    ok("without the option there is no lock", plus_locked == 0);
    bufferevent_unlock(b);
    b = bufferevent_socket_new(base, t[0], BEV_OPT_THREADSAFE);
    plus_locked = 0;
    bufferevent_lock(b);
    ok("with the option there is a lock", plus_locked > 0);
    bufferevent_unlock(b);
    return plus_end();
}
