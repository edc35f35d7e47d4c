/*---
 * tasks: [parse_bag-deedf2.8]
 * tests:
 *   a key is decoded: 'OSSL_DECODER_from_bio(3): "with input coming from *pdata, *pdata_len bytes long".'
 *   the pointer stands behind what was decoded: 'OSSL_DECODER_from_bio(3): "*pdata is updated to point at the location
 *     after what has been decoded, and *pdata_len to have the number of remaining bytes".'
 *   objects are decoded one after another: 'OSSL_DECODER_from_bio(3): *pdata, *pdata_len.'
 *   no more bytes count than were told: 'OSSL_DECODER_from_bio(3): "*pdata_len bytes long".'
 *   PEM is taken, too: 'OSSL_DECODER_from_bio(3): "format"; the input type of the context.'
 *   a failure leaves pointer and length: 'd2i_pr.c: d2i_PrivateKey_legacy reads on from *pp after d2i_PrivateKey_decoder
 *     failed; "after what has been decoded".'
 *   missing arguments are refused and said so: 'OSSL_DECODER_from_bio(3): "must be non-NULL"; ERR_R_PASSED_NULL_PARAMETER.'
 *   without decoders it fails: 'OSSL_DECODER_from_bio(3): "or 0 on failure".'
 *   the constructor decides: 'OSSL_DECODER_CTX(3): "expected to return 1 when the data it receives can be constructed,
 *     otherwise 0".'
 *   a failure is told on the error queue:
 *     'OSSL_DECODER_from_bio(3): the same run as OSSL_DECODER_from_bio, of which pem_pkey.c and
 *     file_store.c ask the reason by ERR_peek_error, ERR_peek_last_error.'
 *   the data stays as it is: 'Signature: const unsigned char **.'
 *   a pass phrase is asked for in each call:
 *     'OSSL_DECODER_CTX_new_for_pkey(3): cached for "the same decoding run", which is one call.'
 *   nothing is leaked or freed twice: 'The data are the caller''s; EVP_PKCS82PKEY_ex frees its own.'
 *   without memory it fails and leaks nothing: 'OSSL_DECODER_from_bio(3): "or 0 on failure".'
 ---*/
#include "../testutil.h"
#include "memory_count.h"
#include "pb_pkcs8.h"
#include "pb_decoder.h"

/*
 * Decodes once from `length` bytes; `expected` is the key's name, or NULL for none. `used` of them
 * are to be taken, if it succeeds.
 */
static int decodes(const unsigned char *data, size_t length, const char *format, const char *type,
                   const char *expected, size_t used)
{
    EVP_PKEY *key;
    OSSL_DECODER_CTX *ctx = plus_for_key(&key, format, type);
    const unsigned char *at = data;
    size_t left = length;
    int ok = TEST_int_eq(OSSL_DECODER_from_data(ctx, &at, &left), expected != NULL);

    OSSL_DECODER_CTX_free(ctx);
    ERR_clear_error();
    if (expected != NULL)
        return plus_is_key(key, expected) && ok && TEST_ptr_eq(at, data + used)
            && TEST_size_t_eq(left, length - used);
    ok = TEST_ptr_null(key) && ok;
    EVP_PKEY_free(key);
    return ok && TEST_ptr_eq(at, data) && TEST_size_t_eq(left, length)
        && TEST_long_eq(memory_bad_frees, 0);
}

static int key_is_decoded(void)
{
    static const char *const names[] = { PLUS_RSA, PLUS_EC, PLUS_ED };
    static const char *const types[] = { "RSA", "EC", "ED25519" };
    int i, ok = 1;

    for (i = 0; i < 3; i++) {
        size_t length;
        unsigned char *der = plus_der(names[i], &length);

        ok &= decodes(der, length, "DER", types[i], names[i], length)
            & decodes(der, length, NULL, NULL, names[i], length);
        OPENSSL_free(der);
    }
    return ok;
}

static int behind(void)
{
    static const size_t more[] = { 1, 2, 100, 5000 };
    size_t length;
    unsigned char *der = plus_der(PLUS_EC, &length), *all = OPENSSL_malloc(length + 5000);
    int i, ok = 1;

    memset(all, 0x30, length + 5000);
    memcpy(all, der, length);
    for (i = 0; i < 4; i++)
        ok &= decodes(all, length + more[i], "DER", "EC", PLUS_EC, length);
    OPENSSL_free(all);
    OPENSSL_free(der);
    return ok;
}

