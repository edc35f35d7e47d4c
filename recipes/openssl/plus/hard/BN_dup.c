/*---
 * tasks: [bn_mul_part_recursive-2b09d3.16]
 * tests:
 *   a new number has the value and the sign: 'BN_copy.pod: "creates a new BIGNUM containing the value from".'
 *   NULL gives NULL: 'Callers give it what may be NULL: rsa_lib.c, ec_lib.c; "NULL on error".'
 *   zero is copied: 'README.pod: "When a BIGNUM is 0, the d field can be NULL".'
 *   the two are apart: 'BN_copy.pod: "a new BIGNUM".'
 *   the source stays: 'const BIGNUM *a.'
 *   a secure number gives a secure one: 'BN_new.pod: BN_secure_new; secrets are to stay in secure memory.'
 *   another number gives no secure one: 'BN_new.pod: BN_new and BN_secure_new.'
 *   a constant number can be copied: 'bn.h: BN_value_one; "a new BIGNUM" that BN_free frees.'
 *   a number that is constant in time is copied: 'bn_lib.c: BN_num_bits, such numbers have more room than words.'
 *   refused memory gives NULL and no leak: 'BN_copy.pod: "BN_dup() returns the new BIGNUM, and NULL on error".'
 *   nothing is leaked or freed twice: 'BN_copy.pod: "a new BIGNUM"; the caller frees it.'
 ---*/
#include "pa_bignum.h"

static const BN_ULONG words[] = {7, 8, 9, 10, 11, 12, 13, 14, 15, 16};

static int dups(int flags, int top, int room, int neg)
{
    BIGNUM *from = plus_number(words, top, room, neg), *to;
    int ok;

    from->flags |= flags;
    to = BN_dup(from);
    ok = TEST_ptr_ne(to, from) && plus_is(to, words, top, neg) && plus_is(from, words, top, neg)
        && TEST_int_eq(from->dmax, room) && TEST_int_eq(from->flags, BN_FLG_MALLOCED | flags)
        && TEST_int_eq(to->flags & (BN_FLG_MALLOCED | BN_FLG_STATIC_DATA), BN_FLG_MALLOCED);
    if (ok) {
        BN_free(from);
        ok = plus_is(to, words, top, neg);
        BN_free(to);
    }
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int value(void)
{
    int top;

    for (top = 1; top <= 10; top++)
        if (!dups(0, top, top, 0) || !dups(0, top, 10, 1))
            return 0;
    return 1;
}

static int null(void)
{
    return TEST_ptr_null(BN_dup(NULL));
}

static int zero(void)
{
    return dups(0, 0, 0, 0) && dups(0, 0, 5, 0) && dups(BN_FLG_CONSTTIME, 0, 0, 0)
        && dups(BN_FLG_CONSTTIME, 0, 5, 0);
}

static int apart(void)
{
    BIGNUM *from = plus_number(words, 5, 5, 0), *to = BN_dup(from);
    int ok = TEST_ptr(to) && TEST_ptr_ne(to, from) && TEST_ptr_ne(to->d, from->d);

    if (ok) {
        memset(from->d, 0x33, 5 * sizeof(BN_ULONG));
        from->neg = 1;
        ok = plus_is(to, words, 5, 0);
        BN_free(to);
    }
    BN_free(from);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int stays(void)
{
    return dups(0, 3, 5, 1) && dups(BN_FLG_CONSTTIME, 3, 5, 0);
}

static int secure(void)
{
    BIGNUM *from, *to;
    int ok;

    if (!TEST_int_ge(CRYPTO_secure_malloc_init(65536, 16), 1))
        return 0;
    from = BN_secure_new();
    ok = TEST_ptr(bn_expand2(from, 3));
    memcpy(from->d, words, 3 * sizeof(*words));
    from->top = 3;
    from->neg = 1;
    to = BN_dup(from);
    ok = ok && plus_is(to, words, 3, 1) && TEST_true(CRYPTO_secure_allocated(to->d))
        && TEST_int_eq(to->flags & BN_FLG_SECURE, BN_FLG_SECURE);
    BN_free(from);
    BN_free(to);
    return ok && TEST_size_t_eq(CRYPTO_secure_used(), 0)
        && TEST_int_eq(CRYPTO_secure_malloc_done(), 1) && TEST_long_eq(memory_bad_frees, 0);
}

static int not_secure(void)
{
    BIGNUM *from = plus_number(words, 3, 3, 0), *to = BN_dup(from);
    int ok = plus_is(to, words, 3, 0) && TEST_int_eq(to->flags & BN_FLG_SECURE, 0);

    BN_free(from);
    BN_free(to);
    return ok;
}

static int constant(void)
{
    static const BN_ULONG one[] = {1};
    BIGNUM *to = BN_dup(BN_value_one());
    int ok = TEST_ptr_ne(to, BN_value_one()) && plus_is(to, one, 1, 0)
        && TEST_int_eq(to->flags & (BN_FLG_MALLOCED | BN_FLG_STATIC_DATA), BN_FLG_MALLOCED)
        && TEST_ptr_eq(bn_expand2(to, 9), to) && plus_is(to, one, 1, 0);

    if (ok)
        BN_free(to);
    return ok && TEST_true(BN_is_one(BN_value_one())) && TEST_long_eq(memory_bad_frees, 0);
}

static int constant_time(void)
{
    int top;

    for (top = 1; top <= 10; top++)
        if (!dups(BN_FLG_CONSTTIME, top, top, 0) || !dups(BN_FLG_CONSTTIME, top, 10, 1))
            return 0;
    return 1;
}

static int refused(void)
{
    BIGNUM *from = plus_number(words, 5, 5, 1), *to;
    int i, failed = 0, ok = 1;

    for (i = 0; i < 6 && ok; i++) {
        long blocks;

        ERR_clear_error();
        OPENSSL_thread_stop();
        blocks = memory_blocks;
        plus_refuse(i);
        to = BN_dup(from);
        plus_refuse(-1);
        failed += to == NULL;
        ok = (to == NULL || plus_is(to, words, 5, 1)) && plus_is(from, words, 5, 1);
        BN_free(to);
        ERR_clear_error();
        OPENSSL_thread_stop();
        ok = ok && (i == 0 || TEST_long_eq(memory_blocks, blocks));
    }
    BN_free(from);
    return ok && TEST_int_ge(failed, 4) && TEST_long_eq(memory_bad_frees, 0);
}

static int no_leak(void)
{
    long blocks = memory_blocks;

    return value() && zero() && constant() && constant_time()
        && TEST_long_eq(memory_blocks, blocks) && TEST_long_eq(memory_bad_frees, 0);
}

int setup_tests(void)
{
    add_test("a new number has the value and the sign", value);
    add_test("zero is copied", zero);
    add_test("the two are apart", apart);
    add_test("the source stays", stays);
    add_test("a secure number gives a secure one", secure);
    add_test("another number gives no secure one", not_secure);
    add_test("a constant number can be copied", constant);
    add_test("a number that is constant in time is copied", constant_time);
    add_test("refused memory gives NULL and no leak", refused);
    add_test("nothing is leaked or freed twice", no_leak);
    add_test("NULL gives NULL", null);
    return 1;
}
