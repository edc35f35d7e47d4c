/*---
 * tasks: [cliWriteConn-070294.4]
 * link: [cli_common.o]
 * goals: [src/redis-benchmark]
 * tests:
 *   a reply ends a request: '_client: pending, "Number of pending requests (replies to consume)".'
 *   each reply of a pipeline counts: 'config: requests_finished.'
 *   half a reply is awaited: 'redisGetReply gives none yet.'
 *   several calls take the replies of one request: '_client: pending.'
 *   the latency is taken once for a request: 'Comment in config: latency is that of the first read; _client: latency "Request latency".'
 *   each request is recorded: 'config: latency_histogram, current_sec_latency_histogram.'
 *   not more than were asked for are recorded: 'config: requests.'
 *   replies to prefix commands do not count as requests: '_client: prefix_pending, "commands such as auth and select are prefixed ... and discarded after the first send".'
 *   prefix commands are dropped from the text: '_client: prefixlen; createClient: "discarded as soon as the first reply is received".'
 *   places of random keys move with the text: '_client: randptr, "Pointers to :rand: strings inside the command buf".'
 *   the client is made ready for the next request: 'clientDone, resetClient: keepalive.'
 *   the last request ends the client: 'clientDone: freeClient.'
 *   all kinds of replies end a request: 'redisGetReply.'
 ---*/
#include <fcntl.h>
#include <sys/socket.h>
#define main benchmark_main
#include "../redis-benchmark.c"
#undef main
#include "../testhelp.h"

static int fds[2];

/* A client whose server is the other end of a pair of sockets. */
static client pair(const char *command) {
    socketpair(AF_UNIX, SOCK_STREAM, 0, fds);
    fcntl(fds[0], F_SETFL, O_NONBLOCK);
    fcntl(fds[1], F_SETFL, O_NONBLOCK);
    client c = zcalloc(sizeof(struct _client));
    c->context = redisConnectFd(fds[0]);
    c->context->flags &= ~REDIS_BLOCK;
    c->context->reader->maxbuf = 0;
    c->obuf = sdsnew(command);
    c->thread_id = -1;
    c->pending = config.pipeline;
    listAddNodeTail(config.clients, c);
    config.liveclients++;
    return c;
}

static void begin(int requests, int pipeline) {
    if (!config.el) config.el = aeCreateEventLoop(1024);
    if (!config.clients) config.clients = listCreate();
    config.requests = requests;
    config.pipeline = pipeline;
    config.keepalive = 1;
    config.requests_issued = config.requests_finished = 0;
    config.randomkeys = config.randomkeys_keyspacelen = 0;
    if (!config.latency_histogram) {
        hdr_init(1, 3000000, 3, &config.latency_histogram);
        hdr_init(1, 3000000, 3, &config.current_sec_latency_histogram);
    }
}

static void reply(client c, const char *text) {
    if (write(fds[1], text, strlen(text)) < 0) return;
    readHandler(config.el, fds[0], c, AE_READABLE);
}

static long long recorded(void) {
    return config.latency_histogram->total_count;
}

int main(void) {
    begin(1000, 1);
    client c = pair("PING\r\n");
    c->latency = -1, c->start = ustime(), c->written = 6;
    reply(c, "+PONG\r\n");
    test_cond("a reply ends a request", config.requests_finished == 1 && c->written == 0);
    int ready = c->pending == 1 && aeGetFileEvents(config.el, fds[0]) == AE_WRITABLE;
    int once = recorded() == 1 && config.current_sec_latency_histogram->total_count == 1;
    begin(1000, 5);
    c = pair("x");
    c->latency = -1, c->start = ustime(), c->written = 1;
    reply(c, ":1\r\n:2\r\n:3\r\n");
    int three = config.requests_finished == 3 && c->pending == 2 && c->written == 1;
    long long latency = c->latency;
    c->start -= 5000000;
    reply(c, ":4\r\n");
    int same = latency >= 0 && c->latency == latency;
    reply(c, ":5\r\n");
    test_cond("each reply of a pipeline counts", three && config.requests_finished == 5);
    test_cond("several calls take the replies of one request", c->pending == 5 && c->written == 0);
    test_cond("the latency is taken once for a request", same);
    test_cond("each request is recorded", once && recorded() == 6);
    test_cond("the client is made ready for the next request", ready && aeGetFileEvents(config.el, fds[0]) == AE_WRITABLE);
    begin(1000, 1);
    c = pair("x");
    c->latency = -1, c->start = ustime(), c->written = 1;
    reply(c, "$5\r\nhel");
    int half = config.requests_finished == 0 && c->pending == 1 && c->written == 1;
    reply(c, "lo\r\n");
    test_cond("half a reply is awaited", half && config.requests_finished == 1 && c->written == 0);

    begin(1000, 2);
    c = pair("SELECTGET __rand_int__");
    char *place = c->obuf + 10;
    c->randptr = zmalloc(sizeof(char *)), c->randptr[0] = place, c->randlen = 1;
    c->prefixlen = 6, c->prefix_pending = 2, c->pending = 4;
    c->latency = -1, c->start = ustime(), c->written = 22;
    reply(c, "+OK\r\n");
    int first = config.requests_finished == 0 && c->prefix_pending == 1 && c->pending == 3;
    test_cond("prefix commands are dropped from the text", !strcmp(c->obuf, "GET __rand_int__") && c->prefixlen == 0);
    test_cond("places of random keys move with the text", !strncmp(c->randptr[0], "__rand_int__", 12));
    long long before = recorded();
    reply(c, "+OK\r\n:1\r\n");
    test_cond("replies to prefix commands do not count as requests",
              first && config.requests_finished == 1 && c->prefix_pending == 0 && c->pending == 1 && recorded() == before + 1 &&
              !strcmp(c->obuf, "GET __rand_int__"));

    begin(1000, 6);
    c = pair("x");
    c->latency = -1, c->start = ustime(), c->written = 1;
    reply(c, "+OK\r\n:1\r\n$-1\r\n$2\r\nab\r\n*2\r\n:1\r\n*1\r\n+x\r\n*0\r\n");
    test_cond("all kinds of replies end a request", config.requests_finished == 6 && c->pending == 6);
    begin(4, 6);
    c = pair("x");
    c->latency = -1, c->start = ustime(), c->written = 1;
    before = recorded();
    int live = config.liveclients;
    reply(c, ":1\r\n:1\r\n:1\r\n:1\r\n:1\r\n:1\r\n");
    test_cond("not more than were asked for are recorded", recorded() == before + 4);
    test_cond("the last request ends the client", config.liveclients == live - 1 && listSearchKey(config.clients, c) == NULL);
    test_report();
    return 0;
}
