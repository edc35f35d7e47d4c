/*---
 * tasks: [backgroundRewriteDoneHandler-3f86a9.4]
 * tests:
 *   a saving child that ended well is handled: 'rdb.c, backgroundSaveDoneHandler; serverCron: "Check if a background saving or AOF rewrite in progress terminated".'
 *   one that failed is handled: 'rdb.c, backgroundSaveDoneHandler: exitcode.'
 *   one that was killed is handled: 'rdb.c, backgroundSaveDoneHandler: bysignal.'
 *   one that was asked to go is no error: 'server.h: SERVER_CHILD_NOERROR_RETVAL; childs exit with it on SIGUSR1: "a way to kill a child without triggering an error condition".'
 *   the signal tells as well: 'rdb.c: "SIGUSR1 is whitelisted".'
 *   a rewriting child is handled by its own handler: 'aof.c, backgroundRewriteDoneHandler; server.h: CHILD_TYPE_AOF.'
 *   a rewriting child that was asked to go is no error: 'aof.c: "SIGUSR1 is whitelisted".'
 *   the server has no child any longer: 'resetChildState; hasActiveChildProcess.'
 *   the pipe of the child is closed: 'resetChildState: closeChildInfoPipe.'
 *   what a child that ended well has told is read: 'childinfo.c, receiveChildInfo: "so that we get the final message"; INFO rdb_last_cow_size.'
 *   a child that runs is left alone: 'serverCron calls it on and on; waitpid(WNOHANG).'
 *   without any child nothing is changed: 'waitpid gives -1; the state stays.'
 *   another child is not taken for the saving one: 'server.h: child_pid.'
 *   it is not left as a zombie: 'It is called until all are reaped.'
 *   forks that wait are started: 'replication.c: replicationStartPendingFork; slaves wait for a BGSAVE.'
 *   forks are not started while a child runs: 'replication.c: one child at a time.'
 ---*/
#include "start.h"
#include "../testhelp.h"
#include <sys/wait.h>

void checkChildrenDone(void);

static char folder[] = "/tmp/plus-child-XXXXXX";

/* A child that ends so: by a status, or by a signal. It has ended, but is not reaped, when this returns. */
static pid_t child(int status, int signal) {
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        if (server.child_info_pipe[1] != -1 && status == 0) {
            char *memory = malloc(8<<20);
            memset(memory,1,8<<20);
            sendChildInfo(CHILD_INFO_TYPE_RDB_COW_SIZE,5,"plus");
        }
        if (signal) {
            sigset_t none;
            sigemptyset(&none);
            sigprocmask(SIG_SETMASK,&none,NULL);
            struct sigaction act = {.sa_handler = SIG_DFL};
            sigaction(signal,&act,NULL);
            kill(getpid(),signal);
        }
        _exit(status);
    }
    siginfo_t info;
    waitid(P_PID,pid,&info,WEXITED|WNOWAIT);
    return pid;
}

/* The server, as if it had forked for this. */
static void forked(int type, pid_t pid) {
    server.child_type = type;
    server.child_pid = pid;
    server.rdb_child_type = type == CHILD_TYPE_RDB ? RDB_CHILD_TYPE_DISK : RDB_CHILD_TYPE_NONE;
    server.rdb_save_time_start = time(NULL);
    server.aof_rewrite_time_start = time(NULL);
    server.dirty = 100;
    server.dirty_before_bgsave = 30;
    server.lastsave = 5;
    server.lastbgsave_status = C_OK;
    server.aof_lastbgrewrite_status = C_OK;
    server.stat_aofrw_consecutive_failures = 0;
}

static void ends(int type, int status, int signal) {
    forked(type,0);
    server.child_pid = child(status,signal);
    checkChildrenDone();
}

static int noChild(void) {
    return server.child_pid == -1 && server.child_type == CHILD_TYPE_NONE && !hasActiveChildProcess();
}

static int runs(int type, pid_t pid) {
    return server.child_pid == pid && server.child_type == type && server.dirty == 100 && server.lastsave == 5 &&
           server.lastbgsave_status == C_OK && server.aof_lastbgrewrite_status == C_OK;
}

/* A replica that waits for a BGSAVE; none can be made for it, so that it is dropped when one is to start. */
static client *waiting(void) {
    client *slave = fakeClient();
    slave->flags |= CLIENT_SLAVE;
    slave->replstate = SLAVE_STATE_WAIT_BGSAVE_START;
    listAddNodeTail(server.slaves,slave);
    return slave;
}

