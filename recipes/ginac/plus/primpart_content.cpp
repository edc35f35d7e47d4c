/*---
 * tasks: [GiNaC.primpart_content-7a557f]
 * tests:
 *   a content in the last variable is split off: 'Docstring: "primitive part and the content".'
 *   a primitive polynomial keeps all: 'Docstring: "primitive part".'
 *   one term has its coefficient for content: 'Docstring: coefficients are "modular polynomials Z_p[x_n]".'
 *   a polynomial in the last variable alone is all content: 'Docstring: "content (in the sense described above)".'
 *   a polynomial without the last variable: 'Docstring: the content is in Z_p[x_n], a number here.'
 *   a number: 'Docstring: polynomial to operate on.'
 *   zero has a primitive part of zero: 'Docstring: the primitive part times the content is the polynomial.'
 *   every coefficient counts: 'Docstring: the content is that of all coefficients.'
 *   factors that divide modulo p only: 'Docstring: "modular polynomial", in Z_p.'
 *   three variables: 'Docstring: "variables x_0, ..., x_{n-1}, x_n".'
 *   the last of the variables is the one of the content: 'Docstring: coefficients are "modular polynomials Z_p[x_n]".'
 *   products need not be multiplied out before: 'Docstring: polynomial to operate on.'
 *   powers of the last variable are content: 'Docstring: content.'
 *   other variables are never content: 'Docstring: "content (in the sense described above)".'
 *   a number as common factor: 'Docstring: Z_p has no content of numbers but units.'
 *   a prime of 31 bits: 'Parameter p, a long.'
 *   a prime of three: 'Parameter p, modulus.'
 *   the parts multiply to the polynomial: 'Docstring: "primitive part and the content".'
 *   the content has the last variable only: 'Docstring: "content (in the sense described above)".'
 *   the primitive part has no further content: 'Docstring: "primitive part".'
 *   once more there is no content: 'Docstring: "primitive part"; caller pgcd.'
 *   what the results held before does not matter: 'Docstring: "will be computed by this function".'
 *   the variables stay: 'Signature: const.'
 *   the GCD of polynomials with contents: 'Caller pgcd.'
 ---*/
#include "plus.h"
#include "polynomial/collect_vargs.h"

namespace GiNaC {
void primpart_content(ex &pp, ex &c, ex e, const exvector &vars, const long p);
ex pgcd(const ex &A, const ex &B, const exvector &vars, const long p);
}

using namespace GiNaC;

typedef std::vector<long> poly;

static symbol x("x"), y("y"), z("z");
static bool product = true, only = true, primitive = true, again = true;
static ex pp, c;

static ex mod(const ex &e, long p) {
    return e.expand().smod(numeric(p));
}

static long times(long a, long b, long p) {
    return (long)((__int128)a * b % p);
}

static long inverse(long a, long p) {
    long r = 1;
    for (long n = p - 2; n > 0; n >>= 1, a = times(a, a, p))
        if (n & 1) r = times(r, a, p);
    return r;
}

/* A polynomial in v alone as its numbers modulo p, the highest last and one; good becomes false where it isn't one. */
static poly monic(const ex &e, const ex &v, long p, bool &good) {
    const ex f = mod(e, p);
    poly a;
    for (int i = 0; i <= f.degree(v); i++) {
        const ex n = f.coeff(v, i);
        if (!is_a<numeric>(n)) {
            good = false;
            return poly();
        }
        a.push_back((ex_to<numeric>(n).to_long() % p + p) % p);
    }
    while (!a.empty() && !a.back()) a.pop_back();
    if (a.empty()) return a;
    const long r = inverse(a.back(), p);
    for (long &n : a) n = times(n, r, p);
    return a;
}

/* GCD of two such polynomials. */
static poly common(poly a, poly b, long p) {
    while (!b.empty()) {
        const long r = inverse(b.back(), p);
        while (a.size() >= b.size()) {
            const long q = times(a.back(), r, p);
            for (std::size_t i = 0; i < b.size(); i++) {
                long &n = a[a.size() - b.size() + i];
                n = (n - times(q, b[i], p) + p) % p;
            }
            while (!a.empty() && !a.back()) a.pop_back();
            if (a.empty()) break;
        }
        std::swap(a, b);
    }
    if (a.empty()) return a;
    const long r = inverse(a.back(), p);
    for (long &n : a) n = times(n, r, p);
    return a;
}

