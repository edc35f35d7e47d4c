/*---
 * tasks: [BB017E58605FED92]
 * tests:
 *   a store without dicts is complete at once: 'Docstring: "NULL if iteration is complete"; KVSTORE_ALLOCATE_DICTS_ON_DEMAND.'
 *   the first dict that holds keys comes first: 'kvstore.c: kvstoreIteratorInit starts at the "first non-empty dict index".'
 *   dicts come in the order of their index: 'Docstring: the "next dictionary".'
 *   every dict that holds keys comes once: 'Docstring: the "next dictionary" until the iteration is complete.'
 *   empty dicts are left out: 'kvstore.c: kvstoreIteratorInit and kvstoreIteratorNext count on dicts that hold keys.'
 *   the current index is that of the returned dict: 'kvstore.h: kvstoreIteratorGetCurrentDictIndex.'
 *   after the last dict comes NULL: 'Docstring: "NULL if iteration is complete".'
 *   NULL comes again and again: 'Docstring: "NULL if iteration is complete".'
 *   the current index stays at the last dict: 'kvstore.c: kvstoreIteratorGetCurrentDictIndex asserts a valid index; rdb.c asks for it.'
 *   the only dict of a store comes once: 'Docstring; without a cluster a store has one dict.'
 *   the first and the last dict come: 'Docstring: dicts are numbered from 0 to num_dicts - 1.'
 *   keys are met once each across all dicts: 'kvstore.c: kvstoreIteratorNext takes the dicts one after the other.'
 *   two iterators are independent: 'kvstore.h: the state is in kvstoreIterator.'
 *   the current dict may be emptied: 'kvstore.h: KVSTORE_FREE_EMPTY_DICTS frees it; the next one comes all the same.'
 ---*/
#include "../server.h"
#include "../testhelp.h"

static uint64_t hashOf(const void *key) { return dictGenHashFunction((unsigned char *)&key, sizeof(key)); }
static dictType type = {.hashFunction = hashOf};

/* A store with `keys[j]` keys in dict j. Each key is unique: the dict's index times 100, and more. */
static kvstore *store(int bits, int flags, const int *keys) {
    kvstore *kvs = kvstoreCreate(&type, bits, flags);
    for (int j = 0; j < 1 << bits; j++)
        for (int k = 1; k <= keys[j]; k++) kvstoreDictAddRaw(kvs, j, (void *)(long)(j * 100 + k), NULL);
    return kvs;
}

static int firstIsNull(kvstore *kvs) {
    kvstoreIterator *it = kvstoreIteratorInit(kvs);
    int null = kvstoreIteratorNextDict(it) == NULL;
    kvstoreIteratorRelease(it);
    kvstoreRelease(kvs);
    return null;
}

int main(void) {
    const int none[8] = {0}, some[8] = {0, 3, 0, 0, 1, 2, 0, 4}, ends[8] = {1, 0, 0, 0, 0, 0, 0, 1}, one[1] = {6};
    monotonicInit();
    test_cond("a store without dicts is complete at once",
              firstIsNull(store(0, KVSTORE_ALLOCATE_DICTS_ON_DEMAND, none)) &&
              firstIsNull(store(3, KVSTORE_ALLOCATE_DICTS_ON_DEMAND, none)));

    for (int flags = 0; flags < 2; flags++) {
        kvstore *kvs = store(3, flags ? KVSTORE_ALLOCATE_DICTS_ON_DEMAND : 0, some);
        kvstoreIterator *it = kvstoreIteratorInit(kvs), *second = kvstoreIteratorInit(kvs);
        int order[9], sizes[9], n = 0;
        dict *d;
        while (n < 9 && (d = kvstoreIteratorNextDict(it)) != NULL) {
            order[n] = kvstoreIteratorGetCurrentDictIndex(it);
            sizes[n++] = dictSize(d);
        }
        if (flags) {
            test_cond("every dict that holds keys comes once", n == 4 && order[3] == 7);
            d = kvstoreIteratorNextDict(second);
            test_cond("two iterators are independent",
                      d && dictSize(d) == 3 && kvstoreIteratorGetCurrentDictIndex(second) == 1);
        } else {
            test_cond("the first dict that holds keys comes first", n > 0 && order[0] == 1 && sizes[0] == 3);
            test_cond("empty dicts are left out", n == 4);
            test_cond("dicts come in the order of their index",
                      n == 4 && sizes[1] == 1 && sizes[2] == 2 && sizes[3] == 4);
            test_cond("the current index is that of the returned dict",
                      n == 4 && order[1] == 4 && order[2] == 5 && order[3] == 7);
            test_cond("after the last dict comes NULL", n == 4 && kvstoreIteratorNextDict(it) == NULL);
            test_cond("NULL comes again and again",
                      kvstoreIteratorNextDict(it) == NULL && kvstoreIteratorNextDict(it) == NULL);
            test_cond("the current index stays at the last dict", kvstoreIteratorGetCurrentDictIndex(it) == 7);
        }
        kvstoreIteratorRelease(it);
        kvstoreIteratorRelease(second);
        it = kvstoreIteratorInit(kvs);
        long sum = 0;
        dictEntry *de;
        n = 0;
        while (n < 99 && (de = kvstoreIteratorNext(it)) != NULL) {
            sum += (long)dictGetKey(de);
            n++;
        }
        kvstoreIteratorRelease(it);
        if (flags) test_cond("keys are met once each across all dicts",
                             n == 10 && sum == 3 * 100 + 6 + 400 + 1 + 2 * 500 + 3 + 4 * 700 + 10);
        kvstoreRelease(kvs);
    }

    kvstore *kvs = store(0, 0, one);
    kvstoreIterator *it = kvstoreIteratorInit(kvs);
    dict *d = kvstoreIteratorNextDict(it);
    test_cond("the only dict of a store comes once",
              d && dictSize(d) == 6 && kvstoreIteratorGetCurrentDictIndex(it) == 0 && !kvstoreIteratorNextDict(it));
    kvstoreIteratorRelease(it);
    kvstoreRelease(kvs);

    kvs = store(3, 0, ends);
    it = kvstoreIteratorInit(kvs);
    d = kvstoreIteratorNextDict(it);
    int first = kvstoreIteratorGetCurrentDictIndex(it);
    dict *e = kvstoreIteratorNextDict(it);
    test_cond("the first and the last dict come", d && e && d != e && first == 0 &&
              kvstoreIteratorGetCurrentDictIndex(it) == 7 && !kvstoreIteratorNextDict(it));
    kvstoreIteratorRelease(it);
    kvstoreRelease(kvs);

    kvs = store(3, KVSTORE_ALLOCATE_DICTS_ON_DEMAND | KVSTORE_FREE_EMPTY_DICTS, some);
    it = kvstoreIteratorInit(kvs);
    kvstoreIteratorNextDict(it);
    for (long key = 101; key <= 103; key++) kvstoreDictDelete(kvs, 1, (void *)key);
    d = kvstoreIteratorNextDict(it);
    test_cond("the current dict may be emptied", d && kvstoreIteratorGetCurrentDictIndex(it) == 4);
    test_report();
    return 0;
}
