/*---
 * tasks: [create_multidim_array-4cc0c8.2]
 * tests:
 *   the number of dimensions is set: 'Docstring: n_dimensions is @INPUT.'
 *   the type is set: 'Docstring: data_type is @INPUT.'
 *   the sizes are set in their order: 'Docstring: sizes is @INPUT; get_multidim_sizes passes them back.'
 *   the data is allocated: 'Docstring: "Creates a multidimensional array"; create_empty_multidim_array does so
 *     "without allocating its data".'
 *   there is room for all elements: 'Docstring: "Creates a multidimensional array".'
 *   all numbers of dimensions work: 'multidim.h: VIO_MAX_DIMENSIONS is 5.'
 *   all types work: 'multidim.h: VIO_Data_types.'
 *   what the array held before does not matter: 'Callers pass an array of the stack that holds anything.'
 *   nothing is printed: 'print_error is for errors.'
 *   the given sizes are left as they are: 'Docstring: sizes is @INPUT.'
 *   the given sizes are copied: 'multidim.h: the array has sizes of its own.'
 *   two arrays are apart: 'Docstring: "Creates a multidimensional array".'
 *   a created array can be deleted: 'delete_multidim_array "Deletes the multidimensional array".'
 *   a deleted array leaves nothing: 'delete_multidim_array frees the data.'
 *   set_multidim_sizes sets the sizes: 'Its docstring: "Sets the sizes of the array".'
 *   set_multidim_sizes sets those of the dimensions alone: 'multidim.h: an array has n_dimensions sizes.'
 *   set_multidim_sizes leaves the rest of the array: 'Its docstring: "Sets the sizes of the array".'
 *   set_multidim_sizes prints an error once there is data: 'Sibling set_multidim_n_dimensions: it "should not already
 *     be allocated".'
 *   an array can be created again after its end: 'Docstring: "Creates a multidimensional array".'
 ---*/
#include <internal_volume_io.h>
#include "plus.h"

static int printed;

static void count(char text[]) {
    printed++;
}

static void *at(VIO_multidim_array *array, int x, int y, int z, int t, int v) {
    void *p;
    GET_MULTIDIM_PTR(p, (*array), x, y, z, t, v);
    return p;
}

/* Whether the elements lie one after the other, each in its place, and have room. */
static int has_room(VIO_multidim_array *array, int n, const int *s, VIO_Data_types type) {
    long all = 1, size = get_type_size(type);
    for (int i = 0; i < n; i++) all *= s[i];
    if (!array->data) return 0;
    char *first = at(array, 0, 0, 0, 0, 0), *last = at(array, s[0] - 1, s[1] - 1, s[2] - 1, s[3] - 1, s[4] - 1);
    if (last - first != (all - 1) * size || malloc_usable_size(first) < all * size) return 0;
    memset(first, 0x5a, all * size);
    return 1;
}

