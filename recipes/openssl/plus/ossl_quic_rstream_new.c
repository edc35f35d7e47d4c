/*---
 * tasks: [268C244B2DAF749A]
 * tests:
 *   flow controller and statistics may be NULL: 'Docstring: "They can be NULL for unit testing."'
 *   a flow controller alone is enough: 'Docstring: "They can be NULL for unit testing."'
 *   the flow controller hears of what is read:
 *     'Docstring: "the rxfc is called when receive stream data is read by application".'
 *   the statistics give the round trip: 'Docstring: "statm is queried for current rtt".'
 *   the round trip is asked for anew: 'Docstring: "queried for current rtt".'
 *   the ring buffer has the size that was given: 'Docstring: "rbuf_size is the initial size of the ring buffer".'
 *   a ring buffer of no size is allowed: 'quic_channel.c: ch_init passes 0.'
 *   a new stream is empty: 'quic_stream.h: ossl_quic_rstream_available tells what can be read.'
 *   what is queued can be read: 'quic_stream.h: ossl_quic_rstream_queue_data, ossl_quic_rstream_read.'
 *   data can be moved to the ring buffer: 'Docstring: "to be used when ossl_quic_rstream_move_to_rbuf() is called".'
 *   all is freed again: 'quic_stream.h: ossl_quic_rstream_free.'
 *   without memory there is none: 'quic_channel.c: ch_init takes NULL for failure.'
 *   without memory for the buffer nothing is leaked: 'quic_channel.c: ch_init has nothing to free after NULL.'
 * flags: ["-Wl,--wrap=ossl_quic_rxfc_on_retire"]
 ---*/
#include "../../ssl/quic/quic_rstream.c"
#include "../testutil.h"
#include "memory_count.h"

/* What the flow controller was told last. */
static QUIC_RXFC *told_rxfc;
static uint64_t told_bytes;
static OSSL_TIME told_rtt;

int __wrap_ossl_quic_rxfc_on_retire(QUIC_RXFC *rxfc, uint64_t bytes, OSSL_TIME rtt)
{
    told_rxfc = rxfc;
    told_bytes = bytes;
    told_rtt = rtt;
    return 1;
}

/* Queues "hello" and reads it. */
static int reads(QUIC_RSTREAM *rstream)
{
    unsigned char buf[10];
    size_t count = 0;
    int fin = 0;

    return TEST_true(ossl_quic_rstream_queue_data(rstream, NULL, 0, (const unsigned char *)"hello", 5, 0))
        && TEST_true(ossl_quic_rstream_read(rstream, buf, sizeof(buf), &count, &fin))
        && TEST_mem_eq(buf, count, "hello", 5);
}

static int no_helpers(void)
{
    QUIC_RSTREAM *rstream = ossl_quic_rstream_new(NULL, NULL, 100);
    int ok;

    told_rxfc = NULL;
    ok = TEST_ptr(rstream) && reads(rstream) && TEST_ptr_null(told_rxfc);
    ossl_quic_rstream_free(rstream);
    return ok;
}

static int controller_alone(void)
{
    QUIC_RXFC rxfc;
    QUIC_RSTREAM *rstream = ossl_quic_rstream_new(&rxfc, NULL, 100);
    int ok = TEST_ptr(rstream);

    ossl_quic_rstream_free(rstream);
    return ok;
}

static int controller_hears(void)
{
    QUIC_RXFC rxfc;
    OSSL_STATM statm;
    QUIC_RSTREAM *rstream;
    int ok;

    ossl_statm_init(&statm);
    told_rxfc = NULL;
    rstream = ossl_quic_rstream_new(&rxfc, &statm, 100);
    ok = TEST_ptr(rstream) && reads(rstream)
        && TEST_ptr_eq(told_rxfc, &rxfc) && TEST_uint64_t_eq(told_bytes, 5);
    ossl_quic_rstream_free(rstream);
    return ok;
}

static int round_trip(void)
{
    QUIC_RXFC rxfc;
    OSSL_STATM statm;
    QUIC_RSTREAM *rstream;
    int ok;

    ossl_statm_init(&statm);
    ossl_statm_update_rtt(&statm, ossl_time_zero(), ossl_ms2time(77));
    rstream = ossl_quic_rstream_new(&rxfc, &statm, 100);
    ok = TEST_ptr(rstream) && reads(rstream) && TEST_uint64_t_eq(ossl_time2ms(told_rtt), 77);
    ossl_quic_rstream_free(rstream);
    return ok;
}

