/*---
 * tasks: [expireSlaveKeys-f8757a.16]
 * tests:
 *   WAIT ends when enough replicas acknowledged: 'Comment: "clients blocked in WAIT ... that can be unblocked since we received enough ACKs from slaves".'
 *   it replies their number: 'commands/wait: "the number of replicas that acknowledged".'
 *   WAIT goes on while too few did: 'Comment: "enough ACKs".'
 *   WAIT for another offset is looked at by itself: 'server.h: bstate.reploffset.'
 *   WAIT for more replicas is looked at by itself: 'server.h: bstate.numreplicas.'
 *   a client that has to wait does not stop the others: 'Comment: clients.'
 *   WAITAOF needs replicas that wrote to disk: 'waitaofCommand: "acknowledge our latest write command got synced to the disk".'
 *   WAITAOF replies local and replicas: 'commands/waitaof: an array of two numbers.'
 *   WAITAOF needs the local file as well: 'server.h: bstate.numlocal, fsynced_reploff.'
 *   WAITAOF without the local file tells of it all the same: 'waitaofCommand replies acklocal.'
 *   WAITAOF for the local file is an error once AOF is off: 'waitaofCommand: "WAITAOF cannot be used when numlocal is set but appendonly is disabled".'
 *   acknowledgements in memory do not serve WAITAOF: 'replicationCountAOFAcksByOffset and replicationCountAcksByOffset.'
 *   acknowledgements on disk are counted apart: 'commands/wait counts all that acknowledged.'
 *   who is served is no longer blocked: 'unblockClient; unblockClientWaitingReplicas.'
 *   each is replied to once: 'It leaves clients_waiting_acks.'
 *   who waits has no reply: 'WAIT blocks.'
 *   without anyone waiting nothing is done: 'Comment: "Check if there are clients".'
 ---*/
#include "start.h"
#include "../testhelp.h"

void processClientsWaitingReplicas(void);

static client *replica(long long ack, long long aof) {
    client *s = fakeClient();
    s->flags |= CLIENT_SLAVE;
    s->replstate = SLAVE_STATE_ONLINE;
    s->repl_ack_off = ack;
    s->repl_aof_off = aof;
    listAddNodeTail(server.slaves,s);
    return s;
}

static client *waiting(const char *name) {
    client *c = fakeClient();
    setArguments(c,1,(const char*[]){name});
    return c;
}

static client *waits(long long offset, int replicas) {
    client *c = waiting("wait");
    blockForReplication(c,0,offset,replicas);
    return c;
}

static client *waitsAof(long long offset, int local, int replicas) {
    client *c = waiting("waitaof");
    blockForAofFsync(c,0,offset,local,replicas);
    return c;
}

static int blocked(client *c) {
    return (c->flags & CLIENT_BLOCKED) && listSearchKey(server.clients_waiting_acks,c) && replied(c,"");
}

static int served(client *c, const char *reply) {
    return !(c->flags & CLIENT_BLOCKED) && !listSearchKey(server.clients_waiting_acks,c) &&
           listSearchKey(server.unblocked_clients,c) && replied(c,reply);
}

int main(void) {
    startRedis();
    processClientsWaitingReplicas();
    int nothing = listLength(server.unblocked_clients) == 0;
    client *a = replica(100,50), *b = replica(60,50);
    client *late = waits(150,1), *one = waits(100,1), *both = waits(100,2), *two = waits(60,2), *none = waits(999,0);
    processClientsWaitingReplicas();
    int free = !(one->flags & CLIENT_BLOCKED) && server.blocked_clients == 2;
    test_cond("WAIT ends when enough replicas acknowledged", !(one->flags & CLIENT_BLOCKED) && !(two->flags & CLIENT_BLOCKED));
    int number = served(one,":1\r\n");
    test_cond("WAIT for more replicas is looked at by itself", blocked(both) && served(two,":2\r\n"));
    test_cond("it replies their number", number && served(none,":0\r\n"));
    test_cond("WAIT for another offset is looked at by itself", blocked(late));
    test_cond("WAIT goes on while too few did", blocked(both) && blocked(late));
    test_cond("a client that has to wait does not stop the others", number && free);
    processClientsWaitingReplicas();
    int once = replied(one,"") && replied(two,"") && blocked(both);
    b->repl_ack_off = 149;
    processClientsWaitingReplicas();
    once &= served(both,":2\r\n") && blocked(late);
    a->repl_ack_off = 150;
    processClientsWaitingReplicas();
    once &= served(late,":1\r\n");
    test_cond("each is replied to once", once);
    test_cond("who is served is no longer blocked", server.blocked_clients == 0 && listLength(server.clients_waiting_acks) == 0);

    server.aof_enabled = 1;
    server.fsynced_reploff = 40;
    client *mem = waits(100,1), *disk = waitsAof(100,0,1), *early = waitsAof(50,0,2), *local = waitsAof(50,1,2);
    client *mem2 = waits(100,1);
    client *here = waitsAof(40,1,0), *free_ = waitsAof(30,0,1);
    processClientsWaitingReplicas();
    test_cond("acknowledgements in memory do not serve WAITAOF", blocked(disk) && !(mem->flags & CLIENT_BLOCKED) &&
              !(mem2->flags & CLIENT_BLOCKED));
    test_cond("WAITAOF needs replicas that wrote to disk", blocked(disk) && !(early->flags & CLIENT_BLOCKED));
    test_cond("WAITAOF replies local and replicas", served(early,"*2\r\n:0\r\n:2\r\n") && served(here,"*2\r\n:1\r\n:2\r\n"));
    int tells = served(free_,"*2\r\n:1\r\n:2\r\n");
    test_cond("WAITAOF without the local file tells of it all the same", tells);
    int needs = blocked(local);
    server.fsynced_reploff = 50;
    processClientsWaitingReplicas();
    test_cond("WAITAOF needs the local file as well", needs && served(local,"*2\r\n:1\r\n:2\r\n") && blocked(disk));
    test_cond("who waits has no reply", blocked(disk));
    b->repl_aof_off = 20;
    client *before = waits(50,1), *file = waitsAof(50,0,1), *after = waits(50,1);
    processClientsWaitingReplicas();
    test_cond("acknowledgements on disk are counted apart", served(before,":2\r\n") && served(after,":2\r\n") &&
              served(file,"*2\r\n:1\r\n:1\r\n"));
    b->repl_aof_off = 50;
    client *off = waitsAof(500,1,1), *remote = waitsAof(500,0,1), *reached = waitsAof(50,0,1);
    server.aof_enabled = 0;
    processClientsWaitingReplicas();
    sds s = replyOf(off);
    int error = !strncmp(s,"-ERR WAITAOF cannot be used when numlocal is set but appendonly is disabled",70) &&
                strchr(s,'\n') == s+sdslen(s)-1;
    sdsfree(s);
    test_cond("WAITAOF for the local file is an error once AOF is off", error && !(off->flags & CLIENT_BLOCKED) &&
              blocked(remote) && served(reached,"*2\r\n:1\r\n:2\r\n"));
    test_cond("without anyone waiting nothing is done", nothing);
    test_report();
    return 0;
}
