/*---
 * tasks: [evictionPoolPopulate-a95d96.16]
 * tests:
 *   a replica is not synchronized again: 'Comment in the body: "ignore SYNC if already slave or in monitor mode".'
 *   a failover request to a master is an error: 'Reply: "PSYNC FAILOVER can''t be sent to a master".'
 *   a failover request with another replid is an error: 'Reply: "PSYNC FAILOVER replid must match my replid".'
 *   a failover request with the replid makes a master: 'Comment in the body: "become a master if so"; upstream documentation of FAILOVER.'
 *   during a failover it is refused: 'Reply: "-NOMASTERLINK Can''t SYNC while failing over".'
 *   without a link to the master it is refused: 'Reply: "-NOMASTERLINK Can''t SYNC while not connected with my master".'
 *   with pending output it is refused: 'Reply: "SYNC and PSYNC are invalid with pending output".'
 *   a filtered replica must know EOF: 'Reply: "Filtered replica requires EOF capability".'
 *   an offset that is no integer is an error: 'networking.c: getLongLongFromObjectOrReply.'
 *   a refused client is no replica: 'server.slaves; CLIENT_SLAVE.'
 *   with replid and offset the replica goes on: 'masterTryPartialResynchronization: "+CONTINUE"; upstream documentation of PSYNC.'
 *   a partial synchronization is counted as such: 'server.h: stat_sync_partial_ok, "Number of accepted PSYNC requests".'
 *   a full synchronization is counted: 'server.h: stat_sync_full, "Number of full resyncs with slaves".'
 *   a failed partial synchronization is counted: 'server.h: stat_sync_partial_err, "Number of unaccepted PSYNC requests".'
 *   a replica that asks for a full synchronization is no failure: 'Comment in the body: "but only if the replid is not ?".'
 *   with SYNC the client is an old one: 'Comment in the body: "Flag the client so that we don''t expect to receive REPLCONF ACK feedbacks"; CLIENT_PRE_PSYNC.'
 *   the client is a replica that waits for the save: 'server.h: SLAVE_STATE_WAIT_BGSAVE_START.'
 *   the first replica makes the backlog: 'Comment in the body: "Create the replication backlog if needed".'
 *   with a new backlog there is a new history: 'Comment in the body: "we always use a new replication ID and clear the ID2".'
 *   with a backlog the history stays: 'Comment in the body: "When we create the backlog from scratch".'
 *   a save for another replica serves this one too: 'Comment in the body: "BGSAVE is in progress, with disk target"; +FULLRESYNC with the same offset.'
 *   the commands since that save are copied: 'Comment in the body: "copy the buffer".'
 *   a save without a waiting replica does not: 'Comment in the body: "if there is another slave that is registering differences since the server forked".'
 *   a save for more capabilities does not: 'Comment in the body: "it has at least all the capabilities of the slave that triggered the current BGSAVE".'
 *   a save for other requirements does not: 'Comment in the body: "and its exact requirements".'
 *   a replica without commands can only serve its like: 'Comment in the body: "If the client needs a buffer of commands, we can''t use a replica without replication buffer".'
 *   a save to sockets is not joined: 'Comment in the body: "We need to wait for the next BGSAVE in order to synchronize".'
 *   another child delays the save: 'Log: "another BG operation is active. BGSAVE for replication delayed".'
 *   a diskless save is delayed: 'Comment in the body: "we want to delay its start a few seconds to wait for more slaves to arrive".'
 *   otherwise a save is started: 'Comment in the body: "We don''t have a BGSAVE in progress, let''s start one".'
 *   the replica of the new save is told replid and offset: 'replicationSetupSlaveForFullResync: "+FULLRESYNC".'
 ---*/
#include "diskfiles.h"
#include <sys/socket.h>

void createReplicationBacklog(void);
void freeReplicationBacklog(void);

static int other[128];

static client *join(int capa) {
    int fds[2];
    serverAssert(socketpair(AF_UNIX,SOCK_STREAM,0,fds) == 0);
    client *c = createClient(NULL);
    c->conn = connCreateAccepted(connectionByType(CONN_TYPE_SOCKET),fds[0],NULL);
    c->conn->state = CONN_STATE_CONNECTED;
    connSetPrivateData(c->conn,c);
    linkClient(c);
    c->slave_capa = capa;
    other[c->id % 128] = fds[1];
    return c;
}

