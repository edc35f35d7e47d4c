/*---
 * tasks: [hdrl_get_residuals_legendresmooth-13ea91]
 * tests:
 *   a constant image has no residual: 'Docstring: "derived as (data - fit)"; the fit is the constant.'
 *   a lone peak is the residual: 'The same; the grid is of medians.'
 *   a lone hole has a negative residual: 'The same: data - fit.'
 *   a polynomial within the order is fitted: 'Docstring: "a Legendre polynomial of degree order_x, order_y".'
 *   the order in x is that of x: 'Docstring: "x-degree of the fitted Legendre polynomial".'
 *   the order in y is that of y: 'Docstring: "y-degree".'
 *   a lower order leaves a residual: 'The same.'
 *   the samples in x are those of x: 'Docstring: "Number of sampling points in x".'
 *   the samples in y are those of y: 'Docstring: "Number of sampling points in y".'
 *   the width of the median is that of x: 'Docstring: "x-size of the median filter".'
 *   the height of the median is that of y: 'Docstring: "y-size of the median filter".'
 *   more samples than pixels are taken as pixels: 'Docstring: sampling points of the image.'
 *   bad pixels do not count: 'hdrl_bpm_2d_compute: "newly found bad pixels are ignored".'
 *   bad pixels stay bad: 'hdrl_bpm_2d_compute adds to the mask of the residual.'
 *   the residual has the size of the image: 'Docstring: "subtracted from the original image".'
 *   the image stays: 'It is const.'
 *   the residual is freed and nothing else remains: 'hdrl_bpm_2d_compute deletes it.'
 *   no error is set: 'hdrl_bpm_2d_compute.'
 ---*/
#include "plus.h"
#include "../../hdrl/hdrl_bpm_2d.c"

static cpl_image *image;
static int nx, ny;

static void empty(int width, int height)
{
    cpl_image_delete(image);
    nx = width;
    ny = height;
    image = cpl_image_new(nx, ny, CPL_TYPE_DOUBLE);
}

/* A polynomial of x and y, each from -1 to 1. */
static void fill(int width, int height, double c, double x1, double x2, double x3, double y1, double y2, double y3)
{
    int i, j;

    empty(width, height);
    for (j = 0; j < ny; j++)
        for (i = 0; i < nx; i++) {
            double x = 2.0 * i / (nx - 1) - 1, y = 2.0 * j / (ny - 1) - 1;

            cpl_image_set(image, i + 1, j + 1, c + x1 * x + x2 * x * x + x3 * x * x * x + y1 * y + y2 * y * y +
                          y3 * y * y * y);
        }
}

/* The largest of the residuals, of good pixels, but for the one at x and y. */
static double largest(int sx, int sy, int fx, int fy, int ox, int oy, int x, int y, double *there)
{
    cpl_image *r = hdrl_get_residuals_legendresmooth(image, sx, sy, fx, fy, ox, oy);
    double most = 0;
    int i, j, rejected;

    if (!r || cpl_image_get_size_x(r) != nx || cpl_image_get_size_y(r) != ny)
        return NAN;
    for (j = 1; j <= ny; j++)
        for (i = 1; i <= nx; i++) {
            double value = cpl_image_get(r, i, j, &rejected);

            if (i == x && j == y)
                *there = value;
            else if (!rejected && !(fabs(value) <= most))
                most = fabs(value);
        }
    cpl_image_delete(r);
    return most;
}

/* The sampling may be a pixel off, which the bounds below allow for. */
#define residual(sx, sy, fx, fy, ox, oy) largest(sx, sy, fx, fy, ox, oy, 0, 0, NULL)

