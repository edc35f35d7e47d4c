/*---
 * tasks: [SCT_new_from_base64-1fe63f.16, SCT_new_from_base64-1fe63f.2, SCT_new_from_base64-1fe63f.4,
 *   SCT_new_from_base64-1fe63f.8]
 * tests:
 *   the vectors of RFC 4648 are decoded: 'RFC 4648, 10; docstring: "Decodes the base64 string |in| into |out|".'
 *   each letter has its value: 'RFC 4648, table 1.'
 *   each byte can be decoded: 'Docstring: "Decodes the base64 string"; callers pass binary keys and signatures.'
 *   an empty string has the length 0 and no bytes:
 *     'ct_b64.c: SCT_new_from_base64 gives *out and the length to SCT_set0_extensions; ct_test.c passes "".'
 *   a long string is decoded whole: 'Docstring; RSA keys of logs have more than 500 bytes.'
 *   more than two padding bytes are malformed: 'Comment: "Any more than 2 is malformed".'
 *   what is no base64 is refused: 'Callers: "if (declen < 0)".'
 *   a length that is no multiple of 4 is refused: 'EVP_EncodeInit(3): EVP_DecodeBlock; RFC 4648, 4.'
 *   a refusal gives the caller nothing to free:
 *     'ct_b64.c: CTLOG_new_from_base64_ex frees *out only after success; SCT_new_from_base64 frees what it finds.'
 *   each result is the caller's: 'Docstring: "A new string will be malloc''d ... owned by the caller".'
 *   nothing is leaked or written past its end: 'Docstring: "owned by the caller".'
 *   a lack of memory is refused: 'Callers: "if (declen < 0)".'
 ---*/
#include "../../crypto/ct/ct_b64.c"
#include "../testutil.h"
#include "memory_count.h"

/* Is it decoded to these bytes? */
static int gives(const char *in, const void *bytes, int length)
{
    unsigned char *out = NULL;
    int ok = TEST_int_eq(ct_base64_decode(in, &out), length)
        && TEST_ptr(out) && TEST_mem_eq(out, length, bytes, length);

    OPENSSL_free(out);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int refused(const char *in)
{
    unsigned char *out = NULL;
    int ok = TEST_int_lt(ct_base64_decode(in, &out), 0);

    ERR_clear_error();
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int vectors(void)
{
    return gives("Zg==", "f", 1) && gives("Zm8=", "fo", 2) && gives("Zm9v", "foo", 3)
        && gives("Zm9vYg==", "foob", 4)
        && gives("Zm9vYmE=", "fooba", 5) && gives("Zm9vYmFy", "foobar", 6);
}

static int letters(void)
{
    unsigned char bytes[48];
    int i, j;

    for (i = j = 0; i < 64; i += 4) {
        bytes[j++] = i << 2 | (i + 1) >> 4;
        bytes[j++] = (i + 1) << 4 | (i + 2) >> 2;
        bytes[j++] = (i + 2) << 6 | (i + 3);
    }
    return gives("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", bytes, 48);
}

static int each_byte(void)
{
    unsigned char byte[3] = {0, 0, 0};
    char text[8];
    int i, ok = 1;

    for (i = 0; i < 256 && ok; i++) {
        byte[0] = byte[2] = i;
        EVP_EncodeBlock((unsigned char *)text, byte, 1 + i % 3);
        ok = gives(text, byte, 1 + i % 3);
    }
    return ok && gives("AAAA", "\0\0\0", 3) && gives("AA==", "", 1)
        && gives("////", "\xff\xff\xff", 3);
}

static int empty(void)
{
    unsigned char *out = NULL;

    return TEST_int_eq(ct_base64_decode("", &out), 0) && TEST_ptr_null(out);
}

static int whole(void)
{
    static unsigned char bytes[3000];
    static char text[4100];
    int i, ok = 1;

    for (i = 0; i < (int)sizeof(bytes); i++)
        bytes[i] = i * 7 + i / 256;
    for (i = 2990; i <= 3000 && ok; i++) {
        EVP_EncodeBlock((unsigned char *)text, bytes, i);
        ok = gives(text, bytes, i);
    }
    return ok;
}

static int padding(void)
{
    return refused("A===") && refused("====") && refused("AAAAA===") && refused("AAAA====");
}

static int no_base64(void)
{
    return refused("\01\02\03\04") && refused("AA*A") && refused("AAA\xff") && refused("AA-_")
        && refused("AAAA####");
}

static int other_length(void)
{
    return refused("A") && refused("AA") && refused("AAA") && refused("AAAAA") && refused("=")
        && refused("Zg=");
}

static int nothing_left(void)
{
    static const char *bad[] = {"A===", "====", "AA*A", "AAAAA", "\01\02\03\04",
        "Zm9vYmFyZm9vYmFy====", "AAA"};
    size_t i;
    long before;
    unsigned char *out = NULL;

    refused("AA*A");
    before = memory_blocks;
    for (i = 0; i < OSSL_NELEM(bad); i++) {
        if (!refused(bad[i]) || !TEST_long_eq(memory_blocks, before))
            return 0;
        ct_base64_decode(bad[i], &out);
        OPENSSL_free(out);
        out = NULL;
        ERR_clear_error();
        if (!TEST_long_eq(memory_blocks, before) || !TEST_long_eq(memory_bad_frees, 0))
            return 0;
    }
    return 1;
}

static int own(void)
{
    unsigned char *first = NULL, *second = NULL;
    int ok = TEST_int_eq(ct_base64_decode("Zm9v", &first), 3)
        && TEST_int_eq(ct_base64_decode("YmFy", &second), 3)
        && TEST_mem_eq(first, 3, "foo", 3) && TEST_mem_eq(second, 3, "bar", 3);

    OPENSSL_free(first);
    ok = ok && TEST_mem_eq(second, 3, "bar", 3);
    OPENSSL_free(second);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int balanced(void)
{
    long before;

    if (!padding() || !vectors())
        return 0;
    before = memory_blocks;
    return vectors() && letters() && each_byte() && empty() && whole() && padding() && no_base64()
        && own()
        && TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
}

static int no_memory(void)
{
    unsigned char *out = NULL;
    int length;

    memory_left = 0;
    length = ct_base64_decode("Zm9vYmFy", &out);
    memory_left = -1;
    ERR_clear_error();
    return TEST_int_lt(length, 0) && TEST_ptr_null(out);
}

int setup_tests(void)
{
    add_test("the vectors of RFC 4648 are decoded", vectors);
    add_test("each letter has its value", letters);
    add_test("each byte can be decoded", each_byte);
    add_test("an empty string has the length 0 and no bytes", empty);
    add_test("a long string is decoded whole", whole);
    add_test("more than two padding bytes are malformed", padding);
    add_test("what is no base64 is refused", no_base64);
    add_test("a length that is no multiple of 4 is refused", other_length);
    add_test("a refusal gives the caller nothing to free", nothing_left);
    add_test("each result is the caller's", own);
    add_test("nothing is leaked or written past its end", balanced);
    add_test("a lack of memory is refused", no_memory);
    return 1;
}
