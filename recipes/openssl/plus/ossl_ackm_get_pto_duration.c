/*---
 * tasks: [BA863A3BCB7C141B]
 * tests:
 *   the formula of RFC 9002 holds: 'RFC 9002 6.2.1: smoothed_rtt + max(4*rttvar, kGranularity) + max_ack_delay.'
 *   the smoothed round trip counts: 'RFC 9002 6.2.1: not the latest and not the least.'
 *   the variance counts four times: 'RFC 9002 6.2.1: 4*rttvar.'
 *   the granularity is the least margin:
 *     'RFC 9002 6.2.1: max(4*rttvar, kGranularity); quic_ackm.c: K_GRANULARITY, one millisecond.'
 *   the peer's delay is added: 'RFC 9002 6.2.1: max_ack_delay; quic_ackm.h: the rx one is what "the peer is allowed".'
 *   our own delay is not: 'quic_ackm.h: the tx one is what "we are allowed to delay".'
 *   an infinite delay is left out: 'quic_ackm.c: ackm_get_pto_time_and_space adds the delay only if it is finite.'
 *   a duration does not depend on the time: 'Docstring: "This is a quantity of time."'
 *   back-off is not in it:
 *     'RFC 9002 6.2.1 has back-off apart; RFC 9000 10.2 and 8.2.4 take "the current PTO" three times.'
 *   a new connection waits by the initial round trip: 'RFC 9002 6.2.2: 333 ms; RFC 9000 18.2: max_ack_delay 25 ms.'
 *   it follows new samples: 'Docstring: "as currently calculated".'
 *   asking changes nothing: 'Docstring: "Returns the PTO duration".'
 ---*/
#include "../../ssl/quic/quic_ackm.c"
#include "../testutil.h"

static OSSL_STATM statm;
static uint64_t now_ms;

static OSSL_TIME now(void *arg)
{
    return ossl_ms2time(now_ms);
}

/* An ACK manager with these times in microseconds; the peer's delay is 25 ms, ours 40 ms. */
static OSSL_ACKM *manager(uint64_t smoothed, uint64_t variance)
{
    OSSL_ACKM *ackm;

    ossl_statm_init(&statm);
    if (!TEST_ptr(ackm = ossl_ackm_new(now, NULL, &statm, NULL, NULL)))
        return NULL;
    statm.smoothed_rtt = ossl_us2time(smoothed);
    statm.rtt_variance = ossl_us2time(variance);
    statm.latest_rtt = ossl_us2time(7);
    statm.min_rtt = ossl_us2time(3);
    statm.have_first_sample = 1;
    ossl_ackm_set_rx_max_ack_delay(ackm, ossl_ms2time(25));
    ossl_ackm_set_tx_max_ack_delay(ackm, ossl_ms2time(40));
    return ackm;
}

/* Is the duration so many microseconds? */
static int lasts(OSSL_ACKM *ackm, uint64_t microseconds)
{
    return TEST_uint64_t_eq(ossl_time2us(ossl_ackm_get_pto_duration(ackm)), microseconds);
}

/* The same for a manager of its own. */
static int gives(uint64_t smoothed, uint64_t variance, uint64_t microseconds)
{
    OSSL_ACKM *ackm = manager(smoothed, variance);
    int ok = ackm != NULL && lasts(ackm, microseconds);

    ossl_ackm_free(ackm);
    return ok;
}

static int formula(void)
{
    return gives(100000, 20000, 100000 + 4 * 20000 + 25000);
}

static int smoothed(void)
{
    return gives(50000, 10000, 50000 + 40000 + 25000) && gives(51000, 10000, 51000 + 40000 + 25000);
}

static int variance(void)
{
    return gives(50000, 10000, 115000) && gives(50000, 10001, 115004) && gives(50000, 1000000, 4075000);
}

static int granularity(void)
{
    return gives(50000, 0, 50000 + 1000 + 25000)
        && gives(50000, 249, 50000 + 1000 + 25000)
        && gives(50000, 250, 50000 + 1000 + 25000)
        && gives(50000, 251, 50000 + 1004 + 25000)
        && gives(0, 0, 1000 + 25000);
}

