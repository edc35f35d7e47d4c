/*---
 * tasks: [mbedtls_gcm_finish-dff47d.2]
 * flags: ['-Wl,--wrap=mbedtls_aesni_has_support']
 * tests:
 *   published tags come out: 'Docstring: it "generates the authentication tag"; gcm.h: NIST SP 800-38D.'
 *   published tags come out of the tables: 'Comment of gcm_mult: "x times H using the precomputed tables".'
 *   lengths of all kinds give the right tag: 'SP 800-38D 7.1: GHASH of both, each padded, and of their lengths.'
 *   they do so out of the tables: 'Comment of gcm_mult: x and output are elements of GF(2^128).'
 *   additional data alone gives the right tag: 'gcm.h: mbedtls_gcm_starts takes add, which may come without data.'
 *   data alone gives the right tag: 'gcm.h: add_len may be 0.'
 *   neither of both gives the encrypted counter: 'SP 800-38D 7.1: GHASH of nothing is 0.'
 *   a context for decryption gives the same tag: 'gcm.c: mbedtls_gcm_auth_decrypt compares the tag with the sender''s.'
 *   an IV of any length gives the right tag: 'gcm.h: iv_len; gcm_mult makes the first counter of it.'
 *   the tables give the right first counter: 'SP 800-38D 7.1: GHASH of the IV unless it has 12 bytes.'
 *   each allowed length of the tag gives its beginning: 'Docstring: tag_len, 4 to "a maximum length of 16 Bytes".'
 *   nothing behind the tag is written: 'Docstring: tag is "a writable buffer of at least tag_len Bytes".'
 *   a tag shorter than four is an error: 'Docstring: tag_len "must be at least four"; MBEDTLS_ERR_GCM_BAD_INPUT.'
 *   a tag longer than sixteen is an error: 'Docstring: "a maximum length of 16 Bytes"; MBEDTLS_ERR_GCM_BAD_INPUT.'
 *   a wrong length writes nothing behind the buffer: 'Docstring: tag has at least tag_len bytes.'
 *   data of more than 512 MiB counts with its whole length: 'SP 800-38D 7.1: 64 bits of length; gcm.h: ctx->len.'
 *   additional data of more than 512 MiB does so too: 'SP 800-38D 7.1: 64 bits of length; gcm.h: ctx->add_len.'
 *   data in pieces gives the same tag: 'gcm.h: mbedtls_gcm_update may be called more than once.'
 *   the context can start again: 'gcm.h: mbedtls_gcm_starts begins another operation with the same key.'
 *   keys of 192 and 256 bits give the right tag: 'gcm.h: mbedtls_gcm_setkey takes them.'
 ---*/
#include <stdlib.h>
#include "mbedtls/aes.h"
#include "mbedtls/gcm.h"
#include "check.h"

int __real_mbedtls_aesni_has_support(unsigned int what);

static int tables;

/* With `tables` the processor seems to know neither AES nor a multiplication without carry. */
int __wrap_mbedtls_aesni_has_support(unsigned int what) {
    return tables ? 0 : __real_mbedtls_aesni_has_support(what);
}

/* The product in GF(2^128), bit by bit: the first bit of the first byte is the coefficient of 1. */
static void times(unsigned char x[16], const unsigned char h[16]) {
    unsigned char z[16] = {0}, v[16];
    memcpy(v, h, 16);
    for (int bit = 0; bit < 128; bit++) {
        if (x[bit / 8] >> (7 - bit % 8) & 1) {
            for (int i = 0; i < 16; i++) z[i] ^= v[i];
        }
        int low = v[15] & 1;
        for (int i = 15; i > 0; i--) v[i] = (unsigned char) (v[i] >> 1 | v[i - 1] << 7);
        v[0] >>= 1;
        if (low) v[0] ^= 0xE1;
    }
    memcpy(x, z, 16);
}

static void absorb(unsigned char y[16], const unsigned char *data, size_t len, const unsigned char h[16]) {
    for (size_t at = 0; at < len; at += 16) {
        for (size_t i = 0; i < 16 && at + i < len; i++) y[i] ^= data[at + i];
        times(y, h);
    }
}

static void lengths(unsigned char y[16], unsigned long long a, unsigned long long c, const unsigned char h[16]) {
    for (int i = 0; i < 8; i++) {
        y[7 - i] ^= (unsigned char) (a * 8 >> 8 * i);
        y[15 - i] ^= (unsigned char) (c * 8 >> 8 * i);
    }
    times(y, h);
}

typedef struct {
    unsigned char key[32], iv[96], add[200], text[200], cipher[200];
    size_t bits, iv_len, add_len, len;
    unsigned long long more_add, more;  /* pretended to have been there beside */
} message;

