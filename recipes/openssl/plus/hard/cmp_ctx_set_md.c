/*---
 * tasks: [OSSL_CMP_CTX_new-3cf262.2]
 * tests:
 *   the digest is set: 'OSSL_CMP_CTX_set_option(3): DIGEST_ALGNID; cmp_ctx.c: OSSL_CMP_CTX_new.'
 *   each digest can be set: 'OSSL_CMP_CTX_set_option(3): "The NID of the digest algorithm".'
 *   the one before is replaced and freed: 'OSSL_CMP_CTX_set_option sets it again and again.'
 *   only the one that is meant changes: 'Signature: EVP_MD **pmd; OWF_ALGNID and DIGEST_ALGNID.'
 *   an unknown digest is an error: 'Callers: !cmp_ctx_set_md; CMP_R_UNSUPPORTED_ALGORITHM.'
 *   an error leaves the digest as it was:
 *     'OSSL_CMP_CTX_get_option and OSSL_CMP_CTX_free use it afterwards; siblings in cmp_ctx.c,
 *     OSSL_CMP_CTX_set1_untrusted: a failure returns 0 before the old one is freed.'
 *   an error is told and success is silent:
 *     'OSSL_CMP_CTX_set_option(3): 1 on success, 0 on error; callers raise none of their own.'
 *   the digest comes from the library context: 'Signature: ctx; OSSL_CMP_CTX_new(3): libctx.'
 *   the property query is used: 'OSSL_CMP_CTX_new(3): propq.'
 *   nothing is leaked or freed twice: 'OSSL_CMP_CTX_free frees both digests.'
 * flags: ["-Icrypto/cmp"]
 ---*/
#include "../../crypto/cmp/cmp_ctx.c"
#include "internal/nelem.h"
#include "internal/provider.h"
#include <openssl/provider.h>
#include "../testutil.h"
#include "memory_count.h"

static OSSL_CMP_CTX *context(OSSL_LIB_CTX *libctx)
{
    OSSL_CMP_CTX *ctx = OSSL_CMP_CTX_new(libctx, NULL);

    TEST_ptr(ctx);
    return ctx;
}

