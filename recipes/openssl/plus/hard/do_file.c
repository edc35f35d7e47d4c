/*---
 * tasks: [do_file-9792fd, do_file-9792fd.2]
 * tests:
 *   a certificate is entered:
 *     'Comment: "process a file"; openssl-rehash(1); do_dir makes the links.'
 *   a CRL is entered by its issuer:
 *     'openssl-rehash(1): "Hashes for CRLs"; openssl-crl(1), -hash: the issuer name.'
 *   the old hash is used for it: 'openssl-rehash(1), -old: "Use old-style hashing".'
 *   both hashes are used: 'openssl-rehash(1), -compat: "both old-style and new-style hashing".'
 *   the four extensions are known, in upper case too:
 *     'openssl-rehash(1): "each .pem, .crt, .cer, or .crl file"; rehash.c: OPENSSL_strcasecmp.'
 *   other files are passed by:
 *     'openssl-rehash(1): "each .pem, .crt, .cer, or .crl file"; do_dir calls it for all.'
 *   the last dot begins the extension:
 *     'openssl-rehash(1): "each .pem, .crt, .cer, or .crl file", so by the end of its name;
 *     c_rehash.in: the dot, the extension and the end.'
 *   a file that cannot be opened is an error:
 *     'Comment: "return number of errors"; "cannot open file".'
 *   more than one object gives a warning:
 *     'openssl-rehash(1): "if more than one such object appears in the file".'
 *   a file without any gives a warning and no error:
 *     'Comment: "This is not an error"; openssl-rehash(1): "files that cannot be parsed".'
 *   a key beside a certificate does not matter, a key alone is not entered:
 *     'openssl-rehash(1): links for certificates and CRLs; "exactly one certificate or CRL".'
 *   a hash or digest that cannot be had is an error:
 *     'Comment: "return number of errors"; X509_NAME_hash_ex(3): ok.'
 *   a duplicate is left out:
 *     'openssl-rehash(1): "Duplicates are found by comparing the full SHA-1 fingerprint".'
 *   a full bucket is an error for each hash:
 *     'Comment: "return number of errors"; add_entry returns 1.'
 *   nothing is leaked: 'The end frees what was read; do_dir frees the entries.'
 * flags: ["-ffunction-sections", "-fdata-sections", "-Wl,--gc-sections"]
 * goals: ["apps/openssl-bin-rehash.o"]
 ---*/
#include "apps.h"
#define app_malloc plus_app_malloc
static void *plus_app_malloc(size_t size, const char *what);
#include "../../apps/rehash.c"
#include "../testutil.h"
#include "memory_count.h"
#include "pc_rehash.h"

#define CERT "test/certs/ca-cert.pem"
#define KEYED "apps/server.pem"
#define CRL "test/certs/cyrillic_crl.pem"

static unsigned int cert_new, cert_old, crl_new, crl_old;
static unsigned char cert_digest[EVP_MAX_MD_SIZE], crl_digest[EVP_MAX_MD_SIZE];

/* The hashes and digests by the library itself. */
static int known(void)
{
    BIO *in = BIO_new_file(CERT, "r");
    X509 *cert = PEM_read_bio_X509_AUX(in, NULL, NULL, NULL);
    X509_CRL *crl;
    int ok;

    BIO_free(in);
    in = BIO_new_file(CRL, "r");
    crl = PEM_read_bio_X509_CRL(in, NULL, NULL, NULL);
    BIO_free(in);
    if (!TEST_ptr(cert) || !TEST_ptr(crl))
        return 0;
    cert_new = X509_subject_name_hash(cert);
    cert_old = X509_subject_name_hash_old(cert);
    crl_new = X509_NAME_hash_ex(X509_CRL_get_issuer(crl), NULL, NULL, NULL);
    crl_old = X509_NAME_hash_old(X509_CRL_get_issuer(crl));
    ok = TEST_true(X509_digest(cert, EVP_sha1(), cert_digest, NULL))
        && TEST_true(X509_CRL_digest(crl, EVP_sha1(), crl_digest, NULL));
    X509_free(cert);
    X509_CRL_free(crl);
    return ok;
}

