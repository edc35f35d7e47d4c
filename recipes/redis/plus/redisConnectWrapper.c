/*---
 * tasks: [8DB27DCC9D8540B9]
 * link: [cli_common.o]
 * goals: [src/redis-cli]
 * tests:
 *   without a time-out it connects: 'redis-cli.c: the default of connect_timeout is 0, for no limit.'
 *   with a time-out it connects: 'Docstring: "a wrapper to call redisConnect or redisConnectWithTimeout".'
 *   replies can be read at once: 'redis-cli.c: the callers send commands on the context and read the replies.'
 *   replies can be read at once with a time-out: 'redis-cli.c: the callers send commands on the context and read the replies.'
 *   a refused connection gives a context with an error: 'redis-cli.c: the callers read err and errstr of the context.'
 *   a refused connection with a time-out gives one too: 'redis-cli.c: the callers read err and errstr of the context.'
 *   a name that is no address gives a context with an error: 'redis-cli.c: the callers read err and errstr of the context.'
 *   without a time-out it waits for a slow server: 'redis-cli.c: the default of connect_timeout is 0, for no limit.'
 *   a time-out below a second ends the attempt: 'The parameter tv; redis-cli -t takes fractions of a second.'
 *   a time-out of a whole second ends the attempt: 'The parameter tv; redis-cli -t takes seconds.'
 ---*/
#include "../server.h"
#include "../testhelp.h"
#include <arpa/inet.h>
#include <hiredis.h>
#include <netinet/in.h>
#include <sys/socket.h>

redisContext *redisConnectWrapper(const char *ip, int port, const struct timeval tv);

static int port;

/* A server on a port that the system chose, with a queue of so many connections; -1: the port is taken, but silent. */
static int serve(int queue) {
    struct sockaddr_in sa = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof(sa);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(fd, (struct sockaddr *)&sa, len) == -1 || (queue >= 0 && listen(fd, queue) == -1)) exit(1);
    getsockname(fd, (struct sockaddr *)&sa, &len);
    port = ntohs(sa.sin_port);
    return fd;
}

/* Answers one request of each connection. */
static void *answer(void *arg) {
    int listening = *(int *)arg, fd;
    char request[256];
    while ((fd = accept(listening, NULL, NULL)) != -1)
        if (read(fd, request, sizeof(request)) <= 0 || write(fd, "+PONG\r\n", 7) != 7) break;
    return NULL;
}

static redisContext *connect_(long seconds, long microseconds) {
    struct timeval tv = {seconds, microseconds};
    return redisConnectWrapper("127.0.0.1", port, tv);
}

static int pong(redisContext *c) {
    redisReply *reply = c && !c->err ? redisCommand(c, "PING") : NULL;
    return reply && reply->type == REDIS_REPLY_STATUS && strcmp(reply->str, "PONG") == 0;
}

static int failed(redisContext *c) { return c != NULL && c->err != 0 && c->errstr[0] != '\0'; }

/* Fills the queue of a server that doesn't accept: whoever comes next has to wait. */
static void fill(void) {
    for (int j = 0; j < 8; j++) {
        struct sockaddr_in sa = {.sin_family = AF_INET, .sin_port = htons(port),
                                 .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
        int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
        connect(fd, (struct sockaddr *)&sa, sizeof(sa));
    }
}

/* Begins to accept after a while. */
static void *acceptLate(void *arg) {
    usleep(300000);
    while (accept(*(int *)arg, NULL, NULL) != -1);
    return NULL;
}

int main(void) {
    alarm(30);
    pthread_t thread;
    redisContext *c;
    int answering = serve(16);
    pthread_create(&thread, NULL, answer, &answering);
    c = connect_(0, 0);
    test_cond("without a time-out it connects", c && !c->err && (c->flags & REDIS_CONNECTED));
    test_cond("replies can be read at once", pong(c));
    c = connect_(30, 0);
    test_cond("with a time-out it connects", c && !c->err && (c->flags & REDIS_CONNECTED));
    test_cond("replies can be read at once with a time-out", pong(c));

    serve(-1);
    test_cond("a refused connection gives a context with an error", failed(connect_(0, 0)));
    test_cond("a refused connection with a time-out gives one too", failed(connect_(30, 0)));
    struct timeval none = {0, 0}, some = {5, 0};
    test_cond("a name that is no address gives a context with an error",
              failed(redisConnectWrapper("no host:", port, none)) && failed(redisConnectWrapper("no host:", port, some)));

    int silent = serve(0);
    fill();
    test_cond("a time-out below a second ends the attempt", failed(connect_(0, 100000)));
    test_cond("a time-out of a whole second ends the attempt", failed(connect_(1, 0)));
    pthread_create(&thread, NULL, acceptLate, &silent);
    c = connect_(0, 0);
    test_cond("without a time-out it waits for a slow server", c && !c->err && (c->flags & REDIS_CONNECTED));
    test_report();
    return 0;
}
