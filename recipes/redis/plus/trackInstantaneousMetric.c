/*---
 * tasks: [C09BE7C7570CD694]
 * tests:
 *   the first call only remembers where it started: 'Docstring: a sample is the quotient of increments, and the first call has nothing to compare with.'
 *   the second call adds the first sample: 'Docstring: "Add a sample to the instantaneous metric".'
 *   a sample is the increment of the value over that of the base: 'Docstring: "the quotient of the increment of value and base".'
 *   the factor multiplies before it is divided: 'server.c: serverCron passes a factor to get a number per second out of microseconds.'
 *   numbers beyond 32 bits are right: 'The parameters are long long; serverCron passes microseconds and bytes.'
 *   each sample is counted from the call before: 'Docstring: "the increment of value and base".'
 *   a value that did not move gives a sample of 0: 'Docstring: "the quotient of the increment of value and base".'
 *   a base that did not move is no error: 'server.c: serverCron passes the event loop''s count as base, which may stand still.'
 *   a base that did not move adds nothing to the average: 'Docstring: there is no increment of base to divide by.'
 *   after a base that did not move samples go on: 'Docstring: "Add a sample to the instantaneous metric".'
 *   the average is over the last samples: 'server.c: getInstantaneousMetric divides the sum of STATS_METRIC_SAMPLES samples.'
 *   after many samples only the last ones count: 'server.h: STATS_METRIC_SAMPLES, "Number of samples per metric".'
 *   other metrics are left alone: 'The parameter metric.'
 *   the last metric has samples of its own: 'The parameter metric; server.h: STATS_METRIC_COUNT.'
 ---*/
#include "../server.h"
#include "../testhelp.h"

void trackInstantaneousMetric(int metric, long long current_value, long long current_base, long long factor);
long long getInstantaneousMetric(int metric);

static void fresh(void) {
    memset(server.inst_metric, 0, sizeof(server.inst_metric));
}

static long long sum(int metric) {
    long long total = 0;
    for (int j = 0; j < STATS_METRIC_SAMPLES; j++) total += server.inst_metric[metric].samples[j];
    return total;
}

/* The sample of one step in value and base. */
static long long sample(long long value, long long base, long long factor) {
    fresh();
    trackInstantaneousMetric(1, 1000, 5000, factor);
    trackInstantaneousMetric(1, 1000 + value, 5000 + base, factor);
    return sum(1);
}

int main(void) {
    trackInstantaneousMetric(0, 700, 10, 1);
    test_cond("the first call only remembers where it started", sum(0) == 0);
    trackInstantaneousMetric(0, 760, 13, 1);
    test_cond("the second call adds the first sample", sum(0) == 20);
    trackInstantaneousMetric(0, 790, 16, 1);
    test_cond("each sample is counted from the call before", sum(0) == 20 + 10);
    test_cond("a sample is the increment of the value over that of the base", sample(91, 13, 1) == 7);
    test_cond("the factor multiplies before it is divided", sample(7, 2, 1000) == 3500 && sample(1, 3, 100) == 33);
    test_cond("numbers beyond 32 bits are right",
              sample(6000000000000LL, 2000000000000LL, 1000) == 3000 && sample(9000000000LL, 1, 1) == 9000000000LL);
    test_cond("a value that did not move gives a sample of 0", sample(0, 5, 1000) == 0);

    fresh();
    trackInstantaneousMetric(2, 10, 100, 1);
    trackInstantaneousMetric(2, 50, 110, 1);
    trackInstantaneousMetric(2, 90, 110, 1);
    test_cond("a base that did not move is no error", 1);
    test_cond("a base that did not move adds nothing to the average", sum(2) == 4);
    trackInstantaneousMetric(2, 150, 120, 1);
    test_cond("after a base that did not move samples go on", sum(2) == 4 + 6);
    long long others = 0;
    for (int j = 0; j < STATS_METRIC_COUNT; j++) others += j == 2 ? 0 : sum(j);
    test_cond("other metrics are left alone", others == 0);

    fresh();
    long long value = 0, base = 1;
    trackInstantaneousMetric(STATS_METRIC_COUNT - 1, value, base, 1);
    for (int j = 0; j < STATS_METRIC_SAMPLES; j++)
        trackInstantaneousMetric(STATS_METRIC_COUNT - 1, value += 30, ++base, 1);
    test_cond("the average is over the last samples", getInstantaneousMetric(STATS_METRIC_COUNT - 1) == 30);
    for (int j = 0; j < 3 * STATS_METRIC_SAMPLES + STATS_METRIC_SAMPLES / 2; j++)
        trackInstantaneousMetric(STATS_METRIC_COUNT - 1, value += 10, ++base, 1);
    test_cond("after many samples only the last ones count", getInstantaneousMetric(STATS_METRIC_COUNT - 1) == 10);
    for (int j = 0; j < STATS_METRIC_SAMPLES / 2; j++)
        trackInstantaneousMetric(STATS_METRIC_COUNT - 1, value += 50, ++base, 1);
    test_cond("the last metric has samples of its own",
              getInstantaneousMetric(STATS_METRIC_COUNT - 1) == 30 && getInstantaneousMetric(0) == 0);
    test_report();
    return 0;
}
