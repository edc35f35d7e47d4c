/*---
 * tasks: [GiNaC.tensepsilon.eval_indexed-7946b8.2]
 * tests:
 *   two indices of numbers: 'Tutorial: "totally antisymmetric", and eps.1.2 "is defined to be 1".'
 *   three indices of numbers: 'Tutorial: "totally antisymmetric", and eps.1.2.3 "is defined to be 1".'
 *   four upper indices of numbers: 'Tutorial: "totally antisymmetric", and eps~0~1~2~3 "is defined to be 1".'
 *   equal numbers give zero: 'Tutorial: "The epsilon tensor is totally antisymmetric".'
 *   a lower space index turns the sign where the metric is negative: 'tensor.h: the metric is diag(1,-1,-1,...).'
 *   a lower time index keeps the sign where the metric is negative: 'tensor.h: the metric is diag(1,-1,-1,...).'
 *   a lower time index turns the sign where the metric is positive: 'tensor.h: the metric is diag(-1,1,1...).'
 *   a lower space index keeps the sign where the metric is positive: 'tensor.h: the metric is diag(-1,1,1...).'
 *   all lower indices turn the sign: 'tensor.h: both metrics have the determinant -1.'
 *   any indices of numbers: 'tensor.h and tutorial: permutation, variance and signature together.'
 *   variance does not matter in Euclidean space: 'tensor.h: the metric "is only relevant if minkowski = true".'
 *   a convolution is zero: 'Tutorial: totally antisymmetric; convolutions of tensors are calculated.'
 *   symbolic indices stay: 'Tutorial: epsilon tensors are output as eps.'
 *   numbers beside symbolic indices stay: 'Tutorial: a sum or value needs all indices.'
 *   substituting numbers gives the value: 'Docstring: "Automatic symbolic evaluation of an indexed epsilon tensor".'
 *   all indices contracted in Euclidean space: 'Docstring of contract_with; eps.i.j.k eps.i.j.k = 3!.'
 *   some indices contracted in Euclidean space: 'Docstring of contract_with; a determinant of deltas.'
 *   the order of contracted indices gives the sign: 'Tutorial: "totally antisymmetric".'
 *   contractions with numbers: 'Docstring of contract_with; the sum over the values.'
 *   indices with variance in Euclidean space: 'tensor.h: Euclidean; metric_tensor for indices with variance.'
 *   all indices contracted in Minkowski space: 'Docstring of contract_with; both metrics have the determinant -1.'
 *   three indices contracted in Minkowski space: 'Docstring of contract_with.'
 *   two indices contracted in Minkowski space: 'Tutorial: 2*eta~bet~rho*eta~sig~lam-2*eta~sig~bet*eta~rho~lam.'
 *   one index contracted in Minkowski space: 'Docstring of contract_with; a determinant of metrics.'
 *   the signature goes into the metric: 'tensor.h: pos_sig.'
 *   a delta and a metric rename indices: 'Callers: other tensors contract themselves with it.'
 *   vectors: 'Tutorial: eps.i.j.k A.j A.k is zero, eps.i.j.k A.j B.k stays.'
 ---*/
#include "plus.h"

using namespace GiNaC;

/* Sign of a permutation of n numbers, or 0 where two are equal. */
static int parity(const int *v, int n) {
    int sign = 1;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) {
            if (v[i] == v[j]) return 0;
            if (v[i] > v[j]) sign = -sign;
        }
    return sign;
}

static ex eps(const int *v, int lower = 0, bool pos_sig = false) {
    return lorentz_eps(varidx(v[0], 4, lower & 1), varidx(v[1], 4, lower >> 1 & 1), varidx(v[2], 4, lower >> 2 & 1),
                       varidx(v[3], 4, lower >> 3 & 1), pos_sig);
}

static ex eps(int a, int b, int c, int d, int lower, bool pos_sig = false) {
    const int v[] = {a, b, c, d};
    return eps(v, lower, pos_sig);
}

static bool simple(const ex &e, const ex &want) {
    return same(e.simplify_indexed(), want);
}

static ex down(const varidx &i) {
    return i.toggle_variance();
}

