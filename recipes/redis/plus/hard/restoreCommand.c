/*---
 * tasks: [restoreCommand-ab585e, restoreCommand-ab585e.2, restoreCommand-ab585e.4, restoreCommand-ab585e.8, restoreCommand-ab585e.16]
 * tests:
 *   the value of a dump is restored: 'commands/restore: "Creates a key from the serialized representation of a value".'
 *   it is replied with OK: 'commands/restore: "Simple string reply: OK".'
 *   without a ttl the key never expires: 'commands/restore: "If ttl is 0 the key is created without any expire".'
 *   a ttl is counted from now: 'commands/restore: "otherwise the specified expire time (in milliseconds) is set".'
 *   with ABSTTL the ttl is a time: 'commands/restore: "the ttl argument represents an absolute Unix timestamp (in milliseconds)".'
 *   a ttl is propagated as a time: 'Comment in the body: "Propagate TTL as absolute timestamp".'
 *   a ttl of 0 or a time is propagated as it is: 'Comment in the body: "Propagate TTL as absolute timestamp".'
 *   a key that exists is an error: 'commands/restore: "will return a Target key name is busy error"; upstream''s test: BUSYKEY.'
 *   a key that exists is told before a wrong payload: 'Upstream''s test: "RESTORE returns an error of the key already exists".'
 *   a key that has expired does not exist: 'lookupKeyWrite removes it.'
 *   with REPLACE a key that exists is replaced: 'commands/restore: "unless you use the REPLACE modifier".'
 *   the replaced key loses its ttl: 'commands/restore: "If ttl is 0 the key is created without any expire".'
 *   REPLACE needs no key: 'commands/restore: REPLACE.'
 *   a negative ttl is an error: 'Reply: "Invalid TTL value, must be >= 0".'
 *   a ttl that is no integer is an error: 'networking.c: getLongLongFromObjectOrReply.'
 *   a wrong checksum or version is an error: 'commands/restore: "RESTORE checks the RDB version and data checksum. If they don''t match an error is returned".'
 *   data of no type or broken data is an error: 'Reply: "Bad data format".'
 *   after an error the old key stays: 'commands/restore: an error is returned.'
 *   after an error nothing has changed: 'server.dirty counts changes; notifications tell them.'
 *   an unknown option is a syntax error: 'Upstream''s test: "RESTORE can detect a syntax error for unrecognized options".'
 *   IDLETIME sets the time without use: 'Upstream''s test: "RESTORE can set LRU".'
 *   FREQ sets the frequency: 'Upstream''s test: "RESTORE can set LFU".'
 *   IDLETIME and FREQ exclude each other and need a value: 'Syntax error; the conditions of both options.'
 *   wrong values of IDLETIME and FREQ are errors: 'Replies: "Invalid IDLETIME value, must be >= 0", "Invalid FREQ value, must be >= 0 and <= 255".'
 *   options may stand in any order and case: 'commands/restore: options.'
 *   a time in the past makes no key: 'Upstream''s test: "RESTORE should not store key that are already expired".'
 *   a time in the past removes a replaced key: 'Upstream''s test: "RESTORE should not store key that are already expired, with REPLACE will propagate it as DEL or UNLINK".'
 *   such a removal is propagated as DEL or UNLINK: 'Upstream''s test of the same name.'
 *   such a removal is a change: 'server.dirty, notifications and WATCH: the key was deleted.'
 *   on a replica a time in the past makes a key: 'expire.c: checkAlreadyExpired, "we add the already expired key to the database with expire time".'
 *   a restored key is a change: 'server.dirty counts changes.'
 *   the event is told: 'Upstream documentation of keyspace notifications: "RESTORE generates a restore event for the key".'
 *   a transaction that watches the key is aborted: 'commands/watch; signalModifiedKey.'
 *   the key is made in the database of the client alone: 'c->db.'
 *   values of other types are restored: 'commands/restore.'
 *   names and values of any bytes are restored: 'Keys and values are Redis strings.'
 *   nothing is kept: 'Replaced and refused values are freed.'
 ---*/
#include "start.h"
#include "../cluster.h"
#include "../testhelp.h"

