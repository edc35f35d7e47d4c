/*---
 * tasks: [pubsubCommand-4e2acb.16]
 * instead: [src/db.o]
 * tests:
 *   a key of the database is collected: 'Comment: "collect elements returned by the dictionary iterator into a list".'
 *   elements stand in the order in which they came: 'Comment: "collect"; a field stands before its value.'
 *   a member of a set is collected: 'scanGenericCommand: "it must be a Hash, Set or Zset object".'
 *   a field is followed by its value: 'scanGenericCommand: "returns both the field and value of every element on the Hash".'
 *   a member of a sorted set is followed by its score: 'commands/zscan: "a list of elements with their associated scores".'
 *   scores are written so that they can be read back: 'Upstream''s scan.tcl: "ZSCAN scores: regression test for issue #2175".'
 *   without values only fields are collected: 'scanData: "set to 1 means to return keys only".'
 *   each element counts as sampled: 'scanData: "cumulative number of keys sampled".'
 *   elements that do not match count as sampled too: 'scanGenericCommand: "to prevent a long hang time caused by filtering too many keys".'
 *   elements that do not match are left out: 'scanData: pattern; commands/scan: MATCH.'
 *   fields that do not match are left out with their values: 'commands/hscan: MATCH.'
 *   the pattern is for the field, not for the value: 'commands/hscan: MATCH is for fields.'
 *   empty names and values are collected too: 'Keys, fields and values are Redis strings, which may be empty.'
 *   the case of letters matters: 'commands/scan: MATCH, as KEYS does.'
 *   names and patterns of any bytes are compared: 'Keys are Redis strings; stringmatchlen takes lengths.'
 *   the strings of keys, sets and hashes are those of the dictionary: 'scanGenericCommand: "just a shallow copy from the pointer in the dictEntry".'
 *   those of sorted sets are the list's own: 'scanGenericCommand: "The exception to the above is ZSET, where we do allocate temporary strings".'
 *   keys are collected whatever their type: 'scanGenericCommand, step 3, filters types.'
 *   expired keys are collected as well: 'scanGenericCommand, step 3; upstream''s scan.tcl, "SCAN with expired keys with TYPE filter", for other types too.'
 *   a type and an object together stop the process: 'Comment: "o and typename can not have values at the same time".'
 *   SCAN with MATCH stops after COUNT keys: 'scanGenericCommand: sampled; commands/scan: COUNT.'
 *   SCAN gives each key once: 'commands/scan.'
 *   HSCAN, SSCAN and ZSCAN give each element: 'commands/hscan, sscan, zscan.'
 *   the dictionary stays as it was: 'Signature: const dictEntry.'
 *   nothing is kept: 'scanGenericCommand frees what it is told to free.'
 ---*/
#include "../db.c"
#include "commandtest.h"
#include <sys/wait.h>
#include <sys/resource.h>

static scanData data;

static void collect(robj *o, sds pattern, int no_values) {
    if (data.keys) listRelease(data.keys);
    data = (scanData){.keys = listCreate(), .o = o, .type = LLONG_MAX, .pattern = pattern, .no_values = no_values};
    if (o && o->type == OBJ_ZSET) listSetFreeMethod(data.keys,(void (*)(void*))sdsfree);
}

/* What was collected, with commas. */
static const char *collected(void) {
    static char s[1000];
    s[0] = '\0';
    listIter li;
    listNode *ln;
    listRewind(data.keys,&li);
    while ((ln = listNext(&li)) != NULL) sprintf(s+strlen(s),"%s,",(char*)listNodeValue(ln));
    return s;
}

static void visit(dict *d, const char *key) {
    sds s = sdsnew(key);
    scanCallback(&data,dictFind(d,s));
    sdsfree(s);
}

static dict *dictOf(robj *o) {
    return o->type == OBJ_ZSET ? ((zset*)o->ptr)->dict : o->ptr;
}

/* Goes on until the cursor is 0; counts how often the text occurs, and the calls. */
static int scanned(const char *command, const char *key, const char *text, int *calls) {
    char cursor[30] = "0";
    int n = 0;
    *calls = 0;
    do {
        const char *r = key ? run(command,key,cursor,"count","5") : run(command,cursor,"count","5");
        const char *p = strchr(r+4,'\n')+1;
        sprintf(cursor,"%.*s",(int)(strchr(p,'\r')-p),p);
        for (p = r; (p = strstr(p,text)); p++) n++;
    } while (strcmp(cursor,"0") && ++*calls < 10000);
    return n;
}

