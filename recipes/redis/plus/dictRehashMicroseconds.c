/*---
 * tasks: [561120EE41B27B2E]
 * tests:
 *   with time enough the rehashing is finished: 'Docstring: "Rehash in us+delta microseconds".'
 *   every key is still there: 'Docstring: it rehashes; dict.c: dictRehash moves keys.'
 *   it stops once the time is over: 'Docstring: "Rehash in us+delta microseconds".'
 *   with no time left a first part is still rehashed: 'Docstring: "delta is larger than 0".'
 *   calls go on where the last one stopped: 'Caller kvstoreIncrementallyRehash calls it until a dict is done.'
 *   while rehashing is paused nothing moves: 'dict.h: dictPauseRehashing; _dictRehashStep: "only if not paused".'
 *   two safe iterators pause it as well: 'dict.h: pauserehash > 0 means paused, it is a count.'
 *   once no iterator is left it goes on: 'dict.h: dictResumeRehashing.'
 *   a dict that is not rehashing is left alone: 'Docstring: "Rehash"; dict.h: dictIsRehashing.'
 *   it goes on while there is time: 'Docstring: "Rehash in us+delta microseconds".'
 ---*/
#include "../server.h"
#include "../testhelp.h"

/* The clock is ours, and goes on by one tick at each look. */
static monotime now, tick;
static monotime plusClock(void) {
    return now += tick;
}

static uint64_t hash(const void *key) {
    return (uint64_t)(uintptr_t)key*2654435761u;
}
static dictType type = {.hashFunction = hash};
enum {KEYS = 16384};

/* A dict with many keys that has begun to be rehashed. */
static dict *rehashing(void) {
    dict *d = dictCreate(&type);
    dictExpand(d,KEYS);
    for (long j = 1; j <= KEYS; j++) dictAdd(d,(void*)j,NULL);
    dictExpand(d,KEYS*4);
    return d;
}

static int whole(dict *d) {
    for (long j = 1; j <= KEYS; j++) if (!dictFind(d,(void*)j)) return 0;
    return dictSize(d) == KEYS;
}

int main(void) {
    getMonotonicUs = plusClock;
    tick = 0;
    dict *d = rehashing();
    dictRehashMicroseconds(d,1000000);
    test_cond("with time enough the rehashing is finished", !dictIsRehashing(d) && dictBuckets(d) == KEYS*4);
    test_cond("every key is still there", whole(d));
    dictRehashMicroseconds(d,1000);
    test_cond("a dict that is not rehashing is left alone", !dictIsRehashing(d) && dictBuckets(d) == KEYS*4);
    dictRelease(d);

    d = rehashing();
    tick = 1000;
    dictRehashMicroseconds(d,2000);
    long moved = d->rehashidx;
    test_cond("it stops once the time is over", dictIsRehashing(d) && moved < KEYS/4);
    dictRelease(d);

    d = rehashing();
    dictRehashMicroseconds(d,0);
    test_cond("with no time left a first part is still rehashed", d->rehashidx > 0 && dictIsRehashing(d));
    long first = d->rehashidx, rounds = 0;
    int forward = 1;
    while (dictIsRehashing(d) && rounds++ < KEYS) {
        long before = d->rehashidx;
        dictRehashMicroseconds(d,0);
        if (dictIsRehashing(d) && d->rehashidx <= before) forward = 0;
    }
    test_cond("calls go on where the last one stopped", forward && first > 0 && !dictIsRehashing(d) && whole(d));
    dictRelease(d);

    /* Thirty looks at the clock fit, and more than one round comes before each. */
    d = rehashing();
    tick = 10;
    dictRehashMicroseconds(d,300);
    test_cond("it goes on while there is time", d->rehashidx >= 1500 || !dictIsRehashing(d));
    dictRelease(d);

    d = rehashing();
    tick = 0;
    dictIterator *one = dictGetSafeIterator(d), *two = dictGetSafeIterator(d);
    dictNext(one);
    long before = d->rehashidx;
    dictRehashMicroseconds(d,1000);
    test_cond("while rehashing is paused nothing moves", d->rehashidx == before);
    dictNext(two);
    dictRehashMicroseconds(d,1000);
    test_cond("two safe iterators pause it as well", d->rehashidx == before && dictIsRehashing(d));
    dictReleaseIterator(one);
    dictRehashMicroseconds(d,1000);
    int still = d->rehashidx == before;
    dictReleaseIterator(two);
    dictRehashMicroseconds(d,1000);
    test_cond("once no iterator is left it goes on", still && !dictIsRehashing(d));
    dictRelease(d);
    test_report();
    return 0;
}
