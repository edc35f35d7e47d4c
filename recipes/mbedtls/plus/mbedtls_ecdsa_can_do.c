/*---
 * tasks: [mbedtls_ecdsa_can_do-073651]
 * tests:
 *   each NIST curve can be used: 'Docstring: "1 if the group can be used"; ecdsa.h: ECDSA over SEC1 curves.'
 *   each Koblitz curve can be used: 'Docstring: "1 if the group can be used"; ecp.h: a short Weierstrass curve.'
 *   each Brainpool curve can be used: 'Docstring: "1 if the group can be used"; ecp.h: a short Weierstrass curve.'
 *   Curve25519 cannot be used: 'Docstring: "0 otherwise"; ecdsa.c: "curves such as Curve25519 that can''t be used".'
 *   Curve448 cannot be used: 'Docstring: "0 otherwise"; ecp.h: a Montgomery curve as Curve25519 is.'
 *   the answer follows the curve's type: 'ecp.h: mbedtls_ecp_get_type; ECDSA needs a short Weierstrass curve.'
 *   a curve that signs is one that can be used: 'ecdsa.c: mbedtls_ecdsa_sign and _verify ask it.'
 ---*/
#include "mbedtls/ecdsa.h"
#include "mbedtls/ecp.h"
#include "check.h"

static int all_one(const mbedtls_ecp_group_id *ids, int n) {
    int ones = 0;
    for (int i = 0; i < n; i++) ones += mbedtls_ecdsa_can_do(ids[i]) == 1;
    return ones == n;
}

#define ALL_ONE(ids) all_one(ids, sizeof(ids) / sizeof(*ids))

/* Signing a fixed hash with the private key 5 succeeds. */
static int signs(mbedtls_ecp_group_id id) {
    mbedtls_ecp_group grp;
    mbedtls_mpi r, s, d;
    unsigned char hash[32];
    memset(hash, 0x37, sizeof(hash));
    mbedtls_ecp_group_init(&grp);
    mbedtls_mpi_init(&r);
    mbedtls_mpi_init(&s);
    mbedtls_mpi_init(&d);
    int ret = mbedtls_ecp_group_load(&grp, id);
    if (ret == 0) ret = mbedtls_mpi_lset(&d, 5);
    if (ret == 0) ret = mbedtls_ecdsa_sign(&grp, &r, &s, &d, hash, sizeof(hash), fill, NULL);
    mbedtls_mpi_free(&d);
    mbedtls_mpi_free(&s);
    mbedtls_mpi_free(&r);
    mbedtls_ecp_group_free(&grp);
    return ret == 0;
}

int main(void) {
    mbedtls_ecp_group_id nist[] = {MBEDTLS_ECP_DP_SECP192R1, MBEDTLS_ECP_DP_SECP224R1, MBEDTLS_ECP_DP_SECP256R1,
                                   MBEDTLS_ECP_DP_SECP384R1, MBEDTLS_ECP_DP_SECP521R1};
    mbedtls_ecp_group_id koblitz[] = {MBEDTLS_ECP_DP_SECP192K1, MBEDTLS_ECP_DP_SECP224K1, MBEDTLS_ECP_DP_SECP256K1};
    mbedtls_ecp_group_id brainpool[] = {MBEDTLS_ECP_DP_BP256R1, MBEDTLS_ECP_DP_BP384R1, MBEDTLS_ECP_DP_BP512R1};
    check("each NIST curve can be used", ALL_ONE(nist));
    check("each Koblitz curve can be used", ALL_ONE(koblitz));
    check("each Brainpool curve can be used", ALL_ONE(brainpool));
    check("Curve25519 cannot be used", mbedtls_ecdsa_can_do(MBEDTLS_ECP_DP_CURVE25519) == 0);
    check("Curve448 cannot be used", mbedtls_ecdsa_can_do(MBEDTLS_ECP_DP_CURVE448) == 0);

    int by_type = 1, by_signing = 1, curves = 0;
    const mbedtls_ecp_curve_info *info = mbedtls_ecp_curve_list();
    for (; info->grp_id != MBEDTLS_ECP_DP_NONE; info++, curves++) {
        mbedtls_ecp_group grp;
        mbedtls_ecp_group_init(&grp);
        mbedtls_ecp_group_load(&grp, info->grp_id);
        int usable = mbedtls_ecp_get_type(&grp) == MBEDTLS_ECP_TYPE_SHORT_WEIERSTRASS;
        if (mbedtls_ecdsa_can_do(info->grp_id) != usable) by_type = 0;
        if (signs(info->grp_id) != usable) by_signing = 0;
        mbedtls_ecp_group_free(&grp);
    }
    check("the answer follows the curve's type", by_type && curves >= 13);
    check("a curve that signs is one that can be used", by_signing);
    return done();
}
