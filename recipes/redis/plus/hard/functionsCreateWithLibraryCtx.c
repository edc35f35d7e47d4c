/*---
 * tasks: [luaEngineCreate-b05c07.2, luaEngineCreate-b05c07.4]
 * instead: [src/functions.o]
 * tests:
 *   the name of the library is returned: 'Comment: "return the loaded library name on success".'
 *   the name belongs to the caller: 'Caller functionLoadCommand: addReplyBulkSds frees it.'
 *   the library is in the given context: 'Argument lib_ctx; caller functionRestoreCommand has one of its own.'
 *   other contexts are left alone: 'Argument lib_ctx.'
 *   the functions of the library are known: 'commands/fcall finds functions by their name alone.'
 *   the library keeps its whole code: 'commands/function-list: WITHCODE; FUNCTION DUMP.'
 *   libraries and functions are counted: 'commands/function-stats: libraries_count and functions_count.'
 *   the engine may be written in any case: 'functions.c: engineDictType, dictSdsCaseHash.'
 *   wrong metadata is an error: 'functionExtractLibMetaData.'
 *   a wrong name of a library is an error: 'Upstream''s test: "Library names can only contain letters, numbers, or underscores(_)".'
 *   an unknown engine is an error: 'Upstream''s test: "Engine ''bad1'' not found".'
 *   a library that exists is an error: 'Upstream''s test: "Library ''test'' already exists".'
 *   the names of libraries are told apart by case: 'functions.c: librariesDictType; upstream''s test: "FUNCTION - Load with unknown argument".'
 *   a library that exists stays after the error: 'commands/function-load: an error.'
 *   with replace the library is replaced: 'commands/function-load: REPLACE overwrites the existing library.'
 *   with replace functions of the old library are gone: 'commands/function-load: REPLACE.'
 *   replace needs no library: 'commands/function-load: REPLACE.'
 *   what does not compile is an error: 'functions.h: create sets err.'
 *   a library without functions is an error: 'Upstream''s test: "No functions registered".'
 *   a function of another library is an error: 'Upstream''s test: "Function test already exists".'
 *   functions of other libraries are known whatever their case: 'functions.c: functionDictType, dictSdsCaseHash.'
 *   a replacement that fails leaves the old library: 'Upstream''s test: "FUNCTION - test replace argument with failure keeps old libraries".'
 *   after all that counts and memory are right: 'INFO and FUNCTION STATS: n_lib, n_functions, cache_memory.'
 *   the timeout is given to the engine: 'Argument timeout; functions.h: create.'
 *   nothing is kept after errors: 'Caller: FUNCTION LOAD may fail again and again.'
 *   nothing is kept after replacing: 'Caller: FUNCTION LOAD REPLACE may come again and again.'
 ---*/
#include "../functions.c"
#include "start.h"
#include "../testhelp.h"

static functionsLibCtx *ctx;
static sds err;

static int load(const char *code, int replace) {
    sds text = sdsnew(code);
    sdsfree(err);
    err = NULL;
    sds name = functionsCreateWithLibraryCtx(text,replace,&err,ctx,0);
    sdsfree(text);
    sdsfree(name);
    return name != NULL;
}

static int fails(const char *code, int replace, const char *why) {
    int bad = !load(code,replace) && err && !strcmp(err,why);
    if (!bad) printf("%s: %s\n",code,err ? err : "no error");
    return bad;
}

static functionLibInfo *library(const char *name) {
    sds s = sdsnew(name);
    functionLibInfo *li = dictFetchValue(ctx->libraries,s);
    sdsfree(s);
    return li;
}

static functionInfo *function(const char *name) {
    sds s = sdsnew(name);
    functionInfo *fi = dictFetchValue(ctx->functions,s);
    sdsfree(s);
    return fi;
}

static int counted(size_t libraries, size_t functions) {
    functionsLibEngineStats *stats = dictGetVal(dictGetRandomKey(ctx->engines_stats));
    return dictSize(ctx->libraries) == libraries && dictSize(ctx->functions) == functions && stats->n_lib == libraries &&
           stats->n_functions == functions;
}

/* What the libraries and functions of the context take. */
static size_t memory(void) {
    size_t sum = 0;
    dictIterator *it = dictGetIterator(ctx->libraries);
    dictEntry *de;
    while ((de = dictNext(it))) sum += libraryMallocSize(dictGetVal(de));
    dictReleaseIterator(it);
    it = dictGetIterator(ctx->functions);
    while ((de = dictNext(it))) sum += functionMallocSize(dictGetVal(de));
    dictReleaseIterator(it);
    return sum;
}

#define F(name) "redis.register_function('" name "', function() return 1 end)\n"
#define BADNAME "Library names can only contain letters, numbers, or underscores(_) and must be at least one character long"

