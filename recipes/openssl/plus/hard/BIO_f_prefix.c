/*---
 * tasks: [UTF8_putc-5e7f82.16]
 * tests:
 *   there is one method: 'Man BIO_f_prefix: "BIO_f_prefix() returns the prefix BIO method"; const, as of its siblings.'
 *   each line gets prefix and indent:
 *     'Man: "the prefix is output first, then the amount of additional spaces", for each line.'
 *   settings can change between lines, and are none at first:
 *     'Man: "to be used for future lines of text"; "By default, there is no prefix".'
 *   the prefix is a copy, an indent not negative:
 *     'Man: "this function makes a copy of it"; "Negative values are not allowed".'
 *   filters combine and pass on the rest: 'testutil_init.c pushes one on another; bio(7).'
 ---*/
#include "../testutil.h"
#include "keeping_bio.h"

static BIO *filter(void)
{
    BIO *kept = bio_new(), *first = BIO_new(BIO_f_prefix());

    return first == NULL ? NULL : BIO_push(first, kept);
}

static int one_method(void)
{
    const BIO_METHOD *method = BIO_f_prefix();
    BIO *bio;
    int ok;

    ok = TEST_ptr(method) && TEST_ptr_eq(BIO_f_prefix(), method)
        && TEST_ptr_ne(method, BIO_f_buffer())
        && TEST_ptr_ne(method, BIO_f_null()) && TEST_ptr_ne(method, BIO_f_linebuffer());
    bio = ok ? BIO_new(method) : NULL;
    ok = ok && TEST_ptr(bio) && TEST_int_ne(BIO_method_type(bio) & BIO_TYPE_FILTER, 0);
    BIO_free(bio);
    return ok;
}

static int passes_on(void)
{
    BIO *out = filter();
    int ok = TEST_ptr(out) && TEST_long_eq(BIO_get_indent(out), 0)
        && TEST_int_eq(BIO_puts(out, "one\n\ntwo"), 8) && TEST_str_eq(bio_text, "one\n\ntwo");

    BIO_free_all(out);
    return ok;
}

static int each_line(void)
{
    BIO *out = filter();
    int ok = TEST_ptr(out) && TEST_long_eq(BIO_set_prefix(out, "# "), 1)
        && TEST_long_eq(BIO_set_indent(out, 3), 1) && TEST_long_eq(BIO_get_indent(out), 3)
        && TEST_int_eq(BIO_write(out, "one\ntwo\nx", 8), 8)
        && TEST_str_eq(bio_text, "#    one\n#    two\n");

    BIO_free_all(out);
    return ok;
}

static int pieces(void)
{
    BIO *out = filter();
    int ok = TEST_ptr(out) && TEST_long_eq(BIO_set_prefix(out, ">"), 1)
        && TEST_int_eq(BIO_puts(out, "o"), 1) && TEST_int_eq(BIO_puts(out, "ne\nt"), 4)
        && TEST_int_eq(BIO_printf(out, "%s\n", "wo"), 3)
        && TEST_str_eq(bio_text, ">one\n>two\n");

    BIO_free_all(out);
    return ok;
}

static int between(void)
{
    BIO *out = filter();
    int ok = TEST_ptr(out) && TEST_int_eq(BIO_puts(out, "a\nb"), 3)
        && TEST_long_eq(BIO_set_prefix(out, "1:"), 1) && TEST_int_eq(BIO_puts(out, "c\nd\n"), 4)
        && TEST_long_eq(BIO_set_prefix(out, "2:"), 1) && TEST_long_eq(BIO_set_indent(out, 1), 1)
        && TEST_int_eq(BIO_puts(out, "e\n"), 2)
        && TEST_str_eq(bio_text, "a\nbc\n1:d\n2: e\n");

    BIO_free_all(out);
    return ok;
}

static int null_prefix(void)
{
    BIO *out = filter();
    int ok = TEST_ptr(out) && TEST_long_eq(BIO_set_prefix(out, "x"), 1)
        && TEST_long_eq(BIO_set_prefix(out, NULL), 1) && TEST_int_eq(BIO_puts(out, "a\nb\n"), 4)
        && TEST_long_eq(BIO_set_indent(out, 2), 1) && TEST_int_eq(BIO_puts(out, "c\n"), 2)
        && TEST_str_eq(bio_text, "a\nb\n  c\n");

    BIO_free_all(out);
    return ok;
}

static int copy(void)
{
    char prefix[] = "abc";
    BIO *out = filter();
    int ok = TEST_ptr(out) && TEST_long_eq(BIO_set_prefix(out, prefix), 1);

    memset(prefix, 'x', 3);
    ok = ok && TEST_int_eq(BIO_puts(out, "\n"), 1) && TEST_str_eq(bio_text, "abc\n");
    BIO_free_all(out);
    return ok;
}

static int negative(void)
{
    BIO *out = filter();
    int ok = TEST_ptr(out) && TEST_long_eq(BIO_set_indent(out, 2), 1)
        && TEST_long_le(BIO_set_indent(out, -1), 0) && TEST_long_eq(BIO_get_indent(out), 2);

    BIO_free_all(out);
    return ok;
}

static int combine(void)
{
    BIO *inner = filter(), *outer =
        inner == NULL ? NULL : BIO_push(BIO_new(BIO_f_prefix()), inner);
    int ok = TEST_ptr(outer) && TEST_long_eq(BIO_set_prefix(outer, "o"), 1)
        && TEST_long_eq(BIO_set_prefix(inner, "i"), 1) && TEST_long_eq(BIO_set_indent(inner, 2), 1)
        && TEST_int_eq(BIO_puts(outer, "a\nb\n"), 4) && TEST_str_eq(bio_text, "i  oa\ni  ob\n");

    BIO_free_all(outer != NULL ? outer : inner);
    return ok;
}

static int other(void)
{
    BIO *memory = BIO_new_mem_buf("line\nrest", -1), *out =
        BIO_push(BIO_new(BIO_f_prefix()), memory);
    char text[20] = "";
    int ok = TEST_ptr(out) && TEST_long_eq(BIO_pending(out), 9)
        && TEST_int_eq(BIO_gets(out, text, sizeof(text)), 5) && TEST_str_eq(text, "line\n")
        && TEST_int_eq(BIO_read(out, text, sizeof(text)), 4) && TEST_mem_eq(text, 4, "rest", 4)
        && TEST_true(BIO_eof(out)) && TEST_long_eq(BIO_reset(out), 1)
        && TEST_long_eq(BIO_pending(out), 9);

    BIO_free_all(out);
    return ok;
}

static int each_line_and_pieces(void)
{
    return each_line() && pieces();
}

static int between_and_passes_on_and_null_prefix(void)
{
    return between() && passes_on() && null_prefix();
}

static int copy_and_negative(void)
{
    return copy() && negative();
}

static int combine_and_other(void)
{
    return combine() && other();
}

int setup_tests(void)
{
    add_test("there is one method", one_method);
    add_test("each line gets prefix and indent", each_line_and_pieces);
    add_test("settings can change between lines, and are none at first",
             between_and_passes_on_and_null_prefix);
    add_test("the prefix is a copy, an indent not negative", copy_and_negative);
    add_test("filters combine and pass on the rest", combine_and_other);
    return 1;
}
