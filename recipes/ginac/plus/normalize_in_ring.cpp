/*---
 * tasks: [GiNaC.normalize_in_ring-763f13]
 * tests:
 *   an empty polynomial stays empty: 'Comment: "Returns true if the polynomial is already unit normal".'
 *   an empty polynomial counts as unit normal: 'Comment: "Returns true if the polynomial is already unit normal".'
 *   a primitive polynomial stays: 'Comment: "Make the univariate polynomial unit normal".'
 *   the content is divided out: 'Callers remove_content and mod_gcd: H is made primitive.'
 *   a polynomial with a content counts as not unit normal: 'Comment: "and false otherwise".'
 *   a negative leading coefficient turns every sign: 'Comment: "unit normal".'
 *   a negative sign and a content go together: 'Comment: "unit normal"; callers want the content out.'
 *   signs of lower coefficients count for nothing: 'Comment: "unit normal" is said of the leading coefficient.'
 *   the lowest coefficient counts for the content: 'Callers: the content is that of all coefficients.'
 *   each coefficient counts for the content: 'Callers: the content is that of all coefficients.'
 *   zeros between stay where they are: 'Callers: the place in the vector is the power.'
 *   a constant becomes one: 'Callers: a constant over its content.'
 *   the content is told: 'Callers heur_gcd_z_priv and sr_gcd_priv take the gcd of the contents.'
 *   the content of a primitive polynomial is one: 'Callers take the gcd of the contents, unset before.'
 *   the content is positive: 'Callers take it for a gcd; the sign is told as unit.'
 *   the content of a constant is its size: 'Callers take the gcd of the contents.'
 *   minus one is told as unit of a negative polynomial: 'Parameter unit_, of type int.'
 *   neither content nor unit need be asked for: 'Signature: both default to nullptr.'
 *   the content alone and the unit alone: 'Signature: both default to nullptr.'
 *   the parts multiply to the polynomial: 'Comment and callers: unit, content and the normal polynomial.'
 *   once more changes nothing: 'Comment: "already unit normal".'
 *   coefficients of many digits: 'Signature: value_type cl_I.'
 ---*/
#include "plus.h"
#include "polynomial/upoly.h"
#include "polynomial/normalize.h"

using cln::cl_I;
using GiNaC::upoly;

static upoly poly(std::initializer_list<long> numbers) {
    upoly p;
    for (long n : numbers) p.push_back(cl_I(n));
    return p;
}

static bool equal(const upoly &a, const upoly &b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); i++)
        if (a[i] != b[i]) return false;
    return true;
}

static cl_I content;
static int unit;
static bool normal;

/* What a polynomial becomes; content, unit and normal are what the call says of it. */
static upoly of(upoly p) {
    content = cl_I(-77);
    unit = 1;
    normal = GiNaC::normalize_in_ring(p, &content, &unit);
    return p;
}

static bool is(std::initializer_list<long> from, std::initializer_list<long> to) {
    return equal(of(poly(from)), poly(to));
}

