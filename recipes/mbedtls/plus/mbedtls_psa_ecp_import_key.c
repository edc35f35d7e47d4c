/*---
 * tasks: [mbedtls_psa_ecp_import_key-160ed3.2]
 * flags: ['-Wl,--wrap=calloc', '-Wl,--wrap=malloc', '-Wl,--wrap=realloc', '-Wl,--wrap=free']
 * tests:
 *   a private key is imported as it is: 'Docstring: key_buffer "in output format"; psa_export_key: both are the same.'
 *   a public key is imported as it is: 'Docstring: key_buffer "in output format"; crypto.h: psa_export_public_key.'
 *   a Montgomery private key is imported as it is: 'Docstring: key_buffer; crypto.h: psa_export_key.'
 *   a Montgomery public key is imported as it is: 'Docstring: key_buffer "in output format"; crypto.h.'
 *   the length of the key is set: 'Docstring: key_buffer_length "The length of the data written in key_buffer".'
 *   the size of a short Weierstrass key is set: 'Docstring: bits "The key size in number of bits".'
 *   the size of a Montgomery key is 255: 'crypto_values.h: PSA_ECC_FAMILY_MONTGOMERY, "255-bit".'
 *   the size may be given beforehand: 'Docstring: attributes "for the key to import"; psa_import_key checks bits.'
 *   a size that does not fit is an error: 'Docstring: PSA_ERROR_INVALID_ARGUMENT; psa_import_key in crypto.h.'
 *   a private key out of range is an error: 'Docstring: "The key data is not correctly formatted"; crypto.h.'
 *   a point that is not on the curve is an error: 'Docstring: "The key data is not correctly formatted".'
 *   a public key of the wrong form is an error: 'Docstring: "The key data is not correctly formatted"; crypto.h.'
 *   a curve that is not known is not supported: 'Docstring: PSA_ERROR_NOT_SUPPORTED; psa_crypto_ecp.c.'
 *   the buffer may be just large enough: 'Docstring: key_buffer_size "is greater or equal to data_length".'
 *   nothing behind the key buffer is written: 'Docstring: key_buffer_size "Size of the key_buffer buffer in bytes".'
 *   the data stays as it is: 'Argument data is const.'
 *   import gives back its memory: 'psa_crypto.c: the key lives on in key_buffer alone.'
 *   import gives back its memory after an error: 'psa_crypto.c: the key lives on in key_buffer alone.'
 *   a failed allocation is an error: 'Docstring: PSA_ERROR_INSUFFICIENT_MEMORY.'
 *   a private key is exported with its leading zeros: 'crypto.h, psa_export_key: ceiling(m/8) bytes.'
 *   a public key is exported from a private one: 'crypto.h, psa_export_public_key; the caller in psa_crypto_ecp.c.'
 *   a public point that is there is exported: 'Docstring: "The internal ECP representation from which to export".'
 *   the length of the export is set: 'Docstring: data_length "The amount of bytes written to data".'
 *   a private export needs room: 'Docstring: data_size; crypto.h: PSA_ERROR_BUFFER_TOO_SMALL.'
 *   a public export needs room: 'Docstring: data_size; crypto.h: PSA_ERROR_BUFFER_TOO_SMALL.'
 *   an export stays inside its buffer: 'Docstring: data_size "The length of the buffer to export to".'
 *   export leaves the private key as it is: 'Docstring: the representation "from which to export".'
 *   the whole API goes on with it: 'crypto.h: psa_import_key, psa_get_key_attributes, psa_export_public_key.'
 ---*/
#include "common.h"
#include "psa/crypto.h"
#include "psa_crypto_core.h"
#include "psa_crypto_ecp.h"
#include "mbedtls/ecp.h"
#include "check.h"
#include "heap.h"

typedef struct {
    mbedtls_ecp_group_id id;
    psa_ecc_family_t family;
    size_t bits;
} curve;

