/*---
 * tasks: [OsiColCut.setUbs-159ba0.2]
 * goals: [Osi/test/unitTest]
 * tests:
 *   as many bounds are held as were given: 'OsiColCut.hpp: "Set column upper bounds"; nElements says how many.'
 *   each column has its bound: 'OsiColCut.hpp: setUbs, ubs; colIndices and ubElements are given in pairs.'
 *   no other column has one: 'OsiColCut.hpp: "a sparse vector of column upper bounds".'
 *   only the first so many of longer arrays are taken: 'OsiColCut.hpp: nElements.'
 *   columns can come in any order: 'OsiColCut.hpp: "a sparse vector".'
 *   it says the same as the one for a packed vector: 'OsiColCut.hpp: "from a packed vector"; operator==.'
 *   bounds of zero and infinite bounds are kept: 'Callers (OsiTestSolverInterface.cpp: applyColCut) take them all.'
 *   the arrays are copied: 'Signature: const; callers (OsiColCutTest.cpp) use them again.'
 *   the arrays stay as they were: 'Signature: const.'
 *   earlier bounds are replaced by fewer: 'OsiColCut.hpp: "Set column upper bounds".'
 *   earlier bounds are replaced by more: 'OsiColCut.hpp: "Set column upper bounds".'
 *   none at all leave no bounds: 'Callers (OsiColCutTest.cpp: setUbs(0, NULL, NULL)).'
 *   the lower bounds stay: 'OsiColCut.hpp: setLbs sets those.'
 *   effectiveness and validity stay: 'Callers (OsiColCutTest.cpp) read the effectiveness after.'
 *   a copy and its original are independent: 'Constructors of OsiColCut.'
 *   the cut is infeasible by its upper bounds: 'OsiColCut.hpp: infeasible.'
 *   a solution above them is violated: 'OsiColCut.hpp: violated.'
 *   many bounds are all held: 'OsiColCut.hpp: nElements.'
 *   columns below their number fit a model: 'OsiColCut.hpp: "do not have an index >= the number of column".'
 *   an upper bound of a column past the last does not: 'OsiColCut.hpp: "lower & upperbound packed vectors".'
 *   a lower bound of a column past the last does not: 'OsiColCut.hpp: "lower & upperbound packed vectors".'
 *   it is enough that one of the two is wrong: 'OsiColCut.hpp: "lower & upperbound packed vectors".'
 *   the last column fits and the number itself does not: 'OsiColCut.hpp: "an index >= the number of column".'
 *   the highest counts wherever it stands: 'OsiColCut.hpp: "do not have an index >=".'
 *   a cut without bounds fits each model: 'OsiColCut.hpp: "do not have an index >=".'
 *   a model without columns fits no bound: 'OsiColCut.hpp: "an index >= the number of column".'
 *   whether an index is negative is asked elsewhere: 'OsiColCut.hpp: "consistent with respect to itself".'
 *   neither cut nor model is changed: 'Signature: const.'
 ---*/
#include <vector>
#include "OsiColCut.hpp"
#include "solver.h"
#include "ok.h"

/* Whether the vector holds just this. */
static bool holds(const CoinPackedVector &v, int size, const int *columns, const double *bounds)
{
    if (v.getNumElements() != size) return false;
    for (int i = 0; i < size; i++) {
        bool found = false;
        for (int j = 0; j < size; j++)
            found = found || (v.getIndices()[j] == columns[i] && v.getElements()[j] == bounds[i]);
        if (!found) return false;
    }
    return true;
}