static int one_after_another(void)
{
    size_t one_length, two_length, left;
    unsigned char *one = plus_der(PLUS_RSA, &one_length), *two = plus_der(PLUS_EC, &two_length);
    unsigned char *both = OPENSSL_malloc(one_length + two_length);
    const unsigned char *at = both;
    EVP_PKEY *key;
    OSSL_DECODER_CTX *ctx;
    int i, ok = 1;

    memcpy(both, one, one_length);
    memcpy(both + one_length, two, two_length);
    left = one_length + two_length;
    for (i = 0; i < 2; i++) {
        ctx = plus_for_key(&key, "DER", NULL);
        ok &= TEST_int_eq(OSSL_DECODER_from_data(ctx, &at, &left), 1);
        OSSL_DECODER_CTX_free(ctx);
        ok &= plus_is_key(key, i == 0 ? PLUS_RSA : PLUS_EC);
    }
    ok = ok && TEST_ptr_eq(at, both + one_length + two_length) && TEST_size_t_eq(left, 0);
    OPENSSL_free(one);
    OPENSSL_free(two);
    OPENSSL_free(both);
    return ok;
}

static int told_bytes(void)
{
    size_t length;
    unsigned char *der = plus_der(PLUS_EC, &length);
    int ok = decodes(der, length - 1, "DER", "EC", NULL, 0) & decodes(der, 0, "DER", "EC", NULL, 0)
        & decodes(der, 1, NULL, NULL, NULL, 0) & decodes(der, length / 2, NULL, NULL, NULL, 0)
        & decodes(der, length, "DER", "EC", PLUS_EC, length);

    OPENSSL_free(der);
    return ok;
}

static int pem(void)
{
    size_t length, der_length;
    unsigned char *data = plus_pem(PLUS_EC, &length), *der = plus_der(PLUS_EC, &der_length);
    int ok = decodes(data, length, "PEM", "EC", PLUS_EC, length)
        & decodes(data, length, NULL, NULL, PLUS_EC, length)
        & decodes(data, length - 10, "PEM", "EC", NULL, 0)
        & decodes(der, der_length, "PEM", "EC", NULL, 0);

    OPENSSL_free(data);
    OPENSSL_free(der);
    return ok;
}

static int failure(void)
{
    size_t length;
    unsigned char *der = plus_der(PLUS_EC, &length);
    int ok = decodes(der, length, "DER", "RSA", NULL, 0)
        & decodes((unsigned char *)"none of it", 10, NULL, NULL, NULL, 0)
        & decodes((unsigned char *)"\x30\x03\x02\x01\x05\x05\0", 7, "DER", NULL, NULL, 0)
        & decodes((unsigned char *)"\x30\x03\x02\x01\x05\x05\0", 7, NULL, NULL, NULL, 0);

    OPENSSL_free(der);
    return ok;
}

static int missing(void)
{
    EVP_PKEY *key;
    OSSL_DECODER_CTX *ctx = plus_for_key(&key, "DER", "EC");
    const unsigned char *none = NULL, *some = (const unsigned char *)"\x30\x03\x02\x01\x05";
    size_t length = 5;
    int ok;

    ERR_clear_error();
    ok = TEST_int_eq(OSSL_DECODER_from_data(ctx, NULL, &length), 0)
        && TEST_ulong_ne(ERR_peek_error(), 0);
    ERR_clear_error();
    ok = ok && TEST_int_eq(OSSL_DECODER_from_data(ctx, &none, &length), 0)
        && TEST_ulong_ne(ERR_peek_error(), 0) && TEST_ptr_null(none);
    ERR_clear_error();
    ok = ok && TEST_int_eq(OSSL_DECODER_from_data(ctx, &some, NULL), 0)
        && TEST_ulong_ne(ERR_peek_error(), 0);
    ERR_clear_error();
    OSSL_DECODER_CTX_free(ctx);
    return ok && TEST_size_t_eq(length, 5) && TEST_ptr_null(key);
}

static int no_decoders(void)
{
    OSSL_DECODER_CTX *ctx = OSSL_DECODER_CTX_new();
    const unsigned char *data = (const unsigned char *)"\x30\x03\x02\x01\x05", *at = data;
    size_t length = 5;
    int ok = TEST_int_eq(OSSL_DECODER_from_data(ctx, &at, &length), 0) && TEST_ptr_eq(at, data)
        && TEST_size_t_eq(length, 5);

    OSSL_DECODER_CTX_free(ctx);
    ERR_clear_error();
    return ok;
}

static const char text[] = "-----BEGIN PRIVATE KEY-----\nMAMCAQU=\n-----END PRIVATE KEY-----\nrest";

static int constructor(void)
{
    OSSL_DECODER_CTX *ctx = plus_for_pem(1);
    const unsigned char *data = (const unsigned char *)text, *at = data;
    size_t length = sizeof(text) - 1;
    int ok = TEST_int_eq(OSSL_DECODER_from_data(ctx, &at, &length), 1)
        && TEST_mem_eq(plus_made.der, plus_made.length, "\x30\x03\x02\x01\x05", 5)
        && TEST_int_eq(plus_made.wrong, 0) && TEST_mem_eq(at, length, "rest", 4)
        && TEST_ptr_eq(at + length, data + sizeof(text) - 1);

    OSSL_DECODER_CTX_free(ctx);
    ctx = plus_for_pem(0);
    at = data;
    length = sizeof(text) - 1;
    ok = ok && TEST_int_eq(OSSL_DECODER_from_data(ctx, &at, &length), 0)
        && TEST_int_ge(plus_made.calls, 1) && TEST_ptr_eq(at, data)
        && TEST_size_t_eq(length, sizeof(text) - 1);
    OSSL_DECODER_CTX_free(ctx);
    ERR_clear_error();
    return ok;
}