static int end(OSSL_CMP_CTX *ctx, int ok)
{
    OSSL_CMP_CTX_free(ctx);
    ERR_clear_error();
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int set(void)
{
    OSSL_CMP_CTX *ctx = context(NULL);
    EVP_MD *md = NULL;
    int ok = TEST_true(cmp_ctx_set_md(ctx, &md, NID_sha384)) && TEST_ptr(md)
        && TEST_true(EVP_MD_is_a(md, "SHA2-384")) && TEST_ptr(EVP_MD_get0_provider(md));

    EVP_MD_free(md);
    return end(ctx, ok);
}

static int each(void)
{
    static const int nids[] = { NID_sha1, NID_sha224, NID_sha256, NID_sha384, NID_sha512,
        NID_sha512_256, NID_sha3_256, NID_sha3_512, NID_sm3, NID_md5 };
    OSSL_CMP_CTX *ctx = context(NULL);
    size_t i;
    int ok = 1;

    for (i = 0; i < OSSL_NELEM(nids) && ok; i++)
        ok = TEST_true(cmp_ctx_set_md(ctx, &ctx->digest, nids[i]))
            && TEST_int_eq(EVP_MD_get_type(ctx->digest), nids[i]);
    return end(ctx, ok);
}

static int replaced(void)
{
    OSSL_CMP_CTX *ctx = context(NULL);
    EVP_MD *md = NULL, *kept;
    int ok = TEST_true(cmp_ctx_set_md(ctx, &md, NID_sha256))
        && TEST_true(cmp_ctx_set_md(ctx, &md, NID_sha512))
        && TEST_true(EVP_MD_is_a(md, "SHA2-512"))
        && TEST_true(cmp_ctx_set_md(ctx, &md, NID_sha512))
        && TEST_true(EVP_MD_is_a(md, "SHA2-512"));

    /* One that another holds lives on. */
    kept = md;
    ok = ok && EVP_MD_up_ref(kept) && TEST_true(cmp_ctx_set_md(ctx, &md, NID_sha1))
        && TEST_true(EVP_MD_is_a(kept, "SHA2-512")) && TEST_true(EVP_MD_is_a(md, "SHA1"));
    EVP_MD_free(kept);
    EVP_MD_free(md);
    return end(ctx, ok);
}

static int only(void)
{
    OSSL_CMP_CTX *ctx = context(NULL);
    EVP_MD *own = NULL;
    int ok = TEST_true(cmp_ctx_set_md(ctx, &ctx->pbm_owf, NID_sha512))
        && TEST_int_eq(EVP_MD_get_type(ctx->pbm_owf), NID_sha512)
        && TEST_int_eq(EVP_MD_get_type(ctx->digest), NID_sha256)
        && TEST_true(cmp_ctx_set_md(ctx, &ctx->digest, NID_sha384))
        && TEST_int_eq(EVP_MD_get_type(ctx->digest), NID_sha384)
        && TEST_int_eq(EVP_MD_get_type(ctx->pbm_owf), NID_sha512)
        && TEST_true(cmp_ctx_set_md(ctx, &own, NID_sha1))
        && TEST_int_eq(EVP_MD_get_type(ctx->digest), NID_sha384)
        && TEST_int_eq(EVP_MD_get_type(ctx->pbm_owf), NID_sha512);

    EVP_MD_free(own);
    return end(ctx, ok);
}

static int unknown(void)
{
    OSSL_CMP_CTX *ctx = context(NULL);
    EVP_MD *md = NULL;

    return end(ctx, TEST_false(cmp_ctx_set_md(ctx, &md, NID_commonName)) && TEST_ptr_null(md)
               && TEST_false(cmp_ctx_set_md(ctx, &md, NID_hmac_sha1))
               && TEST_false(cmp_ctx_set_md(ctx, &md, NID_undef))
               && TEST_false(cmp_ctx_set_md(ctx, &md, -1))
               && TEST_false(cmp_ctx_set_md(ctx, &md, 1000000)) && TEST_ptr_null(md));
}

static int as_it_was(void)
{
    OSSL_CMP_CTX *ctx = context(NULL);
    EVP_MD *before = ctx->digest;

    return end(ctx, TEST_false(cmp_ctx_set_md(ctx, &ctx->digest, NID_commonName))
               && TEST_ptr_eq(ctx->digest, before)
               && TEST_int_eq(EVP_MD_get_type(ctx->digest), NID_sha256)
               && TEST_int_eq(EVP_MD_get_type(ctx->pbm_owf), NID_sha256)
               && TEST_true(cmp_ctx_set_md(ctx, &ctx->digest, NID_sha512))
               && TEST_int_eq(EVP_MD_get_type(ctx->digest), NID_sha512));
}

static int can_be_read(void)
{
    OSSL_CMP_CTX *ctx = context(NULL);
    int ok;

    ERR_clear_error();
    ok = TEST_false(cmp_ctx_set_md(ctx, &ctx->digest, NID_commonName));
    ok = ok && TEST_ulong_ne(ERR_peek_error(), 0);
    ERR_clear_error();
    ok = ok && TEST_true(cmp_ctx_set_md(ctx, &ctx->digest, NID_sha512))
        && TEST_ulong_eq(ERR_peek_error(), 0);
    return end(ctx, ok);
}

static int library(void)
{
    OSSL_LIB_CTX *libctx = OSSL_LIB_CTX_new(), *bare = OSSL_LIB_CTX_new();
    OSSL_PROVIDER *null = OSSL_PROVIDER_load(bare, "null");
    OSSL_CMP_CTX *ctx = context(NULL);
    EVP_MD *md = NULL;
    int ok;

    ctx->libctx = libctx;
    ok = TEST_ptr(null) && TEST_true(cmp_ctx_set_md(ctx, &md, NID_sha512))
        && TEST_ptr_eq(ossl_provider_libctx(EVP_MD_get0_provider(md)), libctx)
        && TEST_true(cmp_ctx_set_md(ctx, &md, NID_sha384))
        && TEST_true(cmp_ctx_set_md(ctx, &md, NID_sha256));
    EVP_MD_free(md);
    md = NULL;
    ctx->libctx = bare;
    ok = ok && TEST_false(cmp_ctx_set_md(ctx, &md, NID_sha512)) && TEST_ptr_null(md);
    ok = end(ctx, ok);
    OSSL_PROVIDER_unload(null);
    OSSL_LIB_CTX_free(libctx);
    OSSL_LIB_CTX_free(bare);
    return ok;
}

static int query(void)
{
    OSSL_CMP_CTX *ctx = context(NULL);
    int ok;

    ctx->propq = OPENSSL_strdup("provider=nowhere");
    ok = TEST_false(cmp_ctx_set_md(ctx, &ctx->digest, NID_sha512))
        && TEST_int_eq(EVP_MD_get_type(ctx->digest), NID_sha256);
    OPENSSL_free(ctx->propq);
    ctx->propq = OPENSSL_strdup("provider=default");
    return end(ctx, ok && TEST_true(cmp_ctx_set_md(ctx, &ctx->digest, NID_sha512))
               && TEST_int_eq(EVP_MD_get_type(ctx->digest), NID_sha512));
}

static int no_leak(void)
{
    long before;

    if (!set() || !each() || !replaced() || !only() || !unknown() || !as_it_was() || !query()
            || !library())
        return 0;
    before = memory_blocks;
    return set() && each() && replaced() && only() && as_it_was() && library() && query()
        && TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
}

int setup_tests(void)
{
    add_test("the digest is set", set);
    add_test("each digest can be set", each);
    add_test("the one before is replaced and freed", replaced);
    add_test("only the one that is meant changes", only);
    add_test("an unknown digest is an error", unknown);
    add_test("an error leaves the digest as it was", as_it_was);
    add_test("an error is told and success is silent", can_be_read);
    add_test("the digest comes from the library context", library);
    add_test("the property query is used", query);
    add_test("nothing is leaked or freed twice", no_leak);
    return 1;
}
