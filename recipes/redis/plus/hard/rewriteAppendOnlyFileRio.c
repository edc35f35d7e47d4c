/*---
 * tasks: [rewriteSortedSetObject-26a88f.8]
 * tests:
 *   of an empty dataset nothing is written: 'Comment of rewriteAppendOnlyFile: "a sequence of commands able to fully rebuild the dataset".'
 *   values of all types are rebuilt: 'Comment of rewriteAppendOnlyFile: "able to fully rebuild the dataset".'
 *   a string is one SET: 'Comment in the body: "Emit a SET command".'
 *   strings that are numbers or any bytes are rebuilt: 'rioWriteBulkObject.'
 *   the database is selected before its keys: 'Comment in the body: "SELECT the new DB".'
 *   each database with keys is selected once: 'Comment in the body: "SELECT the new DB"; empty ones are passed over.'
 *   keys are rebuilt in their databases: 'Comment: "able to fully rebuild the dataset".'
 *   times to live are written in milliseconds: 'Comment in the body: "Save the expire time"; PEXPIREAT.'
 *   the time to live comes behind its key: 'PEXPIREAT of a key that does not exist does nothing, and SET removes it.'
 *   keys without a time to live have none: 'getExpire gives -1.'
 *   libraries of functions come first: 'rewriteFunctions; they are outside of databases.'
 *   a timestamp comes before all if it is enabled: 'Comment in the body: "Record timestamp at the beginning of rewriting AOF".'
 *   without timestamps there is none: 'redis.conf: aof-timestamp-enabled no.'
 *   success is told by C_OK: 'Caller rewriteAppendOnlyFile: C_ERR is an error.'
 *   an error at any place is told by C_ERR: 'Caller rewriteAppendOnlyFile: "== C_ERR".'
 *   after an error nothing more is written: 'Caller gives up.'
 *   the dataset stays: 'It is in use.'
 *   nothing is kept: 'Rewriting may be done in the process itself.'
 *   nothing is kept after an error: 'The server goes on.'
 ---*/
#include "rewritten.h"
#include "../functions.h"

int rewriteAppendOnlyFileRio(rio *aof);
void computeDatasetDigest(unsigned char *final);

