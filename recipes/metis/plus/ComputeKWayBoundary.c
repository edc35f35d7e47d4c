/*---
 * tasks: [ComputeKWayBoundary-b86632]
 * tests:
 *   for the cut and refinement it holds where a move may pay: 'macros.h, BNDTYPE_REFINE: ed-id of 0 or more.'
 *   for the cut and balancing it holds what has other neighbours: 'macros.h, BNDTYPE_BALANCE: ed above 0.'
 *   for the volume and refinement it holds where a move may pay: 'kwayfm.c, BNDTYPE_REFINE: gv of 0 or more.'
 *   for the volume and balancing it holds what has other neighbours: 'kwayfm.c, BNDTYPE_BALANCE: ned above 0.'
 *   for the volume the data of the cut is not needed: 'struct.h: vkrinfo, "per-vertex volume-based".'
 *   for the cut the data of the volume is not needed: 'struct.h: ckrinfo, "per-vertex cut-based".'
 *   an earlier boundary is forgotten: 'Callers call it again for another kind of boundary.'
 *   the boundary may be empty: 'nbnd is the number of vertices in the boundary.'
 *   all vertices may belong to it: 'bndind has a place for each vertex.'
 *   the first and the last vertex may belong to it: 'It is over all nvtxs vertices.'
 *   another objective is an error: 'GKlib: SIGERR; siblings as Greedy_KWayOptimize.'
 *   nothing is written behind the arrays: 'AllocateKWayPartitionMemory: nvtxs places.'
 *   the rest of the graph is left as it is: 'Docstring: "computes the boundary".'
 *   a graph without vertices has none: 'It is over all nvtxs vertices.'
 ---*/
#include "plus.h"

enum { N = 12, GUARD = 5 };

static ctrl_t ctrl;
static graph_t *g;
static idx_t ind[N + GUARD], ptr[N + GUARD];

static void run(mobjtype_et type, idx_t kind) {
    ctrl.objtype = type;
    g->nbnd = 77;
    for (int i = 0; i < N + GUARD; i++) ind[i] = ptr[i] = 1000 + i;
    ComputeKWayBoundary(&ctrl, g, kind);
}

/* Whether the boundary holds exactly the vertices of this mask, and both arrays agree. */
static int is(unsigned mask) {
    int n = 0;
    for (int i = 0; i < g->nvtxs; i++) {
        if (mask >> i & 1) {
            n++;
            if (ptr[i] < 0 || ptr[i] >= g->nbnd || ind[ptr[i]] != i) return 0;
        } else if (ptr[i] != -1) {
            return 0;
        }
    }
    return g->nbnd == n;
}

static int guarded(void) {
    for (int i = N; i < N + GUARD; i++)
        if (ind[i] != 1000 + i || ptr[i] != 1000 + i) return 0;
    return 1;
}