int main(void) {
    int sizes[5] = {4, 3, 5, 2, 7}, given[5] = {4, 3, 5, 2, 7}, out[5];
    VIO_multidim_array a, b;
    set_print_error_function(count);
    memset(&a, 0xaa, sizeof a);
    create_multidim_array(&a, 3, given, VIO_FLOAT);
    ok("the number of dimensions is set", get_multidim_n_dimensions(&a) == 3);
    ok("the type is set", get_multidim_data_type(&a) == VIO_FLOAT);
    get_multidim_sizes(&a, out);
    ok("the sizes are set in their order", a.n_dimensions == 3 && !memcmp(out, sizes, 3 * sizeof(int)));
    ok("the data is allocated", a.data != NULL && multidim_array_is_alloced(&a));
    ok("there is room for all elements", has_room(&a, 3, sizes, VIO_FLOAT));
    ok("the given sizes are left as they are", !memcmp(given, sizes, sizeof given));
    given[0] = given[1] = given[2] = 1;
    get_multidim_sizes(&a, out);
    ok("the given sizes are copied", !memcmp(out, sizes, 3 * sizeof(int)));
    delete_multidim_array(&a);
    ok("a created array can be deleted", a.data == NULL && !multidim_array_is_alloced(&a));
    create_multidim_array(&a, 2, sizes + 1, VIO_SIGNED_BYTE);
    ok("an array can be created again after its end",
       a.n_dimensions == 2 && a.sizes[0] == 3 && a.sizes[1] == 5 && a.data_type == VIO_SIGNED_BYTE &&
           has_room(&a, 2, sizes + 1, VIO_SIGNED_BYTE));
    create_multidim_array(&b, 2, sizes + 1, VIO_SIGNED_BYTE);
    *(char *)at(&a, 1, 1, 0, 0, 0) = 'a';
    *(char *)at(&b, 1, 1, 0, 0, 0) = 'b';
    ok("two arrays are apart", a.data != b.data && *(char *)at(&a, 1, 1, 0, 0, 0) == 'a');
    delete_multidim_array(&a);
    delete_multidim_array(&b);

    int dims = 1, types = 1;
    for (int n = 1; n <= 5; n++) {
        memset(&a, 0xaa, sizeof a);
        create_multidim_array(&a, n, sizes, VIO_DOUBLE);
        dims &= a.n_dimensions == n && !memcmp(a.sizes, sizes, n * sizeof(int)) && has_room(&a, n, sizes, VIO_DOUBLE);
        if (a.data) delete_multidim_array(&a);
    }
    ok("all numbers of dimensions work", dims);
    for (int t = VIO_UNSIGNED_BYTE; t < VIO_MAX_DATA_TYPE; t++) {
        create_multidim_array(&a, 4, sizes, t);
        types &= a.data_type == t && has_room(&a, 4, sizes, t);
        if (a.data) delete_multidim_array(&a);
    }
    ok("all types work", types);
    /* Memory of an array that was, with dangling data, and zeros. */
    int dirty = 1;
    for (int i = 0; i < 3; i++) {
        int former[5] = {2, 2, 2, 2, 2};
        memset(&a, i == 0 ? 0xff : 0, sizeof a);
        if (i == 2) {
            void *gone = malloc(64);
            a = (VIO_multidim_array){3, {2, 2, 2}, VIO_UNSIGNED_BYTE, gone};
            memset(gone, 0xff, 64);
        }
        create_multidim_array(&a, 4, former, VIO_UNSIGNED_SHORT);
        dirty &= a.n_dimensions == 4 && a.data_type == VIO_UNSIGNED_SHORT && a.sizes[3] == 2 &&
                 has_room(&a, 4, former, VIO_UNSIGNED_SHORT);
        delete_multidim_array(&a);
    }
    ok("what the array held before does not matter", dirty);
    ok("nothing is printed", printed == 0);

    a = (VIO_multidim_array){3, {-1, -2, -3, -4, -5}, VIO_FLOAT, NULL};
    set_multidim_sizes(&a, sizes);
    ok("set_multidim_sizes sets the sizes", a.sizes[0] == 4 && a.sizes[1] == 3 && a.sizes[2] == 5);
    ok("set_multidim_sizes sets those of the dimensions alone", a.sizes[3] == -4 && a.sizes[4] == -5);
    ok("set_multidim_sizes leaves the rest of the array",
       a.n_dimensions == 3 && a.data_type == VIO_FLOAT && a.data == NULL && printed == 0);
    alloc_multidim_array(&a);
    set_multidim_sizes(&a, sizes);
    ok("set_multidim_sizes prints an error once there is data", printed > 0 && a.data != NULL);
    delete_multidim_array(&a);
    size_t before = held();
    for (int i = 0; i < 500; i++) {
        create_multidim_array(&a, 1 + i % 5, sizes, VIO_SIGNED_INT);
        delete_multidim_array(&a);
    }
    ok("a deleted array leaves nothing", held() < before + 4096);
    return done();
}
