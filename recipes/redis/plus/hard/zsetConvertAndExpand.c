/*---
 * tasks: [slowlogCreateEntry-ff2ecf.16]
 * tests:
 *   a listpack becomes a skip list with a dictionary: 'Comment: "Converts a zset to the specified encoding"; server.h: zset.'
 *   all members keep their scores and their order: 'Comment: it converts.'
 *   members and the dictionary share their strings and scores: 'server.c: zsetDictType, "SDS string shared & freed by skiplist"; zsetAdd.'
 *   members that look like numbers are the same texts: 'Members are strings; listpacks hold numbers.'
 *   scores of all kinds are kept: 'commands/zadd: 64-bit floating point, -inf, +inf.'
 *   binary and empty members are kept: 'Members are any bytes.'
 *   long members are kept: 'zset-max-listpack-value may be raised.'
 *   an empty listpack becomes an empty skip list: 'Caller zsetTypeMaybeConvert, of a set that was just created.'
 *   the dictionary has room for as many as told: 'Comment: "pre-sizing it for ''cap'' elements".'
 *   room for the members alone is enough not to rehash: 'zsetConvert: zsetLength(zobj); body of zsetAdd: length + 1.'
 *   too small a number of elements is no harm: 'Argument cap only presizes.'
 *   a skip list becomes a listpack: 'Comment: "to the specified encoding"; zsetConvertToListpackIfNeeded.'
 *   the listpack has all members in their order: 'Comment: it converts.'
 *   an empty skip list becomes an empty listpack: 'Comment: it converts; ZRANGESTORE with an empty result.'
 *   the same encoding is left alone: 'Callers convert what may have the encoding already.'
 *   the object stays the same: 'Signature: zobj; callers go on with it.'
 *   members can be added and removed afterwards: 'Caller zsetAdd goes on.'
 *   there and back again: 'Comment: it converts, both ways.'
 *   nothing is left of the old encoding: 'zfree of what held it.'
 ---*/
#include "zsettest.h"

void zsetConvertAndExpand(robj *zobj, int encoding, unsigned long cap);

static void add(robj *o, const char *name, double score) {
    int out;
    sds s = sdsnew(name);
    zsetAdd(o,score,s,ZADD_IN_NONE,&out,NULL);
    sdsfree(s);
}

static robj *some(int skiplist) {
    robj *o = skiplist ? createZsetObject() : createZsetListpackObject();
    add(o,"b",2), add(o,"a",2), add(o,"10",1), add(o,"-7",3), add(o,"c",0.5), add(o,"9",2);
    return o;
}

static const char *all = "c=0.5 10=1 9=2 a=2 b=2 -7=3 ";

static robj *many(int n) {
    robj *o = createZsetListpackObject();
    for (int j = 0; j < n; j++) {
        char name[20];
        sprintf(name,j % 2 ? "%d" : "m%d",j);
        add(o,name,j*37%n);
    }
    return o;
}

