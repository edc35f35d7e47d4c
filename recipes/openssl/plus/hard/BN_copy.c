/*---
 * tasks: [bn_mul_part_recursive-2b09d3.16]
 * tests:
 *   the value and the sign are copied: 'BN_copy.pod: "BN_copy() copies from to to".'
 *   the target is given back: 'BN_copy.pod: "BN_copy() returns to on success".'
 *   what the target was before is gone: 'BN_copy.pod: "copies from to to".'
 *   the source stays: 'const BIGNUM *b.'
 *   the two are apart afterwards: 'BN_copy.pod: a copy; README.pod: each has its d.'
 *   a number can be copied to itself: 'BN_copy.pod: "copies from to to"; bn_gcd.c: BN_gcd, r may be a.'
 *   zero is copied: 'README.pod: "When a BIGNUM is 0, the d field can be NULL".'
 *   a target with more room keeps it: 'README.pod: bn_wexpand, "If the number has to be expanded".'
 *   a number that is constant in time is copied: 'bn_lib.c: BN_num_bits, such numbers have more room than words.'
 *   flags of memory and time are of the target:
 *     'BN_consttime_swap: BN_FLG_SECURE "determines how x->d was allocated and hence how to free it".
 *      ec_key.c: "BN_dup() (and BN_copy()) do not propagate the BN_FLG_CONSTTIME flag".'
 *   a constant number is a source: 'bn.h: BN_value_one.'
 *   a target of fixed words refuses more: 'BN_copy.pod: "NULL on error"; BN_FLG_STATIC_DATA.'
 *   refused memory gives NULL: 'BN_copy.pod: "NULL on error".'
 *   nothing is leaked or freed twice: 'BN_copy.pod: both are of the caller.'
 ---*/
#include "pa_bignum.h"

