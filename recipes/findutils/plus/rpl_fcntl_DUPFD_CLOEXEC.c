/*---
 * tasks: [rpl_fcntl_DUPFD_CLOEXEC-ccd4d8.2]
 * tests:
 *   a duplicate is of the same open file: 'fcntl.c: "duplicate FD", "If successful, return the duplicate".'
 *   it is the lowest one from the target on: 'fcntl.c: "int ARG being the minimum target fd".'
 *   a target that is in use is passed over: 'fcntl.c: "int ARG being the minimum target fd".'
 *   the target can be 0: 'fcntl.c: "int ARG being the minimum target fd".'
 *   F_DUPFD gives an inheritable one: 'fcntl.c: F_DUPFD, "the duplicate, which will be inheritable".'
 *   F_DUPFD_CLOEXEC gives one that is not: 'fcntl.c: F_DUPFD_CLOEXEC, "which will not be inheritable".'
 *   the mark of the original does not matter: 'fcntl.c: "which will be inheritable", "which will not be inheritable".'
 *   the original keeps its mark: 'fcntl.c: "duplicate FD".'
 *   one descriptor is opened: 'fcntl.c: "duplicate FD".'
 *   a descriptor that is not open is an error: 'fcntl.c: "otherwise return -1 and set errno".'
 *   a negative target is an error: 'fcntl.c: "otherwise return -1 and set errno"; fcntl.m4: F_DUPFD gives EINVAL.'
 *   a target above the limit is an error: 'fcntl.m4: F_DUPFD gives EINVAL.'
 *   too many descriptors are an error: 'fcntl.c: "otherwise return -1 and set errno".'
 *   after an error no more is open: 'fcntl.c: "otherwise return -1".'
 *   after an error it still works: 'fcntl.c: "return the duplicate, which will not be inheritable".'
 *   fcntl gives the same: 'fcntl.c: fcntl calls both.'
 *   an older kernel is helped out: 'fcntl.m4: "to support the semantics on older kernels that failed with EINVAL".'
 *   there the target is heeded too: 'fcntl.c: "int ARG being the minimum target fd".'
 *   there the original keeps its mark too: 'fcntl.c: "duplicate FD".'
 *   there errors are told too: 'fcntl.c: "otherwise return -1 and set errno".'
 *   there it works after an error too: 'fcntl.c: "return the duplicate, which will not be inheritable".'
 *   there a duplicate that cannot be marked is closed: 'fcntl.c: "otherwise return -1 and set errno".'
 ---*/
#include "descriptors.h"
#include "../fcntl.c"
#include <sys/wait.h>

static int (*const both[])(int, int) = {rpl_fcntl_DUPFD, rpl_fcntl_DUPFD_CLOEXEC};

enum { HELPED = 1, TARGET = 2, KEPT = 4, ERRORS = 8, AFTER = 16, CLOSED = 32 };

/* What holds on a kernel without F_DUPFD_CLOEXEC. */
static int on_old_kernel(void) {
    int seen = 0, n = count_open();
    old_kernel = 1;
    errno = 0;
    int errors = rpl_fcntl_DUPFD_CLOEXEC(25, 3) == -1 && errno == EBADF;
    errno = 0;
    errors &= rpl_fcntl_DUPFD_CLOEXEC(10, -1) == -1 && errno == EINVAL && count_open() == n;
    int fd = rpl_fcntl_DUPFD_CLOEXEC(10, 3), other = rpl_fcntl_DUPFD_CLOEXEC(10, 20);
    if (closes(fd) && closes(other) && one_file(10, fd) && one_file(10, other)) seen |= HELPED;
    if (fd == 3 && other == 20) seen |= TARGET;
    if (stays(10)) seen |= KEPT;
    drop(fd);
    drop(other);
    errno = 0;
    errors &= rpl_fcntl_DUPFD_CLOEXEC(25, 3) == -1 && errno == EBADF;
    errno = 0;
    errors &= rpl_fcntl_DUPFD_CLOEXEC(10, -1) == -1 && errno == EINVAL && count_open() == n;
    if (errors) seen |= ERRORS;
    fd = rpl_fcntl_DUPFD_CLOEXEC(10, 0);
    other = rpl_fcntl_DUPFD(10, 0);
    if (closes(fd) && stays(other) && one_file(10, fd)) seen |= AFTER;
    drop(fd);
    drop(other);
    setfd_fails = EPERM;
    errno = 0;
    if (rpl_fcntl_DUPFD_CLOEXEC(10, 3) == -1 && errno == EPERM && count_open() == n) seen |= CLOSED;
    return seen;
}

