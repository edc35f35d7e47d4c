/*---
 * tasks: [lzf_decompress-7fb8aa.8]
 * tests:
 *   the list is empty: 'Comment: "Create a new quicklist"; quicklist: head, tail, count, len.'
 *   fill is what was asked for: 'quicklist: fill "is the user-requested (or default) fill factor".'
 *   fill is within its bounds: 'quicklistSetFill: at least -5, at most FILL_MAX.'
 *   compress is what was asked for: 'quicklist: compress.'
 *   compress is within its bounds: 'quicklistSetCompressDepth: at least 0, at most COMPRESS_MAX.'
 *   it has no bookmarks: 'quicklist: bookmark_count.'
 *   fill tells how many elements a node takes: 'quicklistNodeLimit.'
 *   two lists are apart: 'Comment: a new quicklist.'
 *   quicklistRelease frees it: 'quicklistCreate: "Free with quicklistRelease()".'
 ---*/
#include "../server.h"
#include "../testhelp.h"

int main(void) {
    size_t before = zmalloc_used_memory();
    quicklist *ql = quicklistNew(7, 3);
    test_cond("the list is empty", !ql->head && !ql->tail && ql->len == 0 && ql->count == 0);
    int bookmarks = ql->bookmark_count == 0;
    int fill = ql->fill == 7, compress = ql->compress == 3;
    quicklist *other = quicklistNew(-3, 0);
    test_cond("fill is what was asked for", fill && other->fill == -3);
    test_cond("compress is what was asked for", compress && other->compress == 0);
    quicklistPushTail(other, "x", 1);
    test_cond("two lists are apart", ql != other && ql->count == 0 && other->count == 1 && ql->fill == 7);
    quicklistRelease(ql);
    quicklistRelease(other);
    ql = quicklistNew(1 << 20, 1 << 20), other = quicklistNew(-100, -5);
    test_cond("fill is within its bounds", ql->fill == (1 << 15) - 1 && other->fill == -5);
    test_cond("compress is within its bounds", ql->compress == (1 << 16) - 1 && other->compress == 0);
    test_cond("it has no bookmarks", bookmarks && !quicklistBookmarkFind(ql, "_"));
    quicklistRelease(ql);
    quicklistRelease(other);
    ql = quicklistNew(2, 0);
    for (int j = 0; j < 5; j++) quicklistPushTail(ql, "x", 1);
    test_cond("fill tells how many elements a node takes", ql->len == 3 && ql->count == 5);
    quicklistRelease(ql);
    test_cond("quicklistRelease frees it", zmalloc_used_memory() == before);
    test_report();
    return 0;
}
