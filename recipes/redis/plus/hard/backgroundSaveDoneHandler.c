/*---
 * tasks: [backgroundRewriteDoneHandler-3f86a9.4]
 * tests:
 *   a save to disk that ended well is handled: 'Comment: "call the right handler"; backgroundSaveDoneHandlerDisk: dirty, lastbgsave_status.'
 *   its time is that of its end: 'server.h: lastsave, "Unix time of last successful save"; LASTSAVE.'
 *   a save to disk that failed is handled: 'backgroundSaveDoneHandlerDisk: C_ERR.'
 *   a save to disk that was killed is handled: 'backgroundSaveDoneHandlerDisk: "terminated by signal".'
 *   SIGUSR1 is no failure: 'backgroundSaveDoneHandlerDisk: "SIGUSR1 is whitelisted".'
 *   the temporary file of a killed child is removed: 'backgroundSaveDoneHandlerDisk: rdbRemoveTempFile.'
 *   a transfer to sockets is handled: 'backgroundSaveDoneHandlerSocket: it closes the pipes.'
 *   a transfer leaves what a save to disk sets: 'backgroundSaveDoneHandlerDisk: "actual BGSAVEs".'
 *   no child of any type is left: 'server.h: rdb_child_type, RDB_CHILD_TYPE_NONE.'
 *   the time that it took is kept: 'INFO rdb_last_bgsave_time_sec; server.h: rdb_save_time_last, rdb_save_time_start.'
 *   replicas get the file after a save to disk: 'replication.c, updateSlavesWaitingBgsave: "This function is called at the end of every background saving"; type.'
 *   replicas are online after a transfer: 'updateSlavesWaitingBgsave: "The argument ''type'' is the type of the child that terminated".'
 *   replicas are dropped after a failure: 'updateSlavesWaitingBgsave: C_ERR.'
 *   replicas are dropped after a child was killed: 'updateSlavesWaitingBgsave: "bgsaveerr is C_OK if it succeeded".'
 *   replicas that wait for another save still wait: 'updateSlavesWaitingBgsave: SLAVE_STATE_WAIT_BGSAVE_END alone.'
 ---*/
#include "start.h"
#include "../testhelp.h"
#include "../bio.h"
#include <sys/socket.h>

void backgroundSaveDoneHandler(int exitcode, int bysignal);

static char folder[] = "/tmp/plus-save-XXXXXX";
static int pipes[2];

static client *replica(int state) {
    int fds[2];
    if (socketpair(AF_UNIX,SOCK_STREAM,0,fds)) exit(1);
    client *slave = fakeClient();
    slave->conn = connCreateAccepted(connectionByType(CONN_TYPE_SOCKET),fds[0],NULL);
    slave->conn->state = CONN_STATE_CONNECTED;
    slave->flags = CLIENT_SLAVE;
    slave->replstate = state;
    listAddNodeTail(server.slaves,slave);
    return slave;
}

static void begin(int type) {
    server.rdb_child_type = type;
    server.child_pid = 777;
    server.child_type = CHILD_TYPE_RDB;
    server.rdb_save_time_start = time(NULL)-1000;
    server.rdb_save_time_last = -1;
    server.dirty = 100;
    server.dirty_before_bgsave = 30;
    server.lastsave = 5;
    server.lastbgsave_status = C_OK;
    if (type == RDB_CHILD_TYPE_SOCKET) {
        if (pipe(pipes)) exit(1);
        server.rdb_pipe_read = pipes[0];
        server.rdb_child_exit_pipe = pipes[1];
        server.rdb_pipe_conns = zmalloc(64);
        server.rdb_pipe_numconns = 2;
        server.rdb_pipe_buff = zmalloc(64);
    }
}

/* The time and the type, after each. */
static int timed, none;
static void done(int exitcode, int bysignal) {
    backgroundSaveDoneHandler(exitcode,bysignal);
    timed &= server.rdb_save_time_start == -1 && server.rdb_save_time_last >= 1000 && server.rdb_save_time_last < 1100;
    none &= server.rdb_child_type == RDB_CHILD_TYPE_NONE;
}

static int untouched(int status) {
    return server.dirty == 100 && server.lastsave == 5 && server.lastbgsave_status == status;
}

