"""A library for LD_PRELOAD by which a test program says that it came to its end, and with which status.

Many a test program prints nothing when all is well, so that a function body which ends the process would pass. With
the library in place the program prints one more line, `graft: NAME returned 0` or `graft: NAME exited 0`, and that
line counts as a test. So does the line of the process that the suite starts, a script's shell for instance. A program
whose output a script keeps stays silent: the line would be a part of what is compared.
"""

from __future__ import annotations

from executor.repository.build.graph import GRAFT_FOLDER

LIBRARY = f"{GRAFT_FOLDER}/ended.so"
# The first process speaks, and programs below the tree that print to where it prints; a forked child doesn't. A shell
# ends by _exit, as a body may that cheats, so that _exit counts outside the tree alone.
_SOURCE = r"""
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
"""


def write_exit_library_build_command() -> str:
    return f"gcc -shared -fPIC -O1 -w -x c -o {LIBRARY} - <<'GRAFT_END'{_SOURCE}GRAFT_END"


def wrap_command_with_exit_library(cwd: str, argv: tuple[str, ...], shell: str = "") -> tuple[str, ...]:
    """The command, started from the folder `cwd` relative to the root, with the library in place. `shell`: words of a
    shell to go first, as variables that the test needs."""
    up = "../" * (0 if cwd in ("", ".") else cwd.strip("/").count("/") + 1)
    given = f'LD_PRELOAD="$(cd "./{up}" && pwd)/{LIBRARY}"'
    line = f'{shell}\nexport {given}; exec "$@"' if shell else f'{given} exec "$@"'
    return ("sh", "-c", line, "sh", *argv)
