/* Shared by tests of full synchronizations: replicas at the other end of a socket, and children that save for them. */
#ifndef PLUS_REPLICATEST_H
#define PLUS_REPLICATEST_H
#include "commandtest.h"
#include "../bio.h"
#include <sys/socket.h>
#include <sys/wait.h>
#include <poll.h>

void checkChildrenDone(void);
void createReplicationBacklog(void);
void backgroundSaveDoneHandler(int exitcode, int bysignal);

static char folder[] = "/tmp/plus-replica-XXXXXX";

/* A replica in that state, with such requirements; its end of the socket is its name's number. */
static client *replicaOf(int state, int req, int *end) {
    int fds[2];
    if (socketpair(AF_UNIX,SOCK_STREAM,0,fds)) exit(1);
    client *slave = fakeClient();
    slave->conn = connCreateAccepted(connectionByType(CONN_TYPE_SOCKET),fds[0],NULL);
    slave->conn->state = CONN_STATE_CONNECTED;
    connSetPrivateData(slave->conn,slave);
    slave->flags = CLIENT_SLAVE;
    slave->replstate = state;
    slave->slave_req = req;
    slave->slave_capa = SLAVE_CAPA_EOF|SLAVE_CAPA_PSYNC2;
    listAddNodeTail(server.slaves,slave);
    fcntl(fds[1],F_SETFL,O_NONBLOCK);
    *end = fds[1];
    return slave;
}

/* Whether it has been told of a full synchronization, and no more. */
static int resynced(int end) {
    char got[300];
    int n = read(end,got,sizeof(got)-1);
    if (n <= 0) return 0;
    got[n] = '\0';
    return !strncmp(got,"+FULLRESYNC ",12) && !strncmp(got+12,server.replid,40) && strchr(got,'\n') == got+n-1;
}

static int silent(int end) {
    char byte;
    return read(end,&byte,1) < 0;
}

/* Ends the child that saves, and what the server knows of it; the replicas are forgotten. */
static void endChild(void) {
    if (server.child_pid > 0) {
        siginfo_t info;
        kill(server.child_pid,SIGKILL);
        waitid(P_PID,server.child_pid,&info,WEXITED|WNOWAIT);
        listEmpty(server.slaves);
        checkChildrenDone();
    }
    listEmpty(server.slaves);
}

/* Waits for the child to end by itself; its exit status. */
static int childEnds(void) {
    siginfo_t info;
    if (server.child_pid <= 0) return -1;
    waitid(P_PID,server.child_pid,&info,WEXITED|WNOWAIT);
    return info.si_code == CLD_EXITED ? info.si_status : -1;
}

static void startReplication(void) {
    startCommands();
    bioInit();
    listener = NULL, watcher = NULL;
    if (!mkdtemp(folder) || chdir(folder)) exit(1);
    server.rdb_filename = zstrdup("dump.rdb");
    signal(SIGALRM,SIG_DFL);
    alarm(25);
    put("the-key","the-value",-1);
}

static void endReplication(void) {
    unlink("dump.rdb");
    if (chdir("/")) exit(1);
    rmdir(folder);
    test_report();
}
#endif
