/*---
 * tasks: [mbedtls_hkdf-5c1bb4]
 * flags: ['-Wl,--wrap=calloc', '-Wl,--wrap=malloc', '-Wl,--wrap=realloc', '-Wl,--wrap=free']
 * tests:
 *   the first published key comes out: 'Docstring: "HMAC-based Extract-and-Expand Key Derivation"; RFC 5869 A.1.'
 *   the third published key comes out: 'Docstring: "optional salt", "zero-length string"; RFC 5869 A.3.'
 *   output of each length is right: 'Docstring: okm "of okm_len bytes"; RFC 5869 2.3.'
 *   each hash function can be used: 'Docstring: md "A hash function".'
 *   salt, material and info of each length count: 'Docstring: salt_len, ikm_len, info_len; RFC 5869 2.2, 2.3.'
 *   no salt is a string of zeros: 'Docstring: "if the salt is not provided, a string of all zeros of md.size length".'
 *   an empty salt is no salt: 'RFC 5869 2.2 and 2104: a key of zeros or none is the same to HMAC.'
 *   no salt with a length is an error: 'Docstring: MBEDTLS_ERR_HKDF_BAD_INPUT_DATA; hkdf.c: mbedtls_hkdf_extract.'
 *   the info may be missing: 'Docstring: "optional context [...] information", "a zero-length string".'
 *   the longest output is made: 'Docstring: okm_len "must be less than or equal to 255 * md.size bytes".'
 *   a longer output is an error: 'Docstring: MBEDTLS_ERR_HKDF_BAD_INPUT_DATA "when the parameters are invalid".'
 *   nothing behind the output is written: 'Docstring: okm "of okm_len bytes".'
 *   a missing hash function is an error: 'Docstring: "errors returned from the underlying MD layer".'
 *   a missing output is an error: 'Docstring: MBEDTLS_ERR_HKDF_BAD_INPUT_DATA; hkdf.c: mbedtls_hkdf_expand.'
 *   the input stays as it is: 'Arguments salt, ikm and info are const.'
 *   a failed allocation is an error: 'Docstring: "errors returned from the underlying MD layer".'
 *   all memory is given back: 'Docstring: the caller gets nothing but okm.'
 ---*/
#include "mbedtls/hkdf.h"
#include "mbedtls/md.h"
#include "check.h"
#include "heap.h"
#include "hmac.h"

static unsigned char salt[300], ikm[300], info[300], out[17000], should[17000];
static int inside = 1;

/* Extract and expand as RFC 5869 says; `no_salt` for a salt of zeros. */
static void expect(const mbedtls_md_info_t *md, int no_salt, size_t s, size_t k, size_t i, size_t len) {
    unsigned char zeros[64] = {0}, prk[64], text[600];
    size_t size = mbedtls_md_get_size(md), before = 0;
    own_hmac(md, no_salt ? zeros : salt, no_salt ? size : s, ikm, k, prk);
    for (size_t at = 0, n = 1; at < len; at += size, n++) {
        unsigned char t[64];
        if (at > 0) memcpy(text, should + at - size, before = size);
        memcpy(text + before, info, i);
        text[before + i] = (unsigned char) n;
        own_hmac(md, prk, size, text, before + i + 1, t);
        memcpy(should + at, t, size);
    }
}

static int right(mbedtls_md_type_t type, size_t s, size_t k, size_t i, size_t len) {
    const mbedtls_md_info_t *md = mbedtls_md_info_from_type(type);
    fill(NULL, salt, s);
    fill(NULL, ikm, k);
    fill(NULL, info, i);
    expect(md, 0, s, k, i, len);
    memset(out, 0xC9, sizeof(out));
    int ret = mbedtls_hkdf(md, salt, s, ikm, k, info, i, out, len);
    for (size_t j = len; j < len + 100; j++) inside &= out[j] == 0xC9;
    return ret == 0 && !memcmp(out, should, len);
}

