/*---
 * tasks: [UTF8_putc-5e7f82.16]
 * tests:
 *   the values from 0xD800 to 0xDFFF are surrogates: 'unicode.h: SURROGATE_MIN, SURROGATE_MAX; RFC 3629, 3.'
 *   a value below is none: 'unicode.h: SURROGATE_MIN.'
 *   a value above is none: 'unicode.h: SURROGATE_MAX.'
 *   all of a large value counts: 'Signature: unsigned long value.'
 ---*/
#include "internal/e_os.h"
#include "internal/unicode.h"
#include "../testutil.h"

static int inside(void)
{
    unsigned long value;

    for (value = 0xd800; value <= 0xdfff; value++)
        if (!TEST_true(is_unicode_surrogate(value)))
            return 0;
    return 1;
}

static int none(unsigned long first, unsigned long last)
{
    unsigned long value;

    for (value = first; value <= last; value++)
        if (!TEST_false(is_unicode_surrogate(value)))
            return 0;
    return 1;
}

static int below(void)
{
    return none(0, 0xd7ff);
}

static int above(void)
{
    return none(0xe000, 0x10ffff);
}

static int large(void)
{
    unsigned long high = 1;

    for (high = 0x10000; high != 0; high <<= 1)
        if (!TEST_false(is_unicode_surrogate(high + 0xd800))
                || !TEST_false(is_unicode_surrogate(high + 0xdfff)))
            return 0;
    return TEST_false(is_unicode_surrogate((unsigned long)-1))
        && TEST_false(is_unicode_surrogate((unsigned long)-0x2800))
        && TEST_false(is_unicode_surrogate((unsigned long)-0x2001));
}

int setup_tests(void)
{
    add_test("the values from 0xD800 to 0xDFFF are surrogates", inside);
    add_test("a value below is none", below);
    add_test("a value above is none", above);
    add_test("all of a large value counts", large);
    return 1;
}
