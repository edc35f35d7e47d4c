/*---
 * tasks: [34E0B83C2E59A0E6]
 * tests:
 *   what a client uses is added to the sum of its type: 'Docstring: it "updates the client memory usage and update the server stats for client type".'
 *   the usage is remembered in the client: 'Docstring: it "updates the client memory usage"; server.c: updateClientMemUsageAndBucket reads it.'
 *   the type is remembered in the client: 'networking.c: unlinkClient takes the usage off the remembered type.'
 *   a second call does not count it twice: 'Docstring: it updates the statistics; clientsCron calls it again and again.'
 *   what a client uses more is added: 'Docstring: "to have updated stats".'
 *   what a client uses less is taken off: 'Docstring: "to have updated stats".'
 *   a client's output is counted: 'networking.c: getClientMemoryUsage.'
 *   a client that subscribes moves to the sum of its new type: 'Docstring: "stats for client type"; networking.c: getClientType.'
 *   a subscriber's memory leaves the sum of the normal clients: 'Docstring: "stats for client type".'
 *   a replica is counted as a replica: 'Docstring: "accurately provide information around clients memory usage"; networking.c: getClientType.'
 *   a master is counted as a master: 'networking.c: getClientType.'
 *   a monitor is counted as a normal client: 'networking.c: getClientType exposes "MONITOR clients" as normal ones.'
 *   the clients of a type are added up: 'object.c: getMemoryOverheadData shows the sums in MEMORY STATS.'
 *   one client's update leaves the others' shares: 'object.c: getMemoryOverheadData shows the sums in MEMORY STATS.'
 *   nothing is left when all clients are taken off: 'networking.c: unlinkClient takes off what was remembered.'
 ---*/
#include "../server.h"
#include "../testhelp.h"

void initServerConfig(void);
void initServer(void);
void updateClientMemoryUsage(client *c);

#define SUM(type) server.stat_clients_type_memory[CLIENT_TYPE_##type]

static client *make(void) {
    client *c = createClient(NULL);
    c->conn = connCreate(connectionTypeTcp());
    c->querybuf = sdsempty();
    return c;
}

static void become(client *c, uint64_t flags) {
    c->flags = flags;
    updateClientMemoryUsage(c);
}

int main(void) {
    initServerConfig();
    ACLInit();
    moduleInitModulesSystem();
    connTypeInitialize();
    server.logfile = zstrdup("/dev/null");
    initServer();

    client *a = make(), *b = make();
    size_t mem = getClientMemoryUsage(a, NULL), before;
    updateClientMemoryUsage(a);
    test_cond("what a client uses is added to the sum of its type",
              SUM(NORMAL) == mem && SUM(PUBSUB) == 0 && SUM(SLAVE) == 0 && SUM(MASTER) == 0);
    test_cond("the usage is remembered in the client", a->last_memory_usage == mem);
    test_cond("the type is remembered in the client", a->last_memory_type == CLIENT_TYPE_NORMAL);
    updateClientMemoryUsage(a);
    updateClientMemoryUsage(a);
    test_cond("a second call does not count it twice", SUM(NORMAL) == mem);
    a->querybuf = sdsMakeRoomForNonGreedy(a->querybuf, 100000);
    before = SUM(NORMAL);
    mem = getClientMemoryUsage(a, NULL);
    updateClientMemoryUsage(a);
    test_cond("what a client uses more is added", mem > before + 99999 && SUM(NORMAL) == mem);
    sdsfree(a->querybuf);
    a->querybuf = sdsempty();
    updateClientMemoryUsage(a);
    test_cond("what a client uses less is taken off", SUM(NORMAL) == before && a->last_memory_usage == before);
    before = SUM(NORMAL);
    a->reply_bytes += 70000;
    updateClientMemoryUsage(a);
    test_cond("a client's output is counted", SUM(NORMAL) == before + 70000);
    a->reply_bytes -= 70000;

    updateClientMemoryUsage(a);
    updateClientMemoryUsage(b);
    size_t mem_a = getClientMemoryUsage(a, NULL), mem_b = getClientMemoryUsage(b, NULL);
    test_cond("the clients of a type are added up", SUM(NORMAL) == mem_a + mem_b);
    become(a, CLIENT_PUBSUB);
    test_cond("a client that subscribes moves to the sum of its new type",
              SUM(PUBSUB) == getClientMemoryUsage(a, NULL) && a->last_memory_type == CLIENT_TYPE_PUBSUB);
    test_cond("a subscriber's memory leaves the sum of the normal clients", SUM(NORMAL) == mem_b);
    updateClientMemoryUsage(b);
    test_cond("one client's update leaves the others' shares", SUM(NORMAL) == mem_b && SUM(PUBSUB) == mem_a);
    become(a, CLIENT_SLAVE);
    test_cond("a replica is counted as a replica",
              SUM(SLAVE) == getClientMemoryUsage(a, NULL) && SUM(PUBSUB) == 0 && SUM(NORMAL) == mem_b);
    become(a, CLIENT_MASTER);
    test_cond("a master is counted as a master", SUM(MASTER) == getClientMemoryUsage(a, NULL) && SUM(SLAVE) == 0);
    become(a, CLIENT_SLAVE | CLIENT_MONITOR);
    test_cond("a monitor is counted as a normal client", SUM(MASTER) == 0 && SUM(NORMAL) == mem_a + mem_b);
    client *both[] = {a, b};
    for (int j = 0; j < 2; j++)
        server.stat_clients_type_memory[both[j]->last_memory_type] -= both[j]->last_memory_usage;
    test_cond("nothing is left when all clients are taken off",
              SUM(NORMAL) == 0 && SUM(PUBSUB) == 0 && SUM(SLAVE) == 0 && SUM(MASTER) == 0);
    test_report();
    return 0;
}
