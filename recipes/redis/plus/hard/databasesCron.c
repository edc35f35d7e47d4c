/*---
 * tasks: [expireSlaveKeys-f8757a.2, expireSlaveKeys-f8757a.4, expireSlaveKeys-f8757a.8, expireSlaveKeys-f8757a.16]
 * tests:
 *   a master removes keys that have expired: 'Comment: "Expire keys by random sampling".'
 *   keys that live stay: 'Comment: "active key expiring".'
 *   without active expiring nothing is removed: 'server.h: active_expire_enabled, "Can be disabled for testing purposes"; DEBUG SET-ACTIVE-EXPIRE.'
 *   a replica leaves keys of its master alone: 'Comment: "Not required for slaves as master will synthesize DELs for us".'
 *   a replica removes expired keys of its own: 'expire.c: "call the expireSlaveKeys() function from time to time".'
 *   a replica without active expiring removes none: 'server.h: active_expire_enabled.'
 *   a master does not follow the list of a replica: 'expire.c: expireSlaveKeys is for keys made in a writable replica.'
 *   keys expire while a child is active: 'Comment: only rehashing depends on "other processes saving the DB on disk".'
 *   defragmentation gets its turn: 'Comment: "Defrag keys gradually"; defrag.c: activeDefragCycle stops what was disabled.'
 *   tables of keys that are too large shrink: 'Comment: "resizing"; redis.conf: activerehashing.'
 *   tables of times to live shrink too: 'Comment: "resizing"; kvstore.c: kvstoreTryResizeDicts; db.c: a database has two.'
 *   each database gets its turn at resizing: 'Comment: "start from the successive in the next cron loop iteration".'
 *   no resizing while a child is active: 'Comment: "only if there are no other processes saving the DB on disk".'
 *   resizing does not depend on activerehashing: 'redis.conf: activerehashing is about rehashing; "Rehash" is the second step.'
 *   rehashing of keys goes on in each database: 'Comment: "Perform hash tables rehashing if needed".'
 *   rehashing of times to live goes on in each database: 'Comment: "Perform hash tables rehashing if needed".'
 *   without activerehashing an idle table stays half rehashed: 'redis.conf: activerehashing; "if (server.activerehashing)" in server.h: "Incremental rehash in serverCron()".'
 *   no rehashing while a child is active: 'Comment: "Otherwise rehashing is bad as will cause a lot of copy-on-write".'
 *   all keys are still there: 'Comment: background operations.'
 *   it works with fewer databases than it tests in a call: 'Comment: "Don''t test more DBs than we have".'
 ---*/
#include "start.h"
#include "../testhelp.h"

void databasesCron(void);

#define DBS 20

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

static void put(int db, const char *name, long long when, int tracked) {
    robj *key = createStringObject(name,strlen(name)), *val = createStringObject("value",5);
    dbAdd(&server.db[db],key,val);
    if (when != -1) setExpire(NULL,&server.db[db],key,when);
    if (tracked) rememberSlaveKeyWithExpire(&server.db[db],key);
    decrRefCount(key);
}

static int has(int db, const char *name) {
    sds key = sdsnew(name);
    int found = dbFind(&server.db[db],key) != NULL;
    sdsfree(key);
    return found;
}

/* How many databases have a key of that name. */
static int count(const char *name) {
    int n = 0;
    for (int j = 0; j < server.dbnum; j++) n += has(j,name);
    return n;
}

static void everywhere(const char *name, long long when) {
    for (int j = 0; j < server.dbnum; j++) put(j,name,when,0);
}

static void cron(int times) {
    while (times--) databasesCron();
}

static void clear(void) {
    for (int j = 0; j < server.dbnum; j++) {
        kvstoreEmpty(server.db[j].keys,NULL);
        kvstoreEmpty(server.db[j].expires,NULL);
    }
}

/* In how many databases the tables have so many buckets. */
static int sized(int expires, unsigned long from, unsigned long to) {
    int n = 0;
    for (int j = 0; j < server.dbnum; j++) {
        unsigned long b = kvstoreBuckets(expires ? server.db[j].expires : server.db[j].keys);
        n += b >= from && b <= to;
    }
    return n;
}

static void fill(unsigned long buckets, int keys, unsigned long grow, long long when) {
    char name[32];
    clear();
    for (int j = 0; j < server.dbnum; j++) {
        dbExpand(&server.db[j],buckets,0);
        dbExpandExpires(&server.db[j],buckets,0);
        for (int k = 0; k < keys; k++) {
            snprintf(name,sizeof(name),"key:%d",k);
            put(j,name,when,0);
        }
        if (grow) {
            dbExpand(&server.db[j],grow,0);
            dbExpandExpires(&server.db[j],grow,0);
        }
    }
}