static int round_trip_anew(void)
{
    QUIC_RXFC rxfc;
    OSSL_STATM statm;
    QUIC_RSTREAM *rstream;
    int ok;

    ossl_statm_init(&statm);
    rstream = ossl_quic_rstream_new(&rxfc, &statm, 100);
    ossl_statm_update_rtt(&statm, ossl_time_zero(), ossl_ms2time(55));
    ok = TEST_ptr(rstream) && reads(rstream) && TEST_uint64_t_eq(ossl_time2ms(told_rtt), 55);
    ossl_quic_rstream_free(rstream);
    return ok;
}

static int buffer_size(void)
{
    static const size_t sizes[] = { 1, 100, 4096 };
    size_t i;

    for (i = 0; i < OSSL_NELEM(sizes); i++) {
        QUIC_RSTREAM *rstream = ossl_quic_rstream_new(NULL, NULL, sizes[i]);
        int ok = TEST_ptr(rstream) && TEST_size_t_eq(rstream->rbuf.alloc, sizes[i]);

        ossl_quic_rstream_free(rstream);
        if (!ok)
            return 0;
    }
    return 1;
}

static int no_buffer(void)
{
    QUIC_RSTREAM *rstream = ossl_quic_rstream_new(NULL, NULL, 0);
    int ok = TEST_ptr(rstream) && TEST_size_t_eq(rstream->rbuf.alloc, 0) && reads(rstream);

    ossl_quic_rstream_free(rstream);
    return ok;
}

static int empty(void)
{
    QUIC_RSTREAM *rstream = ossl_quic_rstream_new(NULL, NULL, 100);
    size_t avail = 99;
    int fin = 99;
    int ok = TEST_ptr(rstream) && TEST_true(ossl_quic_rstream_available(rstream, &avail, &fin))
        && TEST_size_t_eq(avail, 0) && TEST_int_eq(fin, 0);

    ossl_quic_rstream_free(rstream);
    return ok;
}

static int can_be_read(void)
{
    QUIC_RSTREAM *rstream = ossl_quic_rstream_new(NULL, NULL, 0);
    int ok = TEST_ptr(rstream) && reads(rstream);

    ossl_quic_rstream_free(rstream);
    return ok;
}

static int moved(void)
{
    QUIC_RSTREAM *rstream = ossl_quic_rstream_new(NULL, NULL, 100);
    unsigned char data[] = "hello", buf[10];
    size_t count = 0;
    int fin = 0;
    int ok = TEST_ptr(rstream)
        && TEST_true(ossl_quic_rstream_queue_data(rstream, NULL, 0, data, 5, 1))
        && TEST_true(ossl_quic_rstream_move_to_rbuf(rstream));

    memset(data, 'x', sizeof(data));
    ok = ok && TEST_true(ossl_quic_rstream_read(rstream, buf, sizeof(buf), &count, &fin))
        && TEST_mem_eq(buf, count, "hello", 5) && TEST_int_eq(fin, 1);
    ossl_quic_rstream_free(rstream);
    return ok;
}

static int all_freed(void)
{
    long before = memory_blocks;

    return no_helpers() && buffer_size() && no_buffer() && moved()
        && TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
}

static int no_memory(void)
{
    QUIC_RSTREAM *none, *half;

    memory_left = 0;
    none = ossl_quic_rstream_new(NULL, NULL, 100);
    memory_left = 1;
    half = ossl_quic_rstream_new(NULL, NULL, 100);
    memory_left = -1;
    return TEST_ptr_null(none) && TEST_ptr_null(half);
}

static int no_leak(void)
{
    long before = memory_blocks;

    return no_memory() && TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
}

int setup_tests(void)
{
    add_test("flow controller and statistics may be NULL", no_helpers);
    add_test("a flow controller alone is enough", controller_alone);
    add_test("the flow controller hears of what is read", controller_hears);
    add_test("the statistics give the round trip", round_trip);
    add_test("the round trip is asked for anew", round_trip_anew);
    add_test("the ring buffer has the size that was given", buffer_size);
    add_test("a ring buffer of no size is allowed", no_buffer);
    add_test("a new stream is empty", empty);
    add_test("what is queued can be read", can_be_read);
    add_test("data can be moved to the ring buffer", moved);
    add_test("all is freed again", all_freed);
    add_test("without memory there is none", no_memory);
    add_test("without memory for the buffer nothing is leaked", no_leak);
    return 1;
}
