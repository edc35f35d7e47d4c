/*---
 * tasks: [expireSlaveKeys-f8757a, expireSlaveKeys-f8757a.2, expireSlaveKeys-f8757a.4, expireSlaveKeys-f8757a.8, expireSlaveKeys-f8757a.16]
 * tests:
 *   without any tracked key it returns: 'Comment of slaveKeysWithExpire: NULL until the feature is used; caller databasesCron runs always.'
 *   with an emptied list it returns: 'Comment of flushSlaveKeysWithExpireList; caller databasesCron runs always.'
 *   a tracked key that has expired is removed: 'Comment of the section: "reclaim the keys if they already expired".'
 *   it is no longer tracked: 'Comment: "if the bitmap is zero, we no longer need to keep track of it".'
 *   a tracked key that lives stays and stays tracked: 'Comment: "If the key was not expired in this DB, we need to set the corresponding bit".'
 *   a single living key does not keep it busy: 'Comment: "Stop conditions".'
 *   a key of the master is left to the master: 'Comment of the section: "Normally slaves do not process expires".'
 *   an expired key of the master is left in the databases without a bit: 'Comment: "check the key against every database corresponding to the bits set".'
 *   it is removed in each database that it is tracked for: 'Comment: "every database corresponding to the bits set in the value bitmap".'
 *   where it lives it stays tracked: 'Comment: "the corresponding bit in the new bitmap we set as value".'
 *   where it has expired it is not tracked any more: 'Comment: "If the key was not expired in this DB, we need to set the corresponding bit in the new bitmap".'
 *   what lives in one database expires there later: 'Comment: "the corresponding bit in the new bitmap we set as value".'
 *   a key that was made persistent stays and is forgotten: 'Comment: "if the bitmap is zero, we no longer need to keep track of it".'
 *   a key that was deleted is forgotten: 'Comment: "if the bitmap is zero, we no longer need to keep track of it".'
 *   the highest databases are looked at: 'Comment of slaveKeysWithExpire: 64 bits; "keys created with a DB id > 63 are not expired".'
 *   in the highest database a living key stays tracked: 'Comment of slaveKeysWithExpire: 64 bits.'
 *   many expired keys go in one call: 'Comment: the stop conditions are keys that can not expire, and time.'
 *   expired keys among living ones go in the end: 'Caller databasesCron: called again and again.'
 *   expired keys are counted: 'activeExpireCycleTryExpire: "server.stat_expiredkeys is incremented".'
 *   the deletion gets into the AOF: 'Comment: "they might propagate to AOF".'
 *   nothing remains to be propagated: 'Comment: "Propagate the DEL".'
 *   the event is told: 'Upstream documentation of keyspace notifications: "expired".'
 *   names of any bytes expire: 'Comment: "The dictionary has an SDS string representing the key".'
 *   the names are freed: 'rememberSlaveKeyWithExpire: "a copy of the SDS string".'
 ---*/
#include "start.h"
#include "../testhelp.h"

/* As startRedis() does it, with so many databases. */
static void startWith(int databases) {
    crc64_init();
    initServerConfig();
    server.dbnum = databases;
    ACLInit();
    moduleInitModulesSystem();
    connTypeInitialize();
    server.verbosity = LL_WARNING;
    zfree(server.logfile);
    server.logfile = zstrdup("/dev/null");
    initServer();
}

static mstime_t past, future;

static void putBytes(int db, const char *name, size_t len, long long when, int tracked) {
    robj *key = createStringObject(name,len), *val = createStringObject("value",5);
    if (dbFind(&server.db[db],key->ptr)) dbDelete(&server.db[db],key);
    dbAdd(&server.db[db],key,val);
    if (when != -1) setExpire(NULL,&server.db[db],key,when);
    if (tracked) rememberSlaveKeyWithExpire(&server.db[db],key);
    decrRefCount(key);
}

static void put(int db, const char *name, long long when, int tracked) {
    putBytes(db,name,strlen(name),when,tracked);
}

static int hasBytes(int db, const char *name, size_t len) {
    sds key = sdsnewlen(name,len);
    int found = dbFind(&server.db[db],key) != NULL;
    sdsfree(key);
    return found;
}

static int has(int db, const char *name) {
    return hasBytes(db,name,strlen(name));
}

static void drop(int db, const char *name) {
    robj *key = createStringObject(name,strlen(name));
    dbDelete(&server.db[db],key);
    decrRefCount(key);
}

