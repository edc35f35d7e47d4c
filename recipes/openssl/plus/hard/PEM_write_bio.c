/*---
 * tasks: [sanitize_line-674e97.16]
 * tests:
 *   name, data and markers are written: 'PEM_read(3): "base64-encoded lines, surrounded by begin/end markers each on their
 *     own line".'
 *   lines have 64 characters: 'RFC 1421, 4.3.2.4: "each line except the last ... exactly 64 printable characters".'
 *   data of each length are written: 'PEM_read(3): "data and len specify the data and its length".'
 *   long data are written whole: 'PEM_read(3); pem.h: PEM_BUFSIZE, the parts it is encoded in.'
 *   a header is followed by a blank line: 'PEM_read(3): "the header value"; get_header_and_data, "marked by a blank line".'
 *   no header leaves no blank line: 'PEM_read(3): "the header value or NULL"; apps/s_client.c passes "".'
 *   the name can have blanks: 'PEM_read(3): "The name is the name to use in the marker".'
 *   success is told by more than 0: 'pem_lib.c: PEM_ASN1_write_bio, "if (i <= 0) ret = 0".'
 *   one object is written after the other: 'PEM_write_bio(3) writes to the BIO; X509_INFO files hold many.'
 *   each write that fails is told: 'PEM_ASN1_write_bio, "if (i <= 0)"; PEM_read_bio_PrivateKey(3): "0 for failure".'
 *   what is written is read again: 'PEM_read(3): "read and write PEM-encoded objects".'
 *   nothing is leaked, and a lack of memory is told: 'PEM_read_bio_PrivateKey(3): "0 for failure".'
 ---*/
#include "../testutil.h"
#include <openssl/evp.h>
#include "refused_once.h"
#include "pem_text.h"
#include "failing_sink.h"

#define L64 "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJygpKissLS4v"

static unsigned char bytes[20000];

/* What is written, as a string of at most 40000. */
static const char *written(const char *name, const char *header, const unsigned char *data,
                           long length)
{
    static char text[40001];
    BIO *out = BIO_new(BIO_s_mem());
    int got;

    if (!TEST_int_gt(PEM_write_bio(out, name, header, data, length), 0)) {
        BIO_free(out);
        return "failed";
    }
    got = BIO_read(out, text, sizeof(text) - 1);
    text[got < 0 ? 0 : got] = '\0';
    BIO_free(out);
    return text;
}

static int all_written(void)
{
    return TEST_str_eq(written("X", NULL, (unsigned char *)"hello", 5),
                       "-----BEGIN X-----\naGVsbG8=\n-----END X-----\n")
        && TEST_str_eq(written("CERTIFICATE", NULL, (unsigned char *)"foo", 3),
                       "-----BEGIN CERTIFICATE-----\nZm9v\n-----END CERTIFICATE-----\n")
        && TEST_str_eq(written("X", NULL, (unsigned char *)"\0\xff", 2),
                       "-----BEGIN X-----\nAP8=\n-----END X-----\n");
}

static int lines(void)
{
    return TEST_str_eq(written("X", NULL, bytes, 48),
                       "-----BEGIN X-----\n" L64 "\n-----END X-----\n")
        && TEST_str_eq(written("X", NULL, bytes, 47),
                       "-----BEGIN X-----\n"
                       "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJygpKissLS4=\n"
                       "-----END X-----\n")
        && TEST_str_eq(written("X", NULL, bytes, 49),
                       "-----BEGIN X-----\n" L64 "\nMA==\n-----END X-----\n")
        && TEST_str_eq(written("X", NULL, bytes, 51),
                       "-----BEGIN X-----\n" L64 "\nMDEy\n-----END X-----\n");
}

/* By the definition alone. */
static int right(const char *header, long length)
{
    static char expected[40000];
    char *p = expected;
    long i, step;

    p += sprintf(p, "-----BEGIN A NAME-----\n");
    if (header != NULL)
        p += sprintf(p, "%s\n", header);
    for (i = 0; i < length; i += 48) {
        step = length - i < 48 ? length - i : 48;
        p += EVP_EncodeBlock((unsigned char *)p, bytes + i, (int)step);
        *p++ = '\n';
    }
    strcpy(p, "-----END A NAME-----\n");
    return TEST_true(strcmp(written("A NAME", header, bytes, length), expected) == 0);
}

static int each_length(void)
{
    long length;
    int ok = 1;

    for (length = 1; length <= 200 && ok; length++)
        ok = right(NULL, length);
    return ok;
}

static int whole(void)
{
    static const long lengths[] = {1023, 1024, 1025, 5119, 5120, 5121, 8192, 10239, 10240, 10241,
        20000};
    size_t i;
    int ok = 1;

    for (i = 0; i < OSSL_NELEM(lengths) && ok; i++)
        ok = right(i % 2 ? "a: b\n" : NULL, lengths[i]);
    return ok;
}

static int with_header(void)
{
    return TEST_str_eq(written("X", "Proc-Type: 4,ENCRYPTED\nDEK-Info: A,12\n",
                               (unsigned char *)"hello", 5),
                       "-----BEGIN X-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: A,12\n\n"
                       "aGVsbG8=\n-----END X-----\n")
        && right("a: b\n", 100);
}

