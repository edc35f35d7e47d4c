/*---
 * tasks: [CD1542D0AEAA744A]
 * tests:
 *   the index of the space before the suffix is returned: 'Docstring: "For FOO BAR and BAR, the returned value is
 *     3".'
 *   the suffix may be of several words: 'Docstring; caller try_decode_PrivateKey: "PRIVATE KEY".'
 *   the suffix must stand at the end: 'Docstring: "ends with".'
 *   the suffix must be preceded by a space: 'Docstring: "preceded by a space".'
 *   only the last space counts: 'Docstring: "the index of that space", the one before the suffix.'
 *   the string may hold the suffix twice: 'Docstring: "ends with".'
 *   the suffix alone does not match: 'Docstring: "preceded by a space".'
 *   a string shorter than the suffix does not match: 'Docstring: "If there is no such suffix in str, return -1".'
 *   case counts: 'PEM names are in upper case (PEM_STRING_*).'
 *   empty strings do not match a word: 'Docstring: "If there is no such suffix in str, return -1".'
 * goals: [engines/attic.o]
 ---*/
#include <openssl/configuration.h>
#undef OPENSSL_NO_DYNAMIC_ENGINE
#include "../../engines/e_loader_attic.c"
#include "testutil.h"

static int example(void)
{
    return TEST_int_eq(check_suffix("FOO BAR", "BAR"), 3)
        && TEST_int_eq(check_suffix("A B", "B"), 1)
        && TEST_int_eq(check_suffix("EC PARAMETERS", "PARAMETERS"), 2);
}

static int several_words(void)
{
    return TEST_int_eq(check_suffix("RSA PRIVATE KEY", "PRIVATE KEY"), 3)
        && TEST_int_eq(check_suffix("EC PRIVATE KEY", "PRIVATE KEY"), 2)
        && TEST_int_eq(check_suffix("RSA PUBLIC KEY", "PRIVATE KEY"), -1);
}

static int at_the_end(void)
{
    return TEST_int_eq(check_suffix("FOO BAR BAZ", "BAR"), -1)
        && TEST_int_eq(check_suffix("FOO BARS", "BAR"), -1)
        && TEST_int_eq(check_suffix("FOO BAR ", "BAR"), -1)
        && TEST_int_eq(check_suffix("BAR FOO", "BAR"), -1)
        && TEST_int_eq(check_suffix("FOO BAZ", "BAR"), -1);
}

static int space(void)
{
    return TEST_int_eq(check_suffix("FOOXBAR", "BAR"), -1)
        && TEST_int_eq(check_suffix("FOOBAR", "BAR"), -1)
        && TEST_int_eq(check_suffix("FOO\tBAR", "BAR"), -1)
        && TEST_int_eq(check_suffix("FOO-BAR", "BAR"), -1)
        && TEST_int_eq(check_suffix("X FOOBAR", "BAR"), -1);
}

static int last_space(void)
{
    return TEST_int_eq(check_suffix("X9.42 DH PARAMETERS", "PARAMETERS"), 8)
        && TEST_int_eq(check_suffix("A  B", "B"), 2)
        && TEST_int_eq(check_suffix("A B C D", "D"), 5);
}

static int twice(void)
{
    return TEST_int_eq(check_suffix("BAR BAR", "BAR"), 3) && TEST_int_eq(check_suffix("X BAR BAR", "BAR"), 5);
}

static int alone(void)
{
    return TEST_int_eq(check_suffix("BAR", "BAR"), -1) && TEST_int_eq(check_suffix("PRIVATE KEY", "PRIVATE KEY"), -1);
}

static int shorter(void)
{
    return TEST_int_eq(check_suffix("AR", "BAR"), -1)
        && TEST_int_eq(check_suffix(" B", "FOO BAR"), -1)
        && TEST_int_eq(check_suffix("KEY", "PRIVATE KEY"), -1)
        /* What stands before the string is none of it. */
        && TEST_int_eq(check_suffix(&" BAR"[2], "BAR"), -1)
        && TEST_int_eq(check_suffix(&"X PRIVATE KEY"[10], "PRIVATE KEY"), -1);
}

static int upper_case(void)
{
    return TEST_int_eq(check_suffix("FOO bar", "BAR"), -1) && TEST_int_eq(check_suffix("FOO BAR", "bar"), -1);
}

static int empty(void)
{
    return TEST_int_eq(check_suffix("", "BAR"), -1) && TEST_int_eq(check_suffix("FOO ", "BAR"), -1);
}

int setup_tests(void)
{
    add_test("the index of the space before the suffix is returned", example);
    add_test("the suffix may be of several words", several_words);
    add_test("the suffix must stand at the end", at_the_end);
    add_test("the suffix must be preceded by a space", space);
    add_test("only the last space counts", last_space);
    add_test("the string may hold the suffix twice", twice);
    add_test("the suffix alone does not match", alone);
    add_test("a string shorter than the suffix does not match", shorter);
    add_test("case counts", upper_case);
    add_test("empty strings do not match a word", empty);
    return 1;
}