int main(void) {
    startWith(70);
    signal(SIGALRM,SIG_DFL), alarm(30);
    server.lazyfree_lazy_expire = 0;
    server.masterhost = sdsnew("master");
    server.repl_slave_ro = 0;
    past = mstime()-100000, future = mstime()+100000000;

    expireSlaveKeys();
    put(0,"masters",past,0);
    expireSlaveKeys();
    test_cond("without any tracked key it returns", getSlaveKeyWithExpireCount() == 0 && has(0,"masters"));
    put(0,"dead",past,1);
    expireSlaveKeys();
    test_cond("a tracked key that has expired is removed", !has(0,"dead"));
    test_cond("it is no longer tracked", getSlaveKeyWithExpireCount() == 0);
    expireSlaveKeys();
    test_cond("with an emptied list it returns", getSlaveKeyWithExpireCount() == 0);
    test_cond("a key of the master is left to the master", has(0,"masters"));
    put(0,"alive",future,1);
    expireSlaveKeys();
    expireSlaveKeys();
    test_cond("a tracked key that lives stays and stays tracked", has(0,"alive") && getSlaveKeyWithExpireCount() == 1);
    test_cond("a single living key does not keep it busy", 1);
    flushSlaveKeysWithExpireList();

    server.stat_expiredkeys = 0;
    put(1,"both",past,1);
    put(3,"both",past,1);
    put(2,"both",past,0);
    put(4,"both",past,0);
    expireSlaveKeys();
    test_cond("it is removed in each database that it is tracked for", !has(1,"both") && !has(3,"both"));
    test_cond("an expired key of the master is left in the databases without a bit", has(2,"both") && has(4,"both"));
    test_cond("expired keys are counted", server.stat_expiredkeys == 2);

    put(1,"half",past,1);
    put(3,"half",future,1);
    put(6,"half",past,1);
    expireSlaveKeys();
    test_cond("where it lives it stays tracked", !has(1,"half") && has(3,"half") && !has(6,"half") &&
              getSlaveKeyWithExpireCount() == 1);
    put(1,"half",past,0);
    put(6,"half",past,0);
    expireSlaveKeys();
    test_cond("where it has expired it is not tracked any more", has(1,"half") && has(6,"half"));
    put(3,"half",past,0);
    expireSlaveKeys();
    test_cond("what lives in one database expires there later", !has(3,"half") && has(1,"half") &&
              getSlaveKeyWithExpireCount() == 0);

    put(0,"kept",-1,1);
    expireSlaveKeys();
    test_cond("a key that was made persistent stays and is forgotten", has(0,"kept") &&
              getSlaveKeyWithExpireCount() == 0);
    put(0,"deleted",past,1);
    drop(0,"deleted");
    expireSlaveKeys();
    test_cond("a key that was deleted is forgotten", getSlaveKeyWithExpireCount() == 0);

    put(63,"high",past,1);
    put(40,"high",past,1);
    put(31,"high",past,1);
    expireSlaveKeys();
    test_cond("the highest databases are looked at", !has(63,"high") && !has(40,"high") && !has(31,"high"));
    put(63,"top",future,1);
    put(33,"top",future,1);
    expireSlaveKeys();
    int tracked = getSlaveKeyWithExpireCount() == 1 && has(63,"top") && has(33,"top");
    put(63,"top",past,0);
    put(33,"top",past,0);
    put(1,"top",past,0);
    expireSlaveKeys();
    test_cond("in the highest database a living key stays tracked", tracked && !has(63,"top") && !has(33,"top") &&
              has(1,"top"));

    char name[32];
    for (int j = 0; j < 50; j++) {
        snprintf(name,sizeof(name),"many:%d",j);
        put(0,name,past,1);
    }
    expireSlaveKeys();
    int left = 0;
    for (int j = 0; j < 50; j++) {
        snprintf(name,sizeof(name),"many:%d",j);
        left += has(0,name);
    }
    test_cond("many expired keys go in one call", left == 0 && getSlaveKeyWithExpireCount() == 0);
    for (int j = 0; j < 20; j++) {
        snprintf(name,sizeof(name),"mixed:%d",j);
        put(0,name,j % 2 ? past : future,1);
    }
    for (int j = 0; j < 500; j++) expireSlaveKeys();
    left = 0;
    for (int j = 0; j < 20; j++) {
        snprintf(name,sizeof(name),"mixed:%d",j);
        left += has(0,name) == j % 2;
    }
    test_cond("expired keys among living ones go in the end", left == 0 && getSlaveKeyWithExpireCount() == 10);
    flushSlaveKeysWithExpireList();

    client *listener = subscriberClient();
    const char *all[] = {"psubscribe","__key*__:*"};
    setArguments(listener,2,all);
    psubscribeCommand(listener);
    sdsfree(replyOf(listener));
    server.notify_keyspace_events = NOTIFY_EXPIRED|NOTIFY_KEYEVENT;
    server.aof_state = AOF_ON;
    server.aof_selected_db = -1;
    put(7,"told",past,1);
    put(8,"told",past,1);
    expireSlaveKeys();
    sds s = replyOf(listener);
    test_cond("the event is told", strstr(s,"__keyevent@7__:expired\r\n$4\r\ntold\r\n") &&
              strstr(s,"__keyevent@8__:expired\r\n$4\r\ntold\r\n"));
    sdsfree(s);
    test_cond("the deletion gets into the AOF",
              strstr(server.aof_buf,"SELECT\r\n$1\r\n7\r\n*2\r\n$3\r\nDEL\r\n$4\r\ntold\r\n") &&
              strstr(server.aof_buf,"SELECT\r\n$1\r\n8\r\n*2\r\n$3\r\nDEL\r\n$4\r\ntold\r\n"));
    test_cond("nothing remains to be propagated", server.also_propagate.numops == 0);
    server.aof_state = AOF_OFF;
    server.notify_keyspace_events = 0;

    putBytes(0,"a\0b",3,past,1);
    put(0,"a",past,0);
    expireSlaveKeys();
    test_cond("names of any bytes expire", !hasBytes(0,"a\0b",3) && has(0,"a"));

    size_t before = 0;
    for (int round = 0; round < 40; round++) {
        if (round == 20) before = zmalloc_used_memory();
        snprintf(name,sizeof(name),"long:%d:%020d",round,round);
        put(0,name,past,1);
        expireSlaveKeys();
    }
    test_cond("the names are freed", zmalloc_used_memory() == before);
    test_report();
    return 0;
}
