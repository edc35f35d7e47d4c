/*---
 * tasks: [48267A0CCC9D9802]
 * tests:
 *   a copy goes on encrypting as the original does: 'Docstring: "Copy an OCB128_CONTEXT object";
 *     EVP_CIPHER_CTX_copy(3).'
 *   a copy goes on decrypting as the original does: 'The same.'
 *   a copy knows the additional data so far: 'The same.'
 *   a copy made after many blocks goes on as the original does: 'The same; the table of offsets grows with the
 *     blocks.'
 *   a copy made before many blocks goes on as the original does: 'The same.'
 *   a copy lives on after the original is cleaned up: 'Callers aes_ocb_dupctx and aes_ocb_ctrl (EVP_CTRL_COPY): both
 *     contexts are freed apart.'
 *   the original is left as it was: 'Docstring: src is copied.'
 *   keys that are given take the place of the copied ones: 'Callers give the schedules in the new context.'
 *   keys that are not given are copied: 'Docstring: "Copy an OCB128_CONTEXT object", which holds pointers to two
 *     keys.'
 *   one key of the two may be given: 'Each key is a parameter of its own.'
 *   a context without a table can be copied: 'Caller aes_ocb_dupctx copies before a key is set, too.'
 *   without memory the copy fails and the original still works: 'Callers pass the result on: 0 is a failure.'
 *   nothing is leaked or freed twice: 'Callers aes_ocb_dupctx, aes_ocb_freectx.'
 ---*/
#include "memory_count.h"
#include <openssl/modes.h>
#include "crypto/modes.h"
#include "testutil.h"

#define BLOCKS 300

/* A block cipher that is good enough for a test: rotate the block and add a key of 16 bytes. */
static void encrypt_block(const unsigned char in[16], unsigned char out[16], const void *key)
{
    unsigned char copy[16];
    int i;

    memcpy(copy, in, 16);
    for (i = 0; i < 16; i++)
        out[i] = (unsigned char)(copy[(i + 5) % 16] * 7 + ((const unsigned char *)key)[i] + 13 * i);
}

static void decrypt_block(const unsigned char in[16], unsigned char out[16], const void *key)
{
    unsigned char copy[16];
    int i;

    memcpy(copy, in, 16);
    for (i = 0; i < 16; i++)        /* 183 * 7 is 1 modulo 256 */
        out[(i + 5) % 16] = (unsigned char)((copy[i] - ((const unsigned char *)key)[i] - 13 * i) * 183);
}

static unsigned char key1[16], key2[16], text[16 * BLOCKS], here[16 * BLOCKS], there[16 * BLOCKS];
static OCB128_CONTEXT original, copy;

static int start_with(void *keyenc, void *keydec)
{
    static const unsigned char iv[12] = "a fixed one";

    memory_bad_frees = 0;
    memset(&copy, 0xA5, sizeof(copy));
    return TEST_true(CRYPTO_ocb128_init(&original, keyenc, keydec, encrypt_block, decrypt_block, NULL))
        && TEST_int_eq(CRYPTO_ocb128_setiv(&original, iv, sizeof(iv), 16), 1);
}

static int start(void)
{
    return start_with(key1, key1);
}

static int finish(void)
{
    CRYPTO_ocb128_cleanup(&original);
    CRYPTO_ocb128_cleanup(&copy);
    return TEST_long_eq(memory_bad_frees, 0);
}

static int same_tag(void)
{
    unsigned char tag1[16], tag2[16];

    return TEST_int_eq(CRYPTO_ocb128_tag(&original, tag1, 16), 1)
        && TEST_int_eq(CRYPTO_ocb128_tag(&copy, tag2, 16), 1)
        && TEST_mem_eq(tag1, 16, tag2, 16);
}

