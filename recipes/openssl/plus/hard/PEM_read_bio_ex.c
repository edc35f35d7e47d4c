/*---
 * tasks: [sanitize_line-674e97.16, sanitize_line-674e97.4, sanitize_line-674e97.8]
 * tests:
 *   name, header, data and length are returned: 'PEM_read_bio_ex(3): "outputting the name ..., the header ..., and the
 *     binary data payload (after base64 decoding)".'
 *   data of each length come back: 'PEM_read_bio_ex(3): "the binary data payload"; RFC 4648.'
 *   a header that is not there is empty: 'PEM_get_EVP_CIPHER_INFO takes an empty string for none; PEM_read(3).'
 *   one object after the other is read: 'PEM_read(3): "Both skip any non-PEM data that precedes the start of the next".'
 *   the end of the input is told by its reason: 'PEM_read(3): "check for PEM_R_NO_START_LINE".'
 *   two modes at once are refused: 'PEM_read_bio_ex(3): "these options are not compatible with each other".'
 *   an object without data is refused: 'pemtest.c: test_empty_payload, "Expected to fail because the payload is empty".'
 *   what is no base64 is refused: 'PEM_R_BAD_BASE64_DECODE; docstring: "malformed input and will be rejected".'
 *   other characters are malformed: 'Docstring: "all content must be printable ASCII ... will be rejected".'
 *   an object that is not ended is refused: 'PEM_R_BAD_END_LINE; PEM_read(3), "begin/end markers".'
 *   a strict reader takes no leading tab: 'pemtest.c: test_invalid, "Expected to fail due to non-base64 character".'
 *   a failure leaves nothing to free: 'pemtest.c frees all after a failure; PEM_bytes_read_bio doesn''t.'
 *   secure reading takes all from the secure heap: 'PEM_read_bio_ex(3): "If PEM_FLAG_SECURE was set, use
 *     OPENSSL_secure_free()".'
 *   no line that is read securely lies in ordinary memory: 'PEM_read_bio_ex(3): "the intermediate buffers used to read in
 *     lines of input are allocated from the secure heap".'
 *   nothing is leaked or freed twice: 'PEM_read_bio_ex(3): "The caller must release the storage".'
 *   a lack of memory is refused and leaks nothing: 'PEM_read_bio_ex(3): "returns 1 for success or 0 for failure".'
 ---*/
#include "../testutil.h"
#define SPY_BLOCKS
#include "refused_once.h"
#include "block_spy.h"
#include "pem_text.h"

#define L64 "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define HELLO "-----BEGIN X-----\naGVsbG8=\n-----END X-----\n"
#define SECRET "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n" \
    "DEK-Info: AES-128-CBC,12\n\naGVsbG8=\n" \
    "-----END RSA PRIVATE KEY-----\n"

