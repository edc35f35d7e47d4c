/*---
 * tasks: [GiNaC.newton_interp-e4fa09]
 * tests:
 *   the first point gives what it has: 'Caller pgcd: H is zero and newton_poly one at the start.'
 *   it has the given value at the new point: 'Comment: "P(x = pt1) = e1".'
 *   it keeps the values at the previous points: 'Comment: "P(x = pt in prevpts) = prev(x = pt)".'
 *   two points give a line: 'Comment: Newton interpolation.'
 *   points one after the other give back a polynomial: 'Comment: "incremental form".'
 *   coefficients are polynomials in further variables: 'Comment: "e1 in Z_p[Y]".'
 *   a value that fits already changes nothing: 'Comment: prev itself has all the values.'
 *   a value of zero: 'Comment: "P(x = pt1) = e1".'
 *   a new point of zero: 'Comment: "evaluation points pt1, prevpts in Z_p".'
 *   negative points: 'Comment: Z_p; smod_helpers.h: the symmetric representation.'
 *   the node polynomial is inverted modulo p: 'Comment: all is in Z_p.'
 *   coefficients are reduced to the symmetric representation: 'Caller pgcd compares H with is_equal; smod_helpers.h.'
 *   the result is multiplied out: 'Caller pgcd takes coefficients of H.'
 *   the degree is that of the node polynomial at most: 'Comment: Newton interpolation.'
 *   the node polynomial may be a product or a sum: 'Comment: "should have a form (x - pt_2) (x - pt_3)"; the caller.'
 *   another variable can be the main one: 'Parameter x.'
 *   primes of 31 and 61 bits: 'Signature: long p.'
 *   a prime of three: 'Comment: any Z_p.'
 *   the arguments stay: 'Signature: const.'
 ---*/
#include "plus.h"

namespace GiNaC {
ex newton_interp(const ex &e1, const long pt1, const ex &prev, const ex &prevpts, const ex &x, const long p);
}

using namespace GiNaC;

static symbol x("x"), y("y"), z("z");

/* A polynomial reduced modulo p, to the symmetric representation. */
static ex mod(const ex &e, long p) {
    return e.expand().smod(numeric(p));
}

static ex at(const ex &e, const ex &v, long point, long p) {
    return mod(e.subs(v == numeric(point)), p);
}

static bool same_mod(const ex &a, const ex &b, long p) {
    return mod((a - b).expand(), p).is_zero();
}

/* What comes of a polynomial's values at points, one after the other. */
static ex rebuilt(const ex &f, const std::vector<long> &points, const ex &v, long p) {
    ex h = 0, nodes = 1;
    for (long point : points) {
        h = newton_interp(at(f, v, point, p), point, h, nodes, v, p);
        nodes = nodes * (v - point);
    }
    return h;
}

