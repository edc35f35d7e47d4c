/*---
 * tasks: [UTF8_putc-5e7f82.16, UTF8_putc-5e7f82.4, UTF8_putc-5e7f82.8]
 * tests:
 *   the width is that of the type: 'tag2nbyte; man ASN1_STRING_print_ex: \UXXXX without conversion.'
 *   a type without characters is taken byte by byte: 'Man: "are assumed to be one byte per character".'
 *   such a type is dumped with DUMP_UNKNOWN: 'Man: "if ASN1_STRFLGS_DUMP_UNKNOWN is set then they will be dumped".'
 *   any type is dumped with DUMP_ALL: 'Man: "If ASN1_STRFLGS_DUMP_ALL is set then any type is dumped".'
 *   the whole encoding is dumped with DUMP_DER: 'Man: "the complete encoding is dumped instead"; RFC 2253, 2.4.'
 *   the type is passed over with IGNORE_TYPE: 'Man: "everything is assumed to be one byte per character".'
 *   the type is shown with SHOW_TYPE: 'Man: "the string type itself is printed out before its value"; ASN1_tag2str.'
 *   characters are converted with UTF8_CONVERT: 'Man: "characters are converted to UTF8 format first".'
 *   UTF-8 is not converted twice: 'Man: ASN1_STRFLGS_UTF8_CONVERT; do_name_ex of a UTF8String in RFC 2253.'
 *   quotes are put around a text that needs them:
 *     'Man: "the whole string is instead surrounded by double quote characters".'
 *   only the flags for escapes escape: 'ESC_FLAGS; asn1.h, charmap.h and x509.h: others have the same bits.'
 *   wrong content is an error: 'Comment: "-1 if an error occurred"; do_buf.'
 *   a place that refuses is an error: 'Comment: "-1 if an error occurred".'
 *   a NULL argument counts: 'send_bio_chars: takes NULL; comment: "Returns number of characters written".'
 *   the string stays as it was: 'Signature: const ASN1_STRING *str.'
 ---*/
#include "../../crypto/asn1/a_strex.c"
#include "../testutil.h"
#include "strex_sink.h"

static void make(ASN1_STRING *str, int type, const char *bytes, int size)
{
    memset(str, 0, sizeof(*str));
    str->type = type;
    str->data = (unsigned char *)bytes;
    str->length = size;
}

/* Does this string give this text, as many characters as it says, also if it is only counted? */
static int gives(int type, const char *bytes, int size, unsigned long flags, const char *text)
{
    ASN1_STRING str;
    SINK to;

    make(&str, type, bytes, size);
    sink_begin(&to, -1);
    return TEST_int_eq(do_print_ex(sink, &to, flags, &str), strlen(text))
        && TEST_str_eq(to.text, text)
        && TEST_int_eq(do_print_ex(sink, NULL, flags, &str), strlen(text));
}

static int width(void)
{
    return gives(V_ASN1_UTF8STRING, "\xe2\x82\xac" "a", 4, 0, "\\U20ACa")
        && gives(V_ASN1_BMPSTRING, "\x20\xac\0a", 4, 0, "\\U20ACa")
        && gives(V_ASN1_UNIVERSALSTRING, "\0\x01\xf6\0\0\0\0a", 8, 0, "\\W0001F600a")
        && gives(V_ASN1_PRINTABLESTRING, "a,b", 3, 0, "a,b")
        && gives(V_ASN1_IA5STRING, "a@b", 3, 0, "a@b")
        && gives(V_ASN1_T61STRING, "\xe9", 1, 0, "\xe9")
        && gives(V_ASN1_NUMERICSTRING, "12", 2, 0, "12")
        && gives(V_ASN1_VISIBLESTRING, "v", 1, ASN1_STRFLGS_DUMP_UNKNOWN, "v")
        && gives(V_ASN1_UTCTIME, "200101000000Z", 13, ASN1_STRFLGS_DUMP_UNKNOWN, "200101000000Z")
        && gives(V_ASN1_GENERALIZEDTIME, "20200101000000Z", 15, ASN1_STRFLGS_DUMP_UNKNOWN,
                 "20200101000000Z")
        && gives(V_ASN1_BMPSTRING, "", 0, 0, "")
        && gives(V_ASN1_UTF8STRING, "", 0, ASN1_STRFLGS_RFC2253, "");
}

