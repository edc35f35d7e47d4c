/*---
 * tasks: [UTF8_putc-5e7f82.16, UTF8_putc-5e7f82.8]
 * tests:
 *   the flags decide on the format: 'Man: XN_FLAG_RFC2253, XN_FLAG_ONELINE, XN_FLAG_MULTILINE.'
 *   the indent is passed on: 'Man: "Each line (for multiline formats) is indented by indent spaces".'
 *   XN_FLAG_COMPAT is the old format: 'Man: "uses a format identical to X509_NAME_print()".'
 *   XN_FLAG_COMPAT gives 1: 'Man: "return 1 on success or 0 on error if the XN_FLAG_COMPAT is set".'
 *   a BIO that fails gives 0 for XN_FLAG_COMPAT: 'Man: "0 on error if the XN_FLAG_COMPAT is set".'
 *   a BIO that fails gives -1 otherwise: 'Man: "Otherwise, it returns -1 on error".'
 *   flags without a separator are an error: 'Man: XN_FLAG_SEP_ ones; "-1 on error"; only 0 is XN_FLAG_COMPAT.'
 *   the sibling prints the same to a file: 'Man: "identical to X509_NAME_print_ex() except ... FILE pointer".'
 *   what was printed gives a positive result: 'x_name.c: x509_name_ex_print takes <= 0 for an error.'
 *   the name stays as it was: 'Signature: const X509_NAME *nm.'
 ---*/
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../testutil.h"
#include "x509_names.h"

static X509_NAME *three(void)
{
    return plus_name("C=DE", "O=A, B", "CN=L\xc4\x87", NULL);
}

static int is_text(BIO *out, const char *text)
{
    char *data;
    long size = BIO_get_mem_data(out, &data);

    return TEST_mem_eq(data, size, text, strlen(text));
}

static int gives(int indent, unsigned long flags, const char *text)
{
    X509_NAME *name = three();
    BIO *out = BIO_new(BIO_s_mem());
    int ok = TEST_int_gt(X509_NAME_print_ex(out, name, indent, flags), 0) && is_text(out, text);

    BIO_free(out);
    X509_NAME_free(name);
    return ok;
}

static int format(void)
{
    return gives(0, XN_FLAG_RFC2253, "CN=L\\C4\\87,O=A\\, B,C=DE")
        && gives(0, XN_FLAG_ONELINE, "C = DE, O = \"A, B\", CN = L\\C4\\87")
        && gives(0, XN_FLAG_ONELINE & ~ASN1_STRFLGS_ESC_MSB,
                 "C = DE, O = \"A, B\", CN = L\xc4\x87")
        && gives(0, XN_FLAG_MULTILINE,
                 "countryName               = DE\norganizationName          = A, B\n"
                 "commonName                = L\\U0107");
}

static int indented(void)
{
    return gives(3, XN_FLAG_SEP_MULTILINE | ASN1_STRFLGS_UTF8_CONVERT,
                 "   C=DE\n   O=A, B\n   CN=L\xc4\x87")
        && gives(2, XN_FLAG_SEP_SPLUS_SPC | ASN1_STRFLGS_UTF8_CONVERT,
                 "  C=DE; O=A, B; CN=L\xc4\x87");
}

static int compat(void)
{
    X509_NAME *name = three();
    BIO *out = BIO_new(BIO_s_mem()), *old = BIO_new(BIO_s_mem());
    char *data;
    long size;
    int ok;

    ok = TEST_true(X509_NAME_print_ex(out, name, 16, XN_FLAG_COMPAT))
        && TEST_true(X509_NAME_print(old, name, 16));
    size = BIO_get_mem_data(old, &data);
    ok = ok && TEST_long_gt(size, 0) && TEST_mem_eq(data, 8, "C=DE, O=", 8);
    if (ok) {
        char *printed;
        long printed_size = BIO_get_mem_data(out, &printed);

        ok = TEST_mem_eq(printed, printed_size, data, size);
    }
    BIO_free(out);
    BIO_free(old);
    X509_NAME_free(name);
    return ok;
}

static int compat_result(void)
{
    X509_NAME *name = three(), *empty = X509_NAME_new();
    BIO *out = BIO_new(BIO_s_mem());
    int ok = TEST_int_eq(X509_NAME_print_ex(out, name, 0, XN_FLAG_COMPAT), 1)
        && TEST_int_eq(X509_NAME_print_ex(out, empty, 0, XN_FLAG_COMPAT), 1);

    BIO_free(out);
    X509_NAME_free(name);
    X509_NAME_free(empty);
    return ok;
}

