/*---
 * tasks: [pubsubCommand-4e2acb.16]
 * tests:
 *   without keys it is all zeros: 'Upstream''s integration/rdb.tcl: 40 zeros; comment: "Start with a clean result".'
 *   what was in the result before plays no role: 'Caller debugCommand hands over an array that nobody set; "Start with a clean result".'
 *   the same dataset gives the same twice: 'Upstream''s tests compare digests before and after DEBUG RELOAD.'
 *   a dataset with keys is not all zeros: 'Upstream''s integration/replication.tcl.'
 *   the order in which keys were added plays no role: 'Comment: "This way the order will not change the result".'
 *   the size of the table plays no role: 'Comment: keys are not ordered.'
 *   a further key changes it: 'debug.c: DEBUG DIGEST, "a hex signature representing the current DB content".'
 *   a key removed again gives what was before: 'DEBUG DIGEST: the current content.'
 *   another name of a key changes it: 'xorObjectDigest: "the digest of the key and the value pair".'
 *   another value changes it: 'xorObjectDigest: "the digest of the key and the value pair".'
 *   values that are swapped change it: 'xorObjectDigest: "the key and the value pair, and xor all those together".'
 *   two keys of the same value do not cancel out: 'Comment: the xor of the digests of pairs.'
 *   names of keys are binary-safe: 'Keys are Redis strings.'
 *   the encoding of a value plays no role: 'Upstream compares digests after reloads, which may convert values.'
 *   keys moved to another database change it: 'Comment: "the same dataset moved in a different DB will lead to a different digest".'
 *   two databases that are swapped change it: 'Comment: "hash the DB id".'
 *   the same keys in two databases do not cancel out: 'Comment: "hash the DB id".'
 *   the last database counts: 'Name: the dataset; server.dbnum.'
 *   empty databases do not count: 'A replica may have another number of them; the digest of none is zeros.'
 *   a time to live changes it, in its own database: 'xorObjectDigest: "If the key has an expire, add it to the mix".'
 *   logically expired keys count: 'Caller: "a debug command should work on logically expired keys".'
 *   keys of all slots of a cluster count: 'Comment: every key; kvstore.h: a dict for each slot.'
 *   a value of a module learns its key and database: 'module.c: RM_GetKeyNameFromDigest, RM_GetDbIdFromDigest.'
 *   the dataset stays as it was: 'It only computes.'
 *   keys can be added and removed afterwards: 'kvstore.c: "The caller should free the resulting kvs_it".'
 *   nothing is kept: 'DEBUG DIGEST may be asked again and again.'
 ---*/
#include "start.h"
#include "../testhelp.h"

void computeDatasetDigest(unsigned char *final);

static unsigned char none[20];

static void addBytes(int db, const char *name, size_t len, robj *value) {
    robj *key = createStringObject(name,len);
    dbAdd(&server.db[db],key,value);
    decrRefCount(key);
}

static void add(int db, const char *name, const char *value) {
    addBytes(db,name,strlen(name),createStringObject(value,strlen(value)));
}

static void del(int db, const char *name) {
    robj *key = createStringObject(name,strlen(name));
    dbDelete(&server.db[db],key);
    decrRefCount(key);
}

/* The digest, each of the last eight kept. */
static unsigned char *digest(void) {
    static unsigned char kept[8][20];
    static int n;
    unsigned char *d = kept[n++ % 8];
    memset(d,0xa5+n,20);
    computeDatasetDigest(d);
    return d;
}

static int same(unsigned char *a, unsigned char *b) {
    return !memcmp(a,b,20);
}

static void empty(void) {
    for (int j = 0; j < server.dbnum; j++) emptyDbStructure(server.db,j,0,NULL);
}

/* So many keys, from the first or from the last. */
static void many(int n, int backwards) {
    char name[30];
    for (int j = 0; j < n; j++) {
        sprintf(name,"key:%d",backwards ? n-1-j : j);
        add(0,name,name+3);
    }
}

static sds seen;
static void digestOfModule(RedisModuleDigest *md, void *value) {
    seen = sdscatfmt(seen,"%i:%S=%s ",md->dbid,(sds)md->key->ptr,value);
    md->x[0] = 1;
}
static void freeOfModule(void *value) { UNUSED(value); }

