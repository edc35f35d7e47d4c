/*---
 * tasks: [memoryCommand-606e0f.8]
 * tests:
 *   the range and the master are told: 'Caller clusterCommandSlots: start slot, end slot, master; commands/cluster-slots.'
 *   a range of one slot begins and ends with it: 'Caller: start, i-1.'
 *   replicas follow the master: 'commands/cluster-slots: "replicas for the slot range".'
 *   a replica that fails is left out: 'isReplicaAvailable: "in failed state".'
 *   a replica that has not synchronized is left out: 'isReplicaAvailable: "not finished their initial sync".'
 *   the number of elements is right: 'The reply is an array.'
 *   without any available replica there is the master alone: 'isReplicaAvailable.'
 *   a master that fails is told all the same: 'isReplicaAvailable is of replicas.'
 *   each node is told as addNodeToNodeReply does: 'Its name; endpoint types.'
 *   replicas of other masters are not told: 'Parameter node.'
 *   nothing is changed: 'Name: a reply.'
 ---*/
#include "clustertest.h"

static char master[400], one[400], two[400];

static void text(char *into, clusterNode *n) {
    addNodeToNodeReply(c,n);
    strcpy(into,reply());
}

static int is(clusterNode *n, int from, int to, int elements, const char *a, const char *b) {
    char want[2000], other[2000];
    addNodeReplyForClusterSlot(c,n,from,to);
    sprintf(want,"*%d\r\n:%d\r\n:%d\r\n%s%s%s",elements,from,to,master,a,b);
    sprintf(other,"*%d\r\n:%d\r\n:%d\r\n%s%s%s",elements,from,to,master,b,a);
    reply();
    return !strcmp(lastReply,want) || !strcmp(lastReply,other);
}

int main(void) {
    startCluster();
    clusterNode *m = nodeOf('1',CLUSTER_NODE_MASTER), *far = nodeOf('5',CLUSTER_NODE_MASTER);
    own(m,0,100);
    text(master,m);
    test_cond("the range and the master are told", is(m,0,100,3,"","") && is(m,5,16383,3,"",""));
    test_cond("a range of one slot begins and ends with it", is(m,7,7,3,"",""));
    clusterNode *a = slaveOf('2',m), *b = slaveOf('3',m);
    slaveOf('6',far);
    text(one,a);
    text(two,b);
    test_cond("replicas follow the master", is(m,0,100,5,one,two));
    int count = !strncmp(lastReply,"*5\r\n",4);
    test_cond("replicas of other masters are not told", !strstr(lastReply,"666666"));
    a->flags |= CLUSTER_NODE_FAIL;
    test_cond("a replica that fails is left out", is(m,0,100,4,two,""));
    count &= !strncmp(lastReply,"*4\r\n",4);
    a->flags &= ~CLUSTER_NODE_FAIL;
    b->repl_offset = 0;
    test_cond("a replica that has not synchronized is left out", is(m,0,100,4,one,""));
    a->flags |= CLUSTER_NODE_FAIL;
    test_cond("without any available replica there is the master alone", is(m,0,100,3,"",""));
    count &= !strncmp(lastReply,"*3\r\n",4);
    test_cond("the number of elements is right", count);
    a->flags &= ~CLUSTER_NODE_FAIL;
    m->flags |= CLUSTER_NODE_FAIL;
    m->repl_offset = 0;
    test_cond("a master that fails is told all the same", is(m,0,100,4,one,""));
    m->flags &= ~CLUSTER_NODE_FAIL;
    b->repl_offset = 1;
    server.cluster_preferred_endpoint_type = CLUSTER_ENDPOINT_TYPE_UNKNOWN_ENDPOINT;
    server.tls_cluster = 1;
    text(master,m);
    text(one,a);
    text(two,b);
    test_cond("each node is told as addNodeToNodeReply does", is(m,3,9,5,one,two) && strstr(lastReply,":8001\r\n"));
    test_cond("nothing is changed", m->numslaves == 2 && m->numslots == 101 && a->slaveof == m && b->repl_offset == 1);
    endCluster();
    return 0;
}
