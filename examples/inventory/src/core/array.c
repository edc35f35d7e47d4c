#include "core/array.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 8 };

/* Make `a` an empty array of elements of `width` bytes. It owns no memory yet. */
INV_API void array_init(struct array *a, size_t width)
{
    a->data = NULL;
    a->size = 0;
    a->capacity = 0;
    a->width = width;
}

/* Give the memory back. The array is empty afterwards, keeps its width and may be used again. */
INV_API void array_free(struct array *a)
{
    free(a->data);
    array_init(a, a->width);
}

/* Make room for at least `count` elements in all, without changing the size.
 *
 * The capacity starts at FIRST_CAPACITY (8) and doubles until it is enough; it never shrinks. Returns 1 when the
 * room is there. Returns 0, with the array as it was, when the number of bytes would not fit a size_t or memory
 * is short. */
INV_API int array_reserve(struct array *a, size_t count)
{
    size_t capacity = a->capacity > 0 ? a->capacity : FIRST_CAPACITY;
    if (count <= a->capacity)
        return 1;
    while (capacity < count) {
        if (capacity > SIZE_MAX / 2)
            return 0;
        capacity *= 2;
    }
    if (capacity > SIZE_MAX / a->width)
        return 0;
    unsigned char *data = realloc(a->data, capacity * a->width);
    if (data == NULL)
        return 0;
    a->data = data;
    a->capacity = capacity;
    return 1;
}

/* Copy `element` in before the element at `index`; index == size appends.
 *
 * Returns 0, with the array as it was, when index is past size or memory is short; else 1. */
INV_API int array_insert(struct array *a, size_t index, const void *element)
{
    if (index > a->size || !array_reserve(a, a->size + 1))
        return 0;
    unsigned char *place = a->data + index * a->width;
    memmove(place + a->width, place, (a->size - index) * a->width);
    memcpy(place, element, a->width);
    a->size++;
    return 1;
}

/* Append a copy of `element`. Returns 1, or 0 when memory is short. */
INV_API int array_push(struct array *a, const void *element)
{
    return array_insert(a, a->size, element);
}

/* Reverse the elements of the half-open range [first, last). */
static void reverse_range(struct array *a, size_t first, size_t last)
{
    while (first + 1 < last) {
        unsigned char *front = a->data + first * a->width;
        unsigned char *back = a->data + (last - 1) * a->width;
        for (size_t i = 0; i < a->width; i++) {
            unsigned char byte = front[i];
            front[i] = back[i];
            back[i] = byte;
        }
        first++;
        last--;
    }
}

/* Turn the array to the left: the first `count` elements go to the end, all keep their order.
 *
 * A count of size or more counts modulo the size. An empty array stays empty. Works in place, without memory. */
INV_API void array_rotate(struct array *a, size_t count)
{
    if (a->size == 0)
        return;
    count %= a->size;
    reverse_range(a, 0, count);
    reverse_range(a, count, a->size);
    reverse_range(a, 0, a->size);
}
