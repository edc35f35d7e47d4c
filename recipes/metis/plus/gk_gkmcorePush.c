/*---
 * tasks: [gk_gkmcorePush-0482cb]
 * tests:
 *   a pop gives back what came after the push: 'Docstring: "sets a marker", "to be used subsequently for freeing".'
 *   a pop leaves what came before the push: 'gk_gkmcorePop "frees all mops since the last push".'
 *   the memory is freed by the pop: 'gk_gkmcorePop "uses free".'
 *   pushes may be nested: 'Docstring: "in the stack of malloc ops"; gk_malloc_init may be called again.'
 *   a push counts as no allocation: 'struct.h: num_hallocs and so on count mallocs.'
 *   a push takes one place in the stack: 'struct.h: cmop, "Index of the first free location".'
 *   a pop right after a push leaves all as it was: 'Docstring: a marker for the pop.'
 *   two pushes in a row need two pops: 'Docstring: each sets a marker.'
 *   the first push stands on an empty stack: 'memory.c: gk_malloc_init pushes first.'
 *   a push on a full stack makes room: 'gk_gkmcoreAdd doubles the list where it is full.'
 *   many pushes can be taken back: 'gk_gkmcoreAdd doubles the list where it is full.'
 *   memory before the marker can not be deleted: 'gk_gkmcoreDel ends with an error at a marker.'
 *   memory after the marker can be deleted: 'gk_gkmcoreDel looks from the end of the list.'
 *   cleanup frees what was allocated since init: 'memory.c: gk_malloc_init and gk_malloc_cleanup.'
 *   the outer init still holds after the inner cleanup: 'memory.c: "since the last call to gk_malloc_init()".'
 ---*/
#include "plus.h"

static void *add(gk_mcore_t *m, size_t n) {
    void *p = memset(malloc(n), 0x5a, n);
    gk_gkmcoreAdd(m, GK_MOPT_HEAP, n, p);
    return p;
}

int main(void) {
    int number = 0;
    gk_mcore_t *m = gk_gkmcoreCreate();
    gk_gkmcorePush(m);
    int one = m->cmop == 1;
    add(m, 64);
    gk_gkmcorePop(m);
    ok("the first push stands on an empty stack", one && m->cmop == 0 && m->cur_hallocs == 0);
    char *a = add(m, 64);
    gk_gkmcorePush(m);
    ok("a push takes one place in the stack", m->cmop == 2);
    ok("a push counts as no allocation", m->num_hallocs == 2 && m->size_hallocs == 128 && m->cur_hallocs == 64 &&
                                             m->max_hallocs == 64 && m->num_callocs == 0 && m->cur_callocs == 0);
    size_t before = held();
    for (int i = 0; i < 20; i++) add(m, 2000);
    int taken = m->cmop == 22 && m->cur_hallocs == 40064 && held() >= before + 40000;
    gk_gkmcorePop(m);
    ok("a pop gives back what came after the push", taken && m->cmop == 1 && m->cur_hallocs == 64);
    ok("the memory is freed by the pop", taken && held() < before + 4096);
    ok("a pop leaves what came before the push", a[0] == 0x5a && a[63] == 0x5a && m->mops[0].ptr == a);
    gk_gkmcorePush(m);
    gk_gkmcorePop(m);
    ok("a pop right after a push leaves all as it was", m->cmop == 1 && m->cur_hallocs == 64 && m->mops[0].ptr == a);
    size_t at[4];
    int nested = 1;
    for (int i = 0; i < 4; i++) {
        at[i] = m->cur_hallocs;
        gk_gkmcorePush(m);
        for (int j = 0; j <= i; j++) add(m, 24);
    }
    for (int i = 3; i >= 0; i--) {
        nested &= m->cur_hallocs == at[i] + 24 * (i + 1);
        gk_gkmcorePop(m);
        nested &= m->cur_hallocs == at[i];
    }
    ok("pushes may be nested", nested && m->cmop == 1);
    gk_gkmcorePush(m);
    add(m, 8);
    gk_gkmcorePush(m);
    gk_gkmcorePush(m);
    gk_gkmcorePop(m);
    int once = m->cmop == 4;
    gk_gkmcorePop(m);
    int twice = m->cmop == 3 && m->cur_hallocs == 72;
    gk_gkmcorePop(m);
    ok("two pushes in a row need two pops", once && twice && m->cmop == 1 && m->cur_hallocs == 64);

    while (m->cmop < m->nmops) gk_gkmcorePush(m);
    size_t size = m->nmops;
    gk_gkmcorePush(m);
    ok("a push on a full stack makes room",
       m->cmop == size + 1 && m->nmops > size && has(m->mops, m->nmops * sizeof *m->mops));
    for (int i = 0; i < 5000; i++) gk_gkmcorePush(m);
    int back = m->cmop == size + 5001;
    SIGNAL_OF(number, for (size_t i = 0; i < size + 5000; i++) gk_gkmcorePop(m));
    ok("many pushes can be taken back", number == 0 && back && m->cmop == 1 && m->cur_hallocs == 64 && a[63] == 0x5a);

    gk_gkmcorePush(m);
    void *b = add(m, 40);
    SIGNAL_OF(number, gk_gkmcoreDel(m, b));
    ok("memory after the marker can be deleted", number == 0 && m->cmop == 2 && m->cur_hallocs == 64);
    free(b);
    SIGNAL_OF(number, gk_gkmcoreDel(m, a));
    ok("memory before the marker can not be deleted", number == SIGMEM && m->cmop == 2);
    gk_gkmcorePop(m);
    gk_gkmcorePop(m);
    gk_gkmcoreDestroy(&m, 0);

    before = held();
    gk_malloc_init();
    gk_malloc(10000, "outer");
    gk_malloc_init();
    gk_malloc(20000, "inner");
    size_t both = gk_GetCurMemoryUsed();
    gk_malloc_cleanup(0);
    ok("the outer init still holds after the inner cleanup", both == 30000 && gk_GetCurMemoryUsed() == 10000);
    gk_malloc_cleanup(0);
    ok("cleanup frees what was allocated since init", held() < before + 4096 && gk_GetCurMemoryUsed() == 0);
    return done();
}
