/*---
 * tasks: [sanitize_line-674e97.16]
 * tests:
 *   a private key of PKCS#8 is read: 'PEM_read_bio_PrivateKey(3): "handle traditional and PKCS#8
 *     format".'
 *   an encrypted private key is read with its password: 'PEM_read_bio_PrivateKey(3): "encrypted
 *     and unencrypted keys"; cb
 *     "to use when querying for the pass phrase".'
 *   the callback is asked for a password to read: 'PEM_read_bio_PrivateKey(3): "int cb(char *buf,
 *     int size, int rwflag,
 *     void *u)", rwflag is 0 when reading.'
 *   without a callback u is the password: 'PEM_read_bio_PrivateKey(3): "If the cb parameter is set
 *     to NULL and the u
 *     parameter is not NULL then the u parameter is interpreted as a NUL terminated string to use
 *     as the passphrase".'
 *   an empty password is a password: 'PEM_read_bio_PrivateKey(3): the callback returns the number
 *     of characters, or -1.'
 *   a callback that fails is an error: 'PEM_read_bio_PrivateKey(3): "or -1 if an error occurred";
 *     PEM_R_BAD_PASSWORD_READ.'
 *   a wrong password is an error: 'PEM_read_bio_PrivateKey(3): "or NULL if an error occurred".'
 *   private keys of the traditional formats are read: 'PEM_read_bio_PrivateKey(3): "handle
 *     traditional ... format".'
 *   an encrypted key of a traditional format is read: 'PEM_read_bio_PrivateKey(3): "encrypted".'
 *   a public key is read: 'PEM_read_bio_PrivateKey(3), PUBKEY: "encoded as a SubjectPublicKeyInfo
 *     structure".'
 *   the library context is that of the key: 'PEM_read_bio_PrivateKey(3): "additional variants that
 *     take a library context libctx"; evp_pkcs82pkey_legacy.'
 *   only what is selected is read: 'Callers PEM_read_bio_PUBKEY_ex, PEM_read_bio_Parameters_ex,
 *     PEM_read_bio_PrivateKey_ex.'
 *   others before the key are passed over, and the key behind it is the next: 'PEM_read(3),
 *     PEM_bytes_read_bio(3).'
 *   the key is put where it is asked for: 'PEM_read_bio_PrivateKey(3): "If x is not NULL but *x is
 *     NULL then the structure
 *     returned will be written to *x".'
 *   a key that is there is replaced: 'PEM_read_bio_PrivateKey(3): "If neither x nor *x is NULL
 *     then an attempt is made to
 *     reuse the structure at *x".'
 *   broken keys are an error, which is told: 'PEM_read_bio_PrivateKey(3): "NULL if an error
 *     occurred"; caller
 *     pem_read_bio_key.'
 *   nothing is leaked and memory that is refused is an error: 'PEM_read_bio_PrivateKey(3).'
 ---*/
#include "../../crypto/pem/pem_pkey.c"
#include "../../crypto/rsa/rsa_local.h"
#include "crypto/ec.h"
#include "testutil.h"
#include "refused_nth.h"
#include "rsa_numbers.h"

#define PLUS_EC \
    "30770201010420be4309166a818b6b5c8c8a964d7737bdd3db9b66d7ba9794089cdbaee1f7ddd0a0" \
    "0a06082a8648ce3d030107a14403420004e21fb7a0387c85f0dd0729808dfecf9a64bfe65ef1e5ef" \
    "bd757bcf33d2d4f521a76011b4295fe2a8797de9343a2c8cf6c5d55f3e247c35b830d8c0be0ab8eb" \
    "4d"

#define PRIVATE EVP_PKEY_KEYPAIR
#define PUBLIC EVP_PKEY_PUBLIC_KEY
#define PARAMETERS EVP_PKEY_KEY_PARAMETERS

static EVP_PKEY *ec, *ed, *rsa;