/* Is there such an entry of a file, and only that for its hash? */
static int entered(int type, unsigned int hash, const char *name, const unsigned char *digest)
{
    BUCKET *bp = plus_bucket(type, hash);
    HENTRY *ep = plus_entry(bp, name);

    return TEST_ptr(bp) && TEST_ptr(ep) && TEST_int_eq(plus_entries(bp), 1)
        && TEST_int_eq(bp->num_needed, 1) && TEST_int_eq(ep->need_symlink, 1)
        && TEST_int_eq(ep->old_id, 0xffff) && TEST_mem_eq(ep->digest, 20, digest, 20);
}

static int none(int errors, int expected)
{
    return TEST_int_eq(errors, expected) && TEST_int_eq(plus_all(0), 0);
}

static int certificate(void)
{
    return plus_end(known() && TEST_int_eq(do_file("some.pem", CERT, HASH_NEW), 0)
                    && entered(TYPE_CERT, cert_new, "some.pem", cert_digest)
                    && TEST_int_eq(plus_all(0), 1));
}

static int issuer(void)
{
    return plus_end(known() && TEST_int_eq(do_file("some.crl", CRL, HASH_NEW), 0)
                    && entered(TYPE_CRL, crl_new, "some.crl", crl_digest)
                    && TEST_int_eq(plus_all(0), 1));
}

static int old(void)
{
    return plus_end(known() && TEST_int_eq(do_file("some.pem", CERT, HASH_OLD), 0)
                    && TEST_int_eq(do_file("some.crl", CRL, HASH_OLD), 0)
                    && entered(TYPE_CERT, cert_old, "some.pem", cert_digest)
                    && entered(TYPE_CRL, crl_old, "some.crl", crl_digest)
                    && TEST_int_eq(plus_all(0), 2));
}

static int both(void)
{
    return plus_end(known() && TEST_int_eq(do_file("some.pem", CERT, HASH_BOTH), 0)
                    && TEST_int_eq(do_file("some.crl", CRL, HASH_BOTH), 0)
                    && entered(TYPE_CERT, cert_old, "some.pem", cert_digest)
                    && entered(TYPE_CERT, cert_new, "some.pem", cert_digest)
                    && entered(TYPE_CRL, crl_old, "some.crl", crl_digest)
                    && entered(TYPE_CRL, crl_new, "some.crl", crl_digest)
                    && TEST_int_eq(plus_all(0), 4));
}

static int takes(const char *name)
{
    return plus_end(TEST_int_eq(do_file(name, CERT, HASH_NEW), 0)
                    && entered(TYPE_CERT, cert_new, name, cert_digest));
}

static int four(void)
{
    return known() && takes("a.pem") && takes("a.crt") && takes("a.cer") && takes("a.crl")
        && takes(".pem")
        && takes("a.PEM") && takes("A.Crt") && takes("a.cEr") && takes("a.CRL");
}

static int passes(const char *name)
{
    return plus_end(none(do_file(name, CERT, HASH_BOTH), 0)
                    && none(do_file(name, "test/certs/no-such-file", HASH_NEW), 0));
}

static int others(void)
{
    return passes("a.txt") && passes("pem") && passes("apem") && passes("") && passes(".")
        && passes("a.") && passes("a.pe") && passes("a.pemx") && passes("a.der")
        && passes("a.pem ") && passes("12345678.0") && passes("a.p");
}

static int last_dot(void)
{
    return known() && takes("a.txt.pem") && takes("a..crt") && takes("a.pem.cer")
        && passes("a.pem.txt") && passes("a.pem.") && passes("a.pem.bak");
}

static int not_opened(void)
{
    long size;
    int errors;

    plus_catch();
    errors = do_file("no-such-file.pem", "test/certs/no-such-file.pem", HASH_BOTH);
    size = plus_caught();
    ERR_clear_error();
    return plus_end(none(errors, 1) && TEST_long_gt(size, 0));
}

static int more(void)
{
    long size;
    int errors;

    plus_catch();
    errors = do_file("two.pem", "test/certs/ee-client-chain.pem", HASH_BOTH);
    size = plus_caught();
    return plus_end(none(errors, 0) && TEST_long_gt(size, 0));
}

static int without(void)
{
    int errors;
    long size;

    plus_catch();
    errors = do_file("text.pem", "LICENSE.txt", HASH_BOTH);
    size = plus_caught();
    ERR_clear_error();
    return plus_end(none(errors, 0) && TEST_long_gt(size, 0));
}

