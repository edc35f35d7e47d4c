#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
static int out = -1, outside;
static pid_t owner;
static int (*real_main)(int, char **, char **);
static void say(const char *what, int status)
{
    char line[256];
    if (out < 0 || getpid() != owner)
        return;
    int size = snprintf(line, sizeof line, "\ngraft: %.160s %s %d\n", program_invocation_short_name, what, status);
    if (write(out, line, size) != size)
        _exit(97);
}
static int in_tree(void)
{
    Dl_info info;
    char self[4096], *end;
    ssize_t size = readlink("/proc/self/exe", self, sizeof self - 1);
    if (size < 0 || !dladdr((void *)say, &info) || !info.dli_fname || !(end = strstr(info.dli_fname, "/.graft/")))
        return 0;
    self[size] = 0;
    return !strncmp(self, info.dli_fname, end - info.dli_fname + 1);
}
static int wrapped(int argc, char **argv, char **env)
{
    (void)env;
    struct stat place;
    char self[64];
    const char *first = getenv("GRAFT_STDOUT");
    outside = !in_tree();
    if (!fstat(1, &place)) {
        snprintf(self, sizeof self, "%ju:%ju", (uintmax_t)place.st_dev, (uintmax_t)place.st_ino);
        if (!first || (!outside && !strcmp(first, self)))
            out = fcntl(1, F_DUPFD_CLOEXEC, 400);
        if (!first)
            setenv("GRAFT_STDOUT", self, 1);
    }
    int status = real_main(argc, argv, environ);
    fflush(NULL);
    say("returned", status);
    return status;
}
int __libc_start_main(int (*start)(int, char **, char **), int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*rtld)(void), void *end)
{
    int (*real)(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void), void (*)(void), void *);
    *(void **)&real = dlsym(RTLD_NEXT, "__libc_start_main");
    real_main = start;
    owner = getpid();
    return real(wrapped, argc, argv, init, fini, rtld, end);
}
void exit(int status)
{
    void (*real)(int) __attribute__((noreturn));
    *(void **)&real = dlsym(RTLD_NEXT, "exit");
    fflush(NULL);
    say("exited", status);
    real(status);
}
void _exit(int status)
{
    void (*real)(int) __attribute__((noreturn));
    *(void **)&real = dlsym(RTLD_NEXT, "_exit");
    if (outside)
        say("exited", status);
    real(status);
}