static const BN_ULONG words[] = {7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
static const BN_ULONG others[] = {107, 108, 109, 110, 111, 112, 113, 114, 115, 116};

/* Copies a number of these words, and this room, to such a one. */
static int copies_with(int flags, int top, int room, int neg, int top2, int room2, int neg2)
{
    BIGNUM *from = plus_number(words, top, room, neg), *to = plus_number(others, top2, room2, neg2);
    BN_ULONG *d = from->d;
    int i, ok;

    from->flags |= flags;
    ok = TEST_ptr_eq(BN_copy(to, from), to) && plus_is(to, words, top, neg)
        && plus_is(from, words, top, neg) && TEST_ptr_eq(from->d, d)
        && TEST_int_eq(from->dmax, room) && TEST_int_eq(from->flags, BN_FLG_MALLOCED | flags)
        && TEST_int_eq(to->flags, BN_FLG_MALLOCED);
    for (i = top; i < room && ok; i++)
        ok = TEST_true(from->d[i] == PLUS_RUBBISH);
    if (!ok)
        TEST_info("%d of %d to %d of %d", top, room, top2, room2);
    BN_free(from);
    ok = ok && plus_is(to, words, top, neg);
    BN_free(to);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int copies(int top, int room, int neg, int top2, int room2, int neg2)
{
    return copies_with(0, top, room, neg, top2, room2, neg2);
}

static int value(void)
{
    int top;

    for (top = 1; top <= 10; top++)
        if (!copies(top, 10, 0, 0, 0, 0) || !copies(top, top, 1, 0, 0, 0))
            return 0;
    return 1;
}

static int given_back(void)
{
    return copies(3, 3, 0, 3, 3, 0) && copies(3, 3, 0, 0, 0, 0) && copies(0, 0, 0, 3, 3, 0);
}

static int before(void)
{
    int top, top2;

    for (top = 1; top <= 10; top++)
        for (top2 = 0; top2 <= 10; top2++)
            if (!copies(top, top, 0, top2, top2, top2 > 0) || !copies(top, top, 1, top2, 10, 0))
                return 0;
    return 1;
}

static int source_stays(void)
{
    return copies(3, 7, 1, 2, 2, 0) && copies(7, 7, 0, 9, 9, 1) && copies(1, 10, 0, 0, 0, 0);
}

static int apart(void)
{
    BIGNUM *from = plus_number(words, 5, 5, 0), *to = BN_new();
    int ok = TEST_ptr(BN_copy(to, from)) && TEST_ptr_ne(to->d, from->d);

    if (ok) {
        memset(from->d, 0x33, 5 * sizeof(BN_ULONG));
        from->neg = 1;
        ok = plus_is(to, words, 5, 0);
        memcpy(from->d, others, 5 * sizeof(BN_ULONG));
        memset(to->d, 0x44, 5 * sizeof(BN_ULONG));
        ok = ok && plus_is(from, others, 5, 1);
    }
    BN_free(from);
    BN_free(to);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int itself(void)
{
    int top, ok = 1;

    for (top = 0; top <= 5 && ok; top++) {
        BIGNUM *a = plus_number(words, top, 6, top > 0);

        ok = TEST_ptr_eq(BN_copy(a, a), a) && plus_is(a, words, top, top > 0)
            && TEST_int_eq(a->flags, BN_FLG_MALLOCED);
        a->flags |= BN_FLG_CONSTTIME;
        ok = ok && TEST_ptr_eq(BN_copy(a, a), a) && plus_is(a, words, top, top > 0)
            && TEST_int_eq(a->flags, BN_FLG_MALLOCED | BN_FLG_CONSTTIME);
        BN_free(a);
    }
    return ok && TEST_ptr_eq(BN_copy((BIGNUM *)BN_value_one(), BN_value_one()), BN_value_one());
}

static int zero(void)
{
    return copies(0, 0, 0, 0, 0, 0) && copies(0, 4, 0, 0, 0, 0) && copies(0, 0, 0, 3, 3, 1)
        && copies(0, 4, 0, 5, 5, 1) && copies_with(BN_FLG_CONSTTIME, 0, 4, 0, 5, 5, 1)
        && copies_with(BN_FLG_CONSTTIME, 0, 0, 0, 0, 0, 0);
}

static int keeps_room(void)
{
    BIGNUM *from = plus_number(words, 2, 2, 0), *to = plus_number(others, 9, 10, 1);
    int ok = TEST_ptr_eq(BN_copy(to, from), to) && plus_is(to, words, 2, 0)
        && TEST_int_ge(to->dmax, 10);

    BN_free(from);
    BN_free(to);
    return ok;
}

static int constant_time(void)
{
    int top, top2;

    for (top = 0; top <= 5; top++)
        for (top2 = 0; top2 <= 8; top2 += 2)
            if (!copies_with(BN_FLG_CONSTTIME, top, 10, top > 0, top2, top2, 0)
                    || !copies_with(BN_FLG_CONSTTIME, top, top, 0, top2, 10, top2 > 0))
                return 0;
    return 1;
}

static int flags(void)
{
    BN_ULONG own[6] = {1};
    BIGNUM *from = plus_number(words, 3, 3, 0), to = {own, 1, 6, 1, BN_FLG_STATIC_DATA};
    int ok = TEST_ptr_eq(BN_copy(&to, from), &to) && TEST_int_eq(to.flags, BN_FLG_STATIC_DATA)
        && plus_is(&to, words, 3, 0);

    to.flags = BN_FLG_CONSTTIME | BN_FLG_STATIC_DATA;
    from->flags = BN_FLG_MALLOCED | BN_FLG_SECURE;
    ok = ok && TEST_ptr_eq(BN_copy(&to, from), &to)
        && TEST_int_eq(to.flags, BN_FLG_CONSTTIME | BN_FLG_STATIC_DATA);
    from->flags = BN_FLG_MALLOCED;
    BN_free(from);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int constant(void)
{
    static const BN_ULONG one[] = {1};
    BIGNUM *to = plus_number(others, 3, 3, 1);
    int ok = TEST_ptr_eq(BN_copy(to, BN_value_one()), to) && plus_is(to, one, 1, 0)
        && TEST_int_eq(to->flags, BN_FLG_MALLOCED) && TEST_true(BN_is_one(BN_value_one()));

    BN_free(to);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int fixed(void)
{
    BN_ULONG own[2] = {1, 2};
    BIGNUM *from = plus_number(words, 3, 3, 0), to = {own, 2, 2, 0, BN_FLG_STATIC_DATA};
    int ok = TEST_ptr_null(BN_copy(&to, from)) && TEST_ptr_eq(to.d, own);

    BN_free(from);
    ERR_clear_error();
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int refused(void)
{
    int i, ok = 1;

    for (i = 0; i < 2 && ok; i++) {
        BIGNUM *from = plus_number(words, 5, 5, 1), *to = plus_number(others, 2, 2, 0);

        plus_refuse(i);
        ok = TEST_ptr_null(BN_copy(to, from));
        plus_refuse(-1);
        ok = ok && plus_is(from, words, 5, 1) && TEST_ptr_eq(BN_copy(to, from), to)
            && plus_is(to, words, 5, 1);
        BN_free(from);
        BN_free(to);
        ERR_clear_error();
    }
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int no_leak(void)
{
    long blocks = memory_blocks;

    return copies(5, 5, 1, 0, 0, 0) && copies(5, 5, 0, 2, 2, 0) && copies(2, 2, 0, 5, 5, 1)
        && itself() && zero() && constant_time() && TEST_long_eq(memory_blocks, blocks)
        && TEST_long_eq(memory_bad_frees, 0);
}

int setup_tests(void)
{
    add_test("the value and the sign are copied", value);
    add_test("the target is given back", given_back);
    add_test("what the target was before is gone", before);
    add_test("the source stays", source_stays);
    add_test("the two are apart afterwards", apart);
    add_test("a number can be copied to itself", itself);
    add_test("zero is copied", zero);
    add_test("a target with more room keeps it", keeps_room);
    add_test("a number that is constant in time is copied", constant_time);
    add_test("flags of memory and time are of the target", flags);
    add_test("a constant number is a source", constant);
    add_test("a target of fixed words refuses more", fixed);
    add_test("refused memory gives NULL", refused);
    add_test("nothing is leaked or freed twice", no_leak);
    return 1;
}