/* First n blocks in the original, then a copy, then m blocks in each. */
static int goes_on(size_t n, size_t m, int decrypt)
{
    int (*crypt)(OCB128_CONTEXT *, const unsigned char *, unsigned char *, size_t)
        = decrypt ? CRYPTO_ocb128_decrypt : CRYPTO_ocb128_encrypt;

    return start()
        && TEST_int_eq(crypt(&original, text, here, 16 * n), 1)
        && TEST_int_eq(CRYPTO_ocb128_copy_ctx(&copy, &original, NULL, NULL), 1)
        && TEST_int_eq(crypt(&original, text, here, 16 * m), 1)
        && TEST_int_eq(crypt(&copy, text, there, 16 * m), 1)
        && TEST_mem_eq(here, 16 * m, there, 16 * m)
        && same_tag()
        && finish();
}

static int encrypting(void)
{
    return goes_on(0, 40, 0) && goes_on(3, 7, 0) && goes_on(5, 40, 0);
}

static int decrypting(void)
{
    return goes_on(0, 40, 1) && goes_on(3, 7, 1) && goes_on(5, 40, 1);
}

static int additional_data(void)
{
    return start()
        && TEST_int_eq(CRYPTO_ocb128_aad(&original, text, 64), 1)
        && TEST_int_eq(CRYPTO_ocb128_copy_ctx(&copy, &original, key1, key1), 1)
        && TEST_int_eq(CRYPTO_ocb128_aad(&original, text, 64), 1)
        && TEST_int_eq(CRYPTO_ocb128_aad(&copy, text, 64), 1)
        && TEST_int_eq(CRYPTO_ocb128_encrypt(&original, text, here, 20), 1)
        && TEST_int_eq(CRYPTO_ocb128_encrypt(&copy, text, there, 20), 1)
        && TEST_mem_eq(here, 20, there, 20)
        && same_tag()
        && finish();
}

static int after_many(void)
{
    /* All numbers of entries in use that the table can have here. */
    return goes_on(16, 300, 0) && goes_on(32, 300, 0) && goes_on(64, 300, 0) && goes_on(128, 300, 0)
        && goes_on(256, 300, 0) && goes_on(256, 300, 1);
}

static int before_many(void)
{
    return goes_on(1, 300, 0) && goes_on(1, 300, 1);
}

