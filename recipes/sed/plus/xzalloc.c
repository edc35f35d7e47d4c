/*---
 * tasks: [xzalloc-f480c0.2]
 * tests:
 *   memory of the size is allocated: 'Docstring: "Allocate S bytes of zeroed memory dynamically".'
 *   the memory is zeroed: 'Docstring: "zeroed memory".'
 *   memory of each size is zeroed: 'Docstring: "Allocate S bytes of zeroed memory".'
 *   each block is of its own: 'Docstring: "dynamically".'
 *   the block can be freed: 'Callers free it.'
 *   no bytes are no error: 'xmalloc.c: nonnull; xalloc.h says that it returns no null pointer.'
 *   without memory the program ends: 'Docstring: "with error checking"; xalloc_die.'
 *   a size that is too large ends the program: 'Docstring: "with error checking"; xalloc_die.'
 *   elements of the size are allocated: 'Docstring of xcalloc: "Allocate zeroed memory for N elements of S bytes".'
 *   the elements are zeroed: 'Docstring of xcalloc: "zeroed memory".'
 *   elements of each number are zeroed: 'Docstring of xcalloc: "N elements of S bytes".'
 *   elements can be freed: 'Callers free them.'
 *   no elements are no error: 'xmalloc.c: nonnull.'
 *   without memory for elements the program ends: 'Docstring of xcalloc: "with error checking"; xalloc_die.'
 *   a product that overflows ends the program: 'Docstring of xcalloc: "N elements of S bytes, with error checking".'
 *   the program ends with the status that is set: 'xalloc-die.c: exit_failure.'
 ---*/
#include "plus.h"
#include "xalloc.h"
#include "exitfail.h"

static size_t number, size;
static int fails;

static void zalloc(void) {
    plus_fail_at = fails;
    volatile char *p = xzalloc(size);
    p[0] = 1;
}

static void elements(void) {
    plus_fail_at = fails;
    volatile char *p = xcalloc(number, size);
    p[0] = 1;
}

static int zeroed(const unsigned char *p, size_t n) {
    for (size_t i = 0; i < n; i++) if (p[i]) return 0;
    return 1;
}

/* Whether RUN ends the program as there is no memory. */
static int ends(void (*run)(void), int at, size_t n, size_t s) {
    fails = at;
    number = n;
    size = s;
    return plus_child(run) == EXIT_FAILURE;
}

int main(void) {
    int good = 1;
    plus_start();
    unsigned char *a = xzalloc(40), *b = xzalloc(40);
    ok("memory of the size is allocated", plus_live(a) && plus_size(a) >= 40);
    ok("the memory is zeroed", zeroed(a, 40));
    memset(a, 1, 40);
    ok("each block is of its own", a != b && zeroed(b, 40));
    long before = plus_live_blocks;
    free(a);
    free(b);
    ok("the block can be freed", plus_live_blocks == before - 2 && plus_dead(a) && plus_dead(b));
    for (size_t n = 1; n < 3000; n += n / 8 + 1) {
        a = xzalloc(n);
        good &= plus_size(a) >= n && zeroed(a, n);
        free(a);
    }
    ok("memory of each size is zeroed", good);
    void *volatile none = xzalloc(0);
    ok("no bytes are no error", none != NULL);
    ok("without memory the program ends", ends(zalloc, 1, 0, 10));
    ok("a size that is too large ends the program", ends(zalloc, 0, 0, SIZE_MAX) && ends(zalloc, 0, 0, SIZE_MAX / 2));

    a = xcalloc(7, 24);
    ok("elements of the size are allocated", plus_live(a) && plus_size(a) >= 7 * 24);
    ok("the elements are zeroed", zeroed(a, 7 * 24));
    before = plus_live_blocks;
    free(a);
    ok("elements can be freed", plus_live_blocks == before - 1 && plus_dead(a));
    good = 1;
    for (size_t n = 1; n < 40; n++)
        for (size_t s = 1; s < 20; s++) {
            a = xcalloc(n, s);
            good &= plus_size(a) >= n * s && zeroed(a, n * s);
            free(a);
        }
    ok("elements of each number are zeroed", good);
    none = xcalloc(0, 8);
    ok("no elements are no error", none != NULL);
    ok("without memory for elements the program ends", ends(elements, 1, 3, 8) && ends(elements, 0, 1, SIZE_MAX));
    ok("a product that overflows ends the program", ends(elements, 0, SIZE_MAX / 2 + 2, 2) &&
       ends(elements, 0, (size_t)1 << 33, (size_t)1 << 33) && ends(elements, 0, 2, SIZE_MAX));
    exit_failure = 7;
    fails = 1;
    number = size = 5;
    good = plus_child(zalloc) == 7;
    ok("the program ends with the status that is set", good && plus_child(elements) == 7);
    return plus_end();
}