int main(void) {
    startRedis();
    test_cond("without keys it is all zeros", same(digest(),none));
    add(0,"a","1");
    unsigned char d1[20], d2[20];
    memset(d1,0,20), memset(d2,0xff,20);
    computeDatasetDigest(d1), computeDatasetDigest(d2);
    test_cond("what was in the result before plays no role", same(d1,d2));
    test_cond("the same dataset gives the same twice", same(digest(),d1) && same(digest(),digest()));
    test_cond("a dataset with keys is not all zeros", !same(d1,none));
    add(0,"b","2");
    unsigned char *two = digest();
    test_cond("a further key changes it", !same(two,d1));
    del(0,"b");
    int back = same(digest(),d1);
    del(0,"a");
    test_cond("a key removed again gives what was before", back && same(digest(),none));
    add(0,"x","1");
    test_cond("another name of a key changes it", !same(digest(),d1));
    empty(), add(0,"a","2");
    test_cond("another value changes it", !same(digest(),d1));
    empty(), add(0,"a","2"), add(0,"b","1");
    memcpy(d2,two,20);
    test_cond("values that are swapped change it", !same(digest(),d2));
    empty(), add(0,"a","same"), add(0,"b","same");
    unsigned char *ab = digest();
    del(0,"b"), add(0,"c","same");
    test_cond("two keys of the same value do not cancel out", !same(ab,none) && !same(ab,digest()));
    empty(), addBytes(0,"a\0b",3,createStringObject("1",1));
    unsigned char *first = digest();
    empty(), addBytes(0,"a\0c",3,createStringObject("1",1));
    unsigned char *second = digest();
    empty(), add(0,"a","1");
    test_cond("names of keys are binary-safe", !same(first,second) && !same(first,digest()) && same(digest(),d1));
    empty(), addBytes(0,"a",1,createStringObjectFromLongLong(1));
    test_cond("the encoding of a value plays no role", same(digest(),d1));

    empty(), many(100,0);
    unsigned char *up = digest();
    empty(), many(100,1);
    test_cond("the order in which keys were added plays no role", same(up,digest()));
    empty(), kvstoreExpand(server.db[0].keys,4000,0,NULL), many(100,0);
    test_cond("the size of the table plays no role", same(up,digest()));

    empty(), add(0,"a","1"), add(0,"b","2");
    unsigned char *in0 = digest();
    empty(), add(3,"a","1"), add(3,"b","2");
    unsigned char *in3 = digest();
    empty(), add(4,"a","1"), add(4,"b","2");
    unsigned char *in4 = digest();
    test_cond("keys moved to another database change it", !same(in0,in3) && !same(in3,in4) && !same(in0,in4));
    empty(), add(0,"a","1"), add(1,"b","2");
    first = digest();
    empty(), add(1,"a","1"), add(0,"b","2");
    test_cond("two databases that are swapped change it", !same(first,digest()));
    empty(), add(0,"a","1"), add(1,"a","1");
    first = digest();
    empty(), add(0,"b","1"), add(1,"b","1");
    test_cond("the same keys in two databases do not cancel out", !same(first,none) && !same(first,digest()));
    empty(), add(server.dbnum-1,"a","1");
    first = digest();
    add(server.dbnum-1,"b","1");
    test_cond("the last database counts", !same(first,none) && !same(first,digest()));
    empty(), add(2,"a","1"), add(5,"b","1");
    first = digest();
    server.dbnum = 6;
    second = digest();
    server.dbnum = 16;
    add(0,"gone","1"), add(4,"gone","1"), add(6,"gone","1");
    del(0,"gone"), del(4,"gone"), del(6,"gone");
    test_cond("empty databases do not count", same(first,second) && same(first,digest()));

    empty(), add(0,"a","1"), add(2,"a","1");
    unsigned char *lasting = digest();
    robj *key = createStringObject("a",1);
    setExpire(NULL,&server.db[2],key,mstime()+1000000);
    unsigned char *in2 = digest();
    removeExpire(&server.db[2],key);
    setExpire(NULL,&server.db[0],key,mstime()+2000000);
    in0 = digest();
    removeExpire(&server.db[0],key);
    test_cond("a time to live changes it, in its own database", !same(lasting,in2) && !same(lasting,in0) &&
              same(lasting,digest()));
    setExpire(NULL,&server.db[0],key,1);
    test_cond("logically expired keys count", same(in0,digest()) && dbSize(&server.db[0]) == 1);
    decrRefCount(key);

    static moduleType type = {.digest = digestOfModule, .free = freeOfModule, .name = "plus-type"};
    empty(), seen = sdsempty();
    addBytes(0,"first",5,createModuleObject(&type,"one"));
    addBytes(7,"x\0y",3,createModuleObject(&type,"two"));
    sds want = sdsnewlen("0:first=one 7:x\0y=two ",22);
    digest();
    test_cond("a value of a module learns its key and database", sdscmp(seen,want) == 0);
    sdsfree(want);

    empty(), many(50,0), add(9,"nine","9");
    digest();
    sds nine = sdsnew("nine");
    robj *v = dictGetVal(dbFind(&server.db[9],nine));
    sdsfree(nine);
    test_cond("the dataset stays as it was", dbSize(&server.db[0]) == 50 && dbSize(&server.db[9]) == 1 &&
              v->refcount == 1);
    size_t before = zmalloc_used_memory();
    for (int j = 0; j < 50; j++) digest();
    test_cond("nothing is kept", zmalloc_used_memory() == before);
    char name[30];
    for (int j = 0; j < 50; j++) {
        sprintf(name,"key:%d",j);
        del(0,name);
    }
    for (int j = 0; j < 300; j++) {
        sprintf(name,"new:%d",j);
        add(0,name,"v");
    }
    test_cond("keys can be added and removed afterwards", dbSize(&server.db[0]) == 300);

    /* As in a cluster, where keys have a dict for each slot. */
    empty();
    server.cluster_enabled = 1;
    int flags = KVSTORE_ALLOCATE_DICTS_ON_DEMAND|KVSTORE_FREE_EMPTY_DICTS;
    server.db[0].keys = kvstoreCreate(&dbDictType,14,flags);
    server.db[0].expires = kvstoreCreate(&dbExpiresDictType,14,flags);
    int each = same(digest(),none);
    for (int j = 0; j < 8; j++) {
        sprintf(name,"slot:%d",j);
        first = digest();
        add(0,name,"v");
        each = each && !same(first,digest());
    }
    first = digest();
    for (int j = 0; j < 8; j++) sprintf(name,"slot:%d",j), del(0,name);
    for (int j = 7; j >= 0; j--) sprintf(name,"slot:%d",j), add(0,name,"v");
    test_cond("keys of all slots of a cluster count", each && same(first,digest()));
    test_report();
    return 0;
}
