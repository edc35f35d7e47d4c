/* memory_count.h, and a look into the blocks that were handed out while spy_on was set. */
#ifndef PLUS_SPY_H
# define PLUS_SPY_H
#include <stdlib.h>
#include <string.h>

static int spy_on;
static struct {
    const char *block;
    size_t size;
} spy_blocks[1000];

static void *spy_memset(void *block, int byte, size_t size)
{
    size_t i;

    if (byte == 0xDD || spy_on)
        for (i = 0; i < sizeof(spy_blocks) / sizeof(spy_blocks[0]); i++)
            if (spy_blocks[i].block == (byte == 0xDD ? block : NULL)) {
                spy_blocks[i].block = byte == 0xDD ? NULL : block;
                spy_blocks[i].size = size;
                break;
            }
    return memset(block, byte, size);
}

#define memset spy_memset
#include "memory_count.h"
#undef memset

/* Does such a block hold this text? */
static int spy_finds(const char *text)
{
    size_t i, j, length = strlen(text);

    for (i = 0; i < sizeof(spy_blocks) / sizeof(spy_blocks[0]); i++)
        for (j = 0; spy_blocks[i].block != NULL && j + length <= spy_blocks[i].size; j++)
            if (memcmp(spy_blocks[i].block + j, text, length) == 0)
                return 1;
    return 0;
}
#endif
