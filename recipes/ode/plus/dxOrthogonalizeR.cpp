/*---
 * tasks: [dxOrthogonalizeR-a0cadc]
 * tests:
 *   a matrix of rotation stays: 'Docstring: "make sure it is correct".'
 *   that is a success: 'Return type; caller dBodySetRotation asserts it.'
 *   rows of another length become unit rows: 'Docstring: "make sure it is correct".'
 *   very long and very short rows too: 'Docstring; "supposed to be a rotation matrix".'
 *   the third row is the cross product of the others: 'Docstring: "a rotation matrix", right-handed.'
 *   a mirror becomes a rotation: 'Docstring: "make sure it is correct".'
 *   what the third row holds does not matter: 'Docstring: two rows say what the third is.'
 *   the fourth column becomes zero: 'Docstring: correct; callers multiply rows of four.'
 *   the first row keeps its direction: 'Docstring: "operates on rows".'
 *   a second row at right angles keeps its direction: 'Docstring: "operates on rows".'
 *   a first row of zero fails: 'odemath.h: a vector that cannot be normalized; return type.'
 *   a second row of zero fails: 'odemath.h: a vector that cannot be normalized; return type.'
 *   equal first rows fail: 'Nothing is left of the second row at right angles; return type.'
 *   doing it again changes nothing: 'Docstring: a correct matrix is correct.'
 *   nothing behind the matrix is written: 'common.h: dMatrix3 has 12 numbers.'
 ---*/
#include <ode/ode.h>
#include "config.h"
#include "odemath.h"
#include "ok.h"

static dReal m[16];

static bool make(double a, double b, double c, double d, double e, double f, double g, double h, double i)
{
    const double rows[] = {a, b, c, 5, d, e, f, 6, g, h, i, 7, 8, 9, 10, 11};
    for (int j = 0; j < 16; j++) m[j] = rows[j];
    return dxOrthogonalizeR(m);
}

static bool is(double a, double b, double c, double d, double e, double f, double g, double h, double i)
{
    return is3(m, a, b, c) && is3(m + 4, d, e, f) && is3(m + 8, g, h, i);
}

static bool zeros() { return m[3] == 0 && m[7] == 0 && m[11] == 0; }

static bool behind() { return m[12] == 8 && m[13] == 9 && m[14] == 10 && m[15] == 11; }

int main()
{
    bool success = make(1, 0, 0, 0, 1, 0, 0, 0, 1), column = zeros(), end = behind();
    bool stays = is(1, 0, 0, 0, 1, 0, 0, 0, 1);
    success = success && make(0, 0, 1, 1, 0, 0, 0, 1, 0);
    stays = stays && is(0, 0, 1, 1, 0, 0, 0, 1, 0);
    success = success && make(0.6, -0.8, 0, 0.8, 0.6, 0, 0, 0, 1);
    ok("a matrix of rotation stays", stays && is(0.6, -0.8, 0, 0.8, 0.6, 0, 0, 0, 1));
    column = column && zeros(), end = end && behind();
    success = success && make(2, 0, 0, 0, 0.5, 0, 0, 0, 3);
    bool unit = is(1, 0, 0, 0, 1, 0, 0, 0, 1);
    column = column && zeros(), end = end && behind();
    success = success && make(0, 1.01, 0, 0, 0, 0.98, 1.02, 0, 0);
    ok("rows of another length become unit rows", unit && is(0, 1, 0, 0, 0, 1, 1, 0, 0));
    success = success && make(0, 0, 1e6, 1e-6, 0, 0, 0, 1, 0);
    ok("very long and very short rows too", is(0, 0, 1, 1, 0, 0, 0, 1, 0));
    make(0, 1, 0, 1, 0, 0, 0, 0, 0);
    ok("the third row is the cross product of the others", is(0, 1, 0, 1, 0, 0, 0, 0, -1));
    success = success && make(1, 0, 0, 0, 1, 0, 0, 0, -1);
    bool mirror = is(1, 0, 0, 0, 1, 0, 0, 0, 1);
    success = success && make(0, 3, 0, 2, 0, 0, 0, 0, 1);
    ok("a mirror becomes a rotation", mirror && is(0, 1, 0, 1, 0, 0, 0, 0, -1));
    success = success && make(1, 0, 0, 0, 1, 0, 17, -4, 0.3);
    ok("what the third row holds does not matter", is(1, 0, 0, 0, 1, 0, 0, 0, 1));
    success = success && make(3, -4, 12, 4, 3, 0, 0, 0, 0);
    ok("the first row keeps its direction", is3(m, 3 / 13., -4 / 13., 12 / 13.));
    ok("a second row at right angles keeps its direction", is3(m + 4, 0.8, 0.6, 0) &&
       is3(m + 8, -36 / 65., 48 / 65., 25 / 65.));
    ok("the fourth column becomes zero", column && zeros());
    dReal once[12];
    memcpy(once, m, sizeof once);
    bool again = dxOrthogonalizeR(m);
    for (int i = 0; i < 12; i++) again = again && near(once[i], m[i], 1e-6);
    ok("doing it again changes nothing", again);
    ok("that is a success", success);
    ok("nothing behind the matrix is written", end && behind());
    ok("a first row of zero fails", !make(0, 0, 0, 0, 1, 0, 0, 0, 1));
    ok("a second row of zero fails", !make(1, 0, 0, 0, 0, 0, 0, 0, 1));
    ok("equal first rows fail", !make(1, 0, 0, 1, 0, 0, 0, 0, 1) && !make(0, 2, 0, 0, -1, 0, 0, 0, 1));
    plan();
    return 0;
}
