/*---
 * tasks: [homogenous_transform_point-ae887d]
 * tests:
 *   the identity leaves a point: 'Docstring: "Transforms the point (x,y,z,w) by the homogenous transform matrix".'
 *   each element of the upper rows counts in its place: 'Docstring; geom_structs.h: Transform_elem(t, row, column).'
 *   a point is shifted: 'Caller transform_point, with a w of 1.'
 *   a vector is not shifted: 'Caller transform_vector, with a w of 0.'
 *   a vector's transformed w of zero does not divide: 'Caller transform_vector: any affine matrix gives 0 for w.'
 *   the shift is scaled by w: 'Docstring: the point is (x,y,z,w).'
 *   the result is divided by the transformed w: 'Docstring: "(x,y,z,w) by the homogenous transform matrix, resulting
 *     in (x_trans,y_trans,z_trans)", so a w is left out of the result.'
 *   all of the lowest row makes the transformed w: 'Docstring: "the homogenous transform matrix".'
 *   a negative transformed w divides: 'Docstring: homogenous.'
 *   a small transformed w divides: 'Docstring: homogenous.'
 *   the given w alone does not divide: 'Docstring: homogenous; the lowest row says what w becomes.'
 *   a vector is divided where the lowest row says so: 'Docstring: homogenous.'
 *   the results are as exact as VIO_Real: 'The parameters are VIO_Real.'
 *   it returns VIO_OK: 'Docstring: "@RETURNS: VIO_Status".'
 *   the matrix is left as it is: 'Docstring: transform is @INPUT.'
 *   a point can be replaced by its result: 'The coordinates are passed by value.'
 ---*/
#include "../../volume_io/Geometry/transforms.c"
#include "plus.h"

static VIO_Real a, b, c;
static VIO_Status status;

static VIO_Transform make(const double rows[16]) {
    VIO_Transform t;
    memset(&t, 0, sizeof t);
    for (int i = 0; i < 16; i++) Transform_elem(t, i / 4, i % 4) = rows[i];
    return t;
}

static int near(double x, double y) {
    return fabs(x - y) <= 1e-12 * (1 + fabs(y));
}

static int gives(VIO_Transform *t, double x, double y, double z, double w, double ex, double ey, double ez) {
    a = b = c = -77;
    status = homogenous_transform_point(t, x, y, z, w, &a, &b, &c);
    return near(a, ex) && near(b, ey) && near(c, ez);
}

int main(void) {
    VIO_Transform id = make((double[]){1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1});
    VIO_Transform affine = make((double[]){2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 0, 0, 0, 1});
    VIO_Transform proj = make((double[]){2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 0.5, 0.25, 2, 3});
    VIO_Transform before = proj;
    ok("the identity leaves a point", gives(&id, 1.5, -2.5, 3.5, 1, 1.5, -2.5, 3.5));
    ok("it returns VIO_OK", status == VIO_OK && (gives(&affine, 1, 2, 3, 0, 0, 0, 0), status == VIO_OK) &&
                                (gives(&proj, 1, 2, 3, 1, 0, 0, 0), status == VIO_OK));
    int each = 1;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++) {
            VIO_Transform t = make((double[]){0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1});
            double in[4] = {3, 5, 7, 1};
            Transform_elem(t, i, j) = 2;
            each &= gives(&t, 3, 5, 7, 1, i == 0 ? 2 * in[j] : 0, i == 1 ? 2 * in[j] : 0, i == 2 ? 2 * in[j] : 0);
        }
    ok("each element of the upper rows counts in its place", each);
    ok("a point is shifted", gives(&affine, 1, 2, 3, 1, 30, 107, 211) &&
                                 transform_point(&affine, 1, 2, 3, &a, &b, &c) == VIO_OK && near(a, 30) &&
                                 near(b, 107) && near(c, 211));
    ok("a vector is not shifted", gives(&affine, 1, 2, 3, 0, 23, 88, 174));
    a = b = c = 0;
    ok("a vector's transformed w of zero does not divide",
       transform_vector(&affine, 1, 2, 3, &a, &b, &c) == VIO_OK && near(a, 23) && near(b, 88) && near(c, 174));
    VIO_Transform flat = affine;
    Transform_elem(flat, 3, 0) = 1;
    Transform_elem(flat, 3, 3) = 0;
    ok("the shift is scaled by w", gives(&flat, 1, 2, 3, 3, 23 + 21, 88 + 57, 174 + 111));
    ok("the given w alone does not divide", gives(&flat, 1, 2, 3, -2, 23 - 14, 88 - 38, 174 - 74));
    double w = 0.5 * 1 + 0.25 * 2 + 2 * 3 + 3;
    ok("the result is divided by the transformed w",
       gives(&proj, 1, 2, 3, 1, 30 / w, 107 / w, 211 / w) && gives(&affine, 2, 4, 6, 2, 30, 107, 211));
    int all = 1;
    for (int j = 0; j < 4; j++) {
        VIO_Transform t = id;
        double in[4] = {3, 5, 7, 2};
        Transform_elem(t, 3, 3) = 0;
        Transform_elem(t, 3, j) = 4;
        w = 4 * in[j];
        all &= gives(&t, 3, 5, 7, 2, 3 / w, 5 / w, 7 / w);
    }
    ok("all of the lowest row makes the transformed w", all);
    VIO_Transform t = id;
    Transform_elem(t, 3, 3) = -1;
    int minus = gives(&t, 1, 2, 3, 1, -1, -2, -3);
    Transform_elem(t, 3, 3) = -4;
    ok("a negative transformed w divides", minus && gives(&t, 1, 2, 3, 1, -0.25, -0.5, -0.75));
    Transform_elem(t, 3, 3) = 0.001;
    ok("a small transformed w divides", gives(&t, 1, 2, 3, 1, 1000, 2000, 3000));
    w = 0.5 * 1 + 0.25 * 2 + 2 * 3;
    ok("a vector is divided where the lowest row says so", gives(&proj, 1, 2, 3, 0, 23 / w, 88 / w, 174 / w));
    ok("the results are as exact as VIO_Real",
       gives(&id, 16777217.25, 1.0 / 3, 1e-9, 1, 16777217.25, 1.0 / 3, 1e-9) && b == 1.0 / 3 && c == 1e-9);
    ok("the matrix is left as it is", !memcmp(&before, &proj, sizeof proj));
    VIO_Real x = 1, y = 2, z = 3;
    homogenous_transform_point(&proj, x, y, z, 1, &x, &y, &z);
    w = 10;
    ok("a point can be replaced by its result", near(x, 30 / w) && near(y, 107 / w) && near(z, 211 / w));
    return done();
}
