/*---
 * tasks: [expireSlaveKeys-f8757a.8, expireSlaveKeys-f8757a.16]
 * tests:
 *   a server without a master is a master: 'server.h: masterhost, "Hostname of master"; REPLICAOF NO ONE.'
 *   a server with a master is none: 'server.h: masterhost; REPLICAOF.'
 *   a server that left its master is a master again: 'replication.c: replicationUnsetMaster.'
 *   the link to the master does not matter: 'server.h: masterhost and not repl_state; expire.c: a replica never expires keys by itself.'
 *   outside of a cluster there is no node to ask: 'server.h: server.cluster is NULL then.'
 *   in a cluster a node that is master is a master: 'cluster.h: clusterNodeIsMaster, getMyClusterNode.'
 *   in a cluster a node that is replica is none: 'cluster.h: clusterNodeIsMaster.'
 *   in a cluster the node counts and not the host: 'cluster.h: clusterNodeIsMaster; clusterSetMaster sets both, and a node may get its role first.'
 *   other flags of the node do not matter: 'cluster_legacy.h: CLUSTER_NODE_MASTER is one flag among others.'
 *   nothing is changed: 'Name and callers: it only asks.'
 ---*/
#include "start.h"
#include "../cluster.h"
#include "../cluster_legacy.h"
#include "../testhelp.h"

int main(void) {
    startRedis();
    test_cond("a server without a master is a master", iAmMaster());
    test_cond("outside of a cluster there is no node to ask", server.cluster == NULL && iAmMaster());
    server.masterhost = sdsnew("127.0.0.1");
    server.repl_state = REPL_STATE_CONNECTED;
    test_cond("a server with a master is none", !iAmMaster());
    int none = 1;
    int states[] = {REPL_STATE_NONE,REPL_STATE_CONNECT,REPL_STATE_CONNECTING,REPL_STATE_TRANSFER};
    for (int j = 0; j < 4; j++) {
        server.repl_state = states[j];
        if (iAmMaster()) none = 0;
    }
    test_cond("the link to the master does not matter", none);
    sds host = server.masterhost;
    server.masterhost = NULL;
    test_cond("a server that left its master is a master again", iAmMaster());

    clusterNode *me = zcalloc(sizeof(*me));
    server.cluster = zcalloc(sizeof(*server.cluster));
    server.cluster->myself = me;
    server.cluster_enabled = 1;
    me->flags = CLUSTER_NODE_MYSELF|CLUSTER_NODE_MASTER;
    test_cond("in a cluster a node that is master is a master", iAmMaster());
    me->flags = CLUSTER_NODE_MYSELF|CLUSTER_NODE_SLAVE;
    server.masterhost = host;
    test_cond("in a cluster a node that is replica is none", !iAmMaster());
    server.masterhost = NULL;
    int without = iAmMaster();
    server.masterhost = host;
    me->flags = CLUSTER_NODE_MYSELF|CLUSTER_NODE_MASTER;
    test_cond("in a cluster the node counts and not the host", !without && iAmMaster());
    me->flags = CLUSTER_NODE_MASTER|CLUSTER_NODE_PFAIL|CLUSTER_NODE_MIGRATE_TO;
    int many = iAmMaster();
    me->flags = CLUSTER_NODE_MYSELF|CLUSTER_NODE_PFAIL|CLUSTER_NODE_NOFAILOVER;
    test_cond("other flags of the node do not matter", many && !iAmMaster());
    test_cond("nothing is changed", server.masterhost == host && server.cluster->myself == me && me->flags ==
              (CLUSTER_NODE_MYSELF|CLUSTER_NODE_PFAIL|CLUSTER_NODE_NOFAILOVER) && server.cluster_enabled == 1);
    test_report();
    return 0;
}