/* GCD of the coefficients of a polynomial, which are polynomials in the last variable. */
static poly content(const ex &e, const exvector &vars, long p, bool &good) {
    exvector rest = vars;
    rest.pop_back();
    ex_collect_t terms;
    const ex f = mod(e, p);
    poly g;
    if (f.is_zero()) return g;
    collect_vargs(terms, f, rest);
    for (auto &term : terms) g = common(g, monic(term.second, vars.back(), p, good), p);
    return g;
}

/* Whether a polynomial is split, and its content is the one wanted up to a number. */
static bool is(const ex &e, const exvector &vars, long p, const ex &want) {
    pp = x + 77, c = y - 77;
    primpart_content(pp, c, e, vars, p);
    bool good = true;
    const ex f = mod(e, p);
    product = product && mod((mod(pp, p) * c).expand() - f, p).is_zero();
    const poly got = monic(c, vars.back(), p, good), wanted = monic(want, vars.back(), p, good);
    for (std::size_t i = 0; i + 1 < vars.size(); i++) good = good && !mod(c, p).has(vars[i]);
    only = only && good;
    primitive = primitive && content(pp, vars, p, good).size() == 1;
    ex further_pp, further;
    primpart_content(further_pp, further, mod(pp, p), vars, p);
    again = again && is_a<numeric>(mod(further, p)) && mod(further_pp * further - pp, p).is_zero();
    return good && !got.empty() && got == wanted && mod((mod(pp, p) * c).expand() - f, p).is_zero();
}

