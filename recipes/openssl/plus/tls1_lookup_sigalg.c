/*---
 * tasks: [D24E1897A054FB1E]
 * tests:
 *   each code of RFC 8446 is found: 'Docstring: "Lookup TLS signature algorithm"; RFC 8446 4.2.3.'
 *   each entry of the table is found by its code: 'ssl/ssl_local.h: sigalg_lookup_cache, "Raw value used in
 *     extension".'
 *   an unknown code is not found: 'Callers: NULL is for unknown (tls12_check_peer_sigalg, tls12_shared_sigalgs).'
 *   an algorithm that is not available is not found: 'ssl/ssl_local.h: enabled, "Whether this signature algorithm is
 *     actually available for use".'
 *   an algorithm is gone once it is disabled: 'The same.'
 *   the others stay when one is disabled: 'The same.'
 *   the first entry is found: 'ssl/ssl_local.h: the table.'
 *   the last entry is found: 'ssl_setup_sigalgs puts those of providers last.'
 *   nothing after the end of the table is found: 'ssl/ssl_local.h: tls12_sigalgs_len.'
 *   each context has its own table: 'ssl_setup_sigalgs fills it for the context.'
 *   a connection looks into the table of its context: 'SSL_CONNECTION_GET_CTX.'
 ---*/
#include "../../ssl/t1_lib.c"
#include "testutil.h"

static SSL_CTX *ctx, *other;
static SSL *ssl, *other_ssl;
static SSL_CONNECTION *s, *other_s;

static int finds(uint16_t code, int sig, int hash)
{
    const SIGALG_LOOKUP *lu = tls1_lookup_sigalg(s, code);

    return TEST_ptr(lu) && TEST_int_eq(lu->sigalg, code) && TEST_int_eq(lu->sig, sig) && TEST_int_eq(lu->hash, hash);
}

static int of_rfc(void)
{
    return finds(0x0401, NID_rsaEncryption, NID_sha256) && finds(0x0501, NID_rsaEncryption, NID_sha384)
        && finds(0x0601, NID_rsaEncryption, NID_sha512)
        && finds(0x0403, EVP_PKEY_EC, NID_sha256) && finds(0x0503, EVP_PKEY_EC, NID_sha384)
        && finds(0x0603, EVP_PKEY_EC, NID_sha512)
        && finds(0x0804, EVP_PKEY_RSA_PSS, NID_sha256) && finds(0x0805, EVP_PKEY_RSA_PSS, NID_sha384)
        && finds(0x0806, EVP_PKEY_RSA_PSS, NID_sha512)
        && finds(0x0807, EVP_PKEY_ED25519, NID_undef) && finds(0x0808, EVP_PKEY_ED448, NID_undef)
        && finds(0x0809, EVP_PKEY_RSA_PSS, NID_sha256) && finds(0x080a, EVP_PKEY_RSA_PSS, NID_sha384)
        && finds(0x080b, EVP_PKEY_RSA_PSS, NID_sha512)
        && finds(0x0201, NID_rsaEncryption, NID_sha1) && finds(0x0203, EVP_PKEY_EC, NID_sha1)
        && TEST_str_eq(tls1_lookup_sigalg(s, 0x0804)->name, "rsa_pss_rsae_sha256")
        && TEST_str_eq(tls1_lookup_sigalg(s, 0x0809)->name, "rsa_pss_pss_sha256")
        && TEST_str_eq(tls1_lookup_sigalg(s, 0x0403)->name, "ecdsa_secp256r1_sha256");
}

static int by_code(void)
{
    size_t i;

    for (i = 0; i < ctx->tls12_sigalgs_len; i++)
        if (ctx->sigalg_lookup_cache[i].enabled
            && !TEST_ptr_eq(tls1_lookup_sigalg(s, ctx->sigalg_lookup_cache[i].sigalg), &ctx->sigalg_lookup_cache[i]))
            return 0;
    return TEST_size_t_gt(ctx->tls12_sigalgs_len, 20);
}

static int unknown(void)
{
    static const uint16_t codes[] = { 0x0000, 0x0001, 0x0400, 0x0407, 0x0706, 0x0803, 0x08ff, 0x0104, 0x0304, 0xffff };
    size_t i;

    for (i = 0; i < OSSL_NELEM(codes); i++)
        if (!TEST_ptr_null(tls1_lookup_sigalg(s, codes[i])))
            return 0;
    return 1;
}

/* GOST needs an engine or a provider that is not here. */
static int not_available(void)
{
    size_t i, disabled = 0;

    for (i = 0; i < ctx->tls12_sigalgs_len; i++)
        if (!ctx->sigalg_lookup_cache[i].enabled) {
            disabled++;
            if (!TEST_ptr_null(tls1_lookup_sigalg(s, ctx->sigalg_lookup_cache[i].sigalg)))
                return 0;
        }
#ifndef OPENSSL_NO_GOST
    if (!TEST_size_t_gt(disabled, 0) || !TEST_ptr_null(tls1_lookup_sigalg(s, 0x0840))
        || !TEST_ptr_null(tls1_lookup_sigalg(s, 0xeeee)))
        return 0;
#endif
    return 1;
}

