/*---
 * tasks: [8C34082F9371FB54]
 * instead: [src/script_lua.o]
 * tests:
 *   the opener of the library is called once:
 *     'Name; caller luaLoadLibraries. Lua 5.1 manual 5: openers are lua_call''ed.'
 *   it gets the name as its only argument: 'Argument libname; deps/lua/src/linit.c: luaL_openlibs does the same.'
 *   the empty name of the base library is passed on: 'Caller luaLoadLibraries: luaLoadLib(lua, "", luaopen_base).'
 *   what the opener returns is not left on the stack: 'deps/lua/src/linit.c: luaL_openlibs, lua_call(L,1,0).'
 *   no global is made but by the opener: 'deps/lua/src/linit.c: luaL_openlibs; globals of scripts are allow-listed.'
 *   what lies on the stack is left alone: 'Caller luaLoadLibraries loads nine in a row.'
 *   an error of the opener reaches the caller:
 *     'It returns nothing; Lua 5.1 manual: errors in lua_call are propagated.'
 *   the libraries of scripts are there: 'Caller luaLoadLibraries; commands/eval: cjson, struct, cmsgpack, bit.'
 *   their functions work: 'Caller luaLoadLibraries.'
 *   no library beyond those is loaded:
 *     'Caller luaLoadLibraries: "Stuff that we don''t load, for sandboxing concerns".'
 *   two states are loaded apart: 'Argument lua; eval.c and function_lua.c each have one.'
 ---*/
#include "../script_lua.c"
#include "../testhelp.h"

static int calls, arguments, isString, throws;
static char name[100];
static lua_State *calledWith;

static int opener(lua_State *L) {
    calls++;
    calledWith = L;
    arguments = lua_gettop(L);
    isString = arguments >= 1 && lua_type(L,1) == LUA_TSTRING;
    snprintf(name,sizeof(name),"%s",isString ? lua_tostring(L,1) : "-");
    if (throws) return luaL_error(L,"cannot open");
    lua_pushstring(L,"result");
    lua_pushnumber(L,2);
    return 2;
}

static int load(lua_State *L) {
    luaLoadLib(L,"broken",opener);
    return 0;
}

static int globals(lua_State *L) {
    int n = 0;
    lua_pushvalue(L,LUA_GLOBALSINDEX);
    lua_pushnil(L);
    for (; lua_next(L,-2); lua_pop(L,1)) n++;
    lua_pop(L,1);
    return n;
}

static int isTrue(lua_State *L, const char *script) {
    int top = lua_gettop(L), yes = 0;
    if (luaL_loadstring(L,script) == 0 && lua_pcall(L,0,1,0) == 0) yes = lua_toboolean(L,-1);
    lua_settop(L,top);
    return yes;
}

/* Loads in protected mode, so that a wrong call is an error and not the end of the process. */
static int all(lua_State *L) {
    luaLoadLibraries(L);
    return 0;
}

static int some(lua_State *L) {
    lua_pushstring(L,"below");
    luaLoadLib(L,"mylib",opener);
    int right = lua_gettop(L) == 1 && lua_isstring(L,-1) && !strcmp(lua_tostring(L,-1),"below");
    lua_pushboolean(L,right);
    return 1;
}

static int nameless(lua_State *L) {
    luaLoadLib(L,"",opener);
    return 0;
}

int main(void) {
    lua_State *L = lua_open();
    int before = globals(L);
    lua_pushcfunction(L,some);
    int failed = lua_pcall(L,0,1,0), left = lua_toboolean(L,-1) && !lua_isstring(L,-1);
    test_cond("the opener of the library is called once", !failed && calls == 1 && calledWith == L);
    test_cond("it gets the name as its only argument", arguments == 1 && isString && !strcmp(name,"mylib"));
    test_cond("what the opener returns is not left on the stack", !failed && left);
    test_cond("what lies on the stack is left alone", !failed && left);
    lua_settop(L,0);
    int ended = lua_cpcall(L,nameless,NULL);
    test_cond("the empty name of the base library is passed on", !ended && calls == 2 && arguments == 1 && isString &&
              name[0] == '\0');
    test_cond("no global is made but by the opener", !failed && globals(L) == before);
    throws = 1;
    lua_settop(L,0);
    ended = lua_cpcall(L,load,NULL);
    test_cond("an error of the opener reaches the caller", ended != 0 && calls == 3 && lua_isstring(L,-1) &&
              strstr(lua_tostring(L,-1),"cannot open"));
    lua_settop(L,0);

    lua_State *libraries = lua_open(), *fresh = lua_open();
    failed = lua_cpcall(libraries,all,NULL);
    test_cond("the libraries of scripts are there", !failed && isTrue(libraries,
        "return string and table and math and debug and cjson and struct and cmsgpack and bit and print and true"));
    test_cond("their functions work", !failed && isTrue(libraries,
        "return cjson.decode('[1,2]')[2] == 2 and bit.band(6,3) == 2 and string.upper('a') == 'A' and "
        "#table.concat({1}) == 1 "
        "and struct.unpack('B', struct.pack('B', 7)) == 7 and cmsgpack.unpack(cmsgpack.pack(9)) == 9"));
    test_cond("no library beyond those is loaded", !failed && isTrue(libraries,
        "return os == nil and io == nil and package == nil and require == nil and rawget(_G, '') == nil"));
    test_cond("two states are loaded apart", globals(fresh) == 0 && globals(libraries) > 20);
    test_report();
    return 0;
}
