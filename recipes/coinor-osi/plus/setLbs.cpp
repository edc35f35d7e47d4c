/*---
 * tasks: [OsiColCut.setLbs-4665f8]
 * goals: [Osi/test/unitTest]
 * tests:
 *   as many bounds are held as were given: 'OsiColCut.hpp: "Set column lower bounds"; nElements says how many.'
 *   each column has its bound: 'OsiColCut.hpp: setLbs, lbs; colIndices and lbElements are given in pairs.'
 *   no other column has one: 'OsiColCut.hpp: "a sparse vector of column lower bounds".'
 *   only the first so many of longer arrays are taken: 'OsiColCut.hpp: nElements.'
 *   columns can come in any order: 'OsiColCut.hpp: "a sparse vector".'
 *   it says the same as the one for a packed vector: 'OsiColCut.hpp: "from a packed vector"; operator==.'
 *   bounds of zero and infinite bounds are kept: 'Callers (OsiTestSolverInterface.cpp: applyColCut) take them all.'
 *   the arrays are copied: 'Signature: const; callers (OsiColCutTest.cpp) use them again.'
 *   the arrays stay as they were: 'Signature: const.'
 *   earlier bounds are replaced by fewer: 'OsiColCut.hpp: "Set column lower bounds".'
 *   earlier bounds are replaced by more: 'OsiColCut.hpp: "Set column lower bounds".'
 *   none at all leave no bounds: 'Callers (OsiColCutTest.cpp: setLbs(0, NULL, NULL)).'
 *   the upper bounds stay: 'OsiColCut.hpp: setUbs sets those.'
 *   bounds of the same columns do not mix: 'OsiColCut.hpp: lbs_, ubs_.'
 *   effectiveness and validity stay: 'Callers (OsiColCutTest.cpp) read the effectiveness after.'
 *   a copy and its original are independent: 'Constructors of OsiColCut.'
 *   a negative index is held for consistent to find: 'OsiColCutTest.cpp, "internal consistency".'
 *   good bounds make such a cut consistent again: 'OsiColCut.hpp: consistent.'
 *   an index given twice is found: 'OsiColCut.hpp: "The bound vectors do not have duplicate indices".'
 *   the highest column counts for a model: 'OsiColCut.hpp: consistent(im).'
 *   the cut is infeasible by its lower bounds: 'OsiColCut.hpp: infeasible.'
 *   a solution below them is violated: 'OsiColCut.hpp: violated.'
 *   many bounds are all held: 'OsiColCut.hpp: nElements.'
 ---*/
