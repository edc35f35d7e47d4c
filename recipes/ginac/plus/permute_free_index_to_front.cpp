/*---
 * tasks: [GiNaC.permute_free_index_to_front-c54bf2]
 * tests:
 *   the free index is found wherever it stands: 'Docstring: "the free index (the one that is in iv3 but not in iv2)".'
 *   the free index at the front with the others in order has plus: 'Docstring: "sign introduced by permuting".'
 *   the free index at the front with the others swapped has minus: 'Docstring: "sign introduced by permuting".'
 *   the free index in the middle with the others in order has minus: 'Docstring: one swap with its neighbour.'
 *   the free index in the middle with the others swapped has plus: 'Docstring: a cyclic permutation is even.'
 *   the free index at the end with the others in order has plus: 'Docstring: a cyclic permutation is even.'
 *   the free index at the end with the others swapped has minus: 'Docstring: one swap of the two outer ones.'
 *   the sign is set whatever it was: 'Docstring: "Returns sign".'
 *   swapping the two turns the sign alone: 'Docstring: "sign introduced by index permutation".'
 *   the vectors stay: 'Signature: const.'
 *   numeric indices are told apart by their value: 'Callers give any indices of class idx.'
 *   indices are told apart by their dimension: 'Docstring: "a subset of iv3".'
 *   indices equal but not the same object: 'Docstring: "a subset of iv3"; callers copy indices out of objects.'
 *   f with two generators: 'Caller su3f: f.abc T.b T.c = 3/2 I T.a, antisymmetric in its indices.'
 *   d with two generators: 'Caller su3d: d.abc T.b T.c = 5/6 T.a.'
 *   two f that share two indices: 'Caller su3f: f.akl f.bkl = 3 delta.ab, antisymmetric in their indices.'
 ---*/
#include "color.cpp"
#include "plus.h"

using namespace GiNaC;

static int sign;

/* Where in iv3 the free index is, or -1; its sign is put into sign. */
static int at(const exvector &iv3, const ex &b, const ex &c) {
    sign = 99;
    const ex free = permute_free_index_to_front(iv3, exvector{b, c}, sign);
    for (int i = 0; i < 3; i++)
        if (iv3[i].is_equal(free)) return i;
    return -1;
}

int main() {
    idx a(symbol("a"), 8), b(symbol("b"), 8), c(symbol("c"), 8), k(symbol("k"), 8), l(symbol("l"), 8);
    const exvector v{a, b, c};
    ok("the free index is found wherever it stands", at(v, b, c) == 0 && at(v, c, b) == 0 && at(v, a, c) == 1 &&
       at(v, c, a) == 1 && at(v, a, b) == 2 && at(v, b, a) == 2);
    at(v, b, c);
    ok("the free index at the front with the others in order has plus", sign == 1);
    at(v, c, b);
    ok("the free index at the front with the others swapped has minus", sign == -1);
    at(v, a, c);
    ok("the free index in the middle with the others in order has minus", sign == -1);
    at(v, c, a);
    ok("the free index in the middle with the others swapped has plus", sign == 1);
    at(v, a, b);
    ok("the free index at the end with the others in order has plus", sign == 1);
    at(v, b, a);
    ok("the free index at the end with the others swapped has minus", sign == -1);

    bool set = true, turned = true;
    exvector w{a, b, c};
    int order[] = {0, 1, 2};
    do {
        const exvector u{w[order[0]], w[order[1]], w[order[2]]};
        for (int free = 0; free < 3; free++) {
            const ex one = u[free == 0 ? 1 : 0], two = u[free == 2 ? 1 : 2];
            for (int before : {-7, -1, 0, 1, 12345}) {
                int s = before, t = before;
                const ex e = permute_free_index_to_front(u, exvector{one, two}, s);
                const ex f = permute_free_index_to_front(u, exvector{two, one}, t);
                set = set && s == (free == 1 ? -1 : 1);
                turned = turned && t == -s && e.is_equal(u[free]) && f.is_equal(u[free]);
            }
        }
    } while (std::next_permutation(order, order + 3));
    ok("the sign is set whatever it was", set);
    ok("swapping the two turns the sign alone", turned);

    const exvector three{b, c, a}, two{a, c};
    int s;
    permute_free_index_to_front(three, two, s);
    ok("the vectors stay", three.size() == 3 && two.size() == 2 && three[0].is_equal(b) && three[1].is_equal(c) &&
       three[2].is_equal(a) && two[0].is_equal(a) && two[1].is_equal(c));

    const exvector n{idx(3, 8), idx(1, 8), idx(2, 8)};
    bool numbers = at(n, idx(1, 8), idx(2, 8)) == 0 && sign == 1;
    numbers = numbers && at(n, idx(2, 8), idx(3, 8)) == 1 && sign == 1;
    numbers = numbers && at(n, idx(3, 8), idx(1, 8)) == 2 && sign == 1;
    numbers = numbers && at(n, idx(1, 8), idx(3, 8)) == 2 && sign == -1;
    ok("numeric indices are told apart by their value", numbers);
    symbol x("x");
    const exvector d{idx(x, 3), idx(x, 4), a};
    bool dims = at(d, idx(x, 4), a) == 0 && sign == 1;
    dims = dims && at(d, idx(x, 3), a) == 1 && sign == -1;
    ok("indices are told apart by their dimension", dims);
    symbol y("y"), z("z");
    const exvector own{idx(x, 8), idx(y, 8), idx(z, 8)};
    bool other = at(own, idx(z, 8), idx(x, 8)) == 1 && sign == 1;
    other = other && at(own, idx(y, 8), idx(x, 8)) == 2 && sign == -1;
    ok("indices equal but not the same object", other);

    const ex T = color_T(b) * color_T(c), half = ex(3) / 2 * I * color_T(a);
    bool f = same((color_f(a, b, c) * T).simplify_indexed(), half);
    f = f && same((color_f(b, a, c) * T).simplify_indexed(), -half);
    f = f && same((color_f(b, c, a) * T).simplify_indexed(), half);
    f = f && same((color_f(a, c, b) * T).simplify_indexed(), -half);
    f = f && same((color_f(a, b, c) * color_T(c) * color_T(b)).simplify_indexed(), -half);
    ok("f with two generators", f);
    bool g = same((color_d(a, b, c) * T).simplify_indexed(), ex(5) / 6 * color_T(a));
    g = g && same((color_d(b, c, a) * color_T(c) * color_T(b)).simplify_indexed(), ex(5) / 6 * color_T(a));
    ok("d with two generators", g);
    bool delta = same((color_f(a, k, l) * color_f(b, k, l)).simplify_indexed(), 3 * delta_tensor(a, b));
    delta = delta && same((color_f(a, k, l) * color_f(b, l, k)).simplify_indexed(), -3 * delta_tensor(a, b));
    delta = delta && same((color_f(k, a, l) * color_f(k, l, b)).simplify_indexed(), -3 * delta_tensor(a, b));
    delta = delta && same((color_f(k, l, a) * color_f(l, b, k)).simplify_indexed(), 3 * delta_tensor(a, b));
    ok("two f that share two indices", delta);
    return plus_end();
}
