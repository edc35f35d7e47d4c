/*---
 * tasks: [mbedtls_md_hmac_starts-d03f72]
 * tests:
 *   published values come out: 'Docstring: "sets the HMAC key and prepares to authenticate"; RFC 4231, RFC 2202.'
 *   keys of each length give the right value: 'Docstring: keylen "The length of the HMAC key in Bytes"; RFC 2104.'
 *   a key of just one block is not hashed: 'RFC 2104 2: only keys "longer than B bytes" are hashed.'
 *   each hash function gives the right value: 'Docstring: after mbedtls_md_setup(), with any digest.'
 *   no key is an empty key: 'RFC 2104 2: the key is filled up with zeros; keylen 0.'
 *   bytes behind the key do not count: 'Docstring: keylen "The length of the HMAC key in Bytes".'
 *   the context can start again with another key: 'md.h: mbedtls_md_hmac_starts begins a new message.'
 *   a shorter key forgets a longer one: 'Docstring: it "sets the HMAC key"; RFC 2104: filled up with zeros.'
 *   a start in the midst of a message forgets it: 'Docstring: "prepares to authenticate a new message".'
 *   a reset keeps the key: 'md.h: mbedtls_md_hmac_reset, "authenticate a new message with the same key".'
 *   the key stays as it is and is not needed later: 'Argument key is const; RFC 2104: it is in the pads.'
 *   a context that is missing is an error: 'Docstring: MBEDTLS_ERR_MD_BAD_INPUT_DATA; sibling functions of md.c.'
 *   a context without a digest is an error: 'Docstring: MBEDTLS_ERR_MD_BAD_INPUT_DATA: mbedtls_md_setup() first.'
 *   a context without HMAC is an error: 'Docstring: "a context containing an embedded HMAC context".'
 *   success is zero: 'Docstring: "0 on success".'
 ---*/
#include "mbedtls/md.h"
#include "check.h"
#include "hmac.h"

static unsigned char key[400], data[300], value[64], should[64];
static int success = 1;

static int value_of(mbedtls_md_context_t *ctx, size_t len) {
    return mbedtls_md_hmac_update(ctx, data, len) == 0 && mbedtls_md_hmac_finish(ctx, value) == 0;
}

static int start(mbedtls_md_context_t *ctx, const unsigned char *k, size_t keylen) {
    int ret = mbedtls_md_hmac_starts(ctx, k, keylen);
    if (ret != 0) success = 0;
    return ret == 0;
}

static int right(mbedtls_md_type_t type, size_t keylen, size_t len) {
    const mbedtls_md_info_t *md = mbedtls_md_info_from_type(type);
    mbedtls_md_context_t ctx;
    mbedtls_md_init(&ctx);
    fill(NULL, key, sizeof(key));
    fill(NULL, data, sizeof(data));
    own_hmac(md, key, keylen, data, len, should);
    int ok = mbedtls_md_setup(&ctx, md, 1) == 0 && start(&ctx, key, keylen) && value_of(&ctx, len) &&
             !memcmp(value, should, mbedtls_md_get_size(md));
    mbedtls_md_free(&ctx);
    return ok;
}

static int published(mbedtls_md_type_t type, const char *k, const char *text, const char *result) {
    const mbedtls_md_info_t *md = mbedtls_md_info_from_type(type);
    mbedtls_md_context_t ctx;
    mbedtls_md_init(&ctx);
    size_t n = unhex(should, result);
    memcpy(data, text, strlen(text));
    int ok = mbedtls_md_setup(&ctx, md, 1) == 0 && start(&ctx, (const unsigned char *) k, strlen(k)) &&
             value_of(&ctx, strlen(text)) && !memcmp(value, should, n);
    mbedtls_md_free(&ctx);
    return ok;
}

