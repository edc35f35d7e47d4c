/*---
 * tasks: [lazyfreeGetFreeEffort-1aee2c.8]
 * tests:
 *   a union has the members of all sets: 'commands/sunion: "the members of the set resulting from the union of all the given sets".'
 *   a member of several sets is there once: 'commands/sunion: a set.'
 *   a difference has what is in the first set alone: 'commands/sdiff: "the difference between the first set and all the successive sets".'
 *   keys that do not exist are empty sets: 'commands/sunion, sdiff: "Keys that do not exist are considered to be empty sets".'
 *   a first key that does not exist gives an empty difference: 'commands/sdiff.'
 *   a set less itself is empty: 'commands/sdiff; the body: sameset.'
 *   one key alone gives its members: 'commands/sunion, sdiff: key [key ...]; SMEMBERS.'
 *   few members less many are right: 'The body: DIFF Algorithm 1.'
 *   many members less few are right: 'The body: DIFF Algorithm 2.'
 *   a difference that becomes empty early is empty: 'The body: "Exit if result set is empty".'
 *   sets of all encodings are combined: 'setTypeNext and setTypeAddAux hide the encoding.'
 *   members of any bytes are kept: 'commands/sadd: members are Redis strings.'
 *   in RESP3 the reply is a set: 'commands/sunion: Set reply.'
 *   an empty result is an empty set: 'commands/sunion, sdiff: Array reply.'
 *   a key of another type is an error: 'shared.wrongtypeerr; checkType.'
 *   it is one behind a key that does not exist too: 'checkType of each key.'
 *   after the error nothing is stored: 'commands/sunionstore.'
 *   the result is stored: 'commands/sunionstore, sdiffstore: "is stored in destination".'
 *   the number of members is the reply: 'commands/sunionstore: Integer reply, "the number of elements in the resulting set".'
 *   storing overwrites a key of any type: 'commands/sunionstore: "If destination already exists, it is overwritten".'
 *   storing makes the key persistent: 'setKey: "the key is made persistent".'
 *   storing counts as one change: 'server.dirty, for the AOF and RDB.'
 *   storing tells clients that watch: 'setKey: "clients WATCHing for the destination key notified".'
 *   storing is announced by its name: 'Upstream''s manual of notifications: sunionstore, sdiffstore events.'
 *   an empty result deletes the destination: 'Upstream''s manual of notifications: "del event" when the resulting set is empty.'
 *   an empty result over nothing changes nothing: 'dbDelete: 0 if there was no key.'
 *   reading changes nothing: 'commands/sunion is a read command.'
 *   the destination may be among the sources: 'commands/sunionstore.'
 *   the stored set belongs to the database alone: 'setKey increments the count; the body gives up its own.'
 *   the sources stay as they were: 'commands/sunion.'
 *   nothing is left behind: 'The temporary set is freed.'
 ---*/
#include "start.h"
#include "../testhelp.h"
#include <stdarg.h>

void sunionDiffGenericCommand(client *c, robj **setkeys, int setnum, robj *dstkey, int op);

static client *c, *listener;

static robj *str(const char *s) {
    return createStringObject(s,strlen(s));
}

static void put(const char *name, robj *val) {
    robj *key = str(name);
    dbDelete(c->db,key);
    dbAdd(c->db,key,val);
    decrRefCount(key);
}

/* A set of the numbers or words with that prefix, from a to b-1. */
static robj *set(robj *o, const char *prefix, int a, int b) {
    for (int j = a; j < b; j++) {
        sds e = sdscatprintf(sdsempty(),"%s%d",prefix,j);
        setTypeAdd(o,e);
        sdsfree(e);
    }
    return o;
}

static void op(int which, const char *dst, int n, ...) {
    robj *keys[10], *d = dst ? str(dst) : NULL;
    va_list ap;
    va_start(ap,n);
    for (int j = 0; j < n; j++) keys[j] = str(va_arg(ap,const char*));
    va_end(ap);
    sunionDiffGenericCommand(c,keys,n,d,which);
    for (int j = 0; j < n; j++) decrRefCount(keys[j]);
    if (d) decrRefCount(d);
}

