/*---
 * tasks: [grid_transform_point-969276]
 * tests:
 *   a point on the grid is moved by its offset: 'Docstring: "Applies a grid transform to the point".'
 *   each component moves its own coordinate: 'grid_transforms.c: "displacement vector has 3 components".'
 *   offsets may be negative: 'Docstring: "Applies a grid transform to the point".'
 *   offsets of zero leave the point: 'Docstring: "Applies a grid transform to the point".'
 *   the point is one of the world: 'evaluate_grid_volume converts it to a voxel.'
 *   between the points of the grid it is interpolated: 'evaluate_grid_volume interpolates.'
 *   inside the interpolation is cubic: 'grid_transforms.c: DEGREES_CONTINUITY, "2 = Cubic interpolation".'
 *   near the edge it is interpolated, too: 'evaluate_grid_volume: "near the edges, reduce the degrees".'
 *   a point outside of the grid is left: 'evaluate_grid_volume: "check if outside"; no offset there.'
 *   it returns VIO_OK: 'It returns a VIO_Status; callers look at it.'
 *   without a volume it is VIO_ERROR: 'It returns a VIO_Status; create_grid_transform allows no volume.'
 *   the inverse leads back: 'Counterpart grid_inverse_transform_point.'
 *   a point can be replaced by its result: 'The coordinates are passed by value.'
 *   the offsets are left as they are: 'Docstring: transform is @INPUT.'
 ---*/
#include <internal_volume_io.h>
#include <minc.h>
#include "plus.h"

enum { N = 12 };

static VIO_General_transform t;
static VIO_Real a, b, c;
static VIO_Status status;

/* Fills a grid over -4 to 18 with three polynomials; the last parameter is the weight of their squares. */
static void fill(double dx, double dy, double dz, double slope, double square) {
    VIO_Volume v = (VIO_Volume)t.displacement_volume;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            for (int k = 0; k < N; k++) {
                double z = -4 + 2 * i, y = -4 + 2 * j, x = -4 + 2 * k;
                double d[3] = {dx + slope * (x + 2 * y - z) + square * y * y,
                               dy + slope * (3 * z - x) + square * x * z, dz + slope * (y - x + z) + square * z * z};
                for (int m = 0; m < 3; m++) set_volume_real_value(v, m, i, j, k, 0, d[m]);
            }
}

static int gives(double x, double y, double z, double ex, double ey, double ez) {
    a = b = c = 555;
    status = grid_transform_point(&t, x, y, z, &a, &b, &c);
    return status == VIO_OK && fabs(a - ex) < 1e-4 && fabs(b - ey) < 1e-4 && fabs(c - ez) < 1e-4;
}

/* The same for the polynomials of fill. */
static int moved(double x, double y, double z, double slope, double square) {
    return gives(x, y, z, x + 1 + slope * (x + 2 * y - z) + square * y * y,
                 y - 2 + slope * (3 * z - x) + square * x * z, z + 0.5 + slope * (y - x + z) + square * z * z);
}

int main(void) {
    char *names[] = {MIvector_dimension, MIzspace, MIyspace, MIxspace};
    int sizes[] = {3, N, N, N};
    VIO_Real steps[] = {1, 2, 2, 2}, starts[] = {0, -4, -4, -4};
    VIO_Volume v = create_volume(4, names, NC_DOUBLE, TRUE, 0.0, 0.0);
    set_volume_sizes(v, sizes);
    set_volume_separations(v, steps);
    set_volume_starts(v, starts);
    alloc_volume_data(v);
    set_volume_real_range(v, -1e6, 1e6);
    create_grid_transform(&t, v, NULL);
    fill(0, 0, 0, 0, 0);
    ok("offsets of zero leave the point", gives(4, 6, 8, 4, 6, 8) && gives(5.5, 3.25, 7.75, 5.5, 3.25, 7.75));
    fill(1.5, 0, 0, 0, 0);
    int own = gives(4, 6, 8, 5.5, 6, 8);
    fill(0, 1.5, 0, 0, 0);
    own &= gives(4, 6, 8, 4, 7.5, 8);
    fill(0, 0, 1.5, 0, 0);
    ok("each component moves its own coordinate", own && gives(4, 6, 8, 4, 6, 9.5));
    fill(-1.25, -2.5, -0.75, 0, 0);
    ok("offsets may be negative", gives(4, 6, 8, 2.75, 3.5, 7.25));
    fill(1, -2, 0.5, 0.125, 0);
    ok("a point on the grid is moved by its offset", moved(4, 6, 8, 0.125, 0) && moved(2, 10, 4, 0.125, 0));
    ok("the point is one of the world", moved(0, 0, 0, 0.125, 0) && moved(12, 2, 6, 0.125, 0));
    int between = 1;
    for (int i = 0; i < 40; i++)
        between &= moved(i * 0.31, 12 - i * 0.29, 1 + i * 7 % 11 * 0.97, 0.125, 0);
    ok("between the points of the grid it is interpolated", between);
    ok("it returns VIO_OK", status == VIO_OK);
    ok("near the edge it is interpolated, too", moved(-3.5, 5, 5, 0.125, 0) && moved(5, -3.9, 17.5, 0.125, 0) &&
                                                    moved(17.9, 17.9, 17.9, 0.125, 0) && moved(-4, -4, -4, 0.125, 0));
    ok("a point outside of the grid is left", gives(100, 5, 5, 100, 5, 5) && gives(5, -50, 5, 5, -50, 5) &&
                                                  gives(5, 5, 90, 5, 5, 90));
    VIO_Real x = 5, y = 7, z = 3;
    grid_transform_point(&t, 5, 7, 3, &a, &b, &c);
    VIO_Status same = grid_transform_point(&t, x, y, z, &x, &y, &z);
    ok("a point can be replaced by its result", same == VIO_OK && x == a && y == b && z == c && x != 5);
    fill(1, -2, 0.5, 0.02, 0.03125);
    int cubic = 1;
    for (int i = 0; i < 40; i++) cubic &= moved(i * 0.31, 12 - i * 0.29, 1 + i * 7 % 11 * 0.97, 0.02, 0.03125);
    ok("inside the interpolation is cubic", cubic);
    fill(1, -2, 0.5, 0.02, 0);
    grid_transform_point(&t, 5, 7, 3, &a, &b, &c);
    int back = grid_inverse_transform_point(&t, a, b, c, &x, &y, &z) == VIO_OK;
    ok("the inverse leads back", back && fabs(x - 5) < 0.1 && fabs(y - 7) < 0.1 && fabs(z - 3) < 0.1 && a != 5);
    ok("the offsets are left as they are", moved(4, 6, 8, 0.02, 0) && moved(2, 10, 4, 0.02, 0));
    void *volume = t.displacement_volume;
    t.displacement_volume = NULL;
    ok("without a volume it is VIO_ERROR", grid_transform_point(&t, 1, 2, 3, &a, &b, &c) == VIO_ERROR);
    t.displacement_volume = volume;
    return done();
}
