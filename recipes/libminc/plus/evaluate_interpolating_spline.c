/*---
 * tasks: [evaluate_interpolating_spline-241e31]
 * tests:
 *   a linear spline interpolates: 'Docstring: degree "2,3,4 for linear, quadratic, or cubic".'
 *   a linear spline has the derivative of its line: 'Docstring: "the interpolated value and derivatives".'
 *   a quadratic spline is that of its basis: 'splines.c: get_quadratic_spline_coefs, the basis matrix.'
 *   a quadratic spline has its derivatives: 'Docstring: "1 + n_derivs" values and derivatives.'
 *   a cubic spline goes through the inner vertices: 'cubic_interpolate: u = 0 returns v1, u = 1 returns v2.'
 *   a cubic spline is the Catmull-Rom one between them: 'get_cubic_spline_coefs, "cubic interpolating".'
 *   a cubic spline has its derivatives: 'Docstring: "1 + n_derivs" values and derivatives.'
 *   in two dimensions each parameter has its own: 'Docstring: "u, v, w,... position of spline".'
 *   derivatives in two dimensions stand by dx and dy: 'Docstring: "indexed by v, dx, dy, dz".'
 *   in three dimensions each parameter has its own: 'Docstring: "u, v, w,... position of spline".'
 *   derivatives in three dimensions stand by dx, dy and dz: 'Docstring: "indexed by v, dx, dy, dz".'
 *   the cubic basis is that of all dimensions: 'Docstring: degree "4 for cubic".'
 *   several values are interpolated: 'Docstring: n_values, "number of values to interpolate at the point".'
 *   derivatives of several values stand by value: 'Docstring: "4D index of derivs[2,0,0,0]".'
 *   eleven dimensions work: 'Docstring: n_dims is "dimensionality of the spline, >= 1".'
 *   no more than the values is written: 'Docstring: derivs holds n_values * (1 + n_derivs) * ... values.'
 *   a degree of zero is refused: 'Docstring: degree "2,3,4".'
 *   a degree above four is refused: 'Docstring: degree "2,3,4".'
 *   no dimension is refused: 'Docstring: n_dims ">= 1".'
 *   too many dimensions are refused: 'splines.c: MAX_DIMS.'
 *   what is refused is printed: 'tensors.c: spline_tensor_product prints an error for a degree that it refuses.'
 *   parameters and vertices are left as they are: 'Docstring: they are @INPUT.'
 ---*/
#include <internal_volume_io.h>
#include "plus.h"

static int printed;
static VIO_Real out[4096];

static void count(char text[]) {
    printed++;
}

static int is(int i, double expected) {
    return fabs(out[i] - expected) <= 1e-10 * (1 + fabs(expected));
}

static void run(int dims, VIO_Real *at, int degree, int values, VIO_Real *coefs, int derivs) {
    for (int i = 0; i < 4096; i++) out[i] = -4711;
    evaluate_interpolating_spline(dims, at, degree, values, coefs, derivs, out);
}

/* Whether only the first n of `out` were written. */
static int wrote(int n) {
    for (int i = n; i < 4096; i++)
        if (out[i] != -4711) return 0;
    return 1;
}

static int told = 1;

static int refuses(int dims, int degree) {
    static VIO_Real coefs[1024], at[200];
    printed = 0;
    run(dims, at, degree, 1, coefs, 0);
    told &= printed > 0;
    return wrote(0);
}