static int make_keys(void)
{
    long length;
    unsigned char *der = OPENSSL_hexstr2buf(PLUS_EC, &length);
    const unsigned char *p = der;
    RSA *key;

    plus_ctx = BN_CTX_new();
    key = plus_key(NULL, plus_word(65537), NULL, plus_hex(KAT_P), plus_hex(KAT_Q));
    plus_fill(key);
    plus_free_numbers();
    BN_CTX_free(plus_ctx);
    ec = d2i_AutoPrivateKey(NULL, &p, length);
    OPENSSL_free(der);
    ed = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, NULL, (const unsigned char *)
                                      "0123456789abcdef0123456789abcdef", 32);
    rsa = EVP_PKEY_new();
    return TEST_ptr(ec) && TEST_ptr(ed) && TEST_true(EVP_PKEY_assign_RSA(rsa, key));
}

static char given[64];
static int asked, asked_size, asked_rwflag, answer;
static void *asked_u;

static int password(char *buf, int size, int rwflag, void *u)
{
    asked++;
    asked_size = size;
    asked_rwflag = rwflag;
    asked_u = u;
    memcpy(buf, given, strlen(given));
    return answer < 0 ? -1 : (int)strlen(given);
}

/* Reads the next of this kind, by the callback above. */
static EVP_PKEY *next(BIO *bio, int selection)
{
    return pem_read_bio_key_legacy(bio, NULL, password, &asked, NULL, NULL, selection);
}

static int equal(EVP_PKEY *key, EVP_PKEY *expected)
{
    int ok = TEST_ptr(key)
        && TEST_int_eq(EVP_PKEY_get_base_id(key), EVP_PKEY_get_base_id(expected))
        && TEST_int_eq(EVP_PKEY_eq(key, expected), 1);

    ERR_clear_error();
    return ok;
}

/* Is the private part there, too? */
static int equal_private(EVP_PKEY *key, EVP_PKEY *expected)
{
    unsigned char *one = NULL, *two = NULL;
    int length, wanted = i2d_PrivateKey(expected, &two), ok = equal(key, expected);

    ok = ok && TEST_int_gt(length = i2d_PrivateKey(key, &one), 0)
        && TEST_mem_eq(one, length, two, wanted);
    OPENSSL_free(one);
    OPENSSL_free(two);
    ERR_clear_error();
    return ok;
}

