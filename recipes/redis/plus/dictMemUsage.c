/*---
 * tasks: [252B6857A9882E34]
 * tests:
 *   a dict that never held a key uses no memory for them: 'Docstring: "excluding the size of the keys and values".'
 *   each entry and each bucket is counted: 'Docstring: "the memory usage in bytes of the dict".'
 *   an entry more costs the size of an entry: 'Docstring; dict.h: dictEntryMemUsage is the size of an entry.'
 *   empty buckets are counted too: 'Docstring: "the memory usage in bytes of the dict"; a bucket is a pointer.'
 *   while it is rehashed both tables are counted: 'Docstring: "the memory usage in bytes of the dict"; it has two.'
 *   keys that have moved already are counted as well: 'Docstring: "the memory usage in bytes of the dict".'
 *   after rehashing only the new table is counted: 'Docstring: "the memory usage in bytes of the dict".'
 *   keys and values are not counted: 'Docstring: "excluding the size of the keys and values".'
 *   removed entries are no longer counted: 'Docstring: "the memory usage in bytes of the dict".'
 *   it comes near to what was allocated: 'Docstring: "Returns the memory usage in bytes of the dict".'
 ---*/
#include "../server.h"
#include "../testhelp.h"

static uint64_t hash(const void *key) {
    return (uint64_t)(uintptr_t)key;
}
static dictType type = {.hashFunction = hash};
static const size_t bucket = sizeof(dictEntry*);

int main(void) {
    size_t entry = dictEntryMemUsage();
    dict *d = dictCreate(&type);
    test_cond("a dict that never held a key uses no memory for them", dictMemUsage(d) == 0);

    dictExpand(d,1024);
    test_cond("empty buckets are counted too", dictMemUsage(d) == 1024*bucket);
    dictAdd(d,(void*)1L,NULL);
    size_t one = dictMemUsage(d);
    dictAdd(d,(void*)2L,NULL);
    test_cond("an entry more costs the size of an entry", dictMemUsage(d)-one == entry && one == 1024*bucket+entry);
    for (long j = 3; j <= 700; j++) dictAdd(d,(void*)j,NULL);
    test_cond("each entry and each bucket is counted", dictMemUsage(d) == 700*entry+1024*bucket);
    size_t before = zmalloc_used_memory();
    dict *same = dictCreate(&type);
    dictExpand(same,1024);
    for (long j = 1; j <= 700; j++) dictAdd(same,(void*)j,NULL);
    size_t allocated = zmalloc_used_memory()-before, said = dictMemUsage(same);
    test_cond("it comes near to what was allocated", said > allocated*0.7 && said <= allocated);
    dictRelease(same);

    dictPauseRehashing(d);
    dictExpand(d,4096);
    test_cond("while it is rehashed both tables are counted", dictIsRehashing(d) &&
              dictMemUsage(d) == 700*entry+(1024+4096)*bucket);
    dictResumeRehashing(d);
    dictRehash(d,50);
    test_cond("keys that have moved already are counted as well", dictIsRehashing(d) &&
              dictMemUsage(d) == 700*entry+(1024+4096)*bucket);
    while (dictRehash(d,100)) {}
    test_cond("after rehashing only the new table is counted", dictMemUsage(d) == 700*entry+4096*bucket);
    size_t all = dictMemUsage(d);
    dictPauseAutoResize(d);
    for (long j = 1; j <= 100; j++) dictDelete(d,(void*)j);
    test_cond("removed entries are no longer counted", all-dictMemUsage(d) == 100*entry);
    dictResumeAutoResize(d);
    dictRelease(d);

    dict *small = dictCreate(&objectKeyPointerValueDictType), *large = dictCreate(&objectKeyPointerValueDictType);
    robj *a = createStringObject("a",1), *b = createObject(OBJ_STRING,sdsnewlen(SDS_NOINIT,100000));
    memset(b->ptr,'b',100000);
    dictAdd(small,a,a->ptr);
    dictAdd(large,b,b->ptr);
    test_cond("keys and values are not counted", dictMemUsage(small) == dictMemUsage(large));
    test_report();
    return 0;
}
