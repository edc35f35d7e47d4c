/*---
 * tasks: [expireGenericCommand-82c832.16]
 * tests:
 *   a key is deleted: 'Comment: "Helper for sync and async delete"; dbSyncDelete: "Delete a key, value".'
 *   a key that is deleted gives 1 and one that is not there 0: 'Callers: dbDelete; DEL counts them.'
 *   its time to live is deleted too: 'dbSyncDelete: "and associated expiration entry if any".'
 *   the reference to the value is given up: 'dbSyncDelete: "Delete a key, value".'
 *   other keys and databases stay: 'Signature: db, key.'
 *   the name that was passed stays: 'Callers pass c->argv and free it afterwards.'
 *   the module is told of its value: 'The body: "Tells the module that the key has been unlinked".'
 *   the module frees its value: 'dbSyncDelete: "Delete a key, value".'
 *   clients that block on a stream are signalled: 'The body: "We want to try to unblock [...] clients using a blocking XREADGROUP".'
 *   a big value is freed in the background if asked for: 'Signature: async; dbAsyncDelete.'
 *   a small value is freed at once even so: 'freeObjAsync: LAZYFREE_THRESHOLD.'
 *   a big value is freed at once otherwise: 'Signature: async; dbSyncDelete.'
 *   asynchronously the key and its time to live are gone at once: 'dbAsyncDelete: "Delete a key, value, and associated expiration entry".'
 *   events and watchers and counters are left to the caller: 'Callers: delGenericCommand, deleteExpiredKeyAndPropagate do these.'
 *   names of any bytes are deleted: 'Signature: key; names are Redis strings.'
 *   a key can be added again: 'The entry is gone.'
 *   in a cluster the key is deleted in its slot: 'The body: getKeySlot.'
 *   nothing is left behind: 'dbSyncDelete: "Delete a key, value, and associated expiration entry".'
 ---*/
#include "expiredkey.h"

static int unlinked, freed;
static void *seen;

static void unlinkModule(robj *key, const void *v) {
    UNUSED(key);
    unlinked++;
    seen = (void*)v;
}

static void freeModule(void *v) {
    UNUSED(v);
    freed++;
}

static int ready(const char *name) {
    listIter li;
    listNode *ln;
    int found = 0;
    listRewind(server.ready_keys,&li);
    while ((ln = listNext(&li)) != NULL) {
        readyList *rl = listNodeValue(ln);
        if (!strcmp(rl->key->ptr,name)) found++;
    }
    return found;
}

static void run(client *c, int argc, const char **words) {
    setArguments(c,argc,words);
    c->cmd->proc(c);
}

static int delete(int db, robj *key, int async) {
    return dbGenericDelete(&server.db[db],key,async,DB_FLAG_KEY_DELETED);
}

