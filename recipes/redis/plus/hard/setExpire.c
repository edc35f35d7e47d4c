/*---
 * tasks: [expireGenericCommand-82c832.16]
 * tests:
 *   the key gets its time: 'Comment: "Set an expire to the specified key".'
 *   the time is kept as it is: 'Comment: "the absolute unix time in milliseconds".'
 *   a key that has a time gets the new one: 'Callers: EXPIRE of a key that expires already.'
 *   the key is among those that expire once: 'db.c: db->expires; INFO tells their number.'
 *   other keys have no time: 'Comment: "the specified key".'
 *   only the given database is changed: 'Argument db.'
 *   the name is shared with the database: 'dbGenericDelete and dbExpiresDictType: the name in expires is not freed.'
 *   the key and the value stay: 'Comment: it sets an expire.'
 *   names of any bytes are told apart: 'Keys are Redis strings.'
 *   for a master no key is remembered: 'expire.c: "Track keys that received an EXPIRE or similar command in the context of a writable slave".'
 *   a writable replica remembers the key of a client: 'expire.c: "Track keys that received an EXPIRE or similar command in the context of a writable slave".'
 *   the key is remembered for its database: 'expire.c: rememberSlaveKeyWithExpire, the bit of the database.'
 *   a read-only replica remembers none: 'expire.c: "in the context of a writable slave".'
 *   what comes from the master is not remembered: 'expire.c: "Track keys created in the slave side"; CLIENT_MASTER.'
 *   without a client none is remembered: 'Comment: "If the expire is set in the context of an user calling a command c is the client, otherwise NULL".'
 *   a key that does not exist stops the process: 'Callers set it for keys that they found or added.'
 *   in a cluster it is kept in the slot of the key: 'db.c: getKeySlot; keys have a dict for each slot.'
 *   nothing is kept: 'A time takes no memory of its own but its entry.'
 ---*/
#include "start.h"
#include "../testhelp.h"
#include <sys/resource.h>
#include <sys/wait.h>

static robj *put(int db, const char *name, size_t len) {
    robj *key = createStringObject(name,len);
    dbAdd(&server.db[db],key,createStringObject("value",5));
    return key;
}

int main(void) {
    startRedis();
    redisDb *db = &server.db[3];
    client *c = fakeClient();
    robj *key = put(3,"key",3), *other = put(3,"other",5), *third = put(3,"third",5);
    put(4,"key",3);
    setExpire(c,db,key,1234567890123LL);
    test_cond("the key gets its time", dbFindExpires(db,key->ptr) && getExpire(db,key) == 1234567890123LL);
    test_cond("other keys have no time", getExpire(db,other) == -1);
    test_cond("only the given database is changed", getExpire(&server.db[4],key) == -1 && kvstoreSize(server.db[4].expires) == 0);
    test_cond("for a master no key is remembered", getSlaveKeyWithExpireCount() == 0);
    dictEntry *kde = dbFind(db,key->ptr), *ede = dbFindExpires(db,key->ptr);
    test_cond("the name is shared with the database", dictGetKey(kde) == dictGetKey(ede) && dictGetKey(ede) != key->ptr);
    test_cond("the key and the value stay", !strcmp(((robj*)dictGetVal(kde))->ptr,"value") && key->refcount == 1 &&
              dbSize(db) == 3);
    setExpire(NULL,db,key,99);
    int changed = getExpire(db,key) == 99;
    setExpire(NULL,db,key,LLONG_MAX-5);
    test_cond("a key that has a time gets the new one", changed && getExpire(db,key) == LLONG_MAX-5);
    test_cond("the key is among those that expire once", kvstoreSize(db->expires) == 1);
    int kept = 1;
    long long times[] = {0,1,-5,4294967296LL,LLONG_MAX};
    for (int j = 0; j < 5; j++) {
        setExpire(NULL,db,other,times[j]);
        if (dictGetSignedIntegerVal(dbFindExpires(db,other->ptr)) != times[j]) kept = 0;
    }
    test_cond("the time is kept as it is", kept);
    robj *odd = put(3,"x\0y",3), *odd2 = put(3,"x\0z",3), *x = put(3,"x",1);
    setExpire(NULL,db,odd,7);
    test_cond("names of any bytes are told apart", getExpire(db,odd) == 7 && getExpire(db,odd2) == -1 && getExpire(db,x) == -1);

    server.masterhost = sdsnew("master");
    server.repl_slave_ro = 1;
    setExpire(c,db,third,100);
    test_cond("a read-only replica remembers none", getSlaveKeyWithExpireCount() == 0 && getExpire(db,third) == 100);
    server.repl_slave_ro = 0;
    c->flags |= CLIENT_MASTER;
    setExpire(c,db,third,200);
    test_cond("what comes from the master is not remembered", getSlaveKeyWithExpireCount() == 0 && getExpire(db,third) == 200);
    c->flags &= ~CLIENT_MASTER;
    setExpire(NULL,db,third,300);
    test_cond("without a client none is remembered", getSlaveKeyWithExpireCount() == 0 && getExpire(db,third) == 300);
    mstime_t past = mstime()-100000;
    robj *mine = put(3,"mine",4);
    put(5,"mine",4);
    setExpire(NULL,&server.db[5],mine,past);
    setExpire(c,db,mine,past);
    test_cond("a writable replica remembers the key of a client", getSlaveKeyWithExpireCount() == 1 && getExpire(db,mine) == past);
    expireSlaveKeys();
    test_cond("the key is remembered for its database", !dbFind(db,mine->ptr) && dbFind(&server.db[5],mine->ptr) &&
              getSlaveKeyWithExpireCount() == 0);
    server.masterhost = NULL;
    size_t before = 0;
    for (int j = 0; j < 20; j++) {
        if (j == 10) before = zmalloc_used_memory();
        setExpire(c,db,key,1000+j);
        setExpire(NULL,db,third,2000+j);
    }
    test_cond("nothing is kept", zmalloc_used_memory() == before);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        struct rlimit none = {0,0};
        setrlimit(RLIMIT_CORE,&none);
        freopen("/dev/null","w",stdout);
        freopen("/dev/null","w",stderr);
        signal(SIGALRM,SIG_DFL), alarm(20);
        signal(SIGABRT,SIG_DFL);
        signal(SIGSEGV,SIG_DFL);
        setExpire(NULL,db,createStringObject("none",4),100);
        _exit(0);
    }
    int status = 0;
    waitpid(child,&status,0);
    test_cond("a key that does not exist stops the process", WIFSIGNALED(status) || WEXITSTATUS(status));
    server.cluster_enabled = 1;
    int flags = KVSTORE_ALLOCATE_DICTS_ON_DEMAND|KVSTORE_FREE_EMPTY_DICTS;
    server.db[0].keys = kvstoreCreate(&dbDictType,14,flags);
    server.db[0].expires = kvstoreCreate(&dbExpiresDictType,14,flags);
    robj *a = put(0,"{a}1",4);
    setExpire(NULL,&server.db[0],a,777);
    int slot = calculateKeySlot(a->ptr);
    test_cond("in a cluster it is kept in the slot of the key", slot > 0 && kvstoreDictSize(server.db[0].expires,slot) == 1 &&
              getExpire(&server.db[0],a) == 777);
    test_report();
    return 0;
}
