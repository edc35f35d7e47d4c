/*---
 * tasks: [MlevelRecursiveBisection-2d8c97.2]
 * tests:
 *   each vertex is in a part of the range: 'metis.h: part, nparts; fpart is the first part.'
 *   each part has vertices: 'METIS_PartGraphRecursive: a partition into nparts parts.'
 *   the parts have the same weight: 'tpwgts: without them the parts are of equal weight.'
 *   an odd number of parts works: 'METIS_PartGraphRecursive: any nparts.'
 *   the returned cut is that of the partition: 'pmetis.c: "*objval = MlevelRecursiveBisection(...)"; ComputeCut.'
 *   cliques that hardly touch are parted: 'The objective is the cut.'
 *   the parts have the weights of the targets: 'The parameter tpwgts: the target weight of each part.'
 *   several constraints are balanced: 'The parameter tpwgts: a target for each part and constraint.'
 *   several cuts give no worse one: 'METIS_OPTION_NCUTS: "the final partitioning is the one that achieves the best".'
 *   the cut of the best of several cuts is right: 'METIS_OPTION_NCUTS; ComputeCut.'
 *   the same seed gives the same partition: 'METIS_OPTION_SEED.'
 *   a bisection gives both parts: 'MultilevelBisect: "performs a multilevel bisection".'
 *   parts are numbered from fpart on: 'The parameter fpart: the recursive call passes the first part of its half.'
 *   nothing is left in the memory: 'It frees the graph; callers do not.'
 ---*/
#include "plus.h"

enum { W = 24, N = W * W };

static idx_t xadj[N + 1], adjncy[4 * N], vwgt[2 * N], part[N], other[N], cut;
static int right = 1;

static void grid(void) {
    int k = 0;
    for (int i = 0; i < N; i++) {
        int x = i % W, y = i / W;
        xadj[i] = k;
        if (x > 0) adjncy[k++] = i - 1;
        if (x < W - 1) adjncy[k++] = i + 1;
        if (y > 0) adjncy[k++] = i - W;
        if (y < W - 1) adjncy[k++] = i + W;
    }
    xadj[N] = k;
}

static idx_t cut_of(idx_t n, idx_t *xa, idx_t *ad, idx_t *p) {
    idx_t twice = 0;
    for (int i = 0; i < n; i++)
        for (int j = xa[i]; j < xa[i + 1]; j++) twice += p[i] != p[ad[j]];
    return twice / 2;
}

static int run(idx_t ncon, idx_t nparts, idx_t *weights, real_t *targets, idx_t ncuts, idx_t seed) {
    idx_t n = N, options[METIS_NOPTIONS];
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_NCUTS] = ncuts;
    options[METIS_OPTION_SEED] = seed;
    for (int i = 0; i < N; i++) part[i] = -1;
    cut = -1;
    int result = METIS_PartGraphRecursive(&n, &ncon, xadj, adjncy, weights, NULL, NULL, &nparts, targets, NULL,
                                          options, &cut, part);
    right &= cut == cut_of(N, xadj, adjncy, part);
    return result == METIS_OK;
}

/* Whether the parts have these shares of the vertices, within a fifth. */
static int shares(int nparts, const real_t *targets) {
    int count[64] = {0};
    for (int i = 0; i < N; i++) {
        if (part[i] < 0 || part[i] >= nparts) return 0;
        count[part[i]]++;
    }
    for (int p = 0; p < nparts; p++) {
        double wanted = N * (targets ? targets[p] : 1.0 / nparts);
        if (count[p] < 0.8 * wanted || count[p] > 1.2 * wanted) return 0;
    }
    return 1;
}

