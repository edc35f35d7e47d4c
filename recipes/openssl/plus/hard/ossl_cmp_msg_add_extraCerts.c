/*---
 * tasks: [OSSL_CRMF_pbmp_new-78f092.8]
 * tests:
 *   the signer certificate and its chain come first: 'ossl_cmp_msg_protect(3): "adds first the CMP
 *     signer cert ctx->cert
 *     and then its chain".'
 *   the chain is built from untrusted certificates and kept: 'ossl_cmp_msg_protect(3): "tries to
 *     build it using
 *     ctx->untrusted and caches the result in ctx->chain".'
 *   a chain that is there is used: 'ossl_cmp_msg_protect(3): "If this chain is not present in ctx
 *     tries to build it".'
 *   without a chain the signer certificate is there: 'OSSL_CMP_CTX_set1_cert(3): "this CMP signer
 *     certificate will be
 *     included first in the extraCerts field".'
 *   the root of the chain is not added: 'ossl_cmp_msg_protect(3): "it will NOT add the root
 *     certificate of the chain".'
 *   further certificates follow: 'ossl_cmp_msg_protect(3): "In any case all the certificates
 *     explicitly specified to be
 *     sent out ... are added".'
 *   a root among the further ones is added: 'ossl_cmp_msg_protect(3): "(unless it is part of
 *     extraCertsOut)".'
 *   with a secret the signer certificate is not added: 'ossl_cmp_msg_protect(3): "If
 *     signature-based message protection
 *     is used"; OSSL_CMP_CTX_set1_secretValue(3): the secret goes before signatures.'
 *   without protection the signer certificate is not added: 'ossl_cmp_msg_protect(3);
 *     OSSL_CMP_OPT_UNPROTECTED_SEND.'
 *   certificate and key are both needed for a signature: 'ossl_cmp_msg_protect(3).'
 *   what was there before stays: 'ossl_cmp_msg_protect: "Does not remove any pre-existing
 *     extraCerts"; "adds elements".'
 *   no certificate is there twice: 'cmp_protect.c: a message can be protected again; cmp_msg.c:
 *     OSSL_CMP_MSG_update_transactionID.'
 *   an empty list is none: 'RFC 4210 5.1: extraCerts SEQUENCE SIZE (1..MAX) OPTIONAL; docstring of
 *     the caller.'
 *   the message and the context own what they have: 'OSSL_CMP_CTX_free and OSSL_CMP_MSG_free each
 *     free their own.'
 *   nothing is leaked and memory that is refused is an error: 'ossl_cmp_msg_protect(3): "0 on
 *     error".'
 ---*/
#include "../../crypto/cmp/cmp_local.h"
#include "testutil.h"
#include "cert.h"
#include "refused_nth.h"
#include "fixed_random.h"
#include "cmp_messages.h"

/* signer <- intermediate <- root, and one that has nothing to do with them. */
static X509 *root, *intermediate, *signer, *other;
static EVP_PKEY *key;

static int make_certificates(void)
{
    EVP_PKEY *ca = plus_ed25519();

    key = plus_pkey(PLUS_EC_1);
    root = cert_new("root", "root", ca, ca, NID_basic_constraints, "CA:TRUE", 0);
    intermediate = cert_new("intermediate", "root", ca, ca, NID_basic_constraints, "CA:TRUE", 0);
    signer = cert_new("signer", "intermediate", key, ca, NID_subject_key_identifier, "0102030405",
                      0);
    other = cert_new("other", "someone", ca, ca, 0);
    EVP_PKEY_free(ca);
    return root != NULL && intermediate != NULL && signer != NULL && other != NULL;
}

static OSSL_CMP_CTX *signing(void)
{
    OSSL_CMP_CTX *ctx = plus_context(NULL, NULL);

    OSSL_CMP_CTX_set1_cert(ctx, signer);
    OSSL_CMP_CTX_set1_pkey(ctx, key);
    return ctx;
}

