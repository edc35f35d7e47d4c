/*---
 * tasks: [ComputePartitionInfo-7843b4.2]
 * goals: [graft-build/programs/gpmetis]
 * tests:
 *   each other part next to a vertex counts once: 'METIS_OBJTYPE_VOL: total communication volume.'
 *   the own part of a vertex does not count: 'METIS_OBJTYPE_VOL: total communication volume.'
 *   the sizes of the vertices count: 'struct.h: vsize, "Vertex sizes for min-volume formulation".'
 *   without sizes each vertex counts as one: 'metis.h: vsize may be NULL.'
 *   a single part has no volume: 'METIS_OBJTYPE_VOL: total communication volume.'
 *   the weights of the edges do not matter: 'METIS_OBJTYPE_VOL: total communication volume.'
 *   the volume is that of a partition by volume: 'METIS_PartGraphKway: objval is the total communication volume.'
 *   the cut and the volume are told: 'Docstring: "computes various information associated with a partition".'
 *   graph and partition are left as they are: 'Docstring: it computes.'
 *   the memory is given back: 'Callers free only graph and partition.'
 ---*/
#include "../stat.c"
#include <unistd.h>
#include "plus.h"

/* The vertices 0 to 5 in a row, and an edge from 0 to 2 and from 0 to 5. */
static idx_t xadj[] = {0, 3, 5, 8, 10, 12, 14};
static idx_t adjncy[] = {1, 2, 5, 0, 2, 0, 1, 3, 2, 4, 3, 5, 0, 4};
static idx_t adjwgt[] = {30, 5, 7, 30, 40, 5, 40, 100, 100, 60, 60, 9, 7, 9};
static idx_t vwgt[] = {1, 1, 1, 1, 1, 1}, vsize[] = {2, 3, 5, 7, 11, 13};

int main(void) {
    graph_t *g = CreateGraph();
    g->nvtxs = 6;
    g->nedges = 14;
    g->ncon = 1;
    g->xadj = xadj;
    g->adjncy = adjncy;
    g->adjwgt = adjwgt;
    g->vwgt = vwgt;
    idx_t own[] = {0, 0, 0, 1, 1, 1}, each[] = {0, 1, 2, 3, 4, 5},
          many[] = {0, 1, 1, 2, 2, 1}, one[] = {0, 0, 0, 0, 0, 0};
    ok("without sizes each vertex counts as one", ComputeVolume(g, own) == 4 && ComputeVolume(g, each) == 14);
    ok("the own part of a vertex does not count", ComputeVolume(g, own) == 4);
    /* 0: part 1; 1: part 0; 2: parts 0 and 2; 3: part 1; 4: part 1; 5: parts 0 and 2. */
    ok("each other part next to a vertex counts once", ComputeVolume(g, many) == 8);
    ok("a single part has no volume", ComputeVolume(g, one) == 0);
    g->vsize = vsize;
    ok("the sizes of the vertices count", ComputeVolume(g, own) == 2 + 5 + 7 + 13 &&
                                              ComputeVolume(g, many) == 2 + 3 + 10 + 7 + 11 + 26 &&
                                              ComputeVolume(g, one) == 0);
    g->vsize = NULL;
    g->adjwgt = NULL;
    ok("the weights of the edges do not matter", ComputeVolume(g, many) == 8);
    g->adjwgt = adjwgt;
    idx_t n = 6, ncon = 1, parts = 3, options[METIS_NOPTIONS], value = -1, part[6];
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_OBJTYPE] = METIS_OBJTYPE_VOL;
    options[METIS_OPTION_SEED] = 5;
    int made = METIS_PartGraphKway(&n, &ncon, xadj, adjncy, NULL, vsize, NULL, &parts, NULL, NULL, options, &value,
                                   part) == METIS_OK;
    g->vsize = vsize;
    ok("the volume is that of a partition by volume", made && ComputeVolume(g, part) == value);

    params_t params;
    real_t targets[] = {0.5, 0.25, 0.25};
    memset(&params, 0, sizeof params);
    params.nparts = 3;
    params.tpwgts = targets;
    fflush(stdout);
    int keep = dup(1);
    FILE *out = tmpfile();
    dup2(fileno(out), 1);
    ComputePartitionInfo(&params, g, many);
    gk_malloc_init();
    ComputePartitionInfo(&params, g, many);
    size_t used = gk_GetCurMemoryUsed();
    gk_malloc_cleanup(0);
    fflush(stdout);
    dup2(keep, 1);
    char text[8192];
    rewind(out);
    text[fread(text, 1, sizeof text - 1, out)] = 0;
    /* The cut: 0-1, 0-2, 0-5, 2-3 and 4-5. */
    ok("the cut and the volume are told", strstr(text, "151") && strstr(text, "59"));
    ok("graph and partition are left as they are", g->nvtxs == 6 && g->xadj == xadj && xadj[6] == 14 && many[0] == 0 &&
                                                       many[2] == 1 && many[4] == 2 && adjwgt[7] == 100 &&
                                                       vsize[5] == 13 && vwgt[3] == 1 && targets[0] == 0.5f);
    ok("the memory is given back", used == 0);
    return done();
}
