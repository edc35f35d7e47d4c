/*---
 * tasks: [expireSlaveKeys-f8757a.16]
 * tests:
 *   what is pending is sent: 'Comment: "Write data in output buffers to client".'
 *   C_OK while the client is valid: 'Comment: "Return C_OK if the client is still valid after the call".'
 *   without anything pending nothing is sent: 'clientHasPendingReplies.'
 *   many replies are sent in their order: '_writeToClient: buffer and list.'
 *   not much more than the limit is sent at once: 'server.h: NET_MAX_WRITES_PER_EVENT; "serve other clients as well" is redis''s way.'
 *   the rest is sent by later calls: 'sendReplyToClient is called again.'
 *   out of memory all is sent that can be: 'Upstream: over maxmemory the limit is ignored.'
 *   a monitor is sent all that can be: 'Upstream: "a slave or a monitor (otherwise ... will grow indefinitely)".'
 *   a full socket is no error: 'Comment: C_ERR only if it was freed because of some error.'
 *   a broken socket is an error and closes the client: 'Comment: "C_ERR if it was freed because of some error".'
 *   the handler is cleared when all is sent: 'Comment: "If handler_installed is set, it will attempt to clear the write event".'
 *   the handler stays while something is pending: 'The rest has to be sent.'
 *   without the parameter the handler is left alone: 'Parameter handler_installed.'
 *   a client that is to be closed is closed after its reply: 'server.h: CLIENT_CLOSE_AFTER_REPLY.'
 *   it is not closed while something is pending: 'The same: "Close after writing entire reply".'
 *   bytes and writes are counted: 'INFO total_net_output_bytes, total_writes_processed.'
 *   sending is an interaction: 'server.h: lastinteraction; timeout.'
 *   sending to a master is none: 'Upstream: REPLCONF ACK is always sent; its timeout is found by pings.'
 *   sending nothing is none: 'lastinteraction.'
 *   "a replica gets the replication's stream": '_writeToClient: CLIENT_TYPE_SLAVE.'
 *   its bytes are counted apart: 'INFO total_net_repl_output_bytes.'
 ---*/
#include "sockettest.h"

void createReplicationBacklog(void);
void feedReplicationBuffer(char *buf, size_t len);
void sendReplyToClient(connection *conn);

