/*---
 * tasks: [luaCreateFunction-73df11.16]
 * tests:
 *   the client is no longer among the clients: 'Comment in the body: "Unlink the client".'
 *   its connection is closed: 'Comment in the body: "this will close the socket".'
 *   a client without a connection can be freed: 'createClient: "a non connected client".'
 *   a protected client is scheduled instead: 'Comment in the body: "If a client is protected, yet we need to free it right now, make sure to at least use asynchronous freeing".'
 *   a client that was scheduled is taken from the queue: 'Comment in the body: "If this client was scheduled for async freeing we need to remove it from the queue".'
 *   a client that is blocked is unblocked: 'Comment in the body: "Deallocate structures used to block on blocking ops".'
 *   keys that it watched are not watched any more: 'Comment in the body: "UNWATCH all the keys".'
 *   its subscriptions are gone: 'Comment in the body: "Unsubscribe from all the pubsub channels".'
 *   it is no pubsub client any more: 'unmarkClientAsPubSub; INFO pubsub_clients.'
 *   a tracking client is counted no more: 'unlinkClient: "Clear the tracking status".'
 *   pending writes of it are gone: 'unlinkClient; a freed client must not be written to.'
 *   its share of the memory of clients is taken back: 'Comment in the body: "Remove the contribution that this client gave to our incrementally computed memory usage".'
 *   it leaves its bucket: 'Comment in the body: "Remove client from memory usage buckets".'
 *   a replica is no longer among the replicas: 'Comment in the body: "we lost the connection with a slave".'
 *   without replicas the time is kept: 'Comment in the body: "remember the time when we started to have zero attached slaves".'
 *   with other replicas the time stays: 'Comment in the body: "zero attached slaves".'
 *   the replication buffer of a replica is released: 'freeReplicaReferencedReplBuffer; replBufBlock.refcount.'
 *   a monitor is no longer among the monitors: 'Body: monitors are marked as replicas too.'
 *   objects of the client lose a reference: 'Comment in the body: "Release other dynamically allocated client structure fields".'
 *   a transaction is freed with its commands: 'freeClientMultiState.'
 *   all memory is given back: 'Comment in the body: "and finally release the client structure itself".'
 ---*/
#include "wirecheck.h"

void feedReplicationBuffer(char *s, size_t len);
void createReplicationBacklog(void);

static int closed;
static void countClose(struct connection *conn) {
    closed++;
    zfree(conn);
}

static void run_(client *c, int argc, const char *a, const char *b, const char *d) {
    const char *words[] = {a,b,d};
    setArguments(c,argc,words);
    c->cmd->proc(c);
}

static void fullLife(void) {
    client *c = wireClient();
    run_(c,2,"watch","key",NULL);
    run_(c,2,"subscribe","news",NULL), run_(c,2,"psubscribe","n*",NULL), run_(c,2,"ssubscribe","s",NULL);
    run_(c,1,"multi",NULL,NULL);
    setArguments(c,3,(const char*[]){"set","key","value"});
    queueMultiCommand(c,c->cmd->flags);
    c->name = createStringObject("name",4), c->lib_name = createStringObject("lib",3), c->lib_ver = createStringObject("1",1);
    c->peerid = sdsnew("peer"), c->sockname = sdsnew("sock"), c->slave_addr = sdsnew("addr");
    c->querybuf = sdscat(c->querybuf,"partial");
    addReplyBulkCString(c,"a reply");
    addNode(c,"a node of the list");
    afterErrorReply(c,"ERR x",5,0);
    freeClient(c);
}

