/* What a hostile or broken candidate does, one mode per attack; built inside each sandbox by the conformance tests. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

/* Append to `beat` for as long as this process lives. */
static void beat(void) {
    for (;;) {
        int fd = open("beat", O_WRONLY | O_CREAT | O_APPEND, 0644);
        if (fd < 0 || write(fd, ".", 1) != 1) _exit(1);
        close(fd);
        usleep(20000);
    }
}

/* Leave the session and the process group twice, drop every descriptor, ignore what can be ignored. */
static void escape(void) {
    if (fork() != 0) return;
    setsid();
    if (fork() != 0) _exit(0);
    setsid();
    for (int fd = 0; fd < 64; fd++) close(fd);
    for (int s = 1; s < 32; s++) signal(s, SIG_IGN);
    beat();
}

/* Wait for the first beat itself: the file stands, empty, before it. */
static void await_beat(void) {
    struct stat beat;
    while (stat("beat", &beat) != 0 || beat.st_size == 0) usleep(1000);
}

static pid_t parent_of(pid_t pid) {
    char path[64];
    long parent = 0;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *f = fopen(path, "r");
    if (f) {
        if (fscanf(f, "%*d (%*[^)]) %*c %ld", &parent) != 1) parent = 0;
        fclose(f);
    }
    return (pid_t)parent;
}

static int dial(int port) {
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((unsigned short)port)};
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    return connect(fd, (struct sockaddr *)&at, sizeof at) == 0 ? 0 : errno;
}

static int listen_on(int port) {
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((unsigned short)port)};
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(fd, (struct sockaddr *)&at, sizeof at) || listen(fd, 5)) return errno;
    return 0;
}

int main(int argc, char **argv) {
    const char *mode = argc > 1 ? argv[1] : "";
    int number = argc > 2 ? atoi(argv[2]) : 0;
    setvbuf(stdout, NULL, _IONBF, 0);
    if (!strcmp(mode, "segv")) {
        raise(SIGSEGV);
    } else if (!strcmp(mode, "escape")) { /* number 1: and then hang */
        escape();
        await_beat();
        while (number) pause();
    } else if (!strcmp(mode, "patricide")) { /* kill whoever waits for us, so that nobody cleans up */
        escape();
        await_beat();
        pid_t one = getppid(), two = one > 1 ? parent_of(one) : 0;
        if (two > 1) kill(two, SIGKILL);
        if (one > 1) kill(one, SIGKILL);
        for (;;) pause();
    } else if (!strcmp(mode, "bomb")) {
        for (;;)
            if (fork() == 0) setsid();
    } else if (!strcmp(mode, "forks")) { /* count how many processes can live at once */
        int alive = 0;
        while (alive < 5000) {
            pid_t child = fork();
            if (child < 0) break;
            if (child == 0) for (;;) pause();
            alive++;
        }
        printf("%d\n", alive);
    } else if (!strcmp(mode, "hog")) { /* number children, each of which takes all it can */
        for (int i = 1; i < number; i++)
            if (fork() == 0) break;
        for (int mb = 1;; mb++) {
            char *block = malloc(1 << 20);
            if (!block) _exit(7);
            memset(block, mb, 1 << 20);
            if (number == 1 && mb % 16 == 0) printf("%d\n", mb);
        }
    } else if (!strcmp(mode, "disk")) { /* files of 8 MB, 80 MB a second, up to a gigabyte */
        static char block[1 << 20];
        char name[32];
        for (int mb = 0; mb < 1024; mb++) {
            snprintf(name, sizeof name, "junk%d", mb / 8);
            int fd = open(name, O_WRONLY | O_CREAT | O_APPEND, 0644);
            if (fd < 0 || write(fd, block, sizeof block) != (ssize_t)sizeof block) {
                printf("%d\n", mb);
                return 7;
            }
            close(fd);
            if (mb % 8 == 7) usleep(100000);
        }
        printf("1024\n");
    } else if (!strcmp(mode, "bigfile")) { /* one file as large as it gets */
        static char block[1 << 20];
        signal(SIGXFSZ, SIG_IGN);
        int fd = open("junk", O_WRONLY | O_CREAT, 0644), mb = 0;
        while (mb < 1024 && write(fd, block, sizeof block) == (ssize_t)sizeof block) mb++;
        printf("%d\n", mb);
    } else if (!strcmp(mode, "dial")) {
        printf("%d\n", dial(number));
    } else if (!strcmp(mode, "loopback")) {
        int error = listen_on(number);
        printf("%d\n", error ? error : dial(number));
    } else if (!strcmp(mode, "spin")) {
        volatile unsigned long n = 0;
        while (n < 300000000ul) n++;
    } else {
        return 2;
    }
    return 0;
}
