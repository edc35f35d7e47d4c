/*---
 * tasks: [mbedtls_pk_write_key_der-0c8cab.2]
 * flags: ['-Wl,--wrap=calloc', '-Wl,--wrap=malloc', '-Wl,--wrap=realloc', '-Wl,--wrap=free']
 * tests:
 *   an RSA key is the sequence of its eight numbers: 'Docstring: "PKCS#1 [...] DER structure"; RFC 8017 A.1.2.'
 *   RSA keys of other lengths are written: 'Docstring: "PKCS#1"; X.690 8.3: the shortest form of an INTEGER.'
 *   an elliptic key is its SEC1 structure: 'Docstring: "SEC1 DER structure"; RFC 5915; comment in pkwrite.c.'
 *   a key of each short Weierstrass curve is written: 'RFC 5915; oid.h: mbedtls_oid_get_oid_by_ec_grp.'
 *   a private number keeps its leading zeros: 'Comment of pk_write_ec_private: "always of length ceil(log2(n)/8)".'
 *   the length is returned: 'Docstring: "length of data written if successful".'
 *   the key is at the end of the buffer: 'Docstring: "data is written at the end of the buffer".'
 *   a larger buffer gives the same key: 'Docstring: "data is written at the end of the buffer".'
 *   a buffer of just the right size is enough: 'Docstring: "size of the buffer".'
 *   nothing beside the buffer is written: 'Docstring: "size of the buffer".'
 *   an RSA key that has no room is an error: 'Docstring: "or a specific error code"; asn1.h: buffer too small.'
 *   an elliptic key that has no room is an error: 'Docstring: "or a specific error code"; asn1.h: too small.'
 *   a buffer of no size is an error: 'The neighbour mbedtls_pk_write_pubkey_der; asn1.h: buffer too small.'
 *   a key of another kind is an error: 'Docstring: "or a specific error code"; pk.h: "Unavailable feature".'
 *   a key without a curve is an error: 'Docstring: "PK context which must contain a valid private key".'
 *   an RSA key without private numbers is an error: 'Docstring: "a specific error code"; rsa.h: bad input.'
 *   what is written can be read: 'pk.h: mbedtls_pk_parse_key.'
 *   a PEM key can be made of it: 'Caller mbedtls_pk_write_key_pem.'
 *   the key stays as it is: 'Callers go on with the key.'
 *   all memory is given back: 'The caller gets nothing but the bytes.'
 *   a failed allocation is an error: 'Docstring: "or a specific error code".'
 ---*/
#include "mbedtls/asn1.h"
#include "mbedtls/ecp.h"
#include "mbedtls/oid.h"
#include "mbedtls/pk.h"
#include "mbedtls/rsa.h"
#include "check.h"
#include "heap.h"

#define SIZE 2600

static unsigned char room[SIZE], should[SIZE];
static size_t should_len;
static int lengths_ok = 1, at_end = 1, larger = 1, beside = 1, fits = 1;

/* The bytes are put in front of what is there, at the end of `should`. */
static void put(const unsigned char *from, size_t n) {
    should_len += n;
    memcpy(should + SIZE - should_len, from, n);
}

/* A head for all that was put since there were `since` bytes. */
static void head(int tag, size_t since) {
    size_t n = should_len - since;
    unsigned char h[4] = {(unsigned char) tag, (unsigned char) n};
    if (n < 128) {
        put(h, 2);
    } else if (n < 256) {
        h[1] = 0x81;
        h[2] = (unsigned char) n;
        put(h, 3);
    } else {
        h[1] = 0x82;
        h[2] = (unsigned char) (n >> 8);
        h[3] = (unsigned char) n;
        put(h, 4);
    }
}

static void number(const mbedtls_mpi *x) {
    unsigned char bytes[600];
    size_t n = mbedtls_mpi_bitlen(x) / 8 + 1, since = should_len;
    mbedtls_mpi_write_binary(x, bytes, n);
    put(bytes, n);
    head(2, since);
}

