/*---
 * tasks: [parse_bag-deedf2.8]
 * tests:
 *   an encrypted key is read: 'd2i_PKCS8PrivateKey_bio(3): "decode private keys in PKCS#8 format".'
 *   the callback is asked to read: 'PEM_read_bio_PrivateKey(3): int cb(char *buf, int size, int rwflag, void *u).'
 *   the callback tells the length: 'PEM_read_bio_PrivateKey(3): "must return the number of characters"; "The passphrase
 *     can be arbitrary data"; "It will simply be treated as a byte sequence".'
 *   the longest password is the buffer's size: 'PEM_read_bio_PrivateKey(3): "size is the maximum length of the
 *     passphrase (i.e. the size of buf)".'
 *   an empty password is one: 'PEM_read_bio_PrivateKey(3): "-1 if an error occurred", so that 0 is a length.'
 *   without a callback u is the password:
 *     'PEM_read_bio_PrivateKey(3): "the u parameter is interpreted as a NUL terminated string".'
 *   without both it is asked for: 'PEM_read_bio_PrivateKey(3): "default callback routine ... will typically prompt".'
 *   a callback that fails is a failure: 'PEM_read_bio_PrivateKey(3): "or -1 if an error occurred".'
 *   a wrong password is refused: 'd2i_PKCS8PrivateKey_bio(3): "or NULL if an error occurred".'
 *   x is given the key: 'pem_pk8.c, d2i_X509(3): the key is written to *x, too.'
 *   what x held is replaced and freed: 'pem_pk8.c; pem_pkey.c: ossl_pem_read_bio_key, the same.'
 *   x stays after a failure: 'd2i_PKCS8PrivateKey_bio(3): NULL; the caller still has what it had.'
 *   what is no encrypted key is refused: 'd2i_PKCS8PrivateKey_bio(3): "or NULL if an error occurred".'
 *   a key of an unknown algorithm is refused: 'EVP_PKCS82PKEY(3): NULL on error.'
 *   the next key comes by the next call: 'BIO: one structure is read, no more; d2i_X509_bio(3).'
 *   the reason for a failure can be read: 'pemerr.h: PEM_R_BAD_PASSWORD_READ; ERR_get_error(3).'
 *   nothing is leaked or freed twice: 'd2i_PKCS8PrivateKey_bio(3): only what is returned is the caller''s.'
 *   without memory it fails and leaks nothing: 'd2i_PKCS8PrivateKey_bio(3): "or NULL if an error occurred".'
 ---*/
#include "../testutil.h"
#include "memory_count.h"
#include "pb_pkcs8.h"
#include "scripted_ui.h"

/* The DER of this key under this password, always the same. */
static unsigned char *locked(PKCS8_PRIV_KEY_INFO *p8, const char *pass, int pass_len, int *length)
{
    X509_ALGOR *pbe = PKCS5_pbe2_set_iv(EVP_aes_128_cbc(), 1, (unsigned char *)"saltsalt", 8,
                                        (unsigned char *)"sixteen bytes iv", NID_hmacWithSHA256);
    X509_SIG *sig = PKCS8_set0_pbe(pass, pass_len, p8, pbe);
    unsigned char *der = NULL;

    *length = i2d_X509_SIG(sig, &der);
    X509_SIG_free(sig);
    PKCS8_PRIV_KEY_INFO_free(p8);
    TEST_int_gt(*length, 0);
    return der;
}

/* A BIO that holds it. */
static BIO *with(const char *name, const char *pass, int pass_len)
{
    int length;
    unsigned char *der = locked(plus_p8(name), pass, pass_len, &length);
    BIO *bio = BIO_new(BIO_s_mem());

    BIO_write(bio, der, length);
    OPENSSL_free(der);
    return bio;
}

static struct {
    const char *pass;
    int length, calls, size, rwflag;
    void *u;
} asked;

/* Writes the password without a zero byte behind; all bytes behind it are others. */
static int answer(char *buf, int size, int rwflag, void *u)
{
    asked.calls++;
    asked.size = size;
    asked.rwflag = rwflag;
    asked.u = u;
    memset(buf, 'x', size);
    if (asked.length > 0)
        memcpy(buf, asked.pass, asked.length);
    return asked.length;
}

static pem_password_cb *answers(const char *pass, int length)
{
    memset(&asked, 0, sizeof(asked));
    asked.pass = pass;
    asked.length = length;
    return answer;
}

