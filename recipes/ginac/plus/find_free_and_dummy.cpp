/*---
 * tasks: [GiNaC.find_free_and_dummy-ef225c]
 * tests:
 *   no indices give none: 'Docstring: "split them into two vectors".'
 *   what was in the vectors before is gone: 'Docstring: "(returned, sorted)".'
 *   a single symbolic index is free: 'Tutorial: symbolic indices that are not dummy are free.'
 *   a single numeric index is neither: 'Docstring: "numeric indices are neither free nor dummy ones".'
 *   two equal indices are one dummy: 'Docstring; tutorial: a summation over the index is implied.'
 *   two different indices are both free: 'Docstring: "the free indices".'
 *   a pair among free indices: 'Docstring: "split them into two vectors".'
 *   several pairs: 'Docstring: "split them into two vectors"; count_dummy_indices counts pairs.'
 *   only pairs leave no free index: 'Docstring: "split them into two vectors".'
 *   the order of the indices does not matter: 'Docstring: "(returned, sorted)".'
 *   free indices are sorted: 'Docstring: "Vector of free indices (returned, sorted)".'
 *   dummy indices are sorted: 'Docstring: "Vector of dummy indices (returned, sorted)".'
 *   numeric indices among others are left out: 'Docstring: "numeric indices are neither free nor dummy ones".'
 *   numeric indices alone give none: 'Docstring: "numeric indices are neither free nor dummy ones".'
 *   two equal numbers are no dummy: 'Docstring: "numeric indices are neither free nor dummy ones".'
 *   indices with variance pair with the opposite one: 'Tutorial: "they must also be of opposite variance".'
 *   the same variance twice is one free index: 'Tutorial: indexed(A, mu, mu) has the free index ~mu.'
 *   indices of different class are no pair: 'Tutorial: "the two indices must be of the same class".'
 *   an expression is never a dummy: 'Tutorial: "an index like 2*n+1 is never a dummy index".'
 *   spinor indices must both be dotted or not: 'Tutorial: "both dotted or both undotted".'
 *   indices of comparable dimensions are a pair: 'Neighbour is_dummy_pair_same_type: dimensions need not be equal.'
 *   a part of a vector is looked at alone: 'Docstring: "it Pointer to start", "itend Pointer to end".'
 *   the vector given stays: 'Signature: const_iterator.'
 *   free indices of products and of tensors: 'Callers mul::get_free_indices and indexed::get_free_indices.'
 *   the number of pairs: 'Caller count_dummy_indices.'
 ---*/
#include "plus.h"
#include <random>

using namespace GiNaC;

static exvector free_ones, dummies;

static void split(const exvector &v) {
    find_free_and_dummy(v.begin(), v.end(), free_ones, dummies);
}

/* Whether two vectors have the same indices; where by_value is true, their values alone are compared. */
static bool equal(exvector a, exvector b, bool by_value = false) {
    if (a.size() != b.size()) return false;
    for (const ex &e : a) {
        auto at = std::find_if(b.begin(), b.end(), [&](const ex &f) {
            return by_value ? e.op(0).is_equal(f.op(0)) : e.is_equal(f);
        });
        if (at == b.end()) return false;
        b.erase(at);
    }
    return true;
}

static bool is(const exvector &v, const exvector &f, const exvector &d) {
    split(v);
    return equal(free_ones, f) && equal(dummies, d, true);
}

static bool sorted(const exvector &v) {
    return std::is_sorted(v.begin(), v.end(), ex_is_less());
}

