/*---
 * tasks: [lazyfreeGetFreeEffort-1aee2c.8]
 * instead: [src/db.o]
 * tests:
 *   the key has the new value: 'Comment: "Overwrite an existing key with a new value".'
 *   the key is found without an entry too: 'Comment: "The dictEntry input is optional".'
 *   the entry that is given is used: 'Comment: "can be used if we already have one".'
 *   the reference to the new value is the caller's: 'Comment: "Incrementing the reference count of the new value is up to the caller".'
 *   the reference to the old value is given up: 'Callers: the database held it.'
 *   the time to live stays: 'Comment: "This function does not modify the expire time of the existing key".'
 *   the name of the key stays: 'Signature: the value is set; the database has a name of its own.'
 *   other keys and databases stay: 'Signature: db, key.'
 *   the number of keys stays: 'Comment: "Overwrite an existing key".'
 *   a replacement signals clients that block on the stream: 'Comment: "complete replacement [...] we need to emit deletion signals".'
 *   an update signals none: 'Comment: "just an update of a value of an existing key (when false)".'
 *   a replacement tells the module of the old value: 'The body: "we still need to call the unlink callback of the module".'
 *   an update does not tell the module: 'Comment: the overwrite flag.'
 *   the old value is freed by its module: 'Callers: the database held it.'
 *   with lazyfree-lazy-server-del a big value is freed in the background: 'redis.conf: lazyfree-lazy-server-del.'
 *   the values may be of different types: 'Caller setKey: SET over any type.'
 *   keys of any bytes are overwritten: 'Signature: key; names are Redis strings.'
 *   a key that is not there stops the process: 'Comment: "The program is aborted if the key was not already present".'
 *   nothing is left behind: 'The old value is freed.'
 *   in a cluster the key is found in its slot: 'The body: getKeySlot; kvstore.h.'
 ---*/
#include "../db.c"
#include "start.h"
#include "../bio.h"
#include "../testhelp.h"
#include <sys/resource.h>
#include <sys/wait.h>

static robj *str(const char *s) {
    return createStringObject(s,strlen(s));
}

static robj *put(int db, const char *name, robj *val) {
    robj *key = str(name);
    dbAdd(&server.db[db],key,val);
    return key;
}

static robj *value(int db, robj *key) {
    dictEntry *de = dbFind(&server.db[db],key->ptr);
    return de ? dictGetVal(de) : NULL;
}

static int ready(const char *name) {
    listIter li;
    listNode *ln;
    int found = 0;
    listRewind(server.ready_keys,&li);
    while ((ln = listNext(&li)) != NULL) {
        readyList *rl = listNodeValue(ln);
        if (!strcmp(rl->key->ptr,name)) found++;
    }
    return found;
}

static void run(client *c, int argc, const char **words) {
    setArguments(c,argc,words);
    c->cmd->proc(c);
}

static int unlinked, freed;
static void *seen;

static void unlinkModule(robj *key, const void *v) {
    UNUSED(key);
    unlinked++;
    seen = (void*)v;
}

static void freeModule(void *v) {
    UNUSED(v);
    freed++;
}

static robj *module(moduleType *mt, void *v) {
    return createModuleObject(mt,v);
}

