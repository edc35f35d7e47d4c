/*---
 * tasks: [quicklistNext-d720b0.8, quicklistNext-d720b0.16]
 * instead: [src/quicklist.o]
 * tests:
 *   the element is gone: 'Comment: "Delete one element represented by entry".'
 *   going on to the tail no element is left out or met twice: 'Callers go on with quicklistNext: listTypeDelete.'
 *   going on to the head no element is left out or met twice: 'Callers go on with quicklistNext: listTypeDelete.'
 *   all elements, both ways: 'LREM.'
 *   the first and the last of a node: 'Comment: "the proper position in the correct listpack in the correct quicklist node".'
 *   nodes that become empty: 'quicklistDelIndex: 1 if the entire node was deleted.'
 *   plain nodes: 'quicklistNode: container PLAIN.'
 *   compressed lists: 'quicklist: compress.'
 *   the list stays sound: 'quicklist: count, len.'
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

static char seen[300];

/* Goes over the list and deletes the elements that are among `drop`; notes what it met. */
static void run(int direction, const char *drop) {
    quicklistEntry entry;
    quicklistIter *iter = quicklistGetIterator(ql, direction);
    int n = 0;
    while (quicklistNext(iter, &entry) && n < 290) {
        char name = entry.value[0] == 'e' ? 'A' + atoi((char *)entry.value + 1) : '#';
        seen[n++] = name;
        if (strchr(drop, name)) quicklistDelEntry(iter, &entry);
    }
    quicklistReleaseIterator(iter);
    seen[n] = '\0';
}

int main(void) {
    size_t memory = zmalloc_used_memory();
    int tail = 1, head = 1, all = 1, ends = 1, empty = 1, compressed = 1, stays = 1;
    make(4, 0, 8);
    run(AL_START_HEAD, "C");
    test_cond("the element is gone", holds("ABDEFGH"));
    const char *drops[] = {"A", "H", "D", "E", "DE", "ABCD", "EFGH", "ACEG", "BDFH", "ABCDEFG", "BCDEFGH"};
    for (int fill = 1; fill < 6; fill++)
        for (int compress = 0; compress < 2; compress++)
            for (int k = 0; k < 11; k++) {
                char want[20] = "";
                for (char c = 'A'; c <= 'H'; c++) if (!strchr(drops[k], c)) sprintf(want + strlen(want), "%c", c);
                make(fill, compress, 8);
                run(AL_START_HEAD, drops[k]);
                tail &= !strcmp(seen, "ABCDEFGH") && holds(want);
                stays &= sound();
                compressed &= !compress || depthIsRight() || fill > 1;
                make(fill, compress, 8);
                run(AL_START_TAIL, drops[k]);
                head &= !strcmp(seen, "HGFEDCBA") && holds(want);
                stays &= sound();
            }
    test_cond("going on to the tail no element is left out or met twice", tail);
    test_cond("going on to the head no element is left out or met twice", head);
    for (int fill = 1; fill < 6; fill++) {
        make(fill, 0, 8), run(AL_START_HEAD, "ABCDEFGH"), all &= holds("") && ql->len == 0 && !strcmp(seen, "ABCDEFGH");
        make(fill, 0, 8), run(AL_START_TAIL, "ABCDEFGH"), all &= holds("") && ql->len == 0 && !strcmp(seen, "HGFEDCBA");
    }
    test_cond("all elements, both ways", all);
    make(4, 0, 8), run(AL_START_HEAD, "ADEH"), ends &= holds("BCFG") && sound();
    test_cond("the first and the last of a node", ends);
    make(2, 0, 8), run(AL_START_TAIL, "CD"), empty &= holds("ABEFGH") && ql->len == 3 && !strcmp(seen, "HGFEDCBA");
    test_cond("nodes that become empty", empty);
    quicklistisSetPackedThreshold(50);
    char large[80];
    memset(large, 'L', sizeof(large));
    make(4, 0, 3);
    quicklistPushTail(ql, large, sizeof(large)), quicklistPushTail(ql, "e3", 2), quicklistPushTail(ql, large, sizeof(large));
    run(AL_START_HEAD, "#");
    test_cond("plain nodes", !strcmp(seen, "ABC#D#") && holds("ABCD") && sound());
    test_cond("compressed lists", compressed);
    test_cond("the list stays sound", stays);
    quicklistRelease(ql);
    test_cond("its memory is freed", zmalloc_used_memory() == memory);
    test_report();
    return 0;
}
