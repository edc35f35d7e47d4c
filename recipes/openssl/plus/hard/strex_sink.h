/*
 * For tests of a_strex.c: a place to print to that keeps what it is given and can be made to
 * refuse, once, the piece with a given byte. As the file's own, it takes all and keeps nothing for
 * a NULL argument.
 */
typedef struct {
    char text[4096];
    int size, offered, refuse;
} SINK;

static int sink(void *arg, const void *buf, int len)
{
    SINK *to = arg;
    int offered;

    if (to == NULL)
        return 1;
    if (len < 0 || to->size + len >= (int)sizeof(to->text))
        return 0;
    offered = to->offered;
    to->offered += len;
    if (to->refuse >= offered && to->refuse < to->offered)
        return 0;
    if (len > 0)
        memcpy(to->text + to->size, buf, len);
    to->size += len;
    to->text[to->size] = '\0';
    return 1;
}

/* Without text; refuses the byte of this number, none for -1. */
static void sink_begin(SINK *to, int refuse)
{
    memset(to, 0, sizeof(*to));
    to->refuse = refuse;
}
