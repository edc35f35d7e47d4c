/*---
 * tasks: [5659C3E7C6372047]
 * tests:
 *   the text comes out in a new buffer: 'Docstring: "decrypt to new buffer".'
 *   the length is that of the text:
 *     'Docstring: "of dynamic size"; the callers take *outlenp for the length of the key.'
 *   the expected length is accepted: 'Docstring: "checking any pre-determined size".'
 *   another length is refused: 'Docstring: "checking any pre-determined size".'
 *   0 expects no length:
 *     'Docstring: "any pre-determined size"; pk7_doit.c: PKCS7_dataDecode passes 0 where it knows none.'
 *   a text that cannot be decrypted is no fatal error:
 *     'pk7_doit.c: PKCS7_dataDecode: "Only exit on fatal errors, not decrypt failure", and those are below 0.'
 *   a context that cannot decrypt is a fatal error: 'pk7_doit.c: the same; the size cannot be had.'
 *   no buffer is left after a failure: 'cms_env.c, crmf_lib.c, pk7_doit.c: the callers free what *outp then holds.'
 *   nothing is leaked: 'cms_env.c: the caller has one buffer to free on success and none else.'
 *   without memory it is a fatal error: 'pk7_doit.c: fatal errors are below 0.'
 ---*/
#include "../../crypto/evp/asymcipher.c"
#include <openssl/err.h>
#include <openssl/rsa.h>
#include "../testutil.h"
#include "memory_count.h"

static EVP_PKEY *key;

/* A context that decrypts with `key` and reports wrong padding, as the callers have it. */
static EVP_PKEY_CTX *decrypter(void)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(NULL, key, NULL);

    if (TEST_int_eq(EVP_PKEY_decrypt_init(ctx), 1)
            && TEST_int_eq(EVP_PKEY_CTX_ctrl_str(ctx, "rsa_pkcs1_implicit_rejection", "0"), 1))
        return ctx;
    EVP_PKEY_CTX_free(ctx);
    return NULL;
}

/* Encrypts `text` into the 256 bytes of `out`. */
static int encrypt(const char *text, unsigned char *out)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(NULL, key, NULL);
    size_t length = 256;
    int ok = TEST_int_eq(EVP_PKEY_encrypt_init(ctx), 1)
        && TEST_int_eq(EVP_PKEY_encrypt(ctx, out, &length, (const unsigned char *)text, strlen(text)), 1);

    EVP_PKEY_CTX_free(ctx);
    return ok;
}

/* Does `text` come out if `expected` bytes are expected? */
static int comes_out(const char *text, size_t expected)
{
    EVP_PKEY_CTX *ctx = decrypter();
    unsigned char in[256], *out = NULL;
    size_t length = 0;
    int ok = TEST_ptr(ctx) && encrypt(text, in)
        && TEST_int_eq(evp_pkey_decrypt_alloc(ctx, &out, &length, expected, in, sizeof(in)), 1)
        && TEST_mem_eq(out, length, text, strlen(text));

    OPENSSL_free(out);
    EVP_PKEY_CTX_free(ctx);
    return ok;
}

/* Is `text` refused if `expected` bytes are expected, and no buffer left? */
static int refused(const char *text, size_t expected)
{
    EVP_PKEY_CTX *ctx = decrypter();
    unsigned char in[256], *out = NULL;
    size_t length = 0;
    int ok = TEST_ptr(ctx) && encrypt(text, in)
        && TEST_int_eq(evp_pkey_decrypt_alloc(ctx, &out, &length, expected, in, sizeof(in)), 0)
        && TEST_ptr_null(out);

    EVP_PKEY_CTX_free(ctx);
    return ok;
}

static int new_buffer(void)
{
    EVP_PKEY_CTX *ctx = decrypter();
    unsigned char in[256], *one = NULL, *two = NULL;
    size_t length;
    int ok = TEST_ptr(ctx) && encrypt("sixteen bytes...", in)
        && TEST_int_eq(evp_pkey_decrypt_alloc(ctx, &one, &length, 0, in, sizeof(in)), 1)
        && TEST_int_eq(evp_pkey_decrypt_alloc(ctx, &two, &length, 0, in, sizeof(in)), 1)
        && TEST_ptr_ne(one, two)
        && TEST_mem_eq(one, 16, "sixteen bytes...", 16)
        && TEST_mem_eq(two, 16, "sixteen bytes...", 16);

    OPENSSL_free(one);
    OPENSSL_free(two);
    EVP_PKEY_CTX_free(ctx);
    return ok;
}

