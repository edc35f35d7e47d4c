/* What the plus tests of functions that copy descriptors share: a system call that can be made to fail, and the
 * descriptors 0 to 2 out of the way while they are tested. */
#ifndef DESCRIPTORS_H
#define DESCRIPTORS_H
#include "plus.h"
#include <fcntl.h>
#include <stdarg.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>

enum { LIMIT = 40, AWAY = 60 };

/* What the kernel is made to say: no F_DUPFD_CLOEXEC, a F_SETFD that fails with this, further flags in F_GETFD. */
static int old_kernel, setfd_fails, further_flags, flags_lost;

static int kernel(int fd, int action, long arg) {
    return syscall(SYS_fcntl, fd, action, arg);
}

static int answer(int fd, int action, long arg) {
    if (action == F_DUPFD_CLOEXEC && old_kernel && kernel(fd, F_GETFD, 0) >= 0) {
        errno = EINVAL;
        return -1;
    }
    if (action == F_SETFD && setfd_fails) {
        errno = setfd_fails;
        return -1;
    }
    if (action == F_SETFD && (arg & further_flags) != further_flags) flags_lost++;
    int r = kernel(fd, action, action == F_SETFD ? arg & ~(long)further_flags : arg);
    return action == F_GETFD && r >= 0 ? r | further_flags : r;
}

int plus_fcntl(int fd, int action, ...) __asm__("fcntl");
int plus_fcntl64(int fd, int action, ...) __asm__("fcntl64");

__attribute__((used)) int plus_fcntl(int fd, int action, ...) {
    va_list args;
    va_start(args, action);
    long arg = va_arg(args, long);
    va_end(args);
    return answer(fd, action, action == F_DUPFD || action == F_DUPFD_CLOEXEC ? (int)arg : arg);
}

__attribute__((used)) int plus_fcntl64(int fd, int action, ...) {
    va_list args;
    va_start(args, action);
    long arg = va_arg(args, long);
    va_end(args);
    return answer(fd, action, action == F_DUPFD || action == F_DUPFD_CLOEXEC ? (int)arg : arg);
}

static int is_open(int fd) {
    return kernel(fd, F_GETFD, 0) >= 0;
}

/* Whether FD is open and is closed by an exec. */
static int closes(int fd) {
    int flags = kernel(fd, F_GETFD, 0);
    return flags >= 0 && (flags & FD_CLOEXEC);
}

/* Whether FD is open and stays open in an exec. */
static int stays(int fd) {
    int flags = kernel(fd, F_GETFD, 0);
    return flags >= 0 && !(flags & FD_CLOEXEC);
}

static void mark(int fd, int flags) {
    kernel(fd, F_SETFD, flags);
}

static void drop(int fd) {
    if (fd >= 0) syscall(SYS_close, fd);
}

/* How many of the descriptors below LIMIT are open. */
static int count_open(void) {
    int n = 0;
    for (int fd = 0; fd < LIMIT; fd++) n += is_open(fd);
    return n;
}

/* Whether the two are one open file: they share its status flags. */
static int one_file(int a, int b) {
    int old = kernel(a, F_GETFL, 0);
    if (old < 0 || kernel(b, F_GETFL, 0) < 0) return 0;
    kernel(a, F_SETFL, old | O_NONBLOCK);
    int set = kernel(b, F_GETFL, 0) & O_NONBLOCK;
    kernel(a, F_SETFL, old & ~O_NONBLOCK);
    return set && !(kernel(b, F_GETFL, 0) & O_NONBLOCK);
}

/* Puts the descriptors 0 to 2 away, closes all others, and opens FD 10, of a pipe, with no more than LIMIT allowed. */
static void begin(void) {
    int ends[2];
    struct rlimit most;
    plus_start();
    for (int fd = 0; fd < 3; fd++) syscall(SYS_dup3, fd, AWAY + fd, 0);
    for (int fd = 0; fd < AWAY; fd++) drop(fd);
    if (syscall(SYS_pipe2, ends, 0) < 0) _exit(2);
    syscall(SYS_dup3, ends[0], 10, 0);
    syscall(SYS_dup3, ends[1], 11, 0);
    drop(ends[0]);
    drop(ends[1]);
    getrlimit(RLIMIT_NOFILE, &most);
    most.rlim_cur = LIMIT;
    setrlimit(RLIMIT_NOFILE, &most);
    for (int fd = 0; fd < 3; fd++) syscall(SYS_dup3, 11, fd, 0);
}

/* Lets the tests print again. */
static void shown(void) {
    struct rlimit most;
    getrlimit(RLIMIT_NOFILE, &most);
    most.rlim_cur = AWAY + 3;
    setrlimit(RLIMIT_NOFILE, &most);
    for (int fd = 0; fd < 3; fd++) syscall(SYS_dup3, AWAY + fd, fd, 0);
}

/* Opens all descriptors from FROM on that are allowed. */
static void fill(int from) {
    for (int fd = from; fd < LIMIT; fd++) if (!is_open(fd)) syscall(SYS_dup3, 11, fd, 0);
}

static void clear(int from) {
    for (int fd = from; fd < LIMIT; fd++) if (fd != 10 && fd != 11) drop(fd);
}
#endif
