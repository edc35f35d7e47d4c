/*---
 * tasks: [map-remove]
 * flags: ['-Wl,--wrap=free']
 * tests:
 *   frees_the_key: 'Docstring: "Take `key` out and free it."'
 *   frees_nothing_when_the_key_is_not_there: 'Docstring: "Returns 1, or 0 when it was not there."; the map owns its keys.'
 *   frees_each_key_once: 'Docstring: the entries that follow "are put in again", so map_free owns each of them once.'
 *   each_other_key_is_found_with_its_value: 'Docstring: "so that each is still found from its own hash".'
 *   no_slot_stays_used_without_a_key: 'Docstring: "No tombstone stays".'
 ---*/
#include "core/map.h"
#include "../tests/harness.h"

#include <stdio.h>
#include <stdlib.h>

static int frees;

void __real_free(void *memory);

/* The linker puts it into free's place. */
void __wrap_free(void *memory)
{
    frees += memory != NULL;
    __real_free(memory);
}

static struct map numbers(int count)
{
    struct map m;
    map_init(&m);
    for (int i = 0; i < count; i++) {
        char key[16];
        snprintf(key, sizeof key, "key %d", i);
        CHECK(map_set(&m, key, i));
    }
    return m;
}

TEST(frees_the_key)
{
    struct map m = numbers(3);
    frees = 0;
    INT_EQ(map_remove(&m, "key 1"), 1);
    INT_EQ(frees, 1);
    map_free(&m);
}

TEST(frees_nothing_when_the_key_is_not_there)
{
    struct map m = numbers(3);
    frees = 0;
    INT_EQ(map_remove(&m, "another"), 0);
    INT_EQ(frees, 0);
    map_free(&m);
}

TEST(frees_each_key_once)
{
    struct map m = numbers(60);
    frees = 0;
    for (int i = 0; i < 60; i += 2) {
        char key[16];
        snprintf(key, sizeof key, "key %d", i);
        INT_EQ(map_remove(&m, key), 1);
    }
    map_free(&m);
    /* The keys, and the slots themselves. */
    INT_EQ(frees, 61);
}

/* Runs of used slots of all lengths, also past the last slot. */
TEST(each_other_key_is_found_with_its_value)
{
    for (int first = 0; first < 60; first++)
        for (int taken = first; taken < first + 6; taken++) {
            struct map m;
            char key[16];
            map_init(&m);
            for (int i = first; i < first + 6; i++) {
                snprintf(key, sizeof key, "key %d", i);
                CHECK(map_set(&m, key, i));
            }
            snprintf(key, sizeof key, "key %d", taken);
            INT_EQ(map_remove(&m, key), 1);
            for (int i = first; i < first + 6; i++) {
                long long value = -1;
                snprintf(key, sizeof key, "key %d", i);
                INT_EQ(map_get(&m, key, &value), i != taken);
                INT_EQ(value, i == taken ? -1 : i);
            }
            map_free(&m);
        }
}

TEST(no_slot_stays_used_without_a_key)
{
    struct map m = numbers(40);
    for (int i = 0; i < 40; i++) {
        char key[16];
        size_t used = 0;
        snprintf(key, sizeof key, "key %d", i);
        INT_EQ(map_remove(&m, key), 1);
        INT_EQ((long long)m.size, 39 - i);
        for (size_t slot = 0; slot < m.capacity; slot++)
            used += m.slots[slot].key != NULL;
        INT_EQ((long long)used, 39 - i);
    }
    map_free(&m);
}
