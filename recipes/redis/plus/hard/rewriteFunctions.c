/*---
 * tasks: [rewriteSortedSetObject-26a88f.8]
 * instead: [src/aof.o]
 * tests:
 *   without libraries nothing is written: 'Caller rewriteAppendOnlyFileRio: commands to rebuild the dataset.'
 *   a library is one FUNCTION LOAD with its code: 'commands/function-load; functions.h: functionLibInfo.code.'
 *   the code is written as a whole: 'functions.h: functionLibInfo.code, "Library code".'
 *   code of any bytes is written: 'Code is an sds.'
 *   each library is written: 'functions.h: functionsLibGet.'
 *   what is written loads the libraries again: 'Caller rewriteAppendOnlyFileRio.'
 *   success is told by a positive number: 'Caller rewriteAppendOnlyFileRio: "rewriteFunctions(aof) == 0" is an error.'
 *   an error at any place is told by 0: 'Caller rewriteAppendOnlyFileRio: "rewriteFunctions(aof) == 0" is an error.'
 *   after an error nothing more is written: 'rio.h: callers give up.'
 *   the libraries stay: 'Caller: they are in use.'
 *   nothing is kept: 'Rewriting may be done in the process itself.'
 *   nothing is kept after an error: 'The server goes on.'
 ---*/
#include "../aof.c"
#include "../functions.h"
#include "rewritten.h"

static void load(const char *code, size_t len) {
    sds text = sdsnewlen(code,len), err = NULL;
    sds name = functionsCreateWithLibraryCtx(text,0,&err,functionsLibCtxGetCurrent(),0);
    if (!name) printf("%s\n",err);
    sdsfree(text);
    sdsfree(name);
}

#define ONE "#!lua name=one\nredis.register_function('f', function() return 1 end)"

int main(void) {
    startRedis();
    signal(SIGALRM,SIG_DFL), alarm(30);
    int ret = rewriteFunctions(rioWithRoom(1 << 20));
    test_cond("without libraries nothing is written", ret > 0 && sdslen(rewritten) == 0);
    load(ONE,sizeof(ONE)-1);
    ret = rewriteFunctions(rioWithRoom(1 << 20));
    sds want = sdscatprintf(sdsempty(),"*3\r\n$8\r\nFUNCTION\r\n$4\r\nLOAD\r\n$%zu\r\n%s\r\n",sizeof(ONE)-1,ONE);
    test_cond("a library is one FUNCTION LOAD with its code", !strcmp(rewritten,want));
    test_cond("success is told by a positive number", ret > 0);
    test_cond("the code is written as a whole", sdslen(rewritten) == sdslen(want) && strstr(rewritten,"#!lua name=one\n"));
    const char two[] = "#!lua name=two\n-- \xff\nlocal s = 'a\0b'\r\nredis.register_function('g', function() return #s end)";
    load(two,sizeof(two)-1);
    const char three[] = "#!lua name=three\nredis.register_function('h', function() return 1 end)";
    load(three,sizeof(three)-1);
    rewriteFunctions(rioWithRoom(1 << 20));
    size_t total = sdslen(rewritten);
    sds all = sdsdup(rewritten);
    int found = 0;
    for (size_t j = 0; j+sizeof(two)-1 <= total; j++) found += !memcmp(all+j,two,sizeof(two)-1);
    test_cond("code of any bytes is written", found == 1);
    functionsLibCtxClearCurrent(0);
    int n = runRewritten(all);
    test_cond("each library is written", n == 3 && !strcmp(rewritten_words,"FUNCTION:3 FUNCTION:3 FUNCTION:3 "));
    test_cond("what is written loads the libraries again", functionsLibNum() == 3 && functionsNum() == 3);
    rewriteFunctions(rioWithRoom(1 << 20));
    test_cond("the libraries stay", functionsLibNum() == 3 && sdslen(rewritten) == total);
    int told = 1, quiet = 1;
    size_t before = zmalloc_used_memory();
    for (size_t room = 0; room <= total; room++) {
        int got = rewriteFunctions(rioWithRoom(room));
        if ((got == 0) != (room < total) || got < 0) told = 0;
        if (room < total && rewritten_failures != 1) quiet = 0;
    }
    test_cond("an error at any place is told by 0", told);
    test_cond("after an error nothing more is written", quiet);
    test_cond("nothing is kept after an error", zmalloc_used_memory() == before);
    for (int j = 0; j < 20; j++) rewriteFunctions(rioWithRoom(1 << 20));
    test_cond("nothing is kept", zmalloc_used_memory() == before);
    test_report();
    return 0;
}
