/*---
 * tasks: [slowlogCreateEntry-ff2ecf.16]
 * tests:
 *   a pair in an empty list: 'Comment: "Insert (element,score) pair in listpack"; caller zsetAdd after zsetTypeCreate.'
 *   the element stands before its score: 'Comment: "(element,score) pair"; zzlNext.'
 *   the list that is returned is the new one: 'Callers: zobj->ptr = zzlInsert(zobj->ptr,...).'
 *   pairs are ordered by their scores: 'The sorted set; zzlFirstInRange.'
 *   pairs of the same score are ordered by their elements: 'commands/zadd: "the elements are ordered lexicographically".'
 *   an element that begins like another is before it: 'commands/zadd: memcmp; zzlCompareElements.'
 *   elements are compared as unsigned bytes: 'commands/zadd: "memcmp() as a binary array of bytes".'
 *   elements that are numbers are compared as texts: 'commands/zadd: "lexicographically"; zzlCompareElements.'
 *   a pair with the least score becomes the first: 'The sorted set: its order.'
 *   a pair with the greatest score becomes the last: 'The sorted set: its order.'
 *   the last of several with the same score has its place before the greater score: 'The sorted set: its order.'
 *   negative and infinite scores have their place: 'commands/zadd: "-inf", "+inf".'
 *   scores keep all their digits: 'commands/zadd: 64-bit floating point.'
 *   scores that differ in the last digits are told apart: 'commands/zadd: 64-bit floating point.'
 *   elements are binary-safe: 'Argument ele, an sds.'
 *   long elements are kept whole: 'zset-max-listpack-value may be raised.'
 *   a score never counts as an element: 'zzlNext: pairs.'
 *   the element stays the caller's: 'zsetAdd: "does not take ownership of the ''ele'' SDS string".'
 *   all orders of insertion give the same list: 'The sorted set: its order.'
 *   the list is sound and freed as one block: 'lpFree; lpValidateIntegrity.'
 ---*/
#include "zsettest.h"

static robj o = {.encoding = OBJ_ENCODING_LISTPACK};

static void begin(void) {
    if (o.ptr) lpFree(o.ptr);
    o.ptr = lpNew(0);
}

static void add(const char *name, double score) {
    sds s = sdsnew(name);
    o.ptr = zzlInsert(o.ptr,s,score);
    sdsfree(s);
}

/* Each pair of this list was added after those that it comes before, in the order of the digits. */
static const char *names[] = {"b","a","c","1","ab"};
static const double scores[] = {2,2,1,2,2.5};

