/*---
 * tasks: [sanitize_line-674e97.16]
 * tests:
 *   the encoding is written under the name: 'PEM_read_bio_PrivateKey(3): "base64 encoded data surrounded by header lines";
 *     "1 for success".'
 *   with a cipher the header says which: 'PEM_read_bio_PrivateKey(3), "PEM ENCRYPTION FORMAT".'
 *   the data are encrypted with the passphrase: 'PEM_read_bio_PrivateKey(3), "PEM ENCRYPTION FORMAT"; decrypted here by hand.'
 *   data of each length are encrypted: 'PEM_read_bio_PrivateKey(3), "PEM ENCRYPTION FORMAT"; block ciphers pad.'
 *   each time the IV is another: 'PEM_read_bio_PrivateKey(3): "an initialization vector"; RFC 1423, 1.1: pseudorandom.'
 *   only klen bytes of kstr are used: 'PEM_read_bio_PrivateKey(3): "klen bytes at kstr are used as the passphrase".'
 *   with kstr the callback is ignored: 'PEM_read_bio_PrivateKey(3): "and cb is ignored".'
 *   without kstr the callback is asked for writing: 'PEM_read_bio_PrivateKey(3): "rwflag ... 1 when writing"; u.'
 *   without a callback u is the passphrase: 'PEM_read_bio_PrivateKey(3): "interpreted as a NUL terminated string".'
 *   without both the user is asked twice: 'PEM_read_bio_PrivateKey(3): "will ask the user to verify the passphrase ... if
 *     rwflag is 1".'
 *   without a cipher no one is asked: 'PEM_read_bio_PrivateKey(3): "If enc is NULL", no encryption.'
 *   a callback that fails or gives nothing is told: 'PEM_R_READ_KEY; PEM_read_bio_PrivateKey(3): "or -1 if an error occurred".'
 *   a cipher without an IV is refused: 'PEM_R_UNSUPPORTED_CIPHER; the salt of the key is the IV.'
 *   what has no encoding is refused: 'PEM_read_bio_PrivateKey(3): "0 for failure"; i2d functions return <= 0.'
 *   a refusal writes nothing: 'PEM_read_bio_PrivateKey(3): "0 for failure".'
 *   a write that fails is told: 'PEM_read_bio_PrivateKey(3): "0 for failure"; PEM_write_bio.'
 *   a lack of memory is told: 'PEM_read_bio_PrivateKey(3): "0 for failure".'
 *   nothing is leaked or written past its end: 'PEM_read_bio_PrivateKey(3): the object stays the caller''s.'
 ---*/
#include "../testutil.h"
#include <openssl/evp.h>
#include "refused_once.h"
#include "pem_text.h"
#include "failing_sink.h"
#include "scripted_ui.h"

/* The object is its own encoding. */
typedef struct {
    int length;
    unsigned char bytes[1200];
} OBJECT;

static int i2d_object(const void *x, unsigned char **out)
{
    const OBJECT *object = x;

    if (out != NULL && object->length > 0) {
        if (*out == NULL) {
            *out = OPENSSL_memdup(object->bytes, object->length);
            return *out == NULL ? -1 : object->length;
        }
        memcpy(*out, object->bytes, object->length);
        *out += object->length;
    }
    return object->length;
}

static OBJECT *object_of(int length)
{
    static OBJECT object;
    int i;

    object.length = length;
    for (i = 0; i < length; i++)
        object.bytes[i] = (unsigned char)(i * 13 + 5);
    return &object;
}

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

static int writes(BIO *out, OBJECT *object, const EVP_CIPHER *cipher, const char *kstr, int klen,
                  pem_password_cb *cb, void *u)
{
    return PEM_ASN1_write_bio(i2d_object, "AN OBJECT", out, object, cipher,
                              (const unsigned char *)kstr, klen, cb, u);
}

