/*---
 * tasks: [evictionPoolPopulate-a95d96.8, evictionPoolPopulate-a95d96.16]
 * tests:
 *   the dump begins with its signature and version: 'rdbLoadRioWithLoadingCtx: "REDIS" and RDB_VERSION in four digits.'
 *   the fields about the state are saved: 'rdbSaveInfoAuxFields: "a few default AUX fields with information about the RDB".'
 *   the replication information is saved if given: 'Signature: rsi; rdbSaveInfoAuxFields.'
 *   the base of an AOF is marked: 'Signature: rdbflags; aof.c saves with RDBFLAGS_AOF_PREAMBLE.'
 *   all databases are saved: 'Comment: "Produces a dump of the database"; "save all databases".'
 *   functions are saved: 'The body: "save functions".'
 *   a replica that wants functions alone gets no keys: 'server.h: SLAVE_REQ_RDB_EXCLUDE_DATA, "Exclude data from RDB".'
 *   a replica that wants no functions gets the keys alone: 'server.h: SLAVE_REQ_RDB_EXCLUDE_FUNCTIONS.'
 *   both may be excluded: 'server.h: SLAVE_REQ_RDB_MASK.'
 *   the dump ends with its mark and eight bytes: 'rdb.h: RDB_OPCODE_EOF; "CRC64 checksum".'
 *   the checksum is that of all before it: 'The body: "CRC64 checksum".'
 *   without checksums the eight bytes are zero: '"It will be zero if checksum computation is disabled".'
 *   success is told: 'Comment: "On success C_OK is returned".'
 *   each write that fails gives an error: 'Comment: "otherwise C_ERR is returned".'
 *   the error tells the reason: 'Comment: "the integer pointed by error is set to the value of errno".'
 *   the error may be left out: 'Comment: "if error is not NULL".'
 *   without an error it stays as it was: 'Comment: "When the function returns C_ERR [...] is set".'
 *   an empty dataset is saved too: 'rdbSave at shutdown of an empty server.'
 *   what was saved loads again: 'rdbLoadRio.'
 ---*/
#include "rdbstory.h"

static int returned, error;
static size_t rest;
static sds saved;

static sds save(int req, int flags, rdbSaveInfo *rsi) {
    rio r;
    rioInitWithBuffer(&r,sdsempty());
    error = 4711;
    returned = rdbSaveRio(req,&r,&error,flags,rsi);
    saved = r.io.buffer.ptr;
    sds body = sdslen(saved) > 9 ? sdsnewlen(saved+9,sdslen(saved)-9) : sdsempty();
    return story(body,&rest);
}

