// src/core/map.c: slot_of
/* The slot where `key` is, or the free slot where it would go. `capacity` must not be 0 and one slot be free. */
static struct map_slot *slot_of(struct map_slot *slots, size_t capacity, const char *key)
{
    size_t index = hash_key(key) & (capacity - 1);
    while (slots[index].key != NULL && strcmp(slots[index].key, key) != 0)
        index = (index + 1) & (capacity - 1);
    return &slots[index];
}
