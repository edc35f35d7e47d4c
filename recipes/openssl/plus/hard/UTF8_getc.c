/*---
 * tasks: [UTF8_putc-5e7f82.16]
 * tests:
 *   a byte below 0x80 is a character: 'Comment: "returns the number of characters read"; RFC 3629, 3.'
 *   two bytes are a character up to 0x7FF: 'RFC 3629, 3.'
 *   three bytes are a character up to 0xFFFF: 'RFC 3629, 3.'
 *   four bytes are a character up to 0x10FFFF: 'RFC 3629, 3.'
 *   each character is read: 'RFC 3629, 3, for all of them, written by the test''s own writer.'
 *   what follows the character is passed over: 'Comment: "parses a UTF8 string one character at a time".'
 *   an empty string has no character: 'Comment: "the length of the string".'
 *   a string that ends in a character is too short: 'Comment: "-1 = string too short".'
 *   a first byte that begins no character is illegal: 'Comment: "-2 = illegal character"; RFC 3629, 3.'
 *   a surrogate is illegal: 'Comment: "-2 = illegal character"; unicode.h: is_unicode_surrogate; RFC 3629, 3.'
 *   further bytes begin with 10: 'Comment: "-3 = subsequent characters not of the form 10xxxxxx".'
 *   a longer form than the shortest is incorrect: 'Comment: "-4 = character encoded incorrectly (not minimal length)".'
 *   the string stays as it was: 'Signature: const unsigned char *str.'
 ---*/
#include <openssl/asn1.h>
#include "../testutil.h"

static int reads(const char *str, int len, unsigned long expected, int size)
{
    unsigned long value = (unsigned long)-1;

    return TEST_int_eq(UTF8_getc((const unsigned char *)str, len, &value), size)
        && TEST_ulong_eq(value, expected);
}

static int fails(const char *str, int len, int with)
{
    unsigned long value = 0;

    return TEST_int_eq(UTF8_getc((const unsigned char *)str, len, &value), with);
}

static int one(void)
{
    return reads("\0", 1, 0, 1) && reads("A", 1, 0x41, 1) && reads("\x7f", 1, 0x7f, 1);
}

static int two(void)
{
    return reads("\xc2\x80", 2, 0x80, 2) && reads("\xc3\xa9", 2, 0xe9, 2)
        && reads("\xdf\xbf", 2, 0x7ff, 2);
}

static int three(void)
{
    return reads("\xe0\xa0\x80", 3, 0x800, 3) && reads("\xe2\x82\xac", 3, 0x20ac, 3)
        && reads("\xed\x9f\xbf", 3, 0xd7ff, 3) && reads("\xee\x80\x80", 3, 0xe000, 3)
        && reads("\xef\xbf\xbf", 3, 0xffff, 3);
}

static int four(void)
{
    return reads("\xf0\x90\x80\x80", 4, 0x10000, 4) && reads("\xf0\x9f\x98\x80", 4, 0x1f600, 4)
        && reads("\xf1\x80\x80\x80", 4, 0x40000, 4) && reads("\xf4\x8f\xbf\xbf", 4, 0x10ffff, 4);
}

static int all(void)
{
    unsigned long value, read, rest;
    unsigned char str[4];
    int size, i;

    for (value = 0; value <= 0x10ffff; value++) {
        if (value == 0xd800)
            value = 0xe000;
        size = value < 0x80 ? 1 : value < 0x800 ? 2 : value < 0x10000 ? 3 : 4;
        for (i = size - 1, rest = value; i > 0; i--, rest /= 64)
            str[i] = 0x80 + rest % 64;
        str[0] = rest + (size == 1 ? 0 : size == 2 ? 0xc0 : size == 3 ? 0xe0 : 0xf0);
        read = (unsigned long)-1;
        if (UTF8_getc(str, size, &read) != size || read != value) {
            TEST_error("0x%lx is read as 0x%lx", value, read);
            return 0;
        }
    }
    return 1;
}

