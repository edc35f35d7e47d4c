/* A heap that counts its blocks, notices writes behind them and can fail. A test that includes it needs the flags
 * -Wl,--wrap=calloc -Wl,--wrap=malloc -Wl,--wrap=realloc -Wl,--wrap=free, which reach the library's objects too. */
#ifndef PLUS_HEAP_H
#define PLUS_HEAP_H

#include <stdlib.h>
#include <string.h>

#define HEAP_EDGE 2048

void *__real_calloc(size_t n, size_t size);
void __real_free(void *p);

static long heap_live;        /* blocks that were not given back */
static long heap_fail_after;  /* so many more allocations succeed, and the next one fails; -1 for never */
static int heap_failed, heap_overrun;

typedef struct { size_t size; long long mark; } heap_head;

void *__wrap_calloc(size_t n, size_t size) {
    if (heap_fail_after == 0) {
        heap_fail_after = -1;
        heap_failed = 1;
        return NULL;
    }
    if (heap_fail_after > 0) heap_fail_after--;
    heap_head *head = __real_calloc(1, sizeof(heap_head) + n * size + HEAP_EDGE);
    if (head == NULL) return NULL;
    head->size = n * size;
    head->mark = 0x6865617068656170LL;
    memset((unsigned char *) (head + 1) + n * size, 0xA5, HEAP_EDGE);
    heap_live++;
    return head + 1;
}

void *__wrap_malloc(size_t size) { return __wrap_calloc(1, size); }

void __wrap_free(void *p) {
    if (p == NULL) return;
    heap_head *head = (heap_head *) p - 1;
    if (head->mark != 0x6865617068656170LL) abort();
    for (int i = 0; i < HEAP_EDGE; i++) {
        if (((unsigned char *) p)[head->size + i] != 0xA5) heap_overrun = 1;
    }
    head->mark = 0;
    heap_live--;
    __real_free(head);
}

void *__wrap_realloc(void *p, size_t size) {
    void *q = __wrap_calloc(1, size);
    if (q != NULL && p != NULL) {
        size_t old = ((heap_head *) p - 1)->size;
        memcpy(q, p, old < size ? old : size);
        __wrap_free(p);
    }
    return q;
}

/* The allocation after `n` more fails, once. */
static void heap_fail(long n) {
    heap_failed = 0;
    heap_fail_after = n;
}

static void heap_ok(void) { heap_fail_after = -1; }

#endif
