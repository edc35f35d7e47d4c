/*---
 * tasks: [restoreCommand-ab585e.16]
 * instead: [src/functions.o]
 * tests:
 *   all databases are emptied: 'Comment: "Flushes the whole server data set".'
 *   times to live are gone too: 'Comment: "the whole server data set".'
 *   functions are deleted without the flag: 'Signature: flags; emptyData: "Remove all data (keys and functions)".'
 *   functions stay with EMPTYDB_NOFUNCTIONS: 'Caller flushallCommand: "flushall should not flush the functions".'
 *   EMPTYDB_ASYNC frees by another thread: 'Signature: flags; emptyData.'
 *   without it memory is freed before it returns: 'Signature: flags; emptyData.'
 *   the removed keys count as changes: 'server.h: dirty, "Changes to DB from the last save".'
 *   changes that were there before still count: 'server.h: dirty; without save points nothing was saved.'
 *   with save points an RDB file is written: 'The name: ResetRDB; commands/flushall, save points.'
 *   the file is no base of an AOF: 'rdb.c: aof-base; saveCommand: RDBFLAGS_NONE.'
 *   the file has none of the keys: 'The name: ResetRDB.'
 *   the file can be loaded: 'The name: ResetRDB; rdbLoad.'
 *   the file keeps the functions that stay: 'Caller flushallCommand; a restart must not lose them.'
 *   a file of before is replaced: 'The name: ResetRDB.'
 *   one save point is enough: 'server.h: saveparamslen; redis.conf: save.'
 *   the file says how it is replicated: 'rdbPopulateSaveInfo; as saveCommand does.'
 *   without save points no file is written: 'redis.conf: save "" disables snapshots.'
 *   without save points a file of before stays: 'redis.conf: save "" disables snapshots.'
 *   a child that saves an RDB is killed: 'killRDBChild; it would put the old data over the file.'
 *   without save points it is killed too: 'killRDBChild.'
 *   a child that rewrites the AOF is not: 'server.h: CHILD_TYPE_AOF; killRDBChild is for the other.'
 *   clients that watch a key are affected: 'emptyData: "Make sure the WATCHed keys are affected by the FLUSH* commands".'
 *   FLUSHALL replies OK and is propagated: 'Caller flushallCommand; commands/flushall.'
 *   an empty server is no error: 'commands/flushall.'
 *   nothing is left behind: 'Comment: "Flushes the whole server data set".'
 ---*/
#include "functiontest.h"
#include "diskfiles.h"

void createReplicationBacklog(void);

static void add(int db, int n) {
    char name[30];
    selectDb(c,db);
    for (int j = 0; j < n; j++) {
        sprintf(name,"key:%d",j);
        put(name,"value",j % 2 ? 4000000000000 : -1);
    }
    selectDb(c,0);
}

static int empty(void) {
    for (int j = 0; j < server.dbnum; j++) if (kvstoreSize(server.db[j].keys) || kvstoreSize(server.db[j].expires)) return 0;
    return 1;
}

static pid_t childOf(int type) {
    pid_t child = fork();
    if (child == 0) {
        alarm(10);
        for (;;) pause();
    }
    server.child_type = type, server.child_pid = child;
    return child;
}

