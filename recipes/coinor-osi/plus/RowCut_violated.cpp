/*---
 * tasks: [OsiRowCut.violated-04275c]
 * tests:
 *   between the bounds there is no infeasibility: 'Docstring: "is positive if cuts off"; OsiRowCutTest.cpp.'
 *   on a bound there is none: 'Docstring: "is positive if cuts off that solution"; OsiRowCutTest.cpp.'
 *   above the upper bound it is what is too much: 'Docstring: "Returns infeasibility of the cut".'
 *   below the lower bound it is what is missing: 'Docstring: "Returns infeasibility of the cut".'
 *   it is never negative: 'Docstring: "infeasibility", "is positive if cuts off that solution".'
 *   a small excess is positive: 'Docstring: "is positive if cuts off that solution".'
 *   signs of the bounds do not matter: 'Docstring: "Returns infeasibility of the cut".'
 *   elements are multiplied by the values of their columns: 'OsiRowCut.hpp: "a vector of row elements".'
 *   negative elements count: 'OsiRowCut.hpp: "a vector of row elements".'
 *   indices say which columns are meant: 'OsiRowCut.hpp: setRow, colIndices; "is getNumCols() long".'
 *   other columns are not looked at: 'OsiRowCut.hpp: "a vector of row elements".'
 *   each element counts: 'OsiRowCut.hpp: "a vector of row elements".'
 *   a row for equality is looked at on both sides: 'OsiRowCut.hpp: sense E.'
 *   with a lower bound alone nothing is too much: 'OsiRowCut.hpp: sense G.'
 *   with an upper bound alone nothing is missing: 'OsiRowCut.hpp: sense L.'
 *   a free row cuts off nothing: 'OsiRowCut.hpp: sense N.'
 *   a row without elements is zero: 'OsiRowCut.hpp: "a vector of row elements"; OsiRowCutDebugger.cpp.'
 *   a row that cannot be satisfied is always violated: 'OsiRowCut.hpp: infeasible; docstring.'
 *   new bounds and elements are taken: 'OsiRowCutTest.cpp: "violation".'
 *   nothing is kept from call to call: 'Signature: const.'
 *   cut and solution stay: 'Signature: const.'
 *   the base class and a derived cut reach it: 'OsiCut.hpp: virtual.'
 ---*/
#include "OsiRowCut.hpp"
#include "ok.h"

static double violated(double lb, double ub, int size, const int *columns, const double *elements,
                       const double *solution)
{
    OsiRowCut cut;
    cut.setLb(lb);
    cut.setUb(ub);
    cut.setRow(size, columns, elements);
    return cut.violated(solution);
}

/* Of a row whose activity is this. */
static double at(double lb, double ub, double activity)
{
    const int column = 0;
    const double one = 1;
    return violated(lb, ub, 1, &column, &one, &activity);
}

