/*---
 * tasks: [UTF8_putc-5e7f82, UTF8_putc-5e7f82.16, UTF8_putc-5e7f82.2, UTF8_putc-5e7f82.4, UTF8_putc-5e7f82.8]
 * tests:
 *   a character below 0x80 takes one byte: 'Comment: "writes the UTF8 encoded value in str"; RFC 3629, 3.'
 *   a character below 0x800 takes two bytes: 'Comment: "UTF8 encoded"; RFC 3629, 3.'
 *   a character below 0x10000 takes three bytes: 'Comment: "UTF8 encoded"; RFC 3629, 3.'
 *   a character up to 0x10FFFF takes four bytes: 'Comment: "It will need at most 4 characters"; RFC 3629, 3.'
 *   each character can be read again: 'RFC 3629, 3, for all of them, by a reader of the test''s own.'
 *   a NULL buffer only counts: 'Comment: "just returns the number of characters".'
 *   the length is passed over for a NULL buffer: 'a_mbstr.c: out_utf8 calls it with NULL, -1.'
 *   a surrogate is out of range: 'Comment: -2 "if value is out of range"; unicode.h: is_unicode_valid; RFC 3629, 3.'
 *   a value above 0x10FFFF is out of range: 'Comment: -2; unicode.h: UNICODE_LIMIT; RFC 3629, 3.'
 *   a value that does not fit in 32 bits is out of range: 'Comment: -2; value is an unsigned long.'
 *   out of range is told for a NULL buffer too: 'a_mbstr.c: out_utf8 tests its result for a negative one.'
 *   a length that is too small is refused: 'Comment: "-1 if len is too small".'
 *   nothing is written past the length: 'Comment: "str is a buffer containing len characters".'
 *   the exact length is enough: 'Comment: "-1 if len is too small".'
 ---*/
#include <openssl/asn1.h>
#include "../testutil.h"

/* Does `value` give these `size` bytes in a large buffer, and no others? */
static int gives(unsigned long value, const char *bytes, int size)
{
    unsigned char to[10];

    memset(to, 0x5a, sizeof(to));
    return TEST_int_eq(UTF8_putc(to, sizeof(to), value), size)
        && TEST_mem_eq(to, size, bytes, size)
        && TEST_int_eq(to[size], 0x5a) && TEST_int_eq(to[size + 1], 0x5a);
}

static int refuses(unsigned long value)
{
    unsigned char to[10] = "";

    return TEST_int_eq(UTF8_putc(to, sizeof(to), value), -2);
}

static int one(void)
{
    return gives(0, "\0", 1) && gives(0x41, "A", 1) && gives(0x7f, "\x7f", 1);
}

static int two(void)
{
    return gives(0x80, "\xc2\x80", 2) && gives(0xe9, "\xc3\xa9", 2) && gives(0xff, "\xc3\xbf", 2)
        && gives(0x100, "\xc4\x80", 2) && gives(0x7ff, "\xdf\xbf", 2);
}

static int three(void)
{
    return gives(0x800, "\xe0\xa0\x80", 3) && gives(0x20ac, "\xe2\x82\xac", 3)
        && gives(0xd7ff, "\xed\x9f\xbf", 3) && gives(0xe000, "\xee\x80\x80", 3)
        && gives(0xfffe, "\xef\xbf\xbe", 3) && gives(0xffff, "\xef\xbf\xbf", 3);
}

static int four(void)
{
    return gives(0x10000, "\xf0\x90\x80\x80", 4) && gives(0x1f600, "\xf0\x9f\x98\x80", 4)
        && gives(0x3ffff, "\xf0\xbf\xbf\xbf", 4) && gives(0x40000, "\xf1\x80\x80\x80", 4)
        && gives(0x10ffff, "\xf4\x8f\xbf\xbf", 4);
}

static int all(void)
{
    unsigned long value, read;
    unsigned char to[8];
    int size, i;

    for (value = 0; value <= 0x10ffff; value++) {
        if (value == 0xd800)
            value = 0xe000;
        size = UTF8_putc(to, sizeof(to), value);
        if (size != (value < 0x80 ? 1 : value < 0x800 ? 2 : value < 0x10000 ? 3 : 4)) {
            TEST_error("0x%lx takes %d bytes", value, size);
            return 0;
        }
        read = size == 1 ? to[0] : to[0] - (size == 2 ? 0xc0 : size == 3 ? 0xe0 : 0xf0);
        for (i = 1; i < size; i++) {
            if (to[i] < 0x80 || to[i] > 0xbf) {
                TEST_error("0x%lx has the byte %x", value, to[i]);
                return 0;
            }
            read = read * 64 + to[i] - 0x80;
        }
        if (!TEST_ulong_eq(read, value))
            return 0;
    }
    return 1;
}

