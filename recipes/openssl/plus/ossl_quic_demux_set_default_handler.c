/*---
 * tasks: [E255542D4F8240B0]
 * tests:
 *   without a handler a packet is dropped: 'Docstring: "If a default packet handler is not set, a packet ... is
 *     silently dropped".'
 *   the handler gets each packet: 'Docstring: "used for incoming packets which don''t match a registered DCID".'
 *   the handler gets the argument given with it: 'include/internal/quic_demux.h: ossl_quic_demux_cb_fn(e, arg, dcid);
 *     parameter cb_arg.'
 *   the handler gets the connection ID: 'include/internal/quic_demux.h: "If a DCID was identified for the datagram,
 *     dcid is non-NULL".'
 *   the argument may be NULL: 'Parameter cb_arg is opaque.'
 *   another handler takes the place of the first: 'Docstring: "Set the default packet handler".'
 *   the same handler can get another argument: 'Parameter cb_arg.'
 *   NULL unsets the handler: 'Docstring: "A default packet handler may be unset by passing NULL".'
 *   a handler can be set again after it was unset: 'Docstring.'
 *   demuxers have handlers of their own: 'Parameter demux.'
 *   setting a handler calls nobody: 'Docstring: it is for incoming packets.'
 ---*/
#include "internal/quic_types.h"
#include "internal/quic_demux.h"
#include "testutil.h"

/* A packet with a long header to the ID 1122334455667788. */
static const unsigned char packet[] = {
    0xc3, 0, 0, 0, 1, 8, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0
};

typedef struct {
    int calls, right_id;
} SEEN;

static QUIC_DEMUX *demux;
static SEEN first, second;
static int null_calls;

static void note(QUIC_DEMUX *from, QUIC_URXE *e, void *arg, const QUIC_CONN_ID *dcid)
{
    SEEN *seen = arg;

    if (seen == NULL) {
        null_calls++;
    } else if (seen == &first || seen == &second) {
        seen->calls++;
        seen->right_id = dcid != NULL && dcid->id_len == 8 && memcmp(dcid->id, packet + 6, 8) == 0;
    }
    ossl_quic_demux_release_urxe(from, e);
}

static void handler(QUIC_URXE *e, void *arg, const QUIC_CONN_ID *dcid)
{
    note(demux, e, arg, dcid);
}

static int other_calls;

static void other_handler(QUIC_URXE *e, void *arg, const QUIC_CONN_ID *dcid)
{
    other_calls++;
    note(demux, e, arg, dcid);
}

static int start(void)
{
    ossl_quic_demux_free(demux);
    memset(&first, 0, sizeof(first));
    memset(&second, 0, sizeof(second));
    null_calls = other_calls = 0;
    return TEST_ptr(demux = ossl_quic_demux_new(NULL, 8, NULL, NULL));
}

static int receive(void)
{
    return TEST_int_eq(ossl_quic_demux_inject(demux, packet, sizeof(packet), NULL, NULL), 1)
        && TEST_int_eq(ossl_quic_demux_has_pending(demux), 0);
}

static int calls(int of_first, int of_second)
{
    return TEST_int_eq(first.calls, of_first) && TEST_int_eq(second.calls, of_second);
}

static int without(void)
{
    return start() && receive() && receive() && calls(0, 0);
}

static int each_packet(void)
{
    if (!start())
        return 0;
    ossl_quic_demux_set_default_handler(demux, handler, &first);
    return receive() && receive() && receive() && calls(3, 0);
}

static int argument(void)
{
    if (!start())
        return 0;
    ossl_quic_demux_set_default_handler(demux, handler, &second);
    return receive() && calls(0, 1);
}

static int connection_id(void)
{
    if (!start())
        return 0;
    ossl_quic_demux_set_default_handler(demux, handler, &first);
    return receive() && TEST_true(first.right_id);
}

static int null_argument(void)
{
    if (!start())
        return 0;
    ossl_quic_demux_set_default_handler(demux, handler, &first);
    ossl_quic_demux_set_default_handler(demux, handler, NULL);
    return receive() && calls(0, 0) && TEST_int_eq(null_calls, 1);
}

static int another(void)
{
    if (!start())
        return 0;
    ossl_quic_demux_set_default_handler(demux, handler, &first);
    ossl_quic_demux_set_default_handler(demux, other_handler, &second);
    return receive() && calls(0, 1) && TEST_int_eq(other_calls, 1);
}

static int other_argument(void)
{
    if (!start())
        return 0;
    ossl_quic_demux_set_default_handler(demux, handler, &first);
    if (!receive())
        return 0;
    ossl_quic_demux_set_default_handler(demux, handler, &second);
    return receive() && calls(1, 1);
}

static int unset(void)
{
    if (!start())
        return 0;
    ossl_quic_demux_set_default_handler(demux, handler, &first);
    if (!receive())
        return 0;
    ossl_quic_demux_set_default_handler(demux, NULL, NULL);
    if (!receive() || !calls(1, 0) || !TEST_int_eq(null_calls, 0))
        return 0;
    ossl_quic_demux_set_default_handler(demux, handler, &first);
    ossl_quic_demux_set_default_handler(demux, NULL, &second);
    return receive() && calls(1, 0) && TEST_int_eq(null_calls, 0);
}

static int set_again(void)
{
    if (!start())
        return 0;
    ossl_quic_demux_set_default_handler(demux, handler, &first);
    ossl_quic_demux_set_default_handler(demux, NULL, NULL);
    ossl_quic_demux_set_default_handler(demux, handler, &second);
    return receive() && calls(0, 1);
}

static int own_handlers(void)
{
    QUIC_DEMUX *other = ossl_quic_demux_new(NULL, 8, NULL, NULL);
    int ok = start() && TEST_ptr(other);

    if (ok) {
        ossl_quic_demux_set_default_handler(demux, handler, &first);
        /* The other one has none: its packets are dropped. */
        ok = TEST_int_eq(ossl_quic_demux_inject(other, packet, sizeof(packet), NULL, NULL), 1)
            && calls(0, 0) && receive() && calls(1, 0);
        ossl_quic_demux_set_default_handler(other, NULL, NULL);
        ok = ok && receive() && calls(2, 0);
    }
    ossl_quic_demux_free(other);
    return ok;
}

static int calls_nobody(void)
{
    if (!start())
        return 0;
    ossl_quic_demux_set_default_handler(demux, handler, &first);
    ossl_quic_demux_set_default_handler(demux, other_handler, &second);
    ossl_quic_demux_set_default_handler(demux, NULL, NULL);
    return calls(0, 0) && TEST_int_eq(other_calls, 0);
}

int setup_tests(void)
{
    add_test("without a handler a packet is dropped", without);
    add_test("the handler gets each packet", each_packet);
    add_test("the handler gets the argument given with it", argument);
    add_test("the handler gets the connection ID", connection_id);
    add_test("the argument may be NULL", null_argument);
    add_test("another handler takes the place of the first", another);
    add_test("the same handler can get another argument", other_argument);
    add_test("NULL unsets the handler", unset);
    add_test("a handler can be set again after it was unset", set_again);
    add_test("demuxers have handlers of their own", own_handlers);
    add_test("setting a handler calls nobody", calls_nobody);
    return 1;
}

void cleanup_tests(void)
{
    ossl_quic_demux_free(demux);
}
