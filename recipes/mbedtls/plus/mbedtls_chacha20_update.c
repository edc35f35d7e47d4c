/*---
 * tasks: [mbedtls_chacha20_update-ce0197]
 * tests:
 *   the published key stream comes out: 'chacha20.h: "ChaCha20 [...] RFC 7539", its section 2.3.2.'
 *   data of each length is encrypted: 'Docstring: "This function encrypts or decrypts data"; size of any value.'
 *   many blocks are encrypted: 'RFC 7539 2.4: the counter is incremented for each block.'
 *   decrypting is the same operation: 'Docstring: "the same operation is used for encrypting and decrypting".'
 *   input and output may be the same: 'Docstring: "must either be equal or point to non-overlapping buffers".'
 *   two pieces of any length give the same as one: 'Docstring: it "can be called multiple times in a row".'
 *   many pieces give the same as one: 'Docstring: "to encrypt of decrypt data piecewise".'
 *   single bytes give the same as one piece: 'Docstring: "to encrypt of decrypt data piecewise".'
 *   a piece of no bytes changes nothing: 'Docstring: "can be NULL if size == 0".'
 *   both buffers may be NULL for no bytes: 'Docstring: "can be NULL if size == 0".'
 *   exactly the bytes of the output are written: 'Docstring: output "must be able to hold size Bytes".'
 *   exactly the bytes of the input are read: 'Docstring: size "The length of the input data in Bytes".'
 *   the input stays as it is: 'Argument input is const.'
 *   key, nonce and counter count: 'Docstring: a context "bound to a key and nonce"; chacha20.h: counter.'
 *   success is zero: 'Docstring: "0 on success".'
 *   a context can start again in the midst of a block: 'chacha20.h: mbedtls_chacha20_starts, reset to another nonce.'
 ---*/
#include <stdint.h>
#include "mbedtls/chacha20.h"
#include "check.h"
#include "edge.h"

#define MOST 1500

static unsigned char key[32], nonce[12], text[MOST], should[MOST], out[MOST + 64];
static mbedtls_chacha20_context ctx;
static int returned;

#define TURN(x, n) ((x) << (n) | (x) >> (32 - (n)))
#define QUARTER(a, b, c, d) \
    (s[a] += s[b], s[d] = TURN(s[d] ^ s[a], 16), s[c] += s[d], s[b] = TURN(s[b] ^ s[c], 12), \
     s[a] += s[b], s[d] = TURN(s[d] ^ s[a], 8), s[c] += s[d], s[b] = TURN(s[b] ^ s[c], 7))

static uint32_t word(const unsigned char *p) { return p[0] | p[1] << 8 | p[2] << 16 | (uint32_t) p[3] << 24; }

/* The cipher by its definition; what comes out is in `should`. */
static void expect(uint32_t counter, size_t size) {
    for (size_t at = 0; at < size; at += 64) {
        uint32_t first[16], s[16];
        for (int i = 0; i < 4; i++) first[i] = word((const unsigned char *) "expand 32-byte k" + 4 * i);
        for (int i = 0; i < 8; i++) first[4 + i] = word(key + 4 * i);
        first[12] = counter++;
        for (int i = 0; i < 3; i++) first[13 + i] = word(nonce + 4 * i);
        memcpy(s, first, sizeof(s));
        for (int i = 0; i < 10; i++) {
            QUARTER(0, 4, 8, 12); QUARTER(1, 5, 9, 13); QUARTER(2, 6, 10, 14); QUARTER(3, 7, 11, 15);
            QUARTER(0, 5, 10, 15); QUARTER(1, 6, 11, 12); QUARTER(2, 7, 8, 13); QUARTER(3, 4, 9, 14);
        }
        for (size_t i = 0; i < 64 && at + i < size; i++) {
            should[at + i] = text[at + i] ^ (unsigned char) ((s[i / 4] + first[i / 4]) >> 8 * (i % 4));
        }
    }
}

static void begin(uint32_t counter, size_t size) {
    fill(NULL, key, sizeof(key));
    fill(NULL, nonce, sizeof(nonce));
    fill(NULL, text, size);
    expect(counter, size);
    mbedtls_chacha20_init(&ctx);
    mbedtls_chacha20_setkey(&ctx, key);
    mbedtls_chacha20_starts(&ctx, nonce, counter);
    memset(out, 0xD1, sizeof(out));
}

static void update(size_t size, const unsigned char *in, unsigned char *to) {
    returned |= mbedtls_chacha20_update(&ctx, size, in, to);
}

/* `size` bytes in pieces of `piece`. */
static int pieces(size_t size, size_t piece) {
    begin(piece % 5, size);
    for (size_t at = 0; at < size; at += piece) {
        size_t n = size - at < piece ? size - at : piece;
        update(n, text + at, out + at);
    }
    return !memcmp(out, should, size) && out[size] == 0xD1;
}

