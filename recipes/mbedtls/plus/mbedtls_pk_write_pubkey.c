/*---
 * tasks: [mbedtls_pk_write_pubkey-b48788.2]
 * flags: ['-Wl,--wrap=calloc', '-Wl,--wrap=malloc', '-Wl,--wrap=realloc', '-Wl,--wrap=free']
 * tests:
 *   an RSA key is a sequence of modulus and exponent: 'pkwrite.c: RSAPublicKey; RFC 5480 and RFC 8017 A.1.1.'
 *   RSA keys of each length are written: 'pkwrite.c: RSAPublicKey, in DER.'
 *   an elliptic key is its uncompressed point: 'Comment of pk_write_ec_pubkey: "EC public key is an EC point".'
 *   a point of each short Weierstrass curve is written: 'Comment: "EC public key is an EC point"; ecp.h: its form.'
 *   a coordinate keeps its leading zeros: 'ecp.h: MBEDTLS_ECP_PF_UNCOMPRESSED; SEC1 2.3.3.'
 *   a point of a Montgomery curve is written: 'ecp.h: mbedtls_ecp_point_write_binary; RFC 7748.'
 *   a private key gives its public part: 'Docstring: key "must contain a valid public or private key".'
 *   the length is returned: 'Docstring: "the length written".'
 *   the pointer moves back by the length: 'Docstring: "function works backwards in data buffer".'
 *   nothing beside the key is written: 'Docstring: p is the "current position"; what was written stays behind it.'
 *   a buffer of just the right size is enough: 'Docstring: start "(for bounds-checking)".'
 *   an RSA key that has no room is an error: 'Docstring: "or a negative error code"; start "for bounds-checking".'
 *   an elliptic key that has no room is an error: 'Docstring: "or a negative error code"; "for bounds-checking".'
 *   nothing before the start is written: 'Docstring: start "start of the buffer (for bounds-checking)".'
 *   a position before the start is an error: 'Docstring: "for bounds-checking"; asn1write.h.'
 *   a key of another kind is an error: 'Docstring: "or a negative error code"; pk.h: "Unavailable feature".'
 *   a whole public key can be made of it: 'Caller mbedtls_pk_write_pubkey_der; mbedtls_pk_parse_public_key reads it.'
 *   the key stays as it is: 'Argument key is const.'
 *   all memory is given back: 'The caller gets nothing but the bytes.'
 *   a failed allocation is an error: 'Docstring: "or a negative error code".'
 ---*/
#include "mbedtls/ecp.h"
#include "mbedtls/pk.h"
#include "mbedtls/rsa.h"
#include "check.h"
#include "heap.h"

#define SIZE 1024

static unsigned char room[SIZE], should[SIZE];
static size_t should_len;
static int lengths_ok = 1, moved = 1, beside = 1, fits = 1, before_start = 1;

static void put(const unsigned char *from, size_t n) {
    memcpy(should + should_len, from, n);
    should_len += n;
}

static void put_head(int tag, size_t n) {
    unsigned char head[4] = {(unsigned char) tag, (unsigned char) n};
    if (n < 128) {
        put(head, 2);
    } else if (n < 256) {
        head[1] = 0x81;
        head[2] = (unsigned char) n;
        put(head, 3);
    } else {
        head[1] = 0x82;
        head[2] = (unsigned char) (n >> 8);
        head[3] = (unsigned char) n;
        put(head, 4);
    }
}

static size_t head_size(size_t n) { return n < 128 ? 2 : n < 256 ? 3 : 4; }

static void put_number(const mbedtls_mpi *x) {
    unsigned char bytes[600];
    size_t n = mbedtls_mpi_bitlen(x) / 8 + 1;
    mbedtls_mpi_write_binary(x, bytes, n);
    put_head(2, n);
    put(bytes, n);
}

