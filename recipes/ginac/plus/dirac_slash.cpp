/*---
 * tasks: [GiNaC.dirac_slash-fb56fd]
 * tests:
 *   it is printed with a backslash: 'Tutorial: "printed with a trailing backslash".'
 *   it is a clifford object of the expression: 'Neighbour base_and_index takes op(0) of it for the vector.'
 *   its index has the dimension: 'Docstring: "@param dim Dimension of index"; base_and_index reads it there.'
 *   its label is the one given: 'Docstring: "@param rl Representation label".'
 *   its label is zero by default: 'Signature: rl = 0.'
 *   the same vector gives the same term: 'Tutorial: terms such as -D*a\+2*a\ are collected.'
 *   other vectors, labels and dimensions give other terms: 'Docstring: all three parameters.'
 *   it has the metric of the gamma matrices: 'Tutorial: "with the Dirac Lorentz vector"; eta is the Minkowski metric.'
 *   it anticommutates as gamma matrices do: 'Tutorial: gammas of one sign; get_commutator_sign.'
 *   it has no free index: 'Docstring: "e_mu * gamma~mu", a contraction.'
 *   it does not commute within a label: 'Tutorial: behaves like e.mu gamma~mu.'
 *   it commutes with other labels: 'Tutorial: "Gammas with different labels commutate with each other".'
 *   its square is that of the vector: 'Tutorial: "squares are replaced by their values"; eval_ncmul.'
 *   the square has the dimension: 'Docstring: "@param dim Dimension of index".'
 *   gamma5 goes through it with a sign: 'Neighbour eval_ncmul: x gamma5 -> -gamma5 x.'
 *   between two gammas: 'Tutorial: gamma~mu a\ gamma.mu is -D*a\+2*a\.'
 *   two between two gammas: 'Neighbour contract_with: 4 a.b + (dim-4) a\ b\.'
 *   the trace of one is zero: 'Neighbour dirac_trace: all elements are traceless but ONE, L and R.'
 *   the trace of two is four times the scalar product: 'Tutorial: behaves like e.mu gamma~mu.'
 *   the trace has the dimension: 'Docstring: "@param dim Dimension of index".'
 *   the trace of four: 'Neighbour trace_string.'
 *   the trace takes the label alone: 'Docstring: "@param rl Representation label".'
 *   a gamma contracted with a vector is it: 'Caller contract_with: "x.mu gamma~mu -> x-slash".'
 *   several dimensions go beside each other: 'Docstring: "@param dim Dimension of index", of each call.'
 *   the vector can be substituted: 'Tutorial: subs of any expression.'
 ---*/
#include "plus.h"

using namespace GiNaC;

static std::string text(const ex &e) {
    std::ostringstream s;
    s << e;
    return s.str();
}

/* Whether an expression has indices, all of this dimension. */
static bool all_of_dim(const ex &e, const ex &dim) {
    bool any = false;
    for (auto at = e.preorder_begin(); at != e.preorder_end(); ++at)
        if (is_a<idx>(*at)) {
            if (!ex_to<idx>(*at).get_dim().is_equal(dim)) return false;
            any = true;
        }
    return any;
}

static int label(const ex &e) {
    return ex_to<clifford>(e).get_representation_label();
}

