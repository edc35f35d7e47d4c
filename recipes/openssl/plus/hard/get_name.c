/*---
 * tasks: [sanitize_line-674e97.16, sanitize_line-674e97.2, sanitize_line-674e97.4, sanitize_line-674e97.8]
 * tests:
 *   the name stands between BEGIN and the dashes: 'PEM_read(3): "the type name from the ----BEGIN <type>-----".'
 *   what comes before is skipped: 'PEM_read(3): "Both skip any non-PEM data that precedes the start".'
 *   a line that only looks like it is skipped: 'pem_lib.c: BEGINSTR, TAILSTR; "on their own line", PEM_read(3).'
 *   the lines after it are left: 'pem_lib.c: PEM_read_bio_ex, get_header_and_data goes on with the same bio.'
 *   white space after the dashes does not matter: 'PEM_read_bio_ex(3): "from the end of each line"; sanitize_line.'
 *   a strict reader takes spaces in the name: 'pem.h: PEM_STRING_EVP_PKEY; pemtest.c reads with PEM_FLAG_ONLY_B64.'
 *   a mark of UTF-8 can stand before the first line: 'sanitize_line, first_call.'
 *   a mark of UTF-8 in a later line is no start: 'sanitize_line, first_call.'
 *   the longest line gives its whole name: 'pem_lib.c: LINESIZE; BIO_gets keeps one byte for the NUL.'
 *   longer lines before it are skipped: 'PEM_read(3): "skip any non-PEM data".'
 *   no start is told by 0 and its reason: 'PEM_read(3): PEM_R_NO_START_LINE, "no more PEM objects were found".'
 *   the name is the caller's: 'PEM_read_bio_ex(3): "The caller must release the storage allocated for *name".'
 *   secure reading takes all from the secure heap: 'PEM_read_bio_ex(3): "allocated from the secure heap".'
 *   nothing is leaked, and a lack of memory is told: 'pem_lib.c: PEM_read_bio_ex, "if (!get_name(bp, &name, flags))".'
 ---*/
#include "../../crypto/pem/pem_lib.c"
#include "../testutil.h"
#include "refused_once.h"
#include "pem_text.h"

