/*---
 * tasks: [CA200194ACEB9F7D]
 * tests:
 *   a hint above the limit converts a listpack: 'Docstring: "Check if the existing zset should be converted to another encoding based off the the size hint".'
 *   a hint at the limit does not: 'redis.conf: zset-max-listpack-entries is the number up to which the listpack is used.'
 *   a hint below the limit does not: 'redis.conf: zset-max-listpack-entries is the number up to which the listpack is used.'
 *   a hint of nothing does not: 't_zset.c: for zsetTypeCreate an "underestimation or 0 is suitable" as a hint.'
 *   the limit is that of sorted sets: 'redis.conf: zset-max-listpack-entries.'
 *   the limits of other types do not matter: 'redis.conf: each type has an option of its own.'
 *   the limit of an element's length does not matter: 'Docstring: "based off the the size hint".'
 *   a change of the limit counts at once: 'config.c: zset-max-listpack-entries is modifiable.'
 *   the present elements are not added to the hint: 'Docstring: "based off the the size hint"; ZADD may write elements again that are there.'
 *   the elements stay: 't_zset.c: zaddGenericCommand goes on adding to the set.'
 *   the scores stay: 't_zset.c: zaddGenericCommand goes on adding to the set.'
 *   a converted set can be added to: 't_zset.c: zaddGenericCommand goes on adding to the set.'
 *   an empty listpack is converted: 'Docstring: "the existing zset".'
 *   a skiplist stays a skiplist with a small hint: 'Docstring: sets are converted by the size hint; no command converts them back.'
 *   a skiplist stays the same with a large hint: 'Docstring: "converted to another encoding".'
 *   a listpack that stays is the same: 'Docstring: only a conversion changes the set.'
 ---*/
#include "../server.h"
#include "../testhelp.h"

void initServerConfig(void);
void zsetTypeMaybeConvert(robj *zobj, size_t size_hint);

static void add(robj *z, const char *name, double score) {
    int flags;
    sds ele = sdsnew(name);
    zsetAdd(z, score, ele, ZADD_IN_NONE, &flags, NULL);
    sdsfree(ele);
}

/* A set of three elements in a listpack. */
static robj *make(void) {
    robj *z = createZsetListpackObject();
    add(z, "one", 1);
    add(z, "two", 2.5);
    add(z, "minus", -3);
    return z;
}

static double score(robj *z, const char *name) {
    double s = 9999;
    sds ele = sdsnew(name);
    if (zsetScore(z, ele, &s) != C_OK) s = 9999;
    sdsfree(ele);
    return s;
}

static int encodingAfter(size_t hint) {
    robj *z = make();
    zsetTypeMaybeConvert(z, hint);
    int encoding = z->encoding;
    decrRefCount(z);
    return encoding;
}

int main(void) {
    initServerConfig();
    server.zset_max_listpack_entries = 10;
    server.zset_max_listpack_value = 64;
    server.hash_max_listpack_entries = 1000;
    server.set_max_listpack_entries = 1000;
    test_cond("a hint above the limit converts a listpack",
              encodingAfter(11) == OBJ_ENCODING_SKIPLIST && encodingAfter(5000) == OBJ_ENCODING_SKIPLIST);
    test_cond("a hint at the limit does not", encodingAfter(10) == OBJ_ENCODING_LISTPACK);
    test_cond("a hint below the limit does not", encodingAfter(9) == OBJ_ENCODING_LISTPACK);
    test_cond("a hint of nothing does not", encodingAfter(0) == OBJ_ENCODING_LISTPACK);
    test_cond("the present elements are not added to the hint",
              encodingAfter(8) == OBJ_ENCODING_LISTPACK && encodingAfter(10) == OBJ_ENCODING_LISTPACK);
    test_cond("the limit is that of sorted sets", encodingAfter(500) == OBJ_ENCODING_SKIPLIST);
    server.hash_max_listpack_entries = server.set_max_listpack_entries = server.set_max_intset_entries = 1;
    test_cond("the limits of other types do not matter", encodingAfter(5) == OBJ_ENCODING_LISTPACK);
    robj *z = make();
    server.zset_max_listpack_value = 1;
    zsetTypeMaybeConvert(z, 5);
    server.zset_max_listpack_value = 64;
    test_cond("the limit of an element's length does not matter", z->encoding == OBJ_ENCODING_LISTPACK);
    server.zset_max_listpack_entries = 4;
    int above = encodingAfter(5);
    server.zset_max_listpack_entries = 20;
    test_cond("a change of the limit counts at once",
              above == OBJ_ENCODING_SKIPLIST && encodingAfter(5) == OBJ_ENCODING_LISTPACK);

    z = make();
    void *listpack = z->ptr;
    zsetTypeMaybeConvert(z, 20);
    test_cond("a listpack that stays is the same", z->ptr == listpack && zsetLength(z) == 3);
    zsetTypeMaybeConvert(z, 21);
    test_cond("the elements stay", z->encoding == OBJ_ENCODING_SKIPLIST && zsetLength(z) == 3);
    test_cond("the scores stay", score(z, "one") == 1 && score(z, "two") == 2.5 && score(z, "minus") == -3);
    add(z, "four", 4);
    test_cond("a converted set can be added to", zsetLength(z) == 4 && score(z, "four") == 4);
    void *skiplist = z->ptr;
    zsetTypeMaybeConvert(z, 1);
    test_cond("a skiplist stays a skiplist with a small hint",
              z->encoding == OBJ_ENCODING_SKIPLIST && z->ptr == skiplist);
    zsetTypeMaybeConvert(z, 100);
    test_cond("a skiplist stays the same with a large hint",
              z->encoding == OBJ_ENCODING_SKIPLIST && z->ptr == skiplist && zsetLength(z) == 4);
    z = createZsetListpackObject();
    zsetTypeMaybeConvert(z, 50);
    add(z, "new", 7);
    test_cond("an empty listpack is converted", z->encoding == OBJ_ENCODING_SKIPLIST && score(z, "new") == 7);
    test_report();
    return 0;
}
