/* What all plus tests of this package share: lines in TAP, and comparing of expressions. */
#ifndef PLUS_H
#define PLUS_H
#include "ginac.h"
#include <algorithm>
#include <cstdio>
#include <exception>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

static int plus_tests;

static inline void ok(const char *name, bool passed) {
    printf("%sok %d - %s\n", passed ? "" : "not ", ++plus_tests, name);
    fflush(stdout);
}

static inline int plus_end() {
    printf("1..%d\n", plus_tests);
    return 0;
}

/* Whether two expressions have the same value, however they are written. */
static inline bool same(const GiNaC::ex &a, const GiNaC::ex &b) {
    return (a - b).expand().is_zero();
}

template <class F> static bool throws(F call) {
    try {
        call();
    } catch (const std::exception &) {
        return true;
    }
    return false;
}
#endif
