/*---
 * tasks: [rewriteSortedSetObject-26a88f.8]
 * tests:
 *   success is told: 'Comment: "The function returns 0 on error, 1 on success".'
 *   the set is built up again: 'Comment: "Emit the commands needed to rebuild a set object".'
 *   a single member is enough: 'Comment: "rebuild a set object".'
 *   a set of numbers is built up again: 'OBJ_ENCODING_INTSET; setTypeNext gives llval.'
 *   a listpack of numbers and words is built up again: 'OBJ_ENCODING_LISTPACK; setTypeNext gives str or llval.'
 *   a hash table is built up again: 'OBJ_ENCODING_HT.'
 *   members of any bytes are kept: 'Comment: "rebuild a set object"; members are Redis strings.'
 *   a command has 64 members at most: 'server.h: AOF_REWRITE_ITEMS_PER_CMD.'
 *   sets of 64 and one more and twice as many are built up again: 'server.h: AOF_REWRITE_ITEMS_PER_CMD.'
 *   big sets are built up again: 'Comment: "the commands".'
 *   the key may be a number: 'rioWriteBulkObject: OBJ_ENCODING_INT.'
 *   the key may have any bytes: 'Signature: key; names are Redis strings.'
 *   each write that fails gives an error: 'Comment: "The function returns 0 on error".'
 *   the set stays as it was: 'The child writes what the parent goes on with.'
 *   nothing is left behind: 'The iterator is released.'
 ---*/
#include "aofreplay.h"

int rewriteSetObject(rio *r, robj *key, robj *o);

static robj *fill(robj *o, const char *prefix, int n) {
    for (int j = 0; j < n; j++) {
        sds e = sdscatprintf(sdsempty(),"%s%d",prefix,j);
        setTypeAdd(o,e);
        sdsfree(e);
    }
    return o;
}

static void add(robj *o, const char *s, size_t len) {
    sds e = sdsnewlen(s,len);
    setTypeAdd(o,e);
    sdsfree(e);
}

static int equal(robj *a, robj *b) {
    if (!a || !b || b->type != OBJ_SET || setTypeSize(a) != setTypeSize(b)) return 0;
    setTypeIterator *si = setTypeInitIterator(a);
    sds e;
    int same = 1;
    while ((e = setTypeNextObject(si)) != NULL) {
        if (!setTypeIsMember(b,e)) same = 0;
        sdsfree(e);
    }
    setTypeReleaseIterator(si);
    return same;
}

static int again(robj *o) {
    robj *key = str("set");
    int same = equal(o,rebuilt(rewriteSetObject,key,o)) && returned == 1;
    decrRefCount(key);
    return same;
}

int main(void) {
    startRedis();
    robj *key = str("set"), *ht = fill(createSetObject(),"m",5), *lp = fill(createSetListpackObject(),"m",4);
    int ok = again(ht);
    test_cond("success is told", returned == 1);
    test_cond("the set is built up again", ok);
    test_cond("a single member is enough", again(fill(createSetObject(),"x",1)) && commands == 1);
    robj *ints = fill(createIntsetObject(),"",10);
    add(ints,"-9223372036854775808",20), add(ints,"9223372036854775807",19), add(ints,"-5",2);
    test_cond("a set of numbers is built up again", ints->encoding == OBJ_ENCODING_INTSET && again(ints));
    add(lp,"12",2), add(lp,"-3",2), add(lp,"007",3);
    test_cond("a listpack of numbers and words is built up again", lp->encoding == OBJ_ENCODING_LISTPACK && again(lp));
    add(ht,"12",2), add(ht,"-3",2);
    test_cond("a hash table is built up again", ht->encoding == OBJ_ENCODING_HT && again(ht));
    robj *bin = createSetListpackObject(), *bin2 = createSetObject();
    add(bin,"a\0b\r\n",5), add(bin,"",0), add(bin,"\xff",1), add(bin,"a",1);
    add(bin2,"a\0b\r\n",5), add(bin2,"",0), add(bin2,"\xff",1), add(bin2,"a",1);
    test_cond("members of any bytes are kept", again(bin) && again(bin2));
    ok = again(fill(createSetObject(),"m",200));
    test_cond("a command has 64 members at most", ok && mostWords <= 2+64 && commands == 4);
    ok = 1;
    int sizes[] = {63,64,65,127,128,129};
    for (int j = 0; j < 6; j++) ok &= again(fill(createSetObject(),"m",sizes[j])) & again(fill(createIntsetObject(),"",sizes[j]));
    test_cond("sets of 64 and one more and twice as many are built up again", ok);
    test_cond("big sets are built up again", again(fill(createSetObject(),"member",3000)) &&
              again(fill(createIntsetObject(),"",400)));
    robj *number = createStringObjectFromLongLong(1234567), *binkey = createStringObject("k\0\r\n",4);
    test_cond("the key may be a number", number->encoding == OBJ_ENCODING_INT &&
              equal(ht,rebuilt(rewriteSetObject,number,ht)));
    test_cond("the key may have any bytes", equal(lp,rebuilt(rewriteSetObject,binkey,lp)));
    test_cond("each write that fails gives an error", failsEverywhere(rewriteSetObject,key,ht) &&
              failsEverywhere(rewriteSetObject,key,lp) && failsEverywhere(rewriteSetObject,key,ints) &&
              failsEverywhere(rewriteSetObject,key,fill(createSetObject(),"m",66)));
    test_cond("the set stays as it was", setTypeSize(ht) == 7 && ht->refcount == 1 && key->refcount == 1 &&
              setTypeSize(ints) == 13 && ints->encoding == OBJ_ENCODING_INTSET);
    rio r;
    rioInitWithBuffer(&r,sdsempty());
    size_t before = zmalloc_used_memory();
    for (int j = 0; j < 50; j++) {
        rio w;
        rioInitWithBuffer(&w,sdsempty());
        rewriteSetObject(&w,key,j%2 ? ht : lp);
        sdsfree(w.io.buffer.ptr);
    }
    test_cond("nothing is left behind", zmalloc_used_memory() == before);
    test_report();
    return 0;
}