int main() {
    ok("the first point gives what it has", newton_interp(5, 3, 0, 1, x, 101).is_equal(5) &&
       newton_interp(y * y - 2 * y, -4, 0, 1, x, 101).is_equal(y * y - 2 * y) &&
       newton_interp(0, 3, 0, 1, x, 101).is_zero());

    const ex prev = (3 * x * y + 5 * x - 7 * y + z).expand(), nodes = (x - 1) * (x - 2);
    const ex e1 = 4 * y * y - z + 11;
    const ex r = newton_interp(e1, 5, prev, nodes, x, 101);
    ok("it has the given value at the new point", same_mod(r.subs(x == 5), e1, 101));
    ok("it keeps the values at the previous points", same_mod(r.subs(x == 1), prev.subs(x == 1), 101) &&
       same_mod(r.subs(x == 2), prev.subs(x == 2), 101));
    ok("two points give a line", newton_interp(7, 2, 4, x - 1, x, 101).is_equal(3 * x + 1) &&
       newton_interp(1, 3, 5, x - 1, x, 101).is_equal(7 - 2 * x) &&
       newton_interp(y, 1, 0, x, x, 101).is_equal(x * y));
    const ex f = (5 * pow(x, 4) - 3 * pow(x, 2) + 20 * x - 49).expand();
    ok("points one after the other give back a polynomial", rebuilt(f, {1, 2, 3, 4, 5}, x, 101).is_equal(f) &&
       rebuilt(f, {9, -3, 50, 0, 17}, x, 101).is_equal(f) && rebuilt(f, {0, 1, 2, 3, 4, 5, 6, 7}, x, 101).is_equal(f));
    const ex g = (pow(x, 3) * y * z - 4 * x * pow(y, 5) + (x * x - x + 1) * z - 12 * y + 3).expand();
    ok("coefficients are polynomials in further variables", rebuilt(g, {4, 1, -7, 30}, x, 101).is_equal(g) &&
       rebuilt(g, {-1, 2, 3, 4, 5, 6}, x, 10007).is_equal(g));
    ok("a value that fits already changes nothing",
       newton_interp(mod(prev.subs(x == 9), 101), 9, prev, nodes, x, 101).is_equal(prev) &&
       newton_interp(3, 2, 3, x - 1, x, 7).is_equal(3));
    const ex zero = newton_interp(0, 5, prev, nodes, x, 101);
    ok("a value of zero", same_mod(zero.subs(x == 5), 0, 101) && same_mod(zero.subs(x == 1), prev.subs(x == 1), 101) &&
       same_mod(zero.subs(x == 2), prev.subs(x == 2), 101));
    const ex origin = newton_interp(e1, 0, prev, nodes, x, 101);
    ok("a new point of zero", same_mod(origin.subs(x == 0), e1, 101) &&
       same_mod(origin.subs(x == 1), prev.subs(x == 1), 101) && same_mod(origin.subs(x == 2), prev.subs(x == 2), 101));
    const ex minus = newton_interp(e1, -6, prev, (x + 1) * (x + 50), x, 101);
    ok("negative points", same_mod(minus.subs(x == -6), e1, 101) && same_mod(minus.subs(x == 95), e1, 101) &&
       same_mod(minus.subs(x == -1), prev.subs(x == -1), 101) &&
       same_mod(minus.subs(x == 51), prev.subs(x == 51), 101) &&
       rebuilt(f, {-1, -2, -3, -4, -5}, x, 101).is_equal(f));

    bool inverted = true;
    for (long p : {5L, 7L, 11L})
        for (long point = 4; point < p; point++) {
            const ex h = newton_interp(y + 1, point, y, (x - 1) * (x - 2) * (x - 3), x, p);
            inverted = inverted && same_mod(h.subs(x == point), y + 1, p);
            for (int k = 1; k < 4; k++) inverted = inverted && same_mod(h.subs(x == k), y, p);
        }
    ok("the node polynomial is inverted modulo p", inverted);
    bool reduced = true, expanded = true, degrees = true;
    for (long p : {7L, 11L, 101L})
        for (long point = 3; point < 7; point++) {
            const ex h = newton_interp((3 * y * y - 2 * z).expand(), point, mod(prev, p), nodes, x, p);
            reduced = reduced && h.is_equal(mod(h, p));
            expanded = expanded && h.is_equal(h.expand());
            degrees = degrees && h.expand().degree(x) <= 2;
        }
    reduced = reduced && newton_interp(2, 2, -2, x - 1, x, 7).is_equal(-3 * x + 1);
    ok("coefficients are reduced to the symmetric representation", reduced);
    ok("the result is multiplied out", expanded && r.is_equal(r.expand()));
    ok("the degree is that of the node polynomial at most", degrees &&
       newton_interp(5, 3, 0, 1, x, 101).degree(x) == 0 &&
       r.expand().degree(x) == 2);
    ok("the node polynomial may be a product or a sum",
       newton_interp(e1, 5, prev, nodes.expand(), x, 101).is_equal(r) &&
       newton_interp(e1, 5, prev, (2 - x) * (1 - x), x, 101).is_equal(r));
    const ex w = (pow(y, 2) * x + 3 * y - x * z).expand();
    ok("another variable can be the main one", rebuilt(w, {1, 5, -3}, y, 101).is_equal(w) &&
       newton_interp(x, 2, 0, y - 1, y, 101).is_equal((x * y - x).expand()));
    const long large = 2147483647L, larger = 2305843009213693951L;
    const ex b = (2000000000 * pow(x, 2) * y - 1073741000 * x + 999999999 * y * z).expand();
    const ex c = (numeric("1152921504606846000") * x * y - numeric("999999999999999999") * x * x + 5 * z).expand();
    ok("primes of 31 and 61 bits", rebuilt(b, {1000000007, 3, -2}, x, large).is_equal(mod(b, large)) &&
       rebuilt(c, {1152921504606846975, 2, -900000000000000000}, x, larger).is_equal(c));
    ok("a prime of three", rebuilt(x * x + x * y - 1, {0, 1, -1}, x, 3).is_equal(x * x + x * y - 1));
    ok("the arguments stay", prev.is_equal((3 * x * y + 5 * x - 7 * y + z).expand()) &&
       nodes.is_equal((x - 1) * (x - 2)) && e1.is_equal(4 * y * y - z + 11));
    return plus_end();
}
