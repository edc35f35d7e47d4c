/*---
 * tasks: [slowlogCreateEntry-ff2ecf.16]
 * tests:
 *   a large text with much free space is trimmed: 'Comment: "Optimize the SDS string inside the string object to require little space".'
 *   it is the same text, of any bytes, in the same object: 'Signature: void; callers go on with the object.'
 *   a text is large from PROTO_MBULK_BIG_ARG on: 'networking.c: processMultibulkBuffer, "bulklen >= PROTO_MBULK_BIG_ARG".'
 *   a small text is left alone: 'Caller tryObjectEncodingEx: 0; argument trim_small_values.'
 *   a small text is trimmed if that is asked for: 'Argument trim_small_values; RM_TrimStringAllocation.'
 *   an empty text may be trimmed: 'RM_TrimStringAllocation of any string.'
 *   up to a tenth of free space stays: 'Comment: "in case there is more than 10% of free space".'
 *   a little more than a tenth goes: 'Comment: "in case there is more than 10% of free space".'
 *   the tenth counts for small texts too: 'Comment: "in case there is more than 10% of free space".'
 *   without free space nothing happens: 'Comment: "in case".'
 *   what a script passes is trimmed: 'Comment: "the argument caching mechanism in Lua"; script_lua.c: luaArgsToRedisArgv.'
 *   a script's text that is too long for the cache is left alone: 'LUA_CMD_OBJCACHE_MAX_LEN; script_lua.c caches shorter ones alone.'
 *   a client that is no script is no reason: 'server.executing_client; CLIENT_SCRIPT.'
 *   free space of a script's text up to a tenth stays: 'Comment: "more than 10%".'
 *   an embedded text is left alone: 'Only raw strings have an SDS of their own; server.h: OBJ_ENCODING_EMBSTR.'
 *   a number is left alone: 'server.h: OBJ_ENCODING_INT; RM_TrimStringAllocation of any string.'
 *   a shared object is trimmed as well: 'Caller in module.c: "in that case the refcount is no longer 1".'
 *   a second time does no harm: 'Callers: module.c, then tryObjectEncodingEx.'
 *   memory is given back: 'Comment: "to require little space".'
 *   nothing is lost: 'sdsRemoveFreeSpace: the old pointer is no longer valid.'
 ---*/
#include "start.h"
#include "../testhelp.h"

/* A raw text of this length with so many bytes free behind it. */
static robj *text(size_t len, size_t avail) {
    sds s = sdsnewlen(NULL,len+avail);
    for (size_t j = 0; j < len+avail; j++) s[j] = (char)(j%251);
    s[len] = '\0';
    sdssetlen(s,len);
    sdssetalloc(s,len+avail);
    return createObject(OBJ_STRING,s);
}

static int intact(robj *o, size_t len) {
    sds s = o->ptr;
    if (o->type != OBJ_STRING || o->encoding != OBJ_ENCODING_RAW || sdslen(s) != len || s[len] != '\0') return 0;
    for (size_t j = 0; j < len; j++) if (s[j] != (char)(j%251)) return 0;
    return 1;
}

/* Whether it takes no more memory than a text that is made anew. */
static int little(robj *o) {
    sds fresh = sdsnewlen(o->ptr,sdslen(o->ptr));
    int yes = zmalloc_size(sdsAllocPtr(o->ptr)) <= zmalloc_size(sdsAllocPtr(fresh));
    sdsfree(fresh);
    return yes;
}

static int good = 1;

/* 1 if it is trimmed, 0 if it's left alone, -1 if it's broken. */
static int trims(size_t len, size_t avail, int small) {
    robj *o = text(len,avail);
    void *ptr = o->ptr;
    trimStringObjectIfNeeded(o,small);
    int alone = o->ptr == ptr && sdsavail(ptr) == avail;
    int result = !intact(o,len) || o->refcount != 1 ? -1 : alone ? 0 : little(o) ? 1 : -1;
    if (result < 0) good = 0;
    decrRefCount(o);
    return result;
}

