/*---
 * tasks: [FindCommonElements-34006e]
 * tests:
 *   the elements that share enough nodes are found: 'Docstring: "all elements that share at least ncommon nodes".'
 *   with one common node all that touch are found: 'Docstring: "at least ncommon nodes".'
 *   exactly ncommon nodes are enough: 'Docstring: "at least ncommon nodes".'
 *   the query itself is not found: 'Caller CreateGraphDual: a graph has no edges from a vertex to itself.'
 *   each element is found once: 'Caller CreateGraphDual: they become the adjacency list.'
 *   the number of elements is returned: 'Caller CreateGraphDual takes it as the degree.'
 *   an element that shares nothing is not found: 'Docstring: "at least ncommon nodes".'
 *   a query without neighbours finds none: 'Docstring: "all elements that share".'
 *   the same nodes make a neighbour: 'Docstring: "at least ncommon nodes".'
 *   the marker is zero afterwards: 'Caller CreateGraphDual zeroes it once for all calls.'
 *   calls one after the other agree: 'Caller CreateGraphDual calls it twice for each element.'
 *   the first and the last element are found: 'Docstring: "finds all elements".'
 *   the mesh is left as it is: 'Caller CreateGraphDual goes on with it.'
 *   nothing is written behind the neighbours: 'Caller CreateGraphDual: nbrs has a place for each element.'
 *   the dual graph of a mesh is right: 'Caller CreateGraphDual; METIS_MeshToDual, ncommon.'
 *   the dual graph of many elements is symmetric: 'Caller CreateGraphDual; METIS_MeshToDual.'
 ---*/
#include "plus.h"

enum { MAX = 64 };

static idx_t ne, nn, eptr[MAX + 1], eind[MAX * 8], nptr[MAX * 8], nind[MAX * 8], marker[MAX + 2], nbrs[MAX + 2];

/* Builds the lists of the elements of each node. */
static void invert(void) {
    int k = 0;
    for (int v = 0; v < nn; v++) {
        nptr[v] = k;
        for (int e = 0; e < ne; e++)
            for (int j = eptr[e]; j < eptr[e + 1]; j++)
                if (eind[j] == v) nind[k++] = e;
    }
    nptr[nn] = k;
}

/* A grid of w times h quads. */
static void grid(int w, int h) {
    ne = 0;
    nn = (w + 1) * (h + 1);
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            idx_t *q = eind + 4 * ne;
            eptr[ne++] = 4 * (y * w + x);
            q[0] = y * (w + 1) + x;
            q[1] = q[0] + 1;
            q[2] = q[0] + w + 2;
            q[3] = q[0] + w + 1;
        }
    eptr[ne] = 4 * ne;
    invert();
}

static int overlap(int a, int b) {
    int n = 0;
    for (int i = eptr[a]; i < eptr[a + 1]; i++)
        for (int j = eptr[b]; j < eptr[b + 1]; j++) n += eind[i] == eind[j];
    return n;
}

static idx_t find(idx_t q, idx_t ncommon) {
    for (int i = 0; i < MAX + 2; i++) nbrs[i] = -9;
    return FindCommonElements(q, eptr[q + 1] - eptr[q], eind + eptr[q], nptr, nind, eptr, ncommon, marker, nbrs);
}

static int count(idx_t n, idx_t e) {
    int times = 0;
    for (int i = 0; i < n; i++) times += nbrs[i] == e;
    return times;
}

/* Whether the result is what a comparison of all pairs gives. */
static int right(idx_t q, idx_t ncommon) {
    idx_t n = find(q, ncommon), expected = 0;
    if (n < 0 || n > ne) return 0;
    for (int e = 0; e < ne; e++) {
        int should = e != q && overlap(q, e) >= ncommon;
        expected += should;
        if (count(n, e) != should) return 0;
    }
    return n == expected;
}

static int zero(void) {
    for (int i = 0; i < MAX + 2; i++)
        if (marker[i]) return 0;
    return 1;
}

