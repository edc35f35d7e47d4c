/*---
 * tasks: [GiNaC.ex.primpart-4e3a1c]
 * tests:
 *   the content of numbers is taken out: 'Docstring: "a content part of 1".'
 *   the sign is taken out: 'Docstring: "a unit-normal polynomial".'
 *   sign and content are taken out together: 'Docstring: "The product of unit part, content part".'
 *   a primitive polynomial stays: 'Docstring: product of the three parts; unit and content are one.'
 *   a content that is a polynomial is taken out: 'Docstring: "multivariate polynomial"; the content is a GCD.'
 *   fractions are taken out: 'Docstring: "in Q[x]".'
 *   the main variable decides: 'Docstring: "@param x  main variable".'
 *   without the main variable it is one: 'Docstring: the polynomial is its own content then.'
 *   a number gives one: 'Neighbour unitcontprim: "Special case: input is a number".'
 *   zero gives zero: 'Docstring: product of the three parts; neighbour unitcontprim.'
 *   what cancels to zero gives zero: 'Docstring: product of the three parts; neighbour unitcontprim.'
 *   powers of the main variable stay: 'Docstring: the content has no main variable.'
 *   products need not be multiplied out before: 'Docstring: of any polynomial.'
 *   the product of the three parts is the polynomial: 'Docstring: "is the polynomial itself".'
 *   its own unit and content are one: 'Docstring: "a unit-normal polynomial with a content part of 1".'
 *   once more changes nothing: 'Docstring: "with a content part of 1".'
 *   a factor of numbers and other variables changes nothing: 'Docstring: unit and content are taken out.'
 *   the second form says the same: 'Neighbour: primpart when the content is already known.'
 *   unitcontprim says the same: 'Docstring: "@see ex::unitcontprim".'
 *   the polynomial stays: 'Signature: const.'
 ---*/
#include "plus.h"

using namespace GiNaC;

static symbol x("x"), y("y"), z("z");

static bool is(const ex &e, const ex &v, const ex &want) {
    return same(e.primpart(v), want);
}

int main() {
    ok("the content of numbers is taken out", is(6 * x * x + 4 * x, x, 3 * x * x + 2 * x) && is(2 * x + 4, x, x + 2) &&
       is(15 * pow(x, 3) + 10 * x + 25, x, 3 * pow(x, 3) + 2 * x + 5));
    ok("the sign is taken out", is(-x + 1, x, x - 1) && is(1 - 3 * x * x, x, 3 * x * x - 1) && is(-x, x, x) &&
       is(5 * x - x * x, x, x * x - 5 * x));
    ok("sign and content are taken out together", is(-2 * x + 4, x, x - 2) && is(9 - 6 * x * x, x, 2 * x * x - 3) &&
       is(-7 * x * x, x, x * x));
    ok("a primitive polynomial stays", is(x, x, x) && is(x * x - 3 * x + 7, x, x * x - 3 * x + 7) &&
       is(3 * x + 2, x, 3 * x + 2) && is(x * y + 1, x, x * y + 1) && is(x * x + y, x, x * x + y));
    ok("a content that is a polynomial is taken out", is(((y + 1) * (x + 2)).expand(), x, x + 2) &&
       is((y * (x * x + y)).expand(), x, x * x + y) && is(((y * y - 1) * x + y + 1).expand(), x, (y - 1) * x + 1) &&
       is((6 * (y + z) * (2 * x - z)).expand(), x, 2 * x - z) && is((-3 * y * x - 6 * y * y).expand(), x, x + 2 * y));
    ok("fractions are taken out", is(x / 2 + ex(1) / 3, x, 3 * x + 2) && is(x * x / 4 - x / 6, x, 3 * x * x - 2 * x) &&
       is(-x / 5, x, x) && is(2 * x / 3 + ex(4) / 3, x, x + 2));
    const ex e = (6 * y * (x + 1)).expand();
    ok("the main variable decides", is(e, x, x + 1) && is(e, y, y) && is((x * y + x).expand(), x, x) &&
       is((x * y + x).expand(), y, y + 1) && is(x - y, x, x - y) && is(x - y, y, y - x));
    ok("without the main variable it is one", is(y + 1, x, 1) && is(-y - 1, x, 1) && is(2 * y + 2, x, 1) &&
       is(y * z, x, 1) && is(-3 * z, x, 1));
    ok("a number gives one", is(5, x, 1) && is(-5, x, 1) && is(1, x, 1) && is(numeric(-2, 3), x, 1));
    ok("zero gives zero", ex(0).primpart(x).is_zero());
    ok("what cancels to zero gives zero", (pow(x + 1, 2) - x * x - 2 * x - 1).primpart(x).is_zero() &&
       (y * (x + 1) - y * x - y).primpart(x).is_zero());
    ok("powers of the main variable stay", is(4 * pow(x, 5), x, pow(x, 5)) && is(y * pow(x, 3), x, pow(x, 3)) &&
       is(2 * pow(x, 3) + 6 * pow(x, 2), x, pow(x, 3) + 3 * pow(x, 2)));
    ok("products need not be multiplied out before", is(6 * (x + 1) * (x - 2), x, x * x - x - 2) &&
       is(-y * (x + y) * (y + 1), x, x + y) && is(2 * pow(2 * x + 2, 2), x, x * x + 2 * x + 1));

    bool product = true, own = true, again = true, factor = true, second = true, together = true;
    unsigned seed = 11;
    for (int i = 0; i < 40; i++) {
        ex p = 0;
        for (int k = 0; k < 5; k++) {
            int n[4];
            for (int &m : n) {
                seed = seed * 1103515245u + 12345u;
                m = seed >> 16 & 3;
            }
            p += (3 * k - 2 * n[3] - 4) * pow(x, n[0]) * pow(y, n[1] + n[2]);
        }
        if (p.is_zero()) continue;
        if (i % 3 == 1) p = (p * (2 * y - 4)).expand();
        if (i % 3 == 2) p = (p * (-numeric(3, 5) * z)).expand();
        const symbol &v = i % 2 ? x : y;
        const ex pp = p.primpart(v), unit = p.unit(v), content = p.content(v);
        product = product && same(unit * content * pp, p);
        own = own && pp.expand().unit(v).is_equal(1) && pp.expand().content(v).is_equal(1);
        again = again && same(pp.expand().primpart(v), pp);
        const ex other = v.is_equal(x) ? y : x;
        factor = factor && same((p * -14).expand().primpart(v), pp) &&
                 same((p * (other + 3)).expand().primpart(v), pp) && same((p / 9).expand().primpart(v), pp);
        second = second && same(p.primpart(v, content), pp);
        ex u, c, q;
        p.unitcontprim(v, u, c, q);
        together = together && same(q, pp) && same(u, unit) && same(c, content);
    }
    ok("the product of the three parts is the polynomial", product);
    ok("its own unit and content are one", own);
    ok("once more changes nothing", again);
    ok("a factor of numbers and other variables changes nothing", factor);
    ok("the second form says the same", second);
    ok("unitcontprim says the same", together);
    const ex kept = -4 * x * y + 8 * y;
    kept.primpart(x);
    ok("the polynomial stays", kept.is_equal(-4 * x * y + 8 * y));
    return plus_end();
}