static void expect(const message *m, unsigned char tag[16]) {
    mbedtls_aes_context aes;
    unsigned char h[16] = {0}, first[16] = {0}, y[16] = {0};
    mbedtls_aes_init(&aes);
    mbedtls_aes_setkey_enc(&aes, m->key, (unsigned int) m->bits);
    mbedtls_aes_crypt_ecb(&aes, MBEDTLS_AES_ENCRYPT, h, h);
    if (m->iv_len == 12) {
        memcpy(first, m->iv, 12);
        first[15] = 1;
    } else {
        absorb(first, m->iv, m->iv_len, h);
        lengths(first, 0, m->iv_len, h);
    }
    mbedtls_aes_crypt_ecb(&aes, MBEDTLS_AES_ENCRYPT, first, tag);
    absorb(y, m->add, m->add_len, h);
    absorb(y, m->cipher, m->len, h);
    lengths(y, m->add_len + m->more_add, m->len + m->more, h);
    for (int i = 0; i < 16; i++) tag[i] ^= y[i];
    mbedtls_aes_free(&aes);
}

static unsigned char tag[64];
static size_t piece;
static mbedtls_gcm_context gcm;

static int begin(message *m, int mode) {
    unsigned char out[200];
    mbedtls_gcm_init(&gcm);
    int ret = mbedtls_gcm_setkey(&gcm, MBEDTLS_CIPHER_ID_AES, m->key, (unsigned int) m->bits);
    if (ret == 0) ret = mbedtls_gcm_starts(&gcm, mode, m->iv, m->iv_len, m->add, m->add_len);
    for (size_t at = 0; ret == 0 && at < m->len; at += piece) {
        size_t n = m->len - at < piece ? m->len - at : piece;
        ret = mode == MBEDTLS_GCM_ENCRYPT ? mbedtls_gcm_update(&gcm, n, m->text + at, m->cipher + at)
                                          : mbedtls_gcm_update(&gcm, n, m->cipher + at, out + at);
    }
    gcm.len += m->more;
    gcm.add_len += m->more_add;
    memset(tag, 0xDD, sizeof(tag));
    return ret;
}

static int finishes(message *m, int mode) {
    unsigned char should[16];
    int ret = begin(m, mode);
    if (ret == 0) ret = mbedtls_gcm_finish(&gcm, tag, 16);
    mbedtls_gcm_free(&gcm);
    expect(m, should);
    return ret == 0 && !memcmp(tag, should, 16) && tag[16] == 0xDD;
}

static int right(message *m) { return finishes(m, MBEDTLS_GCM_ENCRYPT); }

static message some(size_t iv_len, size_t add_len, size_t len) {
    message m;
    memset(&m, 0, sizeof(m));
    fill(NULL, m.key, sizeof(m.key));
    fill(NULL, m.iv, sizeof(m.iv));
    fill(NULL, m.add, sizeof(m.add));
    fill(NULL, m.text, sizeof(m.text));
    m.bits = 128;
    m.iv_len = iv_len;
    m.add_len = add_len;
    m.len = len;
    return m;
}

static size_t unhex(unsigned char *to, const char *hex) {
    size_t n = strlen(hex) / 2;
    for (size_t i = 0; i < n; i++) {
        char two[3] = {hex[2 * i], hex[2 * i + 1], 0};
        to[i] = (unsigned char) strtol(two, NULL, 16);
    }
    return n;
}

static int published(const char *key, const char *iv, const char *add, const char *text, const char *result) {
    message m;
    unsigned char should[16];
    memset(&m, 0, sizeof(m));
    m.bits = 8 * unhex(m.key, key);
    m.iv_len = unhex(m.iv, iv);
    m.add_len = unhex(m.add, add);
    m.len = unhex(m.text, text);
    unhex(should, result);
    return right(&m) && !memcmp(tag, should, 16);
}

/* Cases 1 to 5 of the paper that defined GCM. */
static int all_published(void) {
    const char *none = "00000000000000000000000000000000", *key = "feffe9928665731c6d6a8f9467308308";
    const char *text = "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
                       "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255";
    const char *add = "feedfacedeadbeeffeedfacedeadbeefabaddad2";
    char shorter[121];
    memcpy(shorter, text, 120);
    shorter[120] = '\0';
    return published(none, "000000000000000000000000", "", "", "58e2fccefa7e3061367f1d57a4e7455a") &&
           published(none, "000000000000000000000000", "", none, "ab6e47d42cec13bdf53a67b21257bddf") &&
           published(key, "cafebabefacedbaddecaf888", "", text, "4d5c2af327cd64a62cf35abd2ba6fab4") &&
           published(key, "cafebabefacedbaddecaf888", add, shorter, "5bc94fbc3221a5db94fae95ae7121a47") &&
           published(key, "cafebabefacedbad", add, shorter, "3612d2e79e3b0785561be14aaca2fccb");
}

static int lengths_right(void) {
    static const size_t n[] = {0, 1, 15, 16, 17, 31, 32, 33, 64, 100, 200};
    int ok = 1;
    for (int i = 0; i < 11; i++) {
        for (int j = 0; j < 11; j++) {
            message m = some(12, n[i], n[j]);
            ok &= right(&m);
        }
    }
    return ok;
}

