/*---
 * tasks: [is_common_timeout-d8660a]
 * tests:
 *   a common timeout of the base is one: 'Docstring: "true iff tv is a common timeout in base".'
 *   an ordinary time is none: 'Docstring: "true iff tv is a common timeout".'
 *   a time of zero is none: 'Docstring: "true iff tv is a common timeout".'
 *   a time of one microsecond less than a second is none: 'event.c: tv_usec "uses 20 of those bits".'
 *   the same duration without the mark is none: 'event.c: "use the top bits to encode".'
 *   in a base without common timeouts there are none: 'Docstring: "a common timeout in base".'
 *   an index that the base does not have is none: 'event.c: "index into the array of common timeouts".'
 *   the first index behind them is none: 'event.c: n_common_timeouts is the number of entries used.'
 *   the last index of the base is one: 'event.c: n_common_timeouts is the number of entries used.'
 *   all indexes of a full base are common: 'event.c: "8 bits of index"; MAX_COMMON_TIMEOUTS.'
 *   a large index is not taken for a small one: 'event.c: "8 bits of index".'
 *   only the one mark is the mark: 'event.c: "4 bits of magic number"; COMMON_TIMEOUT_MAGIC.'
 *   the seconds do not matter: 'Callers ask for the time at which an event is due.'
 *   the microseconds do not matter: 'Callers ask for the time at which an event is due; "20 of those bits".'
 *   an event that waits has a common timeout: 'Caller event_add_nolock_ asks for ev_timeout.'
 *   an event with another timeout has none: 'Caller event_add_nolock_.'
 *   the time and the base stay as they are: 'Both parameters are const.'
 *   a common timeout can be asked for again: 'Caller event_base_init_common_timeout.'
 ---*/
#include "event.c"
#include "plus.h"

static int asks(struct event_base *base, long seconds, unsigned long micros) {
    struct timeval tv = {seconds, (long)micros};
    return !!is_common_timeout(&tv, base);
}

static unsigned long mark(unsigned index, unsigned long micros) {
    return COMMON_TIMEOUT_MAGIC | (unsigned long)index << COMMON_TIMEOUT_IDX_SHIFT | micros;
}

static void nothing(evutil_socket_t fd, short what, void *arg) {
}

int main(void) {
    plus_start();
    struct event_base *base = event_base_new(), *none = event_base_new(), *full = event_base_new();
    const struct timeval *tv[256];
    struct timeval duration = {3, 250000};
    tv[0] = event_base_init_common_timeout(base, &duration);
    if (!tv[0]) exit(2);
    ok("a common timeout of the base is one", is_common_timeout(tv[0], base) != 0);
    ok("an ordinary time is none", !asks(base, 1, 500000) && !asks(base, 100000, 7));
    ok("a time of zero is none", !asks(base, 0, 0));
    ok("a time of one microsecond less than a second is none", !asks(base, 0, 999999) && !asks(base, 5, 0xfffff));
    ok("the same duration without the mark is none", !is_common_timeout(&duration, base));
    ok("in a base without common timeouts there are none",
       !is_common_timeout(tv[0], none) && !asks(none, 0, mark(0, 0)) && !asks(none, 0, mark(255, 0)));
    duration = (struct timeval) {4, 0};
    event_base_init_common_timeout(base, &duration);
    duration = (struct timeval) {0, 70000};
    event_base_init_common_timeout(base, &duration);
    ok("the first index behind them is none", !asks(base, 3, mark(3, 5)));
    ok("the last index of the base is one", asks(base, 3, mark(2, 5)) && asks(base, 3, mark(1, 5)));
    int good = 1;
    for (int i = 3; i < 256; i++) good &= !asks(base, 1, mark(i, 250000));
    ok("an index that the base does not have is none", good);
    ok("a large index is not taken for a small one",
       !asks(base, 1, mark(128, 0)) && !asks(base, 1, mark(129, 0)) && !asks(base, 1, mark(16, 0)) &&
       !asks(base, 1, mark(255, 0)) && !asks(base, 1, mark(64, 0)));
    good = 1;
    for (unsigned long m = 0; m < 16; m++) good &= asks(base, 1, m << 28 | 1UL << 20 | 77) == (m == 5);
    ok("only the one mark is the mark", good);
    good = 1;
    for (int i = 0; i < 256; i++) {
        duration = (struct timeval) {i + 1, i};
        tv[i] = event_base_init_common_timeout(full, &duration);
        good &= tv[i] != NULL;
    }
    for (int i = 0; good && i < 256; i++) good = is_common_timeout(tv[i], full) != 0 && asks(full, 9, mark(i, i));
    ok("all indexes of a full base are common", good);
    ok("the seconds do not matter",
       asks(base, 0, mark(0, 9)) && asks(base, 2000000000, mark(0, 9)) && !asks(base, mark(0, 0), 9));
    ok("the microseconds do not matter",
       asks(base, 1, mark(2, 0)) && asks(base, 1, mark(2, 999999)) && asks(base, 1, mark(2, 0xfffff)));

    struct event e;
    event_assign(&e, base, -1, 0, nothing, NULL);
    const struct timeval *common = event_base_init_common_timeout(base, &(struct timeval) {1000, 123});
    event_add(&e, common);
    int waits = is_common_timeout(&e.ev_timeout, base) != 0;
    event_del(&e);
    ok("an event that waits has a common timeout", waits);
    duration = (struct timeval) {1000, 123};
    event_add(&e, &duration);
    ok("an event with another timeout has none", !is_common_timeout(&e.ev_timeout, base));
    event_del(&e);
    struct timeval before = *common;
    int number = base->n_common_timeouts;
    is_common_timeout(common, base);
    ok("the time and the base stay as they are",
       before.tv_sec == common->tv_sec && before.tv_usec == common->tv_usec && base->n_common_timeouts == number);
    ok("a common timeout can be asked for again",
       event_base_init_common_timeout(base, &duration) == common && event_base_init_common_timeout(base, common) ==
       common && base->n_common_timeouts == number);
    return plus_end();
}
