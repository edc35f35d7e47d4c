/*---
 * tasks: [9E709D637B4875DE]
 * tests:
 *   rehashing is not over while keys are left in the old table:
 *     'Docstring: "if we already rehashed the whole table".'
 *   rehashing is over once the last key has moved: 'Docstring; caller dictRehash: "otherwise 0 is returned".'
 *   every key is found afterwards: 'Caller dictRehash: keys are moved, not lost.'
 *   the dict has the new number of buckets: 'Caller dictRehash; dict.h: dictBuckets.'
 *   the number of keys stays the same: 'dict.h: dictSize adds both tables.'
 *   the callback runs once when it is over: 'dict.h: dictType.rehashingCompleted.'
 *   the callback does not run before it is over: 'dict.h: dictType.rehashingCompleted.'
 *   the callback still sees both sizes:
 *     'dict.h: "Both ht still exists and are cleaned up after"; dictRehashingInfo asserts it.'
 *   a type without the callback is rehashed too:
 *     'dict.h: dictType.rehashingCompleted is optional, as for most types.'
 *   the dict can grow again: 'dict.c: _dictResize asserts that no rehashing is going on.'
 *   the dict can shrink again: 'dict.c: _dictResize asserts that no rehashing is going on.'
 *   keys can be added and removed afterwards: 'Contract of the dict after rehashing.'
 *   the old table is freed: 'dict.c: dictRelease frees the two tables that the dict has.'
 *   rehashing a single bucket ends it as well: 'Caller _dictBucketRehash.'
 ---*/
#include "../server.h"
#include "../testhelp.h"

int _dictBucketRehash(dict *d, uint64_t idx);

static uint64_t hash(const void *key) {
    return (uint64_t)(uintptr_t)key;
}
static int completed;
static unsigned long long seenFrom, seenTo;
static void onCompleted(dict *d) {
    completed++;
    if (dictIsRehashing(d)) dictRehashingInfo(d,&seenFrom,&seenTo);
}
static dictType plain = {.hashFunction = hash};
static dictType telling = {.hashFunction = hash, .rehashingCompleted = onCompleted};
enum {KEYS = 64};

static int whole(dict *d, long keys) {
    for (long j = 1; j <= keys; j++) if (!dictFind(d,(void*)j)) return 0;
    return 1;
}

static dict *rehashing(dictType *type, unsigned long to) {
    dict *d = dictCreate(type);
    dictExpand(d,KEYS);
    for (long j = 1; j <= KEYS; j++) dictAdd(d,(void*)j,NULL);
    dictExpand(d,to);
    completed = 0;
    return d;
}

/* A body that never says that it is over must not hang the test. */
static void finish(dict *d) {
    for (int j = 0; j < 1000 && dictRehash(d,10); j++) {}
}

int main(void) {
    dict *d = rehashing(&telling,KEYS*8);
    int going = dictRehash(d,1) == 1 && dictIsRehashing(d) && dictRehash(d,KEYS/2) == 1 && dictIsRehashing(d);
    test_cond("rehashing is not over while keys are left in the old table", going);
    test_cond("the callback does not run before it is over", completed == 0);
    int over = dictRehash(d,KEYS) == 0 && !dictIsRehashing(d);
    test_cond("rehashing is over once the last key has moved", over);
    test_cond("the callback runs once when it is over", completed == 1);
    test_cond("the callback still sees both sizes", seenFrom == KEYS && seenTo == KEYS*8);
    test_cond("the number of keys stays the same", dictSize(d) == KEYS);
    test_cond("the dict has the new number of buckets", dictBuckets(d) == KEYS*8);
    test_cond("every key is found afterwards", whole(d,KEYS));

    completed = 0;
    int grown = dictExpand(d,KEYS*64) == DICT_OK && dictIsRehashing(d);
    finish(d);
    test_cond("the dict can grow again", grown && completed == 1 && dictBuckets(d) == KEYS*64 && whole(d,KEYS) &&
              seenFrom == KEYS*8 && seenTo == KEYS*64);
    int shrunk = dictShrink(d,KEYS) == DICT_OK && dictIsRehashing(d);
    finish(d);
    test_cond("the dict can shrink again", shrunk && dictBuckets(d) == KEYS && dictSize(d) == KEYS && whole(d,KEYS));
    dictRelease(d);

    d = rehashing(&plain,KEYS*4);
    finish(d);
    test_cond("a type without the callback is rehashed too", !dictIsRehashing(d) && dictBuckets(d) == KEYS*4 &&
              whole(d,KEYS));
    int worked = 1;
    for (long j = KEYS+1; j <= KEYS*6; j++) if (dictAdd(d,(void*)j,NULL) != DICT_OK) worked = 0;
    for (long j = 1; j <= KEYS*6; j += 2) if (dictDelete(d,(void*)j) != DICT_OK) worked = 0;
    test_cond("keys can be added and removed afterwards", worked && dictSize(d) == KEYS*3 &&
              dictFind(d,(void*)2) && !dictFind(d,(void*)3));
    dictRelease(d);

    size_t before = zmalloc_used_memory();
    for (int j = 0; j < 20; j++) {
        d = rehashing(&plain,KEYS*4);
        finish(d);
        dictRelease(d);
    }
    test_cond("the old table is freed", zmalloc_used_memory() == before);

    d = dictCreate(&telling);
    dictExpand(d,8);
    dictAdd(d,(void*)5L,NULL);
    dictExpand(d,32);
    completed = 0;
    _dictBucketRehash(d,1);
    int early = completed;
    _dictBucketRehash(d,5);
    test_cond("rehashing a single bucket ends it as well", early == 0 && completed == 1 && !dictIsRehashing(d) &&
              dictBuckets(d) == 32 && dictFind(d,(void*)5L));
    dictRelease(d);
    test_report();
    return 0;
}