static client *c, *listener, *watcher;
static sds v1, v2;
static mstime_t now;

static sds sealed(sds s) {
    unsigned char two[2] = {RDB_VERSION & 0xff, RDB_VERSION >> 8};
    s = sdscatlen(s,two,2);
    uint64_t crc = crc64(0,(unsigned char*)s,sdslen(s));
    memrev64ifbe(&crc);
    return sdscatlen(s,&crc,8);
}

static void drop(const char *name) {
    robj *key = createStringObject(name,strlen(name));
    dbDelete(c->db,key);
    decrRefCount(key);
}

static void run_(int argc, const char *key, const char *ttl, sds payload, const char *a, const char *b, const char *d,
                 const char *e) {
    const char *words[] = {"restore",key,ttl,"",a,b,d,e};
    setArguments(c,argc,words);
    decrRefCount(c->argv[3]);
    c->argv[3] = createStringObject(payload,sdslen(payload));
    restoreCommand(c);
}

static robj *get(int db, const char *name) {
    sds key = sdsnew(name);
    dictEntry *de = dbFind(&server.db[db],key);
    sdsfree(key);
    return de ? dictGetVal(de) : NULL;
}

static int is(const char *name, const char *text) {
    robj *o = get(0,name);
    return o && o->type == OBJ_STRING && sdsEncodedObject(o) && !strcmp(o->ptr,text);
}

static long long expires(const char *name) {
    robj *key = createStringObject(name,strlen(name));
    long long when = getExpire(c->db,key);
    decrRefCount(key);
    return when;
}

static void command(client *who, int argc, const char *a, const char *b, const char *d, const char *e) {
    const char *words[] = {a,b,d,e};
    setArguments(who,argc,words);
    who->cmd->proc(who);
    sdsfree(replyOf(who));
}

static sds events(void) {
    return replyOf(listener);
}

static int word(int j, const char *text) {
    if (j >= c->argc) return 0;
    robj *o = getDecodedObject(c->argv[j]);
    int same = !strcmp(o->ptr,text);
    decrRefCount(o);
    return same;
}

static void watch(const char *key) {
    command(watcher,1,"unwatch",NULL,NULL,NULL);
    watcher->flags &= ~CLIENT_DIRTY_CAS;
    command(watcher,2,"watch",key,NULL,NULL);
}

static int aborted(void) {
    return (watcher->flags & CLIENT_DIRTY_CAS) != 0;
}

static sds dumpOf(robj *o) {
    rio r;
    robj *key = createStringObject("k",1);
    createDumpPayload(&r,o,key,0);
    decrRefCount(key);
    return r.io.buffer.ptr;
}

#define OK "+OK\r\n"
#define SYNTAX "-ERR syntax error\r\n"
#define NOINT "-ERR value is not an integer or out of range\r\n"
#define WRONG "-ERR DUMP payload version or checksum are wrong\r\n"

