/*---
 * tasks: [hdrl_seeing-48d42b]
 * tests:
 *   the width is that of the circle at half the peak: 'Docstring: "where the areal profile falls to half its peak".'
 *   a larger area is a larger width: 'Docstring: "FWHM estimate".'
 *   each level is twice the one below it: 'hdrl_cat_areals.c: the levels of the areal profiles.'
 *   the threshold is that of the structure: 'Docstring: "ap, the current ap structure"; ap_t: thresh.'
 *   each object has its own peak: 'Docstring: "for each object".'
 *   half the peak between two levels is interpolated: 'Docstring: "the point where [...] falls to half".'
 *   near a level the width is nearly that of the level: 'Docstring: "the point where [...] falls to half".'
 *   one wide object among many changes little: 'Docstring: "the final seeing estimate is the median".'
 *   one narrow object among many changes little: 'Docstring: "the final seeing estimate is the median".'
 *   the order of objects does not matter: 'Docstring: "the median of these results".'
 *   objects behind the number of rows do not count: 'Docstring: "nrows, the number rows in the object catalogue".'
 *   three objects are enough: 'Caller hdrl_do_seeing_gen asks for three.'
 *   without enough objects it is zero: 'Caller hdrl_do_seeing_gen: 0 for fewer than three objects.'
 *   without rows it is zero: 'Caller hdrl_do_seeing_gen: 0 for fewer than three objects.'
 *   objects without an area above the threshold do not count: 'Docstring: the profile has to fall to half its peak.'
 *   peaks whose half is above all levels do not count: 'ap_t: NAREAL profiles; there is no such profile.'
 *   the error code is none: 'Docstring: "CPL_ERROR_NONE if all went OK (Currently this is the only value)".'
 *   the catalogue stays: 'Caller passes the columns of the table itself.'
 *   nothing is left in memory: 'Docstring: the work array is the callers.'
 *   nothing is written behind the work array: 'Caller allocates one element for each row.'
 ---*/
#include "plus.h"
#include "hdrl_cat_seeing.h"

#define MOST 60

static ap_t ap;
static double ellipt[MOST], peak[MOST], work[MOST + 1], table[NAREAL][MOST], *areal[NAREAL];
static int code;

/* An object whose half peak is this many levels above the threshold, with that area there. */
static void object(int row, double level, double area)
{
    int k;

    ellipt[row] = 0.05;
    peak[row] = 2 * ap.thresh * pow(2, level);
    for (k = 0; k < NAREAL; k++)
        areal[k][row] = area * (1 + 0.1 * (level - k));
}

static double seeing(int rows)
{
    double fwhm = -77;

    work[rows] = 4321;
    code |= hdrl_seeing(&ap, rows, ellipt, peak, areal, work, &fwhm);
    if (work[rows] != 4321)
        code |= 1 << 20;
    return fwhm;
}

/* The width of a circle with this area. */
static double width(double area)
{
    return 2 * sqrt(area / CPL_MATH_PI);
}

static int about(double a, double b)
{
    return fabs(a - b) <= 0.004 * b;
}

int main(void)
{
    static double before[3][MOST], levels[NAREAL][MOST];
    double a, b, c;
    long live;
    int i, k, good;

    begin();
    memset(&ap, 0, sizeof ap);
    ap.thresh = 20;
    for (k = 0; k < NAREAL; k++)
        areal[k] = table[k];
    for (i = 0; i < 9; i++)
        object(i, 5, 2000);
    a = seeing(9);
    check("the width is that of the circle at half the peak", about(a, width(2000)));
    for (i = 0; i < 9; i++)
        object(i, 5, 8000);
    b = seeing(9);
    check("a larger area is a larger width", about(b, width(8000)) && b > a);
    for (good = 1, k = 3; k <= 6; k++) {
        for (i = 0; i < 9; i++)
            object(i, k, 3000);
        good = good && about(seeing(9), width(3000));
    }
    check("each level is twice the one below it", good);
    ap.thresh = 55.5;
    for (i = 0; i < 9; i++)
        object(i, 4, 5000);
    good = about(seeing(9), width(5000));
    ap.thresh = 20;
    check("the threshold is that of the structure", good && !about(seeing(9), width(5000)));
    for (i = 0; i < 9; i++)
        object(i, 3 + i % 4, 4000);
    check("each object has its own peak", about(seeing(9), width(4000)));
    for (i = 0; i < 9; i++)
        object(i, 4.5, 4000);
    good = about(seeing(9), width(4000));
    for (i = 0; i < 9; i++)
        object(i, 4.25, 4000);
    check("half the peak between two levels is interpolated", good && about(seeing(9), width(4000)));
    for (good = 1, k = 3; k <= 6; k++) {
        for (i = 0; i < 9; i++)
            object(i, k + (i % 2 ? 0.01 : -0.01), 4000);
        good = good && about(seeing(9), width(4000));
    }
    check("near a level the width is nearly that of the level", good);
    for (i = 0; i < 30; i++)
        object(i, 5, 3000);
    object(29, 5, 90000);
    c = seeing(30);
    check("one wide object among many changes little", about(c, width(3000)));
    object(29, 5, 300);
    b = seeing(30);
    check("one narrow object among many changes little", about(b, width(3000)));
    for (i = 0; i < 30; i++)
        object(i, 5, 2000 + 100 * i);
    a = seeing(30);
    for (i = 0; i < 30; i++)
        object(i, 5, 2000 + 100 * (29 - i));
    b = seeing(30);
    for (i = 0; i < 30; i++)
        object(i, 5, 2000 + 100 * (i * 7 % 30));
    c = seeing(30);
    check("the order of objects does not matter", a == b && b == c && a > width(2000) && a < width(4900));
    for (i = 0; i < MOST; i++)
        object(i, 5, i < 9 ? 3000 : 40000);
    check("objects behind the number of rows do not count", about(seeing(9), width(3000)));
    check("three objects are enough", about(seeing(3), width(3000)));
    check("without enough objects it is zero", seeing(2) == 0 && seeing(1) == 0);
    check("without rows it is zero", seeing(0) == 0);
    for (i = 0; i < 20; i++)
        object(i, 5, i % 2 ? 3000 : 0);
    good = about(seeing(20), width(3000));
    for (i = 0; i < 4; i++)
        object(i, 5, 0);
    check("objects without an area above the threshold do not count", good && seeing(4) == 0);
    ap.thresh = 2;
    for (i = 0; i < 20; i++)
        object(i, i % 2 ? 5 : 9, 3000);
    good = about(seeing(20), width(3000));
    for (i = 0; i < 6; i++)
        object(i, 9 + i % 2, 3000);
    check("peaks whose half is above all levels do not count", good && seeing(6) == 0);
    for (i = 0; i < 20; i++)
        object(i, 3 + i % 3 * 0.4, 3000 + i);
    memcpy(before[0], ellipt, sizeof ellipt);
    memcpy(before[1], peak, sizeof peak);
    memcpy(levels, table, sizeof table);
    live = plus_live;
    seeing(20);
    check("nothing is left in memory", plus_live == live);
    check("the catalogue stays",
          !memcmp(before[0], ellipt, sizeof ellipt) && !memcmp(before[1], peak, sizeof peak) &&
          !memcmp(levels, table, sizeof table) && ap.thresh == 2);
    check("nothing is written behind the work array", !(code >> 20));
    check("the error code is none", !(code & 0xfffff) && error() == 0);
    return checked();
}
