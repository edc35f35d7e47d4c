#include "core/ring.h"

/* Make `r` empty. */
INV_API void ring_init(struct ring *r)
{
    r->first = 0;
    r->size = 0;
}

/* Add `value` as the newest.
 *
 * A full ring loses its oldest value to make room. Returns 1 when a value was lost in this way, else 0. */
INV_API int ring_push(struct ring *r, long long value)
{
    r->values[(r->first + r->size) % RING_CAPACITY] = value;
    if (r->size < RING_CAPACITY) {
        r->size++;
        return 0;
    }
    r->first = (r->first + 1) % RING_CAPACITY;
    return 1;
}

/* Take the oldest value out into *value. Returns 1, or 0 when the ring is empty; *value is then left alone. */
INV_API int ring_pop(struct ring *r, long long *value)
{
    if (r->size == 0)
        return 0;
    *value = r->values[r->first];
    r->first = (r->first + 1) % RING_CAPACITY;
    r->size--;
    return 1;
}

/* The value of the given age: 0 is the newest, size - 1 the oldest. An age that is too high gives 0. */
INV_API long long ring_at(const struct ring *r, size_t age)
{
    if (age >= r->size)
        return 0;
    return r->values[(r->first + r->size - 1 - age) % RING_CAPACITY];
}
