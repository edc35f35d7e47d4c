/*---
 * tasks: [restoreCommand-ab585e.8, restoreCommand-ab585e.16]
 * instead: [src/functions.o]
 * tests:
 *   all libraries are taken: 'Comment: "Takes all libraries from lib_ctx_src and add to lib_ctx_dst".'
 *   the source has none afterwards: 'Comment: "Takes all libraries".'
 *   success is C_OK without an error: 'Comment: "Return C_OK on success"; caller replies OK then.'
 *   the functions can be called: 'Caller: FUNCTION RESTORE, then FCALL.'
 *   an empty source or destination is fine: 'Caller: an empty payload; a server without functions.'
 *   a library of the same name is an error: 'Comment: "On collision ... Otherwise abort"; C_ERR.'
 *   the error names the library: 'tests/unit/functions.tcl: "Library lib1 already exists".'
 *   both are untouched then: 'Comment: "leave ''lib_ctx_dst'' and ''lib_ctx_src'' untouched".'
 *   with replace the library is replaced: 'Comment: "if ''replace'' argument is true, replace the existing library with the new one".'
 *   libraries without a collision stay: 'Comment: "replace the existing library" alone.'
 *   functions that the replaced library alone had are gone: 'Comment: "replace".'
 *   a function of the same name in another library is an error: 'functions.tcl: "test function restore with function name collision".'
 *   the error names the function: 'functions.tcl: "Function f3 already exists".'
 *   the function is an error with replace too: 'functions.tcl: "restore $e replace".'
 *   then what was to be replaced is back: 'Comment: untouched; functions.tcl: f3 to f6 are called after it.'
 *   names of functions collide in any case: 'functionDictType: dictSdsKeyCaseCompare.'
 *   names of libraries do not: 'librariesDictType: dictSdsKeyCompare.'
 *   the overhead is counted: 'struct functionsLibCtx: cache_memory; libraryLink.'
 *   the overhead is as before after an error: 'Comment: untouched.'
 *   nothing is left behind: 'Old libraries are freed; the contexts are the caller''s.'
 ---*/
#include "functiontest.h"

static functionsLibCtx *dst, *src;
static sds err;

static void begin(void) {
    dst = functionsLibCtxCreate();
    src = functionsLibCtxCreate();
    sdsfree(err);
    err = NULL;
}

static void end(void) {
    functionsLibCtxFree(dst);
    functionsLibCtxFree(src);
}

static int join(int replace) {
    int result = libraryJoin(dst,src,replace,&err);
    return result;
}

static int fails(int replace, const char *text) {
    sdsfree(err);
    err = NULL;
    return join(replace) == C_ERR && err && strstr(err,text) != NULL;
}

