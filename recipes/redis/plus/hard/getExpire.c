/*---
 * tasks: [expireGenericCommand-82c832.16]
 * tests:
 *   the time of a key is returned: 'Comment: "Return the expire time of the specified key".'
 *   a key without a time gives -1: 'Comment: "or -1 if no expire is associated with this key".'
 *   a key that does not exist gives -1: 'Comment: "or -1 if no expire is associated with this key".'
 *   a database without any times gives -1: 'Comment: "or -1".'
 *   a time in the past is returned as it is: 'Comment: "Return the expire time"; whether it is past is for keyIsExpired.'
 *   times of more than 32 bits are returned: 'setExpire: "absolute unix time in milliseconds".'
 *   small times are returned: 'Comment: "Return the expire time".'
 *   a changed time is returned: 'setExpire may be called again.'
 *   after the time was removed it is -1: 'removeExpire; commands/persist.'
 *   each database has its own: 'Argument db.'
 *   names of any bytes are told apart: 'Keys are Redis strings.'
 *   while loading it is returned too: 'Callers aof.c and rdb.c ask for what is there.'
 *   in a cluster a key is found in its slot: 'db.c: dbFindExpires, getKeySlot; keys have a dict for each slot.'
 *   the key is not touched: 'Comment: it returns a time.'
 ---*/
#include "start.h"
#include "../testhelp.h"

static robj *put(int db, const char *name, size_t len, long long when) {
    robj *key = createStringObject(name,len);
    dbAdd(&server.db[db],key,createStringObject("value",5));
    if (when != -1) setExpire(NULL,&server.db[db],key,when);
    return key;
}

int main(void) {
    startRedis();
    redisDb *db = &server.db[1];
    robj *plain = put(1,"plain",5,-1), *none = createStringObject("none",4);
    test_cond("a database without any times gives -1", getExpire(db,plain) == -1 && getExpire(db,none) == -1);
    mstime_t now = mstime();
    robj *key = put(1,"key",3,now+60000), *past = put(1,"past",4,now-60000);
    test_cond("the time of a key is returned", getExpire(db,key) == now+60000);
    test_cond("a key without a time gives -1", getExpire(db,plain) == -1);
    test_cond("a key that does not exist gives -1", getExpire(db,none) == -1);
    test_cond("a time in the past is returned as it is", getExpire(db,past) == now-60000 && dbFind(db,past->ptr));
    robj *far = put(1,"far",3,LLONG_MAX-1), *zero = put(1,"zero",4,0), *one = put(1,"one",3,1);
    test_cond("times of more than 32 bits are returned", getExpire(db,far) == LLONG_MAX-1);
    test_cond("small times are returned", getExpire(db,zero) == 0 && getExpire(db,one) == 1);
    setExpire(NULL,db,key,now+99);
    test_cond("a changed time is returned", getExpire(db,key) == now+99);
    removeExpire(db,key);
    test_cond("after the time was removed it is -1", getExpire(db,key) == -1 && dbFind(db,key->ptr));
    put(2,"past",4,12345);
    test_cond("each database has its own", getExpire(&server.db[2],past) == 12345 && getExpire(db,past) == now-60000 &&
              getExpire(&server.db[0],past) == -1);
    robj *odd = put(1,"x\0y",3,111), *other = put(1,"x\0z",3,222), *x = put(1,"x",1,-1);
    test_cond("names of any bytes are told apart", getExpire(db,odd) == 111 && getExpire(db,other) == 222 &&
              getExpire(db,x) == -1);
    server.loading = 1;
    test_cond("while loading it is returned too", getExpire(db,past) == now-60000);
    server.loading = 0;
    robj *val = dictGetVal(dbFind(db,past->ptr));
    unsigned lru = val->lru;
    getExpire(db,past);
    test_cond("the key is not touched", val->lru == lru && past->refcount == 1 && val->refcount == 1 && dbSize(db) == 9 &&
              server.stat_expiredkeys == 0 && server.stat_keyspace_hits == 0 && server.stat_keyspace_misses == 0);
    server.cluster_enabled = 1;
    int flags = KVSTORE_ALLOCATE_DICTS_ON_DEMAND|KVSTORE_FREE_EMPTY_DICTS;
    server.db[0].keys = kvstoreCreate(&dbDictType,14,flags);
    server.db[0].expires = kvstoreCreate(&dbExpiresDictType,14,flags);
    robj *a = put(0,"{a}1",4,333), *b = put(0,"{b}1",4,-1), *c = put(0,"plain",5,444);
    test_cond("in a cluster a key is found in its slot", getExpire(&server.db[0],a) == 333 && getExpire(&server.db[0],b) == -1 &&
              getExpire(&server.db[0],c) == 444 && getExpire(&server.db[0],none) == -1);
    test_report();
    return 0;
}
