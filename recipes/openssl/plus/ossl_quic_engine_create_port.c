/*---
 * tasks: [755C43F5B3FA4575]
 * tests:
 *   the port is a child of the engine: 'Docstring: "Create a port which is a child of the engine."'
 *   the port takes the engine's clock and mutex:
 *     'quic_engine.h: an engine manages "clock management" and the mutex of all its ports.'
 *   a port of one connection has no connection IDs of its own:
 *     'quic_port.h: is_multi_conn 0, "a zero-length local CID can be used".'
 *   a port of many connections has connection IDs:
 *     'quic_port.h: is_multi_conn 1, "non-zero-length CIDs should be used".'
 *   the SSL_CTX is handed on: 'quic_port.h: channel_ctx is "used when constructing the handshake layer object".'
 *   arguments without an SSL_CTX fail: 'quic_port.c: port_init asks for one, and the caller takes NULL for failure.'
 *   arguments with an engine are refused: 'Docstring: "args->engine shall be NULL".'
 *   the arguments stay as they were: 'args is const; one set of arguments serves several engines.'
 *   an engine has one port at most:
 *     'quic_port.c: port_update_poll_desc: "We currently only support one port per
 *     engine/domain."'
 *   a freed port makes room for another: 'quic_port.c: port_cleanup takes the port off the list of its engine.'
 *   nothing is leaked: 'quic_port.c: ossl_quic_port_free is the only release, quic_impl.c calls it once.'
 ---*/
#include "../../ssl/quic/quic_engine.c"
#include "../testutil.h"
#include "memory_count.h"

static SSL_CTX *ctx;
static CRYPTO_MUTEX *mutex;

static OSSL_TIME noon(void *arg)
{
    return ossl_ticks2time(*(uint64_t *)arg);
}

static QUIC_ENGINE *engine_new(void)
{
    static uint64_t ticks = 12345;
    QUIC_ENGINE_ARGS args = { NULL, NULL, mutex, noon, &ticks };

    return ossl_quic_engine_new(&args);
}

/* Makes a port with `args` and asks `ok` about it, of which NULL means that there is none. */
static int with_port(const QUIC_PORT_ARGS *args, int (*ok)(QUIC_ENGINE *, QUIC_PORT *))
{
    QUIC_ENGINE *engine = engine_new();
    QUIC_PORT *port = ossl_quic_engine_create_port(engine, args);
    int result = ok(engine, port);

    ossl_quic_port_free(port);
    ossl_quic_engine_free(engine);
    return result;
}

static int is_child(QUIC_ENGINE *engine, QUIC_PORT *port)
{
    return TEST_ptr(port)
        && TEST_ptr_eq(ossl_quic_port_get0_engine(port), engine)
        && TEST_ptr_eq(ossl_list_port_head(&engine->port_list), port)
        && TEST_size_t_eq(ossl_list_port_num(&engine->port_list), 1)
        && TEST_true(ossl_quic_port_is_running(port));
}

static int has_clock(QUIC_ENGINE *engine, QUIC_PORT *port)
{
    return TEST_ptr(port)
        && TEST_uint64_t_eq(ossl_time2ticks(ossl_quic_port_get_time(port)), 12345)
        && TEST_ptr_eq(ossl_quic_port_get0_mutex(port), mutex)
        && TEST_ptr_eq(ossl_quic_port_get0_reactor(port), ossl_quic_engine_get0_reactor(engine));
}

static int has_no_ids(QUIC_ENGINE *engine, QUIC_PORT *port)
{
    return TEST_ptr(port) && TEST_int_eq(ossl_quic_port_get_rx_short_dcid_len(port), 0);
}

static int has_ids(QUIC_ENGINE *engine, QUIC_PORT *port)
{
    return TEST_ptr(port) && TEST_int_gt(ossl_quic_port_get_rx_short_dcid_len(port), 0);
}

static int has_ctx(QUIC_ENGINE *engine, QUIC_PORT *port)
{
    return TEST_ptr(port) && TEST_ptr_eq(port->channel_ctx, ctx);
}

