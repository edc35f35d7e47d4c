/*---
 * tasks: [ossl_ffc_params_fromdata-88b65f.16]
 * tests:
 *   the numbers are told: 'EVP_PKEY-FFC(7): "p", "q", "g", "j", <unsigned integer>.'
 *   a number that is missing is not told: 'dh_kmgmt.c: dh_export; a DH of PKCS#3 has no "q", EVP_PKEY-DH(7).'
 *   the integers are told: 'EVP_PKEY-FFC(7): "gindex", "pcounter", "hindex"; -1 and 0 are values as others.'
 *   the seed is told with its length: 'EVP_PKEY-FFC(7): "seed", <octet string>.'
 *   a named group is told by its name: 'EVP_PKEY-DH(7): "group", the names.'
 *   without a known group none is told: 'EVP_PKEY-DH(7): "group"; ffc.h: nid, "The identity of a named group".'
 *   each flag is told alone as 0 or 1:
 *     'EVP_PKEY-FFC(7): "validate-pq", "validate-g", "validate-legacy", "These boolean values".'
 *   the digest and its properties are told where they are set: 'EVP_PKEY-FFC(7): "digest", "properties"; ffc.h:
 *     mdname, "If this value is NULL, then the digest is chosen using the value of N".'
 *   parameters that are given are filled: 'param_build_set.c: "get_params() used the OSSL_PARAM[] to fill in".'
 *   what is not asked for is no failure: 'dh_kmgmt.c: dh_get_params is asked for single values.'
 *   what is not there leaves its parameter as it is: 'OSSL_PARAM(3): OSSL_PARAM_modified.'
 *   a size alone can be asked for: 'OSSL_PARAM(3): "data may be NULL", return_size.'
 *   a parameter that is too small is a failure: 'OSSL_PARAM_set_int(3): 0; dh_kmgmt.c: dh_get_params.'
 *   a parameter of a wrong type is a failure: 'OSSL_PARAM_set_int(3): 0; dh_kmgmt.c: dh_get_params.'
 *   the parameters of the key stay as they are: 'Signature: const FFC_PARAMS.'
 *   without memory it fails and leaks nothing: 'dh_backend.c: ossl_dh_params_todata tests by !.'
 ---*/
#include "../testutil.h"
#include "memory_count.h"
#include "pb_ffc.h"
#include "pb_params.h"

#define P OSSL_PKEY_PARAM_FFC_P
#define Q OSSL_PKEY_PARAM_FFC_Q
#define G OSSL_PKEY_PARAM_FFC_G
#define J OSSL_PKEY_PARAM_FFC_COFACTOR
#define GINDEX OSSL_PKEY_PARAM_FFC_GINDEX
#define PCOUNTER OSSL_PKEY_PARAM_FFC_PCOUNTER
#define H OSSL_PKEY_PARAM_FFC_H
#define SEED OSSL_PKEY_PARAM_FFC_SEED
#define DIGEST OSSL_PKEY_PARAM_FFC_DIGEST
#define PROPS OSSL_PKEY_PARAM_FFC_DIGEST_PROPS
#define GROUP OSSL_PKEY_PARAM_GROUP_NAME
#define VALIDATE_PQ OSSL_PKEY_PARAM_FFC_VALIDATE_PQ
#define VALIDATE_G OSSL_PKEY_PARAM_FFC_VALIDATE_G
#define LEGACY OSSL_PKEY_PARAM_FFC_VALIDATE_LEGACY

static FFC_PARAMS ffc;

/* What it tells, for the caller to free; NULL where it fails. */
static OSSL_PARAM *told(void)
{
    OSSL_PARAM_BLD *bld = OSSL_PARAM_BLD_new();
    OSSL_PARAM *params = NULL;

    if (TEST_int_eq(ossl_ffc_params_todata(&ffc, bld, NULL), 1))
        TEST_ptr(params = OSSL_PARAM_BLD_to_param(bld));
    OSSL_PARAM_BLD_free(bld);
    return params;
}

