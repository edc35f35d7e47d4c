/*---
 * tasks: [UTF8_putc-5e7f82.16]
 * tests:
 *   ASCII takes two bytes each: 'Comment: "PKCS#12 BMPString format, which is specified as big-endian UTF-16".'
 *   the text ends in two zero bytes: 'Siblings OPENSSL_asc2uni, OPENSSL_uni2utf8; RFC 7292, B.1.'
 *   characters of several bytes are converted: 'Comment: "conversion between UTF-8 and" UTF-16.'
 *   a character above 0xFFFF takes a pair: 'Comment: "UTF-16"; RFC 2781, 2.1; uni2utf8 reads pairs.'
 *   the edges of one and two units: 'RFC 2781, 2.1.'
 *   a length of -1 takes the whole string: 'p12_key.c: PKCS12_key_gen_utf8_ex passes a passlen of -1 on.'
 *   a length that is given counts: 'Signature: asclen; a zero byte inside is a character.'
 *   an empty string gives the end only: 'RFC 7292, B.1; p12_key.c.'
 *   what is not UTF-8 is taken for Latin 1: 'Sibling OPENSSL_asc2uni; man PKCS12_key_gen_utf8_ex; comment of uni2utf8.'
 *   what is not UTF-8 at its end is taken for Latin 1 as a whole: 'Comment of uni2utf8 on the fallback of this one.'
 *   a value above 0x10FFFF gives no UTF-16: 'Comment: "UTF-16", whose last value it is.'
 *   the places for the results may be NULL: 'Sibling OPENSSL_asc2uni.'
 *   a failed allocation gives NULL: 'p12_key.c: PKCS12_key_gen_utf8_ex tests the result for NULL.'
 *   nothing is leaked, and nothing written past the end: 'p12_key.c frees one block by OPENSSL_clear_free of unilen.'
 *   the sibling reads it again: 'Comment: "OPENSSL_{utf82uni|uni2utf8} perform conversion".'
 ---*/
#include <openssl/pkcs12.h>
#include "../testutil.h"
#include "memory_count.h"

