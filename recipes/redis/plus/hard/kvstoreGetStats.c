/*---
 * tasks: [pubsubCommand-4e2acb.16]
 * tests:
 *   the sizes of all dicts are added: 'Caller DEBUG HTSTATS: the database''s hash tables; dictCombineStats.'
 *   the numbers of all keys are added: 'The same.'
 *   without full there is no distribution: 'Parameter full; dictGetStatsMsg.'
 *   with full there is: 'Parameter full; DEBUG HTSTATS full.'
 *   a rehashed table is told apart: 'dictGetStatsMsg: "rehashing target".'
 *   without rehashing there is the main table alone: 'The same.'
 *   a buffer that is too small is not overrun: 'Parameter bufsize.'
 *   it always ends with a zero byte: 'The caller replies it as a string.'
 *   what the buffer held before is gone: 'Parameter buf: an output.'
 *   a single dict is as dictGetStats says: 'dict.c: dictGetStats.'
 *   the store stays as it is: 'Name: statistics.'
 *   nothing is left behind: 'dictFreeStats.'
 ---*/
#include "kvstoretest.h"

static char buf[10000];

static const char *get(kvstore *kvs, size_t size, int full) {
    memset(buf,'#',sizeof(buf));
    kvstoreGetStats(kvs,buf,size,full);
    return buf;
}

static void settle(kvstore *kvs) {
    while (kvstoreIncrementallyRehash(kvs,1000000)) if (!strstr(get(kvs,5000,0),"rehashing target")) break;
}

int main(void) {
    monotonicInit();
    kvstore *kvs = storeOf("aek",20,0), *demand = storeOf("bp",5,KVSTORE_ALLOCATE_DICTS_ON_DEMAND);
    settle(kvs);
    settle(demand);
    char want[100];
    sprintf(want," table size: %lu\n",kvstoreBuckets(kvs));
    test_cond("the sizes of all dicts are added", strstr(get(kvs,5000,0),want) && kvstoreBuckets(kvs) == 96);
    test_cond("the numbers of all keys are added", strstr(buf," number of elements: 60\n") &&
              strstr(get(demand,5000,0)," number of elements: 10\n"));
    get(kvs,5000,0);
    test_cond("without full there is no distribution", !strstr(buf,"Chain length distribution") && strlen(buf) < 200);
    test_cond("with full there is", strstr(get(kvs,5000,1),"Chain length distribution") &&
              strstr(buf," number of elements: 60\n") && strstr(buf,want));
    test_cond("without rehashing there is the main table alone", strstr(buf,"Hash table 0 stats (main hash table)") &&
              !strstr(buf,"Hash table 1") && strstr(buf+5,"Hash table 0") == NULL);
    test_cond("what the buffer held before is gone", buf[0] == 'H' && !strchr(buf,'#'));
    kvstore *one = kvstoreCreate(&numberType,0,0);
    for (int j = 0; j < 100; j++) addNumber(one,0,j);
    settle(one);
    kvstoreIterator *it = kvstoreIteratorInit(one);
    dict *d = kvstoreIteratorNextDict(it);
    char direct[5000];
    dictGetStats(direct,sizeof(direct),d,1);
    int same = !strcmp(direct,get(one,5000,1));
    dictGetStats(direct,sizeof(direct),d,0);
    test_cond("a single dict is as dictGetStats says", same && !strcmp(direct,get(one,5000,0)));
    kvstoreIteratorRelease(it);
    int overrun = 0, ended = 1;
    for (size_t size = 1; size < 400; size++) {
        get(kvs,size,0);
        ended &= memchr(buf,'\0',size) != NULL;
        for (size_t j = size; j < size+100; j++) overrun |= buf[j] != '#';
    }
    test_cond("a buffer that is too small is not overrun", !overrun);
    test_cond("it always ends with a zero byte", ended);
    kvstoreDictExpand(kvs,0,512);
    kvstoreDictExpand(kvs,4,1024);
    it = kvstoreIteratorInit(kvs);
    while ((d = kvstoreIteratorNextDict(it)) != NULL) if (dictIsRehashing(d)) dictRehash(d,12);
    kvstoreIteratorRelease(it);
    get(kvs,5000,0);
    char *target = strstr(buf,"Hash table 1 stats (rehashing target)");
    test_cond("a rehashed table is told apart", strstr(buf,"Hash table 0 stats (main hash table)") == buf && target &&
              strstr(target,"table size: 1536\n") && strstr(buf,"table size: 96\n") < target);
    test_cond("the store stays as it is", kvstoreSize(kvs) == 60 && kvstoreNumNonEmptyDicts(kvs) == 3);
    size_t before = zmalloc_used_memory();
    for (int j = 0; j < 10; j++) get(kvs,5000,j % 2), get(demand,5000,1), get(one,5000,0);
    test_cond("nothing is left behind", zmalloc_used_memory() == before);
    test_report();
    return 0;
}
