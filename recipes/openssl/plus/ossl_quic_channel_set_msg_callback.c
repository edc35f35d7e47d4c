/*---
 * tasks: [620F31E815219213]
 * tests:
 *   the channel takes the callback:
 *     'Docstring: "Setters for the msg_callback"; quic_channel.c: the handshake layer reports with it.'
 *   the transmitter takes the callback:
 *     'quic_record_tx.h: "Setters for the msg_callback"; SSL_set_msg_callback(3): packets sent.'
 *   the packetiser takes the callback:
 *     'quic_txp.h: ossl_quic_tx_packetiser_set_msg_callback; SSL_set_msg_callback(3): frames sent.'
 *   the receiver takes the callback:
 *     'quic_record_rx.h: ossl_qrx_set_msg_callback; SSL_set_msg_callback(3): packets and datagrams received.'
 *   each is told of the SSL that reports:
 *     'SSL_set_msg_callback(3), of ssl: "The SSL object that received or sent the message."'
 *   NULL turns all off: 'SSL_set_msg_callback(3): "Using a NULL pointer for cb disables the message callback."'
 *   another callback replaces the first: 'It is a setter.'
 *   the argument stays: 'Docstring: "Setters for the msg_callback and msg_callback_arg": the argument has its own.'
 * flags:
 *   - "-Wl,--wrap=ossl_qtx_set_msg_callback"
 *   - "-Wl,--wrap=ossl_qrx_set_msg_callback"
 *   - "-Wl,--wrap=ossl_quic_tx_packetiser_set_msg_callback"
 ---*/
#include "../../ssl/quic/quic_channel.c"
#include "../testutil.h"

/* What a part of the channel was told last. */
static struct told {
    const void *part;
    ossl_msg_cb callback;
    SSL *ssl;
} qtx, qrx, txp;

void __wrap_ossl_qtx_set_msg_callback(OSSL_QTX *part, ossl_msg_cb callback, SSL *ssl)
{
    qtx = (struct told){ part, callback, ssl };
}

void __wrap_ossl_qrx_set_msg_callback(OSSL_QRX *part, ossl_msg_cb callback, SSL *ssl)
{
    qrx = (struct told){ part, callback, ssl };
}

void __wrap_ossl_quic_tx_packetiser_set_msg_callback(OSSL_QUIC_TX_PACKETISER *part, ossl_msg_cb callback, SSL *ssl)
{
    txp = (struct told){ part, callback, ssl };
}

static void first(int write_p, int version, int type, const void *buf, size_t len, SSL *ssl, void *arg)
{
}

static void second(int write_p, int version, int type, const void *buf, size_t len, SSL *ssl, void *arg)
{
}

static QUIC_CHANNEL channel;
static char parts[3];
static SSL *one, *two;

/* A channel of which nothing is read but the addresses of its parts. */
static void reset(void)
{
    static const struct told nothing;

    qtx = qrx = txp = nothing;
    memset(&channel, 0, sizeof(channel));
    channel.qtx = (OSSL_QTX *)&parts[0];
    channel.qrx = (OSSL_QRX *)&parts[1];
    channel.txp = (OSSL_QUIC_TX_PACKETISER *)&parts[2];
    channel.msg_callback_arg = &parts;
}

static int knows(const struct told *told, const void *part, ossl_msg_cb callback)
{
    return TEST_ptr_eq(told->part, part) && TEST_true(told->callback == callback);
}

static int all_know(ossl_msg_cb callback, SSL *ssl)
{
    return TEST_true(channel.msg_callback == callback)
        && knows(&qtx, channel.qtx, callback)
        && knows(&txp, channel.txp, callback)
        && knows(&qrx, channel.qrx, callback)
        && TEST_ptr_eq(channel.msg_callback_ssl, ssl)
        && TEST_ptr_eq(qtx.ssl, ssl)
        && TEST_ptr_eq(txp.ssl, ssl)
        && TEST_ptr_eq(qrx.ssl, ssl);
}

static int to_channel(void)
{
    reset();
    ossl_quic_channel_set_msg_callback(&channel, first, one);
    return TEST_true(channel.msg_callback == first);
}

static int to_transmitter(void)
{
    reset();
    ossl_quic_channel_set_msg_callback(&channel, first, one);
    return knows(&qtx, channel.qtx, first);
}

static int to_packetiser(void)
{
    reset();
    ossl_quic_channel_set_msg_callback(&channel, first, one);
    return knows(&txp, channel.txp, first);
}

static int to_receiver(void)
{
    reset();
    ossl_quic_channel_set_msg_callback(&channel, first, one);
    return knows(&qrx, channel.qrx, first);
}

static int with_ssl(void)
{
    reset();
    ossl_quic_channel_set_msg_callback(&channel, first, two);
    return all_know(first, two);
}

static int off(void)
{
    reset();
    ossl_quic_channel_set_msg_callback(&channel, first, one);
    ossl_quic_channel_set_msg_callback(&channel, NULL, NULL);
    return all_know(NULL, NULL);
}

static int replaced(void)
{
    reset();
    ossl_quic_channel_set_msg_callback(&channel, first, one);
    ossl_quic_channel_set_msg_callback(&channel, second, two);
    return all_know(second, two);
}

static int argument(void)
{
    reset();
    ossl_quic_channel_set_msg_callback(&channel, first, one);
    return all_know(first, one) && TEST_ptr_eq(channel.msg_callback_arg, &parts);
}

int setup_tests(void)
{
    SSL_CTX *ctx = SSL_CTX_new(TLS_method());

    if (!TEST_ptr(ctx) || !TEST_ptr(one = SSL_new(ctx)) || !TEST_ptr(two = SSL_new(ctx)))
        return 0;
    SSL_CTX_free(ctx);
    add_test("the channel takes the callback", to_channel);
    add_test("the transmitter takes the callback", to_transmitter);
    add_test("the packetiser takes the callback", to_packetiser);
    add_test("the receiver takes the callback", to_receiver);
    add_test("each is told of the SSL that reports", with_ssl);
    add_test("NULL turns all off", off);
    add_test("another callback replaces the first", replaced);
    add_test("the argument stays", argument);
    return 1;
}

void cleanup_tests(void)
{
    SSL_free(one);
    SSL_free(two);
}
