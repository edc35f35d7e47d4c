/*---
 * tasks: [expireGenericCommand-82c832.8, expireGenericCommand-82c832.16]
 * instead: [src/t_string.o]
 * tests:
 *   the key gets the value: 'Comment: "implements the SET operation".'
 *   the value before is replaced whatever its type: 'commands/set: "overwritten, regardless of its type".'
 *   without a reply given it is OK: 'Comment: "If ok_reply is NULL +OK is used".'
 *   the reply given is used: 'Comment: "''ok_reply'' ... is what the function will reply".'
 *   NX does not set a key that exists: 'Comment: NX; OBJ_SET_NX, "Set if key not exists".'
 *   XX does not set a key that is missing: 'OBJ_SET_XX, "Set if key exists".'
 *   without a reply given an abort is nil: 'Comment: "If abort_reply is NULL, $-1 is used"; in RESP3 a null.'
 *   the abort reply given is used: 'Comment: "''abort_reply'' ... when it is not because of NX or XX flags".'
 *   an abort changes nothing: 'commands/set: "not performed".'
 *   a key that is past its time is missing: 'db.c, lookupKeyWrite; string.tcl: "SETNX against expired volatile key".'
 *   GET replies the value before: 'OBJ_SET_GET, "Set if want to get key before set"; string.tcl: "Extended SET GET option".'
 *   GET replies nil for a missing key and sets it: 'string.tcl: "Extended SET GET option with no previous value".'
 *   GET with NX or XX replies the value alone: 'string.tcl: "Extended SET GET option with NX", "with XX and no previous value".'
 *   GET of another type is an error and sets nothing: 'string.tcl: "Extended SET GET with incorrect type should result in wrong type error".'
 *   a time is set in its unit: 'Comment: "interpreted according to the specified unit".'
 *   without a time that of the key is removed: 'commands/set: "Any previous time to live ... is discarded".'
 *   KEEPTTL keeps the time: 'OBJ_KEEPTTL, "Set and keep the ttl".'
 *   a new time replaces that of the key: 'commands/set: EX.'
 *   a bad time is an error and changes nothing: 'getExpireMillisecondsOrReply: "an error reply has been added".'
 *   a bad time is the only reply with GET: 'One reply for a command.'
 *   the change is counted and watched keys are touched: 'server.h: dirty; setKey: signalModifiedKey.'
 *   "the event is set in the client's database": 'Upstream''s docs, keyspace notifications: "SET and all its variants generate set events".'
 *   a time gives the event expire as well: 'The same: "SETEX will also generate an expire event".'
 *   a time propagates as SET with PXAT: 'tests/unit/expire.tcl: "All TTL in commands are propagated as absolute timestamp in milliseconds in AOF".'
 *   PXAT and what has no time propagate as they are: 'The same.'
 *   GET is not propagated: 'tests/unit/type/string.tcl, expire.tcl; replicas need no reply.'
 *   a key and a value named get are propagated: 'GET is an option, behind the value.'
 *   "the value is shared with the client's argument": 'setKey: "The ref count of the value object is incremented".'
 *   a past absolute time is set: 'expire.tcl: SET with PXAT in the past; it is propagated so.'
 *   a writable replica remembers the key: 'db.c, setExpire: the client that sets it.'
 *   nothing is left behind: 'Objects are reference-counted; object.c.'
 ---*/
#include "../t_string.c"
#include "commandtest.h"

#define NOW 1700000000000LL

static int value(const char *key, const char *want) {
    dictEntry *de = entryOf(key);
    if (!de || !want) return !de && !want;
    robj *o = dictGetVal(de);
    return o->type == OBJ_STRING && !strcmp(o->ptr,want);
}