int main() {
    symbol si("i"), sj("j"), sk("k"), sl("l"), n("n"), D("D");
    const ex i = idx(si, 3), j = idx(sj, 3), k = idx(sk, 3), l = idx(sl, 3);
    const ex one = idx(1, 3), two = idx(2, 3);
    const exvector none;

    ok("no indices give none", is(none, none, none));
    free_ones = {i, j}, dummies = {k};
    split(none);
    bool gone = free_ones.empty() && dummies.empty();
    free_ones = {i, j}, dummies = {k};
    split({one});
    gone = gone && free_ones.empty() && dummies.empty();
    free_ones = {i, j}, dummies = {k};
    split({l});
    gone = gone && equal(free_ones, {l}) && dummies.empty();
    free_ones = {i, j}, dummies = {k};
    split({l, l, j});
    gone = gone && equal(free_ones, {j}) && equal(dummies, {l});
    ok("what was in the vectors before is gone", gone);
    ok("a single symbolic index is free", is({i}, {i}, none));
    ok("a single numeric index is neither", is({one}, none, none) && is({idx(0, 3)}, none, none));
    ok("two equal indices are one dummy", is({i, i}, none, {i}));
    ok("two different indices are both free", is({i, j}, {i, j}, none) && is({j, i}, {i, j}, none));
    ok("a pair among free indices", is({i, j, i}, {j}, {i}) && is({i, i, j}, {j}, {i}) && is({j, i, i}, {j}, {i}) &&
       is({k, j, i, j}, {k, i}, {j}) && is({l, i, j, k, l}, {i, j, k}, {l}));
    ok("several pairs", is({i, j, i, j, k}, {k}, {i, j}) && is({k, i, j, j, l, i}, {k, l}, {i, j}) &&
       is({i, k, j, k, l, l}, {i, j}, {k, l}));
    ok("only pairs leave no free index", is({i, i, j, j}, none, {i, j}) && is({i, j, k, k, j, i}, none, {i, j, k}) &&
       is({l, k, l, k}, none, {k, l}));

    bool any = true, free_sorted = true, dummy_sorted = true;
    std::mt19937 random(5);
    exvector symbols;
    for (int m = 0; m < 14; m++) symbols.push_back(idx(symbol(), 4));
    for (int round = 0; round < 40; round++) {
        exvector v, f, d;
        for (int m = 0; m < 14; m++) {
            const unsigned kind = random() % 3;
            if (kind > 0) v.push_back(symbols[m]);
            if (kind == 1) f.push_back(symbols[m]);
            if (kind == 2) v.push_back(symbols[m]), d.push_back(symbols[m]);
        }
        for (int m = round % 4; m > 0; m--) v.push_back(idx(m % 3, 4));
        for (std::size_t m = v.size(); m > 1; m--) std::swap(v[m - 1], v[random() % m]);
        any = any && is(v, f, d);
        free_sorted = free_sorted && sorted(free_ones);
        dummy_sorted = dummy_sorted && sorted(dummies);
    }
    ok("the order of the indices does not matter", any);
    ok("free indices are sorted", free_sorted);
    ok("dummy indices are sorted", dummy_sorted);

    ok("numeric indices among others are left out", is({i, one, j}, {i, j}, none) && is({one, i}, {i}, none) &&
       is({i, one}, {i}, none) && is({one, i, two, i}, none, {i}) && is({i, two, j, one, i, idx(0, 3)}, {j}, {i}));
    ok("numeric indices alone give none", is({one, two}, none, none) && is({two, one, idx(0, 3)}, none, none));
    ok("two equal numbers are no dummy", is({one, one}, none, none) && is({one, i, one}, {i}, none) &&
       is({one, one, two, two, j, j}, none, {j}));

    const varidx mu(symbol("mu"), 4), nu(symbol("nu"), 4), rho(symbol("rho"), 4);
    const ex mu_co = mu.toggle_variance(), nu_co = nu.toggle_variance();
    ok("indices with variance pair with the opposite one", is({mu, mu_co}, none, {mu}) &&
       is({mu_co, nu, mu}, {nu}, {mu}) && is({nu_co, mu, rho, nu, mu_co}, {rho}, {mu, nu}) &&
       is({mu, nu_co}, {mu, nu_co}, none) && is({varidx(1, 4), varidx(1, 4, true)}, none, none));
    ok("the same variance twice is one free index", is({mu, mu}, {mu}, none) && is({nu_co, nu_co}, {nu_co}, none) &&
       is({mu, nu, mu}, {mu, nu}, none) && is({nu, mu, mu_co, nu}, {nu}, {mu}));
    const ex plain = idx(si, 4), varied = varidx(si, 4), lowered = varidx(si, 4, true);
    ok("indices of different class are no pair", is({plain, varied}, {plain, varied}, none) &&
       is({lowered, plain}, {plain, lowered}, none) && is({plain, varied, plain}, {varied}, {plain}));
    const ex odd = idx(2 * n + 1, 3);
    ok("an expression is never a dummy", is({odd, odd}, {odd}, none) && is({odd}, {odd}, none) &&
       is({odd, i, i}, {odd}, {i}));
    const spinidx A(symbol("A")), B(symbol("B"));
    const ex A_co = A.toggle_variance(), A_dot = A.toggle_dot(), A_dot_co = ex_to<spinidx>(A_dot).toggle_variance();
    ok("spinor indices must both be dotted or not", is({A, A_co}, none, {A}) && is({A_dot, A_dot_co}, none, {A_dot}) &&
       is({A, A_dot_co}, {A, A_dot_co}, none) && is({A_co, B, A_dot, A}, {A_dot, B}, {A}));
    ok("indices of comparable dimensions are a pair", is({idx(si, 4), idx(si, D)}, none, {i}) &&
       is({idx(si, D), j, idx(si, 4)}, {j}, {i}) && is({idx(si, 3), idx(si, 4)}, none, {i}));

    const exvector whole{i, j, k, j, i, l};
    find_free_and_dummy(whole.begin() + 1, whole.end() - 2, free_ones, dummies);
    bool part = equal(free_ones, {k}) && equal(dummies, {j});
    find_free_and_dummy(whole.begin() + 1, whole.begin() + 2, free_ones, dummies);
    part = part && equal(free_ones, {j}) && dummies.empty();
    find_free_and_dummy(whole.begin() + 2, whole.begin() + 2, free_ones, dummies);
    ok("a part of a vector is looked at alone", part && free_ones.empty() && dummies.empty());
    const ex order[] = {i, j, k, j, i, l};
    bool stays = whole.size() == 6;
    for (int m = 0; stays && m < 6; m++) stays = whole[m].is_equal(order[m]);
    ok("the vector given stays", stays);

    symbol P("P"), Q("Q");
    bool tensors = equal(indexed(P, i, j, i).get_free_indices(), {j});
    tensors = tensors && equal((indexed(P, i, j) * indexed(Q, j, k)).get_free_indices(), {i, k});
    tensors = tensors && equal((indexed(P, k, l, i, l) * indexed(Q, k)).get_free_indices(), {i});
    tensors = tensors && equal(indexed(P, mu, mu).get_free_indices(), {mu});
    ok("free indices of products and of tensors", tensors);
    ok("the number of pairs", count_dummy_indices({i, j, i, k, j}) == 2 && count_dummy_indices(none) == 0 &&
       count_dummy_indices({i, j}) == 0 && count_dummy_indices({mu, nu_co, mu_co, nu}) == 2);
    return plus_end();
}
