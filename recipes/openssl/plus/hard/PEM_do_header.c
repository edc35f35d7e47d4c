/*---
 * tasks: [sanitize_line-674e97.16, sanitize_line-674e97.8]
 * tests:
 *   what is not encrypted stays: 'PEM_read(3): "decrypt the data if the header indicates encryption".'
 *   data are decrypted in place: 'PEM_read(3): "the data is decrypted in place"; vectors made with openssl enc and MD5.'
 *   the length becomes that of the plain text: 'PEM_read(3): "len is updated to indicate the plaintext length".'
 *   text of each length comes back: 'PEM_read_bio_PrivateKey(3), "PEM ENCRYPTION FORMAT".'
 *   a cipher without padding keeps the length: 'PEM_read(3): "the plaintext length"; CFB has no padding.'
 *   the passphrase is any bytes: 'PEM_read(3): "simply be treated as a byte sequence".'
 *   an empty passphrase is one: 'PEM_read_bio_PrivateKey(3): the callback returns "the number of characters ... or -1".'
 *   the longest passphrase counts to its end: 'pem.h: PEM_BUFSIZE; PEM_read_bio_PrivateKey(3): "size is the maximum length".'
 *   the callback is asked for reading: 'PEM_read_bio_PrivateKey(3): "rwflag ... is set to 0 when reading"; u.'
 *   without a callback u is the passphrase: 'PEM_read_bio_PrivateKey(3): "interpreted as a NUL terminated string".'
 *   without both the user is asked: 'PEM_read_bio_PrivateKey(3): "If both cb and u are NULL ... prompt for the passphrase".'
 *   a callback that fails is told: 'PEM_read(3): "0 on failure"; -1 "if an error occurred".'
 *   a wrong passphrase is told: 'PEM_R_BAD_DECRYPT; PEM_read(3): "0 on failure".'
 *   data that are no whole blocks are refused: 'PEM_read(3): "0 on failure".'
 *   cipher and IV stay: 'PEM_read(3): "the structure initialized by the previous call".'
 *   nothing is leaked: 'PEM_read(3): it decrypts in place.'
 *   a lack of memory is refused: 'PEM_read(3): "0 on failure".'
 *   a length beyond an int is refused: 'PEM_R_HEADER_TOO_LONG; EVP_DecryptUpdate(3) takes an int.'
 ---*/
#include "../testutil.h"
#include <limits.h>
#include <openssl/evp.h>
#include "refused_once.h"
#include "pem_text.h"
#include "scripted_ui.h"

#define TEXT "attack at dawn"

static const unsigned char iv16[] =
    "\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f";
static const unsigned char iv8[] = "\x3F\x17\xF5\x31\x6E\x2B\xAC\x89";

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

static EVP_CIPHER_INFO info(const EVP_CIPHER *cipher)
{
    EVP_CIPHER_INFO cinfo;

    memset(&cinfo, 0, sizeof(cinfo));
    cinfo.cipher = cipher;
    memcpy(cinfo.iv, EVP_CIPHER_get_iv_length(cipher) == 8 ? iv8
           : iv16, EVP_CIPHER_get_iv_length(cipher));
    return cinfo;
}

