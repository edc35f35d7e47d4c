/*---
 * tasks: [F363CFD77CB13669]
 * instead: [src/kvstore.o]
 * tests:
 *   a store of one dict that never held a key has no buckets:
 *     'Docstring: "cumulative sum of all the dictionary buckets".'
 *   a store of one dict has the buckets of that dict: 'Docstring: "cumulative sum of all the dictionary buckets".'
 *   a store whose only dict is not made yet has no buckets: 'Docstring; kvstore.h: KVSTORE_ALLOCATE_DICTS_ON_DEMAND.'
 *   a store of several empty dicts has no buckets: 'Docstring: "cumulative sum of all the dictionary buckets".'
 *   a store of several dicts has the sum of their buckets: 'Docstring: "across dictionaries in a database".'
 *   buckets are counted and not keys:
 *     'Docstring: "buckets"; caller server.c: serverCron prints keys "in %lld slots HT".'
 *   while a dict is rehashed both its tables count: 'kvstore.c: kvstoreDictRehashingStarted, "Add the new ht size".'
 *   after rehashing only the new table counts: 'kvstore.c: kvstoreDictRehashingCompleted, "Remove the old ht size".'
 *   a store that was emptied has no buckets: 'Docstring; kvstoreEmpty.'
 *   an expanded store of several dicts counts each: 'Docstring; kvstoreExpand.'
 ---*/
#include "../server.h"
#include "../kvstore.c"
#include "../testhelp.h"

static uint64_t hash(const void *key) {
    return (uint64_t)(uintptr_t)key;
}
static dictType type = {.hashFunction = hash};
static unsigned long keys = 0;

static void add(kvstore *kvs, int didx, int count) {
    while (count--) kvstoreDictAddRaw(kvs,didx,(void*)++keys,NULL);
}

static void finish(kvstore *kvs) {
    for (int j = 0; j < kvstoreNumDicts(kvs); j++) {
        dict *d = kvstoreGetDict(kvs,j);
        while (d && dictRehash(d,100)) {}
    }
}

static unsigned long sum(kvstore *kvs) {
    unsigned long buckets = 0;
    for (int j = 0; j < kvstoreNumDicts(kvs); j++) {
        dict *d = kvstoreGetDict(kvs,j);
        if (d) buckets += dictBuckets(d);
    }
    return buckets;
}

int main(void) {
    kvstore *one = kvstoreCreate(&type,0,0);
    test_cond("a store of one dict that never held a key has no buckets", kvstoreBuckets(one) == 0);
    add(one,0,5);
    finish(one);
    test_cond("a store of one dict has the buckets of that dict", kvstoreBuckets(one) == 8);
    kvstore *demand = kvstoreCreate(&type,0,KVSTORE_ALLOCATE_DICTS_ON_DEMAND);
    unsigned long none = kvstoreBuckets(demand);
    add(demand,0,1);
    test_cond("a store whose only dict is not made yet has no buckets", none == 0 && kvstoreBuckets(demand) == 4);
    kvstore *empty = kvstoreCreate(&type,3,KVSTORE_ALLOCATE_DICTS_ON_DEMAND), *made = kvstoreCreate(&type,3,0);
    test_cond("a store of several empty dicts has no buckets", kvstoreBuckets(empty) == 0 && kvstoreBuckets(made) == 0);

    add(empty,0,3);
    add(empty,2,5);
    add(empty,7,60);
    finish(empty);
    test_cond("a store of several dicts has the sum of their buckets",
              kvstoreBuckets(empty) == 4+8+64 && kvstoreBuckets(empty) == sum(empty));
    kvstoreExpand(one,1000,0,NULL);
    finish(one);
    add(made,4,3);
    test_cond("buckets are counted and not keys", kvstoreBuckets(one) == 1024 && kvstoreBuckets(made) == 4);

    dictExpand(kvstoreGetDict(empty,7),256);
    dictExpand(kvstoreGetDict(one,0),4096);
    test_cond("while a dict is rehashed both its tables count",
              kvstoreBuckets(empty) == 4+8+64+256 && kvstoreBuckets(one) == 1024+4096);
    finish(empty);
    finish(one);
    test_cond("after rehashing only the new table counts",
              kvstoreBuckets(empty) == 4+8+256 && kvstoreBuckets(one) == 4096);
    kvstoreExpand(made,16,0,NULL);
    finish(made);
    test_cond("an expanded store of several dicts counts each", kvstoreBuckets(made) == 8*16);

    kvstoreEmpty(empty,NULL);
    kvstoreEmpty(one,NULL);
    test_cond("a store that was emptied has no buckets", kvstoreBuckets(empty) == 0 && kvstoreBuckets(one) == 0);
    test_report();
    return 0;
}
