/*---
 * tasks: [gk_mcorePush-298c5a]
 * tests:
 *   a pop gives back what came after the push: 'Docstring: "sets a marker", "to be used subsequently for freeing".'
 *   a pop leaves what came before the push: 'gk_mcorePop "frees all mops since the last push".'
 *   pushes may be nested: 'Docstring: "in the stack of malloc ops"; WCOREPUSH in functions that call one another.'
 *   heap memory is freed by the pop: 'gk_mcoreMalloc takes what the core has no room for from the heap.'
 *   a push takes nothing of the core: 'struct.h: corecpos, "Index of the first free location in core".'
 *   a push counts as no allocation: 'struct.h: num_callocs, num_hallocs and so on count mallocs.'
 *   a push takes one place in the stack: 'struct.h: cmop, "Index of the first free location".'
 *   a pop right after a push leaves all as it was: 'Docstring: a marker for the pop.'
 *   two pushes in a row need two pops: 'Docstring: each sets a marker.'
 *   a push on a full stack makes room: 'gk_mcoreAdd doubles the list where it is full.'
 *   many pushes can be taken back: 'gk_mcoreAdd doubles the list where it is full.'
 *   the first push stands on an empty stack: 'WCOREPUSH is the first operation on a fresh mcore.'
 *   memory before the marker can not be deleted: 'gk_mcoreDel ends with an error at a marker.'
 *   after all pops nothing is left: 'gk_mcoreDestroy warns otherwise.'
 ---*/
#include "plus.h"

int main(void) {
    gk_mcore_t *m = gk_mcoreCreate(1024);
    gk_mcorePush(m);
    int one = m->cmop == 1;
    gk_mcoreMalloc(m, 64);
    gk_mcorePop(m);
    ok("the first push stands on an empty stack", one && m->cmop == 0 && m->corecpos == 0);
    char *a = gk_mcoreMalloc(m, 64);
    strcpy(a, "before");
    size_t pos = m->corecpos, cmop = m->cmop;
    gk_mcorePush(m);
    ok("a push takes nothing of the core", m->corecpos == pos);
    ok("a push takes one place in the stack", m->cmop == cmop + 1);
    ok("a push counts as no allocation", m->num_callocs == 2 && m->num_hallocs == 0 && m->cur_callocs == 64 &&
                                             m->size_callocs == 128 && m->max_callocs == 64 && m->cur_hallocs == 0);
    char *b = gk_mcoreMalloc(m, 32), *c = gk_mcoreMalloc(m, 16);
    int taken = b != c && m->cmop == cmop + 3;
    gk_mcorePop(m);
    ok("a pop gives back what came after the push",
       taken && m->corecpos == pos && m->cmop == cmop && gk_mcoreMalloc(m, 8) == b);
    ok("a pop leaves what came before the push", !strcmp(a, "before") && m->cur_callocs == 72);
    pos = m->corecpos;
    cmop = m->cmop;
    gk_mcorePush(m);
    gk_mcorePop(m);
    ok("a pop right after a push leaves all as it was", m->corecpos == pos && m->cmop == cmop && m->cur_callocs == 72);

    size_t at[4];
    int nested = 1;
    for (int i = 0; i < 4; i++) {
        at[i] = m->corecpos;
        gk_mcorePush(m);
        for (int j = 0; j <= i; j++) gk_mcoreMalloc(m, 24);
    }
    for (int i = 3; i >= 0; i--) {
        nested &= m->corecpos == at[i] + 24 * (i + 1);
        gk_mcorePop(m);
        nested &= m->corecpos == at[i];
    }
    ok("pushes may be nested", nested && m->cmop == cmop);
    gk_mcorePush(m);
    gk_mcoreMalloc(m, 8);
    gk_mcorePush(m);
    gk_mcorePush(m);
    gk_mcorePop(m);
    int once = m->cmop == cmop + 3;
    gk_mcorePop(m);
    int twice = m->cmop == cmop + 2 && m->corecpos == pos + 8;
    gk_mcorePop(m);
    ok("two pushes in a row need two pops", once && twice && m->cmop == cmop && m->corecpos == pos);

    size_t before = held();
    gk_mcorePush(m);
    void *heap = gk_mcoreMalloc(m, 5000);
    int large = heap != NULL && m->cur_hallocs == 5000 && m->num_hallocs == 1;
    gk_mcorePop(m);
    ok("heap memory is freed by the pop", large && m->cur_hallocs == 0 && held() < before + 4096 && m->cmop == cmop);

    while (m->cmop < m->nmops) gk_mcorePush(m);
    size_t size = m->nmops;
    gk_mcorePush(m);
    ok("a push on a full stack makes room",
       m->cmop == size + 1 && m->nmops > size && has(m->mops, m->nmops * sizeof *m->mops));
    for (int i = 0; i < 5000; i++) gk_mcorePush(m);
    int number = 0, back = m->cmop == size + 5001 && m->corecpos == pos;
    SIGNAL_OF(number, for (size_t i = 0; i < size + 5001 - cmop; i++) gk_mcorePop(m));
    ok("many pushes can be taken back",
       number == 0 && back && m->cmop == cmop && m->corecpos == pos && !strcmp(a, "before"));
    gk_mcorePop(m);
    ok("after all pops nothing is left",
       m->cmop == 0 && m->corecpos == 0 && m->cur_callocs == 0 && m->cur_hallocs == 0);
    heap = gk_mcoreMalloc(m, 5000);
    gk_mcorePush(m);
    SIGNAL_OF(number, gk_mcoreDel(m, heap));
    ok("memory before the marker can not be deleted", number == SIGMEM);
    gk_mcorePop(m);
    gk_mcorePop(m);
    gk_mcoreDestroy(&m, 0);
    return done();
}
