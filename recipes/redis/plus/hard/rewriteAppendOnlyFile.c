/*---
 * tasks: [rewriteSortedSetObject-26a88f.8]
 * tests:
 *   the dataset is written into the file: 'Comment: "Write a sequence of commands able to fully rebuild the dataset into filename".'
 *   success is told by C_OK: 'Caller rewriteAppendOnlyFileBackground: "== C_OK".'
 *   the file holds all that was written: 'Comment in the body: "Make sure data will not remain on the OS''s output buffers".'
 *   with an RDB preamble it is an RDB: 'redis.conf: aof-use-rdb-preamble.'
 *   without an RDB preamble it is commands: 'redis.conf: aof-use-rdb-preamble.'
 *   a file that exists is replaced: 'Comment in the body: "Use RENAME to make sure the DB file is changed atomically".'
 *   no temporary file is left: 'Comment in the body: it is renamed.'
 *   an empty dataset gives an empty file: 'Comment: "able to fully rebuild the dataset".'
 *   with incremental fsync the same is written: 'redis.conf: aof-rewrite-incremental-fsync.'
 *   a file that cannot be put there is told by C_ERR: 'Log: "Error moving temp append only file on the final destination".'
 *   then no temporary file is left either: 'Body: it is unlinked.'
 *   a temporary file that cannot be opened is told by C_ERR: 'Log: "Opening the temp file for AOF rewrite".'
 *   a write that fails is told by C_ERR: 'Log: "Write error writing append only file on disk".'
 *   a write that fails leaves the old file: 'Comment in the body: "changed atomically only if the generate DB file is ok".'
 *   after a write that fails no temporary file is left: 'Body: it is unlinked.'
 *   an RDB that fails is told by C_ERR too: 'rdbSaveRio gives C_ERR.'
 *   no file stays open: 'BGREWRITEAOF may be made again and again, and in the process itself.'
 *   nothing is kept: 'BGREWRITEAOF may be made again and again, and in the process itself.'
 ---*/
#include "rewritten.h"
#include "../rdb.h"
#include <sys/resource.h>
#include <sys/stat.h>
#include <dirent.h>
#include <fcntl.h>

int rewriteAppendOnlyFile(char *filename);

static char dir[] = "/tmp/plus.XXXXXX";

static sds contents(const char *name) {
    FILE *fp = fopen(name,"r");
    if (!fp) return sdsnew("none");
    static char buf[1 << 20];
    size_t n = fread(buf,1,sizeof(buf),fp);
    fclose(fp);
    return sdsnewlen(buf,n);
}

/* How many files are in the folder. */
static int files(void) {
    DIR *d = opendir(dir);
    struct dirent *e;
    int n = 0;
    while ((e = readdir(d))) n += e->d_name[0] != '.';
    closedir(d);
    return n;
}

static int opened(void) {
    int n = 0;
    for (int fd = 0; fd < 200; fd++) n += fcntl(fd,F_GETFD) != -1;
    return n;
}

static int limited(size_t bytes) {
    struct rlimit old, small;
    getrlimit(RLIMIT_FSIZE,&old);
    small = old;
    small.rlim_cur = bytes;
    fflush(stdout);
    setrlimit(RLIMIT_FSIZE,&small);
    int ret = rewriteAppendOnlyFile("the.aof");
    setrlimit(RLIMIT_FSIZE,&old);
    return ret;
}

int main(void) {
    startRedis();
    signal(SIGALRM,SIG_DFL), alarm(60);
    signal(SIGXFSZ,SIG_IGN);
    if (!mkdtemp(dir) || chdir(dir)) return 1;
    server.aof_use_rdb_preamble = 0;
    server.aof_rewrite_incremental_fsync = 0;
    int ret = rewriteAppendOnlyFile("the.aof");
    sds s = contents("the.aof");
    test_cond("an empty dataset gives an empty file", ret == C_OK && sdslen(s) == 0);
    runWords(0,"set key value");
    ret = rewriteAppendOnlyFile("new.aof");
    s = contents("new.aof");
#define TEXT "*2\r\n$6\r\nSELECT\r\n$1\r\n0\r\n*3\r\n$3\r\nSET\r\n$3\r\nkey\r\n$5\r\nvalue\r\n"
    test_cond("success is told by C_OK", ret == C_OK);
    test_cond("the dataset is written into the file", !strcmp(s,TEXT));
    unlink("new.aof");
    for (int j = 0; j < 5000; j++) {
        sds cmd = sdscatprintf(sdsempty(),"rpush list element:%d",j);
        runWords(0,cmd);
        sdsfree(cmd);
    }
    ret = rewriteAppendOnlyFile("the.aof");
    s = contents("the.aof");
    emptyData(-1,EMPTYDB_NO_FLAGS,NULL);
    int n = runRewritten(s);
    test_cond("the file holds all that was written", ret == C_OK && n > 70 && valueOf(0,"key") && valueOf(0,"list") &&
              listTypeLength(valueOf(0,"list")) == 5000);
    test_cond("a file that exists is replaced", sdslen(s) > 5000 && s[0] == '*');
    test_cond("without an RDB preamble it is commands", !strncmp(s,"*2\r\n$6\r\nSELECT\r\n",16));
    test_cond("no temporary file is left", files() == 1);
    server.aof_rewrite_incremental_fsync = 1;
    ret = rewriteAppendOnlyFile("the.aof");
    sds t = contents("the.aof");
    test_cond("with incremental fsync the same is written", ret == C_OK && sdslen(s) == sdslen(t) && files() == 1);
    ret = rewriteAppendOnlyFile("no/such/folder/the.aof");
    test_cond("a file that cannot be put there is told by C_ERR", ret == C_ERR);
    test_cond("then no temporary file is left either", files() == 1);
    sds old = contents("the.aof");
    runWords(0,"set another 1");
    ret = limited(1000);
    test_cond("a write that fails is told by C_ERR", ret == C_ERR && limited(sdslen(old)-10) == C_ERR && limited(10) == C_ERR);
    s = contents("the.aof");
    test_cond("a write that fails leaves the old file", !strcmp(s,old) && sdslen(s) > 1000);
    test_cond("after a write that fails no temporary file is left", files() == 1);
    server.aof_use_rdb_preamble = 1;
    ret = limited(1000);
    s = contents("the.aof");
    test_cond("an RDB that fails is told by C_ERR too", ret == C_ERR && !strcmp(s,old) && files() == 1);
    ret = rewriteAppendOnlyFile("the.aof");
    s = contents("the.aof");
    test_cond("with an RDB preamble it is an RDB", ret == C_OK && !strncmp(s,"REDIS",5) && strstr(s+9,"aof-base") == NULL &&
              files() == 1 && sdslen(s) < sdslen(old));
    server.aof_use_rdb_preamble = 0;
    int fds = 0;
    size_t before = 0;
    for (int j = 0; j < 8; j++) {
        if (j == 4) fds = opened(), before = zmalloc_used_memory();
        rewriteAppendOnlyFile("the.aof"), limited(1000), rewriteAppendOnlyFile("no/such/folder/the.aof");
    }
    int open_ = opened();
    size_t after = zmalloc_used_memory();
    if (mkdir("gone",0700) || chdir("gone") || rmdir("../gone")) return 1;
    ret = rewriteAppendOnlyFile("the.aof");
    test_cond("a temporary file that cannot be opened is told by C_ERR", ret == C_ERR);
    test_cond("no file stays open", open_ == fds && opened() == fds);
    test_cond("nothing is kept", after == before);
    if (chdir(dir)) return 1;
    unlink("the.aof");
    rmdir(dir);
    test_report();
    return 0;
}
