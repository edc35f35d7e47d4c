/*---
 * tasks: [051CCB38BF73BF65]
 * tests:
 *   a new key is added: 'Docstring: "returns 1 if the key was added to the database".'
 *   the database keeps the caller's key: 'Docstring: "the key is passed as an SDS string that is retained by the function".'
 *   the database keeps the caller's value: 'rdb.c: rdbLoadRioWithLoadingCtx goes on with the value it passed.'
 *   the size of the database grows by one: 'Docstring: "the key was added to the database".'
 *   nothing is copied: 'Docstring: it takes "ownership of the SDS string".'
 *   the value's access time is the present one: 'Docstring: "a special version of dbAdd()"; dbAdd sets it.'
 *   the value's access frequency is that of a new key: 'Docstring: "a special version of dbAdd()"; dbAdd sets it (maxmemory-policy allkeys-lfu).'
 *   a busy key is not added: 'Docstring: "otherwise 0 is returned"; it "will not abort if the key is already busy".'
 *   a busy key keeps its value: 'Docstring: 0 says that the key was not added.'
 *   a busy key is left to the caller: 'Docstring: it "is up to the caller to free the SDS string".'
 *   the value of a busy key is left to the caller: 'rdb.c: the value is added again once the old key is gone.'
 *   once the old key is gone it can be added: 'rdb.c: with RDBFLAGS_ALLOW_DUP the key is deleted and the call repeated.'
 *   a key with NUL bytes is added whole: 'Docstring: the key is an SDS string.'
 *   an empty key is added: 'Docstring: the key is an SDS string.'
 *   databases are separate: 'The parameter db.'
 *   waiting clients are not told: 'Docstring: it does not "signal the key as ready".'
 *   in a cluster the key goes to its slot: 'cluster.h: keyHashSlot; kvstore.h: one dict for each slot.'
 *   in a cluster a busy key is told by its slot: 'cluster.h: keyHashSlot; kvstore.h: one dict for each slot.'
 ---*/
#include "../server.h"
#include "../cluster.h"
#include "../testhelp.h"

void initServerConfig(void);
void createSharedObjects(void);
extern dictType dbDictType;

static void make(redisDb *db, int bits) {
    memset(db, 0, sizeof(*db));
    db->keys = kvstoreCreate(&dbDictType, bits, KVSTORE_ALLOCATE_DICTS_ON_DEMAND);
    db->blocking_keys = dictCreate(&keylistDictType);
    db->blocking_keys_unblock_on_nokey = dictCreate(&objectKeyPointerValueDictType);
    db->ready_keys = dictCreate(&objectKeyPointerValueDictType);
}

static robj *valueOf(redisDb *db, sds key) {
    dictEntry *de = kvstoreDictFind(db->keys, server.cluster_enabled ? (int)keyHashSlot(key, sdslen(key)) : 0, key);
    return de ? dictGetVal(de) : NULL;
}

int main(void) {
    redisDb db, other;
    initServerConfig();
    monotonicInit();
    createSharedObjects();
    server.hz = CONFIG_DEFAULT_HZ;
    server.lruclock = 4711;
    server.maxmemory_policy = MAXMEMORY_ALLKEYS_LRU;
    server.ready_keys = listCreate();
    make(&db, 0);
    make(&other, 0);
    dbAddRDBLoad(&db, sdsnew("first"), createStringObject("x", 1));

    sds key = sdsnew("a key of some length that is no small string");
    robj *val = createStringObject("value", 5);
    val->lru = 3;
    size_t used = zmalloc_used_memory(), entry = dictEntryMemUsage();
    int added = dbAddRDBLoad(&db, key, val);
    size_t grown = zmalloc_used_memory() - used;
    test_cond("a new key is added", added == 1);
    dictEntry *de = kvstoreDictFind(db.keys, 0, key);
    test_cond("the database keeps the caller's key", de && dictGetKey(de) == key);
    test_cond("the database keeps the caller's value", de && dictGetVal(de) == val && val->refcount == 1);
    test_cond("the size of the database grows by one", kvstoreSize(db.keys) == 2);
    test_cond("nothing is copied", grown < entry + sdsAllocSize(key));
    test_cond("the value's access time is the present one", val->lru == 4711);

    sds busy = sdsdup(key);
    robj *second = createStringObject("second", 6);
    used = zmalloc_used_memory();
    added = dbAddRDBLoad(&db, busy, second);
    test_cond("a busy key is not added", added == 0 && kvstoreSize(db.keys) == 2);
    test_cond("a busy key keeps its value", valueOf(&db, key) == val && strcmp(val->ptr, "value") == 0);
    test_cond("a busy key is left to the caller", zmalloc_used_memory() == used && sdscmp(busy, key) == 0);
    test_cond("the value of a busy key is left to the caller",
              second->refcount == 1 && strcmp(second->ptr, "second") == 0);
    kvstoreDictDelete(db.keys, 0, busy);
    test_cond("once the old key is gone it can be added",
              dbAddRDBLoad(&db, busy, second) == 1 && valueOf(&db, busy) == second && kvstoreSize(db.keys) == 2);

    sds nul = sdsnewlen("a\0b", 3), prefix = sdsnew("a"), empty = sdsempty();
    val = createStringObject("n", 1);
    test_cond("a key with NUL bytes is added whole",
              dbAddRDBLoad(&db, nul, val) == 1 && valueOf(&db, nul) == val && valueOf(&db, prefix) == NULL);
    val = createStringObject("e", 1);
    test_cond("an empty key is added", dbAddRDBLoad(&db, empty, val) == 1 && valueOf(&db, empty) == val);
    val = createStringObject("o", 1);
    test_cond("databases are separate", dbAddRDBLoad(&other, sdsdup(busy), val) == 1 &&
              valueOf(&other, busy) == val && valueOf(&db, busy) == second);

    server.maxmemory_policy = MAXMEMORY_ALLKEYS_LFU;
    val = createStringObject("f", 1);
    val->lru = 3;
    dbAddRDBLoad(&db, sdsnew("frequent"), val);
    test_cond("the value's access frequency is that of a new key", (val->lru & 255) == LFU_INIT_VAL);

    robj *waited = createStringObject("list", 4);
    dictAdd(db.blocking_keys, waited, listCreate());
    server.blocked_clients_by_type[BLOCKED_LIST] = 1;
    dbAddRDBLoad(&db, sdsnew("list"), createQuicklistObject(-2, 0));
    test_cond("waiting clients are not told", listLength(server.ready_keys) == 0 && dictSize(db.ready_keys) == 0);

    server.cluster_enabled = 1;
    make(&db, CLUSTER_SLOT_MASK_BITS);
    key = sdsnew("foo{bar}");
    val = createStringObject("c", 1);
    added = dbAddRDBLoad(&db, key, val);
    test_cond("in a cluster the key goes to its slot",
              added == 1 && valueOf(&db, key) == val && kvstoreDictSize(db.keys, keyHashSlot("bar", 3)) == 1);
    busy = sdsdup(key);
    test_cond("in a cluster a busy key is told by its slot", dbAddRDBLoad(&db, busy, second) == 0);
    test_report();
    return 0;
}
