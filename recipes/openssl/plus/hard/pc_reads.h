/*
 * For tests of what a function reads of a table: each read in the code of this file, told by the
 * compiler, and how much is copied of anything. Include it before what is tested, with
 * flags: ["-fsanitize=kernel-address", "--param=asan-instrumentation-with-call-threshold=0",
 * "--param=asan-globals=0", "--param=asan-stack=0"].
 */
#include <string.h>

#define PLUS_UNTOLD __attribute__((no_sanitize("kernel-address"), no_sanitize_coverage))

static const char *plus_reads_from, *plus_reads_to;
static unsigned long plus_reads;
static long plus_reads_outside;     /* within 4096 bytes of the table, and not of it */

PLUS_UNTOLD static void plus_read(const char *at, size_t size)
{
    if (plus_reads_from == NULL || size == 0)
        return;
    if (at >= plus_reads_from && at + size <= plus_reads_to)
        plus_reads = (plus_reads + (at - plus_reads_from) * 64 + size) * 1099511628211u;
    else if (at < plus_reads_to + 4096 && at + size > plus_reads_from - 4096)
        plus_reads_outside++;
}

PLUS_UNTOLD static void plus_reads_begin(const void *table, size_t size)
{
    plus_reads_from = table;
    plus_reads_to = plus_reads_from + size;
    plus_reads = 0;
    plus_reads_outside = 0;
}

PLUS_UNTOLD static unsigned long plus_reads_end(void)
{
    plus_reads_from = NULL;
    return plus_reads;
}

#define PLUS_READ_OF(n) \
    PLUS_UNTOLD void __asan_load##n##_noabort(const void *at) { plus_read(at, n); } \
    PLUS_UNTOLD void __asan_store##n##_noabort(const void *at) { }
PLUS_READ_OF(1)
PLUS_READ_OF(2)
PLUS_READ_OF(4)
PLUS_READ_OF(8)
PLUS_READ_OF(16)
PLUS_UNTOLD void __asan_loadN_noabort(const void *at, size_t size) { plus_read(at, size); }
PLUS_UNTOLD void __asan_storeN_noabort(const void *at, size_t size) { }
PLUS_UNTOLD void __asan_handle_no_return(void) { }

PLUS_UNTOLD static void *plus_memmove(void *to, const void *from, size_t size)
{
    plus_read(from, size);
    plus_reads = (plus_reads + size) * 1099511628211u;
    return memmove(to, from, size);
}
#undef memcpy
#undef memmove
#define memcpy plus_memmove
#define memmove plus_memmove