static int peers_delay(void)
{
    OSSL_ACKM *ackm = manager(50000, 10000);
    int ok = ackm != NULL;

    if (ok) {
        ossl_ackm_set_rx_max_ack_delay(ackm, ossl_ms2time(300));
        ok = lasts(ackm, 50000 + 40000 + 300000);
        ossl_ackm_set_rx_max_ack_delay(ackm, ossl_time_zero());
        ok = ok && lasts(ackm, 50000 + 40000);
    }
    ossl_ackm_free(ackm);
    return ok;
}

static int our_delay(void)
{
    OSSL_ACKM *ackm = manager(50000, 10000);
    int ok = ackm != NULL;

    if (ok) {
        ossl_ackm_set_tx_max_ack_delay(ackm, ossl_ms2time(300));
        ok = lasts(ackm, 50000 + 40000 + 25000);
    }
    ossl_ackm_free(ackm);
    return ok;
}

static int infinite_delay(void)
{
    OSSL_ACKM *ackm = manager(50000, 10000);
    int ok = ackm != NULL;

    if (ok) {
        ossl_ackm_set_rx_max_ack_delay(ackm, ossl_time_infinite());
        ok = lasts(ackm, 50000 + 40000);
    }
    ossl_ackm_free(ackm);
    return ok;
}

static int no_clock(void)
{
    OSSL_ACKM *ackm = manager(50000, 10000);
    int ok;

    now_ms = 1;
    ok = ackm != NULL && lasts(ackm, 115000);
    now_ms = 1000000;
    ok = ok && lasts(ackm, 115000);
    ossl_ackm_free(ackm);
    return ok;
}

static int back_off(void)
{
    OSSL_ACKM *ackm = manager(50000, 10000);
    int ok = ackm != NULL;

    if (ok) {
        ackm->pto_count = 5;
        ok = lasts(ackm, 115000);
    }
    ossl_ackm_free(ackm);
    return ok;
}

static int initial(void)
{
    OSSL_ACKM *ackm;
    int ok;

    ossl_statm_init(&statm);
    ackm = ossl_ackm_new(now, NULL, &statm, NULL, NULL);
    ok = TEST_ptr(ackm) && lasts(ackm, 333000 + 4 * 166500 + 25000);
    ossl_ackm_free(ackm);
    return ok;
}

static int follows(void)
{
    OSSL_ACKM *ackm = manager(50000, 10000);
    int ok = ackm != NULL && lasts(ackm, 115000);

    if (ok) {
        statm.have_first_sample = 0;
        ossl_statm_update_rtt(&statm, ossl_time_zero(), ossl_ms2time(80));
        ok = lasts(ackm, 80000 + 4 * 40000 + 25000);
    }
    ossl_ackm_free(ackm);
    return ok;
}

static int changes_nothing(void)
{
    OSSL_ACKM *ackm = manager(50000, 10000);
    OSSL_STATM before = statm;
    int ok = ackm != NULL && lasts(ackm, 115000) && lasts(ackm, 115000)
        && TEST_uint64_t_eq(ossl_time2ticks(statm.smoothed_rtt), ossl_time2ticks(before.smoothed_rtt))
        && TEST_uint64_t_eq(ossl_time2ticks(statm.rtt_variance), ossl_time2ticks(before.rtt_variance));

    ossl_ackm_free(ackm);
    return ok;
}

int setup_tests(void)
{
    add_test("the formula of RFC 9002 holds", formula);
    add_test("the smoothed round trip counts", smoothed);
    add_test("the variance counts four times", variance);
    add_test("the granularity is the least margin", granularity);
    add_test("the peer's delay is added", peers_delay);
    add_test("our own delay is not", our_delay);
    add_test("an infinite delay is left out", infinite_delay);
    add_test("a duration does not depend on the time", no_clock);
    add_test("back-off is not in it", back_off);
    add_test("a new connection waits by the initial round trip", initial);
    add_test("it follows new samples", follows);
    add_test("asking changes nothing", changes_nothing);
    return 1;
}
