/*---
 * tasks: [mbedtls_ecdh_get_params-e3ba80]
 * flags: ['-Wl,--wrap=calloc', '-Wl,--wrap=malloc', '-Wl,--wrap=realloc', '-Wl,--wrap=free']
 * tests:
 *   our key and that of the peer give the shared secret: 'ecdh.h: "sets up an ECDH context from an EC key".'
 *   both sides come to the same secret: 'ecdh.h: "It is used by clients and servers"; mbedtls_ecdh_calc_secret.'
 *   the key of the peer may come first: 'Comment: the first call sets up the group, whatever its side.'
 *   each curve can be used: 'ecdh.h: "imports ECDH parameters from the EC key information of a certificate".'
 *   the public key of the peer is enough: 'ecdh.h: MBEDTLS_ECDH_THEIRS, "The key is that of the peer": a certificate.'
 *   the peer's key leaves ours alone: 'ecdh.h: side "Defines the source of the key".'
 *   our key leaves the peer's alone: 'ecdh.h: side "Defines the source of the key".'
 *   a later key of the same side takes its place: 'ecdh.h: it sets up the context from this key.'
 *   a key of another curve is an error: 'ecdh.h: "MBEDTLS_ERR_ECP_XXX error code on failure"; ecp.h: BAD_INPUT_DATA.'
 *   a key of another curve is an error on the same side too: 'ecdh.h: the same; ssl_srv.c hands on the error.'
 *   a key without a curve is an error: 'ecdh.h: "MBEDTLS_ERR_ECP_XXX error code on failure".'
 *   the keys may be freed before the secret is made: 'ssl_cli.c: the key is that of a certificate; ecdh.h: "imports".'
 *   the keys stay as they are: 'Argument key is const.'
 *   a context that was set up takes the key: 'ecdh.h: mbedtls_ecdh_setup; a context "must be initialized".'
 *   a context that was set up for another curve refuses it: 'ecdh.h: MBEDTLS_ERR_ECP_BAD_INPUT_DATA in ecp.h.'
 *   freeing the context gives back all memory: 'ecdh.h: mbedtls_ecdh_free.'
 *   a failed allocation is an error: 'ecdh.h: "error code on failure".'
 ---*/
#include "mbedtls/ecdh.h"
#include "mbedtls/ecp.h"
#include "check.h"
#include "heap.h"

static unsigned char secret[80], expected[80];
static size_t len, expected_len;
static mbedtls_ecp_keypair a, b, c, other;

/* The secret of the context is that of these two keys by the arithmetic alone. */
static int shares(mbedtls_ecdh_context *ctx, const mbedtls_ecp_keypair *ours, const mbedtls_ecp_keypair *theirs) {
    mbedtls_ecp_group grp;
    mbedtls_ecp_point P;
    mbedtls_ecp_group_init(&grp);
    mbedtls_ecp_point_init(&P);
    mbedtls_ecp_group_load(&grp, ours->grp.id);
    mbedtls_ecp_mul(&grp, &P, &ours->d, &theirs->Q, fill, NULL);
    expected_len = grp.pbits / 8 + (grp.pbits % 8 != 0);
    if (mbedtls_ecp_get_type(&grp) == MBEDTLS_ECP_TYPE_MONTGOMERY) {
        mbedtls_mpi_write_binary_le(&P.X, expected, expected_len);
    } else {
        mbedtls_mpi_write_binary(&P.X, expected, expected_len);
    }
    mbedtls_ecp_point_free(&P);
    mbedtls_ecp_group_free(&grp);
    memset(secret, 0, sizeof(secret));
    return mbedtls_ecdh_calc_secret(ctx, &len, secret, sizeof(secret), fill, NULL) == 0 && len == expected_len &&
           !memcmp(secret, expected, len);
}

static void copy_key(mbedtls_ecp_keypair *to, const mbedtls_ecp_keypair *from, int whole) {
    mbedtls_ecp_keypair_init(to);
    mbedtls_ecp_group_load(&to->grp, from->grp.id);
    mbedtls_ecp_copy(&to->Q, &from->Q);
    if (whole) mbedtls_mpi_copy(&to->d, &from->d);
}

static int same_key(const mbedtls_ecp_keypair *x, const mbedtls_ecp_keypair *y) {
    return x->grp.id == y->grp.id && mbedtls_ecp_point_cmp(&x->Q, &y->Q) == 0 && mbedtls_mpi_cmp_mpi(&x->d, &y->d) == 0;
}

