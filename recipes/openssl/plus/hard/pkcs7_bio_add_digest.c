/*---
 * tasks: [PKCS7_verify-9ff9fa.8]
 * tests:
 *   the first digest begins the chain: 'pk7_doit.c: PKCS7_dataDecode, "if (out == NULL) out = btmp".'
 *   each further digest is found behind the others:
 *     'pk7_doit.c: PKCS7_dataDecode pushes; PKCS7_find_digest goes on by BIO_next.'
 *   what passes the chain is digested:
 *     'bio_md.c: a BIO_f_md digests what is read and written; ts_rsp_verify.c: "to calculate digests".'
 *   what is not a digest is refused with an error:
 *     'pkcs7err.h: UNKNOWN_DIGEST_TYPE; PKCS7_dataDecode raises it.'
 *   a refusal leaves the chain as it was: 'Signature: BIO **pbio; PKCS7_dataDecode frees its chain itself.'
 *   the library context is used: 'Signature: ctx; PKCS7_dataDecode fetches with it.'
 *   the property query is used:
 *     'Signature: ctx; ossl_pkcs7_ctx_get0_propq; PKCS7_dataDecode fetches with it.'
 *   no context stands for the default one: 'pk7_lib.c: ossl_pkcs7_ctx_get0_libctx gives NULL for NULL.'
 *   a digest that cannot be fetched is looked for by name:
 *     'pk7_doit.c: PKCS7_dataDecode, EVP_get_digestbyname; its errors are dropped by ERR_pop_to_mark.'
 *   errors of before stay and no mark is left:
 *     'PKCS7_dataDecode: ERR_set_mark goes with ERR_pop_to_mark or ERR_clear_last_mark.'
 *   the digest is given back and nothing is leaked: 'PKCS7_dataDecode: EVP_MD_free; EVP_MD_fetch(3).'
 *   refused memory is told and leaks nothing: 'PKCS7_dataDecode: no BIO is an error; callers free the chain.'
 ---*/
#include "../../crypto/pkcs7/pk7_doit.c"
#include <string.h>
#include "internal/provider.h"
#include "../testutil.h"
#include "memory_count.h"
#include "partial_provider.h"

/* Adds the digest with this object. */
static int add_object(BIO **chain, ASN1_OBJECT *object, const PKCS7_CTX *ctx)
{
    X509_ALGOR *alg = X509_ALGOR_new();
    int result;

    X509_ALGOR_set0(alg, object, V_ASN1_NULL, NULL);
    result = pkcs7_bio_add_digest(chain, alg, ctx);
    X509_ALGOR_free(alg);
    return result;
}

static int add(BIO **chain, int nid, const PKCS7_CTX *ctx)
{
    return add_object(chain, OBJ_nid2obj(nid), ctx);
}

/* The digest of the BIO itself, or NULL. */
static const EVP_MD *digest_of(BIO *bio)
{
    EVP_MD_CTX *ctx = NULL;

    if (bio == NULL || BIO_method_type(bio) != BIO_TYPE_MD || BIO_get_md_ctx(bio, &ctx) <= 0)
        return NULL;
    return EVP_MD_CTX_get0_md(ctx);
}

static int is_digest(BIO *bio, int nid)
{
    return TEST_ptr(digest_of(bio)) && TEST_int_eq(EVP_MD_get_type(digest_of(bio)), nid);
}