static int null_counts(void)
{
    return TEST_int_eq(UTF8_putc(NULL, 4, 0), 1) && TEST_int_eq(UTF8_putc(NULL, 4, 0x7f), 1)
        && TEST_int_eq(UTF8_putc(NULL, 4, 0x80), 2) && TEST_int_eq(UTF8_putc(NULL, 4, 0x7ff), 2)
        && TEST_int_eq(UTF8_putc(NULL, 4, 0x800), 3) && TEST_int_eq(UTF8_putc(NULL, 4, 0xffff), 3)
        && TEST_int_eq(UTF8_putc(NULL, 4, 0x10000), 4)
        && TEST_int_eq(UTF8_putc(NULL, 4, 0x10ffff), 4);
}

static int null_length(void)
{
    int len;

    for (len = -1; len < 4; len++)
        if (!TEST_int_eq(UTF8_putc(NULL, len, 0x41), 1)
                || !TEST_int_eq(UTF8_putc(NULL, len, 0xe9), 2)
                || !TEST_int_eq(UTF8_putc(NULL, len, 0x20ac), 3)
                || !TEST_int_eq(UTF8_putc(NULL, len, 0x1f600), 4))
            return 0;
    return 1;
}

static int surrogate(void)
{
    return refuses(0xd800) && refuses(0xd801) && refuses(0xdbff) && refuses(0xdc00)
        && refuses(0xdffe)
        && refuses(0xdfff);
}

static int above(void)
{
    return refuses(0x110000) && refuses(0x1fffff) && refuses(0x200000) && refuses(0x3ffffff)
        && refuses(0x7fffffff) && refuses(0x80000000UL) && refuses(0xffffffffUL);
}

static int wide(void)
{
    return sizeof(unsigned long) == 4
        || (refuses(0x10000UL * 0x10000UL + 0x41) && refuses(0x10000UL * 0x10000UL + 0x20ac)
            && refuses((unsigned long)-1));
}

static int null_range(void)
{
    return TEST_int_eq(UTF8_putc(NULL, -1, 0xd800), -2)
        && TEST_int_eq(UTF8_putc(NULL, -1, 0xdfff), -2)
        && TEST_int_eq(UTF8_putc(NULL, -1, 0x110000), -2);
}

static const unsigned long samples[] = { 0, 0x7f, 0x80, 0x7ff, 0x800, 0xffff, 0x10000, 0x10ffff };

static int size_of_sample(int i)
{
    return i / 2 + 1;
}

static int too_small(void)
{
    unsigned char to[8];
    int i, len;

    for (i = 0; i < 8; i++)
        for (len = -1; len < size_of_sample(i); len++)
            if (!TEST_int_eq(UTF8_putc(to, len, samples[i]), -1))
                return 0;
    return TEST_int_eq(UTF8_putc(to, -1000, 0x41), -1);
}

static int not_past(void)
{
    unsigned char to[8];
    int i, j, len;

    for (i = 0; i < 8; i++)
        for (len = 0; len < size_of_sample(i); len++) {
            memset(to, 0x5a, sizeof(to));
            UTF8_putc(to, len, samples[i]);
            for (j = len; j < (int)sizeof(to); j++)
                if (!TEST_int_eq(to[j], 0x5a))
                    return 0;
        }
    return 1;
}

static int exact(void)
{
    unsigned char to[8];
    int i, size;

    for (i = 0; i < 8; i++) {
        size = size_of_sample(i);
        memset(to, 0x5a, sizeof(to));
        if (!TEST_int_eq(UTF8_putc(to, size, samples[i]), size) || !TEST_int_eq(to[size], 0x5a)
                || (size > 1 && !TEST_int_ne(to[size - 1], 0x5a)))
            return 0;
    }
    return 1;
}

int setup_tests(void)
{
    add_test("a character below 0x80 takes one byte", one);
    add_test("a character below 0x800 takes two bytes", two);
    add_test("a character below 0x10000 takes three bytes", three);
    add_test("a character up to 0x10FFFF takes four bytes", four);
    add_test("each character can be read again", all);
    add_test("a NULL buffer only counts", null_counts);
    add_test("the length is passed over for a NULL buffer", null_length);
    add_test("a surrogate is out of range", surrogate);
    add_test("a value above 0x10FFFF is out of range", above);
    add_test("a value that does not fit in 32 bits is out of range", wide);
    add_test("out of range is told for a NULL buffer too", null_range);
    add_test("a length that is too small is refused", too_small);
    add_test("nothing is written past the length", not_past);
    add_test("the exact length is enough", exact);
    return 1;
}
