/*---
 * tasks: [BA9F49D506CE32B7]
 * tests:
 *   the plain port is announced as it is: 'redis.conf: without the cluster-announce options "the normal Redis Cluster auto-detection" is used.'
 *   the TLS port is announced as it is: 'redis.conf: without the cluster-announce options "the normal Redis Cluster auto-detection" is used.'
 *   the bus port lies 10000 above the client port: 'redis.conf, cluster-port: by default "it will be bound to the command port + 10000".'
 *   with TLS in the cluster it lies 10000 above the TLS port: 'cluster_legacy.c: defaultClientPort is the TLS port if tls-cluster is set.'
 *   a TLS port does not move the bus port by itself: 'cluster_legacy.c: defaultClientPort is the plain port if tls-cluster is not set.'
 *   cluster-announce-port is announced: 'redis.conf: the option tells the client port for connections without TLS.'
 *   cluster-announce-tls-port is announced: 'redis.conf: the option tells the client port for connections with TLS.'
 *   cluster-announce-port does not change the TLS port: 'redis.conf: the ports without and with TLS have an option each.'
 *   cluster-announce-tls-port does not change the plain port: 'redis.conf: the ports without and with TLS have an option each.'
 *   cluster-announce-port does not move the bus port: 'redis.conf: "when remapped, the bus port may not be at the fixed offset", so it has an option of its own.'
 *   cluster-announce-tls-port does not move the bus port: 'redis.conf: "when remapped, the bus port may not be at the fixed offset", so it has an option of its own.'
 *   cluster-port is announced as the bus port: 'redis.conf: it is "the port that the cluster bus will listen for inbound connections on".'
 *   cluster-announce-bus-port is announced: 'redis.conf: the option tells the "cluster message bus port" that is published in the bus packets.'
 *   cluster-announce-bus-port goes before cluster-port: 'redis.conf: what the announce options say is published; auto-detection is for when they are not used.'
 *   the bus port's options do not change the client ports: 'redis.conf: each option has a port of its own.'
 *   the configuration is left as it was: 'cluster_legacy.c: the callers say where the derived ports go.'
 ---*/
#include "../server.h"
#include "../cluster.h"
#include "../testhelp.h"

void deriveAnnouncedPorts(int *announced_tcp_port, int *announced_tls_port, int *announced_cport);

static int tcp, tls, bus;

static void set(int announce, int announce_tls, int announce_bus, int cluster_port, int tls_cluster) {
    server.port = 7001;
    server.tls_port = 8002;
    server.cluster_announce_port = announce;
    server.cluster_announce_tls_port = announce_tls;
    server.cluster_announce_bus_port = announce_bus;
    server.cluster_port = cluster_port;
    server.tls_cluster = tls_cluster;
    tcp = tls = bus = -1;
    deriveAnnouncedPorts(&tcp, &tls, &bus);
}

int main(void) {
    set(0, 0, 0, 0, 0);
    test_cond("the plain port is announced as it is", tcp == 7001);
    test_cond("the TLS port is announced as it is", tls == 8002);
    test_cond("the bus port lies 10000 above the client port", bus == 17001);
    server.tls_port = 9;
    deriveAnnouncedPorts(&tcp, &tls, &bus);
    test_cond("a TLS port does not move the bus port by itself", tls == 9 && bus == 17001);
    set(0, 0, 0, 0, 1);
    test_cond("with TLS in the cluster it lies 10000 above the TLS port", bus == 18002 && tcp == 7001 && tls == 8002);
    set(501, 0, 0, 0, 0);
    test_cond("cluster-announce-port is announced", tcp == 501);
    test_cond("cluster-announce-port does not change the TLS port", tls == 8002);
    test_cond("cluster-announce-port does not move the bus port", bus == 17001);
    set(0, 502, 0, 0, 1);
    test_cond("cluster-announce-tls-port is announced", tls == 502);
    test_cond("cluster-announce-tls-port does not change the plain port", tcp == 7001);
    test_cond("cluster-announce-tls-port does not move the bus port", bus == 18002);
    set(0, 0, 0, 9100, 0);
    test_cond("cluster-port is announced as the bus port", bus == 9100);
    set(0, 0, 503, 0, 0);
    test_cond("cluster-announce-bus-port is announced", bus == 503);
    set(0, 0, 503, 9100, 1);
    test_cond("cluster-announce-bus-port goes before cluster-port", bus == 503);
    test_cond("the bus port's options do not change the client ports", tcp == 7001 && tls == 8002);
    test_cond("the configuration is left as it was",
              server.port == 7001 && server.tls_port == 8002 && server.cluster_port == 9100 &&
              server.cluster_announce_port == 0 && server.cluster_announce_bus_port == 503);
    test_report();
    return 0;
}
