/*---
 * tasks: [bn_mul_part_recursive-2b09d3.16, bn_mul_part_recursive-2b09d3.2, bn_mul_part_recursive-2b09d3.4, bn_mul_part_recursive-2b09d3.8]
 * tests:
 *   short numbers are multiplied: 'bn_mul.c: BN_mul gives this product; BN_add.pod: "BN_mul() multiplies a and b".'
 *   numbers of about one length are multiplied: 'BN_add.pod: "multiplies a and b and places the result in r (r=a*b)".'
 *   numbers of other lengths are multiplied: 'BN_add.pod: r=a*b.'
 *   carries go to the end: 'Arithmetic: (B^m-1)(B^k-1).'
 *   all words of both count: 'crypto/bn.h: "not processed with bn_correct_top"; bn_mont.c: zero-padded numbers.'
 *   zero gives zero without a sign: 'bn_local.h: bn_check_top, top 0 and not neg.'
 *   the sign is that of the product: 'Arithmetic.'
 *   the result can be an operand: 'BN_add.pod: "r may be the same BIGNUM as a or b".'
 *   the operands stay: 'const BIGNUM *a, const BIGNUM *b.'
 *   what the result was before is gone: 'BN_add.pod: "places the result in r".'
 *   the context is left as it was: 'BN_CTX_start.pod: each start has its end.'
 *   other numbers of the context stay: 'BN_CTX_start.pod: "numbers ... until BN_CTX_end()".'
 *   refused memory gives 0: 'BN_add.pod: "1 is returned for success, 0 on error".'
 *   nothing is leaked or freed twice: 'BN_mul gives 0 on and leaves all to the caller.'
 ---*/
#include "pa_bignum.h"
#include "pa_words.h"

static BN_ULONG a[WORDS_MAX], b[WORDS_MAX], right[WORDS_MAX];

static int product(BIGNUM *r, const BIGNUM *x, int nx, const BIGNUM *y, int ny, int neg, BN_CTX *c)
{
    words_mul(right, x->d, nx, y->d, ny);
    return TEST_int_eq(bn_mul_fixed_top(r, x, y, c), 1) && plus_is(r, right, nx + ny, neg);
}

