/*---
 * tasks: [linsertCommand-caa696.8]
 * tests:
 *   the element is gone: 'Comment: "Delete the element pointed to".'
 *   the first and the last element: 'Comment: "Delete the element pointed to".'
 *   the iterator goes on behind it: 'LREM: the iterator goes on after a deletion.'
 *   towards the head it goes on before it: 'LREM with a negative count.'
 *   every element one after the other: 'LREM deletes all that are equal.'
 *   every second element: 'LREM.'
 *   the last element while going to the head: 'LREM with a negative count deletes the last first.'
 *   both encodings: 'OBJ_ENCODING_QUICKLIST, OBJ_ENCODING_LISTPACK.'
 *   nothing is left behind: 'Comment: delete.'
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

/* Goes over the list and deletes the elements that are among `drop`. What was seen, and what is left. */
static sds run(int quick, const char *words, int direction, const char *drop) {
    robj *o = make(quick, words);
    listTypeIterator *li = listTypeInitIterator(o, direction == LIST_TAIL ? 0 : -1, direction);
    listTypeEntry entry;
    sds seen = sdsempty();
    while (listTypeNext(li, &entry) && sdslen(seen) < 200) {
        robj *v = listTypeGet(&entry), *d = getDecodedObject(v);
        seen = sdscatfmt(seen, "%S,", d->ptr);
        int gone = strstr(drop, d->ptr) != NULL;
        decrRefCount(v), decrRefCount(d);
        if (gone) listTypeDelete(li, &entry);
    }
    listTypeReleaseIterator(li);
    sds left = text(o);
    seen = sdscatfmt(seen, ";%S", left);
    sdsfree(left);
    decrRefCount(o);
    return seen;
}

static int gives(const char *words, int direction, const char *drop, const char *want) {
    int same = 1;
    for (int quick = 0; quick < 2; quick++) {
        sds s = run(quick, words, direction, drop);
        same &= !strcmp(s, want);
        sdsfree(s);
    }
    return same;
}

int main(void) {
    startRedis();
    test_cond("the element is gone", gives("a b c", LIST_TAIL, "b", "a,b,c,;a,c,"));
    test_cond("the first and the last element", gives("a b c", LIST_TAIL, "a", "a,b,c,;b,c,") && gives("a b c", LIST_TAIL, "c", "a,b,c,;a,b,"));
    test_cond("the iterator goes on behind it", gives("a b c d e", LIST_TAIL, "bd", "a,b,c,d,e,;a,c,e,"));
    test_cond("towards the head it goes on before it", gives("a b c d e", LIST_HEAD, "bd", "e,d,c,b,a,;a,c,e,") && gives("a b c", LIST_HEAD, "a", "c,b,a,;b,c,"));
    test_cond("every element one after the other", gives("a b c d e", LIST_TAIL, "abcde", "a,b,c,d,e,;") && gives("a b c d e", LIST_HEAD, "abcde", "e,d,c,b,a,;"));
    test_cond("every second element", gives("a b c d e f", LIST_TAIL, "ace", "a,b,c,d,e,f,;b,d,f,") && gives("a b c d e f", LIST_HEAD, "ace", "f,e,d,c,b,a,;b,d,f,"));
    test_cond("the last element while going to the head", gives("a b c", LIST_HEAD, "c", "c,b,a,;a,b,") && gives("a b c d", LIST_HEAD, "cd", "d,c,b,a,;a,b,"));
    test_cond("both encodings", gives("1 2 3", LIST_TAIL, "2", "1,2,3,;1,3,") && gives("1 2 3", LIST_HEAD, "2", "3,2,1,;1,3,"));
    size_t before = zmalloc_used_memory();
    for (int j = 0; j < 40; j++) sdsfree(run(j % 2, "a b c d e f g", j % 4 < 2 ? LIST_TAIL : LIST_HEAD, "aceg"));
    test_cond("nothing is left behind", zmalloc_used_memory() == before);
    test_report();
    return 0;
}