/* What was written is read, and is freed. */
static int reads(BIO *bio, int selection, EVP_PKEY *expected)
{
    EVP_PKEY *key = next(bio, selection);
    int ok = selection == PRIVATE ? equal_private(key, expected) : equal(key, expected);

    EVP_PKEY_free(key);
    BIO_free(bio);
    ERR_clear_error();
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int fails(BIO *bio, int selection)
{
    EVP_PKEY *key = next(bio, selection);
    int ok = TEST_ptr_null(key);

    EVP_PKEY_free(key);
    BIO_free(bio);
    ERR_clear_error();
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static BIO *memory(void)
{
    return BIO_new(BIO_s_mem());
}

static BIO *pkcs8(EVP_PKEY *key)
{
    BIO *bio = memory();

    PEM_write_bio_PKCS8PrivateKey(bio, key, NULL, NULL, 0, NULL, NULL);
    return bio;
}

static BIO *encrypted(EVP_PKEY *key, const char *secret)
{
    BIO *bio = memory();

    PEM_write_bio_PKCS8PrivateKey(bio, key, EVP_aes_128_cbc(), secret, (int)strlen(secret), NULL,
                                  NULL);
    return bio;
}

static BIO *traditional(EVP_PKEY *key, const char *secret)
{
    BIO *bio = memory();

    PEM_write_bio_PrivateKey_traditional(bio, key, secret == NULL ? NULL : EVP_aes_128_cbc(),
                                         (const unsigned char *)secret, secret == NULL ? 0
                                             : (int)strlen(secret), NULL,
                                         NULL);
    return bio;
}

static BIO *public(EVP_PKEY *key)
{
    BIO *bio = memory();

    PEM_write_bio_PUBKEY(bio, key);
    return bio;
}

static BIO *parameters(EVP_PKEY *key)
{
    BIO *bio = memory();

    PEM_write_bio_Parameters(bio, key);
    return bio;
}

static BIO *text(const char *pem)
{
    BIO *bio = memory();

    BIO_puts(bio, pem);
    return bio;
}

static void say(const char *secret)
{
    BIO_snprintf(given, sizeof(given), "%s", secret);
    answer = asked = 0;
}

static int of_pkcs8(void)
{
    say("");
    return reads(pkcs8(ec), PRIVATE, ec) && reads(pkcs8(rsa), PRIVATE, rsa)
        && reads(pkcs8(ec), OSSL_KEYMGMT_SELECT_PRIVATE_KEY, ec)
        && reads(pkcs8(ed), PRIVATE, ed)
        && TEST_int_eq(asked, 0);
}

static int with_password(void)
{
    say("secret");
    return reads(encrypted(ec, "secret"), PRIVATE, ec) && TEST_int_ge(asked, 1)
        && reads(encrypted(rsa, "secret"), PRIVATE, rsa)
        && reads(encrypted(ed, "secret"), PRIVATE, ed);
}

static int to_read(void)
{
    say("secret");
    return reads(encrypted(ec, "secret"), PRIVATE, ec) && TEST_int_eq(asked, 1)
        && TEST_int_ge(asked_size, 64)
        && TEST_int_eq(asked_rwflag, 0) && TEST_ptr_eq(asked_u, &asked);
}

static int u_is_password(void)
{
    BIO *bio = encrypted(ec, "another"), *wrong = encrypted(ec, "another"),
        *old = traditional(ec, "another");
    EVP_PKEY *key = pem_read_bio_key_legacy(bio, NULL, NULL, "another", NULL, NULL, PRIVATE);
    EVP_PKEY *none = pem_read_bio_key_legacy(wrong, NULL, NULL, "other", NULL, NULL, PRIVATE);
    EVP_PKEY *key2 = pem_read_bio_key_legacy(old, NULL, NULL, "another", NULL, NULL, PRIVATE);
    int ok = equal_private(key, ec) && TEST_ptr_null(none) && equal_private(key2, ec);

    EVP_PKEY_free(key);
    EVP_PKEY_free(none);
    EVP_PKEY_free(key2);
    BIO_free(bio);
    BIO_free(wrong);
    BIO_free(old);
    ERR_clear_error();
    return ok;
}

static int empty(void)
{
    say("");
    return reads(encrypted(ec, ""), PRIVATE, ec) && TEST_int_eq(asked, 1);
}

static int failing(void)
{
    BIO *bio = encrypted(ec, "secret");
    EVP_PKEY *key;
    int ok;

    say("secret");
    answer = -1;
    ERR_clear_error();
    key = next(bio, PRIVATE);
    ok = TEST_ptr_null(key) && TEST_int_eq(asked, 1) && TEST_ulong_ne(ERR_peek_error(), 0);
    BIO_free(bio);
    return fails(traditional(ec, "secret"), PRIVATE) && ok;
}

static int wrong(void)
{
    BIO *bio = encrypted(ec, "secret");
    int ok;

    say("other");
    ERR_clear_error();
    ok = TEST_ptr_null(next(bio, PRIVATE)) && TEST_ulong_ne(ERR_peek_error(), 0);
    BIO_free(bio);
    say("");
    return fails(encrypted(ec, "secret"), PRIVATE) && ok;
}

static int of_tradition(void)
{
    say("");
    return reads(traditional(rsa, NULL), PRIVATE, rsa) && reads(traditional(ec, NULL), PRIVATE, ec)
        && TEST_int_eq(asked, 0);
}

static int encrypted_tradition(void)
{
    say("secret");
    return reads(traditional(rsa, "secret"), PRIVATE, rsa)
        && reads(traditional(ec, "secret"), PRIVATE, ec)
        && TEST_int_eq(asked, 2) && TEST_ptr_eq(asked_u, &asked);
}

static int of_public(void)
{
    say("");
    return reads(public(ec), PUBLIC, ec)
        && reads(public(ec), OSSL_KEYMGMT_SELECT_PUBLIC_KEY, ec) && reads(public(rsa), PUBLIC, rsa)
        && reads(public(ed), PUBLIC, ed);
}

static int of_context(BIO *bio, OSSL_LIB_CTX *libctx)
{
    EVP_PKEY *key = pem_read_bio_key_legacy(bio, NULL, password, NULL, libctx, "provider=default",
                                            PRIVATE);
    const EC_KEY *in_key = key == NULL ? NULL : EVP_PKEY_get0_EC_KEY(key);
    int ok = TEST_ptr(in_key) && TEST_ptr_eq(ossl_ec_key_get_libctx(in_key), libctx)
        && TEST_str_eq(ossl_ec_key_get0_propq(in_key), "provider=default");

    EVP_PKEY_free(key);
    BIO_free(bio);
    ERR_clear_error();
    return ok;
}

static int library_context(void)
{
    OSSL_LIB_CTX *libctx = OSSL_LIB_CTX_new();
    int ok;

    say("secret");
    ok = of_context(pkcs8(ec), libctx) && of_context(encrypted(ec, "secret"), libctx)
        && of_context(pkcs8(ec), NULL);
    OSSL_LIB_CTX_free(libctx);
    return ok;
}

static int selected(void)
{
    say("secret");
    return fails(public(ec), PRIVATE) && fails(parameters(ec), PRIVATE)
        && fails(pkcs8(ec), PUBLIC) && fails(traditional(ec, NULL), PUBLIC)
        && fails(parameters(ec), PUBLIC)
        && fails(pkcs8(ec), PARAMETERS) && fails(public(ec), PARAMETERS)
        && fails(encrypted(ec, "secret"), PUBLIC)
        && TEST_int_eq(asked, 0);
}

static int others(void)
{
    BIO *bio = text("some text\n-----BEGIN NOTHING-----\nAAAA\n-----END NOTHING-----\n");
    EVP_PKEY *one, *two, *three, *none;
    int ok;

    say("");
    PEM_write_bio_PUBKEY(bio, rsa);
    PEM_write_bio_PKCS8PrivateKey(bio, ec, NULL, NULL, 0, NULL, NULL);
    PEM_write_bio_PrivateKey_traditional(bio, rsa, NULL, NULL, 0, NULL, NULL);
    PEM_write_bio_PUBKEY(bio, ed);
    one = next(bio, PRIVATE);
    two = next(bio, PRIVATE);
    three = next(bio, PUBLIC);
    none = next(bio, PUBLIC);
    ok = equal_private(one, ec) && equal_private(two, rsa) && equal(three, ed)
        && TEST_ptr_null(none);
    EVP_PKEY_free(one);
    EVP_PKEY_free(two);
    EVP_PKEY_free(three);
    BIO_free(bio);
    ERR_clear_error();
    return ok;
}

/* Into x, which held this before or nothing. */
static int into(BIO *bio, int selection, EVP_PKEY *expected, int there)
{
    EVP_PKEY *x = there ? EVP_PKEY_new() : NULL, *key;
    int ok;

    if (there)
        EVP_PKEY_copy_parameters(x, ec);
    key = pem_read_bio_key_legacy(bio, &x, password, NULL, NULL, NULL, selection);
    ok = TEST_ptr(key) && TEST_ptr_eq(x, key) && equal(x, expected);
    EVP_PKEY_free(x);
    BIO_free(bio);
    ERR_clear_error();
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int all_into(int there)
{
    say("secret");
    return into(pkcs8(ec), PRIVATE, ec, there) && into(encrypted(ec, "secret"), PRIVATE, ec, there)
        && into(traditional(rsa, NULL), PRIVATE, rsa, there)
        && into(traditional(ec, NULL), PRIVATE, ec, there)
        && into(public(ec), PUBLIC, ec, there);
}

static int put(void)
{
    return all_into(0);
}

static int replaced(void)
{
    return all_into(1);
}

/* Broken, and an error says so. */
static int broken_key(const char *pem, int selection)
{
    BIO *bio = text(pem);
    EVP_PKEY *key, *x = NULL;
    int ok;

    say("secret");
    ERR_clear_error();
    key = pem_read_bio_key_legacy(bio, &x, password, NULL, NULL, NULL, selection);
    ok = TEST_ptr_null(key) && TEST_ptr_null(x) && TEST_ulong_ne(ERR_peek_error(), 0);
    EVP_PKEY_free(key);
    BIO_free(bio);
    ERR_clear_error();
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

#define PEM(name, base64) "-----BEGIN " name "-----\n" base64 "\n-----END " name "-----\n"

static int broken(void)
{
    return broken_key(PEM("PRIVATE KEY", "MAMCAQA="), PRIVATE)
        && broken_key(PEM("ENCRYPTED PRIVATE KEY", "MAMCAQA="), PRIVATE)
        && broken_key(PEM("RSA PRIVATE KEY", "MAMCAQA="), PRIVATE)
        && broken_key(PEM("EC PRIVATE KEY", "BAA="), PRIVATE)
        && broken_key(PEM("PUBLIC KEY", "MAMCAQA="), PUBLIC)
        && broken_key(PEM("EC PARAMETERS", "BAA="), PARAMETERS)
        && broken_key(PEM("DH PARAMETERS", "BAA="), PARAMETERS);
}

static int all(void)
{
    return of_pkcs8() && with_password() && u_is_password() && failing() && wrong()
        && of_tradition()
        && encrypted_tradition() && of_public() && selected() && others() && put() && replaced()
        && broken();
}

static int starve(BIO *(*write)(EVP_PKEY *), int selection)
{
    BIO *bio;
    EVP_PKEY *key;
    int i, ok = 1;

    for (i = 0; i < 80 && ok; i++) {
        bio = write(ec);
        plus_refuse(i);
        key = next(bio, selection);
        plus_refuse(-1);
        ok = (i > 1 || TEST_ptr_null(key)) && (key == NULL || equal(key, ec));
        EVP_PKEY_free(key);
        BIO_free(bio);
        ERR_clear_error();
    }
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static BIO *old_ec(EVP_PKEY *key)
{
    return traditional(key, NULL);
}

static int leak(void)
{
    long before = 0;
    int i, ok = 1;

    for (i = 0; i < 5 && ok; i++) {
        OPENSSL_thread_stop();
        fake_rand_set_public_private_callbacks(NULL, plus_random_bytes);
        if (i == 2)
            before = memory_blocks;
        ok = all();
    }
    OPENSSL_thread_stop();
    fake_rand_set_public_private_callbacks(NULL, plus_random_bytes);
    ok = ok && TEST_long_eq(memory_blocks, before);
    say("");
    ok = ok && starve(pkcs8, PRIVATE) && starve(old_ec, PRIVATE) && starve(public, PUBLIC);
    OPENSSL_thread_stop();
    fake_rand_set_public_private_callbacks(NULL, plus_random_bytes);
    return ok && TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
}

int setup_tests(void)
{
    if (!plus_fixed_random(NULL) || !make_keys())
        return 0;
    add_test("a private key of PKCS#8 is read", of_pkcs8);
    add_test("an encrypted private key is read with its password", with_password);
    add_test("the callback is asked for a password to read", to_read);
    add_test("without a callback u is the password", u_is_password);
    add_test("an empty password is a password", empty);
    add_test("a callback that fails is an error", failing);
    add_test("a wrong password is an error", wrong);
    add_test("private keys of the traditional formats are read", of_tradition);
    add_test("an encrypted key of a traditional format is read", encrypted_tradition);
    add_test("a public key is read", of_public);
    add_test("the library context is that of the key", library_context);
    add_test("only what is selected is read", selected);
    add_test("others before the key are passed over, and the key behind it is the next", others);
    add_test("the key is put where it is asked for", put);
    add_test("a key that is there is replaced", replaced);
    add_test("broken keys are an error, which is told", broken);
    add_test("nothing is leaked and memory that is refused is an error", leak);
    return 1;
}

void cleanup_tests(void)
{
    EVP_PKEY_free(ec);
    EVP_PKEY_free(ed);
    EVP_PKEY_free(rsa);
}
