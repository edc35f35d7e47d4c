/*---
 * tasks: [expireSlaveKeys-f8757a.16]
 * tests:
 *   each client gets its replies: 'Comment: "we can just write the replies to the client output buffer".'
 *   it returns how many were in the queue: 'Caller beforeSleep: processed += ...'
 *   an empty queue gives 0: 'Caller beforeSleep.'
 *   the queue is empty afterwards: 'server.h: clients_pending_write, "There is to write or install handler".'
 *   the clients are not marked any longer: 'server.h: CLIENT_PENDING_WRITE; they are queued again only without it.'
 *   no handler is installed where all was sent: 'Comment: "without any need to use a syscall in order to install the writable event handler".'
 *   a handler is installed where something is left: 'Comment: the event handler; installClientWriteHandler.'
 *   a protected client is left alone: 'server.h: CLIENT_PROTECTED, "Client should not be freed for now"; a module or thread uses it.'
 *   a client that will be closed is left alone: 'server.h: CLIENT_CLOSE_ASAP.'
 *   these leave the queue too: 'unprotectClient queues it again.'
 *   a broken client does not stop the others: 'writeToClient: C_ERR.'
 *   a second call sends nothing again: 'The queue is empty.'
 *   a client is queued again by its next reply: 'prepareClientToWrite: CLIENT_PENDING_WRITE.'
 ---*/
#include "sockettest.h"

int main(void) {
    startRedis();
    int a, b, big, guarded, closing, broken, last;
    client *ca = socketClient(&a), *cbroken = socketClient(&broken), *cguarded = socketClient(&guarded);
    client *cbig = socketClient(&big), *cclosing = socketClient(&closing), *cb = socketClient(&b), *clast = socketClient(&last);
    test_cond("an empty queue gives 0", handleClientsWithPendingWrites() == 0);
    addReplyProto(ca,"+a\r\n",4);
    addReplyProto(cbroken,"+broken\r\n",9);
    addReplyProto(cguarded,"+guarded\r\n",10);
    sendMuch(cbig,200000);
    addReplyProto(cclosing,"+closing\r\n",10);
    addReplyProto(cb,"+b\r\n",4);
    close(broken);
    cguarded->flags |= CLIENT_PROTECTED;
    freeClientAsync(cclosing);
    int queued = listLength(server.clients_pending_write), n = handleClientsWithPendingWrites();
    test_cond("it returns how many were in the queue", queued == 6 && n == 6);
    test_cond("the queue is empty afterwards", listLength(server.clients_pending_write) == 0);
    int got = gets(a,"+a\r\n");
    test_cond("each client gets its replies", got && gets(b,"+b\r\n"));
    test_cond("a broken client does not stop the others", (cbroken->flags & CLIENT_CLOSE_ASAP) && arrive(big) > 60000 &&
              inOrder(60000));
    test_cond("the clients are not marked any longer", !(ca->flags & CLIENT_PENDING_WRITE) &&
              !(cbig->flags & CLIENT_PENDING_WRITE) && !(cb->flags & CLIENT_PENDING_WRITE) &&
              !(cguarded->flags & CLIENT_PENDING_WRITE) && !(cclosing->flags & CLIENT_PENDING_WRITE));
    test_cond("no handler is installed where all was sent", !connHasWriteHandler(ca->conn) && !connHasWriteHandler(cb->conn));
    test_cond("a handler is installed where something is left", clientHasPendingReplies(cbig) &&
              connHasWriteHandler(cbig->conn) && !(cbig->flags & CLIENT_CLOSE_ASAP));
    test_cond("a protected client is left alone", gets(guarded,"") && clientHasPendingReplies(cguarded) &&
              !connHasWriteHandler(cguarded->conn));
    test_cond("a client that will be closed is left alone", gets(closing,"") && clientHasPendingReplies(cclosing) &&
              !connHasWriteHandler(cclosing->conn));
    test_cond("these leave the queue too", listSearchKey(server.clients_pending_write,cguarded) == NULL &&
              listSearchKey(server.clients_pending_write,cclosing) == NULL);
    test_cond("a second call sends nothing again", handleClientsWithPendingWrites() == 0 && gets(a,"") && gets(guarded,""));
    addReplyProto(ca,"+more\r\n",7);
    addReplyProto(clast,"+last\r\n",7);
    n = handleClientsWithPendingWrites();
    got = gets(a,"+more\r\n");
    test_cond("a client is queued again by its next reply", n == 2 && got && gets(last,"+last\r\n"));
    test_report();
    return 0;
}