static int is_none(QUIC_ENGINE *engine, QUIC_PORT *port)
{
    return TEST_ptr_null(port) && TEST_size_t_eq(ossl_list_port_num(&engine->port_list), 0);
}

static int child(void)
{
    QUIC_PORT_ARGS args = { NULL, ctx, 0 };

    return with_port(&args, is_child);
}

static int clock_and_mutex(void)
{
    QUIC_PORT_ARGS args = { NULL, ctx, 0 };

    return with_port(&args, has_clock);
}

static int one_connection(void)
{
    QUIC_PORT_ARGS args = { NULL, ctx, 0 };

    return with_port(&args, has_no_ids);
}

static int many_connections(void)
{
    QUIC_PORT_ARGS args = { NULL, ctx, 1 };

    return with_port(&args, has_ids);
}

static int ssl_ctx(void)
{
    QUIC_PORT_ARGS args = { NULL, ctx, 1 };

    return with_port(&args, has_ctx);
}

static int no_ssl_ctx(void)
{
    QUIC_PORT_ARGS args = { NULL, NULL, 0 };

    return with_port(&args, is_none);
}

static int with_engine(void)
{
    QUIC_ENGINE *other = engine_new();
    QUIC_PORT_ARGS args = { other, ctx, 0 };
    int ok = with_port(&args, is_none) && TEST_size_t_eq(ossl_list_port_num(&other->port_list), 0);

    ossl_quic_engine_free(other);
    return ok;
}

static int arguments_stay(void)
{
    QUIC_PORT_ARGS args = { NULL, ctx, 1 };

    return with_port(&args, is_child)
        && TEST_ptr_null(args.engine)
        && TEST_ptr_eq(args.channel_ctx, ctx)
        && TEST_int_eq(args.is_multi_conn, 1)
        && with_port(&args, is_child);
}

static int one_only(void)
{
    QUIC_PORT_ARGS args = { NULL, ctx, 0 };
    QUIC_ENGINE *engine = engine_new();
    QUIC_PORT *port = ossl_quic_engine_create_port(engine, &args);
    int ok = TEST_ptr_null(ossl_quic_engine_create_port(engine, &args)) && is_child(engine, port);

    ossl_quic_port_free(port);
    ossl_quic_engine_free(engine);
    return ok;
}

static int another(void)
{
    QUIC_PORT_ARGS args = { NULL, ctx, 0 };
    QUIC_ENGINE *engine = engine_new();
    QUIC_PORT *first = ossl_quic_engine_create_port(engine, &args), *second;
    int ok = TEST_ptr(first);

    ossl_quic_port_free(first);
    second = ossl_quic_engine_create_port(engine, &args);
    ok = ok && is_child(engine, second);
    ossl_quic_port_free(second);
    ossl_quic_engine_free(engine);
    return ok;
}

static int no_leak(void)
{
    QUIC_PORT_ARGS good = { NULL, ctx, 1 }, bad = { NULL, NULL, 1 };
    long before = memory_blocks;

    return with_port(&good, is_child) && with_port(&bad, is_none)
        && TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
}

int setup_tests(void)
{
    if (!TEST_ptr(ctx = SSL_CTX_new(TLS_method())) || !TEST_ptr(mutex = ossl_crypto_mutex_new()))
        return 0;
    add_test("the port is a child of the engine", child);
    add_test("the port takes the engine's clock and mutex", clock_and_mutex);
    add_test("a port of one connection has no connection IDs of its own", one_connection);
    add_test("a port of many connections has connection IDs", many_connections);
    add_test("the SSL_CTX is handed on", ssl_ctx);
    add_test("arguments without an SSL_CTX fail", no_ssl_ctx);
    add_test("arguments with an engine are refused", with_engine);
    add_test("the arguments stay as they were", arguments_stay);
    add_test("an engine has one port at most", one_only);
    add_test("a freed port makes room for another", another);
    add_test("nothing is leaked", no_leak);
    return 1;
}

void cleanup_tests(void)
{
    ossl_crypto_mutex_free(&mutex);
    SSL_CTX_free(ctx);
}
