/*---
 * tasks: [linsertCommand-caa696.8]
 * tests:
 *   before the pivot: 'Comment: "LINSERT <key> (BEFORE|AFTER) <pivot> <element>".'
 *   after the pivot: 'Comment: (BEFORE|AFTER).'
 *   the first of several equal pivots counts: 'LINSERT: "before or after the reference value pivot"; upstream seeks from head to tail.'
 *   the reply is the new length: 'LINSERT: "the list length after a successful insert operation".'
 *   -1 where the pivot is not in the list: 'LINSERT: "-1 when the pivot wasnt found".'
 *   0 where there is no key: 'LINSERT: "0 when the key doesnt exist".'
 *   no key is made then: 'LINSERT: "it is considered an empty list and no operation is performed".'
 *   a word that is neither before nor after is an error: 'LINSERT: syntax error.'
 *   the words in any case: 'Commands are read without case.'
 *   another type is an error: 'LINSERT: WRONGTYPE.'
 *   numbers as pivot and element: 'Elements that are numbers.'
 *   one change is counted for an insertion: 'server.dirty: propagation and RDB.'
 *   none is counted where nothing is inserted: 'server.dirty.'
 *   clients that watch the key are told: 'signalModifiedKey: WATCH.'
 *   nobody is told where nothing is inserted: 'signalModifiedKey: WATCH.'
 *   a listpack grows into a quicklist: 'listTypeTryConversionAppend: list-max-listpack-size.'
 *   both encodings: 'OBJ_ENCODING_QUICKLIST, OBJ_ENCODING_LISTPACK.'
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

static sds ask(void (*command)(client *), const char *words) {
    int argc;
    sds *argv = sdssplitargs(words, &argc);
    setArguments(c, argc, (const char **)argv);
    sdsfreesplitres(argv, argc);
    command(c);
    return replyOf(c);
}

static int is(void (*command)(client *), const char *words, const char *want) {
    sds s = ask(command, words);
    int same = !strcmp(s, want);
    sdsfree(s);
    return same;
}

static robj *put(const char *name, robj *value) {
    robj *key = createStringObject(name, strlen(name));
    dbAdd(c->db, key, value);
    decrRefCount(key);
    return value;
}

int main(void) {
    startRedis();
    c = fakeClient();
    int before = 1, after = 1, first = 1, reply = 1, numbers = 1, missing = 1;
    for (int quick = 0; quick < 2; quick++) {
        robj *o = put(quick ? "quick" : "pack", make(quick, "a b c b d"));
        char w[80];
#define ASK(rest) (snprintf(w, sizeof(w), "linsert %s %s", quick ? "quick" : "pack", rest), w)
        reply &= is(linsertCommand, ASK("before c x"), ":6\r\n");
        before &= holds(o, "a,b,x,c,b,d,");
        reply &= is(linsertCommand, ASK("after c y"), ":7\r\n");
        after &= holds(o, "a,b,x,c,y,b,d,");
        is(linsertCommand, ASK("before b p"), "");
        first &= holds(o, "a,p,b,x,c,y,b,d,");
        is(linsertCommand, ASK("after b q"), "");
        first &= holds(o, "a,p,b,q,x,c,y,b,d,");
        reply &= is(linsertCommand, ASK("before a 12"), ":10\r\n") && is(linsertCommand, ASK("after d -5"), ":11\r\n");
        numbers &= is(linsertCommand, ASK("after 12 77"), ":12\r\n") && is(linsertCommand, ASK("before -5 78"), ":13\r\n") &&
                   holds(o, "12,77,a,p,b,q,x,c,y,b,d,78,-5,");
        long long dirty = server.dirty;
        missing &= is(linsertCommand, ASK("before zz x"), ":-1\r\n") && is(linsertCommand, ASK("after 1 x"), ":-1\r\n") && server.dirty == dirty;
        missing &= holds(o, "12,77,a,p,b,q,x,c,y,b,d,78,-5,");
    }
    test_cond("before the pivot", before);
    test_cond("after the pivot", after);
    test_cond("the first of several equal pivots counts", first);
    test_cond("the reply is the new length", reply);
    test_cond("-1 where the pivot is not in the list", missing);
    long long dirty = server.dirty;
    test_cond("0 where there is no key", is(linsertCommand, "linsert none before a x", ":0\r\n"));
    robj *name = createStringObject("none", 4);
    test_cond("no key is made then", dbFind(c->db, name->ptr) == NULL && server.dirty == dirty);
    test_cond("a word that is neither before nor after is an error",
              is(linsertCommand, "linsert pack beside a x", "-ERR syntax error\r\n") && is(linsertCommand, "linsert none beside a x", "-ERR syntax error\r\n"));
    put("small", make(0, "a b"));
    test_cond("the words in any case", is(linsertCommand, "LINSERT small BEFORE b x", ":3\r\n") && is(linsertCommand, "LINSERT small After b y", ":4\r\n"));
    put("text", createStringObject("t", 1));
    sds s = ask(linsertCommand, "linsert text before a x");
    test_cond("another type is an error", !strncmp(s, "-WRONGTYPE ", 11));
    sdsfree(s);
    test_cond("numbers as pivot and element", numbers);
    dirty = server.dirty;
    is(linsertCommand, "linsert small before a z", "");
    test_cond("one change is counted for an insertion", server.dirty == dirty + 1);
    test_cond("none is counted where nothing is inserted", missing);
    client *watcher = fakeClient();
    robj *key = createStringObject("small", 5);
    watchForKey(watcher, key);
    is(linsertCommand, "linsert small before nowhere z", "");
    is(linsertCommand, "linsert pack before a z", "");
    int quiet = !(watcher->flags & CLIENT_DIRTY_CAS);
    is(linsertCommand, "linsert small before a z", "");
    test_cond("clients that watch the key are told", watcher->flags & CLIENT_DIRTY_CAS);
    test_cond("nobody is told where nothing is inserted", quiet);
    server.list_max_listpack_size = 4;
    robj *grows = put("grows", make(0, "a b c d"));
    is(linsertCommand, "linsert grows after b x", "");
    test_cond("a listpack grows into a quicklist", grows->encoding == OBJ_ENCODING_QUICKLIST && holds(grows, "a,b,x,c,d,"));
    test_cond("both encodings", before && after && numbers);
    test_report();
    return 0;
}
