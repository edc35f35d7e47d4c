/* Counts what is still allocated by Bullet's own allocators (both libraries'). */
#ifndef IDCOUNT_H
#define IDCOUNT_H
#include <cstdlib>
#include "Bullet3Common/b3AlignedAllocator.h"
#include "LinearMath/btAlignedAllocator.h"

static int outstanding = 0;
static void* countedAlloc(size_t size, int alignment)
{
	void* p = 0;
	if (posix_memalign(&p, alignment < 16 ? 16 : alignment, size ? size : 1)) return 0;
	/* What a constructor forgets must not happen to be zero. */
	for (size_t i = 0; i < size; i++) ((unsigned char*)p)[i] = 0xa5;
	outstanding++;
	return p;
}
static void countedFree(void* p)
{
	if (!p) return;
	outstanding--;
	free(p);
}
static void countAllocations()
{
	b3AlignedAllocSetCustomAligned(countedAlloc, countedFree);
	btAlignedAllocSetCustomAligned(countedAlloc, countedFree);
}
#endif
