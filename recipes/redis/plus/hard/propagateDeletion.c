/*---
 * tasks: [expireGenericCommand-82c832.16]
 * tests:
 *   a DEL of the key is propagated: 'Comment: "a DEL/UNLINK operation for this key is sent to all the replicas and the AOF".'
 *   lazily it is an UNLINK: 'Signature: lazy; Comment: "DEL/UNLINK".'
 *   it goes to the replicas and the AOF: 'Comment: "to all the replicas and the AOF file if enabled".'
 *   it is of the given database: 'Signature: db.'
 *   it waits behind what is propagated already: 'Comment: "call() handles server.also_propagate()".'
 *   it is propagated even where propagation is not allowed: 'The body: "no matter what. Even if module executed a command without asking".'
 *   whether propagation is allowed stays as it was: 'The body: "prev_replication_allowed".'
 *   without AOF and replicas nothing is propagated: 'Comment: "if enabled"; alsoPropagate.'
 *   with replicas alone it is propagated: 'Comment: "all the replicas and the AOF file if enabled".'
 *   the key may have any bytes: 'Signature: key; names are Redis strings.'
 *   the key itself stays: 'Comment: it propagates; the caller has deleted it.'
 *   nothing is counted or announced: 'Callers: deleteExpiredKeyAndPropagate does so.'
 *   the references are given back: 'The operation holds its own.'
 *   nothing is left behind: 'The operation holds its own references.'
 ---*/
#include "expiredkey.h"

int main(void) {
    startRedis();
    server.aof_state = AOF_ON;
    server.replication_allowed = 1;
    redisDb *db = &server.db[0];
    robj *key = put(0,"name",str("v"),1);
    listen_();
    long long dirty = server.dirty, expired = server.stat_expiredkeys;
    propagateDeletion(db,key,0);
    test_cond("a DEL of the key is propagated", ops() == 1 && op(0,0,"del","name"));
    test_cond("it goes to the replicas and the AOF", ops() == 1 &&
              server.also_propagate.ops[0].target == (PROPAGATE_AOF|PROPAGATE_REPL));
    propagateDeletion(&server.db[7],key,1);
    test_cond("lazily it is an UNLINK", ops() == 2 && op(1,7,"unlink","name"));
    test_cond("it is of the given database", ops() == 2 && server.also_propagate.ops[0].dbid == 0 &&
              server.also_propagate.ops[1].dbid == 7);
    robj *other = str("other");
    propagateDeletion(&server.db[3],other,0);
    test_cond("it waits behind what is propagated already", ops() == 3 && op(0,0,"del","name") && op(1,7,"unlink","name") &&
              op(2,3,"del","other"));
    test_cond("the key itself stays", there(0,key) && getExpire(db,key) == 1);
    test_cond("nothing is counted or announced", announced("") && server.dirty == dirty && server.stat_expiredkeys == expired);
    forget();
    test_cond("the references are given back", key->refcount == 1 && other->refcount == 1 && ops() == 0);
    int stays = server.replication_allowed == 1;
    server.replication_allowed = 0;
    propagateDeletion(db,key,0);
    int first = ops() == 1 && op(0,0,"del","name");
    stays = stays && server.replication_allowed == 0;
    propagateDeletion(db,key,1);
    test_cond("it is propagated even where propagation is not allowed", first && ops() == 2 && op(1,0,"unlink","name"));
    test_cond("whether propagation is allowed stays as it was", stays && server.replication_allowed == 0);
    server.replication_allowed = 1;
    forget();
    server.aof_state = AOF_OFF;
    propagateDeletion(db,key,0);
    test_cond("without AOF and replicas nothing is propagated", ops() == 0 && key->refcount == 1);
    createReplicationBacklog();
    propagateDeletion(db,key,0);
    test_cond("with replicas alone it is propagated", op(0,0,"del","name") && ops() == 1);
    forget();
    freeReplicationBacklog();
    server.aof_state = AOF_ON;
    robj *bin = createStringObject("a\0\r\n",4);
    propagateDeletion(db,bin,0);
    test_cond("the key may have any bytes", ops() == 1 && sdslen(server.also_propagate.ops[0].argv[1]->ptr) == 4 &&
              !memcmp(server.also_propagate.ops[0].argv[1]->ptr,"a\0\r\n",4));
    forget();
    size_t before = zmalloc_used_memory();
    for (int j = 0; j < 50; j++) propagateDeletion(db,key,j%2), forget();
    test_cond("nothing is left behind", zmalloc_used_memory() == before && key->refcount == 1);
    test_report();
    return 0;
}
