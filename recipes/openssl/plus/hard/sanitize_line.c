/*---
 * tasks: [sanitize_line-674e97, sanitize_line-674e97.16, sanitize_line-674e97.2, sanitize_line-674e97.4,
 *   sanitize_line-674e97.8]
 * tests:
 *   a clean line stays: 'Caller get_name: "Strip trailing garbage and standardize ending".'
 *   a line's end is one newline in each mode: 'Callers: TAILSTR ends with a newline; "standardize ending".'
 *   a line without an end gets one: 'Callers: "the newline that will be added by sanitize_line() (the extra 1)".'
 *   the length counts the newline: 'Callers: get_name, linebuf + len - TAILLEN; get_header_and_data, "65 includes the
 *     trailing newline".'
 *   the compatible mode strips white space at the end:
 *     'PEM_read_bio_ex(3): "remove whitespace and control characters from the end of each line".'
 *   the compatible mode leaves the rest of the line: 'PEM_read_bio_ex(3): "from the end of each line".'
 *   the strict mode ends at what is no base64:
 *     'PEM_read_bio_ex(3): "non-base64 characters are treated as end of input".'
 *   each letter of base64 is one in strict mode: 'PEM_read_bio_ex(3): "valid base64 characters"; RFC 4648, 4.'
 *   without a mode control characters are ignored: 'PEM_read_bio_ex(3): "control characters are ignored".'
 *   without a mode the rest of the line stays: 'PEM_read_bio_ex(3): only "control characters are ignored".'
 *   a blank line is a newline: 'Caller get_header_and_data: "linebuf[0] == ''\n''" ends the header.'
 *   the mark of UTF-8 is stripped from the first line: 'Signature: first_call; get_name passes 1 for its first line only.'
 *   no other line loses such a mark: 'Signature: first_call; get_header_and_data passes 0.'
 *   the secure flag changes nothing: 'pem.h: PEM_FLAG_SECURE; PEM_read_bio_ex(3): it is about buffers.'
 *   nothing is written outside the line: 'Callers: linebuf has LINESIZE + 1 bytes; BIO_gets reads up to LINESIZE.'
 ---*/
#include "../../crypto/pem/pem_lib.c"
#include "../testutil.h"

#define EAY PEM_FLAG_EAY_COMPATIBLE
#define B64 PEM_FLAG_ONLY_B64

/* Does the line of this length become the expected one? */
static int becomes_n(const char *line, int length, unsigned int flags, int first,
                     const char *expected)
{
    char area[8 + 256 + 8], *buffer = area + 8;
    int i, got, ok;

    memset(area, ' ', sizeof(area));
    memcpy(buffer, line, length);
    buffer[length] = '\0';
    got = sanitize_line(buffer, length, flags, first);
    ok = TEST_int_eq(got, (int)strlen(expected))
        & TEST_mem_eq(buffer, strlen(expected) + 1, expected, strlen(expected) + 1);
    for (i = 0; i < 8; i++)
        ok &= area[i] == ' ' && area[8 + 256 + i] == ' ';
    return TEST_true(ok);
}

static int becomes(const char *line, unsigned int flags, const char *expected)
{
    return becomes_n(line, (int)strlen(line), flags, 0, expected);
}

static int clean(void)
{
    return becomes("aGVsbG8=\n", EAY, "aGVsbG8=\n") && becomes("aGVsbG8=\n", B64, "aGVsbG8=\n")
        && becomes("aGVsbG8=\n", 0, "aGVsbG8=\n")
        && becomes("-----BEGIN RSA PRIVATE KEY-----\n", EAY, "-----BEGIN RSA PRIVATE KEY-----\n")
        && becomes("-----BEGIN RSA PRIVATE KEY-----\n", 0, "-----BEGIN RSA PRIVATE KEY-----\n")
        && becomes("Proc-Type: 4,ENCRYPTED\n", 0, "Proc-Type: 4,ENCRYPTED\n");
}

static int one_newline(void)
{
    return becomes("abcd\r\n", EAY, "abcd\n") && becomes("abcd\r\n", B64, "abcd\n")
        && becomes("abcd\r\n", 0, "abcd\n")
        && becomes("abcd\r", EAY, "abcd\n") && becomes("abcd\r", B64, "abcd\n")
        && becomes("abcd\r", 0, "abcd\n");
}

