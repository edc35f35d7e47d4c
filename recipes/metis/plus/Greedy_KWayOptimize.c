/*---
 * tasks: [Greedy_KWayOptimize-0c2cdf]
 * tests:
 *   the cut with one constraint has its routine: 'Docstring: "based on the objectives and constraints".'
 *   the cut with several constraints has its routine: 'Docstring: "based on the objectives and constraints".'
 *   the volume with one constraint has its routine: 'Docstring: "based on the objectives and constraints".'
 *   the volume with several constraints has its routine: 'Docstring: "based on the objectives and constraints".'
 *   exactly one routine is called, once: 'Docstring: "just calls the appropriate refinement routine".'
 *   control and graph are handed on: 'Docstring: "just calls the appropriate refinement routine".'
 *   the number of iterations is handed on: 'Docstring: "just calls the appropriate refinement routine".'
 *   the fudge factor is handed on: 'Docstring: "just calls"; ffactor is a real_t.'
 *   the mode is handed on: 'Docstring: "just calls"; OMODE_REFINE and OMODE_BALANCE.'
 *   the constraints are those of the graph: 'The routines take ncon from the graph.'
 *   another objective is an error: 'GKlib: SIGERR; siblings as ComputeKWayBoundary.'
 *   another objective calls no routine: 'GKlib: SIGERR; siblings as ComputeKWayBoundary.'
 ---*/
#include "plus.h"

static int calls[4], raised;
static ctrl_t ctrl, *ctrl_seen;
static graph_t *g, *graph_seen;
static idx_t niter_seen, omode_seen;
static real_t ffactor_seen;

static void seen(int which, ctrl_t *c, graph_t *graph, idx_t niter, real_t ffactor, idx_t omode) {
    calls[which]++;
    ctrl_seen = c;
    graph_seen = graph;
    niter_seen = niter;
    ffactor_seen = ffactor;
    omode_seen = omode;
}

/* These stand in for the routines of the library. */
void Greedy_KWayCutOptimize(ctrl_t *c, graph_t *graph, idx_t niter, real_t ffactor, idx_t omode) {
    seen(0, c, graph, niter, ffactor, omode);
}

void Greedy_McKWayCutOptimize(ctrl_t *c, graph_t *graph, idx_t niter, real_t ffactor, idx_t omode) {
    seen(1, c, graph, niter, ffactor, omode);
}

void Greedy_KWayVolOptimize(ctrl_t *c, graph_t *graph, idx_t niter, real_t ffactor, idx_t omode) {
    seen(2, c, graph, niter, ffactor, omode);
}

void Greedy_McKWayVolOptimize(ctrl_t *c, graph_t *graph, idx_t niter, real_t ffactor, idx_t omode) {
    seen(3, c, graph, niter, ffactor, omode);
}

/* Which routine was called, or -1 if none or several. */
static int which(mobjtype_et type, idx_t ncon, idx_t niter, real_t ffactor, idx_t omode) {
    int found = -1, sum = 0;
    memset(calls, 0, sizeof calls);
    ctrl_seen = NULL;
    graph_seen = NULL;
    niter_seen = omode_seen = -1;
    ffactor_seen = -1;
    ctrl.objtype = type;
    g->ncon = ncon;
    Greedy_KWayOptimize(&ctrl, g, niter, ffactor, omode);
    for (int i = 0; i < 4; i++) {
        sum += calls[i];
        if (calls[i]) found = i;
    }
    return sum == 1 ? found : -1;
}

int main(void) {
    int one = 1, handed = 1, iterations = 1, fudge = 1, mode = 1;
    g = CreateGraph();
    g->nvtxs = 5;
    ctrl.nparts = 3;
    ctrl.ncon = 1;
    ok("the cut with one constraint has its routine", which(METIS_OBJTYPE_CUT, 1, 3, 0, OMODE_REFINE) == 0);
    ok("the volume with one constraint has its routine", which(METIS_OBJTYPE_VOL, 1, 3, 0, OMODE_REFINE) == 2);
    int cut = 1, vol = 1;
    for (idx_t ncon = 2; ncon < 6; ncon++) {
        cut &= which(METIS_OBJTYPE_CUT, ncon, 3, 0, OMODE_REFINE) == 1;
        vol &= which(METIS_OBJTYPE_VOL, ncon, 3, 0, OMODE_REFINE) == 3;
    }
    ok("the cut with several constraints has its routine", cut);
    ok("the volume with several constraints has its routine", vol);
    for (int i = 0; i < 4; i++)
        for (idx_t omode = OMODE_REFINE; omode <= OMODE_BALANCE; omode++)
            for (idx_t niter = 0; niter < 12; niter += 5) {
                real_t ffactor = niter + 0.25;
                one &= which(i < 2 ? METIS_OBJTYPE_CUT : METIS_OBJTYPE_VOL, 1 + i % 2, niter, ffactor, omode) == i;
                handed &= ctrl_seen == &ctrl && graph_seen == g;
                iterations &= niter_seen == niter;
                fudge &= ffactor_seen == ffactor;
                mode &= omode_seen == omode;
            }
    ok("exactly one routine is called, once", one);
    ok("control and graph are handed on", handed);
    ok("the number of iterations is handed on", iterations);
    ok("the fudge factor is handed on", fudge);
    ok("the mode is handed on", mode);
    ctrl.ncon = 4;
    int graphs = which(METIS_OBJTYPE_CUT, 1, 3, 0, OMODE_REFINE) == 0;
    ctrl.ncon = 1;
    ok("the constraints are those of the graph", graphs && which(METIS_OBJTYPE_VOL, 2, 3, 0, OMODE_REFINE) == 3);
    memset(calls, 0, sizeof calls);
    ctrl.objtype = METIS_OBJTYPE_NODE;
    SIGNAL_OF(raised, Greedy_KWayOptimize(&ctrl, g, 3, 0, OMODE_REFINE));
    ok("another objective is an error", raised == SIGERR);
    ok("another objective calls no routine", !calls[0] && !calls[1] && !calls[2] && !calls[3]);
    return done();
}
