/*---
 * tasks: [restoreCommand-ab585e.16]
 * instead: [src/functions.o]
 * link: ['-Wl,--wrap=moduleFireServerEvent']
 * tests:
 *   all databases are emptied: 'Comment: "The dbnum can be -1 if all the DBs should be flushed".'
 *   one database is emptied alone: 'Comment: "the DB number if we want to flush only a single Redis database number".'
 *   the first and the last database: 'Comment: a database number.'
 *   times to live are gone too: 'Comment: "Remove all data"; emptyDbStructure.'
 *   the number of removed keys is returned: 'Comment: "On success the function returns the number of keys removed".'
 *   zero is returned where there was nothing: 'Comment: "returns the number of keys removed".'
 *   a number out of range gives -1: 'Comment: "-1 is returned in the specific case the DB number is out of range".'
 *   errno is EINVAL then: 'Comment: "and errno is set to EINVAL".'
 *   nothing is removed or announced then: 'Comment: "Otherwise -1 is returned".'
 *   functions are deleted with all data: 'Comment: "Remove all data (keys and functions)".'
 *   functions stay if so wanted: 'Comment: "EMPTYDB_NOFUNCTIONS can also be set to specify that we do not want to delete the functions".'
 *   without a flag memory is freed before it returns: 'Comment: EMPTYDB_ASYNC is for a different thread; FLUSHALL SYNC.'
 *   with EMPTYDB_ASYNC memory is freed by another thread: 'Comment: "if we want the memory to be freed in a different thread".'
 *   functions are freed by another thread then as well: 'Comment: "the memory to be freed in a different thread".'
 *   the callback is called: 'Comment: "If callback is given the function is called from time to time".'
 *   clients that watch a key that was there are affected: 'Comment: "Make sure the WATCHed keys are affected by the FLUSH* commands".'
 *   clients that watch other databases or keys that were not there are not: 'commands/watch: the key was modified.'
 *   clients that block on a stream are signalled: 'signalFlushedDb: scanDatabaseForDeletedKeys.'
 *   clients with a cache are told: 'signalFlushedDb: trackingInvalidateKeysOnFlush; commands/client-tracking.'
 *   keys that a replica expires are forgotten with all databases: 'flushSlaveKeysWithExpireList: "called when all the keys were flushed".'
 *   with one database they are not: 'They may be of any database.'
 *   modules are told while the keys are there: 'Comment: "Fire the flushdb modules event"; redismodule.h: REDISMODULE_SUBEVENT_FLUSHDB_START.'
 *   modules are told at the end: 'Comment: "Also fire the end event".'
 *   modules learn the database and whether it waits: 'redismodule.h: RedisModuleFlushInfo, sync, "Synchronous or threaded flush?", dbnum, "-1 for ALL".'
 *   what changed is left to the caller to count: 'Callers flushdbCommand and flushAllDataAndResetRDB raise server.dirty.'
 *   keys can be added afterwards: 'Callers: a server goes on.'
 *   nothing is left behind: 'Comment: "Remove all data".'
 ---*/
#include "functiontest.h"

static int fired, subids[4], syncs[4], dbnums[4], versions[4];
static long long keysThen[4];

void __wrap_moduleFireServerEvent(uint64_t eid, int subid, void *data) {
    if (eid != REDISMODULE_EVENT_FLUSHDB || fired == 4) return;
    RedisModuleFlushInfoV1 *fi = data;
    subids[fired] = subid;
    versions[fired] = fi->version, syncs[fired] = fi->sync, dbnums[fired] = fi->dbnum;
    keysThen[fired++] = dbTotalServerKeyCount();
}

static int calls;
static void callback(dict *d) {
    UNUSED(d);
    calls++;
}

static void add(int db, int n, int expire) {
    char name[30];
    selectDb(c,db);
    for (int j = 0; j < n; j++) {
        sprintf(name,"key:%d",j);
        put(name,"value",expire && j % 2 ? 4000000000000 : -1);
    }
}

static int is(int db, unsigned long long n) {
    return dbSize(&server.db[db]) == n && kvstoreSize(server.db[db].expires) == n/2;
}

static client *watching(int db, const char *key) {
    client *w = fakeClient();
    selectDb(w,db);
    setArguments(w,2,(const char*[]){"watch",key});
    watchCommand(w);
    return w;
}

static int touched(client *w) {
    int yes = (w->flags & CLIENT_DIRTY_CAS) != 0;
    w->flags &= ~CLIENT_DIRTY_CAS;
    return yes;
}

static int ready(int db, const char *name) {
    listIter li;
    listNode *ln;
    int found = 0;
    listRewind(server.ready_keys,&li);
    while ((ln = listNext(&li)) != NULL) {
        readyList *rl = listNodeValue(ln);
        if (!strcmp(rl->key->ptr,name) && rl->db == &server.db[db]) found++;
    }
    return found;
}