static void leave(client *c) {
    close(other[c->id % 128]);
    freeClient(c);
}

static void sync_(client *c) {
    const char *words[] = {"sync"};
    setArguments(c,1,words);
    syncCommand(c);
}

static void psync(client *c, const char *replid, const char *offset, const char *failover) {
    const char *words[] = {"psync",replid,offset,failover};
    setArguments(c,failover ? 4 : 3,words);
    syncCommand(c);
}

/* What was written to the connection itself. */
static int wrote(client *c, const char *text) {
    char buf[1000];
    ssize_t n = recv(other[c->id % 128],buf,sizeof(buf),MSG_DONTWAIT);
    int same = n < 0 ? !*text : n == (ssize_t)strlen(text) && !memcmp(buf,text,n);
    if (!same) printf("wrote <%.*s>\n",(int)(n < 0 ? 0 : n),buf);
    return same;
}

static int waits(client *c) {
    return (c->flags & CLIENT_SLAVE) && c->replstate == SLAVE_STATE_WAIT_BGSAVE_START &&
           listSearchKey(server.slaves,c) != NULL;
}

static int refused(client *c) {
    return !(c->flags & (CLIENT_SLAVE|CLIENT_PRE_PSYNC)) && listLength(server.slaves) == 0 && server.stat_sync_full == 0 &&
           c->replstate == REPL_STATE_NONE;
}

static void child(int type, int rdb_type) {
    server.child_pid = type == CHILD_TYPE_NONE ? -1 : getpid();
    server.child_type = type;
    server.rdb_child_type = rdb_type;
}

