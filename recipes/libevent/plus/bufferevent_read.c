/*---
 * tasks: [bufferevent_read-9c444e]
 * tests:
 *   the amount that is read is returned: 'Docstring: "the amount of data read, in bytes".'
 *   the data is that of the input buffer: 'Docstring: "used to read data from the input buffer".'
 *   no more than the size is read: 'Docstring: "the size of the data buffer, in bytes".'
 *   what is left is read next: 'Docstring: "read data from the input buffer"; evbuffer_remove drains it.'
 *   what was read is gone: 'buffer.h, evbuffer_remove: "drain the bytes read".'
 *   of less data all is read: 'buffer.h, evbuffer_remove: "only extract as many bytes as were available".'
 *   behind the data nothing is written: 'Docstring: "the amount of data read".'
 *   an empty buffer gives nothing: 'Docstring: "the amount of data read, in bytes".'
 *   a size of nothing reads nothing: 'Docstring: "the size of the data buffer, in bytes".'
 *   bytes of zero are read too: 'Docstring: data, size "in bytes".'
 *   data in several pieces is read in order: 'Docstring: "read data from the input buffer".'
 *   a size that ends inside a piece is kept to: 'Docstring: "the size of the data buffer".'
 *   long data is read whole: 'Docstring: "the amount of data read, in bytes".'
 *   the output buffer stays as it is: 'Docstring: it is read "from the input buffer".'
 *   only the bufferevent that is named is read: 'Docstring: "the bufferevent to be read from".'
 *   reading goes on below the high watermark: 'bufferevent.h, setwatermark: reading stops beyond the high watermark.'
 *   at the end of a pair what the other wrote is read: 'bufferevent.h: paired bufferevents.'
 *   a callback reads what has arrived: 'bufferevent.h, bufferevent_data_cb: "when new data arrives".'
 ---*/
#include "plus.h"
#include "event2/buffer.h"
#include "event2/bufferevent.h"

static unsigned char data[200000], into[200000];
static size_t got;

static void add(struct bufferevent *b, const void *what, size_t size) {
    evbuffer_unfreeze(bufferevent_get_input(b), 0);
    if (evbuffer_add(bufferevent_get_input(b), what, size)) exit(2);
    evbuffer_freeze(bufferevent_get_input(b), 0);
}

static void add_piece(struct bufferevent *b, size_t from, size_t size) {
    evbuffer_unfreeze(bufferevent_get_input(b), 0);
    if (evbuffer_add_reference(bufferevent_get_input(b), data + from, size, NULL, NULL)) exit(2);
    evbuffer_freeze(bufferevent_get_input(b), 0);
}

static size_t left(struct bufferevent *b) {
    return evbuffer_get_length(bufferevent_get_input(b));
}

static void take(struct bufferevent *b, void *arg) {
    got += bufferevent_read(b, into + got, 1000);
}

int main(void) {
    int s[2];
    struct bufferevent *pair[2];
    plus_start();
    plus_sockets(s);
    plus_fill(data, 0, sizeof(data));
    struct event_base *base = event_base_new();
    struct bufferevent *a = bufferevent_socket_new(base, -1, 0), *b = bufferevent_socket_new(base, -1, 0);
    bufferevent_write(a, "output", 6);
    add(b, "other", 5);

    add(a, data, 100);
    memset(into, 0xee, 200);
    size_t n = bufferevent_read(a, into, 60);
    ok("the amount that is read is returned", n == 60);
    ok("the data is that of the input buffer", plus_bytes(into, 0, 60));
    ok("no more than the size is read", into[60] == 0xee && into[99] == 0xee);
    ok("what was read is gone", left(a) == 40);
    memset(into, 0xee, 200);
    n = bufferevent_read(a, into, 200);
    ok("what is left is read next", plus_bytes(into, 60, 40));
    ok("of less data all is read", n == 40 && left(a) == 0);
    ok("behind the data nothing is written", into[40] == 0xee && into[199] == 0xee);
    memset(into, 0xee, 200);
    n = bufferevent_read(a, into, 200);
    ok("an empty buffer gives nothing", n == 0 && into[0] == 0xee);
    add(a, data, 10);
    n = bufferevent_read(a, into, 0);
    ok("a size of nothing reads nothing", n == 0 && left(a) == 10 && into[0] == 0xee);
    evbuffer_drain(bufferevent_get_input(a), 10);
    add(a, "a\0b\0\0c", 6);
    n = bufferevent_read(a, into, 200);
    ok("bytes of zero are read too", n == 6 && !memcmp(into, "a\0b\0\0c", 6));

    for (int i = 0; i < 10; i++) add_piece(a, i * 50, 50);
    n = bufferevent_read(a, into, 275);
    ok("a size that ends inside a piece is kept to", n == 275 && left(a) == 225 && plus_bytes(into, 0, 275));
    n += bufferevent_read(a, into + 275, 25);
    n += bufferevent_read(a, into + 300, 300);
    ok("data in several pieces is read in order", n == 500 && plus_bytes(into, 0, 500) && left(a) == 0);
    add(a, data, 150000);
    memset(into, 0, sizeof(into));
    n = bufferevent_read(a, into, sizeof(into));
    ok("long data is read whole", n == 150000 && plus_bytes(into, 0, 150000));
    ok("the output buffer stays as it is", evbuffer_get_length(bufferevent_get_output(a)) == 6);
    n = bufferevent_read(a, into, 10);
    ok("only the bufferevent that is named is read",
       n == 0 && left(b) == 5 && bufferevent_read(b, into, 10) == 5 && !memcmp(into, "other", 5));

    struct bufferevent *c = bufferevent_socket_new(base, s[0], 0);
    bufferevent_setwatermark(c, EV_READ, 0, 10);
    bufferevent_enable(c, EV_READ);
    (void)!write(s[1], data, 25);
    int good = 1;
    size_t at = 0;
    while (at < 25 && good) {
        for (int i = 0; i < 5; i++) event_base_loop(base, EVLOOP_NONBLOCK);
        n = bufferevent_read(c, into, 20);
        good = n > 0 && n <= 25 - at && plus_bytes(into, at, n);
        at += n;
    }
    ok("reading goes on below the high watermark", good && at == 25);

    if (bufferevent_pair_new(base, 0, pair)) exit(2);
    bufferevent_enable(pair[1], EV_READ | EV_WRITE);
    bufferevent_enable(pair[0], EV_READ | EV_WRITE);
    bufferevent_write(pair[0], data, 77);
    event_base_loop(base, EVLOOP_NONBLOCK);
    n = bufferevent_read(pair[1], into, 100);
    ok("at the end of a pair what the other wrote is read",
       n == 77 && plus_bytes(into, 0, 77) && bufferevent_read(pair[0], into, 1) == 0);

    bufferevent_setwatermark(c, EV_READ, 0, 0);
    bufferevent_setcb(c, take, NULL, NULL, NULL);
    (void)!write(s[1], data, 1500);
    for (int i = 0; i < 5; i++) event_base_loop(base, EVLOOP_NONBLOCK);
    (void)!write(s[1], data + 1500, 500);
    for (int i = 0; i < 5; i++) event_base_loop(base, EVLOOP_NONBLOCK);
    ok("a callback reads what has arrived", got + left(c) == 2000 && got >= 1000 && plus_bytes(into, 0, got));
    return plus_end();
}
