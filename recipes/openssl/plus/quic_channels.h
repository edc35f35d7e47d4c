/* A QUIC engine with one port, for channels that never send: without a network, and with a clock that stands still. */
#include "internal/quic_channel.h"
#include "internal/quic_engine.h"
#include "internal/quic_port.h"

typedef struct {
    SSL_CTX *ctx;
    CRYPTO_MUTEX *mutex;
    QUIC_ENGINE *engine;
    QUIC_PORT *port;
} QUIC_CHANNELS;

static OSSL_TIME quic_channels_now(void *arg)
{
    return ossl_ms2time(1000000);
}

static int quic_channels_init(QUIC_CHANNELS *all)
{
    QUIC_ENGINE_ARGS engine_args = { NULL, NULL, NULL, quic_channels_now, NULL };
    QUIC_PORT_ARGS port_args = { NULL, NULL, 1 };

    if (!TEST_ptr(all->ctx = SSL_CTX_new(TLS_method()))
            || !TEST_ptr(engine_args.mutex = all->mutex = ossl_crypto_mutex_new())
            || !TEST_ptr(all->engine = ossl_quic_engine_new(&engine_args)))
        return 0;
    port_args.channel_ctx = all->ctx;
    return TEST_ptr(all->port = ossl_quic_engine_create_port(all->engine, &port_args));
}

/* All channels of the port have to be freed before. */
static void quic_channels_end(QUIC_CHANNELS *all)
{
    ossl_quic_port_free(all->port);
    ossl_quic_engine_free(all->engine);
    ossl_crypto_mutex_free(&all->mutex);
    SSL_CTX_free(all->ctx);
}
