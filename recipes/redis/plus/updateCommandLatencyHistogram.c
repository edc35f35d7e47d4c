/*---
 * tasks: [BFD3412F5AA28A38]
 * tests:
 *   the histogram is made by the first call: 'Docstring: "If needed it will allocate the histogram memory".'
 *   the first call is counted: 'Docstring: it is "called in order to update the total command histogram duration".'
 *   later calls use the same histogram: 'Docstring: memory is allocated "if needed".'
 *   each call is counted once: 'blocked.c, server.c: one call of this function for each executed command.'
 *   a duration is counted in nanoseconds: 'Docstring: "The latency unit is nano-seconds".'
 *   a duration is kept to two significant digits: 'server.h: LATENCY_HISTOGRAM_PRECISION.'
 *   a duration of zero counts as the lower limit: 'Docstring: "trim the duration to the upper/lower tracking limits".'
 *   a negative duration counts as the lower limit: 'Docstring: "trim the duration to the upper/lower tracking limits".'
 *   a duration at the lower limit counts as it is: 'Docstring; LATENCY_HISTOGRAM_MIN_VALUE.'
 *   a duration at the upper limit counts as it is: 'Docstring; LATENCY_HISTOGRAM_MAX_VALUE.'
 *   a duration just below the upper limit counts as it is: 'Docstring: only what is beyond a limit is trimmed.'
 *   a duration above the upper limit counts as the upper limit: 'Docstring: "trim the duration to the upper/lower tracking limits".'
 *   the longest duration counts as the upper limit: 'Docstring: "trim the duration to the upper/lower tracking limits".'
 *   the histogram tracks up to the upper limit: 'server.h: LATENCY_HISTOGRAM_MAX_VALUE.'
 *   two histograms are separate: 'The parameter: each command has a histogram of its own.'
 ---*/
#include "../server.h"
#include "../testhelp.h"
#include "hdr_histogram.h"

/* The one duration that a fresh histogram holds after one call lies where `expected` does. */
static int counts(int64_t duration, int64_t expected) {
    struct hdr_histogram *h = NULL;
    updateCommandLatencyHistogram(&h, duration);
    int right = h && h->total_count == 1 && hdr_count_at_value(h, expected) == 1;
    hdr_close(h);
    return right;
}

int main(void) {
    struct hdr_histogram *h = NULL, *other = NULL, *first;
    updateCommandLatencyHistogram(&h, 5000);
    test_cond("the histogram is made by the first call", h != NULL);
    first = h;
    test_cond("the first call is counted", h && h->total_count == 1);
    updateCommandLatencyHistogram(&h, 5000);
    updateCommandLatencyHistogram(&h, 70);
    test_cond("later calls use the same histogram", h == first && h->total_count == 3);
    test_cond("each call is counted once", hdr_count_at_value(h, 5000) == 2 && hdr_count_at_value(h, 70) == 1);
    test_cond("the histogram tracks up to the upper limit",
              h->highest_trackable_value == LATENCY_HISTOGRAM_MAX_VALUE);
    updateCommandLatencyHistogram(&other, 9);
    test_cond("two histograms are separate", other != h && other->total_count == 1 && h->total_count == 3);
    test_cond("a duration is counted in nanoseconds", counts(1500, 1500) && !counts(1500, 1));
    test_cond("a duration is kept to two significant digits",
              counts(12, 12) && !counts(12, 13) && counts(120000, 120000) && !counts(120000, 130000));
    test_cond("a duration of zero counts as the lower limit", counts(0, LATENCY_HISTOGRAM_MIN_VALUE));
    test_cond("a negative duration counts as the lower limit", counts(-4000, LATENCY_HISTOGRAM_MIN_VALUE));
    test_cond("a duration at the lower limit counts as it is",
              counts(LATENCY_HISTOGRAM_MIN_VALUE, LATENCY_HISTOGRAM_MIN_VALUE));
    test_cond("a duration at the upper limit counts as it is",
              counts(LATENCY_HISTOGRAM_MAX_VALUE, LATENCY_HISTOGRAM_MAX_VALUE));
    test_cond("a duration just below the upper limit counts as it is",
              counts(LATENCY_HISTOGRAM_MAX_VALUE - 20000000, LATENCY_HISTOGRAM_MAX_VALUE - 20000000));
    test_cond("a duration above the upper limit counts as the upper limit",
              counts(LATENCY_HISTOGRAM_MAX_VALUE + 50000000, LATENCY_HISTOGRAM_MAX_VALUE));
    test_cond("the longest duration counts as the upper limit", counts(INT64_MAX, LATENCY_HISTOGRAM_MAX_VALUE));
    test_report();
    return 0;
}
