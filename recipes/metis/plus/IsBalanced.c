/*---
 * tasks: [IsBalanced-dda6ce]
 * tests:
 *   parts within the constraints are balanced: 'Docstring: "within the balance contraints".'
 *   a part above its constraint is not: 'Docstring: "within the balance contraints".'
 *   a part that reaches its constraint is balanced: 'Docstring: "within"; a load may reach its factor.'
 *   the tolerance widens the constraint: 'Callers pass a tolerance: IsBalanced(ctrl, graph, .02).'
 *   the tolerance may be reached: 'Docstring: "within"; a tolerance of 0.0 allows a load of the factor itself.'
 *   above the tolerance it is not: 'Callers: a tolerance of .02.'
 *   a negative tolerance narrows it: 'mcutil.c: the difference to the allowed imbalance; ffactor bounds it.'
 *   a load that is far below does not make up for another: 'mcutil.c: "the maximum load imbalance difference".'
 *   each part counts: 'mcutil.c: the maximum over all parts.'
 *   each constraint counts: 'mcutil.c: "over all the constraints".'
 *   each constraint has its own factor: 'struct.h: ubfactors, "per-constraint ubfactors".'
 *   each part has its own multiplier: 'struct.h: pijbm, "multiplies for the ith partition and jth constraint".'
 *   parts after the last do not count: 'struct.h: nparts is the number of partitions.'
 *   nothing is changed: 'Docstring: it checks.'
 ---*/
#include "plus.h"

static real_t pijbm[8], ub[3];
static idx_t weights[8];
static ctrl_t ctrl;
static graph_t graph;

static int balanced(int parts, int ncon, const idx_t *w, const real_t *bm, const real_t *u, real_t factor) {
    memset(&ctrl, 0, sizeof ctrl);
    memset(&graph, 0, sizeof graph);
    for (int i = 0; i < 8; i++) {
        weights[i] = i < parts * ncon ? w[i] : 100000;
        pijbm[i] = i < parts * ncon ? bm[i] : 100;
    }
    for (int i = 0; i < 3; i++) ub[i] = i < ncon ? u[i] : -100;
    ctrl.nparts = parts;
    ctrl.ncon = graph.ncon = ncon;
    ctrl.pijbm = pijbm;
    ctrl.ubfactors = ub;
    graph.pwgts = weights;
    return IsBalanced(&ctrl, &graph, factor) != 0;
}

#define W (const idx_t[])
#define R (const real_t[])

int main(void) {
    /* Two parts of 8 each would be even. */
    ok("parts within the constraints are balanced", balanced(2, 1, W{8, 8}, R{0.125, 0.125}, R{1.25}, 0) == 1);
    ok("a part above its constraint is not", balanced(2, 1, W{12, 4}, R{0.125, 0.125}, R{1.25}, 0) == 0);
    ok("a part that reaches its constraint is balanced", balanced(2, 1, W{10, 6}, R{0.125, 0.125}, R{1.25}, 0) == 1);
    ok("the tolerance widens the constraint", balanced(2, 1, W{12, 4}, R{0.125, 0.125}, R{1.25}, 0.5) == 1);
    ok("the tolerance may be reached", balanced(2, 1, W{12, 4}, R{0.125, 0.125}, R{1.25}, 0.25) == 1);
    ok("above the tolerance it is not", balanced(2, 1, W{12, 4}, R{0.125, 0.125}, R{1.25}, 0.125) == 0);
    ok("a negative tolerance narrows it", balanced(2, 1, W{9, 7}, R{0.125, 0.125}, R{1.25}, -0.25) == 0 &&
                                              balanced(2, 1, W{8, 8}, R{0.125, 0.125}, R{1.25}, -0.25) == 1);
    ok("a load that is far below does not make up for another",
       balanced(4, 1, W{1, 11, 1, 1}, R{0.125, 0.125, 0.125, 0.125}, R{1.25}, 0) == 0);
    int each = 1;
    for (int i = 0; i < 4; i++) {
        idx_t w[] = {8, 8, 8, 8};
        w[i] = 12;
        each &= balanced(4, 1, w, R{0.125, 0.125, 0.125, 0.125}, R{1.25}, 0) == 0;
        each &= balanced(4, 1, w, R{0.125, 0.125, 0.125, 0.125}, R{1.5}, 0) == 1;
    }
    ok("each part counts", each);
    each = 1;
    for (int i = 0; i < 4; i++) {
        idx_t w[] = {8, 8, 8, 8};
        w[i] = 12;
        each &= balanced(2, 2, w, R{0.125, 0.125, 0.125, 0.125}, R{1.25, 1.25}, 0) == 0;
    }
    ok("each constraint counts",
       each && balanced(2, 2, W{8, 8, 8, 8}, R{0.125, 0.125, 0.125, 0.125}, R{1.25, 1.25}, 0) == 1);
    ok("each constraint has its own factor",
       balanced(2, 2, W{8, 12, 8, 8}, R{0.125, 0.125, 0.125, 0.125}, R{1.25, 1.5}, 0) == 1 &&
           balanced(2, 2, W{12, 8, 8, 8}, R{0.125, 0.125, 0.125, 0.125}, R{1.25, 1.5}, 0) == 0 &&
           balanced(2, 2, W{8, 8, 12, 8}, R{0.125, 0.125, 0.125, 0.125}, R{1.5, 1.25}, 0) == 1 &&
           balanced(2, 2, W{8, 8, 8, 12}, R{0.125, 0.125, 0.125, 0.125}, R{1.5, 1.25}, 0) == 0);
    ok("each part has its own multiplier",
       balanced(2, 1, W{4, 12}, R{0.25, 0.0625}, R{1}, 0) == 1 &&
           balanced(2, 1, W{12, 4}, R{0.25, 0.0625}, R{1}, 0) == 0 &&
           balanced(2, 2, W{4, 16, 8, 2}, R{0.25, 0.0625, 0.125, 0.5}, R{1, 1}, 0) == 1 &&
           balanced(2, 2, W{4, 8, 16, 2}, R{0.25, 0.0625, 0.125, 0.5}, R{1, 1}, 0) == 0);
    ok("parts after the last do not count", balanced(3, 1, W{8, 8, 8}, R{0.125, 0.125, 0.125}, R{1}, 0) == 1);
    graph_t before = graph;
    ctrl_t control = ctrl;
    IsBalanced(&ctrl, &graph, 0);
    ok("nothing is changed", !memcmp(&before, &graph, sizeof graph) && !memcmp(&control, &ctrl, sizeof ctrl) &&
                                 weights[0] == 8 && weights[2] == 8 && pijbm[0] == 0.125 && ub[0] == 1);
    return done();
}
