/*---
 * tasks: [slowlogCreateEntry-ff2ecf, slowlogCreateEntry-ff2ecf.2, slowlogCreateEntry-ff2ecf.4, slowlogCreateEntry-ff2ecf.8, slowlogCreateEntry-ff2ecf.16]
 * instead: [src/slowlog.o]
 * tests:
 *   the arguments stand in their order: 'Comment: "a new slowlog entry"; SLOWLOG HELP: "arguments array".'
 *   "the given arguments are taken and not the client's": 'Parameters argv, argc; caller slowlogPushEntryIfNeeded.'
 *   arguments of any bytes and numbers are taken: 'addReplyBulk of each; tests/unit/slowlog.tcl.'
 *   32 arguments are all taken: 'slowlog.h: SLOWLOG_ENTRY_MAX_ARGC 32.'
 *   of more arguments 31 and their number are: 'tests/unit/slowlog.tcl: "... (2 more arguments)".'
 *   a string of 128 bytes is taken whole: 'slowlog.h: SLOWLOG_ENTRY_MAX_STRING 128.'
 *   a longer string is trimmed and says by how much: 'tests/unit/slowlog.tcl: "... (1 more bytes)".'
 *   the last of many arguments is not the 32nd: 'slowlog.tcl: the sentence replaces it, whatever its length.'
 *   the entry keeps its arguments when the caller has freed its own: 'Comment: "all the objects retained"; the client''s are freed after the command.'
 *   the references of the arguments are balanced: 'Comment: "Incrementing the ref count of all the objects retained is up to this function"; slowlogFreeEntry drops them.'
 *   a shared object stays shared: 'object.c, makeObjectShared: it isn''t touched by incrRefCount.'
 *   the duration is kept: 'Parameter duration; slowlog.h: "in microseconds".'
 *   the time is the present: 'slowlog.h: "Unix time at which the query was executed".'
 *   each entry has the next id: 'slowlog.h: "Unique entry identifier"; server.h: slowlog_entry_id.'
 *   "the client's address is copied": 'slowlog.h: "Client network address"; getClientPeerId.'
 *   "the client's name is copied": 'slowlog.h: "Client name".'
 *   a client without a name has an empty one: 'slowlogCommand: sdslen(se->cname).'
 *   the entry outlives its client: 'The log is kept after the client has gone.'
 *   all of it is freed by slowlogFreeEntry: 'slowlogFreeEntry: "take care to release all the retained object".'
 *   the log itself is left alone: 'Name; caller slowlogPushEntryIfNeeded adds it.'
 ---*/
#include "start.h"
#include "../slowlog.c"
#include "../testhelp.h"

robj *createStringObjectFromLongLongWithOptions(long long value, int flag);

static client *c;
static robj *argv[100];

static slowlogEntry *entry(int argc) {
    return slowlogCreateEntry(c,argv,argc,5);
}

static int is(slowlogEntry *se, int at, const char *bytes, size_t len) {
    robj *o = getDecodedObject(se->argv[at]);
    int same = o->type == OBJ_STRING && sdslen(o->ptr) == len && !memcmp(o->ptr,bytes,len);
    if (!same) printf("# %d is %s\n",at,(char*)o->ptr);
    decrRefCount(o);
    return same;
}

static void set(int at, const char *bytes, size_t len) {
    if (argv[at]) decrRefCount(argv[at]);
    argv[at] = createStringObject(bytes,len);
}

