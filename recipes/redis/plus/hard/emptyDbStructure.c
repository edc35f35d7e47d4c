/*---
 * tasks: [restoreCommand-ab585e.16]
 * instead: [src/functions.o]
 * tests:
 *   all keys of all databases are removed: 'Comment: "dbnum can be -1 if all the DBs should be emptied".'
 *   all keys of one database are removed: 'Comment: "or the specified DB index if we want to empty only a single database".'
 *   the first and the last database: 'Comment: a DB index.'
 *   other databases stay: 'Comment: "only a single database".'
 *   times to live are gone too: 'Comment: "Remove all keys"; INFO keyspace: expires.'
 *   the number of removed keys is returned: 'Comment: "The function returns the number of keys removed from the database(s)".'
 *   the number of one database is returned: 'Comment: "removed from the database(s)".'
 *   zero is returned where there was nothing: 'Comment: "the number of keys removed".'
 *   the average time to live is forgotten: 'redisDb: "Average TTL, just for stats"; INFO keyspace: avg_ttl.'
 *   the cursor of the expiry begins anew: 'redisDb: expires_cursor, "Cursor of the active expire cycle".'
 *   those of other databases stay: 'Comment: "only a single database".'
 *   a temporary array is emptied: 'Comment: "The dbarray argument may not be the server main DBs (could be a temporary DB)".'
 *   the main databases stay then: 'Comment: "The dbarray argument may not be the server main DBs".'
 *   a single database of a temporary array: 'Comment: dbarray, dbnum.'
 *   synchronously memory is freed before it returns: 'Signature: async; emptyDbAsync is for the other case.'
 *   asynchronously memory is freed by another thread: 'emptyDbAsync: "scheduling the old ones for lazy freeing".'
 *   asynchronously the keys are gone at once: 'emptyDbAsync: "create a new empty set of hash tables".'
 *   the callback is called when keys are freed synchronously: 'emptyData: "If callback is given the function is called from time to time".'
 *   no callback is no error: 'Callers pass NULL.'
 *   watchers, caches and functions are left to the caller: 'emptyData does these itself; discardTempDb must not.'
 *   what changed is left to the caller to count: 'Callers raise server.dirty.'
 *   keys of all slots of a cluster are removed: 'kvstore.h: a dict for each slot.'
 *   keys can be added afterwards: 'Callers: a server goes on.'
 *   nothing is left behind: 'Comment: "Remove all keys".'
 ---*/
#include "functiontest.h"
#include "../cluster.h"

static int calls;
static void callback(dict *d) {
    if (d) calls++;
}

static void add(redisDb *db, int n) {
    char name[30];
    for (int j = 0; j < n; j++) {
        sprintf(name,"key:%d",j);
        robj *key = createStringObject(name,strlen(name)), *value = createStringObject("value",5);
        dbAdd(db,key,value);
        if (j % 2) setExpire(NULL,db,key,4000000000000);
        decrRefCount(key);
    }
    db->avg_ttl = 7, db->expires_cursor = 9;
}

static int is(redisDb *db, unsigned long long n) {
    return kvstoreSize(db->keys) == n && kvstoreSize(db->expires) == n/2;
}

static int fresh(redisDb *db) {
    return db->avg_ttl == 0 && db->expires_cursor == 0;
}

static int kept(redisDb *db) {
    return db->avg_ttl == 7 && db->expires_cursor == 9;
}

