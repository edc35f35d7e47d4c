/*---
 * tasks: [slowlogCreateEntry-ff2ecf.16]
 * tests:
 *   a node has its score: 'Argument score; zslInsert passes it on.'
 *   scores of all kinds are kept: 'commands/zadd: 64-bit floating point, -inf, +inf.'
 *   a node has the element itself: 'Comment: "The SDS string ''ele'' is referenced by the node after the call".'
 *   the element is not changed: 'Comment: "referenced".'
 *   an element of any bytes is fine: 'Argument ele, an sds.'
 *   a node may be without an element: 'Caller zslCreate: the header.'
 *   there is room for one level: 'Comment: "with the specified number of levels"; zslInsert writes all of them.'
 *   there is room for each number of levels: 'Comment: "with the specified number of levels".'
 *   a node of few levels is smaller than one of many: 'Comment: "the specified number of levels".'
 *   writing all levels harms no other node: 'Callers zslCreate, zslInsert.'
 *   each call gives another node: 'Comment: "Create".'
 *   zslFreeNode frees the node with its element: 'zslFreeNode: "The referenced SDS string ... is freed too".'
 *   without an element only the node is freed: 'zslFreeNode: "unless node->ele is set to NULL".'
 ---*/
#include "zsettest.h"

zskiplistNode *zslCreateNode(int level, double score, sds ele);
void zslFreeNode(zskiplistNode *node);

static size_t need(int levels) {
    return sizeof(zskiplistNode)+levels*sizeof(struct zskiplistLevel);
}

int main(void) {
    size_t used = zmalloc_used_memory();
    sds ele = sdsnew("member");
    zskiplistNode *n = zslCreateNode(1,3.25,ele), *second;
    test_cond("a node has its score", n && n->score == 3.25);
    test_cond("a node has the element itself", n->ele == ele);
    test_cond("the element is not changed", sdslen(ele) == 6 && !strcmp(ele,"member"));
    test_cond("there is room for one level", zmalloc_size(n) >= need(1));
    second = zslCreateNode(1,3.25,NULL);
    test_cond("each call gives another node", second && second != n && n->ele == ele && second->ele == NULL);
    size_t both = zmalloc_used_memory();
    zslFreeNode(second);
    int alone = zmalloc_used_memory() < both && n->ele == ele && !strcmp(n->ele,"member");
    zslFreeNode(n);
    test_cond("zslFreeNode frees the node with its element", zmalloc_used_memory() == used);
    double kinds[] = {0,-1,1e308,5e-324,INFINITY,-INFINITY,0.1,1.0/3,-1e17,9007199254740993.0};
    int kept = 1;
    for (int j = 0; j < 10; j++) {
        n = zslCreateNode(1+j%4,kinds[j],NULL);
        kept &= n->score == kinds[j];
        zslFreeNode(n);
    }
    test_cond("scores of all kinds are kept", kept);
    n = zslCreateNode(2,0,sdsnewlen("a\0b\xff",4));
    second = zslCreateNode(2,0,sdsempty());
    test_cond("an element of any bytes is fine", sdslen(n->ele) == 4 && !memcmp(n->ele,"a\0b\xff",4) && sdslen(second->ele) == 0);
    zslFreeNode(n), zslFreeNode(second);
    n = zslCreateNode(ZSKIPLIST_MAXLEVEL,0,NULL);
    test_cond("a node may be without an element", n && n->ele == NULL && n->score == 0);
    second = zslCreateNode(1,0,NULL);
    test_cond("a node of few levels is smaller than one of many", zmalloc_size(second) < zmalloc_size(n) && zmalloc_size(second) < need(8));
    n->ele = NULL;
    zslFreeNode(n), zslFreeNode(second);
    test_cond("without an element only the node is freed", alone && zmalloc_used_memory() == used);

    zskiplistNode *nodes[ZSKIPLIST_MAXLEVEL*4];
    int room = 1;
    for (int j = 0; j < ZSKIPLIST_MAXLEVEL*4; j++) {
        int levels = j/4+1;
        nodes[j] = zslCreateNode(levels,j,NULL);
        room &= zmalloc_size(nodes[j]) >= need(levels);
    }
    test_cond("there is room for each number of levels", room);
    for (int j = 0; j < ZSKIPLIST_MAXLEVEL*4 && room; j++) {
        nodes[j]->backward = nodes[(j+1)%(ZSKIPLIST_MAXLEVEL*4)];
        for (int k = 0; k < j/4+1; k++) nodes[j]->level[k].forward = nodes[j], nodes[j]->level[k].span = j*100+k;
    }
    int unharmed = room;
    for (int j = 0; j < ZSKIPLIST_MAXLEVEL*4 && room; j++) {
        unharmed &= nodes[j]->score == j && nodes[j]->ele == NULL && nodes[j]->backward == nodes[(j+1)%(ZSKIPLIST_MAXLEVEL*4)];
        for (int k = 0; k < j/4+1; k++) unharmed &= nodes[j]->level[k].forward == nodes[j] && nodes[j]->level[k].span == (unsigned long)j*100+k;
        zslFreeNode(nodes[j]);
    }
    test_cond("writing all levels harms no other node", unharmed);
    test_report();
    return 0;
}
