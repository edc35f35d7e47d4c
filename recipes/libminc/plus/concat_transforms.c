/*---
 * tasks: [concat_transforms-1e07e3.2]
 * tests:
 *   a point goes through the first and then the second: 'concat_transforms: "first [...] by t1, then by t2".'
 *   the product is of the second and the first: 'Docstring of concat_transforms: "Multiplies result = t2 * t1".'
 *   the order of both counts: 'Docstring of concat_transforms: "first transforming the point by t1, then by t2".'
 *   all elements are multiplied: 'Docstring of concat_transforms: "Multiplies result = t2 * t1"; 4 by 4.'
 *   the identity changes nothing: 'Docstring of concat_transforms.'
 *   the result may be the first: 'Docstring of concat_transforms: "where the result transform is also one of the".'
 *   the result may be the second: 'Docstring of concat_transforms: "where the result transform is also one of the".'
 *   all three may be one: 'Docstring of concat_transforms: "also one of the operands".'
 *   the operands stay as they were: 'Docstring of concat_transforms: t1 and t2 are INPUT.'
 *   what was in the result does not matter: 'Docstring of concat_transforms: result is OUTPUT.'
 *   a transform and its inverse are the identity: 'Caller inverse.c.'
 *   two linear transforms are one after the other: 'Docstring of concat_general_transforms.'
 *   two linear transforms are a linear one: 'Callers ask for get_linear_transform_ptr.'
 *   the inverse of linear transforms is right: 'general_inverse_transform_point; transforms have both directions.'
 *   inverted linear transforms are concatenated inverted: 'invert_general_transform; inverse_flag.'
 *   a linear and another transform are one after the other: 'Docstring of concat_general_transforms.'
 *   another and a linear transform are one after the other: 'Docstring of concat_general_transforms.'
 *   two other transforms are one after the other: 'Docstring of concat_general_transforms.'
 *   inverted other transforms are concatenated inverted: 'invert_general_transform; inverse_flag.'
 *   chains are concatenated: 'Docstring of concat_general_transforms; CONCATENATED_TRANSFORM.'
 *   chains that meet in linear transforms are concatenated: 'Docstring of concat_general_transforms.'
 *   an inverted chain comes first: 'invert_general_transform; inverse_flag of a chain.'
 *   an inverted chain comes second: 'invert_general_transform; inverse_flag of a chain.'
 *   both chains may be inverted: 'invert_general_transform; inverse_flag of a chain.'
 *   the inverse of a chain is right: 'general_inverse_transform_point.'
 *   the result can be inverted: 'invert_general_transform.'
 *   a transform can be concatenated with itself: 'Docstring of concat_general_transforms: both are INPUT.'
 *   the general operands stay as they were: 'Docstring of concat_general_transforms: both are INPUT.'
 *   the result outlives the operands: 'Callers (gen_xf_io.c) delete the operands.'
 *   nothing is left in memory: 'delete_general_transform.'
 ---*/
#include <internal_volume_io.h>
#include <math.h>
#include "plus.h"

static VIO_Transform make(const double rows[16]) {
    VIO_Transform t;
    memset(&t, 0, sizeof t);
    for (int i = 0; i < 16; i++) Transform_elem(t, i / 4, i % 4) = rows[i];
    return t;
}

static int near(double x, double y) {
    return fabs(x - y) <= 1e-8 * (1 + fabs(y));
}

static int same(VIO_Transform *a, VIO_Transform *b) {
    for (int i = 0; i < 16; i++)
        if (!near(Transform_elem(*a, i / 4, i % 4), Transform_elem(*b, i / 4, i % 4))) return 0;
    return 1;
}

/* B times A. */
static VIO_Transform product(VIO_Transform b, VIO_Transform a) {
    VIO_Transform t = make((double[16]){0});
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            for (int k = 0; k < 4; k++) Transform_elem(t, i, j) += Transform_elem(b, i, k) * Transform_elem(a, k, j);
    return t;
}

/* Transforms that aren't linear: what they do depends on their data. */
static void bend(void *data, VIO_Real x, VIO_Real y, VIO_Real z, VIO_Real *u, VIO_Real *v, VIO_Real *w) {
    double k = *(double *)data;
    *u = x + k * y * y;
    *v = y + k;
    *w = 2 * z - k;
}

static void unbend(void *data, VIO_Real x, VIO_Real y, VIO_Real z, VIO_Real *u, VIO_Real *v, VIO_Real *w) {
    double k = *(double *)data;
    *v = y - k;
    *u = x - k * *v * *v;
    *w = (z + k) / 2;
}

static VIO_General_transform lin[4], user[3], chain[4];

typedef struct { double x, y, z; } Point;

