/*---
 * tasks: [slowlogCreateEntry-ff2ecf.8, slowlogCreateEntry-ff2ecf.16]
 * tests:
 *   a number becomes a shared one: 'Comment: "Try to encode a string object in order to save space"; OBJ_SHARED_INTEGERS.'
 *   a larger number is encoded in its object: 'OBJ_ENCODING_INT.'
 *   negative numbers are encoded: 'OBJ_ENCODING_INT.'
 *   the smallest and the largest number: 'string2l.'
 *   what is not written as a number stays a text: 'string2l: strict.'
 *   a short raw text becomes an embedded one: 'OBJ_ENCODING_EMBSTR, the most efficient for short texts.'
 *   a short embedded text is returned itself: 'Comment: nothing to save.'
 *   a long text stays raw: 'OBJ_ENCODING_EMBSTR_SIZE_LIMIT, 44.'
 *   the border between short and long: 'OBJ_ENCODING_EMBSTR_SIZE_LIMIT, 44.'
 *   an object with several references is returned itself: 'Callers hold the others: db.c, t_string.c.'
 *   an encoded number is returned itself: 'sdsEncodedObject.'
 *   with an LRU or LFU policy and a limit no number is shared: 'createStringObjectFromLongLongForValue: "we want LFU/LRU values specific for each key".'
 *   without a limit numbers are shared whatever the policy: 'createStringObjectFromLongLongForValue: server.maxmemory.'
 *   free space is trimmed where that is asked for: 'trimStringObjectIfNeeded; try_trim.'
 *   it is kept where that is not asked for: 'Signature: try_trim.'
 *   the value of the text never changes: 'Comment: to encode.'
 *   nothing is lost and nothing is freed twice: 'decrRefCount.'
 ---*/
#include "start.h"
#include "../testhelp.h"

robj *tryObjectEncodingEx(robj *o, int try_trim);

static robj *raw(const char *text) {
    return createRawStringObject(text, strlen(text));
}

static int holds(robj *o, const char *text) {
    robj *decoded = getDecodedObject(o);
    int same = sdslen(decoded->ptr) == strlen(text) && !strcmp(decoded->ptr, text);
    decrRefCount(decoded);
    return same;
}

/* Whether a text gets this encoding and keeps its value, raw or embedded before. */
static int becomes(const char *text, int encoding) {
    robj *o = tryObjectEncodingEx(raw(text), 1);
    int same = (int)o->encoding == encoding && holds(o, text) && o->type == OBJ_STRING;
    decrRefCount(o);
    if (strlen(text) <= 44) {
        o = tryObjectEncodingEx(createEmbeddedStringObject(text, strlen(text)), 1);
        same &= (int)o->encoding == encoding && holds(o, text);
        decrRefCount(o);
    }
    return same;
}

