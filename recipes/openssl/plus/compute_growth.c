/*---
 * tasks: [AE5A8AC3C44BCAB7]
 * tests:
 *   a size grows to the target or more: 'Docstring: "Calculate the array growth based on the target size."'
 *   a size that suffices stays: 'The name and the docstring: there is no growth to a target that is reached.'
 *   growth stays below the golden ratio: 'Docstring: "this factor should be less than the golden ratio (1.618...)".'
 *   growth is geometric:
 *     'Docstring: 3/2 takes 51 growths from the minimum to integer overflow, larger factors 44 or more.'
 *   a far target is reached in one call: 'crypto/stack/stack.c: sk_reserve takes the result for enough.'
 *   a size that would overflow is refused or cut:
 *     'crypto/stack/stack.c: sk_reserve takes 0 for "too many records"; max_nodes is "the hard limit".'
 *   large sizes can grow: 'Docstring: the factor, below 1.618, is taken until the integer overflows.'
 *   a stack keeps what was pushed: 'crypto/stack/stack.c: sk_reserve; DEFINE_STACK_OF(3).'
 ---*/
#include "../../crypto/stack/stack.c"
#include "../testutil.h"

static int reaches_target(void)
{
    int current, target;

    for (current = min_nodes; current < 60; current++)
        for (target = current + 1; target < 300; target++)
            if (!TEST_int_ge(compute_growth(target, current), target))
                return 0;
    return 1;
}

static int suffices(void)
{
    return TEST_int_eq(compute_growth(4, 4), 4)
        && TEST_int_eq(compute_growth(5, 100), 100)
        && TEST_int_eq(compute_growth(0, 7), 7)
        && TEST_int_eq(compute_growth(max_nodes, max_nodes), max_nodes);
}

static int below_golden_ratio(void)
{
    int current;

    for (current = 100; current < 1000000; current = current * 5 / 4)
        if (!TEST_double_lt((double)compute_growth(current + 1, current) / current, 1.6181))
            return 0;
    return 1;
}

/* One more is asked for each time, as pushing does. */
static int geometric(void)
{
    int size = min_nodes, larger, growths = 0;

    while (growths <= 60 && (larger = compute_growth(size + 1, size)) > 0 && larger < max_nodes) {
        if (!TEST_int_gt(larger, size))
            return 0;
        size = larger;
        growths++;
    }
    return TEST_int_ge(growths, 40) && TEST_int_le(growths, 51);
}

static int far_target(void)
{
    int size = compute_growth(1000000, min_nodes);

    return TEST_int_ge(size, 1000000) && TEST_int_lt(size, 1620000);
}

/* What would overflow is refused or cut to the largest size; both are in order. */
static int no_overflow(void)
{
    static const int sizes[] = { 1 << 30, 1300000000, 1500000000, 2000000000, INT_MAX - 1 };
    size_t i;

    for (i = 0; i < OSSL_NELEM(sizes); i++) {
        int size = compute_growth(sizes[i] + 1, sizes[i]);

        if (size != 0 && (!TEST_int_gt(size, sizes[i]) || !TEST_int_le(size, max_nodes)))
            return 0;
    }
    return 1;
}

static int large_sizes(void)
{
    return TEST_int_ge(compute_growth((1 << 30) + 1, 1 << 30), (1 << 30) + 1)
        && TEST_int_ge(compute_growth(1300000001, 1300000000), 1300000001)
        && TEST_int_gt(compute_growth(300000001, 300000000), 300000000);
}

static int stack_keeps(void)
{
    static int values[1000];
    OPENSSL_STACK *stack = OPENSSL_sk_new_null();
    int i, ok = TEST_ptr(stack);

    for (i = 0; ok && i < 1000; i++)
        ok = TEST_int_eq(OPENSSL_sk_push(stack, &values[i]), i + 1)
            && TEST_int_ge(stack->num_alloc, i + 1);
    for (i = 0; ok && i < 1000; i++)
        ok = TEST_ptr_eq(OPENSSL_sk_value(stack, i), &values[i]);
    OPENSSL_sk_free(stack);
    return ok;
}

int setup_tests(void)
{
    add_test("a size grows to the target or more", reaches_target);
    add_test("a size that suffices stays", suffices);
    add_test("growth stays below the golden ratio", below_golden_ratio);
    add_test("growth is geometric", geometric);
    add_test("a far target is reached in one call", far_target);
    add_test("a size that would overflow is refused or cut", no_overflow);
    add_test("large sizes can grow", large_sizes);
    add_test("a stack keeps what was pushed", stack_keeps);
    return 1;
}
