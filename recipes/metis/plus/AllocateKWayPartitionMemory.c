/*---
 * tasks: [AllocateKWayPartitionMemory-3b1547]
 * tests:
 *   there is room for the weights of all parts: 'pwgts holds a weight for each part and constraint.'
 *   there is room for the part of each vertex: 'where holds the part of each vertex.'
 *   there is room for the boundary: 'bndptr and bndind have a place for each vertex; BNDInsert.'
 *   for the cut there is room for the data of each vertex: 'struct.h: ckrinfo, "per-vertex cut-based".'
 *   for the cut there is no data of the volume: 'struct.h: vkrinfo, "per-vertex volume-based".'
 *   for the volume there is room for the data of each vertex: 'struct.h: vkrinfo, "per-vertex volume-based".'
 *   for the volume the cut shares the data: 'FreeRData: both may be the same, "for the -minconn and -contig".'
 *   another objective is an error: 'GKlib: SIGERR; sibling AllocateRefinementWorkSpace.'
 *   more parts than vertices have room: 'The number of parts is that of the control, ctrl->nparts.'
 *   no block is used twice: 'struct.h: the fields are arrays of their own.'
 *   FreeRData frees all of it for the cut: 'FreeRData "frees the refinement/partition memory stored in a graph".'
 *   FreeRData frees all of it for the volume: 'FreeRData "frees the refinement/partition memory stored in a graph".'
 *   the graph itself is left as it is: 'Docstring: "allocates memory".'
 *   a graph without vertices works: 'gk_malloc gives memory for no bytes, too.'
 *   GKlib counts the memory: 'memory.c: gk_free of other memory "fails violently" between init and cleanup.'
 ---*/
#include "plus.h"

enum { VERTICES = 303, PARTS = 7, CONSTRAINTS = 5 };

static ctrl_t ctrl;

static graph_t *make(mobjtype_et type, idx_t vertices, idx_t parts, idx_t ncon) {
    graph_t *g = CreateGraph();
    g->nvtxs = vertices;
    g->nedges = 11;
    g->ncon = ncon;
    memset(&ctrl, 0, sizeof ctrl);
    ctrl.objtype = type;
    ctrl.nparts = parts;
    ctrl.ncon = ncon;
    return g;
}

static int common(graph_t *g, idx_t vertices, idx_t parts, idx_t ncon) {
    return has(g->pwgts, parts * ncon * sizeof(idx_t)) && has(g->where, vertices * sizeof(idx_t)) &&
           has(g->bndptr, vertices * sizeof(idx_t)) && has(g->bndind, vertices * sizeof(idx_t));
}

static int apart(graph_t *g) {
    void *blocks[] = {g->pwgts, g->where, g->bndptr, g->bndind, g->ckrinfo};
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < i; j++)
            if (blocks[i] == blocks[j]) return 0;
    return 1;
}

int main(void) {
    int number = 0;
    gk_malloc_init();
    graph_t *g = make(METIS_OBJTYPE_CUT, VERTICES, PARTS, CONSTRAINTS);
    size_t start = gk_GetCurMemoryUsed(), least = PARTS * CONSTRAINTS * sizeof(idx_t) + 3 * VERTICES * sizeof(idx_t);
    AllocateKWayPartitionMemory(&ctrl, g);
    ok("there is room for the weights of all parts", has(g->pwgts, PARTS * CONSTRAINTS * sizeof(idx_t)));
    ok("there is room for the part of each vertex", has(g->where, VERTICES * sizeof(idx_t)));
    ok("there is room for the boundary",
       has(g->bndptr, VERTICES * sizeof(idx_t)) && has(g->bndind, VERTICES * sizeof(idx_t)));
    ok("for the cut there is room for the data of each vertex", has(g->ckrinfo, VERTICES * sizeof(ckrinfo_t)));
    ok("for the cut there is no data of the volume", g->vkrinfo == NULL);
    ok("GKlib counts the memory", gk_GetCurMemoryUsed() >= start + least + VERTICES * sizeof(ckrinfo_t));
    int own = apart(g);
    ok("the graph itself is left as it is",
       g->nvtxs == VERTICES && g->nedges == 11 && g->ncon == CONSTRAINTS && !g->xadj && !g->vwgt && !g->cmap &&
           !g->id && !g->ed && !g->nrinfo && !g->coarser && !g->finer && g->free_xadj == 1 && ctrl.nparts == PARTS);
    SIGNAL_OF(number, FreeRData(g));
    ok("FreeRData frees all of it for the cut", number == 0 && gk_GetCurMemoryUsed() == start);

    g = make(METIS_OBJTYPE_VOL, VERTICES, PARTS, CONSTRAINTS);
    start = gk_GetCurMemoryUsed();
    AllocateKWayPartitionMemory(&ctrl, g);
    ok("for the volume there is room for the data of each vertex",
       common(g, VERTICES, PARTS, CONSTRAINTS) && has(g->vkrinfo, VERTICES * sizeof(vkrinfo_t)));
    ok("for the volume the cut shares the data", g->vkrinfo != NULL && (void *)g->ckrinfo == (void *)g->vkrinfo);
    ok("no block is used twice", own && apart(g));
    SIGNAL_OF(number, FreeRData(g));
    ok("FreeRData frees all of it for the volume", number == 0 && gk_GetCurMemoryUsed() == start);

    g = make(METIS_OBJTYPE_CUT, 3, 607, 1);
    AllocateKWayPartitionMemory(&ctrl, g);
    ok("more parts than vertices have room", common(g, 3, 607, 1) && has(g->ckrinfo, 3 * sizeof(ckrinfo_t)));
    FreeRData(g);
    g = make(METIS_OBJTYPE_CUT, 0, 2, 1);
    AllocateKWayPartitionMemory(&ctrl, g);
    ok("a graph without vertices works", g->where && g->bndptr && g->bndind && g->ckrinfo && g->pwgts);
    g = make(METIS_OBJTYPE_NODE, 3, 2, 1);
    SIGNAL_OF(number, AllocateKWayPartitionMemory(&ctrl, g));
    ok("another objective is an error", number == SIGERR);
    return done();
}