/* Decrypts with the key that MD5 gives of passphrase and salt, the IV's first 8 bytes; or -1. */
static int decrypt(const EVP_CIPHER *cipher, const char *pass, int pass_length,
                   const unsigned char *iv,
                   const unsigned char *in, int length, unsigned char *out)
{
    unsigned char key[64], block[1200];
    int filled, n = 0, tail = 0, ok;
    EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();

    for (filled = 0; filled < EVP_CIPHER_get_key_length(cipher); filled += 16) {
        n = filled == 0 ? 0 : 16;
        memcpy(block, key + filled - n, n);
        memcpy(block + n, pass, pass_length);
        memcpy(block + n + pass_length, iv, 8);
        EVP_Digest(block, n + pass_length + 8, key + filled, NULL, EVP_md5(), NULL);
    }
    ok = EVP_DecryptInit_ex(ctx, cipher, NULL, key, iv)
        && EVP_DecryptUpdate(ctx, out, &n, in, length)
        && EVP_DecryptFinal_ex(ctx, out + n, &tail);
    EVP_CIPHER_CTX_free(ctx);
    return ok ? n + tail : -1;
}

/* Is the object of `length` bytes in there, encrypted so? Takes the IV out, too. */
static int holds(BIO *out, int length, const EVP_CIPHER *cipher, const char *algorithm,
                 const char *pass, int pass_length,
                 unsigned char iv[16])
{
    char *name = NULL, *header = NULL, prefix[100];
    unsigned char *data = NULL, plain[1300];
    long got = 0;
    int i, ok, digits = EVP_CIPHER_get_iv_length(cipher) * 2;

    BIO_snprintf(prefix, sizeof(prefix), "Proc-Type: 4,ENCRYPTED\nDEK-Info: %s,", algorithm);
    ok = TEST_int_eq(PEM_read_bio(out, &name, &header, &data, &got), 1)
        && TEST_str_eq(name, "AN OBJECT")
        && TEST_strn_eq(header, prefix, strlen(prefix))
        && TEST_size_t_eq(strspn(header + strlen(prefix), "0123456789ABCDEFabcdef"), digits)
        && TEST_str_eq(header + strlen(prefix) + digits, "\n");
    if (ok) {
        for (i = 0; i < digits / 2; i++) {
            unsigned int byte;

            sscanf(header + strlen(prefix) + 2 * i, "%2x", &byte);
            iv[i] = (unsigned char)byte;
        }
        i = decrypt(cipher, pass, pass_length, iv, data, (int)got, plain);
        ok = TEST_int_eq(i, length) && TEST_mem_eq(plain, i, object_of(length)->bytes, length);
    }
    OPENSSL_free(name);
    OPENSSL_free(header);
    OPENSSL_free(data);
    return ok;
}

