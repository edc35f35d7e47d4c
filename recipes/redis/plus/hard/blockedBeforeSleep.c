/*---
 * tasks: [expireSlaveKeys-f8757a.16]
 * tests:
 *   clients whose time is over are unblocked: 'timeout.c: handleBlockedClientsTimeout; commands/blpop: timeout.'
 *   clients whose time is not over still wait: 'The same.'
 *   clients in WAIT are served: 'replication.c: processClientsWaitingReplicas.'
 *   clients that wait for keys are served: 'blocked.c: handleClientsBlockedOnKeys; keys signalled outside a command.'
 *   clients that wait for other keys still wait: 'handleClientsBlockedOnKeys.'
 *   no key is left signalled: 'handleClientsBlockedOnKeys: server.ready_keys.'
 *   commands of unblocked clients are processed: 'blocked.c: processUnblockedClients, "there may be pending input".'
 *   those of clients that were unblocked right now too: 'Caller beforeSleep calls it once, then sleeps; such a client''s buffer would wait for more input.'
 *   no unblocked client is left in the list: 'server.h: unblocked_clients, "list of clients to unblock before next loop".'
 *   without anything to do nothing is done: 'Caller beforeSleep.'
 *   a second call does not do it again: 'Caller beforeSleep calls it before each sleep.'
 ---*/
#include "start.h"
#include "../testhelp.h"

void blockedBeforeSleep(void);
void createReplicationBacklog(void);

static client *sends(int argc, const char **words, const char *pending) {
    client *c = fakeClient();
    setArguments(c,argc,words);
    c->querybuf = sdscat(sdsempty(),pending);
    c->cmd->proc(c);
    return c;
}

static int text(client *c, const char *want) {
    sds s = replyOf(c);
    int same = !strcmp(s,want);
    if (!same) printf("# %s\n",s);
    sdsfree(s);
    return same;
}

int main(void) {
    startRedis();
    createReplicationBacklog();
    blockedBeforeSleep();
    test_cond("without anything to do nothing is done", server.blocked_clients == 0 && listLength(server.unblocked_clients) == 0);
    client *alone = sends(3,(const char*[]){"blpop","alone","0"},"");
    client *rpush = fakeClient();
    setArguments(rpush,3,(const char*[]){"rpush","alone","y"});
    rpush->cmd->proc(rpush);
    blockedBeforeSleep();
    int keys = !(alone->flags & CLIENT_BLOCKED) && text(alone,"*2\r\n$5\r\nalone\r\n$1\r\ny\r\n");
    client *over = sends(3,(const char*[]){"blpop","k1","0.001"},"");
    client *later = sends(3,(const char*[]){"blpop","k2","1000"},"");
    over->bstate.timeout = 1;
    removeClientFromTimeoutTable(over);
    addClientToTimeoutTable(over);
    client *slave = fakeClient();
    slave->flags |= CLIENT_SLAVE;
    slave->replstate = SLAVE_STATE_ONLINE;
    slave->repl_ack_off = 100;
    listAddNodeTail(server.slaves,slave);
    client *wait = subscriberClient(), *ahead = fakeClient();
    setArguments(wait,1,(const char*[]){"wait"});
    setArguments(ahead,1,(const char*[]){"wait"});
    wait->querybuf = sdsnew("PING\r\n");
    blockForReplication(wait,0,100,1);
    blockForReplication(ahead,0,101,1);
    client *list = sends(3,(const char*[]){"blpop","list","0"},"");
    client *other = sends(3,(const char*[]){"blpop","other","0"},"");
    client *pusher = fakeClient();
    setArguments(pusher,3,(const char*[]){"rpush","list","x"});
    pusher->cmd->proc(pusher);
    client *typed = subscriberClient();
    typed->querybuf = sdsnew("PING\r\nECHO more\r\n");
    queueClientForReprocessing(typed);
    int signalled = listLength(server.ready_keys) == 1;
    blockedBeforeSleep();
    test_cond("clients whose time is over are unblocked", !(over->flags & CLIENT_BLOCKED) && text(over,"*-1\r\n"));
    test_cond("clients whose time is not over still wait", (later->flags & CLIENT_BLOCKED) && text(later,""));
    test_cond("clients in WAIT are served", !(wait->flags & CLIENT_BLOCKED) && (ahead->flags & CLIENT_BLOCKED) &&
              text(ahead,""));
    test_cond("those of clients that were unblocked right now too", text(wait,":1\r\n+PONG\r\n"));
    test_cond("clients that wait for keys are served", keys && signalled && !(list->flags & CLIENT_BLOCKED) &&
              text(list,"*2\r\n$4\r\nlist\r\n$1\r\nx\r\n"));
    test_cond("clients that wait for other keys still wait", (other->flags & CLIENT_BLOCKED) && text(other,""));
    test_cond("no key is left signalled", listLength(server.ready_keys) == 0);
    test_cond("commands of unblocked clients are processed", text(typed,"+PONG\r\n$4\r\nmore\r\n"));
    test_cond("no unblocked client is left in the list", listLength(server.unblocked_clients) == 0 &&
              !(typed->flags & CLIENT_UNBLOCKED) && !(wait->flags & CLIENT_UNBLOCKED));
    int blocked = server.blocked_clients;
    blockedBeforeSleep();
    test_cond("a second call does not do it again", blocked == 3 && server.blocked_clients == 3 && text(typed,"") &&
              text(wait,"") && text(list,"") && text(over,""));
    test_report();
    return 0;
}
