/*---
 * tasks: [custom_ext_parse-9fc2dd.16]
 * tests:
 *   the method is selected at each level and in each direction:
 *     'record.h: custom_rlmethod, "always selected if set"; quic-tls.md.'
 *   method and argument are used for the next layers:
 *     'quic-tls.md: "passed as part of a modified new_record_layer call"; ssl_set_new_record_layer.'
 *   the layers of now go on: 'quic-tls.md: "which record method should be used next".'
 *   a second call replaces the first: 'Name: set.'
 *   each of the two can be NULL:
 *     'rec_layer_s3.c: ssl_select_next_record_layer tests custom_rlmethod; void *rlarg.'
 *   it holds for this connection alone: 'quic-tls.md: "associate it with an SSL_CONNECTION".'
 *   nothing else is changed: 'quic-tls.md: "to provide the custom record method data".'
 *   the argument stays its owner's:
 *     'quic_tls.c: rlarg is the QUIC_TLS, which ossl_quic_tls_free frees; const OSSL_RECORD_METHOD *.'
 ---*/
#include "../../ssl/record/rec_layer_s3.c"
#include "pa_dupssl.h"

static SSL_CONNECTION *start(void)
{
    SSL_CTX *ctx = plus_ctx();
    SSL *ssl = SSL_new(ctx);

    SSL_CTX_free(ctx);
    return SSL_CONNECTION_FROM_SSL_ONLY(ssl);
}

