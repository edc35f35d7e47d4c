/*---
 * tasks: [2F6791789BCEDFFA]
 * tests:
 *   the old size is the one before growing: 'Docstring: "Provides the old and new ht size".'
 *   the new size is the one after growing: 'Docstring: "Provides the old and new ht size".'
 *   the same holds for shrinking: 'Docstring: "the old and new ht size for a given dictionary during rehashing".'
 *   the sizes stay the same while keys move: 'Docstring: sizes of the tables, not the keys in them.'
 *   at the first initialization the old size is 0: 'Docstring: "only be invoked during initialization/rehashing".'
 *   at the first initialization the new size is the table's:
 *     'Docstring: "initialization/rehashing"; rehashingStarted.'
 *   the sizes are true when rehashing ends: 'Caller kvstoreDictRehashingCompleted takes the old size off.'
 *   large sizes are given: 'unsigned long long out-parameters.'
 *   it changes nothing in the dict: 'Docstring: it provides.'
 *   without rehashing the process stops: 'Docstring: "should only be invoked during initialization/rehashing".'
 ---*/
#include "../server.h"
#include "../testhelp.h"
#include <sys/wait.h>

static uint64_t hash(const void *key) {
    return (uint64_t)(uintptr_t)key;
}
static unsigned long long from, to, startFrom, startTo, endFrom, endTo;
static void onStarted(dict *d) {
    startFrom = startTo = 7;
    dictRehashingInfo(d,&startFrom,&startTo);
}
static void onCompleted(dict *d) {
    endFrom = endTo = 7;
    dictRehashingInfo(d,&endFrom,&endTo);
}
static dictType plain = {.hashFunction = hash};
static dictType telling = {.hashFunction = hash, .rehashingStarted = onStarted, .rehashingCompleted = onCompleted};

static void info(dict *d) {
    from = to = 7;
    dictRehashingInfo(d,&from,&to);
}

int main(void) {
    dict *d = dictCreate(&plain);
    dictExpand(d,64);
    for (long j = 1; j <= 20; j++) dictAdd(d,(void*)j,NULL);
    dictExpand(d,256);
    info(d);
    test_cond("the old size is the one before growing", from == 64);
    test_cond("the new size is the one after growing", to == 256);
    size_t size = dictSize(d), buckets = dictBuckets(d);
    long at = d->rehashidx;
    info(d);
    test_cond("it changes nothing in the dict", size == dictSize(d) && buckets == dictBuckets(d) && at == d->rehashidx);
    dictRehash(d,10);
    info(d);
    test_cond("the sizes stay the same while keys move", dictIsRehashing(d) && from == 64 && to == 256);
    while (dictRehash(d,100)) {}
    dictShrink(d,32);
    info(d);
    test_cond("the same holds for shrinking", from == 256 && to == 32);
    while (dictRehash(d,100)) {}

    dict *fresh = dictCreate(&telling);
    dictExpand(fresh,16);
    test_cond("at the first initialization the old size is 0", startFrom == 0 && endFrom == 0);
    test_cond("at the first initialization the new size is the table's", startTo == 16 && endTo == 16);
    for (long j = 1; j <= 10; j++) dictAdd(fresh,(void*)j,NULL);
    dictExpand(fresh,128);
    while (dictRehash(fresh,100)) {}
    test_cond("the sizes are true when rehashing ends", startFrom == 16 && startTo == 128 && endFrom == 16 &&
              endTo == 128);

    dict *large = dictCreate(&plain);
    dictAdd(large,(void*)1L,NULL);
    dictExpand(large,1<<18);
    info(large);
    test_cond("large sizes are given", from == 4 && to == 1<<18);

    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        freopen("/dev/null","w",stdout);
        freopen("/dev/null","w",stderr);
        info(d);
        _exit(0);
    }
    int status = 0;
    waitpid(child,&status,0);
    test_cond("without rehashing the process stops", WIFSIGNALED(status) || WEXITSTATUS(status) != 0);
    test_report();
    return 0;
}
