/*---
 * tasks: [UTF8_putc-5e7f82.16, UTF8_putc-5e7f82.2, UTF8_putc-5e7f82.4, UTF8_putc-5e7f82.8]
 * tests:
 *   one byte for each character: 'Comment: "interprets the content formats"; tag2nbyte.'
 *   two or four bytes for each character: 'tag2nbyte: V_ASN1_BMPSTRING, V_ASN1_UNIVERSALSTRING; X.690: big-endian.'
 *   a width of 0 is UTF-8: 'tag2nbyte: "0 = UTF8 encoded"; comment: "converts to or from UTF8".'
 *   characters are converted to UTF-8: 'BUF_TYPE_CONVUTF8; man: "characters are converted to UTF8 format first".'
 *   what was converted is escaped byte by byte: 'RFC 2253, 2.4 and 5: "Lu\C4\8Di\C4\87".'
 *   a length that is no multiple of the width is an error: 'asn1err.h: ASN1_R_INVALID_BMPSTRING_LENGTH, _UNIVERSAL_.'
 *   UTF-8 that is wrong or cut off is an error: 'UTF8_getc: negative error code; "-1 = string too short"; do_print_ex.'
 *   another width is an error: 'tag2nbyte: widths are 0, 1, 2 and 4.'
 *   a space at the beginning or end is escaped: 'RFC 2253, 2.4; charmap.pl: FIRST_ESC_2253, LAST_ESC_2253.'
 *   a hash is escaped only at the beginning: 'RFC 2253, 2.4.'
 *   the ends count by characters: 'RFC 2253, 2.4, for all widths and after conversion.'
 *   quotes are asked for: 'do_print_ex passes quotes on and adds them.'
 *   an empty string gives nothing: 'do_print_ex adds the result to its length.'
 *   a place that refuses is an error: 'do_print_ex: "if (len < 0) return -1".'
 *   a NULL argument counts: 'do_print_ex counts with arg NULL first.'
 ---*/
#include "../../crypto/asn1/a_strex.c"
#include "../testutil.h"
#include "strex_sink.h"

#define TO_UTF8 BUF_TYPE_CONVUTF8

/* Do these bytes give this text? */
static int gives(const char *bytes, int size, int type, unsigned flags, const char *text)
{
    unsigned char copy[100];
    SINK to;

    sink_begin(&to, -1);
    memset(copy, 0x80, sizeof(copy));
    memcpy(copy, bytes, size);
    return TEST_int_eq(do_buf(copy, size, type, flags, NULL, sink, &to), strlen(text))
        && TEST_str_eq(to.text, text)
        && TEST_int_eq(do_buf(copy, size, type, flags, NULL, sink, NULL), strlen(text))
        && TEST_mem_eq(copy, size, bytes, size);
}

/* Is it an error, and nothing printed that isn't there? */
static int fails(const char *bytes, int size, int type)
{
    SINK to;

    sink_begin(&to, -1);
    return TEST_int_lt(do_buf((unsigned char *)bytes, size, type, 0, NULL, sink, &to), 0)
        && TEST_int_le(to.size, 50) && TEST_ptr_null(strstr(to.text, "U20AC"))
        && TEST_int_lt(do_buf((unsigned char *)bytes, size, type, 0, NULL, sink, NULL), 0);
}

static int one(void)
{
    return gives("abc\xe9", 4, 1, 0, "abc\xe9")
        && gives("a,b", 3, 1, ASN1_STRFLGS_ESC_2253, "a\\,b")
        && gives("a\0b", 3, 1, ASN1_STRFLGS_ESC_CTRL, "a\\00b");
}

static int two(void)
{
    return gives("\0a\x20\xac\0\xe9\xff\xff", 8, 2, 0, "a\\U20AC\xe9\\UFFFF")
        && gives("\0,\x2c\0", 4, 2, ASN1_STRFLGS_ESC_2253, "\\,\\U2C00");
}

static int four(void)
{
    return gives("\0\0\0a\0\0\x20\xac\0\x01\xf6\0", 12, 4, 0, "a\\U20AC\\W0001F600")
        && gives("\xff\xfe\xfd\xfc", 4, 4, 0, "\\WFFFEFDFC")
        && gives("\x80\0\0\0", 4, 4, 0, "\\W80000000");
}

