/*---
 * tasks: [hdrl_areals-40193e]
 * tests:
 *   a pixel at the threshold or below counts nowhere: 'Docstring: "a given detection threshold".'
 *   a pixel above the threshold counts in the lowest profile: 'Docstring: "areal profiles for that object".'
 *   each profile has twice the level: 'hdrl_cat_conf.c: fconst is log2(e), offset is log2 of the threshold.'
 *   a pixel counts in each profile below it: 'update_ov in hdrl_cat_overlp.c; ap_t: "height above thresh".'
 *   the brightest pixels count in all profiles and no more: 'hdrl_cat_def.h: NAREAL profiles.'
 *   the pixels add up: 'Docstring: "The pixel list for an object is used".'
 *   only the pixels of the object are used: 'ap_t: npl_pix is "Number of pixels in the above structure".'
 *   old profiles are forgotten: 'Callers pass an array that is not set.'
 *   an object without pixels has empty profiles: 'The same.'
 *   the offset lowers and the factor scales: 'ap_t: "offset in areal profile levels", "Normalisation constant".'
 *   it is the intensity that counts: 'hdrl_cat_overlp.c takes z of each plstruct, not the smoothed zsm.'
 *   the pixels stay: 'The profiles are the only output.'
 *   nothing behind the profiles is written: 'Parameter iareal[NAREAL].'
 ---*/
#include "plus.h"
#include "hdrl_cat_areals.h"

static ap_t ap;
static plstruct pixels[40];
static cpl_size room[NAREAL + 2], *profile = room + 1;

/* The profiles of pixels of these intensities, with room around them. */
static void run(int n, const double *z)
{
    int i;

    memset(pixels, 0, sizeof pixels);
    for (i = 0; i < 40; i++) {
        pixels[i].x = pixels[i].y = i + 1;
        pixels[i].z = i < n ? z[i] : 1e6;
        pixels[i].zsm = 77;
    }
    for (i = 0; i < NAREAL + 2; i++)
        room[i] = 1234;
    ap.plarray = pixels;
    ap.npl = 40;
    ap.npl_pix = n;
    hdrl_areals(&ap, profile);
}

static int is(int a, int b, int c, int d, int e, int f, int g, int h)
{
    const int wanted[] = {a, b, c, d, e, f, g, h};
    int i, good = 1;

    for (i = 0; i < NAREAL; i++)
        good = good && profile[i] == wanted[i];
    return good;
}

int main(void)
{
    int good, i;

    begin();
    ap.thresh = 3;
    ap.fconst = CPL_MATH_LOG2E;
    ap.areal_offset = log(ap.thresh) * ap.fconst;
    run(4, (double[]){3, 2.9, 0.001, -5});
    check("a pixel at the threshold or below counts nowhere", is(0, 0, 0, 0, 0, 0, 0, 0));
    run(2, (double[]){3.001, 5.9});
    check("a pixel above the threshold counts in the lowest profile", is(2, 0, 0, 0, 0, 0, 0, 0));
    run(1, (double[]){6.1});
    good = is(1, 1, 0, 0, 0, 0, 0, 0);
    run(1, (double[]){11.9});
    good = good && is(1, 1, 0, 0, 0, 0, 0, 0);
    run(1, (double[]){12.1});
    good = good && is(1, 1, 1, 0, 0, 0, 0, 0);
    run(1, (double[]){3 * 63.5});
    check("each profile has twice the level", good && is(1, 1, 1, 1, 1, 1, 0, 0));
    run(1, (double[]){3 * 64.5});
    check("a pixel counts in each profile below it", is(1, 1, 1, 1, 1, 1, 1, 0));
    run(3, (double[]){3 * 129, 3 * 300, 1e9});
    check("the brightest pixels count in all profiles and no more", is(3, 3, 3, 3, 3, 3, 3, 3));
    good = room[0] == 1234 && room[NAREAL + 1] == 1234;
    run(7, (double[]){3.5, 7, 13, 25, 2, 7.5, 200});
    check("the pixels add up", is(6, 5, 3, 2, 1, 1, 1, 0));
    run(3, (double[]){4, 4, 30});
    check("only the pixels of the object are used", is(3, 1, 1, 1, 0, 0, 0, 0));
    hdrl_areals(&ap, profile);
    check("old profiles are forgotten", is(3, 1, 1, 1, 0, 0, 0, 0));
    for (i = 0; i < 40; i++)
        good = good && pixels[i].x == i + 1 && pixels[i].y == i + 1 && pixels[i].zsm == 77 && pixels[i].iobj == 0;
    check("the pixels stay", good && pixels[0].z == 4 && pixels[2].z == 30 && ap.npl_pix == 3 && ap.thresh == 3);
    run(0, NULL);
    check("an object without pixels has empty profiles", is(0, 0, 0, 0, 0, 0, 0, 0));
    check("nothing behind the profiles is written", good && room[0] == 1234 && room[NAREAL + 1] == 1234);
    ap.areal_offset += 2;
    run(2, (double[]){20, 30});
    good = is(2, 1, 0, 0, 0, 0, 0, 0);
    run(1, (double[]){3 * 17});
    good = good && is(1, 1, 1, 0, 0, 0, 0, 0);
    ap.fconst *= 2;
    ap.areal_offset = 2 * log(3) * CPL_MATH_LOG2E;
    run(1, (double[]){3 * 2.9});
    check("the offset lowers and the factor scales", good && is(1, 1, 1, 1, 0, 0, 0, 0));
    ap.fconst = CPL_MATH_LOG2E;
    ap.areal_offset = log(3) * ap.fconst;
    run(1, (double[]){4});
    check("it is the intensity that counts", is(1, 0, 0, 0, 0, 0, 0, 0));
    return checked();
}
