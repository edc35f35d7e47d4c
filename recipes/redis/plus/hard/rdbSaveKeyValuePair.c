/*---
 * tasks: [evictionPoolPopulate-a95d96.4, evictionPoolPopulate-a95d96.8, evictionPoolPopulate-a95d96.16]
 * tests:
 *   one is returned: 'Comment: "On success if the key was actually saved 1 is returned".'
 *   key and value are saved with their type: 'Comment: "Save a key-value pair, with expire time, type, key, value".'
 *   the value of each type is saved: 'Signature: val; rdbSaveObjectType.'
 *   a key of any bytes is saved: 'Signature: key; names are Redis strings.'
 *   a key that looks like a number is saved: 'rdbSaveStringObject; rdbLoadStringObject.'
 *   without an expire time none is saved: 'Caller rdbSaveDb: getExpire gives -1.'
 *   the expire time is saved in milliseconds: 'rdb.h: RDB_OPCODE_EXPIRETIME_MS.'
 *   an expire time of zero and other negative ones are saved: 'getExpire: only -1 means none.'
 *   under an LRU policy the idle time is saved in seconds: 'Comment: "Save the LRU info"; "Using seconds is enough".'
 *   a long idle time is saved whole: 'rdbSaveLen; rdbLoadRioWithLoadingCtx: RDB_OPCODE_IDLE, a length.'
 *   under an LFU policy the frequency is saved in one byte: 'Comment: "Save the LFU info"; "exactly two bytes".'
 *   the frequency is the decayed one: 'LFUDecrAndReturn: "Return the object frequency counter".'
 *   volatile policies save the same: 'server.h: MAXMEMORY_VOLATILE_LRU and _LFU have the flags.'
 *   other policies save neither: 'server.maxmemory_policy: neither flag.'
 *   all that belongs to the key stands before its type:
 *     'rdbLoadRioWithLoadingCtx: EXPIRETIME, FREQ, IDLE "to be used by the following key".'
 *   nothing follows the value: 'Comment: "type, key, value"; the next key follows.'
 *   each write that fails gives an error: 'Comment: "On error -1 is returned".'
 *   the objects are left as they were: 'Caller rdbSaveDb: the child saves what the parent goes on with.'
 *   a module type learns the key and the database: 'Signature: dbid; module.c: RedisModule_GetDbIdFromIO.'
 *   what was saved loads again: 'rdb.h: rdbLoadRio.'
 ---*/
#include "start.h"
#include "../testhelp.h"

static rio r;
static int returned;

static void save(robj *key, robj *val, long long expire) {
    rioInitWithBuffer(&r,sdsempty());
    returned = rdbSaveKeyValuePair(&r,key,val,expire,0);
}

/* What stands before the type in that which was saved; the type, the key and the value after it. */
static int expires, idles, freqs, type, others;
static long long expire, idle, freq;
static robj *key, *val;

static void load(void) {
    sds saved = r.io.buffer.ptr;
    rioInitWithBuffer(&r,saved);
    expires = idles = freqs = others = 0;
    expire = idle = freq = -100;
    key = val = NULL;
    while (1) {
        type = rdbLoadType(&r);
        if (type == RDB_OPCODE_EXPIRETIME_MS) {
            expires++;
            expire = rdbLoadMillisecondTime(&r,RDB_VERSION);
        } else if (type == RDB_OPCODE_IDLE) {
            idles++;
            idle = rdbLoadLen(&r,NULL);
        } else if (type == RDB_OPCODE_FREQ) {
            unsigned char byte = 0;
            freqs++;
            rioRead(&r,&byte,1);
            freq = byte;
        } else break;
    }
    if (type == -1 || type > RDB_TYPE_SET_LISTPACK) {
        others++;
        return;
    }
    int error = 0;
    key = rdbLoadStringObject(&r);
    if (key) val = rdbLoadObject(type,&r,key->ptr,0,&error);
    if (sdslen(saved) != (size_t)r.io.buffer.pos) others++;
}

static int is(robj *o, const char *text, size_t len) {
    o = o ? getDecodedObject(o) : NULL;
    return o && sdslen(o->ptr) == len && !memcmp(o->ptr,text,len);
}

static size_t room;