int main()
{
    const int columns[] = {2, 5, 6, 9}, fewer[] = {0, 5}, mixed[] = {7, 0, 3, 1, 12};
    const double bounds[] = {1.5, -2.25, 8, 0.125}, others[] = {4, 3}, odd[] = {0, -COIN_DBL_MAX, 0, COIN_DBL_MAX, -7};
    {
        OsiColCut cut;
        cut.setUbs(4, columns, bounds);
        const CoinPackedVector &v = cut.ubs();
        ok("as many bounds are held as were given", v.getNumElements() == 4);
        ok("each column has its bound", v[2] == 1.5 && v[5] == -2.25 && v[6] == 8 && v[9] == 0.125);
        ok("no other column has one", !v.isExistingIndex(0) && !v.isExistingIndex(1) && !v.isExistingIndex(8) &&
                                          v.getMaxIndex() == 9 && v.getMinIndex() == 2);
        OsiColCut some;
        some.setUbs(2, columns, bounds);
        ok("only the first so many of longer arrays are taken", holds(some.ubs(), 2, columns, bounds));
        OsiColCut any, packed;
        any.setUbs(5, mixed, odd);
        ok("columns can come in any order", holds(any.ubs(), 5, mixed, odd) && any.ubs()[12] == -7);
        packed.setUbs(CoinPackedVector(5, mixed, odd));
        ok("it says the same as the one for a packed vector", any == packed && !(any != packed) && any != cut);
        ok("bounds of zero and infinite bounds are kept", any.ubs().isExistingIndex(7) &&
           any.ubs().isExistingIndex(3) && any.ubs()[0] == -COIN_DBL_MAX && any.ubs()[1] == COIN_DBL_MAX);
    }
    {
        int mine[] = {4, 1};
        double values[] = {10, 20};
        OsiColCut cut;
        cut.setUbs(2, mine, values);
        const bool stayed = mine[0] == 4 && mine[1] == 1 && values[0] == 10 && values[1] == 20;
        mine[0] = 3, mine[1] = 8, values[0] = values[1] = -1;
        ok("the arrays are copied", cut.ubs().getNumElements() == 2 && cut.ubs()[4] == 10 && cut.ubs()[1] == 20);
        ok("the arrays stay as they were", stayed);
    }
    {
        OsiColCut cut;
        cut.setUbs(4, columns, bounds);
        cut.setUbs(2, fewer, others);
        ok("earlier bounds are replaced by fewer", holds(cut.ubs(), 2, fewer, others) && cut.ubs()[5] == 3);
        cut.setUbs(5, mixed, odd);
        ok("earlier bounds are replaced by more", holds(cut.ubs(), 5, mixed, odd) && !cut.ubs().isExistingIndex(5));
        cut.setUbs(0, NULL, NULL);
        ok("none at all leave no bounds", cut.ubs().getNumElements() == 0 && cut == OsiColCut() && cut.consistent());
    }
    {
        OsiColCut cut;
        cut.setLbs(2, fewer, others);
        cut.setEffectiveness(17.5);
        cut.setGloballyValid();
        cut.setUbs(4, columns, bounds);
        ok("the lower bounds stay", holds(cut.lbs(), 2, fewer, others) && holds(cut.ubs(), 4, columns, bounds));
        bool kept = cut.effectiveness() == 17.5 && cut.globallyValid();
        OsiColCut plain;
        plain.setUbs(4, columns, bounds);
        kept = kept && plain.effectiveness() == OsiColCut().effectiveness() && !plain.globallyValid();
        ok("effectiveness and validity stay", kept);
        OsiColCut copy(cut);
        copy.setUbs(2, fewer, others);
        bool independent = holds(cut.ubs(), 4, columns, bounds) && holds(copy.ubs(), 2, fewer, others);
        OsiColCut another(cut);
        cut.setUbs(0, NULL, NULL);
        ok("a copy and its original are independent", independent && holds(another.ubs(), 4, columns, bounds));
    }
    {
        Solver solver;
        solver.columns(10);
        const double low[] = {-1, -10.5}, edge[] = {0, 0};
        OsiColCut cut;
        cut.setUbs(2, fewer, edge);
        const bool fits = !cut.infeasible(solver);
        cut.setUbs(2, fewer, low);
        ok("the cut is infeasible by its upper bounds", fits && cut.infeasible(solver));
        const double high[] = {-0.5, 0, 0, 0, 0, -12}, enough[] = {-1, 0, 0, 0, 0, -10.5};
        ok("a solution above them is violated", near(cut.violated(high), 0.5) && cut.violated(enough) == 0);
    }
    {
        Solver solver, none;
        solver.columns(10);
        none.columns(0);
        const int last[] = {3, 9}, past[] = {3, 10}, front[] = {10, 3}, far[] = {25, 1}, below[] = {3, -1};
        OsiColCut good, upper, lower, both, empty, ends;
        good.setLbs(4, columns, bounds);
        good.setUbs(2, fewer, others);
        ok("columns below their number fit a model", good.consistent(solver));
        upper.setUbs(2, far, others);
        ok("an upper bound of a column past the last does not", !upper.consistent(solver));
        lower.setLbs(2, far, others);
        ok("a lower bound of a column past the last does not", !lower.consistent(solver));
        upper.setLbs(2, fewer, others);
        lower.setUbs(2, fewer, others);
        both.setLbs(2, far, others);
        both.setUbs(2, far, others);
        ok("it is enough that one of the two is wrong",
           !upper.consistent(solver) && !lower.consistent(solver) && !both.consistent(solver));
        ends.setUbs(2, last, others);
        bool edge = ends.consistent(solver);
        ends.setUbs(2, past, others);
        edge = edge && !ends.consistent(solver);
        ends.setUbs(0, NULL, NULL);
        ends.setLbs(2, last, others);
        edge = edge && ends.consistent(solver);
        ends.setLbs(2, past, others);
        ok("the last column fits and the number itself does not", edge && !ends.consistent(solver));
        ends.setLbs(2, front, others);
        edge = !ends.consistent(solver);
        ends.setLbs(0, NULL, NULL);
        ends.setUbs(2, front, others);
        ok("the highest counts wherever it stands", edge && !ends.consistent(solver));
        ok("a cut without bounds fits each model", empty.consistent(solver) && empty.consistent(none));
        ok("a model without columns fits no bound", !good.consistent(none) && !lower.consistent(none));
        OsiColCut odd_;
        odd_.setUbs(2, below, others);
        ok("whether an index is negative is asked elsewhere", odd_.consistent(solver) && !odd_.consistent());
        const OsiColCut before(good);
        good.consistent(solver);
        ok("neither cut nor model is changed", good == before && solver.getNumCols() == 10 &&
           good.lbs().getNumElements() == 4 && good.ubs().getNumElements() == 2);
    }
    {
        std::vector<int> index;
        std::vector<double> value;
        for (int i = 0; i < 3000; i++) index.push_back(7 * i + 1), value.push_back(0.5 * i - 100);
        OsiColCut cut;
        cut.setUbs(3000, &index[0], &value[0]);
        bool all = cut.ubs().getNumElements() == 3000;
        for (int i = 0; all && i < 3000; i++) all = cut.ubs().getIndices()[i] >= 0 && cut.ubs()[7 * i + 1] == value[i];
        ok("many bounds are all held", all);
    }
    return plan();
}
