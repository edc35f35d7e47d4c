/*---
 * tasks: [luaLdbLineHook-610b87.8]
 * tests:
 *   a saved pointer is given: 'Comment: "Get a saved pointer from registry".'
 *   it is given again and again: 'Callers ask in each call of Lua.'
 *   each name has its pointer: 'Argument name; luaSaveOnRegistry.'
 *   a name that was never saved gives NULL: 'Callers: serverAssert(rctx), "Only supported inside script invocation".'
 *   a pointer that was taken back gives NULL: 'luaSaveOnRegistry: NULL is saved as nil.'
 *   the last pointer that was saved is given: 'luaSaveOnRegistry.'
 *   names are told apart by case and as a whole: 'Argument name.'
 *   the stack is left as it was: 'Comment in the body: "pops the value".'
 *   without a pointer the stack is left as it was: 'Comment in the body: "pops the value".'
 *   each state has its registry: 'Argument lua; EVAL and functions have states of their own.'
 *   something else than a pointer stops the process: 'Comment in the body: "must be light user data".'
 ---*/
#include "start.h"
#include "../script_lua.h"
#include "../testhelp.h"
#include <sys/resource.h>
#include <sys/wait.h>

int main(void) {
    startRedis();
    lua_State *lua = lua_open(), *other = lua_open();
    int a, b;
    lua_pushstring(lua,"below");
    test_cond("a name that was never saved gives NULL", luaGetFromRegistry(lua,"a") == NULL);
    test_cond("without a pointer the stack is left as it was", lua_gettop(lua) == 1);
    luaSaveOnRegistry(lua,"a",&a);
    test_cond("a saved pointer is given", luaGetFromRegistry(lua,"a") == &a);
    test_cond("the stack is left as it was", lua_gettop(lua) == 1 && !strcmp(lua_tostring(lua,1),"below"));
    int same = 1;
    for (int j = 0; j < 1000; j++) if (luaGetFromRegistry(lua,"a") != &a || luaGetFromRegistry(lua,"none")) same = 0;
    test_cond("it is given again and again", same && lua_gettop(lua) == 1);
    luaSaveOnRegistry(lua,"b",&b);
    test_cond("each name has its pointer", luaGetFromRegistry(lua,"a") == &a && luaGetFromRegistry(lua,"b") == &b);
    test_cond("names are told apart by case and as a whole", !luaGetFromRegistry(lua,"A") && !luaGetFromRegistry(lua,"") &&
              !luaGetFromRegistry(lua,"ab"));
    test_cond("each state has its registry", !luaGetFromRegistry(other,"a") && lua_gettop(other) == 0);
    luaSaveOnRegistry(lua,"a",&b);
    test_cond("the last pointer that was saved is given", luaGetFromRegistry(lua,"a") == &b);
    luaSaveOnRegistry(lua,"a",NULL);
    test_cond("a pointer that was taken back gives NULL", luaGetFromRegistry(lua,"a") == NULL &&
              luaGetFromRegistry(lua,"b") == &b && lua_gettop(lua) == 1);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        struct rlimit none = {0,0};
        setrlimit(RLIMIT_CORE,&none);
        freopen("/dev/null","w",stdout);
        freopen("/dev/null","w",stderr);
        signal(SIGALRM,SIG_DFL), alarm(20);
        signal(SIGABRT,SIG_DFL);
        signal(SIGSEGV,SIG_DFL);
        lua_pushstring(lua,"no pointer");
        lua_setfield(lua,LUA_REGISTRYINDEX,"text");
        luaGetFromRegistry(lua,"text");
        _exit(0);
    }
    int status = 0;
    waitpid(child,&status,0);
    test_cond("something else than a pointer stops the process", WIFSIGNALED(status) || WEXITSTATUS(status));
    test_report();
    return 0;
}
