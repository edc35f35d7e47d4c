/*---
 * tasks: [custom_ext_parse-9fc2dd.16]
 * tests:
 *   each record is copied with all of its fields:
 *     'Comment: "Copy dane configuration"; SSL_new.pod: "any DANE settings".'
 *   the records stand in the order in which they are tried:
 *     'dane_tlsa_add: "We sort DANE-EE(3) records first"; "descending order by matching ordinal".'
 *   whole certificates and keys can be used: 'dane.h: certs, "DANE-TA(2) Cert(0) Full(0) certs"; spki.'
 *   the usages present are told: 'dane.h: umask, "Usages present"; x509_vfy.c asks DANETLS_HAS_*.'
 *   flags are copied: 'Comment: "Copy dane configuration"; dane.h: flags; SSL_dane_set_flags.'
 *   the digests are those of its own context:
 *     'SSL_dane_enable: dane->dctx = &ctx->dane, of the context of the SSL.'
 *   the state of a verification is not copied:
 *     'Comment: "sans verification state"; SSL_get0_dane_authority(3): "negative if DANE verification
 *     failed".'
 *   nothing to copy is no failure: 'SSL_new.pod: SSL_dup works without DANE.'
 *   what was there before is replaced: 'Comment: "Copy"; dane_final frees what a connection had.'
 *   both are apart afterwards: 'SSL_free frees the records of each by dane_final.'
 *   refused memory is told and leaks nothing: 'SSL_new.pod: "the creation of a new SSL structure failed".'
 *   nothing is leaked or freed twice: 'SSL_free frees by dane_final.'
 ---*/
#include "../../ssl/ssl_lib.c"
#include "pa_dupssl.h"

static const unsigned char digest[64] = {1, 2, 3, 4, 5}, other_digest[64] = {6, 7, 8};
static unsigned char *cert_der, *key_der;
static int cert_size, key_size;

/* An SSL of a context of its own that knows DANE, itself enabled or not. */
static SSL_CONNECTION *start(int enabled)
{
    SSL_CTX *ctx = plus_ctx();
    SSL *ssl;

    SSL_CTX_dane_enable(ctx);
    ssl = SSL_new(ctx);
    SSL_CTX_free(ctx);
    if (enabled)
        SSL_dane_enable(ssl, "host.example");
    return SSL_CONNECTION_FROM_SSL_ONLY(ssl);
}

#define SSL_OF(s) SSL_CONNECTION_GET_SSL(s)

static int add(SSL_CONNECTION *s, int usage, int selector, int mtype, const unsigned char *data,
               size_t size)
{
    return TEST_int_gt(SSL_dane_tlsa_add(SSL_OF(s), usage, selector, mtype, data, size), 0);
}

/* The record that holds just this, or NULL. */
static danetls_record *find(SSL_CONNECTION *s, int usage, int selector, int mtype,
                            const unsigned char *data, size_t size)
{
    int i;

    for (i = 0; i < sk_danetls_record_num(s->dane.trecs); i++) {
        danetls_record *t = sk_danetls_record_value(s->dane.trecs, i);

        if (t->usage == usage && t->selector == selector && t->mtype == mtype && t->dlen == size
                && memcmp(t->data, data, size) == 0)
            return t;
    }
    return NULL;
}

static int count(SSL_CONNECTION *s)
{
    return sk_danetls_record_num(s->dane.trecs);
}

