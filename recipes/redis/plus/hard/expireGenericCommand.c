/*---
 * tasks: [expireGenericCommand-82c832, expireGenericCommand-82c832.2, expireGenericCommand-82c832.4, expireGenericCommand-82c832.8, expireGenericCommand-82c832.16]
 * tests:
 *   a relative time counts from the base time: 'Comment: "basetime" is the current time for relative expires.'
 *   an absolute time counts from nothing: 'Comment: "0 for *AT variants of the command".'
 *   the base time is in milliseconds whatever the unit: 'Comment: "The basetime is always specified in milliseconds".'
 *   a key with a time gets the new one: 'commands/expire: "Refreshing expires".'
 *   it holds for a key of any type: 'commands/expire: "Set a timeout on key".'
 *   without the key it replies 0 and changes nothing: 'Sibling persistCommand; commands/expire: "0 if the timeout was not set; for example, the key doesn''t exist".'
 *   a key that is past its time is none: 'db.c, lookupKeyWrite: it deletes an expired key.'
 *   the change is counted and watched keys are touched: 'db.c: signalModifiedKey; server.h: dirty; sibling persistCommand.'
 *   the event is expire in the client's database: 'Upstream''s docs, keyspace notifications: "EXPIRE and all its variants generate an expire event when called with a positive timeout".'
 *   it propagates as PEXPIREAT with the absolute time: 'aof.c, feedAppendOnlyFile, and tests/unit/expire.tcl: "All TTL in commands are propagated as absolute timestamp in milliseconds in AOF".'
 *   PEXPIREAT propagates as it is: 'Callers: pexpireatCommand; its time is absolute and in milliseconds.'
 *   a time in the past deletes the key: 'commands/expire: "a timestamp in the past will result in the key being deleted rather than expired".'
 *   a time that is just now deletes the key: 'checkAlreadyExpired; commands/expire: EXPIRE with a zero timeout deletes.'
 *   a deletion propagates as DEL or as UNLINK: 'redis.conf: lazyfree-lazy-expire; tests/unit/expire.tcl.'
 *   a deletion is counted, announced as del and touches watched keys: 'commands/expire: "the emitted key event will be del, not expired".'
 *   a replica and a loading server keep the key: 'db.c, expireIfNeeded: "the replica key expiration is controlled by the master"; keyIsExpired: "Don''t expire anything while loading".'
 *   a writable replica remembers the key: 'db.c, setExpire: the client that sets it; expire.c: rememberSlaveKeyWithExpire.'
 *   a time that is no integer is an error: 'commands/expire; getLongLongFromObjectOrReply.'
 *   seconds that do not fit in milliseconds are an error: 'tests/unit/expire.tcl, "EXPIRE with big integer overflows when converted to milliseconds", "PEXPIRE with big integer overflow when basetime is added", "EXPIRE with big negative integer".'
 *   the largest times that fit are taken: 'Signature: long long; what fits is no overflow.'
 *   an error changes nothing: 'commands/expire: a command that fails does nothing.'
 *   NX sets the time only of a key without one: 'parseExtendedExpireArguments: "NX: set expiry only when the key has no expiry".'
 *   XX sets the time only of a key with one: '"XX: set expiry only when the key has an existing expiry".'
 *   GT sets a greater time alone: '"GT: set expiry only when the new expiry is greater than current one".'
 *   LT sets a less time alone: '"LT: set expiry only when the new expiry is less than current one".'
 *   without a time GT never sets and LT always does: 'commands/expire: "A non-volatile key is treated as an infinite TTL for the purpose of GT and LT".'
 *   XX holds together with GT and LT: 'tests/unit/expire.tcl; only NX excludes them.'
 *   LT may delete the key: 'The time is checked first, then it lies in the past.'
 *   a condition that fails changes nothing: 'commands/expire: 0.'
 *   a bad option is an error: 'Comment: parsed via parseExtendedExpireArguments, which has replied.'
 *   nothing is left behind: 'Objects are reference-counted; object.c.'
 ---*/
#include "commandtest.h"

#define NOW 1700000000000LL

static int is(const char *words, const char *reply, long long when) {
    sds *w, line = sdsnew(words);
    int n;
    w = sdssplitargs(words,&n);
    const char *argv[8];
    for (int j = 0; j < n; j++) argv[j] = w[j];
    int same = !strcmp(runWords(n,argv),reply) && (when == -2 ? !entryOf("k") : entryOf("k") && expiryOf("k") == when);
    if (!same) printf("# %s: %s %lld\n",line,lastReply,entryOf("k") ? expiryOf("k") : -2LL);
    sdsfreesplitres(w,n);
    sdsfree(line);
    return same;
}

/* The same, of a key that has this time before. */
static int from(long long before, const char *words, const char *reply, long long when) {
    put("k","v",before);
    return is(words,reply,when);
}

#define OVERFLOW(cmd) "-ERR invalid expire time in '" cmd "' command\r\n"

