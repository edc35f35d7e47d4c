/*---
 * tasks: [bn_mul_part_recursive-2b09d3.16]
 * tests:
 *   there is room for so many words: 'README.pod: "ensures that b has enough space for an n word number".'
 *   the number is given back: 'README.pod: "They return NULL on error, b otherwise".'
 *   the value stays: 'README.pod: "allocates a new d array and copies the data".'
 *   where there is room nothing is done: 'README.pod: "If the number has to be expanded"; bn_exp.c keeps d.'
 *   no words and fewer than none need nothing: 'BN_copy of zero: 0 words; any room is enough.'
 *   the new words are zero: 'bn_lib.c: bn_expand2, "initialises any unused part of b->d with leading zeros".'
 *   a number of fixed words is not expanded: 'bn_lib.c: BN_R_EXPAND_ON_STATIC_BIGNUM_DATA; NULL on error.'
 *   too many words are refused: 'bn_lib.c: BN_R_BIGNUM_TOO_LONG; README.pod: "NULL on error".'
 *   refused memory gives NULL and leaves the number: 'README.pod: "They return NULL on error".'
 *   the old words are freed: 'README.pod: "allocates a new d array"; BN_free frees one.'
 *   a secure number stays in secure memory: 'BN_new.pod: BN_secure_new, "allocated on the secure heap".'
 ---*/
#include "pa_bignum.h"

static const BN_ULONG words[] = {7, 8, 9, 10, 11};

