/*---
 * tasks: [expireSlaveKeys-f8757a.16]
 * tests:
 *   the client is marked: 'freeClientsInAsyncFreeQueue: "Free the clients marked as CLOSE_ASAP".'
 *   the client is put into the queue: 'Comment: "Schedule a client to free it at a safe time".'
 *   the client is not freed yet: 'Comment: "the client should be valid for the continuation of the flow of the program".'
 *   a client is scheduled once: 'server.h: clients_to_close; it would be freed twice.'
 *   a client that is marked already is not scheduled: 'CLIENT_CLOSE_ASAP: it is in the queue, or is about to be freed.'
 *   the client of scripts is never scheduled: 'CLIENT_SCRIPT: it is no connection, and serves all scripts.'
 *   several clients keep their order: 'server.h: clients_to_close is a list; freed from its head.'
 *   other flags stay: 'It marks alone.'
 *   with threads clients are scheduled too: 'Comment in the body: "while Redis uses I/O threads".'
 *   with threads a client is scheduled once: 'server.h: clients_to_close.'
 *   threads may schedule at the same time: 'Comment in the body: "We need to handle concurrent access to the server.clients_to_close list".'
 *   scheduled clients are freed then: 'freeClientsInAsyncFreeQueue.'
 ---*/
#include "start.h"
#include "../testhelp.h"

#define MANY 4000
static client *many[4][MANY];

static void *schedule(void *p) {
    client **clients = p;
    for (int j = 0; j < MANY; j++) freeClientAsync(clients[j]);
    return NULL;
}

static client *join(void) {
    client *c = subscriberClient();
    c->flags &= ~CLIENT_SCRIPT;
    linkClient(c);
    return c;
}

int main(void) {
    startRedis();
    client *a = join(), *b = join(), *d = join();
    uint64_t flags = a->flags;
    freeClientAsync(a);
    test_cond("the client is marked", (a->flags & CLIENT_CLOSE_ASAP) && !(b->flags & CLIENT_CLOSE_ASAP));
    test_cond("other flags stay", a->flags == (flags|CLIENT_CLOSE_ASAP));
    test_cond("the client is put into the queue", listLength(server.clients_to_close) == 1 &&
              listNodeValue(listFirst(server.clients_to_close)) == a);
    test_cond("the client is not freed yet", lookupClientByID(a->id) == a && listLength(server.clients) == 3);
    freeClientAsync(a);
    freeClientAsync(a);
    test_cond("a client is scheduled once", listLength(server.clients_to_close) == 1);
    d->flags |= CLIENT_CLOSE_ASAP;
    freeClientAsync(d);
    test_cond("a client that is marked already is not scheduled", listLength(server.clients_to_close) == 1);
    d->flags &= ~CLIENT_CLOSE_ASAP;
    client *script = fakeClient();
    freeClientAsync(script);
    test_cond("the client of scripts is never scheduled", listLength(server.clients_to_close) == 1 &&
              !(script->flags & CLIENT_CLOSE_ASAP));
    freeClientAsync(d), freeClientAsync(b);
    listNode *ln = listFirst(server.clients_to_close);
    test_cond("several clients keep their order", listLength(server.clients_to_close) == 3 && listNodeValue(ln) == a &&
              listNodeValue(ln->next) == d && listNodeValue(ln->next->next) == b);
    int n = freeClientsInAsyncFreeQueue();
    test_cond("scheduled clients are freed then", n == 3 && listLength(server.clients) == 0 &&
              listLength(server.clients_to_close) == 0);
    server.io_threads_num = 4;
    a = join();
    freeClientAsync(a);
    test_cond("with threads clients are scheduled too", (a->flags & CLIENT_CLOSE_ASAP) && listLength(server.clients_to_close) == 1);
    freeClientAsync(a), freeClientAsync(script);
    test_cond("with threads a client is scheduled once", listLength(server.clients_to_close) == 1);
    for (int t = 0; t < 4; t++) for (int j = 0; j < MANY; j++) many[t][j] = zcalloc(sizeof(client));
    pthread_t threads[4];
    for (int t = 0; t < 4; t++) pthread_create(&threads[t],NULL,schedule,many[t]);
    for (int t = 0; t < 4; t++) pthread_join(threads[t],NULL);
    int found = 0;
    for (ln = listFirst(server.clients_to_close); ln; ln = ln->next) found++;
    test_cond("threads may schedule at the same time", listLength(server.clients_to_close) == 4*MANY+1 && found == 4*MANY+1);
    test_report();
    return 0;
}
