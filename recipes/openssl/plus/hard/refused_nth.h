/*
 * The counting allocator of memory_count.h that can refuse a single allocation, too: with
 * memory_one = N the N-th from
 * now, the first being 0, so that what is done in spite of it shows. -1, as at first, refuses
 * none.
 */
#ifndef PLUS_MEMORY_H
#define PLUS_MEMORY_H
#include <stdlib.h>
#include <string.h>
#include <openssl/crypto.h>

static long memory_one = -1;

static void *plus_malloc(size_t size)
{
    if (memory_one >= 0 && memory_one-- == 0)
        return NULL;
    return malloc(size);
}

#define malloc plus_malloc
#include "memory_count.h"
#undef malloc

/*
 * Refuses all allocations after the first i / 2 if i is even, the one after them alone if it is
 * odd; none with -1.
 */
static void plus_refuse(int i)
{
    memory_left = i >= 0 && i % 2 == 0 ? i / 2 : -1;
    memory_one = i >= 0 && i % 2 == 1 ? i / 2 : -1;
}
#endif
