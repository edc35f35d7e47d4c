/*---
 * tasks: [memoryCommand-606e0f.8]
 * tests:
 *   the preferred endpoint is the IP: 'commands/cluster-slots; redis.conf: cluster-preferred-endpoint-type ip.'
 *   the preferred endpoint is the hostname: 'redis.conf: cluster-preferred-endpoint-type hostname.'
 *   a hostname that is not known is a question mark: 'redis.conf: "a ? will be returned instead"; tests/unit/cluster/hostnames.tcl.'
 *   an unknown endpoint is null: 'redis.conf: cluster-preferred-endpoint-type unknown-endpoint.'
 *   the port is that of clients: 'clusterNodeClientPort.'
 *   the TLS port is given where TLS is spoken: 'shouldReturnTlsInfo: "determined by server.tls_cluster".'
 *   the name has 40 characters: 'CLUSTER_NAMELEN; it isn''t null-terminated.'
 *   the hostname is told besides the IP: 'commands/cluster-slots: "additional networking metadata".'
 *   the IP is told besides the hostname: 'The same; hostnames.tcl.'
 *   both are told besides an unknown endpoint: 'The same.'
 *   without a hostname nothing is told besides the IP: 'The same: an empty map.'
 *   in RESP3 null and map are such: 'addReplyNull, addReplyMapLen.'
 *   it is one reply of four elements: 'commands/cluster-slots: a node is four elements.'
 *   the node stays as it is: 'Name: a reply.'
 ---*/
#include "clustertest.h"

#define ONE "$40\r\n1111111111111111111111111111111111111111\r\n"
#define IP "$8\r\n10.0.0.1\r\n"
#define HOST "$9\r\nhost.name\r\n"
#define NAMED(n) "*2\r\n$8\r\nhostname\r\n" n
#define WITHIP "*2\r\n$2\r\nip\r\n" IP

static clusterNode *n;
static const char *node(int type, const char *hostname) {
    server.cluster_preferred_endpoint_type = type;
    n->hostname = sdscpy(n->hostname,hostname);
    addNodeToNodeReply(c,n);
    return reply();
}
#define is(type,hostname,want) (!strcmp(node(type,hostname),want))

int main(void) {
    startCluster();
    n = nodeOf('1',CLUSTER_NODE_MASTER);
    int ip = CLUSTER_ENDPOINT_TYPE_IP, host = CLUSTER_ENDPOINT_TYPE_HOSTNAME, none = CLUSTER_ENDPOINT_TYPE_UNKNOWN_ENDPOINT;
    node(ip,"");
    test_cond("the preferred endpoint is the IP", !strncmp(lastReply,"*4\r\n" IP,strlen("*4\r\n" IP)));
    test_cond("without a hostname nothing is told besides the IP", is(ip,"","*4\r\n" IP ":7001\r\n" ONE "*0\r\n"));
    node(host,"host.name");
    test_cond("the preferred endpoint is the hostname", !strncmp(lastReply,"*4\r\n" HOST,strlen("*4\r\n" HOST)));
    test_cond("a hostname that is not known is a question mark", is(host,"","*4\r\n$1\r\n?\r\n:7001\r\n" ONE WITHIP));
    node(none,"host.name");
    test_cond("an unknown endpoint is null", !strncmp(lastReply,"*4\r\n$-1\r\n:",10) &&
              is(none,"","*4\r\n$-1\r\n:7001\r\n" ONE WITHIP));
    node(none,"host.name");
    const char *both = strstr(lastReply,ONE "*4\r\n");
    test_cond("both are told besides an unknown endpoint", both && strstr(both,"$2\r\nip\r\n" IP) &&
              strstr(both,"$8\r\nhostname\r\n" HOST) && strlen(both) == strlen(ONE "*4\r\n$2\r\nip\r\n" IP "$8\r\nhostname\r\n" HOST));
    test_cond("the port is that of clients", strstr(node(ip,""),":7001\r\n") && !strstr(lastReply,"8001"));
    server.tls_cluster = 1;
    test_cond("the TLS port is given where TLS is spoken", is(ip,"","*4\r\n" IP ":8001\r\n" ONE "*0\r\n"));
    server.tls_cluster = 0;
    memset(n->shard_id,'9',CLUSTER_NAMELEN);
    test_cond("the name has 40 characters", is(ip,"","*4\r\n" IP ":7001\r\n" ONE "*0\r\n"));
    test_cond("the hostname is told besides the IP", is(ip,"host.name","*4\r\n" IP ":7001\r\n" ONE NAMED(HOST)));
    test_cond("the IP is told besides the hostname", is(host,"host.name","*4\r\n" HOST ":7001\r\n" ONE WITHIP));
    c->resp = 3;
    int resp3 = is(none,"","*4\r\n_\r\n:7001\r\n" ONE "%1\r\n$2\r\nip\r\n" IP);
    resp3 &= is(ip,"","*4\r\n" IP ":7001\r\n" ONE "%0\r\n");
    test_cond("in RESP3 null and map are such", resp3 && strstr(node(none,"host.name"),"%2\r\n"));
    c->resp = 2;
    server.cluster_preferred_endpoint_type = ip;
    n->hostname = sdscpy(n->hostname,"");
    addNodeToNodeReply(c,n);
    addNodeToNodeReply(c,n);
    test_cond("it is one reply of four elements", !strcmp(reply(),"*4\r\n" IP ":7001\r\n" ONE "*0\r\n*4\r\n" IP ":7001\r\n" ONE "*0\r\n"));
    node(host,"host.name");
    test_cond("the node stays as it is", !strcmp(n->hostname,"host.name") && !strcmp(n->ip,"10.0.0.1") &&
              n->tcp_port == 7001 && n->tls_port == 8001);
    endCluster();
    return 0;
}
