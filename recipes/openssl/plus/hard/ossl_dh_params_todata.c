/*---
 * tasks: [ossl_ffc_params_fromdata-88b65f.16]
 * tests:
 *   the numbers and the group are told: 'EVP_PKEY-DH(7), EVP_PKEY-FFC(7); dh_kmgmt.c: dh_export.'
 *   the length of the private key is told where it is set: 'EVP_PKEY-DH(7): "priv_len", <integer>; DH_get_length(3).'
 *   without a length none is told:
 *     'DH_get_length(3): "or zero if no such length has been explicitly set"; EVP_PKEY-DH(7): "An optional value".'
 *   an object without numbers is no failure: 'dh_kmgmt.c: dh_get_params of any DH.'
 *   parameters that are given are filled: 'param_build_set.c: "get_params() used the OSSL_PARAM[] to fill in".'
 *   what is not asked for is no failure: 'dh_kmgmt.c: dh_get_params is asked for single values.'
 *   a length that does not fit is a failure: 'Return value: dh_kmgmt.c: dh_get_params; OSSL_PARAM_set_long(3).'
 *   a number that does not fit is a failure: 'Return value: dh_kmgmt.c: dh_get_params; ossl_ffc_params_todata.'
 *   the object stays as it is: 'Name: todata; dh_kmgmt.c: dh_export gives a const object.'
 *   without memory it fails and leaks nothing: 'dh_kmgmt.c: dh_export tells it by 0.'
 ---*/
#include "../testutil.h"
#include "memory_count.h"
#include "pb_dh.h"
#include "pb_params.h"

#define LENGTH OSSL_PKEY_PARAM_DH_PRIV_LEN

/* What it tells, for the caller to free; NULL where it fails. */
static OSSL_PARAM *told(DH *dh)
{
    OSSL_PARAM_BLD *bld = OSSL_PARAM_BLD_new();
    OSSL_PARAM *params = NULL;

    if (TEST_int_eq(ossl_dh_params_todata(dh, bld, NULL), 1))
        TEST_ptr(params = OSSL_PARAM_BLD_to_param(bld));
    OSSL_PARAM_BLD_free(bld);
    return params;
}

static int done(DH *dh, OSSL_PARAM *params, int ok)
{
    OSSL_PARAM_free(params);
    return plus_dh_done(dh, ok);
}

static int numbers(void)
{
    static const int groups[] = { 0, 6, 12 };
    int i, ok = 1;

    for (i = 0; i < 3; i++) {
        int n = groups[i];
        DH *dh = DH_new_by_nid(plus_groups[n].nid);
        OSSL_PARAM *params = told(dh);

        ok &= done(dh, params, params != NULL
                   && plus_tells_number(params, OSSL_PKEY_PARAM_FFC_P, plus_groups[n].p)
                   && plus_tells_number(params, OSSL_PKEY_PARAM_FFC_Q, plus_groups[n].q)
                   && plus_tells_number(params, OSSL_PKEY_PARAM_FFC_G, plus_groups[n].g)
                   && plus_tells_text(params, OSSL_PKEY_PARAM_GROUP_NAME, plus_groups[n].name)
                   && plus_tells_int(params, OSSL_PKEY_PARAM_FFC_GINDEX, -1)
                   && plus_tells_int(params, OSSL_PKEY_PARAM_FFC_VALIDATE_PQ, 1));
    }
    return ok;
}

static int length(void)
{
    static const long lengths[] = { 1, 225, 256, 2047, 2147483647 };
    int i, ok = 1;

    for (i = 0; i < 5; i++) {
        DH *dh = DH_new_by_nid(NID_ffdhe2048);
        OSSL_PARAM *params;

        DH_set_length(dh, lengths[i]);
        params = told(dh);
        ok &= done(dh, params, params != NULL && plus_tells_int(params, LENGTH, lengths[i]));
    }
    return ok;
}

static int no_length(void)
{
    DH *dh = DH_new_by_nid(NID_ffdhe2048);
    OSSL_PARAM *params = told(dh);
    int ok = params != NULL && plus_lacks(params, LENGTH);

    OSSL_PARAM_free(params);
    DH_set_length(dh, 300);
    DH_set_length(dh, 0);
    params = told(dh);
    return done(dh, params, params != NULL && plus_lacks(params, LENGTH) && ok);
}

static int no_numbers(void)
{
    DH *dh = ossl_dh_new_ex(NULL);
    OSSL_PARAM *params;

    DH_set_length(dh, 160);
    params = told(dh);
    return done(dh, params, params != NULL && plus_lacks(params, OSSL_PKEY_PARAM_FFC_P)
                && plus_lacks(params, OSSL_PKEY_PARAM_FFC_G)
                && plus_lacks(params, OSSL_PKEY_PARAM_GROUP_NAME)
                && plus_tells_int(params, LENGTH, 160));
}

static struct {
    unsigned char p[256], g[1];
    int length;
    char group[20];
} place;

static OSSL_PARAM asked[5];

static void ask(void)
{
    memset(&place, 0x77, sizeof(place));
    asked[0] = OSSL_PARAM_construct_BN(OSSL_PKEY_PARAM_FFC_P, place.p, 256);
    asked[1] = OSSL_PARAM_construct_BN(OSSL_PKEY_PARAM_FFC_G, place.g, 1);
    asked[2] = OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, place.group, 20);
    asked[3] = OSSL_PARAM_construct_int(LENGTH, &place.length);
    asked[4] = OSSL_PARAM_construct_end();
}

