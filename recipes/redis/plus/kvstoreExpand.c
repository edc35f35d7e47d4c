/*---
 * tasks: [60BC84F411EBEAB3]
 * tests:
 *   every dict gets the desired size: 'Docstring: "increases size of kvstore to match desired number. It resizes all individual dictionaries".'
 *   a success is 1: 'db.c: dbExpandGeneric takes 0 for a failure and anything else for C_OK.'
 *   trying gives every dict the desired size: 'Docstring: "if try_expand is set to 1, dictTryExpand is used".'
 *   trying with success is 1: 'db.c: dbExpandGeneric; debug.c: DEBUG POPULATE reports an error otherwise.'
 *   the only dict of a store is expanded: 'Docstring: "all individual dictionaries"; without a cluster there is one.'
 *   a size is rounded up to a power of two: 'dict.c: dictExpand makes tables of a power of two.'
 *   a skipped dict stays as it is: 'Docstring: "unless skip_cb indicates otherwise".'
 *   the other dicts are expanded all the same: 'Docstring: "all individual dictionaries, unless skip_cb indicates otherwise".'
 *   the callback is asked with the dict's index: 'kvstore.h: kvstoreExpandShouldSkipDictIndex takes the index; db.c: dbExpandSkipSlot.'
 *   a dict that does not exist is passed over: 'kvstore.h: KVSTORE_ALLOCATE_DICTS_ON_DEMAND.'
 *   a dict that is large enough does not stop the others: 'Docstring: for dictExpand DICT_ERR says that "no expansion was performed", which is no failure.'
 *   a dict that is large enough does not stop trying: 'Docstring: for dictTryExpand only a "failure in allocation" is one.'
 *   a dict does not shrink: 'Docstring: it "increases size".'
 *   the keys stay: 'Docstring: it only increases the size.'
 *   a failed allocation is 0 if it is tried: 'Docstring: for dictTryExpand DICT_ERR "signifies failure in allocation".'
 *   a failed allocation that is not tried ends the program: 'Docstring: "else dictExpand", which allocates with zcalloc and its out-of-memory handler.'
 ---*/
#include "../server.h"
#include "../testhelp.h"
#include <sys/wait.h>

/* More buckets than any address space holds. */
#define TOO_MANY (1ULL << 46)

static uint64_t hashOf(const void *key) { return dictGenHashFunction((unsigned char *)&key, sizeof(key)); }
static dictType type = {.hashFunction = hashOf};
static int asked[8];

static int skipOdd(int didx) {
    asked[didx]++;
    return didx % 2;
}

static void outOfMemory(size_t size) {
    UNUSED(size);
    _exit(77);
}

static unsigned long expanded(int bits, int flags, uint64_t size, int try, kvstoreExpandShouldSkipDictIndex *skip,
                              int *result) {
    kvstore *kvs = kvstoreCreate(&type, bits, flags);
    *result = kvstoreExpand(kvs, size, try, skip);
    unsigned long buckets = kvstoreBuckets(kvs);
    kvstoreRelease(kvs);
    return buckets;
}

int main(void) {
    int result;
    monotonicInit();
    unsigned long n = expanded(3, 0, 64, 0, NULL, &result);
    test_cond("every dict gets the desired size", n == 8 * 64);
    test_cond("a success is 1", result == 1);
    n = expanded(3, 0, 64, 1, NULL, &result);
    test_cond("trying gives every dict the desired size", n == 8 * 64);
    test_cond("trying with success is 1", result == 1);
    test_cond("the only dict of a store is expanded", expanded(0, 0, 128, 0, NULL, &result) == 128);
    test_cond("a size is rounded up to a power of two", expanded(1, 0, 100, 0, NULL, &result) == 2 * 128);

    kvstore *kvs = kvstoreCreate(&type, 3, 0);
    kvstoreExpand(kvs, 64, 0, skipOdd);
    int ones = 1;
    for (int j = 0; j < 8; j++) ones &= asked[j] == 1;
    test_cond("the callback is asked with the dict's index", ones);
    test_cond("the other dicts are expanded all the same", kvstoreBuckets(kvs) == 4 * 64);
    kvstoreDictExpand(kvs, 3, 4);
    test_cond("a skipped dict stays as it is", kvstoreBuckets(kvs) == 4 * 64 + 4);
    kvstoreRelease(kvs);

    kvs = kvstoreCreate(&type, 3, KVSTORE_ALLOCATE_DICTS_ON_DEMAND);
    kvstoreDictAddRaw(kvs, 5, (void *)1, NULL);
    n = kvstoreBuckets(kvs);
    result = kvstoreExpand(kvs, 64, 0, NULL);
    test_cond("a dict that does not exist is passed over", result == 1 && kvstoreBuckets(kvs) == n + 64);
    kvstoreIncrementallyRehash(kvs, 10000000);
    test_cond("the keys stay", kvstoreBuckets(kvs) == 64 && kvstoreSize(kvs) == 1 && kvstoreDictFind(kvs, 5, (void *)1));
    kvstoreExpand(kvs, 8, 0, NULL);
    test_cond("a dict does not shrink", kvstoreBuckets(kvs) == 64);
    kvstoreRelease(kvs);

    for (int try = 0; try < 2; try++) {
        kvs = kvstoreCreate(&type, 2, 0);
        kvstoreDictExpand(kvs, 0, 256);
        kvstoreDictExpand(kvs, 2, 64);
        result = kvstoreExpand(kvs, 64, try, NULL);
        n = kvstoreBuckets(kvs);
        if (try) {
            test_cond("a dict that is large enough does not stop trying", result == 1 && n == 256 + 3 * 64);
        } else {
            test_cond("a dict that is large enough does not stop the others", n == 256 + 3 * 64);
        }
        kvstoreRelease(kvs);
    }

    kvs = kvstoreCreate(&type, 1, 0);
    fflush(stdout);
    int status, tried = -1, pid = fork();
    if (pid == 0) {
        zmalloc_set_oom_handler(outOfMemory);
        _exit(kvstoreExpand(kvs, TOO_MANY, 1, NULL));
    }
    if (waitpid(pid, &status, 0) == pid && WIFEXITED(status)) tried = WEXITSTATUS(status);
    test_cond("a failed allocation is 0 if it is tried", tried == 0);
    fflush(stdout);
    pid = fork();
    if (pid == 0) {
        zmalloc_set_oom_handler(outOfMemory);
        kvstoreExpand(kvs, TOO_MANY, 0, NULL);
        _exit(0);
    }
    waitpid(pid, &status, 0);
    test_cond("a failed allocation that is not tried ends the program", WIFEXITED(status) && WEXITSTATUS(status) == 77);
    test_report();
    return 0;
}
