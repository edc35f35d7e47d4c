/*---
 * tasks: [dup_safer-adad2c]
 * tests:
 *   the copy is another descriptor: 'Comment: "Like dup".'
 *   the copy is of the same open file: 'Comment: "Like dup".'
 *   the copy is not closed by an exec: 'Comment: "Like dup", which leaves the flag clear.'
 *   neither is that of a marked original: 'Comment: "Like dup", which leaves the flag clear.'
 *   the original keeps its mark: 'Comment: "Like dup".'
 *   it is the lowest free descriptor: 'Comment: "Like dup".'
 *   standard input is not used: 'Comment: "do not return STDIN_FILENO".'
 *   standard output is not used: 'Comment: "do not return ... STDOUT_FILENO".'
 *   standard error is not used: 'Comment: "do not return ... STDERR_FILENO".'
 *   none of the three is used: 'Comment: "do not return STDIN_FILENO, STDOUT_FILENO, or STDERR_FILENO".'
 *   the three stay closed: 'Comment: "Like dup"; nothing else is opened.'
 *   descriptor 3 can be used: 'Comment: only the three standard ones are not returned.'
 *   a standard descriptor can be copied: 'Caller fd_safer gives one to be moved.'
 *   a descriptor that is not open is an error: 'Comment: "Like dup", which returns -1 and EBADF.'
 *   a negative descriptor is an error: 'Comment: "Like dup", which returns -1 and EBADF.'
 *   too many descriptors are an error: 'Comment: "Like dup", which returns -1 and EMFILE.'
 *   it is one too where only standard ones are free: 'Comment: "do not return STDIN_FILENO".'
 *   after an error no more is open: 'Comment: "Like dup".'
 ---*/
#include "descriptors.h"
#include "../dup-safer.c"

int main(void) {
    begin();
    int n = count_open(), copy = dup_safer(10);
    int another = copy > 2 && copy != 10 && is_open(copy) && count_open() == n + 1;
    int same_file = one_file(10, copy), unmarked = stays(copy), three = copy == 3;
    int next = dup_safer(10), lowest = next == 4;
    drop(next);
    drop(copy);
    mark(10, FD_CLOEXEC);
    copy = dup_safer(10);
    int neither = stays(copy), kept = closes(10);
    drop(copy);
    mark(10, 0);
    copy = dup_safer(10);
    kept &= stays(10);
    drop(copy);
    int standard = 1, not[3];
    for (int fd = 0; fd < 3; fd++) {
        copy = dup_safer(fd);
        standard &= copy > 2 && one_file(fd, copy) && stays(copy) && is_open(fd);
        drop(copy);
    }
    for (int fd = 0; fd < 3; fd++) {
        drop(fd);
        copy = dup_safer(10);
        not[fd] = copy > 2 && is_open(copy) && !is_open(fd);
        drop(copy);
        syscall(SYS_dup3, 11, fd, 0);
    }
    for (int fd = 0; fd < 3; fd++) drop(fd);
    copy = dup_safer(10);
    int none = copy > 2 && one_file(10, copy), closed3 = !is_open(0) && !is_open(1) && !is_open(2);
    drop(copy);
    closed3 &= count_open() == n - 3;

    errno = 0;
    int closed = dup_safer(25) == -1 && errno == EBADF;
    errno = 0;
    int negative = dup_safer(-1) == -1 && errno == EBADF;
    int clean = count_open() == n - 3;
    fill(3);
    errno = 0;
    int only = dup_safer(10) == -1 && errno == EMFILE;
    clean &= count_open() == LIMIT - 3;
    fill(0);
    errno = 0;
    int many = dup_safer(10) == -1 && errno == EMFILE;
    clean &= count_open() == LIMIT;
    shown();
    ok("the copy is another descriptor", another);
    ok("the copy is of the same open file", same_file);
    ok("the copy is not closed by an exec", unmarked);
    ok("neither is that of a marked original", neither);
    ok("the original keeps its mark", kept);
    ok("it is the lowest free descriptor", lowest);
    ok("standard input is not used", not[0]);
    ok("standard output is not used", not[1]);
    ok("standard error is not used", not[2]);
    ok("none of the three is used", none);
    ok("the three stay closed", closed3);
    ok("descriptor 3 can be used", three);
    ok("a standard descriptor can be copied", standard);
    ok("a descriptor that is not open is an error", closed);
    ok("a negative descriptor is an error", negative);
    ok("too many descriptors are an error", many);
    ok("it is one too where only standard ones are free", only);
    ok("after an error no more is open", clean);
    return plus_end();
}
