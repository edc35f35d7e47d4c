/*---
 * tasks: [expireGenericCommand-82c832.4, expireGenericCommand-82c832.8, expireGenericCommand-82c832.16]
 * tests:
 *   it replies the value: 'Comment: "Command would either return the bulk string, error or nil".'
 *   a value of any bytes and a number are replied: 'Comment: "the bulk string".'
 *   a missing key gives nil: 'Comment: "error or nil"; RESP3''s null where the client speaks it, as GET.'
 *   a key that is past its time gives nil: 'tests/unit/type/string.tcl: "GETEX and GET expired key or not exist".'
 *   another type is an error: 'Comment: "error"; commands/getex; sibling getGenericCommand.'
 *   without options nothing is changed or propagated: 'Comment: "same as GET and does not alter any TTL"; string.tcl: "GETEX without argument does not propagate to replica".'
 *   EX sets a time in seconds from now: 'Comment: "EX Set expiry TTL in seconds".'
 *   PX sets a time in milliseconds from now: 'Comment: "PX Set expiry TTL in milliseconds".'
 *   EXAT takes an absolute time in seconds: 'Comment: "it takes an absolute Unix timestamp".'
 *   PXAT takes an absolute time in milliseconds: 'Comment: "it takes an absolute Unix timestamp".'
 *   a new time replaces the old one: 'Comment: "Set expiry TTL".'
 *   each propagates as PEXPIREAT with the absolute time: 'tests/unit/expire.tcl: "All TTL in commands are propagated as absolute timestamp in milliseconds in AOF".'
 *   setting is counted, announced as expire and touches watched keys: 'db.c: signalModifiedKey; server.h: dirty; sibling expireGenericCommand; the docs on keyspace notifications.'
 *   PERSIST removes the time: 'Comment: "PERSIST removes any TTL associated with the key".'
 *   PERSIST propagates as PERSIST: 'aof.c, expire.tcl; sibling persistCommand.'
 *   PERSIST is counted, announced as persist and touches watched keys: 'Sibling persistCommand.'
 *   PERSIST without a time changes nothing: 'Sibling persistCommand: counted only if a time was removed.'
 *   an absolute time that has passed deletes the key: 'commands/getex; checkAlreadyExpired; sibling expireGenericCommand.'
 *   the value is replied all the same: 'Comment: "Command would either return the bulk string".'
 *   a deletion propagates as DEL or as UNLINK: 'redis.conf: lazyfree-lazy-expire; sibling expireGenericCommand.'
 *   a deletion is counted, announced as del and touches watched keys: 'Sibling expireGenericCommand.'
 *   a replica and a loading server keep the key: 'checkAlreadyExpired; db.c, expireIfNeeded: "controlled by the master".'
 *   a writable replica remembers the key: 'db.c, setExpire: the client that sets it.'
 *   a time of 0 or less is an error: 'getExpireMillisecondsOrReply: "an error reply has been added"; tests/unit/expire.tcl.'
 *   a time that is no integer or too large is an error: 'getExpireMillisecondsOrReply.'
 *   bad options are a syntax error: 'parseExtendedStringArgumentsOrReply: "If there are any syntax violations C_ERR is returned"; Comment: "Only one of the below options".'
 *   an error changes nothing and is the only reply: 'Comment: "either return the bulk string, error or nil".'
 *   nothing is left behind: 'Objects are reference-counted; object.c.'
 ---*/
#include "commandtest.h"

#define NOW 1700000000000LL
#define V "$1\r\nv\r\n"

/* Of a key that has this time before: the reply, and the time after; -2 without the key. */
static int from(long long before, const char *option, const char *value, const char *reply, long long when) {
    put("k","v",before);
    runWords(value ? 4 : option ? 3 : 2,(const char*[]){"getex","k",option,value});
    int same = !strcmp(lastReply,reply) && (when == -2 ? !entryOf("k") : entryOf("k") && expiryOf("k") == when);
    if (!same) printf("# %s %s: %s %lld\n",option,value,lastReply,entryOf("k") ? expiryOf("k") : -2LL);
    return same;
}

