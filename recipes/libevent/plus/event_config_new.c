/*---
 * tasks: [event_config_new-67ce32]
 * tests:
 *   a configuration is made: 'Docstring: "an event_config object that can be used to store configuration".'
 *   each is a new one: 'Docstring: "Allocates a new event configuration object".'
 *   a base can be made with it: 'Docstring; event.h, event_base_new_with_config.'
 *   no method is avoided at first: 'event.h, event_config_avoid_method adds methods to avoid; event_base_new uses it.'
 *   methods to avoid can be stored: 'event.h, event_config_avoid_method: "avoid event mechanisms".'
 *   they are of that configuration alone: 'event.h, event_config_avoid_method: cfg.'
 *   no feature is required at first: 'event.h, event_config_require_features: "application demands".'
 *   a feature can be required: 'event.h, event_config_require_features.'
 *   the environment is looked at by default: 'event.h: EVENT_BASE_FLAG_IGNORE_ENV is not set.'
 *   no flags are set at first: 'event.h: event_config_set_flag sets them.'
 *   a flag can be set: 'event.h, event_config_set_flag: "Sets one or more flags".'
 *   by default all events are run before new ones are looked for: 'event.h, set_max_dispatch_interval: "By default".'
 *   the base is as one without a configuration: 'event.h: a configuration changes the behaviour only when told to.'
 *   a number of callbacks can be set: 'event.h: event_config_set_max_dispatch_interval.'
 *   without memory it is NULL: 'Docstring: "NULL if an error is encountered".'
 *   then nothing is left: 'Docstring: "NULL if an error is encountered".'
 *   freed it leaves nothing: 'event.h, event_config_free: "Deallocates all memory".'
 *   freed with methods to avoid it leaves nothing: 'event.h, event_config_free: "Deallocates all memory".'
 ---*/
#include "plus.h"
#include "event2/event_struct.h"
#include "event-internal.h"

static char order[64];
static int at, s[2], started;

static void low(evutil_socket_t fd, short what, void *arg) {
    order[at++] = 'l';
    if (!started++) (void)!write(s[1], "x", 1);
}

static void high(evutil_socket_t fd, short what, void *arg) {
    char c;
    order[at++] = 'h';
    (void)!read(fd, &c, 1);
}

/* In which order five events run, during whose first one of a higher priority becomes ready. */
static const char *sequence(struct event_config *cfg) {
    struct event_base *base = event_base_new_with_config(cfg);
    struct event *e[5];
    if (!base) return "";
    memset(order, 0, sizeof(order));
    at = started = 0;
    event_base_priority_init(base, 2);
    struct event *h = event_new(base, s[0], EV_READ | EV_PERSIST, high, NULL);
    event_priority_set(h, 0);
    event_add(h, NULL);
    for (int i = 0; i < 5; i++) {
        e[i] = event_new(base, -1, 0, low, NULL);
        event_priority_set(e[i], 1);
        event_active(e[i], EV_READ, 1);
    }
    for (int i = 0; i < 8; i++) event_base_loop(base, EVLOOP_NONBLOCK);
    for (int i = 0; i < 5; i++) event_free(e[i]);
    event_free(h);
    event_base_free(base);
    return order;
}

/* Whether a base made with CFG has the METHOD; NULL: whether none can be made. */
static int method(struct event_config *cfg, const char *method) {
    struct event_base *base = event_base_new_with_config(cfg);
    int good = base ? method && !strcmp(event_base_get_method(base), method) : !method;
    if (base) event_base_free(base);
    return good;
}

int main(void) {
    plus_start();
    plus_sockets(s);
    struct event_base *plain = event_base_new_with_config(NULL);
    const char *first = event_base_get_method(plain);

    struct event_config *cfg = event_config_new(), *other = event_config_new();
    ok("a configuration is made", cfg != NULL);
    ok("each is a new one", other != NULL && other != cfg);
    struct event_base *base = event_base_new_with_config(cfg);
    ok("a base can be made with it", base != NULL);
    if (!base) return 1;
    ok("no method is avoided at first", !strcmp(event_base_get_method(base), first));
    ok("no flags are set at first", base->flags == plain->flags && base->flags == 0);
    ok("the base is as one without a configuration",
       base->max_dispatch_time.tv_sec == plain->max_dispatch_time.tv_sec &&
       base->max_dispatch_callbacks == plain->max_dispatch_callbacks &&
       base->limit_callbacks_after_prio == plain->limit_callbacks_after_prio);
    event_base_free(base);
    ok("by default all events are run before new ones are looked for", !strcmp(sequence(cfg), "lllllh"));

    event_config_avoid_method(cfg, "epoll");
    int good = method(cfg, "poll");
    event_config_avoid_method(cfg, "poll");
    good &= method(cfg, "select");
    event_config_avoid_method(cfg, "select");
    ok("methods to avoid can be stored", good && method(cfg, NULL));
    ok("they are of that configuration alone", method(other, first));

    event_config_free(cfg);
    cfg = event_config_new();
    event_config_avoid_method(cfg, "epoll");
    ok("no feature is required at first", method(cfg, "poll"));
    event_config_require_features(cfg, EV_FEATURE_ET);
    good = method(cfg, NULL);
    event_config_require_features(other, EV_FEATURE_ET);
    ok("a feature can be required", good && method(other, "epoll"));
    event_config_free(other);
    other = event_config_new();
    setenv("EVENT_NOEPOLL", "1", 1);
    ok("the environment is looked at by default", method(other, "poll"));
    event_config_set_flag(other, EVENT_BASE_FLAG_IGNORE_ENV);
    ok("a flag can be set", method(other, "epoll"));
    unsetenv("EVENT_NOEPOLL");
    event_config_set_max_dispatch_interval(other, NULL, 2, 0);
    ok("a number of callbacks can be set", !strcmp(sequence(other), "llhlll"));
    event_config_free(cfg);
    event_config_free(other);

    long live = plus_live_blocks;
    plus_fail_at = 1;
    cfg = event_config_new();
    plus_fail_at = 0;
    ok("without memory it is NULL", cfg == NULL);
    ok("then nothing is left", plus_live_blocks == live);
    cfg = event_config_new();
    good = plus_live_blocks > live;
    event_config_free(cfg);
    ok("freed it leaves nothing", good && plus_live_blocks == live);
    cfg = event_config_new();
    event_config_avoid_method(cfg, "poll");
    event_config_avoid_method(cfg, "select");
    event_config_free(cfg);
    ok("freed with methods to avoid it leaves nothing", plus_live_blocks == live);
    return plus_end();
}
