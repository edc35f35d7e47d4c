/*---
 * tasks: [4301A1FCF0E2E43E]
 * tests:
 *   the next dict with keys is found: 'Docstring: "Returns next non-empty dict index strictly after given one".'
 *   empty dicts between are skipped: 'Docstring: "next non-empty dict".'
 *   the given dict itself is not returned: 'Docstring: "strictly after given one".'
 *   it need not hold keys itself: 'Docstring: strictly after the given one; caller kvstoreScan.'
 *   after the last dict with keys it is -1: 'Docstring: "or -1 if provided didx is the last one".'
 *   after the very last dict it is -1: 'Docstring: "or -1 if provided didx is the last one".'
 *   in an empty store it is -1: 'Docstring: there is no next non-empty dict; caller kvstoreScan: -1 ends the scan.'
 *   in a store of one dict it is -1: 'Docstring: "or -1"; caller kvstoreIteratorNextDict ends there.'
 *   a dict whose keys were all removed is skipped: 'Docstring: "next non-empty dict".'
 *   a walk from dict to dict visits each with keys once: 'Caller kvstoreIteratorNextDict.'
 *   the store is left as it is: 'Docstring: it returns an index.'
 ---*/
#include "../server.h"
#include "../testhelp.h"

static uint64_t hash(const void *key) {
    return (uint64_t)(uintptr_t)key;
}
static dictType type = {.hashFunction = hash};

static void add(kvstore *kvs, int didx, long keys) {
    while (keys) kvstoreDictAddRaw(kvs,didx,(void*)keys--,NULL);
}

int main(void) {
    kvstore *kvs = kvstoreCreate(&type,4,KVSTORE_ALLOCATE_DICTS_ON_DEMAND);
    int none = 1;
    for (int j = 0; j < 16; j++) if (kvstoreGetNextNonEmptyDictIndex(kvs,j) != -1) none = 0;
    test_cond("in an empty store it is -1", none);

    add(kvs,2,1);
    add(kvs,3,40);
    add(kvs,9,2);
    add(kvs,12,7);
    int next = kvstoreGetNextNonEmptyDictIndex(kvs,2), far = kvstoreGetNextNonEmptyDictIndex(kvs,3);
    test_cond("the next dict with keys is found", next == 3);
    test_cond("the given dict itself is not returned", next != 2 && far != 3);
    test_cond("empty dicts between are skipped", far == 9 && kvstoreGetNextNonEmptyDictIndex(kvs,9) == 12);
    int zero = kvstoreGetNextNonEmptyDictIndex(kvs,0), one = kvstoreGetNextNonEmptyDictIndex(kvs,1);
    test_cond("it need not hold keys itself", zero == 2 && one == 2 && kvstoreGetNextNonEmptyDictIndex(kvs,5) == 9);
    next = kvstoreGetNextNonEmptyDictIndex(kvs,12);
    test_cond("after the last dict with keys it is -1", next == -1 && kvstoreGetNextNonEmptyDictIndex(kvs,13) == -1);
    int before = kvstoreGetNextNonEmptyDictIndex(kvs,15);
    add(kvs,15,1);
    next = kvstoreGetNextNonEmptyDictIndex(kvs,14);
    test_cond("after the very last dict it is -1", before == -1 && next == 15 &&
              kvstoreGetNextNonEmptyDictIndex(kvs,15) == -1);

    int expected[] = {2,3,9,12,15}, right = 1, n = 0;
    add(kvs,0,1);
    for (int didx = 0; (didx = kvstoreGetNextNonEmptyDictIndex(kvs,didx)) != -1 && n < 16; n++)
        if (n >= 5 || didx != expected[n]) right = 0;
    test_cond("a walk from dict to dict visits each with keys once", right && n == 5);

    kvstoreDictDelete(kvs,9,(void*)1L);
    kvstoreDictDelete(kvs,9,(void*)2L);
    kvstoreDictDelete(kvs,15,(void*)1L);
    next = kvstoreGetNextNonEmptyDictIndex(kvs,3);
    test_cond("a dict whose keys were all removed is skipped", next == 12 &&
              kvstoreGetNextNonEmptyDictIndex(kvs,12) == -1);
    test_cond("the store is left as it is", kvstoreSize(kvs) == 1+1+40+7 && kvstoreDictSize(kvs,12) == 7);

    kvstore *single = kvstoreCreate(&type,0,0);
    int empty = kvstoreGetNextNonEmptyDictIndex(single,0);
    add(single,0,5);
    test_cond("in a store of one dict it is -1", empty == -1 && kvstoreGetNextNonEmptyDictIndex(single,0) == -1);
    test_report();
    return 0;
}
