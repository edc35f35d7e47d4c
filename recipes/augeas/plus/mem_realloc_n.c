/*---
 * tasks: [mem_realloc_n-25f3ee]
 * tests:
 *   a block is made where there was none: 'Docstring: "Resize the block of memory"; callers start from NULL.'
 *   a new size is a success: 'Docstring: "zero on success".'
 *   there is room for all elements: 'Docstring: "an array of ''count'' elements, each ''size'' bytes in length".'
 *   a larger block keeps what it held: 'Docstring: "Resize the block of memory".'
 *   a smaller block keeps its start: 'Docstring: "Resize the block of memory".'
 *   the pointer is updated: 'Docstring: "Update ''ptrptr'' with the address of the newly allocated memory".'
 *   the old block is not left behind: 'Docstring: "Resize"; callers have only the new address.'
 *   a count of zero frees the block: 'Docstring: an array of 0 elements; mem_alloc_n gives NULL for it.'
 *   a count of zero is a success: 'Docstring: "zero on success"; mem_alloc_n, its sibling.'
 *   a size of zero frees the block: 'Docstring: elements of 0 bytes; mem_alloc_n gives NULL for them.'
 *   zero without a block is a success: 'mem_alloc_n, its sibling: NULL and zero.'
 *   a failure returns -1: 'Docstring: "Returns -1 on failure to allocate".'
 *   a failure keeps the pointer: 'Docstring: "On failure, ''ptrptr'' is not changed".'
 *   a failure keeps the block and what it holds: 'Docstring: "still points to the original memory block".'
 *   a product that overflows is a failure: 'memory.c: xalloc_oversized, an array that "cannot exist".'
 *   a product that overflows to a small one is a failure: 'memory.c: xalloc_oversized.'
 *   a product that overflows keeps the block: 'Docstring: "On failure, ''ptrptr'' is not changed".'
 *   one element of any size is allowed: 'Docstring: "count" and "size".'
 *   the macro grows an array: 'memory.h: REALLOC_N.'
 ---*/
#include <config.h>
#include "internal.h"
#include "memory.h"
#include "plus.h"

static int filled(const unsigned char *p, size_t size, int with) {
    for (size_t i = 0; i < size; i++) if (p[i] != with) return 0;
    return 1;
}

int main(void) {
    plus_start();
    unsigned char *p = NULL;
    long live = plus_live_blocks;
    int r = mem_realloc_n(&p, 8, 10);
    ok("a block is made where there was none", p != NULL && plus_live(p));
    ok("a new size is a success", r == 0);
    if (!p) exit(1);
    memset(p, 0x11, 80);
    r = mem_realloc_n(&p, 7, 11);       /* The guard behind the block is looked at when it is resized. */
    memset(p, 0x11, 77);
    unsigned char *old = p;
    r |= mem_realloc_n(&p, 8, 1000);
    ok("a larger block keeps what it held", r == 0 && filled(p, 77, 0x11));
    ok("the pointer is updated", p != old && plus_live(p));
    memset(p, 0x22, 8000);
    ok("the old block is not left behind", plus_dead(old) && plus_live_blocks == live + 1);
    r = mem_realloc_n(&p, 2, 1000);
    ok("there is room for all elements", r == 0 && ((struct plus_block *)p - 1)->size >= 2000);
    ok("a smaller block keeps its start", filled(p, 2000, 0x22));

    old = p;
    plus_fail_at = 1;
    r = mem_realloc_n(&p, 4, 4000);
    plus_fail_at = 0;
    ok("a failure returns -1", r == -1);
    ok("a failure keeps the pointer", p == old);
    ok("a failure keeps the block and what it holds", plus_live(old) && filled(old, 2000, 0x22));

    r = mem_realloc_n(&p, SIZE_MAX / 2, 3);
    ok("a product that overflows is a failure", r == -1);
    int small = mem_realloc_n(&p, (SIZE_MAX >> 1) + 1, 2) == -1 &&      /* 2 to the 64th, that is 0 */
                mem_realloc_n(&p, 2, (SIZE_MAX >> 1) + 1) == -1 &&
                mem_realloc_n(&p, (SIZE_MAX >> 4) + 2, 16) == -1 &&     /* 16 more than that */
                mem_realloc_n(&p, 16, (SIZE_MAX >> 4) + 2) == -1;
    ok("a product that overflows to a small one is a failure", small);
    ok("a product that overflows keeps the block", p == old && plus_live(old) && filled(old, 2000, 0x22));

    r = mem_realloc_n(&p, 8, 0);
    ok("a count of zero frees the block", p == NULL && plus_dead(old) && plus_live_blocks == live);
    ok("a count of zero is a success", r == 0);
    p = malloc(10);
    old = p;
    r = mem_realloc_n(&p, 0, 8);
    ok("a size of zero frees the block", r == 0 && p == NULL && plus_dead(old) && plus_live_blocks == live);
    p = NULL;
    ok("zero without a block is a success",
       mem_realloc_n(&p, 0, 8) == 0 && mem_realloc_n(&p, 8, 0) == 0 && p == NULL && plus_live_blocks == live);

    r = mem_realloc_n(&p, 100, 1);
    int single = r == 0 && p && ((struct plus_block *)p - 1)->size >= 100;
    r = mem_realloc_n(&p, 1, 200);
    ok("one element of any size is allowed", single && r == 0 && ((struct plus_block *)p - 1)->size >= 200);
    free(p);

    int *numbers = NULL, grown = 1;
    for (int i = 1; i <= 50; i++) {
        grown &= REALLOC_N(numbers, i) == 0;
        numbers[i-1] = i;
    }
    for (int i = 1; i <= 50; i++) grown &= numbers[i-1] == i;
    ok("the macro grows an array", grown);
    free(numbers);
    return plus_end();
}
