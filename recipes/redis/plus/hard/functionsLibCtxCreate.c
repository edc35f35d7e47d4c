/*---
 * tasks: [restoreCommand-ab585e.16]
 * instead: [src/functions.o]
 * tests:
 *   a new context has no libraries and no functions: 'Comment: "Create a new functions ctx".'
 *   it has statistics for each engine: 'struct functionsLibCtx: "Per engine statistics"; libraryLink: serverAssert(stats).'
 *   its statistics are zero: 'struct functionsLibCtx: "Per engine statistics", of this context.'
 *   an engine that is registered later is in contexts made later: 'Comment: a new ctx; functionsRegisterEngine.'
 *   the statistics are found by the engine's name in any case: 'engineStatsDictType: case-insensitive.'
 *   the statistics are its own: 'struct functionsLibCtx; libraryLink counts for one context.'
 *   it counts no overhead yet: 'struct functionsLibCtx: cache_memory, "used by all the functions".'
 *   libraries can be loaded into it: 'Callers functionRestoreCommand and readSyncBulkPayload load into it.'
 *   names of libraries are told apart by case: 'librariesDictType: dictSdsHash.'
 *   names of functions are not: 'functionDictType: dictSdsCaseHash; FCALL.'
 *   the current context stays what it was: 'Callers swap it afterwards, or free it.'
 *   each call gives one of its own: 'Comment: "Create a new functions ctx".'
 *   it can be swapped in: 'Caller functionRestoreCommand: functionsLibCtxSwapWithCurrent.'
 *   it can be joined to another: 'Caller functionRestoreCommand: libraryJoin.'
 *   its libraries and statistics are freed with it: 'functionsLibCtxFree.'
 *   the engines stay: 'engines is of the server, not of the context.'
 *   FUNCTION RESTORE fills one: 'commands/function-restore.'
 ---*/
#include "functiontest.h"

static size_t none(void *x) { UNUSED(x); return 0; }
static engine other = {.get_engine_memory_overhead = none, .get_used_memory = none, .get_function_memory_overhead = none};

static functionsLibEngineStats *statsOf(functionsLibCtx *ctx, const char *name) {
    sds s = sdsnew(name);
    functionsLibEngineStats *stats = dictFetchValue(ctx->engines_stats,s);
    sdsfree(s);
    return stats;
}

/* Leaves bytes in the memory that a context gets next. */
static void dirtyHeap(void) {
    void *p[50];
    for (int j = 0; j < 50; j++) p[j] = memset(zmalloc(j % 2 ? sizeof(functionsLibCtx) : sizeof(functionsLibEngineStats)),0x55,16+j % 2*(sizeof(functionsLibCtx)-16));
    for (int j = 0; j < 50; j++) zfree(p[j]);
}

static unsigned long current(void) {
    return functionsNum();
}

