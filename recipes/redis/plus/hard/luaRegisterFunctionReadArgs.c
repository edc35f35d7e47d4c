/*---
 * tasks: [luaRegisterFunctionReadFlags-7900d3.4]
 * instead: [src/function_lua.o]
 * tests:
 *   one argument is a table of named ones: 'luaRegisterFunctionReadNamedArgs; FUNCTION LOAD.'
 *   two arguments are name and callback: 'luaRegisterFunctionReadPositionalArgs; FUNCTION LOAD.'
 *   no argument is refused: 'Upstream''s test: wrong number of arguments.'
 *   three arguments are refused: 'Upstream''s test: wrong number of arguments.'
 *   an error is pushed for a wrong number: 'Caller luaRegisterFunction calls luaError, which takes it from the stack.'
 *   a bad table is refused: 'luaRegisterFunctionReadNamedArgs: C_ERR.'
 *   a bad name or callback is refused: 'luaRegisterFunctionReadPositionalArgs: C_ERR.'
 *   the error of the reader is kept: 'Caller luaRegisterFunction: luaError.'
 *   flags and description are handed on: 'luaRegisterFunctionReadNamedArgs.'
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
    return luaRegisterFunctionReadArgs(lua, &args);
}

static int hasError(void) {
    if (!lua_istable(lua, -1)) return 0;
    lua_getfield(lua, -1, "err");
    int found = lua_isstring(lua, -1);
    lua_pop(lua, 1);
    return found;
}

static int dispose(void) {
    luaRegisterFunctionArgsDispose(lua, &args);
    return 1;
}

int main(void) {
    lua = lua_open();
    int right = readArgs("{function_name='named', callback=function() end}") == C_OK;
    test_cond("one argument is a table of named ones", right && !strcmp(args.name, "named") && args.lua_f_ctx && dispose());
    right = readArgs("'placed', function() end") == C_OK;
    test_cond("two arguments are name and callback",
              right && !strcmp(args.name, "placed") && args.lua_f_ctx && !args.desc && !args.f_flags && dispose());
    right = readArgs("") == C_ERR;
    int told = hasError();
    test_cond("no argument is refused", right);
    right = readArgs("'f', function() end, 1") == C_ERR;
    told &= hasError();
    test_cond("three arguments are refused", right);
    test_cond("an error is pushed for a wrong number", told);
    test_cond("a bad table is refused", readArgs("{function_name='f'}") == C_ERR && readArgs("'f'") == C_ERR);
    told = hasError();
    test_cond("a bad name or callback is refused", readArgs("'f', 'g'") == C_ERR && readArgs("{}, function() end") == C_ERR);
    test_cond("the error of the reader is kept", told && hasError());
    right = readArgs("{function_name='f', callback=function() end, flags={'no-writes'}, description='d'}") == C_OK;
    test_cond("flags and description are handed on", right && args.f_flags == SCRIPT_FLAG_NO_WRITES && !strcmp(args.desc, "d") && dispose());
    test_report();
    return 0;
}
