/*---
 * tasks: [lzf_decompress-7fb8aa.8]
 * tests:
 *   the copy has the same elements: 'Comment: "Duplicate the quicklist"; "a copy of the original quicklist is returned".'
 *   it has the same nodes: 'Comment: a copy.'
 *   fill and compress are the same: 'Comment: a copy; quicklist.'
 *   compressed nodes are copied: 'quicklistLZF: sz and the compressed bytes.'
 *   plain nodes are copied: 'quicklistNode: container PLAIN.'
 *   an empty list: 'Comment: a copy.'
 *   the copy shares no memory: 'Comment: "newly allocated quicklist".'
 *   a change of the copy leaves the original: 'Comment: "The original quicklist ... is never modified".'
 *   the copy can be changed as any list: 'Comment: a quicklist.'
 *   the original is as before: 'Comment: "The original quicklist ... is never modified".'
 *   both are freed apart: 'Comment: "newly allocated quicklist".'
 ---*/
#include "../server.h"
#include "../testhelp.h"

static sds text(quicklist *ql) {
    sds s = sdsempty();
    quicklistEntry entry;
    quicklistIter *iter = quicklistGetIterator(ql, AL_START_HEAD);
    while (quicklistNext(iter, &entry)) {
        if (entry.value) s = sdscatlen(s, entry.value, entry.sz);
        else s = sdscatfmt(s, "%I", entry.longval);
        s = sdscatlen(s, ",", 1);
    }
    quicklistReleaseIterator(iter);
    return s;
}

static int sameNodes(quicklist *a, quicklist *b) {
    quicklistNode *x = a->head, *y = b->head, *before = NULL;
    int same = a->len == b->len && a->count == b->count;
    for (; x && y; before = y, x = x->next, y = y->next)
        same &= x != y && x->entry != y->entry && x->count == y->count && x->sz == y->sz && x->encoding == y->encoding &&
                x->container == y->container && y->prev == before;
    return same && !x && !y && b->tail == before;
}

int main(void) {
    size_t memory = zmalloc_used_memory();
    quicklistisSetPackedThreshold(200);
    quicklist *ql = quicklistNew(4, 1);
    char item[400];
    for (int j = 0; j < 40; j++) {
        int n = j % 9 == 8 ? 300 : j % 4 ? 60 : 5;
        memset(item, 'a' + j % 26, n);
        quicklistPushTail(ql, item, n);
        if (j % 5 == 0) quicklistPushTail(ql, "1234", 4);
    }
    int packed = 0, plain = 0;
    for (quicklistNode *node = ql->head; node; node = node->next)
        packed += node->encoding == QUICKLIST_NODE_ENCODING_LZF, plain += node->container == QUICKLIST_NODE_CONTAINER_PLAIN;
    sds want = text(ql);
    quicklist *copy = quicklistDup(ql);
    sds got = text(copy);
    test_cond("the copy has the same elements", !sdscmp(want, got));
    test_cond("it has the same nodes", sameNodes(ql, copy));
    test_cond("fill and compress are the same", copy->fill == 4 && copy->compress == 1);
    test_cond("compressed nodes are copied", packed > 1 && !sdscmp(want, got));
    test_cond("plain nodes are copied", plain > 1 && sameNodes(ql, copy));
    quicklist *empty = quicklistNew(-1, 2), *twin = quicklistDup(empty);
    test_cond("an empty list", twin != empty && !twin->head && !twin->tail && twin->count == 0 && twin->len == 0 && twin->fill == -1 && twin->compress == 2);
    test_cond("the copy shares no memory", copy != ql && sameNodes(ql, copy));
    for (int j = 0; j < 10; j++) quicklistPushHead(copy, "new", 3), quicklistDelRange(copy, 15, 1);
    quicklistReplaceAtIndex(copy, 20, "replaced", 8);
    sds after = text(ql), changed = text(copy);
    test_cond("a change of the copy leaves the original", !sdscmp(after, want) && sdscmp(changed, want));
    test_cond("the copy can be changed as any list", quicklistCount(copy) == quicklistCount(ql) && !strncmp(changed, "new,new,", 8));
    test_cond("the original is as before", ql->fill == 4 && ql->compress == 1 && quicklistCount(ql) == 48);
    sdsfree(want), sdsfree(got), sdsfree(after), sdsfree(changed);
    quicklistRelease(empty), quicklistRelease(twin);
    quicklistRelease(ql);
    sds still = text(copy);
    int alive = !strncmp(still, "new,new,", 8);
    sdsfree(still);
    quicklistRelease(copy);
    test_cond("both are freed apart", alive && zmalloc_used_memory() == memory);
    test_report();
    return 0;
}
