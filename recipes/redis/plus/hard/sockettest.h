/* Shared by tests of replies: clients at one end of a socket, whose other end the test reads. */
#ifndef PLUS_SOCKETTEST_H
#define PLUS_SOCKETTEST_H
#include "start.h"
#include "../testhelp.h"
#include <sys/socket.h>

static client *socketClient(int *end) {
    int fds[2], size = 1<<20;
    if (socketpair(AF_UNIX,SOCK_STREAM,0,fds)) exit(1);
    setsockopt(fds[0],SOL_SOCKET,SO_SNDBUF,&size,sizeof(size));
    fcntl(fds[0],F_SETFL,O_NONBLOCK);
    fcntl(fds[1],F_SETFL,O_NONBLOCK);
    connection *conn = connCreateAccepted(connectionByType(CONN_TYPE_SOCKET),fds[0],NULL);
    conn->state = CONN_STATE_CONNECTED;
    *end = fds[1];
    return createClient(conn);
}

/* What came at that end since. */
static char arrived[1<<20];
static int arrive(int end) {
    int n = 0, got;
    while ((got = read(end,arrived+n,sizeof(arrived)-1-n)) > 0) n += got;
    arrived[n] = '\0';
    return n;
}

static int gets(int end, const char *want) {
    return arrive(end) == (int)strlen(want) && !strcmp(arrived,want);
}

/* So many bytes to be sent, whose order can be seen. */
static void sendMuch(client *c, int bytes) {
    for (int j = 0; j < bytes; j += 8) {
        char eight[9];
        sprintf(eight,"%08d",j);
        addReplyProto(c,eight,8);
    }
}

static int inOrder(int n) {
    for (int j = 0; j+8 <= n; j += 8) {
        char eight[9];
        sprintf(eight,"%08d",j);
        if (memcmp(arrived+j,eight,8)) return 0;
    }
    return 1;
}
#endif
