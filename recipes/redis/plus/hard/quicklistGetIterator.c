/*---
 * tasks: [quicklistNext-d720b0.4, quicklistNext-d720b0.8, quicklistNext-d720b0.16]
 * tests:
 *   from the head the first element comes first: 'Comment: "every call to quicklistNext() will return the next element"; AL_START_HEAD.'
 *   from the tail the last element comes first: 'quicklist.h: AL_START_TAIL.'
 *   all elements come: 'Comment: "every call to quicklistNext() will return the next element".'
 *   the iterator knows its list and direction: 'quicklist.h: quicklistIter.'
 *   it stands at the end node and before its element: 'quicklist.h: current, zi, "points to the current element", offset.'
 *   an empty list has an iterator too: 'Caller listTypeInitIterator aside, quicklistNext: 0 if iteration is not possible.'
 *   each call gives an iterator of its own: 'Comment: "Returns a quicklist iterator".'
 *   it may be released at once: 'quicklistReleaseIterator.'
 *   the list is left as it is: 'Name; nodes stay compressed until quicklistNext.'
 *   what memory held before does not matter: 'Comment: "After the initialization".'
 *   it is freed by its release: 'quicklistReleaseIterator: zfree.'
 ---*/
#include "quicklisttest.h"

/* Memory of this size that will be used again isn't zero. */
static void dirty(void) {
    void *p[64];
    for (int j = 0; j < 64; j++) p[j] = memset(zmalloc(sizeof(quicklistIter)),0x5a,sizeof(quicklistIter));
    for (int j = 0; j < 64; j++) zfree(p[j]);
}

int main(void) {
    quicklistEntry e;
    quicklist *ql = listOf(50,3,1), *none = quicklistNew(3,0), *one = listOf(1,3,0);
    int all = compressed(ql);
    dirty();
    quicklistIter *iter = quicklistGetIterator(ql,AL_START_HEAD), *tail = quicklistGetIterator(ql,AL_START_TAIL);
    test_cond("the iterator knows its list and direction", iter->quicklist == ql && iter->direction == AL_START_HEAD &&
              tail->quicklist == ql && tail->direction == AL_START_TAIL);
    test_cond("it stands at the end node and before its element", iter->current == ql->head && iter->zi == NULL &&
              iter->offset == 0 && tail->current == ql->tail && tail->zi == NULL && tail->offset == -1);
    test_cond("the list is left as it is", all > 5 && compressed(ql) == all && consists(ql,range(0,49)));
    test_cond("each call gives an iterator of its own", iter != tail);
    test_cond("from the head the first element comes first", quicklistNext(iter,&e) && numberOf(&e) == 0);
    test_cond("from the tail the last element comes first", quicklistNext(tail,&e) && numberOf(&e) == 49);
    int here = !strcmp(rest(iter),range(1,49));
    here &= !strcmp(rest(tail),range(48,0));
    test_cond("all elements come", here && !strcmp(rest(quicklistGetIterator(one,AL_START_HEAD)),"0 ") &&
              !strcmp(rest(quicklistGetIterator(one,AL_START_TAIL)),"0 "));
    int empty = 1;
    for (int direction = 0; direction < 2; direction++) {
        dirty();
        iter = quicklistGetIterator(none,direction);
        empty &= iter && iter->current == NULL && iter->quicklist == none && !quicklistNext(iter,&e);
        quicklistReleaseIterator(iter);
    }
    test_cond("an empty list has an iterator too", empty);
    int clean = 1;
    for (int j = 0; j < 10; j++) {
        dirty();
        iter = quicklistGetIterator(ql,j % 2);
        clean &= iter->zi == NULL && quicklistNext(iter,&e) && numberOf(&e) == (j % 2 ? 49 : 0);
        quicklistReleaseIterator(iter);
    }
    test_cond("what memory held before does not matter", clean);
    size_t before = zmalloc_used_memory();
    for (int j = 0; j < 10; j++) {
        quicklistReleaseIterator(quicklistGetIterator(ql,AL_START_HEAD));
        quicklistReleaseIterator(quicklistGetIterator(ql,AL_START_TAIL));
        quicklistReleaseIterator(quicklistGetIterator(none,AL_START_TAIL));
    }
    test_cond("it may be released at once", compressed(ql) == all && consists(ql,range(0,49)));
    test_cond("it is freed by its release", zmalloc_used_memory() == before);
    test_report();
    return 0;
}
