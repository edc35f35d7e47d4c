/*
 * memory_count.h, and once_left: N grants N more allocations, refuses one, and grants the rest;
 * negative, as at first and after that one, refuses none.
 */
#include <stdlib.h>
#include <string.h>

static long once_left = -1;

static int once_refuses(void)
{
    return once_left >= 0 && once_left-- == 0;
}

#define malloc(size) (once_refuses() ? NULL : (malloc)(size))
#ifdef SPY_BLOCKS
# include "block_spy.h"
#else
# include "memory_count.h"
#endif
#undef malloc

/* Ends the refusing; was one refused? */
static int once_refused(void)
{
    int refused = once_left < 0;

    once_left = -1;
    return refused;
}
