/*---
 * tasks: [expireSlaveKeys-f8757a.16]
 * tests:
 *   the replies of the client are sent: 'Comment: "Write event handler. Just send data to the client".'
 *   the client is that of the connection: 'connection.h: connGetPrivateData.'
 *   other clients are not sent theirs: 'Comment: "send data to the client".'
 *   after all was sent the handler is removed: 'writeToClient: "If handler_installed is set, it will attempt to clear the write event".'
 *   while something is pending the handler stays: 'writeToClient: it is removed when nothing is pending.'
 *   the rest is sent by the next event: 'Comment: "Write event handler".'
 *   without replies the handler is removed: 'writeToClient: it is removed when nothing is pending.'
 *   the write is counted: 'server.h: stat_total_writes_processed; stat_net_output_bytes.'
 *   the time of the interaction is kept: 'server.h: lastinteraction, "Time of the last interaction, used for timeout".'
 *   a client that is to be closed after its reply is closed: 'writeToClient: "Close connection after entire reply has been sent".'
 *   a client whose connection is broken is closed: 'writeToClient: "Error writing to client".'
 *   a client that takes nothing now stays: 'connection.h: the state is still CONN_STATE_CONNECTED.'
 ---*/
#include "wirecheck.h"

int main(void) {
    startRedis();
    client *c = wireClient(), *other = wireClient();
    fillBuffer(c,"first",0), addNode(c,"second");
    fillBuffer(other,"other",0);
    c->lastinteraction = 5;
    server.unixtime = 123456;
    long long writes, bytes, writes2, bytes2;
    atomicGet(server.stat_total_writes_processed,writes);
    atomicGet(server.stat_net_output_bytes,bytes);
    wireClear(1000);
    c->conn->write_handler = sendReplyToClient;
    sendReplyToClient(c->conn);
    atomicGet(server.stat_total_writes_processed,writes2);
    atomicGet(server.stat_net_output_bytes,bytes2);
    test_cond("the replies of the client are sent", wired("firstsecond") && c->bufpos == 0 && listLength(c->reply) == 0);
    test_cond("after all was sent the handler is removed", wire_handlers == 1 && !wire_handler_set && !c->conn->write_handler);
    test_cond("other clients are not sent theirs", other->bufpos == 5);
    test_cond("the write is counted", writes2 == writes+1 && bytes2 == bytes+11);
    test_cond("the time of the interaction is kept", c->lastinteraction == 123456);
    wireClear(1000);
    sendReplyToClient(other->conn);
    test_cond("the client is that of the connection", wired("other") && other->bufpos == 0);
    fillBuffer(c,"",0);
    for (int j = 0; j < 3; j++) {
        char big[40001];
        memset(big,'a'+j,40000);
        big[40000] = '\0';
        addNode(c,big);
    }
    wireClear(50000);
    c->conn->write_handler = sendReplyToClient;
    sendReplyToClient(c->conn);
    size_t sent = sdslen(wire);
    test_cond("while something is pending the handler stays", sent >= 65536 && sent < 120000 && wire_handlers == 0 &&
              c->conn->write_handler == sendReplyToClient);
    wireClear(1 << 30);
    sendReplyToClient(c->conn);
    test_cond("the rest is sent by the next event", sdslen(wire) == 120000-sent && listLength(c->reply) == 0 &&
              c->reply_bytes == 0 && !c->conn->write_handler);
    c->conn->write_handler = sendReplyToClient;
    wireClear(1000);
    sendReplyToClient(c->conn);
    test_cond("without replies the handler is removed", wire_writes == 0 && !c->conn->write_handler);
    fillBuffer(c,"later",0);
    c->conn->write_handler = sendReplyToClient;
    wireClear(-1);
    sendReplyToClient(c->conn);
    test_cond("a client that takes nothing now stays", !(c->flags & CLIENT_CLOSE_ASAP) && c->bufpos == 5 &&
              c->conn->write_handler == sendReplyToClient);
    c->flags |= CLIENT_CLOSE_AFTER_REPLY;
    wireClear(2);
    wire_room = -1;
    sendReplyToClient(c->conn);
    int open_ = !(c->flags & CLIENT_CLOSE_ASAP);
    wireClear(1000);
    sendReplyToClient(c->conn);
    test_cond("a client that is to be closed after its reply is closed", open_ && wired("later") && (c->flags & CLIENT_CLOSE_ASAP) &&
              listSearchKey(server.clients_to_close,c));
    fillBuffer(other,"lost",0);
    other->conn->state = CONN_STATE_ERROR;
    wireClear(-1);
    sendReplyToClient(other->conn);
    test_cond("a client whose connection is broken is closed", (other->flags & CLIENT_CLOSE_ASAP) &&
              listLength(server.clients_to_close) == 2);
    test_report();
    return 0;
}