/* The signal by which it died; it gets SIGTERM now. */
static int diedOf(pid_t child) {
    int status = 0;
    kill(child,SIGTERM);
    waitpid(child,&status,0);
    server.child_type = CHILD_TYPE_NONE, server.child_pid = -1;
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

int main(void) {
    startFunctions();
    signal(SIGTERM,SIG_DFL), signal(SIGUSR1,SIG_DFL); /* Children die of these, of the lower one first. */
    enterFolder();
    resetServerSaveParams();
    const int no = EMPTYDB_NOFUNCTIONS;
    server.dirty = 5;
    flushAllDataAndResetRDB(EMPTYDB_NO_FLAGS);
    int nothing = empty() && server.dirty == 5;
    add(0,10), add(3,6), add(15,4);
    server.dirty = 7;
    flushAllDataAndResetRDB(no);
    test_cond("all databases are emptied", empty());
    test_cond("times to live are gone too", kvstoreSize(server.db[0].expires) == 0 && kvstoreSize(server.db[15].expires) == 0);
    test_cond("the removed keys count as changes", server.dirty >= 20);
    test_cond("changes that were there before still count", server.dirty == 27);
    test_cond("without save points no file is written", filesInFolder() == 0);
    putString(0,"old","content");
    rdbSave(SLAVE_REQ_NONE,server.rdb_filename,NULL,RDBFLAGS_NONE);
    flushAllDataAndResetRDB(no);
    sds s = contentsOf(server.rdb_filename);
    test_cond("without save points a file of before stays", hasBytes(s,"content"));
    sdsfree(s);
    load(functionsLibCtxGetCurrent(),"one","f1 f2","a");
    flushAllDataAndResetRDB(no), flushAllDataAndResetRDB(no|EMPTYDB_ASYNC);
    int stay = functionsNum() == 2 && !strcmp(fcall("f1"),"$1\r\na\r\n");
    flushAllDataAndResetRDB(EMPTYDB_NO_FLAGS);
    int gone = functionsNum() == 0;
    load(functionsLibCtxGetCurrent(),"one","f1 f2","a");
    flushAllDataAndResetRDB(EMPTYDB_ASYNC);
    test_cond("functions are deleted without the flag", gone && functionsNum() == 0);

    load(functionsLibCtxGetCurrent(),"kept","k1","k");
    add(0,10);
    appendServerSaveParams(3600,1), appendServerSaveParams(60,10000);
    server.dirty = 7;
    flushAllDataAndResetRDB(no);
    s = contentsOf(server.rdb_filename);
    test_cond("with save points an RDB file is written", !strncmp(s,"REDIS",5) && filesInFolder() == 1);
    test_cond("the file has none of the keys", !hasBytes(s,"key:") && !hasBytes(s,"old"));
    test_cond("a file of before is replaced", !hasBytes(s,"content"));
    test_cond("the file keeps the functions that stay", hasBytes(s,"name=kept"));
    char *base = memmem(s,sdslen(s),"aof-base",8);
    test_cond("the file is no base of an AOF", !base || !memcmp(base+8,"\xc0\0",2));
    int bare = !hasBytes(s,"repl-id");
    sdsfree(s);
    functionsLibCtxClearCurrent(0);
    putString(0,"x","y");
    emptyData(-1,no,NULL);
    int loaded = rdbLoad(server.rdb_filename,NULL,RDBFLAGS_NONE) == RDB_OK;
    test_cond("the file can be loaded", loaded && empty() && functionsNum() == 1 && !strcmp(fcall("k1"),"$1\r\nk\r\n"));
    test_cond("functions stay with EMPTYDB_NOFUNCTIONS", stay && functionsNum() == 1);
    createReplicationBacklog();
    server.slaveseldb = 3;
    flushAllDataAndResetRDB(no);
    s = contentsOf(server.rdb_filename);
    test_cond("the file says how it is replicated", bare && hasBytes(s,"repl-id") && hasBytes(s,server.replid));
    sdsfree(s);

    add(0,5);
    pid_t child = childOf(CHILD_TYPE_RDB);
    flushAllDataAndResetRDB(no);
    int killed = diedOf(child) == SIGUSR1 && filesInFolder() == 1;
    test_cond("a child that saves an RDB is killed", killed);
    add(0,5);
    child = childOf(CHILD_TYPE_AOF);
    flushAllDataAndResetRDB(no);
    int spared = diedOf(child) == SIGTERM;
    child = childOf(CHILD_TYPE_MODULE);
    flushAllDataAndResetRDB(no|EMPTYDB_ASYNC);
    test_cond("a child that rewrites the AOF is not", spared && diedOf(child) == SIGTERM);
    resetServerSaveParams();
    child = childOf(CHILD_TYPE_RDB);
    flushAllDataAndResetRDB(no|EMPTYDB_ASYNC);
    test_cond("without save points it is killed too", diedOf(child) == SIGUSR1);

    add(0,5);
    client *w = fakeClient();
    setArguments(w,2,(const char*[]){"watch","key:1"});
    watchCommand(w);
    flushAllDataAndResetRDB(no);
    test_cond("clients that watch a key are affected", (w->flags & CLIENT_DIRTY_CAS) != 0);
    add(2,5);
    int ok = gives("+OK\r\n","flushall") && server.dirty == dirtyBefore+5 && empty() && functionsNum() == 1;
    test_cond("FLUSHALL replies OK and is propagated", ok && (c->flags & CLIENT_FORCE_REPL) && (c->flags & CLIENT_FORCE_AOF));

    bioDrainWorker(BIO_LAZY_FREE);
    holdBackground(1);
    size_t pending = lazyfreeGetPendingObjectsCount();
    add(0,1000), add(4,1000);
    flushAllDataAndResetRDB(no);
    int sync = lazyfreeGetPendingObjectsCount() == pending && empty();
    add(0,1000), add(4,1000);
    server.dirty = 0;
    flushAllDataAndResetRDB(no|EMPTYDB_ASYNC);
    int async = lazyfreeGetPendingObjectsCount() == pending+2000 && empty() && server.dirty == 2000;
    holdBackground(0);
    test_cond("EMPTYDB_ASYNC frees by another thread", async && lazyfreeGetPendingObjectsCount() == 0);
    test_cond("without it memory is freed before it returns", sync);
    flushAllDataAndResetRDB(no|EMPTYDB_ASYNC);
    test_cond("an empty server is no error", nothing && empty());
    bioDrainWorker(BIO_LAZY_FREE);
    int same = 1;
    size_t memory = 0;
    appendServerSaveParams(3600,1);
    unlink(server.rdb_filename);
    flushAllDataAndResetRDB(no);
    test_cond("one save point is enough", filesInFolder() == 1 && access(server.rdb_filename,F_OK) == 0);
    for (int j = 0; j < 6; j++) {
        add(0,100), add(8,100);
        flushAllDataAndResetRDB(no);
        if (j > 1) same &= zmalloc_used_memory() == memory;
        memory = zmalloc_used_memory();
    }
    test_cond("nothing is left behind", same && filesInFolder() == 1);
    leaveFolder();
    test_report();
    return 0;
}