static int reads(BIO *in, unsigned int flags, const char *name, const char *header,
                 const void *data, long length)
{
    char *n = (char *)1, *h = (char *)1;
    unsigned char *d = (unsigned char *)1;
    long l = -1;
    int ok = TEST_int_eq(PEM_read_bio_ex(in, &n, &h, &d, &l, flags), 1);

    if (!ok)
        return 0;
    ok = TEST_str_eq(n, name) & TEST_str_eq(h, header) & TEST_mem_eq(d, l, data, length);
    if (flags & SECURE) {
        OPENSSL_secure_free(n);
        OPENSSL_secure_free(h);
        OPENSSL_secure_free(d);
    } else {
        OPENSSL_free(n);
        OPENSSL_free(h);
        OPENSSL_free(d);
    }
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int gives(const char *text, unsigned int flags, const char *name, const char *header,
                 const char *data)
{
    BIO *in = pem_in(text);
    int ok = reads(in, flags, name, header, data, (long)strlen(data));

    BIO_free(in);
    return ok;
}

static int refused(const char *text, unsigned int flags)
{
    BIO *in = pem_in(text);
    char *n = (char *)1, *h = (char *)1;
    unsigned char *d = (unsigned char *)1;
    long l = -1;
    int ok = TEST_int_eq(PEM_read_bio_ex(in, &n, &h, &d, &l, flags), 0)
        && TEST_ptr_null(n) && TEST_ptr_null(h) && TEST_ptr_null(d) && TEST_long_eq(l, 0);

    BIO_free(in);
    ERR_clear_error();
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int returned(void)
{
    return gives(HELLO, EAY, "X", "", "hello") && gives(HELLO, 0, "X", "", "hello")
        && gives(HELLO, B64, "X", "", "hello")
        && gives(SECRET, EAY, "RSA PRIVATE KEY",
                 "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,12\n", "hello")
        && gives(SECRET, 0, "RSA PRIVATE KEY",
                 "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,12\n", "hello")
        && gives(SECRET, B64, "RSA PRIVATE KEY",
                 "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,12\n", "hello");
}

static int lengths(void)
{
    static const unsigned int flags[] = {EAY, 0, B64};
    unsigned char bytes[400];
    char text[900], line[70];
    int length, i, ok = 1;

    for (i = 0; i < (int)sizeof(bytes); i++)
        bytes[i] = (unsigned char)(i * 7 + 250);
    for (length = 1; length <= (int)sizeof(bytes) && ok; length += length < 100 ? 1 : 37) {
        BIO *in;

        strcpy(text, "-----BEGIN A B-----\n");
        if (length % 2)
            strcat(text, "a: b\n\n");
        for (i = 0; i < length; i += 48) {
            EVP_EncodeBlock((unsigned char *)line, bytes + i, length - i < 48 ? length - i : 48);
            strcat(text, line);
            strcat(text, "\n");
        }
        strcat(text, "-----END A B-----\n");
        in = pem_in(text);
        ok = reads(in, flags[length % 3], "A B", length % 2 ? "a: b\n" : "", bytes, length);
        BIO_free(in);
    }
    return ok;
}

static int no_header(void)
{
    return gives(HELLO, EAY, "X", "", "hello")
        && gives("-----BEGIN X-----\n\naGVsbG8=\n-----END X-----\n", 0, "X", "", "hello");
}

static int one_after_other(void)
{
    BIO *in = pem_in("text\n" HELLO "more: text\n\n\n" SECRET
                     "-----BEGIN Y-----\nZm9v\n-----END Y-----\nend\n");
    char *n, *h;
    unsigned char *d;
    long l;
    int ok = reads(in, EAY, "X", "", "hello", 5)
        && reads(in, EAY, "RSA PRIVATE KEY", "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,12\n",
                 "hello", 5)
        && reads(in, EAY, "Y", "", "foo", 3)
        && TEST_int_eq(PEM_read_bio_ex(in, &n, &h, &d, &l, EAY), 0)
        && TEST_true(pem_error(PEM_R_NO_START_LINE));

    BIO_free(in);
    return ok;
}

static int end_told(void)
{
    BIO *in = pem_in("");
    char *n, *h;
    unsigned char *d;
    long l;
    int ok;

    ERR_clear_error();
    ok = TEST_int_eq(PEM_read_bio_ex(in, &n, &h, &d, &l, EAY), 0)
        && TEST_int_eq(ERR_GET_REASON(ERR_peek_last_error()), PEM_R_NO_START_LINE);
    BIO_free(in);
    in = pem_in("-----BEGIN X-----\naGVsbG8=\n");
    ERR_clear_error();
    ok = ok && TEST_int_eq(PEM_read_bio_ex(in, &n, &h, &d, &l, EAY), 0)
        && TEST_false(pem_error(PEM_R_NO_START_LINE));
    BIO_free(in);
    return ok && refused("", EAY) && refused("text\n", B64);
}

static int two_modes(void)
{
    BIO *in = pem_in(HELLO);
    int ok = refused(HELLO, EAY | B64) && refused(HELLO, EAY | B64 | SECURE);

    BIO_free(in);
    return ok;
}

static int no_data(void)
{
    return refused("-----BEGIN X-----\n-----END X-----\n", EAY)
        && refused("-----BEGIN X-----\n-----END X-----\n", 0)
        && refused("-----BEGIN X-----\na: b\n\n-----END X-----\n", EAY)
        && refused("-----BEGIN X-----\n-\n-----END X-----", 0);
}

static int no_base64(void)
{
    return refused("-----BEGIN X-----\naGV*bG8=\n-----END X-----\n", EAY)
        && refused("-----BEGIN X-----\naGVsbG8\n-----END X-----\n", EAY)
        && refused("-----BEGIN X-----\naGVsb===\n-----END X-----\n", 0)
        && refused("-----BEGIN X-----\naGVs\nbG8=\nbG8=\n-----END X-----\n", B64)
        && refused("-----BEGIN X-----\n" L64 "\naGVsbG8\n-----END X-----\n", EAY)
        && refused("-----BEGIN X-----\n" L64 "\nA\n-----END X-----\n", 0);
}

static int malformed(void)
{
    return refused("-----BEGIN X-----\naGVs\xe4" "bG8=\n-----END X-----\n", EAY)
        && refused("-----BEGIN X-----\n\xef\xbb\xbf" "aGVsbG8=\n-----END X-----\n", EAY)
        && refused("-----BEGIN X-----\naGVs\xe4" "bG8=\n-----END X-----\n", 0);
}

static int not_ended(void)
{
    return refused("-----BEGIN X-----\naGVsbG8=\n", EAY)
        && refused("-----BEGIN X-----\naGVsbG8=\n-----END Y-----\n", EAY)
        && refused("-----BEGIN X-----\n", 0) && refused("-----BEGIN X-----\na: b\n", B64)
        && refused("-----BEGIN X-----\naGVsbG8=\n-----BEGIN Y-----\nZm9v\n-----END Y-----\n", EAY);
}

static int no_tab(void)
{
    return refused("-----BEGIN X-----\n\taGVsbG8=\n-----END X-----\n", B64)
        && gives("-----BEGIN X-----\naGVsbG8=   \n-----END X-----\n", B64, "X", "", "hello")
        && gives("-----BEGIN X-----\naGVsbG8= \t\r\n-----END X-----\r\n", EAY, "X", "", "hello");
}

static int secure(void)
{
    BIO *in = pem_in(SECRET), *bad = pem_in("-----BEGIN X-----\naGV*bG8=\n-----END X-----\n");
    size_t before = CRYPTO_secure_used();
    char *n = NULL, *h = NULL;
    unsigned char *d = NULL;
    long l;
    int ok = TEST_true(CRYPTO_secure_malloc_initialized())
        && TEST_int_eq(PEM_read_bio_ex(in, &n, &h, &d, &l, SECURE), 1)
        && TEST_true(CRYPTO_secure_allocated(n)) && TEST_true(CRYPTO_secure_allocated(h))
        && TEST_true(CRYPTO_secure_allocated(d)) && TEST_mem_eq(d, l, "hello", 5);

    OPENSSL_secure_free(n);
    OPENSSL_secure_free(h);
    OPENSSL_secure_free(d);
    BIO_free(in);
    ok = ok && TEST_size_t_eq(CRYPTO_secure_used(), before)
        && TEST_int_eq(PEM_read_bio_ex(bad, &n, &h, &d, &l, SECURE | EAY), 0)
        && TEST_size_t_eq(CRYPTO_secure_used(), before);
    BIO_free(bad);
    in = pem_in(SECRET);
    ok = ok && TEST_int_eq(PEM_read_bio_ex(in, &n, &h, &d, &l, EAY), 1)
        && TEST_false(CRYPTO_secure_allocated(n)) && TEST_false(CRYPTO_secure_allocated(h))
        && TEST_false(CRYPTO_secure_allocated(d));
    OPENSSL_free(n);
    OPENSSL_free(h);
    OPENSSL_free(d);
    BIO_free(in);
    ERR_clear_error();
    return ok && gives(HELLO, SECURE | B64, "X", "", "hello")
        && gives(HELLO, SECURE | EAY, "X", "", "hello")
        && TEST_size_t_eq(CRYPTO_secure_used(), before);
}

/* Looks at each reading of the input whether a line read before lies in ordinary memory. */
static int seen, looked;

static long look(BIO *b, int oper, const char *argp, size_t len, int argi, long argl, int ret,
                 size_t *processed)
{
    if ((oper & BIO_CB_RETURN) == 0 && (oper == BIO_CB_GETS || oper == BIO_CB_READ)) {
        looked = 1;
        seen |= spy_finds("c2VjcmV0") || spy_finds("Proc-Type");
    }
    return ret;
}

static int looks(unsigned int flags)
{
    BIO *in = pem_in("-----BEGIN X-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,12\n\n"
                     "c2VjcmV0\n-----END X-----\n");
    char *n = NULL, *h = NULL;
    unsigned char *d = NULL;
    long l;
    int ok;

    BIO_set_callback_ex(in, look);
    seen = looked = 0;
    spy_on = 1;
    ok = TEST_int_eq(PEM_read_bio_ex(in, &n, &h, &d, &l, flags), 1);
    spy_on = 0;
    if (flags & SECURE) {
        OPENSSL_secure_free(n);
        OPENSSL_secure_free(h);
        OPENSSL_secure_free(d);
    } else {
        OPENSSL_free(n);
        OPENSSL_free(h);
        OPENSSL_free(d);
    }
    BIO_free(in);
    return ok && TEST_true(looked);
}

static int no_line(void)
{
    return looks(SECURE | EAY) && TEST_false(seen) && looks(SECURE) && TEST_false(seen)
        && looks(SECURE | B64)
        && TEST_false(seen);
}

static int failure(void)
{
    long before;

    if (!refused("-----BEGIN X-----\naGV*bG8=\n-----END X-----\n", EAY) || !no_data()
            || !malformed())
        return 0;
    before = memory_blocks;
    return refused(HELLO, EAY | B64) && no_data() && no_base64() && malformed() && not_ended()
        && refused("", EAY)
        && TEST_long_eq(memory_blocks, before);
}

static int balanced(void)
{
    long before;
    int i;

    for (i = 0; i < 2; i++) {
        if (i == 1)
            before = memory_blocks;
        if (!returned() || !lengths() || !one_after_other() || !no_data() || !not_ended()
                || !no_base64())
            return 0;
    }
    return TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
}

static int no_memory(void)
{
    long before, left;
    int ok, refused = 1;

    if (!returned())
        return 0;
    ERR_clear_error();
    before = memory_blocks;
    for (left = 0, ok = 1; ok && refused && left < 200; left++) {
        BIO *in = pem_in(SECRET);
        char *n = NULL, *h = NULL;
        unsigned char *d = NULL;
        long l;
        int result;

        once_left = left;
        result = PEM_read_bio_ex(in, &n, &h, &d, &l, EAY);
        refused = once_refused();
        ERR_clear_error();
        BIO_free(in);
        ok = result == 1
            ? TEST_str_eq(h, "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,12\n")
                && TEST_mem_eq(d, l, "hello", 5)
            : refused && TEST_int_eq(result, 0) && TEST_ptr_null(n) && TEST_ptr_null(h)
                && TEST_ptr_null(d);
        OPENSSL_free(n);
        OPENSSL_free(h);
        OPENSSL_free(d);
        ok = ok && TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
    }
    return ok && TEST_false(refused);
}

int setup_tests(void)
{
    CRYPTO_secure_malloc_init(65536, 16);
    add_test("name, header, data and length are returned", returned);
    add_test("data of each length come back", lengths);
    add_test("a header that is not there is empty", no_header);
    add_test("one object after the other is read", one_after_other);
    add_test("the end of the input is told by its reason", end_told);
    add_test("two modes at once are refused", two_modes);
    add_test("an object without data is refused", no_data);
    add_test("what is no base64 is refused", no_base64);
    add_test("other characters are malformed", malformed);
    add_test("an object that is not ended is refused", not_ended);
    add_test("a strict reader takes no leading tab", no_tab);
    add_test("a failure leaves nothing to free", failure);
    add_test("secure reading takes all from the secure heap", secure);
    add_test("no line that is read securely lies in ordinary memory", no_line);
    add_test("nothing is leaked or freed twice", balanced);
    add_test("a lack of memory is refused and leaks nothing", no_memory);
    return 1;
}
