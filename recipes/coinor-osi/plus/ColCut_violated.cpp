/*---
 * tasks: [OsiColCut.violated-08031d]
 * tests:
 *   a cut without bounds cuts off nothing: 'Docstring: "is positive if cuts off that solution".'
 *   a solution within the bounds has no infeasibility: 'Docstring: "is positive if cuts off"; OsiColCutTest.cpp.'
 *   a solution on the bounds has none: 'Docstring: "is positive if cuts off that solution"; OsiColCutTest.cpp.'
 *   below a lower bound it is what is missing: 'Docstring: "Returns infeasibility of the cut".'
 *   above an upper bound it is what is too much: 'Docstring: "Returns infeasibility of the cut".'
 *   signs of bound and solution do not matter: 'Docstring: "Returns infeasibility of the cut".'
 *   a small excess is positive: 'Docstring: "is positive if cuts off that solution".'
 *   slack of another column offsets nothing: 'Docstring: "is positive if cuts off that solution".'
 *   slack of the other bound offsets nothing: 'Docstring: "is positive if cuts off that solution".'
 *   one violated bound among many is found: 'Docstring: "is positive if cuts off that solution".'
 *   indices say which columns are meant: 'OsiColCut.hpp: "sparse vector"; solution "is getNumCols() long".'
 *   columns without bounds are not looked at: 'OsiColCut.hpp: "sparse vector of column lower bounds".'
 *   several violated bounds count no less than the worst: 'Docstring: "Returns infeasibility of the cut".'
 *   a lower and an upper bound are both looked at: 'OsiColCut.hpp: lower bounds, upper bounds.'
 *   one of the vectors may be empty: 'OsiColCut.hpp: lower bounds, upper bounds.'
 *   infinite bounds cut off nothing: 'Callers give COIN_DBL_MAX for no bound.'
 *   new bounds are taken: 'OsiColCutTest.cpp: "violated".'
 *   cut and solution stay: 'Signature: const.'
 *   the base class reaches it: 'OsiCut.hpp: virtual.'
 ---*/
#include "OsiColCut.hpp"
#include "ok.h"

static double violated(int lowers, const int *lower, const double *lb, int uppers, const int *upper, const double *ub,
                       const double *solution)
{
    OsiColCut cut;
    if (lowers) cut.setLbs(lowers, lower, lb);
    if (uppers) cut.setUbs(uppers, upper, ub);
    return cut.violated(solution);
}

/* Of a column that has just this bound, or these two. */
static double low(double bound, double value)
{
    const int column = 0;
    return violated(1, &column, &bound, 0, NULL, NULL, &value);
}

static double high(double bound, double value)
{
    const int column = 0;
    return violated(0, NULL, NULL, 1, &column, &bound, &value);
}

static double range(double lower, double upper, double value)
{
    const int column = 0;
    return violated(1, &column, &lower, 1, &column, &upper, &value);
}

