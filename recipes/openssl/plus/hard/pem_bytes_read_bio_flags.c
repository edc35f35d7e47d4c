/*---
 * tasks: [sanitize_line-674e97.16, sanitize_line-674e97.8]
 * tests:
 *   data, length and type are returned: 'PEM_bytes_read_bio(3): "The returned data is the DER-encoded form".'
 *   other types are skipped: 'PEM_bytes_read_bio(3): "will skip non-matching data types and continue reading".'
 *   the actual type is returned: 'PEM_bytes_read_bio(3): "The actual type indicated by the file is returned in *pnm".'
 *   there need be no place for the type: 'PEM_bytes_read_bio(3): "if pnm is non-NULL".'
 *   what follows is left: 'PEM_bytes_read_bio(3): "multiple PEM-encoded data structures ... in the same stream".'
 *   encrypted data are decrypted: 'PEM_bytes_read_bio(3): "the data will be decrypted"; vectors made with openssl enc.'
 *   the callback gets what the caller gave: 'PEM_bytes_read_bio(3): "The password callback cb and rock u"; PEM_read(3).'
 *   without a callback u is the passphrase: 'PEM_read_bio_PrivateKey(3): "interpreted as a NUL terminated string".'
 *   a wrong passphrase or none is refused: 'PEM_bytes_read_bio(3): "1 for success or 0 for failure".'
 *   a bad header is refused: 'PEM_get_EVP_CIPHER_INFO: "malformed, or not supported ... 0 is returned".'
 *   a bad object of the wanted type is refused: 'PEM_bytes_read_bio(3): "0 for failure".'
 *   no object of the type is told by its reason: 'PEM_read(3): PEM_R_NO_START_LINE.'
 *   a failure changes nothing at the caller: 'pem_oth.c: PEM_ASN1_read_bio frees nothing after a failure.'
 *   secure reading returns secure memory: 'PEM_bytes_read_bio(3): "the caller must use OPENSSL_secure_free()".'
 *   nothing is leaked or freed twice: 'PEM_bytes_read_bio(3): "The caller must free the storage".'
 ---*/
#include "../../crypto/pem/pem_lib.c"
#include "../testutil.h"
#include "memory_count.h"
#include "pem_text.h"

#define PLAIN(type) "-----BEGIN " type "-----\naGVsbG8=\n-----END " type "-----\n"
#define LOCKED(algorithm, iv, data) "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n" \
    "DEK-Info: " algorithm "," iv \
    "\n\n" data "\n-----END RSA PRIVATE KEY-----\n"
#define IV "101112131415161718191A1B1C1D1E1F"
#define AES128 LOCKED("AES-128-CBC", IV, "ynvlV0XZeu0LZd3SQrkNQA==")
#define AES256 LOCKED("AES-256-CBC", IV, "NWauiT2pTxkfsIkzRJsbiA==")
#define DES3 LOCKED("DES-EDE3-CBC", "3F17F5316E2BAC89", "h9+/kT0LS3DudRCRurO4rnG6dfMlDwDDKWuc0" \
    "LrB57g=")
#define EMPTY_PASS LOCKED("AES-128-CBC", IV, "OJBCUHeU1oncp8fKTBH3Bg==")
#define TEXT "attack at dawn"

static int calls, result, given_size, given_flag;
static void *given_u;
static const char *answer;

static int callback(char *buf, int size, int rwflag, void *u)
{
    calls++;
    given_size = size;
    given_flag = rwflag;
    given_u = u;
    if (result > 0)
        memcpy(buf, answer, result);
    return result;
}

static pem_password_cb *with(const char *pass, int length)
{
    calls = 0;
    answer = pass;
    result = length;
    return callback;
}

