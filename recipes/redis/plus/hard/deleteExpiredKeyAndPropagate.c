/*---
 * tasks: [expireGenericCommand-82c832.16]
 * tests:
 *   the key is deleted: 'Comment: "Delete the specified expired key and propagate expire".'
 *   its time to live is deleted too: 'dbGenericDelete.'
 *   a DEL is propagated: 'Comment: "propagate expire"; propagateDeletion.'
 *   with lazyfree-lazy-expire it is an UNLINK: 'redis.conf: lazyfree-lazy-expire.'
 *   with lazyfree-lazy-expire a big value is freed in the background: 'redis.conf: lazyfree-lazy-expire.'
 *   otherwise it is freed at once: 'redis.conf: lazyfree-lazy-expire no.'
 *   it is announced as expired: 'notify.c; redis.conf: x, "Expired events (events generated every time a key expires)".'
 *   it is not announced as deleted: 'redis.conf: x; DEL alone gives a del event.'
 *   without expired events nothing is announced: 'redis.conf: notify-keyspace-events "x".'
 *   clients that watch the key are told: 'signalModifiedKey; commands/watch.'
 *   other watchers are not: 'signalModifiedKey: the key of that database.'
 *   clients that track the key are told: 'signalModifiedKey; commands/client-tracking.'
 *   it is counted as expired: 'INFO expired_keys; server.stat_expiredkeys.'
 *   it does not count as a change of the dataset: 'Callers: lookups and the expire cycle leave server.dirty.'
 *   all is of the given database: 'Signature: db.'
 *   other keys stay: 'Signature: keyobj.'
 *   the name that was passed stays: 'Callers free it afterwards.'
 *   nothing is left behind: 'The key and its value are freed.'
 ---*/
#include "expiredkey.h"

int main(void) {
    startRedis();
    bioInit();
    server.aof_state = AOF_ON;
    server.replication_allowed = 1;
    server.lazyfree_lazy_expire = 0;
    redisDb *db = &server.db[0];
    robj *key = put(0,"name",str("v"),1), *other = put(0,"other",str("o"),1);
    robj *far = put(5,"name",str("far"),1);
    listen_();
    client *w = watcher(0,"alive"), *t = subscriberClient();
    t->resp = 3;
    enableTracking(t,0,CLIENT_TRACKING_BCAST,NULL,0);
    robj *alive = put(0,"alive",str("v"),4000000000000);
    sdsfree(replyOf(listener));
    long long dirty = server.dirty, expired = server.stat_expiredkeys;
    deleteExpiredKeyAndPropagate(db,key);
    trackingBroadcastInvalidationMessages();
    sds s = replyOf(listener);
    test_cond("the key is deleted", !there(0,key));
    test_cond("its time to live is deleted too", getExpire(db,key) == -1);
    test_cond("a DEL is propagated", ops() == 1 && op(0,0,"del","name"));
    test_cond("it is announced as expired", strstr(s,"__keyevent@0__:expired\r\n$4\r\nname\r\n") &&
              strstr(s,"__keyspace@0__:name\r\n$7\r\nexpired\r\n"));
    test_cond("it is not announced as deleted", !strstr(s,":del\r\n") && !strstr(s,"evicted"));
    test_cond("clients that track the key are told", replied(t,">2\r\n$10\r\ninvalidate\r\n*1\r\n$4\r\nname\r\n"));
    test_cond("it is counted as expired", server.stat_expiredkeys == expired+1);
    test_cond("it does not count as a change of the dataset", server.dirty == dirty);
    test_cond("other keys stay", there(0,other) && getExpire(db,other) == 1 && there(5,far));
    test_cond("the name that was passed stays", !strcmp(key->ptr,"name") && key->refcount >= 1);
    disableTracking(t);
    forget();
    int apart = !(w->flags & CLIENT_DIRTY_CAS);
    deleteExpiredKeyAndPropagate(db,alive);
    test_cond("clients that watch the key are told", w->flags & CLIENT_DIRTY_CAS);
    test_cond("other watchers are not", apart);
    forget();
    sdsfree(replyOf(listener));
    deleteExpiredKeyAndPropagate(&server.db[5],far);
    s = replyOf(listener);
    test_cond("all is of the given database", !there(5,far) && op(0,5,"del","name") && ops() == 1 &&
              strstr(s,"__keyevent@5__:expired\r\n$4\r\nname\r\n") && !strstr(s,"@0__") && server.stat_expiredkeys == expired+3);
    forget();
    server.notify_keyspace_events = (NOTIFY_ALL & ~NOTIFY_EXPIRED)|NOTIFY_KEYEVENT|NOTIFY_KEYSPACE;
    deleteExpiredKeyAndPropagate(db,other);
    test_cond("without expired events nothing is announced", announced("") && !there(0,other));
    server.notify_keyspace_events = 0;
    forget();
    freedBehind();
    robj *big = put(0,"big",bigSet(),1);
    deleteExpiredKeyAndPropagate(db,big);
    test_cond("otherwise it is freed at once", !there(0,big) && freedBehind() == 0);
    forget();
    server.lazyfree_lazy_expire = 1;
    put(0,"big",bigSet(),1);
    deleteExpiredKeyAndPropagate(db,big);
    test_cond("with lazyfree-lazy-expire it is an UNLINK", ops() == 1 && op(0,0,"unlink","big") && !there(0,big));
    test_cond("with lazyfree-lazy-expire a big value is freed in the background", freedBehind() == 1);
    forget();
    server.lazyfree_lazy_expire = 0;
    size_t before = zmalloc_used_memory();
    for (int j = 0; j < 50; j++) {
        robj *k = put(0,"name",str("v"),1);
        deleteExpiredKeyAndPropagate(db,k);
        forget();
        decrRefCount(k);
    }
    test_cond("nothing is left behind", zmalloc_used_memory() == before);
    test_report();
    return 0;
}
