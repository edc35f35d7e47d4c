/*---
 * tasks: [9C5181DDD3BA18D0]
 * tests:
 *   a new connection-level controller has no parent: 'include/internal/quic_fc.h: "NULL otherwise";
 *     ossl_quic_txfc_get_parent: "Returns NULL if called on a connection-level TX flow controller".'
 *   a new stream-level controller has the connection's as its parent: 'Docstring: "conn_txfc should be non-NULL and
 *     point to the connection-level flow controller".'
 *   a new controller has nothing sent and no credit: 'Callers: ssl/quic/quic_channel.c and ssl/quic/quic_stream_map.c
 *     grant credit by ossl_quic_txfc_bump_cwm after this.'
 *   a stream of a connection with credit still starts without credit: 'ssl/quic/quic_channel.c (ch_init_new_stream):
 *     the stream is granted its own limit after this.'
 *   a controller that was used before starts anew: 'Docstring: "Initialises a TX flow controller".'
 *   the connection's controller is left as it was: 'Docstring: it initialises txfc; conn_txfc is only pointed to.'
 *   what a stream sends counts for the connection: 'include/internal/quic_fc.h: ossl_quic_txfc_consume_credit is
 *     called on the connection-level TXFC also.'
 *   a stream-level controller can not be a parent: 'Docstring: conn_txfc points "to the connection-level flow
 *     controller"; ossl_quic_txfc_get_credit relies on a parent without a parent.'
 ---*/
#include "internal/quic_fc.h"
#include "testutil.h"

static QUIC_TXFC conn, stream;

/* As memory holds it that was used for something else. */
static int fresh(void)
{
    memset(&conn, 0xA5, sizeof(conn));
    memset(&stream, 0xA5, sizeof(stream));
    return TEST_int_eq(ossl_quic_txfc_init(&conn, NULL), 1);
}

static int no_parent(void)
{
    return fresh() && TEST_ptr_null(ossl_quic_txfc_get_parent(&conn));
}

static int parent(void)
{
    return fresh()
        && TEST_int_eq(ossl_quic_txfc_init(&stream, &conn), 1)
        && TEST_ptr_eq(ossl_quic_txfc_get_parent(&stream), &conn);
}

static int is_empty(QUIC_TXFC *txfc)
{
    return TEST_uint64_t_eq(ossl_quic_txfc_get_cwm(txfc), 0)
        && TEST_uint64_t_eq(ossl_quic_txfc_get_swm(txfc), 0)
        && TEST_uint64_t_eq(ossl_quic_txfc_get_credit(txfc, 0), 0)
        && TEST_uint64_t_eq(ossl_quic_txfc_get_credit_local(txfc, 0), 0)
        && TEST_int_eq(ossl_quic_txfc_has_become_blocked(txfc, 0), 0);
}

static int nothing_granted(void)
{
    return fresh()
        && TEST_int_eq(ossl_quic_txfc_init(&stream, &conn), 1)
        && is_empty(&conn)
        && is_empty(&stream);
}

static int stream_granted_nothing(void)
{
    return fresh()
        && TEST_true(ossl_quic_txfc_bump_cwm(&conn, 1000))
        && TEST_true(ossl_quic_txfc_consume_credit(&conn, 10))
        && TEST_int_eq(ossl_quic_txfc_init(&stream, &conn), 1)
        && is_empty(&stream);
}

static int used_before(void)
{
    QUIC_TXFC other;

    return fresh()
        && TEST_int_eq(ossl_quic_txfc_init(&other, NULL), 1)
        && TEST_int_eq(ossl_quic_txfc_init(&stream, &conn), 1)
        && TEST_true(ossl_quic_txfc_bump_cwm(&conn, 100))
        && TEST_true(ossl_quic_txfc_bump_cwm(&stream, 50))
        && TEST_true(ossl_quic_txfc_consume_credit(&stream, 50))
        && TEST_int_eq(ossl_quic_txfc_has_become_blocked(&stream, 0), 1)
        /* Under another connection, and then as a connection's own. */
        && TEST_int_eq(ossl_quic_txfc_init(&stream, &other), 1)
        && TEST_ptr_eq(ossl_quic_txfc_get_parent(&stream), &other)
        && is_empty(&stream)
        && TEST_int_eq(ossl_quic_txfc_init(&stream, NULL), 1)
        && TEST_ptr_null(ossl_quic_txfc_get_parent(&stream))
        && is_empty(&stream);
}

static int connection_untouched(void)
{
    return fresh()
        && TEST_true(ossl_quic_txfc_bump_cwm(&conn, 100))
        && TEST_true(ossl_quic_txfc_consume_credit(&conn, 100))
        && TEST_int_eq(ossl_quic_txfc_init(&stream, &conn), 1)
        && TEST_uint64_t_eq(ossl_quic_txfc_get_cwm(&conn), 100)
        && TEST_uint64_t_eq(ossl_quic_txfc_get_swm(&conn), 100)
        && TEST_ptr_null(ossl_quic_txfc_get_parent(&conn))
        && TEST_int_eq(ossl_quic_txfc_has_become_blocked(&conn, 0), 1);
}

static int counts_twice(void)
{
    return fresh()
        && TEST_int_eq(ossl_quic_txfc_init(&stream, &conn), 1)
        && TEST_true(ossl_quic_txfc_bump_cwm(&conn, 30))
        && TEST_true(ossl_quic_txfc_bump_cwm(&stream, 100))
        && TEST_uint64_t_eq(ossl_quic_txfc_get_credit(&stream, 0), 30)
        && TEST_true(ossl_quic_txfc_consume_credit(&stream, 20))
        && TEST_uint64_t_eq(ossl_quic_txfc_get_swm(&conn), 20)
        && TEST_uint64_t_eq(ossl_quic_txfc_get_credit(&stream, 0), 10)
        && TEST_uint64_t_eq(ossl_quic_txfc_get_credit_local(&stream, 0), 80);
}

static int two_levels(void)
{
    QUIC_TXFC third;

    return fresh()
        && TEST_int_eq(ossl_quic_txfc_init(&stream, &conn), 1)
        && TEST_int_eq(ossl_quic_txfc_init(&third, &stream), 0);
}

int setup_tests(void)
{
    add_test("a new connection-level controller has no parent", no_parent);
    add_test("a new stream-level controller has the connection's as its parent", parent);
    add_test("a new controller has nothing sent and no credit", nothing_granted);
    add_test("a stream of a connection with credit still starts without credit", stream_granted_nothing);
    add_test("a controller that was used before starts anew", used_before);
    add_test("the connection's controller is left as it was", connection_untouched);
    add_test("what a stream sends counts for the connection", counts_twice);
    add_test("a stream-level controller can not be a parent", two_levels);
    return 1;
}
