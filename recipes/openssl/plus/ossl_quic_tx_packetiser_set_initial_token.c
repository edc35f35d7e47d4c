/*---
 * tasks: [C8EF3908D2059468]
 * tests:
 *   the token is taken: 'Docstring: "Set the token used in Initial packets."'
 *   the callback waits while the token is in use:
 *     'Docstring: "The callback is called when the buffer is no longer needed".'
 *   a new token releases the old one: 'Docstring: "when this function is called again with a new buffer".'
 *   the old token's own callback and argument are used:
 *     'Docstring: "The callback is called when the buffer is no longer needed"; quic_txp.h:
 *     ossl_quic_initial_token_free_fn gets buffer, length and argument.'
 *   each token is released once: 'quic_channel.c: free_token frees the buffer.'
 *   the end of the packetiser releases the token: 'Docstring: "for example, when the TXP is freed".'
 *   no token takes the place of one: 'quic_txp.c: ossl_quic_tx_packetiser_free sets NULL and 0.'
 *   a token needs no callback: 'quic_txp.c: ossl_quic_tx_packetiser_free sets none; test programs have fixed buffers.'
 *   the longest token is taken: 'quic_txp.c, TXP_REQUIRED_TOKEN_MARGIN: "We choose 160 bytes as the required margin".'
 *   a longer token is refused:
 *     'Docstring: "Fails returning 0 if the token is too big to ever be reasonably encapsulated".'
 *   a refused token is left to its giver: 'quic_channel.c: ch_retry frees the refused buffer itself.'
 *   larger datagrams allow longer tokens: 'Docstring: "based on our current understanding of our PMTU".'
 ---*/
#include "../../ssl/quic/quic_txp.c"
#include "../../ssl/quic/quic_channel_local.h"
#include "../testutil.h"
#include "quic_channels.h"

static QUIC_CHANNELS all;
static QUIC_CHANNEL *ch;
static OSSL_QUIC_TX_PACKETISER *txp;
static SSL *tls;

static const unsigned char tokens[2000] = { 1, 2, 3, 4, 5, 6, 7, 8, 9 };

/* What was released last with which argument, and how often anything was. */
static const unsigned char *released;
static size_t released_length;
static void *released_arg;
static int releases;

static void release(const unsigned char *buf, size_t length, void *arg)
{
    released = buf;
    released_length = length;
    released_arg = arg;
    releases++;
}

static int others;      /* calls of the other callback */

static void other_release(const unsigned char *buf, size_t length, void *arg)
{
    others++;
}

static void end(void)
{
    ossl_quic_channel_free(ch);
    SSL_free(tls);
    ch = NULL;
    tls = NULL;
}

/* A packetiser of a new channel, whose datagrams have 1,200 bytes. */
static int fresh(void)
{
    end();
    if (!TEST_ptr(tls = SSL_new(all.ctx)) || !TEST_ptr(ch = ossl_quic_port_create_outgoing(all.port, tls)))
        return 0;
    txp = ch->txp;
    releases = others = 0;
    released = NULL;
    return 1;
}

static int sets(const unsigned char *token, size_t length, void *arg)
{
    return TEST_int_eq(ossl_quic_tx_packetiser_set_initial_token(txp, token, length, release, arg), 1);
}

static int taken(void)
{
    return fresh() && sets(tokens, 9, NULL) && TEST_mem_eq(txp->initial_token, txp->initial_token_len, tokens, 9);
}

static int waits(void)
{
    return fresh() && sets(tokens, 9, NULL) && TEST_int_eq(releases, 0);
}

static int new_one(void)
{
    return fresh() && sets(tokens, 9, NULL) && sets(tokens + 1, 5, NULL)
        && TEST_int_eq(releases, 1) && TEST_ptr_eq(released, tokens)
        && TEST_mem_eq(txp->initial_token, txp->initial_token_len, tokens + 1, 5);
}

