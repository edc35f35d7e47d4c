/*---
 * tasks: [lazyfreeGetFreeEffort-1aee2c.8]
 * tests:
 *   1 for a string: 'Comment: "For strings the function always returns 1".'
 *   the elements of a set, a hash, a sorted set of tables: 'Comment: "the function just returns the number of elements".'
 *   1 for what is a single allocation: 'Comment: "Objects composed of single allocations are always reported as having a single item".'
 *   the nodes of a list: 'Comment: "For lists the function returns the number of elements in the quicklist representing the list".'
 *   a stream counts its nodes: 'Comment: proportional to the allocations; "Every macro node in the Stream is one allocation".'
 *   a stream counts its groups and their pending entries: 'Comment: proportional to the allocations.'
 *   more entries, more effort: 'Comment: "a number proportional to it".'
 *   the object is as before: 'Comment: "Return the amount of work".'
 ---*/
#include "start.h"
#include "../testhelp.h"

size_t lazyfreeGetFreeEffort(robj *key, robj *obj, int dbid);

static size_t effort(robj *o) {
    return lazyfreeGetFreeEffort(NULL, o, 0);
}

static void addEntries(stream *s, int n) {
    robj *words[2] = {createStringObject("f", 1), createStringObject("a value of some length that fills nodes", 39)};
    for (int j = 0; j < n; j++) streamAppendItem(s, words, 1, NULL, NULL, 0);
}

int main(void) {
    startRedis();
    server.stream_node_max_entries = 2;
    char big[5000];
    memset(big, 'b', sizeof(big));
    test_cond("1 for a string", effort(createStringObject("x", 1)) == 1 && effort(createStringObject(big, sizeof(big))) == 1 && effort(createStringObjectFromLongLong(5)) == 1);
    robj *set = createSetObject(), *hash = createHashObject(), *zset_ = createZsetObject();
    for (int j = 0; j < 90; j++) {
        int out;
        sds e = sdscatfmt(sdsempty(), "e%i", j);
        setTypeAdd(set, e);
        zsetAdd(zset_, j, e, ZADD_IN_NONE, &out, NULL);
        if (j == 0) hashTypeConvert(hash, OBJ_ENCODING_HT);
        hashTypeSet(hash, e, e, HASH_SET_COPY);
        sdsfree(e);
    }
    test_cond("the elements of a set, a hash, a sorted set of tables", effort(set) == 90 && effort(hash) == 90 && effort(zset_) == 90);
    robj *ints = createIntsetObject(), *pack = createListListpackObject(), *small = createZsetListpackObject(), *plain = createHashObject();
    for (int j = 0; j < 20; j++) {
        robj *v = createStringObjectFromLongLongWithSds(j);
        setTypeAdd(ints, v->ptr);
        listTypePush(pack, v, LIST_TAIL);
        hashTypeSet(plain, v->ptr, v->ptr, HASH_SET_COPY);
        decrRefCount(v);
    }
    test_cond("1 for what is a single allocation", effort(ints) == 1 && effort(pack) == 1 && effort(small) == 1 && effort(plain) == 1);
    robj *list = createQuicklistObject(2, 0);
    for (int j = 0; j < 20; j++) quicklistPushTail(list->ptr, "x", 1);
    test_cond("the nodes of a list", effort(list) == 10 && ((quicklist *)list->ptr)->len == 10);
    robj *o = createStreamObject();
    stream *s = o->ptr;
    size_t empty = effort(o);
    addEntries(s, 60);
    size_t nodes = effort(o);
    test_cond("a stream counts its nodes", empty == s->rax->numnodes - (nodes - empty) && nodes == s->rax->numnodes && nodes >= 30);
    streamID id = {0, 0};
    streamCG *cg = streamCreateCG(s, "g1", 2, &id, 0);
    size_t one = effort(o);
    streamCreateCG(s, "g2", 2, &id, 0);
    size_t two = effort(o);
    streamNACK *nack = NULL;
    for (int j = 1; j <= 5; j++) {
        unsigned char key[16] = {0};
        key[15] = j;
        raxInsert(cg->pel, key, sizeof(key), nack, NULL);
    }
    size_t pending = effort(o);
    test_cond("a stream counts its groups and their pending entries", one == nodes + 1 && two == nodes + 2 && pending == nodes + 2 * 6);
    addEntries(s, 60);
    test_cond("more entries, more effort", effort(o) > pending + 20);
    test_cond("the object is as before", set->refcount == 1 && setTypeSize(set) == 90 && list->refcount == 1 && raxSize(s->cgroups) == 2);
    test_report();
    return 0;
}
