/*---
 * tasks: [368707342DE88F61]
 * tests:
 *   the client's random comes first: 'RFC 5246 7.4.3: client_random, server_random, params are signed in this order.'
 *   the server's random follows: 'RFC 5246 7.4.3.'
 *   the parameters come last and whole: 'RFC 5246 7.4.3.'
 *   the length is that of all three: 'statem_srvr.c: tls_construct_server_key_exchange signs so many bytes.'
 *   there may be no parameters: 'A length of 0 is one like others; 0 is returned for failure only.'
 *   many parameters fit: 'The buffer is made for paramlen bytes; a Diffie-Hellman group has many.'
 *   the buffer is the caller's to free: 'statem_srvr.c, statem_clnt.c: OPENSSL_free(tbs) after use.'
 *   the connection is only read: 'Docstring: "Create a buffer"; it is built again by the other side.'
 *   without memory it fails fatally: 'statem_srvr.c: at 0, "SSLfatal() already called".'
 ---*/
#include "../../ssl/statem/statem_lib.c"
#include "../testutil.h"
#include "memory_count.h"

static SSL_CTX *ctx;
static SSL *ssl;
static SSL_CONNECTION *sc;

/* A connection whose randoms are told apart at each byte. */
static int connect_up(void)
{
    int i;

    if (ssl == NULL && !TEST_ptr(ssl = SSL_new(ctx)))
        return 0;
    sc = SSL_CONNECTION_FROM_SSL(ssl);
    for (i = 0; i < SSL3_RANDOM_SIZE; i++) {
        sc->s3.client_random[i] = (unsigned char)(1 + i);
        sc->s3.server_random[i] = (unsigned char)(101 + i);
    }
    return 1;
}

static int part(size_t offset, const void *expected, size_t length)
{
    static const unsigned char params[] = "parameters";
    unsigned char *tbs = NULL;
    size_t size;
    int ok;

    if (!connect_up())
        return 0;
    size = construct_key_exchange_tbs(sc, &tbs, params, sizeof(params));
    ok = TEST_size_t_ge(size, offset + length) && TEST_mem_eq(tbs + offset, length, expected, length);
    OPENSSL_free(tbs);
    return ok;
}

static int client_first(void)
{
    return connect_up() && part(0, sc->s3.client_random, SSL3_RANDOM_SIZE);
}

static int server_second(void)
{
    return connect_up() && part(SSL3_RANDOM_SIZE, sc->s3.server_random, SSL3_RANDOM_SIZE);
}

static int params_last(void)
{
    return part(2 * SSL3_RANDOM_SIZE, "parameters", sizeof("parameters"));
}

/* Builds `length` bytes of parameters and compares all. */
static int whole(size_t length)
{
    unsigned char *params = OPENSSL_malloc(length + 1), *tbs = NULL;
    size_t i, size;
    int ok;

    for (i = 0; i < length; i++)
        params[i] = (unsigned char)(i * 7 + 3);
    if (!connect_up())
        return 0;
    size = construct_key_exchange_tbs(sc, &tbs, params, length);
    ok = TEST_size_t_eq(size, 2 * SSL3_RANDOM_SIZE + length)
        && TEST_mem_eq(tbs, SSL3_RANDOM_SIZE, sc->s3.client_random, SSL3_RANDOM_SIZE)
        && TEST_mem_eq(tbs + SSL3_RANDOM_SIZE, SSL3_RANDOM_SIZE, sc->s3.server_random, SSL3_RANDOM_SIZE)
        && TEST_mem_eq(tbs + 2 * SSL3_RANDOM_SIZE, length, params, length);
    OPENSSL_free(tbs);
    OPENSSL_free(params);
    return ok;
}

static int full_length(void)
{
    return whole(1) && whole(31) && whole(64) && whole(69);
}

static int no_params(void)
{
    return whole(0);
}

static int many_params(void)
{
    return whole(2 * 1024 + 6) && whole(70000);
}

static int callers_buffer(void)
{
    static const unsigned char params[] = { 1, 2, 3 };
    unsigned char *tbs = NULL, *again = NULL;
    long before;
    int ok;

    if (!connect_up())
        return 0;
    before = memory_blocks;
    ok = TEST_size_t_gt(construct_key_exchange_tbs(sc, &tbs, params, sizeof(params)), 0)
        && TEST_size_t_gt(construct_key_exchange_tbs(sc, &again, params, sizeof(params)), 0)
        && TEST_ptr_ne(tbs, again);
    OPENSSL_free(tbs);
    OPENSSL_free(again);
    return ok && TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
}

static int only_read(void)
{
    static const unsigned char params[] = { 1, 2, 3 };
    unsigned char client[SSL3_RANDOM_SIZE], server[SSL3_RANDOM_SIZE], *tbs = NULL;
    int ok;

    if (!connect_up())
        return 0;
    memcpy(client, sc->s3.client_random, sizeof(client));
    memcpy(server, sc->s3.server_random, sizeof(server));
    ok = TEST_size_t_gt(construct_key_exchange_tbs(sc, &tbs, params, sizeof(params)), 0)
        && TEST_mem_eq(sc->s3.client_random, sizeof(client), client, sizeof(client))
        && TEST_mem_eq(sc->s3.server_random, sizeof(server), server, sizeof(server))
        && TEST_false(ossl_statem_in_error(sc));
    OPENSSL_free(tbs);
    return ok;
}

static int no_memory(void)
{
    static const unsigned char params[] = { 1, 2, 3 };
    unsigned char *tbs = NULL;
    size_t size;

    if (!connect_up())
        return 0;
    ERR_raise(ERR_LIB_USER, 1);     /* The thread's queue of errors is there before memory ends. */
    ERR_clear_error();
    memory_left = 0;
    size = construct_key_exchange_tbs(sc, &tbs, params, sizeof(params));
    memory_left = -1;
    return TEST_size_t_eq(size, 0) && TEST_true(ossl_statem_in_error(sc));
}

int setup_tests(void)
{
    if (!TEST_ptr(ctx = SSL_CTX_new(TLS_method())))
        return 0;
    add_test("the client's random comes first", client_first);
    add_test("the server's random follows", server_second);
    add_test("the parameters come last and whole", params_last);
    add_test("the length is that of all three", full_length);
    add_test("there may be no parameters", no_params);
    add_test("many parameters fit", many_params);
    add_test("the buffer is the caller's to free", callers_buffer);
    add_test("the connection is only read", only_read);
    add_test("without memory it fails fatally", no_memory);
    return 1;
}

void cleanup_tests(void)
{
    SSL_free(ssl);
    SSL_CTX_free(ctx);
}
