/*---
 * tasks: [hdrl_imagelist_combine-9a5b2c]
 * tests:
 *   the mean of the images is computed: 'Docstring: "combine imagelist with error propagation"; method.'
 *   the errors are propagated: 'Docstring: "with error propagation".'
 *   the contributions are counted: 'Docstring: "contrib [...] contribution map".'
 *   each output is what it is named: 'Docstring: data image, error image, contribution map.'
 *   bad pixels do not contribute: 'hdrl_collapse.c: the bad pixel masks of the data; contribution map.'
 *   a pixel that is bad everywhere is bad: 'hdrl_collapse.c: rejected where nothing contributes.'
 *   the method is the one given: 'Docstring: "reduction method applied to the imagelists".'
 *   a median ignores an outlier: 'hdrl_collapse_imagelist_to_image_median.'
 *   a weighted mean takes the errors as weights: 'hdrl_collapse_imagelist_to_image_weighted_mean.'
 *   sigma clipping ignores an outlier: 'hdrl_collapse_imagelist_to_image_sigclip.'
 *   minmax takes the extremes out: 'hdrl_collapse_imagelist_to_image_minmax.'
 *   one image is enough: 'hdrl_collapse_imagelist_to_image_call.'
 *   a success is told: 'It returns a cpl_error_code.'
 *   no data is refused: 'hdrl_combine-test.c: CPL_ERROR_NULL_INPUT.'
 *   no errors are refused: 'hdrl_combine-test.c: CPL_ERROR_NULL_INPUT.'
 *   no method is refused: 'hdrl_combine-test.c: CPL_ERROR_NULL_INPUT.'
 *   no place for the image is refused: 'hdrl_combine-test.c: CPL_ERROR_NULL_INPUT.'
 *   no place for the errors is refused: 'hdrl_combine-test.c: CPL_ERROR_NULL_INPUT.'
 *   no place for the contributions is refused: 'hdrl_combine-test.c: CPL_ERROR_NULL_INPUT.'
 *   lists of other lengths are refused: 'hdrl_combine-test.c: CPL_ERROR_ILLEGAL_INPUT.'
 *   empty lists are refused: 'hdrl_combine-test.c: CPL_ERROR_ILLEGAL_INPUT.'
 *   the error that is set is returned: 'It returns a cpl_error_code.'
 *   the lists stay: 'They are const.'
 *   the outputs are the callers: 'Docstring: "pointer to storage for a pointer to the allocated".'
 *   nothing but the outputs is left in memory: 'Docstring: out, err and contrib are what is allocated.'
 *   a refusal leaves nothing behind: 'It allocates nothing then.'
 *   the method can be used again: 'Callers delete the method.'
 ---*/
#include "plus.h"
#include "hdrl_combine.h"

#define N 5

static cpl_imagelist *data, *errors;
static cpl_image *out, *err, *contrib;

/* N images of 3 by 2 pixels whose values at pixel (1, 1) are given; elsewhere the same plus 100 y + 10 x. */
static cpl_imagelist *list(int n, const double *values, double more)
{
    cpl_imagelist *self = cpl_imagelist_new();
    int i, x, y;

    for (i = 0; i < n; i++) {
        cpl_image *image = cpl_image_new(3, 2, CPL_TYPE_DOUBLE);

        for (x = 1; x <= 3; x++)
            for (y = 1; y <= 2; y++)
                cpl_image_set(image, x, y, values[i] + more * (100 * (y - 1) + 10 * (x - 1)));
        cpl_imagelist_set(self, image, i);
    }
    return self;
}

static double at(const cpl_image *image, int x, int y)
{
    int bad;

    return image ? cpl_image_get(image, x, y, &bad) : NAN;
}

static void drop(void)
{
    cpl_image_delete(out);
    cpl_image_delete(err);
    cpl_image_delete(contrib);
    out = err = contrib = NULL;
}

static int code;

/* Combines both lists and deletes the method. */
static int combine(hdrl_collapse_imagelist_to_image_t *method)
{
    code = hdrl_imagelist_combine(data, errors, method, &out, &err, &contrib);
    hdrl_collapse_imagelist_to_image_delete(method);
    return code == 0 && error() == 0 && out && err && contrib;
}

