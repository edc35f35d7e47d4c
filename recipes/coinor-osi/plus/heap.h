/* Counts what is in use; fresh and freed memory is filled: what was not set, or is used after, shows. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <new>

static long heap_blocks, heap_bad;
static unsigned char heap_fill = 0xa5;

static void *heap_take(size_t size)
{
    size_t *p = (size_t *)malloc(size + 32);
    if (!p) abort();
    p[0] = size;
    p[1] = 0x600d600d;
    memset(p + 2, heap_fill, size);
    heap_blocks++;
    return p + 2;
}

static void heap_drop(void *at)
{
    if (!at) return;
    size_t *p = (size_t *)at - 2;
    if (p[1] != 0x600d600d) {
        heap_bad++;
        return;
    }
    p[1] = 0xdead;
    memset(at, 0x5a, p[0]);
    heap_blocks--;
    /* Not handed out again: what is freed twice is seen. */
}

void *operator new(size_t size) { return heap_take(size); }
void *operator new[](size_t size) { return heap_take(size); }
void operator delete(void *p) noexcept { heap_drop(p); }
void operator delete[](void *p) noexcept { heap_drop(p); }
void operator delete(void *p, size_t) noexcept { heap_drop(p); }
void operator delete[](void *p, size_t) noexcept { heap_drop(p); }
