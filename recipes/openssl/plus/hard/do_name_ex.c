/*---
 * tasks: [UTF8_putc-5e7f82.16, UTF8_putc-5e7f82.8]
 * tests:
 *   RFC 2253 is reversed and has commas: 'Man X509_NAME_print_ex: XN_FLAG_RFC2253; RFC 2253, 2.'
 *   one line has spaces and quotes: 'Man: XN_FLAG_ONELINE.'
 *   several lines are indented and aligned: 'Man: "Each line (for multiline formats) is indented by indent spaces".'
 *   each format has its separators: 'Man: "XN_FLAG_SEP_COMMA_PLUS uses comma and plus as separators" and so on.'
 *   several values have the second separator, reversed too: 'Man: "Two distinct separators are used"; XN_FLAG_DN_REV.'
 *   only the first line of other formats is indented, a negative indent is none:
 *     'Man: "Each line (for multiline formats)"; do_indent.'
 *   a field has the name that is asked for: 'Man: XN_FLAG_FN_SN, _LN, _OID, _NONE.'
 *   a field without a name has its number and is dumped on demand:
 *     'Man: "only used if the field name is not recognised"; XN_FLAG_DUMP_UNKNOWN_FIELDS.'
 *   spaces and padding come on demand: 'Man: XN_FLAG_SPC_EQ, XN_FLAG_FN_ALIGN; FN_WIDTH_LN, FN_WIDTH_SN.'
 *   the flags for strings count for each value: 'Man: "all the options supported by ASN1_STRING_print_ex()".'
 *   an empty name is no error: 'Man: "-1 on error"; RFC 2253, 2.1: an empty string.'
 *   a separator is needed: 'XN_FLAG_SEP_MASK; man: "-1 on error".'
 *   a value that cannot be printed is an error: 'Man: "-1 on error"; do_print_ex.'
 *   a place that refuses is an error: 'Man: "-1 on error".'
 *   what was printed gives a positive result: 'x_name.c: x509_name_ex_print and v3_ocsp.c take <= 0 for an error.'
 ---*/
#include "../../crypto/asn1/a_strex.c"
#include "../testutil.h"
#include "strex_sink.h"
#include "x509_names.h"

/* Does the name give this text? Frees it. */
static int gives(X509_NAME *name, int indent, unsigned long flags, const char *text)
{
    SINK to;
    int ok;

    sink_begin(&to, -1);
    ok = TEST_ptr(name) && TEST_int_ne(do_name_ex(sink, &to, name, indent, flags), -1)
        && TEST_str_eq(to.text, text);
    X509_NAME_free(name);
    return ok;
}

static X509_NAME *two(void)
{
    return plus_name("O=Org", "CN=Me", NULL);
}

static X509_NAME *valued(void)
{
    return plus_name("C=XX", "O=Org", "+OU=Unit", "+L=Here", "CN=Me", NULL);
}

static int rfc2253(void)
{
    return gives(two(), 0, XN_FLAG_RFC2253, "CN=Me,O=Org")
        && gives(plus_name("CN=Me", NULL), 0, XN_FLAG_RFC2253, "CN=Me")
        && gives(plus_name("C=DE", "O=A, B", "CN= L\xc4\x87", NULL), 0, XN_FLAG_RFC2253,
                 "CN=\\ L\\C4\\87,O=A\\, B,C=DE");
}

static int one_line(void)
{
    return gives(two(), 0, XN_FLAG_ONELINE, "O = Org, CN = Me")
        && gives(plus_name("C=DE", "O=A, B", "CN=Me", NULL), 0, XN_FLAG_ONELINE,
                 "C = DE, O = \"A, B\", CN = Me");
}

static int several_lines(void)
{
    return gives(two(), 4, XN_FLAG_MULTILINE,
                 "    organizationName          = Org\n    commonName                = Me")
        && gives(two(), 0, XN_FLAG_MULTILINE,
                 "organizationName          = Org\ncommonName                = Me")
        && gives(valued(), 1, XN_FLAG_MULTILINE,
                 " countryName               = XX\n"
                 " organizationName          = Org + organizationalUnitName    = "
                 "Unit + localityName              = Here\n"
                 " commonName                = Me");
}