int main(void) {
    startRedis();
    int end;
    client *c = socketClient(&end);
    server.unixtime = 500000;
    c->lastinteraction = 7;
    long long bytes = server.stat_net_output_bytes, writes = server.stat_total_writes_processed;
    int ok = writeToClient(c,0) == C_OK;
    test_cond("without anything pending nothing is sent", gets(end,"") && server.stat_net_output_bytes == bytes);
    test_cond("sending nothing is none", c->lastinteraction == 7);
    addReplyProto(c,"+hello\r\n",8);
    ok &= writeToClient(c,0) == C_OK;
    test_cond("what is pending is sent", gets(end,"+hello\r\n") && !clientHasPendingReplies(c) && c->sentlen == 0);
    test_cond("sending is an interaction", c->lastinteraction == 500000);
    int counted = server.stat_net_output_bytes == bytes+8 && server.stat_total_writes_processed == writes+2;
    c->flags |= CLIENT_MASTER;
    c->lastinteraction = 7;
    addReplyProto(c,"+hello\r\n",8);
    c->flags &= ~CLIENT_MASTER;
    if (!clientHasPendingReplies(c)) addReplyProto(c,"+hello\r\n",8);
    c->flags |= CLIENT_MASTER;
    writeToClient(c,0);
    test_cond("sending to a master is none", gets(end,"+hello\r\n") && c->lastinteraction == 7);
    c->flags &= ~CLIENT_MASTER;
    bytes = server.stat_net_output_bytes;
    sendMuch(c,48000);
    ok &= writeToClient(c,0) == C_OK;
    int n = arrive(end);
    test_cond("many replies are sent in their order", n == 48000 && inOrder(n) && !clientHasPendingReplies(c));
    counted &= server.stat_net_output_bytes == bytes+48000 && server.stat_net_repl_output_bytes == 0;

    sendMuch(c,200000);
    connSetWriteHandler(c->conn,sendReplyToClient);
    c->flags |= CLIENT_CLOSE_AFTER_REPLY;
    ok &= writeToClient(c,1) == C_OK;
    int first = arrive(end), handler = connHasWriteHandler(c->conn);
    test_cond("not much more than the limit is sent at once", first > 60000 && first <= 2*NET_MAX_WRITES_PER_EVENT+PROTO_REPLY_CHUNK_BYTES &&
              inOrder(first) && clientHasPendingReplies(c));
    test_cond("the handler stays while something is pending", handler);
    int open = !(c->flags & CLIENT_CLOSE_ASAP), total = first;
    c->flags &= ~CLIENT_CLOSE_AFTER_REPLY;
    for (int j = 0; j < 10 && clientHasPendingReplies(c); j++) {
        ok &= writeToClient(c,1) == C_OK;
        int more = read(end,arrived,sizeof(arrived));
        char eight[9];
        sprintf(eight,"%08d",total/8*8);
        if (total % 8 == 0 && more > 8 && memcmp(arrived,eight,8)) total = -1000000;
        total += more;
    }
    test_cond("the rest is sent by later calls", total == 200000 && !clientHasPendingReplies(c));
    test_cond("the handler is cleared when all is sent", handler && !connHasWriteHandler(c->conn));
    connSetWriteHandler(c->conn,sendReplyToClient);
    addReplyProto(c,"+x\r\n",4);
    writeToClient(c,0);
    test_cond("without the parameter the handler is left alone", connHasWriteHandler(c->conn) && gets(end,"+x\r\n"));
    connSetWriteHandler(c->conn,NULL);
    test_cond("C_OK while the client is valid", ok);

    sendMuch(c,200000);
    server.maxmemory = 1;
    bytes = server.stat_net_output_bytes;
    writeToClient(c,0);
    n = arrive(end);
    server.maxmemory = 0;
    counted &= server.stat_net_output_bytes == bytes+200000;
    test_cond("bytes and writes are counted", counted);
    test_cond("out of memory all is sent that can be", n == 200000 && inOrder(n));
    sendMuch(c,200000);
    uint64_t flags = c->flags;
    c->flags |= CLIENT_SLAVE|CLIENT_MONITOR;
    writeToClient(c,0);
    c->flags = flags;
    n = arrive(end);
    test_cond("a monitor is sent all that can be", n == 200000 && inOrder(n));
    for (int j = 0; j < 3; j++) sendMuch(c,1000000);
    int full = 1;
    for (int j = 0; j < 60; j++) full &= writeToClient(c,0) == C_OK;
    test_cond("a full socket is no error", full && clientHasPendingReplies(c) && !(c->flags & CLIENT_CLOSE_ASAP) &&
              connGetState(c->conn) == CONN_STATE_CONNECTED);

    int other;
    client *d = socketClient(&other);
    addReplyProto(d,"+bye\r\n",6);
    d->flags |= CLIENT_CLOSE_AFTER_REPLY;
    int result = writeToClient(d,0);
    test_cond("a client that is to be closed is closed after its reply", result == C_ERR && gets(other,"+bye\r\n") &&
              (d->flags & CLIENT_CLOSE_ASAP));
    test_cond("it is not closed while something is pending", open);
    d = socketClient(&other);
    addReplyProto(d,"+lost\r\n",7);
    close(other);
    result = writeToClient(d,0);
    test_cond("a broken socket is an error and closes the client", result == C_ERR && (d->flags & CLIENT_CLOSE_ASAP));

    client *slave = socketClient(&other);
    createReplicationBacklog();
    slave->flags |= CLIENT_SLAVE;
    slave->replstate = SLAVE_STATE_ONLINE;
    listAddNodeTail(server.slaves,slave);
    feedReplicationBuffer("stream",6);
    bytes = server.stat_net_output_bytes;
    result = writeToClient(slave,0);
    test_cond("a replica gets the replication's stream", result == C_OK && gets(other,"stream") &&
              !clientHasPendingReplies(slave));
    test_cond("its bytes are counted apart", server.stat_net_repl_output_bytes == 6 && server.stat_net_output_bytes == bytes);
    test_report();
    return 0;
}
