/*---
 * tasks: [slowlogCreateEntry-ff2ecf.2, slowlogCreateEntry-ff2ecf.4, slowlogCreateEntry-ff2ecf.8, slowlogCreateEntry-ff2ecf.16]
 * tests:
 *   a raw string is copied: 'Comment: "Duplicate a string object".'
 *   a raw string stays raw however short: 'Comment: "has the same encoding as the original one".'
 *   an embedded string is copied: 'Comment: "has the same encoding as the original one".'
 *   a number is copied as a number: 'Comment: "has the same encoding as the original one".'
 *   numbers of any size are copied: 'OBJ_ENCODING_INT: a long.'
 *   a shared number becomes a fresh object: 'Comment: "will always result in a fresh object that is unshared (refcount == 1)".'
 *   a string of digits becomes a fresh object: 'Comment: "or a string object that contains a representation of a small integer".'
 *   one reference is held: 'Comment: "The resulting object always has refcount set to 1".'
 *   any bytes are copied: 'sds strings are binary-safe.'
 *   an empty string is copied: 'sds strings may be empty.'
 *   a long string is copied: 'COPY of a value of any size.'
 *   the original stays as it is: 'Signature: const.'
 *   original and copy do not touch each other: 'Comment: "Duplicate"; COPY, APPEND.'
 *   the copy is freed by itself: 'decrRefCount.'
 ---*/
#include "start.h"
#include "../testhelp.h"

robj *createStringObjectFromLongLongWithOptions(long long value, int flag);

static int same(const robj *o, unsigned encoding, const char *bytes, size_t len) {
    return o->type == OBJ_STRING && o->encoding == encoding && o->refcount == 1 && sdslen(o->ptr) == len &&
           !memcmp(o->ptr,bytes,len) && ((char*)o->ptr)[len] == '\0';
}

static robj *number(long n) {
    return createStringObjectFromLongLongWithOptions(n,1);
}

int main(void) {
    startRedis();
    robj *raw = createRawStringObject("a\0b",3), *emb = createStringObject("x\0\r\n",4), *copies[8], *empty, *large;
    robj *r = dupStringObject(raw), *e = dupStringObject(emb);
    test_cond("a raw string is copied", r != raw && r->ptr != raw->ptr && sdslen(r->ptr) == 3);
    test_cond("a raw string stays raw however short", same(r,OBJ_ENCODING_RAW,"a\0b",3));
    test_cond("an embedded string is copied", e != emb && e->ptr != emb->ptr && same(e,OBJ_ENCODING_EMBSTR,"x\0\r\n",4));
    test_cond("any bytes are copied", !memcmp(r->ptr,"a\0b",4) && !memcmp(e->ptr,"x\0\r\n",5));
    robj *n = number(123456), *d = dupStringObject(n);
    test_cond("a number is copied as a number", d != n && d->type == OBJ_STRING && d->encoding == OBJ_ENCODING_INT &&
              (long)d->ptr == 123456);
    long sizes[] = {0,1,-1,9999,10000,-123456789012L,LONG_MAX,LONG_MIN};
    int any = 1;
    for (int j = 0; j < 8; j++) {
        n = number(sizes[j]);
        copies[j] = dupStringObject(n);
        any &= copies[j] != n && copies[j]->encoding == OBJ_ENCODING_INT && (long)copies[j]->ptr == sizes[j] &&
               copies[j]->refcount == 1;
        decrRefCount(n);
    }
    for (int j = 0; j < 8; j++) any &= (long)copies[j]->ptr == sizes[j];
    test_cond("numbers of any size are copied", any);
    robj *shared7 = shared.integers[7];
    d = dupStringObject(shared7);
    test_cond("a shared number becomes a fresh object", d != shared7 && d->refcount == 1 && (long)d->ptr == 7 &&
              d->encoding == OBJ_ENCODING_INT && shared7->refcount == OBJ_SHARED_REFCOUNT);
    robj *digits = createStringObject("7",1), *rawdigits = createRawStringObject("7",1);
    d = dupStringObject(digits);
    robj *d2 = dupStringObject(rawdigits);
    test_cond("a string of digits becomes a fresh object", d != digits && same(d,OBJ_ENCODING_EMBSTR,"7",1) &&
              same(d2,OBJ_ENCODING_RAW,"7",1) && d2 != rawdigits);
    robj stack = *emb;
    stack.refcount = OBJ_STATIC_REFCOUNT;
    for (int j = 0; j < 3; j++) incrRefCount(raw);
    d = dupStringObject(raw);
    d2 = dupStringObject(&stack);
    test_cond("one reference is held", d->refcount == 1 && d2->refcount == 1 && d2 != &stack);
    test_cond("the original stays as it is", raw->refcount == 4 && raw->encoding == OBJ_ENCODING_RAW &&
              sdslen(raw->ptr) == 3 && same(emb,OBJ_ENCODING_EMBSTR,"x\0\r\n",4) && same(digits,OBJ_ENCODING_EMBSTR,"7",1));
    empty = createRawStringObject("",0);
    d = dupStringObject(empty);
    d2 = dupStringObject(createStringObject("",0));
    test_cond("an empty string is copied", same(d,OBJ_ENCODING_RAW,"",0) && same(d2,OBJ_ENCODING_EMBSTR,"",0));
    sds s = sdsgrowzero(sdsempty(),300000);
    memset(s,'y',300000);
    s = sdsMakeRoomFor(s,5000);
    large = createObject(OBJ_STRING,s);
    d = dupStringObject(large);
    char border[44];
    memset(border,'z',44);
    d2 = dupStringObject(createStringObject(border,44));
    test_cond("a long string is copied", same(d,OBJ_ENCODING_RAW,s,300000) && same(d2,OBJ_ENCODING_EMBSTR,border,44));
    d = dupStringObject(large);
    ((char*)d->ptr)[0] = 'a';
    d->ptr = sdscat(d->ptr,"more");
    int apart = s[0] == 'y' && sdslen(s) == 300000 && sdslen(d->ptr) == 300004;
    s[1] = 'b';
    test_cond("original and copy do not touch each other", apart && ((char*)d->ptr)[1] == 'y');
    size_t before = zmalloc_used_memory();
    robj *from[] = {raw,emb,shared7,empty,large};
    for (int j = 0; j < 50; j++) decrRefCount(dupStringObject(from[j % 5]));
    test_cond("the copy is freed by itself", zmalloc_used_memory() == before && raw->refcount == 4);
    test_report();
    return 0;
}
