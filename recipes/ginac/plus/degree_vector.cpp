/*---
 * tasks: [GiNaC.degree_vector-74b22c]
 * tests:
 *   one variable gives its degree: 'Comment: "generalization of degree(expr, var)".'
 *   one entry for each variable: 'Comment: "Degree vector"; callers compare and add all entries.'
 *   a monomial gives its exponents in the order of the variables: 'Comment: "Degree vector of a leading term".'
 *   the last variable decides which term leads: 'Neighbour operator<(exp_vector_t): from the last entry on.'
 *   variables before the last decide among equals: 'Neighbour operator<(exp_vector_t): from the last entry on.'
 *   the order of the variables matters: 'Parameter vars.'
 *   the degrees are of one term and not each the highest: 'Comment: "of a leading term".'
 *   a constant has degree zero in all: 'Comment: "generalization of degree(expr, var)".'
 *   zero has degree zero in all: 'Comment: "generalization of degree(expr, var)".'
 *   a variable that is not there has degree zero: 'Comment: "generalization of degree(expr, var)".'
 *   without variables the vector is empty: 'Comment: "Degree vector"; one entry for each variable.'
 *   products are multiplied out: 'Comment: a polynomial in any form; neighbours expand.'
 *   what cancels does not count: 'Comment: "of a leading term".'
 *   coefficients of other symbols do not count: 'Comment: degrees in vars.'
 *   signs and sizes of coefficients do not count: 'Comment: "Degree vector of a leading term".'
 *   the polynomial and the variables stay: 'Signature: e by value, vars const.'
 *   it is that of the last term that collect_vargs gives: 'Neighbour collect_vargs sorts terms the same way.'
 *   it does not depend on how the polynomial is written: 'Comment: of a polynomial.'
 *   a product has the sum of the vectors: 'Comment: the leading term of a product is that of the leading terms.'
 ---*/
#include "plus.h"
#include "polynomial/collect_vargs.h"

using namespace GiNaC;

static symbol x("x"), y("y"), z("z"), w("w"), a("a");

static bool is(const ex &e, const exvector &vars, const std::vector<int> &want) {
    return degree_vector(e, vars) == want;
}

