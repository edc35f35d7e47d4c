/*---
 * tasks: [63BD3C16404EFF44]
 * tests:
 *   fetching a value that does not exist raises an error: 'Docstring: "raise an error if the user tries to fetch".'
 *   the error names what was fetched: 'script_lua.c: luaProtectedTableError, the handler for it.'
 *   a missing number raises an error too: 'Docstring: "an un-existing value"; luaProtectedTableError takes numbers.'
 *   values that exist are fetched as before: 'Docstring: only un-existing values raise an error.'
 *   false is a value that exists: 'Docstring: "un-existing value"; Lua 5.1 manual 2.8: __index for absent keys.'
 *   the table can still be written:
 *     'Docstring: only fetching raises an error; callers protect it by luaSetTableProtectionRecursively.'
 *   a value that was written can be fetched: 'Docstring: only un-existing values raise an error.'
 *   rawget still gives nil: 'Docstring: "Set a special metatable"; Lua 5.1 manual: rawget.'
 *   the table stays on the top of the stack: 'Callers eval.c and function_lua.c go on with it.'
 *   what lies below on the stack is left alone: 'Docstring: it works on "the table on the top of the stack".'
 *   other tables are left alone: 'Docstring: "on the table on the top of the stack".'
 *   the error can be caught and the script goes on: 'Lua 5.1 manual: pcall; tests of scripts rely on it.'
 *   the script stops at the error: 'Docstring: "raise an error".'
 *   each of two tables is protected: 'Caller function_lua.c: luaEngineInitEngine calls it three times.'
 ---*/
#include "../server.h"
#include "../script_lua.h"
#include "../testhelp.h"
#include <lua.h>
#include <lauxlib.h>
#include <lualib.h>

static lua_State *lua;

/* Whether the script's result is true. */
static int isTrue(const char *script) {
    int top = lua_gettop(lua), yes = 0;
    if (luaL_loadstring(lua,script) == 0 && lua_pcall(lua,0,1,0) == 0) yes = lua_toboolean(lua,-1);
    lua_settop(lua,top);
    return yes;
}

int main(void) {
    server.logfile = "/dev/null";
    lua = lua_open();
    luaL_openlibs(lua);
    luaL_dostring(lua,"t = {there = 1, no = false, [7] = 'seven'}; u = {}; other = {}");
    lua_pushstring(lua,"below");
    lua_getglobal(lua,"t");
    int top = lua_gettop(lua);
    luaSetErrorMetatable(lua);
    lua_getglobal(lua,"t");
    int same = lua_gettop(lua) == top+1 && lua_istable(lua,top) && lua_rawequal(lua,-1,top);
    test_cond("the table stays on the top of the stack", same);
    test_cond("what lies below on the stack is left alone", lua_isstring(lua,top-1) &&
              !strcmp(lua_tostring(lua,top-1),"below"));
    lua_settop(lua,0);

    test_cond("fetching a value that does not exist raises an error",
              isTrue("return not pcall(function() return t.missing end)"));
    test_cond("the error names what was fetched",
              isTrue("local ok, e = pcall(function() return t.missing end) "
                     "return not ok and e:find('missing') ~= nil"));
    test_cond("a missing number raises an error too", isTrue("return not pcall(function() return t[8] end)"));
    test_cond("values that exist are fetched as before", isTrue("return t.there == 1 and t[7] == 'seven'"));
    test_cond("false is a value that exists", isTrue("return t.no == false"));
    test_cond("the table can still be written", isTrue("t.new = 5; return true"));
    test_cond("a value that was written can be fetched", isTrue("t.newer = 6; return t.newer == 6"));
    test_cond("rawget still gives nil", isTrue("return rawget(t, 'missing') == nil and rawget(t, 'there') == 1"));
    test_cond("other tables are left alone", isTrue("return other.missing == nil and u.missing == nil"));
    test_cond("the error can be caught and the script goes on",
              isTrue("pcall(function() return t.missing end); return t.there == 1"));
    test_cond("the script stops at the error",
              luaL_dostring(lua,"reached = false; x = t.missing; reached = true") != 0 &&
              isTrue("return reached == false"));
    lua_settop(lua,0);
    lua_getglobal(lua,"u");
    luaSetErrorMetatable(lua);
    lua_settop(lua,0);
    test_cond("each of two tables is protected", isTrue(
        "return not pcall(function() return u.gone end) and not pcall(function() return t.gone end) and t.there == 1"));
    test_report();
    return 0;
}