static void expect_rsa(const mbedtls_rsa_context *rsa) {
    size_t n = mbedtls_mpi_bitlen(&rsa->N) / 8 + 1, e = mbedtls_mpi_bitlen(&rsa->E) / 8 + 1;
    should_len = 0;
    put_head(0x30, head_size(n) + n + head_size(e) + e);
    put_number(&rsa->N);
    put_number(&rsa->E);
}

static void expect_ec(const mbedtls_ecp_keypair *ec) {
    size_t n = (ec->grp.pbits + 7) / 8;
    unsigned char bytes[80];
    should_len = 0;
    if (mbedtls_ecp_get_type(&ec->grp) == MBEDTLS_ECP_TYPE_MONTGOMERY) {
        mbedtls_mpi_write_binary_le(&ec->Q.X, bytes, n);
        put(bytes, n);
        return;
    }
    put((const unsigned char *) "\4", 1);
    mbedtls_mpi_write_binary(&ec->Q.X, bytes, n);
    put(bytes, n);
    mbedtls_mpi_write_binary(&ec->Q.Y, bytes, n);
    put(bytes, n);
}

/* The key is written as expected, amid a buffer and into one that just holds it; into a smaller one it isn't. */
static int writes(const mbedtls_pk_context *key, int *refused) {
    unsigned char *p = room + SIZE - 40, *start = room + 20;
    memset(room, 0xC3, SIZE);
    int ret = mbedtls_pk_write_pubkey(&p, start, key);
    if (ret != (int) should_len) lengths_ok = 0;
    if (p != room + SIZE - 40 - should_len) moved = 0;
    int ok = ret == (int) should_len && !memcmp(room + SIZE - 40 - should_len, should, should_len);
    for (int i = 0; i < SIZE; i++) {
        if ((i < 20 || i >= SIZE - 40) && room[i] != 0xC3) beside = 0;
    }

    memset(room, 0xC3, SIZE);
    p = room + 100 + should_len;
    ret = mbedtls_pk_write_pubkey(&p, room + 100, key);
    if (ret != (int) should_len || p != room + 100 || memcmp(p, should, should_len)) fits = 0;
    if (room[99] != 0xC3 || room[100 + should_len] != 0xC3) beside = 0;
    for (size_t less = 1; less <= should_len; less++) {
        memset(room, 0xC3, SIZE);
        p = room + 700;
        start = p - should_len + less;
        if (mbedtls_pk_write_pubkey(&p, start, key) >= 0) *refused = 0;
        for (unsigned char *q = room; q < start; q++) before_start &= *q == 0xC3;
    }
    return ok;
}

static void no_rsa_sign(void) {}

static size_t alt_len(void *ctx) { return 128; }

