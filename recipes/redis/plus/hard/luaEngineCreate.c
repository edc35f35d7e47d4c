/*---
 * tasks: [luaEngineCreate-b05c07, luaEngineCreate-b05c07.2, luaEngineCreate-b05c07.4]
 * instead: [src/function_lua.o]
 * tests:
 *   the functions of a library are registered in it: 'functions.h: create, "li - library information that need to be provided and when add functions".'
 *   success is told by C_OK and no error: 'functions.h: create, "returns C_ERR on error".'
 *   several functions are registered with text and flags: 'commands/function-load; luaRegisterFunction.'
 *   a registered function works: 'Comment: "Compile a given blob and save it on the registry".'
 *   a library without functions is no error here: 'Caller functionsCreateWithLibraryCtx: "No functions registered".'
 *   what does not compile is an error: 'Comment: "compilation error and set the error to the err variable"; upstream''s test: "Error compiling function".'
 *   an error while it runs is an error: 'Upstream''s test: "Error registering functions".'
 *   an error of registering is told: 'Upstream''s test: "Error registering functions: ... must be a string".'
 *   a library is stopped after the timeout: 'functions.h: create, "timeout for the library creation"; upstream''s test: "FUNCTION LOAD timeout".'
 *   without a timeout it may run on: 'functions.h: create, "(0 for no timeout)".'
 *   before the timeout it may run on: 'functions.h: create, timeout.'
 *   while it loads redis.register_function is there and redis.call is not: 'Comment in the body: "set load library globals"; LIBRARY_API_NAME.'
 *   afterwards redis.call is there and redis.register_function is not: 'Comment in the body: "restore original globals".'
 *   after an error the globals are restored as well: 'Comment in the body: "restore original globals".'
 *   a library cannot set globals: 'Comment in the body: "enable global protection"; upstream''s test: "Attempt to modify a readonly table".'
 *   afterwards globals are protected: 'Comment in the body: "enable global protection".'
 *   afterwards nothing can be registered: 'luaRegisterFunction: "can only be called on FUNCTION LOAD command".'
 *   after an error nothing can be registered: 'luaRegisterFunction asks for the load context.'
 *   afterwards there is no hook: 'Comment in the body: "Disable hook".'
 *   the stack of Lua is left as it was: 'functions of all libraries share one state.'
 *   after an error the next library is loaded: 'Caller: FUNCTION LOAD may come again.'
 *   code of any bytes is loaded as a whole: 'Signature: blob is an sds.'
 ---*/
#include "start.h"
#include "../functions.h"

/* Keeps the engine that is registered. */
static engine *lua;
static int registered(const char *name, engine *e) {
    lua = e;
    return functionsRegisterEngine(name,e);
}
#define functionsRegisterEngine registered
#include "../function_lua.c"
#include "../testhelp.h"

extern dictType libraryFunctionDictType;

static lua_State *L;
static engineInfo info;
static functionLibInfo *li;
static sds err;

static int createBytes(const char *code, size_t len, size_t timeout) {
    sds blob = sdsnewlen(code,len);
    li = zcalloc(sizeof(*li));
    li->name = sdsnew("lib");
    li->code = sdsdup(blob);
    li->functions = dictCreate(&libraryFunctionDictType);
    li->ei = &info;
    err = NULL;
    int ret = lua->create(lua->engine_ctx,li,blob,timeout,&err);
    sdsfree(blob);
    return ret;
}

static int create(const char *code, size_t timeout) {
    return createBytes(code,strlen(code),timeout);
}

static int fails(const char *code, size_t timeout, const char *begin, const char *part) {
    int bad = create(code,timeout) == C_ERR && err && !strncmp(err,begin,strlen(begin)) && strstr(err,part);
    if (!bad) printf("%s: %s\n",code,err ? err : "no error");
    return bad;
}

static functionInfo *function(const char *name) {
    sds s = sdsnew(name);
    functionInfo *fi = dictFetchValue(li->functions,s);
    sdsfree(s);
    return fi;
}

/* What the function returns as a number. */
static int value(const char *name) {
    functionInfo *fi = function(name);
    if (!fi) return -1;
    luaFunctionCtx *ctx = fi->function;
    int top = lua_gettop(L);
    lua_rawgeti(L,LUA_REGISTRYINDEX,ctx->lua_function_ref);
    int n = lua_pcall(L,0,1,0) == 0 ? (int)lua_tonumber(L,-1) : -2;
    lua_settop(L,top);
    return n;
}

/* Whether a chunk outside of loading returns true. */
static int isTrue(const char *chunk) {
    int top = lua_gettop(L);
    int yes = luaL_loadbuffer(L,chunk,strlen(chunk),"@test") == 0 && lua_pcall(L,0,1,0) == 0 && lua_toboolean(L,-1);
    lua_settop(L,top);
    return yes;
}

static int restored(void) {
    return isTrue("return redis.call ~= nil and redis.pcall ~= nil") && !isTrue("return redis.register_function ~= nil");
}