int main(void) {
    startRedis();
    redisDb *db = &server.db[0];
    robj *old = str("old"), *new = str("new"), *key = put(0,"name",old), *other = put(0,"other",str("o"));
    robj *far = put(5,"name",str("far"));
    incrRefCount(old);
    setExpire(NULL,db,key,4000000000000);
    sds name = dictGetKey(dbFind(db,key->ptr));
    dbSetValue(db,key,new,0,NULL);
    int updated = value(0,key) == new;
    test_cond("the reference to the new value is the caller's", new->refcount == 1);
    test_cond("the reference to the old value is given up", old->refcount == 1);
    robj *third = str("third");
    dbSetValue(db,key,third,1,NULL);
    test_cond("the key has the new value", updated && value(0,key) == third);
    test_cond("the key is found without an entry too", value(0,key) == third);
    robj *fourth = str("4");
    dictEntry *de = dbFind(db,key->ptr);
    dbSetValue(db,key,fourth,1,de);
    int given = value(0,key) == fourth;
    robj *fifth = str("5");
    dbSetValue(db,key,fifth,0,de);
    test_cond("the entry that is given is used", given && value(0,key) == fifth && dictGetVal(de) == fifth);
    test_cond("the time to live stays", getExpire(db,key) == 4000000000000 && getExpire(db,other) == -1);
    test_cond("the name of the key stays", dictGetKey(dbFind(db,key->ptr)) == name && !strcmp(name,"name") &&
              key->refcount == 1);
    test_cond("other keys and databases stay", !strcmp(value(0,other)->ptr,"o") && !strcmp(value(5,far)->ptr,"far"));
    test_cond("the number of keys stays", dbSize(db) == 2 && dbSize(&server.db[5]) == 1);

    client *c = fakeClient(), *reader = fakeClient(), *upd = fakeClient();
    const char *one[] = {"xgroup","create","s1","g","$","mkstream"}, *two[] = {"xgroup","create","s2","g","$","mkstream"};
    const char *r1[] = {"xreadgroup","group","g","me","block","0","streams","s1",">"};
    const char *r2[] = {"xreadgroup","group","g","me","block","0","streams","s2",">"};
    run(c,6,one), run(c,6,two);
    run(reader,9,r1), run(upd,9,r2);
    robj *s1 = str("s1"), *s2 = str("s2");
    int before = ready("s1") + ready("s2");
    dbSetValue(db,s1,str("x"),1,NULL);
    dbSetValue(db,s2,str("x"),0,NULL);
    test_cond("a replacement signals clients that block on the stream", (reader->flags & CLIENT_BLOCKED) && !before &&
              ready("s1") == 1);
    test_cond("an update signals none", (upd->flags & CLIENT_BLOCKED) && ready("s2") == 0);
    test_cond("the values may be of different types", value(0,s1)->type == OBJ_STRING && !strcmp(value(0,s2)->ptr,"x"));

    moduleType mt = {.id = 1<<10, .unlink = unlinkModule, .free = freeModule};
    int a, b;
    robj *mod = put(0,"mod",module(&mt,&a));
    dbSetValue(db,mod,module(&mt,&b),1,NULL);
    test_cond("a replacement tells the module of the old value", unlinked == 1 && seen == &a);
    int once = freed == 1;
    dbSetValue(db,mod,str("plain"),0,NULL);
    test_cond("an update does not tell the module", unlinked == 1);
    test_cond("the old value is freed by its module", once && freed == 2);

    robj *binary = createStringObject("a\0b",3), *prefix = createStringObject("a",1);
    dbAdd(db,binary,str("1"));
    dbAdd(db,prefix,str("2"));
    dbSetValue(db,binary,str("3"),0,NULL);
    test_cond("keys of any bytes are overwritten", !strcmp(value(0,binary)->ptr,"3") && !strcmp(value(0,prefix)->ptr,"2"));
    dbSetValue(db,key,str("v"),1,NULL);
    size_t used = zmalloc_used_memory();
    for (int j = 0; j < 50; j++) dbSetValue(db,key,str("v"),1,NULL), dbSetValue(db,key,str("v"),0,NULL);
    test_cond("nothing is left behind", zmalloc_used_memory() == used);

    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        freopen("/dev/null","w",stderr);
        struct rlimit none = {0,0};
        setrlimit(RLIMIT_CORE,&none);
        alarm(20);
        signal(SIGABRT,SIG_DFL);
        signal(SIGSEGV,SIG_DFL);
        dbSetValue(db,str("missing"),str("v"),0,NULL);
        _exit(0);
    }
    int status = 0;
    waitpid(child,&status,0);
    test_cond("a key that is not there stops the process", WIFSIGNALED(status) || WEXITSTATUS(status));

    redisDb slots = {.id = 0};
    slots.keys = kvstoreCreate(&dbDictType,14,KVSTORE_ALLOCATE_DICTS_ON_DEMAND);
    slots.expires = kvstoreCreate(&dbExpiresDictType,14,KVSTORE_ALLOCATE_DICTS_ON_DEMAND);
    slots.blocking_keys = db->blocking_keys;
    slots.blocking_keys_unblock_on_nokey = db->blocking_keys_unblock_on_nokey;
    slots.ready_keys = db->ready_keys;
    slots.watched_keys = db->watched_keys;
    server.cluster_enabled = 1;
    robj *foo = str("foo"), *v = str("2");
    dbAdd(&slots,foo,str("1"));
    dbSetValue(&slots,foo,v,1,NULL);
    de = kvstoreDictFind(slots.keys,keyHashSlot("foo",3),foo->ptr);
    test_cond("in a cluster the key is found in its slot", de && dictGetVal(de) == v && kvstoreSize(slots.keys) == 1);
    server.cluster_enabled = 0;

    bioInit();
    server.lazyfree_lazy_server_del = 1;
    robj *big = createSetObject();
    for (int j = 0; j < 1000; j++) {
        sds e = sdscatprintf(sdsempty(),"element%d",j);
        setTypeAdd(big,e);
    }
    robj *lazy = put(0,"lazy",big);
    size_t start = lazyfreeGetFreedObjectsCount();
    dbSetValue(db,lazy,str("x"),1,NULL);
    bioDrainWorker(BIO_LAZY_FREE);
    test_cond("with lazyfree-lazy-server-del a big value is freed in the background",
              lazyfreeGetFreedObjectsCount() == start+1 && !strcmp(value(0,lazy)->ptr,"x"));
    test_report();
    return 0;
}
