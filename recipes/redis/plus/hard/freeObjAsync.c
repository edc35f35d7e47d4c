/*---
 * tasks: [lazyfreeGetFreeEffort-1aee2c.8]
 * tests:
 *   a huge object is freed by a background job: 'Comment: "if the object is huge enough, free it in async way".'
 *   it counts as pending until then: 'lazyfree_objects; lazyfreeGetPendingObjectsCount.'
 *   a small one is freed at once: 'LAZYFREE_THRESHOLD: "under a certain limit we just free the object synchronously".'
 *   just the limit is freed at once: 'LAZYFREE_THRESHOLD, 64: more than that.'
 *   a shared object only loses a reference: 'decrRefCount: others still hold it.'
 *   a shared huge object is whole: 'decrRefCount: others still hold it.'
 *   strings are freed at once: 'lazyfreeGetFreeEffort: 1 for strings.'
 *   all memory comes back: 'Comment: "Free an object".'
 ---*/
#include "start.h"
#include "../bio.h"
#include "../testhelp.h"

void freeObjAsync(robj *key, robj *obj, int dbid);

static robj *make(int members) {
    robj *o = createSetObject();
    for (int j = 0; j < members; j++) {
        sds e = sdscatfmt(sdsempty(), "member %i", j);
        setTypeAdd(o, e);
        sdsfree(e);
    }
    return o;
}

static size_t freed(void) {
    bioDrainWorker(BIO_LAZY_FREE);
    return lazyfreeGetFreedObjectsCount();
}

int main(void) {
    startRedis();
    bioInit();
    alarm(30); /* A job that never runs ends the test here. */
    /* The first job makes what its thread keeps. */
    freeObjAsync(NULL, make(100), 0);
    freed();
    size_t count = lazyfreeGetFreedObjectsCount(), memory = zmalloc_used_memory();
    freeObjAsync(NULL, make(1000), 0);
    size_t pending = lazyfreeGetPendingObjectsCount() + lazyfreeGetFreedObjectsCount() - count;
    test_cond("a huge object is freed by a background job", freed() == count + 1);
    test_cond("it counts as pending until then", pending == 1 && lazyfreeGetPendingObjectsCount() == 0);
    count = freed();
    size_t before = zmalloc_used_memory();
    freeObjAsync(NULL, make(10), 0);
    test_cond("a small one is freed at once", zmalloc_used_memory() == before && freed() == count);
    freeObjAsync(NULL, make(64), 0);
    int limit = zmalloc_used_memory() == before && freed() == count;
    freeObjAsync(NULL, make(65), 0);
    test_cond("just the limit is freed at once", limit && freed() == count + 1);
    robj *o = make(10);
    incrRefCount(o);
    freeObjAsync(NULL, o, 0);
    test_cond("a shared object only loses a reference", o->refcount == 1 && setTypeSize(o) == 10);
    decrRefCount(o);
    o = make(500);
    incrRefCount(o), incrRefCount(o);
    count = freed();
    freeObjAsync(NULL, o, 0);
    test_cond("a shared huge object is whole", freed() == count && o->refcount == 2 && setTypeSize(o) == 500);
    decrRefCount(o), decrRefCount(o);
    count = freed();
    freeObjAsync(NULL, createObject(OBJ_STRING, sdsnewlen(NULL, 1 << 20)), 0);
    test_cond("strings are freed at once", freed() == count && zmalloc_used_memory() == before);
    test_cond("all memory comes back", zmalloc_used_memory() == memory);
    test_report();
    return 0;
}
