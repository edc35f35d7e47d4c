/*---
 * tasks: [cliWriteConn-070294.2, cliWriteConn-070294.4]
 * link: [cli_common.o]
 * goals: [src/redis-benchmark]
 * tests:
 *   the command is sent: '_client: obuf, "Bytes of obuf already written".'
 *   then the reply is awaited: 'ae: the readable event with readHandler; createClient installs the writable one.'
 *   then nothing more is to be written: 'ae: resetClient installs the writable event anew for the next request.'
 *   a request counts as issued once for each of the pipeline: 'config: requests_issued, pipeline.'
 *   no more requests are issued than were asked for: 'config: requests; usage: "Total number of requests".'
 *   the start is noted and the latency is open: '_client: start "Start time of a request"; readHandler: latency below 0.'
 *   random keys are drawn: 'config: randomkeys; randomizeClientKey.'
 *   without random keys the command stays: 'config: randomkeys.'
 *   what does not fit is sent by the next call: '_client: written, "Bytes of obuf already written".'
 *   a request that is sent in parts is issued once: 'config: requests_issued.'
 *   its keys and its start stay the same: '_client: start; a request is one text.'
 *   until all is sent the writable event stays: 'ae: it is called again when there is room.'
 *   a client of a pipeline sends all of its commands: '_client: obuf holds the command N times.'
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

static size_t take(char *into, size_t room) {
    size_t n = 0;
    ssize_t got;
    while (n < room && (got = read(fds[1], into + n, room - n)) > 0) n += got;
    return n;
}

static void install(client c) {
    aeCreateFileEvent(config.el, fds[0], AE_WRITABLE, writeHandler, c);
}

int main(void) {
    static char text[9 << 20];
    begin(10, 1);
    client c = pair("PING\r\n");
    install(c);
    c->latency = 77;
    writeHandler(config.el, fds[0], c, AE_WRITABLE);
    test_cond("the command is sent", take(text, 100) == 6 && !memcmp(text, "PING\r\n", 6));
    int events = aeGetFileEvents(config.el, fds[0]);
    test_cond("then the reply is awaited", events & AE_READABLE);
    test_cond("then nothing more is to be written", !(events & AE_WRITABLE));
    int issued = config.requests_issued == 1;
    test_cond("the start is noted and the latency is open", c->latency < 0 && llabs(ustime() - c->start) < 60000000);
    begin(10, 4);
    c = pair("GET a\r\nGET a\r\nGET a\r\nGET a\r\n");
    install(c);
    writeHandler(config.el, fds[0], c, AE_WRITABLE);
    test_cond("a request counts as issued once for each of the pipeline", issued && config.requests_issued == 4);
    test_cond("a client of a pipeline sends all of its commands", take(text, 100) == 28);
    begin(2, 1);
    config.requests_issued = 2;
    c = pair("PING\r\n");
    install(c);
    writeHandler(config.el, fds[0], c, AE_WRITABLE);
    int none = take(text, 100) == 0;
    begin(2, 1);
    config.requests_issued = 1;
    writeHandler(config.el, fds[0], c, AE_WRITABLE);
    test_cond("no more requests are issued than were asked for", none && take(text, 100) == 6);

    begin(10, 1);
    c = pair("GET __rand_int__\r\n");
    char *place = c->obuf + 4;
    c->randptr = &place, c->randlen = 1;
    install(c);
    writeHandler(config.el, fds[0], c, AE_WRITABLE);
    int plain = take(text, 100) == 18 && !memcmp(text, "GET __rand_int__\r\n", 18);
    begin(10, 1);
    config.randomkeys = 1, config.randomkeys_keyspacelen = 1000;
    c = pair("GET __rand_int__\r\n");
    place = c->obuf + 4;
    c->randptr = &place, c->randlen = 1;
    install(c);
    writeHandler(config.el, fds[0], c, AE_WRITABLE);
    test_cond("random keys are drawn", take(text, 100) == 18 && !memcmp(text, "GET 000000000", 13));
    test_cond("without random keys the command stays", plain);

    begin(10, 1);
    config.randomkeys = 1, config.randomkeys_keyspacelen = 1000000;
    c = pair("SET __rand_int__ ");
    for (int j = 0; j < 100000; j++) c->obuf = sdscatlen(c->obuf, "0123456789012345678901234567890123456789", 40);
    place = c->obuf + 4;
    c->randptr = &place, c->randlen = 1;
    install(c);
    writeHandler(config.el, fds[0], c, AE_WRITABLE);
    long long start = c->start = 12345;
    char key[13] = "";
    memcpy(key, place, 12);
    int stays = aeGetFileEvents(config.el, fds[0]) == AE_WRITABLE, rounds = 0, same = 1;
    size_t got = take(text, sizeof(text));
    int part = got > 0 && got < sdslen(c->obuf) && c->written == got;
    while (got < sdslen(c->obuf) && rounds++ < 100000) {
        stays &= aeGetFileEvents(config.el, fds[0]) == AE_WRITABLE;
        writeHandler(config.el, fds[0], c, AE_WRITABLE);
        got += take(text + got, sizeof(text) - got);
        same &= c->start == start && !memcmp(key, place, 12);
    }
    test_cond("what does not fit is sent by the next call", part && got == sdslen(c->obuf) && !memcmp(text, c->obuf, got));
    test_cond("a request that is sent in parts is issued once", config.requests_issued == 1);
    test_cond("its keys and its start stay the same", same);
    test_cond("until all is sent the writable event stays", stays && aeGetFileEvents(config.el, fds[0]) == AE_READABLE);
    test_report();
    return 0;
}