int main(void) {
    static const unsigned char stream[] = {
        0x10, 0xf1, 0xe7, 0xe4, 0xd1, 0x3b, 0x59, 0x15, 0x50, 0x0f, 0xdd, 0x1f, 0xa3, 0x20, 0x71, 0xc4,
        0xc7, 0xd1, 0xf4, 0xc7, 0x33, 0xc0, 0x68, 0x03, 0x04, 0x22, 0xaa, 0x9a, 0xc3, 0xd4, 0x6c, 0x4e};
    int ok, kept = 1, inside = 1;
    for (int i = 0; i < 32; i++) key[i] = (unsigned char) i;
    mbedtls_chacha20_init(&ctx);
    mbedtls_chacha20_setkey(&ctx, key);
    mbedtls_chacha20_starts(&ctx, (const unsigned char *) "\0\0\0\x09\0\0\0\x4a\0\0\0\0", 1);
    update(32, text, out);
    check("the published key stream comes out", !memcmp(out, stream, 32));

    ok = 1;
    unsigned char copy[MOST];
    for (size_t size = 0; size <= 300; size++) {
        begin(size % 7, size);
        memcpy(copy, text, size);
        update(size, text, out);
        ok &= !memcmp(out, should, size);
        for (size_t i = size; i < sizeof(out); i++) inside &= out[i] == 0xD1;
        kept &= !memcmp(copy, text, size);
    }
    check("data of each length is encrypted", ok);
    ok = pieces(1500, 1500) && pieces(1472, 1472) && pieces(1024, 1024);
    check("many blocks are encrypted", ok);
    check("the input stays as it is", kept);

    begin(3, 777);
    memcpy(copy, text, 777);
    update(777, text, out);
    mbedtls_chacha20_starts(&ctx, nonce, 3);
    memset(text, 0, sizeof(text));
    update(777, out, text);
    check("decrypting is the same operation", !memcmp(text, copy, 777));
    ok = 1;
    for (size_t size = 1; size < 400; size += 21) {
        begin(1, size);
        memcpy(out, text, size);
        update(size / 3, out, out);
        update(size - size / 3, out + size / 3, out + size / 3);
        ok &= !memcmp(out, should, size);
    }
    check("input and output may be the same", ok);

    ok = 1;
    for (size_t size = 1; size <= 200; size += 3) {
        for (size_t cut = 0; cut <= size; cut++) {
            begin(9, size);
            update(cut, text, out);
            update(size - cut, text + cut, out + cut);
            ok &= !memcmp(out, should, size) && out[size] == 0xD1;
        }
    }
    check("two pieces of any length give the same as one", ok);
    ok = 1;
    for (size_t piece = 2; piece < 200; piece++) ok &= pieces(600, piece);
    for (int i = 0; i < 50; i++) {
        begin(i, 1400);
        for (size_t at = 0, n; at < 1400; at += n) {
            n = draw() % 150;
            if (n > 1400 - at) n = 1400 - at;
            update(n, text + at, out + at);
        }
        ok &= !memcmp(out, should, 1400);
    }
    check("many pieces give the same as one", ok);
    check("single bytes give the same as one piece", pieces(400, 1));
    ok = 1;
    for (size_t at = 0; at <= 130; at++) {
        begin(2, 260);
        update(at, text, out);
        update(0, text, out);
        update(0, text + at, out + at);
        update(260 - at, text + at, out + at);
        ok &= !memcmp(out, should, 260);
    }
    check("a piece of no bytes changes nothing", ok);
    begin(2, 100);
    update(0, NULL, NULL);
    update(30, text, out);
    update(0, NULL, NULL);
    update(70, text + 30, out + 30);
    check("both buffers may be NULL for no bytes", !memcmp(out, should, 100));
    check("exactly the bytes of the output are written", inside);
    ok = 1;
    for (size_t size = 0; size < 200; size++) {
        begin(4, size);
        update(size, at_edge(text, size), out);
        ok &= !memcmp(out, should, size);
    }
    check("exactly the bytes of the input are read", ok);

    ok = 1;
    for (uint32_t counter = 0; counter < 2000000000u; counter += 123456789u) {
        begin(counter, 150);
        update(150, text, out);
        ok &= !memcmp(out, should, 150);
    }
    check("key, nonce and counter count", ok);
    begin(5, 300);
    update(37, text, out);
    mbedtls_chacha20_starts(&ctx, nonce, 5);
    update(300, text, out);
    ok = !memcmp(out, should, 300);
    check("a context can start again in the midst of a block", ok);
    check("success is zero", returned == 0);
    return done();
}