static int separators(void)
{
    return gives(two(), 0, XN_FLAG_SEP_COMMA_PLUS, "O=Org,CN=Me")
        && gives(two(), 0, XN_FLAG_SEP_CPLUS_SPC, "O=Org, CN=Me")
        && gives(two(), 0, XN_FLAG_SEP_SPLUS_SPC, "O=Org; CN=Me")
        && gives(two(), 0, XN_FLAG_SEP_MULTILINE, "O=Org\nCN=Me");
}

static int several_values(void)
{
    return gives(valued(), 0, XN_FLAG_SEP_COMMA_PLUS, "C=XX,O=Org+OU=Unit+L=Here,CN=Me")
        && gives(valued(), 0, XN_FLAG_SEP_CPLUS_SPC, "C=XX, O=Org + OU=Unit + L=Here, CN=Me")
        && gives(valued(), 0, XN_FLAG_SEP_SPLUS_SPC, "C=XX; O=Org + OU=Unit + L=Here; CN=Me")
        && gives(valued(), 0, XN_FLAG_SEP_MULTILINE, "C=XX\nO=Org + OU=Unit + L=Here\nCN=Me")
        && gives(plus_name("O=a", "+OU=b", NULL), 0, XN_FLAG_SEP_COMMA_PLUS, "O=a+OU=b")
        && gives(plus_name("O=a", "+OU=b", "O=c", "+OU=d", NULL), 0, XN_FLAG_SEP_COMMA_PLUS,
                 "O=a+OU=b,O=c+OU=d");
}

static int values_reversed(void)
{
    return gives(valued(), 0, XN_FLAG_SEP_COMMA_PLUS | XN_FLAG_DN_REV,
                 "CN=Me,L=Here+OU=Unit+O=Org,C=XX")
        && gives(two(), 2, XN_FLAG_SEP_MULTILINE | XN_FLAG_DN_REV, "  CN=Me\n  O=Org")
        && gives(plus_name("O=a", "OU=b", "+L=c", NULL), 0, XN_FLAG_SEP_CPLUS_SPC | XN_FLAG_DN_REV,
                 "L=c + OU=b, O=a");
}

static int first_line(void)
{
    return gives(two(), 3, XN_FLAG_SEP_COMMA_PLUS, "   O=Org,CN=Me")
        && gives(two(), 3, XN_FLAG_SEP_CPLUS_SPC, "   O=Org, CN=Me")
        && gives(two(), 3, XN_FLAG_SEP_SPLUS_SPC, "   O=Org; CN=Me")
        && gives(valued(), 3, XN_FLAG_SEP_MULTILINE,
                 "   C=XX\n   O=Org + OU=Unit + L=Here\n   CN=Me");
}

static int negative(void)
{
    return gives(two(), -1, XN_FLAG_RFC2253, "CN=Me,O=Org")
        && gives(two(), -100, XN_FLAG_SEP_MULTILINE, "O=Org\nCN=Me")
        && gives(plus_name(NULL), -1, XN_FLAG_RFC2253, "");
}

static int field_name(void)
{
    return gives(two(), 0, XN_FLAG_SEP_COMMA_PLUS | XN_FLAG_FN_SN, "O=Org,CN=Me")
        && gives(two(), 0, XN_FLAG_SEP_COMMA_PLUS | XN_FLAG_FN_LN,
                 "organizationName=Org,commonName=Me")
        && gives(two(), 0, XN_FLAG_SEP_COMMA_PLUS | XN_FLAG_FN_OID, "2.5.4.10=Org,2.5.4.3=Me")
        && gives(two(), 0, XN_FLAG_SEP_COMMA_PLUS | XN_FLAG_FN_NONE, "Org,Me")
        && gives(two(), 0, XN_FLAG_SEP_COMMA_PLUS | XN_FLAG_FN_NONE | XN_FLAG_SPC_EQ, "Org,Me")
        && gives(valued(), 0, XN_FLAG_SEP_CPLUS_SPC | XN_FLAG_FN_NONE | XN_FLAG_FN_ALIGN,
                 "XX, Org + Unit + Here, Me");
}

