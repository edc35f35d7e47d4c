/*---
 * tasks: [FM_2WayRefine-212afa]
 * tests:
 *   one constraint is refined for the cut: 'FM_2WayCutRefine: "a cut-focused FM refinement"; it takes tvwgt[0] alone.'
 *   several constraints are refined for all of them: 'fm.c, FM_Mc2WayCutRefine: it goes over graph->ncon constraints.'
 *   exactly one refinement is made: 'Docstring: "performs an edge-based FM refinement".'
 *   control and graph are handed on: 'Both routines take the same parameters.'
 *   the target weights are handed on: 'Both routines take the same parameters.'
 *   the number of iterations is handed on: 'Both routines take the same parameters.'
 *   the constraints are those of the graph: 'Both routines take ncon from the graph.'
 ---*/
#include "plus.h"

static int calls[2];
static ctrl_t ctrl, *ctrl_seen;
static graph_t *g, *graph_seen;
static real_t *target_seen;
static idx_t niter_seen;

static void seen(int which, ctrl_t *c, graph_t *graph, real_t *target, idx_t niter) {
    calls[which]++;
    ctrl_seen = c;
    graph_seen = graph;
    target_seen = target;
    niter_seen = niter;
}

/* These stand in for the routines of the library. */
void FM_2WayCutRefine(ctrl_t *c, graph_t *graph, real_t *target, idx_t niter) {
    seen(0, c, graph, target, niter);
}

void FM_Mc2WayCutRefine(ctrl_t *c, graph_t *graph, real_t *target, idx_t niter) {
    seen(1, c, graph, target, niter);
}

static int which(idx_t ncon, real_t *target, idx_t niter) {
    calls[0] = calls[1] = 0;
    ctrl_seen = NULL;
    graph_seen = NULL;
    target_seen = NULL;
    niter_seen = -1;
    g->ncon = ncon;
    FM_2WayRefine(&ctrl, g, target, niter);
    return calls[0] + calls[1] == 1 ? calls[1] : -1;
}

int main(void) {
    real_t target[] = {0.25, 0.75, 0.5, 0.5};
    int several = 1, one = 1, handed = 1, targets = 1, iterations = 1;
    g = CreateGraph();
    g->nvtxs = 4;
    ok("one constraint is refined for the cut", which(1, target, 4) == 0);
    for (idx_t ncon = 2; ncon < 6; ncon++) several &= which(ncon, target, 4) == 1;
    ok("several constraints are refined for all of them", several);
    for (int i = 0; i < 2; i++)
        for (idx_t niter = 0; niter < 12; niter += 3) {
            one &= which(1 + i, target + i, niter) == i;
            handed &= ctrl_seen == &ctrl && graph_seen == g;
            targets &= target_seen == target + i;
            iterations &= niter_seen == niter;
        }
    ok("exactly one refinement is made", one);
    ok("control and graph are handed on", handed);
    ok("the target weights are handed on",
       targets && target[0] == 0.25f && target[1] == 0.75f && target[2] == 0.5f && target[3] == 0.5f);
    ok("the number of iterations is handed on", iterations);
    ctrl.ncon = 3;
    int graphs = which(1, target, 4) == 0;
    ctrl.ncon = 1;
    ok("the constraints are those of the graph", graphs && which(2, target, 4) == 1);
    return done();
}
