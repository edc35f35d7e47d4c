/*---
 * tasks: [lazyfreeGetFreeEffort-1aee2c.8]
 * tests:
 *   an empty intset has no members: 'Callers: SCARD; an empty set is deleted when it is 0.'
 *   the members of an intset are counted: 'Signature: subject of encoding OBJ_ENCODING_INTSET; SCARD.'
 *   the members of a listpack are counted: 'Signature: subject of encoding OBJ_ENCODING_LISTPACK; SCARD.'
 *   the members of a hash table are counted: 'Signature: subject of encoding OBJ_ENCODING_HT; SCARD.'
 *   big sets are counted: 'Signature: unsigned long.'
 *   a member that was removed no longer counts: 'Callers: SREM deletes the key when it is 0.'
 *   a member that is added twice counts once: 'SADD: a set.'
 *   the encodings count the same: 'Callers convert a set and go on.'
 *   an empty set of each encoding has no members: 'Callers: dstset may be empty.'
 *   a set that is being rehashed is counted whole: 'dict.h: dictSize sums both tables.'
 *   a listpack of many members is counted: 'listpack.h: lpLength, also beyond what its header can tell.'
 *   the set stays as it was: 'Signature: const robj.'
 *   SCARD tells it: 'Caller scardCommand.'
 ---*/
#include "start.h"
#include "../testhelp.h"

/* A set of so many members, m0 and so on or 0 and so on. */
static void fill(robj *set, const char *prefix, int n) {
    for (int j = 0; j < n; j++) {
        sds e = sdscatprintf(sdsempty(),"%s%d",prefix,j);
        setTypeAdd(set,e);
        sdsfree(e);
    }
}

static robj *table(const char *prefix, int n) {
    robj *set = createSetObject();
    fill(set,prefix,n);
    return set;
}

int main(void) {
    startRedis();
    server.set_max_intset_entries = 2000;
    server.set_max_listpack_entries = 200;
    robj *ints = createIntsetObject(), *lp = createSetListpackObject(), *ht = createSetObject();
    test_cond("an empty intset has no members", setTypeSize(ints) == 0);
    test_cond("an empty set of each encoding has no members", setTypeSize(lp) == 0 && setTypeSize(ht) == 0);
    fill(ints,"",3);
    test_cond("the members of an intset are counted", ints->encoding == OBJ_ENCODING_INTSET && setTypeSize(ints) == 3);
    fill(ints,"1000000000000",2);
    int wide = ints->encoding == OBJ_ENCODING_INTSET && setTypeSize(ints) == 5;
    fill(lp,"m",4);
    test_cond("the members of a listpack are counted", lp->encoding == OBJ_ENCODING_LISTPACK && setTypeSize(lp) == 4);
    fill(ht,"m",5);
    test_cond("the members of a hash table are counted", ht->encoding == OBJ_ENCODING_HT && setTypeSize(ht) == 5);
    fill(ints,"",1000);
    test_cond("big sets are counted", wide && setTypeSize(ints) == 1002 && setTypeSize(table("k",3000)) == 3000);
    sds m = sdsnew("m1");
    setTypeRemove(ht,m);
    setTypeRemove(lp,m);
    test_cond("a member that was removed no longer counts", setTypeSize(ht) == 4 && setTypeSize(lp) == 3);
    fill(ht,"m",5), fill(lp,"m",4), fill(ints,"",10);
    fill(ht,"m",5), fill(lp,"m",4);
    test_cond("a member that is added twice counts once", setTypeSize(ht) == 5 && setTypeSize(lp) == 4 &&
              setTypeSize(ints) == 1002);
    robj *a = createIntsetObject();
    fill(a,"",77);
    unsigned long one = setTypeSize(a);
    setTypeConvert(a,OBJ_ENCODING_LISTPACK);
    unsigned long two = setTypeSize(a);
    setTypeConvert(a,OBJ_ENCODING_HT);
    test_cond("the encodings count the same", one == 77 && two == 77 && setTypeSize(a) == 77);
    robj *rehashed = createSetObject();
    int all = 1, between = 0;
    for (int j = 0; j < 600; j++) {
        sds e = sdscatprintf(sdsempty(),"r%d",j);
        setTypeAdd(rehashed,e);
        if (dictIsRehashing((dict*)rehashed->ptr)) between = 1;
        if (setTypeSize(rehashed) != (unsigned long)j+1) all = 0;
    }
    test_cond("a set that is being rehashed is counted whole", all && between);
    robj *many = createSetListpackObject();
    unsigned char *p = many->ptr;
    for (int j = 0; j < 70000; j++) p = lpAppendInteger(p,j%100);
    many->ptr = p;
    test_cond("a listpack of many members is counted", setTypeSize(many) == 70000);
    test_cond("the set stays as it was", ht->refcount == 1 && ht->encoding == OBJ_ENCODING_HT &&
              dictSize((dict*)ht->ptr) == 5 && lpLength(lp->ptr) == 4);
    client *c = fakeClient();
    robj *key = createStringObject("s",1);
    dbAdd(c->db,key,lp);
    const char *words[] = {"scard","s"};
    setArguments(c,2,words);
    c->cmd->proc(c);
    test_cond("SCARD tells it", replied(c,":4\r\n"));
    test_report();
    return 0;
}
