/*---
 * tasks: [bufferevent_get_input-aef025]
 * tests:
 *   there is an input buffer: 'Docstring: "the evbuffer object for the input buffer".'
 *   it is empty at first: 'bufferevent.h: the input buffer has what was read.'
 *   it is always the same buffer: 'Docstring: "Returns the input buffer"; callers keep it (bufferevent_sock.c).'
 *   it is not the output buffer: 'Docstring: the input buffer; bufferevent_get_output is the other.'
 *   each bufferevent has its own: 'Docstring: "the bufferevent from which to get the evbuffer".'
 *   what arrives is in it: 'bufferevent.h: data is read into the input buffer.'
 *   what is read is taken out of it: 'bufferevent.h, bufferevent_read: "read data from the input buffer".'
 *   what is taken out of it can not be read any more: 'bufferevent.h, bufferevent_read reads from the input buffer.'
 *   what is written is not in it: 'bufferevent.h, bufferevent_write: "appended to the output buffer".'
 *   at the end of a pair what the other wrote is in it: 'Docstring; bufferevent.h: paired bufferevents.'
 *   a filter has an input buffer of its own: 'Docstring; bufferevent_filter.c: data goes from one to the other.'
 *   what comes through a filter is in it: 'bufferevent.h: a filter "transforms data".'
 *   the bufferevent still owns it: 'bufferevent.h, bufferevent_free frees it; nothing is left.'
 ---*/
#include "plus.h"
#include "event2/buffer.h"
#include "event2/bufferevent.h"

static int has(struct evbuffer *b, const char *text) {
    char into[64] = "";
    return evbuffer_get_length(b) == strlen(text) && evbuffer_copyout(b, into, 63) == (ev_ssize_t)strlen(text) &&
           !strcmp(into, text);
}

int main(void) {
    int s[2], t[2];
    char text[16] = "";
    struct bufferevent *pair[2];
    plus_start();
    plus_sockets(s);
    plus_sockets(t);
    struct event_base *base = event_base_new();
    struct bufferevent *a = bufferevent_socket_new(base, s[0], 0);
    struct bufferevent *b = bufferevent_socket_new(base, t[0], 0);
    struct evbuffer *in = bufferevent_get_input(a);
    ok("there is an input buffer", in != NULL);
    ok("it is empty at first", evbuffer_get_length(in) == 0);
    ok("it is not the output buffer", in != bufferevent_get_output(a));
    ok("each bufferevent has its own", bufferevent_get_input(b) != in && bufferevent_get_input(b) != NULL);

    bufferevent_enable(a, EV_READ);
    (void)!write(s[1], "arrived", 7);
    event_base_loop(base, EVLOOP_NONBLOCK);
    ok("what arrives is in it", has(bufferevent_get_input(a), "arrived") && has(bufferevent_get_input(b), ""));
    ok("it is always the same buffer", bufferevent_get_input(a) == in);
    size_t n = bufferevent_read(a, text, 3);
    ok("what is read is taken out of it", n == 3 && !memcmp(text, "arr", 3) && has(bufferevent_get_input(a), "ived"));
    evbuffer_drain(bufferevent_get_input(a), 2);
    n = bufferevent_read(a, text, sizeof(text));
    ok("what is taken out of it can not be read any more", n == 2 && !memcmp(text, "ed", 2));
    bufferevent_disable(a, EV_WRITE);
    bufferevent_write(a, "going out", 9);
    ok("what is written is not in it",
       evbuffer_get_length(bufferevent_get_input(a)) == 0 && evbuffer_get_length(bufferevent_get_output(a)) == 9);

    if (bufferevent_pair_new(base, 0, pair)) exit(2);
    bufferevent_enable(pair[0], EV_READ | EV_WRITE);
    bufferevent_enable(pair[1], EV_READ | EV_WRITE);
    bufferevent_write(pair[0], "across", 6);
    event_base_loop(base, EVLOOP_NONBLOCK);
    ok("at the end of a pair what the other wrote is in it",
       has(bufferevent_get_input(pair[1]), "across") && has(bufferevent_get_input(pair[0]), ""));

    struct bufferevent *f = bufferevent_filter_new(b, NULL, NULL, 0, NULL, NULL);
    struct evbuffer *filtered = bufferevent_get_input(f);
    ok("a filter has an input buffer of its own",
       filtered && filtered != bufferevent_get_input(b) && filtered != bufferevent_get_output(f));
    bufferevent_enable(f, EV_READ);
    (void)!write(t[1], "through", 7);
    event_base_loop(base, EVLOOP_NONBLOCK);
    ok("what comes through a filter is in it",
       has(bufferevent_get_input(f), "through") && has(bufferevent_get_input(b), ""));

    struct event_base *last = event_base_new();
    long live = plus_live_blocks;
    struct bufferevent *c = bufferevent_socket_new(last, -1, 0);
    for (int i = 0; i < 10; i++) bufferevent_get_input(c);
    bufferevent_free(c);
    event_base_loop(last, EVLOOP_NONBLOCK);
    ok("the bufferevent still owns it", plus_live_blocks == live);
    return plus_end();
}
