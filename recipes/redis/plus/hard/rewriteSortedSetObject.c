/*---
 * tasks: [rewriteSortedSetObject-26a88f.8]
 * tests:
 *   a short sorted set is one ZADD: 'Comment: "Emit the commands needed to rebuild a sorted set object".'
 *   a large sorted set is rebuilt: 'Comment: "Emit the commands needed to rebuild a sorted set object".'
 *   both encodings are rebuilt: 'server.h: OBJ_ENCODING_LISTPACK and OBJ_ENCODING_SKIPLIST.'
 *   success is told by 1: 'Comment: "The function returns 0 on error, 1 on success".'
 *   scores are exact: 'Comment: "needed to rebuild"; rioWriteBulkDouble.'
 *   infinite and negative scores are rebuilt: 'commands/zadd: +inf and -inf are valid.'
 *   members that are numbers are rebuilt: 'listpacks store them as integers.'
 *   members of any bytes are rebuilt: 'Members are Redis strings.'
 *   the score stands before its member: 'commands/zadd: score member.'
 *   at most 64 members are in one command: 'Comment of rewriteAppendOnlyFile: "at max AOF_REWRITE_ITEMS_PER_CMD items per time are inserted using a single command".'
 *   exactly 64 members are one command: 'Comment of rewriteAppendOnlyFile: "at max AOF_REWRITE_ITEMS_PER_CMD items".'
 *   the last command has the rest: 'Each command tells the number of its words.'
 *   the name of the key is that of the argument: 'Argument key; it may be any bytes.'
 *   an error at any place is told by 0: 'Comment: "The function returns 0 on error".'
 *   after an error nothing more is written: 'rio.h: a stream with an error stays in error; callers give up.'
 *   the sorted set stays: 'Callers rewrite while it is in use.'
 *   nothing is kept: 'BGREWRITEAOF may be made again and again, and in the process itself.'
 *   nothing is kept after an error: 'Callers give up, and the server goes on.'
 ---*/
#include "rewritten.h"

int rewriteSortedSetObject(rio *r, robj *key, robj *o);

static robj *key;

/* Makes a sorted set with so many members, which are one more than the entries of a listpack may be or not. */
static robj *make(const char *name, int members, int skiplist) {
    server.zset_max_listpack_entries = skiplist ? 0 : 10000;
    for (int j = 0; j < members; j++) {
        sds cmd = sdscatprintf(sdsempty(),"zadd %s %d.5 member:%d",name,j,j);
        runWords(0,cmd);
        sdsfree(cmd);
    }
    return valueOf(0,name);
}

/* Whether it comes back from what is written, as another key that was not there. */
static int rebuilt(robj *o) {
    sds name = sdsnew("copy");
    robj *copy = createStringObject("copy",4);
    dbDelete(&server.db[0],copy);
    if (rewriteSortedSetObject(rioWithRoom(1 << 20),copy,o) != 1 || runRewritten(rewritten) < 1) return 0;
    robj *back = valueOf(0,"copy");
    if (!back || zsetLength(back) != zsetLength(o)) return 0;
    unsigned char d1[20] = {0}, d2[20] = {0};
    xorObjectDigest(&server.db[0],copy,d1,o);
    xorObjectDigest(&server.db[0],copy,d2,back);
    sdsfree(name);
    return !memcmp(d1,d2,20);
}