static void expect_rsa(const mbedtls_rsa_context *rsa) {
    should_len = 0;
    number(&rsa->QP);
    number(&rsa->DQ);
    number(&rsa->DP);
    number(&rsa->Q);
    number(&rsa->P);
    number(&rsa->D);
    number(&rsa->E);
    number(&rsa->N);
    put((const unsigned char *) "\2\1\0", 3);
    head(0x30, 0);
}

static void expect_ec(const mbedtls_ecp_keypair *ec) {
    size_t n = (ec->grp.pbits + 7) / 8, since, oid_len;
    unsigned char bytes[80];
    const char *oid;
    should_len = 0;
    mbedtls_mpi_write_binary(&ec->Q.Y, bytes, n);
    put(bytes, n);
    mbedtls_mpi_write_binary(&ec->Q.X, bytes, n);
    put(bytes, n);
    put((const unsigned char *) "\0\4", 2);
    head(3, 0);
    head(0xa1, 0);
    since = should_len;
    mbedtls_oid_get_oid_by_ec_grp(ec->grp.id, &oid, &oid_len);
    put((const unsigned char *) oid, oid_len);
    head(6, since);
    head(0xa0, since);
    since = should_len;
    mbedtls_mpi_write_binary(&ec->d, bytes, n);
    put(bytes, n);
    head(4, since);
    put((const unsigned char *) "\2\1\1", 3);
    head(0x30, 0);
}

static int same(const unsigned char *p) {
    return !memcmp(p, should + SIZE - should_len, should_len);
}

/* The key is written as expected, at the end of a buffer and into one that just holds it, but into no smaller one. */
static int writes(mbedtls_pk_context *key, int *refused, size_t step) {
    memset(room, 0xC3, SIZE);
    int ret = mbedtls_pk_write_key_der(key, room + 20, SIZE - 60);
    if (ret != (int) should_len) lengths_ok = 0;
    int ok = ret == (int) should_len && same(room + SIZE - 40 - should_len);
    if (!ok) at_end = 0;
    for (int i = 0; i < SIZE; i++) {
        if ((i < 20 || i >= SIZE - 40) && room[i] != 0xC3) beside = 0;
    }
    memset(room, 0xC3, SIZE);
    ret = mbedtls_pk_write_key_der(key, room + 100, should_len + 17);
    if (ret != (int) should_len || !same(room + 117)) larger = 0;
    memset(room, 0xC3, SIZE);
    ret = mbedtls_pk_write_key_der(key, room + 100, should_len);
    if (ret != (int) should_len || !same(room + 100)) fits = 0;
    if (room[99] != 0xC3 || room[100 + should_len] != 0xC3) beside = 0;
    for (size_t size = should_len - 1; size > 0; size -= size < step + 12 ? 1 : step) {
        memset(room, 0xC3, SIZE);
        if (mbedtls_pk_write_key_der(key, room + 100, size) >= 0) *refused = 0;
        for (int i = 0; i < 100; i++) beside &= room[i] == 0xC3;
        for (int i = 0; i < 100; i++) beside &= room[100 + size + i] == 0xC3;
    }
    return ok;
}

static void no_rsa(void) {}

static size_t alt_len(void *ctx) { return 128; }

static void new_rsa(mbedtls_pk_context *rsa, unsigned bits, int e) {
    mbedtls_pk_init(rsa);
    mbedtls_pk_setup(rsa, mbedtls_pk_info_from_type(MBEDTLS_PK_RSA));
    if (mbedtls_rsa_gen_key(mbedtls_pk_rsa(*rsa), fill, NULL, bits, e) != 0) exit(1);
}

static void new_ec(mbedtls_pk_context *ec, mbedtls_ecp_group_id id) {
    mbedtls_pk_init(ec);
    mbedtls_pk_setup(ec, mbedtls_pk_info_from_type(MBEDTLS_PK_ECKEY));
    mbedtls_ecp_keypair *pair = mbedtls_pk_ec(*ec);
    mbedtls_ecp_group_load(&pair->grp, id);
    mbedtls_ecp_copy(&pair->Q, &pair->grp.G);
    mbedtls_mpi_copy(&pair->d, &pair->grp.N);
    mbedtls_mpi_shift_r(&pair->d, 1);
    mbedtls_mpi_sub_int(&pair->d, &pair->d, 0x1234);
}

