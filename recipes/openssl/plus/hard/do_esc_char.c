/*---
 * tasks: [UTF8_putc-5e7f82.16, UTF8_putc-5e7f82.4, UTF8_putc-5e7f82.8]
 * tests:
 *   without flags a byte stays as it is: 'Man ASN1_STRING_print_ex: "Various characters can be escaped", by flags.'
 *   16 bits give U and four digits: 'Man: "the form \UXXXX is used using exactly four characters".'
 *   32 bits give W and eight digits: 'Man: "\WXXXXXXXX is used using eight characters".'
 *   more than 32 bits are an error: 'Comment: "passed an unsigned long", "2 or even 4 byte forms"; do_buf tests < 0.'
 *   the characters of RFC 2253 get a backslash: 'Man: ASN1_STRFLGS_ESC_2253; RFC 2253, 2.4.'
 *   a space or hash is escaped where the flags say so: 'RFC 2253, 2.4; do_buf: CHARTYPE_FIRST_ESC_2253, _LAST_.'
 *   quotes take the place of backslashes: 'Man: "the whole string is instead surrounded by double quote characters".'
 *   a quote and a backslash are escaped in quotes too: 'charmap.pl: they lack ESC_QUOTE; else the text would be open.'
 *   the mark for quotes is only ever set: 'do_print_ex sets it to 0 once for a whole string.'
 *   control characters give two digits: 'Man: ASN1_STRFLGS_ESC_CTRL; "\XX using exactly two characters".'
 *   bytes above 0x7F give two digits: 'Man: ASN1_STRFLGS_ESC_MSB.'
 *   the characters of RFC 2254 give two digits: 'asn1.h: ASN1_STRFLGS_ESC_2254; RFC 2254, 4.'
 *   a backslash is escaped if anything is: 'RFC 2253, 2.4; else the output is ambiguous; sibling do_buf; ESC_FLAGS.'
 *   a place that refuses is an error: 'do_buf: "if (len < 0) return -1"; send_bio_chars returns 0.'
 *   a NULL argument counts: 'do_print_ex counts with arg NULL first; send_bio_chars.'
 ---*/
#include "../../crypto/asn1/a_strex.c"
#include "../testutil.h"
#include "strex_sink.h"

/* Does this character give this text, as many characters as it says, also if only counted? */
static int gives_sized(unsigned long c, unsigned flags, const char *text, int size)
{
    SINK to;

    sink_begin(&to, -1);
    return TEST_int_eq(do_esc_char(c, flags, NULL, sink, &to), size)
        && TEST_mem_eq(to.text, to.size, text, size)
        && TEST_int_eq(do_esc_char(c, flags, NULL, sink, NULL), size);
}

static int gives(unsigned long c, unsigned flags, const char *text)
{
    return gives_sized(c, flags, text, strlen(text));
}

static int plain(unsigned long c, unsigned flags)
{
    char text = c;

    return gives_sized(c, flags, &text, 1);
}

static int hex(unsigned long c, unsigned flags)
{
    char text[8];

    sprintf(text, "\\%02X", (unsigned)c);
    return gives(c, flags, text);
}

static int as_it_is(void)
{
    unsigned long c;

    for (c = 0; c < 0x100; c++)
        if (!plain(c, 0))
            return 0;
    return 1;
}

static int sixteen(void)
{
    return gives(0x100, 0, "\\U0100") && gives(0xabc, 0, "\\U0ABC")
        && gives(0x20ac, ASN1_STRFLGS_ESC_MSB, "\\U20AC")
        && gives(0xffff, 0, "\\UFFFF") && gives(0x2c2c, ASN1_STRFLGS_ESC_2253, "\\U2C2C");
}

static int thirty_two(void)
{
    return gives(0x10000, 0, "\\W00010000") && gives(0x1f600, ASN1_STRFLGS_ESC_2253, "\\W0001F600")
        && gives(0x10ffff, 0, "\\W0010FFFF") && gives(0xffffffffUL, 0, "\\WFFFFFFFF")
        && gives(0x80000000UL, 0, "\\W80000000");
}

