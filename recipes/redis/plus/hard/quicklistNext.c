/*---
 * tasks: [quicklistNext-d720b0, quicklistNext-d720b0.2, quicklistNext-d720b0.4, quicklistNext-d720b0.8, quicklistNext-d720b0.16]
 * tests:
 *   all elements come in their order: 'Comment: "Get next element in iterator"; AL_START_HEAD.'
 *   from the tail they come in reverse: 'quicklist.h: AL_START_TAIL.'
 *   1 for each element and 0 at the end: 'Comment: "Returns 0 when iteration is complete"; callers: while (quicklistNext(...)).'
 *   0 again after the end: 'Comment: "Returns 0 when iteration is complete or if iteration not possible".'
 *   0 without an iterator: 'Comment: "if iteration not possible"; quicklistGetIteratorAtIdx gives NULL.'
 *   0 for an empty list: 'Comment: "if iteration not possible".'
 *   a string is a value with its size: 'Comment: "use entry.value with entry.sz".'
 *   a number has no value but a longval: 'Comment: "if (entry.value) ... else use entry.longval".'
 *   a large element of its own node is a value: 'quicklist.h: PLAIN, "a single item as char array".'
 *   the entry names its list and its node: 'quicklist.h: quicklistEntry; quicklistDelEntry: "entry stores enough metadata".'
 *   the entry points at the element in its node: 'quicklistDelEntry uses entry.zi, quicklistCompare too.'
 *   "the entry's offset leads to the element": 'quicklist.h: offset; quicklistReplaceEntry and quicklistInsertAfter split at it.'
 *   the iterator counts its offset: 'quicklist.h: offset, "offset in current listpack"; quicklistDelEntry: "existing iter->offset".'
 *   the node of the entry is not compressed: 'quicklistReplaceEntry: "quicklistNext() and quicklistGetIteratorEntryAtIdx() provide an uncompressed node".'
 *   nodes behind are compressed again: 'quicklist.h: compress, recompress; quicklistReleaseIterator knows the current node alone.'
 *   after all the list is as it was: 'Callers read by it; counts, nodes and compression stay.'
 *   elements may be deleted while iterating forward: 'Comment: "You *may* delete from the list while iterating".'
 *   elements may be deleted while iterating in reverse: 'The same.'
 *   all elements may be deleted: 'The same.'
 *   the direction may be changed: 'quicklistSetDirection: "Sets the direction of a quicklist iterator".'
 *   an element that it gave may be replaced wherever it stands: 'Callers: listTypeReplace.'
 *   two iterators do not disturb each other: 'Signature: all state is in the iterator.'
 *   nothing is left behind: 'Callers release the iterator alone.'
 ---*/
#include "quicklisttest.h"

static int isOdd(int n) { return n % 2; }
static int isThird(int n) { return n % 3 == 0; }
static int isLate(int n) { return n >= 17; }
static int isAny(int n) { return n >= 0; }

/* Deletes what `which` says, iterating that way; whether all elements came, and just the others are left. */
static int deletes(int (*which)(int), int direction, int fill, int compress) {
    quicklist *ql = listOf(40,fill,compress);
    quicklistIter *iter = quicklistGetIterator(ql,direction);
    quicklistEntry e;
    char left[4096] = "", seen[4096] = "";
    int n = 0;
    while (n++ < 100 && quicklistNext(iter,&e)) {
        int number = numberOf(&e);
        sprintf(seen+strlen(seen),"%d ",number);
        if (number >= 0 && which(number)) quicklistDelEntry(iter,&e);
    }
    quicklistReleaseIterator(iter);
    for (int j = 0; j < 40; j++) if (!which(j)) sprintf(left+strlen(left),"%d ",j);
    int same = consists(ql,left) && !strcmp(seen,direction == AL_START_HEAD ? range(0,39) : range(39,0));
    quicklistRelease(ql);
    return same;
}

