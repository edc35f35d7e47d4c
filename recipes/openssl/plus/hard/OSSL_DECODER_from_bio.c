/*---
 * tasks: [parse_bag-deedf2.8]
 * tests:
 *   a key is decoded: 'OSSL_DECODER_from_bio(3): "with the input coming from the BIO in"; "return 1 on success".'
 *   a key of another type is a failure: 'OSSL_DECODER_from_bio(3): "or 0 on failure"; OSSL_DECODER_CTX_new_for_pkey(3).'
 *   what is no key is a failure: 'OSSL_DECODER_from_bio(3): "or 0 on failure".'
 *   the constructor gets what was decoded: 'OSSL_DECODER_CTX(3): "a constructor provided by the caller is called".'
 *   a constructor that refuses is a failure: 'OSSL_DECODER_CTX(3): "expected to return 1 when the data it receives can
 *     be constructed, otherwise 0".'
 *   without a BIO it fails and says so: 'Signature: in; ERR_R_PASSED_NULL_PARAMETER.'
 *   without decoders it fails and says so:
 *     'OSSL_DECODER_from_bio(3): "or 0 on failure"; decodererr.h:
 *     OSSL_DECODER_R_DECODER_NOT_FOUND, which nothing else raises.'
 *   a failure is told on the error queue:
 *     'Callers look there for the reason: pem_pkey.c, pem_read_bio_key_decoder: ERR_peek_error()
 *     is ERR_R_UNSUPPORTED, "unsupported PEM data, try again"; file_store.c, file_load_file.'
 *   an older error is no reason for silence:
 *     'file_store.c: file_load_file takes ERR_peek_last_error() for the one of this call.'
 *   a BIO without a position is read: 'decoder_process needs BIO_tell(); BIO_f_readbuffer(3).'
 *   such a BIO stays open and alone: 'file_store.c: file_load_file and ssl_conf.c: cmd_DHParam free their own BIO.'
 *   the next object is read by the next call: 'pem_pkey.c: pem_read_bio_key_decoder calls it "while"; from_data.'
 *   a pass phrase is asked for once in one call:
 *     'OSSL_DECODER_CTX_new_for_pkey(3): caches the pass phrase, "re-used in all decodings that
 *     are performed in the same decoding run (for example, within one OSSL_DECODER_from_bio(3)
 *     call)".'
 *   it is asked for again in the next call:
 *     'OSSL_DECODER_CTX_new_for_pkey(3): cached for "the same decoding run (for example, within
 *     one OSSL_DECODER_from_bio(3) call)"; store_lib.c: OSSL_STORE_load clears it, too.'
 *   after a failure it is asked for again:
 *     'OSSL_DECODER_CTX_new_for_pkey(3): cached for "the same decoding run (for example, within
 *     one OSSL_DECODER_from_bio(3) call)", failed or not.'
 *   a pass phrase that was set stays:
 *     'OSSL_DECODER_CTX_new_for_pkey(3): OSSL_DECODER_CTX_set_passphrase() gives it to the
 *     context.'
 *   nothing is leaked or freed twice: 'The BIO and the context are the caller''s.'
 *   without memory it fails and leaks nothing: 'OSSL_DECODER_from_bio(3): "or 0 on failure".'
 ---*/
#include "../../crypto/bio/bio_local.h"
#include "../testutil.h"
#include "memory_count.h"
#include "pb_pkcs8.h"
#include "pb_decoder.h"
#include <openssl/provider.h>

static BIO *mem(const void *data, size_t length)
{
    BIO *bio = BIO_new(BIO_s_mem());

    BIO_set_mem_eof_return(bio, 0);
    BIO_write(bio, data, (int)length);
    return bio;
}

/* What was not set shows: the stack is full of ones. */
static void __attribute__((noinline)) dirty_stack(void)
{
    volatile unsigned char bytes[2000];
    size_t i;

    for (i = 0; i < sizeof(bytes); i++)
        bytes[i] = 0xff;
}