int main(void) {
    startRedis();
    signal(SIGALRM,SIG_DFL), alarm(30);
    ctx = functionsLibCtxCreate();
    sds code = sdsnew("#!lua name=lib\n" F("f") F("g"));
    sds name = functionsCreateWithLibraryCtx(code,0,&err,ctx,0);
    functionLibInfo *li = library("lib");
    test_cond("the name of the library is returned", name && !strcmp(name,"lib") && sdslen(name) == 3 && !err);
    test_cond("the library is in the given context", li && !strcmp(li->name,"lib") && dictSize(li->functions) == 2);
    test_cond("other contexts are left alone", dictSize(functionsLibCtxGetCurrent()->libraries) == 0 &&
              dictSize(functionsLibCtxGetCurrent()->functions) == 0);
    test_cond("the functions of the library are known", function("f") && function("g") && function("f")->li == li);
    test_cond("the library keeps its whole code", li && !strcmp(li->code,code) && li->code != code);
    test_cond("libraries and functions are counted", counted(1,2) && ctx->cache_memory == memory());
    if (name) name[0] = 'X';
    test_cond("the name belongs to the caller", !strcmp(li->name,"lib") && library("lib") == li);
    sdsfree(name);
    test_cond("the engine may be written in any case", load("#!LUA name=upper\n" F("u"),0) &&
              load("#!Lua name=mixed\n" F("m"),0) && counted(3,4));
    test_cond("wrong metadata is an error", fails("return 1\n",0,"Missing library metadata") &&
              fails("#!lua\n",0,"Library name was not given"));
    test_cond("a wrong name of a library is an error", fails("#!lua name=my-lib\n" F("x"),0,BADNAME) &&
              fails("#!lua name=\n" F("x"),0,BADNAME) && fails("#!lua name=a.b\n" F("x"),1,BADNAME));
    test_cond("an unknown engine is an error", fails("#!bad1 name=x\n" F("x"),0,"Engine 'bad1' not found") &&
              fails("#! name=x\n" F("x"),0,"Engine '' not found"));
    test_cond("a library that exists is an error", fails("#!lua name=lib\n" F("x"),0,"Library 'lib' already exists"));
    test_cond("a library that exists stays after the error", library("lib") == li && function("f") && !function("x") &&
              counted(3,4));
    test_cond("the names of libraries are told apart by case", load("#!lua name=LIB\n" F("big"),0) && counted(4,5));
    int ok = load("#!lua name=lib\n" F("f") F("h"),1);
    test_cond("with replace the library is replaced", ok && library("lib") && strstr(library("lib")->code,"'h'") &&
              function("f") && function("f")->li == library("lib") && function("h"));
    test_cond("with replace functions of the old library are gone", !function("g") && counted(4,5));
    test_cond("replace needs no library", load("#!lua name=fresh\n" F("k"),1) && library("fresh") && counted(5,6));
    ok = !load("#!lua name=x\nthis is no lua",0) && err && strstr(err,"Error compiling function: user_function:2:");
    test_cond("what does not compile is an error", ok && !library("x"));
    test_cond("a library without functions is an error", fails("#!lua name=x\nlocal a = 1",0,"No functions registered") &&
              !library("x"));
    test_cond("a function of another library is an error",
              fails("#!lua name=x\n" F("new1") F("f"),0,"Function f already exists") && !library("x") && !function("new1"));
    test_cond("functions of other libraries are known whatever their case",
              fails("#!lua name=x\n" F("F"),0,"Function F already exists"));
    size_t mem = ctx->cache_memory;
    li = library("lib");
    ok = fails("#!lua name=lib\nlocal a = 1",1,"No functions registered") && library("lib") == li && function("h");
    ok = ok && fails("#!lua name=lib\n" F("new1") F("k"),1,"Function k already exists") && library("lib") == li;
    ok = ok && !load("#!lua name=lib\nno lua",1) && !load("#!lua name=lib\nerror('x')",1);
    test_cond("a replacement that fails leaves the old library", ok && library("lib") == li && function("f") &&
              function("f")->li == li && function("h") && !function("new1"));
    test_cond("after all that counts and memory are right", counted(5,6) && ctx->cache_memory == mem && mem == memory());
    sds loop = sdsnew("#!lua name=loop\nwhile true do end");
    sdsfree(err);
    err = NULL;
    name = functionsCreateWithLibraryCtx(loop,0,&err,ctx,1);
    test_cond("the timeout is given to the engine", !name && err && strstr(err,"FUNCTION LOAD timeout") &&
              !library("loop"));

    sdsfree(err);
    err = NULL;
    size_t before = 0;
    for (int j = 0; j < 30; j++) {
        if (j == 10) before = zmalloc_used_memory();
        load("return 1\n",0), load("#!lua name=my-lib\n" F("x"),0), load("#!bad1 name=x\n" F("x"),0);
        load("#!lua name=lib\n" F("x"),0), load("#!lua name=x\nno lua",0), load("#!lua name=x\nlocal a = 1",0);
        load("#!lua name=x\n" F("new1") F("f"),0), load("#!lua name=lib\n" F("new1") F("k"),1);
        load("#!lua name=lib\nlocal a = 1",1);
        sdsfree(err);
        err = NULL;
    }
    test_cond("nothing is kept after errors", zmalloc_used_memory() == before);
    for (int j = 0; j < 30; j++) {
        if (j == 10) before = zmalloc_used_memory();
        load("#!lua name=lib\n" F("f") F("h"),1);
    }
    test_cond("nothing is kept after replacing", zmalloc_used_memory() == before && ctx->cache_memory == memory());
    test_report();
    return 0;
}
