/*---
 * tasks: [evictionPoolPopulate-a95d96.16]
 * tests:
 *   a BGSAVE to disk is started: 'Comment: "Start a BGSAVE for replication goals"; redis.conf: repl-diskless-sync no.'
 *   "the file is the server's RDB file": 'updateSlavesWaitingBgsave opens server.rdb_filename.'
 *   replicas that wait are told of a full synchronization: 'Comment: "preparing them for a full sync if the BGSAVE was successfully started".'
 *   replicas in another state are left alone: 'Comment: "Handle the slaves in WAIT_START state".'
 *   replicas with other requirements still wait: 'Parameter req; shouldStartChildReplication: "Skip slaves that don''t match".'
 *   diskless it writes to sockets: 'redis.conf: repl-diskless-sync yes; Comment: mincapa.'
 *   replicas that do not know the mark get a file: 'Comment: "the mincapa argument is the bitwise AND"; SLAVE_CAPA_EOF.'
 *   a filtered dataset always goes to sockets: 'server.h: SLAVE_REQ_RDB_MASK; a filtered file would replace the whole one.'
 *   without information it fails: 'rdbPopulateSaveInfo gives NULL; C_ERR.'
 *   while a child runs it fails: 'rdbSaveBackground: C_ERR.'
 *   a failure drops the replicas that wait with an error: 'Comment: "or sending them an error and dropping them from the list of slaves".'
 *   they are closed after that reply: 'server.h: CLIENT_CLOSE_AFTER_REPLY.'
 *   a failure leaves other replicas: 'Comment: "the slaves in WAIT_START state".'
 *   it returns how it went: 'Comment: "Returns C_OK on success or C_ERR otherwise".'
 *   a file that was made for replicas alone is remembered: 'replication.c: RDBGeneratedByReplication; redis.conf: rdb-del-sync-files.'
 *   it is not remembered where files stay or none is made: 'The same: "to remove the RDB file in case the instance is configured to have no persistence".'
 ---*/
#include "replicatest.h"

extern int RDBGeneratedByReplication;
int startBgsaveForReplication(int mincapa, int req);

static int ends[6];
static client *one, *two, *online;

static void replicas(void) {
    for (int j = 0; j < 6; j++) ends[j] = -1;
    one = replicaOf(SLAVE_STATE_WAIT_BGSAVE_START,SLAVE_REQ_NONE,ends);
    online = replicaOf(SLAVE_STATE_ONLINE,SLAVE_REQ_NONE,ends+1);
    two = replicaOf(SLAVE_STATE_WAIT_BGSAVE_START,SLAVE_REQ_NONE,ends+2);
    RDBGeneratedByReplication = 0;
    fflush(stdout);
}

static int told(void) {
    return one->replstate == SLAVE_STATE_WAIT_BGSAVE_END && two->replstate == SLAVE_STATE_WAIT_BGSAVE_END &&
           resynced(ends[0]) && resynced(ends[2]);
}

static int saves(int type) {
    return server.child_pid > 0 && server.child_type == CHILD_TYPE_RDB && server.rdb_child_type == type;
}

static int dropped(client *slave) {
    sds s = replyOf(slave);
    int error = !strncmp(s,"-",1) && strchr(s,'\n') == s+sdslen(s)-1;
    sdsfree(s);
    return error && !(slave->flags & CLIENT_SLAVE) && listSearchKey(server.slaves,slave) == NULL &&
           slave->replstate != SLAVE_STATE_WAIT_BGSAVE_START;
}

