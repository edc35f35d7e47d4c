/*---
 * tasks: [miset_dimension_apparent_voxel_order-d9121f]
 * tests:
 *   the order of the file is set: 'minc2.h, MI_FILE_ORDER; miget_dimension_apparent_voxel_order.'
 *   the order against the file is set: 'minc2.h, MI_COUNTER_FILE_ORDER; miget_dimension_apparent_voxel_order.'
 *   the positive order is set: 'minc2.h, MI_POSITIVE; miget_dimension_apparent_voxel_order.'
 *   the negative order is set: 'minc2.h, MI_NEGATIVE; miget_dimension_apparent_voxel_order.'
 *   for a negative step the orders turn around: 'miget_dimension_apparent_voxel_order: the sign follows the step.'
 *   a later order replaces an earlier one: 'Docstring: "sets the apparent order".'
 *   it returns MI_NOERROR: 'Siblings return MI_NOERROR.'
 *   without a dimension it is an error: 'Siblings: NULL is an MI_ERROR.'
 *   an unknown order is an error: 'Docstring: the order of voxels; siblings: an unknown value is an MI_ERROR.'
 *   an unknown order changes nothing: 'Siblings: an unknown value is an MI_ERROR.'
 *   other dimensions are left as they are: 'Docstring: "for the specified dimension".'
 *   the rest of the dimension is left as it is: 'Docstring: "sets the apparent order".'
 ---*/
#include <hdf5.h>
#include "minc2.h"
#include "minc2_private.h"
#include "plus.h"

static midimhandle_t dim, other;

static int is(miflipping_t set, miflipping_t order, miflipping_t sign) {
    miflipping_t got = 99, got_sign = 99;
    return miset_dimension_apparent_voxel_order(dim, set) == MI_NOERROR && dim->flipping_order == set &&
           miget_dimension_apparent_voxel_order(dim, &got, &got_sign) == MI_NOERROR && got == order &&
           got_sign == sign;
}

static int four(void) {
    return is(MI_FILE_ORDER, MI_FILE_ORDER, MI_POSITIVE) && is(MI_NEGATIVE, MI_COUNTER_FILE_ORDER, MI_NEGATIVE) &&
           is(MI_COUNTER_FILE_ORDER, MI_COUNTER_FILE_ORDER, MI_NEGATIVE) &&
           is(MI_POSITIVE, MI_FILE_ORDER, MI_POSITIVE);
}

int main(void) {
    if (micreate_dimension("xspace", MI_DIMCLASS_SPATIAL, MI_DIMATTR_REGULARLY_SAMPLED, 10, &dim) < 0 ||
        micreate_dimension("yspace", MI_DIMCLASS_SPATIAL, MI_DIMATTR_REGULARLY_SAMPLED, 12, &other) < 0)
        return 1;
    miset_dimension_separation(dim, 2.5);
    miset_dimension_start(dim, -7);
    miset_dimension_separation(other, 1);
    miset_dimension_apparent_voxel_order(other, MI_NEGATIVE);
    ok("the order of the file is set", is(MI_FILE_ORDER, MI_FILE_ORDER, MI_POSITIVE));
    ok("the order against the file is set", is(MI_COUNTER_FILE_ORDER, MI_COUNTER_FILE_ORDER, MI_NEGATIVE));
    ok("the positive order is set", is(MI_POSITIVE, MI_FILE_ORDER, MI_POSITIVE));
    ok("the negative order is set", is(MI_NEGATIVE, MI_COUNTER_FILE_ORDER, MI_NEGATIVE));
    ok("a later order replaces an earlier one", four() && four());
    miset_dimension_separation(dim, -2.5);
    ok("for a negative step the orders turn around",
       is(MI_FILE_ORDER, MI_FILE_ORDER, MI_NEGATIVE) && is(MI_POSITIVE, MI_COUNTER_FILE_ORDER, MI_POSITIVE) &&
           is(MI_COUNTER_FILE_ORDER, MI_COUNTER_FILE_ORDER, MI_POSITIVE) &&
           is(MI_NEGATIVE, MI_FILE_ORDER, MI_NEGATIVE));
    miset_dimension_separation(dim, 2.5);
    int result = 1;
    miflipping_t all[] = {MI_FILE_ORDER, MI_COUNTER_FILE_ORDER, MI_POSITIVE, MI_NEGATIVE};
    for (int i = 0; i < 4; i++) result &= miset_dimension_apparent_voxel_order(dim, all[i]) == MI_NOERROR;
    ok("it returns MI_NOERROR", result);
    int null = 1;
    for (int i = 0; i < 4; i++) null &= miset_dimension_apparent_voxel_order(NULL, all[i]) == MI_ERROR;
    ok("without a dimension it is an error", null);
    int highest = 0;
    for (int i = 0; i < 4; i++) highest = (int)all[i] > highest ? (int)all[i] : highest;
    int unknown = 1, nothing = 1;
    for (int i = 0; i < 4; i++) {
        miset_dimension_apparent_voxel_order(dim, all[i]);
        unknown &= miset_dimension_apparent_voxel_order(dim, (miflipping_t)(highest + 1)) == MI_ERROR &&
                   miset_dimension_apparent_voxel_order(dim, (miflipping_t)1000) == MI_ERROR;
        nothing &= dim->flipping_order == all[i];
    }
    ok("an unknown order is an error", unknown);
    ok("an unknown order changes nothing", nothing);
    ok("other dimensions are left as they are", other->flipping_order == MI_NEGATIVE && other->length == 12);
    double step = 0, start = 0;
    misize_t size = 0;
    char *name = NULL;
    ok("the rest of the dimension is left as it is",
       miget_dimension_separation(dim, MI_ORDER_FILE, &step) == MI_NOERROR && step == 2.5 &&
           miget_dimension_start(dim, MI_ORDER_FILE, &start) == MI_NOERROR && start == -7 &&
           miget_dimension_size(dim, &size) == MI_NOERROR && size == 10 &&
           miget_dimension_name(dim, &name) == MI_NOERROR && !strcmp(name, "xspace"));
    return done();
}