#include <vector>
#include "OsiColCut.hpp"
#include "CoinError.hpp"
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
        cut.setLbs(4, columns, bounds);
        const CoinPackedVector &v = cut.lbs();
        ok("as many bounds are held as were given", v.getNumElements() == 4);
        ok("each column has its bound", v[2] == 1.5 && v[5] == -2.25 && v[6] == 8 && v[9] == 0.125);
        ok("no other column has one", !v.isExistingIndex(0) && !v.isExistingIndex(1) && !v.isExistingIndex(8) &&
                                          v.getMaxIndex() == 9 && v.getMinIndex() == 2);
        OsiColCut some;
        some.setLbs(2, columns, bounds);
        ok("only the first so many of longer arrays are taken", holds(some.lbs(), 2, columns, bounds));
        OsiColCut any, packed;
        any.setLbs(5, mixed, odd);
        ok("columns can come in any order", holds(any.lbs(), 5, mixed, odd) && any.lbs()[12] == -7);
        packed.setLbs(CoinPackedVector(5, mixed, odd));
        ok("it says the same as the one for a packed vector", any == packed && !(any != packed) && any != cut);
        ok("bounds of zero and infinite bounds are kept", any.lbs().isExistingIndex(7) &&
           any.lbs().isExistingIndex(3) && any.lbs()[0] == -COIN_DBL_MAX && any.lbs()[1] == COIN_DBL_MAX);
    }
    {
        int mine[] = {4, 1};
        double values[] = {10, 20};
        OsiColCut cut;
        cut.setLbs(2, mine, values);
        const bool stayed = mine[0] == 4 && mine[1] == 1 && values[0] == 10 && values[1] == 20;
        mine[0] = 3, mine[1] = 8, values[0] = values[1] = -1;
        ok("the arrays are copied", cut.lbs().getNumElements() == 2 && cut.lbs()[4] == 10 && cut.lbs()[1] == 20);
        ok("the arrays stay as they were", stayed);
    }
    {
        OsiColCut cut;
        cut.setLbs(4, columns, bounds);
        cut.setLbs(2, fewer, others);
        ok("earlier bounds are replaced by fewer", holds(cut.lbs(), 2, fewer, others) && cut.lbs()[5] == 3);
        cut.setLbs(5, mixed, odd);
        ok("earlier bounds are replaced by more", holds(cut.lbs(), 5, mixed, odd) && !cut.lbs().isExistingIndex(5));
        cut.setLbs(0, NULL, NULL);
        ok("none at all leave no bounds", cut.lbs().getNumElements() == 0 && cut == OsiColCut() && cut.consistent());
    }
    {
        OsiColCut cut;
        cut.setUbs(2, fewer, others);
        cut.setEffectiveness(17.5);
        cut.setGloballyValid();
        cut.setLbs(4, columns, bounds);
        ok("the upper bounds stay", holds(cut.ubs(), 2, fewer, others) && holds(cut.lbs(), 4, columns, bounds));
        OsiColCut both;
        both.setLbs(4, columns, bounds);
        both.setUbs(4, columns, odd);
        both.setLbs(4, columns, bounds + 0);
        ok("bounds of the same columns do not mix",
           holds(both.lbs(), 4, columns, bounds) && holds(both.ubs(), 4, columns, odd));
        bool kept = cut.effectiveness() == 17.5 && cut.globallyValid();
        OsiColCut plain;
        plain.setLbs(4, columns, bounds);
        kept = kept && plain.effectiveness() == OsiColCut().effectiveness() && !plain.globallyValid();
        ok("effectiveness and validity stay", kept);
        OsiColCut copy(cut);
        copy.setLbs(2, fewer, others);
        bool independent = holds(cut.lbs(), 4, columns, bounds) && holds(copy.lbs(), 2, fewer, others);
        OsiColCut another(cut);
        cut.setLbs(0, NULL, NULL);
        ok("a copy and its original are independent", independent && holds(another.lbs(), 4, columns, bounds));
    }
    {
        const int bad[] = {3, -1}, twice[] = {3, 4, 3};
        OsiColCut cut;
        cut.setLbs(2, bad, others);
        ok("a negative index is held for consistent to find", !cut.consistent());
        cut.setLbs(2, fewer, others);
        ok("good bounds make such a cut consistent again", cut.consistent());
        bool found;
        try {
            cut.setLbs(3, twice, bounds);
            found = !cut.consistent();
        } catch (const CoinError &) {
            found = true;
        }
        ok("an index given twice is found", found);
    }
    {
        Solver solver;
        solver.columns(10);
        OsiColCut cut;
        cut.setLbs(4, columns, bounds);
        bool fits = cut.consistent(solver);
        cut.setLbs(5, mixed, odd);
        ok("the highest column counts for a model", fits && !cut.consistent(solver));
        const double high[] = {1, 10.5}, edge[] = {1, 10};
        cut.setLbs(2, fewer, edge);
        fits = !cut.infeasible(solver);
        cut.setLbs(2, fewer, high);
        ok("the cut is infeasible by its lower bounds", fits && cut.infeasible(solver));
        const double low[] = {0.5, 0, 0, 0, 0, 12}, enough[] = {1, 0, 0, 0, 0, 10.5};
        ok("a solution below them is violated", near(cut.violated(low), 0.5) && cut.violated(enough) == 0);
    }
    {
        std::vector<int> index;
        std::vector<double> value;
        for (int i = 0; i < 3000; i++) index.push_back(7 * i + 1), value.push_back(0.5 * i - 100);
        OsiColCut cut;
        cut.setLbs(3000, &index[0], &value[0]);
        bool all = cut.lbs().getNumElements() == 3000;
        for (int i = 0; all && i < 3000; i++) all = cut.lbs().getIndices()[i] >= 0 && cut.lbs()[7 * i + 1] == value[i];
        ok("many bounds are all held", all);
    }
    return plan();
}
