/*---
 * tasks: [restoreCommand-ab585e.16]
 * instead: [src/functions.o]
 * tests:
 *   the selected database is emptied: 'Comment: "Flushes the currently SELECTed Redis DB".'
 *   other databases stay: 'Comment: "the currently SELECTed Redis DB"; commands/flushdb.'
 *   the reply is OK: 'commands/flushdb: Simple string reply.'
 *   the removed keys count as changes: 'Sibling flushallCommand, flushAllDataAndResetRDB: server.dirty; the save points.'
 *   an empty database is no error: 'commands/flushdb: "This command never fails".'
 *   it is propagated to replicas and the AOF: 'forceCommandPropagation; sibling flushallCommand.'
 *   it is propagated even if nothing was there: 'Sibling flushallCommand: "when DBs were already empty, FLUSHALL will not be replicated nor put into the AOF" without it.'
 *   SYNC frees before it returns: 'Comment: "sync: flushes the database in an sync manner".'
 *   ASYNC frees by another thread: 'Comment: "async: flushes the database in an async manner".'
 *   without a word the configuration decides: 'getFlushCommandFlags: "according to the value of lazyfree-lazy-user-flush".'
 *   the words may be in any case: 'Commands take words in any case.'
 *   another word is a syntax error: 'getFlushCommandFlags: "sends an error to the client".'
 *   two words are a syntax error: 'commands/flushdb: [ASYNC | SYNC].'
 *   after an error nothing is changed or propagated: 'getFlushCommandFlags: C_ERR.'
 *   functions stay: 'commands/flushdb: keys; sibling flushallCommand: "should not flush the functions".'
 *   clients that watch a key are affected: 'emptyData: "Make sure the WATCHed keys are affected by the FLUSH* commands".'
 *   times to live are gone too: 'commands/flushdb: "Delete all the keys".'
 *   no RDB file is written and no child is killed: 'Only flushAllDataAndResetRDB resets the RDB.'
 *   there is no event for each key: 'Upstream: FLUSHDB announces none.'
 *   keys can be added afterwards: 'A server goes on.'
 *   nothing is left behind: 'commands/flushdb: "Delete all the keys".'
 ---*/
#include "functiontest.h"
#include <sys/wait.h>

static void add(int db, int n, int expire) {
    char name[30];
    int now = c->db->id;
    selectDb(c,db);
    for (int j = 0; j < n; j++) {
        sprintf(name,"key:%d",j);
        put(name,"value",expire && j % 2 ? 4000000000000 : -1);
    }
    selectDb(c,now);
}

static int is(int db, unsigned long long n) {
    return dbSize(&server.db[db]) == n;
}

static int forced(void) {
    int both = (c->flags & CLIENT_FORCE_REPL) && (c->flags & CLIENT_FORCE_AOF);
    c->flags &= ~(CLIENT_FORCE_REPL|CLIENT_FORCE_AOF);
    return both;
}

/* A syntax error, and nothing was done. */
static int refused(const char *reply) {
    return !strcmp(reply,"-ERR syntax error\r\n") && is(0,5) && server.dirty == dirtyBefore &&
           !(c->flags & (CLIENT_FORCE_REPL|CLIENT_FORCE_AOF));
}