int main(void) {
    startFunctions();
    redisDb *db = server.db;
    int last = server.dbnum-1;
    test_cond("zero is returned where there was nothing", emptyDbStructure(db,-1,0,NULL) == 0 && emptyDbStructure(db,4,0,NULL) == 0 &&
              emptyDbStructure(db,-1,1,NULL) == 0);
    add(db,10), add(db+3,6), add(db+last,4);
    long long one = emptyDbStructure(db,3,0,NULL);
    test_cond("all keys of one database are removed", is(db+3,0));
    int others = is(db,10) && is(db+last,4), cursors = kept(db) && kept(db+last), own = fresh(db+3);
    add(db+3,6);
    int ends = emptyDbStructure(db,0,0,NULL) == 10 && is(db,0) && is(db+3,6) && fresh(db);
    ends &= emptyDbStructure(db,last,0,NULL) == 4 && is(db+last,0) && is(db+3,6) && fresh(db+last) && kept(db+3);
    test_cond("the first and the last database", ends);
    add(db,10), add(db+last,4);
    long long all = emptyDbStructure(db,-1,0,NULL);
    int none = 1, reset = 1;
    for (int j = 0; j <= last; j++) none &= is(db+j,0), reset &= !kept(db+j) && fresh(db+j);
    test_cond("all keys of all databases are removed", none);
    test_cond("times to live are gone too", kvstoreSize(db[0].expires) == 0 && kvstoreSize(db[3].expires) == 0);
    test_cond("the number of removed keys is returned", all == 20);
    for (int async = 0; async < 2; async++) {
        add(db+5,8), add(db+6,2);
        one += emptyDbStructure(db,5,async,NULL);
        others &= is(db+5,0) && is(db+6,2), cursors &= kept(db+6), own &= fresh(db+5);
        one += emptyDbStructure(db,6,async,NULL);
        own &= fresh(db+6);
    }
    test_cond("the number of one database is returned", one == 6+2*10);
    test_cond("other databases stay", others);
    test_cond("those of other databases stay", cursors);
    add(db,3), add(db+2,3);
    emptyDbStructure(db,-1,1,NULL);
    test_cond("the average time to live is forgotten", own && reset && db[0].avg_ttl == 0 && db[2].avg_ttl == 0);
    test_cond("the cursor of the expiry begins anew", own && reset && db[0].expires_cursor == 0 && db[2].expires_cursor == 0);

    redisDb *temp = initTempDb();
    add(db,10), add(db+1,4), add(temp,6), add(temp+1,8), add(temp+last,2);
    one = emptyDbStructure(temp,1,0,NULL);
    test_cond("a single database of a temporary array", one == 8 && is(temp+1,0) && is(temp,6) && is(temp+last,2) && is(db+1,4));
    add(temp+1,8);
    all = emptyDbStructure(temp,-1,0,NULL);
    int emptied = all == 16 && is(temp,0) && is(temp+1,0) && is(temp+last,0);
    add(temp+1,8);
    all = emptyDbStructure(temp,-1,1,NULL);
    test_cond("a temporary array is emptied", emptied && all == 8 && is(temp+1,0));
    test_cond("the main databases stay then", is(db,10) && is(db+1,4) && kept(db) && kept(db+1));
    discardTempDb(temp,NULL);
    emptyDbStructure(db,-1,0,NULL);

    calls = 0;
    add(db,100);
    emptyDbStructure(db,0,0,callback);
    int called = calls > 0;
    calls = 0;
    add(db+1,10);
    emptyDbStructure(db,-1,0,callback);
    called &= calls > 0;
    calls = 0;
    add(db+1,1); /* It has no time to live. */
    emptyDbStructure(db,1,0,callback);
    test_cond("the callback is called when keys are freed synchronously", called && calls > 0);
    add(db+1,10);
    test_cond("no callback is no error", emptyDbStructure(db,-1,0,NULL) == 10 && is(db+1,0));

    load(functionsLibCtxGetCurrent(),"one","f1","a");
    add(db,4);
    client *w = fakeClient(), *cache = subscriberClient();
    setArguments(w,2,(const char*[]){"watch","key:1"});
    watchCommand(w);
    cache->resp = 3;
    enableTracking(cache,0,0,NULL,0);
    linkClient(cache);
    robj *key = createStringObject("k",1);
    rememberSlaveKeyWithExpire(db,key);
    long long dirty = server.dirty;
    sdsfree(replyOf(cache)), sdsfree(replyOf(listener));
    emptyDbStructure(db,-1,0,NULL);
    add(db,4);
    sdsfree(replyOf(listener));
    dirty = server.dirty;
    w->flags &= ~CLIENT_DIRTY_CAS;
    emptyDbStructure(db,-1,1,NULL);
    sds s = replyOf(listener);
    test_cond("watchers, caches and functions are left to the caller", !(w->flags & CLIENT_DIRTY_CAS) && replied(cache,"") &&
              functionsNum() == 1 && getSlaveKeyWithExpireCount() == 1 && !*s);
    test_cond("what changed is left to the caller to count", server.dirty == dirty && server.also_propagate.numops == 0);
    sdsfree(s);
    disableTracking(cache);

    bioDrainWorker(BIO_LAZY_FREE);
    holdBackground(1);
    size_t pending = lazyfreeGetPendingObjectsCount();
    add(db,1000), add(db+2,1000);
    emptyDbStructure(db,0,0,NULL), emptyDbStructure(db,-1,0,NULL);
    test_cond("synchronously memory is freed before it returns", lazyfreeGetPendingObjectsCount() == pending && is(db,0) && is(db+2,0));
    add(db,1000), add(db+2,1000);
    one = emptyDbStructure(db,2,1,NULL);
    int behind = one == 1000 && lazyfreeGetPendingObjectsCount() == pending+1000 && is(db+2,0) && is(db,1000);
    all = emptyDbStructure(db,-1,1,NULL);
    behind &= all == 1000 && lazyfreeGetPendingObjectsCount() == pending+2000;
    test_cond("asynchronously the keys are gone at once", behind && is(db,0) && is(db+2,0));
    add(db,5);
    holdBackground(0);
    test_cond("asynchronously memory is freed by another thread", behind && lazyfreeGetPendingObjectsCount() == 0);
    test_cond("keys can be added afterwards", is(db,4+1) && gives("$5\r\nvalue\r\n","get","key:1"));
    emptyDbStructure(db,-1,0,NULL);
    int same = 1;
    size_t memory = 0;
    for (int j = 0; j < 6; j++) {
        add(db,100), add(db+8,100);
        emptyDbStructure(db,8,0,NULL), emptyDbStructure(db,-1,0,callback);
        if (j > 1) same &= zmalloc_used_memory() == memory;
        memory = zmalloc_used_memory();
    }
    test_cond("nothing is left behind", same);

    /* As in a cluster, where keys have a dict for each slot. */
    server.cluster_enabled = 1;
    for (int j = 0; j < 2; j++) {
        db[j].keys = kvstoreCreate(&dbDictType,14,KVSTORE_ALLOCATE_DICTS_ON_DEMAND);
        db[j].expires = kvstoreCreate(&dbExpiresDictType,14,KVSTORE_ALLOCATE_DICTS_ON_DEMAND);
    }
    int slots = 1;
    for (int async = 0; async < 2; async++) {
        add(db,200), add(db+1,10);
        slots &= emptyDbStructure(db,0,async,NULL) == 200 && is(db,0) && is(db+1,10) && kvstoreNumNonEmptyDicts(db->keys) == 0;
        add(db,100);
        slots &= emptyDbStructure(db,0,async,NULL) == 100 && emptyDbStructure(db,1,async,NULL) == 10;
        add(db,3);
        robj *k = createStringObject("key:2",5);
        slots &= dbFind(db,k->ptr) && kvstoreDictSize(db->keys,keyHashSlot("key:2",5)) == 1 && emptyDbStructure(db,0,async,NULL) == 3;
        decrRefCount(k);
    }
    test_cond("keys of all slots of a cluster are removed", slots);
    test_report();
    return 0;
}