/* Are these bytes decrypted to the expected ones? */
static int decrypts(const EVP_CIPHER *cipher, const void *bytes, long length, pem_password_cb *cb,
                    void *u,
                    const void *expected, long expected_length)
{
    unsigned char data[2048];
    EVP_CIPHER_INFO cinfo = info(cipher);
    int ok;

    memset(data, 0x5a, sizeof(data));
    memcpy(data, bytes, length);
    ok = TEST_int_eq(PEM_do_header(&cinfo, data, &length, cb, u), 1)
        && TEST_mem_eq(data, length, expected, expected_length);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int refuses(const EVP_CIPHER *cipher, const void *bytes, long length, pem_password_cb *cb,
                   void *u)
{
    unsigned char data[2048];
    EVP_CIPHER_INFO cinfo = info(cipher);
    int ok;

    memcpy(data, bytes, length);
    ok = TEST_int_eq(PEM_do_header(&cinfo, data, &length, cb, u), 0);
    ERR_clear_error();
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

#define AES128 "\xca\x7b\xe5\x57\x45\xd9\x7a\xed\x0b\x65\xdd\xd2\x42\xb9\x0d\x40"
#define AES256 "\x35\x66\xae\x89\x3d\xa9\x4f\x19\x1f\xb0\x89\x33\x44\x9b\x1b\x88"
#define DES3 "\x87\xdf\xbf\x91\x3d\x0b\x4b\x70\xee\x75\x10\x91\xba\xb3\xb8\xae" \
    "\x71\xba\x75\xf3\x25\x0f\x00\xc3\x29\x6b\x9c\xd0\xba\xc1\xe7\xb8"
#define EMPTY_PASS "\x38\x90\x42\x50\x77\x94\xd6\x89\xdc\xa7\xc7\xca\x4c\x11\xf7\x06"
#define NUL_PASS "\x51\x4c\xcc\x13\xb1\x44\x17\x76\x18\xe6\xf9\x2f\x8b\x2e\x2b\xc9" \
    "\x49\x79\x1f\x92\x38\x28\x22\x60\x89\x66\x08\x6b\x6f\xe5\xb5\x7c"
#define LONG_PASS "\x13\x8f\x18\x41\x4e\x65\xd5\xa3\x87\x1e\x02\x43\x9c\x58\x43\x5c"

static int plain(void)
{
    unsigned char data[] = "plain text";
    EVP_CIPHER_INFO cinfo;
    long length = 10;

    memset(&cinfo, 0, sizeof(cinfo));
    return TEST_int_eq(PEM_do_header(&cinfo, data, &length, with("hello", 5), NULL), 1)
        && TEST_int_eq(calls, 0)
        && TEST_long_eq(length, 10) && TEST_str_eq((char *)data, "plain text")
        && TEST_int_eq(PEM_do_header(&cinfo, data, &length, NULL, NULL), 1)
        && TEST_long_eq(length, 10);
}

static int in_place(void)
{
    return decrypts(EVP_aes_128_cbc(), AES128, 16, with("hello", 5), NULL, TEXT, 14)
        && decrypts(EVP_aes_256_cbc(), AES256, 16, with("hello", 5), NULL, TEXT, 14)
        && decrypts(EVP_des_ede3_cbc(), DES3, 32, with("hello", 5), NULL, TEXT ", and once more",
                    29);
}

static int plain_length(void)
{
    unsigned char data[32];
    EVP_CIPHER_INFO cinfo = info(EVP_aes_128_cbc());
    long length = 32;

    memcpy(data, NUL_PASS, 32);
    return TEST_int_eq(PEM_do_header(&cinfo, data, &length, with("he\0lo", 5), NULL), 1)
        && TEST_long_eq(length, 16)
        && TEST_mem_eq(data, 16, "sixteen bytes!!!", 16);
}

/* Encrypts with the key that MD5 gives of passphrase and the IV's first 8 bytes. */
static int encrypt(const EVP_CIPHER *cipher, const char *pass, const unsigned char *iv,
                   const unsigned char *in, int length,
                   unsigned char *out)
{
    unsigned char key[64], block[64];
    int filled, n, tail = 0;
    EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();

    for (filled = 0; filled < EVP_CIPHER_get_key_length(cipher); filled += 16) {
        n = filled == 0 ? 0 : 16;
        memcpy(block, key + filled - n, n);
        memcpy(block + n, pass, strlen(pass));
        memcpy(block + n + strlen(pass), iv, 8);
        EVP_Digest(block, n + strlen(pass) + 8, key + filled, NULL, EVP_md5(), NULL);
    }
    EVP_EncryptInit_ex(ctx, cipher, NULL, key, iv);
    EVP_EncryptUpdate(ctx, out, &n, in, length);
    EVP_EncryptFinal_ex(ctx, out + n, &tail);
    EVP_CIPHER_CTX_free(ctx);
    return n + tail;
}

static int each_length(void)
{
    unsigned char text[1000], sealed[1100];
    int length, i, ok = 1;

    for (i = 0; i < (int)sizeof(text); i++)
        text[i] = (unsigned char)(i * 11 + i / 256);
    for (length = 1; length <= (int)sizeof(text) && ok; length += length < 50 ? 1 : 50) {
        i = encrypt(EVP_aes_256_cbc(), "secret", iv16, text, length, sealed);
        ok = decrypts(EVP_aes_256_cbc(), sealed, i, with("secret", 6), NULL, text, length);
        i = encrypt(EVP_des_ede3_cbc(), "secret", iv8, text, length, sealed);
        ok = ok && decrypts(EVP_des_ede3_cbc(), sealed, i, NULL, "secret", text, length);
    }
    return ok;
}

static int no_padding(void)
{
    unsigned char sealed[64];
    int length = encrypt(EVP_aes_128_cfb128(), "secret", iv16, (unsigned char *)TEXT, 14, sealed);

    return TEST_int_eq(length, 14)
        && decrypts(EVP_aes_128_cfb128(), sealed, 14, with("secret", 6), NULL, TEXT, 14);
}

static int any_bytes(void)
{
    return decrypts(EVP_aes_128_cbc(), NUL_PASS, 32, with("he\0lo", 5), NULL, "sixteen bytes!!!",
                    16);
}

static int empty_pass(void)
{
    return decrypts(EVP_aes_128_cbc(), EMPTY_PASS, 16, with("", 0), NULL, TEXT, 14)
        && decrypts(EVP_aes_128_cbc(), EMPTY_PASS, 16, NULL, "", TEXT, 14);
}

static int longest_pass(void)
{
    static char pass[PEM_BUFSIZE + 1];

    memset(pass, 'x', PEM_BUFSIZE);
    return decrypts(EVP_aes_128_cbc(), LONG_PASS, 16, with(pass, PEM_BUFSIZE), NULL, TEXT, 14)
        && TEST_int_eq(given_size, PEM_BUFSIZE)
        && decrypts(EVP_aes_128_cbc(), LONG_PASS, 16, NULL, pass, TEXT, 14);
}

static int asked(void)
{
    int rock;

    return decrypts(EVP_aes_128_cbc(), AES128, 16, with("hello", 5), &rock, TEXT, 14)
        && TEST_int_eq(calls, 1) && TEST_int_eq(given_flag, 0) && TEST_ptr_eq(given_u, &rock)
        && TEST_int_ge(given_size, 5);
}

static int u_is_it(void)
{
    return decrypts(EVP_aes_128_cbc(), AES128, 16, NULL, "hello", TEXT, 14)
        && refuses(EVP_aes_128_cbc(), AES128, 16, NULL, "hell");
}

static int user_asked(void)
{
    ui_type("hello", "other");
    if (!decrypts(EVP_aes_128_cbc(), AES128, 16, NULL, NULL, TEXT, 14)
            || !TEST_int_eq(ui_script.asked, 1))
        return 0;
    ui_type(NULL, NULL);
    return refuses(EVP_aes_128_cbc(), AES128, 16, NULL, NULL);
}

static int callback_fails(void)
{
    return refuses(EVP_aes_128_cbc(), EMPTY_PASS, 16, with("", -1), NULL);
}

static int wrong_pass(void)
{
    return refuses(EVP_aes_128_cbc(), AES128, 16, with("Hello", 5), NULL)
        && refuses(EVP_aes_128_cbc(), AES128, 16, with("hello", 4), NULL)
        && refuses(EVP_des_ede3_cbc(), DES3, 32, with("help", 4), NULL);
}

static int no_blocks(void)
{
    return refuses(EVP_aes_128_cbc(), AES128, 15, with("hello", 5), NULL)
        && refuses(EVP_aes_128_cbc(), AES128, 0, with("hello", 5), NULL)
        && refuses(EVP_des_ede3_cbc(), DES3, 31, with("hello", 5), NULL);
}

static int info_stays(void)
{
    EVP_CIPHER_INFO cinfo = info(EVP_aes_128_cbc());
    unsigned char data[16];
    long length = 16;
    int i, ok = 1;

    for (i = 0; i < 2; i++) {
        memcpy(data, AES128, 16);
        length = 16;
        ok &= TEST_int_eq(PEM_do_header(&cinfo, data, &length, with("hello", 5), NULL), 1)
            && TEST_mem_eq(data, length, TEXT, 14)
            && TEST_ptr_eq(cinfo.cipher, EVP_aes_128_cbc()) && TEST_mem_eq(cinfo.iv, 16, iv16, 16);
    }
    return ok;
}

static int balanced(void)
{
    long before;
    int i;

    for (i = 0; i < 3; i++) {
        if (i == 2)
            before = memory_blocks;
        if (!plain() || !in_place() || !wrong_pass() || !no_blocks() || !callback_fails()
                || !u_is_it())
            return 0;
    }
    return TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
}

/* A cipher without padding would decrypt with any key. */
static int without(const EVP_CIPHER *cipher)
{
    unsigned char sealed[64];
    int size = encrypt(cipher, "hello", iv16, (unsigned char *)TEXT, 14, sealed), ok, refused = 1;
    long before, left;

    if (!decrypts(cipher, sealed, size, with("hello", 5), NULL, TEXT, 14))
        return 0;
    before = memory_blocks;
    for (left = 0, ok = 1; ok && refused && left < 200; left++) {
        EVP_CIPHER_INFO cinfo = info(cipher);
        unsigned char data[64];
        long length = size;
        int got;

        memcpy(data, sealed, size);
        once_left = left;
        got = PEM_do_header(&cinfo, data, &length, with("hello", 5), NULL);
        refused = once_refused();
        ERR_clear_error();
        ok = got == 1 ? TEST_mem_eq(data, length, TEXT, 14) : refused && TEST_int_eq(got, 0);
        ok = ok && TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
    }
    return ok && TEST_false(refused);
}

static int no_memory(void)
{
    return wrong_pass() && without(EVP_aes_128_cbc()) && without(EVP_aes_128_cfb128());
}

static int too_long(void)
{
#if LONG_MAX > INT_MAX
    unsigned char data[32];
    EVP_CIPHER_INFO cinfo = info(EVP_aes_128_cbc());
    long length = ((long)UINT_MAX + 1) + 16;
    int ok;

    memcpy(data, AES128, 16);
    ok = TEST_int_eq(PEM_do_header(&cinfo, data, &length, with("hello", 5), NULL), 0);
    ERR_clear_error();
    return ok;
#else
    return 1;
#endif
}

int setup_tests(void)
{
    ui_begin();
    add_test("what is not encrypted stays", plain);
    add_test("data are decrypted in place", in_place);
    add_test("the length becomes that of the plain text", plain_length);
    add_test("text of each length comes back", each_length);
    add_test("a cipher without padding keeps the length", no_padding);
    add_test("the passphrase is any bytes", any_bytes);
    add_test("an empty passphrase is one", empty_pass);
    add_test("the longest passphrase counts to its end", longest_pass);
    add_test("the callback is asked for reading", asked);
    add_test("without a callback u is the passphrase", u_is_it);
    add_test("without both the user is asked", user_asked);
    add_test("a callback that fails is told", callback_fails);
    add_test("a wrong passphrase is told", wrong_pass);
    add_test("data that are no whole blocks are refused", no_blocks);
    add_test("cipher and IV stay", info_stays);
    add_test("nothing is leaked", balanced);
    add_test("a lack of memory is refused", no_memory);
    add_test("a length beyond an int is refused", too_long);
    return 1;
}

void cleanup_tests(void)
{
    ui_end();
}