/* The function itself, with the words as they would be sent: words[1] is the key, words[2] the value. */
static int set(int flags, const char *words, const char *expire, int unit, robj *ok, robj *abort, const char *reply) {
    int n;
    sds *w = sdssplitargs(words,&n);
    const char *argv[12];
    for (int j = 0; j < n; j++) argv[j] = w[j];
    sdsfree(replyOf(c));
    sdsfree(replyOf(listener));
    unwatchAllKeys(watcher);
    watcher->flags &= ~CLIENT_DIRTY_CAS;
    selectDb(watcher,c->db->id);
    setArguments(watcher,2,(const char*[]){"watch",argv[1]});
    watchCommand(watcher);
    sdsfree(replyOf(watcher));
    setArguments(c,n,argv);
    sdsfreesplitres(w,n);
    robj *e = expire ? createStringObject(expire,strlen(expire)) : NULL;
    dirtyBefore = server.dirty;
    robj *key = c->argv[1], *val = c->argv[2];
    incrRefCount(key);
    incrRefCount(val);
    setGenericCommand(c,flags,key,val,e,unit,ok,abort);
    decrRefCount(key);
    decrRefCount(val);
    if (e) decrRefCount(e);
    sds s = replyOf(c);
    snprintf(lastReply,sizeof(lastReply),"%s",s);
    sdsfree(s);
    s = replyOf(listener);
    snprintf(lastEvents,sizeof(lastEvents),"%s",s);
    sdsfree(s);
    watched = (watcher->flags & CLIENT_DIRTY_CAS) != 0;
    int same = !strcmp(lastReply,reply);
    if (!same) printf("# %s: %s\n",words,lastReply);
    return same;
}
#define plain(flags,words,reply) set(flags,words,NULL,0,NULL,NULL,reply)
#define OK "+OK\r\n"
#define NIL "$-1\r\n"

