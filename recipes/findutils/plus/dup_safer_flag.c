/*---
 * tasks: [dup_safer_flag-d82e75]
 * tests:
 *   the copy is another descriptor: 'Comment: "Like dup".'
 *   the copy is of the same open file: 'Comment: "Like dup".'
 *   without a flag the copy is not closed by an exec: 'Comment: "rather than fcntl(F_DUPFD)".'
 *   with O_CLOEXEC it is: 'Comment: "If FLAG contains O_CLOEXEC, behave like fcntl(F_DUPFD_CLOEXEC)".'
 *   with O_CLOEXEC and other flags it is: 'Comment: "If FLAG contains O_CLOEXEC".'
 *   with other flags alone it is not: 'Comment: "If FLAG contains O_CLOEXEC"; O_WRONLY has the value of FD_CLOEXEC.'
 *   the mark of the original does not matter: 'fcntl.c: F_DUPFD returns a duplicate "which will be inheritable".'
 *   the original keeps its mark: 'Comment: "Like dup".'
 *   other flags do not change the file: 'Comment: FLAG decides only on F_DUPFD_CLOEXEC.'
 *   it is the lowest free descriptor: 'Comment: "Like dup".'
 *   none of the standard descriptors is used: 'Comment: "do not return STDIN_FILENO, STDOUT_FILENO, or ...".'
 *   with O_CLOEXEC none is used either: 'Comment: "do not return STDIN_FILENO, STDOUT_FILENO, or STDERR_FILENO".'
 *   the three stay closed: 'Comment: "Like dup"; nothing else is opened.'
 *   a standard descriptor can be copied: 'Caller fd_safer_flag gives one to be moved.'
 *   a descriptor that is not open is an error: 'Comment: "Like dup", which returns -1 and EBADF.'
 *   too many descriptors are an error: 'Comment: "Like dup", which returns -1 and EMFILE.'
 *   it is one too where only standard ones are free: 'Comment: "do not return STDIN_FILENO".'
 *   after an error no more is open: 'Comment: "Like dup".'
 ---*/
#include "descriptors.h"
#include "../dup-safer-flag.c"

int main(void) {
    static const int others[] = {O_WRONLY, O_RDWR, O_NONBLOCK, O_APPEND, O_CREAT | O_EXCL, ~O_CLOEXEC};
    enum { N = sizeof(others) / sizeof(*others) };
    begin();
    int n = count_open(), copy = dup_safer_flag(10, 0);
    int another = copy > 2 && copy != 10 && is_open(copy) && count_open() == n + 1;
    int same_file = one_file(10, copy), unmarked = stays(copy);
    int next = dup_safer_flag(10, O_CLOEXEC), lowest = copy == 3 && next == 4, marked = closes(next);
    same_file &= one_file(10, next);
    drop(next);
    drop(copy);
    int status = kernel(11, F_GETFL, 0);
    int with = 1, alone = 1, kept = 1, mixed = 1;
    for (int i = 0; i < N; i++) {
        copy = dup_safer_flag(11, others[i] | O_CLOEXEC);
        with &= closes(copy);
        drop(copy);
        copy = dup_safer_flag(11, others[i]);
        alone &= stays(copy);
        drop(copy);
        kept &= kernel(11, F_GETFL, 0) == status;
    }
    for (int i = 0; i < 2; i++) {
        mark(10, i ? FD_CLOEXEC : 0);
        copy = dup_safer_flag(10, 0);
        mixed &= stays(copy);
        drop(copy);
        copy = dup_safer_flag(10, O_CLOEXEC);
        mixed &= closes(copy);
        drop(copy);
        another &= i ? closes(10) : stays(10);
    }
    int own = closes(10);
    mark(10, 0);
    copy = dup_safer_flag(10, O_CLOEXEC);
    own &= stays(10);
    drop(copy);
    int standard = 1;
    for (int fd = 0; fd < 3; fd++) {
        copy = dup_safer_flag(fd, 0);
        next = dup_safer_flag(fd, O_CLOEXEC);
        standard &= copy > 2 && next > 2 && one_file(fd, copy) && one_file(fd, next) && is_open(fd);
        drop(copy);
        drop(next);
    }
    for (int fd = 0; fd < 3; fd++) drop(fd);
    copy = dup_safer_flag(10, 0);
    int none = copy > 2 && one_file(10, copy), closed3 = !is_open(0) && !is_open(1) && !is_open(2);
    next = dup_safer_flag(10, O_CLOEXEC);
    int either = next > 2 && next != copy && one_file(10, next) && closes(next);
    drop(copy);
    drop(next);
    closed3 &= count_open() == n - 3;

    errno = 0;
    int closed = dup_safer_flag(25, 0) == -1 && errno == EBADF;
    errno = 0;
    closed &= dup_safer_flag(25, O_CLOEXEC) == -1 && errno == EBADF;
    errno = 0;
    closed &= dup_safer_flag(-1, O_CLOEXEC) == -1 && errno == EBADF;
    int clean = count_open() == n - 3;
    fill(3);
    errno = 0;
    int only = dup_safer_flag(10, 0) == -1 && errno == EMFILE;
    errno = 0;
    only &= dup_safer_flag(10, O_CLOEXEC) == -1 && errno == EMFILE;
    clean &= count_open() == LIMIT - 3;
    fill(0);
    errno = 0;
    int many = dup_safer_flag(10, 0) == -1 && errno == EMFILE;
    errno = 0;
    many &= dup_safer_flag(10, O_CLOEXEC) == -1 && errno == EMFILE;
    clean &= count_open() == LIMIT;
    shown();
    ok("the copy is another descriptor", another);
    ok("the copy is of the same open file", same_file);
    ok("without a flag the copy is not closed by an exec", unmarked);
    ok("with O_CLOEXEC it is", marked);
    ok("with O_CLOEXEC and other flags it is", with);
    ok("with other flags alone it is not", alone);
    ok("the mark of the original does not matter", mixed);
    ok("the original keeps its mark", own);
    ok("other flags do not change the file", kept);
    ok("it is the lowest free descriptor", lowest);
    ok("none of the standard descriptors is used", none);
    ok("with O_CLOEXEC none is used either", either);
    ok("the three stay closed", closed3);
    ok("a standard descriptor can be copied", standard);
    ok("a descriptor that is not open is an error", closed);
    ok("too many descriptors are an error", many);
    ok("it is one too where only standard ones are free", only);
    ok("after an error no more is open", clean);
    return plus_end();
}
