"""A library for LD_PRELOAD by which a test program says that it came to its end, and with which status.

Many a test program prints nothing when all is well, so that a function body which ends the process would pass. With
the library in place the program prints one more line, `graft: NAME returned 0` or `graft: NAME exited 0`, and that
line counts as a test.
"""

from __future__ import annotations

from executor.build.graph import GRAFT_FOLDER

LIBRARY = f"{GRAFT_FOLDER}/ended.so"
# Only programs below the tree speak, and only the process that was started: not make, sh, or a forked child.
_SOURCE = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static int out = -1;
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
static int wrapped(int argc, char **argv, char **env)
{
    int status = real_main(argc, argv, env);
    fflush(NULL);
    say("returned", status);
    return status;
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
int __libc_start_main(int (*start)(int, char **, char **), int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*rtld)(void), void *end)
{
    int (*real)(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void), void (*)(void), void *);
    *(void **)&real = dlsym(RTLD_NEXT, "__libc_start_main");
    real_main = start;
    owner = getpid();
    if (in_tree())
        out = fcntl(1, F_DUPFD_CLOEXEC, 400);
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
"""


def build_line() -> str:
    """The build command that makes the library."""
    return f"gcc -shared -fPIC -O1 -w -x c -o {LIBRARY} - <<'GRAFT_END'{_SOURCE}GRAFT_END"


def with_end(cwd: str, argv: tuple[str, ...], shell: str = "") -> tuple[str, ...]:
    """The command, started from the folder `cwd` relative to the root, with the library in place. `shell`: words of a
    shell to go first, as variables that the test needs."""
    up = "../" * (0 if cwd in ("", ".") else cwd.strip("/").count("/") + 1)
    line = f'{shell} LD_PRELOAD="$(cd "./{up}" && pwd)/{LIBRARY}" exec "$@"'.strip()
    if shell:
        line = f'{shell}\nexport LD_PRELOAD="$(cd "./{up}" && pwd)/{LIBRARY}"; exec "$@"'
    return ("sh", "-c", line, "sh", *argv)
