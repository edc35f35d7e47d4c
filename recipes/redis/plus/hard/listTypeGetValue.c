/*---
 * tasks: [linsertCommand-caa696.8]
 * tests:
 *   a text with its length: 'Comment: "a pointer to the string is returned, and vlen is set to the length".'
 *   NULL and the value for a number: 'Comment: "When the function returns NULL, it populates the integer value by reference in lval".'
 *   negative and large numbers: 'Signature: long long.'
 *   binary texts: 'Comment: vlen.'
 *   an empty text is not NULL: 'Comment: NULL is for integers.'
 *   long texts: 'Comment: vlen.'
 *   a large element: 'quicklistNode: container PLAIN.'
 *   both encodings: 'OBJ_ENCODING_QUICKLIST, OBJ_ENCODING_LISTPACK.'
 *   the list is as before: 'The name: get.'
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

/* The entry at an index, and the iterator that it belongs to. */
static listTypeIterator *at(robj *o, long index, listTypeEntry *entry) {
    listTypeIterator *li = listTypeInitIterator(o, index, LIST_TAIL);
    listTypeNext(li, entry);
    return li;
}

static int gives(robj *o, long index, const char *want, size_t len, long long number) {
    listTypeEntry entry;
    listTypeIterator *li = at(o, index, &entry);
    size_t vlen = 99;
    long long lval = 99;
    unsigned char *v = listTypeGetValue(&entry, &vlen, &lval);
    int same = want ? v && vlen == len && !memcmp(v, want, len) : !v && lval == number;
    listTypeReleaseIterator(li);
    return same;
}

int main(void) {
    startRedis();
    int texts = 1, numbers = 1, large = 1, binary = 1, empty = 1, longs = 1, same = 1;
    static char big[20000];
    memset(big, 'b', sizeof(big));
    for (int quick = 0; quick < 2; quick++) {
        robj *o = make(quick, "hello 12 x -7 9223372036854775807 -9223372036854775808 007");
        texts &= gives(o, 0, "hello", 5, 0) && gives(o, 2, "x", 1, 0) && gives(o, 6, "007", 3, 0);
        numbers &= gives(o, 1, NULL, 0, 12);
        large &= gives(o, 3, NULL, 0, -7) && gives(o, 4, NULL, 0, LLONG_MAX) && gives(o, 5, NULL, 0, LLONG_MIN);
        same &= holds(o, "hello,12,x,-7,9223372036854775807,-9223372036854775808,007,");
        robj *v = createStringObject("a\0b", 3), *e = createStringObject("", 0), *l = createStringObject(big, 5000);
        listTypePush(o, v, LIST_TAIL), listTypePush(o, e, LIST_TAIL), listTypePush(o, l, LIST_TAIL);
        binary &= gives(o, 7, "a\0b", 3, 0);
        empty &= gives(o, 8, "", 0, 0);
        longs &= gives(o, 9, big, 5000, 0);
        decrRefCount(v), decrRefCount(e), decrRefCount(l), decrRefCount(o);
    }
    test_cond("a text with its length", texts);
    test_cond("NULL and the value for a number", numbers);
    test_cond("negative and large numbers", large);
    test_cond("binary texts", binary);
    test_cond("an empty text is not NULL", empty);
    test_cond("long texts", longs);
    quicklistisSetPackedThreshold(10000);
    robj *o = make(1, "a"), *l = createStringObject(big, sizeof(big));
    listTypePush(o, l, LIST_TAIL);
    test_cond("a large element", gives(o, 1, big, sizeof(big), 0) && gives(o, 0, "a", 1, 0));
    test_cond("both encodings", texts && numbers);
    test_cond("the list is as before", same);
    test_report();
    return 0;
}