static int compare(const void *a, const void *b) {
    return strcmp(*(char**)a,*(char**)b);
}

/* The members that were replied, sorted and joined; ? where the reply is none. */
static const char *members(void) {
    static char out[60000];
    sds s = replyOf(c);
    char *p = s, *e, *m[2000];
    int n = *p == '*' || *p == '~' ? atoi(p+1) : -1;
    strcpy(out,"?");
    if (n < 0 || n > 2000 || !(p = strstr(p,"\r\n"))) return out;
    p += 2;
    for (int j = 0; j < n; j++) {
        if (*p != '$') return out;
        int len = strtol(p+1,&e,10);
        m[j] = e+2;
        p = e+2+len+2;
        e[2+len] = '\0';
    }
    if (p != s+sdslen(s)) return out;
    qsort(m,n,sizeof(*m),compare);
    out[0] = '\0';
    char *at = out;
    for (int j = 0; j < n; j++) at += sprintf(at,"%s%s",j ? "," : "",m[j]);
    sdsfree(s);
    return out;
}

static int are(const char *want) {
    return !strcmp(members(),want);
}

static robj *value(const char *name) {
    robj *key = str(name);
    dictEntry *de = dbFind(c->db,key->ptr);
    decrRefCount(key);
    return de ? dictGetVal(de) : NULL;
}

static int has(robj *o, const char *m) {
    sds s = sdsnew(m);
    int yes = setTypeIsMember(o,s);
    sdsfree(s);
    return yes;
}

static client *watcher(const char *key) {
    client *w = fakeClient();
    const char *words[] = {"watch",key};
    setArguments(w,2,words);
    w->cmd->proc(w);
    return w;
}

