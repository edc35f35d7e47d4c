/*---
 * tasks: [BADD1866448F8D09]
 * tests:
 *   a file's pages are given back: 'Docstring: "free OS pages backed by file"; posix_fadvise(2): POSIX_FADV_DONTNEED.'
 *   the file is the one that was passed: 'The parameter fd.'
 *   the whole file is given back: 'aof.c, rdb.c: offset 0 and length 0; posix_fadvise(2): a length of 0 means to the end.'
 *   a part of a file is given back: 'The parameters offset and length.'
 *   a part beyond 4 GB is given back: 'The parameters are size_t.'
 *   a success is 0: 'util.c: its own test asserts 0; rdb.c and aof.c ask for -1.'
 *   a file that is still written is no error: 'rio.c: it is called while the file grows.'
 *   the file stays open: 'bio.c: the caller closes it.'
 *   the place in the file stays: 'rio.c: the caller goes on writing.'
 *   the file's bytes stay: 'Docstring: only the pages are freed.'
 *   a pipe is an error: 'rdb.c, aof.c, bio.c: the callers log what gave -1; posix_fadvise(2): ESPIPE.'
 *   a closed descriptor is an error: 'rdb.c, aof.c, bio.c: the callers log what gave -1; posix_fadvise(2): EBADF.'
 *   whatever the system refuses is an error: 'posix_fadvise(2): an error is returned as its number, which is not -1.'
 ---*/
#include "../server.h"
#include "../util.h"
#include "../testhelp.h"
#include <fcntl.h>
#include <sys/syscall.h>

static int calls, last_fd, last_advice, refused;
static off_t last_offset, last_length;

/* The system's call, watched; both names that the C library has for it. */
static int advise(int fd, off_t offset, off_t length, int advice) {
    calls++;
    last_fd = fd, last_offset = offset, last_length = length, last_advice = advice;
    if (refused) return refused;
    return syscall(SYS_fadvise64, fd, offset, length, advice) == -1 ? errno : 0;
}
int advise32(int fd, off_t offset, off_t length, int advice) __asm__("posix_fadvise");
int advise64(int fd, off_t offset, off_t length, int advice) __asm__("posix_fadvise64");
int advise32(int fd, off_t offset, off_t length, int advice) { return advise(fd, offset, length, advice); }
int advise64(int fd, off_t offset, off_t length, int advice) { return advise(fd, offset, length, advice); }

int main(void) {
    char text[16] = {0};
    int pipes[2], result;
    FILE *file = tmpfile();
    int fd = fileno(file);
    fprintf(file, "0123456789");
    fflush(file);

    result = reclaimFilePageCache(fd, 0, 0);
    test_cond("a success is 0", result == 0);
    test_cond("a file's pages are given back", calls > 0 && last_advice == POSIX_FADV_DONTNEED);
    test_cond("the file is the one that was passed", last_fd == fd);
    test_cond("the whole file is given back", last_offset == 0 && last_length == 0);
    test_cond("the place in the file stays", lseek(fd, 0, SEEK_CUR) == 10);
    fprintf(file, "abc");
    result = reclaimFilePageCache(fd, 0, 0);
    test_cond("a file that is still written is no error", result == 0);
    fflush(file);
    test_cond("the file stays open", fcntl(fd, F_GETFD) != -1);
    test_cond("the file's bytes stay", pread(fd, text, sizeof(text), 0) == 13 && strcmp(text, "0123456789abc") == 0);
    result = reclaimFilePageCache(fd, 4096, 8192);
    test_cond("a part of a file is given back", result == 0 && last_offset == 4096 && last_length == 8192);
    result = reclaimFilePageCache(fd, (size_t)5 << 32, (size_t)3 << 32);
    test_cond("a part beyond 4 GB is given back",
              result == 0 && last_offset == (off_t)5 << 32 && last_length == (off_t)3 << 32);

    if (pipe(pipes) == -1) exit(1);
    test_cond("a pipe is an error", reclaimFilePageCache(pipes[0], 0, 0) == -1);
    close(pipes[0]);
    test_cond("a closed descriptor is an error", reclaimFilePageCache(pipes[0], 0, 0) == -1);
    refused = EINVAL;
    result = reclaimFilePageCache(fd, 0, 0);
    refused = ENOSYS;
    test_cond("whatever the system refuses is an error", result == -1 && reclaimFilePageCache(fd, 0, 0) == -1);
    test_report();
    return 0;
}
