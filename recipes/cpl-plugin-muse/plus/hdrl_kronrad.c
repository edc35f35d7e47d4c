/*---
 * tasks: [hdrl_kronrad-903189]
 * tests:
 *   it is twice the mean radius of the light: 'Docstring: "Kron radius", twice the first moment of light.'
 *   the light of a ring counts at its middle radius: 'Docstring: "circular aperture fluxes"; between both.'
 *   the light of the first aperture counts at half its radius: 'Docstring: "circular aperture fluxes already done".'
 *   the fluxes are weights and have no unit: 'Kron radius: a mean weighted by light.'
 *   radii are scaled: 'Kron radius: a radius in the unit of the apertures.'
 *   a flux that falls takes no light away: 'Light of a ring is not negative; a mean needs weights.'
 *   a source in the first aperture alone has its radius: 'Docstring: "circular aperture fluxes".'
 *   it is not below the radius of the lowest profile: 'Neighbours hdrl_exprad and hdrl_petrad have the same limit.'
 *   it is not above five times that radius: 'Neighbours hdrl_exprad and hdrl_petrad have the same limit.'
 *   it is not above the last aperture: 'Neighbours hdrl_exprad and hdrl_petrad have the same limit.'
 *   the radius of the lowest profile goes before the last aperture: 'Neighbours hdrl_exprad and hdrl_petrad.'
 *   the last aperture is that of the number given: 'Docstring: "naper, the number of radii used".'
 *   apertures behind the number are not used: 'Docstring: "naper, the number of radii used".'
 *   one aperture is enough: 'Docstring: "the number of radii used".'
 *   the radii and fluxes stay: 'Callers (hdrl_cat_table.c) go on with them.'
 ---*/
#include "plus.h"
#include "hdrl_cat_radii.h"

/* Twice the mean radius of the light. */
static double kron(const double *r, const double *f, int n)
{
    double rad = 0.5 * r[0] * f[0], sum = f[0];
    int i;

    for (i = 1; i < n; i++) {
        double ring = f[i] > f[i - 1] ? f[i] - f[i - 1] : 0;

        rad += ring * 0.5 * (r[i] + r[i - 1]);
        sum += ring;
    }
    return 2 * rad / sum;
}

static double call(double area, const double *r, const double *f, int n)
{
    double radii[20], fluxes[20];
    int i;

    for (i = 0; i < 20; i++) {
        radii[i] = i < n ? r[i] : -1e9;
        fluxes[i] = i < n ? f[i] : 1e12;
    }
    return hdrl_kronrad(area, radii, fluxes, n);
}

/* The area of the circle with this radius. */
static double area(double r)
{
    return CPL_MATH_PI * r * r;
}

int main(void)
{
    double r[] = {2, 3, 4, 6, 9}, f[] = {100, 180, 220, 260, 270}, k, g[5], s[5], copy[5];
    int good, i;

    begin();
    k = kron(r, f, 5);
    check("it is twice the mean radius of the light", near(call(area(2), r, f, 5), k, 1e-9) && k > 2 && k < 9);
    good = near(call(area(2), (double[]){2, 4, 9}, (double[]){10, 20, 20}, 3), 4, 1e-9);
    good = good && near(call(area(3), (double[]){4, 8, 20}, (double[]){10, 20, 20}, 3), 8, 1e-9);
    check("the light of a ring counts at its middle radius", good);
    check("the light of the first aperture counts at half its radius",
          near(call(area(2), (double[]){4, 8, 20}, (double[]){10, 10, 10}, 3), 4, 1e-9));
    for (i = 0; i < 5; i++) {
        g[i] = f[i] * 37.5;
        s[i] = r[i] * 1.75;
    }
    check("the fluxes are weights and have no unit", near(call(area(2), r, g, 5), k, 1e-9));
    check("radii are scaled", near(call(area(3.5), s, f, 5), 1.75 * k, 1e-9));
    g[0] = 100, g[1] = 180, g[2] = 150, g[3] = 190, g[4] = 170;
    check("a flux that falls takes no light away",
          near(call(area(2), r, g, 5), kron(r, g, 5), 1e-9) && near(kron(r, g, 5), 2 * 500 / 220., 1e-9));
    check("a source in the first aperture alone has its radius",
          near(call(area(2), (double[]){5, 6, 7}, (double[]){9, 9, 8}, 3), 5, 1e-9));
    check("it is not below the radius of the lowest profile",
          near(call(area(8.5), r, f, 5), 8.5, 1e-9) && k < 8.5 &&
          near(call(area(k * 1.01), r, f, 5), k * 1.01, 1e-9) &&
          near(call(area(k * 0.99), r, f, 5), k, 1e-9));
    check("it is not above five times that radius",
          near(call(area(0.5), r, f, 5), 2.5, 1e-9) && near(call(area(k / 5.05), r, f, 5), k / 1.01, 1e-9) &&
          near(call(area(k / 4.95), r, f, 5), k, 1e-9));
    check("it is not above the last aperture",
          near(call(area(2), (double[]){1, 4, 5}, (double[]){1, 2, 100}, 3), 5, 1e-9));
    check("the radius of the lowest profile goes before the last aperture",
          near(call(area(7), (double[]){1, 4, 5}, (double[]){1, 2, 100}, 3), 7, 1e-9));
    good = near(call(area(2), (double[]){1, 4, 5, 7}, (double[]){1, 2, 100, 101}, 4), 7, 1e-9);
    good = good && near(call(area(2), (double[]){1, 4}, (double[]){1, 50}, 2), 4, 1e-9);
    check("the last aperture is that of the number given", good);
    check("apertures behind the number are not used",
          near(hdrl_kronrad(area(2), r, f, 3), kron(r, f, 3) < 4 ? kron(r, f, 3) : 4, 1e-9) &&
          near(hdrl_kronrad(area(2), r, f, 4), kron(r, f, 4), 1e-9));
    check("one aperture is enough", near(call(area(2), (double[]){3}, (double[]){10}, 1), 3, 1e-9));
    memcpy(copy, r, sizeof r);
    memcpy(g, f, sizeof f);
    hdrl_kronrad(area(2), r, f, 5);
    check("the radii and fluxes stay", !memcmp(copy, r, sizeof r) && !memcmp(g, f, sizeof f));
    return checked();
}