int main(void) {
    set_print_error_function(count);
    int exact = 1;
    VIO_Real u[12] = {0.25};
    VIO_Real line[] = {3, 11}, three[] = {3, 11, 7}, four[] = {5, 3, 11, 7};
    run(1, u, 2, 1, line, 0);
    ok("a linear spline interpolates", is(0, 5));
    exact &= wrote(1);
    run(1, u, 2, 1, line, 1);
    ok("a linear spline has the derivative of its line", is(0, 5) && is(1, 8));
    exact &= wrote(2);
    double x = 0.25, q0 = 7 + 8 * x - 6 * x * x, q1 = 8 - 12 * x;
    run(1, u, 3, 1, three, 0);
    ok("a quadratic spline is that of its basis", is(0, q0));
    run(1, u, 3, 1, three, 2);
    ok("a quadratic spline has its derivatives", is(0, q0) && is(1, q1) && is(2, -12));
    exact &= wrote(3);

    VIO_Real zero = 0, unit = 1;
    run(1, &zero, 4, 1, four, 0);
    int through = is(0, 3);
    run(1, &unit, 4, 1, four, 0);
    ok("a cubic spline goes through the inner vertices", through && is(0, 11));
    double c1 = (11 - 5) / 2.0, c2 = 5 - 2.5 * 3 + 2 * 11 - 0.5 * 7, c3 = -0.5 * 5 + 1.5 * 3 - 1.5 * 11 + 0.5 * 7;
    double k0 = 3 + c1 * x + c2 * x * x + c3 * x * x * x, k1 = c1 + 2 * c2 * x + 3 * c3 * x * x;
    run(1, u, 4, 1, four, 0);
    ok("a cubic spline is the Catmull-Rom one between them", is(0, k0));
    run(1, u, 4, 1, four, 3);
    ok("a cubic spline has its derivatives", is(0, k0) && is(1, k1) && is(2, 2 * c2 + 6 * c3 * x) && is(3, 6 * c3));
    exact &= wrote(4);

    /* f(0,0), f(0,1), f(1,0), f(1,1): 2 + 5u + v + 3uv */
    VIO_Real square[] = {2, 3, 7, 11}, at[] = {0.25, 0.5, 0.75};
    run(2, at, 2, 1, square, 0);
    ok("in two dimensions each parameter has its own", is(0, 2 + 1.25 + 0.5 + 0.375));
    exact &= wrote(1);
    run(2, at, 2, 1, square, 1);
    ok("derivatives in two dimensions stand by dx and dy",
       is(0, 4.125) && is(1, 1 + 3 * 0.25) && is(2, 5 + 3 * 0.5) && is(3, 3));
    exact &= wrote(4);
    /* u + 10 v + 100 w + 1000 u v w */
    VIO_Real cube[8], before[8], at_before[] = {0.25, 0.5, 0.75};
    for (int i = 0; i < 8; i++) cube[i] = (i >> 2) + 10 * (i >> 1 & 1) + 100 * (i & 1) + 1000 * (i == 7);
    memcpy(before, cube, sizeof before);
    run(3, at, 2, 1, cube, 0);
    double value = 0.25 + 5 + 75 + 1000 * 0.25 * 0.5 * 0.75;
    ok("in three dimensions each parameter has its own", is(0, value));
    run(3, at, 2, 1, cube, 1);
    ok("derivatives in three dimensions stand by dx, dy and dz",
       is(0, value) && is(4, 1 + 1000 * 0.5 * 0.75) && is(2, 10 + 1000 * 0.25 * 0.75) &&
           is(1, 100 + 1000 * 0.25 * 0.5) && is(3, 250) && is(5, 500) && is(6, 750) && is(7, 1000));
    exact &= wrote(8);
    ok("parameters and vertices are left as they are",
       !memcmp(before, cube, sizeof before) && !memcmp(at, at_before, sizeof at));

    /* The product of two cubic splines: values four[i] * other[j]. */
    VIO_Real other[] = {1, 2, 4, 3}, plane[16];
    for (int i = 0; i < 16; i++) plane[i] = four[i / 4] * other[i % 4];
    run(1, &at[1], 4, 1, other, 1);
    double o0 = out[0], o1 = out[1];
    run(2, at, 4, 1, plane, 1);
    ok("the cubic basis is that of all dimensions",
       is(0, k0 * o0) && is(1, k0 * o1) && is(2, k1 * o0) && is(3, k1 * o1) && o0 > 2 && o0 < 4);

    /* Each vertex holds all values: the line above, and another one. */
    VIO_Real pair[] = {3, 100, -1, 11, 104, -9};
    run(1, u, 2, 3, pair, 0);
    ok("several values are interpolated", is(0, 5) && is(1, 101) && is(2, -3));
    exact &= wrote(3);
    run(1, u, 2, 3, pair, 1);
    int by = is(0, 5) && is(1, 8) && is(2, 101) && is(3, 4) && is(4, -3) && is(5, -8);
    VIO_Real both[8];
    for (int i = 0; i < 4; i++) both[2 * i] = square[i], both[2 * i + 1] = -10 * square[i];
    run(2, at, 2, 2, both, 1);
    ok("derivatives of several values stand by value",
       by && is(0, 4.125) && is(1, 1.75) && is(2, 6.5) && is(3, 3) && is(4, -41.25) && is(5, -17.5) && is(6, -65) &&
           is(7, -30));
    exact &= wrote(8);
    ok("no more than the values is written", exact);

    static VIO_Real wide[2048];
    double sum = 0;
    for (int i = 0; i < 11; i++) {
        u[i] = (i + 1) / 16.0;
        sum += (i + 1) * u[i];
    }
    for (int i = 0; i < 2048; i++)
        for (int j = 0; j < 11; j++) wide[i] += (i >> (10 - j) & 1) * (j + 1);
    run(11, u, 2, 1, wide, 0);
    ok("eleven dimensions work", is(0, sum));
    ok("a degree of zero is refused", refuses(1, 0) && refuses(2, 0) && refuses(1, -1));
    ok("a degree above four is refused", refuses(1, 5) && refuses(2, 6));
    ok("no dimension is refused", refuses(0, 2) && refuses(-1, 4));
    ok("too many dimensions are refused", refuses(101, 2) && refuses(180, 2));
    ok("what is refused is printed", told);
    return done();
}
