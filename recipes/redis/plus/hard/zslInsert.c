/*---
 * tasks: [slowlogCreateEntry-ff2ecf.16]
 * tests:
 *   the new node is returned: 'Signature; callers keep &node->score in the dictionary.'
 *   the element itself is taken over: 'Comment: "The skiplist takes ownership of the passed SDS string".'
 *   the first node is head and tail: 'server.h: zskiplist header, tail; zslGetRank.'
 *   nodes are ordered by their scores: 'The sorted set; t_zset.c: zslFirstInRange.'
 *   nodes of the same score are ordered by their elements: 'commands/zadd: "the elements are ordered lexicographically".'
 *   elements are compared as bytes: 'commands/zadd: "memcmp() as a binary array of bytes".'
 *   negative, infinite and tiny scores have their place: 'commands/zadd: "-inf", "+inf", 64-bit floating point.'
 *   a node before the first becomes the first: 'Callers; zslFreeNode walks from the header.'
 *   the first node has nothing before it: 'zslCreate; ZREVRANGE walks backward until NULL.'
 *   a node behind the last becomes the tail: 'zskiplist.tail; ZREVRANGE begins there.'
 *   the node behind points back to the new one: 'zskiplistNode.backward.'
 *   the length grows by one: 'zskiplist.length; ZCARD.'
 *   ranks are right after insertions at all places: 'zskiplistLevel.span; zslGetRank.'
 *   nodes are found by their rank: 'zskiplistLevel.span; zslGetElementByRank.'
 *   all levels are sound in random order: 'zskiplistLevel: forward, span.'
 *   all levels are sound in growing and in falling order: 'zskiplistLevel: forward, span.'
 *   insertions and deletions may alternate: 'zslDelete, zslUpdateScore (zslInsert after zslDeleteNode).'
 *   there are nodes of several levels: 'zslRandomLevel: "a random level for the new skiplist node we are going to create".'
 *   nodes that stood keep their place in memory: 'Callers: the dictionary points into them.'
 *   another list is left alone: 'Argument zsl.'
 *   all of it is freed with the list: 'zslFree; "takes ownership".'
 ---*/
#include "zsettest.h"

zskiplistNode *zslGetElementByRank(zskiplist *zsl, unsigned long rank);

static zskiplistNode *insert(zskiplist *zsl, double score, const char *name) {
    return zslInsert(zsl,score,sdsnew(name));
}

static int order(zskiplist *zsl, const char *want) {
    robj o = {.encoding = OBJ_ENCODING_SKIPLIST};
    zset zs = {.zsl = zsl};
    o.ptr = &zs;
    return holds(&o,want);
}

static zskiplist *numbers(int n, int step, int up) {
    zskiplist *zsl = zslCreate();
    for (int j = 0; j < n; j++) {
        int k = up ? j*step%n : n-1-j;
        zslInsert(zsl,k/4,sdscatprintf(sdsempty(),"e%05d",k));
    }
    return zsl;
}

static int ranked(zskiplist *zsl) {
    unsigned long rank = 0;
    for (zskiplistNode *x = zsl->header->level[0].forward; x; x = x->level[0].forward) {
        if (zslGetRank(zsl,x->score,x->ele) != ++rank) return 0;
    }
    return rank == zsl->length;
}

