/*---
 * tasks: [restoreCommand-ab585e.16]
 * instead: [src/functions.o]
 * link: ['-Wl,--wrap=luaEngineInitEngine']
 * tests:
 *   it succeeds: 'Caller initServer in server.c compares with C_ERR; returns of functions: C_OK.'
 *   the engine for Lua is initialized once: 'Comment: "Initialize engine data structures"; function_lua.c: luaEngineInitEngine.'
 *   the engine is registered: 'functionsRegisterEngine: called by luaEngineInitEngine; FUNCTION LOAD, "#!lua".'
 *   engines are found in any case: 'engineDictType: case-insensitive.'
 *   there is a current context: 'functionsLibCtxGetCurrent; FUNCTION LOAD.'
 *   the current context is empty: 'functionsNum and functionsLibNum at the start.'
 *   the current context has statistics of the engine: 'Comment: "Must be initialized after engines initialization"; libraryLink: serverAssert(stats).'
 *   no overhead of functions is counted: 'struct functionsLibCtx: cache_memory.'
 *   libraries can be loaded and called: 'commands/function-load, fcall.'
 *   the engine runs commands by a client of its own: 'engineInfo: "Client that is used to run commands".'
 *   FUNCTION STATS names the engine: 'commands/function-stats.'
 *   a failure of the engine is passed on: 'Caller initServer: "Functions initialization failed" and exit; luaEngineInitEngine returns C_ERR.'
 *   a second one begins anew: 'Comment: "Initialize".'
 ---*/
#include "functiontest.h"

int __real_luaEngineInitEngine(void);
static int initialized, fail;

int __wrap_luaEngineInitEngine(void) {
    initialized++;
    if (fail) return C_ERR;
    return __real_luaEngineInitEngine();
}

int main(void) {
    startFunctions(); /* It calls functionsInit(). */
    test_cond("the engine for Lua is initialized once", initialized == 1);
    functionsLibCtx *now = functionsLibCtxGetCurrent();
    sds lua = sdsnew("LUA"), lower = sdsnew("lua");
    engineInfo *ei = dictFetchValue(engines,lua);
    test_cond("the engine is registered", dictSize(engines) == 1 && ei && !strcasecmp(ei->name,"lua") && ei->engine);
    test_cond("engines are found in any case", ei && ei == dictFetchValue(engines,lower));
    test_cond("the engine runs commands by a client of its own", ei && ei->c && (ei->c->flags & CLIENT_SCRIPT));
    test_cond("there is a current context", now != NULL);
    test_cond("the current context is empty", functionsNum() == 0 && functionsLibNum() == 0 && dictSize(functionsLibGet()) == 0 && holds(now,""));
    functionsLibEngineStats *stats = dictFetchValue(now->engines_stats,lua);
    test_cond("the current context has statistics of the engine", dictSize(now->engines_stats) == 1 && stats && stats->n_lib == 0 &&
              stats->n_functions == 0);
    test_cond("no overhead of functions is counted", now->cache_memory == 0);
    test_cond("libraries can be loaded and called", load(now,"one","f1 f2","a") && !strcmp(fcall("f2"),"$1\r\na\r\n") &&
              holds(now,"one:f1=a one:f2=a "));
    setArguments(c,2,(const char*[]){"function","stats"});
    functionStatsCommand(c);
    test_cond("FUNCTION STATS names the engine", replied(c,"*4\r\n$14\r\nrunning_script\r\n$-1\r\n$7\r\nengines\r\n*2\r\n$3\r\nLUA\r\n"
              "*4\r\n$15\r\nlibraries_count\r\n:1\r\n$15\r\nfunctions_count\r\n:2\r\n"));
    dict *first = engines;
    int ok = functionsInit();
    test_cond("it succeeds", ok == C_OK);
    engineInfo *again = dictFetchValue(engines,lua);
    test_cond("a second one begins anew", engines != first && again && again != ei && dictSize(engines) == 1 &&
              functionsLibCtxGetCurrent() != now && holds(functionsLibCtxGetCurrent(),"") && initialized == 2 &&
              load(functionsLibCtxGetCurrent(),"two","g1","b") && !strcmp(fcall("g1"),"$1\r\nb\r\n"));
    fail = 1;
    test_cond("a failure of the engine is passed on", functionsInit() == C_ERR);
    test_report();
    return 0;
}
