/*---
 * tasks: [filt1d-ab511a]
 * tests:
 *   measured entries are filtered by the median: 'Docstring: "Does median filtering".'
 *   a spike goes and a step stays: 'Docstring: "median filtering".'
 *   the length of the filter counts: 'Parameter mfilt; hdrl_median: "size of median filter".'
 *   unmeasured entries have no part in the median: 'Docstring: "allowing for unmeasured entries".'
 *   filtered values go to where they were measured: 'Docstring: "allowing for unmeasured entries".'
 *   gaps are filled from their neighbours: 'padext: "Pads out array with missing points".'
 *   gaps at the ends are extrapolated: 'padext: "linearly extrapolates the ends".'
 *   several gaps are filled: 'padext: "Pads out array with missing points".'
 *   two measured entries fill all: 'padext: "Pads out array with missing points".'
 *   an entry of -1000 is unmeasured: 'padext: "elements <= -1000.0 are treated as missing".'
 *   an entry above -1000 is measured: 'padext: "elements <= -1000.0 are treated as missing".'
 *   far smaller entries are unmeasured: 'padext: "elements <= -1000.0 are treated as missing".'
 *   nothing measured stays as it was: 'Caller hdrl_bfilt: nothing can be filtered.'
 *   few measured entries are not filtered: 'hdrl_median: not "enough size".'
 *   few measured entries are filled all the same: 'padext: "Pads out array with missing points".'
 *   a constant stays a constant: 'Docstring: "median filtering".'
 *   no entry behind the number is touched: 'Parameter mpt; caller hdrl_bfilt has rows of that length.'
 *   nothing is left in memory: 'It returns nothing.'
 *   a map is filtered in both directions: 'Caller hdrl_bfilt: "Do bilinear median and linear filtering".'
 ---*/
#include "plus.h"
#include "../../hdrl/catalogue/hdrl_cat_filter.c"
#include "hdrl_cat_statistics.h"

#define MOST 64
#define NOT -1001.

static double got[MOST + 2];

static const double *run(const double *values, int n, int filter)
{
    got[0] = got[n + 1] = 987654;
    memcpy(got + 1, values, n * sizeof *values);
    filt1d(got + 1, n, filter);
    return got + 1;
}

/* By the parts of the library: the median of what was measured, then the gaps. */
static int right(const double *values, int n, int filter)
{
    double packed[MOST], all[MOST];
    int i, m = 0;

    for (i = 0; i < n; i++)
        if (values[i] > -1000)
            packed[m++] = values[i];
    hdrl_median(packed, m, filter);
    for (i = m = 0; i < n; i++)
        all[i] = values[i] > -1000 ? packed[m++] : values[i];
    padext(all, n);
    run(values, n, filter);
    for (i = 0; i < n; i++)
        if (!near(got[i + 1], all[i], 1e-9))
            return 0;
    return 1;
}

static double noisy[MOST], gaps[MOST];

static int all(const double *v, int n, double value)
{
    int i;

    for (i = 0; i < n; i++)
        if (!near(v[i], value, 1e-9))
            return 0;
    return 1;
}

