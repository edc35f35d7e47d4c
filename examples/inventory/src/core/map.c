#include "core/map.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { SMALLEST_CAPACITY = 8 };

/* FNV-1a over the key's bytes. */
static uint64_t hash_key(const char *key)
{
    uint64_t hash = 14695981039346656037u;
    for (; *key != '\0'; key++) {
        hash ^= (unsigned char)*key;
        hash *= 1099511628211u;
    }
    return hash;
}

/* The slot where `key` is, or the free slot where it would go. `capacity` must not be 0 and one slot be free. */
static struct map_slot *slot_of(struct map_slot *slots, size_t capacity, const char *key)
{
    size_t index = hash_key(key) & (capacity - 1);
    while (slots[index].key != NULL && strcmp(slots[index].key, key) != 0)
        index = (index + 1) & (capacity - 1);
    return &slots[index];
}

/* Make `m` an empty map. It owns no memory yet. */
INV_API void map_init(struct map *m)
{
    memset(m, 0, sizeof *m);
}

/* Free all keys and slots; the map is empty afterwards and may be used again. */
INV_API void map_free(struct map *m)
{
    for (size_t i = 0; i < m->capacity; i++)
        free(m->slots[i].key);
    free(m->slots);
    map_init(m);
}

/* Move all entries into a new array of slots, twice as large (SMALLEST_CAPACITY at first).
 *
 * The keys move, they are not copied. Returns 1; or 0, with the map as it was, when memory is short. */
static int grow(struct map *m)
{
    size_t capacity = m->capacity > 0 ? m->capacity * 2 : SMALLEST_CAPACITY;
    struct map_slot *slots = calloc(capacity, sizeof *slots);
    if (slots == NULL)
        return 0;
    for (size_t i = 0; i < m->capacity; i++)
        if (m->slots[i].key != NULL)
            *slot_of(slots, capacity, m->slots[i].key) = m->slots[i];
    free(m->slots);
    m->slots = slots;
    m->capacity = capacity;
    return 1;
}

/* Store `value` under a copy of `key`; the value of a key that is there already is replaced.
 *
 * The map grows before an insertion that would use more than three quarters of the slots. Returns 1 when the key
 * is new, 0 when it was there, -1 when memory is short (the map is then as it was). */
INV_API int map_set(struct map *m, const char *key, long long value)
{
    struct map_slot *slot = m->capacity > 0 ? slot_of(m->slots, m->capacity, key) : NULL;
    if (slot != NULL && slot->key != NULL) {
        slot->value = value;
        return 0;
    }
    if ((m->size + 1) * 4 > m->capacity * 3) {
        if (!grow(m))
            return -1;
        slot = slot_of(m->slots, m->capacity, key);
    }
    size_t length = strlen(key) + 1;
    char *copy = malloc(length);
    if (copy == NULL)
        return -1;
    slot->key = memcpy(copy, key, length);
    slot->value = value;
    m->size++;
    return 1;
}

/* Look `key` up. When it is there, store its value in *value (unless value is NULL) and return 1; else return 0
 * and leave *value alone. A map that never held anything has no slots at all. */
INV_API int map_get(const struct map *m, const char *key, long long *value)
{
    if (m->capacity == 0)
        return 0;
    const struct map_slot *slot = slot_of(m->slots, m->capacity, key);
    if (slot->key == NULL)
        return 0;
    if (value != NULL)
        *value = slot->value;
    return 1;
}

/* Take `key` out and free it. Returns 1, or 0 when it was not there.
 *
 * No tombstone stays: the entries that follow in the same run of used slots are put in again, so that each is
 * still found from its own hash. */
INV_API int map_remove(struct map *m, const char *key)
{
    if (m->capacity == 0)
        return 0;
    struct map_slot *hole = slot_of(m->slots, m->capacity, key);
    if (hole->key == NULL)
        return 0;
    free(hole->key);
    hole->key = NULL;
    m->size--;
    size_t index = ((size_t)(hole - m->slots) + 1) & (m->capacity - 1);
    while (m->slots[index].key != NULL) {
        struct map_slot moved = m->slots[index];
        m->slots[index].key = NULL;
        *slot_of(m->slots, m->capacity, moved.key) = moved;
        index = (index + 1) & (m->capacity - 1);
    }
    return 1;
}