int main()
{
    const double some[] = {3, -4, 1e6};
    ok("a cut without bounds cuts off nothing", OsiColCut().violated(some) == 0);
    const int three[] = {0, 1, 2};
    const double lb[] = {0, -5, 1}, ub[] = {4, 0, 1e7};
    ok("a solution within the bounds has no infeasibility", violated(3, three, lb, 3, three, ub, some) == 0 &&
       low(-1, 2) == 0 && high(5, -2) == 0 && range(-3, 3, 0) == 0);
    ok("a solution on the bounds has none", low(2.5, 2.5) == 0 && high(-2.5, -2.5) == 0 && range(7, 7, 7) == 0 &&
       violated(3, three, some, 3, three, some, some) == 0);
    ok("below a lower bound it is what is missing", near(low(4.5, 1), 3.5) && near(low(10, 9.75), 0.25));
    ok("above an upper bound it is what is too much", near(high(0.25, 1), 0.75) && near(high(3, 10), 7));
    ok("signs of bound and solution do not matter",
       near(low(-1, -4), 3) && near(low(2, -2), 4) && near(high(-4, -1), 3) && near(high(-2, 2), 4) &&
           near(low(0, -6), 6) && near(high(0, 6), 6) && low(-4, -1) == 0 && high(-1, -4) == 0);
    ok("a small excess is positive", low(1, 1 - 1e-4) > 0 && high(1, 1 + 1e-4) > 0 && near(low(1, 1 - 1e-4), 1e-4));

    const int two[] = {0, 1};
    const double ones[] = {1, 1}, left[] = {0.5, 100}, right[] = {-100, 3};
    ok("slack of another column offsets nothing", near(violated(2, two, ones, 0, NULL, NULL, left), 0.5) &&
       near(violated(0, NULL, NULL, 2, two, ones, right), 2) &&
       near(violated(2, two, ones, 0, NULL, NULL, right), 101));
    ok("slack of the other bound offsets nothing", near(range(0, 100, -2), 2) && near(range(-100, 0, 2), 2) &&
       near(range(5, 1000, 4), 1) && near(range(-1000, 5, 6), 1));

    bool found = true;
    int columns[40];
    double zero[40], solution[40];
    for (int i = 0; i < 40; i++) columns[i] = i, zero[i] = 0, solution[i] = 0;
    for (int i = 0; i < 40; i++) {
        solution[i] = -1.5;
        found = found && near(violated(40, columns, zero, 40, columns, zero, solution), 1.5) &&
                violated(0, NULL, NULL, 40, columns, zero, solution) == 0;
        solution[i] = 1.5;
        found = found && near(violated(40, columns, zero, 40, columns, zero, solution), 1.5) &&
                violated(40, columns, zero, 0, NULL, NULL, solution) == 0;
        solution[i] = 0;
    }
    ok("one violated bound among many is found", found);

    const int mixed[] = {6, 1, 4};
    const double want[] = {10, 20, 30}, point[] = {-90, 20, -90, -90, 30, -90, 9, -90};
    const double over[] = {90, 21, 90, 90, 30, 90, 10, 90};
    ok("indices say which columns are meant", near(violated(3, mixed, want, 0, NULL, NULL, point), 1) &&
       near(violated(0, NULL, NULL, 3, mixed, want, over), 1));
    const double holes[] = {NAN, 19, NAN, NAN, 30, NAN, 10, NAN};
    ok("columns without bounds are not looked at", near(violated(3, mixed, want, 0, NULL, NULL, holes), 1) &&
       violated(0, NULL, NULL, 3, mixed, want, holes) == 0);

    const double short3[] = {-1, -5, -2}, none[] = {0, 0, 0};
    double all = violated(3, three, none, 0, NULL, NULL, short3), more[] = {1, 5, 2};
    bool worst = all >= 5 - 1e-9 && all <= 8 + 1e-9;
    all = violated(0, NULL, NULL, 3, three, none, more);
    worst = worst && all >= 5 - 1e-9 && all <= 8 + 1e-9;
    ok("several violated bounds count no less than the worst", worst);
    const int a[] = {2}, b[] = {0};
    const double l[] = {5}, u[] = {1}, x[] = {4, 0, 3}, y[] = {2, 0, 1}, z[] = {1, 0, 1}, w[] = {2, 0, 5};
    all = violated(1, a, l, 1, b, u, x);
    bool both = all >= 3 - 1e-9 && all <= 5 + 1e-9;
    all = violated(1, a, l, 1, b, u, y);
    both = both && all >= 4 - 1e-9 && all <= 5 + 1e-9 && near(violated(1, a, l, 1, b, u, z), 4) &&
           near(violated(1, a, l, 1, b, u, w), 1);
    ok("a lower and an upper bound are both looked at", both);
    ok("one of the vectors may be empty", near(violated(1, a, l, 0, NULL, NULL, x), 2) &&
       near(violated(0, NULL, NULL, 1, b, u, x), 3));
    ok("infinite bounds cut off nothing", low(-COIN_DBL_MAX, -1e30) == 0 && high(COIN_DBL_MAX, 1e30) == 0 &&
       range(-COIN_DBL_MAX, COIN_DBL_MAX, 0) == 0 && near(range(-COIN_DBL_MAX, 1, 3), 2) &&
       near(range(1, COIN_DBL_MAX, -1), 2));
    {
        OsiColCut cut;
        const double one = 1, four = 4.5, quarter = 0.25;
        const int column = 0;
        cut.setLbs(1, &column, &four);
        bool taken = near(cut.violated(&one), 3.5) && near(cut.violated(&one), 3.5);
        cut.setLbs(0, NULL, NULL);
        cut.setUbs(1, &column, &quarter);
        taken = taken && near(cut.violated(&one), 0.75);
        cut.setLbs(1, &column, &one);
        cut.setUbs(1, &column, &one);
        ok("new bounds are taken", taken && cut.violated(&one) == 0);
        double copy[] = {0, 2};
        OsiColCut held;
        held.setLbs(2, two, ones);
        held.setUbs(1, &column, &quarter);
        held.setEffectiveness(2);
        held.violated(copy);
        ok("cut and solution stay", copy[0] == 0 && copy[1] == 2 && held.lbs().getNumElements() == 2 &&
           held.lbs()[0] == 1 && held.lbs()[1] == 1 && held.ubs().getNumElements() == 1 && held.ubs()[0] == quarter &&
           held.effectiveness() == 2);
        const OsiCut *base = &held;
        ok("the base class reaches it", near(base->violated(copy), 1));
    }
    return plan();
}
