/*---
 * tasks: [GiNaC.algebraic_match_mul_with_mul-fe296c]
 * tests:
 *   some of the factors match: 'Tutorial: "x*y is a part of x*y*z".'
 *   a factor that is missing does not match: 'Docstring: "Checks whether e matches to the pattern".'
 *   the matched factors are marked and no others: 'Docstring: "matched[i] is true for factors" of the match.'
 *   exponents allow as many matches as fit in all factors: 'Tutorial: "powers match as often as is possible".'
 *   an exponent that is too small does not match: 'Tutorial: "without getting negative exponents".'
 *   negative exponents match negative ones: 'Tutorial: "This also works with negative powers".'
 *   exponents of opposite sign do not match: 'Tutorial: "without getting negative exponents"; neighbour tryfactsubs.'
 *   the number of matches is not raised: 'Docstring: "(possibly updated) number of matches"; the smallest counts.'
 *   numbers are factors too: 'Docstring: a factor of the pattern matches a factor of e.'
 *   a wildcard takes a factor: 'Docstring: "list of replacements repls".'
 *   each factor is taken once: 'Docstring: matched[i] is true for factors matched by the current match.'
 *   replacements given are kept to: 'Docstring: "the (possibly to be updated) list of replacements".'
 *   a wildcard stands for the same everywhere: 'Tutorial: patterns; "list of replacements".'
 *   a wrong choice is taken back: 'Docstring: "Checks whether e matches".'
 *   two wrong choices are taken back: 'Docstring: "Checks whether e matches".'
 *   a wrong choice leaves no mark: 'Docstring: "matched by the current match".'
 *   a wrong choice leaves no replacement: 'Docstring: "list of replacements"; callers substitute them.'
 *   a wrong choice leaves the number of matches alone: 'Docstring: "number of matches is in nummatches".'
 *   factors replaced before are not taken: 'Docstring: subsed[i], "already have been replaced".'
 *   factors matched before are not taken: 'Docstring: "matched by the current match".'
 *   matching starts with the factor asked for: 'Docstring: "Matching starts with pat.op(factor)".'
 *   behind the last factor all is matched: 'Docstring: "the factors before this one have already been matched".'
 *   functions and symbolic powers are factors: 'Docstring: a factor of the pattern matches a factor of e.'
 *   has finds parts of products: 'Caller mul::has; tutorial.'
 *   subs replaces as often as it can: 'Caller algebraic_subs_mul; tutorial.'
 *   subs replaces several matches of one pattern: 'Caller algebraic_subs_mul goes on until nothing matches.'
 *   subs takes a factor for one rule only: 'Caller algebraic_subs_mul; subsed.'
 ---*/
#include "plus.h"
#include <climits>

namespace GiNaC {
bool algebraic_match_mul_with_mul(const mul &e, const ex &pat, exmap &repls, int factor, int &nummatches,
                                  const std::vector<bool> &subsed, std::vector<bool> &matched);
}

using namespace GiNaC;

static symbol x("x"), y("y"), z("z"), u("u"), v("v"), w("w"), a("a");
static ex w0, w1, w2;
static exmap repls;
static int number;
static std::vector<bool> matched;

static bool match(const ex &e, const ex &pat, int factor = 0, const std::vector<bool> &subsed = {}) {
    if (matched.size() != e.nops()) matched.assign(e.nops(), false);
    const std::vector<bool> none(e.nops(), false);
    return algebraic_match_mul_with_mul(ex_to<mul>(e), pat, repls, factor, number, subsed.empty() ? none : subsed,
                                        matched);
}

/* As the callers begin: nothing matched, nothing replaced, no limit. */
static bool fresh(const ex &e, const ex &pat) {
    repls.clear(), matched.clear(), number = INT_MAX;
    return match(e, pat);
}

/* Which places of e hold one of the factors. */
static std::vector<bool> places(const ex &e, const exvector &factors) {
    std::vector<bool> at(e.nops(), false);
    for (std::size_t i = 0; i < e.nops(); i++)
        for (const ex &f : factors) at[i] = at[i] || e.op(i).is_equal(f);
    return at;
}

static bool replaced(const ex &wildcard, const ex &by) {
    const auto at = repls.find(wildcard);
    return at != repls.end() && at->second.is_equal(by);
}