static int without_characters(void)
{
    return gives(V_ASN1_OCTET_STRING, "a\xe9,", 3, ASN1_STRFLGS_ESC_MSB | ASN1_STRFLGS_ESC_2253,
                 "a\\E9\\,")
        && gives(V_ASN1_GENERALSTRING, "gen", 3, 0, "gen")
        && gives(V_ASN1_NEG_INTEGER, "ab", 2, 0, "ab") && gives(31, "ab", 2, 0, "ab")
        && gives(V_ASN1_OTHER, "ab", 2, 0, "ab") && gives(V_ASN1_UNDEF, "ab", 2, 0, "ab")
        && gives(V_ASN1_OCTET_STRING, "\xe9", 1, ASN1_STRFLGS_UTF8_CONVERT, "\xc3\xa9");
}

static int unknown(void)
{
    return gives(V_ASN1_OCTET_STRING, "a\xe9,", 3, ASN1_STRFLGS_DUMP_UNKNOWN, "#61E92C")
        && gives(V_ASN1_GENERALSTRING, "gen", 3, ASN1_STRFLGS_DUMP_UNKNOWN, "#67656E")
        && gives(V_ASN1_NEG_INTEGER, "\x01", 1, ASN1_STRFLGS_DUMP_UNKNOWN, "#01")
        && gives(31, "ab", 2, ASN1_STRFLGS_DUMP_UNKNOWN, "#6162")
        && gives(V_ASN1_UNDEF, "ab", 2, ASN1_STRFLGS_DUMP_UNKNOWN, "#6162")
        && gives(32 + V_ASN1_UTF8STRING, "ab", 2, ASN1_STRFLGS_DUMP_UNKNOWN, "#6162")
        && gives(0, "ab", 2, ASN1_STRFLGS_DUMP_UNKNOWN, "#6162")
        && gives(V_ASN1_SEQUENCE, "", 0, ASN1_STRFLGS_DUMP_UNKNOWN, "#")
        && gives(V_ASN1_OCTET_STRING, "a,", 2,
                 ASN1_STRFLGS_RFC2253 & ~ASN1_STRFLGS_DUMP_DER, "#612C");
}

static int all(void)
{
    return gives(V_ASN1_PRINTABLESTRING, "ab", 2, ASN1_STRFLGS_DUMP_ALL, "#6162")
        && gives(V_ASN1_BMPSTRING, "\x20\xac", 2, ASN1_STRFLGS_DUMP_ALL, "#20AC")
        && gives(V_ASN1_BMPSTRING, "\x20\xac\0", 3, ASN1_STRFLGS_DUMP_ALL, "#20AC00")
        && gives(V_ASN1_UTF8STRING, "\xe2\x82", 2, ASN1_STRFLGS_DUMP_ALL, "#E282")
        && gives(V_ASN1_PRINTABLESTRING, "ab", 2,
                 ASN1_STRFLGS_DUMP_ALL | ASN1_STRFLGS_IGNORE_TYPE, "#6162")
        && gives(V_ASN1_PRINTABLESTRING, " ,", 2, ASN1_STRFLGS_DUMP_ALL | ASN1_STRFLGS_ESC_2253
                 | ASN1_STRFLGS_ESC_QUOTE, "#202C");
}

static int der(void)
{
    return gives(V_ASN1_PRINTABLESTRING, "ab", 2, ASN1_STRFLGS_DUMP_ALL | ASN1_STRFLGS_DUMP_DER,
                 "#13026162")
        && gives(V_ASN1_OCTET_STRING, "\x01", 1, ASN1_STRFLGS_RFC2253, "#040101")
        && gives(V_ASN1_PRINTABLESTRING, "ab", 2, ASN1_STRFLGS_DUMP_DER, "ab");
}

