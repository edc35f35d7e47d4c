/*---
 * tasks: [evictionPoolPopulate-a95d96.16]
 * tests:
 *   what is written goes to the descriptor: 'rio.h: rioInitWithFd; caller rdbSaveToSlavesSockets writes to a pipe.'
 *   what is written is kept until it is flushed: 'rio.c: "For small writes, we rather keep the data in user-space buffer"; caller: rioFlush.'
 *   what is large goes at once and in its order: 'rio.c: "for larger writes, we prefer to flush any pre-existing buffer".'
 *   the position begins at 0 and counts: 'rioTell; rio.h: pos.'
 *   it begins without a checksum: 'rio.h: update_cksum, cksum; rdbSaveRio sets it.'
 *   it begins without an error and with nothing processed: 'rio.h: flags, processed_bytes, max_processing_chunk.'
 *   it cannot be read: 'rio.c: "It only implements writes".'
 *   a write that fails is an error: 'rioWrite: 0; RIO_FLAG_WRITE_ERROR.'
 *   what memory held before does not matter: 'Caller: a rio on the stack.'
 *   two of them are apart: 'Parameters.'
 *   it can be initialized anew: 'A rio for each transfer.'
 *   rioFreeFd frees it: 'rio.c: rioFreeFd.'
 *   the descriptor stays open: 'Callers close it.'
 ---*/
#include "../server.h"
#include "../testhelp.h"

static int fds[2];

/* What can be read now. */
static int readable(char *into, int size) {
    int n = read(fds[0],into,size);
    return n < 0 ? 0 : n;
}

int main(void) {
    char got[200000];
    if (pipe(fds)) return 1;
    fcntl(fds[0],F_SETFL,O_NONBLOCK);
    fcntl(fds[0],1031,1<<20);
    signal(SIGPIPE,SIG_IGN);
    rio r, s;
    memset(&r,0x5a,sizeof(r));
    rioInitWithFd(&r,fds[1]);
    test_cond("it begins without a checksum", r.update_cksum == NULL && r.cksum == 0);
    test_cond("it begins without an error and with nothing processed", r.flags == 0 && r.processed_bytes == 0 &&
              r.max_processing_chunk == 0 && !rioGetWriteError(&r) && !rioGetReadError(&r));
    int zero = rioTell(&r) == 0;
    int wrote = rioWrite(&r,"hello ",6) && rioWrite(&r,"a\0b",3), early = readable(got,sizeof(got));
    int flushed = rioFlush(&r) != 0, n = readable(got,sizeof(got));
    test_cond("what is written goes to the descriptor", wrote && n == 9 && !memcmp(got,"hello a\0b",9));
    test_cond("what is written is kept until it is flushed", early == 0 && flushed);
    test_cond("the position begins at 0 and counts", zero && rioTell(&r) == 9 && r.processed_bytes == 9);
    char *large = zmalloc(40000);
    memset(large,'x',40000);
    int at_once = rioWrite(&r,"begin",5) && rioWrite(&r,large,40000);
    n = readable(got,sizeof(got));
    test_cond("what is large goes at once and in its order", at_once && n == 40005 && !memcmp(got,"beginx",6) &&
              got[40004] == 'x' && rioTell(&r) == 40014);
    char byte;
    test_cond("it cannot be read", rioRead(&r,&byte,1) == 0 && rioGetReadError(&r));
    rioFreeFd(&r);
    memset(&r,0xff,sizeof(r));
    rioInitWithFd(&r,fds[1]);
    memset(&s,0xff,sizeof(s));
    rioInitWithFd(&s,fds[1]);
    int clean = r.flags == 0 && r.processed_bytes == 0 && rioTell(&r) == 0 && rioFlush(&r) && readable(got,1) == 0;
    test_cond("what memory held before does not matter", clean && rioWrite(&r,"one",3));
    int apart = rioWrite(&s,"two",3) && rioFlush(&s) && readable(got,10) == 3 && !memcmp(got,"two",3);
    apart &= rioFlush(&r) && readable(got,10) == 3 && !memcmp(got,"one",3);
    test_cond("two of them are apart", apart);
    rioFreeFd(&r);
    rioFreeFd(&s);
    rioInitWithFd(&r,fds[1]);
    test_cond("it can be initialized anew", rioWrite(&r,"again",5) && rioFlush(&r) && readable(got,10) == 5 &&
              rioTell(&r) == 5);
    rioFreeFd(&r);
    size_t before = zmalloc_used_memory();
    for (int j = 0; j < 20; j++) {
        rioInitWithFd(&r,fds[1]);
        rioWrite(&r,"some",4);
        rioFlush(&r);
        rioFreeFd(&r);
    }
    test_cond("rioFreeFd frees it", zmalloc_used_memory() == before);
    test_cond("the descriptor stays open", fcntl(fds[1],F_GETFD) != -1);
    close(fds[0]);
    rioInitWithFd(&r,fds[1]);
    test_cond("a write that fails is an error", rioWrite(&r,large,40000) == 0 && rioGetWriteError(&r));
    rioFreeFd(&r);
    test_report();
    return 0;
}
