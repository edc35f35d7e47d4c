#include "core/array.h"
#include "core/map.h"
#include "core/ring.h"
#include "core/strbuf.h"
#include "harness.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static struct array numbers(int count)
{
    struct array a;
    array_init(&a, sizeof(int));
    for (int i = 0; i < count; i++)
        CHECK(array_push(&a, &i));
    return a;
}

static int number(const struct array *a, size_t index)
{
    const int *element = array_at(a, index);
    return element != NULL ? *element : -1;
}

TEST(array_grows_and_keeps_order)
{
    struct array a = numbers(100);
    INT_EQ(a.size, 100);
    for (int i = 0; i < 100; i++)
        INT_EQ(number(&a, (size_t)i), i);
    CHECK(array_at(&a, 100) == NULL);
    array_free(&a);
    INT_EQ(a.size, 0);
    INT_EQ(a.width, sizeof(int));
}

TEST(array_reserve_doubles)
{
    struct array a;
    array_init(&a, 3);
    INT_EQ(array_reserve(&a, 0), 1);
    INT_EQ(a.capacity, 0);
    INT_EQ(array_reserve(&a, 1), 1);
    INT_EQ(a.capacity, 8);
    INT_EQ(array_reserve(&a, 8), 1);
    INT_EQ(a.capacity, 8);
    INT_EQ(array_reserve(&a, 9), 1);
    INT_EQ(a.capacity, 16);
    INT_EQ(array_reserve(&a, 70), 1);
    INT_EQ(a.capacity, 128);
    INT_EQ(array_reserve(&a, 5), 1);
    INT_EQ(a.capacity, 128);
    INT_EQ(a.size, 0);
    array_free(&a);
}

TEST(array_reserve_keeps_elements)
{
    struct array a = numbers(8);
    CHECK(array_reserve(&a, 5000));
    for (int i = 0; i < 8; i++)
        INT_EQ(number(&a, (size_t)i), i);
    array_free(&a);
}

TEST(array_reserve_refuses_what_does_not_fit)
{
    struct array a = numbers(3);
    unsigned char *data = a.data;
    INT_EQ(array_reserve(&a, SIZE_MAX), 0);
    INT_EQ(array_reserve(&a, SIZE_MAX / 2 + 1), 0);
    INT_EQ(array_reserve(&a, SIZE_MAX / 4), 0);
    INT_EQ(array_reserve(&a, SIZE_MAX / 32), 0);
    CHECK(a.data == data);
    INT_EQ(a.capacity, 8);
    INT_EQ(a.size, 3);
    array_free(&a);
}

TEST(array_insert_shifts)
{
    struct array a = numbers(3);
    int element = 9;
    INT_EQ(array_insert(&a, 1, &element), 1);
    INT_EQ(array_insert(&a, 4, &element), 1);
    INT_EQ(array_insert(&a, 6, &element), 0);
    const int expected[] = {0, 9, 1, 2, 9};
    INT_EQ(a.size, 5);
    INT_EQ(memcmp(a.data, expected, sizeof expected), 0);
    array_free(&a);
}

TEST(array_rotate_turns_left)
{
    struct array a = numbers(5);
    const int expected[] = {2, 3, 4, 0, 1};
    array_rotate(&a, 2);
    INT_EQ(memcmp(a.data, expected, sizeof expected), 0);
    array_rotate(&a, 10);
    INT_EQ(memcmp(a.data, expected, sizeof expected), 0);
    array_rotate(&a, 13);
    for (int i = 0; i < 5; i++)
        INT_EQ(number(&a, (size_t)i), i);
    array_free(&a);
}

TEST(array_rotate_takes_the_empty_array)
{
    struct array a;
    array_init(&a, sizeof(int));
    array_rotate(&a, 3);
    INT_EQ(a.size, 0);
    a = numbers(1);
    array_rotate(&a, 7);
    INT_EQ(number(&a, 0), 0);
    array_free(&a);
}

TEST(strbuf_collects)
{
    struct strbuf b;
    strbuf_init(&b);
    STR_EQ(strbuf_text(&b), "");
    strbuf_put_text(&b, "ab");
    strbuf_put_text(&b, NULL);
    strbuf_put_run(&b, '-', 3);
    strbuf_put_run(&b, '-', 0);
    strbuf_put_bytes(&b, "cdef", 2);
    STR_EQ(strbuf_text(&b), "ab---cd");
    INT_EQ(b.length, 7);
    strbuf_cut(&b, 9);
    strbuf_cut(&b, 3);
    STR_EQ(strbuf_text(&b), "ab-");
    strbuf_free(&b);
    STR_EQ(strbuf_text(&b), "");
}

TEST(strbuf_grows)
{
    struct strbuf b;
    strbuf_init(&b);
    for (int i = 0; i < 1000; i++)
        strbuf_put_run(&b, (char)('a' + i % 26), 1);
    INT_EQ(b.length, 1000);
    INT_EQ(strlen(strbuf_text(&b)), 1000);
    INT_EQ(b.text[999], 'a' + 999 % 26);
    strbuf_free(&b);
}

TEST(strbuf_puts_digits)
{
    struct strbuf b;
    strbuf_init(&b);
    strbuf_put_digits(&b, 0, 0);
    strbuf_put_run(&b, ' ', 1);
    strbuf_put_digits(&b, 7, 3);
    strbuf_put_run(&b, ' ', 1);
    strbuf_put_digits(&b, 12345, 2);
    strbuf_put_run(&b, ' ', 1);
    strbuf_put_digits(&b, 18446744073709551615u, 1);
    STR_EQ(strbuf_text(&b), "0 007 12345 18446744073709551615");
    strbuf_free(&b);
}

