/*---
 * tasks: [91E59A8BE2E5834C]
 * tests:
 *   a string is returned: 'Docstring: "Return sds of the string value located on stack at the given index".'
 *   the string is an sds of its own: 'function_lua.c: the callers keep it and free it with sdsfree.'
 *   an empty string is an empty sds: 'Docstring: only what is not a string gives NULL.'
 *   a string with NUL bytes is returned whole: 'Docstring: an sds holds any bytes, and so does a string of Lua.'
 *   the index counts from the bottom: 'function_lua.c: luaRegisterFunctionReadPositionalArgs reads index 1.'
 *   the index counts from the top: 'function_lua.c: luaRegisterFunctionReadNamedArgs reads index -1.'
 *   the stack stays as it is: 'function_lua.c: luaRegisterFunctionReadNamedArgs goes on reading with lua_next, so the key must stay.'
 *   the value stays a string: 'function_lua.c: the value is only read.'
 *   a table gives NULL: 'Docstring: "Return NULL if the value is not a string".'
 *   nil gives NULL: 'Docstring: "Return NULL if the value is not a string".'
 *   a boolean gives NULL: 'Docstring: "Return NULL if the value is not a string".'
 *   a function gives NULL: 'Docstring: "Return NULL if the value is not a string".'
 *   a light userdata gives NULL: 'Docstring: "Return NULL if the value is not a string".'
 *   an index with no value gives NULL: 'Docstring: "Return NULL if the value is not a string"; redis.register_function() may be called with too few arguments.'
 *   a table below a string gives NULL: 'Docstring: the value "at the given index".'
 ---*/
#include "../server.h"
#include "../script_lua.h"
#include "../testhelp.h"
#include <lauxlib.h>
#include <lualib.h>

static int noFunction(lua_State *lua) {
    UNUSED(lua);
    return 0;
}

static int is(sds s, const char *expected, size_t len) {
    int same = s != NULL && sdslen(s) == len && memcmp(s, expected, len + 1) == 0;
    return same;
}

int main(void) {
    lua_State *lua = luaL_newstate();
    lua_pushstring(lua, "first");
    lua_pushlstring(lua, "a\0b\0", 4);
    lua_pushstring(lua, "");
    lua_newtable(lua);
    lua_pushstring(lua, "last");

    sds s = luaGetStringSds(lua, -1);
    test_cond("a string is returned", is(s, "last", 4));
    test_cond("the stack stays as it is", lua_gettop(lua) == 5 && lua_istable(lua, 4));
    test_cond("the value stays a string", lua_type(lua, 5) == LUA_TSTRING);
    const char *own = lua_tostring(lua, 5);
    test_cond("the string is an sds of its own", s != own && (s = sdscat(s, "ing")) && is(s, "lasting", 7) &&
              strcmp(own, "last") == 0);
    sdsfree(s);
    test_cond("the index counts from the bottom", is(luaGetStringSds(lua, 1), "first", 5));
    test_cond("the index counts from the top", is(luaGetStringSds(lua, -5), "first", 5));
    test_cond("a string with NUL bytes is returned whole", is(luaGetStringSds(lua, 2), "a\0b\0", 4));
    test_cond("an empty string is an empty sds", is(luaGetStringSds(lua, 3), "", 0));
    test_cond("a table below a string gives NULL", luaGetStringSds(lua, 4) == NULL);
    test_cond("an index with no value gives NULL", luaGetStringSds(lua, 9) == NULL);

    lua_settop(lua, 0);
    lua_newtable(lua);
    test_cond("a table gives NULL", luaGetStringSds(lua, -1) == NULL);
    lua_pushnil(lua);
    test_cond("nil gives NULL", luaGetStringSds(lua, -1) == NULL);
    lua_pushboolean(lua, 1);
    test_cond("a boolean gives NULL", luaGetStringSds(lua, -1) == NULL);
    lua_pushcfunction(lua, noFunction);
    test_cond("a function gives NULL", luaGetStringSds(lua, -1) == NULL);
    lua_pushlightuserdata(lua, lua);
    test_cond("a light userdata gives NULL", luaGetStringSds(lua, -1) == NULL);
    test_report();
    return 0;
}
