/*---
 * tasks: [restoreCommand-ab585e.16]
 * tests:
 *   the entry has the value: 'The name; dictGetVal.'
 *   without valDup it is the pointer itself: 'dict.h: dictType, valDup may be NULL.'
 *   with valDup it is a copy: 'dict.h: dictType: valDup.'
 *   valDup gets the dictionary and the value: 'dict.h: "void *(*valDup)(dict *d, const void *obj)".'
 *   the copy is made once: 'dict.h: valDup.'
 *   the old value is not freed: 'Caller dictReplace frees it afterwards; functions.c sets NULL and goes on with the library.'
 *   the value may be NULL: 'Caller functions.c: dictSetVal(lib_ctx->libraries, entry, NULL).'
 *   a value can be set again: 'Callers change values of entries that are there.'
 *   the same value again: 'Caller dictReplace: "the value may just be exactly the same as the previous one".'
 *   the key stays: 'The name: SetVal.'
 *   other entries stay: 'Signature: de.'
 *   a number as a pointer: 'kvstoreDictSetVal and tests keep numbers in pointers.'
 *   it takes the place of a number: 'struct dictEntry: a union of pointer, integers and double.'
 *   while the dictionary is being rehashed: 'Callers set values at any time.'
 *   dictAdd sets the value: 'Caller dictAdd.'
 *   dictReplace sets the value and frees the old one: 'Caller dictReplace: "Set the new value and free the old one".'
 *   an entry without a value stops the process: 'Siblings dictSetSignedIntegerVal and dictGetVal: assert(entryHasValue(de)).'
 *   nothing is kept: 'The value alone is set.'
 ---*/
#include "../server.h"
#include "../testhelp.h"
#include <sys/resource.h>
#include <sys/wait.h>

static dict *seenDict;
static const void *seenValue;
static int dups, frees;

static void *dup_(dict *d, const void *value) {
    seenDict = d, seenValue = value, dups++;
    return value ? sdsdup((sds)value) : NULL;
}

static void free_(dict *d, void *value) {
    UNUSED(d);
    frees++;
    sdsfree(value);
}

static dictType plain = {.hashFunction = dictSdsHash, .keyCompare = dictSdsKeyCompare, .keyDestructor = dictSdsDestructor};
static dictType copying = {.hashFunction = dictSdsHash, .valDup = dup_, .keyCompare = dictSdsKeyCompare,
                           .keyDestructor = dictSdsDestructor, .valDestructor = free_};
static dictType freeing = {.hashFunction = dictSdsHash, .keyCompare = dictSdsKeyCompare, .keyDestructor = dictSdsDestructor,
                           .valDestructor = free_};

static dictEntry *add(dict *d, const char *name) {
    return dictAddRaw(d,sdsnew(name),NULL);
}

