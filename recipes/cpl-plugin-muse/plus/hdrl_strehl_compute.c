/*---
 * tasks: [hdrl_strehl_compute-55d4b9]
 * tests:
 *   the strehl ratio is that of image and parameters: 'Docstring: "This function computes the Strehl ratio".'
 *   a sharper star has a larger ratio: 'Docstring: "dividing the maximum intensity of the image PSF by [...] ideal".'
 *   the star is found: 'hdrl_strehl_result: "computed x and y position of the star peak".'
 *   the flux is that of the star: 'Docstring: "integrated flux (controlled by the parameter flux_radius)".'
 *   the background is told and taken off: 'Docstring: "correct a residual background by setting the parameters".'
 *   without radii no background is taken: 'hdrl_strehl_parameter_verify: both negative.'
 *   the wavelength is passed: 'Docstring: "the wavelength, at which the image has been obtained".'
 *   the radius of the mirror is passed: 'Docstring: "telescope pupil characteristics (radius m1".'
 *   the central obstruction is passed: 'Docstring: "central obstruction, m2".'
 *   the pixel scale in x is passed: 'Docstring: "the related pixel scale (pixel_scale_x, pixel_scale_y)".'
 *   the pixel scale in y is passed: 'Docstring: "the related pixel scale (pixel_scale_x, pixel_scale_y)".'
 *   the flux radius is passed: 'Docstring: "integrated flux (controlled by the parameter flux_radius)".'
 *   the lower background radius is passed: 'Docstring: "bkg_radius_low, bkg_radius_high".'
 *   the higher background radius is passed: 'Docstring: "bkg_radius_low, bkg_radius_high".'
 *   errors are computed: 'Docstring: "the associated error is also computed".'
 *   no image is refused: 'hdrl_strehl-test.c: CPL_ERROR_NULL_INPUT.'
 *   no parameters are refused: 'hdrl_strehl-test.c: CPL_ERROR_NULL_INPUT.'
 *   parameters of another kind are refused: 'hdrl_strehl_parameter_verify: "Expected Strehl parameter".'
 *   wrong parameters are refused: 'hdrl_strehl_parameter_verify.'
 *   a refusal gives no numbers: 'hdrl_strehl-test.c: the result is NAN.'
 *   a success sets no error: 'Callers look at the error.'
 *   an image without a star gives an error: 'compute_strehl: CPL_ERROR_DATA_NOT_FOUND and other errors of the fit.'
 *   image and parameters stay: 'The image is const; callers use the parameters again.'
 *   nothing is left in memory: 'The result is no pointer.'
 ---*/
#include "plus.h"
#include "../../hdrl/hdrl_strehl.c"
#include "hdrl_bpm_3d.h"

static const double usual[8] = {1.6e-6, 2.5, 0.9, 0.02, 0.025, 0.2, 0.3, 0.45};

/* A star of this width upon a ground, on 64 by 64 pixels. */
static hdrl_image *star(double sigma, double ground)
{
    cpl_image *data = cpl_image_new(64, 64, CPL_TYPE_DOUBLE), *errors = cpl_image_new(64, 64, CPL_TYPE_DOUBLE);
    hdrl_image *self;
    int x, y;

    for (x = 1; x <= 64; x++)
        for (y = 1; y <= 64; y++) {
            double r2 = (x - 33.) * (x - 33) + (y - 30.) * (y - 30);

            cpl_image_set(data, x, y, ground + 1000 * exp(-r2 / (2 * sigma * sigma)));
            cpl_image_set(errors, x, y, 2);
        }
    self = hdrl_image_create(data, errors);
    cpl_image_delete(data);
    cpl_image_delete(errors);
    return self;
}

static hdrl_parameter *parameters(int which, double value)
{
    double v[8];

    memcpy(v, usual, sizeof v);
    if (which >= 0)
        v[which] = value;
    return hdrl_strehl_parameter_create(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]);
}

static int same(double a, double b)
{
    return (isnan(a) && isnan(b)) || near(a, b, 1e-9 * (1 + fabs(b)));
}

static int equal(const hdrl_strehl_result *a, const hdrl_strehl_result *b)
{
    return same(a->strehl_value.data, b->strehl_value.data) && same(a->strehl_value.error, b->strehl_value.error) &&
           same(a->star_x, b->star_x) && same(a->star_y, b->star_y) && same(a->star_peak.data, b->star_peak.data) &&
           same(a->star_peak.error, b->star_peak.error) && same(a->star_flux.data, b->star_flux.data) &&
           same(a->star_flux.error, b->star_flux.error) && same(a->star_background.data, b->star_background.data) &&
           same(a->star_background.error, b->star_background.error) &&
           same(a->computed_background_error, b->computed_background_error) &&
           a->nbackground_pixels == b->nbackground_pixels;
}

static hdrl_image *image;
static hdrl_strehl_result plain;

/* Whether this value of a parameter gives what compute_strehl gives for it, and another result than the usual one. */
static int passed(int which, double value)
{
    hdrl_parameter *p = parameters(which, value);
    hdrl_strehl_result got = hdrl_strehl_compute(image, p), wanted;
    double v[8];

    memcpy(v, usual, sizeof v);
    v[which] = value;
    wanted = compute_strehl(image, v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]);
    hdrl_parameter_delete(p);
    return equal(&got, &wanted) && !isnan(got.strehl_value.data) && !equal(&got, &plain);
}

