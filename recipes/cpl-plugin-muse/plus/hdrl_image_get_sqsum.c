/*---
 * tasks: [hdrl_image_get_sqsum-858290.2]
 * tests:
 *   the sum is that of all pixels: 'hdrl_image_get_sum: "computes the sum of all pixel values".'
 *   the error of the sum adds in squares: 'The same: "the associated error"; hdrl_image-test.c.'
 *   bad pixels are left out of the sum: 'hdrl_image-test.c: a rejected pixel.'
 *   bad pixels are left out of its error: 'The same.'
 *   one pixel is its own sum: 'The same.'
 *   negative values cancel out: 'The same: the sum.'
 *   no image gives NAN and an error: 'hdrl_image-test.c: ILLEGAL_INPUT, both are NAN.'
 *   the squares are summed: 'hdrl_image_get_sqsum: "of a squared image".'
 *   the error is that of the squares: 'The same: "and the error"; hdrl_image_pow_scalar: 2 x e.'
 *   negative values have positive squares: 'The same.'
 *   bad pixels are left out of the squares: 'hdrl_image-test.c.'
 *   bad pixels are left out of the error of the squares: 'The same.'
 *   no image gives NAN as the squares too: 'As hdrl_image_get_sum, whose image is the squared one.'
 *   a success sets no error: 'hdrl_image-test.c.'
 *   the image stays: 'It is const.'
 *   nothing remains allocated: 'The result is a value.'
 ---*/
#include "plus.h"
#include "hdrl_image.h"
#include "hdrl_image_math.h"

static hdrl_image *image_of(int nx, int ny, const double *values, const double *errors)
{
    hdrl_image *image = hdrl_image_new(nx, ny);
    int i;

    for (i = 0; i < nx * ny; i++)
        hdrl_image_set_pixel(image, i % nx + 1, i / nx + 1, (hdrl_value){values[i], errors[i]});
    return image;
}

int main(void)
{
    static const double values[] = {1, 2.5, 3, -4, 5, 0.5}, errors[] = {0.5, 1.5, 2, 1, 0.25, 3};
    hdrl_image *image, *single;
    hdrl_value s, q;
    double sum, sum_e, square, square_e;
    long live;
    int good, i, clean, rejected;

    begin();
    image = image_of(3, 2, values, errors);
    for (sum = sum_e = square = square_e = 0, i = 0; i < 6; i++) {
        sum += values[i];
        sum_e += errors[i] * errors[i];
        square += values[i] * values[i];
        square_e += 4 * values[i] * values[i] * errors[i] * errors[i];
    }
    s = hdrl_image_get_sum(image);
    q = hdrl_image_get_sqsum(image);
    clean = error() == 0;
    check("the sum is that of all pixels", near(s.data, sum, 1e-12));
    check("the error of the sum adds in squares", near(s.error, sqrt(sum_e), 1e-12));
    check("the squares are summed", near(q.data, square, 1e-11));
    check("the error is that of the squares", near(q.error, sqrt(square_e), 1e-11));
    for (good = 1, i = 0; i < 6; i++) {
        hdrl_value v = hdrl_image_get_pixel(image, i % 3 + 1, i / 3 + 1, &rejected);

        good = good && v.data == values[i] && v.error == errors[i] && !rejected;
    }
    hdrl_image_reject(image, 2, 1);
    hdrl_image_reject(image, 3, 2);
    s = hdrl_image_get_sum(image);
    q = hdrl_image_get_sqsum(image);
    clean = clean && error() == 0;
    sum_e -= 1.5 * 1.5 + 3 * 3;
    square_e -= 4 * (2.5 * 2.5 * 1.5 * 1.5 + 0.5 * 0.5 * 3 * 3);
    check("bad pixels are left out of the sum", near(s.data, sum - 3, 1e-12));
    check("bad pixels are left out of its error", near(s.error, sqrt(sum_e), 1e-12));
    check("bad pixels are left out of the squares", near(q.data, square - 6.5, 1e-11));
    check("bad pixels are left out of the error of the squares", near(q.error, sqrt(square_e), 1e-11));
    check("the image stays", good && hdrl_image_count_rejected(image) == 2 && hdrl_image_is_rejected(image, 2, 1) &&
          hdrl_image_is_rejected(image, 3, 2));
    hdrl_image_delete(image);
    single = image_of(1, 1, (double[]){-7}, (double[]){0.5});
    s = hdrl_image_get_sum(single);
    q = hdrl_image_get_sqsum(single);
    clean = clean && error() == 0;
    check("one pixel is its own sum", near(s.data, -7, 1e-12) && near(s.error, 0.5, 1e-12));
    check("negative values have positive squares", near(q.data, 49, 1e-12) && near(q.error, 7, 1e-12));
    image = image_of(2, 2, (double[]){3, -3, 8, -8}, (double[]){1, 1, 1, 1});
    s = hdrl_image_get_sum(image);
    clean = clean && error() == 0;
    check("negative values cancel out", near(s.data, 0, 1e-12) && near(s.error, 2, 1e-12));
    check("a success sets no error", clean);
    live = plus_live;
    hdrl_image_get_sum(image);
    hdrl_image_get_sqsum(image);
    check("nothing remains allocated", plus_live == live);
    hdrl_image_delete(image);
    hdrl_image_delete(single);
    s = hdrl_image_get_sum(NULL);
    check("no image gives NAN and an error", error() == CPL_ERROR_ILLEGAL_INPUT && isnan(s.data) && isnan(s.error));
    q = hdrl_image_get_sqsum(NULL);
    check("no image gives NAN as the squares too", error() != 0 && isnan(q.data) && isnan(q.error));
    return checked();
}
