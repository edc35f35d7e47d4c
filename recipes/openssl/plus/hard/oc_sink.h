/*
 * For tests of a_strex.c: a place to print to that keeps what it is given and can be made to refuse what goes over a
 * limit. As the file's own, it takes all and keeps nothing for a NULL argument.
 */
typedef struct {
    char text[4096];
    int size, limit;
} SINK;

static int sink(void *arg, const void *buf, int len)
{
    SINK *to = arg;

    if (to == NULL)
        return 1;
    if (len < 0 || to->size + len > to->limit)
        return 0;
    if (len > 0)
        memcpy(to->text + to->size, buf, len);
    to->size += len;
    to->text[to->size] = '\0';
    return 1;
}

static void sink_begin(SINK *to, int limit)
{
    memset(to, 0, sizeof(*to));
    to->limit = limit < 0 ? (int)sizeof(to->text) - 1 : limit;
}