int main(void) {
    dict *d = dictCreate(&plain);
    sds one = sdsnew("one"), two = sdsnew("two");
    dictEntry *a = add(d,"a"), *b = add(d,"b");
    dictSetVal(d,a,one);
    test_cond("the entry has the value", dictGetVal(a) && !strcmp(dictGetVal(a),"one"));
    test_cond("without valDup it is the pointer itself", dictGetVal(a) == one);
    dictSetVal(d,b,two);
    test_cond("other entries stay", dictGetVal(a) == one && dictGetVal(b) == two && dictSize(d) == 2);
    dictSetVal(d,a,two);
    int again = dictGetVal(a) == two;
    dictSetVal(d,a,one);
    test_cond("a value can be set again", again && dictGetVal(a) == one);
    dictSetVal(d,a,one);
    test_cond("the same value again", dictGetVal(a) == one);
    test_cond("the key stays", !strcmp(dictGetKey(a),"a") && dictFind(d,dictGetKey(a)) == a);
    dictSetVal(d,a,NULL);
    test_cond("the value may be NULL", dictGetVal(a) == NULL && dictGetVal(b) == two);
    dictSetVal(d,a,(void*)(long)-5);
    int number = (long)dictGetVal(a) == -5;
    dictSetVal(d,a,(void*)0x7fffffffffffffff);
    test_cond("a number as a pointer", number && (long)dictGetVal(a) == 0x7fffffffffffffff);
    dictSetSignedIntegerVal(a,-1);
    dictSetVal(d,a,one);
    int place = dictGetVal(a) == one;
    dictSetDoubleVal(a,2.5);
    dictSetVal(d,a,NULL);
    test_cond("it takes the place of a number", place && dictGetVal(a) == NULL && dictGetUnsignedIntegerVal(a) == 0);
    dictRelease(d);

    d = dictCreate(&copying);
    a = add(d,"a");
    dictSetVal(d,a,one);
    sds first = dictGetVal(a);
    test_cond("with valDup it is a copy", first != one && !strcmp(first,"one"));
    test_cond("valDup gets the dictionary and the value", seenDict == d && seenValue == one);
    test_cond("the copy is made once", dups == 1);
    dictSetVal(d,a,two);
    int kept = frees == 0 && !strcmp(first,"one") && !strcmp(dictGetVal(a),"two");
    sdsfree(first);
    dict *f = dictCreate(&freeing);
    b = add(f,"b");
    dictSetVal(f,b,sdsnew("old"));
    sds old = dictGetVal(b);
    dictSetVal(f,b,sdsnew("new"));
    test_cond("the old value is not freed", kept && frees == 0 && !strcmp(old,"old") && !strcmp(dictGetVal(b),"new"));
    sdsfree(old);
    dups = 0;
    int added = dictAdd(f,sdsnew("c"),one) == DICT_OK && dictFetchValue(f,(sds)"") == NULL;
    sds key = sdsnew("c");
    added = added && dictFetchValue(f,key) == one;
    dictFind(f,key);
    test_cond("dictAdd sets the value", added && dictAdd(d,sdsdup(key),two) == DICT_OK && dups == 1 &&
              dictFetchValue(d,key) != two && !strcmp(dictFetchValue(d,key),"two"));
    frees = 0;
    int replaced = dictReplace(d,key,two) == 0 && frees == 1 && !strcmp(dictFetchValue(d,key),"two");
    sds same = dictFetchValue(d,key);
    replaced = replaced && dictReplace(d,key,same) == 0 && frees == 2 && !strcmp(dictFetchValue(d,key),"two");
    test_cond("dictReplace sets the value and frees the old one", replaced);
    dictRelease(f); /* Frees `one` too. */

    dict *big = dictCreate(&plain);
    int all = 1, rehashing = 0;
    char name[30];
    for (int j = 0; j < 500; j++) {
        sprintf(name,"key:%d",j);
        dictEntry *de = add(big,name);
        dictSetVal(big,de,(void*)(long)(j+1));
        sprintf(name,"key:%d",j/2);
        sds k = sdsnew(name);
        de = dictFind(big,k);
        rehashing |= dictIsRehashing(big);
        dictSetVal(big,de,(void*)(long)(j/2+1000));
        all &= (long)dictFetchValue(big,k) == j/2+1000 && dictSize(big) == (unsigned long)j+1;
        sdsfree(k);
    }
    test_cond("while the dictionary is being rehashed", all && rehashing);
    dictRelease(big);

    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        freopen("/dev/null","w",stderr);
        struct rlimit none = {0,0};
        setrlimit(RLIMIT_CORE,&none);
        alarm(20);
        signal(SIGABRT,SIG_DFL);
        signal(SIGSEGV,SIG_DFL);
        dict *set = dictCreate(&setDictType);
        dictEntry *x = add(set,"x");
        dictSetVal(set,x,two);
        _exit(0);
    }
    int status = 0;
    waitpid(child,&status,0);
    test_cond("an entry without a value stops the process", WIFSIGNALED(status) || WEXITSTATUS(status));
    d = dictCreate(&plain);
    a = add(d,"a");
    size_t memory = zmalloc_used_memory();
    for (int j = 0; j < 100; j++) dictSetVal(d,a,j % 2 ? two : NULL);
    test_cond("nothing is kept", zmalloc_used_memory() == memory && dictSize(d) == 1);
    test_report();
    return 0;
}