/* Does it multiply numbers of these lengths, apart and into each operand? */
static int multiplies(int na, int nb, int kind_a, int kind_b, int into)
{
    BN_CTX *ctx = BN_CTX_new();
    BIGNUM *x, *y, *r = BN_new();
    int ok, neg = (kind_a + kind_b) % 2;

    words_fill(a, na, na / 2, kind_a);
    words_fill(b, nb, nb / 2, kind_b);
    x = plus_number(a, na, na, kind_a % 2);
    y = plus_number(b, nb, nb, kind_b % 2);
    ok = product(into == 0 ? r : into == 1 ? x : y, x, na, y, nb, neg, ctx)
        && (into == 1 || plus_is(x, a, na, kind_a % 2))
        && (into == 2 || plus_is(y, b, nb, kind_b % 2));
    if (!ok)
        TEST_info("lengths %d, %d, kinds %d, %d, into %d", na, nb, kind_a, kind_b, into);
    BN_free(x);
    BN_free(y);
    BN_free(r);
    BN_CTX_free(ctx);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int kinds(int na, int nb)
{
    int i;

    for (i = 0; i < WORDS_KINDS; i++)
        if (!multiplies(na, nb, i, 0, 0) || !multiplies(na, nb, 1, i, 0))
            return 0;
    return 1;
}

static int brief(void)
{
    int na, nb;

    for (na = 1; na <= 10; na++)
        for (nb = 1; nb <= 10; nb++)
            if (!kinds(na, nb))
                return 0;
    return 1;
}

static int about_one(void)
{
    static const int more[] = {48, 63, 64, 65, 96, 127, 128, 129, 191, 255, 256, 257};
    int n, d, i;

    for (n = 11; n <= 34; n++)
        for (d = -1; d <= 1; d++)
            if (!kinds(n, n + d))
                return 0;
    for (i = 0; i < (int)(sizeof(more) / sizeof(more[0])); i++)
        for (d = -1; d <= 1; d++)
            if (!multiplies(more[i], more[i] + d, 0, 0, 0)
                    || !multiplies(more[i], more[i] + d, 3, 4, 0))
                return 0;
    return 1;
}

static int other_lengths(void)
{
    int n, d;

    for (n = 1; n <= 33; n += 4)
        for (d = 2; d <= 40; d += d < 4 ? 1 : 7)
            if (!multiplies(n, n + d, 0, 0, 0) || !multiplies(n + d, n, 0, 0, 0)
                    || !multiplies(n, n + d, 4, 3, 0))
                return 0;
    return multiplies(1, 300, 0, 0, 0) && multiplies(300, 17, 0, 0, 0);
}

static int carries(void)
{
    int n;

    for (n = 1; n <= 40; n++)
        if (!multiplies(n, n, 1, 1, 0) || !multiplies(n, n + 1, 1, 1, 0)
                || !multiplies(n + 1, n, 1, 1, 0) || !multiplies(n, 41 - n, 1, 1, 0))
            return 0;
    return 1;
}

static int all_words(void)
{
    int n;

    /* Kind 2 is 1 with zeros before it, kind 6 has zeros in its upper half. */
    for (n = 1; n <= 40; n++)
        if (!multiplies(n, n, 2, 2, 0) || !multiplies(n, n + 1, 6, 2, 0)
                || !multiplies(n, 3, 6, 6, 0))
            return 0;
    return 1;
}

static int zero(void)
{
    static const BN_ULONG five[] = {5, 6};
    BN_CTX *ctx = BN_CTX_new();
    BIGNUM *x = plus_number(five, 2, 2, 1), *none = BN_new(), *left = plus_number(five, 0, 3, 0);
    BIGNUM *r = plus_number(five, 2, 2, 1);
    int ok = TEST_int_eq(bn_mul_fixed_top(r, x, none, ctx), 1) && plus_is(r, NULL, 0, 0)
        && plus_is(x, five, 2, 1);

    BN_free(r);
    r = plus_number(five, 2, 2, 1);
    ok = ok && TEST_int_eq(bn_mul_fixed_top(r, left, x, ctx), 1) && plus_is(r, NULL, 0, 0)
        && TEST_int_eq(bn_mul_fixed_top(r, none, left, ctx), 1) && plus_is(r, NULL, 0, 0)
        && TEST_int_eq(bn_mul_fixed_top(x, x, none, ctx), 1) && plus_is(x, NULL, 0, 0);
    BN_free(x);
    BN_free(none);
    BN_free(left);
    BN_free(r);
    BN_CTX_free(ctx);
    return ok;
}

static int sign(void)
{
    int i, n;

    for (i = 0; i < 4; i++)
        for (n = 1; n <= 20; n++) {
            BN_CTX *ctx = BN_CTX_new();
            BIGNUM *x, *y, *r = BN_new();
            int ok;

            words_fill(a, n, 0, 0);
            words_fill(b, n, 0, 0);
            x = plus_number(a, n, n, i / 2);
            y = plus_number(b, n, n, i % 2);
            r->neg = n % 2;
            ok = product(r, x, n, y, n, i / 2 != i % 2, ctx);
            BN_free(x);
            BN_free(y);
            BN_free(r);
            BN_CTX_free(ctx);
            if (!ok)
                return 0;
        }
    return 1;
}

static int squares(int n, int neg)
{
    BN_CTX *ctx = BN_CTX_new();
    BIGNUM *x;
    int ok;

    words_fill(a, n, 0, 0);
    x = plus_number(a, n, n, neg);
    ok = product(x, x, n, x, n, 0, ctx);
    BN_free(x);
    BN_CTX_free(ctx);
    return ok;
}

static int into_operand(void)
{
    static const int lengths[] = {1, 2, 4, 8, 9, 15, 16, 17, 24, 31, 32, 33, 40};
    int i, d;

    for (i = 0; i < (int)(sizeof(lengths) / sizeof(lengths[0])); i++) {
        for (d = 0; d <= 3; d++)
            if (!multiplies(lengths[i], lengths[i] + d, 0, 1, 1)
                    || !multiplies(lengths[i], lengths[i] + d, 1, 0, 2)
                    || !multiplies(lengths[i] + d, lengths[i], 1, 0, 1)
                    || !multiplies(lengths[i] + d, lengths[i], 7, 0, 2))
                return 0;
        if (!squares(lengths[i], 0) || !squares(lengths[i], 1))
            return 0;
    }
    return 1;
}

static int operands(void)
{
    return multiplies(3, 5, 0, 1, 0) && multiplies(8, 8, 1, 0, 0) && multiplies(16, 16, 0, 1, 0)
        && multiplies(20, 21, 1, 0, 0);
}

static int before(void)
{
    static const int lengths[] = {40, 1, 8, 33, 16, 2, 17, 8, 24};
    BN_CTX *ctx = BN_CTX_new();
    BIGNUM *r = BN_new();
    int i, ok = 1;

    for (i = 0; i < (int)(sizeof(lengths) / sizeof(lengths[0])) && ok; i++) {
        int n = lengths[i];
        BIGNUM *x, *y;

        words_fill(a, n, 0, 0);
        words_fill(b, n, 0, 1);
        x = plus_number(a, n, n, i % 2);
        y = plus_number(b, n, n, 0);
        ok = product(r, x, n, y, n, i % 2, ctx);
        BN_free(x);
        BN_free(y);
    }
    BN_free(r);
    BN_CTX_free(ctx);
    return ok;
}

/* The first number that the context gives. */
static BIGNUM *first_of(BN_CTX *ctx)
{
    BIGNUM *got;

    BN_CTX_start(ctx);
    got = BN_CTX_get(ctx);
    BN_CTX_end(ctx);
    return got;
}

static int context_left(void)
{
    static const int lengths[] = {0, 1, 8, 16, 20, 40};
    BN_CTX *ctx = BN_CTX_new();
    BIGNUM *first = first_of(ctx);
    int i, into, ok = 1;

    for (i = 0; i < (int)(sizeof(lengths) / sizeof(lengths[0])) && ok; i++)
        for (into = 0; into < 2 && ok; into++) {
            BIGNUM *x, *y, *r = BN_new();

            words_fill(a, lengths[i], 0, 0);
            words_fill(b, lengths[i] + 1, 0, 0);
            x = plus_number(a, lengths[i], lengths[i], 0);
            y = plus_number(b, lengths[i] + 1, lengths[i] + 1, 0);
            ok = TEST_int_eq(bn_mul_fixed_top(into ? x : r, x, y, ctx), 1)
                && TEST_ptr_eq(first_of(ctx), first);
            BN_free(x);
            BN_free(y);
            BN_free(r);
        }
    BN_CTX_free(ctx);
    return ok;
}

static int numbers_stay(void)
{
    static const BN_ULONG mine[] = {77, 78, 79};
    static const int lengths[] = {0, 1, 8, 16, 20, 40};
    BN_CTX *ctx = BN_CTX_new();
    int i, into, ok = 1;

    for (i = 0; i < (int)(sizeof(lengths) / sizeof(lengths[0])) && ok; i++)
        for (into = 0; into < 2 && ok; into++) {
            BIGNUM *x, *y, *r = BN_new(), *held;

            words_fill(a, lengths[i], 0, 0);
            words_fill(b, lengths[i] + 1, 0, 0);
            x = plus_number(a, lengths[i], lengths[i], 0);
            y = plus_number(b, lengths[i] + 1, lengths[i] + 1, 0);
            BN_CTX_start(ctx);
            held = BN_CTX_get(ctx);
            bn_expand2(held, 3);
            memcpy(held->d, mine, sizeof(mine));
            held->top = 3;
            ok = TEST_int_eq(bn_mul_fixed_top(into ? x : r, x, y, ctx), 1)
                && plus_is(held, mine, 3, 0) && TEST_ptr_ne(BN_CTX_get(ctx), held);
            BN_CTX_end(ctx);
            BN_free(x);
            BN_free(y);
            BN_free(r);
        }
    BN_CTX_free(ctx);
    return ok;
}

/* With memory refused in all ways: 0, or the product; nothing leaked, the context as it was. */
static int refused(void)
{
    static const int lengths[] = {3, 8, 16, 20};
    int i, j, into, ok = 1, failed = 0;

    for (i = 0; i < 4 && ok; i++)
        for (into = 0; into < 2 && ok; into++)
            for (j = 0; j < 24 && ok; j++) {
                long blocks = memory_blocks;
                BN_CTX *ctx = BN_CTX_new();
                BIGNUM *first = first_of(ctx), *x, *y, *r = BN_new();
                int n = lengths[i], done;

                words_fill(a, n, 0, 0);
                words_fill(b, n, 0, 0);
                words_mul(right, a, n, b, n);
                x = plus_number(a, n, n, 0);
                y = plus_number(b, n, n, 0);
                plus_refuse(j);
                done = bn_mul_fixed_top(into ? x : r, x, y, ctx);
                plus_refuse(-1);
                failed += !done;
                ok = done ? plus_is(into ? x : r, right, 2 * n, 0)
                    : (into || plus_is(x, a, n, 0)) && plus_is(y, b, n, 0);
                ok = ok && TEST_ptr_eq(first_of(ctx), first);
                BN_free(x);
                BN_free(y);
                BN_free(r);
                BN_CTX_free(ctx);
                ERR_clear_error();
                OPENSSL_thread_stop();
                ok = ok && (i + into + j == 0 || TEST_long_eq(memory_blocks, blocks));
            }
    return ok && TEST_int_gt(failed, 8) && TEST_long_eq(memory_bad_frees, 0);
}

static int no_leak(void)
{
    BN_CTX *ctx = BN_CTX_new();
    BIGNUM *x, *y, *r = BN_new();
    long blocks = 0;
    int i, ok = 1;

    words_fill(a, 20, 0, 0);
    words_fill(b, 20, 0, 0);
    x = plus_number(a, 20, 20, 0);
    y = plus_number(b, 20, 20, 0);
    for (i = 0; i < 200 && ok; i++) {
        ok = TEST_int_eq(bn_mul_fixed_top(r, x, y, ctx), 1);
        if (i == 1)
            blocks = memory_blocks;
    }
    ok = ok && TEST_long_eq(memory_blocks, blocks);
    BN_free(x);
    BN_free(y);
    BN_free(r);
    BN_CTX_free(ctx);
    blocks = memory_blocks;
    return ok && multiplies(3, 4, 0, 0, 1) && multiplies(16, 16, 0, 0, 2)
        && multiplies(20, 20, 0, 0, 0) && TEST_long_eq(memory_blocks, blocks);
}

int setup_tests(void)
{
    add_test("short numbers are multiplied", brief);
    add_test("numbers of about one length are multiplied", about_one);
    add_test("numbers of other lengths are multiplied", other_lengths);
    add_test("carries go to the end", carries);
    add_test("all words of both count", all_words);
    add_test("zero gives zero without a sign", zero);
    add_test("the sign is that of the product", sign);
    add_test("the result can be an operand", into_operand);
    add_test("the operands stay", operands);
    add_test("what the result was before is gone", before);
    add_test("the context is left as it was", context_left);
    add_test("other numbers of the context stay", numbers_stay);
    add_test("refused memory gives 0", refused);
    add_test("nothing is leaked or freed twice", no_leak);
    return 1;
}
