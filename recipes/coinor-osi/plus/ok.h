/* One line for each named test, in TAP. */
#include <math.h>
#include <stdio.h>
#include <string.h>

static int ok_count;

static void ok(const char *name, bool good)
{
    printf("%sok %d - %s\n", good ? "" : "not ", ++ok_count, name);
    fflush(stdout);
}

static int plan()
{
    printf("1..%d\n", ok_count);
    fflush(stdout);
    return 0;
}

static bool near(double a, double b)
{
    return fabs(a - b) <= 1e-9 * (1 + fabs(b));
}
