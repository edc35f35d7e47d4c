/*---
 * tasks: [UTF8_putc-5e7f82.16, UTF8_putc-5e7f82.8]
 * tests:
 *   a primitive type is described: 'Man openssl-asn1parse: "  373:d=2  hl=3 l= 162 prim: ..." and what each is.'
 *   a constructed type is described: 'Man openssl-asn1parse: "cons:".'
 *   an indefinite length is told: 'Caller asn1_parse2: "if j == 0x21 it is a constructed indefinite length object".'
 *   the fields have their widths: 'Man openssl-asn1parse, the example; 25-test_pkcs8.t: "l=   8 prim:".'
 *   wide fields are written in full: 'Signature: long offset, long len; man openssl-asn1parse.'
 *   the class is told: 'Man openssl-asn1parse: "cont [ 3 ]"; asn1.h: V_ASN1_APPLICATION and so on.'
 *   a universal tag above 30 is told by its number: 'Caller passes any tag; sibling ASN1_tag2str ends at 30.'
 *   the type is indented: 'Man openssl-asn1parse: "-i Indents the output according to the depth".'
 *   the value can follow: 'Caller asn1_parse2 writes ":" and the value behind it; man: in a column of its own.'
 *   the BIO is as it was afterwards: 'Caller asn1_parse2 writes to bp; no filter stays on it.'
 *   a BIO of the prefix kind keeps its indent: 'Caller ASN1_parse; apps/asn1parse.c prints to one; saved indent.'
 *   a BIO of the prefix kind is not wrapped: 'Caller asn1_parse2 writes to bp; its chain is the caller''s.'
 *   a BIO that fails gives 0: 'Caller asn1_parse2: "if (!asn1_print_info(...)) goto end".'
 *   a BIO that failed is as it was: 'Caller asn1_parse2 returns, and its caller goes on with bp.'
 *   nothing is leaked or freed twice: 'Signature: BIO *bp is the caller''s.'
 ---*/
#include "../../crypto/bio/bio_local.h"
#include "../../crypto/asn1/asn1_parse.c"
#include "../testutil.h"
#include "memory_count.h"
#include "keeping_bio.h"

static int prints(long offset, int depth, int hl, long len, int tag, int xclass, int constructed,
                  int indent, const char *text)
{
    BIO *out = bio_new();
    int ok;

    ok = TEST_ptr(out)
        && TEST_true(asn1_print_info(out, offset, depth, hl, len, tag, xclass, constructed,
                                     indent))
        && TEST_str_eq(bio_text, text);
    BIO_free(out);
    return ok;
}

static int primitive(void)
{
    return prints(0, 0, 2, 5, V_ASN1_INTEGER, V_ASN1_UNIVERSAL, 0, 0,
                  "    0:d=0  hl=2 l=   5 prim: INTEGER           ")
        && prints(386, 5, 2, 22, V_ASN1_OCTET_STRING, V_ASN1_UNIVERSAL, 0, 0,
                  "  386:d=5  hl=2 l=  22 prim: OCTET STRING      ")
        && prints(7, 1, 2, 0, V_ASN1_NULL, V_ASN1_UNIVERSAL, 0, 0,
                  "    7:d=1  hl=2 l=   0 prim: NULL              ")
        && prints(9, 1, 2, 0, V_ASN1_EOC, V_ASN1_UNIVERSAL, 0, 0,
                  "    9:d=1  hl=2 l=   0 prim: EOC               ");
}

static int constructed(void)
{
    return prints(0, 0, 4, 681, V_ASN1_SEQUENCE, V_ASN1_UNIVERSAL, V_ASN1_CONSTRUCTED, 0,
                  "    0:d=0  hl=4 l= 681 cons: SEQUENCE          ")
        && prints(4, 1, 2, 0, V_ASN1_SET, V_ASN1_UNIVERSAL, V_ASN1_CONSTRUCTED, 0,
                  "    4:d=1  hl=2 l=   0 cons: SET               ");
}

static int indefinite(void)
{
    return prints(12, 1, 2, 0, V_ASN1_SEQUENCE, V_ASN1_UNIVERSAL, V_ASN1_CONSTRUCTED | 1, 0,
                  "   12:d=1  hl=2 l=inf  cons: SEQUENCE          ")
        && prints(12, 1, 2, 0, 0, V_ASN1_CONTEXT_SPECIFIC, V_ASN1_CONSTRUCTED | 1, 0,
                  "   12:d=1  hl=2 l=inf  cons: cont [ 0 ]        ");
}

static int widths(void)
{
    return prints(12345, 10, 4, 1234, V_ASN1_INTEGER, V_ASN1_UNIVERSAL, 0, 0,
                  "12345:d=10 hl=4 l=1234 prim: INTEGER           ")
        && prints(1, 99, 2, 1, V_ASN1_GENERALIZEDTIME, V_ASN1_UNIVERSAL, 0, 0,
                  "    1:d=99 hl=2 l=   1 prim: GENERALIZEDTIME   ");
}

