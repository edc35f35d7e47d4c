/*---
 * tasks: [restoreCommand-ab585e.16]
 * instead: [src/functions.o]
 * tests:
 *   the given context is the current one: 'Comment: "Swap the current functions ctx with the given one".'
 *   its functions can be called: 'FCALL; caller functionRestoreCommand.'
 *   its libraries and statistics are as they were: 'Comment: it is swapped, not changed.'
 *   the old functions can't be called: 'Comment: "Free the old functions ctx".'
 *   the memory of the old context is freed: 'Comment: "Free the old functions ctx".'
 *   it is freed at once, however big: 'Comment: "Free"; unlike functionsLibCtxClearCurrent it has no async.'
 *   a function of the same name is the new one: 'commands/function-restore: FLUSH.'
 *   an empty context leaves no functions: 'Comment: "with the given one"; a replica gets what its master has.'
 *   an empty one can be replaced: 'Caller readSyncBulkPayload: a new replica has none.'
 *   the overhead of the new context is still counted: 'struct functionsLibCtx: cache_memory, "used by all the functions".'
 *   another context is left alone: 'Comment: the current one and the given one.'
 *   libraries can be loaded afterwards: 'FUNCTION LOAD.'
 *   again and again: 'Callers: each full synchronization.'
 *   FUNCTION RESTORE FLUSH replaces all: 'commands/function-restore: "Deletes all existing libraries before restoring the payload".'
 *   FUNCTION LIST and DUMP are of the new one: 'functionsLibGet is of the current context.'
 ---*/
#include "functiontest.h"

/* The memory used, whatever the last command was. */
static size_t used(void) {
    run("ping");
    return zmalloc_used_memory();
}

static functionsLibCtx *made(const char *library, const char *functions, const char *value) {
    functionsLibCtx *ctx = functionsLibCtxCreate();
    if (library) load(ctx,library,functions,value);
    return ctx;
}

int main(void) {
    startFunctions();
    functionsLibCtx *other = made("other","o1","o"), *empty = made(NULL,NULL,NULL);
    load(functionsLibCtxGetCurrent(),"first","w1","w");
    fcall("w1"), fcall("w2");
    functionsLibCtxSwapWithCurrent(empty);
    size_t before = used();
    functionsLibCtx *one = made("one","f1 f2","a");
    functionsLibCtxSwapWithCurrent(one);
    test_cond("an empty one can be replaced", functionsLibCtxGetCurrent() == one && functionsNum() == 2);
    test_cond("its functions can be called", !strcmp(fcall("f1"),"$1\r\na\r\n") && !strcmp(fcall("f2"),"$1\r\na\r\n"));
    functionsLibCtx *two = made("two","f2 g1 g2","b");
    load(two,"three","h1","c");
    functionsLibCtxSwapWithCurrent(two);
    test_cond("the given context is the current one", functionsLibCtxGetCurrent() == two && functionsNum() == 4 && functionsLibNum() == 2);
    test_cond("its libraries and statistics are as they were", holds(two,"three:h1=c two:f2=b two:g1=b two:g2=b "));
    test_cond("the old functions can't be called", !strncmp(fcall("f1"),"-ERR Function not found",23));
    test_cond("a function of the same name is the new one", !strcmp(fcall("f2"),"$1\r\nb\r\n"));
    test_cond("another context is left alone", holds(other,"other:o1=o ") && !strncmp(fcall("o1"),"-ERR Function not found",23));
    test_cond("libraries can be loaded afterwards", load(functionsLibCtxGetCurrent(),"one","f1","d") && !strcmp(fcall("f1"),"$1\r\nd\r\n"));
    functionsLibCtxSwapWithCurrent(made(NULL,NULL,NULL));
    test_cond("an empty context leaves no functions", functionsNum() == 0 && functionsLibNum() == 0 &&
              !strncmp(fcall("g1"),"-ERR Function not found",23));
    int freed = used() == before;
    functionsLibCtx *bare = made("one","f1","a");
    functionsLibCtxSwapWithCurrent(bare);
    size_t small = functionsMemoryOverhead(), cached = bare->cache_memory;
    functionsLibCtx *big = made(NULL,NULL,NULL);
    loadMany(big,200);
    size_t memory = big->cache_memory;
    functionsLibCtxSwapWithCurrent(big);
    size_t large = functionsMemoryOverhead();
    functionsLibCtxSwapWithCurrent(made("one","f1","a"));
    test_cond("the overhead of the new context is still counted", cached && memory > 10*cached && big != bare && large > small &&
              large-small >= memory-cached && functionsLibCtxGetCurrent()->cache_memory == cached);
    functionsLibCtxSwapWithCurrent(made(NULL,NULL,NULL));
    test_cond("the memory of the old context is freed", freed && used() == before);
    holdBackground(1);
    memory = used();
    loadMany(functionsLibCtxGetCurrent(),200);
    functionsLibCtxSwapWithCurrent(made(NULL,NULL,NULL));
    test_cond("it is freed at once, however big", lazyfreeGetPendingObjectsCount() == 0 && used() == memory);
    holdBackground(0);
    before = used();
    int all = 1;
    for (int j = 0; j < 20; j++) {
        functionsLibCtx *next = made(j % 3 ? "lib" : NULL,"f1 f2",j % 2 ? "x" : "y");
        functionsLibCtxSwapWithCurrent(next);
        all = all && functionsLibCtxGetCurrent() == next && holds(next,j % 3 ? j % 2 ? "lib:f1=x lib:f2=x " : "lib:f1=y lib:f2=y " : "");
    }
    functionsLibCtxSwapWithCurrent(made(NULL,NULL,NULL));
    test_cond("again and again", all && used() == before);

    functionsLibCtxSwapWithCurrent(made("saved","s1 s2","s"));
    setArguments(c,2,(const char*[]){"function","dump"});
    functionDumpCommand(c);
    sds s = replyOf(c);
    char *p = strchr(s,'\n')+1;
    robj *payload = createStringObject(p,sdslen(s)-(p-s)-2);
    sdsfree(s);
    functionsLibCtxSwapWithCurrent(made("gone","x1","x"));
    setArguments(c,2,(const char*[]){"function","list"});
    functionListCommand(c);
    s = replyOf(c);
    test_cond("FUNCTION LIST and DUMP are of the new one", strstr(s,"gone") && !strstr(s,"saved"));
    sdsfree(s);
    setArguments(c,4,(const char*[]){"function","restore","x","flush"});
    decrRefCount(c->argv[2]);
    c->argv[2] = payload;
    functionRestoreCommand(c);
    test_cond("FUNCTION RESTORE FLUSH replaces all", replied(c,"+OK\r\n") && holds(functionsLibCtxGetCurrent(),"saved:s1=s saved:s2=s ") &&
              !strcmp(fcall("s2"),"$1\r\ns\r\n"));
    test_report();
    return 0;
}