int main(void) {
    startFunctions();
    begin();
    load(dst,"one","f1 f2","a");
    load(src,"two","g1","b");
    load(src,"three","h1 h2","c");
    int ok = join(0) == C_OK && err == NULL;
    test_cond("all libraries are taken", holds(dst,"one:f1=a one:f2=a three:h1=c three:h2=c two:g1=b "));
    test_cond("the source has none afterwards", holds(src,""));
    functionsLibCtx *same = functionsLibCtxCreate();
    load(same,"one","f1 f2","a");
    load(same,"two","g1","b");
    load(same,"three","h1 h2","c");
    int overhead = dst->cache_memory == same->cache_memory && same->cache_memory > 0;
    functionsLibCtxFree(same);
    functionsLibCtxFree(src);
    functionsLibCtxSwapWithCurrent(dst);
    test_cond("the functions can be called", !strcmp(fcall("g1"),"$1\r\nb\r\n") && !strcmp(fcall("h2"),"$1\r\nc\r\n") &&
              !strcmp(fcall("f1"),"$1\r\na\r\n"));
    begin();
    int empty = join(0) == C_OK && join(1) == C_OK && holds(dst,"");
    load(dst,"one","f1","a");
    empty &= join(0) == C_OK && join(1) == C_OK && holds(dst,"one:f1=a ") && !err;
    end();
    begin();
    load(src,"one","f1","a");
    empty &= join(1) == C_OK && holds(dst,"one:f1=a ") && holds(src,"");
    end();
    test_cond("an empty source or destination is fine", empty);

    begin();
    load(dst,"one","f1 f2","a");
    load(dst,"two","g1","b");
    load(src,"two","g2","x");
    load(src,"three","h1","c");
    size_t cache = dst->cache_memory, from = src->cache_memory;
    test_cond("a library of the same name is an error", fails(0,""));
    test_cond("the error names the library", strstr(err,"Library two already exists") != NULL);
    int untouched_ = holds(dst,"one:f1=a one:f2=a two:g1=b ") && holds(src,"three:h1=c two:g2=x ");
    int before_ = dst->cache_memory == cache && src->cache_memory == from;
    sdsfree(err);
    err = NULL;
    ok &= join(1) == C_OK && err == NULL;
    test_cond("with replace the library is replaced", holds(dst,"one:f1=a one:f2=a three:h1=c two:g2=x ") && holds(src,""));
    test_cond("libraries without a collision stay", strstr(contents(dst),"one:f1=a one:f2=a ") != NULL);
    sds g1 = sdsnew("g1");
    test_cond("functions that the replaced library alone had are gone", dictFind(dst->functions,g1) == NULL);
    sdsfree(g1);
    same = functionsLibCtxCreate();
    load(same,"one","f1 f2","a");
    load(same,"two","g2","x");
    load(same,"three","h1","c");
    test_cond("the overhead is counted", overhead && dst->cache_memory == same->cache_memory);
    functionsLibCtxFree(same);
    end();
    begin();
    load(dst,"one","f1 f2","a");
    load(src,"one","f2 f1","z");
    ok &= join(1) == C_OK && holds(dst,"one:f1=z one:f2=z ") && !err;
    end();
    test_cond("success is C_OK without an error", ok);

    begin();
    load(dst,"one","f1 f2","a");
    load(src,"other","k1 f2","y");
    int function = fails(0,"");
    test_cond("the error names the function", err && strstr(err,"Function f2 already exists"));
    untouched_ &= holds(dst,"one:f1=a one:f2=a ") && holds(src,"other:f2=y other:k1=y ");
    int withreplace = fails(1,"Function f2 already exists");
    untouched_ &= holds(dst,"one:f1=a one:f2=a ") && holds(src,"other:f2=y other:k1=y ");
    test_cond("a function of the same name in another library is an error", function);
    end();
    begin();
    load(dst,"one","f1 f2","a");
    load(dst,"two","g1 g2","b");
    load(dst,"three","h1","c");
    load(src,"one","f1","x");
    load(src,"two","h1 g1","x");
    cache = dst->cache_memory;
    withreplace &= fails(1,"Function h1 already exists");
    test_cond("the function is an error with replace too", withreplace);
    test_cond("then what was to be replaced is back", holds(dst,"one:f1=a one:f2=a three:h1=c two:g1=b two:g2=b ") &&
              holds(src,"one:f1=x two:g1=x two:h1=x "));
    test_cond("the overhead is as before after an error", before_ && dst->cache_memory == cache);
    test_cond("both are untouched then", untouched_);
    functionsLibCtxFree(src);
    functionsLibCtxSwapWithCurrent(dst);
    untouched_ = !strcmp(fcall("f1"),"$1\r\na\r\n") && !strcmp(fcall("g2"),"$1\r\nb\r\n");
    begin();
    load(dst,"one","f1","a");
    load(src,"two","F1","b");
    test_cond("names of functions collide in any case", untouched_ && fails(0,"already exists") && fails(1,"already exists") &&
              holds(dst,"one:f1=a "));
    end();
    begin();
    load(dst,"one","f1","a");
    load(src,"One","f2","b");
    test_cond("names of libraries do not", join(0) == C_OK && holds(dst,"One:f2=b one:f1=a "));
    end();
    sdsfree(err);
    err = NULL;
    size_t before = 0;
    for (int j = 0; j < 8; j++) {
        if (j == 2) before = zmalloc_used_memory();
        begin();
        load(dst,"one","f1 f2","a");
        load(dst,"two","g1","b");
        load(src,"two","g1 g2","c");
        load(src,"four","k1","d");
        fails(0,"");
        join(1);
        load(src,"five","k1","d");
        load(src,"two","g1","d");
        fails(0,"");
        fails(1,"");
        end();
        sdsfree(err);
        err = NULL;
    }
    test_cond("nothing is left behind", zmalloc_used_memory() == before);
    test_report();
    return 0;
}
