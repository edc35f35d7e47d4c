/*---
 * tasks: [hdrl_compute_offset_gaussian-97ffae.2]
 * tests:
 *   a shift by whole bins is found: 'Docstring: "gaussian fit for cross correlation"; the peak is at the shift.'
 *   a shift by a part of a bin is found: 'hdrl_xcorrelation_result_get_peak_subpixel: "with sub-pixel precision".'
 *   the shift is that of the first array: 'hdrl_compute_xcorrelation, whose order of arguments it has.'
 *   a wavelength bin scales the peak: 'Docstring: "wavelength bin".'
 *   the window of the second fit follows the first fit: 'Docstring: "does a second fitting for refinement".'
 *   the window is counted in bins: 'Docstring: "half search window", and "wavelength bin" for the fit.'
 *   the correlation is that of the second window: 'hdrl_xcorrelation_result: xcorr, half_window.'
 *   normalize is passed on to both fits: 'Docstring: "normalize correlation in mean and rms".'
 *   the range of the fit is passed on: 'Docstring: "half window wavelength range where the fit is going to be done".'
 *   a window of one or less is refused: 'hdrl_compute_xcorrelation: half_window > 1.'
 *   no array is refused: 'Docstring: arr1, arr2; hdrl_correlation-test.c.'
 *   arrays that cannot be correlated give an error: 'hdrl_compute_offset_gaussian_internal: NULL.'
 *   a success sets no error: 'It returns the fit.'
 *   the arrays stay: 'They are const.'
 *   the result is freed with all that it has: 'hdrl_xcorrelation_result_delete: "Destructor".'
 *   a wrapped array is freed with its result: 'hdrl_xcorrelation_result_wrap: "x_corr becomes owned".'
 *   a result without a correlation is freed: 'The same.'
 *   deleting NULL is no error: 'CPL: a destructor takes NULL; check_and_delete_if_bad deletes what may be NULL.'
 *   a failure leaves nothing behind: 'It returns NULL.'
 ---*/
#include "plus.h"
#include "hdrl_types.h"
#include "hdrl_correlation.h"

#define N 200

/* A gaussian line at this place upon a constant. */
static cpl_array *line(double at, double sigma, double ground)
{
    cpl_array *array = cpl_array_new(N, CPL_TYPE_DOUBLE);
    int i;

    for (i = 0; i < N; i++)
        cpl_array_set(array, i, ground + 10 * exp(-(i - at) * (i - at) / (2 * sigma * sigma)));
    return array;
}

static hdrl_xcorrelation_result *last;

/* The shift in bins that is found. */
static double shift(double first, double second, double sigma, int window, double bin, double range)
{
    cpl_array *a = line(first, sigma, 0), *b = line(second, sigma, 0);

    hdrl_xcorrelation_result_delete(last);
    last = hdrl_compute_offset_gaussian(a, b, window, CPL_FALSE, bin, range);
    cpl_array_delete(a);
    cpl_array_delete(b);
    return last ? hdrl_xcorrelation_result_get_peak_subpixel(last) / bin - last->half_window : NAN;
}

static int same_array(const cpl_array *a, const cpl_array *b)
{
    int i, n = cpl_array_get_size(a);

    if (n != cpl_array_get_size(b))
        return 0;
    for (i = 0; i < n; i++)
        if (!near(cpl_array_get(a, i, NULL), cpl_array_get(b, i, NULL), 1e-9))
            return 0;
    return 1;
}

/* Whether the correlation is that of its own window. */
static int correlates(const cpl_array *a, const cpl_array *b, int window, int normalize)
{
    hdrl_xcorrelation_result *r = hdrl_compute_offset_gaussian(a, b, window, normalize, 1, 20), *wanted = NULL;
    int good = r && r->xcorr && cpl_array_get_size(r->xcorr) == 2 * r->half_window + 1;

    if (good) {
        wanted = hdrl_compute_xcorrelation(a, b, r->half_window, normalize);
        good = wanted && same_array(r->xcorr, wanted->xcorr) && r->pix_peakpos == wanted->pix_peakpos;
    }
    hdrl_xcorrelation_result_delete(wanted);
    hdrl_xcorrelation_result_delete(r);
    return good && error() == 0;
}