int main(void) {
    startRedis();
    const size_t big = PROTO_MBULK_BIG_ARG;
    client *c = fakeClient();
    size_t used = zmalloc_used_memory();
    robj *o = text(big+100,big);
    size_t full = zmalloc_used_memory();
    o->lru = 33;
    trimStringObjectIfNeeded(o,0);
    test_cond("a large text with much free space is trimmed", little(o));
    test_cond("it is the same text, of any bytes, in the same object", intact(o,big+100) && o->refcount == 1 && o->lru == 33);
    test_cond("memory is given back", zmalloc_used_memory() < full-big/2);
    trimStringObjectIfNeeded(o,0);
    trimStringObjectIfNeeded(o,1);
    test_cond("a second time does no harm", intact(o,big+100) && little(o));
    decrRefCount(o);
    test_cond("a text is large from PROTO_MBULK_BIG_ARG on", trims(big,big,0) == 1 && trims(big+1,big,0) == 1 && trims(big-1,big,0) == 0 && trims(10*big,5*big,0) == 1);
    test_cond("a small text is left alone", trims(10,100,0) == 0 && trims(63,1000,0) == 0 && trims(1000,5000,0) == 0 && trims(0,50,0) == 0);
    test_cond("a small text is trimmed if that is asked for", trims(10,200,1) == 1 && trims(63,1000,1) == 1 && trims(1000,5000,1) == 1 && trims(big-1,big,1) == 1 && trims(big,big,1) == 1);
    test_cond("an empty text may be trimmed", trims(0,100,1) == 1 && trims(0,5000,1) == 1);
    size_t len = 51200;
    test_cond("up to a tenth of free space stays", trims(len,len/10,0) == 0 && trims(len,len/10-1,0) == 0 && trims(len,1,0) == 0 && trims(400000,40000,0) == 0);
    test_cond("a little more than a tenth goes", trims(len,len/10+1,0) == 1 && trims(400000,40001,0) == 1 && trims(len,len/9,0) == 1);
    test_cond("the tenth counts for small texts too", trims(1000,100,1) == 0 && trims(1000,101,1) == 1 && trims(300,30,1) == 0 && trims(300,31,1) == 1);
    test_cond("without free space nothing happens", trims(len,0,0) == 0 && trims(len,0,1) == 0 && trims(5,0,1) == 0);

    server.executing_client = c;
    test_cond("what a script passes is trimmed", trims(10,100,0) == 1 && trims(LUA_CMD_OBJCACHE_MAX_LEN-1,100,0) == 1 && trims(0,100,0) == 1 && trims(big,big,0) == 1);
    test_cond("a script's text that is too long for the cache is left alone", trims(LUA_CMD_OBJCACHE_MAX_LEN+1,200,0) == 0 && trims(LUA_CMD_OBJCACHE_MAX_LEN+40,200,0) == 0 &&
              trims(5000,5000,0) == 0 && trims(LUA_CMD_OBJCACHE_MAX_LEN,200,1) == 1);
    test_cond("free space of a script's text up to a tenth stays", trims(60,6,0) == 0 && trims(40,4,0) == 0);
    c->flags &= ~CLIENT_SCRIPT;
    int none = trims(10,100,0) == 0 && trims(0,100,0) == 0 && trims(10,100,1) == 1 && trims(big,big,0) == 1;
    c->flags |= CLIENT_MULTI|CLIENT_MODULE;
    test_cond("a client that is no script is no reason", none && trims(10,100,0) == 0);
    c->flags = CLIENT_SCRIPT;

    o = createEmbeddedStringObject("short",5);
    void *ptr = o->ptr;
    trimStringObjectIfNeeded(o,0);
    trimStringObjectIfNeeded(o,1);
    test_cond("an embedded text is left alone", o->encoding == OBJ_ENCODING_EMBSTR && o->ptr == ptr && !strcmp(o->ptr,"short") && o->refcount == 1);
    decrRefCount(o);
    o = createStringObjectFromLongLong(123456789);
    trimStringObjectIfNeeded(o,0);
    trimStringObjectIfNeeded(o,1);
    test_cond("a number is left alone", o->encoding == OBJ_ENCODING_INT && (long)o->ptr == 123456789);
    decrRefCount(o);
    server.executing_client = NULL;
    o = text(big,big);
    incrRefCount(o);
    trimStringObjectIfNeeded(o,0);
    test_cond("a shared object is trimmed as well", little(o) && intact(o,big) && o->refcount == 2 && good);
    decrRefCount(o), decrRefCount(o);
    test_cond("nothing is lost", zmalloc_used_memory() == used);
    test_report();
    return 0;
}