int main(void) {
    startCommands();
    server.cmd_time_snapshot = NOW;
    test_cond("it replies the value", from(-1,NULL,NULL,V,-1));
    robj *k = createStringObject("b",1), *v = createStringObject("x\0\r\ny",5);
    setKey(NULL,c->db,k,v,0);
    setArguments(c,2,(const char*[]){"getex","b"});
    getexCommand(c);
    sds s = replyOf(c);
    int bytes = sdslen(s) == 11 && !memcmp(s,"$5\r\nx\0\r\ny\r\n",11);
    run("set","n","12345");
    test_cond("a value of any bytes and a number are replied", bytes && gives("$5\r\n12345\r\n","getex","n","ex","5"));
    int nil = gives("$-1\r\n","getex","none") && untouched(2) && gives("$-1\r\n","getex","none","ex","10") &&
              untouched(4) && gives("$-1\r\n","getex","none","persist") && untouched(3) && !entryOf("none");
    c->resp = 3;
    nil &= gives("_\r\n","getex","none");
    c->resp = 2;
    test_cond("a missing key gives nil", nil);
    test_cond("a key that is past its time gives nil", from(NOW-1,"ex","10","$-1\r\n",-2));
    run("rpush","list","a");
    const char *wrong = "-WRONGTYPE Operation against a key holding the wrong kind of value\r\n";
    int type = gives(wrong,"getex","list") && gives(wrong,"getex","list","ex","10") && untouched(4) &&
               gives(wrong,"getex","list","exat","1") && untouched(4);
    test_cond("another type is an error", type && entryOf("list") && expiryOf("list") == -1);
    int plain = from(-1,NULL,NULL,V,-1) && untouched(2);
    plain &= from(NOW+500,NULL,NULL,V,NOW+500) && untouched(2);
    test_cond("without options nothing is changed or propagated", plain);

    test_cond("EX sets a time in seconds from now", from(-1,"EX","100",V,NOW+100000) && from(-1,"ex","1",V,NOW+1000));
    test_cond("PX sets a time in milliseconds from now", from(-1,"PX","100",V,NOW+100) && from(-1,"px","1",V,NOW+1));
    test_cond("EXAT takes an absolute time in seconds", from(-1,"EXAT","1800000000",V,1800000000000LL));
    test_cond("PXAT takes an absolute time in milliseconds", from(-1,"PXAT","1800000000123",V,1800000000123LL) &&
              from(-1,"pxat","1700000000001",V,NOW+1));
    test_cond("a new time replaces the old one", from(NOW+5,"EX","100",V,NOW+100000) &&
              from(NOW+500000,"PXAT","1700000000001",V,NOW+1));
    int abs = from(-1,"ex","100",V,NOW+100000) && rewritten("pexpireat k 1700000100000");
    abs &= from(-1,"px","7",V,NOW+7) && rewritten("pexpireat k 1700000000007") && c->cmd->proc == pexpireatCommand;
    abs &= from(NOW+9,"exat","1800000000",V,1800000000000LL) && rewritten("pexpireat k 1800000000000");
    abs &= from(-1,"pxat","1800000000123",V,1800000000123LL) && rewritten("pexpireat k 1800000000123");
    test_cond("each propagates as PEXPIREAT with the absolute time", abs);
    selectDb(c,4);
    int told = from(-1,"ex","100",V,NOW+100000) && announced("expire","k") && watched && server.dirty == dirtyBefore+1;
    told &= from(NOW+9,"pxat","1800000000123",V,1800000000123LL) && announced("expire","k") && watched &&
            server.dirty == dirtyBefore+1;
    test_cond("setting is counted, announced as expire and touches watched keys", told);

    test_cond("PERSIST removes the time", from(NOW+9,"PERSIST",NULL,V,-1));
    test_cond("PERSIST propagates as PERSIST", rewritten("persist k"));
    test_cond("PERSIST is counted, announced as persist and touches watched keys", announced("persist","k") && watched &&
              server.dirty == dirtyBefore+1);
    test_cond("PERSIST without a time changes nothing", from(-1,"persist",NULL,V,-1) && untouched(3));

    server.lazyfree_lazy_expire = 0;
    int gone = from(-1,"pxat","1699999999999",V,-2) && rewritten("del k") && announced("del","k") && watched &&
               server.dirty == dirtyBefore+1;
    selectDb(c,0);
    int del = from(NOW+9,"exat","1",V,-2) && rewritten("del k");
    int here = from(-1,"pxat","1700000000000",V,-2) && from(-1,"exat","1700000000",V,-2) && from(-1,"pxat","1",V,-2);
    test_cond("an absolute time that has passed deletes the key", here && from(-1,"exat","1700000001",V,NOW+1000));
    server.lazyfree_lazy_expire = 1;
    del &= from(-1,"pxat","5",V,-2) && rewritten("unlink k");
    gone &= announced("del","k") && server.dirty == dirtyBefore+1;
    server.lazyfree_lazy_expire = 0;
    test_cond("a deletion propagates as DEL or as UNLINK", del);
    test_cond("a deletion is counted, announced as del and touches watched keys", gone);
    put("k","a longer value that isn't embedded into its object, so that its memory is its own",-1);
    run("getex","k","exat","1");
    test_cond("the value is replied all the same", !strcmp(lastReply,
              "$81\r\na longer value that isn't embedded into its object, so that its memory is its own\r\n"));

    server.masterhost = sdsnew("master");
    int kept = from(-1,"pxat","17",V,17) && rewritten("pexpireat k 17") && announced("expire","k");
    server.repl_slave_ro = 0;
    size_t remembered = getSlaveKeyWithExpireCount();
    from(-1,"ex","100",V,NOW+100000);
    test_cond("a writable replica remembers the key", remembered == 0 && getSlaveKeyWithExpireCount() == 1);
    server.repl_slave_ro = 1;
    server.masterhost = NULL;
    server.loading = 1;
    kept &= from(-1,"exat","17",V,17000) && rewritten("pexpireat k 17000");
    server.loading = 0;
    test_cond("a replica and a loading server keep the key", kept);

    const char *invalid = "-ERR invalid expire time in 'getex' command\r\n";
    int zero = from(NOW+9,"ex","0",invalid,NOW+9) && untouched(4);
    zero &= from(-1,"px","-1",invalid,-1) && untouched(4);
    zero &= from(NOW+9,"exat","0",invalid,NOW+9) && untouched(4);
    zero &= from(NOW+9,"pxat","-1700000000000",invalid,NOW+9) && untouched(4);
    test_cond("a time of 0 or less is an error", zero);
    const char *noint = "-ERR value is not an integer or out of range\r\n";
    int bad = from(NOW+9,"ex","1.5",noint,NOW+9) && untouched(4) && from(-1,"pxat","soon",noint,-1) && untouched(4);
    bad &= from(NOW+9,"ex","9223372036854776",invalid,NOW+9) && untouched(4);
    bad &= from(NOW+9,"px","9223372036854775807",invalid,NOW+9) && untouched(4);
    test_cond("a time that is no integer or too large is an error", bad);
    const char *syntax = "-ERR syntax error\r\n";
    int words = from(NOW+9,"nosuch",NULL,syntax,NOW+9) && untouched(3) && from(NOW+9,"ex",NULL,syntax,NOW+9) &&
                from(NOW+9,"xx",NULL,syntax,NOW+9) && from(NOW+9,"keepttl",NULL,syntax,NOW+9) && untouched(3);
    words &= gives(syntax,"getex","k","persist","ex","5") && gives(syntax,"getex","k","ex","5","px","5") && untouched(6);
    test_cond("bad options are a syntax error", words && expiryOf("k") == NOW+9);
    test_cond("an error changes nothing and is the only reply", zero && bad && words && type);

    size_t before = 0;
    for (int j = 0; j < 60; j++) {
        if (j == 10) before = zmalloc_used_memory();
        from(-1,"ex","100",V,NOW+100000);
        from(NOW+9,"persist",NULL,V,-1);
        from(NOW+9,"pxat","0",invalid,NOW+9);
        from(NOW+9,"nosuch",NULL,syntax,NOW+9);
        from(NOW+9,"pxat","5",V,-2);
    }
    test_cond("nothing is left behind", zmalloc_used_memory() == before);
    test_report();
    return 0;
}
