/*---
 * tasks: [PKCS1_MGF1-051f70.16, PKCS1_MGF1-051f70.4, PKCS1_MGF1-051f70.8]
 * tests:
 *   a published encoding is made: 'RSA''s test vectors for OAEP, example 1.1; comment: "padding as per NIST 800-56B".'
 *   messages of each length can be read again: 'RFC 8017, 7.1.1; comment: "from (K) is the key material".'
 *   the longest message fits: 'RFC 8017, 7.1.1, step 1b: mLen <= k - 2hLen - 2.'
 *   a longer message is refused: 'RFC 8017, 7.1.1, step 1b; man RSA_padding_add_PKCS1_OAEP_mgf1: 0 on error.'
 *   a key that is too small is refused: 'RFC 8017, 7.1.1: k >= 2hLen + 2; RSA_R_KEY_SIZE_TOO_SMALL.'
 *   the label is hashed: 'Comment: "param (A) is the additional input"; RFC 8017, 7.1.1, step 2a.'
 *   no digest is SHA-1, and the mask's is the same: 'Man: "NULL that means md=sha1", "NULL that means mgf1md=md".'
 *   both digests count: 'Man: md and mgf1md.'
 *   all of the buffer is written and nothing past it: 'Man: "so as to fit into tlen bytes".'
 *   two encodings differ: 'RFC 8017, 7.1.1, step 2d: "Generate a random octet string seed".'
 *   random bytes that fail are told: 'Man: "the operation will fail"; RAND_bytes_ex.'
 *   a library context of one's own can be used: 'Signature: libctx; rsa_ossl.c and rsa_enc.c pass theirs.'
 *   a digest that fails is told: 'Man: 0 on error.'
 *   a failed allocation is told: 'Man: 0 on error.'
 *   nothing is leaked, and the message stays: 'Signature: const unsigned char *from; nothing is handed over.'
 ---*/
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/rsa.h>
#include <openssl/rand.h>
#include <openssl/err.h>
#include "crypto/rsa.h"
#include "../testutil.h"
#include "memory_count.h"
#include "oaep_parts.h"

static unsigned char to[300];

/* Random bytes: those of the published seed, over and over, or none. */
static int random_at, random_fails;

static int random_bytes(unsigned char *bytes, int size)
{
    if (random_fails)
        return 0;
    while (size-- > 0)
        *bytes++ = oaep_seed[random_at++ % sizeof(oaep_seed)];
    return 1;
}

static const RAND_METHOD random_method = { NULL, random_bytes, NULL, NULL, random_bytes, NULL };

static void random_begin(int fails)
{
    random_at = 0;
    random_fails = fails;
    RAND_set_rand_method(&random_method);
}

static void random_end(void)
{
    RAND_set_rand_method(NULL);
}

static int add(int tlen, const unsigned char *from, int flen)
{
    return ossl_rsa_padding_add_PKCS1_OAEP_mgf1_ex(NULL, to, tlen, from, flen, NULL, 0, NULL,
                                                   NULL);
}

/* Is what stands in `to` the encoding of this message, whatever the seed? Unmasks it. */
static int encodes(const unsigned char *message, int length, const char *label, int label_size,
                   int size, const EVP_MD *md, const EVP_MD *mgf1md)
{
    unsigned char expected[300];
    int h;

    if (md == NULL)
        md = EVP_sha1();
    if (mgf1md == NULL)
        mgf1md = md;
    h = EVP_MD_get_size(md);
    oaep_layout(expected, size, message, length, label, label_size, md);
    oaep_hide(to, size, md, mgf1md, 0);
    return TEST_int_eq(to[0], 0)
        && TEST_mem_eq(to + 1 + h, size - 1 - h, expected + 1 + h, size - 1 - h);
}

static int adds_with(const unsigned char *message, int length, const char *label, int label_size,
                     int size, const EVP_MD *md, const EVP_MD *mgf1md)
{
    memset(to, 0x5a, sizeof(to));
    return TEST_int_eq(ossl_rsa_padding_add_PKCS1_OAEP_mgf1_ex(NULL, to, size, message, length,
                                                               (const unsigned char *)label,
                                                               label_size, md, mgf1md), 1)
        && encodes(message, length, label, label_size, size, md, mgf1md)
        && TEST_int_eq(to[size], 0x5a) && TEST_int_eq(to[size + 1], 0x5a);
}

