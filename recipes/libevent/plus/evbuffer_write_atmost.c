/*---
 * tasks: [evbuffer_write_atmost-78b1d3]
 * tests:
 *   the number of bytes written is returned: 'Docstring: "the number of bytes written".'
 *   no more than the limit is written: 'Docstring: "the largest allowable number of bytes to write".'
 *   the bytes written are drained: 'Docstring: "drained after the bytes have been successfully written".'
 *   the rest is written next: 'Docstring: "drained after the bytes have been successfully written".'
 *   minus one writes all: 'Docstring: "-1 to write as many bytes as we can".'
 *   a limit beyond the data writes all: 'Docstring: "the largest allowable number of bytes".'
 *   the largest limit writes all: 'Docstring: "the largest allowable number of bytes".'
 *   a limit of just the data writes all: 'Docstring: "the largest allowable number of bytes".'
 *   a limit of nothing writes nothing: 'Docstring: "the largest allowable number of bytes to write".'
 *   an empty buffer writes nothing: 'Docstring: "Write some of the contents".'
 *   several pieces are written in order: 'Docstring: "Write some of the contents of an evbuffer".'
 *   a limit inside a piece is kept to: 'Docstring: "the largest allowable number of bytes to write".'
 *   very many pieces are written in the end: 'Docstring: "as many bytes as we can"; callers call again.'
 *   a descriptor that is not open is an error: 'Docstring: "-1 if an error occurred".'
 *   then nothing is drained: 'Docstring: drained "after the bytes have been successfully written".'
 *   the cause is in errno: 'Callers look at it (bufferevent_sock.c: evutil_socket_geterror).'
 *   a full socket takes a part: 'Docstring: "drained after the bytes have been successfully written".'
 *   a socket that takes nothing is an error and drains nothing: 'bufferevent_sock.c: -1 and EAGAIN mean "reschedule".'
 *   it goes on when the socket takes more: 'bufferevent_sock.c: called again when the socket is writable.'
 *   a buffer whose start is frozen is an error: 'buffer.h, evbuffer_freeze; bufferevent_sock.c unfreezes before it.'
 *   then nothing is written: 'buffer.h, evbuffer_freeze: it prevents drains from the front.'
 *   a buffer whose end is frozen can be written: 'buffer.h, evbuffer_freeze: the front and the back are two things.'
 *   callbacks are told how much was drained: 'buffer.h: n_deleted.'
 *   a file is sent: 'buffer.h, evbuffer_add_file: "If sendfile is available" and the flag is set.'
 *   data before and after a file is sent in order: 'buffer.h: evbuffer_add_file, "for writing to a socket".'
 *   the file is drained and closed: 'buffer.h, evbuffer_add_file: "will close it when the data has been written".'
 *   it is written while the lock is held: 'buffer.h, evbuffer_enable_locking: "safely used by multiple threads".'
 *   another thread never gets what is written: 'buffer.h, evbuffer_enable_locking.'
 *   the lock is free afterwards: 'buffer.h, evbuffer_enable_locking.'
 *   the lock is free after an error too: 'buffer.h, evbuffer_enable_locking.'
 ---*/
#include "plus.h"
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include "event2/buffer.h"

static unsigned char data[3000000], into[3000000], stolen[3];
static size_t deleted, calls;
static struct evbuffer *shared;
static int s[2], stole, unlocked;

ssize_t writev(int fd, const struct iovec *v, int n) {
    unlocked |= plus_watched && plus_watched->depth == 0;
    return syscall(SYS_writev, fd, v, n);
}

ssize_t write(int fd, const void *from, size_t size) {
    unlocked |= plus_watched && plus_watched->depth == 0;
    return syscall(SYS_write, fd, from, size);
}

ssize_t send(int fd, const void *from, size_t size, int flags) {
    unlocked |= plus_watched && plus_watched->depth == 0;
    return syscall(SYS_sendto, fd, from, size, flags, NULL, 0);
}

static void changed(struct evbuffer *b, const struct evbuffer_cb_info *info, void *arg) {
    calls++;
    deleted += info->n_deleted;
}

