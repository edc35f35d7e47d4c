/* HMAC by its definition in RFC 2104, out of nothing but the hash function; and bytes written as hex digits. */
#ifndef PLUS_HMAC_H
#define PLUS_HMAC_H

#include <stdlib.h>
#include <string.h>
#include "mbedtls/md.h"

static size_t block_of(const mbedtls_md_info_t *md) {
    mbedtls_md_type_t type = mbedtls_md_get_type(md);
    return type == MBEDTLS_MD_SHA384 || type == MBEDTLS_MD_SHA512 ? 128 : type == MBEDTLS_MD_MD2 ? 16 : 64;
}

static void own_hmac(const mbedtls_md_info_t *md, const void *key, size_t keylen, const void *data, size_t len,
                     unsigned char *to) {
    static unsigned char text[70000];
    unsigned char padded[128] = {0}, inner[64];
    size_t block = block_of(md), size = mbedtls_md_get_size(md);
    if (keylen > block) {
        mbedtls_md(md, key, keylen, padded);
    } else if (keylen > 0) {
        memcpy(padded, key, keylen);
    }
    for (size_t i = 0; i < block; i++) text[i] = padded[i] ^ 0x36;
    if (len > 0) memcpy(text + block, data, len);
    mbedtls_md(md, text, block + len, inner);
    for (size_t i = 0; i < block; i++) text[i] = padded[i] ^ 0x5c;
    memcpy(text + block, inner, size);
    mbedtls_md(md, text, block + size, to);
}

static size_t unhex(unsigned char *to, const char *hex) {
    size_t n = strlen(hex) / 2;
    for (size_t i = 0; i < n; i++) {
        char two[3] = {hex[2 * i], hex[2 * i + 1], 0};
        to[i] = (unsigned char) strtol(two, NULL, 16);
    }
    return n;
}

#endif
