/*---
 * tasks: [8AF415B62FB4C87E]
 * tests:
 *   an expansion is done: 'Name and docstring; caller rdb.c: rdbLoadObject expands before it adds.'
 *   an expansion that was done gives DICT_OK:
 *     'Docstring: "return DICT_ERR if expand failed due to memory allocation".'
 *   one that is not needed gives DICT_OK:
 *     'Docstring: DICT_ERR is for failed allocation; t_set.c: setTypeConvertAndExpand.'
 *   one that is too small for the keys gives DICT_OK and changes nothing: 'Docstring; dict.c: _dictExpand.'
 *   one asked for while rehashing gives DICT_OK and changes nothing: 'Docstring; dict.c: _dictExpand.'
 *   keys are kept and found: 'dict.c: _dictExpand moves them by rehashing.'
 *   out of memory gives DICT_ERR: 'Docstring: "return DICT_ERR if expand failed due to memory allocation failure".'
 *   out of memory does not end the process: 'dict.c: _dictResize, "it''ll avoid panic if malloc fails".'
 *   after a failure the dict works as before: 'Callers rdb.c: rdbLoadObject, t_set.c: setTypeConvertAndExpand.'
 *   after a failure it can be tried again: 'Caller kvstoreExpand.'
 *   a failure says so on a dict without keys too: 'Docstring; caller rdb.c: rdbLoadObject.'
 ---*/
#include "../server.h"
#include "../testhelp.h"

static uint64_t hash(const void *key) {
    return (uint64_t)(uintptr_t)key;
}
static dictType type = {.hashFunction = hash};

static int panics;
static void onPanic(size_t size) {
    (void)size;
    panics++;
    /* Who panics expects no return. */
    test_cond("out of memory does not end the process", 0);
    exit(1);
}

static int whole(dict *d) {
    for (long j = 1; j <= 50; j++) if (!dictFind(d,(void*)j)) return 0;
    return dictSize(d) == 50;
}

int main(void) {
    zmalloc_set_oom_handler(onPanic);
    /* More than any address space holds. */
    unsigned long tooMuch = 1UL<<50;
    dict *d = dictCreate(&type);
    int refused = dictTryExpand(d,tooMuch);
    test_cond("a failure says so on a dict without keys too", refused == DICT_ERR && dictBuckets(d) == 0);
    int done = dictTryExpand(d,100);
    test_cond("an expansion is done", dictBuckets(d) == 128);
    test_cond("an expansion that was done gives DICT_OK", done == DICT_OK);
    for (long j = 1; j <= 50; j++) dictAdd(d,(void*)j,NULL);
    int fits = dictTryExpand(d,128), smaller = dictTryExpand(d,60);
    test_cond("one that is not needed gives DICT_OK", fits == DICT_OK && smaller == DICT_OK && dictBuckets(d) == 128);
    int few = dictTryExpand(d,10);
    test_cond("one that is too small for the keys gives DICT_OK and changes nothing",
              few == DICT_OK && dictBuckets(d) == 128 && !dictIsRehashing(d));

    refused = dictTryExpand(d,tooMuch);
    test_cond("out of memory gives DICT_ERR", refused == DICT_ERR);
    test_cond("after a failure the dict works as before", !dictIsRehashing(d) && dictBuckets(d) == 128 && whole(d));
    test_cond("out of memory does not end the process", panics == 0);

    int again = dictTryExpand(d,1000);
    test_cond("after a failure it can be tried again", again == DICT_OK && dictIsRehashing(d) &&
              dictBuckets(d) == 128+1024);
    int meanwhile = dictTryExpand(d,100000);
    test_cond("one asked for while rehashing gives DICT_OK and changes nothing",
              meanwhile == DICT_OK && dictIsRehashing(d) && dictBuckets(d) == 128+1024);
    while (dictRehash(d,100)) {}
    test_cond("keys are kept and found", whole(d) && dictBuckets(d) == 1024);
    test_report();
    return 0;
}