/* What does it return for a BIO that cannot be written? */
static int result_of_failure(unsigned long flags)
{
    X509_NAME *name = three();
    BIO *out = BIO_new_mem_buf("read only", -1);
    int result = X509_NAME_print_ex(out, name, 0, flags);

    BIO_free(out);
    X509_NAME_free(name);
    return result;
}

static int compat_fails(void)
{
    return TEST_int_eq(result_of_failure(XN_FLAG_COMPAT), 0);
}

static int fails(void)
{
    return TEST_int_eq(result_of_failure(XN_FLAG_RFC2253), -1)
        && TEST_int_eq(result_of_failure(XN_FLAG_MULTILINE), -1)
        && TEST_int_eq(result_of_failure(XN_FLAG_SEP_COMMA_PLUS), -1);
}

static int no_separator(void)
{
    X509_NAME *name = three();
    BIO *out = BIO_new(BIO_s_mem());
    int ok = TEST_int_eq(X509_NAME_print_ex(out, name, 0, ASN1_STRFLGS_RFC2253), -1)
        && TEST_int_eq(X509_NAME_print_ex(out, name, 0, XN_FLAG_FN_LN), -1)
        && TEST_int_eq(X509_NAME_print_ex(out, name, 0, XN_FLAG_DN_REV), -1);

    BIO_free(out);
    X509_NAME_free(name);
    return ok;
}

static int to_file(void)
{
    static const unsigned long flags[] = { XN_FLAG_COMPAT, XN_FLAG_RFC2253, XN_FLAG_ONELINE,
        XN_FLAG_MULTILINE };
    X509_NAME *name = three();
    size_t i;
    int ok = 1;

    for (i = 0; i < OSSL_NELEM(flags) && ok; i++) {
        BIO *out = BIO_new(BIO_s_mem());
        char *text = NULL, *data = NULL;
        size_t size = 0;
        FILE *file = open_memstream(&text, &size);
        int result = X509_NAME_print_ex(out, name, 2, flags[i]);
        long length = BIO_get_mem_data(out, &data);

        ok = TEST_ptr(file)
            && TEST_int_eq(X509_NAME_print_ex_fp(file, name, 2, flags[i]) > 0, result > 0);
        if (file != NULL)
            fclose(file);
        ok = ok && TEST_mem_eq(data, length, text, size);
        free(text);
        BIO_free(out);
    }
    X509_NAME_free(name);
    return ok;
}

static int positive(void)
{
    return gives(0, XN_FLAG_SEP_CPLUS_SPC | XN_FLAG_FN_NONE | ASN1_STRFLGS_UTF8_CONVERT,
                 "DE, A, B, L\xc4\x87")
        && gives(1, XN_FLAG_SEP_CPLUS_SPC | XN_FLAG_FN_OID | ASN1_STRFLGS_UTF8_CONVERT,
                 " 2.5.4.6=DE, 2.5.4.10=A, B, 2.5.4.3=L\xc4\x87");
}

static int stays(void)
{
    X509_NAME *name = three(), *same = three();
    BIO *out = BIO_new(BIO_s_mem());
    int ok;

    X509_NAME_print_ex(out, name, 0, XN_FLAG_RFC2253);
    X509_NAME_print_ex(out, name, 0, XN_FLAG_COMPAT);
    X509_NAME_print_ex(out, name, 4, XN_FLAG_MULTILINE);
    ok = TEST_int_eq(X509_NAME_cmp(name, same), 0) && TEST_int_eq(X509_NAME_entry_count(name), 3);
    BIO_free(out);
    X509_NAME_free(name);
    X509_NAME_free(same);
    return ok;
}

int setup_tests(void)
{
    add_test("the flags decide on the format", format);
    add_test("the indent is passed on", indented);
    add_test("XN_FLAG_COMPAT is the old format", compat);
    add_test("XN_FLAG_COMPAT gives 1", compat_result);
    add_test("a BIO that fails gives 0 for XN_FLAG_COMPAT", compat_fails);
    add_test("a BIO that fails gives -1 otherwise", fails);
    add_test("flags without a separator are an error", no_separator);
    add_test("the sibling prints the same to a file", to_file);
    add_test("what was printed gives a positive result", positive);
    add_test("the name stays as it was", stays);
    return 1;
}
