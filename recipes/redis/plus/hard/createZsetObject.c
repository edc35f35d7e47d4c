/*---
 * tasks: [slowlogCreateEntry-ff2ecf.8, slowlogCreateEntry-ff2ecf.16]
 * tests:
 *   an empty sorted set: 'The name; zsetLength.'
 *   its encoding is the skip list: 'OBJ_ENCODING_SKIPLIST; createZsetListpackObject is the other.'
 *   it has one reference: 'createObject.'
 *   members can be added and found: 'zsetAdd, zsetScore.'
 *   members can be removed: 'zsetDel.'
 *   two of them are apart: 'The name: create.'
 *   what it holds is freed with it: 'freeZsetObject.'
 ---*/
#include "start.h"
#include "../testhelp.h"

static void add(robj *o, const char *name, double score) {
    int out;
    sds s = sdsnew(name);
    zsetAdd(o, score, s, ZADD_IN_NONE, &out, NULL);
    sdsfree(s);
}

static double at(robj *o, const char *name) {
    double score = -99;
    sds s = sdsnew(name);
    if (zsetScore(o, s, &score) != C_OK) score = -99;
    sdsfree(s);
    return score;
}

int main(void) {
    startRedis();
    size_t before = zmalloc_used_memory();
    robj *o = createZsetObject(), *other = createZsetObject();
    zset *zs = o->ptr;
    test_cond("an empty sorted set", o->type == OBJ_ZSET && zsetLength(o) == 0 && dictSize(zs->dict) == 0 && zs->zsl->length == 0 && at(o, "a") == -99);
    test_cond("its encoding is the skip list", o->encoding == OBJ_ENCODING_SKIPLIST);
    test_cond("it has one reference", o->refcount == 1);
    char name[20];
    for (int j = 0; j < 300; j++) snprintf(name, sizeof(name), "m%d", j), add(o, name, (j * 37) % 300);
    int found = zsetLength(o) == 300 && dictSize(zs->dict) == 300;
    for (int j = 0; j < 300; j++) snprintf(name, sizeof(name), "m%d", j), found &= at(o, name) == (j * 37) % 300;
    test_cond("members can be added and found", found && zs->zsl->header->level[0].forward->score == 0);
    int removed = 1;
    for (int j = 0; j < 300; j += 2) {
        sds s = sdscatfmt(sdsempty(), "m%i", j);
        removed &= zsetDel(o, s);
        sdsfree(s);
    }
    test_cond("members can be removed", removed && zsetLength(o) == 150 && at(o, "m2") == -99 && at(o, "m3") == 111);
    add(other, "x", 1);
    test_cond("two of them are apart", zsetLength(other) == 1 && at(o, "x") == -99 && other->ptr != o->ptr);
    decrRefCount(o), decrRefCount(other);
    test_cond("what it holds is freed with it", zmalloc_used_memory() == before);
    test_report();
    return 0;
}
