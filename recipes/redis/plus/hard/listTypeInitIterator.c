/*---
 * tasks: [linsertCommand-caa696.8]
 * tests:
 *   from the first element to the last: 'Comment: "LIST_TAIL means start at HEAD and move *towards* tail".'
 *   from the last element to the first: 'Comment: "LIST_HEAD means start at TAIL and move *towards* head".'
 *   from an index on, both ways: 'Comment: "Initialize an iterator at the specified index".'
 *   from an index counted from the end: 'Callers pass -1; lpSeek and quicklistGetIteratorAtIdx take negative ones.'
 *   an index outside gives nothing: 'lindexCommand replies null then.'
 *   both encodings: 'OBJ_ENCODING_QUICKLIST, OBJ_ENCODING_LISTPACK.'
 *   subject, encoding and direction are known: 'listTypeIterator.'
 *   the list is as before: 'Comment: initialize an iterator.'
 *   it is freed by listTypeReleaseIterator: 'listTypeReleaseIterator.'
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

static int walks(const char *words, long index, int direction, const char *want) {
    int same = 1;
    for (int quick = 0; quick < 2; quick++) {
        robj *o = make(quick, words);
        listTypeIterator *li = listTypeInitIterator(o, index, direction);
        listTypeEntry entry;
        sds got = sdsempty();
        while (listTypeNext(li, &entry)) {
            robj *v = listTypeGet(&entry);
            robj *d = getDecodedObject(v);
            got = sdscatfmt(got, "%S,", d->ptr);
            decrRefCount(v), decrRefCount(d);
        }
        same &= !strcmp(got, want);
        sdsfree(got);
        listTypeReleaseIterator(li);
        decrRefCount(o);
    }
    return same;
}

int main(void) {
    startRedis();
    test_cond("from the first element to the last", walks("a b c d e", 0, LIST_TAIL, "a,b,c,d,e,"));
    test_cond("from the last element to the first", walks("a b c d e", -1, LIST_HEAD, "e,d,c,b,a,"));
    test_cond("from an index on, both ways", walks("a b c d e", 3, LIST_TAIL, "d,e,") && walks("a b c d e", 3, LIST_HEAD, "d,c,b,a,"));
    test_cond("from an index counted from the end", walks("a b c d e", -2, LIST_TAIL, "d,e,") && walks("a b c d e", -4, LIST_HEAD, "b,a,"));
    test_cond("an index outside gives nothing",
              walks("a b", 2, LIST_TAIL, "") && walks("a b", -3, LIST_TAIL, "") && walks("a b", 99, LIST_HEAD, "") && walks("a b", -3, LIST_HEAD, ""));
    int known = 1, same = 1;
    for (int quick = 0; quick < 2; quick++) {
        robj *o = make(quick, "a 12 c");
        for (int direction = 0; direction < 2; direction++) {
            listTypeIterator *li = listTypeInitIterator(o, 1, direction ? LIST_TAIL : LIST_HEAD);
            known &= li->subject == o && li->encoding == o->encoding && li->direction == (direction ? LIST_TAIL : LIST_HEAD);
            listTypeReleaseIterator(li);
        }
        same &= holds(o, "a,12,c,") && o->refcount == 1;
        decrRefCount(o);
    }
    test_cond("both encodings", walks("1 2 3", 0, LIST_TAIL, "1,2,3,") && known);
    test_cond("subject, encoding and direction are known", known);
    test_cond("the list is as before", same);
    size_t before = zmalloc_used_memory();
    for (int j = 0; j < 50; j++) walks("a b c", j % 4, j % 2 ? LIST_TAIL : LIST_HEAD, "");
    test_cond("it is freed by listTypeReleaseIterator", zmalloc_used_memory() == before);
    test_report();
    return 0;
}