int main(void) {
    static const mbedtls_md_type_t types[] = {MBEDTLS_MD_MD5, MBEDTLS_MD_SHA1, MBEDTLS_MD_SHA224, MBEDTLS_MD_SHA256,
                                              MBEDTLS_MD_SHA384, MBEDTLS_MD_SHA512, MBEDTLS_MD_RIPEMD160};
    const mbedtls_md_info_t *sha = mbedtls_md_info_from_type(MBEDTLS_MD_SHA256);
    const char *text = "what do ya want for nothing?";
    mbedtls_md_context_t ctx;
    int ok = published(MBEDTLS_MD_SHA256, "Jefe", text,
                       "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843") &&
             published(MBEDTLS_MD_SHA1, "Jefe", text, "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79") &&
             published(MBEDTLS_MD_MD5, "Jefe", text, "750c783e6ab0b503eaa86e310a5db738");
    check("published values come out", ok);
    ok = 1;
    for (size_t keylen = 0; keylen <= 300; keylen++) ok &= right(MBEDTLS_MD_SHA256, keylen, keylen % 150);
    check("keys of each length give the right value", ok);
    ok = right(MBEDTLS_MD_SHA256, 64, 50) && right(MBEDTLS_MD_SHA512, 128, 50) && right(MBEDTLS_MD_SHA1, 64, 50) &&
         right(MBEDTLS_MD_SHA256, 63, 50) && right(MBEDTLS_MD_SHA256, 65, 50) && right(MBEDTLS_MD_SHA512, 129, 50) &&
         right(MBEDTLS_MD_SHA512, 100, 50);
    check("a key of just one block is not hashed", ok);
    ok = 1;
    for (int i = 0; i < 7; i++) {
        ok &= right(types[i], 20, 70) && right(types[i], 130, 70) && right(types[i], 64, 0) &&
              right(types[i], 200, 300);
    }
    check("each hash function gives the right value", ok);
    ok = right(MBEDTLS_MD_SHA256, 0, 20) && right(MBEDTLS_MD_SHA512, 0, 0);
    check("no key is an empty key", ok);

    mbedtls_md_init(&ctx);
    mbedtls_md_setup(&ctx, sha, 1);
    fill(NULL, key, sizeof(key));
    own_hmac(sha, key, 20, data, 30, should);
    memset(key + 20, 0xFF, 20);
    ok = start(&ctx, key, 20) && value_of(&ctx, 30) && !memcmp(value, should, 32);
    check("bytes behind the key do not count", ok);
    own_hmac(sha, key + 50, 33, data, 40, should);
    ok = start(&ctx, key + 50, 33) && value_of(&ctx, 40) && !memcmp(value, should, 32);
    check("the context can start again with another key", ok);
    ok = start(&ctx, key, 100) && value_of(&ctx, 40) && start(&ctx, key, 64) && value_of(&ctx, 40);
    own_hmac(sha, key + 5, 3, data, 40, should);
    check("a shorter key forgets a longer one", ok && start(&ctx, key + 5, 3) && value_of(&ctx, 40) &&
          !memcmp(value, should, 32));
    ok = start(&ctx, key, 20) && mbedtls_md_hmac_update(&ctx, data, 77) == 0;
    own_hmac(sha, key, 90, data, 40, should);
    ok = ok && start(&ctx, key, 90) && value_of(&ctx, 40) && !memcmp(value, should, 32);
    check("a start in the midst of a message forgets it", ok);
    ok = mbedtls_md_hmac_reset(&ctx) == 0 && value_of(&ctx, 40) && !memcmp(value, should, 32);
    check("a reset keeps the key", ok);
    unsigned char copy[400];
    memcpy(copy, key, sizeof(key));
    ok = start(&ctx, key, 150) && !memcmp(copy, key, sizeof(key)) && start(&ctx, key, 50) &&
         !memcmp(copy, key, sizeof(key));
    own_hmac(sha, key, 50, data, 40, should);
    memset(key, 0, sizeof(key));
    ok = ok && value_of(&ctx, 40) && !memcmp(value, should, 32);
    check("the key stays as it is and is not needed later", ok);
    mbedtls_md_free(&ctx);

    ok = mbedtls_md_hmac_starts(NULL, key, 20) == MBEDTLS_ERR_MD_BAD_INPUT_DATA;
    check("a context that is missing is an error", ok);
    mbedtls_md_init(&ctx);
    ok = mbedtls_md_hmac_starts(&ctx, key, 20) == MBEDTLS_ERR_MD_BAD_INPUT_DATA &&
         mbedtls_md_hmac_starts(&ctx, key, 200) == MBEDTLS_ERR_MD_BAD_INPUT_DATA;
    check("a context without a digest is an error", ok);
    mbedtls_md_setup(&ctx, sha, 0);
    ok = mbedtls_md_hmac_starts(&ctx, key, 20) == MBEDTLS_ERR_MD_BAD_INPUT_DATA &&
         mbedtls_md_hmac_starts(&ctx, key, 200) == MBEDTLS_ERR_MD_BAD_INPUT_DATA;
    check("a context without HMAC is an error", ok);
    mbedtls_md_free(&ctx);
    check("success is zero", success);
    return done();
}
