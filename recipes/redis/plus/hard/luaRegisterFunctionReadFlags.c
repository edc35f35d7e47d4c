/*---
 * tasks: [luaRegisterFunctionReadFlags-7900d3.2, luaRegisterFunctionReadFlags-7900d3.4]
 * instead: [src/function_lua.o]
 * tests:
 *   each known flag is read: 'Comment: "Read function flags"; script.c: scripts_flags_def.'
 *   several flags are joined: 'Comment: "set the flags to ''flags''".'
 *   no flag gives 0: 'Comment: "set the flags to ''flags''".'
 *   a flag given twice counts once: 'They are bits of one number.'
 *   upper and lower case are the same: 'Named arguments are read without case too.'
 *   an unknown flag is refused: 'Comment: "Return C_ERR if encounter an unknown flag".'
 *   an unknown flag behind known ones is refused: 'Comment: "Return C_ERR if encounter an unknown flag".'
 *   what is no string is refused: 'Comment: only names are known flags.'
 *   a beginning or a continuation of a name is refused: 'Comment: an unknown flag.'
 *   the flags stay as they were when it is refused: 'Comment: "On success ... set the flags to ''flags'' out parameter".'
 *   the stack is as high as before: 'Comment: "located on the top of the Lua stack"; the caller goes on with lua_next.'
 *   the table on the top is read and not one below: 'Comment: "located on the top of the Lua stack".'
 *   only the list part is read: 'FUNCTION LOAD: flags are a list of names.'
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

static uint64_t flags;
static int heights = 1;

static int readArgs(const char *table) {
    char text[400];
    snprintf(text, sizeof(text), "return {'no-writes'}, %s", table);
    put(text);
    flags = 0xdeadbeef;
    int told = luaRegisterFunctionReadFlags(lua, &flags);
    heights &= lua_gettop(lua) == 2 && lua_istable(lua, -1);
    return told;
}

static int is(const char *table, uint64_t want) {
    return readArgs(table) == C_OK && flags == want;
}

static int refused(const char *table) {
    return readArgs(table) == C_ERR;
}

int main(void) {
    lua = lua_open();
    int all = 1, upper = 1, part = 1;
    uint64_t every = 0;
    char table[200], list[400] = "{";
    for (scriptFlag *flag = scripts_flags_def; flag->str; flag++) {
        snprintf(table, sizeof(table), "{'%s'}", flag->str);
        all &= is(table, flag->flag);
        snprintf(table, sizeof(table), "{string.upper('%s')}", flag->str);
        luaL_openlibs(lua);
        upper &= is(table, flag->flag);
        snprintf(table, sizeof(table), "{'%sx'}", flag->str);
        part &= refused(table);
        snprintf(table, sizeof(table), "{string.sub('%s', 1, -2)}", flag->str);
        part &= refused(table);
        sprintf(list + strlen(list), "'%s',", flag->str);
        every |= flag->flag;
    }
    strcat(list, "}");
    test_cond("each known flag is read", all);
    test_cond("several flags are joined", is(list, every) && is("{'allow-oom', 'no-writes'}", SCRIPT_FLAG_ALLOW_OOM | SCRIPT_FLAG_NO_WRITES));
    test_cond("no flag gives 0", is("{}", 0));
    test_cond("a flag given twice counts once", is("{'no-writes', 'no-writes'}", SCRIPT_FLAG_NO_WRITES));
    test_cond("upper and lower case are the same", upper);
    test_cond("an unknown flag is refused", refused("{'unknown'}") && refused("{''}"));
    test_cond("an unknown flag behind known ones is refused", refused("{'no-writes', 'allow-oom', 'unknown'}") && refused("{'unknown', 'no-writes'}"));
    test_cond("what is no string is refused", refused("{true}") && refused("{{}}") && refused("{'no-writes', print}") && refused("{12}"));
    test_cond("a beginning or a continuation of a name is refused", part);
    readArgs("{'no-writes', 'unknown'}");
    test_cond("the flags stay as they were when it is refused", flags == 0xdeadbeef);
    test_cond("the stack is as high as before", heights);
    test_cond("the table on the top is read and not one below", is("{'allow-stale'}", SCRIPT_FLAG_ALLOW_STALE));
    test_cond("only the list part is read", is("{'allow-stale', other = 'no-writes', [7] = 'unknown'}", SCRIPT_FLAG_ALLOW_STALE));
    test_report();
    return 0;
}
