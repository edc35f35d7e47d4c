/*---
 * tasks: [expireSlaveKeys-f8757a.8, expireSlaveKeys-f8757a.16]
 * tests:
 *   without clients to free it returns 0: 'Comment: "return the number of clients freed".'
 *   a client of the queue is freed: 'Comment: "Free the clients marked as CLOSE_ASAP".'
 *   all clients of the queue are freed: 'Comment: "Free the clients marked as CLOSE_ASAP".'
 *   the number of freed clients is returned: 'Comment: "return the number of clients freed"; caller beforeSleep sums it up.'
 *   afterwards the queue is empty: 'server.h: clients_to_close, "Clients to close asynchronously".'
 *   a second call frees nothing: 'Comment: "return the number of clients freed".'
 *   other clients stay: 'Comment: "the clients marked as CLOSE_ASAP".'
 *   a protected client stays: 'server.h: CLIENT_PROTECTED, "Client should not be freed for now".'
 *   a protected client waits in the queue: 'networking.c: protectClient and unprotectClient; it is freed later.'
 *   a protected client keeps its mark: 'networking.c: freeClientAsync adds no marked client twice; replies to it are dropped.'
 *   a protected client is not counted: 'Comment: "return the number of clients freed".'
 *   clients behind a protected one are freed: 'Comment: "Free the clients marked as CLOSE_ASAP".'
 *   a client that is no longer protected is freed: 'server.h: CLIENT_PROTECTED, "for now".'
 *   subscriptions of a freed client are gone: 'networking.c: freeClient.'
 *   a client that blocks is freed: 'networking.c: freeClient, "Deallocate structures used to block on blocking ops".'
 *   nothing is kept: 'Caller beforeSleep runs for ever.'
 ---*/
#include "start.h"
#include "../testhelp.h"

static client *join(void) {
    client *c = subscriberClient();
    c->flags &= ~CLIENT_SCRIPT;
    linkClient(c);
    return c;
}

static int alive(uint64_t id) {
    return lookupClientByID(id) != NULL;
}

static void command(client *c, int argc, const char *a, const char *b, const char *d) {
    const char *words[] = {a,b,d};
    setArguments(c,argc,words);
    c->cmd->proc(c);
    sdsfree(replyOf(c));
}

int main(void) {
    startRedis();
    client *other = join(), *c = join();
    uint64_t id = c->id;
    test_cond("without clients to free it returns 0", freeClientsInAsyncFreeQueue() == 0);
    freeClientAsync(c);
    int n = freeClientsInAsyncFreeQueue();
    test_cond("a client of the queue is freed", n == 1 && !alive(id) && listLength(server.clients) == 1);
    test_cond("afterwards the queue is empty", listLength(server.clients_to_close) == 0);
    client *many[5];
    uint64_t ids[5];
    for (int j = 0; j < 5; j++) many[j] = join(), ids[j] = many[j]->id;
    command(many[0],2,"subscribe","news",NULL);
    command(many[1],3,"blpop","list","0");
    int blocked = (many[1]->flags & CLIENT_BLOCKED) && pubsubTotalSubscriptions() == 1;
    for (int j = 0; j < 5; j++) freeClientAsync(many[j]);
    n = freeClientsInAsyncFreeQueue();
    int left = 0;
    for (int j = 0; j < 5; j++) left += alive(ids[j]);
    test_cond("all clients of the queue are freed", left == 0 && listLength(server.clients_to_close) == 0);
    test_cond("the number of freed clients is returned", n == 5);
    test_cond("subscriptions of a freed client are gone", blocked && pubsubTotalSubscriptions() == 0);
    test_cond("a client that blocks is freed", blocked && dictSize(server.db[0].blocking_keys) == 0 &&
              server.blocked_clients == 0);
    test_cond("a second call frees nothing", freeClientsInAsyncFreeQueue() == 0);
    test_cond("other clients stay", alive(other->id) && !(other->flags & CLIENT_CLOSE_ASAP));

    for (int j = 0; j < 4; j++) many[j] = join(), ids[j] = many[j]->id;
    many[1]->flags |= CLIENT_PROTECTED;
    many[2]->flags |= CLIENT_PROTECTED;
    for (int j = 0; j < 4; j++) freeClientAsync(many[j]);
    n = freeClientsInAsyncFreeQueue();
    test_cond("a protected client stays", alive(ids[1]) && alive(ids[2]));
    test_cond("a protected client waits in the queue", listLength(server.clients_to_close) == 2 &&
              listSearchKey(server.clients_to_close,many[1]) && listSearchKey(server.clients_to_close,many[2]));
    test_cond("a protected client keeps its mark", (many[1]->flags & CLIENT_CLOSE_ASAP) &&
              (many[2]->flags & CLIENT_CLOSE_ASAP));
    test_cond("a protected client is not counted", n == 2);
    test_cond("clients behind a protected one are freed", !alive(ids[0]) && !alive(ids[3]));
    n = freeClientsInAsyncFreeQueue();
    many[1]->flags &= ~CLIENT_PROTECTED;
    int n2 = freeClientsInAsyncFreeQueue();
    int kept = alive(ids[2]);
    many[2]->flags &= ~CLIENT_PROTECTED;
    test_cond("a client that is no longer protected is freed", n == 0 && n2 == 1 && !alive(ids[1]) && kept &&
              freeClientsInAsyncFreeQueue() == 1 && !alive(ids[2]) && listLength(server.clients_to_close) == 0);
    size_t before = 0;
    for (int j = 0; j < 30; j++) {
        if (j == 10) before = zmalloc_used_memory();
        freeClientAsync(join());
        freeClientAsync(join());
        freeClientsInAsyncFreeQueue();
    }
    test_cond("nothing is kept", zmalloc_used_memory() == before);
    test_report();
    return 0;
}
