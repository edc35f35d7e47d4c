/*---
 * tasks: [quicklistNext-d720b0.8, quicklistNext-d720b0.16]
 * instead: [src/quicklist.o]
 * tests:
 *   the element is gone: 'Comment: "Delete one entry from list".'
 *   0 while the node has others: 'Comment: "0 if node still exists".'
 *   1 when the whole node went: 'Comment: "Returns 1 if the entire node was deleted".'
 *   the pointer is at the next element: 'Comment: "Also updates in/out param p with the next offset in the listpack".'
 *   the pointer is NULL behind the last element: 'lpDelete: NULL when the last was deleted.'
 *   list and node count one less: 'quicklist: count; quicklistNode: count.'
 *   the node knows its size: 'quicklistNode: sz.'
 *   a plain node is deleted whole: 'quicklistNode: container PLAIN, "a single item".'
 *   an empty node is taken out of the list: 'Comment: "the entire node was deleted".'
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

int main(void) {
    size_t memory = zmalloc_used_memory();
    make(4, 0, 8);
    unsigned char *p = lpSeek(ql->head->entry, 1);
    int told = quicklistDelIndex(ql, ql->head, &p);
    test_cond("the element is gone", holds("ACDEFGH"));
    test_cond("0 while the node has others", told == 0);
    int next = p && p == lpSeek(ql->head->entry, 1) && !memcmp(p + 1, "e2", 2);
    int counts = ql->count == 7 && ql->head->count == 3 && sound();
    p = lpSeek(ql->head->entry, 0);
    quicklistDelIndex(ql, ql->head, &p);
    test_cond("the pointer is at the next element", next && p == lpFirst(ql->head->entry) && !memcmp(p + 1, "e2", 2));
    p = lpSeek(ql->tail->entry, -1);
    quicklistDelIndex(ql, ql->tail, &p);
    test_cond("the pointer is NULL behind the last element", p == NULL && holds("CDEFG"));
    test_cond("list and node count one less", counts && ql->count == 5 && ql->head->count == 2 && ql->tail->count == 3);
    test_cond("the node knows its size", sound() && ql->head->sz == lpBytes(ql->head->entry));
    make(1, 0, 3);
    p = lpFirst(ql->head->next->entry);
    told = quicklistDelIndex(ql, ql->head->next, &p);
    test_cond("1 when the whole node went", told == 1);
    test_cond("an empty node is taken out of the list", holds("AC") && ql->len == 2 && ql->count == 2 && sound());
    quicklistisSetPackedThreshold(50);
    char large[80];
    memset(large, 'L', sizeof(large));
    quicklistPushTail(ql, large, sizeof(large));
    p = ql->tail->entry;
    told = quicklistDelIndex(ql, ql->tail, &p);
    test_cond("a plain node is deleted whole", told == 1 && holds("AC") && ql->len == 2 && ql->count == 2 && sound());
    quicklistRelease(ql);
    test_cond("its memory is freed", zmalloc_used_memory() == memory);
    test_report();
    return 0;
}
