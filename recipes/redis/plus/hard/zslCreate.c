/*---
 * tasks: [slowlogCreateEntry-ff2ecf.16]
 * tests:
 *   a list is given: 'Comment: "Create a new skiplist".'
 *   it has no nodes: 'server.h: zskiplist.length; zsetLength.'
 *   it has one level: 'zslDeleteNode: it shrinks to level 1; zslInsert begins at level-1.'
 *   it has no tail: 'server.h: zskiplist.tail; ZREVRANGE begins there.'
 *   its header leads nowhere: 'zslInsert, zslFree: they walk until forward is NULL.'
 *   its header has all levels: 'server.h: ZSKIPLIST_MAXLEVEL; zslInsert: the header is before a node of any level.'
 *   no level spans anything: 'zslInsert: spans add up to ranks.'
 *   nothing is before the header: 'server.h: zskiplistNode.backward.'
 *   the header is no element: 'zslFree frees the header without its element.'
 *   nodes can be inserted and found by rank: 'zslInsert, zslGetRank.'
 *   nodes of the highest levels can be inserted: 'zslRandomLevel: up to ZSKIPLIST_MAXLEVEL.'
 *   nodes can be deleted again: 'zslDelete.'
 *   two lists are apart: 'Comment: "new".'
 *   it is freed without nodes and with them: 'zslFree.'
 ---*/
#include "zsettest.h"

/* Leaves bytes in memory that a list may get. */
static void dirtyMemory(void) {
    void *p[40];
    for (int j = 0; j < 40; j++) memset(p[j] = zmalloc(16*(j+1)),0x5a,16*(j+1));
    for (int j = 0; j < 40; j++) zfree(p[j]);
    for (int j = 0; j < 8; j++) memset(p[j] = zmalloc(sizeof(zskiplistNode)+ZSKIPLIST_MAXLEVEL*sizeof(struct zskiplistLevel)),0x5a,
                                       sizeof(zskiplistNode)+ZSKIPLIST_MAXLEVEL*sizeof(struct zskiplistLevel));
    for (int j = 0; j < 8; j++) zfree(p[j]);
}

int main(void) {
    startRedis();
    size_t used = zmalloc_used_memory();
    dirtyMemory();
    zskiplist *zsl = zslCreate();
    dirtyMemory();
    zskiplist *other = zslCreate();
    test_cond("a list is given", zsl != NULL && zsl->header != NULL);
    test_cond("it has no nodes", zsl->length == 0 && sound(zsl));
    test_cond("it has one level", zsl->level == 1);
    test_cond("it has no tail", zsl->tail == NULL);
    int nowhere = 1, spans = 1;
    for (int j = 0; j < ZSKIPLIST_MAXLEVEL; j++) {
        nowhere &= zsl->header->level[j].forward == NULL && other->header->level[j].forward == NULL;
        spans &= zsl->header->level[j].span == 0 && other->header->level[j].span == 0;
    }
    test_cond("its header leads nowhere", nowhere);
    test_cond("no level spans anything", spans);
    test_cond("its header has all levels", zmalloc_size(zsl->header) >= sizeof(zskiplistNode)+ZSKIPLIST_MAXLEVEL*sizeof(struct zskiplistLevel));
    test_cond("nothing is before the header", zsl->header->backward == NULL);
    test_cond("the header is no element", zsl->header->ele == NULL);
    test_cond("two lists are apart", zsl != other && zsl->header != other->header && zslInsert(other,1,sdsnew("x")) && zsl->length == 0 && sound(zsl) &&
              other->length == 1 && sound(other));
    srandom(3);
    int ranks = 1;
    for (int j = 0; j < 200; j++) zslInsert(zsl,j*37%200,sdscatprintf(sdsempty(),"%d",j*37%200));
    for (int j = 0; j < 200; j++) {
        sds s = sdscatprintf(sdsempty(),"%d",j);
        ranks &= zslGetRank(zsl,j,s) == (unsigned long)j+1;
        sdsfree(s);
    }
    test_cond("nodes can be inserted and found by rank", ranks && sound(zsl) && zsl->tail->score == 199);
    int gone = 1;
    for (int j = 0; j < 200; j++) {
        sds s = sdscatprintf(sdsempty(),"%d",j);
        gone &= zslDelete(zsl,j,s,NULL);
        sdsfree(s);
    }
    test_cond("nodes can be deleted again", gone && zsl->length == 0 && zsl->level == 1 && zsl->tail == NULL && sound(zsl));
    zskiplist *tall = zslCreate();
    srandom(1);
    for (int j = 0; j < 20000; j++) zslInsert(tall,j,sdscatprintf(sdsempty(),"%d",j));
    test_cond("nodes of the highest levels can be inserted", tall->level > 5 && sound(tall));
    zslFree(tall);
    zslFree(zsl), zslFree(other);
    size_t between = zmalloc_used_memory();
    zslFree(zslCreate());
    test_cond("it is freed without nodes and with them", between == used && zmalloc_used_memory() == used);
    test_report();
    return 0;
}
