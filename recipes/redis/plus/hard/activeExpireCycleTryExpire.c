/*---
 * tasks: [expireSlaveKeys-f8757a.4, expireSlaveKeys-f8757a.8, expireSlaveKeys-f8757a.16]
 * tests:
 *   an expired key is told by 1: 'Comment: "If the key is found to be expired, it is removed from the database and 1 is returned".'
 *   an expired key is gone: 'Comment: "removed from the database".'
 *   its time to live is gone: 'Caller expireScanCallback scans db->expires; db.c: dbGenericDelete.'
 *   a key whose time is still to come is told by 0: 'Comment: "Otherwise no operation is performed and 0 is returned".'
 *   at the very millisecond of its time a key lives: 'db.c: keyIsExpired, "now > when", is the same for access.'
 *   one millisecond later it has expired: 'db.c: keyIsExpired, "now > when".'
 *   a living key is left as it is: 'Comment: "Otherwise no operation is performed".'
 *   the given time counts and not the clock: 'Comment: "The parameter now is the current time in milliseconds as is passed".'
 *   each expired key is counted: 'Comment: "When a key is expired, server.stat_expiredkeys is incremented".'
 *   a living key is not counted: 'Comment: "When a key is expired".'
 *   only the given database loses the key: 'Argument db.'
 *   other keys of the database stay: 'Comment: "the key that is stored in the hash table entry".'
 *   the event is told: 'Upstream documentation of keyspace notifications: "expired events every time a key expires".'
 *   the deletion is propagated once for the database: 'Caller expireScanCallback: "Propagate the DEL command".'
 *   nothing is propagated for a living key: 'Comment: "no operation is performed".'
 *   a transaction that watches the key is aborted: 'Upstream documentation of WATCH; db.c: signalModifiedKey.'
 *   names of any bytes expire: 'Keys are Redis strings of any bytes.'
 *   the unit of execution is left again: 'server.c: enterExecutionUnit and exitExecutionUnit come in pairs.'
 *   nothing is kept: 'Caller activeExpireCycle runs for ever.'
 ---*/
#include "start.h"
#include "../testhelp.h"

int activeExpireCycleTryExpire(redisDb *db, dictEntry *de, long long now);

static void put(int db, const char *name, size_t len, long long when) {
    robj *key = createStringObject(name,len), *val = createStringObject("value",5);
    dbAdd(&server.db[db],key,val);
    if (when != -1) setExpire(NULL,&server.db[db],key,when);
    decrRefCount(key);
}

static int has(int db, const char *name, size_t len, int expires) {
    sds key = sdsnewlen(name,len);
    int found = (expires ? dbFindExpires(&server.db[db],key) : dbFind(&server.db[db],key)) != NULL;
    sdsfree(key);
    return found;
}

static int try(int db, const char *name, size_t len, long long now) {
    sds key = sdsnewlen(name,len);
    int got = activeExpireCycleTryExpire(&server.db[db],dbFindExpires(&server.db[db],key),now);
    postExecutionUnitOperations();
    sdsfree(key);
    return got;
}

static int times(const char *text, const char *part) {
    int n = 0;
    while ((text = strstr(text,part)) != NULL) n++, text++;
    return n;
}

int main(void) {
    startRedis();
    server.lazyfree_lazy_expire = 0;
    client *listener = subscriberClient(), *watcher = fakeClient();
    const char *all[] = {"psubscribe","__key*__:*"};
    setArguments(listener,2,all);
    psubscribeCommand(listener);
    sdsfree(replyOf(listener));
    server.notify_keyspace_events = NOTIFY_EXPIRED|NOTIFY_GENERIC|NOTIFY_KEYEVENT;
    server.aof_state = AOF_ON;
    server.aof_selected_db = -1;

    const long long T = 5000000000000LL;     /* In the far future. */
    put(2,"dead",4,T);
    put(2,"other",5,T);
    put(2,"plain",5,-1);
    put(5,"dead",4,T);
    server.stat_expiredkeys = 10;
    int got = try(2,"dead",4,T-1);
    test_cond("a key whose time is still to come is told by 0", got == 0);
    test_cond("at the very millisecond of its time a key lives", try(2,"dead",4,T) == 0);
    test_cond("a living key is left as it is", has(2,"dead",4,0) && has(2,"dead",4,1));
    test_cond("a living key is not counted", server.stat_expiredkeys == 10);
    sds s = replyOf(listener);
    test_cond("nothing is propagated for a living key", sdslen(server.aof_buf) == 0 && sdslen(s) == 0 &&
              server.also_propagate.numops == 0);
    sdsfree(s);
    const char *watch[] = {"watch","dead"};
    selectDb(watcher,2);
    setArguments(watcher,2,watch);
    watcher->cmd->proc(watcher);
    int clean = !(watcher->flags & CLIENT_DIRTY_CAS);
    got = try(2,"dead",4,T+1);
    test_cond("an expired key is told by 1", got == 1);
    test_cond("one millisecond later it has expired", !has(2,"dead",4,0));
    test_cond("an expired key is gone", !has(2,"dead",4,0) && dbSize(&server.db[2]) == 2);
    test_cond("its time to live is gone", !has(2,"dead",4,1));
    test_cond("each expired key is counted", server.stat_expiredkeys == 11);
    test_cond("only the given database loses the key", has(5,"dead",4,0) && has(5,"dead",4,1));
    test_cond("other keys of the database stay", has(2,"other",5,0) && has(2,"other",5,1) && has(2,"plain",5,0));
    s = replyOf(listener);
    test_cond("the event is told", strstr(s,"__keyevent@2__:expired\r\n$4\r\ndead\r\n") != NULL &&
              times(s,"expired\r\n") == 1);
    sdsfree(s);
    test_cond("the deletion is propagated once for the database",
              times(server.aof_buf,"*2\r\n$6\r\nSELECT\r\n$1\r\n2\r\n") == 1 &&
              times(server.aof_buf,"*2\r\n$3\r\nDEL\r\n$4\r\ndead\r\n") == 1 && times(server.aof_buf,"dead") == 1);
    test_cond("a transaction that watches the key is aborted", clean && (watcher->flags & CLIENT_DIRTY_CAS));

    put(1,"past",4,1000);
    int early = try(1,"past",4,999), late = try(1,"past",4,1001);
    test_cond("the given time counts and not the clock", early == 0 && late == 1 && !has(1,"past",4,0));
    put(3,"a\0b",3,T);
    put(3,"a",1,T);
    got = try(3,"a\0b",3,T+5);
    test_cond("names of any bytes expire", got == 1 && !has(3,"a\0b",3,0) && has(3,"a",1,0));
    test_cond("the unit of execution is left again", server.execution_nesting == 0);
    char name[40];
    server.notify_keyspace_events = 0;
    server.aof_state = AOF_OFF;
    size_t before = 0;
    for (int round = 0; round < 40; round++) {
        if (round == 20) before = zmalloc_used_memory();
        snprintf(name,sizeof(name),"key:%d:%025d",round,round);
        put(0,name,strlen(name),T);
        try(0,name,strlen(name),T+1);
    }
    test_cond("nothing is kept", zmalloc_used_memory() == before);
    test_report();
    return 0;
}