int main() {
    const exvector yx{y, x}, xy{x, y}, yzx{y, z, x};
    const long p = 101;
    ok("a content in the last variable is split off", is(((x + 1) * (y * y + y * x + 2)).expand(), yx, p, x + 1) &&
       is(((x * x - 3) * (5 * y * y * y - x)).expand(), yx, p, x * x - 3) &&
       is(((x + 7) * (x - 2) * (y + x)).expand(), yx, p, (x + 7) * (x - 2)));
    ok("a primitive polynomial keeps all", is(y * y + y * x + 2, yx, p, 1) && is(x * y + 1, yx, p, 1) &&
       is((x * y + x + y).expand(), yx, p, 1) && is((x + 1) * y + x + 2, yx, p, 1));
    ok("one term has its coefficient for content", is((3 * (x * x + 1) * y * y).expand(), yx, p, x * x + 1) &&
       is((x + 4) * y, yx, p, x + 4) && is(x * x * y * y * y, yx, p, x * x) && is(-y, yx, p, 1) &&
       is(((x - 5) * y * z * z).expand(), yzx, p, x - 5));
    ok("a polynomial in the last variable alone is all content", is(x * x + 1, yx, p, x * x + 1) &&
       is(5 * x - 3, yx, p, 5 * x - 3) && is(x, yzx, p, x) && is(x * x - x, yzx, p, x * x - x));
    ok("a polynomial without the last variable", is(2 * y + 4, yx, p, 1) && is(y * y * y, yx, p, 1) &&
       is(3 * y * z + 6 * z * z - 9, yzx, p, 1));
    ok("a number", is(5, yx, p, 1) && is(-1, yx, p, 1) && is(1, yzx, p, 1));
    pp = x, c = y;
    primpart_content(pp, c, 0, yx, p);
    bool zero = pp.is_zero() && !c.has(y);
    primpart_content(pp, c, (x + y) * (x - y) - x * x + y * y, yx, p);
    ok("zero has a primitive part of zero", zero && pp.is_zero());
    const ex s = x + 3;
    bool every = is((s * (y * y * y + y * y) + s * s * y + 1).expand(), yx, p, 1);
    every = every && is((s * (y * y * y + y * y + y) + x + 4).expand(), yx, p, 1);
    every = every && is((s * (y * y + y + 1) + (x + 4) * y * y * y).expand(), yx, p, 1);
    every = every && is((s * (y * y * y + y + 1) + (x + 4) * y * y).expand(), yx, p, 1);
    every = every && is((s * s * y * y + s * (x - 1) * y + s * s * s).expand(), yx, p, s);
    every = every && is((s * s * y * y + s * s * (x - 1) * y + s).expand(), yx, p, s);
    every = every && is((s * y * y + s * s * y + s * s).expand(), yx, p, s);
    ok("every coefficient counts", every);
    ok("factors that divide modulo p only", is((x * x + 1) * y + x + 2, yx, 5, x + 2) &&
       is(((x * x + 1) * y * y).expand() - 2 * x * y + y, yx, 5, x + 2) && is((x * x - 2) * y + x - 3, yx, 7, x - 3) &&
       is((x * x + 1) * y + x - 10, yx, p, x - 10));
    ok("three variables", is(((x * x + x + 5) * (y * z - x * z + y * y + 3)).expand(), yzx, p, x * x + x + 5) &&
       is(((x - 8) * (y + z)).expand(), yzx, p, x - 8) && is(y * z + x, yzx, p, 1));
    const ex both = ((x + 1) * (y + 2)).expand();
    const bool last = is(both, yx, p, x + 1);
    ok("the last of the variables is the one of the content", last && is(both, xy, p, y + 2) &&
       is((x * y * y + y * y).expand(), xy, p, y * y) && is((x * y * y + y * y).expand(), yx, p, x + 1));
    ok("products need not be multiplied out before", is((x + 1) * (y + x) * (y - 3), yx, p, x + 1) &&
       is(pow(x - 2, 3) * pow(y + x, 2), yx, p, pow(x - 2, 3)) && is((x + 1) * (y + 1) - (x + 1) * y, yx, p, x + 1));
    ok("powers of the last variable are content", is(x * x * y + x * x * x, yx, p, x * x) && is(x * y + x, yx, p, x) &&
       is((pow(x, 5) * y * y + pow(x, 3) * z).expand(), yzx, p, pow(x, 3)));
    ok("other variables are never content", is((y * (x + y)).expand(), yx, p, 1) && is(y * y + y, yx, p, 1) &&
       is((z * y * (x + 1) * (x + y)).expand(), yzx, p, x + 1));
    ok("a number as common factor", is(6 * y * y + 4 * x, yx, p, 1) &&
       is((50 * (x + 1) * (y - 2)).expand(), yx, p, x + 1) &&
       is(-7 * y - 14 * x, yx, p, 1));
    const long large = 2147483647L;
    ok("a prime of 31 bits", is(mod((x - 1000000000) * (2000000000L * y * y - x * y + 999999999), large), yx, large,
       x - 1000000000) && is(mod((1234567890 * x * x + 987654321) * (y + 3), large), yx, large,
       1234567890 * x * x + 987654321));
    ok("a prime of three", is(((x + 1) * (y - x + 1)).expand().smod(3), yx, 3, x + 1) &&
       is((x * x - 1) * y + x + 1, yx, 3, x + 1));
    unsigned seed = 3;
    auto next = [&seed](int n) { return (int)((seed = seed * 1103515245u + 12345u) >> 16) % n; };
    for (int i = 0; i < 25; i++) {
        ex e = 0, f = 1;
        for (int k = 0; k < 5; k++)
            e += (next(100) - 50) * pow(x, next(3)) * pow(y, next(4)) * pow(z, next(3));
        for (int k = next(3); k > 0; k--) f *= x + next(50);
        e = mod(e * f, p);
        if (e.is_zero()) continue;
        bool good = true;
        ex want = 0;
        const poly g = content(e, yzx, p, good);
        for (std::size_t k = 0; k < g.size(); k++) want += g[k] * pow(x, k);
        product = product && is(e, yzx, p, want);
    }
    ok("the parts multiply to the polynomial", product);
    ok("the content has the last variable only", only);
    ok("the primitive part has no further content", primitive);
    ok("once more there is no content", again);
    ex a1 = 0, a2 = 0, b1 = x * y * z, b2 = pow(z, 9);
    primpart_content(a1, a2, both, yx, p);
    primpart_content(b1, b2, both, yx, p);
    ok("what the results held before does not matter", same(a1, b1) && same(a2, b2));
    ok("the variables stay", yx.size() == 2 && yx[0].is_equal(y) && yx[1].is_equal(x) && yzx.size() == 3 &&
       yzx[0].is_equal(y) && yzx[1].is_equal(z) && yzx[2].is_equal(x));
    const ex g = ((x + 3) * (y + x)).expand();
    const ex d = pgcd(mod(g * (x - 2) * (y + 5), p), mod(g * (x + 9) * (y * x - 1), p), yx, p);
    const ex lead = d.expand().coeff(y, 1).coeff(x, 1);
    ok("the GCD of polynomials with contents", is_a<numeric>(lead) &&
       !lead.is_zero() && mod(d - lead * g, p).is_zero());
    return plus_end();
}
