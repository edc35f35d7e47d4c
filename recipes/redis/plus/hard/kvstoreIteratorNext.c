/*---
 * tasks: [pubsubCommand-4e2acb.16]
 * tests:
 *   each entry comes once: 'Comment: "Returns next entry".'
 *   those of a dict come together, dict by dict: 'kvstoreIteratorNextDict: "Returns next dictionary from the iterator".'
 *   NULL at the end and again after it: 'Callers: while ((de = kvstoreIteratorNext(it)) != NULL).'
 *   an empty store has no entry: 'Callers: databases without keys.'
 *   a store of a single dict: 'kvstoreCreate: num_dicts_bits 0.'
 *   "the current dict's index is told": 'kvstoreIteratorGetCurrentDictIndex.'
 *   the entry that came may be deleted: 'dict.h: a safe iterator; callers delete keys.'
 *   all entries may be deleted: 'The same.'
 *   dicts that are rehashed give each entry once: 'dict.c: safe iterators pause rehashing.'
 *   "only the current dict's rehashing is paused": 'dict.c: dictResetIterator resumes it.'
 *   after the release no dict is paused: 'kvstoreIteratorRelease.'
 *   two iterators do not disturb each other: 'All state is in the iterator.'
 *   nothing is left behind: 'kvstoreIteratorRelease.'
 ---*/
#include "kvstoretest.h"

/* How often each number came; whether the dicts came in one piece each. */
static int seen[16000], pieces, indices;
static int walk(kvstore *kvs, int delete) {
    memset(seen,0,sizeof(seen));
    int n = 0, last = -1, visited[16] = {0};
    pieces = indices = 1;
    kvstoreIterator *it = kvstoreIteratorInit(kvs);
    dictEntry *de;
    while (n < 20000 && (de = kvstoreIteratorNext(it)) != NULL) {
        int number = atoi(dictGetKey(de)), didx = number/1000;
        seen[number]++;
        n++;
        indices &= kvstoreIteratorGetCurrentDictIndex(it) == didx;
        if (didx != last) {
            pieces &= !visited[didx];
            visited[didx] = 1;
            last = didx;
        }
        if (delete == 1 || (delete == 2 && number % 2)) kvstoreDictDelete(kvs,didx,dictGetKey(de));
    }
    kvstoreIteratorRelease(it);
    return n;
}

static int once(const char *dicts, int keys) {
    int right = 1;
    for (int n = 0; n < 16000; n++) right &= seen[n] == (strchr(dicts,'a'+n/1000) && n % 1000 < keys);
    return right;
}

int main(void) {
    int each = 1, together = 1, index = 1, flags[] = {0,KVSTORE_ALLOCATE_DICTS_ON_DEMAND,
               KVSTORE_ALLOCATE_DICTS_ON_DEMAND|KVSTORE_FREE_EMPTY_DICTS};
    const char *dicts[] = {"a","p","ap","cdk","abcdefghijklmnop","bp"};
    for (int f = 0; f < 3; f++) {
        for (int d = 0; d < 6; d++) {
            kvstore *kvs = storeOf(dicts[d],13,flags[f]);
            each &= walk(kvs,0) == 13*(int)strlen(dicts[d]) && once(dicts[d],13);
            together &= pieces;
            index &= indices;
            kvstoreRelease(kvs);
        }
    }
    test_cond("each entry comes once", each);
    test_cond("those of a dict come together, dict by dict", together);
    test_cond("the current dict's index is told", index);
    kvstore *kvs = storeOf("ck",2,0), *none = storeOf("",0,0), *demand = storeOf("",0,KVSTORE_ALLOCATE_DICTS_ON_DEMAND);
    kvstoreIterator *it = kvstoreIteratorInit(kvs), *other;
    for (int j = 0; j < 4; j++) kvstoreIteratorNext(it);
    test_cond("NULL at the end and again after it", !kvstoreIteratorNext(it) && !kvstoreIteratorNext(it) &&
              !kvstoreIteratorNext(it));
    kvstoreIteratorRelease(it);
    test_cond("an empty store has no entry", walk(none,0) == 0 && walk(demand,0) == 0);
    kvstore *one = kvstoreCreate(&numberType,0,0);
    for (int j = 0; j < 50; j++) addNumber(one,0,j);
    test_cond("a store of a single dict", walk(one,0) == 50 && once("a",50));
    int deleted = 1, all = 1;
    for (int f = 0; f < 3; f++) {
        kvstore *k = storeOf("adp",40,flags[f]);
        deleted &= walk(k,2) == 120 && once("adp",40) && kvstoreSize(k) == 60;
        all &= walk(k,1) == 60 && kvstoreSize(k) == 0 && walk(k,0) == 0;
        kvstoreRelease(k);
    }
    test_cond("the entry that came may be deleted", deleted);
    test_cond("all entries may be deleted", all);
    int rehashed = 1, paused = 1, resumed = 1;
    kvstore *k = storeOf("bfo",65,0);
    kvstoreIterator *dit = kvstoreIteratorInit(k);
    dict *d[3];
    for (int j = 0; j < 3; j++) d[j] = kvstoreIteratorNextDict(dit);
    kvstoreIteratorRelease(dit);
    rehashed &= dictIsRehashing(d[0]) || dictIsRehashing(d[1]) || dictExpand(d[1],512) == DICT_OK;
    rehashed &= walk(k,0) == 195 && once("bfo",65);
    it = kvstoreIteratorInit(k);
    for (int j = 0; j < 70; j++) kvstoreIteratorNext(it);
    paused &= d[0]->pauserehash == 0 && d[1]->pauserehash > 0 && d[2]->pauserehash == 0;
    kvstoreIteratorRelease(it);
    resumed &= d[0]->pauserehash == 0 && d[1]->pauserehash == 0 && d[2]->pauserehash == 0;
    test_cond("dicts that are rehashed give each entry once", rehashed);
    test_cond("only the current dict's rehashing is paused", paused);
    test_cond("after the release no dict is paused", resumed);
    it = kvstoreIteratorInit(k);
    other = kvstoreIteratorInit(k);
    int same = 1;
    for (int j = 0; j < 195; j++) same &= kvstoreIteratorNext(it) == kvstoreIteratorNext(other);
    test_cond("two iterators do not disturb each other", same && !kvstoreIteratorNext(it) && !kvstoreIteratorNext(other));
    kvstoreIteratorRelease(it);
    kvstoreIteratorRelease(other);
    size_t before = zmalloc_used_memory();
    for (int j = 0; j < 10; j++) walk(kvs,0), walk(none,0);
    test_cond("nothing is left behind", zmalloc_used_memory() == before);
    test_report();
    return 0;
}
