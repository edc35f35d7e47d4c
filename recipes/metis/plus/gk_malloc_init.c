/*---
 * tasks: [gk_malloc_init-162350]
 * tests:
 *   it returns a true value: 'Callers: "if (!gk_malloc_init()) return METIS_ERROR_MEMORY".'
 *   nothing is counted yet: 'gk_GetCurMemoryUsed: allocations since tracking began.'
 *   allocations are tracked from then on: 'Docstring: "initializes tracking of heap allocations".'
 *   freed memory is tracked, too: 'memory.c: gk_free tells the tracker.'
 *   memory from before is not tracked: 'gk_malloc_cleanup frees what came "since the last call to gk_malloc_init()".'
 *   the cleanup frees what was allocated since: 'gk_malloc_cleanup: since "the last call to gk_malloc_init()".'
 *   an inner call returns a true value: 'Callers: METIS functions are called by programs that called it, too.'
 *   an inner call keeps what is tracked: 'gk_malloc_cleanup: "since the last call to gk_malloc_init()".'
 *   the inner cleanup frees only what came since: 'gk_malloc_cleanup: "since the last call to gk_malloc_init()".'
 *   the outer cleanup frees the rest: 'Each call is undone by one gk_malloc_cleanup.'
 *   after the last cleanup nothing is tracked: 'gk_malloc_cleanup destroys the tracker at the outermost level.'
 *   it can be started again: 'Callers: each METIS function calls both.'
 *   many levels work: 'Each call is undone by one gk_malloc_cleanup.'
 *   it fails without memory: 'Callers: "if (!gk_malloc_init()) return METIS_ERROR_MEMORY".'
 *   a failed call leaves nothing behind: 'Callers return at once, without gk_malloc_cleanup.'
 *   after a failed call it works: 'Callers return at once; the next call starts anew.'
 *   nothing is leaked by a pair of calls: 'gk_malloc_cleanup destroys the tracker at the outermost level.'
 ---*/
#include "plus.h"

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void __libc_free(void *block);

static int refuse;
static size_t live; /* the bytes that are allocated at the moment */

static void *taken(void *block) {
    if (block) live += malloc_usable_size(block);
    return block;
}

void *malloc(size_t size) {
    return refuse ? NULL : taken(__libc_malloc(size));
}

void *calloc(size_t count, size_t size) {
    return refuse ? NULL : taken(__libc_calloc(count, size));
}

void *realloc(void *block, size_t size) {
    if (refuse) return NULL;
    if (block) live -= malloc_usable_size(block);
    return taken(__libc_realloc(block, size));
}

void free(void *block) {
    if (block) live -= malloc_usable_size(block);
    __libc_free(block);
}

int main(void) {
    ok("nothing is counted yet", gk_GetCurMemoryUsed() == 0);
    void *before = gk_malloc(5000, "plus");
    size_t start = live;
    int first = gk_malloc_init();
    ok("it returns a true value", first != 0);
    ok("memory from before is not tracked", gk_GetCurMemoryUsed() == 0);
    void *a = gk_malloc(1000, "plus");
    size_t one = gk_GetCurMemoryUsed();
    void *b = gk_malloc(70, "plus");
    ok("allocations are tracked from then on", one >= 1000 && gk_GetCurMemoryUsed() >= one + 70);
    gk_free((void **)&b, LTERM);
    ok("freed memory is tracked, too", gk_GetCurMemoryUsed() == one);

    int second = gk_malloc_init();
    ok("an inner call returns a true value", second != 0);
    size_t inner = live;
    ok("an inner call keeps what is tracked", gk_GetCurMemoryUsed() == one);
    gk_malloc(300000, "plus");
    gk_malloc(200, "plus");
    size_t full = live;
    gk_malloc_cleanup(0);
    ok("the inner cleanup frees only what came since",
       gk_GetCurMemoryUsed() == one && full >= inner + 300200 && live == inner);
    memset(a, 7, 1000);
    gk_malloc_cleanup(0);
    ok("the cleanup frees what was allocated since", live <= start);
    ok("the outer cleanup frees the rest", gk_GetCurMemoryUsed() == 0 && live <= start);
    a = gk_malloc(400, "plus");
    ok("after the last cleanup nothing is tracked", gk_GetCurMemoryUsed() == 0);
    gk_free((void **)&a, &before, LTERM);

    int again = gk_malloc_init() != 0;
    a = gk_malloc(512, "plus");
    again &= gk_GetCurMemoryUsed() >= 512;
    gk_malloc_cleanup(0);
    ok("it can be started again", again && gk_GetCurMemoryUsed() == 0);

    size_t sizes[3001];
    int levels = 1;
    start = live;
    for (int i = 0; i < 3000; i++) {
        sizes[i] = gk_GetCurMemoryUsed();
        levels &= gk_malloc_init() != 0;
        gk_malloc(16 + i % 5, "plus");
    }
    for (int i = 2999; i >= 0; i--) {
        gk_malloc_cleanup(0);
        levels &= gk_GetCurMemoryUsed() == sizes[i];
    }
    ok("many levels work", levels && live <= start);

    size_t quiet = live;
    refuse = 1;
    int failed = gk_malloc_init();
    refuse = 0;
    ok("it fails without memory", failed == 0);
    a = gk_malloc(64, "plus");
    ok("a failed call leaves nothing behind", gk_GetCurMemoryUsed() == 0);
    gk_free((void **)&a, LTERM);
    int works = live == quiet && gk_malloc_init() != 0;
    gk_malloc(640, "plus");
    works &= gk_GetCurMemoryUsed() >= 640;
    gk_malloc_cleanup(0);
    ok("after a failed call it works", works && gk_GetCurMemoryUsed() == 0);
    for (int i = 0; i < 20; i++) {
        gk_malloc_init();
        gk_malloc_cleanup(0);
    }
    ok("nothing is leaked by a pair of calls", live == quiet);
    return done();
}