static int without_end(void)
{
    return becomes("abcd", EAY, "abcd\n") && becomes("abcd", B64, "abcd\n")
        && becomes("abcd", 0, "abcd\n")
        && becomes("a", EAY, "a\n") && becomes("a", B64, "a\n") && becomes("a", 0, "a\n");
}

static int counts(void)
{
    char buffer[64] = "abcd  \r\n";
    int ok = TEST_int_eq(sanitize_line(buffer, 8, EAY, 0), 5) && TEST_str_eq(buffer, "abcd\n");

    strcpy(buffer, "abcd");
    ok = ok && TEST_int_eq(sanitize_line(buffer, 4, 0, 0), 5) && TEST_str_eq(buffer, "abcd\n");
    strcpy(buffer, "abcd*ef\n");
    return ok && TEST_int_eq(sanitize_line(buffer, 8, B64, 0), 5) && TEST_str_eq(buffer, "abcd\n");
}

static int end_stripped(void)
{
    return becomes("abcd  \n", EAY, "abcd\n") && becomes("abcd\t \r\n", EAY, "abcd\n")
        && becomes("abcd \x01\x1f\v\f\n", EAY, "abcd\n")
        && becomes("-----END X-----   \n", EAY, "-----END X-----\n")
        && becomes("abcd \r \n", EAY, "abcd\n");
}

static int rest_left(void)
{
    return becomes("  ab\tcd ef \n", EAY, "  ab\tcd ef\n") && becomes("\tx\n", EAY, "\tx\n")
        && becomes("a*b-c!\n", EAY, "a*b-c!\n") && becomes("a\x01" "b\n", EAY, "a\x01" "b\n");
}

static int strict(void)
{
    return becomes("abcd efgh\n", B64, "abcd\n") && becomes("abcd-efgh\n", B64, "abcd\n")
        && becomes("ab\tcd\n", B64, "ab\n")
        && becomes("abcd:\n", B64, "abcd\n") && becomes("a_b\n", B64, "a\n")
        && becomes("abc\x7f\n", B64, "abc\n")
        && becomes(" abcd\n", B64, "\n") && becomes("\tabcd\n", B64, "\n")
        && becomes("abcd   \n", B64, "abcd\n");
}