int main(void)
{
    double v[MOST], **map, *flat;
    const double *r;
    long live;
    int i, good;

    begin();
    for (i = 0; i < MOST; i++)
        noisy[i] = 50 + i * 37 % 23 + (i % 11 == 0) * 40;
    check("measured entries are filtered by the median", right(noisy, 40, 5) && right(noisy, 9, 5));
    for (i = 0; i < 30; i++)
        v[i] = i < 15 ? 10 : 20;
    v[7] = 500;
    r = run(v, 30, 5);
    check("a spike goes and a step stays", all(r, 15, 10) && all(r + 15, 15, 20));
    for (i = 0; i < 40; i++)
        v[i] = i >= 15 && i < 18 ? 500 : 10;
    good = all(run(v, 40, 9), 40, 10);
    r = run(v, 40, 5);
    check("the length of the filter counts", good && r[16] == 500 && right(noisy, 40, 3) && right(noisy, 40, 7));
    memcpy(gaps, noisy, sizeof noisy);
    for (i = 5; i < 50; i += 6)
        gaps[i] = NOT - i;
    gaps[30] = gaps[31] = gaps[32] = NOT;
    good = right(gaps, 52, 5);
    for (i = 0; i < 30; i++)
        v[i] = i % 2 ? NOT : 10;
    v[14] = 500;
    check("unmeasured entries have no part in the median", good && all(run(v, 30, 5), 30, 10));
    for (i = 0; i < 30; i++)
        v[i] = i < 15 ? 10 : 20;
    v[3] = v[12] = v[20] = NOT;
    r = run(v, 30, 5);
    check("filtered values go to where they were measured", all(r, 15, 10) && all(r + 15, 15, 20));
    for (i = 0; i < 30; i++)
        v[i] = 3 * i;
    v[10] = v[11] = v[12] = v[20] = NOT;
    r = run(v, 30, 5);
    check("gaps are filled from their neighbours",
          near(r[10], r[9] + (r[13] - r[9]) / 4, 1e-9) && near(r[12], r[9] + (r[13] - r[9]) * .75, 1e-9) &&
          near(r[20], (r[19] + r[21]) / 2, 1e-9));
    for (i = 0; i < 30; i++)
        v[i] = i < 4 || i > 25 ? NOT : 5 * i;
    r = run(v, 30, 5);
    check("gaps at the ends are extrapolated",
          near(r[0], r[4] - 4 * (r[5] - r[4]), 1e-9) && near(r[29], r[25] + 4 * (r[25] - r[24]), 1e-9) &&
          right(v, 30, 5));
    gaps[0] = gaps[1] = gaps[50] = gaps[51] = NOT;
    check("several gaps are filled", right(gaps, 52, 5) && right(gaps, 52, 9) && right(gaps + 1, 30, 3));
    for (i = 0; i < 20; i++)
        v[i] = NOT;
    v[8] = v[9] = 42;
    check("two measured entries fill all", all(run(v, 20, 5), 20, 42));
    for (i = 0; i < 30; i++)
        v[i] = i % 4 == 1 ? -1000 : 10;
    check("an entry of -1000 is unmeasured", all(run(v, 30, 5), 30, 10));
    for (i = 0; i < 30; i++)
        v[i] = -999.5;
    good = all(run(v, 30, 5), 30, -999.5);
    for (i = 0; i < 30; i++)
        v[i] = i % 3 ? -999.5 : 10;
    check("an entry above -1000 is measured", good && right(v, 30, 5) && all(run(v, 30, 5) + 5, 20, -999.5));
    for (i = 0; i < 30; i++)
        v[i] = i % 3 == 2 ? -1e30 : 10;
    check("far smaller entries are unmeasured", all(run(v, 30, 5), 30, 10));
    for (i = 0; i < 20; i++)
        v[i] = -1000 - i;
    r = run(v, 20, 5);
    check("nothing measured stays as it was", !memcmp(r, v, 20 * sizeof *v));
    for (i = 0; i < 4; i++)
        v[i] = i * i + 1;
    r = run(v, 4, 5);
    check("few measured entries are not filtered", !memcmp(r, v, 4 * sizeof *v));
    for (i = 0; i < 12; i++)
        v[i] = NOT;
    v[3] = 10, v[5] = 20, v[6] = 70;
    check("few measured entries are filled all the same",
          right(v, 12, 5) && near(got[1 + 4], 15, 1e-9) && got[1] > -1000 && got[12] > -1000);
    for (i = 0; i < MOST; i++)
        v[i] = 7.5;
    check("a constant stays a constant", all(run(v, 25, 5), 25, 7.5) && all(run(v, 3, 5), 3, 7.5));
    for (good = 1, i = 1; i < 50; i++) {
        run(gaps, i, 5);
        good = good && got[0] == 987654 && got[i + 1] == 987654;
    }
    check("no entry behind the number is touched", good);
    live = plus_live;
    run(gaps, 52, 5);
    for (i = 0; i < 20; i++)
        v[i] = NOT;
    run(v, 20, 5);
    check("nothing is left in memory", plus_live == live);
    map = cpl_malloc(12 * sizeof *map);
    for (i = 0; i < 12; i++) {
        map[i] = flat = cpl_malloc(12 * sizeof *flat);
        for (good = 0; good < 12; good++)
            flat[good] = 30;
    }
    map[4][6] = 900;
    map[8][2] = NOT;
    hdrl_bfilt(map, 12, 12);
    for (good = 1, i = 0; i < 12; i++)
        good = good && all(map[i], 12, 30);
    check("a map is filtered in both directions", good);
    return checked();
}