int main(void) {
    startCommands();
    server.cmd_time_snapshot = NOW;
    server.lazyfree_lazy_server_del = 0;
    test_cond("the key gets the value", plain(0,"set k v",OK) && value("k","v") && plain(0,"set k w",OK) && value("k","w"));
    run("rpush","list","a");
    run("hset","hash","a","b");
    test_cond("the value before is replaced whatever its type", plain(0,"set list v",OK) && value("list","v") &&
              plain(OBJ_SET_XX,"set hash v xx",OK) && value("hash","v"));
    test_cond("without a reply given it is OK", plain(0,"set k v",OK) && set(OBJ_EX,"set k v ex 5","5",UNIT_SECONDS,NULL,
              shared.czero,OK));
    test_cond("the reply given is used", set(0,"setnx n1 v",NULL,0,shared.cone,shared.czero,":1\r\n") && value("n1","v"));
    put("k","old",NOW+5000);
    int nx = plain(OBJ_SET_NX,"set k v nx",NIL) && value("k","old") && expiryOf("k") == NOW+5000;
    int still = untouched(4);
    nx &= set(OBJ_SET_NX|OBJ_EX,"set k v nx ex 100","100",UNIT_SECONDS,NULL,NULL,NIL) && expiryOf("k") == NOW+5000;
    still &= untouched(6);
    test_cond("NX does not set a key that exists", nx && plain(OBJ_SET_NX,"set n2 v nx",OK) && value("n2","v"));
    int xx = plain(OBJ_SET_XX,"set none v xx",NIL) && value("none",NULL);
    still &= untouched(4);
    test_cond("XX does not set a key that is missing", xx && plain(OBJ_SET_XX,"set k v xx",OK) && value("k","v"));
    c->resp = 3;
    int null = plain(OBJ_SET_XX,"set none v xx","_\r\n");
    c->resp = 2;
    test_cond("without a reply given an abort is nil", null && plain(OBJ_SET_XX,"set none v xx",NIL));
    test_cond("the abort reply given is used", set(OBJ_SET_NX,"setnx k x",NULL,0,shared.cone,shared.czero,":0\r\n") &&
              set(OBJ_SET_XX,"set none x xx",NULL,0,NULL,shared.emptybulk,"$0\r\n\r\n") && value("k","v"));
    test_cond("an abort changes nothing", still);
    put("past","old",NOW-5);
    put("past2","old",NOW-5);
    put("past3","old",NOW-5);
    test_cond("a key that is past its time is missing", plain(OBJ_SET_NX,"set past v nx",OK) && value("past","v") &&
              expiryOf("past") == -1 && plain(OBJ_SET_XX,"set past2 v xx",NIL) &&
              plain(OBJ_SET_GET,"set past3 v get",NIL) && value("past3","v"));

    put("k","old",-1);
    test_cond("GET replies the value before", plain(OBJ_SET_GET,"set k v get","$3\r\nold\r\n") && value("k","v") &&
              set(OBJ_SET_GET|OBJ_EX,"set k w get ex 10","10",UNIT_SECONDS,NULL,NULL,"$1\r\nv\r\n") && value("k","w"));
    test_cond("GET replies nil for a missing key and sets it", plain(OBJ_SET_GET,"set g1 v get",NIL) && value("g1","v"));
    int get = plain(OBJ_SET_GET|OBJ_SET_NX,"set k x nx get","$1\r\nw\r\n") && value("k","w") && untouched(5);
    get &= plain(OBJ_SET_GET|OBJ_SET_XX,"set none x xx get",NIL) && value("none",NULL) && untouched(5);
    get &= plain(OBJ_SET_GET|OBJ_SET_XX,"set k x xx get","$1\r\nw\r\n") && value("k","x");
    test_cond("GET with NX or XX replies the value alone", get && plain(OBJ_SET_GET|OBJ_SET_NX,"set g2 v nx get",NIL) &&
              value("g2","v"));
    run("rpush","list2","a");
    int wrong = plain(OBJ_SET_GET,"set list2 v get","-WRONGTYPE Operation against a key holding the wrong kind of value\r\n");
    test_cond("GET of another type is an error and sets nothing", wrong && untouched(4) &&
              ((robj*)dictGetVal(entryOf("list2")))->type == OBJ_LIST);

    test_cond("a time is set in its unit", set(OBJ_EX,"set k v ex 100","100",UNIT_SECONDS,NULL,NULL,OK) &&
              expiryOf("k") == NOW+100000 && set(OBJ_PX,"set k v px 100","100",UNIT_MILLISECONDS,NULL,NULL,OK) &&
              expiryOf("k") == NOW+100 && set(OBJ_EXAT,"set k v exat 1800000000","1800000000",UNIT_SECONDS,NULL,NULL,OK) &&
              expiryOf("k") == 1800000000000LL);
    test_cond("without a time that of the key is removed", plain(0,"set k v",OK) && expiryOf("k") == -1);
    put("k","old",NOW+5000);
    int keep = plain(OBJ_KEEPTTL,"set k v keepttl",OK) && value("k","v") && expiryOf("k") == NOW+5000;
    put("k","old",-1);
    test_cond("KEEPTTL keeps the time", keep && plain(OBJ_KEEPTTL,"set k v keepttl",OK) && expiryOf("k") == -1);
    put("k","old",NOW+5000);
    test_cond("a new time replaces that of the key", set(OBJ_PX,"set k v px 9","9",UNIT_MILLISECONDS,NULL,NULL,OK) &&
              expiryOf("k") == NOW+9);
    const char *invalid = "-ERR invalid expire time in 'set' command\r\n";
    put("k","old",NOW+5000);
    int bad = set(OBJ_EX,"set k v ex 0","0",UNIT_SECONDS,NULL,NULL,invalid) && untouched(5);
    bad &= set(OBJ_EX,"set k v ex x","x",UNIT_SECONDS,NULL,NULL,"-ERR value is not an integer or out of range\r\n") &&
           untouched(5) && set(OBJ_EX,"set none v ex -1","-1",UNIT_SECONDS,NULL,NULL,invalid) && untouched(5);
    test_cond("a bad time is an error and changes nothing", bad && value("k","old") && expiryOf("k") == NOW+5000 &&
              value("none",NULL));
    test_cond("a bad time is the only reply with GET", set(OBJ_EX|OBJ_SET_GET,"set k v get ex 0","0",UNIT_SECONDS,NULL,NULL,
              invalid) && untouched(6) && value("k","old"));

    selectDb(c,5);
    plain(0,"set k v",OK);
    int told = watched && server.dirty == dirtyBefore+1, event = announced("set","k"), asis = rewritten("set k v");
    plain(OBJ_SET_GET,"set k v get","$1\r\nv\r\n");
    told &= watched && server.dirty == dirtyBefore+1;
    event &= announced("set","k");
    set(OBJ_EX,"set k v ex 100","100",UNIT_SECONDS,NULL,NULL,OK);
    test_cond("the change is counted and watched keys are touched", told && watched && server.dirty == dirtyBefore+1);
    test_cond("the event is set in the client's database", event);
    test_cond("a time gives the event expire as well", strstr(lastEvents,"__keyevent@5__:set\r\n$1\r\nk\r\n") &&
              strstr(lastEvents,"__keyevent@5__:expire\r\n$1\r\nk\r\n"));
    selectDb(c,0);
    int pxat = set(OBJ_EX,"set k v ex 100","100",UNIT_SECONDS,NULL,NULL,OK) && rewritten("set k v PXAT 1700000100000");
    pxat &= set(OBJ_PX,"psetex k v 7","7",UNIT_MILLISECONDS,NULL,NULL,OK) && rewritten("set k v PXAT 1700000000007") &&
            c->cmd->proc == setCommand;
    pxat &= set(OBJ_EXAT|OBJ_SET_XX,"set k v xx exat 1800000000","1800000000",UNIT_SECONDS,NULL,NULL,OK) &&
            rewritten("set k v PXAT 1800000000000");
    pxat &= set(OBJ_EX|OBJ_SET_GET,"set k w get ex 100","100",UNIT_SECONDS,NULL,NULL,"$1\r\nv\r\n") &&
            rewritten("set k w PXAT 1700000100000");
    test_cond("a time propagates as SET with PXAT", pxat);
    asis &= set(OBJ_PXAT,"set k v pxat 1800000000123","1800000000123",UNIT_MILLISECONDS,NULL,NULL,OK) &&
            rewritten("set k v pxat 1800000000123") && expiryOf("k") == 1800000000123LL;
    asis &= plain(OBJ_SET_XX,"set k v xx",OK) && rewritten("set k v xx");
    asis &= plain(OBJ_KEEPTTL,"set k v keepttl",OK) && rewritten("set k v keepttl");
    test_cond("PXAT and what has no time propagate as they are", asis);
    int noget = plain(OBJ_SET_GET,"set k v GET","$1\r\nv\r\n") && rewritten("set k v");
    noget &= plain(OBJ_SET_GET|OBJ_SET_XX,"set k v get XX gEt","$1\r\nv\r\n") && rewritten("set k v XX");
    noget &= plain(OBJ_SET_GET|OBJ_KEEPTTL,"set k v keepttl GET","$1\r\nv\r\n") && rewritten("set k v keepttl");
    test_cond("GET is not propagated", noget);
    plain(0,"set get v",OK);
    test_cond("a key and a value named get are propagated", plain(OBJ_SET_GET,"set get GET get","$1\r\nv\r\n") &&
              rewritten("set get GET") && value("get","GET"));
    plain(0,"set k shared",OK);
    robj *val = dictGetVal(entryOf("k"));
    test_cond("the value is shared with the client's argument", val == c->argv[2] && val->refcount == 2 &&
              c->argv[1]->refcount == 1);
    test_cond("a past absolute time is set", set(OBJ_PXAT,"set past v pxat 17","17",UNIT_MILLISECONDS,NULL,NULL,OK) &&
              value("past","v") && expiryOf("past") == 17 && rewritten("set past v pxat 17"));
    server.masterhost = sdsnew("master");
    server.repl_slave_ro = 0;
    size_t remembered = getSlaveKeyWithExpireCount();
    set(OBJ_EX,"set k v ex 100","100",UNIT_SECONDS,NULL,NULL,OK);
    test_cond("a writable replica remembers the key", remembered == 0 && getSlaveKeyWithExpireCount() == 1);
    server.repl_slave_ro = 1;
    server.masterhost = NULL;
    size_t before = 0;
    for (int j = 0; j < 60; j++) {
        plain(0,"set k v",OK);
        if (j == 10) before = zmalloc_used_memory();
        if (j == 59) break;
        set(OBJ_EX,"set k v ex 100","100",UNIT_SECONDS,NULL,NULL,OK);
        plain(OBJ_SET_GET,"set k v get get","$1\r\nv\r\n");
        set(OBJ_EX,"set k v ex 0","0",UNIT_SECONDS,NULL,NULL,invalid);
        plain(OBJ_SET_NX,"set k v nx",NIL);
        plain(OBJ_SET_GET,"set k v get","$1\r\nv\r\n");
    }
    test_cond("nothing is left behind", zmalloc_used_memory() == before);
    test_report();
    return 0;
}
