/*---
 * tasks: [UTF8_putc-5e7f82.16]
 * tests:
 *   a field alone is named: 'asn1.h: ASN1_PCTX_FLAGS_; caller asn1_primitive_print: "field: value".'
 *   a structure alone is named: 'Caller ASN1_item_print names the structure at the top.'
 *   a field and its structure are both named: 'asn1.h: "Show structure names of each SEQUENCE field".'
 *   without a name only the indent is printed: 'Caller asn1_item_print_ctx passes both NULL for the items of a SET OF.'
 *   the name of the structure can be left out: 'asn1.h: "Don''t show structure name even at top level".'
 *   the name of the field can be left out: 'asn1.h: "Don''t show field names in SEQUENCE".'
 *   both names can be left out: 'asn1.h: ASN1_PCTX_FLAGS_NO_STRUCT_NAME, _NO_FIELD_NAME.'
 *   other flags do not matter: 'asn1.h: the other ASN1_PCTX_FLAGS_ tell of other parts.'
 *   any indent is printed in full: 'Callers pass indent; asn1_item_print_ctx adds 2 for each level.'
 *   a long name is printed in full: 'Signature: names of any length.'
 *   a BIO that fails gives 0: 'Callers: "if (!asn1_print_fsname(...)) return 0".'
 *   no line is ended: 'Callers print the value or a line feed behind it.'
 ---*/
#include "../../crypto/asn1/tasn_prn.c"
#include "../testutil.h"
#include "keeping_bio.h"

static int gives(int indent, const char *fname, const char *sname, unsigned long flags,
                 const char *text)
{
    ASN1_PCTX *pctx = ASN1_PCTX_new();
    BIO *out = bio_new();
    int ok;

    ASN1_PCTX_set_flags(pctx, flags);
    ok = TEST_true(asn1_print_fsname(out, indent, fname, sname, pctx))
        && TEST_str_eq(bio_text, text) && TEST_ulong_eq(ASN1_PCTX_get_flags(pctx), flags);
    BIO_free(out);
    ASN1_PCTX_free(pctx);
    return ok;
}

static int field(void)
{
    return gives(0, "version", NULL, 0, "version: ") && gives(2, "a", NULL, 0, "  a: ");
}

static int structure(void)
{
    return gives(0, NULL, "X509", 0, "X509: ") && gives(3, NULL, "X509", 0, "   X509: ");
}

static int both(void)
{
    return gives(0, "subject", "X509_NAME", 0, "subject (X509_NAME): ")
        && gives(4, "subject", "X509_NAME", 0, "    subject (X509_NAME): ");
}

static int without(void)
{
    return gives(0, NULL, NULL, 0, "") && gives(5, NULL, NULL, 0, "     ")
        && gives(25, NULL, NULL, 0, "                         ");
}

static int no_structure(void)
{
    return gives(1, "subject", "X509_NAME", ASN1_PCTX_FLAGS_NO_STRUCT_NAME, " subject: ")
        && gives(1, NULL, "X509_NAME", ASN1_PCTX_FLAGS_NO_STRUCT_NAME, " ")
        && gives(1, "subject", NULL, ASN1_PCTX_FLAGS_NO_STRUCT_NAME, " subject: ");
}

static int no_field(void)
{
    return gives(1, "subject", "X509_NAME", ASN1_PCTX_FLAGS_NO_FIELD_NAME, " X509_NAME: ")
        && gives(1, "subject", NULL, ASN1_PCTX_FLAGS_NO_FIELD_NAME, " ")
        && gives(1, NULL, "X509_NAME", ASN1_PCTX_FLAGS_NO_FIELD_NAME, " X509_NAME: ");
}

static int neither(void)
{
    unsigned long flags = ASN1_PCTX_FLAGS_NO_FIELD_NAME | ASN1_PCTX_FLAGS_NO_STRUCT_NAME;

    return gives(2, "subject", "X509_NAME", flags, "  ") && gives(2, "subject", NULL, flags, "  ")
        && gives(0, NULL, "X509_NAME", flags, "");
}

static int other(void)
{
    unsigned long others = ASN1_PCTX_FLAGS_SHOW_ABSENT | ASN1_PCTX_FLAGS_SHOW_SEQUENCE
        | ASN1_PCTX_FLAGS_SHOW_SSOF | ASN1_PCTX_FLAGS_SHOW_TYPE | ASN1_PCTX_FLAGS_NO_ANY_TYPE
        | ASN1_PCTX_FLAGS_NO_MSTRING_TYPE | ASN1_PCTX_FLAGS_SHOW_FIELD_STRUCT_NAME;

    return gives(1, "subject", "X509_NAME", others, " subject (X509_NAME): ")
        && gives(1, NULL, NULL, others, " ") && gives(1, NULL, "X509_NAME", others, " X509_NAME: ")
        && gives(1, "subject", NULL, others, " subject: ");
}

static int any_indent(void)
{
    char text[210];
    int indent;

    for (indent = 0; indent <= 200; indent++) {
        memset(text, ' ', indent);
        strcpy(text + indent, "f: ");
        if (!gives(indent, "f", NULL, 0, text))
            return 0;
    }
    return 1;
}

static int long_name(void)
{
    char name[601], text[1300];

    memset(name, 'n', 600);
    name[600] = '\0';
    sprintf(text, "%s (%s): ", name, name);
    if (!gives(0, name, name, 0, text))
        return 0;
    return gives(0, "100%s", "50%d", 0, "100%s (50%d): ") && gives(0, NULL, "50%d", 0, "50%d: ");
}

static int refused(int indent, const char *fname, const char *sname, int size)
{
    ASN1_PCTX *pctx = ASN1_PCTX_new();
    BIO *out = bio_new();
    int at, ok = 1;

    for (at = 0; at < size && ok; at++) {
        bio_begin(at);
        ok = TEST_int_eq(asn1_print_fsname(out, indent, fname, sname, pctx), 0);
    }
    BIO_free(out);
    ASN1_PCTX_free(pctx);
    return ok;
}

static int fails(void)
{
    return refused(0, "field", NULL, 7) && refused(0, NULL, "name", 6)
        && refused(2, "field", "name", 16) && refused(45, NULL, NULL, 45)
        && refused(61, "f", NULL, 64);
}

static int no_line_end(void)
{
    ASN1_PCTX *pctx = ASN1_PCTX_new();
    BIO *out = bio_new();
    int ok = TEST_true(asn1_print_fsname(out, 2, "a", "b", pctx))
        && TEST_true(asn1_print_fsname(out, 1, "c", NULL, pctx))
        && TEST_str_eq(bio_text, "  a (b):  c: ");

    BIO_free(out);
    ASN1_PCTX_free(pctx);
    return ok;
}

int setup_tests(void)
{
    add_test("a field alone is named", field);
    add_test("a structure alone is named", structure);
    add_test("a field and its structure are both named", both);
    add_test("without a name only the indent is printed", without);
    add_test("the name of the structure can be left out", no_structure);
    add_test("the name of the field can be left out", no_field);
    add_test("both names can be left out", neither);
    add_test("other flags do not matter", other);
    add_test("any indent is printed in full", any_indent);
    add_test("a long name is printed in full", long_name);
    add_test("a BIO that fails gives 0", fails);
    add_test("no line is ended", no_line_end);
    return 1;
}
