/*---
 * tasks: [lzf_decompress-7fb8aa.8]
 * instead: [src/quicklist.o]
 * tests:
 *   a node without an entry: 'quicklistNode: entry, count, sz.'
 *   a node without neighbours: 'quicklistNode: prev, next.'
 *   it is not compressed: 'quicklistNode: encoding RAW.'
 *   it is for a listpack: 'quicklistNode: container PACKED "(listpack with multiple items)".'
 *   it may be compressed: 'quicklistNode: recompress, dont_compress "prevent compression of entry".'
 *   all of this also where the memory was used before: 'zmalloc does not clear memory.'
 *   each is a new one: 'The name.'
 ---*/
#include "../quicklist.c"
#include "../testhelp.h"

int main(void) {
    int entry = 1, neighbours = 1, raw = 1, packed = 1, may = 1, each = 1;
    quicklistNode *last = NULL;
    for (int j = 0; j < 50; j++) {
        void *dirty = zmalloc(sizeof(quicklistNode));
        memset(dirty, 0xff, sizeof(quicklistNode));
        zfree(dirty);
        quicklistNode *node = quicklistCreateNode();
        entry &= !node->entry && node->count == 0 && node->sz == 0;
        neighbours &= !node->prev && !node->next;
        raw &= node->encoding == QUICKLIST_NODE_ENCODING_RAW;
        packed &= node->container == QUICKLIST_NODE_CONTAINER_PACKED;
        may &= node->recompress == 0 && node->dont_compress == 0;
        each &= node != last;
        last = node;
        if (j % 2) zfree(node), last = NULL;
    }
    test_cond("a node without an entry", entry);
    test_cond("a node without neighbours", neighbours);
    test_cond("it is not compressed", raw);
    test_cond("it is for a listpack", packed);
    test_cond("it may be compressed", may);
    test_cond("all of this also where the memory was used before", entry && neighbours && raw && packed && may);
    test_cond("each is a new one", each);
    test_report();
    return 0;
}
