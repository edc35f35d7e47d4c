/*---
 * tasks: [array-reserve]
 * tests:
 *   takes_what_the_capacity_needs_in_bytes: 'Docstring: room for `count` elements; they are `width` bytes wide.'
 *   doubles_until_it_is_enough: 'Docstring: "starts at FIRST_CAPACITY (8) and doubles until it is enough".'
 *   leaves_room_that_is_there: 'Docstring: the capacity "never shrinks".'
 *   refuses_bytes_that_fit_no_size: 'Docstring: "Returns 0 ... when the number of bytes would not fit a size_t".'
 *   refuses_a_doubled_capacity_whose_bytes_fit_no_size: 'The same: it is the doubled capacity whose bytes are taken.'
 *   refuses_what_memory_is_short_of: 'Docstring: "Returns 0, with the array as it was, when ... memory is short".'
 *   leaves_the_size_alone: 'Docstring: "without changing the size".'
 ---*/
#include "core/array.h"
#include "../tests/harness.h"

#include <malloc.h>
#include <stdint.h>

static struct array of_width(size_t width, int count)
{
    struct array a;
    const char element[64] = "element";
    array_init(&a, width);
    for (int i = 0; i < count; i++)
        CHECK(array_push(&a, element));
    return a;
}

static void refused(struct array *a, size_t count)
{
    struct array before = *a;
    INT_EQ(array_reserve(a, count), 0);
    CHECK(a->data == before.data);
    INT_EQ((long long)a->size, (long long)before.size);
    INT_EQ((long long)a->capacity, (long long)before.capacity);
    if (a->size > 0)
        STR_EQ((const char *)array_at(a, a->size - 1), "element");
}

TEST(takes_what_the_capacity_needs_in_bytes)
{
    struct array a = of_width(64, 0);
    for (size_t count = 1; count < 200; count += 30) {
        INT_EQ(array_reserve(&a, count), 1);
        CHECK(a.capacity >= count && malloc_usable_size(a.data) >= a.capacity * 64);
    }
    array_free(&a);
}

TEST(doubles_until_it_is_enough)
{
    const size_t counts[] = {1, 8, 9, 16, 17, 1000, 1024, 1025}, capacities[] = {8, 8, 16, 16, 32, 1024, 1024, 2048};
    for (int i = 0; i < 8; i++) {
        struct array a = of_width(3, 0);
        INT_EQ(array_reserve(&a, counts[i]), 1);
        INT_EQ((long long)a.capacity, (long long)capacities[i]);
        array_free(&a);
    }
}

TEST(leaves_room_that_is_there)
{
    struct array a = of_width(8, 9);
    for (size_t count = 0; count <= 16; count++) {
        INT_EQ(array_reserve(&a, count), 1);
        INT_EQ((long long)a.capacity, 16);
    }
    array_free(&a);
}

TEST(refuses_bytes_that_fit_no_size)
{
    struct array a = of_width(16, 5), empty = of_width(16, 0);
    const size_t counts[] = {SIZE_MAX, SIZE_MAX / 2, SIZE_MAX / 16 + 1};
    for (int i = 0; i < 3; i++) {
        refused(&a, counts[i]);
        refused(&empty, counts[i]);
    }
    array_free(&a);
}

TEST(refuses_a_doubled_capacity_whose_bytes_fit_no_size)
{
    struct array a = of_width(24, 5);
    /* 2^59 elements of 24 bytes would fit, but 2^60 are taken. */
    refused(&a, ((size_t)1 << 59) + 1);
    array_free(&a);
}

TEST(refuses_what_memory_is_short_of)
{
    struct array a = of_width(8, 5), empty = of_width(8, 0);
    refused(&a, (size_t)1 << 60);
    refused(&empty, (size_t)1 << 60);
    array_free(&a);
}

TEST(leaves_the_size_alone)
{
    struct array a = of_width(8, 3);
    INT_EQ(array_reserve(&a, 100), 1);
    INT_EQ((long long)a.size, 3);
    array_free(&a);
}
