/*---
 * tasks: [hdrl_mode_clip_image-cd34bf]
 * tests:
 *   the mode of the pixels is found by the median: 'Docstring: the three methods; hdrl_mode_clip.'
 *   the mode is found by weights: 'The same.'
 *   the range and the size of a bin are passed on: 'Docstring: histo_min, histo_max, bin_size.'
 *   bad pixels do not count: 'hdrl_image_to_vector: "removing bad pixels"; naccepted: "good data points".'
 *   naccepted is the number of good pixels: 'hdrl_mode_clip: "the number of good data points".'
 *   without iterations the error is analytic: 'Docstring: "computed analytically (if error_miter=0)".'
 *   with iterations the error is simulated: 'Docstring: "using a Montecarlo simulation (if error_miter > 0)".'
 *   a simulation leaves the mode: 'The same; it is for the error.'
 *   the simulation has the iterations asked for: 'Docstring: "the number of iterations to determine error model".'
 *   the simulation knows no bad pixels: 'As for the mode.'
 *   an image of floats is taken too: 'hdrl_image_to_vector casts.'
 *   no good pixel is an error: 'hdrl_image_to_vector: "NULL if no good pixels"; there is no mode.'
 *   no image is an error: 'Docstring: "provide source != NULL"; hdrl_mode-test.c.'
 *   a range without data is an error: 'Docstring: "or the appropriate error code"; hdrl_mode_clip.'
 *   the code returned is the one set: 'The same; hdrl_collapse.c breaks on it.'
 *   the image stays: 'It is const.'
 *   nothing remains allocated: 'No result is allocated.'
 *   nothing remains allocated after an error: 'The same.'
 ---*/
#include "plus.h"
#include "hdrl_mode.h"
#include "hdrl_utils.h"

cpl_error_code hdrl_mode_bootstrap(const cpl_vector *, const double, const double, const double, const hdrl_mode_type,
                                   const cpl_size, double *);

#define NX 25
#define NY 20

static cpl_image *image;
static cpl_vector *goods;
static int same = 1;

static double noise(void)
{
    static unsigned long long state = 77;
    double sum = 0;
    int i;

    for (i = 0; i < 12; i++) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        sum += (state >> 40) / (double)(1 << 24);
    }
    return sum - 6;
}

/* Each seventh pixel is far off and, if asked for, bad. */
static void fill(cpl_type type, int bad)
{
    int i, n = 0;

    cpl_image_delete(image);
    cpl_vector_delete(goods);
    image = cpl_image_new(NX, NY, type);
    goods = cpl_vector_new(NX * NY);
    for (i = 0; i < NX * NY; i++) {
        double value = 50 + 3 * noise() + (i % 7 == 3 ? 400 : 0);

        cpl_image_set(image, i % NX + 1, i / NX + 1, value);
        if (bad && i % 7 == 3)
            cpl_image_reject(image, i % NX + 1, i / NX + 1);
        else
            cpl_vector_set(goods, n++, type == CPL_TYPE_FLOAT ? (float)value : value);
    }
    cpl_vector_set_size(goods, n);
}

static double mode[2], error_of[2];
static cpl_size accepted[2];

/* Whether the image gives what its good pixels give. */
static int agrees(double low, double high, double bin, hdrl_mode_type method, int iterations)
{
    cpl_vector *copy = cpl_vector_duplicate(goods);
    int code;

    mode[0] = error_of[0] = -9;
    accepted[0] = -9;
    srand(5);
    code = hdrl_mode_clip_image(image, low, high, bin, method, iterations, &mode[0], &error_of[0], &accepted[0]);
    same = same && code == cpl_error_get_code();
    if (error())
        return 0;
    hdrl_mode_clip(copy, low, high, bin, method, iterations, &mode[1], &error_of[1], &accepted[1]);
    srand(5);
    if (iterations > 0)
        hdrl_mode_bootstrap(copy, low, high, bin, method, iterations, &error_of[1]);
    cpl_vector_delete(copy);
    cpl_error_reset();
    return near(mode[0], mode[1], 1e-9) && near(error_of[0], error_of[1], 1e-9) && accepted[0] == accepted[1];
}

