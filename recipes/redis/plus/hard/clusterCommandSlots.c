/*---
 * tasks: [memoryCommand-606e0f.8]
 * tests:
 *   without slots it is an empty array: 'commands/cluster-slots: an array of ranges.'
 *   a range is told with its node: 'commands/cluster-slots: start slot, end slot, master.'
 *   the first slot is told: 'CLUSTER_SLOTS: slots begin at 0.'
 *   the last slot is told: 'CLUSTER_SLOTS: 16383.'
 *   a single slot is a range: 'tests/unit/cluster/multi-slot-operations.tcl.'
 *   all slots of a node are one range: 'multi-slot-operations.tcl: "*0 3276*".'
 *   neighbours of two nodes are two ranges: 'multi-slot-operations.tcl: "3277 6552".'
 *   "a gap parts a node's range": 'multi-slot-operations.tcl: "*0 3000*3051 3276*".'
 *   a node between parts it as well: 'getNodeBySlot.'
 *   the ranges stand in their order: 'The patterns of multi-slot-operations.tcl.'
 *   single slots of nodes in turn are all told: 'getNodeBySlot.'
 *   each is told as addNodeReplyForClusterSlot does: 'Its name; replicas.'
 *   nothing is changed: 'commands/cluster-slots: it reads.'
 ---*/
#include "clustertest.h"

static sds want;
static int ranges;

static void range(clusterNode *n, int from, int to) {
    addNodeReplyForClusterSlot(c,n,from,to);
    want = sdscat(want,reply());
    ranges++;
}

/* Whether it's what was put together since. */
static int same(void) {
    sds all = sdscatprintf(sdsempty(),"*%d\r\n%s",ranges,want);
    clusterCommandSlots(c);
    sds s = replyOf(c);
    int equal = sdslen(s) == sdslen(all) && !memcmp(s,all,sdslen(s));
    sdsfree(s);
    sdsfree(all);
    sdsclear(want);
    ranges = 0;
    return equal;
}

static void none(void) {
    for (int j = 0; j < CLUSTER_SLOTS; j++) clusterDelSlot(j);
}

int main(void) {
    startCluster();
    want = sdsempty();
    clusterNode *a = nodeOf('1',CLUSTER_NODE_MASTER), *b = nodeOf('2',CLUSTER_NODE_MASTER);
    test_cond("without slots it is an empty array", same());
    own(a,100,200);
    range(a,100,200);
    test_cond("a range is told with its node", same());
    none();
    own(a,0,0);
    range(a,0,0);
    int first = same();
    own(a,1,5);
    range(a,0,5);
    test_cond("the first slot is told", first && same());
    none();
    own(b,16383,16383);
    range(b,16383,16383);
    int last = same();
    own(b,16000,16382);
    range(b,16000,16383);
    test_cond("the last slot is told", last && same());
    none();
    own(a,5,5);
    own(b,16382,16382);
    range(a,5,5);
    range(b,16382,16382);
    test_cond("a single slot is a range", same());
    none();
    own(a,0,16383);
    range(a,0,16383);
    test_cond("all slots of a node are one range", same());
    own(b,8000,16383);
    range(a,0,7999);
    range(b,8000,16383);
    test_cond("neighbours of two nodes are two ranges", same());
    none();
    own(a,0,3000);
    own(a,3051,3276);
    range(a,0,3000);
    range(a,3051,3276);
    int gap = same();
    own(a,3002,3002);
    range(a,0,3000);
    range(a,3002,3002);
    range(a,3051,3276);
    test_cond("a gap parts a node's range", gap && same());
    own(b,1000,1000);
    range(a,0,999);
    range(b,1000,1000);
    range(a,1001,3000);
    range(a,3002,3002);
    range(a,3051,3276);
    test_cond("a node between parts it as well", same());
    none();
    own(b,0,10);
    own(a,11,20);
    own(b,30,40);
    range(b,0,10);
    range(a,11,20);
    range(b,30,40);
    test_cond("the ranges stand in their order", same());
    none();
    for (int j = 0; j < 20; j++) own(j % 2 ? a : b,16364+j,16364+j);
    for (int j = 0; j < 20; j++) range(j % 2 ? a : b,16364+j,16364+j);
    test_cond("single slots of nodes in turn are all told", same());
    none();
    own(a,1,2);
    own(b,3,4);
    slaveOf('3',a);
    slaveOf('4',b)->repl_offset = 0;
    range(a,1,2);
    range(b,3,4);
    test_cond("each is told as addNodeReplyForClusterSlot does", same());
    test_cond("nothing is changed", a->numslots == 2 && b->numslots == 2 && getNodeBySlot(3) == b && !getNodeBySlot(5));
    endCluster();
    return 0;
}