int main(void) {
    startRedis();
    signal(SIGALRM,SIG_DFL), alarm(60);
    key = createStringObject("z",1);
    robj *small = make("small",3,0), *large = make("large",200,1), *pack = make("pack",200,0);
    int ret = rewriteSortedSetObject(rioWithRoom(1 << 20),key,small);
    test_cond("a short sorted set is one ZADD", !strncmp(rewritten,"*8\r\n$4\r\nZADD\r\n$1\r\nz\r\n",21) &&
              runRewritten(rewritten) == 1 && rebuilt(small));
    test_cond("success is told by 1", ret == 1 && rewriteSortedSetObject(rioWithRoom(1 << 20),key,large) == 1);
    rewriteSortedSetObject(rioWithRoom(1 << 20),key,small);
    test_cond("the score stands before its member", strstr(rewritten,"$3\r\n0.5\r\n$8\r\nmember:0\r\n") &&
              strstr(rewritten,"$3\r\n2.5\r\n$8\r\nmember:2\r\n"));
    test_cond("a large sorted set is rebuilt", rebuilt(large) && rebuilt(pack));
    robj *smallSkip = make("smallskip",3,1);
    test_cond("both encodings are rebuilt", small->encoding == OBJ_ENCODING_LISTPACK &&
              smallSkip->encoding == OBJ_ENCODING_SKIPLIST && rebuilt(smallSkip) && large->encoding == OBJ_ENCODING_SKIPLIST &&
              pack->encoding == OBJ_ENCODING_LISTPACK);
    int exact = 1, far = 1, numbers = 1;
    for (int skiplist = 0; skiplist < 2; skiplist++) {
        server.zset_max_listpack_entries = skiplist ? 0 : 1000;
        const char *n = skiplist ? "odd1" : "odd0";
        sds cmd = sdscatprintf(sdsempty(),"zadd %s 0.1 a 0.30000000000000004 b 1e300 c -1.7976931348623157e308 d 3 e 123456789012345680 f",n);
        runWords(0,cmd);
        exact &= rebuilt(valueOf(0,n));
        cmd = sdscatprintf(sdsempty(),"zadd %s inf up -inf down -5 low 0 zero -0.25 q",n);
        runWords(0,cmd);
        far &= rebuilt(valueOf(0,n));
        cmd = sdscatprintf(sdsempty(),"zadd %s 1 12 2 -7 3 9223372036854775807 4 007 5 1.50",n);
        runWords(0,cmd);
        numbers &= rebuilt(valueOf(0,n));
    }
    test_cond("scores are exact", exact);
    test_cond("infinite and negative scores are rebuilt", far);
    test_cond("members that are numbers are rebuilt", numbers);
    int bytes = 1;
    for (int skiplist = 0; skiplist < 2; skiplist++) {
        server.zset_max_listpack_entries = skiplist ? 0 : 1000;
        robj *o = skiplist ? createZsetObject() : createZsetListpackObject();
        int flags;
        sds m[3] = {sdsnewlen("a\0b",3),sdsnewlen("\r\n$3\r\n",6),sdsempty()};
        for (int j = 0; j < 3; j++) zsetAdd(o,j,m[j],0,&flags,NULL);
        bytes &= rebuilt(o) && zsetLength(o) == 3;
    }
    test_cond("members of any bytes are rebuilt", bytes);
    test_cond("at most 64 members are in one command", rewriteSortedSetObject(rioWithRoom(1 << 20),key,large) &&
              runRewritten(rewritten) == 4 && strstr(rewritten_words,"ZADD:130 ZADD:130 ZADD:130"));
    test_cond("the last command has the rest", !strcmp(rewritten_words,"ZADD:130 ZADD:130 ZADD:130 ZADD:18 ") &&
              rewriteSortedSetObject(rioWithRoom(1 << 20),key,pack) && runRewritten(rewritten) == 4 &&
              !strcmp(rewritten_words,"ZADD:130 ZADD:130 ZADD:130 ZADD:18 "));
    int counts = 1;
    for (int skiplist = 0; skiplist < 2; skiplist++) {
        robj *full = make(skiplist ? "full1" : "full0",64,skiplist), *more = make(skiplist ? "more1" : "more0",65,skiplist);
        robj *twice = make(skiplist ? "twice1" : "twice0",128,skiplist);
        rewriteSortedSetObject(rioWithRoom(1 << 20),key,full);
        if (runRewritten(rewritten) != 1 || strcmp(rewritten_words,"ZADD:130 ")) counts = 0;
        rewriteSortedSetObject(rioWithRoom(1 << 20),key,more);
        if (runRewritten(rewritten) != 2 || strcmp(rewritten_words,"ZADD:130 ZADD:4 ")) counts = 0;
        rewriteSortedSetObject(rioWithRoom(1 << 20),key,twice);
        if (runRewritten(rewritten) != 2 || strcmp(rewritten_words,"ZADD:130 ZADD:130 ")) counts = 0;
    }
    test_cond("exactly 64 members are one command", counts);
    robj *odd = createStringObject("k\0\r\n",4);
    rewriteSortedSetObject(rioWithRoom(1 << 20),odd,small);
    test_cond("the name of the key is that of the argument", !memcmp(rewritten,"*8\r\n$4\r\nZADD\r\n$4\r\nk\0\r\n\r\n",24));
    int told = 1, quiet = 1;
    robj *both[] = {valueOf(0,"more0"),valueOf(0,"more1"),small,smallSkip,valueOf(0,"odd0")};
    size_t before = zmalloc_used_memory();
    for (int j = 0; j < 5; j++) {
        rewriteSortedSetObject(rioWithRoom(1 << 20),key,both[j]);
        size_t total = sdslen(rewritten);
        for (size_t room = 0; room <= total; room += total > 500 && room > 100 && room+100 < total ? 7 : 1) {
            rio *r = rioWithRoom(room);
            int got = rewriteSortedSetObject(r,key,both[j]);
            if (got != (room == total)) told = 0;
            if (room < total && rewritten_failures != 1) quiet = 0;
        }
    }
    test_cond("an error at any place is told by 0", told);
    test_cond("after an error nothing more is written", quiet);
    test_cond("nothing is kept after an error", zmalloc_used_memory() == before);
    for (int j = 0; j < 20; j++) rewriteSortedSetObject(rioWithRoom(1 << 20),key,large), rewriteSortedSetObject(rioWithRoom(1 << 20),key,pack);
    rioWithRoom(0);
    before = zmalloc_used_memory();
    for (int j = 0; j < 20; j++) rewriteSortedSetObject(rioWithRoom(1 << 20),key,large), rewriteSortedSetObject(rioWithRoom(1 << 20),key,pack);
    test_cond("nothing is kept", zmalloc_used_memory() == before);
    test_cond("the sorted set stays", zsetLength(large) == 200 && zsetLength(pack) == 200 && zsetLength(small) == 3 &&
              small->refcount == 1);
    test_report();
    return 0;
}