static int encrypts(int length, const EVP_CIPHER *cipher, const char *algorithm, const char *kstr,
                    int klen,
                    pem_password_cb *cb, void *u, const char *pass, int pass_length)
{
    BIO *out = BIO_new(BIO_s_mem());
    unsigned char iv[16];
    int ok = TEST_int_eq(writes(out, object_of(length), cipher, kstr, klen, cb, u), 1)
        && holds(out, length, cipher, algorithm, pass, pass_length, iv);

    BIO_free(out);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int refused(OBJECT *object, const EVP_CIPHER *cipher, const char *kstr, int klen,
                   pem_password_cb *cb, void *u)
{
    BIO *out = BIO_new(BIO_s_mem());
    int ok = TEST_int_eq(writes(out, object, cipher, kstr, klen, cb, u), 0)
        && TEST_size_t_eq(BIO_ctrl_pending(out), 0);

    BIO_free(out);
    ERR_clear_error();
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int plainly(void)
{
    static const int lengths[] = {1, 5, 48, 100, 1200};
    size_t i;
    int ok = 1;

    for (i = 0; i < OSSL_NELEM(lengths) && ok; i++) {
        BIO *out = BIO_new(BIO_s_mem());
        char *name = NULL, *header = NULL;
        unsigned char *data = NULL;
        long got = 0;

        ok = TEST_int_eq(writes(out, object_of(lengths[i]), NULL, NULL, 0, NULL, NULL), 1)
            && TEST_int_eq(PEM_read_bio(out, &name, &header, &data, &got), 1)
            && TEST_str_eq(name, "AN OBJECT")
            && TEST_str_eq(header, "") && TEST_mem_eq(data, got, object_of(lengths[i])->bytes,
                                                      lengths[i])
            && TEST_str_eq(pem_rest(out), "");
        OPENSSL_free(name);
        OPENSSL_free(header);
        OPENSSL_free(data);
        BIO_free(out);
    }
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int which(void)
{
    return encrypts(20, EVP_aes_128_cbc(), "AES-128-CBC", "hello", 5, NULL, NULL, "hello", 5)
        && encrypts(20, EVP_des_ede3_cbc(), "DES-EDE3-CBC", "hello", 5, NULL, NULL, "hello", 5);
}

static int with_passphrase(void)
{
    return encrypts(100, EVP_aes_256_cbc(), "AES-256-CBC", "a secret", 8, NULL, NULL, "a secret",
                    8)
        && encrypts(100, EVP_aes_128_cbc(), "AES-128-CBC", "he\0lo", 5, NULL, NULL, "he\0lo", 5)
        && encrypts(100, EVP_aes_128_cfb128(), "AES-128-CFB", "a secret", 8, NULL, NULL,
                    "a secret", 8);
}

static int each_length(void)
{
    int length, ok = 1;

    for (length = 1; length <= 70 && ok; length++)
        ok = encrypts(length, EVP_aes_256_cbc(), "AES-256-CBC", "hello", 5, NULL, NULL, "hello", 5)
            && encrypts(length, EVP_des_ede3_cbc(), "DES-EDE3-CBC", "hello", 5, NULL, NULL,
                        "hello", 5);
    return ok && encrypts(1200, EVP_aes_256_cbc(), "AES-256-CBC", "hello", 5, NULL, NULL, "hello",
                          5);
}

static int another_iv(void)
{
    BIO *out = BIO_new(BIO_s_mem());
    unsigned char one[16], two[16];
    int ok = TEST_int_eq(writes(out, object_of(20), EVP_aes_128_cbc(), "hello", 5, NULL, NULL), 1)
        && TEST_int_eq(writes(out, object_of(20), EVP_aes_128_cbc(), "hello", 5, NULL, NULL), 1)
        && holds(out, 20, EVP_aes_128_cbc(), "AES-128-CBC", "hello", 5, one)
        && holds(out, 20, EVP_aes_128_cbc(), "AES-128-CBC", "hello", 5, two)
        && TEST_mem_ne(one, 8, two, 8) && TEST_mem_ne(one + 8, 8, two + 8, 8);

    BIO_free(out);
    return ok;
}

static int klen_bytes(void)
{
    return encrypts(20, EVP_aes_128_cbc(), "AES-128-CBC", "hello, world", 5, NULL, NULL, "hello",
                    5);
}

static int kstr_only(void)
{
    return encrypts(20, EVP_aes_128_cbc(), "AES-128-CBC", "hello", 5, with("other", 5), "third",
                    "hello", 5)
        && TEST_int_eq(calls, 0);
}

static int asked(void)
{
    static char long_pass[PEM_BUFSIZE];
    int rock;

    memset(long_pass, 'x', sizeof(long_pass));
    return encrypts(20, EVP_aes_128_cbc(), "AES-128-CBC", NULL, 0, with("he\0lo", 5), &rock,
                    "he\0lo", 5)
        && TEST_int_eq(calls, 1) && TEST_int_eq(given_flag, 1) && TEST_ptr_eq(given_u, &rock)
        && TEST_int_eq(given_size, PEM_BUFSIZE)
        && encrypts(20, EVP_aes_128_cbc(), "AES-128-CBC", NULL, 77, with("a", 1), NULL, "a", 1)
        && encrypts(20, EVP_aes_128_cbc(), "AES-128-CBC", NULL, 0, with(long_pass, PEM_BUFSIZE),
                    NULL, long_pass, PEM_BUFSIZE);
}

static int u_is_it(void)
{
    return encrypts(20, EVP_aes_128_cbc(), "AES-128-CBC", NULL, 0, NULL, "hello", "hello", 5)
        && encrypts(20, EVP_aes_256_cbc(), "AES-256-CBC", NULL, 0, NULL, "abc", "abc", 3);
}

static int user_asked(void)
{
    ui_type("a passphrase", "a passphrase");
    if (!encrypts(20, EVP_aes_128_cbc(), "AES-128-CBC", NULL, 0, NULL, NULL, "a passphrase", 12)
            || !TEST_int_eq(ui_script.asked, 2))
        return 0;
    ui_type("a passphrase", "another");
    return refused(object_of(20), EVP_aes_128_cbc(), NULL, 0, NULL, NULL);
}

static int no_one(void)
{
    BIO *out = BIO_new(BIO_s_mem());
    int ok = TEST_int_eq(writes(out, object_of(3), NULL, "hello", 5, with("hello", 5), NULL), 1)
        && TEST_int_eq(calls, 0)
        && TEST_str_eq(pem_rest(out),
                       "-----BEGIN AN OBJECT-----\nBRIf\n-----END AN OBJECT-----\n");

    BIO_free(out);
    return ok;
}

static int callback_fails(void)
{
    return refused(object_of(20), EVP_aes_128_cbc(), NULL, 0, with("", -1), NULL)
        && refused(object_of(20), EVP_aes_128_cbc(), NULL, 0, with("", 0), NULL)
        && refused(object_of(20), EVP_aes_128_cbc(), NULL, 0, NULL, "");
}

static int without_iv(void)
{
    return refused(object_of(20), EVP_aes_128_ecb(), "hello", 5, NULL, NULL)
        && refused(object_of(20), EVP_des_ede3_ecb(), NULL, 0, with("hello", 5), NULL);
}

static int no_encoding(void)
{
    return refused(object_of(0), NULL, NULL, 0, NULL, NULL)
        && refused(object_of(-1), NULL, NULL, 0, NULL, NULL)
        && refused(object_of(-1), EVP_aes_128_cbc(), "hello", 5, NULL, NULL);
}

static int failing(const EVP_CIPHER *cipher)
{
    int left, ok = 1, refuses = 1;

    for (left = 0; refuses && ok && left < 200; left++) {
        BIO *out = sink_new(left);
        int got = writes(out, object_of(100), cipher, "hello", 5, NULL, NULL);

        refuses = sink.refused;
        ok = TEST_int_eq(got, !refuses);
        BIO_free(out);
        ERR_clear_error();
    }
    return ok && TEST_int_gt(left, 1);
}

static int write_fails(void)
{
    return failing(NULL) && failing(EVP_aes_128_cbc());
}

static int writes_nothing(void)
{
    return refused(object_of(20), EVP_aes_128_cbc(), NULL, 0, with("", -1), NULL)
        && refused(object_of(20), EVP_aes_128_ecb(), "hello", 5, NULL, NULL)
        && refused(object_of(-1), NULL, NULL, 0, NULL, NULL);
}

static int balanced(void)
{
    long before;
    int i;

    for (i = 0; i < 3; i++) {
        if (i == 2)
            before = memory_blocks;
        if (!plainly() || !which() || !with_passphrase() || !asked() || !callback_fails()
                || !without_iv() || !no_encoding()
                || !write_fails())
            return 0;
    }
    return TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
}

static int without(const EVP_CIPHER *cipher)
{
    long before = memory_blocks, left;
    int ok = 1, refused = 1;

    for (left = 0; ok && refused && left < 300; left++) {
        BIO *out = sink_new(-1);
        int got;

        once_left = left;
        got = writes(out, object_of(20), cipher, "hello", 5, NULL, NULL);
        refused = once_refused();
        BIO_free(out);
        ERR_clear_error();
        ok = (got == 1 || (refused && TEST_int_eq(got, 0)))
            && TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
    }
    return ok && TEST_false(refused);
}

static int no_memory(void)
{
    return which() && plainly() && without(NULL) && without(EVP_aes_128_cbc());
}

int setup_tests(void)
{
    ui_begin();
    add_test("the encoding is written under the name", plainly);
    add_test("with a cipher the header says which", which);
    add_test("the data are encrypted with the passphrase", with_passphrase);
    add_test("data of each length are encrypted", each_length);
    add_test("each time the IV is another", another_iv);
    add_test("only klen bytes of kstr are used", klen_bytes);
    add_test("with kstr the callback is ignored", kstr_only);
    add_test("without kstr the callback is asked for writing", asked);
    add_test("without a callback u is the passphrase", u_is_it);
    add_test("without both the user is asked twice", user_asked);
    add_test("without a cipher no one is asked", no_one);
    add_test("a callback that fails or gives nothing is told", callback_fails);
    add_test("a cipher without an IV is refused", without_iv);
    add_test("what has no encoding is refused", no_encoding);
    add_test("a refusal writes nothing", writes_nothing);
    add_test("a write that fails is told", write_fails);
    add_test("nothing is leaked or written past its end", balanced);
    add_test("a lack of memory is told", no_memory);
    return 1;
}

void cleanup_tests(void)
{
    BIO_meth_free(sink_method);
    ui_end();
}
