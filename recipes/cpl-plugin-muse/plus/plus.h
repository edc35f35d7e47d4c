/*
 * Shared by the tests: results in TAP, and an allocator that counts blocks. Fresh memory is filled with 0xA5 and freed
 * memory with 0x5A, so what is read before it is written or after its end shows.
 */
#ifndef PLUS_H
#define PLUS_H
#include <cpl.h>
#include <errno.h>
#include <malloc.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *block);

static long plus_live;          /* blocks handed out and not freed */

void *malloc(size_t size)
{
    void *at = __libc_malloc(size);

    if (at) {
        memset(at, 0xA5, size);
        __atomic_add_fetch(&plus_live, 1, __ATOMIC_SEQ_CST);
    }
    return at;
}

void *calloc(size_t count, size_t size)
{
    void *at = __libc_calloc(count, size);

    if (at)
        __atomic_add_fetch(&plus_live, 1, __ATOMIC_SEQ_CST);
    return at;
}

void free(void *block)
{
    if (!block)
        return;
    memset(block, 0x5A, malloc_usable_size(block));
    __atomic_sub_fetch(&plus_live, 1, __ATOMIC_SEQ_CST);
    __libc_free(block);
}

void *realloc(void *block, size_t size)
{
    void *at;

    if (!block)
        return malloc(size);
    at = __libc_realloc(block, size);
    if (!at && size == 0)
        __atomic_sub_fetch(&plus_live, 1, __ATOMIC_SEQ_CST);
    return at;
}

void *memalign(size_t alignment, size_t size)
{
    void *at = __libc_memalign(alignment, size);

    if (at)
        __atomic_add_fetch(&plus_live, 1, __ATOMIC_SEQ_CST);
    return at;
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return memalign(alignment, size);
}

int posix_memalign(void **at, size_t alignment, size_t size)
{
    *at = memalign(alignment, size);
    return *at ? 0 : ENOMEM;
}

static int plus_number;
static char plus_output[1 << 16];

static inline void begin(void)
{
    setvbuf(stdout, plus_output, _IOLBF, sizeof plus_output);
    cpl_init(CPL_INIT_DEFAULT);
    cpl_msg_set_level(CPL_MSG_OFF);
}

static inline void check(const char *name, int passed)
{
    printf("%sok %d - %s\n", passed ? "" : "not ", ++plus_number, name);
}

/* To be returned by main. */
static inline int checked(void)
{
    printf("1..%d\n", plus_number);
    fflush(stdout);
    return 0;
}

/* The error that is set, which is then forgotten. */
static inline int error(void)
{
    int code = cpl_error_get_code();

    cpl_error_reset();
    return code;
}

static inline int near(double a, double b, double within)
{
    return fabs(a - b) <= within;
}
#endif
