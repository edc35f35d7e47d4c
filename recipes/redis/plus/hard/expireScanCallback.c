/*---
 * tasks: [expireSlaveKeys-f8757a.8, expireSlaveKeys-f8757a.16]
 * instead: [src/expire.o]
 * tests:
 *   an expired key is removed: 'Caller activeExpireCycle: "checking for expired ones".'
 *   an expired key is counted as expired: 'expireScanData.expired, "num keys expired".'
 *   each key is counted as sampled: 'expireScanData.sampled, "num keys checked".'
 *   a living key stays: 'activeExpireCycleTryExpire: "Otherwise no operation is performed".'
 *   a living key adds to the sum of ttls: 'expireScanData.ttl_sum, "sum of ttl for key with ttl not yet expired".'
 *   a living key is counted as a sample of ttls: 'expireScanData.ttl_samples, "num keys with ttl not yet expired".'
 *   an expired key is no sample of ttls: 'Comment: "We want the average TTL of keys yet not expired".'
 *   a key that expires right now is neither: 'activeExpireCycleTryExpire expires when now is later; a ttl of 0 is none.'
 *   the time of the data counts: 'expireScanData.now; caller sets it once for a loop.'
 *   counts add up over calls: 'Caller activeExpireCycle sets them to 0 and scans many.'
 *   long ttls are summed up: 'expireScanData.ttl_sum is long long.'
 *   the database of the data loses the key: 'expireScanData.db.'
 *   the deletion is propagated: 'Comment: "Propagate the DEL command".'
 *   nothing remains to be propagated: 'Comment: "Propagate the DEL command"; activeExpireCycle asserts that also_propagate is empty.'
 *   for a living key nothing is propagated: 'activeExpireCycleTryExpire: "no operation is performed".'
 *   the time of the data stays: 'expireScanData.now is for the whole loop.'
 ---*/
#include "../expire.c"
#include "start.h"
#include "../testhelp.h"

static expireScanData data;

static void put(int db, const char *name, long long when) {
    robj *key = createStringObject(name,strlen(name)), *val = createStringObject("value",5);
    dbAdd(&server.db[db],key,val);
    setExpire(NULL,&server.db[db],key,when);
    decrRefCount(key);
}

static int has(int db, const char *name) {
    sds key = sdsnew(name);
    int found = dbFind(&server.db[db],key) != NULL && dbFindExpires(&server.db[db],key) != NULL;
    sdsfree(key);
    return found;
}

static void scan(int db, const char *name) {
    sds key = sdsnew(name);
    data.db = &server.db[db];
    expireScanCallback(&data,dbFindExpires(&server.db[db],key));
    sdsfree(key);
}

#define T 5000000000000LL

int main(void) {
    startRedis();
    server.lazyfree_lazy_expire = 0;
    server.aof_state = AOF_ON;
    server.aof_selected_db = -1;
    data.now = T;
    put(3,"alive",T+1000);
    put(3,"dead",T-1);
    put(3,"now",T);
    put(0,"dead",T-1);
    scan(3,"alive");
    test_cond("a living key stays", has(3,"alive") && data.expired == 0);
    test_cond("a living key adds to the sum of ttls", data.ttl_sum == 1000);
    test_cond("a living key is counted as a sample of ttls", data.ttl_samples == 1);
    test_cond("for a living key nothing is propagated", sdslen(server.aof_buf) == 0 && server.also_propagate.numops == 0);
    scan(3,"dead");
    test_cond("an expired key is removed", !has(3,"dead"));
    test_cond("an expired key is counted as expired", data.expired == 1);
    test_cond("each key is counted as sampled", data.sampled == 2);
    test_cond("an expired key is no sample of ttls", data.ttl_samples == 1 && data.ttl_sum == 1000);
    test_cond("the database of the data loses the key", has(0,"dead"));
    test_cond("the deletion is propagated", strstr(server.aof_buf,"SELECT\r\n$1\r\n3\r\n*2\r\n$3\r\nDEL\r\n$4\r\ndead\r\n"));
    test_cond("nothing remains to be propagated", server.also_propagate.numops == 0 && server.execution_nesting == 0);
    scan(3,"now");
    test_cond("a key that expires right now is neither", has(3,"now") && data.expired == 1 && data.ttl_samples == 1 &&
              data.ttl_sum == 1000 && data.sampled == 3);
    data.now = 1000;
    put(4,"early",1500);
    scan(4,"early");
    int lives = has(4,"early") && data.ttl_sum == 1500 && data.ttl_samples == 2;
    data.now = 1501;
    scan(4,"early");
    test_cond("the time of the data counts", lives && !has(4,"early") && data.expired == 2);
    test_cond("the time of the data stays", data.now == 1501);
    for (int j = 0; j < 5; j++) put(5,"again",1500), scan(5,"again");
    test_cond("counts add up over calls", data.expired == 7 && data.sampled == 10 && data.ttl_samples == 2);
    data.ttl_sum = 0;
    put(6,"far",1501+(1LL << 40));
    scan(6,"far");
    scan(6,"far");
    test_cond("long ttls are summed up", data.ttl_sum == (1LL << 41) && data.ttl_samples == 4);
    test_report();
    return 0;
}
