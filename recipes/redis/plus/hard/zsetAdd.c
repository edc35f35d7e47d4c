/*---
 * tasks: [slowlogCreateEntry-ff2ecf.16]
 * tests:
 *   a new member is added: 'Comment: "Add a new element"; ZADD_ADDED, "not present before the call"; 1 on success.'
 *   a new score is an update: 'Comment: "update the score of an existing element"; ZADD_UPDATED.'
 *   the member moves to its new place: 'The sorted set: its order.'
 *   the same score again sets no flag: 'Comment: "none could be set if we re-added an element using the same score".'
 *   with NX what exists is not touched: 'Comment: "ZADD_NX: only if the element does not exist"; ZADD_NOP.'
 *   with NX what is new is added: 'Comment: ZADD_NX.'
 *   with XX what is new is not added: 'Comment: "ZADD_XX: only if the element already exist"; ZADD_NOP.'
 *   with XX what exists is updated: 'Comment: ZADD_XX.'
 *   with GT only a greater score counts: 'Comment: "only if the new score is greater than the current score".'
 *   with LT only a smaller score counts: 'Comment: "only if the new score is less than the current score".'
 *   GT and LT do not keep new members out: 'Comment: "on existing elements"; commands/zadd: "does not prevent adding new elements".'
 *   what GT or LT keep out is no operation: 'Caller zaddGenericCommand; zset.tcl: "ZADD INCR LT/GT replies with nill if score not updated".'
 *   GT and LT go with XX: 'tests/unit/type/zset.tcl: "ZADD GT XX", "ZADD LT XX".'
 *   an increment is added to the score: 'Comment: "ZADD_INCR: Increment the current element score by ''score''".'
 *   the sum is given to the caller: 'Comment: "the new score of the element is stored in ''*newscore''".'
 *   without a member the increment is its score: 'Comment: "we assume 0 as previous score".'
 *   an increment of zero sets no flag: 'Comment: "or in the case a zero increment is used".'
 *   GT and LT look at the sum: 'Comment: "the new score"; zset.tcl: "ZADD INCR LT/GT".'
 *   a sum that is the score itself is no operation with GT or LT: 'Comment: "only if the new score is greater"; zset.tcl: "ZADD INCR LT/GT with inf".'
 *   NX and XX with an increment: 'Comment: ZADD_NX, ZADD_XX; zset.tcl: "ZADD XX option without key", "ZADD INCR".'
 *   newscore may be NULL: 'Comment: "if ''newscore'' is not NULL"; RM_ZsetAdd.'
 *   a score that is no number is an error: 'Comment: "or when the ''score'' value is NAN since the start"; 0 and ZADD_NAN.'
 *   a sum that is no number is an error: 'Comment: "when the increment produces a NAN condition"; 0 and ZADD_NAN.'
 *   an error changes nothing: 'Comment: "returns 0 on error"; caller replies an error.'
 *   old flags are overwritten: 'Comment: "sets the appropriate flags"; callers'' variables.'
 *   the member is copied and stays the caller's: 'Comment: "does not take ownership of the ''ele'' SDS string, but copies it".'
 *   members are binary-safe: 'Argument ele, an sds.'
 *   scores may be infinite: 'commands/zadd: "+inf and -inf values are valid values as well".'
 *   more members than configured are a skip list: 'Comment: "may convert the sorted set"; redis.conf: zset-max-listpack-entries.'
 *   a longer member than configured is in a skip list: 'Comment: "may convert the sorted set"; redis.conf: zset-max-listpack-value.'
 *   a listpack that would grow too large becomes a skip list: 'lpSafeToAdd, "too large to add"; sibling zsetConvertToListpackIfNeeded.'
 *   as much as configured stays a listpack: 'redis.conf: zset-max-listpack-entries, -value: the limits themselves.'
 *   what is not added converts nothing: 'Comment: "as a side effect of adding a new element".'
 *   an update converts nothing: 'Comment: "as a side effect of adding a new element".'
 *   dictionary and skip list stay in step: 'server.h: zset; zsetScore reads from the dictionary.'
 *   nothing is lost: 'Memory management of ''ele''; freeZsetObject.'
 ---*/
