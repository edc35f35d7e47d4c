/*---
 * tasks: [FA12006B2296E11D]
 * instead: [src/functions.o]
 * tests:
 *   what the engines take is counted: 'Docstring: "memory overhead of all the engines combine".'
 *   a second engine adds its own: 'Docstring: "all the engines"; functions.h: get_engine_memory_overhead.'
 *   the code of a library is counted: 'functions.c: cache_memory is "Overhead memory (structs, dictionaries, ..) used by all the functions".'
 *   the structures of the functions are counted: 'functions.c: cache_memory; functions.h: get_function_memory_overhead.'
 *   the dict of the functions is counted: 'functions.c: "Overhead memory (structs, dictionaries, ..)"; dict.c: dictMemUsage.'
 *   nothing is counted twice: 'object.c: MEMORY STATS adds it to overhead.total.'
 *   what the interpreter takes is not counted: 'functions.h: the overhead "is not counted as engine memory"; functionsMemory returns that.'
 *   a deleted library is counted no more: 'functions.c: the functions of a library leave the cache with it.'
 *   a flush brings it back to the start: 'functions.c: functionsLibCtxClear empties all.'
 *   the present libraries are counted and not the old ones: 'functions.c: functionsLibCtxSwapWithCurrent; FUNCTION RESTORE.'
 *   asking changes nothing: 'Docstring: it only returns a number.'
 ---*/
#include "../functions.c"
#include "../testhelp.h"

void initServerConfig(void);
void initServer(void);

#define ENGINE_OVERHEAD (3 << 20)

static size_t engineOverhead(void *engine_ctx) {
    UNUSED(engine_ctx);
    return ENGINE_OVERHEAD;
}

static size_t noMemory(void *engine_ctx) {
    UNUSED(engine_ctx);
    return 0;
}

/* A library of so many functions, with `comment` bytes more of code. */
static void load(const char *name, int functions, size_t comment) {
    sds err = NULL, code = sdscatfmt(sdsempty(), "#!lua name=%s\nlocal f = function() return 1 end\n", name);
    for (int j = 0; j < functions; j++)
        code = sdscatfmt(code, "redis.register_function('%s_%i', f)\n", name, j);
    if (comment) {
        code = sdscat(code, "--");
        code = sdsgrowzero(code, sdslen(code) + comment);
        memset(code + sdslen(code) - comment, 'x', comment);
    }
    if (!functionsCreateWithLibraryCtx(code, 0, &err, curr_functions_lib_ctx, 0)) exit(1);
    sdsfree(code);
}

int main(void) {
    initServerConfig();
    ACLInit();
    moduleInitModulesSystem();
    connTypeInitialize();
    server.logfile = zstrdup("/dev/null");
    initServer();

    size_t start = functionsMemoryOverhead();
    test_cond("what the engines take is counted", start >= engine_cache_memory + dictMemUsage(engines));
    test_cond("asking changes nothing", functionsMemoryOverhead() == start);
    load("small", 1, 0);
    size_t small = functionsMemoryOverhead(), interpreter = functionsMemory();
    load("long", 1, 500000);
    size_t with_long = functionsMemoryOverhead();
    test_cond("the code of a library is counted", with_long >= small + 500000);
    sds name = sdsnew("long");
    libraryUnlink(curr_functions_lib_ctx, dictFetchValue(curr_functions_lib_ctx->libraries, name));
    size_t without = functionsMemoryOverhead();
    test_cond("a deleted library is counted no more", without < small + 100000);

    size_t cache = curr_functions_lib_ctx->cache_memory, dict_before = dictMemUsage(curr_functions_lib_ctx->functions);
    load("many", 2000, 0);
    size_t many = functionsMemoryOverhead();
    cache = curr_functions_lib_ctx->cache_memory - cache;
    size_t dict_size = dictMemUsage(curr_functions_lib_ctx->functions) - dict_before;
    test_cond("the structures of the functions are counted", many - without >= cache);
    test_cond("the dict of the functions is counted", many - without >= cache + dict_size);
    test_cond("nothing is counted twice", many - without < 2 * (cache + dict_size));
    test_cond("what the interpreter takes is not counted",
              functionsMemory() > interpreter + 50000 && many - without < cache + 3 * dict_size);

    functionsLibCtx *old = functionsLibCtxCreate();
    functionsLibCtxSwapWithCurrent(old);
    size_t fresh = functionsMemoryOverhead();
    test_cond("the present libraries are counted and not the old ones", fresh < small + 10000);
    load("again", 10, 0);
    functionsLibCtxClearCurrent(0);
    test_cond("a flush brings it back to the start", functionsMemoryOverhead() == start);

    engine *second = zcalloc(sizeof(*second));
    second->get_engine_memory_overhead = engineOverhead;
    second->get_used_memory = noMemory;
    functionsRegisterEngine("second", second);
    test_cond("a second engine adds its own", functionsMemoryOverhead() >= start + ENGINE_OVERHEAD);
    test_report();
    return 0;
}
