/*---
 * tasks: [luaCreateFunction-73df11.8, luaCreateFunction-73df11.16]
 * instead: [src/eval.o]
 * tests:
 *   scripts run: 'Comment: "Initialize the scripting environment".'
 *   no script is known: 'struct luaCtx: lua_scripts, "SHA1 -> Lua scripts"; evalScriptsMemory.'
 *   a script is known by its SHA1 in any case: 'shaScriptObjectDictType: dictStrCaseHash; EVALSHA in upper case.'
 *   the client of scripts is made at the setup: 'struct luaCtx: lua_client, "fake client"; server.h: CLIENT_SCRIPT.'
 *   the client of scripts must not block: 'server.h: CLIENT_DENY_BLOCKING; blocking commands in scripts reply at once.'
 *   without setup the client of scripts stays: 'Comment: "called again multiple times ... with setup set to 0".'
 *   the setup begins without exceptions: 'server.h: script_disable_deny_script; "the first time at server startup".'
 *   without setup these and the debugger stay: 'Comment: "with setup set to 0".'
 *   the setup initializes the debugger: 'eval.c: ldbInit, "Initialize Lua debugger data structures".'
 *   redis.breakpoint is there: 'luaRedisBreakpointCommand; it gives false outside a session.'
 *   redis.debug is there: 'luaRedisDebugCommand; it does nothing outside a session.'
 *   redis.replicate_commands is there: 'luaRedisReplicateCommandsCommand: "always return true".'
 *   an error names its script and line: 'script_lua.c, luaExtractErrorInformation: source and line; tests/unit/scripting.tcl.'
 *   an error of a command names the line of its caller: 'luaCallFunction: the handler is __redis__err__handler; "information about the caller".'
 *   an error that is a table is kept: 'tests/unit/scripting.tcl: redis.error_reply.'
 *   an error that is no string is told: 'luaCallFunction: the error is a table with err.'
 *   scripts cannot reach debug: 'Upstream''s docs on Lua: only some libraries are available; it could get past the protection.'
 *   scripts cannot set globals: 'luaSetTableProtectionRecursively, luaSetErrorMetatable; scripting.tcl: "Globals protection".'
 *   reading an unknown global is an error: 'luaSetErrorMetatable: "Script attempted to access nonexistent global variable".'
 *   scripts cannot change the tables that all share: 'luaSetTableProtectionRecursively; scripting.tcl: "Attempt to modify a readonly table".'
 *   nothing stays on the stack: 'Callers push and pop on their own; it is called on and on.'
 *   nothing is left behind after scriptingRelease: 'Comment: "following a scriptingRelease() call".'
 ---*/
#include "evaltest.h"

/* Whether the script's reply begins and goes on so. */
static int replies(const char *script, const char *begin, const char *inside) {
    const char *got = eval(script);
    int same = !strncmp(got,begin,strlen(begin)) && strstr(got,inside) != NULL;
    if (!same) printf("# %s: %s\n",script,got);
    return same;
}