int main(void) {
    startRedis();
    srandom(17);
    size_t used = zmalloc_used_memory();
    zskiplist *zsl = zslCreate(), *other = zslCreate();
    insert(other,5,"five");
    sds ele = sdsnew("mid");
    zskiplistNode *node = zslInsert(zsl,10,ele);
    test_cond("the new node is returned", node && node->score == 10 && !strcmp(node->ele,"mid") && zsl->header->level[0].forward == node);
    test_cond("the element itself is taken over", node->ele == ele);
    test_cond("the first node is head and tail", zsl->tail == node && node->backward == NULL &&
              node->level[0].forward == NULL && sound(zsl));
    test_cond("the length grows by one", zsl->length == 1 && insert(zsl,20,"late") && zsl->length == 2);
    zskiplistNode *first = insert(zsl,1,"early");
    test_cond("a node before the first becomes the first", zsl->header->level[0].forward == first && first->level[0].forward == node);
    test_cond("the first node has nothing before it", first->backward == NULL && node->backward == first);
    zskiplistNode *last = insert(zsl,30,"later");
    test_cond("a node behind the last becomes the tail", zsl->tail == last && last->level[0].forward == NULL &&
              !strcmp(last->backward->ele,"late"));
    zskiplistNode *between = insert(zsl,15,"between");
    test_cond("the node behind points back to the new one", !strcmp(between->level[0].forward->ele,"late") &&
              between->level[0].forward->backward == between && between->backward == node && zsl->tail == last);
    test_cond("nodes are ordered by their scores", order(zsl,"early=1 mid=10 between=15 late=20 later=30 ") && sound(zsl));
    test_cond("nodes that stood keep their place in memory", zsl->header->level[0].forward == first &&
              first->level[0].forward == node && node->score == 10 && node->ele == ele);
    zslFree(zsl);

    zsl = zslCreate();
    insert(zsl,1,"b"), insert(zsl,1,"d"), insert(zsl,2,"A"), insert(zsl,1,"a"), insert(zsl,1,"c"), insert(zsl,1,"bb");
    insert(zsl,1,""), insert(zsl,0,"z"), insert(zsl,1,"B"), insert(zsl,1,"e");
    test_cond("nodes of the same score are ordered by their elements",
              order(zsl,"z=0 =1 B=1 a=1 b=1 bb=1 c=1 d=1 e=1 A=2 ") && sound(zsl));
    zslFree(zsl);
    zsl = zslCreate();
    zslInsert(zsl,1,sdsnewlen("\xff",1)), zslInsert(zsl,1,sdsnewlen("a\0c",3)), zslInsert(zsl,1,sdsnewlen("a\0b",3));
    zslInsert(zsl,1,sdsnewlen("a\0",2)), zslInsert(zsl,1,sdsnewlen("a",1)), zslInsert(zsl,1,sdsnewlen("\0",1));
    zslInsert(zsl,1,sdsnewlen("10",2)), zslInsert(zsl,1,sdsnewlen("9",1)), zslInsert(zsl,1,sdsnewlen("a\0\xff",3));
    struct { const char *s; size_t n; } want[] = {{"\0",1},{"10",2},{"9",1},{"a",1},{"a\0",2},{"a\0b",3},{"a\0c",3},{"a\0\xff",3},{"\xff",1}};
    int bytes = zsl->length == 9 && sound(zsl), j = 0;
    for (zskiplistNode *x = zsl->header->level[0].forward; x && j < 9; x = x->level[0].forward, j++)
        bytes &= sdslen(x->ele) == want[j].n && !memcmp(x->ele,want[j].s,want[j].n);
    test_cond("elements are compared as bytes", bytes && j == 9);
    zslFree(zsl);
    zsl = zslCreate();
    insert(zsl,0.5,"half"), insert(zsl,INFINITY,"top"), insert(zsl,-3,"minus"), insert(zsl,-INFINITY,"bottom");
    insert(zsl,0,"zero"), insert(zsl,5e-324,"tiny"), insert(zsl,1e308,"huge"), insert(zsl,-3.25,"less"), insert(zsl,INFINITY,"also");
    insert(zsl,-INFINITY,"b"), insert(zsl,0.25,"quarter");
    test_cond("negative, infinite and tiny scores have their place",
              order(zsl,"b=-inf bottom=-inf less=-3.25 minus=-3 zero=0 tiny=4.9406564584124654e-324 quarter=0.25 half=0.5 "
                        "huge=1e+308 also=inf top=inf ") && sound(zsl));
    zslFree(zsl);

    zsl = numbers(1009,377,1);
    test_cond("all levels are sound in random order", sound(zsl) && zsl->length == 1009);
    test_cond("ranks are right after insertions at all places", ranked(zsl));
    int byrank = zslGetElementByRank(zsl,1010) == NULL;
    j = 0;
    for (zskiplistNode *x = zsl->header->level[0].forward; x; x = x->level[0].forward) byrank &= zslGetElementByRank(zsl,++j) == x;
    test_cond("nodes are found by their rank", byrank);
    int second = 0, third = 0;
    for (zskiplistNode *x = zsl->header->level[1].forward; x && zsl->level > 1; x = x->level[1].forward) second++;
    for (zskiplistNode *x = zsl->header->level[2].forward; x && zsl->level > 2; x = x->level[2].forward) third++;
    test_cond("there are nodes of several levels", zsl->level > 2 && second > 100 && second < 500 && third > 10 && third < second);
    zslFree(zsl);
    zskiplist *up = numbers(500,1,1), *down = numbers(500,1,0);
    test_cond("all levels are sound in growing and in falling order", sound(up) && ranked(up) && sound(down) && ranked(down));
    zslFree(up), zslFree(down);

    zsl = zslCreate();
    int good = 1;
    unsigned seed = 5;
    char in[200] = {0};
    for (j = 0; j < 6000 && good; j++) {
        seed = seed*1103515245u+12345u;
        int k = (seed>>16) % (j % 1000 < 100 ? 3 : 200);
        sds name = sdscatprintf(sdsempty(),"%d",k);
        if (in[k]) {
            good = zslDelete(zsl,k%7,name,NULL);
            sdsfree(name);
        } else {
            zslInsert(zsl,k%7,name);
        }
        in[k] = !in[k];
        if (j % 5 == 0) good = good && sound(zsl);
    }
    for (j = 0; j < 200; j++) if (in[j]) {
        sds name = sdscatprintf(sdsempty(),"%d",j);
        good = good && zslDelete(zsl,j%7,name,NULL);
        sdsfree(name);
    }
    good = good && zsl->length == 0 && sound(zsl);
    for (j = 0; j < 50; j++) zslInsert(zsl,j%3,sdscatprintf(sdsempty(),"%d",j));
    test_cond("insertions and deletions may alternate", good && sound(zsl) && ranked(zsl));
    zslFree(zsl);
    test_cond("another list is left alone", order(other,"five=5 ") && sound(other));
    zslFree(other);
    test_cond("all of it is freed with the list", zmalloc_used_memory() == used);
    test_report();
    return 0;
}