int main(void) {
    startRedis();
    server.lazyfree_lazy_server_del = 0;
    c = fakeClient(), listener = subscriberClient(), watcher = fakeClient();
    command(listener,2,"psubscribe","__key*__:*",NULL,NULL);
    server.notify_keyspace_events = NOTIFY_GENERIC|NOTIFY_KEYEVENT|NOTIFY_KEYSPACE;
    now = server.cmd_time_snapshot = server.mstime = mstime();
    v1 = sealed(sdsnewlen("\0\3one",5)), v2 = sealed(sdsnewlen("\0\5other",7));

    server.dirty = 0;
    watch("a");
    run_(4,"a","0",v1,NULL,NULL,NULL,NULL);
    int ok = replied(c,OK);
    test_cond("the value of a dump is restored", is("a","one") && get(0,"a")->refcount == 1);
    test_cond("it is replied with OK", ok);
    test_cond("without a ttl the key never expires", expires("a") == -1);
    test_cond("a restored key is a change", server.dirty == 1);
    sds s = events();
    test_cond("the event is told", strstr(s,"__keyevent@0__:restore\r\n$1\r\na\r\n") &&
              strstr(s,"__keyspace@0__:a\r\n$7\r\nrestore\r\n") && !strstr(s,"del"));
    test_cond("a transaction that watches the key is aborted", aborted());
    int plain = c->argc == 4 && word(2,"0");
    run_(4,"b","5000",v1,NULL,NULL,NULL,NULL);
    ok = replied(c,OK) && expires("b") == now+5000;
    char text[32], *past = "1000";
    ll2string(text,sizeof(text),now+5000);
    test_cond("a ttl is propagated as a time", c->argc == 5 && !strcasecmp(c->argv[0]->ptr,"restore") &&
              word(1,"b") && word(2,text) && !strcasecmp(c->argv[4]->ptr,"absttl"));
    run_(4,"b2","2569591501",v1,NULL,NULL,NULL,NULL);
    test_cond("a ttl is counted from now", ok && replied(c,OK) && expires("b2") == now+2569591501LL);
    ll2string(text,sizeof(text),now+7000);
    run_(5,"d",text,v1,"ABSTTL",NULL,NULL,NULL);
    test_cond("with ABSTTL the ttl is a time", replied(c,OK) && expires("d") == now+7000);
    test_cond("a ttl of 0 or a time is propagated as it is", plain && c->argc == 5 && word(2,text) && word(4,"ABSTTL"));
    sdsfree(events());

    server.dirty = 0;
    watch("a");
    sds bad = sdsnew("..."), checksum = sdsdup(v2), newer = sdsnewlen("\0\3one",5);
    checksum[3] ^= 1;
    run_(4,"a","0",v2,NULL,NULL,NULL,NULL);
    ok = replied(c,"-BUSYKEY Target key name already exists.\r\n") && is("a","one");
    test_cond("a key that exists is an error", ok);
    run_(4,"a","0",bad,NULL,NULL,NULL,NULL);
    test_cond("a key that exists is told before a wrong payload", replied(c,"-BUSYKEY Target key name already exists.\r\n"));
    run_(5,"a","-1",v2,"replace",NULL,NULL,NULL);
    test_cond("a negative ttl is an error", replied(c,"-ERR Invalid TTL value, must be >= 0\r\n"));
    run_(5,"a","soon",v2,"replace",NULL,NULL,NULL);
    ok = replied(c,NOINT);
    run_(5,"a","1.5",v2,"replace",NULL,NULL,NULL);
    test_cond("a ttl that is no integer is an error", ok && replied(c,NOINT));
    run_(5,"a","0",bad,"replace",NULL,NULL,NULL);
    ok = replied(c,WRONG);
    run_(5,"a","0",checksum,"replace",NULL,NULL,NULL);
    ok &= replied(c,WRONG);
    newer = sealed(newer);
    newer[sdslen(newer)-10]++;
    uint64_t crc = crc64(0,(unsigned char*)newer,sdslen(newer)-8);
    memrev64ifbe(&crc);
    memcpy(newer+sdslen(newer)-8,&crc,8);
    run_(5,"a","0",newer,"replace",NULL,NULL,NULL);
    test_cond("a wrong checksum or version is an error", ok && replied(c,WRONG));
    sds type = sealed(sdsnewlen("\xfa\3one",5)), cut = sealed(sdsnewlen("\0\x30one",5));
    run_(5,"a","0",type,"replace",NULL,NULL,NULL);
    ok = replied(c,"-ERR Bad data format\r\n");
    run_(5,"a","0",cut,"replace",NULL,NULL,NULL);
    test_cond("data of no type or broken data is an error", ok && replied(c,"-ERR Bad data format\r\n"));
    run_(5,"new","0",v2,"invalid-option",NULL,NULL,NULL);
    ok = replied(c,SYNTAX);
    run_(6,"new","0",v2,"replace","replaced",NULL,NULL);
    test_cond("an unknown option is a syntax error", ok && replied(c,SYNTAX) && !get(0,"new"));
    run_(5,"new","0",v2,"idletime",NULL,NULL,NULL);
    ok = replied(c,SYNTAX);
    run_(5,"new","0",v2,"freq",NULL,NULL,NULL);
    ok &= replied(c,SYNTAX);
    run_(8,"new","0",v2,"freq","1","idletime","1");
    ok &= replied(c,SYNTAX);
    run_(8,"new","0",v2,"idletime","1","freq","1");
    test_cond("IDLETIME and FREQ exclude each other and need a value", ok && replied(c,SYNTAX));
    run_(6,"new","0",v2,"idletime","-1",NULL,NULL);
    ok = replied(c,"-ERR Invalid IDLETIME value, must be >= 0\r\n");
    run_(6,"new","0",v2,"idletime","long",NULL,NULL);
    ok &= replied(c,NOINT);
    run_(6,"new","0",v2,"freq","-1",NULL,NULL);
    ok &= replied(c,"-ERR Invalid FREQ value, must be >= 0 and <= 255\r\n");
    run_(6,"new","0",v2,"freq","256",NULL,NULL);
    ok &= replied(c,"-ERR Invalid FREQ value, must be >= 0 and <= 255\r\n");
    run_(6,"new","0",v2,"freq","often",NULL,NULL);
    test_cond("wrong values of IDLETIME and FREQ are errors", ok && replied(c,NOINT) && !get(0,"new"));
    test_cond("after an error the old key stays", is("a","one"));
    s = events();
    test_cond("after an error nothing has changed", server.dirty == 0 && sdslen(s) == 0 && !aborted());

    run_(5,"d","0",v2,"Replace",NULL,NULL,NULL);
    test_cond("with REPLACE a key that exists is replaced", replied(c,OK) && is("d","other") && server.dirty == 1);
    test_cond("the replaced key loses its ttl", expires("d") == -1);
    run_(5,"e","0",v2,"replace",NULL,NULL,NULL);
    test_cond("REPLACE needs no key", replied(c,OK) && is("e","other"));
    robj *k = createStringObject("old",3);
    dbAdd(c->db,k,createStringObject("x",1));
    setExpire(NULL,c->db,k,now-1000);
    run_(4,"old","0",v2,NULL,NULL,NULL,NULL);
    test_cond("a key that has expired does not exist", replied(c,OK) && is("old","other") && expires("old") == -1);

    server.maxmemory_policy = MAXMEMORY_ALLKEYS_LRU;
    run_(7,"lru","0",v1,"IDLETIME","1000","REPLACE",NULL);
    ok = replied(c,OK) && get(0,"lru") && estimateObjectIdleTime(get(0,"lru"))/1000 == 1000;
    run_(6,"lru0","0",v1,"idletime","0",NULL,NULL);
    test_cond("IDLETIME sets the time without use", ok && replied(c,OK) &&
              estimateObjectIdleTime(get(0,"lru0"))/1000 == 0);
    server.maxmemory_policy = MAXMEMORY_ALLKEYS_LFU;
    run_(6,"lfu","0",v1,"FREQ","100",NULL,NULL);
    ok = replied(c,OK) && LFUDecrAndReturn(get(0,"lfu")) == 100;
    run_(6,"lfu255","0",v1,"freq","255",NULL,NULL);
    ok &= replied(c,OK) && LFUDecrAndReturn(get(0,"lfu255")) == 255;
    run_(6,"lfu0","0",v1,"freq","0",NULL,NULL);
    test_cond("FREQ sets the frequency", ok && replied(c,OK) && LFUDecrAndReturn(get(0,"lfu0")) == 0);
    server.maxmemory_policy = MAXMEMORY_NO_EVICTION;
    ll2string(text,sizeof(text),now+9000);
    run_(8,"lfu",text,v2,"freq","7","absTTL","rePLAce");
    test_cond("options may stand in any order and case", replied(c,OK) && is("lfu","other") && expires("lfu") == now+9000);

    sdsfree(events());
    server.dirty = 0;
    run_(5,"none",past,v1,"absttl",NULL,NULL,NULL);
    s = events();
    test_cond("a time in the past makes no key", replied(c,OK) && !get(0,"none") && server.dirty == 0 && sdslen(s) == 0);
    watch("a");
    run_(6,"a",past,v2,"replace","absttl",NULL,NULL);
    test_cond("a time in the past removes a replaced key", replied(c,OK) && !get(0,"a"));
    int del = c->argc == 2 && !strcasecmp(c->argv[0]->ptr,"del") && word(1,"a");
    s = events();
    test_cond("such a removal is a change", server.dirty == 1 && aborted() &&
              strstr(s,"__keyevent@0__:del\r\n$1\r\na\r\n") && !strstr(s,"restore"));
    server.lazyfree_lazy_server_del = 1;
    ll2string(text,sizeof(text),now);
    run_(6,"b",text,v2,"absttl","replace",NULL,NULL);
    test_cond("such a removal is propagated as DEL or UNLINK", del && replied(c,OK) && !get(0,"b") && c->argc == 2 &&
              !strcasecmp(c->argv[0]->ptr,"unlink") && word(1,"b"));
    server.lazyfree_lazy_server_del = 0;
    server.masterhost = sdsnew("master");
    run_(5,"none",past,v1,"absttl",NULL,NULL,NULL);
    test_cond("on a replica a time in the past makes a key", replied(c,OK) && get(0,"none") && expires("none") == 1000);
    server.masterhost = NULL;

    selectDb(c,5);
    run_(4,"far","100000",v1,NULL,NULL,NULL,NULL);
    ok = replied(c,OK) && get(5,"far") && !get(0,"far") && expires("far") == now+100000;
    run_(4,"d","0",v1,NULL,NULL,NULL,NULL);
    ok &= replied(c,OK);
    run_(5,"d","0",v1,"replace",NULL,NULL,NULL);
    test_cond("the key is made in the database of the client alone", ok && replied(c,OK) && is("d","other") &&
              get(5,"d") && !strcmp(get(5,"d")->ptr,"one"));
    selectDb(c,0);
    robj *list = createListListpackObject(), *hash = createHashObject();
    listTypePush(list,createStringObject("x",1),LIST_TAIL);
    listTypePush(list,createStringObject("y",1),LIST_TAIL);
    hashTypeSet(hash,sdsnew("f"),sdsnew("v"),0);
    run_(4,"list","0",dumpOf(list),NULL,NULL,NULL,NULL);
    ok = replied(c,OK) && get(0,"list")->type == OBJ_LIST && listTypeLength(get(0,"list")) == 2;
    run_(4,"hash","0",dumpOf(hash),NULL,NULL,NULL,NULL);
    test_cond("values of other types are restored", ok && replied(c,OK) && get(0,"hash")->type == OBJ_HASH &&
              hashTypeLength(get(0,"hash")) == 1);
    sds odd = sealed(sdsnewlen("\0\5a\0b\0c",7)), name = sdsnewlen("k\0y",3);
    const char *words[] = {"restore","k","0","p"};
    setArguments(c,4,words);
    c->argv[1] = createStringObject(name,3);
    c->argv[3] = createStringObject(odd,sdslen(odd));
    restoreCommand(c);
    dictEntry *de = dbFind(c->db,name);
    robj *o = de ? dictGetVal(de) : NULL;
    test_cond("names and values of any bytes are restored", replied(c,OK) && !get(0,"k") && o &&
              sdslen(o->ptr) == 5 && !memcmp(o->ptr,"a\0b\0c",5));

    server.notify_keyspace_events = 0;
    size_t before = 0;
    drop("none");
    for (int j = 0; j < 40; j++) {
        if (j == 20) before = zmalloc_used_memory();
        run_(5,"d","0",v2,"replace",NULL,NULL,NULL), replied(c,OK);
        run_(5,"none",past,v2,"absttl",NULL,NULL,NULL), replied(c,OK);
        run_(6,"e",past,v2,"absttl","replace",NULL,NULL), replied(c,OK);
        run_(4,"e","100000",v2,NULL,NULL,NULL,NULL), replied(c,OK);
        run_(5,"d","0",cut,"replace",NULL,NULL,NULL), sdsfree(replyOf(c));
        run_(4,"d","0",v2,NULL,NULL,NULL,NULL), sdsfree(replyOf(c));
        setArguments(c,4,words);
    }
    test_cond("nothing is kept", zmalloc_used_memory() == before);
    test_report();
    return 0;
}
