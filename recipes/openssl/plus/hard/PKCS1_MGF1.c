/*---
 * tasks: [PKCS1_MGF1-051f70, PKCS1_MGF1-051f70.16, PKCS1_MGF1-051f70.2, PKCS1_MGF1-051f70.4,
 *   PKCS1_MGF1-051f70.8]
 * tests:
 *   known masks are made with SHA-1: 'Comment: "Mask Generation Function"; RFC 8017, B.2.1; published values.'
 *   known masks are made with SHA-256: 'RFC 8017, B.2.1; published values.'
 *   each length gives the beginning of the same mask: 'RFC 8017, B.2.1, step 4: "the leading maskLen octets".'
 *   digests of any size are strung together: 'RFC 8017, B.2.1, step 3: T = T || Hash(mgfSeed || C).'
 *   the counter goes on past a byte: 'RFC 8017, B.2.1, step 3a: C is of 4 octets, big-endian.'
 *   the counter goes on past two bytes: 'RFC 8017, B.2.1, step 3a.'
 *   an empty mask writes nothing: 'Comment: "len (maskLen)"; a mask of 0 bytes.'
 *   nothing is written past the mask: 'Comment: "mask (T) and len (maskLen)".'
 *   the seed counts by its length: 'Signature: seed, seedlen; zero bytes and an empty seed are seeds.'
 *   the seed stays as it was: 'Signature: const unsigned char *seed.'
 *   a digest that fails is told: 'Callers in rsa_oaep.c and rsa_pss.c test "< 0" or for anything but 0.'
 *   without a digest it fails: 'EVP_MD_get_size is negative for it; callers test the result.'
 *   a failed allocation is told: 'Callers test the result.'
 *   nothing is leaked or freed twice: 'Signature: no object is handed over.'
 ---*/
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/rsa.h>
#include <openssl/err.h>
#include "../testutil.h"
#include "memory_count.h"
#include "oaep_parts.h"

static unsigned char mask[70000 * 20], expected[70000 * 20];

static int known(const char *seed, const EVP_MD *md, const char *hex, int size)
{
    long length;
    unsigned char *value = OPENSSL_hexstr2buf(hex, &length);
    int ok = TEST_ptr(value) && TEST_long_ge(length, size)
        && TEST_int_eq(PKCS1_MGF1(mask, size, (const unsigned char *)seed, strlen(seed), md), 0)
        && TEST_mem_eq(mask, size, value, size);

    OPENSSL_free(value);
    return ok;
}

static int sha1(void)
{
    return known("foo", EVP_sha1(), "1ac9075cd4", 3) && known("foo", EVP_sha1(), "1ac9075cd4", 5)
        && known("bar", EVP_sha1(),
                 "bc0c655e016bc2931d85a2e675181adcef7f581f76df2739da74faac41627b"
                 "e2f7f415c89e983fd0ce80ced9878641cb4876", 50);
}

static int sha256(void)
{
    return known("bar", EVP_sha256(), "382576a7841021cc28fc4c0948753fb8312090cea942ea4c4e735d10dc7"
                 "24b155f9f6069f289d61daca0cb814502ef04eae1", 50);
}

/* Is the mask of this size that of the test's own function, and nothing written behind it? */
static int is_mask(int size, const char *seed, int seed_size, const EVP_MD *md)
{
    memset(mask, 0x5a, size + 64);
    oaep_mask(expected, size, (const unsigned char *)seed, seed_size, md);
    memset(expected + size, 0x5a, 64);
    return TEST_int_eq(PKCS1_MGF1(mask, size, (const unsigned char *)seed, seed_size, md), 0)
        && TEST_mem_eq(mask, size + 64, expected, size + 64);
}

static int each_length(void)
{
    int size;

    for (size = 0; size <= 130; size++)
        if (!is_mask(size, "seed", 4, EVP_sha1()) || !is_mask(size, "seed", 4, EVP_sha256()))
            return 0;
    return 1;
}

static int any_digest(void)
{
    return is_mask(200, "seed", 4, EVP_md5()) && is_mask(200, "seed", 4, EVP_sha224())
        && is_mask(200, "seed", 4, EVP_sha384()) && is_mask(200, "seed", 4, EVP_sha512())
        && is_mask(64, "seed", 4, EVP_sha512()) && is_mask(63, "seed", 4, EVP_sha512());
}

