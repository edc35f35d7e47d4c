/*---
 * tasks: [quicklistNext-d720b0.8, quicklistNext-d720b0.16]
 * instead: [src/quicklist.o]
 * tests:
 *   a range within a node: 'Comment: "Delete a range of elements from the quicklist".'
 *   a range over several nodes: 'Comment: "elements may span across multiple quicklistNodes".'
 *   whole nodes: 'Comment: "may span across multiple quicklistNodes".'
 *   from the begin and to the end: 'Comment: a range.'
 *   the whole list: 'Comment: a range.'
 *   a start counted from the end: 'The name start: negative ones count from the tail, as in LREM.'
 *   more than there are is all that there are: 'Callers pass counts; LTRIM.'
 *   more than there are from a negative start: 'Callers; LTRIM.'
 *   1 where something was deleted: 'Comment: "Returns 1 if entries were deleted".'
 *   0 for a count of 0 or less: 'Comment: "0 if nothing was deleted".'
 *   0 for a start beyond the end: 'Comment: "0 if nothing was deleted".'
 *   count and nodes are right: 'quicklist: count, len.'
 *   plain nodes: 'quicklistNode: container PLAIN.'
 *   the ends stay uncompressed: 'quicklist: compress, "depth of end nodes not to compress".'
 *   every range of a list: 'Comment: a range.'
 *   the memory is freed: 'quicklistRelease.'
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
    int one = 1, counts = 1, zero = 1;
    make(8, 0, 8);
    one &= quicklistDelRange(ql, 2, 3) == 1;
    test_cond("a range within a node", holds("ABFGH") && ql->len == 1);
    counts &= sound() && ql->count == 5;
    make(3, 0, 10);
    one &= quicklistDelRange(ql, 2, 5) == 1;
    test_cond("a range over several nodes", holds("ABHIJ"));
    counts &= sound() && ql->count == 5;
    make(3, 0, 12);
    one &= quicklistDelRange(ql, 3, 6) == 1;
    test_cond("whole nodes", holds("ABCJKL") && ql->len == 2);
    counts &= sound();
    make(3, 0, 10);
    quicklistDelRange(ql, 0, 4);
    int ends = holds("EFGHIJ");
    quicklistDelRange(ql, 3, 3);
    test_cond("from the begin and to the end", ends && holds("EFG"));
    counts &= sound();
    make(3, 0, 10);
    one &= quicklistDelRange(ql, 0, 10) == 1;
    test_cond("the whole list", holds("") && ql->count == 0 && ql->len == 0 && !ql->head && !ql->tail);
    make(3, 0, 10);
    one &= quicklistDelRange(ql, -4, 2) == 1;
    int behind = holds("ABCDEFIJ");
    quicklistDelRange(ql, -1, 1);
    behind &= holds("ABCDEFI");
    quicklistDelRange(ql, -7, 3);
    test_cond("a start counted from the end", behind && holds("DEFI"));
    counts &= sound();
    make(3, 0, 10);
    quicklistDelRange(ql, 7, 100);
    test_cond("more than there are is all that there are", holds("ABCDEFG") && sound());
    make(3, 0, 10);
    quicklistDelRange(ql, -3, 100);
    test_cond("more than there are from a negative start", holds("ABCDEFG") && sound());
    test_cond("1 where something was deleted", one);
    zero &= quicklistDelRange(ql, 2, 0) == 0 && quicklistDelRange(ql, 2, -3) == 0;
    test_cond("0 for a count of 0 or less", zero && holds("ABCDEFG"));
    test_cond("0 for a start beyond the end", quicklistDelRange(ql, 100, 3) == 0 && quicklistDelRange(ql, -100, 1) == 0 && holds("ABCDEFG"));
    test_cond("count and nodes are right", counts);
    quicklistisSetPackedThreshold(50);
    char large[80];
    memset(large, 'L', sizeof(large));
    make(3, 0, 5);
    quicklistPushTail(ql, large, sizeof(large)), quicklistPushTail(ql, large, sizeof(large)), quicklistPushTail(ql, "e5", 2);
    quicklistDelRange(ql, 4, 2);
    int plain = holds("ABCD#F") && sound();
    quicklistDelRange(ql, 4, 1);
    test_cond("plain nodes", plain && holds("ABCDF") && sound());
    quicklistisSetPackedThreshold(1 << 20);
    int depth = 1, every = 1;
    for (int compress = 1; compress < 3; compress++)
        for (int start = 0; start < 20; start += 3) {
            make(2, compress, 20);
            quicklistDelRange(ql, start, 4);
            depth &= depthIsRight() && sound();
        }
    test_cond("the ends stay uncompressed", depth);
    for (int fill = 1; fill < 6; fill += 2)
        for (int start = 0; start < 9; start++)
            for (int count = 1; count < 11; count++) {
                char want[20] = "";
                for (int j = 0; j < 9; j++) if (j < start || j >= start + count) sprintf(want + strlen(want), "%c", 'A' + j);
                make(fill, 0, 9);
                every &= quicklistDelRange(ql, start, count) == 1 && holds(want) && sound();
                make(fill, 0, 9);
                every &= quicklistDelRange(ql, start - 9, count) == 1 && holds(want) && sound();
            }
    test_cond("every range of a list", every);
    quicklistRelease(ql);
    test_cond("the memory is freed", zmalloc_used_memory() == memory);
    test_report();
    return 0;
}
