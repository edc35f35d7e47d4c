/*---
 * tasks: [linsertCommand-caa696.8]
 * tests:
 *   the same text: 'Comment: "Compare the given object with the entry at the current position".'
 *   another text: 'Comment: "Compare".'
 *   a beginning or a continuation is not equal: 'Comment: "Compare".'
 *   a number and its text: 'Elements that are numbers are stored as such; LREM compares texts.'
 *   a number written otherwise is not equal: 'lpEncodeGetType: only strict numbers are stored as such.'
 *   binary texts are compared whole: 'Elements are any bytes.'
 *   an empty text: 'Elements may be empty.'
 *   upper and lower case differ: 'Comment: "Compare".'
 *   both encodings: 'OBJ_ENCODING_QUICKLIST, OBJ_ENCODING_LISTPACK.'
 *   the object is as before: 'Comment: "the given object".'
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

static int equals(const char *words, long index, const char *other, size_t len) {
    int same[2];
    for (int quick = 0; quick < 2; quick++) {
        robj *o = make(quick, words), *v = createStringObject(other, len);
        listTypeEntry entry;
        listTypeIterator *li = at(o, index, &entry);
        same[quick] = listTypeEqual(&entry, v) != 0;
        if (v->refcount != 1 || sdslen(v->ptr) != len || memcmp(v->ptr, other, len)) same[quick] = 7;
        listTypeReleaseIterator(li);
        decrRefCount(o), decrRefCount(v);
    }
    return same[0] == same[1] ? same[0] : 9;
}
#define EQUALS(words, index, other) equals(words, index, other, strlen(other))

int main(void) {
    startRedis();
    test_cond("the same text", EQUALS("a hello c", 1, "hello") == 1 && EQUALS("a b", 0, "a") == 1);
    test_cond("another text", EQUALS("a hello c", 1, "world") == 0 && EQUALS("a b", 0, "b") == 0);
    test_cond("a beginning or a continuation is not equal", EQUALS("hello", 0, "hell") == 0 && EQUALS("hello", 0, "hello!") == 0);
    test_cond("a number and its text", EQUALS("12 -5000 9999999999", 0, "12") == 1 && EQUALS("12 -5000 9999999999", 1, "-5000") == 1 &&
              EQUALS("12 -5000 9999999999", 2, "9999999999") == 1 && EQUALS("12", 0, "13") == 0 && EQUALS("12", 0, "1") == 0);
    test_cond("a number written otherwise is not equal", EQUALS("12", 0, "012") == 0 && EQUALS("12", 0, "+12") == 0 && EQUALS("12", 0, "12.0") == 0 && EQUALS("007", 0, "007") == 1 && EQUALS("007", 0, "7") == 0);
    test_cond("binary texts are compared whole", equals("\"a\\x00b\" x", 0, "a\0b", 3) == 1 && equals("\"a\\x00b\" x", 0, "a\0c", 3) == 0 && EQUALS("\"a\\x00b\" x", 0, "a") == 0);
    test_cond("an empty text", EQUALS("\"\" x", 0, "") == 1 && EQUALS("\"\" x", 1, "") == 0 && EQUALS("0", 0, "") == 0);
    test_cond("upper and lower case differ", EQUALS("hello", 0, "Hello") == 0);
    test_cond("both encodings", EQUALS("x y", 1, "y") == 1 && EQUALS("x 5", 1, "5") == 1);
    test_cond("the object is as before", EQUALS("x", 0, "x") == 1 && EQUALS("x", 0, "yy") == 0);
    test_report();
    return 0;
}
