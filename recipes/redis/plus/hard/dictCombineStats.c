/*---
 * tasks: [pubsubCommand-4e2acb.16]
 * tests:
 *   sizes and numbers are added: 'Name; kvstoreGetStats: the statistics of all dicts together.'
 *   buckets and chains are added: 'dict.h: dictStats.'
 *   the longest chain is the longer one: 'dict.h: maxChainLen.'
 *   the distribution is added for each length: 'dict.h: clvector; dictGetStatsMsg.'
 *   "the table's index is kept": 'dict.h: htidx; all are of the same table.'
 *   what is added stays as it is: 'Parameter from; the caller frees it.'
 *   the vectors stay their own: 'dictFreeStats frees each.'
 *   of real tables they give the sum: 'Caller kvstoreGetStats.'
 *   nothing added changes nothing: 'An empty table.'
 ---*/
#include "kvstoretest.h"

#define LENGTHS 50

static dictStats *stats(int base) {
    dictStats *s = zcalloc(sizeof(*s));
    s->clvector = zcalloc(sizeof(unsigned long)*LENGTHS);
    s->htidx = base % 2;
    s->buckets = base+1;
    s->maxChainLen = base+2;
    s->totalChainLen = base+3;
    s->htSize = base+4;
    s->htUsed = base+5;
    for (int j = 0; j < LENGTHS; j++) s->clvector[j] = base+j*10;
    return s;
}

int main(void) {
    dictStats *from = stats(1000), *into = stats(20000000);
    unsigned long *fv = from->clvector, *iv = into->clvector;
    dictCombineStats(from,into);
    test_cond("sizes and numbers are added", into->htSize == 20001008 && into->htUsed == 20001010);
    test_cond("buckets and chains are added", into->buckets == 20001002 && into->totalChainLen == 20001006);
    int chain = into->maxChainLen == 20000002, each = 1, kept = 1;
    for (int j = 0; j < LENGTHS; j++) each &= into->clvector[j] == (unsigned long)(20001000+j*20);
    for (int j = 0; j < LENGTHS; j++) kept &= from->clvector[j] == (unsigned long)(1000+j*10);
    kept &= from->htSize == 1004 && from->htUsed == 1005 && from->buckets == 1001 && from->maxChainLen == 1002 &&
            from->totalChainLen == 1003 && from->htidx == 0;
    test_cond("the distribution is added for each length", each);
    dictStats *small = stats(1);
    dictCombineStats(from,small);
    test_cond("the longest chain is the longer one", chain && small->maxChainLen == 1002);
    test_cond("the table's index is kept", into->htidx == 0 && small->htidx == 1);
    test_cond("what is added stays as it is", kept);
    test_cond("the vectors stay their own", from->clvector == fv && into->clvector == iv && fv != iv);
    dictStats *zero = zcalloc(sizeof(*zero));
    zero->clvector = zcalloc(sizeof(unsigned long)*LENGTHS);
    dictCombineStats(zero,small);
    test_cond("nothing added changes nothing", small->maxChainLen == 1002 && small->htSize == 1009 && small->buckets == 1003 &&
              small->clvector[49] == 1981);
    kvstore *kvs = storeOf("ab",30,0);
    kvstoreIterator *it = kvstoreIteratorInit(kvs);
    dict *a = kvstoreIteratorNextDict(it), *b = kvstoreIteratorNextDict(it);
    while (dictIsRehashing(a)) dictRehash(a,100);
    while (dictIsRehashing(b)) dictRehash(b,100);
    dictStats *sa = dictGetStatsHt(a,0,1), *sb = dictGetStatsHt(b,0,1);
    unsigned long slots = sa->buckets+sb->buckets;
    dictCombineStats(sa,sb);
    unsigned long sum = 0;
    for (int j = 0; j < LENGTHS; j++) sum += sb->clvector[j];
    test_cond("of real tables they give the sum", sb->htUsed == 60 && sb->htSize == dictBuckets(a)+dictBuckets(b) &&
              sb->buckets == slots && sb->totalChainLen == 60 && sum == sb->htSize);
    kvstoreIteratorRelease(it);
    test_report();
    return 0;
}
