#ifndef INV_CORE_MAP_H
#define INV_CORE_MAP_H

#include "core/api.h"

#include <stddef.h>

INV_BEGIN

struct map_slot {
    char *key; /* NULL: the slot is free */
    long long value;
};

/* Strings to numbers: open addressing with linear probing, no tombstones. `capacity` is 0 or a power of two, at
 * most three quarters of it used. */
struct map {
    struct map_slot *slots;
    size_t size;
    size_t capacity;
};

INV_API void map_init(struct map *m);
INV_API void map_free(struct map *m);
INV_API int map_set(struct map *m, const char *key, long long value);
INV_API int map_get(const struct map *m, const char *key, long long *value);
INV_API int map_remove(struct map *m, const char *key);

INV_END

#endif
