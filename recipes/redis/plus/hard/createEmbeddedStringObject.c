/*---
 * tasks: [slowlogCreateEntry-ff2ecf.4, slowlogCreateEntry-ff2ecf.8, slowlogCreateEntry-ff2ecf.16]
 * tests:
 *   the string is copied: 'Comment: "an object where the sds string is ... allocated in the same chunk"; callers keep theirs.'
 *   it has the length given: 'Parameter len; sdslen.'
 *   it is a string with encoding EMBSTR: 'Comment: "Create a string object with encoding OBJ_ENCODING_EMBSTR".'
 *   one reference is held: 'dupStringObject: "The resulting object always has refcount set to 1".'
 *   object and string are one chunk: 'Comment: "allocated in the same chunk as the object itself".'
 *   it ends with a zero byte: 'sds.h: a string is null-terminated; strcasecmp on o->ptr.'
 *   any bytes are copied: 'Comment: sds strings are binary-safe.'
 *   an empty string is one: 'Parameter len; callers: createStringObject("",0).'
 *   it is a proper sds without room: 'Comment: sds string; sdsavail, "unmodifiable".'
 *   the longest embedded strings fit: 'OBJ_ENCODING_EMBSTR_SIZE_LIMIT; tryObjectEncoding.'
 *   strings beyond the limit fit as well: 'Signature: a length of any sds of one byte''s header.'
 *   without a pointer it is filled with zeros: 'sds.c: "If NULL is used for ''init'' the string is initialized with zero bytes".'
 *   SDS_NOINIT leaves the bytes and ends the string: 'sds.c: "If SDS_NOINIT is used, the buffer is left uninitialized"; caller tryCreateStringObject from rdb.c.'
 *   what memory held before does not matter: 'Comment: "Create a string object".'
 *   the last reference frees it: 'decrRefCount.'
 ---*/
#include "../server.h"
#include "../testhelp.h"

static void dirty(void) {
    void *p[320];
    for (int j = 0; j < 320; j++) p[j] = memset(zmalloc(1+j),0xff,1+j);
    for (int j = 0; j < 320; j++) zfree(p[j]);
}

static int proper(robj *o, const char *bytes, size_t len) {
    int same = o->type == OBJ_STRING && o->encoding == OBJ_ENCODING_EMBSTR && o->refcount == 1 && sdslen(o->ptr) == len &&
               sdsavail(o->ptr) == 0 && sdsalloc(o->ptr) == len && !memcmp(o->ptr,bytes,len) && ((char*)o->ptr)[len] == '\0';
    char *end = (char*)o+zmalloc_usable_size(o);
    return same && (char*)o->ptr > (char*)o && (char*)o->ptr+len < end;
}

int main(void) {
    char bytes[256];
    for (int j = 0; j < 256; j++) bytes[j] = j;
    char hello[] = "hello world";
    robj *o = createEmbeddedStringObject(hello,5);
    memset(hello,'x',5);
    test_cond("the string is copied", !memcmp(o->ptr,"hello",5) && o->ptr != hello);
    test_cond("it has the length given", sdslen(o->ptr) == 5);
    test_cond("it is a string with encoding EMBSTR", o->type == OBJ_STRING && o->encoding == OBJ_ENCODING_EMBSTR);
    test_cond("one reference is held", o->refcount == 1);
    test_cond("object and string are one chunk", (char*)o->ptr > (char*)o &&
              (char*)o->ptr+5 < (char*)o+zmalloc_usable_size(o));
    test_cond("it ends with a zero byte", ((char*)o->ptr)[5] == '\0');
    robj *b = createEmbeddedStringObject("a\0b\r\n\xff",6);
    test_cond("any bytes are copied", proper(b,"a\0b\r\n\xff",6) && proper(createEmbeddedStringObject(bytes,40),bytes,40));
    test_cond("an empty string is one", proper(createEmbeddedStringObject("",0),"",0) &&
              proper(createEmbeddedStringObject("unused",0),"",0));
    sds copy = sdsdup(o->ptr);
    test_cond("it is a proper sds without room", sdsavail(o->ptr) == 0 && sdsalloc(o->ptr) == 5 && sdslen(copy) == 5 &&
              (((unsigned char*)o->ptr)[-1] & SDS_TYPE_MASK) == SDS_TYPE_8);
    test_cond("the longest embedded strings fit", proper(createEmbeddedStringObject(bytes,43),bytes,43) &&
              proper(createEmbeddedStringObject(bytes,44),bytes,44));
    test_cond("strings beyond the limit fit as well", proper(createEmbeddedStringObject(bytes,45),bytes,45) &&
              proper(createEmbeddedStringObject(bytes,200),bytes,200) &&
              proper(createEmbeddedStringObject(bytes,255),bytes,255));
    char zeros[256] = {0};
    int zero = 1, noinit = 1, clean = 1;
    for (int len = 0; len <= 100; len++) {
        dirty();
        o = createEmbeddedStringObject(NULL,len);
        zero &= proper(o,zeros,len);
        decrRefCount(o);
        dirty();
        o = createEmbeddedStringObject(SDS_NOINIT,len);
        noinit &= sdslen(o->ptr) == (size_t)len && ((char*)o->ptr)[len] == '\0' && o->encoding == OBJ_ENCODING_EMBSTR;
        noinit &= len < 10 || strncmp(o->ptr,SDS_NOINIT,10);
        memcpy(o->ptr,bytes,len);
        noinit &= proper(o,bytes,len);
        decrRefCount(o);
        dirty();
        o = createEmbeddedStringObject(bytes,len);
        clean &= proper(o,bytes,len);
        decrRefCount(o);
    }
    test_cond("without a pointer it is filled with zeros", zero);
    test_cond("SDS_NOINIT leaves the bytes and ends the string", noinit);
    test_cond("what memory held before does not matter", clean);
    size_t before = zmalloc_used_memory();
    for (int len = 0; len < 200; len++) {
        o = createEmbeddedStringObject(bytes,len);
        incrRefCount(o);
        decrRefCount(o);
        decrRefCount(o);
    }
    test_cond("the last reference frees it", zmalloc_used_memory() == before);
    test_report();
    return 0;
}