static int lives_on(void)
{
    unsigned char tag1[16], tag2[16];
    int ok = start()
        && TEST_int_eq(CRYPTO_ocb128_encrypt(&original, text, here, 16 * 4), 1)
        && TEST_int_eq(CRYPTO_ocb128_copy_ctx(&copy, &original, key1, key1), 1)
        && TEST_int_eq(CRYPTO_ocb128_encrypt(&original, text, here, 16 * 100), 1)
        && TEST_int_eq(CRYPTO_ocb128_tag(&original, tag1, 16), 1);

    CRYPTO_ocb128_cleanup(&original);
    ok = ok && TEST_int_eq(CRYPTO_ocb128_encrypt(&copy, text, there, 16 * 100), 1)
        && TEST_int_eq(CRYPTO_ocb128_tag(&copy, tag2, 16), 1)
        && TEST_mem_eq(here, 16 * 100, there, 16 * 100)
        && TEST_mem_eq(tag1, 16, tag2, 16);
    CRYPTO_ocb128_cleanup(&copy);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int original_kept(void)
{
    OCB128_CONTEXT saved;
    unsigned char tag1[16], tag2[16];

    /* The tag of the original alone, then with a copy that encrypts something else. */
    if (!start()
        || !TEST_int_eq(CRYPTO_ocb128_encrypt(&original, text, here, 16 * 80), 1)
        || !TEST_int_eq(CRYPTO_ocb128_tag(&original, tag1, 16), 1))
        return 0;
    CRYPTO_ocb128_cleanup(&original);
    if (!start() || !TEST_int_eq(CRYPTO_ocb128_encrypt(&original, text, here, 16 * 40), 1))
        return 0;
    saved = original;
    return TEST_int_eq(CRYPTO_ocb128_copy_ctx(&copy, &original, key2, key2), 1)
        && TEST_mem_eq(&saved, sizeof(saved), &original, sizeof(original))
        && TEST_int_eq(CRYPTO_ocb128_encrypt(&copy, text + 5, there, 16 * 200), 1)
        && TEST_int_eq(CRYPTO_ocb128_encrypt(&original, text + 16 * 40, here, 16 * 40), 1)
        && TEST_int_eq(CRYPTO_ocb128_tag(&original, tag2, 16), 1)
        && TEST_mem_eq(tag1, 16, tag2, 16)
        && finish();
}

/* What the copy does with other keys than the original is what the original does with them. */
static int with_keys(void *keyenc, void *keydec, const unsigned char *enc, const unsigned char *dec)
{
    return start()
        && TEST_int_eq(CRYPTO_ocb128_copy_ctx(&copy, &original, keyenc, keydec), 1)
        && TEST_ptr_eq(copy.keyenc, enc)
        && TEST_ptr_eq(copy.keydec, dec)
        && TEST_ptr_eq(original.keyenc, key1)
        && TEST_ptr_eq(original.keydec, key1)
        && finish();
}

static int keys_given(void)
{
    unsigned char own[2][16], wiped[2][16];
    int ok;

    /* Each context with its own schedules: the original's are wiped. */
    memcpy(own[0], key1, 16);
    memcpy(own[1], key1, 16);
    memcpy(wiped, own, sizeof(own));
    ok = start_with(wiped[0], wiped[1])
        && TEST_int_eq(CRYPTO_ocb128_copy_ctx(&copy, &original, own[0], own[1]), 1)
        && TEST_int_eq(CRYPTO_ocb128_encrypt(&original, text, here, 16 * 9 + 5), 1);
    memset(wiped, 0, sizeof(wiped));
    return ok
        && TEST_int_eq(CRYPTO_ocb128_encrypt(&copy, text, there, 16 * 9 + 5), 1)
        && TEST_mem_eq(here, 16 * 9 + 5, there, 16 * 9 + 5)
        && finish()
        && with_keys(key2, text, key2, text);
}

static int keys_not_given(void)
{
    return with_keys(NULL, NULL, key1, key1);
}

static int one_key(void)
{
    return with_keys(key2, NULL, key2, key1) && with_keys(NULL, key2, key1, key2);
}

static int no_table(void)
{
    memset(&original, 0, sizeof(original));
    memset(&copy, 0xA5, sizeof(copy));
    memory_bad_frees = 0;
    return TEST_int_eq(CRYPTO_ocb128_copy_ctx(&copy, &original, key1, key2), 1)
        && TEST_ptr_null(copy.l)
        && finish();
}

static int no_memory(void)
{
    int result;

    if (!start())
        return 0;
    memory_left = 0;
    result = CRYPTO_ocb128_copy_ctx(&copy, &original, key1, key1);
    memory_left = -1;
    return TEST_int_eq(result, 0)
        && TEST_int_eq(CRYPTO_ocb128_encrypt(&original, text, here, 16 * 100), 1)
        && TEST_int_eq(CRYPTO_ocb128_copy_ctx(&copy, &original, key1, key1), 1)
        && same_tag()
        && finish();
}

static int no_leak(void)
{
    long before = memory_blocks;

    return encrypting() && after_many() && lives_on() && keys_given() && no_table()
        && TEST_long_eq(memory_blocks, before);
}

int setup_tests(void)
{
    size_t i;

    for (i = 0; i < 16; i++) {
        key1[i] = (unsigned char)(17 * i + 3);
        key2[i] = (unsigned char)(29 * i + 101);
    }
    for (i = 0; i < sizeof(text); i++)
        text[i] = (unsigned char)(i * i + i / 7);
    add_test("a copy goes on encrypting as the original does", encrypting);
    add_test("a copy goes on decrypting as the original does", decrypting);
    add_test("a copy knows the additional data so far", additional_data);
    add_test("a copy made after many blocks goes on as the original does", after_many);
    add_test("a copy made before many blocks goes on as the original does", before_many);
    add_test("a copy lives on after the original is cleaned up", lives_on);
    add_test("the original is left as it was", original_kept);
    add_test("keys that are given take the place of the copied ones", keys_given);
    add_test("keys that are not given are copied", keys_not_given);
    add_test("one key of the two may be given", one_key);
    add_test("a context without a table can be copied", no_table);
    add_test("without memory the copy fails and the original still works", no_memory);
    add_test("nothing is leaked or freed twice", no_leak);
    return 1;
}
