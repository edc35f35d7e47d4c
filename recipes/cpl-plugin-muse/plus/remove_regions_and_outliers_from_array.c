/*---
 * tasks: [remove_regions_and_outliers_from_array-90b1e4]
 * tests:
 *   elements within the range stay: 'Comment: "Removes each element [...] outside the range [wmin, wmax]".'
 *   both ends of the range belong to it: 'The same; [wmin, wmax] is closed.'
 *   elements of a region are removed: 'Comment: "or that is contained inside the high_abs_regions".'
 *   both ends of a region belong to it: 'contained_in_any_region.'
 *   each region is looked at: 'The same: "any of the windows".'
 *   range and regions both remove: 'Comment: "or".'
 *   without regions only the range removes: 'contained_in_any_region takes NULL.'
 *   the order stays: 'Comment: it only removes.'
 *   equal elements stay: 'Comment: "each element".'
 *   the size is that of what stays: 'get_median_on_fit_points takes each element of the array.'
 *   nothing left gives NULL: 'Its caller asks for NULL and gives ILLEGAL_OUTPUT.'
 *   the array given stays: 'It is const.'
 *   the regions stay: 'They are const.'
 *   the new array is freed with cpl_array_delete: 'Its caller.'
 *   nothing remains allocated where nothing is left: 'The same.'
 *   arrays of other numbers are taken: 'cpl_array_get takes any; fit points of hdrl_response_compute.'
 ---*/
#include "plus.h"
#include "../../hdrl/hdrl_response.c"

static cpl_array *array_of(cpl_type type, int n, const double *values)
{
    cpl_array *a = cpl_array_new(n, type);
    int i;

    for (i = 0; i < n; i++)
        cpl_array_set(a, i, values[i]);
    return a;
}

static int array_is(const cpl_array *a, int n, const double *values)
{
    int i, good = a && cpl_array_get_size(a) == n;

    for (i = 0; good && i < n; i++)
        good = cpl_array_get(a, i, NULL) == values[i] && cpl_array_is_valid(a, i);
    return good;
}

/* What stays of these values. */
static int stays(const cpl_array *a, const cpl_bivector *regions, double low, double high, int n, const double *wanted)
{
    cpl_array *out = remove_regions_and_outliers_from_array(a, regions, low, high);
    int good = n ? array_is(out, n, wanted) : out == NULL;

    cpl_array_delete(out);
    return good;
}

#define LIST(...) sizeof((double[]){__VA_ARGS__}) / sizeof(double), (double[]){__VA_ARGS__}

int main(void)
{
    static const double points[] = {500, 510, 520, 530, 540, 550, 560};
    cpl_array *a, *mixed, *out;
    cpl_bivector *one, *two;
    double *x, *y;
    long live;
    int good;

    begin();
    a = array_of(CPL_TYPE_DOUBLE, 7, points);
    mixed = array_of(CPL_TYPE_DOUBLE, LIST(7, 3, 9, 3, 1, 8, 3));
    one = cpl_bivector_new(1);
    cpl_vector_set(cpl_bivector_get_x(one), 0, 515);
    cpl_vector_set(cpl_bivector_get_y(one), 0, 535);
    two = cpl_bivector_new(3);
    x = cpl_bivector_get_x_data(two);
    y = cpl_bivector_get_y_data(two);
    x[0] = 555, y[0] = 600;
    x[1] = 505, y[1] = 511;
    x[2] = 530, y[2] = 540;
    check("elements within the range stay", stays(a, NULL, 505, 545, LIST(510, 520, 530, 540)));
    good = stays(a, NULL, 510, 540, LIST(510, 520, 530, 540)) && stays(a, NULL, 520, 520, LIST(520));
    check("both ends of the range belong to it", good);
    check("elements of a region are removed", stays(a, one, 0, 1000, LIST(500, 510, 540, 550, 560)));
    x[0] = 560;
    check("both ends of a region belong to it", stays(a, two, 0, 1000, LIST(500, 520, 550)));
    y[0] = 560;
    good = stays(a, two, 0, 1000, LIST(500, 520, 550));
    x[0] = 500, y[0] = 500;
    x[1] = 510, y[1] = 510;
    x[2] = 520, y[2] = 525;
    check("each region is looked at", good && stays(a, two, 0, 1000, LIST(530, 540, 550, 560)));
    check("range and regions both remove", stays(a, one, 505, 545, LIST(510, 540)));
    check("without regions only the range removes", stays(a, NULL, 0, 1000, 7, points));
    check("the order stays", stays(mixed, NULL, 2, 8.5, LIST(7, 3, 3, 8, 3)));
    check("equal elements stay", stays(mixed, NULL, 3, 3, LIST(3, 3, 3)));
    out = remove_regions_and_outliers_from_array(a, one, 0, 545);
    check("the size is that of what stays", out && cpl_array_get_size(out) == 3 &&
          cpl_array_count_invalid(out) == 0);
    cpl_array_delete(out);
    good = stays(a, NULL, 600, 700, 0, NULL) && stays(a, NULL, 0, 499, 0, NULL) && stays(a, one, 520, 530, 0, NULL) &&
           stays(a, NULL, 540, 530, 0, NULL);
    check("nothing left gives NULL", good);
    check("the array given stays", array_is(a, 7, points) && array_is(mixed, LIST(7, 3, 9, 3, 1, 8, 3)));
    check("the regions stay", cpl_bivector_get_size(one) == 1 && cpl_bivector_get_x_data(one)[0] == 515 &&
          cpl_bivector_get_y_data(one)[0] == 535 && x[2] == 520 && y[2] == 525);
    error();
    live = plus_live;
    out = remove_regions_and_outliers_from_array(a, one, 0, 1000);
    good = out && array_is(out, LIST(500, 510, 540, 550, 560));
    cpl_array_delete(out);
    check("the new array is freed with cpl_array_delete", good && plus_live == live);
    good = stays(a, one, 520, 530, 0, NULL);
    error();
    check("nothing remains allocated where nothing is left", good && plus_live == live);
    cpl_array_delete(a);
    a = array_of(CPL_TYPE_FLOAT, 7, points);
    good = stays(a, one, 510, 550, LIST(510, 540, 550));
    cpl_array_delete(a);
    a = array_of(CPL_TYPE_INT, 7, points);
    check("arrays of other numbers are taken", good && stays(a, one, 510, 550, LIST(510, 540, 550)));
    cpl_array_delete(a);
    cpl_array_delete(mixed);
    cpl_bivector_delete(one);
    cpl_bivector_delete(two);
    return checked();
}
