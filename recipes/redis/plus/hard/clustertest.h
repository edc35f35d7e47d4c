/* Shared by tests of cluster.c: a node of a cluster that talks to nobody, and others that it knows. */
#ifndef PLUS_CLUSTERTEST_H
#define PLUS_CLUSTERTEST_H
#include "commandtest.h"
#include "../cluster.h"
#include "../cluster_legacy.h"

clusterNode *createClusterNode(char *nodename, int flags);
void clusterAddNode(clusterNode *node);
int clusterAddSlot(clusterNode *n, int slot);
int clusterDelSlot(int slot);
int clusterNodeAddSlave(clusterNode *master, clusterNode *slave);

static char folder[] = "/tmp/plus-cluster-XXXXXX";

static void startCluster(void) {
    if (!mkdtemp(folder) || chdir(folder)) exit(1);
    crc64_init();
    initServerConfig();
    ACLInit();
    moduleInitModulesSystem();
    connTypeInitialize();
    server.verbosity = LL_WARNING;
    zfree(server.logfile);
    server.logfile = zstrdup("/dev/null");
    server.cluster_enabled = 1;
    initServer();
    clusterInit();
    c = fakeClient();
}

static void endCluster(void) {
    unlink(server.cluster_configfile);
    if (chdir("/")) exit(1);
    rmdir(folder);
    test_report();
}

/* Another node, whose name is 40 times that digit. */
static clusterNode *nodeOf(char digit, int flags) {
    char name[CLUSTER_NAMELEN];
    memset(name,digit,CLUSTER_NAMELEN);
    clusterNode *n = createClusterNode(name,flags);
    snprintf(n->ip,sizeof(n->ip),"10.0.0.%c",digit);
    n->tcp_port = 7000+digit-'0';
    n->tls_port = 8000+digit-'0';
    n->repl_offset = 100;
    clusterAddNode(n);
    return n;
}

static clusterNode *slaveOf(char digit, clusterNode *master) {
    clusterNode *n = nodeOf(digit,CLUSTER_NODE_SLAVE);
    n->slaveof = master;
    clusterNodeAddSlave(master,n);
    return n;
}

static void own(clusterNode *n, int from, int to) {
    for (int j = from; j <= to; j++) {
        clusterDelSlot(j);
        clusterAddSlot(n,j);
    }
}

/* What has been replied since. */
static const char *reply(void) {
    sds s = replyOf(c);
    snprintf(lastReply,sizeof(lastReply),"%s",s);
    sdsfree(s);
    return lastReply;
}

void addNodeToNodeReply(client *c, clusterNode *node);
void addNodeReplyForClusterSlot(client *c, clusterNode *node, int start_slot, int end_slot);
void clusterCommandSlots(client *c);
#endif
