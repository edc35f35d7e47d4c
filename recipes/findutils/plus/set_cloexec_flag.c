/*---
 * tasks: [set_cloexec_flag-f19f40]
 * tests:
 *   the flag is set: 'Comment: "Set the FD_CLOEXEC flag of DESC if VALUE is true".'
 *   the flag is cleared: 'Comment: "or clear the flag if VALUE is false".'
 *   a success is 0: 'Comment: "Return 0 on success".'
 *   a flag that is set can be set again: 'Comment: "Set the FD_CLOEXEC flag of DESC if VALUE is true".'
 *   a flag that is clear can be cleared again: 'Comment: "or clear the flag if VALUE is false".'
 *   other flags of the descriptor stay: 'Comment: "Set the FD_CLOEXEC flag"; fcntl.c: "other flags may be present".'
 *   with other flags it is set and cleared too: 'fcntl.c, F_GETFD: "other flags may be present".'
 *   other descriptors of the file stay: 'Comment: "flag of DESC".'
 *   the status of the file stays: 'Comment: "Set the FD_CLOEXEC flag of DESC".'
 *   a descriptor that is not open is an error: 'Comment: "or -1 on error with errno set".'
 *   a negative descriptor is an error: 'Comment: "or -1 on error with errno set".'
 *   a failure to set the flag is an error: 'Comment: "or -1 on error with errno set".'
 *   standard descriptors can be marked: 'Comment: "Set the FD_CLOEXEC flag of DESC".'
 ---*/
#include "descriptors.h"
#include "../cloexec.c"

int main(void) {
    begin();
    int n = count_open(), status = kernel(11, F_GETFL, 0);
    int zero = set_cloexec_flag(11, true) == 0, set = closes(11);
    int again = set_cloexec_flag(11, true) == 0 && closes(11);
    zero &= set_cloexec_flag(11, false) == 0;
    int cleared = stays(11);
    int twice = set_cloexec_flag(11, false) == 0 && stays(11);
    syscall(SYS_dup3, 11, 12, 0);
    set_cloexec_flag(11, true);
    int others = stays(12) && stays(10) && closes(11);
    mark(12, FD_CLOEXEC);
    set_cloexec_flag(11, false);
    others &= closes(12) && stays(11);
    drop(12);
    int file = kernel(11, F_GETFL, 0) == status && count_open() == n;
    int standard = 1;
    for (int fd = 0; fd < 3; fd++) {
        standard &= set_cloexec_flag(fd, true) == 0 && closes(fd);
        standard &= set_cloexec_flag(fd, false) == 0 && stays(fd);
    }
    further_flags = 0x40;
    int with = set_cloexec_flag(11, true) == 0 && closes(11);
    with &= set_cloexec_flag(11, false) == 0 && stays(11);
    int kept = flags_lost == 0;
    further_flags = 0;

    int closed = 1, negative = 1, fails = 1;
    for (int value = 0; value < 2; value++) {
        errno = 0;
        closed &= set_cloexec_flag(25, value) == -1 && errno == EBADF;
        errno = 0;
        negative &= set_cloexec_flag(-1, value) == -1 && errno == EBADF;
        mark(11, value ? 0 : FD_CLOEXEC);
        setfd_fails = EPERM;
        errno = 0;
        fails &= set_cloexec_flag(11, value) == -1 && errno == EPERM;
        setfd_fails = 0;
    }
    shown();
    ok("the flag is set", set);
    ok("the flag is cleared", cleared);
    ok("a success is 0", zero);
    ok("a flag that is set can be set again", again);
    ok("a flag that is clear can be cleared again", twice);
    ok("other flags of the descriptor stay", kept);
    ok("with other flags it is set and cleared too", with);
    ok("other descriptors of the file stay", others);
    ok("the status of the file stays", file);
    ok("a descriptor that is not open is an error", closed);
    ok("a negative descriptor is an error", negative);
    ok("a failure to set the flag is an error", fails);
    ok("standard descriptors can be marked", standard);
    return plus_end();
}