int main(void) {
    startReplication();
    int eof = SLAVE_CAPA_EOF|SLAVE_CAPA_PSYNC2, results = 1, others = 1, apart = 1, notset = 1;
    server.repl_diskless_sync = 0;
    server.rdb_del_sync_files = 0;
    replicas();
    results &= startBgsaveForReplication(eof,SLAVE_REQ_NONE) == C_ERR;
    test_cond("without information it fails", server.child_pid == -1);
    int drop = dropped(one) && dropped(two);
    int after = (one->flags & CLIENT_CLOSE_AFTER_REPLY) && (two->flags & CLIENT_CLOSE_AFTER_REPLY);
    others &= (online->flags & CLIENT_SLAVE) && online->replstate == SLAVE_STATE_ONLINE &&
              !(online->flags & CLIENT_CLOSE_AFTER_REPLY) && listSearchKey(server.slaves,online) && silent(ends[1]);
    notset &= RDBGeneratedByReplication == 0;
    listEmpty(server.slaves);

    createReplicationBacklog();
    replicas();
    client *filtered = replicaOf(SLAVE_STATE_WAIT_BGSAVE_START,SLAVE_REQ_RDB_EXCLUDE_DATA,ends+3);
    results &= startBgsaveForReplication(eof,SLAVE_REQ_NONE) == C_OK;
    test_cond("a BGSAVE to disk is started", saves(RDB_CHILD_TYPE_DISK));
    test_cond("replicas that wait are told of a full synchronization", told());
    test_cond("replicas in another state are left alone", online->replstate == SLAVE_STATE_ONLINE && silent(ends[1]) &&
              (online->flags & CLIENT_SLAVE));
    apart &= filtered->replstate == SLAVE_STATE_WAIT_BGSAVE_START && silent(ends[3]) && (filtered->flags & CLIENT_SLAVE);
    notset &= RDBGeneratedByReplication == 0;
    client *late = replicaOf(SLAVE_STATE_WAIT_BGSAVE_START,SLAVE_REQ_NONE,ends+4);
    pid_t child = server.child_pid;
    results &= startBgsaveForReplication(eof,SLAVE_REQ_NONE) == C_ERR;
    test_cond("while a child runs it fails", server.child_pid == child && dropped(late) &&
              one->replstate == SLAVE_STATE_WAIT_BGSAVE_END && (one->flags & CLIENT_SLAVE));
    int ok = childEnds() == 0;
    char got[1000];
    FILE *fp = fopen("dump.rdb","r");
    size_t n = fp ? fread(got,1,sizeof(got),fp) : 0;
    if (fp) fclose(fp);
    test_cond("the file is the server's RDB file", ok && n > 50 && memmem(got,n,"the-key",7));
    endChild();

    server.repl_diskless_sync = 1;
    replicas();
    results &= startBgsaveForReplication(SLAVE_CAPA_PSYNC2,SLAVE_REQ_NONE) == C_OK;
    test_cond("replicas that do not know the mark get a file", saves(RDB_CHILD_TYPE_DISK) && told());
    endChild();
    replicas();
    filtered = replicaOf(SLAVE_STATE_WAIT_BGSAVE_START,SLAVE_REQ_RDB_EXCLUDE_DATA,ends+3);
    server.rdb_del_sync_files = 1;
    results &= startBgsaveForReplication(eof,SLAVE_REQ_NONE) == C_OK;
    test_cond("diskless it writes to sockets", saves(RDB_CHILD_TYPE_SOCKET) && told() && server.rdb_pipe_numconns == 2);
    apart &= filtered->replstate == SLAVE_STATE_WAIT_BGSAVE_START && silent(ends[3]);
    test_cond("replicas with other requirements still wait", apart);
    notset &= RDBGeneratedByReplication == 0;
    endChild();
    server.repl_diskless_sync = 0;
    replicas();
    filtered = replicaOf(SLAVE_STATE_WAIT_BGSAVE_START,SLAVE_REQ_RDB_EXCLUDE_DATA,ends+3);
    results &= startBgsaveForReplication(eof,SLAVE_REQ_RDB_EXCLUDE_DATA) == C_OK;
    test_cond("a filtered dataset always goes to sockets", saves(RDB_CHILD_TYPE_SOCKET) && server.rdb_pipe_numconns == 1 &&
              filtered->replstate == SLAVE_STATE_WAIT_BGSAVE_END && resynced(ends[3]) &&
              one->replstate == SLAVE_STATE_WAIT_BGSAVE_START && silent(ends[0]));
    endChild();
    replicas();
    results &= startBgsaveForReplication(eof,SLAVE_REQ_NONE) == C_OK;
    test_cond("a file that was made for replicas alone is remembered", RDBGeneratedByReplication == 1);
    RDBGeneratedByReplication = 0;
    late = replicaOf(SLAVE_STATE_WAIT_BGSAVE_START,SLAVE_REQ_NONE,ends+4);
    results &= startBgsaveForReplication(eof,SLAVE_REQ_NONE) == C_ERR;
    drop &= dropped(late);
    notset &= RDBGeneratedByReplication == 0;
    childEnds();
    endChild();
    test_cond("it is not remembered where files stay or none is made", notset);
    test_cond("a failure drops the replicas that wait with an error", drop);
    test_cond("they are closed after that reply", after && (late->flags & CLIENT_CLOSE_AFTER_REPLY));
    test_cond("a failure leaves other replicas", others);
    test_cond("it returns how it went", results);
    endReplication();
    return 0;
}