static int expands(int top, int room, int neg, int wanted)
{
    BIGNUM *a = plus_number(words, top, room, neg);
    int flags = a->flags, ok = TEST_ptr_eq(bn_wexpand(a, wanted), a) && TEST_int_ge(a->dmax, wanted)
        && TEST_int_ge(a->dmax, room) && plus_is(a, words, top, neg)
        && TEST_int_eq(a->flags, flags);

    /* All that room is there. */
    if (ok && wanted > 0)
        memset(a->d + top, 0x55, (a->dmax - top) * sizeof(BN_ULONG));
    BN_free(a);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int room(void)
{
    int there, wanted;

    for (there = 0; there <= 5; there++)
        for (wanted = 0; wanted <= 40; wanted++)
            if (!expands(there, there, 0, wanted))
                return 0;
    return expands(0, 0, 0, 10000) && expands(3, 5, 0, 1000);
}

static int given_back(void)
{
    return expands(2, 2, 0, 2) && expands(2, 2, 0, 3) && expands(2, 2, 0, 1);
}

static int value(void)
{
    return expands(5, 5, 1, 6) && expands(5, 5, 0, 64) && expands(1, 5, 1, 6)
        && expands(0, 5, 0, 9);
}

static int nothing(void)
{
    int top, wanted, ok = 1;

    for (top = 0; top <= 5; top++)
        for (wanted = 1; wanted <= 5 && ok; wanted++) {
            BIGNUM *a = plus_number(words, top, 5, 0);
            BN_ULONG *d = a->d;
            long blocks = memory_blocks;

            plus_refuse(0);
            ok = TEST_ptr_eq(bn_wexpand(a, wanted), a);
            plus_refuse(-1);
            ok = ok && TEST_ptr_eq(a->d, d) && TEST_int_eq(a->dmax, 5)
                && plus_is(a, words, top, 0) && TEST_long_eq(memory_blocks, blocks);
            BN_free(a);
        }
    return ok;
}

static int none(void)
{
    BIGNUM *a = BN_new();
    int ok = TEST_ptr_eq(bn_wexpand(a, 0), a) && TEST_ptr_eq(bn_wexpand(a, -1), a)
        && plus_is(a, words, 0, 0);

    BN_free(a);
    return ok && expands(3, 3, 1, 0) && expands(3, 3, 1, -1) && expands(3, 3, 0, -100000);
}

static int zero_words(void)
{
    int top, i, ok = 1;

    for (top = 0; top <= 5 && ok; top++) {
        BIGNUM *a = plus_number(words, top, 5, 0);

        ok = TEST_ptr(bn_wexpand(a, 12));
        for (i = top; i < 12 && ok; i++)
            ok = TEST_true(a->d[i] == 0);
        BN_free(a);
    }
    return ok;
}

static int fixed(void)
{
    BN_ULONG own[3] = {1, 2, 3};
    BIGNUM a = {own, 3, 3, 1, BN_FLG_STATIC_DATA};
    int ok = TEST_ptr_null(bn_wexpand(&a, 4)) && TEST_ptr_eq(a.d, own) && TEST_int_eq(a.dmax, 3)
        && TEST_int_eq(a.top, 3) && TEST_int_eq(a.neg, 1)
        && TEST_ptr_eq(bn_wexpand(&a, 3), &a) && TEST_ptr_eq(a.d, own);

    ERR_clear_error();
    return ok;
}

static int too_many(void)
{
    BIGNUM *a = plus_number(words, 5, 5, 1);
    int ok = TEST_ptr_null(bn_wexpand(a, INT_MAX)) && TEST_ptr_null(bn_wexpand(a, INT_MAX / 64))
        && plus_is(a, words, 5, 1) && TEST_int_eq(a->dmax, 5);

    BN_free(a);
    ERR_clear_error();
    return ok;
}

static int refused(void)
{
    int i, ok = 1;

    for (i = 0; i < 2 && ok; i++) {
        BIGNUM *a = plus_number(words, 5, 5, 1);
        BN_ULONG *d = a->d;

        plus_refuse(i);
        ok = TEST_ptr_null(bn_wexpand(a, 6));
        plus_refuse(-1);
        ok = ok && plus_is(a, words, 5, 1) && TEST_ptr_eq(a->d, d) && TEST_int_eq(a->dmax, 5)
            && TEST_ptr_eq(bn_wexpand(a, 6), a) && plus_is(a, words, 5, 1);
        BN_free(a);
        ERR_clear_error();
    }
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int freed(void)
{
    BIGNUM *a = plus_number(words, 5, 5, 0);
    long blocks = memory_blocks;
    int i, ok = 1;

    for (i = 1; i < 50 && ok; i++)
        ok = TEST_ptr(bn_wexpand(a, i)) && TEST_long_eq(memory_blocks, blocks);
    BN_free(a);
    return ok && TEST_long_eq(memory_blocks, blocks - 2) && TEST_long_eq(memory_bad_frees, 0);
}

static int secure(void)
{
    BIGNUM *a;
    int ok;

    if (!TEST_int_ge(CRYPTO_secure_malloc_init(65536, 16), 1))
        return 0;
    a = BN_secure_new();
    ok = TEST_ptr_eq(bn_wexpand(a, 3), a) && TEST_true(CRYPTO_secure_allocated(a->d));
    if (ok) {
        memcpy(a->d, words, 3 * sizeof(*words));
        a->top = 3;
        ok = TEST_ptr_eq(bn_wexpand(a, 30), a) && TEST_true(CRYPTO_secure_allocated(a->d))
            && plus_is(a, words, 3, 0);
    }
    BN_free(a);
    return ok && TEST_size_t_eq(CRYPTO_secure_used(), 0)
        && TEST_int_eq(CRYPTO_secure_malloc_done(), 1)
        && TEST_long_eq(memory_bad_frees, 0);
}

int setup_tests(void)
{
    add_test("there is room for so many words", room);
    add_test("the number is given back", given_back);
    add_test("the value stays", value);
    add_test("where there is room nothing is done", nothing);
    add_test("no words and fewer than none need nothing", none);
    add_test("the new words are zero", zero_words);
    add_test("a number of fixed words is not expanded", fixed);
    add_test("too many words are refused", too_many);
    add_test("refused memory gives NULL and leaves the number", refused);
    add_test("the old words are freed", freed);
    add_test("a secure number stays in secure memory", secure);
    return 1;
}