static int ignore(void)
{
    return gives(V_ASN1_BMPSTRING, "\x20z\0a", 4,
                 ASN1_STRFLGS_IGNORE_TYPE | ASN1_STRFLGS_ESC_CTRL, " z\\00a")
        && gives(V_ASN1_UTF8STRING, "\xe2\x82\xac", 3, ASN1_STRFLGS_IGNORE_TYPE, "\xe2\x82\xac")
        && gives(V_ASN1_UNIVERSALSTRING, "abc", 3, ASN1_STRFLGS_IGNORE_TYPE, "abc")
        && gives(V_ASN1_OCTET_STRING, "ab", 2,
                 ASN1_STRFLGS_IGNORE_TYPE | ASN1_STRFLGS_DUMP_UNKNOWN, "ab")
        && gives(V_ASN1_UTF8STRING, "\xe9", 1,
                 ASN1_STRFLGS_IGNORE_TYPE | ASN1_STRFLGS_UTF8_CONVERT, "\xc3\xa9");
}

static int show(void)
{
    return gives(V_ASN1_BMPSTRING, "\0a", 2, ASN1_STRFLGS_SHOW_TYPE, "BMPSTRING:a")
        && gives(V_ASN1_UTF8STRING, "", 0, ASN1_STRFLGS_SHOW_TYPE, "UTF8STRING:")
        && gives(V_ASN1_OCTET_STRING, "a", 1, ASN1_STRFLGS_SHOW_TYPE | ASN1_STRFLGS_DUMP_UNKNOWN,
                 "OCTET STRING:#61")
        && gives(V_ASN1_PRINTABLESTRING, "ab", 2,
                 ASN1_STRFLGS_SHOW_TYPE | ASN1_STRFLGS_IGNORE_TYPE,
                 "PRINTABLESTRING:ab")
        && gives(V_ASN1_IA5STRING, "a,", 2,
                 ASN1_STRFLGS_SHOW_TYPE | ASN1_STRFLGS_DUMP_ALL | ASN1_STRFLGS_DUMP_DER,
                 "IA5STRING:#1602612C")
        && gives(V_ASN1_NEG_INTEGER, "a", 1, ASN1_STRFLGS_SHOW_TYPE, "INTEGER:a")
        && gives(V_ASN1_PRINTABLESTRING, "a,", 2, ASN1_STRFLGS_SHOW_TYPE | ASN1_STRFLGS_ESC_2253
                 | ASN1_STRFLGS_ESC_QUOTE, "PRINTABLESTRING:\"a,\"");
}

static int convert(void)
{
    return gives(V_ASN1_BMPSTRING, "\x20\xac\0\xe9", 4, ASN1_STRFLGS_UTF8_CONVERT,
                 "\xe2\x82\xac\xc3\xa9")
        && gives(V_ASN1_UNIVERSALSTRING, "\0\x01\xf6\0", 4, ASN1_STRFLGS_UTF8_CONVERT,
                 "\xf0\x9f\x98\x80")
        && gives(V_ASN1_T61STRING, "\xe9", 1, ASN1_STRFLGS_UTF8_CONVERT, "\xc3\xa9")
        && gives(V_ASN1_BMPSTRING, "\0\xe9\0,", 4, ASN1_STRFLGS_RFC2253, "\\C3\\A9\\,");
}

static int not_twice(void)
{
    return gives(V_ASN1_UTF8STRING, "\xe2\x82\xac\xc3\xa9", 5, ASN1_STRFLGS_UTF8_CONVERT,
                 "\xe2\x82\xac\xc3\xa9")
        && gives(V_ASN1_UTF8STRING, "Lu\xc4\x8di\xc4\x87", 7, ASN1_STRFLGS_RFC2253,
                 "Lu\\C4\\8Di\\C4\\87")
        && gives(V_ASN1_UTF8STRING, " \xc3\xa9 ", 4, ASN1_STRFLGS_RFC2253, "\\ \\C3\\A9\\ ");
}

#define IN_QUOTES (ASN1_STRFLGS_ESC_2253 | ASN1_STRFLGS_ESC_QUOTE)

