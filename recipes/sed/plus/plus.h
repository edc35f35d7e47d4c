/* What all plus tests of this package share: lines in TAP, a heap that notices mistakes, and children that may exit.
 * Each block has a guard behind it and is never given back, so that a write past its end, a second free and a use
 * after free are noticed. Blocks are counted, to tell what was left unfreed, and an allocation can be made to fail. */
#ifndef PLUS_H
#define PLUS_H
#include <config.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#undef malloc
#undef calloc
#undef realloc
#undef free

void *__libc_malloc(size_t);
void __libc_free(void *);

enum { PLUS_GUARD = 64 };
struct plus_block { size_t size; uint64_t magic; };
#define PLUS_LIVE 0x706c75736c697665ULL
#define PLUS_DEAD 0x706c757364656164ULL
static long plus_live_blocks, plus_fail_at, plus_tests;

static void plus_die(const char *why) {
    if (write(1, why, strlen(why)) < 0) _exit(98);
    _exit(97);
}

static struct plus_block *plus_header(void *p) {
    struct plus_block *b = (struct plus_block *)p - 1;
    if (b->magic == PLUS_DEAD) plus_die("Bail out! freed twice\n");
    return b->magic == PLUS_LIVE ? b : NULL;
}

static void plus_look(struct plus_block *b) {
    unsigned char *end = (unsigned char *)(b + 1) + b->size;
    for (int i = 0; i < PLUS_GUARD; i++)
        if (end[i] != 0xa5) plus_die("Bail out! written past the end\n");
}

__attribute__((used)) void *malloc(size_t size) {
    struct plus_block *b;
    if (plus_fail_at && --plus_fail_at == 0) {
        errno = ENOMEM;
        return NULL;
    }
    if (size > SIZE_MAX / 4 || !(b = __libc_malloc(sizeof(*b) + size + PLUS_GUARD))) {
        errno = ENOMEM;
        return NULL;
    }
    b->size = size;
    b->magic = PLUS_LIVE;
    memset(b + 1, 0xc7, size);
    memset((char *)(b + 1) + size, 0xa5, PLUS_GUARD);
    plus_live_blocks++;
    return b + 1;
}

__attribute__((used)) void free(void *p) {
    if (!p) return;
    struct plus_block *b = plus_header(p);
    if (!b) {
        __libc_free(p);
        return;
    }
    plus_look(b);
    b->magic = PLUS_DEAD;
    memset(p, 0xdb, b->size);
    plus_live_blocks--;
}

__attribute__((used)) void *calloc(size_t n, size_t size) {
    if (size && n > SIZE_MAX / size) {
        errno = ENOMEM;
        return NULL;
    }
    void *p = malloc(n * size);
    if (p) {
        volatile unsigned char *c = p;
        for (size_t i = 0; i < n * size; i++) c[i] = 0;
    }
    return p;
}

__attribute__((used)) void *realloc(void *p, size_t size) {
    if (!p) return malloc(size);
    struct plus_block *b = plus_header(p);
    if (!b) plus_die("Bail out! an unknown block is resized\n");
    plus_look(b);
    if (!size) {
        free(p);
        return NULL;
    }
    void *q = malloc(size);
    if (!q) return NULL;
    memcpy(q, p, b->size < size ? b->size : size);
    free(p);
    return q;
}

/* Whether P is a block that is not yet freed. */
static inline int plus_live(const void *p) {
    return p && ((const struct plus_block *)p - 1)->magic == PLUS_LIVE;
}

/* Whether the block P has been freed. */
static inline int plus_dead(const void *p) {
    return p && ((const struct plus_block *)p - 1)->magic == PLUS_DEAD;
}

/* The size of the block P. */
static inline size_t plus_size(const void *p) {
    return ((const struct plus_block *)p - 1)->size;
}

static inline void plus_start(void) {
    setvbuf(stdout, NULL, _IONBF, 0);
}

static inline void ok(const char *name, int passed) {
    printf("%sok %ld - %s\n", passed ? "" : "not ", ++plus_tests, name);
}

static inline int same(const char *a, const char *b) {
    return a == b || (a && b && !strcmp(a, b));
}

static inline int plus_end(void) {
    printf("1..%ld\n", plus_tests);
    return 0;
}

/* What the latest child wrote to its standard output and error. */
static char plus_told[20000];

/* Runs RUN in a child and gives its exit status, -1 if it returned or crashed. */
static inline int plus_child(void (*run)(void)) {
    int ends[2], status;
    size_t have = 0;
    ssize_t got;
    pid_t child;
    if (pipe(ends) != 0 || (child = fork()) < 0) abort();
    if (child == 0) {
        dup2(ends[1], 1);
        dup2(ends[1], 2);
        close(ends[0]);
        close(ends[1]);
        run();
        _exit(123);
    }
    close(ends[1]);
    while (have < sizeof(plus_told) - 1 && (got = read(ends[0], plus_told + have, sizeof(plus_told) - 1 - have)) > 0)
        have += got;
    plus_told[have] = '\0';
    close(ends[0]);
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) != 123 ? WEXITSTATUS(status) : -1;
}
#endif
