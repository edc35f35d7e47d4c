/*---
 * tasks: [ecp_modp-e69ccb]
 * tests:
 *   a group without modp is reduced all the same: 'Docstring: "fall-back to mbedtls_mpi_mod_mpi".'
 *   without modp any number is reduced: 'ecp.h: "If modp is NULL, reduction [...] using a generic algorithm".'
 *   without modp a negative number is reduced to 0..P-1: 'Docstring; bignum.h: mbedtls_mpi_mod_mpi.'
 *   a group with modp has it called once: 'Docstring: "Wrapper around fast quasi-modp functions".'
 *   modp gets the number itself: 'ecp.h: modp "transforms it in-place".'
 *   a result of modp that is reduced stays: 'ecp.h: it is brought "in the 0..P-1 range".'
 *   a result of modp of P or more is reduced: 'ecp.h: "efficiently brought in the 0..P-1 range by [...] subtractions".'
 *   a result of modp of just P becomes zero: 'ecp.h: "the 0..P-1 range"; P is not in it.'
 *   a negative result of modp is reduced: 'ecp.h: "efficiently brought in the 0..P-1 range by a few additions".'
 *   a result of modp of just minus P becomes zero: 'ecp.h: "the 0..P-1 range".'
 *   a zero of either sign from modp stays zero: 'ecp.h: "the 0..P-1 range"; bignum.c: 0 has two signs.'
 *   a failure of modp is handed on: 'ecp.h: modp returns "0 on success and non-zero on failure".'
 *   the largest number that modp takes is taken: 'ecp.h: "the range of 0..2^(2*pbits)-1".'
 *   a larger number never reaches modp: 'ecp.h: "the range of 0..2^(2*pbits)-1".'
 *   a negative number never reaches modp: 'ecp.h: "the range of 0..2^(2*pbits)-1".'
 *   a zero of negative sign is taken: 'ecp.h: "the range of 0..2^(2*pbits)-1"; it is 0.'
 *   each curve's numbers are reduced: 'Docstring; the callers MUL, ADD, SUB of ecp.c go on with N in 0..P-1.'
 *   the group stays as it is: 'Argument grp is const.'
 ---*/
#include "../../library/ecp.c"
#include "check.h"

static mbedtls_ecp_group grp;
static mbedtls_mpi N, limit, given;
static const mbedtls_mpi *argument;
static int calls, out_of_range, result, code;

/* It stands for a curve's own function: notes what it gets and gives `result`. */
static int fake(mbedtls_mpi *n) {
    calls++;
    argument = n;
    mbedtls_mpi_copy(&given, n);
    if (mbedtls_mpi_cmp_int(n, 0) < 0 || mbedtls_mpi_cmp_mpi(n, &limit) >= 0) out_of_range = 1;
    if (code != 0) return code;
    return mbedtls_mpi_lset(n, result);
}

static int negative_zero(mbedtls_mpi *n) {
    mbedtls_mpi_lset(n, 0);
    n->s = -1;
    return 0;
}

/* ecp_modp of a number for which modp gives `from`; P is 1009, of ten bits. */
static int becomes(int from, int to) {
    calls = 0;
    code = 0;
    result = from;
    mbedtls_mpi_lset(&N, 54321);
    return ecp_modp(&N, &grp) == 0 && calls == 1 && mbedtls_mpi_cmp_int(&N, to) == 0;
}

static int reduces(int from, int to) {
    mbedtls_mpi_lset(&N, from);
    return ecp_modp(&N, &grp) == 0 && mbedtls_mpi_cmp_int(&N, to) == 0;
}

static int same_as_mod(const mbedtls_ecp_group *g, const mbedtls_mpi *x) {
    mbedtls_mpi y;
    mbedtls_mpi_init(&y);
    mbedtls_mpi_free(&N);  /* a curve's own function refuses a number with many spare limbs */
    int ok = mbedtls_mpi_copy(&N, x) == 0 && ecp_modp(&N, g) == 0 && mbedtls_mpi_mod_mpi(&y, x, &g->P) == 0 &&
             mbedtls_mpi_cmp_mpi(&N, &y) == 0;
    mbedtls_mpi_free(&y);
    return ok;
}

