/*---
 * tasks: [79DA9CB3C0C6D261]
 * instead: [src/function_lua.o]
 * tests:
 *   the function that was asked for is called: 'Docstring: "Invoke the give function with the given keys and args".'
 *   the keys come first and in their order: 'Docstring: keys and args; commands/fcall: callback(keys, args).'
 *   the arguments come second and in their order: 'Docstring: keys and args; commands/fcall: callback(keys, args).'
 *   without keys and arguments both tables are empty: 'Docstring: keys and args; nkeys and nargs are 0.'
 *   keys without arguments and arguments without keys are told apart: 'Arguments nkeys and nargs.'
 *   what the function returns is replied: 'commands/fcall; script_lua.c: luaCallFunction replies.'
 *   an error in the function is replied with its message:
 *     'function_lua.c: the error handler, REGISTRY_ERROR_HANDLER_NAME.'
 *   the error says where it happened: 'script_lua.c: luaCallFunction, "{err, source, line}" from the error handler.'
 *   an error table keeps its code: 'function_lua.c: the error handler adds to a table and leaves its err as it is.'
 *   after an error the next call works: 'Docstring: "Invoke the give function".'
 *   the stack is as high as before the call: 'function_lua.c: one Lua state serves all calls.'
 *   after an error the stack is as high as before: 'function_lua.c: one Lua state serves all calls.'
 *   what lay on the stack is left alone: 'function_lua.c: one Lua state serves all calls.'
 *   many calls in a row work: 'function_lua.c: one Lua state serves all calls.'
 *   the function can be called again with others: 'Docstring; the compiled function stays registered.'
 *   a function that calls commands works: 'commands/fcall: redis.call; script_lua.c: luaCallFunction, run_ctx.'
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

static client *c;

static void fcall(const char *name, int nkeys, int words, const char *a, const char *b, const char *d) {
    char n[8];
    snprintf(n,sizeof(n),"%d",nkeys);
    const char *argv[] = {"fcall",name,n,a,b,d};
    setArguments(c,3+words,argv);
    fcallCommand(c);
}

static int contains(const char *begin, const char *part) {
    sds s = replyOf(c);
    int ok = !strncmp(s,begin,strlen(begin)) && strstr(s,part);
    sdsfree(s);
    return ok;
}

int main(void) {
    startRedis();
    c = fakeClient();
    sds err = NULL;
    sds code = sdsnew("#!lua name=plus\n"
        "local function join(t) return #t .. ':' .. table.concat(t, ',') end\n"
        "redis.register_function('both', function(keys, args) return join(keys) .. ' ' .. join(args) end)\n"
        "redis.register_function('other', function(keys, args) return {keys[1], 7} end)\n"
        "redis.register_function('raise', function(keys, args)\n  error('went wrong') end)\n"
        "redis.register_function('tell', function(keys, args) error({err='MYCODE told'}) end)\n"
        "redis.register_function('store', function(keys, args) redis.call('set', keys[1], args[1])\n"
        "  return redis.call('get', keys[1]) end)\n");
    sds library = functionsCreateWithLibraryCtx(code,0,&err,functionsLibCtxGetCurrent(),0);
    if (library == NULL) return 1;
    lua_State *state = ((luaEngineCtx*)lua->engine_ctx)->lua;
    int top = lua_gettop(state);

    fcall("other",1,1,"k",NULL,NULL);
    int other = replied(c,"*2\r\n$1\r\nk\r\n:7\r\n");
    fcall("both",2,3,"k1","k2","a1");
    int two = replied(c,"$12\r\n2:k1,k2 1:a1\r\n");
    test_cond("the function that was asked for is called", other);
    test_cond("the keys come first and in their order", two);
    fcall("both",1,3,"k1","a1","a2");
    int one = replied(c,"$12\r\n1:k1 2:a1,a2\r\n");
    test_cond("the arguments come second and in their order", one);
    test_cond("what the function returns is replied", other && two && one);
    fcall("both",0,0,NULL,NULL,NULL);
    one = replied(c,"$5\r\n0: 0:\r\n");
    test_cond("without keys and arguments both tables are empty", one);
    fcall("both",3,3,"x","y","z");
    one = replied(c,"$10\r\n3:x,y,z 0:\r\n");
    fcall("both",0,3,"x","y","z");
    two = replied(c,"$10\r\n0: 3:x,y,z\r\n");
    test_cond("keys without arguments and arguments without keys are told apart", one && two);
    test_cond("the stack is as high as before the call", lua_gettop(state) == top);

    fcall("raise",0,0,NULL,NULL,NULL);
    sds s = replyOf(c);
    test_cond("an error in the function is replied with its message", s[0] == '-' && strstr(s,"went wrong"));
    test_cond("the error says where it happened", strstr(s,"raise") && strstr(s,"on @user_function:6"));
    sdsfree(s);
    fcall("tell",0,0,NULL,NULL,NULL);
    one = contains("-MYCODE told","on @user_function:7");
    test_cond("an error table keeps its code", one);
    test_cond("after an error the stack is as high as before", lua_gettop(state) == top);
    fcall("both",1,2,"k","a",NULL);
    one = replied(c,"$7\r\n1:k 1:a\r\n");
    test_cond("after an error the next call works", one);
    fcall("both",1,2,"l","b",NULL);
    one = replied(c,"$7\r\n1:l 1:b\r\n");
    test_cond("the function can be called again with others", one);
    fcall("store",1,2,"key","value",NULL);
    one = replied(c,"$5\r\nvalue\r\n");
    test_cond("a function that calls commands works", one);

    lua_pushstring(state,"below");
    top = lua_gettop(state);
    fcall("both",1,2,"k","a",NULL);
    sdsfree(replyOf(c));
    fcall("raise",0,0,NULL,NULL,NULL);
    sdsfree(replyOf(c));
    test_cond("what lay on the stack is left alone", lua_gettop(state) == top && lua_isstring(state,-1) &&
              !strcmp(lua_tostring(state,-1),"below"));
    lua_settop(state,top-1);
    int right = 1;
    for (int j = 0; j < 300; j++) {
        fcall("both",1,2,"k","a",NULL);
        if (!replied(c,"$7\r\n1:k 1:a\r\n")) right = 0;
        fcall("raise",0,0,NULL,NULL,NULL);
        sdsfree(replyOf(c));
    }
    test_cond("many calls in a row work", right);
    test_report();
    return 0;
}
