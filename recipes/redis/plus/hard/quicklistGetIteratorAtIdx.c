/*---
 * tasks: [quicklistNext-d720b0.4, quicklistNext-d720b0.8, quicklistNext-d720b0.16]
 * tests:
 *   an index counts from the head: 'Comment: "at a specific offset"; quicklistGetIteratorEntryAtIdx: "0 is the head".'
 *   a negative index counts from the tail: 'quicklistGetIteratorEntryAtIdx: "-1 is the last element, -2 the penultimate".'
 *   forward the elements behind follow: 'Comment: "return nodes in ''direction'' direction".'
 *   in reverse the elements before follow: 'The same; index and direction are independent.'
 *   in lists of any shape: 'quicklist.h: nodes of different counts; fill, compress.'
 *   an index past the end gives NULL: 'quicklistGetIteratorEntryAtIdx: "If the index is out of range"; callers test it.'
 *   an empty list gives NULL: 'The same.'
 *   the iterator knows its list and direction: 'quicklist.h: quicklistIter.'
 *   it stands before its element: 'quicklist.h: zi; quicklistNext: the first call gives it.'
 *   its offset leads to the element in its node: 'quicklist.h: offset, "offset in current listpack".'
 *   ranges are deleted by it: 'Caller quicklistDelRange.'
 *   elements may be deleted from there on: 'quicklistNext: "You *may* delete"; LREM begins at 0 and at -1.'
 *   the list is left as it is: 'Name; LRANGE.'
 *   nothing is left behind: 'quicklistReleaseIterator; NULL is no iterator.'
 ---*/
#include "quicklisttest.h"

static int gives(quicklist *ql, int direction, long long idx, const char *want) {
    return !strcmp(rest(quicklistGetIteratorAtIdx(ql,direction,idx)),want);
}

int main(void) {
    quicklistEntry e;
    quicklist *ql = listOf(50,3,1), *none = quicklistNew(3,0);
    int all = compressed(ql), head = 1, tail = 1, forward = 1, reverse = 1, knows = 1, before = 1, leads = 1;
    for (int j = 0; j < 50; j++) {
        for (int direction = 0; direction < 2; direction++) {
            quicklistIter *iter = quicklistGetIteratorAtIdx(ql,direction,j);
            knows &= iter->quicklist == ql && iter->direction == direction;
            before &= iter->zi == NULL;
            head &= quicklistNext(iter,&e) && numberOf(&e) == j;
            leads &= QL_NODE_IS_PLAIN(e.node) || lpSeek(e.node->entry,iter->offset) == e.zi;
            if (direction == AL_START_HEAD) forward &= !strcmp(rest(iter),j < 49 ? range(j+1,49) : "");
            else reverse &= !strcmp(rest(iter),j > 0 ? range(j-1,0) : "");
            iter = quicklistGetIteratorAtIdx(ql,direction,-j-1);
            knows &= iter->quicklist == ql && iter->direction == direction;
            before &= iter->zi == NULL;
            tail &= quicklistNext(iter,&e) && numberOf(&e) == 49-j;
            leads &= QL_NODE_IS_PLAIN(e.node) || lpSeek(e.node->entry,iter->offset) == e.zi;
            if (direction == AL_START_HEAD) forward &= !strcmp(rest(iter),j > 0 ? range(50-j,49) : "");
            else reverse &= !strcmp(rest(iter),j < 49 ? range(48-j,0) : "");
        }
    }
    test_cond("an index counts from the head", head);
    test_cond("a negative index counts from the tail", tail);
    test_cond("forward the elements behind follow", forward);
    test_cond("in reverse the elements before follow", reverse);
    int shapes = 1;
    for (int n = 1; n <= 13; n++) {
        for (int fill = 1; fill <= 14; fill++) {
            quicklist *l = listOf(n,fill,fill % 3);
            for (int j = 0; j < n; j++) {
                shapes &= gives(l,AL_START_HEAD,j,range(j,n-1)) && gives(l,AL_START_TAIL,j,range(j,0));
                shapes &= gives(l,AL_START_HEAD,-j-1,range(n-1-j,n-1)) && gives(l,AL_START_TAIL,-j-1,range(n-1-j,0));
            }
            shapes &= !quicklistGetIteratorAtIdx(l,AL_START_HEAD,n) && !quicklistGetIteratorAtIdx(l,AL_START_TAIL,-n-1);
            quicklistRelease(l);
        }
    }
    test_cond("in lists of any shape", shapes);
    int past = 1, empty = 1;
    long long far[] = {50,51,1000,4294967296LL,LLONG_MAX,-51,-52,-4294967297LL,-LLONG_MAX};
    for (size_t j = 0; j < sizeof(far)/sizeof(*far); j++) {
        for (int direction = 0; direction < 2; direction++) {
            past &= quicklistGetIteratorAtIdx(ql,direction,far[j]) == NULL;
            empty &= quicklistGetIteratorAtIdx(none,direction,far[j]) == NULL;
            empty &= !quicklistGetIteratorAtIdx(none,direction,0) && !quicklistGetIteratorAtIdx(none,direction,-1);
        }
    }
    test_cond("an index past the end gives NULL", past);
    test_cond("an empty list gives NULL", empty);
    test_cond("the iterator knows its list and direction", knows);
    test_cond("it stands before its element", before);
    test_cond("its offset leads to the element in its node", leads);
    test_cond("the list is left as it is", all > 5 && compressed(ql) == all && consists(ql,range(0,49)));

    int ranges = 1;
    for (int from = -12; from < 12; from++) {
        for (int len = 1; len <= 12; len++) {
            quicklist *l = listOf(12,4,1);
            int at = from < 0 ? 12+from : from, stop = at+len-1 < 12 ? at+len-1 : 11;
            quicklistDelRange(l,from,len);
            char want[200] = "";
            for (int j = 0; j < 12; j++) if (j < at || j > stop) sprintf(want+strlen(want),"%d ",j);
            ranges &= consists(l,want);
            quicklistRelease(l);
        }
    }
    test_cond("ranges are deleted by it", ranges);
    int deleted = 1;
    for (int from = 0; from < 20; from++) {
        for (int direction = 0; direction < 2; direction++) {
            quicklist *l = listOf(20,4,1);
            quicklistIter *iter = quicklistGetIteratorAtIdx(l,direction,direction == AL_START_HEAD ? from : -from-1);
            for (int n = 0; n < 20 && quicklistNext(iter,&e); n++) if (numberOf(&e) % 3) quicklistDelEntry(iter,&e);
            quicklistReleaseIterator(iter);
            char want[200] = "";
            for (int j = 0; j < 20; j++) {
                if (j % 3 == 0 || (direction == AL_START_HEAD ? j < from : j > 19-from)) sprintf(want+strlen(want),"%d ",j);
            }
            deleted &= consists(l,want);
            quicklistRelease(l);
        }
    }
    test_cond("elements may be deleted from there on", deleted);
    size_t used = zmalloc_used_memory();
    for (int j = 0; j < 20; j++) {
        quicklistReleaseIterator(quicklistGetIteratorAtIdx(ql,AL_START_HEAD,j));
        quicklistGetIteratorAtIdx(ql,AL_START_HEAD,50+j);
        quicklistGetIteratorAtIdx(none,AL_START_TAIL,j);
    }
    test_cond("nothing is left behind", zmalloc_used_memory() == used);
    test_report();
    return 0;
}
