/*
 * For tests of DH objects: the named groups as dh_named_groups has them, and what a new object
 * holds. Include it after testutil.h and a counting allocator.
 */
#ifndef OPENSSL_SUPPRESS_DEPRECATED
# define OPENSSL_SUPPRESS_DEPRECATED
#endif
#include <openssl/bn.h>
#include <openssl/dh.h>
#include <openssl/err.h>
#include <openssl/obj_mac.h>
#include "internal/ffc.h"
#include "internal/nelem.h"
#include "crypto/bn_dh.h"
#include "crypto/dh.h"
#ifndef DH_MIN_MODULUS_BITS
# include "../../crypto/dh/dh_local.h"
#endif

static const struct {
    const char *name;
    int nid, bits, q_bits, keylength;
    const BIGNUM *p, *q, *g;
} plus_groups[] = {
#define PLUS_SAFE(label, id, bits, length)                                                      \
    { label, NID_##id, bits, bits - 1, length, &ossl_bignum_##id##_p, &ossl_bignum_##id##_q,    \
      &ossl_bignum_const_2 }
#define PLUS_OLD(id, bits, q_bits, number)                                                      \
    { "dh_" #bits "_" #q_bits, id, bits, q_bits, 0, &ossl_bignum_dh##number##_p,                \
      &ossl_bignum_dh##number##_q, &ossl_bignum_dh##number##_g }
    PLUS_SAFE("ffdhe2048", ffdhe2048, 2048, 225), PLUS_SAFE("ffdhe3072", ffdhe3072, 3072, 275),
    PLUS_SAFE("ffdhe4096", ffdhe4096, 4096, 325), PLUS_SAFE("ffdhe6144", ffdhe6144, 6144, 375),
    PLUS_SAFE("ffdhe8192", ffdhe8192, 8192, 400), PLUS_SAFE("modp_1536", modp_1536, 1536, 200),
    PLUS_SAFE("modp_2048", modp_2048, 2048, 225), PLUS_SAFE("modp_3072", modp_3072, 3072, 275),
    PLUS_SAFE("modp_4096", modp_4096, 4096, 325), PLUS_SAFE("modp_6144", modp_6144, 6144, 375),
    PLUS_SAFE("modp_8192", modp_8192, 8192, 400), PLUS_OLD(1, 1024, 160, 1024_160),
    PLUS_OLD(2, 2048, 224, 2048_224), PLUS_OLD(3, 2048, 256, 2048_256)
};

#define PLUS_GROUPS 14

/* Has it the numbers, the uid and the key length of the i-th group? */
static int plus_has_group(const DH *dh, int i)
{
    const BIGNUM *p, *q, *g;

    if (!TEST_ptr(dh))
        return 0;
    DH_get0_pqg(dh, &p, &q, &g);
    return TEST_BN_eq(p, plus_groups[i].p) && TEST_BN_eq(q, plus_groups[i].q)
        && TEST_BN_eq(g, plus_groups[i].g) && TEST_int_eq(BN_num_bits(p), plus_groups[i].bits)
        && TEST_int_eq(BN_num_bits(q), plus_groups[i].q_bits)
        && TEST_int_eq(DH_get_nid(dh), plus_groups[i].nid)
        && TEST_int_eq(dh->params.keylength, plus_groups[i].keylength);
}

/* Is all but the group as in a new object? */
static int plus_is_new(DH *dh)
{
    const BIGNUM *pub, *priv;

    if (!TEST_ptr(dh))
        return 0;
    DH_get0_key(dh, &pub, &priv);
    return TEST_ptr_null(pub) && TEST_ptr_null(priv) && TEST_ptr_null(dh->params.j)
        && TEST_ptr_null(dh->params.seed) && TEST_size_t_eq(dh->params.seedlen, 0)
        && TEST_int_eq(dh->params.pcounter, -1) && TEST_int_eq(dh->params.gindex, -1)
        && TEST_int_eq(dh->params.h, 0)
        && TEST_uint_eq(dh->params.flags, FFC_PARAM_FLAG_VALIDATE_PQG)
        && TEST_ptr_null(dh->params.mdname) && TEST_ptr_null(dh->params.mdprops)
        && TEST_long_eq(DH_get_length(dh), 0);
}

/* Frees what was the only reference. */
static int plus_dh_done(DH *dh, int ok)
{
    DH_free(dh);
    ERR_clear_error();
    return ok && TEST_long_eq(memory_bad_frees, 0);
}
