/*
 * For tests of OSSL_DECODER: keys as DER and PEM, contexts for them, a BIO without a position, and
 * a pass phrase that is asked for. Include it after testutil.h, a counting allocator and
 * pb_pkcs8.h.
 */
#include <openssl/core_names.h>
#include <openssl/core_object.h>
#include <openssl/decoder.h>

static unsigned char *plus_der(const char *name, size_t *length)
{
    EVP_PKEY *key = plus_key(name);
    unsigned char *der = NULL;

    *length = i2d_PrivateKey(key, &der);
    EVP_PKEY_free(key);
    return der;
}

/* The file's text is PEM; what is returned is the caller's. */
static unsigned char *plus_pem(const char *name, size_t *length)
{
    EVP_PKEY *key = plus_key(name);
    BIO *bio = BIO_new(BIO_s_mem());
    unsigned char *data, *pem;

    PEM_write_bio_PrivateKey(bio, key, NULL, NULL, 0, NULL, NULL);
    *length = BIO_get_mem_data(bio, &data);
    pem = OPENSSL_memdup(data, *length);
    BIO_free(bio);
    EVP_PKEY_free(key);
    return pem;
}

/* The key encrypted, as DER; always the same bytes. */
static unsigned char *plus_locked(const char *name, const char *pass, size_t *length)
{
    PKCS8_PRIV_KEY_INFO *p8 = plus_p8(name);
    X509_ALGOR *pbe = PKCS5_pbe2_set_iv(EVP_aes_128_cbc(), 1, (unsigned char *)"saltsalt", 8,
                                        (unsigned char *)"sixteen bytes iv", NID_hmacWithSHA256);
    X509_SIG *sig = PKCS8_set0_pbe(pass, strlen(pass), p8, pbe);
    unsigned char *der = NULL;

    *length = i2d_X509_SIG(sig, &der);
    X509_SIG_free(sig);
    PKCS8_PRIV_KEY_INFO_free(p8);
    return der;
}

/* For a key pair of that type (any: NULL) in that format (any: NULL). */
static OSSL_DECODER_CTX *plus_for_key(EVP_PKEY **key, const char *format, const char *type)
{
    *key = NULL;
    return OSSL_DECODER_CTX_new_for_pkey(key, format, NULL, type, OSSL_KEYMGMT_SELECT_KEYPAIR
                                         | OSSL_KEYMGMT_SELECT_DOMAIN_PARAMETERS, NULL, NULL);
}

/* The pass phrase, and how often it was asked for. */
static const char *plus_pass;
static int plus_pass_asked;

static int plus_pass_cb(char *buf, int size, int rwflag, void *u)
{
    plus_pass_asked++;
    memcpy(buf, plus_pass, strlen(plus_pass));
    return (int)strlen(plus_pass);
}

/* A BIO that gives a few bytes at a time and knows of no position. */
static struct {
    const unsigned char *data;
    size_t length, offset;
    int destroyed;
} plus_stream;

static int plus_stream_read(BIO *bio, char *out, int size)
{
    size_t n = plus_stream.length - plus_stream.offset;

    if (n > 7)
        n = 7;
    if (n > (size_t)size)
        n = size;
    memcpy(out, plus_stream.data + plus_stream.offset, n);
    plus_stream.offset += n;
    return (int)n;
}

static long plus_stream_ctrl(BIO *bio, int cmd, long num, void *ptr)
{
    if (cmd == BIO_CTRL_EOF)
        return plus_stream.offset == plus_stream.length;
    if (cmd == BIO_CTRL_FLUSH || cmd == BIO_CTRL_PUSH || cmd == BIO_CTRL_POP)
        return 1;
    return -1;
}

static int plus_stream_destroy(BIO *bio)
{
    plus_stream.destroyed++;
    return 1;
}

static BIO_METHOD *plus_stream_method;

static BIO *plus_stream_bio(const unsigned char *data, size_t length)
{
    BIO *bio;

    if (plus_stream_method == NULL) {
        plus_stream_method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "stream");
        BIO_meth_set_read(plus_stream_method, plus_stream_read);
        BIO_meth_set_ctrl(plus_stream_method, plus_stream_ctrl);
        BIO_meth_set_destroy(plus_stream_method, plus_stream_destroy);
    }
    memset(&plus_stream, 0, sizeof(plus_stream));
    plus_stream.data = data;
    plus_stream.length = length;
    bio = BIO_new(plus_stream_method);
    BIO_set_init(bio, 1);
    return bio;
}

/* A constructor that keeps what the decoder of PEM found. */
static struct {
    int calls, result, wrong;
    unsigned char der[4096];
    size_t length;
    char type[30];
} plus_made;

static int plus_make(OSSL_DECODER_INSTANCE *inst, const OSSL_PARAM *params, void *arg)
{
    const OSSL_PARAM *data = OSSL_PARAM_locate_const(params, OSSL_OBJECT_PARAM_DATA);
    const OSSL_PARAM *type = OSSL_PARAM_locate_const(params, OSSL_OBJECT_PARAM_DATA_TYPE);

    plus_made.calls++;
    if (arg != &plus_made || data == NULL || data->data_size > sizeof(plus_made.der))
        plus_made.wrong++;
    else
        memcpy(plus_made.der, data->data, plus_made.length = data->data_size);
    if (type != NULL)
        BIO_snprintf(plus_made.type, sizeof(plus_made.type), "%.*s", (int)type->data_size,
                     (char *)type->data);
    return plus_made.result;
}

/* Of the decoder of PEM alone, with that constructor. */
static OSSL_DECODER_CTX *plus_for_pem(int result)
{
    OSSL_DECODER_CTX *ctx = OSSL_DECODER_CTX_new();
    OSSL_DECODER *decoder = OSSL_DECODER_fetch(NULL, "DER", "provider=default,input=pem");

    memset(&plus_made, 0, sizeof(plus_made));
    plus_made.result = result;
    OSSL_DECODER_CTX_add_decoder(ctx, decoder);
    OSSL_DECODER_CTX_set_input_type(ctx, "PEM");
    OSSL_DECODER_CTX_set_construct(ctx, plus_make);
    OSSL_DECODER_CTX_set_construct_data(ctx, &plus_made);
    OSSL_DECODER_free(decoder);
    return ctx;
}
