/* Shared by the tests that write to clients: a connection that takes as much as it is told, and keeps what it took. */
#ifndef PLUS_WIRECHECK_H
#define PLUS_WIRECHECK_H
#include "start.h"
#include "../testhelp.h"

static sds wire;                   /* What was written. */
static long wire_room = 1 << 30;   /* How many bytes a write takes; 0 and -1 are what it returns. */
static int wire_writes, wire_handlers, wire_handler_set;
static int wire_vectors;           /* The parts of the last write. */

static int wireWrite(struct connection *conn, const void *data, size_t len) {
    wire_writes++;
    if (wire_room <= 0) {
        if (wire_room < 0) conn->last_errno = EAGAIN;
        return wire_room;
    }
    if ((long)len > wire_room) len = wire_room;
    wire = sdscatlen(wire,data,len);
    return len;
}

static int wireWritev(struct connection *conn, const struct iovec *iov, int n) {
    wire_writes++;
    wire_vectors = n;
    if (wire_room <= 0) return wire_room;
    long left = wire_room, total = 0;
    for (int j = 0; j < n && left > 0; j++) {
        long len = (long)iov[j].iov_len > left ? left : (long)iov[j].iov_len;
        wire = sdscatlen(wire,iov[j].iov_base,len);
        left -= len, total += len;
    }
    UNUSED(conn);
    return total;
}

static int wireHandler(struct connection *conn, ConnectionCallbackFunc f, int barrier) {
    UNUSED(barrier);
    conn->write_handler = f;
    wire_handlers++;
    wire_handler_set = f != NULL;
    return C_OK;
}

static const char *wireType(struct connection *conn) {
    UNUSED(conn);
    return CONN_TYPE_SOCKET;
}

static const char *wireError(struct connection *conn) {
    UNUSED(conn);
    return "error";
}

static void wireClose(struct connection *conn) {
    zfree(conn);
}

static ConnectionType wire_type = {.write = wireWrite, .writev = wireWritev, .set_write_handler = wireHandler,
                                   .get_type = wireType, .get_last_error = wireError, .close = wireClose,
                                   .shutdown = wireClose};

static inline client *wireClient(void) {
    client *c = createClient(NULL);
    c->conn = zcalloc(sizeof(*c->conn));
    c->conn->type = &wire_type;
    c->conn->state = CONN_STATE_CONNECTED;
    c->conn->fd = -1;
    c->conn->iovcnt = 1000;
    connSetPrivateData(c->conn,c);
    linkClient(c);
    if (!wire) wire = sdsempty();
    return c;
}

static inline void wireClear(long room) {
    sdsclear(wire);
    wire_room = room;
    wire_writes = wire_handlers = wire_vectors = 0;
}

static inline int wired(const char *text) {
    int same = sdslen(wire) == strlen(text) && !memcmp(wire,text,sdslen(wire));
    if (!same) printf("wired <%s>\n",wire);
    return same;
}

/* The static buffer of the client holds that, of which so much was sent. */
static inline void fillBuffer(client *c, const char *text, size_t sent) {
    memcpy(c->buf,text,strlen(text));
    c->bufpos = strlen(text);
    c->sentlen = sent;
}

/* A further node of the list of replies. */
static inline void addNode(client *c, const char *text) {
    size_t len = strlen(text);
    clientReplyBlock *o = zmalloc(sizeof(*o)+len+5);
    o->size = len+5;
    o->used = len;
    memcpy(o->buf,text,len);
    listAddNodeTail(c->reply,o);
    c->reply_bytes += o->size;
}
#endif
