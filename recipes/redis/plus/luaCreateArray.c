/*---
 * tasks: [C3CB2474A9CFDEB8]
 * instead: [src/script_lua.o]
 * tests:
 *   the elements stand in their order from 1 on:
 *     'Docstring: "as a Lua array"; commands/eval: KEYS[1] is the first key.'
 *   there is no element 0 and none behind the last: 'Docstring: "as a Lua array (table)".'
 *   the array has the length of the arguments: 'Argument elec; scripts use #KEYS.'
 *   without elements it is an empty table: 'Docstring: "array (table)"; a script without keys sees #KEYS == 0.'
 *   without elements the array may be NULL: 'Caller luaCallFunction: keys and args with a count of 0.'
 *   only as many elements as told are taken: 'Argument elec.'
 *   elements are binary-safe: 'Docstring: "Redis String Objects"; keys may hold any bytes.'
 *   an empty string is an element: 'Docstring: "Redis String Objects".'
 *   a number stays a string: 'Docstring: an array of strings; ARGV holds strings.'
 *   one table is left on the stack: 'Caller luaCallFunction names it (lua_setglobal) or passes it on.'
 *   what lies below on the stack is left alone: 'Caller luaCallFunction keeps the handler and the function there.'
 *   the objects are left as they are: 'Caller luaCallFunction; they belong to the client.'
 *   a later change of an object is not seen: 'Docstring: "stored into a global variable"; Lua strings are copies.'
 *   many elements fit: 'Argument elec; EVAL takes any number of keys.'
 ---*/
#include "../script_lua.c"
#include "../testhelp.h"

static lua_State *lua;

static int is(int at, const char *text, size_t len) {
    size_t l = 0;
    lua_rawgeti(lua,-1,at);
    int same = lua_type(lua,-1) == LUA_TSTRING;
    const char *s = same ? lua_tolstring(lua,-1,&l) : "";
    same = same && l == len && !memcmp(s,text,len);
    lua_pop(lua,1);
    return same;
}

static int absent(int at) {
    lua_rawgeti(lua,-1,at);
    int nil = lua_isnil(lua,-1);
    lua_pop(lua,1);
    return nil;
}

int main(void) {
    lua = lua_open();
    robj *e[4] = {createStringObject("first",5), createStringObject("",0), createStringObject("a\0b\r\n\xff",6),
                  createStringObject("10",2)};
    lua_pushstring(lua,"below");
    luaCreateArray(lua,e,4);
    test_cond("one table is left on the stack", lua_gettop(lua) == 2 && lua_istable(lua,2));
    test_cond("what lies below on the stack is left alone", lua_isstring(lua,1) &&
              !strcmp(lua_tostring(lua,1),"below"));
    int table = lua_istable(lua,-1);
    if (!table) lua_newtable(lua);
    test_cond("the elements stand in their order from 1 on", is(1,"first",5) && is(4,"10",2));
    test_cond("there is no element 0 and none behind the last", table && absent(0) && absent(5) && absent(-1));
    test_cond("the array has the length of the arguments", lua_objlen(lua,-1) == 4);
    test_cond("elements are binary-safe", is(3,"a\0b\r\n\xff",6));
    test_cond("an empty string is an element", is(2,"",0));
    test_cond("a number stays a string", is(4,"10",2));
    test_cond("the objects are left as they are", e[0]->refcount == 1 && e[3]->refcount == 1 &&
              !strcmp(e[0]->ptr,"first") && sdslen(e[2]->ptr) == 6);
    ((char*)e[0]->ptr)[0] = 'F';
    test_cond("a later change of an object is not seen", is(1,"first",5));
    lua_settop(lua,0);

    luaCreateArray(lua,e,2);
    test_cond("only as many elements as told are taken", lua_istable(lua,-1) && lua_objlen(lua,-1) == 2 && absent(3));
    lua_settop(lua,0);
    luaCreateArray(lua,e,0);
    test_cond("without elements it is an empty table", lua_gettop(lua) == 1 && lua_istable(lua,-1) &&
              lua_objlen(lua,-1) == 0 && absent(1));
    lua_settop(lua,0);
    luaCreateArray(lua,NULL,0);
    test_cond("without elements the array may be NULL", lua_gettop(lua) == 1 && lua_istable(lua,-1));
    lua_settop(lua,0);

    robj *many[500];
    for (int j = 0; j < 500; j++) many[j] = createStringObjectFromLongLongWithSds(j);
    luaCreateArray(lua,many,500);
    test_cond("many elements fit", lua_gettop(lua) == 1 && lua_objlen(lua,-1) == 500 && is(1,"0",1) && is(500,"499",3));
    test_report();
    return 0;
}
