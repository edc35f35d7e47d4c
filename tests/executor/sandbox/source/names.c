/* Names that processes can meet by: `names hold N SECONDS` takes each and keeps it, `names leave N` takes each and goes,
   leaving behind what outlives it, `names look` says which are taken. One line each: name, error, what was found there. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define KEY 0x67726166

static void told(const char *name, long bad, int found) { printf("%s %d %d\n", name, bad < 0 ? errno : 0, found); }

static int file(const char *path, int number) {
    int fd = open(path, O_RDWR | (number ? O_CREAT | O_EXCL : 0), 0666), found = 0;
    if (fd < 0) return -1;
    if (number) return write(fd, &number, sizeof number) == sizeof number ? number : -1;
    return read(fd, &found, sizeof found) == sizeof found ? found : -1;
}

static int inet(int kind, int port) {
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((unsigned short)port)};
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, kind, 0);
    if (bind(fd, (struct sockaddr *)&at, sizeof at)) return -1;
    return kind == SOCK_STREAM ? listen(fd, 5) : 0;
}

/* A connection that was closed first by the server keeps its port for a minute. */
static void linger(int port) {
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((unsigned short)port)};
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(fd, (struct sockaddr *)&at, sizeof at) || listen(fd, 5)) return;
    int out = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(out, (struct sockaddr *)&at, sizeof at)) return;
    close(accept(fd, 0, 0));
    close(out);
    close(fd);
}

static int abstract(int number) {
    struct sockaddr_un at = {.sun_family = AF_UNIX, .sun_path = "\0graft-name"};
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    if (!number) return connect(fd, (struct sockaddr *)&at, sizeof at);
    return bind(fd, (struct sockaddr *)&at, sizeof at) ? -1 : listen(fd, 5);
}

int main(int argc, char **argv) {
    const char *mode = argc > 1 ? argv[1] : "look";
    int number = argc > 2 ? atoi(argv[2]) : 0;
    int make = number ? IPC_CREAT | IPC_EXCL | 0666 : 0;
    const char *paths[] = {"name", "/tmp/name", "/dev/shm/name", "build/deep/name"};
    if (number) (void)!system("mkdir -p build/deep");
    for (int i = 0; i < 4; i++) {
        errno = 0;
        int found = file(paths[i], number);
        told(paths[i], found, found);
    }
    int shm = shmget(KEY, 4096, make);
    told("sysv-shm", shm, 0);
    told("sysv-sem", semget(KEY, 1, make), 0);
    told("sysv-msg", msgget(KEY, make), 0);
    sem_t *sem = sem_open("/graft-sem", number ? O_CREAT | O_EXCL : 0, 0666, 1);
    told("posix-sem", sem == SEM_FAILED ? -1 : 0, 0);
    told("posix-shm", shm_open("/graft-shm", O_RDWR | (number ? O_CREAT | O_EXCL : 0), 0666), 0);
    told("posix-mq", mq_open("/graft-mq", O_RDWR | (number ? O_CREAT | O_EXCL : 0), 0666, NULL), 0);
    told("abstract", abstract(number), 0);
    told("tcp", inet(SOCK_STREAM, 7101), 0);
    told("udp", inet(SOCK_DGRAM, 7102), 0);
    if (!strcmp(mode, "leave")) linger(7103);
    if (!strcmp(mode, "look")) told("tcp-lingering", inet(SOCK_STREAM, 7103), 0);
    fflush(stdout);
    if (!strcmp(mode, "hold")) usleep((unsigned)atoi(argv[3]) * 1000u);
    return 0;
}
