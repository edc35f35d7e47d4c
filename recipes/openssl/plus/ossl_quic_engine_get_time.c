/*---
 * tasks: [6EA04EB8AF1579A0]
 * tests:
 *   an engine with a clock of its own asks it: 'include/internal/quic_engine.h: now_cb; ssl/quic/quic_engine_local.h:
 *     "Callback used to get the current time".'
 *   the clock gets its own argument: 'include/internal/quic_engine.h: now_cb(void *arg), now_cb_arg.'
 *   the clock is asked anew each time: 'Docstring: "Gets the current time".'
 *   each engine has its own clock: 'Parameter qeng.'
 *   a clock may say zero: 'Docstring: the time is what now_cb says; tests start at any time.'
 *   an engine without a clock has the time of the machine: 'Docstring: "Gets the current time"; SSL objects that set
 *     no callback (ssl/quic/quic_impl.c) have none.'
 ---*/
#include "internal/quic_engine.h"
#include "internal/time.h"
#include "testutil.h"

typedef struct {
    uint64_t ticks;
    int asked;
} CLOCK;

static void *last_argument;

static OSSL_TIME clock_now(void *arg)
{
    CLOCK *clock = arg;

    last_argument = arg;
    clock->asked++;
    return ossl_ticks2time(clock->ticks);
}

static OSSL_TIME fixed_now(void *arg)
{
    last_argument = arg;
    return ossl_ticks2time(77);
}

static QUIC_ENGINE *engine(OSSL_TIME (*now_cb)(void *), void *arg)
{
    QUIC_ENGINE_ARGS args = { 0 };

    args.now_cb = now_cb;
    args.now_cb_arg = arg;
    return ossl_quic_engine_new(&args);
}

static uint64_t ticks(QUIC_ENGINE *qeng)
{
    return ossl_time2ticks(ossl_quic_engine_get_time(qeng));
}

static int own_clock(void)
{
    CLOCK clock = { 123456789, 0 };
    QUIC_ENGINE *qeng = engine(clock_now, &clock);
    int ok = TEST_ptr(qeng) && TEST_uint64_t_eq(ticks(qeng), 123456789) && TEST_int_gt(clock.asked, 0);

    ossl_quic_engine_free(qeng);
    return ok;
}

static int argument(void)
{
    static int something;
    QUIC_ENGINE *qeng = engine(fixed_now, &something), *other = engine(fixed_now, NULL);
    int ok = TEST_ptr(qeng) && TEST_ptr(other)
        && TEST_uint64_t_eq(ticks(qeng), 77) && TEST_ptr_eq(last_argument, &something)
        && TEST_uint64_t_eq(ticks(other), 77) && TEST_ptr_null(last_argument);

    ossl_quic_engine_free(qeng);
    ossl_quic_engine_free(other);
    return ok;
}

static int anew(void)
{
    CLOCK clock = { 1000, 0 };
    QUIC_ENGINE *qeng = engine(clock_now, &clock);
    int ok = TEST_ptr(qeng) && TEST_uint64_t_eq(ticks(qeng), 1000);

    clock.ticks = 5000;
    ok = ok && TEST_uint64_t_eq(ticks(qeng), 5000);
    clock.ticks = UINT64_MAX;
    ok = ok && TEST_uint64_t_eq(ticks(qeng), UINT64_MAX);
    ossl_quic_engine_free(qeng);
    return ok;
}

static int each_its_own(void)
{
    CLOCK one = { 1, 0 }, two = { 2, 0 };
    QUIC_ENGINE *first = engine(clock_now, &one), *second = engine(clock_now, &two), *third = engine(fixed_now, &two);
    int ok = TEST_ptr(first) && TEST_ptr(second) && TEST_ptr(third)
        && TEST_uint64_t_eq(ticks(first), 1) && TEST_uint64_t_eq(ticks(second), 2)
        && TEST_uint64_t_eq(ticks(third), 77) && TEST_uint64_t_eq(ticks(first), 1);

    ossl_quic_engine_free(first);
    ossl_quic_engine_free(second);
    ossl_quic_engine_free(third);
    return ok;
}

static int zero(void)
{
    CLOCK clock = { 0, 0 };
    QUIC_ENGINE *qeng = engine(clock_now, &clock);
    int ok = TEST_ptr(qeng) && TEST_uint64_t_eq(ticks(qeng), 0);

    ossl_quic_engine_free(qeng);
    return ok;
}

static int machine(void)
{
    QUIC_ENGINE *qeng = engine(NULL, &last_argument);
    /* Within an hour, so that a clock that is set meanwhile doesn't matter. */
    uint64_t hour = 3600 * OSSL_TIME_SECOND, now = ossl_time2ticks(ossl_time_now()), got;
    int ok = TEST_ptr(qeng);

    got = ok ? ticks(qeng) : 0;
    ok = ok && TEST_uint64_t_gt(got, now - hour) && TEST_uint64_t_lt(got, now + hour);
    ossl_quic_engine_free(qeng);
    return ok;
}

int setup_tests(void)
{
    add_test("an engine with a clock of its own asks it", own_clock);
    add_test("the clock gets its own argument", argument);
    add_test("the clock is asked anew each time", anew);
    add_test("each engine has its own clock", each_its_own);
    add_test("a clock may say zero", zero);
    add_test("an engine without a clock has the time of the machine", machine);
    return 1;
}
