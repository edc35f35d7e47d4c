/*---
 * tasks: [luaRegisterFunctionReadFlags-7900d3.2, luaRegisterFunctionReadFlags-7900d3.4]
 * instead: [src/function_lua.o]
 * tests:
 *   name and callback are read: 'FUNCTION LOAD: redis.register_function{function_name=..., callback=...}.'
 *   a description is read: 'FUNCTION LOAD: description.'
 *   without a description there is none: 'luaRegisterFunctionArgsDispose: if (register_f_args->desc).'
 *   flags are read: 'FUNCTION LOAD: flags.'
 *   without flags there is none: 'luaRegisterFunctionArgsInitialize: flags.'
 *   the order of arguments does not matter: 'Named arguments.'
 *   names of arguments in upper case: 'Upstream reads them without case.'
 *   a binary name is kept whole: 'luaGetStringSds.'
 *   the callback is the function itself: 'luaFunctionCtx: "Special ID that allows getting the Lua function object from the Lua registry".'
 *   no table is refused: 'Upstream''s test: a single argument that is no table.'
 *   a missing name is refused: 'Upstream''s test: must get a function name argument.'
 *   a missing callback is refused: 'Upstream''s test: must get a callback argument.'
 *   an unknown argument is refused: 'Upstream''s test: unknown argument given.'
 *   a key that is no string is refused: 'Upstream''s test: named argument key is not a string.'
 *   wrong types are refused: 'Upstream''s tests: must be a string, a function, a table.'
 *   unknown flags are refused: 'Upstream''s test: unknown flag given.'
 *   an error is pushed: 'Caller luaRegisterFunction calls luaError, which takes it from the stack.'
 *   nothing is left behind after an error: 'luaRegisterFunctionArgsDispose is not called then.'
 *   nothing is left of the callback after an error: 'The same: lua_unref.'
 ---*/
#include "start.h"
#include "../functions.h"
#include "../function_lua.c"
#include "../testhelp.h"

static lua_State *lua;

/* Put what the Lua text returns on an empty stack. */
static void put(const char *text) {
    lua_settop(lua, 0);
    if (luaL_loadstring(lua, text) || lua_pcall(lua, 0, LUA_MULTRET, 0)) printf("%s\n", lua_tostring(lua, -1));
}

static registerFunctionArgs args;

static int readArgs(const char *text) {
    char all[500];
    snprintf(all, sizeof(all), "return %s", text);
    put(all);
    memset(&args, 0, sizeof(args));
    return luaRegisterFunctionReadNamedArgs(lua, &args);
}

static int errors = 1;

static int refused(const char *text) {
    int told = readArgs(text);
    lua_getfield(lua, -1, "err");
    errors &= told == C_ERR && lua_isstring(lua, -1) && strlen(lua_tostring(lua, -1)) > 5;
    return told == C_ERR;
}

static int callbackGives(double want) {
    lua_rawgeti(lua, LUA_REGISTRYINDEX, args.lua_f_ctx->lua_function_ref);
    if (!lua_isfunction(lua, -1) || lua_pcall(lua, 0, 1, 0)) return 0;
    double got = lua_tonumber(lua, -1);
    lua_pop(lua, 1);
    return got == want;
}

static int nameIs(const char *name, size_t len) {
    return sdslen(args.name) == len && !memcmp(args.name, name, len);
}

static int dispose(void) {
    luaRegisterFunctionArgsDispose(lua, &args);
    return 1;
}

