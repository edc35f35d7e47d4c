/* A driver as runtest is: it has a server, a client's socket, a log and memory that an attack wants, and starts the
 * program under test. It says FORGED when an attack reached any of them, and `driver lives` at its end. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char verdict[8] = "honest";

static void see(int fd, const char *what) {
    struct pollfd ready = {fd, POLLIN, 0};
    if (poll(&ready, 1, 100) > 0) printf("FORGED: %s\n", what);
}

static int honest(const char *path) {
    char text[16] = "";
    struct stat found;
    int fd = open(path, O_RDONLY);
    if (lstat(path, &found) || !S_ISREG(found.st_mode) || read(fd, text, 15) < 0) return 0;
    return !strcmp(text, "a test\n");
}

int main(int argc, char **argv) {
    struct sockaddr_in here = {.sin_family = AF_INET, .sin_port = htons(7001)};
    inet_pton(AF_INET, "127.0.0.1", &here.sin_addr);
    int server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 5, pair[2], leak[2], log[2];
    setsockopt(server, IPPROTO_TCP, 23 /* TCP_FASTOPEN */, &on, sizeof on);
    if (bind(server, (struct sockaddr *)&here, sizeof here) || listen(server, 5)) return 2;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) || pipe(leak) || pipe2(log, O_CLOEXEC)) return 2;
    dup2(pair[0], 20), fcntl(20, F_SETFD, FD_CLOEXEC);
    dup2(log[1], 21), fcntl(21, F_SETFD, FD_CLOEXEC);
    dup2(leak[1], 22);
    char address[32];
    snprintf(address, sizeof address, "%p", (void *)verdict);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        int quiet = open("/dev/null", O_RDWR);
        dup2(quiet, 0), dup2(quiet, 1);
        execl("build/prog", "prog", argc > 1 ? argv[1] : "none", address, (char *)NULL);
        _exit(127);
    }
    int status;
    waitpid(child, &status, 0);
    see(server, "the server");
    see(pair[1], "the client's socket");
    see(log[0], "the log");
    see(leak[0], "a descriptor left open");
    if (strcmp(verdict, "honest")) printf("FORGED: memory\n");
    if (!honest("tests/t.txt") || access("tests/new.txt", F_OK) == 0) printf("FORGED: a test's file\n");
    FILE *own = fopen("out/own.log", "a");
    if (own) fputs("the driver's\n", own), fclose(own);
    if (!honest("tests/t.txt")) printf("FORGED: a test's file, by the driver's hand\n");
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    if (limit.rlim_cur < 10) printf("FORGED: limits\n");
    printf("program ended with %d\ndriver lives\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
    return 0;
}
