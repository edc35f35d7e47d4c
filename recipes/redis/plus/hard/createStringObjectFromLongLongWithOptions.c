/*---
 * tasks: [slowlogCreateEntry-ff2ecf.8, slowlogCreateEntry-ff2ecf.16]
 * tests:
 *   small numbers are shared: 'LL2STROBJ_AUTO: "automatically create the optimal string object"; OBJ_SHARED_INTEGERS.'
 *   numbers beyond the shared ones are encoded: 'OBJ_ENCODING_INT.'
 *   negative numbers are encoded and not shared: 'shared.integers begins with 0.'
 *   the borders of the shared ones: 'OBJ_SHARED_INTEGERS.'
 *   nothing is shared where that is disallowed: 'LL2STROBJ_NO_SHARED: "disallow shared objects".'
 *   they are encoded there all the same: 'LL2STROBJ_NO_SHARED.'
 *   no number is encoded where that is disallowed: 'LL2STROBJ_NO_INT_ENC: "disallow integer encoded objects".'
 *   the text of a number is right: 'createStringObjectFromLongLongWithSds: "contains an sds inside it".'
 *   the smallest and the largest number: 'Signature: long long.'
 *   a new object has one reference: 'createObject.'
 *   nothing is left behind: 'decrRefCount.'
 ---*/
#include "start.h"
#include "../testhelp.h"

robj *createStringObjectFromLongLongWithOptions(long long value, int flag);

#define AUTO 0
#define NO_SHARED 1
#define NO_INT 2

static int isShared(long long value) {
    robj *o = createStringObjectFromLongLongWithOptions(value, AUTO);
    return o == shared.integers[value] && o->refcount == OBJ_SHARED_REFCOUNT;
}

static int isInt(long long value, int flag) {
    robj *o = createStringObjectFromLongLongWithOptions(value, flag);
    int right = o->type == OBJ_STRING && o->encoding == OBJ_ENCODING_INT && (long long)(long)o->ptr == value && o->refcount == 1;
    decrRefCount(o);
    return right;
}

static int isText(long long value, const char *text) {
    robj *o = createStringObjectFromLongLongWithOptions(value, NO_INT);
    int right = o->type == OBJ_STRING && sdsEncodedObject(o) && sdslen(o->ptr) == strlen(text) && !strcmp(o->ptr, text) && o->refcount == 1;
    decrRefCount(o);
    return right;
}

int main(void) {
    startRedis();
    size_t before = zmalloc_used_memory();
    test_cond("small numbers are shared", isShared(0) && isShared(1) && isShared(5000));
    test_cond("numbers beyond the shared ones are encoded", isInt(123456, AUTO) && isInt(9999999999LL, AUTO));
    test_cond("negative numbers are encoded and not shared", isInt(-1, AUTO) && isInt(-123456, AUTO));
    test_cond("the borders of the shared ones", isShared(OBJ_SHARED_INTEGERS - 1) && isInt(OBJ_SHARED_INTEGERS, AUTO));
    int apart = 1;
    for (int v = 0; v < 20; v++) {
        robj *o = createStringObjectFromLongLongWithOptions(v, NO_SHARED);
        apart &= o != shared.integers[v] && o->refcount == 1;
        decrRefCount(o);
    }
    test_cond("nothing is shared where that is disallowed", apart);
    test_cond("they are encoded there all the same", isInt(0, NO_SHARED) && isInt(77, NO_SHARED) && isInt(-5, NO_SHARED) && isInt(100000, NO_SHARED));
    test_cond("no number is encoded where that is disallowed", isText(0, "0") && isText(77, "77") && isText(123456, "123456"));
    test_cond("the text of a number is right", isText(-1, "-1") && isText(9999, "9999") && isText(-9999999999LL, "-9999999999"));
    test_cond("the smallest and the largest number",
              isInt(LLONG_MAX, AUTO) && isInt(LLONG_MIN, NO_SHARED) && isText(LLONG_MAX, "9223372036854775807") && isText(LLONG_MIN, "-9223372036854775808"));
    test_cond("a new object has one reference", isInt(10001, AUTO) && isInt(3, NO_SHARED) && isText(3, "3"));
    test_cond("nothing is left behind", zmalloc_used_memory() == before);
    test_report();
    return 0;
}