/* Whether there the first call of all is helped out. */
static int at_once(void) {
    old_kernel = 1;
    return closes(rpl_fcntl_DUPFD_CLOEXEC(10, 3));
}

int main(void) {
    begin();
    pid_t child = fork();
    if (child == 0) _exit(on_old_kernel());
    int status = 0;
    waitpid(child, &status, 0);
    int seen = WIFEXITED(status) ? WEXITSTATUS(status) : 0;

    child = fork();
    if (child == 0) _exit(at_once());
    status = 0;
    waitpid(child, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 1) seen &= ~HELPED;

    int n = count_open(), file = 1, lowest = 1, over = 1, zero = 1, matters = 1, kept = 1, one = 1, marks[2];
    int clean = 1, after = 1, errors[4];
    for (int i = 0; i < 4; i++) errors[i] = 1;
    for (int i = 0; i < 2; i++) {
        int fd = both[i](10, 3);
        file &= fd != 10 && one_file(10, fd);
        lowest &= fd == 3;
        one &= count_open() == n + 1;
        marks[i] = i ? closes(fd) : stays(fd);
        int next = both[i](10, 3);
        over &= next == 4;
        int behind = both[i](10, 10);
        over &= behind == 12;
        int far = both[i](10, LIMIT - 1);
        lowest &= far == LIMIT - 1;
        marks[i] &= i ? closes(far) : stays(far);
        drop(fd);
        drop(next);
        drop(behind);
        drop(far);
        drop(0);
        fd = both[i](10, 0);
        zero &= fd == 0 && one_file(10, 0);
        mark(0, 0);
        syscall(SYS_dup3, 11, 0, 0);
        kept &= stays(10);
        mark(10, FD_CLOEXEC);
        fd = both[i](10, 3);
        matters &= i ? closes(fd) : stays(fd);
        kept &= closes(10);
        mark(10, 0);
        drop(fd);

        errno = 0;
        errors[0] &= both[i](25, 3) == -1 && errno == EBADF;
        errno = 0;
        errors[0] &= both[i](-1, 3) == -1 && errno == EBADF;
        errno = 0;
        errors[1] &= both[i](10, -1) == -1 && errno == EINVAL;
        errno = 0;
        errors[2] &= both[i](10, LIMIT) == -1 && errno == EINVAL;
        clean &= count_open() == n;
        fill(0);
        errno = 0;
        errors[3] &= both[i](10, 3) == -1 && errno == EMFILE;
        clean &= count_open() == LIMIT;
        clear(3);
        fd = both[i](10, 3);
        after &= fd == 3 && (i ? closes(fd) : stays(fd));
        drop(fd);
    }
    int plain = rpl_fcntl(10, F_DUPFD, 5), marked = rpl_fcntl(10, F_DUPFD_CLOEXEC, 5);
    int through = plain == 5 && marked == 6 && stays(plain) && closes(marked);
    shown();
    ok("a duplicate is of the same open file", file);
    ok("it is the lowest one from the target on", lowest);
    ok("a target that is in use is passed over", over);
    ok("the target can be 0", zero);
    ok("F_DUPFD gives an inheritable one", marks[0]);
    ok("F_DUPFD_CLOEXEC gives one that is not", marks[1]);
    ok("the mark of the original does not matter", matters);
    ok("the original keeps its mark", kept);
    ok("one descriptor is opened", one);
    ok("a descriptor that is not open is an error", errors[0]);
    ok("a negative target is an error", errors[1]);
    ok("a target above the limit is an error", errors[2]);
    ok("too many descriptors are an error", errors[3]);
    ok("after an error no more is open", clean);
    ok("after an error it still works", after);
    ok("fcntl gives the same", through);
    ok("an older kernel is helped out", seen & HELPED);
    ok("there the target is heeded too", seen & TARGET);
    ok("there the original keeps its mark too", seen & KEPT);
    ok("there errors are told too", seen & ERRORS);
    ok("there it works after an error too", seen & AFTER);
    ok("there a duplicate that cannot be marked is closed", seen & CLOSED);
    return plus_end();
}