int main(void) {
    startScripts();
    test_cond("nothing stays on the stack", lua_gettop(lctx.lua) == 0);
    test_cond("no script is known", lctx.lua_scripts && dictSize(lctx.lua_scripts) == 0 && lctx.lua_scripts_mem == 0);
    test_cond("the client of scripts is made at the setup", lctx.lua_client && (lctx.lua_client->flags & CLIENT_SCRIPT) &&
              lctx.lua_client->conn == NULL);
    test_cond("the setup initializes the debugger", ldb.logs && ldb.children && ldb.cbuf && !ldb.active);
    run("set","k","v");
    int runs = !strcmp(eval("return redis.call('get','k')"),"$1\r\nv\r\n");
    test_cond("scripts run", runs && !strcmp(run("eval","return {KEYS[1],ARGV[1]}","1","a","b"),
              "*2\r\n$1\r\na\r\n$1\r\nb\r\n"));
    sds lower = sdsdup(dictGetKey(dictGetRandomKey(lctx.lua_scripts)));
    sds upper = sdsdup(lower);
    sdstoupper(upper);
    test_cond("a script is known by its SHA1 in any case", dictSize(lctx.lua_scripts) == 2 && strcmp(lower,upper) &&
              dictFind(lctx.lua_scripts,upper) && dictFind(lctx.lua_scripts,upper) == dictFind(lctx.lua_scripts,lower));
    test_cond("the client of scripts must not block", (lctx.lua_client->flags & CLIENT_DENY_BLOCKING) &&
              !strcmp(eval("return redis.call('blpop','none',0)"),"$-1\r\n"));
    test_cond("redis.breakpoint is there", !strcmp(eval("return type(redis.breakpoint)"),"$8\r\nfunction\r\n") &&
              !strcmp(eval("return redis.breakpoint() == false and 1 or 2"),":1\r\n"));
    test_cond("redis.debug is there", !strcmp(eval("return select('#',redis.debug('a',1))"),":0\r\n"));
    test_cond("redis.replicate_commands is there", !strcmp(eval("return redis.replicate_commands()"),":1\r\n"));
    test_cond("an error names its script and line", replies("error('wrong')","-ERR user_script:1: wrong script:",
              ", on @user_script:1.\r\n") && replies("\n\nlocal a = nil + 1","-ERR user_script:3: ",", on @user_script:3.\r\n"));
    test_cond("an error of a command names the line of its caller", replies("\n\nreturn redis.call('get')","-ERR ",
              ", on @user_script:3.\r\n") && replies("\nredis.call('lpush','k','x')","-WRONGTYPE ",", on @user_script:2.\r\n"));
    test_cond("an error that is a table is kept", replies("\nerror({err='MY own error'})","-MY own error script:",
              ", on @user_script:2.\r\n"));
    test_cond("an error that is no string is told", replies("error(nil)","-ERR nil script:","@user_script:1") &&
              replies("error(7)","-ERR user_script:1: 7 script:","@user_script:1") &&
              replies("error(true)","-ERR true script:","@user_script:1"));
    test_cond("scripts cannot reach debug", replies("return debug.getinfo(1)","-","nonexistent global variable 'debug'"));
    test_cond("scripts cannot set globals", replies("a = 10","-ERR ","Attempt to modify a readonly table") &&
              replies("function f() end","-ERR ","Attempt to modify a readonly table"));
    test_cond("reading an unknown global is an error", replies("return unknown","-ERR ","nonexistent global variable 'unknown'"));
    test_cond("scripts cannot change the tables that all share",
              replies("redis.call = nil","-ERR ","Attempt to modify a readonly table") &&
              replies("redis.debug = function() end","-ERR ","Attempt to modify a readonly table") &&
              replies("string.len = nil","-ERR ","Attempt to modify a readonly table") &&
              replies("setmetatable(_G,{})","-ERR ","Attempt to modify a readonly table") &&
              replies("_G.__redis__err__handler = nil","-ERR ","Attempt to modify a readonly table"));

    client *scripts = lctx.lua_client;
    list *logs = ldb.logs;
    server.script_disable_deny_script = 1;
    ldbLog(sdsnew("kept"));
    scriptingRelease(0);
    scriptingInit(0);
    test_cond("without setup the client of scripts stays", lctx.lua_client == scripts && dictSize(lctx.lua_scripts) == 0 &&
              lctx.lua_scripts_mem == 0 && !strcmp(eval("return redis.call('get','k')"),"$1\r\nv\r\n") &&
              replies("error('wrong')","-ERR user_script:1: wrong script:",", on @user_script:1.\r\n"));
    test_cond("without setup these and the debugger stay", server.script_disable_deny_script == 1 && ldb.logs == logs &&
              listLength(ldb.logs) == 1);
    size_t before = 0;
    for (int j = 0; j < 10; j++) {
        scriptingRelease(0);
        scriptingInit(0);
        if (j == 2) before = zmalloc_used_memory();
    }
    test_cond("nothing is left behind after scriptingRelease", zmalloc_used_memory() == before &&
              lua_gettop(lctx.lua) == 0);
    scriptingRelease(0);
    scriptingInit(1);
    test_cond("the setup begins without exceptions", server.script_disable_deny_script == 0 && lctx.lua_client &&
              lctx.lua_client != scripts && listLength(ldb.logs) == 0);
    test_report();
    return 0;
}
