/*---
 * tasks: [createClient-6b4dee.2]
 * link: [cli_common.o]
 * goals: [src/redis-benchmark]
 * tests:
 *   clients are made until there are as many as asked for: 'config: numclients; usage: "Number of parallel connections".'
 *   none is made where there are enough: 'config: liveclients, numclients.'
 *   only the missing ones are made: 'The name.'
 *   each sends the command of the one given: 'createClient: "using another client as reference".'
 *   each has its own connection: 'createClient.'
 *   without threads they belong to none: '_client: thread_id -1.'
 *   threads get them in turn: 'config: num_threads; liveclients.'
 *   the one given is left alone: 'createClient: "use as reference".'
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

int main(void) {
    listenThere();
    config.pipeline = 2;
    config.numclients = 5;
    client c = createClient("PING\r\n", 6, NULL, -1);
    createMissingClients(c);
    test_cond("clients are made until there are as many as asked for", config.liveclients == 5 && listLength(config.clients) == 5);
    createMissingClients(c);
    int enough = config.liveclients == 5;
    config.numclients = 3;
    createMissingClients(c);
    test_cond("none is made where there are enough", enough && config.liveclients == 5 && listLength(config.clients) == 5);
    config.numclients = 8;
    createMissingClients(c);
    test_cond("only the missing ones are made", config.liveclients == 8 && listLength(config.clients) == 8);
    int same = 1, own = 1, none = 1;
    listIter li, lj;
    listNode *ln, *lm;
    listRewind(config.clients, &li);
    while ((ln = listNext(&li)) != NULL) {
        client one = ln->value;
        same &= !strcmp(one->obuf, "PING\r\nPING\r\n") && one->pending == 2;
        none &= one->thread_id == -1;
        listRewind(config.clients, &lj);
        while ((lm = listNext(&lj)) != NULL) {
            client two = lm->value;
            own &= one == two || (one->context->fd != two->context->fd && one->obuf != two->obuf);
        }
    }
    test_cond("each sends the command of the one given", same);
    test_cond("each has its own connection", own);
    test_cond("without threads they belong to none", none);
    benchmarkThread a = {.index = 0, .el = aeCreateEventLoop(1024)}, b = {.index = 1, .el = aeCreateEventLoop(1024)};
    benchmarkThread *threads[] = {&a, &b};
    config.threads = threads, config.num_threads = 2;
    config.numclients = 12;
    createMissingClients(c);
    int turn = config.liveclients == 12, number = 0;
    listRewind(config.clients, &li);
    while ((ln = listNext(&li)) != NULL) {
        client one = ln->value;
        if (number >= 8) turn &= one->thread_id == number % 2;
        number++;
    }
    test_cond("threads get them in turn", turn && number == 12);
    test_cond("the one given is left alone", !strcmp(c->obuf, "PING\r\nPING\r\n") && c->pending == 2 && c->thread_id == -1 && c->written == 0);
    leave();
    test_report();
    return 0;
}