static int keys(void)
{
    int ok;

    plus_catch();
    do_file("key.pem", "test/certs/alt1-key.pem", HASH_BOTH);
    ok = TEST_int_eq(plus_all(0), 0) && TEST_int_eq(do_file("a.pem", KEYED, HASH_BOTH), 0)
        && TEST_int_eq(plus_all(0), 2);
    plus_caught();
    ERR_clear_error();
    return plus_end(ok);
}

/* The digest is had in advance; SHA-1 for the hash cannot be had. Then neither can be. */
static int no_hash(void)
{
    int errors, again, neither;
    EVP_MD *md = EVP_MD_fetch(NULL, "SHA1", NULL);

    evpmd = md;
    plus_catch();
    EVP_set_default_properties(NULL, "provider=nowhere");
    errors = do_file("a.pem", CERT, HASH_NEW);
    again = do_file("a.crl", CRL, HASH_NEW);
    plus_begin();
    neither = do_file("a.pem", CERT, HASH_OLD);
    EVP_set_default_properties(NULL, "");
    EVP_MD_free(md);
    plus_caught();
    ERR_clear_error();
    return plus_end(TEST_int_gt(errors, 0) && TEST_int_gt(again, 0)
                    && TEST_int_gt(neither, 0)
                    && TEST_int_eq(plus_all(0), 0));
}

static int duplicate(void)
{
    int errors;

    if (!known() || !TEST_int_eq(do_file("first.pem", CERT, HASH_BOTH), 0))
        return 0;
    plus_catch();
    errors = do_file("second.pem", CERT, HASH_BOTH);
    return plus_end(TEST_long_gt(plus_caught(), 0) && TEST_int_eq(errors, 0)
                    && entered(TYPE_CERT, cert_new, "first.pem", cert_digest)
                    && entered(TYPE_CERT, cert_old, "first.pem", cert_digest)
                    && TEST_int_eq(plus_all(0), 2));
}

static int full(void)
{
    unsigned char digest[EVP_MAX_MD_SIZE] = { 0 };
    char name[20];
    int i, one, two;

    if (!known())
        return 0;
    plus_catch();
    for (i = 1; i <= 256; i++) {
        digest[0] = i >> 8;
        digest[1] = i & 0xff;
        BIO_snprintf(name, sizeof(name), "%d.pem", i);
        add_entry(TYPE_CERT, cert_new, name, digest, 1, ~0);
        add_entry(TYPE_CERT, cert_old, name, digest, 1, ~0);
    }
    one = do_file("more.pem", CERT, HASH_NEW);
    two = do_file("more.pem", CERT, HASH_BOTH);
    plus_caught();
    return plus_end(TEST_int_eq(one, 1) && TEST_int_eq(two, 2) && TEST_int_eq(plus_all(0), 512));
}

static int no_leak(void)
{
    long before;

    if (!certificate() || !issuer() || !old() || !both() || !not_opened() || !more() || !without())
        return 0;
    ERR_clear_error();
    before = memory_blocks;
    if (!certificate() || !issuer() || !old() || !both() || !four() || !others() || !not_opened()
            || !more() || !without() || !duplicate())
        return 0;
    ERR_clear_error();
    return TEST_long_eq(memory_blocks, before);
}

int setup_tests(void)
{
    plus_begin();
    add_test("a certificate is entered", certificate);
    add_test("a CRL is entered by its issuer", issuer);
    add_test("the old hash is used for it", old);
    add_test("both hashes are used", both);
    add_test("the four extensions are known, in upper case too", four);
    add_test("other files are passed by", others);
    add_test("the last dot begins the extension", last_dot);
    add_test("a file that cannot be opened is an error", not_opened);
    add_test("more than one object gives a warning", more);
    add_test("a file without any gives a warning and no error", without);
    add_test("a key beside a certificate does not matter, a key alone is not entered", keys);
    add_test("a hash or digest that cannot be had is an error", no_hash);
    add_test("a duplicate is left out", duplicate);
    add_test("a full bucket is an error for each hash", full);
    add_test("nothing is leaked", no_leak);
    return 1;
}