static EVP_PKEY *reads(BIO *bio, EVP_PKEY **x, const char *pass, int length)
{
    EVP_PKEY *key = d2i_PKCS8PrivateKey_bio(bio, x, answers(pass, length), NULL);

    BIO_free(bio);
    return key;
}

static int refuses(BIO *bio, EVP_PKEY **x, const char *pass, int length)
{
    EVP_PKEY *key = reads(bio, x, pass, length);
    int ok = TEST_ptr_null(key);

    ERR_clear_error();
    if (x == NULL)
        EVP_PKEY_free(key);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int key_is_read(void)
{
    static const char *const names[] = { PLUS_RSA, PLUS_EC, PLUS_ED };
    BIO *bio;
    EVP_PKEY *key;
    PKCS8_PRIV_KEY_INFO *p8;
    X509_SIG *sig;
    int i, ok = 1;

    for (i = 0; i < 3; i++)
        ok &= plus_is_key(reads(with(names[i], "secret", 6), NULL, "secret", 6), names[i]);
    /* PKCS#5, version 1.5 */
    p8 = plus_p8(PLUS_EC);
    sig = PKCS8_encrypt(NID_pbe_WithSHA1And3_Key_TripleDES_CBC, NULL, "secret", 6,
                        (unsigned char *)"saltsalt", 8, 2, p8);
    bio = BIO_new(BIO_s_mem());
    i2d_PKCS8_bio(bio, sig);
    X509_SIG_free(sig);
    PKCS8_PRIV_KEY_INFO_free(p8);
    key = reads(bio, NULL, "secret", 6);
    return plus_is_key(key, PLUS_EC) && ok;
}

static int callback(void)
{
    static int mark;
    BIO *bio = with(PLUS_EC, "secret", 6);
    EVP_PKEY *key = d2i_PKCS8PrivateKey_bio(bio, NULL, answers("secret", 6), &mark);

    BIO_free(bio);
    return plus_is_key(key, PLUS_EC) && TEST_int_eq(asked.calls, 1)
        && TEST_int_eq(asked.rwflag, 0) && TEST_ptr_eq(asked.u, &mark)
        && TEST_int_ge(asked.size, PEM_BUFSIZE);
}

static int length(void)
{
    return plus_is_key(reads(with(PLUS_EC, "a\0b\xff", 4), NULL, "a\0b\xff", 4), PLUS_EC)
        && refuses(with(PLUS_EC, "a\0b\xff", 4), NULL, "a\0b\xff", 3)
        && refuses(with(PLUS_EC, "a\0b", 3), NULL, "a\0c", 3)
        && plus_is_key(reads(with(PLUS_EC, "secret", 3), NULL, "secret", 3), PLUS_EC)
        && refuses(with(PLUS_EC, "secret", 3), NULL, "secret", 6);
}

static int longest(void)
{
    char pass[PEM_BUFSIZE];
    int ok;

    memset(pass, 'p', sizeof(pass));
    pass[sizeof(pass) - 1] = 'q';
    ok = plus_is_key(reads(with(PLUS_EC, pass, PEM_BUFSIZE), NULL, pass, PEM_BUFSIZE), PLUS_EC)
        && plus_is_key(reads(with(PLUS_EC, pass, PEM_BUFSIZE - 1), NULL, pass, PEM_BUFSIZE - 1),
                       PLUS_EC);
    pass[sizeof(pass) - 1] = 'r';
    return ok && refuses(with(PLUS_EC, pass, PEM_BUFSIZE - 1), NULL, pass, PEM_BUFSIZE);
}

static int empty(void)
{
    return plus_is_key(reads(with(PLUS_EC, "", 0), NULL, "", 0), PLUS_EC)
        && TEST_int_eq(asked.calls, 1)
        && refuses(with(PLUS_EC, "secret", 6), NULL, "", 0);
}

static int u_password(void)
{
    BIO *bio = with(PLUS_EC, "of the user", 11);
    EVP_PKEY *key = d2i_PKCS8PrivateKey_bio(bio, NULL, NULL, "of the user");
    int ok = plus_is_key(key, PLUS_EC);

    BIO_free(bio);
    bio = with(PLUS_EC, "of the user", 11);
    key = d2i_PKCS8PrivateKey_bio(bio, NULL, NULL, "of the use");
    ok &= TEST_ptr_null(key);
    EVP_PKEY_free(key);
    BIO_free(bio);
    ERR_clear_error();
    return ok;
}

static int typed(void)
{
    BIO *bio = with(PLUS_EC, "typed in", 8);
    EVP_PKEY *key;
    int ok;

    ui_begin();
    ui_type("typed in", NULL);
    key = d2i_PKCS8PrivateKey_bio(bio, NULL, NULL, NULL);
    ok = plus_is_key(key, PLUS_EC) && TEST_int_eq(ui_script.asked, 1);
    BIO_free(bio);
    bio = with(PLUS_EC, "typed in", 8);
    ui_type(NULL, NULL);
    key = d2i_PKCS8PrivateKey_bio(bio, NULL, NULL, NULL);
    ok &= TEST_ptr_null(key);
    EVP_PKEY_free(key);
    BIO_free(bio);
    ui_end();
    ERR_clear_error();
    return ok;
}

static int callback_fails(void)
{
    return refuses(with(PLUS_EC, "secret", 6), NULL, "secret", -1)
        && refuses(with(PLUS_EC, "", 0), NULL, "", -1);
}

static int wrong_password(void)
{
    return refuses(with(PLUS_EC, "secret", 6), NULL, "Secret", 6)
        && refuses(with(PLUS_RSA, "secret", 6), NULL, "secret ", 7)
        && refuses(with(PLUS_ED, "secret", 6), NULL, "secre", 5);
}

static int x_is_given(void)
{
    EVP_PKEY *x = NULL, *key = reads(with(PLUS_ED, "secret", 6), &x, "secret", 6);
    int ok = TEST_ptr(key) && TEST_ptr_eq(x, key);

    return plus_is_key(key, PLUS_ED) && ok;
}

static int x_is_replaced(void)
{
    EVP_PKEY *x, *key;
    long before;
    int i, ok = 1;

    plus_is_key(reads(with(PLUS_ED, "secret", 6), NULL, "secret", 6), PLUS_ED);
    EVP_PKEY_free(plus_key(PLUS_EC));
    before = memory_blocks;
    for (i = 0; i < 2; i++) {
        x = i == 0 ? EVP_PKEY_new() : plus_key(PLUS_EC);
        key = reads(with(PLUS_ED, "secret", 6), &x, "secret", 6);
        ok &= TEST_ptr(key) && TEST_ptr_eq(x, key);
        ok = plus_is_key(key, PLUS_ED) && ok && TEST_long_eq(memory_blocks, before);
    }
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static BIO *of_bytes(const unsigned char *bytes, int length)
{
    BIO *bio = BIO_new(BIO_s_mem());

    BIO_set_mem_eof_return(bio, 0);
    BIO_write(bio, bytes, length);
    return bio;
}

static int x_stays(void)
{
    EVP_PKEY *x = plus_key(PLUS_EC), *was = x;
    int length;
    unsigned char *der = locked(plus_odd_p8("1.3.6.1.4.1.99999.5", "\x02\x01\x05", 3), "secret", 6,
                                &length);
    int ok = refuses(with(PLUS_ED, "secret", 6), &x, "Secret", 6) && TEST_ptr_eq(x, was)
        && refuses(with(PLUS_ED, "secret", 6), &x, "secret", -1) && TEST_ptr_eq(x, was)
        && refuses(of_bytes((unsigned char *)"", 0), &x, "secret", 6) && TEST_ptr_eq(x, was)
        && refuses(of_bytes(der, length), &x, "secret", 6) && TEST_ptr_eq(x, was);

    OPENSSL_free(der);
    return ok && plus_is_key(x, PLUS_EC);
}

/* A plain key, bytes that are none, nothing, and a key that is cut off. */
static int no_key(void)
{
    PKCS8_PRIV_KEY_INFO *p8 = plus_p8(PLUS_EC);
    int length, i, ok;
    unsigned char *der = plus_p8_bytes(p8, &length);

    ok = refuses(of_bytes(der, length), NULL, "secret", 6)
        & refuses(of_bytes((unsigned char *)"\x30\x03\x02\x01\x05", 5), NULL, "secret", 6)
        & refuses(of_bytes((unsigned char *)"none", 4), NULL, "secret", 6)
        & refuses(of_bytes((unsigned char *)"", 0), NULL, "secret", 6);
    PKCS8_PRIV_KEY_INFO_free(p8);
    OPENSSL_free(der);
    der = locked(plus_p8(PLUS_EC), "secret", 6, &length);
    for (i = 1; i < length; i += 9)
        ok &= refuses(of_bytes(der, i), NULL, "secret", 6);
    OPENSSL_free(der);
    return ok;
}

static int unknown(void)
{
    EVP_PKEY *x = NULL;
    int length, ok;
    unsigned char *der = locked(plus_odd_p8("1.3.6.1.4.1.99999.5", "\x02\x01\x05", 3), "secret", 6,
                                &length);

    ok = refuses(of_bytes(der, length), NULL, "secret", 6)
        && refuses(of_bytes(der, length), &x, "secret", 6) && TEST_ptr_null(x);
    OPENSSL_free(der);
    der = locked(plus_odd_p8(PLUS_RSA_OID, "\x02\x01\x05", 3), "secret", 6, &length);
    ok &= refuses(of_bytes(der, length), NULL, "secret", 6);
    OPENSSL_free(der);
    return ok;
}

static int next(void)
{
    BIO *bio = with(PLUS_EC, "first", 5);
    int length, ok;
    unsigned char *der = locked(plus_p8(PLUS_ED), "second", 6, &length);

    BIO_write(bio, der, length);
    OPENSSL_free(der);
    ok = plus_is_key(d2i_PKCS8PrivateKey_bio(bio, NULL, answers("first", 5), NULL), PLUS_EC)
        && plus_is_key(d2i_PKCS8PrivateKey_bio(bio, NULL, answers("second", 6), NULL), PLUS_ED);
    return refuses(bio, NULL, "second", 6) && ok;
}

static int reason(void)
{
    BIO *bio = with(PLUS_EC, "secret", 6);
    int ok;

    ERR_clear_error();
    ok = TEST_ptr_null(d2i_PKCS8PrivateKey_bio(bio, NULL, answers("secret", -1), NULL))
        && TEST_ulong_ne(ERR_peek_error(), 0);
    BIO_free(bio);
    bio = with(PLUS_EC, "secret", 6);
    ERR_clear_error();
    ok = ok && TEST_ptr_null(d2i_PKCS8PrivateKey_bio(bio, NULL, answers("wrong", 5), NULL))
        && TEST_ulong_ne(ERR_peek_error(), 0);
    BIO_free(bio);
    ERR_clear_error();
    return ok;
}

static int round(void)
{
    return key_is_read() & length() & longest() & empty() & u_password() & callback_fails()
        & wrong_password() & x_is_given() & x_is_replaced() & x_stays() & no_key() & unknown()
        & next() & reason();
}

static int balanced(void)
{
    long before;

    round();
    before = memory_blocks;
    return round() && TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
}

static int no_memory(void)
{
    int length, i, ok = 1;
    unsigned char *der = locked(plus_p8(PLUS_EC), "secret", 6, &length);
    long before;

    plus_is_key(reads(of_bytes(der, length), NULL, "secret", 6), PLUS_EC);
    before = memory_blocks;
    for (i = 0; ok && i < 60; i++) {
        BIO *bio = of_bytes(der, length);
        EVP_PKEY *key;
        int refused;

        memory_left = i;
        key = d2i_PKCS8PrivateKey_bio(bio, NULL, answers("secret", 6), NULL);
        refused = memory_left == 0;
        memory_left = -1;
        BIO_free(bio);
        ERR_clear_error();
        ok = key == NULL ? TEST_true(refused) : plus_is_key(key, PLUS_EC);
        ok = ok && TEST_long_eq(memory_blocks, before);
    }
    OPENSSL_free(der);
    return ok;
}

int setup_tests(void)
{
    add_test("an encrypted key is read", key_is_read);
    add_test("the callback is asked to read", callback);
    add_test("the callback tells the length", length);
    add_test("the longest password is the buffer's size", longest);
    add_test("an empty password is one", empty);
    add_test("without a callback u is the password", u_password);
    add_test("without both it is asked for", typed);
    add_test("a callback that fails is a failure", callback_fails);
    add_test("a wrong password is refused", wrong_password);
    add_test("x is given the key", x_is_given);
    add_test("what x held is replaced and freed", x_is_replaced);
    add_test("x stays after a failure", x_stays);
    add_test("what is no encrypted key is refused", no_key);
    add_test("a key of an unknown algorithm is refused", unknown);
    add_test("the next key comes by the next call", next);
    add_test("the reason for a failure can be read", reason);
    add_test("nothing is leaked or freed twice", balanced);
    add_test("without memory it fails and leaks nothing", no_memory);
    return 1;
}
