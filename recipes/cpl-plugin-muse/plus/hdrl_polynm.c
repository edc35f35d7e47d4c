/*---
 * tasks: [hdrl_polynm-e9154e]
 * tests:
 *   a line is found: 'Docstring: "Determine polynomial coefficients".'
 *   a parabola is found: 'The same; hdrl_cat_polynm-test.c.'
 *   a cubic is found: 'The same.'
 *   a constant is the mean: 'The same, of least squares.'
 *   the coefficients rise in power: 'hdrl_cat_polynm-test.c; hdrl_cat_extend.c.'
 *   scattered points have a fit of least squares: 'Docstring; there are more data than coefficients.'
 *   a point at 0 counts: 'Docstring: a polynomial; the power 0 of 0 is 1.'
 *   negative coordinates count: 'The same.'
 *   only n points are used: 'Docstring: "Number of data".'
 *   only m coefficients are written: 'Docstring: "number of coefficients".'
 *   the old coefficients are ignored: 'Callers pass an array that is not set.'
 *   the data stay: 'polycf is the output.'
 *   it returns no error: 'Docstring: "CPL_ERROR_NONE if all went well".'
 ---*/
#include "plus.h"
#include "hdrl_cat_def.h"
#include "hdrl_cat_polynm.h"

static double x[12] = {-3, -1.5, 0, 0.5, 1, 2, 3.25, 4, 1e5, -1e5, 7e4, 1}, y[12], c[8];
static int codes;

/* Fits this polynomial at the first n points. */
static void fit(int n, int m, double c0, double c1, double c2, double c3)
{
    int i;

    for (i = 0; i < 12; i++)
        y[i] = i < n ? c0 + c1 * x[i] + c2 * x[i] * x[i] + c3 * x[i] * x[i] * x[i] : 4e6 + i;
    for (i = 0; i < 8; i++)
        c[i] = 999;
    codes |= hdrl_polynm(y, x, n, c, m, 0);
}

static int are(int m, double c0, double c1, double c2, double c3)
{
    const double wanted[] = {c0, c1, c2, c3};
    int i, good = 1;

    for (i = 0; i < m; i++)
        good = good && near(c[i], wanted[i], 1e-6);
    for (; i < 8; i++)
        good = good && c[i] == 999;
    return good;
}

int main(void)
{
    static const double scatter[] = {2, 9, 4, -3, 6, 1, 8, 5};
    double sx = 0, sy = 0, sxx = 0, sxy = 0, d, kept_x[12], kept_y[12], mean;
    int good, i;

    begin();
    fit(8, 2, 3, -2, 0, 0);
    check("a line is found", are(2, 3, -2, 0, 0));
    fit(8, 3, -1, 0.5, 4, 0);
    check("a parabola is found", are(3, -1, 0.5, 4, 0));
    fit(8, 4, 2, -3, 0.25, 1.5);
    check("a cubic is found", are(4, 2, -3, 0.25, 1.5));
    good = near(c[0], 2, 1e-6) && near(c[3], 1.5, 1e-6);
    for (i = 0; i < 8; i++) {
        sx += x[i], sy += scatter[i], sxx += x[i] * x[i], sxy += x[i] * scatter[i];
        y[i] = scatter[i];
    }
    check("the coefficients rise in power", good);
    mean = 0;
    memcpy(kept_x, x, sizeof x);
    memcpy(kept_y, y, sizeof y);
    codes |= hdrl_polynm(y, x, 8, &mean, 1, 0);
    check("a constant is the mean", near(mean, sy / 8, 1e-9));
    c[0] = c[1] = 5;
    codes |= hdrl_polynm(y, x, 8, c, 2, 0);
    d = 8 * sxx - sx * sx;
    good = near(c[0], (sxx * sy - sx * sxy) / d, 1e-9) && near(c[1], (8 * sxy - sx * sy) / d, 1e-9);
    check("scattered points have a fit of least squares", good);
    check("the data stay", !memcmp(kept_x, x, sizeof x) && !memcmp(kept_y, y, sizeof y));
    c[0] = -1e9;
    c[1] = 1e9;
    codes |= hdrl_polynm(y, x, 8, c, 2, 0);
    check("the old coefficients are ignored", near(c[0], (sxx * sy - sx * sxy) / d, 1e-9));
    {
        double x0[3] = {0, 1, 2}, y0[3] = {7, 9, 15}, z[3] = {0};

        codes |= hdrl_polynm(y0, x0, 3, z, 3, 0);
        check("a point at 0 counts", near(z[0], 7, 1e-6) && near(z[1], 0, 1e-6) && near(z[2], 2, 1e-6));
    }
    {
        double x0[4] = {-4, -3, -2, -1}, y0[4] = {-64, -27, -8, -1}, z[4] = {0};

        codes |= hdrl_polynm(y0, x0, 4, z, 4, 0);
        check("negative coordinates count", near(z[0], 0, 1e-5) && near(z[1], 0, 1e-5) && near(z[2], 0, 1e-5) &&
              near(z[3], 1, 1e-5));
    }
    fit(5, 2, 1, 6, 0, 0);
    check("only n points are used", near(c[0], 1, 1e-6) && near(c[1], 6, 1e-6));
    check("only m coefficients are written", are(2, 1, 6, 0, 0));
    check("it returns no error", codes == CPL_ERROR_NONE && error() == 0);
    return checked();
}