int main(void) {
    startCommands();
    server.cmd_time_snapshot = NOW;
    test_cond("a relative time counts from the base time", from(-1,"expire k 100",":1\r\n",NOW+100000) &&
              from(-1,"pexpire k 100",":1\r\n",NOW+100));
    test_cond("an absolute time counts from nothing", from(-1,"expireat k 1800000000",":1\r\n",1800000000000LL) &&
              from(-1,"pexpireat k 1800000000123",":1\r\n",1800000000123LL));
    put("k","v",-1);
    setArguments(c,3,(const char*[]){"expire","k","3"});
    expireGenericCommand(c,NOW+7,UNIT_SECONDS);
    int odd = expiryOf("k") == NOW+3007;
    setArguments(c,3,(const char*[]){"pexpire","k","3"});
    expireGenericCommand(c,NOW+7,UNIT_MILLISECONDS);
    test_cond("the base time is in milliseconds whatever the unit", odd && expiryOf("k") == NOW+10);
    test_cond("a key with a time gets the new one", from(NOW+5000,"expire k 100",":1\r\n",NOW+100000) &&
              from(NOW+500000,"expire k 100",":1\r\n",NOW+100000));
    run("rpush","list","a");
    test_cond("it holds for a key of any type", gives(":1\r\n","expire","list","10") && expiryOf("list") == NOW+10000);
    int none = gives(":0\r\n","expire","none","10") && untouched(3) && !entryOf("none");
    test_cond("without the key it replies 0 and changes nothing", none && gives(":0\r\n","expire","none","-1") &&
              untouched(3));
    test_cond("a key that is past its time is none", from(NOW-1,"expire k 10",":0\r\n",-2));

    selectDb(c,3);
    long long hits = server.stat_keyspace_hits;
    from(-1,"expire k 100",":1\r\n",NOW+100000);
    test_cond("the change is counted and watched keys are touched", server.dirty == dirtyBefore+1 && watched);
    test_cond("the event is expire in the client's database", announced("expire","k"));
    selectDb(c,0);
    int propagated = from(-1,"expire k 100",":1\r\n",NOW+100000) && rewritten("pexpireat k 1700000100000") &&
                     c->cmd->proc == pexpireatCommand;
    propagated &= from(-1,"pexpire k 7",":1\r\n",NOW+7) && rewritten("pexpireat k 1700000000007");
    propagated &= from(-1,"expireat k 1800000000",":1\r\n",1800000000000LL) && rewritten("pexpireat k 1800000000000");
    test_cond("it propagates as PEXPIREAT with the absolute time", propagated);
    test_cond("PEXPIREAT propagates as it is", from(-1,"PEXPIREAT k 1800000000123",":1\r\n",1800000000123LL) &&
              rewritten("pexpireat k 1800000000123") && server.dirty == dirtyBefore+1 && announced("expire","k"));

    test_cond("a time in the past deletes the key", from(-1,"expire k -1",":1\r\n",-2) &&
              from(NOW+9,"pexpire k -1",":1\r\n",-2) && from(-1,"expireat k 1",":1\r\n",-2) &&
              from(-1,"pexpireat k 1699999999999",":1\r\n",-2) && from(-1,"expireat k -9223372036854775",":1\r\n",-2));
    test_cond("a time that is just now deletes the key", from(-1,"expire k 0",":1\r\n",-2) &&
              from(-1,"pexpireat k 1700000000000",":1\r\n",-2) && from(-1,"pexpire k 1",":1\r\n",NOW+1));
    server.lazyfree_lazy_expire = 0;
    int del = from(-1,"pexpire k -5",":1\r\n",-2) && rewritten("del k");
    server.lazyfree_lazy_expire = 1;
    del &= from(-1,"pexpireat k 5",":1\r\n",-2) && rewritten("unlink k") && announced("del","k");
    server.lazyfree_lazy_expire = 0;
    test_cond("a deletion propagates as DEL or as UNLINK", del);
    selectDb(c,2);
    del = from(-1,"expire k -5",":1\r\n",-2);
    test_cond("a deletion is counted, announced as del and touches watched keys", del && announced("del","k") && watched &&
              server.dirty == dirtyBefore+1);
    selectDb(c,0);

    server.masterhost = sdsnew("master");
    int kept = from(-1,"expire k -1",":1\r\n",NOW-1000) && rewritten("pexpireat k 1699999999000") && announced("expire","k");
    server.repl_slave_ro = 0;
    size_t remembered = getSlaveKeyWithExpireCount();
    from(-1,"expire k 100",":1\r\n",NOW+100000);
    test_cond("a writable replica remembers the key", remembered == 0 && getSlaveKeyWithExpireCount() == 1);
    server.repl_slave_ro = 1;
    server.masterhost = NULL;
    server.loading = 1;
    kept &= from(-1,"pexpireat k 17",":1\r\n",17) && rewritten("pexpireat k 17");
    server.loading = 0;
    test_cond("a replica and a loading server keep the key", kept);

    const char *noint = "-ERR value is not an integer or out of range\r\n";
    test_cond("a time that is no integer is an error", from(NOW+9,"expire k 1.5",noint,NOW+9) &&
              from(-1,"pexpireat k soon",noint,-1) && from(-1,"pexpire k 9223372036854775808",noint,-1));
    test_cond("seconds that do not fit in milliseconds are an error",
              from(NOW+9,"expire k 9223372036854776",OVERFLOW("expire"),NOW+9) &&
              from(-1,"expireat k 9223372036854776",OVERFLOW("expireat"),-1) &&
              from(-1,"expireat k -9223372036854776",OVERFLOW("expireat"),-1) &&
              from(-1,"expire k 9223372036854775",OVERFLOW("expire"),-1) &&
              from(-1,"pexpire k 9223370336854775808",OVERFLOW("pexpire"),-1));
    test_cond("the largest times that fit are taken",
              from(-1,"expireat k 9223372036854775",":1\r\n",9223372036854775000LL) &&
              from(-1,"pexpire k 9223370336854775807",":1\r\n",LLONG_MAX) &&
              from(-1,"pexpireat k 9223372036854775807",":1\r\n",LLONG_MAX) &&
              from(-1,"pexpireat k -9223372036854775808",":1\r\n",-2));
    int same = (put("k","v",NOW+9), gives(noint,"expire","k","x")) && untouched(3);
    same &= gives(OVERFLOW("expire"),"expire","k","9223372036854776") && untouched(3);
    same &= gives(OVERFLOW("pexpire"),"pexpire","k","9223372036854775807") && untouched(3);
    test_cond("an error changes nothing", same && expiryOf("k") == NOW+9);

    long long T = NOW+50000;
    test_cond("NX sets the time only of a key without one", from(-1,"expire k 100 NX",":1\r\n",NOW+100000) &&
              from(T,"expire k 100 nx",":0\r\n",T) && from(T,"expire k 10 nx",":0\r\n",T));
    test_cond("XX sets the time only of a key with one", from(-1,"expire k 100 XX",":0\r\n",-1) &&
              from(T,"expire k 100 xx",":1\r\n",NOW+100000) && from(T,"expire k 10 xx",":1\r\n",NOW+10000));
    test_cond("GT sets a greater time alone", from(T,"expire k 100 GT",":1\r\n",NOW+100000) &&
              from(T,"expire k 50 gt",":0\r\n",T) && from(T,"expire k 10 gt",":0\r\n",T) &&
              from(T,"pexpire k 50001 gt",":1\r\n",T+1) && from(T,"pexpireat k 1699999999999 gt",":0\r\n",T));
    test_cond("LT sets a less time alone", from(T,"expire k 100 LT",":0\r\n",T) && from(T,"expire k 50 lt",":0\r\n",T) &&
              from(T,"expire k 10 lt",":1\r\n",NOW+10000) && from(T,"pexpire k 49999 lt",":1\r\n",T-1));
    test_cond("without a time GT never sets and LT always does", from(-1,"expire k 100 GT",":0\r\n",-1) &&
              from(-1,"expire k 100 LT",":1\r\n",NOW+100000) && from(-1,"expire k 0 GT",":0\r\n",-1));
    test_cond("XX holds together with GT and LT", from(T,"expire k 100 XX GT",":1\r\n",NOW+100000) &&
              from(T,"expire k 100 LT XX",":0\r\n",T) && from(T,"expire k 10 XX GT",":0\r\n",T) &&
              from(-1,"expire k 10 LT XX",":0\r\n",-1) && from(-1,"expire k 10 XX LT",":0\r\n",-1));
    test_cond("LT may delete the key", from(T,"expire k -1 LT",":1\r\n",-2) && from(-1,"expire k -1 LT",":1\r\n",-2) &&
              from(T,"expire k -1 NX",":0\r\n",T) && from(-1,"expire k -1 XX",":0\r\n",-1));
    int still = from(T,"expire k 10 NX",":0\r\n",T) && untouched(4);
    still &= from(-1,"expire k 10 XX",":0\r\n",-1) && untouched(4);
    still &= from(T,"expire k 10 GT",":0\r\n",T) && untouched(4);
    still &= from(T,"expire k 60 LT",":0\r\n",T) && untouched(4);
    still &= from(T,"expire k -1 GT",":0\r\n",T) && untouched(4);
    test_cond("a condition that fails changes nothing", still);
    int bad = from(T,"expire k 10 AB","-ERR Unsupported option AB\r\n",T) && untouched(4);
    run("expire","k","10","NX","XX");
    bad &= lastReply[0] == '-' && strchr(lastReply,'\n')[1] == '\0' && expiryOf("k") == T && untouched(5);
    run("expire","k","10","GT","LT");
    test_cond("a bad option is an error", bad && expiryOf("k") == T && untouched(5) && lastReply[0] == '-' && strchr(lastReply,'\n')[1] == '\0');

    size_t before = 0;
    for (int j = 0; j < 60; j++) {
        if (j == 10) before = zmalloc_used_memory();
        from(-1,"expire k 100",":1\r\n",NOW+100000);
        is("expire k 200 NX",":0\r\n",NOW+100000);
        is("expire k 9223372036854776",OVERFLOW("expire"),NOW+100000);
        is("expire k -1",":1\r\n",-2);
        is("expire k -1",":0\r\n",-2);
    }
    test_cond("nothing is left behind", zmalloc_used_memory() == before);
    test_report();
    return 0;
}