int main() {
    w0 = wild(0), w1 = wild(1), w2 = wild(2);
    const ex xyz = x * y * z;
    bool marks = true;
    bool some = fresh(xyz, x * y) && number == 1;
    marks = marks && matched == places(xyz, {x, y});
    some = some && fresh(xyz, y * z) && number == 1;
    marks = marks && matched == places(xyz, {y, z});
    some = some && fresh(xyz, x * z) && fresh(xyz, xyz) && number == 1;
    marks = marks && matched == places(xyz, {x, y, z});
    ok("some of the factors match", some && repls.empty());
    ok("a factor that is missing does not match", !fresh(xyz, x * u) &&
       !fresh(xyz, x * y * z * u) && !fresh(x * y, x * z) &&
       !fresh(x * y, u * v));
    const ex powers = pow(x, 5) * pow(y, 4) * z;
    bool count = fresh(powers, pow(x, 2) * pow(y, 2)) && number == 2;
    marks = marks && matched == places(powers, {pow(x, 5), pow(y, 4)});
    count = count && fresh(powers, x * y) && number == 4 && fresh(powers, x * z) && number == 1;
    count = count && fresh(powers, pow(x, 5) * y) && number == 1 && fresh(powers, pow(x, 2) * y) && number == 2;
    count = count && fresh(pow(x, 7) * pow(y, 100), pow(x, 2) * pow(y, 3)) && number == 3;
    count = count && fresh(pow(x, 100) * pow(y, 7), pow(x, 3) * pow(y, 2)) && number == 3;
    ok("the matched factors are marked and no others", marks);
    ok("exponents allow as many matches as fit in all factors", count);
    ok("an exponent that is too small does not match", !fresh(xyz, pow(x, 2) * y) && !fresh(powers, pow(x, 6) * y) &&
       !fresh(powers, x * pow(z, 2)) && fresh(powers, pow(x, 5) * pow(y, 4)) && number == 1);
    const ex negative = pow(x, -3) * pow(y, -2) * z;
    ok("negative exponents match negative ones", fresh(negative, 1 / (x * y)) && number == 2 &&
       matched == places(negative, {pow(x, -3), pow(y, -2)}) && fresh(negative, pow(x, -2) * z) && number == 1 &&
       !fresh(negative, pow(x, -4) * z));
    ok("exponents of opposite sign do not match", !fresh(negative, x * y) && !fresh(powers, 1 / (x * y)) &&
       !fresh(negative, x * z) && !fresh(powers, z / x));

    bool limit = true;
    for (int most : {1, 2, 3, 4, 9}) {
        repls.clear(), matched.clear(), number = most;
        limit = limit && match(pow(x, 4) * pow(y, 6) * z, x * y) && number == std::min(most, 4);
    }
    ok("the number of matches is not raised", limit);
    ok("numbers are factors too", fresh(2 * x * y, 2 * x) && number == 1 && matched == places(2 * x * y, {2, x}) &&
       !fresh(4 * x * y, 2 * x) && !fresh(x * y, 2 * x) && fresh(3 * x * y, x * y) &&
       matched == places(3 * x * y, {x, y}));
    bool wildcard = fresh(xyz, w0 * y * z) && replaced(w0, x) && repls.size() == 1;
    wildcard = wildcard && fresh(x * pow(y, 3), w0 * x) && replaced(w0, y) && number == 1;
    wildcard = wildcard && fresh(pow(x, 4) * pow(y, 3), pow(w0, 2) * y) && replaced(w0, x) && number == 2;
    wildcard = wildcard && fresh(x * y, w0 * w1) && repls.size() == 2 && !repls[w0].is_equal(repls[w1]) &&
               matched == std::vector<bool>(2, true);
    ok("a wildcard takes a factor", wildcard);
    ok("each factor is taken once", !fresh(x * y, w0 * w1 * w2) && !fresh(pow(x, 4) * y, x * w0 * w1) &&
       !fresh(x * y, x * y * w0) && fresh(xyz, w0 * w1 * w2) && repls.size() == 3 &&
       matched == std::vector<bool>(3, true));
    bool given = true;
    for (const ex &s : {ex(x), ex(y), ex(z)}) {
        const ex e = x * y * z * u;
        repls.clear(), repls[w0] = s, matched.clear(), number = INT_MAX;
        given = given && match(e, w0 * u) && repls.size() == 1 && replaced(w0, s) && matched == places(e, {s, u});
        repls.clear(), repls[w0] = v, matched.clear(), number = INT_MAX;
        given = given && !match(e, w0 * u);
    }
    ok("replacements given are kept to", given);
    ok("a wildcard stands for the same everywhere", fresh(sin(x) * cos(x), sin(w0) * cos(w0)) && replaced(w0, x) &&
       !fresh(sin(x) * cos(y), sin(w0) * cos(w0)) && !fresh(x * sin(y), w0 * sin(w0)) &&
       fresh(sin(x) * cos(y), sin(w0) * cos(w1)) && replaced(w0, x) && replaced(w1, y));

    /* Whatever the order of the factors is, one of these begins with a wrong one. */
    bool back = true, mark = true, repl = true, left = true, twice = true;
    const ex three[] = {x, y, z}, far[] = {u, v, w};
    for (int k = 0; k < 3; k++) {
        const ex &s = three[k];
        const ex e = x * y * z * sin(s) * sin(far[k]) * sin(far[(k + 1) % 3]);
        back = back && fresh(e, w0 * sin(w0)) && number == 1;
        mark = mark && matched == places(e, {s, sin(s)});
        repl = repl && repls.size() == 1 && replaced(w0, s);
        ex f = pow(s, 6) * pow(sin(s), 5);
        for (int m = 0; m < 3; m++) f *= m == k ? ex(1) : pow(three[m], 2) * pow(sin(far[m]), 2);
        left = left && fresh(f, w0 * sin(w0)) && number == 5 && replaced(w0, s) &&
               matched == places(f, {pow(s, 6), pow(sin(s), 5)});
        for (int m = 0; m < 3; m++) {
            if (m == k) continue;
            const ex &t = three[m];
            const ex g = x * y * z * sin(s) * cos(t) * sin(u) * cos(v);
            twice = twice && fresh(g, w0 * w1 * sin(w0) * cos(w1)) && number == 1;
            mark = mark && matched == places(g, {s, t, sin(s), cos(t)});
            repl = repl && repls.size() == 2 && replaced(w0, s) && replaced(w1, t);
        }
    }
    ok("a wrong choice is taken back", back && !fresh(x * y * z * sin(u) * sin(v), w0 * sin(w0)));
    ok("two wrong choices are taken back", twice &&
       !fresh(x * y * z * sin(x) * cos(x) * cos(u), w0 * w1 * sin(w0) * cos(w1)));
    ok("a wrong choice leaves no mark", mark);
    ok("a wrong choice leaves no replacement", repl);
    ok("a wrong choice leaves the number of matches alone", left);

    bool before = true, taken = true;
    for (const ex &s : {ex(x), ex(y), ex(z)}) {
        repls.clear(), matched.clear(), number = INT_MAX;
        before = before && !match(xyz, xyz, 0, places(xyz, {s}));
        repls.clear(), matched.clear(), number = INT_MAX;
        std::vector<bool> rest = places(xyz, {s});
        rest.flip();
        before = before && match(xyz, xyz / s, 0, places(xyz, {s})) && matched == rest;
        repls.clear(), matched.clear(), number = INT_MAX;
        before = before && match(xyz, w0 * w1, 0, places(xyz, {s}));
        before = before && matched == rest;
        repls.clear(), matched = places(xyz, {s}), number = INT_MAX;
        taken = taken && !match(xyz, xyz);
        repls.clear(), matched = places(xyz, {s}), number = INT_MAX;
        taken = taken && match(xyz, w0 * w1) && matched == std::vector<bool>(3, true) && !repls[w0].is_equal(s) &&
                !repls[w1].is_equal(s);
    }
    ok("factors replaced before are not taken", before);
    ok("factors matched before are not taken", taken);
    const ex pat = x * y * u, high = pow(x, 6) * pow(y, 6) * pow(u, 6) * z;
    repls.clear(), matched.clear(), number = 3;
    bool start = match(high, pat, 2) && number == 3 && matched == places(high, {pow(pat.op(2), 6)});
    repls.clear(), matched = places(high, {pow(pat.op(0), 6)}), number = INT_MAX;
    start = start && match(high, pat, 1) && number == 6 && matched == places(high, {pow(x, 6), pow(y, 6), pow(u, 6)});
    repls.clear(), matched.clear(), number = INT_MAX;
    const ex part = pat.op(1) * pat.op(2) * z;
    start = start && match(part, pat, 1) && number == 1 && matched == places(part, {pat.op(1), pat.op(2)});
    repls.clear(), matched.clear(), number = INT_MAX;
    start = start && !match(part, pat, 0);
    ok("matching starts with the factor asked for", start);
    repls.clear(), repls[w0] = a, matched = places(xyz, {x, y}), number = 7;
    ok("behind the last factor all is matched", match(xyz, x * y, 2) && number == 7 && repls.size() == 1 &&
       matched == places(xyz, {x, y}));
    const ex e = pow(x, a) * sin(y) * (x + y) * z;
    ok("functions and symbolic powers are factors", fresh(e, pow(x, a) * z) && number == 1 &&
       fresh(e, (x + y) * sin(y)) &&
       matched == places(e, {x + y, sin(y)}) && !fresh(e, x * z) && !fresh(e, (x + z) * z) &&
       fresh(pow(x + y, 3) * pow(z, 2), (x + y) * z) && number == 2);

    const unsigned algebraic = has_options::algebraic;
    ok("has finds parts of products", xyz.has(x * y, algebraic) && powers.has(pow(x, 2) * z, algebraic) &&
       !xyz.has(x * u, algebraic) && !xyz.has(pow(x, 2) * y, algebraic) &&
       (xyz * sin(z)).has(w0 * sin(w0), algebraic) &&
       !(x * y * sin(z)).has(w0 * sin(w0), algebraic));
    const unsigned often = subs_options::algebraic;
    ok("subs replaces as often as it can", same(powers.subs(pow(x, 2) * pow(y, 2) == a, often), x * a * a * z) &&
       same(negative.subs(1 / (x * y) == a, often), a * a * z / x) && same(xyz.subs(x * y == a, often), a * z) &&
       same(xyz.subs(x * u == a, often), xyz));
    const ex circles = sin(x) * cos(x) * sin(y) * cos(y) * sin(z) * z;
    ok("subs replaces several matches of one pattern", same(circles.subs(sin(w0) * cos(w0) == tan(w0), often),
       tan(x) * tan(y) * sin(z) * z));
    const ex either = xyz.subs(lst{x * y == a, y * z == w}, often);
    ok("subs takes a factor for one rule only", (same(either, a * z) || same(either, x * w)) &&
       same((x * y * z * u).subs(lst{x * y == a, z * u == w}, often), a * w));
    return plus_end();
}
