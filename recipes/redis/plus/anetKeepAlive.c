/*---
 * tasks: [8146BBD51D425734]
 * tests:
 *   keep-alive is switched on: 'Docstring: "Enable TCP keep-alive mechanism".'
 *   a success is ANET_OK: 'anet.h: ANET_OK.'
 *   the first probe comes after the interval: 'redis.conf, tcp-keepalive: "the specified value (in seconds) is the period used to send ACKs".'
 *   a dead peer is found after twice the interval: 'redis.conf, tcp-keepalive: "to close the connection the double of the time is needed".'
 *   more than one probe is sent: 'Docstring: TCP_KEEPINTVL and TCP_KEEPCNT "will be set accordingly", below the interval itself.'
 *   another interval gives other numbers: 'The parameter interval.'
 *   it can be set again: 'The parameter interval; redis-cli sets it at each connection.'
 *   an interval of one second is possible: 'config.c: tcp-keepalive may be any number from 1 on.'
 *   an interval of two seconds is possible: 'config.c: tcp-keepalive may be any number from 1 on.'
 *   an IPv6 socket is possible: 'anet.c: sockets of both families are made.'
 *   other sockets are left alone: 'The parameter fd.'
 *   a file is an error: 'anet.h: ANET_ERR; setsockopt(2): ENOTSOCK.'
 *   a closed descriptor is an error: 'anet.h: ANET_ERR; setsockopt(2): EBADF.'
 *   a socket that is not TCP is an error: 'anet.h: ANET_ERR; the options are those of TCP (tcp(7)).'
 *   the error is described: 'The parameter err; anet.c: anetSetError.'
 *   the error of a socket that is not TCP is described: 'The parameter err; anet.c: anetSetError.'
 *   nobody need ask for the error: 'socket.c, redis-cli.c: err is NULL.'
 ---*/
#include "../server.h"
#include "../anet.h"
#include "../testhelp.h"
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

static int option(int fd, int level, int name) {
    int value = -1;
    socklen_t len = sizeof(value);
    getsockopt(fd, level, name, &value, &len);
    return value;
}

static int idle(int fd) { return option(fd, IPPROTO_TCP, TCP_KEEPIDLE); }

/* How long it takes from the first probe until the peer is given up. */
static int rest(int fd) { return option(fd, IPPROTO_TCP, TCP_KEEPINTVL) * option(fd, IPPROTO_TCP, TCP_KEEPCNT); }

int main(void) {
    char err[ANET_ERR_LEN] = "";
    int fd = socket(AF_INET, SOCK_STREAM, 0), other = socket(AF_INET, SOCK_STREAM, 0), pair[2], pipes[2], result;
    if (fd == -1 || socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == -1 || pipe(pipes) == -1) exit(1);
    int untouched = idle(other);

    result = anetKeepAlive(err, fd, 300);
    test_cond("a success is ANET_OK", result == ANET_OK);
    test_cond("keep-alive is switched on", option(fd, SOL_SOCKET, SO_KEEPALIVE) == 1);
    test_cond("the first probe comes after the interval", idle(fd) == 300);
    test_cond("a dead peer is found after twice the interval", idle(fd) + rest(fd) == 600);
    test_cond("more than one probe is sent",
              option(fd, IPPROTO_TCP, TCP_KEEPCNT) > 1 && option(fd, IPPROTO_TCP, TCP_KEEPINTVL) < 300);
    test_cond("other sockets are left alone",
              option(other, SOL_SOCKET, SO_KEEPALIVE) == 0 && idle(other) == untouched);
    result = anetKeepAlive(NULL, other, 15);
    test_cond("another interval gives other numbers", result == ANET_OK && idle(other) == 15 && rest(other) == 15);
    result = anetKeepAlive(err, other, 60);
    test_cond("it can be set again", result == ANET_OK && idle(other) == 60 && rest(other) == 60);
    result = anetKeepAlive(err, other, 1);
    test_cond("an interval of one second is possible", result == ANET_OK && idle(other) == 1);
    result = anetKeepAlive(err, other, 2);
    test_cond("an interval of two seconds is possible", result == ANET_OK && idle(other) == 2);
    int six = socket(AF_INET6, SOCK_STREAM, 0);
    test_cond("an IPv6 socket is possible",
              six == -1 || (anetKeepAlive(err, six, 30) == ANET_OK && idle(six) == 30 && rest(six) == 30));

    err[0] = '\0';
    test_cond("a file is an error", anetKeepAlive(err, pipes[0], 300) == ANET_ERR);
    test_cond("the error is described", err[0] != '\0' && memchr(err, '\0', sizeof(err)));
    err[0] = '\0';
    test_cond("a socket that is not TCP is an error", anetKeepAlive(err, pair[0], 300) == ANET_ERR);
    test_cond("the error of a socket that is not TCP is described", err[0] != '\0' && memchr(err, '\0', sizeof(err)));
    close(pipes[0]);
    test_cond("a closed descriptor is an error",
              anetKeepAlive(err, pipes[0], 300) == ANET_ERR && anetKeepAlive(err, -1, 300) == ANET_ERR);
    test_cond("nobody need ask for the error",
              anetKeepAlive(NULL, -1, 300) == ANET_ERR && anetKeepAlive(NULL, pair[0], 300) == ANET_ERR);
    test_report();
    return 0;
}
