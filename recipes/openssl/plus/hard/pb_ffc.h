/*
 * For tests of FFC parameters: small numbers and what holds them. Include it after testutil.h and
 * a counting allocator.
 */
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/obj_mac.h>
#include <openssl/param_build.h>
#include "internal/ffc.h"

static BIGNUM *plus_number(BN_ULONG value)
{
    BIGNUM *number = BN_new();

    BN_set_word(number, value);
    return number;
}

/* Does it have that value? */
static int plus_is(const BIGNUM *number, BN_ULONG value)
{
    return TEST_ptr(number) && TEST_true(BN_is_word(number, value));
}

/* Frees the numbers and the seed of parameters without a group. */
static void plus_drop(FFC_PARAMS *ffc)
{
    BN_free(ffc->p);
    BN_free(ffc->q);
    BN_free(ffc->g);
    BN_free(ffc->j);
    OPENSSL_free(ffc->seed);
    memset(ffc, 0, sizeof(*ffc));
}

/* A value for each field, so that what was changed by mistake shows. */
static void plus_fill(FFC_PARAMS *ffc)
{
    memset(ffc, 0, sizeof(*ffc));
    ffc->p = plus_number(1009);
    ffc->q = plus_number(7);
    ffc->g = plus_number(105);
    ffc->j = plus_number(144);
    ffc->seed = OPENSSL_memdup("old seed", 8);
    ffc->seedlen = 8;
    ffc->pcounter = 21;
    ffc->nid = NID_ffdhe3072;
    ffc->gindex = 22;
    ffc->h = 23;
    ffc->flags = FFC_PARAM_FLAG_VALIDATE_G;
    ffc->mdname = "SHA2-384";
    ffc->mdprops = "fips=no";
    ffc->keylength = 24;
}

/* Are two the same but for the fields in `but`, the first letters of their names? */
static int plus_same(const FFC_PARAMS *a, const FFC_PARAMS *b, const char *but)
{
    return (strchr(but, 'p') != NULL || TEST_ptr_eq(a->p, b->p))
        && (strchr(but, 'q') != NULL || TEST_ptr_eq(a->q, b->q))
        && (strchr(but, 'g') != NULL || TEST_ptr_eq(a->g, b->g))
        && (strchr(but, 'j') != NULL || TEST_ptr_eq(a->j, b->j))
        && (strchr(but, 's') != NULL
            || (TEST_ptr_eq(a->seed, b->seed) && TEST_size_t_eq(a->seedlen, b->seedlen)))
        && (strchr(but, 'c') != NULL || TEST_int_eq(a->pcounter, b->pcounter))
        && (strchr(but, 'n') != NULL || TEST_int_eq(a->nid, b->nid))
        && (strchr(but, 'i') != NULL || TEST_int_eq(a->gindex, b->gindex))
        && (strchr(but, 'h') != NULL || TEST_int_eq(a->h, b->h))
        && (strchr(but, 'f') != NULL || TEST_uint_eq(a->flags, b->flags))
        && (strchr(but, 'm') != NULL
            || (TEST_ptr_eq(a->mdname, b->mdname) && TEST_ptr_eq(a->mdprops, b->mdprops)))
        && (strchr(but, 'k') != NULL || TEST_int_eq(a->keylength, b->keylength));
}