static int gives(const char *text, unsigned int flags, const char *expected, const char *rest)
{
    BIO *in = pem_in(text);
    char *name = NULL;
    int ok = TEST_int_eq(get_name(in, &name, flags), 1) && TEST_str_eq(name, expected)
        && (rest == NULL || TEST_str_eq(pem_rest(in), rest));

    OPENSSL_free(name);
    BIO_free(in);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int none(const char *text, unsigned int flags)
{
    BIO *in = pem_in(text);
    char *name = NULL;
    int ok;

    ERR_clear_error();
    ok = TEST_int_eq(get_name(in, &name, flags), 0) && TEST_ptr_null(name)
        && TEST_true(pem_error(PEM_R_NO_START_LINE));
    BIO_free(in);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int between(void)
{
    return gives("-----BEGIN X-----\n", EAY, "X", "")
        && gives("-----BEGIN CERTIFICATE-----\n", 0, "CERTIFICATE", "")
        && gives("-----BEGIN RSA PRIVATE KEY-----\n", EAY, "RSA PRIVATE KEY", "")
        && gives("-----BEGIN RSA PRIVATE KEY-----\n", 0, "RSA PRIVATE KEY", "")
        && gives("-----BEGIN A-----B-----\n", EAY, "A-----B", "")
        && gives("-----BEGIN  A -----\n", EAY, " A ", "")
        && gives("-----BEGIN X-----", EAY, "X", "");
}

static int skipped(void)
{
    return gives("Some text\n\n  more: text\n-----BEGIN X-----\nAA==\n", EAY, "X", "AA==\n")
        && gives("-----END Y-----\n-----BEGIN X-----\n", 0, "X", "")
        && gives("\n\n\n-----BEGIN X-----\n", B64, "X", "")
        && gives("a\n-----BEGIN X-----\n", EAY, "X", "");
}

#define LOOKS " -----BEGIN W-----\n----BEGIN W-----\n-----BEGIN W----\n-----BEGIN W\n" \
    "-----begin W-----\n-----BEGINW-----\n-----BEGIN W-----x\n-----BEGIN-----\n-----\n" \
    "-----BEGIN X-----\n"

static int looks(void)
{
    return gives(LOOKS, EAY, "X", "") && gives(LOOKS, 0, "X", "");
}

static int after(void)
{
    BIO *in = pem_in("-----BEGIN X-----\n\n-----BEGIN Y-----\nline\n-----BEGIN Z-----\n");
    char *first = NULL, *second = NULL, *third = NULL, *none = NULL;
    int ok = TEST_int_eq(get_name(in, &first, EAY), 1) && TEST_str_eq(first, "X")
        && TEST_int_eq(get_name(in, &second, EAY), 1) && TEST_str_eq(second, "Y")
        && TEST_int_eq(get_name(in, &third, EAY), 1) && TEST_str_eq(third, "Z")
        && TEST_int_eq(get_name(in, &none, EAY), 0);

    OPENSSL_free(first);
    OPENSSL_free(second);
    OPENSSL_free(third);
    BIO_free(in);
    ERR_clear_error();
    return ok && gives("-----BEGIN X-----\n\n-----BEGIN Y-----\n", EAY, "X",
                       "\n-----BEGIN Y-----\n");
}

static int white(void)
{
    return gives("-----BEGIN X-----\r\nAA\r\n", EAY, "X", "AA\r\n")
        && gives("-----BEGIN X-----  \t \n", EAY, "X", "")
        && gives("-----BEGIN X-----\r\n", 0, "X", "")
        && gives("-----BEGIN X-----\r\n", B64, "X", "");
}

static int strict(void)
{
    return gives("-----BEGIN ANY PRIVATE KEY-----\nAA==\n", B64, "ANY PRIVATE KEY", "AA==\n")
        && gives("-----BEGIN X9.42 DH PARAMETERS-----\n", B64, "X9.42 DH PARAMETERS", "");
}

static int mark(void)
{
    return gives("\xef\xbb\xbf-----BEGIN X-----\nAA==\n", EAY, "X", "AA==\n")
        && gives("\xef\xbb\xbf-----BEGIN X Y-----\n", B64, "X Y", "")
        && gives("\xef\xbb\xbf-----BEGIN X-----\n", 0, "X", "")
        && gives("\xef\xbb\xbf\n-----BEGIN X-----\n", EAY, "X", "");
}

static int later_mark(void)
{
    return gives("a\n\xef\xbb\xbf-----BEGIN W-----\n-----BEGIN X-----\n", EAY, "X", "")
        && gives("\n\xef\xbb\xbf-----BEGIN W-----\n-----BEGIN X-----\n", 0, "X", "")
        && none("\n\xef\xbb\xbf-----BEGIN W-----\n", EAY);
}

static int longest(void)
{
    char name[240], text[300];
    int length, ok = 1;

    for (length = 230; length <= 237 && ok; length++) {
        memset(name, 'N', length);
        name[0] = 'A';
        name[length - 1] = 'Z';
        name[length] = '\0';
        BIO_snprintf(text, sizeof(text), "-----BEGIN %s-----\nrest", name);
        ok = gives(text, EAY, name, "rest") && gives(text, 0, name, "rest");
    }
    return ok;
}

static int longer(void)
{
    char text[1200];
    static const int lengths[] = {253, 254, 255, 300, 508, 1000};
    size_t i;
    int ok = 1;

    for (i = 0; i < OSSL_NELEM(lengths) && ok; i++) {
        memset(text, 'x', lengths[i]);
        strcpy(text + lengths[i], "\n-----BEGIN X-----\nrest");
        ok = gives(text, EAY, "X", "rest") && gives(text, 0, "X", "rest");
    }
    return ok;
}

static int no_start(void)
{
    return none("", EAY) && none("text\nand more\n", EAY) && none("-----BEGIN X\n", 0)
        && none("\n\n", B64)
        && none("-----END X-----\n", EAY);
}

static int callers(void)
{
    BIO *in = pem_in("-----BEGIN X-----\n-----BEGIN Y-----\n");
    char *first = NULL, *second = NULL;
    int ok = TEST_int_eq(get_name(in, &first, EAY), 1)
        && TEST_int_eq(get_name(in, &second, EAY), 1)
        && TEST_ptr_ne(first, second) && TEST_str_eq(first, "X");

    BIO_free(in);
    OPENSSL_free(first);
    ok = ok && TEST_str_eq(second, "Y");
    OPENSSL_free(second);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int secure(void)
{
    BIO *in;
    char *name = NULL;
    size_t before;
    int ok, result;

    if (!TEST_true(CRYPTO_secure_malloc_initialized()))
        return 0;
    before = CRYPTO_secure_used();
    in = pem_in("text\n-----BEGIN A SECRET-----\n");
    memory_left = 0;
    result = get_name(in, &name, SECURE | EAY);
    memory_left = -1;
    ok = TEST_int_eq(result, 1) && TEST_str_eq(name, "A SECRET")
        && TEST_true(CRYPTO_secure_allocated(name));
    OPENSSL_secure_free(name);
    BIO_free(in);
    name = NULL;
    in = pem_in("text\n");
    ok = ok && TEST_int_eq(get_name(in, &name, SECURE), 0);
    BIO_free(in);
    name = NULL;
    in = pem_in("-----BEGIN X-----\n");
    ok = ok && TEST_int_eq(get_name(in, &name, EAY), 1)
        && TEST_false(CRYPTO_secure_allocated(name));
    OPENSSL_free(name);
    BIO_free(in);
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
        if (!between() || !skipped() || !after() || !no_start() || !longest()
                || !TEST_long_eq(memory_bad_frees, 0))
            return 0;
    }
    for (left = 0; refused && left < 100; left++) {
        BIO *in = pem_in("-----BEGIN X-----\n");
        char *name = NULL;
        int result, ok;

        once_left = left;
        result = get_name(in, &name, EAY);
        refused = once_refused();
        ERR_clear_error();
        BIO_free(in);
        ok = result == 1 ? TEST_str_eq(name, "X")
            : refused && TEST_int_eq(result, 0) && TEST_ptr_null(name);
        OPENSSL_free(name);
        if (!ok || !TEST_long_eq(memory_blocks, before))
            return 0;
    }
    return TEST_false(refused) && TEST_long_eq(memory_bad_frees, 0);
}

int setup_tests(void)
{
    CRYPTO_secure_malloc_init(65536, 16);
    add_test("the name stands between BEGIN and the dashes", between);
    add_test("what comes before is skipped", skipped);
    add_test("a line that only looks like it is skipped", looks);
    add_test("the lines after it are left", after);
    add_test("white space after the dashes does not matter", white);
    add_test("a strict reader takes spaces in the name", strict);
    add_test("a mark of UTF-8 can stand before the first line", mark);
    add_test("a mark of UTF-8 in a later line is no start", later_mark);
    add_test("the longest line gives its whole name", longest);
    add_test("longer lines before it are skipped", longer);
    add_test("no start is told by 0 and its reason", no_start);
    add_test("the name is the caller's", callers);
    add_test("secure reading takes all from the secure heap", secure);
    add_test("nothing is leaked, and a lack of memory is told", balanced);
    return 1;
}