static int filled(void)
{
    DH *dh = DH_new_by_nid(NID_modp_2048);
    long large = 0;
    int ok;

    DH_set_length(dh, 300);
    ask();
    ok = TEST_int_eq(ossl_dh_params_todata(dh, NULL, asked), 1)
        && plus_tells_number(asked, OSSL_PKEY_PARAM_FFC_P, &ossl_bignum_modp_2048_p)
        && TEST_int_eq(place.g[0], 2) && TEST_str_eq(place.group, "modp_2048")
        && TEST_int_eq(place.length, 300);
    asked[3] = OSSL_PARAM_construct_long(LENGTH, &large);
    ok = ok && TEST_int_eq(ossl_dh_params_todata(dh, NULL, asked + 3), 1)
        && TEST_long_eq(large, 300);
    DH_set_length(dh, 0);
    ask();
    ok = ok && TEST_int_eq(ossl_dh_params_todata(dh, NULL, asked), 1)
        && TEST_str_eq(place.group, "modp_2048");
    return done(dh, NULL, ok);
}

static int single(void)
{
    DH *dh = DH_new_by_nid(NID_modp_2048);
    OSSL_PARAM one[2];
    int i, ok = 1;

    DH_set_length(dh, 300);
    ask();
    one[1] = asked[4];
    for (i = 0; i < 4; i++) {
        one[0] = asked[i];
        ok = TEST_int_eq(ossl_dh_params_todata(dh, NULL, one), 1)
            && TEST_int_eq(OSSL_PARAM_modified(one), 1) && ok;
    }
    ok = ok && TEST_int_eq(ossl_dh_params_todata(dh, NULL, one + 1), 1);
    return done(dh, NULL, ok);
}

static int long_length(void)
{
    DH *dh = DH_new_by_nid(NID_modp_2048);
    int8_t small = 0;
    OSSL_PARAM params[] = { OSSL_PARAM_END, OSSL_PARAM_END };
    int ok;

    params[0] = OSSL_PARAM_construct_utf8_string(LENGTH, place.group, 20);
    DH_set_length(dh, 300);
    ok = TEST_int_eq(ossl_dh_params_todata(dh, NULL, params), 0);
    params[0] = OSSL_PARAM_construct_int(LENGTH, &place.length);
    params[0].data = &small;
    params[0].data_size = 1;
    ok &= TEST_int_eq(ossl_dh_params_todata(dh, NULL, params), 0);
    return done(dh, NULL, ok);
}

static int long_number(void)
{
    DH *dh = DH_new_by_nid(NID_modp_2048);
    int ok;

    DH_set_length(dh, 300);
    ask();
    asked[0].data_size = 255;
    ok = TEST_int_eq(ossl_dh_params_todata(dh, NULL, asked), 0);
    ask();
    asked[2].data_size = 8;
    ok &= TEST_int_eq(ossl_dh_params_todata(dh, NULL, asked), 0);
    return done(dh, NULL, ok);
}

static int constant(void)
{
    DH *dh = DH_new_by_nid(NID_ffdhe2048);
    size_t dirty;
    OSSL_PARAM *params;
    int ok;

    DH_set_length(dh, 300);
    dirty = dh->dirty_cnt;
    params = told(dh);
    ask();
    ok = params != NULL && TEST_int_eq(ossl_dh_params_todata(dh, NULL, asked), 1)
        && plus_has_group(dh, 0) && TEST_long_eq(DH_get_length(dh), 300)
        && TEST_size_t_eq(dh->dirty_cnt, dirty);
    return done(dh, params, ok);
}

static int no_memory(void)
{
    DH *dh = DH_new_by_nid(NID_ffdhe2048);
    int i, result = 0, ok = 1;
    long before;

    DH_set_length(dh, 300);
    before = memory_blocks;
    for (i = 0; ok && !result && i < 80; i++) {
        OSSL_PARAM_BLD *bld = OSSL_PARAM_BLD_new();
        OSSL_PARAM *params = NULL;

        memory_left = i;
        result = ossl_dh_params_todata(dh, bld, NULL);
        memory_left = -1;
        if (result != 0) {
            params = OSSL_PARAM_BLD_to_param(bld);
            ok = TEST_ptr(params) && plus_tells_int(params, LENGTH, 300)
                && plus_tells_number(params, OSSL_PKEY_PARAM_FFC_P, plus_groups[0].p);
        }
        OSSL_PARAM_free(params);
        OSSL_PARAM_BLD_free(bld);
        ERR_clear_error();
        ok = ok && TEST_long_eq(memory_blocks, before);
    }
    return done(dh, NULL, ok && TEST_int_eq(result, 1));
}

int setup_tests(void)
{
    add_test("the numbers and the group are told", numbers);
    add_test("the length of the private key is told where it is set", length);
    add_test("without a length none is told", no_length);
    add_test("an object without numbers is no failure", no_numbers);
    add_test("parameters that are given are filled", filled);
    add_test("what is not asked for is no failure", single);
    add_test("a length that does not fit is a failure", long_length);
    add_test("a number that does not fit is a failure", long_number);
    add_test("the object stays as it is", constant);
    add_test("without memory it fails and leaks nothing", no_memory);
    return 1;
}
