/*
 * For tests of constant_time.h: values at the edges, the two halves of a size_t told apart.
 */
#include "internal/e_os.h"
#include "internal/constant_time.h"
#include "internal/nelem.h"

static const unsigned int plus_words[] = { 0, 1, 2, 3, 0x7f, 0x80, 0x81, 0xff, 0x100, 0x101,
    0x7fff, 0x8000, 0xffff, 0x10000, 0x1000000, 0x7ffffffe, 0x7fffffff, 0x80000000, 0x80000001,
    0xff000000, 0xffffff00, 0xfffffffe, 0xffffffff };
#define PLUS_WORDS (int)OSSL_NELEM(plus_words)

/* The same, and each as the upper half. */
static size_t plus_size(int i)
{
    return i < PLUS_WORDS ? plus_words[i]
        : (size_t)plus_words[i - PLUS_WORDS] << (sizeof(size_t) * 4);
}
#define PLUS_SIZES (2 * PLUS_WORDS)

/* Numbers that seem random. */
static size_t plus_any(void)
{
    static uint64_t seed = 88172645463325252u;

    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (size_t)seed;
}
