/*---
 * tasks: [luaCreateFunction-73df11.8, luaCreateFunction-73df11.16]
 * instead: [src/eval.o]
 * tests:
 *   no script is known afterwards: 'scriptingRelease: "in order to reset the scripting environment"; SCRIPT FLUSH.'
 *   the interpreter before is closed: 'scriptingRelease: "Release resources related to Lua scripting".'
 *   scripts run afterwards: 'scriptingInit: "in order to reset the Lua scripting environment".'
 *   scripts can be loaded afterwards: 'SCRIPT LOAD after SCRIPT FLUSH.'
 *   what scripts left in the interpreter is gone: 'scriptingInit: the environment is reset.'
 *   the client of scripts stays: 'scriptingInit: "no need to create it again when this function is called by scriptingReset()".'
 *   what is set up once stays: 'scriptingInit: "with ''setup'' set to 0"; ldbInit, script_disable_deny_script.'
 *   a synchronous reset leaves nothing to the background: 'Parameter async; SCRIPT FLUSH SYNC.'
 *   an asynchronous reset leaves many scripts to the background: 'Parameter async; SCRIPT FLUSH ASYNC; freeLuaScriptsAsync.'
 *   the interpreter is closed by an asynchronous reset too: 'scriptingRelease.'
 *   it can be reset again and again: 'scriptingInit: "It can be called again multiple times".'
 *   nothing is left behind: 'scriptingRelease.'
 ---*/
#include "evaltest.h"

int main(void) {
    startScripts();
    scriptingReset(0);
    size_t start;
    loadScripts(10);
    lua_pushstring(lctx.lua,"here");
    lua_setfield(lctx.lua,LUA_REGISTRYINDEX,"left");
    watchInterpreter();
    client *scripts = lctx.lua_client;
    server.script_disable_deny_script = 1;
    list *logs = ldb.logs, *children = ldb.children;
    ldbLog(sdsnew("kept"));
    scriptingReset(0);
    test_cond("no script is known afterwards", dictSize(evalScriptsDict()) == 0 && lctx.lua_scripts_mem == 0);
    test_cond("the interpreter before is closed", closed == 1);
    test_cond("scripts run afterwards", !strcmp(eval("return {1,redis.call('dbsize')}"),"*2\r\n:1\r\n:0\r\n"));
    loadScripts(3);
    test_cond("scripts can be loaded afterwards", dictSize(evalScriptsDict()) == 4);
    lua_getfield(lctx.lua,LUA_REGISTRYINDEX,"left");
    test_cond("what scripts left in the interpreter is gone", lua_isnil(lctx.lua,-1));
    lua_pop(lctx.lua,1);
    test_cond("the client of scripts stays", lctx.lua_client == scripts);
    test_cond("what is set up once stays", server.script_disable_deny_script == 1 && ldb.logs == logs &&
              listLength(ldb.logs) == 1 && ldb.children == children);
    server.script_disable_deny_script = 0;
    scriptingReset(0);
    int again = 1;
    start = zmalloc_used_memory();
    for (int j = 0; j < 20; j++) {
        loadScripts(j);
        scriptingReset(j % 2);
        again &= dictSize(evalScriptsDict()) == 0;
    }
    test_cond("nothing is left behind", zmalloc_used_memory() == start);
    test_cond("it can be reset again and again", again && !strcmp(eval("return 7"),":7\r\n"));
    scriptingReset(0);

    holdBackground(1);
    loadScripts(300);
    watchInterpreter();
    scriptingReset(0);
    test_cond("a synchronous reset leaves nothing to the background", lazyfreeGetPendingObjectsCount() == 0 && closed == 1);
    loadScripts(300);
    watchInterpreter();
    scriptingReset(1);
    size_t pending = lazyfreeGetPendingObjectsCount();
    int async = closed == 1 && dictSize(evalScriptsDict()) == 0;
    holdBackground(0);
    test_cond("an asynchronous reset leaves many scripts to the background", pending == 300 &&
              lazyfreeGetPendingObjectsCount() == 0);
    test_cond("the interpreter is closed by an asynchronous reset too", async && !strcmp(eval("return 8"),":8\r\n"));
    test_report();
    return 0;
}