static int end(SSL_CONNECTION *from, SSL_CONNECTION *to, int ok)
{
    /* The copy goes last. */
    SSL_free(SSL_OF(from));
    SSL_free(SSL_OF(to));
    ERR_clear_error();
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

/* Some records of all kinds. */
static int fill(SSL_CONNECTION *s)
{
    return add(s, 1, 0, 1, digest, 32) && add(s, 3, 1, 1, digest, 32)
        && add(s, 2, 0, 2, digest, 64) && add(s, 3, 1, 2, digest, 64)
        && add(s, 3, 1, 1, other_digest, 32) && add(s, 0, 1, 1, digest, 32)
        && add(s, 2, 0, 0, cert_der, cert_size) && add(s, 2, 1, 0, key_der, key_size)
        && add(s, 3, 0, 0, cert_der, cert_size);
}

static int is_filled(SSL_CONNECTION *s)
{
    return TEST_int_eq(count(s), 9) && TEST_ptr(find(s, 1, 0, 1, digest, 32))
        && TEST_ptr(find(s, 3, 1, 1, digest, 32)) && TEST_ptr(find(s, 2, 0, 2, digest, 64))
        && TEST_ptr(find(s, 3, 1, 2, digest, 64)) && TEST_ptr(find(s, 3, 1, 1, other_digest, 32))
        && TEST_ptr(find(s, 0, 1, 1, digest, 32))
        && TEST_ptr(find(s, 2, 0, 0, cert_der, cert_size))
        && TEST_ptr(find(s, 2, 1, 0, key_der, key_size))
        && TEST_ptr(find(s, 3, 0, 0, cert_der, cert_size));
}

static int each_record(void)
{
    SSL_CONNECTION *from = start(1), *to = start(0);
    int ok = fill(from) && TEST_int_eq(ssl_dane_dup(to, from), 1) && is_filled(to) && is_filled(from);

    return end(from, to, ok);
}

static int order(void)
{
    SSL_CONNECTION *from = start(1), *to = start(0);
    int i, ok = fill(from) && TEST_int_eq(ssl_dane_dup(to, from), 1) && TEST_int_eq(count(to), 9);

    for (i = 1; i < 9 && ok; i++) {
        danetls_record *t = sk_danetls_record_value(to->dane.trecs, i - 1);
        danetls_record *next = sk_danetls_record_value(to->dane.trecs, i);

        ok = TEST_int_ge(t->usage, next->usage)
            && (t->usage != next->usage || TEST_int_ge(t->selector, next->selector))
            && (t->usage != next->usage || t->selector != next->selector
                || TEST_int_ge(to->dane.dctx->mdord[t->mtype], to->dane.dctx->mdord[next->mtype]));
    }
    return end(from, to, ok);
}

static int full(void)
{
    SSL_CONNECTION *from = start(1), *to = start(0);
    danetls_record *t;
    int ok = add(from, 2, 0, 0, cert_der, cert_size) && add(from, 2, 1, 0, key_der, key_size)
        && TEST_int_eq(ssl_dane_dup(to, from), 1)
        && TEST_int_eq(sk_X509_num(to->dane.certs), 1)
        && TEST_int_eq(X509_cmp(sk_X509_value(to->dane.certs, 0), plus_x509), 0)
        && TEST_ptr(t = find(to, 2, 1, 0, key_der, key_size)) && TEST_ptr(t->spki)
        && TEST_int_eq(EVP_PKEY_eq(t->spki, plus_key), 1)
        && TEST_ptr(t = find(to, 2, 0, 0, cert_der, cert_size)) && TEST_ptr_null(t->spki)
        && TEST_int_eq(sk_X509_num(from->dane.certs), 1);

    return end(from, to, ok);
}

static int usages(void)
{
    int usage;

    for (usage = 0; usage <= 3; usage++) {
        SSL_CONNECTION *from = start(1), *to = start(0);
        int ok = add(from, usage, 1, 1, digest, 32) && (usage != 1 || add(from, 2, 1, 1, digest, 32))
            && TEST_int_eq(ssl_dane_dup(to, from), 1)
            && TEST_uint_eq(to->dane.umask, DANETLS_USAGE_BIT(usage)
                                            | (usage != 1 ? 0 : DANETLS_USAGE_BIT(2)));

        if (!end(from, to, ok))
            return 0;
    }
    return 1;
}

static int flags(void)
{
    SSL_CONNECTION *from = start(1), *to = start(0);
    int ok;

    SSL_dane_set_flags(SSL_OF(from), DANE_FLAG_NO_DANE_EE_NAMECHECKS);
    ok = add(from, 3, 1, 1, digest, 32) && TEST_int_eq(ssl_dane_dup(to, from), 1)
        && TEST_ulong_eq(SSL_dane_clear_flags(SSL_OF(to), 0), DANE_FLAG_NO_DANE_EE_NAMECHECKS);
    if (!end(from, to, ok))
        return 0;
    from = start(1);
    to = start(0);
    SSL_dane_set_flags(SSL_OF(to), DANE_FLAG_NO_DANE_EE_NAMECHECKS);
    ok = add(from, 3, 1, 1, digest, 32) && TEST_int_eq(ssl_dane_dup(to, from), 1)
        && TEST_ulong_eq(SSL_dane_clear_flags(SSL_OF(to), 0), 0);
    return end(from, to, ok);
}

static int own_context(void)
{
    SSL_CONNECTION *from = start(1), *to = start(0);
    int ok = add(from, 3, 1, 1, digest, 32) && TEST_int_eq(ssl_dane_dup(to, from), 1)
        && TEST_ptr_eq(to->dane.dctx, &SSL_get_SSL_CTX(SSL_OF(to))->dane)
        && TEST_ptr_eq(from->dane.dctx, &SSL_get_SSL_CTX(SSL_OF(from))->dane);

    /* The context of the first goes, and the digests are there still. */
    SSL_free(SSL_OF(from));
    ok = ok && add(to, 3, 1, 2, digest, 64) && add(to, 2, 1, 1, digest, 32)
        && TEST_int_eq(count(to), 3);
    return end(start(0), to, ok);
}

static int no_state(void)
{
    SSL_CONNECTION *from = start(1), *to = start(0);
    danetls_record *t;
    X509 *cert = NULL;
    uint8_t usage;
    int i, ok = fill(from);

    /* As after a certificate matched. */
    t = sk_danetls_record_value(from->dane.trecs, 0);
    from->dane.mtlsa = t;
    X509_up_ref(plus_x509);
    from->dane.mcert = plus_x509;
    from->dane.mdpth = 1;
    from->dane.pdpth = 2;
    from->verify_result = to->verify_result = X509_V_OK;
    ok = ok && TEST_int_eq(ssl_dane_dup(to, from), 1)
        && TEST_int_lt(SSL_get0_dane_authority(SSL_OF(to), &cert, NULL), 0) && TEST_ptr_null(cert)
        && TEST_int_lt(SSL_get0_dane_tlsa(SSL_OF(to), &usage, NULL, NULL, NULL, NULL), 0)
        && TEST_ptr_null(to->dane.mtlsa) && TEST_ptr_null(to->dane.mcert)
        && TEST_int_lt(to->dane.pdpth, 0)
        /* And the first keeps its own. */
        && TEST_ptr_eq(from->dane.mtlsa, t) && TEST_ptr_eq(from->dane.mcert, plus_x509)
        && TEST_int_eq(from->dane.mdpth, 1) && TEST_int_eq(from->dane.pdpth, 2);
    for (i = 0; ok && i < count(to); i++)
        ok = TEST_ptr_ne(sk_danetls_record_value(to->dane.trecs, i), t);
    return end(from, to, ok) && TEST_true(X509_up_ref(plus_x509)) && (X509_free(plus_x509), 1);
}

static int nothing(void)
{
    SSL_CTX *ctx = plus_ctx();
    SSL *ssl = SSL_new(ctx), *ssl_to = SSL_new(ctx);
    SSL_CONNECTION *from = SSL_CONNECTION_FROM_SSL_ONLY(ssl);
    SSL_CONNECTION *to = SSL_CONNECTION_FROM_SSL_ONLY(ssl_to);
    int ok = TEST_int_eq(ssl_dane_dup(to, from), 1) && TEST_int_le(count(to), 0)
        && TEST_false(DANETLS_ENABLED(&to->dane));

    SSL_CTX_free(ctx);
    if (!end(from, to, ok))
        return 0;
    /* Enabled, but without records. */
    from = start(1);
    to = start(0);
    ok = TEST_int_eq(ssl_dane_dup(to, from), 1) && TEST_int_le(count(to), 0);
    return end(from, to, ok);
}

static int replaced(void)
{
    SSL_CONNECTION *from = start(1), *to = start(1);
    int ok = fill(to) && add(from, 3, 1, 1, other_digest, 32)
        && TEST_int_eq(ssl_dane_dup(to, from), 1) && TEST_int_eq(count(to), 1)
        && TEST_ptr(find(to, 3, 1, 1, other_digest, 32)) && TEST_int_le(sk_X509_num(to->dane.certs), 0);

    return end(from, to, ok);
}

static int apart(void)
{
    SSL_CONNECTION *from = start(1), *to = start(0);
    danetls_record *t, *copy;
    int ok = fill(from) && TEST_int_eq(ssl_dane_dup(to, from), 1)
        && TEST_ptr_ne(to->dane.trecs, from->dane.trecs)
        && TEST_ptr(t = find(from, 3, 1, 1, digest, 32))
        && TEST_ptr(copy = find(to, 3, 1, 1, digest, 32)) && TEST_ptr_ne(t, copy)
        && TEST_ptr_ne(t->data, copy->data) && add(to, 3, 0, 1, digest, 32)
        && TEST_int_eq(count(from), 9) && TEST_int_eq(count(to), 10);

    if (ok)
        t->data[0] ^= 1;
    ok = ok && TEST_uchar_eq(copy->data[0], digest[0]);
    SSL_free(SSL_OF(from));
    ok = ok && TEST_ptr(find(to, 2, 0, 0, cert_der, cert_size))
        && TEST_ptr(copy = find(to, 2, 1, 0, key_der, key_size))
        && TEST_int_eq(EVP_PKEY_eq(copy->spki, plus_key), 1)
        && TEST_int_eq(X509_cmp(sk_X509_value(to->dane.certs, 0), plus_x509), 0);
    return end(start(0), to, ok);
}

static int refused(void)
{
    int i, failed = 0, done = 0, ok = 1;

    for (i = 0; i < 300 && ok && done < 4; i++) {
        SSL_CONNECTION *from, *to;
        long blocks;
        int result;

        ERR_clear_error();
        OPENSSL_thread_stop();
        blocks = memory_blocks;
        from = start(1);
        to = start(0);
        ok = add(from, 3, 1, 1, digest, 32) && add(from, 2, 0, 2, digest, 64)
            && add(from, 3, 1, 2, digest, 64);
        plus_refuse(i);
        result = ssl_dane_dup(to, from);
        plus_refuse(-1);
        failed += result <= 0;
        done += result > 0;
        ok = ok && (result <= 0 || (TEST_int_eq(result, 1) && TEST_int_eq(count(to), 3)
                                    && TEST_ptr(find(to, 3, 1, 1, digest, 32))
                                    && TEST_ptr(find(to, 2, 0, 2, digest, 64))
                                    && TEST_ptr(find(to, 3, 1, 2, digest, 64))))
            && TEST_int_eq(count(from), 3);
        ok = end(from, to, ok);
        OPENSSL_thread_stop();
        ok = ok && (i == 0 || TEST_long_eq(memory_blocks, blocks));
        if (!ok)
            TEST_info("refused after %d", i);
    }
    return ok && TEST_int_ge(failed, 6) && TEST_int_ge(done, 2);
}

static int no_leak(void)
{
    long blocks;
    int ok = each_record() && full() && no_state();

    OPENSSL_thread_stop();
    blocks = memory_blocks;
    ok = ok && each_record() && order() && full() && usages() && flags() && own_context() && no_state()
        && nothing() && replaced() && apart();
    OPENSSL_thread_stop();
    return ok && TEST_long_eq(memory_blocks, blocks) && TEST_long_eq(memory_bad_frees, 0);
}

int setup_tests(void)
{
    if (!TEST_true(plus_certificate()) || !TEST_int_gt(cert_size = i2d_X509(plus_x509, &cert_der), 0)
            || !TEST_int_gt(key_size = i2d_PUBKEY(plus_key, &key_der), 0))
        return 0;
    add_test("each record is copied with all of its fields", each_record);
    add_test("the records stand in the order in which they are tried", order);
    add_test("whole certificates and keys can be used", full);
    add_test("the usages present are told", usages);
    add_test("flags are copied", flags);
    add_test("the digests are those of its own context", own_context);
    add_test("the state of a verification is not copied", no_state);
    add_test("nothing to copy is no failure", nothing);
    add_test("what was there before is replaced", replaced);
    add_test("both are apart afterwards", apart);
    add_test("refused memory is told and leaks nothing", refused);
    add_test("nothing is leaked or freed twice", no_leak);
    return 1;
}

void cleanup_tests(void)
{
    plus_certificate_free();
    OPENSSL_free(cert_der);
    OPENSSL_free(key_der);
}