static int length_of_text(void)
{
    return comes_out("x", 0) && comes_out("sixteen bytes...", 0)
        && comes_out("thirty-two bytes are a long key.", 0);
}

static int expected_length(void)
{
    return comes_out("sixteen bytes...", 16) && comes_out("x", 1);
}

static int another_length(void)
{
    return refused("sixteen bytes...", 15) && refused("sixteen bytes...", 17)
        && refused("sixteen bytes...", 256) && refused("sixteen bytes...", 1);
}

static int no_expectation(void)
{
    return comes_out("any length", 0) && comes_out("any other length", 0);
}

static int wrong_text(void)
{
    EVP_PKEY_CTX *ctx = decrypter();
    unsigned char in[256], *out = NULL;
    size_t length = 0;
    int ok;

    memset(in, 0x21, sizeof(in));
    ok = TEST_ptr(ctx) && TEST_int_eq(evp_pkey_decrypt_alloc(ctx, &out, &length, 0, in, sizeof(in)), 0);
    EVP_PKEY_CTX_free(ctx);
    return ok;
}

static int cannot_decrypt(void)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(NULL, key, NULL);
    unsigned char in[256] = { 1 }, *out = NULL;
    size_t length = 0;
    int ok = TEST_ptr(ctx)
        && TEST_int_lt(evp_pkey_decrypt_alloc(ctx, &out, &length, 0, in, sizeof(in)), 0)
        && TEST_ptr_null(out);

    EVP_PKEY_CTX_free(ctx);
    return ok;
}

static int no_buffer(void)
{
    EVP_PKEY_CTX *ctx = decrypter();
    unsigned char in[256], *out = NULL;
    size_t length = 0;
    int ok;

    memset(in, 0x21, sizeof(in));
    ok = TEST_ptr(ctx) && TEST_int_le(evp_pkey_decrypt_alloc(ctx, &out, &length, 0, in, sizeof(in)), 0)
        && TEST_ptr_null(out)
        && refused("sixteen bytes...", 24);
    EVP_PKEY_CTX_free(ctx);
    return ok;
}

static int no_leak(void)
{
    long before;

    /* What is fetched and made once is there after the first round. */
    if (!comes_out("sixteen bytes...", 16) || !refused("sixteen bytes...", 24) || !no_buffer())
        return 0;
    ERR_clear_error();
    before = memory_blocks;
    if (!comes_out("sixteen bytes...", 16) || !refused("sixteen bytes...", 24) || !no_buffer())
        return 0;
    ERR_clear_error();
    return TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
}

static int no_memory(void)
{
    EVP_PKEY_CTX *ctx = decrypter();
    unsigned char in[256], *out = NULL;
    size_t length = 0;
    int result;

    if (!TEST_ptr(ctx) || !encrypt("sixteen bytes...", in))
        return 0;
    memory_left = 0;
    result = evp_pkey_decrypt_alloc(ctx, &out, &length, 0, in, sizeof(in));
    memory_left = -1;
    EVP_PKEY_CTX_free(ctx);
    return TEST_int_lt(result, 0) && TEST_ptr_null(out);
}

int setup_tests(void)
{
    if (!TEST_ptr(key = load_pkey_pem("test/testrsa2048.pem", NULL)))
        return 0;
    add_test("the text comes out in a new buffer", new_buffer);
    add_test("the length is that of the text", length_of_text);
    add_test("the expected length is accepted", expected_length);
    add_test("another length is refused", another_length);
    add_test("0 expects no length", no_expectation);
    add_test("a text that cannot be decrypted is no fatal error", wrong_text);
    add_test("a context that cannot decrypt is a fatal error", cannot_decrypt);
    add_test("no buffer is left after a failure", no_buffer);
    add_test("nothing is leaked", no_leak);
    add_test("without memory it is a fatal error", no_memory);
    return 1;
}

void cleanup_tests(void)
{
    EVP_PKEY_free(key);
}
