/*---
 * tasks: [53097E4BA66791C4]
 * tests:
 *   no empty dict is drawn: 'Docstring: "it returns a dict-index of a non-empty dict".'
 *   every dict that holds keys is drawn: 'Docstring: "probability of each dict being returned is proportional to the number of elements".'
 *   a dict with one key in sixteen is drawn so often: 'Docstring: "probability of each dict being returned is proportional to the number of elements".'
 *   a dict with two keys in sixteen is drawn so often: 'Docstring: "probability of each dict being returned is proportional to the number of elements".'
 *   a dict with five keys in sixteen is drawn so often: 'Docstring: "probability of each dict being returned is proportional to the number of elements".'
 *   a dict with eight keys in sixteen is drawn so often: 'Docstring: "probability of each dict being returned is proportional to the number of elements".'
 *   two dicts with one key each are drawn alike: 'Docstring: "probability of each dict being returned is proportional to the number of elements".'
 *   one key in the last dict gives the last dict: 'Docstring: "guarantees that it returns a dict-index of a non-empty dict".'
 *   one key in the first dict gives the first dict: 'Docstring: "guarantees that it returns a dict-index of a non-empty dict".'
 *   the only dict of a store is index 0: 'evict.c, db.c: without a cluster a store has one dict.'
 *   dicts that were never made are not drawn: 'kvstore.h: KVSTORE_ALLOCATE_DICTS_ON_DEMAND.'
 *   a dict that became empty is not drawn: 'Docstring: "guarantees that it returns a dict-index of a non-empty dict".'
 *   an empty store is no error: 'Docstring: "unless the entire kvstore is empty", which it must survive.'
 *   the store is left as it was: 'Docstring: it only returns an index.'
 ---*/
#include "../server.h"
#include "../mt19937-64.h"
#include "../testhelp.h"

#define DRAWS 16000

static uint64_t hashOf(const void *key) { return dictGenHashFunction((unsigned char *)&key, sizeof(key)); }
static dictType type = {.hashFunction = hashOf};
static int drawn[8];

static void add(kvstore *kvs, int didx, int keys) {
    for (int k = 1; k <= keys; k++) kvstoreDictAddRaw(kvs, didx, (void *)(long)k, NULL);
}

/* Counts what is drawn, in `drawn`; false if an index is out of range. */
static int draw(kvstore *kvs, int times) {
    memset(drawn, 0, sizeof(drawn));
    while (times--) {
        int didx = kvstoreGetFairRandomDictIndex(kvs);
        if (didx < 0 || didx >= kvstoreNumDicts(kvs)) return 0;
        drawn[didx]++;
    }
    return 1;
}

/* Five standard deviations and more, for each of the expected shares. */
static int about(int times, int expected) {
    return times > expected * 0.8 && times < expected * 1.2;
}

int main(void) {
    init_genrand64(20240607);
    kvstore *kvs = kvstoreCreate(&type, 3, 0);
    test_cond("an empty store is no error", (kvstoreGetFairRandomDictIndex(kvs), 1));
    add(kvs, 1, 1);
    add(kvs, 3, 2);
    add(kvs, 4, 5);
    add(kvs, 6, 8);
    int in_range = draw(kvs, DRAWS);
    test_cond("no empty dict is drawn",
              in_range && drawn[0] == 0 && drawn[2] == 0 && drawn[5] == 0 && drawn[7] == 0);
    test_cond("every dict that holds keys is drawn", drawn[1] && drawn[3] && drawn[4] && drawn[6]);
    test_cond("a dict with one key in sixteen is drawn so often", about(drawn[1], DRAWS / 16));
    test_cond("a dict with two keys in sixteen is drawn so often", about(drawn[3], DRAWS * 2 / 16));
    test_cond("a dict with five keys in sixteen is drawn so often", about(drawn[4], DRAWS * 5 / 16));
    test_cond("a dict with eight keys in sixteen is drawn so often", about(drawn[6], DRAWS * 8 / 16));
    test_cond("the store is left as it was", kvstoreSize(kvs) == 16 && kvstoreDictSize(kvs, 4) == 5);
    for (long k = 1; k <= 8; k++) kvstoreDictDelete(kvs, 6, (void *)k);
    in_range = draw(kvs, 500);
    test_cond("a dict that became empty is not drawn", in_range && drawn[6] == 0 && drawn[4] > 0);
    kvstoreRelease(kvs);

    kvs = kvstoreCreate(&type, 3, KVSTORE_ALLOCATE_DICTS_ON_DEMAND);
    add(kvs, 7, 1);
    test_cond("one key in the last dict gives the last dict", draw(kvs, 200) && drawn[7] == 200);
    add(kvs, 2, 1);
    in_range = draw(kvs, 2000);
    test_cond("two dicts with one key each are drawn alike", in_range && about(drawn[2], 1000) && about(drawn[7], 1000));
    test_cond("dicts that were never made are not drawn", in_range && drawn[2] + drawn[7] == 2000);
    kvstoreRelease(kvs);

    kvs = kvstoreCreate(&type, 3, 0);
    add(kvs, 0, 1);
    test_cond("one key in the first dict gives the first dict", draw(kvs, 200) && drawn[0] == 200);
    kvstoreRelease(kvs);

    kvs = kvstoreCreate(&type, 0, 0);
    add(kvs, 0, 3);
    test_cond("the only dict of a store is index 0", draw(kvs, 200) && drawn[0] == 200);
    test_report();
    return 0;
}
