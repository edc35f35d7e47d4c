/*---
 * tasks: [mbedtls_hmac_drbg_seed-226da0]
 * flags: ['-Wl,--wrap=calloc', '-Wl,--wrap=malloc', '-Wl,--wrap=realloc', '-Wl,--wrap=free']
 * tests:
 *   the state is made of entropy, nonce and custom string: 'Comment: "HMAC_DRBG initialisation (10.1.2.3 + 9.1)".'
 *   each hash function gives its state: 'hmac_drbg.h: md_info "MD algorithm to use for HMAC_DRBG".'
 *   the entropy has the length of the strength: 'hmac_drbg.h: 128 bits for SHA-1, 192 for SHA-224, 256 for the others.'
 *   the nonce has half that length: 'hmac_drbg.h: "a nonce whose length is half the entropy length".'
 *   a length that was set before stays: 'hmac_drbg.h: "override it by calling mbedtls_hmac_drbg_set_entropy_len()".'
 *   no request is longer than the entropy: 'hmac_drbg.h: f_entropy "is always called with a length" up to it.'
 *   the source gets its own context: 'hmac_drbg.h: p_entropy "The entropy context to pass to f_entropy".'
 *   without a custom string the state is right: 'hmac_drbg.h: custom "can be NULL": it "is empty".'
 *   a missing custom string is empty whatever its length: 'hmac_drbg.h: "empty regardless of the value of len".'
 *   the longest custom string is taken: 'hmac_drbg.h: len "at most MBEDTLS_HMAC_DRBG_MAX_INPUT".'
 *   a longer custom string is an error: 'hmac_drbg.h: len; MBEDTLS_ERR_HMAC_DRBG_INPUT_TOO_BIG.'
 *   a failure of the source is an error: 'hmac_drbg.h: MBEDTLS_ERR_HMAC_DRBG_ENTROPY_SOURCE_FAILED.'
 *   a failure for the nonce is an error: 'hmac_drbg.h: MBEDTLS_ERR_HMAC_DRBG_ENTROPY_SOURCE_FAILED.'
 *   a missing hash function is an error: 'hmac_drbg.h: MBEDTLS_ERR_MD_BAD_INPUT_DATA "if md_info is invalid".'
 *   a failed allocation is an error: 'hmac_drbg.h: MBEDTLS_ERR_MD_ALLOC_FAILED.'
 *   the source serves later reseeds: 'hmac_drbg.h: "set up the entropy source for future reseeds".'
 *   a reseed asks for the same entropy: 'hmac_drbg.h: mbedtls_hmac_drbg_reseed, the entropy source.'
 *   the reseed counter starts anew: 'hmac_drbg.h: mbedtls_hmac_drbg_set_reseed_interval counts from it.'
 *   freeing the context gives back all memory: 'hmac_drbg.h: mbedtls_hmac_drbg_free.'
 ---*/
#include "mbedtls/hmac_drbg.h"
#include "check.h"
#include "heap.h"
#include "hmac.h"

static unsigned char given[200];
static size_t asked[10], given_len;
static int calls, failing, wrong_context, too_long;
static size_t bound;
static int context;

/* The source: counts its calls, fails at the one wanted and gives bytes that it notes. */
static int source(void *p, unsigned char *to, size_t len) {
    if (p != &context) wrong_context = 1;
    if (len > bound) too_long = 1;
    if (++calls == failing) return -5;
    if (calls < 10) asked[calls] = len;
    fill(NULL, to, len);
    if (given_len + len <= sizeof(given)) memcpy(given + given_len, to, len);
    given_len += len;
    return 0;
}

static void reset(void) {
    memset(asked, 0, sizeof(asked));
    given_len = 0;
    calls = failing = 0;
    bound = 1000;
}

/* 10.1.2.2 of SP 800-90A: the state after more input. */
static void update(const mbedtls_md_info_t *md, unsigned char *K, unsigned char *V, const unsigned char *in, size_t n) {
    unsigned char text[1000];
    size_t size = mbedtls_md_get_size(md);
    for (int round = 0; round < (n > 0 ? 2 : 1); round++) {
        memcpy(text, V, size);
        text[size] = (unsigned char) round;
        if (n > 0) memcpy(text + size + 1, in, n);
        own_hmac(md, K, size, text, size + 1 + n, K);
        own_hmac(md, K, size, V, size, V);
    }
}

/* What it draws first is what the standard makes of what the source gave, and of the custom string. */
static int draws(mbedtls_hmac_drbg_context *ctx, const mbedtls_md_info_t *md, const unsigned char *custom, size_t len) {
    unsigned char K[64] = {0}, V[64], seed[800], out[64], should[64];
    size_t size = mbedtls_md_get_size(md);
    memset(V, 1, sizeof(V));
    memcpy(seed, given, given_len);
    if (len > 0) memcpy(seed + given_len, custom, len);
    update(md, K, V, seed, given_len + len);
    own_hmac(md, K, size, V, size, should);
    return mbedtls_hmac_drbg_random(ctx, out, size) == 0 && !memcmp(out, should, size);
}

static int seeds(mbedtls_md_type_t type, const unsigned char *custom, size_t len, size_t real_len) {
    const mbedtls_md_info_t *md = mbedtls_md_info_from_type(type);
    mbedtls_hmac_drbg_context ctx;
    mbedtls_hmac_drbg_init(&ctx);
    reset();
    int ok = mbedtls_hmac_drbg_seed(&ctx, md, source, &context, custom, len) == 0 && draws(&ctx, md, custom, real_len);
    mbedtls_hmac_drbg_free(&ctx);
    return ok;
}

