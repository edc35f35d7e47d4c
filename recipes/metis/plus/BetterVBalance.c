/*---
 * tasks: [BetterVBalance-a6b157]
 * tests:
 *   an even sum is better than an uneven one: 'Docstring: "if v+u2 provides a better balance ... that v+u1".'
 *   an uneven sum is not better than an even one: 'Docstring: "if v+u2 provides a better balance".'
 *   the vertex itself counts: 'Docstring: v+u2 and v+u1.'
 *   the weights count by their share of the total: 'struct.h: invtvwgt, "inverse of the sum of the vertex weights".'
 *   a heavier sum may be better balanced: 'Docstring: balance, and not weight.'
 *   a lighter sum may be worse balanced: 'Docstring: balance, and not weight.'
 *   too much of any weight is bad: 'Docstring: "balance in the weight vector".'
 *   too little of any weight is bad: 'Docstring: "balance in the weight vector".'
 *   excesses and lacks do not make up for each other: 'Docstring: "balance in the weight vector".'
 *   the better of two uneven sums is found: 'Docstring: "better balance".'
 *   three constraints are compared: 'The parameter ncon.'
 *   weights after the last constraint do not count: 'The parameter ncon.'
 *   small differences are seen: 'Docstring: "better balance"; the comparison is one of real_t.'
 *   nothing is changed: 'Docstring: it checks.'
 ---*/
#include "plus.h"

#define I (idx_t[])
#define R (real_t[])

static int better(idx_t n, real_t *inv, idx_t *v, idx_t *u1, idx_t *u2) {
    return BetterVBalance(n, inv, v, u1, u2) != 0;
}

int main(void) {
    real_t same[] = {0.0078125, 0.0078125, 0.0078125, 0.0078125};
    ok("an even sum is better than an uneven one", better(2, same, I{2, 2}, I{8, 1}, I{4, 4}));
    ok("an uneven sum is not better than an even one", !better(2, same, I{2, 2}, I{4, 4}, I{8, 1}));
    ok("the vertex itself counts", better(2, same, I{10, 2}, I{5, 5}, I{1, 9}) &&
                                       !better(2, same, I{10, 2}, I{1, 9}, I{5, 5}) &&
                                       better(2, same, I{2, 10}, I{5, 5}, I{9, 1}) &&
                                       !better(2, same, I{2, 10}, I{9, 1}, I{5, 5}));
    ok("the weights count by their share of the total",
       better(2, R{0.125, 0.015625}, I{0, 0}, I{8, 8}, I{1, 8}) &&
           !better(2, R{0.125, 0.015625}, I{0, 0}, I{1, 8}, I{8, 8}) &&
           better(2, R{0.015625, 0.125}, I{0, 0}, I{4, 4}, I{16, 2}));
    ok("a heavier sum may be better balanced", better(2, same, I{1, 1}, I{4, 0}, I{40, 40}));
    ok("a lighter sum may be worse balanced", !better(2, same, I{1, 1}, I{40, 40}, I{4, 0}));
    int much = 1, little = 1;
    for (int i = 0; i < 3; i++) {
        idx_t high[] = {4, 4, 4}, low[] = {9, 9, 9};
        high[i] = 16;
        low[i] = 1;
        much &= better(3, same, I{1, 1, 1}, high, I{4, 4, 4}) && !better(3, same, I{1, 1, 1}, I{4, 4, 4}, high);
        little &= better(3, same, I{1, 1, 1}, low, I{9, 9, 9}) && !better(3, same, I{1, 1, 1}, I{9, 9, 9}, low);
    }
    ok("too much of any weight is bad", much);
    ok("too little of any weight is bad", little);
    ok("excesses and lacks do not make up for each other",
       better(4, same, I{1, 1, 1, 1}, I{0, 20, 0, 20}, I{10, 11, 10, 11}) &&
           !better(4, same, I{1, 1, 1, 1}, I{10, 11, 10, 11}, I{0, 20, 0, 20}));
    ok("the better of two uneven sums is found", better(2, same, I{3, 5}, I{1, 20}, I{12, 4}) &&
                                                     !better(2, same, I{3, 5}, I{12, 4}, I{1, 20}));
    ok("three constraints are compared",
       better(3, R{0.5, 0.25, 0.125}, I{1, 1, 1}, I{5, 1, 1}, I{1, 3, 7}) &&
           !better(3, R{0.5, 0.25, 0.125}, I{1, 1, 1}, I{1, 3, 7}, I{5, 1, 1}));
    ok("weights after the last constraint do not count",
       better(2, same, I{2, 2, 0, 0}, I{8, 1, 5, 5}, I{4, 4, 900, 0}) &&
           !better(2, same, I{2, 2, 0, 0}, I{4, 4, 900, 0}, I{8, 1, 5, 5}));
    ok("small differences are seen", better(2, R{0.0009765625, 0.0009765625}, I{100, 100}, I{50, 53}, I{50, 52}) &&
                                         !better(2, R{0.0009765625, 0.0009765625}, I{100, 100}, I{50, 52}, I{50, 53}));
    idx_t v[] = {2, 3}, u1[] = {8, 1}, u2[] = {4, 4};
    BetterVBalance(2, same, v, u1, u2);
    ok("nothing is changed", v[0] == 2 && v[1] == 3 && u1[0] == 8 && u1[1] == 1 && u2[0] == 4 && u2[1] == 4 &&
                                 same[0] == 0.0078125 && same[1] == 0.0078125);
    return done();
}
