/*---
 * tasks: [gcs_fc_reset-4027e1]
 * tests:
 *   the queue has the size given: 'gcs_fc.hpp: size, "current queue size".'
 *   that is its size at the start too: 'gcs_fc.hpp: init_size, "initial queue size".'
 *   the interval starts now: 'gcs_fc.hpp: start, "beginning of the time interval (nanosec, monotonic)".'
 *   no action was counted: 'gcs_fc.hpp: act_count, "action count".'
 *   no sleep has happened: 'gcs_fc.hpp: last_sleep, "queue size when last sleep happened"; gcs_fc_process.'
 *   no sleeps are counted: 'gcs_fc.hpp: sleep_count, sleeps.'
 *   no rate is known: 'gcs_fc.hpp: max_rate, scale, offset; gcs_fc_process sets them when the limit is tripped.'
 *   the limits stay: 'gcs_fc.hpp: "Initializes operational constants before opening connection".'
 *   the level of debugging stays: 'gcs_fc.hpp: gcs_fc_debug sets it.'
 *   an empty queue can be given: 'Callers (gcs.cpp) give the size of the queue.'
 *   a size above two gigabytes can be given: 'Signature: ssize_t.'
 *   nothing depends on what was there: 'Docstring: "Reinitializes object at the beginning of state transfer".'
 *   actions are added to that size: 'Caller-side: gcs_fc_process.'
 *   up to the soft limit there is no sleep: 'gcs_fc.hpp: soft_limit, "after it FC kicks in"; gcs_fc_test.cpp.'
 *   above the soft limit there is a sleep: 'gcs_fc.hpp: soft_limit, "after it FC kicks in"; gcs_fc_test.cpp.'
 *   the rate is measured from the start and the size then: 'gcs_fc.hpp: max_rate, "normal replication data rate".'
 *   after a sleep it starts afresh: 'Docstring: "Reinitializes object"; gcs_fc_test.cpp.'
 *   at the hard limit it stops at once: 'gcs_fc.hpp: "in case of hitting hard limit"; gcs_fc_test.cpp.'
 ---*/
#include <errno.h>
#include <unistd.h>
#include "gcs_fc.hpp"
#include <galerautils.h>
#include "ok.h"

static void fill(gcs_fc_t *fc, int byte)
{
    memset(fc, byte, sizeof *fc);
    fc->hard_limit = 1000;
    fc->soft_limit = 500;
    fc->max_throttle = 0.25;
    fc->debug = 3;
}

int main()
{
    limit();
    gcs_fc_t fc;
    fill(&fc, 0x2a);
    const long long before = gu_time_monotonic();
    gcs_fc_reset(&fc, 123);
    const long long after = gu_time_monotonic();
    ok("the queue has the size given", fc.size == 123);
    ok("that is its size at the start too", fc.init_size == 123);
    ok("the interval starts now", fc.start >= before && fc.start <= after);
    ok("no action was counted", fc.act_count == 0);
    ok("no sleep has happened", fc.last_sleep == 0);
    ok("no sleeps are counted", fc.sleep_count == 0 && fc.sleeps == 0.0);
    ok("no rate is known", fc.max_rate <= 0.0 && fc.scale == 0.0 && fc.offset == 0.0);
    ok("the limits stay", fc.hard_limit == 1000 && fc.soft_limit == 500 && fc.max_throttle == 0.25);
    ok("the level of debugging stays", fc.debug == 3);
    gcs_fc_reset(&fc, 0);
    ok("an empty queue can be given", fc.size == 0 && fc.init_size == 0);
    const ssize_t large = (ssize_t)5 << 32;
    gcs_fc_reset(&fc, large);
    ok("a size above two gigabytes can be given", fc.size == large && fc.init_size == large);
    bool same = true;
    gcs_fc_t first;
    fill(&first, 0);
    gcs_fc_reset(&first, 77);
    for (int byte = 1; byte < 256; byte += 2) {
        fill(&fc, byte);
        gcs_fc_reset(&fc, 77);
        same = same && fc.size == 77 && fc.init_size == 77 && fc.start >= first.start && fc.last_sleep == 0 &&
               fc.act_count == 0 && fc.max_rate == first.max_rate && fc.scale == 0.0 && fc.offset == 0.0 &&
               fc.sleep_count == 0 && fc.sleeps == 0.0 && fc.start <= gu_time_monotonic();
    }
    ok("nothing depends on what was there", same);

    gcs_fc_init(&fc, 2000, 0.5, 0.5);
    gcs_fc_reset(&fc, 500);
    bool none = gcs_fc_process(&fc, 100) == 0 && gcs_fc_process(&fc, 0) == 0 && gcs_fc_process(&fc, 50) == 0;
    ok("actions are added to that size", fc.size == 650 && fc.init_size == 500 && fc.act_count == 3);
    ok("up to the soft limit there is no sleep", none && gcs_fc_process(&fc, 350) == 0 && fc.size == 1000);
    gcs_fc_reset(&fc, 900);
    usleep(10000);
    const long long sleep = gcs_fc_process(&fc, 600);
    const double interval = (gu_time_monotonic() - before) * 1e-9;
    ok("above the soft limit there is a sleep", sleep > 0 && fc.last_sleep == 1500 && fc.sleep_count == 1);
    /* 600 bytes in ten milliseconds at least, and no longer ago than this test started. */
    ok("the rate is measured from the start and the size then",
       fc.max_rate <= 600 / 0.0099 && fc.max_rate >= 600 / interval * 0.99);
    gcs_fc_reset(&fc, 900);
    bool afresh = fc.sleep_count == 0 && fc.sleeps == 0.0 && fc.last_sleep == 0 && fc.act_count == 0 && fc.size == 900;
    usleep(10000);
    afresh = afresh && gcs_fc_process(&fc, 50) == 0 && gcs_fc_process(&fc, 550) > 0 && fc.sleep_count == 1;
    ok("after a sleep it starts afresh", afresh);
    gcs_fc_reset(&fc, 1500);
    const bool stop = gcs_fc_process(&fc, 500) == -ENOMEM;
    gcs_fc_reset(&fc, 400);
    ok("at the hard limit it stops at once", stop && gcs_fc_process(&fc, 500) == 0);
    return plan();
}