int main(void) {
    startCommands();
    server.hash_max_listpack_entries = server.zset_max_listpack_entries = server.set_max_listpack_entries = 0;
    put("one","1",-1), put("two","2",-1), put("dead","3",1);
    run("rpush","list","a");
    run("hset","h","f1","v1","f2","v2","g","f3"), run("sadd","s","m1","m2","x"), run("zadd","z","0.5","a","-3","b","inf","c");
    run("zadd","z","9.8813129168249309e-324","tiny","0.30000000000000004","d","100","e");
    robj *h = dictGetVal(entryOf("h")), *s = dictGetVal(entryOf("s")), *z = dictGetVal(entryOf("z"));

    collect(NULL,NULL,0);
    dictEntry *one = entryOf("one");
    scanCallback(&data,one);
    test_cond("a key of the database is collected", !strcmp(collected(),"one,"));
    scanCallback(&data,entryOf("two"));
    scanCallback(&data,entryOf("h"));
    test_cond("elements stand in the order in which they came", !strcmp(collected(),"one,two,h,"));
    int keys = data.sampled;
    int shallow = listNodeValue(listFirst(data.keys)) == dictGetKey(one);
    scanCallback(&data,entryOf("list"));
    scanCallback(&data,entryOf("z"));
    test_cond("keys are collected whatever their type", !strcmp(collected(),"one,two,h,list,z,"));
    collect(NULL,NULL,0);
    data.type = OBJ_LIST;
    scanCallback(&data,one);
    scanCallback(&data,entryOf("dead"));
    test_cond("expired keys are collected as well", strstr(collected(),"dead,") && data.sampled == 2);
    collect(s,NULL,0);
    visit(s->ptr,"m1"), visit(s->ptr,"m2");
    test_cond("a member of a set is collected", !strcmp(collected(),"m1,m2,"));
    shallow = shallow && sdslen(listNodeValue(listFirst(data.keys))) == 2 && dictFind(s->ptr,listNodeValue(listFirst(data.keys))) &&
              dictGetKey(dictFind(s->ptr,listNodeValue(listFirst(data.keys)))) == listNodeValue(listFirst(data.keys));
    keys = keys == 3 && data.sampled == 2;
    collect(h,NULL,0);
    visit(h->ptr,"f1"), visit(h->ptr,"g");
    test_cond("a field is followed by its value", !strcmp(collected(),"f1,v1,g,f3,"));
    sds f1 = sdsnew("f1");
    dictEntry *de = dictFind(h->ptr,f1);
    shallow = shallow && listNodeValue(listFirst(data.keys)) == dictGetKey(de) &&
              listNodeValue(listIndex(data.keys,1)) == dictGetVal(de);
    test_cond("the strings of keys, sets and hashes are those of the dictionary", shallow);
    sdsfree(f1);
    keys = keys && data.sampled == 2;
    collect(z,NULL,0);
    visit(dictOf(z),"a"), visit(dictOf(z),"b"), visit(dictOf(z),"c"), visit(dictOf(z),"e");
    test_cond("a member of a sorted set is followed by its score", !strcmp(collected(),"a,0.5,b,-3,c,inf,e,100,"));
    test_cond("each element counts as sampled", keys && data.sampled == 4);
    int own = 1;
    sds a = sdsnew("a");
    own = listNodeValue(listFirst(data.keys)) != dictGetKey(dictFind(dictOf(z),a));
    sdsfree(a);
    collect(z,NULL,0);
    visit(dictOf(z),"tiny"), visit(dictOf(z),"d");
    test_cond("scores are written so that they can be read back",
              listLength(data.keys) == 4 && strtod(listNodeValue(listIndex(data.keys,1)),NULL) == 9.8813129168249309e-324 &&
              strtod(listNodeValue(listIndex(data.keys,3)),NULL) == 0.30000000000000004 &&
              sdslen(listNodeValue(listIndex(data.keys,3))) == strlen(listNodeValue(listIndex(data.keys,3))));
    collect(z,NULL,0);
    test_cond("those of sorted sets are the list's own", own && gives("*2\r\n$4\r\ntiny\r\n$1\r\nd\r\n","zrange","z","1","2"));
    collect(h,NULL,1);
    visit(h->ptr,"f1"), visit(h->ptr,"f2");
    test_cond("without values only fields are collected", !strcmp(collected(),"f1,f2,") && data.sampled == 2);

    run("hset","h2","","v","f",""), run("sadd","s2","","x"), run("set","","v");
    robj *h2 = dictGetVal(entryOf("h2")), *s2 = dictGetVal(entryOf("s2"));
    collect(h2,NULL,0);
    visit(h2->ptr,""), visit(h2->ptr,"f");
    int empties = !strcmp(collected(),",v,f,,");
    collect(s2,NULL,0);
    visit(s2->ptr,""), visit(s2->ptr,"x");
    empties = empties && !strcmp(collected(),",x,");
    collect(NULL,NULL,0);
    scanCallback(&data,entryOf(""));
    test_cond("empty names and values are collected too", empties && listLength(data.keys) == 1 && data.sampled == 1);

    sds pattern = sdsnew("t?o");
    collect(NULL,pattern,0);
    scanCallback(&data,one);
    int counted = data.sampled == 1;
    scanCallback(&data,entryOf("two"));
    scanCallback(&data,entryOf("z"));
    test_cond("elements that do not match are left out", !strcmp(collected(),"two,"));
    counted = counted && data.sampled == 3;
    sdsfree(pattern);
    pattern = sdsnew("f*");
    collect(h,pattern,0);
    visit(h->ptr,"g"), visit(h->ptr,"f2");
    test_cond("the pattern is for the field, not for the value", !strcmp(collected(),"f2,v2,"));
    counted = counted && data.sampled == 2;
    sdsfree(pattern);
    pattern = sdsnew("g*");
    collect(h,pattern,0);
    visit(h->ptr,"f1"), visit(h->ptr,"f2");
    int left = !*collected();
    visit(h->ptr,"g");
    test_cond("fields that do not match are left out with their values", left && !strcmp(collected(),"g,f3,"));
    collect(z,pattern,0);
    visit(dictOf(z),"a"), visit(dictOf(z),"b");
    int left_z = listLength(data.keys) == 0 && data.sampled == 2;
    collect(s,pattern,0);
    visit(s->ptr,"m1"), visit(s->ptr,"x");
    test_cond("elements that do not match count as sampled too", counted && left_z && listLength(data.keys) == 0 &&
              data.sampled == 2);
    sdsfree(pattern);
    pattern = sdsnew("M*");
    collect(s,pattern,0);
    visit(s->ptr,"m1");
    int cased = listLength(data.keys) == 0;
    sdsfree(pattern);
    pattern = sdsnew("m[1]");
    collect(s,pattern,0);
    visit(s->ptr,"m1"), visit(s->ptr,"m2");
    test_cond("the case of letters matters", cased && !strcmp(collected(),"m1,"));
    sdsfree(pattern);
    dict *d = dictCreate(&setDictType);
    dictAdd(d,sdsnewlen("k\0a",3),NULL), dictAdd(d,sdsnewlen("k\0b",3),NULL), dictAdd(d,sdsnewlen("k",1),NULL);
    pattern = sdsnewlen("k\0[a]",5);
    collect(NULL,pattern,0);
    dictIterator *di = dictGetIterator(d);
    while ((de = dictNext(di))) scanCallback(&data,de);
    dictReleaseIterator(di);
    test_cond("names and patterns of any bytes are compared", listLength(data.keys) == 1 && data.sampled == 3 &&
              sdslen(listNodeValue(listFirst(data.keys))) == 3 && !memcmp(listNodeValue(listFirst(data.keys)),"k\0a",3));
    sdsfree(pattern);

    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        freopen("/dev/null","w",stderr);
        struct rlimit none = {0,0};
        setrlimit(RLIMIT_CORE,&none);
        alarm(20);
        signal(SIGABRT,SIG_DFL);
        signal(SIGSEGV,SIG_DFL);
        collect(s,NULL,0);
        data.type = OBJ_STRING;
        visit(s->ptr,"m1");
        _exit(0);
    }
    int status = 0;
    waitpid(child,&status,0);
    test_cond("a type and an object together stop the process", WIFSIGNALED(status) || WEXITSTATUS(status));
    test_cond("the dictionary stays as it was", dictSize((dict*)h->ptr) == 3 && dictSize((dict*)s->ptr) == 3 &&
              gives("$2\r\nv1\r\n","hget","h","f1") && gives("$3\r\n0.5\r\n","zscore","z","a") &&
              gives(":3\r\n","scard","s"));

    selectDb(c,3);
    char name[30];
    for (int j = 0; j < 400; j++) sprintf(name,"key:%03d",j), put(name,"v",-1);
    const char *r = run("scan","0","match","none*","count","10");
    int first = strncmp(r,"*2\r\n$1\r\n0\r\n",11) && strstr(r,"\r\n*0\r\n");
    int calls, n = scanned("scan",NULL,"\r\nkey:",&calls);
    test_cond("SCAN with MATCH stops after COUNT keys", first && calls > 40 && calls < 81);
    test_cond("SCAN gives each key once", n == 400);
    for (int j = 0; j < 100; j++) {
        char value[30];
        sprintf(name,"key:%03d",j), sprintf(value,"value:%03d",j);
        run("hset","hash",name,value), run("sadd","set",name), run("zadd","zset","7.5",name);
    }
    size_t before = 0;
    int all = 1;
    for (int j = 0; j < 4; j++) {
        all = all && scanned("hscan","hash","\r\nkey:",&calls) == 100 && scanned("hscan","hash","\r\nvalue:",&calls) == 100 &&
              scanned("sscan","set","\r\nkey:",&calls) == 100 && scanned("zscan","zset","\r\n7.5\r\n",&calls) == 100 &&
              scanned("zscan","zset","\r\nkey:",&calls) == 100;
        run("zscan","zset","0","count","500","match","none");
        run("zscan","zset","0","count","500","match","*0");
        run("ping");
        if (j == 1) before = zmalloc_used_memory();
    }
    test_cond("HSCAN, SSCAN and ZSCAN give each element", all);
    test_cond("nothing is kept", zmalloc_used_memory() == before);
    test_report();
    return 0;
}
