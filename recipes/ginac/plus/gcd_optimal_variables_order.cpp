/*---
 * tasks: [GiNaC.gcd_optimal_variables_order-601e75]
 * tests:
 *   the variables of both polynomials: 'Docstring: "all variables that appear in two polynomials".'
 *   each variable once: 'Docstring: an order of variables; callers use it as x_0, ..., x_n.'
 *   a variable of the first polynomial alone: 'Docstring: "all variables that appear in two polynomials".'
 *   a variable of the second polynomial alone: 'Docstring: "all variables that appear in two polynomials".'
 *   one variable: 'Docstring: "all variables".'
 *   numbers have no variables: 'Docstring: "all variables that appear".'
 *   one polynomial is a number: 'Docstring: "all variables that appear in two polynomials".'
 *   polynomials with no variable in common: 'Docstring: "all variables that appear in two polynomials".'
 *   variables of products and powers: 'Docstring: "all variables that appear".'
 *   many variables: 'Docstring: "all variables that appear".'
 *   the variables are in the order of their degrees: 'Docstring: "Sorts the variables by minimum degree"; max_deg.'
 *   the higher of the degrees in both polynomials counts: 'Neighbour sym_desc: max_deg is "Used for sorting".'
 *   the order of names and of creation does not count: 'Docstring: "Sorts the variables by".'
 *   among equal degrees the terms of the leading coefficient count: 'Neighbour sym_desc: operator< and max_lcnops.'
 *   all orders go the same way: 'Docstring: one order; callers take the main variable from one end.'
 *   the order of the polynomials does not matter: 'Docstring: of two polynomials.'
 *   the variables are symbols of the polynomials: 'Callers take degrees and coefficients in them.'
 *   the polynomials stay: 'Signature: const.'
 *   GCDs are found with it: 'Caller chinrem_gcd.'
 ---*/
#include "plus.h"
#include "polynomial/optimal_vars_finder.h"

namespace GiNaC {
ex chinrem_gcd(const ex &A, const ex &B);
}

using namespace GiNaC;

static symbol x("x"), y("y"), z("z"), u("u"), w("w");
static bool rising = true, falling = true;

/* Whether two vectors hold the same variables, in any order. */
static bool equal(const exvector &a, const exvector &b) {
    if (a.size() != b.size()) return false;
    for (const ex &e : b)
        if (std::count_if(a.begin(), a.end(), [&e](const ex &f) { return e.is_equal(f); }) != 1) return false;
    return true;
}

static bool has(const ex &A, const ex &B, const exvector &want) {
    return equal(gcd_optimal_variables_order(A, B), want);
}

/* Whether the order is this one or its reverse; which of both is noted. */
static bool ordered(const ex &A, const ex &B, const exvector &want) {
    const exvector v = gcd_optimal_variables_order(A, B);
    if (v.size() != want.size()) return false;
    bool up = true, down = true;
    for (std::size_t i = 0; i < v.size(); i++) {
        up = up && v[i].is_equal(want[i]);
        down = down && v[i].is_equal(want[v.size() - 1 - i]);
    }
    rising = rising && up;
    falling = falling && down;
    return up || down;
}