int main(void) {
    mbedtls_pk_context rsa, ec, back;
    static unsigned char der[SIZE];
    int ok = 1, no_room_rsa = 1, no_room_ec = 1, kept = 1, reads = 1;
    heap_ok();
    long before = heap_live;

    static const unsigned bits[] = {512, 256, 384, 402};
    for (int i = 0; i < 4; i++) {
        new_rsa(&rsa, bits[i], i % 2 ? 3 : 65537);
        mbedtls_rsa_context copy, *r = mbedtls_pk_rsa(rsa);
        mbedtls_rsa_init(&copy, MBEDTLS_RSA_PKCS_V15, 0);
        mbedtls_rsa_copy(&copy, r);
        expect_rsa(r);
        ok &= writes(&rsa, &no_room_rsa, i == 1 ? 1 : 13);
        kept &= !mbedtls_mpi_cmp_mpi(&copy.N, &r->N) && !mbedtls_mpi_cmp_mpi(&copy.E, &r->E) &&
                !mbedtls_mpi_cmp_mpi(&copy.D, &r->D) && !mbedtls_mpi_cmp_mpi(&copy.P, &r->P) &&
                !mbedtls_mpi_cmp_mpi(&copy.Q, &r->Q) && !mbedtls_mpi_cmp_mpi(&copy.QP, &r->QP);
        mbedtls_rsa_free(&copy);
        if (i == 0) {
            check("an RSA key is the sequence of its eight numbers", ok);
            int len = mbedtls_pk_write_key_der(&rsa, der, SIZE);
            mbedtls_pk_init(&back);
            reads &= len > 0 && !mbedtls_pk_parse_key(&back, der + SIZE - len, len, NULL, 0) &&
                     mbedtls_pk_get_type(&back) == MBEDTLS_PK_RSA &&
                     !mbedtls_mpi_cmp_mpi(&mbedtls_pk_rsa(back)->D, &r->D);
            mbedtls_pk_free(&back);
        }
        mbedtls_pk_free(&rsa);
    }
    check("RSA keys of other lengths are written", ok);

    int all = 1, zeros = 1, one = 0, curves = 0;
    for (const mbedtls_ecp_curve_info *c = mbedtls_ecp_curve_list(); c->grp_id != MBEDTLS_ECP_DP_NONE; c++) {
        new_ec(&ec, c->grp_id);
        mbedtls_ecp_keypair *pair = mbedtls_pk_ec(ec);
        if (mbedtls_ecp_get_type(&pair->grp) == MBEDTLS_ECP_TYPE_MONTGOMERY) {
            mbedtls_pk_free(&ec);
            continue;
        }
        curves++;
        expect_ec(pair);
        ok = writes(&ec, &no_room_ec, 1);
        all &= ok;
        if (c->grp_id == MBEDTLS_ECP_DP_SECP256R1) one = ok;
        kept &= mbedtls_ecp_point_cmp(&pair->Q, &pair->grp.G) == 0;
        static const int d[] = {1, 0x80, 0xabcdef};
        for (int i = 0; i < 3; i++) {
            mbedtls_mpi_lset(&pair->d, d[i]);
            expect_ec(pair);
            zeros &= writes(&ec, &no_room_ec, 50);
            kept &= mbedtls_mpi_cmp_int(&pair->d, d[i]) == 0;
        }
        mbedtls_pk_free(&ec);
    }
    check("an elliptic key is its SEC1 structure", one);
    check("a key of each short Weierstrass curve is written", all && curves >= 11);
    check("a private number keeps its leading zeros", zeros);

    mbedtls_pk_init(&ec);
    mbedtls_pk_setup(&ec, mbedtls_pk_info_from_type(MBEDTLS_PK_ECKEY));
    mbedtls_ecp_gen_key(MBEDTLS_ECP_DP_SECP256R1, mbedtls_pk_ec(ec), fill, NULL);
    int len = mbedtls_pk_write_key_der(&ec, der, SIZE);
    mbedtls_pk_init(&back);
    reads &= len > 0 && !mbedtls_pk_parse_key(&back, der + SIZE - len, len, NULL, 0) &&
             !mbedtls_pk_check_pair(&ec, &back) &&
             !mbedtls_mpi_cmp_mpi(&mbedtls_pk_ec(back)->d, &mbedtls_pk_ec(ec)->d);
    mbedtls_pk_free(&back);
    check("what is written can be read", reads);
    mbedtls_pk_init(&back);
    ok = mbedtls_pk_write_key_pem(&ec, room, SIZE) == 0 &&
         !mbedtls_pk_parse_key(&back, room, strlen((char *) room) + 1, NULL, 0) && !mbedtls_pk_check_pair(&ec, &back);
    check("a PEM key can be made of it", ok);
    mbedtls_pk_free(&back);

    check("the length is returned", lengths_ok);
    check("the key is at the end of the buffer", at_end);
    check("a larger buffer gives the same key", larger);
    check("a buffer of just the right size is enough", fits);
    check("nothing beside the buffer is written", beside);
    check("an RSA key that has no room is an error", no_room_rsa);
    check("an elliptic key that has no room is an error", no_room_ec);
    memset(room, 0xC3, SIZE);
    ok = mbedtls_pk_write_key_der(&ec, room + 5, 0) == MBEDTLS_ERR_ASN1_BUF_TOO_SMALL;
    for (int i = 0; i < 20; i++) ok &= room[i] == 0xC3;
    check("a buffer of no size is an error", ok);
    check("the key stays as it is", kept);

    mbedtls_pk_context alt;
    mbedtls_pk_init(&alt);
    mbedtls_pk_setup_rsa_alt(&alt, room, (mbedtls_pk_rsa_alt_decrypt_func) no_rsa,
                             (mbedtls_pk_rsa_alt_sign_func) no_rsa, alt_len);
    ok = mbedtls_pk_write_key_der(&alt, der, SIZE) < 0;
    mbedtls_pk_free(&alt);
    mbedtls_pk_init(&alt);
    check("a key of another kind is an error", ok && mbedtls_pk_write_key_der(&alt, der, SIZE) < 0);
    mbedtls_pk_setup(&alt, mbedtls_pk_info_from_type(MBEDTLS_PK_ECKEY));
    check("a key without a curve is an error", mbedtls_pk_write_key_der(&alt, der, SIZE) < 0);
    mbedtls_pk_free(&alt);
    mbedtls_mpi n, e;
    mbedtls_mpi_init(&n);
    mbedtls_mpi_init(&e);
    mbedtls_mpi_lset(&n, 1);
    mbedtls_mpi_shift_l(&n, 511);
    mbedtls_mpi_set_bit(&n, 0, 1);
    mbedtls_mpi_lset(&e, 3);
    mbedtls_pk_init(&rsa);
    mbedtls_pk_setup(&rsa, mbedtls_pk_info_from_type(MBEDTLS_PK_RSA));
    mbedtls_rsa_import(mbedtls_pk_rsa(rsa), &n, NULL, NULL, NULL, &e);
    mbedtls_rsa_complete(mbedtls_pk_rsa(rsa));
    check("an RSA key without private numbers is an error", mbedtls_pk_write_key_der(&rsa, der, SIZE) < 0);
    mbedtls_pk_free(&rsa);
    mbedtls_mpi_free(&n);
    mbedtls_mpi_free(&e);

    new_rsa(&rsa, 256, 65537);
    ok = 1;
    int leaks = 0;
    for (int i = 0; i < 60; i++) {
        for (int j = 0; j < 2; j++) {
            j ? expect_ec(mbedtls_pk_ec(ec)) : expect_rsa(mbedtls_pk_rsa(rsa));
            long now = heap_live;
            heap_fail(i);
            int ret = mbedtls_pk_write_key_der(j ? &ec : &rsa, room, SIZE);
            heap_ok();
            if (ret >= 0 && (ret != (int) should_len || !same(room + SIZE - should_len))) ok = 0;
            if (ret < 0 && !heap_failed) ok = 0;
            leaks += heap_live != now;
        }
    }
    check("a failed allocation is an error", ok);
    mbedtls_pk_free(&rsa);
    mbedtls_pk_free(&ec);
    check("all memory is given back", heap_live == before && leaks == 0 && !heap_overrun);
    return done();
}
