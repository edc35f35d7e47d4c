/*---
 * tasks: [GiNaC.rename_dummy_indices-b4625c]
 * tests:
 *   without dummy indices nothing changes: 'Docstring: "The set of dummy indices that appear in the expression".'
 *   dummy indices of another class are left alone: 'Callers rename idx, varidx and spinidx one after the other.'
 *   the first set stays and is noted: 'Docstring: "This gets updated by the function".'
 *   an index is renamed to one that appeared before: 'Docstring: "which we would like to use in e, too".'
 *   several indices are renamed to such that appeared before: 'Docstring: "which we would like to use in e, too".'
 *   no index is noted that is not needed: 'Docstring: the set of indices "that have appeared before".'
 *   equal sets change nothing: 'Docstring: the indices have appeared before.'
 *   a common index and another one: 'Docstring: "which we would like to use in e, too".'
 *   what is equal but for names becomes equal: 'Caller simplify_indexed: dummy indices of terms get the same name.'
 *   more indices than before are added: 'Docstring: "This gets updated by the function".'
 *   added indices are not added twice: 'Docstring: a set of dummy indices.'
 *   an index of another dimension is the same index: 'Neighbour idx_is_equal_ignore_dim.'
 *   the result has indices of the updated set only: 'Docstring: "which we would like to use in e, too".'
 *   free indices stay: 'Docstring: "Rename dummy indices in an expression".'
 *   upper and lower index are renamed together: 'Docstring: "Rename dummy indices"; class varidx.'
 *   each class has its own indices: 'Callers rename idx, varidx and spinidx in one vector.'
 *   indices of other classes stand between: 'Callers give vectors with indices of all classes.'
 *   spinor indices: 'Caller: rename_dummy_indices<spinidx>.'
 *   the indices of the expression given stay: 'Callers give the same vector for all three classes.'
 *   sums become zero: 'Tutorial: "to allow simplifications like a_i*b_i-a_j*b_j=0".'
 *   sums with several indices and classes become zero: 'Tutorial: dummy indices of terms get the same name.'
 ---*/
#include "indexed.cpp"
#include "plus.h"

using namespace GiNaC;

static exvector before, own;

template <class T> static ex renamed(const ex &e) {
    return rename_dummy_indices<T>(e, before, own);
}

/* Whether two vectors hold the same indices in any order, each once. */
static bool equal(const exvector &a, const exvector &b) {
    if (a.size() != b.size()) return false;
    for (const ex &e : b)
        if (std::count_if(a.begin(), a.end(), [&e](const ex &f) { return e.is_equal(f); }) != 1) return false;
    return true;
}

static bool holds(const exvector &a, const ex &b) {
    return std::any_of(a.begin(), a.end(), [&b](const ex &f) { return b.is_equal(f); });
}