static client *reader(int db) {
    client *r = fakeClient();
    selectDb(r,db);
    setArguments(r,6,(const char*[]){"xgroup","create","s","g","$","mkstream"});
    r->cmd->proc(r);
    setArguments(r,9,(const char*[]){"xreadgroup","group","g","me","block","0","streams","s",">"});
    r->cmd->proc(r);
    return r;
}

int main(void) {
    startFunctions();
    const int no = EMPTYDB_NOFUNCTIONS, async = EMPTYDB_ASYNC;
    test_cond("zero is returned where there was nothing", emptyData(-1,EMPTYDB_NO_FLAGS,NULL) == 0 && emptyData(3,no,NULL) == 0);
    add(0,10,1), add(3,6,1), add(15,4,1);
    long long one = emptyData(3,no,NULL);
    test_cond("one database is emptied alone", is(3,0) && is(0,10) && is(15,4));
    add(3,6,1);
    int ends = emptyData(0,no,NULL) == 10 && is(0,0) && is(3,6) && is(15,4) && emptyData(15,no,NULL) == 4 && is(15,0) && is(3,6);
    test_cond("the first and the last database", ends);
    add(0,10,1), add(15,4,1);
    long long all = emptyData(-1,EMPTYDB_NO_FLAGS,NULL);
    int none = 1;
    for (int j = 0; j < server.dbnum; j++) none &= is(j,0);
    test_cond("all databases are emptied", none && dbTotalServerKeyCount() == 0);
    test_cond("the number of removed keys is returned", one == 6 && all == 20);
    test_cond("times to live are gone too", kvstoreSize(server.db[0].expires) == 0 && kvstoreSize(server.db[15].expires) == 0);

    add(0,10,1), add(1,4,1), load(functionsLibCtxGetCurrent(),"one","f1","a");
    client *w = watching(0,"key:1");
    fired = 0, errno = 0;
    int bad = emptyData(-2,EMPTYDB_NO_FLAGS,NULL) == -1, inval = errno == EINVAL;
    errno = 0, bad &= emptyData(server.dbnum,no,callback) == -1, inval &= errno == EINVAL;
    errno = 0, bad &= emptyData(1000000,no|async,NULL) == -1, inval &= errno == EINVAL;
    errno = 0, bad &= emptyData(INT_MIN,EMPTYDB_NO_FLAGS,NULL) == -1, inval &= errno == EINVAL;
    test_cond("a number out of range gives -1", bad);
    test_cond("errno is EINVAL then", inval);
    test_cond("nothing is removed or announced then", is(0,10) && is(1,4) && functionsNum() == 1 && !touched(w) && fired == 0 && calls == 0);
    emptyData(-1,no,NULL);
    int kept = functionsNum() == 1 && !strcmp(fcall("f1"),"$1\r\na\r\n");
    emptyData(-1,no|async,NULL), emptyData(0,no,NULL), emptyData(7,no|async,NULL);
    test_cond("functions stay if so wanted", kept && functionsNum() == 1 && !strcmp(fcall("f1"),"$1\r\na\r\n"));
    emptyData(-1,EMPTYDB_NO_FLAGS,NULL);
    int deleted = functionsNum() == 0 && !strncmp(fcall("f1"),"-ERR Function not found",23);
    load(functionsLibCtxGetCurrent(),"one","f1","a");
    emptyData(-1,async,NULL);
    test_cond("functions are deleted with all data", deleted && functionsNum() == 0);

    add(2,2,0), add(4,2,0);
    client *there = watching(2,"key:1"), *too = watching(2,"key:0"), *absent = watching(2,"none"), *elsewhere = watching(4,"key:1");
    emptyData(2,no,NULL);
    int affected = touched(there) && touched(too), others = !touched(absent) && !touched(elsewhere);
    emptyData(2,no,NULL);
    others &= !touched(there) && !touched(absent) && !touched(elsewhere);
    emptyData(-1,async,NULL);
    affected &= touched(elsewhere), others &= !touched(absent) && !touched(there);
    emptyData(-1,no,NULL);
    others &= !touched(absent) && !touched(elsewhere);
    test_cond("clients that watch a key that was there are affected", affected);
    test_cond("clients that watch other databases or keys that were not there are not", others);
    reader(5), reader(6);
    int before = ready(5,"s")+ready(6,"s");
    emptyData(5,no,NULL);
    int signalled = !before && ready(5,"s") == 1 && ready(6,"s") == 0;
    emptyData(-1,async,NULL);
    test_cond("clients that block on a stream are signalled", signalled && ready(6,"s") == 1);
    client *cache = subscriberClient();
    cache->resp = 3;
    enableTracking(cache,0,0,NULL,0);
    linkClient(cache);
    add(0,1,0);
    sdsfree(replyOf(cache));
    emptyData(0,no,NULL);
    int told = replied(cache,">2\r\n$10\r\ninvalidate\r\n_\r\n");
    emptyData(-1,async,NULL);
    test_cond("clients with a cache are told", told && replied(cache,">2\r\n$10\r\ninvalidate\r\n_\r\n"));
    listDelNode(server.clients,cache->client_list_node);
    cache->client_list_node = NULL;
    disableTracking(cache);

    robj *key = createStringObject("k",1);
    rememberSlaveKeyWithExpire(&server.db[1],key);
    emptyData(1,no,NULL), emptyData(0,no|async,NULL), emptyData(server.dbnum,no,NULL);
    test_cond("with one database they are not", getSlaveKeyWithExpireCount() == 1);
    emptyData(-1,no,NULL);
    int forgotten = getSlaveKeyWithExpireCount() == 0;
    rememberSlaveKeyWithExpire(&server.db[1],key);
    emptyData(-1,async,NULL);
    test_cond("keys that a replica expires are forgotten with all databases", forgotten && getSlaveKeyWithExpireCount() == 0);

    add(0,5,0), add(9,3,0);
    fired = 0;
    emptyData(9,no,NULL);
    int start = fired == 2 && subids[0] == REDISMODULE_SUBEVENT_FLUSHDB_START && keysThen[0] == 8;
    int end = subids[1] == REDISMODULE_SUBEVENT_FLUSHDB_END && keysThen[1] == 5;
    int info = syncs[0] == 1 && syncs[1] == 1 && dbnums[0] == 9 && dbnums[1] == 9 && versions[0] == REDISMODULE_FLUSHINFO_VERSION;
    emptyData(-1,async,NULL);
    start &= fired == 4 && subids[2] == REDISMODULE_SUBEVENT_FLUSHDB_START && keysThen[2] == 5;
    end &= subids[3] == REDISMODULE_SUBEVENT_FLUSHDB_END && keysThen[3] == 0;
    test_cond("modules are told while the keys are there", start);
    test_cond("modules are told at the end", end);
    test_cond("modules learn the database and whether it waits", info && syncs[2] == 0 && syncs[3] == 0 && dbnums[2] == -1 && dbnums[3] == -1);

    calls = 0;
    add(0,100,1), add(1,10,1);
    emptyData(-1,no,callback);
    int called = calls > 0;
    calls = 0;
    add(3,10,0);
    emptyData(3,no,callback);
    test_cond("the callback is called", called && calls > 0);
    long long dirty = server.dirty;
    add(0,5,1);
    dirty = server.dirty;
    replyOf(listener);
    emptyData(0,no,NULL);
    sds s = replyOf(listener);
    test_cond("what changed is left to the caller to count", server.dirty == dirty && !*s && server.also_propagate.numops == 0);

    bioDrainWorker(BIO_LAZY_FREE);
    emptyData(-1,EMPTYDB_NO_FLAGS,NULL);
    holdBackground(1);
    size_t pending = lazyfreeGetPendingObjectsCount();
    add(0,1000,1), add(2,1000,1);
    emptyData(2,no,NULL);
    long long removed = emptyData(-1,EMPTYDB_NO_FLAGS,NULL);
    test_cond("without a flag memory is freed before it returns", removed == 1000 && lazyfreeGetPendingObjectsCount() == pending);
    add(0,1000,1), add(2,1000,1);
    removed = emptyData(2,no|async,NULL);
    int behind = removed == 1000 && lazyfreeGetPendingObjectsCount() == pending+1000 && is(2,0) && is(0,1000);
    emptyData(-1,no|async,NULL);
    behind &= lazyfreeGetPendingObjectsCount() == pending+2000 && is(0,0);
    loadMany(functionsLibCtxGetCurrent(),200);
    emptyData(-1,async,NULL);
    int functions = functionsNum() == 0 && lazyfreeGetPendingObjectsCount() == pending+2200;
    loadMany(functionsLibCtxGetCurrent(),200);
    emptyData(-1,EMPTYDB_NO_FLAGS,NULL);
    functions &= functionsNum() == 0 && lazyfreeGetPendingObjectsCount() == pending+2200;
    add(0,3,0);
    holdBackground(0);
    test_cond("with EMPTYDB_ASYNC memory is freed by another thread", behind && lazyfreeGetPendingObjectsCount() == 0);
    test_cond("functions are freed by another thread then as well", functions);
    test_cond("keys can be added afterwards", dbSize(&server.db[0]) == 3 && gives("$5\r\nvalue\r\n","get","key:1"));
    /* An asynchronous flush makes other stores, so that each kind is compared with its own. */
    int same = 1;
    size_t memory = 0;
    for (int j = 0; j < 6; j++) {
        add(0,100,1), add(8,100,1);
        emptyData(8,no,NULL);
        emptyData(-1,EMPTYDB_NO_FLAGS,NULL);
        run("ping");
        if (j > 1) same &= zmalloc_used_memory() == memory;
        memory = zmalloc_used_memory();
    }
    test_cond("nothing is left behind", same);
    test_report();
    return 0;
}