int main(void)
{
    cpl_image *copy, *r;
    double there = 0, a, b;
    long live;
    int good, i, j, clean;

    begin();
    fill(40, 30, 17, 0, 0, 0, 0, 0, 0);
    check("a constant image has no residual", residual(8, 6, 2, 2, 2, 2) < 1e-9 && residual(5, 7, 3, 1, 1, 0) < 1e-9);
    cpl_image_set(image, 12, 9, 517);
    good = largest(8, 6, 3, 3, 1, 1, 12, 9, &there) < 1e-9;
    check("a lone peak is the residual", good && near(there, 500, 1e-9));
    cpl_image_set(image, 12, 9, -483);
    good = largest(8, 6, 3, 3, 1, 1, 12, 9, &there) < 1e-9;
    check("a lone hole has a negative residual", good && near(there, -500, 1e-9));
    fill(40, 30, 5, 3, 2, 0, -4, 1, 0);
    a = residual(40, 30, 1, 1, 2, 2);
    check("a polynomial within the order is fitted", a < 0.8);
    fill(40, 30, 5, 0, 0, 8, 0, 0, 0);
    a = residual(40, 30, 1, 1, 3, 0);
    b = residual(40, 30, 1, 1, 0, 3);
    check("the order in x is that of x", a < 2.2 && b > 6);
    fill(40, 30, 5, 0, 0, 0, 0, 0, 8);
    a = residual(40, 30, 1, 1, 0, 3);
    b = residual(40, 30, 1, 1, 3, 0);
    check("the order in y is that of y", a < 2.2 && b > 6);
    fill(40, 30, 5, 0, 6, 0, 0, 0, 0);
    a = residual(20, 10, 1, 1, 1, 1);
    fill(40, 30, 5, 0, 0, 0, 0, 6, 0);
    check("a lower order leaves a residual", a > 1 && residual(20, 10, 1, 1, 1, 1) > 1);
    fill(40, 30, 5, 0, 0, 8, 0, 0, 0);
    b = residual(1, 30, 1, 1, 3, 0);
    error();
    a = residual(40, 1, 1, 1, 3, 0);
    check("the samples in x are those of x", a < 2.2);
    error();
    fill(40, 30, 5, 0, 0, 0, 0, 0, 8);
    a = residual(1, 30, 1, 1, 0, 3);
    check("the samples in y are those of y", a < 2.2);
    clean = error() == 0;
    for (j = 0; j < 2; j++) {
        empty(60, 60);
        for (i = 0; i < 3600; i++) {
            int across = j ? i / 60 : i % 60;

            cpl_image_set(image, i % 60 + 1, i / 60 + 1, across % 7 / 2 == 1 ? 1000 : 0);
        }
        a = j ? residual(20, 20, 1, 5, 1, 1) : residual(20, 20, 5, 1, 1, 1);
        b = j ? residual(20, 20, 5, 1, 1, 1) : residual(20, 20, 1, 5, 1, 1);
        check(j ? "the height of the median is that of y" : "the width of the median is that of x",
              near(a, 1000, 1e-6) && !near(b, 1000, 1e-3));
    }
    fill(9, 7, 4, 0, 0, 0, 0, 0, 0);
    a = residual(50, 60, 1, 1, 1, 1);
    check("more samples than pixels are taken as pixels", a < 1e-9);
    fill(40, 30, 17, 0, 0, 0, 0, 0, 0);
    for (i = 1; i <= 40; i++)
        for (j = 1; j <= 30; j++)
            if ((i + j) % 5 < 3) {
                cpl_image_set(image, i, j, 1e5);
                cpl_image_reject(image, i, j);
            }
    a = residual(8, 6, 3, 3, 1, 1);
    check("bad pixels do not count", a < 1e-6);
    copy = cpl_image_duplicate(image);
    r = hdrl_get_residuals_legendresmooth(image, 8, 6, 3, 3, 1, 1);
    good = r && cpl_image_count_rejected(r) == cpl_image_count_rejected(image);
    for (i = 1; i <= 40; i++)
        for (j = 1; j <= 30; j++)
            good = good && !cpl_image_is_rejected(r, i, j) == ((i + j) % 5 >= 3);
    check("bad pixels stay bad", good);
    good = r && cpl_image_get_size_x(r) == 40 && cpl_image_get_size_y(r) == 30;
    check("the residual has the size of the image", good);
    cpl_image_delete(r);
    good = cpl_image_count_rejected(image) == cpl_image_count_rejected(copy) &&
           !memcmp(cpl_image_get_data_double(image), cpl_image_get_data_double(copy), 1200 * sizeof(double));
    check("the image stays", good);
    live = plus_live;
    r = hdrl_get_residuals_legendresmooth(image, 8, 6, 3, 3, 1, 1);
    good = r != NULL;
    cpl_image_delete(r);
    check("the residual is freed and nothing else remains", good && plus_live == live);
    check("no error is set", clean && error() == 0);
    cpl_image_delete(copy);
    cpl_image_delete(image);
    return checked();
}
