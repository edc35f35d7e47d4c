/*---
 * tasks: [luaLdbLineHook-610b87.8]
 * tests:
 *   bytes are read from the connection: 'Comment: "Read from the connection, behaves the same as read(2)".'
 *   the number of bytes is returned: 'Comment: "behaves the same as read(2)".'
 *   no more bytes are read than there is room: 'Argument buf_len; read(2).'
 *   fewer bytes than asked for may come: 'Comment: "Like read(2), a short read is possible".'
 *   a closed connection gives 0: 'Comment: "A return value of 0 will indicate the connection was closed".'
 *   an error gives -1: 'Comment: "and -1 will indicate an error".'
 *   nothing to read gives -1 and stays connected: 'Comment: "use connGetState() to see if the connection state is still CONN_STATE_CONNECTED".'
 *   the type of the connection reads: 'connection.h: ConnectionType.read; TLS has one of its own.'
 *   the type gets connection, buffer and length: 'connection.h: ConnectionType.read.'
 *   it reads once: 'Comment: a short read is possible.'
 *   what the type returns is returned: 'Comment: 0, -1 or the number of bytes.'
 ---*/
#include "start.h"
#include "../testhelp.h"
#include <sys/socket.h>
#include <fcntl.h>

static int calls, give;
static connection *gotConn;
static void *gotBuf;
static size_t gotLen;

static int fake(struct connection *conn, void *buf, size_t len) {
    calls++;
    gotConn = conn, gotBuf = buf, gotLen = len;
    if (give > 0) memset(buf,'z',give);
    return give;
}

int main(void) {
    startRedis();
    int fds[2];
    if (socketpair(AF_UNIX,SOCK_STREAM,0,fds)) return 1;
    connection *conn = connCreateAccepted(connectionByType(CONN_TYPE_SOCKET),fds[0],NULL);
    conn->state = CONN_STATE_CONNECTED;
    fcntl(fds[0],F_SETFL,O_NONBLOCK);
    char buf[32];
    memset(buf,'#',sizeof(buf));
    int n = write(fds[1],"hello\0world",11) == 11 ? connRead(conn,buf,5) : -5;
    test_cond("bytes are read from the connection", !memcmp(buf,"hello",5));
    test_cond("the number of bytes is returned", n == 5);
    test_cond("no more bytes are read than there is room", buf[5] == '#');
    n = connRead(conn,buf,sizeof(buf));
    test_cond("fewer bytes than asked for may come", n == 6 && !memcmp(buf,"\0world#",7));
    n = connRead(conn,buf,sizeof(buf));
    test_cond("nothing to read gives -1 and stays connected", n == -1 && connGetState(conn) == CONN_STATE_CONNECTED);
    close(fds[1]);
    n = connRead(conn,buf,sizeof(buf));
    test_cond("a closed connection gives 0", n == 0 && connGetState(conn) == CONN_STATE_CLOSED);
    conn->state = CONN_STATE_CONNECTED;
    close(fds[0]);
    conn->fd = -1;
    n = connRead(conn,buf,sizeof(buf));
    test_cond("an error gives -1", n == -1 && connGetState(conn) == CONN_STATE_ERROR);

    ConnectionType type = {.read = fake};
    connection other = {.type = &type, .fd = -1};
    give = 3;
    memset(buf,'#',sizeof(buf));
    n = connRead(&other,buf+1,7);
    test_cond("the type of the connection reads", calls >= 1 && !memcmp(buf,"#zzz#",5));
    test_cond("the type gets connection, buffer and length", gotConn == &other && gotBuf == buf+1 && gotLen == 7);
    test_cond("it reads once", calls == 1);
    int same = n == 3;
    int values[] = {0,-1,1,7};
    for (int j = 0; j < 4; j++) {
        give = values[j];
        if (connRead(&other,buf,7) != give) same = 0;
    }
    test_cond("what the type returns is returned", same && calls == 5);
    test_report();
    return 0;
}
