#ifndef INV_CORE_ARRAY_H
#define INV_CORE_ARRAY_H

#include "core/api.h"

#include <stddef.h>

INV_BEGIN

/* A growing array of elements of one size, kept without gaps. */
struct array {
    unsigned char *data;
    size_t size;
    size_t capacity;
    size_t width;
};

INV_API void array_init(struct array *a, size_t width);
INV_API void array_free(struct array *a);
INV_API int array_reserve(struct array *a, size_t count);
INV_API int array_insert(struct array *a, size_t index, const void *element);
INV_API int array_push(struct array *a, const void *element);
INV_API void array_rotate(struct array *a, size_t count);

/* The element at `index`, or NULL behind the end. */
INV_INLINE void *array_at(const struct array *a, size_t index)
{
    return index < a->size ? a->data + index * a->width : NULL;
}

INV_END

#endif
