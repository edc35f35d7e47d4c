/*---
 * tasks: [B3CA49AE50AA5553]
 * tests:
 *   NULL does nothing: 'Callers: ssl/quic/quic_channel.c (ch_cleanup) after an initialisation that failed half-way.'
 *   a manager without packets is freed: 'Docstring: "Frees the TXPIM".'
 *   a packet that was released is freed: 'Docstring: packets "must be released" before; the pool owns them
 *     (ossl_quic_txpim_pkt_release: "returning it to the pool").'
 *   all packets that were released are freed: 'The same.'
 *   the chunks of packets are freed: 'include/internal/quic_txpim.h: ossl_quic_txpim_pkt_append_chunk copies into the
 *     packet.'
 *   packets used again are freed once: 'ossl_quic_txpim_pkt_alloc: "from the pool".'
 *   another manager is left as it was: 'Parameter txpim.'
 ---*/
#include "memory_count.h"
#include "internal/quic_txpim.h"
#include "testutil.h"

static long before;

static QUIC_TXPIM *start(void)
{
    before = memory_blocks;
    memory_bad_frees = 0;
    return ossl_quic_txpim_new();
}

static int freed(QUIC_TXPIM *txpim)
{
    ossl_quic_txpim_free(txpim);
    return TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
}

/* Hands out n packets with so many chunks each, and takes them back. */
static int use(QUIC_TXPIM *txpim, size_t n, size_t chunks)
{
    QUIC_TXPIM_PKT *pkts[40];
    QUIC_TXPIM_CHUNK chunk = { 0 };
    size_t i, j;

    for (i = 0; i < n; i++) {
        if (!TEST_ptr(pkts[i] = ossl_quic_txpim_pkt_alloc(txpim)))
            return 0;
        for (j = 0; j < chunks; j++) {
            chunk.stream_id = 3 * j % 7;
            chunk.end = chunk.start = j;
            if (!TEST_true(ossl_quic_txpim_pkt_append_chunk(pkts[i], &chunk)))
                return 0;
        }
        ossl_quic_txpim_pkt_get_chunks(pkts[i]);
    }
    for (i = 0; i < n; i++)
        ossl_quic_txpim_pkt_release(txpim, pkts[i]);
    return TEST_size_t_eq(ossl_quic_txpim_get_in_use(txpim), 0);
}

static int null(void)
{
    start();
    before = memory_blocks;
    return freed(NULL);
}

static int none(void)
{
    QUIC_TXPIM *txpim = start();

    return TEST_ptr(txpim) && freed(txpim);
}

static int one(void)
{
    QUIC_TXPIM *txpim = start();

    return TEST_ptr(txpim) && use(txpim, 1, 0) && freed(txpim);
}

static int all(void)
{
    QUIC_TXPIM *txpim = start();

    return TEST_ptr(txpim) && use(txpim, 40, 0) && freed(txpim);
}

static int chunks(void)
{
    QUIC_TXPIM *txpim = start();

    return TEST_ptr(txpim) && use(txpim, 1, 1) && freed(txpim)
        && TEST_ptr(txpim = start()) && use(txpim, 5, 30) && freed(txpim);
}

static int again(void)
{
    QUIC_TXPIM *txpim = start();

    return TEST_ptr(txpim) && use(txpim, 3, 9) && use(txpim, 1, 20) && use(txpim, 7, 2) && use(txpim, 2, 0)
        && freed(txpim);
}

static int another(void)
{
    QUIC_TXPIM *other, *txpim;
    QUIC_TXPIM_PKT *pkt = NULL;
    int ok;

    before = memory_blocks;
    memory_bad_frees = 0;
    ok = TEST_ptr(other = ossl_quic_txpim_new()) && TEST_ptr(txpim = ossl_quic_txpim_new())
        && TEST_ptr(pkt = ossl_quic_txpim_pkt_alloc(other)) && use(txpim, 4, 4);
    if (!ok)
        return 0;
    ossl_quic_txpim_free(txpim);
    ok = TEST_size_t_eq(ossl_quic_txpim_get_in_use(other), 1);
    ossl_quic_txpim_pkt_release(other, pkt);
    return ok && use(other, 2, 3) && freed(other);
}

int setup_tests(void)
{
    add_test("NULL does nothing", null);
    add_test("a manager without packets is freed", none);
    add_test("a packet that was released is freed", one);
    add_test("all packets that were released are freed", all);
    add_test("the chunks of packets are freed", chunks);
    add_test("packets used again are freed once", again);
    add_test("another manager is left as it was", another);
    return 1;
}