static int no_header(void)
{
    return TEST_str_eq(written("X", "", (unsigned char *)"hello", 5),
                       "-----BEGIN X-----\naGVsbG8=\n-----END X-----\n")
        && TEST_str_eq(written("X", NULL, (unsigned char *)"hello", 5),
                       "-----BEGIN X-----\naGVsbG8=\n-----END X-----\n");
}

static int blanks(void)
{
    return TEST_str_eq(written("RSA PRIVATE KEY", NULL, (unsigned char *)"hello", 5),
                       "-----BEGIN RSA PRIVATE KEY-----\naGVsbG8=\n"
                       "-----END RSA PRIVATE KEY-----\n");
}

static int success(void)
{
    BIO *out = BIO_new(BIO_s_mem());
    int ok = TEST_int_gt(PEM_write_bio(out, "X", NULL, bytes, 1), 0)
        && TEST_int_gt(PEM_write_bio(out, "X", "", bytes, 48), 0)
        && TEST_int_gt(PEM_write_bio(out, "X", NULL, bytes, 5120), 0)
        && TEST_int_gt(PEM_write_bio(out, "X", "a: b\n", bytes, 96), 0)
        && TEST_int_gt(PEM_write_bio(out, "X", NULL, bytes, 20000), 0);

    BIO_free(out);
    return ok;
}

static int after_other(void)
{
    BIO *out = BIO_new(BIO_s_mem());
    int ok = TEST_int_gt(PEM_write_bio(out, "X", NULL, (unsigned char *)"hello", 5), 0)
        && TEST_int_gt(PEM_write_bio(out, "Y", "a: b\n", (unsigned char *)"foo", 3), 0)
        && TEST_str_eq(pem_rest(out), "-----BEGIN X-----\naGVsbG8=\n-----END X-----\n"
                       "-----BEGIN Y-----\na: b\n\nZm9v\n-----END Y-----\n");

    BIO_free(out);
    return ok;
}

static int failing(const char *header, long length)
{
    int left, ok = 1, refused = 1;

    for (left = 0; refused && ok && left < 2000; left++) {
        BIO *out = sink_new(left);
        int got = PEM_write_bio(out, "X", header, bytes, length);

        refused = sink.refused;
        ok = refused ? TEST_int_le(got, 0) : TEST_int_gt(got, 0);
        BIO_free(out);
        ERR_clear_error();
    }
    return ok && TEST_false(refused) && TEST_int_gt(left, 1);
}

static int each_write(void)
{
    return failing(NULL, 5) && failing("a: b\n", 100) && failing(NULL, 48)
        && failing("a: b\n", 12000);
}

static int read_again(void)
{
    BIO *out = BIO_new(BIO_s_mem());
    char *name = NULL, *header = NULL;
    unsigned char *data = NULL;
    long length = 0;
    int ok = TEST_int_gt(PEM_write_bio(out, "A NAME", "a: b\n", bytes, 7000), 0)
        && TEST_int_eq(PEM_read_bio(out, &name, &header, &data, &length), 1)
        && TEST_str_eq(name, "A NAME")
        && TEST_str_eq(header, "a: b\n") && TEST_mem_eq(data, length, bytes, 7000);

    OPENSSL_free(name);
    OPENSSL_free(header);
    OPENSSL_free(data);
    BIO_free(out);
    return ok;
}

static int balanced(void)
{
    long before, left;
    int i, refused = 1;

    for (i = 0; i < 2; i++) {
        if (i == 1)
            before = memory_blocks;
        if (!all_written() || !lines() || !with_header() || !whole() || !each_write()
                || !TEST_long_eq(memory_bad_frees, 0))
            return 0;
    }
    for (left = 0; refused && left < 100; left++) {
        BIO *out = sink_new(-1);
        int got;

        once_left = left;
        got = PEM_write_bio(out, "X", NULL, bytes, 100);
        refused = once_refused();
        BIO_free(out);
        ERR_clear_error();
        if (!TEST_true(got > 0 || refused) || !TEST_long_eq(memory_blocks, before)
                || !TEST_long_eq(memory_bad_frees, 0))
            return 0;
    }
    return TEST_false(refused);
}

int setup_tests(void)
{
    size_t i;

    for (i = 0; i < sizeof(bytes); i++)
        bytes[i] = (unsigned char)(i < 256 ? i : i * 7 + i / 256);
    add_test("name, data and markers are written", all_written);
    add_test("lines have 64 characters", lines);
    add_test("data of each length are written", each_length);
    add_test("long data are written whole", whole);
    add_test("a header is followed by a blank line", with_header);
    add_test("no header leaves no blank line", no_header);
    add_test("the name can have blanks", blanks);
    add_test("success is told by more than 0", success);
    add_test("one object is written after the other", after_other);
    add_test("each write that fails is told", each_write);
    add_test("what is written is read again", read_again);
    add_test("nothing is leaked, and a lack of memory is told", balanced);
    return 1;
}

void cleanup_tests(void)
{
    BIO_meth_free(sink_method);
}
