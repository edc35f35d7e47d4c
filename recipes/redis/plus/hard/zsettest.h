/* Shared by tests of sorted sets: whether what they are made of is sound, and what they hold as a text. */
#ifndef PLUS_ZSETTEST_H
#define PLUS_ZSETTEST_H
#include "start.h"
#include "../testhelp.h"
#include <math.h>

static dictType rankType = {dictSdsHash,NULL,NULL,dictSdsKeyCompare,dictSdsDestructor,NULL,NULL};

static int before(zskiplistNode *a, double score, sds ele) {
    return a->score < score || (a->score == score && sdscmp(a->ele,ele) < 0);
}

/* Order, links, spans, levels and length are right; what is behind the last node of a level is left open. */
static int sound(zskiplist *zsl) {
    unsigned long n = 0;
    zskiplistNode *last = NULL, *x;
    dict *ranks = dictCreate(&rankType);
    int good = zsl->level >= 1 && zsl->level <= ZSKIPLIST_MAXLEVEL && zsl->header->backward == NULL;
    for (x = zsl->header->level[0].forward; x && good; last = x, x = x->level[0].forward) {
        good = x->backward == last && (!last || before(last,x->score,x->ele)) && ++n <= zsl->length;
        dictEntry *de = dictAddRaw(ranks,sdsdup(x->ele),NULL);
        if (de) dictSetUnsignedIntegerVal(de,n);
    }
    good = good && n == zsl->length && zsl->tail == last;
    for (int i = 0; i < zsl->level && good; i++) {
        unsigned long rank = 0;
        if (i && !zsl->header->level[i].forward) good = 0;
        for (x = zsl->header; x && good; x = x->level[i].forward) {
            zskiplistNode *next = x->level[i].forward;
            if (!next) break;
            rank += x->level[i].span;
            dictEntry *de = dictFind(ranks,next->ele);
            good = de && dictGetUnsignedIntegerVal(de) == rank;
        }
    }
    for (int i = zsl->level; i < ZSKIPLIST_MAXLEVEL && good; i++) good = zsl->header->level[i].forward == NULL;
    dictRelease(ranks);
    return good;
}

/* Members and scores in their order, as "a=1 b=2 ". */
static char listing[65536];
static const char *contents(robj *o) {
    char *p = listing;
    *p = '\0';
    if (o->encoding == OBJ_ENCODING_LISTPACK) {
        unsigned char *zl = o->ptr, *e = lpFirst(zl);
        while (e && p < listing+sizeof(listing)-2000) {
            unsigned char buf[LP_INTBUF_SIZE], *s = lpNext(zl,e);
            int64_t len;
            unsigned char *text = lpGet(e,&len,buf);
            if (!s) return "odd";
            p += sprintf(p,"%.*s=%.17g ",(int)(len > 1500 ? 1500 : len),text,zzlGetScore(s));
            e = lpNext(zl,s);
        }
    } else {
        zskiplistNode *x = ((zset*)o->ptr)->zsl->header->level[0].forward;
        for (; x && p < listing+sizeof(listing)-2000; x = x->level[0].forward)
            p += sprintf(p,"%.*s=%.17g ",(int)(sdslen(x->ele) > 1500 ? 1500 : sdslen(x->ele)),x->ele,x->score);
    }
    return listing;
}

static int holds(robj *o, const char *want) {
    int same = !strcmp(contents(o),want);
    if (!same) fprintf(stderr,"# %.300s\n",listing);
    return same;
}

/* Whether skip list and dictionary, or the listpack, fit together. */
static int fits(robj *o) {
    if (o->encoding == OBJ_ENCODING_LISTPACK)
        return lpValidateIntegrity(o->ptr,lpBytes(o->ptr),1,NULL,NULL) && lpLength(o->ptr) % 2 == 0;
    zset *zs = o->ptr;
    if (o->encoding != OBJ_ENCODING_SKIPLIST || !sound(zs->zsl) || dictSize(zs->dict) != zs->zsl->length) return 0;
    for (zskiplistNode *x = zs->zsl->header->level[0].forward; x; x = x->level[0].forward) {
        dictEntry *de = dictFind(zs->dict,x->ele);
        if (!de || dictGetKey(de) != x->ele || dictGetVal(de) != &x->score) return 0;
    }
    return 1;
}
#endif
