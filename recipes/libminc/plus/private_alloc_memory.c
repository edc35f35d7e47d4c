/*---
 * tasks: [private_alloc_memory-0fbf63]
 * tests:
 *   it returns VIO_OK: 'Callers: "!= VIO_OK" is a failure.'
 *   there is memory for all bytes: 'Docstring: "Allocates the specified number of bytes".'
 *   a single byte works: 'Docstring: "Allocates the specified number of bytes".'
 *   large memory works: 'The parameter n_bytes is a size_t.'
 *   each call gives memory of its own: 'Docstring: "Allocates".'
 *   what the pointer held before does not matter: 'Docstring: ptr is @OUTPUT; callers do not set it first.'
 *   the memory can be freed with free: 'alloc.c: free_memory_1d and realloc_memory free and enlarge it.'
 *   no bytes are no memory but no error: 'Callers: an array of no elements is allowed; free_memory_1d skips NULL.'
 *   too much is VIO_ERROR: 'Callers then print "Cannot alloc" and do not go on.'
 *   after a failure the pointer is NULL: 'alloc_memory_in_bytes returns the pointer then, too.'
 *   after a failure it works again: 'Docstring: "Allocates the specified number of bytes".'
 *   an array of two dimensions is made of it: 'Caller private_alloc_memory_2d.'
 *   an array of three dimensions is made of it: 'Caller private_alloc_memory_3d.'
 ---*/
#include "../../volume_io/Prog_utils/alloc.c"
#include "plus.h"

int main(void) {
    void *a = (void *)&main, *b = (void *)&main, *c = NULL;
    VIO_Status first = private_alloc_memory(&a, 1000), second = private_alloc_memory(&b, 1000);
    ok("it returns VIO_OK", first == VIO_OK && second == VIO_OK);
    ok("there is memory for all bytes", a && malloc_usable_size(a) >= 1000 && b && malloc_usable_size(b) >= 1000);
    memset(a, 1, 1000);
    memset(b, 2, 1000);
    ok("each call gives memory of its own", a != b && ((char *)a)[999] == 1 && ((char *)a)[0] == 1);
    ok("what the pointer held before does not matter", a != (void *)&main && b != (void *)&main);
    ok("a single byte works", private_alloc_memory(&c, 1) == VIO_OK && c && malloc_usable_size(c) >= 1);
    free(c);
    ok("large memory works", private_alloc_memory(&c, 60000000) == VIO_OK && c && malloc_usable_size(c) >= 60000000);
    free(c);
    a = realloc(a, 5000);
    int kept = a && ((char *)a)[999] == 1;
    free(a);
    free(b);
    ok("the memory can be freed with free", kept);
    a = (void *)&main;
    size_t before = held();
    ok("no bytes are no memory but no error", private_alloc_memory(&a, 0) == VIO_OK && a == NULL && held() == before);
    a = (void *)&main;
    ok("too much is VIO_ERROR", private_alloc_memory(&a, (size_t)-1 / 4) == VIO_ERROR);
    ok("after a failure the pointer is NULL", a == NULL);
    ok("after a failure it works again", private_alloc_memory(&a, 64) == VIO_OK && a && malloc_usable_size(a) >= 64);
    free(a);
    double **two = NULL, ***three = NULL;
    int right = private_alloc_memory_2d((void ***)&two, 4, 5, sizeof(double)) == VIO_OK;
    for (int i = 0; right && i < 4; i++)
        for (int j = 0; j < 5; j++) two[i][j] = 10 * i + j;
    for (int i = 0; right && i < 20; i++) right = two[0][i] == 10 * (i / 5) + i % 5;
    ok("an array of two dimensions is made of it", right);
    right = private_alloc_memory_3d((void ****)&three, 3, 4, 5, sizeof(double)) == VIO_OK;
    for (int i = 0; right && i < 60; i++) three[i / 20][i / 5 % 4][i % 5] = i;
    for (int i = 0; right && i < 60; i++) right = three[0][0][i] == i;
    ok("an array of three dimensions is made of it", right);
    return done();
}