static Point through(VIO_General_transform *t, Point p, int back) {
    Point q = {NAN, NAN, NAN};
    if (back) general_inverse_transform_point(t, p.x, p.y, p.z, &q.x, &q.y, &q.z);
    else general_transform_point(t, p.x, p.y, p.z, &q.x, &q.y, &q.z);
    return q;
}

static int close_to(Point a, Point b) {
    return near(a.x, b.x) && near(a.y, b.y) && near(a.z, b.z);
}

static const Point points[] = {{1, 2, 3}, {-0.5, 0.25, 4}, {0, 0, 0}, {2, -3, 0.5}};

/* Whether the result is the first and then the second transform; 2 more if it is right backwards. */
static int right(VIO_General_transform *first, VIO_General_transform *second, VIO_General_transform *r) {
    int forth = 1, back = 2;
    for (int i = 0; i < 4; i++) {
        Point p = points[i], q = through(second, through(first, p, 0), 0);
        if (!close_to(through(r, p, 0), q)) forth = 0;
        if (!close_to(through(r, q, 1), p)) back = 0;
    }
    return forth + back;
}

static int joins(VIO_General_transform *first, VIO_General_transform *second) {
    VIO_General_transform r;
    memset(&r, 0x5a, sizeof r);
    concat_general_transforms(first, second, &r);
    int good = right(first, second, &r);
    delete_general_transform(&r);
    return good;
}

static void nothing(char text[]) {
}