static int deletesAll(int (*which)(int), int direction) {
    return deletes(which,direction,4,0) && deletes(which,direction,1,0) && deletes(which,direction,4,1) &&
           deletes(which,direction,3,2) && deletes(which,direction,100,0);
}

int main(void) {
    quicklistEntry e;
    quicklist *ql = listOf(60,4,0);
    int ahead = 1, back = 1;
    for (int fill = 1; fill <= 8; fill++) {
        for (int compress = 0; compress <= 2; compress++) {
            quicklist *l = listOf(45,fill,compress);
            ahead &= !strcmp(rest(quicklistGetIterator(l,AL_START_HEAD)),range(0,44));
            back &= !strcmp(rest(quicklistGetIterator(l,AL_START_TAIL)),range(44,0));
            quicklistRelease(l);
        }
    }
    test_cond("all elements come in their order", ahead);
    test_cond("from the tail they come in reverse", back);
    int ones = 0, result;
    quicklistIter *iter = quicklistGetIterator(ql,AL_START_HEAD), *other;
    int text = 1, number = 1, large = 1, names = 1, points = 1, seeks = 1, counts = 1;
    while ((result = quicklistNext(iter,&e)) == 1 && ones < 100) {
        char want[300];
        size_t len = element(ones,want);
        if (ones % 10 == 9) large &= e.value && e.sz == len && !memcmp(e.value,want,len) && QL_NODE_IS_PLAIN(e.node);
        else if (ones % 4 == 0) number &= e.value == NULL && e.longval == ones;
        else text &= e.value && e.sz == len && !memcmp(e.value,want,len);
        names &= e.quicklist == ql && e.node == iter->current && e.node->entry != NULL;
        if (!QL_NODE_IS_PLAIN(e.node)) {
            points &= lpCompare(e.zi,(unsigned char*)want,len) == 1 && iter->zi == e.zi;
            seeks &= lpSeek(e.node->entry,e.offset) == e.zi;
            counts &= iter->offset == e.offset && lpSeek(e.node->entry,iter->offset) == e.zi;
        }
        ones++;
    }
    test_cond("1 for each element and 0 at the end", ones == 60 && result == 0);
    test_cond("0 again after the end", quicklistNext(iter,&e) == 0 && quicklistNext(iter,&e) == 0);
    quicklistReleaseIterator(iter);
    test_cond("0 without an iterator", quicklistNext(NULL,&e) == 0);
    quicklist *none = quicklistNew(4,0);
    iter = quicklistGetIterator(none,AL_START_HEAD);
    other = quicklistGetIterator(none,AL_START_TAIL);
    test_cond("0 for an empty list", quicklistNext(iter,&e) == 0 && quicklistNext(iter,&e) == 0 &&
              quicklistNext(other,&e) == 0);
    quicklistReleaseIterator(iter);
    quicklistReleaseIterator(other);
    quicklistRelease(none);
    test_cond("a string is a value with its size", text);
    test_cond("a number has no value but a longval", number);
    test_cond("a large element of its own node is a value", large);
    test_cond("the entry names its list and its node", names);
    test_cond("the entry points at the element in its node", points);
    iter = quicklistGetIterator(ql,AL_START_TAIL);
    while (quicklistNext(iter,&e)) {
        if (QL_NODE_IS_PLAIN(e.node)) continue;
        seeks &= lpSeek(e.node->entry,e.offset) == e.zi;
        counts &= iter->offset == e.offset && lpSeek(e.node->entry,iter->offset) == e.zi;
    }
    quicklistReleaseIterator(iter);
    test_cond("the entry's offset leads to the element", seeks);
    test_cond("the iterator counts its offset", counts);

    quicklist *packed = listOf(60,4,1);
    int all = compressed(packed), raw = 1, again = 1;
    for (int direction = 0; direction < 2; direction++) {
        iter = quicklistGetIterator(packed,direction);
        while (quicklistNext(iter,&e)) {
            raw &= !quicklistNodeIsCompressed(e.node);
            again &= compressed(packed) >= all-1;
        }
        again &= compressed(packed) == all;
        quicklistReleaseIterator(iter);
    }
    iter = quicklistGetIterator(packed,AL_START_HEAD);
    for (int j = 0; j < 30; j++) quicklistNext(iter,&e);
    quicklistReleaseIterator(iter);
    test_cond("the node of the entry is not compressed", raw && all > 5);
    test_cond("nodes behind are compressed again", again && all > 5);
    test_cond("after all the list is as it was", compressed(packed) == all && consists(packed,range(0,59)) &&
              consists(ql,range(0,59)));
    quicklistRelease(packed);

    test_cond("elements may be deleted while iterating forward", deletesAll(isOdd,AL_START_HEAD) &&
              deletesAll(isThird,AL_START_HEAD) && deletesAll(isLate,AL_START_HEAD));
    test_cond("elements may be deleted while iterating in reverse", deletesAll(isOdd,AL_START_TAIL) &&
              deletesAll(isThird,AL_START_TAIL) && deletesAll(isLate,AL_START_TAIL));
    test_cond("all elements may be deleted", deletesAll(isAny,AL_START_HEAD) && deletesAll(isAny,AL_START_TAIL));

    int turns = 1;
    for (int j = 1; j < 60; j++) {
        iter = quicklistGetIterator(ql,AL_START_HEAD);
        for (int k = 0; k <= j; k++) quicklistNext(iter,&e);
        quicklistSetDirection(iter,AL_START_TAIL);
        turns &= quicklistNext(iter,&e) && numberOf(&e) == j-1;
        turns &= !strcmp(rest(iter),j > 1 ? range(j-2,0) : "");
        iter = quicklistGetIterator(ql,AL_START_TAIL);
        for (int k = 0; k <= j; k++) quicklistNext(iter,&e);
        quicklistSetDirection(iter,AL_START_HEAD);
        turns &= quicklistNext(iter,&e) && numberOf(&e) == 60-j;
        quicklistReleaseIterator(iter);
    }
    test_cond("the direction may be changed", turns);

    int replaced = 1;
    for (int direction = 0; direction < 2; direction++) {
        for (int j = 0; j < 13; j++) {
            quicklist *l = listOf(13,5,1);
            iter = quicklistGetIterator(l,direction);
            for (int k = 0; k <= j; k++) quicklistNext(iter,&e);
            char value[300], want[4096] = "";
            int at = direction == AL_START_HEAD ? j : 12-j;
            size_t len = element(99,value);
            quicklistReplaceEntry(iter,&e,value,len);
            quicklistReleaseIterator(iter);
            for (int k = 0; k < 13; k++) sprintf(want+strlen(want),"%d ",k == at ? 99 : k);
            replaced &= consists(l,want);
            quicklistRelease(l);
        }
    }
    test_cond("an element that it gave may be replaced wherever it stands", replaced);

    iter = quicklistGetIterator(ql,AL_START_HEAD);
    other = quicklistGetIterator(ql,AL_START_TAIL);
    int apart = 1;
    for (int j = 0; j < 60; j++) {
        apart &= quicklistNext(iter,&e) && numberOf(&e) == j;
        apart &= quicklistNext(other,&e) && numberOf(&e) == 59-j;
    }
    quicklistReleaseIterator(iter);
    quicklistReleaseIterator(other);
    test_cond("two iterators do not disturb each other", apart);
    size_t before = 0;
    packed = listOf(60,4,1);
    for (int j = 0; j < 20; j++) {
        if (j == 2) before = zmalloc_used_memory();
        rest(quicklistGetIterator(packed,AL_START_HEAD));
        rest(quicklistGetIterator(packed,AL_START_TAIL));
    }
    test_cond("nothing is left behind", zmalloc_used_memory() == before);
    test_report();
    return 0;
}