static int ivs_right(void) {
    static const size_t n[] = {1, 8, 11, 13, 15, 16, 17, 32, 60, 96};
    int ok = 1;
    for (int i = 0; i < 10; i++) {
        message m = some(n[i], 20, 40);
        ok &= right(&m);
    }
    return ok;
}

int main(void) {
    int ok, kept, ret;
    unsigned char should[16];
    message m;
    piece = 200;
    check("published tags come out", all_published());
    check("lengths of all kinds give the right tag", lengths_right());
    check("an IV of any length gives the right tag", ivs_right());
    tables = 1;
    check("published tags come out of the tables", all_published());
    check("they do so out of the tables", lengths_right());
    check("the tables give the right first counter", ivs_right());
    tables = 0;

    m = some(12, 37, 0);
    ok = right(&m);
    m = some(12, 16, 0);
    check("additional data alone gives the right tag", ok && right(&m));
    m = some(12, 0, 53);
    ok = right(&m);
    m = some(12, 0, 1);
    check("data alone gives the right tag", ok && right(&m));
    m = some(12, 0, 0);
    ok = right(&m);
    m = some(16, 0, 0);
    check("neither of both gives the encrypted counter", ok && right(&m));
    m = some(12, 21, 77);
    ok = right(&m) && finishes(&m, MBEDTLS_GCM_DECRYPT);
    m = some(12, 0, 16);
    ok = ok && right(&m) && finishes(&m, MBEDTLS_GCM_DECRYPT);
    check("a context for decryption gives the same tag", ok);

    ok = kept = 1;
    for (size_t len = 4; len <= 16; len++) {
        m = some(12, 3 * len, 5 * (len - 4));
        ok &= begin(&m, MBEDTLS_GCM_ENCRYPT) == 0 && mbedtls_gcm_finish(&gcm, tag, len) == 0;
        mbedtls_gcm_free(&gcm);
        expect(&m, should);
        ok &= !memcmp(tag, should, len);
        for (size_t i = len; i < sizeof(tag); i++) kept &= tag[i] == 0xDD;
    }
    check("each allowed length of the tag gives its beginning", ok);
    check("nothing behind the tag is written", kept);
    ok = kept = 1;
    for (size_t len = 0; len < 4; len++) {
        m = some(12, 20, 20);
        begin(&m, MBEDTLS_GCM_ENCRYPT);
        ok &= mbedtls_gcm_finish(&gcm, tag, len) == MBEDTLS_ERR_GCM_BAD_INPUT;
        mbedtls_gcm_free(&gcm);
        for (size_t i = len; i < sizeof(tag); i++) kept &= tag[i] == 0xDD;
    }
    check("a tag shorter than four is an error", ok);
    ok = 1;
    static const size_t longer[] = {17, 18, 32, 40};
    for (int j = 0; j < 4; j++) {
        m = some(12, 20, 20);
        begin(&m, MBEDTLS_GCM_ENCRYPT);
        ok &= mbedtls_gcm_finish(&gcm, tag, longer[j]) == MBEDTLS_ERR_GCM_BAD_INPUT;
        mbedtls_gcm_free(&gcm);
        for (size_t i = longer[j]; i < sizeof(tag); i++) kept &= tag[i] == 0xDD;
    }
    check("a tag longer than sixteen is an error", ok);
    check("a wrong length writes nothing behind the buffer", kept);

    m = some(12, 20, 32);
    m.more = 0x1234567890ULL << 4;
    ok = right(&m);
    m.more = 1ULL << 29;
    check("data of more than 512 MiB counts with its whole length", ok && right(&m));
    m = some(12, 32, 20);
    m.more_add = 0x9876543210ULL << 4;
    ok = right(&m);
    m.more_add = 1ULL << 29;
    check("additional data of more than 512 MiB does so too", ok && right(&m));
    ok = 1;
    for (piece = 16; piece < 80; piece += 16) {
        m = some(12, 20, 150);
        ok &= right(&m);
    }
    piece = 200;
    check("data in pieces gives the same tag", ok);

    m = some(12, 20, 50);
    message n = some(12, 9, 30);
    memcpy(n.key, m.key, 32);
    begin(&m, MBEDTLS_GCM_ENCRYPT);
    mbedtls_gcm_finish(&gcm, tag, 16);
    ret = mbedtls_gcm_starts(&gcm, MBEDTLS_GCM_ENCRYPT, n.iv, 12, n.add, n.add_len);
    if (ret == 0) ret = mbedtls_gcm_update(&gcm, n.len, n.text, n.cipher);
    if (ret == 0) ret = mbedtls_gcm_finish(&gcm, tag, 16);
    mbedtls_gcm_free(&gcm);
    expect(&n, should);
    check("the context can start again", ret == 0 && !memcmp(tag, should, 16));
    m = some(12, 20, 50);
    m.bits = 192;
    ok = right(&m);
    m.bits = 256;
    check("keys of 192 and 256 bits give the right tag", ok && right(&m));
    return done();
}
