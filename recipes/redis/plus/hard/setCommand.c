/*---
 * tasks: [expireGenericCommand-82c832.8, expireGenericCommand-82c832.16]
 * instead: [src/t_string.o]
 * tests:
 *   the key gets the value: 'Comment: "SET key value".'
 *   a value of any bytes is set: 'commands/set: strings are binary-safe.'
 *   a value that is a number is encoded as one: 'object.c, tryObjectEncoding; upstream''s OBJECT ENCODING: int; siblings setnxCommand, setexCommand.'
 *   a short value is embedded and a long one is not: 'OBJECT ENCODING: embstr, raw.'
 *   NX and XX are taken: 'Comment: [NX] [XX].'
 *   KEEPTTL is taken: 'Comment: [KEEPTTL].'
 *   GET is taken: 'Comment: [GET].'
 *   EX and PX count from now: 'Comment: [EX <seconds>] [PX <milliseconds>].'
 *   EXAT and PXAT are absolute: 'Comment: [EXAT <seconds-timestamp>][PXAT <milliseconds-timestamp>].'
 *   options may stand together in any order: 'commands/set.'
 *   without a time the reply is OK and nil on an abort: 'setGenericCommand: ok_reply, abort_reply.'
 *   a syntax error sets nothing: 'parseExtendedStringArgumentsOrReply: "C_ERR is returned"; string.tcl: "Extended SET can detect syntax errors".'
 *   a bad time sets nothing: 'setGenericCommand; getExpireMillisecondsOrReply.'
 *   options of GETEX are a syntax error: 'parseExtendedStringArgumentsOrReply: "Get specific commands - PERSIST".'
 *   each call begins without options: 'SET after SET NX.'
 *   it is counted, announced and propagated: 'setGenericCommand.'
 *   the value propagates as it was sent: 'aof.c: numbers are written as strings.'
 *   nothing is left behind: 'tryObjectEncoding gives back an object in the place of the old one.'
 ---*/
#include "../t_string.c"
#include "commandtest.h"

#define NOW 1700000000000LL
#define OK "+OK\r\n"
#define NIL "$-1\r\n"

static robj *valueOf(const char *key) {
    dictEntry *de = entryOf(key);
    return de ? dictGetVal(de) : NULL;
}

static int value(const char *key, const char *want) {
    robj *o = valueOf(key);
    if (!o || !want) return !o && !want;
    o = getDecodedObject(o);
    int same = o->type == OBJ_STRING && !strcmp(o->ptr,want);
    decrRefCount(o);
    return same;
}

