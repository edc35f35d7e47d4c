/*---
 * tasks: [83A7FD4CE5361D05]
 * tests:
 *   the connection knows its type: 'Docstring: "When a connection is created we must know its type already".'
 *   it has no socket yet: 'Docstring: "the underlying socket may or may not exist"; socket.c: connSocketClose takes -1 for none.'
 *   no descriptor is opened: 'Docstring: for outgoing connections the socket is created later, by connConnect().'
 *   its state is none: 'connection.h: CONN_STATE_NONE is the state before connConnect() or connAccept().'
 *   it has no flags and no references: 'connection.h: flags and refs count handlers in progress and closes to come.'
 *   it has no handlers: 'connection.h: connHasWriteHandler and connHasReadHandler.'
 *   it has no error and no private data: 'connection.h: last_errno, private_data.'
 *   a write may gather as many buffers as the system allows: 'networking.c: _writevToClient gathers up to min(IOV_MAX, conn->iovcnt).'
 *   fields are set in used memory too: 'Docstring: connections are allocated, one after the other.'
 *   two connections are independent: 'Docstring: each is "independently allocated".'
 *   closing it frees its memory: 'socket.c: connSocketClose frees the connection with zfree.'
 *   closing it closes no descriptor: 'socket.c: connSocketClose closes conn->fd unless it is -1.'
 *   an accepted connection takes the caller's descriptor: 'Docstring: "For accepted connections, it exists"; socket.c: connCreateAcceptedSocket.'
 *   an accepted connection waits to be accepted: 'Docstring: the "caller calls connCreateSocket() followed by connAccept()".'
 *   a closed accepted connection closes its descriptor and is freed: 'socket.c: connSocketClose.'
 ---*/
#include "../server.h"
#include "../connection.h"
#include "../testhelp.h"
#include <fcntl.h>
#include <limits.h>

/* The lowest free descriptor: it tells whether one was opened or closed. */
static int lowestFree(void) {
    int fd = dup(1);
    close(fd);
    return fd;
}

int main(void) {
    server.logfile = "/dev/null";
    server.el = aeCreateEventLoop(64);
    connTypeInitialize();
    ConnectionType *tcp = connectionTypeTcp();

    /* Memory that was used before, of the size of a connection. */
    void *dirty[8];
    for (int j = 0; j < 8; j++) memset(dirty[j] = zmalloc(sizeof(connection)), 0xff, sizeof(connection));
    for (int j = 0; j < 8; j++) zfree(dirty[j]);

    int fd = lowestFree();
    size_t used = zmalloc_used_memory();
    connection *conn = connCreate(tcp);
    test_cond("no descriptor is opened", lowestFree() == fd);
    test_cond("the connection knows its type", conn->type == tcp && strcmp(connGetType(conn), CONN_TYPE_SOCKET) == 0);
    test_cond("it has no socket yet", conn->fd == -1);
    test_cond("its state is none", conn->state == CONN_STATE_NONE);
    test_cond("it has no flags and no references", conn->flags == 0 && conn->refs == 0);
    test_cond("it has no handlers",
              !connHasWriteHandler(conn) && !connHasReadHandler(conn) && conn->conn_handler == NULL);
    test_cond("it has no error and no private data", conn->last_errno == 0 && connGetPrivateData(conn) == NULL);
    test_cond("a write may gather as many buffers as the system allows", conn->iovcnt >= IOV_MAX);
    connection *more[8];
    int clean = 1;
    for (int j = 0; j < 8; j++) {
        more[j] = connCreate(tcp);
        clean &= more[j]->fd == -1 && more[j]->state == CONN_STATE_NONE && more[j]->flags == 0 &&
                 more[j]->refs == 0 && more[j]->private_data == NULL && more[j]->read_handler == NULL &&
                 more[j]->write_handler == NULL && more[j]->conn_handler == NULL && more[j]->last_errno == 0;
    }
    test_cond("fields are set in used memory too", clean);
    connSetPrivateData(more[0], &used);
    test_cond("two connections are independent", conn != more[0] && connGetPrivateData(conn) == NULL);
    for (int j = 0; j < 8; j++) connClose(more[j]);
    connClose(conn);
    test_cond("closing it frees its memory", zmalloc_used_memory() == used);
    test_cond("closing it closes no descriptor", lowestFree() == fd && fcntl(0, F_GETFD) != -1);

    int own = open("/dev/null", O_RDONLY), free_then = lowestFree();
    conn = connCreateAccepted(tcp, own, NULL);
    test_cond("an accepted connection takes the caller's descriptor", conn->fd == own && lowestFree() == free_then);
    test_cond("an accepted connection waits to be accepted", conn->state == CONN_STATE_ACCEPTING && conn->refs == 0);
    connClose(conn);
    test_cond("a closed accepted connection closes its descriptor and is freed",
              fcntl(own, F_GETFD) == -1 && lowestFree() == own && zmalloc_used_memory() == used);
    test_report();
    return 0;
}