static int end(BIO *chain, int ok)
{
    BIO_free_all(chain);
    ERR_clear_error();
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int first(void)
{
    static const int nids[] = { NID_sha256, NID_sha1, NID_sha512, NID_sha3_256 };
    BIO *chain;
    size_t i;
    int ok;

    for (i = 0; i < sizeof(nids) / sizeof(nids[0]); i++) {
        chain = NULL;
        ok = TEST_int_eq(add(&chain, nids[i], NULL), 1) && is_digest(chain, nids[i])
            && TEST_ptr_null(BIO_next(chain));
        if (!end(chain, ok))
            return 0;
    }
    return 1;
}

static int further(void)
{
    BIO *chain = NULL, *head;
    EVP_MD_CTX *ctx;
    int ok = TEST_int_eq(add(&chain, NID_sha256, NULL), 1) && TEST_ptr(head = chain)
        && TEST_int_eq(add(&chain, NID_sha1, NULL), 1) && TEST_ptr_eq(chain, head)
        && TEST_int_eq(add(&chain, NID_sha512, NULL), 1) && TEST_ptr_eq(chain, head)
        && is_digest(chain, NID_sha256) && is_digest(BIO_next(chain), NID_sha1)
        && is_digest(BIO_next(BIO_next(chain)), NID_sha512)
        && TEST_ptr_null(BIO_next(BIO_next(BIO_next(chain))))
        && TEST_ptr(PKCS7_find_digest(&ctx, chain, NID_sha256))
        && TEST_ptr(PKCS7_find_digest(&ctx, chain, NID_sha512))
        && TEST_ptr(PKCS7_find_digest(&ctx, chain, NID_sha1));

    return end(chain, ok);
}

/* Has the BIO for the number digested this text? */
static int digested(BIO *chain, int nid, const char *text)
{
    unsigned char wanted[EVP_MAX_MD_SIZE], got[EVP_MAX_MD_SIZE];
    unsigned int size;
    size_t wanted_size;
    EVP_MD_CTX *ctx, *copy = EVP_MD_CTX_new();
    int ok = TEST_ptr(PKCS7_find_digest(&ctx, chain, nid)) && TEST_true(EVP_MD_CTX_copy_ex(copy, ctx))
        && TEST_true(EVP_DigestFinal_ex(copy, got, &size))
        && TEST_true(EVP_Q_digest(NULL, OBJ_nid2sn(nid), NULL, text, strlen(text), wanted,
                                  &wanted_size))
        && TEST_mem_eq(got, size, wanted, wanted_size);

    EVP_MD_CTX_free(copy);
    return ok;
}

static int passes(void)
{
    BIO *chain = NULL;
    char text[20];
    int ok = TEST_int_eq(add(&chain, NID_sha256, NULL), 1)
        && TEST_int_eq(add(&chain, NID_sha1, NULL), 1)
        && TEST_ptr(BIO_push(chain, BIO_new(BIO_s_null())))
        && TEST_int_eq(BIO_write(chain, "some ", 5), 5) && TEST_int_eq(BIO_write(chain, "text", 4), 4)
        && digested(chain, NID_sha256, "some text") && digested(chain, NID_sha1, "some text");

    if (!end(chain, ok))
        return 0;
    chain = NULL;
    ok = TEST_int_eq(add(&chain, NID_sha512, NULL), 1)
        && TEST_int_eq(add(&chain, NID_sha256, NULL), 1)
        && TEST_ptr(BIO_push(chain, BIO_new_mem_buf("a text", 6)))
        && TEST_int_eq(BIO_read(chain, text, 20), 6) && TEST_mem_eq(text, 6, "a text", 6)
        && digested(chain, NID_sha256, "a text") && digested(chain, NID_sha512, "a text");
    return end(chain, ok);
}

static int refuses(ASN1_OBJECT *object)
{
    BIO *chain = NULL;
    int ok;

    ERR_clear_error();
    ok = TEST_int_eq(add_object(&chain, object, NULL), 0) && TEST_ptr_null(chain)
        && TEST_int_eq(ERR_GET_LIB(ERR_peek_last_error()), ERR_LIB_PKCS7)
        && TEST_int_eq(ERR_GET_REASON(ERR_peek_last_error()), PKCS7_R_UNKNOWN_DIGEST_TYPE);
    return end(NULL, ok);
}

static int no_digest(void)
{
    return refuses(OBJ_nid2obj(NID_aes_128_cbc)) && refuses(OBJ_nid2obj(NID_rsaEncryption))
        && refuses(OBJ_txt2obj("1.3.6.1.4.1.99999.1", 1));
}

static int refusal(void)
{
    BIO *chain = NULL, *head, *next;
    int ok = TEST_int_eq(add(&chain, NID_sha256, NULL), 1)
        && TEST_int_eq(add(&chain, NID_sha1, NULL), 1) && TEST_ptr(head = chain)
        && TEST_ptr(next = BIO_next(chain))
        && TEST_int_eq(add(&chain, NID_aes_128_cbc, NULL), 0) && TEST_ptr_eq(chain, head)
        && TEST_ptr_eq(BIO_next(chain), next) && TEST_ptr_null(BIO_next(next))
        && is_digest(head, NID_sha256) && is_digest(next, NID_sha1)
        && TEST_int_eq(add(&chain, NID_sha512, NULL), 1)
        && is_digest(BIO_next(next), NID_sha512);

    return end(chain, ok);
}

/* Does the provider of this name in the library context give the digest that is added? */
static int comes_from(OSSL_LIB_CTX *libctx, const char *query, const char *name)
{
    PKCS7_CTX ctx;
    BIO *chain = NULL;
    const OSSL_PROVIDER *provider;
    int ok;

    ctx.libctx = libctx;
    ctx.propq = (char *)query;
    ERR_clear_error();
    ok = TEST_int_eq(add(&chain, NID_sha256, &ctx), 1) && is_digest(chain, NID_sha256)
        && TEST_ptr(provider = EVP_MD_get0_provider(digest_of(chain)))
        && TEST_str_eq(OSSL_PROVIDER_get0_name(provider), name)
        && TEST_ptr_eq(ossl_provider_libctx(provider), libctx)
        && TEST_ulong_eq(ERR_peek_error(), 0);
    return end(chain, ok);
}

static int libctx_used(void)
{
    OSSL_LIB_CTX *libctx = plus_partial_new(OSSL_OP_DIGEST, "NOSUCH", 0);
    int ok = comes_from(libctx, NULL, "partial") && comes_from(libctx, "", "partial");

    OSSL_LIB_CTX_free(libctx);
    return ok;
}

static int query_used(void)
{
    OSSL_LIB_CTX *libctx = plus_partial_new(OSSL_OP_DIGEST, "NOSUCH", 1);
    int ok = comes_from(libctx, "provider=partial", "partial")
        && comes_from(libctx, "provider=default", "default")
        && comes_from(libctx, "provider=partial", "partial");

    OSSL_LIB_CTX_free(libctx);
    return ok;
}

static int default_one(void)
{
    static const PKCS7_CTX nothing;
    BIO *chain = NULL;
    int ok = TEST_int_eq(add(&chain, NID_sha256, NULL), 1)
        && TEST_int_eq(add(&chain, NID_sha1, &nothing), 1) && is_digest(chain, NID_sha256)
        && is_digest(BIO_next(chain), NID_sha1);

    return end(chain, ok);
}

/* Is it added where no provider of the library context has it, and does it work? */
static int named(OSSL_LIB_CTX *libctx, const char *query)
{
    PKCS7_CTX ctx;
    BIO *chain = NULL;
    int ok;

    ctx.libctx = libctx;
    ctx.propq = (char *)query;
    ERR_clear_error();
    ok = TEST_int_eq(add(&chain, NID_sha256, &ctx), 1) && is_digest(chain, NID_sha256)
        && TEST_ulong_eq(ERR_peek_error(), 0) && TEST_ptr(BIO_push(chain, BIO_new(BIO_s_null())))
        && TEST_int_eq(BIO_write(chain, "text", 4), 4) && digested(chain, NID_sha256, "text");
    return end(chain, ok);
}

static int by_name(void)
{
    OSSL_LIB_CTX *libctx = plus_partial_new(OSSL_OP_DIGEST, "SHA2-256", 0);
    int ok = named(libctx, NULL);

    OSSL_LIB_CTX_free(libctx);
    if (!ok)
        return 0;
    libctx = plus_partial_new(OSSL_OP_DIGEST, "NOSUCH", 0);
    ok = named(libctx, "provider=nobody");
    OSSL_LIB_CTX_free(libctx);
    return ok;
}

/* An error of before, and what is there after the call. */
static int keeps_error(int nid, const PKCS7_CTX *ctx, int result, int more)
{
    BIO *chain = NULL;
    unsigned long error;
    int ok;

    ERR_clear_error();
    ERR_raise(ERR_LIB_USER, 77);
    ok = TEST_int_eq(add(&chain, nid, ctx), result)
        && TEST_int_eq(ERR_GET_LIB(ERR_peek_error()), ERR_LIB_USER)
        && TEST_int_eq(ERR_GET_REASON(ERR_peek_error()), 77);
    error = ERR_peek_last_error();
    ok = ok && TEST_int_eq(ERR_GET_LIB(error), more ? ERR_LIB_PKCS7 : ERR_LIB_USER)
        /* A mark would hold this up. */
        && TEST_int_eq(ERR_pop_to_mark(), 0) && TEST_ulong_eq(ERR_peek_error(), 0);
    return end(chain, ok);
}

static int errors(void)
{
    OSSL_LIB_CTX *libctx = plus_partial_new(OSSL_OP_DIGEST, "NOSUCH", 0);
    PKCS7_CTX ctx;
    int ok;

    ctx.libctx = libctx;
    ctx.propq = "provider=nobody";
    ok = keeps_error(NID_sha256, NULL, 1, 0) && keeps_error(NID_sha256, &ctx, 1, 0)
        && keeps_error(NID_aes_128_cbc, NULL, 0, 1) && keeps_error(NID_aes_128_cbc, &ctx, 0, 1);
    OSSL_LIB_CTX_free(libctx);
    return ok;
}

/* How many hold the digest? It is that of the cache, which each fetch gives. */
static int holders(void)
{
    EVP_MD *md = EVP_MD_fetch(NULL, "SHA256", NULL);
    int count = -1;

    if (md != NULL)
        CRYPTO_GET_REF(&md->refcnt, &count);
    EVP_MD_free(md);
    return count;
}

static int given_back(void)
{
    BIO *chain;
    long blocks = 0;
    int i, before = 0, ok = 1;

    for (i = 0; i < 4 && ok; i++) {
        ERR_clear_error();
        OPENSSL_thread_stop();
        if (i < 2) {
            blocks = memory_blocks;
            before = holders();
        }
        chain = NULL;
        ok = TEST_int_gt(before, 0) && TEST_int_eq(add(&chain, NID_sha256, NULL), 1)
            && TEST_int_eq(add(&chain, NID_sha1, NULL), 1)
            && TEST_int_eq(add(&chain, NID_sha256, NULL), 1) && TEST_int_gt(holders(), before)
            && TEST_int_eq(add(&chain, NID_aes_128_cbc, NULL), 0);
        ok = end(chain, ok);
        OPENSSL_thread_stop();
        ok = ok && (i == 0 || (TEST_int_eq(holders(), before) && TEST_long_eq(memory_blocks, blocks)));
    }
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static void drop_second(BIO *chain)
{
    BIO *second = BIO_next(chain);

    BIO_pop(second);
    BIO_free(second);
}

static int no_memory(void)
{
    X509_ALGOR *alg = X509_ALGOR_new();
    BIO *chain = NULL, *head;
    long before;
    int i, ok = 1, done = 0, failed = 0;

    X509_ALGOR_set0(alg, OBJ_nid2obj(NID_sha256), V_ASN1_NULL, NULL);
    if (!TEST_int_eq(add(&chain, NID_sha1, NULL), 1)
            || !TEST_int_eq(add(&chain, NID_aes_128_cbc, NULL), 0)
            || !TEST_int_eq(add(&chain, NID_sha256, NULL), 1))
        return 0;
    drop_second(chain);
    head = chain;
    for (i = 0; i < 60 && ok && !done; i++) {
        ERR_clear_error();
        OPENSSL_thread_stop();
        before = memory_blocks;
        memory_left = i;
        done = pkcs7_bio_add_digest(&chain, alg, NULL);
        memory_left = -1;
        failed += !done;
        ok = TEST_ptr_eq(chain, head) && (done ? is_digest(BIO_next(chain), NID_sha256)
                                               : TEST_ptr_null(BIO_next(chain)));
        if (ok && done)
            drop_second(chain);
        ERR_clear_error();
        OPENSSL_thread_stop();
        ok = ok && TEST_long_eq(memory_blocks, before);
    }
    X509_ALGOR_free(alg);
    return end(chain, ok) && TEST_true(done) && TEST_int_gt(failed, 0);
}

int setup_tests(void)
{
    add_test("the first digest begins the chain", first);
    add_test("each further digest is found behind the others", further);
    add_test("what passes the chain is digested", passes);
    add_test("what is not a digest is refused with an error", no_digest);
    add_test("a refusal leaves the chain as it was", refusal);
    add_test("the library context is used", libctx_used);
    add_test("the property query is used", query_used);
    add_test("no context stands for the default one", default_one);
    add_test("a digest that cannot be fetched is looked for by name", by_name);
    add_test("errors of before stay and no mark is left", errors);
    add_test("the digest is given back and nothing is leaked", given_back);
    add_test("refused memory is told and leaks nothing", no_memory);
    return 1;
}