static int more(void)
{
    SINK to;

    sink_begin(&to, -1);
    return sizeof(unsigned long) == 4
        || (TEST_int_lt(do_esc_char(0x10000UL * 0x10000UL, 0, NULL, sink, &to), 0)
            && TEST_int_lt(do_esc_char(0x10000UL * 0x10000UL + 0x41, 0, NULL, sink, &to), 0)
            && TEST_int_lt(do_esc_char((unsigned long)-1, 0, NULL, sink, NULL), 0));
}

static int rfc2253(void)
{
    static const char special[] = ",+\"\\<>;";
    char text[3] = "\\?";
    unsigned long c;

    for (c = 0; c < 0x100; c++) {
        text[1] = c;
        if (c != 0 && strchr(special, c) != NULL ? !gives(c, ASN1_STRFLGS_ESC_2253, text)
                                                 : !plain(c, ASN1_STRFLGS_ESC_2253))
            return 0;
    }
    return 1;
}

static int space_or_hash(void)
{
    unsigned first = ASN1_STRFLGS_ESC_2253 | CHARTYPE_FIRST_ESC_2253;
    unsigned last = ASN1_STRFLGS_ESC_2253 | CHARTYPE_LAST_ESC_2253;

    return gives(' ', first, "\\ ") && gives('#', first, "\\#") && gives(' ', last, "\\ ")
        && plain('#', last)
        && plain('a', first) && plain('a', last) && gives(',', first, "\\,")
        && gives(',', last, "\\,")
        && plain(0xa0, first) && plain(0xa3, first) && gives(0x2020, first, "\\U2020");
}

#define IN_QUOTES (ASN1_STRFLGS_ESC_2253 | ASN1_STRFLGS_ESC_QUOTE)

static int wants_quotes(unsigned long c, unsigned flags, int wants)
{
    SINK to;
    char quotes = 0, text = c;

    sink_begin(&to, -1);
    if (!TEST_int_eq(do_esc_char(c, flags, &quotes, sink, &to), 1)
            || !TEST_mem_eq(to.text, to.size, &text, 1)
            || !TEST_int_eq(quotes != 0, wants))
        return 0;
    quotes = 0;
    return TEST_int_eq(do_esc_char(c, flags, &quotes, sink, NULL), 1)
        && TEST_int_eq(quotes != 0, wants);
}

static int quoted(void)
{
    const char *c;

    for (c = ",+<>;"; *c != '\0'; c++)
        if (!wants_quotes(*c, IN_QUOTES, 1) || !plain(*c, IN_QUOTES))
            return 0;
    for (c = "aZ0=. #'"; *c != '\0'; c++)
        if (!wants_quotes(*c, IN_QUOTES, 0))
            return 0;
    return wants_quotes(' ', IN_QUOTES | CHARTYPE_FIRST_ESC_2253, 1)
        && wants_quotes('#', IN_QUOTES | CHARTYPE_FIRST_ESC_2253, 1)
        && wants_quotes(' ', IN_QUOTES | CHARTYPE_LAST_ESC_2253, 1)
        && wants_quotes('#', IN_QUOTES | CHARTYPE_LAST_ESC_2253, 0);
}

static int quote_and_backslash(void)
{
    SINK to;
    char quotes = 0;

    sink_begin(&to, -1);
    return TEST_int_eq(do_esc_char('"', IN_QUOTES, &quotes, sink, &to), 2)
        && TEST_str_eq(to.text, "\\\"")
        && TEST_int_eq(do_esc_char('\\', IN_QUOTES, &quotes, sink, &to), 2)
        && TEST_str_eq(to.text, "\\\"\\\\");
}

static int only_set(void)
{
    char quotes = 1;

    return TEST_int_eq(do_esc_char('a', IN_QUOTES, &quotes, sink, NULL), 1)
        && TEST_int_eq(quotes, 1)
        && TEST_int_eq(do_esc_char('"', IN_QUOTES, &quotes, sink, NULL), 2)
        && TEST_int_eq(quotes, 1)
        && TEST_int_eq(do_esc_char(0x20ac, IN_QUOTES, &quotes, sink, NULL), 6)
        && TEST_int_eq(quotes, 1);
}

static int control(void)
{
    unsigned long c;

    for (c = 0; c < 0x100; c++)
        if (c < 0x20 || c == 0x7f ? !hex(c, ASN1_STRFLGS_ESC_CTRL)
                                  : c != '\\' && !plain(c, ASN1_STRFLGS_ESC_CTRL))
            return 0;
    return 1;
}

