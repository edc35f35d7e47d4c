/*---
 * tasks: [linsertCommand-caa696.8]
 * tests:
 *   1 for each element and then 0: 'Comment: "Returns 1 when the current entry is in fact an entry, 0 otherwise".'
 *   the entry is the current one: 'Comment: "Stores pointer to current the entry".'
 *   it moves on towards the tail: 'Comment: "and advances the position of the iterator".'
 *   it moves on towards the head: 'Comment: "and advances the position of the iterator"; direction.'
 *   the entry knows its iterator: 'listTypeEntry: li.'
 *   after the end it stays at the end: 'Comment: 0 otherwise.'
 *   an empty list has no entry: 'Comment: 0 otherwise.'
 *   both encodings: 'OBJ_ENCODING_QUICKLIST, OBJ_ENCODING_LISTPACK.'
 *   over several nodes: 'quicklist: nodes.'
 ---*/
#include "start.h"
#include "../testhelp.h"

static client *c;

/* A list of these words, in one encoding or the other. */
static robj *make(int quick, const char *words) {
    int n;
    sds *argv = sdssplitargs(words, &n);
    robj *o = quick ? createQuicklistObject(2, 0) : createListListpackObject();
    for (int j = 0; j < n; j++) {
        robj *value = createStringObject(argv[j], sdslen(argv[j]));
        listTypePush(o, value, LIST_TAIL);
        decrRefCount(value);
    }
    sdsfreesplitres(argv, n);
    return o;
}

static sds text(robj *o) {
    sds s = sdsempty();
    for (long j = 0; j < (long)listTypeLength(o); j++) {
        if (o->encoding == OBJ_ENCODING_QUICKLIST) {
            quicklistEntry entry;
            quicklistIter *iter = quicklistGetIteratorEntryAtIdx(o->ptr, j, &entry);
            if (entry.value) s = sdscatlen(s, entry.value, entry.sz);
            else s = sdscatfmt(s, "%I", entry.longval);
            quicklistReleaseIterator(iter);
        } else {
            unsigned char number[LP_INTBUF_SIZE];
            int64_t size;
            unsigned char *v = lpGet(lpSeek(o->ptr, j), &size, number);
            s = sdscatlen(s, v, size);
        }
        s = sdscatlen(s, ",", 1);
    }
    return s;
}

static int holds(robj *o, const char *want) {
    sds s = text(o);
    int same = !strcmp(s, want);
    sdsfree(s);
    return same;
}

int main(void) {
    startRedis();
    int ones = 1, current = 1, tail = 1, headwards = 1, known = 1, stays = 1, none = 1, nodes = 1;
    for (int quick = 0; quick < 2; quick++) {
        robj *o = make(quick, "a b c d e f g");
        robj *words[7];
        for (int j = 0; j < 7; j++) words[j] = createStringObject(&"abcdefg"[j], 1);
        listTypeEntry entry;
        listTypeIterator *li = listTypeInitIterator(o, 0, LIST_TAIL);
        for (int j = 0; j < 7; j++) {
            int more = listTypeNext(li, &entry);
            ones &= more == 1;
            if (!more) break;
            known &= entry.li == li;
            tail &= listTypeEqual(&entry, words[j]);
            current &= j == 0 ? listTypeEqual(&entry, words[0]) : 1;
        }
        ones &= listTypeNext(li, &entry) == 0;
        stays &= listTypeNext(li, &entry) == 0 && listTypeNext(li, &entry) == 0;
        listTypeReleaseIterator(li);
        li = listTypeInitIterator(o, -1, LIST_HEAD);
        for (int j = 6; j >= 0; j--) headwards &= listTypeNext(li, &entry) == 1 && listTypeEqual(&entry, words[j]);
        headwards &= listTypeNext(li, &entry) == 0;
        listTypeReleaseIterator(li);
        nodes &= !quick || ((quicklist *)o->ptr)->len > 2;
        for (int j = 0; j < 7; j++) decrRefCount(words[j]);
        decrRefCount(o);
        o = make(quick, "");
        li = listTypeInitIterator(o, 0, LIST_TAIL);
        none &= listTypeNext(li, &entry) == 0;
        listTypeReleaseIterator(li);
        decrRefCount(o);
    }
    test_cond("1 for each element and then 0", ones);
    test_cond("the entry is the current one", current);
    test_cond("it moves on towards the tail", tail);
    test_cond("it moves on towards the head", headwards);
    test_cond("the entry knows its iterator", known);
    test_cond("after the end it stays at the end", stays);
    test_cond("an empty list has no entry", none);
    test_cond("both encodings", ones && tail && headwards);
    test_cond("over several nodes", nodes && tail && headwards);
    test_report();
    return 0;
}