static void steal(void) {
    stole = evbuffer_remove(shared, stolen, 3);
}

/* What has arrived at the other end: that many bytes, from the place AT on. */
static int arrives(size_t at, size_t size) {
    size_t got = 0;
    ssize_t n;
    while ((n = read(s[1], into + got, sizeof(into) - got)) > 0) got += n;
    return got == size && plus_bytes(into, at, size);
}

int main(void) {
    plus_start();
    plus_sockets(s);
    plus_fill(data, 0, sizeof(data));
    struct evbuffer *b = evbuffer_new();
    evbuffer_add(b, data, 100);
    int n = evbuffer_write_atmost(b, s[0], 60);
    ok("the number of bytes written is returned", n == 60);
    ok("no more than the limit is written", arrives(0, 60));
    ok("the bytes written are drained", evbuffer_get_length(b) == 40);
    n = evbuffer_write_atmost(b, s[0], -1);
    ok("the rest is written next", arrives(60, 40));
    ok("minus one writes all", n == 40 && evbuffer_get_length(b) == 0);
    evbuffer_add(b, data, 50);
    n = evbuffer_write_atmost(b, s[0], 51);
    ok("a limit beyond the data writes all", n == 50 && arrives(0, 50) && evbuffer_get_length(b) == 0);
    evbuffer_add(b, data, 50);
    n = evbuffer_write_atmost(b, s[0], EV_SSIZE_MAX);
    ok("the largest limit writes all", n == 50 && arrives(0, 50) && evbuffer_get_length(b) == 0);
    evbuffer_add(b, data, 50);
    n = evbuffer_write_atmost(b, s[0], 50);
    ok("a limit of just the data writes all", n == 50 && arrives(0, 50) && evbuffer_get_length(b) == 0);
    evbuffer_add(b, data, 50);
    n = evbuffer_write_atmost(b, s[0], 0);
    ok("a limit of nothing writes nothing", n <= 0 && arrives(0, 0) && evbuffer_get_length(b) == 50);
    evbuffer_drain(b, 50);
    n = evbuffer_write_atmost(b, s[0], -1);
    int m = evbuffer_write_atmost(b, s[0], 10);
    ok("an empty buffer writes nothing", n <= 0 && m <= 0 && arrives(0, 0));

    for (int i = 0; i < 10; i++) evbuffer_add_reference(b, data + i * 50, 50, NULL, NULL);
    n = evbuffer_write_atmost(b, s[0], 125);
    ok("a limit inside a piece is kept to", n == 125 && arrives(0, 125) && evbuffer_get_length(b) == 375);
    n = evbuffer_write_atmost(b, s[0], 25);
    int good = n == 25 && arrives(125, 25);
    n = evbuffer_write_atmost(b, s[0], -1);
    ok("several pieces are written in order", good && n == 350 && arrives(150, 350) && evbuffer_get_length(b) == 0);
    for (int i = 0; i < 1500; i++) evbuffer_add_reference(b, data + i * 3, 3, NULL, NULL);
    good = 1;
    size_t all = 0;
    while (good && evbuffer_get_length(b)) {
        n = evbuffer_write_atmost(b, s[0], -1);
        good = n > 0;
        all += n;
        good &= evbuffer_get_length(b) == 4500 - all;
    }
    ok("very many pieces are written in the end", good && arrives(0, 4500));

    int closed = dup(s[0]);
    close(closed);
    evbuffer_add(b, data, 80);
    errno = 0;
    n = evbuffer_write_atmost(b, closed, -1);
    ok("a descriptor that is not open is an error", n == -1);
    ok("the cause is in errno", errno == EBADF);
    n = evbuffer_write_atmost(b, s[0], 80);
    ok("then nothing is drained", n == 80 && arrives(0, 80) && evbuffer_get_length(b) == 0);

    evbuffer_add(b, data, sizeof(data));
    good = 1;
    all = 0;
    for (int i = 0; i < 1000 && (n = evbuffer_write_atmost(b, s[0], -1)) > 0; i++) {
        all += n;
        good &= evbuffer_get_length(b) == sizeof(data) - all;
    }
    int cause = errno;
    ok("a full socket takes a part", good && all > 0 && all < sizeof(data));
    ok("a socket that takes nothing is an error and drains nothing",
       n == -1 && (cause == EAGAIN || cause == EWOULDBLOCK) && evbuffer_get_length(b) == sizeof(data) - all);
    good = arrives(0, all);
    n = evbuffer_write_atmost(b, s[0], 1000);
    ok("it goes on when the socket takes more", good && n == 1000 && arrives(all, 1000));
    evbuffer_free(b);

    b = evbuffer_new();
    evbuffer_add(b, data, 90);
    evbuffer_freeze(b, 1);
    n = evbuffer_write_atmost(b, s[0], -1);
    ok("a buffer whose start is frozen is an error", n == -1);
    ok("then nothing is written", arrives(0, 0) && evbuffer_get_length(b) == 90);
    evbuffer_unfreeze(b, 1);
    evbuffer_freeze(b, 0);
    n = evbuffer_write_atmost(b, s[0], 10);
    ok("a buffer whose end is frozen can be written", n == 10 && arrives(0, 10));
    evbuffer_add_cb(b, changed, NULL);
    evbuffer_write_atmost(b, s[0], 30);
    evbuffer_write_atmost(b, s[0], -1);
    ok("callbacks are told how much was drained", calls == 2 && deleted == 80 && arrives(10, 80));
    evbuffer_free(b);

    b = evbuffer_new();
    evbuffer_set_flags(b, EVBUFFER_FLAG_DRAINS_TO_FD);
    int file = memfd_create("file", MFD_CLOEXEC);
    if (file < 0 || write(file, data, 5000) != 5000) exit(2);
    if (evbuffer_add_file(b, file, 100, 4000)) exit(2);
    n = evbuffer_write_atmost(b, s[0], -1);
    ok("a file is sent", n == 4000 && arrives(100, 4000));
    ok("the file is drained and closed", evbuffer_get_length(b) == 0 && fcntl(file, F_GETFD) < 0);
    file = memfd_create("file", MFD_CLOEXEC);
    if (file < 0 || write(file, data, 5000) != 5000) exit(2);
    evbuffer_add(b, data, 200);
    if (evbuffer_add_file(b, file, 200, 3000)) exit(2);
    evbuffer_add(b, data + 3200, 100);
    good = 1;
    all = 0;
    while (good && evbuffer_get_length(b)) {
        n = evbuffer_write_atmost(b, s[0], -1);
        good = n > 0;
        all += n;
        good &= evbuffer_get_length(b) == 3300 - all;
    }
    ok("data before and after a file is sent in order", good && arrives(0, 3300));
    evbuffer_free(b);

    plus_use_locks();
    shared = evbuffer_new();
    evbuffer_add(shared, data, 100);
    struct plus_lock *lock = plus_lock_new(EVTHREAD_LOCKTYPE_RECURSIVE);
    evbuffer_enable_locking(shared, lock);
    plus_watched = lock;
    plus_other_thread = steal;
    unlocked = 0;
    n = evbuffer_write_atmost(shared, s[0], 40);
    int held = !unlocked;
    int freed = lock->depth == 0;
    plus_watched = NULL;
    ok("it is written while the lock is held", n == 40 && held);
    ok("another thread never gets what is written", arrives(0, 40) && stole == 3 && plus_bytes(stolen, 40, 3) &&
       evbuffer_get_length(shared) == 57);
    ok("the lock is free afterwards", freed);
    evbuffer_freeze(shared, 1);
    n = evbuffer_write_atmost(shared, s[0], 10);
    freed = lock->depth == 0;
    evbuffer_unfreeze(shared, 1);
    m = evbuffer_write_atmost(shared, closed, 10);
    ok("the lock is free after an error too", n == -1 && m == -1 && freed && lock->depth == 0);
    return plus_end();
}