int main(void) {
    startCommands();
    server.cmd_time_snapshot = NOW;
    test_cond("the key gets the value", gives(OK,"set","k","v") && value("k","v") && gives(OK,"set","k","w") &&
              value("k","w"));
    setArguments(c,3,(const char*[]){"set","b","x"});
    decrRefCount(c->argv[2]);
    c->argv[2] = createStringObject("x\0\r\n\xff",5);
    setCommand(c);
    robj *o = valueOf("b");
    test_cond("a value of any bytes is set", replied(c,OK) && o && sdslen(o->ptr) == 5 && !memcmp(o->ptr,"x\0\r\n\xff",5));
    int number = gives(OK,"set","n","123456") && valueOf("n")->encoding == OBJ_ENCODING_INT &&
                 (long)valueOf("n")->ptr == 123456;
    number &= gives(OK,"set","n","-7","xx","get") == 0 && valueOf("n")->encoding == OBJ_ENCODING_INT;
    test_cond("a value that is a number is encoded as one", number && gives(OK,"set","n","007") &&
              valueOf("n")->encoding == OBJ_ENCODING_EMBSTR);
    char longer[101];
    memset(longer,'y',100);
    longer[100] = '\0';
    int encoding = gives(OK,"set","s",longer) && valueOf("s")->encoding == OBJ_ENCODING_RAW && value("s",longer);
    setArguments(c,3,(const char*[]){"set","s","x"});
    decrRefCount(c->argv[2]);
    c->argv[2] = createRawStringObject("short",5);
    setCommand(c);
    test_cond("a short value is embedded and a long one is not", encoding && replied(c,OK) &&
              valueOf("s")->encoding == OBJ_ENCODING_EMBSTR && value("s","short"));
    put("k","old",-1);
    int nx = gives(NIL,"set","k","v","NX") && value("k","old") && untouched(4);
    nx &= gives(OK,"set","n1","v","nx") && value("n1","v");
    nx &= gives(NIL,"set","none","v","XX") && value("none",NULL) && untouched(4);
    test_cond("NX and XX are taken", nx && gives(OK,"set","k","v","xx") && value("k","v"));
    put("k","old",NOW+5000);
    int keep = gives(OK,"set","k","v","KEEPTTL") && expiryOf("k") == NOW+5000;
    test_cond("KEEPTTL is taken", keep && gives(OK,"set","k","v") && expiryOf("k") == -1);
    put("k","old",-1);
    test_cond("GET is taken", gives("$3\r\nold\r\n","set","k","77","GET") && value("k","77") &&
              gives("$2\r\n77\r\n","set","k","v","get") && gives(NIL,"set","g1","v","get") && value("g1","v"));
    test_cond("EX and PX count from now", gives(OK,"set","k","v","EX","100") && expiryOf("k") == NOW+100000 &&
              gives(OK,"set","k","v","px","100") && expiryOf("k") == NOW+100);
    test_cond("EXAT and PXAT are absolute", gives(OK,"set","k","v","EXAT","1800000000") &&
              expiryOf("k") == 1800000000000LL && gives(OK,"set","k","v","pxat","1800000000123") &&
              expiryOf("k") == 1800000000123LL);
    put("k","old",-1);
    test_cond("options may stand together in any order", gives("$3\r\nold\r\n","set","k","v","XX","EX","10","GET") &&
              expiryOf("k") == NOW+10000 && gives("$1\r\nv\r\n","set","k","w","GET","PX","10","XX") &&
              expiryOf("k") == NOW+10 && gives(OK,"set","n2","w","PX","10","NX") && expiryOf("n2") == NOW+10);
    test_cond("without a time the reply is OK and nil on an abort", gives(OK,"set","k","v") && gives(NIL,"set","k","v","nx"));
    const char *syntax = "-ERR syntax error\r\n";
    put("k","old",NOW+5000);
    int bad = gives(syntax,"set","k","123","nx","xx") && untouched(5);
    bad &= gives(syntax,"set","k","123","nosuch") && untouched(4);
    bad &= gives(syntax,"set","k","123","ex") && untouched(4);
    bad &= gives(syntax,"set","none","123","ex","5","px","5") && untouched(7);
    test_cond("a syntax error sets nothing", bad && value("k","old") && expiryOf("k") == NOW+5000 && value("none",NULL));
    bad = gives("-ERR invalid expire time in 'set' command\r\n","set","k","123","ex","0") && untouched(5);
    bad &= gives("-ERR value is not an integer or out of range\r\n","set","k","123","px","x") && untouched(5);
    test_cond("a bad time sets nothing", bad && value("k","old") && expiryOf("k") == NOW+5000);
    test_cond("options of GETEX are a syntax error", gives(syntax,"set","k","v","persist") && value("k","old"));
    run("set","k","v","nx");
    test_cond("each call begins without options", gives(OK,"set","k","v") && expiryOf("k") == -1);
    selectDb(c,3);
    int told = gives(OK,"set","k","v") && announced("set","k") && watched && server.dirty == dirtyBefore+1 &&
               rewritten("set k v");
    selectDb(c,0);
    test_cond("it is counted, announced and propagated", told && gives(OK,"set","k","v","ex","10") &&
              rewritten("set k v PXAT 1700000010000") && server.dirty == dirtyBefore+1);
    test_cond("the value propagates as it was sent", gives(OK,"set","k","123456") && rewritten("set k 123456") &&
              gives(OK,"set","k","-1","px","9") && rewritten("set k -1 PXAT 1700000000009"));
    size_t before = 0;
    for (int j = 0; j < 60; j++) {
        run("set","k","v");
        if (j == 10) before = zmalloc_used_memory();
        if (j == 59) break;
        run("set","k","123456");
        run("set","k",longer,"nx");
        run("set","k","123456","nosuch");
        run("set","k",longer,"ex","10");
        run("set","k","123456","ex","0");
        run("set","k","-5","get");
    }
    test_cond("nothing is left behind", zmalloc_used_memory() == before);
    test_report();
    return 0;
}