int main(void) {
    startFunctions();
    functionsLibCtx *now = functionsLibCtxGetCurrent();
    load(now,"now","n1 n2","n");
    fcall("n1");
    size_t memory = zmalloc_used_memory();
    dirtyHeap();
    functionsLibCtx *ctx = functionsLibCtxCreate();
    test_cond("a new context has no libraries and no functions", ctx && dictSize(ctx->libraries) == 0 && dictSize(ctx->functions) == 0 &&
              functionsLibCtxFunctionsLen(ctx) == 0);
    functionsLibEngineStats *stats = statsOf(ctx,"LUA");
    test_cond("its statistics are zero", stats && stats->n_lib == 0 && stats->n_functions == 0 && statsOf(now,"LUA")->n_functions == 2);
    int one = dictSize(ctx->engines_stats) == 1 && dictSize(engines) == 1;
    test_cond("the statistics are found by the engine's name in any case", stats == statsOf(ctx,"lua") && stats == statsOf(ctx,"Lua"));
    test_cond("it counts no overhead yet", ctx->cache_memory == 0);
    test_cond("the current context stays what it was", functionsLibCtxGetCurrent() == now && current() == 2 && now != ctx &&
              !strcmp(fcall("n1"),"$1\r\nn\r\n"));
    functionsLibCtx *second = functionsLibCtxCreate();
    int loaded = load(ctx,"one","f1 f2","a") && load(ctx,"two","g1","b");
    test_cond("libraries can be loaded into it", loaded && holds(ctx,"one:f1=a one:f2=a two:g1=b "));
    test_cond("each call gives one of its own", second != ctx && holds(second,"") && load(second,"one","f1","c") &&
              holds(second,"one:f1=c ") && holds(ctx,"one:f1=a one:f2=a two:g1=b "));
    test_cond("the statistics are its own", statsOf(second,"LUA") != statsOf(ctx,"LUA") && statsOf(ctx,"LUA") != statsOf(now,"LUA") &&
              statsOf(ctx,"LUA")->n_lib == 2 && statsOf(second,"LUA")->n_lib == 1 && statsOf(now,"LUA")->n_lib == 1);
    test_cond("names of libraries are told apart by case", load(ctx,"ONE","h1","d") && dictSize(ctx->libraries) == 3);
    sds upper = sdsnew("F1");
    functionInfo *f1 = dictFetchValue(ctx->functions,upper);
    sdsfree(upper);
    test_cond("names of functions are not", f1 && !strcmp(f1->name,"f1"));
    functionsLibCtxFree(ctx);
    functionsLibCtxFree(second);
    int freed = zmalloc_used_memory() == memory;
    for (int j = 0; j < 20; j++) {
        ctx = functionsLibCtxCreate();
        if (j % 2) load(ctx,"one","f1 f2","a");
        functionsLibCtxFree(ctx);
    }
    test_cond("its libraries and statistics are freed with it", freed && zmalloc_used_memory() == memory);
    ctx = functionsLibCtxCreate();
    load(ctx,"new","x1","x");
    functionsLibCtxSwapWithCurrent(ctx);
    test_cond("it can be swapped in", functionsLibCtxGetCurrent() == ctx && !strcmp(fcall("x1"),"$1\r\nx\r\n"));
    sds err = NULL;
    second = functionsLibCtxCreate();
    load(second,"more","y1 y2","y");
    int joined = libraryJoin(ctx,second,0,&err) == C_OK && holds(ctx,"more:y1=y more:y2=y new:x1=x ") && holds(second,"");
    functionsLibCtxFree(second);
    test_cond("it can be joined to another", joined && !strcmp(fcall("y2"),"$1\r\ny\r\n"));
    functionsRegisterEngine("Other",memcpy(zmalloc(sizeof(other)),&other,sizeof(other)));
    functionsLibCtx *later = functionsLibCtxCreate();
    stats = statsOf(later,"other");
    test_cond("an engine that is registered later is in contexts made later", stats && stats->n_lib == 0 && stats->n_functions == 0 &&
              dictSize(later->engines_stats) == 2);
    test_cond("it has statistics for each engine", one && statsOf(later,"LUA") && statsOf(later,"OTHER") && stats != statsOf(later,"LUA"));
    functionsLibCtxFree(later);
    test_cond("the engines stay", dictSize(engines) == 2 && load(ctx,"last","z1","z") && !strcmp(fcall("z1"),"$1\r\nz\r\n"));
    setArguments(c,2,(const char*[]){"function","dump"});
    functionDumpCommand(c);
    sds s = replyOf(c);
    char *p = strchr(s,'\n')+1;
    robj *payload = createStringObject(p,sdslen(s)-(p-s)-2);
    sdsfree(s);
    setArguments(c,4,(const char*[]){"function","restore","x","flush"});
    decrRefCount(c->argv[2]);
    c->argv[2] = payload;
    functionRestoreCommand(c);
    test_cond("FUNCTION RESTORE fills one", replied(c,"+OK\r\n") && functionsLibCtxGetCurrent() != ctx &&
              functionsNum() == 4 && functionsLibNum() == 3 && !strcmp(fcall("y1"),"$1\r\ny\r\n"));
    test_report();
    return 0;
}
