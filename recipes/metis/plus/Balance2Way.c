/*---
 * tasks: [Balance2Way-1a801b]
 * tests:
 *   a balanced graph is left alone: 'ComputeLoadImbalanceDiff: at most 0 if all weights are within the factors.'
 *   a small imbalance within the factors is left alone: 'ComputeLoadImbalanceDiff and ctrl->ubfactors.'
 *   with a boundary the boundary is balanced: 'Bnd2WayBalance: "by moving boundary nodes".'
 *   without a boundary any vertex may be moved: 'General2WayBalance: "moving the highest gain" vertices.'
 *   either part may be too heavy: 'Docstring: "the bisection balancing algorithms".'
 *   uneven targets are heeded: 'The parameter ntpwgts; refine.c passes the tpwgts of the bisection.'
 *   even parts may be out of balance: 'The parameter ntpwgts.'
 *   several constraints have a routine of their own: 'McGeneral2WayBalance goes over graph->ncon constraints.'
 *   one constraint of several may be out of balance: 'ComputeLoadImbalanceDiff: the most of all constraints.'
 *   several constraints in balance are left alone: 'ComputeLoadImbalanceDiff: the most of all constraints.'
 *   exactly one routine is called: 'Docstring: "the entry point" of the algorithms.'
 *   control, graph and targets are handed on: 'The routines take the same parameters.'
 *   the graph is left as it is: 'The routines do the balancing.'
 ---*/
#include "plus.h"

static int calls[3], handed = 1, same = 1;
static ctrl_t ctrl;
static graph_t *g;
static real_t targets[4], pijbm[4], factors[2], inverse[2];
static idx_t total[2], weights[4];

static void seen(int which, ctrl_t *c, graph_t *graph, real_t *t) {
    calls[which]++;
    handed &= c == &ctrl && graph == g && t == targets;
}

/* These stand in for the routines of the library. */
void Bnd2WayBalance(ctrl_t *c, graph_t *graph, real_t *t) {
    seen(0, c, graph, t);
}

void General2WayBalance(ctrl_t *c, graph_t *graph, real_t *t) {
    seen(1, c, graph, t);
}

void McGeneral2WayBalance(ctrl_t *c, graph_t *graph, real_t *t) {
    seen(2, c, graph, t);
}

enum { BOUNDARY, GENERAL, SEVERAL, NONE };

/* Which routine a graph of 100 vertices leads to; left and right are the weights of the parts, of 1000 in all. */
static int which(int ncon, idx_t left1, idx_t left2, real_t target, idx_t nbnd) {
    idx_t left[2] = {left1, left2};
    g->ncon = ctrl.ncon = ncon;
    g->nvtxs = 100;
    g->nbnd = nbnd;
    g->mincut = 17;
    memset(calls, 0, sizeof calls);
    for (int i = 0; i < ncon; i++) {
        total[i] = 1000;
        inverse[i] = 0.001;
        factors[i] = 1.05;
        targets[i] = target;
        targets[ncon + i] = 1 - target;
        weights[i] = left[i];
        weights[ncon + i] = 1000 - left[i];
    }
    g->tvwgt = total;
    g->invtvwgt = inverse;
    g->pwgts = weights;
    ctrl.ubfactors = factors;
    ctrl.pijbm = pijbm;
    Setup2WayBalMultipliers(&ctrl, g, targets);
    Balance2Way(&ctrl, g, targets);
    for (int i = 0; i < ncon; i++) same &= weights[i] == left[i] && weights[ncon + i] == 1000 - left[i];
    same &= g->nvtxs == 100 && g->nbnd == nbnd && g->mincut == 17 && g->ncon == ncon && total[0] == 1000 &&
            targets[0] == target;
    if (calls[0] + calls[1] + calls[2] == 0) return NONE;
    if (calls[0] + calls[1] + calls[2] > 1) return -1;
    return calls[0] ? BOUNDARY : calls[1] ? GENERAL : SEVERAL;
}

int main(void) {
    g = CreateGraph();
    ctrl.nparts = 2;
    ok("a balanced graph is left alone", which(1, 500, 0, 0.5, 7) == NONE && which(1, 500, 0, 0.5, 0) == NONE);
    ok("a small imbalance within the factors is left alone",
       which(1, 515, 0, 0.5, 7) == NONE && which(1, 485, 0, 0.5, 0) == NONE);
    ok("with a boundary the boundary is balanced", which(1, 800, 0, 0.5, 7) == BOUNDARY &&
                                                       which(1, 800, 0, 0.5, 1) == BOUNDARY);
    ok("without a boundary any vertex may be moved", which(1, 800, 0, 0.5, 0) == GENERAL &&
                                                         which(1, 1000, 0, 0.5, 0) == GENERAL);
    ok("either part may be too heavy", which(1, 200, 0, 0.5, 7) == BOUNDARY && which(1, 200, 0, 0.5, 0) == GENERAL &&
                                           which(1, 0, 0, 0.5, 0) == GENERAL);
    ok("uneven targets are heeded", which(1, 250, 0, 0.25, 7) == NONE && which(1, 750, 0, 0.75, 0) == NONE &&
                                        which(1, 750, 0, 0.25, 7) == BOUNDARY && which(1, 250, 0, 0.75, 0) == GENERAL);
    ok("even parts may be out of balance",
       which(1, 500, 0, 0.25, 7) == BOUNDARY && which(1, 500, 0, 0.75, 0) == GENERAL);
    ok("several constraints have a routine of their own",
       which(2, 800, 800, 0.5, 7) == SEVERAL && which(2, 200, 200, 0.5, 0) == SEVERAL);
    ok("one constraint of several may be out of balance",
       which(2, 500, 800, 0.5, 7) == SEVERAL && which(2, 800, 500, 0.5, 0) == SEVERAL &&
           which(2, 500, 200, 0.5, 0) == SEVERAL);
    ok("several constraints in balance are left alone",
       which(2, 500, 500, 0.5, 7) == NONE && which(2, 510, 490, 0.5, 0) == NONE &&
           which(2, 250, 250, 0.25, 7) == NONE);
    int one = 1;
    for (idx_t left = 0; left <= 1000; left += 100)
        for (int ncon = 1; ncon <= 2; ncon++)
            for (idx_t nbnd = 0; nbnd < 3; nbnd++) one &= which(ncon, left, left, 0.5, nbnd) >= 0;
    ok("exactly one routine is called", one);
    ok("control, graph and targets are handed on", handed);
    ok("the graph is left as it is", same);
    return done();
}
