/*---
 * tasks: [evictionPoolPopulate-a95d96.16]
 * tests:
 *   a child saves: 'Comment: "Spawn an RDB child"; C_OK; hasActiveChildProcess.'
 *   it is known as one that writes to sockets: 'server.h: rdb_child_type, RDB_CHILD_TYPE_SOCKET; backgroundSaveDoneHandler.'
 *   when it began is known: 'server.h: rdb_save_time_start.'
 *   replicas that wait are told of a full synchronization: 'replicationSetupSlaveForFullResync; SLAVE_STATE_WAIT_BGSAVE_END.'
 *   their connections get the data: 'server.h: rdb_pipe_conns, "Connections which are currently the target of diskless rdb fork child"; rdbPipeReadHandler.'
 *   replicas in another state are left alone: 'Comment: "that are currently in SLAVE_STATE_WAIT_BGSAVE_START state".'
 *   replicas with other requirements are left alone: 'Parameter req; startBgsaveForReplication.'
 *   the pipe gives the dataset between marks: 'rdbSaveRioWithEOFMark: "$EOF:<40 bytes>" and the same at the end.'
 *   the pipe ends when the child is done: 'rdbPipeReadHandler: "EOF - write end was closed".'
 *   the pipe is read without blocking by an event: 'rdbPipeReadHandler is called by the event loop until EAGAIN.'
 *   the child waits until it may exit: 'server.h: rdb_child_exit_pipe, "Used by the diskless parent allow child exit".'
 *   then it exits with success: 'checkChildrenDone: the exit code.'
 *   "the replication's information is sent": 'Parameter rsi.'
 *   what is not required is left out: 'Parameter req; SLAVE_REQ_RDB_EXCLUDE_DATA.'
 *   while a child runs it fails and changes nothing: 'One child at a time; C_ERR.'
 *   while a transfer is read it fails and changes nothing: 'server.h: rdb_pipe_conns; a child that is done may still be read.'
 *   no connection is written to yet: 'server.h: rdb_pipe_numconns_writing.'
 *   no descriptor stays open after it has been handled: 'backgroundSaveDoneHandler closes what the server keeps.'
 ---*/
#include "replicatest.h"

static char data[100000];

static int opened(void) {
    int n = 0;
    for (int fd = 0; fd < 300; fd++) n += fcntl(fd,F_GETFD) != -1;
    return n;
}

/* Reads the pipe to its end; -1 if it doesn't come. */
static int readAll(void) {
    int n = 0;
    while (1) {
        struct pollfd p = {.fd = server.rdb_pipe_read, .events = POLLIN};
        if (poll(&p,1,10000) <= 0) return -1;
        int got = read(server.rdb_pipe_read,data+n,sizeof(data)-n);
        if (got == 0) return n;
        if (got < 0 && errno != EAGAIN) return -1;
        if (got > 0) n += got;
    }
}

static int contains(int n, const char *text) {
    return n > 0 && memmem(data,n,text,strlen(text)) != NULL;
}