static struct sigalg_lookup_st *entry(SSL_CTX *of, uint16_t code)
{
    size_t i;

    for (i = 0; i < of->tls12_sigalgs_len; i++)
        if (of->sigalg_lookup_cache[i].sigalg == code)
            return &of->sigalg_lookup_cache[i];
    return NULL;
}

static int disabled(void)
{
    struct sigalg_lookup_st *lu = entry(ctx, 0x0403);
    int ok = TEST_ptr(lu) && TEST_ptr(tls1_lookup_sigalg(s, 0x0403));

    if (!ok)
        return 0;
    lu->enabled = 0;
    ok = TEST_ptr_null(tls1_lookup_sigalg(s, 0x0403));
    lu->enabled = 1;
    return ok && TEST_ptr_eq(tls1_lookup_sigalg(s, 0x0403), lu);
}

static int others_stay(void)
{
    struct sigalg_lookup_st *lu = entry(ctx, 0x0403);
    int ok = TEST_ptr(lu);

    if (!ok)
        return 0;
    lu->enabled = 0;
    ok = TEST_ptr(tls1_lookup_sigalg(s, 0x0503)) && TEST_ptr(tls1_lookup_sigalg(s, 0x0603))
        && TEST_ptr(tls1_lookup_sigalg(s, 0x0401)) && TEST_ptr(tls1_lookup_sigalg(s, 0x0807));
    lu->enabled = 1;
    return ok;
}

/* The entry at i is found, whatever it is by default. */
static int is_found(size_t i)
{
    struct sigalg_lookup_st *lu = &ctx->sigalg_lookup_cache[i], saved = *lu;
    int ok;

    lu->enabled = 1;
    lu->sigalg = 0xfe11;
    ok = TEST_ptr_eq(tls1_lookup_sigalg(s, 0xfe11), lu) && TEST_ptr_null(tls1_lookup_sigalg(s, 0xfe12));
    *lu = saved;
    return ok;
}

static int first(void)
{
    return is_found(0);
}

static int last(void)
{
    return is_found(ctx->tls12_sigalgs_len - 1) && is_found(ctx->tls12_sigalgs_len - 2);
}

static int after_the_end(void)
{
    struct sigalg_lookup_st *lu = &ctx->sigalg_lookup_cache[ctx->tls12_sigalgs_len - 1], saved = *lu;
    int ok;

    lu->enabled = 1;
    lu->sigalg = 0xfe11;
    ctx->tls12_sigalgs_len--;
    ok = TEST_ptr_null(tls1_lookup_sigalg(s, 0xfe11));
    ctx->tls12_sigalgs_len++;
    *lu = saved;
    return ok;
}

static int own_table(void)
{
    struct sigalg_lookup_st *lu = entry(ctx, 0x0807);
    int ok = TEST_ptr(lu);

    if (!ok)
        return 0;
    lu->enabled = 0;
    ok = TEST_ptr_null(tls1_lookup_sigalg(s, 0x0807)) && TEST_ptr(tls1_lookup_sigalg(other_s, 0x0807));
    lu->enabled = 1;
    return ok;
}

static int of_its_context(void)
{
    return TEST_ptr_eq(tls1_lookup_sigalg(other_s, 0x0804), entry(other, 0x0804))
        && TEST_ptr_eq(tls1_lookup_sigalg(s, 0x0804), entry(ctx, 0x0804));
}

int setup_tests(void)
{
    if (!TEST_ptr(ctx = SSL_CTX_new(TLS_method())) || !TEST_ptr(other = SSL_CTX_new(TLS_method()))
        || !TEST_ptr(ssl = SSL_new(ctx)) || !TEST_ptr(other_ssl = SSL_new(other))
        || !TEST_ptr(s = SSL_CONNECTION_FROM_SSL(ssl)) || !TEST_ptr(other_s = SSL_CONNECTION_FROM_SSL(other_ssl)))
        return 0;
    add_test("each code of RFC 8446 is found", of_rfc);
    add_test("each entry of the table is found by its code", by_code);
    add_test("an unknown code is not found", unknown);
    add_test("an algorithm that is not available is not found", not_available);
    add_test("an algorithm is gone once it is disabled", disabled);
    add_test("the others stay when one is disabled", others_stay);
    add_test("the first entry is found", first);
    add_test("the last entry is found", last);
    add_test("nothing after the end of the table is found", after_the_end);
    add_test("each context has its own table", own_table);
    add_test("a connection looks into the table of its context", of_its_context);
    return 1;
}

void cleanup_tests(void)
{
    SSL_free(ssl);
    SSL_free(other_ssl);
    SSL_CTX_free(ctx);
    SSL_CTX_free(other);
}
