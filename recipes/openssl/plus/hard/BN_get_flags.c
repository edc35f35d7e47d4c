/*---
 * tasks: [bn_mul_part_recursive-2b09d3.16]
 * tests:
 *   a flag that is set is given: 'README.pod: "fetch flag(s) n from BIGNUM structure b"; param_build.c compares.'
 *   a flag that is not set is not given: 'README.pod: "fetch flag(s) n".'
 *   of several flags those that are set are given: 'README.pod: "fetch flag(s) n".'
 *   none asked for, none given: 'README.pod: "fetch flag(s) n".'
 *   the number stays: 'const BIGNUM *b.'
 ---*/
#include "pa_bignum.h"

static const int all[] = {BN_FLG_MALLOCED, BN_FLG_STATIC_DATA, BN_FLG_CONSTTIME, BN_FLG_SECURE};

static int asks(int flags, int asked, int given)
{
    BIGNUM a, before;

    memset(&a, 0, sizeof(a));
    a.flags = flags;
    before = a;
    return TEST_int_eq(BN_get_flags(&a, asked), given)
        && TEST_mem_eq(&a, sizeof(a), &before, sizeof(before));
}

static int set(void)
{
    int i;

    for (i = 0; i < 4; i++)
        if (!asks(all[i], all[i], all[i]) || !asks(15, all[i], all[i]))
            return 0;
    return TEST_int_eq(BN_get_flags(BN_value_one(), BN_FLG_STATIC_DATA), BN_FLG_STATIC_DATA);
}

static int not_set(void)
{
    int i;

    for (i = 0; i < 4; i++)
        if (!asks(0, all[i], 0) || !asks(15 & ~all[i], all[i], 0))
            return 0;
    return TEST_int_eq(BN_get_flags(BN_value_one(), BN_FLG_MALLOCED), 0);
}

static int several(void)
{
    int flags, asked;

    for (flags = 0; flags < 16; flags++)
        for (asked = 0; asked < 16; asked++)
            if (!asks(flags, asked, flags & asked))
                return 0;
    return asks(BN_FLG_CONSTTIME | 0x8000, 0x8000 | BN_FLG_SECURE, 0x8000);
}

static int none(void)
{
    return asks(15, 0, 0) && asks(0, 0, 0);
}

static int stays(void)
{
    static const BN_ULONG words[] = {1, 2};
    BIGNUM *a = plus_number(words, 2, 3, 1);
    int ok = TEST_int_eq(BN_get_flags(a, BN_FLG_MALLOCED), BN_FLG_MALLOCED)
        && TEST_int_eq(BN_get_flags(a, BN_FLG_SECURE), 0)
        && plus_is(a, words, 2, 1) && TEST_int_eq(a->flags, BN_FLG_MALLOCED);

    BN_free(a);
    return ok;
}

int setup_tests(void)
{
    add_test("a flag that is set is given", set);
    add_test("a flag that is not set is not given", not_set);
    add_test("of several flags those that are set are given", several);
    add_test("none asked for, none given", none);
    add_test("the number stays", stays);
    return 1;
}
