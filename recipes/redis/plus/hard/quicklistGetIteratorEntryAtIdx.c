/*---
 * tasks: [quicklistNext-d720b0.2, quicklistNext-d720b0.4, quicklistNext-d720b0.8, quicklistNext-d720b0.16]
 * tests:
 *   0 is the head and 1 the next element: 'Comment: "0 is the head, 1 is the element next to head and so on".'
 *   negative numbers count from the tail: 'Comment: "-1 is the last element, -2 the penultimate and so on".'
 *   an iterator is returned for an element: 'Comment: "Returns an iterator at a specific offset ''idx'' if element found".'
 *   NULL is returned where there is none: 'Comment: "Returns NULL if element not found".'
 *   an empty list has no element: 'Comment: "Returns NULL if element not found".'
 *   the iterator stands at the element: 'Comment: "an iterator at a specific offset".'
 *   the entry is that of the iterator: 'Comment: "Populate ''entry''"; quicklistReplaceEntry takes both.'
 *   its node is not compressed: 'quicklistReplaceEntry: "quicklistGetIteratorEntryAtIdx() provide an uncompressed node".'
 *   the node is compressed again by the release: 'quicklistReleaseIterator: "re-encode current node".'
 *   an element is replaced wherever it stands: 'Caller quicklistReplaceAtIndex.'
 *   an element that is not there is not replaced: 'quicklistReplaceAtIndex: "Returns 0 if replace failed and no changes happened".'
 *   an element may be deleted by it: 'quicklistDelEntry.'
 *   an element may be inserted beside it: 'quicklist.c: quicklistInsertAfter, quicklistInsertBefore.'
 *   the list is left as it is: 'LINDEX reads by it.'
 *   nothing is left behind: 'quicklistReleaseIterator; NULL is no iterator.'
 ---*/
#include "quicklisttest.h"

int main(void) {
    quicklistEntry e;
    quicklist *ql = listOf(50,3,1), *none = quicklistNew(3,0);
    int all = compressed(ql), head = 1, tail = 1, here = 1, at = 1, same = 1, raw = 1, again = 1;
    for (int j = -50; j < 50; j++) {
        memset(&e,0x5a,sizeof(e));
        quicklistIter *iter = quicklistGetIteratorEntryAtIdx(ql,j,&e);
        here &= iter != NULL;
        if (!iter) continue;
        if (j >= 0) head &= numberOf(&e) == j;
        else tail &= numberOf(&e) == 50+j;
        at &= iter->quicklist == ql && iter->current == e.node && (QL_NODE_IS_PLAIN(e.node) || iter->zi == e.zi);
        same &= e.quicklist == ql && (QL_NODE_IS_PLAIN(e.node) || lpSeek(e.node->entry,e.offset) == e.zi);
        raw &= !quicklistNodeIsCompressed(e.node) && compressed(ql) >= all-1;
        quicklistReleaseIterator(iter);
        again &= compressed(ql) == all;
    }
    test_cond("0 is the head and 1 the next element", head);
    test_cond("negative numbers count from the tail", tail);
    test_cond("an iterator is returned for an element", here);
    test_cond("NULL is returned where there is none", !quicklistGetIteratorEntryAtIdx(ql,50,&e) &&
              !quicklistGetIteratorEntryAtIdx(ql,-51,&e) && !quicklistGetIteratorEntryAtIdx(ql,1000,&e) &&
              !quicklistGetIteratorEntryAtIdx(ql,LLONG_MAX,&e) && !quicklistGetIteratorEntryAtIdx(ql,-LLONG_MAX,&e) &&
              !quicklistGetIteratorEntryAtIdx(ql,4294967296LL,&e));
    test_cond("an empty list has no element", !quicklistGetIteratorEntryAtIdx(none,0,&e) &&
              !quicklistGetIteratorEntryAtIdx(none,-1,&e));
    test_cond("the iterator stands at the element", at);
    test_cond("the entry is that of the iterator", same);
    test_cond("its node is not compressed", raw && all > 5);
    test_cond("the node is compressed again by the release", again && all > 5);
    test_cond("the list is left as it is", consists(ql,range(0,49)));

    int replaced = 1, kept = 1, deleted = 1, inserted = 1;
    for (int j = -13; j < 13; j++) {
        int where = j < 0 ? 13+j : j;
        for (int n = 99; n <= 101; n++) {
            char value[300], want[200] = "", less[200] = "", more[200] = "";
            size_t len = element(n,value);
            for (int k = 0; k < 13; k++) {
                sprintf(want+strlen(want),"%d ",k == where ? n : k);
                if (k != where) sprintf(less+strlen(less),"%d ",k);
                if (k == where) sprintf(more+strlen(more),n == 100 ? "%2$d %1$d " : "%1$d %2$d ",k,n);
                else sprintf(more+strlen(more),"%d ",k);
            }
            quicklist *l = listOf(13,5,1);
            replaced &= quicklistReplaceAtIndex(l,j,value,len) == 1 && consists(l,want);
            kept &= !quicklistReplaceAtIndex(l,13,value,len) && !quicklistReplaceAtIndex(l,-14,value,len) &&
                    consists(l,want);
            quicklistRelease(l);
            l = listOf(13,5,1);
            quicklistIter *iter = quicklistGetIteratorEntryAtIdx(l,j,&e);
            if (iter) quicklistDelEntry(iter,&e);
            quicklistReleaseIterator(iter);
            deleted &= consists(l,less);
            quicklistRelease(l);
            l = listOf(13,5,1);
            iter = quicklistGetIteratorEntryAtIdx(l,j,&e);
            if (iter && n == 100) quicklistInsertBefore(iter,&e,value,len);
            else if (iter) quicklistInsertAfter(iter,&e,value,len);
            quicklistReleaseIterator(iter);
            inserted &= consists(l,more);
            quicklistRelease(l);
        }
    }
    test_cond("an element is replaced wherever it stands", replaced);
    test_cond("an element that is not there is not replaced", kept);
    test_cond("an element may be deleted by it", deleted);
    test_cond("an element may be inserted beside it", inserted);
    size_t used = 0;
    for (int j = 0; j < 60; j++) {
        if (j == 10) used = zmalloc_used_memory();
        quicklistReleaseIterator(quicklistGetIteratorEntryAtIdx(ql,j % 50,&e));
        quicklistReleaseIterator(quicklistGetIteratorEntryAtIdx(none,0,&e));
        quicklistReleaseIterator(quicklistGetIteratorEntryAtIdx(ql,50+j,&e));
    }
    test_cond("nothing is left behind", zmalloc_used_memory() == used);
    test_report();
    return 0;
}
