/*---
 * tasks: [235340703317EEF1]
 * tests:
 *   an iterator that was never used can be freed: 'Docstring: "Free the kvs_it returned by kvstoreIteratorInit".'
 *   the iterator of an empty store can be freed: 'Docstring: "Free the kvs_it returned by kvstoreIteratorInit".'
 *   an iterator that only met dicts can be freed: 'kvstore.c: kvstoreGetStats goes from dict to dict and releases the iterator.'
 *   the iterator's memory is given back: 'Docstring: "Free the kvs_it".'
 *   the memory is given back after a walk: 'Docstring: "Free the kvs_it".'
 *   a dict in the middle of a walk can rehash again: 'dict.h: a safe iterator pauses rehashing, dictResetIterator resumes it; rdb.c releases on an error in the middle.'
 *   the last dict can rehash again after a whole walk: 'dict.h: a safe iterator pauses rehashing, dictResetIterator resumes it; aof.c releases after a whole walk.'
 *   the only dict can rehash again: 'dict.h: a safe iterator pauses rehashing, dictResetIterator resumes it.'
 *   no dict is resumed twice: 'dict.h: pauserehash below 0 is "indicating coding error".'
 *   another iterator's pause stays: 'dict.h: pauserehash counts the safe iterators of a dict.'
 *   the store keeps its keys: 'Docstring: only the iterator is freed.'
 *   a rehashing goes on after the release: 'dict.c: dictRehash does nothing while rehashing is paused.'
 ---*/
#include "../server.h"
#include "../testhelp.h"

static uint64_t hashOf(const void *key) { return dictGenHashFunction((unsigned char *)&key, sizeof(key)); }
static dictType type = {.hashFunction = hashOf};

static kvstore *store(int bits, int keys) {
    kvstore *kvs = kvstoreCreate(&type, bits, 0);
    for (int j = 0; j < 1 << bits; j++)
        for (int k = 1; k <= keys; k++) kvstoreDictAddRaw(kvs, j, (void *)(long)(j * 100 + k), NULL);
    return kvs;
}

/* How often rehashing of dict `didx` is paused. */
static int paused(kvstore *kvs, int didx) {
    dict *d = NULL;
    kvstoreIterator *it = kvstoreIteratorInit(kvs);
    do d = kvstoreIteratorNextDict(it);
    while (d && kvstoreIteratorGetCurrentDictIndex(it) != didx);
    zfree(it);
    return d ? d->pauserehash : -99;
}

static void walk(kvstore *kvs, int steps) {
    kvstoreIterator *it = kvstoreIteratorInit(kvs);
    while (steps-- && kvstoreIteratorNext(it) != NULL);
    kvstoreIteratorRelease(it);
}

int main(void) {
    monotonicInit();
    kvstore *kvs = store(2, 3), *empty = kvstoreCreate(&type, 2, KVSTORE_ALLOCATE_DICTS_ON_DEMAND), *one = store(0, 3);
    kvstoreIterator *it;

    size_t used = zmalloc_used_memory();
    walk(kvs, 0);
    test_cond("an iterator that was never used can be freed", paused(kvs, 0) == 0);
    test_cond("the iterator's memory is given back", zmalloc_used_memory() == used);
    walk(empty, 0);
    walk(empty, 1);
    test_cond("the iterator of an empty store can be freed", zmalloc_used_memory() == used);
    it = kvstoreIteratorInit(kvs);
    kvstoreIteratorNextDict(it);
    kvstoreIteratorNextDict(it);
    kvstoreIteratorRelease(it);
    test_cond("an iterator that only met dicts can be freed", paused(kvs, 0) == 0 && paused(kvs, 1) == 0);
    used = zmalloc_used_memory();
    walk(kvs, 5);
    test_cond("the memory is given back after a walk", zmalloc_used_memory() == used);
    test_cond("a dict in the middle of a walk can rehash again", paused(kvs, 1) == 0);
    walk(kvs, 99);
    test_cond("the last dict can rehash again after a whole walk", paused(kvs, 3) == 0);
    test_cond("no dict is resumed twice",
              paused(kvs, 0) == 0 && paused(kvs, 1) == 0 && paused(kvs, 2) == 0 && paused(kvs, 3) == 0);
    walk(one, 2);
    walk(one, 99);
    test_cond("the only dict can rehash again", paused(one, 0) == 0);
    it = kvstoreIteratorInit(kvs);
    kvstoreIteratorNext(it);
    walk(kvs, 1);
    test_cond("another iterator's pause stays", paused(kvs, 0) == 1);
    kvstoreIteratorRelease(it);
    test_cond("the store keeps its keys",
              kvstoreSize(kvs) == 12 && kvstoreSize(one) == 3 && kvstoreDictFind(kvs, 2, (void *)201));

    kvstoreDictExpand(kvs, 0, 256);
    walk(kvs, 2);
    kvstoreIncrementallyRehash(kvs, 1000);
    kvstoreDictExpand(one, 0, 256);
    walk(one, 99);
    for (int j = 0; j < 600; j++) kvstoreDictFind(one, 0, (void *)1);
    test_cond("a rehashing goes on after the release", kvstoreBuckets(one) == 256);
    test_report();
    return 0;
}