/* Decodes once; `expected` is the key's name, or NULL for none. Frees the BIO. */
static int decodes(BIO *in, const char *format, const char *type, const char *expected)
{
    EVP_PKEY *key;
    OSSL_DECODER_CTX *ctx = plus_for_key(&key, format, type);
    int ok = TEST_int_eq(OSSL_DECODER_from_bio(ctx, in), expected != NULL);

    OSSL_DECODER_CTX_free(ctx);
    BIO_free(in);
    ERR_clear_error();
    if (expected != NULL)
        return plus_is_key(key, expected) && ok;
    ok = TEST_ptr_null(key) && ok;
    EVP_PKEY_free(key);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int key_is_decoded(void)
{
    static const char *const names[] = { PLUS_RSA, PLUS_EC, PLUS_ED };
    static const char *const types[] = { "RSA", "EC", "ED25519" };
    int i, ok = 1;

    for (i = 0; i < 3; i++) {
        size_t der_length, pem_length;
        unsigned char *der = plus_der(names[i], &der_length);
        unsigned char *pem = plus_pem(names[i], &pem_length);

        ok &= decodes(mem(der, der_length), "DER", types[i], names[i])
            & decodes(mem(pem, pem_length), "PEM", types[i], names[i])
            & decodes(mem(der, der_length), NULL, NULL, names[i])
            & decodes(mem(pem, pem_length), NULL, NULL, names[i]);
        OPENSSL_free(der);
        OPENSSL_free(pem);
    }
    return ok;
}

static int another_type(void)
{
    size_t length;
    unsigned char *der = plus_der(PLUS_EC, &length);
    int ok = decodes(mem(der, length), "DER", "RSA", NULL)
        & decodes(mem(der, length), "PEM", "EC", NULL);

    OPENSSL_free(der);
    return ok;
}

static int no_key(void)
{
    size_t length;
    unsigned char *der = plus_der(PLUS_EC, &length);
    int ok = decodes(mem("", 0), NULL, NULL, NULL) & decodes(mem("none of it", 10), NULL, NULL, NULL)
        & decodes(mem("\x30\x03\x02\x01\x05", 5), "DER", NULL, NULL)
        & decodes(mem(der, length - 1), "DER", "EC", NULL)
        & decodes(mem(der, length / 2), NULL, NULL, NULL)
        & decodes(mem("-----BEGIN PRIVATE KEY-----\nAAAA\n", 33), "PEM", NULL, NULL);

    OPENSSL_free(der);
    return ok;
}

static const char text[] = "-----BEGIN PRIVATE KEY-----\nMAMCAQU=\n-----END PRIVATE KEY-----\n";

static int constructor(void)
{
    OSSL_DECODER_CTX *ctx = plus_for_pem(1);
    BIO *in = mem(text, sizeof(text) - 1);
    int ok;

    dirty_stack();
    ok = TEST_int_eq(OSSL_DECODER_from_bio(ctx, in), 1) && TEST_int_eq(plus_made.calls, 1)
        && TEST_int_eq(plus_made.wrong, 0)
        && TEST_mem_eq(plus_made.der, plus_made.length, "\x30\x03\x02\x01\x05", 5);

    BIO_free(in);
    OSSL_DECODER_CTX_free(ctx);
    return ok;
}

static int constructor_refuses(void)
{
    OSSL_DECODER_CTX *ctx = plus_for_pem(0);
    BIO *in = mem(text, sizeof(text) - 1);
    int ok;

    ERR_clear_error();
    ok = TEST_int_eq(OSSL_DECODER_from_bio(ctx, in), 0) && TEST_int_ge(plus_made.calls, 1)
        && TEST_ulong_ne(ERR_peek_last_error(), 0);
    BIO_free(in);
    /* The same context, the next time. */
    plus_made.result = 1;
    in = mem(text, sizeof(text) - 1);
    ok = ok && TEST_int_eq(OSSL_DECODER_from_bio(ctx, in), 1);
    BIO_free(in);
    in = mem("none", 4);
    ok = ok && TEST_int_eq(OSSL_DECODER_from_bio(ctx, in), 0);
    BIO_free(in);
    OSSL_DECODER_CTX_free(ctx);
    ERR_clear_error();
    return ok;
}

static int no_bio(void)
{
    EVP_PKEY *key;
    OSSL_DECODER_CTX *ctx = plus_for_key(&key, "DER", "EC");
    int ok;

    ERR_clear_error();
    ok = TEST_int_eq(OSSL_DECODER_from_bio(ctx, NULL), 0) && TEST_ulong_ne(ERR_peek_error(), 0)
        && TEST_ptr_null(key);
    OSSL_DECODER_CTX_free(ctx);
    ERR_clear_error();
    return ok;
}

static int no_decoders(void)
{
    OSSL_DECODER_CTX *ctx = OSSL_DECODER_CTX_new();
    BIO *in = mem(text, sizeof(text) - 1);
    int ok;

    OSSL_DECODER_CTX_set_construct(ctx, plus_make);
    OSSL_DECODER_CTX_set_construct_data(ctx, &plus_made);
    ERR_clear_error();
    ok = TEST_int_eq(OSSL_DECODER_from_bio(ctx, in), 0) && TEST_ulong_ne(ERR_peek_error(), 0);
    BIO_free(in);
    OSSL_DECODER_CTX_free(ctx);
    ERR_clear_error();
    return ok;
}

static int told(void)
{
    static const struct {
        const char *text;
        int length;
    } inputs[] = { { "", 0 }, { "none of it", 10 }, { "\x30\x03\x02\x01\x05", 5 } };
    int i, ok = 1;

    for (i = 0; i < 3; i++) {
        EVP_PKEY *key;
        OSSL_DECODER_CTX *ctx = plus_for_key(&key, "DER", "EC");
        BIO *in = mem(inputs[i].text, inputs[i].length);

        ERR_clear_error();
        dirty_stack();
        ok &= TEST_int_eq(OSSL_DECODER_from_bio(ctx, in), 0)
            && TEST_ulong_ne(ERR_peek_last_error(), 0);
        BIO_free(in);
        OSSL_DECODER_CTX_free(ctx);
    }
    ERR_clear_error();
    return ok;
}

/* It fails in spite of an older error; is there a newer one afterwards? Frees the context. */
static int newer(OSSL_DECODER_CTX *ctx, const char *data, size_t length)
{
    BIO *in = mem(data, length);
    unsigned long old;
    int ok;

    ERR_clear_error();
    ERR_raise(ERR_LIB_USER, 99);
    old = ERR_peek_last_error();
    dirty_stack();
    ok = TEST_int_eq(OSSL_DECODER_from_bio(ctx, in), 0)
        && TEST_ulong_ne(ERR_peek_last_error(), old);
    BIO_free(in);
    OSSL_DECODER_CTX_free(ctx);
    ERR_clear_error();
    return ok;
}

static int older(void)
{
    OSSL_DECODER_CTX *idle = plus_for_pem(1);
    EVP_PKEY *key;

    OSSL_DECODER_CTX_set_input_type(idle, "DER");       /* its decoder has nothing to do */
    return newer(idle, text, sizeof(text) - 1)
        & newer(plus_for_key(&key, "DER", "EC"), "none of it", 10)
        & newer(plus_for_key(&key, "PEM", NULL), "none of it", 10)
        & newer(plus_for_pem(1), "none of it", 10) & newer(plus_for_pem(1), "", 0)
        & newer(plus_for_pem(0), text, sizeof(text) - 1);
}

static int stream(void)
{
    size_t der_length, pem_length;
    unsigned char *der = plus_der(PLUS_RSA, &der_length), *pem = plus_pem(PLUS_EC, &pem_length);
    int ok = decodes(plus_stream_bio(der, der_length), "DER", "RSA", PLUS_RSA)
        & decodes(plus_stream_bio(der, der_length), NULL, NULL, PLUS_RSA)
        & decodes(plus_stream_bio(pem, pem_length), "PEM", NULL, PLUS_EC)
        & decodes(plus_stream_bio(pem, pem_length), NULL, NULL, PLUS_EC)
        & decodes(plus_stream_bio(der, 50), "DER", NULL, NULL);

    OPENSSL_free(der);
    OPENSSL_free(pem);
    return ok;
}

static int stays_open(void)
{
    EVP_PKEY *key;
    OSSL_DECODER_CTX *ctx = plus_for_key(&key, "DER", "EC");
    size_t length;
    unsigned char *der = plus_der(PLUS_EC, &length);
    BIO *in = plus_stream_bio(der, length);
    int ok = TEST_int_eq(OSSL_DECODER_from_bio(ctx, in), 1)
        && TEST_int_eq(plus_stream.destroyed, 0) && TEST_ptr_null(BIO_next(in))
        && TEST_ptr_null(in->prev_bio);

    ok = plus_is_key(key, PLUS_EC) && ok;
    key = NULL;
    if (ok) {
        plus_stream.offset = 0;         /* read it once more */
        ok = TEST_int_eq(OSSL_DECODER_from_bio(ctx, in), 1)
            && TEST_int_eq(plus_stream.destroyed, 0);
        ok = plus_is_key(key, PLUS_EC) && ok;
        key = NULL;
        ok = ok && TEST_int_eq(OSSL_DECODER_from_bio(ctx, in), 0)      /* it is at its end */
            && TEST_int_eq(plus_stream.destroyed, 0);
        BIO_free(in);
        ok = ok && TEST_int_eq(plus_stream.destroyed, 1);
    }
    OSSL_DECODER_CTX_free(ctx);
    OPENSSL_free(der);
    ERR_clear_error();
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int next(void)
{
    size_t one_length, two_length, i;
    int k, ok = 1;

    for (k = 0; k < 2; k++) {
        unsigned char *one = (k ? plus_pem : plus_der)(PLUS_EC, &one_length);
        unsigned char *two = (k ? plus_pem : plus_der)(PLUS_RSA, &two_length);
        BIO *in = mem(one, one_length);

        BIO_write(in, two, (int)two_length);
        for (i = 0; i < 2; i++) {
            EVP_PKEY *key;
            OSSL_DECODER_CTX *ctx = plus_for_key(&key, k ? "PEM" : "DER", NULL);

            ok &= TEST_int_eq(OSSL_DECODER_from_bio(ctx, in), 1);
            OSSL_DECODER_CTX_free(ctx);
            ok &= plus_is_key(key, i == 0 ? PLUS_EC : PLUS_RSA);
        }
        ok &= decodes(in, k ? "PEM" : "DER", NULL, NULL);
        OPENSSL_free(one);
        OPENSSL_free(two);
    }
    return ok;
}

/* Decodes an encrypted key by ctx; how often was the pass phrase asked for? */
static int unlocks(OSSL_DECODER_CTX *ctx, EVP_PKEY **key, const char *pass, int times)
{
    size_t length;
    unsigned char *der = plus_locked(PLUS_EC, "secret", &length);
    BIO *in = mem(der, length);
    int before = plus_pass_asked, good = strcmp(pass, "secret") == 0, ok;

    plus_pass = pass;
    *key = NULL;
    ok = TEST_int_eq(OSSL_DECODER_from_bio(ctx, in), good);
    if (good)
        ok = plus_is_key(*key, PLUS_EC) && ok;
    else
        ok = TEST_ptr_null(*key) && ok;
    *key = NULL;
    BIO_free(in);
    OPENSSL_free(der);
    ERR_clear_error();
    return ok && (times < 0 ? TEST_int_gt(plus_pass_asked, before)
                            : TEST_int_eq(plus_pass_asked - before, times));
}

static OSSL_DECODER_CTX *asking(EVP_PKEY **key, const char *type)
{
    OSSL_DECODER_CTX *ctx = plus_for_key(key, "DER", type);

    OSSL_DECODER_CTX_set_pem_password_cb(ctx, plus_pass_cb, NULL);
    return ctx;
}

/* A decoder "TWICE" that asks for the pass phrase twice. */
static int twice_results[2], twice_same, twice_context;

static void *twice_newctx(void *provctx)
{
    return &twice_context;
}

static void twice_freectx(void *ctx)
{
}

static int twice_decode(void *ctx, OSSL_CORE_BIO *in, int selection, OSSL_CALLBACK *data_cb,
                        void *data_cbarg, OSSL_PASSPHRASE_CALLBACK *pw_cb, void *pw_cbarg)
{
    char pass[2][40];
    size_t lengths[2] = { 0, 0 };
    OSSL_PARAM params[] = { OSSL_PARAM_END, OSSL_PARAM_END };
    int i;

    for (i = 0; i < 2; i++)
        twice_results[i] = pw_cb(pass[i], sizeof(pass[i]), &lengths[i], params + 1, pw_cbarg);
    twice_same = lengths[0] == 6 && lengths[1] == 6 && memcmp(pass[0], "secret", 6) == 0
        && memcmp(pass[1], "secret", 6) == 0;
    params[0] = OSSL_PARAM_construct_octet_string(OSSL_OBJECT_PARAM_DATA, "twice", 5);
    return data_cb(params, data_cbarg);
}

static const OSSL_DISPATCH twice_functions[] = {
    { OSSL_FUNC_DECODER_NEWCTX, (void (*)(void))twice_newctx },
    { OSSL_FUNC_DECODER_FREECTX, (void (*)(void))twice_freectx },
    { OSSL_FUNC_DECODER_DECODE, (void (*)(void))twice_decode },
    OSSL_DISPATCH_END
};

static const OSSL_ALGORITHM twice_algorithms[] = {
    { "TWICE", "provider=twice,input=twice", twice_functions }, { NULL, NULL, NULL }
};

static const OSSL_ALGORITHM *twice_query(void *provctx, int operation, int *no_cache)
{
    *no_cache = 0;
    return operation == OSSL_OP_DECODER ? twice_algorithms : NULL;
}

static const OSSL_DISPATCH twice_dispatch[] = {
    { OSSL_FUNC_PROVIDER_QUERY_OPERATION, (void (*)(void))twice_query }, OSSL_DISPATCH_END
};

static int twice_init(const OSSL_CORE_HANDLE *handle, const OSSL_DISPATCH *in,
                      const OSSL_DISPATCH **out, void **provctx)
{
    *out = twice_dispatch;
    *provctx = &twice_context;
    return 1;
}

/* Its pass phrase is asked for `times` times in each of two calls. */
static int asks(int set, int times)
{
    OSSL_DECODER_CTX *ctx = OSSL_DECODER_CTX_new();
    OSSL_DECODER *decoder = OSSL_DECODER_fetch(NULL, "TWICE", "provider=twice");
    int i, ok = TEST_ptr(decoder);

    memset(&plus_made, 0, sizeof(plus_made));
    plus_made.result = 1;
    OSSL_DECODER_CTX_add_decoder(ctx, decoder);
    OSSL_DECODER_CTX_set_construct(ctx, plus_make);
    OSSL_DECODER_CTX_set_construct_data(ctx, &plus_made);
    if (set)
        OSSL_DECODER_CTX_set_passphrase(ctx, (unsigned char *)"secret", 6);
    else
        OSSL_DECODER_CTX_set_pem_password_cb(ctx, plus_pass_cb, NULL);
    plus_pass = "secret";
    for (i = 0; ok && i < 2; i++) {
        BIO *in = mem("anything", 8);

        plus_pass_asked = 0;
        ok = TEST_int_eq(OSSL_DECODER_from_bio(ctx, in), 1)
            && TEST_mem_eq(plus_made.der, plus_made.length, "twice", 5)
            && TEST_int_eq(twice_results[0], 1) && TEST_int_eq(twice_results[1], 1)
            && TEST_true(twice_same) && TEST_int_eq(plus_pass_asked, times);
        BIO_free(in);
    }
    OSSL_DECODER_free(decoder);
    OSSL_DECODER_CTX_free(ctx);
    return ok;
}

static int once(void)
{
    EVP_PKEY *key;
    OSSL_DECODER_CTX *ctx = asking(&key, "EC");
    int ok = unlocks(ctx, &key, "secret", 1);

    OSSL_DECODER_CTX_free(ctx);
    ctx = asking(&key, NULL);
    ok &= unlocks(ctx, &key, "secret", 1);
    OSSL_DECODER_CTX_free(ctx);
    ctx = plus_for_key(&key, NULL, NULL);
    OSSL_DECODER_CTX_set_pem_password_cb(ctx, plus_pass_cb, NULL);
    ok &= unlocks(ctx, &key, "secret", 1);
    OSSL_DECODER_CTX_free(ctx);
    return asks(0, 1) && ok;
}

static int again(void)
{
    EVP_PKEY *key;
    OSSL_DECODER_CTX *ctx = asking(&key, "EC");
    int ok = unlocks(ctx, &key, "secret", 1) && unlocks(ctx, &key, "secret", 1)
        && unlocks(ctx, &key, "wrong", -1) && unlocks(ctx, &key, "secret", 1);

    OSSL_DECODER_CTX_free(ctx);
    return ok;
}

static int after_failure(void)
{
    EVP_PKEY *key;
    OSSL_DECODER_CTX *ctx = asking(&key, "EC");
    int ok = unlocks(ctx, &key, "wrong", -1) && unlocks(ctx, &key, "secret", 1);

    OSSL_DECODER_CTX_free(ctx);
    return ok;
}

static int set_stays(void)
{
    EVP_PKEY *key;
    OSSL_DECODER_CTX *ctx = plus_for_key(&key, "DER", "EC");
    int ok;

    OSSL_DECODER_CTX_set_passphrase(ctx, (unsigned char *)"secret", 6);
    ok = unlocks(ctx, &key, "secret", 0) && unlocks(ctx, &key, "secret", 0);
    OSSL_DECODER_CTX_free(ctx);
    return asks(1, 0) && ok;
}

static int round(void)
{
    return key_is_decoded() & another_type() & no_key() & constructor() & constructor_refuses()
        & no_bio() & no_decoders() & told() & older() & stream() & stays_open() & next() & once()
        & again() & after_failure() & set_stays();
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
    OSSL_DECODER_CTX *ctx = plus_for_pem(1);
    long before;
    int i, result = 0, ok = 1;

    before = memory_blocks;
    for (i = 0; ok && !result && i < 200; i++) {
        BIO *in = plus_stream_bio((unsigned char *)text, sizeof(text) - 1);

        memory_left = i;
        result = OSSL_DECODER_from_bio(ctx, in);
        memory_left = -1;
        ok = TEST_int_eq(plus_stream.destroyed, 0) && TEST_ptr_null(BIO_next(in));
        if (ok)
            BIO_free(in);
        ERR_clear_error();
        ok = ok && TEST_long_eq(memory_blocks, before);
    }
    OSSL_DECODER_CTX_free(ctx);
    return ok && TEST_int_eq(result, 1) && TEST_long_eq(memory_bad_frees, 0);
}

static OSSL_PROVIDER *provider, *twice;

int setup_tests(void)
{
    if (!TEST_true(OSSL_PROVIDER_add_builtin(NULL, "twice", twice_init))
            || !TEST_ptr(provider = OSSL_PROVIDER_load(NULL, "default"))
            || !TEST_ptr(twice = OSSL_PROVIDER_load(NULL, "twice")))
        return 0;
    add_test("a key is decoded", key_is_decoded);
    add_test("a key of another type is a failure", another_type);
    add_test("what is no key is a failure", no_key);
    add_test("the constructor gets what was decoded", constructor);
    add_test("a constructor that refuses is a failure", constructor_refuses);
    add_test("without a BIO it fails and says so", no_bio);
    add_test("without decoders it fails and says so", no_decoders);
    add_test("a failure is told on the error queue", told);
    add_test("an older error is no reason for silence", older);
    add_test("the next object is read by the next call", next);
    add_test("a pass phrase is asked for once in one call", once);
    add_test("it is asked for again in the next call", again);
    add_test("after a failure it is asked for again", after_failure);
    add_test("a pass phrase that was set stays", set_stays);
    add_test("a BIO without a position is read", stream);
    add_test("such a BIO stays open and alone", stays_open);
    add_test("nothing is leaked or freed twice", balanced);
    add_test("without memory it fails and leaks nothing", no_memory);
    return 1;
}

void cleanup_tests(void)
{
    BIO_meth_free(plus_stream_method);
    OSSL_PROVIDER_unload(twice);
    OSSL_PROVIDER_unload(provider);
}