/* What one of us gets of his own pair and of the other's public key alone. */
static int pair_works(const mbedtls_ecp_keypair *x, const mbedtls_ecp_keypair *y, int theirs_first) {
    mbedtls_ecdh_context ctx;
    mbedtls_ecp_keypair public;
    copy_key(&public, y, 0);
    mbedtls_ecdh_init(&ctx);
    int ok = 1;
    if (theirs_first) ok = mbedtls_ecdh_get_params(&ctx, &public, MBEDTLS_ECDH_THEIRS) == 0;
    ok = ok && mbedtls_ecdh_get_params(&ctx, x, MBEDTLS_ECDH_OURS) == 0;
    if (!theirs_first) ok = ok && mbedtls_ecdh_get_params(&ctx, &public, MBEDTLS_ECDH_THEIRS) == 0;
    mbedtls_ecp_keypair_free(&public);
    ok = ok && shares(&ctx, x, y);
    mbedtls_ecdh_free(&ctx);
    return ok;
}

#define OURS MBEDTLS_ECDH_OURS
#define THEIRS MBEDTLS_ECDH_THEIRS

int main(void) {
    mbedtls_ecdh_context ctx;
    mbedtls_ecp_keypair x, y;
    unsigned char first[80];
    int ok;
    heap_ok();
    mbedtls_ecp_keypair_init(&a);
    mbedtls_ecp_keypair_init(&b);
    mbedtls_ecp_keypair_init(&c);
    mbedtls_ecp_keypair_init(&other);
    mbedtls_ecp_gen_key(MBEDTLS_ECP_DP_SECP256R1, &a, fill, NULL);
    mbedtls_ecp_gen_key(MBEDTLS_ECP_DP_SECP256R1, &b, fill, NULL);
    mbedtls_ecp_gen_key(MBEDTLS_ECP_DP_SECP256R1, &c, fill, NULL);
    mbedtls_ecp_gen_key(MBEDTLS_ECP_DP_SECP256K1, &other, fill, NULL);
    copy_key(&x, &a, 1);
    copy_key(&y, &b, 1);

    mbedtls_ecdh_init(&ctx);
    ok = mbedtls_ecdh_get_params(&ctx, &a, OURS) == 0 && mbedtls_ecdh_get_params(&ctx, &b, THEIRS) == 0 &&
         shares(&ctx, &a, &b);
    check("our key and that of the peer give the shared secret", ok);
    mbedtls_ecdh_free(&ctx);
    memcpy(first, secret, 80);
    mbedtls_ecdh_init(&ctx);
    ok = mbedtls_ecdh_get_params(&ctx, &b, OURS) == 0 && mbedtls_ecdh_get_params(&ctx, &a, THEIRS) == 0 &&
         shares(&ctx, &b, &a);
    mbedtls_ecdh_free(&ctx);
    check("both sides come to the same secret", ok && !memcmp(secret, first, 80));
    check("the key of the peer may come first", pair_works(&a, &b, 1));
    check("the public key of the peer is enough", pair_works(&a, &b, 0) && pair_works(&b, &a, 1));

    ok = 1;
    static const mbedtls_ecp_group_id ids[] = {MBEDTLS_ECP_DP_SECP192R1, MBEDTLS_ECP_DP_BP256R1,
                                               MBEDTLS_ECP_DP_SECP256K1, MBEDTLS_ECP_DP_CURVE25519};
    for (int i = 0; i < 4; i++) {
        mbedtls_ecp_keypair p, q;
        mbedtls_ecp_keypair_init(&p);
        mbedtls_ecp_keypair_init(&q);
        ok &= mbedtls_ecp_gen_key(ids[i], &p, fill, NULL) == 0 && mbedtls_ecp_gen_key(ids[i], &q, fill, NULL) == 0 &&
              pair_works(&p, &q, i % 2);
        mbedtls_ecp_keypair_free(&p);
        mbedtls_ecp_keypair_free(&q);
    }
    check("each curve can be used", ok);

    mbedtls_ecdh_init(&ctx);
    mbedtls_ecdh_get_params(&ctx, &a, OURS);
    mbedtls_ecdh_get_params(&ctx, &b, THEIRS);
    ok = mbedtls_ecdh_get_params(&ctx, &c, THEIRS) == 0 && shares(&ctx, &a, &c);
    check("the peer's key leaves ours alone", ok);
    ok = ok && mbedtls_ecdh_get_params(&ctx, &b, OURS) == 0 && shares(&ctx, &b, &c);
    check("our key leaves the peer's alone", ok);
    ok = ok && mbedtls_ecdh_get_params(&ctx, &a, THEIRS) == 0 && mbedtls_ecdh_get_params(&ctx, &c, OURS) == 0 &&
         shares(&ctx, &c, &a);
    check("a later key of the same side takes its place", ok);
    ok = mbedtls_ecdh_get_params(&ctx, &other, THEIRS) == MBEDTLS_ERR_ECP_BAD_INPUT_DATA;
    check("a key of another curve is an error", ok);
    ok = mbedtls_ecdh_get_params(&ctx, &other, OURS) == MBEDTLS_ERR_ECP_BAD_INPUT_DATA;
    mbedtls_ecdh_context one;
    mbedtls_ecdh_init(&one);
    mbedtls_ecdh_get_params(&one, &other, OURS);
    ok = ok && mbedtls_ecdh_get_params(&one, &a, OURS) == MBEDTLS_ERR_ECP_BAD_INPUT_DATA;
    mbedtls_ecdh_free(&one);
    check("a key of another curve is an error on the same side too", ok);
    mbedtls_ecdh_free(&ctx);

    mbedtls_ecp_keypair none;
    mbedtls_ecp_keypair_init(&none);
    mbedtls_ecdh_init(&ctx);
    ok = mbedtls_ecdh_get_params(&ctx, &none, OURS) != 0 && mbedtls_ecdh_get_params(&ctx, &none, THEIRS) != 0;
    mbedtls_ecdh_free(&ctx);
    mbedtls_ecdh_init(&ctx);
    mbedtls_ecdh_get_params(&ctx, &a, OURS);
    ok = ok && mbedtls_ecdh_get_params(&ctx, &none, THEIRS) != 0;
    mbedtls_ecdh_free(&ctx);
    check("a key without a curve is an error", ok);

    mbedtls_ecp_keypair p, q;
    copy_key(&p, &a, 1);
    copy_key(&q, &b, 1);
    mbedtls_ecdh_init(&ctx);
    mbedtls_ecdh_get_params(&ctx, &p, OURS);
    mbedtls_ecdh_get_params(&ctx, &q, THEIRS);
    mbedtls_ecp_keypair_free(&p);
    mbedtls_ecp_keypair_free(&q);
    check("the keys may be freed before the secret is made", shares(&ctx, &a, &b));
    mbedtls_ecdh_free(&ctx);
    check("the keys stay as they are", same_key(&x, &a) && same_key(&y, &b));

    mbedtls_ecdh_init(&ctx);
    ok = mbedtls_ecdh_setup(&ctx, MBEDTLS_ECP_DP_SECP256R1) == 0 && mbedtls_ecdh_get_params(&ctx, &a, OURS) == 0 &&
         mbedtls_ecdh_get_params(&ctx, &c, THEIRS) == 0 && shares(&ctx, &a, &c);
    check("a context that was set up takes the key", ok);
    mbedtls_ecdh_free(&ctx);
    mbedtls_ecdh_init(&ctx);
    ok = mbedtls_ecdh_setup(&ctx, MBEDTLS_ECP_DP_SECP384R1) == 0 &&
         mbedtls_ecdh_get_params(&ctx, &a, OURS) == MBEDTLS_ERR_ECP_BAD_INPUT_DATA &&
         mbedtls_ecdh_get_params(&ctx, &a, THEIRS) == MBEDTLS_ERR_ECP_BAD_INPUT_DATA;
    check("a context that was set up for another curve refuses it", ok);
    mbedtls_ecdh_free(&ctx);

    long before = heap_live, leaks = 0;
    ok = 1;
    for (int i = 0; i < 30; i++) {
        mbedtls_ecdh_init(&ctx);
        heap_fail(i);
        int ret = mbedtls_ecdh_get_params(&ctx, &a, OURS);
        if (ret == 0) ret = mbedtls_ecdh_get_params(&ctx, &b, THEIRS);
        heap_ok();
        if (ret != 0 ? !heap_failed : !shares(&ctx, &a, &b)) ok = 0;
        mbedtls_ecdh_free(&ctx);
        leaks += heap_live != before;
        if (!heap_failed) break;
    }
    check("a failed allocation is an error", ok);
    mbedtls_ecdh_init(&ctx);
    mbedtls_ecdh_get_params(&ctx, &a, OURS);
    mbedtls_ecdh_get_params(&ctx, &b, THEIRS);
    mbedtls_ecdh_get_params(&ctx, &other, THEIRS);
    mbedtls_ecdh_free(&ctx);
    check("freeing the context gives back all memory", heap_live == before && leaks == 0);
    return done();
}
