/*---
 * tasks: [4FD107FA558F51A2]
 * tests:
 *   NULL is nothing to free: 'Docstring: "No-op if srtm is NULL."'
 *   an empty one is freed whole: 'Docstring: "Frees a SRTM instance."'
 *   one token is freed: 'Docstring: "Frees a SRTM instance."'
 *   many tokens of one connection are freed once each:
 *     'quic_srtm.c: several sequence numbers are a list under one opaque pointer.'
 *   tokens of many connections are freed:
 *     'quic_srtm.c: "one SRTM will exist per QUIC_PORT and track all SRTs across all connections".'
 *   the same token of several connections is freed once each: 'quic_srtm.h: "the same SRT may exist multiple times".'
 *   one with tokens removed is freed: 'quic_srtm.h: ossl_quic_srtm_remove, ossl_quic_srtm_cull.'
 *   one that was only half made is freed: 'quic_srtm.c: ossl_quic_srtm_new frees what it has when memory ends.'
 ---*/
#include "../../ssl/quic/quic_srtm.c"
#include <openssl/err.h>
#include "../testutil.h"
#include "memory_count.h"

static char conns[20];      /* Only their addresses count. */

/* The token of this number. */
static const QUIC_STATELESS_RESET_TOKEN *token(int number)
{
    static QUIC_STATELESS_RESET_TOKEN made;

    memset(&made, 0, sizeof(made));
    made.token[0] = (unsigned char)number;
    made.token[1] = (unsigned char)(number >> 8);
    return &made;
}

static int add_none(QUIC_SRTM *srtm)
{
    return 1;
}

static int add_one(QUIC_SRTM *srtm)
{
    return TEST_true(ossl_quic_srtm_add(srtm, &conns[0], 0, token(1)));
}

static int add_of_one(QUIC_SRTM *srtm)
{
    int i;

    for (i = 0; i < 50; i++)
        if (!TEST_true(ossl_quic_srtm_add(srtm, &conns[0], i * 7 % 50, token(i))))
            return 0;
    return 1;
}

static int add_of_many(QUIC_SRTM *srtm)
{
    int i;

    for (i = 0; i < 60; i++)
        if (!TEST_true(ossl_quic_srtm_add(srtm, &conns[i % 20], i / 20, token(i))))
            return 0;
    return 1;
}

static int add_same(QUIC_SRTM *srtm)
{
    int i;

    for (i = 0; i < 20; i++)
        if (!TEST_true(ossl_quic_srtm_add(srtm, &conns[i % 10], i / 10, token(5))))
            return 0;
    return 1;
}

static int add_and_remove(QUIC_SRTM *srtm)
{
    return add_of_many(srtm)
        && TEST_true(ossl_quic_srtm_remove(srtm, &conns[3], 2))
        && TEST_true(ossl_quic_srtm_remove(srtm, &conns[4], 0))
        && TEST_true(ossl_quic_srtm_cull(srtm, &conns[5]));
}

static int round_of(int (*fill)(QUIC_SRTM *))
{
    QUIC_SRTM *srtm = ossl_quic_srtm_new(NULL, NULL);
    int ok = TEST_ptr(srtm) && fill(srtm);

    ossl_quic_srtm_free(srtm);
    return ok;
}

/* Is all freed once? What is fetched once is there after a first round. */
static int freed(int (*fill)(QUIC_SRTM *))
{
    long before;

    if (!round_of(fill))
        return 0;
    before = memory_blocks;
    return round_of(fill) && TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
}

static int null(void)
{
    long before = memory_blocks;

    ossl_quic_srtm_free(NULL);
    return TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
}

static int empty(void)
{
    return freed(add_none);
}

static int one_token(void)
{
    return freed(add_one);
}

static int of_one(void)
{
    return freed(add_of_one);
}

static int of_many(void)
{
    return freed(add_of_many);
}

static int same_token(void)
{
    return freed(add_same);
}

static int removed(void)
{
    return freed(add_and_remove);
}

static int half_made(void)
{
    long before, left;
    int made = 0;

    ERR_raise(ERR_LIB_USER, 1);     /* The thread's queue of errors is there before memory ends. */
    if (!round_of(add_none))
        return 0;
    ERR_clear_error();
    before = memory_blocks;
    for (left = 0; !made && left < 200; left++) {
        QUIC_SRTM *srtm;

        memory_left = left;
        srtm = ossl_quic_srtm_new(NULL, NULL);
        memory_left = -1;
        made = srtm != NULL;
        ossl_quic_srtm_free(srtm);
        ERR_clear_error();
        if (!TEST_long_eq(memory_blocks, before) || !TEST_long_eq(memory_bad_frees, 0))
            return 0;
    }
    return TEST_true(made);
}

int setup_tests(void)
{
    add_test("NULL is nothing to free", null);
    add_test("an empty one is freed whole", empty);
    add_test("one token is freed", one_token);
    add_test("many tokens of one connection are freed once each", of_one);
    add_test("tokens of many connections are freed", of_many);
    add_test("the same token of several connections is freed once each", same_token);
    add_test("one with tokens removed is freed", removed);
    add_test("one that was only half made is freed", half_made);
    return 1;
}