int main(void) {
    startRedis();
    server.maxmemory_policy = MAXMEMORY_NO_EVICTION;
    server.rdb_checksum = 1;
    sds s = save(SLAVE_REQ_NONE,RDBFLAGS_NONE,NULL);
    test_cond("an empty dataset is saved too", returned == C_OK && lines(s,"db ") == 0 && lines(s,"end") == 1 && rest == 8);
    put(0,"zero","v0",-1);
    put(9,"nine","v9",4000000000000);
    put(15,"last","v15",-1);
    int added = addFunction("one") && addFunction("two");
    s = save(SLAVE_REQ_NONE,RDBFLAGS_NONE,NULL);
    char magic[10];
    snprintf(magic,sizeof(magic),"REDIS%04d",RDB_VERSION);
    test_cond("success is told", returned == C_OK);
    test_cond("the dump begins with its signature and version", !memcmp(saved,magic,9));
    test_cond("the fields about the state are saved", strstr(s,"aux redis-ver " REDIS_VERSION "\n") &&
              strstr(s,"aux redis-bits 64\n") && lines(s,"aux ctime ") == 1 && lines(s,"aux used-mem ") == 1 &&
              lines(s,"aux repl") == 0);
    test_cond("all databases are saved", lines(s,"db ") == 3 && lines(s,"key ") == 3 &&
              strstr(s,"db 0\nsize 1 0\nkey zero v0\n") && strstr(s,"db 15\nsize 1 0\nkey last v15\n") &&
              strstr(s,"db 9\nsize 1 1\nexpire 4000000000000\nkey nine v9\n"));
    test_cond("functions are saved", added && lines(s,"function ") == 2 && strstr(s,"name=one") && strstr(s,"name=two"));
    test_cond("the dump ends with its mark and eight bytes", sdslen(s) > 4 && !strcmp(s+sdslen(s)-4,"end\n") && rest == 8);
    uint64_t sum = 0, zero = 0;
    memcpy(&sum,saved+sdslen(saved)-8,8);
    memrev64ifbe(&sum);
    test_cond("the checksum is that of all before it", sum && sum == crc64(0,(unsigned char*)saved,sdslen(saved)-8));
    test_cond("without an error it stays as it was", error == 4711);
    sds whole = saved;
    server.rdb_checksum = 0;
    s = save(SLAVE_REQ_NONE,RDBFLAGS_NONE,NULL);
    test_cond("without checksums the eight bytes are zero", rest == 8 && !memcmp(saved+sdslen(saved)-8,&zero,8) &&
              lines(s,"key ") == 3);
    server.rdb_checksum = 1;

    rdbSaveInfo rsi = RDB_SAVE_INFO_INIT;
    rsi.repl_stream_db = 6;
    memset(server.replid,'b',CONFIG_RUN_ID_SIZE);
    server.master_repl_offset = 12345;
    s = save(SLAVE_REQ_NONE,RDBFLAGS_REPLICATION,&rsi);
    test_cond("the replication information is saved if given", strstr(s,"aux repl-stream-db 6\n") &&
              strstr(s,"aux repl-id bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb\n") && strstr(s,"aux repl-offset 12345\n"));
    int base = strstr(s,"aux aof-base 0\n") != NULL;
    s = save(SLAVE_REQ_NONE,RDBFLAGS_AOF_PREAMBLE,NULL);
    test_cond("the base of an AOF is marked", base && strstr(s,"aux aof-base 1\n"));
    s = save(SLAVE_REQ_RDB_EXCLUDE_DATA,RDBFLAGS_NONE,NULL);
    test_cond("a replica that wants functions alone gets no keys", returned == C_OK && lines(s,"function ") == 2 &&
              lines(s,"key ") == 0 && lines(s,"db ") == 0 && lines(s,"end") == 1 && rest == 8);
    s = save(SLAVE_REQ_RDB_EXCLUDE_FUNCTIONS,RDBFLAGS_NONE,NULL);
    test_cond("a replica that wants no functions gets the keys alone", returned == C_OK && lines(s,"function ") == 0 &&
              lines(s,"key ") == 3 && lines(s,"db ") == 3 && lines(s,"end") == 1);
    s = save(SLAVE_REQ_RDB_MASK,RDBFLAGS_NONE,NULL);
    test_cond("both may be excluded", returned == C_OK && lines(s,"function ") == 0 && lines(s,"key ") == 0 &&
              lines(s,"end") == 1 && rest == 8 && lines(s,"aux redis-ver") == 1);

    int fails = 1, reason = 1, silent = 1;
    size_t all = sdslen(whole);
    for (size_t j = 0; j < all; j++) {
        rio r = full(j);
        errno = 0;
        error = 0;
        if (rdbSaveRio(SLAVE_REQ_NONE,&r,&error,RDBFLAGS_NONE,NULL) != C_ERR) fails = 0;
        if (error != ENOSPC) reason = 0;
        r = full(j);
        if (rdbSaveRio(SLAVE_REQ_NONE,&r,NULL,RDBFLAGS_NONE,NULL) != C_ERR) silent = 0;
    }
    test_cond("each write that fails gives an error", fails);
    test_cond("the error tells the reason", reason);
    rio r = full(all+100);
    test_cond("the error may be left out", silent && rdbSaveRio(SLAVE_REQ_NONE,&r,NULL,RDBFLAGS_NONE,NULL) == C_OK);

    emptyDbStructure(server.db,-1,0,NULL);
    functionsLibCtxClearCurrent(0);
    rioInitWithBuffer(&r,whole);
    rdbSaveInfo info = RDB_SAVE_INFO_INIT;
    int loaded = rdbLoadRio(&r,RDBFLAGS_NONE,&info);
    robj *nine = str("nine");
    test_cond("what was saved loads again", loaded == C_OK && dbSize(&server.db[0]) == 1 && dbSize(&server.db[9]) == 1 &&
              dbSize(&server.db[15]) == 1 && getExpire(&server.db[9],nine) == 4000000000000 &&
              dictSize(functionsLibGet()) == 2);
    test_report();
    return 0;
}