int main(void) {
    /*                  0   1   2  3  4  5  6   7  8  9  10 11 */
    idx_t ids[N] =    { 5,  4,  0, 3, 9, 0, 1, 10, 2, 7, 6, 2};
    idx_t eds[N] =    { 4,  4,  0, 8, 0, 2, 0,  1, 2, 6, 7, 1};
    idx_t gvs[N] =    {-1,  0,  3, -5, 0, 2, -2, 1, -1, 0, -9, -1};
    idx_t neds[N] =   { 1,  0,  2, 1, 0, 0, 3,  1, 0, 2, 0, 1};
    unsigned refine = 0, balance = 0, vrefine = 0, vbalance = 0;
    ckrinfo_t ck[N];
    vkrinfo_t vk[N];
    memset(ck, 0, sizeof ck);
    memset(vk, 0, sizeof vk);
    for (int i = 0; i < N; i++) {
        ck[i].id = ids[i];
        ck[i].ed = eds[i];
        ck[i].nnbrs = 9;
        vk[i].nid = 6 - neds[i];
        vk[i].ned = neds[i];
        vk[i].gv = gvs[i];
        refine |= (unsigned)(eds[i] >= ids[i]) << i;
        balance |= (unsigned)(eds[i] > 0) << i;
        vrefine |= (unsigned)(gvs[i] >= 0) << i;
        vbalance |= (unsigned)(neds[i] > 0) << i;
    }
    g = CreateGraph();
    g->nvtxs = N;
    g->nedges = 40;
    g->ncon = 1;
    g->mincut = 31;
    g->minvol = 32;
    g->bndind = ind;
    g->bndptr = ptr;
    ctrl.nparts = 4;
    int quiet = 1;
    g->ckrinfo = ck;
    run(METIS_OBJTYPE_CUT, BNDTYPE_REFINE);
    int cut = is(refine);
    ok("for the cut and refinement it holds where a move may pay", is(refine));
    quiet &= guarded();
    run(METIS_OBJTYPE_CUT, BNDTYPE_BALANCE);
    cut &= is(balance);
    ok("for the cut and balancing it holds what has other neighbours", is(balance));
    quiet &= guarded();
    ok("for the cut the data of the volume is not needed", cut && g->vkrinfo == NULL);
    g->ckrinfo = NULL;
    g->vkrinfo = vk;
    run(METIS_OBJTYPE_VOL, BNDTYPE_REFINE);
    int vol = is(vrefine);
    ok("for the volume and refinement it holds where a move may pay", is(vrefine));
    quiet &= guarded();
    run(METIS_OBJTYPE_VOL, BNDTYPE_BALANCE);
    vol &= is(vbalance);
    ok("for the volume and balancing it holds what has other neighbours", is(vbalance));
    quiet &= guarded();
    ok("for the volume the data of the cut is not needed", vol && g->ckrinfo == NULL);
    ok("the rest of the graph is left as it is",
       g->nvtxs == N && g->nedges == 40 && g->ncon == 1 && g->mincut == 31 && g->minvol == 32 && g->bndind == ind &&
           g->bndptr == ptr && ck[3].id == 3 && ck[3].ed == 8 && vk[6].ned == 3 && vk[6].gv == -2);
    g->ckrinfo = ck;
    ctrl.objtype = METIS_OBJTYPE_CUT;
    ComputeKWayBoundary(&ctrl, g, BNDTYPE_BALANCE);
    ComputeKWayBoundary(&ctrl, g, BNDTYPE_REFINE);
    int again = is(refine);
    ComputeKWayBoundary(&ctrl, g, BNDTYPE_BALANCE);
    again &= is(balance);
    ctrl.objtype = METIS_OBJTYPE_VOL;
    ComputeKWayBoundary(&ctrl, g, BNDTYPE_REFINE);
    ok("an earlier boundary is forgotten", again && is(vrefine));

    int empty = 1, full = 1, ends = 1;
    for (int k = 0; k < 4; k++) {
        mobjtype_et type = k / 2 ? METIS_OBJTYPE_VOL : METIS_OBJTYPE_CUT;
        idx_t kind = k % 2 ? BNDTYPE_BALANCE : BNDTYPE_REFINE;
        for (int i = 0; i < N; i++) ck[i].id = 3, ck[i].ed = 0, vk[i].ned = 0, vk[i].gv = -1;
        run(type, kind);
        empty &= is(0) && guarded();
        for (int i = 0; i < N; i++) ck[i].ed = 3, vk[i].ned = 1, vk[i].gv = 0;
        run(type, kind);
        full &= is((1u << N) - 1) && guarded();
        for (int i = 1; i < N - 1; i++) ck[i].ed = 0, vk[i].ned = 0, vk[i].gv = -1;
        run(type, kind);
        ends &= is(1u | 1u << (N - 1)) && guarded();
    }
    ok("the boundary may be empty", empty);
    ok("all vertices may belong to it", full);
    ok("the first and the last vertex may belong to it", ends);
    ok("nothing is written behind the arrays", quiet);
    g->nvtxs = 0;
    run(METIS_OBJTYPE_CUT, BNDTYPE_REFINE);
    int none = g->nbnd == 0 && ptr[0] == 1000;
    run(METIS_OBJTYPE_VOL, BNDTYPE_BALANCE);
    ok("a graph without vertices has none", none && g->nbnd == 0 && ptr[0] == 1000);
    g->nvtxs = N;
    int raised;
    ctrl.objtype = METIS_OBJTYPE_NODE;
    SIGNAL_OF(raised, ComputeKWayBoundary(&ctrl, g, BNDTYPE_REFINE));
    ok("another objective is an error", raised == SIGERR);
    return done();
}