static int msb(void)
{
    unsigned long c;

    for (c = 0; c < 0x100; c++)
        if (c > 0x7f ? !hex(c, ASN1_STRFLGS_ESC_MSB)
                || !hex(c, ASN1_STRFLGS_ESC_MSB | ASN1_STRFLGS_ESC_2253)
                     : c != '\\' && !plain(c, ASN1_STRFLGS_ESC_MSB))
            return 0;
    return 1;
}

static int rfc2254(void)
{
    return hex('(', ASN1_STRFLGS_ESC_2254) && hex(')', ASN1_STRFLGS_ESC_2254)
        && hex('*', ASN1_STRFLGS_ESC_2254)
        && hex('\\', ASN1_STRFLGS_ESC_2254) && hex(0, ASN1_STRFLGS_ESC_2254)
        && plain('a', ASN1_STRFLGS_ESC_2254) && plain(',', ASN1_STRFLGS_ESC_2254)
        && plain(0x01, ASN1_STRFLGS_ESC_2254) && plain(0xe9, ASN1_STRFLGS_ESC_2254)
        && plain('(', ASN1_STRFLGS_ESC_2253 | ASN1_STRFLGS_ESC_CTRL | ASN1_STRFLGS_ESC_MSB);
}

static int backslash(void)
{
    return gives('\\', ASN1_STRFLGS_ESC_CTRL, "\\\\") && gives('\\', ASN1_STRFLGS_ESC_MSB, "\\\\")
        && gives('\\', ASN1_STRFLGS_ESC_2253, "\\\\")
        && gives('\\', ASN1_STRFLGS_ESC_QUOTE, "\\\\")
        && plain('\\', 0) && plain('\\', ASN1_STRFLGS_UTF8_CONVERT);
}

/* Is it an error whatever part of the text is refused? */
static int refused(unsigned long c, unsigned flags, int size)
{
    SINK to;
    int limit;

    for (limit = 0; limit < size; limit++) {
        sink_begin(&to, limit);
        if (!TEST_int_lt(do_esc_char(c, flags, NULL, sink, &to), 0))
            return 0;
    }
    sink_begin(&to, size);
    return TEST_int_eq(do_esc_char(c, flags, NULL, sink, &to), size);
}

static int place_refuses(void)
{
    return refused('a', 0, 1) && refused(',', ASN1_STRFLGS_ESC_2253, 2)
        && refused(',', IN_QUOTES, 1)
        && refused('\n', ASN1_STRFLGS_ESC_CTRL, 3) && refused(0xe9, ASN1_STRFLGS_ESC_MSB, 3)
        && refused('\\', ASN1_STRFLGS_ESC_CTRL, 2) && refused(0x20ac, 0, 6)
        && refused(0x1f600, 0, 10);
}

static int null_counts(void)
{
    return TEST_int_eq(do_esc_char('a', 0, NULL, sink, NULL), 1)
        && TEST_int_eq(do_esc_char(',', ASN1_STRFLGS_ESC_2253, NULL, sink, NULL), 2)
        && TEST_int_eq(do_esc_char(1, ASN1_STRFLGS_ESC_CTRL, NULL, sink, NULL), 3)
        && TEST_int_eq(do_esc_char(0x20ac, 0, NULL, sink, NULL), 6)
        && TEST_int_eq(do_esc_char(0x1f600, 0, NULL, sink, NULL), 10);
}

int setup_tests(void)
{
    add_test("without flags a byte stays as it is", as_it_is);
    add_test("16 bits give U and four digits", sixteen);
    add_test("32 bits give W and eight digits", thirty_two);
    add_test("more than 32 bits are an error", more);
    add_test("the characters of RFC 2253 get a backslash", rfc2253);
    add_test("a space or hash is escaped where the flags say so", space_or_hash);
    add_test("quotes take the place of backslashes", quoted);
    add_test("a quote and a backslash are escaped in quotes too", quote_and_backslash);
    add_test("the mark for quotes is only ever set", only_set);
    add_test("control characters give two digits", control);
    add_test("bytes above 0x7F give two digits", msb);
    add_test("the characters of RFC 2254 give two digits", rfc2254);
    add_test("a backslash is escaped if anything is", backslash);
    add_test("a place that refuses is an error", place_refuses);
    add_test("a NULL argument counts", null_counts);
    return 1;
}