static int own_callback(void)
{
    char arg, other_arg;

    return fresh() && sets(tokens, 9, &arg)
        && TEST_int_eq(ossl_quic_tx_packetiser_set_initial_token(txp, tokens + 1, 5, other_release, &other_arg), 1)
        && TEST_int_eq(releases, 1) && TEST_int_eq(others, 0)
        && TEST_ptr_eq(released, tokens) && TEST_size_t_eq(released_length, 9) && TEST_ptr_eq(released_arg, &arg)
        && sets(tokens, 1, NULL)
        && TEST_int_eq(releases, 1) && TEST_int_eq(others, 1);
}

static int once(void)
{
    int ok = fresh() && sets(tokens, 9, NULL) && sets(tokens + 1, 5, NULL) && sets(tokens + 2, 6, NULL)
        && TEST_int_eq(releases, 2) && TEST_ptr_eq(released, tokens + 1);

    end();
    return ok && TEST_int_eq(releases, 3) && TEST_ptr_eq(released, tokens + 2);
}

static int at_end(void)
{
    char arg;
    int ok = fresh() && sets(tokens, 9, &arg);

    end();
    return ok && TEST_int_eq(releases, 1) && TEST_ptr_eq(released, tokens) && TEST_size_t_eq(released_length, 9)
        && TEST_ptr_eq(released_arg, &arg);
}

static int no_token(void)
{
    int ok = fresh() && sets(tokens, 9, NULL)
        && TEST_int_eq(ossl_quic_tx_packetiser_set_initial_token(txp, NULL, 0, NULL, NULL), 1)
        && TEST_int_eq(releases, 1) && TEST_size_t_eq(txp->initial_token_len, 0);

    end();
    return ok && TEST_int_eq(releases, 1);
}

static int no_callback(void)
{
    int ok = fresh()
        && TEST_int_eq(ossl_quic_tx_packetiser_set_initial_token(txp, tokens, 9, NULL, NULL), 1)
        && sets(tokens + 1, 5, NULL)
        && TEST_int_eq(ossl_quic_tx_packetiser_set_initial_token(txp, tokens, 9, NULL, NULL), 1)
        && TEST_int_eq(releases, 1);

    end();
    return ok && TEST_int_eq(releases, 1);
}

static int longest(void)
{
    return fresh() && sets(tokens, 1200 - 160, NULL) && TEST_size_t_eq(txp->initial_token_len, 1200 - 160);
}

/* Is a token of this length refused? */
static int refuses(size_t length)
{
    return TEST_int_eq(ossl_quic_tx_packetiser_set_initial_token(txp, tokens, length, release, NULL), 0);
}

static int too_long(void)
{
    return fresh() && refuses(1200 - 160 + 1) && refuses(1199) && refuses(1200) && refuses(2000)
        && refuses(SIZE_MAX);
}

/* When the earlier token is released isn't stated. */
static int left_to_its_giver(void)
{
    char arg;
    int ok = fresh() && sets(tokens + 1, 5, &arg)
        && TEST_int_eq(ossl_quic_tx_packetiser_set_initial_token(txp, tokens, 2000, other_release, NULL), 0)
        && TEST_int_eq(others, 0);

    end();
    return ok && TEST_int_eq(releases, 1) && TEST_int_eq(others, 0) && TEST_ptr_eq(released_arg, &arg);
}

static int larger(void)
{
    return fresh() && TEST_true(ossl_qtx_set_mdpl(ch->qtx, 1452))
        && sets(tokens, 1200, NULL) && sets(tokens, 1452 - 160, NULL) && refuses(1452 - 160 + 1);
}

int setup_tests(void)
{
    if (!quic_channels_init(&all))
        return 0;
    add_test("the token is taken", taken);
    add_test("the callback waits while the token is in use", waits);
    add_test("a new token releases the old one", new_one);
    add_test("the old token's own callback and argument are used", own_callback);
    add_test("each token is released once", once);
    add_test("the end of the packetiser releases the token", at_end);
    add_test("no token takes the place of one", no_token);
    add_test("a token needs no callback", no_callback);
    add_test("the longest token is taken", longest);
    add_test("a longer token is refused", too_long);
    add_test("a refused token is left to its giver", left_to_its_giver);
    add_test("larger datagrams allow longer tokens", larger);
    return 1;
}

void cleanup_tests(void)
{
    end();
    quic_channels_end(&all);
}
