/*---
 * tasks: [hdrl_spectrum1D_compute_shift_xcorrelation-ea2f27.2]
 * tests:
 *   equal spectra have no shift: 'Docstring: "computes the shift between the two spectra".'
 *   a shift by whole bins is found: 'Docstring: "computes the shift between the two spectra".'
 *   a shift by a part of a bin is found: 'Docstring: "estimation of the shift after gaussian fit".'
 *   a second spectrum at longer wavelengths is a positive shift: 'Caller hdrl_response.c shifts the first by it.'
 *   the shift is in units of wavelength: 'Caller hdrl_response.c: peak_subpixel - half_window * w_step.'
 *   the order of wavelengths does not matter: 'convert_to_sorted_array; the wavelengths need not be sorted.'
 *   the window is passed: 'Docstring: "half window where the correlation will be calculated".'
 *   normalize is passed: 'Docstring: "normalize mean and stdev in cross-correlation calculation".'
 *   bad pixels have no part: 'convert_to_sorted_array: rejected pixels; hdrl_compute_xcorrelation: "invalid".'
 *   no first spectrum is refused: 'Docstring: "CPL_ERROR_NULL_INPUT: s1 or s2 is NULL".'
 *   no second spectrum is refused: 'Docstring: "CPL_ERROR_NULL_INPUT: s1 or s2 is NULL".'
 *   spectra on other wavelengths are refused: 'Docstring: "if the two spectra are not compatible".'
 *   spectra of other lengths are refused: 'Docstring: "if the two spectra are not compatible".'
 *   spectra of other scales are refused: 'Docstring: "if the two spectra are not compatible".'
 *   wavelengths that are not uniform are refused: 'Docstring: "if wavelengths are not uniformly sampled".'
 *   a window that is too small is refused: 'hdrl_spectrum1d_shift-test.c: CPL_ERROR_ILLEGAL_INPUT.'
 *   a success sets no error: 'It returns the estimation.'
 *   the spectra stay: 'They are const.'
 *   the result is all that is left in memory: 'hdrl_xcorrelation_result_delete: "Destructor".'
 *   a refusal leaves nothing behind: 'It returns NULL.'
 *   the array has the fluxes: 'convert_to_sorted_array: "Converts the flux spectrum to an array of double".'
 *   the array is of doubles: 'convert_to_sorted_array: "an array of double".'
 *   the fluxes are in the order of wavelengths: 'convert_to_sorted_array: its name; hdrl_sort_on_x.'
 *   a bad pixel is not valid: 'convert_to_sorted_array: "Rejected pixels"; its callers look for invalid elements.'
 *   other pixels are valid: 'convert_to_sorted_array: "Rejected pixels are mapped".'
 *   a bad pixel stays with its wavelength: 'convert_to_sorted_array: hdrl_sort_on_x, "keep aligned with y1 and y2".'
 *   the array is all that is left in memory: 'Its caller deletes it.'
 ---*/
#include "plus.h"
#include "../../hdrl/hdrl_spectrum_shift.c"

#define N 240
#define BIN 1e-4

static int order[N], bad[N];

/* A line at this place, in bins, on wavelengths from 1 on. */
static hdrl_spectrum1D *line(double at, double bin, int n, hdrl_spectrum1D_wave_scale scale)
{
    cpl_image *flux = cpl_image_new(n, 1, CPL_TYPE_DOUBLE);
    cpl_array *waves = cpl_array_new(n, CPL_TYPE_DOUBLE);
    hdrl_spectrum1D *self;
    int i;

    for (i = 0; i < n; i++) {
        double d = order[i] - at;

        cpl_image_set(flux, i + 1, 1, 3 + 10 * exp(-d * d / 50) + 4 * exp(-(d + 40) * (d + 40) / 50));
        cpl_array_set(waves, i, 1 + order[i] * bin);
        if (bad[i]) {
            cpl_image_set(flux, i + 1, 1, 1e6);
            cpl_image_reject(flux, i + 1, 1);
        }
    }
    self = hdrl_spectrum1D_create_error_free(flux, waves, scale);
    cpl_image_delete(flux);
    cpl_array_delete(waves);
    return self;
}

static hdrl_spectrum1D *usual(double at)
{
    return line(at, BIN, N, hdrl_spectrum1D_wave_scale_linear);
}

