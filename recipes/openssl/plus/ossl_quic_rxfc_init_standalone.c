/*---
 * tasks: [EBF660A72E74BE1C]
 * tests:
 *   a standalone controller accepts what is received: 'Docstring: "used by itself and not under a connection-level RX
 *     flow controller".'
 *   it has no parent: 'Docstring: "not under a connection-level RX flow controller".'
 *   the initial window is the first limit: 'include/internal/quic_fc.h: initial_window_size determines "how much
 *     credit the RXFC extends to the peer".'
 *   more than the window is a flow control error: 'include/internal/quic_fc.h: ossl_quic_rxfc_get_error,
 *     QUIC_ERR_FLOW_CONTROL_ERROR.'
 *   what is received counts once: 'include/internal/quic_fc.h: swm "tracks how much we have received from the peer".'
 *   what is retired is granted anew: 'include/internal/quic_fc.h: ossl_quic_rxfc_on_retire; ssl/quic/quic_channel.c
 *     retires streams of a standalone controller.'
 *   the window keeps its size however fast it is used up: 'ossl_quic_rxfc_init has initial and maximum sizes, this
 *     one a single size, which is both.'
 *   the clock is called with its argument: 'include/internal/quic_fc.h: now(void *arg), now_arg.'
 *   a controller that was used before starts anew: 'Docstring: "Initialises an RX flow controller".'
 ---*/
#include "internal/quic_fc.h"
#include "internal/quic_error.h"
#include "testutil.h"

static QUIC_RXFC rxfc;
static void *asked_with;
static uint64_t ms;

static OSSL_TIME now(void *arg)
{
    asked_with = arg;
    return ossl_ms2time(ms);
}

static int start(uint64_t window)
{
    asked_with = NULL;
    ms = 1000;
    memset(&rxfc, 0xA5, sizeof(rxfc));
    return TEST_int_eq(ossl_quic_rxfc_init_standalone(&rxfc, window, now, &ms), 1);
}

static int accepts(void)
{
    return start(100)
        && TEST_int_eq(ossl_quic_rxfc_on_rx_stream_frame(&rxfc, 40, 0), 1)
        && TEST_int_eq(ossl_quic_rxfc_get_error(&rxfc, 0), 0)
        && TEST_int_eq(ossl_quic_rxfc_on_retire(&rxfc, 40, ossl_ms2time(1)), 1);
}

static int no_parent(void)
{
    return start(100) && TEST_ptr_null(ossl_quic_rxfc_get_parent(&rxfc));
}

static int first_limit(void)
{
    return start(100)
        && TEST_uint64_t_eq(ossl_quic_rxfc_get_cwm(&rxfc), 100)
        && TEST_uint64_t_eq(ossl_quic_rxfc_get_swm(&rxfc), 0)
        && TEST_uint64_t_eq(ossl_quic_rxfc_get_rwm(&rxfc), 0)
        && TEST_uint64_t_eq(ossl_quic_rxfc_get_credit(&rxfc), 100)
        && TEST_int_eq(ossl_quic_rxfc_has_cwm_changed(&rxfc, 0), 0)
        && TEST_int_eq(ossl_quic_rxfc_get_error(&rxfc, 0), 0)
        && TEST_int_eq(ossl_quic_rxfc_get_final_size(&rxfc, NULL), 0);
}

static int too_much(void)
{
    return start(100)
        && TEST_int_eq(ossl_quic_rxfc_on_rx_stream_frame(&rxfc, 100, 0), 1)
        && TEST_int_eq(ossl_quic_rxfc_get_error(&rxfc, 0), 0)
        && TEST_int_eq(ossl_quic_rxfc_on_rx_stream_frame(&rxfc, 101, 0), 1)
        && TEST_int_eq(ossl_quic_rxfc_get_error(&rxfc, 0), QUIC_ERR_FLOW_CONTROL_ERROR);
}