static int wide(void)
{
    return prints(123456789, 128, 10, 987654321, V_ASN1_OCTET_STRING, V_ASN1_UNIVERSAL, 0, 0,
                  "123456789:d=128 hl=10 l=987654321 prim: OCTET STRING      ")
        && (sizeof(long) == 4
            || prints(9876543210L, 0, 2, 9876543211L, V_ASN1_NULL, V_ASN1_UNIVERSAL, 0, 0,
                      "9876543210:d=0  hl=2 l=9876543211 prim: NULL              "));
}

/* Does the class give these characters behind "prim: "? */
static int class_gives(int tag, int xclass, const char *text)
{
    BIO *out = bio_new();
    const char *end;
    int ok;

    ok = TEST_true(asn1_print_info(out, 0, 0, 2, 1, tag, xclass, 0, 0))
        && TEST_int_gt(bio_size, 29) && TEST_strn_eq(bio_text + 29, text, strlen(text));
    /* Behind it are spaces alone. */
    for (end = bio_text + 29 + strlen(text); ok && *end != '\0'; end++)
        ok = TEST_char_eq(*end, ' ');
    BIO_free(out);
    return ok;
}

static int told_class(void)
{
    return class_gives(3, V_ASN1_CONTEXT_SPECIFIC, "cont [ 3 ]")
        && class_gives(3, V_ASN1_APPLICATION, "appl [ 3 ]")
        && class_gives(3, V_ASN1_PRIVATE, "priv [ 3 ]")
        && class_gives(0, V_ASN1_CONTEXT_SPECIFIC, "cont [ 0 ]")
        && class_gives(1000000, V_ASN1_PRIVATE, "priv [ 1000000 ]")
        && class_gives(31, V_ASN1_APPLICATION, "appl [ 31 ]")
        && class_gives(31, V_ASN1_CONTEXT_SPECIFIC, "cont [ 31 ]")
        && prints(373, 2, 3, 162, 3, V_ASN1_CONTEXT_SPECIFIC, V_ASN1_CONSTRUCTED, 0,
                  "  373:d=2  hl=3 l= 162 cons: cont [ 3 ]        ");
}

static int above_30(void)
{
    return class_gives(31, V_ASN1_UNIVERSAL, "<ASN1 31>")
        && class_gives(12345, V_ASN1_UNIVERSAL, "<ASN1 12345>")
        && class_gives(30, V_ASN1_UNIVERSAL, "BMPSTRING");
}

static int indented(void)
{
    return prints(0, 1, 2, 5, V_ASN1_INTEGER, V_ASN1_UNIVERSAL, 0, 1,
                  "    0:d=1  hl=2 l=   5 prim:  INTEGER           ")
        && prints(0, 7, 2, 5, V_ASN1_SEQUENCE, V_ASN1_UNIVERSAL, V_ASN1_CONSTRUCTED, 7,
                  "    0:d=7  hl=2 l=   5 cons:        SEQUENCE          ")
        && prints(0, 7, 2, 5, 1, V_ASN1_CONTEXT_SPECIFIC, 0, 3,
                  "    0:d=7  hl=2 l=   5 prim:    cont [ 1 ]        ");
}

static int follows(void)
{
    BIO *out = bio_new();
    int ok;

    ok = TEST_true(asn1_print_info(out, 0, 0, 2, 1, V_ASN1_INTEGER, V_ASN1_UNIVERSAL, 0, 2))
        && TEST_int_eq(BIO_puts(out, ":05\n"), 4)
        && TEST_true(asn1_print_info(out, 3, 0, 2, 1, V_ASN1_BOOLEAN, V_ASN1_UNIVERSAL, 0, 0))
        && TEST_int_eq(BIO_puts(out, ":255\n"), 5)
        && TEST_str_eq(bio_text, "    0:d=0  hl=2 l=   1 prim:   INTEGER           :05\n"
                       "    3:d=0  hl=2 l=   1 prim: BOOLEAN           :255\n");
    BIO_free(out);
    return ok;
}

static int as_it_was(void)
{
    BIO *out = bio_new(), *behind = BIO_new(BIO_s_null());
    int ok;

    ok = TEST_true(asn1_print_info(out, 0, 0, 2, 1, V_ASN1_INTEGER, V_ASN1_UNIVERSAL, 0, 2))
        && TEST_ptr_null(BIO_next(out)) && TEST_ptr_null(out->prev_bio)
        && TEST_int_le(BIO_set_prefix(out, "x"), 0);
    bio_begin(-1);
    ok = ok && TEST_int_eq(BIO_puts(out, "\nplain\n"), 7) && TEST_str_eq(bio_text, "\nplain\n");
    if (ok) {
        BIO_push(out, behind);
        ok = TEST_true(asn1_print_info(out, 0, 0, 2, 1, V_ASN1_NULL, V_ASN1_UNIVERSAL, 0, 2))
            && TEST_ptr_eq(BIO_next(out), behind) && TEST_ptr_null(BIO_next(behind));
        BIO_pop(out);
    }
    BIO_free(out);
    BIO_free(behind);
    return ok;
}

