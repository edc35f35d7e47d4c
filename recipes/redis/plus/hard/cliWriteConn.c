/*---
 * tasks: [cliWriteConn-070294, cliWriteConn-070294.2, cliWriteConn-070294.4]
 * link: [cli_common.o]
 * goals: [src/redis-cli]
 * tests:
 *   the bytes are written: 'Comment: "Write a raw buffer through a redisContext".'
 *   their number is returned: 'Comment: "Interface is close enough to read()/write()".'
 *   binary bytes are written whole: 'Comment: "a raw buffer".'
 *   what was in the buffer is written before: 'Comment: "If we already have something in the buffer ... it will be written as well".'
 *   only the new bytes are counted then: 'Comment: "close enough to read()/write()": the number of these bytes.'
 *   the buffer is empty afterwards: 'Comment: hiredis''s "internal buffers so it can co-exist with commands previously/later issued on the connection".'
 *   a part that fits is written and counted: 'Comment: "close enough to read()/write()"; redis-benchmark.c goes on with the rest.'
 *   what was not written is not kept: 'redis-benchmark.c, writeHandler: it writes the rest itself.'
 *   nothing written gives 0: 'Comment: "close enough to read()/write()".'
 *   old bytes that do not fit stay, and the new ones are not counted: 'Comment: "co-exist with commands previously/later issued".'
 *   the rest follows when it is written again: 'redis-benchmark.c, writeHandler.'
 *   an error gives -1: 'Comment: "close enough to read()/write()"; writeHandler: nwritten == -1.'
 *   after an error the buffer is as before: 'Comment: "co-exist with commands previously/later issued".'
 *   no bytes are written as none: 'Comment: close to write().'
 ---*/
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <hiredis.h>
#include <sds.h>
#include "../testhelp.h"

ssize_t cliWriteConn(redisContext *c, const char *buf, size_t buf_len);

static int fds[2];
static redisContext *c;

static void open_pair(int blocking) {
    if (c) redisFree(c), close(fds[1]);
    socketpair(AF_UNIX, SOCK_STREAM, 0, fds);
    c = redisConnectFd(fds[0]);
    fcntl(fds[1], F_SETFL, O_NONBLOCK);
    if (!blocking) {
        fcntl(fds[0], F_SETFL, O_NONBLOCK);
        c->flags &= ~REDIS_BLOCK;
    }
}

static size_t arrived(char *text, size_t room) {
    size_t n = 0;
    ssize_t got;
    while (n < room && (got = read(fds[1], text + n, room - n)) > 0) n += got;
    return n;
}

static int receives(const char *want, size_t len) {
    char text[200];
    return arrived(text, sizeof(text)) == len && !memcmp(text, want, len);
}

static void fill(void) {
    static char junk[4096];
    memset(junk, 'j', sizeof(junk));
    while (write(fds[0], junk, sizeof(junk)) > 0);
    while (write(fds[0], junk, 1) > 0);
}

int main(void) {
    signal(SIGPIPE, SIG_IGN);
    static char big[4 << 20], text[8 << 20];
    open_pair(1);
    ssize_t n = cliWriteConn(c, "hello", 5);
    test_cond("the bytes are written", receives("hello", 5));
    int counted = n == 5;
    n = cliWriteConn(c, "a\0b\r\n", 5);
    test_cond("their number is returned", counted && n == 5);
    test_cond("binary bytes are written whole", receives("a\0b\r\n", 5));
    int empty = hi_sdslen(c->obuf) == 0;
    c->obuf = hi_sdscatlen(c->obuf, "before ", 7);
    n = cliWriteConn(c, "now", 3);
    test_cond("what was in the buffer is written before", receives("before now", 10));
    test_cond("only the new bytes are counted then", n == 3);
    test_cond("the buffer is empty afterwards", empty && hi_sdslen(c->obuf) == 0);

    open_pair(0);
    for (size_t j = 0; j < sizeof(big); j++) big[j] = j * 31 + (j >> 10);
    n = cliWriteConn(c, big, sizeof(big));
    size_t got = arrived(text, sizeof(text));
    test_cond("a part that fits is written and counted", n > 0 && n < (ssize_t)sizeof(big) && got == (size_t)n && !memcmp(text, big, got));
    test_cond("what was not written is not kept", hi_sdslen(c->obuf) == 0);
    size_t done = n;
    while (done < sizeof(big)) {
        n = cliWriteConn(c, big + done, sizeof(big) - done);
        if (n <= 0) break;
        got += arrived(text + got, sizeof(text) - got);
        done += n;
    }
    test_cond("the rest follows when it is written again", done == sizeof(big) && got == sizeof(big) && !memcmp(text, big, got));
    open_pair(0);
    fill();
    n = cliWriteConn(c, "late", 4);
    test_cond("nothing written gives 0", n == 0 && hi_sdslen(c->obuf) == 0);
    c->obuf = hi_sdscatlen(c->obuf, "old", 3);
    n = cliWriteConn(c, "newer", 5);
    int kept = n == 0 && hi_sdslen(c->obuf) == 3 && !memcmp(c->obuf, "old", 3);
    n = cliWriteConn(c, "x", 1);
    test_cond("old bytes that do not fit stay, and the new ones are not counted",
              kept && n == 0 && hi_sdslen(c->obuf) == 3 && !memcmp(c->obuf, "old", 3));
    open_pair(1);
    close(fds[1]);
    n = cliWriteConn(c, "lost", 4);
    int error = n == -1, clean = hi_sdslen(c->obuf) == 0;
    fds[1] = dup(0);
    open_pair(1);
    close(fds[1]);
    c->obuf = hi_sdscatlen(c->obuf, "old", 3);
    n = cliWriteConn(c, "lost", 4);
    test_cond("an error gives -1", error && n == -1);
    test_cond("after an error the buffer is as before", clean && hi_sdslen(c->obuf) == 3 && !memcmp(c->obuf, "old", 3));
    fds[1] = dup(0);
    open_pair(1);
    n = cliWriteConn(c, "", 0);
    test_cond("no bytes are written as none", n == 0 && arrived(text, 10) == 0 && hi_sdslen(c->obuf) == 0);
    test_report();
    return 0;
}