static int past_a_byte(void)
{
    return is_mask(255 * 20, "s", 1, EVP_sha1()) && is_mask(256 * 20, "s", 1, EVP_sha1())
        && is_mask(257 * 20 + 7, "s", 1, EVP_sha1()) && is_mask(600 * 32, "s", 1, EVP_sha256());
}

static int past_two_bytes(void)
{
    return is_mask(65537 * 20 + 3, "s", 1, EVP_sha1());
}

static int empty_mask(void)
{
    unsigned char byte = 0x5a;

    return TEST_int_eq(PKCS1_MGF1(&byte, 0, (const unsigned char *)"s", 1, EVP_sha1()), 0)
        && TEST_int_eq(byte, 0x5a);
}

static int not_past(void)
{
    unsigned char *block;
    int size, ok = 1;

    for (size = 1; size < 70 && ok; size++) {
        block = OPENSSL_malloc(size);
        ok = TEST_int_eq(PKCS1_MGF1(block, size, (const unsigned char *)"s", 1, EVP_sha256()), 0);
        OPENSSL_free(block);
        ok = ok && TEST_long_eq(memory_bad_frees, 0);
    }
    return ok;
}

static int seed_length(void)
{
    char seed[1000];

    memset(seed, 's', sizeof(seed));
    return is_mask(50, "", 0, EVP_sha1()) && is_mask(50, "a\0b", 3, EVP_sha1())
        && is_mask(50, "\0\0\0\0", 4, EVP_sha1()) && is_mask(50, "abcdef", 3, EVP_sha1())
        && is_mask(50, seed, sizeof(seed), EVP_sha1());
}

static int seed_stays(void)
{
    char seed[] = "the seed";

    return is_mask(50, seed, 8, EVP_sha1()) && TEST_mem_eq(seed, 9, "the seed", 9)
        && is_mask(50, seed, 8, EVP_sha1());
}

static int digest_fails(void)
{
    EVP_MD *md = oaep_failing_md();
    int size, step, steps, ok = 1;

    for (size = 20; size <= 50 && ok; size += 15) {
        oaep_steps_left = 1000;
        ok = TEST_int_eq(PKCS1_MGF1(mask, size, (const unsigned char *)"s", 1, md), 0);
        steps = 1000 - oaep_steps_left;
        for (step = 0; step < steps && ok; step++) {
            oaep_steps_left = step;
            ok = TEST_int_lt(PKCS1_MGF1(mask, size, (const unsigned char *)"s", 1, md), 0);
        }
        ok = ok && TEST_int_gt(steps, 0);
    }
    oaep_steps_left = -1;
    EVP_MD_meth_free(md);
    return ok;
}

static int without_digest(void)
{
    return TEST_int_lt(PKCS1_MGF1(mask, 50, (const unsigned char *)"s", 1, NULL), 0);
}

static int no_memory(void)
{
    int result = -1;
    long allocations;

    for (allocations = 0; allocations < 50 && result != 0; allocations++) {
        memory_left = allocations;
        result = PKCS1_MGF1(mask, 50, (const unsigned char *)"bar", 3, EVP_sha1());
        memory_left = -1;
        if (allocations == 0 && !TEST_int_lt(result, 0))
            return 0;
        /* As promised, or told. */
        if (result == 0 && !TEST_mem_eq(mask, 4, "\xbc\x0c\x65\x5e", 4))
            return 0;
    }
    return TEST_int_eq(result, 0);
}

static int no_leak(void)
{
    long before;

    if (!sha1() || !sha256() || !digest_fails() || !without_digest() || !no_memory())
        return 0;
    ERR_clear_error();
    before = memory_blocks;
    if (!sha1() || !sha256() || !empty_mask() || !digest_fails() || !without_digest()
            || !no_memory())
        return 0;
    ERR_clear_error();
    return TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
}

int setup_tests(void)
{
    add_test("known masks are made with SHA-1", sha1);
    add_test("known masks are made with SHA-256", sha256);
    add_test("each length gives the beginning of the same mask", each_length);
    add_test("digests of any size are strung together", any_digest);
    add_test("the counter goes on past a byte", past_a_byte);
    add_test("the counter goes on past two bytes", past_two_bytes);
    add_test("an empty mask writes nothing", empty_mask);
    add_test("nothing is written past the mask", not_past);
    add_test("the seed counts by its length", seed_length);
    add_test("the seed stays as it was", seed_stays);
    add_test("a digest that fails is told", digest_fails);
    add_test("without a digest it fails", without_digest);
    add_test("a failed allocation is told", no_memory);
    add_test("nothing is leaked or freed twice", no_leak);
    return 1;
}
