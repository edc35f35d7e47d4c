/*---
 * tasks: [quicklistNext-d720b0.8, quicklistNext-d720b0.16]
 * instead: [src/quicklist.o]
 * tests:
 *   the node is gone: 'The name: DelNode.'
 *   its neighbours are linked: 'quicklistNode: prev, next.'
 *   the first node: 'quicklist: head.'
 *   the last node: 'quicklist: tail.'
 *   the only node: 'quicklist: head, tail.'
 *   the list counts one node less: 'quicklist: len.'
 *   the list counts its elements less: 'quicklist: count.'
 *   a bookmark moves to the next node: 'Bookmarks: "when used and then deleted"; upstreams test of bookmarks.'
 *   a bookmark of the last node is gone: 'Upstreams test of bookmarks.'
 *   another bookmark stays: 'quicklistBookmark.'
 *   compressed nodes that are within the ends now are not compressed: 'quicklist: compress, "depth of end nodes not to compress".'
 *   plain and compressed nodes: 'quicklistNode: container, encoding.'
 *   its memory is freed: 'quicklistRelease.'
 ---*/
#include "../quicklist.c"
#include "../testhelp.h"

static quicklist *ql;

/* A list of the numbers below n as texts "e0", "e1", ..., in nodes of `fill`. */
static void make(int fill, int compress, int n) {
    if (ql) quicklistRelease(ql);
    ql = quicklistNew(fill, compress);
    char text[100];
    for (int j = 0; j < n; j++) {
        int len = snprintf(text, sizeof(text), compress ? "e%d with some more text for the compression of a node" : "e%d", j);
        quicklistPushTail(ql, text, len);
    }
}

/* The numbers, each as a character from 'A' on. */
static int holds(const char *want) {
    char got[300] = "";
    int n = 0;
    quicklistEntry entry;
    quicklistIter *iter = quicklistGetIterator(ql, AL_START_HEAD);
    while (quicklistNext(iter, &entry) && n < 290) got[n++] = entry.value && entry.value[0] == 'e' ? 'A' + atoi((char *)entry.value + 1) : '#';
    quicklistReleaseIterator(iter);
    got[n] = '\0';
    return !strcmp(got, want);
}

static int sound(void) {
    unsigned long nodes = 0, count = 0;
    quicklistNode *before = NULL;
    int right = 1;
    for (quicklistNode *node = ql->head; node; before = node, node = node->next) {
        nodes++, count += node->count;
        right &= node->prev == before && node->count > 0;
        if (node->encoding == QUICKLIST_NODE_ENCODING_RAW && !QL_NODE_IS_PLAIN(node))
            right &= node->count == lpLength(node->entry) && node->sz == lpBytes(node->entry);
    }
    return right && ql->tail == before && nodes == ql->len && count == ql->count;
}

static int depthIsRight(void) {
    int right = 1;
    if (!ql->compress || ql->len <= 2u * ql->compress) {
        for (quicklistNode *node = ql->head; node; node = node->next) right &= !quicklistNodeIsCompressed(node);
        return right;
    }
    unsigned long at = 0;
    for (quicklistNode *node = ql->head; node; node = node->next, at++) {
        int end = at < ql->compress || at >= ql->len - ql->compress;
        right &= end ? !quicklistNodeIsCompressed(node) : quicklistNodeIsCompressed(node) || node->sz < 48 || node->attempted_compress;
    }
    return right;
}

static quicklistNode *nth(int n) {
    quicklistNode *node = ql->head;
    while (n--) node = node->next;
    return node;
}

int main(void) {
    size_t memory = zmalloc_used_memory();
    make(2, 0, 8);
    __quicklistDelNode(ql, nth(1));
    test_cond("the node is gone", holds("ABEFGH"));
    test_cond("its neighbours are linked", ql->head->next->prev == ql->head && sound());
    int less = ql->len == 3, elements = ql->count == 6;
    __quicklistDelNode(ql, ql->head);
    test_cond("the first node", holds("EFGH") && sound() && !ql->head->prev);
    __quicklistDelNode(ql, ql->tail);
    test_cond("the last node", holds("EF") && sound() && !ql->tail->next);
    __quicklistDelNode(ql, ql->head);
    test_cond("the only node", holds("") && !ql->head && !ql->tail && ql->len == 0);
    test_cond("the list counts one node less", less && ql->len == 0);
    test_cond("the list counts its elements less", elements && ql->count == 0);
    make(1, 0, 6);
    quicklistBookmarkCreate(&ql, "second", nth(1)), quicklistBookmarkCreate(&ql, "last", ql->tail), quicklistBookmarkCreate(&ql, "other", nth(3));
    quicklistNode *third = nth(2), *fourth = nth(3);
    __quicklistDelNode(ql, nth(1));
    test_cond("a bookmark moves to the next node", quicklistBookmarkFind(ql, "second") == third);
    __quicklistDelNode(ql, ql->tail);
    test_cond("a bookmark of the last node is gone", quicklistBookmarkFind(ql, "last") == NULL);
    test_cond("another bookmark stays", quicklistBookmarkFind(ql, "other") == fourth && ql->bookmark_count == 2 && holds("ACDE"));
    int depth = 1;
    for (int compress = 1; compress < 4; compress++)
        for (int at = 0; at < 8; at++) {
            make(2, compress, 16);
            __quicklistDelNode(ql, nth(at));
            depth &= depthIsRight() && sound() && ql->count == 14;
        }
    test_cond("compressed nodes that are within the ends now are not compressed", depth);
    make(2, 1, 8);
    int kinds = quicklistNodeIsCompressed(nth(1));
    __quicklistDelNode(ql, nth(1));
    kinds &= holds("ABEFGH") && sound();
    char large[80];
    memset(large, 'L', sizeof(large));
    quicklistisSetPackedThreshold(50);
    quicklistPushTail(ql, large, sizeof(large));
    kinds &= QL_NODE_IS_PLAIN(ql->tail);
    __quicklistDelNode(ql, ql->tail);
    test_cond("plain and compressed nodes", kinds && holds("ABEFGH") && sound());
    quicklistRelease(ql);
    test_cond("its memory is freed", zmalloc_used_memory() == memory);
    test_report();
    return 0;
}
