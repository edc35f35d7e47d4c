/*---
 * tasks: [evictionPoolPopulate-a95d96.8, evictionPoolPopulate-a95d96.16]
 * tests:
 *   an empty database is not saved: 'The body returns 0 at once; rdb.h: SELECTDB, "DB number of the following keys".'
 *   the database is selected before its keys: 'rdb.h: RDB_OPCODE_SELECTDB, "DB number of the following keys".'
 *   the sizes of keys and expires are told: 'rdb.h: RDB_OPCODE_RESIZEDB; rdbLoadRio reads db_size and expires_size.'
 *   each key is saved with its value: 'The body: "Iterate this DB writing every entry".'
 *   the time to live of a key is saved with it: 'rdbSaveKeyValuePair: "with expire time".'
 *   keys without one have none: 'getExpire gives -1.'
 *   other databases are not saved: 'Signature: dbid; caller rdbSaveRio goes through all.'
 *   values of all types are saved: 'rdbSaveKeyValuePair: "type, key, value".'
 *   success is told by a number that is not negative: 'Caller rdbSaveRio: -1 is an error.'
 *   keys are counted on: 'Signature: key_counter; caller rdbSaveRio counts over all databases.'
 *   a key that has expired is saved as well: 'The body: "writing every entry"; the loader decides.'
 *   without a cluster no slots are told: 'The body: server.cluster_enabled.'
 *   in a cluster each slot is told once before its keys: 'rdb.h: RDB_OPCODE_SLOT_INFO, "slot id and size (cluster mode only)".'
 *   a slot is told with the numbers of its keys and expires: 'rdbLoadRio reads slot_id, slot_size and expires_slot_size.'
 *   each write that fails gives -1: 'Caller rdbSaveRio: -1 is an error.'
 *   nothing is left behind: 'The iterator is released, after an error too.'
 *   the keys stay as they were: 'The parent goes on with them after a save in the foreground.'
 ---*/
#include "rdbstory.h"
ssize_t rdbSaveDb(rio *rdb, int dbid, int rdbflags, long *key_counter);

static long counter;
static ssize_t returned;

static sds save(int db) {
    rio r;
    size_t rest;
    rioInitWithBuffer(&r,sdsempty());
    returned = rdbSaveDb(&r,db,RDBFLAGS_NONE,&counter);
    sds s = story(r.io.buffer.ptr,&rest);
    sdsfree(r.io.buffer.ptr);
    return s;
}

static int failsEverywhere(int db) {
    rio r;
    rioInitWithBuffer(&r,sdsempty());
    rdbSaveDb(&r,db,RDBFLAGS_NONE,&counter);
    size_t all = sdslen(r.io.buffer.ptr);
    sdsfree(r.io.buffer.ptr);
    for (size_t j = 0; j < all; j++) {
        r = full(j);
        if (rdbSaveDb(&r,db,RDBFLAGS_NONE,&counter) != -1) return 0;
        sdsfree(r.io.buffer.ptr);
    }
    r = full(all);
    ssize_t last = rdbSaveDb(&r,db,RDBFLAGS_NONE,&counter);
    sdsfree(r.io.buffer.ptr);
    return last >= 0;
}

int main(void) {
    startRedis();
    server.maxmemory_policy = MAXMEMORY_NO_EVICTION;
    sds s = save(0);
    test_cond("an empty database is not saved", returned == 0 && sdslen(s) == 0 && counter == 0);
    put(3,"a","one",-1);
    put(3,"b","two",4000000000000);
    put(3,"c","three",-1);
    put(5,"other","x",-1);
    s = save(3);
    test_cond("the database is selected before its keys", !strncmp(s,"db 3\n",5) && lines(s,"db ") == 1);
    test_cond("the sizes of keys and expires are told", !strncmp(s+5,"size 3 1\n",9) && lines(s,"size") == 1);
    test_cond("each key is saved with its value", lines(s,"key ") == 3 && strstr(s,"key a one\n") && strstr(s,"key b two\n") &&
              strstr(s,"key c three\n"));
    test_cond("the time to live of a key is saved with it", strstr(s,"expire 4000000000000\nkey b two\n") != NULL);
    test_cond("keys without one have none", lines(s,"expire") == 1);
    test_cond("other databases are not saved", !strstr(s,"other"));
    test_cond("success is told by a number that is not negative", returned >= 0);
    int three = counter == 3;
    save(5);
    test_cond("keys are counted on", three && counter == 4);
    put(15,"old","x",1);
    s = save(15);
    test_cond("a key that has expired is saved as well", !strcmp(s,"db 15\nsize 1 1\nexpire 1\nkey old x\n"));
    test_cond("without a cluster no slots are told", lines(save(3),"slot") == 0);
    robj *list = createListListpackObject(), *set = createIntsetObject(), *v = str("7"), *name = str("list");
    listTypePush(list,v,LIST_TAIL);
    setTypeAdd(set,"7");
    dbAdd(&server.db[7],name,list);
    name = str("set");
    dbAdd(&server.db[7],name,set);
    name = str("str");
    dbAdd(&server.db[7],name,v);
    s = save(7);
    test_cond("values of all types are saved", lines(s,"key ") == 3 && strstr(s,"key list type 1\n") &&
              strstr(s,"key set type 2\n") && strstr(s,"key str 7\n"));
    int everywhere = failsEverywhere(3) && failsEverywhere(7);
    failsEverywhere(3);
    size_t before = zmalloc_used_memory();
    int fails = 1;
    for (int j = 0; j < 20; j++) fails &= failsEverywhere(3);
    int kept = zmalloc_used_memory() == before;
    server.db[0].keys = kvstoreCreate(&dbDictType,14,KVSTORE_ALLOCATE_DICTS_ON_DEMAND);
    server.db[0].expires = kvstoreCreate(&dbExpiresDictType,14,KVSTORE_ALLOCATE_DICTS_ON_DEMAND);
    server.cluster_enabled = 1;
    put(0,"{foo}1","x",-1);
    put(0,"{foo}2","x",4000000000001);
    put(0,"{bar}1","y",-1);
    put(0,"{foo}3","x",4000000000002);
    int foo = keyHashSlot("foo",3), bar = keyHashSlot("bar",3);
    s = save(0);
    sds first = sdscatprintf(sdsempty(),"slot %d 3 2\n",foo), second = sdscatprintf(sdsempty(),"slot %d 1 0\n",bar);
    char *f = strstr(s,first), *b = strstr(s,second);
    int right = f && b && lines(s,"slot") == 2;
    /* The keys after a slot are those of it. */
    int at = -1;
    for (char *p = s; right && *p; p = strchr(p,'\n')+1) {
        if (!strncmp(p,"slot ",5)) at = atoi(p+5);
        if (!strncmp(p,"key {foo}",9) && at != foo) right = 0;
        if (!strncmp(p,"key {bar}",9) && at != bar) right = 0;
    }
    test_cond("in a cluster each slot is told once before its keys", right && lines(s,"key ") == 4);
    test_cond("a slot is told with the numbers of its keys and expires", f && b && !strncmp(s,"db 0\nsize 4 2\n",14));
    test_cond("each write that fails gives -1", everywhere && fails && failsEverywhere(0));
    test_cond("nothing is left behind", kept);
    server.cluster_enabled = 0;
    robj *key = str("b");
    test_cond("the keys stay as they were", dbSize(&server.db[3]) == 3 && getExpire(&server.db[3],key) == 4000000000000 &&
              listTypeLength(list) == 1 && list->refcount == 1);
    test_report();
    return 0;
}
