/*---
 * tasks: [E2463C73985C1A58]
 * tests:
 *   the remote end of an IPv4 connection: 'Docstring: "For IPv4 it''s in the form x.y.z.k:port"; getClientPeerId asks with remote 1.'
 *   the local end of an IPv4 connection: 'networking.c: getClientSockname asks with remote 0.'
 *   the remote end of an IPv6 connection stands in brackets: 'Docstring: "For IPv6 addresses we use [] around the IP part".'
 *   the local end of an IPv6 connection stands in brackets: 'Docstring: "For IPv6 addresses we use [] around the IP part"; getClientSockname.'
 *   an IPv4-mapped IPv6 address stands in brackets: 'Docstring: an IPv6 address, which formatAddr tells by its colon.'
 *   the longest IPv6 address and port fit: 'Docstring: "An Address String always fits inside a buffer of NET_ADDR_STR_LEN bytes".'
 *   a Unix socket gives its path and port 0: 'Docstring: "For Unix sockets we use path:0, like in "/tmp/redis:0"".'
 *   a Unix socket gives the same for its local end: 'Docstring: "For Unix sockets we use path:0", whichever end is asked for.'
 *   a Unix socket is told by the flag among others: 'server.h: CLIENT_UNIX_SOCKET is one bit of the flags.'
 *   other flags do not make a Unix socket: 'server.h: CLIENT_UNIX_SOCKET is one bit of the flags.'
 *   a long path is cut at the buffer's length: 'The parameter addr_len; docstring: "including the null term".'
 *   a long address is cut at the buffer's length: 'The parameter addr_len; docstring: "including the null term".'
 ---*/
#include "../server.h"
#include "../testhelp.h"

void genClientAddrString(client *client, char *addr, size_t addr_len, int remote);

static const char *peer_ip, *own_ip;
static int peer_port, own_port;

/* A connection's type whose both ends are what the test says. */
static int addrOf(connection *conn, char *ip, size_t ip_len, int *port, int remote) {
    UNUSED(conn);
    if (ip) snprintf(ip, ip_len, "%s", remote ? peer_ip : own_ip);
    if (port) *port = remote ? peer_port : own_port;
    return 0;
}

static ConnectionType type = {.addr = addrOf};
static connection conn = {.type = &type, .fd = -1};
static client c = {.conn = &conn};
static char addr[NET_ADDR_STR_LEN];

static int gives(uint64_t flags, int remote, const char *expected) {
    c.flags = flags;
    memset(addr, 'x', sizeof(addr));
    genClientAddrString(&c, addr, sizeof(addr), remote);
    return memchr(addr, '\0', sizeof(addr)) != NULL && strcmp(addr, expected) == 0;
}

/* What is written into the first `len` bytes of the buffer ends with NUL, and the byte after them isn't touched. */
static int keepsTo(size_t len, uint64_t flags) {
    c.flags = flags;
    memset(addr, 'x', sizeof(addr));
    genClientAddrString(&c, addr, len, 1);
    for (size_t j = len; j < sizeof(addr); j++)
        if (addr[j] != 'x') return 0;
    return memchr(addr, '\0', len) != NULL;
}

int main(void) {
    server.unixsocket = "/tmp/redis.sock";
    peer_ip = "192.168.7.9", peer_port = 50123, own_ip = "10.0.0.1", own_port = 6379;
    test_cond("the remote end of an IPv4 connection", gives(0, 1, "192.168.7.9:50123"));
    test_cond("the local end of an IPv4 connection", gives(0, 0, "10.0.0.1:6379"));
    test_cond("other flags do not make a Unix socket", gives(~(uint64_t)CLIENT_UNIX_SOCKET, 1, "192.168.7.9:50123"));
    peer_ip = "2001:db8::7", own_ip = "::1";
    test_cond("the remote end of an IPv6 connection stands in brackets", gives(0, 1, "[2001:db8::7]:50123"));
    test_cond("the local end of an IPv6 connection stands in brackets", gives(0, 0, "[::1]:6379"));
    peer_ip = "::ffff:10.1.2.3", peer_port = 1;
    test_cond("an IPv4-mapped IPv6 address stands in brackets", gives(0, 1, "[::ffff:10.1.2.3]:1"));
    peer_ip = "ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255", peer_port = 65535;
    test_cond("the longest IPv6 address and port fit",
              gives(0, 1, "[ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255]:65535"));
    test_cond("a Unix socket gives its path and port 0", gives(CLIENT_UNIX_SOCKET, 1, "/tmp/redis.sock:0"));
    test_cond("a Unix socket gives the same for its local end", gives(CLIENT_UNIX_SOCKET, 0, "/tmp/redis.sock:0"));
    test_cond("a Unix socket is told by the flag among others",
              gives(CLIENT_UNIX_SOCKET | CLIENT_MULTI | CLIENT_NO_EVICT, 1, "/tmp/redis.sock:0"));
    test_cond("a long path is cut at the buffer's length", keepsTo(8, CLIENT_UNIX_SOCKET));
    test_cond("a long address is cut at the buffer's length", keepsTo(8, 0));
    test_report();
    return 0;
}