int main(void) {
    startRedis();
    server.zset_max_listpack_entries = 2000;
    server.zset_max_listpack_value = 10000;
    size_t used = zmalloc_used_memory();
    robj *o = some(0);
    unsigned lru = o->lru = 77;
    incrRefCount(o);
    zsetConvertAndExpand(o,OBJ_ENCODING_SKIPLIST,6);
    test_cond("a listpack becomes a skip list with a dictionary", o->encoding == OBJ_ENCODING_SKIPLIST && zsetLength(o) == 6 &&
              dictSize(((zset*)o->ptr)->dict) == 6);
    test_cond("all members keep their scores and their order", holds(o,all));
    test_cond("members and the dictionary share their strings and scores", fits(o));
    test_cond("the object stays the same", o->type == OBJ_ZSET && o->refcount == 2 && o->lru == lru);
    decrRefCount(o);
    void *ptr = o->ptr;
    zsetConvertAndExpand(o,OBJ_ENCODING_SKIPLIST,6);
    int alone = o->ptr == ptr && holds(o,all) && fits(o);
    add(o,"d",0.75), add(o,"c",9);
    sds a = sdsnew("a");
    int went = zsetDel(o,a) && !zsetDel(o,a);
    went = went && holds(o,"d=0.75 10=1 9=2 b=2 -7=3 c=9 ") && fits(o);
    decrRefCount(o);

    o = some(0);
    ptr = o->ptr;
    zsetConvertAndExpand(o,OBJ_ENCODING_LISTPACK,6);
    alone = alone && o->ptr == ptr && o->encoding == OBJ_ENCODING_LISTPACK && holds(o,all);
    test_cond("the same encoding is left alone", alone);
    decrRefCount(o);

    o = createZsetListpackObject();
    add(o,"0",1), add(o,"-1",2), add(o,"007",3), add(o,"9223372036854775807",4), add(o,"-9223372036854775808",5), add(o,"1.0",6);
    add(o,"127",7), add(o,"128",8), add(o,"-4097",9), add(o,"99999999999999999999",10);
    zsetConvertAndExpand(o,OBJ_ENCODING_SKIPLIST,10);
    test_cond("members that look like numbers are the same texts", fits(o) &&
              holds(o,"0=1 -1=2 007=3 9223372036854775807=4 -9223372036854775808=5 1.0=6 127=7 128=8 -4097=9 99999999999999999999=10 "));
    decrRefCount(o);
    o = createZsetListpackObject();
    add(o,"inf",INFINITY), add(o,"minus",-INFINITY), add(o,"third",1.0/3), add(o,"tiny",5e-324), add(o,"huge",1.7e308), add(o,"neg",-2.5), add(o,"0",0), add(o,"big",1e17);
    char before_[1000], same[1000];
    strcpy(before_,contents(o));
    zsetConvertAndExpand(o,OBJ_ENCODING_SKIPLIST,8);
    int kinds = holds(o,before_) && fits(o) && zsetLength(o) == 8;
    strcpy(same,before_);
    zsetConvertAndExpand(o,OBJ_ENCODING_LISTPACK,8);
    test_cond("scores of all kinds are kept", kinds && holds(o,same) && fits(o) && strstr(same,"tiny=4.9406564584124654e-324") && strstr(same,"third=0.33333333333333331"));
    decrRefCount(o);
    o = createZsetListpackObject();
    int out, binary = 1;
    const char *raw[] = {"a\0b","a\0","","\xff\r\n"};
    size_t len[] = {3,2,0,3};
    double score = 0;
    for (int j = 0; j < 4; j++) {
        sds s = sdsnewlen(raw[j],len[j]);
        zsetAdd(o,j+1,s,ZADD_IN_NONE,&out,NULL);
        sdsfree(s);
    }
    for (int back = 0; back < 2; back++) {
        zsetConvertAndExpand(o,back ? OBJ_ENCODING_LISTPACK : OBJ_ENCODING_SKIPLIST,4);
        for (int j = 0; j < 4; j++) {
            sds s = sdsnewlen(raw[j],len[j]);
            binary = binary && zsetScore(o,s,&score) == C_OK && score == j+1 && zsetLength(o) == 4 && fits(o);
            sdsfree(s);
        }
    }
    test_cond("binary and empty members are kept", binary);
    decrRefCount(o);
    o = createZsetListpackObject();
    sds l = sdsnewlen(NULL,5000);
    memset(l,'l',5000);
    zsetAdd(o,3,l,ZADD_IN_NONE,&out,NULL);
    l[4999] = 'k';
    zsetAdd(o,4,l,ZADD_IN_NONE,&out,NULL);
    int longer = o->encoding == OBJ_ENCODING_LISTPACK;
    zsetConvertAndExpand(o,OBJ_ENCODING_SKIPLIST,2);
    longer = longer && zsetScore(o,l,&score) == C_OK && score == 4 && fits(o) && zsetLength(o) == 2;
    zsetConvertAndExpand(o,OBJ_ENCODING_LISTPACK,2);
    l[4999] = 'l';
    test_cond("long members are kept", longer && zsetScore(o,l,&score) == C_OK && score == 3 && fits(o));
    sdsfree(l);
    decrRefCount(o);

    o = createZsetListpackObject();
    zsetConvertAndExpand(o,OBJ_ENCODING_SKIPLIST,300);
    zset *zs = o->ptr;
    int empty = o->encoding == OBJ_ENCODING_SKIPLIST && zsetLength(o) == 0 && fits(o);
    test_cond("an empty listpack becomes an empty skip list", empty);
    int room = dictBuckets(zs->dict) >= 300;
    for (int j = 0; j < 300; j++) {
        char name[20];
        sprintf(name,"%d",j);
        add(o,name,j);
        room = room && !dictIsRehashing(zs->dict);
    }
    decrRefCount(o);
    o = some(0);
    zsetConvertAndExpand(o,OBJ_ENCODING_SKIPLIST,5000);
    room = room && dictBuckets(((zset*)o->ptr)->dict) >= 5000 && holds(o,all);
    test_cond("the dictionary has room for as many as told", room);
    decrRefCount(o);
    o = many(1000);
    zsetConvertAndExpand(o,OBJ_ENCODING_SKIPLIST,1000);
    zs = o->ptr;
    test_cond("room for the members alone is enough not to rehash", zsetLength(o) == 1000 && fits(o) && !dictIsRehashing(zs->dict) && dictBuckets(zs->dict) >= 1000);
    decrRefCount(o);
    o = many(100);
    strcpy(listing,"");
    char *hundred = zstrdup(contents(o));
    zsetConvertAndExpand(o,OBJ_ENCODING_SKIPLIST,1);
    test_cond("too small a number of elements is no harm", zsetLength(o) == 100 && fits(o) && holds(o,hundred));
    zsetConvertAndExpand(o,OBJ_ENCODING_LISTPACK,0);
    int back = o->encoding == OBJ_ENCODING_LISTPACK && fits(o) && holds(o,hundred);
    zsetConvertAndExpand(o,OBJ_ENCODING_SKIPLIST,100);
    back = back && fits(o) && holds(o,hundred);
    zsetConvertAndExpand(o,OBJ_ENCODING_LISTPACK,100);
    test_cond("there and back again", back && fits(o) && holds(o,hundred) && zsetLength(o) == 100);
    zfree(hundred);
    decrRefCount(o);

    o = some(1);
    zsetConvertAndExpand(o,OBJ_ENCODING_LISTPACK,6);
    test_cond("a skip list becomes a listpack", o->encoding == OBJ_ENCODING_LISTPACK && zsetLength(o) == 6 && o->type == OBJ_ZSET && o->refcount == 1);
    test_cond("the listpack has all members in their order", holds(o,all) && fits(o));
    add(o,"d",0.75), add(o,"c",9);
    went = went && zsetDel(o,a) && holds(o,"d=0.75 10=1 9=2 b=2 -7=3 c=9 ") && fits(o);
    test_cond("members can be added and removed afterwards", went);
    decrRefCount(o);
    o = createZsetObject();
    zsetConvertAndExpand(o,OBJ_ENCODING_LISTPACK,0);
    int none = o->encoding == OBJ_ENCODING_LISTPACK && zsetLength(o) == 0 && fits(o);
    add(o,"x",1);
    test_cond("an empty skip list becomes an empty listpack", none && holds(o,"x=1 "));
    decrRefCount(o);
    sdsfree(a);
    test_cond("nothing is left of the old encoding", zmalloc_used_memory() == used);
    test_report();
    return 0;
}