static int quotes(void)
{
    return gives(V_ASN1_PRINTABLESTRING, "a,b", 3, IN_QUOTES, "\"a,b\"")
        && gives(V_ASN1_PRINTABLESTRING, " a", 2, IN_QUOTES, "\" a\"")
        && gives(V_ASN1_PRINTABLESTRING, "a ", 2, IN_QUOTES, "\"a \"")
        && gives(V_ASN1_BMPSTRING, "\0a\0+\0\"", 6, IN_QUOTES | ASN1_STRFLGS_UTF8_CONVERT,
                 "\"a+\\\"\"")
        && gives(V_ASN1_UTF8STRING, "<\xc3\xa9>", 4,
                 IN_QUOTES | ASN1_STRFLGS_ESC_MSB | ASN1_STRFLGS_UTF8_CONVERT,
                 "\"<\\C3\\A9>\"");
}

static int no_quotes(void)
{
    return gives(V_ASN1_PRINTABLESTRING, "a b", 3, IN_QUOTES, "a b")
        && gives(V_ASN1_PRINTABLESTRING, "a,b", 3, ASN1_STRFLGS_ESC_2253, "a\\,b")
        && gives(V_ASN1_PRINTABLESTRING, "a,b", 3, 0, "a,b")
        && gives(V_ASN1_PRINTABLESTRING, "", 0, IN_QUOTES, "")
        && gives(V_ASN1_T61STRING, "a\xe9", 2, IN_QUOTES | ASN1_STRFLGS_ESC_MSB, "a\\E9");
}

static int only_escapes(void)
{
    return gives(V_ASN1_PRINTABLESTRING, "a b #c", 6,
                 ASN1_STRFLGS_ESC_2253 | ASN1_STRFLGS_SHOW_TYPE,
                 "PRINTABLESTRING:a b #c")
        && gives(V_ASN1_PRINTABLESTRING, "a b #c", 6,
                 ASN1_STRFLGS_ESC_2253 | ASN1_STRFLGS_IGNORE_TYPE, "a b #c")
        && gives(V_ASN1_PRINTABLESTRING, "a.b c", 5,
                 ASN1_STRFLGS_ESC_2253 | ASN1_STRFLGS_UTF8_CONVERT, "a.b c")
        && gives(V_ASN1_IA5STRING, "a\\b", 3,
                 ASN1_STRFLGS_UTF8_CONVERT | ASN1_STRFLGS_DUMP_UNKNOWN, "a\\b")
        && gives(V_ASN1_IA5STRING, "(a)", 3, ASN1_STRFLGS_ESC_2254, "\\28a\\29");
}

static int above(void)
{
    return gives(V_ASN1_PRINTABLESTRING, "a,b", 3, XN_FLAG_RFC2253, "a\\,b")
        && gives(V_ASN1_PRINTABLESTRING, "a,b", 3, XN_FLAG_ONELINE, "\"a,b\"")
        && gives(V_ASN1_PRINTABLESTRING, "a,b", 3, 0xffff0000UL, "a,b");
}

static int wrong(int type, const char *bytes, int size, unsigned long flags)
{
    ASN1_STRING str;
    SINK to;

    make(&str, type, bytes, size);
    sink_begin(&to, -1);
    return TEST_int_eq(do_print_ex(sink, &to, flags, &str), -1)
        && TEST_int_eq(do_print_ex(sink, NULL, flags, &str), -1);
}

static int wrong_content(void)
{
    return wrong(V_ASN1_BMPSTRING, "\0a\0", 3, 0)
        && wrong(V_ASN1_UNIVERSALSTRING, "\0\0\0a\0", 5, 0)
        && wrong(V_ASN1_UTF8STRING, "a\xe9z", 3, 0)
        && wrong(V_ASN1_UTF8STRING, "\xe2\x82", 2, ASN1_STRFLGS_SHOW_TYPE)
        && wrong(V_ASN1_BMPSTRING, "\0a\0", 3, ASN1_STRFLGS_RFC2253);
}

static int refused(int type, const char *bytes, int size, unsigned long flags)
{
    ASN1_STRING str;
    SINK to;
    int at, length;

    make(&str, type, bytes, size);
    length = do_print_ex(sink, NULL, flags, &str);
    for (at = 0; at < length; at++) {
        sink_begin(&to, at);
        if (!TEST_int_eq(do_print_ex(sink, &to, flags, &str), -1))
            return 0;
    }
    return TEST_int_gt(length, 0);
}

