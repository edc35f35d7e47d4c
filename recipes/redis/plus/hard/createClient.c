/*---
 * tasks: [createClient-6b4dee, createClient-6b4dee.2]
 * link: [cli_common.o]
 * goals: [src/redis-benchmark]
 * tests:
 *   the command is in the output buffer: 'Comment: "configured to send the command passed as cmd of len bytes".'
 *   it is there once for each of the pipeline: 'Comment: "copied N times in the client output buffer".'
 *   only len bytes of it: 'Comment: "of len bytes".'
 *   as many replies are awaited: '_client: pending, "Number of pending requests (replies to consume)".'
 *   the client is connected and sends when it can: 'ae: the writable event with writeHandler.'
 *   an idle client only reads: 'config: idlemode; it "only opens N idle connections".'
 *   the client is counted and listed: 'config: liveclients, clients.'
 *   a database is selected before the command: 'Comment: "an initial SELECT command is prepended".'
 *   AUTH comes before it: '_client: "commands such as auth and select are prefixed to the pipeline".'
 *   AUTH with a user: 'Usage: --user; AUTH username password.'
 *   tracking and the third version of the protocol are asked for: 'config: enable_tracking, resp3.'
 *   replies to prefix commands are awaited too: '_client: prefix_pending.'
 *   the length of prefix commands is known: '_client: prefixlen.'
 *   places of random keys are found: 'Comment: "offsets of the __rand_int__ elements inside the command line".'
 *   many places of random keys are found: '_client: randptr, randfree.'
 *   without random keys there are none: 'config: randomkeys.'
 *   a clone has the command of the other: 'Comment: "1) The command line to use".'
 *   a clone has its own places of random keys: 'Comment: "2) The offsets of the __rand_int__ elements".'
 *   a clone of one that dropped its prefix has a prefix: 'Comment: "Even when cloning another client, prefix commands are applied if needed".'
 *   nothing is written yet: '_client: written.'
 *   a client of a thread uses its events: 'config: threads; CLIENT_GET_EVENTLOOP.'
 ---*/
#include <fcntl.h>
#include <sys/socket.h>
#define main benchmark_main
#include "../redis-benchmark.c"
#undef main
#include "../testhelp.h"

#include <sys/un.h>

static char socketPath[100];
static int server;

/* A socket in a fresh folder that takes connections; nobody answers. */
static void listenThere(void) {
    char folder[] = "/tmp/plusXXXXXX";
    if (!mkdtemp(folder)) exit(2);
    snprintf(socketPath, sizeof(socketPath), "%s/s", folder);
    server = socket(AF_UNIX, SOCK_STREAM, 0);
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strcpy(address.sun_path, socketPath);
    if (bind(server, (struct sockaddr *)&address, sizeof(address)) || listen(server, 100)) exit(2);
    config.hostsocket = socketPath;
    config.el = aeCreateEventLoop(1024);
    config.clients = listCreate();
    config.pipeline = 1;
    config.numclients = 50;
    config.input_dbnumstr = sdsnew("0");
}

static void leave(void) {
    unlink(socketPath);
    *strrchr(socketPath, '/') = '\0';
    rmdir(socketPath);
}

#define PING "*1\r\n$4\r\nPING\r\n"
#define SELECT3 "*2\r\n$6\r\nSELECT\r\n$1\r\n3\r\n"

static client make(const char *command, client from) {
    return createClient((char *)command, command ? strlen(command) : 0, from, -1);
}