int main(void) {
    startRedis();
    signal(SIGALRM,SIG_DFL), alarm(60);
    enterFolder();
    server.repl_diskless_sync = 0;
    server.stat_sync_full = 0;
    client *c = join(SLAVE_CAPA_EOF|SLAVE_CAPA_PSYNC2);
    int kept = 1;
    psync(c,server.replid,"1","failover");
    test_cond("a failover request to a master is an error", replied(c,"-ERR PSYNC FAILOVER can't be sent to a master.\r\n"));
    kept &= refused(c);
    server.masterhost = sdsnew("127.0.0.1");
    server.repl_state = REPL_STATE_CONNECTED;
    psync(c,"0123456789012345678901234567890123456789","1","FAILOVER");
    test_cond("a failover request with another replid is an error",
              replied(c,"-ERR PSYNC FAILOVER replid must match my replid.\r\n") && server.masterhost);
    kept &= refused(c);
    server.repl_state = REPL_STATE_CONNECT;
    sync_(c);
    int told = replied(c,"-NOMASTERLINK Can't SYNC while not connected with my master\r\n");
    psync(c,"?","-1",NULL);
    test_cond("without a link to the master it is refused", told &&
              replied(c,"-NOMASTERLINK Can't SYNC while not connected with my master\r\n"));
    kept &= refused(c);
    sdsfree(server.masterhost);
    server.masterhost = NULL;
    server.repl_state = REPL_STATE_NONE;
    server.failover_state = FAILOVER_WAIT_FOR_SYNC;
    sync_(c);
    test_cond("during a failover it is refused", replied(c,"-NOMASTERLINK Can't SYNC while failing over\r\n"));
    server.failover_state = NO_FAILOVER;
    kept &= refused(c);
    addReplyLongLong(c,1);
    sync_(c);
    test_cond("with pending output it is refused", replied(c,":1\r\n-ERR SYNC and PSYNC are invalid with pending output\r\n"));
    kept &= refused(c);
    c->slave_req = SLAVE_REQ_RDB_EXCLUDE_DATA;
    c->slave_capa = SLAVE_CAPA_PSYNC2;
    sync_(c);
    test_cond("a filtered replica must know EOF", replied(c,"-ERR Filtered replica requires EOF capability\r\n"));
    kept &= refused(c);
    c->slave_req = 0;
    c->slave_capa |= SLAVE_CAPA_EOF;
    psync(c,"?","far",NULL);
    test_cond("an offset that is no integer is an error", replied(c,"-ERR value is not an integer or out of range\r\n"));
    test_cond("a refused client is no replica", kept && refused(c) && server.repl_backlog == NULL);

    child(CHILD_TYPE_AOF,RDB_CHILD_TYPE_NONE);
    char replid[CONFIG_RUN_ID_SIZE+1];
    memcpy(replid,server.replid,sizeof(replid));
    memset(server.replid2,'7',CONFIG_RUN_ID_SIZE);
    server.stat_sync_partial_err = server.stat_sync_partial_ok = 0;
    psync(c,"?","-1",NULL);
    test_cond("the client is a replica that waits for the save", waits(c) && c->repldbfd == -1 && listLength(server.slaves) == 1);
    test_cond("another child delays the save", wrote(c,"") && c->bufpos == 0 && server.child_type == CHILD_TYPE_AOF);
    test_cond("a full synchronization is counted", server.stat_sync_full == 1 && server.stat_sync_partial_ok == 0);
    test_cond("a replica that asks for a full synchronization is no failure", server.stat_sync_partial_err == 0 &&
              !(c->flags & CLIENT_PRE_PSYNC));
    test_cond("the first replica makes the backlog", server.repl_backlog != NULL);
    test_cond("with a new backlog there is a new history", memcmp(replid,server.replid,CONFIG_RUN_ID_SIZE) &&
              server.replid2[0] == '0' && server.second_replid_offset == -1);
    psync(c,"?","-1",NULL);
    test_cond("a replica is not synchronized again", listLength(server.slaves) == 1 && server.stat_sync_full == 1 &&
              c->bufpos == 0);
    memcpy(replid,server.replid,sizeof(replid));
    client *d = join(SLAVE_CAPA_EOF|SLAVE_CAPA_PSYNC2);
    psync(d,"0123456789012345678901234567890123456789","1",NULL);
    test_cond("a failed partial synchronization is counted", server.stat_sync_partial_err == 1 && server.stat_sync_full == 2 &&
              waits(d));
    test_cond("with a backlog the history stays", !memcmp(replid,server.replid,CONFIG_RUN_ID_SIZE) &&
              listLength(server.slaves) == 2);
    client *old = join(0);
    sync_(old);
    test_cond("with SYNC the client is an old one", (old->flags & CLIENT_PRE_PSYNC) && waits(old) && server.stat_sync_partial_err == 1);
    leave(c), leave(d), leave(old);
    c = join(SLAVE_CAPA_EOF|SLAVE_CAPA_PSYNC2);
    char offset[32];
    ll2string(offset,sizeof(offset),server.master_repl_offset+1);
    psync(c,server.replid,offset,NULL);
    sds want = sdscatprintf(sdsempty(),"+CONTINUE %s\r\n",server.replid);
    test_cond("with replid and offset the replica goes on", wrote(c,want) && c->replstate == SLAVE_STATE_ONLINE &&
              (c->flags & CLIENT_SLAVE));
    test_cond("a partial synchronization is counted as such", server.stat_sync_partial_ok == 1 && server.stat_sync_full == 3 &&
              server.stat_sync_partial_err == 1);
    leave(c);

    child(CHILD_TYPE_RDB,RDB_CHILD_TYPE_DISK);
    c = join(SLAVE_CAPA_EOF|SLAVE_CAPA_PSYNC2);
    psync(c,"?","-1",NULL);
    test_cond("a save without a waiting replica does not", waits(c) && wrote(c,""));
    c->replstate = SLAVE_STATE_WAIT_BGSAVE_END;
    c->psync_initial_offset = 1234;
    c->slave_capa = SLAVE_CAPA_PSYNC2;
    robj *argv[1] = {createStringObject("ping",4)};
    replicationFeedSlaves(server.slaves,0,argv,1);
    d = join(SLAVE_CAPA_EOF|SLAVE_CAPA_PSYNC2);
    psync(d,"?","-1",NULL);
    want = sdscatprintf(sdsempty(),"+FULLRESYNC %s 1234\r\n",server.replid);
    test_cond("a save for another replica serves this one too", wrote(d,want) && d->replstate == SLAVE_STATE_WAIT_BGSAVE_END &&
              d->psync_initial_offset == 1234);
    test_cond("the commands since that save are copied", c->ref_repl_buf_node && d->ref_repl_buf_node == c->ref_repl_buf_node &&
              d->ref_block_pos == c->ref_block_pos);
    leave(d);
    c->slave_capa = SLAVE_CAPA_EOF|SLAVE_CAPA_PSYNC2;
    d = join(SLAVE_CAPA_PSYNC2);
    psync(d,"?","-1",NULL);
    test_cond("a save for more capabilities does not", waits(d) && wrote(d,"") && !d->ref_repl_buf_node);
    leave(d);
    d = join(SLAVE_CAPA_EOF|SLAVE_CAPA_PSYNC2);
    d->slave_req = SLAVE_REQ_RDB_EXCLUDE_FUNCTIONS;
    psync(d,"?","-1",NULL);
    test_cond("a save for other requirements does not", waits(d) && wrote(d,""));
    leave(d);
    c->flags |= CLIENT_REPL_RDBONLY;
    d = join(SLAVE_CAPA_EOF|SLAVE_CAPA_PSYNC2);
    client *only = join(SLAVE_CAPA_EOF|SLAVE_CAPA_PSYNC2);
    only->flags |= CLIENT_REPL_RDBONLY;
    psync(d,"?","-1",NULL);
    psync(only,"?","-1",NULL);
    test_cond("a replica without commands can only serve its like", waits(d) && wrote(d,"") && wrote(only,want) &&
              !only->ref_repl_buf_node);
    leave(d), leave(only);
    c->flags &= ~CLIENT_REPL_RDBONLY;
    server.rdb_child_type = RDB_CHILD_TYPE_SOCKET;
    d = join(SLAVE_CAPA_EOF|SLAVE_CAPA_PSYNC2);
    psync(d,"?","-1",NULL);
    test_cond("a save to sockets is not joined", waits(d) && wrote(d,""));
    leave(d), leave(c);

    child(CHILD_TYPE_NONE,RDB_CHILD_TYPE_NONE);
    server.repl_diskless_sync = 1;
    server.repl_diskless_sync_delay = 5;
    c = join(SLAVE_CAPA_EOF|SLAVE_CAPA_PSYNC2);
    psync(c,"?","-1",NULL);
    test_cond("a diskless save is delayed", waits(c) && wrote(c,"") && server.child_pid == -1);
    leave(c);
    fflush(stdout);
    c = join(SLAVE_CAPA_PSYNC2);
    server.stat_rdb_saves = 0;
    psync(c,"?","-1",NULL);
    int status = -1;
    test_cond("otherwise a save is started", server.child_pid > 0 && server.child_type == CHILD_TYPE_RDB &&
              server.rdb_child_type == RDB_CHILD_TYPE_DISK && server.stat_rdb_saves == 1 &&
              waitpid(server.child_pid,&status,0) > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    want = sdscatprintf(sdsempty(),"+FULLRESYNC %s %lld\r\n",server.replid,server.master_repl_offset);
    test_cond("the replica of the new save is told replid and offset", wrote(c,want) && c->replstate == SLAVE_STATE_WAIT_BGSAVE_END);
    resetChildState();
    server.rdb_child_type = RDB_CHILD_TYPE_NONE;
    leave(c);
    child(CHILD_TYPE_AOF,RDB_CHILD_TYPE_NONE);
    server.masterhost = sdsnew("127.0.0.1");
    server.repl_state = REPL_STATE_CONNECTED;
    c = join(SLAVE_CAPA_EOF|SLAVE_CAPA_PSYNC2);
    want = sdsnew(server.replid);
    psync(c,want,"1","failover");
    test_cond("a failover request with the replid makes a master", server.masterhost == NULL && (c->flags & CLIENT_SLAVE));
    leaveFolder();
    test_report();
    return 0;
}
