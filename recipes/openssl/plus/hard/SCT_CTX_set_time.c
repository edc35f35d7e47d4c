/*---
 * tasks: [SCT_new_from_base64-1fe63f.16, SCT_new_from_base64-1fe63f.8]
 * tests:
 *   the time is set in milliseconds: 'ct_local.h: "Sets the time ..., in milliseconds since the Unix epoch".'
 *   a time has 64 bits: 'ct_local.h: uint64_t time_in_ms.'
 *   a later call sets it anew: 'ct_local.h: "Sets the time to evaluate the SCT against".'
 *   the other fields stay: 'ct_local.h: "Sets the time".'
 *   an SCT of that very millisecond is not in the future:
 *     'ct_local.h: "If the SCT''s timestamp is after this time, ... issued in the future".'
 ---*/
#include "../testutil.h"
#include "transparency.h"

static int sets(SCT_CTX *sctx, uint64_t time)
{
    SCT_CTX_set_time(sctx, time);
    return TEST_true(sctx->epoch_time_in_ms == time);
}

static int set(void)
{
    SCT_CTX *sctx = SCT_CTX_new(NULL, NULL);
    int ok = sets(sctx, UINT64_C(1580335307123));

    SCT_CTX_free(sctx);
    return ok;
}

static int bits(void)
{
    SCT_CTX *sctx = SCT_CTX_new(NULL, NULL);
    int ok = sets(sctx, UINT64_MAX) && sets(sctx, UINT64_C(0x8000000000000000))
        && sets(sctx, UINT64_C(0x100000000))
        && sets(sctx, 1);

    SCT_CTX_free(sctx);
    return ok;
}

static int anew(void)
{
    SCT_CTX *sctx = SCT_CTX_new(NULL, NULL);
    int ok = sets(sctx, 5000) && sets(sctx, 4000) && sets(sctx, 0) && sets(sctx, 6000);

    SCT_CTX_free(sctx);
    return ok;
}

static int others(void)
{
    SCT_CTX sctx, before;

    memset(&sctx, 0x5a, sizeof(sctx));
    memcpy(&before, &sctx, sizeof(sctx));
    before.epoch_time_in_ms = 77;
    return sets(&sctx, 77) && TEST_mem_eq(&sctx, sizeof(sctx), &before, sizeof(before));
}

static int verified(void)
{
    EVP_PKEY *key = ct_key(CT_LOG_KEY);
    SCT *sct = ct_sct(key, UINT64_C(1580335307001), 0, NULL, (unsigned char *)"cert", 4, NULL, 0);
    SCT_CTX *sctx = SCT_CTX_new(NULL, NULL);
    int ok;

    sctx->pkey = key;
    sctx->pkeyhash = OPENSSL_malloc(32);
    sctx->pkeyhashlen = 32;
    ct_id(key, sctx->pkeyhash);
    sctx->certder = OPENSSL_memdup("cert", 4);
    sctx->certderlen = 4;
    SCT_CTX_set_time(sctx, UINT64_C(1580335307001));
    ok = TEST_int_eq(SCT_CTX_verify(sctx, sct), 1);
    SCT_CTX_set_time(sctx, UINT64_C(1580335307000));
    ok = ok && TEST_int_ne(SCT_CTX_verify(sctx, sct), 1);
    SCT_CTX_set_time(sctx, UINT64_C(1580335307002));
    ok = ok && TEST_int_eq(SCT_CTX_verify(sctx, sct), 1);
    SCT_free(sct);
    SCT_CTX_free(sctx);
    ERR_clear_error();
    return ok;
}

int setup_tests(void)
{
    add_test("the time is set in milliseconds", set);
    add_test("a time has 64 bits", bits);
    add_test("a later call sets it anew", anew);
    add_test("the other fields stay", others);
    add_test("an SCT of that very millisecond is not in the future", verified);
    return 1;
}