int main(void) {
    lua = lua_open();
    int right = readArgs("{function_name='f1', callback=function() return 41 end}") == C_OK;
    test_cond("name and callback are read", right && nameIs("f1", 2) && callbackGives(41));
    test_cond("without a description there is none", args.desc == NULL);
    test_cond("without flags there is none", args.f_flags == 0 && dispose());
    right = readArgs("{function_name='f2', description='what it does', callback=function() return 42 end}") == C_OK;
    test_cond("a description is read", right && args.desc && !strcmp(args.desc, "what it does") && nameIs("f2", 2) && callbackGives(42) && dispose());
    right = readArgs("{function_name='f3', flags={'no-writes', 'allow-oom'}, callback=function() return 43 end}") == C_OK;
    test_cond("flags are read", right && args.f_flags == (SCRIPT_FLAG_NO_WRITES | SCRIPT_FLAG_ALLOW_OOM) && dispose());
    const char *orders[] = {
        "{flags={'allow-oom'}, callback=function() return 44 end, description='d', function_name='f4'}",
        "{description='d', function_name='f4', callback=function() return 44 end, flags={'allow-oom'}}",
        "{callback=function() return 44 end, flags={'allow-oom'}, function_name='f4', description='d'}",
    };
    right = 1;
    for (int j = 0; j < 3; j++)
        right &= readArgs(orders[j]) == C_OK && nameIs("f4", 2) && callbackGives(44) && !strcmp(args.desc, "d") &&
                 args.f_flags == SCRIPT_FLAG_ALLOW_OOM && dispose();
    test_cond("the order of arguments does not matter", right);
    right = readArgs("{FUNCTION_NAME='f5', Callback=function() return 45 end, DESCRIPTION='d', Flags={}}") == C_OK;
    test_cond("names of arguments in upper case", right && nameIs("f5", 2) && callbackGives(45) && args.desc && dispose());
    right = readArgs("{function_name='a\\0b', callback=function() return 46 end}") == C_OK;
    test_cond("a binary name is kept whole", right && nameIs("a\0b", 3) && dispose());
    lua_settop(lua, 0);
    luaL_loadstring(lua, "own = function() end return {function_name='f', callback=own}");
    lua_pcall(lua, 0, 1, 0);
    memset(&args, 0, sizeof(args));
    right = luaRegisterFunctionReadNamedArgs(lua, &args) == C_OK;
    lua_getglobal(lua, "own");
    lua_rawgeti(lua, LUA_REGISTRYINDEX, args.lua_f_ctx->lua_function_ref);
    test_cond("the callback is the function itself", right && lua_rawequal(lua, -1, -2) && dispose());

    test_cond("no table is refused", refused("'f'") && refused("12") && refused("function() end"));
    test_cond("a missing name is refused", refused("{callback=function() end}") && refused("{}"));
    test_cond("a missing callback is refused", refused("{function_name='f'}") && refused("{function_name='f', description='d'}"));
    test_cond("an unknown argument is refused",
              refused("{function_name='f', callback=function() end, other=1}") && refused("{function_names='f', callback=function() end}"));
    test_cond("a key that is no string is refused", refused("{[{}]='f', function_name='f', callback=function() end}") &&
              refused("{[true]='f', function_name='f', callback=function() end}"));
    test_cond("wrong types are refused",
              refused("{function_name={}, callback=function() end}") && refused("{function_name=true, callback=function() end}") &&
              refused("{function_name='f', callback='text'}") && refused("{function_name='f', callback=function() end, description={}}") &&
              refused("{function_name='f', callback=function() end, flags='no-writes'}"));
    test_cond("unknown flags are refused", refused("{function_name='f', callback=function() end, flags={'unknown'}}"));
    test_cond("an error is pushed", errors);
    refused("{function_name='f', callback=function() end, description='d', flags={'unknown'}, other=1}");
    lua_settop(lua, 0);
    lua_gc(lua, LUA_GCCOLLECT, 0);
    size_t before = zmalloc_used_memory();
    int gc = lua_gc(lua, LUA_GCCOUNT, 0);
    for (int j = 0; j < 300; j++) {
        refused("{function_name='f', callback=function() end, description='d', flags={'unknown'}}");
        refused("{function_name='f', callback=function() end, description='d', other=1}");
        refused("{callback=function() end, description='d'}");
        refused("{function_name='f', description='d'}");
    }
    lua_settop(lua, 0);
    lua_gc(lua, LUA_GCCOLLECT, 0);
    test_cond("nothing is left behind after an error", zmalloc_used_memory() == before);
    test_cond("nothing is left of the callback after an error", lua_gc(lua, LUA_GCCOUNT, 0) <= gc + 4);
    test_report();
    return 0;
}