int main(void) {
    startRedis();
    if (!mkdtemp(folder) || chdir(folder)) exit(1);
    server.repl_diskless_sync = 0;
    int gone = 1;
    ends(CHILD_TYPE_RDB,0,0);
    test_cond("a saving child that ended well is handled", server.dirty == 70 && server.lastsave > 5 &&
              server.lastbgsave_status == C_OK && server.rdb_child_type == RDB_CHILD_TYPE_NONE);
    gone &= noChild();
    ends(CHILD_TYPE_RDB,1,0);
    int failed = server.lastbgsave_status == C_ERR && server.dirty == 100 && server.lastsave == 5;
    gone &= noChild();
    ends(CHILD_TYPE_RDB,254,0);
    test_cond("one that failed is handled", failed && server.lastbgsave_status == C_ERR);
    ends(CHILD_TYPE_RDB,0,SIGKILL);
    failed = server.lastbgsave_status == C_ERR && server.dirty == 100 && server.lastsave == 5;
    gone &= noChild();
    ends(CHILD_TYPE_RDB,0,SIGTERM);
    test_cond("one that was killed is handled", failed && server.lastbgsave_status == C_ERR);
    ends(CHILD_TYPE_RDB,SERVER_CHILD_NOERROR_RETVAL,0);
    test_cond("one that was asked to go is no error", server.lastbgsave_status == C_OK && server.dirty == 100 &&
              server.lastsave == 5 && server.rdb_child_type == RDB_CHILD_TYPE_NONE && noChild());
    ends(CHILD_TYPE_RDB,0,SIGUSR1);
    test_cond("the signal tells as well", server.lastbgsave_status == C_OK && server.dirty == 100 && server.lastsave == 5 &&
              noChild());
    ends(CHILD_TYPE_AOF,3,0);
    int rewrite = server.aof_lastbgrewrite_status == C_ERR && server.stat_aofrw_consecutive_failures == 1 &&
                  server.lastbgsave_status == C_OK && server.dirty == 100;
    gone &= noChild();
    ends(CHILD_TYPE_AOF,0,SIGKILL);
    test_cond("a rewriting child is handled by its own handler", rewrite && server.aof_lastbgrewrite_status == C_ERR &&
              server.lastbgsave_status == C_OK);
    ends(CHILD_TYPE_AOF,SERVER_CHILD_NOERROR_RETVAL,0);
    test_cond("a rewriting child that was asked to go is no error", server.aof_lastbgrewrite_status == C_OK &&
              server.stat_aofrw_consecutive_failures == 0 && noChild());
    test_cond("the server has no child any longer", gone);

    openChildInfoPipe();
    server.stat_rdb_cow_bytes = 0;
    int readable = zmalloc_get_private_dirty(-1) > 0;
    ends(CHILD_TYPE_RDB,0,0);
    test_cond("what a child that ended well has told is read", !readable || server.stat_rdb_cow_bytes > 1<<20);
    int closed = server.child_info_pipe[0] == -1 && server.child_info_pipe[1] == -1;
    openChildInfoPipe();
    ends(CHILD_TYPE_RDB,1,0);
    test_cond("the pipe of the child is closed", closed && server.child_info_pipe[0] == -1);

    forked(CHILD_TYPE_RDB,4);
    checkChildrenDone();
    test_cond("without any child nothing is changed", runs(CHILD_TYPE_RDB,4));

    int pipes[2];
    char byte;
    if (pipe(pipes)) exit(1);
    fflush(stdout);
    pid_t running = fork();
    if (running == 0) {
        close(pipes[1]);
        alarm(20);
        if (read(pipes[0],&byte,1) < 0) _exit(2);
        _exit(0);
    }
    client *slave = waiting();
    forked(CHILD_TYPE_RDB,running);
    checkChildrenDone();
    checkChildrenDone();
    test_cond("a child that runs is left alone", runs(CHILD_TYPE_RDB,running));
    pid_t other = child(1,0);
    checkChildrenDone();
    test_cond("another child is not taken for the saving one", runs(CHILD_TYPE_RDB,running) &&
              server.rdb_child_type == RDB_CHILD_TYPE_DISK);
    test_cond("it is not left as a zombie", waitpid(other,NULL,WNOHANG) == -1);
    int kept = listSearchKey(server.slaves,slave) != NULL && slave->replstate == SLAVE_STATE_WAIT_BGSAVE_START;
    test_cond("forks are not started while a child runs", kept);
    close(pipes[1]);
    siginfo_t info;
    waitid(P_PID,running,&info,WEXITED|WNOWAIT);
    checkChildrenDone();
    int started = server.dirty == 70 && noChild() && listSearchKey(server.slaves,slave) == NULL;
    slave = waiting();
    other = child(0,0);
    checkChildrenDone();
    test_cond("forks that wait are started", kept && started && listSearchKey(server.slaves,slave) == NULL);
    if (chdir("/")) exit(1);
    rmdir(folder);
    test_report();
    return 0;
}