static int letters(void)
{
    static const char all[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/==\n";

    return becomes(all, B64, all) && becomes("+/+/\n", B64, "+/+/\n")
        && becomes("A===\n", B64, "A===\n");
}

/* As the line without its blanks: a control character can become one, or go. */
static int becomes_but_blanks(const char *line, int length, const char *expected)
{
    char buffer[257], kept[257];
    int i, j, got;

    memcpy(buffer, line, length);
    buffer[length] = '\0';
    got = sanitize_line(buffer, length, 0, 0);
    for (i = j = 0; buffer[i] != '\0'; i++)
        if (buffer[i] != ' ')
            kept[j++] = buffer[i];
    kept[j] = '\0';
    return TEST_int_eq(got, i) && TEST_str_eq(kept, expected);
}

static int ignored(void)
{
    char line[] = "ab?cd\n";
    int c, ok = 1;

    for (c = 1; c < 32 && ok; c++) {
        if (c == '\n' || c == '\r')
            continue;
        line[2] = (char)c;
        ok = becomes_but_blanks(line, 6, "abcd\n");
    }
    return ok && becomes_but_blanks("ab\x7f" "cd\n", 6, "abcd\n")
        && becomes_but_blanks("\x01\x02\n", 3, "\n")
        && becomes_but_blanks("\tabcd\x1f\n", 7, "abcd\n");
}

static int rest_stays(void)
{
    return becomes("ab cd\n", 0, "ab cd\n") && becomes("a*b-c!~\n", 0, "a*b-c!~\n")
        && becomes("ab cd ef: gh\r\n", 0, "ab cd ef: gh\n");
}

static int blank(void)
{
    return becomes("\n", EAY, "\n") && becomes("\n", B64, "\n") && becomes("\n", 0, "\n")
        && becomes("\r\n", EAY, "\n") && becomes("\r\n", B64, "\n") && becomes("\r\n", 0, "\n")
        && becomes("  \t\r\n", EAY, "\n") && becomes(" \n", EAY, "\n");
}

static int mark(void)
{
    return becomes_n("\xef\xbb\xbf-----BEGIN X-----\n", 19 + 2, EAY, 1, "-----BEGIN X-----\n")
        && becomes_n("\xef\xbb\xbf-----BEGIN X-----\n", 19 + 2, 0, 1, "-----BEGIN X-----\n")
        && becomes_n("\xef\xbb\xbf" "abcd\n", 8, B64, 1, "abcd\n")
        && becomes_n("\xef\xbb\xbf" "a \r\n", 7, EAY, 1, "a\n")
        && becomes_n("\xef\xbb\xbf\n", 4, EAY, 1, "\n")
        && becomes_n("\xef\xbb\xbf\n", 4, 0, 1, "\n")
        && becomes_n("abcd\n", 5, EAY, 1, "abcd\n") && becomes_n("abcd\n", 5, 0, 1, "abcd\n")
        && becomes_n("\n", 1, EAY, 1, "\n") && becomes_n("ab", 2, EAY, 1, "ab\n");
}

static int no_mark(void)
{
    return becomes_n("\xef\xbb\xbf" "abcd\n", 8, EAY, 0, "\xef\xbb\xbf" "abcd\n")
        && becomes_n("\xef\xbb\xbf" "abcd\n", 8, 0, 0, "\xef\xbb\xbf" "abcd\n")
        && becomes_n("\xef\xbb\xbf" "abcd\n", 8, B64, 0, "\n")
        && becomes_n("\xef\xbb" "abcd\n", 7, EAY, 1, "\xef\xbb" "abcd\n")
        && becomes_n("\xfe\xff" "abcd\n", 7, EAY, 1, "\xfe\xff" "abcd\n")
        && becomes_n("a\xef\xbb\xbf" "b\n", 6, EAY, 1, "a\xef\xbb\xbf" "b\n");
}

static int secure(void)
{
    return becomes("ab cd \r\n", PEM_FLAG_SECURE | EAY, "ab cd\n")
        && becomes("ab cd\n", PEM_FLAG_SECURE | B64, "ab\n")
        && becomes_but_blanks("ab\x01" "cd\n", 6, "abcd\n")
        && becomes("ab cd\n", PEM_FLAG_SECURE, "ab cd\n");
}

static int outside(void)
{
    static const unsigned int modes[] = {EAY, B64, 0};
    char line[256], expected[257];
    size_t i;
    int length, ok = 1;

    for (i = 0; i < OSSL_NELEM(modes); i++)
        for (length = 250; length <= 254; length++) {
            memset(line, 'A', length);
            memset(expected, 'A', length);
            line[length] = '\0';
            strcpy(expected + length, "\n");
            ok &= becomes_n(line, length, modes[i], 0, expected);
            line[length - 1] = '\n';
            ok &= becomes_n(line, length, modes[i], 0, expected + 1);
            memset(line, '\n', length);
            ok &= becomes_n(line, length, modes[i], 0, "\n");
        }
    memset(line, ' ', 254);
    line[254] = '\0';
    return ok && becomes_n(line, 254, EAY, 0, "\n");
}

int setup_tests(void)
{
    add_test("a clean line stays", clean);
    add_test("a line's end is one newline in each mode", one_newline);
    add_test("a line without an end gets one", without_end);
    add_test("the length counts the newline", counts);
    add_test("the compatible mode strips white space at the end", end_stripped);
    add_test("the compatible mode leaves the rest of the line", rest_left);
    add_test("the strict mode ends at what is no base64", strict);
    add_test("each letter of base64 is one in strict mode", letters);
    add_test("without a mode control characters are ignored", ignored);
    add_test("without a mode the rest of the line stays", rest_stays);
    add_test("a blank line is a newline", blank);
    add_test("the mark of UTF-8 is stripped from the first line", mark);
    add_test("no other line loses such a mark", no_mark);
    add_test("the secure flag changes nothing", secure);
    add_test("nothing is written outside the line", outside);
    return 1;
}
