/*---
 * tasks: [igam-63bac0]
 * tests:
 *   for a of 1 it is the exponential distribution: 'Head of the file: the integral from 0 to x, by gamma(a).'
 *   for a of a half it is the error function: 'The same integral.'
 *   for whole a it is the Poisson sum: 'The same integral.'
 *   small x have a small relative error: 'Head of the file: "Relative error: [...] peak 3.6e-14".'
 *   both sides of x equal a agree: 'Head of the file: "power series or continued fraction [...] relative values".'
 *   large a and x are exact: 'Head of the file: domain 0,100.'
 *   far in the tails it is 0 and 1: 'The same integral.'
 *   it rises with x and falls with a: 'The same integral.'
 *   an x of 0 gives 0: 'The same integral, over nothing.'
 *   an x of 0 gives 0 for any a: 'The same.'
 *   a negative x gives NAN: 'Head of the file: "both arguments must be positive"; igamc gives NAN.'
 *   an a of 0 or less gives NAN: 'The same.'
 *   it is one less igamc: 'Head of igamc: igamc(a,x) = 1 - igam(a,x).'
 ---*/
#include "plus.h"

double igam(double, double);
double igamc(double, double);

static int is(double a, double x, double wanted)
{
    return fabs(igam(a, x) - wanted) <= 1e-12 * fabs(wanted);
}

/* 1 less the sum of the Poisson probabilities below a. */
static double poisson(int a, double x)
{
    double term = exp(-x), sum = 0;
    int k;

    for (k = 0; k < a; k++) {
        sum += term;
        term *= x / (k + 1);
    }
    return 1 - sum;
}

/* The series, with terms from the largest one on. */
static double series(double a, double x)
{
    double term = exp(a * log(x) - x - lgamma(a + 1)), sum = 0;
    int k;

    for (k = 1; k < 3000; k++) {
        sum += term;
        term *= x / (a + k);
    }
    return sum;
}

int main(void)
{
    static const double xs[] = {0.01, 0.3, 0.9, 0.999, 1, 1.001, 1.5, 2, 4.5, 9, 20};
    int good, i, a;

    begin();
    for (good = 1, i = 0; i < 11; i++)
        good = good && is(1, xs[i], -expm1(-xs[i]));
    check("for a of 1 it is the exponential distribution", good);
    for (good = 1, i = 0; i < 11; i++)
        good = good && is(0.5, xs[i], erf(sqrt(xs[i])));
    check("for a of a half it is the error function", good);
    for (good = 1, a = 2; a < 9; a++)
        for (i = 1; i < 11; i++)
            good = good && near(igam(a, xs[i]), poisson(a, xs[i]), 1e-12);
    check("for whole a it is the Poisson sum", good);
    good = is(3, 1e-4, series(3, 1e-4)) && is(0.2, 1e-9, series(0.2, 1e-9)) && is(10, 0.5, series(10, 0.5)) &&
           is(2.5, 0.01, series(2.5, 0.01)) && igam(3, 1e-4) < 1.7e-13 && igam(3, 1e-4) > 1.6e-13;
    check("small x have a small relative error", good);
    for (good = 1, a = 1; a < 60; a += 7)
        good = good && near(igam(a + 0.25, a + 0.25), series(a + 0.25, a + 0.25), 1e-12) &&
               near(igam(a + 0.25, a + 0.24), series(a + 0.25, a + 0.24), 1e-12) &&
               near(igam(a + 0.25, a + 0.26), series(a + 0.25, a + 0.26), 1e-12);
    good = good && near(igam(0.3, 0.5), series(0.3, 0.5), 1e-12) && near(igam(0.3, 1.2), series(0.3, 1.2), 1e-12) &&
           near(igam(1.7, 1.2), series(1.7, 1.2), 1e-12);
    check("both sides of x equal a agree", good);
    good = near(igam(100, 100), series(100, 100), 1e-11) && near(igam(100, 80), series(100, 80), 1e-11) &&
           near(igam(80, 100), series(80, 100), 1e-11) && near(igam(30, 50), poisson(30, 50), 1e-11);
    check("large a and x are exact", good);
    check("far in the tails it is 0 and 1", igam(2, 800) == 1 && igam(0.5, 1000) == 1 && igam(500, 0.001) == 0 &&
          igam(5, 60) > 1 - 1e-12);
    for (good = 1, i = 1; i < 11; i++)
        good = good && igam(2.5, xs[i]) > igam(2.5, xs[i - 1]) && igam(2.5, xs[i]) < igam(2, xs[i]);
    check("it rises with x and falls with a", good);
    check("an x of 0 gives 0", igam(1, 0) == 0 && igam(0.5, 0) == 0);
    check("an x of 0 gives 0 for any a", igam(300, 0) == 0 && igam(1e-3, 0) == 0);
    check("a negative x gives NAN", isnan(igam(1, -1)) && isnan(igam(2, -1e-9)) && isnan(igam(0.5, -20)));
    check("an a of 0 or less gives NAN", isnan(igam(0, 1)) && isnan(igam(-1, 0.5)) && isnan(igam(-0.5, 3)) &&
          isnan(igam(-2, 0.01)));
    for (good = 1, a = 1; a < 12; a += 2)
        for (i = 0; i < 11; i++)
            good = good && near(igam(a / 2.0, xs[i]) + igamc(a / 2.0, xs[i]), 1, 1e-12);
    check("it is one less igamc", good);
    return checked();
}
