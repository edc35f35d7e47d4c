/*---
 * tasks: [evictionPoolPopulate-a95d96.16]
 * tests:
 *   the dataset is saved: 'Comment: "Save the DB on disk".'
 *   success is told by C_OK: 'Comment: "Return C_ERR on error, C_OK on success".'
 *   what was saved can be loaded: 'Comment: "Save the DB on disk"; rdbLoad.'
 *   no change is left to be saved: 'server.h: dirty, "Changes to DB from the last save".'
 *   the time of the save is kept: 'server.h: lastsave, "Unix time of last successful save".'
 *   the last save was good: 'server.h: lastbgsave_status.'
 *   a file that exists is replaced: 'Comment in the body: "Use RENAME to make sure the DB file is changed atomically".'
 *   no temporary file is left: 'Comment in the body: it is renamed.'
 *   replication information is saved when it is given: 'Argument rsi; rdbSaveInfoAuxFields.'
 *   without it there is none: 'rdbPopulateSaveInfo: "if the rdbSave*() family functions receive a NULL rsi structure also the Replication ID/offset is not saved".'
 *   the requirements are heeded: 'Argument req; server.h: SLAVE_REQ_RDB_EXCLUDE_DATA.'
 *   the flags are heeded: 'Argument rdbflags; rdb.h: RDBFLAGS_AOF_PREAMBLE, field aof-base.'
 *   a file that cannot be put there is an error: 'Comment: "Return C_ERR on error".'
 *   a write that fails is an error: 'Comment: "Return C_ERR on error".'
 *   a temporary file that cannot be opened is an error: 'Comment: "Return C_ERR on error".'
 *   after an error the changes are still to be saved: 'server.h: dirty; they are not on disk.'
 *   after an error the time and the state of the last save stay: 'server.h: lastsave, "last successful save".'
 *   after an error the old file stays: 'Comment in the body: "changed atomically only if the generate DB file is ok".'
 *   after an error no temporary file is left: 'Body: it is unlinked.'
 *   no file stays open: 'SAVE may come again and again.'
 *   nothing is kept: 'SAVE may come again and again.'
 ---*/
#include "diskfiles.h"

static void dirty(void) {
    server.dirty = 7;
    server.lastsave = 5;
    server.lastbgsave_status = C_ERR;
}

static int untouched(void) {
    return server.dirty == 7 && server.lastsave == 5 && server.lastbgsave_status == C_ERR;
}

int main(void) {
    startRedis();
    signal(SIGALRM,SIG_DFL), alarm(60);
    enterFolder();
    putString(0,"key","some value");
    putString(3,"other","x");
    dirty();
    int ret = rdbSave(SLAVE_REQ_NONE,"dump.rdb",NULL,RDBFLAGS_NONE);
    sds s = contentsOf("dump.rdb");
    test_cond("success is told by C_OK", ret == C_OK);
    test_cond("the dataset is saved", !strncmp(s,"REDIS",5) && hasBytes(s,"some value") && hasBytes(s,"other"));
    test_cond("no change is left to be saved", server.dirty == 0);
    test_cond("the time of the save is kept", server.lastsave > 1000000000);
    test_cond("the last save was good", server.lastbgsave_status == C_OK);
    test_cond("no temporary file is left", filesInFolder() == 1);
    test_cond("without it there is none", !hasBytes(s,"repl-stream-db") && !hasBytes(s,"repl-id"));
    emptyData(-1,EMPTYDB_NO_FLAGS,NULL);
    int loaded = rdbLoad("dump.rdb",NULL,RDBFLAGS_KEEP_CACHE) == RDB_OK;
    test_cond("what was saved can be loaded", loaded && dbSize(&server.db[0]) == 1 && dbSize(&server.db[3]) == 1);
    putString(0,"new","second value");
    ret = rdbSave(SLAVE_REQ_NONE,"dump.rdb",NULL,RDBFLAGS_NONE);
    sds old = contentsOf("dump.rdb");
    test_cond("a file that exists is replaced", ret == C_OK && hasBytes(old,"second value") && filesInFolder() == 1);
    rdbSaveInfo rsi = RDB_SAVE_INFO_INIT;
    rsi.repl_stream_db = 9;
    ret = rdbSave(SLAVE_REQ_NONE,"repl.rdb",&rsi,RDBFLAGS_REPLICATION);
    s = contentsOf("repl.rdb");
    test_cond("replication information is saved when it is given", ret == C_OK && hasBytes(s,"repl-stream-db\xc0\x09") &&
              hasBytes(s,server.replid));
    ret = rdbSave(SLAVE_REQ_RDB_EXCLUDE_DATA,"repl.rdb",NULL,RDBFLAGS_NONE);
    s = contentsOf("repl.rdb");
    test_cond("the requirements are heeded", ret == C_OK && !hasBytes(s,"second value") && !strncmp(s,"REDIS",5));
    ret = rdbSave(SLAVE_REQ_NONE,"repl.rdb",NULL,RDBFLAGS_AOF_PREAMBLE);
    s = contentsOf("repl.rdb");
    test_cond("the flags are heeded", ret == C_OK && hasBytes(s,"aof-base\xc0\x01") && hasBytes(old,"aof-base\xc0"
              "\0") == hasBytes(old,"aof-base") && !hasBytes(old,"aof-base\xc0\x01"));
    unlink("repl.rdb");

    dirty();
    putString(0,"third","third value");
    ret = rdbSave(SLAVE_REQ_NONE,"no/such/folder/dump.rdb",NULL,RDBFLAGS_NONE);
    int changes = untouched(), files = filesInFolder();
    test_cond("a file that cannot be put there is an error", ret == C_ERR);
    limitFiles(20);
    ret = rdbSave(SLAVE_REQ_NONE,"dump.rdb",NULL,RDBFLAGS_NONE);
    limitFiles(0);
    changes &= untouched();
    s = contentsOf("dump.rdb");
    test_cond("a write that fails is an error", ret == C_ERR);
    test_cond("after an error the old file stays", sdslen(s) == sdslen(old) && !memcmp(s,old,sdslen(s)));
    test_cond("after an error no temporary file is left", files == 1 && filesInFolder() == 1);
    test_cond("after an error the changes are still to be saved", changes && server.dirty == 7);
    test_cond("after an error the time and the state of the last save stay", changes && untouched());
    int fds = 0;
    size_t before = 0;
    for (int j = 0; j < 8; j++) {
        if (j == 4) fds = openedFiles(), before = zmalloc_used_memory();
        rdbSave(SLAVE_REQ_NONE,"dump.rdb",&rsi,RDBFLAGS_NONE);
        rdbSave(SLAVE_REQ_NONE,"no/such/folder/dump.rdb",NULL,RDBFLAGS_NONE);
        limitFiles(20);
        rdbSave(SLAVE_REQ_NONE,"dump.rdb",NULL,RDBFLAGS_NONE);
        limitFiles(0);
    }
    test_cond("no file stays open", openedFiles() == fds);
    test_cond("nothing is kept", zmalloc_used_memory() == before);
    dirty();
    if (mkdir("gone",0700) || chdir("gone") || rmdir("../gone")) return 1;
    ret = rdbSave(SLAVE_REQ_NONE,"dump.rdb",NULL,RDBFLAGS_NONE);
    test_cond("a temporary file that cannot be opened is an error", ret == C_ERR && untouched());
    leaveFolder();
    test_report();
    return 0;
}
