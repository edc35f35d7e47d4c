/*---
 * tasks: [luaEngineCreate-b05c07.4]
 * instead: [src/functions.o]
 * tests:
 *   the library has its name: 'functions.h: functionLibInfo.name, "Library name".'
 *   the name is a copy: 'Caller functionsCreateWithLibraryCtx gives md.name away or frees it.'
 *   the library has its code: 'functions.h: functionLibInfo.code, "Library code".'
 *   the code is a copy: 'Caller: the code belongs to the client of FUNCTION LOAD.'
 *   code of any bytes is kept as a whole: 'Signature: sds; FUNCTION DUMP saves it.'
 *   the library knows its engine: 'functions.h: functionLibInfo.ei, "Pointer to the function engine".'
 *   the library has no functions yet: 'functions.h: functionLibInfo.functions; the engine adds them.'
 *   functions can be added: 'functions.h: functionLibCreateFunction.'
 *   names of functions are told apart by case: 'functions.c: libraryFunctionDictType, dictSdsHash.'
 *   each library has functions of its own: 'functions.h: functionLibInfo.functions.'
 *   what was given is left as it is: 'Caller goes on with name and code.'
 *   a library is freed as a whole: 'functions.c: engineLibraryFree.'
 ---*/
#include "../functions.c"
#include "start.h"
#include "../testhelp.h"

static int freed;
static void freeIt(void *ctx, void *f) { UNUSED(ctx); UNUSED(f); freed++; }

int main(void) {
    startRedis();
    engine e = {.free_function = freeIt};
    engineInfo ei = {.name = sdsnew("test"), .engine = &e};
    sds name = sdsnew("mylib"), code = sdsnewlen("#!test name=mylib\nx\0y",21), err = NULL;
    functionLibInfo *li = engineLibraryCreate(name,&ei,code);
    test_cond("the library has its name", li && !strcmp(li->name,"mylib") && sdslen(li->name) == 5);
    test_cond("the library has its code", li && sdslen(li->code) == 21 && !strncmp(li->code,"#!test name=mylib\nx",19));
    test_cond("code of any bytes is kept as a whole", !memcmp(li->code,code,21));
    test_cond("what was given is left as it is", !strcmp(name,"mylib") && sdslen(code) == 21 && ei.engine == &e &&
              !strcmp(ei.name,"test"));
    name[0] = 'M';
    code[0] = '-';
    test_cond("the name is a copy", li->name != name && !strcmp(li->name,"mylib"));
    test_cond("the code is a copy", li->code != code && li->code[0] == '#');
    test_cond("the library knows its engine", li->ei == &ei);
    test_cond("the library has no functions yet", li->functions && dictSize(li->functions) == 0);
    functionLibInfo *other = engineLibraryCreate(name,&ei,code);
    int ok = functionLibCreateFunction(sdsnew("f"),&e,li,NULL,0,&err) == C_OK;
    sds f = sdsnew("f"), upper = sdsnew("F");
    test_cond("functions can be added", ok && dictSize(li->functions) == 1 && dictFetchValue(li->functions,f));
    ok = functionLibCreateFunction(sdsnew("F"),&e,li,NULL,0,&err) == C_OK;
    test_cond("names of functions are told apart by case", ok && dictSize(li->functions) == 2 &&
              dictFetchValue(li->functions,f) != dictFetchValue(li->functions,upper));
    test_cond("each library has functions of its own", other->functions != li->functions &&
              dictSize(other->functions) == 0);
    engineLibraryFree(other);
    size_t before = zmalloc_used_memory();
    for (int j = 0; j < 20; j++) {
        functionLibInfo *l = engineLibraryCreate(name,&ei,code);
        functionLibCreateFunction(sdsnew("f"),&e,l,sdsnew("text"),0,&err);
        engineLibraryFree(l);
    }
    int calls = freed;
    engineLibraryFree(li);
    test_cond("a library is freed as a whole", zmalloc_used_memory() < before && calls == 20 && freed == 22);
    test_report();
    return 0;
}