static BIO *prefixed(void)
{
    BIO *kept = bio_new(), *filter = BIO_new(BIO_f_prefix());

    return BIO_push(filter, kept);
}

static int keeps_indent(void)
{
    BIO *out = prefixed();
    int ok;

    BIO_set_indent(out, 4);
    ok = TEST_true(asn1_print_info(out, 0, 0, 2, 1, V_ASN1_INTEGER, V_ASN1_UNIVERSAL, 0, 2))
        && TEST_long_eq(BIO_get_indent(out), 4)
        && TEST_true(asn1_print_info(out, 0, 0, 2, 1, V_ASN1_INTEGER, V_ASN1_UNIVERSAL, 0, 0))
        && TEST_long_eq(BIO_get_indent(out), 4);
    BIO_free_all(out);
    out = prefixed();
    ok = ok && TEST_true(asn1_print_info(out, 0, 0, 2, 1, V_ASN1_NULL, V_ASN1_UNIVERSAL, 0, 9))
        && TEST_long_eq(BIO_get_indent(out), 0);
    BIO_free_all(out);
    return ok;
}

static int not_wrapped(void)
{
    BIO *out = prefixed(), *next = BIO_next(out);
    int ok;

    BIO_set_indent(out, 4);
    ok = TEST_true(asn1_print_info(out, 0, 0, 2, 1, V_ASN1_INTEGER, V_ASN1_UNIVERSAL, 0, 2))
        && TEST_ptr(strstr(bio_text, "    0:d=0  hl=2 l=   1 prim: "))
        && TEST_ptr(strstr(bio_text, "INTEGER           "))
        && TEST_ptr_eq(BIO_next(out), next) && TEST_ptr_null(BIO_next(next));
    BIO_free_all(out);
    return ok;
}

static int fails(void)
{
    BIO *out = bio_new();
    int ok = 1, at, xclass;

    for (xclass = V_ASN1_UNIVERSAL; xclass <= V_ASN1_PRIVATE; xclass += V_ASN1_APPLICATION)
        for (at = 0; at < 47 && ok; at++) {
            bio_begin(at);
            /* What the filter writes of itself, the indent, isn't looked at. */
            if (at < 29 || at >= 31)
                ok = TEST_false(asn1_print_info(out, 0, 0, 2, 1, V_ASN1_INTEGER, xclass, 0, 2));
        }
    BIO_free(out);
    return ok;
}

static int failed_as_it_was(void)
{
    BIO *out = bio_new();
    int ok;

    bio_begin(0);
    ok = TEST_false(asn1_print_info(out, 0, 0, 2, 1, V_ASN1_INTEGER, V_ASN1_UNIVERSAL, 0, 2))
        && TEST_ptr_null(BIO_next(out)) && TEST_ptr_null(out->prev_bio);
    bio_begin(-1);
    ok = ok && TEST_int_eq(BIO_puts(out, "plain"), 5) && TEST_str_eq(bio_text, "plain");
    BIO_free(out);
    out = prefixed();
    BIO_set_indent(out, 4);
    bio_begin(0);
    asn1_print_info(out, 0, 0, 2, 1, V_ASN1_NULL, V_ASN1_UNIVERSAL, 0, 2);
    ok = ok && TEST_long_eq(BIO_get_indent(out), 4);
    BIO_free_all(out);
    return ok;
}

static int no_leak(void)
{
    long before;

    if (!follows() || !fails())
        return 0;
    before = memory_blocks;
    return primitive() && told_class() && follows() && as_it_was() && keeps_indent()
        && failed_as_it_was()
        && TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
}

int setup_tests(void)
{
    add_test("a primitive type is described", primitive);
    add_test("a constructed type is described", constructed);
    add_test("an indefinite length is told", indefinite);
    add_test("the fields have their widths", widths);
    add_test("wide fields are written in full", wide);
    add_test("the class is told", told_class);
    add_test("a universal tag above 30 is told by its number", above_30);
    add_test("the type is indented", indented);
    add_test("the value can follow", follows);
    add_test("the BIO is as it was afterwards", as_it_was);
    add_test("a BIO of the prefix kind keeps its indent", keeps_indent);
    add_test("a BIO of the prefix kind is not wrapped", not_wrapped);
    add_test("a BIO that fails gives 0", fails);
    add_test("a BIO that failed is as it was", failed_as_it_was);
    add_test("nothing is leaked or freed twice", no_leak);
    return 1;
}