static int place_refuses(void)
{
    return refused(V_ASN1_PRINTABLESTRING, "a,b", 3, IN_QUOTES)
        && refused(V_ASN1_PRINTABLESTRING, "a,b", 3, 0)
        && refused(V_ASN1_PRINTABLESTRING, "a,b", 3,
                   ASN1_STRFLGS_SHOW_TYPE | ASN1_STRFLGS_ESC_2253)
        && refused(V_ASN1_OCTET_STRING, "ab", 2,
                   ASN1_STRFLGS_SHOW_TYPE | ASN1_STRFLGS_DUMP_UNKNOWN)
        && refused(V_ASN1_OCTET_STRING, "ab", 2, ASN1_STRFLGS_RFC2253);
}

static int null_counts(void)
{
    ASN1_STRING str;

    make(&str, V_ASN1_BMPSTRING, "\0a\0,", 4);
    return TEST_int_eq(do_print_ex(sink, NULL, 0, &str), 2)
        && TEST_int_eq(do_print_ex(sink, NULL, ASN1_STRFLGS_ESC_2253, &str), 3)
        && TEST_int_eq(do_print_ex(sink, NULL, IN_QUOTES, &str), 4)
        && TEST_int_eq(do_print_ex(sink, NULL, IN_QUOTES | ASN1_STRFLGS_SHOW_TYPE, &str), 14)
        && TEST_int_eq(do_print_ex(sink, NULL, ASN1_STRFLGS_DUMP_ALL, &str), 9)
        && TEST_int_eq(do_print_ex(sink, NULL, ASN1_STRFLGS_DUMP_ALL | ASN1_STRFLGS_DUMP_DER,
                                   &str), 13);
}

static int stays(void)
{
    static const unsigned long flags[] =
        { 0, ASN1_STRFLGS_RFC2253, IN_QUOTES, ASN1_STRFLGS_DUMP_ALL,
        ASN1_STRFLGS_DUMP_ALL | ASN1_STRFLGS_DUMP_DER, ASN1_STRFLGS_IGNORE_TYPE,
            ASN1_STRFLGS_UTF8_CONVERT };
    char bytes[] = "\0a\0,";
    ASN1_STRING str;
    SINK to;
    size_t i;

    for (i = 0; i < OSSL_NELEM(flags); i++) {
        make(&str, V_ASN1_BMPSTRING, bytes, 4);
        sink_begin(&to, -1);
        if (!TEST_int_gt(do_print_ex(sink, &to, flags[i], &str), 0)
                || !TEST_int_eq(str.type, V_ASN1_BMPSTRING) || !TEST_int_eq(str.length, 4)
                || !TEST_ptr_eq(str.data, bytes) || !TEST_mem_eq(bytes, 4, "\0a\0,", 4))
            return 0;
    }
    return 1;
}

static int quotes_and_no_quotes(void)
{
    return quotes() && no_quotes();
}

static int only_escapes_and_above(void)
{
    return only_escapes() && above();
}

int setup_tests(void)
{
    add_test("the width is that of the type", width);
    add_test("a type without characters is taken byte by byte", without_characters);
    add_test("such a type is dumped with DUMP_UNKNOWN", unknown);
    add_test("any type is dumped with DUMP_ALL", all);
    add_test("the whole encoding is dumped with DUMP_DER", der);
    add_test("the type is passed over with IGNORE_TYPE", ignore);
    add_test("the type is shown with SHOW_TYPE", show);
    add_test("characters are converted with UTF8_CONVERT", convert);
    add_test("UTF-8 is not converted twice", not_twice);
    add_test("quotes are put around a text that needs them", quotes_and_no_quotes);
    add_test("only the flags for escapes escape", only_escapes_and_above);
    add_test("wrong content is an error", wrong_content);
    add_test("a place that refuses is an error", place_refuses);
    add_test("a NULL argument counts", null_counts);
    add_test("the string stays as it was", stays);
    return 1;
}
