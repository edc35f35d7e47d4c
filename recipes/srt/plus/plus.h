/* What all plus tests of this package share: one line in TAP for each named test. */
#ifndef PLUS_H
#define PLUS_H
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

static int plus_tests;

static inline void ok(const char *name, bool passed)
{
    printf("%sok %d - %s\n", passed ? "" : "not ", ++plus_tests, name);
    fflush(stdout);
}

/* To be returned by main. */
static inline int plus_end()
{
    printf("1..%d\n", plus_tests);
    fflush(stdout);
    return 0;
}
#endif
