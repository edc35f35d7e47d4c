/*---
 * tasks: [dup_cloexec-5cb9c3]
 * tests:
 *   the copy is another descriptor: 'cloexec.h: "Duplicates a file handle FD".'
 *   the copy is of the same open file: 'cloexec.h: "Duplicates a file handle FD".'
 *   the copy is closed by an exec: 'cloexec.h: "marking the copy to be closed prior to exec or spawn".'
 *   the original is not marked: 'cloexec.h: "marking the copy".'
 *   a marked original stays marked: 'cloexec.h: "marking the copy".'
 *   the copy of a marked original is marked: 'cloexec.h: "marking the copy to be closed prior to exec".'
 *   one descriptor is opened: 'cloexec.h: "Duplicates a file handle FD".'
 *   closing the copy leaves the original open: 'cloexec.h: "Duplicates a file handle FD".'
 *   a descriptor that is not open is an error: 'cloexec.h: "Returns -1 and sets errno if FD could not be duplicated".'
 *   a negative descriptor is an error: 'cloexec.h: "Returns -1 and sets errno if FD could not be duplicated".'
 *   too many descriptors are an error: 'cloexec.h: "Returns -1 and sets errno if FD could not be duplicated".'
 *   after an error no more is open: 'cloexec.h: "Returns -1 ... if FD could not be duplicated".'
 *   standard descriptors can be copied: 'cloexec.h: "Duplicates a file handle FD".'
 ---*/
#include "descriptors.h"
#include "../cloexec.c"

int main(void) {
    begin();
    int n = count_open(), copy = dup_cloexec(10);
    int another = copy >= 0 && copy != 10 && is_open(copy), same_file = one_file(10, copy), marked = closes(copy);
    int unmarked = stays(10), one = count_open() == n + 1;
    drop(copy);
    int left_open = is_open(10) && count_open() == n;
    mark(10, FD_CLOEXEC);
    copy = dup_cloexec(10);
    int still = closes(10), also = copy >= 0 && copy != 10 && closes(copy);
    drop(copy);
    mark(10, 0);
    int standard = 1;
    for (int fd = 0; fd < 3; fd++) {
        copy = dup_cloexec(fd);
        standard &= copy > 2 && one_file(fd, copy) && closes(copy) && stays(fd);
        drop(copy);
    }

    errno = 0;
    int closed = dup_cloexec(25) == -1 && errno == EBADF;
    errno = 0;
    int negative = dup_cloexec(-1) == -1 && errno == EBADF;
    int clean = count_open() == n;
    fill(0);
    errno = 0;
    int many = dup_cloexec(10) == -1 && errno == EMFILE && stays(10);
    clean &= count_open() == LIMIT;
    shown();
    ok("the copy is another descriptor", another);
    ok("the copy is of the same open file", same_file);
    ok("the copy is closed by an exec", marked);
    ok("the original is not marked", unmarked);
    ok("a marked original stays marked", still);
    ok("the copy of a marked original is marked", also);
    ok("one descriptor is opened", one);
    ok("closing the copy leaves the original open", left_open);
    ok("a descriptor that is not open is an error", closed);
    ok("a negative descriptor is an error", negative);
    ok("too many descriptors are an error", many);
    ok("after an error no more is open", clean);
    ok("standard descriptors can be copied", standard);
    return plus_end();
}
