/*---
 * tasks: [expireGenericCommand-82c832.16]
 * instead: [src/expire.o]
 * tests:
 *   the list of keys is made at the first call: 'Comment of slaveKeysWithExpire: "We''ll do it once the feature is used the first time".'
 *   the key is remembered: 'Comment: "Track keys that received an EXPIRE or similar command".'
 *   the key is remembered once: 'Comment of slaveKeysWithExpire: a dictionary by names.'
 *   the bit of the database is set: 'Comment of slaveKeysWithExpire: "with the bits corresponding to the DB where the keys may exist set to 1".'
 *   further databases add their bits: 'Comment of slaveKeysWithExpire: "bits corresponding to the DB".'
 *   the same database again changes nothing: 'Comment of slaveKeysWithExpire: bits.'
 *   databases up to 63 are remembered: 'Comment of slaveKeysWithExpire: "64 bit unsigned integer".'
 *   databases above 63 are not: 'Comment of slaveKeysWithExpire: "Currently the keys created with a DB id > 63 are not expired".'
 *   each key has bits of its own: 'Comment of slaveKeysWithExpire: the value of each name.'
 *   the name is a copy: 'Comment: "we don''t want to need to take those keys in sync with the main DB".'
 *   the key stays as it is: 'Callers go on with it.'
 *   names of any bytes and cases are told apart: 'Comment of slaveKeysWithExpire: "an SDS string representing the key".'
 *   the number of keys is right: 'getSlaveKeyWithExpireCount: "Return the number of keys we are tracking".'
 *   after a flush keys are remembered anew: 'flushSlaveKeysWithExpireList sets it to NULL.'
 *   names are freed with the list: 'flushSlaveKeysWithExpireList releases it.'
 *   a key that is remembered again takes no memory: 'EXPIRE may come again and again.'
 *   remembered keys expire: 'expireSlaveKeys.'
 ---*/
#include "../expire.c"
#include "start.h"
#include "../testhelp.h"

static redisDb dbs[100];

static void rememberBytes(int db, const char *name, size_t len) {
    robj *key = createStringObject(name,len);
    rememberSlaveKeyWithExpire(&dbs[db],key);
    decrRefCount(key);
}

static void note(int db, const char *name) {
    rememberBytes(db,name,strlen(name));
}

/* The databases of the key as bits, 0 if it isn't remembered. */
static uint64_t bits(const char *name) {
    sds key = sdsnew(name);
    dictEntry *de = slaveKeysWithExpire ? dictFind(slaveKeysWithExpire,key) : NULL;
    sdsfree(key);
    return de ? dictGetUnsignedIntegerVal(de) : 0;
}

int main(void) {
    startRedis();
    server.lazyfree_lazy_expire = 0;
    for (int j = 0; j < 100; j++) dbs[j].id = j;
    int none = slaveKeysWithExpire == NULL && getSlaveKeyWithExpireCount() == 0;
    robj *key = createStringObject("key",3);
    rememberSlaveKeyWithExpire(&dbs[3],key);
    test_cond("the list of keys is made at the first call", none && slaveKeysWithExpire);
    test_cond("the key is remembered", getSlaveKeyWithExpireCount() == 1 && bits("key"));
    test_cond("the bit of the database is set", bits("key") == 8);
    sds name = dictGetKey(dictGetRandomKey(slaveKeysWithExpire));
    test_cond("the key stays as it is", key->refcount == 1 && !strcmp(key->ptr,"key") && sdslen(key->ptr) == 3);
    ((char*)key->ptr)[0] = 'X';
    test_cond("the name is a copy", name != key->ptr && !strcmp(name,"key") && bits("key") == 8 && !bits("Xey"));
    note(3,"key");
    test_cond("the same database again changes nothing", bits("key") == 8);
    note(0,"key"), note(10,"key");
    test_cond("further databases add their bits", bits("key") == (8|1|1024));
    test_cond("the key is remembered once", getSlaveKeyWithExpireCount() == 1);
    note(5,"other");
    test_cond("each key has bits of its own", bits("other") == 32 && bits("key") == (8|1|1024));
    note(31,"high"), note(32,"high"), note(40,"high"), note(63,"high");
    test_cond("databases up to 63 are remembered",
              bits("high") == ((1ULL << 31)|(1ULL << 32)|(1ULL << 40)|(1ULL << 63)));
    note(64,"above"), note(99,"above"), note(64,"key");
    test_cond("databases above 63 are not", !bits("above") && bits("key") == (8|1|1024) && getSlaveKeyWithExpireCount() == 3);
    rememberBytes(1,"x\0y",3), rememberBytes(2,"x\0z",3), note(4,"KEY"), note(6,"");
    test_cond("names of any bytes and cases are told apart", !bits("x") && bits("KEY") == 16 && bits("key") == (8|1|1024) &&
              getSlaveKeyWithExpireCount() == 7);
    char text[32];
    for (int j = 0; j < 200; j++) {
        snprintf(text,sizeof(text),"many:%d",j);
        note(j % 64,text);
    }
    test_cond("the number of keys is right", getSlaveKeyWithExpireCount() == 207 && bits("many:70") == 64);
    flushSlaveKeysWithExpireList();
    note(7,"key");
    test_cond("after a flush keys are remembered anew", getSlaveKeyWithExpireCount() == 1 && bits("key") == 128);
    size_t before = zmalloc_used_memory();
    for (int j = 0; j < 20; j++) note(7,"key"), note(8,"key"), note(70,"none");
    test_cond("a key that is remembered again takes no memory", zmalloc_used_memory() == before);
    flushSlaveKeysWithExpireList();
    before = zmalloc_used_memory();
    for (int j = 0; j < 20; j++) {
        snprintf(text,sizeof(text),"a rather long name of a key:%d",j);
        note(1,text), note(2,text);
    }
    flushSlaveKeysWithExpireList();
    test_cond("names are freed with the list", zmalloc_used_memory() == before);
    robj *dead = createStringObject("dead",4), *alive = createStringObject("alive",5);
    dbAdd(&server.db[2],dead,createStringObject("v",1)), dbAdd(&server.db[2],alive,createStringObject("v",1));
    setExpire(NULL,&server.db[2],dead,mstime()-1000), setExpire(NULL,&server.db[2],alive,mstime()+10000000);
    rememberSlaveKeyWithExpire(&server.db[2],dead), rememberSlaveKeyWithExpire(&server.db[2],alive);
    for (int j = 0; j < 50; j++) expireSlaveKeys();
    test_cond("remembered keys expire", !dbFind(&server.db[2],dead->ptr) && dbFind(&server.db[2],alive->ptr) &&
              getSlaveKeyWithExpireCount() == 1);
    test_report();
    return 0;
}