TEST(strbuf_puts_columns)
{
    struct strbuf b;
    strbuf_init(&b);
    strbuf_put_column(&b, "ab", 4, STRBUF_LEFT);
    strbuf_put_column(&b, "cd", 4, STRBUF_RIGHT);
    strbuf_put_column(&b, "exactly", 7, STRBUF_RIGHT);
    STR_EQ(strbuf_text(&b), "ab    cdexactly");
    strbuf_free(&b);
}

TEST(strbuf_cuts_long_columns)
{
    struct strbuf b;
    strbuf_init(&b);
    strbuf_put_column(&b, "abcdef", 4, STRBUF_LEFT);
    strbuf_put_column(&b, "ghijkl", 3, STRBUF_RIGHT);
    strbuf_put_column(&b, "xy", 1, STRBUF_LEFT);
    strbuf_put_column(&b, "xy", 0, STRBUF_LEFT);
    STR_EQ(strbuf_text(&b), "abc~gh~~");
    strbuf_free(&b);
}

TEST(map_sets_and_gets)
{
    struct map m;
    long long value = -5;
    map_init(&m);
    INT_EQ(map_get(&m, "tea", &value), 0);
    INT_EQ(value, -5);
    INT_EQ(map_set(&m, "tea", 3), 1);
    INT_EQ(map_set(&m, "tea", 4), 0);
    INT_EQ(map_get(&m, "tea", &value), 1);
    INT_EQ(value, 4);
    INT_EQ(map_get(&m, "te", &value), 0);
    INT_EQ(value, 4);
    INT_EQ(map_get(&m, "tea", NULL), 1);
    INT_EQ(m.size, 1);
    map_free(&m);
    INT_EQ(map_get(&m, "tea", NULL), 0);
}

static void fill(struct map *m, int count)
{
    char key[16];
    map_init(m);
    for (int i = 0; i < count; i++) {
        snprintf(key, sizeof key, "key%d", i);
        INT_EQ(map_set(m, key, i * 10), 1);
    }
}

TEST(map_grows_at_three_quarters)
{
    struct map m;
    char key[16];
    long long value;
    fill(&m, 6);
    INT_EQ(m.capacity, 8);
    map_free(&m);
    fill(&m, 7);
    INT_EQ(m.capacity, 16);
    map_free(&m);
    fill(&m, 500);
    INT_EQ(m.size, 500);
    INT_EQ(m.capacity, 1024);
    for (int i = 0; i < 500; i++) {
        snprintf(key, sizeof key, "key%d", i);
        CHECK(map_get(&m, key, &value));
        INT_EQ(value, i * 10);
    }
    map_free(&m);
}

TEST(map_copies_its_keys)
{
    struct map m;
    char key[] = "mine";
    map_init(&m);
    map_set(&m, key, 1);
    key[0] = 'f';
    CHECK(map_get(&m, "mine", NULL));
    CHECK(!map_get(&m, "fine", NULL));
    map_free(&m);
}

TEST(map_removes)
{
    struct map m;
    fill(&m, 1);
    INT_EQ(map_remove(&m, "key1"), 0);
    INT_EQ(map_remove(&m, "key0"), 1);
    INT_EQ(map_remove(&m, "key0"), 0);
    INT_EQ(m.size, 0);
    map_free(&m);
    INT_EQ(map_remove(&m, "key0"), 0);
}

TEST(map_finds_what_followed_a_removed_key)
{
    struct map m;
    char key[16];
    long long value;
    fill(&m, 700);
    for (int i = 0; i < 700; i += 2) {
        snprintf(key, sizeof key, "key%d", i);
        INT_EQ(map_remove(&m, key), 1);
    }
    INT_EQ(m.size, 350);
    for (int i = 0; i < 700; i++) {
        snprintf(key, sizeof key, "key%d", i);
        INT_EQ(map_get(&m, key, &value), i % 2);
        if (i % 2)
            INT_EQ(value, i * 10);
    }
    map_free(&m);
}

TEST(ring_push_says_what_it_lost)
{
    struct ring r;
    ring_init(&r);
    for (int i = 0; i < RING_CAPACITY; i++)
        INT_EQ(ring_push(&r, i), 0);
    INT_EQ(ring_push(&r, 100), 1);
    INT_EQ(r.size, RING_CAPACITY);
    INT_EQ(ring_at(&r, 0), 100);
    INT_EQ(ring_at(&r, RING_CAPACITY - 1), 1);
}

TEST(ring_wraps)
{
    struct ring r;
    long long value = -1;
    ring_init(&r);
    for (int i = 0; i < 1000; i++)
        ring_push(&r, i);
    for (int i = 1000 - RING_CAPACITY; i < 1000; i++) {
        INT_EQ(ring_pop(&r, &value), 1);
        INT_EQ(value, i);
    }
    INT_EQ(ring_pop(&r, &value), 0);
    INT_EQ(value, 999);
}

TEST(ring_at_counts_from_the_newest)
{
    struct ring r;
    ring_init(&r);
    INT_EQ(ring_at(&r, 0), 0);
    ring_push(&r, 7);
    ring_push(&r, 8);
    INT_EQ(ring_at(&r, 0), 8);
    INT_EQ(ring_at(&r, 1), 7);
    INT_EQ(ring_at(&r, 2), 0);
}