static int utf8(void)
{
    return gives("a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80z", 11, 0, 0, "a\xe9\\U20AC\\W0001F600z")
        && gives("\xe2\x82\xac", 3, 0, 0, "\\U20AC")
        && gives("\xc3\xa9", 2, 0, ASN1_STRFLGS_ESC_MSB, "\\E9");
}

static int converted(void)
{
    return gives("a\xe9\xff", 3, 1 | TO_UTF8, 0, "a\xc3\xa9\xc3\xbf")
        && gives("\0a\x20\xac\0\xe9", 6, 2 | TO_UTF8, 0, "a\xe2\x82\xac\xc3\xa9")
        && gives("\0\x01\xf6\0\0\0\0z", 8, 4 | TO_UTF8, 0, "\xf0\x9f\x98\x80z")
        && gives("\xe2\x82\xac", 3, TO_UTF8, 0, "\xe2\x82\xac");
}

static int converted_escaped(void)
{
    return gives("\0L\0u\x01\x0d\0i\x01\x07", 10, 2 | TO_UTF8,
                 ASN1_STRFLGS_ESC_MSB | ASN1_STRFLGS_ESC_2253,
                 "Lu\\C4\\8Di\\C4\\87")
        && gives("\xe9,", 2, 1 | TO_UTF8, ASN1_STRFLGS_ESC_MSB | ASN1_STRFLGS_ESC_2253,
                 "\\C3\\A9\\,");
}

static int multiple(void)
{
    return fails("\0a\0", 3, 2) && fails("\0", 1, 2) && fails("\0a\0", 3, 2 | TO_UTF8)
        && fails("\0\0\0a\0", 5, 4) && fails("\0\0\0a\0\0", 6, 4) && fails("\0\0\0a\0\0\0", 7, 4)
        && fails("\0\0", 2, 4) && fails("\0\0\0a\0\0", 6, 4 | TO_UTF8);
}

static int wrong_utf8(void)
{
    return fails("\xff", 1, 0) && fails("ab\xe9z", 4, 0) && fails("a\xc0\x80", 3, 0)
        && fails("\xed\xa0\x80", 3, 0)
        && fails("\xe2\x82z", 3, TO_UTF8);
}

static int cut_off(void)
{
    return fails("ab\xe2\x82\xac", 4, 0) && fails("ab\xe2\x82\xac", 3, 0)
        && fails("\xf0\x9f\x98\x80", 3, 0)
        && fails("\xc3\xa9\xc3\xa9", 3, 0);
}

static int another_width(void)
{
    return fails("abcdefghijkl", 12, 3) && fails("abcdefghijkl", 12, 6)
        && fails("abcdefghijkl", 12, 3 | TO_UTF8)
        && fails("abcdefghijklmnopqrst", 20, 5) && fails("abcdefghijklmn", 14, 7);
}

static int space(void)
{
    return gives(" a b ", 5, 1, ASN1_STRFLGS_ESC_2253, "\\ a b\\ ")
        && gives("  ab  ", 6, 1, ASN1_STRFLGS_ESC_2253, "\\  ab \\ ")
        && gives(" ", 1, 1, ASN1_STRFLGS_ESC_2253, "\\ ")
        && gives("  ", 2, 1, ASN1_STRFLGS_ESC_2253, "\\ \\ ")
        && gives(" a b ", 5, 1, 0, " a b ") && gives(" a ", 3, 1, ASN1_STRFLGS_ESC_CTRL, " a ");
}

static int hash(void)
{
    return gives("#a#", 3, 1, ASN1_STRFLGS_ESC_2253, "\\#a#")
        && gives("##", 2, 1, ASN1_STRFLGS_ESC_2253, "\\##")
        && gives("a#b", 3, 1, ASN1_STRFLGS_ESC_2253, "a#b") && gives("#a", 2, 1, 0, "#a")
        && gives("#a#", 3, 1, ASN1_STRFLGS_ESC_CTRL | ASN1_STRFLGS_ESC_MSB, "#a#");
}

static int by_characters(void)
{
    return gives("\0 \0a\0 \0b\0 ", 10, 2, ASN1_STRFLGS_ESC_2253, "\\ a b\\ ")
        && gives("\0#\0a\0#", 6, 2 | TO_UTF8, ASN1_STRFLGS_ESC_2253, "\\#a#")
        && gives("\0\0\0 \0\0\0a\0\0\0 ", 12, 4, ASN1_STRFLGS_ESC_2253, "\\ a\\ ")
        && gives(" \xe2\x82\xac ", 5, 0, ASN1_STRFLGS_ESC_2253, "\\ \\U20AC\\ ")
        && gives("\xe9 \xe9", 3, 1 | TO_UTF8, ASN1_STRFLGS_ESC_2253, "\xc3\xa9 \xc3\xa9")
        && gives(" \xe9 ", 3, 1 | TO_UTF8, ASN1_STRFLGS_ESC_2253, "\\ \xc3\xa9\\ ");
}

