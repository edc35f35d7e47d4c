/*---
 * tasks: [evictionPoolPopulate-a95d96.16]
 * tests:
 *   a child is started: 'Name; callers bgsaveCommand, serverCron and startBgsaveForReplication.'
 *   success is told by C_OK: 'Callers: "== C_OK".'
 *   the child saves the dataset: 'Body of callers: backgroundSaveDoneHandlerDisk when the child ends.'
 *   the child ends with 0: 'backgroundSaveDoneHandlerDisk: exitcode == 0 is success.'
 *   the child saves what was there at the start: 'commands/bgsave: "the parent continues to serve the clients".'
 *   the save is counted: 'server.h: stat_rdb_saves, "number of rdb saves performed".'
 *   the changes before it are kept: 'server.h: dirty_before_bgsave, "Used to restore dirty on failed BGSAVE"; backgroundSaveDoneHandlerDisk subtracts them.'
 *   the changes themselves stay until it is done: 'backgroundSaveDoneHandlerDisk: dirty - dirty_before_bgsave.'
 *   the times of the try and of the start are kept: 'server.h: lastbgsave_try, "Unix time of last attempted bgsave"; rdb_save_time_start.'
 *   the child is known as one that saves to disk: 'server.h: rdb_child_type; child_type.'
 *   the state of the last save stays until it is done: 'backgroundSaveDoneHandlerDisk sets lastbgsave_status and lastsave.'
 *   replication information and flags get into the file: 'Arguments rsi and rdbflags.'
 *   the requirements are heeded: 'Argument req.'
 *   while a child is active it is refused: 'hasActiveChildProcess; bgsaveCommand: "Another child process is active".'
 *   a refused save changes nothing: 'stat_rdb_saves, dirty_before_bgsave, lastbgsave_try.'
 *   a save that fails ends the child with 1: 'backgroundSaveDoneHandlerDisk: exitcode != 0 is an error.'
 *   the parent goes on: 'commands/bgsave: "the parent continues to serve the clients".'
 ---*/
#include "diskfiles.h"

/* Waits for the child. Returns what it ended with. */
static int ended(void) {
    int status = -1;
    waitpid(server.child_pid,&status,0);
    resetChildState();
    server.rdb_child_type = RDB_CHILD_TYPE_NONE;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int main(void) {
    startRedis();
    signal(SIGALRM,SIG_DFL), alarm(60);
    enterFolder();
    putString(0,"key","some value");
    server.dirty = 12;
    server.dirty_before_bgsave = 1;
    server.stat_rdb_saves = 3;
    server.lastbgsave_try = server.rdb_save_time_start = server.lastsave = 5;
    server.lastbgsave_status = C_ERR;
    fflush(stdout);
    pid_t me = getpid();
    int ret = rdbSaveBackground(SLAVE_REQ_NONE,"dump.rdb",NULL,RDBFLAGS_NONE);
    if (getpid() != me) _exit(99);
    putString(0,"later","later value");
    test_cond("success is told by C_OK", ret == C_OK);
    test_cond("a child is started", server.child_pid > 0 && hasActiveChildProcess());
    test_cond("the child is known as one that saves to disk", server.child_type == CHILD_TYPE_RDB &&
              server.rdb_child_type == RDB_CHILD_TYPE_DISK);
    test_cond("the save is counted", server.stat_rdb_saves == 4);
    test_cond("the changes before it are kept", server.dirty_before_bgsave == 12);
    test_cond("the changes themselves stay until it is done", server.dirty == 12);
    test_cond("the times of the try and of the start are kept", server.lastbgsave_try > 1000000000 &&
              server.rdb_save_time_start > 1000000000);
    test_cond("the state of the last save stays until it is done", server.lastbgsave_status == C_ERR && server.lastsave == 5);
    pid_t child = server.child_pid;
    server.dirty = 20;
    server.lastbgsave_try = 5;
    int again = rdbSaveBackground(SLAVE_REQ_NONE,"second.rdb",NULL,RDBFLAGS_NONE);
    if (getpid() != me) _exit(99);
    test_cond("while a child is active it is refused", again == C_ERR && server.child_pid == child);
    test_cond("a refused save changes nothing", server.stat_rdb_saves == 4 && server.dirty_before_bgsave == 12 &&
              server.lastbgsave_try == 5 && server.lastbgsave_status == C_ERR);
    int status = ended();
    sds s = contentsOf("dump.rdb");
    test_cond("the child ends with 0", status == 0);
    test_cond("the child saves the dataset", !strncmp(s,"REDIS",5) && hasBytes(s,"some value") && filesInFolder() == 1);
    test_cond("the child saves what was there at the start", !hasBytes(s,"later value"));
    rdbSaveInfo rsi = RDB_SAVE_INFO_INIT;
    rsi.repl_stream_db = 9;
    fflush(stdout);
    ret = rdbSaveBackground(SLAVE_REQ_NONE,"dump.rdb",&rsi,RDBFLAGS_AOF_PREAMBLE);
    status = ended();
    s = contentsOf("dump.rdb");
    test_cond("replication information and flags get into the file", ret == C_OK && status == 0 && hasBytes(s,"later value") &&
              hasBytes(s,"repl-stream-db\xc0\x09") && hasBytes(s,"aof-base\xc0\x01"));
    fflush(stdout);
    ret = rdbSaveBackground(SLAVE_REQ_RDB_EXCLUDE_DATA,"dump.rdb",NULL,RDBFLAGS_NONE);
    status = ended();
    s = contentsOf("dump.rdb");
    test_cond("the requirements are heeded", ret == C_OK && status == 0 && !strncmp(s,"REDIS",5) && !hasBytes(s,"some value"));
    fflush(stdout);
    ret = rdbSaveBackground(SLAVE_REQ_NONE,"no/such/folder/dump.rdb",NULL,RDBFLAGS_NONE);
    status = ended();
    test_cond("a save that fails ends the child with 1", ret == C_OK && status == 1 && filesInFolder() == 1);
    test_cond("the parent goes on", getpid() == me && server.in_fork_child == CHILD_TYPE_NONE && dbSize(&server.db[0]) == 2 &&
              server.dirty == 20);
    leaveFolder();
    test_report();
    return 0;
}
