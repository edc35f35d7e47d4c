/*---
 * tasks: [ossl_ffc_params_fromdata-88b65f.16, ossl_ffc_params_fromdata-88b65f.4, ossl_ffc_params_fromdata-88b65f.8]
 * tests:
 *   the digest and its properties are set: 'Signature: alg, props; ffc.h: mdname, mdprops.'
 *   NULL sets none: 'ffc.h: "If this value is NULL, then the digest is chosen"; dh_pmeth.c passes NULL properties.'
 *   all else stays and nothing is allocated: 'ffc.h: const char *; ossl_ffc_params_cleanup frees neither.'
 ---*/
#include "../testutil.h"
#include "memory_count.h"
#include "pb_ffc.h"

static int set(void)
{
    FFC_PARAMS ffc;

    memset(&ffc, 0, sizeof(ffc));
    ossl_ffc_set_digest(&ffc, "SHA2-256", "fips=yes");
    if (!TEST_str_eq(ffc.mdname, "SHA2-256") || !TEST_str_eq(ffc.mdprops, "fips=yes"))
        return 0;
    ossl_ffc_set_digest(&ffc, "SHA1", "provider=default");
    return TEST_str_eq(ffc.mdname, "SHA1") && TEST_str_eq(ffc.mdprops, "provider=default");
}

static int none(void)
{
    FFC_PARAMS ffc;

    memset(&ffc, 0, sizeof(ffc));
    ossl_ffc_set_digest(&ffc, "SHA2-256", "fips=yes");
    ossl_ffc_set_digest(&ffc, "SHA1", NULL);
    if (!TEST_str_eq(ffc.mdname, "SHA1") || !TEST_ptr_null(ffc.mdprops))
        return 0;
    ossl_ffc_set_digest(&ffc, NULL, NULL);
    return TEST_ptr_null(ffc.mdname) && TEST_ptr_null(ffc.mdprops);
}

static int others(void)
{
    FFC_PARAMS ffc, before;
    long blocks = memory_blocks;
    int ok;

    plus_fill(&ffc);
    before = ffc;
    ossl_ffc_set_digest(&ffc, "SHA2-256", "fips=yes");
    ossl_ffc_set_digest(&ffc, "SHA1", NULL);
    ok = plus_same(&ffc, &before, "m");
    plus_drop(&ffc);
    return ok && TEST_long_eq(memory_blocks, blocks) && TEST_long_eq(memory_bad_frees, 0);
}

int setup_tests(void)
{
    add_test("the digest and its properties are set", set);
    add_test("NULL sets none", none);
    add_test("all else stays and nothing is allocated", others);
    return 1;
}
