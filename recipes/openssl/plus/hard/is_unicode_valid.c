/*---
 * tasks: [UTF8_putc-5e7f82.16]
 * tests:
 *   a character is valid: 'a_mbstr.c: out_utf8 and type_str ask it what UTF-8 can hold; RFC 3629, 3.'
 *   a surrogate is not valid: 'unicode.h: SURROGATE_MIN, SURROGATE_MAX; RFC 3629, 3.'
 *   0x10FFFF is the last valid value: 'unicode.h: UNICODE_MAX; RFC 3629, 3.'
 *   all of a large value counts: 'Signature: unsigned long value; a_mbstr.c: a UniversalString has any 32 bits.'
 ---*/
#include "internal/e_os.h"
#include "internal/unicode.h"
#include "../testutil.h"

static int all_are(unsigned long first, unsigned long last, int valid)
{
    unsigned long value;

    for (value = first; value <= last; value++)
        if (!TEST_int_eq(is_unicode_valid(value) != 0, valid))
            return 0;
    return 1;
}

static int character(void)
{
    return all_are(0, 0xd7ff, 1) && all_are(0xe000, 0xffff, 1) && all_are(0x10000, 0x10ffff, 1);
}

static int surrogate(void)
{
    return all_are(0xd800, 0xdfff, 0);
}

static int last(void)
{
    return all_are(0x10fffe, 0x10ffff, 1) && all_are(0x110000, 0x120000, 0);
}

static int large(void)
{
    unsigned long high;

    for (high = 0x200000; high != 0; high <<= 1)
        if (!TEST_false(is_unicode_valid(high)) || !TEST_false(is_unicode_valid(high + 0x41)))
            return 0;
    return TEST_false(is_unicode_valid((unsigned long)-1))
        && TEST_false(is_unicode_valid(0xffffffffUL))
        && TEST_false(is_unicode_valid(0x80000041UL)) && TEST_false(is_unicode_valid(0x110041UL));
}

int setup_tests(void)
{
    add_test("a character is valid", character);
    add_test("a surrogate is not valid", surrogate);
    add_test("0x10FFFF is the last valid value", last);
    add_test("all of a large value counts", large);
    return 1;
}