int main(void) {
    startRedis();
    bioInit();
    if (!mkdtemp(folder) || chdir(folder)) exit(1);
    server.rdb_filename = zstrdup("dump.rdb");
    timed = none = 1;
    time_t now = time(NULL);
    begin(RDB_CHILD_TYPE_DISK);
    server.lastbgsave_status = C_ERR;
    done(0,0);
    test_cond("a save to disk that ended well is handled", server.dirty == 70 && server.lastbgsave_status == C_OK);
    test_cond("its time is that of its end", server.lastsave >= now && server.lastsave <= now+60);
    begin(RDB_CHILD_TYPE_DISK);
    done(1,0);
    test_cond("a save to disk that failed is handled", untouched(C_ERR));
    begin(RDB_CHILD_TYPE_DISK);
    FILE *fp = fopen("temp-777.rdb","w");
    fclose(fp);
    done(-1,SIGKILL);
    int removed = access("temp-777.rdb",F_OK) == -1, killed = untouched(C_ERR);
    begin(RDB_CHILD_TYPE_DISK);
    done(0,SIGTERM);
    test_cond("a save to disk that was killed is handled", killed && untouched(C_ERR));
    begin(RDB_CHILD_TYPE_DISK);
    done(1,SIGUSR1);
    test_cond("SIGUSR1 is no failure", untouched(C_OK));
    test_cond("the temporary file of a killed child is removed", removed);

    int sockets = 1, left = 1;
    for (int j = 0; j < 3; j++) {
        begin(RDB_CHILD_TYPE_SOCKET);
        int status = j % 2 ? C_ERR : C_OK;
        server.lastbgsave_status = status;
        done(j == 1,j == 2 ? SIGKILL : 0);
        sockets &= server.rdb_pipe_read == -1 && server.rdb_child_exit_pipe == -1 && !server.rdb_pipe_conns &&
                   !server.rdb_pipe_buff && server.rdb_pipe_numconns == 0 && fcntl(pipes[0],F_GETFD) == -1 &&
                   fcntl(pipes[1],F_GETFD) == -1;
        left &= untouched(status);
    }
    test_cond("a transfer to sockets is handled", sockets);
    test_cond("a transfer leaves what a save to disk sets", left);

    fp = fopen("dump.rdb","w");
    fputs("REDIS",fp);
    fclose(fp);
    client *disk = replica(SLAVE_STATE_WAIT_BGSAVE_END), *waits = replica(SLAVE_STATE_WAIT_BGSAVE_START);
    begin(RDB_CHILD_TYPE_DISK);
    done(0,0);
    test_cond("replicas get the file after a save to disk", disk->replstate == SLAVE_STATE_SEND_BULK &&
              disk->repldbsize == 5 && !(disk->flags & CLIENT_CLOSE_ASAP));
    client *online = replica(SLAVE_STATE_WAIT_BGSAVE_END);
    begin(RDB_CHILD_TYPE_SOCKET);
    done(0,0);
    test_cond("replicas are online after a transfer", online->replstate == SLAVE_STATE_ONLINE &&
              !(online->flags & CLIENT_CLOSE_ASAP) && online->repl_start_cmd_stream_on_ack);
    client *d = replica(SLAVE_STATE_WAIT_BGSAVE_END);
    begin(RDB_CHILD_TYPE_DISK);
    done(1,0);
    client *s = replica(SLAVE_STATE_WAIT_BGSAVE_END);
    begin(RDB_CHILD_TYPE_SOCKET);
    done(1,0);
    test_cond("replicas are dropped after a failure", (d->flags & CLIENT_CLOSE_ASAP) && (s->flags & CLIENT_CLOSE_ASAP));
    d = replica(SLAVE_STATE_WAIT_BGSAVE_END);
    begin(RDB_CHILD_TYPE_DISK);
    done(0,SIGKILL);
    s = replica(SLAVE_STATE_WAIT_BGSAVE_END);
    begin(RDB_CHILD_TYPE_SOCKET);
    done(0,SIGUSR1);
    test_cond("replicas are dropped after a child was killed", (d->flags & CLIENT_CLOSE_ASAP) &&
              (s->flags & CLIENT_CLOSE_ASAP) && !(online->flags & CLIENT_CLOSE_ASAP) && !(disk->flags & CLIENT_CLOSE_ASAP));
    test_cond("replicas that wait for another save still wait", waits->replstate == SLAVE_STATE_WAIT_BGSAVE_START &&
              !(waits->flags & CLIENT_CLOSE_ASAP));
    test_cond("no child of any type is left", none);
    test_cond("the time that it took is kept", timed);
    unlink("dump.rdb");
    if (chdir("/")) exit(1);
    rmdir(folder);
    test_report();
    return 0;
}