#include "zsettest.h"

static int out;
static double newscore;
static robj *o[2];

static int add(robj *zobj, const char *name, double score, int flags) {
    sds s = sdsnew(name);
    out = -1;
    newscore = -99;
    int got = zsetAdd(zobj,score,s,flags,&out,&newscore);
    if (strcmp(s,name)) got = -1;
    sdsfree(s);
    return got;
}

/* Both encodings do the same: what is returned, which flags, and what is held afterwards. */
static int both(const char *name, double score, int in, int ret, int flags, const char *want) {
    int good = 1;
    for (int j = 0; j < 2; j++) {
        int got = add(o[j],name,score,in);
        if (got != ret || out != flags || !holds(o[j],want) || !fits(o[j]) || o[j]->encoding != (j ? OBJ_ENCODING_SKIPLIST : OBJ_ENCODING_LISTPACK)) {
            fprintf(stderr,"# %d %s: %d %d\n",j,name,got,out);
            good = 0;
        }
    }
    return good;
}

/* The same with an increment, whose sum is told. */
static int sum(const char *name, double score, int in, int flags, double told, const char *want) {
    int good = 1;
    for (int j = 0; j < 2; j++)
        good = add(o[j],name,score,in|ZADD_IN_INCR) == 1 && out == flags && newscore == told && holds(o[j],want) && fits(o[j]) && good;
    return good;
}

static void begin(void) {
    for (int j = 0; j < 2; j++) {
        if (o[j]) decrRefCount(o[j]);
        o[j] = j ? createZsetObject() : createZsetListpackObject();
        add(o[j],"a",1,0), add(o[j],"b",2,0), add(o[j],"c",3,0);
    }
}