static int end(SSL_CONNECTION *s, int ok)
{
    SSL_free(SSL_CONNECTION_GET_SSL(s));
    ERR_clear_error();
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

/* What the last two new layers were made with. */
static int made;
static int directions[2];
static void *arguments[2];

static int new_layer(OSSL_LIB_CTX *libctx, const char *propq, int vers, int role, int direction,
                     int level, uint16_t epoch, unsigned char *secret, size_t secretlen,
                     unsigned char *key, size_t keylen, unsigned char *iv, size_t ivlen,
                     unsigned char *mackey, size_t mackeylen, const EVP_CIPHER *ciph, size_t taglen,
                     int mactype, const EVP_MD *md, COMP_METHOD *comp, const EVP_MD *kdfdigest,
                     BIO *prev, BIO *transport, BIO *next, BIO_ADDR *local, BIO_ADDR *peer,
                     const OSSL_PARAM *settings, const OSSL_PARAM *options,
                     const OSSL_DISPATCH *fns, void *cbarg, void *rlarg, OSSL_RECORD_LAYER **retrl)
{
    directions[made % 2] = direction;
    arguments[made++ % 2] = rlarg;
    return ossl_tls_record_method.new_record_layer(libctx, propq, vers, role, direction, level, epoch,
                                                   secret, secretlen, key, keylen, iv, ivlen, mackey,
                                                   mackeylen, ciph, taglen, mactype, md, comp,
                                                   kdfdigest, prev, transport, next, local, peer,
                                                   settings, options, fns, cbarg, NULL, retrl);
}

static OSSL_RECORD_METHOD mine, other;
static int argument, other_argument;

static void prepare(void)
{
    mine = other = ossl_tls_record_method;
    mine.new_record_layer = other.new_record_layer = new_layer;
    made = 0;
}

/* Is it the next method at all levels? */
static int is_next(SSL_CONNECTION *s, const OSSL_RECORD_METHOD *method)
{
    static const int levels[] = {
        OSSL_RECORD_PROTECTION_LEVEL_NONE, OSSL_RECORD_PROTECTION_LEVEL_EARLY,
        OSSL_RECORD_PROTECTION_LEVEL_HANDSHAKE, OSSL_RECORD_PROTECTION_LEVEL_APPLICATION
    };
    size_t i;

    for (i = 0; i < sizeof(levels) / sizeof(levels[0]); i++)
        if (!TEST_ptr_eq(ssl_select_next_record_layer(s, OSSL_RECORD_DIRECTION_READ, levels[i]), method)
                || !TEST_ptr_eq(ssl_select_next_record_layer(s, OSSL_RECORD_DIRECTION_WRITE, levels[i]),
                                method))
            return 0;
    return 1;
}

static int selected(void)
{
    SSL_CONNECTION *s;
    int ok;

    prepare();
    s = start();
    ossl_ssl_set_custom_record_layer(s, &mine, &argument);
    ok = is_next(s, &mine);
    return end(s, ok);
}

static int used(void)
{
    SSL_CONNECTION *s;
    int ok;

    prepare();
    s = start();
    ossl_ssl_set_custom_record_layer(s, &mine, &argument);
    ok = TEST_int_eq(made, 0) && TEST_int_eq(RECORD_LAYER_reset(&s->rlayer), 1) && TEST_int_eq(made, 2)
        && TEST_int_ne(directions[0], directions[1]) && TEST_ptr_eq(arguments[0], &argument)
        && TEST_ptr_eq(arguments[1], &argument) && TEST_ptr_eq(s->rlayer.rrlmethod, &mine)
        && TEST_ptr_eq(s->rlayer.wrlmethod, &mine);
    /* For the start of a handshake, too. */
    if (ok)
        SSL_set_connect_state(SSL_CONNECTION_GET_SSL(s));
    ok = ok && TEST_int_ge(made, 4) && TEST_ptr_eq(arguments[0], &argument)
        && TEST_ptr_eq(s->rlayer.rrlmethod, &mine);
    return end(s, ok);
}

static int go_on(void)
{
    SSL_CONNECTION *s;
    RECORD_LAYER before;
    int ok;

    prepare();
    s = start();
    before = s->rlayer;
    ossl_ssl_set_custom_record_layer(s, &mine, &argument);
    ok = TEST_ptr(before.rrlmethod) && TEST_ptr_ne(before.rrlmethod, &mine)
        && TEST_ptr_eq(s->rlayer.rrlmethod, before.rrlmethod)
        && TEST_ptr_eq(s->rlayer.wrlmethod, before.wrlmethod)
        && TEST_ptr_eq(s->rlayer.rrl, before.rrl) && TEST_ptr_eq(s->rlayer.wrl, before.wrl)
        && TEST_int_eq(made, 0);
    return end(s, ok);
}

static int replaced(void)
{
    SSL_CONNECTION *s;
    int ok;

    prepare();
    s = start();
    ossl_ssl_set_custom_record_layer(s, &mine, &argument);
    ossl_ssl_set_custom_record_layer(s, &other, &other_argument);
    ok = is_next(s, &other) && TEST_int_eq(RECORD_LAYER_reset(&s->rlayer), 1)
        && TEST_ptr_eq(s->rlayer.rrlmethod, &other) && TEST_ptr_eq(arguments[0], &other_argument)
        && TEST_ptr_eq(arguments[1], &other_argument);
    ossl_ssl_set_custom_record_layer(s, &other, &argument);
    ok = ok && TEST_int_eq(RECORD_LAYER_reset(&s->rlayer), 1) && TEST_ptr_eq(arguments[0], &argument)
        && TEST_ptr_eq(arguments[1], &argument);
    return end(s, ok);
}

static int nulls(void)
{
    SSL_CONNECTION *s;
    int ok;

    prepare();
    s = start();
    ossl_ssl_set_custom_record_layer(s, &mine, &argument);
    ossl_ssl_set_custom_record_layer(s, &mine, NULL);
    ok = is_next(s, &mine) && TEST_int_eq(RECORD_LAYER_reset(&s->rlayer), 1) && TEST_int_eq(made, 2)
        && TEST_ptr_null(arguments[0]) && TEST_ptr_null(arguments[1]);
    ossl_ssl_set_custom_record_layer(s, NULL, NULL);
    ok = ok && TEST_ptr_eq(ssl_select_next_record_layer(s, OSSL_RECORD_DIRECTION_READ,
                                                        OSSL_RECORD_PROTECTION_LEVEL_NONE),
                           &ossl_tls_record_method)
        && TEST_int_eq(RECORD_LAYER_reset(&s->rlayer), 1) && TEST_int_eq(made, 2)
        && TEST_ptr_eq(s->rlayer.wrlmethod, &ossl_tls_record_method);
    return end(s, ok);
}

static int alone(void)
{
    SSL_CTX *ctx = plus_ctx();
    SSL *ssl = SSL_new(ctx), *ssl_other = SSL_new(ctx), *later;
    SSL_CONNECTION *s = SSL_CONNECTION_FROM_SSL_ONLY(ssl);
    SSL_CONNECTION *s_other = SSL_CONNECTION_FROM_SSL_ONLY(ssl_other);
    int ok;

    prepare();
    ossl_ssl_set_custom_record_layer(s, &mine, &argument);
    later = SSL_new(ctx);
    ok = TEST_ptr_eq(ssl_select_next_record_layer(s_other, OSSL_RECORD_DIRECTION_READ,
                                                  OSSL_RECORD_PROTECTION_LEVEL_NONE),
                     &ossl_tls_record_method)
        && TEST_int_eq(made, 0)
        && TEST_ptr_null(SSL_CONNECTION_FROM_SSL_ONLY(later)->rlayer.custom_rlmethod);
    ossl_ssl_set_custom_record_layer(s_other, &other, &other_argument);
    ok = ok && is_next(s, &mine) && is_next(s_other, &other)
        && TEST_int_eq(RECORD_LAYER_reset(&s->rlayer), 1) && TEST_ptr_eq(arguments[0], &argument);
    SSL_free(later);
    SSL_free(ssl_other);
    SSL_CTX_free(ctx);
    return end(s, ok);
}

static int nothing_else(void)
{
    static SSL_CONNECTION before;
    OSSL_RECORD_METHOD kept;
    SSL_CONNECTION *s;
    int ok;

    prepare();
    kept = mine;
    s = start();
    before = *s;
    ossl_ssl_set_custom_record_layer(s, &mine, &argument);
    before.rlayer.custom_rlmethod = &mine;
    before.rlayer.rlarg = &argument;
    ok = TEST_true(memcmp(&before, s, sizeof(before)) == 0)
        && TEST_mem_eq(&mine, sizeof(mine), &kept, sizeof(kept));
    return end(s, ok);
}

static int round_of(char *owned)
{
    SSL_CONNECTION *s;
    int ok;

    prepare();
    s = start();
    ossl_ssl_set_custom_record_layer(s, &mine, owned);
    ok = TEST_int_eq(RECORD_LAYER_reset(&s->rlayer), 1);
    ossl_ssl_set_custom_record_layer(s, &mine, owned);
    return end(s, ok);
}

static int owners(void)
{
    char *owned = OPENSSL_strdup("the owner's");
    long blocks;
    int ok;

    ok = round_of(owned);
    blocks = memory_blocks;
    ok = ok && round_of(owned) && round_of(owned) && TEST_str_eq(owned, "the owner's")
        && TEST_long_eq(memory_blocks, blocks);
    OPENSSL_free(owned);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

int setup_tests(void)
{
    add_test("the method is selected at each level and in each direction", selected);
    add_test("method and argument are used for the next layers", used);
    add_test("the layers of now go on", go_on);
    add_test("a second call replaces the first", replaced);
    add_test("each of the two can be NULL", nulls);
    add_test("it holds for this connection alone", alone);
    add_test("nothing else is changed", nothing_else);
    add_test("the argument stays its owner's", owners);
    return 1;
}