int main(void) {
    VIO_Transform id = make((double[]){1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1});
    VIO_Transform a = make((double[]){2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 0, 0, 0, 1});
    VIO_Transform b = make((double[]){1, -2, 0.5, 4, 3, 1, -1, 2, 0.25, 6, 2, -8, 0, 0, 0, 1});
    VIO_Transform c = make((double[]){1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16});
    VIO_Transform d = make((double[]){-3, 1, 4, 1, 5, -9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3});
    VIO_Transform r, a0 = a, b0 = b, expected = product(b, a), turned = product(a, b), t;
    set_print_error_function(nothing);
    memset(&r, 0x7f, sizeof r);
    concat_transforms(&r, &a, &b);
    VIO_Real x, y, z, u, v, w;
    transform_point(&a, 1, 2, -3, &x, &y, &z);
    transform_point(&b, x, y, z, &x, &y, &z);
    transform_point(&r, 1, 2, -3, &u, &v, &w);
    ok("a point goes through the first and then the second", near(x, u) && near(y, v) && near(z, w));
    ok("the product is of the second and the first", same(&r, &expected));
    ok("what was in the result does not matter", same(&r, &expected));
    concat_transforms(&t, &b, &a);
    ok("the order of both counts", same(&t, &turned) && !same(&t, &r));
    ok("the operands stay as they were", same(&a, &a0) && same(&b, &b0));
    expected = product(d, c);
    concat_transforms(&r, &c, &d);
    ok("all elements are multiplied", same(&r, &expected));
    concat_transforms(&r, &id, &c);
    concat_transforms(&t, &c, &id);
    ok("the identity changes nothing", same(&r, &c) && same(&t, &c));
    r = c;
    concat_transforms(&r, &r, &d);
    ok("the result may be the first", same(&r, &expected));
    r = d;
    concat_transforms(&r, &c, &r);
    ok("the result may be the second", same(&r, &expected));
    r = c;
    concat_transforms(&r, &r, &r);
    expected = product(c, c);
    ok("all three may be one", same(&r, &expected));
    int inverted = compute_transform_inverse(&b, &t);
    concat_transforms(&r, &b, &t);
    ok("a transform and its inverse are the identity", inverted && same(&r, &id));

    double k[] = {0.05, -0.02, 0.1};
    a = make((double[]){1, 0.5, 0, 0.3, 0, 0.8, 0, -0.1, 0.25, 0, 1, 0.2, 0, 0, 0, 1});
    b = make((double[]){1, -0.2, 0.1, 0.4, 0.3, 1, -0.1, 0.2, 0.25, 0.6, 0.8, -0.8, 0, 0, 0, 1});
    t = make((double[]){0, -1, 0, 0.5, 1, 0, 0, 0.2, 0, 0, 1.5, 0, 0, 0, 0, 1});
    create_linear_transform(&lin[0], &a);
    create_linear_transform(&lin[1], &t);
    create_linear_transform(&lin[2], &b);
    create_linear_transform(&lin[3], &t);
    for (int i = 0; i < 3; i++) create_user_transform(&user[i], &k[i], sizeof k[i], bend, unbend);
    int good = joins(&lin[0], &lin[1]) & joins(&lin[1], &lin[0]) & joins(&lin[0], &lin[2]);
    ok("two linear transforms are one after the other", good & 1);
    ok("the inverse of linear transforms is right", good & 2);
    VIO_General_transform g;
    concat_general_transforms(&lin[0], &lin[1], &g);
    expected = product(t, a);
    ok("two linear transforms are a linear one",
       get_transform_type(&g) == LINEAR && same(get_linear_transform_ptr(&g), &expected));
    delete_general_transform(&g);
    invert_general_transform(&lin[3]);
    ok("inverted linear transforms are concatenated inverted",
       joins(&lin[3], &lin[0]) == 3 && joins(&lin[0], &lin[3]) == 3 && joins(&lin[3], &lin[3]) == 3 &&
           joins(&lin[3], &user[0]) == 3 && joins(&user[0], &lin[3]) == 3);
    ok("a linear and another transform are one after the other", joins(&lin[0], &user[0]) == 3);
    ok("another and a linear transform are one after the other", joins(&user[1], &lin[2]) == 3);
    good = joins(&user[0], &user[2]) == 3 && joins(&user[2], &user[0]) == 3;
    ok("two other transforms are one after the other", good);
    invert_general_transform(&user[1]);
    ok("inverted other transforms are concatenated inverted",
       joins(&user[1], &user[0]) == 3 && joins(&lin[0], &user[1]) == 3 && joins(&user[1], &lin[3]) == 3);

    /* lin user, user lin, lin user lin, user user */
    concat_general_transforms(&lin[0], &user[0], &chain[0]);
    concat_general_transforms(&user[2], &lin[1], &chain[1]);
    concat_general_transforms(&chain[0], &lin[2], &chain[2]);
    concat_general_transforms(&user[0], &user[1], &chain[3]);
    int all = 3;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            all &= joins(&chain[i], &chain[j]) & joins(&lin[i], &chain[j]) & joins(&chain[i], &lin[j]);
    ok("chains are concatenated", all & 1);
    ok("the inverse of a chain is right", all & 2);
    ok("chains that meet in linear transforms are concatenated",
       joins(&chain[1], &chain[0]) == 3 && joins(&chain[2], &lin[3]) == 3 && joins(&lin[3], &chain[2]) == 3 &&
           joins(&chain[2], &chain[2]) == 3);
    ok("a transform can be concatenated with itself",
       joins(&user[0], &user[0]) == 3 && joins(&lin[0], &lin[0]) == 3 && joins(&chain[0], &chain[0]) == 3);
    int first = 3, second = 3, both = 3;
    VIO_General_transform in[4];
    for (int i = 0; i < 4; i++) {
        copy_general_transform(&chain[i], &in[i]);
        invert_general_transform(&in[i]);
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            first &= joins(&in[i], &chain[j]) & joins(&in[i], &lin[j]) & joins(&in[i], &user[j % 3]);
            second &= joins(&chain[j], &in[i]) & joins(&lin[j], &in[i]) & joins(&user[j % 3], &in[i]);
            both &= joins(&in[i], &in[j]);
        }
    ok("an inverted chain comes first", first == 3);
    ok("an inverted chain comes second", second == 3);
    ok("both chains may be inverted", both == 3);
    concat_general_transforms(&chain[0], &chain[1], &g);
    invert_general_transform(&g);
    good = 1;
    for (int i = 0; i < 4; i++)
        good &= close_to(through(&g, points[i], 0), through(&in[0], through(&in[1], points[i], 0), 0));
    ok("the result can be inverted", good);
    delete_general_transform(&g);

    Point p = {0.5, -1, 2}, before[11], after[11];
    VIO_General_transform *each[11] = {&lin[0], &lin[1], &lin[2], &lin[3], &user[0], &user[1], &user[2],
                                       &chain[0], &chain[1], &chain[2], &chain[3]};
    for (int i = 0; i < 11; i++) before[i] = through(each[i], p, 0);
    for (int i = 0; i < 11; i++)
        for (int j = 0; j < 11; j++) joins(each[i], each[j]);
    size_t start = held();
    for (int i = 0; i < 11; i++)
        for (int j = 0; j < 11; j++) joins(each[i], each[j]);
    ok("nothing is left in memory", held() == start);
    good = 1;
    for (int i = 0; i < 11; i++) {
        after[i] = through(each[i], p, 0);
        good &= close_to(before[i], after[i]);
    }
    ok("the general operands stay as they were", good);
    Point wanted = through(&chain[1], through(&chain[2], p, 0), 0);
    concat_general_transforms(&chain[2], &chain[1], &g);
    for (int i = 0; i < 11; i++) delete_general_transform(each[i]);
    for (int i = 0; i < 4; i++) delete_general_transform(&in[i]);
    ok("the result outlives the operands", close_to(through(&g, p, 0), wanted) && close_to(through(&g, wanted, 1), p));
    delete_general_transform(&g);
    return done();
}