int main() {
    symbol a("a"), b("b"), c("c"), d("d"), D("D"), E("E"), ab("ab"), aa("aa"), ac("ac"), bc("bc"), ad("ad"), bd("bd"),
        cd("cd");
    const ex s = dirac_slash(a, D), t = dirac_slash(b, D), four = dirac_slash(a, 4);
    varidx mu(symbol("mu"), D), nu(symbol("nu"), 4);
    const ex mu_co = mu.toggle_variance(), nu_co = nu.toggle_variance();
    scalar_products sp;
    sp.add(a, b, ab), sp.add(a, a, aa), sp.add(a, c, ac), sp.add(b, c, bc), sp.add(a, d, ad), sp.add(b, d, bd);
    sp.add(c, d, cd);

    ok("it is printed with a backslash", text(s) == "a\\" && text(four) == "a\\" &&
       text(dirac_slash(b, 4, 3)) == "b\\");
    ok("it is a clifford object of the expression", is_a<clifford>(s) && s.op(0).is_equal(a) &&
       is_a<clifford>(dirac_slash(b, 4, 2)) && dirac_slash(b, 4, 2).op(0).is_equal(b) && s.nops() == 3);
    ok("its index has the dimension", ex_to<idx>(s.op(1)).get_dim().is_equal(D) &&
       ex_to<idx>(four.op(1)).get_dim().is_equal(4) && ex_to<idx>(dirac_slash(a, E).op(1)).get_dim().is_equal(E));
    ok("its label is the one given", label(dirac_slash(a, D, 1)) == 1 && label(dirac_slash(a, 4, 7)) == 7 &&
       label(dirac_slash(b, D, 255)) == 255);
    ok("its label is zero by default", label(s) == 0 && dirac_slash(a, D, 0).is_equal(s));
    ok("the same vector gives the same term", (s - dirac_slash(a, D)).is_zero() &&
       (s + dirac_slash(a, D)).is_equal(2 * s) &&
       dirac_slash(b, 4, 3).is_equal(dirac_slash(b, 4, 3)));
    ok("other vectors, labels and dimensions give other terms", !s.is_equal(t) && !s.is_equal(four) &&
       !s.is_equal(dirac_slash(a, D, 1)) && !dirac_slash(a, D, 1).is_equal(dirac_slash(a, D, 2)));
    ok("it has the metric of the gamma matrices", ex_to<clifford>(s).same_metric(dirac_gamma(mu)) &&
       ex_to<clifford>(dirac_gamma(nu)).same_metric(four) &&
       same(ex_to<clifford>(four).get_metric(nu, nu), lorentz_g(nu, nu)) &&
       ex_to<clifford>(four).get_metric(varidx(0, 4), varidx(0, 4)).is_equal(1) &&
       ex_to<clifford>(four).get_metric(varidx(2, 4), varidx(2, 4)).is_equal(-1));
    ok("it anticommutates as gamma matrices do", ex_to<clifford>(s).get_commutator_sign() ==
       ex_to<clifford>(dirac_gamma(mu)).get_commutator_sign());
    ok("it has no free index", s.get_free_indices().empty() && four.get_free_indices().empty());
    ok("it does not commute within a label", !(s * t - t * s).is_zero() &&
       !(s * dirac_gamma(mu) - dirac_gamma(mu) * s).is_zero() &&
       s.return_type() == return_types::noncommutative);
    const ex other = dirac_slash(b, D, 1);
    ok("it commutes with other labels", (s * other - other * s).is_zero() &&
       (dirac_gamma(mu) * other - other * dirac_gamma(mu)).is_zero());

    const ex square = s * s, square4 = four * four;
    ok("its square is that of the vector", same(square.simplify_indexed(sp), aa * dirac_ONE()) &&
       same(square4.simplify_indexed(sp), aa * dirac_ONE()) &&
       same((dirac_slash(a, 4, 5) * dirac_slash(a, 4, 5)).simplify_indexed(sp), aa * dirac_ONE(5)) &&
       same((t * s * s).simplify_indexed(sp), aa * t));
    ok("the square has the dimension", all_of_dim(square, D) && all_of_dim(square4, 4) &&
       all_of_dim(dirac_slash(b, E) * dirac_slash(b, E), E));
    ok("gamma5 goes through it with a sign", same(four * dirac_gamma5(), -dirac_gamma5() * four) &&
       same(four * dirac_gammaL(), dirac_gammaR() * four));
    ok("between two gammas", same((dirac_gamma(mu) * s * dirac_gamma(mu_co)).simplify_indexed(), (2 - D) * s) &&
       same((dirac_gamma(nu) * four * dirac_gamma(nu_co)).simplify_indexed(), -2 * four));
    const ex two = (dirac_gamma(mu) * s * t * dirac_gamma(mu_co)).simplify_indexed(sp);
    ok("two between two gammas", same(two, 4 * ab * dirac_ONE() + (D - 4) * s * t));
    ok("the trace of one is zero", dirac_trace(s).is_zero() && dirac_trace(s * t * dirac_slash(c, D)).is_zero() &&
       same(dirac_trace(s + 3 * dirac_ONE()), 12));
    ok("the trace of two is four times the scalar product", same(dirac_trace(s * t).simplify_indexed(sp), 4 * ab) &&
       same(dirac_trace(four * dirac_slash(c, 4)).simplify_indexed(sp), 4 * ac));
    scalar_products in_D, in_4;
    in_D.add(a, b, D, ab), in_4.add(a, b, 4, ac);
    const ex trace_D = dirac_trace(s * t), trace_4 = dirac_trace(four * dirac_slash(b, 4));
    ok("the trace has the dimension", same(trace_D.simplify_indexed(in_D), 4 * ab) && all_of_dim(trace_D, D) &&
       same(trace_4.simplify_indexed(in_4), 4 * ac) && all_of_dim(trace_4, 4) &&
       same(trace_4.simplify_indexed(in_D), trace_4) && same(trace_D.simplify_indexed(in_4), trace_D));
    ok("the trace of four", same(dirac_trace(s * t * dirac_slash(c, D) * dirac_slash(d, D)).simplify_indexed(sp),
       4 * (ab * cd + ad * bc - ac * bd)));
    const ex one = dirac_slash(a, 4, 1) * dirac_slash(b, 4, 1);
    ok("the trace takes the label alone", same(dirac_trace(one, 1).simplify_indexed(sp), 4 * ab) &&
       same(dirac_trace(one, 0), one) && same(dirac_trace(one * dirac_slash(c, 4, 2), 1).simplify_indexed(sp),
       4 * ab * dirac_slash(c, 4, 2)));
    ok("a gamma contracted with a vector is it", same((indexed(a, mu_co) * dirac_gamma(mu)).simplify_indexed(), s) &&
       same((indexed(a, nu) * dirac_gamma(nu_co, 3)).simplify_indexed(), dirac_slash(a, 4, 3)));
    bool beside = true;
    const ex dims[] = {4, D, E, 4, D};
    for (const ex &dim : dims) {
        varidx rho(symbol("rho"), dim);
        const ex u = dirac_slash(c, dim);
        beside = beside && all_of_dim(u * u, dim) &&
                 same((dirac_gamma(rho) * u * dirac_gamma(rho.toggle_variance())).simplify_indexed(), (2 - dim) * u) &&
                 ex_to<idx>(u.op(1)).get_dim().is_equal(dim);
    }
    ok("several dimensions go beside each other", beside);
    ok("the vector can be substituted", s.subs(a == b).is_equal(t) && same((s * t).subs(b == a).simplify_indexed(sp),
       aa * dirac_ONE()) && dirac_slash(a, D, 4).subs(a == c).is_equal(dirac_slash(c, D, 4)));
    return plus_end();
}