static int published(void)
{
    int result;

    memset(to, 0x5a, sizeof(to));
    random_begin(0);
    result = add(128, oaep_message, 16);
    random_end();
    return TEST_int_eq(result, 1) && TEST_mem_eq(to, 128, oaep_encoded, 128)
        && TEST_int_eq(to[128], 0x5a);
}

static int lengths(void)
{
    unsigned char message[100];
    int length, i;

    for (length = 0; length <= 100 - 42; length++) {
        for (i = 0; i < length; i++)
            message[i] = i;
        if (!adds_with(message, length, NULL, 0, 100, NULL, NULL))
            return 0;
    }
    return 1;
}

static int longest(void)
{
    unsigned char message[300];

    memset(message, 'm', sizeof(message));
    return adds_with(message, 86, NULL, 0, 128, NULL, NULL)
        && adds_with(message, 62, NULL, 0, 128, EVP_sha256(), NULL)
        && adds_with(message, 214, NULL, 0, 256, EVP_sha1(), EVP_sha256())
        && adds_with(message, 1, NULL, 0, 43, NULL, NULL)
        && adds_with(message, 0, NULL, 0, 42, NULL, NULL)
        && adds_with(message, 0, NULL, 0, 66, EVP_sha256(), EVP_sha1());
}

static int refuses(int size, int length, const EVP_MD *md, const EVP_MD *mgf1md)
{
    unsigned char message[400];

    memset(message, 'm', sizeof(message));
    memset(to, 0x5a, sizeof(to));
    return TEST_int_eq(ossl_rsa_padding_add_PKCS1_OAEP_mgf1_ex(NULL, to, size, message, length,
                                                               NULL, 0, md, mgf1md), 0)
        && TEST_int_eq(to[size], 0x5a);
}

static int longer(void)
{
    return refuses(128, 87, NULL, NULL) && refuses(128, 88, NULL, NULL)
        && refuses(128, 127, NULL, NULL) && refuses(128, 128, NULL, NULL)
        && refuses(128, 63, EVP_sha256(), NULL) && refuses(128, 63, EVP_sha256(), EVP_sha1())
        && refuses(43, 2, NULL, NULL) && refuses(42, 1, NULL, NULL);
}

static int small_key(void)
{
    int size;

    for (size = 1; size < 42; size++)
        if (!refuses(size, 0, NULL, NULL) || !refuses(size, 1, NULL, NULL))
            return 0;
    return refuses(65, 0, EVP_sha256(), EVP_sha1()) && refuses(42, 0, EVP_sha256(), NULL);
}

static int label(void)
{
    unsigned char other[300];

    if (!adds_with(oaep_message, 16, "label", 5, 128, NULL, NULL)
            || !adds_with(oaep_message, 16, "a\0b", 3, 128, NULL, NULL)
            || !adds_with(oaep_message, 16, "abcdef", 3, 128, NULL, NULL)
            || !adds_with(oaep_message, 16, "", 0, 128, NULL, NULL))
        return 0;
    random_begin(0);
    add(128, oaep_message, 16);
    memcpy(other, to, 128);
    random_begin(0);
    ossl_rsa_padding_add_PKCS1_OAEP_mgf1_ex(NULL, to, 128, oaep_message, 16,
                                            (const unsigned char *)"x", 1, NULL, NULL);
    random_end();
    return TEST_mem_ne(to, 128, other, 128);
}

static int no_digest(void)
{
    return adds_with(oaep_message, 16, NULL, 0, 200, NULL, NULL)
        && adds_with(oaep_message, 16, NULL, 0, 200, EVP_sha256(), NULL)
        && adds_with(oaep_message, 16, NULL, 0, 200, EVP_sha512(), NULL)
        && adds_with(oaep_message, 16, NULL, 0, 200, NULL, EVP_sha256());
}

static int both_digests(void)
{
    return adds_with(oaep_message, 16, "L", 1, 200, EVP_sha256(), EVP_sha1())
        && adds_with(oaep_message, 16, "L", 1, 200, EVP_sha1(), EVP_sha512())
        && adds_with(oaep_message, 16, NULL, 0, 200, EVP_md5(), EVP_sha384())
        && adds_with(oaep_message, 16, NULL, 0, 200, EVP_sha512(), EVP_md5());
}

static int all_written(void)
{
    unsigned char *block;
    int size, ok = 1;

    for (size = 42; size < 140 && ok; size++) {
        block = OPENSSL_malloc(size);
        ok = TEST_int_eq(ossl_rsa_padding_add_PKCS1_OAEP_mgf1_ex(NULL, block, size, oaep_message,
                                                                 size < 58 ? 0 : 16, NULL, 0,
                                                                 NULL, NULL), 1);
        memcpy(to, block, size);
        ok = ok && encodes(oaep_message, size < 58 ? 0 : 16, NULL, 0, size, NULL, NULL);
        OPENSSL_free(block);
        ok = ok && TEST_long_eq(memory_bad_frees, 0);
    }
    return ok;
}

