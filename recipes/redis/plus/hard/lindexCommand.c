/*---
 * tasks: [linsertCommand-caa696.8]
 * tests:
 *   an element by its index: 'Comment: "LINDEX <key> <index>".'
 *   from the end by a negative one: 'LINDEX: "-1 means the last element".'
 *   an index outside is null: 'LINDEX: nil when index is out of range.'
 *   a number is replied as a text: 'addReplyBulkLongLong; LINDEX: bulk string.'
 *   a key that is not there is null: 'LINDEX: nil.'
 *   another type is an error: 'LINDEX: "an error is returned".'
 *   an index that is no number is an error: 'getLongFromObjectOrReply.'
 *   a missing key comes before a bad index: 'LINDEX of a key that is not there: nil.'
 *   binary and empty elements: 'Elements are any bytes.'
 *   both encodings: 'OBJ_ENCODING_QUICKLIST, OBJ_ENCODING_LISTPACK.'
 *   null in the third version of the protocol: 'addReplyNull; shared.null[c->resp].'
 *   nothing is changed: 'LINDEX is READONLY.'
 *   nothing is left behind: 'listTypeReleaseIterator.'
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
    robj *pack = put("pack", make(0, "a 12 c -9999999999 \"x\\x00y\" \"\""));
    put("quick", make(1, "a 12 c -9999999999 \"x\\x00y\" \"\""));
    put("text", createStringObject("t", 1));
    int element = 1, end = 1, outside = 1, number = 1, bytes = 1;
    long long dirty = server.dirty;
    for (int quick = 0; quick < 2; quick++) {
        char w[60];
        sds s;
#define ASK(index) (snprintf(w, sizeof(w), "lindex %s %s", quick ? "quick" : "pack", index), w)
        element &= is(lindexCommand, ASK("0"), "$1\r\na\r\n") && is(lindexCommand, ASK("2"), "$1\r\nc\r\n");
        end &= is(lindexCommand, ASK("-6"), "$1\r\na\r\n") && is(lindexCommand, ASK("-4"), "$1\r\nc\r\n") && is(lindexCommand, ASK("-1"), "$0\r\n\r\n");
        outside &= is(lindexCommand, ASK("6"), "$-1\r\n") && is(lindexCommand, ASK("-7"), "$-1\r\n") && is(lindexCommand, ASK("99999"), "$-1\r\n");
        number &= is(lindexCommand, ASK("1"), "$2\r\n12\r\n") && is(lindexCommand, ASK("3"), "$11\r\n-9999999999\r\n");
        s = ask(lindexCommand, ASK("4"));
        bytes &= sdslen(s) == 9 && !memcmp(s, "$3\r\nx\0y\r\n", 9);
        sdsfree(s);
    }
    test_cond("an element by its index", element);
    test_cond("from the end by a negative one", end);
    test_cond("an index outside is null", outside);
    test_cond("a number is replied as a text", number);
    test_cond("a key that is not there is null", is(lindexCommand, "lindex none 0", "$-1\r\n"));
    sds s = ask(lindexCommand, "lindex text 0");
    test_cond("another type is an error", !strncmp(s, "-WRONGTYPE ", 11));
    sdsfree(s);
    s = ask(lindexCommand, "lindex pack x");
    test_cond("an index that is no number is an error", !strncmp(s, "-ERR ", 5));
    sdsfree(s);
    test_cond("a missing key comes before a bad index", is(lindexCommand, "lindex none x", "$-1\r\n"));
    test_cond("binary and empty elements", bytes && end);
    test_cond("both encodings", element && number && end);
    c->resp = 3;
    test_cond("null in the third version of the protocol", is(lindexCommand, "lindex pack 50", "_\r\n") && is(lindexCommand, "lindex none 0", "_\r\n"));
    c->resp = 2;
    test_cond("nothing is changed", server.dirty == dirty && listTypeLength(pack) == 6 && pack->encoding == OBJ_ENCODING_LISTPACK);
    for (int j = 0; j < 4; j++) sdsfree(ask(lindexCommand, j % 2 ? "lindex quick 3" : "lindex pack 99"));
    size_t before = zmalloc_used_memory();
    for (int j = 0; j < 60; j++) sdsfree(ask(lindexCommand, j % 2 ? "lindex pack 99" : "lindex quick 3"));
    sdsfree(ask(lindexCommand, "lindex pack 99"));
    test_cond("nothing is left behind", llabs((long long)zmalloc_used_memory() - (long long)before) < 200);
    test_report();
    return 0;
}