int main(void) {
    int ok, ret;
    mbedtls_mpi x, before;
    mbedtls_mpi_init(&x);
    mbedtls_mpi_init(&before);
    mbedtls_ecp_group_init(&grp);
    mbedtls_mpi_lset(&grp.P, 1009);
    grp.pbits = 10;
    grp.nbits = 10;
    mbedtls_mpi_lset(&limit, 1 << 20);

    ok = reduces(0, 0) && reduces(1, 1) && reduces(1008, 1008) && reduces(1009, 0) && reduces(54321, 54321 % 1009);
    check("a group without modp is reduced all the same", ok);
    check("without modp any number is reduced", reduces(1 << 20, (1 << 20) % 1009) && reduces(1 << 30, 348));
    check("without modp a negative number is reduced to 0..P-1", reduces(-1, 1008) && reduces(-1009, 0) &&
          reduces(-2000, 18));

    grp.modp = fake;
    ok = becomes(5, 5) && becomes(0, 0) && becomes(1008, 1008);
    check("a group with modp has it called once", ok && calls == 1);
    ok = becomes(5, 5) && argument == &N && mbedtls_mpi_cmp_int(&given, 54321) == 0;
    check("modp gets the number itself", ok);
    check("a result of modp that is reduced stays", becomes(5, 5) && becomes(0, 0) && becomes(1008, 1008));
    check("a result of modp of P or more is reduced", becomes(1010, 1) && becomes(2019, 1) && becomes(5046, 1));
    check("a result of modp of just P becomes zero", becomes(1009, 0) && becomes(2018, 0));
    check("a negative result of modp is reduced", becomes(-1, 1008) && becomes(-1010, 1008) && becomes(-4000, 36));
    check("a result of modp of just minus P becomes zero", becomes(-1009, 0) && becomes(-3027, 0));
    grp.modp = negative_zero;
    mbedtls_mpi_lset(&N, 54321);
    ok = ecp_modp(&N, &grp) == 0 && mbedtls_mpi_cmp_int(&N, 0) == 0;
    grp.modp = fake;
    check("a zero of either sign from modp stays zero", ok && becomes(0, 0));
    code = MBEDTLS_ERR_MPI_ALLOC_FAILED;
    mbedtls_mpi_lset(&N, 54321);
    ok = ecp_modp(&N, &grp) == MBEDTLS_ERR_MPI_ALLOC_FAILED;
    code = -7;
    mbedtls_mpi_lset(&N, 54321);
    check("a failure of modp is handed on", ok && ecp_modp(&N, &grp) == -7);

    code = out_of_range = calls = 0;
    result = 3;
    mbedtls_mpi_lset(&N, (1 << 20) - 1);
    ok = ecp_modp(&N, &grp) == 0 && calls == 1 && mbedtls_mpi_cmp_int(&N, 3) == 0;
    mbedtls_mpi_lset(&N, 1 << 19);
    ok = ok && ecp_modp(&N, &grp) == 0 && calls == 2;
    check("the largest number that modp takes is taken", ok && !out_of_range);
    mbedtls_mpi_lset(&N, 1 << 20);
    ret = ecp_modp(&N, &grp);
    ok = ret != 0 || mbedtls_mpi_cmp_int(&N, (1 << 20) % 1009) == 0;
    mbedtls_mpi_lset(&N, (1 << 30) + 5);
    ret = ecp_modp(&N, &grp);
    ok = ok && (ret != 0 || mbedtls_mpi_cmp_int(&N, 353) == 0);
    check("a larger number never reaches modp", ok && !out_of_range);
    mbedtls_mpi_lset(&N, -1);
    ret = ecp_modp(&N, &grp);
    ok = ret != 0 || mbedtls_mpi_cmp_int(&N, 1008) == 0;
    mbedtls_mpi_lset(&N, -54321);
    ret = ecp_modp(&N, &grp);
    ok = ok && (ret != 0 || mbedtls_mpi_cmp_int(&N, 165) == 0);
    check("a negative number never reaches modp", ok && !out_of_range);
    result = 0;
    mbedtls_mpi_lset(&N, 0);
    N.s = -1;
    ok = ecp_modp(&N, &grp) == 0 && mbedtls_mpi_cmp_int(&N, 0) == 0;
    check("a zero of negative sign is taken", ok && !out_of_range);

    ok = 1;
    int curves = 0, kept = 1;
    for (const mbedtls_ecp_curve_info *c = mbedtls_ecp_curve_list(); c->grp_id != MBEDTLS_ECP_DP_NONE; c++) {
        mbedtls_ecp_group g;
        mbedtls_ecp_group_init(&g);
        if (mbedtls_ecp_group_load(&g, c->grp_id) != 0) continue;
        curves++;
        mbedtls_mpi_copy(&before, &g.P);
        size_t pbits = g.pbits;
        for (int i = 0; i < 60; i++) {
            mbedtls_mpi_fill_random(&x, 1 + (pbits / 4 - 1) * (i % 6 + 1) / 6, fill, NULL);
            ok &= same_as_mod(&g, &x);
        }
        mbedtls_mpi_sub_int(&x, &g.P, 1);
        ok &= same_as_mod(&g, &x);
        ok &= same_as_mod(&g, &g.P);
        mbedtls_mpi_mul_mpi(&x, &x, &x);
        ok &= same_as_mod(&g, &x);
        mbedtls_mpi_add_int(&x, &g.P, 1);
        ok &= same_as_mod(&g, &x);
        mbedtls_mpi_lset(&x, 0);
        ok &= same_as_mod(&g, &x);
        kept &= mbedtls_mpi_cmp_mpi(&before, &g.P) == 0 && g.pbits == pbits && g.id == c->grp_id;
        mbedtls_ecp_group_free(&g);
    }
    check("each curve's numbers are reduced", ok && curves >= 11);
    check("the group stays as it is", kept && mbedtls_mpi_cmp_int(&grp.P, 1009) == 0 && grp.modp == fake);
    return done();
}
