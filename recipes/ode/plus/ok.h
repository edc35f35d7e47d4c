/* One line for each named test, in TAP, and what several tests of the library need. */
#include <math.h>
#include <stdio.h>
#include <string.h>

static int ok_count;

static void ok(const char *name, bool good)
{
    printf("%sok %d - %s\n", good ? "" : "not ", ++ok_count, name);
    fflush(stdout);
}

static void plan()
{
    printf("1..%d\n", ok_count);
    fflush(stdout);
}

static bool near(double a, double b, double by = 1e-5)
{
    return fabs(a - b) <= by;
}

template<class V>
static bool is3(const V *v, double x, double y, double z, double by = 1e-5)
{
    return near(v[0], x, by) && near(v[1], y, by) && near(v[2], z, by);
}