static STACK_OF(X509) *stack(X509 *a, X509 *b, X509 *c)
{
    STACK_OF(X509) *certs = sk_X509_new_null();

    if (a != NULL)
        X509_add_cert(certs, a, X509_ADD_FLAG_UP_REF);
    if (b != NULL)
        X509_add_cert(certs, b, X509_ADD_FLAG_UP_REF);
    if (c != NULL)
        X509_add_cert(certs, c, X509_ADD_FLAG_UP_REF);
    return certs;
}

static void untrusted(OSSL_CMP_CTX *ctx, X509 *a, X509 *b)
{
    STACK_OF(X509) *certs = stack(a, b, NULL);

    OSSL_CMP_CTX_set1_untrusted(ctx, certs);
    OSSL_STACK_OF_X509_free(certs);
}

static void out(OSSL_CMP_CTX *ctx, X509 *a, X509 *b)
{
    STACK_OF(X509) *certs = stack(a, b, NULL);

    OSSL_CMP_CTX_set1_extraCertsOut(ctx, certs);
    OSSL_STACK_OF_X509_free(certs);
}

static int are(const STACK_OF(X509) *certs, int count, X509 *a, X509 *b, X509 *c, X509 *d)
{
    X509 *expected[4];
    int i;

    expected[0] = a;
    expected[1] = b;
    expected[2] = c;
    expected[3] = d;
    if (!TEST_int_eq(certs == NULL ? 0 : sk_X509_num(certs), count))
        return 0;
    for (i = 0; i < count; i++)
        if (!TEST_int_eq(X509_cmp(sk_X509_value(certs, i), expected[i]), 0))
            return 0;
    return 1;
}

