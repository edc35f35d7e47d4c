/*---
 * tasks: [getUpcomingChannelList-3e5a10.16]
 * tests:
 *   few keys use the buffer of the result: 'Comment: "either by using the pre-allocated keysbuf".'
 *   the array is returned: 'Signature; callers fill it.'
 *   as many keys as the buffer has use it: 'server.h: MAX_KEYS_BUFFER.'
 *   more keys are put on the heap: 'Comment: "or by allocating a new array on the heap".'
 *   there is room for all of them: 'Comment: "to hold numkeys".'
 *   the size is known: 'server.h: getKeysResult.size, "Total array size".'
 *   the number of keys stays: 'Comment: callers set numkeys when the result is populated.'
 *   keys of the buffer are kept when it grows: 'Comment: "can be called repeatedly to enlarge the result array".'
 *   keys on the heap are kept when it grows: 'Comment: "can be called repeatedly to enlarge the result array".'
 *   a smaller number leaves the array: 'Comment: "to enlarge the result array".'
 *   no key at all is prepared too: 'getChannelsFromCommand: a command may have none.'
 *   a result with less room is heeded: 'server.h: getKeysResult.size.'
 *   the heap is freed with the result: 'getKeysFreeResult.'
 *   results are apart: 'Each has its buffer.'
 ---*/
#include "start.h"
#include "../testhelp.h"

keyReference *getKeysPrepareResult(getKeysResult *result, int numkeys);

static void fill(getKeysResult *r, int from, int to) {
    for (int j = from; j < to; j++) r->keys[j].pos = j+1, r->keys[j].flags = j*3;
    r->numkeys = to;
}

static int filled(getKeysResult *r, int to) {
    for (int j = 0; j < to; j++) if (r->keys[j].pos != j+1 || r->keys[j].flags != j*3) return 0;
    return 1;
}

int main(void) {
    startRedis();
    getKeysResult r = GETKEYS_RESULT_INIT, s = GETKEYS_RESULT_INIT;
    keyReference *k = getKeysPrepareResult(&r,3);
    test_cond("few keys use the buffer of the result", r.keys == r.keysbuf && r.size == MAX_KEYS_BUFFER);
    test_cond("the array is returned", k == r.keys);
    test_cond("the number of keys stays", r.numkeys == 0);
    fill(&r,0,3);
    k = getKeysPrepareResult(&r,MAX_KEYS_BUFFER);
    test_cond("as many keys as the buffer has use it", k == r.keysbuf && r.size == MAX_KEYS_BUFFER && filled(&r,3) && r.numkeys == 3);
    fill(&r,3,MAX_KEYS_BUFFER);
    k = getKeysPrepareResult(&r,MAX_KEYS_BUFFER+1);
    test_cond("more keys are put on the heap", k == r.keys && r.keys != r.keysbuf);
    test_cond("keys of the buffer are kept when it grows", filled(&r,MAX_KEYS_BUFFER) && r.numkeys == MAX_KEYS_BUFFER);
    test_cond("the size is known", r.size == MAX_KEYS_BUFFER+1);
    fill(&r,MAX_KEYS_BUFFER,MAX_KEYS_BUFFER+1);
    k = getKeysPrepareResult(&r,5000);
    test_cond("there is room for all of them", k == r.keys && zmalloc_size(k) >= 5000*sizeof(keyReference) && r.size == 5000);
    test_cond("keys on the heap are kept when it grows", filled(&r,MAX_KEYS_BUFFER+1) && r.numkeys == MAX_KEYS_BUFFER+1);
    fill(&r,MAX_KEYS_BUFFER+1,5000);
    keyReference *same = getKeysPrepareResult(&r,10);
    test_cond("a smaller number leaves the array", same == k && r.size == 5000 && filled(&r,5000));
    k = getKeysPrepareResult(&s,0);
    test_cond("no key at all is prepared too", k == s.keysbuf && s.numkeys == 0);
    fill(&s,0,2);
    s.keys[0].pos = 99;
    test_cond("results are apart", r.keys[0].pos == 1 && s.keys[0].pos == 99);
    getKeysResult small = GETKEYS_RESULT_INIT;
    small.size = 2;
    k = getKeysPrepareResult(&small,2);
    int buffer = k == small.keysbuf;
    fill(&small,0,2);
    k = getKeysPrepareResult(&small,3);
    test_cond("a result with less room is heeded", buffer && k != small.keysbuf && small.size == 3 && filled(&small,2));
    getKeysFreeResult(&r), getKeysFreeResult(&small), getKeysFreeResult(&s);
    size_t before = zmalloc_used_memory();
    for (int j = 0; j < 20; j++) {
        getKeysResult t = GETKEYS_RESULT_INIT;
        getKeysPrepareResult(&t,10);
        fill(&t,0,10);
        getKeysPrepareResult(&t,300), getKeysPrepareResult(&t,700), getKeysPrepareResult(&t,20);
        getKeysFreeResult(&t);
    }
    test_cond("the heap is freed with the result", zmalloc_used_memory() == before);
    test_report();
    return 0;
}