static int counts_once(void)
{
    return start(100)
        && TEST_int_eq(ossl_quic_rxfc_on_rx_stream_frame(&rxfc, 40, 0), 1)
        && TEST_uint64_t_eq(ossl_quic_rxfc_get_swm(&rxfc), 40)
        && TEST_uint64_t_eq(ossl_quic_rxfc_get_credit(&rxfc), 60)
        && TEST_int_eq(ossl_quic_rxfc_on_retire(&rxfc, 40, ossl_ms2time(1)), 1)
        && TEST_uint64_t_eq(ossl_quic_rxfc_get_rwm(&rxfc), 40);
}

static int granted_anew(void)
{
    return start(100)
        && TEST_int_eq(ossl_quic_rxfc_on_rx_stream_frame(&rxfc, 100, 0), 1)
        && TEST_int_eq(ossl_quic_rxfc_on_retire(&rxfc, 100, ossl_ms2time(0)), 1)
        && TEST_uint64_t_eq(ossl_quic_rxfc_get_cwm(&rxfc), 200)
        && TEST_int_eq(ossl_quic_rxfc_has_cwm_changed(&rxfc, 0), 1)
        && TEST_uint64_t_eq(ossl_quic_rxfc_get_credit(&rxfc), 100);
}

static int window_stays(void)
{
    uint64_t end;

    if (!start(100))
        return 0;
    /* The whole window within one round trip each: a window that may grow would double. */
    for (end = 100; end <= 500; end += 100) {
        if (!TEST_int_eq(ossl_quic_rxfc_on_rx_stream_frame(&rxfc, end, 0), 1)
            || !TEST_int_eq(ossl_quic_rxfc_on_retire(&rxfc, 100, ossl_ms2time(1000)), 1)
            || !TEST_uint64_t_eq(ossl_quic_rxfc_get_cwm(&rxfc), end + 100))
            return 0;
        ms++;
    }
    return TEST_int_eq(ossl_quic_rxfc_get_error(&rxfc, 0), 0);
}

static int clock_argument(void)
{
    return start(100)
        && TEST_int_eq(ossl_quic_rxfc_on_rx_stream_frame(&rxfc, 100, 0), 1)
        && TEST_int_eq(ossl_quic_rxfc_on_retire(&rxfc, 100, ossl_ms2time(1)), 1)
        && TEST_ptr_eq(asked_with, &ms);
}

static int used_before(void)
{
    return start(100)
        && TEST_int_eq(ossl_quic_rxfc_on_rx_stream_frame(&rxfc, 200, 1), 1)
        && TEST_int_eq(ossl_quic_rxfc_on_retire(&rxfc, 90, ossl_ms2time(1)), 1)
        && TEST_int_eq(ossl_quic_rxfc_get_error(&rxfc, 0), QUIC_ERR_FLOW_CONTROL_ERROR)
        && TEST_int_eq(ossl_quic_rxfc_init_standalone(&rxfc, 50, now, NULL), 1)
        && TEST_uint64_t_eq(ossl_quic_rxfc_get_cwm(&rxfc), 50)
        && TEST_uint64_t_eq(ossl_quic_rxfc_get_swm(&rxfc), 0)
        && TEST_uint64_t_eq(ossl_quic_rxfc_get_rwm(&rxfc), 0)
        && TEST_int_eq(ossl_quic_rxfc_get_error(&rxfc, 0), 0)
        && TEST_int_eq(ossl_quic_rxfc_get_final_size(&rxfc, NULL), 0)
        && TEST_int_eq(ossl_quic_rxfc_on_rx_stream_frame(&rxfc, 30, 0), 1)
        && TEST_uint64_t_eq(ossl_quic_rxfc_get_swm(&rxfc), 30);
}

int setup_tests(void)
{
    add_test("a standalone controller accepts what is received", accepts);
    add_test("it has no parent", no_parent);
    add_test("the initial window is the first limit", first_limit);
    add_test("more than the window is a flow control error", too_much);
    add_test("what is received counts once", counts_once);
    add_test("what is retired is granted anew", granted_anew);
    add_test("the window keeps its size however fast it is used up", window_stays);
    add_test("the clock is called with its argument", clock_argument);
    add_test("a controller that was used before starts anew", used_before);
    return 1;
}
