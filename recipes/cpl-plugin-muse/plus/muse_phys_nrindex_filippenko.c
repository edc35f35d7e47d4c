/*---
 * tasks: [muse_phys_nrindex_filippenko-e935ec]
 * link: [muse/.libs/libmuse.a]
 * goals: [muse/.libs/libmuse.a]
 * tests:
 *   dry air at 15 C and 760 mmHg has the standard index: 'Docstring: "following Filippenko"; his equation 1.'
 *   the index falls with the wavelength: 'The same; parameter l "in um".'
 *   the index follows the pressure: 'Docstring: P "in mmHg"; his equation 2.'
 *   no air has the index one: 'The same; the density is 0.'
 *   the index falls with the temperature: 'Docstring: T "in degrees Celsius"; his equation 2.'
 *   water vapor lowers the index in proportion: 'Docstring: f "in mmHg"; his equation 3.'
 *   the effect of vapor depends on the wavelength: 'His equation 3.'
 *   the effect of vapor falls with the temperature: 'The same.'
 *   frost is calculated too: 'Docstring: "in degrees Celsius".'
 ---*/
#include "plus.h"
#include "muse.h"

#define index_at muse_phys_nrindex_filippenko

/* Parts in a million that are above 1. */
static double above(double l, double T, double f, double P)
{
    return (index_at(l, T, f, P) - 1) * 1e6;
}

/* In the same unit, at 15 C and 760 mmHg. */
static double standard(double l)
{
    double s = pow(l, -2);

    return 64.328 + 29498.1 / (146 - s) + 255.4 / (41 - s);
}

static double density(double T, double P)
{
    return P * (1 + (1.049 - 0.0157 * T) * 1e-6 * P) / (720.883 * (1 + 0.003661 * T));
}

static double vapor(double l, double T, double f)
{
    return f * (0.0624 - 0.00068 / l / l) / (1 + 0.003661 * T);
}

int main(void)
{
    static const double lengths[] = {0.3, 0.35, 0.465, 0.5, 0.65, 0.7, 0.93, 1};
    int good, i;

    begin();
    for (good = 1, i = 0; i < 8; i++)
        good = good && near(above(lengths[i], 15, 0, 760), standard(lengths[i]), 2e-3);
    good = good && near(above(0.5, 15, 0, 760), 278.964, 0.01);
    check("dry air at 15 C and 760 mmHg has the standard index", good);
    for (good = 1, i = 1; i < 8; i++)
        good = good && above(lengths[i], 7, 8, 600) < above(lengths[i - 1], 7, 8, 600) - 0.01;
    check("the index falls with the wavelength", good);
    for (good = 1, i = 0; i < 8; i++)
        good = good && near(above(lengths[i], 15, 0, 400), standard(lengths[i]) * density(15, 400), 2e-6) &&
               near(above(lengths[i], 15, 0, 2000), standard(lengths[i]) * density(15, 2000), 2e-6);
    check("the index follows the pressure", good);
    check("no air has the index one", index_at(0.5, 15, 0, 0) == 1 && index_at(0.9, -5, 0, 0) == 1);
    for (good = 1, i = 0; i < 8; i++)
        good = good && near(above(lengths[i], 0, 0, 600), standard(lengths[i]) * density(0, 600), 2e-6) &&
               near(above(lengths[i], 30, 0, 600), standard(lengths[i]) * density(30, 600), 2e-6);
    check("the index falls with the temperature", good && above(0.5, 30, 0, 600) < above(0.5, 0, 0, 600) - 10);
    good = near(above(0.5, 7, 0, 600) - above(0.5, 7, 8, 600), vapor(0.5, 7, 8), 2e-6) &&
           near(above(0.5, 7, 0, 600) - above(0.5, 7, 80, 600), vapor(0.5, 7, 80), 2e-6);
    check("water vapor lowers the index in proportion", good);
    for (good = 1, i = 0; i < 8; i++)
        good = good && near(above(lengths[i], 7, 0, 600) - above(lengths[i], 7, 50, 600), vapor(lengths[i], 7, 50),
                            2e-6);
    check("the effect of vapor depends on the wavelength", good);
    good = near(above(0.4, 0, 0, 600) - above(0.4, 0, 50, 600), vapor(0.4, 0, 50), 2e-6) &&
           near(above(0.4, 35, 0, 600) - above(0.4, 35, 50, 600), vapor(0.4, 35, 50), 2e-6);
    check("the effect of vapor falls with the temperature", good);
    for (good = 1, i = 0; i < 8; i++)
        good = good && near(above(lengths[i], -12, 1, 550),
                            standard(lengths[i]) * density(-12, 550) - vapor(lengths[i], -12, 1), 2e-6);
    check("frost is calculated too", good);
    return checked();
}
