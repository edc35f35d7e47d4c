/*---
 * tasks: [3676B55A0684B8C4]
 * tests:
 *   a first table's buckets are counted: 'Docstring: "bucket count incremented with the new ht size during the rehashing phase".'
 *   while a dict rehashes both its tables are counted: 'Docstring: "bucket count incremented with the new ht size during the rehashing phase".'
 *   the buckets of all dicts are added up: 'Docstring: "updates the bucket count for the given dictionary in a DB".'
 *   after rehashing the new table alone is counted: 'kvstore.c: kvstoreDictRehashingCompleted takes the old size off.'
 *   a store of one dict counts both its tables: 'Docstring: "If there''s one dict, bucket count can be retrieved directly from single dict bucket".'
 *   a rehashing dict is found by incremental rehashing: 'Docstring: "Adds dictionary to the rehashing list, which allows us to quickly find rehash targets".'
 *   all rehashing dicts are found: 'Docstring: "Adds dictionary to the rehashing list".'
 *   the only dict of a store is found: 'Docstring: each dictionary is added; kvstoreIncrementallyRehash looks at the list alone.'
 *   each dict is in the list once: 'kvstore.c: kvstoreMemUsage counts the list''s nodes.'
 *   when all are done nothing is left to rehash: 'kvstore.c: after a dict "completes rehashing, it removes itself from the list".'
 *   a dict that is done first leaves the others in the list: 'kvstore.c: kvstoreDictRehashingCompleted deletes the node that the dict''s metadata names.'
 *   a dict can rehash a second time: 'kvstore.c: kvstoreDictRehashingCompleted deletes the node that the dict''s metadata names.'
 *   a shrinking dict is found as well: 'dict.h: rehashingStarted is called for every rehashing.'
 *   a shrinking dict counts both its tables: 'Docstring: "bucket count incremented with the new ht size".'
 ---*/
#include "../server.h"
#include "../testhelp.h"

static uint64_t hashOf(const void *key) { return dictGenHashFunction((unsigned char *)&key, sizeof(key)); }
static dictType type = {.hashFunction = hashOf};

static dict *dictOf(kvstore *kvs, int didx) {
    kvstoreIterator *it = kvstoreIteratorInit(kvs);
    dict *d;
    while ((d = kvstoreIteratorNextDict(it)) != NULL && kvstoreIteratorGetCurrentDictIndex(it) != didx);
    kvstoreIteratorRelease(it);
    return d;
}

static void add(kvstore *kvs, int didx, int keys) {
    for (int k = 1; k <= keys; k++) kvstoreDictAddRaw(kvs, didx, (void *)(long)k, NULL);
}

/* All rehashing that the list names; far more time than it takes. */
static uint64_t rehash(kvstore *kvs) {
    return kvstoreIncrementallyRehash(kvs, 3 * 1000000);
}

int main(void) {
    monotonicInit();
    kvstore *kvs = kvstoreCreate(&type, 3, KVSTORE_ALLOCATE_DICTS_ON_DEMAND);
    add(kvs, 1, 3);
    unsigned long first = kvstoreBuckets(kvs);
    test_cond("a first table's buckets are counted", first == dictBuckets(dictOf(kvs, 1)) && first == 4);
    size_t mem = kvstoreMemUsage(kvs);
    kvstoreDictExpand(kvs, 1, 64);
    test_cond("while a dict rehashes both its tables are counted", kvstoreBuckets(kvs) == 4 + 64);
    test_cond("each dict is in the list once",
              kvstoreMemUsage(kvs) == mem + 64 * sizeof(dictEntry *) + sizeof(listNode));
    add(kvs, 4, 3);
    add(kvs, 6, 2);
    kvstoreDictExpand(kvs, 4, 256);
    kvstoreDictExpand(kvs, 6, 16);
    test_cond("the buckets of all dicts are added up", kvstoreBuckets(kvs) == 4 + 64 + 4 + 256 + 4 + 16);

    dict *a = dictOf(kvs, 1), *b = dictOf(kvs, 4), *c = dictOf(kvs, 6);
    while (dictRehash(b, 100));
    test_cond("a dict that is done first leaves the others in the list",
              kvstoreBuckets(kvs) == 4 + 64 + 256 + 4 + 16 && dictIsRehashing(a) && dictIsRehashing(c));
    rehash(kvs);
    test_cond("a rehashing dict is found by incremental rehashing", !dictIsRehashing(a));
    test_cond("all rehashing dicts are found", !dictIsRehashing(a) && !dictIsRehashing(c));
    test_cond("after rehashing the new table alone is counted", kvstoreBuckets(kvs) == 64 + 256 + 16);
    test_cond("when all are done nothing is left to rehash", rehash(kvs) == 0);
    kvstoreDictExpand(kvs, 4, 1024);
    kvstoreDictExpand(kvs, 1, 128);
    unsigned long both = kvstoreBuckets(kvs);
    while (dictRehash(a, 100));
    int left = dictIsRehashing(b);
    rehash(kvs);
    test_cond("a dict can rehash a second time",
              both == 64 + 128 + 256 + 1024 + 16 && left && !dictIsRehashing(b) && kvstoreBuckets(kvs) == 128 + 1024 + 16);
    dictShrink(b, 8);
    test_cond("a shrinking dict counts both its tables",
              dictIsRehashing(b) && kvstoreBuckets(kvs) == 128 + 1024 + 8 + 16);
    rehash(kvs);
    test_cond("a shrinking dict is found as well", !dictIsRehashing(b) && kvstoreBuckets(kvs) == 128 + 8 + 16);
    kvstoreRelease(kvs);

    kvs = kvstoreCreate(&type, 0, 0);
    add(kvs, 0, 3);
    kvstoreDictExpand(kvs, 0, 64);
    test_cond("a store of one dict counts both its tables", kvstoreBuckets(kvs) == 4 + 64);
    rehash(kvs);
    test_cond("the only dict of a store is found", !dictIsRehashing(dictOf(kvs, 0)) && kvstoreBuckets(kvs) == 64);
    test_report();
    return 0;
}
