/*---
 * tasks: [bufferevent_get_base-8ac351]
 * tests:
 *   a socket has the base it was made with: 'Docstring: "Return the event_base used by a bufferevent".'
 *   a bufferevent without a socket has its base too: 'bufferevent.h, bufferevent_socket_new: fd may be -1.'
 *   each bufferevent has its own base: 'Docstring: the base "used by a bufferevent".'
 *   it is not the current base: 'Docstring: the base "used by a bufferevent".'
 *   both ends of a pair have their base: 'Docstring; bufferevent.h: paired bufferevents are bufferevents.'
 *   a filter has the base of what it filters: 'Docstring; bufferevent_filter.c: made with the base of the other.'
 *   a new base takes the place of the old one: 'bufferevent.h, bufferevent_base_set.'
 *   a new base of one leaves the other: 'bufferevent.h, bufferevent_base_set.'
 *   an enabled bufferevent has its base: 'Docstring; bufferevent.h: bufferevent_enable.'
 *   asking changes nothing: 'Docstring: "Return"; the bufferevent goes on as before.'
 ---*/
#include "plus.h"
#include "event2/buffer.h"
#include "event2/bufferevent.h"
#include "event2/event_compat.h"

int main(void) {
    int s[2];
    struct bufferevent *pair[2], *other[2];
    plus_start();
    plus_sockets(s);
    struct event_base *one = event_base_new(), *two = event_base_new(), *current = event_init();

    struct bufferevent *a = bufferevent_socket_new(one, s[0], 0);
    struct bufferevent *b = bufferevent_socket_new(two, s[1], 0);
    struct bufferevent *c = bufferevent_socket_new(one, -1, 0);
    ok("a socket has the base it was made with", bufferevent_get_base(a) == one);
    ok("a bufferevent without a socket has its base too", bufferevent_get_base(c) == one);
    ok("each bufferevent has its own base", bufferevent_get_base(b) == two && bufferevent_get_base(a) == one);
    ok("it is not the current base", current && bufferevent_get_base(b) != current && bufferevent_get_base(b) != NULL);

    if (bufferevent_pair_new(two, 0, pair) || bufferevent_pair_new(current, 0, other)) exit(2);
    ok("both ends of a pair have their base",
       bufferevent_get_base(pair[0]) == two && bufferevent_get_base(pair[1]) == two &&
       bufferevent_get_base(other[0]) == current && bufferevent_get_base(other[1]) == current);
    struct bufferevent *f = bufferevent_filter_new(pair[0], NULL, NULL, 0, NULL, NULL);
    struct bufferevent *g = bufferevent_filter_new(other[0], NULL, NULL, 0, NULL, NULL);
    ok("a filter has the base of what it filters",
       f && g && bufferevent_get_base(f) == two && bufferevent_get_base(g) == current);

    int r = bufferevent_base_set(two, c);
    ok("a new base takes the place of the old one", r == 0 && bufferevent_get_base(c) == two);
    ok("a new base of one leaves the other", bufferevent_get_base(a) == one);
    bufferevent_enable(a, EV_READ | EV_WRITE);
    ok("an enabled bufferevent has its base", bufferevent_get_base(a) == one);

    long live = plus_live_blocks;
    for (int i = 0; i < 100; i++) bufferevent_get_base(a);
    int same = plus_live_blocks == live && bufferevent_get_enabled(a) == (EV_READ | EV_WRITE);
    bufferevent_write(b, "text", 4);
    event_base_loop(two, EVLOOP_NONBLOCK);
    event_base_loop(one, EVLOOP_NONBLOCK);
    ok("asking changes nothing",
       same && evbuffer_get_length(bufferevent_get_input(a)) == 4 && bufferevent_get_base(a) == one);
    return plus_end();
}
