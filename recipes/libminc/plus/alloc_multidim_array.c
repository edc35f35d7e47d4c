/*---
 * tasks: [alloc_multidim_array-d0eda5.2]
 * tests:
 *   an array of one dimension holds its values: 'Docstring: "Allocates the data for the multidimensional array".'
 *   an array of two dimensions holds its values: 'Docstring; multidim.h: VIO_MAX_DIMENSIONS is 5.'
 *   an array of three dimensions holds its values: 'Docstring; multidim.h: VIO_MAX_DIMENSIONS is 5.'
 *   an array of four dimensions holds its values: 'Docstring; multidim.h: VIO_MAX_DIMENSIONS is 5.'
 *   an array of five dimensions holds its values: 'Docstring; multidim.h: VIO_MAX_DIMENSIONS is 5.'
 *   the elements lie one after the other: 'multidim.h: GET_MULTIDIM_PTR; callers copy whole volumes at once.'
 *   there is room for all elements of each type: 'multidim.h: SET_GIVEN_DIM names the C type of each.'
 *   the array is allocated afterwards: 'multidim_array_is_alloced, "TRUE if array is allocated".'
 *   dimensions, sizes and type are left as they are: 'Docstring: array is @INPUT; the data alone is allocated.'
 *   without a type nothing is allocated: 'multidim.h: VIO_NO_DATA_TYPE; volumes.c sets the type later.'
 *   without a type an error is printed: 'Siblings print what is missing.'
 *   an array that is allocated gets new data of its new sizes: 'Callers volumes.c: alloc_volume_data.'
 *   the former data is freed: 'delete_multidim_array "Deletes the multidimensional array".'
 *   an array can be deleted and allocated again: 'delete_multidim_array sets the data to NULL.'
 *   the data of two arrays is apart: 'Docstring: the data of the array.'
 *   nothing is printed where all is well: 'print_error is for errors.'
 *   get_type_size knows each type: 'Its docstring: "Returns the size of the given type".'
 *   get_type_size takes another type for a double: 'get_type_size, "default : double"; multidim.h does so, too.'
 *   a deleted array leaves nothing: 'delete_multidim_array frees by the number of dimensions.'
 ---*/
#include <internal_volume_io.h>
#include "plus.h"

static int printed;

static void count(char text[]) {
    printed++;
}

static VIO_multidim_array make(int n, VIO_Data_types type, int a, int b, int c, int d, int e) {
    VIO_multidim_array array = {n, {a, b, c, d, e}, type, NULL};
    return array;
}

static int value(int x, int y, int z, int t, int v) {
    return (((x * 7 + y) * 7 + z) * 7 + t) * 7 + v;
}

/* Writes all elements and reads them again. */
static int works(VIO_multidim_array *array) {
    int s[5] = {1, 1, 1, 1, 1}, good = 1;
    if (array->data == NULL) return 0;
    for (int i = 0; i < array->n_dimensions; i++) s[i] = array->sizes[i];
    for (int round = 0; round < 2; round++)
        for (int x = 0; x < s[0]; x++)
            for (int y = 0; y < s[1]; y++)
                for (int z = 0; z < s[2]; z++)
                    for (int t = 0; t < s[3]; t++)
                        for (int v = 0; v < s[4]; v++) {
                            VIO_Real is;
                            if (round == 0) {
                                SET_MULTIDIM((*array), x, y, z, t, v, value(x, y, z, t, v));
                            } else {
                                GET_MULTIDIM(is, , (*array), x, y, z, t, v);
                                good &= is == value(x, y, z, t, v);
                            }
                        }
    return good;
}

/* The distance of the last element from the first, in bytes. */
static long span(VIO_multidim_array *array) {
    int *s = array->sizes;
    void *first, *end;
    GET_MULTIDIM_PTR(first, (*array), 0, 0, 0, 0, 0);
    GET_MULTIDIM_PTR(end, (*array), s[0] - 1, s[1] - 1, s[2] - 1, s[3] - 1, s[4] - 1);
    return (char *)end - (char *)first;
}

static long elements(VIO_multidim_array *array) {
    long n = 1;
    for (int i = 0; i < array->n_dimensions; i++) n *= array->sizes[i];
    return n;
}

static int first_dimensions(int n) {
    VIO_multidim_array array = make(n, VIO_DOUBLE, 2, 3, 5, 4, 6), before = array;
    alloc_multidim_array(&array);
    int good = works(&array) && array.n_dimensions == n && array.data_type == VIO_DOUBLE &&
               !memcmp(before.sizes, array.sizes, sizeof before.sizes);
    if (array.data) delete_multidim_array(&array);
    return good;
}

