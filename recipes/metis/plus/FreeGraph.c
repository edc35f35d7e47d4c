/*---
 * tasks: [FreeGraph-00c86e]
 * tests:
 *   an empty graph is freed: 'Docstring: "deallocates any memory stored in a graph".'
 *   the pointer to the graph is set to NULL: 'The parameter is a graph_t**; sibling FreeMesh; coarser graphs.'
 *   the structure itself is freed: 'Callers, as parmetis.c, keep nothing of it.'
 *   each array of the graph is freed: 'Docstring: "any memory stored in a graph"; graph.c: InitGraph.'
 *   each array of a partition is freed: 'Docstring: "any memory stored in a graph"; FreeRData.'
 *   a full graph is freed: 'Docstring: "any memory stored in a graph".'
 *   nothing is freed twice: 'memory.c: gk_free of memory that is not known "fails violently".'
 *   an array of the caller stays: 'struct.h: free_xadj and so on tell "application or library memory" apart.'
 *   each of the five flags is that of its array: 'struct.h: "if the corresponding fields correspond to".'
 *   with the arrays of the caller the rest is freed: 'Docstring: "any memory stored in a graph".'
 *   refinement data shared by cut and volume is freed once: 'FreeRData; kwayrefine.c lets ckrinfo be vkrinfo.'
 *   the coarser and the finer graph stay: 'refine.c: FreeGraph(&graph->coarser) while the finer one is used.'
 *   a graph of SetupGraph is freed: 'pmetis.c, kmetis.c and ometis.c end so.'
 ---*/
#include "plus.h"

enum { FIELDS = 18 };
static const size_t first[FIELDS] = {
    offsetof(graph_t, xadj),   offsetof(graph_t, vwgt),     offsetof(graph_t, vsize),   offsetof(graph_t, adjncy),
    offsetof(graph_t, adjwgt), offsetof(graph_t, tvwgt),    offsetof(graph_t, invtvwgt), offsetof(graph_t, label),
    offsetof(graph_t, cmap),   offsetof(graph_t, where),    offsetof(graph_t, pwgts),   offsetof(graph_t, bndptr),
    offsetof(graph_t, bndind), offsetof(graph_t, id),       offsetof(graph_t, ed),      offsetof(graph_t, ckrinfo),
    offsetof(graph_t, vkrinfo), offsetof(graph_t, nrinfo)};

static void **field(graph_t *g, int i) {
    return (void **)((char *)g + first[i]);
}

static int *flag(graph_t *g, int i) {
    int *flags[] = {&g->free_xadj, &g->free_vwgt, &g->free_vsize, &g->free_adjncy, &g->free_adjwgt};
    return flags[i];
}

static size_t start;

/* Whether the graph can be freed so that `kept` bytes of GKlib's memory are left. */
static int frees(graph_t **g, size_t kept) {
    int number;
    SIGNAL_OF(number, FreeGraph(g));
    return number == 0 && gk_GetCurMemoryUsed() == start + kept;
}

static void *block(void) {
    return memset(gk_malloc(64, "block"), 0x5a, 64);
}

int main(void) {
    gk_malloc_init();
    start = gk_GetCurMemoryUsed();
    graph_t *g = CreateGraph();
    int freed = frees(&g, 0);
    ok("an empty graph is freed", freed);
    ok("the pointer to the graph is set to NULL", g == NULL);
    ok("the structure itself is freed", gk_GetCurMemoryUsed() == start);
    int each = 1;
    for (int i = 0; i < 9; i++) {
        g = CreateGraph();
        *field(g, i) = block();
        each &= frees(&g, 0);
    }
    ok("each array of the graph is freed", each);
    for (each = 1; each < 2; each++)
        for (int i = 9; i < FIELDS; i++) {
            g = CreateGraph();
            *field(g, i) = block();
            if (!frees(&g, 0)) each = -100;
        }
    ok("each array of a partition is freed", each > 0);
    g = CreateGraph();
    for (int i = 0; i < FIELDS; i++) *field(g, i) = block();
    int number;
    SIGNAL_OF(number, FreeGraph(&g));
    ok("nothing is freed twice", number == 0);
    ok("a full graph is freed", gk_GetCurMemoryUsed() == start && g == NULL);

    int stays = 1, own = 1, rest = 1;
    for (int i = 0; i < 5; i++) {
        unsigned char *mine = NULL;
        g = CreateGraph();
        for (int j = 0; j < FIELDS; j++) {
            *field(g, j) = block();
            if (j == i) mine = *field(g, j);
        }
        *flag(g, i) = 0;
        own &= frees(&g, 64);
        if (gk_GetCurMemoryUsed() != start + 64) continue;
        stays &= mine[0] == 0x5a && mine[63] == 0x5a && g == NULL;
        SIGNAL_OF(number, gk_free((void **)&mine, LTERM));
        own &= number == 0;
    }
    static idx_t array[5][16];
    g = CreateGraph();
    for (int j = 0; j < FIELDS; j++) *field(g, j) = j < 5 ? (void *)array[j] : block();
    for (int j = 0; j < 5; j++) *flag(g, j) = 0, array[j][0] = array[j][15] = 7;
    rest &= frees(&g, 0) && g == NULL;
    for (int j = 0; j < 5; j++) stays &= array[j][0] == 7 && array[j][15] == 7;
    ok("an array of the caller stays", stays);
    ok("each of the five flags is that of its array", own);
    ok("with the arrays of the caller the rest is freed", rest);

    g = CreateGraph();
    g->vkrinfo = block();
    g->ckrinfo = (ckrinfo_t *)g->vkrinfo;
    ok("refinement data shared by cut and volume is freed once", frees(&g, 0));

    graph_t *fine = CreateGraph(), *coarse = CreateGraph();
    size_t two = gk_GetCurMemoryUsed() - start;
    g = CreateGraph();
    g->finer = fine;
    g->coarser = coarse;
    fine->coarser = g;
    coarse->finer = g;
    fine->nvtxs = coarse->nvtxs = 9;
    int keeps = frees(&fine->coarser, two) && fine->coarser == NULL && fine->nvtxs == 9 && coarse->nvtxs == 9;
    ok("the coarser and the finer graph stay", keeps);
    if (keeps) FreeGraph(&fine), FreeGraph(&coarse);

    idx_t xadj[] = {0, 1, 2}, adjncy[] = {1, 0};
    ctrl_t ctrl;
    memset(&ctrl, 0, sizeof ctrl);
    ctrl.optype = METIS_OP_KMETIS;
    ctrl.objtype = METIS_OBJTYPE_VOL;
    g = SetupGraph(&ctrl, 2, 1, xadj, adjncy, NULL, NULL, NULL);
    ok("a graph of SetupGraph is freed", frees(&g, 0) && xadj[2] == 2 && adjncy[0] == 1);
    gk_malloc_cleanup(0);
    return done();
}
