/*---
 * tasks: [evictionPoolPopulate-a95d96.16]
 * instead: [src/rdb.o]
 * tests:
 *   the file is a complete RDB: 'Callers rdbSave, rdbSaveToFile: "Save DB to the file".'
 *   it returns C_OK: 'Callers: != C_OK is an error.'
 *   what the file held before is gone: 'Caller rdbSaveToFile names any file.'
 *   an empty dataset gives a file as well: 'SAVE of an empty server.'
 *   "the replication's information is saved": 'Parameter rsi; rdbSaveInfoAuxFields.'
 *   without it none is saved: 'rdbSaveToFile: NULL.'
 *   the flags are passed on: 'Parameter rdbflags; rdbSaveInfoAuxFields: RDBFLAGS_AOF_PREAMBLE, aof-base.'
 *   what is not required is left out: 'Parameter req; server.h: SLAVE_REQ_RDB_EXCLUDE_DATA.'
 *   it works whether it syncs and keeps the cache or not: 'redis.conf: rdb-save-incremental-fsync; RDBFLAGS_KEEP_CACHE.'
 *   a file that cannot be opened is an error with its errno: 'rdbSaveToFile keeps errno for its caller; C_ERR.'
 *   a file that cannot be written is an error with its errno: 'The same.'
 *   a file that was not written whole is removed: 'rdbSave renames it only if all is well; nobody else removes it.'
 *   no descriptor stays open: 'The server goes on.'
 *   counters and times are left to the callers: 'rdbSaveToFile: "won''t update the metrics".'
 *   nothing is left behind: 'The server goes on.'
 ---*/
#include "../rdb.c"
#include "commandtest.h"
#include "../bio.h"
#include <sys/resource.h>

static char folder[] = "/tmp/plus-rdb-XXXXXX", content[100000];

static long contentOf(const char *name) {
    FILE *fp = fopen(name,"r");
    if (!fp) return -1;
    long n = fread(content,1,sizeof(content),fp);
    fclose(fp);
    return n;
}

static int contains(long n, const char *text) {
    return n > 0 && memmem(content,n,text,strlen(text)) != NULL;
}

static int opened(void) {
    int n = 0;
    bioDrainWorker(BIO_CLOSE_FILE);
    for (int fd = 0; fd < 300; fd++) n += fcntl(fd,F_GETFD) != -1;
    return n;
}

/* Whether the file holds the whole dataset: it's loaded. */
static int loads(const char *name, int keys) {
    emptyData(-1,EMPTYDB_NO_FLAGS,NULL);
    int ok = rdbLoad((char*)name,NULL,RDBFLAGS_NONE) == RDB_OK;
    return ok && dbSize(&server.db[0]) == (unsigned long)keys;
}

static void fill(int keys) {
    emptyData(-1,EMPTYDB_NO_FLAGS,NULL);
    for (int j = 0; j < keys; j++) {
        char key[40];
        sprintf(key,"the-key-%d",j);
        put(key,"a value of some length",-1);
    }
}

