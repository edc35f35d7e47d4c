/*---
 * tasks: [slowlogCreateEntry-ff2ecf.8, slowlogCreateEntry-ff2ecf.16]
 * tests:
 *   a string of these bytes: 'Comment: "Same as CreateRawStringObject".'
 *   it is raw, however short: 'CreateRawStringObject: OBJ_ENCODING_RAW.'
 *   it has one reference: 'createObject.'
 *   binary bytes and length are kept: 'Signature: ptr and len.'
 *   an empty string: 'Signature: len 0.'
 *   a long string: 'Signature: len.'
 *   the bytes are copied: 'Callers keep theirs.'
 *   NULL where the memory is not to be had: 'Comment: "can return NULL if allocation fails".'
 *   nothing is left behind: 'decrRefCount frees it.'
 ---*/
#include "../server.h"
#include "../testhelp.h"

static int is(const char *text, size_t len) {
    robj *o = tryCreateRawStringObject(text, len);
    int same = o && o->type == OBJ_STRING && o->encoding == OBJ_ENCODING_RAW && sdslen(o->ptr) == len && !memcmp(o->ptr, text, len) &&
               ((char *)o->ptr)[len] == '\0' && o->refcount == 1;
    if (o) decrRefCount(o);
    return same;
}

int main(void) {
    size_t before = zmalloc_used_memory();
    test_cond("a string of these bytes", is("hello", 5));
    robj *o = tryCreateRawStringObject("12", 2);
    test_cond("it is raw, however short", o && o->type == OBJ_STRING && o->encoding == OBJ_ENCODING_RAW);
    test_cond("it has one reference", o && o->refcount == 1);
    decrRefCount(o);
    test_cond("binary bytes and length are kept", is("a\0b\xff", 4) && is("hello", 2));
    test_cond("an empty string", is("", 0));
    static char text[100000];
    memset(text, 't', sizeof(text));
    test_cond("a long string", is(text, sizeof(text)) && is(text, 44) && is(text, 45));
    char own[] = "own";
    o = tryCreateRawStringObject(own, 3);
    own[0] = 'O';
    test_cond("the bytes are copied", !strcmp(o->ptr, "own"));
    decrRefCount(o);
    test_cond("NULL where the memory is not to be had", tryCreateRawStringObject(SDS_NOINIT, (size_t)1 << 60) == NULL);
    test_cond("nothing is left behind", zmalloc_used_memory() == before);
    test_report();
    return 0;
}