int main() {
    ok("an empty polynomial stays empty", of(upoly()).empty());
    ok("an empty polynomial counts as unit normal", normal);
    bool stays = is({1, 2, 3}, {1, 2, 3}) && is({0, 1}, {0, 1}) && is({6, 10, 15}, {6, 10, 15}) &&
                 is({12, 4, 0, 1}, {12, 4, 0, 1}) && is({7, 2}, {7, 2}) && is({1}, {1});
    ok("a primitive polynomial stays", stays);
    bool divided = is({2, 4, 6}, {1, 2, 3}), no = !normal;
    divided = divided && is({12, 18}, {2, 3});
    no = no && !normal;
    divided = divided && is({0, 0, 5}, {0, 0, 1}) && is({21, 14, 7}, {3, 2, 1});
    no = no && !normal;
    ok("the content is divided out", divided);
    ok("a polynomial with a content counts as not unit normal", no);
    ok("a negative leading coefficient turns every sign", is({1, -2, -3}, {-1, 2, 3}) && is({5, -1}, {-5, 1}) &&
       is({-4, 3, 2, -1}, {4, -3, -2, 1}) && is({0, -1}, {0, 1}));
    ok("a negative sign and a content go together", is({4, -6}, {-2, 3}) && is({-9, 0, -3}, {3, 0, 1}) &&
       is({10, -20, 30, -40}, {-1, 2, -3, 4}));
    ok("signs of lower coefficients count for nothing", is({-4, 6, -8, 2}, {-2, 3, -4, 1}) &&
       is({-1, -1, 1}, {-1, -1, 1}) && is({-6, 4}, {-3, 2}));
    ok("the lowest coefficient counts for the content", is({1, 2, 4}, {1, 2, 4}) && is({3, 2, 4}, {3, 2, 4}) &&
       is({5, 10, 10, 20}, {1, 2, 2, 4}) && is({6, 12, 36}, {1, 2, 6}) && is({9, 6}, {3, 2}));
    bool each = true;
    for (std::size_t size = 2; size < 7; size++)
        for (std::size_t at = 0; at < size; at++) {
            upoly p, q;
            for (std::size_t i = 0; i < size; i++) {
                p.push_back(cl_I(i == at ? 15 : 30));
                q.push_back(cl_I(i == at ? 1 : 2));
            }
            each = each && equal(of(p), q) && content == 15;
            p[at] = cl_I(-7);
            for (std::size_t i = 0; i < size; i++)
                if (i != at) p[i] = cl_I(30 + 30 * (long)i);
            q = p;
            if (at == size - 1)
                for (auto &c : q) c = -c;
            each = each && equal(of(p), q) && content == 1;
        }
    ok("each coefficient counts for the content", each);
    ok("zeros between stay where they are", is({0, 4, 0, 6}, {0, 2, 0, 3}) && is({8, 0, 0, -4}, {-2, 0, 0, 1}) &&
       is({0, 0, 3, 0, 3}, {0, 0, 1, 0, 1}) && is({3, 0, 0, 2}, {3, 0, 0, 2}));
    ok("a constant becomes one", is({7}, {1}) && is({-7}, {1}) && is({-1}, {1}) && is({1}, {1}) && is({100}, {1}));

    bool told = true, one = true, positive = true, constant = true, minus = true;
    of(poly({2, 4, 6})), told = told && content == 2 && unit == 1;
    of(poly({12, 18})), told = told && content == 6;
    of(poly({0, 0, 5})), told = told && content == 5;
    of(poly({21, 14, 7})), told = told && content == 7;
    of(poly({0, 8, 12, 20})), told = told && content == 4;
    ok("the content is told", told);
    of(poly({1, 2, 3})), one = one && content == 1;
    of(poly({5, 1})), one = one && content == 1;
    of(poly({6, 10, 15})), one = one && content == 1;
    of(poly({3, 2, 4})), one = one && content == 1;
    of(poly({5, -1})), one = one && content == 1;
    ok("the content of a primitive polynomial is one", one);
    of(poly({4, -6})), positive = positive && content == 2;
    of(poly({-4, -6})), positive = positive && content == 2;
    of(poly({-4, 6})), positive = positive && content == 2;
    of(poly({-5, -5})), positive = positive && content == 5;
    ok("the content is positive", positive);
    of(poly({7})), constant = constant && content == 7;
    of(poly({-7})), constant = constant && content == 7;
    of(poly({1})), constant = constant && content == 1;
    of(poly({-1})), constant = constant && content == 1;
    ok("the content of a constant is its size", constant);
    of(poly({1, -1})), minus = minus && unit == -1;
    of(poly({4, -6})), minus = minus && unit == -1;
    of(poly({-7})), minus = minus && unit == -1;
    of(poly({-1, 1})), minus = minus && unit == 1;
    of(poly({-6, 4})), minus = minus && unit == 1;
    ok("minus one is told as unit of a negative polynomial", minus);

    upoly p = poly({4, -6}), q = poly({-12}), r = poly({1, 1}), e;
    GiNaC::normalize_in_ring(p);
    GiNaC::normalize_in_ring(q);
    GiNaC::normalize_in_ring(r);
    GiNaC::normalize_in_ring(e);
    ok("neither content nor unit need be asked for", equal(p, poly({-2, 3})) && equal(q, poly({1})) &&
       equal(r, poly({1, 1})) && e.empty());
    p = poly({9, -6}), q = poly({9, -6});
    cl_I alone(-77);
    int sign = 1;
    GiNaC::normalize_in_ring(p, &alone);
    GiNaC::normalize_in_ring(q, nullptr, &sign);
    ok("the content alone and the unit alone", alone == 3 && sign == -1 && equal(p, poly({-3, 2})) && equal(q, p));

    bool parts = true, again = true;
    for (long i = 1; i < 200; i++) {
        upoly a;
        const long size = 1 + i % 6, factor = i % 13 + 1;
        for (long k = 0; k < size; k++) a.push_back(cl_I(factor * ((i * (k + 3) * 7919 + k * k * 31) % 41 - 20)));
        if (cln::zerop(a.back())) a.back() = cl_I(-factor);
        const upoly b = of(a);
        parts = parts && b.size() == a.size() && cln::plusp(b.back()) && cln::plusp(content);
        cl_I rest(0);
        for (std::size_t k = 0; k < b.size() && parts; k++) {
            parts = b[k] * content * cl_I(unit) == a[k];
            rest = cln::gcd(rest, b[k]);
        }
        parts = parts && rest == 1;
        const upoly c = of(b);
        again = again && equal(c, b) && content == 1 && unit == 1;
    }
    ok("the parts multiply to the polynomial", parts);
    ok("once more changes nothing", again);

    const cl_I large("123456789012345678901234567890");
    upoly wide;
    wide.push_back(large * 14), wide.push_back(cl_I(0)), wide.push_back(large * -21);
    ok("coefficients of many digits", equal(of(wide), poly({-2, 0, 3})) && content == large * 7 && unit == -1);
    return plus_end();
}
