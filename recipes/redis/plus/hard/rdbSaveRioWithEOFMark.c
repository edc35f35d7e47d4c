/*---
 * tasks: [evictionPoolPopulate-a95d96.8, evictionPoolPopulate-a95d96.16]
 * tests:
 *   the prefix announces forty hex digits: 'Comment: "$EOF:<40 bytes unguessable hex string>\r\n".'
 *   the suffix is what was announced: 'Comment: "the suffix is the 40 bytes hex string we announced in the prefix".'
 *   between them is a whole dump: 'Comment: "a prefix and a suffix to the generated RDB dump".'
 *   each call has another mark: 'Comment: "unguessable".'
 *   the replication information goes into the dump: 'Signature: rsi; rdbSaveRio.'
 *   the requirements of the replica are obeyed: 'Signature: req; server.h: SLAVE_REQ_RDB_EXCLUDE_DATA.'
 *   the dump is not that of an AOF: 'Comment: "only used for diskless replication".'
 *   success is told: 'rdbSaveRio: "On success C_OK is returned".'
 *   after success the error is zero: 'The body: "*error = 0" before anything is written.'
 *   a prefix that cannot be written is an error: 'rdbSaveRio: "otherwise C_ERR is returned".'
 *   a dump that cannot be written is an error: 'rdbSaveRio: "otherwise C_ERR is returned".'
 *   a suffix that cannot be written is an error: 'rdbSaveRio: "otherwise C_ERR is returned".'
 *   the error tells the reason wherever it was: 'rdbSaveRio: "set to the value of errno just after the I/O error".'
 *   the error may be left out: 'Caller rdbSaveToSlavesSockets passes NULL.'
 *   nothing is written after an error: 'The body leaves at once; the connection is broken.'
 ---*/
#include "rdbstory.h"
int rdbSaveRioWithEOFMark(int req, rio *rdb, int *error, rdbSaveInfo *rsi);

static int returned, error;
static size_t rest;
static char mark[41];
static sds saved;

static sds save(int req, rdbSaveInfo *rsi) {
    rio r;
    rioInitWithBuffer(&r,sdsempty());
    error = 4711;
    returned = rdbSaveRioWithEOFMark(req,&r,&error,rsi);
    saved = r.io.buffer.ptr;
    rest = 0;
    if (sdslen(saved) < 47+9+40) return sdsempty();
    memcpy(mark,saved+5,40);
    sds body = sdsnewlen(saved+47+9,sdslen(saved)-47-9);
    return story(body,&rest);
}

static int failedWrites;

static size_t failing(rio *r, const void *buf, size_t len) {
    size_t ok = limited(r,buf,len);
    if (!ok) failedWrites++;
    return ok;
}

static int failAt(size_t j, int *err) {
    rio r = full(j);
    r.write = failing;
    errno = 0;
    return rdbSaveRioWithEOFMark(SLAVE_REQ_NONE,&r,err,NULL) == C_ERR;
}

int main(void) {
    startRedis();
    server.maxmemory_policy = MAXMEMORY_NO_EVICTION;
    put(0,"zero","v0",-1);
    put(9,"nine","v9",4000000000000);
    int added = addFunction("one");
    sds s = save(SLAVE_REQ_NONE,NULL);
    test_cond("success is told", returned == C_OK);
    test_cond("after success the error is zero", error == 0);
    test_cond("the prefix announces forty hex digits", !memcmp(saved,"$EOF:",5) && strspn(saved+5,"0123456789abcdef") == 40 &&
              !memcmp(saved+45,"\r\n",2));
    test_cond("the suffix is what was announced", !memcmp(saved+sdslen(saved)-40,mark,40) && rest == 48);
    char magic[10];
    snprintf(magic,sizeof(magic),"REDIS%04d",RDB_VERSION);
    test_cond("between them is a whole dump", !memcmp(saved+47,magic,9) && lines(s,"key ") == 2 && lines(s,"end") == 1 &&
              added && lines(s,"function ") == 1 && lines(s,"aux repl") == 0);
    test_cond("the dump is not that of an AOF", strstr(s,"aux aof-base 0\n") != NULL);
    char before[41];
    memcpy(before,mark,41);
    rdbSaveInfo rsi = RDB_SAVE_INFO_INIT;
    rsi.repl_stream_db = 3;
    s = save(SLAVE_REQ_NONE,&rsi);
    test_cond("each call has another mark", strcmp(before,mark) != 0 && !memcmp(saved+sdslen(saved)-40,mark,40));
    test_cond("the replication information goes into the dump", strstr(s,"aux repl-stream-db 3\n") != NULL);
    s = save(SLAVE_REQ_RDB_EXCLUDE_DATA,NULL);
    int keys = lines(s,"key ") == 0 && lines(s,"function ") == 1;
    s = save(SLAVE_REQ_RDB_EXCLUDE_FUNCTIONS,NULL);
    test_cond("the requirements of the replica are obeyed", keys && lines(s,"key ") == 2 && lines(s,"function ") == 0);
    s = save(SLAVE_REQ_NONE,NULL);
    size_t all = sdslen(saved);
    int prefix = 1, dump = 1, suffix = 1, reason = 1, silent = 1, once = 1;
    for (size_t j = 0; j < all; j++) {
        error = 4711;
        failedWrites = 0;
        int ok = failAt(j,&error);
        if (j < 47) prefix &= ok;
        else if (j < all-40) dump &= ok;
        else suffix &= ok;
        if (error != ENOSPC) reason = 0;
        if (failedWrites != 1) once = 0;
        if (!failAt(j,NULL)) silent = 0;
    }
    test_cond("a prefix that cannot be written is an error", prefix);
    test_cond("a dump that cannot be written is an error", dump);
    test_cond("a suffix that cannot be written is an error", suffix);
    test_cond("the error tells the reason wherever it was", reason);
    rio r = full(all+100);
    test_cond("the error may be left out", silent && rdbSaveRioWithEOFMark(SLAVE_REQ_NONE,&r,NULL,NULL) == C_OK);
    test_cond("nothing is written after an error", once);
    test_report();
    return 0;
}