int main(void) {
    startRedis();
    signal(SIGALRM,SIG_DFL), alarm(60);
    wire_type.close = countClose;
    client *c = wireClient(), *other = wireClient();
    uint64_t id = c->id;
    freeClient(c);
    test_cond("the client is no longer among the clients", listLength(server.clients) == 1 && !lookupClientByID(id) &&
              lookupClientByID(other->id) == other);
    test_cond("its connection is closed", closed == 1);
    freeClient(createClient(NULL));
    test_cond("a client without a connection can be freed", listLength(server.clients) == 1 && closed == 1);
    c = wireClient();
    c->flags |= CLIENT_PROTECTED;
    freeClient(c);
    test_cond("a protected client is scheduled instead", lookupClientByID(c->id) == c && (c->flags & CLIENT_CLOSE_ASAP) &&
              listSearchKey(server.clients_to_close,c));
    c->flags &= ~CLIENT_PROTECTED;
    freeClient(c);
    test_cond("a client that was scheduled is taken from the queue", listLength(server.clients_to_close) == 0 &&
              listLength(server.clients) == 1);
    c = wireClient();
    run_(c,3,"blpop","list","0");
    int blocked = server.blocked_clients == 1 && dictSize(server.db[0].blocking_keys) == 1;
    freeClient(c);
    test_cond("a client that is blocked is unblocked", blocked && server.blocked_clients == 0 &&
              dictSize(server.db[0].blocking_keys) == 0 && listLength(server.unblocked_clients) == 0);
    c = wireClient();
    run_(c,2,"watch","key",NULL);
    int watched = dictSize(server.db[0].watched_keys) == 1;
    freeClient(c);
    test_cond("keys that it watched are not watched any more", watched && dictSize(server.db[0].watched_keys) == 0);
    c = wireClient();
    run_(c,2,"subscribe","news",NULL), run_(c,2,"psubscribe","n*",NULL), run_(c,2,"ssubscribe","s",NULL);
    run_(other,2,"subscribe","news",NULL);
    int subs = pubsubTotalSubscriptions() == 3 && server.pubsub_clients == 2;
    freeClient(c);
    test_cond("its subscriptions are gone", subs && pubsubTotalSubscriptions() == 1);
    test_cond("it is no pubsub client any more", subs && server.pubsub_clients == 1);
    c = wireClient();
    enableTracking(c,0,0,NULL,0);
    int tracking = server.tracking_clients == 1;
    freeClient(c);
    test_cond("a tracking client is counted no more", tracking && server.tracking_clients == 0);
    handleClientsWithPendingWrites();
    c = wireClient();
    addReplyLongLong(c,7);
    int pending = listLength(server.clients_pending_write) == 1;
    freeClient(c);
    wireClear(1000);
    test_cond("pending writes of it are gone", pending && listLength(server.clients_pending_write) == 0 &&
              handleClientsWithPendingWrites() == 0);
    server.maxmemory_clients = 1L << 40;
    initServerClientMemUsageBuckets();
    c = wireClient();
    size_t type = server.stat_clients_type_memory[CLIENT_TYPE_NORMAL];
    updateClientMemUsageAndBucket(c);
    clientMemUsageBucket *bucket = c->mem_usage_bucket;
    size_t usage = c->last_memory_usage;
    int counted = bucket && bucket->mem_usage_sum == usage && listLength(bucket->clients) == 1 && usage > 0 &&
                  server.stat_clients_type_memory[CLIENT_TYPE_NORMAL] == type+usage;
    freeClient(c);
    test_cond("its share of the memory of clients is taken back", counted && server.stat_clients_type_memory[CLIENT_TYPE_NORMAL] == type);
    test_cond("it leaves its bucket", counted && bucket->mem_usage_sum == 0 && listLength(bucket->clients) == 0);
    server.maxmemory_clients = 0;

    createReplicationBacklog();
    client *r1 = wireClient(), *r2 = wireClient();
    r1->flags |= CLIENT_SLAVE, r2->flags |= CLIENT_SLAVE;
    r1->replstate = r2->replstate = SLAVE_STATE_ONLINE;
    listAddNodeTail(server.slaves,r1), listAddNodeTail(server.slaves,r2);
    feedReplicationBuffer("data",4);
    replBufBlock *block = listNodeValue(listFirst(server.repl_buffer_blocks));
    int refs = block->refcount;
    server.repl_no_slaves_since = 5;
    server.unixtime = 777;
    freeClient(r1);
    test_cond("with other replicas the time stays", server.repl_no_slaves_since == 5);
    test_cond("the replication buffer of a replica is released", refs >= 2 && block->refcount == refs-1);
    int one = listLength(server.slaves) == 1 && listNodeValue(listFirst(server.slaves)) == r2;
    freeClient(r2);
    test_cond("a replica is no longer among the replicas", one && listLength(server.slaves) == 0);
    test_cond("without replicas the time is kept", server.repl_no_slaves_since == 777);
    c = wireClient();
    c->flags |= CLIENT_SLAVE|CLIENT_MONITOR;
    listAddNodeTail(server.monitors,c);
    server.repl_no_slaves_since = 5;
    freeClient(c);
    test_cond("a monitor is no longer among the monitors", listLength(server.monitors) == 0 && server.repl_no_slaves_since == 5);
    c = wireClient();
    robj *name = createStringObject("name",4), *arg = createStringObject("arg",3);
    c->name = c->lib_name = c->lib_ver = name;
    name->refcount = 4;
    c->argv = zmalloc(sizeof(robj*)), c->argv[0] = arg, c->argc = c->argv_len = 1;
    c->original_argv = zmalloc(sizeof(robj*)), c->original_argv[0] = arg, c->original_argc = 1;
    arg->refcount = 3;
    freeClient(c);
    test_cond("objects of the client lose a reference", name->refcount == 1 && arg->refcount == 1);
    c = wireClient();
    run_(c,1,"multi",NULL,NULL);
    setArguments(c,2,(const char*[]){"get","key"});
    robj *queued = c->argv[1];
    incrRefCount(queued);
    queueMultiCommand(c,c->cmd->flags);
    freeClient(c);
    test_cond("a transaction is freed with its commands", queued->refcount == 1);
    size_t before = 0;
    for (int j = 0; j < 30; j++) {
        if (j == 15) before = zmalloc_used_memory();
        fullLife();
    }
    test_cond("all memory is given back", zmalloc_used_memory() == before);
    test_report();
    return 0;
}