int main(void) {
    startWith(DBS);
    signal(SIGALRM,SIG_DFL), alarm(60);
    server.lazyfree_lazy_expire = 0;
    server.active_defrag_enabled = 0;
    server.activerehashing = 1;
    mstime_t past = mstime()-100000, future = mstime()+1000000000;

    server.active_expire_enabled = 0;
    everywhere("dead",past);
    everywhere("alive",future);
    everywhere("plain",-1);
    cron(50);
    test_cond("without active expiring nothing is removed", count("dead") == DBS);
    server.active_expire_enabled = 1;
    sds master = sdsnew("master");
    server.masterhost = master;
    put(2,"mine",past,1);
    cron(50);
    test_cond("a replica leaves keys of its master alone", count("dead") == DBS);
    test_cond("a replica removes expired keys of its own", !has(2,"mine") && getSlaveKeyWithExpireCount() == 0);
    server.active_expire_enabled = 0;
    put(2,"mine",past,1);
    cron(50);
    test_cond("a replica without active expiring removes none", has(2,"mine") && getSlaveKeyWithExpireCount() == 1);
    server.masterhost = NULL;
    server.active_expire_enabled = 1;
    cron(50);
    test_cond("a master removes keys that have expired", count("dead") == 0 && !has(2,"mine"));
    test_cond("keys that live stay", count("alive") == DBS && count("plain") == DBS);
    test_cond("a master does not follow the list of a replica", getSlaveKeyWithExpireCount() == 1);
    server.child_pid = getpid();
    everywhere("dead",past);
    server.masterhost = master;
    cron(1);
    int tracked = getSlaveKeyWithExpireCount();
    server.masterhost = NULL;
    cron(50);
    test_cond("keys expire while a child is active", count("dead") == 0 && tracked == 0);
    server.child_pid = -1;
    server.active_defrag_running = 10;
    cron(1);
    test_cond("defragmentation gets its turn", server.active_defrag_running == 0);

    server.active_expire_enabled = 0;
    fill(4096,10,0,future);
    int large = sized(0,4096,4096) == DBS && sized(1,4096,4096) == DBS;
    server.child_pid = getpid();
    cron(50);
    int kept = large && sized(0,4096,4096) == DBS && sized(1,4096,4096) == DBS;
    test_cond("no resizing while a child is active", kept);
    server.child_pid = -1;
    cron(2000);
    test_cond("tables of keys that are too large shrink", large && sized(0,10,1024) == DBS);
    test_cond("tables of times to live shrink too", large && sized(1,10,1024) == DBS);
    fill(4096,0,0,future);
    large = sized(0,4096,4096) == DBS && sized(1,4096,4096) == DBS;
    server.activerehashing = 0;
    cron(2);
    test_cond("each database gets its turn at resizing", large && sized(0,0,1024) == DBS && sized(1,0,1024) == DBS);
    fill(4096,10,0,future);
    cron(2);
    test_cond("resizing does not depend on activerehashing", sized(0,4097,8192) == DBS && sized(1,4097,8192) == DBS);

    fill(256,200,512,future);
    large = sized(0,768,768) == DBS && sized(1,768,768) == DBS;
    cron(50);
    kept = large && sized(0,768,768) == DBS && sized(1,768,768) == DBS;
    test_cond("without activerehashing an idle table stays half rehashed", kept);
    server.activerehashing = 1;
    server.child_pid = getpid();
    cron(50);
    kept = large && sized(0,768,768) == DBS && sized(1,768,768) == DBS;
    test_cond("no rehashing while a child is active", kept);
    server.child_pid = -1;
    cron(2000);
    test_cond("rehashing of keys goes on in each database", large && sized(0,512,512) == DBS);
    test_cond("rehashing of times to live goes on in each database", large && sized(1,512,512) == DBS);
    test_cond("all keys are still there", count("key:0") == DBS && count("key:99") == DBS && count("key:199") == DBS &&
              dbSize(&server.db[DBS-1]) == 200);

    clear();
    server.dbnum = 3;
    server.active_expire_enabled = 1;
    everywhere("dead",past);
    fill(256,200,512,past);
    cron(2000);
    test_cond("it works with fewer databases than it tests in a call", count("dead") == 0 && sized(0,0,512) == 3 &&
              dbSize(&server.db[2]) == 0);
    test_report();
    return 0;
}
