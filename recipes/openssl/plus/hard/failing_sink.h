/* A BIO that takes so many writes, refuses the next one, and takes the rest. */
static struct {
    long left;      /* negative: refuses none */
    int refused;
} sink;

static int sink_write(BIO *bio, const char *data, int length)
{
    if (sink.left-- == 0) {
        sink.refused = 1;
        return -1;
    }
    return length;
}

static int sink_puts(BIO *bio, const char *text)
{
    return sink_write(bio, text, (int)strlen(text));
}

static long sink_ctrl(BIO *bio, int cmd, long num, void *ptr)
{
    return 1;
}

static int sink_create(BIO *bio)
{
    BIO_set_init(bio, 1);
    return 1;
}

static BIO_METHOD *sink_method;

static BIO *sink_new(int left)
{
    if (sink_method == NULL) {
        sink_method = BIO_meth_new(BIO_TYPE_SOURCE_SINK, "sink");
        BIO_meth_set_write(sink_method, sink_write);
        BIO_meth_set_puts(sink_method, sink_puts);
        BIO_meth_set_ctrl(sink_method, sink_ctrl);
        BIO_meth_set_create(sink_method, sink_create);
    }
    sink.left = left;
    sink.refused = 0;
    return BIO_new(sink_method);
}