static int refused(const cpl_imagelist *d, const cpl_imagelist *e, hdrl_collapse_imagelist_to_image_t *method,
                   cpl_image **o, cpl_image **r, cpl_image **c, int wanted)
{
    int got = hdrl_imagelist_combine(d, e, method, o, r, c), set = error();

    return got == wanted && set == wanted;
}

int main(void)
{
    const double values[N] = {10, 12, 14, 16, 58}, sigmas[N] = {1, 2, 3, 4, 5};
    hdrl_collapse_imagelist_to_image_t *method;
    cpl_imagelist *fewer, *none;
    cpl_image *o, *e, *c;
    double m, w;
    long live;
    int good, i;

    begin();
    data = list(N, values, 1);
    errors = list(N, sigmas, 0);
    good = combine(hdrl_collapse_imagelist_to_image_mean());
    check("a success is told", good);
    check("the mean of the images is computed",
          near(at(out, 1, 1), 22, 1e-9) && near(at(out, 3, 1), 42, 1e-9) && near(at(out, 2, 2), 132, 1e-9));
    good = near(at(err, 1, 1), sqrt(55) / 5, 1e-9) && near(at(err, 3, 2), sqrt(55) / 5, 1e-9);
    check("the errors are propagated", good);
    check("the contributions are counted", near(at(contrib, 1, 1), 5, 1e-9) && near(at(contrib, 3, 2), 5, 1e-9));
    check("each output is what it is named",
          out != err && err != contrib && cpl_image_get_size_x(out) == 3 && cpl_image_get_size_y(out) == 2 &&
          cpl_image_get_size_x(err) == 3 && cpl_image_get_size_y(err) == 2 && cpl_image_get_size_x(contrib) == 3 &&
          cpl_image_get_type(contrib) == CPL_TYPE_INT && cpl_image_get_type(out) == CPL_TYPE_DOUBLE);
    drop();
    combine(hdrl_collapse_imagelist_to_image_median());
    m = at(out, 1, 1);
    check("a median ignores an outlier", near(m, 14, 1e-9) && near(at(out, 2, 1), 24, 1e-9) && at(contrib, 1, 1) == 5);
    drop();
    combine(hdrl_collapse_imagelist_to_image_weighted_mean());
    for (w = m = 0, i = 0; i < N; i++) {
        m += values[i] / (sigmas[i] * sigmas[i]);
        w += 1 / (sigmas[i] * sigmas[i]);
    }
    check("a weighted mean takes the errors as weights",
          near(at(out, 1, 1), m / w, 1e-9) && near(at(err, 1, 1), 1 / sqrt(w), 1e-9));
    good = !near(at(out, 1, 1), 22, 1e-3);
    drop();
    combine(hdrl_collapse_imagelist_to_image_sigclip(2, 2, 5));
    check("sigma clipping ignores an outlier", near(at(out, 1, 1), 13, 1e-9) && at(contrib, 1, 1) == 4);
    good = good && !near(at(out, 1, 1), 14, 1e-3);
    drop();
    combine(hdrl_collapse_imagelist_to_image_minmax(1, 1));
    check("minmax takes the extremes out", near(at(out, 1, 1), 14, 1e-9) && at(contrib, 1, 1) == 3);
    check("the method is the one given", good);
    drop();
    cpl_image_reject(cpl_imagelist_get(data, 4), 2, 1);
    cpl_image_reject(cpl_imagelist_get(data, 0), 2, 1);
    for (i = 0; i < N; i++)
        cpl_image_reject(cpl_imagelist_get(data, i), 3, 2);
    combine(hdrl_collapse_imagelist_to_image_mean());
    check("bad pixels do not contribute",
          near(at(out, 2, 1), 24, 1e-9) && at(contrib, 2, 1) == 3 && near(at(err, 2, 1), sqrt(29) / 3, 1e-9) &&
          at(contrib, 1, 1) == 5);
    check("a pixel that is bad everywhere is bad",
          out && cpl_image_is_rejected(out, 3, 2) && cpl_image_is_rejected(err, 3, 2) && at(contrib, 3, 2) == 0 &&
          !cpl_image_is_rejected(out, 2, 1));
    drop();

    fewer = list(1, values + 3, 1);
    none = list(1, sigmas + 3, 0);
    method = hdrl_collapse_imagelist_to_image_mean();
    good = hdrl_imagelist_combine(fewer, none, method, &out, &err, &contrib) == 0;
    check("one image is enough",
          good && near(at(out, 1, 1), 16, 1e-9) && near(at(err, 1, 1), 4, 1e-9) && at(contrib, 2, 2) == 1);
    drop();
    good = hdrl_imagelist_combine(data, errors, method, &out, &err, &contrib) == 0 && near(at(out, 1, 1), 22, 1e-9);
    check("the method can be used again", good && error() == 0);
    drop();

    live = plus_live;
    error();
    check("no data is refused", refused(NULL, errors, method, &o, &e, &c, CPL_ERROR_NULL_INPUT));
    check("no errors are refused", refused(data, NULL, method, &o, &e, &c, CPL_ERROR_NULL_INPUT));
    check("no method is refused", refused(data, errors, NULL, &o, &e, &c, CPL_ERROR_NULL_INPUT));
    check("no place for the image is refused", refused(data, errors, method, NULL, &e, &c, CPL_ERROR_NULL_INPUT));
    check("no place for the errors is refused", refused(data, errors, method, &o, NULL, &c, CPL_ERROR_NULL_INPUT));
    check("no place for the contributions is refused",
          refused(data, errors, method, &o, &e, NULL, CPL_ERROR_NULL_INPUT));
    check("lists of other lengths are refused",
          refused(data, none, method, &o, &e, &c, CPL_ERROR_ILLEGAL_INPUT) &&
          refused(fewer, errors, method, &o, &e, &c, CPL_ERROR_ILLEGAL_INPUT));
    cpl_image_delete(cpl_imagelist_unset(fewer, 0));
    cpl_image_delete(cpl_imagelist_unset(none, 0));
    live = plus_live;
    check("empty lists are refused",
          refused(fewer, none, method, &o, &e, &c, CPL_ERROR_ILLEGAL_INPUT) &&
          refused(fewer, errors, method, &o, &e, &c, CPL_ERROR_ILLEGAL_INPUT) &&
          refused(data, none, method, &o, &e, &c, CPL_ERROR_ILLEGAL_INPUT));
    refused(data, errors, NULL, &o, &e, &c, CPL_ERROR_NULL_INPUT);
    check("a refusal leaves nothing behind", plus_live == live);
    hdrl_collapse_imagelist_to_image_delete(method);
    method = hdrl_collapse_imagelist_to_image_minmax(4, 4);
    code = hdrl_imagelist_combine(data, errors, method, &out, &err, &contrib);
    check("the error that is set is returned", code == cpl_error_get_code());
    error();
    hdrl_collapse_imagelist_to_image_delete(method);
    drop();

    good = 1;
    for (i = 0; i < 6; i++) {
        live = plus_live;
        combine(i == 0 ? hdrl_collapse_imagelist_to_image_mean() :
                i == 1 ? hdrl_collapse_imagelist_to_image_median() :
                i == 2 ? hdrl_collapse_imagelist_to_image_weighted_mean() :
                i == 3 ? hdrl_collapse_imagelist_to_image_sigclip(3, 3, 3) :
                hdrl_collapse_imagelist_to_image_minmax(1, 1));
        drop();
        good = good && (i == 0 || plus_live == live);
    }
    check("nothing but the outputs is left in memory", good);
    combine(hdrl_collapse_imagelist_to_image_mean());
    check("the lists stay",
          cpl_imagelist_get_size(data) == N && cpl_imagelist_get_size(errors) == N &&
          at(cpl_imagelist_get(data, 4), 1, 1) == 58 && at(cpl_imagelist_get(errors, 4), 1, 1) == 5 &&
          cpl_image_count_rejected(cpl_imagelist_get(data, 1)) == 1 &&
          cpl_image_count_rejected(cpl_imagelist_get(errors, 1)) == 0);
    cpl_imagelist_delete(data);
    cpl_imagelist_delete(errors);
    check("the outputs are the callers", near(at(out, 1, 1), 22, 1e-9) && near(at(err, 1, 1), sqrt(55) / 5, 1e-9));
    drop();
    return checked();
}
