/*---
 * tasks: [evictionPoolPopulate-a95d96.8, evictionPoolPopulate-a95d96.16]
 * tests:
 *   success is told: 'Comment: "On success C_OK is returned".'
 *   the keys are loaded into the databases of the server: 'Callers: rdbLoad and loadSingleAppendOnlyFile load the server''s dataset.'
 *   each key goes into its database: 'rdb.h: RDB_OPCODE_SELECTDB.'
 *   keys that were there stay: 'Comment: "Load an RDB file"; who wants an empty dataset empties it.'
 *   the functions are loaded into the current libraries: 'functions.h: functionsLibCtxGetCurrent; FUNCTION LIST shows them.'
 *   the replication information is filled in: 'rdbLoad: "the loading code will fill the information fields in the structure".'
 *   the replication information may be left out: 'Caller loadSingleAppendOnlyFile passes NULL.'
 *   a master drops keys that have expired: 'rdbLoadRioWithLoadingCtx: "Check if the key already expired".'
 *   the base of an AOF keeps them: 'Signature: rdbflags; "if the base AOF is RDB format, we want to load all the keys".'
 *   keys may be replaced if allowed: 'rdb.h: RDBFLAGS_ALLOW_DUP, "Allow duplicated keys when loading".'
 *   a wrong signature is an error: 'Comment: "otherwise C_ERR is returned".'
 *   a version of the future is an error: 'Comment: "otherwise C_ERR is returned".'
 *   a stream that ends early is an error: 'Comment: "otherwise C_ERR is returned".'
 *   what follows the dump is left unread: 'Caller loadSingleAppendOnlyFile reads the commands behind it.'
 ---*/
#include "rdbstory.h"

static rio r;
static rdbSaveInfo info;

static int load(sds dump, int flags, int with) {
    rdbSaveInfo fresh = RDB_SAVE_INFO_INIT;
    info = fresh;
    rioInitWithBuffer(&r,dump);
    return rdbLoadRio(&r,flags,with ? &info : NULL);
}

static void empty(void) {
    emptyDbStructure(server.db,-1,0,NULL);
    functionsLibCtxClearCurrent(0);
}

static int has(int db, const char *name, const char *value) {
    robj *key = str(name);
    dictEntry *de = dbFind(&server.db[db],key->ptr);
    robj *v = de ? getDecodedObject(dictGetVal(de)) : NULL;
    decrRefCount(key);
    return v && !strcmp(v->ptr,value);
}

int main(void) {
    startRedis();
    server.maxmemory_policy = MAXMEMORY_NO_EVICTION;
    put(0,"zero","v0",-1);
    put(9,"nine","v9",4000000000000);
    put(15,"old","v15",1);
    int added = addFunction("one");
    rdbSaveInfo rsi = RDB_SAVE_INFO_INIT;
    rsi.repl_stream_db = 6;
    memset(server.replid,'c',CONFIG_RUN_ID_SIZE);
    server.master_repl_offset = 98765;
    rio w;
    rioInitWithBuffer(&w,sdsempty());
    rdbSaveRio(SLAVE_REQ_NONE,&w,NULL,RDBFLAGS_NONE,&rsi);
    sds dump = w.io.buffer.ptr;

    empty();
    put(0,"mine","m",-1);
    int ok = load(dump,RDBFLAGS_NONE,1);
    test_cond("success is told", ok == C_OK);
    test_cond("the keys are loaded into the databases of the server", has(0,"zero","v0") && has(9,"nine","v9"));
    robj *nine = str("nine");
    test_cond("each key goes into its database", dbSize(&server.db[0]) == 2 && dbSize(&server.db[9]) == 1 &&
              getExpire(&server.db[9],nine) == 4000000000000);
    test_cond("keys that were there stay", has(0,"mine","m"));
    sds lib = sdsnew("one");
    test_cond("the functions are loaded into the current libraries", added && dictSize(functionsLibGet()) == 1 &&
              dictFind(functionsLibGet(),lib));
    test_cond("the replication information is filled in", info.repl_stream_db == 6 && info.repl_id_is_set == 1 &&
              !memcmp(info.repl_id,"cccccccccccccccccccccccccccccccccccccccc",41) && info.repl_offset == 98765);
    test_cond("a master drops keys that have expired", dbSize(&server.db[15]) == 0);
    empty();
    ok = load(dump,RDBFLAGS_AOF_PREAMBLE,0);
    test_cond("the replication information may be left out", ok == C_OK && has(0,"zero","v0") && info.repl_stream_db == -1);
    test_cond("the base of an AOF keeps them", has(15,"old","v15"));
    empty();
    put(0,"zero","before",-1);
    ok = load(dump,RDBFLAGS_ALLOW_DUP,1);
    test_cond("keys may be replaced if allowed", ok == C_OK && has(0,"zero","v0") && dbSize(&server.db[0]) == 1);
    empty();
    sds longer = sdscatlen(sdsdup(dump),"*1\r\n",4);
    ok = load(longer,RDBFLAGS_NONE,1);
    test_cond("what follows the dump is left unread", ok == C_OK && r.io.buffer.pos == (off_t)sdslen(dump));
    empty();
    sds bad = sdsdup(dump);
    bad[0] = 'X';
    test_cond("a wrong signature is an error", load(bad,RDBFLAGS_NONE,1) == C_ERR && dbSize(&server.db[0]) == 0);
    bad = sdsdup(dump);
    memcpy(bad+5,"9999",4);
    test_cond("a version of the future is an error", load(bad,RDBFLAGS_NONE,1) == C_ERR && dbSize(&server.db[0]) == 0);
    int early = 1;
    size_t cuts[] = {0,5,9,10,30,sdslen(dump)-9,sdslen(dump)-1};
    for (int j = 0; j < 7; j++) {
        empty();
        if (load(sdsnewlen(dump,cuts[j]),RDBFLAGS_NONE,1) != C_ERR) early = 0;
    }
    test_cond("a stream that ends early is an error", early);
    test_report();
    return 0;
}