int main(void)
{
    cpl_image *copy;
    double analytic, few, before;
    long live, failed;
    int good, code, i;

    begin();
    fill(CPL_TYPE_DOUBLE, 0);
    good = agrees(10, 0, 0, HDRL_MODE_MEDIAN, 0) && near(mode[0], 50, 30);
    good = good && agrees(20, 80, 1, HDRL_MODE_MEDIAN, 0) && near(mode[0], 50, 1.5);
    check("the mode of the pixels is found by the median", good);
    check("the mode is found by weights", agrees(20, 80, 2, HDRL_MODE_WEIGHTED, 0) && near(mode[0], 50, 2));
    good = agrees(30, 49, 1, HDRL_MODE_MEDIAN, 0) && mode[0] < 49.5;
    before = mode[0];
    good = good && agrees(440, 470, 1, HDRL_MODE_MEDIAN, 0) && near(mode[0], 450, 3) && before != mode[0];
    good = good && agrees(20, 80, 0.5, HDRL_MODE_WEIGHTED, 0);
    before = mode[0];
    good = good && agrees(20, 80, 5, HDRL_MODE_WEIGHTED, 0) && before != mode[0];
    check("the range and the size of a bin are passed on", good);
    fill(CPL_TYPE_DOUBLE, 1);
    copy = cpl_image_duplicate(image);
    good = agrees(10, 0, 0, HDRL_MODE_MEDIAN, 0) && agrees(20, 80, 1, HDRL_MODE_WEIGHTED, 0) &&
           agrees(10, 0, 1, HDRL_MODE_WEIGHTED, 0) && near(mode[0], 50, 2);
    check("bad pixels do not count", good);
    check("naccepted is the number of good pixels", accepted[0] == NX * NY - cpl_image_count_rejected(image) &&
          accepted[0] == cpl_vector_get_size(goods));
    good = agrees(20, 80, 1, HDRL_MODE_MEDIAN, 0) && error_of[0] > 0;
    analytic = error_of[0];
    before = mode[0];
    check("without iterations the error is analytic", good);
    good = agrees(20, 80, 1, HDRL_MODE_MEDIAN, 40) && error_of[0] > 0 && error_of[0] != analytic;
    check("with iterations the error is simulated", good);
    check("a simulation leaves the mode", mode[0] == before && accepted[0] == cpl_vector_get_size(goods));
    few = error_of[0];
    good = agrees(20, 80, 1, HDRL_MODE_MEDIAN, 7) && error_of[0] != few && error_of[0] != analytic;
    check("the simulation has the iterations asked for", good);
    good = agrees(10, 0, 1, HDRL_MODE_WEIGHTED, 15) && error_of[0] < 10;
    check("the simulation knows no bad pixels", good);
    good = cpl_image_count_rejected(image) == cpl_image_count_rejected(copy);
    for (i = 0; i < NX * NY; i++)
        good = good && cpl_image_get_data_double(image)[i] == cpl_image_get_data_double(copy)[i];
    check("the image stays", good);
    cpl_image_delete(copy);
    live = plus_live;
    agrees(20, 80, 1, HDRL_MODE_MEDIAN, 0);
    agrees(20, 80, 1, HDRL_MODE_MEDIAN, 3);
    live = plus_live - live;
    fill(CPL_TYPE_FLOAT, 1);
    good = agrees(20, 80, 1, HDRL_MODE_MEDIAN, 0) && near(mode[0], 50, 1.5) && agrees(10, 0, 0, HDRL_MODE_WEIGHTED, 5);
    check("an image of floats is taken too", good);
    check("nothing remains allocated", live == 0);

    /* A failure of hdrl_mode_clip itself may leave something. */
    {
        cpl_vector *few_values = cpl_vector_duplicate(goods);

        live = plus_live;
        hdrl_mode_clip(few_values, -20, -10, 1, HDRL_MODE_MEDIAN, 0, &mode[0], &error_of[0], &accepted[0]);
        error();
        live = plus_live;
        hdrl_mode_clip(few_values, -20, -10, 1, HDRL_MODE_MEDIAN, 0, &mode[0], &error_of[0], &accepted[0]);
        error();
        failed = plus_live - live;
        cpl_vector_delete(few_values);
    }
    live = plus_live;
    code = hdrl_mode_clip_image(image, -20, -10, 1, HDRL_MODE_MEDIAN, 0, &mode[0], &error_of[0], &accepted[0]);
    same = same && code == cpl_error_get_code();
    check("a range without data is an error", error() != 0 && code != 0);
    good = plus_live - live == failed;
    cpl_image_accept_all(image);
    for (i = 0; i < NX * NY; i++)
        cpl_image_reject(image, i % NX + 1, i / NX + 1);
    live = plus_live;
    mode[0] = error_of[0] = 1;
    code = hdrl_mode_clip_image(image, 10, 0, 0, HDRL_MODE_MEDIAN, 0, &mode[0], &error_of[0], &accepted[0]);
    same = same && code == cpl_error_get_code();
    check("no good pixel is an error", error() != 0 && code != 0);
    check("nothing remains allocated after an error", good && plus_live == live);
    code = hdrl_mode_clip_image(NULL, 10, 0, 0, HDRL_MODE_MEDIAN, 0, &mode[0], &error_of[0], &accepted[0]);
    same = same && code == cpl_error_get_code();
    check("no image is an error", code == CPL_ERROR_NULL_INPUT && error() == code);
    check("the code returned is the one set", same);
    cpl_image_delete(image);
    cpl_vector_delete(goods);
    return checked();
}