int main(void) {
    startRedis();
    c = fakeClient();
    listener = subscriberClient();
    const char *words[] = {"psubscribe","__keyevent@*"};
    setArguments(listener,2,words);
    psubscribeCommand(listener);
    sdsfree(replyOf(listener));
    put("a",set(createIntsetObject(),"",1,4));
    put("b",set(createIntsetObject(),"",3,6));
    put("l",set(createSetListpackObject(),"x",0,3));
    put("h",set(createSetObject(),"x",2,5));
    put("string",str("v"));
    long long dirty = server.dirty;

    op(SET_OP_UNION,NULL,2,"a","b");
    int once = are("1,2,3,4,5");
    op(SET_OP_UNION,NULL,3,"a","l","h");
    test_cond("a union has the members of all sets", are("1,2,3,x0,x1,x2,x3,x4"));
    op(SET_OP_UNION,NULL,3,"a","a","a");
    test_cond("a member of several sets is there once", once && are("1,2,3"));
    op(SET_OP_DIFF,NULL,2,"a","b");
    int diff = are("1,2");
    op(SET_OP_DIFF,NULL,3,"l","h","a");
    test_cond("a difference has what is in the first set alone", diff && are("x0,x1"));
    op(SET_OP_UNION,NULL,3,"none","a","no");
    int absent = are("1,2,3");
    op(SET_OP_DIFF,NULL,4,"a","none","b","no");
    test_cond("keys that do not exist are empty sets", absent && are("1,2"));
    op(SET_OP_DIFF,NULL,2,"none","a");
    test_cond("a first key that does not exist gives an empty difference", are(""));
    op(SET_OP_DIFF,NULL,3,"a","b","a");
    test_cond("a set less itself is empty", are(""));
    op(SET_OP_UNION,NULL,1,"l");
    int alone = are("x0,x1,x2");
    op(SET_OP_DIFF,NULL,1,"l");
    test_cond("one key alone gives its members", alone && are("x0,x1,x2"));
    put("few",set(createSetObject(),"m",95,103));
    put("many",set(createSetObject(),"m",0,100));
    put("more",set(createSetObject(),"m",101,400));
    op(SET_OP_DIFF,NULL,4,"few","many","none","more");
    test_cond("few members less many are right", are("m100"));
    put("big",set(createSetObject(),"m",0,500));
    put("p",set(createSetObject(),"m",3,250));
    put("q",set(createSetListpackObject(),"m",240,260));
    put("r",set(createSetObject(),"m",255,499));
    put("s",createIntsetObject());
    op(SET_OP_DIFF,NULL,6,"big","p","none","q","r","q");
    int two = are("m0,m1,m2,m499");
    op(SET_OP_DIFF,NULL,3,"p","q","big");
    test_cond("many members less few are right", two && are(""));
    put("copy",set(createSetObject(),"m",0,500));
    op(SET_OP_DIFF,NULL,6,"big","copy","q","one","one","a");
    int early = are("");
    put("one",set(createIntsetObject(),"",7,8));
    op(SET_OP_DIFF,NULL,6,"big","copy","q","one","one","a");
    early = early && are("");
    op(SET_OP_DIFF,"early",6,"big","copy","q","one","one","a");
    test_cond("a difference that becomes empty early is empty", early && replied(c,":0\r\n"));
    put("ints",set(createSetObject(),"",1,3));
    op(SET_OP_DIFF,NULL,3,"a","ints","l");
    int mixed = are("3");
    op(SET_OP_UNION,NULL,4,"ints","b","l","h");
    test_cond("sets of all encodings are combined", mixed && are("1,2,3,4,5,x0,x1,x2,x3,x4"));
    robj *bin = createSetObject();
    sds e = sdsnewlen("a\0\r\n",4);
    setTypeAdd(bin,e);
    put("bin",bin);
    op(SET_OP_UNION,NULL,1,"bin");
    sds reply = replyOf(c);
    int whole = sdslen(reply) == 14 && !memcmp(reply,"*1\r\n$4\r\na\0\r\n\r\n",14);
    sds empty = sdsempty();
    setTypeAdd(bin,empty);
    op(SET_OP_DIFF,NULL,2,"bin","a");
    reply = replyOf(c);
    test_cond("members of any bytes are kept", whole && sdslen(reply) == 20 && !memcmp(reply,"*2\r\n",4));
    c->resp = 3;
    op(SET_OP_UNION,NULL,1,"bin2");
    int set0 = replied(c,"~0\r\n");
    put("one",set(createIntsetObject(),"",7,8));
    op(SET_OP_DIFF,NULL,1,"one");
    test_cond("in RESP3 the reply is a set", set0 && replied(c,"~1\r\n$1\r\n7\r\n"));
    c->resp = 2;
    op(SET_OP_UNION,NULL,2,"none","no");
    test_cond("an empty result is an empty set", replied(c,"*0\r\n"));
    op(SET_OP_UNION,NULL,3,"a","string","b");
    int error = replied(c,"-WRONGTYPE Operation against a key holding the wrong kind of value\r\n");
    op(SET_OP_DIFF,NULL,2,"string","a");
    test_cond("a key of another type is an error", error &&
              replied(c,"-WRONGTYPE Operation against a key holding the wrong kind of value\r\n"));
    op(SET_OP_DIFF,NULL,2,"none","string");
    test_cond("it is one behind a key that does not exist too",
              replied(c,"-WRONGTYPE Operation against a key holding the wrong kind of value\r\n"));
    put("dst",str("before"));
    server.notify_keyspace_events = NOTIFY_KEYEVENT|NOTIFY_SET|NOTIFY_GENERIC|NOTIFY_STRING;
    op(SET_OP_UNION,"dst",2,"a","string");
    sdsfree(replyOf(c));
    test_cond("after the error nothing is stored", !strcmp(value("dst")->ptr,"before") && server.dirty == dirty &&
              replied(listener,""));
    test_cond("reading changes nothing", server.dirty == dirty && value("a") && setTypeSize(value("a")) == 3);

    robj *key = str("dst");
    setExpire(NULL,c->db,key,4000000000000);
    client *w = watcher("dst");
    op(SET_OP_UNION,"dst",2,"a","b");
    int five = replied(c,":5\r\n");
    robj *dst = value("dst");
    test_cond("storing overwrites a key of any type", dst->type == OBJ_SET);
    test_cond("storing makes the key persistent", getExpire(c->db,key) == -1);
    test_cond("storing counts as one change", server.dirty == dirty+1);
    test_cond("storing tells clients that watch", w->flags & CLIENT_DIRTY_CAS);
    sdsfree(replyOf(listener));
    test_cond("the stored set belongs to the database alone", dst->refcount == 1);
    int stored = dst->type == OBJ_SET && setTypeSize(dst) == 5 && has(dst,"1") && has(dst,"5");
    op(SET_OP_DIFF,"dst",2,"l","h");
    sds event = replyOf(listener);
    dst = value("dst");
    test_cond("the result is stored", stored && setTypeSize(dst) == 2 && has(dst,"x0") && has(dst,"x1") && !has(dst,"x2"));
    test_cond("the number of members is the reply", five && replied(c,":2\r\n"));
    int sdiff = strstr(event,"__keyevent@0__:sdiffstore\r\n$3\r\ndst\r\n") != NULL && !strstr(event,"sunionstore");
    op(SET_OP_UNION,"other",1,"l");
    event = replyOf(listener);
    sdsfree(replyOf(c));
    test_cond("storing is announced by its name", sdiff &&
              strstr(event,"__keyevent@0__:sunionstore\r\n$5\r\nother\r\n") && !strstr(event,"sdiffstore"));
    w = watcher("dst");
    dirty = server.dirty;
    op(SET_OP_DIFF,"dst",2,"a","a");
    event = replyOf(listener);
    test_cond("an empty result deletes the destination", replied(c,":0\r\n") && !value("dst") && server.dirty == dirty+1 &&
              (w->flags & CLIENT_DIRTY_CAS) && strstr(event,"__keyevent@0__:del\r\n$3\r\ndst\r\n") && !strstr(event,"store"));
    w = watcher("dst");
    op(SET_OP_UNION,"dst",1,"none");
    test_cond("an empty result over nothing changes nothing", replied(c,":0\r\n") && server.dirty == dirty+1 &&
              replied(listener,"") && !(w->flags & CLIENT_DIRTY_CAS));
    put("self",set(createIntsetObject(),"",1,4));
    op(SET_OP_UNION,"self",2,"self","b");
    int self = replied(c,":5\r\n") && setTypeSize(value("self")) == 5;
    op(SET_OP_DIFF,"self",2,"self","b");
    test_cond("the destination may be among the sources", self && replied(c,":2\r\n") && setTypeSize(value("self")) == 2 &&
              has(value("self"),"1"));
    test_cond("the sources stay as they were", setTypeSize(value("a")) == 3 && setTypeSize(value("big")) == 500 &&
              setTypeSize(value("h")) == 3 && value("h")->encoding == OBJ_ENCODING_HT && value("h")->refcount == 1);
    server.notify_keyspace_events = 0;
    size_t before = 0;
    for (int j = 0; j < 30; j++) {
        op(SET_OP_UNION,NULL,3,"a","l","h");
        op(SET_OP_DIFF,NULL,3,"big","q","r");
        op(SET_OP_DIFF,NULL,2,"few","many");
        op(SET_OP_UNION,NULL,2,"a","string");
        op(SET_OP_DIFF,"self",2,"a","b");
        op(SET_OP_DIFF,"gone",2,"a","a");
        sdsfree(replyOf(c));
        if (j == 5) before = zmalloc_used_memory();
    }
    test_cond("nothing is left behind", zmalloc_used_memory() == before);
    test_report();
    return 0;
}