int main(void) {
    startRedis();
    size_t used = zmalloc_used_memory();
    begin();
    sds ele = sdsnew("one");
    unsigned char *zl = zzlInsert(o.ptr,ele,7);
    o.ptr = zl;
    test_cond("the element stays the caller's", !strcmp(ele,"one") && sdslen(ele) == 3);
    ele[0] = 'X';
    sdsfree(ele);
    test_cond("a pair in an empty list", holds(&o,"one=7 ") && lpLength(zl) == 2 && fits(&o));
    int64_t len;
    unsigned char buf[LP_INTBUF_SIZE], *p = lpGet(lpSeek(zl,0),&len,buf);
    test_cond("the element stands before its score", len == 3 && !memcmp(p,"one",3) && zzlGetScore(lpSeek(zl,1)) == 7);
    int grown = 1;
    for (int j = 0; j < 200; j++) {
        char name[40];
        sprintf(name,"%d and some more text",j*37%200);
        add(name,j*37%200);
        grown &= lpLength(o.ptr) == (unsigned long)(2*j+4) && lpValidateIntegrity(o.ptr,lpBytes(o.ptr),1,NULL,NULL);
    }
    test_cond("the list that is returned is the new one", grown);
    begin();
    add("m",10), add("a",20), add("z",5), add("k",15), add("b",1), add("q",30), add("c",12);
    test_cond("pairs are ordered by their scores", holds(&o,"b=1 z=5 m=10 c=12 k=15 a=20 q=30 ") && fits(&o));
    add("zz",0.5), add("y",-4);
    test_cond("a pair with the least score becomes the first", holds(&o,"y=-4 zz=0.5 b=1 z=5 m=10 c=12 k=15 a=20 q=30 "));
    add("aa",31), add("b9",1e9);
    test_cond("a pair with the greatest score becomes the last", holds(&o,"y=-4 zz=0.5 b=1 z=5 m=10 c=12 k=15 a=20 q=30 aa=31 b9=1000000000 "));
    begin();
    add("c",1), add("a",1), add("b",1), add("B",1), add("d",1);
    test_cond("pairs of the same score are ordered by their elements", holds(&o,"B=1 a=1 b=1 c=1 d=1 ") && fits(&o));
    begin();
    add("abc",1), add("ab",1), add("abcd",1), add("",1), add("a",1), add("b",1);
    test_cond("an element that begins like another is before it", holds(&o,"=1 a=1 ab=1 abc=1 abcd=1 b=1 ") && fits(&o));
    begin();
    add("\xff",1), add("a",1), add("\x80",1), add("\x7f",1), add("~",1);
    test_cond("elements are compared as unsigned bytes", holds(&o,"a=1 ~=1 \x7f=1 \x80=1 \xff=1 "));
    begin();
    add("9",0), add("10",0), add("-5",0), add("100",0), add("1000000000000",0), add("1a",0), add("x",0), add("2",0), add("-10",0), add("+",0), add("20000",0);
    test_cond("elements that are numbers are compared as texts",
              holds(&o,"+=0 -10=0 -5=0 10=0 100=0 1000000000000=0 1a=0 2=0 20000=0 9=0 x=0 ") && fits(&o));
    begin();
    add("a",1), add("c",2), add("a2",1), add("b",3), add("zz",1), add("zzz",2), add("A",3);
    test_cond("the last of several with the same score has its place before the greater score",
              holds(&o,"a=1 a2=1 zz=1 c=2 zzz=2 A=3 b=3 "));
    begin();
    add("0",0), add("top",INFINITY), add("bottom",-INFINITY), add("also",INFINITY), add("-",-1.5), add("b",-INFINITY), add("big",1e308), add("-2",-2);
    test_cond("negative and infinite scores have their place", holds(&o,"b=-inf bottom=-inf -2=-2 -=-1.5 0=0 big=1e+308 also=inf top=inf ") && fits(&o));
    begin();
    double fine[] = {0.1, 0.1+0.2, 1.0/3, 3.141592653589793, 1e15+0.5, 9007199254740993.0, 1e17, 123456789012345678.0, 1.7976931348623157e308};
    int exact = 1;
    for (int j = 0; j < 9; j++) {
        char name[10];
        sprintf(name,"f%d",j);
        add(name,fine[j]);
    }
    for (int j = 0; j < 9; j++) exact &= zzlGetScore(lpSeek(o.ptr,2*j+1)) == fine[j];
    test_cond("scores keep all their digits", exact && lpLength(o.ptr) == 18);
    begin();
    add("c",1), add("b",1+1e-12), add("a",1+2e-12), add("e",1-1e-12), add("d",1);
    test_cond("scores that differ in the last digits are told apart", !strncmp(contents(&o),"e=0.999999999999",16) && strstr(listing," c=1 d=1 b=1.00000000000") &&
              strstr(listing," a=1.000000000002"));

    begin();
    const char *raw[] = {"a\0b","a\0a","a\0c","a\0","\r\n"};
    size_t rawlen[] = {3,3,3,2,2};
    for (int j = 0; j < 5; j++) {
        sds s = sdsnewlen(raw[j],rawlen[j]);
        o.ptr = zzlInsert(o.ptr,s,3);
        sdsfree(s);
    }
    int safe = lpLength(o.ptr) == 10 && fits(&o);
    int sorted[] = {4,3,1,0,2};
    for (int j = 0; j < 5 && safe; j++) {
        p = lpGet(lpSeek(o.ptr,2*j),&len,buf);
        safe = (size_t)len == rawlen[sorted[j]] && !memcmp(p,raw[sorted[j]],len);
    }
    test_cond("elements are binary-safe", safe);
    begin();
    sds l = sdsnewlen(NULL,5000), m = sdsnewlen(NULL,5000), n = sdsnewlen(NULL,300);
    memset(l,'l',5000), memset(m,'l',5000), memset(n,'l',300);
    m[4999] = 'k';
    o.ptr = zzlInsert(o.ptr,l,1), o.ptr = zzlInsert(o.ptr,m,1), o.ptr = zzlInsert(o.ptr,n,1), add("l",1), add("m",1);
    int whole = lpLength(o.ptr) == 10 && fits(&o);
    int64_t la = 0, lb = 0;
    unsigned char *a = lpGet(lpSeek(o.ptr,4),&la,NULL), *b = lpGet(lpSeek(o.ptr,6),&lb,NULL);
    test_cond("long elements are kept whole", whole && la == 5000 && lb == 5000 && a[4999] == 'k' && b[4999] == 'l' && a[0] == 'l' && b[0] == 'l');
    sdsfree(l), sdsfree(m), sdsfree(n);
    begin();
    add("5",1), add("1",5), add("3",3), add("2",4), add("4",2), add("0",3), add("9",0);
    test_cond("a score never counts as an element", holds(&o,"9=0 5=1 4=2 0=3 3=3 2=4 1=5 ") && fits(&o));

    int same = 1;
    for (int code = 0; code < 3125; code++) {
        int seen = 0, d[5], k = code;
        for (int j = 0; j < 5; j++, k /= 5) seen |= 1<<(d[j] = k%5);
        if (seen != 31) continue;
        begin();
        for (int j = 0; j < 5; j++) add(names[d[j]],scores[d[j]]);
        same = same && holds(&o,"c=1 1=2 a=2 b=2 ab=2.5 ");
    }
    test_cond("all orders of insertion give the same list", same);
    int good = fits(&o);
    lpFree(o.ptr);
    test_cond("the list is sound and freed as one block", good && zmalloc_used_memory() == used);
    test_report();
    return 0;
}
