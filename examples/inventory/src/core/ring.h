#ifndef INV_CORE_RING_H
#define INV_CORE_RING_H

#include "core/api.h"

#include <stddef.h>

INV_BEGIN

enum { RING_CAPACITY = 16 };

/* The last RING_CAPACITY numbers, oldest first; `first` is the oldest one's place in `values`. */
struct ring {
    long long values[RING_CAPACITY];
    size_t first;
    size_t size;
};

INV_API void ring_init(struct ring *r);
INV_API int ring_push(struct ring *r, long long value);
INV_API int ring_pop(struct ring *r, long long *value);
INV_API long long ring_at(const struct ring *r, size_t age);

INV_END

#endif
