/* Counts what is held: by Bullet's allocators and by new. */
#ifndef LIVE_MEMORY_H
#define LIVE_MEMORY_H

#include <new>
#include <stdlib.h>
#include <string.h>
#include "LinearMath/btAlignedAllocator.h"
#include "Bullet3Common/b3AlignedAllocator.h"

static int live;
static int filling = 0x41;  /* A double of 2261634.5. */

/* Fresh memory isn't zero, so that a field that nobody sets shows. */
static void* take(size_t size)
{
	void* p = 0;
	if (posix_memalign(&p, 16, size ? size : 1))
		abort();
	memset(p, filling, size);
	live++;
	return p;
}
static void drop(void* p)
{
	if (!p)
		return;
	live--;
	free(p);
}
static void* takeAligned(size_t size, int) { return take(size); }

static void countBullet()
{
	btAlignedAllocSetCustomAligned(takeAligned, drop);
	b3AlignedAllocSetCustomAligned(takeAligned, drop);
}

void* operator new(size_t size) { return take(size); }
void* operator new[](size_t size) { return take(size); }
void operator delete(void* p) noexcept { drop(p); }
void operator delete[](void* p) noexcept { drop(p); }
void operator delete(void* p, size_t) noexcept { drop(p); }
void operator delete[](void* p, size_t) noexcept { drop(p); }

#endif