int main(void) {
    const mbedtls_md_info_t *sha = mbedtls_md_info_from_type(MBEDTLS_MD_SHA256);
    unsigned char a[100], b[100], c[100];
    int ok;
    heap_ok();
    memset(ikm, 0x0b, 22);
    unhex(salt, "000102030405060708090a0b0c");
    unhex(info, "f0f1f2f3f4f5f6f7f8f9");
    unhex(should, "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865");
    ok = mbedtls_hkdf(sha, salt, 13, ikm, 22, info, 10, out, 42) == 0;
    check("the first published key comes out", ok && !memcmp(out, should, 42));
    unhex(should, "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8");
    ok = mbedtls_hkdf(sha, NULL, 0, ikm, 22, NULL, 0, out, 42) == 0;
    check("the third published key comes out", ok && !memcmp(out, should, 42));

    ok = 1;
    for (size_t len = 1; len < 200; len += len < 70 ? 1 : 7) ok &= right(MBEDTLS_MD_SHA256, 20, 30, 10, len);
    ok &= right(MBEDTLS_MD_SHA256, 20, 30, 10, 0);
    check("output of each length is right", ok);
    static const mbedtls_md_type_t types[] = {MBEDTLS_MD_MD5, MBEDTLS_MD_SHA1, MBEDTLS_MD_SHA224, MBEDTLS_MD_SHA256,
                                              MBEDTLS_MD_SHA384, MBEDTLS_MD_SHA512, MBEDTLS_MD_RIPEMD160};
    ok = 1;
    for (int i = 0; i < 7; i++) ok &= right(types[i], 20, 30, 10, 100) && right(types[i], 140, 30, 10, 300);
    check("each hash function can be used", ok);
    static const size_t n[] = {1, 31, 32, 33, 63, 64, 65, 128, 129, 300};
    ok = 1;
    for (int i = 0; i < 10; i++) {
        ok &= right(MBEDTLS_MD_SHA256, n[i], 30, 10, 80) && right(MBEDTLS_MD_SHA256, 20, n[i], 10, 80) &&
              right(MBEDTLS_MD_SHA256, 20, 30, n[i], 80);
    }
    check("salt, material and info of each length count", ok);

    ok = 1;
    for (int i = 0; i < 7; i++) {
        const mbedtls_md_info_t *md = mbedtls_md_info_from_type(types[i]);
        expect(md, 1, 0, 30, 10, 90);
        ok &= mbedtls_hkdf(md, NULL, 0, ikm, 30, info, 10, out, 90) == 0 && !memcmp(out, should, 90);
    }
    check("no salt is a string of zeros", ok);
    expect(sha, 1, 0, 30, 10, 90);
    ok = mbedtls_hkdf(sha, salt, 0, ikm, 30, info, 10, out, 90) == 0 && !memcmp(out, should, 90);
    check("an empty salt is no salt", ok);
    ok = mbedtls_hkdf(sha, NULL, 13, ikm, 22, info, 10, out, 42) == MBEDTLS_ERR_HKDF_BAD_INPUT_DATA;
    check("no salt with a length is an error", ok);
    expect(sha, 0, 20, 30, 0, 90);
    ok = mbedtls_hkdf(sha, salt, 20, ikm, 30, NULL, 0, out, 90) == 0 && !memcmp(out, should, 90);
    memset(out, 0, 90);
    ok = ok && mbedtls_hkdf(sha, salt, 20, ikm, 30, info, 0, out, 90) == 0 && !memcmp(out, should, 90);
    check("the info may be missing", ok);

    check("the longest output is made", right(MBEDTLS_MD_SHA256, 20, 30, 10, 255 * 32) &&
          right(MBEDTLS_MD_SHA512, 20, 30, 10, 255 * 64) && right(MBEDTLS_MD_SHA256, 20, 30, 10, 255 * 32 - 1));
    ok = mbedtls_hkdf(sha, salt, 20, ikm, 30, info, 10, out, 255 * 32 + 1) == MBEDTLS_ERR_HKDF_BAD_INPUT_DATA &&
         mbedtls_hkdf(sha, salt, 20, ikm, 30, info, 10, out, 256 * 32) == MBEDTLS_ERR_HKDF_BAD_INPUT_DATA &&
         mbedtls_hkdf(sha, salt, 20, ikm, 30, info, 10, out, 300 * 32) == MBEDTLS_ERR_HKDF_BAD_INPUT_DATA;
    check("a longer output is an error", ok);
    check("nothing behind the output is written", inside);
    ok = mbedtls_hkdf(NULL, salt, 20, ikm, 30, info, 10, out, 42) != 0 &&
         mbedtls_hkdf(NULL, NULL, 0, ikm, 30, info, 10, out, 42) != 0;
    check("a missing hash function is an error", ok);
    ok = mbedtls_hkdf(sha, salt, 20, ikm, 30, info, 10, NULL, 42) == MBEDTLS_ERR_HKDF_BAD_INPUT_DATA;
    check("a missing output is an error", ok);

    memcpy(a, salt, 100);
    memcpy(b, ikm, 100);
    memcpy(c, info, 100);
    mbedtls_hkdf(sha, salt, 20, ikm, 30, info, 10, out, 90);
    check("the input stays as it is", !memcmp(a, salt, 100) && !memcmp(b, ikm, 100) && !memcmp(c, info, 100));

    long before = heap_live, leaks = 0;
    ok = 1;
    expect(sha, 0, 20, 30, 10, 90);
    for (int i = 0; i < 40; i++) {
        memset(out, 0, 90);
        heap_fail(i);
        int ret = mbedtls_hkdf(sha, salt, 20, ikm, 30, info, 10, out, 90);
        heap_ok();
        if (ret != 0 ? !heap_failed : memcmp(out, should, 90) != 0) ok = 0;
        leaks += heap_live != before;
    }
    check("a failed allocation is an error", ok);
    mbedtls_hkdf(sha, NULL, 3, ikm, 30, info, 10, out, 90);
    mbedtls_hkdf(sha, salt, 20, ikm, 30, info, 10, out, 9000);
    check("all memory is given back", heap_live == before && leaks == 0 && !heap_overrun);
    return done();
}
