/*---
 * tasks: [FreeRData-570e07]
 * tests:
 *   all memory of the refinement is freed: 'Docstring: "frees the refinement/partition memory".'
 *   each field alone is freed: 'Docstring; graph.c, "the partition/refinement structure".'
 *   all fields are NULL afterwards: 'gk_free sets what it frees to NULL; FreeGraph comes later.'
 *   shared data of cut and volume are freed once: 'AllocateKWayPartitionMemory: cut and volume share them.'
 *   fields that are NULL are left out: 'Caller FreeGraph: any graph, also without a partition.'
 *   a second call does nothing: 'Callers: FreeGraph calls it for graphs whose data is freed already.'
 *   the graph itself is left as it is: 'Docstring: "refinement/partition memory"; callers go on with the graph.'
 *   its numbers are left as they are: 'Callers go on with the graph; MultilevelBisect: mincut.'
 *   other graphs of the list are left as they are: 'struct.h: coarser and finer are graphs of their own.'
 *   GKlib counts the memory as freed: 'memory.c: what is tracked has to be freed with gk_free.'
 *   memory can be allocated again: 'MultilevelBisect: each further cut allocates it anew.'
 ---*/
#include "plus.h"

static void *block(size_t n) {
    return gk_malloc(n, "plus");
}

static void fill(graph_t *g, int shared) {
    g->where = block(3000);
    g->pwgts = block(3100);
    g->id = block(3200);
    g->ed = block(3300);
    g->bndptr = block(3400);
    g->bndind = block(3500);
    g->nrinfo = block(3600);
    g->vkrinfo = block(3700);
    g->ckrinfo = shared ? (ckrinfo_t *)g->vkrinfo : block(3800);
}

static int cleared(graph_t *g) {
    return !g->where && !g->pwgts && !g->id && !g->ed && !g->bndptr && !g->bndind && !g->nrinfo && !g->vkrinfo &&
           !g->ckrinfo;
}

int main(void) {
    graph_t *bare = CreateGraph();
    FreeRData(bare);
    ok("fields that are NULL are left out", cleared(bare));
    graph_t *g = CreateGraph(), *other = CreateGraph(), kept;
    g->nvtxs = 10;
    g->nedges = 20;
    g->ncon = 1;
    g->mincut = 7;
    g->minvol = 8;
    g->xadj = block(100);
    g->vwgt = block(200);
    g->vsize = block(300);
    g->adjncy = block(400);
    g->adjwgt = block(500);
    g->label = block(600);
    g->cmap = block(700);
    g->tvwgt = block(800);
    g->invtvwgt = (void *)block(900);
    g->coarser = other;
    g->finer = other;
    other->where = block(64);
    memset(g->xadj, 1, 100);
    memset(g->label, 2, 600);
    memset(g->cmap, 3, 700);
    kept = *g;
    size_t start = held();
    fill(g, 0);
    FreeRData(g);
    ok("all memory of the refinement is freed", held() == start);
    ok("all fields are NULL afterwards", cleared(g));
    ok("the graph itself is left as it is",
       g->xadj == kept.xadj && g->vwgt == kept.vwgt && g->vsize == kept.vsize && g->adjncy == kept.adjncy &&
           g->adjwgt == kept.adjwgt && g->label == kept.label && g->cmap == kept.cmap && g->tvwgt == kept.tvwgt &&
           g->invtvwgt == kept.invtvwgt && ((char *)g->xadj)[99] == 1 && ((char *)g->label)[599] == 2 &&
           ((char *)g->cmap)[699] == 3);
    ok("its numbers are left as they are",
       g->nvtxs == 10 && g->nedges == 20 && g->ncon == 1 && g->mincut == 7 && g->minvol == 8 &&
           g->free_xadj == kept.free_xadj && g->free_adjncy == kept.free_adjncy && g->free_vwgt == kept.free_vwgt);
    ok("other graphs of the list are left as they are",
       g->coarser == other && g->finer == other && other->where != NULL && has(other->where, 64));
    FreeRData(g);
    ok("a second call does nothing", held() == start && cleared(g));
    fill(g, 1);
    FreeRData(g);
    ok("shared data of cut and volume are freed once", held() == start && cleared(g));
    int each = 1;
    for (int i = 0; i < 9; i++) {
        void *p = block(3000);
        if (i == 0) g->where = p;
        if (i == 1) g->pwgts = p;
        if (i == 2) g->id = p;
        if (i == 3) g->ed = p;
        if (i == 4) g->bndptr = p;
        if (i == 5) g->bndind = p;
        if (i == 6) g->nrinfo = p;
        if (i == 7) g->ckrinfo = p;
        if (i == 8) g->vkrinfo = p;
        FreeRData(g);
        each &= held() == start && cleared(g);
    }
    ok("each field alone is freed", each);
    gk_malloc_init();
    fill(g, 0);
    size_t used = gk_GetCurMemoryUsed();
    FreeRData(g);
    ok("GKlib counts the memory as freed", used >= 30600 && gk_GetCurMemoryUsed() == 0);
    gk_malloc_cleanup(0);
    fill(g, 0);
    memset(g->where, 5, 3000);
    memset(g->ckrinfo, 5, 3800);
    FreeRData(g);
    ok("memory can be allocated again", cleared(g));
    return done();
}