int main() {
    symbol A("A"), B("B"), C("C"), D("D"), si("i"), sj("j"), sk("k"), sl("l"), sm("m"), sn("n");
    const idx i(si, 3), j(sj, 3), k(sk, 3), l(sl, 3), m(sm, 3), n(sn, 3);
    const varidx mu(symbol("mu"), 4), nu(symbol("nu"), 4), rho(symbol("rho"), 4), sig(symbol("sig"), 4);
    const ex mu_co = mu.toggle_variance(), nu_co = nu.toggle_variance(), rho_co = rho.toggle_variance(),
             sig_co = sig.toggle_variance();
    auto one = [&](const ex &a) { return indexed(A, a) * indexed(B, a); };
    auto two = [&](const ex &a, const ex &b) {
        return indexed(A, a) * indexed(B, a) * indexed(C, b) * indexed(D, b);
    };
    auto pair = [&](const varidx &a) { return indexed(A, a) * indexed(B, a.toggle_variance()); };

    before = {j}, own = {};
    const ex free = indexed(A, i) * 3;
    bool nothing = renamed<idx>(free).is_equal(free) && equal(before, {j}) && own.empty();
    before = {};
    nothing = nothing && renamed<idx>(free).is_equal(free) && before.empty();
    ok("without dummy indices nothing changes", nothing);
    before = {i, nu}, own = {mu};
    bool another = renamed<idx>(pair(mu)).is_equal(pair(mu)) && equal(before, {i, nu}) && equal(own, {mu});
    before = {}, own = {mu, nu};
    another = another && renamed<spinidx>(pair(mu) * pair(nu)).is_equal(pair(mu) * pair(nu)) && before.empty();
    before = {nu}, own = {i};
    another = another && renamed<varidx>(one(i)).is_equal(one(i)) && equal(before, {nu});
    ok("dummy indices of another class are left alone", another);

    before = {}, own = {i};
    bool first = renamed<idx>(one(i)).is_equal(one(i)) && equal(before, {i});
    before = {}, own = {k, j};
    first = first && renamed<idx>(two(k, j)).is_equal(two(k, j)) && equal(before, {j, k});
    before = {mu}, own = {i};
    first = first && renamed<idx>(one(i)).is_equal(one(i)) && equal(before, {mu, i});
    ok("the first set stays and is noted", first);

    before = {i}, own = {j};
    bool single = renamed<idx>(one(j)).is_equal(one(i)) && equal(before, {i});
    before = {j}, own = {i};
    single = single && renamed<idx>(one(i)).is_equal(one(j)) && equal(before, {j});
    ok("an index is renamed to one that appeared before", single);
    before = {i, j}, own = {k, l};
    ex e = renamed<idx>(two(k, l));
    bool several = (e.is_equal(two(i, j)) || e.is_equal(two(j, i))) && equal(before, {i, j});
    before = {m, l, n}, own = {i, j, k};
    e = renamed<idx>(two(i, j) * indexed(A, k, k));
    several = several && !e.has(i) && !e.has(j) && !e.has(k) && e.has(m) && e.has(l) && e.has(n);
    ok("several indices are renamed to such that appeared before", several);
    before = {i, j, k}, own = {l};
    e = renamed<idx>(one(l));
    bool needed = equal(before, {i, j, k}) && (e.is_equal(one(i)) || e.is_equal(one(j)) || e.is_equal(one(k)));
    before = {i, j}, own = {i};
    renamed<idx>(one(i));
    needed = needed && equal(before, {i, j});
    ok("no index is noted that is not needed", needed);
    before = {i, j}, own = {j, i};
    bool same_set = renamed<idx>(two(i, j)).is_equal(two(i, j)) && equal(before, {i, j});
    before = {i}, own = {i};
    same_set = same_set && renamed<idx>(one(i)).is_equal(one(i)) && equal(before, {i});
    ok("equal sets change nothing", same_set);
    before = {i, j}, own = {j, k};
    e = renamed<idx>(two(j, k));
    bool common = (e.is_equal(two(j, i)) || e.is_equal(two(i, j))) && equal(before, {i, j});
    before = {i, j}, own = {k, i};
    e = renamed<idx>(two(k, i));
    common = common && (e.is_equal(two(j, i)) || e.is_equal(two(i, j))) && equal(before, {i, j});
    ok("a common index and another one", common);

    bool alike = true;
    const idx all[] = {i, j, k, l, m};
    ex what;
    for (const idx &a : all) {
        before = {k, i, j}, own = {a};
        e = renamed<idx>(one(a));
        alike = alike && (what.is_zero() || e.is_equal(what)) && equal(before, {i, j, k});
        what = e;
    }
    ok("what is equal but for names becomes equal", alike);

    before = {i}, own = {j, k};
    e = renamed<idx>(two(j, k));
    bool more = before.size() == 2 && holds(before, i) && (holds(before, j) != holds(before, k));
    bool inside = more && (e.is_equal(two(ex_to<idx>(before[0]), ex_to<idx>(before[1]))) ||
                           e.is_equal(two(ex_to<idx>(before[1]), ex_to<idx>(before[0]))));
    before = {i, j}, own = {k, l, m};
    e = renamed<idx>(two(k, l) * indexed(A, m, m));
    more = more && before.size() == 3 && holds(before, i) && holds(before, j);
    for (const idx &a : all) inside = inside && e.has(a) == holds(before, a);
    ok("more indices than before are added", more);
    before = {i}, own = {i, k};
    bool twice = renamed<idx>(two(i, k)).is_equal(two(i, k)) && equal(before, {i, k});
    before = {k}, own = {i, k};
    twice = twice && renamed<idx>(two(i, k)).is_equal(two(i, k)) && equal(before, {i, k});
    before = {j, i}, own = {i, j, k};
    const ex triple = two(i, j) * indexed(A, k, k);
    twice = twice && renamed<idx>(triple).is_equal(triple) && equal(before, {i, j, k});
    ok("added indices are not added twice", twice);
    const idx i4(si, 4), k4(sk, 4);
    before = {i}, own = {i4, k4};
    renamed<idx>(two(i4, k4));
    bool dims = before.size() == 2 && holds(before, k4) && !holds(before, i4);
    before = {i}, own = {i4};
    dims = dims && renamed<idx>(one(i4)).is_equal(one(i4)) && before.size() == 1;
    ok("an index of another dimension is the same index", dims);
    ok("the result has indices of the updated set only", inside);

    before = {j}, own = {k};
    e = renamed<idx>(indexed(A, i, k) * indexed(B, k, l));
    bool kept = e.is_equal(indexed(A, i, j) * indexed(B, j, l));
    before = {mu}, own = {nu};
    e = renamed<varidx>(indexed(A, rho, nu) * indexed(B, nu_co, sig_co));
    ok("free indices stay", kept && e.is_equal(indexed(A, rho, mu) * indexed(B, mu_co, sig_co)));
    before = {mu}, own = {nu};
    bool variance = renamed<varidx>(pair(nu)).is_equal(pair(mu)) && equal(before, {mu});
    before = {mu}, own = {nu_co};
    variance = variance && renamed<varidx>(pair(nu)).is_equal(pair(mu)) && equal(before, {mu});
    ok("upper and lower index are renamed together", variance);

    before = {i, mu}, own = {j, nu};
    e = renamed<varidx>(one(j) * pair(nu));
    bool each = e.is_equal(one(j) * pair(mu)) && equal(before, {i, mu});
    e = renamed<idx>(e);
    each = each && e.is_equal(one(i) * pair(mu)) && equal(before, {i, mu});
    before = {i}, own = {nu};
    each = each && renamed<varidx>(pair(nu)).is_equal(pair(nu)) && equal(before, {i, nu});
    ok("each class has its own indices", each);
    const spinidx a(symbol("a")), b(symbol("b")), c(symbol("c"));
    before = {mu, a, i, nu, j}, own = {b, k, rho, l, sig};
    e = renamed<idx>(two(k, l));
    bool between = (e.is_equal(two(i, j)) || e.is_equal(two(j, i)));
    e = renamed<varidx>(pair(rho) * indexed(C, sig) * indexed(D, sig_co));
    between = between && (e.is_equal(pair(mu) * indexed(C, nu) * indexed(D, nu_co)) ||
                          e.is_equal(pair(nu) * indexed(C, mu) * indexed(D, mu_co)));
    ok("indices of other classes stand between", between && equal(before, {mu, a, i, nu, j}));
    before = {mu, a}, own = {b, nu};
    bool spinor = renamed<spinidx>(pair(b)).is_equal(pair(a)) && renamed<varidx>(pair(b)).is_equal(pair(b));
    before = {mu}, own = {c};
    spinor = spinor && renamed<spinidx>(pair(c)).is_equal(pair(c)) && equal(before, {mu, c});
    ok("spinor indices", spinor);
    before = {i}, own = {mu, k, j, a};
    renamed<idx>(two(k, j));
    renamed<varidx>(pair(mu));
    renamed<spinidx>(pair(a));
    ok("the indices of the expression given stay", equal(own, {mu, k, j, a}));

    bool zero = (one(i) - one(j)).simplify_indexed().is_zero() && (pair(mu) - pair(nu)).simplify_indexed().is_zero();
    zero = zero && (two(i, j) - two(k, l)).simplify_indexed().is_zero();
    zero = zero && (one(i) + one(j) + one(k) - 3 * one(l)).simplify_indexed().is_zero();
    ok("sums become zero", zero);
    bool mixed = (one(i) * pair(mu) - one(k) * pair(rho)).simplify_indexed().is_zero();
    mixed = mixed && (one(i) + two(j, k) - one(m) - two(l, n)).simplify_indexed().is_zero();
    mixed = mixed && (indexed(A, i, j) * indexed(B, j, k) * indexed(C, k) -
                      indexed(A, i, l) * indexed(B, l, m) * indexed(C, m)).simplify_indexed().is_zero();
    mixed = mixed && !(indexed(A, i) * indexed(B, j) - indexed(A, j) * indexed(B, i)).is_zero();
    ok("sums with several indices and classes become zero", mixed);
    return plus_end();
}
