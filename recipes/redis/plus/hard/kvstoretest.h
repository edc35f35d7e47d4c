/* Shared by tests of kvstore.c: stores whose keys are known by their number, n in the dict n % dicts where all are used. */
#ifndef PLUS_KVSTORETEST_H
#define PLUS_KVSTORETEST_H
#include "../server.h"
#include "../kvstore.h"
#include "../testhelp.h"

static dictType numberType = {dictSdsHash,NULL,NULL,dictSdsKeyCompare,dictSdsDestructor,NULL,NULL};

static void addNumber(kvstore *kvs, int didx, int n) {
    kvstoreDictAddRaw(kvs,didx,sdsfromlonglong(n),NULL);
}

/* Four bits of dicts, with so many keys in each of those that are named by a letter, a for the first. */
static kvstore *storeOf(const char *dicts, int keys, int flags) {
    kvstore *kvs = kvstoreCreate(&numberType,4,flags);
    for (const char *p = dicts; *p; p++)
        for (int j = 0; j < keys; j++) addNumber(kvs,*p-'a',(*p-'a')*1000+j);
    return kvs;
}
#endif
