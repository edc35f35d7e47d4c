/*---
 * tasks: [bn_mul_part_recursive-2b09d3, bn_mul_part_recursive-2b09d3.16, bn_mul_part_recursive-2b09d3.2, bn_mul_part_recursive-2b09d3.4, bn_mul_part_recursive-2b09d3.8]
 * tests:
 *   fewer than 8 words are multiplied: 'bn_mul.c: comment of bn_mul_part_recursive; n + tna and n + tnb words.'
 *   8 words and more: 'bn_mul.c: comment, "n+tn is the word length".'
 *   16 words and more: 'bn_mul.c: bn_mul_fixed_top, j is a power of two.'
 *   32 words and more: 'bn_mul.c: bn_mul_fixed_top, j is a power of two.'
 *   64 words and more: 'bn_mul.c: bn_mul_fixed_top, j is a power of two.'
 *   the operands stay: 'bn_mul.c: bn_mul_fixed_top gives the words of const BIGNUMs.'
 *   nothing is written past the ends: 'bn_mul.c: bn_mul_fixed_top expands r to 4 n words and t to 8 n.'
 *   carries go to the end: 'Arithmetic: (B^m-1)(B^k-1) and its neighbours.'
 *   carries go through words of ones: 'Arithmetic: (B^n-1 + q B^(n+i)) (B^m-1).'
 ---*/
#include "pa_words.h"

static BN_ULONG a[WORDS_MAX], b[WORDS_MAX], r[WORDS_MAX], t[WORDS_MAX], right[WORDS_MAX];
static BN_ULONG keep_a[WORDS_MAX], keep_b[WORDS_MAX];

/* Is the product right of what stands in a and b, and all else untouched? */
static int multiplies_these(int n, int tna, int tnb)
{
    int size = 2 * n + tna + tnb;

    words_guard(r, WORDS_MAX);
    words_guard(t, WORDS_MAX);
    memcpy(keep_a, a, sizeof(a));
    memcpy(keep_b, b, sizeof(b));
    words_mul(right, a, n + tna, b, n + tnb);
    bn_mul_part_recursive(r, a, b, n, tna, tnb, t);
    if (memcmp(r, right, size * sizeof(*r)) != 0)
        return TEST_error("n %d, tna %d, tnb %d", n, tna, tnb), 0;
    return TEST_true(memcmp(a, keep_a, sizeof(a)) == 0)
        && TEST_true(memcmp(b, keep_b, sizeof(b)) == 0)
        && words_guarded(r + 4 * n, WORDS_MAX - 4 * n)
        && words_guarded(t + 8 * n, WORDS_MAX - 8 * n);
}

static int multiplies(int n, int tna, int tnb, int kind_a, int kind_b)
{
    words_guard(a, WORDS_MAX);
    words_guard(b, WORDS_MAX);
    words_fill(a, n + tna, n, kind_a);
    words_fill(b, n + tnb, n, kind_b);
    if (!multiplies_these(n, tna, tnb))
        return TEST_error("kinds %d, %d", kind_a, kind_b), 0;
    return 1;
}

/* All lengths that differ by at most one, with all kinds. */
static int all(int n, int step)
{
    int tna, d, i;

    for (tna = 0; tna < n; tna += tna > n / 4 - 3 && tna < n / 2 + 3 ? 1 : step)
        for (d = -1; d <= 1; d++)
            for (i = 0; i < WORDS_KINDS * WORDS_KINDS; i++)
                if (tna + d >= 0 && tna + d < n && (tna > 0 || d > 0)
                        && !multiplies(n, tna, tna + d, i / WORDS_KINDS, i % WORDS_KINDS))
                    return 0;
    return 1;
}

static int few(void)
{
    return all(2, 1) && all(4, 1);
}

static int eight(void)
{
    return all(8, 1);
}

static int sixteen(void)
{
    return all(16, 1);
}

static int thirty_two(void)
{
    return all(32, 3);
}

static int sixty_four(void)
{
    return all(64, 13);
}

static int operands(void)
{
    return multiplies(8, 3, 4, 0, 0) && multiplies(16, 9, 8, 3, 4) && multiplies(32, 5, 5, 5, 6);
}

static int ends(void)
{
    return multiplies(8, 7, 7, 1, 1) && multiplies(16, 15, 15, 1, 1)
        && multiplies(32, 31, 31, 0, 0) && multiplies(64, 63, 63, 0, 0);
}

static int carries(void)
{
    int i;

    for (i = 1; i < 16; i++)
        if (!multiplies(16, i, i, 1, 1) || !multiplies(16, i, i, 1, 3)
                || !multiplies(16, i, i - 1, 3, 1) || !multiplies(16, i - 1, i, 4, 1))
            return 0;
    return 1;
}

/* The product of the upper halves has ones from word `tn` on, through which a carry goes. */
static int through_ones(void)
{
    int n, tn, i, swap;

    for (n = 8; n <= 32; n *= 2)
        for (tn = n / 2 + 1; tn < n; tn++)
            for (i = n - tn; i < tn; i++)
                for (swap = 0; swap < 2; swap++) {
                    BN_ULONG *one = swap ? b : a;

                    words_guard(a, WORDS_MAX);
                    words_guard(b, WORDS_MAX);
                    words_fill(a, n + tn, n, 1);
                    words_fill(b, n + tn, n, 1);
                    memset(one + n, 0, tn * sizeof(*one));
                    one[n + i] = i % 2 + 1;
                    if (!multiplies_these(n, tn, tn))
                        return 0;
                }
    return 1;
}

int setup_tests(void)
{
    add_test("fewer than 8 words are multiplied", few);
    add_test("8 words and more", eight);
    add_test("16 words and more", sixteen);
    add_test("32 words and more", thirty_two);
    add_test("64 words and more", sixty_four);
    add_test("the operands stay", operands);
    add_test("nothing is written past the ends", ends);
    add_test("carries go to the end", carries);
    add_test("carries go through words of ones", through_ones);
    return 1;
}