/* Do `asclen` bytes of `asc` give these `size` bytes? */
static int gives(const char *asc, int asclen, const char *bytes, int size)
{
    unsigned char *uni = NULL, *result;
    int unilen = -7, ok;

    result = OPENSSL_utf82uni(asc, asclen, &uni, &unilen);
    ok = TEST_ptr(result) && TEST_ptr_eq(uni, result) && TEST_mem_eq(result, unilen, bytes, size);
    OPENSSL_free(result);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int ascii(void)
{
    return gives("Beavis", 6, "\0B\0e\0a\0v\0i\0s\0\0", 14)
        && gives("\x01\x7f", 2, "\0\x01\0\x7f\0\0", 6);
}

static int ends(void)
{
    unsigned char *uni = NULL;
    int unilen = 0, ok;

    ok = TEST_ptr(OPENSSL_utf82uni("abc", 3, &uni, &unilen)) && TEST_int_eq(unilen, 8)
        && TEST_int_eq(uni[6], 0) && TEST_int_eq(uni[7], 0);
    OPENSSL_free(uni);
    return ok;
}

static int several(void)
{
    return gives("\xc3\xa9", 2, "\0\xe9\0\0", 4) && gives("\xc4\x80", 2, "\x01\0\0\0", 4)
        && gives("\xe2\x82\xac", 3, "\x20\xac\0\0", 4)
        && gives("a\xd0\x96z\xe2\x82\xac", 7, "\0a\x04\x16\0z\x20\xac\0\0", 10);
}

static int pair(void)
{
    return gives("\xf0\x9f\x98\x80", 4, "\xd8\x3d\xde\0\0\0", 6)
        && gives("x\xf0\x9f\x98\x80y\xf0\x9d\x84\x9e", 10,
                 "\0x\xd8\x3d\xde\0\0y\xd8\x34\xdd\x1e\0\0", 14);
}

static int edges(void)
{
    return gives("\xef\xbf\xbf", 3, "\xff\xff\0\0", 4)
        && gives("\xed\x9f\xbf", 3, "\xd7\xff\0\0", 4)
        && gives("\xee\x80\x80", 3, "\xe0\0\0\0", 4)
        && gives("\xf0\x90\x80\x80", 4, "\xd8\0\xdc\0\0\0", 6)
        && gives("\xf0\x90\x8f\xbf", 4, "\xd8\0\xdf\xff\0\0", 6)
        && gives("\xf0\x90\x90\x80", 4, "\xd8\x01\xdc\0\0\0", 6)
        && gives("\xf4\x8f\xbf\xbf", 4, "\xdb\xff\xdf\xff\0\0", 6);
}

static int whole(void)
{
    return gives("abc", -1, "\0a\0b\0c\0\0", 8) && gives("\xe2\x82\xac!", -1, "\x20\xac\0!\0\0", 6)
        && gives("", -1, "\0\0", 2);
}

static int given(void)
{
    return gives("abcdef", 2, "\0a\0b\0\0", 6) && gives("a\0b", 3, "\0a\0\0\0b\0\0", 8)
        && gives("ab\xff", 2, "\0a\0b\0\0", 6) && gives("\xc3\xa9\xc3\xa9", 2, "\0\xe9\0\0", 4)
        && gives("x", 2, "\0x\0\0\0\0", 6);
}

static int empty(void)
{
    return gives("", 0, "\0\0", 2) && gives("abc", 0, "\0\0", 2);
}

static int latin(void)
{
    return gives("caf\xe9!", 5, "\0c\0a\0f\0\xe9\0!\0\0", 12) && gives("\xff", 1, "\0\xff\0\0", 4)
        && gives("caf\xe9!", -1, "\0c\0a\0f\0\xe9\0!\0\0", 12)
        && gives("\xc0\x80", 2, "\0\xc0\0\x80\0\0", 6)
        && gives("\xed\xa0\x80", 3, "\0\xed\0\xa0\0\x80\0\0", 8);
}

static int latin_whole(void)
{
    return gives("\xc3\xa9\xe9", 3, "\0\xc3\0\xa9\0\xe9\0\0", 8)
        && gives("\xc3\xa9\xe9", -1, "\0\xc3\0\xa9\0\xe9\0\0", 8)
        && gives("\xe2\x82\xac", 2, "\0\xe2\0\x82\0\0", 6)
        && gives("\xf0\x9f\x98\x80\x80", 5, "\0\xf0\0\x9f\0\x98\0\x80\0\x80\0\0", 12);
}

static int beyond(void)
{
    unsigned char *uni = NULL, *result;
    int unilen = 0, ok = 1;

    /* None, or that of Latin 1. */
    result = OPENSSL_utf82uni("\xf4\x90\x80\x80", 4, &uni, &unilen);
    if (result != NULL)
        ok = TEST_mem_eq(result, unilen, "\0\xf4\0\x90\0\x80\0\x80\0\0", 10);
    OPENSSL_free(result);
    return ok;
}

static int may_be_null(void)
{
    unsigned char *uni = NULL, *result;
    int unilen = 0, ok;

    result = OPENSSL_utf82uni("\xc3\xa9", 2, NULL, NULL);
    ok = TEST_ptr(result) && TEST_mem_eq(result, 4, "\0\xe9\0\0", 4);
    OPENSSL_free(result);
    result = OPENSSL_utf82uni("\xc3\xa9", 2, NULL, &unilen);
    ok = ok && TEST_ptr(result) && TEST_mem_eq(result, unilen, "\0\xe9\0\0", 4);
    OPENSSL_free(result);
    result = OPENSSL_utf82uni("\xc3\xa9", 2, &uni, NULL);
    ok = ok && TEST_ptr(result) && TEST_ptr_eq(result, uni)
        && TEST_mem_eq(result, 4, "\0\xe9\0\0", 4);
    OPENSSL_free(result);
    return ok;
}

static int no_memory(void)
{
    unsigned char *uni = NULL, *result, *latin_result;
    int unilen = 0;

    memory_left = 0;
    result = OPENSSL_utf82uni("a\xc3\xa9", 3, &uni, &unilen);
    latin_result = OPENSSL_utf82uni("a\xe9", 2, &uni, &unilen);
    memory_left = -1;
    return TEST_ptr_null(result) && TEST_ptr_null(latin_result);
}

static int no_leak(void)
{
    long before = memory_blocks;

    return ascii() && several() && pair() && edges() && whole() && given() && empty() && latin()
        && latin_whole()
        && beyond() && may_be_null()
        && TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
}

static int again(void)
{
    static const char text[] = "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80 z\xf4\x8f\xbf\xbf";
    unsigned char *uni;
    int unilen = 0, ok;
    char *back = NULL;

    uni = OPENSSL_utf82uni(text, -1, NULL, &unilen);
    ok = TEST_ptr(uni) && TEST_ptr(back = OPENSSL_uni2utf8(uni, unilen))
        && TEST_str_eq(back, text);
    OPENSSL_free(uni);
    OPENSSL_free(back);
    return ok;
}

int setup_tests(void)
{
    add_test("ASCII takes two bytes each", ascii);
    add_test("the text ends in two zero bytes", ends);
    add_test("characters of several bytes are converted", several);
    add_test("a character above 0xFFFF takes a pair", pair);
    add_test("the edges of one and two units", edges);
    add_test("a length of -1 takes the whole string", whole);
    add_test("a length that is given counts", given);
    add_test("an empty string gives the end only", empty);
    add_test("what is not UTF-8 is taken for Latin 1", latin);
    add_test("what is not UTF-8 at its end is taken for Latin 1 as a whole", latin_whole);
    add_test("a value above 0x10FFFF gives no UTF-16", beyond);
    add_test("the places for the results may be NULL", may_be_null);
    add_test("a failed allocation gives NULL", no_memory);
    add_test("nothing is leaked, and nothing written past the end", no_leak);
    add_test("the sibling reads it again", again);
    return 1;
}