int main(void) {
    static mbedtls_mpi N, d;
    mbedtls_pk_context rsa, ec;
    int ok = 1, no_room_rsa = 1, no_room_ec = 1, outside = 1, whole = 1, kept = 1;
    heap_ok();
    long before = heap_live;

    /* The numbers need not make up a key that works: N is odd and of the length wanted, its top bit set or not. */
    static const size_t bits[] = {1024, 512, 1000, 1015, 1016, 1023, 1025, 2047, 2048, 4096, 768};
    for (int i = 0; i < 11; i++) {
        mbedtls_pk_init(&rsa);
        mbedtls_pk_setup(&rsa, mbedtls_pk_info_from_type(MBEDTLS_PK_RSA));
        mbedtls_mpi_fill_random(&N, (bits[i] + 7) / 8, fill, NULL);
        for (size_t b = bits[i]; b < (bits[i] + 7) / 8 * 8; b++) mbedtls_mpi_set_bit(&N, b, 0);
        mbedtls_mpi_set_bit(&N, bits[i] - 1, 1);
        mbedtls_mpi_set_bit(&N, 0, 1);
        mbedtls_mpi_lset(&d, i % 3 == 0 ? 65537 : i % 3 == 1 ? 3 : 0x8001);
        mbedtls_rsa_import(mbedtls_pk_rsa(rsa), &N, NULL, NULL, NULL, &d);
        mbedtls_rsa_complete(mbedtls_pk_rsa(rsa));
        expect_rsa(mbedtls_pk_rsa(rsa));
        ok &= writes(&rsa, &no_room_rsa);
        kept &= !mbedtls_mpi_cmp_mpi(&mbedtls_pk_rsa(rsa)->N, &N) && !mbedtls_mpi_cmp_mpi(&mbedtls_pk_rsa(rsa)->E, &d);
        if (i == 0) check("an RSA key is a sequence of modulus and exponent", ok);
        if (bits[i] == 1024) {
            for (int far = 1; far <= 30; far++) {
                unsigned char *p = room + 500 - far;
                memset(room, 0xC3, SIZE);
                outside &= mbedtls_pk_write_pubkey(&p, room + 500, &rsa) < 0;
                for (int j = 0; j < 500; j++) before_start &= room[j] == 0xC3;
            }
            unsigned char der[512];
            mbedtls_pk_context back;
            mbedtls_pk_init(&back);
            int len = mbedtls_pk_write_pubkey_der(&rsa, der, sizeof(der));
            whole &= len > 0 && !mbedtls_pk_parse_public_key(&back, der + sizeof(der) - len, len) &&
                     !mbedtls_mpi_cmp_mpi(&mbedtls_pk_rsa(back)->N, &N);
            mbedtls_pk_free(&back);
        }
        mbedtls_pk_free(&rsa);
    }
    check("RSA keys of each length are written", ok);

    int weierstrass = 1, montgomery = 1, zeros = 1, private = 1, one = 0, curves = 0;
    for (const mbedtls_ecp_curve_info *c = mbedtls_ecp_curve_list(); c->grp_id != MBEDTLS_ECP_DP_NONE; c++) {
        mbedtls_pk_init(&ec);
        mbedtls_pk_setup(&ec, mbedtls_pk_info_from_type(MBEDTLS_PK_ECKEY));
        mbedtls_ecp_keypair *pair = mbedtls_pk_ec(ec);
        mbedtls_ecp_group_load(&pair->grp, c->grp_id);
        int edwards = mbedtls_ecp_get_type(&pair->grp) == MBEDTLS_ECP_TYPE_MONTGOMERY;
        curves++;
        mbedtls_ecp_copy(&pair->Q, &pair->grp.G);
        expect_ec(pair);
        ok = writes(&ec, &no_room_ec);
        kept &= mbedtls_ecp_point_cmp(&pair->Q, &pair->grp.G) == 0;
        if (edwards) montgomery &= ok; else weierstrass &= ok;
        if (c->grp_id == MBEDTLS_ECP_DP_SECP256R1) {
            one = ok;
            for (int far = 1; far <= 30; far++) {
                unsigned char *p = room + 500 - far;
                memset(room, 0xC3, SIZE);
                outside &= mbedtls_pk_write_pubkey(&p, room + 500, &ec) < 0;
                for (int j = 0; j < 500; j++) before_start &= room[j] == 0xC3;
            }
        }
        if (!edwards) {
            mbedtls_mpi_lset(&pair->Q.X, 0x1234);
            mbedtls_mpi_lset(&pair->Q.Y, 0x56);
            expect_ec(pair);
            zeros &= writes(&ec, &no_room_ec);
        } else {
            mbedtls_mpi_lset(&pair->Q.X, 0x1234);
            expect_ec(pair);
            montgomery &= writes(&ec, &no_room_ec);
        }
        mbedtls_pk_free(&ec);

        if (c->bit_size > 256) continue;
        mbedtls_pk_init(&ec);
        mbedtls_pk_setup(&ec, mbedtls_pk_info_from_type(MBEDTLS_PK_ECKEY));
        mbedtls_ecp_gen_key(c->grp_id, mbedtls_pk_ec(ec), fill, NULL);
        expect_ec(mbedtls_pk_ec(ec));
        private &= writes(&ec, &no_room_ec);
        if (!edwards) {
            unsigned char der[512];
            mbedtls_pk_context back;
            mbedtls_pk_init(&back);
            int len = mbedtls_pk_write_pubkey_der(&ec, der, sizeof(der));
            whole &= len > 0 && !mbedtls_pk_parse_public_key(&back, der + sizeof(der) - len, len) &&
                     !mbedtls_pk_check_pair(&back, &ec);
            mbedtls_pk_free(&back);
        }
        mbedtls_pk_free(&ec);
    }
    check("an elliptic key is its uncompressed point", one);
    check("a point of each short Weierstrass curve is written", weierstrass && curves >= 13);
    check("a coordinate keeps its leading zeros", zeros);
    check("a point of a Montgomery curve is written", montgomery);
    check("a private key gives its public part", private);
    check("the length is returned", lengths_ok);
    check("the pointer moves back by the length", moved);
    check("nothing beside the key is written", beside);
    check("a buffer of just the right size is enough", fits);
    check("an RSA key that has no room is an error", no_room_rsa);
    check("an elliptic key that has no room is an error", no_room_ec);
    check("nothing before the start is written", before_start);
    check("a position before the start is an error", outside);
    check("a whole public key can be made of it", whole);
    check("the key stays as it is", kept);

    mbedtls_pk_context alt;
    unsigned char *p = room + SIZE;
    mbedtls_pk_init(&alt);
    mbedtls_pk_setup_rsa_alt(&alt, &N, (mbedtls_pk_rsa_alt_decrypt_func) no_rsa_sign,
                             (mbedtls_pk_rsa_alt_sign_func) no_rsa_sign, alt_len);
    check("a key of another kind is an error", mbedtls_pk_write_pubkey(&p, room, &alt) < 0);
    mbedtls_pk_free(&alt);

    mbedtls_pk_init(&rsa);
    mbedtls_pk_setup(&rsa, mbedtls_pk_info_from_type(MBEDTLS_PK_RSA));
    mbedtls_mpi_lset(&d, 65537);
    mbedtls_mpi_lset(&N, 1);
    mbedtls_mpi_shift_l(&N, 1023);
    mbedtls_rsa_import(mbedtls_pk_rsa(rsa), &N, NULL, NULL, NULL, &d);
    mbedtls_rsa_complete(mbedtls_pk_rsa(rsa));
    expect_rsa(mbedtls_pk_rsa(rsa));
    mbedtls_pk_init(&ec);
    mbedtls_pk_setup(&ec, mbedtls_pk_info_from_type(MBEDTLS_PK_ECKEY));
    mbedtls_ecp_group_load(&mbedtls_pk_ec(ec)->grp, MBEDTLS_ECP_DP_CURVE25519);
    mbedtls_ecp_copy(&mbedtls_pk_ec(ec)->Q, &mbedtls_pk_ec(ec)->grp.G);
    ok = 1;
    int leaks = 0;
    for (int i = 0; i < 20; i++) {
        for (int j = 0; j < 2; j++) {
            const mbedtls_pk_context *key = j ? &ec : &rsa;
            j ? expect_ec(mbedtls_pk_ec(ec)) : expect_rsa(mbedtls_pk_rsa(rsa));
            long now = heap_live;
            p = room + SIZE;
            heap_fail(i);
            int ret = mbedtls_pk_write_pubkey(&p, room, key);
            heap_ok();
            if (ret >= 0 && (ret != (int) should_len || memcmp(p, should, should_len))) ok = 0;
            if (ret < 0 && !heap_failed) ok = 0;
            leaks += heap_live != now;
        }
    }
    check("a failed allocation is an error", ok);
    mbedtls_pk_free(&rsa);
    mbedtls_pk_free(&ec);
    mbedtls_mpi_free(&N);
    mbedtls_mpi_free(&d);
    check("all memory is given back", heap_live == before && leaks == 0 && !heap_overrun);
    return done();
}
