/*---
 * tasks: [49B52B607F6CE286]
 * tests:
 *   a saved pointer is found in the registry: 'Docstring: "Save the give pointer on Lua registry"; script_lua.c: luaGetFromRegistry.'
 *   it is stored under its name as light userdata: 'script_lua.c: luaGetFromRegistry reads the key `name` and asserts light userdata.'
 *   pointers of different names are kept apart: 'function_lua.c, script_lua.c: three names are in use at once.'
 *   a later pointer takes the place of the first: 'script_lua.c: luaCallFunction saves a new run context for each call.'
 *   NULL takes the pointer away: 'script_lua.c: luaCallFunction resets its context with NULL, and luaGetFromRegistry must then give NULL.'
 *   NULL for a name that was never saved does nothing: 'function_lua.c: the load context is reset with NULL on every path.'
 *   NULL leaves other names alone: 'The parameter name.'
 *   the stack is left as it was: 'script_lua.c: luaCallFunction pushes a function and arguments around it and counts on their places.'
 *   the stack is left as it was by NULL: 'function_lua.c: luaEngineCreate returns with the stack it found.'
 *   the name may be freed afterwards: 'Docstring: the pointer is saved, not the name.'
 *   scripts do not see it: 'Docstring: it is saved "on Lua registry", not among the globals.'
 *   each state has its own registry: 'The parameter lua: eval and functions have a state each.'
 ---*/
#include "../server.h"
#include "../script_lua.h"
#include "../testhelp.h"
#include <lauxlib.h>
#include <lualib.h>

static int isGlobal(lua_State *lua, const char *name) {
    lua_getglobal(lua, name);
    int there = !lua_isnil(lua, -1);
    lua_pop(lua, 1);
    return there;
}

int main(void) {
    lua_State *lua = luaL_newstate(), *other = luaL_newstate();
    int a, b, c;
    void *got;

    lua_pushstring(lua, "below");
    luaSaveOnRegistry(lua, "__A__", &a);
    test_cond("the stack is left as it was", lua_gettop(lua) == 1 && lua_isstring(lua, 1));
    lua_settop(lua, 0);
    lua_pushstring(lua, "__A__");
    lua_rawget(lua, LUA_REGISTRYINDEX);
    test_cond("it is stored under its name as light userdata",
              lua_islightuserdata(lua, -1) && lua_touserdata(lua, -1) == &a);
    lua_settop(lua, 0);
    test_cond("a saved pointer is found in the registry", luaGetFromRegistry(lua, "__A__") == &a);
    test_cond("scripts do not see it", !isGlobal(lua, "__A__"));

    luaSaveOnRegistry(lua, "__B__", &b);
    test_cond("pointers of different names are kept apart",
              luaGetFromRegistry(lua, "__A__") == &a && luaGetFromRegistry(lua, "__B__") == &b);
    luaSaveOnRegistry(lua, "__A__", &c);
    test_cond("a later pointer takes the place of the first", luaGetFromRegistry(lua, "__A__") == &c);

    lua_settop(lua, 0);
    lua_pushstring(lua, "below");
    luaSaveOnRegistry(lua, "__A__", NULL);
    test_cond("the stack is left as it was by NULL", lua_gettop(lua) == 1 && lua_isstring(lua, 1));
    lua_settop(lua, 0);
    test_cond("NULL takes the pointer away", luaGetFromRegistry(lua, "__A__") == NULL);
    test_cond("NULL leaves other names alone", luaGetFromRegistry(lua, "__B__") == &b);
    luaSaveOnRegistry(lua, "__never__", NULL);
    test_cond("NULL for a name that was never saved does nothing", luaGetFromRegistry(lua, "__never__") == NULL);

    char name[] = "__C__";
    luaSaveOnRegistry(lua, name, &c);
    memset(name, 'x', 5);
    lua_gc(lua, LUA_GCCOLLECT, 0);
    test_cond("the name may be freed afterwards", luaGetFromRegistry(lua, "__C__") == &c);
    luaSaveOnRegistry(other, "__B__", &a);
    got = luaGetFromRegistry(other, "__B__");
    test_cond("each state has its own registry", got == &a && luaGetFromRegistry(lua, "__B__") == &b);
    test_report();
    return 0;
}
