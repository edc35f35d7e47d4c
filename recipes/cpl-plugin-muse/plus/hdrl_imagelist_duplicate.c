/*---
 * tasks: [hdrl_imagelist_duplicate-57e89a]
 * tests:
 *   the copy has as many images: 'Docstring: "Copy an image list into a new image list object".'
 *   the images are in order: 'The same.'
 *   each has its values: 'The same.'
 *   each has its errors: 'hdrl_image: a value and an error for each pixel.'
 *   each has its bad pixels: 'hdrl_image: a mask.'
 *   the images are copies: 'Docstring: "newly allocated image list".'
 *   a change of the copy leaves the source: 'The same.'
 *   a change of the source leaves the copy: 'The same.'
 *   an empty list is copied: 'Docstring: "Copy an image list".'
 *   one image is copied: 'The same.'
 *   many images are copied: 'hdrl_imagelist_set grows the list.'
 *   the copy can grow: 'The same; it is a list.'
 *   the copy outlives the source: 'Docstring: "must be deallocated using hdrl_imagelist_delete()".'
 *   hdrl_imagelist_delete frees all of the copy: 'The same.'
 *   NULL gives NULL and an error: 'Docstring: "CPL_ERROR_NULL_INPUT if an input pointer is NULL".'
 *   a success sets no error: 'Docstring: "or NULL on error".'
 ---*/
#include "plus.h"
#include "hdrl_image.h"
#include "hdrl_imagelist.h"

static hdrl_imagelist *list_of(int n)
{
    hdrl_imagelist *list = hdrl_imagelist_new();
    int j, i;

    for (j = 0; j < n; j++) {
        hdrl_image *image = hdrl_image_new(4, 3);

        for (i = 0; i < 12; i++)
            hdrl_image_set_pixel(image, i % 4 + 1, i / 4 + 1, (hdrl_value){100 * j + i, j + i / 16.0});
        hdrl_image_reject(image, j % 4 + 1, j % 3 + 1);
        hdrl_imagelist_set(list, image, j);
    }
    return list;
}

enum {VALUES = 1, ERRORS = 2, BAD = 4, ALL = 7};

static int matches(const hdrl_imagelist *list, int n)
{
    int j, i, rejected, result = ALL;

    if (!list || hdrl_imagelist_get_size(list) != n)
        return 0;
    for (j = 0; j < n; j++) {
        const hdrl_image *image = hdrl_imagelist_get_const(list, j);

        if (!image || hdrl_image_get_size_x(image) != 4 || hdrl_image_get_size_y(image) != 3)
            return 0;
        for (i = 0; i < 12; i++) {
            int bad = i % 4 == j % 4 && i / 4 == j % 3;
            hdrl_value v = hdrl_image_get_pixel(image, i % 4 + 1, i / 4 + 1, &rejected);

            if (!rejected != !bad)
                result &= ~BAD;
            if (!bad && v.data != 100 * j + i)
                result &= ~VALUES;
            if (!bad && v.error != j + i / 16.0)
                result &= ~ERRORS;
        }
    }
    return result;
}

int main(void)
{
    hdrl_imagelist *list, *copy;
    long live;
    int good, j, result;

    begin();
    live = plus_live;
    list = list_of(3);
    copy = hdrl_imagelist_duplicate(list);
    check("a success sets no error", copy && error() == 0);
    check("the copy has as many images", hdrl_imagelist_get_size(copy) == 3);
    result = matches(copy, 3);
    for (good = 1, j = 0; j < 3; j++)
        good = good && hdrl_image_get_pixel(hdrl_imagelist_get_const(copy, j), 4, 3, NULL).data == 100 * j + 11;
    check("the images are in order", good);
    check("each has its values", result & VALUES);
    check("each has its errors", result & ERRORS);
    check("each has its bad pixels", result & BAD);
    for (good = copy != list, j = 0; j < 3; j++)
        good = good && hdrl_imagelist_get_const(copy, j) != hdrl_imagelist_get_const(list, j);
    check("the images are copies", good);
    hdrl_image_set_pixel(hdrl_imagelist_get(copy, 1), 3, 3, (hdrl_value){-1, 9});
    hdrl_image_reject(hdrl_imagelist_get(copy, 2), 1, 1);
    check("a change of the copy leaves the source", matches(list, 3) == ALL);
    hdrl_imagelist_delete(copy);
    copy = hdrl_imagelist_duplicate(list);
    hdrl_image_set_pixel(hdrl_imagelist_get(list, 0), 2, 2, (hdrl_value){-1, 9});
    hdrl_image_reject(hdrl_imagelist_get(list, 1), 4, 1);
    check("a change of the source leaves the copy", matches(copy, 3) == ALL);
    hdrl_imagelist_delete(list);
    check("the copy outlives the source", matches(copy, 3) == ALL);
    hdrl_imagelist_set(copy, hdrl_image_new(4, 3), 3);
    check("the copy can grow", hdrl_imagelist_get_size(copy) == 4 && error() == 0);
    hdrl_imagelist_delete(copy);
    list = hdrl_imagelist_new();
    copy = hdrl_imagelist_duplicate(list);
    check("an empty list is copied", copy && copy != list && hdrl_imagelist_get_size(copy) == 0 && error() == 0);
    hdrl_imagelist_delete(list);
    hdrl_imagelist_delete(copy);
    list = list_of(1);
    copy = hdrl_imagelist_duplicate(list);
    check("one image is copied", matches(copy, 1) == ALL && matches(list, 1) == ALL);
    hdrl_imagelist_delete(list);
    hdrl_imagelist_delete(copy);
    list = list_of(140);
    live = plus_live;
    copy = hdrl_imagelist_duplicate(list);
    check("many images are copied", matches(copy, 140) == ALL && matches(list, 140) == ALL);
    hdrl_imagelist_delete(copy);
    check("hdrl_imagelist_delete frees all of the copy", plus_live == live);
    hdrl_imagelist_delete(list);
    check("NULL gives NULL and an error", !hdrl_imagelist_duplicate(NULL) && error() == CPL_ERROR_NULL_INPUT);
    return checked();
}
