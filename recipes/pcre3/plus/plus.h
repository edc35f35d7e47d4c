/* Shared by the tests: results in TAP, a counting allocator for PCRE's hooks, and children that may exit. */
#ifndef PLUS_H
#define PLUS_H
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define PLUS_GUARD 32

static int plus_number;
static long plus_live;          /* blocks handed out and not freed */
static long plus_calls;         /* blocks asked for */
static long plus_bad;           /* blocks that were written past their end, or foreign ones */
static int plus_refuse;         /* no more memory */
static size_t plus_size;        /* of the latest block */
static char *plus_block;        /* the latest block */

struct plus_head { size_t size; size_t mark; };

static inline void *plus_malloc(size_t size) {
    struct plus_head *h;
    plus_calls++;
    if (plus_refuse) return NULL;
    h = (struct plus_head *) malloc(sizeof(*h) + size + PLUS_GUARD);
    if (h == NULL) abort();
    h->size = size;
    h->mark = 0x5ca1ab1e;
    memset(h + 1, 0xa5, size);
    memset((char *) (h + 1) + size, 0xc3, PLUS_GUARD);
    plus_live++;
    plus_size = size;
    plus_block = (char *) (h + 1);
    return h + 1;
}

static inline void plus_free(void *block) {
    struct plus_head *h = (struct plus_head *) block - 1;
    int i;
    if (block == NULL) return;
    if (h->mark != 0x5ca1ab1e) {
        plus_bad++;
        return;
    }
    for (i = 0; i < PLUS_GUARD; i++)
        if (((unsigned char *) block)[h->size + i] != 0xc3) {
            plus_bad++;
            break;
        }
    h->mark = 0;
    memset(block, 0x5a, h->size);
    plus_live--;
    /* The block itself stays, so that a second free of it shows. */
}

static inline void ok(const char *name, int passed) {
    printf("%sok %d - %s\n", passed ? "" : "not ", ++plus_number, name);
    fflush(stdout);
}

static inline int plus_end(void) {
    printf("1..%d\n", plus_number);
    return 0;
}

/* Runs RUN in a child and gives its exit status, -1 if it returned or crashed. What it wrote to stderr is in TEXT. */
static inline int plus_child(void (*run)(void), char *text, size_t size) {
    int ends[2], status;
    size_t have = 0;
    ssize_t got;
    pid_t child;
    fflush(NULL);
    if (pipe(ends) != 0 || (child = fork()) < 0) abort();
    if (child == 0) {
        dup2(ends[1], 2);
        close(ends[0]);
        close(ends[1]);
        run();
        _exit(123);
    }
    close(ends[1]);
    while (have < size - 1 && (got = read(ends[0], text + have, size - 1 - have)) > 0) have += got;
    text[have] = 0;
    close(ends[0]);
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) != 123 ? WEXITSTATUS(status) : -1;
}
#endif
