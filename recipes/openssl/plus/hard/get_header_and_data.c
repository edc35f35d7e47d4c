/*---
 * tasks: [sanitize_line-674e97.16, sanitize_line-674e97.4, sanitize_line-674e97.8]
 * tests:
 *   without a header all lines are data: 'Docstring: "if the end-of-input marker is reached prior to a blank line,
 *     there is no header".'
 *   a header ends at the blank line: 'Docstring: "The end of the header is marked by a blank line".'
 *   a header can be empty: 'Docstring: "The end of the header is marked by a blank line"; there is none before it.'
 *   both are the two that were passed: 'Docstring: "we may have to swap them"; PEM_read_bio_ex frees both.'
 *   each line's end is one newline: 'sanitize_line; PEM_read_bio_ex(3).'
 *   what follows the end is left: 'PEM_read(3): the next call reads the next object.'
 *   the end has the name of the start: 'Docstring: "We need the name ... to verify the end string".'
 *   an input without its end is refused: 'pem_lib.c: PEM_R_BAD_END_LINE; PEM_read(3), "begin/end markers".'
 *   a second blank line is refused: 'Docstring: "marked by a blank line"; 04-test_pem_reading.t: cert-blankline, dsa-blankline.'
 *   after a header only the last line can be short, and none long: 'RFC 1421, 4.3.2.4: lines of
 *     exactly 64 characters; 04-test_pem_reading.t: dsa-shortline, dsa-longline, dsa-shortandlongline are refused.'
 *   without a header lines have any length: 'pemtest.c: test_b64 reads a line of 140 characters.'
 *   the newline of a longer line is no blank line: '04-test_pem_reading.t: cert-254-chars-in-the-middle
 *     and cert-oneline-multiple-of-254 are read; pem_lib.c, LINESIZE.'
 *   a blank line after a longer one ends the header: 'Docstring: "The end of the header is marked by a blank line".'
 *   a strict reader takes the header whole: 'PEM_read_bio_ex(3), PEM_FLAG_ONLY_B64; RFC 1421, 4.4: "field: value".'
 *   a strict reader drops what is no base64: 'PEM_read_bio_ex(3): "non-base64 characters are treated as end of input".'
 *   secure reading takes its buffer from the secure heap: 'PEM_read_bio_ex(3): "intermediate buffers used to read in
 *     lines of input are allocated from the secure heap".'
 *   nothing is leaked: 'pem_lib.c: PEM_read_bio_ex frees both bios after success and failure.'
 ---*/
#include "../../crypto/pem/pem_lib.c"
#include "../testutil.h"
#include "refused_once.h"
#include "pem_text.h"

#define L64 "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define END "-----END X-----\n"