static int nothing(const hdrl_strehl_result *r)
{
    return isnan(r->strehl_value.data) && isnan(r->strehl_value.error) && isnan(r->star_x) && isnan(r->star_y) &&
           isnan(r->star_peak.data) && isnan(r->star_flux.data);
}

int main(void)
{
    hdrl_strehl_result r, s;
    hdrl_parameter *p, *other;
    hdrl_image *copy, *wide;
    int good, numbers = 1, code;
    long live;

    begin();
    image = star(1.5, 50);
    p = parameters(-1, 0);
    if (!p)
        exit(1);
    plain = compute_strehl(image, usual[0], usual[1], usual[2], usual[3], usual[4], usual[5], usual[6], usual[7]);
    error();
    r = hdrl_strehl_compute(image, p);
    check("a success sets no error", error() == 0);
    check("the strehl ratio is that of image and parameters",
          equal(&r, &plain) && r.strehl_value.data > 0 && !isnan(r.strehl_value.data));
    check("the star is found", near(r.star_x, 33, 0.05) && near(r.star_y, 30, 0.05));
    check("the flux is that of the star", near(r.star_flux.data / (1000 * CPL_MATH_2PI * 1.5 * 1.5), 1, 0.02));
    check("the background is told and taken off",
          near(r.star_background.data, 50, 0.1) && near(r.star_peak.data, 1000, 100) && r.nbackground_pixels > 100);
    check("errors are computed",
          r.strehl_value.error > 0 && r.star_flux.error > 0 && r.star_peak.error > 0 && r.star_background.error > 0);
    wide = star(4, 50);
    s = hdrl_strehl_compute(wide, p);
    good = s.strehl_value.data < r.strehl_value.data && s.strehl_value.data > 0;
    check("a sharper star has a larger ratio", good);
    hdrl_image_delete(wide);
    other = hdrl_strehl_parameter_create(usual[0], usual[1], usual[2], usual[3], usual[4], usual[5], -1, -1);
    s = hdrl_strehl_compute(image, other);
    check("without radii no background is taken",
          s.star_background.data == 0 && s.nbackground_pixels == 0 && s.computed_background_error == -1 &&
          s.star_flux.data > r.star_flux.data * 1.2);
    hdrl_parameter_delete(other);
    check("the wavelength is passed", passed(0, 2.1e-6));
    check("the radius of the mirror is passed", passed(1, 3.5));
    check("the central obstruction is passed", passed(2, 0.3));
    check("the pixel scale in x is passed", passed(3, 0.03));
    check("the pixel scale in y is passed", passed(4, 0.03));
    check("the flux radius is passed", passed(5, 0.15));
    check("the lower background radius is passed", passed(6, 0.35));
    check("the higher background radius is passed", passed(7, 0.6));
    error();

    r = hdrl_strehl_compute(NULL, p);
    numbers = numbers && nothing(&r);
    check("no image is refused", error() == CPL_ERROR_NULL_INPUT);
    r = hdrl_strehl_compute(image, NULL);
    numbers = numbers && nothing(&r);
    check("no parameters are refused", error() == CPL_ERROR_NULL_INPUT);
    other = hdrl_bpm_3d_parameter_create(3, 3, HDRL_BPM_3D_THRESHOLD_RELATIVE);
    r = hdrl_strehl_compute(image, other);
    numbers = numbers && nothing(&r);
    check("parameters of another kind are refused", other && error() == CPL_ERROR_ILLEGAL_INPUT);
    hdrl_parameter_delete(other);
    other = parameters(-1, 0);
    ((hdrl_strehl_parameter *) other)->m1 = 0.5;
    r = hdrl_strehl_compute(image, other);
    good = error() == CPL_ERROR_ILLEGAL_INPUT;
    numbers = numbers && nothing(&r);
    ((hdrl_strehl_parameter *) other)->m1 = 2.5;
    ((hdrl_strehl_parameter *) other)->bkg_radius_high = 0.1;
    r = hdrl_strehl_compute(image, other);
    numbers = numbers && nothing(&r);
    check("wrong parameters are refused", good && error() == CPL_ERROR_ILLEGAL_INPUT);
    check("a refusal gives no numbers", numbers);
    hdrl_parameter_delete(other);
    wide = hdrl_image_new(64, 64);
    r = hdrl_strehl_compute(wide, p);
    code = error();
    check("an image without a star gives an error", code != 0 && isnan(r.strehl_value.data));
    hdrl_image_delete(wide);

    copy = hdrl_image_duplicate(image);
    live = plus_live;
    hdrl_strehl_compute(image, p);
    hdrl_strehl_compute(image, NULL);
    error();
    check("nothing is left in memory", plus_live == live);
    hdrl_image_sub_image(copy, image);
    check("image and parameters stay",
          cpl_image_get_absflux(hdrl_image_get_image(copy)) == 0 &&
          hdrl_strehl_parameter_get_wavelength(p) == 1.6e-6 &&
          hdrl_strehl_parameter_get_m1(p) == 2.5 && hdrl_strehl_parameter_get_m2(p) == 0.9 &&
          hdrl_strehl_parameter_get_bkg_radius_high(p) == 0.45);
    return checked();
}