static int told(void)
{
    EVP_PKEY *key;
    OSSL_DECODER_CTX *ctx = plus_for_key(&key, "DER", "EC");
    const unsigned char *at = (const unsigned char *)"none of it";
    size_t length = 10;
    int ok;

    ERR_clear_error();
    ok = TEST_int_eq(OSSL_DECODER_from_data(ctx, &at, &length), 0)
        && TEST_ulong_ne(ERR_peek_error(), 0);
    OSSL_DECODER_CTX_free(ctx);
    ERR_clear_error();
    return ok;
}

static int constant(void)
{
    size_t length, pem_length;
    unsigned char *der = plus_der(PLUS_RSA, &length), *data = plus_pem(PLUS_RSA, &pem_length);
    unsigned char *der_copy = OPENSSL_memdup(der, length);
    unsigned char *pem_copy = OPENSSL_memdup(data, pem_length);
    int ok = decodes(der, length, NULL, NULL, PLUS_RSA, length)
        && decodes(data, pem_length, NULL, NULL, PLUS_RSA, pem_length)
        && TEST_mem_eq(der, length, der_copy, length)
        && TEST_mem_eq(data, pem_length, pem_copy, pem_length);

    OPENSSL_free(der);
    OPENSSL_free(data);
    OPENSSL_free(der_copy);
    OPENSSL_free(pem_copy);
    return ok;
}

static int pass_phrase(void)
{
    EVP_PKEY *key;
    OSSL_DECODER_CTX *ctx = plus_for_key(&key, "DER", "EC");
    size_t length;
    unsigned char *der = plus_locked(PLUS_EC, "secret", &length);
    int i, ok = 1;

    OSSL_DECODER_CTX_set_pem_password_cb(ctx, plus_pass_cb, NULL);
    plus_pass = "secret";
    for (i = 0; i < 2; i++) {
        const unsigned char *at = der;
        size_t left = length;
        int before = plus_pass_asked;

        key = NULL;
        ok &= TEST_int_eq(OSSL_DECODER_from_data(ctx, &at, &left), 1)
            && TEST_int_gt(plus_pass_asked, before) && TEST_size_t_eq(left, 0)
            && TEST_ptr_eq(at, der + length);
        ok &= plus_is_key(key, PLUS_EC);
    }
    OSSL_DECODER_CTX_free(ctx);
    OPENSSL_free(der);
    return ok;
}

static int round(void)
{
    return key_is_decoded() & behind() & one_after_another() & told_bytes() & pem() & failure()
        & missing() & no_decoders() & constructor() & told() & constant() & pass_phrase();
}

static int balanced(void)
{
    long before;

    round();
    before = memory_blocks;
    return round() && TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
}

static int no_memory(void)
{
    OSSL_DECODER_CTX *ctx = plus_for_pem(1);
    long before = memory_blocks;
    int i, result = 0, ok = 1;

    for (i = 0; ok && !result && i < 200; i++) {
        const unsigned char *at = (const unsigned char *)text;
        size_t length = sizeof(text) - 1;

        memory_left = i;
        result = OSSL_DECODER_from_data(ctx, &at, &length);
        memory_left = -1;
        ERR_clear_error();
        ok = TEST_long_eq(memory_blocks, before)
            && TEST_size_t_eq(length, result ? 4 : sizeof(text) - 1)
            && TEST_ptr_eq(at + length, text + sizeof(text) - 1);
    }
    OSSL_DECODER_CTX_free(ctx);
    return ok && TEST_int_eq(result, 1) && TEST_long_eq(memory_bad_frees, 0);
}

int setup_tests(void)
{
    add_test("a key is decoded", key_is_decoded);
    add_test("the pointer stands behind what was decoded", behind);
    add_test("objects are decoded one after another", one_after_another);
    add_test("no more bytes count than were told", told_bytes);
    add_test("PEM is taken, too", pem);
    add_test("a failure leaves pointer and length", failure);
    add_test("missing arguments are refused and said so", missing);
    add_test("without decoders it fails", no_decoders);
    add_test("the constructor decides", constructor);
    add_test("a failure is told on the error queue", told);
    add_test("the data stays as it is", constant);
    add_test("a pass phrase is asked for in each call", pass_phrase);
    add_test("nothing is leaked or freed twice", balanced);
    add_test("without memory it fails and leaks nothing", no_memory);
    return 1;
}