static const curve curves[] = {
    {MBEDTLS_ECP_DP_SECP192R1, PSA_ECC_FAMILY_SECP_R1, 192}, {MBEDTLS_ECP_DP_SECP224R1, PSA_ECC_FAMILY_SECP_R1, 224},
    {MBEDTLS_ECP_DP_SECP256R1, PSA_ECC_FAMILY_SECP_R1, 256}, {MBEDTLS_ECP_DP_SECP384R1, PSA_ECC_FAMILY_SECP_R1, 384},
    {MBEDTLS_ECP_DP_SECP521R1, PSA_ECC_FAMILY_SECP_R1, 521}, {MBEDTLS_ECP_DP_SECP192K1, PSA_ECC_FAMILY_SECP_K1, 192},
    {MBEDTLS_ECP_DP_SECP256K1, PSA_ECC_FAMILY_SECP_K1, 256},
    {MBEDTLS_ECP_DP_BP256R1, PSA_ECC_FAMILY_BRAINPOOL_P_R1, 256},
    {MBEDTLS_ECP_DP_BP384R1, PSA_ECC_FAMILY_BRAINPOOL_P_R1, 384},
    {MBEDTLS_ECP_DP_BP512R1, PSA_ECC_FAMILY_BRAINPOOL_P_R1, 512},
    {MBEDTLS_ECP_DP_CURVE25519, PSA_ECC_FAMILY_MONTGOMERY, 255},
};

static unsigned char buffer[300];
static size_t length, bits;

static psa_status_t import(psa_key_type_t type, size_t given, const unsigned char *data, size_t len, size_t size) {
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    psa_set_key_type(&attributes, type);
    psa_set_key_bits(&attributes, given);
    memset(buffer, 0x77, sizeof(buffer));
    length = bits = 9999;
    return mbedtls_psa_ecp_import_key(&attributes, data, len, buffer, size, &length, &bits);
}

static int untouched(size_t from) {
    for (size_t i = from; i < sizeof(buffer); i++) {
        if (buffer[i] != 0x77) return 0;
    }
    return 1;
}

/* A private key in the curve's range, and for a Montgomery curve with the bits that are fixed. */
static size_t private_key(const curve *c, unsigned char *data) {
    size_t n = (c->bits + 7) / 8;
    fill(NULL, data, n);
    if (c->family != PSA_ECC_FAMILY_MONTGOMERY) {
        data[0] = 0;
        data[1] |= 1;
    } else {
        data[0] &= 248;
        data[31] = (unsigned char) ((data[31] & 127) | 64);
    }
    return n;
}

/* The public key of a private one, by the arithmetic alone. */
static size_t public_key(const curve *c, const unsigned char *data, size_t n, unsigned char *to) {
    mbedtls_ecp_keypair pair;
    size_t len = 0;
    mbedtls_ecp_keypair_init(&pair);
    mbedtls_ecp_read_key(c->id, &pair, data, n);
    mbedtls_ecp_mul(&pair.grp, &pair.Q, &pair.d, &pair.grp.G, fill, NULL);
    mbedtls_ecp_point_write_binary(&pair.grp, &pair.Q, MBEDTLS_ECP_PF_UNCOMPRESSED, &len, to, 150);
    mbedtls_ecp_keypair_free(&pair);
    return len;
}

#define PAIR(c) PSA_KEY_TYPE_ECC_KEY_PAIR((c)->family)
#define PUBLIC(c) PSA_KEY_TYPE_ECC_PUBLIC_KEY((c)->family)

static int export(psa_key_type_t type, mbedtls_ecp_keypair *pair, size_t size) {
    memset(buffer, 0x77, sizeof(buffer));
    length = 9999;
    return mbedtls_psa_ecp_export_key(type, pair, buffer, size, &length);
}

