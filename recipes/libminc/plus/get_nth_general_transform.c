/*---
 * tasks: [get_nth_general_transform-9d2497.2]
 * tests:
 *   concatenated transforms are counted: 'Docstring: "number of concatenated transforms if ... concatenated".'
 *   any other transform counts as one: 'Docstring: "otherwise, 1".'
 *   the number of other types does not come from n_transforms: 'Docstring: "otherwise, 1".'
 *   each of the concatenated transforms is found: 'Docstring: "a pointer to the nth transform".'
 *   the pointer is to the transform itself: 'Docstring: "a pointer"; concat_general_transforms writes through it.'
 *   the only transform of another type is itself: 'get_n_concated_transforms: it counts as 1.'
 *   an index below zero is NULL: 'Siblings: a wrong index is an internal error.'
 *   an index behind the last is NULL: 'Siblings: a wrong index is an internal error.'
 *   a chain that is part of a chain counts as one of it: 'Docstring: "the nth transform of the general transform".'
 *   concatenating makes what is counted: 'Caller concat_general_transforms.'
 *   concatenated transforms keep their order: 'concat_general_transforms: first, then second.'
 *   the transforms are left as they are: 'Docstring: transform is @INPUT.'
 ---*/
#include <internal_volume_io.h>
#include "plus.h"

static void nothing(char text[]) {
}

int main(void) {
    VIO_General_transform part[5], chain, outer, kept, one;
    set_print_error_function(nothing);
    memset(part, 0, sizeof part);
    memset(&chain, 0, sizeof chain);
    memset(&outer, 0, sizeof outer);
    memset(&one, 0, sizeof one);
    VIO_Transform_types types[] = {LINEAR, THIN_PLATE_SPLINE, USER_TRANSFORM, GRID_TRANSFORM, CONCATENATED_TRANSFORM};
    for (int i = 0; i < 5; i++) {
        part[i].type = types[i];
        part[i].n_transforms = 1;
        part[i].transforms = part;
    }
    chain.type = CONCATENATED_TRANSFORM;
    chain.n_transforms = 5;
    chain.transforms = part;
    kept = chain;
    ok("concatenated transforms are counted", get_n_concated_transforms(&chain) == 5);
    int each = 1, other = 1, self = 1;
    for (int i = 0; i < 4; i++) {
        one.type = types[i];
        one.n_transforms = 0;
        each &= get_n_concated_transforms(&one) == 1;
        one.n_transforms = 7;
        one.transforms = part;
        other &= get_n_concated_transforms(&one) == 1;
        self &= get_nth_general_transform(&one, 0) == &one;
    }
    ok("any other transform counts as one", each);
    ok("the number of other types does not come from n_transforms", other);
    ok("the only transform of another type is itself", self);
    each = 1;
    for (int i = 0; i < 5; i++) each &= get_nth_general_transform(&chain, i) == part + i;
    ok("each of the concatenated transforms is found", each);
    VIO_General_transform *p = get_nth_general_transform(&chain, 2);
    if (p) p->n_points = 31;
    ok("the pointer is to the transform itself", part[2].n_points == 31);
    outer.type = CONCATENATED_TRANSFORM;
    outer.n_transforms = 2;
    outer.transforms = part + 3;
    part[4] = chain;
    ok("a chain that is part of a chain counts as one of it",
       get_n_concated_transforms(&outer) == 2 && get_nth_general_transform(&outer, 1) == part + 4);
    ok("an index below zero is NULL",
       get_nth_general_transform(&chain, -1) == NULL && get_nth_general_transform(&one, -1) == NULL);
    ok("an index behind the last is NULL",
       get_nth_general_transform(&chain, 5) == NULL && get_nth_general_transform(&one, 1) == NULL &&
           get_nth_general_transform(&chain, 1000) == NULL && get_nth_general_transform(&outer, 2) == NULL);
    ok("the transforms are left as they are", !memcmp(&kept, &chain, sizeof chain) && chain.transforms == part);

    VIO_General_transform a, b, ab;
    int dummy = 0;
    create_user_transform(&a, &dummy, sizeof dummy, (VIO_User_transform_function)nothing,
                          (VIO_User_transform_function)nothing);
    create_linear_transform(&b, NULL);
    concat_general_transforms(&a, &b, &ab);
    ok("concatenating makes what is counted",
       get_n_concated_transforms(&ab) == 2 && get_n_concated_transforms(&a) == 1 &&
           get_n_concated_transforms(&b) == 1);
    p = get_nth_general_transform(&ab, 0);
    VIO_General_transform *q = get_nth_general_transform(&ab, 1);
    ok("concatenated transforms keep their order", p && q && p->type == USER_TRANSFORM && q->type == LINEAR);
    return done();
}
