/* A buffer that ends where the next page can't be touched, so that a read or a write behind it is a crash. */
#ifndef PLUS_EDGE_H
#define PLUS_EDGE_H

#include <string.h>
#include <sys/mman.h>

static unsigned char *edge_end;

/* The last `size` bytes before the forbidden page, filled from `from`. */
static unsigned char *at_edge(const void *from, size_t size) {
    if (edge_end == NULL) {
        unsigned char *p = mmap(NULL, 3 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        mprotect(p + 2 * 4096, 4096, PROT_NONE);
        edge_end = p + 2 * 4096;
    }
    memcpy(edge_end - size, from, size);
    return edge_end - size;
}

#endif
