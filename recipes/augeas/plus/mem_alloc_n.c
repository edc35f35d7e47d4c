/*---
 * tasks: [mem_alloc_n-501d7e]
 * tests:
 *   an allocation is a success: 'Docstring: "zero on success".'
 *   the address is in the pointer: 'Docstring: "Return the address of the allocated memory in ptrptr".'
 *   what was in the pointer does not matter: 'Docstring: "pointer to pointer for address of allocated memory".'
 *   the memory is filled with zeros: 'Docstring: "filled with zeros".'
 *   there is room for all elements: 'Docstring: "count elements long, each with size bytes".'
 *   one element is allocated: 'Docstring; memory.h: ALLOC.'
 *   an array of no elements is a success: 'Docstring: "zero on success"; memory.h: ALLOC_N of a count.'
 *   elements without size are a success: 'Docstring: "zero on success".'
 *   without memory it is -1: 'Docstring: "Returns -1 on failure to allocate".'
 *   without memory the pointer is NULL: 'Callers free the pointer then (transform.c: fnmatch_normalize).'
 *   a size that is too large is -1: 'Docstring: "count elements long, each with size bytes".'
 *   a size that wraps around is -1: 'Docstring: "count elements long, each with size bytes".'
 *   each array is a block of its own: 'Docstring: "newly allocated memory".'
 *   the array can be freed: 'memory.h: FREE.'
 ---*/
#include <config.h>
#include "internal.h"
#include "memory.h"
#include "plus.h"

int main(void) {
    plus_start();
    char *p = (char *)1, *q = NULL;
    int r = mem_alloc_n(&p, 8, 100);
    ok("an allocation is a success", r == 0);
    ok("the address is in the pointer", plus_live(p));
    ok("what was in the pointer does not matter", p && p != (char *)1);
    int zero = 1;
    for (int i = 0; i < 800; i++) zero &= p[i] == 0;
    ok("the memory is filled with zeros", zero);
    ok("there is room for all elements", ((struct plus_block *)p - 1)->size >= 800);
    r = mem_alloc_n(&q, 8, 100);
    ok("each array is a block of its own", r == 0 && q != p && plus_live(q) && plus_live(p));
    free(q);
    r = mem_alloc_n(&q, 16, 1);
    ok("one element is allocated", r == 0 && plus_live(q) && ((struct plus_block *)q - 1)->size >= 16 && q[15] == 0);
    free(q);
    free(p);
    long live = plus_live_blocks;
    p = (char *)1;
    r = mem_alloc_n(&p, 8, 0);
    if (p != (char *)1) free(p);
    ok("an array of no elements is a success", r == 0 && p != (char *)1);
    p = (char *)1;
    r = mem_alloc_n(&p, 0, 8);
    if (p != (char *)1) free(p);
    ok("elements without size are a success", r == 0 && p != (char *)1);
    p = (char *)1;
    plus_fail_at = 1;
    r = mem_alloc_n(&p, 8, 10);
    plus_fail_at = 0;
    ok("without memory it is -1", r == -1);
    ok("without memory the pointer is NULL", p == NULL);
    r = mem_alloc_n(&p, SIZE_MAX / 2, 1);
    ok("a size that is too large is -1", r == -1 && p == NULL);
    p = (char *)1;
    r = mem_alloc_n(&p, SIZE_MAX / 2 + 2, 2);
    q = (char *)1;
    int s = mem_alloc_n(&q, 16, SIZE_MAX / 16 + 2);
    ok("a size that wraps around is -1", r == -1 && !p && s == -1 && !q);
    r = mem_alloc_n(&p, 4, 4);
    free(p);
    ok("the array can be freed", r == 0 && plus_live_blocks == live);
    return plus_end();
}