int main(void)
{
    cpl_array *a, *b, *c, *bad;
    hdrl_xcorrelation_result *r, *s;
    long live;
    int good, narrow, failures;

    begin();
    good = near(shift(105, 100, 4, 40, 1, 15), 5, 0.25) && error() == 0;
    good = good && near(shift(100, 100, 4, 40, 1, 15), 0, 0.25) && near(shift(93, 100, 4, 40, 1, 15), -7, 0.25);
    check("a shift by whole bins is found", good);
    good = near(shift(102.3, 100, 4, 40, 1, 15), 2.3, 0.2) && near(shift(96.6, 100, 4, 40, 1, 15), -3.4, 0.2);
    check("a shift by a part of a bin is found", good);
    a = line(104, 4, 0);
    b = line(100, 3, 0);
    r = hdrl_compute_offset_gaussian(a, b, 40, CPL_FALSE, 1, 15);
    s = hdrl_compute_offset_gaussian(b, a, 40, CPL_FALSE, 1, 15);
    good = r && s && near(r->peakpos - r->half_window, 4, 0.25) && near(s->peakpos - s->half_window, -4, 0.25);
    check("the shift is that of the first array", good && error() == 0);
    hdrl_xcorrelation_result_delete(r);
    hdrl_xcorrelation_result_delete(s);
    good = near(shift(103.4, 100, 4, 40, 0.25, 4), 3.4, 0.25) && near(last->sigma, 0.25 * 4 * sqrt(2), 0.1);
    good = good && near(shift(103.4, 100, 4, 40, 2.5, 40), 3.4, 0.25) && near(last->sigma, 2.5 * 4 * sqrt(2), 1);
    check("a wavelength bin scales the peak", good);
    shift(101, 100, 3, 90, 1, 15);
    good = last && last->half_window < 90;
    narrow = last ? last->half_window : 0;
    shift(101, 100, 6, 90, 1, 25);
    good = good && last && last->half_window > narrow && last->half_window < 90;
    shift(101, 100, 3, 60, 1, 15);
    check("the window of the second fit follows the first fit", good && last && abs(last->half_window - narrow) <= 1);
    shift(101, 100, 3, 90, 0.1, 1.5);
    good = last && abs(last->half_window - narrow) <= 1;
    shift(101, 100, 3, 90, 8, 120);
    check("the window is counted in bins", good && last && abs(last->half_window - narrow) <= 1);
    hdrl_xcorrelation_result_delete(last);
    last = NULL;
    c = line(103, 5, 2);
    check("the correlation is that of the second window", correlates(a, b, 40, 0) && correlates(b, a, 50, 0));
    check("normalize is passed on to both fits", correlates(a, c, 40, 1) && correlates(c, b, 40, 1));
    r = hdrl_compute_offset_gaussian(a, b, 40, CPL_FALSE, 1, 4);
    s = hdrl_compute_offset_gaussian(a, b, 40, CPL_FALSE, 1, 20);
    good = r && s && r->mse != s->mse && near(r->peakpos - r->half_window, 4, 0.25);
    if (s) {
        hdrl_xcorrelation_result *t = hdrl_compute_offset_gaussian_internal(a, b, s->half_window, CPL_FALSE, 1, 20);

        good = good && t && near(s->peakpos, t->peakpos, 1e-9) && near(s->sigma, t->sigma, 1e-9) &&
               near(s->mse, t->mse, 1e-12);
        hdrl_xcorrelation_result_delete(t);
    }
    check("the range of the fit is passed on", good);
    hdrl_xcorrelation_result_delete(r);
    hdrl_xcorrelation_result_delete(s);
    check("a success sets no error", error() == 0);
    good = !hdrl_compute_offset_gaussian(a, b, 1, CPL_FALSE, 1, 20) && error() == CPL_ERROR_ILLEGAL_INPUT &&
           !hdrl_compute_offset_gaussian(a, b, 0, CPL_FALSE, 1, 20) && error() == CPL_ERROR_ILLEGAL_INPUT &&
           !hdrl_compute_offset_gaussian(a, b, -5, CPL_FALSE, 1, 20) && error() == CPL_ERROR_ILLEGAL_INPUT;
    check("a window of one or less is refused", good);
    good = !hdrl_compute_offset_gaussian(NULL, b, 40, CPL_FALSE, 1, 20) && error() == CPL_ERROR_NULL_INPUT &&
           !hdrl_compute_offset_gaussian(a, NULL, 40, CPL_FALSE, 1, 20) && error() == CPL_ERROR_NULL_INPUT;
    check("no array is refused", good);
    bad = cpl_array_new(N, CPL_TYPE_DOUBLE);
    live = plus_live;
    hdrl_xcorrelation_result_delete(hdrl_compute_offset_gaussian_internal(a, bad, 40, CPL_FALSE, 1, 20));
    error();
    failures = plus_live - live;
    live = plus_live;
    hdrl_xcorrelation_result_delete(hdrl_compute_offset_gaussian_internal(a, bad, 40, CPL_FALSE, 1, 20));
    error();
    failures = plus_live - live;
    live = plus_live;
    good = !hdrl_compute_offset_gaussian(a, bad, 40, CPL_FALSE, 1, 20) && error() == CPL_ERROR_ILLEGAL_OUTPUT;
    check("arrays that cannot be correlated give an error", good);
    check("a failure leaves nothing behind", plus_live - live <= failures);
    cpl_array_delete(bad);
    live = plus_live;
    r = hdrl_compute_offset_gaussian(a, b, 40, CPL_FALSE, 1, 20);
    good = r != NULL;
    hdrl_xcorrelation_result_delete(r);
    check("the result is freed with all that it has", good && plus_live == live);
    r = hdrl_xcorrelation_result_wrap(cpl_array_new(9, CPL_TYPE_DOUBLE), 4, 4);
    hdrl_xcorrelation_result_delete(r);
    check("a wrapped array is freed with its result", plus_live == live);
    r = cpl_calloc(1, sizeof *r);
    hdrl_xcorrelation_result_delete(r);
    check("a result without a correlation is freed", plus_live == live);
    hdrl_xcorrelation_result_delete(NULL);
    check("deleting NULL is no error", error() == 0 && plus_live == live);
    bad = line(104, 4, 0);
    good = same_array(a, bad);
    cpl_array_delete(bad);
    bad = line(100, 3, 0);
    check("the arrays stay", good && same_array(b, bad));
    cpl_array_delete(bad);
    cpl_array_delete(a);
    cpl_array_delete(b);
    cpl_array_delete(c);
    return checked();
}