static int gives_rest(const char *text, unsigned int flags, const char *header, const char *data,
                      const char *rest)
{
    BIO *in = pem_in(text), *one = BIO_new(BIO_s_mem()), *two = BIO_new(BIO_s_mem()), *h = one,
        *d = two;
    int ok = TEST_int_eq(get_header_and_data(in, &h, &d, "X", flags), 1)
        && TEST_true((h == one && d == two) || (h == two && d == one))
        && TEST_str_eq(pem_rest(h), header) && TEST_str_eq(pem_rest(d), data)
        && TEST_str_eq(pem_rest(in), rest);

    BIO_free(in);
    BIO_free(one);
    BIO_free(two);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int gives(const char *text, unsigned int flags, const char *header, const char *data)
{
    return gives_rest(text, flags, header, data, "");
}

static int refused_of(const char *text, const char *name, unsigned int flags)
{
    BIO *in = pem_in(text), *one = BIO_new(BIO_s_mem()), *two = BIO_new(BIO_s_mem()), *h = one,
        *d = two;
    int ok = TEST_int_eq(get_header_and_data(in, &h, &d, (char *)name, flags), 0)
        && TEST_true((h == one && d == two) || (h == two && d == one));

    BIO_free(in);
    BIO_free(one);
    BIO_free(two);
    ERR_clear_error();
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int refused(const char *text, unsigned int flags)
{
    return refused_of(text, "X", flags);
}

static int no_header(void)
{
    return gives("aGVs\nbG8=\n" END, EAY, "", "aGVs\nbG8=\n")
        && gives("aGVsbG8=\n" END, 0, "", "aGVsbG8=\n")
        && gives("aGVsbG8=\n" END, B64, "", "aGVsbG8=\n") && gives(END, EAY, "", "")
        && gives("aGVsbG8=\n-----END X-----", EAY, "", "aGVsbG8=\n");
}

static int header_ends(void)
{
    return gives("Proc-Type: 4,ENCRYPTED\nDEK-Info: A,12\n\naGVsbG8=\n" END, EAY,
                 "Proc-Type: 4,ENCRYPTED\nDEK-Info: A,12\n", "aGVsbG8=\n")
        && gives("a: b\n\n" L64 "\naGVsbG8=\n" END, 0, "a: b\n", L64 "\naGVsbG8=\n")
        && gives("not even a colon\n\naGVs\n" END, EAY, "not even a colon\n", "aGVs\n")
        && gives("a: b\n\n" END, EAY, "a: b\n", "");
}

static int empty_header(void)
{
    return gives("\naGVsbG8=\n" END, EAY, "", "aGVsbG8=\n")
        && gives("\n" L64 "\naGVs\n" END, B64, "", L64 "\naGVs\n")
        && gives("  \t\naGVsbG8=\n" END, EAY, "", "aGVsbG8=\n");
}

static int two_bios(void)
{
    BIO *in = pem_in("a: b\n\naGVs\n" END "aGVs\n" END), *one = BIO_new(BIO_s_mem()),
        *two = BIO_new(BIO_s_mem());
    BIO *h = one, *d = two;
    int ok = TEST_int_eq(get_header_and_data(in, &h, &d, "X", EAY), 1)
        && TEST_true((h == one && d == two) || (h == two && d == one))
        && TEST_str_eq(pem_rest(h), "a: b\n") && TEST_str_eq(pem_rest(d), "aGVs\n")
        && TEST_int_eq(get_header_and_data(in, &h, &d, "X", EAY), 1)
        && TEST_true((h == one && d == two) || (h == two && d == one))
        && TEST_str_eq(pem_rest(h), "") && TEST_str_eq(pem_rest(d), "aGVs\n");

    BIO_free(in);
    BIO_free(one);
    BIO_free(two);
    return ok;
}

static int newline(void)
{
    return gives("aGVs\r\nbG8=\r\n-----END X-----\r\n", EAY, "", "aGVs\nbG8=\n")
        && gives("aGVs  \nbG8=\t\n-----END X-----  \n", EAY, "", "aGVs\nbG8=\n")
        && gives("a: b\r\n\r\naGVs\r\n-----END X-----\r\n", 0, "a: b\n", "aGVs\n")
        && gives("a: b\r\n\r\naGVs\r\n-----END X-----\r\n", B64, "a: b\n", "aGVs\n");
}

static int left(void)
{
    return gives_rest("aGVs\n" END "text\n-----BEGIN Y-----\n", EAY, "", "aGVs\n",
                      "text\n-----BEGIN Y-----\n")
        && gives_rest("a: b\n\naGVs\n" END "\n", B64, "a: b\n", "aGVs\n", "\n");
}

static int end_name(void)
{
    return refused("aGVs\n-----END Y-----\n", EAY) && refused("aGVs\n-----END XX-----\n", EAY)
        && refused("aGVs\n-----END X-----x\n", EAY) && refused("aGVs\n-----END X----\n", 0)
        && refused("aGVs\n-----END -----\n", EAY) && refused_of("aGVs\n" END, "XY", EAY)
        && refused_of("aGVs\n" END, "", EAY) && refused("aGVs\n-----END x-----\n", B64)
        && refused("a: b\n\naGVs\n-----END Y-----\n", EAY)
        && refused("aGVs\n-----END Y-----\n" END, EAY);
}

static int no_end(void)
{
    return refused("", EAY) && refused("aGVs\nbG8=\n", EAY) && refused("a: b\n\naGVs\n", 0)
        && refused("a: b\n", B64)
        && refused("\n", EAY);
}

static int second_blank(void)
{
    return refused("a: b\n\n\naGVs\n" END, EAY) && refused("\n\naGVs\n" END, EAY)
        && refused("\n\naGVs\n" END, B64)
        && refused("a: b\n\n" L64 "\n\naGVs\n" END, 0);
}

static int line_lengths(void)
{
    return refused("a: b\n\naGVs\naGVs\n" END, EAY) && refused("a: b\n\n" L64 "A\n" END, EAY)
        && refused("a: b\n\n" L64 "\n" L64 "AAAA\n" END, 0) && refused("\naGVs\naGVs\n" END, B64)
        && gives("a: b\n\n" L64 "\n" L64 "\n" END, EAY, "a: b\n", L64 "\n" L64 "\n")
        && gives("a: b\n\n" L64 "\n" L64 "\nA\n" END, EAY, "a: b\n", L64 "\n" L64 "\nA\n")
        && gives("a: " L64 L64 "\nb\n\n" L64 "\n" END, EAY, "a: " L64 L64 "\nb\n", L64 "\n");
}

static int any_length(void)
{
    return gives("aGVs\n" L64 "\nbG8=\n" L64 L64 "\nA\nB\n" END, EAY, "",
                 "aGVs\n" L64 "\nbG8=\n" L64 L64 "\nA\nB\n");
}

/* Without the newlines. */
static int same_letters(BIO *from, int count)
{
    const char *rest = pem_rest(from);
    int found = 0;

    for (; *rest != '\0'; rest++)
        if (*rest == 'A')
            found++;
        else if (*rest != '\n')
            return 0;
    return TEST_int_eq(found, count);
}

static int long_line(void)
{
    static const int lengths[] = {252, 253, 254, 255, 256, 507, 508, 509, 1016};
    char text[1100];
    size_t i, flag;
    int ok = 1;

    for (i = 0; i < OSSL_NELEM(lengths) * 3 && ok; i++) {
        static const unsigned int flags[] = {EAY, 0, B64};
        BIO *in, *one = BIO_new(BIO_s_mem()), *two = BIO_new(BIO_s_mem()), *h = one, *d = two;
        int length = lengths[i / 3];

        memset(text, 'A', length);
        strcpy(text + length, i % 2 ? "\nAAAA\n" END : "\n" END);
        in = pem_in(text);
        ok = TEST_int_eq(get_header_and_data(in, &h, &d, "X", flags[i % 3]), 1)
            && TEST_str_eq(pem_rest(h), "") && same_letters(d, length + (i % 2 ? 4 : 0));
        BIO_free(in);
        BIO_free(one);
        BIO_free(two);
    }
    return ok;
}

static int long_header(void)
{
    static const int lengths[] = {252, 253, 254, 255, 508, 700};
    static const unsigned int flags[] = {EAY, 0, B64};
    char text[900];
    size_t i;
    int ok = 1;

    for (i = 0; i < OSSL_NELEM(lengths) * 3 && ok; i++) {
        BIO *in, *one = BIO_new(BIO_s_mem()), *two = BIO_new(BIO_s_mem()), *h = one, *d = two;
        int length = lengths[i / 3];

        memset(text, 'x', length);
        memcpy(text, "a:", 2);
        strcpy(text + length, "\n\naGVs\n" END);
        in = pem_in(text);
        ok = TEST_int_eq(get_header_and_data(in, &h, &d, "X", flags[i % 3]), 1)
            && TEST_str_eq(pem_rest(d), "aGVs\n") && TEST_strn_eq(pem_rest(h), "a:xxx", 5);
        BIO_free(in);
        BIO_free(one);
        BIO_free(two);
    }
    return ok;
}

static int strict_header(void)
{
    return gives("Proc-Type: 4,ENCRYPTED\nDEK-Info: DES-EDE3-CBC,12\n\naGVs\n" END, B64,
                 "Proc-Type: 4,ENCRYPTED\nDEK-Info: DES-EDE3-CBC,12\n", "aGVs\n")
        && gives("Proc-Type: 4,ENCRYPTED\nno colon, here\n\naGVs\n" END, B64,
                 "Proc-Type: 4,ENCRYPTED\nno colon, here\n", "aGVs\n");
}

static int strict_data(void)
{
    return gives("aGVs*bG8=\n" END, B64, "", "aGVs\n")
        && gives("aGVs bG8=\nAAAA\n" END, B64, "", "aGVs\nAAAA\n")
        && gives("a: b\n\naGVs*bG8=\n" END, B64, "a: b\n", "aGVs\n");
}

static int secure(void)
{
    BIO *in = pem_in("a: b\n\naGVs\n" END), *one, *two, *h, *d;
    size_t before;
    int ok, result;

    if (!TEST_true(CRYPTO_secure_malloc_initialized()))
        return 0;
    before = CRYPTO_secure_used();
    h = one = BIO_new(BIO_s_secmem());
    d = two = BIO_new(BIO_s_secmem());
    memory_left = 0;
    result = get_header_and_data(in, &h, &d, "X", SECURE | EAY);
    memory_left = -1;
    ok = TEST_int_eq(result, 1) && TEST_str_eq(pem_rest(h), "a: b\n")
        && TEST_str_eq(pem_rest(d), "aGVs\n");
    BIO_free(in);
    in = pem_in("aGVs\n-----END Y-----\n");
    ok = ok && TEST_int_eq(get_header_and_data(in, &h, &d, "X", SECURE), 0);
    BIO_free(in);
    BIO_free(one);
    BIO_free(two);
    ERR_clear_error();
    return ok && TEST_size_t_eq(CRYPTO_secure_used(), before) && TEST_long_eq(memory_bad_frees, 0);
}

static int balanced(void)
{
    long before, left;
    int i, refused = 1;

    for (i = 0; i < 2; i++) {
        if (i == 1)
            before = memory_blocks;
        if (!no_header() || !header_ends() || !end_name() || !no_end() || !second_blank()
                || !line_lengths()
                || !TEST_long_eq(memory_bad_frees, 0))
            return 0;
    }
    for (left = 0; refused && left < 100; left++) {
        BIO *in = pem_in("a: b\n\naGVs\n" END), *one = BIO_new(BIO_s_mem());
        BIO *two = BIO_new(BIO_s_mem()), *h = one, *d = two;
        int result, ok;

        once_left = left;
        result = get_header_and_data(in, &h, &d, "X", EAY);
        refused = once_refused();
        ERR_clear_error();
        ok = result == 1 ? TEST_str_eq(pem_rest(h), "a: b\n") && TEST_str_eq(pem_rest(d), "aGVs\n")
            : refused && TEST_int_eq(result, 0);
        BIO_free(in);
        BIO_free(one);
        BIO_free(two);
        if (!ok || !TEST_long_eq(memory_blocks, before))
            return 0;
    }
    return TEST_false(refused) && TEST_long_eq(memory_bad_frees, 0);
}

int setup_tests(void)
{
    CRYPTO_secure_malloc_init(65536, 16);
    add_test("without a header all lines are data", no_header);
    add_test("a header ends at the blank line", header_ends);
    add_test("a header can be empty", empty_header);
    add_test("both are the two that were passed", two_bios);
    add_test("each line's end is one newline", newline);
    add_test("what follows the end is left", left);
    add_test("the end has the name of the start", end_name);
    add_test("an input without its end is refused", no_end);
    add_test("a second blank line is refused", second_blank);
    add_test("after a header only the last line can be short, and none long", line_lengths);
    add_test("without a header lines have any length", any_length);
    add_test("the newline of a longer line is no blank line", long_line);
    add_test("a blank line after a longer one ends the header", long_header);
    add_test("a strict reader takes the header whole", strict_header);
    add_test("a strict reader drops what is no base64", strict_data);
    add_test("secure reading takes its buffer from the secure heap", secure);
    add_test("nothing is leaked", balanced);
    return 1;
}