/* The shift between lines at these places, in units of wavelength. */
static double shift(double a, double b, double bin)
{
    hdrl_spectrum1D *s = line(a, bin, N, hdrl_spectrum1D_wave_scale_linear);
    hdrl_spectrum1D *t = line(b, bin, N, hdrl_spectrum1D_wave_scale_linear);
    hdrl_xcorrelation_result *r = hdrl_spectrum1D_compute_shift_xcorrelation(s, t, 40, CPL_TRUE);
    double found = NAN;

    if (r)
        found = hdrl_xcorrelation_result_get_peak_subpixel(r) - hdrl_xcorrelation_result_get_half_window(r) * bin;
    hdrl_xcorrelation_result_delete(r);
    hdrl_spectrum1D_delete(&s);
    hdrl_spectrum1D_delete(&t);
    return found;
}

static int refused(const hdrl_spectrum1D *s, const hdrl_spectrum1D *t, int window, int code)
{
    hdrl_xcorrelation_result *r = hdrl_spectrum1D_compute_shift_xcorrelation(s, t, window, CPL_TRUE);

    return r == NULL && error() == code;
}

int main(void)
{
    hdrl_spectrum1D *s, *t, *u;
    hdrl_xcorrelation_result *r, *q;
    cpl_array *a, *b, *waves;
    cpl_image *flux;
    double c, d;
    long live;
    int i, good, valid, right;

    begin();
    for (i = 0; i < N; i++)
        order[i] = i;
    check("equal spectra have no shift", near(shift(120, 120, BIN), 0, BIN / 100));
    good = near(shift(120, 125, BIN), 5 * BIN, BIN * 0.3) && near(shift(120, 108, BIN), -12 * BIN, BIN * 0.6);
    check("a shift by whole bins is found", good);
    check("a shift by a part of a bin is found",
          near(shift(120, 122.4, BIN) - shift(120, 122, BIN), 0.4 * BIN, BIN / 10) &&
          near(shift(120, 116.7, BIN) - shift(120, 117, BIN), -0.3 * BIN, BIN / 10));
    check("a second spectrum at longer wavelengths is a positive shift",
          shift(110, 117, BIN) > 6 * BIN && shift(117, 110, BIN) < -6 * BIN);
    check("the shift is in units of wavelength",
          near(shift(120, 123, 0.6 * BIN), 1.8 * BIN, BIN / 4) &&
          near(shift(120, 124, 0.8 * BIN), 3.2 * BIN, BIN / 4));
    for (i = 0; i < N; i++)
        order[i] = N - 1 - i;
    good = near(shift(120, 125, BIN), 5 * BIN, BIN * 0.3);
    for (i = 0; i < N; i++)
        order[i] = i * 77 % N;
    good = good && near(shift(120, 125, BIN), 5 * BIN, BIN * 0.3);
    check("the order of wavelengths does not matter", good);

    /* Against the correlation of arrays made here. */
    for (i = 0; i < N; i++)
        order[i] = i;
    a = cpl_array_new(N, CPL_TYPE_DOUBLE);
    b = cpl_array_new(N, CPL_TYPE_DOUBLE);
    s = usual(120);
    t = usual(126);
    for (i = 0; i < N; i++) {
        cpl_array_set(a, i, hdrl_spectrum1D_get_flux_value(s, i, NULL).data);
        cpl_array_set(b, i, hdrl_spectrum1D_get_flux_value(t, i, NULL).data);
    }
    error();
    for (good = right = 1, i = 0; i < 2; i++) {
        r = hdrl_spectrum1D_compute_shift_xcorrelation(s, t, 30, i);
        good = good && r && error() == 0;
        q = hdrl_compute_offset_gaussian(b, a, 30, i, BIN, 0.0005);
        error();
        if (r && q) {
            c = cpl_array_get_max(hdrl_xcorrelation_result_get_correlation(r));
            d = cpl_array_get_max(hdrl_xcorrelation_result_get_correlation(q));
            right = right && near(c, d, 1e-6 * fabs(d));
        } else if (r || q)
            right = 0;
        hdrl_xcorrelation_result_delete(r);
        hdrl_xcorrelation_result_delete(q);
    }
    check("normalize is passed", right && good);
    check("a success sets no error", good);
    r = hdrl_spectrum1D_compute_shift_xcorrelation(s, t, 3, CPL_TRUE);
    q = hdrl_compute_offset_gaussian(b, a, 3, CPL_TRUE, BIN, 0.0005);
    error();
    check("the window is passed", !r == !q);
    hdrl_xcorrelation_result_delete(r);
    hdrl_xcorrelation_result_delete(q);
    bad[60] = bad[61] = bad[150] = bad[200] = 1;
    check("bad pixels have no part", near(shift(120, 125, BIN), 5 * BIN, BIN / 4));
    memset(bad, 0, sizeof bad);

    error();
    check("no first spectrum is refused", refused(NULL, t, 30, CPL_ERROR_NULL_INPUT));
    check("no second spectrum is refused", refused(s, NULL, 30, CPL_ERROR_NULL_INPUT));
    u = line(120, 1.1 * BIN, N, hdrl_spectrum1D_wave_scale_linear);
    live = plus_live;
    good = refused(s, u, 30, CPL_ERROR_INCOMPATIBLE_INPUT) && refused(u, s, 30, CPL_ERROR_INCOMPATIBLE_INPUT);
    check("spectra on other wavelengths are refused", good);
    refused(s, NULL, 30, CPL_ERROR_NULL_INPUT);
    refused(s, t, 1, CPL_ERROR_ILLEGAL_INPUT);
    check("a refusal leaves nothing behind", plus_live == live);
    hdrl_spectrum1D_delete(&u);
    u = line(120, BIN, N - 1, hdrl_spectrum1D_wave_scale_linear);
    check("spectra of other lengths are refused", refused(s, u, 30, CPL_ERROR_INCOMPATIBLE_INPUT));
    hdrl_spectrum1D_delete(&u);
    u = line(120, BIN, N, hdrl_spectrum1D_wave_scale_log);
    check("spectra of other scales are refused", refused(s, u, 30, CPL_ERROR_INCOMPATIBLE_INPUT));
    hdrl_spectrum1D_delete(&u);
    check("a window that is too small is refused",
          refused(s, t, 1, CPL_ERROR_ILLEGAL_INPUT) && refused(s, t, 0, CPL_ERROR_ILLEGAL_INPUT));
    order[N - 1] = N + 40;
    u = usual(120);
    order[N - 1] = N - 1;
    check("wavelengths that are not uniform are refused", refused(u, u, 30, CPL_ERROR_INCOMPATIBLE_INPUT));
    hdrl_spectrum1D_delete(&u);

    live = plus_live;
    r = hdrl_spectrum1D_compute_shift_xcorrelation(s, t, 30, CPL_TRUE);
    good = plus_live > live;
    hdrl_xcorrelation_result_delete(r);
    check("the result is all that is left in memory", good && plus_live == live);
    for (good = 1, i = 0; i < N; i++)
        good = good && hdrl_spectrum1D_get_flux_value(s, i, NULL).data == cpl_array_get(a, i, NULL) &&
               hdrl_spectrum1D_get_wavelength_value(s, i, NULL) == 1 + i * BIN;
    check("the spectra stay", good);
    cpl_array_delete(a);

    a = convert_to_sorted_array(s);
    for (good = 1, i = 0; i < N; i++)
        good = good && cpl_array_get(a, i, NULL) == hdrl_spectrum1D_get_flux_value(s, i, NULL).data;
    check("the array has the fluxes", good && cpl_array_get_size(a) == N);
    check("the array is of doubles", cpl_array_get_type(a) == CPL_TYPE_DOUBLE);
    cpl_array_delete(a);
    flux = cpl_image_new(6, 1, CPL_TYPE_DOUBLE);
    waves = cpl_array_new(6, CPL_TYPE_DOUBLE);
    for (i = 0; i < 6; i++) {
        static const double w[] = {5, 1, 4, 2, 6, 3};

        cpl_image_set(flux, i + 1, 1, w[i] * 10);
        cpl_array_set(waves, i, w[i]);
    }
    cpl_image_reject(flux, 3, 1);
    cpl_image_reject(flux, 5, 1);
    u = hdrl_spectrum1D_create_error_free(flux, waves, hdrl_spectrum1D_wave_scale_linear);
    live = plus_live;
    a = convert_to_sorted_array(u);
    for (good = valid = right = 1, i = 0; i < 6; i++) {
        int is_bad = i == 3 || i == 5;

        if (!is_bad)
            good = good && cpl_array_get(a, i, NULL) == 10 * (i + 1);
        valid = valid && (is_bad || cpl_array_is_valid(a, i) == 1);
        right = right && (!is_bad || cpl_array_is_valid(a, i) == 0);
    }
    check("the fluxes are in the order of wavelengths", good);
    check("other pixels are valid", valid);
    check("a bad pixel stays with its wavelength", right && valid);
    check("a bad pixel is not valid", cpl_array_count_invalid(a) == 2);
    cpl_array_delete(a);
    check("the array is all that is left in memory", plus_live == live);
    return checked();
}
