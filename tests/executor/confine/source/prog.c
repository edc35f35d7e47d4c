/* The program under test: honest or hostile, as its first argument says. It ends with 0 when it could do it. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <sched.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int is(char **argv, const char *name) { return !strcmp(argv[1], name); }

static int put(const char *path, int flags) {
    int fd = open(path, flags | O_WRONLY, 0644);
    return fd < 0 || write(fd, "forged\n", 7) != 7;
}

/* Another one in each run, however fast these follow each other. */
static int draw_port(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return 38000 + now.tv_nsec / 1000 % 1000 * 20;
}

static int steal(int number) {
    int pidfd = syscall(434, getppid(), 0);
    return pidfd < 0 ? -1 : (int)syscall(438, pidfd, number, 0);
}

static int reach(int protocol, int domain, unsigned port, int fast) {
    struct sockaddr_in there = {.sin_family = AF_INET, .sin_port = htons(port)};
    inet_pton(AF_INET, "127.0.0.1", &there.sin_addr);
    int fd = socket(domain, SOCK_STREAM, protocol);
    if (fast) return sendto(fd, "ok", 2, MSG_FASTOPEN, (struct sockaddr *)&there, sizeof there) != 2;
    return connect(fd, (struct sockaddr *)&there, sizeof there);
}

static int listen_at(unsigned port) {
    struct sockaddr_in here = {.sin_family = AF_INET, .sin_port = htons(port)};
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    return bind(fd, (struct sockaddr *)&here, sizeof here) || listen(fd, 1);
}

static int trace(void) {
    /* As a leak checker does: a child traces its parent. Here the parent traces its child. */
    pid_t child = fork();
    if (child == 0) pause();
    int failed = ptrace(PTRACE_ATTACH, child, 0, 0) != 0;
    kill(child, SIGKILL);
    return failed;
}

int main(int argc, char **argv) {
    char path[64];
    pid_t driver = getppid();
    uintptr_t memory = argc > 2 ? strtoul(argv[2], NULL, 16) : 0;
    if (is(argv, "none")) return 0;
    /* What programs do for good reasons. */
    if (is(argv, "scratch")) return put("out/a.log", O_CREAT) || rename("out/a.log", "out/b.log") || unlink("out/b.log");
    if (is(argv, "folder")) return (mkdir("results", 0755) && errno != EEXIST) || put("results/a", O_CREAT);
    if (is(argv, "beside")) return put("tests/new.log", O_CREAT);
    if (is(argv, "fresh")) return put("tests/own.log", O_CREAT | O_EXCL) || unlink("tests/own.log");
    if (is(argv, "absent")) return !put("nowhere/a", O_CREAT);
    if (is(argv, "port")) return listen_at(7100);
    if (is(argv, "drawn-port")) return listen_at(draw_port());
    if (is(argv, "any-port")) return listen_at(0);
    if (is(argv, "fork")) return system("true") != 0;
    if (is(argv, "trace")) return trace();
    if (is(argv, "proc")) return put("/proc/self/comm", 0);
    if (is(argv, "grumble")) return put("/proc/self/comm", 0) ? puts("ok refused"), 0 : 0;
    if (is(argv, "ask")) return kill(driver, 0);
    /* Attacks. */
    if (is(argv, "steal-socket")) return kill(driver, SIGSTOP) * 0 + (write(steal(20), "ok", 2) != 2) + kill(driver, SIGCONT);
    if (is(argv, "steal-log")) return write(steal(21), "[ok]: all", 9) != 9;
    if (is(argv, "proc-fd")) {
        snprintf(path, sizeof path, "/proc/%d/fd/21", driver);
        return put(path, 0);
    }
    if (is(argv, "memory")) {
        snprintf(path, sizeof path, "/proc/%d/mem", driver);
        return pwrite(open(path, O_RDWR), "forged", 6, memory) != 6;
    }
    if (is(argv, "vm-write")) {
        struct iovec mine = {"forged", 6}, its = {(void *)memory, 6};
        return process_vm_writev(driver, &mine, 1, &its, 1, 0) != 6;
    }
    if (is(argv, "poke")) {
        if (ptrace(PTRACE_ATTACH, driver, 0, 0)) return 1;
        waitpid(driver, NULL, __WALL);
        uint64_t word = 0x646567726f66;
        return ptrace(PTRACE_POKEDATA, driver, memory, word) || ptrace(PTRACE_DETACH, driver, 0, 0);
    }
    if (is(argv, "connect")) return reach(0, AF_INET, 7001, 0);
    if (is(argv, "mptcp")) return reach(262, AF_INET, 7001, 0);
    if (is(argv, "fast-open")) return reach(0, AF_INET, 7001, 1);
    if (is(argv, "kill")) return kill(driver, SIGKILL);
    if (is(argv, "limits")) {
        struct rlimit none = {3, 3};
        return prlimit(driver, RLIMIT_NOFILE, &none, NULL);
    }
    if (is(argv, "left-open")) return write(22, "ok", 2) != 2;
    if (is(argv, "write")) return put("tests/t.txt", O_TRUNC);
    if (is(argv, "truncate")) return truncate("tests/t.txt", 0);
    if (is(argv, "rename")) return rename("tests/t.txt", "/graft/src/out/t.txt");
    if (is(argv, "link")) return unlink("tests/t.txt") || symlink("/etc/hostname", "tests/t.txt");
    if (is(argv, "add")) return put("tests/new.txt", O_CREAT);
    if (is(argv, "drivers-hand")) return symlink("../tests/t.txt", "out/own.log");
    if (is(argv, "hard-link")) return link("tests/t.txt", "out/own.log");
    if (is(argv, "policy")) return put(".graft/confine/policy", 0) || put("tests/t.txt", 0);
    if (is(argv, "io-uring")) return syscall(425, 1, NULL) == -1 && errno == EPERM;
    if (is(argv, "namespace")) return unshare(0x10000000 /* CLONE_NEWUSER */);
    return 99;
}
