/*---
 * tasks: [Match_2Hop-8df577]
 * tests:
 *   the leaves of a star are matched: 'Docstring: it matches vertices "that are two hops away from each other".'
 *   one leaf of an odd star is left over: 'Docstring: a matching has pairs.'
 *   leaves of different stars are not matched: 'Docstring: "two hops away from each other".'
 *   vertices with the same neighbours are matched: 'Match_2HopAll: "that of identical adjacency lists".'
 *   vertices that share a neighbour are matched where most are unmatched: 'Match_2HopAny: "non-empty overlap".'
 *   the new number of coarse vertices is returned: 'Callers: "cnvtxs = Match_2Hop(...)".'
 *   each pair gets a number of its own: 'Match_2HopAny: cmap of both is the next coarse vertex.'
 *   the matching is mutual: 'Callers, CreateCoarseGraph: match[match[i]] is i.'
 *   matched vertices stay as they are: 'Docstring: "matches the unmatched vertices".'
 *   without unmatched vertices nothing happens: 'Docstring: "matches the unmatched vertices".'
 *   the order may be any permutation: 'The parameter perm: the order of the vertices.'
 *   graph and order are left as they are: 'Callers go on with them.'
 *   the workspace is given back: 'macros.h: WCOREPUSH and WCOREPOP.'
 ---*/
#include "plus.h"

enum { MAX = 400 };

static ctrl_t ctrl;
static graph_t *g;
static idx_t edges[MAX][MAX], xadj[MAX + 1], adjncy[MAX * 8], cmap[MAX], match[MAX], perm[MAX], before[MAX], n;
static idx_t map_before[MAX], xadj2[MAX + 1], adjncy2[MAX * 8], perm2[MAX];
static int mutual = 1, numbered = 1, kept = 1, same = 1, returned = 1;

static void clear(idx_t vertices) {
    memset(edges, 0, sizeof edges);
    n = vertices;
    for (int i = 0; i < n; i++) {
        match[i] = UNMATCHED;
        cmap[i] = -7;
        perm[i] = i;
    }
}

static void join(int a, int b) {
    edges[a][b] = edges[b][a] = 1;
}

static void pair(int a, int b, int number) {
    match[a] = b;
    match[b] = a;
    cmap[a] = cmap[b] = number;
}

/* Runs it with so many coarse vertices; returns how many vertices are unmatched then. */
static int run(idx_t cnvtxs) {
    int k = 0, unmatched = 0, left = 0;
    for (int i = 0; i < n; i++) {
        xadj[i] = k;
        for (int j = 0; j < n; j++)
            if (edges[i][j]) adjncy[k++] = j;
        unmatched += match[i] == UNMATCHED;
    }
    xadj[n] = k;
    g->nvtxs = n;
    g->nedges = k;
    g->ncon = 1;
    g->xadj = xadj;
    g->adjncy = adjncy;
    g->cmap = cmap;
    memcpy(before, match, sizeof match);
    memcpy(map_before, cmap, sizeof cmap);
    memcpy(xadj2, xadj, sizeof xadj);
    memcpy(adjncy2, adjncy, sizeof adjncy);
    memcpy(perm2, perm, sizeof perm);
    idx_t now = Match_2Hop(&ctrl, g, perm, match, cnvtxs, unmatched);
    same &= !memcmp(xadj2, xadj, sizeof xadj) && !memcmp(adjncy2, adjncy, sizeof adjncy) &&
            !memcmp(perm2, perm, sizeof perm) && g->nvtxs == n && g->nedges == k;
    static int times[2 * MAX];
    memset(times, 0, sizeof times);
    for (int i = 0; i < n; i++) {
        if (match[i] == UNMATCHED) {
            left++;
            continue;
        }
        if (match[i] < 0 || match[i] >= n || match[match[i]] != i) {
            mutual = 0;
            continue;
        }
        if (before[i] != UNMATCHED) {
            kept &= match[i] == before[i] && cmap[i] == map_before[i];
        } else {
            mutual &= match[i] != i;
            numbered &= cmap[i] >= cnvtxs && cmap[i] < now && cmap[i] == cmap[match[i]];
            if (cmap[i] >= 0 && cmap[i] < 2 * MAX) times[cmap[i]]++;
        }
    }
    for (idx_t i = cnvtxs; i < now && i < 2 * MAX; i++) numbered &= times[i] == 2;
    returned &= now == cnvtxs + (unmatched - left) / 2;
    return left;
}