static int reads(BIO *in, const char *wanted, pem_password_cb *cb, void *u, const char *type,
                 const char *text)
{
    unsigned char *data = NULL;
    char *name = NULL;
    long length = 0;
    int ok = TEST_int_eq(pem_bytes_read_bio_flags(&data, &length, &name, wanted, in, cb, u, EAY),
                         1)
        && TEST_str_eq(name, type) && TEST_mem_eq(data, length, text, strlen(text));

    OPENSSL_free(data);
    OPENSSL_free(name);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int gives(const char *in_text, const char *wanted, pem_password_cb *cb, void *u,
                 const char *type, const char *text)
{
    BIO *in = pem_in(in_text);
    int ok = reads(in, wanted, cb, u, type, text);

    BIO_free(in);
    return ok;
}

static int refused_flags(const char *in_text, const char *wanted, pem_password_cb *cb, void *u,
                         unsigned int flags)
{
    BIO *in = pem_in(in_text);
    unsigned char byte, *data = &byte;
    char letter, *name = &letter;
    long length = 77;
    int ok = TEST_int_eq(pem_bytes_read_bio_flags(&data, &length, &name, wanted, in, cb, u, flags),
                         0)
        && TEST_ptr_eq(data, &byte) && TEST_ptr_eq(name, &letter);

    BIO_free(in);
    ERR_clear_error();
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int refused(const char *in_text, const char *wanted, pem_password_cb *cb, void *u)
{
    return refused_flags(in_text, wanted, cb, u, EAY);
}

static int returned(void)
{
    return gives(PLAIN("CERTIFICATE"), "CERTIFICATE", NULL, NULL, "CERTIFICATE", "hello")
        && gives(PLAIN("X"), "X", NULL, NULL, "X", "hello");
}

static int skipped(void)
{
    return gives("-----BEGIN Y-----\nZm9v\n-----END Y-----\ntext\n" AES128 PLAIN("X"), "X",
                 with("", -1), NULL, "X", "hello")
        && TEST_int_eq(calls, 0)
        && gives(PLAIN("PUBLIC KEY") PLAIN("CERTIFICATE REQUEST")
                 "-----BEGIN X-----\nZm9v\n-----END X-----\n", "X", NULL, NULL,
                 "X", "foo");
}

static int actual(void)
{
    return gives(PLAIN("X509 CERTIFICATE"), "CERTIFICATE", NULL, NULL, "X509 CERTIFICATE", "hello")
        && gives(PLAIN("EC PRIVATE KEY"), "ANY PRIVATE KEY", NULL, NULL, "EC PRIVATE KEY", "hello")
        && gives(PLAIN("CERTIFICATE") PLAIN("PRIVATE KEY"), "ANY PRIVATE KEY", NULL, NULL,
                 "PRIVATE KEY", "hello");
}

static int no_place(void)
{
    BIO *in = pem_in(PLAIN("Y") PLAIN("X"));
    unsigned char *data = NULL;
    long length = 0, before = memory_blocks;
    int ok = TEST_int_eq(pem_bytes_read_bio_flags(&data, &length, NULL, "X", in, NULL, NULL, EAY),
                         1)
        && TEST_mem_eq(data, length, "hello", 5);

    OPENSSL_free(data);
    ok = ok && TEST_long_eq(memory_blocks, before);
    BIO_free(in);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int follows(void)
{
    BIO *in = pem_in(PLAIN("X") "-----BEGIN Y-----\nZm9v\n-----END Y-----\n" PLAIN("X") "left\n");
    int ok = reads(in, "X", NULL, NULL, "X", "hello") && reads(in, "Y", NULL, NULL, "Y", "foo")
        && reads(in, "X", NULL, NULL, "X", "hello") && TEST_str_eq(pem_rest(in), "left\n");

    BIO_free(in);
    return ok;
}

static int decrypted(void)
{
    return gives(AES128, "RSA PRIVATE KEY", with("hello", 5), NULL, "RSA PRIVATE KEY", TEXT)
        && gives(AES256, "RSA PRIVATE KEY", with("hello", 5), NULL, "RSA PRIVATE KEY", TEXT)
        && gives(DES3, "ANY PRIVATE KEY", with("hello", 5), NULL, "RSA PRIVATE KEY",
                 TEXT ", and once more")
        && gives(EMPTY_PASS, "RSA PRIVATE KEY", with("", 0), NULL, "RSA PRIVATE KEY", TEXT);
}

static int callback_gets(void)
{
    int rock;

    return gives(AES128, "RSA PRIVATE KEY", with("hello", 5), &rock, "RSA PRIVATE KEY", TEXT)
        && TEST_int_eq(calls, 1) && TEST_ptr_eq(given_u, &rock) && TEST_int_eq(given_flag, 0)
        && TEST_int_gt(given_size, 5)
        && gives(PLAIN("X"), "X", with("hello", 5), &rock, "X", "hello") && TEST_int_eq(calls, 0);
}

static int u_is_it(void)
{
    return gives(AES128, "RSA PRIVATE KEY", NULL, "hello", "RSA PRIVATE KEY", TEXT)
        && gives(EMPTY_PASS, "RSA PRIVATE KEY", NULL, "", "RSA PRIVATE KEY", TEXT);
}

static int wrong_passphrase(void)
{
    return refused(AES128, "RSA PRIVATE KEY", with("Hello", 5), NULL)
        && refused(AES128, "RSA PRIVATE KEY", with("hello", 4), NULL)
        && refused(AES128, "RSA PRIVATE KEY", NULL, "wrong")
        && refused(AES128, "RSA PRIVATE KEY", with("", -1), NULL);
}

static int bad_header(void)
{
    return refused("-----BEGIN X-----\nProc-Type: 4,CLEAR\n\naGVsbG8=\n-----END X-----\n", "X",
                   with("hello", 5), NULL)
        && refused("-----BEGIN X-----\na: b\n\naGVsbG8=\n-----END X-----\n", "X", NULL, NULL)
        && refused("-----BEGIN X-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: NONE-SUCH,12\n\n"
                   "aGVsbG8=\n-----END X-----\n", "X",
                   with("hello", 5), NULL) && TEST_int_eq(calls, 0);
}

static int bad_object(void)
{
    return refused("-----BEGIN X-----\naGV*bG8=\n-----END X-----\n" PLAIN("X"), "X", NULL, NULL)
        && refused("-----BEGIN X-----\naGVsbG8=\n", "X", NULL, NULL)
        && refused("-----BEGIN X-----\naGVsbG8=\n-----END Y-----\n", "X", NULL, NULL);
}

static int no_object(void)
{
    BIO *in = pem_in(PLAIN("Y") "text\n");
    unsigned char *data = NULL;
    long length = 0;
    int ok;

    ERR_clear_error();
    ok = TEST_int_eq(pem_bytes_read_bio_flags(&data, &length, NULL, "X", in, NULL, NULL, EAY), 0)
        && TEST_true(pem_error(PEM_R_NO_START_LINE));
    BIO_free(in);
    return ok && refused("", "X", NULL, NULL) && refused(PLAIN("Y"), "X", NULL, NULL);
}

static int changes_nothing(void)
{
    return refused(AES128, "RSA PRIVATE KEY", with("Hello", 5), NULL)
        && refused(PLAIN("Y"), "X", NULL, NULL)
        && refused("-----BEGIN X-----\na: b\n\naGVsbG8=\n-----END X-----\n", "X", NULL, NULL)
        && refused_flags(PLAIN("X"), "X", NULL, NULL, EAY | B64);
}

static int secure(void)
{
    BIO *in = pem_in(PLAIN("Y") PLAIN("X"));
    unsigned char *data = NULL;
    char *name = NULL;
    long length = 0;
    size_t before = CRYPTO_secure_used();
    int ok = TEST_true(CRYPTO_secure_malloc_initialized())
        && TEST_int_eq(pem_bytes_read_bio_flags(&data, &length, &name, "X", in, NULL, NULL,
                                                SECURE | EAY), 1)
        && TEST_true(CRYPTO_secure_allocated(data)) && TEST_true(CRYPTO_secure_allocated(name))
        && TEST_mem_eq(data, length, "hello", 5);

    OPENSSL_secure_free(data);
    OPENSSL_secure_free(name);
    BIO_free(in);
    in = pem_in(PLAIN("Y") AES128);
    data = NULL;
    ok = ok && TEST_int_eq(pem_bytes_read_bio_flags(&data, &length, NULL, "RSA PRIVATE KEY", in,
                                                    with("hello", 5), NULL,
                                                    SECURE | EAY), 1)
        && TEST_true(CRYPTO_secure_allocated(data))
        && TEST_mem_eq(data, length, TEXT, strlen(TEXT));
    OPENSSL_secure_free(data);
    BIO_free(in);
    return ok && TEST_size_t_eq(CRYPTO_secure_used(), before)
        && refused_flags(AES128, "RSA PRIVATE KEY", with("Hello", 5), NULL, SECURE | EAY)
        && refused_flags(PLAIN("Y"), "X", NULL, NULL, SECURE | EAY)
        && TEST_size_t_eq(CRYPTO_secure_used(), before) && TEST_long_eq(memory_bad_frees, 0);
}

static int balanced(void)
{
    long before;
    int i;

    for (i = 0; i < 3; i++) {
        if (i == 2)
            before = memory_blocks;
        if (!returned() || !skipped() || !actual() || !no_place() || !decrypted()
                || !wrong_passphrase() || !bad_header()
                || !bad_object() || !no_object())
            return 0;
        ERR_clear_error();
    }
    return TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
}

int setup_tests(void)
{
    CRYPTO_secure_malloc_init(65536, 16);
    add_test("data, length and type are returned", returned);
    add_test("other types are skipped", skipped);
    add_test("the actual type is returned", actual);
    add_test("there need be no place for the type", no_place);
    add_test("what follows is left", follows);
    add_test("encrypted data are decrypted", decrypted);
    add_test("the callback gets what the caller gave", callback_gets);
    add_test("without a callback u is the passphrase", u_is_it);
    add_test("a wrong passphrase or none is refused", wrong_passphrase);
    add_test("a bad header is refused", bad_header);
    add_test("a bad object of the wanted type is refused", bad_object);
    add_test("no object of the type is told by its reason", no_object);
    add_test("a failure changes nothing at the caller", changes_nothing);
    add_test("secure reading returns secure memory", secure);
    add_test("nothing is leaked or freed twice", balanced);
    return 1;
}
