/*---
 * tasks: [restoreCommand-ab585e.8, restoreCommand-ab585e.16]
 * instead: [src/functions.o]
 * tests:
 *   all functions are gone: 'Comment: "Clear all the functions from the given library ctx".'
 *   all libraries are gone: 'Comment: functions belong to libraries; functionsLibCtxFree frees the rest.'
 *   the statistics are zero: 'struct functionsLibCtx: engines_stats, "Per engine statistics"; FUNCTION STATS.'
 *   each engine still has its statistics: 'libraryLink: serverAssert(stats).'
 *   an empty context may be cleared: 'libraryJoin and functionsLibCtxFree clear what may be empty.'
 *   it may be filled again: 'Caller functionsLibCtxClearCurrent: FUNCTION FLUSH SYNC, then FUNCTION LOAD.'
 *   it may be cleared twice: 'Callers: libraryJoin, then functionsLibCtxFree.'
 *   another context is left alone: 'Comment: "from the given library ctx".'
 *   the current context may be cleared: 'Caller functionsLibCtxClearCurrent.'
 *   the current context has no overhead afterwards: 'struct functionsLibCtx: cache_memory, "used by all the functions".'
 *   libraries that were taken out are not freed: 'libraryJoin: it sets their values to NULL first.'
 *   all their memory is given back: 'The destructors of its dictionaries.'
 ---*/
#include "functiontest.h"

int main(void) {
    startFunctions();
    functionsLibCtx *ctx = functionsLibCtxCreate(), *other = functionsLibCtxCreate();
    unsigned long engines_before = dictSize(ctx->engines_stats);
    functionsLibCtxClear(ctx);
    test_cond("an empty context may be cleared", holds(ctx,""));
    load(functionsLibCtxGetCurrent(),"now","n1","n");
    load(other,"one","f1 f2","o");
    size_t before = zmalloc_used_memory();
    load(ctx,"one","f1 f2 f3","a");
    load(ctx,"two","g1","b");
    functionsLibCtxClear(ctx);
    test_cond("all functions are gone", dictSize(ctx->functions) == 0 && functionsLibCtxFunctionsLen(ctx) == 0);
    test_cond("all libraries are gone", dictSize(ctx->libraries) == 0);
    test_cond("the statistics are zero", holds(ctx,""));
    test_cond("each engine still has its statistics", dictSize(ctx->engines_stats) == engines_before && engines_before > 0);
    test_cond("all their memory is given back", zmalloc_used_memory() == before);
    functionsLibCtxClear(ctx);
    test_cond("it may be cleared twice", holds(ctx,""));
    test_cond("it may be filled again", load(ctx,"one","f1 f2","c") && load(ctx,"three","h1","d") &&
              holds(ctx,"one:f1=c one:f2=c three:h1=d "));
    test_cond("another context is left alone", holds(other,"one:f1=o one:f2=o ") &&
              holds(functionsLibCtxGetCurrent(),"now:n1=n ") && !strcmp(fcall("n1"),"$1\r\nn\r\n"));
    dictIterator *iter = dictGetIterator(other->libraries);
    dictEntry *entry = dictNext(iter);
    functionLibInfo *kept = dictGetVal(entry);
    dictSetVal(other->libraries,entry,NULL);
    dictReleaseIterator(iter);
    functionsLibCtxClear(other);
    test_cond("libraries that were taken out are not freed", holds(other,"") && !strcmp(kept->name,"one") &&
              dictSize(kept->functions) == 2);
    engineLibraryFree(kept);
    functionsLibCtxFree(ctx);
    functionsLibCtxFree(other);
    functionsLibCtxClear(functionsLibCtxGetCurrent());
    test_cond("the current context may be cleared", holds(functionsLibCtxGetCurrent(),"") &&
              !strncmp(fcall("n1"),"-ERR Function not found",23));
    test_cond("the current context has no overhead afterwards", functionsLibCtxGetCurrent()->cache_memory == 0);
    test_report();
    return 0;
}