int main(void) {
    startRedis();
    size_t used = zmalloc_used_memory();
    for (int j = 0; j < 2; j++) o[j] = j ? createZsetObject() : createZsetListpackObject();
    int ok = both("m",5,0,1,ZADD_OUT_ADDED,"m=5 ") && both("k",-1.5,0,1,ZADD_OUT_ADDED,"k=-1.5 m=5 ") && both("n",5,0,1,ZADD_OUT_ADDED,"k=-1.5 m=5 n=5 ");
    test_cond("a new member is added", ok);
    begin();
    ok = both("b",2.5,0,1,ZADD_OUT_UPDATED,"a=1 b=2.5 c=3 ");
    test_cond("a new score is an update", ok);
    ok = both("b",9,0,1,ZADD_OUT_UPDATED,"a=1 c=3 b=9 ") && both("b",-9,0,1,ZADD_OUT_UPDATED,"b=-9 a=1 c=3 ") &&
         both("a",0.1,0,1,ZADD_OUT_UPDATED,"b=-9 a=0.10000000000000001 c=3 ") && both("a",3,0,1,ZADD_OUT_UPDATED,"b=-9 a=3 c=3 ") && both("a",4,0,1,ZADD_OUT_UPDATED,"b=-9 c=3 a=4 ");
    test_cond("the member moves to its new place", ok);
    begin();
    test_cond("the same score again sets no flag", both("b",2,0,1,0,"a=1 b=2 c=3 ") && both("b",2,ZADD_IN_XX,1,0,"a=1 b=2 c=3 "));
    test_cond("with NX what exists is not touched", both("b",7,ZADD_IN_NX,1,ZADD_OUT_NOP,"a=1 b=2 c=3 ") && both("b",2,ZADD_IN_NX,1,ZADD_OUT_NOP,"a=1 b=2 c=3 "));
    test_cond("with XX what is new is not added", both("d",7,ZADD_IN_XX,1,ZADD_OUT_NOP,"a=1 b=2 c=3 "));
    test_cond("with XX what exists is updated", both("b",0,ZADD_IN_XX,1,ZADD_OUT_UPDATED,"b=0 a=1 c=3 "));
    test_cond("with NX what is new is added", both("d",7,ZADD_IN_NX,1,ZADD_OUT_ADDED,"b=0 a=1 c=3 d=7 "));
    begin();
    int greater = both("b",2.25,ZADD_IN_GT,1,ZADD_OUT_UPDATED,"a=1 b=2.25 c=3 ") && add(o[0],"b",1,ZADD_IN_GT) == 1 && add(o[1],"b",1,ZADD_IN_GT) == 1 &&
        add(o[0],"b",2.25,ZADD_IN_GT) == 1 && add(o[1],"b",2.25,ZADD_IN_GT) == 1;
    test_cond("with GT only a greater score counts", greater && holds(o[0],"a=1 b=2.25 c=3 ") && holds(o[1],"a=1 b=2.25 c=3 "));
    begin();
    int less = both("b",1.75,ZADD_IN_LT,1,ZADD_OUT_UPDATED,"a=1 b=1.75 c=3 ") && add(o[0],"b",2,ZADD_IN_LT) == 1 && add(o[1],"b",2,ZADD_IN_LT) == 1 &&
        add(o[0],"b",1.75,ZADD_IN_LT) == 1 && add(o[1],"b",1.75,ZADD_IN_LT) == 1;
    test_cond("with LT only a smaller score counts", less && holds(o[0],"a=1 b=1.75 c=3 ") && holds(o[1],"a=1 b=1.75 c=3 "));
    begin();
    ok = both("d",-7,ZADD_IN_GT,1,ZADD_OUT_ADDED,"d=-7 a=1 b=2 c=3 ") && both("e",70,ZADD_IN_LT,1,ZADD_OUT_ADDED,"d=-7 a=1 b=2 c=3 e=70 ");
    test_cond("GT and LT do not keep new members out", ok);
    begin();
    ok = both("b",1,ZADD_IN_GT,1,ZADD_OUT_NOP,"a=1 b=2 c=3 ") && both("b",3,ZADD_IN_LT,1,ZADD_OUT_NOP,"a=1 b=2 c=3 ") &&
         both("b",-1,ZADD_IN_GT|ZADD_IN_INCR,1,ZADD_OUT_NOP,"a=1 b=2 c=3 ") && both("b",1,ZADD_IN_LT|ZADD_IN_INCR,1,ZADD_OUT_NOP,"a=1 b=2 c=3 ");
    test_cond("what GT or LT keep out is no operation", ok);
    ok = both("d",1,ZADD_IN_GT|ZADD_IN_XX,1,ZADD_OUT_NOP,"a=1 b=2 c=3 ") && both("d",1,ZADD_IN_LT|ZADD_IN_XX,1,ZADD_OUT_NOP,"a=1 b=2 c=3 ") &&
         both("b",2.5,ZADD_IN_GT|ZADD_IN_XX,1,ZADD_OUT_UPDATED,"a=1 b=2.5 c=3 ") && both("b",2,ZADD_IN_LT|ZADD_IN_XX,1,ZADD_OUT_UPDATED,"a=1 b=2 c=3 ") &&
         both("b",1,ZADD_IN_GT|ZADD_IN_XX,1,ZADD_OUT_NOP,"a=1 b=2 c=3 ");
    test_cond("GT and LT go with XX", ok);

    begin();
    ok = both("a",1.5,ZADD_IN_INCR,1,ZADD_OUT_UPDATED,"b=2 a=2.5 c=3 ") && both("a",-10,ZADD_IN_INCR,1,ZADD_OUT_UPDATED,"a=-7.5 b=2 c=3 ");
    test_cond("an increment is added to the score", ok);
    begin();
    ok = sum("a",1.5,0,ZADD_OUT_UPDATED,2.5,"b=2 a=2.5 c=3 ") && sum("c",-3,0,ZADD_OUT_UPDATED,0,"c=0 b=2 a=2.5 ");
    test_cond("the sum is given to the caller", ok);
    ok = sum("d",-4.5,0,ZADD_OUT_ADDED,-4.5,"d=-4.5 c=0 b=2 a=2.5 ");
    test_cond("without a member the increment is its score", ok);
    test_cond("an increment of zero sets no flag", sum("b",0,0,0,2,"d=-4.5 c=0 b=2 a=2.5 "));
    begin();
    ok = sum("c",1,ZADD_IN_GT,ZADD_OUT_UPDATED,4,"a=1 b=2 c=4 ") && sum("b",-0.5,ZADD_IN_LT,ZADD_OUT_UPDATED,1.5,"a=1 b=1.5 c=4 ") &&
         both("c",-1,ZADD_IN_GT|ZADD_IN_INCR,1,ZADD_OUT_NOP,"a=1 b=1.5 c=4 ") && both("b",1,ZADD_IN_LT|ZADD_IN_INCR,1,ZADD_OUT_NOP,"a=1 b=1.5 c=4 ");
    test_cond("GT and LT look at the sum", ok);
    begin();
    ok = both("b",1,ZADD_IN_INCR|ZADD_IN_NX,1,ZADD_OUT_NOP,"a=1 b=2 c=3 ") && both("d",1,ZADD_IN_INCR|ZADD_IN_XX,1,ZADD_OUT_NOP,"a=1 b=2 c=3 ") &&
         sum("b",0.5,ZADD_IN_XX,ZADD_OUT_UPDATED,2.5,"a=1 b=2.5 c=3 ") && sum("d",4,ZADD_IN_NX,ZADD_OUT_ADDED,4,"a=1 b=2.5 c=3 d=4 ");
    test_cond("NX and XX with an increment", ok);
    begin();
    ok = 1;
    sds b = sdsnew("b"), e = sdsnew("e");
    for (int j = 0; j < 2; j++)
        ok = zsetAdd(o[j],8,b,ZADD_IN_INCR,&out,NULL) == 1 && zsetAdd(o[j],9,e,ZADD_IN_NONE,&out,NULL) == 1 && zsetAdd(o[j],5,e,ZADD_IN_NONE,&out,NULL) == 1 &&
             holds(o[j],"a=1 c=3 e=5 b=10 ") && ok;
    test_cond("newscore may be NULL", ok);
    sdsfree(b), sdsfree(e);

    begin();
    ok = both("b",NAN,0,0,ZADD_OUT_NAN,"a=1 b=2 c=3 ") && both("d",NAN,0,0,ZADD_OUT_NAN,"a=1 b=2 c=3 ") && both("b",NAN,ZADD_IN_NX,0,ZADD_OUT_NAN,"a=1 b=2 c=3 ") &&
         both("d",NAN,ZADD_IN_XX,0,ZADD_OUT_NAN,"a=1 b=2 c=3 ") && both("b",NAN,ZADD_IN_INCR,0,ZADD_OUT_NAN,"a=1 b=2 c=3 ");
    test_cond("a score that is no number is an error", ok);
    ok = both("b",INFINITY,0,1,ZADD_OUT_UPDATED,"a=1 c=3 b=inf ") && both("a",-INFINITY,0,1,ZADD_OUT_UPDATED,"a=-inf c=3 b=inf ");
    int infinite = ok && both("d",INFINITY,0,1,ZADD_OUT_ADDED,"a=-inf c=3 b=inf d=inf ") && both("b",INFINITY,0,1,0,"a=-inf c=3 b=inf d=inf ") &&
        both("b",1,ZADD_IN_INCR,1,0,"a=-inf c=3 b=inf d=inf ");
    test_cond("scores may be infinite", infinite);
    ok = both("b",-INFINITY,ZADD_IN_INCR,0,ZADD_OUT_NAN,"a=-inf c=3 b=inf d=inf ") && both("a",INFINITY,ZADD_IN_INCR,0,ZADD_OUT_NAN,"a=-inf c=3 b=inf d=inf ") &&
         both("a",INFINITY,ZADD_IN_INCR|ZADD_IN_GT,0,ZADD_OUT_NAN,"a=-inf c=3 b=inf d=inf ");
    test_cond("a sum that is no number is an error", ok);
    int equal = both("b",-1,ZADD_IN_LT|ZADD_IN_INCR,1,ZADD_OUT_NOP,"a=-inf c=3 b=inf d=inf ") && both("b",1,ZADD_IN_GT|ZADD_IN_INCR,1,ZADD_OUT_NOP,"a=-inf c=3 b=inf d=inf ") &&
        both("a",-1,ZADD_IN_LT|ZADD_IN_INCR,1,ZADD_OUT_NOP,"a=-inf c=3 b=inf d=inf ") && both("c",0,ZADD_IN_GT|ZADD_IN_INCR,1,ZADD_OUT_NOP,"a=-inf c=3 b=inf d=inf ");
    test_cond("a sum that is the score itself is no operation with GT or LT", equal);
    ok = zsetLength(o[0]) == 4 && zsetLength(o[1]) == 4 && both("c",3,0,1,0,"a=-inf c=3 b=inf d=inf ");
    test_cond("an error changes nothing", ok);

    begin();
    ok = 1;
    for (int j = 0; j < 2; j++) {
        sds s = sdsnew("b");
        out = 0xffff;
        ok = zsetAdd(o[j],2,s,0,&out,&newscore) == 1 && out == 0 && ok;
        out = ZADD_OUT_NAN|ZADD_OUT_ADDED;
        ok = zsetAdd(o[j],4,s,0,&out,&newscore) == 1 && out == ZADD_OUT_UPDATED && ok;
        out = ZADD_OUT_ADDED;
        ok = zsetAdd(o[j],NAN,s,0,&out,&newscore) == 0 && out == ZADD_OUT_NAN && ok;
        sdsfree(s);
    }
    test_cond("old flags are overwritten", ok);
    begin();
    ok = 1;
    for (int j = 0; j < 2; j++) {
        sds s = sdsnew("own");
        zsetAdd(o[j],4,s,0,&out,&newscore);
        ok = !strcmp(s,"own") && ok;
        s[0] = 'X';
        ok = holds(o[j],"a=1 b=2 c=3 own=4 ") && ok;
        s[0] = 'o';
        zsetAdd(o[j],0,s,0,&out,&newscore);
        s[0] = 'X';
        ok = holds(o[j],"own=0 a=1 b=2 c=3 ") && fits(o[j]) && ok;
        sdsfree(s);
    }
    test_cond("the member is copied and stays the caller's", ok);
    begin();
    ok = 1;
    for (int j = 0; j < 2; j++) {
        sds s = sdsnewlen("a\0b",3), t = sdsnewlen("a\0c",3), empty = sdsempty();
        ok = zsetAdd(o[j],4,s,0,&out,&newscore) == 1 && out == ZADD_OUT_ADDED && zsetAdd(o[j],5,t,0,&out,&newscore) == 1 && out == ZADD_OUT_ADDED &&
             zsetAdd(o[j],6,empty,0,&out,&newscore) == 1 && out == ZADD_OUT_ADDED && zsetLength(o[j]) == 6 && ok;
        double one = 0, two = 0, three = 0;
        ok = zsetScore(o[j],s,&one) == C_OK && zsetScore(o[j],t,&two) == C_OK && zsetScore(o[j],empty,&three) == C_OK && one == 4 && two == 5 && three == 6 && ok;
        sdsfree(s), sdsfree(t), sdsfree(empty);
    }
    test_cond("members are binary-safe", ok);

    server.zset_max_listpack_entries = 4;
    server.zset_max_listpack_value = 5;
    begin();
    int limits = both("12345",4,0,1,ZADD_OUT_ADDED,"a=1 b=2 c=3 12345=4 ");
    int kept = both("12345",5,0,1,ZADD_OUT_UPDATED,"a=1 b=2 c=3 12345=5 ") && both("12345",1,ZADD_IN_INCR,1,ZADD_OUT_UPDATED,"a=1 b=2 c=3 12345=6 ");
    test_cond("as much as configured stays a listpack", limits && o[0]->encoding == OBJ_ENCODING_LISTPACK);
    int no = both("new",1,ZADD_IN_XX,1,ZADD_OUT_NOP,"a=1 b=2 c=3 12345=6 ") && both("new",NAN,0,0,ZADD_OUT_NAN,"a=1 b=2 c=3 12345=6 ") &&
        both("much longer",1,ZADD_IN_XX,1,ZADD_OUT_NOP,"a=1 b=2 c=3 12345=6 ");
    test_cond("what is not added converts nothing", no);
    ok = add(o[0],"d",1,ZADD_IN_INCR) == 1 && out == ZADD_OUT_ADDED && newscore == 1;
    test_cond("more members than configured are a skip list", ok && o[0]->encoding == OBJ_ENCODING_SKIPLIST && holds(o[0],"a=1 d=1 b=2 c=3 12345=6 ") && fits(o[0]));
    begin();
    ok = add(o[0],"123456",-1,0) == 1 && out == ZADD_OUT_ADDED;
    test_cond("a longer member than configured is in a skip list", ok && o[0]->encoding == OBJ_ENCODING_SKIPLIST && holds(o[0],"123456=-1 a=1 b=2 c=3 ") && fits(o[0]));
    begin();
    server.zset_max_listpack_entries = 2;
    server.zset_max_listpack_value = 0;
    kept = kept && both("b",9,0,1,ZADD_OUT_UPDATED,"a=1 c=3 b=9 ") && both("b",8,ZADD_IN_NX,1,ZADD_OUT_NOP,"a=1 c=3 b=9 ") && both("b",1,ZADD_IN_INCR,1,ZADD_OUT_UPDATED,"a=1 c=3 b=10 ");
    test_cond("an update converts nothing", kept);
    server.zset_max_listpack_entries = 128;
    server.zset_max_listpack_value = 64;
    begin();
    /* Its header, as if there were some 30 bytes left to what is safe. */
    uint32_t size = (1<<30)-30;
    memcpy(o[0]->ptr,&size,4);
    ok = add(o[0],"a member of so many letters, 36 bytes",2.5,0) == 1 && out == ZADD_OUT_ADDED && o[0]->encoding == OBJ_ENCODING_SKIPLIST;
    test_cond("a listpack that would grow too large becomes a skip list", ok && holds(o[0],"a=1 b=2 a member of so many letters, 36 bytes=2.5 c=3 ") && fits(o[0]));
    begin();
    ok = 1;
    unsigned seed = 3;
    for (int j = 0; j < 1500; j++) {
        char name[20];
        seed = seed*1103515245u+12345u;
        sprintf(name,"%u",(seed>>16) % 100);
        ok = add(o[0],name,(seed>>20) % 50,j % 3 ? 0 : ZADD_IN_INCR) == 1 && ok;
        ok = add(o[1],name,(seed>>20) % 50,j % 3 ? 0 : ZADD_IN_INCR) == 1 && ok;
        if (j % 50 == 0) {
            char *same = zstrdup(contents(o[0]));
            ok = ok && holds(o[1],same) && fits(o[0]) && fits(o[1]);
            zfree(same);
        }
    }
    test_cond("dictionary and skip list stay in step", ok && fits(o[1]) && zsetLength(o[1]) == 103);
    decrRefCount(o[0]), decrRefCount(o[1]);
    test_cond("nothing is lost", zmalloc_used_memory() == used);
    test_report();
    return 0;
}
