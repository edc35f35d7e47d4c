/*---
 * tasks: [evictionPoolPopulate-a95d96.16]
 * tests:
 *   what was saved is loaded: 'Comment: "takes a filename instead of a rio stream".'
 *   success is told by RDB_OK: 'server.h: RDB_OK; caller loadDataFromDisk.'
 *   a file that does not exist is told by RDB_NOT_EXIST: 'server.h: RDB_NOT_EXIST, "RDB file doesn''t exist"; a server without one starts.'
 *   a file that cannot be opened is told by RDB_FAILED: 'server.h: RDB_FAILED, "Failed to load the RDB file".'
 *   a file that is no RDB is told by RDB_FAILED: 'server.h: RDB_FAILED.'
 *   a file of a newer version is told by RDB_FAILED: 'rdbLoadRio: "Can''t handle RDB format version".'
 *   the replication information is filled in: 'Comment: "the loading code will fill the information fields in the structure".'
 *   without a structure it is loaded too: 'Comment: "If you pass an rsi structure".'
 *   after loading the server does not load any more: 'Comment: "the ETA displayed in the INFO output is initialized and finalized".'
 *   after a failure the server does not load any more: 'Comment: "initialized and finalized".'
 *   without a file nothing is initialized: 'server.h: loading_total_bytes and others are those of the last loading.'
 *   the size of the file is known while it loads: 'server.h: loading_total_bytes; Comment: "the ETA displayed in the INFO output is initialized".'
 *   the flags are heeded: 'Argument rdbflags; rdb.h: RDBFLAGS_ALLOW_DUP, "Allow duplicated keys when loading".'
 *   no file stays open: 'Replicas load again and again.'
 *   with KEEP_CACHE no file is opened again: 'rdb.h: RDBFLAGS_KEEP_CACHE, "Don''t reclaim cache after rdb file is generated".'
 *   after a failure no file stays open: 'Replicas load again and again.'
 *   the file stays: 'Comment: "The filename is open for reading".'
 *   nothing is kept: 'Replicas load again and again.'
 ---*/
#include "diskfiles.h"
#include "../bio.h"

static void file(const char *name, sds bytes) {
    FILE *fp = fopen(name,"w");
    fwrite(bytes,1,sdslen(bytes),fp);
    fclose(fp);
}

static int has(int db, const char *name) {
    sds key = sdsnew(name);
    int found = dbFind(&server.db[db],key) != NULL;
    sdsfree(key);
    return found;
}

static void empty(void) {
    emptyData(-1,EMPTYDB_NO_FLAGS,NULL);
}

int main(void) {
    startRedis();
    signal(SIGALRM,SIG_DFL), alarm(60);
    bioInit();
    enterFolder();
    putString(0,"key","value"), putString(5,"five","5");
    rdbSaveInfo save = RDB_SAVE_INFO_INIT, rsi = RDB_SAVE_INFO_INIT;
    save.repl_stream_db = 6;
    server.master_repl_offset = 4321;
    rdbSave(SLAVE_REQ_NONE,"dump.rdb",&save,RDBFLAGS_NONE);
    sds bytes = contentsOf("dump.rdb");
    empty();
    int fds = openedFiles();
    int ret = rdbLoad("dump.rdb",&rsi,RDBFLAGS_NONE);
    bioDrainWorker(BIO_CLOSE_FILE);
    test_cond("what was saved is loaded", has(0,"key") && has(5,"five") && dbSize(&server.db[0]) == 1);
    test_cond("success is told by RDB_OK", ret == RDB_OK);
    test_cond("the replication information is filled in", rsi.repl_stream_db == 6 && rsi.repl_id_is_set == 1 &&
              rsi.repl_offset == 4321 && !strcmp(rsi.repl_id,server.replid));
    test_cond("after loading the server does not load any more", server.loading == 0 && server.async_loading == 0);
    test_cond("the size of the file is known while it loads", server.loading_total_bytes == (off_t)sdslen(bytes) &&
              server.rdb_last_load_keys_loaded == 2 && server.loading_start_time > 0);
    test_cond("no file stays open", openedFiles() == fds);
    empty();
    ret = rdbLoad("dump.rdb",NULL,RDBFLAGS_KEEP_CACHE);
    test_cond("without a structure it is loaded too", ret == RDB_OK && has(0,"key"));
    test_cond("with KEEP_CACHE no file is opened again", openedFiles() == fds && bioPendingJobsOfType(BIO_CLOSE_FILE) == 0);
    server.loading_total_bytes = 77;
    ret = rdbLoad("none.rdb",NULL,RDBFLAGS_NONE);
    test_cond("a file that does not exist is told by RDB_NOT_EXIST", ret == RDB_NOT_EXIST && RDB_NOT_EXIST != RDB_OK);
    test_cond("without a file nothing is initialized", server.loading_total_bytes == 77 && server.loading == 0);
    char name[5000];
    memset(name,'n',4999);
    name[4999] = '\0';
    test_cond("a file that cannot be opened is told by RDB_FAILED", rdbLoad("dump.rdb/x",NULL,RDBFLAGS_NONE) == RDB_FAILED &&
              rdbLoad(name,NULL,RDBFLAGS_NONE) == RDB_FAILED);
    file("bad.rdb",sdsnew("this is no RDB at all, but a text"));
    ret = rdbLoad("bad.rdb",NULL,RDBFLAGS_NONE);
    test_cond("a file that is no RDB is told by RDB_FAILED", ret == RDB_FAILED);
    test_cond("after a failure the server does not load any more", server.loading == 0);
    sds newer = sdsdup(bytes);
    memcpy(newer+5,"9999",4);
    file("new.rdb",newer);
    ret = rdbLoad("new.rdb",NULL,RDBFLAGS_NONE);
    bioDrainWorker(BIO_CLOSE_FILE);
    test_cond("a file of a newer version is told by RDB_FAILED", ret == RDB_FAILED && server.loading == 0);
    test_cond("after a failure no file stays open", openedFiles() == fds);
    putString(5,"six","6");
    ret = rdbLoad("dump.rdb",NULL,RDBFLAGS_ALLOW_DUP|RDBFLAGS_KEEP_CACHE);
    test_cond("the flags are heeded", ret == RDB_OK && has(5,"six") && has(5,"five") && has(0,"key"));
    sds again = contentsOf("dump.rdb");
    test_cond("the file stays", !sdscmp(bytes,again));
    size_t before = 0;
    for (int j = 0; j < 20; j++) {
        if (j == 10) before = zmalloc_used_memory();
        empty();
        rdbLoad("dump.rdb",&rsi,RDBFLAGS_KEEP_CACHE), rdbLoad("bad.rdb",&rsi,RDBFLAGS_NONE), rdbLoad("none.rdb",&rsi,RDBFLAGS_NONE);
    }
    test_cond("nothing is kept", zmalloc_used_memory() == before && openedFiles() == fds);
    leaveFolder();
    test_report();
    return 0;
}