int main(void) {
    startRedis();
    c = fakeClient();
    setArguments(c,2,(const char*[]){"ping","rewritten"});
    c->peerid = sdsnew("10.1.2.3:4567");
    c->name = createStringObject("worker",6);
    for (int j = 0; j < 100; j++) {
        char word[20];
        set(j,word,sprintf(word,"arg%d",j));
    }
    server.slowlog_entry_id = 41;
    time_t now = time(NULL);
    slowlogEntry *se = slowlogCreateEntry(c,argv,3,123456789012LL);
    test_cond("the arguments stand in their order", se->argc == 3 && is(se,0,"arg0",4) && is(se,1,"arg1",4) &&
              is(se,2,"arg2",4));
    test_cond("the given arguments are taken and not the client's", c->argc == 2 && is(se,1,"arg1",4) &&
              c->argv[1]->refcount == 1);
    test_cond("the duration is kept", se->duration == 123456789012LL);
    test_cond("the time is the present", se->time >= now-60 && se->time <= now+60);
    test_cond("the client's address is copied", !strcmp(se->peerid,"10.1.2.3:4567") && se->peerid != c->peerid &&
              sdslen(se->peerid) == 13);
    test_cond("the client's name is copied", !strcmp(se->cname,"worker") && sdslen(se->cname) == 6 &&
              se->cname != c->name->ptr && c->name->refcount == 1);
    slowlogEntry *second = entry(1), *third = entry(2);
    test_cond("each entry has the next id", se->id == 41 && second->id == 42 && third->id == 43 &&
              server.slowlog_entry_id == 44 && second->argc == 1 && third->argc == 2);
    slowlogFreeEntry(second);
    slowlogFreeEntry(third);
    slowlogEntry *held = entry(100);
    int kept = 1;
    for (int j = 3; j < 100; j++) set(j,"other, and not the one that the entry has",40);
    int still = 1;
    for (int j = 3; j < 31; j++) {
        char word[20];
        still &= is(held,j,word,sprintf(word,"arg%d",j));
    }
    slowlogFreeEntry(held);
    for (int j = 3; j < 100; j++) {
        char word[20];
        kept &= argv[j]->refcount == 1;
        set(j,word,sprintf(word,"arg%d",j));
    }
    robj *o = c->name;
    c->name = NULL;
    slowlogEntry *nameless = entry(1);
    test_cond("a client without a name has an empty one", nameless->cname && sdslen(nameless->cname) == 0);
    slowlogFreeEntry(nameless);
    c->name = o;

    set(0,"a\0b\r\n\xff",6);
    decrRefCount(argv[1]);
    argv[1] = createStringObjectFromLongLongWithOptions(-1234567,1);
    decrRefCount(argv[2]);
    argv[2] = shared.integers[77];
    set(3,"",0);
    slowlogEntry *bytes = entry(4);
    test_cond("arguments of any bytes and numbers are taken", is(bytes,0,"a\0b\r\n\xff",6) && is(bytes,1,"-1234567",8) &&
              is(bytes,2,"77",2) && is(bytes,3,"",0));
    slowlogFreeEntry(bytes);
    kept &= argv[0]->refcount == 1 && argv[1]->refcount == 1 && sdslen(argv[0]->ptr) == 6;
    test_cond("a shared object stays shared", argv[2]->refcount == OBJ_SHARED_REFCOUNT && (long)argv[2]->ptr == 77);
    set(2,"arg2",4);

    slowlogEntry *most = entry(32), *more = entry(33), *all = entry(100);
    test_cond("32 arguments are all taken", most->argc == 32 && is(most,31,"arg31",5) && is(most,4,"arg4",4));
    const char *two = "... (2 more arguments)", *many = "... (69 more arguments)";
    test_cond("of more arguments 31 and their number are", more->argc == 32 && is(more,30,"arg30",5) &&
              is(more,31,two,strlen(two)) && all->argc == 32 && is(all,30,"arg30",5) && is(all,31,many,strlen(many)));
    slowlogFreeEntry(most);
    slowlogFreeEntry(more);
    slowlogFreeEntry(all);

    char as[2000];
    for (int j = 0; j < 2000; j++) as[j] = 'A'+j%26;
    as[5] = '\0';
    set(0,as,128);
    set(1,as,129);
    set(2,as,2000);
    set(3,as,127);
    slowlogEntry *big = entry(4);
    test_cond("a string of 128 bytes is taken whole", is(big,0,as,128) && is(big,3,as,127));
    char want[200];
    memcpy(want,as,128);
    int trimmed = is(big,1,want,128+sprintf(want+128,"... (1 more bytes)"));
    trimmed &= is(big,2,want,128+sprintf(want+128,"... (1872 more bytes)"));
    test_cond("a longer string is trimmed and says by how much", trimmed && sdslen(argv[2]->ptr) == 2000);
    slowlogFreeEntry(big);
    kept &= argv[0]->refcount == 1 && argv[1]->refcount == 1 && argv[2]->refcount == 1;
    set(31,as,500);
    set(32,as,500);
    big = entry(40);
    const char *nine = "... (9 more arguments)";
    test_cond("the last of many arguments is not the 32nd", big->argc == 32 && is(big,31,nine,strlen(nine)));
    slowlogFreeEntry(big);
    kept &= argv[31]->refcount == 1 && sdslen(argv[31]->ptr) == 500;
    incrRefCount(argv[0]);
    big = entry(1);
    slowlogFreeEntry(big);
    kept &= argv[0]->refcount == 2;
    decrRefCount(argv[0]);
    test_cond("the entry keeps its arguments when the caller has freed its own", still);
    test_cond("the references of the arguments are balanced", kept);

    size_t before = zmalloc_used_memory();
    for (int j = 0; j < 20; j++) {
        slowlogFreeEntry(entry(3));
        slowlogFreeEntry(entry(100));
    }
    test_cond("all of it is freed by slowlogFreeEntry", zmalloc_used_memory() == before);
    sdsclear(c->peerid);
    freeClient(c);
    test_cond("the entry outlives its client", !strcmp(se->peerid,"10.1.2.3:4567") && !strcmp(se->cname,"worker") &&
              is(se,0,"arg0",4));
    slowlogFreeEntry(se);
    test_cond("the log itself is left alone", listLength(server.slowlog) == 0);
    test_report();
    return 0;
}