/* Adds what the context says, frees both, and tells whether these are the certificates then. */
static int adds_to(OSSL_CMP_CTX *ctx, OSSL_CMP_MSG *msg, int count, X509 *a, X509 *b, X509 *c,
                   X509 *d)
{
    int ok = TEST_int_eq(ossl_cmp_msg_add_extraCerts(ctx, msg), 1)
        && are(msg->extraCerts, count, a, b, c, d);

    OSSL_CMP_CTX_free(ctx);
    ok = ok && are(msg->extraCerts, count, a, b, c, d);
    OSSL_CMP_MSG_free(msg);
    ERR_clear_error();
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int adds(OSSL_CMP_CTX *ctx, int count, X509 *a, X509 *b, X509 *c, X509 *d)
{
    return adds_to(ctx, plus_message("sender"), count, a, b, c, d);
}

static int come_first(void)
{
    OSSL_CMP_CTX *ctx = signing(), *with_others = signing();

    untrusted(ctx, intermediate, NULL);
    untrusted(with_others, other, intermediate);
    out(with_others, other, NULL);
    return adds(ctx, 2, signer, intermediate, NULL, NULL)
        && adds(with_others, 3, signer, intermediate, other, NULL);
}

static int built(void)
{
    OSSL_CMP_CTX *ctx = signing();
    OSSL_CMP_MSG *msg = plus_message("sender");
    int ok;

    untrusted(ctx, intermediate, NULL);
    ok = TEST_ptr_null(ctx->chain) && TEST_int_eq(ossl_cmp_msg_add_extraCerts(ctx, msg), 1)
        && are(ctx->chain, 2, signer, intermediate, NULL, NULL);
    OSSL_CMP_MSG_free(msg);
    /* The message that is gone does not take it away, and others use it. */
    ok = ok && are(ctx->chain, 2, signer, intermediate, NULL, NULL);
    return adds(ctx, 2, signer, intermediate, NULL, NULL) && ok;
}

static int there(void)
{
    OSSL_CMP_CTX *ctx = signing();

    untrusted(ctx, other, NULL);
    ctx->chain = stack(signer, intermediate, NULL);
    return adds(ctx, 2, signer, intermediate, NULL, NULL);
}

static int without_chain(void)
{
    OSSL_CMP_CTX *ctx = signing();

    out(ctx, other, NULL);
    return adds(signing(), 1, signer, NULL, NULL, NULL) && adds(ctx, 2, signer, other, NULL, NULL);
}

static int no_root(void)
{
    OSSL_CMP_CTX *ctx = signing(), *with_chain = signing();

    untrusted(ctx, intermediate, root);
    with_chain->chain = stack(signer, intermediate, root);
    return adds(ctx, 2, signer, intermediate, NULL, NULL)
        && adds(with_chain, 2, signer, intermediate, NULL, NULL);
}

static int further(void)
{
    OSSL_CMP_CTX *ctx = plus_context(NULL, NULL), *turned = plus_context(NULL, NULL);

    out(ctx, other, intermediate);
    out(turned, intermediate, other);
    return adds(ctx, 2, other, intermediate, NULL, NULL)
        && adds(turned, 2, intermediate, other, NULL, NULL);
}

static int root_too(void)
{
    OSSL_CMP_CTX *ctx = signing(), *alone = plus_context(NULL, NULL);

    untrusted(ctx, intermediate, root);
    out(ctx, root, NULL);
    out(alone, root, NULL);
    return adds(ctx, 3, signer, intermediate, root, NULL)
        && adds(alone, 1, root, NULL, NULL, NULL);
}

static int with_secret(void)
{
    OSSL_CMP_CTX *ctx = signing(), *with_out = signing();

    OSSL_CMP_CTX_set1_secretValue(ctx, (const unsigned char *)"secret", 6);
    OSSL_CMP_CTX_set1_secretValue(with_out, (const unsigned char *)"secret", 6);
    untrusted(with_out, intermediate, NULL);
    out(with_out, other, NULL);
    return adds(ctx, 0, NULL, NULL, NULL, NULL) && adds(with_out, 1, other, NULL, NULL, NULL);
}

static int unprotected(void)
{
    OSSL_CMP_CTX *ctx = signing();

    OSSL_CMP_CTX_set_option(ctx, OSSL_CMP_OPT_UNPROTECTED_SEND, 1);
    out(ctx, other, NULL);
    return adds(ctx, 1, other, NULL, NULL, NULL);
}

static int both(void)
{
    OSSL_CMP_CTX *ctx = plus_context(NULL, NULL), *only_key = plus_context(NULL, NULL);

    OSSL_CMP_CTX_set1_cert(ctx, signer);
    OSSL_CMP_CTX_set1_pkey(only_key, key);
    out(only_key, other, NULL);
    return adds(ctx, 0, NULL, NULL, NULL, NULL) && adds(only_key, 1, other, NULL, NULL, NULL);
}

static int stay(void)
{
    OSSL_CMP_CTX *ctx = signing(), *others = plus_context(NULL, NULL);
    OSSL_CMP_MSG *msg = plus_message("sender"), *msg2 = plus_message("sender"),
        *msg3 = plus_message("sender");

    msg->extraCerts = stack(other, NULL, NULL);
    msg2->extraCerts = stack(other, NULL, NULL);
    msg3->extraCerts = stack(other, NULL, NULL);
    untrusted(ctx, intermediate, NULL);
    out(ctx, root, NULL);
    out(others, intermediate, NULL);
    return adds_to(ctx, msg, 4, signer, intermediate, other, root)
        && adds_to(others, msg2, 2, other, intermediate, NULL, NULL)
        && adds_to(plus_context(NULL, NULL), msg3, 1, other, NULL, NULL, NULL);
}

static int twice(void)
{
    OSSL_CMP_CTX *ctx = signing();
    OSSL_CMP_MSG *msg = plus_message("sender");
    int i, ok = 1;

    untrusted(ctx, intermediate, NULL);
    out(ctx, intermediate, other);
    for (i = 0; i < 3 && ok; i++)
        ok = TEST_int_eq(ossl_cmp_msg_add_extraCerts(ctx, msg), 1)
            && are(msg->extraCerts, 3, signer, intermediate, other, NULL);
    return adds_to(ctx, msg, 3, signer, intermediate, other, NULL) && ok;
}

static int empty(void)
{
    OSSL_CMP_CTX *ctx = plus_context(NULL, NULL);
    OSSL_CMP_MSG *msg = plus_message("sender");
    int ok = TEST_int_eq(ossl_cmp_msg_add_extraCerts(ctx, msg), 1)
        && TEST_ptr_null(msg->extraCerts);

    msg->extraCerts = sk_X509_new_null();
    ok = ok && TEST_int_eq(ossl_cmp_msg_add_extraCerts(ctx, msg), 1)
        && TEST_ptr_null(msg->extraCerts);
    out(ctx, NULL, NULL);
    ok = ok && TEST_int_eq(ossl_cmp_msg_add_extraCerts(ctx, msg), 1)
        && TEST_ptr_null(msg->extraCerts);
    OSSL_CMP_MSG_free(msg);
    OSSL_CMP_CTX_free(ctx);
    return ok;
}

static int own(void)
{
    OSSL_CMP_CTX *ctx = signing();
    OSSL_CMP_MSG *msg = plus_message("sender");
    STACK_OF(X509) *extra;
    int ok;

    untrusted(ctx, intermediate, NULL);
    out(ctx, other, NULL);
    extra = ctx->extraCertsOut;
    ok = TEST_int_eq(ossl_cmp_msg_add_extraCerts(ctx, msg), 1)
        && TEST_ptr_ne(msg->extraCerts, extra)
        && TEST_ptr_ne(msg->extraCerts, ctx->chain);
    OSSL_CMP_MSG_free(msg);
    ok = ok && are(ctx->extraCertsOut, 1, other, NULL, NULL, NULL)
        && are(ctx->untrusted, 1, intermediate, NULL, NULL, NULL)
        && TEST_int_eq(X509_cmp(ctx->cert, signer), 0);
    OSSL_CMP_CTX_free(ctx);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int leak(void)
{
    OSSL_CMP_CTX *ctx;
    OSSL_CMP_MSG *msg;
    long before = 0;
    int i, result, ok = 1;

    for (i = 0; i < 5 && ok; i++) {
        plus_settle();
        if (i == 2)
            before = memory_blocks;
        ok = come_first() && built() && there() && without_chain() && no_root() && root_too()
            && with_secret()
            && stay() && twice() && empty() && own();
    }
    plus_settle();
    ok = ok && TEST_long_eq(memory_blocks, before);
    for (i = 0; i < 30 && ok; i++) {
        ctx = signing();
        ctx->chain = stack(signer, intermediate, NULL);
        out(ctx, other, NULL);
        msg = plus_message("sender");
        plus_refuse(i);
        result = ossl_cmp_msg_add_extraCerts(ctx, msg);
        plus_refuse(-1);
        ok = (i > 1 || TEST_int_eq(result, 0))
            && (result == 0 || are(msg->extraCerts, 3, signer, intermediate, other, NULL));
        OSSL_CMP_MSG_free(msg);
        OSSL_CMP_CTX_free(ctx);
        ERR_clear_error();
    }
    plus_settle();
    return ok && TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
}

int setup_tests(void)
{
    if (!plus_fixed_random(NULL) || !make_certificates())
        return 0;
    add_test("the signer certificate and its chain come first", come_first);
    add_test("the chain is built from untrusted certificates and kept", built);
    add_test("a chain that is there is used", there);
    add_test("without a chain the signer certificate is there", without_chain);
    add_test("the root of the chain is not added", no_root);
    add_test("further certificates follow", further);
    add_test("a root among the further ones is added", root_too);
    add_test("with a secret the signer certificate is not added", with_secret);
    add_test("without protection the signer certificate is not added", unprotected);
    add_test("certificate and key are both needed for a signature", both);
    add_test("what was there before stays", stay);
    add_test("no certificate is there twice", twice);
    add_test("an empty list is none", empty);
    add_test("the message and the context own what they have", own);
    add_test("nothing is leaked and memory that is refused is an error", leak);
    return 1;
}

void cleanup_tests(void)
{
    X509_free(root);
    X509_free(intermediate);
    X509_free(signer);
    X509_free(other);
    EVP_PKEY_free(key);
}
