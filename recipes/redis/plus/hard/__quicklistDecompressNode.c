/*---
 * tasks: [lzf_decompress-7fb8aa.2, lzf_decompress-7fb8aa.4, lzf_decompress-7fb8aa.8]
 * instead: [src/quicklist.o]
 * tests:
 *   a compressed node gets its listpack back: 'Comment: "Uncompress the listpack in ''node''".'
 *   a plain node gets its bytes back: 'quicklistNode: container PLAIN is "a single item as char array".'
 *   its encoding is raw again: 'Comment: "and update encoding details".'
 *   1 is returned: 'Comment: "Returns 1 on successful decode".'
 *   size, count and container stay: 'quicklistLZF: "uncompressed length is stored in quicklistNode->sz".'
 *   it is not to be compressed again at once: 'quicklistDecompressNodeForUse sets recompress behind it; quicklistDecompressNode does not.'
 *   it can be compressed and decompressed again: 'quicklistCompressNode; attempted_compress "used for verifying during testing".'
 *   0 is returned for broken data: 'Comment: "0 on failure to decode".'
 *   broken data stay compressed: 'Comment: "0 on failure to decode"; the node is still one of LZF.'
 *   the compressed bytes are freed: 'The node''s entry is the listpack then.'
 *   nothing is left behind after a failure: 'Comment: "0 on failure to decode".'
 ---*/
#include "../quicklist.c"
#include "../testhelp.h"

static unsigned char *makeListpack(void) {
    unsigned char *lp = lpNew(0);
    char text[40];
    for (int j = 0; j < 60; j++) lp = lpAppend(lp, (unsigned char *)text, snprintf(text, sizeof(text), "element number %d", j));
    return lp;
}

/* Between two others: the ends of a list are never compressed. */
static quicklistNode neighbour;

static quicklistNode *makeNode(void) {
    quicklistNode *node = quicklistCreateNode();
    node->prev = node->next = &neighbour;
    node->entry = makeListpack();
    node->count = lpLength(node->entry);
    quicklistNodeUpdateSz(node);
    __quicklistCompressNode(node);
    return node;
}

int main(void) {
    unsigned char *want = makeListpack();
    quicklistNode *node = makeNode();
    int compressed = quicklistNodeIsCompressed(node);
    size_t size = node->sz;
    node->recompress = 1;
    int told = __quicklistDecompressNode(node);
    test_cond("a compressed node gets its listpack back", compressed && !memcmp(node->entry, want, lpBytes(want)));
    int raw = node->encoding == QUICKLIST_NODE_ENCODING_RAW, again = node->recompress == 0;
    int kept = node->sz == size && size == lpBytes(want) && node->count == 60 && node->container == QUICKLIST_NODE_CONTAINER_PACKED;
    char text[2000];
    for (int j = 0; j < 2000; j++) text[j] = j % 10;
    quicklistNode *plain = __quicklistCreateNode(QUICKLIST_NODE_CONTAINER_PLAIN, text, sizeof(text));
    plain->prev = plain->next = &neighbour;
    __quicklistCompressNode(plain);
    compressed = quicklistNodeIsCompressed(plain);
    told &= __quicklistDecompressNode(plain);
    test_cond("a plain node gets its bytes back", compressed && !memcmp(plain->entry, text, sizeof(text)));
    test_cond("its encoding is raw again", raw && plain->encoding == QUICKLIST_NODE_ENCODING_RAW);
    test_cond("1 is returned", told == 1);
    test_cond("size, count and container stay", kept && plain->sz == 2000 && plain->container == QUICKLIST_NODE_CONTAINER_PLAIN);
    test_cond("it is not to be compressed again at once", again && plain->recompress == 0);
    int same = 1;
    for (int j = 0; j < 5; j++) {
        same &= __quicklistCompressNode(node) && node->attempted_compress && quicklistNodeIsCompressed(node);
        same &= __quicklistDecompressNode(node) == 1 && !node->attempted_compress && !memcmp(node->entry, want, lpBytes(want));
    }
    test_cond("it can be compressed and decompressed again", same);
    quicklistNode *broken = makeNode();
    quicklistLZF *lzf = (quicklistLZF *)broken->entry;
    lzf->compressed[0] = (char)0xff;
    size_t before = zmalloc_used_memory();
    test_cond("0 is returned for broken data", __quicklistDecompressNode(broken) == 0);
    test_cond("broken data stay compressed", quicklistNodeIsCompressed(broken) && broken->entry == (unsigned char *)lzf &&
              broken->sz == size && broken->count == 60);
    int clean = zmalloc_used_memory() == before;
    before = zmalloc_used_memory();
    for (int j = 0; j < 20; j++) {
        quicklistNode *one = makeNode();
        __quicklistDecompressNode(one);
        zfree(one->entry);
        zfree(one);
    }
    test_cond("the compressed bytes are freed", zmalloc_used_memory() == before);
    test_cond("nothing is left behind after a failure", clean);
    test_report();
    return 0;
}