int main(void) {
    static idx_t ep[MAX + 1], ei[MAX * 8], np[MAX * 8], ni[MAX * 8];
    grid(5, 4);
    memcpy(ep, eptr, sizeof ep);
    memcpy(ei, eind, sizeof ei);
    memcpy(np, nptr, sizeof np);
    memcpy(ni, nind, sizeof ni);
    idx_t n = find(6, 2);
    ok("the elements that share enough nodes are found", count(n, 1) && count(n, 5) && count(n, 7) && count(n, 11));
    ok("exactly ncommon nodes are enough", right(6, 2) && right(8, 2));
    n = find(6, 2);
    ok("the number of elements is returned", n == 4);
    ok("an element that shares nothing is not found", !count(n, 19) && !count(n, 0) && !count(n, 12));
    n = find(6, 1);
    ok("with one common node all that touch are found", n == 8 && right(6, 1));
    ok("the query itself is not found", !count(find(6, 1), 6) && !count(find(6, 2), 6) && !count(find(6, 3), 6));
    int once = 1, ends = 1, agree = 1, behind = 1, all = 1;
    for (int q = 0; q < ne; q++)
        for (int c = 1; c <= 2; c++) {
            n = find(q, c);
            for (int e = 0; e < ne; e++) once &= count(n, e) <= 1;
            all &= right(q, c);
            agree &= right(q, c) && find(q, c) == n && zero();
            behind &= nbrs[ne] == -9 && nbrs[ne + 1] == -9 && marker[ne] == 0;
        }
    ok("each element is found once", once && all);
    ok("calls one after the other agree", agree);
    ok("the marker is zero afterwards", zero());
    ends = count(find(1, 2), 0) && count(find(6, 1), 0) && count(find(18, 2), 19) && count(find(13, 1), 19);
    ok("the first and the last element are found", ends && right(0, 1) && right(19, 1));
    ok("nothing is written behind the neighbours", behind);
    ok("the mesh is left as it is", !memcmp(ep, eptr, sizeof ep) && !memcmp(ei, eind, sizeof ei) &&
                                        !memcmp(np, nptr, sizeof np) && !memcmp(ni, nind, sizeof ni));

    /* Two triangles of the same nodes, one that shares an edge with them, and a lonely one. */
    idx_t nodes[] = {0, 1, 2, 2, 0, 1, 1, 2, 3, 4, 5, 6};
    memcpy(eind, nodes, sizeof nodes);
    ne = 4;
    nn = 7;
    for (int i = 0; i <= 4; i++) eptr[i] = 3 * i;
    invert();
    ok("a query without neighbours finds none", find(3, 1) == 0 && find(3, 2) == 0 && zero());
    ok("the same nodes make a neighbour", right(0, 2) && right(1, 2) && count(find(0, 2), 1) == 1 &&
                                              count(find(1, 1), 0) == 1 && right(2, 2));

    grid(3, 2);
    idx_t common = 2, flag = 0, *xadj = NULL, *adjncy = NULL;
    int dual = METIS_MeshToDual(&ne, &nn, eptr, eind, &common, &flag, &xadj, &adjncy) == METIS_OK && xadj && adjncy;
    idx_t degrees[] = {2, 3, 2, 2, 3, 2};
    for (int q = 0; dual && q < 6; q++) {
        dual = xadj[q + 1] - xadj[q] == degrees[q];
        for (int j = xadj[q]; dual && j < xadj[q + 1]; j++) {
            int d = abs(adjncy[j] / 3 - q / 3) + abs(adjncy[j] % 3 - q % 3);
            dual = d == 1;
        }
    }
    ok("the dual graph of a mesh is right", dual);
    grid(7, 8);
    common = 1;
    int symmetric = METIS_MeshToDual(&ne, &nn, eptr, eind, &common, &flag, &xadj, &adjncy) == METIS_OK;
    for (int q = 0; symmetric && q < ne; q++)
        for (int j = xadj[q]; symmetric && j < xadj[q + 1]; j++) {
            int back = 0;
            for (int k = xadj[adjncy[j]]; k < xadj[adjncy[j] + 1]; k++) back += adjncy[k] == q;
            symmetric = back == 1 && adjncy[j] != q;
        }
    ok("the dual graph of many elements is symmetric", symmetric && xadj[ne] == 2 * (6 * 8 + 7 * 7 + 2 * 6 * 7));
    return done();
}
