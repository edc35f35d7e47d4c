/*---
 * tasks: [BucketSortKeysInc-5219c6]
 * tests:
 *   the keys come in increasing order: 'Docstring: "a permutation array corresponding to the sorted order".'
 *   each index comes once: 'Docstring: "return a permutation array".'
 *   keys of zero come first: 'Docstring: the keys "start from 0".'
 *   the highest key may occur: 'Caller coarsen.c: no degree is above avgdegree, and many reach it.'
 *   keys between that do not occur do not matter: 'Docstring: "counting sort".'
 *   equal keys come in the order of tperm: 'Docstring: counting sort; coarsen.c gives a random order for the ties.'
 *   all keys may be equal: 'Docstring: counting sort; coarsen.c: regular graphs.'
 *   a highest key of zero works: 'Docstring: the keys "start from 0"; coarsen.c: graphs without edges.'
 *   a sorted array stays: 'Docstring: "corresponding to the sorted order".'
 *   one element works: 'The parameter n.'
 *   no element works: 'The parameter n.'
 *   many elements are sorted: 'Docstring: "corresponding to the sorted order".'
 *   the keys and tperm are left as they are: 'Caller coarsen.c; the result is perm.'
 *   nothing is written behind the permutation: 'The parameter n.'
 *   the workspace is given back: 'macros.h: WCOREPUSH and WCOREPOP; gk_mcoreDestroy warns otherwise.'
 *   it works with a small workspace: 'wspace.c: "allocate space from the workspace/heap".'
 ---*/
#include "plus.h"

static ctrl_t ctrl;
static idx_t keys[5001], tperm[5001], perm[5001], keys2[5001], tperm2[5001];

static void run(idx_t n, idx_t max) {
    for (int i = 0; i < 5001; i++) perm[i] = -5;
    memcpy(keys2, keys, sizeof keys);
    memcpy(tperm2, tperm, sizeof tperm);
    BucketSortKeysInc(&ctrl, n, max, keys, tperm, perm);
}

static void set(idx_t *array, idx_t n, const idx_t *values) {
    for (idx_t i = 0; i < n; i++) array[i] = values ? values[i] : i;
}

static int is(idx_t n, const idx_t *expected) {
    return !memcmp(perm, expected, n * sizeof(idx_t)) && perm[n] == -5;
}

static int sorted(idx_t n) {
    for (idx_t i = 1; i < n; i++)
        if (perm[i] < 0 || perm[i] >= n || perm[i - 1] < 0 || perm[i - 1] >= n || keys[perm[i - 1]] > keys[perm[i]])
            return 0;
    return 1;
}

static int permutes(idx_t n) {
    static char seen[5001];
    memset(seen, 0, sizeof seen);
    for (idx_t i = 0; i < n; i++) {
        if (perm[i] < 0 || perm[i] >= n || seen[perm[i]]) return 0;
        seen[perm[i]] = 1;
    }
    return 1;
}

#define I (const idx_t[])

int main(void) {
    int left = 1, behind = 1;
    ctrl.mcore = gk_mcoreCreate(1 << 20);
    set(keys, 6, I{3, 1, 0, 2, 3, 1});
    set(tperm, 6, I{5, 3, 1, 0, 2, 4});
    run(6, 3);
    ok("the keys come in increasing order", sorted(6));
    ok("each index comes once", permutes(6));
    ok("keys of zero come first", perm[0] == 2);
    ok("the highest key may occur", sorted(6) && keys[perm[4]] == 3 && keys[perm[5]] == 3);
    ok("equal keys come in the order of tperm", is(6, I{2, 5, 1, 3, 0, 4}));
    left &= !memcmp(keys, keys2, sizeof keys) && !memcmp(tperm, tperm2, sizeof tperm);
    behind &= perm[6] == -5;
    set(keys, 5, I{9, 0, 4, 9, 0});
    set(tperm, 5, I{4, 3, 2, 1, 0});
    run(5, 12);
    ok("keys between that do not occur do not matter", is(5, I{4, 1, 2, 3, 0}));
    set(keys, 4, I{7, 7, 7, 7});
    set(tperm, 4, I{2, 0, 3, 1});
    run(4, 7);
    ok("all keys may be equal", is(4, I{2, 0, 3, 1}));
    behind &= perm[4] == -5;
    set(keys, 4, I{0, 0, 0, 0});
    run(4, 0);
    ok("a highest key of zero works", is(4, I{2, 0, 3, 1}));
    set(keys, 5, I{0, 1, 2, 3, 4});
    set(tperm, 5, NULL);
    run(5, 4);
    int same = is(5, I{0, 1, 2, 3, 4});
    set(keys, 5, I{4, 3, 2, 1, 0});
    run(5, 4);
    ok("a sorted array stays", same && is(5, I{4, 3, 2, 1, 0}));
    set(keys, 1, I{3});
    run(1, 5);
    ok("one element works", is(1, I{0}));
    run(0, 5);
    ok("no element works", perm[0] == -5);

    unsigned state = 12345;
    for (idx_t i = 0; i < 5000; i++) {
        state = state * 1103515245u + 12345;
        keys[i] = (state >> 16) % 41;
        tperm[i] = (i * 1237 + 5) % 5000;
    }
    run(5000, 40);
    int stable = sorted(5000) && permutes(5000);
    static idx_t place[5000];
    for (idx_t i = 0; i < 5000; i++) place[tperm[i]] = i;
    for (idx_t i = 1; stable && i < 5000; i++)
        stable = keys[perm[i - 1]] < keys[perm[i]] || place[perm[i - 1]] < place[perm[i]];
    ok("many elements are sorted", stable);
    left &= !memcmp(keys, keys2, sizeof keys) && !memcmp(tperm, tperm2, sizeof tperm);
    ok("the keys and tperm are left as they are", left);
    ok("nothing is written behind the permutation", behind && perm[5000] == -5);
    int back = ctrl.mcore->cmop == 0 && ctrl.mcore->corecpos == 0 && ctrl.mcore->cur_hallocs == 0;
    gk_mcoreDestroy(&ctrl.mcore, 0);
    ctrl.mcore = gk_mcoreCreate(0);
    wspacepush(&ctrl);
    idx_t *mine = iset(10, 77, iwspacemalloc(&ctrl, 10));
    set(tperm, 300, NULL);
    size_t cmop = ctrl.mcore->cmop, heap = ctrl.mcore->cur_hallocs, before = held();
    for (int i = 0; i < 50; i++) run(300, 40);
    ok("it works with a small workspace",
       sorted(300) && permutes(300) && mine[0] == 77 && mine[9] == 77 && perm[300] == -5);
    ok("the workspace is given back", back && ctrl.mcore->cmop == cmop && ctrl.mcore->cur_hallocs == heap &&
                                          held() < before + 4096);
    wspacepop(&ctrl);
    gk_mcoreDestroy(&ctrl.mcore, 0);
    return done();
}