static int without_name(void)
{
    return gives(plus_name("1.2.3.4=a", "O=b", NULL), 0, XN_FLAG_SEP_COMMA_PLUS, "1.2.3.4=a,O=b")
        && gives(plus_name("1.2.3.4=a", "O=b", NULL), 0, XN_FLAG_SEP_COMMA_PLUS | XN_FLAG_FN_LN,
                 "1.2.3.4=a,organizationName=b")
        && gives(plus_name("1.2.3.4=a", NULL), 0, XN_FLAG_SEP_COMMA_PLUS | XN_FLAG_FN_OID,
                 "1.2.3.4=a")
        && gives(plus_name("1.2.3.4=a", NULL), 0, XN_FLAG_SEP_COMMA_PLUS | XN_FLAG_FN_NONE, "a");
}

static int dumped(void)
{
    return gives(plus_name("1.2.3.4=a", "O=b", "1.2.3.5=cd", NULL), 0, XN_FLAG_RFC2253,
                 "1.2.3.5=#0C026364,O=b,1.2.3.4=#0C0161")
        && gives(plus_name("1.2.3.4=a", "O=b", NULL), 0,
                 XN_FLAG_RFC2253 & ~XN_FLAG_DUMP_UNKNOWN_FIELDS,
                 "O=b,1.2.3.4=a")
        && gives(plus_name("1.2.3.4=a,", "O=b", NULL), 0,
                 XN_FLAG_SEP_COMMA_PLUS | XN_FLAG_DUMP_UNKNOWN_FIELDS,
                 "1.2.3.4=#612C,O=b")
        && gives(plus_name("1.2.3.4=a", NULL), 0,
                 XN_FLAG_SEP_COMMA_PLUS | XN_FLAG_DUMP_UNKNOWN_FIELDS
                 | XN_FLAG_FN_NONE, "#61")
        && gives(two(), 0, XN_FLAG_SEP_COMMA_PLUS | XN_FLAG_DUMP_UNKNOWN_FIELDS | XN_FLAG_FN_OID,
                 "2.5.4.10=Org,2.5.4.3=Me");
}

static int spaces(void)
{
    return gives(two(), 0, XN_FLAG_SEP_COMMA_PLUS | XN_FLAG_SPC_EQ, "O = Org,CN = Me")
        && gives(two(), 0, XN_FLAG_SEP_COMMA_PLUS | XN_FLAG_SPC_EQ | XN_FLAG_FN_LN,
                 "organizationName = Org,commonName = Me");
}

static int padded(void)
{
    unsigned long flags = XN_FLAG_SEP_COMMA_PLUS | XN_FLAG_FN_ALIGN;

    return gives(two(), 0, flags, "O         =Org,CN        =Me")
        && gives(plus_name("serialNumber=7", "emailAddress=a", "GN=b", NULL), 0, flags,
                 "serialNumber=7,emailAddress=a,GN        =b")
        && gives(two(), 0, flags | XN_FLAG_FN_LN,
                 "organizationName         =Org,commonName               =Me")
        && gives(plus_name("jurisdictionST=a", "ST=b", NULL), 0, flags | XN_FLAG_FN_LN,
                 "jurisdictionStateOrProvinceName=a,stateOrProvinceName      =b")
        && gives(two(), 0, flags | XN_FLAG_SPC_EQ, "O          = Org,CN         = Me")
        && gives(two(), 0, XN_FLAG_SEP_COMMA_PLUS | XN_FLAG_FN_LN,
                 "organizationName=Org,commonName=Me");
}

static int string_flags(void)
{
    return gives(plus_name("O=\xe2\x82\xac", "CN=a", NULL), 0, XN_FLAG_SEP_COMMA_PLUS,
                 "O=\\U20AC,CN=a")
        && gives(plus_name("O=\xe2\x82\xac", "CN=a", NULL), 0,
                 XN_FLAG_SEP_COMMA_PLUS | ASN1_STRFLGS_UTF8_CONVERT,
                 "O=\xe2\x82\xac,CN=a")
        && gives(plus_name("O=b", "CN=a", NULL), 0, XN_FLAG_SEP_COMMA_PLUS | ASN1_STRFLGS_SHOW_TYPE,
                 "O=UTF8STRING:b,CN=UTF8STRING:a")
        && gives(plus_name("O=b", "1.2.3=a", "CN=z", NULL), 0,
                 XN_FLAG_SEP_COMMA_PLUS | ASN1_STRFLGS_DUMP_ALL,
                 "O=#62,1.2.3=#61,CN=#7A")
        && gives(plus_name("O=a+b", "CN=a,", NULL), 0, XN_FLAG_SEP_COMMA_PLUS, "O=a+b,CN=a,");
}