int main(void) {
    static const mbedtls_md_type_t types[] = {MBEDTLS_MD_SHA1, MBEDTLS_MD_SHA224, MBEDTLS_MD_SHA256,
                                              MBEDTLS_MD_SHA384, MBEDTLS_MD_SHA512};
    static const size_t strength[] = {16, 24, 32, 32, 32};
    const mbedtls_md_info_t *sha = mbedtls_md_info_from_type(MBEDTLS_MD_SHA256);
    unsigned char custom[400];
    mbedtls_hmac_drbg_context ctx;
    int ok, lengths = 1, nonces = 1;
    heap_ok();
    fill(NULL, custom, sizeof(custom));
    long before = heap_live;

    check("the state is made of entropy, nonce and custom string", seeds(MBEDTLS_MD_SHA256, custom, 20, 20));
    ok = 1;
    for (int i = 0; i < 5; i++) {
        ok &= seeds(types[i], custom, 33, 33);
        lengths &= asked[1] == strength[i];
        nonces &= calls == 2 && asked[2] == strength[i] / 2;
    }
    check("each hash function gives its state", ok);
    check("the entropy has the length of the strength", lengths);
    check("the nonce has half that length", nonces);
    ok = 1;
    for (size_t len = 8; len <= 64; len += 8) {
        reset();
        bound = len;
        mbedtls_hmac_drbg_init(&ctx);
        mbedtls_hmac_drbg_set_entropy_len(&ctx, len);
        ok &= mbedtls_hmac_drbg_seed(&ctx, sha, source, &context, custom, 10) == 0 && draws(&ctx, sha, custom, 10) &&
              asked[1] == len && asked[2] == len / 2;
        mbedtls_hmac_drbg_free(&ctx);
    }
    check("a length that was set before stays", ok);
    check("no request is longer than the entropy", !too_long && lengths && nonces);
    check("the source gets its own context", !wrong_context);
    check("without a custom string the state is right", seeds(MBEDTLS_MD_SHA256, NULL, 0, 0) &&
          seeds(MBEDTLS_MD_SHA1, custom, 0, 0));
    check("a missing custom string is empty whatever its length", seeds(MBEDTLS_MD_SHA256, NULL, 50, 0));
    ok = seeds(MBEDTLS_MD_SHA256, custom, MBEDTLS_HMAC_DRBG_MAX_INPUT, MBEDTLS_HMAC_DRBG_MAX_INPUT);
    check("the longest custom string is taken", ok);
    mbedtls_hmac_drbg_init(&ctx);
    reset();
    ok = mbedtls_hmac_drbg_seed(&ctx, sha, source, &context, custom, MBEDTLS_HMAC_DRBG_MAX_INPUT + 1);
    check("a longer custom string is an error", ok == MBEDTLS_ERR_HMAC_DRBG_INPUT_TOO_BIG);
    mbedtls_hmac_drbg_free(&ctx);

    for (int at = 1; at <= 2; at++) {
        mbedtls_hmac_drbg_init(&ctx);
        reset();
        failing = at;
        ok = mbedtls_hmac_drbg_seed(&ctx, sha, source, &context, custom, 20);
        mbedtls_hmac_drbg_free(&ctx);
        check(at == 1 ? "a failure of the source is an error" : "a failure for the nonce is an error",
              ok == MBEDTLS_ERR_HMAC_DRBG_ENTROPY_SOURCE_FAILED);
    }
    mbedtls_hmac_drbg_init(&ctx);
    reset();
    ok = mbedtls_hmac_drbg_seed(&ctx, NULL, source, &context, custom, 20);
    mbedtls_hmac_drbg_free(&ctx);
    check("a missing hash function is an error", ok == MBEDTLS_ERR_MD_BAD_INPUT_DATA);

    long leaks = 0;
    ok = 1;
    for (int i = 0; i < 20; i++) {
        mbedtls_hmac_drbg_init(&ctx);
        reset();
        heap_fail(i);
        int ret = mbedtls_hmac_drbg_seed(&ctx, sha, source, &context, custom, 20);
        heap_ok();
        if (ret != 0 ? !heap_failed || ret != MBEDTLS_ERR_MD_ALLOC_FAILED : !draws(&ctx, sha, custom, 20)) ok = 0;
        mbedtls_hmac_drbg_free(&ctx);
        leaks += heap_live != before;
    }
    check("a failed allocation is an error", ok);

    mbedtls_hmac_drbg_init(&ctx);
    reset();
    mbedtls_hmac_drbg_seed(&ctx, sha, source, &context, NULL, 0);
    ok = calls;
    int ret = mbedtls_hmac_drbg_reseed(&ctx, NULL, 0);
    check("the source serves later reseeds", ret == 0 && calls == ok + 1 && !wrong_context);
    check("a reseed asks for the same entropy", asked[ok + 1] == 32);
    mbedtls_hmac_drbg_free(&ctx);
    mbedtls_hmac_drbg_init(&ctx);
    reset();
    mbedtls_hmac_drbg_set_reseed_interval(&ctx, 3);
    mbedtls_hmac_drbg_seed(&ctx, sha, source, &context, NULL, 0);
    int at_first = calls, drawn = 0;
    unsigned char out[8];
    while (calls == at_first && drawn < 100) {
        mbedtls_hmac_drbg_random(&ctx, out, 8);
        drawn++;
    }
    check("the reseed counter starts anew", drawn == 4);
    mbedtls_hmac_drbg_free(&ctx);
    check("freeing the context gives back all memory", heap_live == before && leaks == 0 && !heap_overrun);
    return done();
}