int main(void) {
    startReplication();
    int ends[8];
    client *a = replicaOf(SLAVE_STATE_WAIT_BGSAVE_START,SLAVE_REQ_NONE,ends);
    client *online = replicaOf(SLAVE_STATE_ONLINE,SLAVE_REQ_NONE,ends+1);
    client *other = replicaOf(SLAVE_STATE_WAIT_BGSAVE_START,SLAVE_REQ_RDB_EXCLUDE_DATA,ends+2);
    client *b = replicaOf(SLAVE_STATE_WAIT_BGSAVE_START,SLAVE_REQ_NONE,ends+3);
    rdbSaveInfo rsi = RDB_SAVE_INFO_INIT;
    rsi.repl_stream_db = 3;
    int before = opened();
    time_t now = time(NULL);
    fflush(stdout);
    int result = rdbSaveToSlavesSockets(SLAVE_REQ_NONE,&rsi);
    pid_t child = server.child_pid;
    test_cond("a child saves", result == C_OK && child > 0 && server.child_type == CHILD_TYPE_RDB);
    test_cond("it is known as one that writes to sockets", server.rdb_child_type == RDB_CHILD_TYPE_SOCKET);
    test_cond("when it began is known", server.rdb_save_time_start >= now && server.rdb_save_time_start < now+60);
    test_cond("replicas that wait are told of a full synchronization", a->replstate == SLAVE_STATE_WAIT_BGSAVE_END &&
              b->replstate == SLAVE_STATE_WAIT_BGSAVE_END && resynced(ends[0]) && resynced(ends[3]));
    test_cond("their connections get the data", server.rdb_pipe_conns && server.rdb_pipe_numconns == 2 &&
              ((server.rdb_pipe_conns[0] == a->conn && server.rdb_pipe_conns[1] == b->conn) ||
               (server.rdb_pipe_conns[1] == a->conn && server.rdb_pipe_conns[0] == b->conn)));
    test_cond("no connection is written to yet", server.rdb_pipe_numconns_writing == 0);
    test_cond("replicas in another state are left alone", online->replstate == SLAVE_STATE_ONLINE && silent(ends[1]));
    test_cond("replicas with other requirements are left alone", other->replstate == SLAVE_STATE_WAIT_BGSAVE_START &&
              silent(ends[2]));
    test_cond("the pipe is read without blocking by an event", (fcntl(server.rdb_pipe_read,F_GETFL) & O_NONBLOCK) &&
              (aeGetFileEvents(server.el,server.rdb_pipe_read) & AE_READABLE));
    int n = readAll();
    test_cond("the pipe ends when the child is done", n > 100);
    test_cond("the pipe gives the dataset between marks", n > 100 && !memcmp(data,"$EOF:",5) &&
              !memcmp(data+45,"\r\nREDIS00",9) && !memcmp(data+5,data+n-40,40) && contains(n,"the-key"));
    test_cond("the replication's information is sent", contains(n,"repl-stream-db\xc0\x03"));
    test_cond("the child waits until it may exit", waitpid(child,NULL,WNOHANG) == 0);
    client *late = replicaOf(SLAVE_STATE_WAIT_BGSAVE_START,SLAVE_REQ_NONE,ends+4);
    int pipe_read = server.rdb_pipe_read, exit_pipe = server.rdb_child_exit_pipe, fds = opened();
    connection **conns = server.rdb_pipe_conns;
    result = rdbSaveToSlavesSockets(SLAVE_REQ_NONE,&rsi);
    int busy = (result == C_ERR && server.child_pid == child &&
              server.rdb_pipe_read == pipe_read && server.rdb_child_exit_pipe == exit_pipe && server.rdb_pipe_conns == conns &&
              late->replstate == SLAVE_STATE_WAIT_BGSAVE_START && silent(ends[4]) && opened() == fds);
    close(server.rdb_child_exit_pipe);
    server.rdb_child_exit_pipe = -1;
    test_cond("then it exits with success", childEnds() == 0);
    waitpid(child,NULL,0);
    resetChildState();
    result = rdbSaveToSlavesSockets(SLAVE_REQ_NONE,&rsi);
    test_cond("while a transfer is read it fails and changes nothing", result == C_ERR && server.child_pid == -1 &&
              server.rdb_pipe_read == pipe_read && server.rdb_pipe_conns == conns && server.rdb_pipe_numconns == 2 &&
              late->replstate == SLAVE_STATE_WAIT_BGSAVE_START && silent(ends[4]));
    listEmpty(server.slaves);
    backgroundSaveDoneHandler(0,0);
    test_cond("no descriptor stays open after it has been handled", opened() == before+2);

    client *early = replicaOf(SLAVE_STATE_WAIT_BGSAVE_START,SLAVE_REQ_NONE,ends+7);
    server.child_pid = 99999999;
    server.child_type = CHILD_TYPE_AOF;
    fds = opened();
    busy &= rdbSaveToSlavesSockets(SLAVE_REQ_NONE,&rsi) == C_ERR && server.child_type == CHILD_TYPE_AOF &&
            early->replstate == SLAVE_STATE_WAIT_BGSAVE_START && silent(ends[7]) && opened() == fds && !server.rdb_pipe_conns;
    server.child_pid = -1;
    server.child_type = CHILD_TYPE_NONE;
    listEmpty(server.slaves);
    test_cond("while a child runs it fails and changes nothing", busy);

    client *functions = replicaOf(SLAVE_STATE_WAIT_BGSAVE_START,SLAVE_REQ_RDB_EXCLUDE_DATA,ends+5);
    client *all = replicaOf(SLAVE_STATE_WAIT_BGSAVE_START,SLAVE_REQ_NONE,ends+6);
    fflush(stdout);
    result = rdbSaveToSlavesSockets(SLAVE_REQ_RDB_EXCLUDE_DATA,NULL);
    n = result == C_OK ? readAll() : -1;
    test_cond("what is not required is left out", n > 50 && !contains(n,"the-key") && !contains(n,"repl-stream-db") &&
              server.rdb_pipe_numconns == 1 && server.rdb_pipe_conns[0] == functions->conn &&
              all->replstate == SLAVE_STATE_WAIT_BGSAVE_START);
    endChild();
    endReplication();
    return 0;
}
