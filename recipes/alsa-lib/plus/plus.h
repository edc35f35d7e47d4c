/*
 * Shared by the tests: results in TAP, and an allocator in place of the C library's. Fresh memory is filled with 0xA5,
 * freed memory with 0x5A and never handed out again, so what is read or freed after its end shows. What was written
 * past the end of a block shows when the block is freed.
 */
#ifndef PLUS_H
#define PLUS_H
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void __libc_free(void *block);

#define PLUS_SLOTS (1 << 17)
#define PLUS_GUARD 16

static struct {
    unsigned char *at;
    size_t size;
    int live;
} plus_slots[PLUS_SLOTS];

static long plus_live;          /* blocks handed out and not freed */
static long plus_bad;           /* frees of a freed block, or of a block that was written past its end */
static long plus_grant = -1;    /* so many more allocations succeed, then none; -1: no limit */
static int plus_once;           /* only one of them is refused */
static size_t plus_largest = PTRDIFF_MAX;       /* a larger allocation is refused */
static long plus_refused;       /* allocations that were refused */

static size_t plus_slot(const void *at)
{
    size_t j = ((uintptr_t)at >> 4) * 2654435761u % PLUS_SLOTS;

    while (plus_slots[j].at != NULL && plus_slots[j].at != at)
        j = (j + 1) % PLUS_SLOTS;
    return j;
}

static void *plus_take(size_t size, int fill)
{
    unsigned char *at = NULL;
    size_t j;

    if (plus_grant != 0 && size <= plus_largest && size <= PTRDIFF_MAX - PLUS_GUARD)
        at = __libc_malloc(size + PLUS_GUARD);
    if (at == NULL) {
        plus_refused++;
        if (plus_once)
            plus_grant = -1;
        errno = ENOMEM;
        return NULL;
    }
    if (plus_grant > 0)
        plus_grant--;
    memset(at, fill, size);
    memset(at + size, 0xC3, PLUS_GUARD);
    j = plus_slot(at);
    plus_slots[j].at = at;
    plus_slots[j].size = size;
    plus_slots[j].live = 1;
    plus_live++;
    return at;
}

void *malloc(size_t size)
{
    return plus_take(size, 0xA5);
}

void *calloc(size_t count, size_t size)
{
    size_t all;

    if (__builtin_mul_overflow(count, size, &all))
        all = SIZE_MAX;
    return plus_take(all, 0);
}

void free(void *block)
{
    size_t j, k;

    if (block == NULL)
        return;
    j = plus_slot(block);
    if (plus_slots[j].at == NULL) {
        __libc_free(block);
        return;
    }
    if (!plus_slots[j].live) {
        plus_bad++;
        return;
    }
    for (k = 0; k < PLUS_GUARD; k++)
        if (plus_slots[j].at[plus_slots[j].size + k] != 0xC3) {
            plus_bad++;
            break;
        }
    memset(block, 0x5A, plus_slots[j].size);
    plus_slots[j].live = 0;
    plus_live--;
}

void *realloc(void *block, size_t size)
{
    void *fresh;
    size_t old;

    if (block == NULL)
        return malloc(size);
    if (size == 0) {
        free(block);
        return NULL;
    }
    fresh = malloc(size);
    if (fresh != NULL) {
        old = plus_slots[plus_slot(block)].size;
        memcpy(fresh, block, old < size ? old : size);
        free(block);
    }
    return fresh;
}

static inline void refuse_after(long grants)
{
    plus_grant = grants;
    plus_once = 0;
    plus_refused = 0;
}

/* Refuses one allocation, after so many. */
static inline void refuse_once(long grants)
{
    plus_grant = grants;
    plus_once = 1;
    plus_refused = 0;
}

static inline void refuse_above(size_t size)
{
    plus_largest = size;
    plus_refused = 0;
}

static inline void refuse_none(void)
{
    plus_grant = -1;
    plus_largest = PTRDIFF_MAX;
}

/* A copy of these bytes at whose end the readable memory ends. */
static inline char *at_edge(const void *bytes, size_t size)
{
    size_t page = sysconf(_SC_PAGESIZE), whole = (size + page - 1) / page * page;
    char *map = mmap(NULL, whole + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (map == MAP_FAILED || mprotect(map + whole, page, PROT_NONE) != 0)
        _exit(99);
    return memcpy(map + whole - size, bytes, size);
}

static int plus_number;
static char plus_output[1 << 16];

static inline void check(const char *name, int passed)
{
    if (plus_number == 0)
        setvbuf(stdout, plus_output, _IOLBF, sizeof(plus_output));
    printf("%sok %d - %s\n", passed ? "" : "not ", ++plus_number, name);
}

/* To be returned by main. */
static inline int checked(void)
{
    printf("1..%d\n", plus_number);
    fflush(stdout);
    return 0;
}

/* Takes the library's messages, which are no part of what is tested. */
static inline void quiet(const char *file, int line, const char *function, int err, const char *format, ...)
{
}
#endif
