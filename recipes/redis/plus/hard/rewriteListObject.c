/*---
 * tasks: [rewriteSortedSetObject-26a88f.8]
 * tests:
 *   success is told: 'Comment: "The function returns 0 on error, 1 on success".'
 *   the list is built up again: 'Comment: "Emit the commands needed to rebuild a list object".'
 *   the order of the elements stays: 'Comment: "rebuild a list object".'
 *   elements that are there twice stay: 'Comment: "rebuild a list object".'
 *   a single element is enough: 'Comment: "rebuild a list object".'
 *   numbers are written as strings: 'listTypeGetValue gives lval where vstr is NULL.'
 *   elements of any bytes are kept: 'Comment: "rebuild a list object"; elements are Redis strings.'
 *   big elements are kept: 'quicklist.h: plain nodes.'
 *   lists of both encodings are built up again: 'Signature: o; listTypeIterator.'
 *   a command has 64 elements at most: 'server.h: AOF_REWRITE_ITEMS_PER_CMD.'
 *   lists of 64 and one more and twice as many are built up again: 'server.h: AOF_REWRITE_ITEMS_PER_CMD.'
 *   long lists are built up again: 'Comment: "the commands".'
 *   the key may be a number: 'rioWriteBulkObject: OBJ_ENCODING_INT.'
 *   the key may have any bytes: 'Signature: key; names are Redis strings.'
 *   each write that fails gives an error: 'Comment: "The function returns 0 on error".'
 *   the list stays as it was: 'The child writes what the parent goes on with.'
 *   nothing is left behind: 'The iterator is released, after an error too.'
 ---*/
#include "aofreplay.h"

int rewriteListObject(rio *r, robj *key, robj *o);

static robj *newList(int n, const char *prefix) {
    robj *o = createListListpackObject();
    for (int j = 0; j < n; j++) {
        robj *e = createObject(OBJ_STRING,sdscatprintf(sdsempty(),"%s%d",prefix,j));
        listTypeTryConversionAppend(o,&e,0,0,NULL,NULL);
        listTypePush(o,e,LIST_TAIL);
        decrRefCount(e);
    }
    return o;
}

static void push(robj *o, const char *s, size_t len) {
    robj *e = createStringObject(s,len);
    listTypeTryConversionAppend(o,&e,0,0,NULL,NULL);
    listTypePush(o,e,LIST_TAIL);
    decrRefCount(e);
}

static int equal(robj *a, robj *b) {
    if (!a || !b || a->type != OBJ_LIST || listTypeLength(a) != listTypeLength(b)) return 0;
    listTypeIterator *i = listTypeInitIterator(a,0,LIST_TAIL), *j = listTypeInitIterator(b,0,LIST_TAIL);
    listTypeEntry x, y;
    int same = 1;
    while (listTypeNext(i,&x) && listTypeNext(j,&y)) {
        robj *p = getDecodedObject(listTypeGet(&x)), *q = getDecodedObject(listTypeGet(&y));
        if (sdslen(p->ptr) != sdslen(q->ptr) || memcmp(p->ptr,q->ptr,sdslen(p->ptr))) same = 0;
    }
    listTypeReleaseIterator(i), listTypeReleaseIterator(j);
    return same;
}

static int again(robj *o) {
    robj *key = str("list");
    int same = equal(o,rebuilt(rewriteListObject,key,o)) && returned == 1;
    decrRefCount(key);
    return same;
}

int main(void) {
    startRedis();
    robj *key = str("list"), *three = newList(3,"e");
    int ok = again(three);
    test_cond("success is told", returned == 1);
    test_cond("the list is built up again", ok);
    robj *mixed = createListListpackObject();
    push(mixed,"z",1), push(mixed,"a",1), push(mixed,"m",1), push(mixed,"0",1);
    test_cond("the order of the elements stays", again(mixed));
    push(mixed,"a",1), push(mixed,"a",1);
    test_cond("elements that are there twice stay", again(mixed));
    test_cond("a single element is enough", again(newList(1,"x")) && commands == 1);
    robj *numbers = newList(5,"");
    push(numbers,"-9223372036854775808",20), push(numbers,"9223372036854775807",19), push(numbers,"-1",2), push(numbers,"007",3);
    test_cond("numbers are written as strings", again(numbers));
    robj *bin = createListListpackObject();
    push(bin,"a\0b\r\n",5), push(bin,"",0), push(bin,"\xff\xfe",2), push(bin,"$3\r\n",4);
    test_cond("elements of any bytes are kept", again(bin));
    sds big = sdsnewlen(NULL,70000);
    memset(big,'b',70000);
    robj *plain = createQuicklistObject(server.list_max_listpack_size,0);
    push(plain,"first",5), push(plain,big,70000), push(plain,"last",4);
    test_cond("big elements are kept", again(plain));
    robj *ql = createQuicklistObject(4,1);
    for (int j = 0; j < 50; j++) push(ql,j%2 ? "odd" : "12",j%2 ? 3 : 2);
    test_cond("lists of both encodings are built up again", again(ql) && three->encoding == OBJ_ENCODING_LISTPACK &&
              again(three));
    ok = again(newList(200,"e"));
    test_cond("a command has 64 elements at most", ok && mostWords <= 2+64 && commands == 4);
    test_cond("lists of 64 and one more and twice as many are built up again", again(newList(63,"e")) && again(newList(64,"e")) &&
              again(newList(65,"e")) && again(newList(127,"")) && again(newList(128,"e")) && again(newList(129,"e")));
    test_cond("long lists are built up again", again(newList(3000,"element")));
    robj *number = createStringObjectFromLongLong(1234567), *binkey = createStringObject("k\0\r\n",4);
    test_cond("the key may be a number", number->encoding == OBJ_ENCODING_INT &&
              equal(three,rebuilt(rewriteListObject,number,three)));
    test_cond("the key may have any bytes", equal(three,rebuilt(rewriteListObject,binkey,three)));
    int fails = failsEverywhere(rewriteListObject,key,numbers) && failsEverywhere(rewriteListObject,key,newList(66,"e")) &&
                failsEverywhere(rewriteListObject,key,ql);
    test_cond("each write that fails gives an error", fails);
    test_cond("the list stays as it was", listTypeLength(three) == 3 && three->refcount == 1 && key->refcount == 1 &&
              listTypeLength(ql) == 50);
    failsEverywhere(rewriteListObject,key,three);
    size_t before = zmalloc_used_memory();
    for (int j = 0; j < 10; j++) failsEverywhere(rewriteListObject,key,three), failsEverywhere(rewriteListObject,key,numbers);
    test_cond("nothing is left behind", zmalloc_used_memory() == before);
    test_report();
    return 0;
}
