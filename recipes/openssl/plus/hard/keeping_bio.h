/*
 * For tests of what prints to a BIO: one that keeps what it is given and can be made to refuse,
 * once, the piece with a given byte.
 */
#include <string.h>
#include <openssl/bio.h>

static char bio_text[8192];     /* what was taken, with a zero byte behind */
static int bio_size, bio_offered, bio_refuse = -1;

static int plus_bio_write(BIO *bio, const char *bytes, int size)
{
    int offered = bio_offered;

    BIO_clear_retry_flags(bio);
    if (size < 0 || bio_size + size >= (int)sizeof(bio_text))
        return -1;
    bio_offered += size;
    if (bio_refuse >= offered && bio_refuse < bio_offered)
        return -1;
    if (size > 0)
        memcpy(bio_text + bio_size, bytes, size);
    bio_size += size;
    bio_text[bio_size] = '\0';
    return size;
}

static int plus_bio_puts(BIO *bio, const char *text)
{
    return plus_bio_write(bio, text, strlen(text));
}

static long plus_bio_ctrl(BIO *bio, int cmd, long number, void *pointer)
{
    return cmd == BIO_CTRL_FLUSH || cmd == BIO_CTRL_DUP;
}

static int plus_bio_create(BIO *bio)
{
    BIO_set_init(bio, 1);
    return 1;
}

/* Nothing taken so far; refuses the byte of this number, none for -1. */
static void bio_begin(int refuse)
{
    bio_size = bio_offered = 0;
    bio_text[0] = '\0';
    bio_refuse = refuse;
}

/* The BIO, for BIO_free. */
static BIO *bio_new(void)
{
    static BIO_METHOD *method = NULL;

    if (method == NULL) {
        method = BIO_meth_new(BIO_TYPE_SOURCE_SINK | 126, "kept text");
        BIO_meth_set_write(method, plus_bio_write);
        BIO_meth_set_puts(method, plus_bio_puts);
        BIO_meth_set_ctrl(method, plus_bio_ctrl);
        BIO_meth_set_create(method, plus_bio_create);
    }
    bio_begin(-1);
    return BIO_new(method);
}
