/*---
 * tasks: [linsertCommand-caa696.8]
 * tests:
 *   behind an entry: 'linsertCommand: AFTER is LIST_TAIL.'
 *   before an entry: 'linsertCommand: BEFORE is LIST_HEAD.'
 *   at both ends: 'linsertCommand.'
 *   a value that is encoded as a number: 'getDecodedObject; values may be integers.'
 *   binary and empty values: 'Elements are any bytes.'
 *   both encodings: 'OBJ_ENCODING_QUICKLIST, OBJ_ENCODING_LISTPACK.'
 *   the list grows by one: 'listTypeLength.'
 *   the value still belongs to the caller: 'linsertCommand: argv is freed by the client.'
 *   many insertions: 'quicklist: nodes are split.'
 *   nothing is left behind: 'decrRefCount.'
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

static robj *insert(robj *o, long index, robj *value, int where) {
    listTypeEntry entry;
    listTypeIterator *li = at(o, index, &entry);
    listTypeInsert(&entry, value, where);
    listTypeReleaseIterator(li);
    return o;
}

static int gives(const char *words, long index, const char *value, int where, const char *want) {
    int same = 1;
    for (int quick = 0; quick < 2; quick++) {
        robj *v = createStringObject(value, strlen(value));
        size_t before = listTypeLength(make(quick, words));
        robj *o = insert(make(quick, words), index, v, where);
        same &= holds(o, want) && listTypeLength(o) == before + 1 && v->refcount == 1 && !strcmp(v->ptr, value);
        decrRefCount(o), decrRefCount(v);
    }
    return same;
}

int main(void) {
    startRedis();
    test_cond("behind an entry", gives("a b c", 1, "x", LIST_TAIL, "a,b,x,c,"));
    test_cond("before an entry", gives("a b c", 1, "x", LIST_HEAD, "a,x,b,c,"));
    test_cond("at both ends", gives("a b c", 0, "x", LIST_HEAD, "x,a,b,c,") && gives("a b c", 2, "x", LIST_TAIL, "a,b,c,x,") &&
              gives("a", 0, "x", LIST_TAIL, "a,x,") && gives("a", 0, "x", LIST_HEAD, "x,a,"));
    int encoded = 1, owned = 1, bytes = 1;
    for (int quick = 0; quick < 2; quick++) {
        robj *o = make(quick, "a b"), *v = createStringObjectFromLongLongWithSds(12), *n = createObject(OBJ_STRING, NULL);
        n->encoding = OBJ_ENCODING_INT, n->ptr = (void *)123456L;
        insert(o, 0, n, LIST_TAIL), insert(o, 0, v, LIST_HEAD);
        encoded &= holds(o, "12,a,123456,b,");
        owned &= n->refcount == 1 && n->encoding == OBJ_ENCODING_INT && (long)n->ptr == 123456 && v->refcount == 1;
        decrRefCount(o), decrRefCount(v), decrRefCount(n);
        o = make(quick, "a b"), v = createStringObject("x\0y", 3), n = createStringObject("", 0);
        insert(o, 0, v, LIST_TAIL), insert(o, 0, n, LIST_TAIL);
        sds s = text(o);
        bytes &= sdslen(s) == 9 && !memcmp(s, "a,,x\0y,b,", 9);
        sdsfree(s);
        decrRefCount(o), decrRefCount(v), decrRefCount(n);
    }
    test_cond("a value that is encoded as a number", encoded);
    test_cond("binary and empty values", bytes);
    test_cond("both encodings", gives("1 2", 0, "3", LIST_TAIL, "1,3,2,") && gives("1 2", 1, "3", LIST_HEAD, "1,3,2,"));
    test_cond("the list grows by one", gives("a b c d e", 2, "x", LIST_TAIL, "a,b,c,x,d,e,"));
    test_cond("the value still belongs to the caller", owned);
    int many = 1;
    for (int quick = 0; quick < 2; quick++) {
        robj *o = make(quick, "0"), *v = createStringObject("v", 1);
        for (int j = 0; j < 100; j++) insert(o, j / 2, v, j % 2 ? LIST_TAIL : LIST_HEAD);
        many &= listTypeLength(o) == 101;
        decrRefCount(o), decrRefCount(v);
    }
    test_cond("many insertions", many);
    size_t before = zmalloc_used_memory();
    for (int j = 0; j < 40; j++) {
        robj *o = make(j % 2, "a b c"), *v = createStringObjectFromLongLong(100000 + j);
        insert(o, 1, v, LIST_TAIL);
        decrRefCount(o), decrRefCount(v);
    }
    test_cond("nothing is left behind", zmalloc_used_memory() == before);
    test_report();
    return 0;
}