int main(void) {
    startCommands();
    bioInit();
    listener = NULL, watcher = NULL;
    if (!mkdtemp(folder) || chdir(folder)) exit(1);
    server.rdb_checksum = 1;
    fill(50);
    server.dirty = 12;
    server.lastsave = 5;
    server.lastbgsave_status = C_ERR;
    int result = rdbSaveInternal(SLAVE_REQ_NONE,"one.rdb",NULL,RDBFLAGS_NONE);
    test_cond("it returns C_OK", result == C_OK);
    test_cond("counters and times are left to the callers", server.dirty == 12 && server.lastsave == 5 &&
              server.lastbgsave_status == C_ERR);
    long n = contentOf("one.rdb");
    test_cond("without it none is saved", !contains(n,"repl-stream-db") && !memcmp(content,"REDIS00",7));
    test_cond("the file is a complete RDB", loads("one.rdb",50) && entryOf("the-key-49"));
    FILE *fp = fopen("two.rdb","w");
    for (int j = 0; j < 20000; j++) fputc('x',fp);
    fclose(fp);
    fill(3);
    int whole = rdbSaveInternal(SLAVE_REQ_NONE,"two.rdb",NULL,RDBFLAGS_NONE) == C_OK;
    n = contentOf("two.rdb");
    test_cond("what the file held before is gone", whole && n > 0 && n < 1000 && !contains(n,"xxxx") && loads("two.rdb",3));
    fill(0);
    int empty = rdbSaveInternal(SLAVE_REQ_NONE,"none.rdb",NULL,RDBFLAGS_NONE) == C_OK;
    test_cond("an empty dataset gives a file as well", empty && contentOf("none.rdb") > 17 && loads("none.rdb",0));
    fill(3);
    rdbSaveInfo rsi = RDB_SAVE_INFO_INIT;
    rsi.repl_stream_db = 7;
    rdbSaveInternal(SLAVE_REQ_NONE,"rsi.rdb",&rsi,RDBFLAGS_NONE);
    n = contentOf("rsi.rdb");
    test_cond("the replication's information is saved", contains(n,"repl-stream-db\xc0\x07") && contains(n,"repl-id"));
    int flags = contains(n,"aof-base\xc0") && content[(char*)memmem(content,n,"aof-base",8)-content+9] == 0;
    rdbSaveInternal(SLAVE_REQ_NONE,"aof.rdb",NULL,RDBFLAGS_AOF_PREAMBLE);
    n = contentOf("aof.rdb");
    test_cond("the flags are passed on", flags && contains(n,"aof-base\xc0\x01"));
    int required = rdbSaveInternal(SLAVE_REQ_RDB_EXCLUDE_DATA,"req.rdb",NULL,RDBFLAGS_NONE) == C_OK;
    n = contentOf("req.rdb");
    test_cond("what is not required is left out", required && !contains(n,"the-key-1") && loads("req.rdb",0));
    fill(5);
    int ways = 1, before = opened();
    for (int j = 0; j < 4; j++) {
        server.rdb_save_incremental_fsync = j & 1;
        ways &= rdbSaveInternal(SLAVE_REQ_NONE,"way.rdb",NULL,j & 2 ? RDBFLAGS_KEEP_CACHE : RDBFLAGS_NONE) == C_OK;
        ways &= loads("way.rdb",5);
    }
    test_cond("it works whether it syncs and keeps the cache or not", ways);
    errno = 0;
    result = rdbSaveInternal(SLAVE_REQ_NONE,"missing/one.rdb",NULL,RDBFLAGS_NONE);
    int missing = result == C_ERR && errno == ENOENT;
    errno = 0;
    result = rdbSaveInternal(SLAVE_REQ_NONE,".",NULL,RDBFLAGS_NONE);
    test_cond("a file that cannot be opened is an error with its errno", missing && result == C_ERR && errno == EISDIR);
    fill(1000);
    signal(SIGXFSZ,SIG_IGN);
    struct rlimit old, small;
    getrlimit(RLIMIT_FSIZE,&old);
    small = old;
    small.rlim_cur = 5000;
    fflush(stdout);
    setrlimit(RLIMIT_FSIZE,&small);
    errno = 0;
    result = rdbSaveInternal(SLAVE_REQ_NONE,"big.rdb",NULL,RDBFLAGS_NONE);
    int error = errno;
    small.rlim_cur = 300;
    setrlimit(RLIMIT_FSIZE,&small);
    fill(20);
    int late = rdbSaveInternal(SLAVE_REQ_NONE,"late.rdb",NULL,RDBFLAGS_NONE);
    int later = errno;
    setrlimit(RLIMIT_FSIZE,&old);
    test_cond("a file that cannot be written is an error with its errno", result == C_ERR && error == EFBIG &&
              late == C_ERR && later == EFBIG);
    test_cond("a file that was not written whole is removed", access("big.rdb",F_OK) == -1 && access("late.rdb",F_OK) == -1);
    test_cond("no descriptor stays open", opened() == before);
    size_t used = 0;
    for (int j = 0; j < 6; j++) {
        if (j == 2) used = zmalloc_used_memory();
        rdbSaveInternal(SLAVE_REQ_NONE,"one.rdb",&rsi,RDBFLAGS_NONE);
        rdbSaveInternal(SLAVE_REQ_NONE,"missing/one.rdb",NULL,RDBFLAGS_NONE);
    }
    test_cond("nothing is left behind", zmalloc_used_memory() == used);
    const char *files[] = {"one.rdb","two.rdb","none.rdb","rsi.rdb","aof.rdb","req.rdb","way.rdb"};
    for (int j = 0; j < 7; j++) unlink(files[j]);
    if (chdir("/")) exit(1);
    rmdir(folder);
    test_report();
    return 0;
}
