/*---
 * tasks: [2EFBDA204288D7E9]
 * tests:
 *   whole numbers: 'Docstring: "Returns 1 if the string could be parsed".'
 *   fractions: 'Docstring: "Returns 1 if the string could be parsed".'
 *   exponents: 'Docstring: "Returns 1 if the string could be parsed".'
 *   signs: 'Docstring: "Returns 1 if the string could be parsed".'
 *   the value has the full precision of a double: 'Docstring: "Convert a string into a double".'
 *   the largest and the smallest doubles: 'Docstring: "a (non-overflowing) double".'
 *   infinities that are spelt out: 'Upstream''s ZADD and ZRANGEBYSCORE: +inf and -inf are valid.'
 *   a negative zero keeps its sign: 'Docstring: "Convert a string into a double"; util.c: d2string writes -0 for it.'
 *   an empty string is refused: 'Docstring: "the string strictly represents a double".'
 *   spaces before the number are refused: 'Docstring: "no spaces or other characters before or after".'
 *   tabs and newlines before the number are refused: 'Docstring: "no spaces or other characters before or after".'
 *   spaces after the number are refused: 'Docstring: "no spaces or other characters before or after".'
 *   other characters after the number are refused: 'Docstring: "no spaces or other characters before or after".'
 *   other characters before the number are refused: 'Docstring: "no spaces or other characters before or after".'
 *   a NUL byte after the number is refused: 'Docstring: "no [...] other characters"; the length is slen.'
 *   a word is refused: 'Docstring: "the string strictly represents a double".'
 *   a half exponent is refused: 'Docstring: "the string strictly represents a double".'
 *   not a number is refused: 'object.c, t_zset.c: a score is never NaN (zslInsert asserts it).'
 *   a positive overflow is refused: 'Docstring: "a (non-overflowing) double, 0 otherwise".'
 *   a negative overflow is refused: 'Docstring: "a (non-overflowing) double, 0 otherwise".'
 *   an earlier ERANGE does not matter: 'Docstring: the result depends on the string.'
 *   an earlier overflow does not matter: 'Docstring: the result depends on the string.'
 *   a refused string does not spoil the next: 'Docstring: the result depends on the string.'
 ---*/
#include "../server.h"
#include "../util.h"
#include "../testhelp.h"
#include <float.h>
#include <math.h>

static int parses(const char *s, double expected) {
    double d = 12345.678;
    return string2d(s, strlen(s), &d) == 1 && d == expected;
}

static int refuses(const char *s, size_t len) {
    double d = 12345.678;
    return string2d(s, len, &d) == 0;
}

#define REFUSES(s) refuses(s, sizeof(s) - 1)

int main(void) {
    double d = 0;
    test_cond("whole numbers", parses("0", 0) && parses("7", 7) && parses("1234567890123", 1234567890123.0));
    test_cond("fractions", parses("3.25", 3.25) && parses(".5", .5) && parses("5.", 5) && parses("007.5", 7.5));
    test_cond("exponents", parses("1e3", 1000) && parses("25E-2", .25) && parses("1.5e+2", 150));
    test_cond("signs", parses("-4.5", -4.5) && parses("+4.5", 4.5) && parses("-1e-1", -.1));
    test_cond("the value has the full precision of a double",
              parses("0.1", .1) && parses("3.141592653589793", 3.141592653589793) &&
              parses("9007199254740993", 9007199254740992.0));
    test_cond("the largest and the smallest doubles",
              parses("1.7976931348623157e308", DBL_MAX) && parses("-1.7976931348623157e308", -DBL_MAX) &&
              parses("2.2250738585072014e-308", DBL_MIN) && parses("4.9406564584124654e-324", 0x1p-1074));
    test_cond("infinities that are spelt out",
              parses("inf", INFINITY) && parses("+inf", INFINITY) && parses("-inf", -INFINITY) &&
              parses("Infinity", INFINITY));
    test_cond("a negative zero keeps its sign", string2d("-0", 2, &d) == 1 && d == 0 && signbit(d));
    test_cond("an empty string is refused", REFUSES(""));
    test_cond("spaces before the number are refused", REFUSES(" 1") && REFUSES("  -2.5"));
    test_cond("tabs and newlines before the number are refused",
              REFUSES("\t1") && REFUSES("\n1") && REFUSES("\v1") && REFUSES("\f1") && REFUSES("\r1"));
    test_cond("spaces after the number are refused", REFUSES("1 ") && REFUSES("2.5\n") && REFUSES("1\t"));
    test_cond("other characters after the number are refused",
              REFUSES("1a") && REFUSES("1,5") && REFUSES("1.5.2") && REFUSES("1-") && REFUSES("3 4"));
    test_cond("other characters before the number are refused", REFUSES("a1") && REFUSES("(1") && REFUSES("--1"));
    test_cond("a NUL byte after the number is refused", REFUSES("1\0") && REFUSES("1\0002"));
    test_cond("a word is refused", REFUSES("foo") && REFUSES(".") && REFUSES("-") && REFUSES("infi"));
    test_cond("a half exponent is refused", REFUSES("1e") && REFUSES("1e+") && REFUSES("e5"));
    test_cond("not a number is refused", REFUSES("nan") && REFUSES("-nan") && REFUSES("NaN"));
    test_cond("a positive overflow is refused", REFUSES("1e400") && REFUSES("1.8e308"));
    test_cond("a negative overflow is refused", REFUSES("-1e400") && REFUSES("-1.8e308"));
    errno = ERANGE;
    int zero = parses("0", 0);
    errno = ERANGE;
    int infinite = parses("inf", INFINITY);
    errno = ERANGE;
    test_cond("an earlier ERANGE does not matter", zero && infinite && parses("-inf", -INFINITY));
    REFUSES("1e999");
    test_cond("an earlier overflow does not matter", parses("inf", INFINITY));
    REFUSES("abc");
    test_cond("a refused string does not spoil the next", parses("2", 2));
    test_report();
    return 0;
}
