/*---
 * tasks: [restoreCommand-ab585e.8, restoreCommand-ab585e.16]
 * instead: [src/functions.o]
 * tests:
 *   a synchronous clear leaves no library: 'Name; FUNCTION FLUSH SYNC.'
 *   a synchronous clear frees before it returns: 'Parameter async; commands/function-flush: SYNC.'
 *   a synchronous clear leaves nothing to the background: 'Parameter async; commands/function-flush: SYNC.'
 *   an asynchronous clear leaves no library: 'FUNCTION FLUSH ASYNC.'
 *   an asynchronous clear leaves many functions to the background: 'commands/function-flush: ASYNC; lazyfree.c: freeFunctionsAsync.'
 *   the background frees them: 'freeFunctionsAsync.'
 *   an asynchronous clear frees few functions at once: 'freeFunctionsAsync: "if the functions ctx is big enough".'
 *   "functions can't be called afterwards": 'FCALL: function not found.'
 *   libraries can be loaded afterwards: 'FUNCTION LOAD after FUNCTION FLUSH.'
 *   a library can be loaded while the background still frees: 'freeFunctionsAsync: the old context alone is freed.'
 *   the statistics begin at zero: 'FUNCTION STATS: libraries_count, functions_count of each engine.'
 *   no overhead is counted afterwards: 'functionsMemoryOverhead; struct functionsLibCtx: cache_memory.'
 *   another context is left alone: 'Name: the current one.'
 *   nothing to clear is no error: 'FUNCTION FLUSH on an empty server.'
 *   nothing is left behind: 'Repeated.'
 ---*/
#include "functiontest.h"

static functionsLibCtx *current(void) {
    return functionsLibCtxGetCurrent();
}

int main(void) {
    startFunctions();
    functionsLibCtx *other = functionsLibCtxCreate();
    load(other,"other","o1","o");
    functionsLibCtxClearCurrent(0);
    int empty = holds(current(),"");
    functionsLibCtxClearCurrent(1);
    test_cond("nothing to clear is no error", empty && holds(current(),""));
    size_t before = zmalloc_used_memory();
    load(current(),"one","f1 f2","a");
    load(current(),"two","g1","b");
    functionsLibCtxClearCurrent(0);
    test_cond("a synchronous clear leaves no library", holds(current(),"") && functionsNum() == 0 && functionsLibNum() == 0);
    int memory = zmalloc_used_memory() == before, overhead = current()->cache_memory == 0;
    int gone = !strncmp(fcall("f1"),"-ERR Function not found",23);
    load(current(),"one","f1 f2","c");
    functionsLibCtxClearCurrent(1);
    test_cond("an asynchronous clear leaves no library", holds(current(),"") && functionsNum() == 0 && functionsLibNum() == 0);
    test_cond("functions can't be called afterwards", gone && !strncmp(fcall("f1"),"-ERR Function not found",23));
    test_cond("no overhead is counted afterwards", overhead && current()->cache_memory == 0);
    test_cond("libraries can be loaded afterwards", load(current(),"one","f1 f2","d") && !strcmp(fcall("f1"),"$1\r\nd\r\n"));
    test_cond("the statistics begin at zero", holds(current(),"one:f1=d one:f2=d "));
    functionsLibCtxClearCurrent(0);

    holdBackground(1);
    before = zmalloc_used_memory();
    loadMany(current(),200);
    functionsLibCtxClearCurrent(0);
    test_cond("a synchronous clear leaves nothing to the background", lazyfreeGetPendingObjectsCount() == 0);
    test_cond("a synchronous clear frees before it returns", memory && zmalloc_used_memory() == before);
    load(current(),"one","f1 f2","a");
    functionsLibCtxClearCurrent(1);
    test_cond("an asynchronous clear frees few functions at once", lazyfreeGetPendingObjectsCount() == 0 &&
              zmalloc_used_memory() == before);
    loadMany(current(),200);
    functionsLibCtxClearCurrent(1);
    int pending = lazyfreeGetPendingObjectsCount();
    test_cond("an asynchronous clear leaves many functions to the background", pending == 200 && holds(current(),""));
    test_cond("a library can be loaded while the background still frees", load(current(),"lib10","f10 f11","e") &&
              !strcmp(fcall("f10"),"$1\r\ne\r\n") && holds(current(),"lib10:f10=e lib10:f11=e "));
    holdBackground(0);
    test_cond("the background frees them", lazyfreeGetPendingObjectsCount() == 0 && !strcmp(fcall("f11"),"$1\r\ne\r\n"));
    test_cond("another context is left alone", holds(other,"other:o1=o "));
    functionsLibCtxClearCurrent(0);
    before = zmalloc_used_memory();
    for (int j = 0; j < 10; j++) {
        load(current(),"one","f1 f2","a");
        functionsLibCtxClearCurrent(j % 2);
    }
    test_cond("nothing is left behind", zmalloc_used_memory() == before);
    test_report();
    return 0;
}
