/*---
 * tasks: [expireGenericCommand-82c832.16]
 * tests:
 *   a key without a time to live has not expired: 'Comment in the body and getExpire: -1 is no expire.'
 *   a key that does not exist has not expired: 'getExpire: "-1 if no expire is associated with this key".'
 *   a key whose time is past has expired: 'Comment: "Check if the key is expired".'
 *   a key whose time is to come has not: 'Comment: "Check if the key is expired".'
 *   at the very millisecond of its time it has not: 'activeExpireCycleTryExpire: "now > t"; setExpire: "after which the key will no longer be considered valid".'
 *   one millisecond later it has: 'setExpire: "after which the key will no longer be considered valid".'
 *   the time of the command counts: 'commandTimeSnapshot: "a reference time that does not change".'
 *   times of more than 32 bits are compared: 'setExpire: "absolute unix time in milliseconds".'
 *   a time of 0 is a time: 'getExpire: only -1 is none.'
 *   while loading no key has expired: 'Caller rdbLoad and others: "Don''t expire anything while loading. It will be done later".'
 *   after loading it has: '"It will be done later".'
 *   on a replica it has expired too: 'expireIfNeeded: "keyIsExpired" first, then what a replica does with it.'
 *   each database has its own: 'Argument db.'
 *   names of any bytes are told apart: 'Keys are Redis strings.'
 *   yes is 1 and no is 0: 'Signature; callers test it as a truth value.'
 *   the key stays: 'Comment: it checks.'
 ---*/
#include "start.h"
#include "../testhelp.h"

int keyIsExpired(redisDb *db, robj *key);

static robj *put(int db, const char *name, size_t len, long long when) {
    robj *key = createStringObject(name,len);
    dbAdd(&server.db[db],key,createStringObject("value",5));
    if (when != -1) setExpire(NULL,&server.db[db],key,when);
    return key;
}

int main(void) {
    startRedis();
    redisDb *db = &server.db[2];
    const mstime_t T = 5000000000000LL;
    server.cmd_time_snapshot = server.mstime = T;
    robj *plain = put(2,"plain",5,-1), *past = put(2,"past",4,T-1000), *future = put(2,"future",6,T+1000),
         *now = put(2,"now",3,T), *before = put(2,"before",6,T-1), *none = createStringObject("none",4);
    test_cond("a key without a time to live has not expired", !keyIsExpired(db,plain));
    test_cond("a key that does not exist has not expired", !keyIsExpired(db,none));
    test_cond("a key whose time is past has expired", keyIsExpired(db,past));
    test_cond("a key whose time is to come has not", !keyIsExpired(db,future));
    test_cond("at the very millisecond of its time it has not", !keyIsExpired(db,now));
    test_cond("one millisecond later it has", keyIsExpired(db,before));
    test_cond("yes is 1 and no is 0", keyIsExpired(db,past) == 1 && keyIsExpired(db,future) == 0 && keyIsExpired(db,plain) == 0);
    server.cmd_time_snapshot = T+5000;
    int later = keyIsExpired(db,future) && keyIsExpired(db,now);
    server.cmd_time_snapshot = 1000;
    test_cond("the time of the command counts", later && !keyIsExpired(db,past) && !keyIsExpired(db,before));
    server.cmd_time_snapshot = T;
    robj *far = put(2,"far",3,T+(1LL << 32)), *old = put(2,"old",3,T-(1LL << 32));
    test_cond("times of more than 32 bits are compared", !keyIsExpired(db,far) && keyIsExpired(db,old));
    robj *zero = put(2,"zero",4,0);
    test_cond("a time of 0 is a time", keyIsExpired(db,zero) == 1);
    server.loading = 1;
    int loading = keyIsExpired(db,past);
    server.loading = 0;
    test_cond("while loading no key has expired", !loading);
    test_cond("after loading it has", keyIsExpired(db,past));
    server.masterhost = sdsnew("master");
    test_cond("on a replica it has expired too", keyIsExpired(db,past) && !keyIsExpired(db,future));
    server.masterhost = NULL;
    put(3,"past",4,T+1);
    test_cond("each database has its own", !keyIsExpired(&server.db[3],past) && keyIsExpired(db,past) &&
              !keyIsExpired(&server.db[0],past));
    robj *odd = put(2,"x\0y",3,T-1), *other = put(2,"x\0z",3,T+1), *x = put(2,"x",1,-1);
    test_cond("names of any bytes are told apart", keyIsExpired(db,odd) && !keyIsExpired(db,other) && !keyIsExpired(db,x));
    test_cond("the key stays", dbFind(db,past->ptr) && getExpire(db,past) == T-1000 && dbSize(db) == 11 &&
              past->refcount == 1 && server.stat_expiredkeys == 0);
    test_report();
    return 0;
}