int main(void) {
    unsigned char data[150], public[150], before[150];
    const curve *p256 = &curves[2], *x25519 = &curves[10];
    int imported[2][2] = {{1, 1}, {1, 1}}, set = 1, weierstrass = 1, montgomery = 1, given = 1, misfit = 1, tight = 1;
    int inside = 1, same = 1, leaks = 0, zeros = 1, from_private = 1, there = 1, amount = 1, room_private = 1;
    int room_public = 1, stays = 1, off_curve = 1, export_inside = 1;
    heap_ok();
    if (psa_crypto_init() != PSA_SUCCESS) return 1;

    for (size_t i = 0; i < sizeof(curves) / sizeof(*curves); i++) {
        const curve *c = &curves[i];
        int edwards = c->family == PSA_ECC_FAMILY_MONTGOMERY;
        size_t n = private_key(c, data), m = public_key(c, data, n, public);
        for (int pub = 0; pub < 2; pub++) {
            const unsigned char *key = pub ? public : data;
            size_t len = pub ? m : n;
            psa_key_type_t type = pub ? PUBLIC(c) : PAIR(c);
            memcpy(before, key, len);
            for (int explicit = 0; explicit < 2; explicit++) {
                long live = heap_live;
                int ok = import(type, explicit ? c->bits : 0, key, len, sizeof(buffer)) == PSA_SUCCESS &&
                         !memcmp(buffer, key, len);
                imported[edwards][pub] &= ok;
                if (explicit) given &= ok && bits == c->bits;
                set &= length == len;
                if (edwards) montgomery &= bits == c->bits; else weierstrass &= bits == c->bits;
                tight &= import(type, explicit ? c->bits : 0, key, len, len) == PSA_SUCCESS && length == len &&
                         !memcmp(buffer, key, len);
                inside &= untouched(len);
                leaks += heap_live != live;
            }
            same &= !memcmp(before, key, len);
            misfit &= import(type, c->bits + 8, key, len, sizeof(buffer)) == PSA_ERROR_INVALID_ARGUMENT;
            misfit &= import(type, c->bits - 8, key, len, sizeof(buffer)) == PSA_ERROR_INVALID_ARGUMENT;
        }
        if (!edwards) {
            public[m - 1] ^= 1;
            off_curve &= import(PUBLIC(c), 0, public, m, sizeof(buffer)) == PSA_ERROR_INVALID_ARGUMENT;
            off_curve &= import(PUBLIC(c), c->bits, public, m, sizeof(buffer)) == PSA_ERROR_INVALID_ARGUMENT;
            public[m - 1] ^= 1;
        }

        mbedtls_ecp_keypair pair;
        mbedtls_mpi d;
        mbedtls_mpi_init(&d);
        mbedtls_ecp_keypair_init(&pair);
        mbedtls_ecp_read_key(c->id, &pair, data, n);
        mbedtls_mpi_copy(&d, &pair.d);
        zeros &= export(PAIR(c), &pair, n) == PSA_SUCCESS && !memcmp(buffer, data, n);
        amount &= length == n;
        export_inside &= untouched(n);
        zeros &= export(PAIR(c), &pair, sizeof(buffer)) == PSA_SUCCESS && !memcmp(buffer, data, n);
        amount &= length == n;
        for (size_t less = 1; less <= n; less += n - 1) {
            room_private &= export(PAIR(c), &pair, n - less) == PSA_ERROR_BUFFER_TOO_SMALL;
            export_inside &= untouched(n - less);
        }
        from_private &= export(PUBLIC(c), &pair, m) == PSA_SUCCESS && !memcmp(buffer, public, m);
        amount &= length == m;
        export_inside &= untouched(m);
        from_private &= export(PUBLIC(c), &pair, sizeof(buffer)) == PSA_SUCCESS && !memcmp(buffer, public, m);
        amount &= length == m;
        for (size_t less = 1; less <= m; less += m - 1) {
            room_public &= export(PUBLIC(c), &pair, m - less) == PSA_ERROR_BUFFER_TOO_SMALL;
            export_inside &= untouched(m - less);
        }
        stays &= mbedtls_mpi_cmp_mpi(&d, &pair.d) == 0;
        mbedtls_ecp_keypair_free(&pair);

        mbedtls_ecp_keypair_init(&pair);
        mbedtls_ecp_group_load(&pair.grp, c->id);
        mbedtls_ecp_point_read_binary(&pair.grp, &pair.Q, public, m);
        there &= export(PUBLIC(c), &pair, m) == PSA_SUCCESS && length == m && !memcmp(buffer, public, m);
        mbedtls_ecp_keypair_free(&pair);
        mbedtls_mpi_free(&d);
    }
    check("a private key is imported as it is", imported[0][0]);
    check("a public key is imported as it is", imported[0][1]);
    check("a Montgomery private key is imported as it is", imported[1][0]);
    check("a Montgomery public key is imported as it is", imported[1][1]);
    check("the length of the key is set", set);
    check("the size of a short Weierstrass key is set", weierstrass);
    check("the size of a Montgomery key is 255", montgomery);
    check("the size may be given beforehand", given);
    check("a size that does not fit is an error", misfit);
    check("a point that is not on the curve is an error", off_curve);
    check("the buffer may be just large enough", tight);
    check("nothing behind the key buffer is written", inside);
    check("the data stays as it is", same);
    check("import gives back its memory", leaks == 0);
    check("a private key is exported with its leading zeros", zeros);
    check("a public key is exported from a private one", from_private);
    check("a public point that is there is exported", there);
    check("the length of the export is set", amount);
    check("a private export needs room", room_private);
    check("a public export needs room", room_public);
    check("an export stays inside its buffer", export_inside);
    check("export leaves the private key as it is", stays);

    long live = heap_live;
    unsigned char order[32];
    mbedtls_ecp_group grp;
    mbedtls_ecp_group_init(&grp);
    mbedtls_ecp_group_load(&grp, MBEDTLS_ECP_DP_SECP256R1);
    mbedtls_mpi_write_binary(&grp.N, order, 32);
    mbedtls_ecp_group_free(&grp);
    memset(data, 0, 32);
    int ok = import(PAIR(p256), 0, data, 32, 32) == PSA_ERROR_INVALID_ARGUMENT &&
             import(PAIR(p256), 256, order, 32, 32) == PSA_ERROR_INVALID_ARGUMENT;
    memset(data, 0xFF, 32);
    ok = ok && import(PAIR(p256), 0, data, 32, 32) == PSA_ERROR_INVALID_ARGUMENT;
    order[31]--;
    ok = ok && import(PAIR(p256), 0, order, 32, 32) == PSA_SUCCESS && !memcmp(buffer, order, 32);
    check("a private key out of range is an error", ok);
    size_t n = private_key(p256, data), m = public_key(p256, data, n, public);
    ok = import(PUBLIC(p256), 0, public, m - 1, m) == PSA_ERROR_INVALID_ARGUMENT &&
         import(PUBLIC(p256), 256, public, m - 2, m) == PSA_ERROR_INVALID_ARGUMENT &&
         import(PUBLIC(p256), 256, public, 33, m) == PSA_ERROR_INVALID_ARGUMENT;
    public[0] = 5;
    ok = ok && import(PUBLIC(p256), 256, public, m, m) != PSA_SUCCESS;
    public[0] = 4;
    check("a public key of the wrong form is an error", ok);
    ok = import(PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECT_K1), 233, data, 30, 30) == PSA_ERROR_NOT_SUPPORTED &&
         import(PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1), 248, data, 31, 31) == PSA_ERROR_NOT_SUPPORTED &&
         import(PSA_KEY_TYPE_ECC_PUBLIC_KEY(PSA_ECC_FAMILY_SECP_R1), 0, public, 63, 63) == PSA_ERROR_NOT_SUPPORTED;
    check("a curve that is not known is not supported", ok);
    check("import gives back its memory after an error", heap_live == live);

    ok = 1;
    for (int pub = 0; pub < 2; pub++) {
        for (int i = 0; i < 200; i++) {
            live = heap_live;
            heap_fail(i);
            psa_status_t status = import(pub ? PUBLIC(p256) : PAIR(p256), 0, pub ? public : data, pub ? m : n, 100);
            heap_ok();
            if (status == PSA_SUCCESS) {
                if (length != (pub ? m : n) || memcmp(buffer, pub ? public : data, length) || bits != 256) ok = 0;
            } else if (!heap_failed || status != PSA_ERROR_INSUFFICIENT_MEMORY) {
                ok = 0;
            }
            if (heap_live != live) ok = 0;
            if (!heap_failed) break;
        }
    }
    check("a failed allocation is an error", ok && !heap_overrun);

    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT, found = PSA_KEY_ATTRIBUTES_INIT;
    mbedtls_svc_key_id_t id;
    ok = 1;
    for (int i = 0; i < 2; i++) {
        const curve *c = i ? x25519 : p256;
        n = private_key(c, data);
        m = public_key(c, data, n, public);
        psa_set_key_type(&attributes, PAIR(c));
        psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_EXPORT);
        psa_set_key_bits(&attributes, 0);
        ok = ok && psa_import_key(&attributes, data, n, &id) == PSA_SUCCESS &&
             psa_get_key_attributes(id, &found) == PSA_SUCCESS && psa_get_key_bits(&found) == c->bits &&
             psa_export_key(id, buffer, sizeof(buffer), &length) == PSA_SUCCESS && length == n &&
             !memcmp(buffer, data, n) &&
             psa_export_public_key(id, buffer, sizeof(buffer), &length) == PSA_SUCCESS && length == m &&
             !memcmp(buffer, public, m);
        psa_destroy_key(id);
    }
    check("the whole API goes on with it", ok);
    mbedtls_psa_crypto_free();
    return done();
}