int main(void) {
    startRedis();
    size_t before = zmalloc_used_memory();
    test_cond("a number becomes a shared one",
              tryObjectEncodingEx(raw("7"), 1) == shared.integers[7] && tryObjectEncodingEx(createStringObject("9999", 4), 1) == shared.integers[9999] &&
              tryObjectEncodingEx(raw("0"), 0) == shared.integers[0]);
    robj *o = raw("10000"), *got = tryObjectEncodingEx(o, 1);
    test_cond("a larger number is encoded in its object", got->encoding == OBJ_ENCODING_INT && (long)got->ptr == 10000 && got->refcount == 1 && becomes("123456789", OBJ_ENCODING_INT));
    decrRefCount(got);
    test_cond("negative numbers are encoded", becomes("-1", OBJ_ENCODING_INT) && becomes("-123456", OBJ_ENCODING_INT));
    test_cond("the smallest and the largest number",
              becomes("9223372036854775807", OBJ_ENCODING_INT) && becomes("-9223372036854775808", OBJ_ENCODING_INT) &&
              becomes("9223372036854775808", OBJ_ENCODING_EMBSTR) && becomes("-9223372036854775809", OBJ_ENCODING_EMBSTR));
    test_cond("what is not written as a number stays a text",
              becomes("007", OBJ_ENCODING_EMBSTR) && becomes("+1", OBJ_ENCODING_EMBSTR) && becomes(" 1", OBJ_ENCODING_EMBSTR) && becomes("1.0", OBJ_ENCODING_EMBSTR) && becomes("", OBJ_ENCODING_EMBSTR) && becomes("-0", OBJ_ENCODING_EMBSTR));
    got = tryObjectEncodingEx(raw("hello"), 1);
    test_cond("a short raw text becomes an embedded one", got->encoding == OBJ_ENCODING_EMBSTR && holds(got, "hello") && got->refcount == 1);
    test_cond("a short embedded text is returned itself", tryObjectEncodingEx(got, 1) == got && got->refcount == 1);
    decrRefCount(got);
    const char *at44 = "01234567890123456789012345678901234567890abc", *at45 = "01234567890123456789012345678901234567890abcd";
    o = raw("a text that is far too long to be embedded into the object itself");
    test_cond("a long text stays raw", tryObjectEncodingEx(o, 1) == o && o->encoding == OBJ_ENCODING_RAW);
    decrRefCount(o);
    test_cond("the border between short and long", becomes(at44, OBJ_ENCODING_EMBSTR) && becomes(at45, OBJ_ENCODING_RAW));
    o = raw("12345");
    incrRefCount(o);
    got = tryObjectEncodingEx(o, 1);
    test_cond("an object with several references is returned itself", got == o && o->encoding == OBJ_ENCODING_RAW && o->refcount == 2 && holds(o, "12345"));
    decrRefCount(o), decrRefCount(o);
    o = createStringObjectFromLongLong(123456);
    test_cond("an encoded number is returned itself", tryObjectEncodingEx(o, 1) == o && o->refcount == 1 && (long)o->ptr == 123456);
    decrRefCount(o);
    server.maxmemory = 1 << 30;
    server.maxmemory_policy = MAXMEMORY_ALLKEYS_LRU;
    int own = 1;
    for (int policy = 0; policy < 2; policy++) {
        server.maxmemory_policy = policy ? MAXMEMORY_ALLKEYS_LFU : MAXMEMORY_ALLKEYS_LRU;
        got = tryObjectEncodingEx(raw("7"), 1);
        own &= got != shared.integers[7] && got->encoding == OBJ_ENCODING_INT && (long)got->ptr == 7 && got->refcount == 1;
        decrRefCount(got);
        got = tryObjectEncodingEx(createStringObject("8", 1), 1);
        own &= got != shared.integers[8] && got->encoding == OBJ_ENCODING_INT && (long)got->ptr == 8 && got->refcount == 1;
        decrRefCount(got);
    }
    test_cond("with an LRU or LFU policy and a limit no number is shared", own);
    server.maxmemory = 0;
    test_cond("without a limit numbers are shared whatever the policy", tryObjectEncodingEx(raw("7"), 1) == shared.integers[7]);
    server.maxmemory_policy = MAXMEMORY_NO_EVICTION;
    sds wide = sdsMakeRoomFor(sdsnewlen(NULL, PROTO_MBULK_BIG_ARG), PROTO_MBULK_BIG_ARG);
    memset(wide, 'w', sdslen(wide));
    o = createObject(OBJ_STRING, wide);
    size_t room = sdsavail(o->ptr);
    int kept = tryObjectEncodingEx(o, 0) == o && sdsavail(o->ptr) == room;
    int trimmed = tryObjectEncodingEx(o, 1) == o && sdsavail(o->ptr) < 100 && sdslen(o->ptr) == PROTO_MBULK_BIG_ARG && ((char *)o->ptr)[100] == 'w';
    decrRefCount(o);
    test_cond("free space is trimmed where that is asked for", trimmed);
    test_cond("it is kept where that is not asked for", kept);
    test_cond("the value of the text never changes", becomes("text", OBJ_ENCODING_EMBSTR) && becomes("31415926", OBJ_ENCODING_INT) && becomes(at45, OBJ_ENCODING_RAW));
    test_cond("nothing is lost and nothing is freed twice", zmalloc_used_memory() == before);
    test_report();
    return 0;
}
