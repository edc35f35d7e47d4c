/*---
 * tasks: [1F81C060E269517F]
 * tests:
 *   a lock that is free is acquired: 'Docstring: "On success C_OK is returned".'
 *   the file is made if it is not there: 'Caller clusterInit locks it before clusterLoadConfig looks for it.'
 *   nobody else can lock the file meanwhile: 'Docstring: "Lock the cluster config using flock()".'
 *   nobody can have a shared lock meanwhile: 'Caller clusterInit: "every node uses its own nodes.conf".'
 *   the descriptor is kept for the process: 'Docstring: "retain the file descriptor used to acquire the lock".'
 *   a file that is locked gives C_ERR: 'Docstring: "returns C_ERR to signal a lock was not acquired".'
 *   it does not wait for the lock: 'Caller clusterInit: the server ends with an error (exit(1)).'
 *   a failure is logged: 'Docstring: "otherwise an error is logged".'
 *   a failure leaves no descriptor open: 'Docstring: only a descriptor that holds the lock is retained.'
 *   a failure leaves the kept descriptor alone: 'Docstring: "retain the file descriptor used to acquire the lock".'
 *   a file that cannot be opened gives C_ERR:
 *     'Docstring: "otherwise an error is logged and the function returns C_ERR".'
 *   what the file holds is kept: 'Caller clusterInit loads it afterwards.'
 *   another file can be locked: 'Caller clusterInit: "its own nodes.conf".'
 *   closing the descriptor frees the lock:
 *     'Docstring: "locked as long as the process is up"; server.c: redisFork closes it.'
 ---*/
#include "../server.h"
#include "../testhelp.h"
#include <sys/file.h>
#include <sys/stat.h>

int clusterLockConfig(char *filename);

static char dir[] = "/tmp/plus-lock-XXXXXX", file[200], other[200], away[200], logfile[200];

/* Whether someone else, with a descriptor of their own, gets such a lock. */
static int canLock(const char *name, int kind) {
    int fd = open(name,O_RDWR);
    int got = flock(fd,kind|LOCK_NB) == 0;
    close(fd);
    return got;
}

static int freeDescriptor(void) {
    int fd = open("/dev/null",O_RDONLY);
    close(fd);
    return fd;
}

static long logged(void) {
    struct stat st;
    return stat(logfile,&st) == 0 ? (long)st.st_size : 0;
}

int main(void) {
    tzset();
    if (mkdtemp(dir) == NULL) return 1;
    snprintf(file,sizeof(file),"%s/nodes.conf",dir);
    snprintf(other,sizeof(other),"%s/other.conf",dir);
    snprintf(away,sizeof(away),"%s/missing/nodes.conf",dir);
    snprintf(logfile,sizeof(logfile),"%s/log",dir);
    server.logfile = logfile;
    server.verbosity = LL_DEBUG;
    server.cluster_config_file_lock_fd = -1;
    alarm(10);

    int ok = clusterLockConfig(file);
    int fd = server.cluster_config_file_lock_fd;
    test_cond("a lock that is free is acquired", ok == C_OK);
    test_cond("the file is made if it is not there", access(file,F_OK) == 0);
    test_cond("nobody else can lock the file meanwhile", !canLock(file,LOCK_EX));
    test_cond("nobody can have a shared lock meanwhile", !canLock(file,LOCK_SH));
    struct stat st = {0}, kept = {0};
    stat(file,&st);
    test_cond("the descriptor is kept for the process", fd >= 0 && fstat(fd,&kept) == 0 && st.st_ino == kept.st_ino &&
              st.st_dev == kept.st_dev);

    long size = logged();
    int spare = freeDescriptor();
    ok = clusterLockConfig(file);
    test_cond("a file that is locked gives C_ERR", ok == C_ERR);
    test_cond("it does not wait for the lock", 1);
    int same = server.cluster_config_file_lock_fd == fd, leak = freeDescriptor() != spare, told = logged() > size;
    size = logged();
    ok = clusterLockConfig(away);
    test_cond("a file that cannot be opened gives C_ERR", ok == C_ERR);
    test_cond("a failure is logged", told && logged() > size);
    test_cond("a failure leaves no descriptor open", !leak && freeDescriptor() == spare);
    test_cond("a failure leaves the kept descriptor alone", same && server.cluster_config_file_lock_fd == fd &&
              !canLock(file,LOCK_EX));

    FILE *f = fopen(other,"w");
    fputs("vars currentEpoch 0\n",f);
    fclose(f);
    ok = clusterLockConfig(other);
    stat(other,&st);
    test_cond("what the file holds is kept", st.st_size == 20);
    test_cond("another file can be locked", ok == C_OK && !canLock(other,LOCK_EX) && !canLock(file,LOCK_EX));
    close(server.cluster_config_file_lock_fd);
    close(fd);
    test_cond("closing the descriptor frees the lock", canLock(other,LOCK_EX) && canLock(file,LOCK_EX));
    unlink(file);
    unlink(other);
    unlink(logfile);
    rmdir(dir);
    test_report();
    return 0;
}
