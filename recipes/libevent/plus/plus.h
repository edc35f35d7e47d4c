/* What all plus tests of this package share: lines in TAP, a heap that notices mistakes, and locks that are counted.
 * Each block has a guard behind it and is never given back, so that a write past its end, a second free and a use
 * after free are noticed. It is also counted, to tell what was left unfreed, and an allocation can be made to fail. */
#ifndef PLUS_H
#define PLUS_H
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>
#include "event2/event.h"
#include "event2/thread.h"
#undef malloc
#undef calloc
#undef realloc
#undef free

void *__libc_malloc(size_t);
void __libc_free(void *);

enum { PLUS_GUARD = 32 };
struct plus_block { size_t size; uint64_t magic; };
#define PLUS_LIVE 0x706c75736c697665ULL
#define PLUS_DEAD 0x706c757364656164ULL
static long plus_live_blocks, plus_fail_at, plus_tests;

static void plus_die(const char *why) {
    (void)!write(1, why, strlen(why));
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
    if (plus_fail_at && --plus_fail_at == 0) {
        errno = ENOMEM;
        return NULL;
    }
    struct plus_block *b;
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

/* How many bytes the live block P has. */
static inline size_t plus_size(const void *p) {
    return ((const struct plus_block *)p - 1)->size;
}

/* Locks: how often they are held now, whether one was asked for, and what another thread does as soon as the watched
 * one is free again. */
struct plus_lock { int depth; };
static long plus_locked;
static struct plus_lock *plus_watched;
static void (*plus_other_thread)(void);

static inline void *plus_lock_new(unsigned type) {
    return calloc(1, sizeof(struct plus_lock));
}

static inline void plus_lock_free(void *lock, unsigned type) {
    free(lock);
}

static inline int plus_lock_take(unsigned mode, void *lock) {
    ((struct plus_lock *)lock)->depth++;
    plus_locked++;
    return 0;
}

static inline int plus_lock_give(unsigned mode, void *lock) {
    struct plus_lock *l = lock;
    if (--l->depth < 0) plus_die("Bail out! unlocked what is not locked\n");
    if (l->depth == 0 && l == plus_watched && plus_other_thread) {
        void (*other)(void) = plus_other_thread;
        plus_other_thread = NULL;
        other();
    }
    return 0;
}

static inline void plus_use_locks(void) {
    static const struct evthread_lock_callbacks locks = {
        EVTHREAD_LOCK_API_VERSION, EVTHREAD_LOCKTYPE_RECURSIVE, plus_lock_new, plus_lock_free, plus_lock_take,
        plus_lock_give
    };
    if (evthread_set_lock_callbacks(&locks)) exit(2);
}

static inline void plus_no_log(int severity, const char *text) {
}

static inline void plus_start(void) {
    static const char *const settings[] = {
        "EVENT_NOEPOLL", "EVENT_NOPOLL", "EVENT_NOSELECT", "EVENT_SHOW_METHOD", "EVENT_EPOLL_USE_CHANGELIST",
        "EVENT_PRECISE_TIMER"
    };
    setvbuf(stdout, NULL, _IONBF, 0);
    event_set_log_callback(plus_no_log);
    for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++) unsetenv(settings[i]);
}

static inline void ok(const char *name, int passed) {
    printf("%sok %ld - %s\n", passed ? "" : "not ", ++plus_tests, name);
}

static inline int plus_end(void) {
    printf("1..%ld\n", plus_tests);
    return 0;
}

/* Two connected sockets that don't block. */
static inline void plus_sockets(int s[2]) {
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, s)) exit(2);
}

/* A byte for the place AT, so that what is moved, lost or doubled is noticed. */
static inline unsigned char plus_byte(size_t at) {
    return (unsigned char)(at * 131 + at / 251 * 17 + 3);
}

static inline void plus_fill(unsigned char *into, size_t from, size_t size) {
    for (size_t i = 0; i < size; i++) into[i] = plus_byte(from + i);
}

/* Whether P has the SIZE bytes that begin at the place FROM. */
static inline int plus_bytes(const unsigned char *p, size_t from, size_t size) {
    for (size_t i = 0; i < size; i++) if (p[i] != plus_byte(from + i)) return 0;
    return 1;
}
#endif