static size_t limited(rio *io, const void *buf, size_t len) {
    UNUSED(io);
    UNUSED(buf);
    if (len > room) return 0;
    room -= len;
    return 1;
}

/* Whether -1 is returned wherever the writing ends, and 1 when there is room for all. */
static int failsEverywhere(robj *name, robj *o, long long when) {
    save(name,o,when);
    size_t all = sdslen(r.io.buffer.ptr);
    for (size_t j = 0; j <= all; j++) {
        rioInitWithBuffer(&r,sdsempty());
        r.write = limited;
        room = j;
        if (rdbSaveKeyValuePair(&r,name,o,when,0) != (j == all ? 1 : -1)) return 0;
    }
    return 1;
}

static int seenDb;
static const void *seenKey;

static void saveModule(RedisModuleIO *io, void *value) {
    UNUSED(value);
    seenDb = io->dbid;
    seenKey = io->key;
}

static int none(int policy, robj *name, robj *o) {
    server.maxmemory_policy = policy;
    save(name,o,-1);
    load();
    return !idles && !freqs && !expires && type == RDB_TYPE_STRING && !others && is(key,"name",4) && is(val,"v",1);
}

int main(void) {
    startRedis();
    server.hz = 10;
    server.maxmemory_policy = MAXMEMORY_NO_EVICTION;
    robj *name = createStringObject("name",4), *o = createStringObject("v",1);
    save(name,o,-1);
    int one = returned == 1;
    load();
    test_cond("one is returned", one);
    test_cond("key and value are saved with their type", type == RDB_TYPE_STRING && is(key,"name",4) && is(val,"v",1));
    test_cond("without an expire time none is saved", expires == 0 && is(key,"name",4));
    test_cond("nothing follows the value", others == 0);
    robj *list = createListListpackObject(), *set = createIntsetObject(), *hash = createHashObject(), *z = createZsetObject();
    robj *one1 = createStringObject("1",1);
    listTypePush(list,one1,LIST_TAIL);
    setTypeAdd(set,"7");
    hashTypeSet(hash,sdsnew("f"),sdsnew("v"),HASH_SET_COPY);
    int flags;
    zsetAdd(z,1.5,one1->ptr,0,&flags,NULL);
    robj *all[] = {list,set,hash,z};
    int same = 1;
    for (int j = 0; j < 4; j++) {
        save(name,all[j],-1);
        load();
        if (returned != 1 || others || !val || val->type != all[j]->type || !is(key,"name",4)) same = 0;
        else if (val->type == OBJ_HASH ? hashTypeLength(val) != 1 : val->type == OBJ_ZSET ? zsetLength(val) != 1 :
                 val->type == OBJ_SET ? !setTypeIsMember(val,"7") : listTypeLength(val) != 1) same = 0;
    }
    test_cond("the value of each type is saved", same);
    robj *binary = createStringObject("a\0\r\n\xff",5), *empty = createStringObject("",0);
    save(binary,o,-1);
    load();
    same = is(key,"a\0\r\n\xff",5) && is(val,"v",1);
    save(empty,o,-1);
    load();
    test_cond("a key of any bytes is saved", same && is(key,"",0) && is(val,"v",1));
    robj *number = createStringObject("1234",4), *count = createStringObjectFromLongLong(-99);
    save(number,count,-1);
    load();
    test_cond("a key that looks like a number is saved", is(key,"1234",4) && is(val,"-99",3));

    save(name,o,1700000000123);
    load();
    test_cond("the expire time is saved in milliseconds", expires == 1 && expire == 1700000000123 && !others && is(val,"v",1));
    save(name,o,0);
    load();
    same = expires == 1 && expire == 0;
    save(name,o,-2);
    load();
    test_cond("an expire time of zero and other negative ones are saved", same && expires == 1 && expire == -2);

    server.maxmemory_policy = MAXMEMORY_ALLKEYS_LRU;
    server.lruclock = 1000000;
    o->lru = 1000000-42;
    save(name,o,-1);
    load();
    test_cond("under an LRU policy the idle time is saved in seconds", idles == 1 && idle == 42 && freqs == 0);
    o->lru = 0;
    save(name,o,-1);
    load();
    int whole = idles == 1 && idle == 1000000;
    o->lru = 1000000-300;
    save(name,o,-1);
    load();
    test_cond("a long idle time is saved whole", whole && idle == 300 && !others);
    save(name,o,5);
    sds s = sdsdup(r.io.buffer.ptr);
    load();
    int before = expires == 1 && idles == 1 && expire == 5 && idle == 300 && !others && is(val,"v",1);
    int everywhere = failsEverywhere(name,o,5);
    server.maxmemory_policy = MAXMEMORY_VOLATILE_LRU;
    save(name,o,-1);
    load();
    int vol = idles == 1 && idle == 300 && !freqs;

    server.maxmemory_policy = MAXMEMORY_ALLKEYS_LFU;
    server.unixtime = 60*5000;
    server.lfu_decay_time = 1;
    o->lru = (5000<<8)|250;
    save(name,o,-1);
    size_t len = sdslen(r.io.buffer.ptr);
    load();
    int byte = freqs == 1 && freq == 250 && !idles && !others;
    everywhere = everywhere && failsEverywhere(name,o,7);
    server.maxmemory_policy = MAXMEMORY_NO_EVICTION;
    save(name,o,-1);
    test_cond("under an LFU policy the frequency is saved in one byte", byte && len == sdslen(r.io.buffer.ptr)+2);
    server.maxmemory_policy = MAXMEMORY_VOLATILE_LFU;
    save(name,o,9);
    load();
    vol = vol && freqs == 1 && freq == 250 && !idles;
    test_cond("volatile policies save the same", vol);
    test_cond("all that belongs to the key stands before its type", before && expires == 1 && expire == 9 && freqs == 1 &&
              !others && is(val,"v",1));
    o->lru = (4990<<8)|250;
    save(name,o,-1);
    load();
    test_cond("the frequency is the decayed one", freqs == 1 && freq == 240);
    test_cond("other policies save neither", none(MAXMEMORY_NO_EVICTION,name,o) && none(MAXMEMORY_VOLATILE_TTL,name,o) &&
              none(MAXMEMORY_ALLKEYS_RANDOM,name,o) && none(MAXMEMORY_VOLATILE_RANDOM,name,o));
    test_cond("each write that fails gives an error", everywhere && failsEverywhere(name,z,5) &&
              failsEverywhere(binary,hash,-1));
    test_cond("the objects are left as they were", name->refcount == 1 && o->refcount == 1 && is(name,"name",4) &&
              o->lru == ((4990<<8)|250) && list->refcount == 1 && listTypeLength(list) == 1);

    moduleType mt = {.id = 1<<10, .rdb_save = saveModule};
    moduleValue mv = {.type = &mt, .value = NULL};
    robj *m = createObject(OBJ_MODULE,&mv);
    rioInitWithBuffer(&r,sdsempty());
    returned = rdbSaveKeyValuePair(&r,name,m,-1,7);
    test_cond("a module type learns the key and the database", returned == 1 && seenDb == 7 && seenKey == name);

    rioInitWithBuffer(&r,sdsempty());
    char magic[10];
    snprintf(magic,sizeof(magic),"REDIS%04d",RDB_VERSION);
    rioWrite(&r,magic,9);
    server.maxmemory_policy = MAXMEMORY_ALLKEYS_LRU;
    o->lru = server.lruclock-10;
    rdbSaveKeyValuePair(&r,name,o,4000000000000,0);
    rdbSaveKeyValuePair(&r,binary,list,-1,0);
    unsigned char end[9] = {RDB_OPCODE_EOF};
    rioWrite(&r,end,9);
    s = r.io.buffer.ptr;
    rioInitWithBuffer(&r,s);
    rdbSaveInfo info = RDB_SAVE_INFO_INIT;
    int ok = rdbLoadRio(&r,RDBFLAGS_NONE,&info);
    dictEntry *de = dbFind(&server.db[0],name->ptr);
    test_cond("what was saved loads again", ok == C_OK && dbSize(&server.db[0]) == 2 && de && is(dictGetVal(de),"v",1) &&
              getExpire(&server.db[0],name) == 4000000000000 && getExpire(&server.db[0],binary) == -1);
    test_report();
    return 0;
}