static int differ(void)
{
    unsigned char first[128];

    if (!TEST_int_eq(add(128, oaep_message, 16), 1))
        return 0;
    memcpy(first, to, 128);
    return TEST_int_eq(add(128, oaep_message, 16), 1)
        && TEST_mem_ne(to + 1, 20, first + 1, 20) && TEST_mem_ne(to + 21, 107, first + 21, 107);
}

static int random_told(void)
{
    int result;

    random_begin(1);
    result = add(128, oaep_message, 16);
    random_end();
    ERR_clear_error();
    return TEST_int_eq(result, 0);
}

static int own_context(void)
{
    OSSL_LIB_CTX *libctx = OSSL_LIB_CTX_new();
    int ok = TEST_ptr(libctx)
        && TEST_int_eq(ossl_rsa_padding_add_PKCS1_OAEP_mgf1_ex(libctx, to, 128, oaep_message, 16,
                                                               NULL, 0, NULL, NULL), 1)
        && encodes(oaep_message, 16, NULL, 0, 128, NULL, NULL);

    OSSL_LIB_CTX_free(libctx);
    return ok;
}

static int digest_fails(void)
{
    EVP_MD *md = oaep_failing_md();
    int step, steps, ok, which;

    for (which = 0, ok = 1; which < 2; which++) {
        const EVP_MD *first = which ? md : EVP_sha1(), *second = which ? EVP_sha1() : md;

        oaep_steps_left = 1000;
        ok = ok
            && TEST_int_eq(ossl_rsa_padding_add_PKCS1_OAEP_mgf1_ex(NULL, to, 128, oaep_message,
                                                                   16, (unsigned char *)"l", 1,
                                                                   first, second), 1);
        steps = 1000 - oaep_steps_left;
        for (step = 0; step < steps && ok; step++) {
            oaep_steps_left = step;
            ok = TEST_int_eq(ossl_rsa_padding_add_PKCS1_OAEP_mgf1_ex(NULL, to, 128, oaep_message,
                                                                     16, (unsigned char *)"l", 1,
                                                                     first, second), 0);
        }
        ok = ok && TEST_int_gt(steps, 0);
    }
    oaep_steps_left = -1;
    EVP_MD_meth_free(md);
    ERR_clear_error();
    return ok;
}

static int no_memory(void)
{
    int result = 0;
    long allocations;

    for (allocations = 0; allocations < 100 && result != 1; allocations++) {
        random_begin(0);
        memory_left = allocations;
        result = add(128, oaep_message, 16);
        memory_left = -1;
        random_end();
        if (!TEST_true(result == 0 || result == 1))
            return 0;
    }
    ERR_clear_error();
    return TEST_int_eq(result, 1) && TEST_mem_eq(to, 128, oaep_encoded, 128);
}

static int no_leak(void)
{
    unsigned char message[16];
    long before;

    if (!lengths() || !no_memory() || !digest_fails() || !random_told() || !both_digests())
        return 0;
    before = memory_blocks;
    memcpy(message, oaep_message, 16);
    if (!published() || !TEST_int_eq(add(128, message, 16), 1)
            || !TEST_mem_eq(message, 16, oaep_message, 16) || !longer() || !small_key()
            || !label() || !both_digests() || !random_told() || !no_memory() || !digest_fails())
        return 0;
    ERR_clear_error();
    return TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
}

int setup_tests(void)
{
    add_test("a published encoding is made", published);
    add_test("messages of each length can be read again", lengths);
    add_test("the longest message fits", longest);
    add_test("a longer message is refused", longer);
    add_test("a key that is too small is refused", small_key);
    add_test("the label is hashed", label);
    add_test("no digest is SHA-1, and the mask's is the same", no_digest);
    add_test("both digests count", both_digests);
    add_test("all of the buffer is written and nothing past it", all_written);
    add_test("two encodings differ", differ);
    add_test("random bytes that fail are told", random_told);
    add_test("a library context of one's own can be used", own_context);
    add_test("a digest that fails is told", digest_fails);
    add_test("a failed allocation is told", no_memory);
    add_test("nothing is leaked, and the message stays", no_leak);
    return 1;
}