int main(void) {
    char *names[] = {"one dimension", "two dimensions", "three dimensions", "four dimensions", "five dimensions"};
    set_print_error_function(count);
    char line[80];
    for (int n = 1; n <= 5; n++) {
        sprintf(line, "an array of %s holds its values", names[n - 1]);
        ok(line, first_dimensions(n));
    }
    VIO_Data_types types[] = {VIO_UNSIGNED_BYTE, VIO_SIGNED_BYTE, VIO_UNSIGNED_SHORT, VIO_SIGNED_SHORT,
                              VIO_UNSIGNED_INT, VIO_SIGNED_INT, VIO_FLOAT, VIO_DOUBLE};
    int bytes[] = {1, 1, 2, 2, 4, 4, 4, 8}, known = 1;
    for (int i = 0; i < 8; i++) known &= get_type_size(types[i]) == bytes[i];
    ok("get_type_size knows each type", known);
    ok("get_type_size takes another type for a double", get_type_size(VIO_MAX_DATA_TYPE) == 8);
    int row = 1, room = 1, is = 1, left = 1;
    for (int n = 1; n <= 5; n++)
        for (int i = 0; i < 8; i++) {
            VIO_multidim_array array = make(n, types[i], 67, 3, 5, 2, 7);
            for (int j = n; j < 5; j++) array.sizes[j] = 1000 + j;
            VIO_multidim_array before = array;
            alloc_multidim_array(&array);
            is &= array.data != NULL && multidim_array_is_alloced(&array);
            left &= array.n_dimensions == n && array.data_type == types[i] &&
                    !memcmp(before.sizes, array.sizes, sizeof before.sizes);
            if (array.data == NULL) continue;
            long size = bytes[i];
            void *first;
            GET_MULTIDIM_PTR(first, array, 0, 0, 0, 0, 0);
            row &= span(&array) == (elements(&array) - 1) * size;
            room &= malloc_usable_size(first) >= elements(&array) * size;
            delete_multidim_array(&array);
        }
    ok("the elements lie one after the other", row);
    ok("there is room for all elements of each type", room);
    ok("the array is allocated afterwards", is);
    ok("dimensions, sizes and type are left as they are", left);

    VIO_multidim_array a = make(3, VIO_SIGNED_SHORT, 2, 3, 4, 9, 9), b = a;
    alloc_multidim_array(&a);
    alloc_multidim_array(&b);
    int apart = works(&a);
    SET_MULTIDIM(b, 1, 2, 3, 0, 0, 4711);
    VIO_Real v;
    GET_MULTIDIM(v, , a, 1, 2, 3, 0, 0);
    ok("the data of two arrays is apart", apart && a.data != b.data && v == value(1, 2, 3, 0, 0));
    a.sizes[0] = 9;
    a.sizes[1] = 2;
    a.sizes[2] = 11;
    alloc_multidim_array(&a);
    void *first;
    GET_MULTIDIM_PTR(first, a, 0, 0, 0, 0, 0);
    ok("an array that is allocated gets new data of its new sizes",
       works(&a) && malloc_usable_size(first) >= 9 * 2 * 11 * 2 && span(&a) == (9 * 2 * 11 - 1) * 2);
    delete_multidim_array(&a);
    int gone = a.data == NULL;
    alloc_multidim_array(&a);
    ok("an array can be deleted and allocated again", gone && works(&a));
    ok("nothing is printed where all is well", printed == 0);

    size_t before;
    int freed = 1;
    for (int n = 1; n <= 5; n++) {
        VIO_multidim_array c = make(n, VIO_FLOAT, 5, 6, 3, 2, 4);
        alloc_multidim_array(&c);
        before = held();
        for (int i = 0; i < 500; i++) alloc_multidim_array(&c);
        freed &= held() < before + 4096;
        delete_multidim_array(&c);
    }
    ok("the former data is freed", freed);
    before = held();
    for (int i = 0; i < 500; i++) first_dimensions(1 + i % 5);
    ok("a deleted array leaves nothing", held() < before + 4096);

    VIO_multidim_array none = make(3, VIO_NO_DATA_TYPE, 2, 3, 4, 1, 1);
    printed = 0;
    alloc_multidim_array(&none);
    ok("without a type nothing is allocated", none.data == NULL && none.data_type == VIO_NO_DATA_TYPE);
    ok("without a type an error is printed", printed > 0);
    return done();
}
