/* An allocator for Bullet that fills what it gives, sees writes behind a block's end, and counts what is still held. */
#ifndef GUARDALLOC_H
#define GUARDALLOC_H
#include <cstdlib>
#include <cstring>
#include "LinearMath/btAlignedAllocator.h"

static int held = 0, overruns = 0;
struct GuardHead
{
	size_t size;
	char rest[56];
};
static void* guardedAlloc(size_t size, int alignment)
{
	void* p = 0;
	if (posix_memalign(&p, 64, sizeof(GuardHead) + size + 4096)) return 0;
	((GuardHead*)p)->size = size;
	char* block = (char*)p + sizeof(GuardHead);
	memset(block, 0xa5, size);
	memset(block + size, 0x5a, 4096);
	held++;
	return block;
}
static void guardedFree(void* block)
{
	if (!block) return;
	GuardHead* head = (GuardHead*)((char*)block - sizeof(GuardHead));
	for (size_t i = 0; i < 4096; i++)
		if (((char*)block)[head->size + i] != 0x5a)
		{
			overruns++;
			break;
		}
	held--;
	free(head);
}
static void guardAllocations() { btAlignedAllocSetCustomAligned(guardedAlloc, guardedFree); }
#endif
