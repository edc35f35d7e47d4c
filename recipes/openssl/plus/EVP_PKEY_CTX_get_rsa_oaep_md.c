/*---
 * tasks: [DB2F4F1BBCD12988]
 * tests:
 *   the digest that was set comes out for encryption:
 *     'EVP_PKEY_CTX_get_rsa_oaep_md(3): "gets the message digest ... used in RSA OAEP".'
 *   the digest that was set comes out for decryption:
 *     'EVP_PKEY_CTX_get_rsa_oaep_md(3) makes no difference between the two operations that have OAEP.'
 *   each digest is told: 'EVP_PKEY_CTX_get_rsa_oaep_md(3): "returns a pointer to an EVP_MD object".'
 *   the default is SHA1: 'openssl-pkeyutl(1), rsa_oaep_md: "If not explicitly set then SHA1 is used."'
 *   the MGF1 digest is another matter: 'EVP_PKEY_CTX_set_rsa_mgf1_md(3) has a digest of its own.'
 *   asking changes nothing: 'It "gets"; what the pointer held before is not read.'
 *   a key of another type fails:
 *     'EVP_PKEY_CTX_ctrl(3): 0 or a negative value for failure; the operation is "RSA OAEP".'
 *   a context for signatures fails:
 *     'EVP_PKEY_CTX_ctrl(3): 0 or a negative value for failure; OAEP is a padding of encryption.'
 *   a context without an operation fails: 'EVP_PKEY_CTX_ctrl(3): a control needs an operation that was begun.'
 ---*/
#include "../../crypto/rsa/rsa_lib.c"
#include "../testutil.h"

static EVP_PKEY *rsa, *ec;

/* A context for an operation with OAEP padding and `digest` (NULL: none is set). */
static EVP_PKEY_CTX *context(int (*begin)(EVP_PKEY_CTX *), const EVP_MD *digest)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(NULL, rsa, NULL);

    if (TEST_int_eq(begin(ctx), 1)
            && TEST_int_eq(EVP_PKEY_CTX_set_rsa_padding(ctx, RSA_PKCS1_OAEP_PADDING), 1)
            && (digest == NULL || TEST_int_eq(EVP_PKEY_CTX_set_rsa_oaep_md(ctx, digest), 1)))
        return ctx;
    EVP_PKEY_CTX_free(ctx);
    return NULL;
}

/* Is the digest of `ctx` the one of this name? Frees `ctx`. */
static int tells(EVP_PKEY_CTX *ctx, const EVP_MD *before, const char *name)
{
    const EVP_MD *md = before;
    int ok = TEST_ptr(ctx)
        && TEST_int_eq(EVP_PKEY_CTX_get_rsa_oaep_md(ctx, &md), 1)
        && TEST_ptr(md) && TEST_true(EVP_MD_is_a(md, name));

    EVP_PKEY_CTX_free(ctx);
    return ok;
}

/* Does asking `ctx` fail? Frees `ctx`. */
static int fails(EVP_PKEY_CTX *ctx)
{
    const EVP_MD *md = NULL;
    int ok = TEST_ptr(ctx) && TEST_int_le(EVP_PKEY_CTX_get_rsa_oaep_md(ctx, &md), 0);

    EVP_PKEY_CTX_free(ctx);
    return ok;
}

static int encryption(void)
{
    return tells(context(EVP_PKEY_encrypt_init, EVP_sha256()), NULL, "SHA256");
}

static int decryption(void)
{
    return tells(context(EVP_PKEY_decrypt_init, EVP_sha256()), NULL, "SHA256");
}

static int each_digest(void)
{
    return tells(context(EVP_PKEY_encrypt_init, EVP_sha1()), NULL, "SHA1")
        && tells(context(EVP_PKEY_encrypt_init, EVP_sha384()), NULL, "SHA384")
        && tells(context(EVP_PKEY_decrypt_init, EVP_sha512()), NULL, "SHA512")
        && tells(context(EVP_PKEY_decrypt_init, EVP_sha3_256()), NULL, "SHA3-256");
}

static int the_default(void)
{
    return tells(context(EVP_PKEY_encrypt_init, NULL), NULL, "SHA1")
        && tells(context(EVP_PKEY_decrypt_init, NULL), NULL, "SHA1");
}

static int mgf1(void)
{
    EVP_PKEY_CTX *ctx = context(EVP_PKEY_encrypt_init, EVP_sha256());

    return TEST_ptr(ctx)
        && TEST_int_eq(EVP_PKEY_CTX_set_rsa_mgf1_md(ctx, EVP_sha512()), 1)
        && tells(ctx, NULL, "SHA256");
}

static int changes_nothing(void)
{
    EVP_PKEY_CTX *ctx = context(EVP_PKEY_encrypt_init, EVP_sha256());
    const EVP_MD *md = EVP_sha512();
    char name[40] = "";
    int ok = TEST_ptr(ctx)
        && TEST_int_eq(EVP_PKEY_CTX_get_rsa_oaep_md(ctx, &md), 1)
        && TEST_int_eq(EVP_PKEY_CTX_get_rsa_oaep_md_name(ctx, name, sizeof(name)), 1)
        && TEST_int_eq(OPENSSL_strcasecmp(name, "SHA2-256") && OPENSSL_strcasecmp(name, "SHA256"), 0);

    if (!ok) {
        EVP_PKEY_CTX_free(ctx);
        return 0;
    }
    return tells(ctx, EVP_sha384(), "SHA256");
}

static int other_key(void)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(NULL, ec, NULL);

    return TEST_int_eq(EVP_PKEY_derive_init(ctx), 1) && fails(ctx);
}

static int signature(void)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(NULL, rsa, NULL);

    return TEST_int_eq(EVP_PKEY_sign_init(ctx), 1) && fails(ctx);
}

static int no_operation(void)
{
    return fails(EVP_PKEY_CTX_new_from_pkey(NULL, rsa, NULL));
}

int setup_tests(void)
{
    if (!TEST_ptr(rsa = load_pkey_pem("test/testrsa2048.pem", NULL)) || !TEST_ptr(ec = EVP_EC_gen("P-256")))
        return 0;
    add_test("the digest that was set comes out for encryption", encryption);
    add_test("the digest that was set comes out for decryption", decryption);
    add_test("each digest is told", each_digest);
    add_test("the default is SHA1", the_default);
    add_test("the MGF1 digest is another matter", mgf1);
    add_test("asking changes nothing", changes_nothing);
    add_test("a key of another type fails", other_key);
    add_test("a context for signatures fails", signature);
    add_test("a context without an operation fails", no_operation);
    return 1;
}

void cleanup_tests(void)
{
    EVP_PKEY_free(rsa);
    EVP_PKEY_free(ec);
}