static int empty(void)
{
    return gives(plus_name(NULL), 0, XN_FLAG_RFC2253, "")
        && gives(plus_name(NULL), 2, XN_FLAG_MULTILINE, "  ")
        && gives(plus_name("CN=", NULL), 0, XN_FLAG_RFC2253, "CN=");
}

static int no_separator(void)
{
    X509_NAME *name = two();
    SINK to;
    int ok;

    sink_begin(&to, -1);
    ok = TEST_int_eq(do_name_ex(sink, &to, name, 0, XN_FLAG_FN_LN), -1)
        && TEST_int_eq(do_name_ex(sink, &to, name, 0, ASN1_STRFLGS_RFC2253), -1)
        && TEST_int_eq(do_name_ex(sink, &to, name, 0, 5 << 16), -1)
        && TEST_int_eq(do_name_ex(sink, &to, name, 0, XN_FLAG_RFC2253 | XN_FLAG_SEP_MASK), -1);
    X509_NAME_free(name);
    return ok;
}

static int bad_value(void)
{
    X509_NAME *name = plus_name("O=Org", "L=a\xff", "CN=Me", NULL);
    SINK to;
    int ok;

    sink_begin(&to, -1);
    ok = TEST_ptr(name) && TEST_int_eq(do_name_ex(sink, &to, name, 0, XN_FLAG_SEP_COMMA_PLUS), -1)
        && TEST_int_eq(do_name_ex(sink, &to, name, 0, XN_FLAG_MULTILINE), -1);
    X509_NAME_free(name);
    return ok;
}

static int refused(X509_NAME *name, int indent, unsigned long flags)
{
    SINK to;
    int at, length, ok = 1;

    sink_begin(&to, -1);
    do_name_ex(sink, &to, name, indent, flags);
    length = to.size;
    for (at = 0; at < length && ok; at++) {
        sink_begin(&to, at);
        ok = TEST_int_eq(do_name_ex(sink, &to, name, indent, flags), -1);
    }
    X509_NAME_free(name);
    return TEST_int_gt(length, 0) && ok;
}

static int place_refuses(void)
{
    return refused(valued(), 2, XN_FLAG_MULTILINE) && refused(valued(), 2, XN_FLAG_RFC2253)
        && refused(plus_name("1.2.3=a", "O=b,", NULL), 2, XN_FLAG_RFC2253)
        && refused(valued(), 0, XN_FLAG_SEP_SPLUS_SPC | XN_FLAG_FN_NONE);
}

static int positive(void)
{
    X509_NAME *name = two();
    SINK to;
    int ok;

    sink_begin(&to, -1);
    ok = TEST_int_gt(do_name_ex(sink, &to, name, 0, XN_FLAG_RFC2253), 0)
        && TEST_int_gt(do_name_ex(sink, &to, name, 4, XN_FLAG_MULTILINE), 0)
        && TEST_int_gt(do_name_ex(sink, &to, name, -50, XN_FLAG_ONELINE), 0);
    X509_NAME_free(name);
    return ok;
}

static int without_name_and_dumped(void)
{
    return without_name() && dumped();
}

static int spaces_and_padded(void)
{
    return spaces() && padded();
}

static int several_values_and_values_reversed(void)
{
    return several_values() && values_reversed();
}

static int first_line_and_negative(void)
{
    return first_line() && negative();
}

int setup_tests(void)
{
    add_test("RFC 2253 is reversed and has commas", rfc2253);
    add_test("one line has spaces and quotes", one_line);
    add_test("several lines are indented and aligned", several_lines);
    add_test("each format has its separators", separators);
    add_test("several values have the second separator, reversed too",
             several_values_and_values_reversed);
    add_test("only the first line of other formats is indented, a negative indent is none",
             first_line_and_negative);
    add_test("a field has the name that is asked for", field_name);
    add_test("a field without a name has its number and is dumped on demand",
             without_name_and_dumped);
    add_test("spaces and padding come on demand", spaces_and_padded);
    add_test("the flags for strings count for each value", string_flags);
    add_test("an empty name is no error", empty);
    add_test("a separator is needed", no_separator);
    add_test("a value that cannot be printed is an error", bad_value);
    add_test("a place that refuses is an error", place_refuses);
    add_test("what was printed gives a positive result", positive);
    return 1;
}
