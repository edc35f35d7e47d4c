/*---
 * tasks: [expireSlaveKeys-f8757a.4, expireSlaveKeys-f8757a.8, expireSlaveKeys-f8757a.16]
 * instead: [src/kvstore.o]
 * tests:
 *   a store without rehashing gives 0: 'Comment: "returns the amount of microsecs spent if some rehashing was performed, otherwise 0".'
 *   an empty store gives 0: 'Comment: "otherwise 0 is returned".'
 *   a dict that is rehashing is brought to its end: 'Comment: "rehash as many dictionaries as we can before reaching predefined threshold".'
 *   the list of rehashing dicts is empty then: 'Comment: "after each dictionary completes rehashing, it removes itself from the list".'
 *   all rehashing dicts are done in one call: 'Comment: "as many dictionaries as we can".'
 *   dicts that were not rehashing stay as they are: 'Comment: it is about the list of rehashing dicts.'
 *   the buckets are those of the new tables: 'kvstoreDictRehashingCompleted: "removes the old ht size".'
 *   all keys are still found: 'Comment: "incremental rehashing".'
 *   the time it gives is not longer than the call took: 'Comment: "returns the amount of microsecs spent".'
 *   a short time is not enough for a large dict: 'Argument threshold_us: "before reaching predefined threshold".'
 *   when it stops for the time it gives at least the threshold: 'Caller databasesCron: "elapsed_us >= INCREMENTAL_REHASHING_THRESHOLD_US" ends its turn.'
 *   some rehashing is done in a short time: 'Comment: "to perform some rehashing".'
 *   call after call a large dict is done: 'Comment: incrementally.'
 *   where no rehashing is allowed it still returns: 'Comment: "Reached the time limit"; dict.h: DICT_RESIZE_FORBID.'
 *   a store with a single dict is served too: 'kvstoreCreate: "0 for 1 dict"; databases without cluster have one.'
 *   after all is done it gives 0 again: 'Comment: "otherwise 0 is returned".'
 ---*/
#include "../kvstore.c"
#include "../testhelp.h"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static uint64_t hashOf(const void *key) { return dictGenHashFunction((unsigned char *)&key, sizeof(key)); }
static dictType type = {.hashFunction = hashOf};

/* Lets a dict of so many keys begin to rehash. */
static void begin(kvstore *kvs, int didx, long keys, unsigned long grow) {
    kvstoreDictExpand(kvs, didx, keys);
    for (long j = 1; j <= keys; j++) kvstoreDictAddRaw(kvs, didx, (void *)j, NULL);
    if (grow) kvstoreDictExpand(kvs, didx, grow);
}

static int rehashing(kvstore *kvs) {
    int n = 0;
    for (int j = 0; j < kvs->num_dicts; j++) n += kvs->dicts[j] && dictIsRehashing(kvs->dicts[j]);
    return n;
}

static int complete(kvstore *kvs, int didx, long keys) {
    if (kvstoreDictSize(kvs, didx) != (unsigned long)keys) return 0;
    for (long j = 1; j <= keys; j++) if (!kvstoreDictFind(kvs, didx, (void *)j)) return 0;
    return 1;
}

int main(void) {
    monotonicInit();
    alarm(60);
    kvstore *kvs = kvstoreCreate(&type, 4, KVSTORE_ALLOCATE_DICTS_ON_DEMAND);
    test_cond("an empty store gives 0", kvstoreIncrementallyRehash(kvs, 1000) == 0);
    begin(kvs, 3, 100, 0);
    test_cond("a store without rehashing gives 0", kvstoreIncrementallyRehash(kvs, 1000) == 0 && rehashing(kvs) == 0);
    begin(kvs, 7, 1000, 4000);
    int before = rehashing(kvs);
    monotime timer;
    elapsedStart(&timer);
    uint64_t us = kvstoreIncrementallyRehash(kvs, 10000000);
    uint64_t took = elapsedUs(timer);
    test_cond("a dict that is rehashing is brought to its end", before == 1 && rehashing(kvs) == 0);
    test_cond("the list of rehashing dicts is empty then", listLength(kvs->rehashing) == 0);
    test_cond("the time it gives is not longer than the call took", us <= took);
    test_cond("after all is done it gives 0 again", kvstoreIncrementallyRehash(kvs, 10000000) == 0);
    begin(kvs, 0, 500, 2000);
    begin(kvs, 5, 300, 2000);
    begin(kvs, 9, 700, 4000);
    begin(kvs, 15, 900, 4000);
    before = rehashing(kvs);
    kvstoreIncrementallyRehash(kvs, 10000000);
    test_cond("all rehashing dicts are done in one call", before == 4 && rehashing(kvs) == 0 &&
              listLength(kvs->rehashing) == 0);
    test_cond("dicts that were not rehashing stay as they are", kvstoreDictSize(kvs, 3) == 100 && !kvs->dicts[1] &&
              dictBuckets(kvs->dicts[3]) == 128);
    unsigned long sum = 0;
    for (int j = 0; j < 16; j++) if (kvs->dicts[j]) sum += dictBuckets(kvs->dicts[j]);
    test_cond("the buckets are those of the new tables",
              kvstoreBuckets(kvs) == sum);
    test_cond("all keys are still found", complete(kvs, 3, 100) && complete(kvs, 7, 1000) && complete(kvs, 0, 500) &&
              complete(kvs, 5, 300) && complete(kvs, 9, 700) && complete(kvs, 15, 900));
    kvstoreRelease(kvs);

    kvs = kvstoreCreate(&type, 1, 0);
    begin(kvs, 1, 120000, 300000);
    before = rehashing(kvs);
    us = kvstoreIncrementallyRehash(kvs, 1);
    long moved = dictIsRehashing(kvs->dicts[1]) ? (long)kvs->dicts[1]->ht_used[1] : 120000;
    test_cond("a short time is not enough for a large dict", before == 1 && moved < 3000);
    test_cond("some rehashing is done in a short time", before == 1 && moved > 0);
    test_cond("when it stops for the time it gives at least the threshold", rehashing(kvs) == 1 && us >= 1);
    for (int j = 0; j < 200000 && rehashing(kvs); j++) kvstoreIncrementallyRehash(kvs, 50);
    test_cond("call after call a large dict is done", rehashing(kvs) == 0 && complete(kvs, 1, 120000));
    kvstoreRelease(kvs);

    kvs = kvstoreCreate(&type, 0, 0);
    begin(kvs, 0, 1000, 4000);
    dictSetResizeEnabled(DICT_RESIZE_FORBID);
    kvstoreIncrementallyRehash(kvs, 100);
    int stays = rehashing(kvs) == 1;
    dictSetResizeEnabled(DICT_RESIZE_ENABLE);
    test_cond("where no rehashing is allowed it still returns", stays);
    kvstoreIncrementallyRehash(kvs, 10000000);
    test_cond("a store with a single dict is served too", rehashing(kvs) == 0 && complete(kvs, 0, 1000));
    test_report();
    return 0;
}
