/*---
 * tasks: [ossl_ffc_params_fromdata-88b65f.16, ossl_ffc_params_fromdata-88b65f.4, ossl_ffc_params_fromdata-88b65f.8]
 * tests:
 *   a copy of the seed is kept: 'Signature: const unsigned char *seed, size_t seedlen; dh_gen keeps its own.'
 *   a seed replaces the one before: 'dh_kmgmt.c: dh_gen sets one after ossl_ffc_params_copy.'
 *   no seed or an empty one clears it: 'dh_kmgmt.c: dh_gen passes NULL and 0 for none.'
 *   the seed that is there already stays: 'ossl_ffc_params_get_validate_params gives it; it can be passed again.'
 *   all else stays: 'Name: the seed alone.'
 *   without memory it fails: 'dh_kmgmt.c: dh_gen tests by !.'
 *   nothing is leaked or freed twice: 'ossl_ffc_params_cleanup frees the seed.'
 ---*/
#include "../testutil.h"
#include "memory_count.h"
#include "pb_ffc.h"

static int copy(void)
{
    FFC_PARAMS ffc;
    unsigned char seed[] = "a\0seed";
    int ok;

    memset(&ffc, 0, sizeof(ffc));
    ok = TEST_int_eq(ossl_ffc_params_set_seed(&ffc, seed, 6), 1);
    memset(seed, 0, sizeof(seed));
    ok = ok && TEST_mem_eq(ffc.seed, ffc.seedlen, "a\0seed", 6);
    plus_drop(&ffc);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int replaces(void)
{
    FFC_PARAMS ffc;
    int ok;

    plus_fill(&ffc);
    ok = TEST_int_eq(ossl_ffc_params_set_seed(&ffc, (unsigned char *)"a longer seed", 13), 1)
        && TEST_mem_eq(ffc.seed, ffc.seedlen, "a longer seed", 13)
        && TEST_int_eq(ossl_ffc_params_set_seed(&ffc, (unsigned char *)"x", 1), 1)
        && TEST_mem_eq(ffc.seed, ffc.seedlen, "x", 1);
    plus_drop(&ffc);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int clears(const unsigned char *seed, size_t length)
{
    FFC_PARAMS ffc;
    int ok;

    plus_fill(&ffc);
    ok = TEST_int_eq(ossl_ffc_params_set_seed(&ffc, seed, length), 1)
        && TEST_ptr_null(ffc.seed) && TEST_size_t_eq(ffc.seedlen, 0)
        && TEST_int_eq(ossl_ffc_params_set_seed(&ffc, seed, length), 1)
        && TEST_ptr_null(ffc.seed);
    plus_drop(&ffc);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int none(void)
{
    return clears(NULL, 0) && clears((unsigned char *)"seed", 0) && clears(NULL, 5);
}

static int already(void)
{
    FFC_PARAMS ffc;
    int ok;

    plus_fill(&ffc);
    ok = TEST_int_eq(ossl_ffc_params_set_seed(&ffc, ffc.seed, ffc.seedlen), 1)
        && TEST_mem_eq(ffc.seed, ffc.seedlen, "old seed", 8);
    plus_drop(&ffc);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int others(void)
{
    FFC_PARAMS ffc, before;
    int ok;

    plus_fill(&ffc);
    before = ffc;
    ok = TEST_int_eq(ossl_ffc_params_set_seed(&ffc, (unsigned char *)"new", 3), 1)
        && plus_same(&ffc, &before, "s");
    plus_drop(&ffc);
    return ok;
}

static int no_memory(void)
{
    FFC_PARAMS ffc;
    int ok;

    plus_fill(&ffc);
    memory_left = 0;
    ok = TEST_false(ossl_ffc_params_set_seed(&ffc, (unsigned char *)"new", 3));
    memory_left = -1;
    plus_drop(&ffc);
    ERR_clear_error();
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int balanced(void)
{
    long before;

    no_memory();
    before = memory_blocks;
    return copy() && replaces() && none() && already() && no_memory()
        && TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
}

int setup_tests(void)
{
    add_test("a copy of the seed is kept", copy);
    add_test("a seed replaces the one before", replaces);
    add_test("no seed or an empty one clears it", none);
    add_test("the seed that is there already stays", already);
    add_test("all else stays", others);
    add_test("without memory it fails", no_memory);
    add_test("nothing is leaked or freed twice", balanced);
    return 1;
}