static int done(OSSL_PARAM *params, int ok)
{
    OSSL_PARAM_free(params);
    plus_drop(&ffc);
    ERR_clear_error();
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int numbers(void)
{
    OSSL_PARAM *params;

    plus_fill(&ffc);
    params = told();
    return done(params, params != NULL && plus_tells_number(params, P, ffc.p)
                && plus_tells_number(params, Q, ffc.q) && plus_tells_number(params, G, ffc.g)
                && plus_tells_number(params, J, ffc.j));
}

static int missing(void)
{
    static const char *const keys[] = { P, Q, G, J };
    int i, k, ok = 1;

    for (i = 0; i < 4; i++) {
        BIGNUM **places[4] = { &ffc.p, &ffc.q, &ffc.g, &ffc.j };
        OSSL_PARAM *params;

        plus_fill(&ffc);
        BN_free(*places[i]);
        *places[i] = NULL;
        params = told();
        for (k = 0; params != NULL && k < 4; k++)
            ok &= k == i ? plus_lacks(params, keys[k])
                : plus_tells_number(params, keys[k], *places[k]);
        ok = done(params, params != NULL && ok);
    }
    return ok;
}

static int integers(void)
{
    static const int values[][3] = {
        { 22, 21, 23 }, { -1, -1, 0 }, { 0, 0, 2 }, { 255, 4095, 1 }
    };
    int i, ok = 1;

    for (i = 0; i < 4; i++) {
        OSSL_PARAM *params;

        plus_fill(&ffc);
        ffc.gindex = values[i][0];
        ffc.pcounter = values[i][1];
        ffc.h = values[i][2];
        params = told();
        ok = done(params, params != NULL && plus_tells_int(params, GINDEX, values[i][0])
                  && plus_tells_int(params, PCOUNTER, values[i][1])
                  && plus_tells_int(params, H, values[i][2])) && ok;
    }
    return ok;
}

static int seed(void)
{
    OSSL_PARAM *params;
    int ok;

    plus_fill(&ffc);
    memcpy(ffc.seed, "a\0b", 4);    /* eight bytes, zeros among them */
    params = told();
    ok = done(params, params != NULL && plus_tells_bytes(params, SEED, "a\0b\0seed", 8));
    plus_fill(&ffc);
    OPENSSL_free(ffc.seed);
    ffc.seed = NULL;
    ffc.seedlen = 0;
    params = told();
    return done(params, params != NULL && plus_lacks(params, SEED)) && ok;
}

static int group(void)
{
    static const char *const names[] = {
        "ffdhe2048", "ffdhe3072", "ffdhe4096", "ffdhe6144", "ffdhe8192", "modp_1536", "modp_2048",
        "modp_3072", "modp_4096", "modp_6144", "modp_8192", "dh_1024_160", "dh_2048_224",
        "dh_2048_256"
    };
    static const int nids[] = {
        NID_ffdhe2048, NID_ffdhe3072, NID_ffdhe4096, NID_ffdhe6144, NID_ffdhe8192, NID_modp_1536,
        NID_modp_2048, NID_modp_3072, NID_modp_4096, NID_modp_6144, NID_modp_8192, 1, 2, 3
    };
    int i, ok = 1;

    for (i = 0; i < 14; i++) {
        OSSL_PARAM *params;

        plus_fill(&ffc);
        ffc.nid = nids[i];
        params = told();
        ok = done(params, params != NULL && plus_tells_text(params, GROUP, names[i])
                  && plus_tells_number(params, P, ffc.p)) && ok;
    }
    return ok;
}

static int no_group(void)
{
    OSSL_PARAM_BLD *bld;
    OSSL_PARAM *params;
    int ok;

    plus_fill(&ffc);
    ffc.nid = NID_undef;
    params = told();
    ok = done(params, params != NULL && plus_lacks(params, GROUP));
    plus_fill(&ffc);
    ffc.nid = NID_dhKeyAgreement;
    bld = OSSL_PARAM_BLD_new();
    params = NULL;
    if (ossl_ffc_params_todata(&ffc, bld, NULL))
        params = OSSL_PARAM_BLD_to_param(bld);
    OSSL_PARAM_BLD_free(bld);
    return done(params, params == NULL || plus_lacks(params, GROUP)) && ok;
}

static int flags(void)
{
    unsigned int i;
    int ok = 1;

    for (i = 0; i < 8; i++) {
        OSSL_PARAM *params;

        plus_fill(&ffc);
        ffc.flags = i;
        params = told();
        ok = done(params, params != NULL && plus_tells_int(params, VALIDATE_PQ, i & 1)
                  && plus_tells_int(params, VALIDATE_G, i >> 1 & 1)
                  && plus_tells_int(params, LEGACY, i >> 2 & 1)) && ok;
    }
    return ok;
}

static int digest(void)
{
    int i, ok = 1;

    for (i = 0; i < 4; i++) {
        OSSL_PARAM *params;

        plus_fill(&ffc);
        if ((i & 1) == 0)
            ffc.mdname = NULL;
        if ((i & 2) == 0)
            ffc.mdprops = NULL;
        params = told();
        ok = done(params, params != NULL
                  && (i & 1 ? plus_tells_text(params, DIGEST, "SHA2-384")
                            : plus_lacks(params, DIGEST))
                  && (i & 2 ? plus_tells_text(params, PROPS, "fips=no")
                            : plus_lacks(params, PROPS))) && ok;
    }
    return ok;
}

/* Places for all that can be asked for. */
static struct {
    unsigned char p[8], q[8], g[8], j[8], seed[16];
    int gindex, pcounter, h, pq, vg, legacy;
    char group[20], digest[20], props[20];
} place;

static OSSL_PARAM asked[15];

static void ask_all(void)
{
    memset(&place, 0x77, sizeof(place));
    asked[0] = OSSL_PARAM_construct_BN(P, place.p, 8);
    asked[1] = OSSL_PARAM_construct_BN(Q, place.q, 8);
    asked[2] = OSSL_PARAM_construct_BN(G, place.g, 8);
    asked[3] = OSSL_PARAM_construct_BN(J, place.j, 8);
    asked[4] = OSSL_PARAM_construct_octet_string(SEED, place.seed, 16);
    asked[5] = OSSL_PARAM_construct_int(GINDEX, &place.gindex);
    asked[6] = OSSL_PARAM_construct_int(PCOUNTER, &place.pcounter);
    asked[7] = OSSL_PARAM_construct_int(H, &place.h);
    asked[8] = OSSL_PARAM_construct_int(VALIDATE_PQ, &place.pq);
    asked[9] = OSSL_PARAM_construct_int(VALIDATE_G, &place.vg);
    asked[10] = OSSL_PARAM_construct_int(LEGACY, &place.legacy);
    asked[11] = OSSL_PARAM_construct_utf8_string(GROUP, place.group, 20);
    asked[12] = OSSL_PARAM_construct_utf8_string(DIGEST, place.digest, 20);
    asked[13] = OSSL_PARAM_construct_utf8_string(PROPS, place.props, 20);
    asked[14] = OSSL_PARAM_construct_end();
}

static int filled(void)
{
    int ok;

    plus_fill(&ffc);
    ask_all();
    ok = TEST_int_eq(ossl_ffc_params_todata(&ffc, NULL, asked), 1)
        && plus_tells_number(asked, P, ffc.p) && plus_tells_number(asked, Q, ffc.q)
        && plus_tells_number(asked, G, ffc.g) && plus_tells_number(asked, J, ffc.j)
        && TEST_mem_eq(place.seed, asked[4].return_size, "old seed", 8)
        && TEST_int_eq(place.gindex, 22) && TEST_int_eq(place.pcounter, 21)
        && TEST_int_eq(place.h, 23) && TEST_int_eq(place.pq, 0) && TEST_int_eq(place.vg, 1)
        && TEST_int_eq(place.legacy, 0) && TEST_str_eq(place.group, "ffdhe3072")
        && TEST_str_eq(place.digest, "SHA2-384") && TEST_str_eq(place.props, "fips=no");
    return done(NULL, ok);
}

static int single(void)
{
    OSSL_PARAM one[2];
    int i, ok;

    plus_fill(&ffc);
    ask_all();
    one[1] = asked[14];
    ok = TEST_int_eq(ossl_ffc_params_todata(&ffc, NULL, one + 1), 1);
    for (i = 0; i < 14; i++) {
        one[0] = asked[i];
        ok = TEST_int_eq(ossl_ffc_params_todata(&ffc, NULL, one), 1)
            && TEST_int_eq(OSSL_PARAM_modified(one), 1) && ok;
    }
    one[0] = OSSL_PARAM_construct_int(OSSL_PKEY_PARAM_BITS, &place.h);
    place.h = 77;
    ok = ok && TEST_int_eq(ossl_ffc_params_todata(&ffc, NULL, one), 1) && TEST_int_eq(place.h, 77)
        && TEST_int_eq(OSSL_PARAM_modified(one), 0);
    return done(NULL, ok);
}

static int left(void)
{
    static const int absent[] = { 0, 1, 2, 3, 4, 11, 12, 13 };
    int i, ok;

    memset(&ffc, 0, sizeof(ffc));
    ask_all();
    ok = TEST_int_eq(ossl_ffc_params_todata(&ffc, NULL, asked), 1);
    for (i = 0; i < 8; i++)
        ok = TEST_int_eq(OSSL_PARAM_modified(&asked[absent[i]]), 0) && ok;
    ok = ok && TEST_int_eq(place.p[0], 0x77) && TEST_int_eq(place.seed[0], 0x77)
        && TEST_int_eq(place.group[0], 0x77) && TEST_int_eq(place.h, 0);
    return done(NULL, ok);
}

static int sizes(void)
{
    static const size_t size[14] = {
        2, 1, 1, 1, 8, sizeof(int), sizeof(int), sizeof(int), sizeof(int), sizeof(int),
        sizeof(int), 9, 8, 7
    };
    int i, ok;

    plus_fill(&ffc);
    ask_all();
    for (i = 0; i < 14; i++) {
        asked[i].data = NULL;
        asked[i].data_size = 0;
    }
    ok = TEST_int_eq(ossl_ffc_params_todata(&ffc, NULL, asked), 1);
    for (i = 0; i < 14; i++)
        ok = TEST_size_t_eq(asked[i].return_size, size[i]) && ok;
    return done(NULL, ok);
}

static int small(void)
{
    int i, ok = 1;

    plus_fill(&ffc);
    BN_set_word(ffc.q, 1009);
    BN_set_word(ffc.g, 1009);
    BN_set_word(ffc.j, 1009);
    ffc.gindex = ffc.pcounter = ffc.h = 70000;
    ffc.flags = 7;
    for (i = 0; i < 14; i++) {
        if (i >= 8 && i <= 10)      /* 0 and 1 fit anywhere */
            continue;
        ask_all();
        asked[i].data_size = 1;
        ok = (TEST_int_eq(ossl_ffc_params_todata(&ffc, NULL, asked), 0)
              || (TEST_info("%s", asked[i].key), 0)) && ok;
    }
    return done(NULL, ok);
}

static int wrong_type(void)
{
    int i, ok = 1;

    plus_fill(&ffc);
    for (i = 0; i < 14; i++) {
        ask_all();
        asked[i].data_type = i < 4 || (i >= 5 && i <= 10) ? OSSL_PARAM_UTF8_STRING
            : OSSL_PARAM_INTEGER;
        ok = (TEST_int_eq(ossl_ffc_params_todata(&ffc, NULL, asked), 0)
              || (TEST_info("%s", asked[i].key), 0)) && ok;
    }
    return done(NULL, ok);
}

static int constant(void)
{
    FFC_PARAMS before;
    OSSL_PARAM *params;
    int ok;

    plus_fill(&ffc);
    before = ffc;
    params = told();
    ask_all();
    ok = params != NULL && TEST_int_eq(ossl_ffc_params_todata(&ffc, NULL, asked), 1)
        && plus_same(&ffc, &before, "") && plus_is(ffc.p, 1009) && plus_is(ffc.q, 7)
        && plus_is(ffc.g, 105) && plus_is(ffc.j, 144)
        && TEST_mem_eq(ffc.seed, ffc.seedlen, "old seed", 8);
    return done(params, ok);
}

static int no_memory(void)
{
    int i, result = 0, ok = 1;
    long before;

    plus_fill(&ffc);
    before = memory_blocks;
    for (i = 0; ok && !result && i < 80; i++) {
        OSSL_PARAM_BLD *bld = OSSL_PARAM_BLD_new();
        OSSL_PARAM *params = NULL;

        memory_left = i;
        result = ossl_ffc_params_todata(&ffc, bld, NULL);
        memory_left = -1;
        if (result != 0) {
            params = OSSL_PARAM_BLD_to_param(bld);
            ok = TEST_ptr(params) && plus_tells_number(params, P, ffc.p)
                && plus_tells_number(params, J, ffc.j)
                && plus_tells_bytes(params, SEED, "old seed", 8)
                && plus_tells_int(params, LEGACY, 0) && plus_tells_text(params, PROPS, "fips=no");
        }
        OSSL_PARAM_free(params);
        OSSL_PARAM_BLD_free(bld);
        ERR_clear_error();
        ok = ok && TEST_long_eq(memory_blocks, before);
    }
    return done(NULL, ok && TEST_int_eq(result, 1));
}

int setup_tests(void)
{
    add_test("the numbers are told", numbers);
    add_test("a number that is missing is not told", missing);
    add_test("the integers are told", integers);
    add_test("the seed is told with its length", seed);
    add_test("a named group is told by its name", group);
    add_test("without a known group none is told", no_group);
    add_test("each flag is told alone as 0 or 1", flags);
    add_test("the digest and its properties are told where they are set", digest);
    add_test("parameters that are given are filled", filled);
    add_test("what is not asked for is no failure", single);
    add_test("what is not there leaves its parameter as it is", left);
    add_test("a size alone can be asked for", sizes);
    add_test("a parameter that is too small is a failure", small);
    add_test("a parameter of a wrong type is a failure", wrong_type);
    add_test("the parameters of the key stay as they are", constant);
    add_test("without memory it fails and leaks nothing", no_memory);
    return 1;
}
