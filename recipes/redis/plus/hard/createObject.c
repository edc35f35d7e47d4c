/*---
 * tasks: [slowlogCreateEntry-ff2ecf.4, slowlogCreateEntry-ff2ecf.8, slowlogCreateEntry-ff2ecf.16]
 * tests:
 *   the object has the type given: 'Parameter type; callers: OBJ_STRING, OBJ_LIST and the others.'
 *   the object holds the pointer given: 'Parameter ptr; createRawStringObject: "o->ptr points to a proper sds string".'
 *   the pointer may be NULL: 'Callers: createStringObjectFromLongLongWithOptions, dupStringObject.'
 *   the encoding is RAW: 'createRawStringObject: "plain string object"; callers set any other encoding after it.'
 *   one reference is held: 'makeObjectShared: it asserts refcount == 1; dupStringObject: "refcount == 1".'
 *   each call gives an object of its own: 'Name: creates.'
 *   what memory held before does not matter: 'Name: creates; callers set the encoding alone.'
 *   what it holds is neither copied nor changed: 'createRawStringObject hands its string over.'
 *   the last reference frees it with what it holds: 'decrRefCount; createRawStringObject.'
 *   it may be made shared: 'makeObjectShared: "makeObjectShared(createObject(...))".'
 *   every field may be set after it: 'Callers: createQuicklistObject and siblings.'
 ---*/
#include "../server.h"
#include "../testhelp.h"

static void dirty(void) {
    void *p[64];
    for (int j = 0; j < 64; j++) p[j] = memset(zmalloc(sizeof(robj)),0xff,sizeof(robj));
    for (int j = 0; j < 64; j++) zfree(p[j]);
}

int main(void) {
    int types[] = {OBJ_STRING,OBJ_LIST,OBJ_SET,OBJ_ZSET,OBJ_HASH,OBJ_MODULE,OBJ_STREAM};
    int type = 1, ptr = 1, encoding = 1, one = 1, own = 1;
    robj *all[7];
    char mark[7];
    for (int j = 0; j < 7; j++) {
        all[j] = createObject(types[j],mark+j);
        for (int k = 0; k < j; k++) own &= all[k] != all[j];
    }
    for (int j = 0; j < 7; j++) {
        type &= (int)all[j]->type == types[j];
        ptr &= all[j]->ptr == mark+j;
        encoding &= all[j]->encoding == OBJ_ENCODING_RAW;
        one &= all[j]->refcount == 1;
    }
    test_cond("the object has the type given", type);
    test_cond("the object holds the pointer given", ptr);
    robj *null = createObject(OBJ_STRING,NULL);
    test_cond("the pointer may be NULL", null->ptr == NULL && null->refcount == 1 && null->type == OBJ_STRING);
    test_cond("the encoding is RAW", encoding && null->encoding == OBJ_ENCODING_RAW);
    test_cond("one reference is held", one);
    test_cond("each call gives an object of its own", own);
    int clean = 1;
    for (int j = 0; j < 50; j++) {
        dirty();
        robj *o = createObject(types[j % 7],mark);
        clean &= (int)o->type == types[j % 7] && o->encoding == OBJ_ENCODING_RAW && o->refcount == 1 && o->ptr == mark;
        zfree(o);
    }
    test_cond("what memory held before does not matter", clean);
    size_t before = zmalloc_used_memory();
    sds s = sdsnewlen("a\0b",3);
    robj *o = createObject(OBJ_STRING,s);
    test_cond("what it holds is neither copied nor changed", o->ptr == s && sdslen(s) == 3 && !memcmp(s,"a\0b",4));
    incrRefCount(o);
    int two = o->refcount == 2;
    decrRefCount(o);
    two &= o->refcount == 1;
    decrRefCount(o);
    test_cond("the last reference frees it with what it holds", two && zmalloc_used_memory() == before);
    o = makeObjectShared(createObject(OBJ_STRING,sdsnew("shared")));
    incrRefCount(o);
    decrRefCount(o);
    test_cond("it may be made shared", o->refcount == OBJ_SHARED_REFCOUNT && !strcmp(o->ptr,"shared"));
    o = createObject(OBJ_STRING,NULL);
    o->encoding = OBJ_ENCODING_INT;
    o->ptr = (void*)-7L;
    int set = getDecodedObject(o)->type == OBJ_STRING && !strcmp(getDecodedObject(o)->ptr,"-7");
    o->lru = LRU_CLOCK_MAX;
    test_cond("every field may be set after it", set && o->lru == LRU_CLOCK_MAX && o->encoding == OBJ_ENCODING_INT &&
              o->type == OBJ_STRING && o->refcount == 1);
    test_report();
    return 0;
}