int main(void) {
    startFunctions();
    signal(SIGTERM,SIG_DFL), signal(SIGUSR1,SIG_DFL); /* Children die of these, of the lower one first. */
    char folder[] = "/tmp/plus-flushdb-XXXXXX";
    if (!mkdtemp(folder) || chdir(folder)) return 1;
    bioDrainWorker(BIO_LAZY_FREE);
    server.lazyfree_lazy_user_flush = 0;
    add(0,10,1), add(1,4,1), add(15,3,0);
    int ok = gives("+OK\r\n","flushdb");
    test_cond("the removed keys count as changes", server.dirty == dirtyBefore+10);
    test_cond("it is propagated to replicas and the AOF", forced());
    test_cond("the selected database is emptied", is(0,0));
    test_cond("times to live are gone too", kvstoreSize(server.db[0].expires) == 0 && kvstoreSize(server.db[1].expires) == 2);
    int others = is(1,4) && is(15,3);
    selectDb(c,15);
    add(0,5,0);
    ok &= gives("+OK\r\n","flushdb") && server.dirty == dirtyBefore+3;
    test_cond("other databases stay", others && is(15,0) && is(0,5) && is(1,4));
    forced();
    server.dirty = 0;
    ok &= gives("+OK\r\n","flushdb");
    test_cond("an empty database is no error", ok && server.dirty == dirtyBefore);
    test_cond("it is propagated even if nothing was there", forced());
    selectDb(c,0);

    int error = refused(run("flushdb","now")) && refused(run("flushdb","")) && refused(run("flushdb","asyncx"));
    test_cond("another word is a syntax error", error);
    error = refused(run("flushdb","sync","async")) && refused(run("flushdb","async","1")) && refused(run("flushdb","sync","sync"));
    test_cond("two words are a syntax error", error);
    client *w = fakeClient();
    setArguments(w,2,(const char*[]){"watch","key:1"});
    watchCommand(w);
    run("flushdb","other");
    test_cond("after an error nothing is changed or propagated", refused(lastReply) && !(w->flags & CLIENT_DIRTY_CAS) && !forced());
    ok &= gives("+OK\r\n","flushdb");
    test_cond("clients that watch a key are affected", (w->flags & CLIENT_DIRTY_CAS) != 0);

    holdBackground(1);
    size_t before = lazyfreeGetPendingObjectsCount();
    add(0,1000,1);
    ok &= gives("+OK\r\n","flushdb","sync") && server.dirty == dirtyBefore+1000 && forced();
    add(0,1000,1);
    server.lazyfree_lazy_user_flush = 1;
    ok &= gives("+OK\r\n","flushdb","sync") && is(0,0);
    int sync = lazyfreeGetPendingObjectsCount() == before;
    server.lazyfree_lazy_user_flush = 0;
    add(0,1000,1);
    ok &= gives("+OK\r\n","flushdb","async") && server.dirty == dirtyBefore+1000 && forced() && is(0,0) && is(1,4);
    int async = lazyfreeGetPendingObjectsCount() == before+1000;
    add(0,1000,1);
    ok &= gives("+OK\r\n","flushdb");
    int configured = lazyfreeGetPendingObjectsCount() == before+1000;
    server.lazyfree_lazy_user_flush = 1;
    add(0,1000,1);
    ok &= gives("+OK\r\n","flushdb") && is(0,0);
    configured &= lazyfreeGetPendingObjectsCount() == before+2000;
    server.lazyfree_lazy_user_flush = 0;
    add(0,100,1);
    int cased = gives("+OK\r\n","flushdb","SYNC") && lazyfreeGetPendingObjectsCount() == before+2000 && is(0,0);
    add(0,100,1);
    cased = cased && gives("+OK\r\n","FLUSHDB","ASync") && lazyfreeGetPendingObjectsCount() == before+2100 && is(0,0);
    add(0,7,0);
    holdBackground(0);
    test_cond("SYNC frees before it returns", sync);
    test_cond("ASYNC frees by another thread", async && lazyfreeGetPendingObjectsCount() == 0);
    test_cond("without a word the configuration decides", configured);
    test_cond("the words may be in any case", cased);
    test_cond("keys can be added afterwards", is(0,7) && gives("$5\r\nvalue\r\n","get","key:6"));

    load(functionsLibCtxGetCurrent(),"one","f1","a");
    run("flushdb"), run("flushdb","async"), run("flushdb","sync");
    test_cond("functions stay", functionsNum() == 1 && !strcmp(fcall("f1"),"$1\r\na\r\n"));
    pid_t child = fork();
    if (child == 0) {
        alarm(10);
        for (;;) pause();
    }
    server.child_type = CHILD_TYPE_RDB, server.child_pid = child;
    appendServerSaveParams(3600,1);
    add(0,5,0);
    ok &= gives("+OK\r\n","flushdb") && server.dirty == dirtyBefore+5;
    server.child_type = CHILD_TYPE_NONE, server.child_pid = -1;
    kill(child,SIGTERM);
    int status = 0;
    waitpid(child,&status,0);
    test_cond("no RDB file is written and no child is killed", WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM &&
              access(server.rdb_filename,F_OK) != 0);
    resetServerSaveParams();
    test_cond("the reply is OK", ok);
    add(0,5,0);
    run("flushdb");
    test_cond("there is no event for each key", !lastEvents[0] && server.also_propagate.numops == 0);
    int same = 1;
    size_t memory = 0;
    for (int j = 0; j < 6; j++) {
        add(0,100,1);
        run("flushdb","sync");
        if (j > 1) same &= zmalloc_used_memory() == memory;
        memory = zmalloc_used_memory();
    }
    test_cond("nothing is left behind", same);
    unlink(server.rdb_filename);
    if (chdir("/") == 0) rmdir(folder);
    test_report();
    return 0;
}
