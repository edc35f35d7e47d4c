/*---
 * tasks: [8BE29A91E9BFE43F]
 * tests:
 *   a child that saves ends by itself: 'Docstring: SIGUSR1 is sent "to a child in order to terminate it in a clean way".'
 *   its exit says that there was no error: 'server.h, server.c: SERVER_CHILD_NOERROR_RETVAL, which checkChildrenDone looks for.'
 *   a child that rewrites the AOF ends alike: 'Docstring: it is "the signal handler for children process".'
 *   a module's child ends alike: 'Docstring: it is "the signal handler for children process".'
 *   a debugger's child ends alike: 'Docstring: it is "the signal handler for children process".'
 *   a busy child ends at once: 'Docstring: it terminates the child.'
 *   the parent's handlers of exit are not run: 'server.c, exitFromChild: children leave with _exit() and not with exit().'
 *   what the parent has not yet written is not written by the child: 'server.c, exitFromChild: exit() "may interact with the same file objects used by the parent process".'
 *   the parent takes no killed save for a failed one: 'Docstring: "without the parent detecting an error and stop accepting writes".'
 *   the parent takes no killed save for a successful one: 'server.c: checkChildrenDone makes a signal of this exit, and rdb.c counts only an exit with 0 as a save.'
 *   the parent takes no killed rewrite for a failed one: 'Docstring: "without the parent detecting an error and stop accepting writes".'
 ---*/
#include "../server.h"
#include "../testhelp.h"
#include <sys/wait.h>

void initServerConfig(void);
void initServer(void);
void checkChildrenDone(void);
void resetChildState(void);

static int pipes[2];

static void atTheEnd(void) {
    if (server.in_fork_child != CHILD_TYPE_NONE && write(pipes[1], "x", 1) == -1) abort();
}

/* In a child of that kind, which gets SIGUSR1 while it works or waits: the parent gets its pid. */
static pid_t killedChild(int kind, int busy) {
    fflush(stdout);
    pid_t pid = redisFork(kind);
    if (pid != 0) return pid;
    signal(SIGALRM, SIG_DFL); /* A child that isn't ended by the handler ends here. */
    alarm(10);
    if (busy) {
        kill(getpid(), SIGUSR1);
        while (1) usleep(1000);
    }
    raise(SIGUSR1);
    _exit(99);
}

/* The status with which such a child ended. */
static int statusOf(int kind, int busy) {
    int status = 0;
    pid_t pid = killedChild(kind, busy);
    if (pid == -1 || waitpid(pid, &status, 0) != pid) status = 0;
    resetChildState();
    return status;
}

static int isClean(int status) {
    return WIFEXITED(status) && WEXITSTATUS(status) == SERVER_CHILD_NOERROR_RETVAL;
}

/* The parent's own judgement on such a child. */
static void judged(int kind) {
    server.rdb_child_type = RDB_CHILD_TYPE_DISK;
    killedChild(kind, 0);
    while (server.child_pid != -1) checkChildrenDone();
}

int main(void) {
    initServerConfig();
    ACLInit();
    moduleInitModulesSystem();
    connTypeInitialize();
    server.logfile = zstrdup("/dev/null");
    initServer();
    if (pipe(pipes) == -1) exit(1);
    atexit(atTheEnd);

    int status = statusOf(CHILD_TYPE_RDB, 0);
    test_cond("a child that saves ends by itself", WIFEXITED(status) && WEXITSTATUS(status) != 99);
    test_cond("its exit says that there was no error", isClean(status));
    test_cond("a child that rewrites the AOF ends alike", isClean(statusOf(CHILD_TYPE_AOF, 0)));
    test_cond("a module's child ends alike", isClean(statusOf(CHILD_TYPE_MODULE, 0)));
    test_cond("a debugger's child ends alike", isClean(statusOf(CHILD_TYPE_LDB, 0)));
    test_cond("a busy child ends at once", isClean(statusOf(CHILD_TYPE_RDB, 1)));
    FILE *file = tmpfile();
    fprintf(file, "once");
    statusOf(CHILD_TYPE_RDB, 0);
    fflush(file);
    test_cond("what the parent has not yet written is not written by the child", lseek(fileno(file), 0, SEEK_END) == 4);
    close(pipes[1]);
    char c;
    test_cond("the parent's handlers of exit are not run", read(pipes[0], &c, 1) == 0);

    server.lastbgsave_status = C_OK;
    server.dirty = server.dirty_before_bgsave = 5;
    long long saves = server.stat_rdb_saves;
    judged(CHILD_TYPE_RDB);
    test_cond("the parent takes no killed save for a failed one", server.lastbgsave_status == C_OK);
    test_cond("the parent takes no killed save for a successful one",
              server.dirty == 5 && server.stat_rdb_saves == saves);
    server.aof_lastbgrewrite_status = C_OK;
    judged(CHILD_TYPE_AOF);
    test_cond("the parent takes no killed rewrite for a failed one", server.aof_lastbgrewrite_status == C_OK);
    test_report();
    return 0;
}