int main() {
    ok("the variables of both polynomials", has(x * x + y, x * y - z, {x, y, z}) && has(x + y, x - y, {x, y}) &&
       has(x * y * z + 1, pow(x, 3) - z, {x, y, z}));
    bool once = true;
    const exvector v = gcd_optimal_variables_order(pow(x, 3) * y + x * x * y + x + y, x * y * y - x + 4 * y);
    for (std::size_t i = 0; i < v.size(); i++)
        for (std::size_t k = 0; k < i; k++) once = once && !v[i].is_equal(v[k]);
    ok("each variable once", once && v.size() == 2);
    ok("a variable of the first polynomial alone", has(x + y * z, x - y, {x, y, z}) && has(pow(x, 4), 1 + y, {x, y}));
    ok("a variable of the second polynomial alone", has(x - y, x + y * z, {x, y, z}) && has(1 + y, pow(x, 4), {x, y}));
    ok("one variable", has(x + 1, x - 1, {x}) && has(pow(x, 5), x, {x}) && has(x, x, {x}));
    ok("numbers have no variables", gcd_optimal_variables_order(4, 6).empty() &&
       gcd_optimal_variables_order(0, numeric(1, 2)).empty());
    ok("one polynomial is a number", has(x + y, 7, {x, y}) && has(1, x * y, {x, y}) && has(0, x + 1, {x}));
    ok("polynomials with no variable in common", has(x + y, z * u - w, {x, y, z, u, w}) && has(x, y, {x, y}));
    ok("variables of products and powers", has((x + y) * (x - z), pow(u + 1, 3), {x, y, z, u}) &&
       has(pow(x + pow(y, 2), 2) * w, x, {x, y, w}));
    exvector many;
    ex A = 1, B = 1;
    for (int i = 0; i < 12; i++) {
        const ex s = symbol();
        many.push_back(s);
        A += (i % 3 != 1 ? 1 : 0) * pow(s, 1 + i * 5 % 12);
        B += (i % 3 != 0 ? 2 : 0) * pow(s, 1 + i * 5 % 12);
    }
    ok("many variables", has(A, B, many));
    exvector by_degree(12);
    for (int i = 0; i < 12; i++) by_degree[i * 5 % 12] = many[i];
    bool degrees = ordered(A, B, by_degree);
    degrees = degrees && ordered(pow(x, 3) + pow(y, 2) + z, x * y * z + 1, {z, y, x});
    degrees = degrees && ordered(x + pow(y, 2) + pow(z, 3), x * y * z + 1, {x, y, z});
    degrees = degrees && ordered(y + pow(z, 4) + pow(x, 9), x * y * z + 1, {y, z, x});
    ok("the variables are in the order of their degrees", degrees);
    ok("the higher of the degrees in both polynomials counts", ordered(pow(x, 5) + y * y, x + y * y, {y, x}) &&
       ordered(x + y * y, pow(x, 5) + y * y, {y, x}) && ordered(pow(x, 5) + y, x + pow(y, 9), {x, y}) &&
       ordered(pow(x, 4) + y + pow(z, 2), x + pow(y, 3) + pow(z, 2), {z, y, x}) &&
       ordered(pow(x, 4) + pow(y, 5) + 1, pow(x, 4) + 1, {x, y}));
    bool names = true;
    exvector three{x, y, z};
    int order[] = {0, 1, 2};
    do {
        const ex a = three[order[0]], b = three[order[1]], c = three[order[2]];
        names = names && ordered(a + pow(b, 3) + pow(c, 6), a * b * c - 2, {a, b, c}) &&
                ordered(a * b * c - 2, a + pow(b, 3) + pow(c, 6), {a, b, c});
    } while (std::next_permutation(order, order + 3));
    ok("the order of names and of creation does not count", names);
    bool terms = true;
    for (int i = 0; i < 3; i++) {
        const ex a = three[i], b = three[(i + 1) % 3], c = three[(i + 2) % 3];
        const ex p = (pow(a, 2) * (b + c + 1) + pow(b, 2) + a * pow(c, 5)).expand();
        terms = terms && ordered(p, a + b + c, {b, a, c});
    }
    ok("among equal degrees the terms of the leading coefficient count", terms);
    ok("all orders go the same way", rising != falling);
    bool swapped = true;
    const ex P = pow(x, 5) * y + pow(z, 3) - u, Q = pow(y, 4) + x * z + pow(u, 2);
    const exvector one = gcd_optimal_variables_order(P, Q), other = gcd_optimal_variables_order(Q, P);
    for (std::size_t i = 0; i < 4; i++) swapped = swapped && one.size() == 4 && one[i].is_equal(other.at(i));
    ok("the order of the polynomials does not matter", swapped);
    bool symbols = true;
    for (const ex &e : one) symbols = symbols && is_a<symbol>(e);
    ok("the variables are symbols of the polynomials", symbols && equal(one, {x, y, z, u}));
    ok("the polynomials stay", P.is_equal(pow(x, 5) * y + pow(z, 3) - u) && Q.is_equal(pow(y, 4) + x * z + pow(u, 2)));

    const ex g = x * y - 3 * z + 2;
    const ex d = chinrem_gcd((g * (x * x + y - 1)).expand(), (g * (z * z - 5 * x)).expand());
    const ex k = (pow(x, 4) + y).expand(), l = chinrem_gcd((k * (x - 2)).expand(), (k * (y + 7)).expand());
    const ex one_of_both = chinrem_gcd(((x + 1) * (y + 2)).expand(), ((x + 1) * (z - 3)).expand());
    ok("GCDs are found with it", (same(d, g) || same(d, -g)) && (same(l, k) || same(l, -k)) &&
       (same(one_of_both, x + 1) || same(one_of_both, -x - 1)));
    return plus_end();
}