/* Two hubs that are matched with each other, the first with `a` leaves and the second with `b`. */
static void stars(int a, int b) {
    clear(2 + a + b);
    join(0, 1);
    for (int i = 0; i < a; i++) join(0, 2 + i);
    for (int i = 0; i < b; i++) join(1, 2 + a + i);
    pair(0, 1, 0);
}

int main(void) {
    g = CreateGraph();
    ctrl.mcore = gk_mcoreCreate(0);
    ctrl.ncon = 1;
    stars(10, 0);
    ok("the leaves of a star are matched", run(1) == 0);
    stars(11, 0);
    ok("one leaf of an odd star is left over", run(1) == 1);
    stars(3, 5);
    int parted = run(1) == 2;
    for (int i = 2; i < n; i++)
        if (match[i] != UNMATCHED) parted &= (i < 5) == (match[i] < 5);
    stars(1, 1);
    ok("leaves of different stars are not matched", parted && run(1) == 2);

    /* Four hubs in two pairs; ten vertices that all have the first three as neighbours. */
    clear(14);
    pair(0, 1, 0);
    pair(2, 3, 1);
    join(0, 1);
    join(2, 3);
    for (int i = 4; i < 14; i++)
        for (int h = 0; h < 3; h++) join(i, h);
    int twins = run(2) == 0;
    /* The same with few of them among many that are matched. */
    clear(100);
    for (int i = 0; i < 96; i += 2) {
        join(i, i + 1);
        pair(i, i + 1, i / 2);
    }
    for (int h = 0; h < 6; h++) {
        join(96, 10 + h);
        join(97, 10 + h);
        join(98, 30 + h);
        join(99, 30 + h);
    }
    twins &= run(48) == 0 && match[96] == 97 && match[98] == 99;
    ok("vertices with the same neighbours are matched", twins);

    /* Ten vertices with the same hub; each has two further hubs of its own. */
    clear(32);
    for (int i = 0; i < 22; i += 2) {
        join(i, i + 1);
        pair(i, i + 1, i / 2);
    }
    for (int i = 0; i < 10; i++) {
        join(22 + i, 0);
        join(22 + i, 2 + 2 * i);
        join(22 + i, 3 + 2 * i);
    }
    int share = run(11) == 0;
    /* Five paths of degree two each: two vertices between three hubs share the middle one. */
    clear(30);
    for (int p = 0; p < 5; p++) {
        int h = 4 * p, v = 20 + 2 * p;
        join(h, h + 1);
        join(h + 2, h + 3);
        pair(h, h + 1, 2 * p);
        pair(h + 2, h + 3, 2 * p + 1);
        join(v, h);
        join(v, h + 1);
        join(v + 1, h + 1);
        join(v + 1, h + 2);
    }
    share &= run(10) == 0;
    for (int p = 0; p < 5; p++) share &= match[20 + 2 * p] == 21 + 2 * p;
    ok("vertices that share a neighbour are matched where most are unmatched", share);

    clear(10);
    for (int i = 0; i < 10; i += 2) {
        join(i, i + 1);
        pair(i, i + 1, i / 2);
    }
    ok("without unmatched vertices nothing happens", run(5) == 0);

    int any = 1;
    for (int r = 1; r < 10; r++) {
        stars(20 + r, 17);
        for (int i = 0; i < n; i++) perm[i] = n - 1 - i;
        for (int i = n - 1; i > 0; i--) {
            int j = (i * 7 + r * 13) % (i + 1), t = perm[i];
            perm[i] = perm[j];
            perm[j] = t;
        }
        any &= run(1) == 1 + r % 2;
    }
    ok("the order may be any permutation", any);
    ok("the new number of coarse vertices is returned", returned);
    ok("each pair gets a number of its own", numbered);
    ok("the matching is mutual", mutual);
    ok("matched vertices stay as they are", kept);
    ok("graph and order are left as they are", same);
    ok("the workspace is given back", ctrl.mcore->cmop == 0 && ctrl.mcore->cur_callocs == 0 &&
                                          ctrl.mcore->cur_hallocs == 0);
    return done();
}