int main(void) {
    startRedis();
    signal(SIGALRM,SIG_DFL), alarm(60);
    server.active_expire_enabled = 0;
    int ret = rewriteAppendOnlyFileRio(rioWithRoom(1 << 20));
    test_cond("of an empty dataset nothing is written", ret == C_OK && sdslen(rewritten) == 0);
    runWords(3,"set plain value");
    ret = rewriteAppendOnlyFileRio(rioWithRoom(1 << 20));
    test_cond("success is told by C_OK", ret == C_OK);
    test_cond("a string is one SET", strstr(rewritten,"*3\r\n$3\r\nSET\r\n$5\r\nplain\r\n$5\r\nvalue\r\n"));
    test_cond("the database is selected before its keys",
              !strcmp(rewritten,"*2\r\n$6\r\nSELECT\r\n$1\r\n3\r\n*3\r\n$3\r\nSET\r\n$5\r\nplain\r\n$5\r\nvalue\r\n"));
    test_cond("without timestamps there is none", rewritten[0] == '*');
    long long when = mstime()+100000000LL;
    robj *odd = createStringObject("k\0\r\n",4);
    dbAdd(&server.db[0],odd,createStringObject("v\0\r\n$1\r\n",8));
    runWords(0,"set number 12345");
    runWords(0,"rpush list a b 3 -4 c");
    runWords(0,"sadd ints 1 2 3");
    runWords(0,"sadd set x y z 7");
    runWords(0,"zadd zset 1 one 2.5 two inf three");
    runWords(0,"hset hash f v 1 2 empty x");
    runWords(0,"xadd stream 1-1 f v g w");
    runWords(0,"xadd stream 5-7 other 1");
    runWords(0,"xgroup create stream readers 1-1");
    runWords(9,"set nine 9");
    server.zset_max_listpack_entries = server.hash_max_listpack_entries = server.set_max_listpack_entries = 0;
    runWords(9,"zadd zset2 1 one 2.5 two");
    runWords(9,"hset hash2 f v");
    runWords(9,"sadd set2 x y");
    sds cmd = sdscatprintf(sdsempty(),"pexpireat list %lld",when);
    runWords(0,cmd);
    cmd = sdscatprintf(sdsempty(),"pexpireat nine %lld",when+1);
    runWords(9,cmd);
    unsigned char digest[20], again[20];
    computeDatasetDigest(digest);
    rewriteAppendOnlyFileRio(rioWithRoom(1 << 20));
    sds all = sdsdup(rewritten);
    computeDatasetDigest(again);
    test_cond("the dataset stays", !memcmp(digest,again,20) && dbSize(&server.db[0]) == 8 && dbSize(&server.db[9]) == 4);
    emptyData(-1,EMPTYDB_NO_FLAGS,NULL);
    int n = runRewritten(all);
    computeDatasetDigest(again);
    test_cond("values of all types are rebuilt", n > 15 && !memcmp(digest,again,20));
    sds key = sdsnewlen("k\0\r\n",4);
    dictEntry *de = dbFind(&server.db[0],key);
    robj *v = de ? dictGetVal(de) : NULL;
    test_cond("strings that are numbers or any bytes are rebuilt", v && sdslen(v->ptr) == 8 &&
              !memcmp(v->ptr,"v\0\r\n$1\r\n",8) && valueOf(0,"number"));
    int selects = 0;
    for (char *p = rewritten_words; (p = strstr(p,"SELECT:2")); p++) selects++;
    test_cond("each database with keys is selected once", selects == 3);
    test_cond("keys are rebuilt in their databases", valueOf(3,"plain") && valueOf(9,"nine") && valueOf(0,"list") &&
              dbSize(&server.db[0]) == 8 && dbSize(&server.db[3]) == 1 && dbSize(&server.db[9]) == 4);
    sds expire = sdscatprintf(sdsempty(),"*3\r\n$9\r\nPEXPIREAT\r\n$4\r\nlist\r\n$%d\r\n%lld\r\n",(int)sdigits10(when),when);
    robj *list = createStringObject("list",4), *nine = createStringObject("nine",4), *zset = createStringObject("zset",4);
    test_cond("times to live are written in milliseconds", strstr(all+40,"PEXPIREAT") && getExpire(&server.db[0],list) == when &&
              getExpire(&server.db[9],nine) == when+1);
    int pushed = -1, timed = -1;
    for (size_t j = 0; j+sdslen(expire) <= sdslen(all); j++) {
        if (!memcmp(all+j,"RPUSH",5)) pushed = j;
        if (!memcmp(all+j,expire,sdslen(expire))) timed = j;
    }
    test_cond("the time to live comes behind its key", pushed >= 0 && timed > pushed);
    test_cond("keys without a time to live have none", getExpire(&server.db[0],zset) == -1 &&
              kvstoreSize(server.db[0].expires) == 1 && kvstoreSize(server.db[3].expires) == 0);

    sds code = sdsnew("#!lua name=one\nredis.register_function('f', function() return 1 end)"), err = NULL;
    functionsCreateWithLibraryCtx(code,0,&err,functionsLibCtxGetCurrent(),0);
    rewriteAppendOnlyFileRio(rioWithRoom(1 << 20));
    test_cond("libraries of functions come first", !strncmp(rewritten,"*3\r\n$8\r\nFUNCTION\r\n$4\r\nLOAD\r\n",28) &&
              sdslen(rewritten) > sdslen(all));
    size_t before = 0;
    for (int j = 0; j < 20; j++) {
        if (j == 10) before = zmalloc_used_memory();
        rewriteAppendOnlyFileRio(rioWithRoom(1 << 20));
    }
    test_cond("nothing is kept", zmalloc_used_memory() == before);
    emptyData(-1,EMPTYDB_NO_FLAGS,NULL);
    functionsCreateWithLibraryCtx(code,0,&err,functionsLibCtxGetCurrent(),0);
    runWords(2,"set a 1"), runWords(2,"rpush b x y"), runWords(2,"set c 3"), runWords(2,"pexpireat c 9999999999999");
    runWords(2,"zadd d 1 one"), runWords(2,"hset e f v");
    rewriteAppendOnlyFileRio(rioWithRoom(1 << 20));
    int told = 1, quiet = 1;
    size_t total = sdslen(rewritten);
    rioWithRoom(0);
    before = zmalloc_used_memory();
    for (size_t room = 0; room <= total; room++) {
        int got = rewriteAppendOnlyFileRio(rioWithRoom(room));
        if (got != (room == total ? C_OK : C_ERR)) told = 0;
        if (room < total && rewritten_failures != 1) quiet = 0;
    }
    test_cond("an error at any place is told by C_ERR", told);
    test_cond("after an error nothing more is written", quiet);
    test_cond("nothing is kept after an error", zmalloc_used_memory() == before);
    server.aof_timestamp_enabled = 1;
    ret = rewriteAppendOnlyFileRio(rioWithRoom(1 << 20));
    char *end = NULL;
    long ts = !strncmp(rewritten,"#TS:",4) ? strtol(rewritten+4,&end,10) : 0;
    int begins = ret == C_OK && ts > 1600000000 && end && !strncmp(end,"\r\n*3\r\n$8\r\nFUNCTION\r\n",20);
    test_cond("a timestamp comes before all if it is enabled", begins && rewriteAppendOnlyFileRio(rioWithRoom(4)) == C_ERR);
    test_report();
    return 0;
}