int main(void) {
    startRedis();
    signal(SIGALRM,SIG_DFL), alarm(30);
    luaEngineInitEngine();
    L = ((luaEngineCtx*)lua->engine_ctx)->lua;
    info.name = sdsnew("LUA");
    info.engine = lua;
    int first = restored();
    lua_settop(L,0);
    lua_pushstring(L,"below");
    int ret = create("redis.register_function('f', function() return 42 end)",0);
    test_cond("the functions of a library are registered in it", dictSize(li->functions) == 1 && function("f"));
    test_cond("success is told by C_OK and no error", ret == C_OK && err == NULL);
    test_cond("a registered function works", value("f") == 42);
    test_cond("the stack of Lua is left as it was", lua_gettop(L) == 1 && !strcmp(lua_tostring(L,1),"below"));
    test_cond("afterwards redis.call is there and redis.register_function is not", first && restored());
    test_cond("afterwards there is no hook", lua_gethook(L) == NULL);
    test_cond("afterwards nothing can be registered", luaGetFromRegistry(L,REGISTRY_LOAD_CTX_NAME) == NULL);
    ret = create("local n = 3\nlocal function g() return n end\nredis.register_function('a', g)\n"
                 "redis.register_function{function_name='b', callback=function() return n+1 end, description='text', "
                 "flags={'no-writes','allow-oom'}}",0);
    functionInfo *b = function("b");
    test_cond("several functions are registered with text and flags", ret == C_OK && dictSize(li->functions) == 2 &&
              value("a") == 3 && value("b") == 4 && b && !strcmp(b->desc,"text") &&
              b->f_flags == (SCRIPT_FLAG_NO_WRITES|SCRIPT_FLAG_ALLOW_OOM) && b->li == li);
    ret = create("local x = 1",0);
    test_cond("a library without functions is no error here", ret == C_OK && dictSize(li->functions) == 0 && !err);
    int told = fails("\nredis.register_function('f' function)",0,"Error compiling function: user_function:2:","near");
    test_cond("what does not compile is an error", told && dictSize(li->functions) == 0);
    int globals = restored(), top = lua_gettop(L) == 1, hook = lua_gethook(L) == NULL;
    told = fails("local x = nil\nreturn x.y",0,"Error registering functions: ","user_function:2: attempt to index");
    test_cond("an error while it runs is an error", told && fails("nosuch()",0,"Error registering functions: ","nosuch"));
    globals = globals && restored(), top = top && lua_gettop(L) == 1, hook = hook && lua_gethook(L) == NULL;
    test_cond("an error of registering is told",
              fails("redis.register_function(1, 2)",0,"Error registering functions: ","must be a function") &&
              fails("redis.register_function('f', function() end)\nredis.register_function('f', function() end)",0,
                    "Error registering functions: ","Function already exists in the library"));
    test_cond("after an error the globals are restored as well", globals && restored() && top && hook &&
              lua_gettop(L) == 1 && lua_gethook(L) == NULL);
    test_cond("after an error nothing can be registered", luaGetFromRegistry(L,REGISTRY_LOAD_CTX_NAME) == NULL);
    test_cond("a library is stopped after the timeout",
              fails("while true do end",1,"Error registering functions: ","FUNCTION LOAD timeout") &&
              fails("local a = 0\nwhile 1 do a = a + 1 end",2,"Error registering functions: ","FUNCTION LOAD timeout"));
    const char *busy = "for i = 1,3000000 do end\nredis.register_function('f', function() return 7 end)";
    ret = create(busy,0);
    test_cond("without a timeout it may run on", ret == C_OK && value("f") == 7);
    ret = create(busy,1000000);
    test_cond("before the timeout it may run on", ret == C_OK && value("f") == 7);
    told = fails("redis.call('ping')",0,"Error registering functions: ","call");
    ret = create("redis.register_function('f', function() return 8 end)",0);
    test_cond("while it loads redis.register_function is there and redis.call is not", told && ret == C_OK &&
              value("f") == 8);
    test_cond("a library cannot set globals",
              fails("x = 1",0,"Error registering functions: ","Attempt to modify a readonly table") &&
              fails("redis.x = 1",0,"Error registering functions: ","Attempt to modify a readonly table"));
    test_cond("afterwards globals are protected", !isTrue("x = 1 return true") && !isTrue("redis.x = 1 return true") &&
              !isTrue("string.x = 1 return true") && isTrue("return string ~= nil"));
    ret = create("redis.register_function('again', function() return 9 end)",500);
    test_cond("after an error the next library is loaded", ret == C_OK && value("again") == 9 && restored());
    const char bytes[] = "local s = 'a\0bc'\nredis.register_function('f', function() return #s end)";
    ret = createBytes(bytes,sizeof(bytes)-1,0);
    test_cond("code of any bytes is loaded as a whole", ret == C_OK && value("f") == 4);
    test_report();
    return 0;
}
