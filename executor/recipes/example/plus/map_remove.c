/*---
 * tasks: [map-remove]
 * tests:
 *   frees_the_key: 'Docstring: "Take `key` out and free it."'
 *   frees_nothing_when_the_key_is_not_there: 'Docstring: "Returns 1, or 0 when it was not there."; the map owns its keys.'
 *   frees_each_key_once: 'Docstring: the entries that follow "are put in again", so map_free owns each of them once.'
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
