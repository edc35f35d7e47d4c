/*---
 * tasks: [pubsubCommand-4e2acb.16]
 * tests:
 *   the first dict is the first one that has keys: 'kvstoreIteratorNextDict; kvstoreFindDictIndexByKeyIndex.'
 *   the dicts that have keys follow in their order: 'kvstoreGetNextNonEmptyDictIndex: "strictly after given one".'
 *   the first entry comes first: 'kvstoreIteratorNext: "Returns next entry".'
 *   a store of a single dict: 'kvstoreCreate: num_dicts_bits 0.'
 *   an empty store has no entries: 'Callers: databases without keys.'
 *   no dict is paused before it is reached: 'dict.c: an iterator pauses its dict alone.'
 *   each call gives an iterator of its own: 'Comment: "Returns kvstore iterator".'
 *   what memory held before does not matter: 'Comment: "Returns kvstore iterator that can be used to iterate".'
 *   it may be released at once: 'Comment: "The caller should free the resulting kvs_it with kvstoreIteratorRelease".'
 *   nothing is left behind: 'The same.'
 ---*/
#include "kvstoretest.h"

static void dirty(void) {
    void *p[64];
    for (int j = 0; j < 64; j++) p[j] = memset(zmalloc(16+j*2),0x5a,16+j*2);
    for (int j = 0; j < 64; j++) zfree(p[j]);
}

/* The dicts that come, as letters. */
static int dictsAre(kvstore *kvs, const char *want) {
    char got[20] = "";
    dirty();
    kvstoreIterator *it = kvstoreIteratorInit(kvs);
    int n = 0;
    while (n < 17 && kvstoreIteratorNextDict(it)) got[n++] = 'a'+kvstoreIteratorGetCurrentDictIndex(it);
    kvstoreIteratorRelease(it);
    return !strcmp(got,want);
}

int main(void) {
    kvstore *a = storeOf("a",3,0), *p = storeOf("p",3,0), *some = storeOf("cdkp",3,KVSTORE_ALLOCATE_DICTS_ON_DEMAND);
    kvstore *all = storeOf("abcdefghijklmnop",3,0), *none = storeOf("",0,0), *one = kvstoreCreate(&numberType,0,0);
    kvstoreIterator *it = kvstoreIteratorInit(some);
    int first = kvstoreIteratorNextDict(it) && kvstoreIteratorGetCurrentDictIndex(it) == 2;
    kvstoreIteratorRelease(it);
    test_cond("the first dict is the first one that has keys", first && dictsAre(a,"a") && dictsAre(p,"p"));
    test_cond("the dicts that have keys follow in their order", dictsAre(some,"cdkp") && dictsAre(all,"abcdefghijklmnop"));
    it = kvstoreIteratorInit(p);
    dictEntry *de = kvstoreIteratorNext(it);
    test_cond("the first entry comes first", de && atoi(dictGetKey(de))/1000 == 15 && kvstoreIteratorNext(it) &&
              kvstoreIteratorNext(it) && !kvstoreIteratorNext(it));
    kvstoreIteratorRelease(it);
    addNumber(one,0,7);
    addNumber(one,0,8);
    int single = dictsAre(one,"a");
    it = kvstoreIteratorInit(one);
    test_cond("a store of a single dict", single && kvstoreIteratorNext(it) && kvstoreIteratorNext(it) &&
              !kvstoreIteratorNext(it));
    kvstoreIteratorRelease(it);
    it = kvstoreIteratorInit(none);
    test_cond("an empty store has no entries", !kvstoreIteratorNext(it) && !kvstoreIteratorNext(it));
    kvstoreIteratorRelease(it);
    it = kvstoreIteratorInit(a);
    dict *d = kvstoreIteratorNextDict(it);
    int paused = d->pauserehash;
    kvstoreIterator *other = kvstoreIteratorInit(a);
    test_cond("no dict is paused before it is reached", paused == 0 && d->pauserehash == 0);
    test_cond("each call gives an iterator of its own", it != other && kvstoreIteratorNext(other));
    kvstoreIteratorRelease(it);
    kvstoreIteratorRelease(other);
    int clean = 1;
    for (int j = 0; j < 10; j++) {
        dirty();
        it = kvstoreIteratorInit(some);
        int n = 0;
        while (n < 20 && kvstoreIteratorNext(it)) n++;
        clean &= n == 12;
        kvstoreIteratorRelease(it);
    }
    test_cond("what memory held before does not matter", clean);
    size_t before = zmalloc_used_memory();
    for (int j = 0; j < 10; j++) {
        dirty();
        kvstoreIteratorRelease(kvstoreIteratorInit(some));
        kvstoreIteratorRelease(kvstoreIteratorInit(none));
    }
    test_cond("it may be released at once", dictsAre(some,"cdkp") && kvstoreSize(some) == 12 && d->pauserehash == 0);
    test_cond("nothing is left behind", zmalloc_used_memory() == before);
    test_report();
    return 0;
}
