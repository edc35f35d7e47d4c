/*---
 * tasks: [fraction-fea7e6]
 * tests:
 *   a pixel far outside has no part: 'Docstring: "fraction of pixel bounded by 0 - r_out".'
 *   a pixel far inside is whole: 'Docstring: "fraction of pixel bounded by 0 - r_out".'
 *   the pixel of the centre is whole: 'Docstring: "x,y coordinates relative to centre".'
 *   near the edge by less than half a diagonal it is right: 'Docstring: "fraction of pixel bounded".'
 *   an edge through the centre of a pixel halves it: 'Docstring: "linear approximation ok if pixel located >>1".'
 *   on the axes it is right: 'Docstring: "fraction of pixel bounded".'
 *   on the diagonals it is right: 'Docstring: "fraction of pixel bounded".'
 *   where a corner alone is inside it is right: 'Docstring: "fraction of pixel bounded".'
 *   where a corner alone is outside it is right: 'Docstring: "fraction of pixel bounded".'
 *   at any angle it is right: 'Docstring: "fraction of pixel bounded".'
 *   coordinates need not be whole: 'Docstring: "x,y coordinates relative to centre"; both are double.'
 *   all eight octants are alike: 'Docstring: a circle about the centre.'
 *   it lies between zero and one: 'Docstring: "fraction of pixel".'
 *   it grows with the radius: 'Docstring: "bounded by 0 - r_out".'
 *   the pixels of a circle add up to its area: 'Callers (hdrl_cat_phopt.c) add up fluxes of an aperture.'
 ---*/
#include "plus.h"
#include "hdrl_cat_utils.h"

/* By counting 100 x 100 points of the pixel. */
static double counted(double x, double y, double r)
{
    int i, j, n = 0;

    for (i = 0; i < 100; i++)
        for (j = 0; j < 100; j++) {
            double u = x - 0.495 + i / 100., v = y - 0.495 + j / 100.;

            n += u * u + v * v < r * r;
        }
    return n / 1e4;
}

static int right(double x, double y, double r)
{
    return near(fraction(x, y, r), counted(x, y, r), 0.012);
}

/* Pixels on a ray at this angle, whose centres are up to 0.72 before and behind the edge. */
static int ray(double angle, double r)
{
    int i;

    for (i = -12; i <= 12; i++)
        if (!right((r + i * 0.06) * cos(angle), (r + i * 0.06) * sin(angle), r))
            return 0;
    return 1;
}

int main(void)
{
    double s = sqrt(0.5), sum, last;
    int i, j, good;

    begin();
    check("a pixel far outside has no part",
          fraction(30, 0, 29.2) == 0 && fraction(0, -30, 20) == 0 && fraction(-21, 21, 28.9) == 0);
    check("a pixel far inside is whole",
          fraction(30, 0, 30.8) == 1 && fraction(0, -3, 30) == 1 && fraction(-21, 21, 30.5) == 1);
    check("the pixel of the centre is whole", fraction(0, 0, 5) == 1 && fraction(0, 0, 0.8) == 1);
    good = right(30, 0, 29.4) && right(30, 0, 30.6) && right(30, 0, 29.6) && right(30, 0, 30.4);
    check("near the edge by less than half a diagonal it is right",
          good && right(20, 20, 20 * sqrt(2) - 0.65) && right(20, 20, 20 * sqrt(2) + 0.65));
    check("an edge through the centre of a pixel halves it",
          near(fraction(30, 0, 30), 0.5, 0.01) && near(fraction(18, 24, 30), 0.5, 0.01) &&
          near(fraction(0, 40, 40), 0.5, 0.01) && near(fraction(-24, -32, 40), 0.5, 0.01));
    check("on the axes it is right",
          ray(0, 35) && ray(CPL_MATH_PI / 2, 35) && ray(CPL_MATH_PI, 35) && ray(-CPL_MATH_PI / 2, 35));
    check("on the diagonals it is right", ray(CPL_MATH_PI / 4, 35) && ray(3 * CPL_MATH_PI / 4, 35));
    good = near(fraction(40 * s, 40 * s, 39.6), counted(40 * s, 40 * s, 39.6), 0.012);
    check("where a corner alone is inside it is right",
          good && right(32, 24, 39.5) && right(32, 24, 39.4) && right(24, 32, 39.45) && right(36, 20, 40.7));
    check("where a corner alone is outside it is right",
          right(32, 24, 40.5) && right(32, 24, 40.6) && right(-24, 32, 40.55) && right(40 * s, 40 * s, 40.5));
    for (good = 1, i = 0; i < 24; i++)
        good = good && ray(i * 0.26 + 0.02, 31 + i);
    check("at any angle it is right", good);
    check("coordinates need not be whole",
          right(30.25, 4.75, 30.4) && right(-17.4, 29.9, 34.5) && right(0.3, 33.33, 33.2) && right(-0.01, 40.5, 40.6));
    for (good = 1, i = 0; i <= 20; i++) {
        double x = 28 + i * 0.1, y = i * 1.3, f = fraction(x, y, 31.5);

        good = good && near(fraction(-x, y, 31.5), f, 1e-12) && near(fraction(x, -y, 31.5), f, 1e-12) &&
               near(fraction(-x, -y, 31.5), f, 1e-12) && near(fraction(y, x, 31.5), f, 1e-12) &&
               near(fraction(-y, x, 31.5), f, 1e-12) && near(fraction(y, -x, 31.5), f, 1e-12) &&
               near(fraction(-y, -x, 31.5), f, 1e-12);
    }
    check("all eight octants are alike", good);
    for (good = 1, sum = 0, i = -26; i <= 26; i++)
        for (j = -26; j <= 26; j++) {
            double f = fraction(i, j, 24.7);

            good = good && f >= 0 && f <= 1;
            sum += f;
        }
    check("it lies between zero and one", good);
    check("the pixels of a circle add up to its area", fabs(sum / (CPL_MATH_PI * 24.7 * 24.7) - 1) < 0.002);
    for (good = 1, last = 0, i = 0; i <= 200; i++) {
        double f = fraction(21, 28, 34 + i * 0.01);

        good = good && f >= last - 1e-12;
        last = f;
    }
    check("it grows with the radius", good && last == 1);
    return checked();
}