int main(void) {
    listenThere();
    client c = make(PING, NULL);
    test_cond("the command is in the output buffer", !strcmp(c->obuf, PING));
    int plain = c->pending == 1 && c->prefix_pending == 0 && c->prefixlen == 0 && c->randlen == 0;
    int connected = !c->context->err && c->context->fd >= 0 && aeGetFileEvents(config.el, c->context->fd) == AE_WRITABLE;
    test_cond("the client is connected and sends when it can", connected && accept(server, NULL, NULL) >= 0);
    test_cond("the client is counted and listed",
              config.liveclients == 1 && listLength(config.clients) == 1 && listSearchKey(config.clients, c) != NULL);
    test_cond("nothing is written yet", c->written == 0 && c->thread_id == -1 && c->cluster_node == NULL);
    c = createClient("PINGxx", 4, NULL, -1);
    test_cond("only len bytes of it", !strcmp(c->obuf, "PING"));
    config.pipeline = 3;
    c = make(PING, NULL);
    test_cond("it is there once for each of the pipeline", !strcmp(c->obuf, PING PING PING));
    test_cond("as many replies are awaited", plain && c->pending == 3);
    config.pipeline = 1;
    config.idlemode = 1;
    c = make(PING, NULL);
    test_cond("an idle client only reads", aeGetFileEvents(config.el, c->context->fd) == AE_READABLE);
    config.idlemode = 0;

    config.conn_info.input_dbnum = 3;
    config.input_dbnumstr = sdsnew("3");
    c = make(PING, NULL);
    test_cond("a database is selected before the command", !strcmp(c->obuf, SELECT3 PING));
    int pending = c->prefix_pending == 1 && c->pending == 2, length = c->prefixlen == (int)strlen(SELECT3);
    config.conn_info.auth = "secret";
    c = make(PING, NULL);
    test_cond("AUTH comes before it", !strcmp(c->obuf, "*2\r\n$4\r\nAUTH\r\n$6\r\nsecret\r\n" SELECT3 PING));
    pending &= c->prefix_pending == 2 && c->pending == 3;
    config.conn_info.user = "me";
    c = make(PING, NULL);
    test_cond("AUTH with a user", !strncmp(c->obuf, "*3\r\n$4\r\nAUTH\r\n$2\r\nme\r\n$6\r\nsecret\r\n", 34));
    config.enable_tracking = config.resp3 = 1;
    config.pipeline = 2;
    c = make(PING, NULL);
    char *hello = strstr(c->obuf, "HELLO\r\n$1\r\n3\r\n"), *tracking = strstr(c->obuf, "CLIENT\r\n$8\r\nTRACKING\r\n$2\r\non\r\n");
    test_cond("tracking and the third version of the protocol are asked for", hello && tracking && strstr(c->obuf, PING PING));
    test_cond("replies to prefix commands are awaited too", pending && c->prefix_pending == 4 && c->pending == 6);
    test_cond("the length of prefix commands is known", length && !strcmp(c->obuf + c->prefixlen, PING PING));
    config.enable_tracking = config.resp3 = 0;
    config.conn_info.auth = config.conn_info.user = NULL;

    config.randomkeys = 1;
    const char *get = "GET __rand_int__ __rand_int__\r\n";
    client first = make(get, NULL);
    int found = first->randlen == 4;
    for (size_t j = 0; found && j < 4; j++) found = !strncmp(first->randptr[j], "__rand_int__", 12) && (!j || first->randptr[j] > first->randptr[j - 1]);
    test_cond("places of random keys are found", found && first->randptr[0] == first->obuf + first->prefixlen + 4);
    char many[2000] = "MGET";
    for (int j = 0; j < 50; j++) strcat(many, " __rand_int__");
    c = make(many, NULL);
    found = c->randlen == 100;
    for (size_t j = 0; found && j < 100; j++) found = !strncmp(c->randptr[j], "__rand_int__", 12) && (!j || c->randptr[j] > c->randptr[j - 1]);
    test_cond("many places of random keys are found", found);
    client clone = make(NULL, first);
    test_cond("a clone has the command of the other", !strcmp(clone->obuf, first->obuf) && clone->pending == first->pending);
    found = clone->randlen == 4;
    for (size_t j = 0; found && j < 4; j++) found = clone->randptr[j] - clone->obuf == first->randptr[j] - first->obuf;
    test_cond("a clone has its own places of random keys", found && clone->randptr != first->randptr);
    /* As readHandler does it. */
    sdsrange(first->obuf, first->prefixlen, -1);
    for (size_t j = 0; j < first->randlen; j++) first->randptr[j] -= first->prefixlen;
    first->prefixlen = 0;
    clone = make(NULL, first);
    found = clone->randlen == 4;
    for (size_t j = 0; found && j < 4; j++) found = !strncmp(clone->randptr[j], "__rand_int__", 12);
    test_cond("a clone of one that dropped its prefix has a prefix",
              found && !strncmp(clone->obuf, SELECT3, strlen(SELECT3)) && !strcmp(clone->obuf + strlen(SELECT3), first->obuf) &&
              clone->prefixlen == (int)strlen(SELECT3) && clone->prefix_pending == 1 && clone->pending == 3);
    config.randomkeys = 0;
    c = make(get, NULL);
    test_cond("without random keys there are none", c->randlen == 0 && c->randptr == NULL);
    benchmarkThread thread = {.index = 0, .el = aeCreateEventLoop(1024)}, *threads[] = {&thread};
    config.threads = threads, config.num_threads = 1;
    c = createClient(PING, strlen(PING), NULL, 0);
    test_cond("a client of a thread uses its events",
              c->thread_id == 0 && aeGetFileEvents(thread.el, c->context->fd) == AE_WRITABLE && aeGetFileEvents(config.el, c->context->fd) == AE_NONE);
    leave();
    test_report();
    return 0;
}