int main(void) {
    startRedis();
    bioInit();
    server.aof_state = AOF_ON;
    redisDb *db = &server.db[0];
    robj *v = str("v"), *key = put(0,"name",v,4000000000000), *other = put(0,"other",str("o"),4000000000001);
    robj *far = put(5,"name",str("far"),-1);
    incrRefCount(v);
    int got = delete(0,key,0);
    test_cond("a key is deleted", !there(0,key) && dbSize(db) == 1);
    test_cond("a key that is deleted gives 1 and one that is not there 0", got == 1 && delete(0,key,0) == 0 &&
              delete(0,key,1) == 0 && delete(7,key,0) == 0);
    test_cond("its time to live is deleted too", getExpire(db,key) == -1 && kvstoreSize(db->expires) == 1);
    test_cond("the reference to the value is given up", v->refcount == 1);
    test_cond("other keys and databases stay", there(0,other) && getExpire(db,other) == 4000000000001 && there(5,far));
    test_cond("the name that was passed stays", key->refcount == 1 && !strcmp(key->ptr,"name"));
    moduleType mt = {.id = 1<<10, .unlink = unlinkModule, .free = freeModule};
    int a, b;
    robj *mod = put(0,"mod",createModuleObject(&mt,&a),-1);
    delete(0,mod,0);
    int told = unlinked == 1 && seen == &a, once = freed == 1;
    put(0,"mod",createModuleObject(&mt,&b),-1);
    delete(0,mod,1);
    test_cond("the module is told of its value", told && unlinked == 2 && seen == &b);
    test_cond("the module frees its value", once && freed == 2 && !there(0,mod));
    client *c = fakeClient(), *reader = fakeClient();
    const char *create[] = {"xgroup","create","s","g","$","mkstream"};
    const char *read[] = {"xreadgroup","group","g","me","block","0","streams","s",">"};
    run(c,6,create), run(reader,9,read);
    robj *s = str("s");
    int before = ready("s");
    delete(0,s,0);
    test_cond("clients that block on a stream are signalled", (reader->flags & CLIENT_BLOCKED) && !before && ready("s") == 1);

    freedBehind();
    robj *big = put(0,"big",bigSet(),4000000000000);
    got = delete(0,big,1);
    int gone = !there(0,big) && getExpire(db,big) == -1;
    test_cond("asynchronously the key and its time to live are gone at once", got == 1 && gone);
    test_cond("a big value is freed in the background if asked for", freedBehind() == 1);
    robj *small = put(0,"small",v,-1);
    incrRefCount(v);
    got = v->refcount;
    delete(0,small,1);
    int dropped = v->refcount == got-1;
    put(0,"small",str("s"),-1);
    delete(0,small,1);
    test_cond("a small value is freed at once even so", dropped && freedBehind() == 0 && !there(0,small));
    put(0,"big",bigSet(),-1);
    delete(0,big,0);
    test_cond("a big value is freed at once otherwise", freedBehind() == 0 && !there(0,big));

    put(0,"small",str("s"),-1);
    listen_();
    client *w = watcher(0,"small");
    long long dirty = server.dirty, expired = server.stat_expiredkeys, evicted = server.stat_evictedkeys;
    delete(0,small,0);
    test_cond("events and watchers and counters are left to the caller", announced("") && !(w->flags & CLIENT_DIRTY_CAS) &&
              server.dirty == dirty && server.stat_expiredkeys == expired && server.stat_evictedkeys == evicted && ops() == 0);
    server.notify_keyspace_events = 0;
    robj *bin = createStringObject("a\0b",3), *prefix = createStringObject("a",1);
    dbAdd(db,bin,str("1"));
    dbAdd(db,prefix,str("2"));
    setExpire(NULL,db,bin,4000000000000);
    setExpire(NULL,db,prefix,4000000000000);
    got = delete(0,bin,0);
    test_cond("names of any bytes are deleted", got == 1 && !there(0,bin) && there(0,prefix) && getExpire(db,bin) == -1 &&
              getExpire(db,prefix) == 4000000000000);
    put(0,"name",str("anew"),-1);
    test_cond("a key can be added again", there(0,key) && getExpire(db,key) == -1 && delete(0,key,1) == 1);
    put(0,"name",str("x"),4000000000000), delete(0,key,0);
    size_t used = zmalloc_used_memory();
    for (int j = 0; j < 50; j++) {
        robj *k = put(0,"name",j%3 ? str("x") : bigSet(),j%2 ? 4000000000000 : -1);
        dbGenericDelete(db,k,j%3 ? j%2 : 0,DB_FLAG_KEY_EXPIRED);
        decrRefCount(k);
    }
    test_cond("nothing is left behind", zmalloc_used_memory() == used);

    redisDb slots = server.db[3];
    slots.keys = kvstoreCreate(&dbDictType,14,KVSTORE_ALLOCATE_DICTS_ON_DEMAND);
    slots.expires = kvstoreCreate(&dbExpiresDictType,14,KVSTORE_ALLOCATE_DICTS_ON_DEMAND);
    server.cluster_enabled = 1;
    robj *foo = str("foo"), *bar = str("bar");
    dbAdd(&slots,foo,str("1"));
    dbAdd(&slots,bar,str("1"));
    setExpire(NULL,&slots,foo,4000000000000);
    got = dbGenericDelete(&slots,foo,0,DB_FLAG_KEY_DELETED);
    test_cond("in a cluster the key is deleted in its slot", got == 1 && kvstoreSize(slots.keys) == 1 &&
              kvstoreSize(slots.expires) == 0 && kvstoreDictSize(slots.keys,keyHashSlot("foo",3)) == 0);
    test_report();
    return 0;
}