int main() {
    ok("one variable gives its degree", is(pow(x, 3) + x + 1, {x}, {3}) && is(x, {x}, {1}) &&
       is(5 * pow(x, 17) - pow(x, 18), {x}, {18}));
    ok("one entry for each variable", degree_vector(x, {x, y, z, w}).size() == 4 &&
       degree_vector(w, {x, y, z, w}).size() == 4 && degree_vector(1, {x, y}).size() == 2);
    ok("a monomial gives its exponents in the order of the variables",
       is(pow(x, 2) * pow(y, 3) * pow(z, 5), {x, y, z}, {2, 3, 5}) &&
       is(pow(x, 2) * pow(y, 3) * pow(z, 5), {z, x, y}, {5, 2, 3}) && is(7 * x * pow(w, 9), {x, y, w}, {1, 0, 9}));
    ok("the last variable decides which term leads", is(pow(x, 5) + pow(x, 2) * y, {x, y}, {2, 1}) &&
       is(pow(x, 9) * pow(y, 8) + z, {x, y, z}, {0, 0, 1}) && is(pow(x, 9) + pow(y, 2), {x, y}, {0, 2}));
    ok("variables before the last decide among equals", is(x * y + pow(x, 4) * y + y + pow(x, 7), {x, y}, {4, 1}) &&
       is(pow(x, 9) * z + y * z + pow(y, 20), {x, y, z}, {0, 1, 1}) &&
       is(pow(x, 9) * z + pow(x, 2) * y * z + x * y * z, {x, y, z}, {2, 1, 1}));
    const ex p = pow(x, 5) + pow(x, 2) * y + pow(y, 3) * z;
    ok("the order of the variables matters", is(p, {x, y, z}, {0, 3, 1}) && is(p, {z, y, x}, {0, 0, 5}) &&
       is(p, {x, z, y}, {0, 1, 3}) && is(p, {y, z, x}, {0, 0, 5}) && is(p, {y, x, z}, {3, 0, 1}));
    ok("the degrees are of one term and not each the highest", is(pow(x, 7) + y, {x, y}, {0, 1}) &&
       is(pow(x, 3) * y + pow(x, 2) * pow(y, 2) + pow(y, 3), {x, y}, {0, 3}));
    ok("a constant has degree zero in all", is(42, {x, y, z}, {0, 0, 0}) && is(-1, {x}, {0}) &&
       is(numeric(2, 3), {x, y}, {0, 0}));
    ok("zero has degree zero in all", is(0, {x, y}, {0, 0}) &&
       is(pow(x + 1, 2) - pow(x, 2) - 2 * x - 1, {x, y}, {0, 0}));
    ok("a variable that is not there has degree zero", is(pow(x, 2) + 1, {y, x}, {0, 2}) &&
       is(pow(x, 2) + 1, {x, y}, {2, 0}) && is(y * y, {x, y, z}, {0, 2, 0}));
    ok("without variables the vector is empty", degree_vector(x + 1, {}).empty() && degree_vector(0, {}).empty());
    ok("products are multiplied out", is(pow(x + y, 3), {x, y}, {0, 3}) && is((x + y) * (x + 1), {x, y}, {1, 1}) &&
       is(pow(x + 1, 4) * (pow(y, 2) + x * y), {x, y}, {4, 2}) &&
       is(pow(x * y + 1, 2) * (z + x), {x, y, z}, {2, 2, 1}));
    ok("what cancels does not count", is((x + 1) * (x - 1) - pow(x, 2), {x}, {0}) &&
       is((x + y) * (x - y) + pow(y, 2), {x, y}, {2, 0}) && is(pow(x + y, 2) - pow(y, 2), {x, y}, {1, 1}) &&
       is(x * (y + 1) - x * y + y, {x, y}, {0, 1}) && is(pow(y, 3) * (x + 1) - x * pow(y, 3), {x, y}, {0, 3}));
    ok("coefficients of other symbols do not count", is(a * x + 1, {x}, {1}) &&
       is(pow(a, 5) * y + a * pow(x, 2), {x, y}, {0, 1}) && is((a + 1) * x * y + a * pow(x, 3) * y, {x, y}, {3, 1}));
    ok("signs and sizes of coefficients do not count", is(-pow(x, 2) + 1000 * x, {x}, {2}) &&
       is(-3 * x * y + 5 * y + 7 * pow(x, 9), {x, y}, {1, 1}) && is(y / 3 + 100 * x, {x, y}, {0, 1}));
    const ex kept = (x + y) * (x - z);
    const exvector vars{x, y, z};
    degree_vector(kept, vars);
    ok("the polynomial and the variables stay", kept.is_equal((x + y) * (x - z)) && is_exactly_a<mul>(kept) &&
       vars.size() == 3 && vars[0].is_equal(x) && vars[1].is_equal(y) && vars[2].is_equal(z));

    bool last = true, written = true, sums = true;
    ex before = 1;
    unsigned seed = 7;
    for (int i = 0; i < 60; i++) {
        ex e = 0;
        for (int k = 0; k < 6; k++) {
            int n[4];
            for (int &m : n) {
                seed = seed * 1103515245u + 12345u;
                m = seed >> 16 & 3;
            }
            e += (k - n[3] * 2 - 1) * pow(x, n[0]) * pow(y, n[1]) * pow(z, n[2]);
        }
        if (e.is_zero()) continue;
        ex_collect_t terms;
        collect_vargs(terms, e, vars);
        const exp_vector_t v = degree_vector(e, vars), u = degree_vector(before, vars);
        last = last && v == terms.back().first;
        written = written && degree_vector(e.collect(x), vars) == v && degree_vector(e.collect(z), vars) == v &&
                  degree_vector((e * (x + 1)).expand() - e * x, vars) == v;
        exp_vector_t sum;
        for (int k = 0; k < 3; k++) sum.push_back(v[k] + u[k]);
        sums = sums && degree_vector(e * before, vars) == sum;
        before = e;
    }
    ok("it is that of the last term that collect_vargs gives", last);
    ok("it does not depend on how the polynomial is written", written);
    ok("a product has the sum of the vectors", sums);
    return plus_end();
}