int main(void) {
    int range = 1, all = 1, even = 1, odd = 1;
    grid();
    idx_t numbers[] = {2, 4, 8, 16};
    for (int i = 0; i < 4; i++) {
        int seen[64] = {0}, parts = 0;
        run(1, numbers[i], NULL, NULL, 1, 7);
        for (int v = 0; v < N; v++) {
            range &= part[v] >= 0 && part[v] < numbers[i];
            if (part[v] >= 0 && part[v] < 64) parts += !seen[part[v]]++;
        }
        all &= parts == numbers[i];
        even &= shares(numbers[i], NULL) && cut < 40 * numbers[i];
    }
    ok("each vertex is in a part of the range", range);
    ok("each part has vertices", all);
    ok("the parts have the same weight", even);
    idx_t odds[] = {3, 5, 6, 7, 11};
    for (int i = 0; i < 5; i++) odd &= run(1, odds[i], NULL, NULL, 1, 3) && shares(odds[i], NULL);
    ok("an odd number of parts works", odd);
    real_t three[] = {0.5, 0.125, 0.375}, five[] = {0.125, 0.25, 0.25, 0.125, 0.25}, two[] = {0.25, 0.75};
    ok("the parts have the weights of the targets",
       run(1, 3, NULL, three, 1, 3) && shares(3, three) && run(1, 5, NULL, five, 1, 3) && shares(5, five) &&
           run(1, 2, NULL, two, 1, 3) && shares(2, two));
    ok("a bisection gives both parts", run(1, 2, NULL, NULL, 1, 5) && shares(2, NULL) && cut >= W && cut < 3 * W);
    ok("the returned cut is that of the partition", right);
    for (int i = 0; i < N; i++) vwgt[2 * i] = 1, vwgt[2 * i + 1] = i % 3 == 0 ? 4 : 1;
    int several = run(2, 4, vwgt, NULL, 1, 3);
    double sums[4] = {0};
    for (int i = 0; several && i < N; i++) sums[part[i] & 3] += vwgt[2 * i + 1];
    for (int p = 0; several && p < 4; p++) several = sums[p] > N * 2 / 4 * 0.7 && sums[p] < N * 2 / 4 * 1.3;
    ok("several constraints are balanced", several);
    int best = 1;
    right = 1;
    for (int seed = 1; seed < 5; seed++) {
        run(1, 2, NULL, NULL, 1, seed);
        idx_t once = cut;
        run(1, 2, NULL, NULL, 6, seed);
        best &= cut <= once && shares(2, NULL);
    }
    ok("several cuts give no worse one", best);
    run(1, 6, NULL, NULL, 5, 2);
    ok("the cut of the best of several cuts is right", right && shares(6, NULL));
    run(1, 6, NULL, NULL, 2, 9);
    memcpy(other, part, sizeof part);
    run(1, 6, NULL, NULL, 2, 9);
    ok("the same seed gives the same partition", !memcmp(other, part, sizeof part));

    /* Four cliques of 30 in a ring, each joined to the next by one edge. */
    static idx_t xa[121], ad[120 * 32], p[120];
    int k = 0;
    for (int i = 0; i < 120; i++) {
        xa[i] = k;
        for (int j = 0; j < 30; j++)
            if (i / 30 * 30 + j != i) ad[k++] = i / 30 * 30 + j;
        if (i % 30 == 0) ad[k++] = (i + 119) % 120;
        if (i % 30 == 29) ad[k++] = (i + 1) % 120;
    }
    xa[120] = k;
    idx_t n = 120, one = 1, four = 4;
    int parted = METIS_PartGraphRecursive(&n, &one, xa, ad, NULL, NULL, NULL, &four, NULL, NULL, NULL, &cut, p) == 1;
    for (int i = 0; i < 120; i++) parted &= p[i] == p[i / 30 * 30];
    parted &= p[0] != p[30] && p[30] != p[60] && p[60] != p[90];
    ok("cliques that hardly touch are parted", parted && cut == 4);

    gk_malloc_init();
    ctrl_t *ctrl = SetupCtrl(METIS_OP_PMETIS, NULL, 1, 4, NULL, NULL);
    graph_t *g = SetupGraph(ctrl, n, 1, xa, ad, NULL, NULL, NULL);
    AllocateWorkSpace(ctrl, g);
    idx_t value = MlevelRecursiveBisection(ctrl, g, 4, p, ctrl->tpwgts, 10);
    int from = value == 4;
    for (int i = 0; i < 120; i++) from &= p[i] >= 10 && p[i] < 14;
    ok("parts are numbered from fpart on", from && cut_of(120, xa, ad, p) == 4);
    FreeCtrl(&ctrl);
    ok("nothing is left in the memory", gk_GetCurMemoryUsed() == 0);
    gk_malloc_cleanup(0);
    return done();
}
