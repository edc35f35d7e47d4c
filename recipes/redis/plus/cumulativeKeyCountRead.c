/*---
 * tasks: [1D4A8BB4C20DCE3F]
 * instead: [src/kvstore.o]
 * tests:
 *   an empty store has no keys up to any dict: 'Docstring: "total (cumulative) number of keys".'
 *   keys of the dict itself are counted: 'Docstring: "up until given dict-index (inclusive)".'
 *   keys of later dicts are not counted: 'Docstring: "up until given dict-index".'
 *   keys of all earlier dicts are counted: 'Docstring: "total (cumulative) number of keys".'
 *   up to the last dict it is the size of the store: 'Docstring: "total (cumulative) number of keys up until given dict-index (inclusive)".'
 *   each prefix of 64 dicts has its sum: 'Docstring: "total (cumulative) number of keys up until given dict-index (inclusive)".'
 *   each prefix has its sum after keys were deleted: 'Docstring; kvstoreDictDelete keeps the counts.'
 *   each prefix has its sum after the store was emptied: 'Docstring; kvstoreEmpty sets the counts to 0.'
 *   two dicts are enough for a sum: 'kvstore.c: kvstoreCreate makes the tree from two dicts on.'
 *   a single dict gives its size: 'kvstore.c: with one dict there is no tree; kvstoreGetNextNonEmptyDictIndex asks for index 0.'
 *   a single dict that does not exist gives 0: 'kvstore.c: kvstoreScan may meet a store of one dict that was not yet made.'
 *   reading changes nothing: 'Docstring: it only returns a number.'
 ---*/
#include "../kvstore.c"
#include "../testhelp.h"

static uint64_t hashOf(const void *key) { return dictGenHashFunction((unsigned char *)&key, sizeof(key)); }
static dictType type = {.hashFunction = hashOf};
static long next_key = 1;

static void add(kvstore *kvs, int didx, int keys) {
    while (keys--) kvstoreDictAddRaw(kvs, didx, (void *)next_key++, NULL);
}

static int prefixesAreRight(kvstore *kvs) {
    unsigned long long sum = 0;
    for (int j = 0; j < kvstoreNumDicts(kvs); j++) {
        sum += kvstoreDictSize(kvs, j);
        if (cumulativeKeyCountRead(kvs, j) != sum) return 0;
    }
    return 1;
}

int main(void) {
    kvstore *kvs = kvstoreCreate(&type, 4, KVSTORE_ALLOCATE_DICTS_ON_DEMAND);
    test_cond("an empty store has no keys up to any dict",
              cumulativeKeyCountRead(kvs, 0) == 0 && cumulativeKeyCountRead(kvs, 15) == 0 && prefixesAreRight(kvs));
    add(kvs, 6, 3);
    test_cond("keys of the dict itself are counted", cumulativeKeyCountRead(kvs, 6) == 3);
    test_cond("keys of later dicts are not counted", cumulativeKeyCountRead(kvs, 5) == 0);
    add(kvs, 0, 1);
    add(kvs, 10, 7);
    add(kvs, 15, 2);
    test_cond("keys of all earlier dicts are counted",
              cumulativeKeyCountRead(kvs, 9) == 4 && cumulativeKeyCountRead(kvs, 10) == 11 &&
              cumulativeKeyCountRead(kvs, 14) == 11);
    test_cond("up to the last dict it is the size of the store", cumulativeKeyCountRead(kvs, 15) == 13);
    test_cond("reading changes nothing", prefixesAreRight(kvs) && kvstoreSize(kvs) == 13);
    kvstoreRelease(kvs);

    kvs = kvstoreCreate(&type, 6, 0);
    for (int j = 0; j < 64; j++) add(kvs, j, (j * 7) % 5);
    test_cond("each prefix of 64 dicts has its sum", prefixesAreRight(kvs));
    long first = next_key;
    add(kvs, 33, 4);
    add(kvs, 48, 1);
    for (long key = first; key < first + 4; key++) kvstoreDictDelete(kvs, 33, (void *)key);
    test_cond("each prefix has its sum after keys were deleted", prefixesAreRight(kvs));
    kvstoreEmpty(kvs, NULL);
    add(kvs, 20, 2);
    test_cond("each prefix has its sum after the store was emptied",
              prefixesAreRight(kvs) && cumulativeKeyCountRead(kvs, 63) == 2);
    kvstoreRelease(kvs);

    kvs = kvstoreCreate(&type, 1, 0);
    add(kvs, 0, 2);
    add(kvs, 1, 3);
    test_cond("two dicts are enough for a sum",
              cumulativeKeyCountRead(kvs, 0) == 2 && cumulativeKeyCountRead(kvs, 1) == 5);
    kvstoreRelease(kvs);

    kvs = kvstoreCreate(&type, 0, KVSTORE_ALLOCATE_DICTS_ON_DEMAND);
    test_cond("a single dict that does not exist gives 0", cumulativeKeyCountRead(kvs, 0) == 0);
    add(kvs, 0, 5);
    test_cond("a single dict gives its size", cumulativeKeyCountRead(kvs, 0) == 5);
    test_report();
    return 0;
}
