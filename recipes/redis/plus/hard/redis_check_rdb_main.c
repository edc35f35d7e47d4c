/*---
 * tasks: [processAnnotations-e13fa1.16]
 * tests:
 *   a sane file ends the process with success: 'Comment: "exits with the status code according to success (RDB is sane)".'
 *   a corrupt file ends it with an error: 'Comment: "or error (RDB is corrupted)".'
 *   a file that is not there ends it with an error: 'Comment: "the status code according to success".'
 *   without a file name it ends with an error: 'The body: Usage.'
 *   the version is told with success: 'The body: -v, --version.'
 *   a sane open file gives C_OK: 'Comment: "if called with a non NULL fp, the function returns C_OK or C_ERR".'
 *   a corrupt open file gives C_ERR: 'Comment: "returns C_OK or C_ERR depending on the success or failure".'
 *   a truncated open file gives C_ERR: 'Comment: "returns C_OK or C_ERR depending on the success or failure".'
 *   what follows an RDB preamble can be read on: 'Comment: "to check an RDB preamble inside an AOF file"; redis-check-aof goes on.'
 ---*/
#include "start.h"
#include "../testhelp.h"
#include <sys/wait.h>

static char dir[] = "/tmp/plus.XXXXXX", path[200];

static void write_(const char *bytes, size_t len) {
    FILE *f = fopen(path,"w");
    fwrite(bytes,1,len,f);
    fclose(f);
}

/* What it gives in a process of its own: 100 and its result, or the status of the exit; 'next' is read behind. */
static int check(int argc, char *arg, int open_, char next) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        alarm(20);
        freopen("/dev/null","w",stdout);
        freopen("/dev/null","w",stderr);
        char *argv[] = {"redis-check-rdb",arg,NULL};
        FILE *fp = open_ ? fopen(path,"r") : NULL;
        int got = redis_check_rdb_main(argc,argv,fp);
        if (next && getc(fp) != next) got = 50;
        _exit(100+got);
    }
    int status = 0;
    waitpid(child,&status,0);
    return WIFEXITED(status) ? (signed char)WEXITSTATUS(status) : -1000;
}

int main(void) {
    startRedis();
    if (!mkdtemp(dir)) return 1;
    snprintf(path,sizeof(path),"%s/dump.rdb",dir);
    robj *key = createStringObject("name",4);
    dbAdd(&server.db[0],key,createStringObject("value",5));
    rio r;
    rioInitWithBuffer(&r,sdsempty());
    rdbSaveRio(SLAVE_REQ_NONE,&r,NULL,RDBFLAGS_NONE,NULL);
    sds good = r.io.buffer.ptr, bad = sdsdup(good), tail = sdscat(sdsdup(good),"*1\r\n");
    bad[sdslen(bad)-3] ^= 1;
    write_(good,sdslen(good));
    test_cond("a sane file ends the process with success", check(2,path,0,0) == 0);
    test_cond("a sane open file gives C_OK", check(2,path,1,0) == 100+C_OK);
    test_cond("without a file name it ends with an error", check(1,NULL,0,0) == 1 && check(3,path,0,0) == 1);
    test_cond("the version is told with success", check(2,"-v",0,0) == 0 && check(2,"--version",0,0) == 0);
    write_(tail,sdslen(tail));
    test_cond("what follows an RDB preamble can be read on", check(2,path,1,'*') == 100+C_OK);
    write_(bad,sdslen(bad));
    test_cond("a corrupt file ends it with an error", check(2,path,0,0) == 1);
    test_cond("a corrupt open file gives C_ERR", check(2,path,1,0) == 100+C_ERR);
    write_(good,sdslen(good)-15);
    test_cond("a truncated open file gives C_ERR", check(2,path,1,0) == 100+C_ERR && check(2,path,0,0) == 1);
    unlink(path);
    test_cond("a file that is not there ends it with an error", check(2,path,0,0) == 1);
    rmdir(dir);
    test_report();
    return 0;
}
