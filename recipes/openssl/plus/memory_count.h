/*
 * For tests of what a function frees: an allocator for OpenSSL that counts, in place of malloc. Fresh memory is filled
 * with 0xA5 and freed memory with 0xDD, and freed memory is never handed out again: what is read or freed after its
 * end shows. So does what was written past the end of a block, when it is freed. memory_left = N grants N more allocations and refuses the rest; -1, as at first, refuses none.
 */
#include <stdlib.h>
#include <string.h>
#include <openssl/crypto.h>

typedef struct {
    size_t size, state;
} MEMORY_HEAD;

#define MEMORY_LIVE 0x6c697665
#define MEMORY_DEAD 0x64656164

static long memory_blocks;      /* handed out and not freed */
static long memory_bad_frees;   /* freed twice, never handed out, or written past its end */
static long memory_left = -1;

/* Stands after each block. */
static const unsigned char memory_end[16] = "the block's end";

static void *memory_malloc(size_t size, const char *file, int line)
{
    MEMORY_HEAD *head;

    if (size == 0 || memory_left == 0 || (head = malloc(sizeof(*head) + size + sizeof(memory_end))) == NULL)
        return NULL;
    memcpy((char *)(head + 1) + size, memory_end, sizeof(memory_end));
    if (memory_left > 0)
        memory_left--;
    head->size = size;
    head->state = MEMORY_LIVE;
    __atomic_add_fetch(&memory_blocks, 1, __ATOMIC_SEQ_CST);
    return memset(head + 1, 0xA5, size);
}

static void memory_free(void *block, const char *file, int line)
{
    MEMORY_HEAD *head = (MEMORY_HEAD *)block - 1;

    if (block == NULL)
        return;
    if (head->state != MEMORY_LIVE) {
        __atomic_add_fetch(&memory_bad_frees, 1, __ATOMIC_SEQ_CST);
        return;
    }
    if (memcmp((char *)block + head->size, memory_end, sizeof(memory_end)) != 0)
        __atomic_add_fetch(&memory_bad_frees, 1, __ATOMIC_SEQ_CST);
    head->state = MEMORY_DEAD;
    memset(block, 0xDD, head->size);
    __atomic_sub_fetch(&memory_blocks, 1, __ATOMIC_SEQ_CST);
}

static void *memory_realloc(void *block, size_t size, const char *file, int line)
{
    void *fresh = memory_malloc(size, file, line);

    if (block != NULL && (fresh != NULL || size == 0)) {
        size_t old = ((MEMORY_HEAD *)block - 1)->size;

        if (fresh != NULL)
            memcpy(fresh, block, old < size ? old : size);
        memory_free(block, file, line);
    }
    return fresh;
}

/* Before main, since OpenSSL accepts an allocator only before its first allocation. */
__attribute__((constructor)) static void memory_count(void)
{
    if (!CRYPTO_set_mem_functions(memory_malloc, memory_realloc, memory_free))
        abort();
}