int main() {
    bool zero = true, all = true;
    ok("two indices of numbers", epsilon_tensor(idx(1, 2), idx(2, 2)).is_equal(1) &&
       epsilon_tensor(idx(2, 2), idx(1, 2)).is_equal(-1));
    zero = zero && epsilon_tensor(idx(1, 2), idx(1, 2)).is_zero() && epsilon_tensor(idx(2, 2), idx(2, 2)).is_zero();
    int v[4];
    for (v[0] = 1; v[0] < 4; v[0]++)
        for (v[1] = 1; v[1] < 4; v[1]++)
            for (v[2] = 1; v[2] < 4; v[2]++) {
                const ex e = epsilon_tensor(idx(v[0], 3), idx(v[1], 3), idx(v[2], 3));
                if (parity(v, 3)) all = all && e.is_equal(parity(v, 3));
                else zero = zero && e.is_zero();
            }
    ok("three indices of numbers", all && epsilon_tensor(idx(1, 3), idx(2, 3), idx(3, 3)).is_equal(1));
    all = true;
    bool any = true;
    for (int n = 0; n < 256; n++) {
        for (int i = 0; i < 4; i++) v[i] = n >> 2 * i & 3;
        const int sign = parity(v, 4);
        const ex e = eps(v);
        if (sign) all = all && e.is_equal(sign) && eps(v, 0, true).is_equal(sign);
        else zero = zero && e.is_zero() && eps(v, 5).is_zero() && eps(v, 15, true).is_zero();
        if (!sign) continue;
        for (int lower = 0; lower < 16; lower++) {
            int negative = sign, positive = sign;
            for (int i = 0; i < 4; i++)
                if (lower >> i & 1) {
                    if (v[i]) negative = -negative;
                    else positive = -positive;
                }
            any = any && eps(v, lower).is_equal(negative) && eps(v, lower, true).is_equal(positive);
        }
    }
    ok("four upper indices of numbers", all);
    ok("equal numbers give zero", zero);
    ok("a lower space index turns the sign where the metric is negative", eps(0, 1, 2, 3, 2).is_equal(-1) &&
       eps(0, 1, 2, 3, 8).is_equal(-1) && eps(0, 1, 2, 3, 6).is_equal(1) && eps(0, 1, 2, 3, 14).is_equal(-1));
    ok("a lower time index keeps the sign where the metric is negative", eps(0, 1, 2, 3, 1).is_equal(1) &&
       eps(1, 0, 2, 3, 2).is_equal(-1) && eps(3, 1, 2, 0, 8).is_equal(-1));
    ok("a lower time index turns the sign where the metric is positive", eps(0, 1, 2, 3, 1, true).is_equal(-1) &&
       eps(1, 0, 2, 3, 2, true).is_equal(1) && eps(3, 1, 2, 0, 8, true).is_equal(1));
    ok("a lower space index keeps the sign where the metric is positive", eps(0, 1, 2, 3, 2, true).is_equal(1) &&
       eps(0, 1, 2, 3, 14, true).is_equal(1) && eps(1, 0, 2, 3, 1, true).is_equal(-1));
    ok("all lower indices turn the sign", eps(0, 1, 2, 3, 15).is_equal(-1) && eps(0, 1, 2, 3, 15, true).is_equal(-1) &&
       eps(1, 0, 2, 3, 15).is_equal(1) && eps(1, 0, 2, 3, 15, true).is_equal(1));
    ok("any indices of numbers", any);
    ok("variance does not matter in Euclidean space",
       epsilon_tensor(varidx(1, 2), varidx(2, 2, true)).is_equal(1) &&
       epsilon_tensor(varidx(2, 2, true), varidx(1, 2, true)).is_equal(-1) &&
       epsilon_tensor(varidx(1, 3, true), varidx(2, 3), varidx(3, 3)).is_equal(1) &&
       epsilon_tensor(varidx(0, 3, true), varidx(2, 3), varidx(1, 3, true)).is_equal(-1));

    varidx mu(symbol("mu"), 4), nu(symbol("nu"), 4), rho(symbol("rho"), 4), sig(symbol("sig"), 4);
    varidx lam(symbol("lam"), 4),
        bet(symbol("bet"), 4), kap(symbol("kap"), 4);
    idx i(symbol("i"), 3), j(symbol("j"), 3), k(symbol("k"), 3), l(symbol("l"), 3), m(symbol("m"), 3);
    idx p(symbol("p"), 2), q(symbol("q"), 2), r(symbol("r"), 2);
    ok("a convolution is zero", lorentz_eps(mu, down(mu), rho, sig).is_zero() && epsilon_tensor(i, i, j).is_zero() &&
       lorentz_eps(nu, rho, sig, down(rho), true).is_zero() && epsilon_tensor(p, p).is_zero() &&
       lorentz_eps(varidx(0, 4), mu, varidx(1, 4), down(mu)).is_zero());
    const ex symbolic = epsilon_tensor(i, j, k), lorentz = lorentz_eps(mu, nu, rho, sig);
    ok("symbolic indices stay", !symbolic.is_zero() && symbolic.get_free_indices().size() == 3 &&
       lorentz.get_free_indices().size() == 4 && (symbolic + epsilon_tensor(j, i, k)).is_zero() &&
       (lorentz + lorentz_eps(mu, nu, sig, rho)).is_zero() && !is_a<numeric>(epsilon_tensor(p, q)) &&
       (epsilon_tensor(p, q) + epsilon_tensor(q, p)).is_zero());
    const ex mixed = epsilon_tensor(idx(1, 3), i, idx(3, 3));
    ok("numbers beside symbolic indices stay", !is_a<numeric>(mixed) && mixed.get_free_indices().size() == 1 &&
       !is_a<numeric>(lorentz_eps(varidx(0, 4), varidx(1, 4), varidx(2, 4), mu)) &&
       !is_a<numeric>(epsilon_tensor(p, idx(1, 2))));
    ok("substituting numbers gives the value", mixed.subs(i.get_value() == 2).is_equal(1) &&
       mixed.subs(i.get_value() == 3).is_zero() && symbolic.subs(lst{i.get_value() == 2, j.get_value() == 1,
       k.get_value() == 3}).is_equal(-1) && lorentz.subs(lst{mu.get_value() == 3, nu.get_value() == 1,
       rho.get_value() == 2, sig.get_value() == 0}).is_equal(-1));

    ok("all indices contracted in Euclidean space", simple(epsilon_tensor(i, j, k) * epsilon_tensor(i, j, k), 6) &&
       simple(epsilon_tensor(p, q) * epsilon_tensor(p, q), 2));
    ok("some indices contracted in Euclidean space",
       simple(epsilon_tensor(i, j, k) * epsilon_tensor(i, j, l), 2 * delta_tensor(k, l)) &&
       simple(epsilon_tensor(i, j, k) * epsilon_tensor(i, l, m), delta_tensor(j, l) * delta_tensor(k, m) -
       delta_tensor(j, m) * delta_tensor(k, l)) &&
       simple(epsilon_tensor(p, q) * epsilon_tensor(p, r), delta_tensor(q, r)));
    ok("the order of contracted indices gives the sign",
       simple(epsilon_tensor(i, j, k) * epsilon_tensor(j, i, k), -6) &&
       simple(epsilon_tensor(i, j, k) * epsilon_tensor(k, i, j), 6) &&
       simple(epsilon_tensor(p, q) * epsilon_tensor(r, p), -delta_tensor(q, r)) &&
       simple(epsilon_tensor(i, j, k) * epsilon_tensor(l, j, i), -2 * delta_tensor(k, l)));
    const idx one(1, 3), two(2, 3), three(3, 3);
    ok("contractions with numbers", simple(epsilon_tensor(i, one, two) * epsilon_tensor(i, one, two), 1) &&
       simple(epsilon_tensor(i, one, two) * epsilon_tensor(i, two, one), -1) &&
       simple(epsilon_tensor(i, one, two) * epsilon_tensor(i, one, three), 0) &&
       simple(epsilon_tensor(i, j, one) * epsilon_tensor(i, j, one), 2));
    varidx al(symbol("al"), 2), be(symbol("be"), 2), ga(symbol("ga"), 2), x(symbol("x"), 3), y(symbol("y"), 3),
        z(symbol("z"), 3), w(symbol("w"), 3);
    ok("indices with variance in Euclidean space",
       simple(epsilon_tensor(al, be) * epsilon_tensor(down(al), down(be)), 2) &&
       simple(epsilon_tensor(al, be) * epsilon_tensor(down(al), ga), metric_tensor(be, ga)) &&
       simple(epsilon_tensor(x, y, z) * epsilon_tensor(down(x), down(y), down(z)), 6) &&
       simple(epsilon_tensor(x, y, z) * epsilon_tensor(down(x), down(y), w), 2 * metric_tensor(z, w)) &&
       simple(epsilon_tensor(x, y, z) * epsilon_tensor(down(y), down(x), down(w)), -2 * delta_tensor(z, down(w))));

    bool full = true, three_of_four = true, two_of_four = true, one_of_four = true;
    for (bool sign : {false, true}) {
        auto e = [&](const ex &a, const ex &b, const ex &c, const ex &d) { return lorentz_eps(a, b, c, d, sign); };
        auto g = [&](const ex &a, const ex &b) { return lorentz_g(a, b, sign); };
        full = full && simple(e(mu, nu, rho, sig) * e(down(mu), down(nu), down(rho), down(sig)), -24) &&
               simple(e(mu, nu, rho, sig) * e(down(nu), down(mu), down(rho), down(sig)), 24) &&
               simple(e(mu, down(nu), rho, sig) * e(down(mu), nu, down(rho), down(sig)), -24);
        three_of_four = three_of_four &&
                        simple(e(mu, nu, rho, sig) * e(down(mu), down(nu), down(rho), bet), -6 * g(sig, bet)) &&
                        simple(e(sig, mu, nu, rho) * e(down(mu), down(nu), down(rho), bet), 6 * g(sig, bet)) &&
                        simple(e(mu, nu, rho, sig) * e(down(mu), down(nu), down(rho), down(bet)),
                               -6 * delta_tensor(sig, down(bet)));
        two_of_four = two_of_four &&
                      simple(e(mu, nu, rho, sig) * e(down(mu), down(nu), lam, bet),
                             2 * g(bet, rho) * g(sig, lam) - 2 * g(sig, bet) * g(rho, lam));
        one_of_four = one_of_four && simple(e(mu, nu, rho, sig) * e(down(mu), lam, bet, kap),
            -(g(nu, lam) * (g(rho, bet) * g(sig, kap) - g(rho, kap) * g(sig, bet)) -
              g(nu, bet) * (g(rho, lam) * g(sig, kap) - g(rho, kap) * g(sig, lam)) +
              g(nu, kap) * (g(rho, lam) * g(sig, bet) - g(rho, bet) * g(sig, lam))));
    }
    ok("all indices contracted in Minkowski space", full);
    ok("three indices contracted in Minkowski space", three_of_four);
    ok("two indices contracted in Minkowski space", two_of_four);
    ok("one index contracted in Minkowski space", one_of_four);
    const ex negative = (lorentz_eps(mu, nu, rho, sig) *
                         lorentz_eps(down(mu), down(nu), down(rho), bet)).simplify_indexed();
    const ex positive = (lorentz_eps(mu, nu, rho, sig, true) *
                         lorentz_eps(down(mu), down(nu), down(rho), bet, true)).simplify_indexed();
    const lst times{sig.get_value() == 0, bet.get_value() == 0}, spaces{sig.get_value() == 2, bet.get_value() == 2};
    ok("the signature goes into the metric", negative.subs(times).is_equal(-6) && positive.subs(times).is_equal(6) &&
       negative.subs(spaces).is_equal(6) && positive.subs(spaces).is_equal(-6));
    ok("a delta and a metric rename indices",
       simple(epsilon_tensor(i, j, k) * delta_tensor(k, l), epsilon_tensor(i, j, l)) &&
       simple(lorentz_eps(mu, nu, rho, sig) * delta_tensor(down(sig), bet), lorentz_eps(mu, nu, rho, bet)) &&
       simple(lorentz_eps(mu, nu, rho, sig) * lorentz_g(down(sig), down(bet)), lorentz_eps(mu, nu, rho, down(bet))));
    symbol A("A"), B("B");
    const ex cross = epsilon_tensor(i, j, k) * indexed(A, j) * indexed(B, k);
    ok("vectors", simple(epsilon_tensor(i, j, k) * indexed(A, j) * indexed(A, k), 0) &&
       !cross.simplify_indexed().is_zero() && cross.simplify_indexed().get_free_indices().size() == 1 &&
       simple(lorentz * indexed(A, down(mu)) * indexed(A, down(nu)), 0));
    return plus_end();
}
