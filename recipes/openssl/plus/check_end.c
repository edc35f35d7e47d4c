/*---
 * tasks: [0EE32A0A9C311AAB]
 * tests:
 *   0 tells that the end matches:
 *     'req.c: prompt_info calls it as of strcmp, "!check_end(type, ...)" for a match; docstring.'
 *   another end is told by another value: 'req.c: prompt_info takes any value but 0 for no match.'
 *   the whole string can be the end: 'Docstring: "the end of a string matches"; the string is its own end.'
 *   a string shorter than the end does not match: 'Docstring: "the end of a string"; it has no such end.'
 *   the last character counts: 'Docstring: "matches ''end''".'
 *   the first character of the end counts: 'Docstring: "matches ''end''".'
 *   the end is not searched before the end: 'Docstring: "the end of a string".'
 *   an end that comes twice matches: 'Docstring: "the end of a string".'
 *   upper and lower case differ:
 *     'req.c: prompt_info calls it as of strcmp, for _min, _max, _default and _value in lower case.'
 *   an empty end matches all: 'Docstring: the end of any string is the empty one.'
 *   an empty string has no other end: 'Docstring: "the end of a string".'
 * flags: ["-ffunction-sections", "-fdata-sections", "-Wl,--gc-sections"]
 * goals: ["apps/openssl-bin-req.o"]
 ---*/
#include "../../apps/req.c"
#include "../testutil.h"

static int matches(const char *str, const char *end)
{
    return TEST_int_eq(check_end(str, end), 0);
}

static int differs(const char *str, const char *end)
{
    return TEST_int_ne(check_end(str, end), 0);
}

static int zero(void)
{
    return matches("commonName_min", "_min") && matches("0.organizationName_default", "_default")
        && matches("countryName_value", "_value") && matches("countryName_max", "_max");
}

static int other(void)
{
    return differs("commonName", "_min") && differs("commonName_max", "_min")
        && differs("countryName_default", "_value");
}

static int whole(void)
{
    return matches("_min", "_min") && matches("x", "x") && matches("commonName", "commonName");
}

static int shorter(void)
{
    return differs("min", "_min") && differs("n", "_min") && differs("alue", "_value");
}

static int last(void)
{
    return differs("colour_mix", "_min") && differs("colour_mi", "_min") && differs("colour_min_", "_min");
}

static int first(void)
{
    return differs("domain-min", "_min") && differs("xxxxmin", "_min") && differs("abcd", "bbcd");
}

static int before(void)
{
    return differs("_minimum", "_min") && differs("a_min_b", "_min") && differs("_min ", "_min");
}

static int twice(void)
{
    return matches("a_min_min", "_min") && matches("_max_max_max", "_max") && matches("aaaa", "aa");
}

static int letter_case(void)
{
    return differs("X_MIN", "_min") && differs("X_Max", "_max") && differs("x_min", "_MIN");
}

static int empty_end(void)
{
    return matches("anything", "") && matches("", "");
}

static int empty_string(void)
{
    return differs("", "_min") && differs("", "x");
}

int setup_tests(void)
{
    add_test("0 tells that the end matches", zero);
    add_test("another end is told by another value", other);
    add_test("the whole string can be the end", whole);
    add_test("a string shorter than the end does not match", shorter);
    add_test("the last character counts", last);
    add_test("the first character of the end counts", first);
    add_test("the end is not searched before the end", before);
    add_test("an end that comes twice matches", twice);
    add_test("upper and lower case differ", letter_case);
    add_test("an empty end matches all", empty_end);
    add_test("an empty string has no other end", empty_string);
    return 1;
}