static int follows(void)
{
    return reads("A\xff", 2, 0x41, 1) && reads("\xc3\xa9\xff", 3, 0xe9, 2)
        && reads("\xe2\x82\xac\x80", 4, 0x20ac, 3)
        && reads("\xf0\x9f\x98\x80\x80\xff", 6, 0x1f600, 4)
        && reads("AB", 1000, 0x41, 1);
}

static int empty(void)
{
    unsigned long value = 0;

    return TEST_int_le(UTF8_getc((const unsigned char *)"A", 0, &value), 0)
        && TEST_int_le(UTF8_getc((const unsigned char *)"\xc3\xa9", 0, &value), 0);
}

static int too_short(void)
{
    return fails("\xc3\xa9", 1, -1) && fails("\xdf\xbf", 1, -1)
        && fails("\xe2\x82\xac", 1, -1) && fails("\xe2\x82\xac", 2, -1)
        && fails("\xe0\xa0\x80", 2, -1)
        && fails("\xf0\x9f\x98\x80", 1, -1) && fails("\xf0\x9f\x98\x80", 2, -1)
        && fails("\xf0\x9f\x98\x80", 3, -1);
}

static int illegal(void)
{
    char str[7] = "x\x80\x80\x80\x80\x80";
    int first;

    for (first = 0x80; first < 0x100; first++) {
        if (first == 0xc0)
            first = 0xf8;
        str[0] = first;
        if (!fails(str, 6, -2))
            return 0;
    }
    return fails("\x80", 1, -2) && fails("\xbf", 1, -2);
}

static int surrogate(void)
{
    return fails("\xed\xa0\x80", 3, -2) && fails("\xed\xaf\xbf", 3, -2)
        && fails("\xed\xb0\x80", 3, -2)
        && fails("\xed\xbf\xbf", 3, -2) && fails("\xed\xa0\x80\xed\xb0\x80", 6, -2);
}

static int further(void)
{
    static const char *const good[] = { "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80" };
    static const unsigned char bad[] = { 0, 0x41, 0x7f, 0x29, 0xc0, 0xc2, 0xe2, 0xff };
    char str[5];
    size_t i, j, at;

    for (i = 0; i < OSSL_NELEM(good); i++)
        for (at = 1; at < strlen(good[i]); at++)
            for (j = 0; j < sizeof(bad); j++) {
                strcpy(str, good[i]);
                str[at] = bad[j];
                if (!fails(str, i + 2, -3))
                    return 0;
            }
    return 1;
}

static int longer(void)
{
    return fails("\xc0\x80", 2, -4) && fails("\xc1\xbf", 2, -4)
        && fails("\xe0\x80\x80", 3, -4) && fails("\xe0\x9f\xbf", 3, -4)
        && fails("\xe0\x81\x81", 3, -4)
        && fails("\xf0\x80\x80\x80", 4, -4) && fails("\xf0\x8f\xbf\xbf", 4, -4)
        && fails("\xf0\x80\x81\x81", 4, -4);
}

static int stays(void)
{
    char str[] = "\xf0\x9f\x98\x80\xc3";

    return reads(str, 5, 0x1f600, 4) && fails(str + 4, 1, -1)
        && TEST_mem_eq(str, 6, "\xf0\x9f\x98\x80\xc3", 6);
}

int setup_tests(void)
{
    add_test("a byte below 0x80 is a character", one);
    add_test("two bytes are a character up to 0x7FF", two);
    add_test("three bytes are a character up to 0xFFFF", three);
    add_test("four bytes are a character up to 0x10FFFF", four);
    add_test("each character is read", all);
    add_test("what follows the character is passed over", follows);
    add_test("an empty string has no character", empty);
    add_test("a string that ends in a character is too short", too_short);
    add_test("a first byte that begins no character is illegal", illegal);
    add_test("a surrogate is illegal", surrogate);
    add_test("further bytes begin with 10", further);
    add_test("a longer form than the shortest is incorrect", longer);
    add_test("the string stays as it was", stays);
    return 1;
}