static int asks(const char *bytes, unsigned flags, int expected)
{
    char quotes = 0;

    return TEST_int_ge(do_buf((unsigned char *)bytes, strlen(bytes), 1, flags, &quotes, sink,
                              NULL), 0)
        && TEST_int_eq(quotes != 0, expected);
}

#define IN_QUOTES (ASN1_STRFLGS_ESC_2253 | ASN1_STRFLGS_ESC_QUOTE)

static int quotes_asked(void)
{
    return asks("a,b", IN_QUOTES, 1) && asks("ab", IN_QUOTES, 0) && asks("a b", IN_QUOTES, 0)
        && asks(" ab", IN_QUOTES, 1) && asks("ab ", IN_QUOTES, 1) && asks("#ab", IN_QUOTES, 1)
        && asks("ab#", IN_QUOTES, 0) && asks("a,b", ASN1_STRFLGS_ESC_2253, 0) && asks("a,b", 0, 0)
        && gives("a,b", 3, 1, IN_QUOTES, "a,b")
        && TEST_int_eq(do_buf((unsigned char *)",b", 2, 1 | TO_UTF8, IN_QUOTES, NULL, sink, NULL),
                       2);
}

static int empty(void)
{
    return gives("", 0, 1, 0, "") && gives("", 0, 0, ASN1_STRFLGS_ESC_2253, "")
        && gives("", 0, 2, 0, "")
        && gives("", 0, 4 | TO_UTF8, 0, "");
}

static int refused(const char *bytes, int size, int type, unsigned flags, int length)
{
    SINK to;
    int limit;

    for (limit = 0; limit < length; limit++) {
        sink_begin(&to, limit);
        if (!TEST_int_lt(do_buf((unsigned char *)bytes, size, type, flags, NULL, sink, &to), 0))
            return 0;
    }
    sink_begin(&to, length);
    return TEST_int_eq(do_buf((unsigned char *)bytes, size, type, flags, NULL, sink, &to), length);
}

static int place_refuses(void)
{
    return refused("abc", 3, 1, 0, 3) && refused("a,b", 3, 1, ASN1_STRFLGS_ESC_2253, 4)
        && refused("\0a\x20\xac\0b", 6, 2, 0, 8) && refused("\0a\x20\xac\0b", 6, 2 | TO_UTF8, 0, 5)
        && refused("\xe2\x82\xac", 3, 0, 0, 6);
}

static int null_counts(void)
{
    return TEST_int_eq(do_buf((unsigned char *)"a,b\xe9", 4, 1 | TO_UTF8, ASN1_STRFLGS_ESC_2253,
                              NULL, sink, NULL), 6)
        && TEST_int_eq(do_buf((unsigned char *)"\x20\xac", 2, 2, 0, NULL, sink, NULL), 6)
        && TEST_int_eq(do_buf((unsigned char *)"\x20\xac", 2, 2 | TO_UTF8, 0, NULL, sink, NULL),
                       3);
}

static int two_and_four(void)
{
    return two() && four();
}

static int wrong_utf8_and_cut_off(void)
{
    return wrong_utf8() && cut_off();
}

int setup_tests(void)
{
    add_test("one byte for each character", one);
    add_test("two or four bytes for each character", two_and_four);
    add_test("a width of 0 is UTF-8", utf8);
    add_test("characters are converted to UTF-8", converted);
    add_test("what was converted is escaped byte by byte", converted_escaped);
    add_test("a length that is no multiple of the width is an error", multiple);
    add_test("UTF-8 that is wrong or cut off is an error", wrong_utf8_and_cut_off);
    add_test("another width is an error", another_width);
    add_test("a space at the beginning or end is escaped", space);
    add_test("a hash is escaped only at the beginning", hash);
    add_test("the ends count by characters", by_characters);
    add_test("quotes are asked for", quotes_asked);
    add_test("an empty string gives nothing", empty);
    add_test("a place that refuses is an error", place_refuses);
    add_test("a NULL argument counts", null_counts);
    return 1;
}