int main()
{
    const double inf = COIN_DBL_MAX;
    ok("between the bounds there is no infeasibility",
       at(1, 3, 2) == 0 && at(-3, -1, -2) == 0 && at(-5, 5, 0) == 0 && at(0, 10, 9.5) == 0 && at(0, 10, 0.5) == 0);
    ok("on a bound there is none", at(1, 3, 1) == 0 && at(1, 3, 3) == 0 && at(-3, -1, -3) == 0 && at(0, 4, 0) == 0);
    ok("above the upper bound it is what is too much", near(at(1, 3, 4.5), 1.5) && near(at(0, 10, 1010), 1000));
    ok("below the lower bound it is what is missing", near(at(1, 3, 0.25), 0.75) && near(at(0, 10, -1000), 1000));
    bool never = true;
    for (int i = -60; i <= 60; i++)
        never = never && at(-2, 3, i * 0.25) >= 0 && at(4, 4, i * 0.25) >= 0 &&
                at(-inf, 1, i) >= 0 && at(1, inf, i) >= 0;
    ok("it is never negative", never);
    ok("a small excess is positive", at(1, 3, 3 + 1e-4) > 0 && at(1, 3, 1 - 1e-4) > 0 &&
       fabs(at(1, 3, 3 + 1e-4) - 1e-4) < 1e-9 && fabs(at(1, 3, 1 - 1e-4) - 1e-4) < 1e-9);
    ok("signs of the bounds do not matter", near(at(-5, -2, 1), 3) && near(at(-5, -2, -9), 4) &&
       near(at(-5, 2, -6), 1) && near(at(-5, 2, 4), 2) && near(at(0, 0, 5), 5) && near(at(0, 0, -5), 5));

    const int three[] = {0, 1, 2};
    const double weights[] = {2, 3, 0.5}, x[] = {1, 4, 6};      /* 2 + 12 + 3 */
    ok("elements are multiplied by the values of their columns", near(violated(0, 10, 3, three, weights, x), 7) &&
       near(violated(20, 30, 3, three, weights, x), 3) && violated(17, 17, 3, three, weights, x) == 0);
    const double signs[] = {-2, 3, -1}, y[] = {5, -1, 2};      /* -10 - 3 - 2 */
    ok("negative elements count", near(violated(-10, 0, 3, three, signs, y), 5) &&
       near(violated(-30, -20, 3, three, signs, y), 5) && violated(-16, -14, 3, three, signs, y) == 0);
    const int mixed[] = {5, 0, 3};
    const double z[] = {10, 1000, 1000, 1, 1000, 100, 1000};    /* 200 + 30 + 0.5 */
    ok("indices say which columns are meant", near(violated(0, 200, 3, mixed, weights, z), 30.5) &&
       near(violated(231.5, 300, 3, mixed, weights, z), 1));
    const double holes[] = {10, NAN, NAN, 1, NAN, 100, NAN};
    ok("other columns are not looked at", near(violated(0, 200, 3, mixed, weights, holes), 30.5) &&
       violated(230, 231, 3, mixed, weights, holes) == 0);
    bool each = true;
    int columns[50];
    double ones[50], values[50];
    for (int i = 0; i < 50; i++) columns[i] = i, ones[i] = 1, values[i] = 0;
    for (int i = 0; i < 50; i++) {
        values[i] = 2;
        each = each && near(violated(-1, 1, 50, columns, ones, values), 1);
        values[i] = -2;
        each = each && near(violated(-1, 1, 50, columns, ones, values), 1);
        values[i] = 0;
    }
    ok("each element counts", each && violated(-1, 1, 50, columns, ones, values) == 0);

    ok("a row for equality is looked at on both sides",
       near(at(4, 4, 5), 1) && near(at(4, 4, 1), 3) && at(4, 4, 4) == 0);
    ok("with a lower bound alone nothing is too much", at(4, inf, 1e9) == 0 && at(4, inf, 4) == 0 &&
       near(at(4, inf, 3), 1) && near(at(4, inf, -6), 10));
    ok("with an upper bound alone nothing is missing", at(-inf, 4, -1e9) == 0 && at(-inf, 4, 4) == 0 &&
       near(at(-inf, 4, 5), 1) && near(at(-inf, -4, 6), 10));
    OsiRowCut free;
    const int column = 0;
    const double one = 1, far = 1e12, deep = -1e12;
    free.setRow(1, &column, &one);
    ok("a free row cuts off nothing", at(-inf, inf, 1e12) == 0 && at(-inf, inf, -1e12) == 0 &&
       free.violated(&far) == 0 && free.violated(&deep) == 0);
    OsiRowCut empty;
    bool nothing = empty.violated(x) == 0;
    empty.setLb(1);
    nothing = nothing && near(empty.violated(x), 1);
    empty.setLb(-8);
    empty.setUb(-2);
    ok("a row without elements is zero", nothing && near(empty.violated(x), 2));
    ok("a row that cannot be satisfied is always violated", at(5, 3, 4) > 0 && at(5, 3, 3) > 0 && at(5, 3, 5) > 0 &&
       at(5, 3, 9) > 0 && at(5, 3, -9) > 0);
    {
        OsiRowCut cut;
        cut.setRow(1, &column, &one);
        cut.setLb(2);
        cut.setUb(3);
        const double four = 4;
        bool taken = near(cut.violated(&four), 1);
        cut.setUb(4);
        taken = taken && cut.violated(&four) == 0;
        cut.setLb(4.5);
        cut.setUb(5);
        taken = taken && near(cut.violated(&four), 0.5);
        cut.setRow(1, &column, &four);
        ok("new bounds and elements are taken", taken && near(cut.violated(&four), 11));
        ok("nothing is kept from call to call", near(cut.violated(&four), 11) && near(cut.violated(&one), 0.5) &&
           near(cut.violated(&four), 11));
    }
    {
        double solution[] = {1, 4, 6};
        OsiRowCut2 held(7);
        held.setRow(3, three, weights);
        held.setLb(1);
        held.setUb(10);
        held.setEffectiveness(2);
        const CoinPackedVector before(held.row());
        held.violated(solution);
        ok("cut and solution stay", held.row() == before && held.lb() == 1 && held.ub() == 10 &&
           held.effectiveness() == 2 && held.whichRow() == 7 && !memcmp(solution, x, sizeof x));
        const OsiCut *base = &held;
        OsiRowCut *clone = held.clone();
        ok("the base class and a derived cut reach it", near(base->violated(solution), 7) &&
           near(clone->violated(solution), 7) && near(held.violated(solution), 7));
        delete clone;
    }
    return plan();
}
